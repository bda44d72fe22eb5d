"""One page of each kind: few pages that together have every kind of element of the site, read from the files."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .checked import main_of

FORMULA = '<span class="katex"'  # as KaTeX writes it; inside there are its own boxes
SPAN = re.compile(r"<(/?)span\b")
CODE = re.compile(r"(<pre\b[^>]*>).*?(?=</pre>)", re.DOTALL)
TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^>]*)")
CLASS = re.compile(r'\sclass="([^"]*)"')


def kinds(text: str) -> frozenset[str]:
    """The kinds of element in ``<main>``: ``tag.class`` for each class, ``tag`` where there is none.

    A formula is one kind and so is a listing: what stands inside follows from the style sheets alone.
    """
    found = set()
    for tag, attributes in TAG.findall(CODE.sub(r"\1", _without_formulas(main_of(text)))):
        named = CLASS.search(attributes)
        found |= {f"{tag}.{name}" for name in named[1].split()} if named else {tag}
    return frozenset(found)


def _without_formulas(text: str) -> str:
    """``text`` with each formula emptied."""
    kept, position = [], 0
    while (start := text.find(FORMULA, position)) >= 0:
        kept.append(text[position : start + len(FORMULA)])
        position = _end_of_span(text, start)
    return "".join([*kept, text[position:]])


def _end_of_span(text: str, start: int) -> int:
    """Where the span that begins at ``start`` ends."""
    depth = 0
    for tag in SPAN.finditer(text, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.start()
    return len(text)


def cover(kinds_of: Mapping[str, frozenset[str]], cost: Mapping[str, float], seen: frozenset[str]) -> set[str]:
    """Pages that together have every kind that is not ``seen`` yet.

    Greedy: next the page with the most new kinds for its cost, so that the set is small and cheap; then without those
    that turned out to be needless.

    Parameters
    ----------
    kinds_of : {page: kinds}
    cost : {page: positive number}
    seen : set of kinds
    """
    wanted = frozenset().union(*kinds_of.values()) - seen
    chosen, left = [], wanted
    while left:
        chosen.append(max(sorted(kinds_of), key=lambda page: len(kinds_of[page] & left) / cost[page]))
        left -= kinds_of[chosen[-1]]
    for page in sorted(chosen, key=lambda page: -cost[page]):
        others = [other for other in chosen if other != page]
        if wanted <= frozenset().union(*(kinds_of[other] for other in others)):
            chosen = others
    return set(chosen)

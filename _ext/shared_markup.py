"""Many pieces of markup in little space: what occurs in them more than once is stored once.

The trees of formulas share most of their parts (a fraction, a matrix, a letter in bold). ``share`` gives each part that
repeats a number and puts one character of Unicode's private area in its place. ``expand`` does the reverse, and so does
``static/trainer/data.js`` on the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

FIRST, LAST = 0xE000, 0xF8FF  # the private area
SIGN = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
TOKEN = re.compile(r"<[^>]*>|[^<]+")
VOID = ("br", "hr", "img", "input", "wbr")
KNOWN = 0xF0000  # where another private area begins
PLACEHOLDER = re.compile("([\U000f0000-\U000ffffd])")
SHORTEST = 20  # characters: shorter parts are not worth a number

Part = tuple["str | int", ...]  # text and numbers of parts, in their order


@lru_cache(maxsize=2**16)
def opens(token: str) -> bool:
    """Whether a token is a tag that another one closes."""
    return token.startswith("<") and not token.endswith("/>") and re.split(r"[\s>]", token[1:])[0] not in VOID


class Parts:
    """All elements of some markup, each once."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._number: dict[Part, int] = {}

    def read(self, markup: str, known: Sequence[Part] = ()) -> Part:
        """Split markup into text and elements; the signs of ``placeholder`` stand for what is known."""
        stack: list[list[str | int]] = [[]]
        for token in TOKEN.findall(markup):
            if token.startswith("</"):
                element = (*stack.pop(), token)
                if not stack:
                    raise ValueError(f"{token} closes what was not opened in {markup[:80]!r}")
                stack[-1].append(self._of(element))
            elif opens(token):
                stack.append([token])
            elif not known:
                stack[-1].append(token)
            else:
                for piece in filter(None, PLACEHOLDER.split(token)):
                    stack[-1].extend(known[ord(piece) - KNOWN] if PLACEHOLDER.match(piece) else [piece])
        if len(stack) > 1:
            raise ValueError(f"{stack[-1][0]} is not closed in {markup[:80]!r}")
        return tuple(stack[0])

    def _of(self, element: Part) -> int:
        number = self._number.setdefault(element, len(self.parts))
        if number == len(self.parts):
            self.parts.append(element)
        return number

    def lengths(self) -> list[int]:
        """How long each part is when it is written out; a part stands after those that it holds."""
        found: list[int] = []
        for part in self.parts:
            found.append(sum(found[piece] if isinstance(piece, int) else len(piece) for piece in part))
        return found


def placeholder(number: int) -> str:
    """The sign for a piece of markup that is given once, such as a formula."""
    return chr(KNOWN + number)


def share(texts: Iterable[str], pieces: Iterable[str] = ()) -> tuple[list[str], list[str]]:
    """Texts with signs for what repeats, and the table that the signs stand for; placeholders are for ``pieces``."""
    parts = Parts()
    known = [parts.read(piece) for piece in pieces]
    read = [parts.read(text, known) for text in texts]
    times = Counter(piece for part in (*read, *parts.parts) for piece in part if isinstance(piece, int))
    lengths = parts.lengths()
    gain = {n: (times[n] - 1) * lengths[n] for n in times if times[n] > 1 and lengths[n] >= SHORTEST}
    kept = sorted(sorted(gain, key=lambda n: (-gain[n], n))[: LAST - FIRST + 1])
    sign = {n: chr(FIRST + place) for place, n in enumerate(kept)}

    found: list[str] = []  # what a part is written as inside another one: its sign, or all of it

    def written(part: Part) -> str:
        return "".join(piece if isinstance(piece, str) else found[piece] for piece in part)

    table = []
    for n, part in enumerate(parts.parts):  # a part stands after those that it holds
        text = written(part)
        found.append(sign.get(n, text))
        if n in sign:
            table.append(text)
    return [written(part) for part in read], table


def expand(text: str, table: list[str]) -> str:
    """The markup that a shared text stands for."""
    return SIGN.sub(lambda found: expand(table[ord(found[0]) - FIRST], table), text)

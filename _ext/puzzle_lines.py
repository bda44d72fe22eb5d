r"""What a derivation says about its puzzle: which lines each line uses, and wrong lines to put among them.

It stands in bullets below an item (see ``derivations``), and holds for the line above it::

    4. `kmeans-gradient` Differentiate by one centre.
       - after: 2
       - wrong: $2\sum$ for $-2\sum$ because the inner derivative is $-1$.

``after`` names the lines, by their numbers, that must stand above this one (``none``: it needs none); without it that
is the line before. ``wrong`` writes a known mistake: what stands in the line instead of what, and why that is wrong. A
line that is wrong as a whole is ``wrong: $...$ because ...``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

ITEM = re.compile(r"\d+\.\s+(?:`([^`]+)`)?")
BULLET = re.compile(r"\s+[-*+]\s")
OPTION = re.compile(r"\s+[-*+]\s+(after|wrong):(.*)", re.DOTALL)
WRONG = re.compile(r"\$([^$]+)\$(?:\s+for\s+\$([^$]+)\$)?,?\s+because\s+(\S.*)", re.DOTALL)
SPACES = re.compile(r"\s+")
PIECE = re.compile(r"\\(?:begin|end)\{\w+\*?\}|\\[a-zA-Z]+|\\.|\S")
STEPS = {"{": 1, "}": -1, r"\left": 1, r"\right": -1}
SCRIPTS = ("_", "^")  # they belong to what stands before them
LETTERS = re.compile(r"\\(?:math\w+|boldsymbol|operatorname|text)$")  # what stands behind it is one name


class Wrong(NamedTuple):
    """A wrong line: ``new`` stands in it for ``old`` (empty: for all of the line), and why it is wrong."""

    new: str
    old: str
    reason: str

    def of(self, line: str) -> str:
        """The whole wrong line."""
        if not self.old:
            return self.new
        line, old = squeezed(line), squeezed(self.old)
        if line.count(old) != 1:
            raise ValueError(f"{old!r} stands {line.count(old)} times in {line!r}: quote what stands there once")
        return line.replace(old, self.new)

    def change(self, line: str) -> tuple[str, str]:
        """What stands there, and what should; of a whole line, and of a sign without its scripts, what differs."""
        line, old = squeezed(line), squeezed(self.old)
        behind = line.partition(old)[2].lstrip() if old else "_"
        return difference(line, self.of(line)) if behind[:1] in SCRIPTS else (squeezed(self.new), old)


class Line(NamedTuple):
    """A line: the label of its equation, which of its ``rows`` (None: all), what it uses, and its wrong twins."""

    label: str
    row: int | None
    n_rows: int
    after: tuple[int, ...]
    wrong: tuple[Wrong, ...]


def squeezed(tex: str) -> str:
    """The same with single spaces."""
    return SPACES.sub(" ", tex).strip()


def read(content: Sequence[str]) -> tuple[list[str], list[Line]]:
    """The lines of a directive without what is said about the puzzle (blank lines stand for it), and what that says.

    Examples
    --------
    >>> kept, lines = read(["1. `a` State it.", "2. `b` Go on.", "   - wrong: $+$ for $-$ because it falls."])
    >>> kept, lines[1].after, lines[1].wrong[0].of("a - b")
    (['1. `a` State it.', '2. `b` Go on.', ''], (1,), 'a + b')
    """
    kept: list[str] = []
    items: list[tuple[str, list[list[tuple[str, str]]]]] = []  # a label, and of each row what is said about it
    for start, text in blocks(content):
        item, option = ITEM.match(text), OPTION.match(text)
        if item:
            items.append((item[1] or "", [[]]))
        elif option and items:
            items[-1][1][-1].append((option[1], squeezed(option[2])))
        elif BULLET.match(text) and items:
            items[-1][1].append([])
        count = text.count("\n") + 1
        kept += [""] * count if option else content[start : start + count]
    lines: list[Line] = []
    for label, rows in items:
        for row, options in enumerate(rows):
            after = [value for name, value in options if name == "after"]
            wrong = tuple(wrong_of(value) for name, value in options if name == "wrong")
            needs = numbers(after, len(lines) + 1)
            lines.append(Line(label, row if len(rows) > 1 else None, len(rows), needs, wrong))
    return kept, lines


def blocks(content: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The items and bullets with the lines that continue them, and where each begins; no formula begins one."""
    starts, dollars = [0], 0
    for n, text in enumerate(content):
        if n and dollars % 2 == 0 and (ITEM.match(text) or BULLET.match(text)):
            starts.append(n)
        dollars += text.count("$")
    for start, end in zip(starts, [*starts[1:], len(content)], strict=True):
        yield start, "\n".join(content[start:end])


def wrong_of(text: str) -> Wrong:
    """What ``wrong:`` says."""
    found = WRONG.fullmatch(text)
    if not found:
        raise ValueError(f"not '$...$ for $...$ because ...': {text!r}")
    return Wrong(found[1].strip(), (found[2] or "").strip(), found[3])


def numbers(after: list[str], own: int) -> tuple[int, ...]:
    """The lines that line ``own`` uses."""
    if not after:
        return (own - 1,) if own > 1 else ()
    if len(after) > 1 or not re.fullmatch(r"none|\d+(, ?\d+)*", after[0]):
        raise ValueError(f"line {own} says after: {'; '.join(after)!r} and not 'none' or numbers of lines")
    found = tuple(int(number) for number in re.findall(r"\d+", after[0]))
    if any(not 0 < number < own for number in found):
        raise ValueError(f"line {own} cannot stand after {after[0]}: only lines above it have been derived")
    return found


def difference(right: str, wrong: str) -> tuple[str, str]:
    r"""The least part in which two formulas differ, as it stands in the wrong and in the right one.

    Examples
    --------
    >>> difference(r"a = \frac{b}{2c} d", r"a = \frac{b}{c} d")
    ('c', '2c')
    >>> difference(r"\mathbf{x} + b", r"\mathbf{y} + b")
    ('\\mathbf{y}', '\\mathbf{x}')
    >>> difference(r"-2\sum_n x", r"2\sum_n x")
    ('2', '-2')
    """
    right, wrong = squeezed(right), squeezed(wrong)
    cuts = [{0, *(found.start() for found in PIECE.finditer(tex)), len(tex)} for tex in (right, wrong)]
    short = min(len(right), len(wrong))
    heads = [n for n in range(short + 1) if right[:n] == wrong[:n] and all(n in cut for cut in cuts)]
    for head in reversed(heads):
        for tail in range(short - head, -1, -1):
            ends = len(right) - tail, len(wrong) - tail
            rest = right[ends[0] :]
            same = rest == wrong[ends[1] :] and ends[0] in cuts[0] and ends[1] in cuts[1]
            same = same and rest.lstrip()[:1] not in SCRIPTS
            middles = wrong[head : ends[1]].strip(), right[head : ends[0]].strip()
            groups = any(part.startswith("{") for part in middles)  # they belong to what stands before them
            if same and not groups and all(map(whole, middles)) and not LETTERS.search(right[:head].rstrip("{")):
                return middles
    return wrong, right


def whole(tex: str) -> bool:
    """Whether a part of a formula holds something, and closes all that it opens."""
    level = 0
    for piece in PIECE.findall(tex):
        level += 1 if piece.startswith(r"\begin{") else -1 if piece.startswith(r"\end{") else STEPS.get(piece, 0)
        if level < 0:
            return False
    return level == 0 and bool(tex.strip())

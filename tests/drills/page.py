r"""One printed text of a drill, read until nothing with a number in it is left unchecked.

A test tells a page what its symbols mean (worked out from ``given``, without the library), what its sentences say and
what its tables hold; :meth:`Page.done` then evaluates the formulas and fails if a number is left over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from notes_lib.drills import Drill
from tests.drills.arithmetic import (
    EXACT,
    Rounding,
    Unreadable,
    Value,
    chains,
    evaluate,
    has_number,
    matrix,
    name,
    split,
    tokens,
)

MATHS = re.compile(r"\$\$(.*?)\$\$|\$(.*?)\$", re.S)
TABLE = re.compile(r"(?:^\|.*\|$\n?)+", re.M)
LIST_NUMBER = re.compile(r"^\d+\. ", re.M)
OPERATORS = {"+", "/", r"\cdot", r"\times", r"\sum"}
MARKS = re.compile(r"\(\d+(?:\.\d+)? marks?\b")


class At(NamedTuple):
    """A value that a formula has where its free symbols are worth these numbers."""

    symbols: Mapping[str, Any]
    value: Any


class Page:
    """A text, what its symbols mean, how it rounds, and which of its characters have been checked."""

    def __init__(self, text: str, symbols: Mapping[str, Any] | None = None, rounding: Rounding = EXACT) -> None:
        self.text, self.rounding = text.replace("$ $", "   "), rounding
        self.symbols = {name(key): value for key, value in (symbols or {}).items()}
        self.checked = np.zeros(len(self.text), dtype=bool)
        for pattern in (LIST_NUMBER, re.compile(r"^Marks: .*$", re.M)):
            for found in pattern.finditer(self.text):
                self.checked[found.start() : found.end()] = True
        for found in MARKS.finditer(self.text):
            self.checked[found.start() : closing(self.text, found.start())] = True

    def evaluate(self, formula: str, more: Mapping[str, Any] | None = None) -> Value:
        symbols = self.symbols | {name(key): value for key, value in (more or {}).items()}
        return evaluate(formula.replace("$", ""), symbols, self.rounding)

    def compare(self, printed: str, value: Any, where: str) -> None:
        """Fail unless a printed formula, or each side of a printed chain, is worth ``value``."""
        if isinstance(value, str):
            assert printed == value, f"{where} prints {printed!r} where {value!r} should stand"
            return
        more, value = value if isinstance(value, At) else ({}, value)
        for _, side in split(printed.replace("$", "").replace(r"\\ & \quad", " "), ("=", r"\approx")):
            try:
                found = self.evaluate(side, more)
            except Unreadable as error:
                raise AssertionError(f"{where} prints {printed!r}, which cannot be read: {error}") from error
            told = f"{where} prints {printed!r} where {np.ravel(value).tolist()} should stand"
            assert found.agrees(Value(matrix(value))), told

    def says(self, template: str, *values: Any) -> None:
        """The next place that reads like the template; each ``#`` stands for a formula (or text) of the value given."""
        pattern = _pattern(template, values)
        found = next((m for m in pattern.finditer(self.text) if not self.checked[m.start() : m.end()].all()), None)
        assert found is not None, f"nothing says {template!r}"
        for printed, value in zip(found.groups(), values, strict=True):
            self.compare(printed, value, repr(template))
        self.checked[found.start() : found.end()] = True

    def table(self, *rows: list[Any]) -> None:
        """The next table; a cell is a value, text, None for an empty one, or a template with its values."""
        found = next((m for m in TABLE.finditer(self.text) if not self.checked[m.start() : m.end()].all()), None)
        assert found is not None, "a table is missing"
        header, _, *lines = (_cells(line) for line in found[0].strip().split("\n"))
        assert len(lines) == len(rows), f"{len(lines)} rows under {header} where {len(rows)} should stand"
        for cells, expected in zip(lines, rows, strict=True):
            for title, cell, value in zip(header, cells, expected, strict=True):
                self._cell(f"the table's column {title}", cell, value)
        self.checked[found.start() : found.end()] = True

    def _cell(self, where: str, cell: str, value: Any) -> None:
        if value is None or isinstance(value, str):
            assert cell == (value or ""), f"{where} holds {cell!r} where {value!r} should stand"
        elif isinstance(value, tuple) and not isinstance(value, At):
            template, *values = value
            found = _pattern(template, values).fullmatch(cell)
            assert found is not None, f"{where} holds {cell!r} where {template!r} should stand"
            for printed, expected in zip(found.groups(), values, strict=True):
                self.compare(printed, expected, where)
        else:
            self.compare(cell, value, where)

    def done(self) -> None:
        """Evaluate every formula that no sentence or table has checked; fail if a number or a relation is left over."""
        stated = []
        for found in MATHS.finditer(self.text):
            place = slice(found.start(), found.end())
            if self.checked[place].all():
                continue
            if self._holds(found[1] or found[2]):
                self.checked[place] = True
            elif not has_number(found[0]) and not self.checked[place].any():
                stated.append(found[0])
        assert not stated, f"relations that nothing checks: {stated}"
        left = "".join("\n" if done else c for c, done in zip(self.text, self.checked, strict=True))
        parts = [part for part in re.split(r"\n+", left) if _number_in_text(part)]
        assert not parts, f"numbers that nothing checks: {parts}"

    def _holds(self, formula: str) -> bool:
        """Whether each side is compared with another one; fail if a relation is wrong."""
        formula = formula.strip().rstrip(".,;: ")
        pieces = [p for _, p in split(formula, (",", ";", r"\qquad")) if says_something(p)]
        in_chains = chains(formula)
        saying = [chain for chain in in_chains if any(says_something(side) for _, side in chain)]
        held = [self._chain_holds(chain) for chain in in_chains]
        return all(held) and len(pieces) == len(saying) and r"\leftarrow" not in formula

    def _chain_holds(self, chain: list[tuple[str, str]]) -> bool:
        sides: list[tuple[str, str, Value | None]] = []
        for relation, side in chain:
            try:
                sides.append((relation, side, self.evaluate(side)))
            except Unreadable:
                sides.append((relation, side, None))
        compared = set()
        for i, (_, left, a) in enumerate(sides):
            for j in range(i + 1, len(sides)):
                relations = {r for r, *_ in sides[i + 1 : j + 1]}
                b = sides[j][2]
                if a is None or b is None or len(relations - {"="}) > 1:
                    continue
                relation = next(iter(relations - {"="}), "=")
                assert a.agrees(b, relation), f"{left} {relation} {sides[j][1]} does not hold"
                compared |= {i, j}
        return len(compared) == len(sides)


def _pattern(template: str, values: Sequence[Any]) -> re.Pattern[str]:
    """The template with a group for each value: text, or a formula inside one pair of dollar signs."""
    first, *rest = (re.escape(part) for part in template.split("#"))
    assert len(rest) == len(values), f"{template!r} has {len(rest)} places for {len(values)} values"
    groups = ("(.+?)" if isinstance(value, str) else r"([^$\n]+?)" for value in values)
    return re.compile(first + "".join(group + part for group, part in zip(groups, rest, strict=True)))


def _cells(line: str) -> list[str]:
    r"""Cells of a row; ``\|`` does not occur, and a bar inside dollar signs belongs to a formula."""
    cells, inside = [""], False
    for c in line.strip()[1:-1]:
        inside ^= c == "$"
        if c == "|" and not inside:
            cells.append("")
        else:
            cells[-1] += c
    return [cell.strip() for cell in cells]


def says_something(formula: str) -> bool:
    """Whether a formula holds a number or computes one, so that it may be wrong."""
    return has_number(formula) or not OPERATORS.isdisjoint(tokens(formula))


def closing(text: str, start: int) -> int:
    """Where the bracket that opens at ``start`` has closed."""
    depth = 0
    for i in range(start, len(text)):  # pragma: no branch
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i + 1
    return len(text)


def _number_in_text(text: str) -> bool:
    return has_number(re.sub(r"0-1 (rule|loss)", "", text))


def pages(drill: Drill, symbols: Mapping[str, Any] | None = None, rounding: Rounding = EXACT) -> tuple[Page, Page]:
    """Statement and solution of a drill."""
    return Page(drill.statement, symbols, rounding), Page(drill.solution, symbols, rounding)

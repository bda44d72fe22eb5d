r"""The printed arithmetic of the book's pages, read by the reader that reads the drills.

A page is read in pieces: an exercise with its solution, a card, a section. A symbol means what its piece says, and a
relation with symbols that nobody gives a value must hold at every point that is tried: then it is an identity.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from scipy.special import ndtr

from tests.drills.arithmetic import (
    Link,
    Number,
    Reader,
    Rounding,
    Unknown,
    Unreadable,
    Value,
    evaluate,
    formulas,
    has_number,
    is_name,
    name,
)


@dataclass(frozen=True)
class Printed(Rounding):
    """How the pages round: to the printed places, but no result to a single digit."""

    def number(self, token: str) -> Number:
        number = super().number(token)
        return number._replace(half=0.0) if len(token.replace(".", "").lstrip("0")) == 1 else number


BOOK = Printed(significant=None, carried=True, exact=2)
PIECE = re.compile(r"\n(?=#+ |:::+\{(?:admonition|exercise|exercise-start|dropdown)\})")
POINTS, RANGES = 3, ((0.1, 0.9), (1.5, 6.0))  # at which an identity is tried
TRIED, LATER = 40, 3  # combinations of values of the symbols, and values of each
APART = "to|longrightarrow|leftarrow|uparrow|downarrow|iff|Leftrightarrow|quad"  # commands that end a chain
ALWAYS: dict[str, Any] = {name(r"\pi"): math.pi}
ALWAYS |= {name(r"\mathbf{1}"): 1.0, name(r"\mathbf{0}"): 0.0, name(r"\mathbf{I}"): 1.0}  # in one dimension


def entropy(p: float) -> float:
    """Binary entropy in bits."""
    return -sum(q * math.log2(q) for q in (p, 1 - p) if q)


PERCENT = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\$ %")  # behind a formula
FUNCTIONS = {
    r"\Phi": lambda x: float(ndtr(x)),
    "h_2": entropy,
    r"\sigma": lambda x: 1 / (1 + math.exp(-x)),
    r"\Gamma": math.gamma,
}
CALL = re.compile(rf"({'|'.join(map(re.escape, FUNCTIONS))})(?=\()")


class Sum(NamedTuple):
    """A relation on a page: whether it holds, and where it does not or cannot be read, why."""

    left: str
    relation: str
    right: str
    holds: bool | None
    why: str = ""

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


def plain(formula: str) -> str:
    r"""A formula without what only lays it out: alignment, units, digits in groups; percent are hundredths."""
    formula = re.sub(r"\\(begin|end)\{(aligned|align\*?|split|gathered)\}", " ", formula)
    inside = re.split(r"(\\begin\{(?:pmatrix|cases|array)\}.*?\\end\{\w+\})", formula, flags=re.S)
    inside[::2] = map(one_line, inside[::2])
    formula = "".join(inside)
    formula = re.sub(rf"\\(?:{APART})(?![a-zA-Z])", r"\\qquad", formula)
    formula = re.sub(r"(?<=\d)\{,\}(?=\d)|\\text\{ ?(?:bits|nats)\}|\\(?:text|display)style", "", formula)
    formula = re.sub(r"\{([=<>])\}", r"\1", formula)
    return re.sub(r"(\d+(?:\.\d+)?)(?:\\,|\\ |\s)*\\%", lambda m: hundredth(m[1]), formula)


def one_line(text: str) -> str:
    r"""Aligned lines one after the other: a line that begins with ``&`` goes on with the chain before it."""
    text = re.sub(r"\\\\(?:\[[\w.]+\])?(\s*&)?", lambda m: " " if m[1] else r" \qquad ", text)
    return re.sub(r"\\ |&", " ", text)


def hundredth(number: str) -> str:
    """A number divided by 100, with all its digits."""
    return f"{float(number) / 100:.{len(number.partition('.')[2]) + 2}f}"


def branches(formula: str) -> list[str]:
    r"""A formula with ``\pm`` as two, where an interval such as [1, 2] means its lower and its upper end."""
    if r"\pm" not in formula:
        return [formula]
    ends = r"\[([^][,]*),([^][]*)\]"
    return [re.sub(ends, rf"\{i}", formula.replace(r"\pm", sign)) for i, sign in ((1, "-"), (2, "+"))]


class Page(Reader):
    """A reader of one piece of a page, which remembers every value that a symbol was given, in order."""

    def __init__(self) -> None:
        super().__init__(rounding=BOOK)
        self.learnt: list[tuple[str, Any]] = []

    def _learn(self, key: str, values: list[Value]) -> None:
        super()._learn(key, values)
        if values:
            self.learnt.append((key, self.known[key]))

    def call(self, text: str) -> None:
        """Learn what known functions are worth at the numbers that a formula puts in."""
        if found := calls(text, self.known):
            self.told.update(found)
            self.known.update(found)
            self.worth = {}

    def names(self, side: str) -> bool:
        """Whether a side is a name to which the other side gives a value."""
        return is_name(side) and name(side) not in self.told


def calls(text: str, symbols: Mapping[str, Any]) -> dict[str, Number]:
    """What known functions are worth at the arguments that a formula puts in, under the name of the whole call."""
    found = {}
    for m in CALL.finditer(text):
        argument = balanced(text, m.end())
        with suppress(Unreadable):
            at = evaluate(argument, symbols, BOOK)
            value = worth(m[0], at.value)
            found[name(m[0] + argument)] = Number(value, abs(worth(m[0], at.value + at.half) - value), decimal=True)
    return found


def worth(function: str, at: Any) -> float:
    """Value of a known function; not a number, which agrees with nothing, where it has none."""
    try:
        return FUNCTIONS[function](float(at))
    except (TypeError, ValueError, OverflowError):
        return math.nan


def balanced(text: str, start: int) -> str:
    """The bracket that opens at a place, up to where it closes."""
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if not depth:
            return text[start : end + 1]
    return ""


def pieces(text: str) -> list[str]:
    """The pieces of a page in which a symbol keeps its meaning."""
    return PIECE.split(PERCENT.sub(lambda m: hundredth(m[1]) + "$", text))


def sums(text: str) -> Iterator[Sum]:
    """Every relation of a page with numbers on both sides, or that does not hold."""
    for piece in pieces(text):
        page, found = Page(), []
        for formula in formulas(piece):
            for branch in branches(plain(formula)):
                page.call(branch)
                links = [link for link in page.links(branch) if counts(link, page)]
                found += [(link, dict(page.known), len(page.learnt)) for link in links]
        for link, known, at in found:
            yield judged(link, page.told, known, page.learnt[at:])


def counts(link: Link, page: Page) -> bool:
    """Whether a link states arithmetic: not the value of a name, nor a condition such as C > 0."""
    lone = page.names(link.left) or page.names(link.right)
    if link.holds is None:
        return has_number(link.left) and has_number(link.right) and not lone
    return link.holds or not (page.names(link.left) or (lone and link.relation != "="))


def judged(link: Link, told: Mapping[str, Any], known: Mapping[str, Any], learnt: list[tuple[str, Any]]) -> Sum:
    """A link, with a second look at what was not read or did not hold: free symbols, or values that come behind it."""
    left, relation, right, holds = link
    if holds:
        return Sum(*link)
    try:
        symbols = {base for side in (left, right) for base in bases(side, told)}
        if not symbols:
            a, b = (evaluate(side, {**ALWAYS, **known}, BOOK) for side in (left, right))
            return Sum(left, relation, right, a.agrees(b, relation), "it does not hold")
        if identity(left, relation, right, symbols) or later(left, relation, right, known, learnt):
            return Sum(left, relation, right, True)
        return Sum(left, relation, right, None, "an equation for " + ", ".join(sorted(symbols)))
    except Unreadable as error:
        return Sum(left, relation, right, None, str(error))


def bases(side: str, symbols: Mapping[str, Any]) -> set[str]:
    """The symbols of a side that have no meaning."""
    found: dict[str, Any] = {}
    while True:
        try:
            evaluate(side, {**ALWAYS, **symbols, **found}, BOOK)
            return set(found)
        except Unknown as unknown:
            if unknown.base in found:
                raise
            found[unknown.base] = 0.37 + 0.1 * len(found)


def identity(left: str, relation: str, right: str, symbols: set[str]) -> bool:
    """Whether a relation holds at every point of a range, with and without the meaning of known functions."""
    return any(
        on_range(left, relation, right, symbols, span, known)
        for span in RANGES
        for known in (True, False)
        if not known or CALL.search(left + right)
    )


def on_range(left: str, relation: str, right: str, symbols: set[str], span: tuple[float, float], known: bool) -> bool:
    """Whether a relation holds at every point that is tried."""
    draw = random.Random(0)
    for _ in range(POINTS):
        point = ALWAYS | {symbol: draw.uniform(*span) for symbol in sorted(symbols)}
        point |= calls(left + " = " + right, point) if known else {}
        try:
            a, b = (evaluate(side, point, BOOK) for side in (left, right))
        except Unreadable:
            return False
        if not a.agrees(b, relation):
            return False
    return True


def later(left: str, relation: str, right: str, known: Mapping[str, Any], learnt: list[tuple[str, Any]]) -> bool:
    """Whether a relation holds for what its symbols mean here or further down, where an equation is solved."""
    text = name(f"{left} = {right}")
    keys = sorted({key for key, _ in learnt if key in text})
    choices = [[*([known[key]] if key in known else []), *(v for k, v in learnt if k == key)][:LATER] for key in keys]
    for values in itertools.islice(itertools.product(*choices), TRIED):
        symbols = {**ALWAYS, **known, **dict(zip(keys, values, strict=True))}
        try:
            a, b = (evaluate(side, symbols, BOOK) for side in (left, right))
        except Unreadable:
            return False
        if a.agrees(b, relation):
            return True
    return False

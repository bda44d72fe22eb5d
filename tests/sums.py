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

BOOK = Rounding(significant=None, carried=True, exact=2)
PIECE = re.compile(r"\n(?=#+ |:::+\{(?:admonition|exercise|exercise-start|dropdown)\})")
POINTS, RANGES = 3, ((0.1, 0.9), (1.5, 6.0))  # at which an identity is tried
TRIED, LATER = 40, 3  # combinations of values of the symbols, and values of each
APART = "to|longrightarrow|uparrow|downarrow|leftarrow|iff|Leftrightarrow|quad|text{ and }|text{ or }"  # end a chain
ALWAYS: dict[str, Any] = {name(r"\pi"): math.pi, name(r"\mathbf{1}"): 1.0, name(r"\mathbf{0}"): 0.0}
ALWAYS |= {name(r"\mathbf{I}"): 1.0, name(r"\mathbf 1"): 1.0, name(r"\mathbf 0"): 0.0}


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
    formula = re.sub(
        r"\\(?:to|longrightarrow|uparrow|downarrow|iff|Leftrightarrow|quad)(?![a-zA-Z])", r"\\qquad", formula
    )
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
    """A reader of one piece of a page, which remembers every value that a symbol was given."""

    def __init__(self) -> None:
        super().__init__(rounding=BOOK)
        self.given: dict[str, list[Any]] = {}

    def _learn(self, key: str, values: list[Value]) -> None:
        super()._learn(key, values)
        if values and not any(value is self.known[key] for value in self.given.get(key, [])):
            self.given.setdefault(key, []).append(self.known[key])

    def call(self, text: str) -> None:
        """Learn what known functions are worth at the numbers that a formula puts in."""
        found = {key: value for key, value in calls(text, self.known).items() if key not in self.told}
        if found:
            self.told.update(found)
            self.known.update(found)
            self.worth = {}


def calls(text: str, symbols: Mapping[str, Any]) -> dict[str, Number]:
    """What known functions are worth at the arguments that a formula puts in, under the name of the whole call."""
    found = {}
    for m in CALL.finditer(text):
        argument = balanced(text, m.end())
        with suppress(Unreadable, TypeError, ValueError, OverflowError):
            at, function = evaluate(argument, symbols, BOOK), FUNCTIONS[m[0]]
            value = function(float(at.value))
            found[name(m[0] + argument)] = Number(value, abs(function(float(at.value + at.half)) - value), decimal=True)
    return found


def balanced(text: str, start: int) -> str:
    """The bracket that opens at a place, up to where it closes."""
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if not depth:
            return text[start : end + 1]
    return ""


def sums(text: str) -> Iterator[Sum]:
    """Every relation of a page with numbers on both sides, or that does not hold."""
    for piece in PIECE.split(PERCENT.sub(lambda m: hundredth(m[1]) + "$", text)):
        page, found = Page(), []
        for formula in formulas(piece):
            for branch in branches(plain(formula)):
                page.call(branch)
                found += [(link, dict(page.known)) for link in page.links(branch)]
        for link, known in found:
            if counts(link):
                yield judged(link, page, known)


def counts(link: Link) -> bool:
    """Whether a link states arithmetic: not the value of a name, nor a condition such as C > 0."""
    lone = is_name(link.left) or is_name(link.right)
    if link.holds is None:
        return has_number(link.left) and has_number(link.right) and not lone
    return link.holds or not (is_name(link.left) or (lone and link.relation != "="))


def judged(link: Link, page: Page, known: Mapping[str, Any]) -> Sum:
    """A link, with a second look at what was not read or did not hold: later values of its symbols, or free ones."""
    left, relation, right, holds = link
    if holds:
        return Sum(*link)
    try:
        symbols = {base for side in (left, right) for base in bases(side, page.told)}
        if not symbols:
            worth = [evaluate(side, {**ALWAYS, **known}, BOOK) for side in (left, right)]
            return Sum(left, relation, right, worth[0].agrees(worth[1], relation), "it does not hold")
        if identity(left, relation, right, symbols) or later(left, relation, right, page, known):
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
            found[unknown.base] = 0.37


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


def later(left: str, relation: str, right: str, page: Page, known: Mapping[str, Any]) -> bool:
    """Whether a relation holds for values that its symbols have somewhere in the piece."""
    unknown = sorted({key for key in page.given if key in name(f"{left} = {right}")})
    choices = [page.given[key][:LATER] for key in unknown]
    for values in itertools.islice(itertools.product(*choices), TRIED):
        symbols = {**ALWAYS, **known, **dict(zip(unknown, values, strict=True))}
        try:
            a, b = (evaluate(side, symbols, BOOK) for side in (left, right))
        except Unreadable:
            return False
        if a.agrees(b, relation):
            return True
    return False

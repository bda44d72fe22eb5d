r"""Execute an exercise: every number in its task and solution is accounted for.

A relation is executed with the values of its symbols, rounded as the page rounds. What stands alone (``(1, 3)`` among
the data, an expression, a number in a sentence, the side of an inequality) is compared with the next of the ledger's
``numbers``. A number of three or more digits has to be the value of a symbol, one of ``numbers`` or one of ``known``.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from notes_lib.drills.fields import flat
from tests.drills.arithmetic import Unreadable
from tests.formulas.execute import MISFITS, choices
from tests.formulas.reader import Names, Notes, Parser
from tests.formulas.tokens import ARROWS, LOGIC, Tokens, outside, tokens
from tests.solutions.reading import Item, items, says_a_number
from tests.sums import BOOK

LIMIT, EXACT = 1e-4, 1e-7
SAME = {"=", "approx", "to", r"\propto"}  # relations that make both sides one value
BOUNDS = {r"\le", r"\ge", "<", ">"}
PRECISE = 3  # digits from which on a number must be known


@dataclass(frozen=True)
class Worked:
    """A ledger: the values of symbols, what stands alone, numbers that are carried on, and what is not executed.

    ``worlds`` are other values of some symbols, such as those of a point that is tried and dropped: a relation has to
    hold in one of them or with ``symbols`` alone. ``own`` are the values of symbols in single statements, in which
    nothing else counts. ``unread`` gives a reason for each statement that is not executed.
    """

    symbols: Mapping[str, Any] = field(default_factory=dict)
    worlds: Sequence[Mapping[str, Any]] = ()
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    numbers: Sequence[Any] = ()
    known: Sequence[Any] = ()
    unread: Mapping[str, str] = field(default_factory=dict)


class Worth(NamedTuple):
    """The value of a side for each choice of its indices, how far rounding may move it, and whether it is printed.

    What is printed and tiny, such as ``10^{-76}``, is compared by its own size; anything else tiny may be noise.
    """

    value: np.ndarray
    half: np.ndarray
    printed: bool = False

    @property
    def floor(self) -> np.ndarray:
        """What a relative error is relative to, at least."""
        return np.where(self.printed & (self.value != 0), np.minimum(0.1, 1e3 * np.abs(self.value)), 0.1)

    def agrees(self, other: Worth, relation: str, rough: float) -> bool:
        """Whether a relation holds."""
        a, b = self.value, other.value
        if relation == r"\in":
            return bool(np.isclose(a[:, None], b).any(axis=1).all())
        if a.shape != b.shape and (relation not in BOUNDS or 1 not in (a.size, b.size)):  # a number bounds all entries
            return False
        if relation == r"\propto":
            a, b = a / a.sum(), b / b.sum()
        slack = (
            self.half + other.half + rough * (np.minimum(self.floor, other.floor) + np.maximum(np.abs(a), np.abs(b)))
        )
        near = (np.abs(a - b) <= slack) & np.isfinite(a) & np.isfinite(b)
        tests = {r"\le": near | (a < b), r"\ge": near | (a > b), "<": a < b, ">": a > b, r"\ne": np.array(~near.all())}
        return bool(tests.get(relation, near).all())


def faults(text: str, ledger: Worked) -> list[str]:
    """What is wrong in a piece of a page; nothing, where every number is accounted for."""
    found: list[str] = []
    waiting = floats(ledger.numbers)
    pool = floats([ledger.numbers, ledger.known, *(v for world in ({}, *ledger.worlds) for v in values(ledger, world))])
    for item in items(text):
        if plain(item.text) in map(plain, ledger.unread):
            continue
        try:
            alone = account(item, ledger, pool, found)
        except (Unreadable, *MISFITS) as error:
            if says_a_number(item.statement):
                found.append(f"{item.text}: {error}")
            continue
        for choice in alone:
            size = len(choice[0].value)
            due, waiting = np.array(waiting[:size]), waiting[size:]
            if not any(worth.agrees(Worth(due, 0 * due), "=", EXACT) for worth in choice):
                found.append(f"{item.text}: {choice[0].value} stands there, {due} is due")
    found += [f"{len(waiting)} numbers are left: {waiting}"] if waiting else []
    here = {plain(item.text) for item in items(text)}
    return found + [f"not there any more: {one}" for one in {*ledger.unread, *ledger.own} if plain(one) not in here]


def plain(text: str) -> str:
    """One spelling of a formula."""
    return " ".join(tokens(text))


def account(item: Item, ledger: Worked, pool: list[float], found: list[str]) -> list[list[Worth]]:
    """What is alone in an item, each with the values that it may have; what does not hold goes to ``found``."""
    ts = item.statement
    if not ts:
        half = 0.5 * 10.0 ** -len(item.text.partition(".")[2]) * ("." in item.text)
        return [[Worth(np.array([item.number]), np.array([half]))]]
    found += [f"{item.text}: {t} is no known value" for t in ts if is_precise(t) and not is_near(t, pool)]
    readings = [*attempts(ts, ledger)]
    true = [reading for reading in readings if reading.holds()]
    if not true and says_a_number(ts):  # without a number it may be a condition
        found.append(f"{item.text}: {readings[0]} does not hold")
    return [list(worths) for worths in zip(*(reading.alone() for reading in true or readings), strict=True)]


def attempts(ts: Tokens, ledger: Worked) -> Iterator[Reading]:
    """A statement in each world in which it can be read; where none is, the first error."""
    found, errors = 0, []
    own = next((world for text, world in ledger.own.items() if plain(text) == plain(" ".join(ts))), None)
    for world in ({}, *ledger.worlds) if own is None else (own,):
        names = Names({**ledger.symbols, **world})
        for one in (ts, one_sign(ts, "-"), one_sign(ts, "+")) if r"\pm" in ts else (ts,):
            try:
                yield read(one, names)
                found += 1
            except (Unreadable, *MISFITS) as error:
                errors.append(error)
    if not found:
        raise errors[0]


class Reading(NamedTuple):
    """The sides of a statement with their values, and the relations between them."""

    sides: list[Tokens]
    worths: list[Worth]
    relations: list[str]
    rough: float
    names: Names

    def holds(self) -> bool:
        """Whether every relation does."""
        return all(
            a.agrees(b, relation, LIMIT if relation == "to" else max(self.rough, EXACT))
            for a, relation, b in zip(self.worths, self.relations, self.worths[1:], strict=False)
        )

    def alone(self) -> Iterator[Worth]:
        """The values of the sides with a digit that no other side is equal to."""
        same = [False, *(relation in SAME for relation in self.relations), False]
        for k, side in enumerate(self.sides):
            if says_a_number(side) and not (same[k] or same[k + 1]):
                notes = Notes()
                Parser(one_sign(side, "+"), self.names, notes).whole("expression")
                yield worth(side, self.names, list(choices(self.names, notes.free)))

    def __str__(self) -> str:
        shown = itertools.zip_longest([worth.value for worth in self.worths], self.relations, fillvalue="")
        return " ".join(f"{value} {relation}" for value, relation in shown).strip()


def read(ts: Tokens, names: Names) -> Reading:
    """The sides of a statement, for each choice of its indices."""
    if r"\leftarrow" in ts:  # the arrow belongs to the name of the value after the step
        at = ts.index(r"\leftarrow") + 1
        ts = (*ts[:at], "=", *ts[at:])
    if ts[0] in (r"\min", r"\max") and ts[1] not in "_(":  # a problem is its objective
        ts = ts[1:]
    signs = {**LOGIC, **dict.fromkeys(ARROWS, "to"), r"\approx": "approx"}
    places = [-1, *(at for at, t in outside(ts) if t in signs), len(ts)]
    sides = [tuple(ts[a + 1 : b]) for a, b in itertools.pairwise(places)]
    relations = [signs[ts[at]] for at in places[1:-1]]
    sides, relations = (sides, relations) if sides[0] else (sides[1:], relations[1:])
    notes = Notes()
    for side in sides:
        Parser(one_sign(side, "+"), names, notes).whole("expression")
    scopes = list(choices(names, notes.free))
    return Reading(sides, [worth(side, names, scopes) for side in sides], relations, notes.tolerance, names)


def one_sign(ts: Tokens, sign: str) -> Tokens:
    r"""A formula with one of the signs of ``\pm``."""
    return tuple(sign if t == r"\pm" else t for t in ts)


def worth(side: Tokens, names: Names, scopes: list[Any]) -> Worth:
    """The value of a side; where it rounds, also what the numbers that print alike would give."""

    def of(ts: Tokens) -> np.ndarray:
        signed = [one_sign(ts, sign) for sign in "-+"] if r"\pm" in ts else [ts]
        nodes = [Parser(one, names, Notes()).whole("expression") for one in signed]
        return np.concatenate([np.ravel(as_array(node(scope))) for scope in scopes for node in nodes])

    value = of(side)
    half, lone = np.zeros_like(value), is_printed(side)
    for at, t in enumerate(side):
        number = BOOK.number(t) if re.fullmatch(r"\d+\.\d+", t) else None
        if number and (number.decimal or lone) and number.half:
            half += np.abs(of((*side[:at], f"{number.value + number.half:.12f}", *side[at + 1 :])) - value)
    return Worth(value, half, is_printed(side))


def as_array(value: Any) -> Any:
    """A set as its members in order; numbers and matrices as they are."""
    return sorted(value) if isinstance(value, frozenset) else np.asarray(value, dtype=float)


def is_printed(ts: Tokens) -> bool:
    """Whether numbers only stand there."""
    return all(t in "-(){},^" or t in (r"\top", r"\cdot") or t[0].isdigit() for t in ts)


def is_precise(token: str) -> bool:
    """Whether a token is a number of so many digits that it must be known."""
    return bool(re.fullmatch(r"\d+(\.\d+)?", token)) and len(token.replace(".", "").lstrip("0")) >= PRECISE


def is_near(token: str, pool: Sequence[float]) -> bool:
    """Whether some value rounds to a decimal."""
    half = 0.5001 * 10.0 ** -len(token.partition(".")[2])
    return any(abs(abs(v) - float(token)) <= half for v in pool)


def values(ledger: Worked, world: Mapping[str, Any]) -> Iterator[Any]:
    """The values of symbols that are numbers."""
    for v in {**ledger.symbols, **world}.values():
        with suppress(TypeError, ValueError):  # a function, a set or a range of indices is none
            yield floats(v)


def floats(nested: Any) -> list[float]:
    """All numbers of nested lists and arrays, in their order."""
    return [float(number) for number in flat(nested)]

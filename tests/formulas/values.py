r"""What the symbols of a formula are worth, and the operations between such values.

A value is a float, a matrix (a vector is a column), a set of indices, or a function. A symbol is known by its LaTeX,
with ``#`` where an index stands: ``\mathbf{x}_#``, ``w_#^{(#)}``, ``P(#\mid\mathbf{x})``. Indices count from 1, as on
the page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.stats import kstest

from tests.drills.arithmetic import Unreadable, matrix
from tests.formulas.tokens import Tokens, tokens

EXACT, ROUGH = 1e-9, 1e-5  # of a value, and of a difference quotient


class At:
    """A function; where it stands without an argument it is meant at what the symbols or indices ``of`` are worth.

    So ``J`` is ``At(objective, r"\\mathbf{w}")``, and the scores ``z_#``, which move with the weights, are
    ``At(lambda w: X @ w, r"\\mathbf{w}")``. A condition in words is ``At(lambda n: wrong[n - 1], "n")``.
    """

    def __init__(self, function: Callable[..., Any], *of: str) -> None:
        self.function, self.of = function, of

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    def __add__(self, other: At) -> At:
        return At(lambda *a: self(*a) + other(*a))

    def __rmul__(self, factor: float) -> At:
        return At(lambda *a: factor * self(*a))


@dataclass(frozen=True)
class Interval:
    """The numbers between two others."""

    low: float
    high: float
    closed: tuple[bool, bool]

    def __contains__(self, x: float) -> bool:
        slack = EXACT * max(1.0, abs(x))
        above = x >= self.low - slack if self.closed[0] else x > self.low
        return above and (x <= self.high + slack if self.closed[1] else x < self.high)


@dataclass(frozen=True)
class Law:
    """A distribution, and draws of what is said to have it."""

    distribution: Any  # of scipy.stats
    draws: Any

    def fits(self) -> bool:
        """Whether the test of Kolmogorov and Smirnov finds no difference."""
        return bool(kstest(self.draws, self.distribution.cdf).pvalue > 0.01)


@dataclass
class Instance:
    r"""What the symbols of a chapter are worth on one draw.

    ``own`` holds other values in single formulas, by label; the key of a formula of a card is its label and number,
    ``svm-must-know-margin:3``, and the label alone stands for all of the card. A ``range`` makes an index of a letter.
    A name that ends in an arrow, ``\mathbf{w}\leftarrow``, is worth what stands there after the step.

    ``worth`` is the value of a side: of a formula that is only an expression (two values around a plus-minus), of one
    that begins with a relation because its left side is in words, or ``{k: value}`` of any side, which pins down a
    bound that a looser one would satisfy too. Statement k > 1 of a display has the key ``label/k``. ``given`` is a
    condition under which a formula is meant, or the limit ``B \to \infty``; ``truth`` says where a condition of a
    card is true, so that it is not a claim. ``rivals`` are other values of the variables of an optimisation problem,
    none of which may be better.
    """

    values: dict[str, Any]
    own: dict[str, dict[str, Any]] = field(default_factory=dict)
    worth: dict[str, Any] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)
    truth: dict[str, Any] = field(default_factory=dict)
    rivals: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def of(self, key: str) -> dict[str, Any]:
        """The values of one formula."""
        return {**self.values, **self.own.get(key.partition(":")[0], {}), **self.own.get(key, {})}

    def keys(self) -> set[str]:
        """The formulas that something is said about."""
        return {
            key.partition("/")[0]
            for table in (self.own, self.worth, self.given, self.truth, self.rivals)
            for key in table
        }


@dataclass(frozen=True)
class Scope:
    """The values of the symbols, by their tokens, and of the indices that are bound at the moment."""

    values: Mapping[Tokens, Any]
    indices: Mapping[str, int] = field(default_factory=dict)

    def bind(self, letters: Sequence[str], numbers: Sequence[int]) -> Scope:
        """The same with other indices."""
        return replace(self, indices={**self.indices, **dict(zip(letters, numbers, strict=True))})

    def moved(self, new: Mapping[Tokens, Any]) -> Scope:
        """The same with other values of some symbols."""
        return replace(self, values={**self.values, **new})

    def arguments(self, of: Sequence[Tokens]) -> list[Any]:
        """What these symbols or indices are worth now."""
        return [self.indices[name[0]] if name[0] in self.indices else self.now(name) for name in of]

    def now(self, name: Tokens) -> Any:
        """A symbol's value; of a function that is meant at other symbols, its value there."""
        found = self.values[name]
        return found(*self.arguments(names_of(found))) if isinstance(found, At) and found.of else found


def names_of(function: Any) -> list[Tokens]:
    """The names of what a function is meant at."""
    return [tokens(text) for text in function.of] if isinstance(function, At) else []


def value(raw: Any) -> Any:
    """A float, a matrix, a set or a function."""
    return raw if callable(raw) or isinstance(raw, frozenset | Interval | Law) else matrix(raw)


def entry(raw: Any, at: Sequence[float]) -> Any:
    """What stands under indices: in an array from 1 on, in a dict, or what a function of indices returns."""
    numbers = [round(i) for i in at]
    if callable(raw):
        return raw(*numbers)
    if isinstance(raw, dict):
        return raw[numbers[0] if len(numbers) == 1 else tuple(numbers)]
    if min(numbers) < 1:
        raise IndexError("an index below 1")
    return np.asarray(raw)[tuple(i - 1 for i in numbers)]


def scalar(x: Any) -> float:
    """A number, and an error for anything else."""
    if callable(x) or isinstance(x, frozenset | Interval | Law) or np.ndim(x):
        raise Unreadable("something else where a number should stand")
    return float(x)


def plain(x: Any) -> Any:
    """A column as an array of one dimension, which functions take."""
    return x[:, 0] if np.ndim(x) == 2 and x.shape[1] == 1 else x


def power(a: Any, b: Any) -> Any:
    """A power of a number, or a whole one of a square matrix."""
    b = scalar(b)
    if np.ndim(a):
        if a.shape[0] != a.shape[1] or b != round(b):
            raise Unreadable("a power of a matrix")
        return np.linalg.matrix_power(a, round(b))
    if a < 0 and b != round(b):
        raise Unreadable("a root of a negative number")
    return float(scalar(a) ** b)


def slope(function: Callable[[Any], Any], at: Any, entry: tuple[int, ...] = (), step: float = 1e-5) -> Any:
    """Central difference by a number, by one entry of an array, or by all entries of a vector."""

    def by(change: Callable[[float], Any], x: float) -> Any:
        h = step * max(1.0, abs(x))
        return (value(function(change(x + h))) - value(function(change(x - h)))) / (2 * h)

    if np.ndim(at) == 0:
        return by(lambda x: x, float(at))

    def with_entry(place: tuple[int, ...]) -> Callable[[float], Any]:
        def change(x: float) -> np.ndarray:
            moved = np.array(at, dtype=float)
            moved[place] = x
            return moved

        return change

    if entry:
        return by(with_entry(entry), float(at[entry]))
    return matrix([plain(by(with_entry((k,)), float(x))) for k, x in enumerate(at)])


def agree(a: Any, relation: str, b: Any, tolerance: float = EXACT) -> bool:
    """Whether a relation holds between two values; between matrices, in all entries."""
    if relation == r"\in":
        return scalar(a) in b
    if relation == r"\sim":
        return b.fits()
    if relation == r"\succeq":
        return bool(np.linalg.eigvalsh(a).min() >= scalar(b) - tolerance)
    if relation.startswith(r"\approx"):
        return abs(scalar(a) - scalar(b)) <= float(relation.split()[1])
    if isinstance(a, frozenset) or isinstance(b, frozenset):
        if relation == r"\preceq":  # of pruned trees: the nodes of one are among those of the other
            return bool(a <= b)
        if relation not in ("=", r"\ne"):
            raise Unreadable(f"the relation {relation} between sets")
        return (a == b) is (relation == "=")
    if callable(a) or callable(b):
        raise Unreadable("a relation between functions")
    if np.shape(a) != np.shape(b):
        raise Unreadable(f"a relation of shapes {np.shape(a)} and {np.shape(b)}")
    if relation == r"\ne":  # of vectors: in some entry
        return not agree(a, "=", b, tolerance)
    pairs = [(a, b)] if np.ndim(a) == 0 else list(zip(np.ravel(a), np.ravel(b), strict=True))
    slack = tolerance * (0.1 + max((abs(x) for pair in pairs for x in pair if math.isfinite(x)), default=0.0))
    return all(holds(x, relation, y, slack) for x, y in pairs)


def holds(x: float, relation: str, y: float, slack: float) -> bool:
    """Whether a relation holds between two numbers; an equality, and with it a weak inequality, up to a slack."""
    if relation == r"\iff":
        return (x != 0) == (y != 0)
    near = x == y or abs(x - y) <= slack
    tests = {"=": near, r"\le": near or x < y, r"\ge": near or x > y, "<": x < y, ">": x > y}
    if relation not in tests:
        raise Unreadable(f"the relation {relation}")
    return bool(tests[relation])

"""What a student types in as the answer of a drill: one field for each thing that earns marks.

A field names its place in ``Drill.answer`` (``"means.0"`` is the first entry of ``answer["means"]``), and its value is
looked up there: nothing is typed twice. A page or a prompt shows ``label`` and ``asks`` and gives what was typed to
:func:`notes_lib.drills.judge.judge`, or to its twin ``static/judge.js`` together with ``Field.as_json()``:

=====================  =================================================================================================
key                    holds
=====================  =================================================================================================
``name``               unique in the drill
``label``              Markdown with formulas between dollar signs
``asks``               the precision asked for, in words; empty for whole numbers and words
``kind``               one of ``KINDS``
``part``               number of the part of the question, from 1; fields come in the order of the parts
``marks``              what the field is worth; over all fields they add up to the marks of the drill
``value``              the answer: a number; a list of numbers (vector), of rows (matrix), of words (sequence, set)
                       or of lists of words (groups); one word of ``options`` (choice); null (own)
``tolerance``          for numbers: how far each may be off, in the shape of ``value``; else null
``rows``, ``columns``  Markdown titles of the entries (a vector has columns only); a matrix without titles of rows does
                       not say how many rows it has: it is one box of text, since that is part of the question
``options``            the words to choose from; empty if they are for the student to find
``up_to``              ``"scale"`` or ``"sign"``: a vector of which that does not count; else empty
``percent``            whether a share may be typed as a percentage: so says the label (``SHARES``), or the drill
``slips``              if there are any: a list of ``{value, says, card}``, as below
``follows``            if it was said: expressions, as below
``precision``          with either of them, for numbers: ``{digits, places, carried}``, which give a tolerance
=====================  =================================================================================================

The tolerance is half a unit of the last digit asked for. Where a drill gives rounded constants and says that a last
digit may differ by 1, it is one unit more (``carried=1``). What is computed from other results, which a student may
have rounded to four digits, is asked to three with one unit more (``DERIVED``).

**Slips** are wrong answers that are known: ``slips=[ask.slip(S / (n - 1), "That divides by $N - 1$; maximum likelihood
divides by $N$.", card=label)]`` with the label of a card of the chapter. The value is computed in the drill's function
by the wrong rule, from the same numbers and unrounded, never typed; it has the shape of the field's value, and of words
it is the option or its key. The sentence, one or two of them in plain words, says what was done and what is right. The
card is the label of a lost mark, a convention or a *Do not confuse* of the chapter. Every topic has a slip, four of
five have two or more. One that is near the right answer, near a slip before it, or not finite, is left out at that
seed.

**Errors carried forward**: ``follows="sqrt(var)"`` says how a field is computed from the answers to earlier fields, in
the language of :mod:`notes_lib.drills.follow`; of a vector or a sequence it is a list of expressions, of a matrix a
list of rows, None for an entry of which it cannot be said; of a choice it is the place of the option from 0
(``"score < 0"``, ``"argmin(aic)"``), of a set for each option whether it belongs (not 0). The numbers of the exercise
are put in with f-strings. What cannot be said so names the fields it comes from, ``after=("gram",)``; at least three of
five fields that depend on others have ``follows``. tests/drills/test_slips.py and test_follows.py hold all this.
Models: clustering/gmm, foundations/estimation, kernels/svm.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

__all__ = [
    "KINDS",
    "Field",
    "Slip",
    "choice",
    "flat",
    "matrix",
    "number",
    "own",
    "scaled",
    "sequence",
    "slip",
    "vector",
]

KINDS = {
    "number": "one number",
    "vector": "numbers in a row",
    "matrix": "rows of numbers, also a table of a trace",
    "choice": "one word of the options",
    "sequence": "words in their order, as a path",
    "set": "words in any order",
    "groups": "several sets, one behind the other",
    "own": "a reason or a derivation: the student compares it with the solution and says whether it is right",
}
_WORDS = ("no", "one", "two", "three", "four", "five", "six")
# what is computed from results that may be rounded to four digits
DERIVED: dict[str, Any] = {"digits": 3, "carried": 1}
# what a label calls a share of a whole: such a number may be typed as a percentage
SHARES = re.compile(
    r"probabilit|\bshares?\b|p-value|\baccuracy|\brecall\b|\bprecision of the first|responsibilit|\bpriors\b|"
    r"(?:stationary|filtered|smoothed) distribution|posterior (?:of|after)|error of (?:1-NN|Bayes)|out-of-bag error|"
    r"error if all|Bayes risk|false alarms|detections"
)
_TIE = 5e-5  # share of a tolerance: a tie may be rounded up or down
_WHOLE = 1e-6  # tolerance of whole numbers: only what a computation with decimals leaves
APART = 2  # tolerances: a slip that is nearer to another value is left out
NUMERIC = ("number", "vector", "matrix")


@dataclass(frozen=True)
class Slip:
    """A wrong answer that is known: what it is, what it comes from, and the card that says more."""

    value: Any
    says: str
    card: str = ""


@dataclass(frozen=True)
class Field:
    """One thing to type in; the table above says what its attributes mean.

    Attributes
    ----------
    digits, places : int or None
        Significant digits, or decimals, that are asked for; without both the numbers are whole.
    carried : float
        How many units of the last digit rounded constants may cost.
    keys : tuple
        What stands in the answer for each option, where that is not the option itself.
    slips : tuple of Slip
        Wrong answers that are known.
    follows : str or nested list of str, optional
        How it is computed from earlier fields.
    after : tuple of str
        The earlier fields that it depends on, where that cannot be said in an expression.
    """

    name: str
    label: str
    kind: str
    part: int
    marks: float
    digits: int | None = None
    places: int | None = None
    carried: float = 0.0
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    keys: tuple[Any, ...] = ()
    up_to: str = ""
    percent: bool = False
    value: Any = None
    slips: tuple[Slip, ...] = ()
    follows: Any = None
    after: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Let a number be typed as a percentage whose label says that it is a share."""
        counted = self.digits is None and self.places is None
        if self.kind in NUMERIC and not counted and SHARES.search(self.label):
            object.__setattr__(self, "percent", True)

    @property
    def asks(self) -> str:
        """The precision that is asked for, in words."""
        if self.places is not None:
            return f"{_WORDS[self.places]} decimal{'s' * (self.places != 1)} or exact"
        return f"{_WORDS[self.digits]} digits or exact" if self.digits is not None else ""

    @property
    def tolerance(self) -> Any:
        """How far each number may be off, in the shape of ``value``; None for words."""
        return self.tolerance_at(self.value)

    def tolerance_at(self, value: Any) -> Any:
        """How far each number of such a value may be off."""
        return _each(self._allowed, value) if self.kind in NUMERIC else None

    def _allowed(self, value: float) -> float:
        if self.places is None and self.digits is None:
            return _WHOLE
        last = -self.places if self.places is not None else _first_digit(value) + 1 - (self.digits or 0)
        return (0.5 + self.carried) * 10.0**last * (1 + _TIE)

    def filled(self, answer: dict[str, Any]) -> Field:
        """Give the field its value from the answer of a drill."""
        if self.kind == "own":
            return self
        value: Any = answer
        for step in self.name.split("."):
            value = value[int(step)] if isinstance(value, list) else value[step]
        if self.kind == "matrix" and all(len(row) == 1 for row in value):
            column = [row[0] for row in value]
            return self._as_vector(columns=self.rows)._with(column)
        if self.kind == "matrix" and len(self.rows) == 1:
            return self._as_vector(columns=self.columns)._with(value[0])
        return self._with(self._in_words(value))

    def _as_vector(self, columns: tuple[str, ...]) -> Field:
        """A matrix of one row or column: its slips and expressions in a row, too."""
        slips = tuple(replace(slip, value=flat(_plain(slip.value))) for slip in self.slips)
        follows = None if self.follows is None else flat(self.follows)
        return replace(self, kind="vector", columns=columns, rows=(), slips=slips, follows=follows)

    def _with(self, value: Any) -> Field:
        """The field with its value, its expressions and the slips that are told apart."""
        wanted = self.options if self.kind == "set" else flat(value)
        if self.follows is not None and len(flat(self.follows)) != len(wanted):
            raise ValueError(f"follows of {self.name} must have {len(wanted)} expressions, got {self.follows!r}.")
        if self.kind == "groups" and (self.slips or self.follows):
            raise ValueError(f"{self.name} holds groups, which have neither slips nor follows.")
        kept: list[Slip] = []
        for slip in self.slips:
            found = replace(slip, value=self._in_words(slip.value))
            self._same_shape(found.value, value)
            others = [value, *(other.value for other in kept)]
            if _finite(found.value) and not any(self._near(found.value, other) for other in others):
                kept.append(found)
        return replace(self, value=value, slips=tuple(kept))

    def _same_shape(self, slip: Any, value: Any) -> None:
        free = self.kind == "set" or (self.kind == "matrix" and not self.rows)
        if isinstance(slip, list) != isinstance(value, list) or (not free and len(flat(slip)) != len(flat(value))):
            raise ValueError(f"a slip of {self.name} must have the shape of {value!r}, got {slip!r}.")

    def _near(self, slip: Any, other: Any) -> bool:
        """Whether two values cannot be told apart by what a student types."""
        a, b = flat(slip), flat(other)
        if self.kind == "set":
            return set(a) == set(b)
        if self.kind not in NUMERIC or len(a) != len(b):
            return bool(a == b)
        b, allowed = scaled(self.up_to, b, flat(self.tolerance_at(other)), a)
        own = flat(self.tolerance_at(slip))
        return all(abs(x - y) <= APART * max(s, t) for x, y, s, t in zip(a, b, own, allowed, strict=True))

    def _in_words(self, value: Any) -> Any:
        """A value as it is kept: plain numbers in lists, or words."""
        value = _plain(value)
        return value if self.kind in NUMERIC else _each(self._word, value)

    def _word(self, value: Any) -> str:
        return self.options[self.keys.index(value)] if value in self.keys else str(value)

    def shown(self, value: Any) -> str:
        """A value in words, numbers to the precision that is asked for."""
        if isinstance(value, list):
            between = "; " if value and isinstance(value[0], list) else ", "
            return f"({between.join(map(self.shown, value))})"
        if self.kind not in NUMERIC:
            return str(value)
        if self.places is not None:
            return f"{value:.{self.places}f}"
        return f"{value:.{self.digits or 10}g}"

    def as_json(self) -> dict[str, Any]:
        """All that a page needs to show and to judge the field."""
        inner = ("digits", "places", "carried", "keys", "slips", "follows", "after")
        kept = {key: value for key, value in asdict(self).items() if key not in inner}
        lists = {key: list(kept[key]) for key in ("rows", "columns", "options")}
        more: dict[str, Any] = {}
        if self.slips:
            more["slips"] = [asdict(slip) for slip in self.slips]
        if self.follows is not None:
            more["follows"] = self.follows
        if more and self.kind in NUMERIC:
            more["precision"] = {"digits": self.digits, "places": self.places, "carried": self.carried}
        return kept | lists | {"asks": self.asks, "tolerance": self.tolerance} | more


def flat(value: Any) -> list[Any]:
    """All entries of a value, which may be nested lists or an array, in a row.

    Examples
    --------
    >>> flat([[1, 2], [3, 4]]), flat(5)
    ([1, 2, 3, 4], [5])
    """
    nested = isinstance(value, list | tuple) or np.ndim(value) > 0
    return [entry for part in value for entry in flat(part)] if nested else [value]


def scaled(
    up_to: str, values: Sequence[float], tolerances: Sequence[float], read: Sequence[float]
) -> tuple[list[float], list[float]]:
    """Values and tolerances in the scale, or with the sign, of what was read, if that does not count."""
    largest = max(range(len(values)), key=lambda i: abs(values[i]))
    if not up_to or values[largest] == 0:
        return list(values), list(tolerances)
    scale = read[largest] / values[largest]
    if up_to != "scale":
        scale = -1.0 if scale < 0 else 1.0  # an entry of 0 says nothing about the sign, not even as -0.0
    if scale == 0:
        return list(values), list(tolerances)
    return [scale * v for v in values], [abs(scale) * t for t in tolerances]


def _plain(value: Any) -> Any:
    """Arrays and tuples as lists, fractions and numpy's numbers as plain ones."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value if isinstance(value, (int, float, str)) or value is None else float(value)


def _finite(value: Any) -> bool:
    return all(not isinstance(entry, float) or math.isfinite(entry) for entry in flat(value))


def _each(function: Any, value: Any) -> Any:
    return [_each(function, v) for v in value] if isinstance(value, list) else function(value)


def _first_digit(value: float) -> int:
    """Power of ten of the first digit that is not 0; of 0 itself: so that four digits are four decimals."""
    return int(f"{value:.12e}".partition("e")[2]) if value else -1  # 0.09999999999999998 is 0.1


def slip(value: Any, says: str, card: str = "") -> Slip:
    """A wrong answer that is known: computed by the wrong rule, with a sentence and the label of a card."""
    return Slip(value, says, card)


def _known(slips: Iterable[Slip], follows: Any, after: Iterable[str]) -> dict[str, Any]:
    return {"slips": tuple(slips), "follows": follows, "after": tuple(after)}


def _precision(digits: int, places: int | None, whole: bool) -> dict[str, Any]:
    return {"digits": None if whole or places is not None else digits, "places": None if whole else places}


def number(
    name: str,
    label: str,
    part: int,
    marks: float = 1,
    *,
    digits: int = 4,
    places: int | None = None,
    whole: bool = False,
    carried: float = 0.0,
    percent: bool = False,
    slips: Iterable[Slip] = (),
    follows: str | None = None,
    after: Iterable[str] = (),
) -> Field:
    """One number, to so many significant digits, or decimals with ``places``, or whole."""
    more = _precision(digits, places, whole) | _known(slips, follows, after)
    return Field(name, label, "number", part, marks, carried=carried, percent=percent, **more)


def vector(
    name: str,
    label: str,
    part: int,
    marks: float = 1,
    *,
    titles: Iterable[Any] = (),
    digits: int = 4,
    places: int | None = None,
    whole: bool = False,
    carried: float = 0.0,
    up_to: str = "",
    percent: bool = False,
    slips: Iterable[Slip] = (),
    follows: Sequence[str | None] | None = None,
    after: Iterable[str] = (),
) -> Field:
    """Numbers in the order of ``titles``."""
    columns = tuple(map(str, titles))
    more = _precision(digits, places, whole) | _known(slips, follows, after) | {"percent": percent}
    return Field(name, label, "vector", part, marks, carried=carried, columns=columns, up_to=up_to, **more)


def matrix(
    name: str,
    label: str,
    part: int,
    marks: float = 1,
    *,
    rows: Iterable[Any] = (),
    columns: Iterable[Any] = (),
    digits: int = 4,
    places: int | None = None,
    whole: bool = False,
    carried: float = 0.0,
    percent: bool = False,
    slips: Iterable[Slip] = (),
    follows: Sequence[Sequence[str | None]] | None = None,
    after: Iterable[str] = (),
) -> Field:
    """Rows of numbers; without titles of rows their number is for the student to find."""
    titles = tuple(map(str, rows)), tuple(map(str, columns))
    more = _precision(digits, places, whole) | _known(slips, follows, after) | {"percent": percent}
    return Field(name, label, "matrix", part, marks, carried=carried, rows=titles[0], columns=titles[1], **more)


def choice(
    name: str,
    label: str,
    part: int,
    marks: float = 1,
    *,
    options: Iterable[Any],
    keys: Iterable[Any] = (),
    slips: Iterable[Slip] = (),
    follows: str | None = None,
    after: Iterable[str] = (),
) -> Field:
    """One of the options; ``keys`` are what the answer holds for them."""
    words, more = tuple(map(str, options)), _known(slips, follows, after)
    return Field(name, label, "choice", part, marks, options=words, keys=tuple(keys), **more)


def sequence(
    name: str,
    label: str,
    part: int,
    marks: float = 1,
    *,
    options: Iterable[Any],
    keys: Iterable[Any] = (),
    titles: Iterable[Any] = (),
    kind: str = "sequence",
    slips: Iterable[Slip] = (),
    follows: Sequence[str | None] | None = None,
    after: Iterable[str] = (),
) -> Field:
    """Several of the options in their order; ``kind="set"``: in any order, ``kind="groups"``: sets in their order."""
    words, columns, more = tuple(map(str, options)), tuple(map(str, titles)), _known(slips, follows, after)
    return Field(name, label, kind, part, marks, options=words, keys=tuple(keys), columns=columns, **more)


def own(name: str, label: str, part: int, marks: float = 1) -> Field:
    """A reason or a derivation, which nobody but the student can judge."""
    return Field(name, label, "own", part, marks)

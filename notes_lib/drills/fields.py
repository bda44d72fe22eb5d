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
=====================  =================================================================================================

The tolerance is half a unit of the last digit asked for. Where a drill gives rounded constants and says that a last
digit may differ by 1, it is one unit more (``carried=1``). What is computed from other results, which a student may
have rounded to four digits, is asked to three with one unit more (``DERIVED``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

__all__ = ["KINDS", "Field", "choice", "matrix", "number", "own", "sequence", "vector"]

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
_WHOLE = 1e-6  # tolerance of whole numbers: only what a computation with decimals leaves


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

    def __post_init__(self) -> None:
        """Let a number be typed as a percentage whose label says that it is a share."""
        counted = self.digits is None and self.places is None
        if self.kind in ("number", "vector", "matrix") and not counted and SHARES.search(self.label):
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
        return _each(self._allowed, self.value) if self.kind in ("number", "vector", "matrix") else None

    def _allowed(self, value: float) -> float:
        if self.places is None and self.digits is None:
            return _WHOLE
        last = -self.places if self.places is not None else _first_digit(value) + 1 - (self.digits or 0)
        return float((0.5 + self.carried) * 10.0**last + 1e-9 * abs(value))  # a tie may be rounded up or down

    def filled(self, answer: dict[str, Any]) -> Field:
        """Give the field its value from the answer of a drill."""
        if self.kind == "own":
            return self
        value: Any = answer
        for step in self.name.split("."):
            value = value[int(step)] if isinstance(value, list) else value[step]
        if self.kind == "matrix" and all(len(row) == 1 for row in value):
            return replace(self, kind="vector", columns=self.rows, rows=(), value=[row[0] for row in value])
        if self.kind == "matrix" and len(self.rows) == 1:
            return replace(self, kind="vector", rows=(), value=value[0])
        if self.kind in ("choice", "sequence", "set", "groups"):
            value = _each(self._word, value)
        return replace(self, value=value)

    def _word(self, value: Any) -> str:
        return self.options[self.keys.index(value)] if self.keys else str(value)

    def as_json(self) -> dict[str, Any]:
        """All that a page needs to show and to judge the field."""
        inner = ("digits", "places", "carried", "keys")
        kept = {key: value for key, value in asdict(self).items() if key not in inner}
        lists = {key: list(kept[key]) for key in ("rows", "columns", "options")}
        return kept | lists | {"asks": self.asks, "tolerance": self.tolerance}


def _each(function: Any, value: Any) -> Any:
    return [_each(function, v) for v in value] if isinstance(value, list) else function(value)


def _first_digit(value: float) -> int:
    """Power of ten of the first digit that is not 0; of 0 itself: so that four digits are four decimals."""
    return int(f"{value:.12e}".partition("e")[2]) if value else -1  # 0.09999999999999998 is 0.1


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
) -> Field:
    """One number, to so many significant digits, or decimals with ``places``, or whole."""
    precision = _precision(digits, places, whole)
    return Field(name, label, "number", part, marks, carried=carried, percent=percent, **precision)


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
) -> Field:
    """Numbers in the order of ``titles``."""
    columns, precision = tuple(map(str, titles)), _precision(digits, places, whole)
    kept: dict[str, Any] = {"carried": carried, "columns": columns, "up_to": up_to, "percent": percent, **precision}
    return Field(name, label, "vector", part, marks, **kept)


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
) -> Field:
    """Rows of numbers; without titles of rows their number is for the student to find."""
    titles, precision = (tuple(map(str, rows)), tuple(map(str, columns))), _precision(digits, places, whole)
    kept: dict[str, Any] = {
        "carried": carried,
        "rows": titles[0],
        "columns": titles[1],
        "percent": percent,
        **precision,
    }
    return Field(name, label, "matrix", part, marks, **kept)


def choice(
    name: str, label: str, part: int, marks: float = 1, *, options: Iterable[Any], keys: Iterable[Any] = ()
) -> Field:
    """One of the options; ``keys`` are what the answer holds for them."""
    return Field(name, label, "choice", part, marks, options=tuple(map(str, options)), keys=tuple(keys))


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
) -> Field:
    """Several of the options in their order; ``kind="set"``: in any order, ``kind="groups"``: sets in their order."""
    options, columns = tuple(map(str, options)), tuple(map(str, titles))
    return Field(name, label, kind, part, marks, options=options, keys=tuple(keys), columns=columns)


def own(name: str, label: str, part: int, marks: float = 1) -> Field:
    """A reason or a derivation, which nobody but the student can judge."""
    return Field(name, label, "own", part, marks)

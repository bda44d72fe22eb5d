"""Judge what a student types into a field of a drill: right or not, entry by entry, and a sentence.

``static/judge.js`` gives the same verdicts on a page. Whatever is typed, the answer is a :class:`Verdict`: what cannot
be read gets a sentence that says why, and costs nothing (``understood`` is false).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from notes_lib.drills.entries import numbers_of, rows_of, words_of
from notes_lib.drills.expressions import Unreadable, fold, read_number
from notes_lib.drills.fields import Field

__all__ = ["Verdict", "earned", "judge"]

T = TypeVar("T")
CLOSE = 20  # tolerances: an error below is one of rounding
YES, NO = ("yes", "y", "right", "true"), ("no", "n", "wrong", "false")
THOUSANDS = re.compile(r"(?:^|[^0-9.,])([1-9][0-9]{0,2},[0-9]{3})(?:$|[^0-9.,])")  # may be meant as a whole number
NOTHING = ("none", "no", "nothing", "empty", "-", "()")


@dataclass(frozen=True)
class Verdict:
    """What becomes of a typed answer.

    Attributes
    ----------
    right : bool
        Whether all of it is right.
    entries : tuple of bool
        Of a vector, a matrix row by row, a sequence or groups: which entries are right; else one.
    message : str
        One sentence for the student.
    understood : bool
        Whether it could be read; if not, it is not counted.
    read : tuple
        The numbers or words that were read.
    """

    right: bool
    entries: tuple[bool, ...]
    message: str
    understood: bool = True
    read: tuple[float | str, ...] = ()


def judge(field: Field, typed: str) -> Verdict:
    """Verdict on what was typed into a field.

    Parameters
    ----------
    field : Field
        With its value, as it stands in ``Drill.fields``.
    typed : str
        Anything.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> from notes_lib.drills import draw
    >>> path = next(field for field in draw("viterbi", 7).fields if field.name == "path")
    >>> judge(path, "2 -> 1 -> 1").right, judge(path, "?").understood
    (False, False)
    """
    try:
        text = fold(typed)
        if text == "":
            raise Unreadable("Nothing was typed.")
        return _JUDGES[field.kind](field, text)
    except Unreadable as error:
        return Verdict(False, (), str(error), understood=False)


def earned(field: Field, verdict: Verdict) -> float:
    """Marks for a verdict: all, or for the entries that are right their share, rounded down to half marks."""
    if verdict.right or not verdict.entries:
        return float(field.marks) if verdict.right else 0.0
    return math.floor(2 * field.marks * sum(verdict.entries) / len(verdict.entries)) / 2


def _verdict(entries: Sequence[bool], read: Sequence[float | str], wrong: str = "Not right.") -> Verdict:
    right = all(entries)
    count = sum(entries)
    if not right and len(entries) > 1 and wrong == "Not right.":
        wrong = f"{count} of {len(entries)} entries {'is' if count == 1 else 'are'} right."
    return Verdict(right, tuple(entries), "Right." if right else wrong, read=tuple(read))


def _compared(
    values: Sequence[float], tolerances: Sequence[float], read: Sequence[float], texts: Sequence[str]
) -> Verdict:
    errors = [abs(x - v) for x, v in zip(read, values, strict=True)]
    entries = [error <= t for error, t in zip(errors, tolerances, strict=True)]
    doubtful = [THOUSANDS.search(text) for text, right in zip(texts, entries, strict=True) if not right]
    if found := next(filter(None, doubtful), None):
        sentence = f"“{found[1]}” has a decimal comma: write {found[1].replace(',', '')} if you mean the whole number."
        return Verdict(False, tuple(entries), sentence, understood=False, read=tuple(read))
    close = all(error <= CLOSE * t for error, t in zip(errors, tolerances, strict=True))
    return _verdict(entries, read, "Close, but not to the digits asked for." if close else "Not right.")


def _counted(texts: Sequence[str], count: int, what: str) -> None:
    if len(texts) != count:
        raise Unreadable(f"{count} {what}{'s' * (count != 1)} asked for, {len(texts)} read.")


def _texts(text: str, count: int) -> list[str]:
    texts = numbers_of(text, count)
    _counted(texts, count, "number")
    return texts


def _read(texts: Sequence[str], percent: bool) -> list[float]:
    return [_entry(k, entry, percent) for k, entry in enumerate(texts)]


def _entry(place: int, text: str, percent: bool) -> float:
    try:
        return read_number(text, percent)
    except Unreadable as error:
        raise Unreadable(f"Entry {place + 1}: {error}") from None


def _number(field: Field, text: str) -> Verdict:
    return _compared([field.value], [field.tolerance], [read_number(text, field.percent)], [text])


def _vector(field: Field, text: str) -> Verdict:
    texts = _texts(text, len(field.value))
    read = _read(texts, field.percent)
    values, tolerances = field.value, field.tolerance
    if field.up_to:
        largest = max(range(len(values)), key=lambda i: abs(values[i]))
        scale = read[largest] / values[largest]
        if field.up_to != "scale":
            scale = -1.0 if scale < 0 else 1.0  # an entry of 0 says nothing about the sign, not even as -0.0
        if scale != 0:
            values = [scale * v for v in values]
            tolerances = [abs(scale) * t for t in tolerances]
    return _compared(values, tolerances, read, texts)


def _matrix(field: Field, text: str) -> Verdict:
    rows = rows_of(text)
    if field.rows:
        if len(rows) == 1 and len(field.rows) > 1:
            raise Unreadable("Put each row on a line of its own, or a semicolon between rows.")
        _counted(rows, len(field.rows), "row")
    texts = [_texts(row, len(field.columns)) for row in rows]
    flat = [v for row in texts for v in _read(row, field.percent)]
    if len(rows) != len(field.value):
        return _verdict([False], flat, "The number of rows is not right.")
    return _compared(_flat(field.value), _flat(field.tolerance), flat, _flat(texts))


def _flat(rows: Sequence[Sequence[T]]) -> list[T]:
    return [entry for row in rows for entry in row]


def _plain(word: str) -> str:
    """A word as it is compared: small letters, single blanks, no plus in front."""
    word = word.replace("*", "").replace("$", "").lower().strip(" \n")
    return word[1:] if word.startswith("+") else word


def _option(word: str, options: Sequence[str]) -> str:
    """The option that a word means: the word itself, its letter in a list of long words, or its beginning."""
    plain, known = _plain(word), [_plain(option) for option in options]
    if plain in known:
        return options[known.index(plain)]
    place = "abcdefghijklmnopqrstuvwxyz".find(plain.rstrip(")."))
    if len(plain.rstrip(").")) == 1 and 0 <= place < len(options) and any(len(option) > 3 for option in known):
        return options[place]
    starts = [k for k, option in enumerate(known) if "a" <= option[0] <= "z" and option.startswith(plain)]
    if len(starts) == 1 and plain != "":
        return options[starts[0]]
    raise Unreadable(f"“{word}” is none of: {', '.join(options)}.")


def _choice(field: Field, text: str) -> Verdict:
    word = _option(text, field.options)
    return _verdict([word == field.value], [word])


def _words(field: Field, text: str) -> list[str]:
    return [_option(word, field.options) for word in words_of(text, list(field.options))]


def _sequence(field: Field, text: str) -> Verdict:
    read = _words(field, text)
    _counted(read, len(field.value), "word")
    return _verdict([a == b for a, b in zip(read, field.value, strict=True)], read)


def _set(field: Field, text: str) -> Verdict:
    read = [] if _plain(text) in NOTHING else _words(field, text)
    return _verdict([set(read) == set(field.value)], read)


def _groups(field: Field, text: str) -> Verdict:
    rows = rows_of(text)
    _counted(rows, len(field.value), "group")
    read = [_words(field, row) for row in rows]
    entries = [set(a) == set(b) for a, b in zip(read, field.value, strict=True)]
    return _verdict(entries, [word for row in read for word in row])


def _own(field: Field, text: str) -> Verdict:
    if _plain(text) not in YES + NO:
        raise Unreadable("Compare with the solution, then answer yes or no.")
    return _verdict([_plain(text) in YES], [])


_JUDGES = {
    "number": _number,
    "vector": _vector,
    "matrix": _matrix,
    "choice": _choice,
    "sequence": _sequence,
    "set": _set,
    "groups": _groups,
    "own": _own,
}

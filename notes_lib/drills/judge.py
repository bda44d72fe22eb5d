"""Judge what a student types into a field of a drill: right or not, entry by entry, and a sentence.

``static/judge.js`` gives the same verdicts on a page. Whatever is typed, the answer is a :class:`Verdict`: what cannot
be read gets a sentence that says why, and costs nothing (``understood`` is false).

What counts first: a right answer; an answer that follows from earlier ones (``Field.follows``) and earns its marks; the
question whether a comma was meant for thousands; a slip (``Field.slips``) and its sentence; an answer that is close.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from notes_lib.drills.entries import numbers_of, rows_of, words_of
from notes_lib.drills.expressions import Unreadable, fold, read_number
from notes_lib.drills.fields import NUMERIC, Field, flat, scaled
from notes_lib.drills.follow import Index, compute

__all__ = ["Verdict", "earned", "judge", "told"]

CLOSE = 20  # tolerances: an error below is one of rounding
YES, NO = ("yes", "y", "right", "true"), ("no", "n", "wrong", "false")
THOUSANDS = re.compile(r"(?:^|[^0-9.,])([1-9][0-9]{0,2},[0-9]{3})(?:$|[^0-9.,])")  # may be meant as a whole number
MISSING = 9e99  # what pages put for an entry that is missing
FOLLOWS = "Follows from your earlier answer: marks carried forward."
NOTHING = ("none", "no", "nothing", "empty", "-", "()")


@dataclass(frozen=True)
class Verdict:
    """What becomes of a typed answer.

    Attributes
    ----------
    right : bool
        Whether all of it is right.
    entries : tuple of bool
        Of a vector, a matrix row by row, a sequence or groups: which entries are right or follow; else one.
    message : str
        One sentence for the student.
    understood : bool
        Whether it could be read; if not, it is not counted.
    read : tuple
        The numbers or words that were read.
    slip : int or None
        Which slip of the field it is.
    carried : tuple of bool
        Which entries are not right and follow from earlier answers; empty if none does.
    """

    right: bool
    entries: tuple[bool, ...]
    message: str
    understood: bool = True
    read: tuple[float | str, ...] = ()
    slip: int | None = None
    carried: tuple[bool, ...] = ()

    @property
    def follows(self) -> bool:
        """Whether it is not right, and all of it counts, since it follows from earlier answers."""
        return bool(self.carried) and all(self.entries)


def judge(field: Field, typed: str, earlier: Iterable[tuple[Field, Verdict]] = ()) -> Verdict:
    """Verdict on what was typed into a field.

    Parameters
    ----------
    field : Field
        With its value, as it stands in ``Drill.fields``.
    typed : str
        Anything.
    earlier : iterable of pairs
        The fields before this one in the drill, with the verdicts on what was typed there.

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
        verdict = _JUDGES[field.kind](field, text)
    except Unreadable as error:
        return Verdict(False, (), str(error), understood=False)
    return verdict if verdict.right else _considered(field, verdict, dict(_by_name(earlier)))


def earned(field: Field, verdict: Verdict) -> float:
    """Marks for a verdict: all, or for the entries that are right their share, rounded down to half marks."""
    if verdict.right or verdict.follows or not verdict.entries:
        return float(field.marks) if verdict.right or verdict.follows else 0.0
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
    values, tolerances = scaled(field.up_to, field.value, field.tolerance, read)
    return _compared(values, tolerances, read, texts)


def _matrix(field: Field, text: str) -> Verdict:
    rows = rows_of(text)
    if field.rows:
        if len(rows) == 1 and len(field.rows) > 1:
            raise Unreadable("Put each row on a line of its own, or a semicolon between rows.")
        _counted(rows, len(field.rows), "row")
    texts = [_texts(row, len(field.columns)) for row in rows]
    numbers = [v for row in texts for v in _read(row, field.percent)]
    if len(rows) != len(field.value):
        return _verdict([False], numbers, "The number of rows is not right.")
    return _compared(flat(field.value), flat(field.tolerance), numbers, flat(texts))


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


def _by_name(earlier: Iterable[tuple[Field, Verdict]]) -> Iterable[tuple[str, tuple[Field, Verdict]]]:
    return ((field.name, (field, verdict)) for field, verdict in earlier)


def _considered(field: Field, verdict: Verdict, earlier: dict[str, tuple[Field, Verdict]]) -> Verdict:
    """A verdict on an answer that is not right: whether it follows from earlier ones, or is a known slip."""
    carried = _carried(field, verdict, earlier) if field.follows is not None else []
    if any(carried):
        entries = tuple(a or b for a, b in zip(verdict.entries, carried, strict=True))
        verdict = replace(verdict, entries=entries, carried=tuple(carried))
        if verdict.follows:
            return replace(verdict, understood=True, message=FOLLOWS)
    if not verdict.understood:
        return verdict
    for place, slip in enumerate(field.slips):
        if _is_slip(field, verdict.read, slip.value):
            return replace(verdict, slip=place, message=slip.says)
    if any(carried):
        count, of = sum(verdict.entries), len(verdict.entries)
        return replace(verdict, message=f"{count} of {of} entries are right or follow from your earlier answers.")
    return verdict


def _is_slip(field: Field, read: Sequence[float | str], value: object) -> bool:
    known = flat(value)
    if field.kind == "set":
        return set(read) == set(known)
    if len(read) != len(known):
        return False
    if field.kind not in NUMERIC:
        return list(read) == known
    numbers = [float(x) for x in read]
    return all(_within(field, known, numbers))


def _within(field: Field, values: Sequence[float], read: Sequence[float]) -> list[bool]:
    """Which numbers are such values, to the precision that is asked for."""
    values, tolerances = scaled(field.up_to, values, [field.tolerance_at(v) for v in values], read)
    return [abs(x - v) <= t for x, v, t in zip(read, values, tolerances, strict=True)]


def _carried(field: Field, verdict: Verdict, earlier: dict[str, tuple[Field, Verdict]]) -> list[bool]:
    """Which entries are not right, and follow from earlier answers of which one is not right either."""
    found = [_followed(expression, earlier) for expression in flat(field.follows)]
    named = [wrong for _, wrong in found]
    if field.up_to:  # the entries of a direction are of one scale, so all of them follow or none
        named = [any(named) and all(value is not None for value, _ in found)] * len(found)
    values = [value if wrong else None for (value, _), wrong in zip(found, named, strict=True)]
    if all(value is None for value in values):
        return []
    right = _as_numbers(field, flat(field.value))
    expected = [r if value is None else value for value, r in zip(values, right, strict=True)]
    if field.kind == "set":
        return [_as_numbers(field, verdict.read) == [float(value != 0) for value in expected]]
    if len(verdict.read) != len(expected):
        return []
    numbers = _as_numbers(field, verdict.read)
    if field.kind in NUMERIC:
        same = _within(field, expected, numbers)
    else:
        same = [a == b for a, b in zip(expected, numbers, strict=True)]
    if field.up_to and not all(same):  # entries of two scales make no answer
        return []
    return [
        value is not None and agrees and not entry
        for value, agrees, entry in zip(values, same, verdict.entries, strict=True)
    ]


def _as_numbers(field: Field, read: Sequence[float | str]) -> list[float]:
    """An answer as expressions see it: of words the places of the options, of a set a 1 for each that belongs."""
    if field.kind in NUMERIC:
        return [float(x) for x in read]
    if field.kind == "set":
        return [float(option in read) for option in field.options]
    return [float(field.options.index(str(word))) for word in read]


def _followed(expression: str | None, earlier: dict[str, tuple[Field, Verdict]]) -> tuple[float | None, bool]:
    """Value of an expression with the student's answers, None without one, and whether it names a wrong one."""
    try:
        return (None, False) if expression is None else told(expression, earlier)
    except Unreadable:
        return None, False


def told(expression: str, earlier: dict[str, tuple[Field, Verdict]]) -> tuple[float, bool]:
    """Value of an expression with the student's answers, and whether it names one that is not right."""
    wrong: list[bool] = []

    def lookup(name: str, index: Index) -> list[float]:
        if name not in earlier:
            raise Unreadable(f"No earlier answer is called {name}.")
        field, verdict = earlier[name]
        values, off = _student(field, verdict)
        places = _places(field, index, len(values))
        wrong.extend(off[k] for k in places)
        return [values[k] for k in places]

    return compute(expression, lookup), any(wrong)


def _student(field: Field, verdict: Verdict) -> tuple[list[float], list[bool]]:
    """The numbers of an earlier answer, and which of them are off; what is missing is as if it were right."""
    right = _as_numbers(field, flat(field.value))
    whole = len(verdict.read) == len(verdict.entries) == len(right) or field.kind == "set"
    if not (verdict.understood and whole):
        return right, [False] * len(right)
    read = _as_numbers(field, verdict.read)
    if field.kind == "set":
        return read, [a != b for a, b in zip(read, right, strict=True)]
    carried = verdict.carried or (False,) * len(right)
    lost = [x >= MISSING for x in read]
    off = [(not e or c) and not gone for e, c, gone in zip(verdict.entries, carried, lost, strict=True)]
    return [r if gone else x for r, x, gone in zip(right, read, lost, strict=True)], off


def _places(field: Field, index: Index, count: int) -> list[int]:
    """Which of the entries in a row an index means; a matrix of one row or column may have become a vector."""
    width = len(field.value[0]) if field.kind == "matrix" else 1
    sizes = [count // width, width]
    if field.kind != "matrix" and len(index) == 2:
        sizes = [1, count] if index[0] == 0 else [count, 1]
    if not index:
        return list(range(count))
    if len(index) != 2:
        sizes = [count]
    if len(index) > 2 or any(at is not None and at >= size for at, size in zip(index, sizes, strict=True)):
        raise Unreadable(f"{field.name} has no such entry.")
    ranges = [range(size) if at is None else [at] for at, size in zip(index, sizes, strict=True)]
    return [i * sizes[1] + j for i in ranges[0] for j in ranges[1]] if len(ranges) == 2 else list(ranges[0])

"""Slips in a quiz, and whether anything notices.

Another answer is marked right (``quiz``): the mark of a question with one answer moves, one of several is set or taken
away, a true statement becomes a false one. That has to be noticed by the claims of the chapter (``tests/claims/``).
Another word or digit stands in a question, an option or a reason (``quiz-words``): the ledgers of the chapter
(``tests/solutions/``) read it as well.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from tests.claims.deciding import Claims
from tests.claims.items import BOX, ROOT, markdown, read_items
from tests.solutions.chapters import ledgers
from tests.solutions.ledger import Worked, faults
from tests.solutions.reading import CARD, Piece, speaking
from tools.mutate.processes import limit_time, unnoticed
from tools.mutate.report import Survivor, Tally, sample

FILES = {path.stem.removeprefix("test_"): path.parent.name for path in sorted(ROOT.glob("tests/claims/*/test_*.py"))}
PAIRS = [("larger", "smaller"), ("largest", "smallest"), ("more", "less"), ("most", "least"), ("higher", "lower"),
         ("greater", "less"), ("longer", "shorter"), ("wider", "narrower"), ("above", "below"), ("rises", "falls"),
         ("grows", "shrinks"), ("increases", "decreases"), ("maximum", "minimum"), ("before", "after"),
         ("always", "never"), ("positive", "negative"), ("twice", "half"), ("doubles", "halves"), ("fewer", "more"),
         ("faster", "slower"), ("upper", "lower"), ("with", "without"), ("better", "worse")]  # fmt: skip
OTHER = {second: first for first, second in PAIRS} | dict(PAIRS)
WORD = re.compile(rf"\b(?:{'|'.join(OTHER)})\b", re.IGNORECASE)
MARK = re.compile(r"^[-*+] \[([ xX])\]", re.M)
STATEMENT = re.compile(r"(?<=^:class: statement-)(?:true|false)$", re.M)
SILENT = re.compile(r"^:::(?:\{admonition\})?|^:(?:class|name): .*$|\{\w+\}`[^`]*`", re.M)
SECONDS = 20  # of processor time that a claim may take with another number


class Edit(NamedTuple):
    """What stands at a place of a box before and after."""

    start: int
    end: int
    after: str


class Slip(NamedTuple):
    """One box of a chapter with the edits of one slip."""

    box: str
    edits: tuple[Edit, ...]

    @property
    def text(self) -> str:
        """The box after the slip."""
        text = self.box
        for start, end, after in sorted(self.edits, reverse=True):
            text = text[:start] + after + text[end:]
        return text

    def around(self, after: bool) -> str:
        """The lines that are edited, before or after, in one line."""
        lines = zip(self.box.split("\n"), self.text.split("\n"), strict=True)
        return "; ".join(pair[after] for pair in lines if pair[0] != pair[1])


def moved_marks(box: str) -> Iterator[tuple[Edit, ...]]:
    """Where another answer could be marked right."""
    marks = [Edit(*found.span(1), " " if found[1] != " " else "x") for found in MARK.finditer(box)]
    chosen = [edit for edit in marks if edit.after == " "]
    for edit in marks:
        if "\n:class: quiz\n" not in box:
            yield (edit,)
        elif edit.after == "x":
            yield (edit, *chosen)
    for found in STATEMENT.finditer(box):
        yield (Edit(*found.span(), "false" if found[0] == "true" else "true"),)


def changed_words(box: str) -> Iterator[tuple[Edit, ...]]:
    """Where another digit or a word that compares could stand."""
    said = SILENT.sub(lambda m: " " * len(m[0]), box)
    for found in WORD.finditer(said):
        yield (Edit(*found.span(), as_written(OTHER[found[0].lower()], found[0])),)
    for found in re.finditer(r"\d", speaking(said)):
        yield (Edit(*found.span(), str((int(found[0]) + 3) % 10)),)


def as_written(word: str, like: str) -> str:
    """A word with a capital where another one has it."""
    return word.capitalize() if like[0].isupper() else word


@cache
def claims_of(stem: str) -> Claims:
    """The claims of a chapter."""
    part = FILES[stem]
    return Claims(f"{part}/{stem}", vars(importlib.import_module(f"tests.claims.{part}.test_{stem}")))


def boxes(text: str) -> list[str]:
    """The boxes of a quiz as they stand on the page."""
    return [found[0] for found in BOX.finditer(text)]


def is_sound(box: str, claims: Claims, known: Mapping[str, Worked]) -> bool:
    """Whether neither a claim nor a ledger finds a fault in a box."""
    (item,) = read_items(box)
    if claims.problem(item.label, item):
        return False
    ((title, kind, label, body),) = CARD.findall(box)
    piece = Piece(kind, f"{title}.\n\n{body}")
    return not faults(piece.text, known.get(label, Worked()))


def try_quiz(stem: str, most: int | None, seed: int, words: bool = False, jobs: int = 1) -> Tally:
    """Try the slips in every question and statement of a chapter.

    Parameters
    ----------
    stem : str
        Such as ``svm``.
    most : int or None
        How many slips are tried, drawn with ``seed``; None: all.
    seed : int
    words : bool
        Change words and digits instead of marks.
    jobs : int
        Processes at the same time.

    Returns
    -------
    Tally
    """
    if stem not in FILES:
        raise ValueError(f"no quiz of {stem!r} is decided; there is {', '.join(FILES)}")
    found = boxes(markdown(f"{FILES[stem]}/{stem}"))
    what, slips = ("words of the quiz", changed_words) if words else ("quiz", moved_marks)
    return try_boxes(found, f"{what} of {stem}", claims_of(stem), ledgers(stem), slips, most, seed, jobs)


def try_boxes(
    found: list[str],
    name: str,
    claims: Claims,
    known: Mapping[str, Worked],
    slips: Callable[[str], Iterator[tuple[Edit, ...]]],
    most: int | None,
    seed: int,
    jobs: int = 1,
) -> Tally:
    """Try the slips in some boxes of a chapter, which have no fault as they are."""
    for box in found:
        if not is_sound(box, claims, known):
            raise ValueError(f"{read_items(box)[0].label} has a fault as it is.")
    trials = sample([Slip(box, edits) for box in found for edits in slips(box)], most, seed)

    def same(slip: Slip) -> bool:
        limit_time(SECONDS)
        return is_sound(slip.text, claims, known)

    survivors = [
        Survivor(read_items(slip.box)[0].label, slip.around(False), slip.around(True))
        for slip in unnoticed(trials, same, jobs)
    ]
    return Tally(name, len(trials), survivors, Counter())

"""Slips in the numbers of exercises and cards, and whether their ledgers notice: another digit, or another word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tests.solutions.chapters import STEMS, ledgers
from tests.solutions.ledger import faults
from tests.solutions.reading import ITEM, Piece, pieces, speaking
from tools.mutate.report import Survivor, Tally, sample

WORDS = {"half": "twice", "twice": "half", "doubled": "halved", "halved": "doubled", "third": "quarter",
         "quarter": "third", "fifth": "tenth", "tenth": "fifth"}  # fmt: skip


def slips(text: str) -> Iterator[tuple[int, str, str]]:
    """Where a digit or a word could be another, and what stands there before and after."""
    for m in ITEM.finditer(speaking(text)):
        if m["word"]:
            if other := WORDS.get(m[0].lower()):
                yield m.start(), m[0], other
        else:
            for digit in re.finditer(r"\d", m[0]):
                for step in (1, 3, 7):
                    yield m.start() + digit.start(), digit[0], str((int(digit[0]) + step) % 10)


def try_solutions(stem: str, most: int | None, seed: int) -> Tally:
    """Try the slips in every piece of a chapter that has a ledger."""
    if stem not in STEMS:
        raise ValueError(f"no exercises of {stem!r} are executed; there is {', '.join(STEMS)}")
    found, known = pieces(f"{STEMS[stem]}/{stem}"), ledgers(stem)
    trials = [(label, found[label], slip) for label in known for slip in slips(found[label].text)]
    trials = sample(trials, most, seed)
    survivors = [
        Survivor(label, around(piece, at, before), around(piece, at, before, after))
        for label, piece, (at, before, after) in trials
        if not faults(changed(piece, at, before, after), known[label])
    ]
    return Tally(f"numbers of {stem}", len(trials), survivors, Counter())


def changed(piece: Piece, at: int, before: str, after: str) -> str:
    """The text of a piece after a slip."""
    return piece.text[:at] + after + piece.text[at + len(before) :]


def around(piece: Piece, at: int, before: str, after: str = "") -> str:
    """A slip with the words around it, in one line."""
    left, right = piece.text[max(0, at - 40) : at], piece.text[at + len(before) :][:20]
    return " ".join((left + (after or before) + right).split())

"""Why a test of a peer fails on the library: what the error says itself, and what ``differences.csv`` explains."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

KINDS = ("feature", "design", "internals", "fault")
COLUMNS = ("kind", "test", "error", "why")
ATTRIBUTE = re.compile(r"AttributeError: (?:'(\w+)' object|type object '(\w+)') has no attribute '(\w+)'")


class Result(NamedTuple):
    """What became of a test that reaches the library."""

    test: str
    error: str = ""  # type and message; empty if it passed
    ours: bool = False  # whether the library's own code raised it
    leniently: bool = False  # whether it passes once unknown keywords are left away


class Difference(NamedTuple):
    """A known reason why tests fail."""

    kind: str
    test: str  # a pattern, as of file names; in brackets stands the parameter of a test
    error: str  # a regular expression that is found in the error
    why: str

    def explains(self, result: Result) -> bool:
        """Whether this is the reason of a failure."""
        return fnmatchcase(result.test, self.test.replace("[", "[[]")) and bool(re.search(self.error, result.error))


def read_differences(path: Path) -> list[Difference]:
    """Read the known reasons."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if tuple(rows[0]) != COLUMNS:
        raise ValueError(f"{path.name} must have the columns {', '.join(COLUMNS)}")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(COLUMNS) or row[0] not in KINDS[:-1] or not all(row[1:2] + row[3:]):
            raise ValueError(f"{path.name}, row {number}: needs a kind ({', '.join(KINDS[:-1])}), a test and a reason")
    return [Difference(*row) for row in rows[1:]]


def verdict(result: Result, known: Iterable[Difference], names: set[str]) -> str:
    """The kind of a failure; ``names`` are the classes of the library."""
    reason = next((difference for difference in known if difference.explains(result)), None)
    if reason is not None:
        return reason.kind
    if result.error.startswith("NotOffered: "):
        return "feature"
    missing = ATTRIBUTE.match(result.error)
    if missing and (missing[1] or missing[2]) in names and not result.ours:
        return "internals" if missing[3].startswith("_") else "feature"
    return "fault"


def tally(results: Iterable[Result], known: list[Difference], names: set[str]) -> Counter[str]:
    """Count the results of some tests by what became of them."""
    counts: Counter[str] = Counter()
    for result in results:
        counts["reach"] += 1
        counts["as written"] += not result.error
        counts["keywords ignored"] += not result.error or result.leniently
        if result.error:
            counts[verdict(result, known, names)] += 1
    return counts

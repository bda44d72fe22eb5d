"""What is wrong with a page, what was found on many, and how it is printed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong on one page."""

    page: str
    check: str
    detail: str


@dataclass
class Report:
    """What was found on some pages; reports add up."""

    problems: list[Problem] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    pages: int = 0
    examined: int = 0  # pages that were looked at in every way
    links: int = 0
    formulas: int = 0
    load: int = 0  # largest first load of a page without its images, bytes

    def add(self, other: Report) -> None:
        """Add ``other`` to this one."""
        self.problems += other.problems
        self.features |= other.features
        self.hosts |= other.hosts
        self.pages += other.pages
        self.examined += other.examined
        self.links += other.links
        self.formulas += other.formulas
        self.load = max(self.load, other.load)


def lines(problems: Iterable[Problem], most: int = 3) -> list[str]:
    """One line for each problem; what is on more than ``most`` pages, or as often on one page, shares a line."""
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for problem in sorted(set(problems)):
        places[problem.check, problem.detail].append(problem.page)
    rows: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for (check, detail), pages in places.items():
        for page in pages if len(pages) <= most else [f"{pages[0]} (and {len(pages) - 1} other pages)"]:
            rows[page, check, detail.split(" @ ")[0] if check.startswith("axe") else ""].append(detail)
    return [
        f"{page} | {check} | {detail}"
        for (page, check, _), details in sorted(rows.items())
        for detail in (details if len(details) <= most else [*details[:most], f"... and {len(details) - most} more"])
    ]


def shorten(text: str, length: int = 160) -> str:
    """``text`` on one line, cut to ``length``."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"

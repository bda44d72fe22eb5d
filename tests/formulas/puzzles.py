"""The derivations of the revision pages as puzzles, with the equations of the chapters.

``python -m tests.formulas.puzzles clustering`` prints the lines of a page with their numbers and formulas, whether
their equations are executed, and whether each wrong line is refuted.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "_ext"))  # as pytest does

from derivations import aligned_rows
from puzzle_lines import Line, Wrong, read, squeezed

from tests.formulas import page
from tests.formulas.chapters import STEMS, Chapter
from tests.formulas.execute import FALSE, Result, on_all

FOLDER = Path(__file__).resolve().parents[2] / "chapters/revision/derivations"
SECTION = re.compile(r"^\(([\w-]+)\)=\n+## [^\n]*\n+:::\{derivation\}\n(.*?)^:::$", re.M | re.S)


@dataclass(frozen=True)
class Puzzle:
    """A derivation: its page and its lines."""

    page: str
    lines: tuple[Line, ...]

    @property
    def wrong(self) -> list[tuple[Line, Wrong]]:
        """The wrong lines, each with the line that it distorts."""
        return [(line, twin) for line in self.lines for twin in line.wrong]

    @property
    def after(self) -> list[list[int]]:
        """For each line those that it uses, from 0 on."""
        return [[number - 1 for number in line.after] for line in self.lines]


@cache
def puzzles() -> dict[str, Puzzle]:
    """All derivations, by page and label: ``clustering:derivation-kmeans``."""
    found = {}
    for path in sorted(FOLDER.glob("*.md")):
        for label, content in SECTION.findall(path.read_text(encoding="utf-8")):
            found[f"{path.stem}:{label}"] = Puzzle(path.stem, tuple(read(content.splitlines())[1]))
    return found


@cache
def owners() -> dict[str, str]:
    """The chapter of each labelled formula."""
    return {label: stem for stem, part in STEMS.items() for label in page.labelled(page.markdown(f"{part}/{stem}"))}


def formula_of(label: str) -> str:
    """The formula of a chapter that has this label."""
    return Chapter.of(owners()[label]).formulas[label]


def row_of(line: Line) -> str:
    """The right formula of a line, as the page shows it."""
    tex = formula_of(line.label)
    return squeezed(tex if line.row is None else aligned_rows(tex)[line.row])


def distorted(line: Line, twin: Wrong) -> str:
    """The whole equation of a chapter with the wrong line in it."""
    tex = formula_of(line.label)
    if line.row is None:
        return twin.of(tex)
    rows = aligned_rows(tex)
    rows[line.row] = twin.of(rows[line.row])
    return r"\begin{aligned}" + r"\\ ".join(rows) + r"\end{aligned}"


def executed(label: str, tex: str) -> list[Result]:
    """What becomes of a formula on the instances of the chapter that has this label."""
    return on_all(tex, Chapter.of(owners()[label]).instances, label)


def statuses(label: str, tex: str) -> str:
    """What becomes of the statements of a formula, in a few words."""
    return ", ".join(dict.fromkeys(result.status for result in executed(label, tex)))


def listing(stem: str) -> str:
    """The lines of a page, for those who write wrong ones."""
    rows: list[str] = []
    for name, puzzle in puzzles().items():
        if puzzle.page != stem:
            continue
        rows += ["", name]
        for number, line in enumerate(puzzle.lines, start=1):
            after = ", ".join(map(str, line.after)) or "none"
            state = statuses(line.label, formula_of(line.label))
            rows.append(f"{number}. {line.label} (after {after}) [{state}] {row_of(line)}")
            rows += [f"   {verdict_on(line, twin)}" for twin in line.wrong]
    return "\n".join(rows)


def verdict_on(line: Line, twin: Wrong) -> str:
    """Whether a wrong line is refuted, or why it cannot be written."""
    try:
        tex = distorted(line, twin)
    except ValueError as error:
        return f"NOT WRITTEN: {error}"
    found = statuses(line.label, tex)
    return f"{'refuted' if FALSE in found.split(', ') else f'NOT REFUTED [{found}]'}: {twin.of(row_of(line))}"


if __name__ == "__main__":
    print(listing(sys.argv[1]))

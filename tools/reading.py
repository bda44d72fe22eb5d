"""What a reader sees of each chapter: words, formulas, pictures, tables, printed lines and numbers.

    python -m tools.reading [stem ...]

Counted is what is open on the page, before the exam corner (the summary along with it) and in the corner. A formula in
a line is a word; a displayed one, a table, code and what is folded are none. Folded are dropdowns, solutions, what one
will learn and needs, the reasons in a quiz, and what a hidden cell shows; lines of ``display.check`` are one chip, so
they are counted by themselves. The core is the derivation, up to the algorithm. A sentence is short that has six words
or fewer.

The limits below hold for each chapter; ``tests/site/test_reading.py`` sees to it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

WORDS, CORNER, MEAN = (2500, 4000), 2000, 3300  # before the corner; in it; the mean of all chapters
MOST = {"equations": 36, "printed": 8, "tables": 6, "numbers": 150, "short": 0.08}
LEAST = {"pictures": 6, "moving": 1, "core": 60.0}
COLD = 6  # cards to know cold

OPENS = re.compile(r"^\s*(:{3,})\{([\w:-]+)\}\s*(.*)$")
CLOSES = re.compile(r"^\s*(:{3,})\s*$")
OPTION = re.compile(r"^:[\w-]+:\s*(.*)$")
DISPLAYED = re.compile(r"\s*\$\$(.*?)\$\$(?:[ ]*\(([\w-]+)\))?[ ]*\n?\n?", re.DOTALL)
MARK = "\x01"  # stands for a displayed formula, which is a word of its sentence and may end it
ROLE = re.compile(r"\{[\w:]+\}`[^`]*`")
CHECK = re.compile(r".+ \(equal to [\d.e+-]+\)")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
RUN_IN = re.compile(r"^(?:[-*]|\d+\.)?\s*\*\*[^*]+[.:?]?\*\*[.:]?\s*")  # a bold beginning is a title
HIDDEN = {"hide-cell", "hide-output", "remove-cell", "remove-output"}
FOLDED_NAMES = {"dropdown", "solution", "solution-start"}
FOLDED_CLASSES = {"dropdown", "toggle", "objectives", "needs"}


@dataclass
class Seen:
    """What is open on one side of the chapter."""

    words: int = 0
    equations: int = 0  # labelled ones
    displayed: int = 0
    pictures: int = 0  # still and moving
    moving: int = 0
    checks: int = 0
    printed: int = 0
    tables: int = 0
    numbers: int = 0
    core_words: int = 0
    core_displayed: int = 0
    sentences: list[str] = field(default_factory=list)

    @property
    def short(self) -> float:
        """Share of sentences of six words or fewer, formulas counted as words."""
        return sum(len(s.split()) <= 6 for s in self.sentences) / max(len(self.sentences), 1)

    @property
    def core(self) -> float:
        """Words of the core for each of its displayed formulas."""
        return self.core_words / max(self.core_displayed, 1)


class Reader:
    """Reads the cells of a notebook from top to bottom, and knows what is folded where it stands."""

    def __init__(self) -> None:
        self.before, self.corner = Seen(), Seen()
        self.seen = self.before
        self.section, self.in_core = "", False
        self.boxes: list[tuple[str, bool, str]] = []  # colons, folded, name: of each box that is open
        self.in_solution = False  # between solution-start and solution-end, which stand in different cells
        self.paragraph: list[str] = []

    @property
    def folded(self) -> bool:
        """Whether what comes now is folded."""
        return self.in_solution or any(folded for _, folded, _ in self.boxes)

    def cell(self, cell: dict[str, Any]) -> None:
        """Read a cell."""
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            self.boxes = []
            self.text(source)
        elif not (self.in_solution or HIDDEN & set(cell["metadata"].get("tags", []))):
            for output in cell["outputs"]:
                self.output(output)

    def text(self, source: str) -> None:
        """Read Markdown line by line."""
        source = DISPLAYED.sub(marked, source)
        lines = iter(source.split("\n"))
        for line in lines:
            if opened := OPENS.match(line):
                self.end_paragraph()
                self.open(opened, lines)
            elif closed := CLOSES.match(line):
                self.end_paragraph()
                if self.boxes and self.boxes[-1][0] == closed[1]:
                    self.boxes.pop()
            else:
                self.line(line)
        self.end_paragraph()

    def open(self, opened: re.Match[str], lines: Iterator[str]) -> None:
        """Open a box; its title counts, its options do not."""
        colons, name, title = opened.groups()
        options, first = [], ""
        for first in lines:
            option = OPTION.match(first)
            if option is None:
                break
            options.append(first)
        classes = {word for line in options if line.startswith(":class:") for word in line.split()[1:]}
        if name == "solution-end":
            self.in_solution = False
        if name in FOLDED_NAMES or FOLDED_CLASSES & classes:
            self.in_solution |= name == "solution-start"
            self.boxes.append((colons, True, name))
        else:
            if not self.folded:
                self.count(title)
            quiz = any(word.startswith(("quiz", "statement")) for word in classes)
            self.boxes.append((colons, False, "quiz" if quiz else name))
        if CLOSES.match(first):
            self.boxes.pop()
        elif first:
            self.line(first)

    def line(self, line: str) -> None:
        """Read a line that opens and closes nothing."""
        bare = line.strip()
        if heading := re.match(r"## (.*)", line):
            self.section = heading[1]
            self.in_core &= self.section != "Algorithm"
            self.seen = self.corner if self.section == "Exam corner" else self.before
        self.in_core |= bool(re.match(r"\([\w-]+-derivation\)=$", bare))
        if self.folded:
            return
        quiz = bool(self.boxes) and self.boxes[-1][2] == "quiz"
        if line.startswith(MARK):
            self.seen.displayed += 1
            self.seen.equations += len(line.rstrip(".")) > 1
            self.seen.core_displayed += self.in_core
            self.paragraph.append("M." if line.endswith(".") else "M")
        elif bare.startswith("|"):
            self.seen.tables += bool(re.fullmatch(r"\|[-:| ]+\|", bare))
            self.end_paragraph()
        elif not bare or re.match(r"\([\w-]+\)=$", bare):
            self.end_paragraph()
        elif bare.startswith("#"):
            self.end_paragraph()
            self.count(bare)
        elif not quiz or bare.startswith("- ["):
            if re.match(r"(?:[-*]|\d+\.)\s", bare):
                self.end_paragraph()
            self.count(bare)
            self.paragraph.append(RUN_IN.sub("", bare) if not self.paragraph else bare)

    def count(self, text: str) -> None:
        """Count the words of some text."""
        found = len(words(text))
        self.seen.words += found
        self.seen.core_words += found if self.in_core else 0

    def end_paragraph(self) -> None:
        """Cut the lines since the last empty one into sentences, those of an algorithm left out: they are commands."""
        if self.section != "Exam corner" and not any(name == "prf:algorithm" for _, _, name in self.boxes):
            cut = re.split(r"(?<=[.!?])\s+", plain(" ".join(self.paragraph)))
            self.seen.sentences += [s for s in cut if sum(word not in ("M", "M.", "R") for word in words(s)) > 1]
        self.paragraph = []

    def output(self, output: dict[str, Any]) -> None:
        """Count what a visible cell shows."""
        data = output.get("data", {})
        if "image/png" in data:
            self.seen.pictures += 1
        elif "text/html" in data and "text/markdown" not in data:
            self.seen.pictures += 1
            self.seen.moving += 1
        else:
            text = "".join(output.get("text") or data.get("text/markdown") or data.get("text/plain") or "").strip()
            if text.startswith("|"):
                self.seen.tables += 1
            elif "text/markdown" in data:  # a listing, or a drill that is set like text
                return
            else:
                lines = text.split("\n")
                checks = sum(bool(CHECK.fullmatch(line)) for line in lines)
                self.seen.checks += checks
                self.seen.printed += len(lines) - checks
                text = "\n".join(line for line in lines if not CHECK.fullmatch(line))
            self.seen.numbers += len(NUMBER.findall(text))


def marked(found: re.Match[str]) -> str:
    """The line that stands for a displayed formula: its label, and its full stop."""
    return f"\n{MARK}{found[2] or ''}{'.' if found[1].rstrip().endswith('.') else ''}\n"


def plain(text: str) -> str:
    """Markdown as it is read: a formula and a reference are one word each."""
    text = re.sub(r"\$[^$]*\$", " M ", text)
    return re.sub(r"[#*`\[\]]", " ", ROLE.sub(" R ", text)).strip()


def words(text: str) -> list[str]:
    """The words of some Markdown."""
    return [word for word in plain(text).split() if re.search(r"[A-Za-z0-9]", word)]


def read(path: Path) -> Reader:
    """Read a notebook."""
    reader = Reader()
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        reader.cell(cell)
    return reader


def problems(path: Path) -> list[str]:
    """Where a chapter does not keep the limits."""
    reader = read(path)
    before, corner = reader.before, reader.corner
    found = [] if WORDS[0] <= before.words <= WORDS[1] else [f"{before.words} words before the corner, not {WORDS}"]
    if corner.words > CORNER:
        found.append(f"{corner.words} words in the corner, at most {CORNER}")
    for name, most in MOST.items():
        if getattr(before, name) > most:
            found.append(f"{name} {getattr(before, name):.4g}, at most {most}")
    for name, least in LEAST.items():
        if getattr(before, name) < least:
            found.append(f"{name} {getattr(before, name):.4g}, at least {least}")
    return found


def chapters(stems: list[str]) -> list[Path]:
    """The notebooks of some chapters, or of all."""
    paths = sorted(path for path in (ROOT / "chapters").glob("*/*.ipynb") if path.parent.name != "revision")
    unknown = set(stems) - {path.stem for path in paths}
    if unknown:
        sys.exit(f"no chapter is called {', '.join(sorted(unknown))}: give stems such as svm")
    return [path for path in paths if not stems or path.stem in stems]


def main(stems: list[str]) -> int:
    """Print a row for each chapter, the longest first, and where one does not keep the limits."""
    columns = ("words", "equations", "pictures", "moving", "checks", "printed", "tables", "numbers")
    head = f"{'chapter':22}{'words':>7}{'corner':>7}" + "".join(f"{name:>10}" for name in columns[1:])
    print(head + f"{'short':>7}{'words/eq':>9}")
    rows = [(read(path), path) for path in chapters(stems)]
    for reader, path in sorted(rows, key=lambda row: -row[0].before.words):
        seen = reader.before
        counts = "".join(f"{getattr(seen, name):>10}" for name in columns[1:])
        print(f"{path.stem:22}{seen.words:>7}{reader.corner.words:>7}{counts}{seen.short:>7.1%}{seen.core:>9.0f}")
    print(f"{'mean':22}{sum(reader.before.words for reader, _ in rows) / len(rows):>7.0f}")
    for _, path in rows:
        for problem in problems(path):
            print(f"{path.stem}: {problem}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

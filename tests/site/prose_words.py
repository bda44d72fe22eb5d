"""Words that compare in the sentences of a chapter, and the numbers that they compare.

``prose_words.yml`` says for a phrase, such as *nearly twice as many mistakes*, which cells of the section's tables make
it true. A share or multiple is compared with one number, a word of order such as *falls* with several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from tests.site.prose_numbers import HEADING, LABEL, PRINTED, outputs

SHARES = {"two and a half": 2.5, "half": 1 / 2, "two thirds": 2 / 3, "third": 1 / 3, "three quarters": 3 / 4,
          "quarter": 1 / 4, "fifth": 0.2, "tenth": 0.1, "twice": 2, "threefold": 3, "fivefold": 5, "five times": 5,
          "ten times": 10}  # fmt: skip
ORDERS = {"falls?|fewer": (">", 1), "rises|grows": ("<", 1), "smallest|lowest|better": ("<", 0),
          "largest|larger|worst": (">", 0)}  # fmt: skip
HEDGES = {"less than|fewer than": (0, 1), "more than|over": (1, 9), "nearly|almost": (0.8, 1.02), "about": (0.85, 1.15)}
PLAIN = (0.9, 1.1)  # how near to a share that stands without such a word


@dataclass
class Section:
    """The text below a heading, and the tables that its cells print: rows of cells, the headings first."""

    text: str = ""
    tables: list[list[list[str]]] = field(default_factory=list)
    output: str = ""

    def printed(self, text: str, place: int = 0) -> float:
        """The number that is printed behind a text, or the one so many places after it."""
        return number(self.output.partition(text)[2], place)

    def cell(self, row: str, column: str = "", place: int = 0) -> float:
        """The number in a cell, of the second column if none is named; at place 1 stands its error bar."""
        (found,) = (self.find(table, row, column) for table in self.tables if self.has(table, row, column))
        return number(found, place)

    def column(self, name: str, of: str = "") -> list[float]:
        """The numbers of a column from top to bottom; ``of`` is the first column of the table, where two have it."""
        (table,) = (table for table in self.tables if name in table[0] and of in ("", table[0][0]))
        return [number(row[table[0].index(name)]) for row in table[1:]]

    def has(self, table: list[list[str]], row: str, column: str) -> bool:
        """Whether a table has such a row and column."""
        return row in [cells[0] for cells in table[1:]] and (not column or column in table[0])

    def find(self, table: list[list[str]], row: str, column: str) -> str:
        """What stands in a cell."""
        at = table[0].index(column) if column else 1
        return next(cells for cells in table[1:] if cells[0] == row)[at]


def number(text: str, place: int = 0) -> float:
    """The first number of a text, or the one so many places after it; a percentage is a share."""
    found = [match[0] for match in PRINTED.finditer(text)][place : place + 1]
    if not found:
        raise ValueError(f"no number in {text!r}")
    share = f"{found[0]} %" in text or f"{found[0]}%" in text
    return float(found[0].replace("−", "-")) / (100 if share else 1)


def sections(path: Path) -> dict[str, Section]:
    """The sections of a notebook by their labels."""
    found, label, here = {}, "", Section()
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            here.tables += [table for output in cell["outputs"] for table in tables(output)]
            here.output += outputs(cell)
            continue
        for line in source.split("\n"):
            if match := LABEL.fullmatch(line):
                label = match[1]
            elif match := HEADING.fullmatch(line):
                here = found.setdefault(label or match[1], Section())
                label = ""
            here.text = " ".join((here.text + " " + line).split())
    return found


def tables(output: dict) -> list[list[list[str]]]:
    """The table that an output prints in Markdown."""
    lines = "".join(output.get("data", {}).get("text/markdown", "")).split("\n")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [[rows[0], *rows[2:]]] if rows else []


def agrees(phrase: str, value: float | Sequence[float]) -> bool:
    """Whether a phrase is true of a number, or of several in their order."""
    if isinstance(value, list):
        (relation, chain), *_ = [rule for words, rule in ORDERS.items() if re.search(rf"\b({words})\b", phrase)]
        pairs = pairwise(value) if chain else ((value[0], other) for other in value[1:])
        return all(a < b if relation == "<" else a > b for a, b in pairs)
    share, *_ = [worth for word, worth in SHARES.items() if re.search(rf"\b{word}\b", phrase)]
    low, high = next((ends for words, ends in HEDGES.items() if re.search(rf"\b({words})\b", phrase)), PLAIN)
    return low * share < value < high * share

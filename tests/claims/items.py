"""The items of a chapter that have a right answer: questions with options, and statements that are true or false."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
KINDS = r"quiz|quiz-multiple|statement-true|statement-false"
BOX = re.compile(rf"^:::\{{admonition\}} (.*)\n:class: ({KINDS})\n(?::name: (.*)\n)?((?:.*\n)*?):::$", re.M)
OPTION = re.compile(r"^[-*+] \[([ xX])\] (.*)$", re.M)


class Item(NamedTuple):
    """A question as it stands on the page; ``marks`` says of each option, or of the statement, whether it is right."""

    label: str
    question: str
    options: tuple[str, ...]
    marks: tuple[bool, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """What is right or wrong: the options, or the statement itself."""
        return self.options or (self.question,)


def read_items(text: str) -> list[Item]:
    """The items of a Markdown text; one without a name has the label ''."""
    found = []
    for title, kind, label, body in BOX.findall(text):
        question, *options = OPTION.split(body)
        if kind.startswith("statement"):
            found.append(Item(label, plain(title), (), (kind == "statement-true",)))
        else:
            marks = tuple(mark != " " for mark in options[::3])
            found.append(Item(label, plain(f"{title} {question}"), tuple(map(plain, options[1::3])), marks))
    return found


def plain(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def markdown(chapter: str) -> str:
    """The Markdown cells of a chapter, such as kernels/svm."""
    cells = json.loads((ROOT / f"chapters/{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


@cache
def items_of(chapter: str) -> dict[str, Item]:
    """The items of a chapter by their labels."""
    return {item.label: item for item in read_items(markdown(chapter))}

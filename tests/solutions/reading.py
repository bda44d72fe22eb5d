r"""What a piece of a page says in numbers: its statements, and the numbers of its sentences, in reading order.

A piece is an exercise with its solution, or a card. Marks, roles, code and the numbers of a list do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.formulas import page
from tests.formulas.tokens import Tokens, statements

EXERCISE = re.compile(r"^:::\{exercise\} [^\n]*\n:label: ([\w-]+)\n(.*?)(?=^:::\{exercise|^#+ |\Z)", re.M | re.S)
CARD = re.compile(r"^:::\{admonition\} ([^\n]*)\n:class: ([\w-]+)[^\n]*\n:name: ([\w-]+)\n(.*?)^:::$", re.M | re.S)
SILENT = re.compile(
    r"\{[\w:]+\}`[^`]*`|`[^`]*`|^:::.*$|^:\w+:.*$|^\(.*\)=$|^\s*\d+\. |^- \[[ x]\]"  # roles, code, directives, lists
    r"|\([^()$]*\bmarks?\b[^()]*\)|\bExecuted \(|worth \d marks",
    re.M,
)
WORTH = {"half": 0.5, "halves": 0.5, "halved": 0.5, "twice": 2.0, "doubled": 2.0, "doubles": 2.0, "third": 1 / 3,
         "quarter": 0.25, "fifth": 0.2, "tenth": 0.1}  # fmt: skip
SPOKEN = rf"half|halves|halved|twice|doubled|doubles|(?<=\ba )(?:{'|'.join(list(WORTH)[6:])})"
ITEM = re.compile(
    rf"\$\$(?P<display>.*?)\$\$|\$(?P<inline>.*?)\$|\b(?P<word>{SPOKEN})\b|(?<![\w.])(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?)",
    re.S | re.I,
)


class Piece(NamedTuple):
    """A piece of a page, its kind (``exercise`` or the class of a card) and its text."""

    kind: str
    text: str


class Item(NamedTuple):
    """A statement of a formula, or the number that a sentence says in digits or in a word."""

    text: str
    statement: Tokens = ()
    number: float = 0.0


@cache
def pieces(chapter: str) -> dict[str, Piece]:
    """The exercises and cards of a chapter, such as ``kernels/svm``, by their labels."""
    text = page.markdown(chapter)
    found = {label: Piece("exercise", body) for label, body in EXERCISE.findall(text)}
    return found | {label: Piece(kind, f"{title}.\n\n{body}") for title, kind, label, body in CARD.findall(text)}


def speaking(text: str) -> str:
    """A text of the same length, without what does not count."""
    return SILENT.sub(lambda m: " " * len(m[0]), text.replace("$ $", "   "))


def items(text: str) -> Iterator[Item]:
    """What a text says in numbers."""
    for m in ITEM.finditer(speaking(text)):
        if m["word"]:
            yield Item(m[0], number=WORTH[m["word"].lower()])
        elif m["number"]:
            yield Item(m[0], number=float(m[0].replace(",", "")))
        else:
            formula = prepared(m["display"] or m["inline"])
            yield from (Item(" ".join(ts), ts) for ts in statements(formula))


def prepared(formula: str) -> str:
    """A formula without units, and with the braces that TeX may do without."""
    formula = re.sub(r"\\text\{ ?(?:bits|nats)\}|\\,?\\%", "", formula)
    formula = re.sub(r"(\d)\{,\}(?=\d)", r"\1", formula)
    formula = re.sub(r"\)\s*;(?=\s*[+-]?\d)", "),", formula)  # a point and its label
    return re.sub(r"\\binom\s*([\w{])", lambda m: r"\binom" + (m[1] if m[1] == "{" else f"{{{m[1]}}}"), formula)


def says_a_number(ts: Tokens) -> bool:
    """Whether a digit stands in a statement."""
    return any(any(c.isdigit() for c in t) for t in ts)

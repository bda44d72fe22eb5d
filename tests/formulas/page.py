"""The labelled formulas of a chapter and those of its *must know* cards, read from the notebook."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from tests.formulas.tokens import LOGIC, tokens

ROOT = Path(__file__).resolve().parents[2]
LABELLED = re.compile(r"\$\$((?:(?!\$\$).)*)\$\$ \(([\w-]+)\)", re.S)
CARD = re.compile(r":::\{admonition\} [^\n]*\n:class: must-know\n:name: ([\w-]+)\n(.*?)\n:::", re.S)
SPAN = re.compile(r"\$\$(.*?)\$\$|\$(.*?)\$", re.S)
COMPUTES = {*LOGIC, r"\leftarrow", r"\frac", r"\dfrac", r"\tfrac", r"\sum", r"\prod", "+", "-", "/", r"\to", r"\pm"}
PRODUCT = re.compile(r"\d+(?:\.\d+)?\s*[^\s\d.%\\]|\d+\s*\\[a-z]|e\^")  # 2(1 - a), 2\varepsilon, e^a
TOGETHER = (
    (r"\$\s+subject to \$", r" \\text{subject to} "),  # a problem and its constraints
    (r"(subject to\}[^$]*)\$ (?:\*\*)?and(?:\*\*)? \$", r"\1, "),
    (r"\$\s+\$\\quad (?=[-+])", " "),  # a long formula in two lines
    (r"\$([^$]*(?:\\[lg]eq?|=|<|>|\\in)[^$]*)\$: \$", r"$\\text{if } \1: \\quad "),  # a claim under a condition
)


@cache
def markdown(page: str) -> str:
    """The text of a chapter, such as ``kernels/svm``."""
    cells = json.loads((ROOT / "chapters" / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def labelled(text: str) -> dict[str, str]:
    """The displayed formulas with a label."""
    return {label: formula.strip() for formula, label in LABELLED.findall(text)}


def of_cards(text: str) -> dict[str, str]:
    """The formulas of the cards, by label and number; a span that names something without computing is none."""
    return {
        f"{label}:{number}": span for label, card in CARD.findall(text) for number, span in enumerate(spans(card), 1)
    }


def spans(card: str) -> list[str]:
    """What stands between dollar signs and computes or states something, and what belongs together as one."""
    for pattern, joined in TOGETHER:
        card = re.sub(pattern, joined, card)
    found = [(display or inline).strip() for display, inline in SPAN.findall(card)]
    return [span for span in found if COMPUTES & {*tokens(span)} or PRODUCT.match(span)]

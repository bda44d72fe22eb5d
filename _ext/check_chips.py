"""Checks as a chip: what ``display.check`` prints is one folded line, such as *✓ 6 identities hold on numbers*.

The reader of a derivation wants to know that it was checked, not to read the proof of it. Opening the chip shows the
lines, and the code where the cell prints nothing else; in a cell that also prints or draws something the code keeps its
own fold. Claims that a cell asserts in silence are counted along. The stored outputs are as they were, so that
notebooks are compared by them, and JupyterLab shows the lines.
"""

from __future__ import annotations

import ast
import re

import html_nodes
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

CHECK = re.compile(r".+ \(equal to [\d.e+-]+\)")  # a line that display.check prints
INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def split(text: str) -> tuple[list[str], list[str]]:
    r"""The lines of an output: checks, and all others.

    Examples
    --------
    >>> split("sum: 3 = 3 (equal to 1e-10)\nthe sum is 3\n")
    (['sum: 3 = 3 (equal to 1e-10)'], ['the sum is 3'])
    """
    checks: list[str] = []
    others: list[str] = []
    for line in text.strip("\n").split("\n"):
        (checks if CHECK.fullmatch(line) else others).append(line)
    return checks, others


def claims(source: str) -> int:
    r"""How many claims a cell asserts, those in functions not counted: they may be called often, or never.

    Examples
    --------
    >>> claims("assert 1 < 2\nfor n in range(3):\n    assert n < 3\n\ndef f(x):\n    assert x")
    2
    """
    try:
        waiting: list[ast.AST] = [ast.parse(source)]
    except SyntaxError:  # a magic of IPython
        return 0
    found = 0
    while waiting:
        node = waiting.pop()
        found += isinstance(node, ast.Assert)
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, INNER)]
    return found


def summary(identities: int, claimed: int) -> str:
    """What the chip says.

    Examples
    --------
    >>> summary(6, 0), summary(1, 0), summary(2, 1)
    ('6 identities hold on numbers', '1 identity holds on numbers', '2 identities and 1 claim hold on numbers')
    """
    parts = [f"{identities} identit{'y' if identities == 1 else 'ies'}"] if identities else []
    parts += [f"{claimed} claim{'' if claimed == 1 else 's'}"] if claimed else []
    return f"{' and '.join(parts)} hold{'s' if identities + claimed == 1 else ''} on numbers"


class CheckChips(SphinxPostTransform):
    """Fold the lines of checks, also in copies on other pages, after code was folded (199)."""

    default_priority = 240
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Look at every cell, and at every output without a cell."""
        for output in list(self.document.findall(is_output)):
            cell = output.parent
            while cell is not None and cell.get("nb_element") != "cell_code":
                cell = cell.parent
            make_chip(output, cell)
        for cell in list(self.document.findall(is_silent)):
            claimed = claims(cell.astext())
            if claimed:
                cell += chip(0, claimed, [])
                give_code(cell, cell[-1])


def is_output(node: nodes.Node) -> bool:
    """Whether a node holds what a cell shows."""
    return isinstance(node, nodes.container) and "cell_output" in node["classes"]


def is_silent(node: nodes.Node) -> bool:
    """Whether a node is a cell with folded code that shows nothing."""
    if not (isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"):
        return False
    return len(node) == 1 and isinstance(node[0], HideCodeCellNode)


def make_chip(output: nodes.Element, cell: nodes.Element | None) -> None:
    """Take the lines of checks out of an output and put a chip at its end, with the code if nothing else is left."""
    lines: list[str] = []
    for block in [node for node in output.children if isinstance(node, nodes.literal_block)]:
        checks, others = split(block.astext())
        if not checks:
            continue
        lines += checks
        if others:
            block.children, block.rawsource = [], "\n".join(others)
            block += nodes.Text(block.rawsource)
        else:
            output.remove(block)
    if lines:
        code = "" if cell is None else source_of(cell)
        output += chip(len(lines), claims(code), lines)
        if cell is not None and len(output) == 1:
            give_code(cell, output[0])


def source_of(cell: nodes.Element) -> str:
    """The code of a cell."""
    sources = cell.findall(
        lambda node: isinstance(node, nodes.Element) and node.get("nb_element") == "cell_code_source"
    )
    return "".join(node.astext() for node in sources)


def chip(identities: int, claimed: int, lines: list[str]) -> nodes.Element:
    """A fold with a tick and what holds; in it the lines."""
    title = html_nodes.paragraph("", f"✓ {summary(identities, claimed)}", tag="summary")
    box = html_nodes.block("check-chip", title, tag="details")
    if lines:
        text = "\n".join(lines)
        box += nodes.literal_block(text, text, classes=["output", "stream"], language="none")
    return box


def give_code(cell: nodes.Element, box: nodes.Element) -> None:
    """Move the folded code of a cell into its chip."""
    for fold in [node for node in cell.children if isinstance(node, HideCodeCellNode)]:
        code = [node for node in fold.children if node.get("nb_element") == "cell_code_source"]
        if len(code) == len(fold):
            cell.remove(fold)
            box["classes"].append("with-code")
            box.children[1:1] = code
            for node in code:
                node.parent = box


def setup(app):
    """Register the transform."""
    for extension in ("html_nodes", "code_view"):
        app.setup_extension(extension)
    app.add_post_transform(CheckChips)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

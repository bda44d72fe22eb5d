"""How long each section of a page is, roughly, for browsers that lay it out only when the reader comes near.

``long_pages.css`` takes the estimate, a number of lines of text, as the height of a section that was never on the
screen. The nearer it is, the less the scroll bar moves. What is folded counts as one line.
"""

from __future__ import annotations

import re
from math import ceil

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

SECTION = re.compile(r'<section(?=[^>]*\sid="([^"]+)")')
COLUMN = 72  # characters of text in a line
FOLDED = {"dropdown", "toggle", "sd-dropdown", "quiz-feedback", "reference-more"}
HEIGHTS = {nodes.title: 3, nodes.math_block: 3, nodes.image: 14}  # in lines of text


def folded(node: nodes.Element) -> bool:
    """Whether a reader sees one line of it at first: a solution, the code of a cell that is tagged so."""
    return isinstance(node, HideCodeCellNode) or not FOLDED.isdisjoint(node.get("classes", ()))


def lines(node: nodes.Node) -> float:
    """Estimate the height of a node in lines of text."""
    if not isinstance(node, nodes.Element):
        return 0
    if folded(node):
        return 1.5
    for kind, height in HEIGHTS.items():
        if isinstance(node, kind):
            return height
    if isinstance(node, nodes.raw):  # a table or a player, or a tag of a directive
        return 14 if "<img" in node.astext() else node.astext().count("<tr")
    if isinstance(node, nodes.literal_block):
        return 1.5 + 0.75 * len(node.astext().splitlines())
    if isinstance(node, nodes.TextElement):
        return 0.5 + ceil(len(node.astext()) / COLUMN)
    heights = [lines(child) for child in node.children]
    return max(heights, default=0) if isinstance(node, nodes.row) else sum(heights)


def write_sizes(app, pagename, templatename, context, doctree) -> None:
    """Write the estimate on each section below the page's own one."""
    if doctree is None:
        return
    inner = [node for node in doctree.findall(nodes.section) if isinstance(node.parent, nodes.section)]
    sizes = {name: round(lines(node)) for node in inner for name in node["ids"]}

    def replaced(found: re.Match[str]) -> str:
        return f'<section style="--lines: {sizes[found[1]]}"' if found[1] in sizes else found[0]

    context["body"] = SECTION.sub(replaced, context["body"])


def setup(app):
    """Change the pages on their way to the template."""
    app.connect("html-page-context", write_sizes)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

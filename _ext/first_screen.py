"""The first screen of a chapter: title, question, three sentences, picture; what is for later is folded below.

The folds *What you will learn* and *What you need* (``objectives``), the code that sets the notebook up and that of the
first picture become a row of folds where the first of them stands. On pages with a sidebar the facts about the chapter
move there, below the contents; where there is none, as on a phone, the line below the title says the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import html_nodes
import written_pages
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.transforms.post_transforms import SphinxPostTransform

SET_UP, OF_THE_PICTURE = "Set-up code", "Code of the picture"
FACTS = re.compile(r'<dl class="[^"]*objectives-facts[^>]*>.*?</dl>', re.DOTALL)
SIDEBAR = re.compile(r'(<div class="sidebar-secondary-items[^>]*>)')


class GatherFolds(SphinxPostTransform):
    """Put the folds at the head of a chapter side by side, after code was folded (199)."""

    default_priority = 250
    formats = ("html",)

    def run(self, **kwargs) -> None:
        """Gather them in a block of their own."""
        folds = [node for node in self.document.findall(html_nodes.html_block) if "chapter-fold" in node["classes"]]
        if not folds:
            return
        parent = folds[0].parent
        row = html_nodes.block("chapter-folds")
        parent.insert(parent.index(folds[0]), row)
        row += [*map(take, folds), *codes(parent)]


def codes(head: nodes.Element) -> Iterator[nodes.Element]:
    """The folded code of the cells at the head of a chapter: of one that shows nothing, and of the picture."""
    for cell in list(head.children):
        if isinstance(cell, nodes.section):
            return
        if isinstance(cell, nodes.container) and cell.get("nb_element") == "cell_code":
            fold = cell.children[0]
            if isinstance(fold, HideCodeCellNode):
                fold["summary"] = OF_THE_PICTURE if len(cell) > 1 else SET_UP
                yield (
                    html_nodes.block("cell tag_hide-input docutils container", take(fold))
                    if len(cell) > 1
                    else take(cell)
                )


def take(node: nodes.Element) -> nodes.Element:
    """Take a node out of where it stands."""
    node.parent.remove(node)
    return node


def facts_to_sidebar(page: str) -> str:
    """Move the facts about a chapter below the contents of the page, where there is a sidebar for them."""
    facts = FACTS.search(page)
    if facts is None or not SIDEBAR.search(page):
        return page
    page = page[: facts.start()] + page[facts.end() :]
    return SIDEBAR.sub(lambda found: f"{found[1]}\n{facts[0]}", page, count=1)


def setup(app):
    """Register the transform and the move."""
    for extension in ("html_nodes", "written_pages"):
        app.setup_extension(extension)
    written_pages.change(app, facts_to_sidebar)
    app.add_post_transform(GatherFolds)
    app.add_css_file("first_screen.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

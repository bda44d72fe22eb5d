"""``:::{method-directions} methods.yml`` lists every dial of the book: which way it turns bias and variance, and where
that is seen.

The dials are those of the methods of the file (see ``method_table``). A dial with a ``row`` links to the folded table
of directions in the chapter *Bias and variance*, one with a ``picture`` to that figure, or to the section of a moving
picture: a label that is nowhere is a warning, as with any reference. The script of the table of methods filters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import html_nodes
from chapter_role import chapter_reference
from docutils import nodes
from method_table import TURNS, MethodTable, cell
from sphinx import addnodes

COLUMNS = ("Method", "Task", "As it grows", "Squared bias", "Variance", "To see it")
DIRECTIONS = "bias-variance-directions"  # the folded table
FIGURE = "fig-"


class MethodDirections(MethodTable):
    """The table of dials."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        book = self.read()
        methods = [method for method in book["methods"] if self.is_whole(method, book) and method["dials"]]
        dials = sum(len(method["dials"]) for method in methods)
        head = html_nodes.block("", *(cell(name, tag="th", scope="col") for name in COLUMNS), tag="tr")
        caption = html_nodes.paragraph("", f"{dials} hyper-parameters of {len(methods)} methods", tag="caption")
        bodies = [self.body(method, book) for method in methods]
        head = html_nodes.block("", head, tag="thead")
        return [html_nodes.block("method-table method-directions", caption, head, *bodies, tag="table")]

    def body(self, method: dict[str, Any], book: dict[str, Any]) -> nodes.Node:
        """The dials of a method, a row each; its name and its tasks stand beside all of them."""
        link = self.placed(chapter_reference(self.env, method["chapter"], method["name"]))
        span = {"rowspan": str(len(method["dials"]))}
        tasks = ", ".join(book["tasks"][task] for task in method["tasks"])
        first = [cell(link, tag="th", scope="rowgroup", **span), cell(tasks, label=COLUMNS[1], **span)]
        rows = [[*self.cells(dial)] for dial in method["dials"]]
        rows[0][:0] = first
        lines = (html_nodes.block("method-facts", *row, tag="tr") for row in rows)
        return html_nodes.block("method", *lines, tag="tbody", data_tasks=" ".join(method["tasks"]))

    def cells(self, dial: dict[str, Any]) -> Iterator[nodes.Node]:
        """What is said of a dial."""
        yield cell(nodes.literal(dial["name"], dial["name"]), label=COLUMNS[2])
        if "effect" in dial:
            yield cell(dial["effect"], label="Effect", colspan="2")
        else:
            yield cell(TURNS[dial["bias"]], label=COLUMNS[3])
            yield cell(TURNS[dial["variance"]], label=COLUMNS[4])
        links = []
        if label := dial.get("picture"):
            links.append(self.link(label, "picture" if FIGURE in label else "moving picture"))
        if "row" in dial:
            links.append(self.link(DIRECTIONS, "table"))
        parts = [part for link in links for part in (", ", link)][1:]
        yield cell(*parts, label=COLUMNS[5]) if parts else cell()

    def link(self, label: str, text: str) -> nodes.Node:
        """A reference to a label, as the role ``ref`` makes it."""
        about = {"refdoc": self.env.docname, "refdomain": "std", "reftype": "ref", "refexplicit": True}
        reference = addnodes.pending_xref("", nodes.inline("", text), reftarget=label, refwarn=True, **about)
        return self.placed(reference)


def setup(app):
    """Register the directive."""
    app.setup_extension("method_table")
    app.add_directive("method-directions", MethodDirections)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

"""The directive ``{topic-table}``: where each topic of the widely read notes stands in this book.

It reads ``topics.csv`` beside the page: topic, group, chapter (a stem), section (the label of the section that covers
the topic; empty while the chapter is not written). Topics may hold inline Markdown. The file lists all that those notes
hold; the page shows what a reader may look for: no row whose chapter is the page itself (title pages, remnants), and no
``Heading:`` that leads where another topic leads.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from pathlib import Path
from typing import ClassVar

import book_outline
import chapter_role
import html_nodes
import page_store
from book_log import warn
from docutils import nodes
from equation_links import simple_table
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

COLUMNS = ["topic", "group", "chapter", "section"]
BARE = re.compile(r"^Heading: ")  # a title without text of its own
HOW_LISTED = re.compile(r"^(?:Heading|Names?|Slides without text): |, one sentence(?: each)?$")


class TopicTable(SphinxDirective):
    """The table; an argument names another file beside the page."""

    optional_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Build one table a group."""
        path = page_store.file_beside(self, self.arguments[0] if self.arguments else "topics.csv")
        page_store.keep(self.env, chapter_role.USERS, True)
        rows = worth_showing(self.read(path), self.env.docname.rsplit("/", 1)[-1])
        groups: dict[str, list[dict[str, str]]] = defaultdict(list)
        for row in rows:
            groups[row["group"]].append(row)
        result = html_nodes.block(
            "topic-table", html_nodes.paragraph("topic-count", f"{covered(rows)} of {len(rows)} topics are covered.")
        )
        for group, members in groups.items():
            count = html_nodes.inline("topic-group-count", f"({covered(members)} of {len(members)})")
            result += html_nodes.heading("topic-group", 1, group, " ", count)
            result += simple_table("topic-rows", ("Topic", "Where"), [self.row(member) for member in members])
        return [result]

    def read(self, path: Path) -> list[dict[str, str]]:
        """Read the file; rows are numbered as its lines."""
        try:
            with path.open(encoding="utf-8", newline="") as file:
                reader = csv.DictReader(file)
                rows = list(reader)
        except OSError as error:
            self.warn(f"cannot read the topics: {error}")
            return []
        if reader.fieldnames != COLUMNS:
            self.warn(f"{path.name} must have the columns {', '.join(COLUMNS)}")
            return []
        return rows

    def row(self, topic: dict[str, str]) -> list[nodes.Node]:
        """The two cells of a topic."""
        text, _ = self.state.inline_text(topic["topic"], self.lineno)
        where = nodes.paragraph("", "", self.with_place(chapter_role.chapter_reference(self.env, topic["chapter"])))
        label = topic["section"]
        if not label:
            if book_outline.page_of(self.env, topic["chapter"]):
                self.warn(f"the topic {topic['topic']!r} names no section although {topic['chapter']!r} is written")
            return [html_nodes.paragraph("topic-planned", *text), where]
        link = addnodes.pending_xref("", refdomain="", reftype="section-of-topic", reftarget=label, refwarn=True)
        link["refdoc"] = self.env.docname
        link += nodes.inline("", "", *text)
        return [html_nodes.paragraph("topic-covered", self.with_place(link)), where]

    def with_place(self, node: nodes.Element) -> nodes.Element:
        """Tell a node where it comes from, for warnings."""
        self.set_source_info(node)
        return node

    def warn(self, message: str) -> None:
        """Warn at the directive."""
        warn("topics", message, self.get_location())


def worth_showing(rows: list[dict[str, str]], page: str) -> list[dict[str, str]]:
    """The rows that a reader may look for, headings under their own name."""
    rows = [row for row in rows if row["chapter"] != page]
    places = {(row["chapter"], row["section"]) for row in rows if not BARE.match(row["topic"])}
    shown = []
    for row in rows:
        heading, place = BARE.match(row["topic"]), (row["chapter"], row["section"])
        if not heading or place not in places:
            topic = HOW_LISTED.sub("", row["topic"])
            shown.append(row | {"topic": topic[:1].upper() + topic[1:]})
            places |= {place} if heading else set()
    return shown


def covered(rows: list[dict[str, str]]) -> int:
    """Count the topics that have a section."""
    return sum(1 for row in rows if row["section"])


def resolve(app, env, node, contnode) -> nodes.Node | None:
    """Link a topic to its section; unlike Sphinx's own ``ref`` this keeps formulas in the text."""
    if node.get("reftype") != "section-of-topic":
        return None
    page, node_id = env.get_domain("std").anonlabels.get(node["reftarget"], ("", ""))
    if not page:
        warn("topics", f"there is no section with the label {node['reftarget']!r}", node)
        return contnode
    return make_refnode(app.builder, node["refdoc"], page, node_id, contnode)


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline", "chapter_role"):
        app.setup_extension(extension)
    app.connect("missing-reference", resolve, priority=400)
    app.add_directive("topic-table", TopicTable)
    return {"version": "2", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}

"""The directive ``{worksheet}``: worksheets for paper, made in the browser from the drills that the trainer loads.

``static/trainer/worksheet.js`` puts a choice of chapter and sheet in its place, and the sheet of ``run.py worksheet``.
Without JavaScript the text in the directive stays. The drills of a hub lead here.
"""

from __future__ import annotations

from typing import ClassVar

import book_outline
import html_nodes
import page_store
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from trainer import PAGES as TRAINERS

WORKSHEETS = "worksheet pages"
SCRIPTS = ("trainer/data", "trainer/fields", "trainer/progress", "trainer/worksheet")


class worksheet(html_nodes.html_block):
    """The place of the worksheet."""


class Worksheet(SphinxDirective):
    """The worksheet; the content is there without JavaScript."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Leave a place for it."""
        page_store.keep(self.env, WORKSHEETS, True)
        place = worksheet("", classes=["worksheet-page", "trainer"], tag="div", html={})
        self.state.nested_parse(self.content, self.content_offset, place)
        return [place]


def link_trainer(app, doctree, docname) -> None:
    """Tell the script where the trainer is."""
    for place in doctree.findall(worksheet):
        pages = page_store.pages(app.env, TRAINERS)
        if pages and app.builder.format == "html":
            place["html"] = {"data-trainer": app.builder.get_relative_uri(docname, pages[0])}


def worksheet_link(app, stem: str) -> nodes.Node | None:
    """A link to the worksheets of a chapter from the page that is written; None if no page has them."""
    pages = page_store.pages(app.env, WORKSHEETS)
    address = book_outline.address(app, pages[0], f"chapter={stem}&seed=0") if pages else None
    if address is None:
        return None
    return nodes.reference("", "Print a worksheet", internal=True, refuri=address, classes=["hub-worksheet"])


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Load scripts and style sheets on the page of the worksheets alone."""
    if doctree is None or pagename not in page_store.kept(app.env, WORKSHEETS):
        return
    for name in SCRIPTS:
        app.add_js_file(f"{name}.js", loading_method="defer")
    for name in ("trainer", "worksheet"):
        app.add_css_file(f"{name}.css")


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline", "trainer"):
        app.setup_extension(extension)
    app.add_node(worksheet, html=(html_nodes.visit_element, html_nodes.depart_element))
    app.add_directive("worksheet", Worksheet)
    app.connect("doctree-resolved", link_trainer)
    app.connect("html-page-context", add_files)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

"""HTML elements as document nodes: the vocabulary that the book's own directives share.

A directive builds its output from these nodes. The HTML writers print the element with the classes and attributes
it was given; every other writer falls back on the docutils class underneath (container, paragraph, inline text,
rubric), so the same document degrades to plain text and LaTeX without further code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from docutils import nodes


class html_block(nodes.container):
    """An element that holds blocks."""


class html_paragraph(nodes.paragraph):
    """An element that holds text and inline markup, a block of its own elsewhere."""


class html_inline(nodes.inline):
    """An element inside a line of text."""


class html_heading(nodes.rubric):
    """A heading below the section it stands in; ``depth`` 1 is the next level."""


def block(classes: str, *children: nodes.Node, tag: str = "div", **attributes: str) -> html_block:
    """Build an element that holds blocks; ``aria_label`` becomes ``aria-label``."""
    return _build(html_block, classes, children, tag, attributes)


def paragraph(classes: str, *children: nodes.Node | str, tag: str = "p", **attributes: str) -> html_paragraph:
    """Build an element that holds text."""
    return _build(html_paragraph, classes, children, tag, attributes)


def inline(classes: str, *children: nodes.Node | str, tag: str = "span", **attributes: str) -> html_inline:
    """Build an element inside a line."""
    return _build(html_inline, classes, children, tag, attributes)


def heading(classes: str, depth: int, *children: nodes.Node | str) -> html_heading:
    """Build a heading ``depth`` levels below the section that it will stand in."""
    return _build(html_heading, classes, children, "h", {}, depth=depth)


def contents(places: Iterable[tuple[str, str, str]]) -> html_block:
    """Build the contents of a page: of each place the title, which leads to its id, and what stands behind that."""
    listing = nodes.bullet_list()
    for title, place, behind in places:
        link = nodes.reference("", title, internal=True, refid=place)
        listing += nodes.list_item("", nodes.paragraph("", "", link, *([nodes.Text(behind)] if behind else [])))
    return block(
        "card-list-contents", listing, tag="nav", aria_label="In this list"
    )  # a page may have contents besides


def raw_html(markup: str) -> nodes.raw:
    """Markup that only the HTML writers print."""
    return nodes.raw("", markup, format="html")


def data(name: str, value: object) -> nodes.raw:
    """Values for the script of a page, as JSON in an element of that class."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", r"\u003c")
    return raw_html(f'<script type="application/json" class="{name}">{text}</script>')


def section_around(node: nodes.Node | None) -> nodes.section | None:
    """The section that a node stands in, or that it is."""
    while node is not None and not isinstance(node, nodes.section):
        node = node.parent
    return node


def _build(node_class, classes, children, tag, attributes, **extra) -> Any:
    html = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    node = node_class("", classes=classes.split(), tag=tag, html=html, **extra)
    for child in children:
        node += nodes.Text(child) if isinstance(child, str) else child
    return node


def visit_element(translator, node) -> None:
    """Open the element."""
    translator.body.append(translator.starttag(node, node["tag"], "", **node["html"]))


def depart_element(translator, node) -> None:
    """Close the element."""
    translator.body.append(f"</{node['tag']}>" + ("" if isinstance(node, nodes.inline) else "\n"))


def visit_heading(translator, node) -> None:
    """Open a heading whose level follows from the sections around it."""
    node["tag"] = f"h{min(translator.section_level + node['depth'], 6)}"
    visit_element(translator, node)


def setup(app):
    """Register the HTML visitors."""
    for node_class in (html_block, html_paragraph, html_inline):
        app.add_node(node_class, html=(visit_element, depart_element))
    app.add_node(html_heading, html=(visit_heading, depart_element))
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

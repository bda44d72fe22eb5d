"""``:::{statement-list}`` shows every statement of the book that is true or false, by chapter, each with a link back.

The statements are copies of those in the chapters, so they answer as they do there. ``revision.js`` shuffles them by a
seed; without it they stand in the order of the book.
"""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import book_outline
import html_nodes
import page_store
from docutils import nodes
from exam_cards import move_links, portable
from quiz import quiz_item
from revision import STATEMENT_LISTS as LISTS
from revision import STATEMENTS, anchor_of
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective


class statement_list(nodes.General, nodes.Element):
    """Stands where the statements go until the page is written."""


class Statement(NamedTuple):
    """A statement as other pages see it."""

    label: str
    node: quiz_item


class StatementList(SphinxDirective):
    """All statements."""

    def run(self) -> list[nodes.Node]:
        """Leave a place for them."""
        page_store.keep(self.env, LISTS, True)
        return [statement_list("")]


def collect(app, document) -> None:
    """Keep copies of a page's statements; they keep their ids, which their buttons are named after."""
    for item in document.findall(quiz_item):
        if "quiz-true-false" in item["classes"] and item["ids"]:
            copy = portable(item)
            copy["ids"], copy[0]["ids"] = item["ids"][:1], item[0]["ids"][:1]
            page_store.keep(app.env, STATEMENTS, Statement(item["ids"][0], copy))


def statements(env) -> list[tuple[str, Statement]]:
    """All statements with their pages, in the order of the book."""
    kept = page_store.kept(env, STATEMENTS)
    return [(page, statement) for page in page_store.reading_order(env) for statement in kept.get(page, [])]


class FillStatementLists(SphinxPostTransform):
    """Put copies of the statements in their place, before anything in them is resolved."""

    default_priority = 2

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(statement_list)):
            place.replace_self(self.listing())

    def listing(self) -> nodes.Node:
        """The contents, and the statements under the titles of their chapters."""
        result, places = html_nodes.block("statement-list"), []
        for page, group in groupby(statements(self.env), key=lambda pair: pair[0]):
            found, title, anchor = [*group], book_outline.page_title(self.env, page), anchor_of("statements", page)
            places.append((title, anchor, f" ({len(found)})"))
            heading = html_nodes.heading("statement-list-chapter", 1, title)
            heading["ids"] = [anchor]
            chapter = html_nodes.block("statement-list-group", heading)
            result += chapter
            chapter += [self.copy(page, statement) for _, statement in found]
        if not places:
            return html_nodes.paragraph("card-list-empty", "No chapter holds a statement yet.")
        result.insert(0, html_nodes.contents(places))
        return result

    def copy(self, page: str, statement: Statement) -> nodes.Node:
        """One statement with a link to its place."""
        copy = statement.node.deepcopy()
        move_links(self.app, copy, page)
        origin = book_outline.link(self.app, book_outline.page_title(self.env, page), page, statement.label)
        copy += html_nodes.paragraph("exam-card-source", origin)
        return copy


def stale_pages(app, env) -> list[str]:
    """Name the pages whose statements, or whose numbers in them, are not those of the last build."""
    told = [(page, label, node.pformat()) for page, (label, node) in statements(env)]
    state = told, page_store.numbering(env), book_outline.state(env)
    return page_store.pages(env, LISTS) if page_store.changed(env, STATEMENTS, state) else []


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline", "exam_cards", "quiz"):
        app.setup_extension(extension)
    app.add_node(statement_list)
    app.add_directive("statement-list", StatementList)
    app.add_post_transform(FillStatementLists)
    app.connect("doctree-read", collect, priority=970)
    app.connect("env-get-updated", stale_pages, priority=900)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

"""``:::{today}``: what comes back today, one thing after the other, with what is new.

The page shows it from scripts, as the trainer does, and loads those of the chapters that it shows alone:

* ``_static/drills/today.js``: the labels of cards, statements and questions by chapter;
* ``_static/drills/cards-<chapter>.js``: the *must know* cards of a chapter, as markup;
* the trainer's own scripts of drills and questions.

Without JavaScript the page says what there is of the same kind; that is the content of the directive.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, ClassVar

import book_outline
import drill_scripts
import html_nodes
import page_store
from docutils import nodes
from exam_cards import SECOND_TIER, classes, exam_card, name_of
from quiz import quiz_item
from shared_markup import share
from sphinx.util.docutils import SphinxDirective
from trainer import FOLDER, PROGRESS, is_page, kind_of, questions_file

PAGES, ITEMS = "pages of what is due", "labels of what comes back"
SCRIPTS = (*PROGRESS, "judge", "chance", "trainer/data", "trainer/store", "trainer/fields", "trainer/exercise")
SCRIPTS += ("trainer/papers", "trainer/questions", "trainer/progress", "today/items", "today/session", "today/page")


class today(html_nodes.html_block):
    """The place of what is due, with what is there without JavaScript."""


class Today(SphinxDirective):
    """What is due."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build what is there without JavaScript."""
        page_store.keep(self.env, PAGES, True)
        static = html_nodes.block("today-static")
        self.state.nested_parse(self.content, self.content_offset, static)
        return [today("", static, classes=["trainer", "today"], tag="div", html={})]


def cards_of(document: nodes.document) -> list[exam_card]:
    """The cards of a chapter that are to be known."""
    return [card for card in document.findall(exam_card) if card["kind"] == "must-know" and "label" in card]


def questions_of(document: nodes.document) -> list[quiz_item]:
    """The questions of a chapter, as the trainer's script has them."""
    return [item for item in document.findall(quiz_item) if any("quiz-options" in classes(child) for child in item)]


def collect(app, document) -> None:
    """Keep the labels of a chapter: of its cards; of its questions, "" where there is none, and whether to judge."""
    if book_outline.chapter_at(app.env, app.env.docname):
        questions = [
            [item["ids"][0] if item["ids"] else "", int(kind_of(item) == "true-false")]
            for item in questions_of(document)
        ]
        labels = {"cards": [card["label"] for card in cards_of(document)], "questions": questions}
        page_store.keep(app.env, ITEMS, labels)


def cards_file(app, page: str) -> Path:
    """Where the cards of a chapter are."""
    return Path(app.outdir, FOLDER, f"cards-{page.rsplit('/', 1)[-1]}.js")


def write_cards(app, doctree, docname) -> None:
    """Write the cards of a chapter that is about to be written, with its links and formulas."""
    if app.builder.format != "html" or not is_page(doctree) or not book_outline.chapter_at(app.env, docname):
        return
    found = cards_of(doctree)
    if found:
        parts = [part for card in found for part in (name_of(card), card[1])]
        markup, table = share([app.builder.render_partial(part.deepcopy())["fragment"].strip() for part in parts])
        second = [int(SECOND_TIER in classes(card)) for card in found]
        cards = [[card["label"], second[n], *markup[2 * n : 2 * n + 2]] for n, card in enumerate(found)]
        path = cards_file(app, docname)
        drill_scripts.write_script(path, path.stem, {"table": table, "cards": cards})


def write_index(app, exception) -> None:
    """Write the labels of all chapters, with a digest of what their scripts hold."""
    if exception or app.builder.format != "html" or not page_store.pages(app.env, PAGES):
        return
    chapters: dict[str, Any] = {}
    for page in page_store.reading_order(app.env):
        chapter, own = book_outline.chapter_at(app.env, page), page_store.kept(app.env, ITEMS).get(page)
        if chapter and own:
            chapters[chapter.stem] = own[0] | {"version": digest(cards_file(app, page), questions_file(app, page))}
    path = Path(app.outdir, FOLDER, "today.js")
    drill_scripts.write_script(path, path.stem, chapters)


def digest(*paths: Path) -> str:
    """What changes when one of some files does."""
    content = b"".join(path.read_bytes() for path in paths if path.exists())
    return hashlib.sha256(content).hexdigest()[:12]


def address(app) -> str | None:
    """The address of the page, from the one that is written; None if there is no such page."""
    pages = page_store.pages(app.env, PAGES)
    return book_outline.address(app, pages[0]) if pages else None


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Load scripts and style sheets on the page alone."""
    if doctree is not None and any(doctree.findall(today)):
        for name in SCRIPTS:
            app.add_js_file(f"{name}.js", loading_method="defer")
        for name in ("trainer.css", "today.css"):
            app.add_css_file(name)


def setup(app):
    """Register the directive and write at the end, while KaTeX is there."""
    for extension in ("html_nodes", "page_store", "book_outline", "exam_cards", "quiz", "trainer"):
        app.setup_extension(extension)
    app.add_node(today, html=(html_nodes.visit_element, html_nodes.depart_element))
    app.add_directive("today", Today)
    app.connect("doctree-read", collect, priority=970)
    app.connect("doctree-resolved", write_cards, priority=950)
    app.connect("html-page-context", add_files)
    app.connect("build-finished", write_index, priority=410)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

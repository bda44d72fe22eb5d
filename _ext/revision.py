"""Where the pages of the revision hold what belongs to a chapter."""

from __future__ import annotations

from collections.abc import Iterator

import book_outline
import page_store
from docutils import nodes

CARDS, CARD_LISTS = "exam cards", "pages that collect exam cards"
STATEMENTS, STATEMENT_LISTS = "statements", "pages that list statements"
HUBS = "chapters that a page is the hub of"
NAMES = {"must-know": "formulas", "lost-marks": "mistakes"}


def anchor_of(kind: str, page: str) -> str:
    """The id of a chapter's place on a page that collects things of a kind."""
    return nodes.make_id(f"{kind}-{page.rsplit('/', 1)[-1]}")


def links(app, page: str) -> list[nodes.Node]:
    """Links to what there is of a chapter, with commas between them; none in formats without links."""
    parts: list[nodes.Node] = []
    for text, there, anchor in of_chapter(app.env, page):
        uri = book_outline.address(app, there, anchor)
        parts += [nodes.Text(", "), nodes.reference("", text, internal=True, refuri=uri)] if uri else []
    return parts[1:]


def of_chapter(env, page: str) -> Iterator[tuple[str, str, str]]:
    """What there is of a chapter: its name, the page that collects it, and its place there."""
    chapter = book_outline.chapter_at(env, page)
    for there, stems in sorted(page_store.kept(env, HUBS).items()):
        if chapter and chapter.stem in stems:
            yield "all on one page", there, ""
    mine = {card.kind for card in page_store.kept(env, CARDS).get(page, [])}
    part = book_outline.part_of(env, page)
    for kind in (kind for kind in NAMES if kind in mine):
        for there, lists in sorted(page_store.kept(env, CARD_LISTS).items()):
            if any(shown.kind == kind and shown.part in (None, part) and not shown.contents for shown in lists):
                yield NAMES[kind], there, anchor_of(kind, page)
    if page_store.kept(env, STATEMENTS).get(page):
        for there in page_store.pages(env, STATEMENT_LISTS):
            yield "true or false?", there, anchor_of("statements", page)

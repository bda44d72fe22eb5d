"""What other pages say of a chapter: its question, its first picture, what it asks and the route of its exam corner.

All this is kept when the chapter is read, so that no page has to open another one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import book_outline
import page_store
from docutils import nodes
from first_picture import first_picture
from quiz import quiz_item
from sphinx import addnodes

SUMMARIES = "summaries of chapters"
BEGINS, ENDS = "If you have two hours", ". The rest"  # of the sentence that states the route
NUMBER = re.compile(r"\d+")


class Route(NamedTuple):
    """Minutes of the parts of the route that a chapter's exam corner states."""

    cards: int
    drills: int
    exercises: int
    quiz: int
    mistakes: int = 0


class Summary(NamedTuple):
    """What is kept of a chapter."""

    question: Any  # a node, or None
    picture: str  # a digest of the first picture, "" without one
    quiz: list[str]  # the ids of its questions and statements
    route: Route | None


def question(document: nodes.document) -> Any:
    """The bold text that opens a chapter, without a hold on its page; None if it opens with something else."""
    # docutils' messages, which are taken out later, are no paragraphs of a section
    paragraphs = (each for each in document.findall(nodes.paragraph) if isinstance(each.parent, nodes.section))
    first = next(paragraphs, ())
    begins = next((child for child in first if child.astext()), None)  # MyST puts empty texts around it
    return page_store.detached(begins.deepcopy()) if isinstance(begins, nodes.strong) else None


def route(text: str) -> Route | None:
    """Read the minutes of the sentence that states the route; None if they do not add up to the last number.

    Examples
    --------
    >>> route("If you have two hours, read (15 minutes), work (39) and (35), answer (10): 99 minutes. The rest is")
    Route(cards=15, drills=39, exercises=35, quiz=10, mistakes=0)
    """
    *parts, whole = [int(number) for number in NUMBER.findall(text.partition(ENDS)[0])] or [0]
    return Route(*parts) if len(parts) in (4, 5) and sum(parts) == whole else None


def own_words(node: nodes.Element) -> str:
    """The text of a paragraph without the names of labels that it refers to, which may hold numbers."""
    texts = node.findall(nodes.Text)
    return "".join(text for text in texts if not isinstance(text.parent.parent, addnodes.pending_xref))


def route_of(document: nodes.document) -> Route | None:
    """The route that a page states."""
    texts = (own_words(node) for node in document.findall(nodes.paragraph))
    return next((route(text) for text in texts if text.startswith(BEGINS)), None)


def collect(app, document) -> None:
    """Keep the summary of a chapter."""
    env = app.env
    if book_outline.chapter_at(env, env.docname):
        ids = [item["ids"][0] for item in document.findall(quiz_item) if item["ids"]]
        picture = picture_of(env, env.docname)
        digest = page_store.digest(picture) if picture else ""
        page_store.keep(env, SUMMARIES, Summary(question(document), digest, ids, route_of(document)))


def picture_of(env, page: str) -> bytes | None:
    """The first picture of a page that is a notebook."""
    path = Path(env.doc2path(page))
    return first_picture(json.loads(path.read_text(encoding="utf-8"))) if path.suffix == ".ipynb" else None


def summary(env, page: str) -> Summary:
    """What is known of a chapter's page."""
    return page_store.kept(env, SUMMARIES)[page][0]


def chapters(env) -> list[book_outline.Chapter]:
    """The written chapters, in the order of the plan."""
    known = page_store.kept(env, SUMMARIES)
    return [chapter for chapter in book_outline.outline(env).values() if chapter.page in known]


def told(env, found: Iterable[book_outline.Chapter]) -> list[tuple]:
    """Everything that other pages print of summaries: they are stale when this changes."""
    known = [(chapter, summary(env, chapter.page)) for chapter in found]
    return [(chapter, own.question and own.question.pformat(), *own[1:]) for chapter, own in known]


def setup(app):
    """Look at each chapter when it is read."""
    for extension in ("page_store", "book_outline", "quiz"):
        app.setup_extension(extension)
    app.connect("doctree-read", collect, priority=970)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

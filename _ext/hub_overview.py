"""``:::{hub-overview}`` lists the hubs by part: what each chapter asks of a student, and what to do first.

``hub_overview.js`` shows instead what the browser has kept: cards known, drills and questions that went right, what is
left of the route that the chapter's exam corner states, and the next step. It reads the chapters from a script element.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import book_outline
import chapter_summary
import exercises
import html_nodes
import page_store
import today
from chapter_summary import Route
from docutils import nodes
from exam_cards import cards
from practice_labels import FACTS
from revision import HUBS
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from trainer import PAGES as TRAINERS
from trainer import note_topics, topics_of

from notes_lib import drills

OVERVIEWS = "pages with an overview of the hubs"
KINDS = {"must-know": "cards", "lost-marks": "mistakes"}


class hub_overview(nodes.General, nodes.Element):
    """Stands where the overview goes until its page is written."""


class HubOverview(SphinxDirective):
    """The hubs, by part."""

    def run(self) -> list[nodes.Node]:
        """Leave a place for them."""
        page_store.keep(self.env, OVERVIEWS, True)
        for chapter in book_outline.outline(self.env).values():
            note_topics(self.env, f"{chapter.part}/{chapter.stem}")
        return [hub_overview("")]


def tasks(env, chapter: book_outline.Chapter) -> dict[str, Any]:
    """What a chapter asks of a student, with minutes: labels of cards, mistakes and questions; drills; exercises."""
    own = chapter_summary.summary(env, chapter.page)
    found: dict[str, Any] = {"cards": [], "mistakes": []}
    for page, card in cards(env):
        if page == chapter.page and card.kind in KINDS:
            found[KINDS[card.kind]].append(card.label)
    topics = topics_of(chapter)
    found["drills"] = [[topic, drills.title(topic), drills.minutes(topic)] for topic in topics]
    found["exercises"] = list(first_exercises(env, chapter.page))
    found["quiz"] = own.quiz
    stated = own.route or usual_route(found)
    return found | {"minutes": [stated.cards, stated.quiz, stated.mistakes]}


def first_exercises(env, page: str) -> Iterator[list]:
    """The exercises of a page that are on its route, with their minutes."""
    for label, entry in exercises.known(env).items():
        facts = FACTS.search(exercises.title(entry)) if entry["docname"] == page else None
        if facts and facts["route"] == "first":
            yield [label, int(facts["minutes"])]


def usual_route(found: dict[str, Any]) -> Route:
    """The minutes of a chapter that states no route."""
    most = math.ceil(1.5 * len(found["cards"]))
    return Route(most, 0, 0, len(found["quiz"]), 20 if found["mistakes"] else 0)


def minutes(found: dict[str, Any]) -> int:
    """The minutes of all tasks of a chapter."""
    return sum([*found["minutes"], *(entry[-1] for entry in [*found["drills"], *found["exercises"]])])


def count(number: int, name: str) -> str:
    """A number of things."""
    return f"{number} {name}{'' if number == 1 else 's'}"


class FillOverviews(SphinxPostTransform):
    """Show the hubs."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(hub_overview)):
            place.replace_self(html_nodes.block("hub-overview", *self.parts()))

    def parts(self) -> Iterator[nodes.Node]:
        """For each part its chapters that have a hub; then the same for the script."""
        found = [(chapter, hub, tasks(self.env, chapter)) for chapter, hub in hubs(self.env)]
        for title, group in groupby(found, key=lambda each: each[0].part_title):
            rows = html_nodes.block("hub-chapters", *(self.row(*each) for each in group), tag="ul")
            yield html_nodes.block("hub-part", html_nodes.heading("hub-part-title", 1, title), rows)
        yield self.data(found)

    def row(self, chapter: book_outline.Chapter, hub: str, found: dict[str, Any]) -> nodes.Node:
        """One chapter, of which nothing has been done."""
        names = {"cards": "card", "drills": "drill", "exercises": "exercise", "quiz": "question", "mistakes": "mistake"}
        facts = [count(len(found[key]), name) for key, name in names.items() if found[key]]
        facts += [f"{minutes(found)} min"] if minutes(found) else []
        first = next((count(len(found[key]), name) for key, name in names.items() if found[key]), "")
        return html_nodes.block(
            "hub-chapter",
            html_nodes.paragraph("hub-title", book_outline.link(self.app, chapter.title, hub)),
            html_nodes.paragraph("hub-facts", " · ".join(fact.replace(" ", "\N{NO-BREAK SPACE}") for fact in facts)),
            html_nodes.paragraph("hub-next", *self.begin(hub, first)),
            tag="li",
        )

    def begin(self, hub: str, first: str) -> list[nodes.Node | str]:
        """Where to begin."""
        place = "hub-formulas" if first.endswith(("card", "cards")) else ""
        return ["Begin with ", book_outline.link(self.app, f"its {first}", hub, place)] if first else []

    def data(self, found: list[tuple[book_outline.Chapter, str, dict[str, Any]]]) -> nodes.Node:
        """The chapters, for the script."""
        pages = page_store.pages(self.env, TRAINERS)
        there = book_outline.address(self.app, pages[0]) if pages else None
        chapters = [
            {"title": chapter.title, "hub": self.address(hub), "page": self.address(chapter.page), **asked}
            for chapter, hub, asked in found
        ]
        return html_nodes.data("hub-data", {"trainer": there, "today": today.address(self.app), "chapters": chapters})

    def address(self, page: str) -> str | None:
        """The address of a page."""
        return book_outline.address(self.app, page)


def hubs(env) -> list[tuple[book_outline.Chapter, str]]:
    """The written chapters that have a hub, each with its page, in the order of the plan."""
    pages = {stem: page for page, stems in page_store.kept(env, HUBS).items() for stem in stems}
    return [(chapter, pages[chapter.stem]) for chapter in chapter_summary.chapters(env) if chapter.stem in pages]


def stale_pages(app, env) -> list[str]:
    """Name the pages whose overview is not that of the last build."""
    found = [(chapter, hub, tasks(env, chapter)) for chapter, hub in hubs(env)]
    shown = found, page_store.pages(env, TRAINERS), page_store.pages(env, today.PAGES)
    return page_store.pages(env, OVERVIEWS) if page_store.changed(env, OVERVIEWS, shown) else []


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Load the script and the style sheet where there is an overview."""
    if doctree is not None and pagename in page_store.kept(app.env, OVERVIEWS):
        for name in ("progress.js", "hub_overview.js"):
            app.add_js_file(name, loading_method="defer")
        app.add_css_file("hub.css")


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline", "chapter_summary", "chapter_hub", "trainer"):
        app.setup_extension(extension)
    app.add_node(hub_overview)
    app.add_directive("hub-overview", HubOverview)
    app.add_post_transform(FillOverviews)
    app.connect("env-get-updated", stale_pages, priority=900)
    app.connect("html-page-context", add_files)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

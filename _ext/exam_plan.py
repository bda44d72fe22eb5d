"""``:::{exam-plan} task_types.yml`` plans the days to an exam: ``static/plan/page.js`` in the place of its text.

What there is to do in each chapter stands in a script element: what ``hub_overview`` knows of it, with reading time,
prerequisites, derivations, and how often exams ask for it, by the list of tasks. Without JavaScript the text stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import book_outline
import exercises
import html_nodes
import page_store
import yaml
from chapter_hub import LINES, derivations_of
from docutils import nodes
from hub_overview import hubs, tasks
from practice_labels import FACTS
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from trainer import PAGES as TRAINERS
from trainer import note_topics

PLANS = "pages that plan"
SCRIPTS = (
    "progress",
    "trainer/data",
    "trainer/fields",
    "trainer/progress",
    "plan/planner",
    "plan/calendar",
    "plan/page",
)
READING, LINE = 2, 1  # minutes for a derivation, and for each of its lines


class exam_plan(nodes.General, nodes.Element):
    """The place of the plan, with what stands there without JavaScript."""


class ExamPlan(SphinxDirective):
    """The plan; the argument is the list of what exams ask."""

    required_arguments: ClassVar[int] = 1
    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Leave a place for it."""
        for chapter in book_outline.outline(self.env).values():
            note_topics(self.env, f"{chapter.part}/{chapter.stem}")
        page_store.keep(self.env, PLANS, True)
        place = exam_plan("", asked=asked(page_store.file_beside(self, self.arguments[0])))
        self.state.nested_parse(self.content, self.content_offset, place)
        return [place]


def asked(path: Path) -> dict[str, int]:
    """How often exams ask for each chapter: the papers of all tasks that name it."""
    found: Counter[str] = Counter()
    for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
        found.update(dict.fromkeys(entry["chapters"], entry.get("seen", 1)))
    return dict(found)


class FillPlans(SphinxPostTransform):
    """Write what the script reads."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(exam_plan)):
            text = html_nodes.block("exam-plan trainer", *place.children)
            place.replace_self([text, self.data(place["asked"])])

    def data(self, counts: dict[str, int]) -> nodes.Node:
        """All chapters that have a hub, and the trainer, if there is one."""
        found = [self.chapter(chapter, hub, counts.get(chapter.stem, 0)) for chapter, hub in hubs(self.env)]
        pages = page_store.pages(self.env, TRAINERS)
        there = book_outline.address(self.app, pages[0]) if pages else None
        return html_nodes.data("plan-data", {"trainer": there, "chapters": found})

    def chapter(self, chapter: book_outline.Chapter, hub: str, count: int) -> dict[str, Any]:
        """What there is to do in a chapter."""
        metadata, known = book_outline.book_metadata(self.env, chapter.page), exercises.known(self.env)
        own = tasks(self.env, chapter)
        titles = [(label, minutes, exercises.title(known[label])) for label, minutes in own["exercises"]]
        return own | {
            "stem": chapter.stem,
            "title": chapter.title,
            "part": chapter.part_title,
            "page": book_outline.address(self.app, chapter.page),
            "hub": book_outline.address(self.app, hub),
            "needs": metadata.get("prerequisites", []),
            "asked": count,
            "read": metadata.get("minutes", 0),
            "exercises": [[label, minutes, FACTS.sub("", title)] for label, minutes, title in titles],
            "derivations": list(derivations(self.app, chapter.page)),
        }


def derivations(app, page: str) -> Iterator[list]:
    """The derivations whose lines are equations of a page: title, minutes, address."""
    for where, anchor, title, lines in derivations_of(app.env, page):
        yield [title, READING + LINE * lines, book_outline.address(app, where, anchor)]


def stale_pages(app, env) -> list[str]:
    """Name the pages whose chapters are not those of the last build."""
    found = [(chapter, hub, tasks(env, chapter)) for chapter, hub in hubs(env)]
    shown = found, exercises.state(env), sorted(page_store.kept(env, LINES).items()), page_store.pages(env, TRAINERS)
    return page_store.pages(env, PLANS) if page_store.changed(env, PLANS, shown) else []


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Load scripts and style sheets where there is a plan; a calendar's library comes when one is asked for."""
    if doctree is not None and pagename in page_store.kept(app.env, PLANS):
        for name in SCRIPTS:
            app.add_js_file(f"{name}.js", loading_method="defer")
        for name in ("trainer", "plan"):
            app.add_css_file(f"{name}.css")


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline", "hub_overview", "chapter_hub", "trainer"):
        app.setup_extension(extension)
    app.add_node(exam_plan)
    app.add_directive("exam-plan", ExamPlan)
    app.add_post_transform(FillPlans)
    app.connect("env-get-updated", stale_pages, priority=900)
    app.connect("html-page-context", add_files)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

"""``:::{task-types} task_types.yml`` lists what exams ask, each task with what the book has to practise it.

The file beside the page is a list of entries with ``task``, ``chapters`` (stems) and, as far as there are any,
``exercises`` (labels), ``drills`` (topics), ``seen``, in how many papers (for ``exam_plan``), and ``type``, its number
among the 40 most frequent types (for the tests). The statements are those of the written chapters, with a link to the
page that lists them; ``statements: all`` stands for all of them. A chapter that is planned is shown as such.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import book_outline
import exercises
import html_nodes
import page_store
import statement_list
import yaml
from book_log import warn
from chapter_role import USERS, chapter_reference
from docutils import nodes
from revision import anchor_of
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from trainer import note_topics, topic_link

from notes_lib import drills

PAGES = "pages that list tasks"
KEYS = {"task", "chapters", "exercises", "drills", "statements", "seen", "type"}


class task_list(nodes.General, nodes.Element):
    """Stands where the list goes until its page is written."""


class TaskTypes(SphinxDirective):
    """The list."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Read the file; leave a place for the list."""
        page_store.keep(self.env, PAGES, True)
        page_store.keep(self.env, USERS, True)
        place = task_list("", tasks=self.read(page_store.file_beside(self, self.arguments[0])))
        for topic in (topic for entry in place["tasks"] for topic in entry.get("drills", [])):
            with suppress(ValueError):  # the link to a topic that is not there is a warning
                note_topics(self.env, drills.chapter(topic))
        self.set_source_info(place)
        return [place]

    def read(self, path: Path) -> list[dict[str, Any]]:
        """The entries of the file; one that cannot be used is a warning."""
        try:
            found = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError) as error:
            warn("task", f"{path.name} cannot be read: {error}", self.get_location())
            return []
        good = []
        for entry in found if isinstance(found, list) else [found]:
            if isinstance(entry, dict) and {"task", "chapters"} <= set(entry) <= KEYS:
                good.append(entry)
            else:
                warn("task", f"an entry of {path.name} needs task and chapters: {entry!r}", self.get_location())
        return good


class FillTaskLists(SphinxPostTransform):
    """Print the lists, before references are resolved."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(task_list)):
            items = [nodes.list_item("", *self.item(entry, place)) for entry in place["tasks"]]
            listing = nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".")
            place.replace_self(html_nodes.block("task-types", listing))

    def item(self, entry: dict[str, Any], place: task_list) -> list[nodes.Node]:
        """A task and what there is for it."""
        rows = {
            "Chapters": [self.chapter(stem, place) for stem in entry["chapters"]],
            "Exercises": [self.exercise(label, place) for label in entry.get("exercises", [])],
            "Drills": [topic_link(self.app, self.env.docname, topic) for topic in entry.get("drills", [])],
            "Statements": self.statements(entry),
        }
        lines = [html_nodes.paragraph("task", str(entry["task"]))]
        for name, links in rows.items():
            parts = [part for link in links for part in (nodes.Text(" · "), link)][1:]
            if parts:
                lines.append(html_nodes.paragraph("task-row", html_nodes.inline("task-kind", name), " ", *parts))
        return lines

    def chapter(self, stem: str, place: task_list) -> nodes.Node:
        """A link to a chapter, or its title while it is not written."""
        reference = chapter_reference(self.env, stem)
        reference.source, reference.line = place.source, place.line
        return reference

    def exercise(self, label: str, place: task_list) -> nodes.Node:
        """A link to an exercise, by its title."""
        if label not in exercises.known(self.env):
            warn("task", f"no chapter has the exercise {label!r}", place)
            return nodes.literal(label, label)
        return exercises.link(self.app, label)

    def statements(self, entry: dict[str, Any]) -> list[nodes.Node]:
        """Links to the statements of the chapters."""
        counts = Counter(page for page, _ in statement_list.statements(self.env))
        listing = next(iter(page_store.pages(self.env, statement_list.LISTS)), "")
        if not listing:
            return []
        if entry.get("statements") == "all":
            return [book_outline.link(self.app, f"all {sum(counts.values())}", listing)]
        pages = [book_outline.page_of(self.env, stem) for stem in entry["chapters"]]
        titles = {page: book_outline.page_title(self.env, page) for page in pages if page and counts[page]}
        return [
            book_outline.link(self.app, f"{counts[page]} of {title}", listing, anchor_of("statements", page))
            for page, title in titles.items()
        ]


def stale_pages(app, env) -> list[str]:
    """Name the pages when exercises or statements are not those of the last build."""
    counts = Counter(page for page, _ in statement_list.statements(env))
    state = exercises.state(env), sorted(counts.items())
    return page_store.pages(env, PAGES) if page_store.changed(env, PAGES, state) else []


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline", "chapter_role", "statement_list", "trainer"):
        app.setup_extension(extension)
    app.add_node(task_list)
    app.add_directive("task-types", TaskTypes)
    app.add_post_transform(FillTaskLists)
    app.connect("env-get-updated", stale_pages, priority=900)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

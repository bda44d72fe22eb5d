"""The directive ``{book-map}``: the map of the book, drawn while it is built.

``:::{book-map} task`` lists the planned chapters by the kind of task they solve, the written ones as links.
``:::{book-map} prerequisite`` draws the written chapters with their prerequisites, as an SVG for wide screens and as a
list for phones, print and other formats. Both are drawn from the outline and from the notebooks' metadata.
"""

from __future__ import annotations

from typing import ClassVar

import book_outline
import chapter_role
import html_nodes
import page_store
import prerequisite_graph
from book_log import warn
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

TASKS = {
    "foundations": "Foundations",
    "supervised": "Supervised learning",
    "unsupervised": "Unsupervised learning",
    "semi-supervised": "Semi-supervised learning",
    "reinforcement": "Reinforcement learning",
}


class book_map(nodes.General, nodes.Element):
    """Stands where a map goes until its page is written."""


class BookMap(SphinxDirective):
    """``task`` or ``prerequisite``."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Leave a place for the map."""
        kind = self.arguments[0]
        if kind not in ("task", "prerequisite"):
            warn("map", f"book-map is by task or by prerequisite, not by {kind!r}", self.get_location())
            return []
        page_store.keep(self.env, chapter_role.USERS, True)
        place = book_map("", kind=kind, page=self.env.docname, name=f"book-map-{self.env.new_serialno('book-map')}")
        self.set_source_info(place)
        return [place]


class DrawMaps(SphinxPostTransform):
    """Draw the maps of a page before references are resolved."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(book_map)):
            place.replace_self(self.by_task() if place["kind"] == "task" else self.by_prerequisite(place))

    def by_task(self) -> nodes.Node:
        """List the planned chapters under their tasks."""
        groups = []
        plan = book_outline.outline(self.env).values()
        for task in [*TASKS, *sorted({chapter.task for chapter in plan} - set(TASKS))]:
            chapters = [chapter for chapter in plan if chapter.task == task]
            if chapters:
                groups.append(self.group(task, chapters))
        return html_nodes.block("book-map book-map-task", *groups)

    def group(self, task: str, chapters: list[book_outline.Chapter]) -> nodes.Node:
        """One task with its chapters."""
        written = [chapter for chapter in chapters if chapter.page in self.env.found_docs]
        count = html_nodes.inline("book-map-count", f"{len(written)} of {len(chapters)} written")
        title = html_nodes.paragraph("book-map-group-title", TASKS.get(task, task), " ", count)
        items = nodes.bullet_list(classes=["book-map-chapters"])
        for chapter in chapters:
            link = chapter_role.chapter_reference(self.env, chapter.stem)
            items += nodes.list_item(
                "", nodes.paragraph("", "", link), classes=["written" if chapter in written else "planned"]
            )
        return html_nodes.block(f"book-map-group {nodes.make_id(task)}", title, items)

    def by_prerequisite(self, place: book_map) -> nodes.Node:
        """Draw the graph, and list the same."""
        needs = self.needs(place)
        shown = [
            chapter
            for chapter in book_outline.outline(self.env).values()
            if chapter.stem in needs or any(chapter.stem in stems for stems in needs.values())
        ]
        listing = nodes.bullet_list()
        for chapter in shown:
            if chapter.stem in needs:
                listing += self.entry(chapter.stem, needs[chapter.stem])
        result = html_nodes.block("book-map book-map-prerequisite")
        if self.app.builder.format == "html":
            drawing = [
                prerequisite_graph.Node(chapter.stem, chapter.title, chapter.part_title, self.href(chapter))
                for chapter in shown
            ]
            svg = prerequisite_graph.draw(drawing, needs, place["name"])
            result += html_nodes.block("book-map-figure", html_nodes.raw_html(svg))
        result += html_nodes.block("book-map-list", listing)
        return result

    def needs(self, place: book_map) -> dict[str, list[str]]:
        """The prerequisites of every written chapter; those that are not in the outline are warned about."""
        plan = book_outline.outline(self.env)
        needs = {}
        for chapter in plan.values():
            if chapter.page in self.env.found_docs:
                stems = book_outline.prerequisites(self.env, chapter.page)
                for stem in stems:
                    if stem not in plan:
                        warn("map", f"{chapter.page} needs {stem!r}, which is not in the outline", place)
                needs[chapter.stem] = [stem for stem in stems if stem in plan]
        return needs

    def entry(self, stem: str, needs: list[str]) -> nodes.Node:
        """One chapter of the list, with what it needs."""
        text = nodes.paragraph("", "", chapter_role.chapter_reference(self.env, stem))
        text += nodes.Text(" needs " if needs else " needs no other chapter")
        for number, other in enumerate(needs):
            text += [nodes.Text(", ")] if number else []
            text += chapter_role.chapter_reference(self.env, other)
        return nodes.list_item("", text)

    def href(self, chapter: book_outline.Chapter) -> str | None:
        """The address of a written chapter, seen from this page."""
        if chapter.page not in self.env.found_docs:
            return None
        return book_outline.address(self.app, chapter.page)


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline"):
        app.setup_extension(extension)
    app.add_node(book_map)
    app.add_directive("book-map", BookMap)
    app.add_post_transform(DrawMaps)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

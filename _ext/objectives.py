"""What stands at the head of a chapter beside its question: the directives ``{objectives}`` and ``{needs}``.

Each is a fold, *What you will learn* and *What you need*; ``first_screen`` puts them side by side. The rest comes from
the plan of the book and from the notebook's own metadata (``book``: prerequisites, minutes). The prerequisites stand
in *What you need*, as links. The other facts, which are the reading time, the library module, the test file, the
notebook and the pages for revision, stand in a list and, in a few words, in one line below the title.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import book_outline
import chapter_role
import html_nodes
import page_store
import revision
import source_of_tests
from book_log import warn
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

NEEDS = "What you need"


class chapter_facts(nodes.General, nodes.Element):
    """Stands where the facts of a chapter go until its page is written."""


class Fact(NamedTuple):
    """Something about a chapter: its name, what it is, and the same in a word where that is a link or a number."""

    name: str
    content: list[nodes.Node]
    short: nodes.Node | None = None


def listed(rows: list[Fact]) -> list[nodes.Node]:
    """Facts as a list of terms and what they are."""
    facts = nodes.definition_list(classes=["objectives-facts"])
    for fact in rows:
        facts += nodes.definition_list_item(
            "", nodes.term(fact.name, fact.name), nodes.definition("", nodes.paragraph("", "", *fact.content))
        )
    return [facts] if rows else []


def fold(kind: str, title: str) -> Any:
    """An empty fold at the head of a chapter."""
    return html_nodes.block(
        f"chapter-fold {kind}", html_nodes.paragraph("chapter-fold-title", title, tag="summary"), tag="details"
    )


class Objectives(SphinxDirective):
    """The fold with what the reader will be able to do."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build the list; leave a place for the facts."""
        box = fold("objectives", "What you will learn")
        if not self.content:
            warn("objectives", "objectives without a list of what the reader will be able to do", self.get_location())
        self.state.nested_parse(self.content, self.content_offset, box)
        facts = chapter_facts("", page=self.env.docname)
        self.set_source_info(facts)
        page_store.keep(self.env, chapter_role.USERS, True)
        return [box, facts]


class Needs(SphinxDirective):
    """The fold with what the reader needs from other chapters."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build the fold."""
        box = fold("needs", NEEDS)
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]


class FillFacts(SphinxPostTransform):
    """Put the facts in their place, before references are resolved."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(chapter_facts)):
            rows = self.facts(place)
            if rows:
                self.add_needs(place)
                self.add_line(place, rows)
            place.replace_self(listed(rows))

    def add_needs(self, place: chapter_facts) -> None:
        """Name the prerequisites at the end of *What you need*; a chapter without that fold gets one."""
        folds = list(self.document.findall(lambda node: isinstance(node, nodes.Element) and "needs" in node["classes"]))
        if not folds:
            folds = [fold("needs", NEEDS)]
            place.parent.insert(place.parent.index(place), folds[0])
        folds[0] += html_nodes.paragraph("chapter-needs", "Builds on: ", *self.prerequisite_links(place["page"]))

    def add_line(self, place: chapter_facts, rows: list[Fact]) -> None:
        """Say the same in one line below the title, where there is no margin."""
        short = [node.deepcopy() for fact in rows if fact.short is not None for node in (nodes.Text(" · "), fact.short)]
        title = next(place.parent.findall(nodes.title), None)
        if short and title is not None:
            title.parent.insert(title.parent.index(title) + 1, html_nodes.paragraph("chapter-line", *short[1:]))

    def facts(self, place: chapter_facts) -> list[Fact]:
        """Say what is known about the chapter, or warn."""
        page = place["page"]
        chapter = book_outline.chapter_at(self.env, page)
        if chapter is None:
            warn("objectives", f"objectives on {page}, which is not a chapter of the outline", place)
            return []
        book = book_outline.book_metadata(self.env, page)
        if not isinstance(book.get("minutes"), int) or "prerequisites" not in book:
            warn(
                "objectives",
                "the notebook's metadata needs book: prerequisites (a list of stems), minutes (a number)",
                place,
            )
        minutes = book.get("minutes", "?")
        rows = [
            Fact("Reading time", [nodes.Text(f"about {minutes} minutes")], nodes.Text(f"{minutes} min")),
            self.module(chapter),
            self.tests(chapter, place),
        ]
        revision_links = revision.links(self.app, page)
        if revision_links:
            first = revision_links[0].deepcopy()
            first.children = [nodes.Text("revise")]
            rows.append(Fact("Revise", revision_links, first))
        notebook = self.notebook_link(page)
        if notebook is not None:
            short = notebook.deepcopy()
            short.children = [nodes.Text("notebook")]
            rows.append(Fact("Notebook", [notebook], short))
        return rows

    def prerequisite_links(self, page: str) -> list[nodes.Node]:
        """Link the prerequisites."""
        links: list[nodes.Node] = []
        for stem in book_outline.prerequisites(self.env, page):
            reference = chapter_role.chapter_reference(self.env, stem)
            reference.source, reference.line = self.env.doc2path(page), 1
            links += [nodes.Text(", "), reference]
        return links[1:] or [nodes.Text("no other chapter")]

    def module(self, chapter: book_outline.Chapter) -> Fact:
        """Name the module, with a link where it is documented."""
        name = nodes.literal(chapter.module, chapter.module)
        python: Any = self.env.get_domain("py")
        entry = python.modules.get(chapter.module)
        if entry is None:
            return Fact("Library", [name])
        there = self.app.builder, self.env.docname, entry.docname, entry.node_id
        return Fact("Library", [make_refnode(*there, name)], make_refnode(*there, nodes.Text("library")))

    def tests(self, chapter: book_outline.Chapter, place: chapter_facts) -> Fact:
        """Name the file of the tests, which must be there, with a link where its source is on the site."""
        name = chapter.test_file
        if not (Path(self.app.srcdir) / name).is_file():
            warn("objectives", f"there is no {name} for this chapter", place)
        uri = source_of_tests.address_of(self.app, name) if source_of_tests.is_shown(self.env, name) else None
        if uri is None:
            return Fact("Tests", [nodes.literal(name, name)])
        long = nodes.reference("", "", nodes.literal(name, name), internal=True, refuri=uri)
        return Fact("Tests", [long], nodes.reference("", "tests", internal=True, refuri=uri))

    def notebook_link(self, page: str) -> nodes.Node | None:
        """Link the copy of the notebook that lies in the site."""
        source = Path(self.env.doc2path(page))
        builder = self.app.builder
        copied = self.config.html_copy_source and getattr(builder, "copysource", False)
        if source.suffix != ".ipynb" or builder.format != "html" or not copied:
            return None
        suffix = "" if source.suffix == self.config.html_sourcelink_suffix else self.config.html_sourcelink_suffix
        up = "../" * builder.get_target_uri(self.env.docname).count("/")
        uri = f"{up}_sources/{page}{source.suffix}{suffix}"
        return html_nodes.inline("objectives-download", source.name, tag="a", href=uri, download=source.name)


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline"):
        app.setup_extension(extension)
    app.add_node(chapter_facts)
    app.add_directive("objectives", Objectives)
    app.add_directive("needs", Needs)
    app.add_post_transform(FillFacts)
    return {"version": "2", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}

"""The directive ``{objectives}``: the box at the top of a chapter.

Its body is the list *You will be able to*. The rest comes from the plan of the book and from the notebook's own
metadata (``book``: prerequisites, minutes): reading time, prerequisites as links, the library module with a link to its
reference, the test file, the notebook itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import book_outline
import chapter_role
import html_nodes
import page_store
import revision
from book_log import warn
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode


class chapter_facts(nodes.General, nodes.Element):
    """Stands where the facts of a chapter go until its page is written."""


class Objectives(SphinxDirective):
    """The box itself."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build the list; leave a place for the facts."""
        box = html_nodes.block("objectives", html_nodes.paragraph("objectives-title", "You will be able to"))
        if not self.content:
            warn("objectives", "objectives without a list of what the reader will be able to do", self.get_location())
        self.state.nested_parse(self.content, self.content_offset, box)
        facts = chapter_facts("", page=self.env.docname)
        self.set_source_info(facts)
        page_store.keep(self.env, chapter_role.USERS, True)
        box += facts
        return [box]


class FillFacts(SphinxPostTransform):
    """Put the facts in their place, before references are resolved."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(chapter_facts)):
            place.replace_self(self.facts(place))

    def facts(self, place: chapter_facts) -> list[nodes.Node]:
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
        rows = [
            ("Reading time", [nodes.Text(f"about {book.get('minutes', '?')} minutes")]),
            ("You need", self.prerequisite_links(page)),
            ("Library", [self.module_link(chapter)]),
            ("Tests", [self.file_name(chapter.test_file, place)]),
        ]
        links = revision.links(self.app, page)
        if links:
            rows.append(("Revise", links))
        download = self.notebook_link(page)
        if download is not None:
            rows.append(("Notebook", [download]))
        facts = nodes.definition_list(classes=["objectives-facts"])
        for term, content in rows:
            facts += nodes.definition_list_item(
                "", nodes.term(term, term), nodes.definition("", nodes.paragraph("", "", *content))
            )
        return [facts]

    def prerequisite_links(self, page: str) -> list[nodes.Node]:
        """Link the prerequisites."""
        links: list[nodes.Node] = []
        for stem in book_outline.prerequisites(self.env, page):
            reference = chapter_role.chapter_reference(self.env, stem)
            reference.source, reference.line = self.env.doc2path(page), 1
            links += [nodes.Text(", "), reference]
        return links[1:] or [nodes.Text("no other chapter")]

    def module_link(self, chapter: book_outline.Chapter) -> nodes.Node:
        """Name the module, with a link where it is documented."""
        name = nodes.literal(chapter.module, chapter.module)
        python: Any = self.env.get_domain("py")
        entry = python.modules.get(chapter.module)
        if entry is None:
            return name
        return make_refnode(self.app.builder, self.env.docname, entry.docname, entry.node_id, name)

    def file_name(self, name: str, place: chapter_facts) -> nodes.Node:
        """Name a file of the project, which must be there."""
        if not (Path(self.app.srcdir) / name).is_file():
            warn("objectives", f"there is no {name} for this chapter", place)
        return nodes.literal(name, name)

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
    app.add_post_transform(FillFacts)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

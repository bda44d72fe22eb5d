"""What the pages that collect from the chapters share: a script that filters and shuffles, a style sheet, letters.

Above a glossary stands a line of letters; each leads to the first entry that begins with it. The exam corner of a
chapter begins with links to what these pages hold of the chapter.
"""

from __future__ import annotations

import html_nodes
import revision
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

COLLECTIONS = {"card-list", "statement-list", "method-table", "wording-list"}


def add_letters(app, document) -> None:
    """Put the letters above each glossary."""
    for glossary in list(document.findall(addnodes.glossary)):
        first: dict[str, str] = {}
        for term in glossary.findall(nodes.term):
            first.setdefault(term.astext()[0].upper(), term["ids"][0])
        links = [nodes.reference("", letter, internal=True, refid=place) for letter, place in sorted(first.items())]
        line = nodes.paragraph("", "", *(part for link in links for part in (link, nodes.Text(" "))))
        letters = html_nodes.block("glossary-letters", line, tag="nav", aria_label="Letters")
        glossary.parent.insert(glossary.parent.index(glossary), letters)


class LinkExamCorner(SphinxPostTransform):
    """Put the links at the beginning of the exam corner."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Look for the section, by its label."""
        for section in self.document.findall(nodes.section):
            if any(name.endswith("-exam") for name in section["ids"]):
                links = revision.links(self.app, self.env.docname)
                if links:
                    section.insert(1, html_nodes.paragraph("exam-corner-links", "Collected for revision: ", *links))
                return


def collects(document: nodes.document) -> bool:
    """Whether a page collects cards, statements, methods, phrases or terms."""
    return any(
        isinstance(node, addnodes.glossary) or COLLECTIONS & set(node.get("classes", ()))
        for node in document.findall(nodes.Element)
    )


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load the script where it has something to do."""
    if doctree is not None and collects(doctree):
        for name in ("chance.js", "revision.js"):
            app.add_js_file(name, loading_method="defer")


def setup(app):
    """Look at each page when it is read and when it is written."""
    for extension in ("html_nodes", "page_store", "book_outline"):
        app.setup_extension(extension)
    app.add_css_file("revision.css")
    app.add_post_transform(LinkExamCorner)
    app.connect("doctree-read", add_letters, priority=985)  # after the search has read the page
    app.connect("html-page-context", add_script)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

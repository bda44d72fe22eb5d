"""The role ``{chapter}`stem```: a link to a chapter that is written, the title of one that is not written yet.

``{chapter}`the EM chapter <gmm>``` sets the text. The page is looked up when the page with the link is written, so
pages with such links are written anew as soon as a chapter joins or leaves the table of contents. A stem that is
neither in the outline nor a page of the book is a warning. Front pages are named by their stem, too. Loading this
extension also loads the directives ``{objectives}`` and ``{book-map}``, which print the same links.
"""

from __future__ import annotations

import book_outline
import html_nodes
import page_store
from book_log import warn
from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode, split_explicit_title

USERS = "pages that name chapters"


def chapter_reference(env, stem: str, text: str | None = None) -> addnodes.pending_xref:
    """Build a reference to a chapter, to be resolved when its page is written."""
    reference = addnodes.pending_xref(
        "",
        refdomain="",
        reftype="chapter",
        reftarget=stem,
        refdoc=env.docname,
        refexplicit=text is not None,
    )
    reference += nodes.inline(text or stem, text or stem)
    return reference


class ChapterRole(SphinxRole):
    """``{chapter}`stem``` or ``{chapter}`text <stem>```."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Leave a pending reference."""
        page_store.keep(self.env, USERS, True)
        explicit, text, stem = split_explicit_title(self.text)
        reference = chapter_reference(self.env, stem, text if explicit else None)
        self.set_source_info(reference)
        return [reference], []


def resolve(app, env, node, contnode) -> nodes.Node | None:
    """Turn a pending reference into a link or into the plain title."""
    if node.get("reftype") != "chapter":
        return None
    stem = node["reftarget"]
    text = contnode.astext() if node["refexplicit"] else None
    page = book_outline.page_of(env, stem)
    if page:
        title = nodes.inline("", text or book_outline.page_title(env, page))
        link = make_refnode(app.builder, node["refdoc"], page, "", title)
        link["classes"].append("chapter-link")
        return link
    chapter = book_outline.outline(env).get(stem)
    if chapter:
        return html_nodes.inline("chapter-planned", text or chapter.title)
    warn("chapter", f"{stem!r} is neither a chapter of the outline nor a page of the book", node)
    return contnode


def stale_pages(app, env) -> list[str]:
    """Name the pages to write anew because a chapter was written, renamed or dropped."""
    if page_store.changed(env, USERS, book_outline.state(env)):
        return page_store.pages(env, USERS)
    return []


def setup(app):
    """Register the role and load the directives that share its links."""
    for extension in ("html_nodes", "page_store", "book_outline", "objectives", "book_map"):
        app.setup_extension(extension)
    app.add_role("chapter", ChapterRole())
    app.connect("missing-reference", resolve, priority=400)
    app.connect("env-get-updated", stale_pages, priority=900)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

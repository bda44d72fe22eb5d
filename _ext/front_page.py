"""The front page: doors into the book, and a gallery of its chapters.

``::::{front-doors}`` holds a ``:::{front-door} Title`` for each way to use the book: a sentence, and a paragraph that
is one link, which looks like a button. ``:::{chapter-gallery}`` shows the written chapters by part: a small copy of
each one's first picture, title, question and minutes. ``front.js`` adds what the reader has done and how much is due,
as far as the browser has kept it.

The page that holds the gallery, when it is the first one of the book, also is the site's ``index.html``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, ClassVar

import book_outline
import chapter_summary
import html_nodes
import page_store
import today
from book_log import warn
from docutils import nodes
from first_picture import small
from katex_math import source_of
from readable_math import readable
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from trainer import note_topics, topics_of

GALLERIES, INDEX = "pages that show the chapters", "index.html"
NEEDED_FOR = {  # how the name of a style sheet or script begins, and what is in a page that needs it
    "sphinx-design": "sd-",
    "design-tabs": "sd-tab",
    "mystnb": 'class="cell',
    "togglebutton": "toggle",
    "katex": 'class="katex',
    "formula_styles": 'class="katex',
    "proof": 'class="proof',
    "exercise": 'class="exercise',
    "explorer": 'class="explorer',
}
ADDRESS = re.compile(r'(\s(?:href|src|action|data-content_root|data-today)=")([^"#?][^"]*)"')
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|/")


class chapter_gallery(nodes.General, nodes.Element):
    """Stands where the gallery goes until its page is written."""


class FrontDoors(SphinxDirective):
    """The doors beside each other."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build a row of what is inside."""
        row = html_nodes.block("front-doors")
        self.state.nested_parse(self.content, self.content_offset, row)
        return [row]


class FrontDoor(SphinxDirective):
    """One way to use the book."""

    has_content: ClassVar[bool] = True
    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build a door: a heading, a sentence, a link."""
        door = html_nodes.block("front-door", html_nodes.heading("front-door-title", 1, self.arguments[0]))
        self.state.nested_parse(self.content, self.content_offset, door)
        last = door[-1]
        if len(door) > 2 and len(last) == 1 and isinstance(last[0], nodes.reference | addnodes.pending_xref):
            last["classes"].append("front-door-link")
        else:
            warn("front", "a door has a sentence, and a last paragraph that is one link", self.get_location())
        return [door]


class ChapterGallery(SphinxDirective):
    """The written chapters."""

    def run(self) -> list[nodes.Node]:
        """Leave a place for them."""
        page_store.keep(self.env, GALLERIES, True)
        for chapter in book_outline.outline(self.env).values():
            note_topics(self.env, f"{chapter.part}/{chapter.stem}")
        return [chapter_gallery("")]


class FillGalleries(SphinxPostTransform):
    """Show the chapters."""

    default_priority = 2

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(chapter_gallery)):
            there = today.address(self.app)
            data = {"data_today": there} if there else {}
            place.replace_self(html_nodes.block("front-gallery", *self.parts(), **data))

    def parts(self) -> Iterator[nodes.Node]:
        """Each part with a heading, and its chapters as a list."""
        found = chapter_summary.chapters(self.env)
        for title, group in groupby(found, key=lambda chapter: chapter.part_title):
            yield html_nodes.heading("front-part", 1, title)
            yield html_nodes.block("front-chapters", *(self.card(chapter) for chapter in group), tag="ul")

    def card(self, chapter: book_outline.Chapter) -> nodes.Node:
        """One chapter."""
        own = chapter_summary.summary(self.env, chapter.page)
        minutes = book_outline.book_metadata(self.env, chapter.page).get("minutes")
        facts = html_nodes.paragraph("front-facts", f"{minutes} minutes" if minutes else "")
        asked = [html_nodes.paragraph("front-question", *self.words(own.question))] if own.question else []
        drills, quiz = " ".join(topics_of(chapter)), " ".join(own.quiz)
        title = html_nodes.paragraph("front-title", self.link(chapter))
        return html_nodes.block(
            "front-chapter", title, *asked, facts, tag="li", data_drills=drills, data_quiz=quiz
        )  # fmt: skip

    def words(self, question: nodes.Element) -> list[nodes.Node]:
        """A question with its formulas as text: the fonts of formulas weigh more than the page."""
        app: Any = self.app
        copy = question.deepcopy()
        for formula in list(copy.findall(nodes.math)) if app.builder.format == "html" else []:
            formula.replace_self(nodes.Text(readable(app.katex.render(*source_of(formula))[0])))
        return copy.children

    def link(self, chapter: book_outline.Chapter) -> nodes.Node:
        """The title of a chapter with its picture, as one link; the title alone in formats without links."""
        uri = book_outline.address(self.app, chapter.page)
        if uri is None or self.app.builder.format != "html":
            return book_outline.link(self.app, chapter.title, chapter.page)
        name = html_nodes.inline("front-name", chapter.title)
        return html_nodes.inline("front-link", html_nodes.raw_html(self.picture(chapter.page)), name, tag="a", href=uri)

    def picture(self, page: str) -> str:
        """The small copy of a chapter's first picture, which says nothing that the title does not."""
        found = chapter_summary.picture_of(self.env, page)
        if found is None:
            return '<span class="front-picture"></span>'
        copy, builder = small(found), self.app.builder
        name = copy.write(Path(builder.outdir, builder.imagedir))
        up = "../" * builder.get_target_uri(self.env.docname).count("/")
        size = f'width="{copy.width}" height="{copy.height}"'
        image = f'<img src="{up}{builder.imagedir}/{name}" {size} alt="" loading="lazy" decoding="async">'
        return f'<span class="front-picture">{image}</span>'


def stale_pages(app, env) -> list[str]:
    """Name the pages whose gallery is not that of the last build."""
    found = chapter_summary.chapters(env)
    minutes = [(book_outline.book_metadata(env, chapter.page).get("minutes"), topics_of(chapter)) for chapter in found]
    shown = chapter_summary.told(env, found), minutes, book_outline.state(env), page_store.pages(env, today.PAGES)
    return page_store.pages(env, GALLERIES) if page_store.changed(env, GALLERIES, shown) else []


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Load script and style sheet on the pages that show a gallery."""
    if doctree is not None and pagename in page_store.kept(app.env, GALLERIES):
        for name in ("progress.js", "front.js"):
            app.add_js_file(name, loading_method="defer")
        app.add_css_file("front.css")


def leave_out(app, pagename, templatename, context, doctree) -> None:
    """Load no style sheet and no script on the page of the gallery, which is seen first, that is not used there."""
    if doctree is None or pagename not in page_store.kept(app.env, GALLERIES):
        return
    idle = tuple(name for name, mark in NEEDED_FOR.items() if mark not in context["body"])
    for kind in ("css_files", "script_files"):
        names = [(str(getattr(each, "filename", each)).rpartition("/")[2], each) for each in context.get(kind, [])]
        context[kind] = [each for name, each in names if not name.startswith(idle)]


def moved(page: str, folder: str) -> str:
    """Rewrite the addresses of a page in a folder for a copy of it at the root of the site.

    Examples
    --------
    >>> moved('<a href="../_static/a.css"><a href="b.html#c"><a href="#d">', "chapters")
    '<a href="_static/a.css"><a href="chapters/b.html#c"><a href="#d">'
    """

    def address(found: re.Match[str]) -> str:
        if ELSEWHERE.match(found[2]):
            return found[0]
        path, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", found[2], re.S).groups()  # type: ignore[union-attr]
        place = normpath(join(folder, path)) + ("/" if path.endswith("/") else "")
        return f'{found[1]}{place}{mark}{rest}"'

    return ADDRESS.sub(address, page)


def write_index(app, exception) -> None:
    """Let the front page be what a reader gets who asks for the site."""
    page: Any = app.config.root_doc
    if exception or app.builder.name != "html" or page not in page_store.kept(app.env, GALLERIES):
        return
    source, index = Path(app.outdir, app.builder.get_target_uri(page)), Path(app.outdir, INDEX)
    text = moved(source.read_text(encoding="utf-8"), dirname(page))
    if source != index and not (index.exists() and index.read_text(encoding="utf-8") == text):
        index.write_text(text, encoding="utf-8")


def setup(app):
    """Register the directives."""
    for extension in ("html_nodes", "page_store", "book_outline", "chapter_summary", "katex_math"):
        app.setup_extension(extension)
    app.add_node(chapter_gallery)
    app.add_directive("front-doors", FrontDoors)
    app.add_directive("front-door", FrontDoor)
    app.add_directive("chapter-gallery", ChapterGallery)
    app.add_post_transform(FillGalleries)
    app.connect("env-get-updated", stale_pages, priority=900)
    app.connect("html-page-context", add_files)
    app.connect("html-page-context", leave_out, priority=950)
    app.connect("build-finished", write_index, priority=950)  # after all that edits the written pages
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

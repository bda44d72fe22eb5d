"""The sidebar, made once for each folder of pages and marked for each page.

It lists the titles of all pages. Sphinx copies the contents of every page, section by section, for each page that it
writes, and throws the sections away; the theme then reads the list as HTML and rearranges it. What comes out is the
same for all pages of a folder, but for the page itself: it and what it stands below are marked, and it has no address.

The pages *Revise: ...* (``chapter_hub.py``) stand there below the names of the parts, without the first word.
``sidebar.js`` brings the entry of the page into view.
"""

from __future__ import annotations

import re
from functools import partial
from html import escape
from posixpath import dirname
from typing import Any, NamedTuple

import book_outline
import page_store
from docutils import nodes
from pydata_sphinx_theme.toctree import add_toctree_functions
from revision import HUBS
from sphinx import addnodes

TAG = re.compile(r'<(/?)(li|ul|details)\b[^>]*>|<a class="reference internal" href="([^"]*)">')
REVISE = "Revise: "  # how the titles of pages to revise by begin
NOBODY = "no page"  # the name of a page that the sidebar does not list
Edit = tuple[int, int, str]


def titles_only(contents: nodes.Element) -> nodes.Element:
    """Copy the contents of a page without its sections, but with the pages below it."""
    copy = contents.copy()
    for item in contents:
        entry = item.copy()
        if isinstance(item, nodes.list_item):
            entry += item[0].deepcopy()
            below = [tree.deepcopy() for tree in item.findall(addnodes.toctree)]
            entry += [nodes.bullet_list("", *below)] if below else []
        else:
            entry += [child.deepcopy() for child in item]
        copy += entry
    return copy


class Branch:
    """An element around links: where its tag stands and, of an item, where the box that unfolds it stands."""

    def __init__(self, name: str, tag: re.Match[str]) -> None:
        self.name, self.tag = name, tag
        self.details: re.Match[str] | None = None

    def marked(self) -> list[Edit]:
        """The tags as they are around the current page."""
        text = self.tag[0]
        if "list-caption" in text:  # around the parts, which the theme puts there
            return []
        if self.name == "ul":
            new = text.replace('class="', 'class="current ') if "class=" in text else '<ul class="current">'
            return [(*self.tag.span(), new)]
        part = "toctree-l0" in text
        edits = [] if part else [(*self.tag.span(), re.sub(r"toctree-l\d+", r"\g<0> current active", text))]
        if self.details:
            edits.append((*self.details.span(), "<details open>" if part else '<details open="open">'))
        return edits


class Template(NamedTuple):
    """The sidebar of a page that it does not list, and how it is marked for those that it lists: by address."""

    html: str
    marks: dict[str, list[Branch]]
    links: dict[str, re.Match[str]]

    def marked(self, address: str) -> str:
        """The sidebar of the page at an address."""
        link = self.links[address]
        edits = [(*link.span(), '<a class="current reference internal" href="#">')]
        edits += [edit for branch in self.marks[address] for edit in branch.marked()]
        parts, end = [], 0
        for start, stop, text in sorted(edits):
            parts += [self.html[end:start], text]
            end = stop
        return "".join([*parts, self.html[end:]])


def read(html: str) -> Template:
    """Find what stands around each link."""
    open_branches: list[Branch] = []
    marks: dict[str, list[Branch]] = {}
    links: dict[str, re.Match[str]] = {}
    for tag in TAG.finditer(html):
        closing, name, address = tag.groups()
        if address is not None:
            marks[address], links[address] = [*open_branches], tag
        elif name == "details":
            if not closing:
                open_branches[-1].details = tag
        elif closing:
            open_branches.pop()
        else:
            open_branches.append(Branch(name, tag))
    return Template(html, marks, links)


def by_part(app, page: str, html: str) -> str:
    """Set the names of the parts before the first of their pages to revise by, which lose what all have in common."""
    hubs = {stem: hub for hub, stems in page_store.kept(app.env, HUBS).items() for stem in stems}
    last = ""
    for chapter in book_outline.outline(app.env).values() if hubs else ():
        if chapter.stem in hubs:
            address = re.escape(app.builder.get_relative_uri(page, hubs[chapter.stem]))
            part = "" if chapter.part == last else f'<li class="sidebar-part">{escape(chapter.part_title)}</li>'
            entry = re.compile(rf'(<li[^>]*>)(<a class="reference internal" href="{address}">)(?:{REVISE})?')
            html, last = entry.sub(rf"{part}\1\2", html), chapter.part
    return html


class Sidebar:
    """The sidebars of a build."""

    def __init__(self) -> None:
        self.contents: dict[str, Any] = {}
        self.templates: dict[tuple, Template] = {}

    def connect(self, app) -> None:
        """Come after the theme's function, before the theme uses what that hands to the templates."""
        listeners = app.events.listeners["html-page-context"] if app.builder.name == "html" else []
        for number, listener in enumerate(listeners):
            if listener.handler is add_toctree_functions:
                listeners[number] = listener._replace(handler=self.attach)

    def attach(self, app, pagename, templatename, context, doctree) -> None:
        """Hand the sidebar of a page to its template."""
        add_toctree_functions(app, pagename, templatename, context, doctree)
        other = context["generate_toctree_html"]

        def generate(kind: str, startdepth: int = 1, **options: Any) -> Any:
            if kind != "sidebar" or startdepth or not options.get("titles_only"):
                return other(kind, startdepth, **options)
            return self.html(app, pagename, options)

        context["generate_toctree_html"] = generate

    def html(self, app, page: str, options: dict[str, Any]) -> str:
        """The sidebar of a page."""
        nobody = f"{dirname(page)}/{NOBODY}".lstrip("/")
        key = (nobody, *sorted(options.items()))
        if key not in self.templates:
            self.templates[key] = read(self.template(app, nobody, options))
        template, address = self.templates[key], app.builder.get_relative_uri(nobody, page)
        return template.marked(address) if address in template.links else template.html

    def template(self, app, page: str, options: dict[str, Any]) -> str:
        """The sidebar as the theme makes it for one page."""
        env, context = app.env, dict[str, Any]()
        context["toctree"] = partial(app.builder._get_local_toctree, page)
        add_toctree_functions(app, page, "page.html", context, None)
        if not self.contents:
            self.contents.update({page: titles_only(contents) for page, contents in env.tocs.items()})
        whole, env.tocs = env.tocs, self.contents
        try:
            return by_part(app, page, str(context["generate_toctree_html"]("sidebar", 0, **options)))
        finally:
            env.tocs = whole


def setup(app):
    """Begin with none."""
    for extension in ("page_store", "book_outline"):
        app.setup_extension(extension)
    app.add_js_file("sidebar.js", loading_method="defer")
    app.connect("builder-inited", Sidebar().connect)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

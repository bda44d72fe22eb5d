"""A build whose cost grows with the number of pages and no faster.

* The sidebar lists the titles of all pages. Sphinx copies the contents of every page, section by section, for each
  page that it writes, and then throws the sections away: here they are thrown away once.
* Python's garbage collector goes through everything that is alive again and again, and in a build nearly all of it
  stays: what is there after a page has been read is taken out of its sight.
* Figures are numbered through all pages in each build. Sphinx loads every page for that: here an outline of each page
  stays in the environment, with what the numbers depend on.
"""

from __future__ import annotations

import gc
from typing import Any

import page_store
from docutils import nodes
from sphinx import addnodes
from sphinx.environment.collectors.toctree import TocTreeCollector

OUTLINES = "outlines"
number_figures = TocTreeCollector.assign_figure_numbers


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


class Sidebar:
    """The contents of all pages as the sidebar shows them, made once for each build."""

    def __init__(self) -> None:
        self.contents: dict[str, Any] = {}

    def forget(self, app, env) -> None:
        """Begin anew: pages have been read or numbered."""
        self.contents.clear()

    def attach(self, app, pagename, templatename, context, doctree) -> None:
        """Let the page's template ask for titles only, if it asks for titles only."""
        complete = context["toctree"]

        def toctree(**options: Any) -> str:
            env = app.env
            if not options.get("titles_only"):
                return complete(**options)
            if not self.contents:
                self.contents.update({page: titles_only(contents) for page, contents in env.tocs.items()})
            whole, env.tocs = env.tocs, self.contents
            try:
                return complete(**options)
            finally:
                env.tocs = whole

        context["toctree"] = toctree


def outline(env, node: nodes.Element) -> list[nodes.Element]:
    """Copy the sections below a node, the pages that it lists and what may have a number, with its caption."""
    kept: list[nodes.Element] = []
    for child in node.children:
        if isinstance(child, addnodes.toctree):
            kept.append(child.copy())
        elif isinstance(child, nodes.section) or may_have_number(env, child):
            shell = child.copy()
            shell += [part.deepcopy() for part in child if isinstance(part, nodes.caption | nodes.title)]
            shell += outline(env, child)
            kept.append(shell)
        else:
            kept += outline(env, child)
    return kept


def may_have_number(env, node: nodes.Node) -> bool:
    """Whether a node is of a kind that is numbered."""
    return any(domain.get_enumerable_node_type(node) for domain in env.domains.values())


def keep_outline(app, doctree) -> None:
    """Keep the outline of the page that is being read."""
    page_store.keep(app.env, OUTLINES, nodes.container("", *outline(app.env, doctree)))


def number_figures_of_outlines(collector, env) -> list[str]:
    """Number the figures of all pages; stands in for ``TocTreeCollector.assign_figure_numbers``."""
    outlines = page_store.kept(env, OUTLINES)
    if not outlines:  # another book of this process, without this extension
        return number_figures(collector, env)
    env.get_doctree = lambda page: outlines[page][0]
    try:
        return number_figures(collector, env)
    finally:
        del env.get_doctree  # the method is seen again


def freeze(*_: Any) -> None:
    """Keep the garbage collector from what is there now."""
    gc.freeze()


def setup(app):
    """Connect the steps."""
    app.setup_extension("page_store")
    TocTreeCollector.assign_figure_numbers = number_figures_of_outlines  # type: ignore[method-assign, assignment]
    sidebar = Sidebar()
    app.connect("env-updated", sidebar.forget)
    app.connect("html-page-context", sidebar.attach, priority=100)  # before the theme asks
    app.connect("builder-inited", freeze, priority=999)
    app.connect("doctree-read", keep_outline, priority=998)
    app.connect("doctree-read", freeze, priority=999)
    app.connect("env-check-consistency", freeze, priority=999)
    app.connect("build-finished", lambda app, exception: gc.unfreeze(), priority=999)
    return {"version": "2", "env_version": 2, "parallel_read_safe": True, "parallel_write_safe": True}

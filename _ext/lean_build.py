"""A build whose cost grows with the number of pages and no faster.

* The sidebar lists the titles of all pages. Sphinx copies the contents of every page, section by section, for each
  page that it writes, and then throws the sections away: here they are thrown away once.
* Python's garbage collector goes through everything that is alive again and again, and in a build nearly all of it
  stays: what is there after a page has been read is taken out of its sight.
"""

from __future__ import annotations

import gc
from typing import Any

from docutils import nodes
from sphinx import addnodes


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


def freeze(*_: Any) -> None:
    """Keep the garbage collector from what is there now."""
    gc.freeze()


def setup(app):
    """Connect the steps."""
    sidebar = Sidebar()
    app.connect("env-updated", sidebar.forget)
    app.connect("html-page-context", sidebar.attach, priority=100)  # before the theme asks
    app.connect("builder-inited", freeze, priority=999)
    app.connect("doctree-read", freeze, priority=999)
    app.connect("env-check-consistency", freeze, priority=999)
    app.connect("build-finished", lambda app, exception: gc.unfreeze(), priority=999)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""A build whose cost grows with the number of pages and no faster.

* Python's garbage collector goes through everything that is alive again and again, and in a build nearly all of it
  stays. Here it runs after each page that is read, and what that leaves is out of its sight; and after pages that are
  written, when they have left much behind. No page that is written stays.
  Nor does it take the whole book apart, object by object, when the process ends: that takes seconds.
* Figures are numbered through all pages in each build. Sphinx loads every page for that: here an outline of each page
  stays in the environment, with what the numbers depend on.
* The style of a citation is looked up once. pybtex goes through all installed packages for each citation.
* The template of docstrings is compiled once. numpydoc compiles it for each docstring.
* docutils looks for nodes with a generator inside another for each level of the tree, a hundred times a page: here one
  generator walks through all levels, and past the words when it looks for blocks.
* The environment is loaded and saved in each build: no copy in it holds on to the page that it was taken from.
"""

from __future__ import annotations

import atexit
import gc
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import exercises
import page_store
import pybtex.plugin
from book_log import warn
from docutils import nodes
from numpydoc.docscrape_sphinx import SphinxDocString
from sphinx import addnodes
from sphinx.environment.collectors.toctree import TocTreeCollector

OUTLINES = "outlines"
IN_TEXT = (nodes.Inline, nodes.TextElement)
LITTER = 200_000  # objects made since the collector ran: that of a few chapters; a page of source code leaves hundreds
find_plugin = cache(pybtex.plugin.find_plugin)
number_figures = TocTreeCollector.assign_figure_numbers
find_all = nodes.Node.findall
load_config = SphinxDocString.load_config
Condition = Callable[[nodes.Node], bool] | type[nodes.Node] | None


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
        elif not isinstance(child, nodes.TextElement):  # no words hold what is numbered
            kept += outline(env, child)
    return kept


def may_have_number(env, node: nodes.Node) -> bool:
    """Whether a node is of a kind that is numbered."""
    return any(domain.get_enumerable_node_type(node) for domain in env.domains.values())


def keep_outline(app, doctree) -> None:
    """Keep the outline of the page that is being read."""
    page_store.keep(app.env, OUTLINES, page_store.detached(nodes.container("", *outline(app.env, doctree))))
    for entry in exercises.of_page(app.env, app.env.docname):
        entry["node"] = page_store.detached(entry["node"].deepcopy())


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


def subclasses(kind: type) -> Iterator[type]:
    """A class and all that come from it."""
    yield kind
    derived: list[type] = kind.__subclasses__()
    for each in derived:
        yield from subclasses(each)


@cache
def holds_no_text(kind: type) -> bool:
    """Whether nodes of a kind are blocks: they hold blocks or nothing, and stand in no paragraph, title or code."""
    return issubclass(kind, nodes.Element) and not any(issubclass(each, IN_TEXT) for each in subclasses(kind))


def blocks_in_text(app, doctree) -> None:
    """Warn of a block in a paragraph: ``walk`` would not find it."""
    for node in walk(doctree, nodes.TextElement):
        for child in node:
            if holds_no_text(type(child)):  # type: ignore[arg-type]
                warn("walk", f"{child.tagname} stands in {node.tagname}, where only text may", node)


def walk(node: nodes.Node, kind: type[nodes.Node] = nodes.Node) -> Iterator[nodes.Node]:
    """A node and those below it that are of a kind, in the order of the text.

    As in docutils, a node may be changed while it is looked at: its children are those that it has afterwards. Blocks
    are not looked for in the words of paragraphs, which are most of the nodes of a page.
    """
    if isinstance(node, kind):
        yield node
    closed: type | tuple[()] = nodes.TextElement if holds_no_text(kind) else ()  # type: ignore[arg-type]
    above, level = [], iter(node.children)
    while True:
        for child in level:
            if isinstance(child, kind):
                yield child
            children = child.children
            if children and not isinstance(child, closed):
                above.append(level)
                level = iter(children)
                break
        else:
            if not above:
                return
            level = above.pop()


def find_all_at_once(node: nodes.Node, condition: Condition = None, *args: Any, **options: Any) -> Iterator[nodes.Node]:
    """All nodes below a node that fulfil a condition; stands in for ``Node.findall``."""
    if condition is None or isinstance(condition, type) or args or options:
        return find_all(node, condition, *args, **options)
    return filter(condition, walk(node))


@cache
def docstring_template() -> Any:
    """The template of docstrings, compiled."""
    docstring = SphinxDocString.__new__(SphinxDocString)
    load_config(docstring, {})
    return docstring.template


def load_config_once(docstring: SphinxDocString, config: dict[str, Any]) -> None:
    """Configure a docstring with the template that is there; stands in for ``SphinxDocString.load_config``."""
    load_config(docstring, {"template": docstring_template(), **config})


def let_go(app, page: str, *_: Any) -> None:
    """Let the exercises of a page go of it when it is written, and free what the last pages have left behind.

    sphinx-exercise keeps the nodes that it has given numbers, and each node knows the one around it: from its first
    exercise on, the whole page would stay.
    """
    for entry in exercises.of_page(app.env, page):
        entry["node"].parent = None
        page_store.detached(entry["node"])
    if gc.get_count()[0] > LITTER:
        gc.collect()


def settle(app, env, *_: Any) -> None:
    """Free the page that has been read, and keep the garbage collector from what stays.

    Sphinx would hold the page until it is written. It loads from the disk in milliseconds; what it is linked to while
    it is written would hang on something that the collector does not see, and stay.
    """
    env._write_doc_doctree_cache.clear()
    gc.collect()
    gc.freeze()


def settle_for_good(app, exception) -> None:
    """Let the garbage collector run by itself again, at the end of a build."""
    gc.collect()
    gc.freeze()
    gc.enable()


def setup(app):
    """Connect the steps."""
    for extension in ("page_store", "sidebar"):
        app.setup_extension(extension)
    pybtex.plugin.find_plugin = find_plugin
    SphinxDocString.load_config = load_config_once
    nodes.Node.findall = find_all_at_once
    nodes.Node._fast_findall = nodes.Node._superfast_findall = walk
    TocTreeCollector.assign_figure_numbers = number_figures_of_outlines  # type: ignore[method-assign, assignment]
    atexit.register(gc.freeze)
    app.connect("config-inited", lambda app, config: gc.disable())  # the environment is loaded next
    app.connect("builder-inited", lambda app: gc.freeze(), priority=999)  # nearly all of it stays
    app.connect("env-purge-doc", settle)  # the last page has been read, the next one comes
    app.connect("doctree-read", blocks_in_text, priority=997)
    app.connect("doctree-read", keep_outline, priority=998)
    app.connect("env-check-consistency", settle, priority=999)
    app.connect("html-page-context", let_go, priority=999)
    app.connect("build-finished", settle_for_good, priority=1)
    app.connect("build-finished", lambda app, exception: gc.unfreeze(), priority=999)
    return {"version": "3", "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": True}

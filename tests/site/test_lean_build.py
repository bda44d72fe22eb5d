"""The lean build writes the same pages with less work."""

import atexit
import gc
import pickle
import re
import sys
import types
import weakref

import lean_build
import pytest
from docutils import nodes
from jinja2 import Environment
from numpydoc.docscrape_sphinx import SphinxDocString
from sphinx.environment import BuildEnvironment

PAGES = {
    "part.md": "# Part *one*\n\n## Inside\n\n### Deeper\n\n```{toctree}\n:caption: Below\nbelow\n```\n",
    "below.md": "# Below\n\n## A section\n",
    "other.md": "# Other\n\n## Section\n\n{numref}`inner` and {numref}`outer`\n\n## Another\n",
}
TABLE = ":::{table} Steps *of* it\n:name: NAME\n\n| a |\n|---|\n| b |\n:::\n"
NUMBERED = f"""
{TABLE.replace("NAME", "inner")}
::::{{note}}
{TABLE.replace("NAME", "outer")}
::::

$$
a
$$ (below-a)

```{{code-block}} python
:caption: Twice
:name: listing
2 * x
```
"""
PAGES["below.md"] += NUMBERED


@pytest.fixture
def book(new_book):
    """Build a book with nested pages and sections."""

    def build(*extensions):
        small = new_book(["katex_math", *extensions], ["part", "other"], html_theme="sphinx_book_theme")
        for name, text in PAGES.items():
            small.write(name, text)
        return small.build()

    return build


def test_pages_are_those_of_sphinx_and_nothing_stays_frozen(book, tmp_path):
    lean = book("lean_build")
    assert not lean.warnings
    assert gc.get_freeze_count() == 0
    script = re.compile(r"\s*<script[^>]*/sidebar\.js[^>]*></script>")  # what the sidebar adds on purpose
    pages = [script.sub("", lean.page(name)) for name in ("intro", "part", "below", "other", "genindex")]
    (tmp_path / "out").rename(tmp_path / "lean")
    usual = book()
    assert [usual.page(name) for name in ("intro", "part", "below", "other", "genindex")] == pages
    assert "Below" in pages[0]  # the page below another one stands in the sidebar


def test_numbers_are_those_of_sphinx_and_no_page_is_loaded_for_them(book, monkeypatch):
    usual = book().app.env.toc_fignumbers
    assert {kind: list(ids.values()) for kind, ids in usual["below"].items()} == {
        "table": [(1,), (2,)],
        "displaymath": [(1,)],
        "code-block": [(1,)],
    }
    lean = book("lean_build")
    assert lean.app.env.toc_fignumbers == usual
    lean.write("other.md", PAGES["other.md"] + "\nMore text.\n")
    loaded = []
    whole = BuildEnvironment.get_doctree
    monkeypatch.setattr(BuildEnvironment, "get_doctree", lambda env, page: loaded.append(page) or whole(env, page))
    assert lean.build().app.env.toc_fignumbers == usual
    assert "intro" in loaded  # for the contents in the sidebar
    assert "part" not in loaded


@pytest.fixture
def on_event(book, monkeypatch):
    """Build with something to do at an event."""

    def build(event, do, *extensions):
        listener = types.ModuleType("listener")
        listener.setup = lambda app: app.connect(event, do) and None
        monkeypatch.setitem(sys.modules, "listener", listener)
        return book("lean_build", "listener", *extensions)

    return build


def test_the_collector_sees_less_as_pages_are_read(on_event):
    frozen = []
    on_event("source-read", lambda *_: frozen.append(gc.get_freeze_count()))
    assert len(frozen) == 4
    assert frozen == sorted(set(frozen))


@pytest.mark.parametrize(
    ("event", "alone"), [("source-read", False), ("html-page-context", False), ("build-finished", True)]
)
def test_the_collector_runs_by_itself_only_after_the_pages(on_event, event, alone):
    seen = set()
    on_event(event, lambda *_: seen.add(gc.isenabled()))
    assert seen == {alone}
    assert gc.isenabled()


class Loop:
    """An object that only the collector can free."""

    def __init__(self):
        self.self = self


@pytest.mark.parametrize("event", ["source-read", "html-page-context"])
def test_what_a_page_leaves_behind_is_freed_with_the_next_one(on_event, event, monkeypatch):
    monkeypatch.setattr(lean_build, "LITTER", 0)
    left, alive = [], []

    def leave(*_):
        alive.append(sum(each() is not None for each in left))
        left.append(weakref.ref(Loop()))

    on_event(event, leave)
    assert len(alive) > 3
    assert set(alive[1:]) == {0}


def test_written_pages_that_leave_little_do_not_wake_the_collector(on_event, monkeypatch):
    collect, ran = gc.collect, []
    monkeypatch.setattr(gc, "collect", lambda *generation: ran.append(generation) or collect(*generation))
    seen = []
    on_event("html-page-context", lambda *_: seen.append(len(ran)))
    assert len(set(seen)) == 1
    monkeypatch.setattr(lean_build, "LITTER", 100)
    seen.clear()
    on_event("html-page-context", lambda *_: seen.append(len(ran)))
    assert len(set(seen)) > 3


def test_no_page_that_is_written_stays(on_event, monkeypatch):
    """Not even one with exercises, which other pages ask for."""
    monkeypatch.setattr(lean_build, "LITTER", 0)
    written, alive = {}, {}

    def remember(app, doctree, page):
        alive[page] = [each for each, weak in written.items() if weak() is not None]
        written[page] = weakref.ref(doctree)

    monkeypatch.setitem(PAGES, "below.md", PAGES["below.md"] + EXERCISE)
    on_event("doctree-resolved", remember, "sphinx_exercise")
    assert list(written) == ["below", "intro", "other", "part"]
    before = {page: list(written)[max(0, number - 1) : number] for number, page in enumerate(written)}
    assert alive == before  # Sphinx holds a page until the next one is there


def test_the_end_of_the_process_is_left_alone(book, monkeypatch):
    at_exit = []
    monkeypatch.setattr(atexit, "register", lambda function, *_, **__: at_exit.append(function))
    book("lean_build")
    assert gc.freeze in at_exit


EXERCISE = "\n:::{exercise} Two\n:label: other-two\nAdd $1 + 1$.\n:::\n\n:::{solution} other-two\n2\n:::\n"


def nodes_of(value):
    """All nodes in a value of the environment."""
    if isinstance(value, nodes.Node):
        yield from value.findall()
    elif isinstance(value, list | tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from nodes_of(each)


def root(node):
    """The outermost node around a node."""
    return node if node.parent is None else root(node.parent)


def test_the_saved_environment_holds_no_page(book):
    small = book("sphinx_exercise", "lean_build")
    small.write("other.md", PAGES["other.md"] + EXERCISE)
    small.build()
    env = pickle.loads((small.root / "out/.doctrees/environment.pickle").read_bytes())
    for kept in (env.page_store, env.sphinx_exercise_registry):
        found = list(nodes_of(kept))
        assert found
        assert not any(isinstance(node.document or root(node), nodes.document) for node in found)


def test_the_collector_rests_while_the_environment_is_loaded(book, monkeypatch):
    seen, load = [], pickle.load
    monkeypatch.setattr(pickle, "load", lambda file: seen.append(gc.isenabled()) or load(file))
    book("lean_build").build()
    assert seen[0] is False
    assert gc.isenabled()


def tree(depth, wide=3):
    """Sections in sections, with words and emphasis in them."""
    words = nodes.paragraph("", "", nodes.emphasis("", "a"), nodes.Text("b"))
    return nodes.section(
        "", nodes.title("", str(depth)), words, *(tree(depth - 1) for _ in range(wide if depth else 0))
    )


def recursive(node, kind):
    """The walk of docutils."""
    if isinstance(node, kind):
        yield node
    for child in node.children:
        yield from recursive(child, kind)


@pytest.mark.parametrize(
    "kind", [nodes.Node, nodes.section, nodes.Text, nodes.TextElement, nodes.image, nodes.emphasis]
)
def test_nodes_are_found_in_the_order_of_the_text(kind):
    page = tree(3)
    every = [id(node) for node in recursive(page, kind)]
    assert [id(node) for node in lean_build.walk(page, kind)] == every
    for condition in (kind, lambda node: isinstance(node, kind)):
        assert [id(node) for node in lean_build.find_all_at_once(page, condition)] == every
    assert list(lean_build.find_all_at_once(page[2], descend=False, siblings=True)) == page[2:]


@pytest.mark.parametrize("change", ["replace", "remove", "grow"])
def test_a_tree_may_change_while_it_is_walked_through(change):
    """As with the generators of docutils: the children of a node are those that it has when the walk goes on."""

    def seen(search):
        page, titles = tree(2), []
        for node in search(page, nodes.title):
            titles.append(node.astext())
            if change == "grow" and len(titles) < 30:
                node.parent += nodes.title("", "new")
            elif change == "replace":
                node.replace_self(nodes.paragraph("", "gone"))
            elif change == "remove":
                node.parent.remove(node)
        return titles, page.astext()

    assert seen(lean_build.walk) == seen(recursive)
    assert len(seen(recursive)[0]) > 10


def test_docstrings_are_printed_as_numpydoc_prints_them_and_nothing_is_compiled_for_them(monkeypatch):
    text = "Say it.\n\nParameters\n----------\nx : int\n    A number.\n\nReturns\n-------\nint\n"
    monkeypatch.setattr(SphinxDocString, "load_config", lean_build.load_config)
    usual = str(SphinxDocString(text))
    assert ":Parameters:" in usual
    lean_build.docstring_template()
    monkeypatch.setattr(SphinxDocString, "load_config", lean_build.load_config_once)
    monkeypatch.setattr(Environment, "compile", None)
    assert str(SphinxDocString(text)) == usual


def test_blocks_are_not_looked_for_among_words():
    words = nodes.paragraph("", "", nodes.emphasis("", "", nodes.section()), nodes.section())
    page = nodes.section("", words, nodes.section())
    assert len(list(lean_build.walk(page, nodes.section))) == 2  # not those where none may be
    assert len(list(lean_build.walk(page, nodes.emphasis))) == 1


@pytest.mark.parametrize(
    ("kind", "block"),
    [
        (nodes.section, True),
        (nodes.table, True),
        (nodes.Node, False),
        (nodes.Element, False),
        (nodes.Text, False),
        (nodes.General, False),
        (nodes.paragraph, False),
        (nodes.image, False),
        (nodes.reference, False),
    ],
)
def test_which_kinds_are_blocks(kind, block):
    assert lean_build.holds_no_text(kind) is block


def test_a_block_in_a_paragraph_is_a_warning(on_event):
    def put(app, doctree):
        if app.env.docname == "other":
            paragraph = next(doctree.findall(nodes.paragraph))
            paragraph += nodes.table()

    warnings = on_event("doctree-read", put).warnings
    assert "table stands in paragraph, where only text may" in warnings
    assert warnings.count("where only text may") == 1

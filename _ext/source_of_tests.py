"""The source of the tests on the site: a page for each test file that holds an equation, a place for each such test.

The links *n tests* beside an equation lead here (see ``equation_links``). Above a test stand the equations that it
holds, each with a link back, and the other tests of the same equations. The mark *checked on numbers* leads to the page
of the file that gives values to the symbols of its chapter.
"""

from __future__ import annotations

import ast
import html
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import page_store
from docutils import nodes
from later_builds import shown_elsewhere
from sphinx.util.osutil import relative_uri

LISTING = "highlight-python"  # as Sphinx names the box of a listing, so that its lines wrap
INTRODUCTION = (
    "Above a test stand the equations that it holds. To run the file: <code>python3 run.py test {stem}</code>."
)
VALUES = (
    "What the symbols of a chapter are worth when its formulas are executed. A test reads each of the equations below "
    "from its page, and both sides of it agree on several such instances, drawn by seed. To run it: "
    "<code>python3 run.py test tests/formulas -k {stem}</code>."
)


def place_of(test: str) -> tuple[str, str]:
    """The page and the anchor of a test; one in a class, or of a whole module, is found at its class or at the top.

    Examples
    --------
    >>> place_of("tests/kernels/test_svm.py::test_gap"), place_of("tests/test_all.py")
    (('tests/kernels/test_svm', 'test_gap'), ('tests/test_all', ''))
    """
    file, _, name = test.partition("::")
    return file.removesuffix(".py"), name.split("::")[0]


def address_of(app, test: str) -> str | None:
    """The address of a test, seen from the page that is written; None in formats without such pages."""
    if app.builder.format != "html":
        return None
    page, anchor = place_of(test)
    return address(app, app.env.docname, page, anchor)


def is_shown(env, file: str) -> bool:
    """Whether the source of a test file is on the site: it holds an equation of the book."""
    page, equations = place_of(file)[0], env.get_domain("math").equations
    return any(
        place_of(mention.name)[0] == page and mention.label in equations
        for mention in getattr(env, "equation_tests", ())
    )


def address(app, start: str, page: str, anchor: str) -> str:
    """The way from one page to a place of another."""
    uri = relative_uri(app.builder.get_target_uri(start), app.builder.get_target_uri(page))
    return f"{uri}#{anchor}" if anchor else uri


def segments(source: str, wanted: set[str]) -> Iterator[tuple[str, str]]:
    """Cut a file before and after each wanted function or class: (its name or "", its lines)."""
    lines, last = source.splitlines(keepends=True), 0
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in wanted:
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            yield "", "".join(lines[last:start])
            yield node.name, "".join(lines[start : node.end_lineno])
            last = node.end_lineno
    yield "", "".join(lines[last:])


class Sources:
    """What the pages print: the tests of each equation, and the equations of each place."""

    def __init__(self, app) -> None:
        self.app = app
        self.around = page_store.digest(shown_elsewhere(app.env))  # the frame of every page
        self.equations = app.env.get_domain("math").equations
        self.tests: dict[str, list[str]] = defaultdict(list)
        self.labels: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for mention in app.env.equation_tests:
            page, anchor = place_of(mention.name)
            if mention.label in self.equations and mention.label not in self.labels[page][anchor]:
                self.labels[page][anchor].append(mention.label)
            if mention.name not in self.tests[mention.label]:
                self.tests[mention.label].append(mention.name)
        self.values = {place_of(mention.name)[0] for mention in app.env.equation_values}
        for mention in app.env.equation_values:
            self.labels[place_of(mention.name)[0]][""].append(mention.label)

    def source(self, page: str) -> str:
        """The file that a page shows."""
        return (Path(self.app.srcdir) / f"{page}.py").read_text(encoding="utf-8")

    def state(self, page: str) -> tuple:
        """Everything that a page prints, and the frame around it."""
        labels = {anchor: list(found) for anchor, found in self.labels[page].items()}
        tests = {label: (self.tests[label], self.equations[label][0]) for found in labels.values() for label in found}
        return self.source(page), labels, tests, self.around

    def body(self, page: str) -> str:
        """A file with what stands above its tests."""
        labels = self.labels[page]
        cut = segments(self.source(page), set(labels))
        parts = [self.segment(page, name, lines) for name, lines in cut if lines.strip()]
        stem = page.rsplit("/", 1)[-1].removeprefix("test_")
        top = self.note(page, "") if "" in labels else ""
        words = (VALUES if page in self.values else INTRODUCTION).format(stem=stem)
        return f"<h1>{page}.py</h1>\n<p>{words}</p>\n{top}" + "\n".join(parts)

    def segment(self, page: str, name: str, lines: str) -> str:
        """Some lines of a file; those of a test have an anchor."""
        code = self.app.builder.highlighter.highlight_block(lines.strip("\n"), "python")
        if not name:
            return f'<div class="{LISTING}">\n{code}</div>'
        label = f'id="{name}" role="group" aria-label="{name}"'
        return f'<div class="test-source {LISTING}" {label}>\n{self.note(page, name)}{code}</div>'

    def note(self, page: str, anchor: str) -> str:
        """The equations of a test, and the other tests that hold them."""
        items = []
        for label in self.labels[page][anchor]:
            chapter = self.equations[label][0]
            link = self.link(address(self.app, page, chapter, nodes.make_id(f"equation-{label}")), label)
            others = [test for test in self.tests[label] if place_of(test) != (page, anchor)]
            also = ", ".join(
                self.link(address(self.app, page, *place_of(test)), test.removeprefix(f"{page}.py::"))
                for test in others
            )
            items.append(f"<li>{link}{f', also held by {also}' if also else ''}</li>")
        return f'<ul class="test-equations">{"".join(items)}</ul>\n'

    def link(self, uri: str, text: str) -> str:
        """A link in code letters."""
        return f'<a class="reference internal" href="{html.escape(uri)}"><code>{html.escape(text)}</code></a>'


def stale_pages(app, env) -> list[str]:
    """Note the sources to print anew, and name a chapter of each: Sphinx writes nothing when no page is out of date."""
    if app.builder.format != "html":
        return []
    app.sources = sources = Sources(app)
    app.stale_sources = [
        page for page in sorted(sources.labels) if page_store.changed(env, f"source of {page}", sources.state(page))
    ]
    first = [next(label for found in sources.labels[page].values() for label in found) for page in app.stale_sources]
    return sorted({sources.equations[label][0] for label in first})


def write_pages(app) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Hand the pages to the builder."""
    for page in app.stale_sources:
        yield page, {"title": f"{page}.py", "body": app.sources.body(page)}, "page.html"


def setup(app):
    """Look at the sources when all is read, and write the pages with those that Sphinx generates."""
    app.setup_extension("page_store")
    app.add_css_file("source_of_tests.css")
    app.connect("env-get-updated", stale_pages, priority=950)
    app.connect("html-collect-pages", write_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

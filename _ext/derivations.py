r"""Derivation practice: the reader writes the next line, then unfolds the chapter's own equation.

::

    :::{derivation}
    1. `kmeans-objective` State what k-means minimises.
    2. `kmeans-gradient` Keep the assignments. Differentiate with respect to one centre.
    :::

Each item names a labelled equation of a chapter and asks for it. The equation is taken from the chapter when the page
is written, so it is typed once. An equation of several aligned rows is one line, or as many lines as it has rows when
the item holds a nested list with a question for each further row. Bullets ``after:`` and ``wrong:`` are for the puzzle
of the derivation (``puzzle_lines``, ``puzzles``).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

import book_outline
import html_nodes
import page_store
import puzzle_lines
from book_log import warn
from docutils import nodes
from docutils.statemachine import StringList
from equation_links import equation_reference
from katex_math import LINE_BREAK, split_outside
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

EQUATIONS, PAGES = "sources of labelled equations", "pages of derivations"
ALIGNED = re.compile(r"\s*\\begin\{(aligned|split)\}(.*)\\end\{\1\}[\s.,;]*", re.DOTALL)


class hidden_line(nodes.General, nodes.Element):
    """Stands where a folded line goes: the ``label`` of an equation, which of its ``rows`` (None: all), a ``name``."""


class Derivation(SphinxDirective):
    """One derivation."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Build the questions and leave a place for each line."""
        content, (text, puzzle) = nodes.container(), self.without_puzzle()
        self.state.nested_parse(text, self.content_offset, content)
        if len(content) != 1 or not isinstance(content[0], nodes.enumerated_list):
            warn("derivation", "a derivation must be one numbered list", self.get_location())
            return []
        page_store.keep(self.env, PAGES, True)
        lines = [line for item in content[0] for line in self.lines(item)]
        for number, line in enumerate(lines, start=1):
            line[-1]["name"] = f"Line {number}"
        block = html_nodes.block("derivation-lines", *lines, tag="ol")
        self.set_source_info(block)
        block["puzzle"] = puzzle
        return [html_nodes.paragraph("derivation-length", f"{len(lines)} lines"), block]

    def without_puzzle(self) -> tuple[StringList, list[puzzle_lines.Line]]:
        """The content, and what was said in it about the puzzle; nothing if no wrong line is."""
        try:
            kept, puzzle = puzzle_lines.read(list(self.content))
        except ValueError as error:
            warn("derivation", str(error), self.get_location())
            return self.content, []
        text = StringList(kept, items=list(self.content.items))
        return text, puzzle if any(line.wrong for line in puzzle) else []

    def lines(self, item: nodes.Element) -> list[nodes.Element]:
        """The questions of one equation: one, or one for each of its rows."""
        first = item[0]
        if not first.children or not isinstance(first[0], nodes.literal):
            warn("derivation", f"a line starts with the label of its equation in backquotes: {item.astext()!r}", item)
            return []
        label = first.pop(0).astext()
        questions = [first, *(further[0] for further in (item[1] if len(item) > 1 else []))]
        rows: list[Any] = list(range(len(questions))) if len(questions) > 1 else [None]
        return [
            html_nodes.block("", question, self.place(label, row, len(questions)), tag="li")
            for question, row in zip(questions, rows, strict=True)
        ]

    def place(self, label: str, row: int | None, n_rows: int) -> hidden_line:
        """Where a line goes."""
        place = hidden_line("", label=label, row=row, n_rows=n_rows)
        self.set_source_info(place)
        return place


def collect(app, doctree) -> None:
    """Keep the source of each labelled equation of a page."""
    for node in doctree.findall(nodes.math_block):
        if node.get("label"):
            page_store.keep(app.env, EQUATIONS, (node["label"], node.astext(), bool(node.get("nowrap"))))


def aligned_rows(tex: str) -> list[str]:
    r"""The rows of an aligned formula, each fit to stand alone; another formula is its own only row.

    Examples
    --------
    >>> aligned_rows(r"\begin{aligned} a &= b \\ &= \begin{cases} 1 & c \\ 0 & d \end{cases} \end{aligned}.")
    ['a = b', '{}= \\begin{cases} 1 & c \\\\ 0 & d \\end{cases}']
    >>> aligned_rows("a = b")
    ['a = b']
    """
    found = ALIGNED.fullmatch(tex)
    if not found:
        return [tex.strip()]
    rows = ["".join(split_outside(row, "&")).strip() for row in split_outside(found[2], LINE_BREAK)]
    return [rows[0], *("{}" + row for row in rows[1:])]  # the empty group keeps the space before a leading relation


class FillLines(SphinxPostTransform):
    """Put the equations in their places, before references are resolved."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        places = list(self.document.findall(hidden_line))
        if not places:  # most pages; the table of all equations is for the others
            return
        sources = {
            label: (page, tex, nowrap)
            for page, equations in page_store.kept(self.env, EQUATIONS).items()
            for label, tex, nowrap in equations
        }
        for place in places:
            source = sources.get(place["label"])
            if source is None:
                warn("derivation", f"no chapter has the equation {place['label']!r}", place)
                place.parent.remove(place)
            else:
                place.replace_self(self.line(place, *source))

    def line(self, place: hidden_line, page: str, tex: str, nowrap: bool) -> nodes.Node:
        """One folded line with its origin."""
        if place["row"] is not None:
            rows = aligned_rows(tex)
            if len(rows) != place["n_rows"]:
                count = f"{place['n_rows']} questions and {len(rows)} rows"
                warn("derivation", f"the equation {place['label']!r} has {count}", place)
            tex = rows[min(place["row"], len(rows) - 1)]
        title = book_outline.page_title(self.env, page)
        chapter = nodes.reference("", title, internal=True, refuri=book_outline.address(self.app, page) or "")
        number = equation_reference(self.env, place["label"])
        return html_nodes.block(
            "derivation-line",
            html_nodes.paragraph("", place["name"], tag="summary"),
            nodes.math_block(tex, tex, nowrap=nowrap, number=None, label=None),
            html_nodes.paragraph("derivation-source", "Equation ", number, " of ", chapter),
            tag="details",
        )


def stale_pages(app, env) -> list[str]:
    """Name the pages of derivations when an equation, a number or a title is not that of the last build."""
    equations = sorted(page_store.kept(env, EQUATIONS).items())
    if page_store.changed(env, EQUATIONS, (equations, page_store.numbering(env), book_outline.state(env))):
        return page_store.pages(env, PAGES)
    return []


def setup(app):
    """Register the directive and what fills it."""
    for extension in ("html_nodes", "page_store", "book_outline"):
        app.setup_extension(extension)
    app.add_node(hidden_line)
    app.add_directive("derivation", Derivation)
    app.add_post_transform(FillLines)
    app.connect("doctree-read", collect)
    app.connect("env-get-updated", stale_pages, priority=900)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

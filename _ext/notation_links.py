"""Symbols of a chapter's table of notation lead to the place where each is first used.

The table stands in the fold *Notation*, whose label ends in ``-notation``; its first column, *Symbol*, holds formulas.
Each becomes a link to the first paragraph or displayed formula of the page that has the symbol (``tex_symbols`` says
what that means), outside of the table, the objectives, what one needs, cells and listings. What is written out comes
before what stands in an index only, what is in sight before what is folded, and the symbol as the table has it before
one with another index letter. A symbol of which nothing is found stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import html_nodes
from docutils import nodes
from katex_math import source_of
from readable_math import readable
from search_units import plain
from section_sizes import folded
from tex_symbols import Signs, head, one_of, read, stands_in

LABEL, COLUMN = "-notation", "Symbol"
PLACE = "first-use"  # the class of a place, and how its id begins
LINK = "first-use-link"
PASSED = {"objectives", "needs", "cell", "objectives-facts"}  # classes of what is no use of a symbol
SKIPPED = (nodes.title, nodes.literal_block, nodes.comment, nodes.raw)
WAYS = [(loose, closed, script) for loose in (False, True) for closed in (False, True) for script in (False, True)]


class Use(NamedTuple):
    """A formula of a page."""

    tex: str
    closed: bool  # whether it is folded at first
    place: nodes.Element  # the paragraph that it stands in, or it itself


def tables(document: nodes.document) -> Iterator[nodes.table]:
    """The tables of notation of a page."""
    for table in document.findall(nodes.table):
        above, named = table.parent, False
        while isinstance(above, nodes.Element) and not isinstance(above, nodes.section):
            named = named or any(name.endswith(LABEL) for name in above["ids"])
            above = above.parent
        first = next(table.findall(nodes.entry), None)
        if named and first is not None and first.astext() == COLUMN:
            yield table


def symbols(table: nodes.table) -> Iterator[list[nodes.math]]:
    """The formulas in the first column of each row."""
    for body in table.findall(nodes.tbody):
        for row in body.children:
            yield list(row[0].findall(nodes.math))


def uses(node: nodes.Element, passed: list[nodes.table], closed: bool = False) -> Iterator[Use]:
    """The formulas of a page in the order of its text."""
    for child in node.children:
        if not isinstance(child, nodes.Element) or isinstance(child, SKIPPED) or any(child is each for each in passed):
            continue
        if isinstance(child, nodes.math_block):
            yield Use(child.astext(), closed, child)
        elif isinstance(child, nodes.TextElement):
            for formula in child.findall(nodes.math):
                yield Use(formula.astext(), closed, child)
        elif PASSED.isdisjoint(child["classes"]):
            yield from uses(child, passed, closed or folded(child))


def first(symbol: Signs, found: list[Use]) -> Use | None:
    """Where a symbol stands first."""
    for wanted in dict.fromkeys((symbol, head(symbol), one_of(symbol))):
        for loose, closed, script in WAYS:
            for use in found:
                if use.closed == closed and stands_in(wanted, use.tex, script, loose):
                    return use
    return None


def section_of(app, page: str, node: nodes.Node) -> str:
    """Number and title of the section that a node stands in, as text."""
    section = html_nodes.section_around(node)
    if section is None:
        return ""
    anchor = f"#{section['ids'][0]}" if isinstance(section.parent, nodes.section) else ""
    number = ".".join(map(str, app.env.toc_secnumbers.get(page, {}).get(anchor, ())))
    title = plain(section[0], lambda formula: readable(app.katex.render(*source_of(formula))[0]))
    return f"section {number}, {title}" if number else f"section {title}"


def link_symbols(app, document, page: str) -> None:
    """Turn the symbols of a page's tables of notation into links."""
    if app.builder.format != "html":
        return
    passed = list(tables(document))
    found = list(uses(document, passed)) if passed else []
    taken = {name for node in document.findall(nodes.Element) for name in node["ids"]} if passed else set()
    for formula in [formula for table in passed for row in symbols(table) for formula in row]:
        use = first(read(formula.astext()), found)
        if use is None:
            continue
        place = use.place
        if not place["ids"]:
            number = next(n for n in range(1, len(taken) + 2) if f"{PLACE}-{n}" not in taken)
            place["ids"] = [f"{PLACE}-{number}"]
            taken.update(place["ids"])
        if PLACE not in place["classes"]:
            place["classes"].append(PLACE)
        title = f"first used in {section_of(app, page, place)}"
        link = nodes.reference("", "", internal=True, refid=place["ids"][0], reftitle=title, classes=[LINK])
        formula.replace_self(link)
        link += formula


def setup(app):
    """Come when references are resolved, before formulas are printed."""
    app.add_css_file("notation_links.css")
    app.connect("doctree-resolved", link_symbols, priority=890)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

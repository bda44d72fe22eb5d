"""How close the library is to its peers: ``{peer-count}`` in numbers, ``{peer-names} kernels`` name by name.

Both read the signatures and docstrings of the library and of the installed peers (``namesakes.py``) while the book is
built. Names that agree in everything stand in a line; each of the others is a fold: what agrees, what is not offered,
what only the library has, and what differs.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

import book_outline
import html_nodes
import namesakes
from book_log import warn
from docutils import nodes
from namesakes import Agreement, Comparison, Difference, Namesake
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

KINDS = ("parameters", "attributes", "methods")
TITLES = {"sklearn": "scikit-learn", "hmmlearn": "hmmlearn"}
Pair = tuple[Namesake, Comparison]


@cache
def pairs() -> list[Pair]:
    """All namesakes with what they have in common, read once a build."""
    return [(found, namesakes.compare(found.ours, found.theirs)) for found in namesakes.namesakes()]


class PeerDirective(SphinxDirective):
    """What both directives share: they belong to the files of the library."""

    def depend(self) -> None:
        """Read the page again when a file of the library has changed."""
        for folder in importlib.import_module("notes_lib").__path__:
            for file in sorted(Path(folder).rglob("*.py")):
                self.env.note_dependency(str(file))


class PeerCount(PeerDirective):
    """The numbers of the whole library."""

    def run(self) -> list[nodes.Node]:
        """Count."""
        self.depend()
        known = pairs()
        same = sum(comparison.complete for _, comparison in known)
        lines = [
            *(shared(peer, [found for found, _ in known if found.there.split(".")[0] == peer]) for peer in TITLES),
            *(total(kind, [comparison[number] for _, comparison in known]) for number, kind in enumerate(KINDS)),
            f"{same} names agree in everything.",
        ]
        items = (nodes.list_item("", nodes.paragraph(line, line)) for line in lines)
        return [nodes.bullet_list("", *items, classes=["peer-count"])]


def shared(peer: str, found: list[Namesake]) -> str:
    """How many of the public names of a peer the library has."""
    count = len(namesakes.peer_names([peer]))
    return (
        f"Of the {count} public classes and functions of {TITLES[peer]} {version(TITLES[peer])}, {len(found)} are here."
    )


def total(kind: str, all_of_them: Iterable[Agreement]) -> str:
    """One kind of name over the whole library, in a sentence."""
    agreements = list(all_of_them)
    offered, wanted = sum(each.offered for each in agreements), sum(each.wanted for each in agreements)
    different = sum(len(each.different) for each in agreements)
    share = f"Of the {wanted} {kind} that these have there, {offered} ({offered / max(wanted, 1):.0%}) are offered here"
    return share + (f", {different} of them with a difference." if different else ".")


class PeerNames(PeerDirective):
    """The names of one part of the book."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """A line and folds."""
        part = self.arguments[0]
        known = [pair for pair in pairs() if pair[0].part == part]
        if not known:
            warn("peers", f"no public name of {part!r} stands in a peer", self.get_location())
            return []
        self.depend()
        order = list(book_outline.outline(self.env))
        known.sort(key=lambda pair: order.index(pair[0].chapter) if pair[0].chapter in order else len(order))
        same = [found for found, comparison in known if comparison.complete]
        result = [self.fold(found, comparison) for found, comparison in known if not comparison.complete]
        result = [self.agreeing(same), *result] if same else result
        return result + [another(name, words) for name, words in namesakes.ANOTHER_THING.items() if in_part(name, part)]

    def agreeing(self, same: list[Namesake]) -> nodes.Node:
        """The line of the names that agree in everything."""
        return html_nodes.paragraph("peer-same", "The same in everything: ", *listed(self.link(each) for each in same))

    def fold(self, found: Namesake, comparison: Comparison) -> nodes.Node:
        """What one name has in common with its namesake."""
        counts = [f"{each.offered} of {each.wanted} {kind}" for kind, each in named(comparison) if each.wanted]
        facts = html_nodes.inline("peer-fold-count", ", ".join(counts))
        summary = html_nodes.paragraph("", code(found.name), " ", facts, tag="summary")
        where = nodes.paragraph("", "", self.link(found, found.here), nodes.Text(" and "), code(found.there))
        rows = [row for kind, agreement in named(comparison) for row in facts_of(kind, agreement)]
        entries = (node for row in rows for node in entry(*row))
        return html_nodes.block("peer-fold", summary, where, html_nodes.block("", *entries, tag="dl"), tag="details")

    def link(self, found: Namesake, text: str = "") -> nodes.Node:
        """A name of the library that leads to its entry in the reference."""
        link = addnodes.pending_xref("", refdomain="py", reftype="obj", reftarget=found.here, refwarn=True)
        link["refdoc"] = self.env.docname
        link += code(text or found.name)
        self.set_source_info(link)
        return link


def in_part(name: str, part: str) -> bool:
    """Whether a full name belongs to a part of the book."""
    return name.split(".")[1] == part


def another(name: str, words: str) -> nodes.Node:
    """The line of a name that means something else."""
    return html_nodes.paragraph("peer-same", "The same word for another thing: ", code(name), f": {words}.")


def named(comparison: Comparison) -> Iterator[tuple[str, Agreement]]:
    """The kinds of names with how far they agree."""
    return zip(KINDS, comparison, strict=True)


def facts_of(kind: str, agreement: Agreement) -> Iterator[tuple[str, list[nodes.Node]]]:
    """The entries of one kind of names that have something to say: title and contents."""
    different = {each.name for each in agreement.different}
    rows = {
        "the same": [name for name in agreement.shared if name not in different],
        "not offered": agreement.missing,
        "only here": agreement.extra,
    }
    for title, names in rows.items():
        if names:
            yield f"{kind}, {title}".capitalize(), [nodes.paragraph("", "", *listed(code(name) for name in names))]
    if different:
        yield f"{kind}, different".capitalize(), [difference(each) for each in agreement.different]


def difference(each: Difference) -> nodes.Node:
    """What a name is here and there, with straight quotation marks, as in code."""
    words = nodes.Text(f": {each.here} here, {each.there} there")
    return nodes.paragraph("", "", code(each.name), words, support_smartquotes=False)


def entry(title: str, contents: list[nodes.Node]) -> tuple[nodes.Node, nodes.Node]:
    """A term and its description."""
    return html_nodes.paragraph("", title, tag="dt"), html_nodes.block("", *contents, tag="dd")


def listed(items: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Items with commas between them."""
    for number, item in enumerate(items):
        if number:
            yield nodes.Text(", ")
        yield item


def code(name: str) -> nodes.literal:
    """A name as code."""
    return nodes.literal(name, name)


def forget(app) -> None:
    """Read the libraries anew in each build."""
    pairs.cache_clear()


def setup(app):
    """Register the directives."""
    for extension in ("html_nodes", "book_outline"):
        app.setup_extension(extension)
    app.add_css_file("peer_names.css")
    app.connect("builder-inited", forget)
    app.add_directive("peer-count", PeerCount)
    app.add_directive("peer-names", PeerNames)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

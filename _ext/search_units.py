"""What the search can find on a page: its sections, each with its title, the headings of its boxes and its text.

The text is what a reader reads: formulas as plain text, no code, no outputs, no solutions, no table of the notation.
Terms are what the glossary calls a section: the English and Chinese names and abbreviations of the entries that link to
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from docutils import nodes
from sphinx import addnodes

CHAPTER, EXAM, REVISION, REFERENCE = range(4)
CHINESE = re.compile(r"[\u4e00-\u9fff].*?(?=\. )|[\u4e00-\u9fff].*$")
TO_LINKS = re.compile(r" See[ ,.]*(?:[^.]*\.)?$")  # the end of an entry, which is links
SKIPPED = (
    *(nodes.comment, nodes.target, nodes.raw, nodes.substitution_definition),
    *(addnodes.index, addnodes.toctree, addnodes.glossary),
)
UNREAD = {"cell", "solution", "quiz-feedback", "wording"}  # classes of what is left out
LABELS_ONLY = {"ref", "numref", "eq"}  # references that hold a label until they are resolved
FormulaText = Callable[[nodes.Element], str]


class Unit(NamedTuple):
    """A section as the search knows it."""

    anchor: str  # "" for the top of a page
    above: str  # the section it stands in, "" directly below the title of the page
    title: str
    heads: str
    text: str  # as it is shown
    words: str  # of it, as they are searched: of formulas only what has a name
    standing: int
    ids: tuple[str, ...]  # of all that stands in it


class Entry(NamedTuple):
    """An entry of the glossary."""

    names: str
    links: tuple[tuple[str, str], ...]  # kind of the link and its target


def units(document: nodes.document, page: str, labels: set[str], formula: FormulaText) -> list[Unit]:
    """The sections of a page, from its top to its end, the entries of a glossary, and phrases of examiners."""
    sections = [
        unit_of(section, page, labels, formula)
        for section in document.findall(nodes.section)
        if section.children and isinstance(section[0], nodes.title)
    ]
    terms = [unit_of_term(item, formula) for item in glossary_items(document)]
    return sections + terms + [unit_of_wording(block) for block in wordings(document)]


def unit_of(section: nodes.section, page: str, labels: set[str], formula: FormulaText) -> Unit:
    """One section without the sections in it."""
    inner = isinstance(section.parent, nodes.section)
    own = [node for node in section.children[1:] if not isinstance(node, nodes.section)]
    return Unit(
        anchor=next((name for name in section["ids"] if name in labels), section["ids"][0]) if inner else "",
        above=plain(section.parent[0], formula) if inner and isinstance(section.parent.parent, nodes.section) else "",
        title=plain(section[0], formula),
        heads=" · ".join(plain(head, formula) for node in own for head in headings(node)),
        text=squeezed(" ".join(plain(node, formula) for node in own)),
        words=squeezed(" ".join(plain(node, lambda inner: named(formula(inner))) for node in own)),
        standing=standing(section, page),
        ids=(*section["ids"], *(name for node in own for each in node.findall(nodes.Element) for name in each["ids"])),
    )


def unit_of_term(item: nodes.definition_list_item, formula: FormulaText) -> Unit:
    """One entry of the glossary."""
    term = next(item.findall(nodes.term))
    text = TO_LINKS.sub("", squeezed(plain(item[-1], formula)))
    return Unit(term["ids"][0], "", plain(term, formula), "", text, text, REVISION, tuple(term["ids"]))


def unit_of_wording(block: nodes.Element) -> Unit:
    """One phrase of examiners, with what it asks for; a match of a whole phrase is what brings it to the top."""
    group, phrase, _ = block["wording"]
    asks = next(node.astext() for node in block.findall(nodes.paragraph) if "wording-asks" in node["classes"])
    return Unit(block["ids"][0], group, phrase, "", asks, "", EXAM, tuple(block["ids"]))


def wordings(document: nodes.document) -> Iterator[nodes.Element]:
    """The phrases of examiners on a page (see ``exam_wording``)."""
    yield from document.findall(lambda node: isinstance(node, nodes.Element) and "wording" in node)


def glossary_items(document: nodes.document) -> Iterator[nodes.definition_list_item]:
    """The entries of the glossaries of a page."""
    for glossary in document.findall(addnodes.glossary):
        yield from glossary.findall(nodes.definition_list_item)


def entries(document: nodes.document) -> list[Entry]:
    """What the glossary calls things, and where it sends the reader for them; other wordings of a phrase."""
    found = [
        Entry(" · ".join(block["wording"][-1]), (("ref", block["ids"][0]),))
        for block in wordings(document)
        if block["wording"][-1]
    ]
    for item in glossary_items(document):
        chinese = CHINESE.findall(item[-1].astext())
        links = [(link["reftype"], link["reftarget"]) for link in item.findall(addnodes.pending_xref)]
        names = " · ".join([next(item.findall(nodes.term)).astext(), *chinese])
        found.append(Entry(names, tuple(link for link in links if link[0] in ("ref", "chapter"))))
    return found


def standing(section: nodes.section, page: str) -> int:
    """How a section ranks beside others that answer a query as well."""
    if page.startswith("chapters/appendix/"):
        return REFERENCE
    if page.startswith("chapters/revision/"):
        return REVISION
    node: nodes.Element | None = section
    while isinstance(node, nodes.section):
        if any(name.endswith("-exam") for name in node["ids"]):
            return EXAM
        node = node.parent
    return CHAPTER


def headings(node: nodes.Node) -> Iterator[nodes.Element]:
    """The titles of boxes and the stressed words of a node: there a text says what it speaks of."""
    for inner in node.findall(nodes.Element):
        if "exam-card-name" in inner["classes"] or isinstance(inner, nodes.title | nodes.strong | nodes.emphasis):
            yield inner


def plain(node: nodes.Node, formula: FormulaText) -> str:
    """The text of a node as it is read."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.math | nodes.math_block):
        return formula(node)
    if isinstance(node, SKIPPED) or not isinstance(node, nodes.Element) or UNREAD & set(node["classes"]):
        return ""
    if is_notation(node):
        return ""
    if isinstance(node, addnodes.pending_xref) and (node["refdomain"] == "cite" or node["reftype"] in LABELS_ONLY):
        return "" if not node.get("refexplicit") else node.astext()
    between = "" if isinstance(node, nodes.TextElement) else " "
    return between.join(plain(child, formula) for child in node.children)


def is_notation(node: nodes.Element) -> bool:
    """Whether a node is the folded table of the notation, which names all that the chapter explains elsewhere."""
    title = node.children[0] if isinstance(node, nodes.container) and node.children else None
    return isinstance(title, nodes.rubric) and any(name.endswith("-notation") for name in title["ids"])


def named(formula: str) -> str:
    """What one may call a formula by: its Greek letters and functions, or the capital that it is."""
    return " ".join(re.findall(r"[A-Za-z]{3,}|[Α-Ωα-ωϑϕϵ∇]|^[A-Z]$", formula))


def squeezed(text: str) -> str:
    """Text with single spaces, and without the brackets of references that are left out."""
    text = re.sub(r"\(\s*\)", "", text)
    return re.sub(r"\s+([.,;:!?)])", r"\1", re.sub(r"\s+", " ", text)).strip()

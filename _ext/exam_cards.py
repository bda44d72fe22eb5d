"""Exam cards: what to know, what costs marks, what to keep apart; written in the chapters, collected on other pages.

``:::{must-know} Title`` (and the other kinds of ``KINDS``) is a card; ``:label:`` is required. For *lost marks*,
*slips*, *what changes if* and counter-examples the output of the code cell directly after the card goes along with the
card: it is the number that settles the claim, or the picture that shows the counter-example.

``:::{card-list} must-know`` shows all cards of a kind, by part and chapter in the order of the table of contents, each
with a link back, below a list of those chapters; with ``:part: kernels`` those of one part. With ``:contents:`` it
lists the parts instead, each as a link to the page that shows its cards, with their number. A part whose cards are on
no such page, or on two, is a warning. With ``:numbers: conventions.yml``, a file beside the page, a line ends each card
whose label stands there: what two conventions give (``here``, ``there``) for the numbers that are ``given``.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

import book_outline
import html_nodes
import page_store
import yaml
from book_log import warn
from docutils import nodes
from docutils.parsers.rst import directives
from revision import CARD_LISTS as LISTS
from revision import CARDS, anchor_of
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective


class Kind(NamedTuple):
    """A kind of card."""

    title: str
    evidence: str = ""  # "", "welcome" or "required": the output of the code cell after the card
    pictures: bool = False  # whether the figures of that output go along


KINDS = {
    "must-know": Kind("Must know"),
    "lost-marks": Kind("Lost marks", evidence="required"),
    "slip": Kind("Slip of one text", evidence="required"),
    "do-not-confuse": Kind("Do not confuse"),
    "what-if": Kind("What changes if", evidence="welcome"),
    "convention": Kind("Convention"),
    "counterexample": Kind("Counter-example", evidence="welcome", pictures=True),
    "counting": Kind("Counting"),
}
SECOND_TIER = "recognise"  # a formula to know when you see it, not to write down from memory
TEXT_FORMS = ("text/plain", "text/markdown", "text/latex")


class exam_card(html_nodes.html_block):
    """A card where it is written."""


class card_list(nodes.General, nodes.Element):
    """Stands where the cards of a kind, or the contents of all lists of the kind, go until the page is written."""


class Card(NamedTuple):
    """A card as other pages see it."""

    kind: str
    label: str
    section: str
    node: exam_card
    text: str  # a digest of all that the node prints


class Shown(NamedTuple):
    """What a list shows: the cards of a kind, of one part or (None) of all, or only where they are shown."""

    kind: str
    part: str | None = None
    contents: bool = False


class CardDirective(SphinxDirective):
    """One kind of card; the directive's name is the kind."""

    has_content: ClassVar[bool] = True
    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True
    option_spec: ClassVar[dict[str, Any]] = {"label": directives.unchanged, SECOND_TIER: directives.flag}

    def run(self) -> list[nodes.Node]:
        """Build the card."""
        second = SECOND_TIER in self.options
        classes = ["exam-card", self.name, *([SECOND_TIER] if second else [])]
        card = exam_card("", classes=classes, tag="div", html={}, kind=self.name)
        self.set_source_info(card)
        if page_store.claim_label(self, card):
            card["label"] = self.options["label"]
            card["html"] = {"role": "group", "aria-labelledby": f"{card['label']}-title"}
        text, messages = self.state.inline_text(self.arguments[0], self.lineno)
        title = html_nodes.paragraph(
            "exam-card-title",
            html_nodes.inline("exam-card-kind", "Recognise" if second else KINDS[self.name].title),
            " ",
            html_nodes.inline("exam-card-name", *text),
        )
        if "label" in card:
            title["ids"] = [f"{card['label']}-title"]
        body = html_nodes.block("exam-card-body")
        self.state.nested_parse(self.content, self.content_offset, body)
        if not body.children:
            warn("card", f"the {self.name} card {self.arguments[0]!r} is empty", card)
        card += [title, body]
        return [card, *messages]


class CardList(SphinxDirective):
    """All cards of a kind, those of a part, or the contents of the pages that show the parts."""

    required_arguments: ClassVar[int] = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "part": directives.unchanged,
        "contents": directives.flag,
        "numbers": directives.unchanged_required,
    }

    def run(self) -> list[nodes.Node]:
        """Leave a place for the cards."""
        shown = Shown(self.arguments[0], self.options.get("part"), "contents" in self.options)
        place = card_list("", shown=shown)
        self.set_source_info(place)
        parts = {chapter.part for chapter in book_outline.outline(self.env).values()}
        if shown.kind not in KINDS:
            warn("card", f"card-list of the unknown kind {shown.kind!r}; there are {', '.join(KINDS)}", place)
            return []
        if shown.part is not None and shown.part not in parts:
            warn("card", f"card-list of the unknown part {shown.part!r}; there are {', '.join(sorted(parts))}", place)
            return []
        page_store.keep(self.env, LISTS, shown)
        place["numbers"] = self.numbers(self.options["numbers"]) if "numbers" in self.options else {}
        return [place]

    def numbers(self, name: str) -> dict[str, nodes.Node]:
        """The last lines of cards, by label, from a file beside the page."""
        path = page_store.file_beside(self, name)
        try:
            found = yaml.safe_load(path.read_text(encoding="utf-8"))
            texts = {
                label: "For {given}: here {here}, there {there}.".format(**entry) for label, entry in found.items()
            }
        except (OSError, yaml.YAMLError, AttributeError, TypeError, KeyError) as error:
            warn("card", f"{name} needs given, here and there for each label: {error!r}", self.get_location())
            return {}
        return {
            label: portable(html_nodes.paragraph("exam-card-numbers", *self.state.inline_text(text, self.lineno)[0]))
            for label, text in texts.items()
        }


def collect(app, doctree) -> None:
    """Keep copies of a page's cards, complete as they are now, with the evidence behind them."""
    for card in doctree.findall(exam_card):
        for node in card.findall(lambda node: isinstance(node, nodes.math_block) and node.get("label")):
            warn("card", f"a card cannot hold the labelled equation {node['label']!r}: cards are copied", card)
        if any(card.findall(nodes.footnote_reference)):
            warn("card", "a card cannot hold a footnote: cards are copied", card)
        kind = KINDS[card["kind"]]
        evidence = evidence_after(card, kind.pictures)
        if kind.evidence == "required" and evidence is None:
            warn("card", f"a {card['kind']} card needs an executed cell with text output directly after it", card)
        if "label" in card:
            copy = portable(card)
            if kind.evidence and evidence is not None:
                copy += html_nodes.block("exam-card-evidence", portable(evidence))
            text = page_store.digest(copy.pformat())
            page_store.keep(app.env, CARDS, Card(card["kind"], card["label"], section_title(card), copy, text))


def evidence_after(card: nodes.Element, pictures: bool = False) -> nodes.Element | None:
    """The outputs of the code cell that follows the card, with or without its figures; None if nothing is left."""
    siblings = card.parent.children
    after = [
        node
        for node in siblings[siblings.index(card) + 1 :]
        if not isinstance(node, nodes.comment | nodes.target | addnodes.index)
    ]
    if not after or "cell" not in classes(after[0]):
        return None
    for output in after[0].findall(lambda node: "cell_output" in classes(node)):
        copy = output.deepcopy()
        for item in list(copy.children):
            if pictures and any(item.findall(nodes.image)):
                copy.replace(item, unnumbered(item))
            elif isinstance(item, nodes.figure) or not keep_text(item):
                copy.remove(item)
        if copy.astext().strip() or any(copy.findall(nodes.image)):
            return copy
    return None


def unnumbered(figure: nodes.Element) -> nodes.Element:
    """A picture with its caption, but without its number, which belongs to the chapter."""
    if not isinstance(figure, nodes.figure):
        return figure
    parts = [
        html_nodes.paragraph("exam-card-caption", *part.children) if isinstance(part, nodes.caption) else part
        for part in figure.children
    ]
    return html_nodes.block("exam-card-picture", *parts)


def keep_text(item: nodes.Element) -> bool:
    """Cut an output down to its textual forms; False when it is a picture or has none."""
    if item.get("nb_element") == "mime_bundle":
        forms = [form["mime_type"] for form in item.children]
        if any(form.startswith("image/") for form in forms):
            return False
        item.children = [form for form in item.children if form["mime_type"] in TEXT_FORMS]
    return bool(item.children)


def portable(node: nodes.Element) -> Any:
    """A copy that may stand on another page: without ids, and without a hold on its document."""
    copy = page_store.detached(node.deepcopy())
    for element in copy.findall(nodes.Element):
        for name in ("ids", "names", "dupnames", "backrefs"):
            element[name] = []
    return copy


def section_title(node: nodes.Element) -> str:
    """The heading that a node stands under."""
    section = html_nodes.section_around(node)
    return section[0].astext() if section is not None and section.children else ""


def classes(node: nodes.Node) -> list[str]:
    """The classes of a node; text has none."""
    return node["classes"] if isinstance(node, nodes.Element) else []


def name_of(card: nodes.Element) -> Any:
    """The name of a card, with its formulas."""
    return next(node for node in card.findall(nodes.Element) if "exam-card-name" in classes(node))


def cards(env, kind: str | None = None, part: str | None = None) -> list[tuple[str, Card]]:
    """All cards, or those of a kind or of a part, with their pages, in the order of the book."""
    kept = page_store.kept(env, CARDS)
    found = [(page, card) for page in page_store.reading_order(env) for card in kept.get(page, [])]
    return [
        (page, card)
        for page, card in found
        if kind in (None, card.kind) and part in (None, book_outline.part_of(env, page))
    ]


class FillCardLists(SphinxPostTransform):
    """Put copies of the cards in their place, before anything in them is resolved."""

    default_priority = 2

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(card_list)):
            shown = place["shown"]
            place.replace_self(self.contents(shown, place) if shown.contents else self.collection(shown, place))

    def collection(self, shown: Shown, place: card_list) -> nodes.Node:
        """The cards under the headings of their parts and chapters; the page of one part needs no heading for it."""
        result = html_nodes.block(f"card-list {shown.kind}")
        found = cards(self.env, shown.kind, shown.part)
        result += self.chapters(shown.kind, [page for page, _ in found])
        part = None
        for page, group in groupby(found, key=lambda pair: pair[0]):
            chapter = book_outline.chapter_at(self.env, page)
            if chapter and chapter.part_title != part and shown.part is None:
                part = chapter.part_title
                result += html_nodes.heading("card-list-part", 1, part)
            part = part if chapter else None  # a page of the revision stands behind the parts
            title = book_outline.page_title(self.env, page)
            result += html_nodes.heading(
                "card-list-chapter", 2 if part else 1, book_outline.link(self.app, title, page)
            )
            result[-1]["ids"] = [anchor_of(shown.kind, page)]
            result += [self.copy(card, page, place["numbers"].get(card.label)) for _, card in group]
        for label in sorted(set(place["numbers"]) - {card.label for _, card in found}):
            warn("card", f"there are numbers for {label!r}, which is no {shown.kind} card", place)
        if not found:
            result += html_nodes.paragraph("card-list-empty", "No chapter holds such a card yet.")
        return result

    def chapters(self, kind: str, pages: list[str]) -> list[nodes.Node]:
        """The contents of a list: its chapters, each with its number of cards."""
        titles = [
            (book_outline.page_title(self.env, page), anchor_of(kind, page), f" ({count})")
            for page, count in Counter(pages).items()
        ]
        return [html_nodes.contents(titles)] if titles else []

    def contents(self, shown: Shown, place: card_list) -> nodes.Node:
        """The parts, each with the page that shows its cards, their number and its chapters."""
        listing = nodes.bullet_list()
        found = [(book_outline.chapter_at(self.env, page), card) for page, card in cards(self.env, shown.kind)]
        for chapter, card in found:
            if chapter is None:
                warn("card", f"the card {card.label!r} is in no part: the pages of the parts do not show it", place)
        chapters = [chapter for chapter, _ in found if chapter]  # one entry for each card
        for (part, title), group in groupby(chapters, key=lambda chapter: (chapter.part, chapter.part_title)):
            members = list(group)
            there = collecting_pages(self.env, Shown(shown.kind, part))
            if len(there) != 1:
                warn("card", f"{len(there)} pages show the {shown.kind} cards of the part {part!r}: one must", place)
                continue
            count = html_nodes.inline("card-count", f"{len(members)} card{'s' if len(members) > 1 else ''}")
            listing += nodes.list_item(
                "",
                html_nodes.paragraph("card-contents-part", book_outline.link(self.app, title, there[0]), " ", count),
                html_nodes.paragraph("card-contents-chapters", ", ".join(dict.fromkeys(c.title for c in members))),
            )
        return html_nodes.block(f"card-contents {shown.kind}", listing)

    def copy(self, card: Card, page: str, numbers: nodes.Node | None) -> nodes.Node:
        """One card, as it stands on this page, with a last line of numbers if there is one."""
        copy = card.node.deepcopy()
        copy["classes"] = [*copy["classes"], "collected"]
        copy["html"] = {}
        move_links(self.app, copy, page)
        copy += [numbers.deepcopy()] if numbers is not None else []
        origin = ", ".join(filter(None, [book_outline.page_title(self.env, page), card.section]))
        copy += html_nodes.paragraph("exam-card-source", book_outline.link(self.app, origin, page, card.label))
        return copy


def move_links(app, copy: nodes.Element, page: str) -> None:
    """Let the links of a copy of something on ``page`` lead where they did, from the page that is written."""
    for reference in copy.findall(addnodes.pending_xref):
        reference["refdoc"] = app.env.docname
    for reference in copy.findall(nodes.reference):
        if "refid" in reference:  # a link within the chapter
            place = reference.attributes.pop("refid")
            reference["refuri"] = book_outline.address(app, page, place) or ""
            reference["internal"] = True


def collecting_pages(env, shown: Shown) -> list[str]:
    """Name the pages that show these cards."""
    return [page for page, lists in sorted(page_store.kept(env, LISTS).items()) if shown in lists]


def told(env, kind: str, part: str | None = None) -> tuple:
    """All that copies of the cards of a kind, or of those of a part, print."""
    found = [(page, card.label, card.section, card.text) for page, card in cards(env, kind, part)]
    return found, page_store.numbering(env), book_outline.state(env)


def stale_pages(app, env) -> list[str]:
    """Name the collecting pages whose cards, or whose numbers in cards, are not those of the last build."""
    lists = sorted(page_store.kept(env, LISTS).items())
    return [
        page
        for page, shown in lists
        if page_store.changed(env, f"{CARDS} on {page}", (lists, [told(env, each.kind, each.part) for each in shown]))
    ]


def setup(app):
    """Register a directive for each kind, and the list."""
    for extension in ("html_nodes", "page_store", "book_outline"):
        app.setup_extension(extension)
    app.add_node(exam_card, html=(html_nodes.visit_element, html_nodes.depart_element))
    app.add_node(card_list)
    for kind in KINDS:
        app.add_directive(kind, CardDirective)
    app.add_directive("card-list", CardList)
    app.add_post_transform(FillCardLists)
    app.connect("doctree-read", collect, priority=970)
    app.connect("env-get-updated", stale_pages, priority=900)
    return {"version": "2", "env_version": 3, "parallel_read_safe": True, "parallel_write_safe": True}

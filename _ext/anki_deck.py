r"""The exam cards of a kind as a deck for Anki, written while the site is built.

``:::{anki-deck} must-know`` becomes a link to the deck. The deck holds one note for each card, in one subdeck for each
chapter; formulas go in as ``\(...\)`` and ``\[...\]``, which Anki sets by itself, without the network. A note is
recognised by the label of its card, so importing a newer deck updates the notes and keeps what the learner has learnt.
"""

from __future__ import annotations

import hashlib
import html
from pathlib import Path
from typing import ClassVar, NamedTuple

import book_outline
import html_nodes
import page_store
from book_log import warn
from docutils import nodes, utils
from exam_cards import KINDS, Card, cards, classes, told
from katex_math import source_of
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

DECKS, FOLDER = "pages that offer a deck", "_downloads"
FIELDS = ("Label", "Title", "Statement", "Chapter")
FRONT = '<p class="chapter">{{Chapter}}</p>\n<p class="title">{{Title}}</p>'
BACK = "{{FrontSide}}\n<hr id=answer>\n{{Statement}}"
STYLE = """
.card { max-width: 40em; margin: 1em auto; padding: 0 1em; font: 20px/1.5 system-ui, sans-serif; text-align: left; }
.chapter { margin: 0; font-size: 15px; opacity: .75; }
.title { margin: .2em 0 .6em; font-size: 24px; font-weight: 600; }
""".strip()


class deck_link(nodes.General, nodes.Element):
    """Stands where the link goes until its page is written."""


class Note(NamedTuple):
    """What Anki gets of a card, each field as HTML."""

    label: str
    title: str
    statement: str
    chapter: str


class AnkiDeck(SphinxDirective):
    """A link to the deck of a kind."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Leave a place for the link."""
        place = deck_link("", kind=self.arguments[0])
        self.set_source_info(place)
        if place["kind"] not in KINDS:
            warn("deck", f"a deck of the unknown kind {place['kind']!r}; there are {', '.join(KINDS)}", place)
            return []
        page_store.keep(self.env, DECKS, place["kind"])
        return [place]


def file_name(app, kind: str) -> str:
    """Name of a deck's file."""
    return f"{nodes.make_id(app.config.project)}-{kind}.apkg"


class FillLinks(SphinxPostTransform):
    """Print the links."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(deck_link)):
            count = len(cards(self.env, place["kind"]))
            text = f"Download {count} cards for Anki"
            link = addnodes.download_reference("", text, filename=file_name(self.app, place["kind"]))
            place.replace_self(html_nodes.paragraph("deck-link", link))


def as_note(app, page: str, card: Card) -> Note:
    """One card as Anki shows it: formulas as source, links as their text."""
    document = utils.new_document(card.label)
    document += card.node.deepcopy()
    app.env.resolve_references(document, page, app.builder)
    for formula in list(document.findall(lambda node: isinstance(node, nodes.math | nodes.math_block))):
        tex, display = source_of(formula)
        left, right = (r"\[", r"\]") if display else (r"\(", r"\)")
        formula.replace_self(html_nodes.raw_html(left + html.escape(tex, quote=False) + right))
    for link in list(document.findall(nodes.reference)):
        link.replace_self(link.children)
    title = next(document.findall(lambda node: "exam-card-name" in classes(node)))
    body = next(document.findall(lambda node: "exam-card-body" in classes(node)))
    front, back = (app.builder.render_partial(node)["fragment"].strip() for node in (title, body))
    return Note(card.label, front, back, html.escape(book_outline.page_title(app.env, page)))


def stable_id(*words: str) -> int:
    """A number that is always the same for the same words, in the range that Anki uses for its own."""
    return int.from_bytes(hashlib.sha256("\0".join(words).encode()).digest()[:4], "big") + 2**31


def write_deck(path: Path, name: str, notes: list[Note]) -> None:
    """Write notes as an Anki package of one subdeck a chapter."""
    import genanki

    model = genanki.Model(
        stable_id("model", name),
        f"{name} card",
        fields=[{"name": field} for field in FIELDS],
        templates=[{"name": "Recall", "qfmt": FRONT, "afmt": BACK}],
        css=STYLE,
        sort_field_index=1,
    )
    decks: dict[str, genanki.Deck] = {}
    for note in notes:
        subdeck = f"{name}::{html.unescape(note.chapter)}"
        deck = decks.setdefault(subdeck, genanki.Deck(stable_id("deck", subdeck), subdeck))
        deck.add_note(genanki.Note(model=model, fields=list(note), guid=genanki.guid_for(name, note.label)))
    path.parent.mkdir(parents=True, exist_ok=True)
    genanki.Package(list(decks.values())).write_to_file(path)


def write_decks(app, exception) -> None:
    """Write the decks that are not those of the last build."""
    if exception is not None or app.builder.format != "html":
        return
    for kind in app.stale_decks:
        notes = [as_note(app, page, card) for page, card in cards(app.env, kind)]
        write_deck(Path(app.outdir) / FOLDER / file_name(app, kind), app.config.project, notes)


def stale_decks(app, env) -> list[str]:
    """Find the kinds whose deck is missing, or whose cards, or what they name, are not those of the last build."""
    offered = {kind for page in page_store.kept(env, DECKS).values() for kind in page}
    return [
        kind
        for kind in sorted(offered)
        if page_store.changed(env, f"deck of {kind}", told(env, kind))
        or not (Path(app.outdir) / FOLDER / file_name(app, kind)).exists()
    ]


def stale_pages(app, env) -> list[str]:
    """Name the pages whose link has another number of cards than in the last build."""
    app.stale_decks = stale_decks(app, env)
    counts = {kind: len(cards(env, kind)) for kind in KINDS}
    return page_store.pages(env, DECKS) if page_store.changed(env, DECKS, counts) else []


def setup(app):
    """Register the directive and write the decks at the end of the build."""
    for extension in ("html_nodes", "page_store", "book_outline", "exam_cards"):
        app.setup_extension(extension)
    app.add_node(deck_link)
    app.add_directive("anki-deck", AnkiDeck)
    app.add_post_transform(FillLinks)
    app.connect("env-get-updated", stale_pages, priority=900)
    app.connect("build-finished", write_decks, priority=400)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

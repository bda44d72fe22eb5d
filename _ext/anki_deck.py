r"""The exam cards of a kind as a deck for Anki, written while the site is built.

``:::{anki-deck} must-know lost-marks statements`` becomes a link to the deck. The deck holds one note for each card of
the first kind, in one subdeck for each chapter, and those of the other kinds in subdecks of their own; ``statements``
are those that are true or false. Formulas go in as ``\(...\)`` and ``\[...\]``, which Anki sets by itself, without the
network. A note is recognised by the label of its card, so importing a newer deck updates the notes and keeps what the
learner has learnt.
"""

from __future__ import annotations

import hashlib
import html
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import book_outline
import html_nodes
import page_store
from book_log import warn
from docutils import nodes, utils
from exam_cards import KINDS, Card, cards, classes, told
from katex_math import KEPT, source_of
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from statement_list import Statement, statements

DECKS, FOLDER = "pages that offer a deck", "_downloads"
SUBDECKS = {kind: KINDS[kind].title for kind in KINDS} | {"lost-marks": "Mistakes", "statements": "True or false"}
FRONT_CLASSES, BACK_CLASSES = {"exam-card-name", "quiz-question"}, {"exam-card-body", "quiz-feedback"}
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
    """A link to the deck of some kinds."""

    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Leave a place for the link."""
        place = deck_link("", kinds=tuple(self.arguments[0].split()))
        self.set_source_info(place)
        for kind in place["kinds"]:
            if kind not in {*KINDS, "statements"}:
                known = ", ".join([*KINDS, "statements"])
                warn("deck", f"a deck of the unknown kind {kind!r}; there are {known}", place)
                return []
        page_store.keep(self.env, DECKS, place["kinds"])
        return [place]


def file_name(app, kinds: tuple[str, ...]) -> str:
    """Name of a deck's file."""
    return f"{nodes.make_id(app.config.project)}-{kinds[0]}.apkg"


def members(env, kind: str) -> list[tuple[str, Any]]:
    """The cards or statements of a kind, with their pages."""
    return statements(env) if kind == "statements" else cards(env, kind)


def state(env, kinds: tuple[str, ...]) -> list[tuple]:
    """All that the notes of a deck print."""
    listed = [(page, statement.label, statement.node.pformat()) for page, statement in statements(env)]
    return [(listed, page_store.numbering(env)) if kind == "statements" else told(env, kind) for kind in kinds]


class FillLinks(SphinxPostTransform):
    """Print the links."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(deck_link)):
            count = sum(len(members(self.env, kind)) for kind in place["kinds"])
            text = f"Download {count} cards for Anki"
            link = addnodes.download_reference("", text, filename=file_name(self.app, place["kinds"]))
            place.replace_self(html_nodes.paragraph("deck-link", link))


def as_note(app, page: str, card: Card | Statement) -> Note:
    """One card as Anki shows it: formulas as source, links as their text; a statement has its answer on the back."""
    document = utils.new_document(card.label)
    document += card.node.deepcopy()
    app.env.resolve_references(document, page, app.builder)
    for formula in list(document.findall(lambda node: isinstance(node, nodes.math | nodes.math_block))):
        tex, display = source_of(formula)
        left, right = (r"\[", r"\]") if display else (r"\(", r"\)")
        formula.replace_self(html_nodes.raw_html(left + html.escape(tex, quote=False) + right))
    for wrapper in list(document.findall(lambda node: isinstance(node, nodes.reference) or has_class({KEPT}, node))):
        wrapper["classes"] = [name for name in wrapper["classes"] if name != KEPT]  # its first child takes the others
        wrapper.replace_self(wrapper.children)
    for verdict in list(document.findall(lambda node: isinstance(node, nodes.raw) and "quiz-verdict" in node.astext())):
        verdict.parent.remove(verdict)
    title, body = (next(document.findall(partial(has_class, names))) for names in (FRONT_CLASSES, BACK_CLASSES))
    title["ids"] = []
    front, back = (app.builder.render_partial(node)["fragment"].strip() for node in (title, body))
    return Note(card.label, front, back, html.escape(book_outline.page_title(app.env, page)))


def has_class(names: set[str], node: nodes.Node) -> bool:
    """Whether a node has one of some classes."""
    return bool(names & set(classes(node)))


def stable_id(*words: str) -> int:
    """A number that is always the same for the same words, in the range that Anki uses for its own."""
    return int.from_bytes(hashlib.sha256("\0".join(words).encode()).digest()[:4], "big") + 2**31


def write_deck(path: Path, name: str, notes: list[tuple[str, Note]]) -> None:
    """Write notes, each with the deck it goes into, as an Anki package of one subdeck a chapter."""
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
    for above, note in notes:
        subdeck = f"{above}::{html.unescape(note.chapter)}"
        deck = decks.setdefault(subdeck, genanki.Deck(stable_id("deck", subdeck), subdeck))
        deck.add_note(genanki.Note(model=model, fields=list(note), guid=genanki.guid_for(name, note.label)))
    path.parent.mkdir(parents=True, exist_ok=True)
    genanki.Package(list(decks.values())).write_to_file(path)


def write_decks(app, exception) -> None:
    """Write the decks that are not those of the last build."""
    if exception is not None or app.builder.format != "html":
        return
    name = app.config.project
    for kinds in app.stale_decks:
        decks = {kind: f"{name}::{SUBDECKS.get(kind, kind)}" for kind in kinds} | {kinds[0]: name}
        notes = [(decks[kind], as_note(app, page, card)) for kind in kinds for page, card in members(app.env, kind)]
        write_deck(Path(app.outdir) / FOLDER / file_name(app, kinds), name, notes)


def stale_decks(app, env) -> list[tuple[str, ...]]:
    """Find the decks that are missing, or whose cards, or what they name, are not those of the last build."""
    offered = {kinds for page in page_store.kept(env, DECKS).values() for kinds in page}
    return [
        kinds
        for kinds in sorted(offered)
        if page_store.changed(env, f"deck of {kinds}", state(env, kinds))
        or not (Path(app.outdir) / FOLDER / file_name(app, kinds)).exists()
    ]


def stale_pages(app, env) -> list[str]:
    """Name the pages whose link has another number of cards than in the last build."""
    app.stale_decks = stale_decks(app, env)
    counts = {kind: len(members(env, kind)) for kind in [*KINDS, "statements"]}
    return page_store.pages(env, DECKS) if page_store.changed(env, DECKS, counts) else []


def setup(app):
    """Register the directive and write the decks at the end of the build."""
    for extension in ("html_nodes", "page_store", "book_outline", "exam_cards", "statement_list"):
        app.setup_extension(extension)
    app.add_node(deck_link)
    app.add_directive("anki-deck", AnkiDeck)
    app.add_post_transform(FillLinks)
    app.connect("env-get-updated", stale_pages, priority=900)
    app.connect("build-finished", write_decks, priority=400)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

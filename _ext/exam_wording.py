"""``:::{exam-wording} exam_wording.yml`` lists phrases of examiners, each with the places of the book that practise it.

The file beside the page is a list of groups with ``group``, ``about`` and ``phrases``. A phrase has ``label``,
``phrase``, ``asks`` (what an answer must hold), as far as there are any ``also`` (other wordings, which the search
knows, too), and the places: ``exercises``, ``statements``, ``cards`` and ``derivations`` (labels) and ``drills``
(topics), two of them at least. A place that is not there is a warning. ``revision.js`` adds the filter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, ClassVar, NamedTuple

import book_outline
import derivations
import exam_cards
import exercises
import html_nodes
import page_store
import statement_list
import yaml
from book_log import warn
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from trainer import note_topics, topic_link

from notes_lib import drills

PAGES = "pages of examiners' phrases"
ROWS = {
    "exercises": "Exercises",
    "drills": "Drills",
    "statements": "True or false",
    "cards": "Cards",
    "derivations": "Derivations",
}
NEEDED, ALLOWED = {"label", "phrase", "asks"}, {"label", "phrase", "asks", "also", *ROWS}
LEAST = 2  # places of a phrase


class places_of_phrase(nodes.General, nodes.Element):
    """Stands where the links of a phrase go until its page is written."""


class Place(NamedTuple):
    """A card or statement: the page it stands on, and its name."""

    page: str
    name: list[nodes.Node]


class ExamWording(SphinxDirective):
    """The phrases by what they ask for."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Build the groups; leave a place for the links of each phrase."""
        groups = self.read()
        page_store.keep(self.env, PAGES, True)
        result = html_nodes.block("wording-list")
        anchors = [nodes.make_id(f"wordings-{group['group']}") for group in groups]
        result += html_nodes.contents(
            (group["group"], anchor, f" ({len(group['phrases'])})")
            for group, anchor in zip(groups, anchors, strict=True)
        )
        for group, anchor in zip(groups, anchors, strict=True):
            heading = html_nodes.heading("wording-group", 1, group["group"])
            heading["ids"] = [anchor]
            result += [heading, html_nodes.paragraph("wording-about", group["about"])]
            result += [self.phrase(entry, group["group"]) for entry in group["phrases"] if self.is_whole(entry)]
        return [result]

    def read(self) -> list[dict[str, Any]]:
        """The groups of the file."""
        path = page_store.file_beside(self, self.arguments[0])
        try:
            found = yaml.safe_load(path.read_text(encoding="utf-8"))
            return [{key: group[key] for key in ("group", "about", "phrases")} for group in found]
        except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
            warn("wording", f"{path.name} needs group, about and phrases: {error!r}", self.get_location())
            return []

    def is_whole(self, entry: Any) -> bool:
        """Whether a phrase has what it needs; if not, that is a warning."""
        if not isinstance(entry, dict) or not NEEDED <= set(entry) <= ALLOWED:
            warn("wording", f"a phrase needs {', '.join(sorted(NEEDED))}: {entry!r}", self.get_location())
            return False
        count = sum(len(entry.get(kind, [])) for kind in ROWS)
        if count < LEAST:
            warn("wording", f"{entry['phrase']!r} leads to {count} places, not {LEAST}", self.get_location())
        return True

    def phrase(self, entry: dict[str, Any], group: str) -> nodes.Node:
        """A phrase and what it asks for."""
        also = entry.get("also", [])
        block = html_nodes.block("wording")
        block["wording"] = (group, entry["phrase"], tuple(also))  # for the search
        block["ids"] = [f"wording-{entry['label']}"]
        labels_of(self.env).anonlabels[block["ids"][0]] = (self.env.docname, block["ids"][0])
        block += html_nodes.paragraph("wording-phrase", entry["phrase"])
        if also:
            other = [part for text in also for part in (nodes.Text(" · "), html_nodes.inline("", text))][1:]
            block += html_nodes.paragraph("wording-also", html_nodes.inline("task-kind", "also"), " ", *other)
        block += html_nodes.paragraph("wording-asks", entry["asks"])
        place = places_of_phrase("", places={kind: entry.get(kind, []) for kind in ROWS})
        self.set_source_info(place)
        for topic in entry.get("drills", []):
            with suppress(ValueError):  # the link to a topic that is not there is a warning
                note_topics(self.env, drills.chapter(topic))
        block += place
        return block


class FillPlaces(SphinxPostTransform):
    """Put the links in their places, before references are resolved."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        places = list(self.document.findall(places_of_phrase))
        if not places:  # most pages
            return
        cards = {
            card.label: Place(page, exam_cards.name_of(card.node).children) for page, card in exam_cards.cards(self.env)
        }
        asked = {item.label: Place(page, question_of(item.node)) for page, item in statement_list.statements(self.env)}
        links: dict[str, Callable[[str], nodes.Node | None]] = {
            "exercises": self.exercise,
            "drills": lambda topic: topic_link(self.app, self.env.docname, topic),
            "statements": lambda label: self.link(label, asked),
            "cards": lambda label: self.link(label, cards),
            "derivations": self.derivation,
        }
        for place in places:
            place.replace_self([*self.rows(place, links)])

    def rows(self, place: places_of_phrase, links) -> Iterator[nodes.Node]:
        """A line for each kind of place."""
        for kind, title in ROWS.items():
            found: list[nodes.Node] = []
            for label in place["places"][kind]:
                link = links[kind](label)
                if link is None:
                    warn("wording", f"the book has no such place among its {kind}: {label!r}", place)
                    link = nodes.literal(label, label)
                found += [nodes.Text(" · "), link]
            if found:
                yield html_nodes.paragraph("task-row", html_nodes.inline("task-kind", title), " ", *found[1:])

    def exercise(self, label: str) -> nodes.Node | None:
        """A link to an exercise, by its title, with its chapter."""
        entry = exercises.known(self.env).get(label)
        return entry and self.of_chapter(exercises.link(self.app, label), entry["docname"])

    def link(self, label: str, known: dict[str, Place]) -> nodes.Node | None:
        """A link to a card or statement, by its name, with its chapter."""
        place = known.get(label)
        if place is None:
            return None
        found = book_outline.link(self.app, "", place.page, label)
        if isinstance(found, nodes.reference):
            found.children = []
            found += [node.deepcopy() for node in place.name]
        else:
            found = nodes.Text("".join(node.astext() for node in place.name))
        return self.of_chapter(found, place.page)

    def derivation(self, label: str) -> nodes.Node | None:
        """A link to a derivation to practise, by the title of its section."""
        page, anchor, title = labels_of(self.env).labels.get(label, ("", "", ""))
        if page not in page_store.kept(self.env, derivations.PAGES):
            return None
        return book_outline.link(self.app, title, page, anchor)

    def of_chapter(self, link: nodes.Node, page: str) -> nodes.Node:
        """A link with the title of the chapter behind it: *How many* is the name of many cards."""
        title = book_outline.page_title(self.env, page)
        return html_nodes.inline("", link, " ", html_nodes.inline("wording-chapter", f"({title})"))


def labels_of(env) -> Any:
    """What Sphinx knows of labels."""
    return env.get_domain("std")


def question_of(item: nodes.Element) -> list[nodes.Node]:
    """A statement, with its formulas."""
    return next((node.children for node in item[0].findall(nodes.paragraph)), [])


def stale_pages(app, env) -> list[str]:
    """Name the pages when what they link to is not what it was in the last build."""
    told = [(page, card.label, card.text) for page, card in exam_cards.cards(env)]
    told += [(page, label, node.pformat()) for page, (label, node) in statement_list.statements(env)]
    titles = {label: place for label, place in labels_of(env).labels.items() if label.startswith("derivation-")}
    state = exercises.state(env), told, sorted(titles.items()), book_outline.state(env)
    return page_store.pages(env, PAGES) if page_store.changed(env, PAGES, state) else []


def setup(app):
    """Register the directive."""
    for extension in ("html_nodes", "page_store", "book_outline"):
        app.setup_extension(extension)
    for extension in ("exam_cards", "statement_list", "derivations", "trainer"):  # the places
        app.setup_extension(extension)
    app.add_node(places_of_phrase)
    app.add_directive("exam-wording", ExamWording)
    app.add_post_transform(FillPlaces)
    app.connect("env-get-updated", stale_pages, priority=900)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

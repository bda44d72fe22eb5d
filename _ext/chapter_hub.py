"""``:::{chapter-hub} svm`` is what a student revises of one chapter, on one page, made from the boxes of the chapter.

Cards hide the formula, mistakes hide what is right, until one asks; then come the derivations line by line, exercises,
drills, and the statements that are true or false. A written chapter that no page is the hub of is a warning. On the
page, ``hub_marks.js`` puts a button beside each card, exercise and mistake: *known* or *done* stays in the browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

import book_outline
import chapter_role
import exercises
import html_nodes
import page_store
from book_log import warn
from derivations import hidden_line
from docutils import nodes
from exam_cards import cards, move_links, name_of, told
from revision import HUBS, STATEMENTS
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from trainer import note_topics, place_of_links, topics_of
from worksheets import worksheet_link

KINDS_SHOWN, LINES = ("must-know", "lost-marks"), "derivation sections"


class chapter_hub(nodes.General, nodes.Element):
    """Stands where the boxes of a chapter go until the page is written."""


class ChapterHub(SphinxDirective):
    """The boxes of one chapter."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Leave a place for them."""
        place = chapter_hub("", stem=self.arguments[0])
        self.set_source_info(place)
        if self.arguments[0] not in book_outline.outline(self.env):
            warn("hub", f"a hub of {self.arguments[0]!r}, which is no chapter of the outline", place)
            return []
        page_store.keep(self.env, HUBS, self.arguments[0])
        chapter = book_outline.outline(self.env)[self.arguments[0]]
        note_topics(self.env, f"{chapter.part}/{chapter.stem}")
        page_store.keep(self.env, chapter_role.USERS, True)
        return [place]


class FillHubs(SphinxPostTransform):
    """Put copies of the boxes in their place, before anything in them is resolved."""

    default_priority = 2

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(chapter_hub)):
            page = book_outline.page_of(self.env, place["stem"])
            if page is None:
                warn("hub", f"the chapter {place['stem']!r} is not written", place)
            place.replace_self(self.hub(book_outline.outline(self.env)[place["stem"]]) if page else [])

    def hub(self, chapter: book_outline.Chapter) -> nodes.Node:
        """The parts that have something in them, each under its heading, below their contents."""
        parts: dict[str, list[nodes.Node]] = {
            "Formulas": [*self.folded(chapter.page, "must-know")],
            "Derivations": self.links(self.derivations(chapter)),
            "Exercises": self.links(self.exercises(chapter.page)),
            "Drills": self.commands(chapter),
            "Mistakes": [*self.folded(chapter.page, "lost-marks")],
            "True or false": [*self.statements(chapter.page)],
        }
        result, places = html_nodes.block("chapter-hub"), []
        for name, found in parts.items():
            if found:
                heading = html_nodes.heading("chapter-hub-part", 1, name)
                heading["ids"] = [nodes.make_id(f"hub-{name}")]
                places.append((name, heading["ids"][0], ""))
                result += html_nodes.block("chapter-hub-group", heading, *found)
        result.insert(0, html_nodes.contents(places))
        return result

    def folded(self, page: str, kind: str) -> Iterator[nodes.Node]:
        """The cards of a kind: the title, and behind it the rest."""
        for owner, card in cards(self.env, kind):
            if owner == page:
                copy = card.node.deepcopy()
                move_links(self.app, copy, page)
                summary = html_nodes.paragraph("", *name_of(copy).children, tag="summary")
                source = html_nodes.paragraph(
                    "exam-card-source", book_outline.link(self.app, "In the chapter", page, card.label)
                )
                parts = summary, *copy.children[1:], source
                yield html_nodes.block(f"hub-card exam-card {kind}", *parts, tag="details", data_mark=card.label)

    def derivations(self, chapter: book_outline.Chapter) -> Iterator[nodes.Node]:
        """Links to the derivations of the chapter."""
        for page, anchor, title, _ in derivations_of(self.env, chapter.page):
            yield book_outline.link(self.app, title, page, anchor)

    def exercises(self, page: str) -> Iterator[nodes.Node]:
        """The exercises of the chapter."""
        for label, entry in exercises.known(self.env).items():
            if entry["docname"] == page and entry["type"] == "exercise":
                link = exercises.link(self.app, label)
                yield html_nodes.inline("hub-exercise", link, data_mark=label)

    def commands(self, chapter: book_outline.Chapter) -> list[nodes.Node]:
        """Links to the trainer, and how to get the drills in a terminal."""
        topics = topics_of(chapter)
        text = "\n".join(f"python -m notes_lib.drills {topic} --seed 1" for topic in topics)
        sheet = worksheet_link(self.app, chapter.stem)
        on_paper = [html_nodes.paragraph("", sheet)] if sheet else []
        return [place_of_links(topics), *on_paper, nodes.literal_block(text, text, language="bash")] if topics else []

    def statements(self, page: str) -> Iterator[nodes.Node]:
        """The statements of the chapter."""
        for statement in page_store.kept(self.env, STATEMENTS).get(page, []):
            copy = statement.node.deepcopy()
            move_links(self.app, copy, page)
            yield copy

    def links(self, found: Iterator[nodes.Node]) -> list[nodes.Node]:
        """A list of links, if there is any."""
        listing = list_of(found)
        return [listing] if listing.children else []


def derivations_of(env, page: str) -> Iterator[tuple[str, str, str, int]]:
    """The derivations whose lines are equations of a page: their page, place, title and number of lines."""
    equations = env.domaindata["math"]["objects"]
    for where, found in page_store.kept(env, LINES).items():
        for anchor, title, labels in found:
            if any(equations.get(label, ("",))[0] == page for label in labels):
                yield where, anchor, title, len(labels)


def list_of(links: Iterable[nodes.Node]) -> nodes.bullet_list:
    """Links below each other."""
    return nodes.bullet_list("", *(nodes.list_item("", nodes.paragraph("", "", link)) for link in links))


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Load the script and the style sheet of the marks."""
    if doctree is not None and pagename in page_store.kept(app.env, HUBS):
        for name in ("progress.js", "memory.js", "hub_marks.js"):
            app.add_js_file(name, loading_method="defer")
        app.add_css_file("hub.css")


def collect(app, document) -> None:
    """Keep which equations each derivation asks for."""
    for section in document.findall(nodes.section):
        labels = [line["label"] for line in section.findall(hidden_line)]
        if labels and isinstance(section.parent, nodes.section):
            page_store.keep(app.env, LINES, (section["ids"][0], section[0].astext(), labels))


def check(app, env) -> list[str]:
    """Warn about a chapter without a hub, and name the hubs when what they show is not that of the last build."""
    hubs = {stem for stems in page_store.kept(env, HUBS).values() for stem in stems}
    for page in sorted({page for page, _ in cards(env)}) if hubs else []:
        chapter = book_outline.chapter_at(env, page)
        if chapter and chapter.stem not in hubs:
            warn("hub", f"no page is the hub of the chapter {chapter.stem!r}", page)
    items = [(page, item.node.pformat()) for page, found in page_store.kept(env, STATEMENTS).items() for item in found]
    lines = sorted(page_store.kept(env, LINES).items())
    told = told_of_cards(env), sorted(items), exercises.state(env), lines, sorted(hubs)
    return page_store.pages(env, HUBS) if page_store.changed(env, HUBS, told) else []


def told_of_cards(env) -> list[tuple]:
    """What the hubs print of cards."""
    return [told(env, kind) for kind in KINDS_SHOWN]


def setup(app):
    """Register the directives."""
    for extension in (
        "html_nodes",
        "page_store",
        "book_outline",
        "chapter_role",
        "exam_cards",
        "statement_list",
        "trainer",
        "worksheets",
    ):
        app.setup_extension(extension)
    app.setup_extension("derivations")
    app.add_node(chapter_hub)
    app.add_directive("chapter-hub", ChapterHub)
    app.add_post_transform(FillHubs)
    app.connect("doctree-read", collect)
    app.connect("env-get-updated", check, priority=900)
    app.connect("html-page-context", add_files)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

"""The directive ``{trainer}``: exercises and timed papers in the browser, made while the site is built.

The page loads what it shows from scripts, so that it works without a server:

* ``_static/drills/index.js``: the topics by chapter, and the chapters that have questions;
* ``_static/drills/<topic>.js``: the drills of a topic (see ``drill_scripts``);
* ``_static/drills/questions-<chapter>.js``: the quiz and the true/false statements of a chapter.

Without JavaScript the page shows one exercise with its folded solution. Every section *By hand* of a chapter gets
links to the drills of that chapter; ``:::{drill-links} viterbi, kappa`` puts links to some drills where it stands. A
page of the revision may have drills of its own: in the trainer it stands behind the chapters.
"""

from __future__ import annotations

import hashlib
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import book_outline
import drill_scripts
import html_nodes
import page_store
from book_log import warn
from docutils import nodes
from docutils.statemachine import StringList
from quiz import quiz_item
from shared_markup import share
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

from notes_lib import drills
from notes_lib.drills import papers

FOLDER, PAGES, QUESTIONS = "_static/drills", "trainer pages", "chapters with questions"
PROGRESS = ("fsrs/ts-fsrs-5.4.2", "progress", "memory", "progress_file")
SCRIPTS = (*PROGRESS, "judge", "chance", "trainer/data", "trainer/store", "trainer/fields", "trainer/exercise")
SCRIPTS += ("trainer/drawing",)
SCRIPTS += ("trainer/papers", "trainer/questions", "trainer/paper", "trainer/progress", "trainer/choice")
SCRIPTS += ("trainer/address", "trainer/page")


REVISION = "revision"  # the folder of the pages that may have drills of their own


def home_at(env, page: str) -> book_outline.Chapter | None:
    """The chapter that a page is, or the page of the revision in its shape if it has drills of its own."""
    folder, _, stem = page.removeprefix("chapters/").rpartition("/")
    if folder == REVISION and f"{folder}/{stem}" in drills.by_chapter():
        return book_outline.Chapter(stem, env.titles[page].astext(), "", folder, REVISION.capitalize())
    return book_outline.chapter_at(env, page)


def topics_of(chapter: book_outline.Chapter) -> list[str]:
    """The topics of a chapter."""
    return drills.by_chapter().get(f"{chapter.part}/{chapter.stem}", [])


def note_topics(env, chapter: str) -> None:
    """Let the page that is being read be read again when the drills of a chapter, such as kernels/svm, change."""
    path = Path(drills.__path__[0], f"{chapter}.py")
    if path.exists():
        env.note_dependency(str(path))


class trainer(html_nodes.html_block):
    """The place of the trainer, with one exercise for those who have no JavaScript."""


class Trainer(SphinxDirective):
    """The trainer; the argument is the topic of the exercise that is there without JavaScript."""

    required_arguments: ClassVar[int] = 1
    option_spec: ClassVar[dict[str, Any]] = {"seed": int}

    def run(self) -> list[nodes.Node]:
        """Build the exercise; scripts put the trainer in its place."""
        try:
            drill = drills.draw(self.arguments[0], self.options.get("seed", 0))
        except ValueError as error:
            warn("trainer", str(error), self.get_location())
            return []
        page_store.keep(self.env, PAGES, True)
        for path in drill_scripts.sources(f"notes_lib.drills.{drills.chapter(drill.topic).replace('/', '.')}"):
            self.env.note_dependency(str(path))
        title = f"{drill.title}, seed {drill.seed} ({drill.marks} marks, {drill.minutes} minutes)"
        summary = html_nodes.paragraph("", "Solution", tag="summary")
        solution = html_nodes.block("trainer-solution", summary, *self.markdown(drill.solution), tag="details")
        static = html_nodes.block(
            "trainer-static",
            html_nodes.paragraph("trainer-title", nodes.strong("", title)),
            *self.markdown(drill.statement),
            solution,
        )
        return [trainer("", static, classes=["trainer"], tag="div", html={})]

    def markdown(self, text: str) -> list[nodes.Node]:
        """The nodes of a text of the drill."""
        place = nodes.container()
        self.state.nested_parse(StringList(text.splitlines()), self.content_offset, place)
        return place.children


def add_scripts(app, pagename, templatename, context, doctree) -> None:
    """Load scripts and style sheet on the page of the trainer alone."""
    if doctree is None or not any(doctree.findall(trainer)):
        return
    for name in SCRIPTS:
        app.add_js_file(f"{name}.js", loading_method="defer")
    app.add_css_file("trainer.css")


def link_by_hand(app, doctree) -> None:
    """Remember the sections *By hand* and put a place for links below their headings."""
    chapter = book_outline.chapter_at(app.env, app.env.docname)
    found = topics_of(chapter) if chapter else []
    if chapter:
        note_topics(app.env, f"{chapter.part}/{chapter.stem}")
    for section in doctree.findall(nodes.section):
        if found and section[0].astext() == "By hand":
            section.insert(1, place_of_links(found))


class DrillLinks(SphinxDirective):
    """Links to the drills of the argument."""

    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Leave a place for the links; one to a topic that is not there is a warning."""
        found = [topic.strip() for topic in self.arguments[0].split(",")]
        for topic in found:
            with suppress(ValueError):
                note_topics(self.env, drills.chapter(topic))
        return [place_of_links(found)]


def place_of_links(found: list[str]) -> nodes.container:
    """Stand where links to topics go, once it is known where the trainer is."""
    place = nodes.container(classes=["trainer-links"])
    place["topics"] = found
    return place


def topic_link(app, docname: str, slug: str) -> nodes.Node:
    """A link to a topic on the page of the trainer; its title if no page has one."""
    try:
        pages, title = page_store.pages(app.env, PAGES), nodes.Text(drills.title(slug))
    except ValueError as error:
        warn("trainer", str(error), docname)
        return nodes.literal(slug, slug)
    if not pages or app.builder.format != "html":
        return title
    return make_refnode(app.builder, docname, pages[0], f"topic={slug}", title)


def fill_links(app, doctree, docname) -> None:
    """Link to the topics on the page of the trainer, if there is one."""
    for place in [node for node in doctree.findall(nodes.container) if "topics" in node]:
        links = [topic_link(app, docname, slug) for slug in place["topics"]]
        if not any(isinstance(link, nodes.reference) for link in links):
            place.parent.remove(place)
            continue
        line = nodes.paragraph("", "Practise with new numbers: ")
        for link in links:
            line += [nodes.Text(", ")] * (len(line) > 1) + [link]
        place += line


def keep_questions(app, doctree) -> None:
    """Count the questions of a chapter."""
    count = len(list(doctree.findall(quiz_item)))
    if count and book_outline.chapter_at(app.env, app.env.docname):
        page_store.keep(app.env, QUESTIONS, count)


def questions_file(app, page: str) -> Path:
    """Where the questions of a chapter are."""
    return Path(app.outdir, FOLDER, f"questions-{page.rsplit('/', 1)[-1]}.js")


def write_questions(app, doctree, docname) -> None:
    """Write the questions of a chapter that is about to be written, with its links and formulas."""
    if app.builder.format != "html" or not is_page(doctree) or docname not in page_store.kept(app.env, QUESTIONS):
        return
    items = [item for item in doctree.findall(quiz_item) if any("quiz-options" in child["classes"] for child in item)]
    markup, table = share([app.builder.render_partial(item.deepcopy())["fragment"].strip() for item in items])
    kinds = [(kind_of(item), options_of(item)) for item in items]
    if page_store.pages(app.env, PAGES) and kinds != questions_in_terminal(app.env.doc2path(docname), kinds):
        warn("trainer", "the page and run.py paper read different questions: their papers would differ", docname)
    value = {"table": table, "items": [[*kind, text] for kind, text in zip(kinds, markup, strict=True)]}
    path = questions_file(app, docname)
    drill_scripts.write_script(path, path.stem, value)


def is_page(doctree: nodes.document) -> bool:
    """Whether a tree is a page, and not one card of it for a deck."""
    return any(isinstance(child, nodes.section) for child in doctree.children)


def kind_of(item: nodes.Element) -> str:
    """Which kind of question an item is."""
    return next(kind for kind in ("multiple", "true-false", "choice") if f"quiz-{kind}" in item["classes"])


def options_of(item: nodes.Element) -> int:
    """How many options an item has."""
    return sum("quiz-option" in node["classes"] for node in item.findall(nodes.Element)) or len(("true", "false"))


def questions_in_terminal(path: str, otherwise: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Kinds and numbers of options of the questions of a notebook, as papers in a terminal have them."""
    if not path.endswith(".ipynb"):
        return otherwise
    return [(question.kind, len(question.options)) for question in papers.read_chapter(Path(path)).questions]


def write_drills(app, exception) -> None:
    """Write the scripts of the topics, and the index."""
    if exception or app.builder.format != "html" or not page_store.pages(app.env, PAGES):
        return
    folder, memory = Path(app.outdir, FOLDER), Path(app.outdir).parent / "drills"
    folder.mkdir(parents=True, exist_ok=True)
    chapters = []
    for page in page_store.reading_order(app.env):
        chapter = home_at(app.env, page)
        if chapter:
            own = [_written(slug, app, folder, memory) for slug in topics_of(chapter)]
            chapters.append(_chapter(app, chapter, own))
    drill_scripts.write_script(folder / "index.js", "index", {"seeds": drill_scripts.SEEDS, "chapters": chapters})


def _written(slug: str, app, folder: Path, memory: Path) -> dict[str, Any]:
    module = f"notes_lib.drills.{drills.chapter(slug).replace('/', '.')}"
    script = drill_scripts.topic_script(slug, module, app.katex, memory)
    data = drill_scripts.read_script(script)
    labels = sorted({card for _, card in data.get("says", []) if card})
    if labels:
        drill_scripts.write_script(folder / f"{slug}.js", slug, data | {"cards": card_addresses(app, slug, labels)})
    else:
        shutil.copyfile(script, folder / f"{slug}.js")
    return {key: data[key] for key in ("topic", "title", "marks", "minutes", "fill")} | {"version": script.stem[-24:]}


def card_addresses(app, slug: str, labels: list[str]) -> dict[str, str]:
    """Where the cards are that slips of a topic name, from the root of the site."""
    known = app.env.get_domain("std").anonlabels
    for label in labels:
        if label not in known:
            warn("trainer", f"a slip of the drill {slug} names the card {label}, which no page has", None)
    return {
        label: f"{app.builder.get_target_uri(known[label][0])}#{known[label][1]}" for label in labels if label in known
    }


def _chapter(app, chapter: book_outline.Chapter, own: list[dict[str, Any]]) -> dict[str, Any]:
    path = questions_file(app, chapter.page)
    count = sum(page_store.kept(app.env, QUESTIONS).get(chapter.page, []))
    names = {"stem": chapter.stem, "title": chapter.title, "part": chapter.part_title, "page": chapter.page}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.exists() else ""
    return names | {"topics": own, "questions": count, "version": digest}


def setup(app):
    """Register the directive and write at the end, while KaTeX is there."""
    for extension in ("html_nodes", "page_store", "book_outline", "katex_math", "quiz"):
        app.setup_extension(extension)
    app.add_node(trainer, html=(html_nodes.visit_element, html_nodes.depart_element))
    app.add_directive("trainer", Trainer)
    app.add_directive("drill-links", DrillLinks)
    app.connect("doctree-read", link_by_hand)
    app.connect("doctree-read", keep_questions)
    app.connect("doctree-resolved", fill_links)
    app.connect("doctree-resolved", write_questions, priority=950)
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", write_drills, priority=400)
    # formulas are rendered in this process (see katex_math)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

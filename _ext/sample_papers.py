"""The directive ``{sample-papers}``: exam papers and their mark schemes, set as ``run.py paper`` sets them.

Each line of the body is a paper: format, minutes and seed, as in ``choice 45 3``. The papers become pages of the site,
``papers/choice-3`` and ``papers/choice-3-scheme``; the directive leaves a list of links to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import page_store
from book_log import warn
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from notes_lib import drills
from notes_lib.drills import papers
from notes_lib.drills.webpage import markup, title_of

CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"  # those of the book, whichever pages are built
FOLDER, PAPERS = "papers", "sample papers"
SCHEME = "-scheme"
NAMES = {
    "long": "Long questions",
    "calculations": "Fill in, then calculations marked by steps",
    "choice": "Multiple choice with penalty",
    "answers": "Multiple answer",
}
TABLE = '<div class="pst-scrollable-table-container" tabindex="0" role="group" aria-label="Table">'


class Sample(NamedTuple):
    """One paper, as a line of the directive says it."""

    form: str
    minutes: int
    seed: int

    @property
    def page(self) -> str:
        """The page of the paper; that of its mark scheme ends with ``SCHEME``."""
        return f"{FOLDER}/{self.form}-{self.seed}"


def read_line(line: str) -> Sample:
    """Read format, minutes and seed."""
    form, *numbers = line.split()
    if form not in NAMES or len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        raise ValueError(f"{line!r} is not a format ({', '.join(NAMES)}), minutes and a seed, as in: choice 45 3")
    return Sample(form, int(numbers[0]), int(numbers[1]))


def marks(sample: Sample) -> float:
    """What the paper is worth."""
    return sum(question.marks for question in papers.questions(*sample, drills.topics(), CHAPTERS))


def samples(env) -> list[Sample]:
    """The papers of all pages."""
    return [sample for found in page_store.kept(env, PAPERS).values() for sample in found]


class SamplePapers(SphinxDirective):
    """A list of papers, each with its mark scheme."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """Make an item of each line; a line that is no paper is a warning."""
        items = nodes.bullet_list()
        for line in filter(str.strip, self.content):
            try:
                items += self.item(read_line(line))
            except ValueError as error:
                warn("papers", f"sample-papers: {error}", self.get_location())
        if not items.children:
            warn("papers", "sample-papers: list at least one paper, as in: choice 45 3", self.get_location())
        return [items] if items.children else []

    def item(self, sample: Sample) -> nodes.list_item:
        """Name a paper, its time and its marks, and link to its two pages."""
        worth = f": {sample.minutes} minutes, {marks(sample):g} marks. "
        if sample.page in {one.page for one in samples(self.env)}:
            raise ValueError(f"there is another {sample.form} paper with seed {sample.seed}: choose another seed")
        page_store.keep(self.env, PAPERS, sample)
        text = self.link(sample.page, f"Paper {sample.seed}")
        scheme = self.link(sample.page + SCHEME, f"mark scheme {sample.seed}")
        line = [nodes.strong("", NAMES[sample.form]), nodes.Text(worth), text, nodes.Text(" and "), scheme]
        return nodes.list_item("", nodes.paragraph("", "", *line, nodes.Text(".")))

    def link(self, page: str, text: str) -> nodes.reference:
        """A link to a page that has no source."""
        return nodes.reference("", text, refuri=relative_uri(self.env.docname, f"{page}.html"), internal=True)


def outdated(app, env, added, changed, removed) -> list[str]:
    """Read the pages with papers in each build: drills and questions may have changed, and marks with them."""
    return page_store.pages(env, PAPERS)


def body(app, markdown: str, page: str) -> str:
    """HTML of a paper, with formulas and tables as the pages of the book have them."""

    def formula(tex: str, display: bool) -> str:
        found, objection = app.katex.render(tex, display)
        if objection:
            warn("papers", f"KaTeX cannot read {tex!r}: {objection}", page)
        return found

    text = markup(markdown, formula).replace("<table>", f'{TABLE}<table class="table">')
    return f"<section>{text.replace('</table>', '</table></div>')}</section>"


def write_pages(app) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Hand the papers and their mark schemes to the builder."""
    for sample in samples(app.env):
        texts = papers.paper(*sample, drills.topics(), CHAPTERS)
        for page, text in zip((sample.page, sample.page + SCHEME), texts, strict=True):
            yield page, {"title": title_of(text), "body": body(app, text, page)}, "page.html"


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Offer to print a paper."""
    if pagename.startswith(f"{FOLDER}/"):
        app.add_js_file("paper.js", loading_method="defer")


def setup(app):
    """Write the papers with the pages that Sphinx generates."""
    for extension in ("page_store", "katex_math"):
        app.setup_extension(extension)
    app.add_directive("sample-papers", SamplePapers)
    app.connect("env-get-outdated", outdated)
    app.connect("html-collect-pages", write_pages)
    app.connect("html-page-context", add_script)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

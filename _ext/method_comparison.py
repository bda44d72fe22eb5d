"""``:::{method-comparison} ../methods.yml`` sets some methods side by side: one column each, one row a property.

``:methods:`` names methods of the file (see ``method_table``), separated by semicolons; what the file says of them
makes rows. Each line of the body is a row more: ``label | cell | cell``, in Markdown. Without ``:methods:``
there is no file, and the first line of the body holds the heads of the columns. On a phone each row is a card.
"""

from __future__ import annotations

import ast
from typing import Any, ClassVar

import html_nodes
import method_table
from chapter_role import chapter_reference
from docutils import nodes
from docutils.parsers.rst import directives
from method_rows import split
from method_table import COLUMNS, FUNCTIONS, READS, ROWS, cell

COSTS = dict(zip(("fit", "predict", "memory"), COLUMNS[2:5], strict=True))
BEFORE = 4  # rows of the file that stand above those of the page: what the methods are for, assume and minimise
Cells = list[list[nodes.Node | str]]  # a row: of each cell the content


class MethodComparison(method_table.MethodDirective):
    """The table."""

    has_content = True
    required_arguments: ClassVar[int] = 0
    optional_arguments: ClassVar[int] = 1
    option_spec: ClassVar[dict[str, Any]] = {"methods": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Build the table; rows that do not fit are left out with a warning."""
        if bool(self.arguments) != ("methods" in self.options):
            self.warn("a file and :methods: that are taken from it go together")
            return []
        lines = [split(line) for line in self.content if line.strip()]
        if "methods" in self.options:
            book, methods = self.chosen()
            names = [method["name"] for method in methods]
            heads: Cells = [
                [self.placed(chapter_reference(self.env, each["chapter"], each["name"]))] for each in methods
            ]
            corner, known, below = "", facts(methods, book["tasks"]), [method_table.letters_of(used(methods, book))]
        else:
            corner, *names = lines.pop(0) if lines else [""]
            heads, known, below = [self.inline(name) for name in names], [], []
        if len(names) < 2:
            self.warn("a comparison needs two methods: in :methods:, or as heads in the first line")
            return []
        own = [(label, [self.inline(text) for text in texts]) for label, *texts in self.fitting(lines, names)]
        rows = [*known[:BEFORE], *own, *known[BEFORE:]]
        first = cell(corner, tag="th", scope="col") if corner else cell("")
        head = [first, *(cell(*each, tag="th", scope="col") for each in heads)]
        table = html_nodes.block(
            "method-comparison",
            html_nodes.block("", html_nodes.block("", *head, tag="tr"), tag="thead"),
            html_nodes.block("", *(self.row(label, cells, names) for label, cells in rows), tag="tbody"),
            tag="table",
        )
        return [table, *below]

    def chosen(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """What the file says, and of it the methods that are named."""
        book = self.read()
        by_name = {each["name"]: each for each in book["methods"] if isinstance(each, dict) and "name" in each}
        names = [name.strip() for name in self.options["methods"].split(";") if name.strip()]
        if unknown := [name for name in names if name not in by_name]:
            self.warn(f"unknown methods: {'; '.join(unknown)}")
        return book, [by_name[name] for name in names if name in by_name and self.is_whole(by_name[name], book)]

    def fitting(self, lines: list[list[str]], names: list[str]) -> list[list[str]]:
        """The lines that have a label and a cell for each method."""
        for line in lines:
            if len(line) != 1 + len(names) or not all(line):
                self.warn(f"a row is a label and {len(names)} cells: {' | '.join(line)!r}")
        return [line for line in lines if len(line) == 1 + len(names) and all(line)]

    def row(self, label: str, cells: Cells, names: list[str]) -> nodes.Node:
        """A property of the methods; what is the same for all of them is said once."""
        told = ["".join(part if isinstance(part, str) else part.astext() for part in each) for each in cells]
        head = cell(*self.inline(label), tag="th", scope="row")
        if len(set(told)) == 1:
            both = "both" if len(names) == 2 else "all"
            return html_nodes.block("", head, cell(*cells[0], label=both, colspan=str(len(names))), tag="tr")
        shown = [cell(*each, label=name) for each, name in zip(cells, names, strict=True)]
        return html_nodes.block("", head, *shown, tag="tr")

    def inline(self, text: str) -> list[nodes.Node | str]:
        """Markdown of a line."""
        return list(self.state.inline_text(text, self.lineno)[0])

    def warn(self, message: str) -> None:
        """Warn at the directive."""
        method_table.warn("methods", message, self.get_location())


def facts(methods: list[dict[str, Any]], tasks: dict[str, str]) -> list[tuple[str, Cells]]:
    """What the file says of the methods, row by row."""
    rows: list[tuple[str, Cells]] = [
        ("Task", [[", ".join(tasks[task] for task in method["tasks"])] for method in methods])
    ]
    of_text = {title: [[method[key]] for method in methods] for key, title in ROWS.items()}
    fails = of_text.popitem()
    rows += of_text.items()
    for key, title in COSTS.items():
        rows.append(
            (title, [method_table.formula(method[key]) if key in method else ["nothing"] for method in methods])
        )
    rows.append(("As it grows", [dials(method["dials"]) for method in methods]))
    return [*rows, fails, ("Readable", [[READS[method["reads"]]] for method in methods])]


def dials(turned: list[dict[str, Any]]) -> list[nodes.Node | str]:
    """What happens as each hyper-parameter grows."""
    return [part for dial in turned for part in ("; ", *method_table.turning(dial))][1:] or ["no dial"]


def used(methods: list[dict[str, Any]], book: dict[str, Any]) -> dict[str, Any]:
    """The letters that stand in the costs of some methods."""
    costs = " + ".join(method[key] for method in methods for key in COSTS if key in method) or "1"
    names = {node.id for node in ast.walk(ast.parse(costs)) if isinstance(node, ast.Name)} - set(FUNCTIONS)
    return {letter: about for letter, about in book["letters"].items() if letter in names}


def add_style(app, pagename, templatename, context, doctree) -> None:
    """Load the style sheet where there is a comparison."""
    blocks = doctree.findall(html_nodes.html_block) if doctree is not None else ()
    if any("method-comparison" in node["classes"] for node in blocks):
        app.add_css_file("methods.css")


def setup(app):
    """Register the directive."""
    app.setup_extension("method_table")
    app.add_directive("method-comparison", MethodComparison)
    app.connect("html-page-context", add_style)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

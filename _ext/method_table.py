"""``:::{method-table} methods.yml`` compares all methods of the book, ``:::{method-trees}`` helps to choose one.

The file beside the page holds ``letters`` (of the costs), ``tasks``, ``methods`` and ``trees``; its first lines say
what stands in them. Each method is a body of rows of the table: what can be sorted, and below it what is to be read;
on a phone it is a card. A script adds what sorts and filters. Each tree is a drawing whose leaves lead to chapters.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from html import escape
from typing import Any, ClassVar, NamedTuple

import book_outline
import html_nodes
import page_store
import yaml
from book_log import warn
from chapter_role import USERS, chapter_reference
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

NEEDED = {"name", "chapter", "tasks", "assumes", "objective", "optimiser", "fit", "memory", "dials", "fails", "reads"}
KEYS = NEEDED | {"predict", "classes", "functions", "also"}
COLUMNS = ("Method", "Task", "Cost to fit", "Cost to predict", "Memory", "Readable")
ROWS = {"assumes": "Assumes", "objective": "Minimises or finds", "optimiser": "Found by", "fails": "Fails on"}
READS = {4: "well", 3: "partly", 2: "hardly", 1: "no"}
TURNS = {"up": "↑", "down": "↓", "same": "–", "either": "↕"}
FUNCTIONS: dict[str, Callable[..., float]] = {"log": math.log, "sqrt": math.sqrt, "max": max, "min": min}
ANSWERS = {True: "yes", False: "no"}  # as YAML reads them
STEP, LEVEL, LETTER = 26, 20, 7.6  # of a tree: from line to line, from level to level, of a letter at most


class Row(NamedTuple):
    """A line of a tree: how deep it stands, the answer that leads there, its text, the chapter of a leaf."""

    depth: int
    answer: str
    text: str
    chapter: str = ""


class method_trees(nodes.General, nodes.Element):
    """Stands where the trees go until their page is written."""


class MethodDirective(SphinxDirective):
    """What the directives share."""

    required_arguments: ClassVar[int] = 1

    def read(self) -> dict[str, Any]:
        """The file beside the page."""
        path = page_store.file_beside(self, self.arguments[0])
        page_store.keep(self.env, USERS, True)
        try:
            found = yaml.safe_load(path.read_text(encoding="utf-8"))
            return {key: found[key] for key in ("letters", "tasks", "methods", "trees")}
        except (OSError, yaml.YAMLError, KeyError, TypeError) as error:
            warn("methods", f"{path.name} needs letters, tasks, methods and trees: {error!r}", self.get_location())
            return {"letters": {}, "tasks": {}, "methods": [], "trees": []}

    def is_whole(self, method: Any, book: dict[str, Any]) -> bool:
        """Whether a method has what it needs, in letters and tasks that are there; if not, that is a warning."""
        if not isinstance(method, dict) or not NEEDED <= set(method) <= KEYS:
            warn("methods", f"a method needs {', '.join(sorted(NEEDED))}: {method!r}", self.get_location())
            return False
        try:
            for key in ("fit", "predict", "memory"):
                size(method.get(key, "1"), book["letters"])
            wrong = set(method["tasks"]) - set(book["tasks"])
        except (KeyError, TypeError, SyntaxError) as error:
            wrong = {repr(error)}
        if wrong:
            warn("methods", f"{method['name']}: unknown {', '.join(sorted(wrong))}", self.get_location())
        return not wrong

    def placed(self, node: nodes.Element) -> nodes.Element:
        """Tell a node where it comes from, for warnings."""
        self.set_source_info(node)
        return node


class MethodTable(MethodDirective):
    """The table and what its letters mean."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        book = self.read()
        methods = [method for method in book["methods"] if self.is_whole(method, book)]
        head = html_nodes.block("", *(cell(name, tag="th", scope="col") for name in COLUMNS), tag="tr")
        caption = html_nodes.paragraph("", f"{len(methods)} methods", tag="caption")
        bodies = [self.body(method, book) for method in methods]
        table = html_nodes.block("method-table", caption, html_nodes.block("", head, tag="thead"), *bodies, tag="table")
        return [letters_of(book["letters"]), table]

    def body(self, method: dict[str, Any], book: dict[str, Any]) -> nodes.Node:
        """The rows of a method, with what they are sorted by."""
        costs = {key: method.get(key) for key in ("fit", "predict", "memory")}
        sizes = {f"data_{key}": f"{size(text, book['letters']):.3g}" for key, text in costs.items() if text}
        facts = [
            cell(chapter_reference(self.env, method["chapter"], method["name"]), tag="th", scope="row"),
            cell(", ".join(book["tasks"][task] for task in method["tasks"]), label="Task"),
            *(
                cell(*(formula(text) if text else ["nothing"]), label=label)
                for label, text in zip(COLUMNS[2:5], costs.values(), strict=True)
            ),
            cell(READS[method["reads"]], label="Readable"),
        ]
        self.set_source_info(facts[0][0])
        listing = html_nodes.block("", *(part for row in details(method) for part in row), tag="dl")
        return html_nodes.block(
            "method",
            html_nodes.block("method-facts", *facts, tag="tr"),
            html_nodes.block("method-more", html_nodes.block("", listing, tag="td", colspan="6"), tag="tr"),
            tag="tbody",
            data_tasks=" ".join(method["tasks"]),
            data_reads=str(method["reads"]),
            **sizes,
        )


def cell(*children: nodes.Node | str, label: str = "", tag: str = "td", **attributes: str) -> nodes.Node:
    """A cell of the table; its label is seen where the table is a row of cards."""
    shown = [html_nodes.inline("method-label", label), " ", html_nodes.inline("", *children)] if label else children
    return html_nodes.paragraph("", *shown, tag=tag, **attributes)


def letters_of(letters: dict[str, Any]) -> nodes.Node:
    """What the letters of the costs mean."""
    parts: list[nodes.Node | str] = []
    for letter, about in letters.items():
        parts += [nodes.emphasis(letter, letter), f" {about['means']} · "]
    return html_nodes.paragraph("method-letters", *parts[:-1], parts[-1].removesuffix(" · ") if parts else "")


def details(method: dict[str, Any]) -> Iterator[tuple[nodes.Node, nodes.Node]]:
    """The terms of a method with their descriptions."""
    for key, title in ROWS.items():
        yield html_nodes.paragraph("", title, tag="dt"), html_nodes.paragraph("", method[key], tag="dd")
    if method["dials"]:
        parts = [part for dial in method["dials"] for part in (nodes.Text("; "), *turning(dial))][1:]
        yield html_nodes.paragraph("", "As it grows", tag="dt"), html_nodes.paragraph("", *parts, tag="dd")
    names = [*method.get("classes", []), *method.get("functions", [])]
    parts = [part for name in names for part in (nodes.Text(", "), nodes.literal(name, name))][1:]
    yield html_nodes.paragraph("", "In the library", tag="dt"), html_nodes.paragraph("", *parts, tag="dd")


def turning(dial: dict[str, Any]) -> list[nodes.Node]:
    """A hyper-parameter, and what happens as it grows."""
    name = nodes.literal(dial["name"], dial["name"])
    if "effect" in dial:
        return [name, nodes.Text(f": {dial['effect']}")]
    return [name, nodes.Text(f": bias {TURNS[dial['bias']]}, variance {TURNS[dial['variance']]}")]


def size(text: str, letters: dict[str, Any]) -> float:
    """What a cost is worth for typical numbers: methods are sorted by it."""

    def worth(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=int() | float() as value):
                return value
            case ast.Name(id=name):
                return letters[name]["typical"]
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return FUNCTIONS[name](*map(worth, arguments))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return worth(left) ** worth(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return worth(left) * worth(right)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return worth(left) / worth(right)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return worth(left) + worth(right)
        raise SyntaxError(ast.unparse(node))

    return worth(ast.parse(text, mode="eval").body)


def formula(text: str) -> list[nodes.Node]:
    """A cost as it is read: products without a sign, powers raised, letters slanted."""

    def parts(node: ast.expr) -> list[nodes.Node]:
        match node:
            case ast.Name(id=name):
                return [nodes.emphasis(name, name)]
            case ast.Call(func=ast.Name(id=name), args=arguments):
                inside = [part for each in arguments for part in (nodes.Text(", "), *parts(each))][1:]
                return [nodes.Text("√" if name == "sqrt" else f"{name}\N{NO-BREAK SPACE}")] + (
                    inside if len(inside) == 1 else [nodes.Text("("), *inside, nodes.Text(")")]
                )
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=power)):
                return [*parts(left), nodes.superscript("", str(power))]
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                space = nodes.Text("\N{NARROW NO-BREAK SPACE}")
                return [*factor(left), space, *factor(right)]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return [*parts(left), nodes.Text(" + "), *parts(right)]
        return [nodes.Text(ast.unparse(node))]

    def factor(node: ast.expr) -> list[nodes.Node]:
        is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
        return [nodes.Text("("), *parts(node), nodes.Text(")")] if is_sum else parts(node)

    return parts(ast.parse(text, mode="eval").body)


class MethodTrees(MethodDirective):
    """The trees."""

    def run(self) -> list[nodes.Node]:
        """Leave a place for the trees, which link to chapters."""
        place = method_trees("", trees=self.read()["trees"])
        self.set_source_info(place)
        return [place]


class FillTrees(SphinxPostTransform):
    """Draw the trees when it is known where the chapters are."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        for place in list(self.document.findall(method_trees)):
            trees = [self.drawing(number, tree, place) for number, tree in enumerate(place["trees"])]
            place.replace_self(html_nodes.block("method-trees", html_nodes.raw_html("\n".join(trees))))

    def drawing(self, number: int, tree: dict[str, Any], place: method_trees) -> str:
        """A tree with its heading."""
        lines = list(rows(tree["tree"]))
        hrefs = {row.chapter: self.href(row.chapter, place) for row in lines if row.chapter}
        name = f"method-tree-{number}"
        head = f'<figcaption id="{name}">{escape(tree["task"])}</figcaption>'
        return f'<figure class="method-tree" aria-labelledby="{name}">{head}{svg(lines, hrefs)}</figure>'

    def href(self, stem: str, place: method_trees) -> str:
        """Where a leaf leads; nowhere while its chapter is not written."""
        page = book_outline.page_of(self.env, stem)
        if not page and stem not in book_outline.outline(self.env):
            warn("methods", f"a leaf leads to {stem!r}, which is no chapter", place)
        return (page and book_outline.address(self.app, page)) or ""


def rows(node: list[Any], depth: int = 0, answer: str = "") -> Iterator[Row]:
    """The lines of a tree from top to bottom: a question, then what each answer leads to."""
    question, *branches = node
    yield Row(depth, answer, question)
    for first, *rest in branches:
        word = ANSWERS.get(first, first)
        if len(rest) == 2 and isinstance(rest[1], str):
            yield Row(depth + 1, word, *rest)
        else:
            yield from rows(rest, depth + 1, word)


def svg(lines: list[Row], hrefs: dict[str, str]) -> str:
    """A tree as a drawing whose text is text: it is read, found, enlarged and copied as any other."""
    width = max(LEVEL * row.depth + LETTER * (len(row.answer) + len(row.text) + 2) for row in lines)
    height = STEP * len(lines)
    parts, last = [], {0: STEP / 2}  # where the last line of each level stands
    for number, row in enumerate(lines):
        x, y = LEVEL * row.depth, STEP * (number + 0.5)
        last[row.depth] = y
        if row.depth:
            above = last[row.depth - 1] + 9
            parts.append(f'<path d="M{x - LEVEL + 6} {above:g}V{y:g}h{LEVEL - 9}"/>')
        words = f'<tspan class="answer">{escape(row.answer)}</tspan> ' if row.answer else ""
        leaf = f'<tspan class="leaf">{escape(row.text)}</tspan>' if row.chapter else escape(row.text)
        href = hrefs.get(row.chapter)
        linked = f'<a href="{escape(href)}">{leaf}</a>' if href else leaf
        parts.append(f'<text x="{x}" y="{y + 5:g}">{words}{linked}</text>')
    return f'<svg width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}">{"".join(parts)}</svg>'


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load script and style sheet where there is a table."""
    if doctree is not None and any(
        "method-table" in node["classes"] for node in doctree.findall(html_nodes.html_block)
    ):
        app.add_js_file("methods.js", loading_method="defer")
    if doctree is not None and any(
        {"method-table", "method-trees"} & set(node["classes"]) for node in doctree.findall(html_nodes.html_block)
    ):
        app.add_css_file("methods.css")


def setup(app):
    """Register the directives."""
    for extension in ("html_nodes", "page_store", "book_outline", "chapter_role"):
        app.setup_extension(extension)
    app.add_node(method_trees)
    app.add_directive("method-table", MethodTable)
    app.add_directive("method-trees", MethodTrees)
    app.add_post_transform(FillTrees)
    app.connect("html-page-context", add_script)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

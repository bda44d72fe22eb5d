"""From an equation to the code that implements it and to the tests that hold the code to it.

A docstring of the library cites an equation as ``:eq:`label```, a test is marked ``@pytest.mark.equation("label")``.
Both are found by reading the sources. Beside every labelled equation the site then shows links to the code, and
``:::{equation-table}`` lists all such equations by chapter. A label that no page defines and an equation with code but
without a test are warnings.

The formulas of a chapter are executed if ``tests/formulas/instances`` has its file, all but those that the file lists
as ``UNREAD``: such an equation says *checked on numbers*, with a link to the values that its symbols are given. So does
a *must know* card of the first tier all of whose formulas are executed.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import book_outline
import exam_cards
import html_nodes
import page_store
import source_of_tests
from book_log import warn
from docutils import nodes
from revision import CARDS
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

CITATION = re.compile(r":eq:`(?:[^`<]*<)?([^`<>]+)>?`")
Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
TABLES = "pages that list equations"
FOLDERS = ("notes_lib", "tests")
INSTANCES = "tests/formulas/instances"
STATES = re.compile(
    r"[=<>+/-]|\\(?:leq?|geq?|neq?|approx|in|iff|to|sim|propto|leftarrow|pm|[dt]?frac|sum|prod)(?![a-zA-Z])"
)


class Mention(NamedTuple):
    """A place in the sources that names an equation."""

    label: str
    name: str  # notes_lib.clustering.kmeans.inertia, or tests/clustering/test_kmeans.py::test_inertia
    file: str
    line: int


class equation_table(nodes.General, nodes.Element):
    """Stands where the table goes until its page is written."""


# -- reading the sources ---------------------------------------------------------------------------------------------


def python_files(root: Path, folder: str, word: str) -> Iterator[tuple[Path, ast.Module]]:
    """Parse the Python files below a folder that hold a word."""
    for path in sorted((root / folder).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if word in source:
            yield path, ast.parse(source, str(path))


def citations(root: Path, folder: str = "notes_lib") -> list[Mention]:
    """All equations that docstrings cite."""
    found = []
    for path, module in python_files(root, folder, ":eq:"):
        dotted = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        public = exported(path, dotted)
        for name, node in definitions(module, dotted):
            name = public_name(name, dotted, public)
            docstring = ast.get_docstring(node, clean=False) or ""
            line = getattr(node, "lineno", 1)
            found += [
                Mention(label.strip(), name, str(path), line) for label in dict.fromkeys(CITATION.findall(docstring))
            ]
    return found


def exported(path: Path, dotted: str) -> set[str]:
    """Names that the package around a module imports from it, and so makes public as its own."""
    init = path.parent / "__init__.py"
    tree = ast.parse(init.read_text(encoding="utf-8")) if init.exists() else ast.Module([], [])
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == dotted]
    return {alias.name for node in imports for alias in node.names}


def public_name(name: str, module: str, public: set[str]) -> str:
    """``notes_lib.part.stem.steps.f`` is ``notes_lib.part.stem.f`` if the package exports f.

    Examples
    --------
    >>> public_name("notes_lib.kernels.svm.model.SVC.fit", "notes_lib.kernels.svm.model", {"SVC"})
    'notes_lib.kernels.svm.SVC.fit'
    """
    inside = name.removeprefix(module).removeprefix(".")
    return f"{module.rpartition('.')[0]}.{inside}" if inside.split(".")[0] in public else name


def definitions(node: ast.Module | ast.ClassDef, name: str) -> Iterator[tuple[str, Definition]]:
    """A module or class and everything that is defined in it."""
    yield name, node
    for child in node.body:
        if isinstance(child, ast.ClassDef):
            yield from definitions(child, f"{name}.{child.name}")
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name}.{child.name}", child


def marks(root: Path, folder: str = "tests") -> list[Mention]:
    """All equations that tests are marked with."""
    found = []
    for path, module in python_files(root, folder, "equation"):
        file = path.relative_to(root).as_posix()
        for name, node in definitions(module, ""):
            test = f"{file}::{name.strip('.').replace('.', '::')}" if name else file
            for call in marking_calls(node):
                for argument in call.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        found.append(Mention(argument.value, test, str(path), argument.lineno))
                    else:
                        warn("equation", "pytest.mark.equation takes literal strings", f"{path}:{argument.lineno}")
    return found


def instances(root: Path) -> dict[str, set[str]]:
    """The files that give values to the symbols of a chapter, each with the formulas that are not executed."""
    found = {}
    for path in sorted((root / INSTANCES).glob("*/*.py")):
        tables = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
        unread = [ast.literal_eval(node.value) for node in tables if ast.unparse(node.targets[0]) == "UNREAD"]
        found[path.relative_to(root).as_posix()] = {label for table in unread for label in table}
    return found


def executed(env) -> list[Mention]:
    """The equations that are executed, each with the file of its chapter's values."""
    found = []
    for file, unread in env.equation_instances.items():
        labels = [label for label, (owner, _) in env.get_domain("math").equations.items() if owner == page_of(file)]
        found += [Mention(label, file, file, 1) for label in sorted({*labels} - unread)]
    return found


def executed_cards(env) -> dict[str, str]:
    """The *must know* cards that state formulas, all of them executed, each with the file of its chapter's values.

    Formulas of the second tier are not executed.
    """
    found = {}
    for file, unread in env.equation_instances.items():
        without = {label.partition(":")[0] for label in unread}
        for card in page_store.kept(env, CARDS).get(page_of(file), []):
            formulas = card.node.findall(lambda node: isinstance(node, nodes.math | nodes.math_block))
            stated = any(STATES.search(formula.astext()) for formula in formulas)
            first_tier = card.kind == "must-know" and exam_cards.SECOND_TIER not in card.node["classes"]
            if first_tier and card.label not in without and stated:
                found[card.label] = file
    return found


def page_of(file: str) -> str:
    """The chapter whose symbols a file gives values to."""
    return file.replace(INSTANCES, "chapters").removesuffix(".py")


def marking_calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls of ``pytest.mark.equation`` that concern a test, a class, or (as ``pytestmark``) a whole module."""
    sources: list[ast.AST] = list(getattr(node, "decorator_list", []))
    for statement in node.body if isinstance(node, ast.Module | ast.ClassDef) else []:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in statement.targets
        ):
            sources.append(statement.value)
    for source in sources:
        for call in ast.walk(source):
            if isinstance(call, ast.Call) and is_mark(call.func):
                yield call


def is_mark(function: ast.expr) -> bool:
    """Whether what is called is ``pytest.mark.equation`` or ``mark.equation``."""
    return getattr(function, "attr", "") == "equation" and ast.unparse(function).endswith("mark.equation")


def by_label(mentions: Iterable[Mention]) -> dict[str, list[str]]:
    """The names under each label, each once."""
    names: dict[str, list[str]] = defaultdict(list)
    for mention in mentions:
        if mention.name not in names[mention.label]:
            names[mention.label].append(mention.name)
    return dict(names)


def scan(app) -> None:
    """Read the sources at the start of a build, if they are not those of the last build."""
    root, env = Path(app.srcdir), app.env
    sources = [(str(path), path.read_bytes()) for folder in FOLDERS for path in sorted((root / folder).rglob("*.py"))]
    if page_store.changed(env, "sources of the code", sources):
        env.equation_code, env.equation_tests = citations(root), marks(root)
        env.equation_instances = instances(root)


# -- checking and printing -------------------------------------------------------------------------------------------


def check(app, env) -> list[str]:
    """Warn about broken chains, and name the pages whose links have changed."""
    equations, env.equation_values = env.get_domain("math").equations, executed(env)
    code, tests = by_label(env.equation_code), by_label(env.equation_tests)
    values, env.equation_cards = by_label(env.equation_values), executed_cards(env)
    for mention in [*env.equation_code, *env.equation_tests]:
        if mention.label not in equations:
            warn(
                "equation",
                f"{mention.name} names the equation {mention.label!r}, which no page defines",
                f"{mention.file}:{mention.line}",
            )
    for label in code:
        if label in equations and label not in tests:
            warn(
                "equation",
                f"the equation {label!r} has code ({', '.join(code[label])}) but no test",
                equations[label][0],
            )
    stale = set()
    for label, (page, _) in equations.items():
        names = code.get(label, []), tests.get(label, []), values.get(label, [])
        targets = [documented(env, name) for name in names[0]]
        if page_store.changed(env, f"equation {label}", (page, names, targets)):
            stale.add(page)
    for file in env.equation_instances:
        mine = sorted(label for label, of in env.equation_cards.items() if of == file)
        if page_store.changed(env, f"executed cards of {file}", mine) and page_of(file) in env.found_docs:
            stale.add(page_of(file))
    rows = sorted(equations.items()), sorted(code.items()), sorted(tests.items()), sorted(values.items())
    if page_store.changed(env, TABLES, (rows, page_store.numbering(env), book_outline.state(env))):
        stale.update(page_store.pages(env, TABLES))
    return sorted(stale)


def documented(env, name: str) -> tuple[str, str] | None:
    """Page and id of the reference entry of an object or module, if there is one."""
    python = env.get_domain("py")
    entry = python.objects.get(name) or python.modules.get(name)
    return (entry.docname, entry.node_id) if entry else None


class EquationTable(SphinxDirective):
    """The table of all equations that code or tests name."""

    has_content: ClassVar[bool] = False

    def run(self) -> list[nodes.Node]:
        """Leave a place for the table."""
        page_store.keep(self.env, TABLES, True)
        return [equation_table("")]


class Printer(SphinxPostTransform):
    """What the links and the table share: the chains, and how to print a link."""

    def prepare(self) -> None:
        """Look the chains up."""
        env: Any = self.env
        self.code, self.tests = by_label(env.equation_code), by_label(env.equation_tests)
        self.values, self.cards = by_label(env.equation_values), env.equation_cards
        self.equations = env.get_domain("math").equations

    def code_link(self, name: str) -> nodes.Node:
        """Name an object shortly, linked to its reference entry if it has one."""
        short = name.rsplit(".", 1)[-1]
        if len(name.split(".")) > 4:  # a method goes by the name of its class as well
            short = ".".join(name.split(".")[3:])
        literal = nodes.literal(short, short)
        place = documented(self.env, name)
        uri = book_outline.address(self.app, *place) if place else None
        if uri is None:
            return html_nodes.inline("equation-code", literal, title=name)
        return nodes.reference("", "", literal, internal=True, refuri=uri, reftitle=name, classes=["equation-code"])

    def test_link(self, test: str, text: nodes.Node, hint: str = "") -> nodes.Node:
        """Link the source of a test."""
        uri = source_of_tests.address_of(self.app, test)
        if uri is None:
            return html_nodes.inline("equation-tests", text, title=hint)
        return nodes.reference("", "", text, internal=True, refuri=uri, reftitle=hint, classes=["equation-tests"])


class AddLinks(Printer):
    """Put the links after every labelled equation that has code or tests."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Visit the equations of the page."""
        equations = [equation for equation in self.document.findall(nodes.math_block) if equation.get("label")]
        self.prepare()
        for card in list(self.document.findall(exam_cards.exam_card)):
            written_here = card[0]["ids"]  # a copy, on another page or in a deck, has none
            if written_here and (file := self.cards.get(card.get("label"))):
                card += html_nodes.paragraph("equation-links", self.checked(file), tag="div")
        for equation in equations:
            label = equation["label"]
            if label in self.equations and any(label in known for known in (self.code, self.tests, self.values)):
                equation.parent.insert(equation.parent.index(equation) + 1, self.links(label))

    def links(self, label: str) -> nodes.Node:
        """The line beside one equation."""
        line = html_nodes.paragraph("equation-links", tag="div")
        for number, name in enumerate(self.code.get(label, [])):
            start = nodes.Text(", ") if number else html_nodes.inline("equation-links-label", "Code: ")
            line += [start, self.code_link(name)]
        marks = [self.test_count(label, tests)] if (tests := self.tests.get(label, [])) else []
        marks += [self.checked(file) for file in self.values.get(label, [])]
        for number, mark in enumerate(marks):
            line += [nodes.Text(" · " if number or label in self.code else ""), mark]
        return line

    def checked(self, file: str) -> nodes.Node:
        """The mark of an equation that is executed."""
        return self.test_link(file, nodes.Text("checked on numbers"))

    def test_count(self, label: str, tests: list[str]) -> nodes.Node:
        """How many tests there are; their names as a tool tip, linked to the source of the first one."""
        text, names = f"{len(tests)} test" + "s" * (len(tests) > 1), ", ".join(tests)
        return self.test_link(tests[0], nodes.Text(text), names)


class FillTables(Printer):
    """Write the table."""

    default_priority = 3

    def run(self, **kwargs) -> None:
        """Fill every place."""
        places = list(self.document.findall(equation_table))
        if places:
            self.prepare()
        for place in places:
            place.replace_self(self.tables())

    def tables(self) -> nodes.Node:
        """One table a chapter, in the order of the table of contents."""
        result = html_nodes.block("equation-table")
        for page in page_store.reading_order(self.env):
            mine = sorted((number, label) for label, (owner, number) in self.equations.items() if owner == page)
            shown = [label for _, label in mine if label in self.code or label in self.tests]
            checked = sum(label in self.values for _, label in mine)
            if shown:
                title = nodes.reference(
                    "",
                    book_outline.page_title(self.env, page),
                    internal=True,
                    refuri=book_outline.address(self.app, page) or "",
                )
                result += html_nodes.heading("equation-table-chapter", 1, title)
                result += simple_table(
                    "equation-table-rows",
                    ("Equation", "Name", "Code", "Tests"),
                    [self.row(label, page) for label in shown],
                )
                note = f"{len(shown)} of {len(mine)} numbered equations have code or tests."
                note += f" {checked} of {len(mine)} are read from the page and executed." if checked else ""
                result += html_nodes.paragraph("equation-table-note", note)
        if not result.children:
            result += html_nodes.paragraph("equation-table-note", "No equation is named by code or tests yet.")
        return result

    def row(self, label: str, page: str) -> list[nodes.Node]:
        """The cells of one equation."""
        first = html_nodes.paragraph("equation-table-number", equation_reference(self.env, label))
        first["ids"] = [f"equation-row-{nodes.make_id(label)}"]
        name = label.removeprefix(page.rsplit("/", 1)[-1].replace("_", "-") + "-").replace("-", " ")
        code = nodes.paragraph()
        for position, target in enumerate(self.code.get(label, [])):
            code += [nodes.Text(", ")] if position else []
            code += self.code_link(target)
        tests = [
            nodes.paragraph("", "", self.test_link(test, nodes.literal(test, test)))
            for test in self.tests.get(label, [])
        ]
        return [first, nodes.paragraph(name, name), code, nodes.container("", *tests) if len(tests) != 1 else tests[0]]


def equation_reference(env, label: str) -> addnodes.pending_xref:
    """The number of an equation as a link, to be resolved with the other references of the page."""
    return addnodes.pending_xref(
        "",
        nodes.literal(label, label),
        refdomain="math",
        reftype="eq",
        reftarget=label,
        refdoc=env.docname,
        refexplicit=False,
        refwarn=True,
    )


def simple_table(classes: str, header: Iterable[str], rows: list[list[nodes.Node]]) -> nodes.table:
    """Build a table from blocks."""
    titles = list(header)
    group = nodes.tgroup("", *(nodes.colspec(colwidth=100 // len(titles)) for _ in titles), cols=len(titles))
    head = nodes.row("", *(nodes.entry("", nodes.paragraph(title, title)) for title in titles))
    body = [
        nodes.row("", *(nodes.entry("", *(cell.children if type(cell) is nodes.container else [cell])) for cell in row))
        for row in rows
    ]
    group += [nodes.thead("", head), nodes.tbody("", *body)]
    return nodes.table("", group, classes=classes.split())


def setup(app):
    """Register the table, the links and the checks."""
    for extension in ("html_nodes", "page_store", "book_outline", "source_of_tests", "exam_cards"):
        app.setup_extension(extension)
    app.add_node(equation_table)
    app.add_directive("equation-table", EquationTable)
    app.add_post_transform(AddLinks)
    app.add_post_transform(FillTables)
    app.connect("builder-inited", scan)
    app.connect("env-get-updated", check, priority=900)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

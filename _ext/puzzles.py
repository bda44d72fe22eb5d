r"""The derivations as puzzles: lines to put in order among wrong ones, and gaps to fill.

A derivation that names wrong lines (``puzzle_lines``) gets two buttons by ``puzzle.js``; without JavaScript it is what
it is. The right lines are those of the page. The script of a page, ``_static/drills/puzzles-<page>.js``, is loaded when
one begins, and holds for each puzzle

* ``after``: for each line the lines that it uses, from 0 on;
* ``wrong``: the line that each wrong one distorts, its formula and why it is wrong;
* ``gaps``: a line, its formula with a gap (empty: the whole line is chosen), and the choices, each with why it is wrong
  (empty: it is right).
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import drill_scripts
import formula_styles
import html_nodes
from book_log import warn
from docutils import nodes
from katex_math import display_source
from puzzle_lines import Line, Wrong, squeezed, whole
from shared_markup import share

FOLDER = "_static/drills"
SCRIPTS = ("progress", "chance", "trainer/data", "puzzle_judge", "puzzle", "sortable/sortable-1.15.6")
GAP = r"\boxed{\;?\;}"
LEAST = 2  # wrong lines of a puzzle


class Typesetter(drill_scripts.Typesetter):
    """Formulas and reasons of a page, with a placeholder for each formula until all are rendered in one go."""

    def __init__(self, katex) -> None:
        super().__init__()
        self.katex = katex

    def display(self, tex: str) -> str:
        """A displayed formula."""
        return self._formula(tex, {"display_mode": True})

    def term(self, tex: str) -> str:
        """A part of a formula by itself; a script needs something to hang on."""
        return self._formula(alone(tex), {"display_mode": False})

    def objection(self, tex: str, display: bool = True) -> str:
        """What KaTeX has against a formula."""
        return self.katex.render(display_source(tex) if display else tex, display)[1]

    def pieces(self) -> list[str]:
        """All formulas, typeset."""
        self.katex.render_all(self.formulas)
        markup = (self.katex.render(*formula)[0] for formula in self.formulas)
        return [formula_styles.shorten(drill_scripts.SOURCE.sub("", piece)) for piece in markup]


def alone(tex: str) -> str:
    """A part of a formula that can stand for itself."""
    return rf"\displaystyle {{}}{tex}" if tex[:1] in "^_" else rf"\displaystyle {tex}"


def gap_of(line: str, wrongs: tuple[Wrong, ...], typeset: Typesetter) -> tuple[str, list[tuple[str, str]]]:
    """The line with a gap, and what may stand there, with the reason; the gap on which most wrong lines agree.

    Where a gap would cut a formula so that it cannot be read, the whole line is chosen: then the line is empty.
    """
    places: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for wrong in wrongs:
        new, old = wrong.change(line)
        gapped = squeezed(line).replace(old, GAP, 1)
        parts = (new, old)
        sound = all(map(whole, parts)) and not any(typeset.objection(alone(part), False) for part in parts)
        if sound and squeezed(line) != old and not typeset.objection(gapped):
            places[old].append((new, wrong.reason))
    if not places:
        return "", [(line, ""), *((wrong.of(line), wrong.reason) for wrong in wrongs)]
    old = max(places, key=lambda part: len(places[part]))
    return squeezed(line).replace(old, GAP, 1), [(old, ""), *places[old]]


def puzzle_of(lines: list[Line], formulas: list[str], typeset: Typesetter) -> dict[str, Any]:
    """What the page must know of a puzzle; texts are markup."""
    reason = lambda text: text and typeset.inline(text)
    wrong = [
        [number, typeset.display(twin.of(formula)), reason(twin.reason)]
        for number, (line, formula) in enumerate(zip(lines, formulas, strict=True))
        for twin in line.wrong
    ]
    gaps = []
    for number, (line, formula) in enumerate(zip(lines, formulas, strict=True)):
        if line.wrong:
            gapped, choices = gap_of(formula, line.wrong, typeset)
            show = typeset.term if gapped else typeset.display
            shown = [[show(tex), reason(why)] for tex, why in choices]
            gaps.append([number, gapped and typeset.display(gapped), shown])
    return {"after": [[number - 1 for number in line.after] for line in lines], "wrong": wrong, "gaps": gaps}


def faults(lines: list[Line], formulas: list[str], typeset: Typesetter) -> list[str]:
    """What is wrong with what is said about a puzzle."""
    found = []
    twins = [(line, formula, twin) for line, formula in zip(lines, formulas, strict=True) for twin in line.wrong]
    if len(twins) < LEAST:
        found.append(f"{len(twins)} wrong line, a puzzle needs {LEAST}")
    known = {squeezed(formula) for formula in formulas}
    for line, formula, twin in twins:
        try:
            tex = squeezed(twin.of(formula))
        except ValueError as error:
            found.append(f"{line.label}: {error}")
            continue
        if objection := typeset.objection(tex):
            found.append(f"{line.label}: KaTeX cannot read {tex!r}: {objection}")
        if tex in known:
            found.append(f"{line.label}: another line says {tex!r}, too")
        known.add(tex)
    return found


def blocks_of(doctree) -> list[nodes.Element]:
    """The derivations of a page that have a puzzle."""
    return [block for block in doctree.findall(html_nodes.html_block) if block.get("puzzle")]


def name_of(block: nodes.Element) -> str:
    """The name of a puzzle: the label of its section."""
    section = html_nodes.section_around(block)
    return str(section["ids"][-1]) if section is not None else "derivation"


def write_puzzles(app, doctree, docname) -> None:
    """Write the script of a page that is about to be written, and tell the page about it."""
    if app.builder.format != "html":
        return
    typeset, found = Typesetter(app.katex), {}
    for block in blocks_of(doctree):
        lines, places = block["puzzle"], list(block.findall(nodes.math_block))
        formulas = [place.astext() for place in places]
        if len(lines) != len(formulas):  # an equation is missing, of which it has been warned
            continue
        problems = faults(lines, formulas, typeset)
        for problem in problems:
            warn("derivation", problem, block)
        if not problems:
            found[name_of(block)] = puzzle_of(lines, formulas, typeset)
            block["html"]["data-puzzle"] = name_of(block)
    if not found:
        return
    markup, table = share([piece for puzzle in found.values() for piece in texts(puzzle)], typeset.pieces())
    shared = iter(markup)
    puzzles = {name: replaced(puzzle, shared) for name, puzzle in found.items()}
    path = Path(app.outdir, FOLDER, f"puzzles-{docname.rpartition('/')[2]}.js")
    version = drill_scripts.write_script(path, path.stem, {"table": table, "puzzles": puzzles})
    for block in blocks_of(doctree):
        if "data-puzzle" in block["html"]:
            block["html"] |= {"data-script": path.stem, "data-version": version}


def texts(puzzle: dict[str, Any]) -> list[str]:
    """The markup of a puzzle, in the order in which ``replaced`` takes it."""
    found = [text for _, formula, reason in puzzle["wrong"] for text in (formula, reason)]
    for _, gapped, choices in puzzle["gaps"]:
        found += [gapped, *(text for choice in choices for text in choice)]
    return found


def replaced(puzzle: dict[str, Any], shared) -> dict[str, Any]:
    """The same with other markup."""
    wrong = [[number, next(shared), next(shared)] for number, *_ in puzzle["wrong"]]
    gaps = [
        [number, next(shared), [[next(shared), next(shared)] for _ in choices]] for number, _, choices in puzzle["gaps"]
    ]
    return {"after": puzzle["after"], "wrong": wrong, "gaps": gaps}


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Load scripts and style sheet on the pages that have a puzzle."""
    if doctree is None or not blocks_of(doctree):
        return
    for name in SCRIPTS:
        app.add_js_file(f"{name}.js", loading_method="defer")
    app.add_css_file("puzzle.css")


def setup(app):
    """Write the scripts when the lines are filled in and references resolved."""
    for extension in ("html_nodes", "derivations", "katex_math", "formula_styles"):
        app.setup_extension(extension)
    app.connect("doctree-resolved", write_puzzles, priority=850)  # before the formulas of the page are rendered
    app.connect("html-page-context", add_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""A chapter for JupyterLab: the same text and code, with answers closed and without what only this site understands.

* Answers of a quiz, reasons of a statement and solutions go into a ``{dropdown}``; code of a solution is collapsed, and
  what it prints as well. When it is run again, that stands below a line to open (``%%closed`` of
  ``notes_lib.display``), because JupyterLab opens every output that it makes.
* Cells that only the tests need (tagged ``remove-cell``) are gone, and captions stand below their figures.
* ``{chapter}`` becomes a link to the other notebook, a reference to an equation or section of another chapter a link
  with a readable text, a citation its authors and year. What stands in the same notebook JupyterLab finds itself.

A notebook that travels alone has titles instead of links to its neighbours, and begins with how to install the library.
``run.py lab`` opens such chapters, and the download button offers them (``lab_download``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import method_rows
import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from pybtex.database import Entry, parse_file

INSTALL = """> **To run this notebook** you need Python 3.11 to 3.13 and `notes_lib`, the library of the book
> *Machine Learning, Derived*, which this chapter belongs to. Install it once, in a terminal: `pip install PATH`, where
> `PATH` is the folder of the book (the one that holds `pyproject.toml`) or its archive (`.zip` or `.tar.gz`) on your
> computer."""

BOX = re.compile(r"^(:{3,})\{([\w:-]+)\}[ ]*(.*)\n((?::[\w-]+:.*\n)*)((?s:.*?))^\1[ ]*$", re.MULTILINE)
CLOSED = "# What solutions print stays closed until you open it.\n%load_ext notes_lib.display"
OPTION = re.compile(r"^- \[([ x])\][ ]+(.*?)\n((?:[ ]{2,}.*\n|[ ]*\n)*)", re.MULTILINE)
ROLE = re.compile(r"\{(chapter|eq|ref|prf:ref|cite:t|cite:p|class|func|meth)\}`([^`]+)`")
TITLED = re.compile(r"(.*?)\s*<([^<>]+)>", re.DOTALL)
TARGET = re.compile(r"^\(([\w-]+)\)=(?=\n+(?:\([\w-]+\)=\n+)*#+[ ]+(.*)$)", re.MULTILINE)  # one of several, too
LABEL = re.compile(r"^:(?:name|label):[ ]*([\w-]+)", re.MULTILINE)
EQUATION = re.compile(r"\$\$[ ]*\(([\w-]+)\)")


class Place(NamedTuple):
    """What a label stands for."""

    page: str  # chapters/part/stem
    text: str  # how to call it


class Book(NamedTuple):
    """What a chapter may name: pages and labels of the book, and its bibliography."""

    pages: dict[str, Place]  # by stem
    labels: dict[str, Place]
    entries: dict[str, Entry]


# -- the book --------------------------------------------------------------------------------------------------------


def read_book(root: Path) -> Book:
    """Read the names of everything that one chapter may name in another one."""
    outline = yaml.safe_load((root / "chapters/outline.yml").read_text(encoding="utf-8"))
    pages = {entry["stem"]: Place("", entry["title"]) for part in outline for entry in part["chapters"]}
    labels: dict[str, Place] = {}
    texts = ("*.md", "appendix/*.md", "*/*.ipynb", "revision/errata/*.ipynb")
    for path in sorted(path for pattern in texts for path in (root / "chapters").glob(pattern)):
        text, page = _text(path), path.relative_to(root).with_suffix("").as_posix()
        title = re.search(r"^# (.*)$", text, re.MULTILINE)
        place = Place("" if path.suffix == ".md" or "errata" in path.parts else page, title[1] if title else path.stem)
        if "errata" not in path.parts:
            pages[path.stem] = place
        labels |= {label: Place(place.page, name) for label, name in _labels(text, place.text)}
    return Book(pages, labels, dict(parse_file(root / "references.bib").entries))


def _text(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]  # nbformat would check all notebooks of the book
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def _labels(text: str, title: str) -> list[tuple[str, str]]:
    """Labels of a page, each with what to call its place from elsewhere."""
    named = [(label, f"equation *{label.partition('-')[2]}* of *{title}*") for label in EQUATION.findall(text)]
    named += [(label, f"*{heading}* in *{title}*") for label, heading in TARGET.findall(text)]
    for _, name, heading, options, _ in BOX.findall(text):
        kind = name.removeprefix("prf:")
        named += [(label, f"*{heading or kind}* in *{title}*") for label in LABEL.findall(options)]
    return named


# -- roles -----------------------------------------------------------------------------------------------------------


def plain_roles(text: str, here: str, book: Book, alone: bool) -> str:
    """Replace the roles that JupyterLab does not know, or whose target is on another page."""
    return ROLE.sub(lambda found: _role(found[1], found[2], found[0], here, book, alone), text)


def _role(role: str, content: str, source: str, here: str, book: Book, alone: bool) -> str:
    titled = TITLED.fullmatch(content)
    text, target = (titled[1], titled[2]) if titled else ("", content)
    if role.startswith("cite"):
        keys = [key.strip() for key in target.split(",")]
        known = all(key in book.entries for key in keys)
        return citations([book.entries[key] for key in keys], role == "cite:t") if known else source
    if role in ("class", "func", "meth"):
        return f"`{target.rpartition('.')[2] if target.startswith('~') else target}`"
    place = (book.pages if role == "chapter" else book.labels).get(target)
    if place is None or (place.page == here and role != "chapter"):
        return source  # JupyterLab finds what stands in the same notebook
    shown = text or (f"*{place.text}*" if role == "chapter" else place.text)
    return shown if alone or not place.page else f"[{shown}](../{place.page.removeprefix('chapters/')}.ipynb)"


def citations(entries: list[Entry], in_text: bool) -> str:
    """Name works by their authors and year: Neal and Hinton (1998), or in brackets."""
    named = [(_authors(entry), entry.fields.get("year", "no year")) for entry in entries]
    if in_text:
        return "; ".join(f"{who} ({year})" for who, year in named)
    return "(" + "; ".join(f"{who}, {year}" for who, year in named) + ")"


def _authors(entry: Entry) -> str:
    people = entry.persons.get("author") or entry.persons.get("editor") or []
    names = [re.sub("[{}]", "", " ".join(person.prelast_names + person.last_names)) for person in people]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names) or entry.fields.get("title", entry.key)


# -- boxes -----------------------------------------------------------------------------------------------------------


def closed_boxes(text: str) -> str:
    """Close what answers a question (quizzes, statements to judge, solutions); comparisons become plain tables."""
    return BOX.sub(_closed_box, text)


def _closed_box(found: re.Match[str]) -> str:
    fence, name, title, options, body = found.groups()
    kind = re.search(r"^:class:.*?(quiz|statement-(?:true|false))", options, re.MULTILINE)
    if name == "method-comparison":
        methods = re.search(r"^:methods:[ ]*(.*)$", options, re.MULTILINE)
        return method_rows.markdown(methods[1] if methods else "", body)
    if name == "solution":
        return dropdown("Solution", body)
    if name != "admonition" or kind is None:
        return found[0]
    if kind[1] == "quiz":
        question, answer = _quiz(body)
    else:
        question, answer = "True or false?\n", f"**{kind[1].removeprefix('statement-').capitalize()}.** {body}"
    return f"{fence}{{admonition}} {title}\n{options}{question}{fence}\n\n{dropdown('Answer', answer)}"


def _quiz(body: str) -> tuple[str, str]:
    """The question with its options, and what is right and why."""
    question, answers = OPTION.sub("", body + "\n").strip(), []
    options = list(OPTION.finditer(body + "\n"))
    for letter, option in zip("abcdefghij", options, strict=False):
        why = " ".join(option[3].split())
        answers.append(f"- **{letter}) {'right' if option[1] == 'x' else 'wrong'}.** {why}")
    shown = "\n".join(f"- **{letter})** {option[2]}" for letter, option in zip("abcdefghij", options, strict=False))
    return f"{question}\n\n{shown}\n".lstrip(), "\n".join(answers) + "\n"


def dropdown(title: str, body: str) -> str:
    """A box that is closed at first."""
    return f"::::::{{dropdown}} {title}\n{body.strip()}\n::::::"


# -- solutions that reach over several cells -------------------------------------------------------------------------

GATE = re.compile(r"^:{3,}\{(exercise|solution)-(start|end)\}[ ]*(.*)\n(?::[\w-]+:.*\n)*:{3,}[ ]*$\n*", re.MULTILINE)


def close_gates(cells: list[NotebookNode]) -> None:
    """Close solutions that begin in one cell and end in another one: their text and code."""
    inside = False
    for cell in cells:
        if cell.cell_type == "code":
            if inside:
                collapse(cell, source=True, outputs=True)
            continue
        parts, end = [], 0
        for gate in GATE.finditer(cell.source):
            parts.append(_gated(cell.source[end : gate.start()], inside))
            inside = (gate[2] == "start") if gate[1] == "solution" else inside
            parts.append(f"**Exercise.** {gate[3]}" if (gate[1], gate[2]) == ("exercise", "start") else "")
            end = gate.end()
        cell.source = "\n\n".join(part for part in [*parts, _gated(cell.source[end:], inside)] if part)


def _gated(text: str, inside: bool) -> str:
    return dropdown("Solution", text) if inside and text.strip() else text.strip()


def collapse(cell: NotebookNode, source: bool, outputs: bool) -> None:
    """Let JupyterLab show a bar in the place of the code or the outputs, and keep what is printed closed when it runs.

    Animations and explorers, which are HTML, would lose their scripts there.
    """
    cell.metadata["jupyter"] = {"source_hidden": source, "outputs_hidden": outputs}
    if outputs and cell.outputs and not any("text/html" in output.get("data", {}) for output in cell.outputs):
        cell.source = f"%%closed\n{cell.source}"


# -- the notebook ----------------------------------------------------------------------------------------------------


def edition(nb: NotebookNode, page: str, book: Book, alone: bool) -> NotebookNode:
    """Turn a chapter into its edition for JupyterLab.

    Parameters
    ----------
    nb : notebook, changed in place
    page : str
        Its name, ``chapters/part/stem``.
    book : Book
    alone : bool
        Without its neighbours: titles instead of links, and how to install the library.

    Returns
    -------
    notebook
    """
    roles: Callable[[str], str] = partial(plain_roles, here=page, book=book, alone=alone)
    cells = [cell for cell in nb.cells if "remove-cell" not in cell.metadata.get("tags", [])]
    close_gates(cells)
    nb.cells = []
    for cell in cells:
        caption = cell.metadata.pop("mystnb", {}).get("figure", {}).get("caption", "")
        cell.metadata.pop("equivalent", None)
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type == "markdown":
            cell.source = roles(closed_boxes(cell.source))
        elif tags & {"hide-cell", "hide-output"}:
            collapse(cell, source="hide-cell" in tags, outputs=True)
        nb.cells.append(cell)
        if caption:
            nb.cells.append(new_markdown_cell(f"*Figure.* {roles(caption)}", id=f"{cell.id}-caption"))
    code = [place for place, cell in enumerate(nb.cells) if cell.cell_type == "code"]
    if any(nb.cells[place].source.startswith("%%closed") for place in code):
        nb.cells.insert(code[0], new_code_cell(CLOSED, id="closed"))
    if alone:
        nb.cells.insert(0, new_markdown_cell(INSTALL, id="install"))
    return nb

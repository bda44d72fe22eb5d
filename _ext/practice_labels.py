"""What exercises and folded answers are called on the page.

The title of an exercise ends with its marks, its minutes and its place in the chapter's two hours: *Two coins, 7 marks,
10 minutes, first*. On the page these are small labels behind the title, in words that need no explanation; so they are
where other pages link to the exercise (``exercises.link``). A solution stands below its exercise and is called
*Solution*. The fold of a cell that ends with ``Markdown(hand.solution)`` says that it holds the full-marks answer.
"""

from __future__ import annotations

import re

import html_nodes
from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode

FACTS = re.compile(r",\s+(?P<marks>\d+) marks?,\s+(?P<minutes>\d+) minutes?(?:,\s+(?P<route>first|then))?$")
ROUTE = {
    "first": ("do it first", "It belongs to the two hours of the chapter."),
    "then": ("then this", "It comes after the two hours of the chapter."),
}
ANSWER = re.compile(r"^Markdown\(\w+\.solution\)\s*$", re.MULTILINE)
FULL_MARKS = "the full-marks answer"


def parted(title: str) -> tuple[str, html_nodes.html_inline | None]:
    """A title without its facts, and the labels that show them; None for a title without facts."""
    found = FACTS.search(title)
    if not found:
        return title, None
    marks, minutes, route = found.groups()
    words, why = ROUTE.get(route, ("", ""))
    told = [f"{marks} mark{'s' * (marks != '1')}", f"{minutes} min"]
    label = html_nodes.inline("exercise-facts", " · ".join(told))
    if words:
        label += [nodes.Text(" · "), html_nodes.inline(f"exercise-{route}", words, title=why)]
    return title[: found.start()], label


def label_exercise(title: nodes.title) -> None:
    """Set the labels behind the title of an exercise, and take the title out of its brackets."""
    if len(title) < 3:
        return
    opening, *inside, closing = title.children
    if (opening.astext(), closing.astext()) != (" (", ")") or not isinstance(inside[-1], nodes.Text):
        return
    text, label = parted(inside[-1].astext())
    if label is not None:
        title.children = []
        title += [nodes.Text(" "), *inside[:-1], nodes.Text(text), nodes.Text(" "), label]


def is_answer(fold: HideCodeCellNode) -> bool:
    """Whether a fold holds what a drill has as its solution."""
    whole = "above-input" in fold["classes"]  # such a fold is all of the cell
    code = next((fold if whole else fold.parent).findall(nodes.literal_block), None)
    return code is not None and bool(ANSWER.search(code.astext()))


def call_by_name(app, doctree, docname: str) -> None:
    """Name exercises, solutions and answers of a page that is about to be written."""
    if app.builder.format != "html":
        return
    for box in doctree.findall(nodes.Admonition):
        title = next((child for child in box.children if isinstance(child, nodes.title)), None)
        if title is not None and "exercise" in box["classes"]:
            label_exercise(title)
        elif title is not None and "solution" in box["classes"]:
            title.children = []
            title += nodes.Text("Solution")
    for fold in doctree.findall(HideCodeCellNode):
        if is_answer(fold):
            fold["prompt_show"], fold["prompt_hide"] = f"Show {FULL_MARKS}", f"Hide {FULL_MARKS}"


def setup(app):
    """Come when the titles have their numbers."""
    app.setup_extension("html_nodes")
    app.add_css_file("practice_labels.css")
    app.connect("doctree-resolved", call_by_name, priority=880)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""The book's own boxes written as admonitions, so that JupyterLab shows them as well.

JupyterLab does not know the directives of this book and puts an error in their place; an admonition it knows. So in a
notebook a box is an ``{admonition}`` whose class says what it is::

    :::{admonition} Objective and constraint
    :class: must-know
    :name: kmeans-must-know-objective
    ...
    :::

``:name:`` is the label. ``:class: must-know recognise`` is a card of the second tier. The classes are the keys of
``BOXES``; a class that is neither among them nor in common use is a warning, so that a misspelt box does not pass for a
plain admonition.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from book_log import warn
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.parsers.rst.directives.admonitions import Admonition
from exam_cards import KINDS, SECOND_TIER, CardDirective
from objectives import Needs, Objectives
from quiz import Quiz, TrueFalse
from sphinx.util.docutils import SphinxDirective


class Box(NamedTuple):
    """The directive that makes a box, the name it is called by, and options that follow from the class."""

    directive: Any
    name: str
    options: dict[str, Any]


BOXES = {kind: Box(CardDirective, kind, {}) for kind in KINDS} | {
    "objectives": Box(Objectives, "objectives", {}),
    "needs": Box(Needs, "needs", {}),
    "quiz": Box(Quiz, "quiz", {}),
    "quiz-multiple": Box(Quiz, "quiz", {"multiple": None}),
    "statement-true": Box(TrueFalse, "true-false", {"answer": "true"}),
    "statement-false": Box(TrueFalse, "true-false", {"answer": "false"}),
}
COMMON = {"note", "tip", "hint", "important", "warning", "caution", "danger", "error", "seealso", "dropdown", "toggle"}


class BookAdmonition(SphinxDirective):
    """An admonition, or the box that its class names."""

    has_content: ClassVar[bool] = True
    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True
    option_spec: ClassVar[dict[str, Any]] = {"class": directives.class_option, "name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """Build the box, or leave the admonition to docutils."""
        classes = self.options.get("class", [])
        box = next((BOXES[name] for name in classes if name in BOXES), None)
        if box is None:
            for name in sorted(set(classes) - COMMON):
                known = ", ".join(BOXES)
                warn("box", f"an admonition of the unknown class {name!r}; boxes are {known}", self.get_location())
            return self.build(Admonition, self.name, self.arguments, self.options)
        options = dict(box.options)
        if "name" in self.options:
            options["label"] = self.options["name"]
        for name in classes[1:]:
            if (classes[0], name) == ("must-know", SECOND_TIER):
                options[SECOND_TIER] = None
            else:
                warn("box", f"a box of the class {classes[0]!r} knows no class {name!r}", self.get_location())
        arguments = self.arguments if box.directive.required_arguments else []
        return self.build(box.directive, box.name, arguments, options)

    def build(self, directive: Any, name: str, arguments: list[str], options: dict[str, Any]) -> list[nodes.Node]:
        """Run another directive on the same content."""
        place = self.lineno, self.content_offset, self.block_text, self.state, self.state_machine
        return directive(name, arguments, options, self.content, *place).run()


def setup(app):
    """Take the place of docutils' admonition."""
    for extension in ("chapter_role", "exam_cards", "quiz"):
        app.setup_extension(extension)
    app.add_directive("admonition", BookAdmonition, override=True)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

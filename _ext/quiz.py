"""The directives ``{quiz}`` and ``{true-false}``: questions that tell right from wrong at once.

The page holds native radio buttons (check boxes with ``:multiple:``) and, under each option, its explanation; a style
sheet alone shows the explanation of what is checked. The script ``quiz.js`` only reads the same text out to screen
readers. All ids follow from ``:label:``. In text and LaTeX an item is the question, a list of options, and the
explanations.
"""

from __future__ import annotations

import re
import string
from typing import Any, ClassVar

import html_nodes
import page_store
from book_log import warn
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

OPTION = re.compile(r"([-*+]) \[([ xX])\] (?=\S)")


class quiz_item(html_nodes.html_block):
    """One question with its options."""


class Item(SphinxDirective):
    """What the two directives share: a question, a label, and warnings."""

    has_content: ClassVar[bool] = True
    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True

    def start(self, classes: str) -> tuple[quiz_item, nodes.Element]:
        """Build the item and its question."""
        item = quiz_item("", classes=["quiz", *classes.split()], tag="div", html={})
        self.set_source_info(item)
        if page_store.claim_label(self, item):
            self.label = self.options["label"].strip()
        else:
            self.label = f"quiz-{self.env.new_serialno('quiz')}"
        text, _ = self.state.inline_text(self.arguments[0], self.lineno)
        question = html_nodes.block("quiz-question", nodes.paragraph("", "", *text))
        question["ids"] = [f"{self.label}-question"]
        item += question
        return item, question

    def options_block(self, *children: nodes.Node, role: str = "radiogroup") -> nodes.Element:
        """Build the group of options, labelled by the question."""
        return html_nodes.block("quiz-options", *children, role=role, aria_labelledby=f"{self.label}-question")

    def button(self, name: str, classes: str = "", kind: str = "radio") -> nodes.raw:
        """Build a native radio button or check box."""
        classes = f"quiz-input {classes}".strip()
        return html_nodes.raw_html(
            f'<input type="{kind}" class="{classes}" name="{self.label}" id="{self.label}-{name}" autocomplete="off">'
        )

    def warn(self, message: str) -> None:
        """Warn at the directive."""
        warn("quiz", f"{self.name} {self.label}: {message}", self.get_location())


class Quiz(Item):
    """A question with options ``- [x]`` (right) and ``- [ ]`` (wrong), each followed by its explanation."""

    option_spec: ClassVar[dict[str, Any]] = {"label": directives.unchanged, "multiple": directives.flag}

    def run(self) -> list[nodes.Node]:
        """Build the item from the list in the body."""
        multiple = "multiple" in self.options
        item, question = self.start("quiz-choice quiz-multiple" if multiple else "quiz-choice")
        marks = self.take_marks()
        body = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, body)
        options = body.children.pop() if body.children and isinstance(body[-1], nodes.bullet_list) else None
        question += body.children
        if (
            options is None
            or len(options) != len(marks)
            or any(isinstance(node, nodes.bullet_list) and node.parent is body for node in body.children)
        ):
            self.warn("the body ends with one list whose items all begin with [x] or [ ]")
            return [item]
        if len(marks) < 2:
            self.warn("a question needs at least two options")
        if not multiple and sum(marks) != 1:
            self.warn(f"{sum(marks)} options are marked right; one must be (or use :multiple:)")
        if multiple and not any(marks):
            self.warn("no option is marked right")
        item += self.options_block(
            *(self.option(*pair) for pair in zip(string.ascii_lowercase, options, marks, strict=False)),
            role="group" if multiple else "radiogroup",
        )
        return [item]

    def take_marks(self) -> list[bool]:
        """Take the marks out of the body, and say which options are right."""
        marks = []
        for number, line in enumerate(self.content):
            found = OPTION.match(line)
            if found:
                marks.append(found.group(2) != " ")
                self.content[number] = f"{found.group(1)} {line[found.end() :]}"
        return marks

    def option(self, letter: str, entry: nodes.Element, right: bool) -> nodes.Element:
        """Build an option: button, label, explanation."""
        statement, *explanation = entry.children
        if not explanation:
            self.warn(f"option ({letter}) has no explanation")
        tag = html_nodes.inline("quiz-letter", f"({letter})")
        label = html_nodes.paragraph(
            "quiz-label", tag, " ", *statement.children, tag="label", for_=f"{self.label}-{letter}"
        )
        verdict = html_nodes.paragraph("quiz-verdict", tag.deepcopy(), " Right." if right else " Wrong.")
        feedback = html_nodes.block(f"quiz-feedback {'right' if right else 'wrong'}", verdict, *explanation)
        kind = "checkbox" if "multiple" in self.options else "radio"
        return html_nodes.block("quiz-option", self.button(letter, kind=kind), label, feedback)


class TrueFalse(Item):
    """A statement that is true or false (``:answer:``), with the reason as its body."""

    option_spec: ClassVar[dict[str, Any]] = {
        "label": directives.unchanged,
        "answer": lambda text: directives.choice(text, ("true", "false")),
    }

    def run(self) -> list[nodes.Node]:
        """Build the item."""
        item, _ = self.start("quiz-true-false")
        answer = self.options.get("answer")
        if answer is None:
            self.warn("it needs an :answer: true or false")
            return [item]
        if not self.content:
            self.warn("it needs a reason")
        choices: list[nodes.Node] = []
        for name in ("true", "false"):
            choices += [
                self.button(name, "right" if name == answer else "wrong"),
                html_nodes.paragraph("quiz-label", name.capitalize(), tag="label", for_=f"{self.label}-{name}"),
            ]
        # both verdicts are there for the style sheet to choose from; other formats print the answer only
        verdict = html_nodes.paragraph(
            "quiz-verdict",
            html_nodes.raw_html(
                '<span class="quiz-verdict-right">Right.</span> <span class="quiz-verdict-wrong">Wrong.</span> '
            ),
            html_nodes.inline("quiz-answer", f"The statement is {answer}."),
        )
        feedback = html_nodes.block("quiz-feedback", verdict)
        self.state.nested_parse(self.content, self.content_offset, feedback)
        item += self.options_block(*choices, feedback)
        return [item]


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Load the scripts on the pages that hold a question."""
    if doctree is not None and any(doctree.findall(quiz_item)):
        for name in ("progress.js", "memory.js", "quiz.js"):
            app.add_js_file(name, loading_method="defer")


def setup(app):
    """Register the directives."""
    app.setup_extension("html_nodes")
    app.setup_extension("page_store")
    app.add_node(quiz_item, html=(html_nodes.visit_element, html_nodes.depart_element))
    app.add_directive("quiz", Quiz)
    app.add_directive("true-false", TrueFalse)
    app.connect("html-page-context", add_script)
    return {"version": "1", "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}

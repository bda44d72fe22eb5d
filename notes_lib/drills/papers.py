"""Exam papers and their mark schemes, as Markdown: drills, and the questions of the chapters.

Four formats: long questions; fill-ins and calculations with boxes to fill in and marks for each; multiple choice, where
a wrong answer costs marks; multiple answer, where any number of options may be right. What a paper asks follows from
format, minutes, seed and topics (``notes_lib.drills.drawing``), so that a page can set the same one. The questions
to choose from are the quizzes and the true or false statements of the chapters that the topics belong to.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

from notes_lib.drills import Drill, chapter, draw, drawing, to_draw

__all__ = ["RULES", "Asked", "Option", "Question", "paper", "questions", "read_chapter", "with_marks"]

RULES = {
    "long": "Write down every step: marks are given for steps.",
    "calculations": "Fill in the results; the steps earn marks where a result is wrong.",
    "choice": "One option is right. A right answer earns the marks of its question, a wrong one costs "
    f"{drawing.PENALTY}, none earns 0.",
    "answers": "Any number of options may be right. A question earns its marks if all right options are ticked and no "
    "other one, and otherwise nothing.",
}
KINDS = {"quiz": "choice", "quiz-multiple": "multiple", "statement-true": "true-false", "statement-false": "true-false"}
ADMONITION = re.compile(
    r"^:::\{admonition\} (?P<title>[^\n]+)\n:class: (?P<kind>[\w-]+)\n(?P<body>.*?)^:::$", re.M | re.S
)
ROLE = re.compile(r"\{[\w:]+\}(`[^`]*`)")  # a link within the book: its label stays
OPTION = re.compile(r"^- \[([x ])\] ", re.M)
FORMULA = re.compile(r"\$[^$]*\$")
LISTED, BRACKET = re.compile(r"\bMarks:(.*)"), re.compile(r"\((\d[^()]*\bmarks?\b[^()]*)\)")
MARKS = re.compile(r"(?:^|[,;] |and |^ )(\d+(?:\.\d+)?)\b")
BLANK = "&emsp;" * 12  # entities, since Markdown strips the spaces at the end of a cell
SPARE = 0.7  # a paper that fills less of its time says so


class Option(NamedTuple):
    """One option, and why it is right or wrong."""

    text: str
    right: bool
    reason: str


class Question(NamedTuple):
    """A question of a chapter: ``choice``, ``multiple`` or ``true-false``."""

    kind: str
    title: str
    options: list[Option]


class Chapter(NamedTuple):
    """Title and questions of a chapter, in their order."""

    title: str
    questions: list[Question]


class Asked(NamedTuple):
    """A question of a paper with its entry in the mark scheme, both in Markdown."""

    title: str
    text: str
    scheme: str
    marks: int


def read_chapter(path: Path) -> Chapter:
    """Title and questions of the notebook of a chapter."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = [ROLE.sub(r"\1", "".join(c["source"]) + "\n") for c in cells if c["cell_type"] == "markdown"]
    title = next(match[1] for text in texts for match in re.finditer(r"^# (.+)$", text, re.M))
    boxes = [match for text in texts for match in ADMONITION.finditer(text) if match["kind"] in KINDS]
    return Chapter(title, [_question(box["kind"], box["title"].strip(), box["body"]) for box in boxes])


def _question(kind: str, title: str, body: str) -> Question:
    body = re.sub(r"^:\w+:.*\n", "", body, flags=re.M)
    if KINDS[kind] == "true-false":
        reason, truth = " ".join(body.split()), kind == "statement-true"
        return Question("true-false", title, [Option("True", truth, reason), Option("False", not truth, "")])
    _, *parts = OPTION.split(body)
    options = []
    for mark, text in zip(parts[::2], parts[1::2], strict=True):
        said, _, reason = text.strip().partition("\n\n")
        options.append(Option(" ".join(said.split()), mark == "x", " ".join(reason.split())))
    return Question(KINDS[kind], title, options)


def questions(form: str, minutes: float, seed: int, chosen: Iterable[str], folder: Path) -> list[Asked]:
    """The questions of a paper.

    Parameters
    ----------
    form : str
        ``long``, ``calculations``, ``choice`` or ``answers``.
    minutes : float
        Length of the paper.
    seed : int
        Not negative; the same seed gives the same paper.
    chosen : iterable of str
        Slugs of topics.
    folder : Path
        The folder of the chapters, which holds ``kernels/svm.ipynb``.

    Returns
    -------
    list of Asked

    Raises
    ------
    ValueError
        If there is no such format or topic, or nothing fits.
    """
    items, chapters = _drawn(form, minutes, seed, list(chosen), folder)
    return [_asked(item, form, chapters.get(item.name)) for item in items]


def paper(form: str, minutes: float, seed: int, chosen: Iterable[str], folder: Path) -> tuple[str, str]:
    """A paper and its mark scheme, in Markdown; parameters and errors as of :func:`questions`."""
    items, chapters = _drawn(form, minutes, seed, list(chosen), folder)
    asked = [_asked(item, form, chapters.get(item.name)) for item in items]
    needed = sum(item.minutes for item in items)
    head = f"{minutes:g} minutes, {worth(sum(question.marks for question in asked))}. {RULES[form]}"
    if needed < SPARE * minutes:
        head += f" The topics have questions for about {needed:.0f} minutes only."
    titles = [f"## {n}. {q.title} ({worth(q.marks)})" for n, q in enumerate(asked, 1)]
    text = [f"{title}\n\n{question.text}" for title, question in zip(titles, asked, strict=True)]
    scheme = [f"{title}\n\n{question.scheme}" for title, question in zip(titles, asked, strict=True)]
    return ("\n\n".join([f"# Paper {seed}", head, *text]), "\n\n".join([f"# Paper {seed}: mark scheme", head, *scheme]))


def worth(marks: float) -> str:
    """Marks in words."""
    return f"{marks:g} mark{'s' * (marks != 1)}"


def _drawn(
    form: str, minutes: float, seed: int, chosen: Sequence[str], folder: Path
) -> tuple[list[drawing.Item], dict[str, Chapter]]:
    """What the paper asks, and the chapters by stem if it asks their questions."""
    topics = to_draw(chosen, minutes if form in ("long", "calculations") else math.inf)
    if form in ("long", "calculations"):
        return drawing.compose(form, minutes, seed, topics), {}
    names = {chapter(slug).split("/")[1]: folder / f"{chapter(slug)}.ipynb" for slug in chosen}
    chapters = {stem: read_chapter(path) for stem, path in names.items()}
    items = drawing.compose(form, minutes, seed, topics, pieces_of(chapters))
    if not items:
        raise ValueError(f"no question fits into minutes={minutes:g}: allow at least 4.")
    return items, chapters


def pieces_of(chapters: dict[str, Chapter]) -> list[drawing.Piece]:
    """The questions of chapters, as drawing needs them."""
    return [
        drawing.Piece(stem, number, question.kind, len(question.options))
        for stem, found in chapters.items()
        for number, question in enumerate(found.questions)
    ]


def _asked(item: drawing.Item, form: str, found: Chapter | None) -> Asked:
    if found is None:
        drill = draw(item.name, item.numbers[0])
        if item.kind == "short":
            return fill_in(drill)
        return long_question(drill) if form == "long" else calculation(drill)
    asked = [found.questions[number] for number in item.numbers]
    if item.kind == "statements":
        return with_options(found.title, item, "Which of these statements are true?", [stated(one) for one in asked])
    title = f"True or false? {asked[0].title}" if asked[0].kind == "true-false" else asked[0].title
    return with_options(found.title, item, title, asked[0].options)


def long_question(drill: Drill) -> Asked:
    """A drill as it is."""
    return Asked(drill.title, drill.statement, scheme_of(drill), drill.marks)


def scheme_of(drill: Drill, only: int | None = None) -> str:
    """The solution of a drill and its common wrong answers, of all fields or of one."""
    return "\n\n".join(filter(None, [with_marks(drill), drill.wrong_answers(only)]))


def calculation(drill: Drill) -> Asked:
    """A drill with a box for each result."""
    rows = [_row(f.part, f.label, f.asks, f.marks) for f in drill.fields]
    return Asked(drill.title, f"{drill.statement}\n\n{_boxes(rows)}", scheme_of(drill), drill.marks)


def fill_in(drill: Drill) -> Asked:
    """One result of a drill."""
    field, marks = drill.fields[drill.fill_in], drawing.SHORT_MARKS
    box = _boxes([_row(field.part, field.label, field.asks, marks)])
    text = f"{drill.statement}\n\nGive only what is asked here:\n\n{box}"
    asked = f"{worth(marks)} for {field.label}; the other lines of the solution are not asked here."
    scheme = f"{asked}\n\n{scheme_of(drill, drill.fill_in)}"
    return Asked(drill.title, text, scheme, marks)


def with_marks(drill: Drill) -> str:
    """The solution; a table says which field earns which marks where the marks in it do not add up to the drill's.

    They do not where a solution says *1 mark each*, and leaves it to the reader what it counts.
    """
    if stated_marks(drill.solution) == drill.marks:
        return drill.solution
    rows = [f"| {field.part} | {field.label} | {field.marks:g} |" for field in drill.fields]
    head = ["**Marks**", "", "| part | for | marks |", "| ---: | :--- | ---: |"]
    return "\n".join([drill.solution, "", *head, *rows])


def stated_marks(solution: str) -> float:
    """The sum of the marks that a solution gives: in brackets, as in *(1 mark for the rule, 2 for the sum)*, or listed.

    Examples
    --------
    >>> stated_marks("**Rule** (1 mark for $f(2)$, 2 for the sum): 3. Marks: 2 for the cut.")
    5.0
    """
    text = FORMULA.sub("", solution)
    listed = [number for line in LISTED.findall(text) for number in MARKS.findall(line)]
    return sum(map(float, [*listed, *(number for group in BRACKET.findall(text) for number in MARKS.findall(group))]))


def _row(part: int, label: str, asks: str, marks: float) -> str:
    return f"| {part} | {label}{f' *({asks})*' if asks else ''} |  | {marks:g} |"


def _boxes(rows: Sequence[str]) -> str:
    return "\n".join([f"| part | result | your answer{BLANK} | marks |", "| ---: | :--- | :--- | ---: |", *rows])


def stated(question: Question) -> Option:
    """A statement as an option: whether it is true."""
    return question.options[0]._replace(text=question.title)


def with_options(title: str, item: drawing.Item, asked: str, options: Sequence[Option]) -> Asked:
    """A question whose options stand in the order of the item; of several right ones there may also be none."""
    mixed = [options[k] for k in item.order]
    if item.kind != "one":
        mixed.append(Option("None of these", not any(option.right for option in mixed), ""))
    lettered = list(zip(ascii_uppercase, mixed, strict=False))
    text = "\n".join([asked, "", *(f"- **{letter}** ☐ {option.text}" for letter, option in lettered)])
    right = ", ".join(letter for letter, option in lettered if option.right)
    reasons = [f"- **{a}** {'right' if o.right else 'wrong'}{o.reason and f': {o.reason}'}" for a, o in lettered]
    return Asked(title, text, "\n".join([f"Right: **{right}**", "", *reasons]), item.marks)

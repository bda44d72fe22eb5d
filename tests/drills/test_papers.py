"""Tests of exam papers: questions of each format, their marks and their mark scheme."""

import json
import re
from pathlib import Path

import pytest

from notes_lib.drills import chapter, draw, papers, title, topics
from notes_lib.drills import fields as ask
from notes_lib.drills.drawing import Item
from notes_lib.drills.webpage import webpage

FOLDER = Path(__file__).resolve().parents[2] / "chapters"
FORMATS = list(papers.RULES)
STEMS = sorted({chapter(topic) for topic in topics()})
SVM = """(svm-quiz)=
:::{admonition} A $x$ question?
:class: quiz
:name: svm-quiz-x
- [x] Right one

  Because of {eq}`svm-dual`
  and more.
- [ ] Wrong one

  Not so.
:::

:::{admonition} The sky is green.
:class: statement-false
:name: svm-true

By day.
:::

:::{admonition} All of them?
:class: quiz-multiple
- [x] Yes

  So it is.
- [x] Also

  Too.
:::

:::{admonition} Must know
:class: must-know

No question.
:::
"""


@pytest.fixture
def small(tmp_path):
    """Title and questions of a chapter with one question of each kind."""
    cells = [{"cell_type": "markdown", "source": text.splitlines(keepends=True)} for text in ("(svm)=\n# SVM\n", SVM)]
    (tmp_path / "svm.ipynb").write_text(json.dumps({"cells": [*cells, {"cell_type": "code", "source": SVM}]}))
    return papers.read_chapter(tmp_path / "svm.ipynb")


def test_questions_are_read_from_a_chapter_in_their_order(small):
    assert small.title == "SVM"
    right = papers.Option("Right one", True, "Because of `svm-dual` and more.")
    options = [right, papers.Option("Wrong one", False, "Not so.")]
    first, second, third = small.questions
    assert first == papers.Question("choice", "A $x$ question?", options)
    said = [papers.Option("True", False, "By day."), papers.Option("False", True, "")]
    assert second == papers.Question("true-false", "The sky is green.", said)
    assert (third.kind, third.title, len(third.options)) == ("multiple", "All of them?", 2)
    kinds = [(piece.number, piece.kind, piece.options) for piece in papers.pieces_of({"svm": small})]
    assert kinds == [(0, "choice", 2), (1, "true-false", 2), (2, "multiple", 2)]


@pytest.mark.parametrize("stem", STEMS)
def test_every_question_of_the_book_is_read(stem):
    source = (FOLDER / f"{stem}.ipynb").read_text(encoding="utf-8")
    found = papers.read_chapter(FOLDER / f"{stem}.ipynb").questions
    for kind, name in (("choice", "quiz"), ("multiple", "quiz-multiple"), ("true-false", "statement-(true|false)")):
        own = [question for question in found if question.kind == kind]
        assert len(own) == len(re.findall(rf'":class: {name}\\n"', source)) > 0
        for _, _, options in own:
            assert len(options) > 1
            assert all(option.text and (option.reason or kind == "true-false") for option in options)
            assert sum(option.right for option in options) == 1 or kind == "multiple"
    assert 0 < sum(q.options[0].right for q in found if q.kind == "true-false") < len(own)


@pytest.mark.parametrize("form", FORMATS)
def test_a_paper_and_its_scheme_have_the_same_questions_and_marks(form):
    asked = papers.questions(form, 60, 3, topics(), FOLDER)
    text, scheme = papers.paper(form, 60, 3, topics(), FOLDER)
    heads = re.findall(r"^## .* \(([\d.]+) marks?\)$", text, re.M)
    assert heads == re.findall(r"^## .* \(([\d.]+) marks?\)$", scheme, re.M)
    assert len(heads) == len(asked) > 2
    assert f"60 minutes, {sum(map(float, heads)):g} marks. {papers.RULES[form]}\n" in text
    assert all(question.text in text and question.scheme in scheme for question in asked)
    assert not any(question.scheme in text for question in asked)
    assert papers.paper(form, 60, 3, topics(), FOLDER) == (text, scheme)
    assert papers.questions(form, 60, 4, topics(), FOLDER) != asked
    assert "(1 marks)" not in text


@pytest.mark.parametrize("form", ["choice", "answers"])
def test_the_scheme_names_the_right_options(form):
    chapters = [papers.read_chapter(FOLDER / f"{stem}.ipynb") for stem in STEMS]
    asked = [question for found in chapters for question in found.questions]
    known = {(q.title, o.text): o.right for q in asked for o in q.options}
    known |= {(f"True or false? {q.title}", o.text): o.right for q in asked for o in q.options}
    known |= {("Which of these statements are true?", q.title): q.options[0].right for q in asked}
    letters, nones = set(), []
    for question in papers.questions(form, 3000, 3, topics(), FOLDER):
        head, _, options = question.text.partition("\n\n")
        options = dict(re.findall(r"^- \*\*([A-H])\*\* ☐ (.*)$", options, re.M))
        several = {letter: text for letter, text in options.items() if text != "None of these"}
        right = [letter for letter, text in several.items() if known[head, text]]
        if form == "answers":
            last = list(options)[-1]
            assert options[last] == "None of these"
            nones.append(not right)
            right = right or [last]
        assert question.scheme.startswith(f"Right: **{', '.join(right)}**\n")
        told = dict(re.findall(r"^- \*\*([A-H])\*\* (right|wrong)", question.scheme, re.M))
        assert told == {letter: "right" if letter in right else "wrong" for letter in options}
        letters |= set(right)
    assert {"A", "B", "C", "D"} <= letters  # the options are mixed
    assert form == "choice" or set(nones) == {True, False}


def test_a_calculation_has_a_box_for_each_field():
    asked = papers.calculation(draw("viterbi", 3))
    rows = re.findall(r"^\| (\d) \| (.*) \|  \| (\S+) \|$", asked.text, re.M)
    assert [(int(part), float(worth)) for part, _, worth in rows] == [(1, 5), (1, 2), (2, 2), (3, 1)]
    assert rows[0][1] == "table of $\\delta_t(k)$ *(four digits or exact)*"
    space = "\u2003" * 12  # to write in
    assert f">your answer{space}</th>" in webpage(asked.text, "x")


def test_the_name_of_a_result_does_not_end_its_column():
    """A bar would: a determinant is written with lvert and rvert, a condition with mid."""
    for topic in topics():
        drill = draw(topic, 0)
        boxes = papers.calculation(drill).text.rpartition("| your answer")[2].splitlines()[2:]
        assert all(re.fullmatch(r"\| \d \| [^|]+ \|  \| \S+ \|", row) for row in boxes), (topic, boxes)
        assert len(boxes) == len(drill.fields)


def test_a_fill_in_asks_for_one_result():
    drill = draw("confusion-metrics", 3)
    asked = papers.fill_in(drill)
    (row,) = re.findall(r"^\| (\d) \| (.*) \|  \| 2 \|$", asked.text, re.M)
    assert row[1].startswith(drill.fields[drill.fill_in].label)
    assert asked.text.startswith(drill.statement)
    assert asked.scheme.startswith("2 marks for")
    assert drill.solution in asked.scheme
    assert (asked.title, asked.marks) == (drill.title, 2)


def test_headings_are_titles():
    text, _ = papers.paper("long", 90, 1, ["svm-dual", "viterbi"], FOLDER)
    names = set(re.findall(r"^## \d+\. (.+) \(\d+ marks\)$", text, re.M))
    assert names == {title("svm-dual"), title("viterbi")}
    asked = papers.questions("choice", 60, 0, ["viterbi", "svm-dual"], FOLDER)
    assert {q.title for q in asked} == {papers.read_chapter(FOLDER / f"{chapter(t)}.ipynb").title
                                        for t in ("viterbi", "svm-dual")}  # fmt: skip


def test_a_paper_without_enough_questions_says_so():
    text, scheme = papers.paper("answers", 90, 0, ["viterbi"], FOLDER)
    for one in (text, scheme):
        assert re.search(r"The topics have questions for about \d+ minutes only\.", one)
    assert "only." not in papers.paper("answers", 45, 0, topics(), FOLDER)[0].split("\n")[2]


@pytest.mark.parametrize(("minutes", "said"), [(15, False), (16, True)])
def test_a_paper_may_leave_three_tenths_of_its_time(minutes, said):
    text, _ = papers.paper("long", minutes, 0, ["viterbi"], FOLDER)
    assert draw("viterbi", 0).minutes == 11
    assert ("questions for about 11 minutes only" in text) == said


def test_options_stand_in_the_order_of_the_paper(small):
    item = Item("one", "svm", (0,), (1, 0), 3, 2, 1)
    asked = papers.with_options("SVM", item, "Which?", small.questions[0].options)
    assert asked.text == "Which?\n\n- **A** ☐ Wrong one\n- **B** ☐ Right one"
    assert asked.scheme.startswith("Right: **B**\n\n- **A** wrong: Not so.\n- **B** right: Because")


@pytest.mark.parametrize(
    ("form", "minutes", "chosen", "message"),
    [
        ("long", 60, ["viterby"], "did you mean viterbi"),
        ("choice", 60, ["viterby"], "did you mean viterbi"),
        ("answers", 60, [], "topics must name at least one topic"),
        ("choice", 1, ["viterbi"], "no question fits into minutes=1: allow at least 4"),
        ("long", 2, ["viterbi"], "minutes must be at least 11, the shortest drill, got 2"),
        ("mixed", 20, ["viterbi"], "format must be one of"),
    ],
)
def test_mistakes_are_explained(form, minutes, chosen, message):
    with pytest.raises(ValueError, match=message):
        papers.paper(form, minutes, 0, chosen, FOLDER)


def test_the_scheme_lists_common_wrong_answers():
    drill = draw("gaussian-mle", 1)
    asked = papers.long_question(drill)
    assert asked.scheme.startswith(drill.solution)
    listed = asked.scheme.removeprefix(drill.solution)
    slips = [(field, slip) for field in drill.fields for slip in field.slips]
    assert listed.count("\n- ") == len(slips) >= 4
    assert all(f"- {field.label}: {slip.value:.4g}. {slip.says}" in listed for field, slip in slips)
    assert papers.calculation(drill).scheme == asked.scheme
    assert "Common wrong answers" not in papers.fill_in(drill).scheme  # its one field has none
    assert papers.scheme_of(drill, 1).count("\n- ") == len(drill.fields[1].slips) == 2


def test_wrong_answers_are_written_as_they_are_asked_for():
    table = ask.matrix("a", "", 1, rows="pq", columns="xy", places=1, slips=[ask.slip([[1, 2], [3, 4.26]], "So.")])
    assert table.shown([[1.0, 2.0], [3.0, 4.26]]) == "((1.0, 2.0); (3.0, 4.3))"
    assert ask.choice("a", "", 1, options="AB").shown("B") == "B"
    assert ask.number("a", "", 1, whole=True).shown(12) == "12"


@pytest.mark.parametrize("topic", topics())
def test_a_scheme_says_what_each_mark_is_for(topic):
    drill = draw(topic, 5)
    _, added, table = papers.with_marks(drill).removeprefix(drill.solution).partition("**Marks**")
    worth = [float(row.split("|")[-2]) for row in table.strip().split("\n")[2:]]
    assert drill.marks == (sum(worth) if added else papers.stated_marks(drill.solution))


def test_a_scheme_that_adds_up_is_left_as_it_is():
    assert papers.with_marks(draw("adaboost-rounds", 0)) == draw("adaboost-rounds", 0).solution
    assert "| 1 | points of the curve" in papers.with_marks(draw("roc-auc", 0))

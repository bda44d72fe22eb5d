"""Tests of exam papers: questions of each format, their marks and their mark scheme."""

import re

import pytest

from notes_lib.drills import topics
from tools import paper

FORMATS = list(paper.RULES)
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

:::{admonition} All of them?
:class: quiz-multiple
- [x] Yes

  So it is.
- [x] Also

  Too.
:::

:::{admonition} The sky is blue.
:class: statement-true
:name: svm-true

By day.
:::

:::{admonition} Must know
:class: must-know

No question.
:::
"""


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    (tmp_path / "chapters/part").mkdir(parents=True)
    cells = [{"cell_type": "markdown", "source": SVM.splitlines(keepends=True)}, {"cell_type": "code", "source": SVM}]
    (tmp_path / "chapters/part/svm.ipynb").write_text(paper.json.dumps({"cells": cells}), encoding="utf-8")
    monkeypatch.setattr(paper, "ROOT", tmp_path)
    return "part/svm"


def test_quizzes_and_statements_are_read_from_a_chapter(chapter):
    right = paper.Option("Right one", True, "Because of `svm-dual` and more.")
    assert list(paper.quizzes(chapter, "quiz")) == [
        ("A $x$ question?", [right, paper.Option("Wrong one", False, "Not so.")])
    ]
    assert [title for title, _ in paper.quizzes(chapter, "quiz-multiple")] == ["All of them?"]
    assert paper.statements(chapter) == [paper.Option("The sky is blue.", True, "By day.")]


def test_every_quiz_of_the_book_is_read():
    for stem in sorted({paper.chapter(topic) for topic in topics()}):
        source = (paper.ROOT / "chapters" / f"{stem}.ipynb").read_text(encoding="utf-8")
        for kind in ("quiz", "quiz-multiple"):
            found = list(paper.quizzes(stem, kind))
            assert len(found) == source.count(f'":class: {kind}\\n"') > 0, stem
            for _, options in found:
                assert len(options) > 1
                assert all(option.text and option.reason for option in options)
                assert sum(option.right for option in options) == 1 or kind == "quiz-multiple"
        said = paper.statements(stem)
        assert len(said) == len(re.findall(r'":class: statement-(true|false)\\n"', source)) > 0
        assert 0 < sum(option.right for option in said) < len(said)


@pytest.mark.parametrize("form", FORMATS)
def test_a_paper_and_its_scheme_have_the_same_questions_and_marks(form):
    asked = paper.questions(form, 60, 3, topics())
    text, scheme = paper.paper(form, 60, 3, topics())
    heads = re.findall(r"^## .* \(([\d.]+) marks\)$", text, re.M)
    assert heads == re.findall(r"^## .* \(([\d.]+) marks\)$", scheme, re.M)
    assert len(heads) == len(asked) > 3
    assert f"60 minutes, {sum(map(float, heads)):g} marks. {paper.RULES[form]}" in text
    assert all(question.text in text and question.scheme in scheme for question in asked)
    assert not any(question.scheme in text for question in asked)
    assert paper.paper(form, 60, 3, topics()) == (text, scheme)
    assert paper.questions(form, 60, 4, topics()) != asked


@pytest.mark.parametrize("form", ["choice", "answers"])
def test_the_scheme_names_the_right_options(form):
    kind = "quiz" if form == "choice" else "quiz-multiple"
    stems = sorted({paper.chapter(topic) for topic in topics()})
    known = {
        (title, o.text): o.right for stem in stems for title, options in paper.quizzes(stem, kind) for o in options
    }
    title = "Which of these statements are true?"
    known |= {(title, o.text): o.right for stem in stems for o in paper.statements(stem)}
    orders = set()
    for question in paper.questions(form, 3000, 3, topics()):
        asked, _, options = question.text.partition("\n\n")
        options = dict(re.findall(r"^- \*\*([A-H])\*\* ☐ (.*)$", options, re.M))
        right = [letter for letter, text in options.items() if known[asked, text]]
        assert question.scheme.startswith(f"Right: **{', '.join(right) or 'none'}**\n")
        reasons = dict(re.findall(r"^- \*\*([A-H])\*\* (right|wrong): ", question.scheme, re.M))
        assert reasons == {letter: "right" if letter in right else "wrong" for letter in options}
        assert question.marks == (3 if form == "choice" else len(options))
        orders.add(right[0] if right else "")
    assert {"A", "B", "C", "D"} <= orders  # the options are mixed


def test_a_calculation_has_a_box_for_each_field():
    (question,) = paper.questions("calculations", 12, 3, ["viterbi"])
    rows = re.findall(r"^\| (\d) \| (.*) \|  \| (\S+) \|$", question.text, re.M)
    assert [(int(part), float(worth)) for part, _, worth in rows] == [(1, 5), (1, 2), (2, 2), (3, 1)]
    assert rows[0][1] == "table of $\\delta_t(k)$ *(four digits or exact)*"
    space = "\u2003" * 12  # to write in
    assert f">your answer{space}</th>" in paper.webpage(question.text, "x")


def test_choices_are_of_the_chapters_of_the_topics():
    assert {q.title for q in paper.questions("choice", 60, 0, ["viterbi", "svm-dual"])} == {"hmm", "svm"}


def test_the_command_line_writes_pages(tmp_path, capsys):
    assert paper.main(["--minutes", "12", "--topics", "viterbi", "--no-pdf", "--out", str(tmp_path)]) == 0
    pages = capsys.readouterr().out.split()
    assert pages == [str(tmp_path / f"paper-long-0{end}.html") for end in ("", "-marks")]
    texts = [(tmp_path / f"paper-long-0{end}.html").read_text(encoding="utf-8") for end in ("", "-marks")]
    assert "<title>Paper 0</title>" in texts[0]
    assert "<title>Paper 0: mark scheme</title>" in texts[1]
    assert "Find" in texts[0]
    assert "<strong>Path</strong>" in texts[1]
    assert "<strong>Path</strong>" not in texts[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--topics", "viterby"], "did you mean viterbi"),
        (["--topics", "viterby", "--format", "choice"], "did you mean viterbi"),
        (["--topics", ",", "--format", "answers"], "topics must name at least one topic"),
        (["--minutes", "2", "--format", "choice"], "minutes must be at least 3"),
        (["--minutes", "2"], "minutes must be at least"),
    ],
)
def test_mistakes_are_explained(words, message, capsys):
    assert paper.main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.browser
def test_pages_are_printed(tmp_path):
    page = paper.write(tmp_path, "tiny", "# Tiny\n\n$x^2$")
    (pdf,) = paper.printed([page])
    assert pdf == tmp_path / "tiny.pdf"
    assert pdf.read_bytes().startswith(b"%PDF")

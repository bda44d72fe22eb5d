"""Tests of _ext/lab_boxes.py: boxes written as admonitions."""

import pytest

KMEANS = "chapters/clustering/kmeans"
EXTENSIONS = ["katex_math", "chapter_role", "exam_cards", "quiz", "lab_boxes"]

PAGE = """# k-means

:::{admonition} You will be able to
:class: objectives
- state
:::

:::{admonition} The *objective*
:class: must-know
:name: kmeans-must-know-objective
Sum of squares.
:::

:::{admonition} Which?
:class: quiz
:name: kmeans-quiz-1
- [x] this

  Why.
- [ ] that

  Why not.
:::

:::{admonition} Which two?
:class: quiz-multiple
:name: kmeans-quiz-2
- [x] this

  Why.
- [x] that

  Why too.
:::

:::{admonition} It rises.
:class: statement-false
:name: kmeans-tf-1
It falls.
:::

:::{admonition} It falls.
:class: statement-true
:name: kmeans-tf-2
It does.
:::

:::{admonition} What you need
:class: needs
- calculus
:::

:::{admonition} Sums
:class: must-know recognise
:name: kmeans-must-know-sums
Add.
:::

:::{admonition} A word
:class: note dropdown
Patience.
:::
"""


@pytest.fixture(scope="module")
def page(shared_book):
    book = shared_book(EXTENSIONS)
    book.write("tests/clustering/test_kmeans.py", "")
    book.notebook(f"{KMEANS}.ipynb", PAGE, prerequisites=[], minutes=5, task="unsupervised")
    book.toc(KMEANS)
    book.build()
    assert "WARNING" not in book.warnings, book.warnings
    return book.soup(KMEANS)


def test_each_class_makes_its_box(page):
    assert page.select_one("details.objectives li").get_text() == "state"
    assert page.select_one("details.needs li").get_text() == "calculus"
    assert page.select_one("div.exam-card.must-know#kmeans-must-know-objective em").get_text() == "objective"
    assert len(page.select("div.quiz#kmeans-quiz-1 input[type=radio]")) == 2
    assert len(page.select("div.quiz#kmeans-quiz-2 input[type=checkbox]")) == 2


@pytest.mark.parametrize(("name", "answer"), [("kmeans-tf-1", "false"), ("kmeans-tf-2", "true")])
def test_the_class_of_a_statement_is_its_answer(page, name, answer):
    item = page.select_one(f"div.quiz-true-false#{name}")
    assert item.select_one("input.right")["id"] == f"{name}-{answer}"


def test_other_admonitions_stay_admonitions(page):
    plain = page.select("div.admonition")
    assert [box.select_one("p.admonition-title").get_text() for box in plain] == ["A word"]


def test_a_card_of_the_second_tier_says_so(page):
    kinds = [kind.get_text() for kind in page.select(".exam-card.must-know .exam-card-kind")]
    assert kinds == ["Must know", "Recognise"]
    assert page.select_one("div.exam-card.must-know.recognise#kmeans-must-know-sums") is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":::{admonition} T\n:class: must-knw\nText.\n:::", "an admonition of the unknown class 'must-knw'"),
        (":::{admonition} T\n:class: note must-knw\nText.\n:::", "an admonition of the unknown class 'must-knw'"),
        (":::{admonition} T\n:class: must-know recognize\n:name: a-b\nT.\n:::", "knows no class 'recognize'"),
        (":::{admonition} T\n:class: lost-marks recognise\n:name: a-b\nT.\n:::", "knows no class 'recognise'"),
        (":::{admonition} T\n:class: must-know\nText.\n:::", "must-know needs a :label: of its own (:name: of an"),
        (":::{admonition} T\n:class: must-know\n:name: a-b\n:::", "the must-know card 'T' is empty"),
    ],
)
def test_mistakes_are_warnings(new_book, text, message):
    book = new_book(EXTENSIONS)
    book.write("page.md", f"# Page\n\n{text}\n")
    book.toc("page")
    book.build()
    assert message in book.warnings

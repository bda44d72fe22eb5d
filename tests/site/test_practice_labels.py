"""Titles of exercises with their labels, solutions by their name, answers by what they are."""

import pytest

EXTENSIONS = ["sphinx_exercise", "sphinx_togglebutton", "katex_math", "practice_labels", "theme_repairs", "code_view"]
PAGE = """# Page

:::{exercise} Two coins, 7 marks, 10 minutes, first
:label: page-ex-coins
Body.
:::

:::{solution} page-ex-coins
:class: dropdown
It is so.
:::

:::{exercise} The sum of $a$ (twice), 1 mark, 2 minutes, then
:label: page-ex-sum
Body.
:::

:::{exercise} Without facts
:label: page-ex-plain
Body.
:::

:::{exercise} Of $b$, 3 marks, 4 minutes
:label: page-ex-bare
Body.
:::
"""


def cell(notebook_code, source, *tags):
    made = notebook_code(source, "shown\n")
    made["metadata"]["tags"] = list(tags)
    return made


@pytest.fixture(scope="module")
def page(shared_book, notebook_code):
    book = shared_book(EXTENSIONS, ["page"], nb_code_prompt_show="Show {type}", nb_code_prompt_hide="Hide {type}")
    for name in ("practice_labels.css", "code_view.css", "code_view.js"):
        book.write(f"static/{name}", "")
    answer = "hand = draw()\nMarkdown(hand.solution)"
    cells = [
        cell(notebook_code, answer, "hide-cell"),
        cell(notebook_code, answer, "hide-input", "hide-output"),
        cell(notebook_code, "print(1)", "hide-cell"),
    ]
    book.notebook("page.ipynb", PAGE, *cells)
    assert not book.build().warnings
    found = book.soup("page")
    for formula in found.select(".katex"):
        formula.string = formula.select_one("annotation").get_text()
    return found


def test_marks_minutes_and_route_are_labels_behind_the_title(page, text_of):
    titles = [text_of(title) for title in page.select(".exercise > .admonition-title")]
    assert titles == [
        "Exercise 1 Two coins 7 marks · 10 min · do it first",
        "Exercise 2 The sum of a (twice) 1 mark · 2 min · then this",
        "Exercise 3 (Without facts)",
        "Exercise 4 Of b 3 marks · 4 min",
    ]
    first = page.select_one(".exercise-facts .exercise-first")
    assert first["title"] == "It belongs to the two hours of the chapter."


def test_a_solution_is_called_solution(page, text_of):
    assert [text_of(title) for title in page.select(".solution > .admonition-title")] == ["Solution"]


def test_the_fold_of_an_answer_says_what_it_is(page, text_of):
    shown = [text_of(fold) for fold in page.select("details summary .collapsed")]
    assert shown == ["Show the full-marks answer", "Show the full-marks answer", "Show content"]
    hidden = [text_of(fold) for fold in page.select("details summary .expanded")]
    assert hidden == ["Hide the full-marks answer", "Hide the full-marks answer", "Hide content"]
    assert text_of(page.select_one("details.code-fold > summary")) == "Code"

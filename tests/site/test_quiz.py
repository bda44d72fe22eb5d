"""Questions that tell right from wrong."""

import re

import pytest

PAGE = "chapters/clustering/kmeans"


def test_options_are_native_buttons_with_labels(good_book, text_of):
    item = good_book.soup(PAGE).select_one("div.quiz.quiz-choice#kmeans-quiz-1")
    group = item.select_one('[role="radiogroup"]')
    question = item.find(id=group["aria-labelledby"])
    assert text_of(question).endswith("is right? More of the question.")
    buttons = group.select("input[type=radio]")
    assert [button["id"] for button in buttons] == ["kmeans-quiz-1-a", "kmeans-quiz-1-b"]
    assert {button["name"] for button in buttons} == {"kmeans-quiz-1"}
    assert [label["for"] for label in group.select("label")] == [button["id"] for button in buttons]
    assert group.select_one("label .katex") is not None
    assert group.select_one("label em").get_text() == "right"


def test_feedback_follows_its_button(good_book, text_of):
    """The style sheet can show it by ``:checked ~`` only if they are siblings in this order."""
    options = good_book.soup(PAGE).select("#kmeans-quiz-1 .quiz-option")
    found = [
        (option.select_one("input ~ .quiz-feedback")["class"][1], text_of(option.select_one(".quiz-feedback")))
        for option in options
    ]
    assert found == [("wrong", "(a) Wrong. Why it is wrong."), ("right", "(b) Right. Why it is right.")]
    assert not re.search(r"\[[ x]\]", good_book.soup(PAGE).select_one("#kmeans-quiz-1").get_text())


def test_several_right_options_are_check_boxes(good_book):
    item = good_book.soup(PAGE).select_one("#kmeans-quiz-2")
    assert len(item.select('[role="group"] input[type=checkbox]')) == 2


def test_true_false(good_book, text_of):
    group = good_book.soup(PAGE).select_one("#kmeans-tf-1 [role=radiogroup]")
    assert {button["id"]: button["class"][1] for button in group.select("input")} == {
        "kmeans-tf-1-true": "wrong",
        "kmeans-tf-1-false": "right",
    }
    feedback = group.select_one("input ~ input ~ .quiz-feedback")
    assert text_of(feedback) == "Right. Wrong. The statement is false. Each step lowers it."


MARKED = """# Page

:::{quiz} Which?
:label: capital
* [X] right

  Why.
* [ ] wrong

  Why not.
:::

:::{quiz} Which ones?
:label: several
:multiple:
+ [ ] wrong

  Why not.
+ [x] right

  Why.
:::

:::{true-false} It falls.
:label: true-one
:answer: true
It does.
:::
"""


@pytest.fixture
def marked(new_book):
    book = new_book(pages=["page"])
    book.write("page.md", MARKED)
    book.build()
    assert not book.warnings
    return book.soup("page")


def test_a_capital_mark_is_right_as_well(marked, text_of):
    options = marked.select("#capital .quiz-feedback, #several .quiz-feedback")
    assert [(option["class"][1], text_of(option)) for option in options] == [
        ("right", "(a) Right. Why."),
        ("wrong", "(b) Wrong. Why not."),
        ("wrong", "(a) Wrong. Why not."),
        ("right", "(b) Right. Why."),
    ]
    assert not re.search(r"\[[ xX]\]", marked.get_text())


def test_a_true_statement_is_said_to_be_true(marked, text_of):
    item = marked.select_one("#true-one")
    assert {button["id"]: button["class"][1] for button in item.select("input")} == {
        "true-one-true": "right",
        "true-one-false": "wrong",
    }
    assert text_of(item.select_one(".quiz-feedback")) == "Right. Wrong. The statement is true. It does."


def test_every_label_names_its_own_button_and_nothing_is_filled_in(marked):
    for item in marked.select(".quiz"):
        buttons = item.select("input")
        assert [label["for"] for label in item.select("label")] == [button["id"] for button in buttons]
        assert {button["name"] for button in buttons} == {item["id"]}
        assert {button["autocomplete"] for button in buttons} == {"off"}


def test_script_only_where_it_is_needed(good_book):
    assert good_book.soup(PAGE).select_one('script[src*="quiz.js"]') is not None
    assert good_book.soup("intro").select_one('script[src*="quiz.js"]') is None


def test_plain_text_and_latex(good_book):
    page = good_book.build("text").page(PAGE, "text")
    assert "input" not in page
    for line in ("(a) wrong", "(b) *right* option", "(b) Right.", "The statement is false.", "Why it is right."):
        assert line in page
    good_book.build("latex")
    latex = next((good_book.root / "out/latex").glob("*.tex")).read_text(encoding="utf-8")
    assert "Why it is right." in latex
    assert "quiz-input" not in latex


BROKEN = {
    "no-mark": ("quiz", "- [x] a\n\n  A.\n- b\n\n  B.", "all begin with [x] or [ ]"),
    "no-list": ("quiz", "Only text.", "all begin with [x] or [ ]"),
    "one-option": ("quiz", "- [x] a\n\n  A.", "at least two options"),
    "none-right": ("quiz", "- [ ] a\n\n  A.\n- [ ] b\n\n  B.", "0 options are marked right"),
    "two-right": ("quiz", "- [x] a\n\n  A.\n- [x] b\n\n  B.", "2 options are marked right"),
    "none-of-many": ("quiz", ":multiple:\n\n- [ ] a\n\n  A.\n- [ ] b\n\n  B.", "no option is marked right"),
    "unexplained": ("quiz", "- [x] a\n\n  A.\n- [ ] b", "option (b) has no explanation"),
    "no-answer": ("true-false", "Reason.", "needs an :answer: true or false"),
    "no-reason": ("true-false", ":answer: true", "needs a reason"),
    "bad-answer": ("true-false", ":answer: maybe\n\nReason.", "maybe"),
}


def test_warnings(new_book):
    book = new_book(pages=["page"])
    items = [f":::{{{name}}} Q?\n:label: {label}\n{body}\n:::" for label, (name, body, _) in BROKEN.items()]
    book.write("page.md", "# Page\n\n" + "\n\n".join([*items, ":::{true-false} S.\n:answer: true\nR.\n:::", items[0]]))
    book.build()
    missing = [warning for _, _, warning in BROKEN.values() if warning not in book.warnings]
    assert missing == []
    assert "true-false needs a :label: of its own" in book.warnings
    assert "label 'no-mark' of quiz is already used" in book.warnings

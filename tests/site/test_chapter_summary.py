"""What other pages say of a chapter."""

import doctest
import re

import chapter_summary
import pytest
from chapter_summary import Route, route

from tests.site.test_exam_corner import CHAPTERS
from tests.site.test_pages import prose

EXTENSIONS = ("katex_math", "quiz", "chapter_summary")
QUESTIONS = """
:::{quiz} Which?
:label: kmeans-quiz
- [x] this

  Why.
- [ ] that

  Why not.
:::

:::{true-false} It stops.
:label: kmeans-tf
:answer: true
Finitely many.
:::
"""
ROUTE = (
    "**If you have two hours**, read (15 minutes), work through {ref}`part-7` (20 minutes), solve (30) and answer "
    "(10): 75 minutes. The rest is for 3 others."
)


@pytest.fixture
def summary(new_book, notebook_code):
    """The summary of a chapter with a text."""

    def make(text):
        book = new_book(EXTENSIONS, ["chapters/clustering/kmeans", "other"])
        book.notebook("chapters/clustering/kmeans.ipynb", text)
        book.write("other.md", "# Other\n\n(part-7)=\n## Part\n")
        book.build()
        assert book.warnings == ""
        return chapter_summary.summary(book.app.env, "chapters/clustering/kmeans")

    return make


def test_question_questions_and_route(summary):
    found = summary(f"(kmeans)=\n# k-means\n\n**How many groups are $K$?**\n\nText.\n{QUESTIONS}\n{ROUTE}\n")
    assert found.question.astext() == "How many groups are K?"
    assert found.question.document is None  # the page is not in the saved environment
    assert found.quiz == ["kmeans-quiz", "kmeans-tf"]
    assert found.route == Route(15, 20, 30, 10)
    assert found.picture == ""


def test_the_question_may_go_on_in_its_paragraph(summary):
    assert summary("# k-means\n\n**Which?** Three sentences follow.\n").question.astext() == "Which?"


def test_a_message_of_docutils_before_it_is_no_paragraph(summary):
    """A label that is the title again makes one; it is taken out after the page is read."""
    assert summary("(k-means)=\n# k-means\n\n**Which?**\n").question.astext() == "Which?"


@pytest.mark.parametrize("text", ["Plain first. **Bold**\n", ":::{note}\n**Bold**\n:::\n", ""])
def test_a_chapter_that_opens_otherwise_has_no_question(summary, text):
    found = summary(f"# k-means\n\n{text}")
    assert (found.question, found.quiz, found.route) == (None, [], None)


def test_pages_that_are_no_chapters_have_no_summary(summary):
    summary("# k-means\n")
    assert doctest.testmod(chapter_summary).failed == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("If you have two hours, 15, 39, 35, 10: 99. The rest 7", Route(15, 39, 35, 10, 0)),
        ("If you have two hours after reading, 12, 39, 20, 11, 20: 102. The rest 7", Route(12, 39, 20, 11, 20)),
        ("If you have two hours, 15, 39, 35, 10: 98. The rest", None),
        ("If you have two hours, 49, 50: 99. The rest", None),
        ("If you have two hours. The rest", None),
    ],
)
def test_a_route_adds_up(text, found):
    assert route(text) == found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_chapter_opens_with_its_question(chapter):
    assert re.match(r"(?:\([\w-]+\)=\n)+# .+\n\n\*\*[^*]+\?\*\*\s", prose(f"chapters/{chapter}"))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_route_of_every_chapter_is_read(chapter):
    (text,) = re.findall(r"^\*\*If you have two hours\*\*.*?The rest", prose(f"chapters/{chapter}"), re.M | re.S)
    assert route(re.sub(r"\{\w+\}`[^`]*`", "", text))

"""The exam corner of every chapter: practice first, exercises with minutes and priority, a route of two hours."""

import re

import pytest

from notes_lib.drills import by_chapter, draw
from tests.site.test_pages import pages, planned, prose

CHAPTERS = [chapter for stem, part in planned().items() if f"chapters/{(chapter := f'{part}/{stem}')}" in pages()]
SECTIONS = [
    "Must know", "By hand", "Exercises", "Lost marks", "Do not confuse", "What changes if", "Conventions", "Quiz",
]  # fmt: skip
EXERCISE = re.compile(r"^:+\{exercise\} (?P<title>.*)$", re.M)
TITLE = re.compile(r".+, (?P<marks>\d+) marks, (?P<minutes>\d+) minutes, (?P<priority>first|then)")
ROUTE = re.compile(r"\*\*If you have two hours\*\*, (.*?)\. The rest", re.S)
READING, QUIZ, LONGEST = 15, 10, 120  # minutes for the cards and for the quiz, and of the whole route


def corner(chapter):
    """The Markdown of a chapter, such as kernels/svm, from *Exam corner* to *Summary*."""
    return prose(f"chapters/{chapter}").partition("## Exam corner\n")[2].partition("## Summary\n")[0]


def test_every_written_chapter_is_looked_at():
    assert {"kernels/svm", "foundations/inference"} <= set(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_practice_stands_before_mistakes(chapter):
    assert re.findall(r"^### (.+)$", corner(chapter), re.M) == SECTIONS


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_exercises_have_marks_minutes_and_priority(chapter):
    titles = EXERCISE.findall(corner(chapter))
    assert len(titles) >= 5
    for title in titles:
        assert TITLE.fullmatch(title), title


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_route_of_two_hours_adds_up(chapter):
    drills = [draw(topic, 0).minutes for topic in by_chapter().get(chapter, [])]
    known = [TITLE.fullmatch(title) for title in EXERCISE.findall(corner(chapter))]
    first = [int(title["minutes"]) for title in known if title and title["priority"] == "first"]
    assert 2 <= len(first) < len(known)
    whole = READING + sum(drills) + sum(first) + QUIZ
    (route,) = ROUTE.findall(corner(chapter))
    assert [int(word) for word in re.findall(r"\d+", route)] == [READING, sum(drills), sum(first), QUIZ, whole]
    assert whole <= LONGEST

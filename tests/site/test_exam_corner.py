"""The exam corner of every chapter: practice first, exercises with minutes and priority, a route of two hours."""

import json
import re
from pathlib import Path

import pytest

from notes_lib.drills import chapter, draw, topics

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path for path in (ROOT / "chapters").glob("[!.]*/[!.]*.ipynb"))
SECTIONS = [
    "Must know", "By hand", "Exercises", "Lost marks", "Do not confuse", "What changes if", "Conventions", "Quiz",
]  # fmt: skip
EXERCISE = re.compile(r"^:+\{exercise\} (?P<title>.*)$", re.M)
TITLE = re.compile(r".+, (?P<marks>\d+) marks, (?P<minutes>\d+) minutes, (?P<priority>first|then)")
ROUTE = re.compile(r"\*\*If you have two hours\*\*, (.*?)\. The rest", re.S)
READING, QUIZ, LONGEST = 15, 10, 120  # minutes for the cards and for the quiz, and of the whole route


def corner(path):
    """The Markdown of a chapter from *Exam corner* to *Summary*."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return text.partition("## Exam corner\n")[2].partition("## Summary\n")[0]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_practice_stands_before_mistakes(path):
    assert re.findall(r"^### (.+)$", corner(path), re.M) == SECTIONS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_exercises_have_marks_minutes_and_priority(path):
    titles = EXERCISE.findall(corner(path))
    assert len(titles) >= 5
    for title in titles:
        assert TITLE.fullmatch(title), title


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_route_of_two_hours_adds_up(path):
    drills = [draw(topic, 0).minutes for topic in topics() if chapter(topic) == f"{path.parent.name}/{path.stem}"]
    known = [TITLE.fullmatch(title) for title in EXERCISE.findall(corner(path))]
    first = [int(title["minutes"]) for title in known if title and title["priority"] == "first"]
    assert 2 <= len(first) < len(known)
    whole = READING + sum(drills) + sum(first) + QUIZ
    (route,) = ROUTE.findall(corner(path))
    assert [int(word) for word in re.findall(r"\d+", route)] == [READING, sum(drills), sum(first), QUIZ, whole]
    assert whole <= LONGEST

"""The exam corner of every chapter: practice first, exercises with minutes and priority, a route of two hours."""

import itertools
import json
import math
import re

import pytest

from notes_lib.drills import by_chapter, draw
from tests.site.test_pages import ROOT, pages, planned, prose

CHAPTERS = [chapter for stem, part in planned().items() if f"chapters/{(chapter := f'{part}/{stem}')}" in pages()]
SECTIONS = [
    "Must know", "By hand", "Exercises", "Lost marks", "Do not confuse", "What changes if", "Conventions", "Quiz",
]  # fmt: skip
EXERCISE = re.compile(r"^:+\{exercise(?:-start)?\} (?P<title>.*)$", re.M)
START = re.compile(r"^:+\{exercise-start\} (?P<title>.*)\n:label: .*\n:::\s*\Z", re.M)
DRAW = re.compile(r"\bdraw\(\"(?P<topic>[\w-]+)\", (?P<seed>\d+)\)")
TITLE = re.compile(r".+, (?P<marks>\d+) marks, (?P<minutes>\d+) minutes, (?P<priority>first|then)")
ROUTE = re.compile(r"\*\*If you have two hours\*\*(?: after reading)?, (.*?)\. The rest", re.S)
A_CARD, AN_ITEM, MISTAKES, LONGEST = 1.5, 1, 20, 110  # minutes: one card, one question, the lost marks; the whole route
FOLDED = re.compile(  # solutions and asides: nobody sees them before asking
    r"^:::\{solution-start\}.*?^:::\{solution-end\}\n:::$|^:::\{(?:solution|dropdown)\}.*?^:::$", re.M | re.S
)
QUESTION = re.compile(r"^:::\{admonition\} (.*)\n:class: (?:quiz|statement).*\n((?:.*\n)*?):::$", re.M)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.S)
OPTION = re.compile(r"^:(?:class|name|label):.*$", re.M)
WORD = re.compile(r"[A-Za-z][\w'’-]*")


def corner(chapter):
    """The Markdown of a chapter, such as kernels/svm, from *Exam corner* to *Summary*."""
    return prose(f"chapters/{chapter}").partition("## Exam corner\n")[2].partition("## Summary\n")[0]


def words(text):
    """How many words a reader sees in a Markdown text: no formulas, nothing folded, no reason in a quiz."""
    text = FOLDED.sub(" ", text)
    text = QUESTION.sub(lambda m: "\n".join([m[1], *re.findall(r"^- \[.\] .*$", m[2], re.M)]), text)
    return len(WORD.findall(OPTION.sub(" ", FORMULA.sub(" ", text))))


def test_words_are_those_that_a_reader_sees():
    quiz = ":::{admonition} Is $x + y$ even?\n:class: quiz\n:name: q\n- [x] yes\n\n  Because it is.\n- [ ] not\n:::"
    folded = ":::{solution} ex\n:class: dropdown\nHidden words.\n:::"
    assert words(quiz) == len(["Is", "even", "yes", "x", "not"])
    assert words(f"Two words\n{folded}\nand $$\na = b\n$$ more") == len(["Two", "words", "and", "more"])
    assert words(":::{admonition} Cards count\n:class: must-know\n:name: c\nSo does the text.\n:::") == 7


def test_every_written_chapter_is_looked_at():
    assert {"kernels/svm", "foundations/inference"} <= set(CHAPTERS)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_practice_stands_before_mistakes(chapter):
    assert re.findall(r"^### (.+)$", corner(chapter), re.M) == SECTIONS


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_two_thousand_words_or_a_third_at_most_and_six_lost_marks(chapter):
    inside, whole = words(corner(chapter)), words(prose(f"chapters/{chapter}"))
    assert inside <= max(2000, whole / 3), f"{inside} of {whole} words"
    assert 1 <= corner(chapter).count("\n:class: lost-marks\n") <= 6


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_why_opens_a_chapter_and_practice_closes_it(chapter):
    text = prose(f"chapters/{chapter}")
    stem = chapter.partition("/")[2].replace("_", "-")
    marks = [
        rf"^\({stem}-why\)=\n(?:\([\w-]+\)=\n)*## Why", rf"^:::\{{dropdown\}} Notation\n:name: {stem}-notation$",
        rf"^\({stem}-derivation\)=$", rf"^\({stem}-practice\)=\n:::\{{admonition\}} In practice\n:class: note$",
        "^## Exam corner$",
    ]  # fmt: skip
    places = [found.start() for mark in marks if (found := re.search(mark, text, re.M))]
    assert len(places) == len(marks)
    assert places == sorted(places)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_exercises_have_marks_minutes_and_priority(chapter):
    titles = EXERCISE.findall(corner(chapter))
    assert len(titles) >= 5
    for title in titles:
        assert TITLE.fullmatch(title), title


def drill_exercises():
    """Every exercise that is a drill: its chapter, its title and the drill that its code cell draws."""
    for chapter in CHAPTERS:
        cells = json.loads((ROOT / f"chapters/{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        for text, code in itertools.pairwise(sources):
            opened, drawn = START.search(text), DRAW.search(code)
            if opened and drawn:
                yield chapter, opened["title"], draw(drawn["topic"], int(drawn["seed"]))


def test_an_exercise_that_is_a_drill_has_its_marks_and_minutes():
    """It comes second: on the route of two hours each drill is worked once already."""
    known = list(drill_exercises())
    assert known  # few: each drill stands in By hand, and an exercise should ask something else
    for chapter, title, drawn in known:
        said = TITLE.fullmatch(title)
        assert said, (chapter, title)
        assert (int(said["marks"]), int(said["minutes"])) == (drawn.marks, drawn.minutes), (chapter, title)
        assert said["priority"] == "then", (chapter, title)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_route_of_two_hours_adds_up(chapter):
    drills = [draw(topic, 0).minutes for topic in by_chapter().get(chapter, [])]
    known = [TITLE.fullmatch(title) for title in EXERCISE.findall(corner(chapter))]
    first = [int(title["minutes"]) for title in known if title and title["priority"] == "first"]
    assert 2 <= len(first) < len(known)
    cards = corner(chapter).count("\n:class: must-know")
    items = len(QUESTION.findall(corner(chapter)))
    steps = [math.ceil(A_CARD * cards), sum(drills), sum(first), AN_ITEM * items, MISTAKES]
    (route,) = ROUTE.findall(corner(chapter))
    assert [int(word) for word in re.findall(r"\d+", route)] == [*steps, sum(steps)]
    assert sum(steps) <= LONGEST


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_place_of_an_option_does_not_tell_that_it_is_right(chapter):
    """No place is right in more than two thirds of the questions, nor do the right ones always stand first."""
    boxes = [(re.findall(r"^- \[(.)\]", m[2], re.M), m[0]) for m in QUESTION.finditer(corner(chapter))]
    one = [marks.index("x") for marks, box in boxes if ":class: quiz\n" in box]
    several = ["".join(marks) for marks, box in boxes if ":class: quiz-multiple\n" in box]
    assert max(map(one.count, one), default=0) <= 2 * len(one) / 3, one
    assert not several or any(" x" in marks for marks in several), several

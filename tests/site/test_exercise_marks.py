"""Marks of the exercises: those of the parts and those of the solution add up to the marks of the title."""

import itertools
import re

import pytest

from tests.site.test_exam_corner import CHAPTERS, EXERCISE, TITLE, corner, drill_exercises

OPENED = re.compile(rf"{EXERCISE.pattern}\n:label: (?P<label>.*)$", re.M)
WORDS = {"one": 1, "two": 2, "three": 3, "½": 0.5}
A_NOTE = re.compile(r"(?<![\w.])(\d+(?:\.\d)?|one|two|three|½) marks?\b([^.;)]*)", re.I)
# How often "1 mark each" counts in a solution.
TIMES = {
    "bias-variance-ex-effects": 8,
    "bias-variance-ex-knn": 3,
    "cross-validation-ex-review": 3,
    "descent-ex-which": 7,
    "estimation-ex-poisson": 3,
    "exponential-family-ex-which": 5,
    "kernel-methods-ex-mean": 3,
    "kernel-methods-ex-product": 2,
    "linear-algebra-ex-which": 6,
    "model-selection-ex-which": 6,
    "naive-bayes-ex-lagrange": 2,
    "optimization-ex-convex": 6,
    "resampling-ex-tests": 6,
}
DRAWN = {"kernel-methods-ex-gradient"}  # its solution is that of a drill, which the next cell draws
CODE = ("Code: ", "Newton's method in a few lines")  # more minutes for a mark


def exercises():
    """Label, title, statement and solution of every exercise that is no drill: the tests of the drills add those up."""
    drilled = {(chapter, title) for chapter, title, _ in drill_exercises()}
    for chapter in CHAPTERS:
        text = corner(chapter).partition("\n### Lost marks")[0]
        opened = list(OPENED.finditer(text))
        ends = [m.start() for m in opened[1:]] + [None]
        for m, end in zip(opened, ends, strict=True):
            if (chapter, m["title"]) not in drilled:
                statement, _, solution = text[m.end() : end].partition("{solution")
                yield m["label"], TITLE.fullmatch(m["title"]), statement, solution


KNOWN = {label: rest for label, *rest in exercises()}


def marks(text, times):
    """The marks that a text gives, one after the other; "(2 marks for this, 1 for that)" gives two."""
    for number, more in A_NOTE.findall(text):
        value = float(WORDS.get(number.lower(), 0) or number)
        each = re.search(r"^(?: for)? each\b", more)
        yield value * (times if each else 1)
        yield from map(float, re.findall(r", (\d) for", more))


def test_notes_on_marks_are_read():
    assert list(marks("So (2 marks). One mark each: (a) yes.", 3)) == [2, 3]
    assert list(marks("(2 marks for the sum, 1 for its sign), (½ mark), (3 marks, half a mark each)", 1)) == [
        2,
        1,
        0.5,
        3,
    ]


def added_up(label, statement, solution):
    """Sums of the marks of the parts and of the answers, one after the other."""
    letters = len(set(re.findall(r"\(([a-h])\)", statement)))
    asked = itertools.accumulate(marks(statement, letters))
    return list(asked), list(itertools.accumulate(marks(solution, TIMES.get(label, 1))))


def marks_agree(label, whole, statement, solution):
    """Whether the marks of the parts and those of the answers add up to the whole, part by part."""
    asked, given = added_up(label, statement, solution)
    return (
        (given or label in DRAWN)
        and given[-1:] in ([], [whole])
        and asked[-1:] in ([], [whole])
        and (not given or set(asked) <= set(given))
    )


@pytest.mark.parametrize("label", KNOWN)
def test_marks_add_up(label):
    title, statement, solution = KNOWN[label]
    assert marks_agree(label, int(title["marks"]), statement, solution), added_up(label, statement, solution)


def test_every_list_is_needed():
    assert set(TIMES) <= {label for label, (_, _, solution) in KNOWN.items() if re.search(r"\beach\b", solution)}
    assert set(KNOWN) >= DRAWN


@pytest.mark.parametrize("label", KNOWN)
def test_a_mark_takes_one_to_two_minutes(label):
    """With code three, because a program must run."""
    title, *_ = KNOWN[label]
    ratio = int(title["minutes"]) / int(title["marks"])
    assert 1 <= ratio <= (3 if title[0].startswith(CODE) else 2)

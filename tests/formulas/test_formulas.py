"""The formulas of the book are executed: each labelled one, and each one of a *must know* card.

A chapter has a file in ``instances`` as soon as its symbols have been given values. Each of its formulas is true on all
instances, or stands in the file's table ``UNREAD`` with its reason; in part read, it counts for that part.
"""

from functools import cache

import pytest

from tests.formulas.chapters import FOLDER, STEMS, Chapter
from tests.formulas.execute import FALSE, TRUE, UNREAD, on_all

CHAPTERS = pytest.mark.parametrize("stem", STEMS)


@cache
def results(stem):
    """What becomes of every formula of a chapter."""
    chapter = Chapter.of(stem)
    return {key: on_all(formula, chapter.instances, key) for key, formula in chapter.formulas.items()}


@CHAPTERS
def test_every_formula_is_true_or_listed_as_unread(stem):
    chapter, faults = Chapter.of(stem), []
    for key, statements in results(stem).items():
        kinds = {statement.status for statement in statements}
        listed = "unread" if key in chapter.unread else "a condition" if key in chapter.conditions else ""
        wrong = {"": {FALSE, UNREAD}, "unread": {FALSE}, "a condition": set()}[listed]
        faults += [f"{key}: {statement}" for statement in statements if statement.status in wrong]
        if kinds <= {TRUE}:
            faults += [f"{key} is listed as {listed}, but it is true: take it from the list"] if listed else []
        if not statements:
            faults.append(f"{key}: no statement")
    assert not faults, "\n".join(faults)


@CHAPTERS
def test_most_formulas_are_read(stem):
    parts = {True: [], False: []}
    for key, statements in results(stem).items():
        if key in Chapter.of(stem).conditions:
            continue
        parts[":" in key].append(sum(s.status == TRUE for s in statements) / len(statements))
    for least, shares in zip(Chapter.of(stem).least, (parts[False], parts[True]), strict=True):
        percent = 100 * sum(shares) / len(shares)
        assert percent >= least, f"{percent:.1f} % are read"
        assert percent < least + 1, f"{percent:.1f} % are read: raise the threshold of {least} %"


@CHAPTERS
def test_nothing_is_said_about_a_formula_that_is_gone(stem):
    chapter = Chapter.of(stem)
    known = {*chapter.formulas, *(key.partition(":")[0] for key in chapter.formulas)}
    said = {*chapter.unread, *chapter.copied, *chapter.conditions}.union(*(i.keys() for i in chapter.instances))
    assert said <= known, f"gone: {sorted(said - known)}"


@CHAPTERS
def test_instances_do_not_lean_on_each_other(stem):
    text = next(FOLDER.glob(f"*/{stem}.py")).read_text(encoding="utf-8")
    assert "formulas.instances" not in text


def test_a_chapter_that_is_none():
    with pytest.raises(ValueError, match=r"no formulas of 'svn' are executed; there is .*perceptron"):
        Chapter.of("svn")


@pytest.mark.parametrize(
    ("stem", "key", "right", "slip"),
    [
        ("perceptron", "perceptron-novikoff", "R^2", "R"),
        ("perceptron", "perceptron-must-know-update:3", r"\le0", "<0"),
        ("perceptron", "perceptron-must-know-criterion:1", r"\nabla J_p=-", r"\nabla J_p="),
        ("adaboost", "adaboost-must-know-weights:2", r"2\varepsilon_t", r"2(1-\varepsilon_t)"),
        ("adaboost", "adaboost-must-know-weights:3", r"2(1-\varepsilon_t)", r"2\varepsilon_t"),
        (
            "logistic_regression",
            "logistic-regression-must-know-model:5",
            r"\frac{\tau}{1-\tau}",
            r"\frac{1-\tau}{\tau}",
        ),
        ("svm", "svm-clip", r"C - \alpha_i & y_i = 1", r"\alpha_i & y_i = 1"),
        ("evaluation", "evaluation-must-know-rates:1", r"\mathrm{FN})", r"\mathrm{FP})"),
    ],
)
def test_slips_that_may_be_planted_are_found(stem, key, right, slip):
    chapter = Chapter.of(stem)
    assert right in chapter.formulas[key]
    found = on_all(chapter.formulas[key].replace(right, slip), chapter.instances, key)
    assert FALSE in [statement.status for statement in found]

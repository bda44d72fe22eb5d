"""Exercises and cards are executed: every number of a task and its solution is accounted for by a ledger.

Every chapter has a file in its part's folder. A piece that says a number has a ledger there.
"""

import pytest

from tests.formulas.values import At
from tests.solutions.chapters import STEMS, ledgers
from tests.solutions.ledger import Worked, faults
from tests.solutions.reading import items, pieces, says_a_number
from tools.mutate.solutions import try_solutions
from tools.reading import chapters

CHAPTERS = pytest.mark.parametrize("stem", STEMS)
UNREAD = 8  # statements of all chapters that are not executed; the number only shrinks
SLIPS = 60  # that are tried in each chapter


def of(stem):
    """The pieces of a chapter that have to be accounted for; must-know cards are executed as formulas."""
    return {label: piece for label, piece in pieces(f"{STEMS[stem]}/{stem}").items() if piece.kind != "must-know"}


def test_every_chapter_has_its_ledgers():
    assert {path.stem: path.parent.name for path in chapters([])} == STEMS


@CHAPTERS
def test_every_number_is_accounted_for(stem):
    known, found = ledgers(stem), pieces(f"{STEMS[stem]}/{stem}")
    assert set(known) <= set(found), f"gone: {set(known) - set(found)}"
    labels = {*known, *of(stem)}
    assert {label: wrong for label in labels if (wrong := faults(found[label].text, known.get(label, Worked())))} == {}


@CHAPTERS
def test_nine_in_ten_slips_are_noticed(stem):
    tally = try_solutions(stem, SLIPS, 0)
    assert tally.tried == SLIPS
    assert tally.share >= 0.9, tally.survivors


def test_the_list_of_what_is_not_executed_only_shrinks():
    unread = [(text, reason) for stem in STEMS for one in ledgers(stem).values() for text, reason in one.unread.items()]
    assert all(reason for _, reason in unread)
    assert len(unread) == UNREAD


def test_slips_of_a_chapter_that_is_none():
    with pytest.raises(ValueError, match=r"no exercises of 'svn' are executed; there is .*perceptron"):
        try_solutions("svn", 1, 0)


@pytest.mark.parametrize(
    ("text", "ledger"),
    [
        ("Solve $2x = 3$ (2 marks) for $x = 1.5$; see {eq}`a-1` and `x[0]`.", Worked({"x": 1.5})),
        ("Points $(1, 3)$, $(0, 4)$ and 5 more, half of 1,200.", Worked(numbers=[[[1, 3], [0, 4]], 5, 0.5, 1200])),
        ("$\\sqrt 2 = 1.414 < 2$", Worked(numbers=[2], known=[2**0.5])),
        ("$x_n^2 \\le 9$ and $\\sum_n x_n = 3$", Worked({"n": range(1, 3), "x_#": [1, 2]}, numbers=[1, 4, 9])),
        ("First $x = 1$, then $x = 4$.", Worked({"x": 1}, worlds=[{"x": 4}])),
        ("$x > 0$ but $x < 0$", Worked({"x": 1}, own={"x < 0": {"x": -1}}, numbers=[0, 0])),
        ("$N = 250\\,000 = 500 \\cdot 500$", Worked({"N": 250_000}, known=[500])),
        ("$2 \\pm 0.5 = [1.5, 2.5]$, $(\\pm 1, 3)$", Worked(numbers=[-1, 3, 1, 3])),
        ("$x = \\pm 2$", Worked({"x": -2})),
        ("$(1 + 1/N)^N \\to e = 2.718$", Worked({"N": 1e6}, known=[2.71828])),
        ("$w_n \\propto 2 n$, $w_n \\in \\{1, 2\\}$", Worked({"n": range(1, 3), "w_#": [1, 2]}, numbers=[1, 2])),
        ("$w \\leftarrow w - 1$", Worked({"w": 3, r"w\leftarrow": 2})),
        ("$\\min 3 x$", Worked({"x": 2}, numbers=[6])),
        ("$x = 0$, and $2^{-250} = 5.53 \\cdot 10^{-76}$", Worked({"x": 1e-12}, known=[5.53, 250])),
        ("$f(2) = 4$, $\\binom52 = 10$", Worked({"f": At(lambda x: x * x)})),
        ("$I = \\{1, 3\\}$", Worked({"I": frozenset([1.0, 3.0])})),
        ("$\\mathbf{W} \\ge 0$", Worked({r"\mathbf{W}": [[1, 0], [2, 3]]}, numbers=[0])),
        ("$i = j$ and $0/0$", Worked({"i": 1, "j": 2}, unread={"0/0": "undefined"})),
    ],
)
def test_what_is_accounted_for(text, ledger):
    assert faults(text, ledger) == []


@pytest.mark.parametrize(
    ("text", "ledger", "why"),
    [
        ("Solve $2x = 4$.", Worked({"x": 1.5}), "does not hold"),
        ("Solve $2x = 4$.", Worked(), "no meaning of x"),
        ("Points $(1, 3)$.", Worked(numbers=[1, 4]), "is due"),
        ("Points $(1, 3)$.", Worked(numbers=[1, 3, 4]), "1 numbers are left"),
        ("Points $(1, 3)$.", Worked(numbers=[1]), "is due"),
        ("It is twice as long.", Worked(numbers=[0.5]), "is due"),
        ("$\\sqrt 2 = 1.414$", Worked(), "no known value"),
        ("$1 = 1$", Worked(unread={"0/0": "undefined"}), "not there any more"),
        ("$1 = 1$", Worked(own={"x = 1": {"x": 1}}), "not there any more"),
        ("$f = 1$", Worked({"f": [1, 2]}), "does not hold"),
        ("$2^{-250} = 5.53 \\cdot 10^{-77}$", Worked(known=[5.53, 250]), "does not hold"),
        ("$\\mathbf{W} \\ge 0$", Worked({r"\mathbf{W}": [[1, 0], [-2, 3]]}, numbers=[0]), "does not hold"),
        ("$x = \\frac10$", Worked({"x": 1}), "division"),
    ],
)
def test_what_is_not(text, ledger, why):
    found = faults(text, ledger)
    assert len(found) == 1
    assert why in found[0]


def test_a_formula_without_a_number_may_be_a_condition():
    (item,) = items("If $i = j$.")
    assert not says_a_number(item.statement)

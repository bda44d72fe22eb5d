"""Mistakes planted in what the pages compute and in the marks of exercises: nine in ten turn a check red."""

import random
import re
from functools import cache
from itertools import pairwise

import pytest

from tests.drills.arithmetic import chains, formulas
from tests.site.test_exercise_marks import KNOWN, marks_agree
from tests.site.test_pages import pages, prose
from tests.site.test_printed_sums import UNREAD
from tests.sums import pieces, plain, sums

EACH = 3  # mistakes of each kind on a page
GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
SPOTS = {
    "digit": r"(?<![_\d])\d|(?<=[\d.])\d",
    "sign": r"(?<=[\w)} ])[+-](?=[\w(\\ ])(?![^{]*\})",  # no index
    "fraction": rf"\\([td]?frac){GROUP}{GROUP}|\\([td]?frac)(\d)(\d)",
}


def changed(kind, spot, draw):
    """What stands at a spot, changed: another digit, the other sign, the fraction upside down."""
    if kind == "digit":
        return draw.choice([digit for digit in "123456789" if digit != spot[0]])
    if kind == "sign":
        return {"+": "-", "-": "+"}[spot[0]]
    command, above, below = spot[1] or spot[4], spot[2] or spot[5], spot[3] or spot[6]
    return rf"\{command}{{{below}}}{{{above}}}"


def equalities(formula):
    """The equalities that a formula states, side by side."""
    return {f"{a} = {b}" for chain in chains(plain(formula)) for (_, a), (r, b) in pairwise(chain) if r == "="}


@cache
def executed(page):
    """Each piece of a page, with a formula, an equality that it states and that is executed, and both sides of it."""
    found = []
    for piece in pieces(prose(page)):
        true = [one for one in sums(piece) if one.holds and one.relation == "="]
        for formula in formulas(piece) if true else ():
            stated = equalities(formula)
            found += [(piece, formula, (one.left, one.right)) for one in true if str(one) in stated]
    return found


def planted(kind, page, draw):
    """Pieces of a page before and after a mistake in one side of an executed equality."""
    found = []
    for piece, formula, sides in executed(page):
        for side in sides:
            start = formula.find(side)
            spots = re.compile(SPOTS[kind]).finditer(formula, start, start + len(side)) if start >= 0 else ()
            found += [(piece, formula, spot) for spot in spots if changed(kind, spot, draw) != spot[0]]
    for piece, formula, spot in draw.sample(found, min(EACH, len(found))):
        mistake = formula[: spot.start()] + changed(kind, spot, draw) + formula[spot.end() :]
        yield piece, piece.replace(formula, mistake, 1)


@cache
def outcome(kind):
    """How many mistakes of a kind turn red, and the formulas in which one does not."""
    seen, missed, draw = 0, [], random.Random(0)
    for page in pages():
        known = {relation for relations in UNREAD.get(page, {}).values() for relation in relations}
        for before, after in planted(kind, page, draw):
            red = {str(found) for found in sums(after) if not found.holds} - known
            seen += bool(red)
            missed += [] if red else [sorted(set(formulas(after)) - set(formulas(before)))]
    return seen, missed


def test_nine_in_ten_mistakes_in_sums_are_seen():
    missed = [formula for kind in SPOTS for formula in outcome(kind)[1]]
    seen = sum(outcome(kind)[0] for kind in SPOTS)
    assert seen >= 300
    assert seen >= 0.9 * (seen + len(missed)), missed


@pytest.mark.parametrize("kind", SPOTS)
def test_no_kind_of_mistake_is_left_out(kind):
    seen, missed = outcome(kind)
    assert seen >= 80
    assert seen >= 0.85 * (seen + len(missed)), missed


def test_every_changed_mark_is_seen():
    """One more mark in a title, in a part or in an answer."""
    for label, (title, statement, solution) in KNOWN.items():
        assert marks_agree(label, int(title["marks"]), statement, solution)
        assert (
            not marks_agree(label, int(title["marks"]) + 1, statement, solution)
            or label == "kernel-methods-ex-gradient"
        )
        for text, other in ((statement, solution), (solution, statement)):
            for m in re.finditer(r"\b(\d) marks?", text):
                more = text[: m.start()] + str(int(m[1]) + 1) + text[m.end(1) :]
                both = (more, other) if text is statement else (other, more)
                assert not marks_agree(label, int(title["marks"]), *both), (label, m[0], m.start())

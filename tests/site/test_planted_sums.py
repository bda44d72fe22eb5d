"""Mistakes planted in what the pages compute and in the marks of exercises: nine in ten turn a check red."""

import random
import re

import pytest

from tests.drills.arithmetic import formulas
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


def planted(kind, page, draw):
    """Pieces of a page before and after a mistake in a formula that holds an executed equality."""
    found = []
    for piece in pieces(prose(page)):
        sides = [(one.left, one.right) for one in sums(piece) if one.holds and one.relation == "="]
        for formula in formulas(piece):
            if any(a in plain(formula) and b in plain(formula) for a, b in sides):
                spots = re.finditer(SPOTS[kind], formula)
                found += [
                    (piece, formula, spot)
                    for spot in spots
                    if kind != "fraction" or spot[2] != spot[3] or spot[5] != spot[6]
                ]
    for piece, formula, spot in draw.sample(found, min(EACH, len(found))):
        mistake = formula[: spot.start()] + changed(kind, spot, draw) + formula[spot.end() :]
        yield piece, piece.replace(formula, mistake, 1)


@pytest.mark.parametrize("kind", SPOTS)
def test_nine_in_ten_mistakes_in_sums_are_seen(kind):
    seen, missed, draw = 0, [], random.Random(0)
    for page in pages():
        known = {relation for relations in UNREAD.get(page, {}).values() for relation in relations}
        for before, after in planted(kind, page, draw):
            if {str(found) for found in sums(after) if not found.holds} - known:
                seen += 1
            else:
                missed += sorted(set(formulas(after)) - set(formulas(before)))
    assert seen + len(missed) >= 90
    assert seen >= 0.9 * (seen + len(missed)), missed


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

"""The drill on multiplicative updates: worked again in fractions, entry by entry, and read on the page."""

from fractions import Fraction

import pytest

from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

PAIRS = ((0, 0), (0, 1), (1, 0), (1, 1))


def product(A, B):
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*B, strict=True)] for row in A]


def turned(A):
    return [list(column) for column in zip(*A, strict=True)]


def half_squares(X, Y):
    return sum((X[i][j] - Y[i][j]) ** 2 for i, j in PAIRS) / Fraction(2)


def worked(given):
    """Sums, both products, new H, sums after it, in fractions."""
    X, W, H = (exact(given[name]) for name in "XWH")
    Y = product(W, H)
    top, bottom = product(turned(W), X), product(product(turned(W), W), H)
    new = [[H[i][j] * top[i][j] / bottom[i][j] for j in (0, 1)] for i in (0, 1)]
    return X, W, H, Y, top, bottom, new, product(W, new)


@pytest.mark.equation("nmf-update", "nmf-kl-update", "nmf-gradient", "nmf-objective")
@each_seed()
def test_update_answer(seed):
    _, given, answer = load("nmf-update", seed)
    X, W, H, Y, top, bottom, new, after = worked(given)
    assert (answer["product"], answer["numerator"], answer["denominator"]) == (Y, top, bottom)
    assert near(answer["before"], half_squares(X, Y))
    assert near(answer["after"], half_squares(X, after))
    assert 0 < answer["after"] < answer["before"]
    assert all(near(answer["updated"][i][j], new[i][j]) for i, j in PAIRS)
    step = Fraction(1, 1000)  # a central difference of a parabola is its slope
    moved = [product(W, [[H[0][0] + s, H[0][1]], H[1]]) for s in (step, -step)]
    assert near(answer["slope"], (half_squares(X, moved[0]) - half_squares(X, moved[1])) / (2 * step))
    assert answer["moves"] == ("it rises" if new[0][0] > H[0][0] else "it falls")
    weighted = sum(W[n][0] * X[n][0] / Y[n][0] for n in (0, 1))
    assert near(answer["kl"], H[0][0] * weighted / (W[0][0] + W[1][0]))
    assert answer["kl"] > 0


def test_both_directions_occur():
    assert {drawn("nmf-update", seed).answer["moves"] for seed in range(30)} == {"it rises", "it falls"}


@each_seed()
def test_every_number_of_the_drill(seed):
    drill = drawn("nmf-update", seed)
    X, W, H, Y, top, bottom, new, after = worked(drill.given)
    ask, tell = pages(drill)
    ask.says(r"The data $\mathbf{X}=#$ are to be approximated", X)
    ask.says(r"At the moment $\mathbf{W}=#$ and $\mathbf{H}=#$.", W, H)
    ask.says(r"in $h_{11}$, and does")
    ask.says(r"give to $h_{11}$, from the old")
    ask.done()
    before, rest = half_squares(X, Y), half_squares(X, after)
    tell.says(r"**Sums:** $#=#$. The errors give $#=#$.", Y, Y, before, before)
    tell.says(r"**Products:** $#=#$ and $#=#$.", top, top, bottom, bottom)
    tell.says(r"minus the first, $#=#$.", *[bottom[0][0] - top[0][0]] * 2)
    tell.says(r"**Update:** $h_{11}=#=#$, $h_{12}=#=#$, $h_{21}=#=#$ and $h_{22}=#=#$.",
              *[new[i][j] for i, j in PAIRS for _ in (0, 1)])  # fmt: skip
    tell.says(r"the sums are now $#$, and $#\approx#$", after, rest, rest)
    weighted = sum(W[n][0] * X[n][0] / Y[n][0] for n in (0, 1))
    value = H[0][0] * weighted / (W[0][0] + W[1][0])
    tell.says(r"in column 1 counts with its entry in column 1 of $\mathbf{W}$: $#=#$.", value, value)
    tell.done()

"""The drills on sufficient statistics, worked again from all the numbers at once, in fractions."""

import statistics
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.exact import load
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def moments(values):
    """Count, mean and sum of squared deviations, by the power sums."""
    n, total = len(values), sum(values)
    return n, Fraction(total, n), sum(v * v for v in values) - Fraction(total * total, n)


@pytest.mark.equation("sufficient-statistics-merge-mean", "sufficient-statistics-merge-scatter")
@each_seed()
def test_merge_moments_answer(seed):
    _, g, answer = load("merge-moments", seed)
    a, b = [int(v) for v in g["A"]], [int(v) for v in g["B"]]
    assert answer["A"] == pytest.approx([float(v) for v in moments(a)])
    assert answer["B"] == pytest.approx([float(v) for v in moments(b)])
    _, mean, S = moments(a + b)
    assert (answer["mean"], answer["scatter"]) == pytest.approx((float(mean), float(S)))
    assert answer["biased"] == pytest.approx(float(statistics.pvariance(map(Fraction, a + b))))
    assert answer["unbiased"] == pytest.approx(float(statistics.variance(map(Fraction, a + b))))
    assert moments(a)[1] != moments(b)[1]


@each_seed()
def test_every_number_of_merge_moments(seed):
    drill = drawn("merge-moments", seed)
    a, b = (drill.given[name] for name in "AB")
    (n_a, m_a, S_a), (n_b, m_b, S_b), (n, m, S) = ([float(v) for v in moments(c)] for c in (a, b, a + b))
    symbols = {"n_A": n_a, "m_A": m_a, "S_A": S_a, "n_B": n_b, "m_B": m_b, "S_B": S_b, "n": n, "m": m, "S": S,
               r"\delta": m_b - m_a}  # fmt: skip
    ask, tell = pages(drill, symbols)
    ask.says("Worker A holds the numbers #, worker B the numbers #.", [a], [b])
    ask.table(*([name, None, None, None] for name in ("A", "B", "both")))
    ask.says("with the divisor $n$ and with the divisor $n-1$ (2")
    ask.done()
    tell.done()


def lines(given):
    """Sums of each worker and of all, slope and intercept by NumPy's polynomial fit."""
    x, y = np.array(given["x"]), np.array(given["y"])
    five = lambda u, v: [len(u), u.sum(), v.sum(), (u**2).sum(), (u * v).sum()]
    parts = [five(x[i : i + 2], y[i : i + 2]) for i in (0, 2, 4)]
    return parts, five(x, y), np.polyfit(x, y, 1)


@pytest.mark.equation("sufficient-statistics-sums", "sufficient-statistics-additive", "sufficient-statistics-normal")
@each_seed()
def test_map_reduce_regression_answer(seed):
    g, answer = drawn("map-reduce-regression", seed).given, drawn("map-reduce-regression", seed).answer
    parts, total, (slope, intercept) = lines(g)
    assert answer["sums"] == parts
    assert answer["total"] == total
    assert answer["slope"] == pytest.approx(slope)
    assert answer["intercept"] == pytest.approx(intercept, abs=1e-9)
    columns = [*range(g["features"]), "ones"]
    pairs = {frozenset((p, q)) for p in columns for q in columns}
    assert answer["sent"] == len(pairs) + len(columns)
    assert len(set(g["x"])) == 6


@each_seed()
def test_every_number_of_map_reduce_regression(seed):
    drill = drawn("map-reduce-regression", seed)
    g = drill.given
    d = g["features"]
    parts, total, (slope, intercept) = lines(g)
    n, sx, sy, sxx, sxy = total
    ask, tell = pages(drill)
    points = list(zip(g["x"], g["y"], strict=True))
    names = [f"worker {k}" for k in (1, 2, 3)]
    ask.table(*([name, [points[2 * k]], [points[2 * k + 1]]] for k, name in enumerate(names)))
    ask.says("With $#$ features", d)
    ask.table(*([name, *[None] * 5] for name in [*names, "all"]))
    ask.done()
    tell.table(*([name, *values] for name, values in zip([*names, "all"], [*parts, total], strict=True)))
    determinant, other = n * sxx - sx**2, n * sxy - sx * sy
    assert other / determinant == pytest.approx(slope)
    tell.says(r"$w_1=\tfrac{n\sum xy-\sum x\sum y}{n\sum x^2-(\sum x)^2}=#=#=#$.", *[slope] * 3)
    tell.says(r"$w_0=\tfrac{\sum y-w_1\sum x}{n}=#=#$.", *[intercept] * 2)
    products = (d + 1) * (d + 2) // 2
    tell.says("there are $#=#$ columns.", *[d + 1] * 2)
    tell.says("with $#=#$ different entries", *[products] * 2)
    tell.says("and $#$ products with $y$ join them: $#=#$ numbers", d + 1, *[products + d + 1] * 2)
    tell.done()

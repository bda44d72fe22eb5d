"""Drill on the multivariate Gaussian: recomputed in fractions from the precision matrix, without the library."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from notes_lib.display import sig
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def inverse(matrix):
    """Inverse in fractions, by Gauss-Jordan."""
    p = len(matrix)
    A = [[Fraction(v) for v in row] + [Fraction(int(i == j)) for j in range(p)] for i, row in enumerate(matrix)]
    for i in range(p):
        assert A[i][i] > 0  # pivots of a positive definite matrix
        A[i] = [v / A[i][i] for v in A[i]]
        for k in range(p):
            if k != i:
                A[k] = [v - A[k][i] * w for v, w in zip(A[k], A[i], strict=True)]
    return [row[p:] for row in A]


def form(matrix, v):
    return sum(v[i] * matrix[i][j] * v[j] for i in range(len(v)) for j in range(len(v)))


@pytest.mark.equation("multivariate-gaussian-conditional-precision", "multivariate-gaussian-split")
@pytest.mark.equation("multivariate-gaussian-gain", "multivariate-gaussian-mahalanobis")
@each_seed()
def test_conditional_from_the_precision_in_fractions(seed):
    drill = drawn("gaussian-conditional", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    assert g == drill.given
    Sigma, mu, x, a = g["covariance"], g["mean"], g["x"], g["unknown"]
    d = len(x)
    b = [i for i in range(d) if i != a]
    assert all(v == int(v) for row in Sigma for v in row)
    assert all(v == int(v) for v in [*mu, *x])
    assert all(Sigma[i][j] == Sigma[j][i] for i in range(d) for j in range(d))
    Lambda = inverse(Sigma)
    delta = [Fraction(u) - Fraction(v) for u, v in zip(x, mu, strict=True)]
    gain = [-Lambda[a][i] / Lambda[a][a] for i in b]  # completing the square
    mean = Fraction(mu[a]) + sum(c * delta[i] for c, i in zip(gain, b, strict=True))
    assert answer["gain"] == gain
    assert answer["mean"] == mean
    assert answer["variance"] == 1 / Lambda[a][a] > 0
    square = form(Lambda, delta)
    of_given = form(inverse([[Sigma[i][j] for j in b] for i in b]), [delta[i] for i in b])
    rest = (Fraction(x[a]) - mean) ** 2 * Lambda[a][a]
    assert square == of_given + rest
    assert of_given > 0
    assert rest > 0
    for name, exact in [("square", square), ("given_square", of_given), ("distance", math.sqrt(square))]:
        assert math.isclose(answer[name], exact, abs_tol=1e-8)
    for value in [*gain, mean, 1 / Lambda[a][a], of_given, rest, square, math.sqrt(square)]:
        assert sig(float(value)) in drill.solution
    assert drill.solution.count("1 mark)") + 2 * drill.solution.count("2 marks)") == drill.marks == 8
    assert f"$x_{a + 1}$" in drill.statement


def test_both_sizes_and_all_places_are_drawn():
    found = [(len(g["x"]), g["unknown"]) for g in (drawn("gaussian-conditional", seed).given for seed in SEEDS)]
    assert set(found) == {(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)}
    assert sum(d == 3 for d, _ in found) > len(found) / 2  # the marks are those of a 2 x 2 block


@each_seed()
def test_every_number_of_a_conditional(seed):
    drill = drawn("gaussian-conditional", seed)
    g = drill.given
    a, mu, x, Sigma = g["unknown"], *(np.array(g[key]) for key in ("mean", "x", "covariance"))
    b = [i for i in range(len(x)) if i != a]
    block, across = Sigma[np.ix_(b, b)], Sigma[[a]][:, b]
    G, d = across @ np.linalg.inv(block), x[b] - mu[b]
    mean, variance = mu[a] + (G @ d)[0], Sigma[a, a] - (G @ across.T)[0, 0]
    given, rest = d @ np.linalg.solve(block, d), (x[a] - mean) ** 2 / variance
    rows = [
        "gain",
        "conditional mean",
        "conditional variance",
        "squared distance, part of the given",
        "part of the rest",
    ]
    symbols = {
        r"\boldsymbol{\mu}": mu, r"\boldsymbol{\Sigma}": Sigma, r"\mathbf{x}": x, r"\mathbf{G}": G,
        r"\boldsymbol{\Sigma}_{bb}": block, r"\boldsymbol{\Sigma}_{ab}": across,
        r"\Delta": np.sqrt(given + rest), r"\Delta^2": given + rest,
    }  # fmt: skip
    ask, tell = pages(drill, symbols | {f"x_{i + 1}": v for i, v in enumerate(x)})
    s = "s" if len(b) > 1 else ""
    ask.says(f"the gain, the regression coefficient{s} of $x_{a + 1}$ on the other variable{s}. (3 marks)")
    ask.says(f"mean and variance of $x_{a + 1}$ given {' and '.join(f'$x_{i + 1} = #$' for i in b)}. (2", *x[b])
    ask.table(*([name, None] for name in rows))
    ask.done()
    tell.says(f"Given: ${', '.join(f'x_{i + 1}' for i in b)}$, with")
    if len(b) == 1:
        tell.says("So the gain is $#$ (2 marks).", G)
        tell.says("What is given (1 mark): $#$. What", given)
    else:
        tell.says(r"Its determinant is $# \cdot # - #^2 = #$ (1", *np.diag(block), block[0, 1], np.linalg.det(block))
        tell.says("it is $#$. What is left", given)
    tell.says("**Conditional mean** (1 mark): $#$.", mean)
    tell.says("**Conditional variance** (1 mark): $#$. It", variance)
    tell.says("What is left (1 mark): $(# - #)^2 / # = #$. Together", x[a], mean, variance, rest)
    tell.table(*([name, value] for name, value in zip(rows, [G, mean, variance, given, rest], strict=True)))
    tell.done()

"""Drill on Bayesian linear regression: worked again in fractions, row after row, without the library."""

from fractions import Fraction

import numpy as np
import pytest

from notes_lib.linear.bayesian_regression import predictive, weight_posterior
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def work(given):
    """Posterior by one update of mean and covariance for each point (no precision matrix), then the prediction."""
    m = [Fraction(0), Fraction(0)]
    S = [[Fraction(1, given["alpha"]), Fraction(0)], [Fraction(0), Fraction(1, given["alpha"])]]
    noise = Fraction(1, given["beta"])
    for x, y in zip(given["x"], given["y"], strict=True):
        side = [S[0][0] + S[0][1] * x, S[1][0] + S[1][1] * x]  # covariance of the weights and the function there
        variance = side[0] + side[1] * x + noise
        error = y - m[0] - m[1] * x
        m = [m[j] + side[j] * error / variance for j in (0, 1)]
        S = [[S[i][j] - side[i] * side[j] / variance for j in (0, 1)] for i in (0, 1)]
    x = given["new"]
    ignorance = S[0][0] + 2 * x * S[0][1] + x * x * S[1][1]
    return m, S, m[0] + m[1] * x, ignorance, noise


def numbers(A):
    return [[float(v) for v in line] for line in A]


@pytest.mark.equation("bayesian-regression-posterior", "bayesian-regression-predictive")
@each_seed()
def test_answer(seed):
    drill = drawn("bayesian-line", seed)
    m, S, mean, ignorance, noise = work(drill.given)
    answer = drill.answer
    det = S[0][0] * S[1][1] - S[0][1] ** 2
    assert answer["A"] == [[S[1][1] / det, -S[0][1] / det], [-S[0][1] / det, S[0][0] / det]]
    assert answer["m"] == pytest.approx([float(v) for v in m], rel=1e-12, abs=1e-14)
    for line, expected in zip(answer["S"], S, strict=True):
        assert line == pytest.approx([float(v) for v in expected], rel=1e-12)
    assert answer["mean"] == pytest.approx(float(mean), rel=1e-12)
    assert answer["variance"] == pytest.approx(float(ignorance + noise), rel=1e-12)
    assert answer["share"] == pytest.approx(float(ignorance / (ignorance + noise)), rel=1e-12)


@each_seed()
def test_the_library_answers_the_same(seed):
    drill = drawn("bayesian-line", seed)
    g = drill.given
    weights = weight_posterior(np.column_stack([np.ones(len(g["x"])), g["x"]]), g["y"], g["alpha"], g["beta"])
    told = predictive([[1.0, g["new"]]], weights, g["beta"])
    np.testing.assert_allclose(drill.answer["m"], weights.mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        [drill.answer["mean"], drill.answer["variance"]], [told.mean[0], told.std[0] ** 2], rtol=1e-9
    )


@each_seed()
def test_every_number(seed):
    drill = drawn("bayesian-line", seed)
    g = drill.given
    x, y, alpha, beta, new = (g[key] for key in ("x", "y", "alpha", "beta", "new"))
    m, S, mean, ignorance, noise = work(g)
    det = 1 / (S[0][0] * S[1][1] - S[0][1] ** 2)
    A = [[float(S[1][1] * det), float(-S[0][1] * det)], [float(-S[0][1] * det), float(S[0][0] * det)]]
    ask, tell = pages(drill)
    ask.says("are given: $#$, $#$, $#$. The", *([a, b] for a, b in zip(x, y, strict=True)))
    ask.says("the features 1 and $x$")
    ask.says(r"$y=w_0+w_1x+\varepsilon$")
    ask.says(r"precision $\beta=#$", beta)
    ask.says(r"$\mathbf{w}\sim\mathcal{N}(\mathbf{0},\alpha^{-1}\mathbf{I})$ with $\alpha=#$.", alpha)
    ask.says(r"$\mathbf{A}=\alpha\mathbf{I}+\beta\boldsymbol{\Phi}^\top\boldsymbol{\Phi}$")
    ask.says("of $y$ at $x=#$ (4", new)
    ask.done()
    sums = [[3, sum(x)], [sum(x), sum(v * v for v in x)]]
    tell.says(r"the sums are $N=3$, $\sum x_n=#$ and $\sum x_n^2=#$, so $\mathbf{A}=#\,#+#\,#=#$.", sum(x), sums[1][1],
              alpha, [[1, 0], [0, 1]], beta, sums, A)  # fmt: skip
    scaled = [[float(v * det) for v in line] for line in S]
    tell.says(r"$\det\mathbf{A}=#=#$, hence", float(det), float(det))
    tell.says(r"$\mathbf{S}=\mathbf{A}^{-1}=#\,#$.", float(1 / det), scaled)
    both = sum(a * b for a, b in zip(x, y, strict=True))
    tell.says(r"$\sum y_n=#$ and $\sum x_ny_n=#=#$", sum(y), both, both)
    weights = [[float(v)] for v in m]
    tell.says(r"$\mathbf{m}=\beta\,\mathbf{S}\boldsymbol{\Phi}^\top\mathbf{y}=#\,#\,#=#\,#\approx#$.", float(1 / det),
              scaled, [[beta * sum(y)], [beta * both]], float(1 / det), [[float(v * det)] for v in m],
              weights)  # fmt: skip
    tell.says(r"$\boldsymbol{\phi}=#$ the", [[1], [new]])
    tell.says(r"$\mathbf{m}^\top\boldsymbol{\phi}=#=#\approx#$.", *[float(mean)] * 3)
    tell.says(r"$\boldsymbol{\phi}^\top\mathbf{S}\boldsymbol{\phi}=#=#$ from ignorance", *[float(ignorance)] * 2)
    tell.says(r"$\beta^{-1}=#$ from noise", float(noise))
    tell.says("together $#=#\\approx#$.", *[float(noise + ignorance)] * 3)
    tell.says(r"**Share:** $#=#\approx#$ of", *[float(ignorance / (ignorance + noise))] * 3)
    tell.done()

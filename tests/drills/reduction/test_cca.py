"""The drill on canonical correlations, worked again in fractions and by the eigenproblem of both views."""

import json
from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg

from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def worked(given):
    """Correlations and first directions by one generalised eigenproblem of both views."""
    C_xx, C_yy, C_xy = (np.array(given[name], dtype=float) for name in ("C_xx", "C_yy", "C_xy"))
    zero = np.zeros((2, 2))
    values, W = scipy.linalg.eigh(np.block([[zero, C_xy], [C_xy.T, zero]]), scipy.linalg.block_diag(C_xx, C_yy))
    w = W[:, -1] * np.sqrt(2) * np.sign(W[0, -1])
    return values[:1:-1], w[:2], w[2:]


def whitened(given):
    """Entries of K as fractions."""
    s, t = ([Fraction(int(row[i] ** 0.5)) for i, row in enumerate(given[name])] for name in ("C_xx", "C_yy"))
    return [[exact(given["C_xy"][i][j]) / (s[i] * t[j]) for j in range(2)] for i in range(2)]


@pytest.mark.equation("cca-whitened", "cca-svd", "cca-correlation", "cca-dimension")
@each_seed()
def test_answer(seed):
    _, g, answer = load("cca-correlation", seed)
    values, a, b = worked(g)
    np.testing.assert_allclose(answer["correlations"], values, atol=1e-8)
    np.testing.assert_allclose(answer["a"], a, atol=1e-8)
    np.testing.assert_allclose(answer["b"], b, atol=1e-8)
    K = whitened(g)
    assert all(near(answer["K"][i][j], K[i][j]) for i in range(2) for j in range(2))
    total = sum(sum(row) for row in g["C_xy"])
    spread = sum(map(sum, g["C_xx"])) * sum(map(sum, g["C_yy"]))
    assert answer["sums"] == pytest.approx(total / spread**0.5)
    assert answer["sums"] <= answer["correlations"][0]
    rng = np.random.default_rng(seed)
    X, Y = (rng.normal(size=(g["rows"], d)) for d in g["columns"])
    angles = scipy.linalg.subspace_angles(X - X.mean(axis=0), Y - Y.mean(axis=0))
    assert answer["certain"] == (np.cos(angles) > 1 - 1e-9).sum()


def test_both_kinds_of_the_last_question_occur():
    certain = {drawn("cca-correlation", s).answer["certain"] > 0 for s in range(30)}
    assert certain == {True, False}
    assert len({tuple(drawn("cca-correlation", s).answer["correlations"]) for s in range(60)}) > 6


@each_seed()
def test_every_number_of_the_drill(seed):
    drill = drawn("cca-correlation", seed)
    g, (n_x, n_y), n = drill.given, drill.given["columns"], drill.given["rows"]
    (rho_1, rho_2), a, b = worked(g)
    K = np.array(whitened(g), dtype=float)
    s, t = (np.sqrt(np.diag(g[name])) for name in ("C_xx", "C_yy"))
    ask, tell = pages(drill)
    C_xy = np.array(g["C_xy"])
    ask.says(r"$\mathbf{C}_{xx}=#$, $\mathbf{C}_{yy}=#$ and $\mathbf{C}_{xy}=#$.", g["C_xx"], g["C_yy"], C_xy)
    ask.says("correlation of $x_1 + x_2$ and $y_1 + y_2$")
    ask.says(r"$\mathbf{K}=\mathbf{C}_{xx}^{-1/2}\mathbf{C}_{xy}\mathbf{C}_{yy}^{-1/2}$")
    ask.says("of variance 1")
    ask.says("have # and # columns without linear dependences, and # rows. How many of their canonical correlations "
             "are 1 whatever", str(n_x), str(n_y), str(n))  # fmt: skip
    ask.done()
    total, in_x, in_y = C_xy.sum(), (s**2).sum(), (t**2).sum()
    tell.says("sum of the entries, $#=#$. The variances are $#=#$ and $#=#$. The correlation is $#\\approx#$.",
              total, total, in_x, in_x, in_y, in_y, *[total / np.sqrt(in_x * in_y)] * 2)  # fmt: skip
    tell.says(r"$\mathbf{K}=#=#$.", K, K)
    plus, minus = rho_1 + rho_2, rho_1 - rho_2
    tell.says("sum of the squared entries, $#$, and their product is the determinant, $#$. So their sum is $#=#$ and "
              "their difference is $#=#$. The correlations are $#=#$ and $#=#$.", rho_1**2 + rho_2**2, rho_1 * rho_2,
              plus, plus, minus, minus, rho_1, rho_1, rho_2, rho_2)  # fmt: skip
    p, q = a * s, b * t
    tell.says(r"$\mathbf{K}\mathbf{K}^\top=#$ has the eigenvalue $#=#$ with the unit vector $\mathbf{p}=#$: in the "
              r"first row $#=#$. Its partner is $\mathbf{q}=\mathbf{K}^\top\mathbf{p} / #=#$. Divide", K @ K.T,
              rho_1**2, rho_1**2, p, 0.0, 0.0, rho_1, q)  # fmt: skip
    tell.says(r"deviations: $\mathbf{a}=#$, $\mathbf{b}=#$.", a, b)
    tell.says("live in # dimensions, and subspaces of # and # dimensions", str(n - 1), str(n_x), str(n_y))
    rest = n_x + n_y - (n - 1)
    if rest > 0:
        tell.says("share at least $#=#$ of them.", rest, rest)
    else:
        tell.says("share none of necessity, since $#=#$ is negative: $#$.", rest, rest, 0)
    tell.done()


def test_given_and_answers_are_plain_data():
    for seed in SEEDS[:5]:
        json.dumps([drawn("cca-correlation", seed).given, drawn("cca-correlation", seed).answer])

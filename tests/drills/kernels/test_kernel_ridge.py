"""Drill on kernel ridge regression: worked again in fractions with explicit features, without the library."""

from fractions import Fraction

import pytest

from tests.drills.exact import dot, load, near, solve
from tests.drills.page import At, pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def features(x, degree):
    """The ordered products of (1, x): their inner products are the kernel."""
    return [1, x] if degree == 1 else [1, x, x, x * x]


def work(g):
    """Ridge regression with weights on the features, for all points and without each one in turn."""
    Phi = [features(x, g["degree"]) for x in g["x"]]

    def weights(rows):
        size = len(Phi[0])
        A = [[sum(Phi[n][i] * Phi[n][j] for n in rows) + (i == j) * g["strength"] for j in range(size)] for i in
             range(size)]  # fmt: skip
        return solve(A, [sum(Phi[n][i] * g["y"][n] for n in rows) for i in range(size)])

    w = weights([0, 1])
    alpha = [(y - dot(phi, w)) / g["strength"] for phi, y in zip(Phi, g["y"], strict=True)]
    left_out = [g["y"][n] - dot(Phi[n], weights([1 - n])) for n in (0, 1)]
    return alpha, dot(features(g["new"], g["degree"]), w), left_out


@pytest.mark.equation("kernel-ridge-solution", "kernel-ridge-prediction", "kernel-ridge-loo", "kernel-ridge-residual")
@each_seed()
def test_answer(seed):
    _, g, answer = load("kernel-ridge", seed)
    alpha, prediction, left_out = work(g)
    k = lambda s, t: dot(features(s, g["degree"]), features(t, g["degree"]))
    K = [[k(s, t) for t in g["x"]] for s in g["x"]]
    assert answer["K"] == K
    assert answer["determinant"] == (K[0][0] + g["strength"]) * (K[1][1] + g["strength"]) - K[0][1] ** 2
    assert all(near(a, b) for a, b in zip(answer["dual_coef"], alpha, strict=True))
    assert near(answer["prediction"], prediction)
    assert all(near(a, b) for a, b in zip(answer["left_out"], left_out, strict=True))


def test_both_degrees_and_all_strengths_occur():
    given = [drawn("kernel-ridge", seed).given for seed in SEEDS]
    assert {g["degree"] for g in given} == {1, 2}
    assert {g["strength"] for g in given} == {1, 2, 3, 4}


@each_seed()
def test_every_number(seed):
    drill, g, _ = load("kernel-ridge", seed)
    alpha, prediction, left_out = work(g)
    x, y, degree, strength, new = (g[key] for key in ("x", "y", "degree", "strength", "new"))
    k = lambda s, t: (s * t + 1) ** degree
    K = [[k(s, t) for t in x] for s in x]
    A = [[K[i][j] + (i == j) * strength for j in (0, 1)] for i in (0, 1)]
    det = A[0][0] * A[1][1] - A[0][1] ** 2
    ask, tell = pages(drill)
    ask.says("are given: $#$ and $#$. Fit", *([a, b] for a, b in zip(x, y, strict=True)))
    ask.says(r"$k(x, z)=#$ and $\lambda=#$,", At({"x": Fraction(17, 10), "z": -2}, k(1.7, -2)), strength)
    ask.says(r"determinant of $\mathbf{K}+\lambda\mathbf{I}$")
    ask.says("at $x=#$ (2", new)
    ask.done()
    tell.says(r"$\mathbf{K}=#$ and $\mathbf{K}+\lambda\mathbf{I}=#$, with determinant $#$.", K, A, det)
    adjugate = [[A[1][1], -A[0][1]], [-A[0][1], A[0][0]]]
    start = r"$\boldsymbol{\alpha}=(\mathbf{K}+\lambda\mathbf{I})^{-1}\mathbf{y}="
    top, floats = [[int(a * det)] for a in alpha], [float(a) for a in alpha]
    told = start + r"\tfrac{1}{#}\,#\,#=\tfrac{1}{#}\,#\approx#$."
    tell.says(told, det, adjugate, [[v] for v in y], det, top, floats)
    tell.says(r"$\mathbf{k}_x=#$, so", [k(new, t) for t in x])
    tell.says(r"$f(#)=\mathbf{k}_x^\top\boldsymbol{\alpha}=#$.", new, float(prediction))
    tell.says("$e_1=#$ and $e_2=#$.", *map(float, left_out))
    tell.done()

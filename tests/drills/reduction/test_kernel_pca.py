"""Drills on kernel PCA: worked again in fractions with the centring matrix and with explicit features."""

from fractions import Fraction
from math import isqrt

import pytest

from tests.drills.exact import check_short_numbers, dot, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def centred(K):
    """H K H with H = I - J/3, as products of matrices."""
    H = [[Fraction(int(i == j)) - Fraction(1, 3) for j in range(3)] for i in range(3)]
    product = lambda A, B: [[dot(row, column) for column in zip(*B, strict=True)] for row in A]
    return product(product(H, K), H)


def work_new(K, k_x):
    """The inner products of two centred features, multiplied out."""
    total = sum(map(sum, K)) * Fraction(1, 9)
    return [k_x[j] - Fraction(sum(k_x), 3) - Fraction(sum(K[j]), 3) + total for j in range(3)]


@pytest.mark.equation("kernel-pca-centring", "kernel-pca-new-score")
@each_seed()
def test_centring_answer(seed):
    drill, g, answer = load("kernel-centring", seed)
    check_short_numbers(drill)
    K, k_x = g["K"], g["k_x"]
    assert answer["means"] == [Fraction(sum(row), 3) for row in K]
    assert answer["total"] == Fraction(sum(map(sum, K)), 9)
    assert answer["centred"] == centred(K)
    assert answer["distance"] == answer["distance_after"] == K[0][0] - 2 * K[0][1] + K[1][1]
    assert answer["new"] == work_new(K, k_x)
    assert sum(answer["new"]) == 0
    assert any(answer["means"])


@pytest.mark.equation("kernel-pca-alpha", "kernel-pca-score", "kernel-pca-shift")
@each_seed()
def test_score_answer(seed):
    drill, g, answer = load("kernel-pca-score", seed)
    check_short_numbers(drill)
    K, v = g["K"], g["v"]
    assert sum(v) == 0 == sum(map(sum, K))
    values = {dot(row, v) / v[i] for i, row in enumerate(K) if v[i]}
    assert values == {answer["eigenvalue"]}
    assert 2 * answer["eigenvalue"] > sum(K[i][i] for i in range(3))  # the other one is the rest of the trace
    alpha = [Fraction(a).limit_denominator(1000) for a in answer["alpha"]]
    assert dot(alpha, [dot(row, alpha) for row in K]) == 1
    assert dot(alpha, v) > 0
    assert answer["scores"] == [dot(row, alpha) for row in K]
    # with all terms of the centring: the mean of the new values and the mean of all
    gap = [a - Fraction(sum(g["k_x"]), 3) - b + 7 for a, b in zip(g["k_x"], g["means"], strict=True)]
    assert near(answer["new"], dot(alpha, gap))
    assert answer["new"]


def test_both_directions_and_all_scales_occur():
    given = [drawn("kernel-pca-score", seed) for seed in SEEDS]
    assert {dot(d.given["v"], d.given["v"]) for d in given} == {2, 6}
    assert {isqrt(d.answer["eigenvalue"] // int(dot(d.given["v"], d.given["v"]))) for d in given} >= {1, 2, 3}


@each_seed()
def test_every_number_of_centring(seed):
    drill, g, _ = load("kernel-centring", seed)
    K, k_x = g["K"], g["k_x"]
    C, fresh = centred(K), work_new(K, k_x)
    means, total, own = [Fraction(sum(r), 3) for r in K], Fraction(sum(map(sum, K)), 9), Fraction(sum(k_x), 3)
    ask, tell = pages(drill)
    ask.says(r"the kernel matrix $\mathbf{K}=#$. A new", K)
    ask.says(r"$\mathbf{k}_x=#$ with", k_x)
    ask.says(r"$\tilde{\mathbf{K}}=\mathbf{H}\mathbf{K}\mathbf{H}$")
    ask.done()
    tell.says(r"$\bar{\mathbf{k}}=#$, and the mean of all entries is $\bar k=#$.", means, total)
    for j in range(3):
        tell.says(rf"$\tilde K_{{1{j + 1}}}=#$", C[0][j])
    tell.says("\\tilde{\\mathbf{K}}=#\n$$", str(_matrix(C)))
    tell.says("Every row adds up to 0, as")
    distance = K[0][0] + K[1][1] - 2 * K[0][1]
    tell.says("of the pair: $#$ before and $#$ after", distance, distance)
    tell.says("its own values is $#$.", own)
    for j in range(3):
        tell.says(rf"$\tilde k_{j + 1}=#$", fresh[j])
    tell.done()


def _matrix(rows):
    return "\\begin{pmatrix} " + " \\\\ ".join(" & ".join(str(v) for v in row) for row in rows) + " \\end{pmatrix}"


@each_seed()
def test_every_number_of_the_scores(seed):
    drill, g, answer = load("kernel-pca-score", seed)
    K, v, means, k_x = g["K"], g["v"], g["means"], g["k_x"]
    value = answer["eigenvalue"]
    alpha = [Fraction(a).limit_denominator(1000) for a in answer["alpha"]]
    gap = [a - b for a, b in zip(k_x, means, strict=True)]
    ask, tell = pages(drill)
    ask.says(r"is $\tilde{\mathbf{K}}=#$. Its", K)
    ask.says(r"$\mathbf{v}=#$.", v)
    ask.says(r"means $\bar{\mathbf{k}}=#$, and", means)
    ask.says(r"values $\mathbf{k}_x=#$. Compute", k_x)
    ask.done()
    tell.says(r"$\tilde{\mathbf{K}}\mathbf{v}=#$, so $\lambda=#$.", [dot(row, v) for row in K], value)
    tell.says("has length 1 in feature space")
    tell.says(r"$\lambda\,|\boldsymbol{\alpha}|^2=#$.", 1)
    tell.says(r"$|\mathbf{v}|^2=#$ this is $\boldsymbol{\alpha}=#$.", dot(v, v), [float(a) for a in alpha])
    tell.says(
        r"$\tilde{\mathbf{K}}\boldsymbol{\alpha}=\lambda\boldsymbol{\alpha}=#$.", [float(dot(row, alpha)) for row in K]
    )
    tell.says("add up to 0, so")
    tell.says(r"$\mathbf{k}_x-\bar{\mathbf{k}}=#$, and the score is $#$.", gap, float(dot(alpha, gap)))
    tell.done()

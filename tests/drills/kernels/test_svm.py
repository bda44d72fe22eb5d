"""Drills on support vector machines: answers recomputed in fractions from the given points, without the library."""

import json
import math
from fractions import Fraction
from itertools import chain, combinations

import pytest

from notes_lib.drills import draw

SEEDS = range(200)


def solve(A, b):
    """Gauss in fractions; None if singular."""
    n = len(A)
    M = [[Fraction(v) for v in row] + [Fraction(c)] for row, c in zip(A, b, strict=True)]
    for k in range(n):
        pivot = next((r for r in range(k, n) if M[r][k] != 0), None)
        if pivot is None:
            return None
        M[k], M[pivot] = M[pivot], M[k]
        for r in range(n):
            if r != k:
                factor = M[r][k] / M[k][k]
                M[r] = [a - factor * c for a, c in zip(M[r], M[k], strict=True)]
    return [M[k][n] / M[k][k] for k in range(n)]


def dot(a, b):
    return sum(Fraction(p) * Fraction(q) for p, q in zip(a, b, strict=True))


def hard_margin_by_enumeration(X, y):
    """The support set whose multipliers are positive and that leaves every point outside the margin."""
    n = len(X)
    for S in chain.from_iterable(combinations(range(n), r) for r in range(2, n + 1)):
        A = [[y[i] * y[j] * dot(X[i], X[j]) for j in S] + [y[i]] for i in S] + [[y[j] for j in S] + [0]]
        found = solve(A, [1] * len(S) + [0])
        if found is None or min(found[:-1]) <= 0:
            continue
        alpha = [Fraction(0)] * n
        for k, value in zip(S, found[:-1], strict=True):
            alpha[k] = value
        w = [sum(alpha[k] * y[k] * X[k][c] for k in range(n)) for c in range(2)]
        b = found[-1]
        if all(y[k] * (dot(w, X[k]) + b) >= 1 for k in range(n)):
            return alpha, w, b
    raise AssertionError("not separable")


def close(a, b):
    return math.isclose(a, float(b), rel_tol=1e-7, abs_tol=1e-8)


@pytest.mark.equation("svm-dual", "svm-stationary-w", "svm-bias-free", "svm-geometric-margin")
@pytest.mark.parametrize("seed", SEEDS)
def test_dual_in_fractions(seed):
    drill = draw("svm-dual", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    X, y = g["X"], g["y"]
    alpha, w, b = hard_margin_by_enumeration(X, y)
    assert all(close(p, q) for p, q in zip(answer["alpha"], alpha, strict=True))
    assert all(close(p, q) for p, q in zip(answer["w"], w, strict=True))
    assert close(answer["b"], b)
    assert close(answer["margin"], 1 / math.sqrt(dot(w, w)))
    assert close(answer["margin"], min(abs(dot(w, x) + b) for x in X) / Fraction(math.sqrt(dot(w, w))))
    assert close(answer["dual"], sum(alpha) - dot(w, w) / 2)
    assert sum(alpha) == dot(w, w)
    assert answer["support"] == [k + 1 for k, a in enumerate(alpha) if a > 0]
    for value in [*alpha, *w, b]:
        text = str(value) if value.denominator == 1 else f"\\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
        assert text in drill.solution


@pytest.mark.equation("svm-stationary-w", "svm-slack", "svm-complementary", "svm-bias-free", "svm-score")
@pytest.mark.parametrize("seed", SEEDS)
def test_support_vectors_in_fractions(seed):
    drill = draw("svm-support-vectors", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    X, y, C = g["X"], g["y"], Fraction(g["C"])
    alpha = [Fraction(a).limit_denominator(2000) for a in g["alpha"]]
    assert sum(a * t for a, t in zip(alpha, y, strict=True)) == 0
    w = [sum(alpha[k] * y[k] * X[k][c] for k in range(len(X))) for c in range(2)]
    free = [k for k, a in enumerate(alpha) if 0 < a < C]
    biases = {y[k] - dot(w, X[k]) for k in free}
    assert len(biases) == 1  # every free vector gives the same
    b = biases.pop()
    margins = [t * (dot(w, x) + b) for x, t in zip(X, y, strict=True)]
    for a, m in zip(alpha, margins, strict=True):  # the multipliers are optimal
        assert (a == 0 and m >= 1) or (0 < a < C and m == 1) or (a == C and m <= 1)
    assert all(close(p, q) for p, q in zip(answer["w"], w, strict=True))
    assert close(answer["b"], b)
    assert close(answer["margin"], 1 / math.sqrt(dot(w, w)))
    assert all(close(p, max(Fraction(0), 1 - m)) for p, m in zip(answer["slack"], margins, strict=True))
    names = ["none" if a == 0 else "at the bound" if a == C else "on the margin" for a in alpha]
    assert answer["kinds"] == names
    assert set(names) == {"none", "at the bound", "on the margin"}
    assert answer["misclassified"] == [k + 1 for k, m in enumerate(margins) if m < 0]
    assert g["query"] not in X  # the new point is none of the given ones
    score = dot(w, g["query"]) + b
    assert close(answer["score"], score)
    assert answer["label"] == (1 if score > 0 else -1)


@pytest.mark.parametrize("topic", ["svm-dual", "svm-support-vectors"])
def test_numbers_are_small_and_seeds_differ(topic):
    drills = [draw(topic, seed) for seed in range(60)]
    assert all(isinstance(a, int) and abs(a) <= 6 for d in drills for p in d.given["X"] for a in p)
    assert all(draw(topic, seed) == drills[seed] for seed in range(10))
    assert len({d.statement for d in drills}) > 50
    if topic == "svm-dual":
        assert {len(d.given["X"]) for d in drills} == {2, 3, 4}
        assert {len(d.answer["support"]) for d in drills} == {2, 3}
        assert any("One is not positive" in d.solution for d in drills)

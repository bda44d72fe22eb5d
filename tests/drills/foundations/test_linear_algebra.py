"""Drills on linear algebra: answers recomputed in fractions from what is given, without the library."""

import json
import math
from fractions import Fraction

import pytest

from notes_lib.display import sig
from notes_lib.drills import draw

SEEDS = range(200)


def load(topic, seed):
    drill = draw(topic, seed)
    assert json.loads(json.dumps(drill.given)) == drill.given
    return drill, drill.given, json.loads(json.dumps(drill.answer))


def dot(u, v):
    return sum(Fraction(a) * Fraction(b) for a, b in zip(u, v, strict=True))


def close(found, exact):
    return all(abs(a - float(b)) < 1e-8 for a, b in zip(found, exact, strict=True))


@pytest.mark.equation("linear-algebra-projection-line", "linear-algebra-normal", "linear-algebra-orthogonal")
@pytest.mark.parametrize("seed", SEEDS)
def test_projection_in_fractions(seed):
    drill, g, answer = load("projection", seed)
    y, a, b = g["y"], g["a"], g["b"]
    assert close(answer["line"], [dot(a, y) / dot(a, a) * Fraction(v) for v in a])
    gram = [[dot(a, a), dot(a, b)], [dot(a, b), dot(b, b)]]
    right = [dot(a, y), dot(b, y)]
    assert answer["gram"] == gram
    assert answer["right"] == right
    det = gram[0][0] * gram[1][1] - gram[0][1] ** 2
    w = [(gram[1][1] * right[0] - gram[0][1] * right[1]) / det, (gram[0][0] * right[1] - gram[0][1] * right[0]) / det]
    assert answer["w"] == w  # whole numbers
    assert answer["plane"] == [w[0] * Fraction(u) + w[1] * Fraction(v) for u, v in zip(a, b, strict=True)]
    assert answer["residual"] == [u - v for u, v in zip(y, answer["plane"], strict=True)]
    assert dot(a, answer["residual"]) == dot(b, answer["residual"]) == 0
    assert any(answer["residual"])
    assert det != 0
    assert gram[0][1] != 0
    assert max(map(abs, [*y, *answer["residual"]])) <= 9
    assert all(v == int(v) for v in [*y, *a, *b, *w])
    for value in [*w, *answer["plane"], *answer["residual"], *answer["line"], float(det)]:
        assert sig(float(value)) in drill.solution


@pytest.mark.equation("linear-algebra-eigen", "linear-algebra-rayleigh", "linear-algebra-eigen-two")
@pytest.mark.parametrize("seed", SEEDS)
def test_eigen_by_the_definition(seed):
    drill, g, answer = load("eigen-2x2", seed)
    A, w = g["A"], g["w"]
    assert A[0][1] == A[1][0] != 0
    lam, V = answer["eigenvalues"], answer["vectors"]
    assert lam[0] > lam[1]
    assert sum(lam) == A[0][0] + A[1][1]
    assert lam[0] * lam[1] == A[0][0] * A[1][1] - A[0][1] ** 2
    for value, v in zip(lam, V, strict=True):
        assert value == int(value)
        assert [dot(row, v) for row in A] == [Fraction(value) * Fraction(x) for x in v]
        assert math.gcd(int(v[0]), int(v[1])) == 1
    assert dot(*V) == 0
    assert answer["form"] == dot(w, [dot(row, w) for row in A])
    assert math.isclose(answer["quotient"], dot(w, [dot(row, w) for row in A]) / dot(w, w))
    assert lam[1] <= answer["quotient"] <= lam[0]
    signs = {(v > 0) - (v < 0) for v in lam}
    expected = {
        frozenset({1}): "positive definite",
        frozenset({1, 0}): "positive semi-definite, not definite",
        frozenset({1, -1}): "indefinite",
        frozenset({-1}): "negative definite",
        frozenset({-1, 0}): "negative semi-definite, not definite",
    }[frozenset(signs)]
    assert answer["definiteness"] == expected
    assert f": {expected}." in drill.solution
    for value in [*lam, *(dot(row, w) for row in A), answer["form"], answer["quotient"]]:
        assert sig(float(value)) in drill.solution


def test_every_kind_of_definiteness_is_drawn():
    kinds = {draw("eigen-2x2", seed).answer["definiteness"] for seed in range(300)}
    assert {"positive definite", "indefinite", "positive semi-definite, not definite", "negative definite"} <= kinds
    assert any(draw("eigen-2x2", seed).answer["definiteness"].startswith("negative semi") for seed in range(2000))


@pytest.mark.equation("linear-algebra-cholesky", "linear-algebra-cholesky-solve", "linear-algebra-cholesky-logdet")
@pytest.mark.parametrize("seed", SEEDS)
def test_cholesky_multiplies_back(seed):
    drill, g, answer = load("cholesky", seed)
    L, A, b = answer["L"], g["A"], g["b"]
    assert [[dot(L[i], L[j]) for j in range(3)] for i in range(3)] == A
    assert all(L[i][j] == 0 for i in range(3) for j in range(i + 1, 3))
    assert all(L[i][i] > 0 for i in range(3))
    assert [dot(row, answer["z"]) for row in L] == b
    assert [dot(column, answer["x"]) for column in zip(*L, strict=True)] == answer["z"]
    assert [dot(row, answer["x"]) for row in A] == b
    (a, d, e), (_, f, h), (_, _, i) = A
    assert answer["determinant"] == a * (f * i - h * h) - d * (d * i - h * e) + e * (d * h - f * e)
    for value in [v for row in L for v in row] + answer["x"] + answer["z"] + [answer["determinant"]]:
        assert sig(float(value)) in drill.solution


@pytest.mark.parametrize("topic", ["projection", "eigen-2x2", "cholesky"])
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 45

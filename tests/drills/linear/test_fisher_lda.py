"""Drill on Fisher's discriminant: answers recomputed in fractions from the given points, without the library."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from notes_lib.display import sig
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def mean(points):
    return [Fraction(sum(p[j] for p in points), len(points)) for j in range(2)]


def scatter(points, m):
    return [[sum((p[i] - m[i]) * (p[j] - m[j]) for p in points) for j in range(2)] for i in range(2)]


@pytest.mark.equation("fisher-lda-within", "fisher-lda-direction", "fisher-lda-threshold")
@each_seed()
def test_every_step_in_fractions(seed):
    drill = drawn("fisher-lda", seed)
    g, answer = json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))
    groups, x = [g["class_1"], g["class_2"]], [Fraction(v) for v in g["query"]]
    m = [mean(points) for points in groups]
    S = [scatter(points, c) for points, c in zip(groups, m, strict=True)]
    S_w = [[S[0][i][j] + S[1][i][j] for j in range(2)] for i in range(2)]
    det = S_w[0][0] * S_w[1][1] - S_w[0][1] * S_w[1][0]
    inverse = [[S_w[1][1] / det, -S_w[0][1] / det], [-S_w[1][0] / det, S_w[0][0] / det]]
    delta = [m[1][j] - m[0][j] for j in range(2)]
    w = [sum(inverse[i][j] * delta[j] for j in range(2)) for i in range(2)]
    v = [Fraction(a) for a in answer["w"]]
    assert answer["means"] == [[float(a) for a in c] for c in m]
    assert answer["scatter"] == S
    assert answer["S_w"] == S_w
    assert answer["determinant"] == det != 0
    assert np.allclose(answer["inverse"], np.array(inverse, dtype=float), rtol=1e-12)
    assert v[0] * w[1] == v[1] * w[0]  # parallel
    assert v[0] * w[0] + v[1] * w[1] > 0  # and not opposite
    assert all(a.denominator == 1 for a in v)
    assert math.gcd(int(v[0]), int(v[1])) == 1  # the smallest integers
    length = math.hypot(*w)
    assert all(math.isclose(a, b / length, rel_tol=1e-7) for a, b in zip(answer["unit"], w, strict=True))
    threshold = sum(v[j] * (m[0][j] + m[1][j]) for j in range(2)) / 2
    score = sum(v[j] * x[j] for j in range(2))
    assert (answer["threshold"], answer["score"]) == (threshold, score)
    assert score != threshold  # no tie
    assert answer["label"] == (2 if score > threshold else 1)
    for value in [*v, threshold, score, det]:
        assert sig(float(value)) in drill.solution
    assert f"belongs to class {answer['label']}." in drill.solution


@each_seed()
def test_numbers_are_small(seed):
    drill = drawn("fisher-lda", seed)
    for points in (drill.given["class_1"], drill.given["class_2"]):
        assert 3 <= len(points) <= 4
        assert len({tuple(p) for p in points}) == len(points)
        assert all(isinstance(a, int) and abs(a) <= 12 for p in points for a in p)
    assert max(abs(a) for a in drill.answer["w"]) <= 20
    assert all(a == int(a) for m in drill.answer["means"] for a in m)


@each_seed()
def test_every_number_of_a_discriminant(seed):
    drill = drawn("fisher-lda", seed)
    answer, x = drill.answer, np.array(drill.given["query"])
    groups = [np.array(drill.given[key]) for key in ("class_1", "class_2")]
    m = [g.mean(axis=0) for g in groups]
    S = [(g - c).T @ (g - c) for g, c in zip(groups, m, strict=True)]
    S_w, w = S[0] + S[1], np.array(answer["w"])
    c = w @ (m[0] + m[1]) / 2
    symbols = {r"\mathbf{S}_1": S[0], r"\mathbf{S}_2": S[1], r"\mathbf{S}_w": S_w, r"\mathbf{m}_1": m[0]}
    symbols |= {r"\mathbf{m}_2": m[1], r"\mathbf{w}": w, r"\mathbf{x}": x, "c": c}
    ask, tell = pages(drill, symbols)
    listed = [", ".join("$#$" for _ in g) for g in groups]
    ask.says(f"Class 1 holds {listed[0]}, class 2 holds {listed[1]}. Find", *groups[0], *groups[1])
    ask.says("pointing from class 1 to class 2 (2")
    ask.table(*([k, p, *[None] * 4] for k, g in enumerate(groups, 1) for p in g))
    ask.says(r"the scatter matrices $\mathbf{S}_1$, $\mathbf{S}_2$ and $\mathbf{S}_w$ (4 marks),")
    ask.says(r"$\mathbf{S}_w^{-1}$ (2 marks),")
    ask.done()
    rows = [(k, p, p - m[k - 1]) for k, g in enumerate(groups, 1) for p in g]
    tell.table(*([k, p, d, d[0] ** 2, d[0] * d[1], d[1] ** 2] for k, p, d in rows))
    tell.says(
        "At unit length: $#$.", np.linalg.solve(S_w, m[1] - m[0]) / np.linalg.norm(np.linalg.solve(S_w, m[1] - m[0]))
    )
    tell.says(r"$\mathbf{x}$ belongs to class #.", 2 if w @ x > c else 1)
    side = ">" if w @ x > c else "<"
    tell.says(rf"$\mathbf{{w}}^\top \mathbf{{x}} = # {side} #$, so", w @ x, c)
    tell.done()

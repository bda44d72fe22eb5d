"""The k-means drills, worked again in exact fractions without the library."""

import json
import re
from fractions import Fraction

import pytest

from notes_lib.drills import draw, topics

SEEDS = range(200)


def squared(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def mean(points):
    return [sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)]


def work_k_means(given):
    """Labels, centres and J of every iteration, until the labels repeat."""
    X = [[Fraction(v) for v in x] for x in given["points"]]
    centers = [X[i] for i in given["start"]]
    trace, labels = [], None
    while True:
        D2 = [[squared(x, c) for c in centers] for x in X]
        assert all(row[0] != row[1] for row in D2), "a tie"
        new = [1 if row[0] < row[1] else 2 for row in D2]
        assert set(new) == {1, 2}, "an empty cluster"
        J = sum(min(row) for row in D2)
        centers = [mean([x for x, z in zip(X, new, strict=True) if z == k]) for k in (1, 2)]
        J_new = sum(squared(x, centers[z - 1]) for x, z in zip(X, new, strict=True))
        trace.append((new, centers, [J, J_new]))
        if new == labels:
            return trace
        labels = new


@pytest.mark.equation("kmeans-assign", "kmeans-update", "kmeans-objective")
@pytest.mark.parametrize("seed", SEEDS)
def test_k_means_answer(seed):
    drill = draw("k-means", seed)
    trace = work_k_means(drill.given)
    answer = drill.answer
    assert answer["iterations"] == len(trace) in (3, 4)
    assert answer["labels"] == [labels for labels, _, _ in trace]
    for found, (_, centers, J) in zip(zip(answer["centers"], answer["objective"], strict=True), trace, strict=True):
        assert found[0] == [pytest.approx([float(v) for v in c], rel=1e-12) for c in centers]
        assert found[1] == pytest.approx([float(v) for v in J], rel=1e-12)
    J_all = [v for _, _, J in trace for v in J]
    assert J_all == sorted(J_all, reverse=True)
    assert answer["J"] == pytest.approx(float(J_all[-1]), rel=1e-12)
    assert max(c.denominator for _, centers, _ in trace for point in centers for c in point) <= 3


def work_k_means_plus_plus(given):
    X, chosen = given["points"], [given["first"]]
    probabilities = []
    for u in given["u"]:
        D2 = [min(squared(x, X[c]) for c in chosen) for x in X]
        p = [Fraction(v, sum(D2)) for v in D2]
        probabilities.append(p)
        reached, pick = Fraction(0), None
        for i, q in enumerate(p):
            reached += q
            if reached > Fraction(round(100 * u), 100):
                pick = i
                break
        chosen.append(pick)
    return chosen, probabilities


@pytest.mark.equation("kmeans-dsquared")
@pytest.mark.parametrize("seed", SEEDS)
def test_k_means_plus_plus_answer(seed):
    drill = draw("k-means-plus-plus", seed)
    chosen, p = work_k_means_plus_plus(drill.given)
    assert len(set(chosen)) == 3
    assert drill.answer["chosen"] == ["ABCDE"[i] for i in chosen[1:]]
    for found, exact in zip(drill.answer["probabilities"], p, strict=True):
        assert found == pytest.approx([float(q) for q in exact], rel=1e-12)
    assert drill.answer["pair"] == pytest.approx(float(p[0][chosen[1]] * p[1][chosen[2]]), rel=1e-12)
    assert p[0].count(max(p[0])) == 1
    assert drill.answer["farthest"] == "ABCDE"[p[0].index(max(p[0]))]


@pytest.mark.parametrize("topic", ["k-means", "k-means-plus-plus"])
def test_drills_are_complete_deterministic_and_varied(topic):
    assert topic in topics()
    assert draw(topic, 5) == draw(topic, 5)
    drills = [draw(topic, seed) for seed in range(40)]
    assert len({d.statement for d in drills}) == 40
    assert {len(d.given["points"][0]) for d in drills} == {1, 2}
    for d in drills:
        json.dumps([d.given, d.answer])
        assert sum(int(m) for m in re.findall(r"\((\d) marks?\)", d.statement)) == d.marks
        assert "nan" not in d.solution
        assert d.solution.count("$") % 2 == 0


@pytest.mark.parametrize("seed", range(40))
def test_solution_shows_the_trace(seed):
    drill = draw("k-means", seed)
    trace = work_k_means(drill.given)
    tex = lambda v: str(v) if v.denominator == 1 else rf"\tfrac{{{v.numerator}}}{{{v.denominator}}}"
    for _, centers, J in trace:
        assert f"= {tex(J[0])}$ after the assignment" in drill.solution
        for c in centers:
            assert (tex(c[0]) if len(c) == 1 else "(" + ",\\,".join(map(tex, c)) + ")") in drill.solution
    drill = draw("k-means-plus-plus", seed)
    for p in work_k_means_plus_plus(drill.given)[1]:
        total = max(q.denominator for q in p)
        for q in p:
            shown = [Fraction(int(a), int(b)) for a, b in re.findall(r"\| (\d+)/(\d+) \|", drill.solution)]
            assert q in shown, (q, total)

"""Drills on gradient boosting: worked again in fractions, and by scikit-learn's boosted stumps."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sklearn.ensemble

from tests.drills.arithmetic import CARRIED
from tests.drills.exact import exact, load
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

HALF = Fraction(1, 2)


def stump(x, r):
    """Decrease of the sum of squares by each cut, from the sums themselves; the best cut and its means."""
    squares = lambda v: sum((a - sum(v) / len(v)) ** 2 for a in v)
    rows = []
    for k, (a, b) in enumerate(pairwise(x), 1):
        left, right = r[:k], r[k:]
        rows.append(
            (Fraction(a + b, 2), sum(left) / k, sum(right) / (4 - k), squares(r) - squares(left) - squares(right))
        )
    return rows, max(rows, key=lambda row: row[3])


def work_squared(g):
    x, y = g["x"], [Fraction(v) for v in g["y"]]
    start = sum(y) / 4
    r = [v - start for v in y]
    first, one = stump(x, r)
    leaf = lambda s, u: s[1] if u < s[0] else s[2]
    fitted = [start + leaf(one, u) / 2 for u in x]
    after = [v - f for v, f in zip(y, fitted, strict=True)]
    second, two = stump(x, after)
    parts = start, leaf(one, g["query"]), leaf(two, g["query"])
    return r, first, one, fitted, after, second, two, parts


@pytest.mark.equation("gradient-boosting-squared", "gradient-boosting-update", "gradient-boosting-projection")
@each_seed()
def test_squared_answer(seed):
    _, g, answer = load("boosting-squared", seed)
    r, first, one, fitted, after, _, two, (start, a, b) = work_squared(g)
    assert (answer["start"], exact(answer["residuals"])) == (start, r)
    assert answer["gains"] == pytest.approx([float(row[3]) for row in first], abs=1e-9)
    assert answer["leaves"] == pytest.approx([float(v) for v in one[1:3]])
    assert answer["fitted"] == pytest.approx([float(v) for v in fitted])
    assert answer["after"] == pytest.approx([float(v) for v in after])
    assert answer["cut"] == two[0]
    assert answer["second"] == pytest.approx([float(v) for v in two[1:3]])
    assert answer["prediction"] == pytest.approx(float(start + a / 2 + b / 2))
    assert g["query"] not in (one[0], two[0])
    X = np.array(g["x"])[:, None]
    peer = sklearn.ensemble.GradientBoostingRegressor(n_estimators=2, learning_rate=0.5, max_depth=1).fit(X, g["y"])
    assert answer["prediction"] == pytest.approx(peer.predict([[g["query"]]])[0])


def work_logistic(g):
    size, ones, rate = g["size"], g["ones"], exact(g["rate"])
    n, k = sum(size), sum(ones)
    p = Fraction(k, n)
    values = [(o - s * p) / (s * p * (1 - p)) for o, s in zip(ones, size, strict=True)]
    start = math.log(k / (n - k))
    scores = [start + float(rate * b) for b in values]
    probs = [math.exp(f) / (1 + math.exp(f)) for f in scores]
    before = -k * math.log(p) - (n - k) * math.log(1 - p)
    after = -sum(o * math.log(q) + (s - o) * math.log(1 - q) for o, s, q in zip(ones, size, probs, strict=True))
    return n, k, p, rate, values, start, scores, probs, before, after


@pytest.mark.equation("gradient-boosting-logistic", "gradient-boosting-newton")
@each_seed()
def test_logistic_answer(seed):
    _, g, answer = load("boosting-logistic", seed)
    _, _, p, rate, values, start, scores, probs, before, after = work_logistic(g)
    assert answer["start"] == pytest.approx(start)
    assert answer["p"] == pytest.approx(float(p))
    assert answer["residuals"] == pytest.approx([float(1 - p), float(-p)])
    assert answer["values"] == pytest.approx([float(v) for v in values])
    assert answer["scores"] == pytest.approx(scores)
    assert answer["probabilities"] == pytest.approx(probs)
    assert answer["losses"] == pytest.approx([before, after])
    assert after < before
    X = np.repeat([[0.0], [1.0]], g["size"], axis=0)
    y = np.concatenate([np.repeat([1, 0], [o, s - o]) for o, s in zip(g["ones"], g["size"], strict=True)])
    peer = sklearn.ensemble.GradientBoostingClassifier(n_estimators=1, learning_rate=float(rate), max_depth=1).fit(X, y)
    assert answer["probabilities"] == pytest.approx(peer.predict_proba([[0.0], [1.0]])[:, 1].tolist())


def work_gain(g):
    y, lam = g["y"], exact(g["lambda"])
    rows = []
    for c in g["cuts"]:
        G = [sum(HALF - v for v in part) for part in (y[:c], y[c:])]
        H = [Fraction(c, 4), Fraction(7 - c, 4)]
        score = lambda a, b: a * a / (b + lam)
        rows.append((c, G, H, (score(G[0], H[0]) + score(G[1], H[1]) - score(sum(G), sum(H))) / 2))
    best = max(rows, key=lambda row: row[3])
    return lam, exact(g["gamma"]), rows, best, [-a / (b + lam) for a, b in zip(best[1], best[2], strict=True)]


@pytest.mark.equation("gradient-boosting-gain", "gradient-boosting-value")
@each_seed()
def test_gain_answer(seed):
    _, g, answer = load("xgboost-gain", seed)
    lam, gamma, rows, best, values = work_gain(g)
    assert (answer["g"], answer["h"]) == ([-0.5, 0.5], [0.25, 0.25])
    assert exact(answer["sums"]) == [row[1] for row in rows]
    assert answer["gains"] == pytest.approx([float(row[3]) for row in rows], abs=1e-9)
    assert answer["made"] == (best[3] > gamma)
    assert best[3] != gamma
    assert answer["values"] == pytest.approx([float(v) for v in values], abs=1e-9)
    # the objective itself, at the best values of a whole node and of two leaves
    total = lambda b, G, H: float(G * b + (H + lam) * b * b / 2)
    G, H = sum(best[1]), sum(best[2])
    parts = sum(total(b, *sums) for b, *sums in zip(values, best[1], best[2], strict=True))
    assert total(-G / (H + lam), G, H) - parts == pytest.approx(float(best[3]))


def test_cuts_are_made_and_not_made():
    assert {drawn("xgboost-gain", s).answer["made"] for s in range(30)} == {True, False}


def chain(value):
    """Templates of a value: a whole number stands alone, a short decimal is exact."""
    if value.denominator == 1:
        return "#", [value]
    return (r"#=#" if 10_000 % value.denominator == 0 else r"#\approx#"), [value, value]


@each_seed()
def test_every_number_of_the_squared_drill(seed):
    drill = drawn("boosting-squared", seed)
    g = drill.given
    r, first, one, fitted, after, second, two, (start, a, b) = work_squared(g)
    ask, tell = pages(drill, {"x": g["query"]})
    ask.says(r"the learning rate $#$ is run on the points $(x, y)$: $#$, $#$, $#$, $#$.", 0.5,
             *zip(g["x"], g["y"], strict=True))  # fmt: skip
    ask.says("the prediction at $x=#$ after", g["query"])
    ask.done()
    floats = lambda values: [float(v) for v in values]
    tell.says("the mean $#=#$. Residuals: $#$.", float(start), float(start), floats(r))

    def rows(cuts):
        for k, (cut, left, right, gain) in enumerate(cuts, 1):
            assert gain == Fraction(k * (4 - k), 4) * (left - right) ** 2
            template, values = chain(gain)
            yield [("$#$", float(cut)), ("$#$", float(left)), ("$#$", float(right)),
                   (f"$#={template}$", float(gain), *floats(values))]  # fmt: skip

    tell.table(*rows(first))
    tell.says("that of the cut $#$, with the leaf values $#$ and $#$.", *floats(one[:3]))
    left, right = (start + v / 2 for v in one[1:3])
    tell.says("left $#=#$, right $#=#$. New residuals: $#$.", *floats([left, left, right, right]), floats(after))
    assert set(fitted) == {left, right}
    tell.table(*rows(second))
    tell.says("It cuts at $#$, with the leaf values $#$ and $#$.", *floats(two[:3]))
    value = start + a / 2 + b / 2
    template, values = chain(value)
    tell.says(f"At $x=#$ the prediction is $#={template}$.", g["query"], float(value), *floats(values))
    tell.done()


@each_seed()
def test_every_number_of_the_logistic_drill(seed):
    drill = drawn("boosting-logistic", seed)
    g = drill.given
    n, k, p, rate, values, start, scores, probs, before, after = work_logistic(g)
    ask, tell = pages(drill, {"f_0": start, "p": float(p)}, CARRIED)
    ask.says("log loss on # instances, # of them of class 1.", str(n), str(k))
    ask.says("sends # instances to the left, # of class 1, and # to the right, # of class 1.",
             *(str(v) for pair in zip(g["size"], g["ones"], strict=True) for v in pair))  # fmt: skip
    ask.says("learning rate is $#$.", float(rate))
    ask.says("its probability of class 1")
    ask.says("of an instance of class 1 and of one of class 0, and")
    ask.says("the probability of class 1 in both")
    ask.done()
    tell.says(r"$f_0=#=#$, with the probability $p=#\approx#$.", start, start, float(p), float(p))
    tell.says("class 1 $#$, class 0 $#$.", float(1 - p), float(-p))
    tell.says("curvature is $p(1-p)=#=#$.", float(p * (1 - p)), float(p * (1 - p)))
    for name, value in zip(["left", "right"], values, strict=True):
        template, told = chain(value)
        tell.says(f"Leaf value, {name}: $#={template}$.", float(value), *map(float, told))
    for name, f, q in zip(["left", "right"], scores, probs, strict=True):
        tell.says(rf"**After the round,** {name}: score $#=#$, probability $#=#$.", f, f, q, q)
    tell.says("before: $#=#$; after: $#=#$.", before, before, after, after)
    tell.done()


@each_seed()
def test_every_number_of_the_gain_drill(seed):
    drill = drawn("xgboost-gain", seed)
    g = drill.given
    lam, gamma, rows, best, values = work_gain(g)
    ask, tell = pages(drill, {r"\lambda": float(lam), r"\gamma": float(gamma), "p": 0.5})
    ask.says("have the labels $#$. All scores are $#$.", g["y"], 0)
    ask.says(r"with the penalty $\tfrac{\lambda}{2}b^2$ for a leaf value $b$, $\lambda=#$,", float(lam))
    ask.says(r"and the price $\gamma=#$ for a leaf.", float(gamma))
    ask.says("for a label 1 and for a label 0")
    ask.says("behind instance #, and of the cut behind instance # (", *map(str, g["cuts"]))
    ask.done()
    tell.says("with $p=#$: $p-y$ is $#$ for a label 1 and $#$ for a label 0; $p(1-p)=#=#$ for both.",
              0.5, -0.5, 0.5, 0.25, 0.25)  # fmt: skip
    tell.says("$G=#$, $H=#$.", float(sum(rows[0][1])), 1.75)
    for c, G, H, score in rows:
        tell.says("**Behind instance #:** $G_L=#$, $G_R=#$, $H_L=#$, $H_R=#$;", str(c), *map(float, [*G, *H]))
        template, told = chain(score)
        lines = f"$$\n\\begin{{aligned}}\n&#\\\\\n&\\quad={template}\n\\end{{aligned}}\n$$"
        tell.says(lines, float(score), *map(float, told))
    made = best[3] > gamma
    relation = ">" if made else "<"
    tell.says(f"is behind instance #: $#{relation}#$, so it is {'' if made else 'not '}made.", str(best[0]),
              float(best[3]), float(gamma))  # fmt: skip
    parts = [chain(v) for v in values]
    tell.says(f"the values $#={parts[0][0]}$ and $#={parts[1][0]}$.",
              *(float(v) for value, (_, told) in zip(values, parts, strict=True) for v in (value, *told)))  # fmt: skip
    tell.done()

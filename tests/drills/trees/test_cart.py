"""Drills on classification and regression trees: worked again in fractions, and by scikit-learn's trees."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sklearn.tree

from notes_lib.trees.cart import category_split, gini, gini_gain
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

TOPICS = ["gini-split", "regression-split"]
QUESTIONS = ["owns a house", "has a job"]


def impurity(counts):
    n = sum(counts)
    return 1 - sum(Fraction(c, n) ** 2 for c in counts)


def work_gini(given):
    """Sides of both questions, their Gini indices, the index after each split, the sorted categories and both cuts."""
    totals, cells = given["totals"], given["cells"]
    sides = [[yes, [t - v for t, v in zip(totals, yes, strict=True)]] for yes in given["yes"]]
    after = [sum(sum(s) * impurity(s) for s in pair) / sum(totals) for pair in sides]
    order = sorted(range(3), key=lambda k: Fraction(cells[k][0], sum(cells[k])))
    cuts = []
    for k in (1, 2):
        groups = [[sum(cells[j][c] for j in part) for c in (0, 1)] for part in (order[:k], order[k:])]
        cuts.append((groups, sum(sum(g) * impurity(g) / 2 for g in groups)))
    return sides, after, order, cuts


@pytest.mark.equation("cart-gini", "cart-gini-gain", "cart-categories")
@each_seed()
def test_gini_answer(seed):
    drill = drawn("gini-split", seed)
    g, answer = drill.given, drill.answer
    sides, after, order, cuts = work_gini(g)
    parent = impurity(g["totals"])
    assert answer["parent"] == pytest.approx(float(parent), abs=1e-12)
    assert answer["parent"] == pytest.approx(float(gini(np.array(g["totals"]) / sum(g["totals"]))), abs=1e-12)
    assert answer["after"] == pytest.approx([float(v) for v in after], abs=1e-12)
    assert answer["gains"] == pytest.approx([gini_gain(*pair) for pair in sides], abs=1e-12)
    assert min(answer["gains"]) > 0
    assert answer["question"] == QUESTIONS[int(answer["gains"][1] > answer["gains"][0])]
    assert answer["order"] == ["PQR"[k] for k in order]
    labels = [label for cell in g["cells"] for label, c in zip((1, 0), cell, strict=True) for _ in range(c)]
    names = ["PQR"[k] for k, cell in enumerate(g["cells"]) for _ in range(sum(cell))]
    found = category_split(names, labels)
    assert found.loss == pytest.approx(float(min(loss for _, loss in cuts)), abs=1e-12)
    assert len(answer["left"]) == (1 if cuts[0][1] <= cuts[1][1] else 2)
    assert answer["left"] == answer["order"][: len(answer["left"])]
    others = [[k for k in range(3) if m >> k & 1] for m in range(1, 4)]
    assert len(others) == answer["splits"]
    assert (answer["splits"], answer["compared"]) == (3, 2)


def work_regression(given):
    x, y = given["x"], given["y"]
    cuts = [(Fraction(a + b, 2), Fraction(sum(y[:k]), k), Fraction(sum(y[k:]), 5 - k))
            for k, (a, b) in enumerate(pairwise(x), 1)]  # fmt: skip
    mean = Fraction(sum(y), 5)
    total = sum((v - mean) ** 2 for v in y)
    gains = [total - sum((v - (a if u < t else b)) ** 2 for u, v in zip(x, y, strict=True)) for t, a, b in cuts]
    best = max(range(4), key=lambda k: gains[k])
    t, a, b = cuts[best]
    fitted = [a if u < t else b for u in x]
    return mean, total, cuts, gains, best, fitted


@pytest.mark.equation("cart-loss", "cart-leaf-mean", "cart-gain", "cart-worst")
@each_seed()
def test_regression_answer(seed):
    drill = drawn("regression-split", seed)
    g, answer = drill.given, drill.answer
    mean, total, cuts, gains, best, fitted = work_regression(g)
    assert (answer["mean"], answer["total"]) == (mean, total)
    assert answer["gains"] == pytest.approx([float(v) for v in gains], abs=1e-10)
    assert sorted(gains)[-1] - sorted(gains)[-2] > 2
    X = np.array(g["x"])[:, None]
    peer = sklearn.tree.DecisionTreeRegressor(max_depth=1).fit(X, g["y"])
    assert answer["threshold"] == peer.tree_.threshold[0] == cuts[best][0]
    assert answer["leaves"] == pytest.approx(peer.tree_.value[1:, 0, 0].tolist())
    assert answer["prediction"] == pytest.approx(peer.predict([[g["query"]]])[0])
    assert answer["worst"] == pytest.approx(np.abs(peer.predict(X) - g["y"]).max())
    assert answer["worst"] == pytest.approx(float(max(abs(v - f) for v, f in zip(g["y"], fitted, strict=True))))


def test_queries_lie_on_both_sides():
    sides = {drawn("regression-split", s).given["query"] <= drawn("regression-split", s).answer["threshold"]
             for s in range(20)}  # fmt: skip
    assert sides == {True, False}


def chain(value):
    """Templates of a value: a whole number stands alone."""
    return ("#", [value]) if value.denominator == 1 else (r"#\approx#", [value, value])


@each_seed()
def test_every_number_of_the_gini_split(seed):
    drill = drawn("gini-split", seed)
    g = drill.given
    sides, after, order, cuts = work_gini(g)
    totals, n, parent = g["totals"], sum(g["totals"]), impurity(g["totals"])
    ask, tell = pages(drill)
    ask.says("Of # applicants # were accepted and # refused.", str(n), *map(str, totals))
    ask.table(*([name, *(f"{s[0]} / {s[1]}" for s in pair)] for name, pair in zip(QUESTIONS, sides, strict=True)))
    told = ", ".join(f"{name} with {c[0]} / {c[1]}" for name, c in zip("PQR", g["cells"], strict=True))
    ask.says("categories # (accepted / refused).", told)
    ask.done()
    tell.says(r"**All:** $#=#\approx#$.", *[float(parent)] * 3)
    for name, pair, total in zip(QUESTIONS, sides, after, strict=True):
        a, b = (float(impurity(s)) for s in pair)
        tell.says(f"**Question: {name}.** Yes: $#=#$. No: $#=#$.", a, a, b, b)
        (weighted, both), (gain, values) = chain(total), chain(parent - total)
        tell.says(f"Weighted: $#={weighted}$. Gain: $#={gain}$.", float(total), *map(float, both),
                  float(parent - total), *map(float, values))  # fmt: skip
    tell.says("The larger gain has the question: #.", drill.answer["question"])
    shares = [Fraction(g["cells"][k][0], sum(g["cells"][k])) for k in order]
    tell.says(f"the shares are {', '.join('PQR'[k] + ' $#$' for k in order)}. Three", *map(float, shares))
    tell.says("have $#=#$ splits; only the $#=#$ cuts", 3, 3, 2, 2)
    parts = []
    for k, (_, loss) in enumerate(cuts, 1):
        left, right = (", ".join("PQR"[j] for j in part) for part in (order[:k], order[k:]))
        template, values = chain(loss)
        parts.append((f"{{{left}}} against {{{right}}}: $#={template}$", [loss, *values]))
    tell.says(r"Sums of $n_Lp_L(1-p_L)+n_Rp_R(1-p_R)$: " + "; ".join(t for t, _ in parts) + ". The best left set is "
              "{#}.", *(float(v) for _, values in parts for v in values), ", ".join(drill.answer["left"]))  # fmt: skip
    tell.done()


@each_seed()
def test_every_number_of_the_regression_split(seed):
    drill = drawn("regression-split", seed)
    g = drill.given
    mean, total, cuts, gains, best, fitted = work_regression(g)
    ask, tell = pages(drill, {"x": g["query"]})
    points = ", ".join(["$#$"] * 5)
    ask.says(f"points $(x, y)$: {points}.", *zip(g["x"], g["y"], strict=True))
    ask.says("Predict at $x=#$ (3", g["query"])
    ask.done()
    tell.says("the mean $#=#$, with $#=#$.", *[float(mean)] * 2, *[float(total)] * 2)
    tell.table(
        *(
            [("$#$", float(t)), ("$#=#$", float(a), float(a)), ("$#=#$", float(b), float(b)),
             (f"$#={chain(gain)[0]}$", *map(float, [gain, *chain(gain)[1]]))]
            for (t, a, b), gain in zip(cuts, gains, strict=True)
        )
    )  # fmt: skip
    t, a, b = cuts[best]
    tell.says("is that of the cut $#$; the leaves hold $#$ and $#$.", float(t), float(a), float(b))
    leaf = a if g["query"] < t else b
    side = "at most" if g["query"] < t else "above"
    template, values = chain(leaf)
    tell.says(f"The query $x=#$ is {side} the cut: the prediction is ${template}$.", g["query"], *map(float, values))
    errors = [abs(v - f) for v, f in zip(g["y"], fitted, strict=True)]
    template, values = chain(max(errors))
    tell.says(f"are {', '.join(['$#=#$'] * 5)}. The largest is ${template}$.",
              *(float(e) for e in errors for _ in range(2)), *map(float, values))  # fmt: skip
    tell.done()

"""The drill on support vector regression: answers recomputed in fractions, without the library."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.exact import dot, exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def line(g):
    """Weight, bias and residuals in fractions; every free row must give the same bias."""
    x, y, beta, C, epsilon = (exact(g[key]) for key in ("x", "y", "beta", "C", "epsilon"))
    w = dot(beta, x)
    free = [(k, 1 if b > 0 else -1) for k, b in enumerate(beta) if 0 < abs(b) < C]
    biases = {y[k] - s * epsilon - w * x[k] for k, s in free}
    assert len(biases) == 1
    b = biases.pop()
    return w, b, [t - w * v - b for v, t in zip(x, y, strict=True)]


def place(beta, C):
    return {-1: "below", 1: "above"}[beta / C] if abs(beta) == C else (
        "inside" if beta == 0 else "upper edge" if beta > 0 else "lower edge")  # fmt: skip


@pytest.mark.equation("svr-stationary-w", "svr-bias-free", "svr-cases", "svr-risk", "svr-dual", "svr-loss")
@each_seed()
def test_tube_in_fractions(seed):
    _, g, answer = load("svr-tube", seed)
    beta, C, epsilon = (exact(g[key]) for key in ("beta", "C", "epsilon"))
    w, b, r = line(g)
    assert sum(beta) == 0
    for value, residual in zip(beta, r, strict=True):  # the coefficients are optimal
        case = place(value, C)
        assert {
            "below": residual <= -epsilon,
            "lower edge": residual == -epsilon,
            "inside": abs(residual) <= epsilon,
            "upper edge": residual == epsilon,
            "above": residual >= epsilon,
        }[case]
    assert answer["places"] == [place(value, C) for value in beta]
    assert near(answer["w"], w)
    assert near(answer["b"], b)
    assert all(near(p, q) for p, q in zip(answer["residuals"], r, strict=True))
    slack = [max(Fraction(0), abs(v) - epsilon) for v in r]
    assert all(near(p, q) for p, q in zip(answer["slack"], slack, strict=True))
    primal = w * w / 2 + C * sum(slack)
    assert near(answer["primal"], primal)
    assert near(answer["dual"], primal)  # no gap
    f = w * exact(g["query"]) + b
    assert near(answer["prediction"], f)
    assert near(answer["loss"], max(Fraction(0), abs(exact(g["target"]) - f) - epsilon))
    assert g["query"] not in g["x"]


def test_every_place_is_drawn_and_the_numbers_are_small():
    drills = [drawn("svr-tube", seed) for seed in SEEDS]
    assert {p for d in drills for p in d.answer["places"]} == {"below", "lower edge", "inside", "upper edge", "above"}
    assert {len(d.given["x"]) for d in drills} == {5, 6}
    assert {d.given["C"] for d in drills} == {0.5, 1.0, 2.0}
    assert {d.answer["loss"] > 0 for d in drills} == {True, False}
    assert all(abs(v) < 40 for d in drills for v in d.given["y"])
    assert all("inside" in d.answer["places"] and max(d.answer["slack"]) > 0 for d in drills)


@each_seed()
def test_every_number_of_a_tube(seed):
    drill = drawn("svr-tube", seed)
    g, places = drill.given, drill.answer["places"]
    x, y, beta = (np.array(g[key]) for key in ("x", "y", "beta"))
    C, epsilon, query, target = g["C"], g["epsilon"], g["query"], g["target"]
    w, b, r = line(g)
    w, b, r = float(w), float(b), np.array(r, dtype=float)
    f, slack = w * x + b, np.maximum(np.abs(r) - epsilon, 0)
    symbols = {"C": C, r"\varepsilon": epsilon, "w": w, "b": b, "x": query, "y": target, "f(x)": w * query + b}
    for k in range(len(x)):
        symbols |= {rf"\beta_{k + 1}": beta[k], f"y_{k + 1}": y[k], f"x_{k + 1}": x[k]}
    rows = [[k + 1, x[k], y[k], beta[k]] for k in range(len(x))]
    ask, tell = pages(drill, symbols)
    ask.says(r"has these optimal coefficients $\beta_n = \alpha_n - \alpha_n^*$.")
    ask.says(r"every residual $r_n = y_n - f(x_n)$ (2")
    ask.table(*([*row, None, None, None, None] for row in rows))
    ask.done()
    products = " + ".join(r"# \cdot #" for _ in np.flatnonzero(beta))
    values = [v for k in np.flatnonzero(beta) for v in (beta[k], x[k])]
    tell.says(r"rows with $\beta_n = 0$ drop out")
    tell.says(rf"$w = \sum_n \beta_n x_n = {products} = #$.", *values, w)
    s = next(k for k, v in enumerate(beta) if 0 < abs(v) < C)
    side, sign = ("upper", "-") if beta[s] > 0 else ("lower", "+")
    tell.says(rf"$\beta_{s + 1}$ lies strictly between $-C$ and $C$ and is not 0, so row {s + 1} lies exactly on")
    tell.says(rf" the {side} edge and $b = y_{s + 1} {sign} \varepsilon - w x_{s + 1} = #$.", b)
    tell.says(r"A row with $\beta_n = \pm C$ may have slack and must not be used.")
    tell.table(*([*row, f[k], r[k], places[k], slack[k]] for k, row in enumerate(rows)))
    tell.says(r"half of $w^2$ and $C$ times all slack, $#$.", w * w / 2 + C * slack.sum())
    tell.says(r"less half of $w^2$: $#$.", y @ beta - epsilon * np.abs(beta).sum() - w * w / 2)
    miss = abs(target - w * query - b)
    tell.says("It misses the target by $#$, ", miss)
    if miss > epsilon:
        tell.says("so the loss is $#$.", miss - epsilon)
    else:
        tell.says(r"less than $\varepsilon$, so the loss is 0.")
    tell.done()
    assert math.isclose(drill.answer["primal"], drill.answer["dual"])

"""Drills on logistic regression: answers recomputed from the given numbers, without the library."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.drills.arithmetic import CARRIED
from tests.drills.exact import load
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

LN2 = math.log(2)


def logs(k):
    return {-1: r"-\ln 2", 0: "0", 1: r"\ln 2"}.get(k, rf"{k} \ln 2")


def sigmoid(k):
    """Probability in fractions for the log-odds k ln 2: one over one plus the odds against."""
    return 1 / (1 + Fraction(2) ** -k)


@pytest.mark.equation("logistic-regression-odds", "logistic-regression-model", "logistic-regression-threshold")
@each_seed()
def test_odds(seed):
    drill, g, answer = load("odds", seed)
    (a, b), x, more, cut = g["w"], g["x"], g["more"], Fraction(g["threshold"])
    p = lambda v: 1 / (1 + math.exp(-(a + b * v) * LN2))
    assert answer["log_odds"] == a + b * x != 0
    assert answer["probability"] == pytest.approx(p(x), rel=1e-12)
    assert answer["odds"] == pytest.approx(p(x) / (1 - p(x)), rel=1e-9)
    assert answer["after"] == pytest.approx(p(x + more), rel=1e-12)
    ratio = p(x + more) / (1 - p(x + more)) / (p(x) / (1 - p(x)))
    assert answer["ratio"] == pytest.approx(ratio, rel=1e-9)
    assert p(answer["half"]) == pytest.approx(0.5, rel=1e-12)
    assert p(answer["other"]) == pytest.approx(float(cut), rel=1e-12)
    at, after, odds = a + b * x, a + b * (x + more), cut / (1 - cut)
    two = lambda k: float(Fraction(2) ** k)
    symbols = {"z": at * LN2, "e^z": two(at), "p": p(x), "w_0": a * LN2, "w_1": b * LN2, "x": x}
    ask, tell = pages(drill, symbols)
    ask.says(r"with $w_0 = #$ and $w_1 = #$.", a * LN2, b * LN2)
    ask.says(r"the log-odds at $x = #$ as a multiple of $\ln 2$, and the", x)
    ask.says("class 1 at $x = #$ (1 mark)", x)
    ask.says("of class 1, with")
    ask.says("the probability of class 1")
    ask.says("when $x$ grows by #?", str(more))
    ask.says(r"of the threshold $\frac12$ (1")
    ask.says("of the threshold $#$ (2", float(cut))
    ask.done()
    tell.says(r"so the odds are $e^z = 2^{#} = #$.", float(at), two(at))
    tell.says(r"$e^{# w_1} = 2^{#} = #$, whatever", float(more), float(b * more), two(b * more))
    tell.says(r"The odds become $# = #$, the probability $#$:", two(after), two(after), p(x + more))
    tell.says(r"the odds are 1, so $z = 0$ and $x = -\frac{w_0}{w_1} = #$.", -a / b)
    z = math.log(odds)
    tell.says(r"the odds are $#$, so $z = #$ and $x = \frac{z - w_0}{w_1} = #$.", float(odds), z, answer["other"])
    tell.done()


@pytest.mark.equation("logistic-regression-gradient", "logistic-regression-descent")
@each_seed()
def test_gradient_step(seed):
    drill, g, answer = load("logistic-gradient-step", seed)
    x, y, slope, lam, eta, query = g["x"], g["y"], g["slope"], g["lambda"], Fraction(g["eta"]), g["query"]
    p = [sigmoid(slope * v) for v in x]
    r = [a - b for a, b in zip(p, y, strict=True)]
    data = [sum(r), sum(v * a for v, a in zip(x, r, strict=True))]
    pull = lam * slope * LN2
    gradient = [float(data[0]), float(data[1]) + pull]
    new = [-float(eta) * gradient[0], slope * LN2 - float(eta) * gradient[1]]
    z = new[0] + new[1] * query
    assert 0 < sum(y) < len(y)
    assert 0 not in [*data, query]
    assert answer["p"] == pytest.approx([float(v) for v in p], rel=1e-12)
    assert answer["residuals"] == pytest.approx([float(v) for v in r], rel=1e-12)
    assert answer["gradient"] == pytest.approx(gradient, rel=1e-7)
    assert answer["new"] == pytest.approx(new, rel=1e-6, abs=1e-8)
    assert answer["score"] == pytest.approx(z, abs=1e-7)
    assert abs(z) > 0.05
    assert answer["label"] == (z > 0)
    column = lambda v: np.array(v)[:, None]
    symbols = {r"\lambda": lam, r"\eta": float(eta), r"\mathbf{w}": column([0.0, slope * LN2]), "w_1": slope * LN2}
    symbols |= {r"\nabla J": column(gradient), "z": z}
    ask, tell = pages(drill, symbols, CARRIED)
    ask.says(r"$J(\mathbf{w}) = \sum_n \big[\log(1 + e^{z_n}) - y_n z_n\big] + \frac{\lambda}{2} w_1^2$ with")
    ask.says(r"with $z_n = w_0 + w_1 x_n$ is")
    ask.says(r"$\ln 2 = #$.", LN2)
    ask.says(r"from $\mathbf{w} = (0, " + logs(slope) + r")^\top$.")
    ask.says("give $x = #$ at the", query)
    ask.table(*([n, a, b, None, None, None] for n, (a, b) in enumerate(zip(x, y, strict=True), 1)))
    ask.done()
    tell.says("odds are powers of 2.")
    rows = zip(x, y, p, r, strict=True)
    tell.table(*([n, a, b, f"${logs(slope * a)}$", float(q), float(e)] for n, (a, b, q, e) in enumerate(rows, 1)))
    sums = [float(v) for v in data]
    tell.says(r"$\sum_n (p_n - y_n) = #$ and $\sum_n x_n (p_n - y_n) = #$.", *sums)
    side = ">" if z > 0 else "<"
    tell.says(rf"$z = # {side} 0$, so class #.", z, "1" if z > 0 else "0")
    tell.done()


@pytest.mark.equation("logistic-regression-newton", "logistic-regression-hessian", "logistic-regression-irls")
@each_seed()
def test_newton_step(seed):
    drill, g, answer = load("newton-logistic", seed)
    X, y, lam = np.array(g["X"], dtype=float), np.array(g["y"]), float(Fraction(g["lambda"]))
    query, n = np.array(g["query"]), len(y)
    t = np.where(y == 1, 2.0, -2.0)
    # ridge regression of the working responses, rows weighted by one quarter, by rows that stand for the penalty
    A = np.vstack([X / 2, np.sqrt(lam) * np.eye(2)])
    new = np.linalg.lstsq(A, np.r_[t / 2, 0, 0], rcond=None)[0]
    gradient = -X.T @ (y - 0.5)
    H = sum(np.outer(v, v) for v in X) / 4 + lam * np.eye(2)
    label = int(new @ query > 0)
    assert answer["response"] == t.tolist()
    assert answer["weights"] == [0.25] * n
    assert answer["gradient"] == gradient.tolist()
    assert np.allclose(answer["hessian"], H, rtol=1e-12)
    assert answer["new"] == pytest.approx(new, rel=1e-7)
    assert answer["label"] == label
    assert 0 < y.sum() < n
    assert 0 not in [*gradient, *new.round(12), round(float(new @ query), 12), H[0, 1], *query]
    symbols = {r"\lambda": lam, r"\mathbf{H}": H, r"\det": np.linalg.det(H), r"\mathbf{x}": query[:, None]}
    symbols |= {r"\mathbf{w}": new[:, None], r"\nabla J": gradient[:, None]}
    ask, tell = pages(drill, symbols)
    ask.says(r"with $z_n = \mathbf{w}^\top \mathbf{x}_n$, without")
    ask.says(r"\sum_n \big[\log(1 + e^{z_n}) - y_n z_n\big] + \frac{\lambda}{2} \lVert \mathbf{w} \rVert^2$ with")
    ask.says(r"with $\lambda = #$, from $\mathbf{w} = \mathbf{0}$.", lam)
    ask.table(*([k, v, int(b), None, None, None] for k, (v, b) in enumerate(zip(X, y, strict=True), 1)))
    ask.done()
    tell.says(r"$p_n = \sigma(0)$, $W_n = p_n (1 - p_n)$ and $t_n = z_n + \frac{y_n - p_n}{W_n}$, which is 2 or $-2$.")
    tell.table(*([k, v, int(b), 0.5, 0.25, s] for k, (v, b, s) in enumerate(zip(X, y, t, strict=True), 1)))
    tell.says(r"$\sum_n x_{n1} (p_n - y_n) = #$ and $\sum_n x_{n2} (p_n - y_n) = #$; the", *gradient)
    side = ">" if label else "<"
    tell.says(r"because $\mathbf{w} = \mathbf{0}$.")
    tell.says(rf"$\mathbf{{w}}^\top \mathbf{{x}} = # {side} 0$, so class #.", float(new @ query), str(label))
    tell.says(r"$\mathbf{w} = -\mathbf{H}^{-1} \nabla J = #$.", new[:, None])
    tell.done()


def test_both_labels_signs_and_strengths_are_drawn():
    assert {drawn("newton-logistic", seed).answer["label"] for seed in SEEDS} == {0, 1}
    assert {drawn("logistic-gradient-step", seed).answer["label"] for seed in SEEDS} == {0, 1}
    assert {drawn("logistic-gradient-step", seed).given["slope"] for seed in SEEDS} == {-1, 1}
    assert {drawn("odds", seed).given["w"][1] for seed in SEEDS} == {-2, -1, 1, 2}

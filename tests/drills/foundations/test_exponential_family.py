"""Drills on exponential families: answers recomputed from the given numbers, without the library."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from tests.drills.exact import load
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

TOSSES = 4
# the peer of each density as a function of its parameter; what T is; the usual parameter from the mean of T
PEERS = {
    "Bernoulli": (stats.bernoulli, lambda m: m),
    "binomial": (lambda t: stats.binom(TOSSES, t), lambda m: m / TOSSES),
    "Poisson": (stats.poisson, lambda m: m),
    "geometric": (lambda t: stats.geom(t, loc=-1), lambda m: 1 / (1 + m)),
    "exponential": (lambda t: stats.expon(scale=1 / t), lambda m: 1 / m),
    "Rayleigh": (lambda s: stats.rayleigh(scale=math.sqrt(s)), lambda m: m / 2),
}
BASE = {"binomial": lambda x: math.comb(TOSSES, x), "Poisson": lambda x: 1 / math.factorial(x), "Rayleigh": lambda x: x}


def statistic(name, x):
    return x * x if name == "Rayleigh" else x


@pytest.mark.equation("exponential-family-form", "exponential-family-mean", "exponential-family-variance")
@pytest.mark.equation("exponential-family-moments")
@each_seed()
def test_the_natural_form_is_the_density(seed):
    _, g, answer = load("exponential-family", seed)
    name, x = g["density"], g["x"]
    make, invert = PEERS[name]
    peer = make(float(Fraction(g["parameter"])))
    log_density = peer.logpdf if name in ("exponential", "Rayleigh") else peer.logpmf
    h = BASE.get(name, lambda x: 1)
    for v in sorted(set(x)):
        form = math.log(h(v)) + answer["eta"] * statistic(name, v) - answer["partition"]
        assert form == pytest.approx(log_density(v), rel=1e-10, abs=1e-12)
    if name == "Rayleigh":
        mean, var = peer.moment(2), peer.moment(4) - peer.moment(2) ** 2
    else:
        mean, var = peer.stats("mv")
    assert answer["mean"] == pytest.approx(float(mean), rel=1e-9)
    assert answer["variance"] == pytest.approx(float(var), rel=1e-9)
    T = Fraction(sum(statistic(name, v) for v in x), len(x))
    assert answer["statistic"] == pytest.approx(float(T), rel=1e-12)
    assert answer["estimate"] == pytest.approx(float(invert(T)), rel=1e-12)
    best = answer["estimate"]
    density = lambda t: sum((make(t).logpdf if name in ("exponential", "Rayleigh") else make(t).logpmf)(v) for v in x)
    assert density(best) > max(density(best * 1.01), density(best * 0.99))
    assert 4 <= len(x) <= 5
    assert max(x) <= 9


@each_seed()
def test_every_number_of_a_natural_form(seed):
    drill, g, answer = load("exponential-family", seed)
    name, x, usual = g["density"], g["x"], float(Fraction(g["parameter"]))
    symbol = {"Rayleigh": "s", "Poisson": r"\lambda", "exponential": r"\lambda"}.get(name, r"\theta")
    T = [statistic(name, v) for v in x]
    mean = sum(T) / len(T)
    symbols = {symbol: usual, r"\eta": answer["eta"], "a": answer["partition"], r"\bar T": mean}
    symbols |= {"a'(\\eta)": answer["mean"], "a''(\\eta)": answer["variance"], "a'(\\hat\\eta)": mean}
    symbols |= {rf"\hat {symbol}": PEERS[name][1](mean)}
    ask, tell = pages(drill, symbols)
    ask.says(r"$\ln 2 = #$, $\ln 3 = #$, $\ln 5 = #$.", *np.log([2, 3, 5]))
    start = {
        "Bernoulli": r"$p(x) = \theta^x (1 - \theta)^{1 - x}$ for $x \in \{0, 1\}$",
        "binomial": r"$p(x) = \binom{4}{x} \theta^x (1 - \theta)^{4 - x}$ for $x \in \{0, \ldots, 4\}$",
        "Poisson": r"$p(x) = \frac{\lambda^x e^{-\lambda}}{x!}$ for $x \in \{0, 1, 2, \ldots\}$",
        "geometric": r"$p(x) = \theta (1 - \theta)^x$ for $x \in \{0, 1, 2, \ldots\}$",
        "exponential": r"$p(x) = \lambda e^{-\lambda x}$ for $x > 0$",
        "Rayleigh": r"$p(x) = \frac{x}{s} e^{-x^2/(2s)}$ for $x > 0$",
    }[name]
    ask.says(f"{start}, with ${symbol} = #$", usual)
    ask.says(r"with $T(x) = " + ("x^2" if name == "Rayleigh" else "x") + "$")
    ask.says(f"the data are ${', '.join('#' for _ in x)}$.", *x)
    ask.done()
    h = {"binomial": r"\binom{4}{x}", "Poisson": r"\frac{1}{x!}", "Rayleigh": "x"}.get(name, "1")
    tell.says(f"$h(x) = {h}$.")
    tell.done()


def test_a_value_is_not_printed_twice():
    texts = [drawn("exponential-family", seed).solution for seed in SEEDS]
    assert not [found for text in texts for found in re.findall(r"= (-?[\d.]+) = \1\b", text)]
    assert any("= -0.5$" in text or r"\ln" in text for text in texts)  # decimals stand beside what they are worth
    assert {len(drawn("exponential-family", seed).given["x"]) for seed in SEEDS} == {4, 5}


def test_every_density_is_drawn():
    names = {drawn("exponential-family", seed).given["density"] for seed in SEEDS}
    assert names == set(PEERS)
    kinds = [(g["model"], g["slope"]) for g in (drawn("glm-newton-step", seed).given for seed in SEEDS)]
    assert set(kinds) == {(model, slope) for model in ("poisson", "logistic") for slope in (-1, 0, 1)}


def newton(g):
    """Means, weights, residuals, sums of weights, gradient and step in fractions."""
    x, y = g["x"], g["y"]
    odds = [Fraction(2) ** (g["slope"] * v) for v in x]
    mu = odds if g["model"] == "poisson" else [1 - 1 / (1 + o) for o in odds]
    W = mu if g["model"] == "poisson" else [m - m * m for m in mu]
    r = [b - m for b, m in zip(y, mu, strict=True)]
    gradient = [sum(r), sum(v * e for v, e in zip(x, r, strict=True))]
    S = [sum(w * v**k for v, w in zip(x, W, strict=True)) for k in (0, 1, 2)]
    step_1 = (gradient[1] * S[0] - gradient[0] * S[1]) / (S[0] * S[2] - S[1] ** 2)  # by elimination
    return mu, W, r, S, gradient, [(gradient[0] - S[1] * step_1) / S[0], step_1]


@pytest.mark.equation("exponential-family-glm-gradient", "exponential-family-glm-hessian", "exponential-family-irls")
@each_seed()
def test_newton_step_in_fractions(seed):
    _, g, answer = load("glm-newton-step", seed)
    mu, W, _, S, gradient, step = newton(g)
    assert 3 <= len(g["x"]) <= 4
    assert set(g["y"]) <= set(range(2 if g["model"] == "logistic" else 6))
    assert 0 not in [*gradient, *step]  # else a sign or a factor may be wrong unseen
    assert max(abs(v) for v in step) < 6
    assert max(v.denominator for v in [*gradient, *S, *step]) <= 300
    assert answer["mu"] == pytest.approx([float(v) for v in mu], rel=1e-12)
    assert answer["weights"] == pytest.approx([float(v) for v in W], rel=1e-12)
    assert answer["gradient"] == pytest.approx([float(v) for v in gradient], rel=1e-9)
    assert np.allclose(answer["hessian"], -np.array([[S[0], S[1]], [S[1], S[2]]], dtype=float), atol=1e-11)
    assert answer["step"] == pytest.approx([float(v) for v in step], rel=1e-8)
    start = [0.0, g["slope"] * math.log(2)]
    assert answer["new"] == pytest.approx([a + float(b) for a, b in zip(start, step, strict=True)], abs=1e-8)


@each_seed()
def test_every_number_of_a_newton_step(seed):
    drill, g, _ = load("glm-newton-step", seed)
    mu, W, r, S, gradient, step = newton(g)
    x, y, slope = g["x"], g["y"], g["slope"]
    numbers = lambda values: [float(v) for v in values]
    eta = [{-1: r"$-\ln 2$", 0: "0", 1: r"$\ln 2$", 2: r"$2 \ln 2$"}[slope * v] for v in x]
    H = np.array([[S[0], S[1]], [S[1], S[2]]], dtype=float)
    symbols = {r"\det": float(S[0] * S[2] - S[1] ** 2), r"\mathbf{d}": np.array(numbers(step))[:, None]}
    symbols |= {r"\mathbf{w}": symbols[r"\mathbf{d}"] + [[0.0], [slope * math.log(2)]]}
    ask, tell = pages(drill, symbols)
    ask.says(r"\mu = \frac{1}{1 + e^{-\eta}}$" if g["model"] == "logistic" else r"\mu = e^\eta$")
    ask.says(r"and $\eta_n = w_0 + w_1 x_n$ is")
    ask.says(r"from $\mathbf{w} = (0, " + ["0", r"\ln 2", r"-\ln 2"][slope] + r")^\top$")
    ask.says(r"$\ln 2 = #$.", math.log(2))
    ask.table(*([n, a, b, None, None, None, None] for n, (a, b) in enumerate(zip(x, y, strict=True), 1)))
    ask.done()
    tell.says(r"$W_n = \mu_n (1 - \mu_n)$." if g["model"] == "logistic" else r"$W_n = \mu_n$.")
    rows = zip(x, y, eta, numbers(mu), numbers(W), numbers(r), strict=True)
    tell.table(*([n, *row] for n, row in enumerate(rows, 1)))
    tell.says(r"$\sum_n (y_n - \mu_n) = #$ and $\sum_n x_n (y_n - \mu_n) = #$.", *numbers(gradient))
    tell.says(r"$\sum_n W_n = #$, $\sum_n x_n W_n = #$, $\sum_n x_n^2 W_n = #$, so", *numbers(S))
    tell.says(r"$\mathbf{X}^\top \mathbf{W} \mathbf{X} = #$, and", H)
    tell.says(r"$-\mathbf{X}^\top \mathbf{W} \mathbf{X}$.")
    tell.says(
        r"$\mathbf{d} = (\mathbf{X}^\top \mathbf{W} \mathbf{X})^{-1} \mathbf{X}^\top (\mathbf{y} - \boldsymbol{\mu})$"
    )
    tell.done()

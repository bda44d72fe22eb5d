"""Drills on Gaussian classes: answers recomputed from the given parameters by Bayes' theorem, without the library."""

import math
from fractions import Fraction

import numpy as np
import pytest

from notes_lib.drills.judge import judge
from tests.drills.arithmetic import CARRIED
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def four(value):
    """A number rounded to four significant digits."""
    return float(f"{value:.4g}")


def joint(x, means, covariances, priors):
    """Prior times density of each class, as the formula of the density reads."""
    out = []
    for m, S, p in zip(means, covariances, priors, strict=True):
        S, d = np.atleast_2d(S), np.atleast_1d(x) - np.atleast_1d(m)
        square = d @ np.linalg.inv(S) @ d
        out.append(p * math.exp(-square / 2) / math.sqrt((2 * math.pi) ** len(d) * np.linalg.det(S)))
    return out


# -------------------------------------------------------------------------------------------------------- lda-boundary


@pytest.mark.equation("gaussian-discriminant-weights", "gaussian-discriminant-bias")
@each_seed()
def test_log_odds_of_two_classes(seed):
    drill = drawn("lda-boundary", seed)
    g, answer = drill.given, drill.answer
    (a, b), (_, c) = [[Fraction(v) for v in row] for row in g["covariance"]]
    det = a * c - b * b
    inverse = [[c / det, -b / det], [-b / det, a / det]]
    delta = [Fraction(v) - Fraction(u) for u, v in zip(*g["means"], strict=True)]
    assert np.allclose(answer["inverse"], np.array(inverse, dtype=float), rtol=1e-12)
    assert np.allclose(
        answer["weights"], [float(sum(r * v for r, v in zip(row, delta, strict=True))) for row in inverse]
    )
    priors = [s / sum(g["shares"]) for s in g["shares"]]
    for point, value in [([0.0, 0.0], answer["bias"]), (g["query"], answer["score"])]:
        p = joint(np.array(point), g["means"], [g["covariance"]] * 2, priors)
        assert math.isclose(value, math.log(p[1] / p[0]), rel_tol=1e-6, abs_tol=1e-8)
    assert answer["label"] == (2 if answer["score"] > 0 else 1)


@each_seed()
def test_every_number_of_a_linear_border(seed):
    drill = drawn("lda-boundary", seed)
    g = drill.given
    mu, x, Sigma, (n_1, n_2) = np.array(g["means"]), np.array(g["query"]), np.array(g["covariance"]), g["shares"]
    inverse = np.linalg.inv(Sigma)
    w = inverse @ (mu[1] - mu[0])
    b = math.log(n_2 / n_1) - w @ mu.sum(axis=0) / 2
    symbols = {r"\boldsymbol{\mu}_1": mu[0], r"\boldsymbol{\mu}_2": mu[1], r"\boldsymbol{\Sigma}": Sigma, "b": b}
    symbols |= {r"\boldsymbol{\Sigma}^{-1}": inverse, r"\mathbf{w}": w, r"\mathbf{x}": x}
    symbols |= {r"\pi_1": n_1 / (n_1 + n_2), r"\pi_2": n_2 / (n_1 + n_2)}
    ask, tell = pages(drill, symbols, CARRIED)
    ask.says("The log-odds of class 2 are $\\mathbf{w}^\\top\\mathbf{x} + b$. Find")
    ask.says(r"$\boldsymbol{\Sigma}^{-1}$ (2 marks),")
    ask.done()
    tell.says(r"$|\boldsymbol{\Sigma}| = # \cdot # - #^2 = #$, so",
              Sigma[0, 0], Sigma[1, 1], Sigma[0, 1], np.linalg.det(Sigma))  # fmt: skip
    tell.says("positive if class 2 is the more frequent one")
    tell.says(r"so $\mathbf{x}$ belongs to class #.", 2 if w @ x + b > 0 else 1)
    tell.done()


# ----------------------------------------------------------------------------------------------------- qda-boundary-1d


@pytest.mark.equation("gaussian-discriminant-qda-score")
@each_seed()
def test_quadratic_log_odds(seed):
    drill = drawn("qda-boundary-1d", seed)
    g, answer = drill.given, drill.answer
    priors = [s / sum(g["shares"]) for s in g["shares"]]

    def log_odds(x):
        p = joint(x, g["means"], g["variances"], priors)
        return math.log(p[1] / p[0])

    for x in [-2.0, -0.5, 1.0, 3.0]:
        value = answer["a"] * x * x + answer["b"] * x + answer["c"]
        assert math.isclose(value, log_odds(x), rel_tol=1e-6, abs_tol=1e-7)
    left, right = answer["borders"]
    assert left < right
    assert abs(log_odds(left)) < 1e-6
    assert abs(log_odds(right)) < 1e-6
    assert answer["inside"] == (2 if log_odds((left + right) / 2) > 0 else 1)
    assert answer["label"] == (2 if log_odds(g["query"]) > 0 else 1)


@each_seed()
def test_every_number_of_a_quadratic_border(seed):
    drill = drawn("qda-boundary-1d", seed)
    g, x = drill.given, drill.given["query"]
    (m, u), (v, z), (n_1, n_2) = g["means"], g["variances"], g["shares"]
    a, b = 1 / (2 * v) - 1 / (2 * z), u / z - m / v
    c = m * m / (2 * v) - u * u / (2 * z) + math.log(math.sqrt(v / z) * n_2 / n_1)
    roots = sorted(np.roots([a, b, c]))
    symbols = {"a": a, "b": b, "c": c, "D": b * b - 4 * a * c, "x_1": roots[0], "x_2": roots[1], "x": x}
    symbols |= {r"\pi_1": n_1 / (n_1 + n_2), r"\pi_2": n_2 / (n_1 + n_2)}
    ask, tell = pages(drill, symbols, CARRIED)
    ask.says(r"class 1 is $\mathcal{N}(#, #)$ and class 2 is $\mathcal{N}(#, #)$ (mean, variance)", m, v, u, z)
    ask.says("The log-odds of class 2 are $a x^2 + b x + c$.")
    ask.says("To which class does $x = #$ belong?", x)
    ask.done()
    between = 2 if a < 0 else 1
    sign, side = (">", "negative") if a > 0 else ("<", "positive")
    tell.says(f"$a {sign} 0$, so between the borders the log-odds are {side}: class #, the one", between)
    inside = roots[0] < x < roots[1]
    tell.says(f"$x = #$ lies {'between' if inside else 'outside'} the borders: class #.",
              x, between if inside else 3 - between)  # fmt: skip
    tell.done()


def test_both_classes_lie_between_the_borders_in_some_drill():
    assert {drawn("qda-boundary-1d", seed).answer["inside"] for seed in SEEDS} == {1, 2}


@each_seed()
def test_a_student_who_carries_four_digits_is_right(seed):
    drill = drawn("qda-boundary-1d", seed)
    g = drill.given
    (m, u), (v, z), (n_1, n_2) = g["means"], g["variances"], g["shares"]
    a, b = 1 / (2 * v) - 1 / (2 * z), u / z - m / v
    c = four((m * m / v - u * u / z) / 2 + four(math.log(v / z) / 2) + four(math.log(n_2 / n_1)))
    root = four(math.sqrt(four(b * b - 4 * a * c)))
    borders = sorted(four((-b + s * root) / (2 * a)) for s in (-1, 1))
    typed = {"c": f"{c}", "borders": f"{borders[0]}, {borders[1]}"}
    for field in drill.fields:
        if field.name in typed:
            assert judge(field, typed[field.name]).right, (field.name, typed[field.name], field.value)


# ------------------------------------------------------------------------------------------------------- lda-posterior


@pytest.mark.equation("gaussian-discriminant-lda-score", "gaussian-discriminant-softmax")
@each_seed()
def test_posterior_of_three_classes(seed):
    drill = drawn("lda-posterior", seed)
    g, answer = drill.given, drill.answer
    p = np.array(joint(np.array(g["query"]), g["means"], [np.diag(g["variances"])] * 3, [s / 4 for s in g["shares"]]))
    assert np.allclose(answer["posterior"], p / p.sum(), rtol=1e-6, atol=1e-8)
    assert np.allclose(np.diff(answer["scores"]), np.diff(np.log(p)), rtol=1e-6, atol=1e-7)
    at_zero = np.array(joint(np.zeros(2), g["means"], [np.diag(g["variances"])] * 3, [s / 4 for s in g["shares"]]))
    assert np.allclose(np.diff(answer["constants"]), np.diff(np.log(at_zero)), rtol=1e-6, atol=1e-7)
    assert answer["label"] == 1 + int(p.argmax())
    carried = np.exp([four(s) for s in answer["scores"]])
    typed = ", ".join(f"{four(v)}" for v in carried / carried.sum())
    (field,) = (f for f in drill.fields if f.name == "posterior")
    assert judge(field, typed).right


@each_seed()
def test_every_number_of_a_posterior(seed):
    drill = drawn("lda-posterior", seed)
    g = drill.given
    mu, v, shares, x = (np.array(g[key]) for key in ("means", "variances", "shares", "query"))
    w = mu / v
    constants = np.log(shares / 4) - (w * mu).sum(axis=1) / 2
    scores = w @ x + constants
    p = np.exp(scores) / np.exp(scores).sum()
    symbols = {r"\boldsymbol{\Sigma}": np.diag(v), r"\mathbf{x}": x}
    symbols |= {rf"\boldsymbol{{\mu}}_{k}": mu[k - 1] for k in (1, 2, 3)}
    symbols |= {rf"\pi_{k}": shares[k - 1] / 4 for k in (1, 2, 3)} | {
        f"w_{{{k},0}}": constants[k - 1] for k in (1, 2, 3)
    }
    ask, tell = pages(drill, symbols)
    ask.says(r"linear scores $\delta_k(\mathbf{x}) = \mathbf{w}_k^\top\mathbf{x} + w_{k,0}$.")
    ask.says("the constants $w_{k,0}$, with the priors (3")
    ask.table(*([k, None, None, None, None] for k in (1, 2, 3)))
    ask.done()
    tell.says(r"$\mathbf{w}_k = \boldsymbol{\Sigma}^{-1}\boldsymbol{\mu}_k$ divides")
    for k in range(3):
        tell.says(rf"- $w_{{{k + 1},0}} = -\frac{{1}}{{2}} (# \cdot # + # \cdot #) + \ln \frac{{#}}{{4}} = #$",
                  w[k, 0], mu[k, 0], w[k, 1], mu[k, 1], shares[k], constants[k])  # fmt: skip
    tell.says(r"$p(k \mid \mathbf{x}) = e^{\delta_k} / \sum_j e^{\delta_j}$.")
    tell.table(*([k + 1, w[k], constants[k], scores[k], p[k]] for k in range(3)))
    powers = np.exp(scores)
    tell.says("The exponentials of the scores are $#$, $#$ and $#$, their sum is $#$.", *powers, powers.sum())
    tell.says("class # has the largest score.", 1 + int(p.argmax()))
    tell.done()

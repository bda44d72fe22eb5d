"""Exercises on random projections: chi-square variables by SciPy, rows of signs and zeros by enumeration."""

from itertools import combinations

import numpy as np
from scipy import stats
from scipy.optimize import brentq
from scipy.special import gammaincc

from notes_lib.reduction.random_projection import (
    SparseRandomProjection,
    distance_ratios,
    failure_bound,
    inner_product_variance,
    johnson_lindenstrauss_min_dim,
    upper_tail_bound,
)
from tests.formulas.chapters import values_of
from tests.formulas.instances.reduction.random_projection import UPPER, enumerated, three
from tests.solutions.ledger import Worked

EPS, X = r"\varepsilon", r"\mathbf{x}"
ZX, ZY = r"\mathbf{z}_{\mathbf{x}}", r"\mathbf{z}_{\mathbf{y}}"
GENERAL = np.array([0.7, -1.2, 0.4, 1.5])


def _rate(eps):
    """The exponent of one component, by its bound."""
    return float(-2 * np.log(failure_bound(2, 1, eps) / 2))


def _dimension(n, eps):
    """Where the bound of one tail, times the square of the number of points, falls to one."""
    return brentq(lambda k: 2 * np.log(n) - k * _rate(eps) / 2, 1e-9, 1e6, xtol=1e-12)


def _spread(k):
    """Standard deviation of the mean of k squares."""
    return stats.chi2(k).std() / k


def ex_lemma():
    k, n, eps, t = 60, 20, 0.5, 0.1
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    square = weights @ np.exp(t * nodes**2) / weights.sum()
    chernoff = lambda t: -t * k * (1 + eps) - k / 2 * np.log(1 - 2 * t)
    best = brentq(lambda t: chernoff(t + 1e-30j).imag, 1e-6, 0.49, xtol=1e-14)
    pairs, pair, upper = len([*combinations(range(n), 2)]), failure_bound(2, k, eps), upper_tail_bound(eps, k)
    large = int(np.ceil(_dimension(n, eps)))
    return Worked(
        {"k": k, "n": n, EPS: eps, "t": t, "g": 0.0, "c": _rate(eps), UPPER: gammaincc(k / 2, k * (1 + eps) / 2)},
        own={r"t=\frac{\varepsilon}{2(1+\varepsilon)}": {"t": best, EPS: eps},
             r"k\ge4\ln n/c": {"k": large, "n": n, "c": _rate(eps)}},
        numbers=[stats.chi2(k).sf(k * (1 + eps)), square, square, stats.norm.logpdf(0) - stats.norm.logpdf(1),
                 np.exp(-t * k * (1 + eps)) * square**k, upper, -2 / k * np.log(upper), pair, pairs, pairs * pair, 1,
                 _dimension(n, eps)],
    )  # fmt: skip


def ex_images():
    thousand, million = _dimension(1e3, 0.5), _dimension(1e6, 0.5)
    quarter = _dimension(1e3, 0.25)
    return Worked(
        numbers=[30_000, 0.5, np.ceil(thousand), million / thousand, np.ceil(million - thousand)],
        known=[np.log(10), thousand, quarter, 3 / 0.25**3],
    )


def ex_spike():
    k, s, x = 100, 25, GENERAL
    law = three(s)
    square, fourth, _ = enumerated(x, x, law)
    alone = sum(p * r**4 for r, p in law) * np.sum(x**4)
    variance = lambda x: inner_product_variance(x, x, k, s) / np.linalg.norm(x) ** 4
    none = enumerated(np.eye(4)[0], np.eye(4)[1], law)[0]
    return Worked(
        {"k": k, "s": s, X: x, "x_#": x, "j": range(1, 5), r"\operatorname{E}u^2": square,
         r"\operatorname{E}u^4": fourth},
        numbers=[law[0][1], law[1][0], np.linalg.norm(x) ** 2, k * inner_product_variance(x, x, k, s) + square**2, 100,
                 k, none, alone, fourth - alone, fourth, variance(x)],
        known=[variance(np.ones(100)), stats.binom(k, 2 * law[0][1]).pmf(0)],
    )  # fmt: skip


def ex_angle():
    k, cosine = 400, 0.999
    x, y = np.array([1, 0]), np.array([cosine, (1 - cosine**2) ** 0.5])
    z, w = np.array([0.3, -0.8]), np.array([0.5, 0.6])
    perpendicular = inner_product_variance([1, 0], [0, 1], k)
    enough = inner_product_variance([1, 0], [0, 1], 1) / 0.01**2
    estimated = np.sum((x - y) ** 2) / 2
    return Worked(
        {"k": k, r"\theta": np.arccos(cosine), ZX: z, ZY: w},
        worlds=[{"k": enough}],
        numbers=[0.01, 1 - (np.sum((z + w) ** 2) - np.sum((z - w) ** 2)) / 4, (z @ z + w @ w) / 2 - z @ w,
                 perpendicular, perpendicular**0.5, 0.01, estimated],
        known=[cosine, enough**0.5, inner_product_variance(x, y, k) ** 0.5, estimated * _spread(k)],
    )  # fmt: skip


def ex_compare():
    k = 9
    return Worked({"k": k}, numbers=[200, _spread(k)], known=[_spread(2)])


def ex_code():
    v = values_of("random_projection")
    k = v["k"]
    scale = inner_product_variance([1, 0], [0, 1], k) ** 0.5
    return Worked({"k": k, "Q": v["Q"]}, numbers=[scale, abs(v["g_#"] @ v["g_#"] / k - 1)])


def cards():
    n, eps, k, s = 40, 0.3, 9, 5
    x, y = GENERAL, GENERAL[::-1] + 1
    square, fourth, _ = enumerated(x, x, three(s))
    one = {EPS: eps, "n": n, "k": k, "s": s, X: x, r"\mathbf{y}": y, "x_#": x, "j": range(1, 5), "D": 16}
    enough = {**one, "k": np.ceil(_dimension(n, eps))}
    pairs = len([*combinations(range(n), 2)])
    model = SparseRandomProjection(2, random_state=0).fit(np.ones((2, 16)))
    ratio = lambda s: inner_product_variance([1], [1], 1, s) / inner_product_variance([1], [1], 1)
    leading = lambda n, eps: 4 * np.log(n) * stats.chi2(1).var() / eps**2  # as if the tails were Gaussian
    stretched = np.array([0 * x, (1 + eps) * x])
    factor = np.linalg.norm(stretched[1]) / np.linalg.norm(x)
    changed = _dimension(1e6, eps) / _dimension(1e3, eps)
    moved = x - y
    return {
        "lost-marks-safe": Worked(enough, numbers=[_dimension(n, eps), 2 * pairs / n**2]),
        "lost-marks-inner": Worked(numbers=[np.dot([1, 0], [0, 1])]),
        "lost-marks-spike": Worked(
            one, own={r"s\le3": {"s": 2}},
            numbers=[model.density_, fourth - 3 * square**2, stats.norm.moment(4)],
        ),
        "lost-marks-squared": Worked(
            one, numbers=[factor, distance_ratios([0 * x, x], stretched)[0], *np.exp(np.log1p([-eps, eps]) / 2)]
        ),
        "lost-marks-scale": Worked(one, numbers=[square]),
        "do-not-confuse-reductions": Worked(one, numbers=[1 - eps, 1 + eps]),
        "what-if-square": Worked(one, numbers=[_spread(16)]),
        "what-if-twice": Worked(numbers=[2]),
        "what-if-eps": Worked(one, numbers=[0, 1, 0, leading(n, eps), 1, _dimension(n, 1 - 1e-12)]),
        "counting": Worked(one, numbers=[pairs, 2, _dimension(2 * n, eps) - _dimension(n, eps)]),
        "convention-eps": Worked(
            {**one, "n": 352, EPS: 0.5, ZX: x + 0.1, ZY: y + 0.1},
            numbers=[0.5 * np.linalg.norm(moved), np.linalg.norm(1.5 * moved), leading(352, 0.5), 352,
                     np.ceil(leading(352, 0.5)), johnson_lindenstrauss_min_dim(352, eps=0.5) + 1],
        ),
        "quiz-million": Worked(
            numbers=[400, 1e3, 1e6, 400, 400 * changed, changed, 400 * 1e6 / 1e3, round(400 * (1e6 / 1e3) ** 0.5)]
        ),
        "quiz-spread": Worked(
            numbers=[200, _spread(200) ** 2, _spread(200) / 2**0.5, _spread(400), stats.chi2(1).var(), _spread(200),
                     _spread(200), _spread(200) ** 2 / 2, _spread(400) ** 2],
            known=[200],
        ),
        "quiz-spike": Worked(
            {"s": 51}, own={"s=3": {"s": stats.norm.moment(4)}},
            numbers=[0, ratio(stats.norm.moment(4)), ratio(51), ratio(51), sum(p * r**4 for r, p in three(51)),
                     51 / stats.norm.moment(4), 51 / stats.norm.moment(4)],
        ),
        "tf-equal": Worked(numbers=[0, np.abs(model.transform(np.zeros((1, 16)))).max()]),
        "tf-halve": Worked(numbers=[2, _spread(k) / _spread(2 * k)]),
        "tf-signs": Worked({"s": 1}),
    }  # fmt: skip

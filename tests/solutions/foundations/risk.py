"""Exercises on risk: losses of the library and SciPy, their slopes, tables of posteriors, mean losses by quadrature."""

from itertools import product

import numpy as np
from scipy import special, stats
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar

from notes_lib.foundations.risk import (
    conditional_risk,
    empirical_risk,
    margin_exponential,
    margin_hinge,
    margin_logistic,
    margin_squared,
    residual_pinball,
)
from notes_lib.numerics import central_difference
from tests.formulas.values import At
from tests.solutions.ledger import Worked

ETA, SIGMA, DELTA, TAU = r"\eta", r"\sigma", r"\delta", r"\tau"


def _slope(f, at, h=1e-6):
    """A central difference, rounded to the digits that it has."""
    return round(float(central_difference(f, at, h)), 8)


def _huber(r, delta):
    return float(special.huber(delta, r))


def _best(loss, eta):
    """The score with the least mean loss when a label is positive with this probability."""
    mean = lambda f: eta * loss(np.array([f]))[0] + (1 - eta) * loss(np.array([-f]))[0]
    return minimize_scalar(mean, options={"xtol": 1e-12}).x


def ex_bayes():
    eta, fn, fp = 0.3, 5.0, 2.0
    plain = conditional_risk([[1 - eta, eta]])[0]
    costs = conditional_risk([[1 - eta, eta]], [[0, fp], [fn, 0]])[0]
    return Worked(
        {
            ETA: eta,
            r"p(\mathbf{x})": stats.norm.pdf(0.3),
            r"c_{\mathrm{FP}}": fp,
            r"c_{\mathrm{FN}}": fn,
            r"P(y=h(\mathbf{x})\mid\mathbf{x})": 1 - plain[0],
        },
        numbers=[0, 1, 0, 0, 1, plain[0], 1, costs[1], -1, 1],
    )


def ex_cells():
    share = np.array([0.9, 0.1])
    densities = np.array([0.2, 0.4])
    joint = share * densities
    posterior = joint / joint.sum()
    risks = conditional_risk(posterior[None], [[0, 1], [6, 0]])[0]
    change = brentq(lambda c: conditional_risk(posterior[None], [[0, 1], [c, 0]])[0] @ [1, -1], 1, 9)
    names = [rf"p(x\mid\text{{{kind}}})" for kind in ("normal", "abnormal")]
    return Worked(
        {**dict(zip(names, densities, strict=True)), "c": change}, numbers=[90, 6, 1, joint, posterior, risks]
    )


def ex_gaussians():
    x, s = 0.4, 0.8
    ahead = stats.norm(1, s)
    behind = stats.norm(-1, s)
    density = lambda law: law.pdf(x)
    error = lambda s: stats.norm(1, s).cdf(0)
    return Worked(
        {"x": x, "s": s, r"\mathcal{N}": At(lambda mean, variance: mean + np.sqrt(variance)),  # one deviation above
         r"p(x\mid+1)": density(ahead), r"p(x\mid-1)": density(behind), r"P(x<0)": ahead.cdf(0),
         ETA: At(lambda x: ahead.pdf(x) / (ahead.pdf(x) + behind.pdf(x))), SIGMA: At(special.expit),
         r"\Phi": At(special.ndtr)},
        worlds=[{"s": 1}],
        own={r"x \sim \mathcal{N}(+1, s^2)": {"x": 1 + s, "s": s,
             r"\mathcal{N}": At(lambda mean, variance: mean + np.sqrt(variance))}, r"s \to 0": {"s": 1e-9}},
        numbers=[ahead.mean() + ahead.std(), 1, behind.mean() + behind.std(), -1, 0, 1, 1, -1, error(1e-3),
                 round(error(1e9), 8)],
        known=[error(1)],
    )  # fmt: skip


def _far(t, w=0.0):
    """Four instances, one far away, and the objective of a logistic fit."""
    x, y, lam = np.array([1, 2, -1, -2, t]), np.array([1, 1, -1, -1, -1]), 0.6
    phi = lambda m: float(np.logaddexp(0, -m))
    objective = lambda w: sum(phi(m) for m in y * x * w) / 5 + lam / 2 * w**2
    symbols = {
        "x_#": x, "y_#": y, "n": range(1, 6), "N": 5, "t": t, "w": w, r"\lambda": lam, r"\phi": At(phi),
        "J": At(objective), r"\min_w": 1,  # what stands behind it is the objective
    }  # fmt: skip
    return symbols, objective


def ex_far():
    t, w = 3.5, 0.7
    symbols, objective = _far(t, w)
    best = lambda t: minimize_scalar(_far(t)[1]).x
    border = brentq(best, 1, 20, xtol=1e-10)
    at_zero = _slope(lambda m: np.logaddexp(0, -m), 0)
    falls = _slope(objective, 0)
    far = _far(8.0)[0]
    return Worked(
        {**symbols, "x": 1, "y": 1, "m": -0.4},
        worlds=[{"x": -1, "y": -1}, {"x": t}],
        own={"J'(0) > 0": far, "J'(0) = 0": _far(6.0)[0], "t > 6": far},
        numbers=[
            objective(w), 0, at_zero, 0, 2, -2, 0, margin_hinge(np.array([-0.4]))[0], 0, 0, falls, 0, 0,
            _slope(_far(8.0)[1], 0), 0, 0, at_zero, 0, np.array([1, 2, 1, 2]).sum() - t, round(border, 6), at_zero, 0,
            0,
        ],
    )  # fmt: skip


def ex_pinball():
    profit, loss, f, r = 3, 1, 0.9, 0.7
    demand = stats.expon(scale=1.3)
    mean = lambda f, tau: sum(
        quad(lambda y: residual_pinball([y - f], tau)[0] * demand.pdf(y), *ends, epsabs=1e-13)[0]
        for ends in ((0, f), (f, np.inf))
    )
    gain = lambda f, y: profit * min(f, y) - loss * max(0, f - y)
    lost = gain(3, 3) - gain(3 - r, 3)
    expected = lambda f: quad(lambda y: gain(f, y) * demand.pdf(y), 0, f, epsabs=1e-13)[0] + profit * f * demand.sf(f)
    best = brentq(lambda f: (expected(f + 1e-4) - expected(f - 1e-4)) / 2e-4, 0.1, 9)
    tau = round(float(demand.cdf(best)), 6)
    return Worked(
        {TAU: tau, "r": r, r"L_\tau": At(lambda r: residual_pinball([r], tau)[0]), "P(y > f)": demand.sf(f),
         "P(y < f)": demand.cdf(f)},
        numbers=[profit, loss, profit, loss, lost, round(_slope(lambda v: mean(v, tau), f), 7), tau],
    )  # fmt: skip


def ex_zero():
    level, N, share = 0.05, 40, 0.01
    largest = lambda N: brentq(lambda p: stats.binom(N, p).pmf(0) - level, 1e-12, 1)
    three = round(-np.log(level))
    many = 10**7
    return Worked(
        {"N": N, "p": largest(N)},
        own={r"p = 1 - 0.05^{1/N} \approx -\log(0.05)/N": {"N": many, "p": -np.expm1(np.log(level) / many)}},
        numbers=[100 * level, three / N, 100 * share, empirical_risk(np.zeros(N)).standard_error, three / share],
    )


def ex_code():
    x, delta, mu = np.array([0, 1, 2.5, 3, 50]), 1, 1.4
    mean = lambda m: float(special.huber(delta, x - m).mean())
    bends = [(mean(m + 1e-3) - 2 * mean(m) + mean(m - 1e-3)) / 1e-6 for m in np.linspace(-1, 4, 501)]
    largest = round(
        max([*bends, *(_slope(lambda v: _slope(lambda u: _huber(u, delta), v), r, 1e-3) for r in (0.2, 3))]), 4
    )
    return Worked(
        {"x_#": x, "n": range(1, 6), "N": 5, DELTA: delta, r"\mu": mu, r"L_\delta": At(lambda r: _huber(r, delta))},
        own={"x = 0": {"x": x[0]}},
        numbers=[mean(mu), x[1:], _slope(mean, mu), 2 / largest, largest],
    )


def cards():
    x, y = np.array([[0.3], [1.1]]), np.array([0.7, 2.0])
    squares = np.array([(0.5 * a[0] - b) ** 2 for a, b in zip(x, y, strict=True)])
    labels = frozenset([1.0, 2.0])
    r, delta = 3.0, 2.0
    losses = {"r": r, DELTA: delta, "L(r)": r * r}
    steep = lambda loss: max(abs(_slope(lambda m: loss(np.array([m]))[0], at)) for at in (-30, -2, 0.5))
    at = lambda loss, m: loss(np.array([m], dtype=float))[0]
    slope = lambda loss, m: _slope(lambda v: at(loss, v), m)
    eta, score = 0.3, 0.4
    half = _best(margin_exponential, eta) / special.logit(eta)
    K = 3
    cost = np.arange(1.0, 10).reshape(3, 3) ** 2
    free = [np.ravel(np.eye(3)[:, [k]] * np.ones(3)) for k in range(3)] + [cost.ravel()]
    errors = lambda N: stats.sem([-1, 1] * N, ddof=0)
    threshold = brentq(lambda p: conditional_risk([[1 - p, p]], [[0, 1], [9, 0]])[0] @ [1, -1], 0, 1)
    far = lambda t: 6 - t
    kink = next(m for m in np.linspace(-1, 3, 41).round(1) if margin_hinge([m])[0] == 0)
    data, targets = np.array([[0.3, 1], [-0.4, 0.2]]), np.array([1, -1])
    w = targets @ data / 3
    c = 1.7
    vote = 2 * eta * (1 - eta)
    assert np.isclose(vote, sum(p * q for (a, p), (b, q) in product(enumerate([1 - eta, eta]), repeat=2) if a != b))
    return {
        "lost-marks-infinite": Worked(
            {r"\lim_{N \to \infty}": 1, "N": 2, "n": range(1, 3), r"\mathbf{x}_#": x, "y_#": y,
             "f": At(lambda v: 0.5 * float(np.ravel(v)[0])), "L": At(lambda a, b: (a - b) ** 2), "R(f)": squares.mean(),
             ETA: eta},
            numbers=[0, 1],
        ),
        "lost-marks-lookup": Worked(own={"n = 1": {"n": 1}}),
        "lost-marks-labels": Worked(
            {r"\{1, \ldots, L\}": labels, r"\mathcal{Y}": labels, "y": 1, "f": At(lambda x: -0.7),
             r"\mathbf{x}": [0.3]},
            own={"y f = 0": {"y": 0, "f": 0.7}},
            numbers=[[1, 2], 0, 1, 1, 0, 1, 1, 2, 0, 1, 0, -1, 1, np.interp(1, [0, 1], [-1, 1]), 0, 1],
        ),
        "lost-marks-scale": Worked({"h": -5}, numbers=[np.sign(-5), 100]),
        "lost-marks-huber": Worked(
            losses, worlds=[{DELTA: 1, "r": 0.7}, {DELTA: 0.5, "r": 0.3}],
            numbers=[np.square(r), 2, _huber(0.7, 1), _huber(r, delta)],
        ),
        "lost-marks-robust": Worked({"t": brentq(far, 0, 9)}, numbers=[steep(margin_hinge)]),
        "do-not-confuse-losses": Worked(
            {ETA: eta, "m": kink},
            numbers=[steep(margin_hinge), round(steep(margin_logistic)), round(half, 6), round(_best(margin_squared,
                                                                                                     eta), 7),
                     kink],
        ),
        "what-if-four": Worked(numbers=[errors(4) / errors(1), 0.05, 0.04, 0.05 - 0.04]),
        "what-if-units": Worked(
            {"c": c, "r": r, r"L_{c\delta}": At(lambda r: _huber(r, c * delta)), r"L_\delta": At(lambda r: _huber(r,
                                                                                                                  delta))},
            numbers=[10, 0],
        ),
        "counting": Worked({"K": K}, numbers=[cost.size, cost.size - np.linalg.matrix_rank(free)]),
        "convention-zero": Worked(
            {"m": 0, r"\operatorname{sign}(0)": np.where(np.zeros(1) >= 0, 1, -1)[0]}, numbers=[1, 0, 0.5, 0]
        ),
        "convention-half": Worked(
            losses, numbers=[0.5, r * r, _huber(r, 1e3), 2, 2 * _huber(r, 1e3), 2 * _huber(r, delta), r * r,
                             _huber(r, delta)],
        ),
        "convention-log": Worked(
            {r"\phi_{\log}": At(lambda m: np.logaddexp(0, -m))},
            numbers=[2, np.logaddexp2(0, 0), 0, 1, np.logaddexp2(0, 0) / np.logaddexp(0, 0)],
        ),
        "convention-cost": Worked({"N": 5}, numbers=[4, 4]),
        "quiz-hinge": Worked(
            {"m": 0},
            numbers=[at(margin_hinge, 0), slope(margin_hinge, 0), kink, at(margin_hinge, 0), at(margin_exponential, 0),
                     slope(margin_exponential, 0), 0, 0, at(margin_logistic, 0), slope(margin_logistic, 0), 0,
                     slope(margin_squared, 0), minimize_scalar(lambda m: at(margin_squared, m)).x],
        ),
        "quiz-huber": Worked(
            {DELTA: 2, "r": 5},
            numbers=[5, _huber(5, 1e3), _huber(5, 1e3), _huber(5, 2), _huber(5, 2), 2 * 5, _huber(5, 2) - 2 * 5],
        ),
        "quiz-threshold": Worked(
            {ETA: threshold},
            numbers=[9, 1, 1 - threshold, np.mean([0, 1]), threshold, threshold, 1, 9, threshold / (1 - threshold)],
        ),
        "quiz-empirical": Worked(
            {"N": 8, r"\sigma_L": np.std([-1, 1])}, numbers=[np.sqrt(1 / 8), np.var([-1, 1] * 4) / 8, 0]
        ),
        "quiz-probability": Worked(
            {SIGMA: At(special.expit), "f": score},
            own={text: {SIGMA: At(special.expit), "f": _best(loss, eta), ETA: round(eta, 6)}
                 for text, loss in (("\\eta = \\sigma(2f)", margin_exponential), ("\\eta = (f + 1)/2",
                                                                                  margin_squared))},
            numbers=[-1, 1, np.mean([0, 1])],
        ),
        "tf-bayes-zero": Worked(numbers=[0]),
        "tf-squared": Worked(numbers=[3, -1]),
        "tf-nats": Worked({"m": 0}, numbers=[0, 1, at(margin_logistic, 0), 1, at(margin_logistic, 0)]),
        "tf-median": Worked(numbers=[np.mean([0, 1])]),
        "tf-robust": Worked(
            {r"\hat{\mathbf{w}}": w, r"\mathbf{x}_#": data, "y_#": targets, "n": range(1, 3)}, numbers=[0]
        ),
        "tf-paired": Worked(numbers=[0]),
    }  # fmt: skip

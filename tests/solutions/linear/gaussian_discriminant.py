"""Exercises on Gaussian discriminants: densities by SciPy, errors by quadrature, borders as roots."""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import multivariate_normal, norm, poisson

from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, X, MU, SIGMA = r"\mathbf{w}", r"\mathbf{x}", r"\boldsymbol{\mu}_#", r"\boldsymbol{\Sigma}"
PAIR, PHI = At(lambda m, v: np.array([m, v])), At(norm.cdf)  # a Gaussian as its mean and variance
MEANS, COVARIANCE = np.array([[0.4, -0.7], [1.1, 0.9]]), np.array([[2, 0.5], [0.5, 1]])
PRIORS, PLACE = np.array([0.3, 0.7]), np.array([0.8, 0.2])


def _log_odds(x, means=MEANS, covariances=(COVARIANCE, COVARIANCE), priors=PRIORS):
    """Of class 2, by Bayes' theorem."""
    joint = [
        multivariate_normal(m, S).logpdf(x) + np.log(p) for m, S, p in zip(means, covariances, priors, strict=True)
    ]
    return float(joint[1] - joint[0])


def _linear(means=MEANS, covariance=COVARIANCE, priors=PRIORS):
    """Weights and bias of log-odds that are linear."""
    size = len(covariance)
    b = _log_odds(np.zeros(size), means, (covariance, covariance), priors)
    return np.array([_log_odds(e, means, (covariance, covariance), priors) - b for e in np.eye(size)]), b


def _two():
    """The symbols of two classes with one covariance."""
    w, b = _linear()
    return {
        "k": range(1, 3), "D": 2, MU: MEANS, SIGMA: COVARIANCE, r"\pi_#": PRIORS, X: PLACE, W: w, "b": b,
        r"\sigma": At(expit),
    }  # fmt: skip


def ex_derive():
    densities = np.array([multivariate_normal(m, COVARIANCE).logpdf(PLACE) for m in MEANS])
    centre = multivariate_normal(np.zeros(2), COVARIANCE)
    posterior = expit(_log_odds(PLACE))
    return Worked(
        {**_two(), r"\delta_#": densities - centre.logpdf(PLACE) + np.log(PRIORS),
         r"p(#\mid\mathbf{x})": [1 - posterior, posterior]},
        numbers=[densities, np.linalg.solve(COVARIANCE, np.eye(2)), centre.logpdf(PLACE) - centre.logpdf([0, 0])],
    )  # fmt: skip


def ex_equal():
    one, two, x = norm(0, 1), norm(0, 2), 0.9
    border = brentq(lambda x: one.logpdf(x) - two.logpdf(x), 0.1, 9)
    wrong = [2 * one.sf(border), quad(two.pdf, -border, border)[0]]
    cost = lambda law: one.logpdf(0) - law.logpdf(x)
    gap = one.logpdf(0) - two.logpdf(0)
    return Worked(
        {r"\mathcal{N}": PAIR, "x": x, r"\Phi": PHI, W: [0.0], r"\mathbf{0}": [0.0]},
        numbers=[
            1, [0, one.var()], 2, [0, two.var()], 1, cost(one), cost(two), gap - one.logpdf(x) + two.logpdf(x), gap,
            1, 2, 0.5, np.mean(wrong), np.mean([1, 0]),
        ],
        known=[border, border / 2, wrong],
    )  # fmt: skip


def ex_prior():
    variance, means = 2, np.array([[1], [5]])
    of = lambda priors: _linear(means, np.array([[variance]]), priors)
    (w, b), (_, other) = of([0.1, 0.9]), of([0.5, 0.5])
    equal, border = (float(-bias / w[0]) for bias in (other, b))
    return Worked(
        {"w": w, "b": b, r"\mu_#": means[:, 0], r"\sigma^2": variance, r"\pi_#": [0.1, 0.9], "x": border},
        own={"x=3": {"x": equal}},
        numbers=[variance, means, border - equal],
    )


def ex_poisson():
    rates, priors, x = np.array([2, 6]), np.array([2, 1]) / 3, 7
    joint = priors * poisson(rates).pmf(x)
    odds = lambda x: np.log(priors[1] / priors[0]) + x * np.log(rates[1] / rates[0]) - (rates[1] - rates[0])
    assert np.isclose(odds(x), np.log(joint[1] / joint[0]))
    first = next(x for x in range(99) if priors[1] * poisson(6).pmf(x) > priors[0] * poisson(2).pmf(x))
    return Worked(
        {"x": x, r"\lambda_#": rates, r"p(#\mid x)": joint / joint.sum(), r"\sigma": At(expit)},
        numbers=[
            rates[0], 1, rates[1], 2, priors, 2, 2, poisson(6).logpmf(x) - poisson(2).logpmf(x), first,
        ],
        known=[brentq(odds, 0, 9)],
    )  # fmt: skip


def _error(means, rho):
    """The chance that class 1 is mistaken: over its first feature, and the second given the first."""
    (w, v), b = _linear(means, np.array([[1, rho], [rho, 1]]), [0.5, 0.5])
    second = lambda x: norm.cdf((w * x + v * rho * x + b) / max(abs(v), 1e-12) / np.sqrt(1 - rho**2))
    return quad(lambda x: norm.pdf(x) * second(x), -9, 9, epsabs=1e-12, points=[-b / w])[0]


def ex_error():
    means, rho = np.array([[0, 0], [2, 0]]), 0.6
    covariance = np.array([[1, rho], [rho, 1]])
    w, _ = _linear(means, covariance, [0.5, 0.5])
    root = np.linalg.solve(np.linalg.cholesky(covariance), means[1] - means[0])
    errors = [_error(means, r) for r in (rho, 0)]
    return Worked(
        {r"\Phi": PHI, r"\Delta": np.linalg.norm(root), MU: means, W: w, SIGMA: covariance, "P(t>0)": errors[0]},
        numbers=[errors[0], 1, rho, 0, 1, 2],
        known=[root @ root, np.linalg.norm(root) / 2, errors],
    )


def ex_plane():
    means, covariances = np.array([[0, 0], [2, 1]]), [np.eye(2), np.array([[2, 1], [1, 2]])]
    x, half = np.array([1, 1]), [0.5, 0.5]
    scores = [
        multivariate_normal(m, S).logpdf(x) + np.log(2 * np.pi * 0.5) for m, S in zip(means, covariances, strict=True)
    ]
    pooled = np.mean(covariances, axis=0)
    w, b = _linear(means, pooled, half)
    deviation = x - means[1]
    decide = lambda odds: 1 + (odds > 0)
    return Worked(
        {r"\boldsymbol{\Sigma}_#": covariances, r"\mathbf{I}": np.eye(2), X: x, r"\delta_#": scores, W: w, "b": b,
         MU: means},
        numbers=[
            1, means[0], 2, means[1], np.linalg.det(covariances[1]), np.linalg.inv(covariances[1]), deviation,
            deviation @ np.linalg.solve(covariances[1], deviation), decide(_log_odds(x, means, covariances, half)),
            pooled, np.linalg.inv(pooled), decide(_log_odds(x, means, (pooled, pooled), half)), means[1] - means[0],
        ],
    )  # fmt: skip


def ex_choose():
    K, D, N = 5, 100, 600
    entries = len(np.tril_indices(D)[0])
    freedom = np.trace(np.eye(N)) - K
    return Worked(numbers=[D, N, N / K, D, D], known=[D + 1, entries, K * entries, freedom])


def cards():
    two = _two()
    moved = logit(expit(_log_odds(PLACE, priors=[0.6, 0.4]))) - _log_odds(PLACE)
    rows = np.array([0.3, 1.2, 2.5, -0.4, 0.8])
    shrunk = np.var(np.tile(rows, 2), ddof=1) / np.var(rows, ddof=1)
    fewer = np.sum((rows - rows.mean()) ** 2) / np.var(rows, ddof=1)
    K, D = 4, 3
    symmetric = len(np.tril_indices(D)[0])
    ratio = PRIORS[1] / PRIORS[0]
    eight = np.random.default_rng(0).normal(size=(8, 10))
    between = max((1, 9), key=lambda variance: norm(0, variance**0.5).pdf(0.1))
    means = np.array([[0, 0], [2, 0]])
    apart = {r"\Phi": PHI, r"\Delta": np.linalg.norm(means[1] - means[0])}
    middle = MEANS.mean(axis=0)
    sign = r"b=\tfrac12\boldsymbol{\mu}_1^\top\boldsymbol{\Sigma}^{-1}\boldsymbol{\mu}_1" + (
        r"-\tfrac12\boldsymbol{\mu}_2^\top\boldsymbol{\Sigma}^{-1}\boldsymbol{\mu}_2-\log(\pi_2/\pi_1)"
    )
    return {
        "lost-marks-sign": Worked(
            two, own={sign: {"b": _log_odds([0, 0], priors=PRIORS[::-1])}}, numbers=[2, 2, _log_odds(middle), 0.5]
        ),
        "lost-marks-rare": Worked(numbers=[symmetric / np.tile(np.tril_indices(D)[0], 2).size]),
        "lost-marks-weights": Worked(numbers=[1000]),
        "what-if-units": Worked({r"\gamma": 0.3}, numbers=[0]),
        "what-if-priors": Worked({r"\pi_#": PRIORS, r"\pi_#'": [0.6, 0.4]}, numbers=[moved]),
        "what-if-repeat": Worked(
            {"N_#": [len(rows)], "k": range(1, 2)}, numbers=[len(np.tile(rows, 2)) / len(rows), fewer, shrunk]
        ),
        "counterexample-best": Worked(
            {r"\mathcal{N}": PAIR}, numbers=[[0, 1], [2, 16], 0.5, np.mean([0, 2])]
        ),
        "counting-parameters": Worked(
            {"K": K, "D": D},
            numbers=[np.linalg.matrix_rank(np.eye(K) - 1 / K), symmetric, np.tile(np.tril_indices(D)[0], K).size,
                     np.ones((K, 1 + D)).size],
        ),
        "convention-divisor": Worked(
            {"N_#": [len(rows)], "k": range(1, 2), r"\pi_#": PRIORS, "p(#)": dict(enumerate(PRIORS))},
            numbers=[fewer, 0, 1, ratio, ratio],
        ),
        "quiz-border": Worked(two, numbers=[np.diff(MEANS, axis=0)]),
        "quiz-line": Worked(numbers=[1, 9, 9, between]),
        "quiz-singular": Worked(numbers=[eight.shape, np.linalg.matrix_rank(np.cov(eight.T))]),
        "tf-logistic": Worked(
            {r"p(y=#\mid\mathbf{x})": [np.nan, expit(_log_odds(PLACE))]}, numbers=[expit(_log_odds(PLACE))]
        ),
        "tf-error": Worked(apart, numbers=[_error(means, 0)]),
    }  # fmt: skip

"""Exercises on Bayesian regression: SciPy's densities at chosen weights, one big Gaussian, searches by the library."""

import numpy as np
from scipy.stats import multivariate_normal

from notes_lib.linear.bayesian_regression import (
    choose_precisions,
    effective_parameters,
    log_evidence,
    predictive,
    weight_posterior,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, PHI, Y, M, S, A, NEW = (
    r"\mathbf{w}", r"\boldsymbol\Phi", r"\mathbf{y}", r"\mathbf{m}", r"\mathbf{S}", r"\mathbf{A}",
    r"\boldsymbol\phi_*",
)  # fmt: skip
RNG = np.random.default_rng(0)
X, TARGETS, WEIGHTS, PLACE = RNG.normal(size=(6, 3)), RNG.normal(size=6), RNG.normal(size=3), RNG.normal(size=3)
ALPHA, BETA = 0.7, 1.6
PAIR = At(lambda m, v: np.column_stack([m, v]))  # a Gaussian as its mean and variance


def _new_target(rows, place, alpha, beta):
    """The variance of a new target in the Gaussian of all targets, in which there are no weights."""
    every = np.vstack([rows, place])
    joint = every @ every.T / alpha + np.eye(len(every)) / beta
    return float(joint[-1, -1] - joint[-1, :-1] @ np.linalg.solve(joint[:-1, :-1], joint[:-1, -1]))


def ex_posterior():
    m_0, S_0 = np.array([0.4, -0.7, 1.1]), np.array([[2, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 1.5]])
    prior, noise = multivariate_normal(m_0, S_0), multivariate_normal(np.zeros(6), 1 / BETA)
    joint = lambda w: noise.logpdf(TARGETS - X @ w) + prior.logpdf(w)
    none = np.zeros(3)
    quadratic = (joint(WEIGHTS) + joint(-WEIGHTS)) / 2 - joint(none)
    linear = (joint(WEIGHTS) - joint(-WEIGHTS)) / 2
    highest = noise.logpdf(np.zeros(6)) + prior.logpdf(m_0)
    gain = S_0 @ X.T @ np.linalg.inv(X @ S_0 @ X.T + np.eye(6) / BETA)  # from the Gaussian of weights and targets
    after = {r"\mathbf{S}_1": S_0 - gain @ X @ S_0, r"\mathbf{m}_1": m_0 + gain @ (TARGETS - X @ m_0)}
    return Worked(
        {r"\mathcal{N}": PAIR, r"\mathbf{m}_0": m_0, r"\mathbf{S}_0": S_0, "p": np.exp(joint(WEIGHTS)), r"\beta": BETA,
         Y: TARGETS, PHI: X, W: WEIGHTS, r"\text{const}": highest, **after},
        numbers=[
            np.column_stack([m_0, S_0]), quadratic, linear, joint(WEIGHTS) - joint(none),
            2 * (highest - joint(WEIGHTS)), m_0,
        ],
    )  # fmt: skip


def ex_predictive():
    y, w, phi, m, s, beta = 0.8, 0.5, 1.4, 0.3, 0.6, 1.7
    squares = lambda w, y: beta * (y - w * phi) ** 2 + (w - m) ** 2 / s
    tries = np.array([-1, 0, 1])
    a, linear, _ = np.polyfit(tries, [squares(w, y) for w in tries], 2)  # a parabola in w
    lowest = lambda y: squares(np.linalg.solve([[a]], [beta * phi * y + m / s])[0], y)
    mean, spread = m * phi, np.array([phi, 1]) @ np.diag([s, 1 / beta]) @ [phi, 1]  # of weight and noise
    return Worked(
        {r"\mathcal{N}": PAIR, "y": y, "w": w, r"\phi": phi, r"\beta": beta, "m": m, "s": s, "a": a, "h": -linear / 2},
        own={
            r"y\sim\mathcal{N}(m\phi,\beta^{-1}+s\phi^2)": {"y": [mean, spread]},
            r"w\phi\sim\mathcal{N}(m\phi,s\phi^2)": {r"w\phi": [mean, spread - 1 / beta]},
            r"\varepsilon\sim\mathcal{N}(0,\beta^{-1})": {r"\varepsilon": [0, 1 / beta]},
        },
        numbers=[-lowest(y) / 2, y * y, -(y + y), [mean, spread], [mean, spread - 1 / beta], [0, 1 / beta]],
    )


def ex_constant():
    alpha, beta, share = 1, 4, 0.1
    after = lambda rows: weight_posterior(np.ones((rows, 1)), np.arange(rows), alpha, beta)
    least = next(rows for rows in range(1, 99) if after(rows).covariance[0, 0] < share / beta)
    found = after(least)
    return Worked(
        {r"\boldsymbol\phi": 1, r"\alpha": alpha, r"\beta": beta, "N": least, "S": found.covariance,
         "A": 1 / found.covariance[0, 0], "m": found.mean, r"\bar y": np.mean(np.arange(least))},
        numbers=[
            share, _new_target(np.ones((least, 1)), [1], alpha, beta), found.covariance[0, 0], share / beta,
            1 / found.covariance[0, 0] - alpha, beta / share - alpha,
        ],
    )  # fmt: skip


def ex_difference():
    covariance, w = np.array([[2, -1], [-1, 1]]) / 10, np.array([0.3, -0.8])
    places = np.array([[1, 2], [1, 3]])
    f = places @ w
    spread = places @ covariance @ places.T
    return Worked(
        {S: covariance, "w_#": {0: w[0], 1: w[1]}, "f": At(lambda x: w @ [1, x]),
         r"\operatorname{Var}f(#)": {2: spread[0, 0], 3: spread[1, 1]}, r"\operatorname{Cov}": spread[0, 1]},
        numbers=[w, f, f[1] - f[0], w[1], np.trace(spread)],
    )  # fmt: skip


def ex_fixed():
    targets = X @ WEIGHTS + 0.3 * TARGETS
    best = choose_precisions(X, targets, tol=1e-14, max_iter=9000)
    alpha, beta = best.alpha, best.beta
    mean = weight_posterior(X, targets, alpha, beta).mean
    E = lambda w, alpha=alpha: (beta * np.sum((targets - X @ w) ** 2) + alpha * w @ w) / 2
    lowest = lambda a: E(weight_posterior(X, targets, a, beta).mean, a)
    step = 1e-4
    change = lambda f: (f(alpha + step) - f(alpha - step)) / (2 * step)
    log_det = lambda a: np.linalg.slogdet(a * np.eye(3) + beta * X.T @ X)[1]
    return Worked(
        {r"\alpha": alpha, r"\beta": beta, r"\gamma": effective_parameters(X, alpha, beta), M: mean, "D": 3,
         A: alpha * np.eye(3) + beta * X.T @ X, "i": range(1, 4), "s_#": np.linalg.svd(X)[1],
         "p": np.exp(log_evidence(X, targets, alpha, beta)), "E": At(lambda w: float(E(w))),
         r"\dots": 3 * np.log(beta / (2 * np.pi)), r"\mathbf{0}": np.zeros(3),
         r"\frac{d}{d\alpha}E(\mathbf{m})": change(lowest)},
        numbers=[change(log_det), alpha + alpha],
    )  # fmt: skip


def ex_design():
    found = weight_posterior(X, TARGETS, ALPHA, BETA)
    return Worked(
        {A: np.linalg.inv(found.covariance), S: found.covariance, r"\beta": BETA, r"\boldsymbol\phi": PLACE},
        numbers=[-1, 1],
    )


def ex_average():
    evidence, means = np.array([0.02, 0.06]), np.array([3, 5])
    share = evidence / evidence.sum()
    return Worked(numbers=[evidence, means, share[1]], known=[share @ means, np.cov(means, aweights=share, ddof=0)])


def cards():
    found = weight_posterior(X, TARGETS, ALPHA, BETA)
    sure = weight_posterior(1e6 * X, TARGETS, ALPHA, BETA)  # as after very many rows
    many = predictive(PLACE[None], sure, BETA)
    left, line = np.round(many.ignorance[0], 9), PLACE @ np.linalg.pinv(X)
    target = _new_target(X, PLACE, ALPHA, BETA)
    design = {PHI: X, Y: TARGETS, W: WEIGHTS, NEW: PLACE, r"\boldsymbol\phi": PLACE, S: found.covariance,
              r"\alpha": ALPHA, r"\beta": BETA, r"\mathbf{I}": np.eye(3), M: found.mean}  # fmt: skip
    twice = np.linalg.inv(weight_posterior(np.vstack([X, X]), np.tile(TARGETS, 2), ALPHA, BETA).covariance)
    penalty, variance, c, D, N = ALPHA / BETA, 4, 3, 3, 6
    stacked = np.vstack([X, np.sqrt(penalty) * np.eye(3)]) @ WEIGHTS - np.append(TARGETS, np.zeros(3))
    doubled = weight_posterior(X, TARGETS, 2 * ALPHA, 2 * BETA)
    assert np.allclose(doubled.mean, found.mean)
    factor = found.covariance[0, 0] / doubled.covariance[0, 0]
    share = lambda alpha: effective_parameters([[3.0]], alpha, 1)
    return {
        "lost-marks-noise": Worked(design, numbers=[left, target]),
        "lost-marks-ratio": Worked({**design, r"\lambda": penalty}, numbers=[stacked @ stacked]),
        "lost-marks-precision": Worked(
            {**design, r"\beta": 1 / variance, A: ALPHA * np.eye(3) + X.T @ X * variance}, numbers=[variance]
        ),
        "do-not-confuse-intervals": Worked(
            design, numbers=[target, line @ line / BETA, left, many.noise - left, left]
        ),
        "what-if-twice": Worked(
            design, numbers=[len(np.vstack([X, X])) / N, (np.trace(twice) - ALPHA * D) / np.trace(X.T @ X)]
        ),
        "what-if-unit": Worked({"c": c}, numbers=[np.var(c * TARGETS) / np.var(TARGETS)]),
        "counting": Worked(
            {"D": D, "N": N, r"\gamma": effective_parameters(X, ALPHA, BETA), "O": At(lambda size: size)},
            numbers=[len(np.tril_indices(D)[0]), 0, np.eye(D).size, X.size * D + D * np.eye(D).size],
        ),
        "convention-constant": Worked({"N": N}, numbers=[np.linalg.matrix_rank(np.eye(N) - 1 / N)]),
        "quiz-limit": Worked(design, numbers=[left, many.noise, 1 / ALPHA]),
        "quiz-double": Worked(design, numbers=[factor, 1 / BETA, factor, 1 / factor]),
        "quiz-true": Worked(design, numbers=[0]),
        "quiz-gamma": Worked(
            {"i": range(1, 2), "s_#": [3.0], r"\alpha": 1, r"\beta": 1},
            own={r"\alpha\to0": {r"\alpha": 1e-9}},
            numbers=[share(1), share(1), 1 - share(1), 9, share(1e-9), share(1e-9)],
        ),
        "tf-sure": Worked({"x": 3.0}, numbers=[9]),
    }  # fmt: skip

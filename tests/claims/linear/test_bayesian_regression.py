"""The quiz of the chapter *Bayesian linear regression*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.linear.bayesian_regression import (
    choose_precisions,
    effective_parameters,
    predictive,
    predictive_covariance,
    update_weights,
    weight_posterior,
)
from tests.claims.deciding import decided

SMALL = 1e-9
RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(12, 3)), RNG.normal(size=12)
NEW = RNG.normal(size=(40, 3))


def quiz_limit():
    """$N$ grows without bound, the model is right. The predictive variance tends to"""
    alpha, beta = 0.5, 4.0
    rows = np.random.default_rng(1).normal(size=(200_000, 3))
    variances = [predictive(NEW[:1], weight_posterior(rows[:n], np.zeros(n), alpha, beta), beta).std[0] ** 2
                 for n in (10, 1000, 200_000)]  # fmt: skip
    near = lambda limit: abs(variances[-1] - limit) < 1e-3
    return {
        "0": near(0.0),
        r"$\beta^{-1}$": near(1 / beta),
        r"$\alpha^{-1}$": near(1 / alpha),
        "infinity": variances[-1] > variances[0],
    }


def quiz_double():
    r"""You double both $\alpha$ and $\beta$. What changes?"""
    before, after = (predictive(NEW, weight_posterior(X, Y, f * 0.7, f * 2.0), f * 2.0) for f in (1, 2))
    mean = not np.allclose(before.mean, after.mean)
    spread = not np.allclose(before.std, after.std)
    return {
        "the mean, not the variances": mean and not spread,
        "the variances, not the mean": spread and not mean,
        "both": mean and spread,
        "nothing": not (mean or spread),
    }


def quiz_true():
    """Which are true? (Mark all.)"""
    with_others = [weight_posterior(X, y, 0.5, 2.0).covariance for y in (Y, 100 * Y, -Y)]
    few = weight_posterior(X[:2], Y[:2], 0.5, 2.0)
    order = np.random.default_rng(2).permutation(12)
    shuffled, straight = weight_posterior(X[order], Y[order], 0.5, 2.0), weight_posterior(X, Y, 0.5, 2.0)
    x = np.random.default_rng(3).uniform(-1, 1, 40)
    target = x + 0.3 * np.random.default_rng(4).normal(size=40)
    powers = [np.polynomial.legendre.legvander(x, degree) for degree in (1, 8)]
    errors = [np.sum((target - A @ np.linalg.lstsq(A, target)[0]) ** 2) for A in powers]
    best = [choose_precisions(A, target).history[-1] for A in powers]
    assert errors[1] < errors[0]
    return {
        r"$\mathbf{S}$ can be computed before any target is measured":
            all(np.allclose(S, with_others[0]) for S in with_others),
        "With fewer rows than columns the posterior does not exist": np.linalg.eigvalsh(few.covariance)[0] < SMALL,
        "The order of the rows does not matter": np.allclose(shuffled.mean, straight.mean)
            and np.allclose(shuffled.covariance, straight.covariance),
        "The evidence always prefers the model with the smaller training error": best[1] > best[0],
    }  # fmt: skip


def quiz_gamma(square, alpha, beta):
    r"""$s_i^2=<square>$, $\alpha=<alpha>$, $\beta=<beta>$. How much does this direction add to $\gamma$?"""
    return {"<n>": lambda n: np.isclose(effective_parameters([[square**0.5]], alpha, beta), n)}


def tf_same():
    """Two new targets at the same place have independent errors of prediction."""
    C = predictive_covariance(np.vstack([NEW[0], NEW[0]]), weight_posterior(X, Y, 0.5, 2.0), 2.0)
    assert C[0, 1] < C[0, 0] - SMALL
    return abs(C[0, 1]) < SMALL


def tf_map():
    """The MAP estimate and the posterior mean are equal in this model."""
    mean = weight_posterior(X, Y, 0.5, 2.0).mean
    target = lambda w: -np.sum((Y - X @ w) ** 2) - 0.25 * w @ w  # the log posterior times 2 / beta, up to a constant
    return all(target(mean) > target(mean + 0.01 * step) for step in np.random.default_rng(5).normal(size=(300, 3)))


def tf_sure():
    """A small predictive variance shows that the model is right."""
    spreads, misses = [], []
    for n in (10, 1000):
        x = np.linspace(0, 1, n)
        A = np.column_stack([np.ones(n), x])
        found = choose_precisions(A, x**2)
        told = predictive([[1.0, 2.0]], weight_posterior(A, x**2, found.alpha, found.beta), found.beta)
        spreads.append(told.std[0])
        misses.append(abs(4 - told.mean[0]) / told.std[0])
    assert spreads[1] < spreads[0]
    return misses[1] < 2


def tf_row():
    r"""Another row can make a target at some place less certain, with $\alpha$ and $\beta$ fixed."""
    before = weight_posterior(X, Y, 0.5, 2.0)
    rises = []
    for row, target in zip(
        np.random.default_rng(6).normal(scale=3, size=(50, 3)), RNG.normal(scale=9, size=50), strict=True
    ):
        after = update_weights(before, row[None], [target], 2.0)
        rises.append(predictive(NEW, after, 2.0).std - predictive(NEW, before, 2.0).std)
    return np.max(rises) > SMALL


test_claim = decided("linear/bayesian_regression", globals())

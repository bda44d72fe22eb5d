"""The quiz of the chapter *Bayesian regression*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian
from notes_lib.linear.bayesian_regression import (
    choose_precisions,
    effective_parameters,
    log_evidence,
    predictive,
    predictive_covariance,
    weight_posterior,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
RNG = np.random.default_rng(0)
X = np.column_stack([np.ones(25), RNG.normal(size=(25, 2))])
Y = X @ [1.0, -0.5, 2.0] + RNG.normal(size=25)
PLACES = np.column_stack([np.ones(10), RNG.normal(scale=3, size=(10, 2))])


def _predictive(X, y, alpha, beta, at=PLACES):
    return predictive(at, weight_posterior(X, y, alpha, beta), beta)


def _total(found):
    """Variance of a new target."""
    return found.std**2


def quiz_limit():
    """$N$ grows without bound, the model is right. The predictive variance tends to"""
    alpha, beta = 3.0, 5.0
    variance = [_total(_predictive(np.tile(X, (n, 1)), np.tile(Y, n), alpha, beta)) for n in (10, 1000, 10_000)]
    tends_to = lambda value: np.allclose(variance[-1], value, atol=0.001)
    return {
        "0": tends_to(0),
        r"$\beta^{-1}$": tends_to(1 / beta),
        r"$\alpha^{-1}$": tends_to(1 / alpha),
        "infinity": (np.diff(variance, axis=0) > 0).any(),
    }


def quiz_double():
    r"""You double both $\alpha$ and $\beta$. What changes?"""
    before, after = (weight_posterior(X, Y, factor * 0.7, factor * 1.3) for factor in (1, 2))
    spread = [_total(_predictive(X, Y, factor * 0.7, factor * 1.3)) for factor in (1, 2)]
    mean = not np.allclose(before.mean, after.mean)
    variances = not np.allclose(before.covariance, after.covariance) and not np.allclose(*spread)
    return {
        "the mean, not the variances": mean and not variances,
        "the variances, not the mean": variances and not mean,
        "both": mean and variances,
        "nothing": not (mean or variances),
    }


def quiz_true():
    """Which are true? (Mark all.)"""
    covariance = [weight_posterior(X, y, 0.7, 1.3).covariance for y in (Y, -Y, 100 * Y**2)]
    few = weight_posterior(X[:2], Y[:2], 0.7, 1.3)
    order = np.random.default_rng(1).permutation(25)
    turned, straight = weight_posterior(X[order], Y[order], 0.7, 1.3), weight_posterior(X, Y, 0.7, 1.3)
    useless = np.column_stack([X, np.random.default_rng(2).normal(size=(25, 15))])
    fits = [((Y - rows @ weight_posterior(rows, Y, 0.7, 1.3).mean) ** 2).sum() for rows in (X, useless)]
    evidence = [log_evidence(rows, Y, 0.7, 1.3) for rows in (X, useless)]
    assert fits[1] < fits[0]
    return {
        r"$\mathbf{S}$ can be computed before any target is measured": np.allclose(covariance, covariance[0]),
        "With fewer rows than columns the posterior does not exist": np.linalg.eigvalsh(few.covariance).min() <= SMALL,
        "The order of the rows does not matter": np.allclose(turned.mean, straight.mean)
        and np.allclose(turned.covariance, straight.covariance),
        "The evidence always prefers the model with the smaller training error": evidence[1] > evidence[0],
    }


def quiz_gamma(square, alpha, beta):
    r"""$s_i^2=<square>$, $\alpha=<alpha>$, $\beta=<beta>$. How much does this direction add to $\gamma$?"""
    length = np.sqrt(square)
    added = effective_parameters(np.diag([length, 2.0]), alpha, beta) - effective_parameters([[2.0]], alpha, beta)
    return Numbers(added, [1 - added, square, effective_parameters([[length]], 1e-9, beta)])


def tf_same():
    """Two new targets at the same place have independent errors of prediction."""
    joint = lambda weights: predictive_covariance(PLACES[[0, 0]], weights, 1.3)
    assert abs(joint(MultivariateGaussian(np.zeros(3), 1e-12 * np.eye(3)))[0, 1]) < SMALL  # the weights are known
    return abs(joint(weight_posterior(X, Y, 0.7, 1.3))[0, 1]) < SMALL


def tf_map():
    """The MAP estimate and the posterior mean are equal in this model."""
    x, w = X[:, 2], np.linspace(-2, 6, 8001)  # one weight: its posterior on a grid
    log_joint = -1.3 / 2 * ((Y[:, None] - np.outer(x, w)) ** 2).sum(axis=0) - 0.7 / 2 * w**2
    density = np.exp(log_joint - log_joint.max())
    mean = w @ density / density.sum()
    assert np.isclose(weight_posterior(x[:, None], Y, 0.7, 1.3).mean[0], mean, atol=1e-4)
    return abs(w[density.argmax()] - mean) < 0.001


def tf_sure():
    """A small predictive variance shows that the model is right."""
    x, at = np.linspace(-2, 2, 2001), np.array([[1.0, 2.0]])
    line = np.column_stack([np.ones(2001), x])

    def is_right(truth):  # the line at 2, as far as the ignorance that it reports
        found = _predictive(line, truth(x), 1e-3, 4.0, at)
        assert found.ignorance[0] < 0.01
        return abs(found.mean[0] - truth(2.0)) < 3 * np.sqrt(found.ignorance[0])

    assert is_right(lambda x: 3 - 2 * x)
    return is_right(lambda x: x**2)


def tf_row():
    r"""Another row can make a target at some place less certain, with $\alpha$ and $\beta$ fixed."""
    rng = np.random.default_rng(3)
    rows = [(np.append(1, rng.normal(scale=4, size=2)), 50 * rng.normal()) for _ in range(50)]

    def rises(row, y, free=False):
        longer = np.vstack([X, row]), np.append(Y, y)
        choose = lambda X, y: choose_precisions(X, y)[:2] if free else (0.7, 1.3)
        before, after = (_total(_predictive(*data, *choose(*data))) for data in ((X, Y), longer))
        return (after > before + SMALL).any()

    assert any(rises(*row, free=True) for row in rows)
    return any(rises(*row) for row in rows)


test_claim = decided("linear/bayesian_regression", globals())

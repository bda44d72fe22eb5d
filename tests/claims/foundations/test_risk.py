"""The quiz of the chapter *Risk*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np

from notes_lib.foundations.risk import (
    bayes_classifier,
    bayes_risk,
    empirical_risk,
    expected_risk,
    margin_exponential,
    margin_hinge,
    margin_logistic,
    margin_squared,
    margin_zero_one,
    residual_absolute,
    residual_huber,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
LOSSES = {
    "hinge": margin_hinge,
    "exponential": margin_exponential,
    "logistic": margin_logistic,
    "squared": margin_squared,
}
TABLES = np.random.default_rng(0).dirichlet(np.ones(3), size=(20, 4))  # posteriors of three classes at four places
PLACES, POSTERIOR = np.array([0.4, 0.6]), np.array([[0.8, 0.2], [0.3, 0.7]])
RULES = list(product([0, 1], repeat=2))  # what to do at each place


def quiz_hinge(value, m, slope, limit):
    """Which loss has the value <value> at $m = <m>$, slope $<slope>$ there, and ignores all margins above <limit>?"""
    h, above = 1e-6, np.linspace(limit, limit + 9, 100)

    def fits(loss):
        found = [*loss([m]), *(loss([m + h]) - loss([m - h])) / (2 * h)]
        return np.allclose(found, [value, slope]) and np.allclose(loss(above), 0)

    return {name: fits(loss) for name, loss in LOSSES.items()}


def quiz_huber(delta, r):
    r"""Huber loss with $\delta = <delta>$ at $r = <r>$?"""
    return Numbers(residual_huber(r, delta), [abs(r), r**2 / 2, delta * abs(r)])


def quiz_threshold(miss, alarm):
    """A miss costs <miss>, a false alarm <alarm>. From which posterior on should the alarm ring?"""
    rings = lambda eta: bayes_classifier([1 - eta, eta], cost=[[0, alarm], [miss, 0]]) == 1
    return {"<eta>": lambda eta: rings(eta + 1e-6) and not rings(eta - 1e-6)}


def _samples(n):
    """Every sample of n instances: its probability, and the empirical risk of each rule on it."""
    outcomes = [(PLACES[x] * POSTERIOR[x, y], [rule[x] != y for rule in RULES]) for x, y in product([0, 1], [0, 1])]
    for sample in product(outcomes, repeat=n):
        risks = np.array([wrong for _, wrong in sample], dtype=float)
        yield np.prod([p for p, _ in sample]), [empirical_risk(losses).value for losses in risks.T]


def quiz_empirical():
    """Which statements about the empirical risk are true?"""
    risks = np.array([expected_risk(POSTERIOR, rule, PLACES) for rule in RULES])
    sizes, deviation = np.array([1, 2, 4]), []
    for n in sizes:
        p, values = map(np.array, zip(*_samples(n), strict=True))
        deviation.append(np.sqrt(p @ (values - risks) ** 2))
    lowest, of_lowest = p @ values.min(axis=1), p @ risks[values.argmin(axis=1)]  # the largest samples
    return {
        r"Its standard error falls like $1/\sqrt N$": np.allclose(np.sqrt(sizes)[:, None] * deviation, deviation[0]),
        "It is at least the Bayes risk": values.min() >= bayes_risk(POSTERIOR, PLACES),
        "For a rule fixed in advance its expectation is the expected risk": np.allclose(p @ values, risks),
        "For the rule that minimises it, it is unbiased too": np.isclose(lowest, of_lowest),
    }


def quiz_probability():
    """From the score of which loss can no probability be computed?"""
    eta, f = np.linspace(0.1, 0.9, 17)[:, None], np.linspace(-4, 4, 8001)
    best = {name: f[(eta * loss(f) + (1 - eta) * loss(-f)).argmin(axis=1)] for name, loss in LOSSES.items()}
    return {name: (np.diff(scores) < 0.01).any() for name, scores in best.items()}


def tf_bayes_zero(value):
    """The Bayes risk of a problem is <value> if there are enough data."""
    rule = bayes_classifier(POSTERIOR)
    rng = np.random.default_rng(0)
    x = rng.choice(2, 100_000, p=PLACES)
    wrong = rng.random(100_000) > POSTERIOR[x, rule[x]]
    assert np.isclose(bayes_risk(np.eye(2), PLACES), value)  # classes that do not overlap
    return any(abs(empirical_risk(wrong[:n].astype(float)).value - value) < 0.05 for n in (1000, 10_000, 100_000))


def tf_squared(m):
    """The squared loss punishes decisions that are right with a margin of <m>."""
    assert margin_zero_one([m]) == margin_hinge([m]) == 0
    return margin_squared([m]) > 1


def tf_scale():
    """Multiplying all costs by a positive number changes the Bayes classifier."""
    cost = np.random.default_rng(1).exponential(size=(3, 3)) * (1 - np.eye(3))
    changes = lambda other: any((bayes_classifier(P, cost) != bayes_classifier(P, other)).any() for P in TABLES)
    assert changes(cost * [[1], [50], [1]])  # of one class only
    return any(changes(factor * cost) for factor in (0.01, 0.5, 3, 1000))


def tf_least():
    """Every classifier has at least the Bayes risk as its expected risk."""
    return all(
        expected_risk(P, rule) >= bayes_risk(P) - SMALL for P in TABLES for rule in product(range(3), repeat=len(P))
    )


def tf_nats():
    """The logistic loss in nats is an upper bound of the 0-1 loss."""
    m = np.linspace(-5, 5, 1001)
    bounds = lambda unit: (margin_logistic(m) / unit >= margin_zero_one(m) - SMALL).all()
    assert bounds(np.log(2))
    return bounds(1)


def tf_median():
    """The absolute loss estimates the conditional median."""
    rng = np.random.default_rng(0)
    y = np.array([[1.0], [5.0]]) + rng.exponential([[1.0], [4.0]], size=(2, 2001))  # rows: places
    grid = np.linspace(0, 12, 1201)
    best = [grid[np.argmin([residual_absolute(at - value).mean() for value in grid])] for at in y]
    assert (abs(best - y.mean(axis=1)) > 0.2).all()
    return np.allclose(best, np.median(y, axis=1), atol=0.02)


def tf_robust():
    """For a convex margin loss with a bounded slope, the regularised linear fit is robust against one arbitrary
    instance."""
    x, grid = np.linspace(0.5, 1.5, 30), np.linspace(-5, 5, 2001)  # all labels are 1, and so is the sign of the fit

    def sign(loss, far):  # with one more instance, at far with the label -1
        u = np.append(x, -far) * grid[:, None]
        return np.sign(grid[np.argmin(loss(u).sum(axis=1) + 0.1 * grid**2)])

    assert all(sign(loss, 1.0) == 1 for loss in (margin_hinge, margin_logistic))
    return all(sign(loss, 1e4) == 1 for loss in (margin_hinge, margin_logistic))


def tf_paired():
    """Of two rules tested on the same instances the standard error of the difference can be smaller than that of each
    risk."""
    first = np.repeat([1.0, 0.0], [30, 70])
    alike, other = first.copy(), np.random.default_rng(0).permutation(first)
    alike[[0, 99]] = 0, 1
    error = lambda losses: empirical_risk(losses).standard_error
    assert error(first - other) > error(first)
    return error(first - alike) < min(error(first), error(alike))


test_claim = decided("foundations/risk", globals())

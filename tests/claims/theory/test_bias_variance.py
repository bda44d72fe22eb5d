"""The quiz of the chapter *Bias and variance*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np

from notes_lib.theory.bias_variance import smoother_decomposition, zero_one_parts
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(3)
GAUSSIAN = NODES, WEIGHTS / WEIGHTS.sum()  # the moments of a Gaussian up to the fifth
SKEWED = np.array([-1.0, 0.0, 4.0]), np.array([0.4, 0.5, 0.1])  # mean 0


def quiz_four(count, predictions, target, noise):
    """Predictions of <count> equally likely training sets are <predictions>, the averaged target is <target>, the noise
    <noise>. The averaged risk is"""
    assert len(predictions) == count
    targets = target + np.sqrt(noise) * np.array([-1, 1])
    risk = np.mean([(t - p) ** 2 for t, p in product(targets, predictions)])
    return Numbers(risk, [noise, predictions.var(), risk - noise])


def _mixed_term(gaussian, unbiased, independent, contained):
    """Expected product of the noise of a new target at 0 and the error of the fit, a constant from targets at -1, 1."""
    values, p = GAUSSIAN if gaussian else SKEWED
    truth = lambda x: 2 + (0 if contained else 3 * x)
    total = 0
    for i, j, new in product(range(3), repeat=3):
        fit = (truth(-1) + values[i] + truth(1) + values[j]) / 2 * (1 if unbiased else 0.5)
        total += p[i] * p[j] * p[new] * values[new if independent else i] * (truth(0) - fit)
    return total


def quiz_third():
    """Which assumption makes the product of noise and fit vanish?"""
    cases = {case: abs(_mixed_term(*case)) < SMALL for case in product([True, False], repeat=4)}
    suffices = [all(zero for case, zero in cases.items() if case[n]) for n in range(4)]
    return {
        "The noise is Gaussian.": suffices[0],
        "The learner is unbiased.": suffices[1],
        "The new target is independent of the training set, given the input.": suffices[2],
        "The model contains the truth.": suffices[3],
    }


def _ridge_errors(n, d, penalty, repeats=60):
    """Training error and error on new instances of a ridge regression on d of 40 features, averaged."""
    rng, w = np.random.default_rng(0), 0.5 ** np.arange(40)
    errors = []
    for _ in range(repeats):
        X, new = rng.normal(size=(n, 40)), rng.normal(size=(200, 40))
        y, y_new = X @ w + rng.normal(size=n), new @ w + rng.normal(size=200)
        fit = np.linalg.solve(X[:, :d].T @ X[:, :d] + penalty * np.eye(d), X[:, :d].T @ y)
        errors.append([((y - X[:, :d] @ fit) ** 2).mean(), ((y_new - new[:, :d] @ fit) ** 2).mean()])
    return np.mean(errors, axis=0)


def quiz_gap(training, validated):
    """A learner has training error <training> and validated error <validated>. Most promising?"""
    fitted, error = _ridge_errors(20, 16, 0.1)
    assert fitted / error <= training / validated
    better = lambda *setting: _ridge_errors(*setting)[1] < error
    return {
        "more features": better(20, 18, 0.1),
        "more data or a stronger penalty": better(40, 16, 0.1) and better(20, 16, 2.0),
        "a weaker penalty": better(20, 16, 0.01),
        "fewer training instances": better(17, 16, 0.1),
    }


def _neighbours(k, x, at):
    """The matrix of k nearest neighbours: rows average the targets at x next to each query point."""
    nearest = np.argsort(abs(at[:, None] - x), axis=1)[:, :k]
    return (np.arange(len(x)) == nearest[..., None]).sum(axis=1) / k


def _parts(L, x, at):
    parts = smoother_decomposition(L, np.sin(x), np.sin(at), noise=0.5)
    return parts.squared_bias.mean(), parts.variance.mean()


def quiz_knn():
    """What lowers the variance of $k$ nearest neighbours? (Mark all.)"""
    x, at, other = np.linspace(0, 6, 30), np.linspace(1, 5, 17), np.linspace(0.5, 5.5, 40)
    before = _parts(_neighbours(3, x, at), x, at)[1]
    lowers = lambda L, x, at: _parts(L, x, at)[1] < before - SMALL
    twice = np.hstack([_neighbours(3, x, at) / 2] * 2)
    return {
        "a larger $k$": all(lowers(_neighbours(k, x, at), x, at) for k in (4, 6, 10)),
        "$k=1$": lowers(_neighbours(1, x, at), x, at),
        "the mean of fits on independent sets": lowers(twice, np.tile(x, 2), at),
        "another test set": lowers(_neighbours(3, x, other), x, other),
    }


def tf_both():
    """Squared bias and variance can both fall at once."""
    few, many, at = np.linspace(0, 6, 20), np.linspace(0, 6, 400), np.linspace(0.5, 5.5, 40)
    before, after = _parts(_neighbours(3, few, at), few, at), _parts(_neighbours(10, many, at), many, at)
    with_few = _parts(_neighbours(10, few, at), few, at)
    assert with_few[0] > before[0]  # a larger k alone
    return after[0] < before[0] and after[1] < before[1]


def tf_unbiased():
    """An unbiased learner has the smallest risk among all learners."""
    shrinkage = np.linspace(0, 1, 101)
    risks = lambda noise: [smoother_decomposition([[c / 4] * 4], np.ones(4), [1.0], noise).risk[0] for c in shrinkage]
    assert np.argmin(risks(0.0)) == 100
    return np.argmin(risks(2.0)) == 100


def tf_zero_one():
    """For the 0-1 loss a larger variance can mean a smaller error."""
    fixed = zero_one_parts(np.zeros((3, 2)), [0, 1])
    varied = zero_one_parts([[0, 0], [0, 0], [1, 1]], [0, 1])
    assert varied.risk[0] > fixed.risk[0]  # where the main prediction is right
    return varied.variance[1] > fixed.variance[1] and varied.risk[1] < fixed.risk[1]


def tf_interpolate(value):
    """A training error of <value> proves that the test error is large."""
    x, at = np.linspace(0, 6, 200), np.random.default_rng(0).uniform(0, 6, 500)

    def is_large(noise):  # of one nearest neighbour
        rng = np.random.default_rng(1)
        y, new = np.sin(x) + noise * rng.normal(size=200), np.sin(at) + noise * rng.normal(size=500)
        assert ((_neighbours(1, x, x) @ y - y) ** 2).mean() == value
        return ((_neighbours(1, x, at) @ y - new) ** 2).mean() > 0.1 * new.var()

    assert is_large(1.0)
    return is_large(0.0)


test_claim = decided("theory/bias_variance", globals())

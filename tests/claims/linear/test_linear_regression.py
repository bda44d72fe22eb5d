"""The quiz of the chapter *Linear regression*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.linear.linear_regression import (
    add_intercept,
    hat_matrix,
    least_squares_summary,
    leverages,
    normal_equations,
    prediction_intervals,
    squared_error,
    squared_error_gradient,
)
from tests.claims.deciding import decided

SMALL = 1e-9


def _sample(seed, n=40, d=2):
    """A design matrix with a column of ones, and targets."""
    rng = np.random.default_rng(seed)
    X = add_intercept(rng.normal(size=(n, d)))
    return X, X @ np.arange(1.0, d + 2) + rng.normal(size=n)


X, Y = _sample(0)


def quiz_width(level):
    """The training set is doubled with independent rows of the same kind. What happens to the width of a <level> %
    prediction interval inside the data?"""
    widths = np.zeros((100, 2))
    for seed in range(len(widths)):
        X, y = _sample(seed, n=120)
        for k, n in enumerate((60, 120)):
            widths[seed, k] = np.ptp(prediction_intervals(X[:n], y[:n], [[1.0, 0.2, -0.1]], level / 100).prediction)
    before, after = widths.mean(axis=0)
    ratio = after / before
    return {
        r"It shrinks by about $\sqrt2$": np.isclose(ratio, 1 / np.sqrt(2), rtol=0.1),
        "It hardly changes": np.isclose(ratio, 1, rtol=0.1),
        "It halves": np.isclose(ratio, 1 / 2, rtol=0.1),
        "It grows": ratio > 1.1,
    }


def quiz_leverage(leverage):
    """A point has leverage <leverage>. Then"""
    alone = np.column_stack([X, np.eye(len(X))[0]])  # only the first row says something about the last weight
    (row,) = np.flatnonzero(np.isclose(leverages(alone), leverage))
    targets = [Y + shift * np.eye(len(X))[row] for shift in (-50, 0, 50)]
    residuals = np.abs([y - hat_matrix(alone) @ y for y in targets])
    rest = np.delete(alone, row, axis=0)
    with np.errstate(invalid="ignore"):  # Cook's distance but for its factor, 0 / 0 where the leverage is 1
        cook = residuals[:, row].round(9) ** 2 / np.round(1 - leverages(alone)[row], 9) ** 2
    return {
        "the fit passes through it whatever its target is": (residuals[:, row] < SMALL).all(),
        "its residual is the largest": (residuals.argmax(axis=1) == row).any(),
        "its Cook's distance is infinite": np.isinf(cook).any(),
        "it must be removed": np.linalg.matrix_rank(rest) == rest.shape[1],
    }


def quiz_scale(factor):
    """Which quantities stay the same when a column is multiplied by <factor>?"""
    scaled = X * [1, factor, 1]
    old, new = least_squares_summary(X, Y), least_squares_summary(scaled, Y)
    return {
        "the path of gradient descent": np.allclose(_path(X), _path(scaled)),
        "the $t$ statistics": np.allclose(old.tvalues, new.tvalues),
        "the fitted values": np.allclose(X @ old.params, scaled @ new.params),
        "the weight of the column": np.isclose(old.params[1], new.params[1]),
    }


def _path(X, steps=3, rate=1e-4):
    """Fitted values of gradient descent after each step."""
    w, path = np.zeros(X.shape[1]), []
    for _ in range(steps):
        w = w - rate * squared_error_gradient(w, X, Y)
        path.append(X @ w)
    return path


def quiz_collinear(size):
    """All $t$ statistics of the slopes are below <size> in size, but $F$ is highly significant. The likely reason is"""
    rng = np.random.default_rng(0)

    def share(n=40, correlated=False, uneven=False, intercept=True):
        """How often exactly this is seen."""
        seen = 0
        for _ in range(60):
            x = rng.normal(size=(n, 2))
            x[:, 1] = x[:, 0] + 0.01 * x[:, 1] if correlated else x[:, 1]
            y = 3 + x.sum(axis=1) + rng.normal(size=n) * (np.abs(x[:, 0]) if uneven else 1)
            fit = least_squares_summary(add_intercept(x) if intercept else x, y)
            seen += (np.abs(fit.tvalues[-2:]) < size).all() and fit.f_pvalue < 1e-3
        return seen / 60

    return {
        "too few rows": share(n=6) > 0.25,
        "strongly correlated features": share(correlated=True) > 0.25,
        "uneven noise": share(uneven=True) > 0.25,
        "a missing intercept": share(intercept=False) > 0.25,
    }


def tf_noise():
    """The least-squares estimate does not depend on the noise."""
    w, noise = normal_equations(X, Y), np.random.default_rng(1).normal(size=len(Y))
    assert np.allclose(w, normal_equations(X, Y + (Y - X @ w)))  # at right angles to the columns
    return np.allclose(w, normal_equations(X, Y + noise))


def tf_gaussian():
    """Least squares needs Gaussian noise to be unbiased."""
    w, noise = np.ones(3), np.random.default_rng(2).exponential(size=(4000, len(X))) - 1  # of mean 0
    estimates = (X @ w + noise) @ np.linalg.pinv(X).T
    assert np.allclose(estimates[0], normal_equations(X, X @ w + noise[0]))
    bias, error = estimates.mean(axis=0) - w, estimates.std(axis=0) / np.sqrt(len(estimates))
    return (np.abs(bias) > 5 * error).any()


def tf_sum():
    """The residuals of a model with an intercept add up to 0."""
    return all(abs((y - X @ normal_equations(X, y)).sum()) < SMALL for X, y in map(_sample, range(5)))


def tf_fitted():
    """If $N < P$, the fitted values of least squares are not unique."""
    X, y = _sample(0, n=4, d=6)
    null = np.linalg.svd(X)[2][4:]
    one = np.linalg.pinv(X) @ y
    weights = [one, one + null[0], one - 5 * null[1]]
    assert all(np.isclose(squared_error(w, X, y), squared_error(one, X, y)) for w in weights)
    return any(not np.allclose(X @ w, X @ one) for w in weights)


def tf_random():
    """Adding a column of random numbers cannot lower $R^2$."""
    gains = []
    for seed in range(20):
        X, y = _sample(seed)
        wider = np.column_stack([X, np.random.default_rng(100 + seed).normal(size=len(y))])
        gains.append(least_squares_summary(wider, y).rsquared - least_squares_summary(X, y).rsquared)
    return min(gains) > -SMALL


test_claim = decided("linear/linear_regression", globals())

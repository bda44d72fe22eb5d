"""The quiz of the chapter *Ridge, LASSO and elastic net*, decided: see ``tests/claims/deciding.py``."""

from itertools import pairwise

import numpy as np

from notes_lib.linear.regularization import (
    ElasticNet,
    Lasso,
    Ridge,
    effective_degrees_of_freedom,
    lasso_knots,
    lasso_path,
    ridge_weights,
    soft_threshold,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _sample(seed, n=40, d=5):
    """Correlated centred columns and targets."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    return X - X.mean(axis=0), y - y.mean()


SAMPLES = [_sample(seed) for seed in range(10)]


def _residuals(X, y, alpha, new=None):
    """Sum of squares that ridge leaves, on its own rows or on new ones."""
    A, t = (X, y) if new is None else new
    return np.sum((t - A @ ridge_weights(X, y, alpha)) ** 2)


def quiz_training():
    r"""You double $\lambda$ in ridge. The residual sum of squares on the training set"""
    pairs = [(_residuals(X, y, a), _residuals(X, y, 2 * a)) for X, y in SAMPLES for a in (0.01, 1, 50)]
    change = np.array([after - before for before, after in pairs])
    return {
        "rises or stays": (change > -SMALL).all(),
        "falls": (change < SMALL).all(),
        "may do either": (change > SMALL).any() and (change < -SMALL).any(),
        "doubles": np.allclose([after / before for before, after in pairs], 2),
    }


def quiz_copies():
    """Two identical columns. Which methods give them equal weights for certain?"""
    X, y = SAMPLES[0]
    twice = np.column_stack([X, X[:, 0]])
    equal = lambda w: np.isclose(w[0], w[-1])
    lasso, shortest = Lasso(0.05).fit(twice, y).coef_, np.linalg.lstsq(twice, y)[0]
    moved = np.r_[0.3, np.zeros(4), -0.3]  # from one copy to the other: the same predictions
    assert np.allclose(twice @ (shortest + moved), twice @ shortest)
    return {
        r"ridge with $\lambda > 0$": equal(Ridge(0.5).fit(twice, y).coef_),
        "the lasso": equal(lasso),
        r"the elastic net with $\rho < 1$ and $\alpha > 0$": equal(ElasticNet(0.05, l1_ratio=0.9).fit(twice, y).coef_),
        "least squares": equal(shortest + moved),
    }


def quiz_soft(z):
    r"""Orthonormal columns, $z = <z>$, $\tfrac12\lVert\mathbf{r}\rVert^2 + \lVert\mathbf{w}\rVert_1$. The weights
    are"""
    z = np.asarray(z)
    lasso = Lasso(1 / len(z), fit_intercept=False).fit(np.eye(len(z)), z).coef_
    return Numbers(lasso, [z * (np.abs(z) >= 1), ridge_weights(np.eye(len(z)), z, 1.0), soft_threshold(z, 0.5)])


def quiz_df(squares, strength):
    r"""Effective degrees of freedom of ridge with $\sigma_i^2 = <squares>$ and $\lambda = <strength>$"""
    X = np.diag(np.sqrt(squares))
    return {
        "<n>": lambda n: np.isclose(effective_degrees_of_freedom(X, strength), n),
    }


def tf_zero():
    """A feature whose lasso weight is 0 is uncorrelated with the target."""
    X, y = SAMPLES[1]
    weights = Lasso(0.4).fit(X, y).coef_
    correlation = [np.corrcoef(X[:, j], y)[0, 1] for j in np.flatnonzero(weights == 0)]
    assert len(correlation)
    return np.abs(correlation).max() < 0.1


def tf_invertible():
    r"""Ridge makes $\mathbf{X}^\top\mathbf{X} + \lambda\mathbf{I}$ invertible for every $\mathbf{X}$ and
    $\lambda > 0$."""
    rng = np.random.default_rng(0)
    shapes = [(2, 6), (6, 2), (5, 5)]
    designs = [rng.normal(size=s) for s in shapes] + [np.ones((4, 3)), np.zeros((2, 2))]
    return all(np.linalg.eigvalsh(X.T @ X + a * np.eye(X.shape[1]))[0] > a / 2 for X in designs for a in (0.1, 1, 9))


def tf_linear():
    r"""The lasso path is piecewise linear in $\lambda_1$."""
    X, y = SAMPLES[2]
    knots = lasso_knots(X, y).alphas
    assert len(knots) > 3
    bends = [
        np.diff(lasso_path(X, y, alphas=np.linspace(high, low, 5)).coefs, 2, axis=1)
        for high, low in pairwise(knots)
    ]  # fmt: skip
    return all(np.allclose(bend, 0, atol=1e-6) for bend in bends)


def tf_laplace():
    """A sample from the posterior under a Laplace prior has zeros."""
    rng = np.random.default_rng(3)
    z, w, seen = 0.2, 0.0, []  # one weight whose mode is 0: random walk of Metropolis on the density
    minus_log = lambda v: (v - z) ** 2 / 2 + abs(v)
    assert soft_threshold(z, 1.0) == 0
    for _ in range(4000):
        step = w + rng.normal()
        if np.log(rng.random()) < minus_log(w) - minus_log(step):
            w = step
            seen.append(w)
    return (np.array(seen) == 0).any()


test_claim = decided("linear/regularization", globals())

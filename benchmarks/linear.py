"""Workloads of the chapters on linear models."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray
from notes_lib.linear.bayesian_regression import BayesianLinearRegression
from notes_lib.linear.fisher_lda import FisherDiscriminant
from notes_lib.linear.linear_regression import LinearRegression
from notes_lib.linear.perceptron import Perceptron


def linear_regression() -> Workload:
    """Fit with an intercept of a long table."""
    import sklearn.linear_model

    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 50)) + 10
    y = X @ rng.normal(size=50) + rng.normal(size=100_000)
    return Workload(
        name="linear regression",
        size="100,000 x 50, with intercept",
        peer_name="scikit-learn",
        ours=lambda: LinearRegression().fit(X, y).coef_,
        peer=lambda: sklearn.linear_model.LinearRegression().fit(X, y).coef_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.5,
        technique="centred columns, then the Householder QR in blocks of least squares; the singular values that "
        "decide the rank are those of the triangle",
    )


def fisher_lda() -> Workload:
    """Fit of all discriminant directions of five classes."""
    import sklearn.discriminant_analysis

    rng = np.random.default_rng(0)
    n, d, K = 100_000, 50, 5
    y = rng.integers(0, K, n)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.2 * rng.normal(size=(d, d))) + rng.normal(size=(K, d))[y] + 10
    peer = sklearn.discriminant_analysis.LinearDiscriminantAnalysis
    return Workload(
        name="Fisher's linear discriminant",
        size="100,000 x 50, 5 classes",
        peer_name="scikit-learn (eigen)",
        ours=lambda: np.abs(FisherDiscriminant().fit(X, y).scalings_),  # the sign of a direction is a convention
        peer=lambda: np.abs(peer(solver="eigen").fit(X, y).scalings_[:, : K - 1]),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=2.5,
        technique="class means by a 0/1 matrix product, scatter of the centred rows in blocks that stay in the cache; "
        "one Cholesky factor and one symmetric eigenproblem",
    )


def bayesian_regression() -> Workload:
    """Posterior and both precisions by the evidence."""
    from sklearn.linear_model import BayesianRidge

    rng = np.random.default_rng(0)
    n, d = 50_000, 50
    X = rng.normal(size=(n, d))
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    none = dict.fromkeys(["alpha_1", "alpha_2", "lambda_1", "lambda_2"], 0.0)
    return Workload(
        name="Bayesian linear regression",
        size="50,000 x 50",
        peer_name="scikit-learn",
        ours=lambda: BayesianLinearRegression(fit_intercept=False).fit(X, y).coef_,
        peer=lambda: BayesianRidge(fit_intercept=False, tol=1e-9, **none).fit(X, y).coef_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=1.0,
        technique="one triangular factor of all rows; each round of the fixed point on its singular values",
    )


def perceptron() -> Workload:
    """Five passes over overlapping classes, row by row in their order."""
    import sklearn.linear_model

    rng = np.random.default_rng(0)
    n, d = 50_000, 50
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + 0.09 * np.sqrt(d) * rng.normal(size=n) > 0, 1, -1)
    peer = sklearn.linear_model.Perceptron
    return Workload(
        name="perceptron",
        size="50,000 x 50, 5 passes",
        peer_name="scikit-learn",
        ours=lambda: _quietly(lambda: Perceptron(max_iter=5, shuffle=False).fit(X, y).coef_),
        peer=lambda: peer(max_iter=5, tol=None, shuffle=False).fit(X, y).coef_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-9,
        goal=0.2,
        technique="scores of a block of rows by one product, then on to its first mistake; the block grows while "
        "nothing is wrong",
    )


def _quietly(fit: Callable[[], FloatArray]) -> FloatArray:
    """Run without the warning that the classes overlap."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit()


WORKLOADS = [linear_regression, bayesian_regression, perceptron, fisher_lda]

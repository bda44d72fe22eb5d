"""Workloads of the chapters on linear models."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray
from notes_lib.linear.fisher_lda import FisherDiscriminant
from notes_lib.linear.linear_regression import LinearRegression
from notes_lib.linear.logistic_regression import LogisticRegression
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


def logistic_regression() -> Workload:
    """Fit with a penalty; the two are compared by the relative gap of their objectives."""
    import sklearn.linear_model

    rng = np.random.default_rng(0)
    n, d = 50_000, 50
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d)) / np.sqrt(d))
    y = (rng.random(n) < 1 / (1 + np.exp(-0.5 * X @ rng.normal(size=d)))).astype(int)
    peer = sklearn.linear_model.LogisticRegression

    def objective(model: LogisticRegression) -> float:
        z = X @ model.coef_[0] + model.intercept_[0]
        return float(np.logaddexp(0, z).sum() - y @ z + 0.5 * model.coef_[0] @ model.coef_[0])

    return Workload(
        name="logistic regression",
        size="50,000 x 50, C = 1",
        peer_name="scikit-learn (lbfgs)",
        ours=lambda: LogisticRegression().fit(X, y),
        peer=lambda: peer(tol=1e-6, max_iter=500).fit(X, y),
        difference=lambda a, b: abs(objective(a) / objective(b) - 1),
        tolerance=1e-8,
        goal=0.9,
        technique="Newton's method from the weights of an eighth of the rows; Hessian in blocks kept in the cache, "
        "and not computed anew once steps are short",
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


WORKLOADS = [linear_regression, logistic_regression, perceptron, fisher_lda]

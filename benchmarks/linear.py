"""Workloads of the chapters on linear models."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray
from notes_lib.linear.bayesian_regression import BayesianLinearRegression
from notes_lib.linear.fisher_lda import FisherDiscriminant
from notes_lib.linear.gaussian_discriminant import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from notes_lib.linear.linear_regression import LinearRegression
from notes_lib.linear.logistic_regression import LogisticRegression
from notes_lib.linear.perceptron import Perceptron
from notes_lib.linear.regularization import Ridge, lasso_path
from notes_lib.linear.softmax_regression import SoftmaxRegression, log_sum_exp


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
        floor=0.8,  # a few products limited by the memory on both sides: which is ahead changes with the processor
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
        goal=0.5,
        floor=0.15,  # each mistake waits for the one before it, and Python makes a few calls for each
        technique="scores of a block of rows by one product, then on to its first mistake; the block grows while "
        "nothing is wrong, and little is called beside the product",
    )


def _gaussian_classes() -> tuple[FloatArray, FloatArray]:
    """100,000 rows of five Gaussian classes with a covariance each."""
    rng = np.random.default_rng(0)
    n, d, K = 100_000, 50, 5
    y = rng.integers(0, K, n)
    A = 0.5 * rng.normal(size=(K, d, d)) / np.sqrt(d) + np.eye(d)
    X = rng.normal(size=(n, d))
    for k in range(K):
        X[y == k] = X[y == k] @ A[k] + 0.4 * rng.normal(size=d)
    return X, y


def _discriminant(
    name: str, ours: ClassifierMixin, peer: ClassifierMixin, goal: float, technique: str, floor: float | None = None
) -> Workload:
    """Fit and predict; the classes must be the same for all rows."""
    X, y = _gaussian_classes()
    return Workload(
        name=name,
        size="100,000 x 50, 5 classes",
        peer_name=f"scikit-learn ({peer.solver})",
        ours=lambda: ours.fit(X, y).predict(X),
        peer=lambda: peer.fit(X, y).predict(X),
        difference=lambda a, b: float((a != b).sum()),
        tolerance=0.0,
        goal=goal,
        floor=floor,
        technique=technique,
    )


def linear_discriminant() -> Workload:
    """One covariance for all classes."""
    import sklearn.discriminant_analysis

    return _discriminant(
        "Linear discriminant analysis",
        LinearDiscriminantAnalysis(),
        sklearn.discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr"),
        goal=2.5,
        floor=2.0,  # as for the quadratic one
        technique="within-class scatter in blocks that stay in the cache, one Cholesky factor, scores as one product",
    )


def quadratic_discriminant() -> Workload:
    """A covariance for each class."""
    import sklearn.discriminant_analysis

    return _discriminant(
        "Quadratic discriminant analysis",
        QuadraticDiscriminantAnalysis(),
        sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis(solver="eigen"),
        goal=1.8,
        floor=1.4,  # products of blocks in the cache: the ratio changes with what else is in it
        technique="a Cholesky factor for each class; rows whitened for all classes while they are in the cache",
    )


def _quietly(fit: Callable[[], FloatArray]) -> FloatArray:
    """Run without the warning that the classes overlap."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit()


def ridge() -> Workload:
    """Fit with a bias."""
    import sklearn.linear_model

    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 100))
    y = X @ rng.normal(size=100) + rng.normal(size=len(X))
    return Workload(
        name="Ridge regression",
        size="100,000 x 100",
        peer_name="scikit-learn (auto: Cholesky)",
        ours=lambda: Ridge(1.0).fit(X, y).coef_,
        peer=lambda: sklearn.linear_model.Ridge(1.0).fit(X, y).coef_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.25,
        technique="Gram matrix of the centred rows in blocks that stay in the cache, never a centred copy of all; one "
        "Cholesky factor",
    )


def _lasso(peer_tol: float, tolerance: float, goal: float) -> Workload:
    import sklearn.linear_model

    rng = np.random.default_rng(0)
    n, d = 2000, 500
    X = rng.normal(size=(n, d)) + 0.5 * rng.normal(size=(n, 1))
    y = X[:, :50] @ rng.normal(size=50) + 3 * rng.normal(size=n)
    X, y = X - X.mean(axis=0), y - y.mean()
    peer = {"eps": 1e-3, "precompute": True, "tol": peer_tol, "max_iter": 100_000}
    return Workload(
        name=f"Lasso path, peer to {peer_tol:g}",
        size="2,000 x 500, 100 strengths",
        peer_name="scikit-learn",
        ours=lambda: lasso_path(X, y).coefs,
        peer=lambda: sklearn.linear_model.lasso_path(X, y, alphas=100, **peer)[1],
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=tolerance,
        goal=goal,
        technique="active sets: for fixed signs one linear system, a column leaves where its weight would change sign",
    )


def lasso() -> Workload:
    """The peer stops at its default tolerance."""
    return _lasso(1e-4, 1e-2, 0.6)


def lasso_exact() -> Workload:
    """The peer works to about the accuracy of the active set."""
    return _lasso(1e-8, 1e-6, 12.0)


def softmax_regression() -> Workload:
    """Ten handwritten digits with a penalty, both to a relative gap of the objective below 1e-7."""
    import sklearn.linear_model
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    X = X / 16

    def objective(model: ClassifierMixin) -> float:
        scores = X @ model.coef_.T + model.intercept_
        return float((log_sum_exp(scores) - scores[np.arange(len(y)), y]).sum() + (model.coef_**2).sum() / 2)

    peer = sklearn.linear_model.LogisticRegression
    return Workload(
        name="softmax regression",
        size="1,797 x 64, 10 classes",
        peer_name="scikit-learn (lbfgs)",
        ours=lambda: SoftmaxRegression().fit(X, y),
        peer=lambda: peer(tol=1e-6, max_iter=1000).fit(X, y),
        difference=lambda a, b: abs(objective(a) / objective(b) - 1),
        tolerance=1e-7,
        goal=1.0,
        technique="L-BFGS in coordinates in which the Hessian at zero weights is the identity: a quarter of the "
        "iterations",
    )


WORKLOADS = [
    linear_regression,
    ridge,
    lasso,
    lasso_exact,
    bayesian_regression,
    logistic_regression,
    softmax_regression,
    perceptron,
    fisher_lda,
    linear_discriminant,
    quadratic_discriminant,
]

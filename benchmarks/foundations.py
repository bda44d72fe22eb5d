"""Workloads of the chapters on foundations."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from benchmarks.harness import Workload
from notes_lib.foundations.descent import lbfgs
from notes_lib.foundations.estimation import gaussian_mle
from notes_lib.foundations.evaluation import confusion_matrix, normalized_mutual_info_score, roc_auc_score
from notes_lib.foundations.information import entropy, information_gain
from notes_lib.foundations.linear_algebra import qr_solve
from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian
from notes_lib.foundations.risk import margin_logistic


def least_squares() -> Workload:
    """Least squares of a long, correlated matrix."""
    rng = np.random.default_rng(0)
    n, d = 100_000, 50
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.2 * rng.normal(size=(d, d))) + 1
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    return Workload(
        name="least squares",
        size="100,000 x 50",
        peer_name="NumPy (lstsq)",
        ours=lambda: qr_solve(X, y),
        peer=lambda: np.linalg.lstsq(X, y, rcond=None)[0],
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.8,
        technique="Householder QR of blocks of rows that stay in the cache, then of the stacked triangles; Q is never "
        "formed",
    )


def gaussian_fit() -> Workload:
    """Maximum-likelihood fit of a Gaussian to one column."""
    import scipy.stats

    x = 3 + 2 * np.random.default_rng(0).normal(size=1_000_000)
    return Workload(
        name="Gaussian by maximum likelihood",
        size="1,000,000 numbers",
        peer_name="SciPy (norm.fit)",
        ours=lambda: np.sqrt(gaussian_mle(x).var),
        peer=lambda: scipy.stats.norm.fit(x)[1],
        difference=lambda a, b: float(abs(a - b)),
        tolerance=1e-12,
        goal=1.0,
        floor=0.8,  # about equal: both go through the memory a few times
        technique="deviations once, their sum of squares as an inner product; finiteness is read off the sum",
    )


def roc_auc() -> Workload:
    """Area under the ROC curve of a million scores."""
    import sklearn.metrics

    rng = np.random.default_rng(0)
    y = (rng.random(1_000_000) < 0.3).astype(int)
    score = rng.normal(size=y.size) + y
    return Workload(
        name="area under the ROC curve",
        size="1,000,000 scores",
        peer_name="scikit-learn",
        ours=lambda: roc_auc_score(y, score),
        peer=lambda: sklearn.metrics.roc_auc_score(y, score),
        difference=lambda a, b: abs(a - b),
        tolerance=1e-12,
        goal=4.5,
        floor=2.5,  # nearly all of it is NumPy's sort, which on AMD's Zen 4 takes five times as long with AVX-512
        technique="both classes sorted by value, without an index; each positive finds its rank among the negatives by "
        "bisection, and no curve is formed",
    )


def confusion() -> Workload:
    """Confusion matrix of ten classes."""
    import sklearn.metrics

    rng = np.random.default_rng(1)
    y = rng.integers(0, 10, 1_000_000)
    guess = np.where(rng.random(y.size) < 0.8, y, rng.integers(0, 10, y.size))
    return Workload(
        name="confusion matrix",
        size="1,000,000 labels, 10 classes",
        peer_name="scikit-learn",
        ours=lambda: confusion_matrix(y, guess),
        peer=lambda: sklearn.metrics.confusion_matrix(y, guess),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=0.0,
        goal=6.0,
        technique="labels numbered by a table over their range instead of by sorting, cells counted in one pass",
    )


def clustering_agreement() -> Workload:
    """Normalised mutual information of two partitions into twenty groups."""
    import sklearn.metrics

    rng = np.random.default_rng(2)
    a = rng.integers(0, 20, 1_000_000)
    b = np.where(rng.random(a.size) < 0.5, a, rng.integers(0, 20, a.size))
    return Workload(
        name="normalised mutual information",
        size="1,000,000 labels, 20 x 20 groups",
        peer_name="scikit-learn",
        ours=lambda: normalized_mutual_info_score(a, b),
        peer=lambda: sklearn.metrics.normalized_mutual_info_score(a, b),
        difference=lambda a, b: abs(a - b),
        tolerance=1e-12,
        goal=9.0,
        technique="one contingency table by counting, entropies from its margins",
    )


def logistic_loss() -> Workload:
    """Logistic loss of a million margins."""
    import scipy.special

    m = 4 * np.random.default_rng(0).normal(size=1_000_000)
    return Workload(
        name="logistic loss",
        size="1,000,000 margins",
        peer_name="SciPy (log_expit)",
        ours=lambda: margin_logistic(m),
        peer=lambda: -scipy.special.log_expit(m),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-14,
        goal=1.0,
        technique="one exponential of minus the size of m, which cannot overflow, instead of a branch for each margin",
    )


def information() -> Workload:
    """Information gain of an attribute of many rows."""
    from sklearn.metrics import mutual_info_score

    rng = np.random.default_rng(0)
    n = 1_000_000
    y = rng.integers(0, 10, n)
    x = (y + rng.integers(0, 20, n)) % 50
    return Workload(
        name="information gain",
        size="1,000,000 rows, 29 values, 10 classes",
        peer_name="scikit-learn (mutual_info_score)",
        ours=lambda: information_gain(x, y),
        peer=lambda: mutual_info_score(x, y),
        difference=lambda a, b: abs(a - b),
        tolerance=1e-10,
        goal=2,
        technique="integers in a small range are counted as they are, without sorting; three entropies of counts",
    )


def row_entropies() -> Workload:
    """Entropy of each row of a matrix of class probabilities."""
    import scipy.stats

    P = np.random.default_rng(0).dirichlet(np.ones(10), 200_000)
    return Workload(
        name="entropy of rows",
        size="200,000 x 10",
        peer_name="SciPy (stats.entropy)",
        ours=lambda: entropy(P),
        peer=lambda: scipy.stats.entropy(P, axis=1),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1,
        floor=0.8,  # about equal: which is ahead changes with the processor
        technique="one pass of x log x, and a sum",
    )


def lbfgs_logistic() -> Workload:
    """Minimum of a logistic loss; both methods evaluate the same function about equally often."""
    import scipy.optimize

    rng = np.random.default_rng(0)
    n, d = 50_000, 50
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.3 * rng.normal(size=(d, d)))
    Z = X * np.where(X @ rng.normal(size=d) / np.sqrt(d) + rng.logistic(size=n) > 0, 1.0, -1.0)[:, None]

    def pair(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = Z @ w
        return np.logaddexp(0, -margin).mean() + 5e-4 * w @ w, -(Z.T @ expit(-margin)) / n + 1e-3 * w

    options = {"gtol": 1e-6, "ftol": 0.0, "maxcor": 10}
    peer = scipy.optimize.minimize
    return Workload(
        name="L-BFGS",
        size="logistic loss, 50,000 x 50, gradient to 1e-6",
        peer_name="SciPy (L-BFGS-B, compiled)",
        ours=lambda: lbfgs(pair, np.zeros(d), True, tol=1e-6).x,
        peer=lambda: peer(pair, np.zeros(d), jac=True, method="L-BFGS-B", options=options).x,
        difference=lambda a, b: abs(pair(a)[0] - pair(b)[0]) / pair(b)[0],
        tolerance=1e-8,
        goal=0.8,
        technique="two-loop recursion in NumPy, value and gradient from one product with the data; nearly all the "
        "time goes into the function itself",
    )


def gaussian_log_density() -> Workload:
    """Log-density of many points under one covariance matrix."""
    import scipy.stats

    rng = np.random.default_rng(0)
    n, d = 100_000, 20
    A = rng.normal(size=(d + 5, d))
    ours = MultivariateGaussian(rng.normal(size=d), A.T @ A)
    peer = scipy.stats.multivariate_normal(ours.mean, ours.covariance)
    X = ours.sample(n, random_state=1)
    return Workload(
        name="Gaussian log-density",
        size="100,000 x 20",
        peer_name="SciPy",
        ours=lambda: ours.logpdf(X),
        peer=lambda: peer.logpdf(X),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.0,
        floor=0.8,  # about equal: which is ahead changes with the processor
        technique="one triangular system for each block of rows, which stays in the cache; half of a full product",
    )


WORKLOADS = [
    least_squares,
    lbfgs_logistic,
    information,
    row_entropies,
    logistic_loss,
    gaussian_fit,
    gaussian_log_density,
    roc_auc,
    confusion,
    clustering_agreement,
]

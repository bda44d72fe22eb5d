"""Workloads of the chapters on foundations."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.foundations.estimation import gaussian_mle
from notes_lib.foundations.evaluation import confusion_matrix, normalized_mutual_info_score, roc_auc_score
from notes_lib.foundations.linear_algebra import qr_solve


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


WORKLOADS = [least_squares, gaussian_fit, roc_auc, confusion, clustering_agreement]

"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.reduction.pca import PCA


def pca() -> Workload:
    """All axes of many rows."""
    import sklearn.decomposition

    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 100)) @ rng.normal(size=(100, 100)) + 5.0
    return Workload(
        name="principal components",
        size="50,000 x 100",
        peer_name="scikit-learn (auto)",
        ours=lambda: PCA().fit(X).explained_variance_,
        peer=lambda: sklearn.decomposition.PCA().fit(X).explained_variance_,
        difference=lambda a, b: float(np.abs(a / b - 1).max()),
        tolerance=1e-8,
        goal=0.95,
        technique="covariance matrix in one pass over blocks of rows, each moved to a place near the mean; eigenvectors",
    )


WORKLOADS = [pca]

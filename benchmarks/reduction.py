"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.reduction.kernel_pca import KernelPCA


def kernel_pca() -> Workload:
    """Five components of an RBF kernel matrix."""
    import sklearn.decomposition

    X = np.random.default_rng(0).normal(size=(2000, 10))
    X[:1000, 0] += 4.0
    same: dict[str, Any] = {"kernel": "rbf", "gamma": 0.05, "random_state": 0}
    return Workload(
        name="kernel PCA",
        size="2,000 x 10, 5 components",
        peer_name="scikit-learn (ARPACK)",
        ours=lambda: KernelPCA(5, **same).fit_transform(X),
        peer=lambda: sklearn.decomposition.KernelPCA(5, eigen_solver="arpack", **same).fit_transform(X),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=0.5,
        technique="a block of vectors is multiplied by the matrix again and again, and Rayleigh-Ritz takes the best "
        "of all blocks, not of the last one only",
    )


WORKLOADS = [kernel_pca]

"""Workloads of the chapters on kernels."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.kernels.kernel_methods import rbf_kernel


def rbf_matrix() -> Workload:
    """Kernel matrix of all pairs of rows."""
    import sklearn.metrics.pairwise

    X = np.random.default_rng(0).normal(size=(3000, 20))
    return Workload(
        name="RBF kernel matrix",
        size="3,000 x 20",
        peer_name="scikit-learn",
        ours=lambda: rbf_kernel(X, gamma=0.05),
        peer=lambda: sklearn.metrics.pairwise.rbf_kernel(X, gamma=0.05),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-12,
        goal=1.0,
        technique="one matrix product for all squared distances, then scaling and exponential in place",
    )


WORKLOADS = [rbf_matrix]

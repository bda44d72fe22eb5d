"""Workloads of the chapters on linear models."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.linear.fisher_lda import FisherDiscriminant


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


WORKLOADS = [fisher_lda]

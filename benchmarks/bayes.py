"""Workloads of the chapters of the part *Bayesian methods*."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.harness import Workload
from notes_lib.bayes.naive_bayes import GaussianNB


def gaussian_naive_bayes() -> Workload:
    """Fit and predict."""
    import sklearn.naive_bayes

    rng = np.random.default_rng(0)
    n, d, K = 200_000, 50, 5
    y = rng.integers(0, K, n)
    X = rng.normal(size=(n, d)) * (0.5 + rng.random((K, d)))[y] + 0.4 * rng.normal(size=(K, d))[y]
    return Workload(
        name="Gaussian naive Bayes",
        size="200,000 x 50, 5 classes",
        peer_name="scikit-learn",
        ours=lambda: GaussianNB().fit(X, y).predict(X),
        peer=lambda: sklearn.naive_bayes.GaussianNB().fit(X, y).predict(X),
        difference=lambda a, b: float((a != b).sum()),
        tolerance=0.0,
        goal=2.2,
        floor=1.5,
        technique="moments of all classes by products with a matrix of memberships; densities of all classes block by "
        "block, while the rows are in the cache",
    )


WORKLOADS: list[Callable[[], Workload]] = [gaussian_naive_bayes]

"""Workloads of the chapters of the part *Bayesian methods*."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.harness import Workload
from notes_lib.bayes.density_estimation import KernelDensity


def kernel_density() -> Workload:
    """Log-density of new rows; in the plane, since in the tails of more dimensions the peer is wrong by many nats."""
    import sklearn.neighbors

    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(5000, 2)), rng.normal(size=(5000, 2))
    return Workload(
        name="kernel density",
        size="5000 instances, 5000 new, d = 2",
        peer_name="scikit-learn",
        ours=lambda: KernelDensity(bandwidth=0.3).fit(X).score_samples(Q),
        peer=lambda: sklearn.neighbors.KernelDensity(bandwidth=0.3).fit(X).score_samples(Q),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=15.0,
        technique="all exponents of a block by one matrix product, blocks that stay in the cache; only rows whose sum "
        "underflows are summed again in the log domain",
    )


WORKLOADS: list[Callable[[], Workload]] = [kernel_density]

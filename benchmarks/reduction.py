"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.reduction.ica import FastICA


def independent_components() -> Workload:
    """Whitening and fixed-point iterations from one start; ten Laplace sources."""
    import sklearn.decomposition

    rng = np.random.default_rng(0)
    A, start = rng.normal(size=(10, 10)), rng.normal(size=(10, 10))
    X = rng.laplace(size=(20_000, 10)) @ A.T
    ours = FastICA(tol=1e-6, w_init=start)
    peer = sklearn.decomposition.FastICA(tol=1e-6, w_init=start, whiten_solver="eigh")
    return Workload(
        name="independent components",
        size="20,000 x 10",
        peer_name="scikit-learn, whitening by eigh",
        ours=lambda: ours.fit(X).components_,
        peer=lambda: peer.fit(X).components_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.5,
        technique="one evaluation of tanh for both means, in blocks that stay in the cache",
    )


WORKLOADS = [
    independent_components,
]

"""Workloads of the chapters of the part *Neighbours*."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.harness import Workload
from notes_lib.neighbors.curse_of_dimensionality import intrinsic_dimension


def two_neighbours() -> Workload:
    """The intrinsic dimension of many points, from the distances to their two nearest neighbours."""
    import sklearn.neighbors

    X = np.random.default_rng(0).normal(size=(6000, 30))

    def peer() -> float:
        """The same estimate from scikit-learn's neighbours."""
        search = sklearn.neighbors.NearestNeighbors(n_neighbors=3, algorithm="brute").fit(X)
        r = search.kneighbors(X)[0]
        return float(1 / np.log(r[:, 2] / r[:, 1]).mean())

    return Workload(
        name="intrinsic dimension",
        size="6000 x 30, two neighbours",
        peer_name="scikit-learn (brute force)",
        ours=lambda: intrinsic_dimension(X).estimate,
        peer=peer,
        difference=lambda a, b: abs(a - b),
        tolerance=1e-6,
        goal=0.5,
        technique="one matrix product for a block of rows that stays in the cache, two passes for the two minima; only "
        "distances that cancel are computed again",
    )


WORKLOADS: list[Callable[[], Workload]] = [two_neighbours]

"""Workloads of the chapters of the part *Neighbours*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray
from notes_lib.neighbors.nearest_neighbors import KDTree, KNeighborsClassifier


def nearest_neighbors() -> Workload:
    """Fit and predict by brute force."""
    import sklearn.neighbors
    from sklearn.datasets import make_blobs

    X, y = make_blobs(22_000, 20, centers=5, cluster_std=6, random_state=0)
    X, queries, y = X[:20_000], X[20_000:], y[:20_000]
    peer = sklearn.neighbors.KNeighborsClassifier(5, algorithm="brute")
    return Workload(
        name="k nearest neighbours",
        size="20,000 x 20, 2,000 queries, k = 5",
        peer_name="scikit-learn (brute)",
        ours=lambda: KNeighborsClassifier(5).fit(X, y).predict(queries),
        peer=lambda: peer.fit(X, y).predict(queries),
        difference=lambda a, b: float((a != b).sum()),
        tolerance=0.0,
        goal=1.0,
        floor=0.5,  # both are limited by the memory, and the ratio changes with what else runs
        technique="distances of 48 queries as one matrix product that stays in the cache; the k-th smallest of group "
        "minima bounds the k-th distance, and only groups below it are looked into",
    )


def _tree(peer_name: str, build: Callable[[FloatArray], Any]) -> Workload:
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(20_000, 3)), rng.normal(size=(20_000, 3))
    tree, peer = KDTree(X), build(X)
    return Workload(
        name=f"k-d tree, against {peer_name}",
        size="20,000 x 3, 20,000 queries, k = 5",
        peer_name=peer_name,
        ours=lambda: tree.nearest(queries, 5).distances,
        peer=lambda: peer.query(queries, 5)[0],
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-12,
        goal=0.02,  # measured and said: Python enters the nodes here, compiled code there
        technique="all queries enter a node together, those that its box does not exclude; the peer is compiled",
    )


def tree_query() -> Workload:
    """Queries of a finished k-d tree."""
    import sklearn.neighbors

    return _tree("scikit-learn", sklearn.neighbors.KDTree)


def tree_query_scipy() -> Workload:
    """The same queries, SciPy's tree."""
    from scipy.spatial import cKDTree

    return _tree("SciPy's cKDTree", cKDTree)


WORKLOADS = [nearest_neighbors, tree_query, tree_query_scipy]

"""Workloads of the chapters of the part *Neighbours*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray, IntArray
from notes_lib.neighbors.curse_of_dimensionality import intrinsic_dimension
from notes_lib.neighbors.nearest_neighbors import KDTree, KNeighborsClassifier
from notes_lib.neighbors.prototype_selection import hart_condense, wilson_edit


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
        goal=0.4,
        floor=0.2,
        technique="queries that fall into one leaf are a block; all blocks go down the tree together, and the "
        "distances of a block from what lies in its box are one matrix product",
    )


def tree_query() -> Workload:
    """Queries of a finished k-d tree."""
    import sklearn.neighbors

    return _tree("scikit-learn", sklearn.neighbors.KDTree)


def tree_query_scipy() -> Workload:
    """The same queries, SciPy's tree."""
    from scipy.spatial import cKDTree

    return _tree("SciPy's cKDTree", cKDTree)


def _overlapping(n: int) -> tuple[FloatArray, IntArray]:
    """Two Gaussian classes in 20 dimensions."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, 20)) + 3.0 * np.eye(20)[0] * y[:, None], y


def editing() -> Workload:
    """Wilson's rule with three votes; the peer finds the neighbours by compiled code."""
    from sklearn.neighbors import NearestNeighbors

    X, y = _overlapping(5000)

    def peer() -> IntArray:
        near = NearestNeighbors(n_neighbors=3, algorithm="brute").fit(X).kneighbors(return_distance=False)
        return np.flatnonzero((y[near].mean(axis=1) > 0.5) == y)

    return Workload(
        name="Wilson's editing",
        size="5,000 x 20, 3 votes",
        peer_name="scikit-learn's neighbours (brute)",
        ours=lambda: wilson_edit(X, y),
        peer=peer,
        difference=lambda a, b: float(len(np.setxor1d(a, b))),
        tolerance=0.0,
        goal=0.2,
        technique="distances of a block of rows by one matrix product, then the smallest one once for each vote",
    )


def condensing() -> Workload:
    """Hart's rule; the peer fits 1-NN anew to each store and looks up the next wrong instance."""
    from sklearn.neighbors import KNeighborsClassifier

    X, y = _overlapping(1500)

    def peer() -> IntArray:
        store, added = [0], True
        while added:
            added, i = False, -1
            while True:
                wrong = KNeighborsClassifier(1, algorithm="brute").fit(X[store], y[store]).predict(X) != y
                behind = np.flatnonzero(wrong[i + 1 :])
                if not behind.size:
                    break
                i += 1 + int(behind[0])
                store.append(i)
                added = True
        return np.array(store)

    return Workload(
        name="Hart's condensing",
        size="1,500 x 20",
        peer_name="scikit-learn's 1-NN, fitted to each store",
        ours=lambda: hart_condense(X, y).store,
        peer=peer,
        difference=lambda a, b: float(len(np.setxor1d(a, b))),
        tolerance=0.0,
        goal=4.0,
        technique="the nearest prototype of each instance is remembered: a new one costs one pass over the data",
    )


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
        technique="the search for nearest neighbours: one matrix product for a block of rows, and only distances that "
        "may be among the two smallest are measured again",
    )


WORKLOADS = [nearest_neighbors, tree_query, tree_query_scipy, editing, condensing, two_neighbours]

"""Workloads of the clustering chapters."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.clustering.kmeans import KMeans
from notes_lib.clustering.semi_supervised import LabelPropagation
from notes_lib.datasets import make_blobs, make_moons


def kmeans() -> Workload:
    """20 iterations of Lloyd's algorithm from the same 20 centres."""
    import sklearn.cluster

    X, _ = make_blobs(100_000, centers=30, cluster_std=5.0, n_features=16, random_state=0)
    X = np.random.default_rng(0).permutation(X)
    start = X[:20].copy()
    same = {"init": start, "n_init": 1, "max_iter": 20, "tol": 0.0}
    return Workload(
        name="k-means",
        size="100,000 x 16, k = 20, 20 iterations",
        peer_name="scikit-learn (Lloyd)",
        ours=lambda: KMeans(20, **same).fit(X).cluster_centers_,
        peer=lambda: sklearn.cluster.KMeans(20, algorithm="lloyd", **same).fit(X).cluster_centers_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=0.6,
        technique="distances of a block of points in one matrix product that carries the squared norms of the centres "
        "along; no argmin: a 0/1 membership matrix, whose product with the points gives sums and counts",
    )


def gmm() -> Workload:
    """20 EM iterations with full covariances from the same start."""
    import sklearn.mixture

    rng = np.random.default_rng(0)
    n, d, K = 50_000, 8, 8
    z = rng.integers(0, K, n)
    shapes = 0.6 * rng.normal(size=(K, d, d))
    X = np.einsum("nij,nj->ni", shapes[z], rng.normal(size=(n, d))) + 2 * rng.normal(size=(K, d))[z] + 10
    precisions = np.tile(np.linalg.inv(np.cov(X.T)), (K, 1, 1))
    same = {"weights_init": np.full(K, 1 / K), "means_init": X[:K].copy(), "precisions_init": precisions}
    same |= {"tol": 0.0, "max_iter": 20}
    return Workload(
        name="Gaussian mixture, full covariances",
        size="50,000 x 8, K = 8, 20 iterations",
        peer_name="scikit-learn",
        ours=lambda: GaussianMixture(K, **same).fit(X).means_,
        peer=lambda: sklearn.mixture.GaussianMixture(K, **same).fit(X).means_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=1.0,
        technique="one Cholesky factor a component, applied in blocks of points that stay in the cache; weighted "
        "second moments by matrix products; no inverse and no (n, K, d) array",
    )


def label_propagation() -> Workload:
    """Label propagation with the defaults of scikit-learn, until the labels settle."""
    import sklearn.semi_supervised

    X, true = make_moons(3000, noise=0.1, random_state=0)
    y = np.where(np.random.default_rng(0).random(len(true)) < 0.05, true, -1)
    return Workload(
        name="label propagation, RBF kernel",
        size="3,000 x 2, 5 % labelled",
        peer_name="scikit-learn",
        ours=lambda: LabelPropagation().fit(X, y).label_distributions_,
        peer=lambda: sklearn.semi_supervised.LabelPropagation().fit(X, y).label_distributions_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.0,
        technique="unlabelled rows stand first, so that their weights are a view; only they are computed, a few long "
        "rows times 64 rows of the weights; the division by the degrees cancels in the sums of rows",
    )


WORKLOADS = [kmeans, gmm, label_propagation]

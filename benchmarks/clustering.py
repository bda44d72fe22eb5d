"""Workloads of the clustering chapters."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.clustering.dirichlet_process import (
    NormalInverseWishart,
    gibbs_sweep,
    log_predictive,
    niw_posterior,
)
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.clustering.kmeans import KMeans
from notes_lib.datasets import load_faithful, make_blobs


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


def plain_sweeps(X: np.ndarray, alpha: float, prior: NormalInverseWishart, uniforms: np.ndarray) -> np.ndarray:
    """Sweeps one row after the other: the weights of every table from its rows, as the box of the chapter says."""
    z = np.full(len(X), -1)
    for u in uniforms:
        for i in range(len(X)):
            left, z[i] = z[i], -1
            tables = [(k, X[z == k]) for k in range(z.max() + 1)]
            log_w = [
                np.log(len(rows)) + log_predictive(X[[i]], niw_posterior(prior, rows))[0] if len(rows) else -np.inf
                for _, rows in tables
            ]
            log_w.append(np.log(alpha) + log_predictive(X[[i]], prior)[0])
            w = np.exp(np.array(log_w) - max(log_w)).cumsum()
            k = int(np.searchsorted(w, u[i] * w[-1], side="right"))
            if k == len(tables):
                free = [k for k, rows in tables if not len(rows)]
                k = left if left in free else min([*free, len(tables)])
            z[i] = k
    return z


def dirichlet_process() -> Workload:
    """Collapsed Gibbs sweeps over Old Faithful, from an empty restaurant and from the same uniform numbers."""
    X = load_faithful().X
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    prior = NormalInverseWishart(np.zeros(2), 0.05, 30.0, 4 * np.eye(2))
    uniforms = np.random.default_rng(0).random((20, len(X)))

    def ours() -> np.ndarray:
        z = np.full(len(X), -1)
        for u in uniforms:
            z = gibbs_sweep(X, z, 0.1, prior, u)
        return z

    return Workload(
        name="Dirichlet process mixture, collapsed Gibbs",
        size="272 x 2, 20 sweeps",
        peer_name="plain transcription",
        ours=ours,
        peer=lambda: plain_sweeps(X, 0.1, prior, uniforms),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=0.0,
        goal=5.0,
        technique="the weights of a block of rows at once, as long as nobody moves; each row's own table "
        "without the row by the determinant lemma; after a move only the two tables that changed",
    )


WORKLOADS = [kmeans, gmm, dirichlet_process]

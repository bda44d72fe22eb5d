"""Workloads of the clustering chapters."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.clustering.density_clustering import DBSCAN, SpectralClustering
from notes_lib.clustering.dirichlet_process import (
    NormalInverseWishart,
    gibbs_sweep,
    log_predictive,
    niw_posterior,
)
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.clustering.hierarchical_clustering import linkage
from notes_lib.clustering.kmeans import KMeans
from notes_lib.clustering.semi_supervised import LabelPropagation
from notes_lib.datasets import load_faithful, make_blobs, make_moons


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


def _linkage(method: str, goal: float, technique: str) -> Workload:
    """The tree of 3,000 observations."""
    import scipy.cluster.hierarchy

    X = np.random.default_rng(0).normal(size=(3000, 8))
    return Workload(
        name=f"{method} linkage",
        size="3,000 x 8",
        peer_name="SciPy",
        ours=lambda: linkage(X, method),
        peer=lambda: scipy.cluster.hierarchy.linkage(X, method),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=0.0,
        goal=goal,
        technique=technique,
    )


CHAIN = (
    "nearest-neighbour chain on whole rows of a square table; what has been merged is masked by infinity, and the rest "
    "moves together when half of it is gone"
)


def single_linkage() -> Workload:
    """Single linkage, by a spanning tree."""
    return _linkage(
        "single", 0.8, "distances by differences in strips that stay in the cache; Prim's algorithm on rows"
    )


def complete_linkage() -> Workload:
    """Complete linkage, by the chain."""
    return _linkage("complete", 1.1, CHAIN)


def average_linkage() -> Workload:
    """Average linkage, by the chain."""
    return _linkage("average", 1.1, CHAIN)


def dbscan() -> Workload:
    """Twelve clusters of points and few stray ones, with 30 neighbours each."""
    import sklearn.cluster

    rng = np.random.default_rng(0)
    X = 0.4 * rng.normal(size=(20_000, 2)) + rng.uniform(-5, 5, (12, 2))[rng.integers(0, 12, 20_000)]
    same = {"eps": 0.1, "min_samples": 10}
    return Workload(
        name="DBSCAN",
        size="20,000 x 2, 30 neighbours a point",
        peer_name="scikit-learn",
        ours=lambda: DBSCAN(**same).fit(X).labels_,
        peer=lambda: sklearn.cluster.DBSCAN(**same).fit(X).labels_,
        difference=lambda a, b: float((a != b).sum()),
        tolerance=0.0,
        goal=0.5,
        technique="the points of a leaf of the k-d tree against all leaves within reach, one matrix product each; only "
        "distances within rounding error of the radius are measured again; clusters are strongly connected components "
        "of the edges that start at a core point",
    )


def spectral_clustering() -> Workload:
    """Two moons by a full matrix of similarities."""
    import sklearn.cluster
    import sklearn.datasets

    X, _ = sklearn.datasets.make_moons(1500, noise=0.06, random_state=0)
    same = {"n_clusters": 2, "gamma": 30.0, "random_state": 0}

    def difference(a: np.ndarray, b: np.ndarray) -> float:
        """Points that are in another cluster, whatever the clusters are called."""
        return float(min((a != b).sum(), (a == b).sum()))

    return Workload(
        name="spectral clustering",
        size="1,500 x 2, full RBF matrix",
        peer_name="scikit-learn",
        ours=lambda: SpectralClustering(**same).fit(X).labels_,
        peer=lambda: sklearn.cluster.SpectralClustering(**same).fit(X).labels_,
        difference=difference,
        tolerance=0.0,
        goal=1.0,
        technique="one Cholesky factor of the shifted Laplacian, then inverse iteration of a dozen vectors together, "
        "which takes a few rounds",
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


WORKLOADS = [
    kmeans,
    gmm,
    single_linkage,
    complete_linkage,
    average_linkage,
    dbscan,
    spectral_clustering,
    label_propagation,
    dirichlet_process,
]

"""The estimators of the chapter *Density-based and spectral clustering*."""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csgraph, csr_array
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_positive
from notes_lib.clustering.density_clustering.checks import Weights, check_degrees, check_weights
from notes_lib.clustering.density_clustering.eigen import embedding_of
from notes_lib.clustering.density_clustering.graphs import degrees_of, neighbor_affinity
from notes_lib.clustering.density_clustering.steps import core_mask, density_labels, eps_neighbors, pivoted_labels
from notes_lib.clustering.kmeans import KMeans
from notes_lib.clustering.kmeans.checks import check_count
from notes_lib.kernels.kernel_methods import rbf_kernel
from notes_lib.numerics import RandomState, check_rng

Distance = Literal["euclidean", "minkowski", "manhattan", "chebyshev", "precomputed"]
Search = Literal["auto", "ball_tree", "kd_tree", "brute"]
Affinity = Literal["rbf", "nearest_neighbors", "precomputed"]

ZERO = 1e-8  # an eigenvalue below may be one of several zeros


class DBSCAN(ClusterMixin, BaseEstimator):
    """Density-based clustering: connected regions in which every point has many neighbours; the rest is noise.

    Core points :eq:`density-clustering-core` that lie within ``eps`` of each other share a cluster, and so do the
    points within ``eps`` of them, :eq:`density-clustering-cluster`. Parameters, attributes and labels are those of
    ``sklearn.cluster.DBSCAN``.

    Parameters
    ----------
    eps : float
        Radius of a neighbourhood, in units of the distance.
    min_samples : int
        Neighbours, the point itself counted, that make a core point; or their total weight.
    metric : {"euclidean", "minkowski", "manhattan", "chebyshev", "precomputed"}
        ``"precomputed"``: ``fit`` is given the (n, n) distances.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}
    leaf_size : int
    p : float or None
        Order of ``"minkowski"``; None is 2.

    Attributes
    ----------
    labels_ : (n,) array of int
        Clusters 0, 1, ... in the order of their first core point; -1 is noise. A border point that several clusters
        reach belongs to the first of them.
    core_sample_indices_ : (n_core,) array of int
    components_ : (n_core, d) array, the core points
    n_features_in_ : int

    Raises
    ------
    TypeError, ValueError
        By ``fit``: if ``eps`` is not positive, ``min_samples`` or ``leaf_size`` is below 1, ``p`` below 1, a name is
        unknown, ``X`` has NaN, infinite or no values or is no matrix, precomputed distances are negative or not
        symmetric, or ``sample_weight`` does not fit.

    Notes
    -----
    About O(d n log n + d m) time in few dimensions, O(d n^2) in many, and O(m) memory, for m pairs of neighbours. There
    is no ``predict``: a new point could join two clusters. Features on different scales must be scaled first. Source:
    M. Ester, H.-P. Kriegel, J. Sander and X. Xu (1996).

    Examples
    --------
    >>> DBSCAN(eps=1.0, min_samples=2).fit_predict([[0.0], [1.0], [5.0], [5.5], [9.0]])
    array([ 0,  0,  1,  1, -1])
    """

    def __init__(
        self, eps: float = 0.5, *, min_samples: int = 5, metric: Distance = "euclidean", algorithm: Search = "auto",
        leaf_size: int = 30, p: float | None = None,
    ) -> None:  # fmt: skip
        self.eps, self.min_samples, self.metric = eps, min_samples, metric
        self.algorithm, self.leaf_size, self.p = algorithm, leaf_size, p

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> DBSCAN:
        """Cluster the rows of ``X`` (n, d), or precomputed distances (n, n); ``y`` is ignored. Returns the estimator.

        ``sample_weight`` (n,): what each point counts among the neighbours; a negative one may keep its neighbours from
        being core points.
        """
        check_integer(self.min_samples, "min_samples")
        X = validate_data(self, X, dtype=np.float64)
        G = eps_neighbors(X, self.eps, metric=self.metric, p=self.p, algorithm=self.algorithm, leaf_size=self.leaf_size)
        core = core_mask(G, self.min_samples, sample_weight)
        self.labels_ = density_labels(G, core)
        self.core_sample_indices_ = np.flatnonzero(core)
        self.components_ = X[core]
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags


class SpectralClustering(ClusterMixin, BaseEstimator):
    """Spectral clustering: k-means on eigenvectors of the Laplacian of a graph of similar points.

    Relaxes the normalised cut :eq:`density-clustering-normalized-cut` of the graph into k groups, as
    :eq:`density-clustering-generalized`. Parameters and attributes are those of ``sklearn.cluster.SpectralClustering``.

    Parameters
    ----------
    n_clusters : int
        Number of clusters k, at most n.
    n_components : int or None
        Number of eigenvectors; k if None.
    random_state : int, Generator, RandomState or None
        For k-means and the start of the eigenvectors.
    n_init : int
        Runs of k-means.
    gamma : float
        Of ``"rbf"``, positive, in units of X to the power -2.
    affinity : {"rbf", "nearest_neighbors", "precomputed"}
        ``exp(-gamma |x - y|^2)``, or the graph of the nearest neighbours (:func:`neighbor_affinity`), or ``fit`` is
        given the (n, n) weights, which may be sparse.
    n_neighbors : int
        Of ``"nearest_neighbors"``, the point itself counted.
    assign_labels : {"kmeans", "cluster_qr"}
        How the embedding becomes labels; ``"cluster_qr"`` is :func:`pivoted_labels`.

    Attributes
    ----------
    labels_ : (n,) array of int in 0..k-1
    affinity_matrix_ : (n, n) array, or csr_array for ``"nearest_neighbors"`` and sparse weights
    eigenvalues_ : (n_components,) array, those of the normalised Laplacian, the smallest first
    embedding_ : (n, n_components) array, what is clustered
    n_features_in_ : int

    Warns
    -----
    UserWarning
        If the graph falls into more pieces than ``n_clusters``: which of them share a cluster is then arbitrary.

    Raises
    ------
    TypeError, ValueError
        By ``fit``: if ``n_clusters`` or ``n_components`` exceeds the number of rows, a number is below 1 or ``gamma``
        not positive, a name is unknown, ``X`` has NaN, infinite or no values, has one row or is no matrix, a node of
        the graph is isolated, or precomputed weights are negative or not symmetric.

    Notes
    -----
    O(n^2 d + n^3 / 3) time and O(n^2) memory for ``"rbf"``; about O(n log n) for a graph of neighbours in few
    dimensions. The diagonal of the weights plays no part. Sources: J. Shi and J. Malik (2000); U. von Luxburg (2007).

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]
    >>> labels = SpectralClustering(2, random_state=0).fit_predict(X)
    >>> (labels == labels[0]).tolist()
    [True, True, True, False, False, False]
    """

    def __init__(
        self, n_clusters: int = 8, *, n_components: int | None = None, random_state: RandomState = None,
        n_init: int = 10, gamma: float = 1.0, affinity: Affinity = "rbf", n_neighbors: int = 10,
        assign_labels: Literal["kmeans", "cluster_qr"] = "kmeans",
    ) -> None:  # fmt: skip
        self.n_clusters, self.n_components, self.random_state, self.n_init = (
            n_clusters, n_components, random_state, n_init
        )  # fmt: skip
        self.gamma, self.affinity, self.n_neighbors = gamma, affinity, n_neighbors
        self.assign_labels = assign_labels

    def fit(self, X: Any, y: Any = None) -> SpectralClustering:
        """Cluster the rows of ``X`` (n, d), or the nodes of precomputed weights (n, n); ``y`` is ignored."""
        k = check_integer(self.n_clusters, "n_clusters")
        components = k if self.n_components is None else check_integer(self.n_components, "n_components")
        check_integer(self.n_init, "n_init")
        check_choice(self.affinity, "affinity", ("rbf", "nearest_neighbors", "precomputed"))
        check_choice(self.assign_labels, "assign_labels", ("kmeans", "cluster_qr"))
        given = self.affinity == "precomputed"
        X = validate_data(self, X, dtype=np.float64, accept_sparse="csr" if given else False, ensure_min_samples=2)
        check_count(k, X.shape[0])
        rng = check_rng(self.random_state)
        W = self._weights(X)
        d = check_degrees(degrees_of(W), "X" if given else f"affinity={self.affinity!r}")
        self.affinity_matrix_ = W
        self.eigenvalues_, self.embedding_ = embedding_of(W, d, components, rng)
        if self.eigenvalues_[-1] < ZERO:  # density-clustering-components
            pieces = csgraph.connected_components(csr_array(W), directed=False)[0]
            if pieces > k:
                warnings.warn(
                    f"the graph has {pieces} connected components, more than n_clusters={k}, so which of them share a "
                    "cluster is arbitrary: raise n_neighbors or n_clusters, or lower gamma.",
                    UserWarning, stacklevel=2,
                )  # fmt: skip
        self.labels_ = self._assign(self.embedding_, rng)
        return self

    def _weights(self, X: Any) -> Weights:
        if self.affinity == "precomputed":
            return check_weights(X, "X")
        if self.affinity == "rbf":
            K: FloatArray = rbf_kernel(X, gamma=check_positive(self.gamma, "gamma"))
            return K
        return neighbor_affinity(X, self.n_neighbors)

    def _assign(self, Z: FloatArray, rng: np.random.Generator) -> np.ndarray:
        if self.assign_labels == "cluster_qr":
            return pivoted_labels(Z)
        return KMeans(self.n_clusters, n_init=self.n_init, random_state=rng).fit(Z).labels_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.sparse = self.affinity == "precomputed"
        return tags

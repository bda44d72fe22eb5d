"""DBSCAN step by step, and what turns an embedding into labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, svd
from scipy.sparse import csgraph, csr_array

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_matrix, check_vector
from notes_lib.clustering.density_clustering.checks import check_distances, check_order, check_radius
from notes_lib.clustering.density_clustering.neighborhoods import Graph, radius_graph
from notes_lib.neighbors.nearest_neighbors import KDTree

ALGORITHMS = ("auto", "ball_tree", "kd_tree", "brute")


def eps_neighbors(
    X: ArrayLike, eps: float, *, metric: str = "euclidean", p: float | None = None, algorithm: str = "auto",
    leaf_size: int = 30,
) -> Graph:  # fmt: skip
    """Neighbourhoods :eq:`density-clustering-neighborhood`: which points lie within ``eps`` of which.

    Parameters
    ----------
    X : (n, d) array, or (n, n) array of distances for ``metric="precomputed"``
    eps : float
        Radius, positive, in units of the distance. A point at exactly this distance is a neighbour.
    metric : {"euclidean", "minkowski", "manhattan", "chebyshev", "precomputed"}
    p : float or None
        Order of ``"minkowski"``, at least 1; None is 2.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}
        How they are found; ``"auto"`` takes a k-d tree for up to 15 columns. The result is the same.
    leaf_size : int
        Most points of a leaf of the tree.

    Returns
    -------
    (n, n) csr_array of bool
        Row i holds the neighbours of point i, itself among them; symmetric.

    Raises
    ------
    TypeError, ValueError
        If ``eps`` is not positive, a name is unknown, ``p`` < 1, ``leaf_size`` < 1, or ``X`` is no matrix of finite
        numbers, for ``"precomputed"`` symmetric and not negative.

    Notes
    -----
    About O(d n log n + d m) time with a tree in few dimensions and O(d n^2) otherwise; O(m) memory, for m neighbours.

    Examples
    --------
    >>> eps_neighbors([[0.0], [1.0], [5.0]], 1.0).toarray().astype(int)
    array([[1, 1, 0],
           [1, 1, 0],
           [0, 0, 1]])
    """
    eps, order = check_radius(eps), check_order(metric, p)
    check_choice(algorithm, "algorithm", ALGORITHMS)
    leaf_size = check_integer(leaf_size, "leaf_size")
    if metric == "precomputed":
        near = check_distances(X) <= eps
        np.fill_diagonal(near, True)
        return csr_array(near)
    return radius_graph(check_matrix(X, "X"), eps, order, algorithm, leaf_size)


def core_mask(G: Graph, min_samples: int, sample_weight: ArrayLike | None = None) -> np.ndarray:
    """Which points are core points, :eq:`density-clustering-core`.

    Parameters
    ----------
    G : (n, n) csr_array of bool
        What :func:`eps_neighbors` returns.
    min_samples : int
        How many neighbours, the point itself counted, make a core point.
    sample_weight : (n,) array or None
        What each point counts among the neighbours; 1 if None.

    Returns
    -------
    (n,) array of bool

    Raises
    ------
    TypeError, ValueError
        If ``min_samples`` is no integer of at least 1, or ``sample_weight`` does not fit.

    Examples
    --------
    >>> core_mask(eps_neighbors([[0.0], [1.0], [5.0]], 1.0), 2)
    array([ True,  True, False])
    """
    least = check_integer(min_samples, "min_samples")
    if sample_weight is None:
        return np.asarray(np.diff(G.indptr) >= least)
    w = check_vector(sample_weight, "sample_weight", G.shape[0])
    if not w.any():
        raise ValueError("sample_weight is zero for every row, so no point has neighbours: leave it out.")
    return np.asarray(G @ w >= least)


def density_labels(G: Graph, core: ArrayLike) -> IntArray:
    """Clusters of points that are density-connected, :eq:`density-clustering-cluster`.

    Keep the edges that start at a core point: a cluster is what can be reached along them. Among core points each edge
    goes both ways, so the strongly connected components of this graph are the core points of the clusters, and each
    other point is one for itself.

    Parameters
    ----------
    G : (n, n) csr_array of bool
    core : (n,) array of bool

    Returns
    -------
    (n,) array of int
        Clusters are numbered by their first core point. A border point that several clusters reach belongs to the first
        of them; -1 is noise.

    Raises
    ------
    ValueError
        If ``core`` does not have one entry for each point.

    Notes
    -----
    O(n + m) time for m neighbours.

    Examples
    --------
    >>> G = eps_neighbors([[0.0], [1.0], [2.0], [9.0]], 1.0)
    >>> density_labels(G, core_mask(G, 3))
    array([ 0,  0,  0, -1])
    """
    core, n = np.asarray(core), G.shape[0]
    if core.shape != (n,) or core.dtype != bool:
        raise ValueError(f"core must be {n} booleans, one for each point of G, got {core.dtype} {core.shape}.")
    neighbors = np.diff(G.indptr)
    target = G.indices[np.repeat(core, neighbors)]
    ends = np.concatenate([[0], np.cumsum(neighbors * core)])
    reach = csr_array((np.ones(len(target)), target, ends), shape=(n, n))
    part = csgraph.connected_components(reach, connection="strong")[1][core]
    _, first, code = np.unique(part, return_index=True, return_inverse=True)
    labels = np.full(n, n)
    labels[core] = np.argsort(np.argsort(first))[code]
    border = ~core[target]
    source = np.repeat(np.arange(n), neighbors * core)[border]
    np.minimum.at(labels, target[border], labels[source])
    return np.where(labels < n, labels, -1)


def k_distances(X: ArrayLike, min_samples: int, *, metric: str = "euclidean", p: float | None = None) -> FloatArray:
    """Distance of each point to its ``min_samples``-th nearest point, :eq:`density-clustering-k-distance`.

    The point itself counts as the first one.

    Parameters
    ----------
    X : (n, d) array, or (n, n) array of distances for ``metric="precomputed"``
    min_samples : int
        At most n.
    metric, p
        As in :func:`eps_neighbors`.

    Returns
    -------
    (n,) array
        Point i is a core point exactly if this is at most ``eps``.

    Raises
    ------
    TypeError, ValueError
        If ``min_samples`` is not an integer from 1 to n; for the others as in :func:`eps_neighbors`.

    Notes
    -----
    O(d n log n) time with a tree in few dimensions, O(d n^2) in many.

    Examples
    --------
    >>> k_distances([[0.0], [1.0], [5.0]], 2)
    array([1., 1., 4.])
    """
    order = check_order(metric, p)
    X = check_distances(X) if metric == "precomputed" else check_matrix(X, "X")
    k = check_integer(min_samples, "min_samples")
    if k > len(X):
        raise ValueError(f"min_samples={k} must be at most n = {len(X)}: no point has so many neighbours.")
    if metric == "precomputed":
        apart: FloatArray = X + np.diag(-np.diag(X))
        return np.partition(apart, k - 1, axis=1)[:, k - 1]
    return KDTree(X, p=order).nearest(X, k).distances[:, -1]


def normalize_rows(U: ArrayLike) -> FloatArray:
    """Rows divided by their lengths, :eq:`density-clustering-rows`; a row of zeros stays as it is.

    Examples
    --------
    >>> normalize_rows([[3.0, 4.0], [0.0, 0.0]])
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    U = check_matrix(U, "U")
    length = np.sqrt(np.einsum("ij,ij->i", U, U))[:, None]
    return U / np.where(length > 0, length, 1.0)


def pivoted_labels(U: ArrayLike) -> IntArray:
    """Labels from k vectors of an embedding without k-means: the axis to which each row is nearest after a rotation.

    A pivoted QR factorisation picks k rows that point in k different directions, and the orthogonal matrix nearest to
    these rows turns them into the axes.

    Parameters
    ----------
    U : (n, k) array, k <= n

    Returns
    -------
    (n,) array of int in 0..k-1

    Raises
    ------
    ValueError
        If ``U`` has more columns than rows, or is no matrix of finite numbers.

    Notes
    -----
    O(n k^2) time. Nothing is drawn. Source: A. Damle, V. Minden and L. Ying (2019), *Simple, direct and efficient
    multi-way spectral clustering*; scikit-learn calls it ``cluster_qr``.

    Examples
    --------
    >>> pivoted_labels([[1.0, 0.1], [0.9, 0.0], [0.1, -1.0]]).tolist()
    [0, 0, 1]
    """
    U = check_matrix(U, "U")
    n, k = U.shape
    if k > n:
        raise ValueError(f"U must have at least as many rows as columns, got shape {U.shape}.")
    pivots: Any = qr(U.T, mode="r", pivoting=True)[-1]
    left, _, right = svd(U[pivots[:k]].T)
    return np.asarray(np.abs(U @ (left @ right)).argmax(axis=1))

"""Graphs of similar points: their weights, degrees and Laplacians."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, diags_array, issparse

from notes_lib.checks import FloatArray, check_integer, check_matrix
from notes_lib.clustering.density_clustering.checks import Weights, check_degrees, check_weights
from notes_lib.clustering.density_clustering.neighborhoods import Graph
from notes_lib.neighbors.nearest_neighbors import KDTree


def neighbor_affinity(X: ArrayLike, n_neighbors: int = 10) -> Graph:
    """Graph of the nearest neighbours, :eq:`density-clustering-neighbor-graph`.

    Parameters
    ----------
    X : (n, d) array
    n_neighbors : int
        From 2 to n: each point counts as its own first neighbour, as in scikit-learn.

    Returns
    -------
    (n, n) csr_array
        1 for two points that are among the neighbours of each other, 1/2 if only one of them is, and 1 on the diagonal.

    Raises
    ------
    TypeError, ValueError
        If ``n_neighbors`` is not such an integer, or ``X`` no matrix of finite numbers.

    Notes
    -----
    O(d n log n) time in few dimensions, O(d n^2) in many.

    Examples
    --------
    >>> neighbor_affinity([[0.0], [1.0], [3.0]], 2).toarray()
    array([[1. , 1. , 0. ],
           [1. , 1. , 0.5],
           [0. , 0.5, 1. ]])
    """
    X = check_matrix(X, "X")
    k, n = check_integer(n_neighbors, "n_neighbors", 2), len(X)
    if k > n:
        raise ValueError(f"n_neighbors={k} must be at most n = {n}, the number of rows of X: lower it.")
    near = KDTree(X).nearest(X, k).indices
    C = csr_array((np.ones(n * k), near.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    return csr_array(0.5 * (C + C.T))


def degrees(W: Any) -> FloatArray:
    """Sum of the weights of each node's edges to other nodes, :eq:`density-clustering-degree`.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Symmetric weights, none negative; the diagonal does not count.

    Returns
    -------
    (n,) array

    Raises
    ------
    TypeError, ValueError
        If ``W`` is no such matrix.

    Examples
    --------
    >>> degrees([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    array([2., 3., 1.])
    """
    return degrees_of(check_weights(W))


def degrees_of(W: Weights) -> FloatArray:
    """The degrees of weights that have been checked."""
    return np.asarray(W.sum(axis=1)).ravel() - W.diagonal()


def laplacian(W: Any, normed: bool = False) -> Weights:
    """Graph Laplacian ``L = D - W``, :eq:`density-clustering-laplacian`, or its normalised form.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Symmetric weights, none negative; the diagonal does not count.
    normed : bool
        Whether to return ``D^(-1/2) L D^(-1/2)``, :eq:`density-clustering-symmetric`.

    Returns
    -------
    (n, n) array, or csr_array if ``W`` is sparse

    Raises
    ------
    TypeError, ValueError
        If ``W`` is no such matrix, or ``normed`` and a node has no neighbour.

    Examples
    --------
    >>> laplacian([[0, 2, 0], [2, 0, 1], [0, 1, 0]])
    array([[ 2., -2.,  0.],
           [-2.,  3., -1.],
           [ 0., -1.,  1.]])
    """
    W = check_weights(W)
    d = degrees_of(W)
    if normed:
        return normalized(W, check_degrees(d))
    if issparse(W):
        return csr_array(diags_array(d + W.diagonal()) - W)
    L: FloatArray = 0.0 - W
    np.fill_diagonal(L, d)
    return L


def normalized(W: Weights, d: FloatArray) -> Weights:
    """The normalised Laplacian of weights with positive degrees ``d``."""
    root = np.sqrt(d)
    if issparse(W):
        scale = diags_array(1.0 / root)
        return csr_array(diags_array(1.0 + W.diagonal() / d) - scale @ W @ scale)
    L: FloatArray = W / -root
    L /= root[:, None]
    np.fill_diagonal(L, 1.0)
    return L

"""What it costs to cut a graph into groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.clustering.density_clustering.checks import check_degrees, check_partition, check_weights
from notes_lib.clustering.density_clustering.graphs import degrees_of


def cut_weights(W: Any, labels: ArrayLike) -> FloatArray:
    """Weight of the edges between each group and all others, :eq:`density-clustering-cut`.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Symmetric weights, none negative.
    labels : (n,) array
        The group of each node, of any type.

    Returns
    -------
    (k,) array
        In the order of the sorted labels. An edge between two groups counts once for each of them.

    Raises
    ------
    TypeError, ValueError
        If ``W`` is no such matrix, or ``labels`` does not have one entry for each node.

    Notes
    -----
    O(m) time for m weights.

    Examples
    --------
    >>> cut_weights([[0, 2, 0], [2, 0, 1], [0, 1, 0]], ["a", "a", "b"])
    array([1., 1.])
    """
    W = check_weights(W)
    codes, k = check_partition(labels, W.shape[0])
    Z = np.equal.outer(codes, np.arange(k)).astype(float)  # (n, k) one-hot
    return np.asarray((Z * (W @ (1.0 - Z))).sum(axis=0))


def cluster_volumes(W: Any, labels: ArrayLike) -> FloatArray:
    """Sum of the degrees of each group, :eq:`density-clustering-volume`; parameters and errors of :func:`cut_weights`.

    Examples
    --------
    >>> cluster_volumes([[0, 2, 0], [2, 0, 1], [0, 1, 0]], ["a", "a", "b"])
    array([5., 1.])
    """
    W = check_weights(W)
    codes, k = check_partition(labels, W.shape[0])
    volumes: FloatArray = np.bincount(codes, weights=degrees_of(W), minlength=k).astype(float)
    return volumes


def ratio_cut(W: Any, labels: ArrayLike) -> float:
    """Ratio cut :eq:`density-clustering-ratio-cut`; parameters and errors of :func:`cut_weights`.

    Examples
    --------
    >>> ratio_cut([[0, 2, 0], [2, 0, 1], [0, 1, 0]], ["a", "a", "b"])
    1.5
    """
    cuts = cut_weights(W, labels)
    return float((cuts / np.unique(labels, return_counts=True)[1]).sum())


def normalized_cut(W: Any, labels: ArrayLike) -> float:
    """Normalised cut :eq:`density-clustering-normalized-cut`; parameters and errors of :func:`cut_weights`.

    A group without any edge has no normalised cut: a ``ValueError`` as well.

    Examples
    --------
    >>> normalized_cut([[0, 2, 0], [2, 0, 1], [0, 1, 0]], ["a", "a", "b"])
    1.2
    """
    cuts, volumes = cut_weights(W, labels), cluster_volumes(W, labels)
    return float((cuts / check_degrees(volumes)).sum())

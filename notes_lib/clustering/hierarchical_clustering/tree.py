"""What is read off a tree: cophenetic distances, the order of its leaves, flat clusters."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_real
from notes_lib.clustering.hierarchical_clustering.checks import check_clusters, check_condensed, check_tree
from notes_lib.clustering.hierarchical_clustering.distances import to_condensed


def leaf_order(Z: ArrayLike) -> IntArray:
    """The observations from left to right as a dendrogram has them without crossings, the first column on the left.

    Parameters
    ----------
    Z : (n - 1, 4) array
        A linkage matrix.

    Returns
    -------
    (n,) array of int

    Raises
    ------
    ValueError
        If ``Z`` is no linkage matrix.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> leaf_order([[1, 2, 1.0, 2], [0, 3, 2.0, 3]])
    array([0, 1, 2])
    """
    Z = check_tree(Z)
    return _left_to_right(Z)[0]


@overload
def cophenet(Z: ArrayLike, Y: None = None) -> FloatArray: ...


@overload
def cophenet(Z: ArrayLike, Y: ArrayLike) -> tuple[float, FloatArray]: ...


def cophenet(Z: ArrayLike, Y: ArrayLike | None = None) -> FloatArray | tuple[float, FloatArray]:
    """Cophenetic distances: the height of the merge that first unites two observations; and how they fit.

    Implements :eq:`hierarchical-clustering-cophenetic` and, if ``Y`` is given, the correlation
    :eq:`hierarchical-clustering-correlation`. Same results as SciPy's function of this name.

    Parameters
    ----------
    Z : (n - 1, 4) array
        A linkage matrix.
    Y : (n (n - 1) / 2,) array, optional
        The condensed distances between the observations.

    Returns
    -------
    d : (n (n - 1) / 2,) array
        Cophenetic distances, condensed. If ``Y`` is given: first their correlation ``c`` with ``Y``, then ``d``.

    Raises
    ------
    ValueError
        If ``Z`` is no linkage matrix, ``Y`` is not of the same number of observations, holds NaN or negative
        distances, or one of the two vectors is constant, so that no correlation exists.

    Notes
    -----
    O(n^2) time and memory.

    Examples
    --------
    >>> Z = [[0, 1, 1.0, 2], [2, 3, 3.0, 3]]
    >>> cophenet(Z)
    array([1., 3., 3.])
    >>> c, d = cophenet(Z, [1.0, 2.0, 4.0])
    >>> round(float(c), 4)
    0.7559
    """
    Z = check_tree(Z)
    n = len(Z) + 1
    order, spans = _left_to_right(Z)
    C = np.zeros((n, n))
    for (start, middle, stop), height in zip(spans, Z[:, 2], strict=True):
        C[start:middle, middle:stop] = C[middle:stop, start:middle] = height
    place = np.argsort(order)
    d = to_condensed(C[np.ix_(place, place)])
    if Y is None:
        return d
    Y, m = check_condensed(Y, "Y")
    if m != n:
        raise ValueError(f"Y must hold the distances of the {n} observations of Z, got those of {m}.")
    a, b = Y - Y.mean(), d - d.mean()
    if not (np.ptp(Y) > 0 and np.ptp(d) > 0):
        raise ValueError("Y and the cophenetic distances must vary, or they have no correlation: give three points.")
    return float(a @ b / np.sqrt((a @ a) * (b @ b))), d


def cut_by_number(Z: ArrayLike, n_clusters: int) -> IntArray:
    """Flat clusters: all merges but the last ``n_clusters - 1``.

    Parameters
    ----------
    Z : (n - 1, 4) array
        A linkage matrix.
    n_clusters : int
        From 1 to n.

    Returns
    -------
    (n,) array of int
        Labels 0 to ``n_clusters - 1``, in the order in which the clusters first occur.

    Raises
    ------
    ValueError
        If ``Z`` is no linkage matrix, or there are not so many observations.
    TypeError
        If ``n_clusters`` is not an integer.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> cut_by_number([[0, 1, 1.0, 2], [2, 3, 3.0, 3]], 2)
    array([0, 0, 1])
    """
    Z = check_tree(Z)
    n = len(Z) + 1
    kept = np.arange(n - 1) < n - check_clusters(n_clusters, n)
    return _flat(Z, kept)


def cut_by_height(Z: ArrayLike, height: float) -> IntArray:
    """Flat clusters: a merge counts if it and all merges below it have at most this height.

    Parameters
    ----------
    Z : (n - 1, 4) array
        A linkage matrix.
    height : float
        At least 0.

    Returns
    -------
    (n,) array of int
        Labels from 0 on, in the order in which the clusters first occur.

    Raises
    ------
    ValueError
        If ``Z`` is no linkage matrix, or ``height`` is negative or not finite.
    TypeError
        If ``height`` is not a number.

    Notes
    -----
    O(n) time. Where heights never fall, these are the clusters below a horizontal line through the dendrogram, and
    those of ``scipy.cluster.hierarchy.fcluster(Z, height, "distance")``.

    Examples
    --------
    >>> cut_by_height([[0, 1, 1.0, 2], [2, 3, 3.0, 3]], 1.0)
    array([0, 0, 1])
    """
    Z = check_tree(Z)
    return _flat(Z, Z[:, 2] <= check_real(height, "height"))


def _left_to_right(Z: FloatArray) -> tuple[IntArray, list[tuple[int, int, int]]]:
    """The order of the leaves, and for each merge where its two parts start and stop in this order."""
    n = len(Z) + 1
    pairs = Z[:, :2].astype(int).tolist()
    sizes = np.concatenate([np.ones(n, dtype=int), np.zeros(n - 1, dtype=int)])
    for t, (a, b) in enumerate(pairs):
        sizes[n + t] = sizes[a] + sizes[b]
    start = np.zeros(2 * n - 1, dtype=int)
    spans = []
    for t in reversed(range(n - 1)):
        a, b = pairs[t]
        start[a] = start[n + t]
        start[b] = start[a] + sizes[a]
        spans.append((int(start[a]), int(start[b]), int(start[b] + sizes[b])))
    return np.argsort(start[:n]), spans[::-1]


def _flat(Z: FloatArray, kept: np.ndarray) -> IntArray:
    """Labels of the clusters that the kept merges make, in the order of their first members.

    A merge that is kept above one that is not unites nothing: its name does not come down to the observations.
    """
    n = len(Z) + 1
    root = np.arange(2 * n - 1)
    for t in reversed(range(n - 1)):
        if kept[t]:
            root[Z[t, :2].astype(int)] = root[n + t]
    _, first, labels = np.unique(root[:n], return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[labels]

"""The silhouette of a clustering."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.clustering.kmeans.blocks import prepare
from notes_lib.clustering.kmeans.checks import check_matrix
from notes_lib.numerics import squared_distances


def silhouette_samples(X: ArrayLike, labels: ArrayLike) -> FloatArray:
    """Silhouette of each point: how much nearer it is to its own cluster than to the next one.

    Implements :eq:`kmeans-silhouette` with Euclidean distances; a point that is alone in its cluster scores 0, and so
    does one with a = b = 0.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array
        Any labels; 2 to n - 1 different ones.

    Returns
    -------
    (n,) array, each in [-1, 1]

    Raises
    ------
    ValueError
        If there are fewer than 2 or more than n - 1 clusters, a shape is wrong or a value is NaN or infinite.

    Notes
    -----
    O(n^2 (d + k)) time; O(n) memory a row, a bounded block of rows at a time. Distances below 1e-7 of the norm of the
    centred points cannot be told from 0 in this computation and count as 0.

    Examples
    --------
    >>> silhouette_samples([[0.0], [1.0], [5.0]], [0, 0, 1]).round(3)
    array([0.8 , 0.75, 0.  ])
    """
    X = check_matrix(X, "X")
    labels = np.asarray(labels)
    if labels.shape != (len(X),):
        raise ValueError(f"labels must have shape ({len(X)},), one for each row of X, got {labels.shape}.")
    names, own = np.unique(labels, return_inverse=True)
    n, k = len(X), len(names)
    if not 2 <= k <= n - 1:
        raise ValueError(f"labels must name 2 to n - 1 = {n - 1} clusters for a silhouette, got {k}.")
    points, _ = prepare(X, X[:1])
    X, r2 = points.columns[:-1].T, points.r2  # shifted towards the origin: fewer digits cancel
    Z = np.equal.outer(own, np.arange(k)).astype(float)  # (n, k) one-hot
    sizes = Z.sum(axis=0)
    s = np.empty(n)
    rows = max(1, 2**21 // n)
    for start in range(0, n, rows):
        block = slice(start, start + rows)
        D2 = squared_distances(X[block], X)  # (m, n)
        noise = 1e-14 * (r2[block, None] + r2)
        D2[np.less_equal(D2, noise)] = 0.0
        sums = np.sqrt(D2) @ Z  # (m, k) summed distance to each cluster
        here = np.arange(len(sums)), own[block]
        others = np.maximum(sizes[own[block]] - 1, 1)
        a = sums[here] / others  # mean distance within the own cluster, without the point itself
        sums[here] = np.inf
        b = (sums / sizes).min(axis=1)  # to the nearest other cluster
        top = np.maximum(a, b)
        s[block] = np.divide(b - a, top, out=np.zeros_like(top), where=top > 0)
    s[sizes[own] == 1] = 0.0
    return s


def silhouette_score(X: ArrayLike, labels: ArrayLike) -> float:
    """Mean silhouette over all points; see :func:`silhouette_samples` for the parameters, errors and cost.

    Examples
    --------
    >>> round(silhouette_score([[0.0], [1.0], [5.0]], [0, 0, 1]), 4)
    0.5167
    """
    return float(silhouette_samples(X, labels).mean())

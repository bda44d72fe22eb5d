"""Steps of k-means in the order of the chapter: objective, both halves of Lloyd's iteration, the iteration."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_codes, check_integer, check_real
from notes_lib.clustering.kmeans.blocks import assign_and_sum, own_distances, prepare
from notes_lib.clustering.kmeans.checks import (
    check_count,
    check_distinct,
    check_matrix,
    check_pair,
    check_point_weights,
)


class LloydRun(NamedTuple):
    """What one run of :func:`lloyd` found.

    ``centers`` (k, d); ``labels`` (n,); ``inertia`` their objective; ``objective`` (n_iter,) the objective after each
    iteration; ``converged`` whether it stopped by itself; ``n_reseeded`` how many empty clusters it filled again.
    """

    centers: FloatArray
    labels: IntArray
    inertia: float
    objective: FloatArray
    n_iter: int
    converged: bool
    n_reseeded: int


def inertia(X: ArrayLike, labels: ArrayLike, centers: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Within-cluster sum of squares J, the objective of k-means.

    Implements :eq:`kmeans-objective`: a sum, not a mean, over the points.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int, which row of ``centers`` each point belongs to.
    centers : (k, d) array
    sample_weight : (n,) array or None
        How often each point counts.

    Returns
    -------
    float
        In squared units of ``X``, never negative.

    Raises
    ------
    ValueError
        If a shape is wrong, a value is NaN or infinite, a label is not in 0..k-1, or a weight is negative.

    Notes
    -----
    O(n d) time and memory.

    Examples
    --------
    >>> inertia([[0.0], [2.0], [9.0]], [0, 0, 1], [[1.0], [9.0]])
    2.0
    """
    X, centers = check_pair(X, centers)
    diff = X - centers[check_codes(labels, "labels", len(X), len(centers))]  # (n, d)
    w = check_point_weights(sample_weight, len(X))
    return float((diff * diff).sum() if w is None else (diff * diff).sum(axis=1) @ w)


def assign(X: ArrayLike, centers: ArrayLike) -> IntArray:
    """Index of the nearest centre of each point; of several equally near the lowest index.

    Implements :eq:`kmeans-assign`.

    Parameters
    ----------
    X : (n, d) array
    centers : (k, d) array

    Returns
    -------
    (n,) array of int in 0..k-1

    Raises
    ------
    ValueError
        If a shape is wrong, a value is NaN or infinite, or squared distances overflow or underflow.

    Notes
    -----
    O(n k d) time, O(n d) memory.

    Examples
    --------
    >>> assign([[0.0], [2.0], [9.0]], [[1.0], [3.0]])
    array([0, 0, 1])
    """
    X, centers = check_pair(X, centers)
    return assign_and_sum(*prepare(X, centers))[0]


def update_centers(
    X: ArrayLike, labels: ArrayLike, n_clusters: int, sample_weight: ArrayLike | None = None
) -> FloatArray:
    """Mean of the points of each cluster, weighted if there are weights.

    Implements :eq:`kmeans-update`.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int in 0..n_clusters-1
    n_clusters : int
    sample_weight : (n,) array or None
        How often each point counts.

    Returns
    -------
    (n_clusters, d) array

    Raises
    ------
    ValueError
        If a cluster is empty or without weight (its mean is 0/0; :func:`reseed_empty` is the remedy), ``n_clusters``
        < 1, a label is not in 0..n_clusters-1, a shape is wrong, a value is NaN or infinite, or a weight is negative.
    TypeError
        If ``n_clusters`` is not an integer.

    Notes
    -----
    O(n d) time, O(n + k d) memory.

    Examples
    --------
    >>> update_centers([[0.0], [2.0], [9.0]], [0, 0, 1], 2)
    array([[1.],
           [9.]])
    """
    X, n_clusters = check_matrix(X, "X"), check_integer(n_clusters, "n_clusters")
    labels = check_codes(labels, "labels", len(X), n_clusters)
    w = check_point_weights(sample_weight, len(X))
    counts = np.bincount(labels, w, n_clusters)  # (k,)
    if not counts.all():
        empty = np.flatnonzero(counts == 0).tolist()
        raise ValueError(f"labels leave the clusters {empty} empty, and their mean is 0/0; use reseed_empty first.")
    sums = np.column_stack([np.bincount(labels, x if w is None else w * x, n_clusters) for x in X.T])  # (k, d)
    return sums / counts[:, None]


def reseed_empty(X: ArrayLike, labels: ArrayLike, centers: ArrayLike) -> IntArray:
    """Give every empty cluster the point that lies farthest from its own centre.

    Implements :eq:`kmeans-reseed`. Only a point whose cluster keeps another member may move, the farthest first, at
    equal distance the lowest index; empty clusters are served in the order of their index. The moved point becomes the
    whole of its new cluster, so its share of the objective falls to 0: J never rises.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int, the assignment to ``centers``
    centers : (k, d) array, k <= n

    Returns
    -------
    (n,) array of int
        New labels; no cluster in 0..k-1 is empty.

    Raises
    ------
    ValueError
        If k > n, a label is not in 0..k-1, a shape is wrong or a value is NaN or infinite.

    Notes
    -----
    O(n d + n e) time for e empty clusters.

    Examples
    --------
    >>> reseed_empty([[0.0], [1.0], [5.0]], [0, 0, 0], [[0.0], [99.0]])
    array([0, 0, 1])
    """
    X, centers = check_pair(X, centers)
    check_count(len(centers), len(X))
    labels = check_codes(labels, "labels", len(X), len(centers)).copy()
    counts = np.bincount(labels, minlength=len(centers))
    far = ((X - centers[labels]) ** 2).sum(axis=1)  # (n,) squared distance to the own centre
    for empty in np.flatnonzero(counts == 0):
        donor = np.where(counts[labels] > 1, far, -1.0).argmax()
        counts[labels[donor]] -= 1
        counts[empty] += 1
        labels[donor] = empty
    return labels


def lloyd(
    X: ArrayLike, centers: ArrayLike, *, sample_weight: ArrayLike | None = None, max_iter: int = 300, tol: float = 0.0
) -> LloydRun:
    """Lloyd's algorithm from given centres: assign, update, until nothing changes.

    Alternates :eq:`kmeans-assign` and :eq:`kmeans-update`; an empty cluster is filled by :eq:`kmeans-reseed` between
    the two. Stops when an iteration leaves every assignment as it was, or when the squared movement of all centres
    together is at most ``tol`` times the mean variance of the columns. After a stop of the second kind, and after
    ``max_iter`` iterations, the points are assigned once more, so that the labels belong to the centres returned (a
    cluster may then be empty).

    Parameters
    ----------
    X : (n, d) array
    centers : (k, d) array, k <= n
    sample_weight : (n,) array or None
        How often each point counts, positive. A weight of 2 does what a second copy of the row does, but for an empty
        cluster: there the whole weight of a point moves, and of two copies only one.
    max_iter : int
        Largest number of iterations, at least 1.
    tol : float
        0 means: until the assignments stop changing.

    Returns
    -------
    LloydRun

    Raises
    ------
    ValueError
        If k > n, X has fewer than k distinct rows, ``max_iter`` < 1, ``tol`` is negative, a shape is wrong, a value is
        NaN or infinite, a weight is not positive, or squared distances overflow or underflow.
    TypeError
        If ``max_iter`` is not an integer or ``tol`` not a number.

    Notes
    -----
    O(n k d) time an iteration, O(n d) memory. The assignments cannot recur, so there are at most k^n + 1 iterations
    (:eq:`kmeans-monotone`); in practice a few dozen.

    Examples
    --------
    >>> run = lloyd([[0.0], [1.0], [5.0], [6.0]], [[0.0], [1.0]])
    >>> run.labels, run.centers.ravel(), run.inertia
    (array([0, 0, 1, 1]), array([0.5, 5.5]), 1.0)
    """
    X, centers = check_pair(X, centers)
    k, max_iter = len(centers), check_integer(max_iter, "max_iter")
    check_distinct(X, k)
    w = check_point_weights(sample_weight, len(X))
    if w is not None and not w.all():
        raise ValueError("sample_weight must be positive: leave out the rows with weight 0.")
    points, mu = prepare(X, centers, w)
    X, limit, total = points.columns[:-1].T, check_real(tol, "tol") * points.variance, points.total
    labels: IntArray = np.full(len(X), -1)
    objective: list[float] = []
    n_reseeded, unchanged, settled = 0, False, False
    while not settled and len(objective) < max_iter:
        new_labels, sums = assign_and_sum(points, mu)  # assign; sums (k, d + 1), the last column of weights
        sizes = sums[:, -1]
        if sizes.all():
            new_mu = sums[:, :-1] / sizes[:, None]  # update
        else:
            n_reseeded += int((sizes == 0).sum())
            new_labels = reseed_empty(X, new_labels, mu)
            new_mu, sizes = update_centers(X, new_labels, k, w), np.bincount(new_labels, w, k)
        objective.append(max(0.0, total - sizes @ (new_mu * new_mu).sum(axis=1)))  # kmeans-decomposition
        unchanged = np.array_equal(new_labels, labels)
        settled = unchanged or bool(((new_mu - mu) ** 2).sum() <= limit)
        labels, mu = new_labels, new_mu
    if not unchanged:
        labels = assign_and_sum(points, mu)[0]
    J, n_iter = own_distances(points, mu, labels), len(objective)
    return LloydRun(mu + points.shift, labels, J, np.array(objective), n_iter, settled, n_reseeded)

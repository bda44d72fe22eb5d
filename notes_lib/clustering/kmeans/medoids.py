"""k-medoids: centres that are data points, and any table of dissimilarities instead of squared distances."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray, check_codes, check_indices, check_integer, check_symmetric


class MedoidRun(NamedTuple):
    """What one run of :func:`k_medoids` found.

    ``medoids`` (k,) which points are the centres; ``labels`` (n,); ``cost`` the sum of the dissimilarities to the own
    medoid; ``objective`` (n_iter,) that sum after the assignment of each iteration; ``converged`` whether it stopped
    by itself.
    """

    medoids: IntArray
    labels: IntArray
    cost: float
    objective: FloatArray
    n_iter: int
    converged: bool


def assign_to_medoids(D: ArrayLike, medoids: ArrayLike) -> IntArray:
    """Position of the nearest medoid of each point; of several equally near the first one.

    Implements the minimum of :eq:`kmeans-medoid-objective`. A medoid belongs to its own cluster even where another one
    is a copy of it, so no cluster is empty.

    Parameters
    ----------
    D : (n, n) array
        Dissimilarities: symmetric, not negative, 0 between a point and itself.
    medoids : (k,) array of int
        Different rows of ``D``.

    Returns
    -------
    (n,) array of int in 0..k-1

    Raises
    ------
    ValueError
        If ``D`` is no table of dissimilarities, or ``medoids`` repeats a point or names one that does not exist.

    Notes
    -----
    O(n k) time.

    Examples
    --------
    >>> assign_to_medoids([[0, 1, 5], [1, 0, 4], [5, 4, 0]], [0, 2])
    array([0, 0, 1])
    """
    D = _dissimilarities(D)
    return _nearest(D, check_indices(medoids, "medoids", len(D)))


def update_medoids(D: ArrayLike, labels: ArrayLike, medoids: ArrayLike) -> IntArray:
    """For each cluster the member with the smallest sum of dissimilarities to the members.

    Implements :eq:`kmeans-medoid-update`. A medoid stays unless another member is strictly better; of several best
    members the first one takes its place.

    Parameters
    ----------
    D : (n, n) array
        Dissimilarities: symmetric, not negative, 0 between a point and itself.
    labels : (n,) array of int in 0..k-1
    medoids : (k,) array of int
        The medoids so far; medoid j must be a member of cluster j.

    Returns
    -------
    (k,) array of int

    Raises
    ------
    ValueError
        If ``D`` is no table of dissimilarities, a label is not in 0..k-1, or a medoid is not in its own cluster.

    Notes
    -----
    O(sum of the squared sizes) time: all members of a cluster are compared with all.

    Examples
    --------
    >>> update_medoids([[0, 1, 5], [1, 0, 4], [5, 4, 0]], [0, 0, 0], [0])
    array([1])
    """
    D = _dissimilarities(D)
    medoids = check_indices(medoids, "medoids", len(D))
    labels = check_codes(labels, "labels", len(D), len(medoids))
    if not np.array_equal(labels[medoids], np.arange(len(medoids))):
        raise ValueError("labels must put each medoid into its own cluster; use assign_to_medoids to make them.")
    return _best_members(D, labels, medoids)


def k_medoids(D: ArrayLike, medoids: ArrayLike, *, max_iter: int = 300) -> MedoidRun:
    """Alternate assignment and best member from given medoids, until no medoid moves.

    Lowers :eq:`kmeans-medoid-objective` by its two steps, the second of which is :eq:`kmeans-medoid-update`. Each
    iteration but the last lowers the cost, so no set of medoids recurs and it stops. Where it stops is a fixed point,
    in general not the smallest cost: try several starts.

    Parameters
    ----------
    D : (n, n) array
        Dissimilarities: symmetric, not negative, 0 between a point and itself.
    medoids : (k,) array of int
        Different points to start from.
    max_iter : int
        Largest number of iterations, at least 1.

    Returns
    -------
    MedoidRun

    Raises
    ------
    ValueError
        If ``D`` is no table of dissimilarities, ``medoids`` repeats a point or names one that does not exist, or
        ``max_iter`` < 1.
    TypeError
        If ``max_iter`` is not an integer.

    Warns
    -----
    ConvergenceWarning
        If a medoid still moved in iteration ``max_iter``.

    Notes
    -----
    O(n k + sum of the squared sizes) time an iteration. Source: L. Kaufman and P. J. Rousseeuw (1990), *Finding Groups
    in Data*; their algorithm PAM also exchanges a medoid for any other point and so stops at fewer fixed points.

    Examples
    --------
    >>> x = np.array([0, 1, 2, 8, 9, 25])
    >>> run = k_medoids(abs(x[:, None] - x), [0, 1])
    >>> x[run.medoids], run.labels, run.cost
    (array([1, 9]), array([0, 0, 0, 1, 1, 1]), 19.0)
    """
    D, max_iter = _dissimilarities(D), check_integer(max_iter, "max_iter")
    m = check_indices(medoids, "medoids", len(D))
    objective: list[float] = []
    moved = True
    while moved and len(objective) < max_iter:
        labels = _nearest(D, m)
        objective.append(float(D[np.arange(len(D)), m[labels]].sum()))
        better = _best_members(D, labels, m)
        m, moved = better, not np.array_equal(better, m)
    if moved:
        warnings.warn(f"A medoid still moved in iteration max_iter={max_iter}; raise it.", ConvergenceWarning, 2)
        labels = _nearest(D, m)
    cost = float(D[np.arange(len(D)), m[labels]].sum())
    return MedoidRun(m, labels, cost, np.array(objective), len(objective), not moved)


def _nearest(D: FloatArray, medoids: IntArray) -> IntArray:
    labels: IntArray = D[:, medoids].argmin(axis=1)
    labels[medoids] = np.arange(len(medoids))
    return labels


def _best_members(D: FloatArray, labels: IntArray, medoids: IntArray) -> IntArray:
    best = medoids.copy()
    for j, m in enumerate(medoids):
        members = np.flatnonzero(labels == j)
        sums = D[np.ix_(members, members)].sum(axis=1)
        if sums.min() < sums[members == m][0]:
            best[j] = members[sums.argmin()]
    return best


def _dissimilarities(D: ArrayLike) -> FloatArray:
    D = check_symmetric(D, "D")
    if len(D) == 0 or D.diagonal().any() or (D < 0).any():
        raise ValueError(
            "D must hold dissimilarities: at least one row, none negative, and 0 on the diagonal; "
            "pass distances, not similarities."
        )
    return D

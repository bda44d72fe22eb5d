"""The steps of the derivation: distances of clusters, the formula that updates them, the plain algorithm, the tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_indices, check_positive, check_real
from notes_lib.clustering.hierarchical_clustering.checks import (
    EUCLIDEAN,
    METHODS,
    check_method,
    check_observations,
    check_table,
)
from notes_lib.clustering.hierarchical_clustering.distances import square_table, table_of


class Coefficients(NamedTuple):
    """The four numbers of :eq:`hierarchical-clustering-lance-williams`."""

    alpha_i: float
    alpha_j: float
    beta: float
    gamma: float


def ward_increase(n_i: float, n_j: float, distance: float) -> float:
    """How much the sum of squares within the clusters grows when two of them are merged.

    Implements :eq:`hierarchical-clustering-ward-increase`.

    Parameters
    ----------
    n_i, n_j : float
        Sizes of the two clusters, positive.
    distance : float
        Between their means, not squared.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a size is not positive, or the distance negative or not finite.
    TypeError
        If one of them is not a number.

    Notes
    -----
    O(1) time.

    Examples
    --------
    >>> ward_increase(1, 1, 4.0)
    8.0
    """
    n_i, n_j, distance = check_positive(n_i, "n_i"), check_positive(n_j, "n_j"), check_real(distance, "distance")
    return n_i * n_j / (n_i + n_j) * distance**2


def linkage_distance(X: ArrayLike, A: ArrayLike, B: ArrayLike, method: str) -> float:
    """Distance of two clusters of observations, straight from its definition.

    Implements :eq:`hierarchical-clustering-single`, :eq:`hierarchical-clustering-complete`,
    :eq:`hierarchical-clustering-average`, :eq:`hierarchical-clustering-centroid` and
    :eq:`hierarchical-clustering-ward-height`.

    Parameters
    ----------
    X : (n, d) array
    A, B : (n_A,), (n_B,) array of int
        The rows of the two clusters: different ones, and none in both.
    method : 'single', 'complete', 'average', 'centroid' or 'ward'

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there is no such method (weighted and median hang on the order of the merges: they have only their formula,
        :func:`lance_williams`), ``X`` is no matrix of observations, or ``A`` and ``B`` are not two separate sets of
        rows.
    TypeError
        If ``X`` holds text, or ``A`` or ``B`` no integers.

    Notes
    -----
    O(n_A n_B d) time.

    Examples
    --------
    >>> X = [[0.0], [2.0], [5.0]]
    >>> [linkage_distance(X, [0, 1], [2], method) for method in ("single", "complete", "average", "centroid")]
    [3.0, 5.0, 4.0, 4.0]
    """
    check_method(method)
    if method in ("weighted", "median"):
        raise ValueError(
            f"method={method!r} has no definition by the members, since it hangs on the order of the merges: "
            "use lance_williams."
        )
    X = check_observations(X, "X")
    both = check_indices(np.concatenate([A, B]), "A and B together", len(X))
    A, B = both[: len(np.atleast_1d(A))], both[len(np.atleast_1d(A)) :]
    if method in EUCLIDEAN:
        apart = float(np.linalg.norm(X[A].mean(axis=0) - X[B].mean(axis=0)))
        return apart if method == "centroid" else float(np.sqrt(2 * ward_increase(len(A), len(B), apart)))
    D = square_table(X)[np.ix_(A, B)]
    return float({"single": D.min(), "complete": D.max(), "average": D.mean()}[method])


def lance_williams_coefficients(method: str, n_i: float, n_j: float, n_k: float) -> Coefficients:
    """The coefficients of the update when clusters i and j are merged and k looks on.

    Those of :eq:`hierarchical-clustering-lw-single`, :eq:`hierarchical-clustering-lw-complete`,
    :eq:`hierarchical-clustering-lw-average`, :eq:`hierarchical-clustering-lw-centroid` and
    :eq:`hierarchical-clustering-lw-ward`. For ward, centroid and median they act on squared distances.

    Parameters
    ----------
    method : str
        One of ``METHODS``.
    n_i, n_j, n_k : float
        Sizes of the clusters, positive.

    Returns
    -------
    Coefficients

    Raises
    ------
    ValueError
        If there is no such method, or a size is not positive.
    TypeError
        If a size is not a number.

    Notes
    -----
    O(1) time.

    Examples
    --------
    >>> lance_williams_coefficients("ward", 1, 1, 2)
    Coefficients(alpha_i=0.75, alpha_j=0.75, beta=-0.5, gamma=0.0)
    """
    check_method(method)
    n_i, n_j, n_k = check_positive(n_i, "n_i"), check_positive(n_j, "n_j"), check_positive(n_k, "n_k")
    both, all_three = n_i + n_j, n_i + n_j + n_k
    share_i, share_j = n_i / both, n_j / both
    return {
        "single": Coefficients(0.5, 0.5, 0.0, -0.5),
        "complete": Coefficients(0.5, 0.5, 0.0, 0.5),
        "average": Coefficients(share_i, share_j, 0.0, 0.0),
        "weighted": Coefficients(0.5, 0.5, 0.0, 0.0),
        "centroid": Coefficients(share_i, share_j, -share_i * share_j, 0.0),
        "median": Coefficients(0.5, 0.5, -0.25, 0.0),
        "ward": Coefficients((n_i + n_k) / all_three, (n_j + n_k) / all_three, -n_k / all_three, 0.0),
    }[method]


def lance_williams(
    method: str, d_ik: float, d_jk: float, d_ij: float, n_i: float = 1, n_j: float = 1, n_k: float = 1
) -> float:
    """Distance from the union of clusters i and j to k, from the three distances before the merge.

    Implements :eq:`hierarchical-clustering-lance-williams`: on the distances for single, complete, average and weighted
    linkage, on their squares for ward, centroid and median, whose root is returned.

    Parameters
    ----------
    method : str
        One of ``METHODS``.
    d_ik, d_jk, d_ij : float
        Distances, not squared.
    n_i, n_j, n_k : float
        Sizes of the clusters, positive.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If there is no such method, a distance is negative or not finite, a size is not positive, or the square comes
        out negative, which Euclidean distances cannot do.
    TypeError
        If a number is not one.

    Notes
    -----
    O(1) time.

    Examples
    --------
    >>> lance_williams("average", 4.0, 8.0, 2.0, n_i=1, n_j=3)
    7.0
    >>> lance_williams("centroid", 5.0, 5.0, 6.0)
    4.0
    """
    a_i, a_j, beta, gamma = lance_williams_coefficients(method, n_i, n_j, n_k)
    u, v, w = check_real(d_ik, "d_ik"), check_real(d_jk, "d_jk"), check_real(d_ij, "d_ij")
    if method not in EUCLIDEAN:
        return a_i * u + a_j * v + beta * w + gamma * abs(u - v)
    square = a_i * u**2 + a_j * v**2 + beta * w**2
    if square < -1e-12 * max(u, v, w) ** 2:
        raise ValueError(
            f"d_ik={u}, d_jk={v} and d_ij={w} are no Euclidean distances for {method}: the square came out negative."
        )
    return float(np.sqrt(max(square, 0.0)))


def plain_linkage(y: ArrayLike, method: str = "single") -> FloatArray:
    """Agglomerative clustering as the book derives it: look through all pairs for each merge.

    Parameters
    ----------
    y : (n, d) array of observations, or (n (n - 1) / 2,) array of distances
    method : str
        One of ``METHODS``.

    Returns
    -------
    (n - 1, 4) array
        A linkage matrix in the order of the merges; of equally near pairs the first in the order of their numbers.

    Raises
    ------
    ValueError
        As :func:`linkage`, and by :func:`lance_williams`.
    TypeError
        If ``y`` holds text or complex numbers.

    Notes
    -----
    O(n^3) time, O(n^2) memory; :func:`linkage` does the same in O(n^2).

    Examples
    --------
    >>> plain_linkage([[0.0], [1.0], [4.0], [6.0]], "average")[:, 2]
    array([1. , 2. , 4.5])
    """
    check_method(method)
    D = table_of(y)
    distance = {(i, j): float(D[i, j]) for j in range(len(D)) for i in range(j)}
    size = dict.fromkeys(range(len(D)), 1)
    rows: list[tuple[int, int, float, int]] = []
    while len(size) > 1:
        i, j = min(distance, key=lambda pair: (distance[pair], pair))
        height, new = distance.pop((i, j)), len(D) + len(rows)
        n_i, n_j = size.pop(i), size.pop(j)
        for k, n_k in size.items():
            d_ik, d_jk = (distance.pop((min(k, c), max(k, c))) for c in (i, j))
            distance[k, new] = lance_williams(method, d_ik, d_jk, height, n_i, n_j, n_k)
        size[new] = n_i + n_j
        rows.append((i, j, height, size[new]))
    return np.array(rows, dtype=float)


def minimum_spanning_tree(D: ArrayLike) -> tuple[IntArray, FloatArray]:
    """The lightest set of n - 1 edges that connects all observations, by Prim's algorithm.

    Its edges, sorted by length, are the merges of single linkage, :eq:`hierarchical-clustering-mst`.

    Parameters
    ----------
    D : (n, n) array
        Distances: symmetric, not negative, 0 on the diagonal.

    Returns
    -------
    edges : (n - 1, 2) array of int
        The end that was reached before, and the one that it reaches, in the order in which they are found.
    lengths : (n - 1,) array

    Raises
    ------
    ValueError
        If ``D`` is no table of distances between at least two observations.
    TypeError
        If it holds text or complex numbers.

    Notes
    -----
    O(n^2) time.

    Examples
    --------
    >>> edges, lengths = minimum_spanning_tree([[0, 1, 4], [1, 0, 2], [4, 2, 0]])
    >>> edges.tolist(), lengths
    ([[0, 1], [1, 2]], array([1., 2.]))
    """
    D = check_table(D)
    n = len(D)
    nearest, source = D[0].copy(), np.zeros(n, dtype=int)
    waiting = np.arange(n) > 0
    edges, lengths = [], []
    for _ in range(n - 1):
        x = int(np.where(waiting, nearest, np.inf).argmin())
        waiting[x] = False
        edges.append((int(source[x]), x))
        lengths.append(nearest[x])
        nearer = D[x] < nearest
        source[nearer] = x
        nearest = np.minimum(nearest, D[x])
    return np.array(edges), np.array(lengths)


__all__ = [
    "METHODS",
    "Coefficients",
    "lance_williams",
    "lance_williams_coefficients",
    "linkage_distance",
    "minimum_spanning_tree",
    "plain_linkage",
    "ward_increase",
]

"""The nearest neighbours among all stored instances, exact, with one matrix product for a block of queries.

The squared distances of a block come from ``|c|^2 - 2 x'c``, whose rounding errors are bounded. The stored instances
are divided into groups, and the k-th smallest of the groups' minima is at least the k-th smallest distance: whatever
exceeds it by more than the rounding is no neighbour. The few candidates that remain are measured again by differences.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_finite, check_integer, check_matrix
from notes_lib.neighbors.nearest_neighbors.steps import Metric, check_metric, pairwise_distances
from notes_lib.numerics import row_blocks

QUERIES, GROUP = 48, 32  # queries looked at together, so that their distances stay in the cache; instances in a group
ZERO = np.zeros(())  # is compared with faster than a number, of which an array must be made each time


class Neighbors(NamedTuple):
    """The k nearest stored instances of each query, nearest first: ``distances`` (m, k) and ``indices`` (m, k)."""

    distances: FloatArray
    indices: IntArray


def check_neighbors(k: Any, n: int, itself: bool = False) -> int:
    """Return a number of neighbours that ``n`` stored instances have, without the query itself if it is one of them.

    Raises
    ------
    TypeError, ValueError
        If it is no integer, or too small, or too large.
    """
    k = check_integer(k, "n_neighbors")
    if k > n - itself:
        sign, note = ("<", " (an instance is not its own neighbour)") if itself else ("<=", "")
        raise ValueError(
            f"Expected n_neighbors {sign} n_samples_fit, but n_neighbors = {k}, n_samples_fit = {n}{note}: ask for "
            "fewer neighbours."
        )
    return k


def k_nearest(X: ArrayLike, queries: ArrayLike | None, k: int, metric: Metric = "minkowski", p: float = 2) -> Neighbors:
    """The ``k`` nearest rows of ``X`` for each query, :eq:`nearest-neighbors-set`; of equally near ones the first.

    Parameters
    ----------
    X : (n, d) array
    queries : (m, d) array or None
        None: the rows of ``X``, each without itself.
    k : int
    metric, p
        As in :func:`pairwise_distances`.

    Returns
    -------
    Neighbors

    Raises
    ------
    TypeError, ValueError
        Matrices that do not fit, ``k`` < 1 or more than there are, unknown ``metric``, ``p`` < 1, values whose squares
        overflow.

    Notes
    -----
    O(m n d) time, O(n) memory beside the result.

    Examples
    --------
    >>> k_nearest([[0.0], [1.0], [5.0]], [[1.8]], 2).indices
    array([[1, 0]])
    >>> k_nearest([[0.0], [1.0], [5.0]], None, 1).indices.T
    array([[1, 0, 1]])
    """
    X = check_matrix(X, "X")
    Q = X if queries is None else check_matrix(queries, "queries")
    if Q.shape[1] != X.shape[1]:
        raise ValueError(f"queries must have {X.shape[1]} columns as X has, got {Q.shape[1]}.")
    k, order = check_neighbors(k, len(X), queries is None), check_metric(metric, p)
    product = order == 2
    blocks = distance_tables(X, Q, metric, p)
    found = Neighbors(np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.intp))
    for start in range(0, len(Q), QUERIES):
        rows = slice(start, min(start + QUERIES, len(Q)))
        D, slack = blocks.table(rows)
        if queries is None:
            np.fill_diagonal(D[:, start:], np.inf)  # nobody is a neighbour of itself
        i, j = _candidates(D, k, slack)
        distances = blocks.measure(start + i, j)
        best = np.lexsort((j, distances, i))
        first = np.searchsorted(i[best], np.arange(len(D)))  # here the candidates of each query begin
        kept = best[first[:, None] + np.arange(k)]
        found.distances[rows], found.indices[rows] = distances[kept], j[kept]
    if metric != "sqeuclidean" and product:
        np.sqrt(found.distances, out=found.distances)
    return found


def _candidates(D: FloatArray, k: int, slack: FloatArray | float) -> tuple[IntArray, IntArray]:
    """Rows and columns of all entries that may be among the k smallest of their row if each is off by slack / 2."""
    m, n = D.shape
    width = max(k, n // GROUP)  # so many groups, each of every width-th column
    whole = n // width * width
    least = D[:, :whole].reshape(m, -1, width).min(axis=1)  # (m, width)
    limit = (np.partition(least, k - 1, axis=1)[:, k - 1] + slack)[:, None]
    limit = np.minimum(limit, np.finfo(float).max)  # infinity marks what may not be taken
    row, group = np.nonzero(limit >= least)
    columns = group[:, None] + np.arange(0, whole, width)  # the members of the groups that are looked into
    hits = limit[row] >= D[row[:, None], columns]
    rest, over = np.nonzero(limit >= D[:, whole:])  # columns that fill no group
    return np.concatenate([np.repeat(row, hits.sum(axis=1)), rest]), np.concatenate([columns[hits], whole + over])


class ByProduct:
    """Squared Euclidean distances less ``|x|^2`` as one matrix product; candidates are measured by differences."""

    def __init__(self, X: FloatArray, Q: FloatArray) -> None:
        self.X, self.Q = X, Q
        shift = X.mean(axis=0)
        C, R = X - shift, Q - shift  # fewer digits cancel
        with np.errstate(over="ignore", invalid="ignore"):
            squares, self.own = np.einsum("ij,ij->i", C, C), np.einsum("ij,ij->i", R, R)
            largest = (np.sqrt(self.own) + np.sqrt(squares.max())) ** 2  # no square of a distance exceeds it
            check_finite(2 * largest, "the square of a distance")  # an entry less a bound is below the double
        self.slack = 4 * (X.shape[1] + 4) * np.finfo(float).eps * largest
        self.left = np.column_stack([R, np.ones(len(R)), np.zeros(len(R))])
        self.right = np.empty((X.shape[1] + 2, len(X)))  # each row in one piece, which a part is taken from
        self.right[:-2], self.right[-2], self.right[-1] = -2.0 * C.T, squares, -1.0
        self.memory = np.empty(0)  # one for all blocks

    def table(self, rows: slice, columns: IntArray | None = None) -> tuple[FloatArray, FloatArray]:
        """Distances (m, n) of a block of queries, and twice the bound on the rounding errors of each row."""
        left, right = self.left[rows], self.right if columns is None else self.right.take(columns, axis=1)
        size = len(left) * right.shape[1]
        if self.memory.size < size:
            self.memory = np.empty(size)
        return np.matmul(left, right, out=self.memory[:size].reshape(len(left), -1)), self.slack[rows]

    def within(self, rows: slice, columns: IntArray, bound: FloatArray) -> tuple[IntArray, IntArray]:
        """Row and column of each entry up to the bound (m,) of its row, which the product subtracts at once."""
        self.left[rows, -1] = bound
        excess, _ = self.table(rows, columns)
        self.left[rows, -1] = 0.0
        return np.divmod(np.flatnonzero(excess <= ZERO), len(columns))

    def distance(self, entries: FloatArray) -> FloatArray:
        """What the distance of each query (m,) from an instance with this entry in its row can be at most."""
        return np.sqrt(np.maximum(entries + self.own + self.slack, 0.0))

    def measure(self, i: IntArray, j: IntArray) -> FloatArray:
        """Squared distances of the pairs of query i and instance j."""
        found = np.empty(len(i))
        for part in row_blocks(len(i)):
            gap = self.Q[i[part]] - self.X[j[part]]
            np.einsum("ij,ij->i", gap, gap, out=found[part])
        return found


class ByDifferences:
    """Distances of any other order, exact from the start."""

    def __init__(self, X: FloatArray, Q: FloatArray, metric: Metric, p: float) -> None:
        self.X, self.Q, self.metric, self.p = X, Q, metric, p

    def table(self, rows: slice, columns: IntArray | None = None) -> tuple[FloatArray, float]:
        """Distances (m, n) of a block of queries, without errors."""
        X = self.X if columns is None else self.X[columns]
        order = {"p": self.p} if self.metric == "minkowski" else {}
        self.start, self.D = rows.start, pairwise_distances(self.Q[rows], X, self.metric, **order)
        return self.D, 0.0

    def within(self, rows: slice, columns: IntArray, bound: FloatArray) -> tuple[IntArray, IntArray]:
        """Row and column of each entry up to the bound (m,) of its row."""
        return np.divmod(np.flatnonzero(self.table(rows, columns)[0] <= bound[:, None]), len(columns))

    def measure(self, i: IntArray, j: IntArray) -> FloatArray:
        """Distances of the pairs of query i, one of the last block, and column j of its table."""
        return self.D[i - self.start, j]

    def distance(self, entries: FloatArray) -> FloatArray:
        """The entries themselves."""
        return entries


Tables = ByProduct | ByDifferences


def distance_tables(X: FloatArray, Q: FloatArray, metric: Metric, p: float) -> Tables:
    """Tables of distances from all rows of ``X`` or some of them, for one block of queries after the other."""
    return ByProduct(X, Q) if check_metric(metric, p) == 2 else ByDifferences(X, Q, metric, p)

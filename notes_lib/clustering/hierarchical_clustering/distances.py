"""Tables of distances: between observations, and from condensed to square."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.clustering.hierarchical_clustering.checks import check_condensed, check_observations

ROWS = 32  # of the table at a time: the two work areas stay in the cache


def table_of(y: ArrayLike, metric: str = "euclidean") -> FloatArray:
    """A new square table of distances, from observations or from condensed distances."""
    if np.ndim(y) == 2:
        return square_table(check_observations(y, "y"), metric)
    return from_condensed(*check_condensed(y, "y"))


def square_table(X: FloatArray, metric: str = "euclidean") -> FloatArray:
    """All distances between the rows of ``X``, (n, n).

    By differences, column after column, so that equal rows have the distance 0, equal differences equal distances, and
    the far origin costs no digits; only the half above the diagonal is computed. O(n^2 d) time.
    """
    n = len(X)
    columns = np.ascontiguousarray(X.T)
    D = np.empty((n, n))
    rooms = np.empty((2, ROWS * n))
    size = np.square if metric == "euclidean" else np.abs
    for start in range(0, n, ROWS):
        rows = slice(start, min(start + ROWS, n))
        shape = (rows.stop - start, n - start)
        total, part = (room[: shape[0] * shape[1]].reshape(shape) for room in rooms)
        for j, x in enumerate(columns):
            out = part if j else total
            np.subtract(x[rows, None], x[start:], out=out)
            size(out, out=out)
            if j:
                total += part
        if metric == "euclidean":
            np.sqrt(total, out=total)
        D[rows, start:] = total
        D[start:, rows] = total.T
    return D


def from_condensed(y: FloatArray, n: int) -> FloatArray:
    """The square table of the distances above its diagonal."""
    D = np.zeros((n, n))
    start = 0
    for i in range(n - 1):
        D[i, i + 1 :] = D[i + 1 :, i] = y[start : start + n - 1 - i]
        start += n - 1 - i
    return D


def to_condensed(D: FloatArray) -> FloatArray:
    """The distances above the diagonal of a square table, row by row."""
    return D[np.triu_indices(len(D), 1)]

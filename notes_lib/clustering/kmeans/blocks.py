"""The fast pass over the data, block by block."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.numerics import BLOCK, aligned_empty, row_blocks


class Points(NamedTuple):
    """Data made ready for many passes: shifted towards the origin, a point a column, with a row of ones below.

    ``mass`` is what a cluster adds up: the columns times their weights, and ones that count them. Without weights these
    are ``columns`` themselves.
    """

    columns: FloatArray  # (d + 1, n)
    mass: FloatArray  # (d + 2, n), or (d + 1, n)
    shift: FloatArray  # (d,)
    r2: FloatArray  # (n,) squared norms of the shifted points
    total: float  # their weighted sum
    weights: FloatArray | None  # (n,)
    variance: float  # mean variance of the features


def prepare(X: FloatArray, centers: FloatArray, weights: FloatArray | None = None) -> tuple[Points, FloatArray]:
    """Shift ``X`` and ``centers`` near the mean of ``X``, so that few digits cancel in :eq:`kmeans-product`.

    The shift is a multiple of a power of two near the standard deviation: round numbers stay round, and ties stay ties.
    """
    n, d = X.shape
    total = n if weights is None else weights.sum()
    mean = np.average(X, axis=0, weights=weights)
    variance = sum(_squares(X[block] - mean, weights, block) for block in row_blocks(n)) / total  # (d,)
    grid = 2.0 ** np.round(np.log2(np.sqrt(variance.max()))) if variance.max() > 0 else 1.0
    shift = np.round(mean / grid) * grid
    if variance.max() < 1e-290 and np.ptp(X, axis=0).any():
        raise ValueError("X holds differences so small that their squares underflow; rescale the columns.")
    columns = aligned_empty(d + 1, n)
    for block in row_blocks(n):
        np.subtract(X[block].T, shift[:, None], out=columns[:-1, block])
    columns[-1] = 1.0
    r2 = sum_of_squares(columns[:-1], axis=0)
    if weights is None:
        return Points(columns, columns, shift, r2, float(r2.sum()), None, float(variance.mean())), centers - shift
    mass = aligned_empty(d + 2, n)
    np.multiply(columns, weights, out=mass[:-1])
    mass[-1] = 1.0
    return Points(columns, mass, shift, r2, float(r2 @ weights), weights, float(variance.mean())), centers - shift


def _squares(D: FloatArray, weights: FloatArray | None, block: slice) -> FloatArray:
    """Weighted sum of the squares of each column of a block."""
    return sum_of_squares(D, axis=0) if weights is None else weights[block] @ (D * D)


def sum_of_squares(X: FloatArray, axis: int) -> FloatArray:
    """Sum of squares along one axis of a matrix, without a matrix of squares."""
    return np.einsum("ij,ij->j" if axis == 0 else "ij,ij->i", X, X)


def assign_and_sum(points: Points, mu: FloatArray) -> tuple[IntArray, FloatArray]:
    """Labels (n,), and sums and weights (k, d + 1) of the clusters, by two matrix products a block.

    The product of ``(-2 mu, |mu|^2)`` with a point extended by 1 is ``|x - mu|^2 - |x|^2``, :eq:`kmeans-product`: the
    least entry of a column marks the nearest centre. Comparing the block with its column minima gives the one-hot
    matrix Z of the block without an argmin, and Z times the mass of the points gives the sums.
    Entries within rounding error of the minimum are all marked; a block then counts more marks than points, and the
    points in question are decided by their differences, ties by the lowest index.
    """
    norms = (mu * mu).sum(axis=1)
    A = np.column_stack([-2.0 * mu, norms])  # (k, d + 1)
    rounding = 8 * A.shape[1] * np.finfo(float).eps * (points.r2 + norms.max())  # (n,)
    index = np.arange(float(len(mu)))
    labels, sums = np.empty(len(points.r2), dtype=np.intp), np.zeros((len(mu), len(points.mass)))
    room = aligned_empty(len(mu), BLOCK)  # one for all blocks: it stays in the cache
    for block in row_blocks(len(labels)):
        B = points.columns[:, block]  # (d + 1, m)
        D = np.matmul(A, B, out=room[:, : B.shape[1]])  # (k, m)
        limit = D.min(axis=0) + rounding[block]
        Z = np.less_equal(D, limit, out=D)  # (k, m) one-hot but for ties, written over D
        S = Z @ points.mass[:, block].T
        if S[:, -1].sum() > B.shape[1]:
            tied = np.flatnonzero(Z.sum(axis=0) > 1)
            nearest = squared_to(B[:-1, tied].T, mu).argmin(axis=1)
            Z[:, tied] = 0.0
            Z[nearest, tied] = 1.0
            S = Z @ points.mass[:, block].T
        labels[block] = index @ Z
        sums += S
    return labels, sums[:, : A.shape[1]]


def own_distances(points: Points, mu: FloatArray, labels: IntArray) -> float:
    """Weighted sum of the squared distances of the points to their own centres, by differences."""
    own = (points.columns[:-1, block] - mu.T[:, labels[block]] for block in row_blocks(len(labels)))
    if points.weights is None:
        return float(sum(np.vdot(difference, difference) for difference in own))
    return float(np.concatenate([sum_of_squares(difference, axis=0) for difference in own]) @ points.weights)


def squared_to(X: FloatArray, centers: FloatArray) -> FloatArray:
    """Squared distances by differences, (n, k): slower than a product, but exactly 0 for equal rows."""
    return np.column_stack([sum_of_squares(X - c, axis=1) for c in centers])

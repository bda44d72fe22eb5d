"""Reductions that refuse rounding errors as pivots: to a triangle, by one block, to a Cholesky factor."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack, qr_multiply

from notes_lib.checks import FloatArray, all_finite, check_matrix, check_real
from notes_lib.numerics import BLOCK, NotPositiveDefiniteError, cholesky_factor, row_blocks

EPS = float(np.finfo(float).eps)


def solve_block(A: FloatArray, B: FloatArray, what: str = "the block of M that is eliminated") -> FloatArray:
    """Solve ``A X = B`` by LU with row scaling; refuses pivots that are rounding errors of their column."""
    scale = np.abs(A).max(axis=1)
    scale[scale == 0] = 1.0
    A = A / scale[:, None]
    lu, pivots, _ = lapack.dgetrf(A)
    if (np.abs(np.diag(lu)) <= 10 * len(A) * EPS * np.abs(A).max(axis=0)).any():
        raise ValueError(f"{what} is singular: eliminate other variables, or add a small number to its diagonal.")
    return np.asarray(lapack.dgetrs(lu, pivots, B / scale[:, None])[0])


def in_range(solution: FloatArray, name: str, *factors: FloatArray) -> FloatArray:
    """Return ``solution``; refuses one that is too large for a float, or that rests on such factors."""
    if not all(all_finite(values) for values in (solution, *factors)):
        raise ValueError(
            f"{name} is beyond the range of floating-point numbers: bring the matrix and the right-hand side to scales "
            "nearer to 1."
        )
    return solution


def lengths(X: FloatArray) -> FloatArray:
    """Euclidean lengths of the columns; squares that would overflow or vanish do no harm."""
    scale = np.abs(X).max(axis=0)
    scale[scale == 0] = 1.0
    return scale * np.linalg.norm(X / scale, axis=0)


def triangle(X: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """``R`` and ``Q'y`` of a QR factorisation, block by block for a long matrix; :eq:`linear-algebra-qr-blocks`."""
    n, d = X.shape
    if n <= 2 * BLOCK or 8 * d > BLOCK:
        c, R = qr_multiply(X, y.T, mode="right")
        return R, c.T
    parts = [qr_multiply(X[rows], y[rows].T, mode="right") for rows in row_blocks(n)]
    return triangle(np.vstack([R for _, R in parts]), np.concatenate([c.T for c, _ in parts]))


def definite_factor(A: ArrayLike, name: str, tol: float | None = None) -> FloatArray:
    """Lower Cholesky factor; refuses pivots that are rounding errors, in units of each variable."""
    A = check_matrix(A, name, square=True)
    L = cholesky_factor(A, name)  # refuses what is not symmetric
    tol = 10 * len(L) * EPS if tol is None else check_real(tol, "tol")
    shares = np.diag(L) ** 2 / np.diag(A)  # linear-algebra-pivot
    small = np.flatnonzero(shares <= tol)
    if small.size:
        raise NotPositiveDefiniteError(
            f"{name} is singular to rounding: row and column {small[0]} are a combination of those before them. Remove "
            "them, or add a small positive number to the diagonal.",
            index=int(small[0]),
        )
    return L

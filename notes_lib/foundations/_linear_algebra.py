"""What the module linear_algebra expects of its arguments, and two reductions: to a triangle, and by one block."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack, qr_multiply

from notes_lib.numerics import (
    BLOCK,
    FloatArray,
    IntArray,
    NotPositiveDefiniteError,
    check_finite,
    check_real,
    check_symmetric,
    cholesky_factor,
    row_blocks,
)

EPS = float(np.finfo(float).eps)


def matrix(A: ArrayLike, name: str, square: bool = False) -> FloatArray:
    """A finite matrix with at least one entry, as floats."""
    A = np.asarray(A, dtype=float)
    if A.ndim != 2 or A.size == 0 or (square and A.shape[0] != A.shape[1]):
        raise ValueError(f"{name} must be a {'square ' if square else ''}matrix with entries, got shape {A.shape}.")
    return check_finite(A, name)


def right_hand_side(b: ArrayLike, name: str, n: int, of: str) -> FloatArray:
    """A finite vector, or matrix of columns, with ``n`` rows."""
    b = np.asarray(b, dtype=float)
    if b.ndim not in (1, 2) or len(b) != n:
        raise ValueError(f"{name} must have as many rows as {of}, {n}, got shape {b.shape}.")
    return check_finite(b, name)


def system(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """A matrix and right-hand sides with the same number of rows."""
    X = matrix(X, "X")
    return X, right_hand_side(y, "y", len(X), "X")


def split(eliminate: ArrayLike, p: int) -> tuple[IntArray, IntArray]:
    """Indices to eliminate, as given, and the others in ascending order."""
    e = np.atleast_1d(np.asarray(eliminate))
    wrong = e.ndim != 1 or e.dtype.kind not in "iu" or not 0 < e.size < p
    if wrong or len(np.unique(e)) < e.size or e.min() < 0 or e.max() >= p:
        raise ValueError(
            f"eliminate must hold different indices from 0 to {p - 1}, some but not all, got {np.asarray(eliminate)}."
        )
    return e, np.setdiff1d(np.arange(p), e)


def solve_block(A: FloatArray, B: FloatArray, what: str = "the block of M that is eliminated") -> FloatArray:
    """Solve ``A X = B`` by LU with row scaling; refuses pivots that are rounding errors of their column."""
    scale = np.abs(A).max(axis=1)
    scale[scale == 0] = 1.0
    A = A / scale[:, None]
    lu, pivots, _ = lapack.dgetrf(A)
    if (np.abs(np.diag(lu)) <= 10 * len(A) * EPS * np.abs(A).max(axis=0)).any():
        raise ValueError(f"{what} is singular: eliminate other variables, or add a small number to its diagonal.")
    return np.asarray(lapack.dgetrs(lu, pivots, B / scale[:, None])[0])


def forms(w: ArrayLike, A: ArrayLike, B: ArrayLike | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A vector and two symmetric matrices that fit it, with ``w'B w`` positive."""
    A = check_symmetric(A, "A")
    B = np.eye(len(A)) if B is None else check_symmetric(B, "B")
    w = np.asarray(w, dtype=float)
    if not w.shape == A.shape[:1] == B.shape[:1]:
        raise ValueError(f"w must be (d,), A and B (d, d), got shapes {w.shape}, {A.shape} and {B.shape}.")
    if not w @ B @ w > 0:
        raise ValueError("w' B w must be positive: w must not be 0 and B must be positive definite.")
    return w, A, B


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
    L = cholesky_factor(A, name)
    tol = 10 * len(L) * EPS if tol is None else check_real(tol, "tol")
    shares = np.diag(L) ** 2 / np.diag(np.asarray(A, dtype=float))  # linear-algebra-pivot
    small = np.flatnonzero(shares <= tol)
    if small.size:
        raise NotPositiveDefiniteError(
            f"{name} is singular to rounding: row and column {small[0]} are a combination of those before them. Remove "
            "them, or add a small positive number to the diagonal.",
            index=int(small[0]),
        )
    return L

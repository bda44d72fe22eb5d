"""What the functions of the chapter *Linear algebra* accept."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_finite, check_indices, check_matrix, check_symmetric


def right_hand_side(b: ArrayLike, name: str, n: int, of: str) -> FloatArray:
    """A finite vector, or matrix of at least one column, with ``n`` rows."""
    b = np.asarray(b, dtype=float)
    if b.ndim not in (1, 2) or len(b) != n:
        raise ValueError(f"{name} must have as many rows as {of}, {n}, got shape {b.shape}.")
    if b.size == 0:
        raise ValueError(f"{name} must have as many rows as {of}, {n}, and a column, got shape {b.shape}.")
    return check_finite(b, name)


def symmetric(A: ArrayLike, name: str) -> FloatArray:
    """A finite symmetric matrix with at least one entry."""
    return check_symmetric(check_matrix(A, name, square=True), name)


def system(X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """A matrix and right-hand sides with the same number of rows."""
    X = check_matrix(X, "X")
    return X, right_hand_side(y, "y", len(X), "X")


def split(eliminate: ArrayLike, p: int) -> tuple[IntArray, IntArray]:
    """Indices to eliminate, as given, and the others in ascending order."""
    e = check_indices(eliminate, "eliminate", p)
    if e.size == p:
        raise ValueError(f"eliminate must leave at least one of the {p} variables, got {e.tolist()}.")
    return e, np.setdiff1d(np.arange(p), e)


def forms(w: ArrayLike, A: ArrayLike, B: ArrayLike | None) -> tuple[FloatArray, float, FloatArray, FloatArray]:
    """A vector with largest modulus 1, what it was divided by, two symmetric matrices; ``w'B w`` is positive."""
    A = symmetric(A, "A")
    B = np.eye(len(A)) if B is None else symmetric(B, "B")
    w = np.asarray(w, dtype=float)
    if not w.shape == A.shape[:1] == B.shape[:1]:
        raise ValueError(f"w must be (d,), A and B (d, d), got shapes {w.shape}, {A.shape} and {B.shape}.")
    size = float(np.abs(check_finite(w, "w")).max())
    w = w / size if size > 0 else w  # so that no square overflows or vanishes
    if not w @ B @ w > 0:
        raise ValueError("w' B w must be positive: w must not be 0 and B must be positive definite.")
    return w, size, A, B

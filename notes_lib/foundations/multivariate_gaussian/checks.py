"""What the functions of the chapter *The multivariate Gaussian* accept."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_indices, check_matrix


def points(X: ArrayLike, d: int) -> tuple[FloatArray, bool]:
    """Points as rows (n, d), and whether ``X`` was a single point (d,)."""
    X = np.asarray(X, dtype=float)
    if X.ndim not in (1, 2) or X.shape[-1] != d:
        raise ValueError(f"X must have shape (n, {d}) or ({d},), one point a row, got {X.shape}.")
    return check_matrix(np.atleast_2d(X), "X"), X.ndim == 1


def in_range(D: FloatArray) -> FloatArray:
    """Return deviations from the mean, unless double precision cannot hold the variance of a column of X."""
    reach, root = np.abs(D).max(axis=0), np.sqrt(len(D))
    large, small = reach * root > 1e154, (reach > 0) & (reach < 1e-146 * root)
    for j in np.flatnonzero(large | small)[:1]:
        size = "large" if large[j] else "small"
        raise ValueError(
            f"the variance of column {j} of X is too {size} for double precision: measure it in other units."
        )
    return D


def split(given: ArrayLike, d: int) -> tuple[IntArray, IntArray]:
    """The given variables, and the others in ascending order."""
    b = check_indices(given, "given", d)
    if b.size == d:
        raise ValueError(f"given must leave at least one of the {d} variables unknown, got {b.tolist()}.")
    return b, np.setdiff1d(np.arange(d), b)

"""What the module multivariate_gaussian expects of its arguments."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.foundations._linear_algebra import matrix
from notes_lib.numerics import FloatArray, IntArray, check_finite


def vector(x: ArrayLike, name: str, size: int | None = None) -> FloatArray:
    """A finite (d,) array of floats, d >= 1, of the given size if there is one."""
    v = np.asarray(x, dtype=float)
    if v.ndim != 1 or v.size == 0 or (size is not None and v.size != size):
        raise ValueError(f"{name} must have shape ({'d' if size is None else size},), got {v.shape}.")
    return check_finite(v, name)


def points(X: ArrayLike, d: int) -> tuple[FloatArray, bool]:
    """Points as rows (n, d), and whether ``X`` was a single point (d,)."""
    X = np.asarray(X, dtype=float)
    if X.ndim not in (1, 2) or X.shape[-1] != d:
        raise ValueError(f"X must have shape (n, {d}) or ({d},), one point a row, got {X.shape}.")
    return matrix(np.atleast_2d(X), "X"), X.ndim == 1


def positions(indices: ArrayLike, name: str, d: int) -> IntArray:
    """Numbers of some of d variables: at least one, none twice, in the order given; an integer counts as one."""
    i = np.atleast_1d(np.asarray(indices))
    if i.ndim != 1 or i.dtype.kind not in "iu" or i.size == 0:
        raise ValueError(f"{name} must hold at least one integer from 0 to {d - 1}, got {indices!r}.")
    if len(np.unique(i)) < i.size or i.min() < 0 or i.max() >= d:
        raise ValueError(f"{name} must hold different integers from 0 to {d - 1}, got {i.tolist()}.")
    return i


def split(given: ArrayLike, d: int) -> tuple[IntArray, IntArray]:
    """The given variables, and the others in ascending order."""
    b = positions(given, "given", d)
    if b.size == d:
        raise ValueError(f"given must leave at least one of the {d} variables unknown, got {b.tolist()}.")
    return b, np.setdiff1d(np.arange(d), b)

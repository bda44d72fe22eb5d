"""What the functions of the chapter *Information theory* accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray, IntArray, check_distribution


def pair(p: ArrayLike, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two distributions, or rows of distributions, over one set of outcomes."""
    P, Q = check_distribution(p, "p"), check_distribution(q, "q")
    if P.shape[-1] != Q.shape[-1] or (P.ndim > 1 and Q.ndim > 1 and P.shape != Q.shape):
        raise ValueError(f"p and q must have the same outcomes and rows, got shapes {P.shape} and {Q.shape}.")
    return P, Q


def table(joint: ArrayLike) -> FloatArray:
    """A joint distribution of two variables."""
    P = np.asarray(joint, dtype=float)
    if P.ndim != 2:
        raise ValueError(f"joint must be a matrix with one row for each value of X, got shape {P.shape}.")
    return check_distribution(np.ravel(joint), "joint").reshape(P.shape)


def columns(x: ArrayLike, y: ArrayLike) -> tuple[IntArray, IntArray]:
    """Two columns of categories of one length, each as numbers from 0 up in sorted order."""
    a, b = np.asarray(x), np.asarray(y)
    if a.ndim != 1 or a.shape != b.shape or not a.size:
        raise ValueError(f"x and y must be columns of one length with at least one row, got {a.shape} and {b.shape}.")
    return codes(a, "x"), codes(b, "y")


def codes(v: NDArray[Any], name: str) -> IntArray:
    """Categories as numbers from 0 up; integers in a small range are only shifted, so that a number may be missing."""
    if v.dtype.kind in "biu":
        low, high = int(v.min()), int(v.max())
        if high - low <= 2 * len(v) and high < 2**62:
            return v.astype(np.int64) - low
    if (v != v).any():  # NaN is the value that differs from itself
        raise ValueError(f"{name} holds NaN: give missing values a category of their own.")
    try:
        return np.unique(v, return_inverse=True)[1]
    except TypeError as error:
        raise TypeError(f"{name} mixes types that cannot be sorted: convert its entries to text.") from error


def symbols(p: ArrayLike) -> FloatArray:
    """One distribution in which every symbol occurs."""
    P = check_distribution(p, "p", positive=True)
    if P.ndim != 1:
        raise ValueError(f"p must be one distribution, got shape {P.shape}.")
    return P


def lengths(lengths: ArrayLike) -> FloatArray:
    """Code lengths as floats."""
    bits = np.asarray(lengths, dtype=float)
    if bits.ndim != 1 or not bits.size or not (np.isfinite(bits) & (bits >= 0)).all():
        raise ValueError(f"lengths must be a column of finite numbers, none negative, got {np.asarray(lengths)}.")
    return bits

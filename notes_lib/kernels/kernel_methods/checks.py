"""What the functions of the chapter *Kernel methods* accept."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from notes_lib.checks import FloatArray, IntArray, check_counts


def training_set(
    K: ArrayLike, y: ArrayLike, start: ArrayLike, name: str, labels: bool = False
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Kernel matrix (n, n), targets (n,) and coefficients (n,) as floats; ``name`` is that of the coefficients."""
    K, y, start = (np.asarray(a, dtype=float) for a in (K, y, start))
    if y.ndim != 1 or K.shape != (len(y), len(y)):
        raise ValueError(f"K must have a row and a column for each entry of y, got shapes {K.shape} and {y.shape}.")
    if start.shape != y.shape:
        raise ValueError(f"{name} must have shape {y.shape}, an entry for each row of K, got {start.shape}.")
    if labels and not (np.abs(y) == 1).all():
        raise ValueError(f"y must hold the labels -1 and 1 only, got {y[np.abs(y) != 1][0]:g}: code the classes so.")
    return K, y, check_counts(start, name) if labels else start


def row_numbers(rows: ArrayLike, n: int) -> IntArray:
    """Different row numbers from 0 to n - 1, at least one."""
    used = np.asarray(rows)
    if used.ndim != 1 or used.dtype.kind not in "iu" or not used.size:
        raise ValueError(f"rows must be a list of row numbers, at least one, got {rows!r}: None stands for all rows.")
    if used.min() < 0 or used.max() >= n:
        raise ValueError(f"rows must hold row numbers from 0 to {n - 1}, got {used.min()} to {used.max()}.")
    if len(np.unique(used)) < len(used):
        raise ValueError(f"rows must hold each row once, got {used.tolist()}: take several steps.")
    return used


def pair(X: ArrayLike, Y: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Both matrices as floats; Y is X if None."""
    X = check_array(X, dtype=float, input_name="X")
    if Y is None:
        return X, X
    Y = check_array(Y, dtype=float, input_name="Y")
    if X.shape[1] != Y.shape[1]:
        raise ValueError(f"X and Y must have the same number of columns, got {X.shape[1]} and {Y.shape[1]}.")
    return X, Y

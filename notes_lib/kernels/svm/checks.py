"""What the functions of the chapter *Support vector machines* accept."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, all_finite, check_integer, check_signs


def prices(C: ArrayLike, y: FloatArray) -> FloatArray:
    """C as one price for each row, positive, perhaps infinite."""
    C = np.asarray(C, dtype=float)
    if C.shape not in ((), y.shape):
        raise ValueError(f"C must be one number, or one for each of the {len(y)} rows, got shape {C.shape}.")
    if not (C > 0).all():
        raise ValueError(f"C must hold positive numbers, got {C[~(C > 0)].flat[0]:g}.")
    return np.broadcast_to(C, y.shape)


def dual_arguments(alpha: ArrayLike, K: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Multipliers (n,), kernel matrix (n, n) and labels (n,) of one dual, as floats."""
    alpha, K, y = np.asarray(alpha, dtype=float), np.asarray(K, dtype=float), check_signs(y)
    if alpha.shape != y.shape or K.shape != 2 * y.shape:
        raise ValueError(f"alpha (n,), K (n, n) and y (n,) must fit, got {alpha.shape}, {K.shape} and {y.shape}.")
    if not all_finite(alpha) or not all_finite(K):
        raise ValueError("alpha and K must be finite, got NaN or infinity.")
    return alpha, K, y


def check_pair(F: FloatArray, i: int, j: int) -> None:
    """Refuse two rows along which no step climbs: :eq:`svm-step` would be negative and leave the box."""
    for value, name in ((i, "i"), (j, "j")):
        if check_integer(value, name, 0) >= len(F):
            raise ValueError(f"{name} must be at most {len(F) - 1}, got {value}.")
    if F[i] < F[j]:
        message = f"F[{i}] = {F[i]:g} is below F[{j}] = {F[j]:g}"
        raise ValueError(f"i and j must not be taken the other way round: {message}. Take the pair of working_set.")

"""What the functions of the chapter *Optimisation* accept as vectors and constraints."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray


def constraints(A: ArrayLike, b: ArrayLike, d: int, names: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Rows (m, d) and right-hand sides (m,) of linear constraints."""
    A, b = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    A = A.reshape(0, d) if A.size == 0 else A
    if A.ndim != 2 or A.shape[1] != d or b.shape != (len(A),):
        raise ValueError(
            f"{names[0]} must be (m, {d}) and {names[1]} (m,), a row for each constraint, got {A.shape} and {b.shape}."
        )
    if not (np.isfinite(A).all() and np.isfinite(b).all()):
        raise ValueError(f"{names[0]} and {names[1]} must be finite, they hold NaN or inf.")
    return A, b

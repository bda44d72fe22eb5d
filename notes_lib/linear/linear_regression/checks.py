"""What the functions of the chapter *Linear regression* accept."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from notes_lib.checks import FloatArray, check_vector


def check_overdetermined(X: FloatArray) -> None:
    """More rows than columns: otherwise no residual is left to estimate the noise from."""
    n, d = X.shape
    if n <= d:
        raise ValueError(f"X must have more rows than columns to estimate the noise, got {n} x {d}: drop columns.")


def check_sums(values: FloatArray, name: str, power: int = 1) -> None:
    """Refuse numbers so large that the sum of all of them, or of their squares, may overflow once they are centred."""
    largest = max(float(values.max()), -float(values.min()))
    limit = 0.5 * float(np.finfo(float).max / values.size) ** (1 / power)
    if largest > limit:
        what = "the sum of its squares" if power == 2 else "its sum"
        raise ValueError(f"{name} is too large: with an entry of {largest:.3g} {what} may overflow, rescale {name}.")


def check_weights(sample_weight: Any, n: int) -> FloatArray:
    """Weights of the rows: not negative, not all 0; 1 for each row if None."""
    if sample_weight is None:
        return np.ones(n)
    v = np.full(n, float(sample_weight)) if isinstance(sample_weight, Real) else np.asarray(sample_weight, dtype=float)
    check_vector(v, "sample_weight", n)
    if not (v >= 0).all():
        raise ValueError(f"sample_weight must not be negative, got {v.min():g}: remove the row, or give it weight 0.")
    if not v.any():
        raise ValueError("sample_weight is zero for every row: at least one weight must be positive.")
    return v

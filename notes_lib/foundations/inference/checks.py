"""What the functions of the chapter *Inference* accept."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray, check_counts, check_integer, check_number, check_numbers, check_symmetric


class Successes(NamedTuple):
    """Numbers of successes ``k``, of any shape, and of trials ``n``."""

    k: FloatArray
    n: int


def check_successes(k: ArrayLike, n: Any) -> Successes:
    """Whole numbers from 0 to n, and n itself."""
    n = check_integer(n, "n")
    return Successes(check_counts(k, "k", upper=n), n)


def check_inside(value: Any, name: str) -> float:
    """Return a number strictly between 0 and 1."""
    if not 0 < check_number(value, name) < 1:
        raise ValueError(f"{name} must lie strictly between 0 and 1, got {value}: write 95 % as 0.95.")
    return float(value)


def check_information(information: ArrayLike) -> FloatArray:
    """Return a symmetric positive definite (d, d) array; a number is taken as (1, 1)."""
    matrix = check_symmetric(np.atleast_2d(check_numbers(information, "information")), "information")
    if np.linalg.eigvalsh(matrix)[0] <= 1e-12 * np.abs(matrix).max():
        raise ValueError(
            "information must be positive definite: in some direction the likelihood is flat or curves upwards, so "
            "theta is not identified or not a maximum; fix or drop a parameter, or maximise first."
        )
    return matrix


def check_labels(**vectors: ArrayLike) -> list[NDArray[Any]]:
    """Vectors of labels of one length, all text or all numbers; the keywords name them in errors."""
    arrays, names = [np.asarray(v) for v in vectors.values()], ", ".join(vectors)
    if arrays[0].ndim != 1 or arrays[0].size == 0 or any(a.shape != arrays[0].shape for a in arrays):
        raise ValueError(
            f"{names} must be vectors of one length, at least 1, got shapes {[a.shape for a in arrays]}: predict the "
            "same instances with both models."
        )
    if len({a.dtype.kind in "US" for a in arrays}) > 1 or not {a.dtype.kind for a in arrays} <= set("biufUS"):
        raise ValueError(f"{names} must all hold text or all hold numbers, got {[str(a.dtype) for a in arrays]}.")
    if any(a.dtype.kind == "f" and not np.isfinite(a).all() for a in arrays):
        raise ValueError(f"{names} hold NaN or infinity, which is no label: remove these instances.")
    return arrays

"""What the functions of the chapter *Inference* accept."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

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

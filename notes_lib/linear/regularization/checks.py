"""What input the penalised regressions accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_real, check_vector


def share(l1_ratio: Any) -> float:
    """Return the share of the 1-norm in the penalty."""
    if check_real(l1_ratio, "l1_ratio") > 1:
        raise ValueError(f"l1_ratio must lie in [0, 1], got {l1_ratio}: it is the share of the 1-norm in the penalty.")
    return float(l1_ratio)


def strengths(alphas: ArrayLike) -> FloatArray:
    """Return strengths of the penalty, the largest first."""
    found = check_vector(alphas, "alphas")
    if found.min() < 0:
        raise ValueError(f"alphas must not be negative, got {found.min():g}.")
    return np.sort(found)[::-1]

"""Problems on which the methods of more than one chapter are tested."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray

#: Weights that ``fit`` refuses for three rows, and the beginning of its message.
BAD_WEIGHTS = [
    ([0, 0, 0], "sample_weight is zero for every row"),
    ([1, -1, 1], "sample_weight must not be negative"),
    ([1, 1], r"sample_weight must be a vector of shape \(3,\)"),
    ([1, np.nan, 1], "sample_weight must be finite"),
]


def quadratic(seed: int, d: int = 4, low: float = 0.5, high: float = 8.0) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A convex quadratic with eigenvalues from ``low`` to ``high``: P, q, its minimiser."""
    rng = np.random.default_rng(seed)
    V = np.linalg.qr(rng.normal(size=(d, d)))[0]
    values = np.r_[low, high, rng.uniform(low, high, max(d - 2, 0))][:d]
    P = V @ np.diag(values) @ V.T
    P, q = (P + P.T) / 2, rng.normal(size=d)
    return P, q, np.linalg.solve(P, -q)

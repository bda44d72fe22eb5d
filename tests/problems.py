"""Problems on which the methods of more than one chapter are tested."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray


def quadratic(seed: int, d: int = 4, low: float = 0.5, high: float = 8.0) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A convex quadratic with eigenvalues from ``low`` to ``high``: P, q, its minimiser."""
    rng = np.random.default_rng(seed)
    V = np.linalg.qr(rng.normal(size=(d, d)))[0]
    values = np.r_[low, high, rng.uniform(low, high, max(d - 2, 0))][:d]
    P = V @ np.diag(values) @ V.T
    P, q = (P + P.T) / 2, rng.normal(size=d)
    return P, q, np.linalg.solve(P, -q)

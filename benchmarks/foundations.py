"""Workloads of the chapters on foundations."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Workload
from notes_lib.foundations.estimation import gaussian_mle
from notes_lib.foundations.linear_algebra import qr_solve


def least_squares() -> Workload:
    """Least squares of a long, correlated matrix."""
    rng = np.random.default_rng(0)
    n, d = 100_000, 50
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.2 * rng.normal(size=(d, d))) + 1
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    return Workload(
        name="least squares",
        size="100,000 x 50",
        peer_name="NumPy (lstsq)",
        ours=lambda: qr_solve(X, y),
        peer=lambda: np.linalg.lstsq(X, y, rcond=None)[0],
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.8,
        technique="Householder QR of blocks of rows that stay in the cache, then of the stacked triangles; Q is never "
        "formed",
    )


def gaussian_fit() -> Workload:
    """Maximum-likelihood fit of a Gaussian to one column."""
    import scipy.stats

    x = 3 + 2 * np.random.default_rng(0).normal(size=1_000_000)
    return Workload(
        name="Gaussian by maximum likelihood",
        size="1,000,000 numbers",
        peer_name="SciPy (norm.fit)",
        ours=lambda: np.sqrt(gaussian_mle(x).var),
        peer=lambda: scipy.stats.norm.fit(x)[1],
        difference=lambda a, b: float(abs(a - b)),
        tolerance=1e-12,
        goal=1.0,
        technique="deviations once, their sum of squares as an inner product; finiteness is read off the sum",
    )


WORKLOADS = [least_squares, gaussian_fit]

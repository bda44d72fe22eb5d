"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

import numpy as np
import sklearn.cross_decomposition

from benchmarks.harness import Workload
from notes_lib.reduction.cca import CCA


def cca_two_views() -> Workload:
    """Five pairs of two views with common causes."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(5000, 8))
    X, Y = (Z @ rng.normal(size=(8, d)) + 2 * rng.normal(size=(5000, d)) for d in (40, 30))
    return Workload(
        name="canonical correlation analysis",
        size="5,000 rows, 40 and 30 columns, 5 components",
        peer_name="scikit-learn",
        ours=lambda: scores(CCA(5).fit(X, Y), X, Y),
        peer=lambda: scores(sklearn.cross_decomposition.CCA(5).fit(X, Y), X, Y),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-3,
        goal=1.5,
        technique="one singular value decomposition of each view for all pairs, instead of iterations for each pair",
    )


def scores(model: CCA | sklearn.cross_decomposition.CCA, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Correlations of the scores that a model finds."""
    pairs = zip(*(S.T for S in model.transform(X, Y)), strict=True)
    return np.array([np.corrcoef(u, v)[0, 1] for u, v in pairs])


WORKLOADS = [cca_two_views]

"""Workloads of the chapters on dimension reduction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray
from notes_lib.reduction.random_projection import GaussianRandomProjection, SparseRandomProjection


def gaussian_projection() -> Workload:
    """Draw a dense matrix and project."""
    import sklearn.random_projection

    X = np.random.default_rng(1).normal(size=(2000, 5000))
    return Workload(
        name="Gaussian random projection",
        size="2000 x 5000 to 400 components",
        peer_name="scikit-learn",
        ours=lambda: GaussianRandomProjection(400, random_state=0).fit_transform(X),
        peer=lambda: sklearn.random_projection.GaussianRandomProjection(400, random_state=0).fit_transform(X),
        difference=relative_energy,
        tolerance=0.01,  # other random numbers: the ratio of two means of 800,000 squares
        goal=1.0,
        technique="normal numbers by the ziggurat method of the Generator, then one matrix product",
    )


def sparse_projection() -> Workload:
    """Draw a sparse matrix and project."""
    import sklearn.random_projection

    X = np.random.default_rng(1).normal(size=(2000, 5000))
    return Workload(
        name="sparse random projection",
        size="2000 x 5000 to 400 components, density 0.014",
        peer_name="scikit-learn",
        ours=lambda: SparseRandomProjection(400, random_state=0).fit_transform(X),
        peer=lambda: sklearn.random_projection.SparseRandomProjection(400, random_state=0).fit_transform(X),
        difference=relative_energy,
        tolerance=0.01,
        goal=1.0,
        technique="only entries that are not 0 are drawn, by their geometric gaps; 64 rows at a time, which stay in "
        "the cache",
    )


def relative_energy(a: FloatArray, b: FloatArray) -> float:
    """How far the ratio of two sums of squares is from 1."""
    return abs(float((a**2).sum() / (b**2).sum()) - 1)


WORKLOADS: list[Callable[[], Workload]] = [gaussian_projection, sparse_projection]

"""Workloads of the chapters on data mining."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
# @apriori imports
# @recommender imports
# @anomaly_detection imports
from sklearn.ensemble import IsolationForest as PeerForest
from sklearn.neighbors import LocalOutlierFactor as PeerFactor

from notes_lib.mining.anomaly_detection import IsolationForest, LocalOutlierFactor


# @apriori


# @recommender


# @anomaly_detection
def _local_outliers(n: int, d: int, goal: float, floor: float, technique: str) -> Workload:
    X = np.random.default_rng(0).normal(size=(n, d))
    return Workload(
        name=f"local outlier factor, {d} columns",
        size=f"{n:,} x {d}, 20 neighbours",
        peer_name="scikit-learn",
        ours=lambda: LocalOutlierFactor().fit(X).negative_outlier_factor_,
        peer=lambda: PeerFactor().fit(X).negative_outlier_factor_,
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-7,  # the peer adds 1e-10 to every mean distance
        goal=goal,
        floor=floor,
        technique=technique,
    )


def local_outliers() -> Workload:
    """Factors in ten columns, where a tree no longer helps."""
    technique = "neighbours from distances of a block of queries as one matrix product; all densities at once"
    return _local_outliers(5000, 10, 1.0, 0.8, technique)


def local_outliers_plane() -> Workload:
    """Factors in the plane, where the peer's compiled tree is at its best."""
    technique = "blocks of queries against the leaves of a k-d tree that one of them may need"
    return _local_outliers(5000, 2, 0.4, 0.3, technique)


def isolation_forest() -> Workload:
    """Growing 100 trees and scoring all rows."""
    X = np.random.default_rng(0).normal(size=(10_000, 8))
    run = lambda kind: kind(random_state=0).fit(X).score_samples(X)
    return Workload(
        name="isolation forest",
        size="10,000 x 8, 100 trees of 256 rows",
        peer_name="scikit-learn",
        ours=lambda: run(IsolationForest),
        peer=lambda: run(PeerForest),
        difference=lambda a, b: float(1 - np.corrcoef(a, b)[0, 1]),
        tolerance=0.1,  # of two forests of other random cuts
        goal=1.0,
        technique="a level of all trees is cut at once; rows go down a tree by three lookups a level",
    )


WORKLOADS: list[Callable[[], Workload]] = [
    # @apriori workloads
    # @recommender workloads
    # @anomaly_detection workloads
    local_outliers,
    local_outliers_plane,
    isolation_forest,
]

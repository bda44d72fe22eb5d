"""Workloads of the chapters of the part *Bayesian methods*."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.bayes.bayesian_network import BayesianNetwork
from notes_lib.bayes.density_estimation import KernelDensity
from notes_lib.bayes.naive_bayes import GaussianNB


def kernel_density() -> Workload:
    """Log-density of new rows; in the plane, since in the tails of more dimensions the peer is wrong by many nats."""
    import sklearn.neighbors

    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(5000, 2)), rng.normal(size=(5000, 2))
    return Workload(
        name="kernel density",
        size="5000 instances, 5000 new, d = 2",
        peer_name="scikit-learn",
        ours=lambda: KernelDensity(bandwidth=0.3).fit(X).score_samples(Q),
        peer=lambda: sklearn.neighbors.KernelDensity(bandwidth=0.3).fit(X).score_samples(Q),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-8,
        goal=15.0,
        technique="all exponents of a block by one matrix product, blocks that stay in the cache; only rows whose sum "
        "underflows are summed again in the log domain",
    )


def gaussian_naive_bayes() -> Workload:
    """Fit and predict."""
    import sklearn.naive_bayes

    rng = np.random.default_rng(0)
    n, d, K = 200_000, 50, 5
    y = rng.integers(0, K, n)
    X = rng.normal(size=(n, d)) * (0.5 + rng.random((K, d)))[y] + 0.4 * rng.normal(size=(K, d))[y]
    return Workload(
        name="Gaussian naive Bayes",
        size="200,000 x 50, 5 classes",
        peer_name="scikit-learn",
        ours=lambda: GaussianNB().fit(X, y).predict(X),
        peer=lambda: sklearn.naive_bayes.GaussianNB().fit(X, y).predict(X),
        difference=lambda a, b: float((a != b).sum()),
        tolerance=0.0,
        goal=2.2,
        floor=1.5,
        technique="moments of all classes by products with a matrix of memberships; densities of all classes block by "
        "block, while the rows are in the cache",
    )


def bayesian_network() -> Workload:
    """One exact query in a network of 40 variables."""
    rng = np.random.default_rng(0)
    names = [f"v{i}" for i in range(40)]
    graph = {v: sorted({names[j] for j in rng.integers(max(0, i - 3), i, size=2)} if i else {}) for i, v in
             enumerate(names)}  # fmt: skip
    tables = {v: rng.dirichlet(np.ones(3), size=(3,) * len(above)) for v, above in graph.items()}
    network = BayesianNetwork(graph).set_tables(tables)
    asked = [names[-1], names[-2]]
    operands: list[Any] = [x for v in names for x in (network.cpts_[v], [names.index(u) for u in (*graph[v], v)])]
    out = [names.index(v) for v in asked]
    return Workload(
        name="Bayesian network, variable elimination",
        size="40 variables, 3 states",
        peer_name="NumPy (einsum, greedy)",
        ours=lambda: network.query(asked),
        peer=lambda: np.einsum(*operands, out, optimize="greedy"),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=1.0,
        floor=0.5,
        technique="variables below the question dropped; the next variable is the one with the smallest table",
    )


WORKLOADS = [kernel_density, gaussian_naive_bayes, bayesian_network]

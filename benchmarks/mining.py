"""Workloads of the chapters on data mining."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import IsolationForest as PeerForest
from sklearn.neighbors import LocalOutlierFactor as PeerFactor

from benchmarks.harness import Workload
from notes_lib.mining.anomaly_detection import IsolationForest, LocalOutlierFactor
from notes_lib.mining.apriori import apriori, fpgrowth
from notes_lib.mining.recommender import MatrixFactorization

Itemsets = dict[frozenset[int], float]


def _baskets(n: int) -> list[frozenset[int]]:
    """Baskets of 100 items: parts of one to three of 40 patterns, and a few items of chance."""
    rng = np.random.default_rng(0)
    patterns = [rng.choice(100, size=rng.integers(2, 8), replace=False) for _ in range(40)]
    weights = rng.dirichlet(np.ones(40))
    baskets = []
    for _ in range(n):
        chosen = rng.choice(40, size=rng.integers(1, 4), p=weights)
        items = {int(i) for k in chosen for i in patterns[k] if rng.random() < 0.8}
        baskets.append(frozenset(items | {int(i) for i in rng.integers(0, 100, size=rng.integers(1, 5))}))
    return baskets


def _plain_apriori(baskets: list[frozenset[int]], share: float) -> Itemsets:
    """Level by level with Python's sets: every candidate is looked for in every basket."""
    least, frequent = share * len(baskets), {}
    level = [frozenset([i]) for i in sorted(frozenset().union(*baskets))]
    while level:
        counts = {X: sum(map(X.issubset, baskets)) for X in level}
        kept = {X: c for X, c in counts.items() if c >= least}
        frequent.update(kept)
        rows = sorted(sorted(X) for X in kept)
        joined = [frozenset([*a, b[-1]]) for j, a in enumerate(rows) for b in rows[j + 1 :] if a[:-1] == b[:-1]]
        level = [X for X in joined if all(X - {i} in kept for i in X)]
    return {X: c / len(baskets) for X, c in frequent.items()}


class _Node:
    """A node of a frequent-pattern tree."""

    __slots__ = ("below", "count", "item", "parent")

    def __init__(self, item: int, parent: _Node | None) -> None:
        self.item, self.parent, self.count = item, parent, 0
        self.below: dict[int, _Node] = {}


def _plain_fpgrowth(baskets: list[frozenset[int]], share: float) -> Itemsets:
    """A tree of nodes that point to each other, and a new one for each frequent ending."""
    least, found = share * len(baskets), {}

    def grow(paths: list[tuple[list[int], int]], suffix: frozenset[int]) -> None:
        counts: dict[int, int] = {}
        for path, weight in paths:
            for item in path:
                counts[item] = counts.get(item, 0) + weight
        order = sorted((i for i in counts if counts[i] >= least), key=lambda i: (-counts[i], i))
        rank = {item: k for k, item in enumerate(order)}
        root = _Node(-1, None)
        nodes: dict[int, list[_Node]] = {item: [] for item in order}
        for path, weight in paths:
            node = root
            for item in sorted((i for i in path if i in rank), key=rank.__getitem__):
                if item not in node.below:
                    node.below[item] = _Node(item, node)
                    nodes[item].append(node.below[item])
                node = node.below[item]
                node.count += weight
        for item in reversed(order):
            found[suffix | {item}] = counts[item] / len(baskets)
            above = []
            for node in nodes[item]:
                walk: list[int] = []
                up: Any = node.parent
                while up is not root:
                    walk.append(up.item)
                    up = up.parent
                if walk:
                    above.append((walk, node.count))
            if above:
                grow(above, suffix | {item})

    grow([(list(basket), 1) for basket in baskets], frozenset())
    return found


def _largest_gap(a: Itemsets, b: Itemsets) -> float:
    """Largest difference of two supports; an itemset that only one side has counts with its support."""
    return max(abs(a.get(X, 0.0) - b.get(X, 0.0)) for X in a.keys() | b.keys())


def frequent_apriori() -> Workload:
    """Frequent itemsets level by level."""
    baskets = _baskets(2000)
    return Workload(
        name="Apriori",
        size="2000 baskets of 100 items, support 1 %",
        peer_name="a count of each candidate in each basket",
        ours=lambda: apriori(baskets, 0.01),
        peer=lambda: _plain_apriori(baskets, 0.01),
        difference=_largest_gap,
        tolerance=1e-12,
        goal=45.0,
        technique="the baskets of an itemset are bits: one *and* of two rows and a count of ones for each candidate; "
        "whole levels are joined and pruned at once",
    )


def frequent_fpgrowth() -> Workload:
    """Frequent itemsets from a tree."""
    baskets = _baskets(10_000)
    return Workload(
        name="FP-growth",
        size="10 000 baskets of 100 items, support 1 %",
        peer_name="a tree of linked nodes",
        ours=lambda: fpgrowth(baskets, 0.01),
        peer=lambda: _plain_fpgrowth(baskets, 0.01),
        difference=_largest_gap,
        tolerance=1e-12,
        goal=5.0,
        floor=1.5,  # many small trees, each of a few array operations
        technique="the tree is three arrays, built by sorting; a table of pairs spares the trees without a third item",
    )


def _plain_als(
    users: np.ndarray, items: np.ndarray, ratings: np.ndarray, k: int, reg: float, rounds: int
) -> np.ndarray:
    """Factors with biases, one user and one item after the other; predictions of the ratings."""
    sizes = int(users.max()) + 1, int(items.max()) + 1
    rng, mean = np.random.default_rng(0), ratings.mean()
    factors = [0.1 * rng.normal(size=(n, k)) for n in sizes]
    biases = [np.zeros(n) for n in sizes]
    rows = []
    for mine in (users, items):
        order = np.argsort(mine, kind="stable")
        rows.append(np.split(order, np.searchsorted(mine[order], np.arange(1, mine.max() + 1))))
    for _ in range(rounds):
        for side, other in ((0, items), (1, users)):
            for n, mine in enumerate(rows[side]):
                Z = np.column_stack([factors[1 - side][other[mine]], np.ones(len(mine))])
                rest = ratings[mine] - mean - biases[1 - side][other[mine]]
                solved = np.linalg.solve(Z.T @ Z + reg * np.eye(k + 1), Z.T @ rest)
                factors[side][n], biases[side][n] = solved[:-1], solved[-1]
    products = (factors[0][users] * factors[1][items]).sum(axis=1)
    return mean + biases[0][users] + biases[1][items] + products


def alternating_least_squares() -> Workload:
    """Five rounds over many ratings."""
    rng = np.random.default_rng(0)
    n_users, n_items, k, rounds = 6000, 4000, 10, 5
    users, items = np.divmod(rng.choice(n_users * n_items, size=100_000, replace=False), n_items)
    tastes = rng.normal(size=(n_users, k)), rng.normal(size=(n_items, k))
    ratings = 3 + (tastes[0][users] * tastes[1][items]).sum(axis=1) / k + 0.5 * rng.normal(size=len(users))

    def ours() -> np.ndarray:
        model = MatrixFactorization(k, reg=5.0, max_iter=rounds, tol=0.0, random_state=0)
        return model.fit(users, items, ratings).predict(users, items)

    return Workload(
        name="alternating least squares",
        size="100,000 ratings of 6000 users and 4000 items, 10 factors with biases, 5 rounds",
        peer_name="one user after the other",
        ours=ours,
        peer=lambda: _plain_als(users, items, ratings, k, 5.0, rounds),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-9,
        goal=7.0,
        floor=2.0,
        technique="the normal equations of all users are one sparse product, of the pattern of ratings with the "
        "products of each two factors, and are solved as a stack",
    )


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
    frequent_apriori,
    frequent_fpgrowth,
    alternating_least_squares,
    local_outliers,
    local_outliers_plane,
    isolation_forest,
]

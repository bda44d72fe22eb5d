"""Workloads of the chapters on data mining."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload

# @apriori imports
from notes_lib.mining.apriori import apriori, fpgrowth

# @recommender imports
# @anomaly_detection imports


# @apriori
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


# @recommender


# @anomaly_detection


WORKLOADS: list[Callable[[], Workload]] = [
    # @apriori workloads
    frequent_apriori,
    frequent_fpgrowth,
    # @recommender workloads
    # @anomaly_detection workloads
]

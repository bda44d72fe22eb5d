"""Growing a tree level by level: all nodes of a level are searched together, every feature by one sort.

Here the rows go down, and the levels become a tree; :mod:`notes_lib.trees.cart.search` finds the splits of one level.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import xlogy

from notes_lib.checks import FloatArray, IntArray
from notes_lib.numerics import RandomState, check_rng
from notes_lib.trees.cart.search import Nodes, Presorted, Rule, Splits, best_splits
from notes_lib.trees.cart.structure import LEAF, NO_TEST, Tree

MOST_ROWS = 2**21  # so that a key of node, rank and row fits into 63 bits


def presort(X: FloatArray) -> Presorted:
    """Sort every column once; trees that are grown on the same rows can share the result.

    Raises
    ------
    ValueError
        If there are 2,097,152 rows or more.

    Examples
    --------
    >>> presort(np.array([[5.0], [2.0], [5.0]])).rank
    array([[1, 0, 1]])
    """
    check_rows(len(X))
    columns = [np.unique(x, return_inverse=True) for x in X.T]
    ranks, values = np.array([rank for _, rank in columns], dtype=np.int64), tuple(v for v, _ in columns)
    keys = ranks << Presorted(ranks, values, ranks).bits | np.arange(len(X))
    return Presorted(ranks, values, np.sort(keys, axis=1))


def check_rows(n: int) -> None:
    """Raise ``ValueError`` for more rows than the keys can tell apart."""
    if n >= MOST_ROWS:
        raise ValueError(f"X must have fewer than {MOST_ROWS} rows, got {n}: grow the tree on a sample.")


def grow(
    data: Presorted, targets: FloatArray, weight: FloatArray, rule: Rule, random_state: RandomState = None
) -> Tree:
    """Grow a tree by the splits of the largest gain, :eq:`cart-gain`; the first feature and threshold of equal ones.

    Parameters
    ----------
    data : Presorted
    targets : (n, q) array
        Membership of the classes as 0 and 1, or (n, 1) numbers.
    weight : (n,) array
        Non-negative; rows of weight 0 take no part.
    rule : Rule
    random_state : int, Generator, RandomState or None
        Draws the features if ``rule.max_features`` says so. A node in which none of them can be split looks at all.

    Returns
    -------
    Tree

    Notes
    -----
    O(d n log n) time for each level, O(d n) memory.

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0], [4.0]]), np.array([[0.0], [0.0], [9.0]])
    >>> grow(presort(X), y, np.ones(3), Rule("squared_error")).threshold
    array([ 3., -2., -2.])
    """
    return grow_leaves(data, targets, weight, rule, random_state)[0]


def grow_leaves(
    data: Presorted, targets: FloatArray, weight: FloatArray, rule: Rule, random_state: RandomState = None
) -> tuple[Tree, IntArray]:
    """Grow a tree, and tell the leaf in which each row arrives.

    Parameters and cost as in :func:`grow`.

    Returns
    -------
    tree : Tree
    leaf : (n,) array of int
        Leaf of each row, -1 for rows of weight 0.

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0], [4.0]]), np.array([[0.0], [0.0], [9.0]])
    >>> grow_leaves(presort(X), y, np.ones(3), Rule("squared_error"))[1]
    array([1, 1, 2])
    """
    rng = check_rng(random_state)
    rows, depth, levels = np.flatnonzero(weight), 0, []
    node, m, total = np.zeros(len(rows), dtype=np.int64), 1, 1
    leaf = np.full(len(weight), LEAF)
    scale = float(np.abs(targets).max())
    while m:
        nodes = _statistics(targets, weight, rows, node, m, rule)
        error = nodes.impurity if rule.leaf_error == "mean" else nodes.worst
        rounding = 1e-13 * scale  # what equal targets may differ by from their computed mean
        least = max(rule.tolerance, rounding if rule.leaf_error == "worst" else rounding**2)
        splits = Splits(np.full(m, -1), np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64))
        size_allows = (nodes.size >= rule.min_samples_split) & (nodes.size >= 2 * rule.min_samples_leaf)
        searched = (error > least) & size_allows & (depth < rule.max_depth)
        _search(data, targets, weight, rows, node, nodes, searched, rule, rng, splits)
        inner = splits.feature >= 0
        left = np.where(inner, total + 2 * (np.cumsum(inner) - 1), LEAF)
        levels.append((splits, nodes, left))
        # ---- the rows go down
        arrived, on = (np.flatnonzero(mask) for mask in (~inner[node], inner[node]))
        leaf[rows.take(arrived)] = node.take(arrived) + total - m
        rows, node = rows.take(on), node.take(on)
        right = data.rank.take(splits.feature[node] * data.rank.shape[1] + rows) > splits.below[node]
        node = left[node] - total + right
        m, depth = 2 * int(inner.sum()), depth + 1
        total += m
    tree, place = _assemble(levels, data.values)
    return tree, np.where(leaf < 0, LEAF, place.take(leaf, mode="clip"))


def _statistics(
    targets: FloatArray, weight: FloatArray, rows: IntArray, node: IntArray, m: int, rule: Rule
) -> Nodes:  # fmt: skip
    """Sums over the nodes of one level; the impurity of numbers from their distances to the mean."""
    w, y = weight[rows], targets[rows]
    mass: Any = np.bincount(node, w, m)
    sums: Any = np.column_stack([np.bincount(node, w * column, m) for column in y.T])
    mean = sums / mass[:, None]
    worst = np.zeros(m)
    if rule.criterion == "squared_error":
        gap = np.abs(y[:, 0] - mean[node, 0])
        impurity = np.bincount(node, w * gap**2, m) / mass
        np.maximum.at(worst, node, gap)
    elif rule.criterion == "gini":
        impurity = 1.0 - (mean**2).sum(axis=1)
    else:
        impurity = -xlogy(mean, mean).sum(axis=1) / np.log(2)
    return Nodes(np.bincount(node, minlength=m), mass, sums, mean, impurity, worst)


def _search(
    data: Presorted, targets: FloatArray, weight: FloatArray, rows: IntArray, node: IntArray, nodes: Nodes,
    searched: Any, rule: Rule, rng: np.random.Generator, splits: Splits,
) -> None:  # fmt: skip
    """Fill in the best splits of the nodes that are to be searched, among the features that each of them draws."""
    d = len(data.rank)
    drawn = rule.max_features is not None and rule.max_features < d
    for subset in (True, False) if drawn else (False,):
        chosen = np.flatnonzero(searched & (splits.feature < 0))
        if not len(chosen):
            return
        features = None
        if subset:
            features = np.sort(rng.random((len(chosen), d)).argsort(axis=1)[:, : rule.max_features], axis=1).T
        number = np.full(len(searched), -1)
        number[chosen] = np.arange(len(chosen))
        part = number[node]
        inside = part >= 0
        here: Any = [values[chosen] for values in nodes]
        found = best_splits(data, features, targets, weight, rows[inside], part[inside], Nodes(*here), rule)
        for into, values in zip(splits, found, strict=True):
            into[chosen] = values


def _assemble(
    levels: list[tuple[Splits, Nodes, IntArray]], values: tuple[FloatArray, ...]
) -> tuple[Tree, IntArray]:  # fmt: skip
    """Put the levels together, and number the nodes depth first; the tree and the new number of each node."""
    left = np.concatenate([child for _, _, child in levels])
    inner = np.flatnonzero(left >= 0)
    ends = np.cumsum([len(child) for _, _, child in levels])
    size, place = np.ones(len(left), dtype=np.int64), np.zeros(len(left), dtype=np.int64)
    parts = [inner[(inner >= a) & (inner < b)] for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    for nodes in parts[::-1]:  # from the leaves up: nodes of each subtree
        size[nodes] += size[left[nodes]] + size[left[nodes] + 1]
    for nodes in parts:  # a parent, its left subtree, its right subtree
        place[left[nodes]] = place[nodes] + 1
        place[left[nodes] + 1] = place[nodes] + 1 + size[left[nodes]]
    order = np.argsort(place)
    feature, below, above = (np.concatenate([split[k] for split, _, _ in levels])[order] for k in range(3))
    count, weight, _, mean, impurity, _ = (np.concatenate([s[k] for _, s, _ in levels])[order] for k in range(6))
    child = left[order]
    down = child >= 0
    sides = (zip(feature[down], rank[down], strict=True) for rank in (below, above))
    low, high = (np.array([values[j][r] for j, r in side]) for side in sides)
    threshold = np.full(len(feature), float(NO_TEST))
    threshold[down] = _between(low, high)
    tree = Tree(
        np.where(down, place[child], LEAF), np.where(down, place[np.minimum(child + 1, len(place) - 1)], LEAF),
        np.where(down, feature, NO_TEST), threshold, mean, impurity, count, weight,
    )  # fmt: skip
    return tree, place


def _between(low: FloatArray, high: FloatArray) -> FloatArray:
    """The middle of two numbers, or the lower one where no number lies between them."""
    middle = low / 2 + high / 2
    return np.where(middle >= high, low, middle)

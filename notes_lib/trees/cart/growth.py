"""Growing a tree level by level: all nodes of a level are searched together, every feature by one sort.

The value of an instance in its column is replaced once by its rank. A key of node, rank and row, packed into one
integer, then sorts all nodes of a level in one go, and running sums give the loss of every threshold of every node.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import xlogy

from notes_lib.checks import FloatArray, IntArray
from notes_lib.numerics import RandomState, check_rng
from notes_lib.trees.cart.structure import LEAF, NO_TEST, Tree

Criterion = Literal["gini", "entropy", "squared_error"]
LeafError = Literal["mean", "worst"]
TIE = 1e-10  # gains whose relative difference is smaller count as equal
MOST_ROWS = 2**21  # so that a key of node, rank and row fits into 63 bits


class Presorted(NamedTuple):
    """Columns of a matrix: the ``rank`` (d, n) of each entry among the sorted different ``values`` of its column."""

    rank: IntArray
    values: tuple[FloatArray, ...]


class Rule(NamedTuple):
    """How a tree is grown: the measure of impurity, and when a node stays a leaf.

    ``leaf_error`` and ``tolerance``: a node is a leaf if its mean error (the impurity) or its worst one, the largest
    distance of a target from the mean, is at most so large. ``max_features``: how many features each node draws.
    """

    criterion: Criterion = "gini"
    max_depth: float = np.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    max_features: int | None = None
    tolerance: float = 0.0
    leaf_error: LeafError = "mean"


class _Nodes(NamedTuple):
    """Sums over the nodes of a level: their number of rows, weight and sums of targets; mean, impurity, worst error."""

    size: IntArray
    weight: FloatArray
    sums: FloatArray
    mean: FloatArray
    impurity: FloatArray
    worst: FloatArray


class _Splits(NamedTuple):
    """The best split of each node: its feature (-1: none), and the ranks on both sides of its threshold."""

    feature: IntArray
    below: IntArray
    above: IntArray


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
    return Presorted(np.array([rank for _, rank in columns], dtype=np.int64), tuple(v for v, _ in columns))


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
    rng = check_rng(random_state)
    rows, depth, levels = np.flatnonzero(weight), 0, []
    node, m, total = np.zeros(len(rows), dtype=np.int64), 1, 1
    scale = float(np.abs(targets).max())
    while m:
        nodes = _statistics(targets, weight, rows, node, m, rule)
        error = nodes.impurity if rule.leaf_error == "mean" else nodes.worst
        rounding = 1e-13 * scale  # what equal targets may differ by from their computed mean
        least = max(rule.tolerance, rounding if rule.leaf_error == "worst" else rounding**2)
        splits = _Splits(np.full(m, -1), np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64))
        size_allows = (nodes.size >= rule.min_samples_split) & (nodes.size >= 2 * rule.min_samples_leaf)
        searched = (error > least) & size_allows & (depth < rule.max_depth)
        _search(data, targets, weight, rows, node, nodes, searched, rule, rng, splits)
        inner = splits.feature >= 0
        left = np.where(inner, total + 2 * (np.cumsum(inner) - 1), LEAF)
        levels.append((splits, nodes, left))
        # ---- the rows go down
        moving = inner[node]
        rows, node = rows[moving], node[moving]
        right = data.rank.take(splits.feature[node] * data.rank.shape[1] + rows) > splits.below[node]
        node = left[node] - total + right
        m, depth = 2 * int(inner.sum()), depth + 1
        total += m
    return _assemble(levels, data.values)


def _statistics(
    targets: FloatArray, weight: FloatArray, rows: IntArray, node: IntArray, m: int, rule: Rule
) -> _Nodes:  # fmt: skip
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
    return _Nodes(np.bincount(node, minlength=m), mass, sums, mean, impurity, worst)


def _search(
    data: Presorted, targets: FloatArray, weight: FloatArray, rows: IntArray, node: IntArray, nodes: _Nodes,
    searched: Any, rule: Rule, rng: np.random.Generator, splits: _Splits,
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
        found = _best_splits(data, features, targets, weight, rows[inside], part[inside], _Nodes(*here), rule)
        for into, values in zip(splits, found, strict=True):
            into[chosen] = values


def _best_splits(
    data: Presorted, features: IntArray | None, targets: FloatArray, weight: FloatArray, rows: IntArray,
    node: IntArray, nodes: _Nodes, rule: Rule,
) -> _Splits:  # fmt: skip
    """Sort all features in all nodes, add up along them, and find the largest gain in each node."""
    bits = int(data.rank.shape[1]).bit_length()
    mask = (1 << bits) - 1
    if features is None:
        key = data.rank.take(rows, axis=1)
    else:
        flat = (features * data.rank.shape[1]).take(node, axis=1)
        flat += rows
        key = data.rank.take(flat)  # much faster than two indices
    key <<= bits
    key |= (node << 2 * bits) | rows
    key.sort(axis=1)
    order = key & mask  # (d, n), the rows in the order of each feature inside each node
    key >>= bits
    segment = np.repeat(np.arange(len(nodes.size)), nodes.size)  # the node at each place
    start = np.cumsum(nodes.size) - nodes.size
    placed = np.arange(1, len(rows) + 1) - start[segment]  # rows on the left of a cut behind this place
    gain = _gains(order, targets, weight, rows, node, nodes, segment, start, placed, rule)
    allowed = (placed >= rule.min_samples_leaf) & (nodes.size[segment] - placed >= rule.min_samples_leaf)
    gain[:, np.flatnonzero(~allowed)] = -1.0  # among these are the last places of the nodes
    np.copyto(gain[:, :-1], -1.0, where=key[:, 1:] == key[:, :-1])  # no cut between equal values
    top = np.maximum.reduceat(gain, start, axis=1)  # (d, m)
    best = top.max(axis=0)
    close = best * (1 - TIE)  # equal partitions differ by rounding errors in the sums of numbers
    slot = (top >= close).argmax(axis=0)
    chosen = gain.take(slot[segment] * len(rows) + np.arange(len(rows)))
    hit = np.flatnonzero(chosen >= np.abs(close)[segment])
    first = np.searchsorted(segment[hit], np.arange(len(start)))
    none = best < 0
    place = np.where(none, start, np.append(hit, 0)[first])
    feature = slot if features is None else features[slot, np.arange(len(slot))]
    above = np.minimum(place + 1, len(rows) - 1)
    return _Splits(np.where(none, -1, feature), key[slot, place] & mask, key[slot, above] & mask)


def _gains(
    order: IntArray, targets: FloatArray, weight: FloatArray, rows: IntArray, node: IntArray, nodes: _Nodes,
    segment: IntArray, start: IntArray, placed: IntArray, rule: Rule,
) -> FloatArray:  # fmt: skip
    """What each cut gains, up to a factor that is the same in the whole node, :eq:`cart-gain`.

    Each target is taken relative to the mean of its node, so that running sums return to 0 at the end of every node.
    For classes it is multiplied by the weight of the node: with whole weights all sums are whole, and ties exact.
    """
    w = weight[rows]
    if (w == 1.0).all():
        left: FloatArray = placed[None, :].astype(float)
    else:
        left = np.cumsum(weight[order], axis=1)
        before = np.concatenate([np.zeros((len(left), 1)), left[:, start[1:] - 1]], axis=1)
        left -= before.take(segment, axis=1)
    right = nodes.weight[segment] - left
    counts = rule.criterion != "squared_error"
    unit = nodes.weight if counts else np.ones(len(nodes.weight))
    middle = nodes.sums if counts else nodes.mean
    two = targets.shape[1] == 2 and rule.criterion == "gini"  # both classes give the same term
    offset = np.empty(len(weight))

    def term(c: int) -> FloatArray:
        offset[rows] = w * (unit[node] * targets[rows, c] - middle[node, c])
        D = np.cumsum(offset.take(order), axis=1)
        return np.square(D, out=D) if rule.criterion != "entropy" else _entropy_terms(D, left, nodes, segment, c)

    gain = reduce(np.add, map(term, range(1 if two else 0, targets.shape[1])))
    with np.errstate(divide="ignore", invalid="ignore"):
        if rule.criterion == "entropy":
            gain -= xlogy(left, left) + xlogy(np.maximum(right, 0), np.maximum(right, 0))
            gain += (xlogy(nodes.weight, nodes.weight) - xlogy(nodes.sums, nodes.sums).sum(axis=1))[segment]
            gain = np.maximum(gain, 0.0)
        else:
            gain *= 1.0 / (left * right)
    return gain


def _entropy_terms(
    D: FloatArray, left: FloatArray, nodes: _Nodes, segment: IntArray, c: int
) -> FloatArray:  # fmt: skip
    """``s ln s`` of class ``c`` on both sides, from the sums of its distances to the mean."""
    here = nodes.sums[segment, c]
    s = np.clip((D + left * here) / nodes.weight[segment], 0.0, here)
    return np.asarray(xlogy(s, s) + xlogy(here - s, here - s))


def _assemble(levels: list[tuple[_Splits, _Nodes, IntArray]], values: tuple[FloatArray, ...]) -> Tree:
    """Put the levels together, and number the nodes depth first."""
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
    flat, first = np.concatenate(values), np.cumsum([0, *map(len, values)])[np.where(down, feature, 0)]
    threshold = np.where(down, _between(flat[first + below], flat[first + above]), float(NO_TEST))
    return Tree(
        np.where(down, place[child], LEAF), np.where(down, place[np.minimum(child + 1, len(place) - 1)], LEAF),
        np.where(down, feature, NO_TEST), threshold, mean, impurity, count, weight,
    )  # fmt: skip


def _between(low: FloatArray, high: FloatArray) -> FloatArray:
    """The middle of two numbers, or the lower one where no number lies between them."""
    middle = low / 2 + high / 2
    return np.where(middle >= high, low, middle)

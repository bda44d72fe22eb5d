"""Trees by sums of first and second derivatives over bins: the histogram variant of gradient boosting.

Each column is cut into bins once. A split is searched among the borders of the bins, and of two children only the one
with fewer rows is counted: the other histogram is what is left of the parent's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.trees.cart.structure import LEAF, NO_TEST, Tree
from notes_lib.trees.gradient_boosting.losses import FLOOR
from notes_lib.trees.gradient_boosting.steps import second_order_score, second_order_value

TIE = 1e-10  # gains whose relative difference is smaller count as equal
ROUNDING = 1e-12  # a smaller gain, as a share of the node's score, is a rounding error


class Binned(NamedTuple):
    """Columns cut into bins: the ``code`` (d, n) of each entry's bin, the borders, the largest number of bins.

    ``size`` (d, bins) counts the rows of each bin: the histogram of the root in every round that leaves none out.
    """

    code: IntArray
    edges: tuple[FloatArray, ...]
    bins: int
    size: IntArray


class SecondOrder(NamedTuple):
    """When a node stays a leaf, and the penalties: ``reg_lambda`` on squared values, ``gamma`` for each leaf."""

    reg_lambda: float = 0.0
    gamma: float = 0.0
    max_depth: int = 3
    min_samples_split: int = 2
    min_samples_leaf: int = 1


class _Level(NamedTuple):
    """Nodes of one level: feature (-1: leaf), border of bins, left child, sums of g, h, rows and weights."""

    feature: IntArray
    border: IntArray
    left: IntArray
    sums: FloatArray


def bin_columns(X: FloatArray, max_bin: int = 255) -> Binned:
    """Cut every column at the middles of its different values, or at quantiles if there are more than ``max_bin``.

    Examples
    --------
    >>> bin_columns(np.array([[1.0], [5.0], [2.0]])).edges
    (array([1.5, 3.5]),)
    """
    edges = []
    for x in X.T:
        x = np.sort(x)
        values = x[np.append(True, x[1:] > x[:-1])]
        if len(values) <= max_bin:
            edges.append(values[:-1] / 2 + values[1:] / 2)
        else:
            place = np.arange(1, max_bin) / max_bin * (len(x) - 1)
            edges.append(np.unique(x[np.floor(place).astype(int)] / 2 + x[np.ceil(place).astype(int)] / 2))
    bins = max(len(e) for e in edges) + 1
    narrow = np.min_scalar_type(bins - 1)  # small codes are read faster
    code: Any = np.array([np.searchsorted(e, x) for e, x in zip(edges, X.T, strict=True)], dtype=narrow)
    return Binned(code, tuple(edges), bins, np.array([np.bincount(c, minlength=bins) for c in code]))


def grow_histogram(
    data: Binned, g: FloatArray, h: FloatArray, weight: FloatArray, rule: SecondOrder
) -> tuple[Tree, IntArray]:
    """Grow a tree by the splits of the largest second-order gain :eq:`gradient-boosting-gain` over borders of bins.

    Parameters
    ----------
    data : Binned
    g, h : (n,) array
        First and second derivatives of the loss by the scores, times the weights.
    weight : (n,) array
        Rows of weight 0 take no part; they must have ``g`` and ``h`` 0.
    rule : SecondOrder

    Returns
    -------
    tree : Tree
        Numbered level by level; ``value`` is :eq:`gradient-boosting-value`, ``impurity`` the second-order objective
        of the node for a unit of weight.
    leaf : (n,) array of int
        Leaf of each row.

    Notes
    -----
    O(d n + 2^depth d bins) time for each level, as much memory.

    Examples
    --------
    >>> tree, leaf = grow_histogram(
    ...     bin_columns(np.array([[1.0], [2.0], [3.0]])), np.array([1.0, 1.0, -2.0]), np.ones(3), np.ones(3),
    ...     SecondOrder(max_depth=1))
    >>> tree.value.ravel(), tree.threshold[0]
    (array([ 0., -1.,  2.]), np.float64(2.5))
    """
    present = (weight > 0).astype(float)
    weight = present if np.array_equal(weight, present) else weight
    rows_only = None if present.all() else present  # None counts rows, which is cheaper than adding up ones
    kinds = [g, rows_only] if np.array_equal(h, present) else [g, h, rows_only]
    rows, node = np.arange(len(g)), np.zeros(len(g), dtype=np.intp)
    leaf, levels, total, depth = np.zeros(len(g), dtype=np.intp), [], 1, 0
    table: Any = None
    m = 1
    while True:
        sums = _sums(kinds, weight, present, rows, node, m)
        feature, border = np.full(m, -1), np.zeros(m, dtype=np.intp)
        if depth < rule.max_depth:
            table = _level_table(data, kinds, table, rows, node, sums[2])
            feature, border = _best_cuts(table, sums, rule)
        inner = feature >= 0
        left = np.where(inner, total + 2 * (np.cumsum(inner) - 1), LEAF)
        levels.append(_Level(feature, border, left, sums))
        if not inner.all():
            arrived, on = (np.flatnonzero(mask) for mask in (~inner[node], inner[node]))
            leaf[rows.take(arrived)] = node.take(arrived) + total - m
            rows, node = rows.take(on), node.take(on)
            if not len(rows):
                return _assemble(levels, data, rule.reg_lambda), leaf
            table = table[:, inner]
        right = data.code.take(feature[node] * len(g) + rows) > border[node]
        node = left[node] - total + right
        m, depth = 2 * int(inner.sum()), depth + 1
        total += m


def _sums(
    kinds: list[FloatArray | None], weight: FloatArray, present: FloatArray, rows: IntArray, node: IntArray, m: int
) -> FloatArray:  # fmt: skip
    """Sums of g, h, rows and weights over the nodes of one level, (4, m); what is equal is added up once."""
    found: Any = [np.bincount(node, v if v is None else v[rows], m) for v in kinds]
    mass: Any = found[-1] if weight is present else np.bincount(node, weight[rows], m)
    return np.array([found[0], found[-2] if len(found) == 3 else found[-1], found[-1], mass])


def _histograms(data: Binned, kinds: list[FloatArray | None], rows: IntArray, node: IntArray, m: int) -> FloatArray:
    """Sums of each kind of value to the left of each border, (kinds, m, d, bins - 1), for nodes and features.

    The bins are filled one feature at a time, which fits into the cache, and added up along the feature.
    """
    found = np.empty((len(kinds), m, len(data.code), data.bins))
    base, values = node * data.bins, [v if v is None else v[rows] for v in kinds]
    whole = len(rows) == data.code.shape[1]
    if whole and kinds[-1] is None:  # the root, whose rows are the same in every round
        found[-1, 0] = data.size
        values.pop()
    for j, code in enumerate(data.code):
        key = code if whole else code.take(rows)
        key = key + base if m > 1 else key
        for into, v in zip(found, values, strict=False):
            into[:, j] = np.bincount(key, v, m * data.bins).reshape(m, -1)
    return found[..., :-1].cumsum(axis=3)


def _level_table(
    data: Binned, kinds: list[FloatArray | None], parents: Any, rows: IntArray, node: IntArray, size: FloatArray
) -> FloatArray:  # fmt: skip
    """Sums of the root, or of both children of every parent: that of smaller ``size`` is counted, the other is left."""
    if parents is None:
        return _histograms(data, kinds, rows, node, 1)
    side = (size[1::2] < size[::2]).astype(np.intp)  # which one is counted
    counted = np.flatnonzero(np.column_stack([side == 0, side == 1]).ravel()[node])
    found = _histograms(data, kinds, rows.take(counted), node.take(counted) >> 1, len(side))
    both = np.empty((len(kinds), len(side), 2, *parents.shape[2:]))
    for i, s in enumerate(side):  # slices, which are not copied
        both[:, i, s] = found[:, i]
        np.subtract(parents[:, i], found[:, i], out=both[:, i, 1 - s])
    return both.reshape(len(kinds), 2 * len(side), *parents.shape[2:])


def _best_cuts(left: FloatArray, sums: FloatArray, rule: SecondOrder) -> tuple[IntArray, IntArray]:
    """Feature (-1 for none) and border of the largest gain in each node, of equal ones the first."""
    G, H, size = (v[:, None, None] for v in sums[:3])
    GL, HL, count = left[0], left[-2] if len(left) == 3 else left[-1], left[-1]
    gain = second_order_score(GL, np.maximum(HL, FLOOR), rule.reg_lambda)
    gain += second_order_score(G - GL, np.maximum(H - HL, FLOOR), rule.reg_lambda)
    gain -= second_order_score(G, H, rule.reg_lambda) + 2 * rule.gamma  # twice the gain
    gain[(count < rule.min_samples_leaf) | (count > size - rule.min_samples_leaf)] = -1.0
    flat = gain.reshape(len(gain), -1)
    if not flat.shape[1]:
        return np.full(len(flat), -1), np.zeros(len(flat), dtype=np.intp)
    best = flat.max(axis=1)
    least = ROUNDING * second_order_score(sums[0], sums[1], rule.reg_lambda)
    place = (flat >= (best - TIE * np.abs(best) - least)[:, None]).argmax(axis=1)
    feature, border = np.divmod(place, left.shape[3])
    return np.where((best > least) & (sums[2] >= rule.min_samples_split), feature, -1), border


def _assemble(levels: list[_Level], data: Binned, reg_lambda: float) -> Tree:
    """Put the levels together."""
    feature, border, left = (np.concatenate([level[k] for level in levels]) for k in range(3))
    G, H, size, weight = np.concatenate([level.sums for level in levels], axis=1)
    inner = feature >= 0
    threshold = np.full(len(feature), float(NO_TEST))
    threshold[inner] = [data.edges[j][b] for j, b in zip(feature[inner], border[inner], strict=True)]
    value = second_order_value(G, H, reg_lambda)
    return Tree(
        left, np.where(inner, left + 1, LEAF), np.where(inner, feature, NO_TEST), threshold, value[:, None],
        value * G / 2 / weight, size.astype(np.intp), weight,
    )  # fmt: skip

"""The best splits of all nodes of a level: every feature is sorted once for all of them, and running sums do the rest.

The value of an instance in its column is replaced by its rank. A key of node, rank and row, packed into one integer,
sorts all nodes of a level in one go, and running sums give the loss of every threshold of every node. While most rows
are still there, the sorted keys of the root are divided by node instead, which keeps their order.
"""

from __future__ import annotations

from functools import reduce
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from notes_lib.checks import FloatArray, IntArray

Criterion = Literal["gini", "entropy", "squared_error"]
LeafError = Literal["mean", "worst"]
TIE = 1e-10  # gains whose relative difference is smaller count as equal
SPARSE = 2  # when fewer than one in so many rows are left, their keys are sorted on their own
ELSEWHERE = 2**16 - 1  # the node of rows that are in none
BLOCK = 2**16  # entries that are searched together: few enough to stay in the cache and in memory already mapped


class Presorted(NamedTuple):
    """Columns of a matrix: the ``rank`` (d, n) of each entry among the sorted different ``values`` of its column.

    ``keys`` (d, n) are the sorted keys of all rows at the root, which trees on all rows share.
    """

    rank: IntArray
    values: tuple[FloatArray, ...]
    keys: IntArray

    @property
    def bits(self) -> int:
        """Bits that hold the number of a row, or a rank."""
        return int(self.rank.shape[1]).bit_length()

    @property
    def mask(self) -> int:
        """Ones in so many bits."""
        return (1 << self.bits) - 1


class Rule(NamedTuple):
    """How a tree is grown: the measure of impurity, and when a node stays a leaf.

    ``leaf_error`` and ``tolerance``: a node is a leaf if its mean error (the impurity) or its worst one, the largest
    distance of a target from the mean, is at most so large. ``max_features``: how many features each node draws.
    ``min_weight_leaf``: no split leaves less weight on a side.
    """

    criterion: Criterion = "gini"
    max_depth: float = np.inf
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    max_features: int | None = None
    tolerance: float = 0.0
    leaf_error: LeafError = "mean"
    min_weight_leaf: float = 0.0


class Nodes(NamedTuple):
    """Sums over the nodes of a level: their number of rows, weight and sums of targets; mean, impurity, worst error."""

    size: IntArray
    weight: FloatArray
    sums: FloatArray
    mean: FloatArray
    impurity: FloatArray
    worst: FloatArray


class Splits(NamedTuple):
    """The best split of each node: its feature (-1: none), and the ranks on both sides of its threshold."""

    feature: IntArray
    below: IntArray
    above: IntArray


def best_splits(
    data: Presorted, features: IntArray | None, targets: FloatArray, weight: FloatArray, rows: IntArray,
    node: IntArray, nodes: Nodes, rule: Rule,
) -> Splits:  # fmt: skip
    """Search a few features at a time, so many as fit into the cache, and keep the best split of each node."""
    m, n = len(nodes.size), len(rows)
    segment = np.repeat(np.arange(m), nodes.size)  # the node at each place
    start = np.cumsum(nodes.size) - nodes.size
    placed = np.arange(1, n + 1) - start[segment]  # rows on the left of a cut behind this place
    allowed = (placed >= rule.min_samples_leaf) & (nodes.size[segment] - placed >= rule.min_samples_leaf)
    refused = np.flatnonzero(~allowed)  # among these are the last places of the nodes
    offsets = _offsets(targets, weight, rows, node, nodes, rule)
    uneven = None if (weight[rows] == 1.0).all() else weight
    best, splits = np.full(m, -1.0), Splits(np.full(m, -1), np.zeros(m, np.int64), np.zeros(m, np.int64))
    count = len(data.rank if features is None else features)
    step = max(1, BLOCK // n)
    for j in range(0, count, step):
        block = np.arange(j, min(j + step, count))
        key = _sorted_keys(data, block if features is None else features[block], rows, node)
        order = key & data.mask
        gain = _gains(order, offsets, uneven, nodes, segment, start, placed, rule)
        key >>= data.bits
        gain[:, refused] = -1.0
        if rule.min_weight_leaf > 0:
            np.copyto(gain, -1.0, where=_too_light(order, weight, nodes, segment, start, rule.min_weight_leaf))
        np.copyto(gain[:, :-1], -1.0, where=key[:, 1:] == key[:, :-1])  # no cut between equal values
        top = np.maximum.reduceat(gain, start, axis=1)  # (k, m)
        largest = top.max(axis=0)
        better = largest - TIE * np.abs(largest) > best
        if not better.any():
            continue
        slot, place = _first_largest(gain, top, segment, start)
        feature = block[slot] if features is None else features[block[slot], np.arange(m)]
        above = np.minimum(place + 1, n - 1)
        found = Splits(feature, key[slot, place] & data.mask, key[slot, above] & data.mask)
        best[better] = largest[better]
        for into, values in zip(splits, found, strict=True):
            into[better] = values[better]
    return splits


def _too_light(
    order: IntArray, weight: FloatArray, nodes: Nodes, segment: IntArray, start: IntArray, least: float
) -> NDArray[np.bool_]:  # fmt: skip
    """Whether a cut behind each place leaves less weight than ``least`` on one of its sides."""
    sums = np.cumsum(weight.take(order), axis=1)
    left = sums - np.where(start > 0, sums[:, start - 1], 0.0)[:, segment]
    return np.asarray((left < least) | (nodes.weight[segment] - left < least))


def _sorted_keys(data: Presorted, features: IntArray, rows: IntArray, node: IntArray) -> IntArray:
    """Keys of node, rank and row, sorted: for some features of all nodes, or (k, m) features that each node draws."""
    n = data.rank.shape[1]
    if features.ndim == 1 and len(rows) == n and not node.any():
        return data.keys[features[0] : features[-1] + 1].copy()
    if features.ndim == 1 and SPARSE * len(rows) >= n and node.max() < ELSEWHERE:
        return _divided_keys(data.keys[features[0] : features[-1] + 1], data.mask, rows, node)
    if features.ndim == 1:
        key = data.rank[features[0] : features[-1] + 1].take(rows, axis=1, mode="clip")
    else:
        flat = (features * n).take(node, axis=1)
        flat += rows
        key = data.rank.take(flat, mode="clip")  # much faster than two indices
    key <<= data.bits
    key |= (node << 2 * data.bits) | rows
    key.sort(axis=1)
    return key


def _divided_keys(keys: IntArray, mask: int, rows: IntArray, node: IntArray) -> IntArray:
    """The keys of the root divided by nodes, in their order; the node itself is left out of them.

    NumPy's stable sort of 16 bits goes by digits, and takes the same time on all processors.
    """
    at = np.full(keys.shape[1], ELSEWHERE, dtype=np.uint16)
    at[rows] = node
    order = np.argsort(at.take(keys & mask), axis=1, kind="stable")[:, : len(rows)]
    return np.take_along_axis(keys, order, axis=1)


def _first_largest(
    gain: FloatArray, top: FloatArray, segment: IntArray, start: IntArray
) -> tuple[IntArray, IntArray]:  # fmt: skip
    """Line and place where each node first reaches its largest gain; ``top`` (k, m) is the largest of each line."""
    best = top.max(axis=0)
    close = best - TIE * np.abs(best)  # equal partitions differ by rounding errors in the sums of numbers
    slot = (top >= close).argmax(axis=0)
    n = len(segment)
    chosen = gain.take(slot[segment] * n + np.arange(n))
    hit = np.flatnonzero(chosen >= close[segment])
    return slot, hit[np.searchsorted(segment[hit], np.arange(len(start)))]


def _offsets(
    targets: FloatArray, weight: FloatArray, rows: IntArray, node: IntArray, nodes: Nodes, rule: Rule
) -> FloatArray:  # fmt: skip
    """Weighted distance of each row's target from the mean of its node, one line for each class that is needed.

    For classes it is multiplied by the weight of the node: with whole weights all sums are whole, and ties exact.
    """
    counts = rule.criterion != "squared_error"
    unit = nodes.weight if counts else np.ones(len(nodes.weight))
    middle = nodes.sums if counts else nodes.mean
    two = targets.shape[1] == 2 and rule.criterion == "gini"  # both classes give the same term
    classes = range(1 if two else 0, targets.shape[1])
    found = np.empty((len(classes), len(weight)))
    for offset, c in zip(found, classes, strict=True):
        offset[rows] = weight[rows] * (unit[node] * targets[rows, c] - middle[node, c])
    return found


def _gains(
    order: IntArray, offsets: FloatArray, weight: FloatArray | None, nodes: Nodes, segment: IntArray,
    start: IntArray, placed: IntArray, rule: Rule,
) -> FloatArray:  # fmt: skip
    """What each cut gains, up to a factor that is the same in the whole node, :eq:`cart-gain`.

    Running sums of the distances from the mean return to 0 at the end of every node. Without ``weight`` all are 1.
    """
    if weight is None:
        left: FloatArray = placed[None, :].astype(float)
    else:
        left = np.cumsum(weight.take(order, mode="clip"), axis=1)
        before = np.concatenate([np.zeros((len(left), 1)), left[:, start[1:] - 1]], axis=1)
        left -= before.take(segment, axis=1)
    right = nodes.weight[segment] - left

    def term(c: int) -> FloatArray:
        D = np.cumsum(offsets[c].take(order, mode="clip"), axis=1)  # a check of the indices would double the time
        return np.square(D, out=D) if rule.criterion != "entropy" else _entropy_terms(D, left, nodes, segment, c)

    gain = reduce(np.add, map(term, range(len(offsets))))
    with np.errstate(divide="ignore", invalid="ignore"):
        if rule.criterion == "entropy":
            gain -= xlogy(left, left) + xlogy(np.maximum(right, 0), np.maximum(right, 0))
            gain += (xlogy(nodes.weight, nodes.weight) - xlogy(nodes.sums, nodes.sums).sum(axis=1))[segment]
            gain = np.maximum(gain, 0.0)
        else:
            gain *= 1.0 / (left * right)
    return gain


def _entropy_terms(
    D: FloatArray, left: FloatArray, nodes: Nodes, segment: IntArray, c: int
) -> FloatArray:  # fmt: skip
    """``s ln s`` of class ``c`` on both sides, from the sums of its distances to the mean."""
    here = nodes.sums[segment, c]
    s = np.clip((D + left * here) / nodes.weight[segment], 0.0, here)
    return np.asarray(xlogy(s, s) + xlogy(here - s, here - s))

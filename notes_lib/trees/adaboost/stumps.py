"""The best stump for given weights: columns are sorted once, each round adds the weights up along them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any, Literal, NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray

StumpCriterion = Literal["gini", "error"]
TIE = 1e-10  # scores whose relative difference is smaller count as equal
ROUNDING = 1e-15  # a side with less weight than the rounding error of a sum gains nothing


class Stump(NamedTuple):
    """A tree with one test: the classes ``below`` (``feature`` at most ``threshold``) and ``above``.

    A threshold of infinity stands for no test: the same class everywhere.
    """

    feature: int
    threshold: float
    below: Any
    above: Any

    def predict(self, X: FloatArray) -> Any:
        """Class of each row, (n,) array."""
        return np.where(np.asarray(X)[:, self.feature] <= self.threshold, self.below, self.above)


class SortedColumns(NamedTuple):
    """Columns of a matrix in ascending order, and where they may be cut.

    ``rows`` (d, n) says where each value stands, ``values`` (d, n) are the sorted columns, and ``cuts`` holds for each
    column the places in front of which a threshold can be best.
    """

    rows: IntArray
    values: FloatArray
    cuts: tuple[IntArray, ...]


def sort_columns(X: FloatArray, codes: IntArray) -> SortedColumns:
    """Sort every column once, for all rounds.

    Parameters
    ----------
    X : (n, d) array
    codes : (n,) array of int
        Classes. Whatever the weights are, a threshold between instances of one class is never the only best one,
        :eq:`decision-tree-boundary`.

    Returns
    -------
    SortedColumns

    Examples
    --------
    >>> columns = sort_columns(np.array([[5.0], [2.0], [7.0], [9.0]]), np.array([1, 0, 1, 0]))
    >>> columns.rows, columns.cuts
    (array([[1, 0, 2, 3]]), (array([1, 3]),))
    """
    columns = np.ascontiguousarray(X.T)
    rows = np.argsort(columns, axis=1)
    values = np.take_along_axis(columns, rows, axis=1)
    return SortedColumns(rows, values, tuple(_boundaries(v, codes[r]) for v, r in zip(values, rows, strict=True)))


def _boundaries(values: FloatArray, codes: IntArray) -> IntArray:
    """Starts of the groups of equal values, but the first, that do not continue a group of the same single class."""
    starts = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
    one_class = np.maximum(high[1:], high[:-1]) == np.minimum(low[1:], low[:-1])
    return starts[1:][~one_class]


def best_stump(columns: SortedColumns, mass: FloatArray, criterion: StumpCriterion) -> Stump:
    """Find the stump with the smallest weighted error :eq:`adaboost-error`, or the largest gain of the Gini index.

    Parameters
    ----------
    columns : SortedColumns
    mass : (K, n) array
        Weight of each instance in the row of its class, 0 in the others; sum 1.
    criterion : {"gini", "error"}

    Returns
    -------
    Stump
        With numbers of classes; on each side the class with the largest weight. Of equally good ones the first
        feature and the smallest of its cuts; if there is no cut, no test.

    Notes
    -----
    O(d n K) time: no sorting. The Gini gain is :eq:`cart-gini-gain`.

    Examples
    --------
    >>> X, mass = np.array([[1.0], [2.0], [4.0]]), np.array([[0.3, 0.3, 0.0], [0.0, 0.0, 0.4]])
    >>> best_stump(sort_columns(X, np.array([0, 0, 1])), mass, "error")
    Stump(feature=0, threshold=3.0, below=0, above=1)
    """
    total, best, found = mass.sum(axis=1), 0.0, None
    for feature, scores in _all_scores(columns, mass, total, criterion):
        top = float(scores.max())
        if found is None or top > best * (1 + TIE):
            best, found = top, (feature, int((scores >= top * (1 - TIE)).argmax()))
    if found is None:
        return Stump(0, np.inf, int(total.argmax()), int(total.argmax()))
    feature, place = found
    cut = columns.cuts[feature][place]
    low, high = columns.values[feature, cut - 1 : cut + 1]
    left = mass[:, columns.rows[feature, :cut]].sum(axis=1)
    return Stump(feature, _between(low, high), int(left.argmax()), int((total - left).argmax()))


def _between(low: float, high: float) -> float:
    """The middle of two numbers, without overflow; below ``high`` also for neighbouring numbers."""
    middle = low / 2 + high / 2
    return float(middle if low <= middle < high else low)


def _all_scores(
    columns: SortedColumns, mass: FloatArray, total: FloatArray, criterion: StumpCriterion
) -> Iterator[tuple[int, FloatArray]]:
    """Each feature that can be cut, and the scores of its cuts.

    The weight of a class and that of all stand in one complex number, so that both are added up at once.
    """
    score = _error_scores if criterion == "error" else _gini_scores
    pairs = mass[1:] + 1j * mass.sum(axis=0)
    sums = np.empty(mass.shape[1], dtype=complex)  # for all features: new memory costs more than the arithmetic
    for feature, (rows, cuts) in enumerate(zip(columns.rows, columns.cuts, strict=True)):
        if len(cuts):
            left = []
            for pair in pairs:
                np.cumsum(pair.take(rows, out=sums, mode="clip"), out=sums)
                left.append(sums.take(cuts - 1))
            yield feature, score([s.real for s in left], left[0].imag.copy(), total)


def _error_scores(left: list[FloatArray], P: FloatArray, total: FloatArray) -> FloatArray:
    """Weight that the majorities of both sides get right: 1 minus the weighted error; P is the weight on the left."""
    below = P - sum(left)
    above = total[0] - below
    for part, whole in zip(left, total[1:], strict=True):
        np.maximum(below, part, out=below)
        np.maximum(above, whole - part, out=above)
    return below + above


def _gini_scores(left: list[FloatArray], P: FloatArray, total: FloatArray) -> FloatArray:
    """Gini gain of each cut: with weight P on the left, the sum of ``(L_k - W_k P)^2 / (P (1 - P))``."""
    deviations = [part - whole * P for part, whole in zip(left, total[1:], strict=True)]
    gain = np.square(reduce(np.add, deviations))  # over all classes they sum to 0, which gives the first one
    for deviation in deviations:
        gain += np.square(deviation)
    spread = P * (1 - P)
    spread[spread < ROUNDING] = np.inf
    gain /= spread
    return gain

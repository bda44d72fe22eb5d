"""The best stump for given weights: columns are sorted once, each round adds the weights up along them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from notes_lib.checks import FloatArray, IntArray
from notes_lib.trees.cart.structure import LEAF, NO_TEST, Tree

StumpCriterion = Literal["gini", "error"]
TIE = 1e-10  # scores whose relative difference is smaller count as equal
ROUNDING = 1e-15  # a side with less weight than the rounding error of a sum gains nothing
BLOCK = 32  # rows whose weights are added up before one asks whether the best cut can lie among them
MANY = 500  # rows from which on that saves time
SLACK = 1e-9  # more than the relative difference of sums in another order, and than TIE
Score = Callable[[list[FloatArray], FloatArray, FloatArray], FloatArray]


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
    column the places in front of which a threshold can be best. ``blocks`` times the weights gives their sums over each
    ``BLOCK`` places of each column; ``allowed`` (d, blocks, BLOCK) says which of these places stand in front of a cut.
    """

    rows: IntArray
    values: FloatArray
    cuts: tuple[IntArray, ...]
    blocks: csr_array
    allowed: NDArray[np.bool_]


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
    cuts = tuple(_boundaries(v, codes[r]) for v, r in zip(values, rows, strict=True))
    return SortedColumns(rows, values, cuts, *_blocks(rows, cuts))


def _blocks(rows: IntArray, cuts: tuple[IntArray, ...]) -> tuple[csr_array, NDArray[np.bool_]]:
    """Matrix that adds up the weights of each block, and the places in front of cuts; the last block is padded."""
    d, n = rows.shape
    starts = np.arange(0, n, BLOCK)
    pointers = np.append(n * np.arange(d)[:, None] + starts, n * d)
    allowed = np.zeros((d, len(starts), BLOCK), dtype=bool)
    for places, cut in zip(allowed.reshape(d, -1), cuts, strict=True):
        places[cut - 1] = True
    return csr_array((np.ones(n * d), rows.ravel(), pointers), shape=(len(pointers) - 1, n)), allowed


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
    O(d n K) time: no sorting. The Gini gain is :eq:`cart-gini-gain`. For two classes most cuts are never scored: a
    few sums bound the scores over a block of cuts.

    Examples
    --------
    >>> X, mass = np.array([[1.0], [2.0], [4.0]]), np.array([[0.3, 0.3, 0.0], [0.0, 0.0, 0.4]])
    >>> best_stump(sort_columns(X, np.array([0, 0, 1])), mass, "error")
    Stump(feature=0, threshold=3.0, below=0, above=1)
    """
    total, best, found = mass.sum(axis=1), 0.0, None
    for feature, cuts, scores in _all_scores(columns, mass, total, criterion):
        top = float(scores.max())
        if found is None or top > best * (1 + TIE):
            best, found = top, (feature, int(cuts[(scores >= top * (1 - TIE)).argmax()]))
    if found is None:
        return Stump(0, np.inf, int(total.argmax()), int(total.argmax()))
    feature, cut = found
    low, high = columns.values[feature, cut - 1 : cut + 1]
    left = mass[:, columns.rows[feature, :cut]].sum(axis=1)
    return Stump(feature, _between(low, high), int(left.argmax()), int((total - left).argmax()))


def stump_tree(columns: SortedColumns, stump: Stump, mass: FloatArray) -> Tree:
    """A stump as the tree with one test, or none, that growth by the chapter on CART would give; arguments as above.

    Examples
    --------
    >>> X, mass = np.array([[1.0], [2.0], [4.0]]), np.array([[0.3, 0.3, 0.0], [0.0, 0.0, 0.4]])
    >>> columns = sort_columns(X, np.array([0, 0, 1]))
    >>> stump_tree(columns, best_stump(columns, mass, "gini"), mass).value
    array([[0.6, 0.4],
           [1. , 0. ],
           [0. , 1. ]])
    """
    n, total, j = mass.shape[1], mass.sum(axis=1), stump.feature
    if np.isfinite(stump.threshold):
        cut = int(np.searchsorted(columns.values[j], stump.threshold, side="right"))
        left = mass.take(columns.rows[j, :cut], axis=1).cumsum(axis=1)[:, -1]  # in this order, for the sake of ties
        sides, sizes = np.array([total, left, total - left]), [n, cut, n - cut]
        tests, children = [(j, stump.threshold), (NO_TEST, NO_TEST), (NO_TEST, NO_TEST)], [(1, 2), *2 * [(LEAF, LEAF)]]
    else:
        sides, sizes, tests, children = total[None], [n], [(NO_TEST, NO_TEST)], [(LEAF, LEAF)]
    masses = np.maximum(sides, 0.0)  # a difference of sums may be slightly negative
    weight = masses.sum(axis=1)
    value = np.full(masses.shape, total / total.sum())  # also of a side whose weights have underflown
    np.divide(masses, weight[:, None], out=value, where=weight[:, None] > 0)
    feature, threshold = zip(*tests, strict=True)
    below, above = np.array(children).T.copy()
    impurity = 1 - (value**2).sum(axis=1)
    return Tree(below, above, np.array(feature), np.array(threshold, float), value, impurity, np.array(sizes), weight)


def tree_stump(tree: Tree, labels: Any) -> Stump:
    """The stump that a tree of at most one test is; ``labels`` are those of the classes.

    Examples
    --------
    >>> from notes_lib.trees.cart import DecisionTreeClassifier
    >>> tree_stump(DecisionTreeClassifier().fit([[1], [2], [4]], [5, 5, 6]).tree_, np.array(["a", "b"])).threshold
    3.0
    """
    answers = labels[tree.value.argmax(axis=1)]
    if tree.node_count == 1:
        return Stump(0, np.inf, answers[0], answers[0])
    return Stump(int(tree.feature[0]), float(tree.threshold[0]), answers[1], answers[2])


def _between(low: float, high: float) -> float:
    """The middle of two numbers, without overflow; below ``high`` also for neighbouring numbers."""
    middle = low / 2 + high / 2
    return float(middle if low <= middle < high else low)


def _all_scores(
    columns: SortedColumns, mass: FloatArray, total: FloatArray, criterion: StumpCriterion
) -> Iterator[tuple[int, IntArray, FloatArray]]:
    """Each feature that can have the best cut, its cuts that can be best, and their scores."""
    score = _error_scores if criterion == "error" else _gini_scores
    by_blocks = mass.shape[0] == 2 and mass.shape[1] >= MANY
    return (_scores_by_blocks if by_blocks else _scores_by_features)(columns, mass, total, score)


def _scores_by_features(
    columns: SortedColumns, mass: FloatArray, total: FloatArray, score: Score
) -> Iterator[tuple[int, IntArray, FloatArray]]:
    """Scores of all cuts.

    The weight of a class and that of all stand in one complex number, so that both are added up at once.
    """
    pairs = mass[1:] + 1j * mass.sum(axis=0)
    sums = np.empty(mass.shape[1], dtype=complex)  # for all features: new memory costs more than the arithmetic
    for feature, (rows, cuts) in enumerate(zip(columns.rows, columns.cuts, strict=True)):
        if len(cuts):
            left = []
            for pair in pairs:
                np.cumsum(pair.take(rows, out=sums, mode="clip"), out=sums)
                left.append(sums.take(cuts - 1))
            yield feature, cuts, score([s.real for s in left], left[0].imag.copy(), total)


def _scores_by_blocks(
    columns: SortedColumns, mass: FloatArray, total: FloatArray, score: Score
) -> Iterator[tuple[int, IntArray, FloatArray]]:
    """Scores of the cuts in those blocks in which the best one can lie, for two classes."""
    d, n = columns.rows.shape
    sums = [(columns.blocks @ m).reshape(d, -1) for m in mass]
    high = [s.cumsum(axis=1) for s in sums]
    low = [h - s for h, s in zip(high, sums, strict=True)]
    promising = _promising(low, high, columns.allowed[:, :, -1], lambda p, q: score([q], p + q, total))
    feature, block = np.nonzero(promising)
    places = np.minimum(block[:, None] * BLOCK + np.arange(BLOCK), n - 1)
    rows = columns.rows[feature[:, None], places]
    p, q = (before[promising][:, None] + m[rows].cumsum(axis=1) for before, m in zip(low, mass, strict=True))
    scores, allowed = score([q], p + q, total), columns.allowed[promising]
    for j in np.unique(feature[allowed.any(axis=1)]):
        here = allowed & (feature == j)[:, None]
        yield int(j), places[here] + 1, scores[here]


def _promising(
    low: list[FloatArray], high: list[FloatArray], allowed: NDArray[np.bool_],
    score: Callable[[FloatArray, FloatArray], FloatArray],
) -> NDArray[np.bool_]:  # fmt: skip
    """Blocks in which a cut can be as good as the best cut at the end of a block, (d, blocks).

    In a block the weights of two classes on the left stay in a rectangle from ``low`` to ``high``. A ``score`` grows
    with more weight of the class that has more than its share there, and with less of the other: it is largest where
    one class is high and the other low.
    """
    ends = score(*high)
    bounds = np.maximum.reduce([ends, score(low[0], high[1]), score(high[0], low[1])])
    return np.asarray(bounds >= ends[allowed].max(initial=0.0) * (1 - SLACK))


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

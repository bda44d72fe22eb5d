"""Steps of CART in the order of the chapter: impurity, thresholds, categories, directions, lines in the leaves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (  # fmt: skip
    FloatArray,
    IntArray,
    check_counts,
    check_data,
    check_matrix,
    check_vector,
    class_codes,
)
from notes_lib.linear.fisher_lda import fisher_direction
from notes_lib.trees.decision_tree import impurity_decrease


class Thresholds(NamedTuple):
    """Every cut of one feature: ``threshold``, the means ``left`` and ``right`` of it, and the ``loss`` (all (c,))."""

    threshold: FloatArray
    left: FloatArray
    right: FloatArray
    loss: FloatArray

    @property
    def best(self) -> int:
        """Place of the smallest loss, of equal ones the first."""
        return int(self.loss.argmin())


class CategorySplit(NamedTuple):
    """A split of categories: those that go ``left``, those that go ``right``, and the sum of squared errors."""

    left: tuple[Any, ...]
    right: tuple[Any, ...]
    loss: float


class ObliqueSplit(NamedTuple):
    """A split along a direction: ``direction`` (d,), ``threshold`` of the projection, sum of squared errors."""

    direction: FloatArray
    threshold: float
    loss: float


class LeafLines(NamedTuple):
    """A linear function in each leaf: numbers of the leaves (L,), ``coef`` (L, d), ``intercept`` (L,)."""

    leaves: IntArray
    coef: FloatArray
    intercept: FloatArray


def gini_gain(left: ArrayLike, right: ArrayLike) -> float:
    """Decrease of the Gini index by a split, :eq:`cart-gini-gain`, from the counts of the classes on both sides.

    Parameters
    ----------
    left, right : (K,) arrays
        Non-negative counts, at least one positive on each side.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the lengths differ, a side is empty, or an entry is no count.

    Examples
    --------
    >>> round(gini_gain([3, 0], [1, 4]), 12)
    0.3
    """
    sides = [check_counts(side, name) for side, name in ((left, "left"), (right, "right"))]
    if sides[0].shape != sides[1].shape or sides[0].ndim != 1:
        raise ValueError(f"left and right must be vectors of one length, got {sides[0].shape} and {sides[1].shape}.")
    if not all(side.any() for side in sides):
        raise ValueError("left and right must both hold instances: a side without any is no split.")
    return impurity_decrease(np.stack(sides), "gini")


def threshold_losses(x: ArrayLike, y: ArrayLike) -> Thresholds:
    """Sum of squared errors after each cut of one feature, :eq:`cart-loss`, with the mean on each side.

    Parameters
    ----------
    x : (n,) array
        At least two different values.
    y : (n,) array
        Numbers; two classes as 0 and 1 give half the Gini index times n.

    Returns
    -------
    Thresholds
        In increasing order; thresholds are midpoints of neighbouring values.

    Raises
    ------
    ValueError
        If the lengths differ, an entry is not finite, or all of ``x`` is equal.

    Examples
    --------
    >>> threshold_losses([1, 2, 3], [5, 6, 10])
    Thresholds(threshold=array([1.5, 2.5]), left=array([5. , 5.5]), right=array([ 8., 10.]), loss=array([8. , 0.5]))
    """
    x = check_vector(x, "x")
    y = check_vector(y, "y", len(x))
    values, group = np.unique(x, return_inverse=True)
    if len(values) < 2:
        raise ValueError("x must hold at least two different values: a constant feature cannot be split.")
    center = y.mean()  # so that few digits cancel
    sums, counts = np.bincount(group, y - center), np.bincount(group)
    left, n_left = np.cumsum(sums)[:-1], np.cumsum(counts)[:-1]
    right, n_right = sums.sum() - left, len(y) - n_left
    loss = ((y - center) ** 2).sum() - left**2 / n_left - right**2 / n_right
    return Thresholds(
        (values[:-1] + values[1:]) / 2, center + left / n_left, center + right / n_right, np.maximum(loss, 0.0)
    )


def category_split(x: ArrayLike, y: ArrayLike) -> CategorySplit:
    """Best split of categories into two sets, found among the cuts of their order by mean, :eq:`cart-categories`.

    Parameters
    ----------
    x : (n,) array
        Categories of any type, at least two.
    y : (n,) array
        Numbers, or two classes as 0 and 1.

    Returns
    -------
    CategorySplit
        The categories with the smaller means go left.

    Raises
    ------
    ValueError
        If the lengths differ, a target is not finite, or there is one category.

    Examples
    --------
    >>> category_split(["a", "b", "c", "a", "b", "c"], [0, 1, 0, 0, 1, 1])
    CategorySplit(left=(np.str_('a'),), right=(np.str_('c'), np.str_('b')), loss=0.75)
    """
    names, codes = np.unique(np.asarray(x), return_inverse=True)
    y = check_vector(y, "y", len(codes))
    if len(names) < 2:
        raise ValueError(f"x must hold at least two categories, got only {names[0]}.")
    means = np.bincount(codes, y) / np.bincount(codes)
    order = np.argsort(means, kind="stable")
    cuts = threshold_losses(np.argsort(order)[codes], y)
    k = cuts.best + 1
    return CategorySplit(tuple(names[order[:k]]), tuple(names[order[k:]]), float(cuts.loss[cuts.best]))


def oblique_split(X: ArrayLike, y: ArrayLike) -> ObliqueSplit:
    """Split two classes along Fisher's direction :eq:`cart-oblique` by the best threshold of the projection.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Two classes.

    Returns
    -------
    ObliqueSplit

    Raises
    ------
    ValueError
        As in :func:`notes_lib.linear.fisher_lda.fisher_direction`.

    Notes
    -----
    The best direction of all would need a search over directions; this one comes from a linear system.

    Examples
    --------
    >>> split = oblique_split([[0, 0], [2, 2], [1, 0], [3, 2], [0, 1], [2, 3]], [0, 0, 0, 0, 1, 1])
    >>> round(split.loss, 12)
    0.0
    """
    direction = fisher_direction(X, y)
    cuts = threshold_losses(check_matrix(X, "X") @ direction, class_codes(y)[1])
    return ObliqueSplit(direction, float(cuts.threshold[cuts.best]), float(cuts.loss[cuts.best]))


def fit_leaf_lines(leaf: ArrayLike, X: ArrayLike, y: ArrayLike) -> LeafLines:
    """Fit a linear function by least squares in each leaf, :eq:`cart-leaf-line`.

    Parameters
    ----------
    leaf : (n,) array of int
        Leaf of each row, as ``apply`` of an estimator gives it.
    X : (n, d) array
    y : (n,) array

    Returns
    -------
    LeafLines
        Of several solutions in a leaf the one with the smallest coefficients; the intercept is not counted.

    Raises
    ------
    ValueError
        If the lengths differ or an entry is not finite.

    Examples
    --------
    >>> lines = fit_leaf_lines([1, 1, 2, 2], [[0], [1], [2], [3]], [0, 2, 5, 4])
    >>> predict_leaf_lines(lines, [1, 2], [[0.5], [2.5]]).round(12)
    array([1. , 4.5])
    """
    X, y = check_data(X, y)
    numbers, codes = np.unique(np.asarray(leaf), return_inverse=True)
    if np.shape(leaf) != y.shape:
        raise ValueError(f"leaf must have {len(y)} entries as y has, got shape {np.shape(leaf)}.")
    coef, intercept = np.zeros((len(numbers), X.shape[1])), np.zeros(len(numbers))
    for k in range(len(numbers)):
        here = codes == k
        center, level = X[here].mean(axis=0), y[here].mean()
        coef[k] = np.linalg.lstsq(X[here] - center, y[here] - level, rcond=None)[0]
        intercept[k] = level - center @ coef[k]
    return LeafLines(numbers, coef, intercept)


def predict_leaf_lines(lines: LeafLines, leaf: ArrayLike, X: ArrayLike) -> FloatArray:
    """Values of the linear functions of the leaves.

    Parameters
    ----------
    lines : LeafLines
    leaf : (n,) array of int
    X : (n, d) array

    Returns
    -------
    (n,) array

    Raises
    ------
    ValueError
        If a leaf has no line, or the lengths differ.

    Examples
    --------
    >>> predict_leaf_lines(fit_leaf_lines([0, 0], [[0], [1]], [1, 3]), [0], [[2]]).round(12)
    array([5.])
    """
    X, leaf = check_matrix(X, "X"), np.asarray(leaf)
    if leaf.shape != (len(X),) or not np.isin(leaf, lines.leaves).all():
        raise ValueError("leaf must hold the number of a leaf with a line for each row of X.")
    k = np.searchsorted(lines.leaves, leaf)
    return np.einsum("ij,ij->i", X, lines.coef[k]) + lines.intercept[k]

"""Impurity, its decrease by a split, the gain ratio and the thresholds of a number, as in the chapter."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_choice, check_distribution, check_numbers
from notes_lib.foundations.information import entropy


def gini(p: ArrayLike) -> float | FloatArray:
    """Probability that two draws from a distribution differ; :eq:`decision-tree-gini`, :eq:`cart-gini`.

    Parameters
    ----------
    p : (..., K) array
        Probabilities along the last axis.

    Returns
    -------
    float or (...) array
        From 0 to ``1 - 1 / K``.

    Raises
    ------
    ValueError
        If ``p`` is not a distribution.

    Examples
    --------
    >>> gini([0.5, 0.25, 0.25])
    0.625
    """
    P = check_distribution(p, "p")
    return _measure(1 - (P * P).sum(axis=-1))  # decision-tree-gini


def misclassification(p: ArrayLike) -> float | FloatArray:
    """Error of the most probable class, or of that of each row; :eq:`decision-tree-misclassification`.

    Parameters
    ----------
    p : (K,) or (n, K) array
        Probabilities along the last axis.

    Returns
    -------
    float, or (n,) array
        From 0 to ``1 - 1 / K``.

    Raises
    ------
    ValueError
        If ``p`` is not a distribution.

    Examples
    --------
    >>> misclassification([0.5, 0.25, 0.25])
    0.5
    """
    return _measure(1 - check_distribution(p, "p").max(axis=-1))  # decision-tree-misclassification


#: The three impurities by name; entropy in bits.
IMPURITIES: dict[str, Callable[[ArrayLike], Any]] = {
    "entropy": partial(entropy, base=2),
    "gini": gini,
    "misclassification": misclassification,
}


def impurity_after(counts: ArrayLike, criterion: str = "entropy") -> float:
    """Mean impurity of the branches, weighted by their sizes; :eq:`decision-tree-after`.

    Parameters
    ----------
    counts : (r, K) array
        Instances (or weights) of each class in each branch; an empty branch is allowed and counts nothing.
    criterion : {"entropy", "gini", "misclassification"}
        Entropy is in bits.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If ``counts`` is no table of counts with a positive sum, or the criterion is unknown.

    Examples
    --------
    >>> impurity_after([[4, 0], [2, 2]])
    0.5
    """
    table, measure = _table(counts), _measure_named(criterion)
    sizes = table.sum(axis=1)
    impurities = measure(table / sizes[:, None])
    return float(sizes @ impurities / sizes.sum())  # decision-tree-after


def impurity_decrease(counts: ArrayLike, criterion: str = "entropy") -> float:
    """What a split takes off the impurity; with entropy the information gain; :eq:`decision-tree-gain`.

    Parameters
    ----------
    counts, criterion
        As in :func:`impurity_after`.

    Returns
    -------
    float
        Not negative, as every impurity here is concave. What rounding puts below 0 is set to 0.

    Raises
    ------
    TypeError, ValueError
        As :func:`impurity_after`.

    Examples
    --------
    >>> impurity_decrease([[2, 0], [0, 2]])
    1.0
    """
    total = _table(counts).sum(axis=0)
    before = IMPURITIES[_known(criterion)](total / total.sum())
    return max(0.0, float(before) - impurity_after(counts, criterion))  # decision-tree-gain


def intrinsic_value(sizes: ArrayLike) -> float:
    """Entropy, in bits, of the sizes of the branches (the *split information*); :eq:`decision-tree-intrinsic`.

    Parameters
    ----------
    sizes : (r,) array
        Instances in each branch.

    Returns
    -------
    float
        From 0 to ``log2 r``.

    Raises
    ------
    TypeError, ValueError
        If ``sizes`` holds no counts with a positive sum.

    Examples
    --------
    >>> intrinsic_value([2, 1, 1])
    1.5
    """
    n = _table(np.reshape(np.asarray(sizes), (-1, 1)), "sizes").ravel()
    return float(entropy(n / n.sum(), base=2))  # decision-tree-intrinsic


def gain_ratio(counts: ArrayLike) -> float:
    """Information gain over intrinsic value; :eq:`decision-tree-ratio`.

    Parameters
    ----------
    counts : (r, K) array
        As in :func:`impurity_after`.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As :func:`impurity_after`; fewer than two branches with instances, where the ratio is 0 / 0.

    Examples
    --------
    >>> gain_ratio([[2, 0], [0, 1], [0, 1]])
    0.6666666666666666
    """
    table = _table(counts)
    if len(table) < 2:
        raise ValueError("counts must have two branches with instances, else the ratio is 0 / 0: leave this split out.")
    return impurity_decrease(table) / intrinsic_value(table.sum(axis=1))  # decision-tree-ratio


def boundary_thresholds(x: ArrayLike, y: ArrayLike) -> FloatArray:
    """Thresholds between neighbouring values that are not of one and the same class; :eq:`decision-tree-boundary`.

    Parameters
    ----------
    x : (n,) array
        Finite numbers.
    y : (n,) array
        Labels of any type that can be sorted.

    Returns
    -------
    (m,) array
        Midpoints in increasing order; a best threshold is among them. Empty where all rows have one class or one value.

    Raises
    ------
    TypeError, ValueError
        If x and y are not columns of one length, or x holds something that is no finite number.

    Notes
    -----
    O(n log n) time. Source: Fayyad and Irani (1992), Machine Learning 8, 87-102.

    Examples
    --------
    >>> boundary_thresholds([1, 2, 3, 4], ["no", "no", "yes", "yes"])
    array([2.5])
    """
    values, table = _value_table(x, y, None)
    return midpoints(values)[_is_boundary(table)]


def best_threshold(
    x: ArrayLike, y: ArrayLike, criterion: str = "entropy", weights: ArrayLike | None = None
) -> tuple[float, float]:
    """Threshold of the largest decrease of the impurity, and this decrease.

    Parameters
    ----------
    x, y : (n,) arrays
        As in :func:`boundary_thresholds`.
    criterion : {"entropy", "gini", "misclassification"}
    weights : (n,) array or None
        Positive weights of the rows.

    Returns
    -------
    threshold : float
        The smallest one in a tie; NaN where there is none (one value or one class).
    decrease : float

    Raises
    ------
    TypeError, ValueError
        As :func:`boundary_thresholds`; unknown criterion.

    Examples
    --------
    >>> best_threshold([1, 2, 3, 4], [0, 0, 1, 1])
    (2.5, 1.0)
    """
    measure = _measure_named(criterion)
    values, table = _value_table(x, y, weights)
    cuts = np.flatnonzero(_is_boundary(table))
    if not cuts.size:
        return float("nan"), 0.0
    left, total = table.cumsum(axis=0)[cuts], table.sum(axis=0)
    right = np.maximum(total - left, 0.0)  # weights may round to just below
    after = sum(part.sum(axis=1) * measure(part / part.sum(axis=1, keepdims=True)) for part in (left, right))
    decrease = float(measure(total / total.sum())) - after / total.sum()
    best = int((decrease >= decrease.max() - 1e-12).argmax())  # equal up to rounding: the first
    return float(midpoints(values)[cuts[best]]), max(0.0, float(decrease[best]))


def midpoints(values: FloatArray) -> FloatArray:
    """Numbers t with a <= t < b for neighbours a, b: their middle, or a where rounding makes the middle b."""
    a, b = values[:-1], values[1:]
    middle = a / 2 + b / 2
    return np.where(middle < b, middle, a)


def _value_table(x: ArrayLike, y: ArrayLike, weights: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    """Different values in increasing order, and the weight of each class at each of them."""
    x, y = check_numbers(x, "x"), np.asarray(y)
    if x.ndim != 1 or x.shape != y.shape or not x.size:
        raise ValueError(f"x and y must be columns of one length with at least one row, got {x.shape} and {y.shape}.")
    values, rows = np.unique(x, return_inverse=True)
    classes, columns = np.unique(y, return_inverse=True)
    cells = np.bincount(rows * len(classes) + columns, weights, len(values) * len(classes))
    return values, cells.reshape(len(values), len(classes)).astype(float)


def _is_boundary(table: FloatArray) -> Any:
    """Whether the rows of two neighbouring values are not all of one class; :eq:`decision-tree-boundary`."""
    pairs = (table[:-1] > 0) | (table[1:] > 0)
    return pairs.sum(axis=1) > 1  # decision-tree-boundary


def _table(counts: ArrayLike, name: str = "counts") -> FloatArray:
    """A table of counts without its empty rows."""
    table = check_numbers(counts, name)
    if table.ndim != 2 or (table < 0).any() or not table.sum() > 0:
        raise ValueError(f"{name} must be non-negative with a positive sum, one row for each branch.")
    return table[table.sum(axis=1) > 0]


def _known(criterion: str) -> str:
    check_choice(criterion, "criterion", tuple(IMPURITIES))
    return criterion


def _measure_named(criterion: str) -> Callable[[ArrayLike], Any]:
    return IMPURITIES[_known(criterion)]


def _measure(values: Any) -> Any:
    """A float if it is one number; never below 0."""
    result = np.maximum(values, 0.0)
    return result if np.ndim(result) else float(result)

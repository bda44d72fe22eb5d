"""Steps of gradient boosting in the order of the chapter: residuals, leaf values, gain, partial dependence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_numbers, check_real, check_vector
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.trees.gradient_boosting.losses import loss_of


class DependenceCurves(NamedTuple):
    """Mean prediction ``average`` (g,) along a ``grid`` (g,) of one feature, and the curves ``individual`` (n, g)."""

    grid: FloatArray
    average: FloatArray
    individual: FloatArray


def _column(y: ArrayLike, score: ArrayLike) -> tuple[FloatArray, FloatArray]:
    y = check_vector(y, "y")
    return y, check_vector(score, "score", len(y))[:, None]


def pseudo_residuals(loss: str, y: ArrayLike, score: ArrayLike, alpha: float = 0.9) -> FloatArray:
    """Negative derivative of the loss by each score, :eq:`gradient-boosting-residual`.

    Parameters
    ----------
    loss : {"squared_error", "absolute_error", "huber", "logistic"}
    y : (n,) array
        Numbers, or 0 and 1 for "logistic".
    score : (n,) array
    alpha : float
        Level of the border of Huber's loss.

    Returns
    -------
    (n,) array

    Raises
    ------
    TypeError, ValueError
        Unknown loss, lengths that differ, entries that are not finite.

    Examples
    --------
    >>> pseudo_residuals("logistic", [1, 0], [0.0, 0.0])
    array([ 0.5, -0.5])
    """
    y, F = _column(y, score)
    return loss_of(loss, alpha).residual(y, F, np.ones(len(y)))[:, 0]


def leaf_value(
    loss: str, y: ArrayLike, score: ArrayLike, sample_weight: ArrayLike | None = None, alpha: float = 0.9
) -> float:
    """Value of one leaf by the line search :eq:`gradient-boosting-leaf`; one step for "logistic" and "huber".

    These are :eq:`gradient-boosting-logistic` and :eq:`gradient-boosting-huber`, here with the border of the leaf's own
    residuals.

    Parameters
    ----------
    loss, y, score, alpha
        As in :func:`pseudo_residuals`; the instances of the leaf.
    sample_weight : (n,) array, optional

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        As in :func:`pseudo_residuals`; weights that are negative or all 0.

    Examples
    --------
    >>> leaf_value("squared_error", [1, 2, 6], [0, 0, 0]), leaf_value("absolute_error", [1, 2, 6], [0, 0, 0])
    (3.0, 2.0)
    """
    y, F = _column(y, score)
    w, found = check_weights(sample_weight, len(y)), loss_of(loss, alpha)
    R = found.residual(y, F, w)
    return float(found.leaf_values(y, F, R, w, 0, np.zeros(len(y), dtype=np.intp), 1)[0])


def second_order_value(G: ArrayLike, H: ArrayLike, reg_lambda: float = 0.0) -> FloatArray:
    """Best value of a leaf under the second-order objective, :eq:`gradient-boosting-value`.

    Parameters
    ----------
    G, H : array
        Sums of the first and second derivatives of the loss over the leaf.
    reg_lambda : float
        Penalty on squared values.

    Returns
    -------
    array of the same shape
        0 where ``H + reg_lambda`` is not positive: there the objective has no smallest value, or a constant one.

    Raises
    ------
    TypeError, ValueError
        If an entry is no finite number, or ``reg_lambda`` is negative.

    Examples
    --------
    >>> second_order_value(-4.0, 3.0, reg_lambda=1.0)
    np.float64(1.0)
    """
    G, below = check_numbers(G, "G"), check_numbers(H, "H") + check_real(reg_lambda, "reg_lambda")
    return np.divide(-G, below, out=np.zeros(np.broadcast_shapes(G.shape, below.shape)), where=below > 0) + 0.0


def second_order_score(G: Any, H: Any, reg_lambda: float = 0.0) -> Any:
    """Twice what the best value of a leaf takes off the second-order objective; elementwise, no checks.

    Examples
    --------
    >>> second_order_score(-4.0, 3.0, reg_lambda=1.0)
    4.0
    """
    return G * G / (H + reg_lambda if reg_lambda else H)


def second_order_gain(
    G_left: Any, H_left: Any, G_right: Any, H_right: Any, reg_lambda: float = 0.0, gamma: float = 0.0
) -> Any:  # fmt: skip
    """By how much a split lowers the second-order objective, :eq:`gradient-boosting-gain`; elementwise, no checks.

    Parameters
    ----------
    G_left, H_left, G_right, H_right : float or array
        Sums of first and second derivatives on both sides; ``H + reg_lambda`` positive.
    reg_lambda, gamma : float
        Penalty on squared leaf values, and for each leaf.

    Examples
    --------
    >>> second_order_gain(-2.0, 1.0, 2.0, 1.0, reg_lambda=1.0, gamma=0.5)
    1.5
    """
    children = second_order_score(G_left, H_left, reg_lambda) + second_order_score(G_right, H_right, reg_lambda)
    return (children - second_order_score(G_left + G_right, H_left + H_right, reg_lambda)) / 2 - gamma


def dependence_curves(
    predict: Callable[[FloatArray], ArrayLike], X: ArrayLike, feature: int, grid: ArrayLike
) -> DependenceCurves:
    """Mean prediction when one feature is set to each value of a grid in every row, :eq:`gradient-boosting-dependence`.

    Parameters
    ----------
    predict : callable
        Maps an (n, d) array to (n,) numbers.
    X : (n, d) array
    feature : int
        Number of the column, from 0.
    grid : (g,) array

    Returns
    -------
    DependenceCurves
        Its ``individual`` curves, one for each row, show effects that the mean hides.

    Raises
    ------
    TypeError, ValueError
        Bad data, or a column that does not exist.

    Notes
    -----
    O(g) predictions of n rows. With correlated features some rows lie where there are no data. For an estimator, and
    for several features, there is :func:`notes_lib.trees.gradient_boosting.partial_dependence`.

    Examples
    --------
    >>> dependence_curves(lambda X: X[:, 0] * X[:, 1], [[1.0, 1.0], [0.0, 3.0]], 0, [1.0, 2.0]).average
    array([2., 4.])
    """
    X, grid = check_matrix(X, "X"), check_vector(grid, "grid")
    if check_integer(feature, "feature", 0) >= X.shape[1]:
        raise ValueError(f"feature must be a column from 0 to {X.shape[1] - 1}, got {feature}.")
    curves = np.empty((len(X), len(grid)))
    for i, value in enumerate(grid):
        moved = X.copy()
        moved[:, feature] = value
        curves[:, i] = predict(moved)
    return DependenceCurves(grid, curves.mean(axis=0), curves)

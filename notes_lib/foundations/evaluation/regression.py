"""Evaluation of predicted numbers: mean squared and absolute error, share of explained variance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.foundations.evaluation.checks import numbers


def _target_and_residual(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[FloatArray, FloatArray]:
    target, prediction = numbers(y_true, "y_true"), numbers(y_pred, "y_pred")
    if len(target) != len(prediction):
        raise ValueError(f"y_true and y_pred must have one length, got {len(target)} and {len(prediction)}.")
    return target, target - prediction


def mean_squared_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean of the squared residuals, in squared units of the target; :eq:`evaluation-mse`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Targets and predictions, finite; one target an instance.

    Returns
    -------
    float
        Divisor n.

    Raises
    ------
    ValueError
        If a vector is empty, is not a vector or holds NaN or infinity, or the lengths differ.

    Examples
    --------
    >>> mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.375
    """
    _, residual = _target_and_residual(y_true, y_pred)
    return float(np.mean(residual**2))  # evaluation-mse


def mean_absolute_error(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean of the absolute residuals, in units of the target; :eq:`evaluation-mae`.

    Parameters, returned value and errors as in :func:`mean_squared_error`.

    Examples
    --------
    >>> mean_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    _, residual = _target_and_residual(y_true, y_pred)
    return float(np.mean(np.abs(residual)))  # evaluation-mae


def r2_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """1 less the squared error over that of the constant mean of ``y_true``; :eq:`evaluation-r2`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        As in :func:`mean_squared_error`.

    Returns
    -------
    float
        1 for a perfect prediction, 0 for the mean, negative for anything worse.

    Raises
    ------
    ValueError
        As in :func:`mean_squared_error`; also if ``y_true`` is constant (as a single instance is): the quotient then
        has no denominator. scikit-learn returns 0, 1 or NaN there.

    Examples
    --------
    >>> round(r2_score([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]), 4)
    0.9486
    """
    target, residual = _target_and_residual(y_true, y_pred)
    if np.ptp(target) == 0:
        raise ValueError("y_true is constant, so R^2 is not defined: give more instances, or use mean_squared_error.")
    deviation = target - target.mean()
    unit = np.abs(deviation).max()  # squares of 1e-200 or 1e200 would leave the range of floats
    residual, deviation = residual / unit, deviation / unit
    return float(1 - residual @ residual / (deviation @ deviation))  # evaluation-r2

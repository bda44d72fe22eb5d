"""Evaluation of predicted numbers: mean squared and absolute error, share of explained variance."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_vector
from notes_lib.foundations.evaluation.checks import Array, check_weights, outputs

Combine = str | ArrayLike  # values of ``multioutput``


class _Residuals(NamedTuple):
    """Targets and residuals, a row for each output, and the weights of the instances, without those of weight 0."""

    target: FloatArray
    residual: FloatArray
    weights: Array | None


def _residuals(y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None) -> _Residuals:
    target, prediction = outputs(y_true, "y_true"), outputs(y_pred, "y_pred")
    for axis, what in ((1, "length"), (0, "number of columns")):
        sizes = target.shape[axis], prediction.shape[axis]
        if sizes[0] != sizes[1]:
            raise ValueError(f"y_true and y_pred must have one {what}, got {sizes[0]} and {sizes[1]}.")
    w = check_weights(sample_weight, target.shape[1])
    if w is not None:
        target, prediction, w = target[:, w > 0], prediction[:, w > 0], w[w > 0]
    return _Residuals(target, target - prediction, w)


def _mean(values: FloatArray, weights: Array | None) -> FloatArray:
    """Mean over the instances, for each row."""
    return values.mean(axis=1) if weights is None else values @ weights / weights.sum()


def _combine(scores: FloatArray, multioutput: Combine) -> Any:
    """One number from the scores (m,) of the outputs, or these themselves."""
    if isinstance(multioutput, str):
        if multioutput == "raw_values":
            return scores
        if multioutput == "uniform_average":
            return float(scores.mean())
        raise ValueError(
            "multioutput must be 'raw_values', 'uniform_average' or an array of weights (r2_score also takes "
            f"'variance_weighted'), got {multioutput!r}."
        )
    w = check_weights(check_vector(multioutput, "multioutput", len(scores)), len(scores), "multioutput")
    return float(np.average(scores, weights=w))


def mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Combine = "uniform_average",
) -> Any:
    """Mean of the squared residuals, in squared units of the target; :eq:`evaluation-mse`.

    Parameters
    ----------
    y_true, y_pred : (n,) or (n, m) arrays
        Targets and predictions, finite; m outputs are m columns.
    sample_weight : (n,) array or None
        What each instance counts, as in :func:`confusion_matrix`.
    multioutput : {'raw_values', 'uniform_average'} or (m,) array
        The array of the errors of the outputs, their plain mean, or their mean with these weights, not negative.

    Returns
    -------
    float, or (m,) array for 'raw_values'
        Divisor n, or the sum of the weights.

    Raises
    ------
    ValueError
        If an array is empty, is no vector or matrix or holds NaN or infinity; if the shapes differ; if
        ``sample_weight`` or ``multioutput`` is not as above.

    Examples
    --------
    >>> mean_squared_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.375
    >>> mean_squared_error([[0, 1], [0, 1]], [[2, 1], [0, 2]], multioutput="raw_values")
    array([2. , 0.5])
    """
    _, residual, w = _residuals(y_true, y_pred, sample_weight)
    return _combine(_mean(residual**2, w), multioutput)  # evaluation-mse


def mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Combine = "uniform_average",
) -> Any:
    """Mean of the absolute residuals, in units of the target; :eq:`evaluation-mae`.

    Parameters, returned value and errors as in :func:`mean_squared_error`.

    Examples
    --------
    >>> mean_absolute_error([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
    0.5
    """
    _, residual, w = _residuals(y_true, y_pred, sample_weight)
    return _combine(_mean(np.abs(residual), w), multioutput)  # evaluation-mae


def r2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    multioutput: Combine = "uniform_average",
) -> Any:
    """1 less the squared error over that of the constant mean of ``y_true``; :eq:`evaluation-r2`.

    Parameters
    ----------
    y_true, y_pred, sample_weight
        As in :func:`mean_squared_error`; the mean is weighted, too.
    multioutput : {'raw_values', 'uniform_average', 'variance_weighted'} or (m,) array
        As in :func:`mean_squared_error`; 'variance_weighted' weights by the variances of the targets.

    Returns
    -------
    float, or (m,) array for 'raw_values'
        1 for a perfect prediction, 0 for the mean, negative for anything worse.

    Raises
    ------
    ValueError
        As in :func:`mean_squared_error`; also if a column of ``y_true`` is constant (as a single instance is): the
        quotient then has no denominator. scikit-learn returns 0, 1 or NaN there.

    Examples
    --------
    >>> round(r2_score([3, -0.5, 2, 7], [2.5, 0.0, 2, 8]), 4)
    0.9486
    """
    target, residual, w = _residuals(y_true, y_pred, sample_weight)
    if (np.ptp(target, axis=1) == 0).any():
        raise ValueError("y_true is constant, so R^2 is not defined: give more instances, or use mean_squared_error.")
    deviation = target - _mean(target, w)[:, None]
    unit = np.abs(deviation).max(axis=1)  # squares of 1e-200 or 1e200 would leave the range of floats
    error, variance = (_mean((a / unit[:, None]) ** 2, w) for a in (residual, deviation))
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        multioutput = variance * (unit / unit.max()) ** 2
    return _combine(1 - error / variance, multioutput)  # evaluation-r2

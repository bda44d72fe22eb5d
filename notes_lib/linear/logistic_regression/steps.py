"""Logistic regression step by step: objective, gradient, Hessian, Newton step, proximal step, odds ratios.

All functions take labels 0 and 1, and rows to which a column of ones has been added where the model has an intercept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, ndtr, ndtri

from notes_lib.checks import FloatArray, check_positive, check_real, check_vector
from notes_lib.foundations.inference import standard_errors
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.linear.logistic_regression.checks import penalties, problem
from notes_lib.linear.regularization import soft_threshold


class WorkingResponse(NamedTuple):
    """Result of :func:`working_response`: ``weights`` (n,) and ``response`` (n,) of a least-squares problem."""

    weights: FloatArray
    response: FloatArray


class CoefficientTable(NamedTuple):
    """Result of :func:`coefficient_table`; every entry is a (d,) array.

    ``low`` and ``high`` are the ends of the confidence interval of ``odds_ratio``.
    """

    coef: FloatArray
    standard_error: FloatArray
    z: FloatArray
    p_value: FloatArray
    odds_ratio: FloatArray
    low: FloatArray
    high: FloatArray


def logistic_objective(w: ArrayLike, X: ArrayLike, y: ArrayLike, penalty: ArrayLike = 0.0) -> float:
    """Negative log-likelihood plus half the penalised squares; :eq:`logistic-regression-objective`.

    Parameters
    ----------
    w : (d,) array
    X : (n, d) array
    y : (n,) array
        0 or 1.
    penalty : float or (d,) array
        Not negative: the factor of ``w_j**2 / 2``; 0 for the intercept.

    Returns
    -------
    float
        In nats, summed over the data; never overflows for finite scores.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, a label is not 0 or 1, or a penalty is negative.

    Examples
    --------
    >>> round(logistic_objective([0.0], [[1.0], [2.0]], [0, 1]), 4)  # 2 log 2
    1.3863
    """
    w, X, y, penalty = problem(w, X, y, penalty)
    z = X @ w
    return float(np.logaddexp(0.0, z).sum() - y @ z + 0.5 * penalty @ w**2)  # logistic-regression-objective


def logistic_gradient(w: ArrayLike, X: ArrayLike, y: ArrayLike, penalty: ArrayLike = 0.0) -> FloatArray:
    """Gradient (d,) of :func:`logistic_objective`: prediction less label; :eq:`logistic-regression-gradient`.

    Arguments and errors as there.

    Examples
    --------
    >>> logistic_gradient([0.0], [[1.0], [2.0]], [0, 1])
    array([-0.5])
    """
    w, X, y, penalty = problem(w, X, y, penalty)
    return X.T @ (expit(X @ w) - y) + penalty * w  # logistic-regression-gradient


def logistic_hessian(w: ArrayLike, X: ArrayLike, penalty: ArrayLike = 0.0) -> FloatArray:
    """Hessian (d, d) of :func:`logistic_objective`, never indefinite; :eq:`logistic-regression-hessian`.

    Arguments and errors as there. Without a penalty it is also the observed and the Fisher information of all data.

    Examples
    --------
    >>> logistic_hessian([0.0], [[1.0], [2.0]])
    array([[1.25]])
    """
    w, X, _, penalty = problem(w, X, np.zeros(len(np.asarray(X))), penalty)
    W = expit(X @ w) * expit(-(X @ w))  # not p (1 - p), which is 0 as soon as p rounds to 1
    return (X.T * W) @ X + np.diag(penalty)  # logistic-regression-hessian


def newton_step(w: ArrayLike, X: ArrayLike, y: ArrayLike, penalty: ArrayLike = 0.0) -> FloatArray:
    """Weights (d,) after one full Newton step; :eq:`logistic-regression-newton`.

    Arguments as in :func:`logistic_objective`.

    Raises
    ------
    ValueError
        As there; also if the Hessian is singular: dependent columns without a penalty, or weights so large that all
        probabilities are 0 or 1.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> newton_step([0.0], [[1.0], [2.0]], [0, 1])
    array([0.4])
    """
    gradient, hessian = logistic_gradient(w, X, y, penalty), logistic_hessian(w, X, penalty)
    return np.asarray(w, dtype=float) - cholesky_solve(hessian, gradient)  # logistic-regression-newton


def working_response(w: ArrayLike, X: ArrayLike, y: ArrayLike) -> WorkingResponse:
    """Weights and targets of the least-squares problem that a Newton step solves; :eq:`logistic-regression-irls`.

    Arguments and errors as in :func:`logistic_objective`.

    Examples
    --------
    >>> working_response([0.0], [[1.0], [2.0]], [0, 1]).response
    array([-2.,  2.])
    """
    w, X, y, _ = problem(w, X, y, 0.0)
    z = X @ w
    W = expit(z) * expit(-z)
    return WorkingResponse(W, z + (y - expit(z)) / W)  # logistic-regression-irls


def proximal_step(w: ArrayLike, X: ArrayLike, y: ArrayLike, l1: ArrayLike, step: float) -> FloatArray:
    """One gradient step, then each weight pulled towards 0 by ``step * l1``; :eq:`logistic-regression-proximal`.

    The pull is :func:`~notes_lib.linear.regularization.soft_threshold`.

    Parameters
    ----------
    w, X, y
        As in :func:`logistic_objective`.
    l1 : float or (d,) array
        Not negative: the factor of ``|w_j|`` in the objective; 0 for the intercept.
    step : float
        Positive; with at most 4 / lambda_max(X'X) the objective never rises.

    Returns
    -------
    (d,) array

    Raises
    ------
    TypeError, ValueError
        As there; also if ``step`` is not positive.

    Examples
    --------
    >>> proximal_step([0.0], [[1.0], [2.0]], [0, 1], l1=0.2, step=1.0)
    array([0.3])
    """
    w, X, y, l1 = problem(w, X, y, l1)
    u = w - check_positive(step, "step") * logistic_gradient(w, X, y)
    return soft_threshold(u, step * l1)  # logistic-regression-proximal


def coefficient_table(w: ArrayLike, X: ArrayLike, level: float = 0.95, penalty: ArrayLike = 0.0) -> CoefficientTable:
    """Standard errors, Wald tests and odds ratios of estimated weights; :eq:`logistic-regression-wald`.

    Parameters
    ----------
    w : (d,) array
        Maximum-likelihood estimate.
    X : (n, d) array
        The rows it was estimated from, with the column of ones.
    level : float
        Of the confidence intervals, between 0 and 1.
    penalty : float or (d,) array
        Curvature that a penalty adds. Penalised weights are biased, and the table then describes a posterior
        (Laplace's approximation with a Gaussian prior), not the sampling of an estimate.

    Returns
    -------
    CoefficientTable
        ``odds_ratio`` is ``exp(w)``: the factor on the odds for one unit more of the column.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, the information is singular, or ``level`` is not between 0 and 1.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> table = coefficient_table([0.0], [[2.0], [4.0]])  # information 20 / 4
    >>> table.standard_error.round(4), table.high.round(3)
    (array([0.4472]), array([2.403]))
    """
    w = check_vector(w, "w")
    if not 0 < check_real(level, "level") < 1:
        raise ValueError(f"level must be between 0 and 1, got {level}.")
    se = standard_errors(logistic_hessian(w, X, penalties(penalty, len(w))))
    z, half = w / se, float(ndtri((1 + level) / 2)) * se
    return CoefficientTable(w, se, z, 2 * ndtr(-np.abs(z)), np.exp(w), np.exp(w - half), np.exp(w + half))

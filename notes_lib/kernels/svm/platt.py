"""Probabilities from scores: a sigmoid with two parameters, fitted to held-out scores by maximum likelihood.

Source: Platt (2000), Advances in Large Margin Classifiers, 61-74, for the model and its targets; Lin, Lin and Weng
(2007), Machine Learning 68, 267-276, for the form of the loss that does not overflow and for Newton's method.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from notes_lib.checks import FloatArray, check_numbers, check_signs
from notes_lib.foundations.descent import newton


class PlattSigmoid(NamedTuple):
    """Result of :func:`platt_scaling`: slope ``A``, negative if larger scores mean class 1, and offset ``B``."""

    A: float
    B: float


def platt_scaling(scores: ArrayLike, y: ArrayLike) -> PlattSigmoid:
    """Parameters of ``P(y = 1 | f) = 1 / (1 + exp(A f + B))``; :eq:`svm-platt`, :eq:`svm-platt-loss`.

    Parameters
    ----------
    scores : (n,) array
        Scores f of rows that the machine was *not* trained on; scores of training rows lie too far out.
    y : (n,) array
        -1 and 1, the labels of these rows.

    Returns
    -------
    PlattSigmoid

    Raises
    ------
    ValueError
        If a shape does not fit, a score is not finite, all scores are equal (or their squares overflow or underflow),
        or y does not hold both -1 and 1.

    Notes
    -----
    Newton's method on a strictly convex loss: O(n) time a step, usually below ten steps. The targets of
    :eq:`svm-platt-targets` keep A and B finite where the scores separate the classes.

    Examples
    --------
    >>> found = platt_scaling([-1.0, 1.0], [-1, 1])  # targets 1/3 and 2/3: A = -log 2
    >>> round(found.A, 4), round(found.B, 4) + 0.0
    (-0.6931, 0.0)
    """
    f, y = np.asarray(scores, dtype=float), check_signs(y)
    if f.shape != y.shape or not np.isfinite(f).all():
        raise ValueError(f"scores must be finite and fit y, got shapes {f.shape} and {y.shape}.")
    positive, negative = int((y > 0).sum()), int((y < 0).sum())
    if not positive or not negative or np.ptp(f) == 0:
        raise ValueError("y must hold both -1 and 1, and the scores must not all be equal: A would have no value.")
    target = np.where(y > 0, (positive + 1) / (positive + 2), 1 / (negative + 2))  # svm-platt-targets
    with np.errstate(over="ignore", invalid="ignore"):
        centre, spread = f.mean(), f.std()
    if not 0 < spread < np.inf:
        raise ValueError("The scores are too close together or too large: rescale them.")
    Z = np.column_stack([(f - centre) / spread, np.ones(len(f))])  # units in which one step fits both parameters

    def loss(v: FloatArray) -> float:
        z = Z @ v
        return float((np.logaddexp(0.0, z) - (1 - target) * z).sum())  # svm-platt-loss

    def gradient(v: FloatArray) -> FloatArray:
        return Z.T @ (expit(Z @ v) - (1 - target))

    def hessian(v: FloatArray) -> FloatArray:
        p = expit(Z @ v)
        return (Z.T * (p * (1 - p))) @ Z

    start = [0.0, np.log((negative + 1) / (positive + 1))]  # the shares of the classes, whatever the score
    a, b = newton(loss, start, gradient, hessian, tol=1e-10).x
    return PlattSigmoid(float(a / spread), float(b - a * centre / spread))


def platt_probability(scores: ArrayLike, sigmoid: PlattSigmoid) -> FloatArray:
    """``P(y = 1 | f)`` of each score; :eq:`svm-platt`.

    Parameters
    ----------
    scores : (n,) array
    sigmoid : PlattSigmoid
        From :func:`platt_scaling`.

    Returns
    -------
    (n,) array
        Probabilities of class 1.

    Raises
    ------
    TypeError, ValueError
        If the scores are no numbers, or one of them is not finite.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> platt_probability([-1.0, 0.0, 1.0], PlattSigmoid(-2.0, 0.0)).round(3)
    array([0.119, 0.5  , 0.881])
    """
    A, B = sigmoid
    with np.errstate(over="ignore"):  # where the sigmoid is 0 or 1
        return expit(-(A * check_numbers(scores, "scores") + B))  # svm-platt

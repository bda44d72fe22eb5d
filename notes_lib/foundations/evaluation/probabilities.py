"""Evaluation of predicted probabilities by proper scoring rules: log loss and Brier score."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.foundations.evaluation.checks import (
    check_weights,
    class_probabilities,
    encode,
    mean,
    numbers,
    positive_class,
)

_EPS = float(np.finfo(float).eps)


def log_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Mean of minus the natural logarithm of the probability given to the true class; :eq:`evaluation-log-loss`.

    Parameters
    ----------
    y_true : (n,) array
        Labels.
    y_pred : (n, K) or (n,) array
        Probabilities of the classes, sorted by label; of two classes those of the one that sorts last suffice.
    normalize : bool
        Whether to divide by n, or by the sum of the weights.
    sample_weight : (n,) array or None
        What each instance counts, as in :func:`confusion_matrix`.
    labels : (K,) array or None
        All classes, where some of them are not in ``y_true``.

    Returns
    -------
    float
        At least 0, in nats. Probabilities are kept at least 2.2e-16 away from 0 and 1, as in scikit-learn: one
        "impossible" instance costs 36, not infinity.

    Raises
    ------
    ValueError
        Bad labels or weights; lengths or numbers of classes that differ; ``y_pred`` that holds no probabilities, or
        rows that do not sum to 1.

    Examples
    --------
    >>> round(log_loss([1, 0, 1], [0.9, 0.2, 0.6]), 4)
    0.2798
    """
    codes, proba = class_probabilities(y_true, y_pred, labels, "y_pred")
    given = np.clip(proba[np.arange(len(codes)), codes], _EPS, 1 - _EPS)
    losses = -np.log(given)  # evaluation-log-loss
    w = check_weights(sample_weight, len(codes))
    if normalize:
        return mean(losses, w)
    return float(losses.sum() if w is None else w @ losses)


def brier_score_loss(
    y_true: ArrayLike, y_proba: ArrayLike, *, sample_weight: ArrayLike | None = None, pos_label: Any = None
) -> float:
    """Mean squared difference between probability and outcome (0 or 1); :eq:`evaluation-brier`.

    Parameters
    ----------
    y_true : (n,) array
        Labels of two classes, or of one of them.
    y_proba : (n,) array
        Probabilities of the positive class.
    sample_weight : (n,) array or None
        What each instance counts, as in :func:`confusion_matrix`.
    pos_label : label or None
        The positive class; None for 1 among the labels {0, 1} or {-1, 1}.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    ValueError
        Bad labels, probabilities or weights, lengths that differ, more than two classes, or no ``pos_label`` for
        other labels than 0, 1 and -1, 1.

    Examples
    --------
    >>> round(brier_score_loss([1, 0, 1], [0.9, 0.2, 0.6]), 4)
    0.07
    """
    p = _probabilities(y_proba)
    classes, (codes,) = encode(y_true=y_true)
    if len(p) != len(codes):
        raise ValueError(f"y_true and y_proba must have one length, got {len(codes)} and {len(p)}.")
    if len(classes) > 2:
        raise ValueError(f"y_true must hold two classes, got {len(classes)}: take one against the rest.")
    if pos_label is None and not (set(classes.tolist()) <= {0, 1} or set(classes.tolist()) <= {-1, 1}):
        raise ValueError(f"y_true holds the labels {classes.tolist()}: say by pos_label which one is positive.")
    outcome = codes == positive_class(classes, 1 if pos_label is None else pos_label)
    return mean((p - outcome) ** 2, check_weights(sample_weight, len(p)))  # evaluation-brier


def _probabilities(values: ArrayLike) -> FloatArray:
    p = numbers(values, "y_proba")
    if ((p < 0) | (p > 1)).any():
        raise ValueError("y_proba holds numbers outside [0, 1], which are no probabilities: map scores to them first.")
    return p

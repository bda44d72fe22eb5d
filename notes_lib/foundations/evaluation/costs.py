"""Costs of decisions: the mean cost of those that were made, and the decision with the least expected cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_distribution, check_finite, check_matrix
from notes_lib.foundations.evaluation.confusion import confusion_matrix


class Decision(NamedTuple):
    """Result of :func:`minimum_cost_decision`: the cheapest column (n,), and the expected cost of each (n, J)."""

    chosen: IntArray
    expected: FloatArray


def mean_cost(y_true: ArrayLike, y_pred: ArrayLike, cost: ArrayLike, *, labels: ArrayLike | None = None) -> float:
    """Mean cost of predicted labels under a full cost matrix; :eq:`evaluation-cost-matrix`.

    Parameters
    ----------
    y_true, y_pred : (n,) arrays
        Labels, as in :func:`confusion_matrix`.
    cost : (K, K) array
        ``cost[i, j]``: what it costs to predict class j where class i is true, gains being negative.
    labels : (K,) array or None
        Classes in the order of the rows of ``cost``; those in ``y_true`` and ``y_pred``, sorted, if None.

    Returns
    -------
    float
        In the unit of ``cost``, for one instance.

    Raises
    ------
    ValueError
        Bad labels, as in :func:`confusion_matrix`; labels that are not in ``labels``; a ``cost`` of another shape or
        with NaN or infinity.

    Examples
    --------
    >>> mean_cost([1, 1, 0, 0], [1, 0, 1, 0], cost=[[0, 1], [20, 0]])
    5.25
    """
    C = confusion_matrix(y_true, y_pred, labels=labels)
    if C.sum() != np.size(y_true):
        raise ValueError("labels must hold every label of y_true and y_pred: an instance without a cost has no mean.")
    costs = check_finite(check_matrix(cost, "cost"), "cost")
    if costs.shape != C.shape:
        raise ValueError(
            f"cost must have one row and one column for each of {len(C)} classes, got shape {costs.shape}: name all "
            "classes by labels."
        )
    return float((costs * C).sum() / C.sum())  # evaluation-cost-matrix


def minimum_cost_decision(y_proba: ArrayLike, cost: ArrayLike) -> Decision:
    """Take for each instance the decision with the least expected cost; :eq:`evaluation-minimum-cost`.

    Parameters
    ----------
    y_proba : (n, K) array
        Probabilities of the classes of each instance.
    cost : (K, J) array
        ``cost[i, j]``: cost of decision j where class i is true. J may differ from K: a further column may stand for
        "ask a person".

    Returns
    -------
    Decision
        ``chosen`` are indices of columns, the first one in a tie.

    Raises
    ------
    ValueError
        If the rows of ``y_proba`` are no distributions, or ``cost`` has another number of rows than ``y_proba``
        columns, or holds NaN or infinity.

    Examples
    --------
    >>> minimum_cost_decision([[0.97, 0.03], [0.9, 0.1]], cost=[[0, 1], [20, 0]]).chosen
    array([0, 1])
    """
    costs = check_finite(check_matrix(cost, "cost"), "cost")
    proba = check_distribution(y_proba, "y_proba")
    if proba.ndim != 2 or proba.shape[1] != len(costs):
        raise ValueError(
            f"y_proba must have one column for each of the {len(costs)} rows of cost, got shape {proba.shape}."
        )
    expected = proba @ costs  # evaluation-minimum-cost
    return Decision(expected.argmin(axis=1), expected)

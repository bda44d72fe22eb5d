"""Losses of gradient boosting: the best constant, pseudo-residuals, curvatures, and the value of a leaf.

Scores are an (n, K) array: one column for numbers and for two classes, K for K classes. Targets are numbers, 0 and 1,
or codes of classes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, logit

from notes_lib.checks import FloatArray, IntArray, check_number
from notes_lib.foundations.risk import margin_logistic, residual_huber, residual_huber_gradient
from notes_lib.linear.softmax_regression import log_sum_exp, one_hot, softmax

FLOOR = 1e-16  # of a curvature, so that a Newton step is finite


def grouped_quantile(values: FloatArray, weight: FloatArray, level: float, group: IntArray, m: int) -> FloatArray:
    """In each of ``m`` groups the smallest value at which the weight of the smaller ones reaches ``level``, (m,).

    At level 0.5 this is a median; where the weight is exactly half, the lower one of two. 0 for a group without weight.

    Examples
    --------
    >>> grouped_quantile(np.array([5.0, 1.0, 3.0, 9.0]), np.ones(4), 0.5, np.array([0, 0, 0, 2]), 3)
    array([3., 0., 9.])
    """
    kept = np.flatnonzero(weight)
    kept = kept[np.lexsort((values[kept], group[kept]))]
    names, g = np.unique(group[kept], return_inverse=True)  # of the groups that hold something
    v, w = values[kept], weight[kept]
    ends = np.searchsorted(g, np.arange(len(names)), side="right")
    running = np.cumsum(w)
    before = np.concatenate([[0.0], running[ends[:-1] - 1]])
    share = (running - before[g]) / (running[ends - 1] - before)[g]
    reached = np.flatnonzero(share >= level * (1 - 1e-12))
    found = np.zeros(m)
    found[names] = v[reached[np.searchsorted(g[reached], np.arange(len(names)))]]
    return found


def leaf_means(values: FloatArray, weight: FloatArray, leaf: IntArray, m: int) -> FloatArray:
    """Weighted mean in each of ``m`` leaves, (m,) array; 0 where there is no weight."""
    total: Any = np.bincount(leaf, weight, m)
    sums: Any = np.bincount(leaf, weight * values, m)
    return np.divide(sums, total, out=np.zeros(m), where=total > 0)


def newton_values(R: FloatArray, curvature: FloatArray, weight: FloatArray, leaf: IntArray, m: int) -> FloatArray:
    """One Newton step in each leaf, :eq:`gradient-boosting-newton`: sum of residuals over sum of curvatures."""
    top: Any = np.bincount(leaf, weight * R, m)
    bottom: Any = np.bincount(leaf, weight * curvature, m)
    return np.divide(top, bottom, out=np.zeros(m), where=bottom > 0)


class SquaredError:
    """Half the squared residual; the leaf holds the mean residual, :eq:`gradient-boosting-squared`."""

    def start(self, y: FloatArray, w: FloatArray) -> FloatArray:
        """Best constant score, (K,) array."""
        return np.array([np.average(y, weights=w)])

    def loss(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Loss of each instance, (n,) array."""
        return (y - F[:, 0]) ** 2 / 2

    def residual(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Negative derivative of the loss by the scores, (n, K) array, :eq:`gradient-boosting-residual`."""
        return (y - F[:, 0])[:, None]

    def curvature(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Second derivative of the loss by each score, (n, K) array."""
        return np.ones_like(F)

    def leaf_values(
        self, y: FloatArray, F: FloatArray, R: FloatArray, w: FloatArray, k: int, leaf: IntArray, m: int
    ) -> FloatArray:
        """Line search :eq:`gradient-boosting-leaf` in each of ``m`` leaves, for column ``k`` of the residuals ``R``."""
        return leaf_means(R[:, k], w, leaf, m)


class AbsoluteError(SquaredError):
    """Absolute residual; signs are fitted, and the leaf holds a median, :eq:`gradient-boosting-absolute`."""

    def start(self, y: FloatArray, w: FloatArray) -> FloatArray:
        """Best constant score."""
        return grouped_quantile(y, w, 0.5, np.zeros(len(y), dtype=np.intp), 1)

    def loss(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Loss of each instance."""
        return np.abs(y - F[:, 0])

    def residual(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Negative derivative of the loss by the scores."""
        return np.sign(y[:, None] - F)

    def leaf_values(
        self, y: FloatArray, F: FloatArray, R: FloatArray, w: FloatArray, k: int, leaf: IntArray, m: int
    ) -> FloatArray:
        """Value of each leaf."""
        return grouped_quantile(y - F[:, 0], w, 0.5, leaf, m)


class HuberLoss(AbsoluteError):
    """Huber's loss, whose border is the quantile ``level`` of the absolute residuals, :eq:`gradient-boosting-huber`."""

    def __init__(self, level: float = 0.9) -> None:
        self.level = level

    def border(self, y: FloatArray, F: FloatArray, w: FloatArray) -> float:
        """Where the parabola ends: a quantile of the absolute residuals."""
        gap = np.abs(y - F[:, 0])
        return float(grouped_quantile(gap, w, self.level, np.zeros(len(y), dtype=np.intp), 1)[0])

    def loss(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Loss of each instance."""
        delta = self.border(y, F, w)
        return residual_huber(y - F[:, 0], delta) if delta > 0 else np.zeros(len(y))

    def residual(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Negative derivative of the loss by the scores."""
        delta = self.border(y, F, w)
        return residual_huber_gradient(y[:, None] - F, delta) if delta > 0 else np.zeros_like(F)

    def leaf_values(
        self, y: FloatArray, F: FloatArray, R: FloatArray, w: FloatArray, k: int, leaf: IntArray, m: int
    ) -> FloatArray:
        """Value of each leaf."""
        gap, delta = y - F[:, 0], self.border(y, F, w)
        median = grouped_quantile(gap, w, 0.5, leaf, m)
        return median + leaf_means(np.clip(gap - median[leaf], -delta, delta), w, leaf, m)


class LogisticLoss(SquaredError):
    """Log loss of two classes 0 and 1; the leaf makes one Newton step, :eq:`gradient-boosting-logistic`."""

    def start(self, y: FloatArray, w: FloatArray) -> FloatArray:
        """Best constant score."""
        return np.array([logit(np.average(y, weights=w))])

    def loss(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Loss of each instance."""
        return margin_logistic((2 * y - 1) * F[:, 0])

    def residual(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Negative derivative of the loss by the scores."""
        return np.asarray(y[:, None] - expit(F))

    def curvature(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Second derivative of the loss by each score."""
        return np.maximum(expit(F) * expit(-F), FLOOR)

    def leaf_values(
        self, y: FloatArray, F: FloatArray, R: FloatArray, w: FloatArray, k: int, leaf: IntArray, m: int
    ) -> FloatArray:
        """Value of each leaf."""
        return newton_values(R[:, k], self.curvature(y, F, w)[:, k], w, leaf, m)


class SoftmaxLoss(LogisticLoss):
    """Log loss of K classes 0 to K - 1; a tree for each class, :eq:`gradient-boosting-softmax`."""

    def start(self, y: FloatArray, w: FloatArray) -> FloatArray:
        """Best constant score."""
        return np.log(np.bincount(y.astype(np.intp), w) / w.sum())

    def loss(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Loss of each instance."""
        return log_sum_exp(F) - F[np.arange(len(y)), y.astype(np.intp)]

    def residual(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Negative derivative of the loss by the scores."""
        return one_hot(y.astype(np.intp), F.shape[1]) - softmax(F)

    def curvature(self, y: FloatArray, F: FloatArray, w: FloatArray) -> FloatArray:
        """Second derivative of the loss by each score."""
        P = softmax(F)
        return np.maximum(P * (1 - P), FLOOR)

    def leaf_values(
        self, y: FloatArray, F: FloatArray, R: FloatArray, w: FloatArray, k: int, leaf: IntArray, m: int
    ) -> FloatArray:
        """Value of each leaf."""
        K = F.shape[1]
        return (K - 1) / K * super().leaf_values(y, F, R, w, k, leaf, m)


Loss = SquaredError  # what all of them offer


def loss_of(name: str, alpha: float = 0.9) -> Loss:
    """The loss of a name: "squared_error", "absolute_error", "huber", "logistic" or "softmax".

    Parameters
    ----------
    name : str
    alpha : float
        Share of the absolute residuals below the border of Huber's loss.

    Raises
    ------
    TypeError, ValueError
        If the name is none of these, or ``alpha`` does not lie between 0 and 1.

    Examples
    --------
    >>> loss_of("absolute_error").residual(np.array([3.0, 5.0]), np.array([[4.0], [4.0]]), np.ones(2)).ravel()
    array([-1.,  1.])
    """
    if not 0 < check_number(alpha, "alpha") < 1:
        raise ValueError(f"alpha, a share of the residuals, must lie between 0 and 1, got {alpha}.")
    losses: dict[str, Any] = {
        "squared_error": SquaredError(), "absolute_error": AbsoluteError(), "huber": HuberLoss(alpha),
        "logistic": LogisticLoss(), "softmax": SoftmaxLoss(),
    }  # fmt: skip
    if name not in losses:
        raise ValueError(f"loss must be one of {', '.join(losses)}, got {name!r}.")
    found: Loss = losses[name]
    return found

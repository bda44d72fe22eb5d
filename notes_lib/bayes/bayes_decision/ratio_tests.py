"""Tests by the likelihood ratio without priors: the ROC polygon, Neyman and Pearson, minimax, and two Gaussians."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from notes_lib.bayes.bayes_decision.steps import binary_cost
from notes_lib.checks import FloatArray, IntArray, check_distribution, check_numbers, check_real, check_vector

DECIMALS = 12  # ratios that agree so far, as shares p1 / (p0 + p1), are one ratio


class RatioRoc(NamedTuple):
    """Result of :func:`likelihood_ratio_roc`.

    ``false_alarm`` and ``detection`` (g + 1,) are the corners, ``ratios`` (g,) the falling slopes of the sides, and
    ``side`` (m,) the side to which each value belongs (g for a value that neither class can take).
    """

    false_alarm: FloatArray
    detection: FloatArray
    ratios: FloatArray
    side: IntArray


class RatioTest(NamedTuple):
    """A test by the likelihood ratio: ``decide`` (m,) is the probability of deciding 1 at each value.

    It is 1 above ``threshold``, 0 below, and one number ``randomise`` where the ratio equals it.
    """

    threshold: float
    randomise: float
    false_alarm: float
    detection: float
    decide: FloatArray


class Minimax(NamedTuple):
    """Result of :func:`minimax_test`: the ``test``, the least favourable ``priors`` (2,), and the largest ``risk``."""

    test: RatioTest
    priors: FloatArray
    risk: float


def likelihood_ratio_roc(null: ArrayLike, alternative: ArrayLike) -> RatioRoc:
    """Corners of the ROC curve of all tests by the likelihood ratio of a discrete x; :eq:`bayes-decision-roc`.

    Parameters
    ----------
    null, alternative : (m,) arrays
        Distributions of x in class 0 and in class 1.

    Returns
    -------
    RatioRoc
        From (0, 0) to (1, 1); the sides are what randomised tests reach.

    Raises
    ------
    ValueError
        If an argument is no distribution, or their lengths differ.

    Notes
    -----
    O(m log m) time.

    Examples
    --------
    >>> likelihood_ratio_roc([0.6, 0.3, 0.1], [0.1, 0.3, 0.6]).detection
    array([0. , 0.6, 0.9, 1. ])
    """
    p = check_distribution(null, "null")
    q = check_distribution(alternative, "alternative", p.shape)
    if p.ndim != 1:
        raise ValueError(f"null must be a vector of probabilities, got shape {p.shape}.")
    both = p + q
    share = np.round(np.divide(q, both, out=np.full(len(p), -1.0), where=both > 0), DECIMALS)
    falling, side = np.unique(-share, return_inverse=True)
    g = int((falling <= 0).sum())
    alarms, hits = (np.bincount(side, weights=v, minlength=g)[:g] for v in (p, q))
    ratios = np.divide(hits, alarms, out=np.full(g, np.inf), where=alarms > 0)
    F, D = (np.r_[0.0, np.cumsum(v)] / v.sum() for v in (alarms, hits))
    return RatioRoc(F, D, ratios, side)  # bayes-decision-roc


def neyman_pearson(null: ArrayLike, alternative: ArrayLike, alpha: float) -> RatioTest:
    """Test of the largest detection among those with at most ``alpha`` false alarms; :eq:`bayes-decision-test`.

    Parameters
    ----------
    null, alternative : (m,) arrays
        Distributions of x in class 0 and in class 1.
    alpha : float
        From 0 to 1.

    Returns
    -------
    RatioTest
        Its ``false_alarm`` is ``alpha``.

    Raises
    ------
    TypeError, ValueError
        As :func:`likelihood_ratio_roc`; if ``alpha`` is no number from 0 to 1.

    Examples
    --------
    >>> neyman_pearson([0.6, 0.3, 0.1], [0.1, 0.3, 0.6], alpha=0.25).decide.round(3)
    array([0. , 0.5, 1. ])
    """
    a = check_real(alpha, "alpha")
    if a > 1:
        raise ValueError(f"alpha must be a probability, got {alpha!r}.")
    roc = likelihood_ratio_roc(null, alternative)
    return _crossing(roc, roc.false_alarm - a)  # bayes-decision-test


def minimax_test(null: ArrayLike, alternative: ArrayLike, cost: ArrayLike | None = None) -> Minimax:
    """Test whose larger risk, over the two classes, is smallest; :eq:`bayes-decision-minimax`.

    Parameters
    ----------
    null, alternative : (m,) arrays
        Distributions of x in class 0 and in class 1.
    cost : (2, 2) array or None
        As in :func:`likelihood_threshold`.

    Returns
    -------
    Minimax
        It has the same risk in both classes, :eq:`bayes-decision-equaliser`, unless right decisions have costs that
        make one class dearer under every test. ``priors`` are those for which the smallest Bayes risk is largest.

    Raises
    ------
    ValueError
        As :func:`likelihood_ratio_roc` and :func:`likelihood_threshold`.

    Examples
    --------
    >>> round(minimax_test([0.6, 0.3, 0.1], [0.1, 0.3, 0.6]).risk, 4)
    0.25
    """
    C = binary_cost(cost)
    roc = likelihood_ratio_roc(null, alternative)
    dearer_alarm, dearer_miss = C[0, 1] - C[0, 0], C[1, 0] - C[1, 1]
    risks = C[0, 0] + dearer_alarm * roc.false_alarm, C[1, 1] + dearer_miss * (1 - roc.detection)
    test = _crossing(roc, risks[0] - risks[1])  # bayes-decision-equaliser
    own = C[0, 0] + dearer_alarm * test.false_alarm, C[1, 1] + dearer_miss * (1 - test.detection)
    odds = test.threshold * dearer_miss / dearer_alarm  # of class 0, bayes-decision-threshold solved for the priors
    pi_1 = 1 / (1 + odds)
    return Minimax(test, np.array([1 - pi_1, pi_1]), float(max(own)))  # bayes-decision-minimax


def _crossing(roc: RatioRoc, gap: FloatArray) -> RatioTest:
    """The point of the polygon where ``gap``, which rises from corner to corner, is 0, or the nearest end."""
    g = len(roc.ratios)
    j = min(max(int(np.searchsorted(gap, 1e-15, side="right")) - 1, 0), g - 1)
    gamma = float(np.clip(-gap[j] / (gap[j + 1] - gap[j]), 0, 1))
    decide = np.where(roc.side < j, 1.0, np.where(roc.side == j, gamma, 0.0))
    F, D = ((1 - gamma) * v[j] + gamma * v[j + 1] for v in (roc.false_alarm, roc.detection))
    return RatioTest(float(roc.ratios[j]), gamma, float(F), float(D), decide)


def binormal_roc(false_alarm: ArrayLike, means: ArrayLike, scales: ArrayLike) -> FloatArray:
    """Detection at each rate of false alarms, for Gaussian scores in both classes; :eq:`bayes-decision-binormal`.

    Parameters
    ----------
    false_alarm : array of any shape
        From 0 to 1.
    means, scales : (2,) arrays
        Mean and standard deviation of the score in class 0 and in class 1; a large score means class 1.

    Returns
    -------
    array of the same shape

    Raises
    ------
    ValueError
        If a rate is not from 0 to 1, or a standard deviation not positive.

    Examples
    --------
    >>> binormal_roc([0.1, 0.5], means=[0, 2], scales=[1, 1]).round(4)
    array([0.7638, 0.9772])
    """
    F = check_numbers(false_alarm, "false_alarm")
    if ((F < 0) | (F > 1)).any():
        raise ValueError("false_alarm must hold probabilities from 0 to 1.")
    (m_0, m_1), (s_0, s_1) = _two_gaussians(means, scales)
    return ndtr((m_1 - m_0 + s_0 * ndtri(F)) / s_1)  # bayes-decision-binormal


def binormal_auc(means: ArrayLike, scales: ArrayLike) -> float:
    """Area under the curve of :func:`binormal_roc`; :eq:`bayes-decision-binormal-auc`.

    Parameters and errors are those of :func:`binormal_roc`.

    Examples
    --------
    >>> round(binormal_auc([0, 2], [1, 1]), 4)
    0.9214
    """
    (m_0, m_1), s = _two_gaussians(means, scales)
    return float(ndtr((m_1 - m_0) / np.hypot(*s)))  # bayes-decision-binormal-auc


def _two_gaussians(means: ArrayLike, scales: ArrayLike) -> tuple[FloatArray, FloatArray]:
    m, s = check_vector(means, "means", 2), check_vector(scales, "scales", 2)
    if (s <= 0).any():
        raise ValueError(f"scales must hold positive standard deviations, got {s.tolist()}.")
    return m, s

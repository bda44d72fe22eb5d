"""The formulas of the chapter: variance of an average, size of a bootstrap sample, votes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from notes_lib.checks import FloatArray, check_finite, check_integer, check_number, check_numbers, check_real


class MeanCorrelation(NamedTuple):
    """Mean ``variance`` of one learner, and the mean covariance of two of them over it, the ``correlation``."""

    variance: float
    correlation: float


def average_variance(variance: float, correlation: float, n_estimators: int) -> float:
    """Variance of the average of equally correlated learners, :eq:`random-forest-variance`.

    Parameters
    ----------
    variance : float
        Of each learner.
    correlation : float
        Of each pair; between -1/(n_estimators - 1) and 1.
    n_estimators : int

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If the variance is negative, or so many learners cannot all be correlated like this.

    Examples
    --------
    >>> average_variance(4.0, 0.25, 3)
    2.0
    """
    variance, rho = check_real(variance, "variance"), check_number(correlation, "correlation")
    B = check_integer(n_estimators, "n_estimators")
    if rho * (B - 1) < -1 or rho > 1:
        raise ValueError(
            f"correlation must lie between -1/(n_estimators - 1) and 1, got {correlation} for {B} learners: "
            "their average would have a negative variance."
        )
    return rho * variance + (1 - rho) * variance / B


def mean_correlation(predictions: ArrayLike) -> MeanCorrelation:
    """Variance of a learner and correlation of two, as :eq:`random-forest-variance` needs them.

    Parameters
    ----------
    predictions : (S, B) or (S, B, m) array
        Of ``B`` learners on each of ``S`` independent training sets, at ``m`` points; variances and covariances are
        taken over the training sets, with the divisor S - 1, and then averaged over learners, pairs and points.

    Returns
    -------
    MeanCorrelation

    Raises
    ------
    ValueError
        If there are fewer than two training sets or learners, an entry is not finite, or no learner varies.

    Examples
    --------
    >>> mean_correlation([[0.0, 1.0], [3.0, 1.0], [3.0, 4.0]])
    MeanCorrelation(variance=3.0, correlation=0.5)
    """
    F = check_finite(check_numbers(predictions, "predictions"), "predictions")
    if F.ndim not in (2, 3) or min(F.shape[:2]) < 2:
        raise ValueError(f"predictions must be (sets, learners) or (sets, learners, points), two each, got {F.shape}.")
    F = F.reshape(*F.shape[:2], -1)
    S, B = F.shape[:2]
    F = F - F.mean(axis=0)
    each = float((F**2).sum(axis=0).mean()) / (S - 1)
    if each == 0:
        raise ValueError("predictions must vary over the training sets, but all variances are 0.")
    of_mean = float((F.mean(axis=1) ** 2).sum(axis=0).mean()) / (S - 1)
    pair = (B * of_mean - each) / (B - 1)  # the other entries of the covariance matrix
    return MeanCorrelation(each, pair / each)


def majority_vote_probability(p: ArrayLike, n_voters: int) -> FloatArray:
    """Probability that the majority of independent voters is right, :eq:`random-forest-vote`.

    Parameters
    ----------
    p : array of any shape
        Probability that a voter is right.
    n_voters : int
        If it is even, a coin decides between two halves.

    Returns
    -------
    array of the shape of ``p``

    Raises
    ------
    TypeError, ValueError
        If a probability does not lie in [0, 1], or ``n_voters`` is no positive integer.

    Examples
    --------
    >>> majority_vote_probability([0.5, 0.6], 3).round(12)
    array([0.5  , 0.648])
    """
    p, B = _probabilities(p), check_integer(n_voters, "n_voters")
    at_most = bdtr((B - 1) // 2, B, 1 - p)  # of so many mistakes: fewer than half
    if B % 2:
        return np.asarray(at_most)
    return np.asarray((at_most + bdtr(B // 2, B, 1 - p)) / 2)


def hoeffding_vote_bound(p: ArrayLike, n_voters: int) -> FloatArray:
    """Upper bound of the probability that a majority of independent voters errs, :eq:`random-forest-hoeffding`.

    Parameters
    ----------
    p : array of any shape
        Probability that a voter is right, at least 1/2.
    n_voters : int

    Returns
    -------
    array of the shape of ``p``

    Raises
    ------
    TypeError, ValueError
        If a probability does not lie in [1/2, 1], or ``n_voters`` is no positive integer.

    Examples
    --------
    >>> hoeffding_vote_bound(0.6, 100).round(4)
    np.float64(0.1353)
    """
    p, B = _probabilities(p), check_integer(n_voters, "n_voters")
    if (p < 0.5).any():
        raise ValueError(f"p must be at least 1/2 for the bound, got {p.min()}: exchange the two answers.")
    return np.exp(-2 * B * (p - 0.5) ** 2)


def _probabilities(p: ArrayLike) -> FloatArray:
    values = check_finite(check_numbers(p, "p"), "p")
    if ((values < 0) | (values > 1)).any():
        raise ValueError(f"p must hold probabilities between 0 and 1, got {p!r}.")
    return values


def draws_of(max_samples: float | None, n: int) -> int:
    """Size of a bootstrap sample that ``max_samples`` stands for: a number, a share of ``n``, or None for ``n``.

    Examples
    --------
    >>> draws_of(None, 30), draws_of(0.5, 30), draws_of(7, 30)
    (30, 15, 7)
    """
    if max_samples is None:
        return n
    if isinstance(max_samples, (int, np.integer)):
        return check_integer(max_samples, "max_samples")
    share = check_real(max_samples, "max_samples")
    if not 0 < share <= 1:
        raise ValueError(f"max_samples as a share must lie above 0 and be at most 1, got {max_samples}.")
    return max(1, math.floor(share * n))

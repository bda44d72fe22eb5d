"""Steps of AdaBoost in the order of the chapter: error, vote, both forms of the new weights, bound, margins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_distribution, check_number, check_numbers, check_signs, check_vector


def _mistakes(miss: ArrayLike, n: int) -> Any:
    miss = np.asarray(miss)
    if miss.shape != (n,) or miss.dtype != bool:
        raise ValueError(f"miss must hold {n} truth values, one for each weight, got {miss!r}.")
    return miss


def _rate(epsilon: ArrayLike) -> FloatArray:
    epsilon = check_numbers(epsilon, "epsilon")
    if not ((epsilon > 0) & (epsilon < 1)).all():
        raise ValueError(f"epsilon must lie strictly between 0 and 1, got {epsilon}: a perfect learner needs no vote.")
    return epsilon


def weighted_error(weights: ArrayLike, miss: ArrayLike) -> float:
    """Share of the weight on the mistakes, :eq:`adaboost-error`.

    Parameters
    ----------
    weights : (n,) array
        Non-negative; divided by their sum here.
    miss : (n,) array of bool
        Which instances the weak learner gets wrong.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If weights are negative, not finite or all 0, or ``miss`` does not hold one truth value for each.

    Examples
    --------
    >>> weighted_error([1, 1, 2], [False, False, True])
    0.5
    """
    w = check_vector(weights, "weights")
    if (w < 0).any() or not w.any():
        raise ValueError("weights must not be negative, nor all zero: start with 1/n for each instance.")
    miss = _mistakes(miss, len(w))
    return float(w[miss].sum() / w.sum())


def vote(epsilon: ArrayLike) -> Any:
    """Best coefficient of a weak learner with labels -1 and 1, half the log-odds of its being right.

    :eq:`adaboost-alpha`.

    Parameters
    ----------
    epsilon : float or array
        Weighted errors.

    Returns
    -------
    float or array
        Positive for an error below 1/2.

    Raises
    ------
    ValueError
        If an error does not lie strictly between 0 and 1.

    Examples
    --------
    >>> vote([0.5, 0.2]).round(4)
    array([0.    , 0.6931])
    """
    epsilon = _rate(epsilon)
    return (np.log1p(-epsilon) - np.log(epsilon)) / 2  # adaboost-alpha


def normalizer(epsilon: ArrayLike, alpha: ArrayLike) -> Any:
    """Factor by which a round changes the exponential loss, :eq:`adaboost-normalizer`.

    Parameters
    ----------
    epsilon : float or array
        Weighted errors between 0 and 1.
    alpha : float or array
        Coefficients.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        If an error is not between 0 and 1, or a number is not finite.

    Examples
    --------
    >>> round(float(normalizer(0.2, vote(0.2))), 12)
    0.8
    """
    epsilon, alpha = check_numbers(epsilon, "epsilon"), check_numbers(alpha, "alpha")
    if ((epsilon < 0) | (epsilon > 1)).any():
        raise ValueError(f"epsilon must lie between 0 and 1, got {epsilon}.")
    return (1 - epsilon) * np.exp(-alpha) + epsilon * np.exp(alpha)  # adaboost-normalizer


def exponential_update(weights: ArrayLike, y: ArrayLike, h: ArrayLike, alpha: float) -> FloatArray:
    """Multiply the weights by ``exp(-alpha y h)`` and divide by their sum, :eq:`adaboost-update`.

    Parameters
    ----------
    weights : (n,) array
        A distribution.
    y, h : (n,) arrays
        Labels and answers of the weak learner, -1 or 1.
    alpha : float

    Returns
    -------
    (n,) array
        The next distribution.

    Raises
    ------
    TypeError, ValueError
        If the weights are no distribution, labels are no signs, lengths differ, or ``alpha`` is not finite.

    Examples
    --------
    >>> exponential_update([0.25] * 4, [1, 1, -1, -1], [1, 1, -1, 1], vote(0.25)).round(4)
    array([0.1667, 0.1667, 0.1667, 0.5   ])
    """
    w = check_distribution(weights, "weights")
    agree = check_vector(check_signs(y, "y"), "y", len(w)) * check_vector(check_signs(h, "h"), "h", len(w))
    new = w * np.exp(-check_number(float(alpha), "alpha") * agree)
    return np.asarray(new / new.sum())  # adaboost-update


def mistake_update(weights: ArrayLike, miss: ArrayLike, epsilon: float) -> FloatArray:
    """Multiply the weights of the mistakes only, by ``(1 - epsilon) / epsilon``, and divide by the sum.

    :eq:`adaboost-mistakes`. Same numbers as :func:`exponential_update` with the coefficient :func:`vote`.

    Parameters
    ----------
    weights : (n,) array
        A distribution.
    miss : (n,) array of bool
    epsilon : float
        Weighted error of these mistakes.

    Returns
    -------
    (n,) array

    Raises
    ------
    ValueError
        If the weights are no distribution, ``miss`` does not fit, or ``epsilon`` does not lie between 0 and 1.

    Examples
    --------
    >>> mistake_update([0.25] * 4, [False, False, False, True], 0.25).round(4)
    array([0.1667, 0.1667, 0.1667, 0.5   ])
    """
    w = check_distribution(weights, "weights")
    odds = (1 - _rate(epsilon)) / epsilon
    new = np.where(_mistakes(miss, len(w)), odds * w, w)
    return np.asarray(new / new.sum())  # adaboost-mistakes


def training_bound(epsilons: ArrayLike) -> FloatArray:
    """Bound on the training error after each round, the product of ``2 sqrt(e (1 - e))``; :eq:`adaboost-bound`.

    Parameters
    ----------
    epsilons : (T,) array
        Weighted errors of the rounds, between 0 and 1.

    Returns
    -------
    (T,) array

    Raises
    ------
    ValueError
        If an error is not between 0 and 1.

    Examples
    --------
    >>> training_bound([0.5, 0.2]).round(12)
    array([1. , 0.8])
    """
    epsilon = check_vector(epsilons, "epsilons")
    if ((epsilon < 0) | (epsilon > 1)).any():
        raise ValueError(f"epsilons must lie between 0 and 1, got {epsilon}.")
    return np.cumprod(2 * np.sqrt(epsilon * (1 - epsilon)))  # adaboost-bound


def vote_margins(y: ArrayLike, votes: ArrayLike, alphas: ArrayLike) -> FloatArray:
    """Weighted votes for the label minus those against it, as a share of all, :eq:`adaboost-margin`.

    Parameters
    ----------
    y : (n,) array
        Labels -1 or 1.
    votes : (T, n) array
        Answers of the weak learners, -1 or 1.
    alphas : (T,) array
        Their coefficients, not negative and not all 0.

    Returns
    -------
    (n,) array
        Between -1 and 1; positive if the ensemble is right.

    Raises
    ------
    ValueError
        If shapes do not fit, or coefficients are negative or all 0.

    Examples
    --------
    >>> vote_margins([1, -1], [[1, 1], [1, -1]], [1.0, 3.0])
    array([1. , 0.5])
    """
    y, a = check_signs(y, "y"), check_vector(alphas, "alphas")
    H = np.asarray(votes, dtype=float)
    if H.shape != (len(a), len(y)):
        raise ValueError(f"votes must have shape {(len(a), len(y))}, a row for each learner, got {H.shape}.")
    if (a < 0).any() or not a.any():
        raise ValueError(
            "alphas must not be negative, nor all zero: leave out learners that are no better than chance."
        )
    return np.asarray(y * (a @ H) / a.sum())  # adaboost-margin

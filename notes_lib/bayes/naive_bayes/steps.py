"""Step functions of the chapter *Naive Bayes*, in the order of its derivation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (
    FloatArray,
    check_codes,
    check_counts,
    check_distribution,
    check_integer,
    check_matrix,
    check_numbers,
    check_shape,
)


class LogOdds(NamedTuple):
    """Log-odds of class 2 of two: ``quadratic @ x**2 + linear @ x + constant``, nats."""

    quadratic: FloatArray
    linear: FloatArray
    constant: float


def category_table(x: ArrayLike, codes: ArrayLike, n_classes: int, n_categories: int) -> FloatArray:
    """How often each category of one feature goes with each class: the counts of :eq:`naive-bayes-mle`.

    Parameters
    ----------
    x : (n,) array of int
        Category of each instance, from 0 to n_categories - 1.
    codes : (n,) array of int
        Class of each instance, from 0 to n_classes - 1.

    Returns
    -------
    (n_classes, n_categories) array

    Raises
    ------
    TypeError, ValueError
        If a size is no positive integer, or an entry is no category or class.

    Examples
    --------
    >>> category_table([0, 1, 1, 1], [0, 0, 1, 1], 2, 2)
    array([[1., 1.],
           [0., 2.]])
    """
    K, S = check_integer(n_classes, "n_classes"), check_integer(n_categories, "n_categories")
    x = np.atleast_1d(np.asarray(x))
    k = check_codes(codes, "codes", len(x), K)
    s = check_codes(x, "x", len(x), S)
    return np.bincount(k * S + s, minlength=K * S).reshape(K, S).astype(float)


def smoothed(counts: ArrayLike, alpha: ArrayLike = 1.0) -> FloatArray:
    """Probabilities from counts, with ``alpha`` added to each; :eq:`naive-bayes-laplace`.

    The posterior mean under a Dirichlet prior with parameters ``alpha``; maximum likelihood for 0.

    Parameters
    ----------
    counts : (..., S) array
        Not negative; fractions, as sums of weights, are counts too.
    alpha : float or (S,) array
        Not negative; pseudo-counts.

    Returns
    -------
    (..., S) array
        Each row is a distribution.

    Raises
    ------
    TypeError, ValueError
        If a count or ``alpha`` is negative or not finite, or a row has neither counts nor pseudo-counts (names it).

    Examples
    --------
    >>> smoothed([2, 0, 1])
    array([0.5       , 0.16666667, 0.33333333])
    """
    N = check_numbers(counts, "counts")
    if N.ndim == 0 or N.size == 0:
        raise ValueError(f"counts must hold a row of numbers, got shape {N.shape}.")
    if N.min() < 0:
        raise ValueError(f"counts must not be negative, got {N.min():g}.")
    total = N + check_alpha(alpha, N.shape[-1])
    sums = total.sum(axis=-1, keepdims=True)
    if sums.min() == 0:
        row = [int(i) for i in np.argwhere(sums[..., 0] == 0)[0]]
        raise ValueError(f"row {row} of counts is all zero: with alpha = 0 it has no estimate, set alpha > 0.")
    return total / sums  # naive-bayes-laplace


def check_alpha(alpha: ArrayLike, size: int) -> FloatArray:
    """Pseudo-counts: one number, or one for each of ``size`` values, none of them negative."""
    a = check_numbers(alpha, "alpha")
    if a.shape not in ((), (size,)):
        raise ValueError(f"alpha must be a number or hold {size} numbers, got shape {a.shape}.")
    if a.min() < 0:
        raise ValueError(f"alpha must not be negative, got {a.min():g}: 0 is maximum likelihood, 1 is Laplace's rule.")
    return a


def log_product(X: Any, log_prob: ArrayLike) -> FloatArray:
    """Sum of counts times log-probabilities, in which 0 times minus infinity is 0; :eq:`naive-bayes-multinomial-score`.

    Parameters
    ----------
    X : (n, d) array or sparse matrix
        Counts, not negative.
    log_prob : (K, d) array
        Minus infinity stands for probability 0.

    Returns
    -------
    (n, K) array
        The product of probabilities that a loop would multiply, in log space: it does not underflow.

    Raises
    ------
    ValueError
        If the number of columns differs.

    Examples
    --------
    >>> log_product(np.array([[0, 2], [1, 1]]), np.log([[0.25, 0.75]])).round(3)
    array([[-0.575],
           [-1.674]])
    >>> log_product(np.array([[0, 2], [1, 1]]), [[-np.inf, 0.0]])
    array([[  0.],
           [-inf]])
    """
    L = np.asarray(log_prob, dtype=float)
    if L.ndim != 2 or X.shape[1] != L.shape[1]:
        raise ValueError(f"X has {X.shape[1]} columns, log_prob has shape {L.shape}: one column for each feature.")
    zero = np.isneginf(L)
    scores = X @ np.where(zero, 0.0, L).T  # naive-bayes-multinomial-score
    if zero.any():
        scores[(X @ zero.T.astype(float)) > 0] = -np.inf
    return scores


def bernoulli_scores(X: Any, priors: ArrayLike, prob: ArrayLike) -> FloatArray:
    """Log of prior times probability of all features, present and absent; :eq:`naive-bayes-bernoulli`.

    Parameters
    ----------
    X : (n, d) array or sparse matrix of 0 and 1
    priors : (K,) array
    prob : (K, d) array
        Probability that feature j is 1 in class k.

    Returns
    -------
    (n, K) array, nats
        Minus infinity where an instance is impossible.

    Raises
    ------
    ValueError
        If ``priors`` is no distribution, or ``prob`` holds a number that is no probability.

    Examples
    --------
    >>> np.exp(bernoulli_scores(np.array([[1, 0]]), [0.5, 0.5], [[0.5, 0.25], [0.1, 0.9]])).round(4)
    array([[0.1875, 0.005 ]])
    """
    theta = check_matrix(prob, "prob")
    pi = check_distribution(priors, "priors", (len(theta),))
    if theta.min() < 0 or theta.max() > 1:
        raise ValueError("prob must hold probabilities, from 0 to 1.")
    with np.errstate(divide="ignore"):
        present, absent, log_prior = np.log(theta), np.log1p(-theta), np.log(pi)
    if (theta > 0).all() and (theta < 1).all():  # 1 - x need not be formed: X may be sparse
        return log_product(X, present - absent) + absent.sum(axis=1) + log_prior  # naive-bayes-bernoulli
    D = X if isinstance(X, np.ndarray) else X.toarray()
    return log_product(D, present) + log_product(1 - D, absent) + log_prior


def gaussian_scores(X: ArrayLike, means: ArrayLike, variances: ArrayLike, priors: ArrayLike) -> FloatArray:
    """Log of prior times the product of one Gaussian density for each feature; :eq:`naive-bayes-gaussian`.

    Parameters
    ----------
    X : (n, d) array
    means, variances : (K, d) arrays
        Variances are positive.
    priors : (K,) array

    Returns
    -------
    (n, K) array, nats

    Raises
    ------
    ValueError
        If a shape does not fit, a variance is not positive, or ``priors`` is no distribution.

    Examples
    --------
    >>> gaussian_scores([[0.0]], [[0.0], [2.0]], [[1.0], [4.0]], [0.5, 0.5]).round(3)
    array([[-1.612, -2.805]])
    """
    M, v, pi = _gaussians(means, variances, priors)
    X = check_shape(X, "X", (None, M.shape[1]))
    squares = np.column_stack([((X - m) ** 2 / s).sum(axis=1) for m, s in zip(M, v, strict=True)])
    with np.errstate(divide="ignore"):
        log_prior = np.log(pi)
    return log_prior - 0.5 * (np.log(2 * np.pi * v).sum(axis=1) + squares)  # naive-bayes-gaussian


def _gaussians(means: ArrayLike, variances: ArrayLike, priors: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    M = check_matrix(means, "means")
    v = check_shape(variances, "variances", M.shape)
    if v.min() <= 0:
        raise ValueError(f"variances must be positive, got {v.min():g}: add a small number to them.")
    return M, v, check_distribution(priors, "priors", (len(M),))


def multinomial_log_odds(prob: ArrayLike, priors: ArrayLike) -> LogOdds:
    """Linear log-odds of counted words: a weight for each occurrence; :eq:`naive-bayes-multinomial-odds`.

    Parameters
    ----------
    prob : (2, d) array
        Positive probabilities of the words; each row has sum 1.
    priors : (2,) array

    Raises
    ------
    ValueError
        If a row is no distribution, or holds a 0.

    Examples
    --------
    >>> odds = multinomial_log_odds([[0.5, 0.5], [0.75, 0.25]], [0.5, 0.5])
    >>> odds.linear.round(3), odds.constant
    (array([ 0.405, -0.693]), 0.0)
    """
    pi = check_distribution(priors, "priors", (2,), positive=True)
    theta = check_distribution(check_shape(prob, "prob", (2, None)), "prob", positive=True)
    linear = np.log(theta[1] / theta[0])  # naive-bayes-multinomial-odds
    return LogOdds(np.zeros_like(linear), linear, float(np.log(pi[1] / pi[0])))


def bernoulli_log_odds(prob: ArrayLike, priors: ArrayLike) -> LogOdds:
    """Linear log-odds of words present or absent; :eq:`naive-bayes-bernoulli-odds`.

    Parameters
    ----------
    prob : (2, d) array
        Probability of 1 for each feature in each class, between 0 and 1.
    priors : (2,) array

    Raises
    ------
    ValueError
        If ``priors`` is no distribution, or a probability is not between 0 and 1.

    Examples
    --------
    >>> odds = bernoulli_log_odds([[0.5], [0.75]], [0.5, 0.5])
    >>> odds.linear.round(3), round(odds.constant, 3)
    (array([1.099]), -0.693)
    """
    pi = check_distribution(priors, "priors", (2,), positive=True)
    theta = check_shape(prob, "prob", (2, None))
    if theta.min() <= 0 or theta.max() >= 1:
        raise ValueError("prob must lie between 0 and 1, without 0 and 1: smooth the counts.")
    logit = np.log(theta) - np.log1p(-theta)
    absent = np.log1p(-theta[1]) - np.log1p(-theta[0])
    linear = logit[1] - logit[0]  # naive-bayes-bernoulli-odds
    return LogOdds(np.zeros_like(linear), linear, float(np.log(pi[1] / pi[0]) + absent.sum()))


def gaussian_log_odds(means: ArrayLike, variances: ArrayLike, priors: ArrayLike) -> LogOdds:
    """Quadratic log-odds of two Gaussian classes, linear for equal variances; :eq:`naive-bayes-gaussian-odds`.

    Parameters
    ----------
    means, variances : (2, d) arrays
        Variances are positive.
    priors : (2,) array

    Raises
    ------
    ValueError
        As :func:`gaussian_scores`, and if there are not two classes or a prior is 0.

    Examples
    --------
    >>> odds = gaussian_log_odds([[0.0], [2.0]], [[1.0], [1.0]], [0.5, 0.5])
    >>> odds.quadratic, odds.linear, odds.constant  # the border is at x = 1
    (array([0.]), array([2.]), -2.0)
    """
    M, v, _ = _gaussians(check_shape(means, "means", (2, None)), variances, priors)
    pi = check_distribution(priors, "priors", (2,), positive=True)
    quadratic = 0.5 / v[0] - 0.5 / v[1]  # naive-bayes-gaussian-odds
    linear = M[1] / v[1] - M[0] / v[0]
    fixed = 0.5 * (M[0] ** 2 / v[0] - M[1] ** 2 / v[1] + np.log(v[0] / v[1])).sum()
    return LogOdds(quadratic, linear, float(np.log(pi[1] / pi[0]) + fixed))


def parameter_count(n_classes: int, n_categories: ArrayLike) -> tuple[int, int]:
    """Free parameters of naive Bayes, and of the full table of class and features; :eq:`naive-bayes-count`.

    Parameters
    ----------
    n_classes : int
    n_categories : (d,) array of int
        How many values each feature has, at least 1.

    Returns
    -------
    naive, full : int

    Raises
    ------
    TypeError, ValueError
        If a number is no positive integer.

    Examples
    --------
    >>> parameter_count(2, [2] * 10)
    (21, 2047)
    """
    K = check_integer(n_classes, "n_classes")
    sizes = check_counts(np.atleast_1d(n_categories), "n_categories")
    if (sizes < 1).any():
        raise ValueError("n_categories must be at least 1 for each feature.")
    full = K
    for size in sizes:
        full *= int(size)  # Python's integers do not overflow
    return (K - 1) + K * int((sizes - 1).sum()), full - 1  # naive-bayes-count

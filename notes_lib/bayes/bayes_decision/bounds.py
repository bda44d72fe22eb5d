"""Bounds of the Bayes error that need no regions: Chernoff, Bhattacharyya, and one from below."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from notes_lib.checks import FloatArray, check_distribution, check_real, check_shape
from notes_lib.numerics import cholesky_factor


class ErrorBounds(NamedTuple):
    """Result of :func:`error_bounds`: the Bayes error is at least ``lower`` and at most ``chernoff``.

    ``bhattacharyya`` is the upper bound with exponents of one half, ``s`` the exponent of class 1 in ``chernoff``.
    """

    lower: float
    bhattacharyya: float
    chernoff: float
    s: float


def chernoff_coefficient(null: ArrayLike, alternative: ArrayLike, s: float = 0.5) -> float:
    """Sum of ``p0 ** (1 - s) * p1 ** s`` over the values of a discrete x; :eq:`bayes-decision-chernoff`.

    Parameters
    ----------
    null, alternative : (m,) arrays
        Distributions of x in class 0 and in class 1.
    s : float
        Exponent of class 1, from 0 to 1; at 1/2 the result is the Bhattacharyya coefficient.

    Returns
    -------
    float
        From 0 (no value in common) to 1, for 0 < s < 1 reached by equal distributions only. Values that one of the
        classes cannot take count as 0 for s = 0 and s = 1 too, the limits of s from inside.

    Raises
    ------
    TypeError, ValueError
        If an argument is no distribution, the lengths differ, or ``s`` is no number from 0 to 1.

    Examples
    --------
    >>> round(chernoff_coefficient([0.5, 0.5], [0.1, 0.9]), 4)
    0.8944
    """
    s = _exponent(s)
    p = check_distribution(null, "null")
    q = check_distribution(alternative, "alternative", p.shape)
    both = (p > 0) & (q > 0)
    return float(np.sum(p[both] ** (1 - s) * q[both] ** s))  # bayes-decision-chernoff


def gaussian_chernoff_coefficient(means: ArrayLike, covariances: ArrayLike, s: float = 0.5) -> float:
    """Integral of ``p0 ** (1 - s) * p1 ** s`` for two Gaussians; :eq:`bayes-decision-chernoff-gaussian`.

    Parameters
    ----------
    means : (2, d) array
    covariances : (2, d, d) array
        Each symmetric positive definite.
    s : float
        Exponent of class 1, from 0 to 1.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a covariance is singular, or ``s`` is no number from 0 to 1.

    Notes
    -----
    O(d^3) time: Cholesky factors, no inverse and no determinant.

    Examples
    --------
    >>> round(gaussian_chernoff_coefficient([[0.0], [2.0]], [[[1.0]], [[1.0]]]), 4)  # exp(-1/2)
    0.6065
    """
    s = _exponent(s)
    M = check_shape(means, "means", (2, None))
    S = check_shape(covariances, "covariances", (2, M.shape[1], M.shape[1]))
    L_0, L_1 = (cholesky_factor(S[k], f"covariances[{k}]") for k in range(2))
    L = cholesky_factor(s * S[0] + (1 - s) * S[1])  # each with the exponent of the other class
    u = solve_triangular(L, M[1] - M[0], lower=True)
    half_log_det = _half_log_det(L) - s * _half_log_det(L_0) - (1 - s) * _half_log_det(L_1)
    return float(np.exp(-0.5 * s * (1 - s) * (u @ u) - half_log_det))  # bayes-decision-chernoff-gaussian


def _half_log_det(L: FloatArray) -> float:
    return float(np.log(np.diag(L)).sum())


def error_bounds(coefficient: Callable[[float], float], priors: ArrayLike) -> ErrorBounds:
    """Bounds of the Bayes error from the coefficients of Chernoff.

    Implements :eq:`bayes-decision-chernoff-bound`, :eq:`bayes-decision-bhattacharyya` and
    :eq:`bayes-decision-lower-bound`.

    Parameters
    ----------
    coefficient : callable
        The coefficient for an exponent s of class 1, such as :func:`chernoff_coefficient` with its distributions.
    priors : (2,) array
        Both positive.

    Returns
    -------
    ErrorBounds

    Raises
    ------
    ValueError
        If ``priors`` is not positive with sum 1.

    Notes
    -----
    The logarithm of the bound is a convex function of s, so a grid that closes in on its least point finds the
    minimum; 0 < s < 1.

    Examples
    --------
    >>> bounds = error_bounds(lambda s: chernoff_coefficient([0.5, 0.5], [0.1, 0.9], s), [0.5, 0.5])
    >>> round(bounds.lower, 3), round(bounds.chernoff, 3)  # the Bayes error is 0.3
    (0.276, 0.447)
    """
    pi = check_distribution(priors, "priors", (2,), positive=True)

    def bound(s: float) -> float:
        return float(pi[0] ** (1 - s) * pi[1] ** s * coefficient(s))  # bayes-decision-chernoff-bound

    half = bound(0.5)  # bayes-decision-bhattacharyya
    lower = 0.5 - np.sqrt(max(0.0, 0.25 - half**2))  # bayes-decision-lower-bound
    s, reach = 0.5, 0.5
    for _ in range(12):
        grid = np.clip(np.linspace(s - reach, s + reach, 11), 1e-9, 1 - 1e-9)
        s = float(grid[int(np.argmin([bound(float(t)) for t in grid]))])
        reach /= 5
    return ErrorBounds(float(lower), half, min(bound(s), half), s)


def _exponent(s: float) -> float:
    value = check_real(s, "s")
    if value > 1:
        raise ValueError(f"s must be from 0 to 1, got {s!r}.")
    return value

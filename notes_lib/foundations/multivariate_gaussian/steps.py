"""Step functions of the chapter *The multivariate Gaussian*, in the order of its derivation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc, gammaincinv

from notes_lib.checks import (
    FloatArray,
    check_integer,
    check_matrix,
    check_real,
)
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.foundations.linear_algebra.checks import symmetric
from notes_lib.foundations.linear_algebra.reduction import definite_factor
from notes_lib.foundations.multivariate_gaussian.checks import in_range, split
from notes_lib.numerics import NotPositiveDefiniteError


class MultivariateFit(NamedTuple):
    """Result of :func:`gaussian_mle_multivariate`: ``mean`` (d,) and ``covariance`` (d, d), divisor n."""

    mean: FloatArray
    covariance: FloatArray


def ellipsoid_probability(radius: ArrayLike, d: int) -> FloatArray | float:
    """Probability that a Gaussian vector lies within a Mahalanobis distance; :eq:`multivariate-gaussian-coverage`.

    Parameters
    ----------
    radius : number or array, >= 0
    d : int
        Number of variables.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not a positive integer or a radius is negative or NaN.

    Examples
    --------
    >>> [round(ellipsoid_probability(2.0, d), 3) for d in (1, 2, 10)]
    [0.954, 0.865, 0.053]
    """
    r = np.asarray(radius, dtype=float)
    if not (r >= 0).all():
        raise ValueError(f"radius must not be negative or NaN, got {radius!r}.")
    probability = gammainc(check_integer(d, "d") / 2, r**2 / 2)  # multivariate-gaussian-coverage
    return float(probability) if r.ndim == 0 else probability


def ellipsoid_radius(probability: float, d: int) -> float:
    """Mahalanobis distance within which a Gaussian vector lies with a given probability.

    The inverse of :func:`ellipsoid_probability`, :eq:`multivariate-gaussian-coverage`.

    Raises TypeError or ValueError if ``d`` is not a positive integer or ``probability`` is not from 0 to below 1.

    Examples
    --------
    >>> round(ellipsoid_radius(0.95, 2), 3)
    2.448
    """
    share = check_real(probability, "probability")
    if share >= 1:
        raise ValueError(f"probability must be from 0 to below 1, got {probability}: no ellipsoid holds everything.")
    return float(np.sqrt(2 * gammaincinv(check_integer(d, "d") / 2, share)))


def gaussian_mle_multivariate(X: ArrayLike) -> MultivariateFit:
    """Mean and covariance with divisor n, the maximum of the likelihood; :eq:`multivariate-gaussian-mle`.

    Parameters
    ----------
    X : (n, d) array
        Independent points as rows; n > d, no column constant, none a linear function of the others.

    Returns
    -------
    MultivariateFit
        ``mean`` (d,), ``covariance`` (d, d). The unbiased covariance is ``covariance * n / (n - 1)``,
        :eq:`multivariate-gaussian-bias`.

    Raises
    ------
    ValueError
        If ``X`` is not a finite matrix, or the covariance is singular: the likelihood then has no maximum, it grows
        without bound as the density flattens onto a plane that holds all points. Also if double precision cannot hold
        a variance.

    Notes
    -----
    O(n d^2) time, O(n d) memory. Products are taken of deviations from the mean, in a second pass, so that data far
    from 0 keep their digits.

    Examples
    --------
    >>> gaussian_mle_multivariate([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    MultivariateFit(mean=array([1., 1.]), covariance=array([[1., 0.],
           [0., 1.]]))
    """
    X = check_matrix(X, "X")
    n, d = X.shape
    constant = np.flatnonzero(X.max(axis=0) == X.min(axis=0))
    if n <= d or constant.size:
        cause = f"{n} rows for {d} columns" if n <= d else f"column {constant[0]} is constant"
        remedy = f"take at least {d + 1} rows or fewer columns" if n <= d else "remove it"
        raise ValueError(f"the covariance of X is singular, so the likelihood has no maximum: {cause}; {remedy}.")
    mu = X.mean(axis=0)
    D = in_range(X - mu)
    Sigma = D.T @ D / n  # multivariate-gaussian-mle
    try:
        definite_factor(Sigma, "the covariance of X")
    except NotPositiveDefiniteError as error:
        raise ValueError(
            "the covariance of X is singular, so the likelihood has no maximum: to rounding, column "
            f"{error.index} is a linear function of those before it; remove it."
        ) from error
    return MultivariateFit(mu, Sigma)


def conditional_gain(covariance: ArrayLike, given: ArrayLike) -> FloatArray:
    """Coefficients of the regression of the other variables on the given ones; :eq:`multivariate-gaussian-gain`.

    Parameters
    ----------
    covariance : (d, d) array
        Symmetric; the block of the given variables positive definite.
    given : (q,) array of int, or int
        Numbers of the known variables, from 0; not all.

    Returns
    -------
    (d - q, q) array
        Row i: how much the expectation of the i-th remaining variable (ascending order) moves with each given one.

    Raises
    ------
    ValueError
        If ``covariance`` is not symmetric, ``given`` is not as above, or its block is singular.

    Notes
    -----
    O(q^3 / 3 + q^2 d) time.

    Examples
    --------
    >>> conditional_gain([[4.0, 2.0], [2.0, 5.0]], 0)
    array([[0.5]])
    """
    Sigma = symmetric(covariance, "covariance")
    b, a = split(given, len(Sigma))
    return cholesky_solve(Sigma[np.ix_(b, b)], Sigma[np.ix_(b, a)]).T  # multivariate-gaussian-gain

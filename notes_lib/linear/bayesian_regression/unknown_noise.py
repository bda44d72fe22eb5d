"""The conjugate model in which the variance of the noise is unknown too, and its Student t prediction."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve, solve_triangular

from notes_lib.checks import FloatArray, check_data, check_positive, check_symmetric, check_vector
from notes_lib.linear.bayesian_regression.steps import check_rows
from notes_lib.numerics import cholesky_factor


class NormalInverseGamma(NamedTuple):
    """Joint distribution of weights and noise variance: ``w | v ~ N(mean, v inv(precision))``, ``1/v ~ Gamma(a, b)``.

    ``mean`` (d,); ``precision`` (d, d), in units of the noise's; ``a`` and ``b``, shape and rate, positive.
    """

    mean: FloatArray
    precision: FloatArray
    a: float
    b: float


class StudentPredictive(NamedTuple):
    """Student t distribution at each row: degrees of freedom ``df``, ``location`` (m,) and ``scale`` (m,)."""

    df: float
    location: FloatArray
    scale: FloatArray


def normal_inverse_gamma_update(prior: NormalInverseGamma, X: ArrayLike, y: ArrayLike) -> NormalInverseGamma:
    """Posterior of weights and noise variance after the rows; :eq:`bayesian-regression-nig`.

    Parameters
    ----------
    prior : NormalInverseGamma
    X : (n, d) array
    y : (n,) array

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a value is not finite, ``a`` or ``b`` is not positive, or ``precision`` is not
        symmetric positive definite.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> prior = NormalInverseGamma([0.0], [[1.0]], 1.0, 1.0)
    >>> after = normal_inverse_gamma_update(prior, [[1.0], [1.0]], [3.0, 6.0])
    >>> after.mean, after.a, round(after.b, 6)
    (array([3.]), 2.0, 10.0)
    """
    m, P, a, b = _checked(prior)
    X, y = check_data(check_rows(X, len(m)), y)
    precision = P + X.T @ X
    mean = cho_solve((cholesky_factor(precision, "precision"), True), P @ m + X.T @ y)
    e, moved = y - X @ mean, mean - m
    return NormalInverseGamma(mean, precision, a + len(X) / 2, float(b + (e @ e + moved @ P @ moved) / 2))


def student_predictive(X: ArrayLike, weights: NormalInverseGamma) -> StudentPredictive:
    """Predictive distribution of new targets; :eq:`bayesian-regression-student`.

    Parameters
    ----------
    X : (m, d) array
        New rows.
    weights : NormalInverseGamma
        Posterior, or prior, of weights and noise.

    Raises
    ------
    TypeError, ValueError
        As :func:`normal_inverse_gamma_update`.

    Notes
    -----
    O(m d^2 + d^3) time.

    Examples
    --------
    >>> told = student_predictive([[1.0]], NormalInverseGamma([3.0], [[3.0]], 2.0, 6.0))
    >>> told.df, told.location, told.scale
    (4.0, array([3.]), array([2.]))
    """
    m, P, a, b = _checked(weights)
    X = check_rows(X, len(m))
    half = solve_triangular(cholesky_factor(P, "precision"), X.T, lower=True)
    return StudentPredictive(2 * a, X @ m, np.sqrt(b / a * (1 + np.einsum("dn,dn->n", half, half))))


def _checked(weights: NormalInverseGamma) -> NormalInverseGamma:
    m = check_vector(weights.mean, "mean")
    P = check_symmetric(weights.precision, "precision")
    if len(P) != len(m):
        raise ValueError(f"precision must have one row for each weight, {len(m)}, got shape {P.shape}.")
    return NormalInverseGamma(m, P, check_positive(weights.a, "a"), check_positive(weights.b, "b"))

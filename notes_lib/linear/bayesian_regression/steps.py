"""Posterior of the weights and predictive distribution, for known precisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve

from notes_lib.checks import FloatArray, check_data, check_integer, check_matrix, check_positive
from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian
from notes_lib.numerics import cholesky_factor


class Predictive(NamedTuple):
    """Predictive distribution at each row: ``mean`` (m,), variance ``noise`` (a number) plus ``ignorance`` (m,)."""

    mean: FloatArray
    noise: float
    ignorance: FloatArray

    @property
    def std(self) -> FloatArray:
        """Standard deviation of a new target at each row (m,)."""
        return np.sqrt(self.noise + self.ignorance)


def weight_prior(d: int, alpha: float) -> MultivariateGaussian:
    """Prior of ``d`` weights with mean 0 and precision ``alpha`` each; :eq:`bayesian-regression-prior`.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, or ``alpha`` is not a positive number.

    Examples
    --------
    >>> weight_prior(1, 4.0)
    MultivariateGaussian(mean=array([0.]), covariance=array([[0.25]]))
    """
    d, alpha = check_integer(d, "d"), check_positive(alpha, "alpha")
    return MultivariateGaussian(np.zeros(d), np.eye(d) / alpha)


def update_weights(prior: MultivariateGaussian, X: ArrayLike, y: ArrayLike, beta: float) -> MultivariateGaussian:
    """Posterior of the weights after more rows; :eq:`bayesian-regression-sequential`.

    Parameters
    ----------
    prior : MultivariateGaussian
        Of d weights: what was known before these rows, perhaps the posterior after others.
    X : (n, d) array
        With a column of ones if the line has an intercept.
    y : (n,) array
    beta : float
        Precision of the noise, 1 / variance.

    Returns
    -------
    MultivariateGaussian

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a value is not finite, or ``beta`` is not positive.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> update_weights(weight_prior(1, 1.0), [[1.0], [1.0]], [3.0, 6.0], 1.0).mean
    array([3.])
    """
    X, y = check_data(check_rows(X, len(prior.mean)), y)
    beta = check_positive(beta, "beta")
    precision = prior.precision
    A = precision + beta * X.T @ X
    L = cholesky_factor((A + A.T) / 2, "precision")
    mean = cho_solve((L, True), precision @ prior.mean + beta * X.T @ y)  # bayesian-regression-sequential
    covariance = cho_solve((L, True), np.eye(len(L)))
    return MultivariateGaussian(mean, (covariance + covariance.T) / 2)


def weight_posterior(X: ArrayLike, y: ArrayLike, alpha: float, beta: float) -> MultivariateGaussian:
    """Posterior of the weights; :eq:`bayesian-regression-posterior`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    alpha, beta : float
        Precision of each weight in the prior, and of the noise.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or a precision is not positive.

    Notes
    -----
    O(n d^2 + d^3) time. Its mean is the ridge estimate with penalty ``alpha / beta``.

    Examples
    --------
    >>> weight_posterior([[1.0, 0.0], [1.0, 1.0]], [1.0, 3.0], 1.0, 1.0).mean
    array([1., 1.])
    """
    X, y = check_data(X, y)
    return update_weights(weight_prior(X.shape[1], alpha), X, y, beta)


def predictive(X: ArrayLike, weights: MultivariateGaussian, beta: float) -> Predictive:
    """Predictive distribution of new targets; :eq:`bayesian-regression-predictive`.

    Parameters
    ----------
    X : (m, d) array
        New rows.
    weights : MultivariateGaussian
        Posterior (or prior) of the weights.
    beta : float
        Precision of the noise.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or ``beta`` is not positive.

    Notes
    -----
    O(m d^2) time.

    Examples
    --------
    >>> told = predictive([[2.0]], weight_prior(1, 1.0), 4.0)
    >>> told.mean, told.noise, told.ignorance
    (array([0.]), 0.25, array([4.]))
    """
    X = check_rows(X, len(weights.mean))
    beta = check_positive(beta, "beta")
    half = X @ cholesky_factor(weights.covariance, "covariance")
    return Predictive(X @ weights.mean, 1 / beta, np.einsum("nd,nd->n", half, half))


def predictive_covariance(X: ArrayLike, weights: MultivariateGaussian, beta: float) -> FloatArray:
    """Joint covariance (m, m) of new targets at all rows; :eq:`bayesian-regression-process`.

    Raises
    ------
    TypeError, ValueError
        As :func:`predictive`.

    Notes
    -----
    O(m d^2 + m^2 d) time.

    Examples
    --------
    >>> predictive_covariance([[1.0], [2.0]], weight_prior(1, 1.0), 4.0)
    array([[1.25, 2.  ],
           [2.  , 4.25]])
    """
    half = check_rows(X, len(weights.mean)) @ cholesky_factor(weights.covariance, "covariance")
    return half @ half.T + np.eye(len(half)) / check_positive(beta, "beta")


def check_rows(X: ArrayLike, d: int) -> FloatArray:
    """Rows with one column for each of ``d`` weights."""
    X = check_matrix(X, "X")
    if X.shape[1] != d:
        raise ValueError(f"X must have {d} columns, one for each weight, got {X.shape[1]}.")
    return X

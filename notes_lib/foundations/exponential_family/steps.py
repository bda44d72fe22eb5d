"""Generalised linear models step by step, and the distribution of largest entropy with given moments.

A model's ``family`` is one of :class:`Bernoulli`, :class:`Poisson` and :class:`UnitGaussian`; its link is canonical, so
that the natural parameter of datum n is the inner product of row n of X with w.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, check_matrix, check_vector
from notes_lib.foundations.descent import newton

FLOOR = 1e-14  # smallest weight of a datum in a Newton step; it changes the step, never where the gradient is zero


class MaximumEntropy(NamedTuple):
    """Result of :func:`maximum_entropy`: ``p`` (m,), ``eta`` (k,) and ``entropy``, in nats."""

    p: FloatArray
    eta: FloatArray
    entropy: float


def glm_log_likelihood(w: ArrayLike, X: ArrayLike, y: ArrayLike, family: Any) -> float:
    """Log-likelihood without the terms log h(y), which do not depend on w; :eq:`exponential-family-glm-likelihood`.

    Parameters
    ----------
    w : (d,) array
    X : (n, d) array
        One row a datum; a column of ones for the intercept.
    y : (n,) array
    family : Bernoulli, Poisson or UnitGaussian

    Examples
    --------
    >>> from notes_lib.foundations.exponential_family import Poisson
    >>> glm_log_likelihood([0.0], [[1.0], [1.0]], [2.0, 0.0], Poisson())
    -2.0
    """
    eta = np.asarray(X) @ np.asarray(w)
    with np.errstate(over="ignore"):  # a step that is too long: minus infinity, and the step is halved
        return float(np.sum(y * eta - family.log_partition(eta)))  # exponential-family-glm-likelihood


def glm_gradient(w: ArrayLike, X: ArrayLike, y: ArrayLike, family: Any) -> FloatArray:
    """Gradient (d,) of the log-likelihood; :eq:`exponential-family-glm-gradient`. Arguments as there."""
    X = np.asarray(X)
    return X.T @ (y - family.mean_parameter(X @ np.asarray(w)))  # exponential-family-glm-gradient


def glm_hessian(w: ArrayLike, X: ArrayLike, family: Any) -> FloatArray:
    """Hessian (d, d) of the log-likelihood, never indefinite; :eq:`exponential-family-glm-hessian`."""
    X = np.asarray(X)
    W = family.covariance(X @ np.asarray(w))  # (n,)
    return -(X.T * W) @ X  # exponential-family-glm-hessian


def irls_step(w: ArrayLike, X: ArrayLike, y: ArrayLike, family: Any, penalty: ArrayLike = 0.0) -> FloatArray:
    """One full Newton step, computed as a weighted least-squares problem; :eq:`exponential-family-irls`.

    Parameters
    ----------
    w, X, y, family
        As in :func:`glm_log_likelihood`.
    penalty : float or (d,) array
        Non-negative; ``penalty * w**2 / 2`` is taken off the log-likelihood.

    Returns
    -------
    (d,) array
        The new w; of several solutions (dependent columns) the one next to the old w.

    Notes
    -----
    O(n d^2) time by a singular value decomposition, which the square of the condition number never enters.

    Examples
    --------
    >>> from notes_lib.foundations.exponential_family import Bernoulli
    >>> irls_step([0.0], [[1.0]] * 4, [1, 1, 1, 0], Bernoulli()).round(6)  # gradient 1, Hessian -1
    array([1.])
    """
    X, w = np.asarray(X, dtype=float), np.asarray(w, dtype=float)
    eta = X @ w
    root = np.sqrt(np.maximum(family.covariance(eta), FLOOR))
    pull = np.sqrt(np.broadcast_to(penalty, w.shape))
    A = np.vstack([root[:, None] * X, np.diag(pull)])
    b = np.concatenate([(y - family.mean_parameter(eta)) / root, -pull * w])
    return w + np.linalg.lstsq(A, b, rcond=None)[0]  # exponential-family-irls


def deviance(y: ArrayLike, eta: ArrayLike, family: Any) -> float:
    """Twice the log-likelihood that is lost against a perfect fit; :eq:`exponential-family-deviance`.

    Parameters
    ----------
    y : (n,) array
    eta : number or (n,) array
        Natural parameters.
    family : Bernoulli, Poisson or UnitGaussian

    Returns
    -------
    float
        Not negative; 0 only if every mean equals its ``y``. For the unit Gaussian the sum of squared residuals.

    Examples
    --------
    >>> from notes_lib.foundations.exponential_family import UnitGaussian
    >>> deviance([1.0, 2.0], [0.0, 0.0], UnitGaussian())
    5.0
    """
    y, eta = np.asarray(y, dtype=float), np.asarray(eta, dtype=float)
    return float(2 * np.sum(family.dual(y) + family.log_partition(eta) - y * eta))  # exponential-family-deviance


def maximum_entropy(statistics: ArrayLike, moments: ArrayLike) -> MaximumEntropy:
    """Distribution on m points of largest entropy among those with given moments; :eq:`exponential-family-maxent`.

    Parameters
    ----------
    statistics : (m, k) array
        Values of k statistics at the m points.
    moments : (k,) array
        What their means must be.

    Returns
    -------
    MaximumEntropy

    Raises
    ------
    ValueError
        If no distribution that is positive on all points has these moments, or a shape is wrong.

    Notes
    -----
    Newton's method on the convex dual, O(m k^2) a step.

    Examples
    --------
    >>> maximum_entropy([[1], [2], [3], [4], [5], [6]], [3.5]).p.round(4)
    array([0.1667, 0.1667, 0.1667, 0.1667, 0.1667, 0.1667])
    """
    T = check_matrix(statistics, "statistics")
    t = check_vector(moments, "moments", T.shape[1])
    centred = T - t
    p_of = lambda eta: np.exp(centred @ eta - logsumexp(centred @ eta))

    def hessian(eta: FloatArray) -> FloatArray:
        mean = p_of(eta) @ centred
        return (centred.T * p_of(eta)) @ centred - np.outer(mean, mean)

    scale = np.abs(centred).max()
    with warnings.catch_warnings():  # whether the moments were reached is judged below
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = newton(
            lambda eta: float(logsumexp(centred @ eta)),
            np.zeros(T.shape[1]),
            lambda eta: p_of(eta) @ centred,
            hessian,
            tol=1e-13 * scale,
        )
    p = p_of(found.x)  # exponential-family-maxent
    if np.abs(p @ centred).max() > 0.1 * scale * p.min():  # at a border a probability goes to 0 with the gap
        raise ValueError(
            f"no distribution that is positive on all points has the moments {t.tolist()}: they must lie strictly "
            "inside the convex hull of the rows of statistics."
        )
    return MaximumEntropy(p, found.x, float(-p @ np.log(p)))

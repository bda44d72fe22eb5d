"""Score, information, the Cramer-Rao bound and standard errors, in the order of the chapter *Inference*."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_numbers, check_symmetric, check_vector
from notes_lib.foundations.descent import numerical_hessian
from notes_lib.foundations.inference.checks import check_information
from notes_lib.numerics import central_difference

LogDensity = Callable[[FloatArray, FloatArray], FloatArray]


def score(log_density: LogDensity, theta: ArrayLike, x: ArrayLike, h: float = 1e-5) -> FloatArray:
    """Derivative of the log-density by the parameters, by central differences; :eq:`inference-score`.

    Parameters
    ----------
    log_density : callable
        ``log_density(theta, x)`` takes a (d,) and an (m, ...) array and returns (m,): one value for each outcome.
    theta : number or (d,) array
        Where the derivative is taken; both sides of it must be allowed parameters.
    x : (m, ...) array
        Outcomes.
    h : float
        Relative step.

    Returns
    -------
    (m, d) array

    Raises
    ------
    ValueError
        If ``theta`` is not finite, or the log-density is not one finite number for each outcome near ``theta``.

    Examples
    --------
    >>> score(lambda theta, x: x * np.log(theta) - theta, 2.0, [0, 2, 5]).round(6)  # Poisson: x / theta - 1
    array([[-1. ],
           [ 0. ],
           [ 1.5]])
    """
    theta, x = check_vector(np.atleast_1d(theta), "theta"), np.asarray(x)

    def values(theta: FloatArray) -> FloatArray:
        found = np.asarray(log_density(theta, x), dtype=float)
        if found.shape != x.shape[:1]:
            raise ValueError(f"log_density must give {len(x)} numbers, one for each outcome, got shape {found.shape}.")
        return found

    scores = np.column_stack(list(central_difference(values, theta, h)))
    if not np.isfinite(scores).all():
        raise ValueError("log_density is not finite near theta: move theta off the border of its range.")
    return scores


def fisher_information(
    log_density: LogDensity, theta: ArrayLike, x: ArrayLike, weights: ArrayLike = 1.0, h: float = 1e-5
) -> FloatArray:
    """Expected product of the scores of one observation; :eq:`inference-information-matrix`.

    Parameters
    ----------
    log_density, theta, h
        As in :func:`score`.
    x : (m, ...) array
        All outcomes that matter: every value of a discrete variable, or the nodes of a rule of integration.
    weights : number or (m,) array
        1 for a discrete variable; else the weights of the rule, such as the width of the grid.

    Returns
    -------
    (d, d) array
        Of n independent observations it is n times this, :eq:`inference-information-adds`.

    Raises
    ------
    ValueError
        As in :func:`score`, and if the probabilities of the outcomes do not sum to 1 (to 1e-6).

    Notes
    -----
    2 d evaluations of the log-density on all outcomes. Outcomes of probability 0 are left out.

    Examples
    --------
    >>> bernoulli = lambda p, x: np.log(np.where(x == 1, p, 1 - p))
    >>> fisher_information(bernoulli, 0.2, [0, 1]).round(6)  # 1 / (0.2 * 0.8)
    array([[6.25]])
    """
    theta, x = check_vector(np.atleast_1d(theta), "theta"), np.asarray(x)
    p = np.exp(np.asarray(log_density(theta, x), dtype=float)) * check_numbers(weights, "weights")
    if not abs(p.sum() - 1) <= 1e-6:
        raise ValueError(
            f"the probabilities of x sum to {p.sum():.6g}, not to 1: list all outcomes, or refine the grid and pass "
            "its widths as weights."
        )
    s = score(log_density, theta, x[p > 0], h)
    return s.T @ (p[p > 0, None] * s)  # inference-information-matrix


def observed_information(log_likelihood: Callable[[FloatArray], float], theta: ArrayLike) -> FloatArray:
    """Minus the second derivative of a log-likelihood, numerically; :eq:`inference-observed`.

    Parameters
    ----------
    log_likelihood : callable
        (d,) array to a number: the log-likelihood of all data.
    theta : number or (d,) array
        The maximiser.

    Returns
    -------
    (d, d) array

    Raises
    ------
    ValueError
        If ``theta`` or the log-likelihood near it is not finite.

    Examples
    --------
    >>> observed_information(lambda theta: 6 * np.log(theta[0]) - 3 * theta[0], 2.0).round(4)  # 6 / theta^2
    array([[1.5]])
    """
    return -numerical_hessian(log_likelihood, np.atleast_1d(theta))  # inference-observed


def delta_method(jacobian: ArrayLike, covariance: ArrayLike) -> FloatArray:
    """Covariance of a smooth function of an estimate, to first order; :eq:`inference-delta`.

    Parameters
    ----------
    jacobian : number, (d,) or (k, d) array
        Derivatives of the k functions by the d parameters, at the estimate.
    covariance : number or (d, d) array
        Of the estimate.

    Returns
    -------
    (k, k) array

    Raises
    ------
    TypeError, ValueError
        If an entry is no finite number, ``covariance`` is not symmetric, or the shapes do not fit.

    Examples
    --------
    >>> delta_method([2.0, 1.0], [[0.5, 0.0], [0.0, 1.0]])
    array([[3.]])
    """
    J = np.atleast_2d(check_numbers(jacobian, "jacobian"))
    C = check_symmetric(np.atleast_2d(check_numbers(covariance, "covariance")), "covariance")
    if J.ndim != 2 or J.shape[1] != len(C):
        raise ValueError(f"jacobian must have {len(C)} columns, one for each parameter, got shape {J.shape}.")
    return J @ C @ J.T


def cramer_rao_bound(information: ArrayLike, jacobian: ArrayLike | None = None) -> FloatArray:
    """Lower bound for the covariance of an estimator with a given expectation; :eq:`inference-cramer-rao-matrix`.

    Parameters
    ----------
    information : number or (d, d) array
        Fisher information of all data.
    jacobian : number or (k, d) array, optional
        Derivative of the estimator's expectation by the parameters: the identity for an unbiased estimate of theta,
        1 + b'(theta) with a bias b.

    Returns
    -------
    (k, k) array
        The covariance of the estimator, less this matrix, is positive semi-definite.

    Raises
    ------
    TypeError, ValueError
        As in :func:`delta_method`, and if ``information`` is not positive definite.

    Examples
    --------
    >>> cramer_rao_bound(100 / (0.2 * 0.8))  # 100 throws of a coin
    array([[0.0016]])
    """
    least = np.linalg.inv(check_information(information))
    return delta_method(np.eye(len(least)) if jacobian is None else jacobian, least)


def standard_errors(information: ArrayLike) -> FloatArray:
    """Standard errors of maximum-likelihood estimates; :eq:`inference-standard-error`.

    Parameters
    ----------
    information : number or (d, d) array
        Expected or observed information of all data, at the estimate.

    Returns
    -------
    (d,) array

    Raises
    ------
    TypeError, ValueError
        If ``information`` is no symmetric positive definite matrix of numbers.

    Examples
    --------
    >>> standard_errors([[4.0, 0.0], [0.0, 25.0]])
    array([0.5, 0.2])
    """
    return np.sqrt(np.diag(cramer_rao_bound(information)))

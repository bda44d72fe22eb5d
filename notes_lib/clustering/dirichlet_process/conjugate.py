"""A Gaussian whose mean and covariance are unknown: the conjugate prior, its posterior, the density of the next row."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack
from scipy.special import gammaln, multigammaln

from notes_lib.checks import FloatArray
from notes_lib.clustering.dirichlet_process.checks import check_prior, check_rows


class NormalInverseWishart(NamedTuple):
    """``Sigma ~ IW(degrees_of_freedom, scale)`` and ``mu | Sigma ~ N(mean, Sigma / mean_precision)``.

    Implements :eq:`dirichlet-process-niw`. ``mean`` (d,); ``mean_precision`` > 0 counts like rows that lie at the mean;
    ``degrees_of_freedom`` > d - 1; ``scale`` (d, d), symmetric positive definite, so that the expected covariance is
    ``scale / (degrees_of_freedom - d - 1)`` where that is positive.
    """

    mean: FloatArray
    mean_precision: float
    degrees_of_freedom: float
    scale: FloatArray


def niw_posterior(prior: NormalInverseWishart, X: ArrayLike) -> NormalInverseWishart:
    """Posterior of mean and covariance after the rows of X; :eq:`dirichlet-process-update`.

    Parameters
    ----------
    prior : NormalInverseWishart
    X : (n, d) array
        No row leaves the prior as it is.

    Returns
    -------
    NormalInverseWishart

    Raises
    ------
    ValueError, TypeError
        If the prior is no such distribution, or X has another width or holds NaN or inf.

    Notes
    -----
    O(n d^2) time. Source: Murphy (2012), section 4.6.3.

    Examples
    --------
    >>> after = niw_posterior(NormalInverseWishart([0.0], 1.0, 1.0, [[1.0]]), [[1.0], [2.0]])
    >>> after.mean, after.mean_precision, after.degrees_of_freedom, after.scale
    (array([1.]), 3.0, 3.0, array([[3.]]))
    """
    prior = NormalInverseWishart(*check_prior(*prior))
    return posterior_of(prior, check_rows(X, len(prior.mean)))


def posterior_of(prior: NormalInverseWishart, X: FloatArray) -> NormalInverseWishart:
    """:func:`niw_posterior` of arguments that are known to fit."""
    if not len(X):
        return prior
    m0, kappa0, nu0, Psi0 = prior
    n, mean = len(X), X.mean(axis=0)
    D, off = X - mean, mean - m0
    kappa = kappa0 + n
    return NormalInverseWishart(
        m0 + n / kappa * off, kappa, nu0 + n, Psi0 + D.T @ D + kappa0 * n / kappa * np.outer(off, off)
    )  # dirichlet-process-update


def log_evidence(X: ArrayLike, prior: NormalInverseWishart) -> float:
    """Log-density of all rows of X together, mean and covariance integrated out; :eq:`dirichlet-process-evidence`.

    Parameters
    ----------
    X : (n, d) array
        No row gives 0.
    prior : NormalInverseWishart

    Returns
    -------
    float, nats

    Raises
    ------
    ValueError, TypeError
        As :func:`niw_posterior`.

    Notes
    -----
    O(n d^2 + d^3) time. Source: Murphy (2012), equation 5.29.

    Examples
    --------
    >>> round(log_evidence([[0.0]], NormalInverseWishart([0.0], 1.0, 1.0, [[1.0]])), 4)  # a Cauchy density
    -1.4913
    """
    prior = NormalInverseWishart(*check_prior(*prior))
    X = check_rows(X, len(prior.mean))
    return evidence_of(posterior_of(prior, X), prior, X.size)


def evidence_of(posterior: NormalInverseWishart, prior: NormalInverseWishart, numbers: int) -> float:
    """The log-evidence of n rows of d from both normalisers; ``numbers`` is n d."""
    return float(log_normaliser(posterior) - log_normaliser(prior) - 0.5 * numbers * np.log(np.pi))


def log_normaliser(p: NormalInverseWishart) -> float:
    """What of the integral of prior times likelihood depends on the parameters, in nats."""
    d, nu = len(p.mean), p.degrees_of_freedom
    log_det = np.linalg.slogdet(p.scale)[1]
    return float(multigammaln(nu / 2, d) - 0.5 * nu * log_det - 0.5 * d * np.log(p.mean_precision))


def log_predictive(X: ArrayLike, p: NormalInverseWishart) -> FloatArray:
    """Log-density of each row of X by itself, mean and covariance integrated out; :eq:`dirichlet-process-predictive`.

    A Student t with ``degrees_of_freedom - d + 1`` degrees of freedom: of a new row if ``p`` is a posterior.

    Parameters
    ----------
    X : (n, d) array
    p : NormalInverseWishart

    Returns
    -------
    (n,) array, nats

    Raises
    ------
    ValueError, TypeError
        As :func:`niw_posterior`.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> log_predictive([[0.0], [1.0]], NormalInverseWishart([0.0], 1.0, 1.0, [[1.0]])).round(4)
    array([-1.4913, -1.8968])
    """
    p = NormalInverseWishart(*check_prior(*p))
    return predictive_of(check_rows(X, len(p.mean)), p)


def predictive_of(X: FloatArray, p: NormalInverseWishart) -> FloatArray:
    """:func:`log_predictive` of arguments that are known to fit."""
    spread, log_det = distances(X, p)
    return log_new(spread, log_det, p)


def distances(X: FloatArray, p: NormalInverseWishart) -> tuple[FloatArray, float]:
    """``(x - m)^T Psi^-1 (x - m)`` of each row, and ``log|Psi|``."""
    L, _ = lapack.dpotrf(p.scale, lower=1)
    Y, _ = lapack.dtrtrs(L, (X - p.mean).T, lower=1)  # (d, n)
    return np.einsum("ij,ij->j", Y, Y), 2 * float(np.log(np.diag(L)).sum())


def log_new(spread: FloatArray, log_det: float, p: NormalInverseWishart) -> FloatArray:
    """Log-density of rows at these distances that ``p`` does not count yet."""
    kappa, nu, d = p.mean_precision, p.degrees_of_freedom + 1, len(p.mean)
    ratio = kappa / (kappa + 1)
    return _constant(nu, ratio, d) - 0.5 * (log_det + nu * np.log1p(ratio * spread))  # dirichlet-process-predictive


def log_counted(spread: FloatArray, log_det: float, p: NormalInverseWishart) -> FloatArray:
    """Log-density of rows that ``p`` counts, each given the others.

    Taking a row out of ``p`` shrinks the determinant of the scale by ``1 - kappa / (kappa - 1) spread``, so one factor
    serves all rows; :eq:`dirichlet-process-without`.
    """
    kappa, nu, d = p.mean_precision, p.degrees_of_freedom, len(p.mean)
    ratio = (kappa - 1) / kappa
    return _constant(nu, ratio, d) - 0.5 * (log_det - (nu - 1) * np.log1p(-spread / ratio))


def _constant(nu: float, ratio: float, d: int) -> float:
    """What of the log-predictive no row changes; ``nu`` of the posterior with the row."""
    return float(gammaln(nu / 2) - gammaln((nu - d) / 2)) + 0.5 * d * math.log(ratio / math.pi)

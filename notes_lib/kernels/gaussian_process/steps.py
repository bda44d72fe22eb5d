"""Step functions of the chapter *Gaussian processes*: posterior, marginal likelihood with its gradient, draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack, solve_triangular

from notes_lib.checks import FloatArray, check_integer, check_real, check_shape, check_symmetric, check_vector
from notes_lib.numerics import NotPositiveDefiniteError, RandomState, check_rng

EPS = float(np.finfo(float).eps)


class ProcessPosterior(NamedTuple):
    """Distribution of the function at m new points: ``mean`` (m,) and ``covariance`` (m, m), without noise."""

    mean: FloatArray
    covariance: FloatArray


class MarginalLikelihood(NamedTuple):
    """Log marginal likelihood ``value`` with two of its three terms: ``fit`` and ``complexity``.

    The third one is ``-n/2 log(2 pi)``.
    """

    value: float
    fit: float
    complexity: float


def gp_posterior(
    K: ArrayLike, K_cross: ArrayLike, K_new: ArrayLike, y: ArrayLike, noise: float = 0.0
) -> ProcessPosterior:
    """Posterior of a Gaussian process of mean 0; :eq:`gaussian-process-mean`, :eq:`gaussian-process-covariance`.

    Parameters
    ----------
    K : (n, n) array
        Prior covariance of the function at the training points.
    K_cross : (m, n) array
        Between the m new points and the training points.
    K_new : (m, m) array
        Of the new points.
    y : (n,) array
        Targets: the function with independent noise.
    noise : float
        Variance of the noise, not negative.

    Returns
    -------
    ProcessPosterior
        Of the function itself: add ``noise`` to the variances for a new target,
        :eq:`gaussian-process-target-variance`.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit or a number is not finite, if ``K`` is not symmetric, ``noise`` negative, or the
        training points repeat each other without noise.

    Notes
    -----
    O(n^3 / 3 + n^2 m + n m^2) time.

    Examples
    --------
    >>> told = gp_posterior([[1.0]], [[0.5]], [[1.0]], [2.0], noise=1.0)
    >>> told.mean, told.covariance
    (array([0.5]), array([[0.875]]))
    """
    K, y = _system(K, y)
    K_new = check_symmetric(K_new, "K_new")
    K_cross = check_shape(K_cross, "K_cross", (len(K_new), len(y)))
    L = factor(K, check_real(noise, "noise"))
    V = solve_triangular(L, K_cross.T, lower=True)  # (n, m), gaussian-process-cholesky
    z = solve_triangular(L, y, lower=True)
    return ProcessPosterior(V.T @ z, K_new - V.T @ V)


def log_marginal_likelihood(K: ArrayLike, y: ArrayLike) -> MarginalLikelihood:
    """Log density of the targets, the function integrated out; :eq:`gaussian-process-likelihood`.

    Parameters
    ----------
    K : (n, n) array
        Covariance of the targets: with the noise on its diagonal.
    y : (n,) array

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, or ``K`` is not symmetric positive definite.

    Notes
    -----
    O(n^3 / 3) time.

    Examples
    --------
    >>> found = log_marginal_likelihood([[4.0]], [2.0])
    >>> round(found.value, 4), found.fit, round(found.complexity, 4)
    (-2.1121, -0.5, -0.6931)
    """
    K, y = _system(K, y)
    L = factor(K)
    return likelihood_terms(L, y, solve(L, y))


def likelihood_gradient(K: ArrayLike, y: ArrayLike, derivatives: Sequence[ArrayLike]) -> FloatArray:
    """Derivatives of the log marginal likelihood; :eq:`gaussian-process-likelihood-gradient`.

    Parameters
    ----------
    K, y
        As in :func:`log_marginal_likelihood`.
    derivatives : sequence of p (n, n) arrays
        Of K by each parameter, symmetric.

    Returns
    -------
    (p,) array

    Raises
    ------
    ValueError
        As in :func:`log_marginal_likelihood`, and if a derivative is not symmetric of the shape of K.

    Notes
    -----
    O(n^3 + p n^2) time.

    Examples
    --------
    >>> likelihood_gradient([[4.0]], [4.0], [[[1.0]]])  # (y^2 / K^2 - 1 / K) / 2
    array([0.375])
    """
    K, y = _system(K, y)
    parts = [check_shape(check_symmetric(D, "a derivative"), "a derivative", K.shape) for D in derivatives]
    L = factor(K)
    return gradient_terms(L, solve(L, y), parts)


def sample_functions(
    mean: ArrayLike, covariance: ArrayLike, n_samples: int = 1, random_state: RandomState = None
) -> FloatArray:
    """Values of random functions at m points, one column a function; :eq:`gaussian-process-sample`.

    Parameters
    ----------
    mean : (m,) array
    covariance : (m, m) array
        Symmetric positive semi-definite: it may be singular, as that of neighbouring points is to rounding.
    n_samples : int
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (m, n_samples) array

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a number is not finite, or ``covariance`` is not symmetric or has a clearly negative
        eigenvalue.

    Notes
    -----
    O(m^3) time: the symmetric square root, from the eigenvectors. Unlike Cholesky's factor it exists for a singular
    matrix, and unlike other roots it does not depend on the signs of the eigenvectors.

    Examples
    --------
    >>> sample_functions([1.0, 5.0], [[0.0, 0.0], [0.0, 0.0]], 3)
    array([[1., 1., 1.],
           [5., 5., 5.]])
    """
    mean = check_vector(mean, "mean")
    C = check_shape(check_symmetric(covariance, "covariance"), "covariance", (mean.size, mean.size))
    values, U = np.linalg.eigh((C + C.T) / 2)
    if values[0] < -1e-8 * max(abs(values[-1]), np.abs(np.diag(C)).max()):
        raise ValueError(f"covariance must have no negative eigenvalue, got {values[0]:g}: it is no covariance.")
    z = check_rng(random_state).standard_normal((mean.size, check_integer(n_samples, "n_samples")))
    roots = np.sqrt(np.maximum(values, 0.0))
    return mean[:, None] + U @ (roots[:, None] * (U.T @ z))  # gaussian-process-sample


def factor(K: FloatArray, noise: float = 0.0, overwrite: bool = False) -> FloatArray:
    """Lower Cholesky factor of ``K + noise I``; refuses pivots that are rounding errors, and says what to do."""
    A = K if overwrite else K.copy()
    A.flat[:: len(A) + 1] += noise
    variances = A.diagonal().copy()
    L, info = lapack.dpotrf(A.T, lower=1, clean=1, overwrite_a=1)  # A.T: in the order that LAPACK works in place on
    poor = np.array([info - 1]) if info else np.flatnonzero(np.diag(L) ** 2 <= 10 * len(A) * EPS * variances)
    if poor.size:
        raise NotPositiveDefiniteError(
            f"training row {poor[0]} repeats rows before it, or follows from them to rounding, so the covariance is "
            "singular: add noise (a larger alpha, or a WhiteKernel), or remove the row.",
            index=int(poor[0]),
        )
    return np.asarray(L)


def solve(L: FloatArray, y: FloatArray) -> FloatArray:
    """``(L L')^-1 y`` by two triangular systems; :eq:`gaussian-process-cholesky`."""
    return solve_triangular(L, solve_triangular(L, y, lower=True), lower=True, trans=1)


def likelihood_terms(L: FloatArray, y: FloatArray, weights: FloatArray) -> MarginalLikelihood:
    """The terms of :eq:`gaussian-process-likelihood` from the factor of K and ``weights = K^-1 y``."""
    fit, complexity = -0.5 * float(y @ weights), -float(np.log(np.diag(L)).sum())
    value = fit + complexity - 0.5 * len(y) * np.log(2.0 * np.pi)  # gaussian-process-likelihood
    return MarginalLikelihood(float(value), fit, complexity)


def gradient_terms(L: FloatArray, weights: FloatArray, derivatives: Sequence[FloatArray]) -> FloatArray:
    """:eq:`gaussian-process-likelihood-gradient`; traces of products are sums over the entries of one triangle."""
    inverse = lapack.dpotri(L, lower=1)[0]  # of L L'; lower triangle, the other one is 0
    traces = [2 * np.vdot(inverse.T, D) - np.diag(inverse) @ np.diag(D) for D in derivatives]
    squares = [weights @ D @ weights for D in derivatives]
    return 0.5 * (np.array(squares) - np.array(traces))  # gaussian-process-likelihood-gradient


def _system(K: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    y = check_vector(y, "y")
    return check_shape(check_symmetric(K, "K"), "K", (y.size, y.size)), y

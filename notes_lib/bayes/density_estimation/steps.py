"""Step functions of the chapter *Density estimation*, in the order of its derivation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.bayes.density_estimation.windows import log_ball, log_constant, window
from notes_lib.checks import FloatArray, check_counts, check_integer, check_matrix, check_positive, check_shape
from notes_lib.numerics import squared_distances

ENTRIES = 2**17  # of the block of rows times instances that is handled at a time: a megabyte stays in the cache
FAINT = 1e-200  # a sum of exponentials below it may have lost terms to underflow
EXACT = 1e-10  # largest rounding error of a log-kernel that the fast route may have
WIDER = "a window without width counts nothing"


class CountDensity(NamedTuple):
    """Result of :func:`count_density`: the estimate and its estimated standard error."""

    density: Any
    std_error: Any


def count_density(k: ArrayLike, n: int, volume: float) -> CountDensity:
    """Density from a count: K / (N V), with its standard error; :eq:`density-estimation-knv`.

    Parameters
    ----------
    k : number or array of numbers
        How many of the ``n`` instances fell into the region; binomial.
    n : int
    volume : float
        Of the region; positive.

    Returns
    -------
    CountDensity
        ``density`` and ``std_error``, each of the shape of ``k``; :eq:`density-estimation-count-moments`.

    Raises
    ------
    TypeError, ValueError
        If a count is no whole number from 0 to n, or n or the volume is not positive.

    Examples
    --------
    >>> density, error = count_density(20, 100, 0.5)
    >>> float(density), round(float(error), 3)
    (0.4, 0.08)
    """
    N, V = check_integer(n, "n"), check_positive(volume, "volume", "a region without volume holds nothing")
    share = check_counts(k, "k", N) / N
    return CountDensity(share / V, np.sqrt(share * (1 - share) / N) / V)


def kernel_log_density(Q: ArrayLike, X: ArrayLike, bandwidth: float = 1.0, kernel: str = "gaussian") -> FloatArray:
    """Logarithm of the kernel density estimate at the rows of Q; :eq:`density-estimation-kde`.

    Parameters
    ----------
    Q : (m, d) array
        Where the density is wanted.
    X : (n, d) array
        The instances.
    bandwidth : float
        Positive; for the kernels that vanish, half the width of the window.
    kernel : str
        As in :func:`~notes_lib.bayes.density_estimation.smoothing_kernel`.

    Returns
    -------
    (m,) array
        In nats; -inf where no window reaches.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a number is not finite, the bandwidth is not positive, or the kernel is unknown.

    Notes
    -----
    O(m n d) time, memory for one block of rows of Q. Where the exponentials underflow, the sum is taken in the
    log domain, so that the Gaussian kernel is right in the far tail too.

    Examples
    --------
    >>> np.exp(kernel_log_density([[0.0]], [[-0.5], [0.5], [3.0]], 1.0, "tophat")).round(4)
    array([0.3333])
    """
    X = check_matrix(X, "X")
    Q = check_shape(Q, "Q", (None, X.shape[1]))
    h = check_positive(bandwidth, "bandwidth", WIDER)
    return log_mean_window(Q, X, h, kernel) + log_constant(kernel, X.shape[1]) - X.shape[1] * np.log(h)


def log_mean_window(Q: FloatArray, X: FloatArray, h: float, kernel: str) -> FloatArray:
    """Logarithm of the mean profile, without constants, for checked arguments."""
    shift = X.mean(axis=0)
    S = (X - shift) / h
    if kernel == "gaussian" and np.finfo(float).eps * np.einsum("nd,nd->n", S, S).max() < EXACT:
        return _gaussian_log_sums((Q - shift) / h, S) - np.log(len(X))
    sums = np.empty(len(Q))
    for rows in _chunks(len(Q), len(X)):
        sums[rows] = log_sum(window(kernel).log_profile(_exact_squares(Q[rows] / h, X / h)))
    return sums - np.log(len(X))


def _chunks(m: int, n: int) -> Iterator[slice]:
    """Slices of m rows, so many that n columns of them stay in the cache."""
    step = max(ENTRIES // n, 1)
    return (slice(start, start + step) for start in range(0, m, step))


def _gaussian_log_sums(U: FloatArray, S: FloatArray) -> FloatArray:
    """Log of the sum of exp(-|u - s|^2 / 2), the exponents by one product: (u, -|u|^2/2, 1)'(s, 1, -|s|^2/2)."""
    left = np.column_stack([U, -0.5 * np.einsum("nd,nd->n", U, U), np.ones(len(U))])
    right = np.column_stack([S, np.ones(len(S)), -0.5 * np.einsum("nd,nd->n", S, S)]).T
    sums = np.empty(len(U))
    for rows in _chunks(len(U), len(S)):
        exponents = left[rows] @ right
        sums[rows] = np.exp(exponents, out=exponents).sum(axis=1)
    faint = sums < FAINT
    logs = np.log(np.where(faint, 1.0, sums))
    tail = left[faint]
    logs[faint] = np.concatenate([np.empty(0), *(log_sum(tail[r] @ right) for r in _chunks(len(tail), len(S)))])
    return logs


def log_sum(exponents: FloatArray) -> FloatArray:
    """Logarithm of the row sums of the exponentials, -inf for a row of -inf; the argument is overwritten."""
    top = exponents.max(axis=1)
    top[top == -np.inf] = 0.0
    exponents -= top[:, None]
    sums = np.exp(exponents, out=exponents).sum(axis=1)
    with np.errstate(divide="ignore"):
        return np.log(sums) + top


def _exact_squares(U: FloatArray, S: FloatArray) -> FloatArray:
    """Squared distances from the differences themselves: who lies on a window's edge must not depend on rounding."""
    D = np.zeros((len(U), len(S)))
    for u, s in zip(U.T, S.T, strict=True):
        gaps = u[:, None] - s
        gaps *= gaps
        D += gaps
    return D


def knn_log_density(Q: ArrayLike, X: ArrayLike, n_neighbors: int = 5) -> FloatArray:
    """Logarithm of k / (N V), V the smallest ball that holds k instances; :eq:`density-estimation-knn`.

    Parameters
    ----------
    Q : (m, d) array
        Where the density is wanted.
    X : (n, d) array
        The instances.
    n_neighbors : int
        The count k, from 1 to n.

    Returns
    -------
    (m,) array
        In nats; inf where k instances coincide with the row.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a number is not finite, or k is not from 1 to n.

    Notes
    -----
    O(m n d) time. Not the logarithm of a density: the integral diverges.

    Examples
    --------
    >>> np.exp(knn_log_density([[0.0]], [[-1.0], [2.0], [4.0]], 2)).round(4)  # 2 / (3 * 4)
    array([0.1667])
    """
    X = check_matrix(X, "X")
    Q = check_shape(Q, "Q", (None, X.shape[1]))
    k = check_neighbors(n_neighbors, len(X))
    radii = np.empty(len(Q))
    for rows in _chunks(len(Q), len(X)):
        radii[rows] = _distance_to_kth(Q[rows], X, k)
    d = X.shape[1]
    with np.errstate(divide="ignore"):
        return np.log(k / len(X)) - log_ball(d) - d * np.log(radii)


def check_neighbors(n_neighbors: Any, n: int) -> int:
    """A number of neighbours from 1 to n."""
    k = check_integer(n_neighbors, "n_neighbors")
    if k > n:
        raise ValueError(f"n_neighbors must be at most n_samples = {n}, got {k}: lower it or add instances.")
    return k


def _distance_to_kth(Q: FloatArray, X: FloatArray, k: int) -> FloatArray:
    """The k nearest by the fast product, then their distances from the differences, so that equal rows have 0."""
    near = np.argpartition(squared_distances(Q, X), k - 1, axis=1)[:, :k]
    return np.linalg.norm(X[near] - Q[:, None], axis=2).max(axis=1)

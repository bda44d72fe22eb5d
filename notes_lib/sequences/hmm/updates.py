"""The M-step of Baum-Welch: expected counts to probabilities, weighted points to means and covariances."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_distribution, check_integer, check_real, check_shape
from notes_lib.clustering import gmm
from notes_lib.clustering.gmm.precision import covariance_shape
from notes_lib.sequences.hmm import checks


def normalize_counts(counts: ArrayLike, old: ArrayLike) -> FloatArray:
    """Expected counts, row by row, divided by their sum; a row with sum 0 keeps its old values.

    The one M-step of all tables of probabilities: :eq:`hmm-update-startprob`, :eq:`hmm-update-transmat` and
    :eq:`hmm-update-emission`. With the pseudo-counts of a Dirichlet prior added to ``counts`` it is
    :eq:`hmm-update-map`.

    Parameters
    ----------
    counts, old : (K,) or (K, M) arrays
        Non-negative; ``old`` holds distributions.

    Returns
    -------
    array shaped like ``counts``, rows sum to 1

    Raises
    ------
    ValueError
        If the shapes differ, a count is negative or not finite, or ``old`` does not hold distributions.

    Notes
    -----
    O(K M) time and memory.

    Examples
    --------
    >>> normalize_counts([[3.0, 1.0], [0.0, 0.0]], [[0.5, 0.5], [0.2, 0.8]])
    array([[0.75, 0.25],
           [0.2 , 0.8 ]])
    """
    P = check_distribution(old, "old")
    N = checks.check_messages("counts", counts, P.shape)
    total = checks.check_total("counts", N)
    return np.where(total > 0, N / np.where(total > 0, total, 1.0), P)


def symbol_counts(symbols: ArrayLike, posterior: ArrayLike, n_symbols: int) -> FloatArray:
    """Expected number of times that each state emits each symbol, (K, M); numerator of :eq:`hmm-update-emission`.

    Parameters
    ----------
    symbols : (T,) or (T, 1) array of int, from 0 to M - 1
    posterior : (T, K) array
    n_symbols : int
        M.

    Raises
    ------
    ValueError, TypeError
        If a shape is wrong, a symbol is not from 0 to M - 1, or a number of ``posterior`` is negative or not finite.

    Notes
    -----
    O(T K) time.

    Examples
    --------
    >>> symbol_counts([0, 1, 1], [[1.0, 0.0], [0.5, 0.5], [0.25, 0.75]], 2)
    array([[1.  , 0.75],
           [0.  , 1.25]])
    """
    x = checks.check_symbols(symbols)
    gamma = checks.check_table("posterior", posterior, len(x))
    if x.max() >= check_integer(n_symbols, "n_symbols"):
        raise ValueError(f"n_symbols={n_symbols} must be larger than every symbol, and {x.max()} is one.")
    return np.stack([np.bincount(x, weights=gamma[:, k], minlength=n_symbols) for k in range(gamma.shape[1])])


def gaussian_m_step(
    X: ArrayLike,
    posterior: ArrayLike,
    means: ArrayLike,
    covars: ArrayLike,
    covariance_type: str = "diag",
    min_covar: float = 1e-3,
    keep_means: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Weighted means and covariances; :eq:`hmm-update-mean` and :eq:`hmm-update-covariance`.

    The M-step of a Gaussian mixture, with the posterior of the states as responsibilities. Variances ('diag' and
    'spherical') or eigenvalues ('full' and 'tied') below ``min_covar`` are raised to it, which is the maximum under
    that constraint. A state with expected count 0 keeps its old mean and covariance.

    Parameters
    ----------
    X : (T, d) array
    posterior : (T, K) array
    means : (K, d) array
        The old ones.
    covars : array
        The old ones: (K, d) for 'diag', (K, d, d) for 'full', (K,) for 'spherical', (d, d) for 'tied'.
    covariance_type : {'diag', 'full', 'spherical', 'tied'}
    min_covar : float
        In units of X squared.
    keep_means : bool
        Whether the means stay, and the covariances are those about them.

    Returns
    -------
    means, covars : arrays of the shapes given

    Raises
    ------
    ValueError, TypeError
        If a shape is wrong, a number is not finite or its square overflows, a weight or ``min_covar`` is negative, or
        the type is another.

    Notes
    -----
    O(T K d) time for 'diag' and 'spherical', O(T K d^2 + K d^3) for 'full' and 'tied'.

    Examples
    --------
    >>> mu, var = gaussian_m_step([[0.0], [2.0], [9.0]], [[1, 0], [1, 0], [0, 0]], [[5.0], [7.0]], [[1.0], [2.0]])
    >>> mu.ravel(), var.ravel()
    (array([1., 7.]), array([1., 2.]))
    """
    X = checks.check_vectors(X)
    gamma = checks.check_table("posterior", posterior, len(X))
    check_real(min_covar, "min_covar")
    K, d = gamma.shape[1], X.shape[1]
    mu = check_shape(means, "means", (K, d)).copy()
    Sigma = check_shape(covars, "covars", covariance_shape(covariance_type, K, d)).copy()
    alive = gamma.sum(axis=0) > 0
    matrices = covariance_type in ("full", "tied")
    with np.errstate(over="ignore", invalid="ignore"):
        N, m, S = gmm.m_step(X, gamma[:, alive], "full" if matrices else "diag", reg_covar=0.0)
    if keep_means:
        D = m - mu[alive]
        S = S + (D[:, :, None] * D[:, None] if matrices else D * D)
    else:
        mu[alive] = m
    if covariance_type == "tied":
        S = np.tensordot(N / N.sum(), S, axes=1)
    elif covariance_type == "spherical":
        S = S.mean(axis=1)
    if not np.isfinite(S).all():
        raise ValueError("X has entries so large that their squares overflow; rescale its columns.")
    if not matrices:
        S = np.maximum(S, min_covar)
    else:
        values, V = np.linalg.eigh(S)
        S = (V * np.maximum(values, min_covar)[..., None, :]) @ np.swapaxes(V, -1, -2)
        S = (S + np.swapaxes(S, -1, -2)) / 2
    if covariance_type == "tied":
        return mu, S
    Sigma[alive] = S
    return mu, Sigma

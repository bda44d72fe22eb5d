"""Kernel PCA step by step: coefficients, scores, what a reconstruction loses, and points with given features."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import (
    FloatArray,
    check_integer,
    check_matrix,
    check_positive,
    check_real,
    check_shape,
    check_symmetric,
    check_vector,
)
from notes_lib.kernels.kernel_methods import center_kernel, rbf_kernel


class Preimages(NamedTuple):
    """``points`` (m, d), and ``n_iter``, the number of steps."""

    points: FloatArray
    n_iter: int


def normalized_coefficients(eigenvalues: ArrayLike, eigenvectors: ArrayLike) -> FloatArray:
    """Coefficients whose directions have length 1 in feature space; :eq:`kernel-pca-alpha`.

    Parameters
    ----------
    eigenvalues : (k,) array
        Of the centred kernel matrix, not divided by n, none negative.
    eigenvectors : (n, k) array
        Columns of length 1.

    Returns
    -------
    (n, k) array
        Each column divided by the root of its eigenvalue. An eigenvalue of 0 belongs to no direction: its column is 0.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, or an eigenvalue is negative.

    Notes
    -----
    O(n k) time.

    Examples
    --------
    >>> normalized_coefficients([4.0], [[0.6], [-0.8]])
    array([[ 0.3],
           [-0.4]])
    """
    values = check_vector(eigenvalues, "eigenvalues")
    V = check_shape(eigenvectors, "eigenvectors", (None, len(values)))
    if values.min() < 0:
        raise ValueError(f"eigenvalues must not be negative, got {values.min():g}: leave these components out.")
    root = np.sqrt(values)
    return np.divide(V, root, out=np.zeros_like(V), where=root > 0)  # kernel-pca-alpha


def kernel_scores(K: ArrayLike, K_train: ArrayLike, alpha: ArrayLike) -> FloatArray:
    """Scores of new rows on the components; :eq:`kernel-pca-new-score`.

    Parameters
    ----------
    K : (m, n) array
        Kernel of m rows with the n training rows, not centred.
    K_train : (n, n) array
        Kernel of the training rows, not centred.
    alpha : (n, k) array
        Coefficients of :func:`normalized_coefficients`.

    Returns
    -------
    (m, k) array
        In the units of the root of the kernel.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, or ``K_train`` is not symmetric.

    Notes
    -----
    O(m n k + n^2) time.

    Examples
    --------
    >>> kernel_scores([[3.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[0.5], [-0.5]])
    array([[1.5]])
    """
    K_train = check_symmetric(K_train, "K_train")
    alpha = check_shape(alpha, "alpha", (len(K_train), None))
    return center_kernel(K, K_train) @ alpha  # kernel-pca-new-score


def reconstruction_error(K: ArrayLike, K_train: ArrayLike, diagonal: ArrayLike, alpha: ArrayLike) -> FloatArray:
    """Squared distance in feature space from the subspace of the components; :eq:`kernel-pca-residual`.

    Parameters
    ----------
    K, K_train, alpha
        As in :func:`kernel_scores`.
    diagonal : (m,) array
        Kernel of each of the m rows with itself, not centred.

    Returns
    -------
    (m,) array
        Not negative; in units of the kernel. The mean over the training rows is the sum of the eigenvalues left out,
        divided by n: :eq:`kernel-pca-lost`.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, or ``K_train`` is not symmetric.

    Notes
    -----
    O(m n k + n^2) time.

    Examples
    --------
    >>> reconstruction_error([[3.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [9.0], [[2**-0.5], [-(2**-0.5)]]).round(6)
    array([2.])
    """
    K = check_matrix(K, "K")
    scores = kernel_scores(K, K_train, alpha)
    own = check_vector(diagonal, "diagonal", len(K))
    length = own - 2.0 * K.mean(axis=1) + np.asarray(K_train, dtype=float).mean()  # kernel-pca-own
    return np.maximum(length - (scores**2).sum(axis=1), 0.0)  # kernel-pca-residual


def preimage_weights(scores: ArrayLike, alpha: ArrayLike) -> FloatArray:
    """Weights of the training features in a reconstruction; :eq:`kernel-pca-weights`.

    Parameters
    ----------
    scores : (m, k) array
        What :func:`kernel_scores` returns, or any others.
    alpha : (n, k) array
        Coefficients of :func:`normalized_coefficients`.

    Returns
    -------
    (m, n) array
        Each row sums to 1, since coefficients sum to 0; the mean of the features, which centring took away, is in them.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit or an entry is not finite.

    Notes
    -----
    O(m n k) time.

    Examples
    --------
    >>> preimage_weights([[0.4]], [[0.5], [-0.5]])
    array([[0.7, 0.3]])
    """
    alpha = check_matrix(alpha, "alpha")
    scores = check_shape(scores, "scores", (None, alpha.shape[1]))
    return scores @ alpha.T + 1.0 / len(alpha)  # kernel-pca-weights


def preimage_step(Z: ArrayLike, X: ArrayLike, weights: ArrayLike, gamma: float) -> FloatArray:
    """One step towards the points whose RBF features come closest; :eq:`kernel-pca-fixed-point`.

    Parameters
    ----------
    Z : (m, d) array
        Where the points are now.
    X : (n, d) array
        Training rows.
    weights : (m, n) array
        What :func:`preimage_weights` returns.
    gamma : float
        Of the RBF kernel, positive.

    Returns
    -------
    (m, d) array
        Weighted means of the training rows. A point whose weights sum to 0 or less, so that the step need not lead to
        closer features, stays where it is.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, or ``gamma`` is not positive.

    Notes
    -----
    O(m n d) time.

    Examples
    --------
    >>> preimage_step([[0.5]], [[0.0], [1.0]], [[0.7, 0.3]], gamma=1.0)
    array([[0.3]])
    """
    X = check_matrix(X, "X")
    weights = check_shape(weights, "weights", (None, len(X)))
    Z = check_shape(Z, "Z", (len(weights), X.shape[1]))
    return _step(Z, X, weights, check_positive(gamma, "gamma"))


def rbf_preimages(
    X: ArrayLike, weights: ArrayLike, gamma: float, start: ArrayLike, *, max_iter: int = 200, tol: float = 1e-6
) -> Preimages:
    """Points whose RBF features come close to given ones, by repeated steps :eq:`kernel-pca-fixed-point`.

    Parameters
    ----------
    X, weights, gamma
        As in :func:`preimage_step`.
    start : (m, d) array
        Where to begin: the points that are to be cleaned, for instance. Different starts may end at different points.
    max_iter : int
        Most steps.
    tol : float
        Stop when no coordinate moves by more; in units of X, at least 0.

    Returns
    -------
    Preimages

    Raises
    ------
    TypeError, ValueError
        As in :func:`preimage_step`; also for a bad ``max_iter`` or ``tol``.

    Warns
    -----
    ConvergenceWarning
        If points still move after ``max_iter`` steps.

    Notes
    -----
    O(m n d) time a step.

    Examples
    --------
    >>> rbf_preimages([[0.0], [1.0]], [[0.7, 0.3]], 0.1, [[0.5]]).points.round(4)
    array([[0.2913]])
    """
    max_iter, tol = check_integer(max_iter, "max_iter"), check_real(tol, "tol")
    Z = check_matrix(start, "start")
    following = preimage_step(Z, X, weights, gamma)
    X, weights = np.asarray(X, dtype=float), np.asarray(weights, dtype=float)
    n_iter = 1
    while n_iter < max_iter and np.abs(following - Z).max() > tol:
        Z, following = following, _step(following, X, weights, gamma)
        n_iter += 1
    if np.abs(following - Z).max() > tol:
        warnings.warn(
            f"points still move after {n_iter} steps: increase max_iter or tol, or choose a smaller gamma.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return Preimages(following, n_iter)


def _step(Z: FloatArray, X: FloatArray, weights: FloatArray, gamma: float) -> FloatArray:
    W = weights * rbf_kernel(Z, X, gamma)  # (m, n)
    total = W.sum(axis=1, keepdims=True)
    return np.divide(W @ X, total, out=Z.copy(), where=total > 0)  # kernel-pca-fixed-point

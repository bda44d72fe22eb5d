"""The steps of the derivation: mean and covariance, axes in three ways, what is lost, loadings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh, qr, svd

from notes_lib.checks import FloatArray, check_vector
from notes_lib.foundations.linear_algebra import generalized_eigh
from notes_lib.numerics import BLOCK, leading_signs, row_blocks
from notes_lib.reduction.pca.checks import at_most, rows, semidefinite, unit_rows

TIE = 1e-9  # entries that differ by less, relatively, are equally large


class Axes(NamedTuple):
    """Principal axes: variances in descending order, and unit directions as rows."""

    eigenvalues: FloatArray  # (k,)
    components: FloatArray  # (k, d)


def mean_and_covariance(X: ArrayLike, ddof: int = 1) -> tuple[FloatArray, FloatArray]:
    """Mean row and covariance matrix; :eq:`pca-mean` and :eq:`pca-covariance`.

    Parameters
    ----------
    X : (n, d) array
    ddof : int
        The divisor of the sums is ``n - ddof``: 1 as in scikit-learn, 0 for maximum likelihood.

    Returns
    -------
    mean : (d,) array
    S : (d, d) array

    Raises
    ------
    ValueError, TypeError
        If ``X`` is no finite matrix with at least two rows.

    Notes
    -----
    O(n d^2) time, O(d^2) memory: one pass over blocks of rows, moved to a place near the mean, so that a large offset
    costs no digits.

    Examples
    --------
    >>> mean_and_covariance([[1.0, 2.0], [3.0, 6.0]])[1]
    array([[2., 4.],
           [4., 8.]])
    """
    return moments(rows(X), ddof)


def moments(X: FloatArray, ddof: int = 1) -> tuple[FloatArray, FloatArray]:
    """As :func:`mean_and_covariance`, of data that have been checked."""
    n, d = X.shape
    near = X[:BLOCK].mean(axis=0)
    total, S = np.zeros(d), np.zeros((d, d))
    with np.errstate(over="ignore", invalid="ignore"):
        for block in row_blocks(n, d):
            R = X[block] - near
            total += np.ones(len(R)) @ R
            S += R.T @ R
        shift = total / n
        S -= np.outer(total, shift)
        S /= n - ddof
    return near + shift, S


def principal_axes(S: ArrayLike, n_components: int | None = None) -> Axes:
    """Eigenvectors of a covariance matrix, those of the largest eigenvalues first; :eq:`pca-eigen`.

    Parameters
    ----------
    S : (d, d) array
        Symmetric positive semi-definite: a covariance, correlation or autocorrelation matrix.
    n_components : int or None
        All d if None.

    Returns
    -------
    Axes
        ``eigenvalues`` (k,), descending, rounding errors below 0 as 0, and ``components`` (k, d) with orthonormal rows.
        The entry of largest modulus of a row is positive (the first such entry in a tie).

    Raises
    ------
    ValueError, TypeError
        If ``S`` is not symmetric and finite or has a negative eigenvalue, or ``n_components`` is not an integer from 1
        to d.

    Notes
    -----
    O(d^3) time.

    Examples
    --------
    >>> principal_axes([[5.0, 4.0], [4.0, 5.0]]).eigenvalues
    array([9., 1.])
    """
    S = semidefinite(S)
    k = at_most(n_components, len(S), "n_features")
    values, W = generalized_eigh(S, n_components=k)
    if values[-1] < -1e-8 * max(values[0], 0.0):
        raise ValueError(f"S must be a covariance matrix, it has the negative eigenvalue {values[-1]:.3g}.")
    return Axes(np.maximum(values, 0.0), W.T.copy())


def svd_axes(X: FloatArray) -> Axes:
    """Axes of centred rows (n, d) by a singular value decomposition; :eq:`pca-svd`.

    O(n d min(n, d)) time. No product of the data with themselves is formed, so small variances keep their digits.

    Examples
    --------
    >>> svd_axes(np.array([[3.0, 4.0], [-3.0, -4.0]])).components[0]
    array([0.6, 0.8])
    """
    _, s, V = svd(X, full_matrices=False, check_finite=False, overwrite_a=False)
    return Axes(s**2 / (len(X) - 1), oriented(V))


def gram_axes(X: FloatArray, n_components: int | None = None) -> Axes:
    """Axes of centred rows (n, d) by the Gram matrix of the rows: quick where n is much smaller than d; :eq:`pca-gram`.

    The eigenvectors ``a`` of ``X X'`` are carried over as ``X' a``. A QR decomposition gives them length 1; the lengths
    before are the singular values, and directions beyond the rank are completed to orthonormal ones.

    O(n^2 d + n^3) time, O(n d) memory: no d x d matrix.

    Examples
    --------
    >>> gram_axes(np.array([[3.0, 0.0, 4.0], [-3.0, 0.0, -4.0]]), 1).components.round(3)
    array([[0.6, 0. , 0.8]])
    """
    n, d = X.shape
    k = min(n, d) if n_components is None else n_components
    _, A = eigh(X @ X.T, subset_by_index=[n - k, n - 1], check_finite=False)  # pca-gram
    Q, R = qr(X.T @ A[:, ::-1], mode="economic", check_finite=False)
    s = np.abs(np.diag(R))
    return Axes(s**2 / (n - 1), oriented(Q.T))


def oriented(V: FloatArray) -> FloatArray:
    """Rows with a positive entry of largest modulus, the first in a tie."""
    return V * leading_signs(V, TIE)[:, None]


def reconstruct(X: ArrayLike, mean: ArrayLike, components: ArrayLike) -> FloatArray:
    """The points of the plane through ``mean`` that lie nearest to the rows; :eq:`pca-reconstruction`.

    Parameters
    ----------
    X : (n, d) array
    mean : (d,) array
    components : (k, d) array
        Orthonormal rows.

    Returns
    -------
    (n, d) array

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit, an entry is not finite, or the rows of ``components`` are not orthonormal.

    Notes
    -----
    O(n d k) time.

    Examples
    --------
    >>> reconstruct([[3.0, 5.0]], [1.0, 1.0], [[1.0, 0.0]])
    array([[3., 1.]])
    """
    X = rows(X, least=1)
    V = unit_rows(components, X.shape[1])
    mean = check_vector(mean, "mean", X.shape[1])
    return mean + (X - mean) @ V.T @ V


def reconstruction_error(X: ArrayLike, mean: ArrayLike, components: ArrayLike) -> float:
    """Mean squared distance of the rows from the plane; :eq:`pca-error`.

    Parameters, errors and cost are those of :func:`reconstruct`.

    Examples
    --------
    >>> reconstruction_error([[3.0, 5.0], [2.0, 1.0]], [1.0, 1.0], [[1.0, 0.0]])
    8.0
    """
    X = rows(X, least=1)
    return float(((X - reconstruct(X, mean, components)) ** 2).sum() / len(X))


def loadings(S: ArrayLike, n_components: int | None = None) -> FloatArray:
    """Correlation of each feature with each score; :eq:`pca-loadings`.

    Parameters
    ----------
    S : (d, d) array
        Covariance matrix with a positive diagonal; for standardised features their correlation matrix.
    n_components : int or None
        All d if None.

    Returns
    -------
    (d, k) array
        Entry (j, i) is ``sqrt(lambda_i) u_ij / sqrt(s_jj)``; the squares of a whole row add up to 1.

    Raises
    ------
    ValueError, TypeError
        As :func:`principal_axes`, and if a feature is constant.

    Notes
    -----
    O(d^3) time.

    Examples
    --------
    >>> loadings([[1.0, 0.0], [0.0, 4.0]])
    array([[0., 1.],
           [1., 0.]])
    """
    S = semidefinite(S)
    if (np.diag(S) == 0).any():
        column = int(np.argmin(np.diag(S)))
        raise ValueError(f"S must have a positive diagonal: feature {column} is constant, remove it.")
    values, V = principal_axes(S, n_components)
    return np.sqrt(values) * V.T / np.sqrt(np.diag(S))[:, None]  # pca-loadings

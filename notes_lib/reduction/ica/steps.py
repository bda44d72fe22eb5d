"""The steps of independent component analysis, in the order of the derivation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import svd

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_number, check_positive, check_shape
from notes_lib.reduction.ica.contrasts import contrast_of
from notes_lib.reduction.ica.whitening import white_axes


class Whitening(NamedTuple):
    """Result of :func:`whiten`: ``Z`` (n, C) has mean 0 and covariance I; ``Z = (X - mean) @ V.T``."""

    Z: FloatArray
    V: FloatArray
    mean: FloatArray


def whiten(X: ArrayLike, n_components: int | None = None) -> Whitening:
    """Principal components of unit variance, divisor n; :eq:`ica-whitening`.

    Parameters
    ----------
    X : (n, d) array
    n_components : int or None
        How many principal components are kept, the largest first; min(n, d) if None.

    Returns
    -------
    Whitening
        ``Z`` (n, C), the matrix ``V`` (C, d) and the ``mean`` (d,). The first entry of each row of V is positive.

    Raises
    ------
    TypeError, ValueError
        If ``X`` is no matrix of at least two rows, ``n_components`` no integer from 1 to min(n, d), or the centred data
        have a lower rank (names the rank, a constant column if there is one, and the remedy).

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> Z, V, mean = whiten([[0, 0], [2, 0], [0, 4], [2, 4]])
    >>> mean, bool(np.allclose(Z.T @ Z / 4, np.eye(2)))
    (array([1., 2.]), True)
    """
    X = check_matrix(X, "X")
    if len(X) < 2:
        raise ValueError(f"X must have at least two rows, got shape {X.shape}: one row has no covariance.")
    mean = X.mean(axis=0)
    V = white_axes(X - mean, n_components) * np.sqrt(len(X))
    return Whitening((X - mean) @ V.T, V, mean)


def rotation(angle: float) -> FloatArray:
    """The matrix (2, 2) that turns the plane by ``angle`` radians, counter-clockwise; :eq:`ica-turn`.

    Raises
    ------
    TypeError, ValueError
        If the angle is no finite number.

    Examples
    --------
    >>> rotation(np.pi / 2).round(12) + 0.0
    array([[ 0., -1.],
           [ 1.,  0.]])
    """
    angle = check_number(angle, "angle")
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def fixed_point_step(w: ArrayLike, Z: ArrayLike, fun: str = "logcosh") -> FloatArray:
    """``E z g(w'z) - E g'(w'z) w``, scaled to length 1; :eq:`ica-fixed-point`.

    Parameters
    ----------
    w : (C,) array
        A unit vector.
    Z : (n, C) array
        White data.
    fun : {'logcosh', 'exp', 'cube'}

    Returns
    -------
    (C,) array
        A unit vector; ``w`` itself if the step is exactly zero, as for numbers without any excess kurtosis.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, or ``fun`` is unknown.

    Notes
    -----
    O(n C) time.

    Examples
    --------
    >>> Z = [[1, 1], [1, -1], [-1, 1], [-1, -1]]  # two coins, each a source
    >>> fixed_point_step([0.8, 0.6], Z, "cube").round(4)  # -2 (0.8^3, 0.6^3), scaled
    array([-0.9214, -0.3887])
    """
    Z = check_matrix(Z, "Z")
    w = check_shape(w, "w", (Z.shape[1],))
    _, g, slope, *_ = contrast_of(fun)
    y = Z @ w
    return unit(Z.T @ g(y) / len(Z) - slope(y).mean() * w, w)


def unit(step: FloatArray, w: FloatArray) -> FloatArray:
    """A step scaled to length 1; where it is exactly zero, the direction from which it started."""
    length = float(np.linalg.norm(step))
    return step / length if length > 0 else w


def deflate(w: ArrayLike, R: ArrayLike) -> FloatArray:
    """What is left of a vector when its parts along the orthonormal rows of R are taken away; :eq:`ica-deflation`.

    Parameters
    ----------
    w : (C,) array
    R : (k, C) array
        Orthonormal rows; none if k = 0.

    Returns
    -------
    (C,) array
        Orthogonal to all rows of R, not scaled.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, or an entry is not finite.

    Examples
    --------
    >>> deflate([3, 4], [[1, 0]])
    array([0., 4.])
    """
    R = check_shape(R, "R", (None, None))
    w = check_shape(w, "w", (R.shape[1],))
    return w - (R @ w) @ R  # ica-deflation


def symmetric_decorrelation(R: ArrayLike) -> FloatArray:
    """The orthogonal matrix ``(R R')^(-1/2) R``, which of all is nearest to R; :eq:`ica-symmetric`.

    Parameters
    ----------
    R : (C, C) array
        Of full rank.

    Returns
    -------
    (C, C) array
        Computed as ``P Q'`` from the singular value decomposition ``P S Q'``.

    Raises
    ------
    TypeError, ValueError
        If R is not square, not finite, or singular to rounding.

    Notes
    -----
    O(C^3) time.

    Examples
    --------
    >>> symmetric_decorrelation([[2.0, 0.0], [0.0, -3.0]])
    array([[ 1.,  0.],
           [ 0., -1.]])
    """
    return orthogonal(check_matrix(R, "R", square=True), "R")


def orthogonal(R: FloatArray, name: str) -> FloatArray:
    """See :func:`symmetric_decorrelation`; ``name`` is what to call the matrix in an error message."""
    P, s, Qt = svd(R)
    if s[-1] <= len(R) * np.finfo(float).eps * s[0]:
        raise ValueError(f"{name} must have full rank, its rows are linearly dependent: choose independent rows.")
    return P @ Qt


def log_likelihood(W: ArrayLike, X: ArrayLike) -> float:
    """Mean log-likelihood of rows if each source has the density ``1 / (pi cosh s)``; :eq:`ica-likelihood`.

    Parameters
    ----------
    W : (d, d) array
        Unmixing matrix, not singular.
    X : (n, d) array
        Rows of mean 0.

    Returns
    -------
    float
        In nats a row.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, or W is singular.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> round(log_likelihood([[1.0]], [[0.0]]), 6)  # -log(pi)
    -1.14473
    """
    W, X = _square_pair(W, X)
    sign, log_det = np.linalg.slogdet(W)
    if sign == 0:
        raise ValueError("W must not be singular: its sources could not be mixed to X.")
    G = contrast_of("logcosh").G
    return float(log_det - G(X @ W.T).sum(axis=1).mean() - len(W) * np.log(np.pi))  # ica-likelihood


def natural_gradient_step(W: ArrayLike, X: ArrayLike, learning_rate: float) -> FloatArray:
    """``W + eta (I - E tanh(y) y') W`` with ``y = W x``, a step uphill in the likelihood; :eq:`ica-natural`.

    Parameters
    ----------
    W, X
        As in :func:`log_likelihood`.
    learning_rate : float
        The length eta of the step, positive.

    Returns
    -------
    (d, d) array

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, or the rate is not positive.

    Notes
    -----
    O(n d^2) time, no inverse.

    Examples
    --------
    >>> natural_gradient_step([[2.0]], [[0.0]], 0.5)  # nothing is seen, so the scale grows
    array([[3.]])
    """
    W, X = _square_pair(W, X)
    eta = check_positive(learning_rate, "learning_rate")
    Y = X @ W.T
    return W + eta * (np.eye(len(W)) - np.tanh(Y).T @ Y / len(Y)) @ W  # ica-natural


def _square_pair(W: ArrayLike, X: ArrayLike) -> tuple[FloatArray, FloatArray]:
    X = check_matrix(X, "X")
    return check_shape(W, "W", (X.shape[1], X.shape[1])), X


def amari_error(W: ArrayLike, A: ArrayLike) -> float:
    """How far ``W A`` is from a matrix that only reorders, scales and flips signs; :eq:`ica-amari`.

    Parameters
    ----------
    W : (C, d) array
        Unmixing matrix, found.
    A : (d, C) array
        Mixing matrix, known.

    Returns
    -------
    float
        From 0, which is perfect, to 1. The same if sources change order, sign or length.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, there is one source only, or W A has a row or column of zeros.

    Notes
    -----
    O(C^2 d) time.

    Examples
    --------
    >>> amari_error([[0, 2], [-1, 0]], [[1, 0], [0, 1]])
    0.0
    >>> amari_error([[1, 1], [1, -1]], [[1, 0], [0, 1]])
    1.0
    """
    W = check_matrix(W, "W")
    A = check_shape(A, "A", (W.shape[1], W.shape[0]))
    C = check_integer(len(W), "the number of sources", 2)
    P = np.abs(W @ A)
    rows, columns = P.max(axis=1), P.max(axis=0)
    if not (rows > 0).all() or not (columns > 0).all():
        raise ValueError("W @ A must have no row or column of zeros: a source would be lost.")
    excess = (P.sum(axis=1) / rows - 1).sum() + (P.sum(axis=0) / columns - 1).sum()
    return float(excess / (2 * C * (C - 1)))  # ica-amari

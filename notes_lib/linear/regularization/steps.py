"""Ridge and soft threshold: the formulas of the derivation, in its order, for data that are already centred."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve

from notes_lib.checks import FloatArray, check_data, check_matrix, check_numbers, check_real, check_vector
from notes_lib.foundations.linear_algebra import svd_solve
from notes_lib.linear.regularization.checks import share
from notes_lib.numerics import row_blocks

__all__ = [
    "RidgeSVD",
    "coordinate_update",
    "effective_degrees_of_freedom",
    "elastic_net_gap",
    "elastic_net_objective",
    "largest_alpha",
    "ridge_svd",
    "ridge_weights",
    "soft_threshold",
]


class RidgeSVD(NamedTuple):
    """Result of :func:`ridge_svd`.

    Attributes
    ----------
    coefs : (d, m) array
        One column of weights for each strength.
    factors : (r, m) array
        By how much each singular direction is shrunk, from 0 to 1.
    singular_values : (r,) array
        Of X, in descending order.
    """

    coefs: FloatArray
    factors: FloatArray
    singular_values: FloatArray


def ridge_weights(X: ArrayLike, y: ArrayLike, alpha: float) -> FloatArray:
    """Minimise ``||y - X w||^2 + alpha ||w||^2``; :eq:`regularization-ridge-solution`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        No bias: centre both first.
    alpha : float
        At least 0. With 0 and collinear columns the answer is the least squares solution of smallest norm.

    Returns
    -------
    (d,) array

    Raises
    ------
    TypeError, ValueError
        If ``alpha`` is negative or no number, the shapes do not fit, or an entry is NaN or infinite.

    Notes
    -----
    One Cholesky factor of the smaller of X'X + alpha I and XX' + alpha I, :eq:`regularization-ridge-dual`:
    O(n d min(n, d)) time.

    Examples
    --------
    >>> ridge_weights([[1.0, 0.0], [0.0, 2.0]], [2.0, 2.0], 1.0)
    array([1. , 0.8])
    """
    X, y = check_data(X, y)
    return solve_ridge(X, y, check_real(alpha, "alpha"))


def solve_ridge(
    X: FloatArray, y: FloatArray, alpha: float, x_mean: FloatArray | float = 0.0, y_mean: float = 0.0
) -> FloatArray:
    """Weights as in :func:`ridge_weights`, of arguments that were checked; the means are taken away first."""
    n, d = X.shape
    if d > n:
        X, y, x_mean, y_mean = X - x_mean, y - y_mean, 0.0, 0.0
    A, c = centred_products(X, y, x_mean, y_mean) if d <= n else (X @ X.T, y)
    floor = len(A) * np.finfo(float).eps * A.diagonal().max()
    if alpha <= floor:  # nothing to hold up a singular matrix
        return svd_solve(X - x_mean, y - y_mean).w
    A.flat[:: len(A) + 1] += alpha
    solution = cho_solve(cho_factor(A, overwrite_a=True, check_finite=False), c)  # regularization-ridge-solution
    return np.asarray(solution if d <= n else X.T @ solution)  # regularization-ridge-dual


def centred_products(
    X: FloatArray, y: FloatArray, x_mean: FloatArray | float, y_mean: float
) -> tuple[FloatArray, FloatArray]:
    """``X'X`` and ``X'y`` of the centred data, block by block of rows: there is never a centred copy of them all.

    Each row is centred before it is multiplied. The products of the raw rows, less those of the means, would lose the
    digits that a large mean takes up.
    """
    d = X.shape[1]
    A, c = np.zeros((d, d)), np.zeros(d)
    for rows in row_blocks(*X.shape):
        D = X[rows] - x_mean
        A += D.T @ D
        c += (y[rows] - y_mean) @ D
    return A, c


def ridge_svd(X: ArrayLike, y: ArrayLike, alphas: ArrayLike) -> RidgeSVD:
    """Ridge for many strengths from one singular value decomposition; :eq:`regularization-ridge-svd`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        No bias: centre both first.
    alphas : (m,) array
        Positive; of 0 the pseudo-inverse is the limit, see :func:`ridge_weights`.

    Returns
    -------
    RidgeSVD
        ``coefs`` (d, m), ``factors`` (r, m) and ``singular_values`` (r,), with r = min(n, d). The sum of a column of
        ``factors`` is the number of effective degrees of freedom.

    Raises
    ------
    ValueError
        If a strength is not positive, the shapes do not fit, or an entry is NaN or infinite.

    Notes
    -----
    O(n d min(n, d)) time for the decomposition, O(d r) for each strength.

    Examples
    --------
    >>> ridge_svd([[1.0, 0.0], [0.0, 2.0]], [2.0, 2.0], [1.0]).factors.ravel()
    array([0.8, 0.5])
    """
    X, y = check_data(X, y)
    strength = check_vector(alphas, "alphas")
    if strength.min() <= 0:
        raise ValueError(f"alphas must be positive, got {strength.min():g}: use ridge_weights for 0.")
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    shrunk = s[:, None] / (s[:, None] ** 2 + strength)  # (r, m)
    return RidgeSVD(Vt.T @ (shrunk * (U.T @ y)[:, None]), s[:, None] * shrunk, s)  # regularization-ridge-svd


def effective_degrees_of_freedom(X: ArrayLike, alpha: float) -> float:
    """Trace of the hat matrix of ridge; :eq:`regularization-degrees-of-freedom`.

    Parameters
    ----------
    X : (n, d) array
        Centred; a bias that is not penalised counts 1 more.
    alpha : float
        At least 0; with 0 it is the rank of X.

    Returns
    -------
    float
        From 0 to min(n, d).

    Raises
    ------
    TypeError, ValueError
        If ``alpha`` is negative or no number, or X is no finite matrix.

    Notes
    -----
    O(n d min(n, d)) time.

    Examples
    --------
    >>> effective_degrees_of_freedom([[1.0, 0.0], [0.0, 2.0]], 1.0)
    1.3
    """
    X = check_matrix(X, "X")
    s = np.linalg.svd(X, compute_uv=False)
    s = s[s > max(X.shape) * np.finfo(float).eps * s[0]]  # rank, for alpha = 0
    return float((s**2 / (s**2 + check_real(alpha, "alpha"))).sum())  # regularization-degrees-of-freedom


def soft_threshold(z: ArrayLike, t: ArrayLike) -> FloatArray:
    """Pull each number towards 0 by t, and to 0 if it is nearer; :eq:`regularization-soft-threshold`.

    It is the minimiser of ``(w - z)^2 / 2 + t |w|``.

    Parameters
    ----------
    z : array_like
        Numbers of any shape.
    t : float or array_like
        At least 0; one for all numbers, or one for each.

    Returns
    -------
    array of the shape of ``z``, or of both together where they broadcast

    Raises
    ------
    TypeError, ValueError
        If ``t`` is negative, or one of the two holds text, NaN or infinity.

    Examples
    --------
    >>> soft_threshold([3.0, -0.5, -2.0], 1.0)
    array([ 2.,  0., -1.])
    """
    z, t = check_numbers(z, "z"), check_numbers(t, "t")
    if (t < 0).any():
        raise ValueError(f"t must not be negative, got {t.min():g}: it is the strength of a penalty.")
    return np.sign(z) * np.maximum(np.abs(z) - t, 0.0) + 0.0  # no -0


def coordinate_update(X: ArrayLike, y: ArrayLike, w: ArrayLike, j: int, alpha: float, l1_ratio: float = 1.0) -> float:
    """Best value of weight j while the others stay; :eq:`regularization-coordinate-update`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    w : (d,) array
        Weights now; the old value of weight j does not matter.
    j : int
    alpha, l1_ratio : float
        As in :class:`ElasticNet`.

    Returns
    -------
    float
        The minimiser of :func:`elastic_net_objective` along coordinate j; 0 for a column of zeros.

    Raises
    ------
    TypeError, ValueError
        If ``alpha`` or ``l1_ratio`` is out of range, a shape does not fit, or an entry is NaN or infinite.

    Examples
    --------
    >>> coordinate_update([[1.0], [1.0]], [3.0, 1.0], [0.0], 0, alpha=0.5)
    1.5
    """
    X, y = check_data(X, y)
    w = check_vector(w, "w", X.shape[1]).copy()
    l1, l2 = penalties(check_real(alpha, "alpha"), share(l1_ratio), len(X))
    w[j] = 0.0
    z, curvature = X[:, j] @ (y - X @ w), X[:, j] @ X[:, j] + l2
    return float(soft_threshold(z, l1) / curvature) if curvature > 0 else 0.0


def penalties(alpha: float, l1_ratio: float, n: int) -> tuple[float, float]:
    """Strengths of the 1-norm and of half the squared norm when half the *sum* of squares is the loss."""
    return n * alpha * l1_ratio, n * alpha * (1.0 - l1_ratio)  # regularization-conventions


def elastic_net_objective(X: ArrayLike, y: ArrayLike, w: ArrayLike, alpha: float, l1_ratio: float = 1.0) -> float:
    """Half the mean squared residual and the two penalties; :eq:`regularization-elastic-net`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
    w : (d,) array
    alpha, l1_ratio : float
        As in :class:`ElasticNet`.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If ``alpha`` or ``l1_ratio`` is out of range, a shape does not fit, or an entry is NaN or infinite.

    Examples
    --------
    >>> elastic_net_objective([[1.0], [1.0]], [3.0, 1.0], [1.5], alpha=0.5)
    1.375
    """
    X, y = check_data(X, y)
    w = check_vector(w, "w", X.shape[1])
    alpha, l1_ratio, r = check_real(alpha, "alpha"), share(l1_ratio), y - X @ w
    penalty = l1_ratio * np.abs(w).sum() + 0.5 * (1.0 - l1_ratio) * (w @ w)
    return float(0.5 * (r @ r) / len(y) + alpha * penalty)


def elastic_net_gap(X: ArrayLike, y: ArrayLike, w: ArrayLike, alpha: float, l1_ratio: float = 1.0) -> float:
    """How far the objective is above its minimum at most; :eq:`regularization-gap`.

    Parameters
    ----------
    X, y, w, alpha, l1_ratio
        As in :func:`elastic_net_objective`; ``alpha * l1_ratio`` must be positive.

    Returns
    -------
    float
        The objective less the dual objective at the residual, scaled until it is admissible.

    Raises
    ------
    TypeError, ValueError
        As in :func:`elastic_net_objective`; if there is no 1-norm in the penalty.

    Examples
    --------
    >>> elastic_net_gap([[1.0], [1.0]], [3.0, 1.0], [1.5], alpha=0.5)
    0.0
    """
    X, y = check_data(X, y)
    w = check_vector(w, "w", X.shape[1])
    l1, l2 = penalties(check_real(alpha, "alpha"), share(l1_ratio), len(X))
    if l1 == 0:
        raise ValueError("alpha * l1_ratio must be positive: ridge has a closed form, use ridge_weights.")
    return gap(X, y, w, l1, l2)


def gap(X: FloatArray, y: FloatArray, w: FloatArray, l1: float, l2: float) -> float:
    """Gap as in :func:`elastic_net_gap`, of arguments that were checked and strengths on the scale of a sum."""
    r = y - X @ w
    steepest = float(np.abs(X.T @ r - l2 * w).max())
    scale = min(1.0, l1 / steepest) if steepest > 0 else 1.0
    smooth = r @ r + (l2 * w) @ w  # w @ w alone may overflow
    return float(0.5 * (1 + scale**2) * smooth + l1 * np.abs(w).sum() - scale * (r @ y)) / len(y)


def largest_alpha(X: ArrayLike, y: ArrayLike, l1_ratio: float = 1.0) -> float:
    """Smallest strength at which all weights are 0; :eq:`regularization-largest`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        No bias: centre both first.
    l1_ratio : float
        Share of the 1-norm; positive.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If ``l1_ratio`` is 0 or out of range, the shapes do not fit, or an entry is NaN or infinite.

    Examples
    --------
    >>> largest_alpha([[1.0], [1.0]], [3.0, 1.0])
    2.0
    """
    X, y = check_data(X, y)
    if share(l1_ratio) == 0:
        raise ValueError("l1_ratio must be positive here: without a 1-norm no strength makes all weights 0.")
    return float(np.abs(X.T @ y).max() / (len(X) * l1_ratio))  # regularization-largest

"""Step functions of the chapter *Linear regression*, in the order of its derivation."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular, svd

from notes_lib.checks import FloatArray, IntArray, check_choice, check_data, check_matrix, check_positive, check_shape
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.foundations.linear_algebra.reduction import EPS, lengths, triangle
from notes_lib.linear.linear_regression.checks import check_weights

Convention = Literal["sum", "half", "mean"]


class Centred(NamedTuple):
    """Result of :func:`centre`: rows of ``X`` and ``y`` less their weighted means, times the root of their weight."""

    X: FloatArray
    y: FloatArray
    x_mean: FloatArray
    y_mean: FloatArray


class Solution(NamedTuple):
    """Result of :func:`shortest_weights`: ``w`` shaped (d, m), ``rank`` and ``singular`` values (min(n, d),)."""

    w: FloatArray
    rank: int
    singular: FloatArray


def add_intercept(X: ArrayLike) -> FloatArray:
    """Design matrix (n, d + 1): a column of ones, then the features; :eq:`linear-regression-model`.

    Raises
    ------
    ValueError
        If ``X`` is no finite matrix with entries.

    Examples
    --------
    >>> add_intercept([[2.0], [3.0]])
    array([[1., 2.],
           [1., 3.]])
    """
    X = check_matrix(X, "X")
    return np.column_stack([np.ones(len(X)), X])


def _factor(convention: Convention, n: int) -> float:
    """What stands before the sum of squares."""
    check_choice(convention, "convention", ("sum", "half", "mean"))
    return {"sum": 1.0, "half": 0.5, "mean": 1.0 / n}[convention]


def squared_error(w: ArrayLike, X: ArrayLike, y: ArrayLike, convention: Convention = "sum") -> float:
    """Squared error of the weights ``w``; :eq:`linear-regression-loss`.

    Parameters
    ----------
    w : (d,) array
    X : (n, d) array
        Design matrix.
    y : (n,) array
    convention : {'sum', 'half', 'mean'}
        ``|y - X w|^2`` times 1, 1/2 or 1/n.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, or the convention is unknown.

    Examples
    --------
    >>> [squared_error([1.0], [[1.0], [2.0]], [2.0, 4.0], c) for c in ("sum", "half", "mean")]
    [5.0, 2.5, 2.5]
    """
    X, y = check_data(X, y)
    residual = y - X @ check_shape(w, "w", (X.shape[1],))
    return float(_factor(convention, len(y)) * (residual @ residual))


def squared_error_gradient(w: ArrayLike, X: ArrayLike, y: ArrayLike, convention: Convention = "sum") -> FloatArray:
    """Gradient (d,) of :func:`squared_error`, ``2 c X'(X w - y)``; :eq:`linear-regression-gradient`.

    Examples
    --------
    >>> squared_error_gradient([1.0], [[1.0], [2.0]], [2.0, 4.0], "half")
    array([-5.])
    """
    X, y = check_data(X, y)
    residual = X @ check_shape(w, "w", (X.shape[1],)) - y
    return 2.0 * _factor(convention, len(y)) * (X.T @ residual)  # linear-regression-gradient


def squared_error_hessian(X: ArrayLike, convention: Convention = "sum") -> FloatArray:
    """Hessian (d, d) of :func:`squared_error`, ``2 c X'X``, the same for all weights; :eq:`linear-regression-hessian`.

    Examples
    --------
    >>> squared_error_hessian([[1.0], [2.0]], "half")
    array([[5.]])
    """
    X = check_matrix(X, "X")
    return 2.0 * _factor(convention, len(X)) * (X.T @ X)  # linear-regression-hessian


def normal_equations(X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> FloatArray:
    """Solve ``X'V X w = X'V y`` by a Cholesky factor; :eq:`linear-regression-normal`, :eq:`linear-regression-weighted`.

    ``X'X`` has the square of the condition number of ``X``, so about twice as many digits are lost as by QR: for
    teaching, and for well-conditioned columns.

    Parameters
    ----------
    X : (n, d) array
        Design matrix with linearly independent columns.
    y : (n,) array
    sample_weight : (n,) array or None
        Diagonal of ``V``.

    Returns
    -------
    (d,) array

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, a weight is negative, or ``X'V X`` is singular.

    Notes
    -----
    O(n d^2 + d^3) time.

    Examples
    --------
    >>> normal_equations([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [6.0, 0.0, 0.0]).round(12)
    array([ 5., -3.])
    """
    X, y = check_data(X, y)
    v = check_weights(sample_weight, len(y))
    weighted = v[:, None] * X
    return cholesky_solve(X.T @ weighted, weighted.T @ y)  # linear-regression-normal


def regression_log_likelihood(w: ArrayLike, sigma2: float, X: ArrayLike, y: ArrayLike) -> float:
    """Log-likelihood of targets with independent Gaussian noise; :eq:`linear-regression-likelihood`.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a number is not finite, or ``sigma2`` is not a positive number.

    Examples
    --------
    >>> round(regression_log_likelihood([0.0], 1.0, [[1.0], [1.0]], [0.0, 0.0]), 4)
    -1.8379
    """
    sigma2 = check_positive(sigma2, "sigma2")
    return float(-0.5 * (len(np.asarray(y)) * np.log(2 * np.pi * sigma2) + squared_error(w, X, y) / sigma2))


def centre(X: FloatArray, y: FloatArray, v: FloatArray | None, intercept: bool = True) -> Centred:
    """Take the weighted means away, so that no column of ones is needed; :eq:`linear-regression-intercept`.

    Then each row is multiplied by the root of its weight: plain least squares on the result is the weighted problem.

    Parameters
    ----------
    X, y : (n, d) and (n, m) arrays
    v : (n,) array or None
        Weights of the rows, all alike if None.
    intercept : bool
        Without one nothing is taken away.
    """
    x_mean, y_mean = np.zeros(X.shape[1]), np.zeros(y.shape[1])
    if intercept:
        x_mean, y_mean = np.average(X, axis=0, weights=v), np.average(y, axis=0, weights=v)
        X, y = X - x_mean, y - y_mean
        # a constant column leaves rounding errors of its mean, which would look like data
        high, low = X.max(axis=0), X.min(axis=0)
        largest = np.maximum(np.abs(high), np.abs(low))
        X[:, (high == low) | (largest <= 8 * EPS * np.abs(x_mean))] = 0.0
    if v is not None:
        root = np.sqrt(v)[:, None]  # linear-regression-weighted
        X, y = root * X, root * y
    return Centred(X, y, x_mean, y_mean)


def shortest_weights(X: FloatArray, y: FloatArray, n_rows: int = 0) -> Solution:
    """Of all minimisers of ``|y - X w|^2`` the shortest one; :eq:`linear-regression-shortest`.

    ``X`` is reduced to a triangle, whose columns are brought to length 1, so that units do not decide what is rank and
    what is rounding. If it is singular, its singular values give one minimiser, from which the part in the null space
    of ``X`` is taken away.

    Parameters
    ----------
    X, y : (n, d) and (n, m) arrays
    n_rows : int
        How many rows stand behind ``X`` where it is a triangle itself: they decide what is rounding.

    Notes
    -----
    O(n d min(n, d)) time, O(n d) memory.
    """
    n, d = X.shape
    R, c = triangle(X, y) if n > d else (X, y)  # each column of R is as long as that of X
    scale = lengths(R)
    scale[scale == 0] = 1.0
    U, s, Vt = svd(R / scale)
    rank = int((s > max(n, d, n_rows) * EPS * s[0]).sum())
    w = Vt[:rank].T @ ((U[:, :rank].T @ c) / s[:rank, None]) / scale[:, None]
    if rank < d:
        null = np.linalg.qr(Vt[rank:].T / scale[:, None])[0]  # (d, d - rank), orthonormal
        w -= null @ (null.T @ w)  # linear-regression-shortest
    elif n > d:
        w = solve_triangular(R, c)  # loses fewer digits than the singular vectors
    return Solution(w, rank, svd(R, compute_uv=False))


def sgd_pass(
    w: FloatArray, X: FloatArray, y: FloatArray, order: IntArray, rates: FloatArray, batch_size: int = 1
) -> FloatArray:
    """One pass over the rows in the given order, one step a batch; :eq:`linear-regression-sgd`.

    Parameters
    ----------
    w : (d,) array
    X, y : (n, d) and (n,) arrays
        Design matrix and targets.
    order : (n,) array of int
    rates : (number of batches,) array
        Step size of each.
    batch_size : int
        1 is the LMS rule, n a step of batch gradient descent on half the mean squared error.

    Returns
    -------
    (number of batches, d) array
        The weights after each step; a step too long makes them grow without bound.
    """
    path = np.empty((len(rates), len(w)))
    for b, rate in enumerate(rates):
        rows = order[b * batch_size : (b + 1) * batch_size]
        A = X[rows]
        w = w + rate / len(rows) * ((y[rows] - A @ w) @ A)  # linear-regression-sgd
        path[b] = w
    return path

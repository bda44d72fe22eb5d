"""What to look at after a fit: leverage, influence, inflated variances, uneven noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr
from scipy.special import chdtrc

from notes_lib.checks import FloatArray, check_data, check_matrix
from notes_lib.foundations.inference import SignificanceResult
from notes_lib.foundations.linear_algebra import project, qr_solve
from notes_lib.linear.linear_regression.checks import check_overdetermined
from notes_lib.linear.linear_regression.steps import add_intercept


class Influence(NamedTuple):
    """Result of :func:`influence`, (n,) each: raw ``residuals``, ``leverages``, residuals over their estimated standard
    deviation (``standardized``), the same with the noise estimated without the row (``studentized``), and
    ``cooks_distance``.
    """

    residuals: FloatArray
    leverages: FloatArray
    standardized: FloatArray
    studentized: FloatArray
    cooks_distance: FloatArray


def hat_matrix(X: ArrayLike) -> FloatArray:
    """The projector ``H = X (X'X)^-1 X'`` that takes targets to fitted values; :eq:`linear-regression-hat`.

    Parameters
    ----------
    X : (n, d) array
        Design matrix; its columns may be linearly dependent.

    Returns
    -------
    (n, n) array
        Symmetric, ``H H = H``, trace equal to the rank of ``X``.

    Raises
    ------
    ValueError
        If ``X`` is no finite matrix with entries.

    Notes
    -----
    O(n^2 d) time, O(n^2) memory; :func:`leverages` needs neither.

    Examples
    --------
    >>> hat_matrix([[1.0], [1.0]])
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    X = check_matrix(X, "X")
    H = project(X, np.eye(len(X)))
    return (H + H.T) / 2


def leverages(X: ArrayLike) -> FloatArray:
    """Diagonal (n,) of the hat matrix as row sums of ``Q^2``; :eq:`linear-regression-leverage`.

    Raises
    ------
    ValueError
        If ``X`` has fewer rows than columns, or a column is a combination of the columns before it.

    Notes
    -----
    O(n d^2) time, O(n d) memory.

    Examples
    --------
    >>> leverages([[1.0, -1.0], [1.0, 0.0], [1.0, 1.0]]).round(4)
    array([0.8333, 0.3333, 0.8333])
    """
    X = check_matrix(X, "X")
    qr_solve(X, np.zeros(len(X)))  # refuses dependent columns
    return np.sum(qr(X, mode="economic")[0] ** 2, axis=1)  # linear-regression-leverage


def influence(X: ArrayLike, y: ArrayLike) -> Influence:
    """How far each row is from the rest, how badly it fits, and how much the fit depends on it.

    Implements :eq:`linear-regression-standardized`, :eq:`linear-regression-studentized` and
    :eq:`linear-regression-cook`.

    Parameters
    ----------
    X : (n, d) array
        Design matrix, n > d + 1.
    y : (n,) array

    Raises
    ------
    ValueError
        As :func:`leverages`; also if there are not at least two more rows than columns, a leverage is 1 (the row alone
        decides a weight), or the fit is exact.

    Notes
    -----
    O(n d^2) time: no model is fitted again.

    Examples
    --------
    >>> found = influence([[1.0, 0], [1, 1], [1, 2], [1, 3]], [0.0, 2, 2, 4])
    >>> found.cooks_distance.round(4)
    array([0.3889, 0.2755, 0.2755, 0.3889])
    """
    X, y = check_data(X, y)
    n, d = X.shape
    if n < d + 2:
        raise ValueError(f"X must have at least two more rows than columns, got {n} x {d}: drop columns.")
    h = leverages(X)
    if (h > 1 - 1e-10).any():
        raise ValueError(f"row {h.argmax()} has leverage 1, it alone decides a weight: remove the row or a column.")
    e = y - X @ qr_solve(X, y)
    ssr = float(e @ e)
    if ssr <= (1e-14 * np.linalg.norm(y)) ** 2 * n:
        raise ValueError("y is fitted exactly: without residuals nothing can be said about influence.")
    scale = ssr / (n - d)
    standardized = e / np.sqrt(scale * (1 - h))  # linear-regression-standardized
    left_out = (ssr - e**2 / (1 - h)) / (n - d - 1)  # the noise without the row
    with np.errstate(divide="ignore"):
        studentized = e / np.sqrt(np.maximum(left_out, 0.0) * (1 - h))  # linear-regression-studentized
    cook = standardized**2 * h / ((1 - h) * d)  # linear-regression-cook
    return Influence(e, h, standardized, studentized, cook)


def variance_inflation_factors(X: ArrayLike) -> FloatArray:
    """How much the other features inflate the variance of a weight; :eq:`linear-regression-vif`.

    Parameters
    ----------
    X : (n, d) array
        Features without the column of ones, n > d + 1, d >= 2.

    Returns
    -------
    (d,) array
        At least 1; ``1 / (1 - R^2)`` of each feature regressed on the others.

    Raises
    ------
    ValueError
        If there are too few rows or columns, a feature is constant, or a combination of the others.

    Notes
    -----
    O(n d^2) time: the factors are the diagonal of the inverse of the correlation matrix.

    Examples
    --------
    >>> variance_inflation_factors([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]).round(12)
    array([1., 1.])
    """
    X = check_matrix(X, "X")
    if X.shape[1] < 2:
        raise ValueError("X must have at least two features: a single one is inflated by none.")
    A = add_intercept(X)
    check_overdetermined(A)
    qr_solve(A, np.zeros(len(A)))  # refuses dependent columns
    centred = X - X.mean(axis=0)
    R = qr(centred / np.linalg.norm(centred, axis=0), mode="r")[0][: X.shape[1]]
    return np.sum(np.linalg.inv(R) ** 2, axis=1)  # linear-regression-vif


def breusch_pagan_test(X: ArrayLike, y: ArrayLike) -> SignificanceResult:
    """Is the variance of the noise the same for all rows? Koenker's form; :eq:`linear-regression-breusch-pagan`.

    Regresses the squared residuals on the columns of ``X``; n times its R^2 is chi-square with d - 1 degrees of freedom
    if the noise is even and n large.

    Parameters
    ----------
    X : (n, d) array
        Design matrix with a column of ones, n > d >= 2.
    y : (n,) array

    Raises
    ------
    ValueError
        As :func:`least_squares_summary`; also without a constant column or another one.

    Examples
    --------
    >>> X = add_intercept(np.arange(6.0)[:, None])
    >>> round(breusch_pagan_test(X, [0.0, 1.1, 1.8, 3.5, 3.4, 5.9]).p_value, 3)
    0.079
    """
    X, y = check_data(X, y)
    check_overdetermined(X)
    if X.shape[1] < 2 or not (np.ptp(X, axis=0) == 0).any():
        raise ValueError("X must hold a column of ones and at least one feature: call add_intercept.")
    squares = (y - X @ qr_solve(X, y)) ** 2
    fitted = X @ qr_solve(X, squares)
    spread = float(np.sum((squares - squares.mean()) ** 2))
    if not spread:
        raise ValueError("y leaves residuals of one size: the test has nothing to explain.")
    statistic = len(y) * float(np.sum((fitted - squares.mean()) ** 2)) / spread  # linear-regression-breusch-pagan
    return SignificanceResult(statistic, float(chdtrc(X.shape[1] - 1, statistic)))

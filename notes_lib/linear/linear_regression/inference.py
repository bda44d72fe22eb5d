"""How sure the weights are: covariance, t and F statistics, intervals for the mean and for a new target."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import qr, solve_triangular
from scipy.special import fdtrc, stdtr, stdtrit

from notes_lib.checks import FloatArray, check_data, check_shape
from notes_lib.foundations.inference import SignificanceResult
from notes_lib.foundations.inference.checks import check_inside
from notes_lib.foundations.linear_algebra import project, qr_solve
from notes_lib.linear.linear_regression.checks import check_overdetermined, check_weights


class Summary(NamedTuple):
    """Result of :func:`least_squares_summary`; the names are those of statsmodels.

    ``params``, ``bse`` (standard errors), ``tvalues``, ``pvalues`` (d,); ``cov_params`` (d, d); ``scale``, the
    estimated variance of the noise; ``df_resid``; ``ssr``, the residual sum of squares; ``rsquared``, ``rsquared_adj``;
    ``fvalue``, ``f_pvalue`` of the hypothesis that all weights but the intercept are 0.
    """

    params: FloatArray
    bse: FloatArray
    tvalues: FloatArray
    pvalues: FloatArray
    cov_params: FloatArray
    scale: float
    df_resid: int
    ssr: float
    rsquared: float
    rsquared_adj: float
    fvalue: float
    f_pvalue: float


class Intervals(NamedTuple):
    """Result of :func:`prediction_intervals`: ``mean`` (m,), and (m, 2) limits for the mean and for a new target."""

    mean: FloatArray
    confidence: FloatArray
    prediction: FloatArray


def least_squares_summary(X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Summary:
    """Weights with their standard errors and tests.

    Implements :eq:`linear-regression-covariance`, :eq:`linear-regression-sigma`, :eq:`linear-regression-t`,
    :eq:`linear-regression-r2` and :eq:`linear-regression-f` by a QR factorisation.

    Parameters
    ----------
    X : (n, d) array
        Design matrix, n > d, linearly independent columns. If a column is constant, ``rsquared`` and ``fvalue`` compare
        with the mean of ``y``, otherwise with 0.
    y : (n,) array
    sample_weight : (n,) array or None
        Positive; the noise of row n has variance ``scale / sample_weight[n]``.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, a weight is not positive, there are not more rows than columns,
        or a column is a combination of the columns before it (names the column).

    Notes
    -----
    O(n d^2) time, O(n d) memory.

    Examples
    --------
    >>> fit = least_squares_summary([[1.0, 0], [1, 1], [1, 2], [1, 3]], [0.0, 2, 2, 4])
    >>> fit.params.round(4) + 0.0, fit.bse.round(4), round(fit.scale, 4)
    (array([0.2, 1.2]), array([0.5292, 0.2828]), 0.4)
    """
    X, y = check_data(X, y)
    check_overdetermined(X)
    v = check_weights(sample_weight, len(y))
    if not v.all():
        raise ValueError("sample_weight must be positive here: a row of weight 0 has no variance, remove it.")
    root = np.sqrt(v)
    A, b = root[:, None] * X, root * y
    (n, d), w = X.shape, qr_solve(A, b)
    R_inverse = solve_triangular(qr(A, mode="r")[0][:d], np.eye(d))
    ssr = float(np.sum((b - A @ w) ** 2))
    scale = ssr / (n - d)  # linear-regression-sigma
    covariance = scale * R_inverse @ R_inverse.T  # linear-regression-covariance
    bse = np.sqrt(np.diag(covariance))
    constant = bool((np.ptp(X, axis=0) == 0).any())
    total = float(np.sum((b - (root * np.average(y, weights=v) if constant else 0.0)) ** 2))
    slopes = d - constant
    with np.errstate(divide="ignore", invalid="ignore"):  # an exact fit: t and F are infinite
        t = w / bse  # linear-regression-t
        r2 = 1 - ssr / np.float64(total)  # linear-regression-r2
        F = (total - ssr) / slopes / np.float64(scale) if slopes else np.nan  # linear-regression-f
    p = 2 * stdtr(n - d, -np.abs(t))
    adjusted = 1 - (1 - r2) * (n - constant) / (n - d)
    return Summary(w, bse, t, p, covariance, scale, n - d, ssr, float(r2), float(adjusted), float(F),
                   float(fdtrc(slopes, n - d, F)) if slopes else float("nan"))  # fmt: skip


def f_test(X_small: ArrayLike, X: ArrayLike, y: ArrayLike) -> SignificanceResult:
    """Test a smaller model inside a larger one; :eq:`linear-regression-f`.

    Parameters
    ----------
    X_small : (n, d_0) array
        Design matrix of the null hypothesis; its columns are combinations of those of ``X``.
    X : (n, d) array, n > d > d_0
    y : (n,) array

    Returns
    -------
    SignificanceResult
        ``statistic`` and ``p_value``.

    Raises
    ------
    ValueError
        As :func:`least_squares_summary`; also if the models are not nested or of the same size.

    Examples
    --------
    >>> X = [[1.0, 0], [1, 1], [1, 2], [1, 3]]
    >>> round(f_test(np.ones((4, 1)), X, [0.0, 2, 2, 4]).statistic, 4)
    18.0
    """
    small, large = least_squares_summary(X_small, y), least_squares_summary(X, y)
    A, B = np.asarray(X_small, dtype=float), np.asarray(X, dtype=float)
    q = B.shape[1] - A.shape[1]
    if q < 1 or not np.allclose(project(B, A), A, rtol=1e-8, atol=1e-8 * np.abs(A).max()):
        raise ValueError(
            f"X_small must be nested in X: each of its {A.shape[1]} columns a combination of the {B.shape[1]} of X, "
            "and fewer of them."
        )
    with np.errstate(divide="ignore", invalid="ignore"):  # an exact fit
        F = float(np.float64((small.ssr - large.ssr) / q) / large.scale)  # linear-regression-f
    return SignificanceResult(F, float(fdtrc(q, large.df_resid, F)))


def prediction_intervals(X: ArrayLike, y: ArrayLike, X_new: ArrayLike, level: float = 0.95) -> Intervals:
    """Intervals for the mean at new rows, and for a new target there.

    Implements :eq:`linear-regression-confidence` and :eq:`linear-regression-prediction`. Each holds for one row at a
    time, if the model is right and the noise Gaussian.

    Parameters
    ----------
    X, y : (n, d) and (n,) arrays
        As in :func:`least_squares_summary`.
    X_new : (m, d) array
    level : float
        Coverage, between 0 and 1.

    Raises
    ------
    ValueError, TypeError
        As :func:`least_squares_summary`; also if ``X_new`` does not fit or ``level`` is not between 0 and 1.

    Examples
    --------
    >>> X, y = [[1.0, 0], [1, 1], [1, 2], [1, 3]], [0.0, 2, 2, 4]
    >>> found = prediction_intervals(X, y, [[1.0, 1.5]])
    >>> found.mean, found.confidence.round(3), found.prediction.round(3)
    (array([2.]), array([[0.639, 3.361]]), array([[-1.042,  5.042]]))
    """
    fit = least_squares_summary(X, y)
    X_new = check_shape(X_new, "X_new", (None, len(fit.params)))
    t = stdtrit(fit.df_resid, 0.5 + check_inside(level, "level") / 2)
    variance = np.einsum("ij,jk,ik->i", X_new, fit.cov_params, X_new)
    mean = X_new @ fit.params
    half = t * np.sqrt(np.column_stack([variance, variance + fit.scale]))  # linear-regression-prediction
    around = mean[:, None, None] + half[:, :, None] * np.array([-1.0, 1.0])
    return Intervals(mean, around[:, 0], around[:, 1])

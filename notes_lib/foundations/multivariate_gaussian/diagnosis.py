"""Can the fit be trusted? Shrinkage for few data, an interval of a correlation, and a test of Gaussianity."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular
from scipy.special import chdtrc, ndtr, ndtri

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_number
from notes_lib.foundations.inference import ConfidenceInterval
from notes_lib.foundations.inference.checks import check_inside
from notes_lib.foundations.multivariate_gaussian.checks import in_range
from notes_lib.foundations.multivariate_gaussian.steps import gaussian_mle_multivariate
from notes_lib.numerics import cholesky_factor


class ShrinkageEstimate(NamedTuple):
    """Result of :func:`ledoit_wolf`: ``covariance`` (d, d), and ``shrinkage``, from 0 to 1."""

    covariance: FloatArray
    shrinkage: float


class MardiaTest(NamedTuple):
    """Result of :func:`mardia_test`: two statistics and the probability of values as extreme for Gaussian data."""

    skewness: float
    kurtosis: float
    p_skewness: float
    p_kurtosis: float


def ledoit_wolf(X: ArrayLike) -> ShrinkageEstimate:
    """Covariance shrunk towards a multiple of the identity, by as much as the data ask for.

    :eq:`multivariate-gaussian-shrunk` with the estimate :eq:`multivariate-gaussian-ledoit-wolf` of the best share.

    Parameters
    ----------
    X : (n, d) array
        Independent points as rows, n >= 2, also fewer than columns. Columns in comparable units: standardise first.

    Returns
    -------
    ShrinkageEstimate
        ``covariance``, with the trace of the maximum-likelihood covariance, and ``shrinkage``, the share of the
        identity. Positive definite unless ``shrinkage`` is 0 or all rows are equal.

    Raises
    ------
    ValueError
        If ``X`` is not a finite matrix, has one row only, or double precision cannot hold a variance.

    Notes
    -----
    O(n d^2) time. Source: Ledoit and Wolf (2004), J. Multivariate Anal. 88, 365-411, as in scikit-learn.

    Examples
    --------
    >>> covariance, shrinkage = ledoit_wolf([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    >>> covariance.round(3).tolist(), round(shrinkage, 3)
    ([[1.25, 0.85], [0.85, 1.25]], 0.32)
    """
    X = check_matrix(X, "X")
    n, d = X.shape
    if n < 2:
        raise ValueError("X must have at least 2 rows: one point says nothing about a covariance.")
    D = in_range(np.where(X.max(axis=0) == X.min(axis=0), 0.0, X - X.mean(axis=0)))  # exactly 0 if constant
    unit = np.ldexp(1.0, np.frexp(np.abs(D).max())[1])  # a power of 2: no digit changes, no fourth power overflows
    D /= unit
    S = D.T @ D / n
    target = np.trace(S) / d * np.eye(d)
    apart = ((S - target) ** 2).sum()
    noise = (((D**2).sum(axis=1) ** 2).sum() / n - (S**2).sum()) / n  # sum of |d_n d_n' - S|^2, over n^2
    shrinkage = min(max(noise, 0.0) / apart, 1.0) if apart > 0 else 1.0  # multivariate-gaussian-ledoit-wolf
    covariance = (1 - shrinkage) * S + shrinkage * target  # multivariate-gaussian-shrunk
    return ShrinkageEstimate(covariance * unit**2, float(shrinkage))


def correlation_interval(
    correlation: float, n: int, given: int = 0, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Confidence interval of a correlation or partial correlation; :eq:`multivariate-gaussian-fisher-z`.

    Parameters
    ----------
    correlation : float
        Of the data, strictly between -1 and 1.
    n : int
        Number of points, at least ``given + 4``.
    given : int
        Number of variables that a partial correlation is conditioned on.
    confidence_level : float
        Strictly between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Notes
    -----
    The level holds for Gaussian data, to an error that vanishes as n grows. Source: Fisher (1921), Metron 1, 3-32.

    Examples
    --------
    >>> [round(float(end), 3) for end in correlation_interval(0.5, 28)]
    [0.156, 0.736]
    """
    r = check_number(correlation, "correlation")
    if not -1 < r < 1:
        raise ValueError(f"correlation must be strictly between -1 and 1, got {correlation!r}.")
    q = check_integer(given, "given", minimum=0)
    quantile = ndtri((1 + check_inside(confidence_level, "confidence_level")) / 2)
    half = quantile / np.sqrt(check_integer(n, "n", q + 4) - q - 3)
    return ConfidenceInterval(np.tanh(np.arctanh(r) - half), np.tanh(np.arctanh(r) + half))  # -fisher-z


def mardia_test(X: ArrayLike) -> MardiaTest:
    """Skewness and kurtosis of whitened data, and their tests; :eq:`multivariate-gaussian-mardia`.

    Parameters
    ----------
    X : (n, d) array
        Independent points as rows, as for :func:`gaussian_mle_multivariate`.

    Returns
    -------
    MardiaTest
        Neither statistic changes when an invertible affine map is applied to the points. The p-values
        (:eq:`multivariate-gaussian-mardia-law`) are limits for large n.

    Raises
    ------
    ValueError
        As :func:`gaussian_mle_multivariate`.

    Notes
    -----
    O(n d^3) time, O(d^3) memory beside the data. Source: Mardia (1970), Biometrika 57, 519-530.

    Examples
    --------
    >>> square = mardia_test([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    >>> square.skewness, square.kurtosis
    (0.0, 4.0)
    """
    mean, covariance = gaussian_mle_multivariate(X)
    Z = solve_triangular(cholesky_factor(covariance), (np.asarray(X, dtype=float) - mean).T, lower=True)  # (d, n)
    d, n = Z.shape
    pairs = (Z[:, None] * Z).reshape(d * d, n)
    skewness = float(((pairs @ Z.T / n) ** 2).sum())  # multivariate-gaussian-mardia
    kurtosis = float(((Z**2).sum(axis=0) ** 2).mean())
    score = (kurtosis - d * (d + 2)) / np.sqrt(8 * d * (d + 2) / n)
    p_skewness = float(chdtrc(d * (d + 1) * (d + 2) / 6, n * skewness / 6))  # multivariate-gaussian-mardia-law
    return MardiaTest(skewness, kurtosis, p_skewness, float(2 * ndtr(-abs(score))))

"""Confidence and credible intervals, and the coverage of those of a proportion."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, gammaln, ndtri, stdtrit, xlog1py, xlogy

from notes_lib.checks import FloatArray, check_integer, check_numbers, check_positive, check_vector
from notes_lib.foundations.inference.checks import check_inside, check_successes


class ConfidenceInterval(NamedTuple):
    """Two ends: numbers, or arrays of the shape of the counts."""

    low: FloatArray
    high: FloatArray


BinomialInterval = Callable[[ArrayLike, int, float], ConfidenceInterval]


def wald_interval(k: ArrayLike, n: int, confidence_level: float = 0.95) -> ConfidenceInterval:
    """Proportion plus or minus z estimated standard errors; :eq:`inference-wald`.

    Parameters
    ----------
    k : number or array
        Successes, whole numbers from 0 to n.
    n : int
        Trials.
    confidence_level : float
        Strictly between 0 and 1.

    Returns
    -------
    ConfidenceInterval
        ``low`` and ``high`` in the shape of ``k``. They may leave [0, 1], and for k = 0 and k = n they coincide.

    Raises
    ------
    TypeError, ValueError
        If ``k`` holds no counts up to n, ``n`` is no positive integer, or the level is not between 0 and 1.

    Examples
    --------
    >>> [round(float(end), 4) for end in wald_interval(8, 10)]
    [0.5521, 1.0479]
    """
    k, n = check_successes(k, n)
    share, z = k / n, _quantile(confidence_level)
    half = z * np.sqrt(share * (1 - share) / n)
    return ConfidenceInterval(share - half, share + half)  # inference-wald


def wilson_interval(k: ArrayLike, n: int, confidence_level: float = 0.95) -> ConfidenceInterval:
    """Proportions that the score test does not reject; :eq:`inference-wilson`.

    Parameters and errors are those of :func:`wald_interval`; the interval lies in [0, 1] and is never a point.

    Source: Wilson (1927), J. Am. Stat. Assoc. 22, 209-212.

    Examples
    --------
    >>> [round(float(end), 4) for end in wilson_interval(8, 10)]
    [0.4902, 0.9433]
    """
    k, n = check_successes(k, n)
    z = _quantile(confidence_level)
    centre = (k + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * np.sqrt(k * (n - k) / n + z**2 / 4)
    low, high = centre - half, centre + half  # inference-wilson
    return ConfidenceInterval(np.where(k == 0, 0.0, low)[()], np.where(k == n, 1.0, high)[()])  # exact at the ends


def clopper_pearson_interval(k: ArrayLike, n: int, confidence_level: float = 0.95) -> ConfidenceInterval:
    """Proportions for which neither tail of the binomial is too small; :eq:`inference-clopper-pearson`.

    Parameters and errors are those of :func:`wald_interval`; the coverage is never below the level.

    Source: Clopper and Pearson (1934), Biometrika 26, 404-413.

    Examples
    --------
    >>> [round(float(end), 4) for end in clopper_pearson_interval(8, 10)]
    [0.4439, 0.9748]
    """
    k, n = check_successes(k, n)
    tail = (1 - check_inside(confidence_level, "confidence_level")) / 2
    low = np.where(k == 0, 0.0, betaincinv(np.maximum(k, 1), n - k + 1, tail))
    high = np.where(k == n, 1.0, betaincinv(k + 1, np.maximum(n - k, 1), 1 - tail))
    return ConfidenceInterval(low[()], high[()])


def credible_interval(
    k: ArrayLike, n: int, a: float = 1.0, b: float = 1.0, credible_level: float = 0.95
) -> ConfidenceInterval:
    """Quantiles of the Beta posterior of a proportion that leave equal tails; :eq:`inference-credible`.

    Parameters
    ----------
    k, n
        As in :func:`wald_interval`.
    a, b : float
        Parameters of the Beta prior; both 1: uniform.
    credible_level : float
        Posterior probability between the two ends, strictly between 0 and 1.

    Returns
    -------
    ConfidenceInterval
        Given these data and this prior the proportion lies inside with probability ``credible_level``.

    Raises
    ------
    TypeError, ValueError
        As in :func:`wald_interval`, and if ``a`` or ``b`` is not positive.

    Examples
    --------
    >>> [round(float(end), 4) for end in credible_interval(8, 10)]
    [0.4822, 0.9398]
    """
    k, n = check_successes(k, n)
    a, b = check_positive(a, "a"), check_positive(b, "b")
    tail = (1 - check_inside(credible_level, "credible_level")) / 2
    return ConfidenceInterval(*(betaincinv(a + k, b + n - k, q) for q in (tail, 1 - tail)))


def student_interval(x: ArrayLike, confidence_level: float = 0.95) -> ConfidenceInterval:
    """Interval for a mean, from Student's distribution with n - 1 degrees of freedom; :eq:`inference-student`.

    Parameters
    ----------
    x : (n,) array
        A sample, n at least 2.
    confidence_level : float
        Strictly between 0 and 1.

    Returns
    -------
    ConfidenceInterval
        Two numbers. The coverage is exact for independent Gaussian data of one variance.

    Raises
    ------
    ValueError
        If ``x`` is not a finite vector, has fewer than two entries or is constant, or the level is not between 0 and 1.

    Examples
    --------
    >>> [round(float(end), 3) for end in student_interval([4.0, 6.0, 8.0])]
    [1.032, 10.968]
    """
    x = check_vector(x, "x")
    n, level = x.size, check_inside(confidence_level, "confidence_level")
    if n < 2 or np.ptp(x) == 0:
        raise ValueError(f"x must hold at least two different numbers, got {len(set(x))}: that says nothing of spread.")
    half = stdtrit(n - 1, (1 + level) / 2) * x.std(ddof=1) / np.sqrt(n)
    return ConfidenceInterval(x.mean() - half, x.mean() + half)  # inference-student


def binomial_coverage(interval: BinomialInterval, p: ArrayLike, n: int, confidence_level: float = 0.95) -> FloatArray:
    """Probability that an interval of a proportion holds the true one; :eq:`inference-coverage-binomial`.

    Parameters
    ----------
    interval : callable
        ``interval(k, n, confidence_level)``, such as :func:`wilson_interval`.
    p : number or array
        True proportions, from 0 to 1.
    n : int
        Trials.
    confidence_level : float
        What the interval is asked for.

    Returns
    -------
    array of the shape of ``p``
        Exact: a sum over the n + 1 possible counts, no simulation.

    Raises
    ------
    TypeError, ValueError
        If ``p`` holds anything but numbers from 0 to 1, or as in :func:`wald_interval`.

    Notes
    -----
    O(n) time and memory for each entry of ``p``.

    Examples
    --------
    >>> binomial_coverage(wald_interval, [0.01, 0.5], 20).round(4)
    array([0.1821, 0.9586])
    """
    p, n = check_numbers(p, "p")[..., None], check_integer(n, "n")
    if ((p < 0) | (p > 1)).any():
        raise ValueError(f"p must hold proportions, from 0 to 1, got {p[(p < 0) | (p > 1)][0]:g}.")
    k = np.arange(n + 1)
    low, high = interval(k, n, confidence_level)
    log_pmf = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k, -p)
    return np.where((low <= p) & (p <= high), np.exp(log_pmf), 0.0).sum(axis=-1)


def _quantile(confidence_level: float) -> float:
    """The z of which the standard normal leaves equal tails outside plus and minus z."""
    return float(ndtri((1 + check_inside(confidence_level, "confidence_level")) / 2))

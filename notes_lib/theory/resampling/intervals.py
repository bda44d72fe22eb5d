"""Three intervals from bootstrap replicates: percentile, basic and BCa."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from notes_lib.checks import FloatArray, check_choice, check_number, check_vector
from notes_lib.foundations.inference import ConfidenceInterval
from notes_lib.foundations.inference.checks import check_inside
from notes_lib.numerics import RandomState
from notes_lib.theory.resampling.replicates import Statistic, bootstrap, jackknife

METHODS = ("bca", "percentile", "basic")


class BCaConstants(NamedTuple):
    """The two numbers that shift and stretch the percentiles."""

    bias_correction: float
    acceleration: float


def percentile_interval(replicates: ArrayLike, confidence_level: float = 0.95) -> ConfidenceInterval:
    """Quantiles of the replicates that leave equal tails; :eq:`resampling-percentile`.

    Parameters
    ----------
    replicates : (R,) array
        At least two.
    confidence_level : float
        Strictly between 0 and 1.

    Returns
    -------
    ConfidenceInterval

    Raises
    ------
    TypeError, ValueError
        Fewer than two replicates, one that is not finite, or a level outside (0, 1).

    Examples
    --------
    >>> [round(float(end), 9) for end in percentile_interval(np.arange(101), 0.9)]
    [5.0, 95.0]
    """
    tail = (1 - check_inside(confidence_level, "confidence_level")) / 2
    return _between(check_replicates(replicates), tail, 1 - tail)


def basic_interval(estimate: float, replicates: ArrayLike, confidence_level: float = 0.95) -> ConfidenceInterval:
    """The percentile interval mirrored at the estimate; :eq:`resampling-basic`.

    Parameters
    ----------
    estimate : float
        Value on the sample itself.
    replicates, confidence_level
        As in :func:`percentile_interval`, and so are the errors.

    Returns
    -------
    ConfidenceInterval

    Examples
    --------
    >>> [float(end) for end in basic_interval(40.0, np.arange(101), 0.9)]
    [-15.0, 75.0]
    """
    low, high = percentile_interval(replicates, confidence_level)
    centre = check_number(estimate, "estimate")
    return ConfidenceInterval(2 * centre - high, 2 * centre - low)  # resampling-basic


def bca_constants(estimate: float, replicates: ArrayLike, left_out: ArrayLike) -> BCaConstants:
    """Bias correction and acceleration; :eq:`resampling-bias-correction`, :eq:`resampling-acceleration`.

    Parameters
    ----------
    estimate : float
    replicates : (R,) array
    left_out : (n,) array
        Values without one instance each, as :func:`jackknife` gives them.

    Returns
    -------
    BCaConstants

    Raises
    ------
    ValueError
        If all replicates lie on one side of the estimate, or all values in ``left_out`` are equal (a degenerate
        jackknife): then BCa is not defined.

    Notes
    -----
    Replicates that equal the estimate count half.

    Examples
    --------
    >>> found = bca_constants(3.0, [1, 2, 3, 4, 5], [4.0, 3.5, 1.5])
    >>> found.bias_correction, round(found.acceleration, 4)
    (0.0, 0.0573)
    """
    values, centre = check_replicates(replicates), check_number(estimate, "estimate")
    share = (values < centre).mean() + (values == centre).mean() / 2
    if share in (0, 1):
        raise ValueError(
            f"estimate {centre:g} lies outside all replicates, so the bias correction is infinite: draw more, or use "
            "another method; for a maximum no bootstrap interval works."
        )
    others = check_vector(left_out, "left_out")
    spread = others.mean() - others
    if np.abs(spread).max() <= 1e-12 * np.abs(others).max():
        raise ValueError("left_out is constant, a degenerate jackknife: method='percentile' needs no acceleration.")
    spread = spread / np.abs(spread).max()  # only the shape counts, and cubes could overflow
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)
    return BCaConstants(float(ndtri(share)), float(acceleration))


def bca_interval(
    replicates: ArrayLike, bias_correction: float, acceleration: float, confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Percentiles at corrected levels; :eq:`resampling-bca`.

    Parameters
    ----------
    replicates : (R,) array
    bias_correction, acceleration : float
        From :func:`bca_constants`; both 0 give the percentile interval.
    confidence_level : float

    Returns
    -------
    ConfidenceInterval

    Raises
    ------
    TypeError, ValueError
        As in :func:`percentile_interval`, or if the acceleration is so large that the levels change their order.

    Examples
    --------
    >>> [round(float(end), 2) for end in bca_interval(np.arange(101), 0.1, 0.0, 0.9)]
    [7.42, 96.75]
    """
    tail = (1 - check_inside(confidence_level, "confidence_level")) / 2
    z0, a = check_number(bias_correction, "bias_correction"), check_number(acceleration, "acceleration")
    z = z0 + ndtri(np.array([tail, 1 - tail]))
    if (a * z >= 1).any():
        raise ValueError(f"acceleration {a:g} is too large for this level: use method='percentile' or more data.")
    low, high = ndtr(z0 + z / (1 - a * z))  # resampling-bca
    return _between(check_replicates(replicates), float(low), float(high))


def bootstrap_interval(
    data: ArrayLike, statistic: Statistic, *, confidence_level: float = 0.95, method: str = "bca",
    n_resamples: int = 1999, vectorized: bool = False, random_state: RandomState = None,
) -> ConfidenceInterval:  # fmt: skip
    """Confidence interval for what a statistic estimates, from the sample alone.

    Parameters
    ----------
    data, statistic, n_resamples, vectorized, random_state
        As in :func:`bootstrap`.
    confidence_level : float
        Strictly between 0 and 1.
    method : {"bca", "percentile", "basic"}
        :eq:`resampling-bca`, :eq:`resampling-percentile` or :eq:`resampling-basic`.

    Returns
    -------
    ConfidenceInterval
        The coverage is approximate: for smooth statistics of independent rows with enough moments its error falls
        like 1/n on each side for ``"bca"`` and like 1/sqrt(n) for the other two.

    Raises
    ------
    TypeError, ValueError
        As in :func:`bootstrap` and :func:`bca_constants`; a level outside (0, 1) or an unknown method.

    Notes
    -----
    R evaluations, and n more for ``"bca"``. Source: Efron (1987), J. Am. Stat. Assoc. 82, 171-185.

    Examples
    --------
    >>> low, high = bootstrap_interval([1.0, 2.0, 2.5, 3.0, 6.0], np.mean, random_state=0)
    >>> bool(1 < low < 2.9 < high < 6)
    True
    """
    check_choice(method, "method", METHODS)
    check_inside(confidence_level, "confidence_level")
    found = bootstrap(data, statistic, n_resamples=n_resamples, vectorized=vectorized, random_state=random_state)
    if method == "percentile":
        return percentile_interval(found.replicates, confidence_level)
    if method == "basic":
        return basic_interval(found.estimate, found.replicates, confidence_level)
    left_out = jackknife(data, statistic, vectorized=vectorized).left_out
    constants = bca_constants(found.estimate, found.replicates, left_out)
    return bca_interval(found.replicates, *constants, confidence_level)


def check_replicates(replicates: ArrayLike) -> FloatArray:
    """At least two finite numbers."""
    values = check_vector(replicates, "replicates")
    if len(values) < 2:
        raise ValueError("replicates must hold at least two numbers: draw more resamples.")
    return values


def _between(values: FloatArray, low: float, high: float) -> ConfidenceInterval:
    return ConfidenceInterval(*np.quantile(values, [low, high]))

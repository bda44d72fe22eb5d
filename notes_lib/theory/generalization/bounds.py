"""How far the empirical risk may be from the risk: one hypothesis, finitely many, a class of finite VC dimension."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_choice, check_integer, check_numbers, check_positive, check_real
from notes_lib.foundations.inference.checks import check_inside
from notes_lib.theory.generalization.checks import check_sample

Growth = Literal["sauer", "exponential", "power"]
LARGEST = 2**62  # a sample size above it is no number of instances


def hoeffding_bound(epsilon: ArrayLike, n: int, width: float = 1.0) -> FloatArray:
    """Bound of the probability that a mean of bounded values is off by ``epsilon``; :eq:`generalization-hoeffding`.

    Parameters
    ----------
    epsilon : float or array
        Deviation, at least 0, in the units of the values.
    n : int
        Number of independent values.
    width : float
        Each value lies in an interval of this length; 1 for the 0-1 loss.

    Returns
    -------
    array shaped like ``epsilon``
        ``2 exp(-2 n epsilon^2 / width^2)``, for deviations to both sides; above 1 it says nothing.

    Raises
    ------
    TypeError, ValueError
        If ``epsilon`` is negative, ``n`` is no positive integer, or ``width`` is not positive.

    Examples
    --------
    >>> hoeffding_bound(0.6, 10).round(5)
    np.float64(0.00149)
    """
    e, n, width = check_numbers(epsilon, "epsilon"), check_integer(n, "n"), check_positive(width, "width")
    if (e < 0).any():
        raise ValueError(f"epsilon must not be negative, got {e.min()}.")
    return 2.0 * np.exp(-2.0 * n * (e / width) ** 2)  # generalization-hoeffding


def uniform_deviation(n_hypotheses: float, n: int, delta: float) -> float:
    """Deviation that none of finitely many hypotheses exceeds, with probability ``1 - delta``.

    Implements :eq:`generalization-deviation`, for a loss between 0 and 1.

    Parameters
    ----------
    n_hypotheses : number
        At least 1; 1 for a hypothesis that was chosen before the data came.
    n : int
        Sample size.
    delta : float
        Strictly between 0 and 1.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is outside its range.

    Examples
    --------
    >>> round(uniform_deviation(1000, 500, 0.05), 4)
    0.1029
    """
    size, (n, delta) = check_real(n_hypotheses, "n_hypotheses", 1.0), check_sample(n, delta)
    return float(np.sqrt((np.log(2.0 * size) - np.log(delta)) / (2.0 * n)))  # generalization-deviation


def pac_sample_size(n_hypotheses: float, epsilon: float, delta: float, *, realizable: bool = False) -> int:
    """Instances that suffice for a finite class.

    Implements :eq:`generalization-agnostic`, and :eq:`generalization-realizable` for ``realizable=True``.

    Parameters
    ----------
    n_hypotheses : number
        At least 1.
    epsilon : float
        Strictly between 0 and 1. Realisable: the risk of whatever fits the sample without a mistake. Else: the
        difference of risk and empirical risk of every hypothesis at once; the minimiser of the empirical risk is
        then within ``2 epsilon`` of the best.
    delta : float
        Probability of failure, strictly between 0 and 1.
    realizable : bool
        Whether some hypothesis of the class makes no mistakes.

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If an argument is outside its range.

    Examples
    --------
    >>> pac_sample_size(1000, 0.05, 0.05, realizable=True), pac_sample_size(1000, 0.05, 0.05)
    (199, 2120)
    """
    size, delta = check_real(n_hypotheses, "n_hypotheses", 1.0), check_inside(delta, "delta")
    epsilon = check_inside(epsilon, "epsilon")
    if realizable:
        return int(np.ceil((np.log(size) - np.log(delta)) / epsilon))  # generalization-realizable
    return int(np.ceil((np.log(2.0 * size) - np.log(delta)) / (2.0 * epsilon**2)))  # generalization-agnostic


def sauer_bound(n: int, d: int) -> int:
    """Most labelings of ``n`` points by a class of VC dimension ``d``: sum of binomials; :eq:`generalization-sauer`.

    Parameters
    ----------
    n, d : int
        At least 0.

    Returns
    -------
    int
        Exact.

    Raises
    ------
    TypeError, ValueError
        If one is no integer, or negative.

    Notes
    -----
    O(d) products of integers.

    Examples
    --------
    >>> sauer_bound(4, 2), sauer_bound(3, 5)
    (11, 8)
    """
    n, d = check_integer(n, "n", 0), check_integer(d, "d", 0)
    total = term = 1
    for i in range(min(n, d)):
        term = term * (n - i) // (i + 1)
        total += term
    return total  # generalization-sauer


def vc_bound(n: int, d: int, delta: float, growth: Growth = "sauer") -> float:
    """Deviation that no hypothesis of a class of VC dimension ``d`` exceeds, with probability ``1 - delta``.

    Implements :eq:`generalization-vc`.

    Parameters
    ----------
    n : int
        Sample size.
    d : int
        VC dimension, at least 1.
    delta : float
        Strictly between 0 and 1.
    growth : {"sauer", "exponential", "power"}
        What stands for the growth function at ``2 n``: the sum of binomials; ``(2 e n / d)^d``, which is larger and
        needs ``2 n >= d``; or ``(2 n)^d + 1``.

    Returns
    -------
    float
        For the 0-1 loss, so above 1 it says nothing.

    Raises
    ------
    TypeError, ValueError
        If an argument is outside its range, or ``2 n < d`` for the exponential form.

    Notes
    -----
    O(d) time.

    Examples
    --------
    >>> round(vc_bound(100, 1, 0.1), 3), round(vc_bound(10_000, 3, 0.05), 3)
    (0.848, 0.161)
    """
    (n, delta), d = check_sample(n, delta), check_integer(d, "d")
    check_choice(growth, "growth", get_args(Growth))
    if growth == "exponential" and 2 * n < d:
        raise ValueError(f"growth='exponential' needs 2 n >= d, got n={n} and d={d}: use 'sauer'.")
    return float(np.sqrt(8.0 / n * (np.log(4.0) + _log_growth(2 * n, d, growth) - np.log(delta))))


def vc_sample_size(d: int, epsilon: float, delta: float, growth: Growth = "sauer") -> int:
    """Smallest sample size for which :func:`vc_bound` is at most ``epsilon``, and stays so.

    Parameters
    ----------
    d, delta, growth
        As in :func:`vc_bound`.
    epsilon : float
        Strictly between 0 and 1.

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If an argument is outside its range, or no number of instances below 2^62 suffices.

    Notes
    -----
    O(d log n) time: the sample size is doubled until it suffices, and then bisected.

    Examples
    --------
    >>> vc_sample_size(10, 0.05, 0.05, growth="power")
    452957
    """
    d, epsilon = check_integer(d, "d"), check_inside(epsilon, "epsilon")

    def suffices(n: int) -> bool:
        return vc_bound(n, d, delta, growth) <= epsilon

    low, high = d, d + 1  # at n = d every form of the bound is above 1, and from there on it falls
    while not suffices(high):
        low, high = high, 2 * high
        if high > LARGEST:
            raise ValueError(f"epsilon={epsilon:g} would take more than 2^62 instances: allow a larger deviation.")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high


def _log_growth(m: int, d: int, growth: Growth) -> float:
    """Logarithm of a bound of the growth function at ``m`` points."""
    if growth == "power":
        return float(np.logaddexp(d * np.log(m), 0.0))
    if growth == "exponential":
        return d * (1.0 + math.log(m / d))  # generalization-sauer-power
    return math.log(sauer_bound(m, d))  # of an exact integer

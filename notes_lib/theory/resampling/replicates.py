"""The two ways to see how an estimate moves: draw the sample again, or leave out one instance at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_numbers
from notes_lib.numerics import RandomState, check_rng
from notes_lib.theory.bias_variance import jackknife_error

Statistic = Callable[..., Any]


class Bootstrap(NamedTuple):
    """Value on the sample, the replicates (R,), their standard deviation, and their mean less the value."""

    estimate: float
    replicates: FloatArray
    standard_error: float
    bias: float


class Jackknife(NamedTuple):
    """Value on the sample, the values without one instance each (n,), and the standard error and bias from them."""

    estimate: float
    left_out: FloatArray
    standard_error: float
    bias: float

    @property
    def corrected(self) -> float:
        """The estimate less its bias; :eq:`resampling-jackknife-corrected`."""
        return self.estimate - self.bias


def bootstrap(
    data: ArrayLike, statistic: Statistic, *, n_resamples: int = 1000, vectorized: bool = False,
    random_state: RandomState = None,
) -> Bootstrap:  # fmt: skip
    """Standard error and bias of a statistic; :eq:`resampling-standard-error`, :eq:`resampling-bias`.

    Parameters
    ----------
    data : (n,) or (n, d) array
        The sample; its rows are independent.
    statistic : callable
        From a sample of the shape of ``data`` to a number. It should be a plug-in estimate: a function of the shares
        of the instances.
    n_resamples : int
        R, at least 2.
    vectorized : bool
        ``statistic(samples, axis=1)`` takes R samples at once, an (R, n) or (R, n, d) array, and returns (R,).
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Bootstrap

    Raises
    ------
    TypeError, ValueError
        Data that are no finite numbers, fewer than two instances or resamples, or a statistic that is not one finite
        number for each sample.

    Notes
    -----
    R evaluations; O(R n d) memory, since all samples are drawn at once. Source: Efron (1979).

    Examples
    --------
    >>> found = bootstrap([1.0, 2.0, 6.0], np.mean, n_resamples=2000, random_state=0)
    >>> found.estimate, bool(abs(found.standard_error - np.std([1, 2, 6]) / 3**0.5) < 0.05)
    (3.0, True)
    """
    x, draws = check_sample(data), check_integer(n_resamples, "n_resamples", 2)
    rows = check_rng(random_state).integers(len(x), size=(draws, len(x)))
    estimate = float(_values(statistic, x[None], vectorized)[0])
    replicates = _values(statistic, x[rows], vectorized)
    return Bootstrap(estimate, replicates, float(replicates.std(ddof=1)), float(replicates.mean() - estimate))


def jackknife(data: ArrayLike, statistic: Statistic, *, vectorized: bool = False) -> Jackknife:
    """Standard error and bias from leaving out each instance once; :eq:`resampling-jackknife-error`.

    Parameters
    ----------
    data : (n,) or (n, d) array
    statistic : callable
    vectorized : bool
        All as in :func:`bootstrap`. The statistic must be smooth: for a median the standard error is wrong however
        many data there are.

    Returns
    -------
    Jackknife
        ``bias`` is :eq:`resampling-jackknife-bias`.

    Raises
    ------
    TypeError, ValueError
        As in :func:`bootstrap`.

    Notes
    -----
    n evaluations, nothing random; O(n^2 d) memory. Source: Efron and Tibshirani (1993), chapter 11.

    Examples
    --------
    >>> found = jackknife([1.0, 2.0, 6.0], np.var)
    >>> round(found.corrected, 12), float(np.var([1, 2, 6], ddof=1))
    (7.0, 7.0)
    """
    x = check_sample(data)
    n = len(x)
    others = np.arange(n - 1) + (np.arange(n - 1) >= np.arange(n)[:, None])  # row i: all positions but i
    estimate = float(_values(statistic, x[None], vectorized)[0])
    left_out = _values(statistic, x[others], vectorized)
    bias = (n - 1) * (left_out.mean() - estimate)  # resampling-jackknife-bias
    return Jackknife(estimate, left_out, jackknife_error(left_out), float(bias))


def check_sample(data: ArrayLike) -> FloatArray:
    """At least two numbers, or two rows of them."""
    x = check_numbers(data, "data")
    if x.ndim not in (1, 2) or len(x) < 2:
        raise ValueError(f"data must be a vector or a matrix with at least two rows, got shape {x.shape}.")
    return x


def _values(statistic: Statistic, samples: FloatArray, vectorized: bool) -> FloatArray:
    values = statistic(samples, axis=1) if vectorized else [statistic(sample) for sample in samples]
    return check_values(values, len(samples))


def check_values(values: Any, count: int) -> FloatArray:
    """What a statistic has returned: one finite number for each of ``count`` samples."""
    found = check_numbers(np.asarray(values), "statistic")
    if found.shape != (count,):
        raise ValueError(f"statistic must give one number for each of {count} samples, got shape {found.shape}.")
    return found

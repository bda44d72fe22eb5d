"""Permutation tests of two samples: all exchanges if there are few, random ones otherwise."""

from __future__ import annotations

from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_numbers, check_vector
from notes_lib.foundations.inference import SignificanceResult
from notes_lib.numerics import RandomState, check_rng
from notes_lib.theory.resampling.replicates import Statistic, check_values

ALTERNATIVES = ("two-sided", "greater", "less")


def mean_difference(x: FloatArray, y: FloatArray, axis: int = -1) -> FloatArray:
    """Mean of the first sample less that of the second.

    Examples
    --------
    >>> mean_difference(np.array([3.0, 5.0]), np.array([1.0]))
    np.float64(3.0)
    """
    return np.asarray(np.mean(x, axis=axis) - np.mean(y, axis=axis))[()]


def permutation_test(
    x: ArrayLike, y: ArrayLike, statistic: Statistic = mean_difference, *, alternative: str = "two-sided",
    paired: bool = False, n_resamples: int = 9999, vectorized: bool = False, random_state: RandomState = None,
) -> SignificanceResult:  # fmt: skip
    """Whether two samples can be told apart, by exchanging their members; :eq:`resampling-p-value`.

    Parameters
    ----------
    x, y : (n,) and (m,) arrays
        Exchangeable under the null hypothesis: no difference in *distribution*, not only in mean.
    statistic : callable
        From two vectors to a number; the difference of the means by default.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"`` counts values at least as large as the observed one. Two-sided is twice the smaller of both
        p-values, at most 1.
    paired : bool
        ``x[i]`` and ``y[i]`` belong together; only members of a pair change places.
    n_resamples : int
        R, at least 2. If there are no more than R exchanges all of them are listed, and the p-value is exact.
    vectorized : bool
        ``statistic(x, y, axis=1)`` takes (R, n) and (R, m) arrays and returns (R,). The default statistic always is.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    SignificanceResult
        Exact: the share of all exchanges, the observed one among them. Random: (1 + count) / (1 + R).

    Raises
    ------
    TypeError, ValueError
        Samples that are no finite vectors, pairs of different lengths, fewer than two resamples, or an unknown
        alternative.

    Notes
    -----
    min(R, number of exchanges) evaluations and as many rows of memory. Values that differ from the observed one only
    by rounding count as equal to it.

    Source: Fisher (1935); Phipson and Smyth (2010) for the added 1.

    Examples
    --------
    >>> permutation_test([5.0, 6.0, 9.0], [1.0, 2.0, 3.0], alternative="greater").p_value  # 1 of 20
    0.05
    """
    check_choice(alternative, "alternative", ALTERNATIVES)
    x, y = (check_vector(check_numbers(v, name), name) for v, name in ((x, "x"), (y, "y")))
    draws = check_integer(n_resamples, "n_resamples", 2)
    if paired and len(x) != len(y):
        raise ValueError(f"x and y must have one length to be paired, got {len(x)} and {len(y)}.")
    total = 2 ** len(x) if paired else comb(len(x) + len(y), len(x))
    exact, rng = total <= draws, check_rng(random_state)
    if paired:
        swap = np.array(list(product([False, True], repeat=len(x)))) if exact else rng.random((draws, len(x))) < 0.5
        first, second = np.where(swap, y, x), np.where(swap, x, y)
    else:
        size = (draws, len(x) + len(y))
        order = _all_splits(len(x), len(y)) if exact else rng.random(size).argsort(axis=1)
        pool = np.concatenate([x, y])[order]
        first, second = pool[:, : len(x)], pool[:, len(x) :]
    batched = vectorized or statistic is mean_difference
    observed = float(_values(statistic, x[None], y[None], batched)[0])
    null = _values(statistic, first, second, batched)
    return SignificanceResult(observed, _p_value(observed, null, alternative, 0 if exact else 1))


def _p_value(observed: float, null: FloatArray, alternative: str, added: int) -> float:
    """Share of values as extreme; ``added`` counts the observed one where the list lacks it."""
    slack = 1e-12 * max(abs(observed), float(np.abs(null).max()))
    counts = {"greater": (null >= observed - slack).sum(), "less": (null <= observed + slack).sum()}
    shares = {side: float(count + added) / (len(null) + added) for side, count in counts.items()}
    return min(1.0, 2 * min(shares.values())) if alternative == "two-sided" else shares[alternative]


def _all_splits(n: int, m: int) -> IntArray:
    """Positions of every choice of ``n`` out of ``n + m``, each followed by the others."""
    chosen = np.array(list(combinations(range(n + m), n)))
    member = np.zeros((len(chosen), n + m), dtype=bool)
    np.put_along_axis(member, chosen, True, axis=1)
    return np.argsort(~member, axis=1, kind="stable")


def _values(statistic: Statistic, x: FloatArray, y: FloatArray, vectorized: bool) -> FloatArray:
    values = statistic(x, y, axis=1) if vectorized else [statistic(a, b) for a, b in zip(x, y, strict=True)]
    return check_values(values, len(x))

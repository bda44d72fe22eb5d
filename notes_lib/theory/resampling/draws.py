"""What one bootstrap sample holds: how often each instance is drawn, and how probably it is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import IntArray, check_integer
from notes_lib.linear.linear_regression.checks import check_weights
from notes_lib.numerics import RandomState, check_rng


def out_of_bag_probability(n: int, n_draws: int | None = None) -> float:
    """Probability that an instance is missing from a bootstrap sample, :eq:`resampling-missing`.

    Parameters
    ----------
    n : int
        Number of instances.
    n_draws : int, optional
        Size of the sample; ``n`` by default.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If a number is not a positive integer.

    Notes
    -----
    In a forest it is the share of the trees that have not seen an instance, :eq:`random-forest-out`.

    Examples
    --------
    >>> round(out_of_bag_probability(5), 5)
    0.32768
    """
    n = check_integer(n, "n")
    draws = n if n_draws is None else check_integer(n_draws, "n_draws")
    return float((1 - 1 / n) ** draws)


def bootstrap_counts(
    n: int, n_draws: int | None = None, random_state: RandomState = None, weight: ArrayLike | None = None
) -> IntArray:
    """How often each instance is drawn with replacement.

    Parameters
    ----------
    n : int
        Number of instances.
    n_draws : int, optional
        Size of the sample; ``n`` by default.
    random_state : int, Generator, RandomState or None
    weight : (n,) array, optional
        Each draw takes an instance with a probability in proportion to its weight.

    Returns
    -------
    (n,) array of int

    Raises
    ------
    TypeError, ValueError
        Bad numbers; weights that are negative or all 0.

    Examples
    --------
    >>> bootstrap_counts(5, random_state=0).sum()
    np.int64(5)
    """
    w = check_weights(weight, check_integer(n, "n"))
    rows = np.flatnonzero(w)  # the others are never drawn, not even by rounding errors
    counts = np.zeros(n, dtype=np.int64)
    p = w[rows] / w.max()
    size = n if n_draws is None else check_integer(n_draws, "n_draws")
    counts[rows] = check_rng(random_state).multinomial(size, p / p.sum())
    return counts

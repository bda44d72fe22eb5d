"""Ratings that are drawn from a known truth, so that what was not rated can be looked up too."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray, check_integer, check_number, check_real
from notes_lib.numerics import RandomState, check_rng


class Generated(NamedTuple):
    """Generated ratings and where they come from.

    Attributes
    ----------
    users, items : (n,) arrays of int
        Who rated what.
    ratings : (n,) array
        Truth at that time plus noise; the scale is open, about 1 to 5.
    times : (n,) array
        When, from 0 to 1, in ascending order.
    truth : (n_users, n_items) array
        Mean rating of each user for each item, at the time 1/2.
    propensity : (n_users, n_items) array
        With which probability each pair is seen.
    """

    users: IntArray
    items: IntArray
    ratings: FloatArray
    times: FloatArray
    truth: FloatArray
    propensity: FloatArray


def generate_ratings(
    n_users: int = 200,
    n_items: int = 120,
    n_factors: int = 2,
    *,
    share: float = 0.2,
    noise: float = 0.5,
    selection: float = 0.0,
    drift: float = 0.0,
    random_state: RandomState = None,
) -> Generated:
    """Draw tastes, then who rates what, then the ratings.

    The truth is :eq:`recommender-model` with the mean 3.3, biases of standard deviation 0.4 (users) and 0.5 (items),
    and ``n_factors`` independent Gaussian tastes whose products have a standard deviation of 0.6 together.

    Parameters
    ----------
    n_users, n_items, n_factors : int
    share : float
        Expected share of all pairs that are rated, above 0 and at most 1/2.
    noise : float
        Standard deviation of a rating around its truth.
    selection : float
        A pair whose truth is higher by 1 is seen ``exp(selection)`` times as often; 0: the truth plays no part.
        Whatever it is, some users rate more and some items are better known than others.
    drift : float
        How far taste moves from time 0 to time 1: the ratings of each item rise or fall by so much.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Generated

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Notes
    -----
    O(n_users n_items n_factors).

    Examples
    --------
    >>> data = generate_ratings(50, 40, share=0.3, random_state=0)
    >>> data.truth.shape, bool(abs(len(data.ratings) / 2000 - 0.3) < 0.1)
    ((50, 40), True)
    """
    n_users, n_items = check_integer(n_users, "n_users"), check_integer(n_items, "n_items")
    n_factors = check_integer(n_factors, "n_factors")
    if not 0 < check_real(share, "share") <= 0.5:
        raise ValueError(f"share must lie above 0 and not above 1/2, got {share}.")
    noise, selection, drift = (
        check_real(noise, "noise"),
        check_number(selection, "selection"),
        check_real(drift, "drift"),
    )
    rng = check_rng(random_state)
    tastes = rng.normal(size=(n_users, n_factors)) @ rng.normal(size=(n_factors, n_items))
    truth = 3.3 + 0.4 * rng.normal(size=(n_users, 1)) + 0.5 * rng.normal(size=n_items)
    truth = truth + 0.6 * tastes / np.sqrt(n_factors)
    weight = np.exp(0.4 * rng.normal(size=(n_users, 1)) + 0.6 * rng.normal(size=n_items) + selection * (truth - 3.3))
    propensity = _scaled(weight, share)
    users, items = np.nonzero(rng.uniform(size=truth.shape) < propensity)
    order = rng.permutation(len(users))
    users, items, times = users[order], items[order], np.sort(rng.uniform(size=len(users)))
    moves = drift * rng.choice([-1.0, 1.0], size=n_items)[items] * (times - 0.5)
    ratings = truth[users, items] + moves + noise * rng.normal(size=len(users))
    return Generated(users, items, ratings, times, truth, propensity)


def _scaled(weight: FloatArray, share: float) -> FloatArray:
    """Probabilities in proportion to the weights, at most 0.9, with the mean ``share``; by bisection."""
    low, high = 0.0, 1 / weight.min()
    for _ in range(100):
        factor = (low + high) / 2
        low, high = (factor, high) if np.minimum(factor * weight, 0.9).mean() < share else (low, factor)
    return np.minimum(high * weight, 0.9)

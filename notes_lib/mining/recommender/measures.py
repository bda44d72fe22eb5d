"""What a list of recommendations is worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import check_integer, check_vector


def precision_at_k(ranked: ArrayLike, relevant: Iterable[Any], k: int) -> float:
    """Share of the first k recommended items that are relevant; :eq:`recommender-precision`.

    Parameters
    ----------
    ranked : (n,) array
        Items, the best first.
    relevant : iterable of items
    k : int
        From 1 to n.

    Raises
    ------
    TypeError, ValueError
        If ``k`` is no integer from 1 to n, or an item is ranked twice.

    Examples
    --------
    >>> precision_at_k([7, 3, 9, 1], {3, 9, 4}, 2)
    0.5
    """
    return _hits(ranked, relevant, k) / k


def recall_at_k(ranked: ArrayLike, relevant: Iterable[Any], k: int) -> float:
    """Share of the relevant items that are among the first k; :eq:`recommender-recall`.

    Parameters
    ----------
    ranked, relevant, k
        As for :func:`precision_at_k`; at least one item must be relevant.

    Raises
    ------
    TypeError, ValueError
        As :func:`precision_at_k`, and if no item is relevant.

    Examples
    --------
    >>> recall_at_k([7, 3, 9, 1], {3, 9, 4, 5}, 2)
    0.25
    """
    relevant = set(relevant)
    if not relevant:
        raise ValueError("relevant is empty: leave this user out of the mean.")
    return _hits(ranked, relevant, k) / len(relevant)


def _hits(ranked: ArrayLike, relevant: Iterable[Any], k: int) -> int:
    items = np.asarray(ranked).tolist()
    if len(set(items)) < len(items):
        raise ValueError("ranked holds an item twice.")
    relevant = set(relevant)
    return sum(item in relevant for item in items[: _length(k, len(items))])


def dcg_at_k(gains: ArrayLike, k: int) -> float:
    """Discounted cumulative gain: gains divided by the binary logarithm of place plus 1; :eq:`recommender-dcg`.

    Parameters
    ----------
    gains : (n,) array
        Of the ranked items, the first place first.
    k : int
        From 1 to n.

    Raises
    ------
    TypeError, ValueError
        If ``gains`` is no vector of finite numbers, or ``k`` is no integer from 1 to n.

    Notes
    -----
    Source: Jarvelin and Kekalainen (2002).

    Examples
    --------
    >>> dcg_at_k([3.0, 0.0, 2.0], 3)
    4.0
    """
    gains = check_vector(gains, "gains")
    k = _length(k, len(gains))
    return float((gains[:k] / np.log2(np.arange(k) + 2)).sum())


def ndcg_at_k(gains: ArrayLike, k: int) -> float:
    """Discounted gain divided by that of the best order of the same items; :eq:`recommender-ndcg`. O(n log n).

    Parameters
    ----------
    gains : (n,) array
        Not negative, one at least positive; of **all** ranked items, since the best order may bring any of them to the
        front.
    k : int
        From 1 to n.

    Raises
    ------
    TypeError, ValueError
        As :func:`dcg_at_k`, and if a gain is negative or all are 0.

    Examples
    --------
    >>> ndcg_at_k([3.0, 2.0, 0.0], 2)
    1.0
    """
    gains = check_vector(gains, "gains")
    if gains.min() < 0 or gains.max() == 0:
        raise ValueError("gains must not be negative, and one must be positive: leave this user out of the mean.")
    return dcg_at_k(gains, k) / dcg_at_k(np.sort(gains)[::-1], k)


def _length(k: int, n: int) -> int:
    k = check_integer(k, "k")
    if k > n:
        raise ValueError(f"k must be at most the number of ranked items, {n}, got {k}.")
    return k


def inverse_propensity_mean(values: ArrayLike, propensities: ArrayLike, n_cells: int) -> float:
    """Mean over all cells, estimated from those that were seen, each divided by its chance; :eq:`recommender-ips`.

    Parameters
    ----------
    values : (n,) array
        Of the cells that were seen, such as squared errors.
    propensities : (n,) array
        With which probability each of them is seen, above 0 and at most 1.
    n_cells : int
        Number of all cells, at least n.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Notes
    -----
    Unbiased if no cell has the probability 0. Source: Schnabel et al. (2016).

    Examples
    --------
    >>> inverse_propensity_mean([1.0, 4.0], [0.5, 1.0], 3)
    2.0
    """
    values = check_vector(values, "values")
    p = check_vector(propensities, "propensities", len(values))
    if p.min() <= 0 or p.max() > 1:
        raise ValueError("propensities must lie above 0 and not above 1.")
    return float((values / p).sum() / check_integer(n_cells, "n_cells", len(values)))

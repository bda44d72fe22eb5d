"""The restaurant, the probability of a partition and the stick, in the order of the chapter."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from notes_lib.checks import FloatArray, IntArray, check_counts, check_integer, check_vector
from notes_lib.clustering.dirichlet_process.checks import check_concentration, check_groups
from notes_lib.numerics import RandomState, check_rng


def seating_probabilities(counts: ArrayLike, alpha: float) -> FloatArray:
    """Where the next guest sits: at table k in proportion to the guests there, at a new one in proportion to alpha.

    Implements :eq:`dirichlet-process-seating`. O(K) time.

    Parameters
    ----------
    counts : (K,) array
        Guests at each table, whole numbers; ``[]`` for an empty restaurant.
    alpha : float
        Concentration, positive.

    Returns
    -------
    (K + 1,) array
        Sums to 1; the last entry is the new table.

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not whole, or ``alpha`` is not a positive number.

    Examples
    --------
    >>> seating_probabilities([3, 1], 1.0)
    array([0.6, 0.2, 0.2])
    """
    n, alpha = np.atleast_1d(check_counts(counts, "counts")), check_concentration(alpha)
    if n.ndim > 1:
        raise ValueError(f"counts must be a vector, the guests at each table, got shape {n.shape}.")
    return np.append(n, alpha) / (n.sum() + alpha)  # dirichlet-process-seating


def chinese_restaurant(n: int, alpha: float, random_state: RandomState = None) -> IntArray:
    """Seat n guests one after the other; :eq:`dirichlet-process-seating`.

    A guest who does not open a table joins a guest who is there already, drawn uniformly: this draws a table in
    proportion to its guests. O(n) time.

    Parameters
    ----------
    n : int
    alpha : float
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (n,) array of int
        The table of each guest, numbered from 0 in the order of opening.

    Raises
    ------
    ValueError, TypeError
        If ``n`` is not an integer of at least 1, or ``alpha`` not a positive number.

    Examples
    --------
    >>> chinese_restaurant(6, 1.0, random_state=0)
    array([0, 1, 2, 3, 3, 0])
    """
    n, alpha, rng = check_integer(n, "n"), check_concentration(alpha), check_rng(random_state)
    seats = np.arange(n)
    opens = rng.random(n) * (alpha + seats) < alpha
    opens[0] = True
    joins = (rng.random(n) * seats).astype(int)  # guest i joins one of the guests 0 to i - 1
    tables = np.cumsum(opens) - 1
    for i in np.flatnonzero(~opens):
        tables[i] = tables[joins[i]]
    return tables


def log_partition(labels: ArrayLike, alpha: float) -> float:
    """Log-probability that the restaurant seats its guests in these groups; :eq:`dirichlet-process-partition`.

    It depends on the sizes of the groups only. O(n log n) time.

    Parameters
    ----------
    labels : (n,) array of int
        Equal labels, same table; the names of the labels do not matter.
    alpha : float

    Returns
    -------
    float, nats

    Raises
    ------
    ValueError, TypeError
        If ``labels`` is not a vector of integers, or ``alpha`` not a positive number.

    Examples
    --------
    >>> round(float(np.exp(log_partition([0, 0, 1], alpha=1.0))), 4)
    0.1667
    """
    alpha = check_concentration(alpha)
    sizes = np.unique(check_groups(labels), return_counts=True)[1]
    n = sizes.sum()
    return float(
        len(sizes) * np.log(alpha) + gammaln(sizes).sum() + gammaln(alpha) - gammaln(alpha + n)
    )  # dirichlet-process-partition


def expected_tables(n: int, alpha: float) -> float:
    """Expected number of tables of n guests; :eq:`dirichlet-process-expected`. O(n) time.

    Raises ValueError or TypeError if ``n`` is not an integer of at least 1 or ``alpha`` is not positive.

    Examples
    --------
    >>> round(expected_tables(4, 1.0), 4)
    2.0833
    """
    alpha, seats = check_concentration(alpha), np.arange(check_integer(n, "n"))
    return float((alpha / (alpha + seats)).sum())


def stick_weights(fractions: ArrayLike) -> FloatArray:
    """Break pieces off a stick of length 1, each a fraction of what is left; :eq:`dirichlet-process-stick`.

    Parameters
    ----------
    fractions : (T,) array
        v_t between 0 and 1; independent draws of Beta(1, alpha) give the weights of a Dirichlet process.

    Returns
    -------
    (T,) array
        The pieces; what is missing to 1 is the rest of the stick.

    Raises
    ------
    ValueError
        If ``fractions`` is not a vector of numbers between 0 and 1.

    Examples
    --------
    >>> stick_weights([0.5, 0.5, 0.5])
    array([0.5  , 0.25 , 0.125])
    """
    v = check_vector(fractions, "fractions")
    if not ((v >= 0) & (v <= 1)).all():
        raise ValueError(f"fractions must lie between 0 and 1, got {v.tolist()}: each is a share of what is left.")
    return v * np.append(1.0, np.cumprod(1 - v)[:-1])  # dirichlet-process-stick


def canonical_labels(labels: ArrayLike) -> IntArray:
    """The same groups, numbered from 0 by their first members: two labellings of one partition become equal.

    O(n log n) time. Raises ValueError or TypeError if ``labels`` is not a vector of integers.

    Examples
    --------
    >>> canonical_labels([7, 7, 2, 7, 5])
    array([0, 0, 1, 0, 2])
    """
    _, first, code = np.unique(check_groups(labels), return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=int)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[code]


def co_clustering(trace: ArrayLike) -> FloatArray:
    """Share of the sampled partitions in which two rows are together; :eq:`dirichlet-process-together`.

    Parameters
    ----------
    trace : (S, n) array of int
        One partition in each row; the names of its labels do not matter.

    Returns
    -------
    (n, n) array
        Symmetric, ones on the diagonal.

    Raises
    ------
    ValueError, TypeError
        If ``trace`` is not a matrix of integers.

    Notes
    -----
    O(S K n^2) time, O(n^2) memory.

    Examples
    --------
    >>> co_clustering([[0, 0, 1], [5, 5, 5]])
    array([[1. , 1. , 0.5],
           [1. , 1. , 0.5],
           [0.5, 0.5, 1. ]])
    """
    trace = np.asarray(trace)
    if trace.ndim != 2 or trace.size == 0:
        raise ValueError(f"trace must be (S, n), one partition in each row, got shape {trace.shape}.")
    seen, count = np.unique([canonical_labels(labels) for labels in trace], axis=0, return_counts=True)
    together = np.zeros((trace.shape[1], trace.shape[1]))
    for labels, times in zip(seen, count, strict=True):
        member = indicators(labels)
        together += times * (member @ member.T)
    return together / len(trace)  # dirichlet-process-together


def indicators(labels: IntArray) -> FloatArray:
    """Canonical labels as zeros and ones (n, K)."""
    return np.eye(labels.max() + 1)[labels]

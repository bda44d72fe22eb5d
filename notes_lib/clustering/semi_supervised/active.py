"""Active learning: which row to ask about next, and how few questions find a threshold."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from notes_lib.checks import FloatArray, check_choice, check_integer, check_real
from notes_lib.clustering.semi_supervised.checks import check_probabilities

MEASURES = ("least_confident", "margin", "entropy")


class Search(NamedTuple):
    """Result of :func:`query_threshold`: ``position`` of the first row of class 1, ``queries`` in their order."""

    position: int
    queries: list[int]


def uncertainty(P: ArrayLike, measure: str = "entropy") -> FloatArray:
    """How uncertain a classifier is about each row, :eq:`semi-supervised-uncertainty`; ask about the largest.

    Parameters
    ----------
    P : (n, K) array
        Probabilities of the classes.
    measure : {'least_confident', 'margin', 'entropy'}
        1 minus the largest probability; 1 minus the lead of the largest over the second; entropy in nats.

    Returns
    -------
    (n,) array
        0 where one class is certain.

    Raises
    ------
    ValueError
        If P does not hold probabilities, or the measure is unknown.

    Notes
    -----
    For two classes all three order the rows alike. Source: Lewis and Gale (1994); Settles (2012), chapter 2.

    Examples
    --------
    >>> uncertainty([[0.5, 0.3, 0.2]], "margin")
    array([0.8])
    """
    proba = check_probabilities(P)
    check_choice(measure, "measure", MEASURES)
    if measure == "entropy":
        return np.asarray(-xlogy(proba, proba).sum(axis=1))
    ordered = np.sort(proba, axis=1)
    return np.asarray(1 - ordered[:, -1] + (ordered[:, -2] if measure == "margin" else 0.0))


def queries_needed(n: int) -> int:
    """Labels that always suffice, and that some threshold needs, among n sorted rows; :eq:`semi-supervised-queries`.

    Parameters
    ----------
    n : int

    Returns
    -------
    int
        The logarithm of n + 1 to the base 2, rounded up.

    Raises
    ------
    TypeError, ValueError
        If n is no positive integer.

    Examples
    --------
    >>> [queries_needed(n) for n in (1, 7, 8, 1000)]
    [1, 3, 4, 10]
    """
    return check_integer(n, "n").bit_length()


def random_interval(m: int, theta: float = 0.5) -> float:
    """Mean length of what m random labels leave open about a threshold in [0, 1]; :eq:`semi-supervised-passive`.

    Parameters
    ----------
    m : int
        Rows drawn uniformly from [0, 1], each with its label; at least 0.
    theta : float
        The threshold, from 0 to 1.

    Returns
    -------
    float
        About 2 / (m + 1); ``2 ** -m`` is what m questions to the middle leave.

    Raises
    ------
    TypeError, ValueError
        If m is no integer from 0 on, or theta no number from 0 to 1.

    Examples
    --------
    >>> random_interval(1), random_interval(0)
    (0.75, 1.0)
    """
    if check_real(theta, "theta") > 1:
        raise ValueError(f"theta must be at most 1, got {theta}: the rows lie between 0 and 1.")
    m = check_integer(m, "m", minimum=0)
    return float((2 - theta ** (m + 1) - (1 - theta) ** (m + 1)) / (m + 1))


def query_threshold(n: int, ask: Callable[[int], int]) -> Search:
    """Find where the labels of n sorted rows change from 0 to 1, asking about the middle of what is open.

    Parameters
    ----------
    n : int
    ask : callable
        ``ask(i)`` is the label, 0 or 1, of row i = 0, ..., n - 1; once 1, it stays 1.

    Returns
    -------
    Search
        ``position``: the first row with label 1, n if there is none; ``queries``: the rows asked about.

    Raises
    ------
    TypeError, ValueError
        If n is no positive integer, or an answer is neither 0 nor 1.

    Notes
    -----
    At most :func:`queries_needed` questions.

    Examples
    --------
    >>> query_threshold(10, lambda i: i >= 7)
    Search(position=7, queries=[5, 8, 7, 6])
    """
    low, high = 0, check_integer(n, "n")  # the position lies from low to high
    queries = []
    while low < high:
        middle = (low + high) // 2
        answer = ask(middle)
        queries.append(middle)
        if answer not in (0, 1):
            raise ValueError(f"ask({middle}) must answer 0 or 1, got {answer!r}.")
        low, high = (low, middle) if answer else (middle + 1, high)
    return Search(low, queries)

"""Learning without a distribution: how many mistakes at most, by halving and by Winnow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_codes, check_matrix, check_real


class Halved(NamedTuple):
    """Result of :func:`halving`: rounds with a ``mistakes`` (k,), and ``left`` (T,), hypotheses after each round."""

    mistakes: IntArray
    left: IntArray


class Winnowed(NamedTuple):
    """Result of :func:`winnow`: ``weights`` (d,) at the end, and rounds with a ``mistakes`` (k,)."""

    weights: FloatArray
    mistakes: IntArray


def halving(predictions: ArrayLike, y: ArrayLike) -> Halved:
    """Vote with all hypotheses that have made no mistake yet; :eq:`generalization-halving`.

    Parameters
    ----------
    predictions : (T, m) array of 0 and 1
        What each of m hypotheses says in each round.
    y : (T,) array of 0 and 1
        Labels; at least one hypothesis must be right in every round.

    Returns
    -------
    Halved
        At most ``log2(m)`` mistakes. A tied vote says 1.

    Raises
    ------
    TypeError, ValueError
        Entries other than 0 and 1, lengths that differ, or no hypothesis without a mistake.

    Notes
    -----
    O(T m) time.

    Examples
    --------
    >>> halving([[0, 0, 1], [1, 0, 1], [1, 1, 0]], [0, 0, 1])
    Halved(mistakes=array([1]), left=array([2, 1, 1]))
    """
    H, y = _rounds(predictions, y)
    alive = np.ones(H.shape[1], dtype=bool)
    mistakes, left = [], []
    for t, (said, truth) in enumerate(zip(H, y, strict=True)):
        if (2 * said[alive].sum() >= alive.sum()) != truth:
            mistakes.append(t)
        alive &= said == truth
        left.append(int(alive.sum()))
    if not alive.any():
        raise ValueError("predictions must hold a hypothesis that is right in every round: halving assumes one.")
    return Halved(np.array(mistakes, dtype=int), np.array(left))


def winnow(X: ArrayLike, y: ArrayLike, factor: float = 2.0) -> Winnowed:
    """Double the weights of what was missed, halve those of what misled; :eq:`generalization-winnow`.

    Parameters
    ----------
    X : (T, d) array of 0 and 1
    y : (T,) array of 0 and 1
    factor : float
        Above 1.

    Returns
    -------
    Winnowed
        The prediction is 1 if the weights of the active features add up to at least d.

    Raises
    ------
    TypeError, ValueError
        Entries other than 0 and 1, lengths that differ, a factor of at most 1.

    Notes
    -----
    O(T d) time. If y is the disjunction of k of the features, at most ``2 + 3 k (1 + log2 d)`` mistakes for the factor
    2. Source: Littlestone (1988), Machine Learning 2, 285-318.

    Examples
    --------
    >>> winnow([[1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 1, 0]], [1, 0, 1])
    Winnowed(weights=array([4., 1., 2., 2.]), mistakes=array([0, 2]))
    """
    X, y = _rounds(X, y, "X")
    factor = check_real(factor, "factor")
    if factor <= 1:
        raise ValueError(f"factor must be above 1, got {factor:g}: no weight would change.")
    d = X.shape[1]
    weights, mistakes = np.ones(d), []
    for t, (x, truth) in enumerate(zip(X, y, strict=True)):
        if (weights @ x >= d) != truth:
            mistakes.append(t)
            weights[x == 1] *= factor if truth else 1.0 / factor  # generalization-winnow
    return Winnowed(weights, np.array(mistakes, dtype=int))


def _rounds(table: ArrayLike, y: ArrayLike, name: str = "predictions") -> tuple[IntArray, IntArray]:
    A = check_matrix(table, name)
    if not np.isin(A, (0, 1)).all():
        raise ValueError(f"{name} must hold 0 and 1 only.")
    return A.astype(int), check_codes(y, "y", len(A), 2)

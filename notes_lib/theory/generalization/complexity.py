"""Rademacher complexity: how well a class fits labels that are pure chance."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import check_integer, check_matrix, check_real
from notes_lib.numerics import RandomState, check_rng
from notes_lib.theory.generalization.checks import check_sample

EXACT = 16  # signs whose 2^n combinations are enumerated if no number of draws is given


class Complexity(NamedTuple):
    """Result of :func:`empirical_rademacher`: the ``value``, and its ``standard_error``, 0 if it is exact."""

    value: float
    standard_error: float


def empirical_rademacher(
    predictions: ArrayLike, n_draws: int | None = None, random_state: RandomState = None
) -> Complexity:
    """Mean over random signs of the best correlation with them; :eq:`generalization-rademacher`.

    Parameters
    ----------
    predictions : (m, n) array
        Values of each of m hypotheses on n instances, for instance losses or labels.
    n_draws : int, optional
        Random sign vectors, at least 2. By default all 2^n are taken, for n up to 16.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Complexity

    Raises
    ------
    TypeError, ValueError
        Bad predictions; more than 16 instances without ``n_draws``; fewer than two draws.

    Notes
    -----
    O(R m n) time for R sign vectors.

    Examples
    --------
    >>> empirical_rademacher([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    Complexity(value=1.0, standard_error=0.0)
    """
    F = check_matrix(predictions, "predictions")
    n = F.shape[1]
    if n_draws is None:
        if n > EXACT:
            raise ValueError(f"predictions has {n} columns, too many to enumerate the signs: give n_draws.")
        signs = np.array(list(product((-1.0, 1.0), repeat=n)))
    else:
        signs = check_rng(random_state).choice([-1.0, 1.0], size=(check_integer(n_draws, "n_draws", 2), n))
    best = (signs @ F.T).max(axis=1) / n  # generalization-rademacher
    error = 0.0 if n_draws is None else float(best.std(ddof=1) / np.sqrt(len(best)))
    return Complexity(float(best.mean()), error)


def rademacher_bound(complexity: float, n: int, delta: float) -> float:
    """Largest risk less empirical risk over a class, with probability ``1 - delta``.

    Implements :eq:`generalization-rademacher-bound`.

    Parameters
    ----------
    complexity : float
        Empirical Rademacher complexity of the losses, which lie between 0 and 1; at least 0.
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
    >>> round(rademacher_bound(0.05, 1000, 0.05), 4)
    0.2288
    """
    value, (n, delta) = check_real(complexity, "complexity"), check_sample(n, delta)
    return float(2.0 * value + 3.0 * np.sqrt(np.log(2.0 / delta) / (2.0 * n)))  # generalization-rademacher-bound

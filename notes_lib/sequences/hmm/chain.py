"""The Markov chain behind the states: where it can go, in what rhythm, and how fast it forgets its start."""

from __future__ import annotations

from math import gcd

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csgraph

from notes_lib.checks import FloatArray
from notes_lib.sequences.hmm import checks


def stationary_distribution(transmat: ArrayLike) -> FloatArray:
    """Distribution (K,) that a step of the chain does not change; :eq:`hmm-stationary`, :eq:`hmm-two-states`.

    Raises
    ------
    ValueError
        If ``transmat`` is not stochastic, or several distributions are stationary (there are several sets of states
        that the chain cannot leave), or products of its probabilities underflow.

    Notes
    -----
    O(K^3) time, O(K^2) memory. States that the chain leaves for ever get exactly 0. Nothing is subtracted, so that
    every entry is right to nearly the last digit, however small the probabilities of leaving. The chain need not
    converge to it: one whose :func:`period` is not 1 does not. Source: Grassmann, Taksar and Heyman (1985), Operations
    Research 33, 1107-1116.

    Examples
    --------
    >>> stationary_distribution([[0.9, 0.1], [0.2, 0.8]]).round(4)
    array([0.6667, 0.3333])
    """
    A = checks.check_transmat(transmat)
    parts, part = csgraph.connected_components(A > 0, connection="strong")
    i, j = np.nonzero(A)
    closed = np.setdiff1d(np.arange(parts), part[i][part[i] != part[j]])  # parts without a way out
    if len(closed) > 1:
        raise ValueError(
            "transmat has several stationary distributions: there is more than one set of states that the chain "
            "cannot leave. Solve each by itself."
        )
    stays = np.flatnonzero(part == closed[0])
    s = np.zeros(len(A))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s[stays] = _balance(A[np.ix_(stays, stays)])
    if not np.isfinite(s).all():
        raise ValueError("transmat holds probabilities so small that their products underflow: set them to 0.")
    return s


def _balance(Q: FloatArray) -> FloatArray:
    """Stationary distribution of an irreducible chain: take out the last state, solve for the others, put it back."""
    for n in range(len(Q) - 1, 0, -1):
        Q[:n, n] /= Q[n, :n].sum()  # visits to n for one to each state before: into n, over out of n
        Q[:n, :n] += np.outer(Q[:n, n], Q[n, :n])  # the chain watched outside n only
    s = np.ones(len(Q))
    for n in range(1, len(Q)):
        s[n] = s[:n] @ Q[:n, n]
    return s / s.sum()


def is_irreducible(transmat: ArrayLike) -> bool:
    """Whether every state can be reached from every other one, in any number of steps.

    Parameters
    ----------
    transmat : (K, K) array
        ``transmat[i, j]`` = p(z_t+1 = j | z_t = i), rows sum to 1.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If ``transmat`` is not stochastic.

    Notes
    -----
    O(K^2) time and memory: the chain is irreducible if its graph of possible transitions is strongly connected.

    Examples
    --------
    >>> is_irreducible([[0.9, 0.1], [0.2, 0.8]]), is_irreducible([[0.9, 0.1], [0.0, 1.0]])
    (True, False)
    """
    A = checks.check_transmat(transmat)
    parts, _ = csgraph.connected_components(A > 0, connection="strong")
    return bool(parts == 1)


def period(transmat: ArrayLike) -> int:
    """Greatest common divisor of the lengths of all ways back to a state; 1 means *aperiodic*.

    Parameters
    ----------
    transmat : (K, K) array
        As in :func:`is_irreducible`; irreducible, so that all states have the same period.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``transmat`` is not stochastic, or the chain is not irreducible.

    Notes
    -----
    O(K^2) time and memory. With the distance d_i of each state from state 0, the period is the greatest common divisor
    of d_i + 1 - d_j over all possible transitions i to j. Source: Denardo (1977), Management Science 23, 1015-1018.

    Examples
    --------
    >>> period([[0.0, 1.0], [1.0, 0.0]]), period([[0.5, 0.5], [1.0, 0.0]])
    (2, 1)
    """
    if not is_irreducible(transmat):
        raise ValueError(
            "transmat must be irreducible: its states may have different periods. Take each set of states that the "
            "chain cannot leave by itself."
        )
    possible = np.asarray(transmat) > 0
    d = csgraph.shortest_path(possible, unweighted=True, indices=0).astype(int)
    i, j = np.nonzero(possible)
    return gcd(*(int(v) for v in d[i] + 1 - d[j]))


def second_eigenvalue(transmat: ArrayLike) -> float:
    """Modulus of the second largest eigenvalue: what the chain still remembers after a step; :eq:`hmm-forgetting`.

    Parameters
    ----------
    transmat : (K, K) array
        As in :func:`is_irreducible`.

    Returns
    -------
    float
        Between 0 (all is forgotten at once) and 1 (a chain that is not irreducible and aperiodic may never forget).

    Raises
    ------
    ValueError
        If ``transmat`` is not stochastic.

    Notes
    -----
    O(K^3) time, O(K^2) memory. The largest eigenvalue is 1, that of the vector of ones.

    Examples
    --------
    >>> round(second_eigenvalue([[0.9, 0.1], [0.2, 0.8]]), 4)  # 0.9 + 0.8 - 1
    0.7
    """
    size = np.sort(np.abs(np.linalg.eigvals(checks.check_transmat(transmat))))
    return float(size[-2]) if len(size) > 1 else 0.0

"""Bandits: one state, several arms, and what exploring costs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_shape
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reinforcement.temporal_difference.steps import epsilon_greedy, softmax_policy, ucb_index

Rule = Callable[[FloatArray, FloatArray, int], FloatArray]


def play_bandit(
    success: ArrayLike, rule: Rule, n_steps: int, n_runs: int = 1, random_state: RandomState = None
) -> FloatArray:
    """Regret (n_runs, n_steps) of a rule, summed over the pulls; :eq:`temporal-difference-regret`.

    Parameters
    ----------
    success : (A,) array
        Probability of each arm to pay 1; otherwise it pays 0.
    rule : callable
        ``rule(means, counts, t)``: probabilities (n_runs, A) of the next pull, from the mean rewards and the numbers of
        pulls so far, both (n_runs, A), and the number t of all pulls. :func:`explore_by_chance`,
        :func:`explore_by_softmax` and :func:`explore_by_ucb` make rules.
    n_steps : int
        Pulls of each run; the first A of them try each arm once.
    n_runs : int
        Independent runs, played side by side.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (n_runs, n_steps) array
        Sum of the gaps between the best arm and the arms pulled, after each pull.

    Raises
    ------
    ValueError
        If ``success`` is no vector of probabilities, or a number is less than 1.
    TypeError
        If a number is no integer.

    Notes
    -----
    O(n_runs n_steps A) time. Source: Auer, Cesa-Bianchi and Fischer (2002).

    Examples
    --------
    >>> play_bandit([0.0, 1.0], explore_by_chance(0.0), 5, random_state=0)  # one pull of the bad arm
    array([[1., 1., 1., 1., 1.]])
    """
    p = check_shape(success, "success", (None,))
    if not p.size or ((p < 0) | (p > 1)).any():
        raise ValueError("success must hold at least one probability, numbers between 0 and 1.")
    n_steps, n_runs = check_integer(n_steps, "n_steps"), check_integer(n_runs, "n_runs")
    rng, runs, A = check_rng(random_state), np.arange(n_runs), len(p)
    wins, counts = np.zeros((n_runs, A)), np.zeros((n_runs, A))
    gaps = np.zeros((n_runs, n_steps))
    for t in range(n_steps):
        if t < A:
            arm = np.full(n_runs, t)
        else:
            chosen = rule(wins / counts, counts, t).cumsum(axis=1)
            arm = (rng.random((n_runs, 1)) >= chosen[:, :-1]).sum(axis=1)
        wins[runs, arm] += rng.random(n_runs) < p[arm]
        counts[runs, arm] += 1
        gaps[:, t] = p.max() - p[arm]
    return gaps.cumsum(axis=1)


def explore_by_chance(epsilon: float) -> Rule:
    """The best mean, or with probability ``epsilon`` any arm."""
    return lambda means, counts, t: epsilon_greedy(means, epsilon)


def explore_by_softmax(temperature: float) -> Rule:
    """Better means more often, the more so the lower the temperature."""
    return lambda means, counts, t: softmax_policy(means, temperature)


def explore_by_ucb(c: float = 2.0) -> Rule:
    """The largest upper confidence bound."""
    return lambda means, counts, t: epsilon_greedy(ucb_index(means, counts, t, c), 0.0)

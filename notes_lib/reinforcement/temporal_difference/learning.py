"""Learning from experience: TD(0) for the values of a policy; SARSA, Q-learning and their relatives for actions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reinforcement.mdp.checks import check_policy
from notes_lib.reinforcement.temporal_difference.checks import (
    Environment,
    check_environment,
    check_epsilon,
    check_settings,
)
from notes_lib.reinforcement.temporal_difference.environments import World
from notes_lib.reinforcement.temporal_difference.lookup import q_learning_by_lookup
from notes_lib.reinforcement.temporal_difference.walking import Act, Learn, seeded, uniforms, walk


class Values(NamedTuple):
    """``V`` (S,): the learned values; ``returns`` and ``lengths`` (n_episodes,): sum of rewards, number of steps."""

    V: FloatArray
    returns: FloatArray
    lengths: IntArray


class ActionValues(NamedTuple):
    """``Q`` (S, A): the learned values; ``returns`` and ``lengths`` (n_episodes,): sum of rewards, number of steps."""

    Q: FloatArray
    returns: FloatArray
    lengths: IntArray


def td_zero(
    env: Environment,
    policy: ArrayLike,
    n_episodes: int,
    alpha: float,
    gamma: float,
    random_state: RandomState = None,
) -> Values:
    """Values of a policy from its own steps, by TD(0); :eq:`temporal-difference-td`.

    Parameters
    ----------
    env : environment
        With ``reset``, ``step``, ``n_states`` and ``n_actions``, as :class:`GridWorld`.
    policy : (S,) array of int, or (S, A) array
        The number of an action for each state, or a distribution over the actions.
    n_episodes : int
        Episodes to walk.
    alpha : float
        Step size, above 0 and at most 1.
    gamma : float
        What a reward is worth a step later, between 0 and 1.
    random_state : int, Generator, RandomState or None
        For the policy and, by a seed at the first ``reset``, for the environment.

    Returns
    -------
    Values
        The table first. It starts from 0; an end (*terminated*) is worth 0, a state in which the time is over
        (*truncated*) is worth what the table says.

    Raises
    ------
    ValueError
        If a setting is out of its range, ``policy`` does not fit the environment or has a row that is no distribution,
        or the environment returns a state or a reward that cannot be.
    TypeError
        If ``env`` is no environment, or a setting is no number.
    RuntimeError
        If an episode lasts a million steps.

    Notes
    -----
    O(1) time a step. Source: Sutton (1988), *Learning to predict by the methods of temporal differences*.

    Examples
    --------
    >>> from notes_lib.reinforcement.temporal_difference import GridWorld
    >>> env = GridWorld((1, 3), (0, 0), {(0, 2): 1.0})
    >>> td_zero(env, [1, 1, 1], n_episodes=2, alpha=0.5, gamma=1.0).V  # always right
    array([0.25, 0.75, 0.  ])
    """
    S, A = check_environment(env)
    n_episodes, alpha, gamma = check_settings(n_episodes, alpha, gamma)
    probabilities = check_policy(policy, S, A)
    rng = check_rng(random_state)
    reset, chance = seeded(env, rng), uniforms(rng)
    draws = probabilities.ndim == 2
    rows = (probabilities[:, :-1].cumsum(axis=1) if draws else probabilities).tolist()
    V = [0.0] * S

    def act(i: int) -> int:
        return bisect_right(rows[i], next(chance)) if draws else rows[i]

    def learn(i: int, a: int, reward: float, j: int, end: bool) -> None:
        V[i] += alpha * (reward + (0.0 if end else gamma * V[j]) - V[i])  # temporal-difference-td

    return Values(*walk(env, reset, n_episodes, V, act, learn))


def q_learning(
    env: Environment,
    n_episodes: int,
    alpha: float,
    gamma: float,
    epsilon: float,
    random_state: RandomState = None,
) -> ActionValues:
    """Action values of the best policy, learned while acting epsilon-greedily; :eq:`temporal-difference-q`.

    Parameters
    ----------
    env : environment
        With ``reset``, ``step``, ``n_states`` and ``n_actions``, as :class:`GridWorld`.
    n_episodes : int
        Episodes to walk.
    alpha : float
        Step size, above 0 and at most 1.
    gamma : float
        What a reward is worth a step later, between 0 and 1.
    epsilon : float
        Probability of exploring, which draws from all actions alike; otherwise the first of the best actions is taken.
    random_state : int, Generator, RandomState or None
        For the exploration and, by a seed at the first ``reset``, for the environment.

    Returns
    -------
    ActionValues
        The table first. It starts from 0; an end (*terminated*) is worth 0, a state in which the time is over
        (*truncated*) is worth what the table says.

    Raises
    ------
    ValueError
        If a setting is out of its range, or the environment returns a state or a reward that cannot be.
    TypeError
        If ``env`` is no environment, or a setting is no number.
    RuntimeError
        If an episode lasts a million steps.

    Notes
    -----
    O(1) time a step where chance plays no part in the world, whose table is then read; O(A) otherwise. Source: Watkins
    and Dayan (1992), *Q-learning*.

    Examples
    --------
    >>> from notes_lib.reinforcement.temporal_difference import CliffWalking
    >>> Q = q_learning(CliffWalking(), 500, alpha=0.5, gamma=1.0, epsilon=0.1, random_state=0).Q
    >>> round(Q[36].max(), 6)  # the best way takes 13 steps
    np.float64(-13.0)
    """
    S, A = check_environment(env)
    n_episodes, alpha, gamma = check_settings(n_episodes, alpha, gamma)
    epsilon, rng = check_epsilon(epsilon), check_rng(random_state)
    reset = seeded(env, rng)
    if isinstance(env, World) and (table := env.table()):
        found = q_learning_by_lookup(table, env.start, n_episodes, alpha, gamma, epsilon, rng)
        return ActionValues(*map(np.array, found))
    Q = _zeros(S, A)

    def learn(i: int, a: int, reward: float, j: int, end: bool) -> None:
        Q[i][a] += alpha * (reward + (0.0 if end else gamma * max(Q[j])) - Q[i][a])  # temporal-difference-q

    return _acting(env, reset, n_episodes, Q, _epsilon_greedy(Q, epsilon, uniforms(rng)), learn)


def sarsa(
    env: Environment,
    n_episodes: int,
    alpha: float,
    gamma: float,
    epsilon: float,
    random_state: RandomState = None,
) -> ActionValues:
    """Action values of the epsilon-greedy policy that is acted on; :eq:`temporal-difference-sarsa`.

    Parameters, results, errors and cost are those of :func:`q_learning`, but for the target: it takes the value of the
    action that comes next, exploration included. Where the time is over, that is an action drawn but not taken.

    Notes
    -----
    Source: Rummery and Niranjan (1994); Sutton and Barto (2018), section 6.4.

    Examples
    --------
    >>> from notes_lib.reinforcement.temporal_difference import CliffWalking
    >>> Q = sarsa(CliffWalking(), 500, alpha=0.5, gamma=1.0, epsilon=0.1, random_state=0).Q
    >>> bool(Q[36].max() < -13)  # it keeps away from the edge
    True
    """
    S, A = check_environment(env)
    n_episodes, alpha, gamma = check_settings(n_episodes, alpha, gamma)
    epsilon, rng = check_epsilon(epsilon), check_rng(random_state)
    reset, Q = seeded(env, rng), _zeros(S, A)
    act = _epsilon_greedy(Q, epsilon, uniforms(rng))

    def learn(i: int, a: int, reward: float, j: int, end: bool) -> int:
        b = 0 if end else act(j)
        Q[i][a] += alpha * (reward + (0.0 if end else gamma * Q[j][b]) - Q[i][a])  # temporal-difference-sarsa
        return b

    return _acting(env, reset, n_episodes, Q, act, learn)


def expected_sarsa(
    env: Environment,
    n_episodes: int,
    alpha: float,
    gamma: float,
    epsilon: float,
    random_state: RandomState = None,
) -> ActionValues:
    """As :func:`sarsa`, with the mean over the actions that may come next; :eq:`temporal-difference-expected`.

    Parameters, results, errors and cost are those of :func:`q_learning`.

    Notes
    -----
    Source: van Seijen, van Hasselt, Whiteson and Wiering (2009).

    Examples
    --------
    >>> from notes_lib.reinforcement.temporal_difference import GridWorld
    >>> expected_sarsa(GridWorld((1, 2), (0, 0), {(0, 1): 1.0}), 50, 1.0, 0.9, 0.5, random_state=0).Q[0, 1]
    np.float64(1.0)
    """
    S, A = check_environment(env)
    n_episodes, alpha, gamma = check_settings(n_episodes, alpha, gamma)
    epsilon, rng = check_epsilon(epsilon), check_rng(random_state)
    reset, Q = seeded(env, rng), _zeros(S, A)

    def learn(i: int, a: int, reward: float, j: int, end: bool) -> None:
        later = 0.0 if end else epsilon / A * sum(Q[j]) + (1 - epsilon) * max(Q[j])
        Q[i][a] += alpha * (reward + gamma * later - Q[i][a])  # temporal-difference-expected

    return _acting(env, reset, n_episodes, Q, _epsilon_greedy(Q, epsilon, uniforms(rng)), learn)


def double_q_learning(
    env: Environment,
    n_episodes: int,
    alpha: float,
    gamma: float,
    epsilon: float,
    random_state: RandomState = None,
) -> ActionValues:
    """Q-learning with two tables, one to choose the best action and one to value it; :eq:`temporal-difference-double`.

    Parameters, errors and cost are those of :func:`q_learning`; ``Q`` is the mean of both tables, and greedy is what is
    best in the mean. A coin says which table learns from a step.

    Notes
    -----
    Source: van Hasselt (2010), *Double Q-learning*.

    Examples
    --------
    >>> from notes_lib.reinforcement.temporal_difference import GridWorld
    >>> double_q_learning(GridWorld((1, 2), (0, 0), {(0, 1): 1.0}), 50, 1.0, 0.9, 0.5, random_state=0).Q[0, 1]
    np.float64(1.0)
    """
    S, A = check_environment(env)
    n_episodes, alpha, gamma = check_settings(n_episodes, alpha, gamma)
    epsilon, rng = check_epsilon(epsilon), check_rng(random_state)
    reset, chance = seeded(env, rng), uniforms(rng)
    Q, pair = _zeros(S, A), (_zeros(S, A), _zeros(S, A))

    def learn(i: int, a: int, reward: float, j: int, end: bool) -> None:
        ours, theirs = pair if next(chance) < 0.5 else pair[::-1]
        later = 0.0 if end else gamma * theirs[j][ours[j].index(max(ours[j]))]
        ours[i][a] += alpha * (reward + later - ours[i][a])  # temporal-difference-double
        Q[i][a] = (ours[i][a] + theirs[i][a]) / 2

    return _acting(env, reset, n_episodes, Q, _epsilon_greedy(Q, epsilon, chance), learn)


def _acting(env: Any, reset: Any, n_episodes: int, Q: list[list[float]], act: Act, learn: Learn) -> ActionValues:
    return ActionValues(*walk(env, reset, n_episodes, Q, act, learn))


def _zeros(S: int, A: int) -> list[list[float]]:
    return [[0.0] * A for _ in range(S)]


def _epsilon_greedy(Q: list[list[float]], epsilon: float, chance: Iterator[float]) -> Act:
    """The first of the best actions, or with probability epsilon any; one random number serves for both."""
    spread = len(Q[0]) / epsilon if epsilon else 0.0

    def act(i: int) -> int:
        u = next(chance)
        return int(u * spread) if u < epsilon else Q[i].index(max(Q[i]))

    return act

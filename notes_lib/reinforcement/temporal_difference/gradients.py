"""REINFORCE: follow the gradient of the expected return, estimated from episodes."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray, check_integer
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reinforcement.mdp import discounted_returns
from notes_lib.reinforcement.mdp.checks import check_gamma
from notes_lib.reinforcement.temporal_difference.checks import Environment, check_alpha, check_environment
from notes_lib.reinforcement.temporal_difference.steps import softmax_policy
from notes_lib.reinforcement.temporal_difference.walking import LONGEST, endless, seeded, state_number, uniforms


class Preferences(NamedTuple):
    """``theta`` (S, A): the policy is its softmax; ``returns`` and ``lengths`` (n_episodes,) of the episodes."""

    theta: FloatArray
    returns: FloatArray
    lengths: IntArray


def reinforce(
    env: Environment,
    n_episodes: int,
    alpha: float,
    gamma: float,
    random_state: RandomState = None,
    baseline: bool = True,
) -> Preferences:
    """Preferences of a softmax policy, by the policy gradient; :eq:`temporal-difference-reinforce`.

    Parameters
    ----------
    env : environment
        With ``reset``, ``step``, ``n_states`` and ``n_actions``, as :class:`GridWorld`.
    n_episodes : int
        Episodes to walk, one gradient step after each.
    alpha : float
        Step size, above 0 and at most 1.
    gamma : float
        What a reward is worth a step later, between 0 and 1.
    random_state : int, Generator, RandomState or None
        For the policy and, by a seed at the first ``reset``, for the environment.
    baseline : bool
        Whether a learned value of the state, which moves a tenth of the way to each return, is subtracted from returns.

    Returns
    -------
    Preferences
        The table first. It starts from 0, all actions alike.

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
    O(A) time a step. The return of an episode whose time is over counts what was paid until then. Source: Williams
    (1992).

    Examples
    --------
    >>> from notes_lib.reinforcement.temporal_difference import GridWorld
    >>> env = GridWorld((1, 3), (0, 1), {(0, 2): 1.0, (0, 0): 0.0})
    >>> int(reinforce(env, 200, 0.5, 0.9, random_state=0).theta[1].argmax())  # right
    1
    """
    S, A = check_environment(env)
    n_episodes, alpha, gamma = check_integer(n_episodes, "n_episodes"), check_alpha(alpha), check_gamma(gamma)
    rng = check_rng(random_state)
    reset, chance = seeded(env, rng), uniforms(rng)
    theta, V = np.zeros((S, A)), np.zeros(S)
    returns, lengths = np.zeros(n_episodes), np.zeros(n_episodes, dtype=np.intp)
    for n in range(n_episodes):
        reach = softmax_policy(theta)[:, :-1].cumsum(axis=1).tolist()
        i, over = state_number(reset()[0], S), False
        states, actions, rewards = [], [], []
        while not over:
            a = bisect_right(reach[i], next(chance))
            states.append(i)
            actions.append(a)
            i, reward, terminated, truncated, _ = env.step(a)
            i, over = state_number(i, S), terminated or truncated
            rewards.append(float(reward))
            if len(rewards) > LONGEST:
                raise endless()
        G = discounted_returns(rewards, gamma)
        at, weight = np.array(states), gamma ** np.arange(len(G)) * (G - V[states] * baseline)
        score = -softmax_policy(theta[at])
        score[np.arange(len(G)), actions] += 1  # temporal-difference-score
        np.add.at(theta, at, alpha * weight[:, None] * score)  # temporal-difference-reinforce
        for s, g in zip(states, G, strict=True):
            V[s] += 0.1 * (g - V[s])
        returns[n], lengths[n] = sum(rewards), len(rewards)
    return Preferences(theta, returns, lengths)

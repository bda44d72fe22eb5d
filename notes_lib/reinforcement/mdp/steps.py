"""Steps of the chapter *Markov decision processes*, in the order of its derivation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_real, check_vector
from notes_lib.reinforcement.mdp import checks
from notes_lib.reinforcement.mdp.model import MDP

TIE = 1e-10  # of the largest action value: a difference that may be rounding


class Chain(NamedTuple):
    """``transitions`` (S, S) and ``rewards`` (S,): what is left of a process once a policy chooses."""

    transitions: FloatArray
    rewards: FloatArray


def discounted_returns(rewards: ArrayLike, gamma: float) -> FloatArray:
    """Return from each step on, by the recursion from behind; :eq:`mdp-return`, :eq:`mdp-return-recursion`.

    Parameters
    ----------
    rewards : (T,) array
        The reward after each of T steps; after the last one nothing comes.
    gamma : float
        What a reward is worth a step later, between 0 and 1.

    Returns
    -------
    (T,) array
        The first entry is the return of the whole path.

    Raises
    ------
    ValueError
        If ``rewards`` is no vector of finite numbers with at least one entry, or ``gamma`` does not lie in [0, 1].
    TypeError
        If one of them is no number.

    Notes
    -----
    O(T) time.

    Examples
    --------
    >>> discounted_returns([1, 0, 4], 0.5)
    array([2., 2., 4.])
    """
    R, gamma = check_vector(rewards, "rewards"), checks.check_gamma(gamma)
    G = R.copy()
    for t in range(len(R) - 2, -1, -1):
        G[t] += gamma * G[t + 1]  # mdp-return-recursion
    return G


def policy_chain(mdp: MDP, policy: ArrayLike) -> Chain:
    """Transitions and rewards under a policy; :eq:`mdp-policy-chain`.

    Parameters
    ----------
    mdp : MDP
    policy : (S,) array of int, or (S, A) array
        The number of an action for each state, or a distribution over the actions.

    Returns
    -------
    Chain

    Raises
    ------
    ValueError
        If ``policy`` has another length, a number that no action has, or a row that is no distribution.

    Notes
    -----
    O(S^2 A) time, O(S^2) for numbers of actions.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.9)
    >>> policy_chain(mdp, [[0.5, 0.5], [1, 0]]).rewards
    array([2., 0.])
    """
    p = checks.check_policy(policy, mdp.n_states, mdp.n_actions)
    if p.ndim == 1:
        s = np.arange(mdp.n_states)
        return Chain(mdp.transitions[s, p], mdp.expected_rewards[s, p])
    return Chain(np.einsum("sa,sat->st", p, mdp.transitions), (p * mdp.expected_rewards).sum(axis=1))


def action_values(mdp: MDP, V: ArrayLike) -> FloatArray:
    """What each action is worth if V is what comes after it, (S, A); :eq:`mdp-action-value`.

    Raises
    ------
    ValueError
        If ``V`` is not a vector of S finite numbers.

    Notes
    -----
    One product, O(S^2 A) time, and less where few transitions are possible.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.5)
    >>> action_values(mdp, [10, 0])
    array([[6., 3.],
           [0., 0.]])
    """
    return backed_up(mdp, check_vector(V, "V", mdp.n_states)).T


def backed_up(mdp: MDP, V: FloatArray) -> FloatArray:
    """Action values (A, S), actions outside, of a V that is known to be right."""
    later = (mdp.successors @ V).reshape(mdp.n_actions, mdp.n_states)
    return mdp.expected_rewards.T + mdp.gamma * later


def expectation_backup(mdp: MDP, policy: ArrayLike, V: ArrayLike) -> FloatArray:
    """One sweep of policy evaluation (S,), all states from the old V; :eq:`mdp-expectation-backup`.

    Raises
    ------
    ValueError
        As :func:`policy_chain`, or if ``V`` is not a vector of S finite numbers.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.5)
    >>> expectation_backup(mdp, [0, 0], [10, 0])
    array([6., 0.])
    """
    P, r = policy_chain(mdp, policy)
    return r + mdp.gamma * (P @ check_vector(V, "V", mdp.n_states))


def optimality_backup(mdp: MDP, V: ArrayLike) -> FloatArray:
    """One sweep of value iteration (S,), all states from the old V; :eq:`mdp-optimality-backup`.

    Raises
    ------
    ValueError
        If ``V`` is not a vector of S finite numbers.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.5)
    >>> optimality_backup(mdp, [0, 0])
    array([3., 0.])
    """
    return action_values(mdp, V).max(axis=1)


def best_actions(Q: FloatArray) -> np.ndarray:
    """Which actions (S, A) are as good as the best one, up to rounding."""
    gap = Q.max(axis=1, keepdims=True) - Q
    return gap <= TIE * np.abs(Q).max()


def greedy_policy(mdp: MDP, V: ArrayLike) -> IntArray:
    """The action (S,) that is worth most if V comes after it; of equal ones the first; :eq:`mdp-greedy`.

    Raises
    ------
    ValueError
        If ``V`` is not a vector of S finite numbers.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.5)
    >>> greedy_policy(mdp, [10, 0])
    array([0, 0])
    """
    return best_actions(action_values(mdp, V)).argmax(axis=1)


def improved_policy(mdp: MDP, policy: ArrayLike, V: ArrayLike) -> IntArray:
    """Greedy actions (S,) for the value V of a policy; where its own action is as good, that stays; :eq:`mdp-greedy`.

    Parameters
    ----------
    mdp : MDP
    policy : (S,) array of int
    V : (S,) array
        What the policy is worth.

    Returns
    -------
    (S,) array of int
        The same numbers as ``policy`` if and only if no action improves it by more than rounding.

    Raises
    ------
    ValueError
        If ``policy`` does not hold the number of an action for each state, or ``V`` is not a vector of S finite
        numbers.

    Examples
    --------
    >>> mdp = MDP([[[1, 0], [0, 1]], [[0, 1], [0, 1]]], [[1, 3], [0, 0]], 0.5)
    >>> improved_policy(mdp, [0, 1], [2, 0])  # staying is worth 2, going 3
    array([1, 1])
    """
    old = checks.check_actions(policy, mdp.n_states, mdp.n_actions)
    best = best_actions(action_values(mdp, V))
    return np.where(best[np.arange(len(old)), old], old, best.argmax(axis=1))


def error_bound(change: float, gamma: float) -> float:
    """How far V can be from the best value after a sweep that changed it by at most ``change``; :eq:`mdp-stopping`.

    Raises
    ------
    ValueError
        If ``change`` is negative, or ``gamma`` does not lie in [0, 1].
    TypeError
        If one of them is no number.

    Notes
    -----
    With ``gamma`` = 1 there is no such bound: infinity.

    Examples
    --------
    >>> round(error_bound(0.1, 0.9), 12)
    0.9
    """
    gamma, change = checks.check_gamma(gamma), check_real(change, "change")
    return np.inf if gamma == 1 else gamma / (1 - gamma) * change

"""Processes without discount: a value exists only where an end is reached, an absorbing state without reward."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csgraph

from notes_lib.checks import FloatArray, IntArray
from notes_lib.reinforcement.mdp.model import MDP
from notes_lib.reinforcement.mdp.steps import Chain, best_actions


def ends(mdp: MDP) -> np.ndarray:
    """Which states (S,) no action leaves, and no action is paid in."""
    P, s = mdp.transitions, np.arange(mdp.n_states)
    kept = (np.count_nonzero(P, axis=2) == 1) & (P[s, :, s] > 0)
    return (kept & (mdp.expected_rewards == 0)).all(axis=1)


def way_to_end(mdp: MDP, allowed: np.ndarray) -> tuple[IntArray, np.ndarray]:
    """Allowed actions (S,) that come nearer to an end with some probability, and from where (S,) one can be reached."""
    reached, policy = ends(mdp), np.zeros(mdp.n_states, dtype=np.intp)
    while True:
        nearer = (mdp.successors @ reached.astype(float)).reshape(mdp.n_actions, mdp.n_states).T > 0
        new = (nearer & allowed).any(axis=1) & ~reached
        if not new.any():
            return policy, reached
        policy[new] = (nearer & allowed)[new].argmax(axis=1)
        reached = reached | new


def policy_to_end(mdp: MDP) -> IntArray:
    """Some policy (S,) that reaches an end from every state.

    Raises
    ------
    ValueError
        If from some state no end can be reached.
    """
    policy, reached = way_to_end(mdp, np.ones((mdp.n_states, mdp.n_actions), dtype=bool))
    if not reached.all():
        raise ValueError(
            "gamma = 1 needs an end, an absorbing state without reward, that can be reached from every state: from "
            f"state {int(np.argmin(reached))} none can. Lower gamma below 1, or plan a finite_horizon."
        )
    return policy


def best_policy_to_end(mdp: MDP, Q: FloatArray) -> IntArray:
    """Of the best actions (S,) those that lead to an end.

    Raises
    ------
    ValueError
        If from some state the best actions never reach one.
    """
    policy, reached = way_to_end(mdp, best_actions(Q))
    if not reached.all():
        raise ValueError(
            f"gamma = 1, and from state {int(np.argmin(reached))} the best is never to reach an end: give each step a "
            "cost, or lower gamma below 1."
        )
    return policy


def goes_on(chain: Chain) -> np.ndarray:
    """States (S,) that the chain leaves for good at some time; it stays in the others, which pay nothing.

    Raises
    ------
    ValueError
        If a state that is visited again and again pays something.
    """
    P, r = chain
    _, part = csgraph.connected_components(P > 0, connection="strong")
    i, j = np.nonzero(P)
    leaves = np.isin(part, part[i][part[i] != part[j]])  # a part with a way out
    paid = np.flatnonzero(~leaves & (r != 0))
    if paid.size:
        raise ValueError(
            "gamma = 1 needs a policy that reaches an end, an absorbing state without reward, from every state: this "
            f"one visits state {paid[0]} again and again and is paid there. Change it, or lower gamma below 1."
        )
    return leaves

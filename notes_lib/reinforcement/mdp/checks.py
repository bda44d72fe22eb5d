"""What the functions of the chapter *Markov decision processes* accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_distribution, check_number, check_shape


def check_gamma(gamma: Any) -> float:
    """A discount factor, a number from 0 to 1."""
    value = check_number(gamma, "gamma")
    if not 0 <= value <= 1:
        raise ValueError(f"gamma must lie in [0, 1], got {value:g}: it says what a reward is worth a step later.")
    return value


def check_transitions(transitions: ArrayLike) -> FloatArray:
    """Transition probabilities as an (S, A, S) array whose last axis holds distributions."""
    P = np.asarray(transitions)
    if P.ndim != 3 or P.shape[0] != P.shape[2] or not P.size:
        remedy = "transitions[s, a] is the distribution of the next state"
        if P.ndim == 3 and P.shape[1] == P.shape[2]:
            remedy = "move the axis of the actions with np.moveaxis(transitions, 0, 1)"
        raise ValueError(f"transitions must have shape (S, A, S), S and A at least 1, got {P.shape}: {remedy}.")
    return check_distribution(P, "transitions")


def check_rewards(rewards: ArrayLike, S: int, A: int) -> FloatArray:
    """Finite rewards (S, A) or (S, A, S), as a copy."""
    shape = np.shape(rewards)
    if shape not in ((S, A), (S, A, S)):
        remedy = "one for each state and action, or for each transition"
        if shape == (S,):
            remedy = f"a reward of the state alone is np.repeat(rewards[:, None], {A}, axis=1)"
        raise ValueError(f"rewards must have shape ({S}, {A}) or ({S}, {A}, {S}), got {shape}: {remedy}.")
    try:
        return check_shape(rewards, "rewards", shape).copy()
    except ValueError:
        raise ValueError(
            "rewards must be finite, got NaN or infinity: a state that ends the process has the reward 0, and so has "
            "a transition that never happens."
        ) from None


def check_policy(policy: ArrayLike, S: int, A: int) -> IntArray | FloatArray:
    """A policy as numbers of actions (S,), or as probabilities (S, A)."""
    p = np.asarray(policy)
    if p.ndim == 2 and p.shape == (S, A):
        return check_distribution(p, "policy")
    if p.shape != (S,):
        raise ValueError(
            f"policy must hold the number of an action for each of the {S} states, shape ({S},), or probabilities "
            f"({S}, {A}), got shape {p.shape}."
        )
    if p.dtype.kind not in "iu":
        raise ValueError(f"policy must hold integers, numbers of actions, got dtype {p.dtype}: round or encode them.")
    wrong = np.flatnonzero((p < 0) | (p >= A))
    if wrong.size:
        s = wrong[0]
        raise ValueError(f"policy must hold numbers of actions from 0 to {A - 1}, got {p[s]} in state {s}.")
    return p.astype(np.intp)


def check_actions(policy: ArrayLike, S: int, A: int) -> IntArray:
    """A policy as numbers of actions (S,)."""
    p = check_policy(policy, S, A)
    if p.ndim > 1:
        raise ValueError("policy must hold the number of an action for each state: start with one that does not draw.")
    return p.astype(np.intp)

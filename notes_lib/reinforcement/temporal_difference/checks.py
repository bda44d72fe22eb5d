"""What the functions of the chapter *Temporal-difference learning* accept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_real, check_shape
from notes_lib.reinforcement.mdp.checks import check_gamma


class Environment(Protocol):
    """What an agent can act in, with Gymnasium's two methods; states and actions are numbered from 0."""

    n_states: int
    n_actions: int

    def reset(self) -> tuple[int, Mapping[str, Any]]:
        """A first state, and a dictionary with further information."""

    def step(self, action: int) -> tuple[int, float, bool, bool, Mapping[str, Any]]:
        """State, reward, whether an end is reached, whether the time is over, and further information."""


def check_environment(env: Any) -> tuple[int, int]:
    """Numbers of states and actions of an environment."""
    missing = [name for name in ("reset", "step", "n_states", "n_actions") if not hasattr(env, name)]
    if missing:
        raise TypeError(
            f"env must be an environment with reset, step, n_states and n_actions, got {type(env).__name__} without "
            f"{missing[0]}: GridWorld shows how one looks."
        )
    return check_integer(env.n_states, "env.n_states"), check_integer(env.n_actions, "env.n_actions")


def check_alpha(alpha: Any) -> float:
    """A step size, a number above 0 and at most 1."""
    value = check_real(alpha, "alpha")
    if not 0 < value <= 1:
        raise ValueError(f"alpha must lie in (0, 1], got {value:g}: it is the share of the error that a step removes.")
    return value


def check_epsilon(epsilon: Any) -> float:
    """A probability of exploring."""
    value = check_real(epsilon, "epsilon")
    if value > 1:
        raise ValueError(f"epsilon must lie in [0, 1], got {value:g}: it is the probability of exploring.")
    return value


def check_settings(n_episodes: Any, alpha: Any, gamma: Any) -> tuple[int, float, float]:
    """Number of episodes, step size, discount factor."""
    return check_integer(n_episodes, "n_episodes"), check_alpha(alpha), check_gamma(gamma)


def check_row(values: ArrayLike, name: str) -> FloatArray:
    """Finite numbers (..., A), one for each action, at least one of them."""
    found = np.asarray(values)
    if found.ndim == 0 or not found.shape[-1]:
        raise ValueError(f"{name} must hold a number for each action, shape (A,) or (..., A), got {found.shape}.")
    return check_shape(values, name, found.shape)


def check_path(rewards: ArrayLike, values: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Rewards (T,) of a path and what its states (T + 1,), the last one included, are held to be worth."""
    R = check_shape(rewards, "rewards", (None,))
    V = check_shape(values, "values", (None,))
    if not len(R) or len(V) != len(R) + 1:
        raise ValueError(
            f"values must hold one number more than rewards, for the states before and after each of at least one "
            f"step, got {len(V)} values and {len(R)} rewards: an end has the value 0."
        )
    return R, V

"""Walking through episodes: what all learners share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

BLOCK = 4096  # random numbers drawn at a time
LONGEST = 1_000_000  # steps after which an episode is taken for endless

Act = Callable[[int], int]
Learn = Callable[[int, int, float, int, bool], int | None]


def walk(env: Any, reset: Callable[[], Any], n_episodes: int, table: list[Any], act: Act, learn: Learn) -> Any:
    """Episodes of acting and learning: the table, and each episode's sum of rewards and number of steps.

    ``learn`` returns the action that it has settled on for the next state, or None.
    """
    returns, lengths = np.zeros(n_episodes), np.zeros(n_episodes, dtype=np.intp)
    for n in range(n_episodes):
        i, a, total, steps, over = state_number(reset()[0], len(table)), None, 0.0, 0, False
        while not over:
            if a is None:
                a = act(i)
            j, reward, terminated, truncated, _ = env.step(a)
            j, over = state_number(j, len(table)), terminated or truncated
            i, a = j, learn(i, a, float(reward), j, bool(terminated))
            total += reward
            steps += 1
            if steps > LONGEST:
                raise endless()
        returns[n], lengths[n] = total, steps
    V = np.array(table)
    if not np.isfinite(V).all():
        raise ValueError("env must pay finite rewards, got NaN or infinity: look at what its step returns.")
    return V, returns, lengths


def state_number(state: Any, S: int) -> int:
    """The number of a state, as the environment returned it."""
    if not isinstance(state, int | np.integer) or not 0 <= state < S:
        raise ValueError(
            f"env must return states that are integers from 0 to {S - 1}, got {state!r}: number the states, and let "
            "n_states count them."
        )
    return int(state)


def seeded(env: Any, rng: np.random.Generator) -> Callable[[], Any]:
    """The environment's reset, of which the first call hands over a seed where it takes one."""
    seed = int(rng.integers(2**31))
    if "seed" not in inspect.signature(env.reset).parameters:
        return env.reset
    seeds = iter([{"seed": seed}])
    return lambda: env.reset(**next(seeds, {}))


def uniforms(rng: np.random.Generator) -> Iterator[float]:
    """Uniform numbers, drawn in blocks."""
    while True:
        yield from rng.random(BLOCK).tolist()


def endless() -> RuntimeError:
    """What is raised if an episode does not end."""
    return RuntimeError(
        f"an episode has not ended after {LONGEST} steps: let every policy reach an end sometimes (epsilon above 0, a "
        "cost for each step), or let the environment end its time (max_steps)."
    )

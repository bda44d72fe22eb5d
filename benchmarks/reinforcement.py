"""Workloads of the chapters on reinforcement learning."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.reinforcement.mdp import MDP, grid_mdp, value_iteration

Successors = list[list[list[tuple[float, int]]]]


def possible(mdp: MDP) -> Successors:
    """For each state and action the possible transitions, as (probability, state): the form of Gymnasium's tables."""
    return [
        [[(float(row[t]), int(t)) for t in np.flatnonzero(row)] for row in of_state] for of_state in mdp.transitions
    ]


def plain(successors: Successors, rewards: Any, gamma: float, n: int) -> Any:
    """Value iteration in lists, over possible transitions only, for n sweeps."""
    V = [0.0] * len(successors)
    for _ in range(n):
        V = [
            max(r + gamma * sum(p * V[t] for p, t in after) for r, after in zip(paid, of_state, strict=True))
            for paid, of_state in zip(rewards, successors, strict=True)
        ]
    return np.array(V)


def value_iteration_grid() -> Workload:
    """All sweeps on a slippery grid, until the best value is known to 1e-6."""
    mdp = grid_mdp((30, 30), {(0, 29): 1.0, (10, 10): -1.0}, [(i, 15) for i in range(25)], -0.01, 0.2, 0.95)
    successors, rewards = possible(mdp), mdp.expected_rewards.tolist()
    n = value_iteration(mdp, tol=1e-6).n_iter
    return Workload(
        name="value iteration",
        size="900 states, 4 actions, up to 3 successors",
        peer_name="plain loop over possible transitions",
        ours=lambda: value_iteration(mdp, tol=1e-6).V,
        peer=lambda: plain(successors, rewards, mdp.gamma, n),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=20.0,
        technique="all states and actions in one product with a sparse matrix, kept with the process",
    )


WORKLOADS = [value_iteration_grid]

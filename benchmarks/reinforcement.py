"""Workloads of the chapters on reinforcement learning."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.reinforcement.mdp import MDP, grid_mdp, value_iteration
from notes_lib.reinforcement.temporal_difference import GridWorld, q_learning

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


def plain_q_learning(n: int, n_episodes: int, alpha: float, gamma: float, epsilon: float, seed: int) -> Any:
    """Q-learning on a grid of n x n cells in an array, a step worked out where it is taken."""
    rng = np.random.default_rng(seed)
    rng.integers(2**31)  # the seed of an environment that draws
    Q, goal = np.zeros((n * n, 4)), n * n - 1
    numbers, k = rng.random(4096), 0
    for _ in range(n_episodes):
        s = 0
        while s != goal:
            if k == len(numbers):
                numbers, k = rng.random(4096), 0
            u, k = numbers[k], k + 1
            a = int(u * (4 / epsilon)) if u < epsilon else int(Q[s].argmax())
            row, column = divmod(s, n)
            if a == 0:
                row = max(row - 1, 0)
            elif a == 1:
                column = min(column + 1, n - 1)
            elif a == 2:
                row = min(row + 1, n - 1)
            else:
                column = max(column - 1, 0)
            t = row * n + column
            reward = 0.99 if t == goal else -0.01
            Q[s, a] += alpha * (reward + (0 if t == goal else gamma * Q[t].max()) - Q[s, a])
            s = t
    return Q


def q_learning_grid() -> Workload:
    """Two thousand episodes on a grid, about 48,000 steps."""
    env = GridWorld((10, 10), (0, 0), {(9, 9): 1.0}, step_reward=-0.01)
    return Workload(
        name="Q-learning",
        size="100 states, 4 actions, 2000 episodes",
        peer_name="plain NumPy loop",
        ours=lambda: q_learning(env, 2000, 0.1, 0.95, 0.1, random_state=0).Q,
        peer=lambda: plain_q_learning(10, 2000, 0.1, 0.95, 0.1, 0),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-10,
        goal=6.5,
        technique="transitions looked up in lists, the best action of each state kept up to date",
    )


WORKLOADS = [value_iteration_grid, q_learning_grid]

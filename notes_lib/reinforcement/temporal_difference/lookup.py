"""Q-learning in a world without chance: states and rewards are looked up, the best action of each state is kept."""

from __future__ import annotations

import numpy as np

from notes_lib.reinforcement.temporal_difference.walking import BLOCK, LONGEST, endless


def q_learning_by_lookup(
    table: tuple[list[list[int]], list[list[float]], list[bool]],
    start: int,
    n_episodes: int,
    alpha: float,
    gamma: float,
    epsilon: float,
    rng: np.random.Generator,
) -> tuple[list[list[float]], list[float], list[int]]:
    """Action values, sums of rewards and lengths, to the last bit those of the plain loop with the same numbers.

    The largest value of a row and the first action that has it are kept, so that neither the greedy action nor the
    target looks at a whole row; only if the value of the best action falls, its row is searched again.
    """
    after, paid, ends = table
    A = len(after[0])
    Q = [[0.0] * A for _ in after]
    largest, best = [0.0] * len(after), [0] * len(after)  # of each row; an end keeps 0
    returns, lengths = [], []
    i, total, steps, spread = start, 0.0, 0, A / epsilon if epsilon else 0.0
    while True:
        for u in rng.random(BLOCK).tolist():
            greedy = best[i]
            a = int(u * spread) if u < epsilon else greedy
            j, reward, row = after[i][a], paid[i][a], Q[i]
            old = row[a]
            new = row[a] = old + alpha * (reward + gamma * largest[j] - old)  # temporal-difference-q
            if a == greedy:
                if new < old:
                    new = max(row)
                    best[i] = row.index(new)
                largest[i] = new
            elif new > largest[i]:
                largest[i], best[i] = new, a
            elif new == largest[i] and a < greedy:
                best[i] = a
            total += reward
            steps += 1
            if not ends[j]:
                i = j
                continue
            returns.append(total)
            lengths.append(steps)
            if len(returns) == n_episodes:
                return Q, returns, lengths
            i, total, steps = start, 0.0, 0
        if steps > LONGEST:
            raise endless()

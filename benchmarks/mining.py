"""Workloads of the chapters on data mining."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
# @apriori imports
# @recommender imports
import warnings

from notes_lib.mining.recommender import MatrixFactorization
# @anomaly_detection imports


# @apriori


# @recommender
def _plain_als(
    users: np.ndarray, items: np.ndarray, ratings: np.ndarray, k: int, reg: float, rounds: int
) -> np.ndarray:
    """Factors with biases, one user and one item after the other; predictions of the ratings."""
    sizes = int(users.max()) + 1, int(items.max()) + 1
    rng, mean = np.random.default_rng(0), ratings.mean()
    factors = [0.1 * rng.normal(size=(n, k)) for n in sizes]
    biases = [np.zeros(n) for n in sizes]
    rows = []
    for mine in (users, items):
        order = np.argsort(mine, kind="stable")
        rows.append(np.split(order, np.searchsorted(mine[order], np.arange(1, mine.max() + 1))))
    for _ in range(rounds):
        for side, other in ((0, items), (1, users)):
            for n, mine in enumerate(rows[side]):
                Z = np.column_stack([factors[1 - side][other[mine]], np.ones(len(mine))])
                rest = ratings[mine] - mean - biases[1 - side][other[mine]]
                solved = np.linalg.solve(Z.T @ Z + reg * np.eye(k + 1), Z.T @ rest)
                factors[side][n], biases[side][n] = solved[:-1], solved[-1]
    products = (factors[0][users] * factors[1][items]).sum(axis=1)
    return mean + biases[0][users] + biases[1][items] + products


def alternating_least_squares() -> Workload:
    """Five rounds over many ratings."""
    rng = np.random.default_rng(0)
    n_users, n_items, k, rounds = 6000, 4000, 10, 5
    users, items = np.divmod(rng.choice(n_users * n_items, size=100_000, replace=False), n_items)
    tastes = rng.normal(size=(n_users, k)), rng.normal(size=(n_items, k))
    ratings = 3 + (tastes[0][users] * tastes[1][items]).sum(axis=1) / k + 0.5 * rng.normal(size=len(users))

    def ours() -> np.ndarray:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the number of rounds is given
            model = MatrixFactorization(k, reg=5.0, max_iter=rounds, tol=0.0, random_state=0)
            return model.fit(users, items, ratings).predict(users, items)

    return Workload(
        name="alternating least squares",
        size="100,000 ratings of 6000 users and 4000 items, 10 factors with biases, 5 rounds",
        peer_name="one user after the other",
        ours=ours,
        peer=lambda: _plain_als(users, items, ratings, k, 5.0, rounds),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-9,
        goal=7.0,
        floor=2.0,
        technique="the normal equations of all users are one sparse product, of the pattern of ratings with the "
        "products of each two factors, and are solved as a stack",
    )


# @anomaly_detection


WORKLOADS: list[Callable[[], Workload]] = [
    # @apriori workloads
    # @recommender workloads
    alternating_least_squares,
    # @anomaly_detection workloads
]

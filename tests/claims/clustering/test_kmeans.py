"""The quiz of the chapter *k-means*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np

from notes_lib.clustering.kmeans import (
    assign,
    dsquared_probabilities,
    inertia,
    initial_centers,
    lloyd,
    silhouette_score,
    update_centers,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
SETS = [np.random.default_rng(seed).normal(size=(8, 2)) for seed in range(12)]


def _objective(X, labels):
    """The sum of squares around the means of a partition in two; infinite if a part is empty."""
    parts = [X[labels == k] for k in set(labels)]
    return sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts) if len(parts) == 2 else np.inf


def _best(X):
    """The best partition in two of all, with the first point in cluster 0."""
    partitions = [np.array((0, *rest)) for rest in product((0, 1), repeat=len(X) - 1)]
    return min(partitions, key=lambda labels: _objective(X, labels))


def quiz_1():
    """Which statement about Lloyd's algorithm is true?"""
    K, rng = 2, np.random.default_rng(0)
    runs, halves = [], []
    for X in [*SETS, *(rng.normal(size=(30, 1)) for _ in range(10))]:
        centers = X[:K]
        runs.append((X, lloyd(X, centers)))
        for _ in range(40):
            labels = assign(X, centers)
            after = update_centers(X, labels, K)
            halves.append(inertia(X, labels, centers) - inertia(X, labels, after))
            centers = after
    small = [(X, run) for X, run in runs if len(X) == len(SETS[0])]
    return {
        "With ties to the lowest index it stops after finitely many iterations.": all(run.converged for _, run in runs),
        "It stops at the partition with the smallest $J$.": all(
            np.isclose(run.inertia, _objective(X, _best(X))) for X, run in small
        ),
        "$J$ falls strictly in every half step.": min(halves) > SMALL,
        "It needs at most $K$ iterations.": all(run.n_iter <= K for _, run in runs),
    }


def quiz_2(first, second, points):
    """The centres are <first> and <second> on the line, and the points <points>. What are the centres after one
    iteration?"""
    X, centers = points[:, None], np.array([[first], [second]])
    labels = assign(X, centers)
    after = update_centers(X, labels, 2)[:, 0]
    moved = labels.copy()
    moved[np.argmax(labels)] = 0  # one point with the wrong centre
    with_old = [np.mean([center, *points[labels == k]]) for k, center in enumerate((first, second))]
    return Numbers(after, [[points[0], points[-1]], update_centers(X, moved, 2)[:, 0], with_old])


def quiz_3(first, points, last):
    """k-means++ has chosen <first> as the first centre among the points <points>. With which probability is <last> the
    next one?"""
    chance = dsquared_probabilities(points[:, None], [[first]])[list(points).index(last)]
    right = lambda value: np.isclose(value, chance)
    return {"1, because it is the farthest": right(1), "<value>": right}


def quiz_4():
    """Training $J$ is 0. What follows?"""
    X, classes = np.array([[0.0], [0.0], [1.0], [5.0]]), np.array([0, 1, 1, 1])
    run = lloyd(X, [[0.0], [1.0], [5.0]])
    assert run.inertia == 0
    new = X + 0.1
    return {
        "The clusters are right.": all(len(set(classes[run.labels == k])) == 1 for k in range(3)),
        "Every point coincides with its centre.": np.array_equal(run.centers[run.labels], X),
        "$J$ of new points is 0 as well.": inertia(new, assign(new, run.centers), run.centers) == 0,
        "$K=1$.": len(run.centers) == 1,
    }


def _changes(change):
    """Whether a change of the features moves the best partition of some data."""
    return any(not np.array_equal(_best(X), _best(change(X))) for X in SETS)


def quiz_5():
    """Which changes can change the partition with the smallest $J$? (Mark all.)"""
    turn = np.array([[np.cos(0.7), -np.sin(0.7)], [np.sin(0.7), np.cos(0.7)]])
    with_copies = lambda X: _best(np.vstack([X, *[X[-2:]] * 3]))[: len(X)]
    return {
        "multiplying one feature by <factor>": lambda factor: _changes(lambda X: X * [factor, 1]),
        "adding <number> to one feature": lambda number: _changes(lambda X: X + np.array([number, 0])),
        "duplicating one feature": _changes(lambda X: X[:, [0, 0, 1]]),
        "rotating all points": _changes(lambda X: X @ turn.T),
        "duplicating some of the points": any(not np.array_equal(_best(X), with_copies(X)) for X in SETS[:4]),
    }


def tf_1():
    """All places of the plane that k-means would give to one cluster form a convex set."""
    rng = np.random.default_rng(0)
    centers, a, b = rng.normal(size=(5, 2)), *rng.normal(size=(2, 2000, 2)) * 2
    same = assign(a, centers) == assign(b, centers)
    between = assign(0.3 * a + 0.7 * b, centers)
    return same.any() and np.array_equal(between[same], assign(a, centers)[same])


def tf_2():
    """If k-means from two starts ends with the same $J$, the partitions are equal."""
    corners = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    runs = [lloyd(corners, corners[rows]) for rows in ([0, 1], [0, 2], [1, 0])]
    assert len({round(run.inertia, 9) for run in runs}) == 1
    together = [run.labels[:, None] == run.labels for run in runs]
    assert np.array_equal(together[0], together[2])
    return np.array_equal(together[0], together[1])


def tf_3():
    """The mean silhouette can recommend $K=1$."""
    try:
        return silhouette_score(SETS[0], np.zeros(len(SETS[0]), int)) > -1
    except ValueError:  # there is no other cluster to compare with
        return bool(silhouette_score(SETS[0], _best(SETS[0])) < -1)


def tf_4():
    r"""At the final centres of k-means the sum of the centres, each weighted by its cluster's size, is
    $N\bar{\mathbf{x}}$."""
    runs = [(X, lloyd(X, X[:3])) for X in SETS]
    return all(np.allclose(np.bincount(run.labels) @ run.centers, len(X) * X.mean(axis=0)) for X, run in runs)


def tf_5(factor, more):
    r"""k-means++ makes iterations and restarts unnecessary, because its start is within $<factor>(\ln K+<more>)$ of the
    optimum."""
    best = [_objective(X, _best(X)) for X in SETS]
    starts = [initial_centers(X, 2, init="k-means++", random_state=seed) for seed, X in enumerate(SETS)]
    at_start = [inertia(X, assign(X, start), start) for X, start in zip(SETS, starts, strict=True)]
    assert np.mean(at_start) < factor * (np.log(2) + more) * np.mean(best)
    runs = [lloyd(X, start).inertia for X, start in zip(SETS, starts, strict=True)]
    return np.allclose(at_start, runs) and np.allclose(runs, best)


def tf_6():
    """The sum of squares between the clusters is largest where $J$ is smallest."""
    same = []
    for X in SETS[:4]:
        partitions = [np.array((0, *rest)) for rest in product((0, 1), repeat=len(X) - 1)][1:]
        means = [[X[labels == k].mean(axis=0) for k in labels] for labels in partitions]
        between = [((mean - X.mean(axis=0)) ** 2).sum() for mean in means]
        same.append(np.array_equal(partitions[int(np.argmax(between))], _best(X)))
    return all(same)


test_claim = decided("clustering/kmeans", globals())

"""Exercises on k-means: partitions by enumeration, sums of squares by distances of SciPy, steps of the library."""

from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.spatial.distance import cdist

from notes_lib.clustering.gmm import n_parameters
from notes_lib.clustering.kmeans import (
    assign,
    dsquared_probabilities,
    inertia,
    k_medoids,
    update_centers,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked

X_, MU = r"\mathbf{x}", r"\boldsymbol{\mu}"
POINTS = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, -1.0], [5.0, 2.0], [6.0, 4.0]])
ROWS = range(1, len(POINTS) + 1)


def _scatter(X):
    """The sum of squares around the mean, by the distances of all pairs."""
    return float(cdist(X, X, "sqeuclidean").sum()) / (2 * len(X)) if len(X) else 0.0


def _best(X, K):
    """The labels with the smallest sum, each of K clusters occupied, and that sum, over all labellings."""
    cost = lambda labels: sum(_scatter(X[np.array(labels) == k]) for k in range(K))
    labels = min((c for c in product(range(K), repeat=len(X)) if len({*c}) == K), key=cost)
    return labels, cost(labels)


def ex_eight():
    A, B, C = [[2, 10], [2, 5], [8, 4]], [[5, 8], [7, 5], [6, 4]], [[1, 2], [4, 9]]
    return Worked({"A_#": A, "B_#": B, "C_#": C}, numbers=[A[0], B[0], C[0]])


def ex_weighted():
    w, labels = np.array([1.0, 2, 1, 3, 2]), np.array([0, 0, 0, 1, 1])
    repeated = np.repeat(POINTS, w.astype(int), axis=0)
    centers = update_centers(repeated, np.repeat(labels, w.astype(int)), 2)

    def moved(k, j, h):
        other = centers.copy()
        other[k, j] += h
        return inertia(POINTS, labels, other, sample_weight=w)

    slope = [[(moved(k, j, 1e-3) - moved(k, j, -1e-3)) / 2e-3 for j in (0, 1)] for k in (0, 1)]
    own = w * cdist(POINTS, centers, "sqeuclidean")[np.arange(5), labels]
    return Worked(
        {"n": ROWS, "k": range(1, 3), "w_#": w, "z_{##}": np.eye(2)[labels], "c_#": labels + 1, rf"{X_}_#": POINTS,
         rf"{MU}_#": centers, "J_w": own.sum(), rf"\partial J_w/\partial{MU}_#": slope, r"\mathbf{0}": np.zeros(2)},
        numbers=[0, own, 0],
    )  # fmt: skip


def ex_falls():
    X = np.array([[0.0], [1.0], [3.0], [7.0]])
    least = {K: _best(X, K)[1] for K in range(1, 5)}
    return Worked({"K": 2, "N": len(X), r"J^\ast_#": least, "J": least[4]}, numbers=[least[3], 0, 2 + 1])


def ex_pairs():
    W = float(len(POINTS) * POINTS.var(axis=0).sum())
    return Worked(
        {"n": ROWS, "j": ROWS, rf"{X_}_#": POINTS, r"\mathbf{m}": POINTS.mean(axis=0), "W": W,
         "C": frozenset(map(float, ROWS))},
        numbers=[cdist(POINTS, POINTS, "sqeuclidean").sum(), np.repeat(POINTS, 2, axis=0).shape[0]],
    )  # fmt: skip


def ex_online():
    before, new = POINTS[:3], POINTS[3]
    old, mean, size = before.mean(axis=0), POINTS[:4].mean(axis=0), 3
    half = cdist([new], [old], "sqeuclidean")[0, 0] / 2
    step = rf"{MU}_k\leftarrow{MU}_k+\frac{{1}}{{N_k}}({X_}-{MU}_k)"
    names = {X_: new, rf"{MU}_k": old, rf"{MU}_k\leftarrow": mean, "N_k": size, r"N_k\leftarrow": len(POINTS[:4])}
    return Worked(
        {**names, MU: old, "N": size + 1, "J": 4.6},
        own={step: {**names, "N_k": size + 1}, "N_k=1": {"N_k": len(POINTS[:1])}},
        numbers=[size, half, 2.3, 1 / size],
    )


def ex_move():
    w = 1.7
    corners = lambda w: np.array([[0, 0], [w, 0], [0, 1], [w, 1]])
    X = corners(w)
    x, first, second = X[0], X[:2], X[2:]
    joined, left = np.vstack([second, x]), first[1:]
    grows, falls = _scatter(joined) - _scatter(second), _scatter(first) - _scatter(left)
    change = lambda w: (
        inertia(corners(w), [1, 0, 1, 1], update_centers(corners(w), [1, 0, 1, 1], 2))
        - inertia(corners(w), [0, 0, 1, 1], update_centers(corners(w), [0, 0, 1, 1], 2))
    )
    border = brentq(change, 1, 2, xtol=1e-14)
    mean = second.mean(axis=0)
    apart = cdist([x], [mean], "sqeuclidean")[0, 0]
    return Worked(
        {X_: x, "N_#": [2, 2], rf"{MU}_#": [first.mean(axis=0), mean], rf"{MU}_1'": left.mean(axis=0),
         r"\mathbf{a}": mean, "w": w},
        numbers=[1, len(first), 1, first.mean(axis=0), 2, len(second), mean, change(w), 2, joined.mean(axis=0), apart,
                 len(joined) * np.sum((joined.mean(axis=0) - mean) ** 2), grows, len(left), left.mean(axis=0), falls,
                 falls, grows, falls, w * w, border**2],
    )  # fmt: skip


def _medoids_first(X, medoids):
    """k-medoids on a line where the first of equal members is the medoid; the clusters and their cost."""
    before = None
    while before != medoids:
        before = medoids
        clusters = [[x for x in X if min(medoids, key=lambda m: abs(x - m)) == of] for of in medoids]
        medoids = [min(c, key=lambda m: sum(abs(x - m) for x in c)) for c in clusters]
    return clusters, sum(abs(x - m) for c, m in zip(clusters, medoids, strict=True) for x in c)


def cards():
    labels = np.array([0, 0, 0, 1, 1])
    centers = update_centers(POINTS, labels, 2)
    onehot = np.eye(2)[labels]
    nearest = cdist(POINTS, POINTS[:1], "sqeuclidean")[:, 0]
    line = np.r_[np.arange(8.0), 9, 10][:, None]
    natural = np.repeat([0, 1], [8, 2])
    cuts = {cut: _scatter(line[:cut]) + _scatter(line[cut:]) for cut in range(1, 10)}
    assert min(cuts, key=cuts.get) < 8
    assert inertia(line, natural, update_centers(line, natural, 2)) == cuts[8]
    four = np.array([0.0, 2, 3, 4])
    run = k_medoids(cdist(four[:, None], four[:, None]), [1, 2])
    here = [set(four[run.labels == k]) for k in (0, 1)]
    there, cost = _medoids_first([0, 2, 3, 4], [2, 3])
    quiz, start = np.array([[1.0], [2], [6], [11]]), np.array([[0.0], [10]])
    after = assign(quiz, start)
    means = update_centers(quiz, after, 2)[:, 0]
    with_old = [np.r_[start[k], quiz[after == k, 0]] for k in (0, 1)]
    seeds = np.array([0.0, 1, 2, 5])
    p = dsquared_probabilities(seeds[:, None], seeds[:1, None])
    root = np.linalg.norm([1, 1])
    N, K, D = 5, 2, 3
    return {
        "lost-marks-empty": Worked(numbers=[0]),
        "lost-marks-onehot": Worked(
            {"n": ROWS, "k": range(1, 3), "z_{##}": onehot, r"\mathbf{z}_#": onehot, rf"{X_}_#": POINTS,
             rf"{MU}_#": centers, r"\{0,1\}^K": frozenset(onehot.ravel()), r"\mathbf{Z}": np.zeros((5, 2)),
             r"\mathbf{0}": np.zeros((5, 2))},
            numbers=[_scatter(POINTS[:3]) + _scatter(POINTS[3:]), 0, 1],
        ),
        "lost-marks-farthest": Worked(
            {rf"P({X_})": dsquared_probabilities(POINTS, POINTS[:1]), rf"D({X_})^2": nearest}
        ),
        "lost-marks-heldout": Worked(numbers=[_best(POINTS[:4], 4)[1], 50, 2]),
        "do-not-confuse-four": Worked(
            {"O": At(lambda size: size), "k": range(1, 3), "N_#": [2, 3], "N": 5, "K": K, "D": D},
            numbers=[np.ones((2, 2)).size + np.ones((3, 3)).size, np.ones((N, K, D, D)).size],
        ),
        "what-if-duplicate": Worked(
            numbers=[_scatter(np.repeat(POINTS, 2, axis=0)) / _scatter(POINTS), 2],
        ),
        "what-if-scale": Worked(numbers=[root]),
        "what-if-remove": Worked({"K": 3}, numbers=[2]),
        "what-if-extremes": Worked({"K": 1, "J": _best(POINTS[:4], 4)[1]}, numbers=[1]),
        "counterexample-smaller": Worked(
            {r"\{0,\ldots,7\}": frozenset(line[natural == 0, 0])},
            numbers=[line[[0, 1, 7]], line[8:], line[natural == 0], line[natural == 1]],
        ),
        "counting-partitions": Worked(
            {"K": K, "N": N, "D": D},
            numbers=[len({frozenset([c, tuple(1 - i for i in c)]) for c in product((0, 1), repeat=N)}) - 1,
                     n_parameters(K, D)],
        ),
        "convention-scale": Worked(numbers=[1, 1 / 2, 2]),
        "convention-ties": Worked(
            numbers=[four, 2, 3, run.cost, sorted(here[0]), sorted(here[1]), cost, sorted(there[0]), sorted(there[1])]
        ),
        "convention-stop": Worked(numbers=[1, 10]),
        "quiz-1": Worked({"K": K, "N": N}, numbers=[1 / 2, len([*product(range(K), repeat=N)]) + 1]),
        "quiz-2": Worked(
            numbers=[start, quiz, quiz[[0, 3]], means, quiz[:2], start[0], quiz[2:], start[1], quiz[:2].sum(), 2,
                     quiz[2:].sum(), 2, quiz[:3].mean(), quiz[3], quiz[2], start[0], quiz[2] - start[0],
                     [group.mean() for group in with_old], with_old[0], 3, with_old[1], 3],
        ),
        "quiz-3": Worked(
            {"D^2": seeds**2},
            numbers=[seeds[0], seeds, seeds[3], 1, seeds[3], seeds.sum(), seeds**2, p[3] * 6, 1 / (1 - p[3]),
                     seeds[3] ** 2, seeds @ seeds, 1, len(seeds)],
        ),
        "quiz-4": Worked({"J": _best(POINTS[:4], 4)[1], "K": 1}, numbers=[0, 0, 0]),
        "quiz-5": Worked(numbers=[10, 10, root]),
        "tf-1": Worked(numbers=[1 / 2]),
        "tf-3": Worked({"K": 1}, own={r"K\ge2": {"K": 2}}, numbers=[2]),
        "tf-5": Worked({"K": 1}, numbers=[8 * np.log(np.exp(2)), 8 * np.log(np.exp(2))]),
    }  # fmt: skip

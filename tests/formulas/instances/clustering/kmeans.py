"""k-means: points on a grid with ties, runs of the library, all assignments and all draws by enumeration."""

from itertools import permutations, product

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal
from sklearn.metrics import silhouette_samples

from notes_lib.clustering.kmeans import (
    assign,
    dsquared_probabilities,
    inertia,
    k_medoids,
    lloyd,
    reseed_empty,
    update_centers,
    update_medoids,
)
from tests.formulas.values import At, Instance

N, K = 7, 3
MU = r"\boldsymbol{\mu}_#"
CONDITIONS = {"kmeans-must-know-objective:4"}  # no point assigned, which the constraint excludes
COPIED = {
    "kmeans-bound": "the factor of a theorem that is quoted; that the bound holds is computed",
    "kmeans-must-know-plusplus:2": "the same",
}


def on_a_grid(rng, n=N):
    """Different points of a small grid: many are as near to one centre as to another."""
    return np.column_stack(np.divmod(rng.choice(16, size=n, replace=False), 4)).astype(float)


def split(labels, X, mu):
    """What follows from labels, points and centres; on a line each of them is a number."""
    plane = np.reshape(X, (len(labels), -1)), np.reshape(mu, (K, -1))
    return {
        "c_#": labels + 1, "z_{##}": np.eye(K)[labels], r"\mathbf{Z}": np.eye(K)[labels], "N_#": np.bincount(labels),
        r"\mathbf{x}_#": X, MU: mu, r"\boldsymbol{\mu}": mu, "J": inertia(plane[0], labels, plane[1]),
    }  # fmt: skip


def objective(X):
    """J as a function of the assignment and the centres."""
    return lambda Z, mu: inertia(X, np.argmax(Z, axis=1), mu)


def smallest(X):
    """The smallest J of all partitions into K clusters, with their means as centres."""
    every = (np.array(c) for c in product(range(K), repeat=len(X)) if len(set(c)) == K)
    return min(inertia(X, c, update_centers(X, c, K)) for c in every)


def mean_start(X):
    """The mean J of the starts of k-means++, over all choices of three centres one after the other."""
    total = 0.0
    for first, second, third in permutations(range(len(X)), K):
        chances = dsquared_probabilities(X, X[[first]]), dsquared_probabilities(X, X[[first, second]])
        cost = cdist(X, X[[first, second, third]], "sqeuclidean").min(axis=1).sum()
        total += chances[0][second] * chances[1][third] / len(X) * cost
    return total


def run(X):
    """Iterations one by one: assignments and centres from 1 on; the first centres are points."""
    Z, mu, centers, before = {}, {}, X[:K], np.full(len(X), -1)
    for t in range(1, 30):
        labels = assign(X, centers)
        centers = update_centers(X, labels, K)
        Z[t], mu[t] = np.eye(K)[labels], centers
        if np.array_equal(labels, before):
            break
        before = labels
    return {"J": objective(X), r"\mathbf{Z}^{(#)}": Z, r"\boldsymbol{\mu}^{(#)}": mu, "t": range(1, len(Z))}


def filled(rng):
    """A start with one centre far away, and what the library moves there."""
    X, centers = rng.normal(size=(N, 2)), np.array([[-1.0, 0.0], [1.0, 0.0], [50.0, 50.0]])
    labels = assign(X, centers)
    after = reseed_empty(X, labels, centers)
    (moved,) = np.flatnonzero(after != labels)
    return split(labels, X, centers) | {
        "N_#": np.bincount(labels, minlength=K), "k": K, r"n^\ast": moved + 1, r"c_#\leftarrow": after + 1,
        rf"{MU}\leftarrow": {K: update_centers(X, after, K)[K - 1]},
    }  # fmt: skip


def stuck(rng):
    """The corners of a rectangle: where the library stops, and the best partition of all in two."""
    w = rng.uniform(1.1, 5)
    corners = np.array([[0, 0], [0, 1], [w, 0], [w, 1]])
    both = [np.array(c) for c in product([0, 1], repeat=4) if len(set(c)) == 2]
    best = min(inertia(corners, c, update_centers(corners, c, 2)) for c in both)
    return {"w": w, "J": lloyd(corners, [[w / 2, 0], [w / 2, 1]]).inertia, r"J^\ast": best}


def starts(X, rng):
    """Distances to some centres, and the probabilities of the library."""
    chosen = X[rng.choice(N, size=2, replace=False)]
    place = lambda x: int(np.flatnonzero((np.ravel(x) == X).all(axis=1))[0])
    p = dsquared_probabilities(X, chosen)
    return {
        r"\mathbf{x}_#": X, "D": lambda x: cdist([np.ravel(x)], chosen).min(), "P": lambda x: p[place(x)],
        r"\mathbb{E}[J_{\text{start}}]": mean_start(X), r"J^\ast": smallest(X),
    }  # fmt: skip


def silhouettes(X, labels):
    """Mean distances to each cluster, and the silhouettes by scikit-learn."""
    distances = cdist(X, X)
    sizes = np.bincount(labels)
    sums = np.array([distances[:, labels == k].sum(axis=1) for k in range(K)]).T
    own = labels[:, None] == np.arange(K)
    with np.errstate(all="ignore"):
        a = sums[own] / (sizes[labels] - 1)
    b = np.where(own, np.inf, sums / sizes).min(axis=1)
    return {"c_#": labels + 1, "N_#": sizes, "a_#": a, "b_#": b, "s_#": silhouette_samples(X, labels)}


def soft(X, mu, sigma):
    """Posterior probabilities of round Gaussians, by their densities."""
    densities = np.column_stack([multivariate_normal(m, sigma**2 * np.eye(2)).pdf(X) for m in mu])
    return {r"\gamma_{##}": densities / densities.sum(axis=1, keepdims=True), r"\sigma": sigma}


def medoids(X, rng):
    """Distances that are not squared; the end of a run of the library, and one exchange in three clusters."""
    table = cdist(X, X, "cityblock") + cdist(X, X)
    d = {"d": lambda n, j: table[round(n) - 1, round(j) - 1]}
    end = k_medoids(table, rng.choice(N, size=K, replace=False))
    labels = np.array([0, 0, 0, 1, 1, 1, 2])  # of two members neither is better
    before = np.array([rng.integers(3), 3 + rng.integers(3), 6])
    after = update_medoids(table, labels, before)
    return d | {"q_#": end.medoids + 1, "J_d": end.cost}, d | {"c_#": labels + 1, r"q_#\leftarrow": after + 1}


def groups(n, k):
    """How many ways there are to put n things into k groups without names, one by one."""
    n, k = round(n), round(k)
    return float(sum(list(dict.fromkeys(c)) == list(range(k)) for c in product(range(k), repeat=n)))


def instance(seed):
    """Seven points and three clusters, none empty; centres that are no means, where the page does not say so."""
    rng = np.random.default_rng(seed)
    X, line = on_a_grid(rng), rng.normal(size=N)
    labels = rng.permutation([0, 0, 1, 1, 2, 2, int(rng.integers(K))])
    other = on_a_grid(rng, K) + rng.integers(2)
    means = update_centers(X, labels, K)
    nearest = assign(X, other)
    end = lloyd(line[:, None], line[:K, None])
    end_split = split(end.labels, line, end.centers[:, 0])
    at_line = split(labels, line, rng.normal(size=K))
    by_centers = lambda labels: At(lambda mu: inertia(line[:, None], labels, np.reshape(mu, (K, 1))), MU)
    C = frozenset((rng.choice(N, size=4, replace=False) + 1).tolist())
    rows = [n - 1 for n in sorted(C)]
    real = rng.normal(size=(N, 2))
    single = silhouettes(real, np.array([0, 0, 0, 1, 1, 1, 2]))
    costs, exchange = medoids(real, rng)
    values = {
        "n": range(1, N + 1), "j": range(1, N + 1), "k": range(1, K + 1), "l": range(1, K + 1), "N": N, "K": K,
        **split(labels, X, other), r"\bar{\mathbf{x}}": X.mean(axis=0), "C": C, r"\mathbf{m}": X[rows].mean(axis=0),
        r"\mathbf{a}": rng.normal(size=2), r"\mathbf{0}": 0.0, "K!": len(list(permutations(range(K)))), "S": groups,
    }  # fmt: skip
    of_means, start = split(labels, X, means), starts(real, rng)
    bound = 8 * (np.log(K) + 2) * start[r"J^\ast"]
    own = {
        "kmeans-objective": {"J": objective(X)},
        "kmeans-assign": split(nearest, X, other),
        "kmeans-gradient": at_line | {"J": by_centers(labels)},
        "kmeans-update": of_means,
        "kmeans-decomposition": of_means | {"J": objective(X)},
        "kmeans-pairs": of_means,
        "kmeans-monotone": run(on_a_grid(rng)),
        "kmeans-reseed": filled(rng),
        "kmeans-rectangle": stuck(rng),
        "kmeans-dsquared": start, "kmeans-bound": start, "kmeans-must-know-plusplus": start,
        "kmeans-silhouette": single,
        "kmeans-soft": soft(X, other, rng.uniform(0.5, 2)),
        "kmeans-medoid-objective": costs, "kmeans-medoid-update": exchange,
        "kmeans-must-know-steps": end_split | {"J": by_centers(end.labels)},
        "kmeans-must-know-steiner": of_means,
        "kmeans-must-know-silhouette": silhouettes(real, labels),
    }  # fmt: skip
    worth = {"kmeans-bound": {1: bound}, "kmeans-must-know-plusplus:2": {1: bound}}
    return Instance(values, own, worth)

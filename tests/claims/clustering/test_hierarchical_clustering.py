"""The quiz of the chapter *Hierarchical clustering*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform

from notes_lib.clustering.hierarchical_clustering import cophenet, cut_by_number, leaf_order, linkage
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _points(seed, n=20):
    return np.random.default_rng(seed).normal(size=(n, 2))


def _scatter(X):
    return ((X - X.mean(axis=0)) ** 2).sum()


def _two(X, labels):
    return sum(_scatter(X[labels == k]) for k in (0, 1))


def quiz_average(d_AC, d_BC, n_A, n_B):
    r"""$d(A,C)=<d_AC>$, $d(B,C)=<d_BC>$, $n_A=<n_A>$ and $n_B=<n_B>$. The average-linkage distance from $A\cup B$ to
    $C$ is"""
    pairs = int(n_A) * [d_AC] + int(n_B) * [d_BC]  # from each member of the union to C
    exchanged = int(n_B) * [d_AC] + int(n_A) * [d_BC]
    return Numbers(np.mean(pairs), [np.mean([d_AC, d_BC]), np.mean(exchanged), min(pairs)])


def quiz_ward(n_A, n_B, distance):
    """Two clusters with <n_A> and <n_B> points have means at distance <distance>. If they are merged, the sum of
    squares within grows by"""
    A, B = np.zeros((int(n_A), 1)), np.full((int(n_B), 1), distance)
    grown = _scatter(np.vstack([A, B])) - _scatter(A) - _scatter(B)
    return Numbers(grown, [distance**2, grown / distance, (n_A + n_B) * distance**2])


def quiz_splits(n):
    """In how many ways can <n> objects be split into two groups?"""
    labels = np.array(list(product([0, 1], repeat=int(n))))
    named = (labels.any(axis=1) & ~labels.all(axis=1)).sum()
    return Numbers(named / 2, [named + 1, n * (n - 1) / 2, named / 2 + 1])


def quiz_heights():
    """Which linkages have heights that never fall? (Mark all.)"""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.9]])
    clouds = [corners, *(_points(seed) for seed in range(40))]
    rise = {
        name: all((np.diff(linkage(X, name)[:, 2]) > -SMALL).all() for X in clouds)
        for name in ("average", "centroid", "ward", "median")
    }
    return {name.replace("ward", "Ward"): value for name, value in rise.items()}


def tf_spanning():
    """The heights of single linkage are the edge lengths of a minimum spanning tree."""
    same = []
    for seed in range(10):
        X = _points(seed)
        lengths = np.sort(minimum_spanning_tree(squareform(pdist(X))).data)
        same.append(np.allclose(lengths, linkage(X, "single")[:, 2]))
    return all(same)


def tf_leaves():
    """Objects whose leaves stand side by side in a dendrogram are near each other."""
    X = np.vstack([_points(0), _points(1) + 50])
    Z = linkage(X, "complete")
    order = leaf_order(Z)
    heights = squareform(cophenet(Z))[order[:-1], order[1:]]
    assert np.median(heights) < 0.1 * Z[-1, 2]  # most neighbours are
    return heights.max() < 0.9 * Z[-1, 2]


def tf_greedy():
    """Ward's two clusters have the smallest sum of squares of all splits in two."""
    splits = [np.array((0, *z)) for z in product([0, 1], repeat=7) if any(z)]
    excess = []
    for seed in range(20):
        X = _points(seed, 8)
        excess.append(_two(X, cut_by_number(linkage(X, "ward"), 2)) - min(_two(X, z) for z in splits))
    assert min(excess) < SMALL  # sometimes they have
    return max(excess) < SMALL


def tf_squared():
    """If all distances are squared, complete linkage makes the same merges."""
    same = {"complete": [], "average": []}
    for seed in range(20):
        y = pdist(_points(seed))
        for method, found in same.items():
            found.append(np.array_equal(linkage(y, method)[:, :2], linkage(y**2, method)[:, :2]))
    assert not all(same["average"])  # not every linkage does
    return all(same["complete"])


test_claim = decided("clustering/hierarchical_clustering", globals())

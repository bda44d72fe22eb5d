"""Hierarchical clustering: seven points in the plane, three clusters of them, trees of the library, paths, splits."""

from itertools import combinations, pairwise, product

import numpy as np
from scipy.spatial.distance import pdist, squareform

from notes_lib.clustering.hierarchical_clustering import (
    cophenet,
    lance_williams_coefficients,
    linkage,
    linkage_distance,
    minimum_spanning_tree,
)
from tests.formulas.values import At, Instance

N = 7


def squares(X):
    """Sum of squares of a set of points about its mean."""
    return lambda A: float(((X[rows(A)] - X[rows(A)].mean(axis=0)) ** 2).sum())


def rows(A):
    return [int(i) - 1 for i in sorted(A)]


def by_members(X, method, power=1):
    """The distance of two clusters from its definition, perhaps to a power; known in one order only, as they stand."""

    def distance(A, B):
        if max(A) > min(B):
            raise IndexError("these clusters stand the other way round")
        return linkage_distance(X, rows(A), rows(B), method) ** power

    return distance


def clusters(rng):
    """Seven points, and three clusters of them one behind the other; the first two are the nearest on average."""
    cut = np.sort(rng.choice(np.arange(1, N), size=2, replace=False))
    parts = np.split(rng.normal(size=(N, 2)), cut)
    between = lambda P, Q: np.linalg.norm(P[:, None] - Q, axis=2).mean()
    i, j, k = min(((0, 1, 2), (0, 2, 1), (1, 2, 0)), key=lambda order: between(parts[order[0]], parts[order[1]]))
    parts = [parts[i], parts[j], parts[k]]
    last = np.cumsum([0, *map(len, parts)])
    return np.vstack(parts), [frozenset(range(a + 1, b + 1)) for a, b in pairwise(last.tolist())]


def coefficients(method, sizes):
    names = (r"\alpha_A", r"\alpha_B", r"\beta", r"\gamma")
    return dict(zip(names, lance_williams_coefficients(method, *sizes), strict=True))


def unions(Z):
    """The members of each new cluster, from 1 on."""
    found = [frozenset([i + 1]) for i in range(len(Z) + 1)]
    for a, b in Z[:, :2].astype(int):
        found.append(found[a] | found[b])
    return found[len(Z) + 1 :]


def ways(D, rng):
    """Edges of all pairs, and one of length 0 from each object to itself: those of the spanning tree between two
    objects, found by search, and those of a path over other objects in random order."""
    number = {frozenset(pair): k for k, pair in enumerate(combinations(range(N), 2), 1)}
    loop = len(number) + 1
    edges, _ = minimum_spanning_tree(D)
    beside = {i: [int(b) for e in edges for a, b in (e, e[::-1]) if a == i] for i in range(N)}

    def tree(i, j):
        fringe = [[i - 1]]
        while fringe[0][-1] != j - 1:
            path = fringe.pop(0)
            fringe += [[*path, b] for b in beside[path[-1]] if b not in path]
        return numbers(fringe[0])

    def numbers(path):
        return frozenset(number[frozenset(pair)] for pair in pairwise(path)) | {loop}

    order = rng.permutation(N)
    between = lambda i, j: [i - 1, *(int(k) for k in order[:3] if k not in (i - 1, j - 1)), j - 1]
    lengths = [*squareform(D), 0.0]
    return {
        "e": range(1, loop + 1),
        "w_#": lengths,
        "T_{##}": tree,
        "P": At(lambda i, j: numbers(between(i, j)), "i", "j"),
    }


def instance(seed):
    """Clusters A, B and C of one to three points each; a method by the seed where the page speaks of all."""
    rng = np.random.default_rng(seed)
    X, (A, B, C) = clusters(rng)
    D = squareform(pdist(X))
    above = np.where(np.triu(D) > 0, D, np.nan)  # a pair is known in one order only
    sizes = [len(A), len(B), len(C)]
    mean = lambda S: X[rows(S)].mean(axis=0)
    method = ("single", "complete", "average", "average")[seed]
    d = {name: by_members(X, name) for name in ("single", "complete", "average")}
    Z, single, ward = linkage(X, "average"), linkage(X, "single"), linkage(X, "ward")
    r, c = cophenet(Z, pdist(X))
    a = rng.uniform(0.1, 0.9)
    lengths = minimum_spanning_tree(D)[1]
    values = {
        "A": A, "B": B, "C": C, "n_A": sizes[0], "n_B": sizes[1], "n_C": sizes[2], "N": N,
        **dict.fromkeys("ijkn", range(1, N + 1)), "t": range(1, N), "d_{##}": above, "d": d[method],
        "u": rng.normal(), "v": rng.normal(), r"\mathbf{x}_#": X, r"\bar{\mathbf{x}}": X.mean(axis=0),
        r"\mathbf{m}_A": mean(A), r"\mathbf{m}_B": mean(B), r"\mathbf{m}_{AB}": mean(A | B),
        "q": by_members(X, "centroid", 2), r"\Delta": lambda P, Q: by_members(X, "ward", 2)(P, Q) / 2, "J": squares(X),
        "h": by_members(X, "ward")(A, B), "h_#": Z[:, 2], "U_#": unions(Z), "c_{##}": squareform(c), "r": r,
        r"\bar d": pdist(X).mean(), r"\bar c": c.mean(), "s_#": splits,
    }  # fmt: skip
    chosen, power = (("single", 1), ("complete", 1), ("average", 1), ("ward", 2))[seed]
    update = {"d": by_members(X, chosen, power), **coefficients(chosen, sizes)}
    of_single = {"h_#": single[:, 2], "w_#": np.sort(lengths)}
    smallest = {**ways(D, rng), "c_{##}": squareform(cophenet(single))}
    in_order = {"c_{##}": np.triu(squareform(c))}
    rising = {"d": d["average"]}
    stem = "hierarchical-clustering"
    own = {
        **{f"{stem}-{name}": {"d": d[name]} for name in d},
        **{f"{stem}-lw-{name}": {"d": d[name]} for name in d},
        f"{stem}-lance-williams": update, f"{stem}-must-know-update": update,
        f"{stem}-ward-total": {"h_#": ward[:, 2]}, f"{stem}-reducible": rising,
        f"{stem}-cophenetic": in_order, f"{stem}-correlation": in_order,
        f"{stem}-monotone": {"t": range(1, N - 1)}, f"{stem}-mst": of_single, f"{stem}-minimax": smallest,
        f"{stem}-bipartitions": {"n": range(1, N + 1)},
        f"{stem}-stewart": {"a": a, "b": 1 - a, r"\mathbf{u}": rng.normal(size=2), r"\mathbf{v}": rng.normal(size=2)},
        f"{stem}-must-know-linkages:1": {"d": d["single"]}, f"{stem}-must-know-linkages:2": {"d": d["average"]},
        f"{stem}-must-know-monotone": {**rising, "t": range(1, N - 1)}, f"{stem}-must-know-spanning": smallest,
        f"{stem}-ward-height": {r"\Delta": lambda P, Q: squares(X)(P | Q) - squares(X)(P) - squares(X)(Q)},
    }  # fmt: skip
    own[f"{stem}-must-know-ward"] = own[f"{stem}-ward-height"]
    shares = lance_williams_coefficients("average", *sizes)
    card = f"{stem}-must-know-update"
    return Instance(values, own, worth={f"{card}:2": shares.alpha_i, f"{card}:3": shares.alpha_j})


def splits(n):
    """How many ways there are to put n things into two groups: all labels, the first thing in the first group."""
    return sum(any(label) for label in product([0, 1], repeat=int(n) - 1))

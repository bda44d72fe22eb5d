"""The quiz of the chapter *Density-based and spectral clustering*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np
from scipy.sparse import csgraph

from notes_lib.clustering.density_clustering import (
    DBSCAN,
    core_mask,
    density_labels,
    eps_neighbors,
    laplacian,
    normalized_cut,
    spectral_embedding,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _graph(seed, n=7):
    """Symmetric weights of a graph whose nodes are all linked."""
    W = np.triu(np.random.default_rng(seed).uniform(0.05, 2, size=(n, n)) ** 3, 1)
    return W + W.T


def _in_pieces(sizes):
    """Weights of a graph with components of these sizes."""
    part = np.repeat(np.arange(len(sizes)), sizes)
    return np.equal.outer(part, part) - np.eye(len(part))


def _zeros(W):
    return int((np.linalg.eigvalsh(laplacian(W)) < SMALL).sum())


def _splits(n):
    return [(0, *bits) for bits in product((0, 1), repeat=n - 1) if any(bits)]


def quiz_zeros(nodes, components):
    """A graph of <nodes> nodes has <components> connected components. How many eigenvalues of its Laplacian are 0?"""
    sizes = np.full(int(components), int(nodes // components))
    W = _in_pieces(sizes)
    whole = _zeros(_in_pieces([int(nodes)]))
    assert csgraph.connected_components(W)[0] == components
    return Numbers(_zeros(W), [whole, len(W) - _zeros(W), _zeros(np.zeros_like(W))])


#: Two lumps, a border point in the middle, and a stray one.
LINE = np.array([-0.4, -0.2, 0.0, 1.0, 2.0, 2.2, 2.4, 9.0])[:, None]


def _orders():
    """For many orders of the points of the line: core, noise, number of clusters, and whether 1 goes with 0."""
    found = set()
    for seed in range(30):
        order = np.random.default_rng(seed).permutation(len(LINE))
        model = DBSCAN(eps=1, min_samples=4).fit(LINE[order])
        labels = np.empty(len(LINE), dtype=int)
        labels[order] = model.labels_
        core = tuple(sorted(order[model.core_sample_indices_].tolist()))
        found.add((tuple(labels < 0), core, bool(labels[3] == labels[2]), int(labels.max())))
    return list(zip(*found, strict=True))


def quiz_order():
    """What can depend on the order of the points in DBSCAN?"""
    noise, core, side, clusters = (len(set(seen)) > 1 for seen in _orders())
    return {
        "which points are noise": noise,
        "which points are core points": core,
        "which cluster a border point belongs to": side,
        "the number of clusters": clusters,
    }


def quiz_radius():
    """The radius of DBSCAN is doubled, and $M$ stays. What can happen? (Mark all.)"""
    can = dict.fromkeys(("join", "new", "lost", "core"), False)
    for seed in range(60):
        X = np.random.default_rng(seed).uniform(0, 3, size=(25, 2))
        narrow, wide = eps_neighbors(X, 0.4), eps_neighbors(X, 0.8)
        before, after = core_mask(narrow, 4), core_mask(wide, 4)
        old, new = density_labels(narrow, before), density_labels(wide, after)
        pairs = {(a, b) for a, b in zip(old[before], new[before], strict=True)}
        can["join"] |= len({b for _, b in pairs}) < len(pairs)
        can["new"] |= any((old[new == c] < 0).all() for c in range(new.max() + 1))
        can["lost"] |= bool((before & (new < 0)).any())
        can["core"] |= bool((after & ~before & (old >= 0)).any())
    return {
        "two clusters become one": can["join"],
        "noise becomes a new cluster": can["new"],
        "a core point becomes noise": can["lost"],
        "a border point becomes a core point": can["core"],
    }


def quiz_tripled():
    """All weights of a graph are tripled. What changes?"""
    W, split = _graph(0), (0, 0, 0, 1, 1, 1, 1)
    moved = lambda function: not np.allclose(function(W), function(3 * W))
    second = lambda W: np.abs(np.linalg.eigh(laplacian(W))[1][:, 1])
    return {
        "the eigenvalues of the normalised Laplacian": moved(lambda W: np.linalg.eigvalsh(laplacian(W, normed=True))),
        "the eigenvalues of the Laplacian": moved(lambda W: np.linalg.eigvalsh(laplacian(W))),
        "the normalised cut of a split": moved(lambda W: normalized_cut(W, split)),
        "the Fiedler vector": moved(second),
    }


def tf_one(least):
    """With $M=<least>$ DBSCAN finds no noise."""
    noise = lambda M: any(
        (DBSCAN(eps=0.1, min_samples=M).fit_predict(np.random.default_rng(s).normal(size=(40, 2))) < 0).any()
        for s in range(10)
    )
    assert noise(int(least) + 1)
    return not noise(int(least))


def tf_neighbours():
    """Two neighbours that both are border points belong to the same cluster."""
    line = np.array([-0.8, -0.6, -0.4, 0.0, 0.9, 1.5, 2.4, 2.8, 3.0, 3.2])[:, None]
    model = DBSCAN(eps=1.0, min_samples=5).fit(line)
    core, labels = set(model.core_sample_indices_.tolist()), model.labels_
    near = eps_neighbors(line, 1.0).toarray()
    pairs = [
        (a, b) for a in range(10) for b in range(a) if near[a, b] and not {a, b} & core and min(labels[[a, b]]) >= 0
    ]
    assert any(labels[a] == labels[b] for a, b in pairs)
    return all(labels[a] == labels[b] for a, b in pairs)


def tf_connected():
    """The second smallest eigenvalue of the Laplacian is positive exactly if the graph is connected."""
    graphs = [_graph(s) for s in range(5)] + [_in_pieces(sizes) for sizes in ([4, 3], [7], [2, 2, 3])]
    positive = [np.linalg.eigvalsh(laplacian(W))[1] > SMALL for W in graphs]
    whole = [csgraph.connected_components(W)[0] == 1 for W in graphs]
    assert len(set(whole)) == 2
    return positive == whole


def tf_bound():
    """The normalised cut of any two groups is at least the second smallest eigenvalue of the normalised Laplacian."""
    gaps = []
    for seed in range(8):
        W = _graph(seed)
        second = np.linalg.eigvalsh(laplacian(W, normed=True))[1]
        gaps.append(min(normalized_cut(W, split) for split in _splits(7)) - second)
    return min(gaps) > -SMALL


def tf_signs():
    """The signs of the second eigenvector always give the smallest normalised cut."""
    missed = []
    for seed in range(20):
        W = _graph(seed)
        signs = spectral_embedding(W, 2).vectors[:, 1] > 0
        missed.append(normalized_cut(W, signs) - min(normalized_cut(W, split) for split in _splits(7)))
    assert min(missed) < SMALL
    return max(missed) < SMALL


test_claim = decided("clustering/density_clustering", globals())

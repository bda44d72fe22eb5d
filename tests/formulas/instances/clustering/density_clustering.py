"""Density-based and spectral clustering: points of two clusters, and a graph of nine nodes in two and three groups."""

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csgraph
from scipy.spatial.distance import cdist

from notes_lib.clustering.density_clustering import (
    DBSCAN,
    cluster_volumes,
    cut_weights,
    degrees,
    k_distances,
    laplacian,
    neighbor_affinity,
    normalize_rows,
    normalized_cut,
    ratio_cut,
    spectral_embedding,
)
from notes_lib.kernels.kernel_methods import rbf_kernel
from tests.formulas.values import At, Instance

N, EPS, M = 9, 1.0, 4


def sets(rows):
    """Rows of a table of truth values as sets of numbers from 1 on."""
    return [frozenset((np.flatnonzero(row) + 1).tolist()) for row in rows]


def density(rng):
    """Two lumps and a stray point: neighbours by SciPy, core points, clusters and distances by the library."""
    X = np.vstack([0.5 * rng.normal(size=(4, 2)), 0.5 * rng.normal(size=(4, 2)) + 8, [[20.0, 0.0]]])
    near = cdist(X, X) <= EPS
    model = DBSCAN(eps=EPS, min_samples=M).fit(X)
    core = np.isin(np.arange(N), model.core_sample_indices_)
    steps = core[:, None] & near
    reach = csgraph.shortest_path(steps, unweighted=True) < np.inf  # a point reaches itself
    labels = model.labels_
    return {
        r"\mathbf{x}_#": X, r"\varepsilon": EPS, "M": M, r"\mathcal{N}_#": sets(near), "c_#": core.astype(float),
        "r_{##}": steps.astype(float), "R_{##}": reach.astype(float),
        r"\mathcal{C}_#": sets((labels[:, None] == labels) & (labels >= 0)), r"\kappa_#": k_distances(X, M),
    }  # fmt: skip


def apart(labels, k):
    """The groups and their complements as sets."""
    groups = np.equal.outer(np.arange(k), labels)
    return {"A_#": sets(groups), r"\bar A_#": sets(~groups), "N_#": groups.sum(axis=1)}


def network(rng, labels, k):
    """A random connected graph with the values of the library, and eigenvalues and vectors by SciPy."""
    W = np.triu(rng.uniform(0.2, 2, size=(N, N)), 1)
    W = W + W.T
    d, L = degrees(W), laplacian(W)
    values, Z = eigh(L, np.diag(d))
    H = np.equal.outer(labels, np.arange(k)) / np.sqrt(cluster_volumes(W, labels))
    cuts = cut_weights(W, labels)
    return {
        **apart(labels, k), r"\mathbf{W}": W, "w_{##}": W, "d_#": d, r"\mathbf{D}": np.diag(W.sum(axis=0)),
        r"\mathbf{L}": csgraph.laplacian(W), r"\mathbf{f}": (f := rng.normal(size=N)), "f_#": f,
        r"\operatorname{cut}": At(lambda A: cuts[[s == A for s in apart(labels, k)["A_#"]].index(True)]),
        r"\operatorname{RatioCut}": ratio_cut(W, labels), r"\operatorname{Ncut}": normalized_cut(W, labels),
        "v_#": cluster_volumes(W, labels), "V": W.sum(), r"\lambda_#": values,
        r"\mathbf{z}_#": Z.T, r"\mathbf{u}_#": (np.sqrt(d)[:, None] * Z).T, r"\mathbf{D}^{1/2}": np.diag(np.sqrt(d)),
        r"\mathbf{D}^{-1/2}": np.diag(1 / np.sqrt(d)), r"\mathbf{L}_{\mathrm{sym}}": laplacian(W, normed=True),
        r"\mathbf{H}": H, "h_{##}": H, r"\mathbf{I}": np.eye(k), r"\mathbf{1}": np.ones(N),
    }  # fmt: skip


def heights(sizes, labels):
    """Two heights, as the ratio of what is in the groups."""
    f = np.where(labels == 0, np.sqrt(sizes[1] / sizes[0]), -np.sqrt(sizes[0] / sizes[1]))
    return {r"\mathbf{f}": f, "f_#": f}


def features(graph, labels):
    """Features of the kernel of the cut, and the objective of weighted k-means, point by point."""
    W, d, sigma = graph["w_{##}"], graph["d_#"], 3.0
    Phi = np.linalg.cholesky(W / np.outer(d, d) + sigma * np.diag(1 / d))
    mu = np.array([d[labels == k] @ Phi[labels == k] / d[labels == k].sum() for k in range(3)])
    J = sum(d[n] * ((Phi[n] - mu[labels[n]]) ** 2).sum() for n in range(N))
    return {r"\boldsymbol\phi_#": Phi, r"\boldsymbol\mu_#": mu, "J": J, r"\sigma": sigma}


def pieces(rng):
    """A graph of three components with its eigenvalues."""
    W = np.zeros((N, N))
    for block in (slice(0, 2), slice(2, 5), slice(5, N)):
        W[block, block] = rng.uniform(0.5, 2)
    values = np.linalg.eigvalsh(laplacian(W))
    return {r"\lambda_#": np.where(np.abs(values) < 1e-12, 0.0, values), "c": 3}


def neighbors(rng):
    """The graph of the three nearest points, itself counted, and the Gaussian weights, of the library."""
    X = rng.normal(size=(N, 2))
    near = np.argsort(cdist(X, X), axis=1)[:, :3]
    return X, {
        "w_{##}": neighbor_affinity(X, 3).toarray(),
        r"\mathcal{K}_#": [frozenset((row + 1).tolist()) for row in near],
    }


def instance(seed):
    """N = 9 nodes in K = 3 groups; formulas of two groups have their own."""
    rng = np.random.default_rng(seed)
    two, three = np.repeat([0, 1], [4, 5]), np.repeat([0, 1, 2], [2, 3, 4])
    graph, pair = network(rng, three, 3), network(rng, two, 2)
    X, nearest = neighbors(rng)
    crowd = density(rng)
    plain, vectors = np.linalg.eigh(pair[r"\mathbf{L}"])
    pair[r"\lambda_#"] = plain
    rows = np.random.default_rng(seed).normal(size=(N, 3))
    values = {"n": range(1, N + 1), "m": range(1, N + 1), "k": range(1, 4), "N": N, "K": 3, **graph}
    of_two = {**pair, "k": range(1, 3)}
    embedded = spectral_embedding(graph["w_{##}"], N)
    own = {
        "density-clustering-neighborhood": crowd, "density-clustering-core": crowd, "density-clustering-reach": crowd,
        "density-clustering-cluster": crowd, "density-clustering-k-distance": crowd,
        "density-clustering-must-know-dbscan": crowd,
        "density-clustering-weights": {r"\mathbf{x}_#": X, r"\gamma": 0.7, "w_{##}": rbf_kernel(X, gamma=0.7)},
        "density-clustering-neighbor-graph": nearest,
        "density-clustering-components": {"k": range(1, N + 1), **pieces(rng)},
        "density-clustering-indicator-ratio": {**of_two, **heights(pair["N_#"], two)},
        "density-clustering-ratio-form": {**of_two, **heights(pair["N_#"], two)},
        "density-clustering-ratio-rules": {**of_two, **heights(pair["N_#"], two)},
        "density-clustering-fiedler": {**of_two, r"\mathbf{f}": vectors[:, 1]},
        "density-clustering-indicator-ncut": {**of_two, **heights(pair["v_#"], two)},
        "density-clustering-ncut-form": {**of_two, **heights(pair["v_#"], two)},
        "density-clustering-ncut-rules": {**of_two, **heights(pair["v_#"], two)},
        "density-clustering-generalized": {
            "k": range(1, N + 1), r"\lambda_#": embedded.eigenvalues, r"\mathbf{z}_#": embedded.vectors.T,
        },
        "density-clustering-rows": {r"\mathbf{r}_#": rows, r"\mathbf{y}_#": normalize_rows(rows)},
        "density-clustering-eigengap": {
            "k": range(1, N), r"\hat K": 1 + int(np.diff(graph[r"\lambda_#"]).argmax()),
        },
        "density-clustering-kernel-objective": features(graph, three),
        "density-clustering-kernel-kmeans": features(graph, three),
    }  # fmt: skip
    own["density-clustering-must-know-components"] = own["density-clustering-components"]
    own["density-clustering-must-know-relaxed:1"] = own["density-clustering-generalized"]
    own["density-clustering-must-know-rows:3"] = own["density-clustering-rows"]
    bound = {1: graph[r"\lambda_#"][:3].sum()}
    return Instance(
        values,
        own,
        worth={"density-clustering-bound": bound, "density-clustering-must-know-relaxed:2": bound},
    )

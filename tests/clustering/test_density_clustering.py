"""DBSCAN and spectral clustering against scikit-learn, plain transcriptions, enumeration, their laws, and bad input."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
import sklearn.cluster
import sklearn.neighbors
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import eigh
from scipy.sparse import csc_array, csgraph, csr_array, csr_matrix
from sklearn.datasets import load_iris, make_circles, make_moons
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.pairwise import pairwise_distances
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.clustering.density_clustering import (
    DBSCAN,
    SpectralClustering,
    cluster_volumes,
    core_mask,
    cut_weights,
    degrees,
    density_labels,
    eps_neighbors,
    k_distances,
    laplacian,
    neighbor_affinity,
    normalize_rows,
    normalized_cut,
    pivoted_labels,
    ratio_cut,
    spectral_embedding,
)
from notes_lib.clustering.density_clustering import eigen as eigen_module
from notes_lib.clustering.density_clustering import neighborhoods as neighborhoods_module


def sample(seed, n=300, d=2, k=4):
    """Clusters of unequal density, and some stray points."""
    rng = np.random.default_rng(seed)
    groups = rng.uniform(-4, 4, size=(k, d))[rng.integers(k, size=n)]
    X = groups + rng.uniform(0.1, 0.6, size=(n, 1)) * rng.normal(size=(n, d))
    X[: n // 10] = rng.uniform(-5, 5, size=(n // 10, d))
    return X


def plain_dbscan(D, eps, min_samples):
    """The published algorithm: visit the points in order, and expand each new cluster by a queue."""
    n = len(D)
    neighbors = [np.flatnonzero(row <= eps) for row in D]
    labels, cluster = np.full(n, -1), 0
    for i in range(n):
        if labels[i] >= 0 or len(neighbors[i]) < min_samples:
            continue
        labels[i], queue = cluster, [i]
        while queue:
            p = queue.pop()
            if len(neighbors[p]) < min_samples:
                continue
            for q in neighbors[p]:
                if labels[q] < 0:
                    labels[q] = cluster
                    queue.append(q)
        cluster += 1
    return labels


def graph(seed, n=8, share=0.7):
    """Symmetric weights of a connected graph."""
    rng = np.random.default_rng(seed)
    W = np.triu(rng.uniform(0.1, 2, size=(n, n)) * (rng.random((n, n)) < share), 1)
    W[np.arange(n - 1), np.arange(1, n)] += 0.3
    return W + W.T


def path(n):
    return np.eye(n, k=1) + np.eye(n, k=-1)


def two_way(n):
    """All splits of n nodes into two groups that are not empty, each once."""
    for bits in itertools.product((0, 1), repeat=n - 1):
        if any(bits):
            yield np.array((0, *bits))


# (a) golden


def test_dbscan_of_the_documentation_of_scikit_learn():
    # The example of sklearn.cluster.DBSCAN: the last point is noise.
    X = [[1, 2], [2, 2], [2, 3], [8, 7], [8, 8], [25, 80]]
    assert_array_equal(DBSCAN(eps=3, min_samples=2).fit(X).labels_, [0, 0, 0, 1, 1, -1])


def test_spectral_clustering_of_the_documentation_of_scikit_learn():
    X = np.array([[1, 1], [2, 1], [1, 0], [4, 7], [3, 5], [3, 6]])
    labels = SpectralClustering(2, random_state=0).fit_predict(X)
    assert adjusted_rand_score(labels, [1, 1, 1, 0, 0, 0]) == 1


@pytest.mark.equation("density-clustering-laplacian", "density-clustering-symmetric")
def test_spectra_of_known_graphs():
    # Chung (1997), Spectral Graph Theory, examples 1.1 to 1.5: complete graph, path, cycle.
    n = 7
    complete = np.ones((n, n)) - np.eye(n)
    assert_allclose(np.linalg.eigvalsh(laplacian(complete, normed=True)), [0] + [n / (n - 1)] * (n - 1), atol=1e-12)
    cosines = 1 - np.cos(np.pi * np.arange(n) / (n - 1))
    assert_allclose(np.linalg.eigvalsh(laplacian(path(n), normed=True)), cosines, atol=1e-12)
    cycle = path(n) + np.eye(n, k=n - 1) + np.eye(n, k=1 - n)
    expected = np.sort(2 - 2 * np.cos(2 * np.pi * np.arange(n) / n))
    assert_allclose(np.linalg.eigvalsh(laplacian(cycle)), expected, atol=1e-12)


@pytest.mark.equation("density-clustering-cut", "density-clustering-ratio-cut", "density-clustering-normalized-cut",
                      "density-clustering-volume")  # fmt: skip
def test_cuts_by_hand():
    # Two triangles joined by one edge: cut 1, three nodes each, volume 7 each.
    W = np.zeros((6, 6))
    for a, b in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)]:
        W[a, b] = W[b, a] = 1
    labels = list("llrrrr")
    assert_allclose(cut_weights(W, [0, 0, 0, 1, 1, 1]), [1, 1])
    assert ratio_cut(W, [0, 0, 0, 1, 1, 1]) == pytest.approx(2 / 3)
    assert normalized_cut(W, [0, 0, 0, 1, 1, 1]) == pytest.approx(2 / 7)
    assert_allclose(cut_weights(W, labels), [2, 2])
    assert_allclose(cluster_volumes(W, labels), [4, 10])
    assert normalized_cut(W, labels) == pytest.approx(2 / 4 + 2 / 10)
    assert_array_equal(degrees(W), [2, 2, 3, 3, 2, 2])
    three = [0, 0, 0, 1, 2, 2]
    assert_allclose(cut_weights(W, three), [1, 3, 2])
    assert normalized_cut(csr_array(W), three) == pytest.approx(1 / 7 + 3 / 3 + 2 / 4)


# (b) oracles


@pytest.mark.equation("density-clustering-core", "density-clustering-cluster", "density-clustering-reach")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("eps", "min_samples"), [(0.2, 3), (0.35, 5), (0.5, 10), (1.5, 4), (20.0, 5), (0.01, 2), (0.3, 1)]
)
def test_labels_are_those_of_scikit_learn_to_the_letter(seed, eps, min_samples):
    X = sample(seed)
    peer = sklearn.cluster.DBSCAN(eps=eps, min_samples=min_samples).fit(X)
    ours = DBSCAN(eps=eps, min_samples=min_samples).fit(X)
    assert_array_equal(ours.labels_, peer.labels_)
    assert_array_equal(ours.core_sample_indices_, peer.core_sample_indices_)
    assert_array_equal(ours.components_, peer.components_)
    assert_array_equal(ours.labels_, plain_dbscan(pairwise_distances(X), eps, min_samples))


@pytest.mark.parametrize("d", [2, 5, 16])
@pytest.mark.parametrize("algorithm", ["auto", "ball_tree", "kd_tree", "brute"])
@pytest.mark.parametrize(("metric", "p"), [("euclidean", None), ("manhattan", None), ("chebyshev", None),
                                           ("minkowski", 3), ("minkowski", 1.5), ("minkowski", None)])  # fmt: skip
def test_every_metric_and_search(d, algorithm, metric, p):
    X = sample(d, n=251, d=d)
    eps = np.median(k_distances(X, 4, metric=metric, p=p)) * (1 + 1e-9)  # just above one of the distances
    ours = DBSCAN(eps=eps, min_samples=4, metric=metric, p=p, algorithm=algorithm, leaf_size=7).fit(X)
    D = pairwise_distances(X, metric=metric, **({"p": p} if p else {}))
    assert_array_equal(ours.labels_, plain_dbscan(D, eps, 4))
    assert len(ours.core_sample_indices_) in (126, 127)  # two points may be each other's fourth neighbour
    peer = sklearn.cluster.DBSCAN(eps=eps, min_samples=4, metric=metric, p=p or 2).fit(X)
    assert_array_equal(ours.labels_, peer.labels_)


@pytest.mark.equation("density-clustering-neighborhood")
@pytest.mark.parametrize("scale", [1.0, 0.1, 1 / 3, 1e8, 1e-7])
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_ties_on_a_lattice_as_in_scikit_learn(scale, steps):
    """Very many distances equal the radius up to rounding."""
    X = scale * np.array(list(itertools.product(range(17), repeat=2)), dtype=float)
    X = np.random.default_rng(0).permutation(X)
    for min_samples in (3, 5, 9):
        peer = sklearn.cluster.DBSCAN(eps=steps * scale, min_samples=min_samples).fit(X)
        ours = DBSCAN(eps=steps * scale, min_samples=min_samples).fit(X)
        assert_array_equal(ours.labels_, peer.labels_)
        assert_array_equal(ours.core_sample_indices_, peer.core_sample_indices_)


@pytest.mark.parametrize("seed", range(4))
def test_weights_and_precomputed_distances_as_in_scikit_learn(seed):
    X = sample(seed)
    w = np.random.default_rng(seed).uniform(-0.5, 2, size=len(X))
    settings_ = {"eps": 0.3, "min_samples": 6}
    peer = sklearn.cluster.DBSCAN(**settings_).fit(X, sample_weight=w)
    assert_array_equal(DBSCAN(**settings_).fit_predict(X, sample_weight=w), peer.labels_)
    D = pairwise_distances(X)
    peer = sklearn.cluster.DBSCAN(**settings_, metric="precomputed").fit(D)
    ours = DBSCAN(**settings_, metric="precomputed").fit(D)
    assert_array_equal(ours.labels_, peer.labels_)
    assert_array_equal(ours.components_, peer.components_)
    assert_array_equal(ours.labels_, DBSCAN(**settings_).fit_predict(X))
    assert_allclose(k_distances(D, 6, metric="precomputed"), k_distances(X, 6), rtol=1e-10)


def test_a_border_point_of_two_clusters():
    """It goes to the cluster whose core point comes first; turned round, to the other one."""
    X = np.array([0.0, 0.1, 0.2, 1.0, 1.8, 1.9, 2.0])[:, None]
    assert_array_equal(DBSCAN(eps=0.8, min_samples=4).fit_predict(X), [0, 0, 0, 0, 1, 1, 1])
    assert_array_equal(DBSCAN(eps=0.8, min_samples=4).fit_predict(X[::-1]), [0, 0, 0, 0, 1, 1, 1])
    turned = DBSCAN(eps=0.8, min_samples=4).fit(X[::-1])
    assert_array_equal(turned.core_sample_indices_, [2, 4])
    assert turned.labels_[::-1][3] == turned.labels_[::-1][4]


@pytest.mark.equation("density-clustering-neighbor-graph")
@pytest.mark.parametrize("k", [2, 5, 12])
def test_graph_of_neighbours_as_in_scikit_learn(k):
    X = sample(0, n=200, d=3)
    C = sklearn.neighbors.kneighbors_graph(X, k, include_self=True)
    assert_array_equal(neighbor_affinity(X, k).toarray(), (0.5 * (C + C.T)).toarray())


@pytest.mark.equation("density-clustering-degree", "density-clustering-laplacian", "density-clustering-symmetric")
@pytest.mark.parametrize("kind", [np.asarray, csr_array, csc_array, csr_matrix])
@pytest.mark.parametrize("normed", [False, True])
def test_laplacians_as_in_scipy(kind, normed):
    W = graph(0) + 3 * np.eye(8)  # loops do not count
    expected, root = csgraph.laplacian(W, normed=normed, return_diag=True)
    found = laplacian(kind(W), normed)
    assert_allclose(found if kind is np.asarray else found.toarray(), expected, atol=1e-14)
    assert_allclose(degrees(kind(W)), root**2 if normed else root, atol=1e-12)
    assert_array_equal(W, graph(0) + 3 * np.eye(8))


@pytest.mark.equation("density-clustering-generalized")
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize("n", [40, 500])
def test_embedding_is_the_generalised_eigenproblem(kind, n):
    """For 40 nodes all eigenvectors, for 500 the iteration; against SciPy on (L, D)."""
    X = sample(3, n=n)
    W = np.exp(-(pairwise_distances(X) ** 2)) * (pairwise_distances(X) < 6)
    found = spectral_embedding(kind(W), 5, random_state=0)
    L, d = laplacian(W), degrees(W)
    values, Z = eigh(L, np.diag(d), subset_by_index=[0, 4])
    assert_allclose(found.eigenvalues, values, atol=1e-11)
    assert_allclose(L @ found.vectors, d[:, None] * found.vectors * found.eigenvalues, atol=1e-10)
    assert_allclose(found.vectors.T @ (d[:, None] * found.vectors), np.eye(5), atol=1e-10)
    assert_allclose(np.abs(found.vectors.T @ (d[:, None] * Z)), np.eye(5), atol=1e-8)
    assert (found.vectors[np.abs(found.vectors).argmax(axis=0), np.arange(5)] > 0).all()


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_where_the_iteration_is_too_slow_lanczos_goes_on(monkeypatch, kind):
    monkeypatch.setattr(eigen_module, "ROUNDS", 1)
    W = np.exp(-(pairwise_distances(sample(1, n=400)) ** 2))
    values = eigh(laplacian(W, normed=True), subset_by_index=[0, 3])[0]
    found = spectral_embedding(kind(W), 4, random_state=0)
    assert_allclose(found.eigenvalues, np.maximum(values, 0), atol=1e-10)
    L, d = laplacian(W), degrees(W)
    assert_allclose(L @ found.vectors, d[:, None] * found.vectors * found.eigenvalues, atol=1e-9)


@pytest.mark.parametrize("assign_labels", ["kmeans", "cluster_qr"])
@pytest.mark.parametrize(("affinity", "settings_"), [
    ("rbf", {"gamma": 30.0}), ("nearest_neighbors", {"n_neighbors": 12}), ("precomputed", {}), ("sparse", {}),
])  # fmt: skip
def test_moons_and_circles_as_in_scikit_learn(affinity, settings_, assign_labels):
    for make in (make_moons, make_circles):
        X, y = make(400, noise=0.03, random_state=0, **({"factor": 0.4} if make is make_circles else {}))
        data, kind = X, affinity
        if affinity in ("precomputed", "sparse"):
            data, kind = np.exp(-30 * pairwise_distances(X) ** 2), "precomputed"
            data = csr_matrix(np.where(data > 1e-6, data, 0.0)) if affinity == "sparse" else data
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Graph is not fully connected")  # of the peer
            arguments = {"affinity": kind, "assign_labels": assign_labels, "random_state": 0, **settings_}
            peer = sklearn.cluster.SpectralClustering(2, **arguments).fit(data)
        ours = SpectralClustering(2, **arguments).fit(data)
        assert adjusted_rand_score(ours.labels_, peer.labels_) == 1
        assert adjusted_rand_score(ours.labels_, y) == 1
        assert_allclose(abs(ours.affinity_matrix_ - peer.affinity_matrix_).max(), 0, atol=1e-12)
        assert ours.eigenvalues_.shape == (2,)
        assert ours.embedding_.shape == (400, 2)


@pytest.mark.parametrize("affinity", ["rbf", "nearest_neighbors"])
def test_three_clusters_and_more_as_in_scikit_learn(affinity):
    X = load_iris().data
    arguments = {"affinity": affinity, "n_neighbors": 15, "random_state": 0}
    for k in (3, 5):
        ours = SpectralClustering(k, **arguments).fit(X)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Graph is not fully connected")  # of the peer
            peer = sklearn.cluster.SpectralClustering(k, **arguments).fit(X)
        assert normalized_mutual_info_score(ours.labels_, peer.labels_) > 0.95
        cuts = [normalized_cut(ours.affinity_matrix_, m.labels_) for m in (ours, peer)]
        assert cuts[0] == pytest.approx(cuts[1], rel=0.02)


def test_pivoted_labels_against_scikit_learn():
    from sklearn.cluster._spectral import cluster_qr

    for seed in range(5):
        Z = spectral_embedding(np.exp(-(pairwise_distances(sample(seed, n=80)) ** 2)), 4).vectors
        assert_array_equal(pivoted_labels(Z), cluster_qr(Z))


# (c) laws


@given(seed=st.integers(0, 10**6), eps=st.floats(0.05, 2), min_samples=st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_laws_of_density_clusters(seed, eps, min_samples):
    X = sample(seed, n=60)
    G = eps_neighbors(X, eps)
    A = G.toarray()
    core = core_mask(G, min_samples)
    labels = density_labels(G, core)
    assert_array_equal(A, A.T)
    assert A.diagonal().all()
    assert_array_equal(core, k_distances(X, min_samples) <= eps)
    reached = (A & core).any(axis=1)
    assert_array_equal(labels >= 0, reached)
    i, j = np.nonzero(A & core & core[:, None])
    assert_array_equal(labels[i], labels[j])
    kept = labels[labels >= 0]
    assert_array_equal(np.unique(kept), np.arange(kept.max(initial=-1) + 1))
    wider = DBSCAN(eps=1.5 * eps, min_samples=min_samples).fit(X)
    assert set(np.flatnonzero(core)) <= set(wider.core_sample_indices_)
    for c in np.unique(kept):  # a cluster of the smaller radius lies in one of the larger
        assert len(np.unique(wider.labels_[core & (labels == c)])) == 1


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_order_matters_for_border_points_only(seed):
    X = sample(seed, n=80)
    order = np.random.default_rng(seed).permutation(80)
    one, other = DBSCAN(eps=0.4, min_samples=5).fit(X), DBSCAN(eps=0.4, min_samples=5).fit(X[order])
    back = np.empty(80, dtype=int)
    back[order] = other.labels_
    assert_array_equal(back == -1, one.labels_ == -1)
    core = one.core_sample_indices_
    assert_array_equal(np.sort(order[other.core_sample_indices_]), core)
    if len(core):
        assert adjusted_rand_score(back[core], one.labels_[core]) == 1


def test_one_neighbour_is_enough_means_connected_components():
    """With min_samples = 1 every point is core: single linkage cut at eps."""
    X = sample(5)
    labels = DBSCAN(eps=0.4, min_samples=1).fit_predict(X)
    parts = csgraph.connected_components(csr_array(pairwise_distances(X) <= 0.4), directed=False)[1]
    assert adjusted_rand_score(labels, parts) == 1
    assert (labels >= 0).all()
    tree = sklearn.cluster.AgglomerativeClustering(None, linkage="single", distance_threshold=0.4).fit(X)
    assert adjusted_rand_score(labels, tree.labels_) == 1


@pytest.mark.equation("density-clustering-quadratic")
@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_quadratic_form(seed):
    rng = np.random.default_rng(seed)
    W, f = graph(seed), rng.normal(size=8)
    jumps = sum(W[a, b] * (f[a] - f[b]) ** 2 for a in range(8) for b in range(8)) / 2
    assert f @ laplacian(W) @ f == pytest.approx(jumps)
    root = np.sqrt(degrees(W))
    jumps = sum(W[a, b] * (f[a] / root[a] - f[b] / root[b]) ** 2 for a in range(8) for b in range(8)) / 2
    assert f @ laplacian(W, normed=True) @ f == pytest.approx(jumps)


@pytest.mark.equation("density-clustering-components")
@pytest.mark.parametrize("sizes", [[9], [4, 3, 2], [2, 2, 2, 2], [350, 260, 90]])
def test_zero_eigenvalues_count_the_components(sizes):
    n = sum(sizes)
    W, part, start = np.zeros((n, n)), np.repeat(np.arange(len(sizes)), sizes), 0
    for seed, size in enumerate(sizes):
        W[start : start + size, start : start + size] = graph(seed, size)
        start += size
    order = np.random.default_rng(0).permutation(n)
    W, part = W[np.ix_(order, order)], part[order]
    if n < 100:
        assert (np.linalg.eigvalsh(laplacian(W)) < 1e-10).sum() == len(sizes)
    found = spectral_embedding(csr_array(W), len(sizes) + 1, random_state=0)
    assert (found.eigenvalues < 1e-10).sum() == len(sizes)
    rows = found.vectors[:, : len(sizes)]
    for c in range(len(sizes)):
        assert_allclose(np.ptp(rows[part == c], axis=0), 0, atol=1e-8)
    labels = SpectralClustering(len(sizes), affinity="precomputed", random_state=0).fit_predict(W)
    assert adjusted_rand_score(labels, part) == 1


@pytest.mark.equation("density-clustering-trace-form", "density-clustering-bound", "density-clustering-ratio-form",
                      "density-clustering-ncut-form")  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_the_relaxation_is_a_lower_bound_over_all_cuts(seed):
    W = graph(seed)
    L, d = laplacian(W), degrees(W)
    smooth = eigh(L, np.diag(d), eigvals_only=True)
    plain = np.linalg.eigvalsh(L)
    for labels in two_way(8):
        size, volume = np.bincount(labels), cluster_volumes(W, labels)
        f = np.where(labels == 0, np.sqrt(size[1] / size[0]), -np.sqrt(size[0] / size[1]))
        assert f @ L @ f == pytest.approx(8 * ratio_cut(W, labels))
        assert ratio_cut(W, labels) >= plain[1] - 1e-12
        f = np.where(labels == 0, np.sqrt(volume[1] / volume[0]), -np.sqrt(volume[0] / volume[1]))
        assert f @ L @ f == pytest.approx(d.sum() * normalized_cut(W, labels))
        assert d @ f == pytest.approx(0, abs=1e-12)
        assert normalized_cut(W, labels) >= smooth[1] - 1e-12
    rng = np.random.default_rng(seed)
    for _ in range(50):
        labels = np.r_[0, 1, 2, rng.integers(0, 3, 5)]
        H = np.equal.outer(labels, range(3)) / np.sqrt(cluster_volumes(W, labels))
        assert np.trace(H.T @ L @ H) == pytest.approx(normalized_cut(W, labels))
        assert normalized_cut(W, labels) >= smooth[:3].sum() - 1e-12


@pytest.mark.equation("density-clustering-kernel-kmeans")
@pytest.mark.parametrize("seed", range(4))
def test_normalised_cut_is_weighted_kernel_k_means(seed):
    W = graph(seed)
    d = degrees(W)
    K = W / np.outer(d, d) + 5 * np.diag(1 / d)  # positive definite
    Phi = np.linalg.cholesky(K)  # a point a row
    offsets = []
    for labels in two_way(8):
        J = 0.0
        for c in (0, 1):
            inside = labels == c
            center = d[inside] @ Phi[inside] / d[inside].sum()
            J += d[inside] @ ((Phi[inside] - center) ** 2).sum(axis=1)
        offsets.append(J - normalized_cut(W, labels))
    assert_allclose(offsets, offsets[0], atol=1e-10)


@pytest.mark.equation("density-clustering-rows")
def test_rows_of_length_one():
    U = np.random.default_rng(0).normal(size=(20, 3))
    assert_allclose((normalize_rows(U) ** 2).sum(axis=1), 1)
    assert_allclose(normalize_rows(7 * U), normalize_rows(U))


def test_same_clusters_in_any_order_precision_and_layout():
    X, y = make_moons(200, noise=0.05, random_state=1)
    order = np.random.default_rng(0).permutation(200)
    for make in (lambda: DBSCAN(eps=0.25), lambda: SpectralClustering(2, gamma=40.0, random_state=0)):
        base = make().fit_predict(X)
        assert adjusted_rand_score(base, y) == 1
        assert adjusted_rand_score(make().fit_predict(X[order]), y[order]) == 1
        assert_array_equal(make().fit_predict(np.asfortranarray(X)), base)
        assert_array_equal(make().fit_predict(np.repeat(X, 2, axis=1)[:, ::2]), base)
        assert adjusted_rand_score(make().fit_predict(X.astype(np.float32)), y) == 1
        again = pickle.loads(pickle.dumps(make().fit(X)))
        assert_array_equal(again.labels_, base)
        assert adjusted_rand_score(make_pipeline(StandardScaler(), make()).fit_predict(X), y) > 0.3
    assert_array_equal(
        *(SpectralClustering(2, random_state=3).fit(X).embedding_ for _ in range(2)),
    )


# (d) extremes


def test_duplicates_constant_columns_and_single_points():
    X = np.repeat(sample(0, n=40), 5, axis=0)
    assert_array_equal(DBSCAN(eps=0.3).fit_predict(X), sklearn.cluster.DBSCAN(eps=0.3).fit_predict(X))
    X = np.column_stack([sample(0, n=100), np.full(100, 1e6)])
    assert_array_equal(DBSCAN(eps=0.3).fit_predict(X), sklearn.cluster.DBSCAN(eps=0.3).fit_predict(X))
    assert_array_equal(DBSCAN(eps=1.0).fit_predict(np.zeros((50, 3))), np.zeros(50))
    alone = DBSCAN(eps=1.0).fit([[0.0, 0.0]])
    assert_array_equal(alone.labels_, [-1])
    assert alone.components_.shape == (0, 2)
    assert_array_equal(DBSCAN(eps=1.0, min_samples=1).fit_predict([[3.0]]), [0])


@pytest.mark.parametrize(("scale", "shift"), [(1e9, 0.0), (1e-9, 0.0), (1.0, 1e6), (1e150, 0.0)])
def test_huge_tiny_and_far_scales(scale, shift):
    X = sample(2)
    expected = DBSCAN(eps=0.3).fit_predict(X)
    assert_array_equal(DBSCAN(eps=0.3 * scale).fit_predict(scale * X + shift), expected)


def test_many_points_in_blocks():
    X = sample(0, n=6000, k=20)
    peer = sklearn.cluster.DBSCAN(eps=0.15, min_samples=8).fit(X)
    assert_array_equal(DBSCAN(eps=0.15, min_samples=8).fit_predict(X), peer.labels_)
    assert neighborhoods_module.FEW == 15


def test_more_columns_than_rows_and_as_many_clusters_as_rows():
    X = np.random.default_rng(0).normal(size=(12, 50))
    X[6:] += 5
    y = np.repeat([0, 1], 6)
    assert adjusted_rand_score(SpectralClustering(2, gamma=0.01, random_state=0).fit_predict(X), y) == 1
    labels = SpectralClustering(12, gamma=0.01, random_state=0).fit_predict(X)
    assert len(np.unique(labels)) == 12
    assert_array_equal(DBSCAN(eps=12.0, min_samples=3).fit_predict(X), y)
    one = SpectralClustering(1, gamma=0.01, n_components=3).fit(X)
    assert_array_equal(one.labels_, np.zeros(12))
    assert one.embedding_.shape == (12, 3)


# (e) bad input

X3 = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]


@pytest.mark.parametrize(("settings_", "error", "message"), [
    ({"eps": 0}, ValueError, "eps must be positive, got 0: points within this distance are neighbours"),
    ({"eps": -1.0}, ValueError, "eps must be finite and at least 0, got -1"),
    ({"eps": np.nan}, ValueError, "eps must be finite"),
    ({"eps": "1"}, TypeError, "eps must be a number"),
    ({"min_samples": 0}, ValueError, "min_samples must be at least 1"),
    ({"min_samples": 2.5}, TypeError, "min_samples must be an integer"),
    ({"metric": "cosine"}, ValueError, "metric must be one of .*pass them as 'precomputed'"),
    ({"metric": "minkowski", "p": 0.5}, ValueError, "p must be finite and at least 1"),
    ({"algorithm": "quick"}, ValueError, "algorithm must be one of"),
    ({"leaf_size": 0}, ValueError, "leaf_size must be at least 1"),
    ({"metric": "precomputed"}, ValueError, "X must be a square matrix"),
])  # fmt: skip
def test_bad_settings_of_dbscan(settings_, error, message):
    with pytest.raises(error, match=message):
        DBSCAN(**settings_).fit(X3)


@pytest.mark.parametrize(("X", "message"), [
    ([[0.0], [np.nan]], "NaN"), ([[0.0], [np.inf]], "infinity"), (np.empty((0, 2)), "0 sample"), ([1.0, 2.0], "2D"),
])  # fmt: skip
@pytest.mark.parametrize("model", [DBSCAN(), SpectralClustering(2)])
def test_bad_data(model, X, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X)


@pytest.mark.parametrize(("D", "message"), [
    ([[0.0, -1.0], [-1.0, 0.0]], "X must hold distances, none of them negative: pass distances, not similarities"),
    ([[0.0, 1.0], [2.0, 0.0]], "X must be symmetric"),
])  # fmt: skip
def test_bad_distances(D, message):
    for function in (lambda D: DBSCAN(metric="precomputed").fit(D), lambda D: k_distances(D, 1, metric="precomputed")):
        with pytest.raises(ValueError, match=message):
            function(D)


@pytest.mark.parametrize(("weight", "message"), [
    ([1.0, 1.0], r"sample_weight must be a vector of shape \(3,\)"),
    ([1.0, np.nan, 1.0], "sample_weight must be finite"),
    ([0.0, 0.0, 0.0], "sample_weight is zero for every row, so no point has neighbours"),
])  # fmt: skip
def test_bad_weights_of_points(weight, message):
    with pytest.raises(ValueError, match=message):
        DBSCAN().fit(X3, sample_weight=weight)


@pytest.mark.parametrize(("settings_", "error", "message"), [
    ({"n_clusters": 4}, ValueError, "n_samples=3 should be >= n_clusters=4: ask for fewer clusters or give more rows"),
    ({"n_clusters": 0}, ValueError, "n_clusters must be at least 1"),
    ({"n_clusters": 2.0}, TypeError, "n_clusters must be an integer"),
    ({"n_clusters": 2, "n_components": 4}, ValueError, "n_components=4 must be at most n = 3"),
    ({"n_clusters": 2, "n_components": 0}, ValueError, "n_components must be at least 1"),
    ({"n_clusters": 2, "n_init": 0}, ValueError, "n_init must be at least 1"),
    ({"n_clusters": 2, "gamma": 0.0}, ValueError, "gamma must be positive"),
    ({"n_clusters": 2, "gamma": -1}, ValueError, "gamma must be finite and at least 0"),
    ({"n_clusters": 2, "gamma": 1e6}, ValueError, "affinity='rbf' leaves 3 of 3 nodes isolated .*lower gamma"),
    ({"n_clusters": 2, "affinity": "cosine"}, ValueError, "affinity must be one of"),
    ({"n_clusters": 2, "affinity": "nearest_neighbors"}, ValueError, "n_neighbors=10 must be at most n = 3"),
    ({"n_clusters": 2, "affinity": "nearest_neighbors", "n_neighbors": 1}, ValueError, "n_neighbors must be at least"),
    ({"n_clusters": 2, "assign_labels": "discretize"}, ValueError, "assign_labels must be one of"),
    ({"n_clusters": 2, "affinity": "precomputed"}, ValueError, "X must be a square matrix"),
])  # fmt: skip
def test_bad_settings_of_spectral_clustering(settings_, error, message):
    with pytest.raises(error, match=message):
        SpectralClustering(**settings_).fit(X3)


ISOLATED = np.array([[0.0, 1, 0], [1, 0, 0], [0, 0, 5]])


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
@pytest.mark.parametrize(("W", "message"), [
    (ISOLATED, r"X leaves 1 of 3 nodes isolated \(2\): a node without neighbours has degree 0.*drop these rows"),
    (np.array([[0.0, -1], [-1, 0]]), "X must hold the weights .* none of them negative: pass similarities"),
    (np.array([[0.0, 1], [2, 0]]), "X must be symmetric: average it with its transpose"),
    (np.ones((2, 3)), "X must be a square matrix"),
])  # fmt: skip
def test_bad_weights_of_a_graph(W, message, kind):
    with pytest.raises(ValueError, match=message):
        SpectralClustering(2, affinity="precomputed").fit(kind(W))


def test_bad_input_of_the_steps():
    with pytest.raises(ValueError, match="W leaves 1 of 3 nodes isolated"):
        spectral_embedding(ISOLATED, 2)
    with pytest.raises(ValueError, match="W leaves 1 of 3 nodes isolated"):
        laplacian(ISOLATED, normed=True)
    with pytest.raises(ValueError, match=r"W leaves 7 of 7 nodes isolated .*4, \.\.\.\)"):
        laplacian(np.zeros((7, 7)), normed=True)
    assert_array_equal(laplacian(ISOLATED), [[1, -1, 0], [-1, 1, 0], [0, 0, 0]])
    with pytest.raises(ValueError, match="W leaves 1 of 2 nodes isolated"):
        normalized_cut(ISOLATED, [0, 0, 1])
    with pytest.raises(ValueError, match="n_components=4 must be at most n = 3"):
        spectral_embedding(path(3), 4)
    with pytest.raises(ValueError, match=r"labels must have shape \(3,\), one for each node"):
        cut_weights(path(3), [0, 1])
    with pytest.raises(ValueError, match="W must be finite"):
        degrees(csr_array([[0.0, np.nan], [np.nan, 0.0]]))
    with pytest.raises(ValueError, match="W must hold the weights of at least one node"):
        degrees(np.empty((0, 0)))
    with pytest.raises(ValueError, match="min_samples=4 must be at most n = 3"):
        k_distances(X3, 4)
    with pytest.raises(ValueError, match="n_neighbors=4 must be at most n = 3"):
        neighbor_affinity(X3, 4)
    with pytest.raises(ValueError, match="core must be 3 booleans"):
        density_labels(eps_neighbors(X3, 1.0), [0, 1, 1])
    with pytest.raises(ValueError, match="U must have at least as many rows as columns"):
        pivoted_labels([[1.0, 2.0]])
    with pytest.raises(ValueError, match="square of a distance must be finite"):
        eps_neighbors(np.array([[1e200], [-1e200]]), 1.0)


def test_more_pieces_than_clusters():
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    with pytest.warns(UserWarning, match="3 connected components, more than n_clusters=2.*raise n_neighbors"):
        SpectralClustering(2, affinity="nearest_neighbors", n_neighbors=2).fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labels = SpectralClustering(3, affinity="nearest_neighbors", n_neighbors=2, random_state=0).fit_predict(X)
    assert adjusted_rand_score(labels, [0, 0, 1, 1, 2, 2]) == 1


@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for model in (DBSCAN(), SpectralClustering(3)) for pair in estimator_checks_generator(model)],
    ids=lambda v: getattr(v, "func", v).__class__,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    check(estimator)

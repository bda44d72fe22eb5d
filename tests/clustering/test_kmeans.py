"""k-means against published examples, independent routes, its own laws, and extreme and bad input."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
import sklearn.cluster
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib import numerics
from notes_lib.clustering.kmeans import (
    KMeans,
    assign,
    assign_to_medoids,
    dsquared_probabilities,
    inertia,
    initial_centers,
    k_medoids,
    kmeans_plusplus,
    lloyd,
    reseed_empty,
    sample_index,
    silhouette_samples,
    silhouette_score,
    update_centers,
    update_medoids,
)


def blobs(seed, n=60, k=3, d=2, spread=1.0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(k, d))[rng.integers(k, size=n)] * 6 + spread * rng.normal(size=(n, d))


def distances(X, centers):
    """All squared distances, from the definition."""
    return ((np.asarray(X, float)[:, None, :] - np.asarray(centers, float)[None, :, :]) ** 2).sum(axis=2)


def plain_lloyd(X, centers, iterations):
    """Transcription of the two steps, with the objective after each iteration."""
    centers, objective, labels = np.array(centers, float), [], None
    for _ in range(iterations):
        labels = distances(X, centers).argmin(axis=1)
        centers = np.array([X[labels == j].mean(axis=0) for j in range(len(centers))])
        objective.append(sum(((X[labels == j] - centers[j]) ** 2).sum() for j in range(len(centers))))
    return labels, centers, np.array(objective)


def total(X):
    X = np.asarray(X, float)
    return ((X - X.mean(axis=0)) ** 2).sum()


def partitions(n, k):
    """Every way to split n points into k non-empty clusters, each once, as label arrays."""
    for labels in itertools.product(range(k), repeat=n):
        firsts = [labels.index(j) for j in range(k) if j in labels]
        if len(firsts) == k and firsts == sorted(firsts):
            yield np.array(labels)


# (a) golden


@pytest.mark.equation("kmeans-assign", "kmeans-update")
def test_han_eight_points():
    # Han and Kamber, Data Mining, exercise 10.2 (3rd ed.): A1..A3, B1..B3, C1, C2 from A1, B1, C1.
    X = np.array([[2, 10], [2, 5], [8, 4], [5, 8], [7, 5], [6, 4], [1, 2], [4, 9]])
    start = X[[0, 3, 6]]
    first = update_centers(X, assign(X, start), 3)
    assert_allclose(first, [[2, 10], [6, 6], [1.5, 3.5]], rtol=1e-12)
    run = lloyd(X, start)
    assert_array_equal(run.labels, [0, 2, 1, 0, 1, 1, 2, 0])
    assert_allclose(run.centers, [[11 / 3, 9], [7, 13 / 3], [1.5, 3.5]], rtol=1e-12)
    model = KMeans(3, init=start, tol=0).fit(X)
    assert_array_equal(model.labels_, run.labels)
    assert_allclose(model.inertia_, 43 / 3, rtol=1e-12)


@pytest.mark.equation("kmeans-assign", "kmeans-update")
def test_seven_individuals():
    # The tutorial of the seven individuals (two scores each), started at subjects 1 and 4.
    X = np.array([[1, 1], [1.5, 2], [3, 4], [5, 7], [3.5, 5], [4.5, 5], [3.5, 4.5]])
    model = KMeans(2, init=X[[0, 3]], tol=0).fit(X)
    assert_allclose(model.cluster_centers_, [[1.25, 1.5], [3.9, 5.1]], rtol=1e-12)
    assert_array_equal(model.labels_, [0, 0, 1, 1, 1, 1, 1])


@pytest.mark.equation("kmeans-dsquared")
def test_kmeans_plusplus_probabilities_of_five_points():
    # Stack Overflow 5466323: points 0..4, first centre 0, then 4.
    X = np.arange(5.0)[:, None]
    assert_allclose(dsquared_probabilities(X, [[0.0]]), np.array([0, 1, 4, 9, 16]) / 30, rtol=1e-12)
    assert_allclose(dsquared_probabilities(X, [[0.0], [4.0]]), np.array([0, 1, 4, 1, 0]) / 6, rtol=1e-12)


@pytest.mark.equation("kmeans-silhouette")
def test_silhouette_by_hand():
    # Points 0, 1 | 5: a(0) = 1, b(0) = 5, so s = 4/5; a(1) = 1, b(1) = 4, so s = 3/4; 5 is alone, so s = 0.
    assert_allclose(silhouette_samples([[0.0], [1.0], [5.0]], ["l", "l", "r"]), [0.8, 0.75, 0.0], rtol=1e-12)


# (b) oracles


@pytest.mark.equation("kmeans-assign", "kmeans-update", "kmeans-objective", "kmeans-decomposition", "kmeans-product")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n", "k", "d"), [(60, 3, 2), (500, 7, 5), (4200, 5, 3)])
def test_plain_transcription_and_scikit_learn(seed, n, k, d):
    X = blobs(seed, n, k, d, spread=3.0)
    start = X[:k]
    run = lloyd(X, start)
    labels, centers, objective = plain_lloyd(X, start, run.n_iter)
    assert run.converged
    assert run.n_reseeded == 0
    assert_array_equal(run.labels, labels)
    assert_allclose(run.centers, centers, rtol=0, atol=1e-10)
    assert_allclose(run.objective, objective, rtol=1e-10)
    assert_allclose(run.inertia, distances(X, centers).min(axis=1).sum(), rtol=1e-12)
    peer = sklearn.cluster.KMeans(k, init=start, n_init=1, tol=0).fit(X)
    ours = KMeans(k, init=start, tol=0).fit(X)
    assert_array_equal(ours.labels_, peer.labels_)
    assert_allclose(ours.cluster_centers_, peer.cluster_centers_, rtol=0, atol=1e-10)
    assert_allclose(ours.inertia_, peer.inertia_, rtol=1e-10)
    assert ours.n_iter_ == peer.n_iter_
    new = blobs(seed + 100, 50, k, d)
    assert_array_equal(ours.predict(new), peer.predict(new))
    assert_allclose(ours.transform(new), peer.transform(new), rtol=1e-10)
    assert_allclose(ours.score(new), peer.score(new), rtol=1e-10)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("n", "k", "d"), [(60, 3, 2), (4200, 5, 3)])
def test_a_weight_is_a_repeated_row(seed, n, k, d):
    X = blobs(seed, n, k, d, spread=3.0)
    v = np.random.default_rng(seed).integers(0, 4, n)
    rows = np.repeat(X, v, axis=0)
    start = X[v > 0][:k]
    for tol in (0.0, 1e-2):
        ours = KMeans(k, init=start, tol=tol).fit(X, sample_weight=v)
        repeated = KMeans(k, init=start, tol=tol).fit(rows)
        assert ours.n_iter_ == repeated.n_iter_
        assert_array_equal(ours.predict(rows), repeated.labels_)
        assert_array_equal(ours.labels_, ours.predict(X))
        assert_allclose(ours.cluster_centers_, repeated.cluster_centers_, rtol=1e-10, atol=1e-10)
        assert_allclose([ours.inertia_, *ours.objective_], [repeated.inertia_, *repeated.objective_], rtol=1e-10)
        assert_allclose(ours.score(X, sample_weight=v), repeated.score(rows), rtol=1e-10)
        assert_allclose(ours.score(X, sample_weight=v), -ours.inertia_, rtol=1e-10)
    peer = sklearn.cluster.KMeans(k, init=start, n_init=1, tol=0).fit(X, sample_weight=v)
    ours = KMeans(k, init=start, tol=0)
    assert_array_equal(ours.fit_predict(X, sample_weight=v), peer.labels_)
    assert_allclose(ours.cluster_centers_, peer.cluster_centers_, rtol=0, atol=1e-10)
    assert_allclose(ours.inertia_, peer.inertia_, rtol=1e-10)


@pytest.mark.parametrize("init", ["k-means++", "random", "random_partition", "uniform"])
def test_equal_weights_change_only_the_scale_of_the_objective(init):
    X = blobs(3, 200, 4)
    plain = KMeans(4, init=init, n_init=3, random_state=5).fit(X)
    ours = KMeans(4, init=init, n_init=3, random_state=5).fit(X, sample_weight=np.full(200, 2.5))
    assert_array_equal(ours.labels_, plain.labels_)
    assert_allclose(ours.cluster_centers_, plain.cluster_centers_, rtol=1e-12)
    assert_allclose(ours.inertia_, 2.5 * plain.inertia_, rtol=1e-12)


@pytest.mark.equation("kmeans-dsquared")
def test_weights_are_repeated_rows_for_every_start():
    X, v = np.array([[0.0], [1.0], [4.0], [9.0]]), np.array([1, 3, 0, 2])
    copies = np.repeat(np.arange(4), v)
    p = dsquared_probabilities(X[copies], [[0.0]])
    assert_allclose(dsquared_probabilities(X, [[0.0]], v), np.bincount(copies, p, 4), rtol=1e-12)
    rng = np.random.default_rng(0)
    firsts = np.bincount([kmeans_plusplus(X, 1, sample_weight=v, random_state=rng)[1][0] for _ in range(4000)])
    forgy = [initial_centers(X, 1, "random", sample_weight=v, random_state=rng)[0, 0] for _ in range(4000)]
    share = v / v.sum()
    for counts in (firsts, np.bincount(np.searchsorted(X[:, 0], forgy))):
        assert counts[2] == 0
        assert (np.abs(counts - 4000 * share) <= 5 * np.sqrt(4000 * share * (1 - share))).all()
    two = [kmeans_plusplus(X, 2, sample_weight=v, random_state=rng)[1] for _ in range(300)]
    assert {int(i) for pair in two for i in pair} == {0, 1, 3}
    # all points in one part: their weighted mean
    assert_allclose(initial_centers(X, 1, "random_partition", sample_weight=v), [[21 / 6]], rtol=1e-12)


def test_an_empty_cluster_takes_a_point_with_its_whole_weight():
    X, v = np.array([[0.0], [1.0], [5.0]]), np.array([2.0, 1.0, 4.0])
    run = lloyd(X, [[0.0], [99.0]], sample_weight=v)
    assert run.n_reseeded == 1
    assert_array_equal(run.labels, [0, 0, 1])
    assert_allclose(run.centers, [[1 / 3], [5.0]], rtol=1e-12)
    assert_allclose(run.inertia, 2 / 3, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_tolerance_and_max_iter_stop_where_scikit_learn_stops(seed):
    X = blobs(seed, 400, 6, 2, spread=4.0)
    early = 0
    for max_iter, tol in ((300, 1e-2), (300, 1e-1), (2, 0.0)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            ours = KMeans(6, init=X[:6], max_iter=max_iter, tol=tol).fit(X)
            peer = sklearn.cluster.KMeans(6, init=X[:6], n_init=1, max_iter=max_iter, tol=tol).fit(X)
        assert ours.n_iter_ == peer.n_iter_
        assert_array_equal(ours.labels_, peer.labels_)
        assert_allclose(ours.cluster_centers_, peer.cluster_centers_, rtol=0, atol=1e-10)
        assert_allclose(ours.inertia_, peer.inertia_, rtol=1e-10)
        assert_array_equal(ours.labels_, ours.predict(X))
        early += ours.n_iter_ < lloyd(X, X[:6]).n_iter
    assert early


@pytest.mark.equation("kmeans-objective", "kmeans-monotone")
@pytest.mark.parametrize("seed", range(4))
def test_best_of_many_starts_is_the_optimum_over_all_partitions(seed):
    X = blobs(seed, 7, 3, 2, spread=3.0)
    best = min(inertia(X, z, update_centers(X, z, 3)) for z in partitions(7, 3))
    assert_allclose(KMeans(3, n_init=40, init="random", tol=0, random_state=seed).fit(X).inertia_, best, rtol=1e-10)
    for init in ("k-means++", "random", "random_partition", "uniform"):
        run = lloyd(X, initial_centers(X, 3, init, random_state=seed))
        assert run.inertia >= best * (1 - 1e-12)
        assert run.n_iter <= 3**7


def test_most_iterations_of_one_cluster():
    # from a centre that is not the mean: one iteration moves it, one more finds nothing to change, k^n + 1 = 2
    assert lloyd([[0.0], [1.0], [5.0]], [[9.0]]).n_iter == 2


@pytest.mark.equation("kmeans-stirling")
def test_number_of_partitions():
    def stirling(n, k):
        return stirling(n - 1, k - 1) + k * stirling(n - 1, k) if n and k else int(n == k)

    for n, k in ((4, 2), (5, 3), (6, 2), (7, 4)):
        assert sum(1 for _ in partitions(n, k)) == stirling(n, k)


@pytest.mark.equation("kmeans-silhouette")
@pytest.mark.parametrize("seed", range(5))
def test_silhouette_against_scikit_learn(seed):
    X = blobs(seed, 80, 4, 3) + 7
    labels = np.random.default_rng(seed).integers(5, size=80)
    labels[3] = 9  # a cluster of one
    ours = silhouette_samples(X, labels)
    assert_allclose(ours, sklearn.metrics.silhouette_samples(X, labels), rtol=0, atol=1e-10)
    assert ours[3] == 0
    assert_allclose(silhouette_score(X, labels), sklearn.metrics.silhouette_score(X, labels), rtol=0, atol=1e-10)


def test_silhouette_in_several_blocks():
    X, labels = blobs(0, 1600, 3, 2), np.arange(1600) % 3  # 2^21 / 1600 rows a block: two blocks
    assert_allclose(silhouette_samples(X, labels), sklearn.metrics.silhouette_samples(X, labels), rtol=0, atol=1e-10)


@pytest.mark.equation("kmeans-dsquared")
def test_kmeans_plusplus_samples_with_its_probabilities():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [4.0]])
    runs = 5_000
    rng = np.random.default_rng(1)
    drawn = np.array([kmeans_plusplus(X, 3, random_state=rng)[1] for _ in range(runs)])
    expected = np.zeros((6, 6, 6))
    for i, j in itertools.product(range(6), range(6)):
        D2 = distances(X, X[[i]]).min(axis=1)
        if D2[j] > 0:
            E2 = distances(X, X[[i, j]]).min(axis=1)
            expected[i, j] = 1 / 6 * D2[j] / D2.sum() * E2 / E2.sum()
    counts = np.zeros((6, 6, 6))
    np.add.at(counts, tuple(drawn.T), 1)
    assert counts[expected == 0].sum() == 0
    possible = expected > 0
    chi2 = ((counts - runs * expected)[possible] ** 2 / (runs * expected[possible])).sum()
    freedom = possible.sum() - 1
    assert abs(chi2 - freedom) < 5 * np.sqrt(2 * freedom)


@pytest.mark.equation("kmeans-dsquared")
def test_kmeans_plusplus_is_not_farthest_first():
    # 30 points in three tight groups and one far outlier: farthest-first always takes the outlier at once.
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(c, 0.1, size=(10, 2)) for c in ((0, 0), (4, 0), (2, 3))] + [np.array([[2.0, 9.0]])])
    second = np.array([kmeans_plusplus(X, 2, random_state=s)[1] for s in range(2000)])
    expected = np.mean([dsquared_probabilities(X, X[[i]])[30] for i in range(31)])
    share = (second[:, 1] == 30).mean()
    assert 0.1 < expected < 0.4
    assert abs(share - expected) < 5 * np.sqrt(expected * (1 - expected) / 2000)


@pytest.mark.parametrize("init", ["k-means++", "random", "random_partition", "uniform"])
def test_initialisations_are_what_they_say(init):
    X = blobs(3, 40, 4, 2)
    a, b = (initial_centers(X, 4, init, random_state=r) for r in (5, np.random.default_rng(5)))
    assert_array_equal(a, b)
    rows = [int(np.flatnonzero((c == X).all(axis=1))[0]) for c in a if (c == X).all(axis=1).any()]
    if init in ("k-means++", "random"):
        assert len(set(rows)) == 4
    else:
        assert rows == []
        assert (a >= X.min(axis=0)).all()
        assert (a <= X.max(axis=0)).all()
    if init == "random_partition":  # 40 points in 4 random clusters: the means lie near the grand mean
        assert abs(a - X.mean(axis=0)).max() < X.std() * 1.5
        assert_allclose(initial_centers(X, 1, init, random_state=0)[0], X.mean(axis=0), rtol=1e-12)
        everyone = initial_centers(X, 40, init, random_state=0)
        assert_array_equal(np.sort(everyone, axis=0), np.sort(X, axis=0))
    if init == "uniform":
        many = np.vstack([initial_centers([[0.0], [10.0]], 2, init, random_state=s) for s in range(500)])
        assert_allclose(np.quantile(many, [0.25, 0.5, 0.75]), [2.5, 5, 7.5], rtol=0, atol=0.6)


def test_uniform_initialisation_leaves_clusters_empty_and_forgy_does_not():
    # Two blobs in opposite corners of their box, six centres.
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0, 0.5, size=(50, 2)), rng.normal(10, 0.5, size=(50, 2))])
    empty = {}
    for init in ("uniform", "random"):
        first = [assign(X, initial_centers(X, 6, init, random_state=s)) for s in range(100)]
        empty[init] = np.mean([len(np.unique(z)) < 6 for z in first])
    assert empty["random"] == 0
    assert empty["uniform"] > 0.9


# (c) laws

points = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@pytest.mark.equation("kmeans-monotone", "kmeans-reseed", "kmeans-update")
@settings(max_examples=150, deadline=None)
@given(rng=points, n=st.integers(1, 40), k=st.integers(1, 6), d=st.integers(1, 3), grid=st.booleans())
def test_objective_never_rises_and_centres_are_means(rng, n, k, d, grid):
    X = rng.integers(0, 6, size=(n, d)).astype(float) if grid else rng.normal(size=(n, d))
    k = min(k, len(np.unique(X, axis=0)))
    centers = rng.uniform(-20, 20, size=(k, d))  # far away: clusters start empty
    before = inertia(X, assign(X, centers), centers)
    run = lloyd(X, centers)
    scale = 1 + total(X)
    assert run.converged
    assert (np.diff([before, *run.objective]) <= 1e-12 * (scale + before)).all()
    assert len(np.unique(run.labels)) == k
    assert_allclose(run.centers, update_centers(X, run.labels, k), rtol=0, atol=1e-12 * scale)
    assert_allclose(run.objective[-1], run.inertia, rtol=0, atol=1e-12 * scale)
    assert_allclose(run.inertia, distances(X, run.centers).min(axis=1).sum(), rtol=0, atol=1e-12 * scale)


@pytest.mark.equation("kmeans-reseed")
@settings(max_examples=100, deadline=None)
@given(rng=points, n=st.integers(2, 20), k=st.integers(2, 6))
def test_reseeding_fills_every_cluster_and_lowers_the_objective(rng, n, k):
    X = rng.integers(0, 5, size=(n, 1)).astype(float)
    k = min(k, len(np.unique(X)))
    centers = rng.integers(-9, 9, size=(k, 1)).astype(float)
    labels = assign(X, centers)
    new = reseed_empty(X, labels, centers)
    assert len(np.unique(new)) == k
    moved = np.flatnonzero(new != labels)
    assert len(moved) == k - len(np.unique(labels))
    placed = centers.copy()
    placed[new[moved]] = X[moved]  # each empty cluster's centre moves to its new point
    J, J_new = inertia(X, labels, centers), inertia(X, new, placed)
    assert J_new < J if len(moved) else J_new == J
    if len(moved) == 1:  # the farthest of those who may leave
        sizes = np.bincount(labels, minlength=k)
        far = ((X - centers[labels]) ** 2).sum(axis=1)
        assert far[moved[0]] == far[sizes[labels] > 1].max()


@pytest.mark.equation("kmeans-steiner", "kmeans-decomposition")
@settings(max_examples=60, deadline=None)
@given(rng=points, n=st.integers(3, 30), d=st.integers(1, 4))
def test_steiner_and_the_decomposition_of_the_total(rng, n, d):
    X, c = rng.normal(size=(n, d)), rng.normal(size=(1, d))
    m = X.mean(axis=0, keepdims=True)
    zeros = np.zeros(n, int)
    assert_allclose(inertia(X, zeros, c), inertia(X, zeros, m) + n * ((m - c) ** 2).sum(), rtol=1e-10)
    labels = np.concatenate([[0, 1, 2], rng.integers(3, size=n - 3)])
    centers = update_centers(X, labels, 3)
    within = inertia(X, labels, centers)
    between = np.bincount(labels) @ ((centers - m) ** 2).sum(axis=1)
    assert_allclose(total(X), within + between, rtol=1e-10)
    pairs = sum(distances(X[labels == j], X[labels == j]).sum() / (2 * (labels == j).sum()) for j in range(3))
    assert_allclose(within, pairs, rtol=0, atol=1e-10)


@settings(max_examples=60, deadline=None)
@given(rng=points, d=st.integers(1, 4))
def test_moving_turning_scaling_and_reordering_the_data(rng, d):
    X = rng.normal(size=(40, d)) * 3
    start = X[:4]
    run = lloyd(X, start)
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    b, order = rng.normal(size=d) * 5, rng.permutation(40)
    moved = lloyd(2.5 * X @ Q + b, 2.5 * start @ Q + b)
    assert_array_equal(moved.labels, run.labels)
    assert_allclose(moved.centers, 2.5 * run.centers @ Q + b, rtol=0, atol=1e-10)
    assert_allclose(moved.inertia, 2.5**2 * run.inertia, rtol=1e-10)
    mixed = lloyd(X[order], start)
    assert_array_equal(mixed.labels, run.labels[order])
    assert_allclose(mixed.centers, run.centers, rtol=0, atol=1e-10)
    swapped = lloyd(X, start[::-1])
    assert_array_equal(swapped.labels, 3 - run.labels)
    assert_allclose(silhouette_samples(2.5 * X @ Q + b, run.labels), silhouette_samples(X, run.labels), atol=1e-7)


@pytest.mark.equation("kmeans-assign")
@settings(max_examples=80, deadline=None)
@given(rng=points, shift=st.sampled_from([0, 3, -1000, 12345]))
def test_ties_go_to_the_lowest_index(rng, shift):
    X = rng.integers(-4, 5, size=(50, 2)).astype(float) + shift
    centers = rng.integers(-4, 5, size=(6, 2)).astype(float) + shift  # integers: many exact ties, equal centres too
    assert_array_equal(assign(X, centers), distances(X, centers).argmin(axis=1))


@pytest.mark.equation("kmeans-assign")
@pytest.mark.parametrize("seed", range(5))
def test_ties_within_rounding_error_are_decided_by_the_differences(seed):
    # c = p - v and p + v are equally far from p, but |c|^2 - 2 c'p rounds differently for the two
    rng = np.random.default_rng(seed)
    X = rng.integers(-50, 50, size=(400, 3)) / 8.0
    for p in X[:20]:
        v = rng.integers(1, 2**20, size=3) / 2.0**40
        assert assign(X, [p - v, p + v])[(p == X).all(axis=1)].max() == 0
        assert assign(X, [p + v, p - v])[(p == X).all(axis=1)].max() == 0


def test_more_clusters_never_cost_more_and_k_equal_n_costs_nothing():
    X = blobs(1, 12, 3, 2)
    best = [KMeans(k, n_init=30, tol=0, random_state=0).fit(X).inertia_ for k in range(1, 13)]
    assert_allclose(best[0], total(X), rtol=1e-12)
    assert (np.diff(best) <= 0).all()
    assert best[-1] == 0


def test_one_more_start_never_hurts_and_the_first_of_equal_runs_is_kept():
    X = blobs(2, 100, 6, 2, spread=2.0)
    one = [KMeans(6, init="random", n_init=1, tol=0, random_state=4).fit(X).inertia_]
    one += [KMeans(6, init="random", n_init=m, tol=0, random_state=4).fit(X).inertia_ for m in (2, 5, 20)]
    assert (np.diff(one) <= 0).all()
    assert one[-1] < one[0]
    X = np.array([[0.0], [1.0], [9.0], [10.0]])  # every start ends in the same minimum, numbered one way or the other
    firsts = [KMeans(2, init="random", n_init=1, random_state=s).fit(X).cluster_centers_ for s in range(8)]
    assert {c[0, 0] for c in firsts} == {0.5, 9.5}
    for s, first in enumerate(firsts):
        assert_array_equal(KMeans(2, init="random", n_init=9, random_state=s).fit(X).cluster_centers_, first)


def test_automatic_number_of_starts(monkeypatch):
    X, calls = blobs(0), []

    def recorded(*args, **kwargs):
        calls.append(1)
        return lloyd(*args, **kwargs)

    monkeypatch.setattr("notes_lib.clustering.kmeans.model.lloyd", recorded)
    expected = [("k-means++", "auto", 1), (X[:3], "auto", 1), ("random", "auto", 10), ("random_partition", "auto", 10)]
    expected += [("uniform", "auto", 10), (lambda X, k, rng: X[:k], "auto", 10), ("random", 3, 3), ("k-means++", 2, 2)]
    for init, n_init, runs in expected:
        calls.clear()
        KMeans(3, init=init, n_init=n_init, random_state=0).fit(X)
        assert len(calls) == runs
    calls.clear()
    with pytest.warns(RuntimeWarning, match="init is an array, so all of n_init=5 runs"):
        KMeans(3, init=X[:3], n_init=5).fit(X)
    assert len(calls) == 1


def test_callable_initialisation_gets_a_generator():
    X = blobs(0)
    seen = []

    def init(X, k, rng):
        seen.append(rng)
        return X[rng.permutation(len(X))[:k]]

    KMeans(3, init=init, n_init=2, random_state=0).fit(X)
    assert len(seen) == 2
    assert all(isinstance(rng, np.random.Generator) for rng in seen)


@pytest.mark.equation("kmeans-dsquared")
def test_sample_index_inverts_the_cumulative_sum():
    p = np.array([0.0, 0.25, 0.0, 0.5, 0.25, 0.0])
    below_one = np.nextafter(1, 0)
    assert [sample_index(p, u) for u in (0.0, 0.24, 0.25, 0.74, 0.75, below_one)] == [1, 1, 3, 3, 4, 4]
    assert sample_index([1.0, 3.0], 0.2) == 0
    assert sample_index([1 / 3] * 3 + [0.0], below_one) == 2
    assert sample_index([0.0, 5e-324, 0.0], below_one) == 1  # the product rounds up to the whole sum


def ends(X, n_clusters, random_state):
    """A start that repeated rows do not change: from the first to the last row in the order of the first column."""
    return X[np.argsort(X[:, 0])[np.linspace(0, len(X) - 1, n_clusters).astype(int)]]


# From a drawn start, repeated rows and weighted ones lead to other random numbers: the check that they give the same
# clusters holds from a fixed start only. Scikit-learn excuses its own KMeans from it.
DRAWN = "check_sample_weight_equivalence_on_dense_data"


@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        (estimator, check)
        for init in ("k-means++", ends)
        for estimator, check in estimator_checks_generator(KMeans(2, init=init))
        if init is ends or getattr(check, "func", check).__name__ != DRAWN
    ],
    ids=lambda v: getattr(v, "func", v).__class__,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_pipeline_grid_search_clone_pickle():
    X = blobs(0, 90)
    model = make_pipeline(StandardScaler(), KMeans(3, random_state=0)).fit(X)
    assert model.predict(X).shape == (90,)
    search = GridSearchCV(KMeans(random_state=0), {"n_clusters": [1, 2, 3]}, cv=3).fit(X)
    assert search.best_params_["n_clusters"] == 3
    fitted = KMeans(3, random_state=0).fit(X)
    again = clone(fitted).fit(X)
    assert_array_equal(again.labels_, fitted.labels_)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.labels_)
    assert isinstance(fitted.inertia_, float)
    assert isinstance(fitted.n_iter_, int)
    assert len(fitted.objective_) == fitted.n_iter_
    assert fitted.n_features_in_ == 2
    assert_array_equal(fitted.fit_predict(X), again.labels_)
    assert list(fitted.get_feature_names_out()) == ["kmeans0", "kmeans1", "kmeans2"]


# (d) extremes


@pytest.mark.equation("kmeans-product")
@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9])
def test_data_far_from_the_origin_lose_no_digits(offset):
    X = np.round(blobs(0, 300, 4, 3, spread=2.0) * 2**10) / 2**10  # so that the shifted copy is exact
    near, far = lloyd(X, X[:4]), lloyd(X + offset, X[:4] + offset)
    assert_array_equal(near.labels, far.labels)
    assert_allclose(far.inertia, near.inertia, rtol=1e-12)
    assert_allclose(far.objective, near.objective, rtol=1e-12)
    assert_allclose(far.centers - offset, near.centers, rtol=0, atol=4 * np.spacing(offset))
    assert_allclose(silhouette_samples(X + offset, near.labels), silhouette_samples(X, near.labels), atol=1e-10)


@pytest.mark.parametrize("scale", [1e-120, 1e-30, 1e30, 1e120])
def test_huge_and_tiny_units(scale):
    X = blobs(0, 100, 3, 2)
    run, scaled = lloyd(X, X[:3]), lloyd(X * scale, X[:3] * scale)
    assert_array_equal(scaled.labels, run.labels)
    assert_allclose(scaled.inertia, run.inertia * scale**2, rtol=1e-10)
    assert_allclose(scaled.centers, run.centers * scale, rtol=1e-9)


def test_one_far_outlier_does_not_spoil_the_other_clusters():
    X = np.vstack([blobs(0, 100, 3, 2), [[1e8, -1e8]]])
    start = X[[0, 1, 2, 100]]
    run = lloyd(X, start)
    labels, centers, _ = plain_lloyd(X, start, run.n_iter)
    assert_array_equal(run.labels, labels)
    assert_allclose(run.centers, centers, rtol=1e-7)


@pytest.mark.parametrize("size", [1, 3, 7, 64])
def test_the_size_of_a_block_changes_nothing(monkeypatch, size):
    X = np.random.default_rng(0).integers(0, 5, size=(50, 2)).astype(float)
    whole = lloyd(X, X[[0, 1, 3]])
    monkeypatch.setattr(numerics, "BLOCK", size)
    parts = lloyd(X, X[[0, 1, 3]])
    assert_array_equal(parts.labels, whole.labels)
    assert_allclose(parts.centers, whole.centers, rtol=1e-12)


@pytest.mark.parametrize("convert", [np.float32, np.asfortranarray, lambda X: np.repeat(X, 2, axis=1)[:, ::2], list])
def test_any_layout_and_float32(convert):
    X = blobs(0, 90, 3, 2).astype(np.float32).astype(float)
    given = convert(X)
    kept = np.array(given, copy=True)
    run = KMeans(3, random_state=0).fit(given)
    assert_array_equal(run.labels_, KMeans(3, random_state=0).fit(X).labels_)
    assert_array_equal(np.array(given), kept)


def test_duplicates_wide_data_constant_column_and_single_points():
    X = np.repeat([[0.0, 7.0], [3.0, 7.0], [9.0, 7.0]], 20, axis=0)
    model = KMeans(3, random_state=0).fit(X)
    assert model.inertia_ == 0
    assert_array_equal(np.sort(model.cluster_centers_[:, 0]), [0, 3, 9])
    assert_array_equal(silhouette_samples(X, model.labels_), np.ones(60))
    indices = kmeans_plusplus(X, 3, random_state=0)[1]
    assert len(np.unique(X[indices], axis=0)) == 3
    copies = silhouette_samples([[0.0], [0.0], [0.0], [0.0], [7.0]], [0, 0, 1, 1, 2])  # a = b = 0 for the copies
    assert_array_equal(copies, np.zeros(5))
    equal = np.full((6, 2), 0.1)
    assert_array_equal(silhouette_samples(equal, [0, 0, 0, 1, 1, 1]), np.zeros(6))
    wide = np.random.default_rng(0).normal(size=(10, 500))
    assert KMeans(10, random_state=0).fit(wide).inertia_ == 0
    single = KMeans(1).fit([[0.1, 0.2]])
    assert_allclose(single.cluster_centers_, [[0.1, 0.2]], rtol=1e-15)


def test_many_equal_points_with_few_distinct_ones():
    X = np.zeros((5000, 1))
    X[-2:] = [[1.0], [2.0]]  # the three distinct values show only at the end
    assert KMeans(3, random_state=0).fit(X).inertia_ == 0


def test_reseeding_is_recorded():
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    model = KMeans(2, init=[[5.0], [500.0]], tol=0).fit(X)
    assert model.n_reseeded_ == 1
    assert model.inertia_ == 1.0
    assert KMeans(2, init=[[0.0], [10.0]]).fit(X).n_reseeded_ == 0


@pytest.mark.equation("kmeans-reseed")
@pytest.mark.parametrize("seed", range(5))
def test_lloyd_reseeds_by_the_distance_to_the_centres_of_the_iteration(seed):
    rng = np.random.default_rng(seed)
    X, centers = rng.normal(size=(30, 2)) + 3, rng.normal(size=(4, 2)) * 3 + 3
    centers[2:] += 500
    labels = reseed_empty(X, assign(X, centers), centers)
    expected = update_centers(X, labels, 4)
    first = lloyd(X, centers, max_iter=1)
    assert first.n_reseeded == 2
    assert_allclose(first.centers, expected, rtol=1e-12)
    assert_allclose(first.objective, [inertia(X, labels, expected)], rtol=1e-10)


# (e) errors

X4 = [[0.0, 0.0], [0.0, 1.0], [4.0, 0.0], [4.0, 1.0]]


def test_stopping_early_warns_and_names_the_parameter():
    X = blobs(0, 300, 6, 2, spread=5.0)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=2 iterations; raise max_iter or tol"):
        KMeans(6, init=X[:6], max_iter=2, tol=0).fit(X)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_clusters": 5}, ValueError, "n_samples=4 should be >= n_clusters=5"),
        ({"n_clusters": 0}, ValueError, "n_clusters must be at least 1, got 0"),
        ({"n_clusters": 2.0}, TypeError, "n_clusters must be an integer, got 2.0 of type float"),
        ({"n_clusters": True}, TypeError, "n_clusters must be an integer, got True"),
        ({"n_clusters": "2"}, TypeError, "n_clusters must be an integer, got '2' of type str"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1, got 0"),
        ({"max_iter": 1.5}, TypeError, "max_iter must be an integer"),
        ({"n_init": 0}, ValueError, "n_init must be at least 1, got 0"),
        ({"n_init": "many"}, ValueError, "n_init must be 'auto' or an integer of at least 1, got 'many'"),
        ({"n_init": 2.5}, TypeError, "n_init must be an integer"),
        ({"tol": -1e-3}, ValueError, "tol must be finite and at least 0, got -0.001"),
        ({"tol": np.nan}, ValueError, "tol must be finite and at least 0"),
        ({"tol": "small"}, TypeError, "tol must be a number, got 'small' of type str"),
        ({"init": "kmeans"}, ValueError, r"init must be one of k-means\+\+, random, .* got 'kmeans'"),
        ({"init": [[0.0, 0.0]]}, ValueError, r"init must give centres of shape .* = \(2, 2\), got \(1, 2\)"),
        ({"init": [[0.0, np.nan], [1.0, 1.0]]}, ValueError, "Input init contains NaN"),
        ({"init": lambda X, k, rng: X[:1]}, ValueError, r"init must give centres of shape"),
        ({"random_state": "seed"}, TypeError, "random_state must be an int"),
    ],
)
def test_bad_parameters(parameters, error, message):
    with pytest.raises(error, match=message):
        KMeans(**{"n_clusters": 2, **parameters}).fit(X4)


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        ([[0.0], [np.nan], [1.0]], ValueError, "Input X contains NaN"),
        ([[0.0], [np.inf], [1.0]], ValueError, "Input X contains infinity"),
        (np.empty((0, 2)), ValueError, "0 sample"),
        ([1.0, 2.0, 3.0], ValueError, "Expected 2D array, got 1D array"),
        ([[1.0], [1.0], [2.0], [2.0]], ValueError, "X has only 2 distinct points, fewer than n_clusters=3"),
        ([["1"], ["2"], ["3"]], TypeError, "X holds text"),
        (np.array([["1"], [2], [3]], dtype=object), TypeError, "X holds text"),
        ([[1e200], [1.0], [0.0]], ValueError, r"X has entries so large that squared distances overflow"),
        ([[-1e200], [1.0], [0.0]], ValueError, "squared distances overflow"),
        ([[1e-200], [2e-200], [3e-200]], ValueError, "squares of differences underflow"),
    ],
)
def test_bad_data(X, error, message):
    with pytest.raises(error, match=message):
        KMeans(3, random_state=0).fit(X)


def test_bad_weights():
    X = blobs(0, 20)
    for wrong, message in (
        (-np.ones(20), "sample_weight must not be negative"),
        (np.zeros(20), "sample_weight is zero for every row"),
        (np.ones(19), "sample_weight must be a vector of shape"),
        (np.arange(20) > 17, "n_samples=2 should be >= n_clusters=3"),
    ):
        with pytest.raises(ValueError, match=message):
            KMeans(3).fit(X, sample_weight=wrong)
    with pytest.raises(ValueError, match="sample_weight must be positive: leave out the rows"):
        lloyd(X, X[:2], sample_weight=np.arange(20))
    with pytest.raises(ValueError, match="clusters \\[1\\] empty"):
        update_centers(X, np.eye(20, dtype=int)[3], 2, np.arange(20) != 3)


def test_bad_new_data():
    model = KMeans(2, random_state=0).fit(X4)
    for method in (model.predict, model.transform, model.score):
        with pytest.raises(ValueError, match="X has 3 features, but KMeans is expecting 2 features"):
            method([[0.0, 0.0, 0.0]])
        with pytest.raises(TypeError, match="X holds text"):
            method([["0", "0"]])
        with pytest.raises(ValueError, match="Input X contains NaN"):
            method([[0.0, np.nan]])


def test_bad_arguments_of_the_step_functions():
    with pytest.raises(ValueError, match=r"same number of columns, got \(4, 2\) and \(1, 1\)"):
        assign(X4, [[0.0]])
    with pytest.raises(ValueError, match="centers: Expected 2D array, got scalar array"):
        assign(X4, None)
    with pytest.raises(ValueError, match="init: Expected 2D array, got 1D array"):
        initial_centers(X4, 2, [0.0, 1.0])
    with pytest.raises(ValueError, match=r"^Input centers contains NaN"):
        assign(X4, [[0.0, np.nan]])
    with pytest.raises(ValueError, match="labels must be 4 integers"):
        inertia(X4, [0, 1], [[0.0, 0.0]])
    with pytest.raises(ValueError, match="labels must be 4 integers"):
        inertia(X4, [0.0, 0.0, 0.0, 0.0], [[0.0, 0.0]])
    with pytest.raises(ValueError, match=r"labels must lie in 0..0, got 0..1"):
        inertia(X4, [0, 0, 0, 1], [[0.0, 0.0]])
    with pytest.raises(ValueError, match=r"labels must lie in 0..1, got -1..1"):
        update_centers(X4, [0, 0, -1, 1], 2)
    with pytest.raises(ValueError, match=r"clusters \[1\] empty, and their mean is 0/0"):
        update_centers(X4, [0, 0, 2, 2], 3)
    with pytest.raises(ValueError, match="n_clusters must be at least 1, got 0"):
        update_centers(X4, [0, 0, 0, 0], 0)
    with pytest.raises(TypeError, match=r"n_clusters must be an integer, got 2\.0 of type float"):
        update_centers(X4, [0, 0, 1, 1], 2.0)
    with pytest.raises(ValueError, match="n_samples=1 should be >= n_clusters=2"):
        reseed_empty([[0.0]], [0], [[0.0], [1.0]])
    with pytest.raises(ValueError, match=r"centers has entries so large that squared distances overflow"):
        lloyd(X4, [[0.0, 0.0], [1e200, 0.0]])
    with pytest.raises(ValueError, match="squares underflow"):
        lloyd([[1e-200], [2e-200]], [[0.0], [1.0]])
    with pytest.raises(ValueError, match="has only 1 distinct points, fewer than n_clusters=2"):
        lloyd([[1.0], [1.0]], [[0.0], [1.0]])
    with pytest.raises(ValueError, match="max_iter must be at least 1, got 0"):
        lloyd(X4, X4[:2], max_iter=0)
    with pytest.raises(ValueError, match="tol must be finite and at least 0"):
        lloyd(X4, X4[:2], tol=-1.0)
    with pytest.raises(ValueError, match="n_samples=4 should be >= n_clusters=5"):
        kmeans_plusplus(X4, 5)
    with pytest.raises(TypeError, match="n_clusters must be an integer"):
        kmeans_plusplus(X4, 2.0)
    with pytest.raises(ValueError, match="fewer distinct points than n_clusters"):
        kmeans_plusplus([[1.0], [1.0]], 2, random_state=0)
    with pytest.raises(ValueError, match="fewer distinct points than n_clusters"):
        dsquared_probabilities([[1.0], [1.0]], [[1.0]])
    with pytest.raises(ValueError, match="n_samples=4 should be >= n_clusters=5"):
        initial_centers(X4, 5, "uniform")
    for u in (-0.1, 1.0):
        with pytest.raises(ValueError, match=r"u must lie in \[0, 1\)"):
            sample_index([1.0], u)
    for p in ([-1.0, 2.0], [0.0, 0.0], [[1.0]], [np.nan]):
        with pytest.raises(ValueError, match="p must be a vector of non-negative numbers"):
            sample_index(p, 0.5)
    for labels, k in (([0, 0, 0, 0], 1), ([0, 1, 2, 3], 4)):
        with pytest.raises(ValueError, match=f"labels must name 2 to n - 1 = 3 clusters for a silhouette, got {k}"):
            silhouette_samples(X4, labels)
    with pytest.raises(ValueError, match=r"labels must have shape \(4,\), one for each row of X, got \(2,\)"):
        silhouette_samples(X4, [0, 1])


def dissimilarities(seed, n, whole=True):
    """A table that is no metric: symmetric numbers with zeros on the diagonal, many of them equal if ``whole``."""
    rng = np.random.default_rng(seed)
    A = rng.integers(1, 7, size=(n, n)).astype(float) if whole else rng.random((n, n))
    A = np.triu(A, 1)
    return A + A.T


def plain_k_medoids(D, medoids):
    """The iteration word for word, in Python's own numbers and loops; costs after each assignment."""
    n, medoids, costs = len(D), list(medoids), []
    while True:
        clusters = [[] for _ in medoids]
        for i in range(n):
            own = medoids.index(i) if i in medoids else min(range(len(medoids)), key=lambda j: (D[i][medoids[j]], j))
            clusters[own].append(i)
        costs.append(sum(D[i][m] for m, members in zip(medoids, clusters, strict=True) for i in members))
        new = []
        for m, members in zip(medoids, clusters, strict=True):
            total = {i: sum(D[i][j] for j in members) for i in members}
            best = min(total.values())
            new.append(m if total[m] == best else next(i for i in members if total[i] == best))
        if new == medoids:
            return medoids, clusters, costs
        medoids = new


@pytest.mark.equation("kmeans-medoid-objective", "kmeans-medoid-update")
@pytest.mark.parametrize("seed", range(40))
def test_k_medoids_is_the_iteration_word_for_word(seed):
    n, k = 5 + seed % 8, 1 + seed % 4
    D = dissimilarities(seed, n)
    start = np.random.default_rng(seed).permutation(n)[:k]
    medoids, clusters, costs = plain_k_medoids(D.tolist(), start.tolist())
    run = k_medoids(D, start)
    assert run.medoids.tolist() == medoids
    assert [np.flatnonzero(run.labels == j).tolist() for j in range(k)] == clusters
    assert run.objective.tolist() == costs
    assert (run.cost, run.n_iter, run.converged) == (costs[-1], len(costs), True)
    assert (np.diff(run.objective) < 0).all()


@pytest.mark.equation("kmeans-medoid-objective")
@pytest.mark.parametrize("seed", range(6))
def test_k_medoids_from_every_start_finds_the_smallest_cost_and_stops_above_it_too(seed):
    D = dissimilarities(seed, 8, whole=False)
    cost = {m: D[:, m].min(axis=1).sum() for m in itertools.combinations(range(8), 3)}
    found = [k_medoids(D, m).cost for m in cost]
    assert min(found) == pytest.approx(min(cost.values()), rel=1e-14)
    assert max(found) > min(found) * 1.01
    for m in cost:
        run = k_medoids(D, m)
        assert run.cost == pytest.approx(cost[tuple(sorted(run.medoids.tolist()))], rel=1e-14)


def test_k_medoids_on_a_line_is_the_median_of_each_cluster():
    x = np.array([0.0, 1.0, 5.0, 20.0, 22.0, 29.0, 90.0])
    run = k_medoids(np.abs(x[:, None] - x), [0, 6])
    for j, m in enumerate(run.medoids):
        assert np.abs(x[run.labels == j] - x[m]).sum() == pytest.approx(
            np.abs(x[run.labels == j] - np.median(x[run.labels == j])).sum()
        )


def test_ties_of_k_medoids():
    D = np.abs(np.subtract.outer([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]))
    assert assign_to_medoids(D, [0, 2]).tolist() == [0, 0, 1]  # the middle point is as near to both
    assert assign_to_medoids(D, [2, 0]).tolist() == [1, 0, 0]
    pair = np.array([[0.0, 3.0], [3.0, 0.0]])
    assert update_medoids(pair, [0, 0], [1]).tolist() == [1]  # as good as the other: it stays
    copies = np.zeros((3, 3))
    assert assign_to_medoids(copies, [2, 0]).tolist() == [1, 0, 0]  # a medoid stays in its own cluster
    ring = np.array([[0.0, 5, 5, 5], [5, 0, 1, 2], [5, 1, 0, 2], [5, 2, 2, 0]])
    assert update_medoids(ring, [0, 0, 0, 0], [0]).tolist() == [1]  # two best members: the first one


def test_k_medoids_stopped_early_warns_and_keeps_labels_and_medoids_together():
    D = np.abs(np.subtract.outer(np.arange(9.0), np.arange(9.0)))
    full = k_medoids(D, [0, 1])
    assert full.n_iter > 2
    with pytest.warns(ConvergenceWarning, match="max_iter=1; raise it"):
        run = k_medoids(D, [0, 1], max_iter=1)
    assert not run.converged
    assert_array_equal(run.labels, assign_to_medoids(D, run.medoids))
    assert run.cost == D[:, run.medoids].min(axis=1).sum()
    assert len(run.objective) == 1


def test_bad_arguments_of_k_medoids():
    D = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    for bad in (D + np.diag([1.0, 0, 0, 0]), -D, np.empty((0, 0))):
        with pytest.raises(ValueError, match="D must hold dissimilarities"):
            k_medoids(bad, [0])
    with pytest.raises(ValueError, match="D must be symmetric"):
        k_medoids(np.triu(D), [0])
    for bad in ([0, 0], [4], [-1], []):
        with pytest.raises(ValueError, match="medoids must hold"):
            k_medoids(D, bad)
    with pytest.raises(ValueError, match="max_iter"):
        k_medoids(D, [0], max_iter=0)
    with pytest.raises(ValueError, match="labels must put each medoid into its own cluster"):
        update_medoids(D, [0, 0, 1, 1], [0, 1])
    with pytest.raises(ValueError, match="labels must lie in"):
        update_medoids(D, [0, 0, 2, 1], [0, 3])

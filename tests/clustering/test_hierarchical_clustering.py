"""Hierarchical clustering against published examples, its peers and definitions; laws; extreme and bad input."""

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
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist, squareform
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.clustering.hierarchical_clustering import (
    METHODS,
    AgglomerativeClustering,
    DivisiveClustering,
    best_bipartition,
    bipartitions,
    bisect,
    cophenet,
    cut_by_height,
    cut_by_number,
    lance_williams,
    lance_williams_coefficients,
    leaf_order,
    linkage,
    linkage_distance,
    minimum_spanning_tree,
    plain_linkage,
    ward_increase,
)
from notes_lib.clustering.kmeans import KMeans
from notes_lib.datasets import load_iris

MONOTONE = ("single", "complete", "average", "weighted", "ward")
BY_MEMBERS = ("single", "complete", "average", "centroid", "ward")
# Bari, Florence, Milan, Naples, Rome, Turin: kilometres, from M. Matteucci's tutorial on clustering
CITIES = np.array([
    [0, 662, 877, 255, 412, 996], [662, 0, 295, 468, 268, 400], [877, 295, 0, 754, 564, 138],
    [255, 468, 754, 0, 219, 869], [412, 268, 564, 219, 0, 669], [996, 400, 138, 869, 669, 0],
])  # fmt: skip
# Johnson and Wichern, Applied Multivariate Statistical Analysis, examples 12.3 and 12.5
HYPOTHETICAL = np.array([
    [0, 9, 3, 6, 11], [9, 0, 7, 5, 10], [3, 7, 0, 9, 2], [6, 5, 9, 0, 8], [11, 10, 2, 8, 0],
])  # fmt: skip


def points(seed, n=None, d=2, whole=False):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 30)) if n is None else n
    return rng.integers(0, 6, size=(n, d)).astype(float) if whole else rng.normal(size=(n, d))


def members(Z):
    """The observations of every cluster of a tree."""
    n = len(Z) + 1
    found = [{i} for i in range(n)]
    for a, b in Z[:, :2].astype(int):
        found.append(found[a] | found[b])
    return found


def same_partition(a, b):
    return sklearn.metrics.adjusted_rand_score(a, b) == 1.0


def total(X):
    X = np.asarray(X, float)
    return ((X - X.mean(axis=0)) ** 2).sum()


# (a) golden


@pytest.mark.equation(
    "hierarchical-clustering-single", "hierarchical-clustering-complete", "hierarchical-clustering-average"
)
@pytest.mark.parametrize(
    ("method", "heights"),
    [
        ("single", [138, 219, 255, 268, 295]),
        ("complete", [138, 219, 400, 412, 996]),
        ("average", [138, 219, 333.5, 347.5, 680.7777778]),
    ],
)
@pytest.mark.parametrize("function", [linkage, plain_linkage])
def test_italian_cities(function, method, heights):
    Z = function(squareform(CITIES), method)
    assert_allclose(Z[:, 2], heights, rtol=1e-8)
    clusters = {
        "single": [{2, 5}, {3, 4}, {0, 3, 4}, {0, 1, 3, 4}, set(range(6))],
        "complete": [{2, 5}, {3, 4}, {1, 2, 5}, {0, 3, 4}, set(range(6))],
        "average": [{2, 5}, {3, 4}, {0, 3, 4}, {1, 2, 5}, set(range(6))],
    }
    assert members(Z)[6:] == clusters[method]


@pytest.mark.parametrize(
    ("method", "heights", "clusters"),
    [
        ("single", [2, 3, 5, 6], [{2, 4}, {0, 2, 4}, {1, 3}, {0, 1, 2, 3, 4}]),
        ("complete", [2, 5, 9, 11], [{2, 4}, {1, 3}, {0, 1, 3}, {0, 1, 2, 3, 4}]),
    ],
)
def test_johnson_and_wichern(method, heights, clusters):
    Z = linkage(squareform(HYPOTHETICAL), method)
    assert_allclose(Z[:, 2], heights, rtol=1e-12)
    assert members(Z)[5:] == clusters


# (b) oracles


@pytest.mark.equation("hierarchical-clustering-lance-williams", "hierarchical-clustering-mst")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("whole", [False, True])
def test_linkage_is_scipys_row_for_row(method, whole):
    for seed in range(40):
        X = points(seed, d=seed % 4 + 1, whole=whole)
        Z = linkage(X, method)
        assert_array_equal(Z, hierarchy.linkage(X, method))
        assert_array_equal(linkage(pdist(X), method), Z)


@pytest.mark.parametrize("method", METHODS)
def test_linkage_of_many_observations(method):
    for X in (load_iris().X, points(1, 400, 6)):
        assert_array_equal(linkage(X, method), hierarchy.linkage(X, method))


@pytest.mark.parametrize("metric", ["cityblock", "manhattan"])
def test_other_distances(metric):
    X = points(3, 40, 3)
    for method in ("single", "complete", "average", "weighted"):
        assert_array_equal(linkage(X, method, metric), hierarchy.linkage(X, method, "cityblock"))


@pytest.mark.parametrize("method", METHODS)
def test_the_fast_form_is_the_plain_one(method):
    for seed in range(8):
        X = points(seed, 25, 2)
        assert_allclose(linkage(X, method), plain_linkage(X, method), rtol=1e-10)
        assert_allclose(plain_linkage(pdist(X), method), plain_linkage(X, method), rtol=1e-10)


@pytest.mark.equation(
    "hierarchical-clustering-lw-single", "hierarchical-clustering-lw-complete", "hierarchical-clustering-lw-average",
    "hierarchical-clustering-lw-centroid", "hierarchical-clustering-lw-ward", "hierarchical-clustering-lance-williams",
)  # fmt: skip
@pytest.mark.parametrize("method", BY_MEMBERS)
def test_the_formula_is_the_definition(method):
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(15, 3))
        sizes = rng.integers(1, 6, size=3)
        A, B, C = np.split(rng.permutation(15)[: sizes.sum()], np.cumsum(sizes)[:2])
        between = lambda P, Q, X=X: linkage_distance(X, P, Q, method)
        found = lance_williams(method, between(A, C), between(B, C), between(A, B), *sizes)
        assert found == pytest.approx(between(np.concatenate([A, B]), C), rel=1e-10)


@pytest.mark.equation("hierarchical-clustering-centroid", "hierarchical-clustering-ward-height")
def test_distances_of_clusters_by_loops():
    X = points(5, 9, 3)
    A, B = [0, 3, 4], [1, 8]
    every = [np.linalg.norm(X[i] - X[j]) for i in A for j in B]
    assert linkage_distance(X, A, B, "single") == pytest.approx(min(every))
    assert linkage_distance(X, A, B, "complete") == pytest.approx(max(every))
    assert linkage_distance(X, A, B, "average") == pytest.approx(sum(every) / 6)
    assert linkage_distance(X, A, B, "centroid") == pytest.approx(np.linalg.norm(X[A].mean(0) - X[B].mean(0)))
    grown = total(X[A + B]) - total(X[A]) - total(X[B])
    assert linkage_distance(X, A, B, "ward") == pytest.approx(np.sqrt(2 * grown))


@pytest.mark.equation("hierarchical-clustering-ward-increase")
def test_ward_increase_is_the_growth_of_the_sum_of_squares():
    for seed in range(10):
        X = points(seed, 11, 3)
        A, B = X[:4], X[4:]
        grown = total(X) - total(A) - total(B)
        assert ward_increase(4, 7, np.linalg.norm(A.mean(0) - B.mean(0))) == pytest.approx(grown, rel=1e-10)


def test_coefficients_of_the_literature():
    # Everitt, Landau, Leese and Stahl, Cluster Analysis, table 4.1, for sizes 2, 3 and 5
    table = {
        "single": (1 / 2, 1 / 2, 0, -1 / 2), "complete": (1 / 2, 1 / 2, 0, 1 / 2), "average": (2 / 5, 3 / 5, 0, 0),
        "centroid": (2 / 5, 3 / 5, -6 / 25, 0), "median": (1 / 2, 1 / 2, -1 / 4, 0), "weighted": (1 / 2, 1 / 2, 0, 0),
        "ward": (7 / 10, 8 / 10, -5 / 10, 0),
    }  # fmt: skip
    assert set(table) == set(METHODS)
    for method, row in table.items():
        assert_allclose(lance_williams_coefficients(method, 2, 3, 5), row, rtol=1e-12)


@pytest.mark.equation("hierarchical-clustering-cophenetic", "hierarchical-clustering-correlation")
@pytest.mark.parametrize("method", METHODS)
def test_cophenet_is_scipys(method):
    for seed in range(10):
        X = points(seed, 3 + seed)
        Z, Y = linkage(X, method), pdist(X)
        c, d = cophenet(Z, Y)
        c0, d0 = hierarchy.cophenet(Z, Y)
        assert_array_equal(d, d0)
        assert_array_equal(cophenet(Z), d0)
        assert c == pytest.approx(c0, rel=1e-12)
        assert c == pytest.approx(np.corrcoef(Y, d)[0, 1], rel=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_leaf_order_is_scipys(method):
    for seed in range(10):
        Z = linkage(points(seed), method)
        assert_array_equal(leaf_order(Z), hierarchy.leaves_list(Z))


@pytest.mark.parametrize("method", METHODS)
def test_cuts_are_scipys_and_undo_merges(method):
    for seed in range(6):
        X = points(seed)
        Z = linkage(X, method)
        for height in (0.0, *Z[:, 2], 1.01 * Z[:, 2].max()):
            labels = cut_by_height(Z, height)
            assert same_partition(labels, hierarchy.fcluster(Z, height, "distance"))
            assert_array_equal(np.unique(labels), np.arange(labels.max() + 1))
        for k in range(1, len(X) + 1):
            labels = cut_by_number(Z, k)
            sets = members(Z)[: 2 * len(X) - k]  # of the observations and the first n - k merges
            uncovered = [s for s in sets if not any(s < t for t in sets)]
            assert sorted(map(sorted, uncovered)) == sorted(np.flatnonzero(labels == j).tolist() for j in range(k))


def test_labels_count_in_the_order_of_the_rows():
    labels = cut_by_number(linkage(points(4, 30)), 9)
    firsts = [int(np.flatnonzero(labels == k)[0]) for k in range(9)]
    assert firsts == sorted(firsts)


@pytest.mark.equation("hierarchical-clustering-mst")
def test_minimum_spanning_tree_is_the_lightest():
    for seed in range(5):
        D = squareform(pdist(points(seed, 5)))
        pairs = list(itertools.combinations(range(5), 2))
        weights = []
        for chosen in itertools.combinations(pairs, 4):
            reached = {0}
            for _ in range(4):
                reached |= {b for edge in chosen for a, b in (edge, edge[::-1]) if a in reached}
            if len(reached) == 5:
                weights.append(sum(D[e] for e in chosen))
        edges, lengths = minimum_spanning_tree(D)
        assert lengths.sum() == pytest.approx(min(weights))
        assert_allclose(D[tuple(edges.T)], lengths)


@pytest.mark.equation("hierarchical-clustering-bipartitions")
def test_splits_counted_and_tried():
    for n in range(2, 8):
        X = points(n, n)
        labels = [np.array(z) for z in itertools.product([0, 1], repeat=n) if z[0] == 0 and any(z)]
        assert bipartitions(n) == len(labels)
        costs = [total(X[z == 0]) + total(X[z == 1]) for z in labels]
        found = best_bipartition(X)
        assert_array_equal(found.labels, labels[int(np.argmin(costs))])
        assert found.inertia == pytest.approx(min(costs), abs=1e-12)
    assert (bipartitions(1), bipartitions(10), bipartitions(30)) == (0, 511, 536870911)


@pytest.mark.parametrize("method", ["ward", "complete", "average", "single"])
@pytest.mark.parametrize("whole", [False, True])
def test_agglomerative_is_scikit_learns(method, whole):
    for seed in range(20):
        X = points(seed, whole=whole)
        k = seed % len(X) + 1
        ours = AgglomerativeClustering(k, linkage=method).fit(X)
        peer = sklearn.cluster.AgglomerativeClustering(k, linkage=method, compute_distances=True).fit(X)
        assert_allclose(ours.distances_, peer.distances_)
        assert (ours.n_clusters_, ours.n_leaves_) == (peer.n_clusters_, peer.n_leaves_)
        if method == "single":  # scikit-learn does not sort the two children
            assert_array_equal(ours.children_, np.sort(peer.children_, axis=1))
            assert same_partition(ours.labels_, peer.labels_)
        else:
            assert_array_equal(ours.children_, peer.children_)
            assert_array_equal(ours.labels_, peer.labels_)


def test_threshold_is_scikit_learns():
    X = points(2, 30)
    heights = linkage(X, "average")[:, 2]
    for threshold in (0.0, float(heights[12]), 0.8, 99.0):
        settings_ = {"n_clusters": None, "distance_threshold": threshold, "linkage": "average"}
        ours = AgglomerativeClustering(**settings_).fit(X)
        peer = sklearn.cluster.AgglomerativeClustering(**settings_).fit(X)
        assert ours.n_clusters_ == peer.n_clusters_ == len(set(ours.labels_))
        assert_array_equal(ours.labels_, peer.labels_)


def test_precomputed_and_city_block():
    X = points(6, 20, 3)
    D = squareform(pdist(X, "cityblock"))
    given_ = AgglomerativeClustering(4, metric="precomputed", linkage="average").fit(D)
    computed = AgglomerativeClustering(4, metric="manhattan", linkage="average").fit(X)
    assert_array_equal(given_.labels_, computed.labels_)
    assert_array_equal(D, squareform(pdist(X, "cityblock")))  # the table that was given is left alone


# (c) laws

coordinates = st.integers(-50, 50).map(float)
clouds = st.integers(3, 9).flatmap(
    lambda n: st.lists(st.tuples(coordinates, coordinates), min_size=n, max_size=n).map(np.array)
)


@pytest.mark.equation("hierarchical-clustering-monotone")
@settings(max_examples=60, deadline=None)
@given(X=clouds)
def test_heights_never_fall_but_with_centres(X):
    for method in MONOTONE:
        heights = linkage(X, method)[:, 2]
        assert (np.diff(heights) >= -1e-9 * (1 + heights.max())).all()


@pytest.mark.equation("hierarchical-clustering-monotone")
@pytest.mark.parametrize("method", ["centroid", "median"])
def test_heights_fall_in_an_equilateral_triangle(method):
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    first, second = linkage(corners, method)[:, 2]
    assert first == pytest.approx(1)
    assert second == pytest.approx(np.sqrt(0.75))


@pytest.mark.equation("hierarchical-clustering-ward-total")
@settings(max_examples=60, deadline=None)
@given(X=clouds)
def test_ward_heights_add_up_to_the_total_sum_of_squares(X):
    heights = linkage(X, "ward")[:, 2]
    assert (heights**2).sum() / 2 == pytest.approx(total(X), rel=1e-9, abs=1e-9)


@pytest.mark.equation("hierarchical-clustering-ultrametric")
@settings(max_examples=30, deadline=None)
@given(X=clouds)
def test_cophenetic_distances_are_an_ultrametric(X):
    for method in MONOTONE:
        C = squareform(cophenet(linkage(X, method)))
        assert (C[:, :, None] <= np.maximum(C[:, None, :], C.T[None, :, :]) + 1e-9).all()


@pytest.mark.equation("hierarchical-clustering-minimax")
@settings(max_examples=40, deadline=None)
@given(X=clouds)
def test_single_linkage_is_the_smallest_largest_step(X):
    D = squareform(pdist(X))
    steps = D.copy()
    for k in range(len(X)):  # the best way so far, or through k
        steps = np.minimum(steps, np.maximum(steps[:, [k]], steps[[k], :]))
    C = squareform(cophenet(linkage(X, "single")))
    assert_allclose(C, steps, rtol=1e-12)
    assert (C <= D + 1e-12).all()
    _, lengths = minimum_spanning_tree(D)
    assert_allclose(np.sort(lengths), linkage(X, "single")[:, 2], rtol=1e-12)


@pytest.mark.equation("hierarchical-clustering-reducible")
@settings(max_examples=60, deadline=None)
@given(X=clouds, sizes=st.tuples(*3 * [st.integers(1, 9)]))
def test_reducible_linkages_never_come_nearer(X, sizes):
    d = np.sort(pdist(np.vstack([X[:2], [[60.0, 60.0]]])))  # three distances, the smallest is of the pair merged
    for method in MONOTONE:
        assert lance_williams(method, d[1], d[2], d[0], *sizes) >= d[1] - 1e-9 * (1 + d[2])


@settings(max_examples=30, deadline=None)
@given(X=clouds, seed=st.integers(0, 99))
def test_order_of_rows_and_units_do_not_matter(X, seed):
    X = X + np.random.default_rng(seed).normal(size=X.shape)  # no ties
    order = np.random.default_rng(seed).permutation(len(X))
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    for method in METHODS:
        heights = np.sort(linkage(X, method)[:, 2])
        assert_allclose(np.sort(linkage(X[order], method)[:, 2]), heights, rtol=1e-9)
        assert_allclose(np.sort(linkage(3 * X @ turn + 7, method)[:, 2]), 3 * heights, rtol=1e-8, atol=1e-9)
        k = len(X) // 2 + 1
        assert same_partition(cut_by_number(linkage(X, method), k)[order], cut_by_number(linkage(X[order], method), k))


@settings(max_examples=30, deadline=None)
@given(X=clouds)
def test_cuts_are_nested(X):
    Z = linkage(X, "average")
    for k in range(1, len(X)):
        coarse, fine = cut_by_number(Z, k), cut_by_number(Z, k + 1)
        assert len({(a, b) for a, b in zip(coarse, fine, strict=True)}) == k + 1


@pytest.mark.equation("hierarchical-clustering-bisect")
@settings(max_examples=40, deadline=None)
@given(X=clouds)
def test_bisect_splits_well_and_never_better_than_the_best(X):
    if len(np.unique(X, axis=0)) < 2:
        return
    found, best = bisect(X), best_bipartition(X)
    parts = [X[found.labels == k] for k in (0, 1)]
    assert found.labels[0] == 0
    assert all(len(part) for part in parts)
    assert found.inertia == pytest.approx(sum(map(total, parts)), rel=1e-9, abs=1e-9)
    assert best.inertia - 1e-9 <= found.inertia < total(X)
    means = np.array([part.mean(axis=0) for part in parts])  # a fixed point of 2-means
    D = ((X[:, None] - means) ** 2).sum(axis=2)
    assert (D[np.arange(len(X)), found.labels] <= D.min(axis=1) + 1e-9).all()


@pytest.mark.parametrize("strategy", ["biggest_inertia", "largest_cluster"])
def test_divisive_clusters_are_nested(strategy):
    X = points(3, 40, 3)
    model = DivisiveClustering(8, bisecting_strategy=strategy).fit(X)
    assert model.levels_.shape == (8, 40)
    for k in range(1, 9):
        smaller = DivisiveClustering(k, bisecting_strategy=strategy).fit(X)
        assert_array_equal(smaller.labels_, model.levels_[k - 1])
        assert len(set(smaller.labels_)) == k
        within = sum(total(X[smaller.labels_ == j]) for j in range(k))
        assert smaller.inertia_ == pytest.approx(within)
        assert model.objective_[k - 1] == pytest.approx(within)
        assert_allclose(smaller.cluster_centers_, [X[smaller.labels_ == j].mean(axis=0) for j in range(k)])
    for coarse, fine in itertools.pairwise(model.levels_):
        assert_array_equal(coarse, np.where(fine == fine.max(), coarse, fine))
    assert (np.diff(model.objective_) < 0).all()


def test_the_strategies_choose_as_they_are_called():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [20.0], [26.0]])
    spread = DivisiveClustering(3).fit(X)
    crowd = DivisiveClustering(3, bisecting_strategy="largest_cluster").fit(X)
    assert_array_equal(spread.labels_, [0, 0, 0, 0, 1, 2])
    assert_array_equal(crowd.labels_, [0, 0, 2, 2, 1, 1])


def test_one_split_is_two_means():
    X = np.vstack([points(0, 30), points(1, 30) + 5])
    assert DivisiveClustering(2).fit(X).inertia_ == pytest.approx(KMeans(2, random_state=0).fit(X).inertia_)


# (d) extremes


@pytest.mark.parametrize("method", METHODS)
def test_copies_of_one_point(method):
    Z = linkage(np.full((5, 2), 1e8 / 3), method)
    assert_array_equal(Z[:, 2], 0)
    assert_array_equal(Z, hierarchy.linkage(np.full((5, 2), 1e8 / 3), method))


@pytest.mark.parametrize("scale", [1e-140, 1e140])
@pytest.mark.parametrize("method", METHODS)
def test_tiny_and_huge_distances(scale, method):
    X = points(7, 12)
    assert_allclose(linkage(scale * X, method)[:, 2], scale * linkage(X, method)[:, 2], rtol=1e-9)


def test_far_from_the_origin_costs_no_digits():
    X = points(8, 20, whole=True)
    assert_array_equal(linkage(X + 2.0**40, "average"), linkage(X, "average"))


def test_two_observations_and_other_types():
    assert_array_equal(linkage([3.0]), [[0, 1, 3, 2]])
    assert_array_equal(cophenet(linkage([3.0])), [3])
    X = points(9, 10)
    Z = linkage(X, "ward")
    assert_allclose(linkage(X.astype(np.float32), "ward"), Z, rtol=1e-5)
    assert_array_equal(linkage(np.asfortranarray(X), "ward"), Z)
    assert_array_equal(linkage(np.repeat(X, 2, axis=0)[::2], "ward"), Z)
    assert_array_equal(linkage([[1, 2], [3, 4]]), linkage([[1.0, 2.0], [3.0, 4.0]]))


def test_more_columns_than_rows():
    X = points(10, 8, 200)
    assert_array_equal(linkage(X, "average"), hierarchy.linkage(X, "average"))
    assert DivisiveClustering(8).fit(X).inertia_ == pytest.approx(0, abs=1e-9)


def test_input_is_left_alone():
    y = pdist(points(1, 12))
    before = y.copy()
    for method in METHODS:
        linkage(y, method)
    assert_array_equal(y, before)


def test_a_square_that_just_misses_zero_is_zero():
    assert lance_williams("centroid", 1.0, 1.0, 2.0) == 0.0
    assert_allclose(linkage([[0.0], [0.1], [0.2]], "centroid")[:, 2], [0.1, 0.15])


# (e) the contract


@pytest.mark.parametrize("model", [AgglomerativeClustering(), DivisiveClustering(), AgglomerativeClustering(3)])
def test_scikit_learns_checks(model):
    for estimator, check in estimator_checks_generator(model):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(estimator)


def test_clone_pickle_pipeline():
    X = points(0, 30)
    for model in (AgglomerativeClustering(3, linkage="average"), DivisiveClustering(3)):
        again = pickle.loads(pickle.dumps(clone(model).fit(X)))
        assert_array_equal(again.labels_, model.fit(X).labels_)
        assert len(set(make_pipeline(StandardScaler(), model).fit_predict(X))) == 3
    tags = AgglomerativeClustering(metric="precomputed", linkage="single").__sklearn_tags__()
    assert tags.input_tags.pairwise


@pytest.mark.parametrize("function", [linkage, plain_linkage])
@pytest.mark.parametrize(
    ("y", "error", "message"),
    [
        ([], ValueError, r"y must be observations \(n, d\) or n \(n - 1\) / 2 condensed distances, got shape \(0,\)"),
        ([1.0, 2.0], ValueError, r"got shape \(2,\): pass the distances above the diagonal"),
        (5.0, ValueError, r"got shape \(\)"),
        (np.zeros((2, 2, 2)), ValueError, "got shape"),
        ([[1.0, 2.0]], ValueError, "y must hold at least two observations to merge, got 1: give more rows"),
        (np.empty((0, 2)), ValueError, "y must be a matrix with entries"),
        ([[np.nan], [1.0]], ValueError, "y"),
        ([1.0, np.inf, 2.0], ValueError, "y"),
        ([1.0, -2.0, 2.0], ValueError, "y must hold distances, and -2.0 is negative: turn similarities"),
        ([1e200, 1.0, 2.0], ValueError, "y has entries so large that their squares overflow; rescale"),
        ([[1e200], [1.0]], ValueError, "y has entries so large that squared distances overflow; rescale"),
        (["a"], TypeError, "y must hold"),
        ([["a"], ["b"]], TypeError, "y must hold"),
    ],
)
def test_bad_observations_and_distances(function, y, error, message):
    with pytest.raises(error, match=message):
        function(y)


def test_bad_methods():
    X = points(0, 5)
    for call in (
        lambda: linkage(X, "wards"),
        lambda: plain_linkage(X, "wards"),
        lambda: linkage_distance(X, [0], [1], 0),
    ):
        with pytest.raises(ValueError, match="method must be one of"):
            call()
    with pytest.raises(ValueError, match="method must be one of"):
        lance_williams("wards", 1, 1, 1)
    with pytest.raises(ValueError, match="metric must be one of"):
        linkage(X, "single", "cosine")
    with pytest.raises(ValueError, match=r"method='ward' is defined by Euclidean distances, got metric='cityblock'"):
        linkage(X, "ward", "cityblock")
    with pytest.raises(ValueError, match=r"method='median' has no definition by the members.*use lance_williams"):
        linkage_distance(X, [0], [1], "median")
    with pytest.raises(ValueError, match="A and B together"):
        linkage_distance(X, [0], [0, 1], "single")


def test_a_square_table_is_read_as_observations_with_a_warning():
    D = squareform(pdist(points(0, 5)))
    with pytest.warns(UserWarning, match=r"y looks like a square table of distances.*as a vector"):
        Z = linkage(D)
    assert_array_equal(Z[:, 2].shape, (4,))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linkage(squareform(D))


@pytest.mark.parametrize("method", ["centroid", "median", "ward"])
def test_distances_that_no_points_have(method):
    assert_allclose(linkage([1.0, 1.0, 5.0], method), hierarchy.linkage([1.0, 1.0, 5.0], method))
    with pytest.raises(ValueError, match=f"are no Euclidean distances for {method}: the square came out negative"):
        lance_williams(method, 1.0, 1.0, 5.0)


@pytest.mark.parametrize(
    ("Z", "message"),
    [
        ([[0, 1, 1.0]], r"Z must be a linkage matrix of shape \(n - 1, 4\), got \(1, 3\): make it with linkage"),
        (np.empty((0, 4)), "Z must be a linkage matrix"),
        ([[0, 1, np.nan, 2]], "Z"),
        ([[0, 0, 1.0, 2]], "Z must merge each of the clusters 0 to 1 once"),
        ([[0, 3, 1.0, 2], [1, 2, 2.0, 3]], "Z must merge each of the clusters 0 to 3 once, after it was made"),
        ([[0, 1, -1.0, 2]], "at heights >= 0"),
    ],
)
def test_bad_trees(Z, message):
    for function in (cophenet, leaf_order, lambda Z: cut_by_number(Z, 1), lambda Z: cut_by_height(Z, 1.0)):
        with pytest.raises(ValueError, match=message):
            function(Z)


def test_bad_distances_for_cophenet():
    Z = linkage([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="Y must hold the distances of the 3 observations of Z, got those of 4"):
        cophenet(Z, np.ones(6))
    with pytest.raises(ValueError, match="Y must be observations"):
        cophenet(Z, [1.0, 2.0])
    with pytest.raises(ValueError, match="must vary, or they have no correlation"):
        cophenet(Z, [2.0, 2.0, 2.0])
    with pytest.raises(ValueError, match="must vary, or they have no correlation"):
        cophenet(linkage([2.0, 2.0, 2.0]), [1.0, 2.0, 2.0])


def test_bad_cuts():
    Z = linkage([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="n_samples=3 should be >= n_clusters=4: ask for fewer clusters"):
        cut_by_number(Z, 4)
    with pytest.raises(ValueError, match="n_clusters must be at least 1, got 0"):
        cut_by_number(Z, 0)
    with pytest.raises(TypeError, match="n_clusters must be an integer"):
        cut_by_number(Z, 2.0)
    with pytest.raises(ValueError, match="height must be"):
        cut_by_height(Z, -1.0)
    with pytest.raises(TypeError, match="height must be a number"):
        cut_by_height(Z, "1")


def test_bad_sizes_and_numbers():
    with pytest.raises(ValueError, match="n_i must be"):
        ward_increase(0, 1, 1.0)
    with pytest.raises(ValueError, match="distance must be"):
        ward_increase(1, 1, -1.0)
    with pytest.raises(TypeError, match="n_j must be a number"):
        ward_increase(1, "2", 1.0)
    with pytest.raises(ValueError, match="n_k must be"):
        lance_williams_coefficients("ward", 1, 1, 0)
    with pytest.raises(ValueError, match="d_jk must be"):
        lance_williams("average", 1.0, np.nan, 1.0)
    with pytest.raises(ValueError, match="n must be at least 1"):
        bipartitions(0)
    with pytest.raises(TypeError, match="n must be an integer"):
        bipartitions(2.5)


@pytest.mark.parametrize("D", [[[0.0]], [[0, 1], [1, 1]], [[0, -1], [-1, 0]]])
def test_bad_tables(D):
    with pytest.raises(ValueError, match=r"D must hold distances between at least two observations.*not similarities"):
        minimum_spanning_tree(D)
    with pytest.raises(ValueError, match=r"X must hold distances|minimum of 2 is required"):
        AgglomerativeClustering(metric="precomputed", linkage="single").fit(D)


def test_bad_splits():
    with pytest.raises(ValueError, match="X has 17 rows and 65535 splits, too many to try: take bisect"):
        best_bipartition(points(0, 17))
    with pytest.raises(ValueError, match="X holds 3 equal rows, which no rule can split"):
        bisect(np.ones((3, 2)))
    with pytest.raises(ValueError, match="max_iter must be at least 1"):
        bisect(points(0, 5), 0)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 iterations; raise max_iter"):
        bisect(points(1, 60), 1)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_clusters": 0}, ValueError, "n_clusters must be at least 1, got 0"),
        ({"n_clusters": 2.0}, TypeError, "n_clusters must be an integer"),
        ({"n_clusters": 9}, ValueError, "n_samples=6 should be >= n_clusters=9"),
        ({"n_clusters": None}, ValueError, "exactly one of n_clusters and distance_threshold"),
        ({"distance_threshold": 1.0}, ValueError, "exactly one of n_clusters and distance_threshold"),
        ({"n_clusters": None, "distance_threshold": -1.0}, ValueError, "distance_threshold must be"),
        ({"n_clusters": None, "distance_threshold": "1"}, TypeError, "distance_threshold must be a number"),
        ({"linkage": "wards"}, ValueError, "linkage must be one of"),
        ({"metric": "cosine"}, ValueError, "metric must be one of"),
        ({"metric": "cityblock"}, ValueError, "method='ward' is defined by Euclidean distances"),
        ({"metric": "precomputed"}, ValueError, "linkage='ward' needs observations, got metric='precomputed'"),
        ({"metric": "precomputed", "linkage": "single"}, ValueError, "X must be a square matrix"),
    ],
)
def test_bad_parameters_of_agglomerative(parameters, error, message):
    with pytest.raises(error, match=message):
        AgglomerativeClustering(**parameters).fit(points(0, 6))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_clusters": 0}, ValueError, "n_clusters must be at least 1, got 0"),
        ({"n_clusters": "2"}, TypeError, "n_clusters must be an integer"),
        ({"n_clusters": 9}, ValueError, "n_samples=6 should be >= n_clusters=9"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"bisecting_strategy": "widest"}, ValueError, "bisecting_strategy must be one of"),
    ],
)
def test_bad_parameters_of_divisive(parameters, error, message):
    with pytest.raises(error, match=message):
        DivisiveClustering(**parameters).fit(points(0, 6))


def test_more_clusters_than_distinct_rows():
    X = np.repeat([[0.0], [1.0], [5.0]], 2, axis=0)
    assert DivisiveClustering(3).fit(X).inertia_ == 0
    for strategy in ("biggest_inertia", "largest_cluster"):
        with pytest.raises(ValueError, match="X has only 3 distinct rows, fewer than n_clusters=4: ask for fewer"):
            DivisiveClustering(4, bisecting_strategy=strategy).fit(X)


def test_values_that_are_no_numbers():
    for model in (AgglomerativeClustering(), DivisiveClustering()):
        with pytest.raises(ValueError, match="NaN"):
            model.fit([[np.nan], [1.0], [2.0]])
        with pytest.raises(ValueError, match=r"infinity|inf"):
            model.fit([[np.inf], [1.0], [2.0]])

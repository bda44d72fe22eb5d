"""Nearest neighbours against published examples, plain loops, scikit-learn and SciPy, their own laws, and bad input."""

import pickle

import numpy as np
import pytest
import sklearn.neighbors
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.sparse import csr_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import GridSearchCV, LeaveOneOut, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.neighbors.nearest_neighbors import (
    BallTree,
    KDTree,
    KNeighborsClassifier,
    KNeighborsRegressor,
    asymptotic_risk,
    axiom_violations,
    ball_bound,
    blocks,
    box_bound,
    cover_hart_bound,
    k_nearest,
    neighbor_weights,
    pairwise_distances,
    vote_shares,
)

TREES = [KDTree, BallTree]
METRICS = [("euclidean", 2), ("manhattan", 1), ("chebyshev", np.inf), ("minkowski", 3)]
ESTIMATORS = [KNeighborsClassifier, KNeighborsRegressor]


def plain_neighbors(X, queries, k):
    """Sorted by distance and then by number, in Python's own loops; squared Euclidean distances."""
    found = []
    for q in queries:
        squares = [(sum((a - b) ** 2 for a, b in zip(q, x, strict=True)), j) for j, x in enumerate(X)]
        found.append([j for _, j in sorted(squares)[:k]])
    return found


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("nearest-neighbors-set", "nearest-neighbors-vote")
def test_four_tissues():
    """K. Teknomo's tutorial: acid durability and strength of paper tissues, three neighbours of (3, 7)."""
    X, y = [[7, 7], [7, 4], [3, 4], [1, 4]], ["bad", "bad", "good", "good"]
    assert pairwise_distances([[3, 7]], X, "sqeuclidean").tolist() == [[16, 25, 9, 13]]
    assert k_nearest(X, [[3, 7]], 3).indices.tolist() == [[2, 3, 0]]
    assert KNeighborsClassifier(3).fit(X, y).predict([[3, 7]]).tolist() == ["good"]


@pytest.mark.equation("nearest-neighbors-minkowski")
def test_the_nearest_instance_depends_on_the_order_of_the_distance():
    """Li Hang, Statistical Learning Methods, example 3.1."""
    x, others = [[1, 1]], [[5, 1], [4, 4]]
    far = [pairwise_distances(x, others, "minkowski", p=p)[0] for p in (1, 2, 3, 4)]
    assert_allclose([d[0] for d in far], 4, rtol=1e-12)
    assert_allclose([d[1] for d in far], [6, 4.24, 3.78, 3.57], atol=0.006)
    assert [int(np.argmin(d)) for d in far] == [0, 0, 1, 1]


@pytest.mark.equation("nearest-neighbors-conditional-risk", "nearest-neighbors-cover-hart")
def test_triangular_densities():
    """Cover and Hart (1967): densities 2x and 2 - 2x, equal priors, so that the posterior of one class is x."""
    risk = quad(lambda x: float(asymptotic_risk([x, 1 - x])), 0, 1)[0]
    assert risk == pytest.approx(1 / 3, abs=1e-12)
    assert cover_hart_bound(0.25) == pytest.approx(3 / 8, rel=1e-15)


def test_the_risk_of_the_triangular_densities_is_reached():
    rng, errors = np.random.default_rng(0), []
    for _ in range(40):
        X = rng.random((2400, 1))
        y = rng.random(2400) < X[:, 0]
        errors.append(1 - KNeighborsClassifier(1).fit(X[:2000], y[:2000]).score(X[2000:], y[2000:]))
    error = np.std(errors, ddof=1) / np.sqrt(40)
    assert error < 0.004
    assert abs(np.mean(errors) - 1 / 3) < 4 * error


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("nearest-neighbors-minkowski")
@pytest.mark.parametrize(("metric", "p"), METRICS)
def test_distances_of_scipy(metric, p):
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(30, 4)), rng.normal(size=(20, 4))
    name, more = {1: ("cityblock", {}), 2: ("euclidean", {}), np.inf: ("chebyshev", {}), 3: ("minkowski", {"p": 3})}[p]
    order = {"p": p} if metric == "minkowski" else {}
    assert_allclose(pairwise_distances(X, Y, metric, **order), cdist(X, Y, name, **more), rtol=1e-13)
    assert_allclose(pairwise_distances(X, metric=metric, **order), cdist(X, X, name, **more), rtol=1e-13, atol=0)
    assert_allclose(pairwise_distances(X, Y, "minkowski", p=p), cdist(X, Y, name, **more), rtol=1e-13)


@pytest.mark.equation("nearest-neighbors-set")
@pytest.mark.parametrize("k", [1, 3, 40])
@pytest.mark.parametrize(("n", "d"), [(40, 2), (700, 3), (300, 60)])
def test_the_loop_word_for_word_with_ties(n, d, k):
    """Whole numbers: distances are exact, and many are equal."""
    rng = np.random.default_rng(n + k)
    X, Q = rng.integers(0, 4, size=(n, d)), rng.integers(0, 4, size=(50, d))
    found = k_nearest(X, Q, k)
    assert found.indices.tolist() == plain_neighbors(X.tolist(), Q.tolist(), k)
    assert_allclose(found.distances, np.sort(cdist(Q, X), axis=1)[:, :k], rtol=1e-14)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "sqeuclidean"])
def test_neighbours_without_itself(metric):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 12, size=(70, 2))
    D = pairwise_distances(X, X, metric)
    np.fill_diagonal(D, np.inf)
    expected = np.argsort(D, axis=1, kind="stable")[:, :5]
    found = k_nearest(X, None, 5, metric)
    assert_array_equal(found.indices, expected)
    assert_array_equal(found.distances, np.take_along_axis(D, expected, axis=1))


def test_all_the_others_are_neighbours():
    assert k_nearest([[0.0], [1.0], [5.0]], None, 2).indices.tolist() == [[1, 2], [0, 2], [1, 0]]
    assert k_nearest([[0.0], [1.0], [5.0]], None, 2, "manhattan").distances.tolist() == [[1, 5], [1, 4], [4, 5]]


@pytest.mark.equation("nearest-neighbors-ball")
def test_each_ball_is_about_the_mean_and_reaches_its_farthest_instance():
    """A ball about another centre would find the same neighbours, only more slowly."""
    X = np.random.default_rng(4).normal(size=(50, 3)) + 9
    nodes = [BallTree(X, leaf_size=6).root]
    while nodes:
        node = nodes.pop()
        center, radius = node.shape
        middle = sum(X[node.rows]) / len(node.rows)
        assert_allclose(center, middle[None], rtol=1e-12)
        assert radius == pytest.approx(max(np.linalg.norm(x - middle) for x in X[node.rows]), rel=1e-12)
        nodes.extend(node.children)


@pytest.mark.equation("nearest-neighbors-box", "nearest-neighbors-ball", "nearest-neighbors-prune")
@pytest.mark.parametrize("Tree", TREES)
@pytest.mark.parametrize(("metric", "p"), METRICS)
@pytest.mark.parametrize("leaf_size", [1, 7, 100])
def test_trees_find_what_all_distances_find(Tree, metric, p, leaf_size):
    rng = np.random.default_rng(leaf_size)
    X = np.vstack([rng.integers(0, 4, size=(40, 3)), rng.normal(size=(40, 3))])
    Q = np.vstack([rng.integers(-1, 6, size=(30, 3)), 5 * rng.normal(size=(30, 3)), X[:20]])
    tree = Tree(X, leaf_size, metric, p)
    for k in (1, 4, 80):
        expected, found = k_nearest(X, Q, k, metric, p), tree.query(Q, k)
        assert_array_equal(found.indices, expected.indices)
        assert_allclose(found.distances, expected.distances, rtol=1e-12)
        assert_array_equal(tree.query(Q, k, return_distance=False), expected.indices)


@pytest.mark.parametrize("Tree", TREES)
def test_neighbours_of_scipy_and_scikit_learn(Tree):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(3000, 3)), rng.normal(size=(200, 3))
    distances, indices = cKDTree(X).query(Q, 6)
    found = Tree(X).query(Q, 6)
    assert_array_equal(found.indices, indices)
    assert_allclose(found.distances, distances, rtol=1e-12)
    assert_array_equal(sklearn.neighbors.BallTree(X).query(Q, 6)[1], indices)


@pytest.fixture(params=[False, True], ids=["large blocks", "small blocks"])
def size_of_blocks(request, monkeypatch):
    if request.param:
        for name, value in [("QUERIES", 3), ("CANDIDATES", 10), ("PAIRS", 50)]:
            monkeypatch.setattr(blocks, name, value)


@pytest.mark.equation("nearest-neighbors-prune")
@pytest.mark.usefixtures("size_of_blocks")
@pytest.mark.parametrize("Tree", TREES)
@pytest.mark.parametrize(("metric", "p"), METRICS)
@pytest.mark.parametrize("leaf_size", [1, 7, 200])
def test_blocks_find_what_branch_and_bound_finds(Tree, metric, p, leaf_size):
    rng = np.random.default_rng(leaf_size)
    X = np.vstack([rng.integers(0, 4, size=(60, 3)), rng.normal(size=(60, 3))])  # many ties, and none
    Q = np.vstack([rng.integers(-1, 6, size=(90, 3)), 5 * rng.normal(size=(90, 3)), X])
    tree = Tree(X, leaf_size, metric, p)
    for k in (1, 4, 120):
        found, expected = tree._in_blocks(Q, k), tree._by_nodes(Q, k)
        assert_array_equal(found.indices, expected.indices)
        assert_array_equal(found.distances, expected.distances)


@pytest.mark.usefixtures("size_of_blocks")
@pytest.mark.parametrize("Tree", TREES)
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_blocks_near_and_far_from_the_origin(Tree, offset):
    rng = np.random.default_rng(2)
    X, Q = (
        offset + rng.normal(size=(900, 2)),
        offset + np.vstack([rng.normal(size=(250, 2)), 1e4 * rng.normal(size=(50, 2))]),
    )
    tree = Tree(X, 8)
    expected = tree._by_nodes(Q, 3)
    for far in (Q, Q[::-1]):
        found = tree.query(far, 3)
        assert_array_equal(found.indices, expected.indices if far is Q else expected.indices[::-1])
        assert_array_equal(found.distances, expected.distances if far is Q else expected.distances[::-1])


def test_many_queries_go_in_blocks_and_few_do_not(monkeypatch):
    tree = KDTree(np.random.default_rng(0).normal(size=(300, 2)))
    monkeypatch.setattr(tree, "_in_blocks", lambda Q, k: "blocks")
    assert tree.nearest(np.zeros((128, 2)), 1) == "blocks"
    assert tree.nearest(np.zeros((127, 2)), 1) != "blocks"


@pytest.mark.equation("nearest-neighbors-weights", "nearest-neighbors-vote", "nearest-neighbors-mean")
@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_predictions_of_scikit_learn(weights, algorithm):
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    X = X + 1e-6 * rng.normal(size=X.shape)  # no ties, except for the queries that are stored
    Q = np.vstack([X[:30], X + rng.normal(size=X.shape)])
    sets = {"n_neighbors": 4, "weights": weights, "algorithm": algorithm}
    ours, peer = KNeighborsClassifier(**sets).fit(X, y), sklearn.neighbors.KNeighborsClassifier(**sets).fit(X, y)
    assert_allclose(ours.predict_proba(Q), peer.predict_proba(Q), rtol=1e-9)
    assert_array_equal(ours.predict(Q), peer.predict(Q))
    assert ours.score(Q[:180], np.tile(y, 2)[:180]) == peer.score(Q[:180], np.tile(y, 2)[:180])
    ours = KNeighborsRegressor(**sets).fit(X[:, :3], X[:, 3])
    peer = sklearn.neighbors.KNeighborsRegressor(**sets).fit(X[:, :3], X[:, 3])
    assert_allclose(ours.predict(Q[:, :3]), peer.predict(Q[:, :3]), rtol=1e-9)
    assert ours.score(None, X[:, 3]) == pytest.approx(peer.score(None, X[:, 3]), rel=1e-9)


@pytest.mark.equation("nearest-neighbors-loo")
@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_none_leaves_one_out(algorithm):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)
    model = KNeighborsClassifier(3, algorithm=algorithm).fit(X, y)
    assert model.score(None, y) == pytest.approx(cross_val_score(clone(model), X, y, cv=LeaveOneOut()).mean())
    assert_array_equal(model.kneighbors(return_distance=False), k_nearest(X, None, 3).indices)


@pytest.mark.parametrize("algorithm", ["brute", "kd_tree", "ball_tree"])
def test_twins_do_not_drive_out_other_neighbours(algorithm):
    """With many copies of one instance its own number may not be among its k + 1 nearest."""
    X, y = np.zeros((9, 2)), np.arange(9) % 2
    X[8] = 1
    found = KNeighborsClassifier(3, algorithm=algorithm).fit(X, y).kneighbors()
    assert found.indices.tolist() == [[j for j in range(9) if j != i][:3] for i in range(9)]
    assert_allclose(found.distances[:8], 0)
    assert_allclose(found.distances[8], np.sqrt(2))


# ---------------------------------------------------------------- votes


@pytest.mark.equation("nearest-neighbors-weights")
def test_distance_zero_outvotes_all_others_as_in_scikit_learn():
    X, y = [[0.0], [0.0], [0.0], [1.0], [1.0]], [1, 1, 0, 0, 0]
    ours = KNeighborsClassifier(5, weights="distance").fit(X, y)
    peer = sklearn.neighbors.KNeighborsClassifier(5, weights="distance").fit(X, y)
    assert_allclose(ours.predict_proba([[0.0], [0.25]]), [[1 / 3, 2 / 3], [(4 + 8 / 3) / 44 * 3, 24 / 44]])
    assert_allclose(ours.predict_proba([[0.0], [0.25]]), peer.predict_proba([[0.0], [0.25]]))
    mean = KNeighborsRegressor(5, weights="distance").fit(X, [1.0, 2.0, 6.0, 50.0, 70.0])
    assert mean.predict([[0.0]]).tolist() == [3.0]


def test_a_tie_goes_to_the_first_class_and_to_the_first_stored_instance():
    X, y = [[-1.0], [1.0], [-2.0], [2.0]], ["b", "a", "b", "a"]
    ours = KNeighborsClassifier(4).fit(X, y)
    peer = sklearn.neighbors.KNeighborsClassifier(4).fit(X, y)
    assert ours.predict([[0.0]]).tolist() == peer.predict([[0.0]]).tolist() == ["a"]
    assert KNeighborsClassifier(1).fit(X, y).predict([[0.0]]).tolist() == ["b"]
    assert KNeighborsClassifier(1).fit(X[::-1], y[::-1]).predict([[0.0]]).tolist() == ["a"]


@given(st.integers(0, 10**6), st.sampled_from(["uniform", "distance"]))
@settings(max_examples=40, deadline=None)
def test_shares_are_the_sums_of_the_weights(seed, weights):
    rng = np.random.default_rng(seed)
    codes, D = rng.integers(0, 3, size=(8, 5)), rng.integers(0, 4, size=(8, 5)).astype(float)
    shares = vote_shares(codes, neighbor_weights(D, weights), 3)
    for c, d, share in zip(codes, D, shares, strict=True):
        inverse = [float(v == 0) for v in d] if 0 in d else [1 / v for v in d]
        w = [1.0] * 5 if weights == "uniform" else inverse
        votes = [sum(v for v, m in zip(w, c, strict=True) if m == k) for k in range(3)]
        assert_allclose(share, np.array(votes) / sum(w), rtol=1e-13)


# ---------------------------------------------------------------- laws


@given(st.integers(0, 10**6), st.sampled_from([1.0, 1.5, 2.0, 4.0, np.inf]))
@settings(max_examples=30, deadline=None)
@pytest.mark.equation("nearest-neighbors-axioms")
def test_minkowski_distances_keep_the_axioms(seed, p):
    X = np.random.default_rng(seed).normal(size=(12, 3))
    broken = axiom_violations(pairwise_distances(X, X, "minkowski", p=p))
    assert (broken.negative, broken.identity, broken.symmetry) == (0, 0, 0)
    assert broken.triangle <= 1e-14


def test_each_axiom_can_be_broken():
    line = np.arange(3.0)[:, None]
    assert axiom_violations(pairwise_distances(line, line, "sqeuclidean")) == (0, 0, 0, 2)
    assert axiom_violations([[0.0, -1.0], [-1.0, 0.0]]).negative == 1
    assert axiom_violations([[0.5, 1.0], [1.0, 0.0]]).identity == 0.5
    assert axiom_violations([[0.0, 0.0], [0.0, 0.0]]).identity == np.inf
    assert axiom_violations([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]).identity == np.inf  # one pair
    assert axiom_violations([[0.0, 2.0], [1.0, 0.0]]).symmetry == 1


@given(st.integers(0, 10**6), st.sampled_from([1.0, 2.0, np.inf]))
@settings(max_examples=40, deadline=None)
@pytest.mark.equation("nearest-neighbors-box", "nearest-neighbors-ball")
def test_bounds_are_below_all_distances_and_reached(seed, p):
    rng = np.random.default_rng(seed)
    X, Q = rng.normal(size=(40, 3)), 3 * rng.normal(size=(10, 3))
    D = pairwise_distances(Q, X, "minkowski", p=p)
    low, high = X.min(axis=0), X.max(axis=0)
    assert (box_bound(Q, low, high, p) <= D.min(axis=1)).all()
    inside = low + rng.random((3000, 3)) * (high - low)  # the box itself comes as near as its bound says
    corner = np.clip(Q, low, high)
    assert_allclose(np.diag(pairwise_distances(Q, corner, "minkowski", p=p)), box_bound(Q, low, high, p), rtol=1e-12)
    assert (pairwise_distances(Q, inside, "minkowski", p=p).min(axis=1) >= box_bound(Q, low, high, p) - 1e-12).all()
    center = X.mean(axis=0)
    radius = pairwise_distances(X, center[None], "minkowski", p=p).max()
    bound = ball_bound(Q, center, radius, p)
    assert (bound <= D.min(axis=1) + 1e-12).all()
    assert_allclose(bound, np.maximum(pairwise_distances(Q, center[None], "minkowski", p=p)[:, 0] - radius, 0))


@pytest.mark.equation("nearest-neighbors-cover-hart", "nearest-neighbors-conditional-risk")
@given(st.integers(0, 10**6), st.integers(2, 6))
@settings(max_examples=60, deadline=None)
def test_the_limit_lies_between_the_bayes_risk_and_its_bound(seed, M):
    rng = np.random.default_rng(seed)
    eta, w = rng.dirichlet(np.full(M, 0.4), size=9), rng.dirichlet(np.ones(9))
    bayes = float(w @ (1 - eta.max(axis=1)))
    limit = float(w @ asymptotic_risk(eta))
    assert bayes - 1e-12 <= limit <= cover_hart_bound(bayes, M) + 1e-12
    assert_allclose(asymptotic_risk(eta[0]), sum(eta[0][i] * eta[0][j] for i in range(M) for j in range(M) if i != j))


@pytest.mark.equation("nearest-neighbors-cover-hart")
@pytest.mark.parametrize("M", [2, 3, 7])
def test_the_bound_is_reached_where_all_other_classes_are_equally_probable(M):
    for R in (0.0, 0.1, 1 - 1 / M):
        eta = [1 - R] + [R / (M - 1)] * (M - 1)
        assert asymptotic_risk(eta) == pytest.approx(cover_hart_bound(R, M), abs=1e-14)


def test_errata_of_widely_read_notes():
    """The variance counts twice; three classes exceed 2 R* (1 - R*)."""
    R = np.array([0.05, 0.45])
    limit = np.mean(asymptotic_risk(np.column_stack([R, 1 - R])))
    assert limit == pytest.approx(cover_hart_bound(R.mean()) - 2 * R.var())
    assert limit != pytest.approx(cover_hart_bound(R.mean()) - R.var(), abs=0.01)
    assert asymptotic_risk([1 / 3] * 3) > 2 * (2 / 3) * (1 / 3) + 0.2


@given(st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_moving_turning_and_scaling_all_features_change_no_neighbour(seed):
    rng = np.random.default_rng(seed)
    X, Q = rng.normal(size=(60, 3)), rng.normal(size=(10, 3))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    other = k_nearest(7 * (X @ turn) + 5, 7 * (Q @ turn) + 5, 4)
    found = k_nearest(X, Q, 4)
    assert_array_equal(found.indices, other.indices)
    assert_allclose(7 * found.distances, other.distances, rtol=1e-9)


# ---------------------------------------------------------------- visits


def test_a_tree_computes_few_distances_in_few_dimensions_and_nearly_all_in_many():
    calls = {}
    for d in (2, 20):
        rng = np.random.default_rng(d)
        tree = KDTree(rng.normal(size=(4000, d)), leaf_size=20)
        tree.query(rng.normal(size=(100, d)))
        calls[d] = tree.get_n_calls() / 100 / 4000
    assert calls[2] < 0.02
    assert calls[20] > 0.9


def test_a_query_within_two_balls_goes_to_the_nearer_centre():
    rng = np.random.default_rng(0)
    tree = BallTree(rng.normal(size=(1000, 1)), leaf_size=20)  # most inner balls overlap: both bounds are 0
    tree.query(rng.normal(size=(100, 1)))
    assert tree.get_n_calls() / 100 / 1000 < 0.05


@pytest.mark.parametrize("Tree", TREES)
def test_visits_are_counted(Tree):
    X = np.array([[0.0], [1.0], [10.0], [11.0]])
    tree = Tree(X, leaf_size=2)
    assert tree.query([[0.2], [9.0]], 2).indices.tolist() == [[0, 1], [2, 3]]
    assert (tree.get_n_calls(), tree.get_tree_stats()) == (4, (2, 2, 2))  # each: root, one leaf, the other left out
    tree.reset_n_calls()
    assert (tree.get_n_calls(), tree.get_tree_stats()) == (0, (0, 0, 0))
    tree.query([[5.5]], 3)  # the neighbours come from both leaves
    assert (tree.get_n_calls(), tree.get_tree_stats()) == (4, (0, 2, 1))


@pytest.mark.parametrize("Tree", TREES)
def test_visits_of_blocks_are_counted(Tree):
    """Two blocks of 64 queries: at home two distances each, then the root, one leaf of two, and the other left out."""
    tree = Tree(np.array([[0.0], [1.0], [10.0], [11.0]]), leaf_size=2)
    found = tree.query(np.repeat([[0.2], [10.9]], 64, axis=0), 2)
    assert np.unique(found.indices, axis=0).tolist() == [[0, 1], [3, 2]]
    assert (tree.get_n_calls(), tree.get_tree_stats()) == (128 * 4, (128, 128, 128))


def test_blocks_compute_few_distances_in_few_dimensions():
    rng = np.random.default_rng(0)
    tree = KDTree(rng.normal(size=(4000, 2)), leaf_size=20)
    tree.query(rng.normal(size=(2000, 2)))
    assert tree.get_n_calls() / 2000 / 4000 < 0.1


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize("scale", [1e-150, 1e-6, 1e6, 1e150])
def test_scales(scale):
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(500, 3)), rng.normal(size=(40, 3))
    expected = k_nearest(X, Q, 5)
    found = k_nearest(scale * X, scale * Q, 5)
    assert_array_equal(found.indices, expected.indices)
    assert_allclose(found.distances, scale * expected.distances, rtol=1e-9)


def test_close_pairs_far_from_the_origin():
    """|x|^2 - 2 x'c + |c|^2 has lost every digit here; one far instance keeps the mean away from the rest."""
    rng = np.random.default_rng(1)
    steps = rng.permutation(200) * 2.0**-20
    X = np.concatenate([1e6 + steps, [0.0, 5e6]])[:, None]
    Q = 1e6 + (np.arange(50)[:, None] + 0.25) * 2.0**-20
    expected = np.argsort(np.abs(Q - X[:, 0]), axis=1, kind="stable")[:, :3]
    assert_array_equal(k_nearest(X, Q, 3).indices, expected)
    for Tree in TREES:
        assert_array_equal(Tree(X, 5).query(Q, 3, return_distance=False), expected)


@pytest.mark.parametrize("seed", range(5))
def test_queries_so_far_away_that_rounding_decides(seed):
    """Most distances are equal after rounding, so that a bound of rounded numbers may lie above one of them."""
    rng = np.random.default_rng(seed)
    X, Q = 1e-11 * rng.random((80, 2)), 1e4 * rng.normal(size=(30, 2))
    expected = pairwise_distances(Q, X).argmin(axis=1)
    for Tree in TREES:
        assert_array_equal(Tree(X, 4).query(Q, return_distance=False)[:, 0], expected)


def test_leaves_of_an_estimator_are_those_of_a_tree():
    X = np.random.default_rng(0).normal(size=(500, 2))
    for name, Tree in [("kd_tree", KDTree), ("ball_tree", BallTree)]:
        assert KNeighborsRegressor(algorithm=name).leaf_size == Tree(X).leaf_size == 40


@pytest.mark.parametrize("Tree", TREES)
def test_all_instances_equal_and_a_constant_column(Tree):
    X = np.ones((3000, 2))
    assert k_nearest(X, X[:3], 4).indices.tolist() == [[0, 1, 2, 3]] * 3
    assert Tree(X).query(X[:3], 4).indices.tolist() == [[0, 1, 2, 3]] * 3


def test_layouts_and_precisions():
    rng = np.random.default_rng(0)
    X, Q = rng.normal(size=(200, 6)), rng.normal(size=(9, 6))
    expected = k_nearest(X, Q, 3).indices
    assert_array_equal(k_nearest(np.asfortranarray(X), Q[:, ::-1][:, ::-1], 3).indices, expected)
    assert_array_equal(k_nearest(X.astype(np.float32), Q.astype(np.float32), 3).indices, expected)
    order = rng.permutation(200)
    assert_array_equal(order[k_nearest(X[order], Q, 3).indices], expected)


def test_more_features_than_instances_and_one_instance():
    X = np.random.default_rng(2).normal(size=(4, 300))
    assert k_nearest(X, X, 1).indices.ravel().tolist() == [0, 1, 2, 3]
    model = KNeighborsClassifier(1).fit([[1.0]], ["only"])
    assert model.predict([[5.0]]).tolist() == ["only"]


# ---------------------------------------------------------------- contract


@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for E in ESTIMATORS for pair in estimator_checks_generator(E())]
    + list(estimator_checks_generator(KNeighborsClassifier(3, algorithm="kd_tree", weights="distance"))),
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_in_a_pipeline_and_a_grid_and_pickled():
    X, y = load_digits(return_X_y=True)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), KNeighborsClassifier()), {"kneighborsclassifier__n_neighbors": [1, 5]}, cv=3
    ).fit(X[:300], y[:300])
    again = pickle.loads(pickle.dumps(search))
    assert_array_equal(again.predict(X[300:400]), search.predict(X[300:400]))
    assert search.best_score_ > 0.85


# ---------------------------------------------------------------- bad input

LINE, LABELS = [[0.0], [1.0], [2.0]], [0, 1, 1]
BAD_SETTINGS = [
    ({"n_neighbors": 0}, ValueError, "n_neighbors must be at least 1, got 0"),
    ({"n_neighbors": 2.0}, TypeError, "n_neighbors must be an integer"),
    ({"metric": "cosine"}, ValueError, "metric must be one of .*'euclidean'.*, got 'cosine'"),
    ({"p": 0.5}, ValueError, "p must be finite and at least 1, got 0.5"),
    ({"weights": "gauss"}, ValueError, "weights must be one of"),
    ({"algorithm": "fast"}, ValueError, "algorithm must be one of"),
    ({"algorithm": "ball_tree", "metric": "sqeuclidean"}, ValueError, "triangle inequality.*use 'euclidean'"),
    ({"algorithm": "kd_tree", "leaf_size": 0}, ValueError, "leaf_size must be at least 1"),
]


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize(("settings", "error", "match"), BAD_SETTINGS)
def test_bad_settings(Estimator, settings, error, match):
    with pytest.raises(error, match=match):
        Estimator(**settings).fit(LINE, LABELS)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
def test_more_neighbours_than_instances(Estimator, algorithm):
    model = Estimator(4, algorithm=algorithm).fit(LINE, LABELS)
    with pytest.raises(ValueError, match="n_neighbors <= n_samples_fit, but n_neighbors = 4, n_samples_fit = 3: ask"):
        model.predict([[0.0]])
    with pytest.raises(ValueError, match=r"n_neighbors < n_samples_fit, .* not its own neighbour"):
        model.kneighbors(n_neighbors=3)
    with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
        model.kneighbors([[0.0]], n_neighbors=0)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: k_nearest(LINE, [[0.0]], 4), ValueError, "n_samples_fit = 3: ask for fewer"),
        (lambda: k_nearest(LINE, [[0.0]], 0), ValueError, "at least 1"),
        (lambda: k_nearest(LINE, [[0.0, 1.0]], 1), ValueError, "queries must have 1 columns as X has, got 2"),
        (lambda: k_nearest(LINE, [[np.nan]], 1), ValueError, "queries must be finite"),
        (lambda: k_nearest(LINE, [[0.0]], 1, "hamming"), ValueError, "metric must be one of"),
        (lambda: k_nearest([[1e200], [0.0]], [[0.0]], 1), ValueError, "the square of a distance must be finite"),
        (lambda: KDTree([[1e200], [0.0]]).query([[0.0]] * 200), ValueError, "the square of a distance must be finite"),
        (lambda: KDTree(LINE).query([[0.0]], 4), ValueError, "n_samples_fit = 3"),
        (lambda: KDTree(LINE).query([[0.0, 0.0]]), ValueError, "X must have 1 columns as the tree has, got 2"),
        (lambda: BallTree(LINE, metric="sqeuclidean"), ValueError, "triangle inequality"),
        (lambda: BallTree(LINE, metric="dice"), ValueError, "metric must be one of"),
        (lambda: KDTree(LINE, leaf_size=0), ValueError, "leaf_size must be at least 1"),
        (lambda: pairwise_distances(LINE, [[0.0, 1.0]]), ValueError, "X and Y must have the same number of columns"),
        (lambda: pairwise_distances(LINE, LINE, "minkowski", p="2"), TypeError, "p must be a number"),
        (
            lambda: pairwise_distances(csr_array(LINE)),
            TypeError,
            r"X must be a dense array, got a sparse one: use X",
        ),
        (lambda: pairwise_distances(LINE, p=1), ValueError, "p is the order of metric='minkowski' only"),
        (lambda: neighbor_weights([[-1.0]]), ValueError, "distances must not be negative, got -1"),
        (lambda: neighbor_weights([[1.0]], "gauss"), ValueError, "weights must be one of"),
        (lambda: vote_shares([[0, 2]], [[1, 1]], 2), ValueError, "codes must lie in 0..1"),
        (lambda: vote_shares([[0, 1]], [[1]], 2), ValueError, "codes and weights must have one shape"),
        (lambda: vote_shares([[0, 1]], [[1, -1]], 2), ValueError, "weights must not be negative"),
        (lambda: vote_shares([[0, 1]], [[0, 0]], 2), ValueError, "positive sum in each row"),
        (lambda: axiom_violations([[0.0, 1.0]]), ValueError, "D must be a square matrix"),
        (lambda: asymptotic_risk([0.5, 0.6]), ValueError, "posterior must be non-negative and sum to 1"),
        (lambda: cover_hart_bound(0.6), ValueError, "bayes_risk must lie between 0 and 1 - 1/2"),
        (lambda: cover_hart_bound(-0.1, 3), ValueError, "bayes_risk must lie between"),
        (lambda: cover_hart_bound(0.1, 1), ValueError, "n_classes must be at least 2"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()

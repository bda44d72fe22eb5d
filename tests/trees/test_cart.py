"""Trees against published examples, a plain recursion in fractions, scikit-learn, their own laws, and bad input."""

import pickle
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.plotting import draw_graph, subplots
from notes_lib.trees.cart import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    Rule,
    category_split,
    collapse,
    export_text,
    fit_leaf_lines,
    gini,
    gini_gain,
    grow,
    layout,
    oblique_split,
    predict_leaf_lines,
    presort,
    threshold_losses,
)
from notes_lib.trees.cart.growth import check_rows, grow_leaves
from tests.problems import BAD_WEIGHTS

ESTIMATORS = [DecisionTreeClassifier, DecisionTreeRegressor]
X_LI = np.arange(1.0, 11.0)
Y_LI = [5.56, 5.7, 5.91, 6.4, 6.8, 7.05, 8.9, 8.7, 9.0, 9.05]
LOAN = {  # feature -> for each value (refused, granted)
    "age": [(3, 2), (2, 3), (1, 4)],
    "job": [(6, 4), (0, 5)],
    "house": [(6, 3), (0, 6)],
    "credit": [(0, 4), (2, 4), (4, 1)],  # excellent, good, fair
}


def smooth(seed, n=300, d=4):
    """Continuous data with single precision, so that scikit-learn sees the same numbers; no equal gains."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    return X, X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n)


def plain_tree(X, y, depth, kind):
    """CART word for word in exact fractions: nested (feature, threshold, left, right) or the tuple of class counts."""
    counts = tuple(sum(v == k for v in y) for k in kind)
    best = None
    if depth and len(set(y)) > 1:
        for j in range(len(X[0])):
            values = sorted({x[j] for x in X})
            for low, high in pairwise(values):
                cut = Fraction(low + high, 2)
                score = Fraction(0)
                for side in (True, False):
                    part = [v for x, v in zip(X, y, strict=True) if (x[j] <= cut) == side]
                    score += sum(Fraction(part.count(k) ** 2, len(part)) for k in kind)
                if best is None or score > best[0]:
                    best = (score, j, cut)
    if best is None:
        return counts
    _, j, cut = best
    rows = [[(x, v) for x, v in zip(X, y, strict=True) if (x[j] <= cut) == side] for side in (True, False)]
    return (j, float(cut), *(plain_tree([x for x, _ in r], [v for _, v in r], depth - 1, kind) for r in rows))


def nested(tree, node=0):
    """The same form from a grown tree."""
    if tree.children_left[node] < 0:
        return tuple(np.rint(tree.value[node] * tree.weighted_n_node_samples[node]).astype(int).tolist())
    below = (nested(tree, child[node]) for child in (tree.children_left, tree.children_right))
    return (int(tree.feature[node]), float(tree.threshold[node]), *below)


def assert_same_tree(ours, peer, rtol=1e-9):
    """All arrays of scikit-learn's tree."""
    for name in ("children_left", "children_right", "feature", "n_node_samples"):
        assert_array_equal(getattr(ours, name), getattr(peer, name), name)
    assert_allclose(ours.threshold, peer.threshold, rtol=1e-12)
    assert_allclose(ours.value, peer.value[:, 0, :], rtol=rtol, atol=1e-12)
    assert_allclose(ours.impurity, peer.impurity, rtol=rtol, atol=1e-12)
    assert_allclose(ours.weighted_n_node_samples, peer.weighted_n_node_samples, rtol=1e-12)
    assert (ours.node_count, ours.max_depth, ours.n_leaves) == (peer.node_count, peer.max_depth, peer.n_leaves)


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("cart-gini", "cart-gini-gain")
def test_loans():
    """Li Hang, example 5.4: Gini index after each split of one value against the rest, to two decimals."""
    total = np.array([6, 9])
    after = {
        name: [gini(total / 15) - gini_gain(v, total - v) for v in np.array(values)] for name, values in LOAN.items()
    }
    assert_allclose(after["age"], [0.44, 0.48, 0.44], atol=0.005)
    assert after["job"][1] == pytest.approx(0.32, abs=0.005)
    assert after["house"][1] == pytest.approx(0.27, abs=0.005)
    assert_allclose(after["credit"], [0.36, 0.47, 0.32], atol=0.005)


@pytest.mark.equation("cart-loss", "cart-leaf-mean")
def test_first_split_of_a_regression_tree():
    """Li Hang, example 8.2: sums of squares for nine cuts; the book cuts digits off."""
    cuts = threshold_losses(X_LI, Y_LI)
    assert_allclose(cuts.threshold, np.arange(1.5, 10))
    assert_allclose(cuts.loss, [15.72, 12.07, 8.36, 5.78, 3.91, 1.93, 8.01, 11.73, 15.74], atol=0.014)
    assert cuts.threshold[cuts.best] == 6.5
    assert_allclose([cuts.left[cuts.best], cuts.right[cuts.best]], [6.24, 8.91], atol=0.005)
    tree = DecisionTreeRegressor(max_depth=1).fit(X_LI[:, None], Y_LI).tree_
    assert tree.threshold[0] == 6.5
    assert_allclose(tree.value[1:, 0], [6.236666666667, 8.9125])


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("cart-gini-gain")
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_the_recursion_word_for_word_with_ties(seed, classes):
    """Small whole numbers: many gains are equal, and the first feature and the smallest threshold win."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, size=(40, 3)), np.r_[np.arange(classes), rng.integers(0, classes, 40 - classes)]
    expected = plain_tree(X.tolist(), y.tolist(), 5, range(classes))
    assert nested(DecisionTreeClassifier(max_depth=5).fit(X, y).tree_) == expected


@pytest.mark.equation("cart-gini-gain", "cart-gain", "cart-importance")
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 4])
def test_classification_trees_of_scikit_learn(criterion, weighted, classes):
    X, y = smooth(1)
    codes = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    w = np.random.default_rng(2).integers(1, 6, size=len(y)) if weighted else None  # whole: the peer's sums are exact
    sets = {"criterion": criterion, "min_samples_leaf": 12, "min_samples_split": 40, "max_depth": 6}
    ours = DecisionTreeClassifier(**sets).fit(X, codes, w)
    peer = sklearn.tree.DecisionTreeClassifier(**sets, random_state=0).fit(X, codes, w)
    assert_same_tree(ours.tree_, peer.tree_)
    assert_allclose(ours.feature_importances_, peer.feature_importances_)
    assert_array_equal(ours.apply(X), peer.apply(X))
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-12)
    assert_array_equal(ours.predict(X), peer.predict(X))
    assert (ours.get_depth(), ours.get_n_leaves()) == (peer.get_depth(), peer.get_n_leaves())


@pytest.mark.equation("cart-gain", "cart-leaf-mean", "cart-loss", "cart-importance")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("max_leaf_nodes", [None, 7])
def test_regression_trees_of_scikit_learn(weighted, max_leaf_nodes):
    X, y = smooth(3)
    w = np.random.default_rng(2).exponential(size=len(y)) if weighted else None
    sets = {"min_samples_leaf": 5, "max_depth": 7, "max_leaf_nodes": max_leaf_nodes}
    ours = DecisionTreeRegressor(**sets).fit(X, y, w)
    peer = sklearn.tree.DecisionTreeRegressor(**sets, random_state=0).fit(X, y, w)
    if max_leaf_nodes is None:
        assert_same_tree(ours.tree_, peer.tree_)
    assert ours.get_n_leaves() == peer.get_n_leaves()
    assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-9)
    assert_allclose(ours.feature_importances_, peer.feature_importances_)


def test_some_order_of_the_features_gives_the_tree_of_scikit_learn():
    """On the irises gains are equal; the peer tries the features in a random order, ours in the order of columns."""
    X, y = load_iris(return_X_y=True)
    X = X.astype(np.float32).astype(float)
    ours = DecisionTreeClassifier(max_depth=3).fit(X, y).tree_
    peers = [sklearn.tree.DecisionTreeClassifier(max_depth=3, random_state=s).fit(X, y).tree_ for s in range(20)]
    same = [np.array_equal(ours.feature, peer.feature) for peer in peers]
    assert any(same)
    assert not all(same)
    assert ours.feature[0] == 2
    for peer in peers:
        assert peer.impurity[0] - ours.impurity[0] == pytest.approx(0, abs=1e-15)
        assert sorted(peer.n_node_samples[:3]) == sorted(ours.n_node_samples[:3])


@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans())
@settings(max_examples=40, deadline=None)
@pytest.mark.equation("cart-categories")
def test_no_set_of_categories_is_better_than_a_cut_of_the_sorted_ones(seed, k, binary):
    rng = np.random.default_rng(seed)
    x = np.r_[np.arange(k), rng.integers(0, k, 20)]
    y = rng.integers(0, 2, len(x)).astype(float) if binary else rng.normal(size=len(x))
    found = category_split(x, y)
    losses = [
        sum(((y[side] - y[side].mean()) ** 2).sum() for side in (np.isin(x, left), ~np.isin(x, left)))
        for size in range(1, k)
        for left in combinations(range(k), size)
    ]
    assert found.loss == pytest.approx(min(losses), abs=1e-10)
    here = np.isin(x, found.left)
    assert sorted(found.left + found.right) == list(range(k))
    assert sum(((y[s] - y[s].mean()) ** 2).sum() for s in (here, ~here)) == pytest.approx(found.loss, abs=1e-10)
    assert y[here].mean() <= y[~here].mean()


@pytest.mark.equation("cart-leaf-line")
def test_lines_in_the_leaves():
    X, y = smooth(5)
    leaf = DecisionTreeRegressor(max_leaf_nodes=4).fit(X, y).apply(X)
    lines = fit_leaf_lines(leaf, X, y)
    found = predict_leaf_lines(lines, leaf, X)
    for k, number in enumerate(np.unique(leaf)):
        here = leaf == number
        peer = LinearRegression().fit(X[here], y[here])
        assert_allclose(found[here], peer.predict(X[here]), rtol=1e-9)
        assert_allclose(lines.coef[k], peer.coef_, rtol=1e-7)
        assert lines.leaves[k] == number
    one = fit_leaf_lines([3, 3], [[1.0, 1.0], [1.0, 1.0]], [2.0, 4.0])  # nothing varies: the mean
    assert_allclose(predict_leaf_lines(one, [3], [[7.0, 7.0]]), 3.0)


@pytest.mark.equation("cart-oblique")
def test_one_oblique_split_of_a_diagonal_boundary():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(400, 2))
    y = np.where(X @ [1, 1] > 1, "up", "down")
    X += 0.05 * np.outer(y == "up", [1, 1])  # a gap
    split = oblique_split(X, y)
    assert split.loss == pytest.approx(0, abs=1e-9)
    assert_array_equal(X @ split.direction > split.threshold, y == "up")
    assert min(threshold_losses(x, y == "up").loss.min() for x in X.T) > 20
    tree = DecisionTreeClassifier(max_depth=1).fit((X @ split.direction)[:, None], y).tree_
    assert tree.threshold[0] == pytest.approx(split.threshold)


# ---------------------------------------------------------------- laws


@pytest.mark.equation("cart-gini", "cart-two-class")
@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_gini_index_of_two_classes_is_twice_a_variance(seed):
    y = np.random.default_rng(seed).integers(0, 2, 17)
    p = y.mean()
    assert gini([p, 1 - p]) == pytest.approx(2 * p * (1 - p), abs=1e-15)
    assert gini([p, 1 - p]) == pytest.approx(2 * y.var(), abs=1e-15)


@pytest.mark.equation("cart-two-class")
def test_a_regression_tree_on_labels_is_the_classification_tree():
    X, y = smooth(7)
    label = y > 0
    number = DecisionTreeRegressor(max_depth=5, min_samples_leaf=8).fit(X, label.astype(float)).tree_
    classes = DecisionTreeClassifier(max_depth=5, min_samples_leaf=8).fit(X, label).tree_
    assert_array_equal(number.feature, classes.feature)
    assert_array_equal(number.threshold, classes.threshold)
    assert_allclose(2 * number.impurity, classes.impurity, atol=1e-12)


@given(st.integers(0, 10**6), st.sampled_from(ESTIMATORS))
@settings(max_examples=20, deadline=None)
def test_whole_weights_act_like_repeated_rows(seed, Estimator):
    rng = np.random.default_rng(seed)
    X, y, w = rng.integers(0, 6, size=(40, 3)), rng.integers(0, 3, 40), rng.integers(0, 4, 40)
    w[:3], y[:3] = 1, [0, 1, 2]
    weighted = Estimator(max_depth=4).fit(X, y, w)
    repeated = Estimator(max_depth=4).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    if Estimator is DecisionTreeClassifier:
        assert_array_equal(weighted.tree_.feature, repeated.tree_.feature)
        assert_array_equal(weighted.tree_.threshold, repeated.tree_.threshold)
    assert_allclose(weighted.tree_.weighted_n_node_samples[0], w.sum())
    assert_allclose(weighted.tree_.value[0], repeated.tree_.value[0])
    assert weighted.tree_.n_node_samples[0] == (w > 0).sum()


def test_weights_without_ties_act_like_repeated_rows_for_numbers():
    X, y = smooth(9, n=80)
    w = np.random.default_rng(1).integers(0, 4, 80)
    weighted = DecisionTreeRegressor(max_depth=4).fit(X, y, w)
    repeated = DecisionTreeRegressor(max_depth=4).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-10)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_an_increasing_map_of_a_feature_changes_no_training_leaf(Estimator):
    X, y = smooth(11)
    target = y > 0 if Estimator is DecisionTreeClassifier else y
    other = np.column_stack([np.exp(3 * X[:, 0]), X[:, 1] ** 3, 5 * X[:, 2] - 7, np.arctan(X[:, 3])])
    assert_array_equal(
        Estimator(max_depth=6).fit(X, target).apply(X), Estimator(max_depth=6).fit(other, target).apply(other)
    )


@pytest.mark.parametrize("max_leaf_nodes", [2, 3, 9, 1000])
def test_the_leaf_of_the_largest_gain_is_split_first(max_leaf_nodes):
    X, y = smooth(13)
    full = DecisionTreeRegressor(max_depth=5).fit(X, y)
    cut = DecisionTreeRegressor(max_depth=5, max_leaf_nodes=max_leaf_nodes).fit(X, y)
    assert cut.get_n_leaves() == min(max_leaf_nodes, full.get_n_leaves())
    if max_leaf_nodes == 1000:
        assert_array_equal(cut.tree_.feature, full.tree_.feature)
    for k in range(3, min(max_leaf_nodes, 9) + 1):  # nested: one more leaf changes one leaf
        smaller = DecisionTreeRegressor(max_depth=5, max_leaf_nodes=k - 1).fit(X, y)
        larger = DecisionTreeRegressor(max_depth=5, max_leaf_nodes=k).fit(X, y)
        pairs = set(zip(smaller.apply(X), larger.apply(X), strict=True))
        assert len(pairs) == k


def test_a_collapsed_node_holds_what_the_leaves_below_it_held():
    X, y = smooth(15)
    full = DecisionTreeRegressor(max_depth=3).fit(X, y)
    nodes = np.zeros(full.tree_.node_count, dtype=bool)
    nodes[full.tree_.children_right[0]] = True
    cut = collapse(full.tree_, nodes)
    right = X[:, full.tree_.feature[0]] > full.tree_.threshold[0]
    leaf = cut.apply(X)
    assert len(set(leaf[right])) == 1
    assert cut.node_count == full.tree_.children_right[0] + 1  # the root, its left subtree, one leaf
    assert_allclose(cut.value[leaf[right], 0], y[right].mean())
    assert_allclose(cut.value[leaf[~right], 0], full.predict(X)[~right])
    assert cut.children_left[leaf[right][0]] == -1
    assert (cut.feature[leaf[right][0]], cut.threshold[leaf[right][0]]) == (-2, -2)
    same = collapse(full.tree_, np.zeros(full.tree_.node_count, dtype=bool))
    for before, after in zip(full.tree_, same, strict=True):
        assert_array_equal(before, after)


@pytest.mark.equation("cart-worst")
@pytest.mark.parametrize("tolerance", [0.5, 0.1])
def test_the_worst_training_error_is_bounded_and_new_ones_are_not(tolerance):
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, size=(60, 1))
    y = np.sin(3 * X[:, 0]) + 0.3 * rng.normal(size=60)
    worst = DecisionTreeRegressor(tolerance=tolerance, leaf_error="worst").fit(X, y)
    assert np.abs(y - worst.predict(X)).max() <= tolerance
    tree, gap = worst.tree_, np.abs(y - worst.predict(X))
    assert gap.max() > tolerance / 4
    for node in np.flatnonzero(~tree.is_leaf):  # no node was split without need
        inside = _reaches(tree, X, node)
        assert np.abs(y[inside] - y[inside].mean()).max() > tolerance
    new = rng.uniform(-2, 2, size=(1000, 1))
    assert np.abs(np.sin(3 * new[:, 0]) + 0.3 * rng.normal(size=1000) - worst.predict(new)).max() > tolerance
    mean = DecisionTreeRegressor(tolerance=tolerance).fit(X, y).tree_
    assert (mean.impurity[mean.is_leaf] <= tolerance).all()
    assert (mean.impurity[~mean.is_leaf] > tolerance).all()


def _reaches(tree, X, node):
    """Rows that pass a node: those whose leaf lies in its subtree, whose numbers follow one another."""
    last = node
    while tree.children_left[last] >= 0:
        last = tree.children_right[last]
    leaf = tree.apply(X)
    return (leaf >= node) & (leaf <= last)


def test_a_split_without_gain_is_made():
    """XOR: no single split gains anything, and the tree grows all the same, as in scikit-learn."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    model = DecisionTreeClassifier().fit(X, y)
    assert (model.get_depth(), model.score(X, y)) == (2, 1.0)
    assert sklearn.tree.DecisionTreeClassifier().fit(X, y).get_depth() == 2
    assert DecisionTreeClassifier(criterion="entropy").fit(X, y).score(X, y) == 1.0


# ---------------------------------------------------------------- random subsets of features


def test_each_node_draws_its_features():
    X, y = smooth(17, d=5)
    first = [int(DecisionTreeRegressor(max_features=1, max_depth=1, random_state=s).fit(X, y).tree_.feature[0])
             for s in range(300)]  # fmt: skip
    counts = np.bincount(first, minlength=5)
    assert (np.abs(counts - 60) < 4 * np.sqrt(300 * 0.2 * 0.8)).all()
    for s in range(5):
        tree = DecisionTreeRegressor(max_features=2, max_depth=1, random_state=s).fit(X, y).tree_
        loss = [threshold_losses(x, y).loss.min() for x in X.T]
        assert loss[tree.feature[0]] < np.sort(loss)[-1]  # the better one of two
    inside = DecisionTreeRegressor(max_features=1, max_depth=4, random_state=0).fit(X, y).tree_
    assert len(set(inside.feature[inside.feature >= 0])) > 1


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_random_trees_repeat_and_look_at_all_features_where_the_drawn_ones_are_constant(Estimator):
    X, y = smooth(19)
    target = y > 0 if Estimator is DecisionTreeClassifier else y
    one, two = (Estimator(max_features="sqrt", random_state=3).fit(X, target).tree_ for _ in range(2))
    assert_array_equal(one.feature, two.feature)
    assert Estimator(max_features="sqrt", random_state=4).fit(X, target).tree_.feature.tolist() != one.feature.tolist()
    dull = np.column_stack([np.zeros((300, 9)), X[:, 0]])
    model = Estimator(max_features=1, random_state=0).fit(dull, target)
    assert set(model.tree_.feature) == {9, -2}
    assert model.score(dull, target) == 1.0


@pytest.mark.parametrize(("max_features", "count"), [(None, 9), (9, 9), (1.0, 9), (0.34, 3), ("sqrt", 3), ("log2", 3)])
def test_numbers_of_features(max_features, count):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 9)), rng.normal(size=50)
    for s in range(4):
        ours = DecisionTreeRegressor(max_features=max_features, random_state=s).fit(X, y).tree_
        rule = Rule("squared_error", max_features=count)
        assert_array_equal(ours.feature, grow(presort(X), y[:, None], np.ones(50), rule, s).feature)


@pytest.mark.parametrize("depth", [1, 3, np.inf])
@pytest.mark.parametrize("dropped", [0, 60])
def test_growth_tells_the_leaf_of_each_row(depth, dropped):
    """The leaf that a row reaches during growth is the one that its tests lead to; rows of weight 0 have none."""
    rng = np.random.default_rng(3)
    X, y, w = rng.integers(0, 9, size=(200, 4)).astype(float), rng.normal(size=(200, 1)), np.ones(200)
    w[rng.permutation(200)[:dropped]] = 0.0
    tree, leaf = grow_leaves(presort(X), y, w, Rule("squared_error", max_depth=depth))
    assert_array_equal(leaf, np.where(w > 0, tree.apply(X), -1))


def test_a_presorted_matrix_serves_many_trees():
    """Growing leaves what was sorted as it was: the second tree on all rows is the one of a fresh matrix."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(150, 5)), rng.normal(size=(2, 150, 1))
    shared, rule = presort(X), Rule("squared_error", max_depth=3)
    for target in y:
        again, fresh = grow(shared, target, np.ones(150), rule), grow(presort(X), target, np.ones(150), rule)
        assert_array_equal(again.threshold, fresh.threshold)
        assert_array_equal(again.n_node_samples, fresh.n_node_samples)


# ---------------------------------------------------------------- printing and drawing


def test_text():
    X, y = load_iris(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=2).fit(X, ["abc"[k] for k in y])
    names = ["sepal length", "sepal width", "petal length", "petal width"]
    assert export_text(model.tree_, names, model.classes_).split("\n") == [
        "petal length <= 2.45: a",
        "petal length > 2.45",
        "|   petal width <= 1.75: b",
        "|   petal width > 1.75: c",
    ]
    assert export_text(model.tree_, digits=2).split("\n")[-2] == "|   x3 <= 1.8: [0, 0.91, 0.093]"
    assert export_text(DecisionTreeRegressor().fit([[1], [2]], [3, 3]).tree_) == "3"


def test_layout_of_a_tree():
    X, y = smooth(21)
    tree = DecisionTreeRegressor(max_depth=4).fit(X, y).tree_
    parents, places = layout(tree)
    assert list(parents) == list(places) == [str(k) for k in range(tree.node_count)]
    leaves = [places[str(k)][0] for k in np.flatnonzero(tree.is_leaf)]
    assert leaves == list(range(tree.n_leaves))
    for node in np.flatnonzero(~tree.is_leaf):
        left, right = str(tree.children_left[node]), str(tree.children_right[node])
        assert parents[left] == parents[right] == [str(node)]
        assert places[str(node)][0] == (places[left][0] + places[right][0]) / 2
        assert places[left][1] == places[right][1] == places[str(node)][1] - 1
    _, ax = subplots()
    draw_graph(ax, parents, places)
    assert len([t for t in ax.texts if t.get_text()]) == tree.node_count


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_constant_features_and_one_class(Estimator):
    one = Estimator().fit(np.ones((6, 2)), [0, 1, 1, 0, 1, 1])
    assert (one.get_n_leaves(), one.get_depth()) == (1, 0)
    assert_array_equal(one.feature_importances_, [0, 0])
    assert one.predict([[5.0, 5.0]])[0] == pytest.approx(1 if Estimator is DecisionTreeClassifier else 2 / 3)
    same = Estimator().fit(np.arange(6.0)[:, None], np.full(6, 7))
    assert same.get_n_leaves() == 1
    assert same.predict([[99.0]]).tolist() == [7]
    with_one = Estimator().fit(np.column_stack([np.ones(4), [1, 2, 3, 4]]), [0, 0, 1, 1])
    assert with_one.tree_.feature.tolist() == [1, -2, -2]


@pytest.mark.parametrize("scale", [1e-120, 1e-9, 1.0, 1e9, 1e100])
def test_scales_of_targets_and_features(scale):
    X, y = smooth(23)
    expected = DecisionTreeRegressor(max_depth=6).fit(X, y)
    found = DecisionTreeRegressor(max_depth=6).fit(scale * X, y)
    assert_array_equal(found.apply(scale * X), expected.apply(X))
    found = DecisionTreeRegressor(max_depth=6).fit(X, scale * y)
    assert_array_equal(found.apply(X), expected.apply(X))
    assert_allclose(found.predict(X), scale * expected.predict(X), rtol=1e-9)


def test_targets_far_from_zero_and_equal_ones():
    X, y = smooth(25)
    y = np.round(y * 2**10) / 2**10  # no digit is lost below
    expected = DecisionTreeRegressor(max_depth=6).fit(X, y).apply(X)
    assert_array_equal(DecisionTreeRegressor(max_depth=6).fit(X, y + 16).apply(X), expected)
    for value in (0.1, 1e9 / 3, -7e-9):  # the mean of equal numbers may be off by a rounding error
        assert DecisionTreeRegressor().fit(X, np.full(300, value)).get_n_leaves() == 1


def test_each_node_draws_different_features(monkeypatch):
    from notes_lib.trees.cart import growth

    drawn, search = [], growth.best_splits
    monkeypatch.setattr(growth, "best_splits", lambda data, f, *args: (drawn.append(f), search(data, f, *args))[1])
    X, y = smooth(32, n=300, d=7)
    DecisionTreeRegressor(max_depth=5, max_features=3, random_state=0).fit(X, y)
    features = np.concatenate([f for f in drawn if f is not None], axis=1)  # one column a node
    assert features.shape[0] == 3
    assert np.isin(features, np.arange(7)).all()
    assert (np.diff(features, axis=0) > 0).all()
    assert len(np.unique(features, axis=1).T) > 2  # not the same for all


@pytest.mark.parametrize("entries", [1, 700])
def test_how_many_features_are_searched_at_once_does_not_matter(monkeypatch, entries):
    from notes_lib.trees.cart import search

    X, y = smooth(31, n=300, d=7)
    expected = DecisionTreeRegressor(max_depth=5).fit(X, y)
    monkeypatch.setattr(search, "BLOCK", entries)
    found = DecisionTreeRegressor(max_depth=5).fit(X, y)
    assert_array_equal(found.tree_.feature, expected.tree_.feature)
    assert_array_equal(found.tree_.threshold, expected.tree_.threshold)


@pytest.mark.parametrize(("sparse", "elsewhere"), [(10**6, 2**16 - 1), (10**6, 3), (1, 2**16 - 1)])
def test_dividing_the_order_of_the_root_is_sorting(monkeypatch, sparse, elsewhere):
    from notes_lib.trees.cart import search

    X, y = smooth(32, n=300, d=4)
    X[:, 0] = X[:, 0].round()  # equal values
    weight = np.random.default_rng(3).integers(0, 3, 300)  # a third of the rows is not there
    grown = []
    for setting in (0, sparse):
        monkeypatch.setattr(search, "SPARSE", setting)
        monkeypatch.setattr(search, "ELSEWHERE", elsewhere)
        grown.append(DecisionTreeRegressor().fit(X, y, sample_weight=weight).tree_)
    for name in ("feature", "threshold", "n_node_samples", "impurity"):
        assert_array_equal(getattr(grown[0], name), getattr(grown[1], name))


def test_neighbouring_numbers_are_told_apart():
    for low in (1.0, np.nextafter(1.0, 2)):  # between the second one and the next, the middle rounds up
        high = np.nextafter(low, 2)
        model = DecisionTreeClassifier().fit([[low], [high]], [0, 1])
        assert model.predict([[low], [high]]).tolist() == [0, 1]
    assert DecisionTreeClassifier().fit([[-1.7e308], [1.7e308]], [0, 1]).tree_.threshold[0] == 0
    assert DecisionTreeClassifier().fit([[1.6e308], [1.7e308]], [0, 1]).tree_.threshold[0] == pytest.approx(1.65e308)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_a_full_tree_reproduces_different_rows(Estimator):
    X, y = smooth(27, n=1500, d=2)
    target = y > 0 if Estimator is DecisionTreeClassifier else y
    model = Estimator().fit(X, target)
    assert model.score(X, target) == 1.0
    assert model.tree_.n_node_samples[model.tree_.is_leaf].sum() == 1500
    assert Estimator(min_samples_leaf=40).fit(X, target).tree_.n_node_samples.min() >= 40
    split = Estimator(min_samples_split=100).fit(X, target).tree_
    assert split.n_node_samples[~split.is_leaf].min() >= 100


def test_a_zero_weight_is_no_row():
    X, y = smooth(29)
    w = np.ones(300)
    w[::3] = 0
    kept = DecisionTreeClassifier(max_depth=4).fit(X[w > 0], y[w > 0] > 0).tree_
    weighted = DecisionTreeClassifier(max_depth=4).fit(X, y > 0, w).tree_
    for before, after in zip(kept, weighted, strict=True):
        assert_array_equal(before, after)


# ---------------------------------------------------------------- settings and attributes of scikit-learn


LETTERS = np.array(["a", "b", "c"])
ROOMY = {"min_samples_leaf": 12, "min_samples_split": 60, "max_depth": 4}  # few equal gains: large nodes only


def three_classes(seed):
    X, y = smooth(seed)
    return X, LETTERS[np.digitize(y, np.quantile(y, [0.1, 0.5]))]  # shares 0.1, 0.4, 0.5


@pytest.mark.parametrize(
    "class_weight", ["balanced", {"a": 8, "b": 2, "c": 1}, {"b": 5.0}, {"a": 2, "b": 2, "c": 3, "z": 9}]
)
@pytest.mark.parametrize("weighted", [False, True])
def test_class_weights_of_scikit_learn(class_weight, weighted):
    """Equal trees, with and without weights of the rows; "balanced" counts rows, whatever they weigh."""
    X, y = three_classes(5)
    w = np.random.default_rng(2).integers(1, 6, size=len(y)) if weighted else None
    sets = {"class_weight": class_weight, **ROOMY}
    ours = DecisionTreeClassifier(**sets).fit(X, y, w)
    peer = sklearn.tree.DecisionTreeClassifier(**sets, random_state=0).fit(X, y, w)
    assert_same_tree(ours.tree_, peer.tree_)
    assert_array_equal(ours.predict(X), peer.predict(X))
    plain = DecisionTreeClassifier(**ROOMY).fit(X, y, w)
    assert not np.array_equal(plain.tree_.value, ours.tree_.value)


def test_a_class_weight_is_a_factor_of_the_weights():
    X, y = three_classes(6)
    w = np.random.default_rng(3).exponential(size=len(y))
    ours = DecisionTreeClassifier(class_weight={"a": 3.0}).fit(X, y, w)
    for mine, same in zip(
        ours.tree_, DecisionTreeClassifier().fit(X, y, np.where(y == "a", 3 * w, w)).tree_, strict=True
    ):
        assert_array_equal(mine, same)


def test_log_loss_is_another_name_of_the_entropy():
    X, y = three_classes(7)
    sets = {"criterion": "log_loss", **ROOMY}
    ours = DecisionTreeClassifier(**sets).fit(X, y)
    assert_same_tree(ours.tree_, sklearn.tree.DecisionTreeClassifier(**sets, random_state=0).fit(X, y).tree_)
    for mine, same in zip(
        ours.tree_, DecisionTreeClassifier(**sets | {"criterion": "entropy"}).fit(X, y).tree_, strict=True
    ):
        assert_array_equal(mine, same)


@pytest.mark.parametrize("least", [0.001, 0.01, 0.05, 9.0])
@pytest.mark.parametrize("max_leaf_nodes", [None, 4])
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_splits_that_gain_too_little_are_not_made(Estimator, max_leaf_nodes, least):
    X, y = smooth(8)
    target = y > 0 if Estimator is DecisionTreeClassifier else y
    w = np.random.default_rng(4).integers(1, 4, size=len(y))
    sets = {"min_impurity_decrease": least, "min_samples_leaf": 8, "max_leaf_nodes": max_leaf_nodes}
    ours = Estimator(**sets).fit(X, target, w)
    peer = getattr(sklearn.tree, Estimator.__name__)(**sets, random_state=0).fit(X, target, w)
    if max_leaf_nodes is None:  # best first numbers the nodes in another order
        assert_same_tree(ours.tree_, peer.tree_)
    assert ours.get_n_leaves() == peer.get_n_leaves()
    assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-9)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_leaves_of_a_least_weight(Estimator, weighted, share):
    X, y = smooth(8)
    target = y > 0 if Estimator is DecisionTreeClassifier else y
    w = np.random.default_rng(4).integers(1, 9, size=len(y)) if weighted else None
    sets = {"min_weight_fraction_leaf": share, "min_samples_split": 40, "max_depth": 5}
    ours = Estimator(**sets).fit(X, target, w)
    peer = getattr(sklearn.tree, Estimator.__name__)(**sets, random_state=0).fit(X, target, w)
    assert_same_tree(ours.tree_, peer.tree_)
    mass = ours.tree_.weighted_n_node_samples
    assert (mass[ours.tree_.is_leaf] >= share * mass[0]).all()


@pytest.mark.parametrize(("least", "leaves"), [(0.3, 2), (0.300001, 1)])
def test_a_split_that_gains_just_the_least_is_made(least, leaves):
    """The square of the root of 0.3 is less than 0.3: rounding is not to decide."""
    X, y = [[0.0], [1.0], [2.0], [3.0]], np.sqrt(0.3) * np.array([-1.0, -1.0, 1.0, 1.0])
    peer = sklearn.tree.DecisionTreeRegressor(min_impurity_decrease=least).fit(X, y)
    assert DecisionTreeRegressor(min_impurity_decrease=least).fit(X, y).get_n_leaves() == peer.get_n_leaves() == leaves


@pytest.mark.parametrize("depth", [None, 1])
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_the_way_of_each_row(Estimator, depth):
    X, y = smooth(9)
    target = y > 0 if Estimator is DecisionTreeClassifier else y
    sets = {"min_samples_leaf": 8, "max_depth": depth}
    ours = Estimator(**sets).fit(X, target)
    peer = getattr(sklearn.tree, Estimator.__name__)(**sets, random_state=0).fit(X, target)
    found, expected = ours.decision_path(X[:50]), peer.decision_path(X[:50])
    for name in ("indptr", "indices", "data"):
        assert_array_equal(getattr(found, name), getattr(expected, name), name)
    assert found.shape == expected.shape
    assert_array_equal([row.indices[-1] for row in found], ours.apply(X[:50]))


def test_the_way_in_a_single_leaf():
    assert_array_equal(DecisionTreeRegressor().fit(LINE, [3.0] * 3).decision_path(LINE).toarray(), [[1]] * 3)


def test_attributes_and_logarithms_of_scikit_learn():
    X, y = three_classes(10)
    sets = {"max_features": "sqrt", "min_samples_leaf": 12, "random_state": 0}
    ours, peer = DecisionTreeClassifier(**sets).fit(X, y), sklearn.tree.DecisionTreeClassifier(**sets).fit(X, y)
    assert (ours.n_classes_, ours.max_features_) == (peer.n_classes_, peer.max_features_) == (3, 2)
    numbers = DecisionTreeRegressor(max_features=0.8).fit(X, X[:, 0])
    assert numbers.max_features_ == sklearn.tree.DecisionTreeRegressor(max_features=0.8).fit(X, X[:, 0]).max_features_
    full = DecisionTreeClassifier(**ROOMY).fit(X, y)
    same = sklearn.tree.DecisionTreeClassifier(**ROOMY, random_state=0).fit(X, y)
    with np.errstate(divide="ignore"):
        assert_allclose(full.predict_log_proba(X), same.predict_log_proba(X), rtol=1e-12)
    assert np.isneginf(full.predict_log_proba(X)).any()


# ---------------------------------------------------------------- contract


@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for E in ESTIMATORS for pair in estimator_checks_generator(E())]
    + list(estimator_checks_generator(DecisionTreeClassifier(criterion="entropy", max_features=1, random_state=0)))
    + list(estimator_checks_generator(DecisionTreeRegressor(leaf_error="worst", tolerance=0.1))),
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_cross_validated_and_pickled():
    X, y = load_breast_cancer(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=4)
    peer = sklearn.tree.DecisionTreeClassifier(max_depth=4, random_state=0)
    assert cross_val_score(model, X, y).mean() == pytest.approx(cross_val_score(peer, X, y).mean(), abs=0.03)
    again = pickle.loads(pickle.dumps(clone(model).fit(X, y)))
    assert_array_equal(again.predict(X), clone(model).fit(X, y).predict(X))


# ---------------------------------------------------------------- bad input

LINE, LABELS = [[0.0], [1.0], [2.0]], [0, 1, 1]
BAD_SETTINGS = [
    ({"max_depth": 0}, ValueError, "max_depth must be at least 1"),
    ({"max_depth": 2.5}, TypeError, "max_depth must be an integer"),
    ({"min_samples_split": 1}, ValueError, "min_samples_split must be at least 2"),
    ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf must be at least 1"),
    ({"max_leaf_nodes": 1}, ValueError, "max_leaf_nodes must be at least 2"),
    ({"criterion": "poisson"}, ValueError, "criterion must be one of"),
    ({"min_weight_fraction_leaf": 0.6}, ValueError, "min_weight_fraction_leaf must be at most 0.5, got 0.6"),
    ({"min_weight_fraction_leaf": -0.1}, ValueError, "min_weight_fraction_leaf must be finite and at least 0"),
    ({"min_impurity_decrease": -0.1}, ValueError, "min_impurity_decrease must be finite and at least 0"),
    ({"max_features": "all"}, ValueError, "max_features must be one of"),
    ({"max_features": 2}, ValueError, "max_features must be at most the number of features, 1, got 2"),
    ({"max_features": 0}, ValueError, "max_features must be at least 1"),
    ({"max_features": 0.0}, ValueError, "max_features as a share must lie above 0"),
    ({"max_features": 1.5}, ValueError, "max_features as a share must lie above 0 and be at most 1, got 1.5"),
]


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize(("settings", "error", "match"), BAD_SETTINGS)
def test_bad_settings(Estimator, settings, error, match):
    with pytest.raises(error, match=match):
        Estimator(**settings).fit(LINE, LABELS)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
@pytest.mark.parametrize(("weights", "match"), BAD_WEIGHTS)
def test_bad_weights(Estimator, weights, match):
    with pytest.raises(ValueError, match=match):
        Estimator().fit(LINE, LABELS, weights)


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_nan_is_refused(Estimator):
    with pytest.raises(ValueError, match="X contains NaN"):
        Estimator().fit([[0.0], [np.nan], [1.0]], LABELS)
    with pytest.raises(ValueError, match="X contains NaN"):
        Estimator().fit(LINE, LABELS).predict([[np.nan]])


TREE = DecisionTreeRegressor().fit(LINE, [1.0, 2.0, 5.0]).tree_


def weigh_classes(class_weight):
    return DecisionTreeClassifier(class_weight=class_weight).fit(LINE, LABELS)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: DecisionTreeRegressor(tolerance=-1).fit(LINE, LABELS), ValueError, "tolerance must be finite and at"),
        (lambda: DecisionTreeRegressor(leaf_error="max").fit(LINE, LABELS), ValueError, "leaf_error must be one of"),
        (lambda: DecisionTreeRegressor(criterion="gini").fit(LINE, LABELS), ValueError, "criterion must be one of"),
        (lambda: DecisionTreeClassifier().fit(LINE, [0.5, 1.5, 2.5]), ValueError, "Unknown label type"),
        (lambda: weigh_classes("balance"), ValueError, "class_weight must be one of"),
        (lambda: weigh_classes({1: 0.0}), ValueError, r"class_weight\[1\] must be positive, got 0.0: leave out rows"),
        (lambda: weigh_classes({0: "5"}), TypeError, r"class_weight\[0\] must be a number"),
        (lambda: weigh_classes({1: 5, 2: 5}), ValueError, r"class_weight names \[2\], which are not among the classes"),
        (lambda: DecisionTreeClassifier(criterion="squared_error").fit(LINE, LABELS), ValueError, "criterion must be"),
        (lambda: gini([0.5, 0.6]), ValueError, "p must be non-negative and sum to 1"),
        (lambda: gini_gain([1, 2], [1]), ValueError, "left and right must be vectors of one length"),
        (lambda: gini_gain([[1, 2]], [[1, 2]]), ValueError, "left and right must be vectors"),
        (lambda: gini_gain([0, 0], [1, 2]), ValueError, "left and right must both hold instances"),
        (lambda: gini_gain([0.5, 1], [1, 2]), ValueError, "left must hold counts"),
        (lambda: threshold_losses([1, 1], [0, 1]), ValueError, "x must hold at least two different values"),
        (lambda: threshold_losses([1, 2], [0, 1, 2]), ValueError, "y must be a vector of shape"),
        (lambda: category_split(["a", "a"], [0, 1]), ValueError, "at least two categories, got only a"),
        (lambda: category_split(["a", "b"], [0, np.inf]), ValueError, "y must be finite"),
        (lambda: fit_leaf_lines([1, 1], LINE, LABELS), ValueError, "leaf must have 3 entries as y has"),
        (lambda: predict_leaf_lines(fit_leaf_lines([1, 1, 2], LINE, LABELS), [3], [[0.0]]), ValueError, "leaf must"),
        (lambda: predict_leaf_lines(fit_leaf_lines([1, 1, 2], LINE, LABELS), [1, 1], [[0.0]]), ValueError, "leaf must"),
        (lambda: collapse(TREE, [True]), ValueError, "nodes must hold 5 truth values"),
        (lambda: collapse(TREE, [0, 1, 0, 0, 0]), ValueError, "nodes must hold 5 truth values"),
        (lambda: export_text(TREE, []), ValueError, "feature_names must name at least 1 features, got 0"),
        (lambda: export_text(TREE, class_names=["a", "b"]), ValueError, "class_names must name 1 classes, got 2"),
        (lambda: export_text(TREE, digits=0), ValueError, "digits must be at least 1"),
        (lambda: check_rows(2**21), ValueError, "X must have fewer than 2097152 rows, got 2097152: grow the tree on"),
    ],
)
def test_bad_input(call, error, match):
    with pytest.raises(error, match=match):
        call()
    check_rows(2**21 - 1)


def test_export_text_takes_the_estimator_too():
    model = DecisionTreeRegressor().fit([[1], [2]], [0, 9])
    assert export_text(model) == export_text(model.tree_)
    with pytest.raises(TypeError, match="tree must be a fitted tree or its tree_, got DecisionTreeRegressor"):
        export_text(DecisionTreeRegressor())

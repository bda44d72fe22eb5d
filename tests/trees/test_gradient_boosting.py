"""Boosted trees against a published example, scikit-learn, derivatives and line searches, their laws, and bad input."""

import pickle

import numpy as np
import pytest
import sklearn.cluster
import sklearn.ensemble
import sklearn.inspection
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.foundations.descent import golden_section
from notes_lib.numerics import central_difference
from notes_lib.trees.cart import DecisionTreeRegressor
from notes_lib.trees.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    SecondOrder,
    bin_columns,
    dependence_curves,
    grow_histogram,
    leaf_value,
    partial_dependence,
    pseudo_residuals,
    second_order_gain,
    second_order_value,
)
from notes_lib.trees.gradient_boosting.losses import grouped_quantile, loss_of

ESTIMATORS = [GradientBoostingClassifier, GradientBoostingRegressor]
NUMBERS = ["squared_error", "absolute_error", "huber"]
X_LI = np.arange(1.0, 11.0)[:, None]
Y_LI = np.array([5.56, 5.7, 5.91, 6.4, 6.8, 7.05, 8.9, 8.7, 9.0, 9.05])
LI = [  # cut, left value, right value, sum of squares after the round
    (6.5, 6.24, 8.91, 1.93), (3.5, -0.52, 0.22, 0.79), (6.5, 0.15, -0.22, 0.47),
    (4.5, -0.16, 0.11, 0.30), (6.5, 0.07, -0.11, 0.23), (2.5, -0.15, 0.04, 0.17),
]  # fmt: skip


def smooth(seed, n=300, d=4):
    """Continuous data with single precision, so that scikit-learn sees the same numbers."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    return X, X[:, 0] * X[:, 1] + 0.5 * X[:, 2] + 0.3 * rng.normal(size=n)


def classes(seed, K, **size):
    """The same with K classes."""
    X, y = smooth(seed, **size)
    return X, np.digitize(y, np.quantile(y, np.arange(1, K) / K))


# ---------------------------------------------------------------- a published example


@pytest.mark.equation("gradient-boosting-squared", "gradient-boosting-sum", "gradient-boosting-update")
def test_six_stumps():
    """Li Hang, example 8.2: the book boosts from 0, without shrinkage, and cuts digits off."""
    model = GradientBoostingRegressor(learning_rate=1.0, n_estimators=6, max_depth=1).fit(X_LI, Y_LI)
    for t, (trees, fitted, told) in enumerate(zip(model.trees_, model.staged_predict(X_LI), LI, strict=True)):
        cut, left, right, loss = told
        assert trees[0].threshold[0] == cut
        first = Y_LI.mean() if t == 0 else 0.0  # where the book has no constant
        assert_allclose(trees[0].value[1:, 0] + first, [left, right], atol=0.011)
        assert ((fitted - Y_LI) ** 2).sum() == pytest.approx(loss, abs=0.011)
        assert model.train_score_[t] == pytest.approx(((fitted - Y_LI) ** 2).mean() / 2)


# ---------------------------------------------------------------- losses and leaves


@pytest.mark.equation("gradient-boosting-residual")
@pytest.mark.parametrize("name", [*NUMBERS, "logistic", "softmax"])
def test_residuals_and_curvatures_are_derivatives(name):
    rng = np.random.default_rng(0)
    K = 3 if name == "softmax" else 1
    y = rng.integers(0, K, 12) if K > 1 else rng.integers(0, 2, 12) if name == "logistic" else rng.normal(size=12)
    y, w, F = y.astype(float), np.ones(12), rng.normal(size=(12, K))
    loss = loss_of(name, 0.6)
    if name == "huber":
        border = loss.border(y, F, w)
        assert 0.5 < (np.abs(y - F[:, 0]) <= border).mean() < 0.75
        loss.border = lambda *_: 1.01 * border  # the quantile stands still while one score moves
    for i in range(12):

        def alone(f, i=i):
            return loss.loss(y[[i]], f[None, :], w[[i]])[0]

        assert_allclose(-central_difference(alone, F[i]), loss.residual(y, F, w)[i], atol=1e-7)
        for k in range(K if name in ("squared_error", "logistic", "softmax") else 0):

            def slope(f, i=i, k=k):
                return -loss.residual(y[[i]], f[None, :], w[[i]])[0, k]

            assert central_difference(slope, F[i])[k] == pytest.approx(loss.curvature(y, F, w)[i, k], abs=1e-7)


@pytest.mark.equation("gradient-boosting-objective", "gradient-boosting-residual")
def test_a_small_step_along_the_residuals_lowers_the_objective_and_against_them_raises_it():
    rng = np.random.default_rng(1)
    y, u = rng.integers(0, 2, 20).astype(float), rng.normal(size=20)
    r = pseudo_residuals("logistic", y, u)

    def total(score):
        return loss_of("logistic").loss(y, score[:, None], np.ones(20)).sum()

    assert total(u + 0.01 * r) < total(u) < total(u - 0.01 * r)
    assert (total(u + 1e-6 * r) - total(u)) / 1e-6 == pytest.approx(-(r**2).sum(), rel=1e-4)


@pytest.mark.equation("gradient-boosting-leaf", "gradient-boosting-squared", "gradient-boosting-absolute")
@pytest.mark.parametrize("name", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("seed", range(3))
def test_leaf_values_are_line_searches(name, seed):
    rng = np.random.default_rng(seed)
    y, F, w = rng.normal(size=9), rng.normal(size=9), rng.uniform(1, 2, 9)
    loss = loss_of(name)
    best = golden_section(lambda b: float(w @ loss.loss(y, (F + b)[:, None], w)), -10, 10)
    assert leaf_value(name, y, F, w) == pytest.approx(best, abs=1e-6)


@pytest.mark.equation("gradient-boosting-huber", "gradient-boosting-newton", "gradient-boosting-logistic")
def test_approximate_leaf_values():
    gap = np.array([-1.0, 0.0, 0.5, 1.0, 9.0])
    assert leaf_value("huber", gap, np.zeros(5), alpha=0.8) == pytest.approx(0.5 + (-1 - 0.5 + 0 + 0.5 + 1) / 5)
    y, F, w = np.array([1.0, 1, 0]), np.array([0.3, -0.2, 0.5]), np.array([1.0, 2, 1])

    def total(b):
        return float(w @ loss_of("logistic").loss(y, (F + b)[:, None], w))

    slope = central_difference(lambda b: total(b[0]), [0.0])[0]
    bend = (total(1e-3) - 2 * total(0) + total(-1e-3)) / 1e-6
    assert leaf_value("logistic", y, F, w) == pytest.approx(-slope / bend, rel=1e-5)
    step = leaf_value("logistic", y, F, w)
    best = golden_section(total, -10, 10)
    assert total(best) < total(step) < total(0)
    assert step == pytest.approx(best, abs=0.1)


def test_a_curvature_that_underflows_has_a_floor():
    assert leaf_value("logistic", [0.0], [800.0]) == -1e16
    assert leaf_value("logistic", [1.0], [800.0]) == 0


@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.5, 0.9]))
@settings(max_examples=30, deadline=None)
def test_grouped_quantiles(seed, level):
    rng = np.random.default_rng(seed)
    v, g, w = rng.integers(0, 6, 30).astype(float), rng.integers(0, 4, 30), rng.integers(0, 3, 30).astype(float)
    w[:4], g[:4] = 1, np.arange(4)
    expected = [
        np.quantile(np.repeat(v[g == k], w[g == k].astype(int)), level, method="inverted_cdf") for k in range(4)
    ]
    assert_array_equal(grouped_quantile(v, w, level, g, 4), expected)


# ---------------------------------------------------------------- scikit-learn


@pytest.mark.equation(
    "gradient-boosting-sum", "gradient-boosting-projection", "gradient-boosting-leaf", "gradient-boosting-importance",
    "gradient-boosting-squared", "gradient-boosting-absolute", "gradient-boosting-huber",
)  # fmt: skip
@pytest.mark.parametrize("loss", NUMBERS)
@pytest.mark.parametrize("weighted", [False, True])
def test_regression_of_scikit_learn(loss, weighted):
    X, y = smooth(1, n=301)  # an odd number: one median
    y[:5] += 20
    w = np.random.default_rng(2).exponential(size=len(y)) if weighted else None
    sets = {"loss": loss, "n_estimators": 25, "max_depth": 2, "learning_rate": 0.3, "min_samples_leaf": 8}
    ours = GradientBoostingRegressor(**sets, alpha=0.8).fit(X, y, w)
    peer = sklearn.ensemble.GradientBoostingRegressor(**sets, alpha=0.8, random_state=0).fit(X, y, w)
    stages = list(ours.staged_predict(X))
    assert len(stages) == 25
    same = 25 if loss == "squared_error" else 1  # then medians are met, where the peer takes 1 as the sign of 0
    for mine, other in zip(stages[:same], peer.staged_predict(X), strict=False):
        assert_allclose(mine, other, atol=1e-9)
    if loss == "squared_error":
        assert_allclose(2 * ours.train_score_, peer.train_score_, rtol=1e-9)
        assert_allclose(ours.predict(X), peer.predict(X), atol=1e-9)
        assert_allclose(ours.feature_importances_, peer.feature_importances_, rtol=1e-7)
    assert ours.n_estimators_ == 25
    assert ours.validation_score_.size == 0


@pytest.mark.equation(
    "gradient-boosting-logistic", "gradient-boosting-softmax", "gradient-boosting-newton",
    "gradient-boosting-importance",
)  # fmt: skip
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_classification_of_scikit_learn(K, weighted):
    X, y = classes(3, K)
    names = np.array(["c", "a", "b"])[y]
    w = np.random.default_rng(2).integers(1, 4, len(y)) if weighted else None
    sets = {"n_estimators": 15, "max_depth": 2, "learning_rate": 0.2, "min_samples_leaf": 8}
    ours = GradientBoostingClassifier(**sets).fit(X, names, w)
    peer = sklearn.ensemble.GradientBoostingClassifier(**sets, random_state=0).fit(X, names, w)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-9)
    for mine, other in zip(ours.staged_predict_proba(X), peer.staged_predict_proba(X), strict=True):
        assert_allclose(mine, other, atol=1e-9)
    for mine, other in zip(ours.staged_predict(X), peer.staged_predict(X), strict=True):
        assert_array_equal(mine, other)
    assert_array_equal(ours.predict(X), peer.predict(X))
    if K == 2:
        assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-9)
        assert_allclose(2 * ours.train_score_, peer.train_score_, rtol=1e-9)
    else:
        assert ours.decision_function(X).shape == (300, 3)
        assert_allclose(ours.train_score_, peer.train_score_, rtol=1e-9)
    assert_allclose(ours.feature_importances_, peer.feature_importances_, rtol=1e-7)


@pytest.mark.equation("gradient-boosting-gain", "gradient-boosting-value", "gradient-boosting-second-order")
@pytest.mark.parametrize("kind", ["numbers", 2, 3])
def test_histograms_of_scikit_learn(kind):
    """With few different values all bins are known; the peer keeps derivatives in single precision."""
    X, y = smooth(5, n=400) if kind == "numbers" else classes(5, kind, n=400)
    X = np.round(2 * X)
    sets = {"learning_rate": 0.3, "max_depth": 3, "min_samples_leaf": 10}
    name = "Regressor" if kind == "numbers" else "Classifier"
    peer = getattr(sklearn.ensemble, f"HistGradientBoosting{name}")(
        max_iter=8, l2_regularization=2.0, max_leaf_nodes=None, early_stopping=False, **sets).fit(X, y)  # fmt: skip
    Ours = GradientBoostingRegressor if kind == "numbers" else GradientBoostingClassifier
    ours = Ours(n_estimators=8, reg_lambda=2.0, tree_method="hist", **sets).fit(X, y)
    if kind == "numbers":
        assert_allclose(ours.predict(X), peer.predict(X), atol=1e-5)
    else:
        assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-5)


# ---------------------------------------------------------------- the second-order objective


@pytest.mark.equation("gradient-boosting-second-order", "gradient-boosting-value", "gradient-boosting-gain")
@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_value_and_gain_minimise_the_quadratic(seed):
    rng = np.random.default_rng(seed)
    g, h = rng.normal(size=8), rng.uniform(0.1, 1, size=8)
    penalty, price = rng.uniform(0, 2, size=2)
    side = np.arange(8) < rng.integers(1, 8)

    def best(rows):
        """Smallest value of the objective of one leaf, by golden section."""

        def objective(b):
            return g[rows].sum() * b + (h[rows].sum() + penalty) * b * b / 2 + price

        b = golden_section(objective, -100, 100)
        assert second_order_value(g[rows].sum(), h[rows].sum(), penalty) == pytest.approx(b, abs=1e-4)
        return objective(b)

    gain = second_order_gain(g[side].sum(), h[side].sum(), g[~side].sum(), h[~side].sum(), penalty, price)
    assert gain == pytest.approx(best(np.full(8, True)) - best(side) - best(~side), abs=1e-8)


@pytest.mark.equation("gradient-boosting-gain", "cart-gain")
@pytest.mark.parametrize("n", [40, 900])
def test_a_histogram_tree_for_squared_errors_is_the_regression_tree(n):
    X, y = smooth(7, n=n)
    X = np.round(5 * X)
    tree, leaf = grow_histogram(
        bin_columns(X), -y, np.ones(n), np.ones(n), SecondOrder(max_depth=4, min_samples_leaf=3)
    )
    peer = DecisionTreeRegressor(max_depth=4, min_samples_leaf=3).fit(X, y)
    assert_allclose(tree.value[leaf, 0], peer.predict(X), rtol=1e-10)
    assert_array_equal(tree.apply(X), leaf)
    assert tree.n_leaves == peer.get_n_leaves()
    assert_allclose(tree.importances(4), peer.feature_importances_, rtol=1e-9)
    assert_array_equal(np.bincount(leaf, minlength=tree.node_count)[tree.is_leaf], tree.n_node_samples[tree.is_leaf])
    assert tree.gains()[0] == pytest.approx(peer.tree_.gains()[0] / 2)


def test_penalties_make_smaller_trees_and_values():
    X, y = smooth(9)
    free = GradientBoostingRegressor(tree_method="hist", n_estimators=1).fit(X, y).trees_[0][0]
    shrunk = GradientBoostingRegressor(tree_method="hist", n_estimators=1, reg_lambda=50.0).fit(X, y).trees_[0][0]
    assert np.abs(shrunk.value).max() < np.abs(free.value).max()
    gains = free.gains()[~free.is_leaf]
    pruned = GradientBoostingRegressor(tree_method="hist", n_estimators=1, gamma=gains[0] * 0.999).fit(X, y)
    assert pruned.trees_[0][0].n_leaves >= 2
    none = GradientBoostingRegressor(tree_method="hist", n_estimators=1, gamma=gains[0] * 1.001).fit(X, y)
    assert none.trees_[0][0].n_leaves == 1
    assert_array_equal(none.feature_importances_, np.zeros(4))
    rest = GradientBoostingRegressor(tree_method="hist", n_estimators=1, min_samples_split=301).fit(X, y)
    assert rest.trees_[0][0].n_leaves == 1


def test_bins_hold_equal_shares_of_many_values():
    x = np.random.default_rng(0).exponential(size=5000)
    binned = bin_columns(np.column_stack([x, np.round(x)]), 16)
    assert binned.bins == 16
    counts = np.bincount(binned.code[0])
    assert len(counts) == 16
    assert counts.min() > 300
    assert_array_equal(binned.edges[1], np.arange(len(binned.edges[1])) + 0.5)
    for column, code, edges in zip([x, np.round(x)], binned.code, binned.edges, strict=True):
        assert_array_equal(code, [(edges < v).sum() for v in column])


def test_few_bins_lose_little():
    X, y = smooth(11, n=800)
    exact, hist = (GradientBoostingRegressor(tree_method=m).fit(X[:400], y[:400]) for m in ("exact", "hist"))
    coarse = GradientBoostingRegressor(tree_method="hist", max_bin=8).fit(X[:400], y[:400])
    score = [m.score(X[400:], y[400:]) for m in (exact, hist, coarse)]
    assert abs(score[0] - score[1]) < 0.08
    assert score[2] > score[0] - 0.15
    assert len(np.unique(np.concatenate([t[0].threshold[t[0].feature == 0] for t in coarse.trees_]))) <= 7


# ---------------------------------------------------------------- rounds, shrinkage, samples, stopping


@pytest.mark.parametrize("method", ["exact", "hist"])
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_whole_weights_act_like_repeated_rows(Estimator, method):
    X, y = smooth(13, n=120)
    y = y if Estimator is GradientBoostingRegressor else np.digitize(y, [-0.3, 0.3])
    w = np.random.default_rng(1).integers(0, 4, 120)
    sets = {"n_estimators": 6, "max_depth": 2, "tree_method": method}
    weighted = Estimator(**sets).fit(X, y, w)
    repeated = Estimator(**sets).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    score = "predict" if Estimator is GradientBoostingRegressor else "predict_proba"
    assert_allclose(getattr(weighted, score)(X), getattr(repeated, score)(X), atol=1e-9)
    assert_allclose(weighted.train_score_, repeated.train_score_)


@pytest.mark.parametrize("loss", ["absolute_error", "huber"])
def test_weights_of_robust_losses_act_like_repeated_rows(loss):
    X, y = smooth(13, n=120)
    w = np.random.default_rng(1).integers(0, 4, 120)
    weighted = GradientBoostingRegressor(loss=loss, n_estimators=1, max_depth=1).fit(X, y, w)
    repeated = GradientBoostingRegressor(loss=loss, n_estimators=1, max_depth=1).fit(
        np.repeat(X, w, axis=0), np.repeat(y, w))  # fmt: skip
    assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-9)


@pytest.mark.equation("gradient-boosting-update")
@pytest.mark.parametrize("rate", [0.1, 1.0])
def test_every_round_lowers_the_squared_error(rate):
    X, y = smooth(15)
    model = GradientBoostingRegressor(learning_rate=rate, n_estimators=30).fit(X, y)
    assert (np.diff(model.train_score_) < 0).all()
    first = DecisionTreeRegressor(max_depth=3).fit(X, y - y.mean())
    once = next(model.staged_predict(X))
    assert_allclose(once, y.mean() + rate * first.predict(X), atol=1e-12)
    assert model.baseline_[0] == pytest.approx(y.mean())


def test_a_step_above_two_diverges():
    X, y = smooth(15)
    model = GradientBoostingRegressor(learning_rate=2.5, n_estimators=30).fit(X, y)
    assert model.train_score_[-1] > 100 * model.train_score_[0]


@pytest.mark.parametrize("method", ["exact", "hist"])
def test_subsamples_are_drawn_without_replacement(method):
    X, y = smooth(17)
    sets = {"n_estimators": 5, "subsample": 0.4, "tree_method": method}
    model = GradientBoostingRegressor(**sets, random_state=0).fit(X, y)
    for (tree,) in model.trees_:
        assert tree.n_node_samples[0] == tree.weighted_n_node_samples[0] == 120
    again = GradientBoostingRegressor(**sets, random_state=0).fit(X, y)
    other = GradientBoostingRegressor(**sets, random_state=1).fit(X, y)
    assert_array_equal(model.predict(X), again.predict(X))
    assert not np.array_equal(model.predict(X), other.predict(X))
    assert len({tree.threshold[0] for (tree,) in model.trees_}) > 1
    one = GradientBoostingRegressor(n_estimators=3, subsample=1e-6, tree_method=method, random_state=0).fit(X, y)
    assert [tree.weighted_n_node_samples.tolist() for (tree,) in one.trees_] == [[1.0]] * 3  # a row at least


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_early_stopping_ends_when_held_out_loss_stalls(Estimator):
    X, y = smooth(19)
    y = y if Estimator is GradientBoostingRegressor else y > 0
    sets = {"n_estimators": 400, "learning_rate": 0.3, "n_iter_no_change": 5, "validation_fraction": 0.25, "tol": 1e-3}
    model = Estimator(**sets, random_state=0).fit(X, y)
    v = model.validation_score_
    assert 5 < model.n_estimators_ == len(v) == len(model.trees_) == len(model.train_score_) < 400
    for t in range(6, len(v) + 1):  # it stalls at the end, and not before
        assert (v[t - 5 : t].min() > v[: t - 5].min() - 1e-3) == (t == len(v))
    assert model.trees_[0][0].n_node_samples[0] == 225
    if Estimator is GradientBoostingClassifier:
        assert model.baseline_[0] == pytest.approx(np.log(y.mean() / (1 - y.mean())), abs=0.02)  # the same share


def test_a_gain_below_tol_is_none():
    """The held-out loss falls, by less than 1000: the rounds end as soon as they may."""
    X, y = smooth(19)
    model = GradientBoostingRegressor(n_estimators=9, n_iter_no_change=3, tol=1e3, random_state=0).fit(X, y)
    assert model.validation_score_[-1] < model.validation_score_[0]
    assert model.n_estimators_ == 4


def test_the_held_out_loss_is_that_of_the_rows_that_no_tree_saw():
    X, y = smooth(21)
    model = GradientBoostingRegressor(n_estimators=4, n_iter_no_change=10, random_state=3).fit(X, y)
    total = ((y - model.predict(X)) ** 2).sum() / 2
    assert 270 * model.train_score_[-1] + 30 * model.validation_score_[-1] == pytest.approx(total)
    assert model.n_estimators_ == 4


# ---------------------------------------------------------------- attributes of scikit-learn


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("method", ["exact", "hist"])
def test_trees_as_estimators(K, method):
    X, y = classes(24, K)
    model = GradientBoostingClassifier(n_estimators=4, tree_method=method, max_depth=2).fit(X, y)
    peer = sklearn.ensemble.GradientBoostingClassifier(n_estimators=4, max_depth=2).fit(X, y)
    assert model.estimators_.shape == peer.estimators_.shape == (4, 1 if K == 2 else K)
    assert type(model[0][0]).__name__ == type(peer[0][0]).__name__
    assert model.n_classes_ == peer.n_classes_ == K
    assert (len(model), len(list(model))) == (4, 4)
    F = model.baseline_ + model.learning_rate * sum(np.column_stack([t.predict(X) for t in row]) for row in model)
    assert_allclose(F[:, 0] if K == 2 else F, model.decision_function(X), rtol=1e-10, atol=1e-12)
    assert max(tree.get_depth() for row in model for tree in row) == model[0][0].max_depth == 2
    assert model[0][0].max_features_ == peer[0][0].max_features_
    with pytest.raises(NotFittedError):
        len(GradientBoostingRegressor())


@pytest.mark.parametrize("K", [2, 3])
def test_logarithms_of_probabilities(K):
    X, y = classes(25, K)
    model = GradientBoostingClassifier(n_estimators=30).fit(X, y)
    assert_allclose(model.predict_log_proba(X), np.log(model.predict_proba(X)), rtol=1e-10, atol=1e-13)
    steep = GradientBoostingClassifier(n_estimators=400, learning_rate=2.0, max_depth=1).fit([[0.0], [1.0]], [0, 1])
    assert np.isfinite(steep.predict_log_proba([[0.0], [1.0]])).all()


# ---------------------------------------------------------------- partial dependence


@pytest.mark.equation("gradient-boosting-dependence")
def test_curves_of_a_function():
    X, _ = smooth(23)
    grid = np.linspace(-1, 1, 7)
    found = dependence_curves(lambda Z: Z[:, 0] ** 2 + 3 * Z[:, 1], X, 0, grid)
    assert_allclose(found.average, grid**2 + 3 * X[:, 1].mean())
    assert_allclose(found.individual, grid**2 + 3 * X[:, [1]])
    assert_array_equal(found.grid, grid)


def same_dependence(model, X, features, **settings):
    """Both functions on one estimator; what they return, name by name."""
    before = X.copy()
    ours = partial_dependence(model, X, features, **settings)
    peer = sklearn.inspection.partial_dependence(model, X, features, **{"method": "brute", **settings})
    assert_array_equal(X, before)
    assert type(ours) is type(peer)
    assert ours.keys() == peer.keys()
    for mine, theirs in zip(ours.grid_values, peer.grid_values, strict=True):
        assert_allclose(mine, theirs, rtol=1e-12)
    for name in ours.keys() - {"grid_values"}:
        assert ours[name].shape == peer[name].shape
        assert_allclose(ours[name], peer[name], rtol=1e-12)
    return ours


@pytest.mark.equation("gradient-boosting-dependence")
@pytest.mark.parametrize(
    ("features", "settings"),
    [
        ([2], {}),
        (2, {"kind": "individual"}),
        ([0, 2], {"kind": "both", "grid_resolution": 5}),
        ([2, 0], {"custom_values": {0: [-0.5, 0.5], 2: [0.0, 0.1, 0.2]}, "kind": "both"}),
        ([1], {"percentiles": (0.2, 1.0), "grid_resolution": 9, "method": "auto", "kind": "both"}),
        ([1, 2], {"percentiles": (0.0, 0.6), "grid_resolution": 2}),
        ([3], {"grid_resolution": 9}),  # fewer different values
        ([3], {"grid_resolution": 4, "percentiles": (0.3, 0.8)}),  # just as many
        ([0], {"sample_weight": np.arange(60), "kind": "both", "grid_resolution": 3}),
    ],
)
def test_partial_dependence_of_scikit_learn(features, settings):
    X, y = smooth(23, n=60)
    X[:, 3] = np.round(X[:, 3]).clip(-1, 2)
    same_dependence(GradientBoostingRegressor(n_estimators=8).fit(X, y), X, features, **settings)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("response_method", ["auto", "predict_proba", "decision_function"])
def test_partial_dependence_of_classes(K, response_method):
    X, y = classes(23, K, n=60)
    model = GradientBoostingClassifier(n_estimators=8).fit(X, y)
    settings = {"response_method": response_method, "grid_resolution": 4, "kind": "both"}
    found = same_dependence(model, X, [0, 2], **settings)
    assert found.average.shape == (1 if K == 2 else K, 4, 4)
    scores = sklearn.linear_model.RidgeClassifier().fit(X, y)  # has no predict_proba
    if response_method != "predict_proba":
        same_dependence(scores, X, [1], **settings)


def test_partial_dependence_of_several_targets():
    X, y = smooth(23, n=60)
    model = sklearn.linear_model.LinearRegression().fit(X, np.column_stack([y + 50, 60 - 2 * y, y**2 + 9]))
    found = same_dependence(model, X, [0, 2], grid_resolution=4, kind="both")
    assert found.average.shape == (3, 4, 4)


def test_partial_dependence_of_what_has_no_single_response():
    X, y = classes(23, 3, n=60)
    with pytest.raises(ValueError, match="estimator must be a classifier or a regressor, got KMeans"):
        partial_dependence(sklearn.cluster.KMeans(2).fit(X), X, [0])
    forest = sklearn.ensemble.RandomForestClassifier(3).fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="estimator must have one output"):
        partial_dependence(forest, X, [0])


def test_the_curves_are_the_case_of_one_feature():
    X, y = smooth(23, n=60)
    model = GradientBoostingRegressor(n_estimators=8).fit(X, y)
    curves = dependence_curves(model.predict, X, 2, [-0.5, 0.5])
    found = partial_dependence(model, X, [2], custom_values={2: [-0.5, 0.5]}, kind="both")
    assert_allclose(found.average, [curves.average], rtol=1e-12)
    assert_array_equal(found.individual, [curves.individual])


@pytest.mark.parametrize(
    ("settings", "error", "match"),
    [
        ({"features": [0, 4]}, ValueError, r"features must hold different integers from 0 to 3, got \[0, 4\]"),
        ({"features": -1}, ValueError, r"features must hold different integers from 0 to 3, got \[-1\]"),
        ({"features": []}, ValueError, "features must hold at least one integer from 0 to 3"),
        ({"percentiles": (0.9, 0.1)}, ValueError, "percentiles must be two increasing shares between 0 and 1"),
        ({"percentiles": (0.1, 1.1)}, ValueError, "percentiles must be two increasing shares between 0 and 1"),
        ({"percentiles": (0.5,)}, ValueError, "percentiles must be a vector of shape"),
        ({"features": [3], "grid_resolution": 2, "percentiles": (0.4, 0.41)}, ValueError, "are the same number"),
        ({"grid_resolution": 1}, ValueError, "grid_resolution must be at least 2"),
        ({"custom_values": {0: [[1.0]]}}, ValueError, r"custom_values\[0\] must be a vector"),
        ({"method": "recursion"}, ValueError, "method must be one of"),
        ({"kind": "mean"}, ValueError, "kind must be one of"),
        ({"response_method": "predict"}, ValueError, "response_method must be one of"),
        ({"response_method": "predict_proba"}, ValueError, "is for classifiers: leave it 'auto'"),
        ({"sample_weight": [-1] * 60}, ValueError, "sample_weight must not be negative"),
    ],
)
def test_bad_partial_dependence(settings, error, match):
    X, y = smooth(23, n=60)
    X[:, 3] = np.round(X[:, 3]).clip(-1, 2)
    model = DecisionTreeRegressor(max_depth=2).fit(X, y)
    with pytest.raises(error, match=match):
        partial_dependence(model, X, **{"features": [0]} | settings)


# ---------------------------------------------------------------- extremes


@pytest.mark.parametrize("method", ["exact", "hist"])
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_constant_features(Estimator, method):
    model = Estimator(n_estimators=3, tree_method=method).fit(np.ones((6, 2)), [0, 1, 1, 0, 1, 1])
    assert_array_equal(model.feature_importances_, [0, 0])
    expected = 2 / 3
    found = (
        model.predict([[5.0, 5.0]]) if Estimator is GradientBoostingRegressor else model.predict_proba([[5, 5]])[:, 1]
    )
    assert found[0] == pytest.approx(expected)
    assert all(tree.node_count == 1 for (tree,) in model.trees_)


@pytest.mark.parametrize("method", ["exact", "hist"])
@pytest.mark.parametrize("value", [0.1, -7e9, 0.0])
def test_constant_targets(method, value):
    X, _ = smooth(25)
    model = GradientBoostingRegressor(n_estimators=5, tree_method=method).fit(X, np.full(300, value))
    assert_allclose(model.predict(X), value, rtol=1e-12)
    assert {tree.node_count for (tree,) in model.trees_} == {1}
    for loss in ("absolute_error", "huber"):
        assert_array_equal(
            GradientBoostingRegressor(loss=loss, n_estimators=3).fit(X, np.full(300, value)).predict(X), value
        )


@pytest.mark.parametrize("method", ["exact", "hist"])
@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1e9, 1e100])
def test_scales(method, scale):
    X, y = smooth(27)
    sets = {"n_estimators": 5, "tree_method": method}
    expected = GradientBoostingRegressor(**sets).fit(X, y).predict(X)
    assert_allclose(GradientBoostingRegressor(**sets).fit(scale * X, y).predict(scale * X), expected)
    assert_allclose(GradientBoostingRegressor(**sets).fit(X, scale * y).predict(X), scale * expected, rtol=1e-7)


@pytest.mark.parametrize("method", ["exact", "hist"])
def test_separable_classes_stay_finite(method):
    X = np.arange(20.0)[:, None]
    model = GradientBoostingClassifier(learning_rate=1.0, n_estimators=200, tree_method=method).fit(X, X[:, 0] > 9)
    assert model.score(X, X[:, 0] > 9) == 1.0
    assert np.isfinite(model.decision_function(X)).all()
    assert model.train_score_[-1] < 1e-6


# ---------------------------------------------------------------- contract and bad input


@pytest.mark.parametrize(
    ("estimator", "check"),
    [pair for E in ESTIMATORS for m in ("exact", "hist")
     for pair in estimator_checks_generator(E(n_estimators=10, tree_method=m))],
)  # fmt: skip
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_cross_validated_and_pickled():
    X, y = load_breast_cancer(return_X_y=True)
    model = GradientBoostingClassifier(n_estimators=20, tree_method="hist")
    peer = sklearn.ensemble.HistGradientBoostingClassifier(max_iter=20)
    assert cross_val_score(model, X, y, cv=3).mean() == pytest.approx(
        cross_val_score(peer, X, y, cv=3).mean(), abs=0.03
    )
    again = pickle.loads(pickle.dumps(clone(model).fit(X, y)))
    assert_array_equal(again.predict(X), model.fit(X, y).predict(X))
    flowers, species = load_iris(return_X_y=True)
    assert GradientBoostingClassifier(n_estimators=10).fit(flowers, species).score(flowers, species) > 0.97


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ({"learning_rate": 0}, "learning_rate must be positive, got 0: choose a step"),
        ({"learning_rate": -0.1}, "learning_rate must be finite and at least 0"),
        ({"learning_rate": np.nan}, "learning_rate"),
        ({"n_estimators": 0}, "n_estimators"),
        ({"max_depth": 0}, "max_depth"),
        ({"min_samples_split": 1}, "min_samples_split"),
        ({"min_samples_leaf": 0}, "min_samples_leaf"),
        ({"max_bin": 1}, "max_bin"),
        ({"subsample": 0}, "subsample must be positive"),
        ({"subsample": 1.5}, "subsample is a share of the rows, got 1.5"),
        ({"tree_method": "approx"}, "tree_method"),
        ({"reg_lambda": 1.0}, "reg_lambda belongs to the second-order objective: set tree_method='hist'"),
        ({"gamma": 1.0}, "gamma belongs"),
        ({"reg_lambda": -1.0, "tree_method": "hist"}, "reg_lambda must be finite and at least 0"),
        ({"n_iter_no_change": 0}, "n_iter_no_change"),
        ({"n_iter_no_change": 2, "tol": -1.0}, "tol"),
        ({"n_iter_no_change": 2, "validation_fraction": 1.0}, "validation_fraction is a share"),
        ({"n_iter_no_change": 2, "validation_fraction": 0.001}, "validation_fraction=0.001 of 40 rows leaves nothing"),
    ],
)
@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_bad_parameters(Estimator, sets, words):
    X, y = smooth(29, n=40)
    with pytest.raises(ValueError, match=words):
        Estimator(**sets).fit(X, y > 0)


def test_bad_losses():
    X, y = smooth(29, n=40)
    with pytest.raises(ValueError, match="loss must be one of"):
        GradientBoostingRegressor(loss="quantile").fit(X, y)
    with pytest.raises(ValueError, match="tree_method='hist' needs a second derivative, which 'huber' lacks"):
        GradientBoostingRegressor(loss="huber", tree_method="hist").fit(X, y)
    with pytest.raises(ValueError, match="alpha, a share of the residuals, must lie between 0 and 1, got 1"):
        GradientBoostingRegressor(loss="huber", alpha=1).fit(X, y)
    with pytest.raises(ValueError, match=r"loss must be one of squared_error, .*, got 'hinge'"):
        pseudo_residuals("hinge", [1.0], [0.0])


@pytest.mark.parametrize("Estimator", ESTIMATORS)
def test_bad_data(Estimator):
    X, y = smooth(29, n=40)
    with pytest.raises(ValueError, match="zero for every row"):
        Estimator().fit(X, y > 0, np.zeros(40))
    with pytest.raises(ValueError, match="must not be negative"):
        Estimator().fit(X, y > 0, -np.ones(40))
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        Estimator().fit(X, y > 0)
    with pytest.raises(ValueError, match="NaN"):
        Estimator(n_estimators=1).fit(X[10:], y[10:] > 0).predict(X)


def test_one_class_and_a_class_without_weight():
    X, _ = smooth(29, n=6)
    with pytest.raises(
        ValueError, match=r"at least two classes, each with a positive weight, got 1 class with a weight among .'a'"
    ):
        GradientBoostingClassifier().fit(X, ["a"] * 6)
    with pytest.raises(ValueError, match="remove rows of weight 0"):
        GradientBoostingClassifier().fit(X, [0, 0, 1, 1, 2, 2], [1, 1, 1, 1, 0, 0])
    with pytest.raises(ValueError, match="or a class without training rows"):
        GradientBoostingClassifier(n_iter_no_change=2, validation_fraction=0.5).fit(X, [0, 1, 2, 3, 4, 5])


def test_bad_steps():
    with pytest.raises(ValueError, match="score"):
        pseudo_residuals("logistic", [1, 0], [0.0])
    with pytest.raises(ValueError, match="zero for every row"):
        leaf_value("squared_error", [1.0], [0.0], [0.0])
    with pytest.raises(ValueError, match="reg_lambda"):
        second_order_value(1.0, 1.0, -1.0)
    with pytest.raises(ValueError, match="feature must be a column from 0 to 1, got 2"):
        dependence_curves(len, np.ones((3, 2)), 2, [1.0])
    assert second_order_value(0.0, 0.0) == 0

"""AdaBoost against a published example, plain loops, scikit-learn, its own laws, and bad input."""

import pickle
import warnings
from itertools import pairwise, product

import numpy as np
import pytest
import sklearn.ensemble
import sklearn.tree
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.foundations.risk import margin_exponential
from notes_lib.trees.adaboost import (
    AdaBoostClassifier,
    Stump,
    best_stump,
    exponential_update,
    mistake_update,
    normalizer,
    sort_columns,
    training_bound,
    vote,
    vote_margins,
    weighted_error,
)
from notes_lib.trees.adaboost.stumps import stump_tree, tree_stump
from notes_lib.trees.cart import DecisionTreeClassifier

X_LI = np.arange(10.0)[:, None]
Y_LI = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
NO_WARNING = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def noisy(seed, n=300, d=4, classes=2):
    """Single precision, so that scikit-learn sees the same numbers; some labels are wrong."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    z = X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=n)
    return X, np.digitize(z, np.quantile(z, np.arange(1, classes) / classes))


def plain_stump(X, y, w, K, score):
    """The best threshold by a double loop."""
    best = None
    for j in range(X.shape[1]):
        for low, high in pairwise(np.unique(X[:, j])):
            left = X[:, j] <= (low + high) / 2
            value = score([np.bincount(y[s], w[s], K) for s in (left, ~left)])
            if best is None or value > best[0] + 1e-11:
                best = (value, j, (low + high) / 2)
    return best


SCORES = {
    "error": lambda sides: sum(s.max() for s in sides),
    "gini": lambda sides: sum((s**2).sum() / s.sum() for s in sides),
}


# ---------------------------------------------------------------- published example


@pytest.mark.equation("adaboost-error", "adaboost-alpha", "adaboost-update", "adaboost-mistakes")
def test_three_rounds_of_ten_points():
    """Li Hang, example 8.1; the book rounds the third error to 0.182 before it takes the logarithm."""
    model = AdaBoostClassifier(n_estimators=3, criterion="error").fit(X_LI, Y_LI)
    assert_allclose(model.estimator_errors_, [0.3, 0.2143, 0.182], atol=0.0003)
    assert_allclose(model.estimator_weights_ / 2, [0.4236, 0.6496, 0.7514], atol=0.001)
    assert [(s.threshold, s.below) for s in model.stumps_] == [(2.5, 1), (8.5, 1), (5.5, -1)]
    wrong = [int((h != Y_LI).sum()) for h in model.staged_predict(X_LI)]
    assert wrong == [3, 3, 0]
    after = [
        [0.07143] * 6 + [0.16667] * 3 + [0.07143],
        [0.0455] * 3 + [0.1667] * 3 + [0.106] * 3 + [0.0455],
        [0.125] * 3 + [0.102] * 3 + [0.065] * 3 + [0.125],
    ]
    w = other = np.full(10, 0.1)
    for stump, expected in zip(model.stumps_, after, strict=True):
        h = stump.predict(X_LI)
        epsilon = weighted_error(w, h != Y_LI)
        w = exponential_update(w, Y_LI, h, vote(epsilon))
        other = mistake_update(other, h != Y_LI, epsilon)
        assert_allclose(w, expected, atol=0.0006)
        assert_allclose(other, expected, atol=0.0006)


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("adaboost-error", "cart-gini-gain")
@pytest.mark.parametrize("criterion", ["gini", "error"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_best_stump_by_a_double_loop(criterion, classes, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, size=(40, 3)).astype(float) if seed % 2 else rng.normal(size=(40, 3))
    y = np.r_[np.arange(classes), rng.integers(0, classes, 40 - classes)]
    w = rng.exponential(size=40)
    w /= w.sum()
    stump = best_stump(sort_columns(X, y), np.eye(classes)[y].T * w, criterion)
    value, feature, threshold = plain_stump(X, y, w, classes, SCORES[criterion])
    assert (stump.feature, stump.threshold) == (feature, pytest.approx(threshold))
    left = X[:, stump.feature] <= stump.threshold
    assert stump.below == np.bincount(y[left], w[left], classes).argmax()
    assert stump.above == np.bincount(y[~left], w[~left], classes).argmax()
    assert_array_equal(stump.predict(X), np.where(left, stump.below, stump.above))
    if criterion == "error":
        assert weighted_error(w, stump.predict(X) != y) == pytest.approx(1 - value)


@pytest.mark.parametrize("criterion", ["gini", "error"])
@pytest.mark.parametrize("decimals", [0, 1, 9])
@pytest.mark.parametrize("seed", range(8))
def test_bounded_blocks_lose_no_cut(criterion, decimals, seed):
    """A third class without instances leaves the best stump as it is, but has every cut scored."""
    X, y = noisy(seed, n=2005 + seed)
    rng = np.random.default_rng(seed)
    columns = sort_columns(X.round(decimals), y)
    for heavy in (1, 4):
        w = rng.exponential(size=len(y)) ** heavy
        w /= w.sum()
        two, three = (np.eye(classes)[y].T * w for classes in (2, 3))
        assert best_stump(columns, two, criterion) == best_stump(columns, three, criterion)


@pytest.mark.parametrize("criterion", ["gini", "error"])
@pytest.mark.parametrize("zeros", [255, 256, 257])
def test_classes_that_change_at_the_end_of_a_block(criterion, zeros):
    """No sum bounds the best score from above by more than a rounding error."""
    X, y = np.arange(600.0)[:, None], np.repeat([0, 1], [zeros, 600 - zeros])
    stump = best_stump(sort_columns(X, y), np.eye(2)[y].T / 600, criterion)
    assert stump == Stump(0, zeros - 0.5, 0, 1)


def test_two_classes_and_many_rows_go_by_blocks(monkeypatch):
    """Both ways give the same stump, so one must look inside to see that the quick one is taken."""
    from notes_lib.trees.adaboost import stumps

    monkeypatch.delattr(stumps, "_scores_by_features")
    for n in (stumps.MANY, 2000):
        AdaBoostClassifier(n_estimators=2).fit(*noisy(0, n=n))
    for n, classes in [(stumps.MANY - 1, 2), (2000, 3)]:
        with pytest.raises(NameError, match="_scores_by_features"):
            AdaBoostClassifier(n_estimators=2).fit(*noisy(0, n=n, classes=classes))


@pytest.mark.equation("adaboost-update", "adaboost-samme", "cart-gini-gain")
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
def test_rounds_of_scikit_learn(classes, rate, weighted):
    X, y = noisy(1, classes=classes)
    w = np.random.default_rng(2).exponential(size=len(y)) if weighted else None
    ours = AdaBoostClassifier(n_estimators=30, learning_rate=rate).fit(X, y, w)
    peer = sklearn.ensemble.AdaBoostClassifier(n_estimators=30, learning_rate=rate, random_state=0).fit(X, y, w)
    assert [s.feature for s in ours.stumps_] == [t.tree_.feature[0] for t in peer.estimators_]
    assert_allclose([s.threshold for s in ours.stumps_], [t.tree_.threshold[0] for t in peer.estimators_])
    assert_allclose(ours.estimator_errors_, peer.estimator_errors_, rtol=1e-9)
    assert_allclose(ours.estimator_weights_, peer.estimator_weights_, rtol=1e-9)
    assert_allclose(ours.feature_importances_, peer.feature_importances_, rtol=1e-9)
    factor = 2 if classes == 2 else 1  # the peer counts a vote of two classes twice
    assert_allclose(factor * ours.decision_function(X), peer.decision_function(X), rtol=1e-9, atol=1e-12)
    for mine, theirs in zip(ours.staged_predict(X), peer.staged_predict(X), strict=True):
        assert_array_equal(mine, theirs)
    for mine, theirs in zip(ours.staged_decision_function(X), peer.staged_decision_function(X), strict=True):
        assert_allclose(factor * mine, theirs, rtol=1e-9, atol=1e-12)
    assert_array_equal(ours.predict(X), peer.predict(X))


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_probabilities_of_scikit_learn(classes, rate):
    X, y = noisy(1, classes=classes)
    ours = AdaBoostClassifier(n_estimators=12, learning_rate=rate).fit(X, y)
    peer = sklearn.ensemble.AdaBoostClassifier(n_estimators=12, learning_rate=rate, random_state=0).fit(X, y)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), rtol=1e-10)
    assert_allclose(ours.predict_log_proba(X), peer.predict_log_proba(X), rtol=1e-10)
    for mine, theirs in zip(ours.staged_predict_proba(X), peer.staged_predict_proba(X), strict=True):
        assert_allclose(mine, theirs, rtol=1e-10)


@pytest.mark.parametrize("classes", [2, 3])
def test_weak_learners_of_scikit_learn(classes):
    """Fitted trees of depth 1 whose predict gives labels, all arrays of the peer's trees, and the same as stumps."""
    X, y = noisy(1, classes=classes)
    labels = np.array(["no", "perhaps", "yes"])[y]
    ours = AdaBoostClassifier(n_estimators=10).fit(X, labels)
    peer = sklearn.ensemble.AdaBoostClassifier(n_estimators=10, random_state=0).fit(X, labels)
    assert type(ours.estimator_).__name__ == type(peer.estimator_).__name__
    assert ours.estimator_.max_depth == peer.estimator_.max_depth == 1
    assert ours.n_classes_ == peer.n_classes_ == classes
    assert len(ours) == len(peer) == len(ours.stumps_) == 10
    assert list(ours) == ours.estimators_ == ours[:]
    for mine, theirs, stump in zip(ours, peer, ours.stumps_, strict=True):
        assert isinstance(mine, DecisionTreeClassifier)
        assert_array_equal(mine.predict(X), theirs.predict(X))
        assert_array_equal(mine.predict(X), stump.predict(X))
        assert mine.score(X, labels) == theirs.score(X, labels)
        assert (mine.n_classes_, mine.max_features_, mine.get_depth()) == (classes, 4, 1)
        for name in ("children_left", "children_right", "feature", "n_node_samples"):
            assert_array_equal(getattr(mine.tree_, name), getattr(theirs.tree_, name), name)
        assert_allclose(mine.tree_.threshold, theirs.tree_.threshold, rtol=1e-12)
        assert_allclose(mine.tree_.value, theirs.tree_.value[:, 0], rtol=1e-9, atol=1e-12)
        for name in ("impurity", "weighted_n_node_samples"):
            assert_allclose(getattr(mine.tree_, name), getattr(theirs.tree_, name), rtol=1e-9, atol=1e-12)
    assert AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=3).fit(X, labels).stumps_ == []


@pytest.mark.parametrize("criterion", ["gini", "error"])
def test_stumps_and_the_trees_that_they_are_say_the_same(criterion):
    """Also where two classes weigh the same on a side, up to rounding, as with the seeds 42 and 106."""
    for seed in (*range(20), 42, 106, 174):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 4, size=(70, 3)).astype(float), rng.integers(0, 3, size=70)
        columns, mass = sort_columns(X, y), np.eye(3)[y].T / 70
        stump = best_stump(columns, mass, criterion)
        assert tree_stump(stump_tree(columns, stump, mass), np.arange(3)) == stump


def test_a_side_whose_weights_have_underflown_gets_the_shares_of_all():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 0])
    columns, mass = sort_columns(X, y), np.eye(2)[y].T * [0.0, 0.7, 0.3]
    tree = stump_tree(columns, Stump(0, 0.5, 0, 1), mass)
    assert_allclose(tree.value, [[0.3, 0.7]] * 3)
    assert_allclose(tree.weighted_n_node_samples, [1.0, 0.0, 1.0])


def test_a_threshold_at_a_value_sends_it_left():
    X, y = np.array([[1.0], [np.nextafter(1.0, 2.0)]]), np.array([0, 1])
    assert AdaBoostClassifier().fit(X, y)[0].tree_.value.tolist() == [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]


def test_a_difference_of_sums_is_no_negative_share():
    """0.1 + 0.2 + 0.3, along the feature, is more than 0.3 + 0.2 + 0.1, along the rows."""
    columns, mass = sort_columns(np.array([[3.0], [2.0], [1.0], [4.0]]), np.array([1, 1, 1, 0])), np.zeros((2, 4))
    mass[1, :3], mass[0, 3] = [0.3, 0.2, 0.1], 0.4
    assert stump_tree(columns, Stump(0, 3.5, 1, 0), mass).value[2].tolist() == [1.0, 0.0]


def test_seeds_of_the_members_suit_scikit_learn():
    """Its random_state holds 32 bits."""
    X, y = noisy(3)
    member = sklearn.tree.DecisionTreeClassifier(max_depth=2, splitter="random")
    model = AdaBoostClassifier(member, n_estimators=20, random_state=0).fit(X, y)
    assert len({m.random_state for m in model.estimators_}) == 20


@pytest.mark.equation("adaboost-error")
@pytest.mark.parametrize("depth", [1, 2])
def test_with_the_trees_of_the_library(depth):
    X, y = noisy(3)
    labels = np.array(["no", "yes"])[y]
    given = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=8).fit(X, labels)
    peer = sklearn.ensemble.AdaBoostClassifier(sklearn.tree.DecisionTreeClassifier(max_depth=depth), n_estimators=8)
    peer.set_params(random_state=0).fit(X, labels)
    assert_allclose(given.estimator_errors_, peer.estimator_errors_, rtol=1e-9)
    assert_allclose(given.feature_importances_, peer.feature_importances_, rtol=1e-9)
    assert_array_equal(given.predict(X), peer.predict(X))
    if depth == 1:
        stumps = AdaBoostClassifier(n_estimators=8).fit(X, labels)
        assert_allclose(stumps.estimator_weights_, given.estimator_weights_, rtol=1e-9)
        assert_allclose(stumps.feature_importances_, given.feature_importances_, rtol=1e-9)


@pytest.mark.equation("adaboost-alpha", "adaboost-normalizer", "adaboost-minimum")
@pytest.mark.parametrize("epsilon", [0.02, 0.2, 0.49, 0.7])
def test_the_vote_minimises_the_exponential_loss(epsilon):
    found = minimize_scalar(lambda a: normalizer(epsilon, a), bracket=(-1, 1), tol=1e-12)
    assert found.x == pytest.approx(vote(epsilon), abs=1e-6)
    assert found.fun == pytest.approx(2 * np.sqrt(epsilon * (1 - epsilon)), abs=1e-12)
    assert training_bound([epsilon])[0] == pytest.approx(found.fun, abs=1e-12)
    w, agree = np.array([epsilon, 1 - epsilon]), np.array([-1, 1])
    assert normalizer(epsilon, 0.3) == pytest.approx(w @ margin_exponential(0.3 * agree))


# ---------------------------------------------------------------- laws


@pytest.mark.equation("adaboost-update", "adaboost-mistakes", "adaboost-half", "adaboost-error")
@given(st.integers(0, 10**6))
@settings(max_examples=50, deadline=None)
def test_both_updates_agree_and_put_half_the_weight_on_the_mistakes(seed):
    rng = np.random.default_rng(seed)
    y, h = rng.choice([-1, 1], size=(2, 12))
    h[:2] = y[:2] * [1, -1]  # one right, one wrong
    w = rng.dirichlet(np.ones(12))
    epsilon = weighted_error(w, h != y)
    new = exponential_update(w, y, h, vote(epsilon))
    assert_allclose(mistake_update(w, h != y, epsilon), new, rtol=1e-12)
    assert weighted_error(new, h != y) == pytest.approx(0.5, abs=1e-12)
    assert_allclose(new[h != y], w[h != y] / (2 * epsilon), rtol=1e-12)
    assert_allclose(new[h == y], w[h == y] / (2 * (1 - epsilon)), rtol=1e-12)
    mixed = w * np.exp(vote(epsilon) * (h != y))  # the vote of one form in the update of the other
    assert weighted_error(mixed, h != y) == pytest.approx(np.sqrt(epsilon) / (np.sqrt(epsilon) + np.sqrt(1 - epsilon)))


@pytest.mark.equation("adaboost-bound", "adaboost-chain", "adaboost-margin", "adaboost-gamma")
@pytest.mark.parametrize("criterion", ["gini", "error"])
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_the_training_error_stays_below_the_bound_in_every_round(criterion, rate):
    X, y = noisy(5)
    sign, w = 2 * y - 1, np.random.default_rng(0).dirichlet(np.ones(len(y)))
    model = AdaBoostClassifier(n_estimators=60, criterion=criterion, learning_rate=rate).fit(X, y, w)
    wrong = np.array([w @ (h != y) for h in model.staged_predict(X)])
    assert (wrong <= model.objective_ + 1e-12).all()
    alphas = model.estimator_weights_ / 2
    votes = np.array([2.0 * s.predict(X) - 1 for s in model.estimators_])
    score = np.cumsum(alphas[:, None] * votes, axis=0)
    assert_allclose(model.objective_, margin_exponential(score * sign) @ w, rtol=1e-9)
    assert_allclose(vote_margins(sign, votes, alphas), sign * model.decision_function(X), atol=1e-12)
    if rate == 1:
        assert_allclose(training_bound(model.estimator_errors_), model.objective_, rtol=1e-9)
        gamma = 0.5 - model.estimator_errors_
        assert (model.objective_ <= np.exp(-2 * np.cumsum(gamma**2))).all()
    else:
        assert (training_bound(model.estimator_errors_) < model.objective_).all()


@pytest.mark.equation("adaboost-samme")
def test_the_loss_of_three_classes():
    """Zhu and others: codes of the classes are 1 and -1/(K-1), the loss is exp(-y'f/K)."""
    X, y = noisy(7, classes=3)
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    K, f, codes = 3, np.zeros((len(y), 3)), np.full((3, 3), -0.5) + 1.5 * np.eye(3)
    for stump, a, expected in zip(model.estimators_, model.estimator_weights_, model.objective_, strict=True):
        f += a * (K - 1) ** 2 / K * codes[stump.predict(X)]
        assert np.exp(-(codes[y] * f).sum(axis=1) / K).mean() == pytest.approx(expected, rel=1e-9)


@pytest.mark.equation("adaboost-samme")
def test_a_falling_loss_of_three_classes_bounds_no_training_error():
    """Equal rows of two classes: with K = 2 the loss stays above their share of mistakes, with K = 3 it goes to 0."""
    X, y = [[0.0], [0.0], [1.0]], [0, 1, 2]
    model = AdaBoostClassifier(n_estimators=60, criterion="error").fit(X, y)
    assert model.objective_[-1] < 1e-6
    assert all((guess != y).sum() == 1 for guess in model.staged_predict(X))
    votes = np.log((1 - model.estimator_errors_) / model.estimator_errors_) + np.log(2)
    assert_allclose(model.estimator_weights_, votes, rtol=1e-12)
    two = AdaBoostClassifier(n_estimators=60, criterion="error").fit(X, [0, 1, 1])
    assert (two.objective_ >= 1 / 3).all()


@given(st.integers(0, 10**6), st.sampled_from(["gini", "error"]))
@settings(max_examples=20, deadline=None)
@NO_WARNING
def test_whole_weights_act_like_repeated_rows_and_zero_like_none(seed, criterion):
    rng = np.random.default_rng(seed)
    X, y, w = rng.normal(size=(30, 3)), rng.integers(0, 2, 30), rng.integers(0, 4, 30)
    w[:2], y[:2] = 1, [0, 1]
    weighted = AdaBoostClassifier(n_estimators=5, criterion=criterion).fit(X, y, w)
    repeated = AdaBoostClassifier(n_estimators=5, criterion=criterion).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert_allclose(weighted.estimator_errors_, repeated.estimator_errors_, atol=1e-9)
    assert [s[:2] for s in weighted.stumps_] == [s[:2] for s in repeated.stumps_]


def test_permuted_rows_and_other_units():
    X, y = noisy(9)
    order = np.random.default_rng(0).permutation(len(y))
    model = AdaBoostClassifier(n_estimators=20).fit(X, y)
    other = AdaBoostClassifier(n_estimators=20).fit(X[order], y[order])
    assert other.stumps_ == model.stumps_
    scaled = AdaBoostClassifier(n_estimators=20).fit(np.exp(X), y)
    assert_array_equal(scaled.predict(np.exp(X)), model.predict(X))


def test_scores_of_a_row_sum_to_zero():
    X, y = noisy(11, classes=4)
    scores = AdaBoostClassifier(n_estimators=15).fit(X, y).decision_function(X)
    assert scores.shape == (300, 4)
    assert_allclose(scores.sum(axis=1), 0, atol=1e-12)


# ---------------------------------------------------------------- when training ends


def test_a_perfect_learner_ends_training_and_outvotes_all_others():
    model = AdaBoostClassifier().fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    assert (model.n_iter_, model.estimator_errors_.tolist(), model.objective_.tolist()) == (1, [0.0], [0.0])
    assert model.predict([[0.0], [9.0]]).tolist() == ["a", "b"]
    deepens = AdaBoostClassifier(Deepening(), n_estimators=50).fit(X_LI, Y_LI)
    assert deepens.n_iter_ == 3
    assert deepens.estimator_weights_[-1] > deepens.estimator_weights_[:-1].sum()
    assert_array_equal(deepens.predict(X_LI), Y_LI)
    assert (deepens.estimator_errors_[-1], deepens.objective_[-1]) == (0, 0)


class Deepening(DecisionTreeClassifier):
    """A tree that may be deeper the more the weights differ: no better than a stump in the first rounds."""

    def fit(self, X, y, sample_weight=None):
        self.max_depth = len(np.unique(np.round(sample_weight, 6)))
        return super().fit(X, y, sample_weight)


def test_stops_and_says_so_when_no_better_than_chance():
    X, y = np.array([[0.0]] * 3 + [[1.0]] * 3), [0, 0, 1, 1, 1, 0]
    with pytest.warns(ConvergenceWarning, match="stopped after 1 rounds: the weak learner of round 2 is no better"):
        model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    assert model.n_iter_ == len(model.estimators_) == len(model.estimator_weights_) == 1
    with pytest.warns(ConvergenceWarning, match="K = 2"):
        constant = AdaBoostClassifier().fit(np.ones((3, 2)), [1, 1, 0])
    assert constant.stumps_ == [Stump(0, np.inf, 1, 1)]
    assert constant[0].tree_.node_count == 1
    assert constant[0].predict([[-5.0, 7.0]]).tolist() == [1]
    assert_array_equal(constant.feature_importances_, [0, 0])
    assert constant.predict([[-5.0, 7.0]]).tolist() == [1]


@pytest.mark.parametrize("classes", [2, 3])
def test_a_first_learner_no_better_than_chance_is_an_error(classes):
    y = np.arange(classes)
    with pytest.raises(ValueError, match=r"Cannot boost: the weak learner of round 1 .* set estimator to a stronger"):
        AdaBoostClassifier().fit(np.ones((classes, 1)), y)


def test_stops_and_says_so_when_a_vote_overflows():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 rounds: with learning_rate=23 the vote of round 2 is"):
        model = AdaBoostClassifier(n_estimators=30, learning_rate=23.0).fit(X, y)
    assert np.isfinite(model.objective_).all()
    assert model.score(X, y) == AdaBoostClassifier(n_estimators=1).fit(X, y).score(X, y)
    with pytest.raises(ValueError, match=r"Cannot boost: with learning_rate=1000 .* set a smaller learning_rate"):
        AdaBoostClassifier(learning_rate=1000.0).fit(X, y)


def test_exclusive_or_needs_deeper_trees():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    with pytest.raises(ValueError, match="no better than chance"):
        AdaBoostClassifier().fit(X, y)
    assert AdaBoostClassifier(DecisionTreeClassifier(max_depth=2)).fit(X, y).score(X, y) == 1


# ---------------------------------------------------------------- extremes


@NO_WARNING
def test_one_feature_of_neighbouring_and_of_huge_numbers():
    for low in (1.0, np.nextafter(1.0, 2)):  # between the second one and the next, the middle rounds up
        high = np.nextafter(low, 2)
        assert AdaBoostClassifier().fit([[low], [high]], [0, 1]).predict([[low], [high]]).tolist() == [0, 1]
    huge = AdaBoostClassifier().fit([[1.6e308], [1.7e308]], [0, 1])
    assert huge.stumps_[0].threshold == pytest.approx(1.65e308)
    wide = AdaBoostClassifier().fit([[-1.7e308], [1.7e308]], [0, 1])
    assert wide.stumps_[0].threshold == 0


@NO_WARNING
@pytest.mark.parametrize("criterion", ["gini", "error"])
def test_many_rounds_and_weights_of_all_sizes(criterion):
    X, y = noisy(13, n=200)
    model = AdaBoostClassifier(n_estimators=1500, criterion=criterion).fit(X, y)
    assert model.score(X, y) == 1
    assert np.isfinite(model.objective_).all()
    assert (np.diff(model.objective_) < 0).all()
    w = 10.0 ** np.random.default_rng(0).integers(-30, 1, 200)
    tiny = AdaBoostClassifier(n_estimators=50, criterion=criterion).fit(X, y, w)
    assert np.isfinite(tiny.estimator_weights_).all()
    assert_allclose(
        tiny.estimator_errors_,
        AdaBoostClassifier(n_estimators=50, criterion=criterion).fit(X, y, 1e200 * w).estimator_errors_,
        atol=1e-9,
    )


def test_fast_rounds_with_a_random_weak_learner_repeat():
    X, y = noisy(15)
    weak = DecisionTreeClassifier(max_depth=2, max_features=1)
    one, two, other = (AdaBoostClassifier(weak, n_estimators=6, random_state=s).fit(X, y) for s in (1, 1, 2))
    assert_allclose(one.estimator_errors_, two.estimator_errors_)
    assert not np.allclose(one.estimator_errors_, other.estimator_errors_)
    features = {int(t.tree_.feature[0]) for t in one.estimators_}
    assert len(features) > 1  # every round has a seed of its own
    assert weak.random_state is None


# ---------------------------------------------------------------- contract


@NO_WARNING
@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        pair
        for model in (
            AdaBoostClassifier(n_estimators=8),
            AdaBoostClassifier(n_estimators=5, criterion="error", learning_rate=0.5),
            AdaBoostClassifier(DecisionTreeClassifier(max_depth=3), n_estimators=4),
        )
        for pair in estimator_checks_generator(model)
    ],
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_cross_validated_and_pickled():
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=20)
    peer = sklearn.ensemble.AdaBoostClassifier(n_estimators=20, random_state=0)
    assert cross_val_score(model, X, y, cv=3).mean() == pytest.approx(
        cross_val_score(peer, X, y, cv=3).mean(), abs=0.02
    )
    again = pickle.loads(pickle.dumps(clone(model).fit(X, y)))
    assert_array_equal(again.predict(X), clone(model).fit(X, y).predict(X))
    flowers, species = load_iris(return_X_y=True)
    assert AdaBoostClassifier(n_estimators=30).fit(flowers, species).score(flowers, species) > 0.9


# ---------------------------------------------------------------- bad input

LINE, LABELS = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("settings", "error", "match"),
    [
        ({"n_estimators": 0}, ValueError, "n_estimators must be at least 1"),
        ({"n_estimators": 2.5}, TypeError, "n_estimators must be an integer"),
        ({"learning_rate": 0}, ValueError, "learning_rate must be positive"),
        ({"learning_rate": -1.0}, ValueError, "learning_rate must be finite and at least 0"),
        ({"criterion": "entropy"}, ValueError, "criterion must be one of"),
        ({"estimator": KNeighborsClassifier()}, ValueError, "estimator must take sample_weight in fit, KNeighbors"),
    ],
)
def test_bad_settings(settings, error, match):
    with pytest.raises(error, match=match):
        AdaBoostClassifier(**settings).fit(LINE, LABELS)


@pytest.mark.parametrize(
    ("weights", "match"),
    [
        ([0, 0, 0, 0], "sample_weight is zero for every row"),
        ([1, -1, 1, 1], "sample_weight must not be negative"),
        ([1, 1], r"sample_weight must be a vector of shape \(4,\)"),
        ([1, np.nan, 1, 1], "sample_weight must be finite"),
        ([1, 0, 0, 1], "class"),
    ],
)
def test_bad_weights(weights, match):
    with pytest.raises(ValueError, match=match):
        AdaBoostClassifier().fit(LINE, LABELS, weights)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: AdaBoostClassifier().fit(LINE, [1, 1, 1, 1]), "class"),
        (lambda: AdaBoostClassifier().fit([[0.0], [np.nan], [1.0], [2.0]], LABELS), "X contains NaN"),
        (lambda: AdaBoostClassifier().fit(LINE, [0, 1, np.nan, 0]), "y contains NaN"),
        (lambda: AdaBoostClassifier().fit(LINE, [0.5, 1.5, 2.5, 0.1]), "Unknown label type"),
        (lambda: weighted_error([0, 0], [True, False]), "weights must not be negative, nor all zero"),
        (lambda: weighted_error([-1, 2], [True, False]), "weights must not be negative"),
        (lambda: weighted_error([1, 2], [1, 0]), "miss must hold 2 truth values"),
        (lambda: weighted_error([1, 2], [True]), "miss must hold 2 truth values"),
        (lambda: vote(0.0), "epsilon must lie strictly between 0 and 1"),
        (lambda: vote([0.5, 1.0]), "epsilon must lie strictly between 0 and 1"),
        (lambda: normalizer(1.5, 1), "epsilon must lie between 0 and 1"),
        (lambda: normalizer(0.5, np.nan), "alpha must be finite"),
        (lambda: training_bound([0.5, -0.1]), "epsilons must lie between 0 and 1"),
        (lambda: training_bound([1.1]), "epsilons must lie between 0 and 1"),
        (lambda: exponential_update([0.5, 0.6], [1, 1], [1, -1], 1), "weights must be non-negative and sum to 1"),
        (lambda: exponential_update([0.5, 0.5], [1, 0], [1, -1], 1), "y must be a vector of -1 and 1"),
        (lambda: exponential_update([0.5, 0.5], [1, 1], [1, 2], 1), "h must be a vector of -1 and 1"),
        (lambda: exponential_update([0.5, 0.5], [1, 1], [1], 1), "h must be a vector of shape"),
        (lambda: exponential_update([0.5, 0.5], [1, 1], [1, 1], np.inf), "alpha must be finite"),
        (lambda: mistake_update([0.5, 0.5], [True, False], 1.0), "epsilon must lie strictly"),
        (lambda: mistake_update([0.5, 0.5], [True], 0.5), "miss must hold 2 truth values"),
        (lambda: vote_margins([1, -1], [[1, 1, 1]], [1.0]), r"votes must have shape \(1, 2\)"),
        (lambda: vote_margins([1, -1], [[1, 1]], [0.0]), "alphas must not be negative, nor all zero"),
        (lambda: vote_margins([1, -1], [[1, 1], [1, 1]], [1.0, -0.5]), "alphas must not be negative"),
        (lambda: vote_margins([1, 2], [[1, 1]], [1.0]), "y must be a vector of -1 and 1"),
    ],
)
def test_bad_calls(call, match):
    with pytest.raises(ValueError, match=match):
        call()


def test_a_weak_learner_without_importances_gives_none():
    class Sides(LinearRegression):
        def predict(self, X):
            return (super().predict(X) > 0.5).astype(int)

    X, y = noisy(17)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = AdaBoostClassifier(Sides(), n_estimators=3).fit(X, y)
    assert model.score(X, y) > 0.6
    with pytest.raises(AttributeError, match="feature_importances_"):
        model.feature_importances_


def test_thresholds_are_searched_only_where_the_class_changes():
    X = np.array([[0.0], [1.0], [1.0], [2.0], [3.0], [4.0], [4.0], [5.0]])
    y = np.array([0, 0, 0, 0, 1, 0, 1, 1])
    assert sort_columns(X, y).cuts[0].tolist() == [4, 5, 7]
    for labels in product([0, 1], repeat=4):
        values = np.array([[0.0], [1.0], [1.0], [2.0]])
        codes = np.array(labels)
        groups = [set(labels[:1]), set(labels[1:3]), set(labels[3:])]
        expected = [c for c, (a, b) in zip((1, 3), pairwise(groups), strict=True) if len(a | b) > 1]
        assert sort_columns(values, codes).cuts[0].tolist() == expected

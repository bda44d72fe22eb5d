"""Cross-validation: published numbers, independent routes, laws, extremes, errors."""

import itertools
import warnings

import numpy as np
import pytest
import sklearn.model_selection as peer
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.cluster import KMeans
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_breast_cancer, load_iris, load_longley, make_moons
from notes_lib.foundations.cross_validation import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
    fold_summary,
    learning_curve,
    leave_one_out_residuals,
    number_of_fits,
    one_standard_error_index,
    parameter_candidates,
    train_test_split,
    validation_curve,
)
from notes_lib.foundations.cross_validation import scoring as scoring_module
from notes_lib.foundations.cross_validation.scoring import SCORERS
from notes_lib.linear.fisher_lda import FisherDiscriminant

IRIS = load_iris()


class StandardisedRidge(RegressorMixin, BaseEstimator):
    """Ridge on columns of mean 0 and variance 1 (divisor n - 1), penalty on those, intercept free."""

    def __init__(self, alpha=0.1):
        self.alpha = alpha

    def fit(self, X, y):
        self.mean_, self.scale_, self.level_ = X.mean(axis=0), X.std(axis=0, ddof=1), np.mean(y)
        Z = (X - self.mean_) / self.scale_
        self.coef_ = np.linalg.solve(Z.T @ Z + self.alpha * np.eye(Z.shape[1]), Z.T @ (y - self.level_))
        return self

    def predict(self, X):
        return self.level_ + (X - self.mean_) / self.scale_ @ self.coef_


def deflator():
    """Longley's data with the price deflator as target, the other five columns and employment as predictors."""
    data = load_longley()
    return np.column_stack([data.X[:, 1:], data.y]), data.X[:, 0]


# Golden: published numbers


@pytest.mark.equation("cross-validation-k-fold")
def test_ridge_on_longley_as_published():
    """Leave-one-out RMSE 1.732: unit test RidgeRegressionTest.testLongley of the library Smile."""
    scores = cross_val_score(StandardisedRidge(), *deflator(), cv=LeaveOneOut(), scoring="neg_mean_squared_error")
    assert_allclose(np.sqrt(-scores.mean()), 1.732, rtol=0, atol=0.001)


@pytest.mark.equation("cross-validation-k-fold")
def test_quadratic_discriminant_on_iris_as_published():
    """Leave-one-out accuracy 0.9733, 146 of 150: unit test QDATest of the library Smile."""
    model = QuadraticDiscriminantAnalysis()
    scores = cross_val_score(model, IRIS.X, IRIS.y, cv=LeaveOneOut(), scoring="accuracy")
    assert scores.sum() == 146


# Oracle: independent routes


@pytest.mark.equation("cross-validation-fold-sizes")
@pytest.mark.parametrize(("n", "K"), [(10, 5), (11, 3), (7, 7), (23, 4)])
def test_folds_are_those_of_sklearn(n, K):
    ours, theirs = KFold(K).split(np.zeros(n)), peer.KFold(K).split(np.zeros(n))
    for (a, b), (c, d) in zip(ours, theirs, strict=True):
        assert_array_equal(a, c)
        assert_array_equal(b, d)


@pytest.mark.parametrize("seed", range(8))
def test_stratified_folds_are_those_of_sklearn(seed):
    rng = np.random.default_rng(seed)
    y = np.array(["b", "c", "a"])[rng.choice(3, size=60, p=[0.5, 0.2, 0.3])]
    ours, theirs = StratifiedKFold(4).split(y, y), peer.StratifiedKFold(4).split(y, y)
    for (a, b), (c, d) in zip(ours, theirs, strict=True):
        assert_array_equal(a, c)
        assert_array_equal(b, d)


def test_leave_one_out_is_that_of_sklearn():
    ours = [(a.tolist(), b.tolist()) for a, b in LeaveOneOut().split(range(5))]
    assert ours == [(a.tolist(), b.tolist()) for a, b in peer.LeaveOneOut().split(range(5))]
    assert LeaveOneOut().get_n_splits(range(5)) == 5


@pytest.mark.parametrize(
    "sizes",
    [{}, {"test_size": 0.3}, {"test_size": 4}, {"train_size": 0.33}, {"train_size": 5, "test_size": 0.2}],
)
def test_unshuffled_split_is_that_of_sklearn(sizes):
    X, y = np.arange(22).reshape(11, 2), list(range(11))
    ours = train_test_split(X, y, shuffle=False, **sizes)
    theirs = peer.train_test_split(X, y, shuffle=False, **sizes)
    for a, b in zip(ours, theirs, strict=True):
        assert_array_equal(a, b)
    shuffled = train_test_split(X, y, random_state=0, **sizes)
    assert [len(a) for a in shuffled] == [len(b) for b in theirs]


@pytest.mark.parametrize("scoring", [None, *SCORERS])
def test_cross_val_score_is_that_of_sklearn(scoring):
    data = load_breast_cancer()
    X, y = data.X[:200, :4], data.y[:200]
    model = LogisticRegression(max_iter=2000) if "neg" not in str(scoring) and scoring != "r2" else Ridge()
    ours = cross_val_score(model, X, y, cv=4, scoring=scoring)
    assert_allclose(ours, peer.cross_val_score(model, X, y, cv=4, scoring=scoring), rtol=1e-12)


def test_ranking_scorers_use_probabilities_and_text_labels():
    X, y = make_moons(80, noise=0.4, random_state=1)
    words = np.array(["no", "yes"])[y]
    model = KNeighborsClassifier(7)  # has no decision_function
    for scoring in ("roc_auc", "average_precision"):
        theirs = peer.cross_val_score(model, X, y, cv=5, scoring=scoring)
        assert_allclose(cross_val_score(model, X, words, scoring=scoring), theirs, rtol=1e-12)


def test_kernel_matrices_lose_rows_and_columns():
    X, y = make_moons(60, noise=0.2, random_state=0)
    gram = X @ X.T
    theirs = peer.cross_val_score(SVC(kernel="precomputed"), gram, y, cv=3)
    assert_allclose(cross_val_score(SVC(kernel="precomputed"), gram, y, cv=3), theirs, rtol=1e-12)
    assert_allclose(cross_val_score(SVC(kernel="precomputed"), gram.tolist(), y, cv=3), theirs, rtol=1e-12)


def test_a_kernel_may_be_one_of_the_values_of_a_grid():
    """Whether X is a kernel matrix is then said by the candidate, not by the estimator that is searched over."""
    gram, y = IRIS.X @ IRIS.X.T, IRIS.y
    theirs = peer.cross_val_score(SVC(kernel="precomputed"), gram, y).mean()
    search = GridSearchCV(SVC(), {"kernel": ["precomputed", "rbf"]}).fit(gram, y)
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(theirs, rel=1e-12)
    curve = validation_curve(SVC(), gram, y, param_name="kernel", param_range=["precomputed"])
    assert curve.test_scores.mean() == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("X", [IRIS.X, np.hstack([IRIS.X @ IRIS.X.T] * 2), IRIS.X.tolist(), IRIS.y])
def test_a_kernel_matrix_that_is_not_square_is_refused(X):
    model, y, grid = SVC(kernel="precomputed"), IRIS.y, {"C": [1.0]}
    message = r"X must be the square matrix of all pairs of instances, .* got shape \(150,.*: compute it first"
    for judge in (
        lambda: cross_val_score(model, X, y),
        lambda: GridSearchCV(model, grid).fit(X, y),
        lambda: learning_curve(model, X, y, train_sizes=[1.0]),
        lambda: validation_curve(model, X, y, param_name="C", param_range=[1.0]),
    ):
        with pytest.raises(ValueError, match=message):
            judge()


@pytest.mark.parametrize(
    "grid",
    [
        {"n_neighbors": [1, 5, 30], "weights": ["uniform", "distance"]},
        [{"n_neighbors": np.array([3, 9])}, {"p": (1, 2), "n_neighbors": range(4, 6)}],
    ],
)
def test_grid_search_is_that_of_sklearn(grid):
    assert parameter_candidates(grid) == list(peer.ParameterGrid(grid))
    train = isinstance(grid, list)
    ours = GridSearchCV(KNeighborsClassifier(), grid, cv=KFold(4), return_train_score=train)
    theirs = peer.GridSearchCV(KNeighborsClassifier(), grid, cv=peer.KFold(4), return_train_score=train)
    for search in (ours, theirs):
        search.fit(IRIS.X[::2], IRIS.y[::2])
    assert set(ours.cv_results_) == set(theirs.cv_results_)
    for name, value in ours.cv_results_.items():
        if name.endswith("_time"):
            assert (value >= 0).all()
            assert value.shape == theirs.cv_results_[name].shape
        elif name == "params":
            assert value == theirs.cv_results_[name]
        elif name.startswith("param_"):
            assert value.tolist() == theirs.cv_results_[name].tolist()
        else:
            assert_allclose(value, theirs.cv_results_[name], rtol=1e-12)
    assert (ours.best_index_, ours.best_params_) == (theirs.best_index_, theirs.best_params_)
    assert ours.best_score_ == pytest.approx(theirs.best_score_, rel=1e-12)
    assert_array_equal(ours.predict(IRIS.X), theirs.predict(IRIS.X))
    assert_array_equal(ours.predict_proba(IRIS.X), theirs.predict_proba(IRIS.X))
    assert ours.score(IRIS.X, IRIS.y) == theirs.score(IRIS.X, IRIS.y)
    assert ours.n_splits_ == 4
    assert_array_equal(ours.classes_, [0, 1, 2])


@pytest.mark.equation("cross-validation-standard-error")
def test_fold_summary_against_the_sums_written_out():
    scores = [0.8, 0.9, 0.7, 0.95]
    mean = sum(scores) / 4
    variance = sum((s - mean) ** 2 for s in scores) / 3
    assert_allclose(fold_summary(scores), [mean, variance**0.5, (variance / 4) ** 0.5], rtol=1e-12)
    assert_allclose(fold_summary(scores).standard_error, np.std(scores) / 3**0.5, rtol=1e-12)


@pytest.mark.equation("cross-validation-one-standard-error")
@pytest.mark.parametrize("seed", range(30))
def test_one_standard_error_rule_by_enumeration(seed):
    rng = np.random.default_rng(seed)
    mean, error, complexity = rng.integers(0, 6, 8) / 4, rng.integers(0, 3, 8) / 4, rng.integers(0, 4, 8)
    best = max(range(8), key=lambda i: mean[i])
    allowed = [i for i in range(8) if mean[i] >= mean[best] - error[best]]
    expected = min(allowed, key=lambda i: (complexity[i], -mean[i], i))
    assert one_standard_error_index(mean, error, complexity) == expected


class Counter(DummyClassifier):
    """Counts its fits, over all copies."""

    fits = 0

    def fit(self, X, y, sample_weight=None):
        Counter.fits += 1
        return super().fit(X, y)


@pytest.mark.equation("cross-validation-fits", "cross-validation-nested-fits")
@pytest.mark.parametrize("refit", [True, False])
def test_number_of_fits_by_counting(refit):
    X, y = IRIS.X[::3], IRIS.y[::3]
    search = GridSearchCV(Counter(), {"strategy": ["prior", "uniform"], "random_state": [0, 1, 2]}, cv=4, refit=refit)
    Counter.fits = 0
    search.fit(X, y)
    assert Counter.fits == number_of_fits(6, 4, refit=refit)
    if refit:
        Counter.fits = 0
        cross_val_score(search, X, y, cv=3)
        assert Counter.fits == number_of_fits(6, 4, outer_splits=3) == 75


@pytest.mark.equation("cross-validation-press")
@pytest.mark.parametrize("alpha", [0.0, 2.5])
def test_leave_one_out_residuals_against_n_fits(alpha):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(25, 4)), rng.normal(size=25)
    solve = lambda A, b: np.linalg.solve(A.T @ A + alpha * np.eye(4), A.T @ b)
    H = X @ np.linalg.solve(X.T @ X + alpha * np.eye(4), X.T)
    refitted = [y[i] - X[i] @ solve(np.delete(X, i, 0), np.delete(y, i)) for i in range(25)]
    assert_allclose(leave_one_out_residuals(y - H @ y, np.diag(H)), refitted, rtol=1e-10)


# Laws


@pytest.mark.equation("cross-validation-fold-sizes")
@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.integers(2, 40), st.booleans())
def test_each_instance_is_tested_once(n, K, shuffle):
    K = min(n, K)
    splits = list(KFold(K, shuffle=shuffle, random_state=5 if shuffle else None).split(range(n)))
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(n))
    assert {len(test) for _, test in splits} <= {n // K, -(-n // K)}
    for train, test in splits:
        assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(n))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(2, 30), min_size=2, max_size=4), st.integers(2, 5), st.integers(0, 99))
def test_stratified_folds_keep_the_shares(counts, K, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(counts)), [max(c, K) for c in counts]))
    splits = list(StratifiedKFold(K, shuffle=True, random_state=seed).split(y, y))
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(len(y)))
    for c in range(len(counts)):
        numbers = [np.count_nonzero(y[test] == c) for _, test in splits]
        assert max(numbers) - min(numbers) <= 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(2, 30), min_size=2, max_size=4), st.integers(0, 99), st.floats(0.3, 0.6))
def test_stratified_split_keeps_the_shares(counts, seed, share):
    y = np.repeat(np.arange(len(counts)), [4 * c for c in counts])
    index = np.arange(len(y))
    a, b, ya, yb = train_test_split(index, y, test_size=share, random_state=seed, stratify=y)
    assert sorted([*a, *b]) == list(index)
    assert_array_equal(ya, y[a])
    for c in range(len(counts)):
        assert abs(np.count_nonzero(yb == c) - len(b) * 4 * counts[c] / len(y)) < 1


def test_split_sizes_that_leave_instances_out():
    y = np.repeat([0, 1], [30, 10])
    train, test = train_test_split(np.arange(40), train_size=8, test_size=4, random_state=0, stratify=y)
    assert np.bincount(y[train]).tolist() == [6, 2]
    assert np.bincount(y[test]).tolist() == [3, 1]
    assert not set(train) & set(test)
    train, test = train_test_split(np.arange(40), train_size=8, test_size=4, random_state=0)
    assert len({*train, *test}) == 12


def test_stratified_split_rounds_by_largest_remainders():
    y = np.repeat([0, 1, 2], [5, 3, 2])  # 7 of 10: 3.5, 2.1 and 1.4
    train, test = train_test_split(np.arange(10), train_size=7, test_size=3, random_state=0, stratify=y)
    assert np.bincount(y[train]).tolist() == [4, 2, 1]
    assert np.bincount(y[test]).tolist() == [1, 1, 1]


def test_stratified_split_gives_the_rest_to_the_first_classes():
    y = np.repeat(np.arange(60), [3, 2, 3] * 20)  # half of it: 1.5, 1, 1.5, ..., forty equal remainders for 20 places
    train, _ = train_test_split(np.arange(160), train_size=80, random_state=0, stratify=y)
    assert np.bincount(y[train]).tolist() == [2, 1, 2] * 10 + [1] * 30


def test_shuffles_are_repeatable_and_fair():
    splits = [[t.tolist() for _, t in KFold(5, shuffle=True, random_state=s).split(range(20))] for s in (1, 1, 2)]
    assert splits[0] == splits[1] != splits[2]
    assert splits[0] != [t.tolist() for _, t in KFold(5).split(range(20))]
    y = [0, 1] * 10
    folds = [[t.tolist() for _, t in StratifiedKFold(5, shuffle=True, random_state=s).split(y, y)] for s in (1, 1, 2)]
    assert folds[0] == folds[1] != folds[2]
    times = np.zeros(10)
    rng = np.random.default_rng(0)
    for _ in range(2000):
        times[train_test_split(np.arange(10), test_size=3, random_state=rng)[1]] += 1
    assert_allclose(times / 2000, 0.3, rtol=0, atol=0.05)  # standard error 0.01
    one, two = (train_test_split(y, random_state=3, stratify=y) for _ in range(2))
    assert one == two


def test_rows_of_a_matrix_are_classes_of_a_stratified_split():
    y = np.array([[0, 0], [0, 1], [1, 1]])[np.repeat([0, 1, 2], [10, 20, 30])]
    train, test = train_test_split(np.arange(60), test_size=0.2, random_state=0, stratify=y)
    for part, size in ((train, 48), (test, 12)):
        assert_array_equal(np.unique(y[part], axis=0, return_counts=True)[1], np.array([1, 2, 3]) * size // 6)


def test_stratified_split_is_shuffled():
    y = np.repeat([0, 1], 50)
    train, test = train_test_split(np.arange(100), random_state=0, stratify=y)
    for part in (train, test):
        assert (np.diff(part) < 0).any()
        assert np.count_nonzero(np.diff(y[part])) > 5  # the classes do not stand in two blocks


def test_every_candidate_sees_the_same_folds():
    cv = KFold(3, shuffle=True, random_state=np.random.default_rng(0))  # would give new folds on each call
    grid = {"constant": [1.0, 1.0, 1.0]}
    model = DummyRegressor(strategy="constant")
    y = np.arange(12.0) ** 2
    search = GridSearchCV(model, grid, cv=cv, scoring="neg_mean_absolute_error").fit(y[:, None], y)
    for k in range(3):
        assert len(set(search.cv_results_[f"split{k}_test_score"])) == 1
    assert search.best_index_ == 0
    assert search.cv_results_["rank_test_score"].tolist() == [1, 1, 1]


def test_leakage_is_impossible_inside_a_pipeline():
    X, y = deflator()
    seen = []

    class Recorder(StandardScaler):
        def fit(self, X, y=None, sample_weight=None):
            seen.append(len(X))
            return super().fit(X, y)

    cross_val_score(make_pipeline(Recorder(), Ridge()), X, y, cv=4)
    assert seen == [12] * 4


# Contract


@pytest.mark.parametrize(
    ("model", "grid"),
    [(LogisticRegression(), {"C": [0.1, 1.0]}), (Ridge(), {"alpha": [0.1, 1.0]})],
)
def test_contract_of_sklearn(model, grid):
    check_estimator(
        GridSearchCV(model, grid, cv=2),
        expected_failed_checks={
            "check_classifiers_one_label": "stratified folds need more instances of a class than one fold",
        },
        on_skip=None,
        on_fail="raise",
    )


def test_our_estimators_are_searched_and_left_alone():
    model = FisherDiscriminant()
    before = model.get_params()
    search = GridSearchCV(model, {"shrinkage": [0.0, 0.5]}, cv=LeaveOneOut(), scoring="accuracy").fit(
        IRIS.X[::3], IRIS.y[::3]
    )
    assert model.get_params() == before
    assert not hasattr(model, "classes_")
    assert search.best_params_ == {"shrinkage": 0.0}
    assert search.transform(IRIS.X).shape[0] == 150
    assert_array_equal(search.best_estimator_.predict(IRIS.X), search.predict(IRIS.X))
    assert clone(search).get_params()["cv"] == LeaveOneOut()


def test_progress_is_reported_and_nothing_printed(capsys):
    calls = []
    report = lambda done, total: calls.append((done, total))
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 5]}, cv=4, progress=report)
    search.fit(IRIS.X, IRIS.y)
    assert calls == [(i, 13) for i in range(14)]
    calls.clear()
    search.set_params(refit=False).fit(IRIS.X, IRIS.y)
    assert calls == [(i, 12) for i in range(13)]
    calls.clear()
    cross_val_score(KNeighborsClassifier(), IRIS.X, IRIS.y, cv=3, progress=report)
    assert calls == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert capsys.readouterr() == ("", "")


def test_without_refit_there_is_no_winner_to_ask():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, refit=False).fit(IRIS.X, IRIS.y)
    assert search.best_params_["n_neighbors"] in (1, 5)
    assert not hasattr(search, "predict")
    assert not hasattr(search, "classes_")
    assert not hasattr(search, "best_estimator_")


def test_refit_by_a_rule():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, refit=lambda results: 2)
    search.fit(IRIS.X, IRIS.y)
    assert search.best_params_ == {"n_neighbors": 9} == {"n_neighbors": search.best_estimator_.n_neighbors}
    assert search.best_score_ == search.cv_results_["mean_test_score"][2]


def test_unsupervised_scores():
    ours = GridSearchCV(KMeans(random_state=0, n_init=1), {"n_clusters": [2, 3]}, cv=3).fit(IRIS.X)
    theirs = peer.GridSearchCV(KMeans(random_state=0, n_init=1), {"n_clusters": [2, 3]}, cv=3).fit(IRIS.X)
    assert_allclose(ours.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], rtol=1e-10)
    assert ours.score(IRIS.X) == pytest.approx(theirs.score(IRIS.X))
    assert ours.best_params_ == {"n_clusters": 3}


def test_delegated_methods():
    X, y = make_moons(60, random_state=0)
    search = GridSearchCV(SVC(), {"C": [1.0, 10.0]}, cv=3).fit(X, y)
    assert_array_equal(search.decision_function(X), search.best_estimator_.decision_function(X))
    assert not hasattr(search, "transform")
    assert not hasattr(search, "score_samples")
    from sklearn.neighbors import KernelDensity

    density = GridSearchCV(KernelDensity(), {"bandwidth": [0.1, 1.0]}, cv=3).fit(X)
    assert_array_equal(density.score_samples(X), density.best_estimator_.score_samples(X))


# Extremes


def test_an_integer_means_stratified_folds_for_classes_only():
    model, cv = KNeighborsClassifier(1), 3
    assert cross_val_score(model, IRIS.X, IRIS.y, cv=cv).min() > 0.9
    assert cross_val_score(model, IRIS.X, IRIS.y, cv=KFold(cv)).max() == 0  # sorted by class
    assert len(cross_val_score(Ridge(), IRIS.X, IRIS.X[:, 0])) == 5
    own = [(np.arange(100), np.arange(100, 150)), (np.arange(150) % 2 == 0, np.arange(150) % 2 == 1)]
    assert len(cross_val_score(model, IRIS.X, IRIS.y, cv=own)) == 2


def test_leave_one_out_of_the_majority_is_never_right():
    y = np.repeat([0, 1], 10)
    model = DummyClassifier(strategy="most_frequent")
    assert cross_val_score(model, np.zeros((20, 1)), y, cv=LeaveOneOut()).sum() == 0


def test_equal_scores_have_no_standard_error():
    assert fold_summary([0.5, 0.5]) == (0.5, 0.0, 0.0)
    assert one_standard_error_index([0.5, 0.5, 0.4], [0.0, 0.0, 1.0], [2, 1, 0]) == 1


def test_a_small_class_is_missing_from_some_folds():
    y = np.repeat([0, 1], [8, 2])
    with pytest.warns(UserWarning, match="smallest class has 2 instances, fewer than n_splits=4"):
        splits = list(StratifiedKFold(4).split(y, y))
    assert [np.count_nonzero(y[test]) for _, test in splits].count(0) == 2


def test_splitters_say_what_they_are():
    assert repr(KFold(3)) == "KFold(n_splits=3, shuffle=False, random_state=None)"
    assert KFold(3).get_n_splits(None, None, None) == StratifiedKFold(3).get_n_splits() == 3


# Errors


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (ValueError, "n_splits must be at least 2, got 1", lambda: KFold(1)),
        (TypeError, "n_splits must be an integer, got 2.5", lambda: KFold(2.5)),
        (ValueError, "random_state has no effect without shuffle=True", lambda: KFold(3, random_state=0)),
        (ValueError, "n_splits=6 folds need as many instances, got n_samples = 5", lambda: KFold(6).split(range(5))),
        (ValueError, "y must be a vector of classes", lambda: StratifiedKFold(2).split(range(4))),
        (ValueError, "use KFold for numbers", lambda: StratifiedKFold(2).split(range(3), [0.5, 0.1, 0.2])),
        (ValueError, "inconsistent numbers", lambda: StratifiedKFold(2).split(range(3), [0, 1, 0, 1])),
        (ValueError, "exceeds every class, the largest has 2", lambda: StratifiedKFold(3).split([1] * 4, [0, 0, 1, 1])),
        (ValueError, "at least two instances to leave one out, got 1", lambda: LeaveOneOut().split([1])),
    ],
)
def test_bad_splitters(error, message, call):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("error", "message", "options"),
    [
        (ValueError, "test_size must lie between 1 and n - 1 = 5, got 6", {"test_size": 6}),
        (ValueError, "test_size must lie between 1 and n - 1 = 5, got 0", {"test_size": 0}),
        (ValueError, "train_size must be a share between 0 and 1", {"train_size": 1.0}),
        (TypeError, "test_size must be a number, got 'half'", {"test_size": "half"}),
        (TypeError, "test_size must be a number, got True", {"test_size": True}),
        (ValueError, "ask for 4 [+] 3 of 6 instances", {"train_size": 4, "test_size": 3}),
        (ValueError, "leave one part empty", {"train_size": 0.1}),
        (ValueError, "stratify needs shuffle=True", {"stratify": [0, 0, 0, 1, 1, 1], "shuffle": False}),
        (ValueError, "has one instance, which cannot be on both sides", {"stratify": [0, 0, 0, 0, 0, 1]}),
        (ValueError, "3 classes do not fit into 2 instances", {"stratify": [0, 0, 1, 1, 2, 2], "test_size": 2}),
        (ValueError, "inconsistent numbers", {"stratify": [0, 1]}),
    ],
)
def test_bad_split_sizes(error, message, options):
    with pytest.raises(error, match=message):
        train_test_split(range(6), **options)


def test_split_of_nothing_or_of_unequal_lengths():
    with pytest.raises(ValueError, match="give at least one array"):
        train_test_split()
    with pytest.raises(ValueError, match="inconsistent numbers"):
        train_test_split([1, 2, 3], [1, 2])


@pytest.mark.parametrize(
    ("error", "message", "options"),
    [
        (ValueError, "has instance 3 in its training and its test part", {"cv": [([0, 1, 3], [3, 4])]}),
        (ValueError, "split 0 leaves nothing to train on", {"cv": [([], [3, 4])]}),
        (ValueError, "split 0 leaves nothing to train on or to test on", {"cv": [([1], [])]}),
        (ValueError, "at least one split, got none", {"cv": []}),
        (ValueError, "must yield pairs", {"cv": [([1], [2], [3])]}),
        (ValueError, "cv: split 0 must hold row numbers below n = 150, .* 999 is out of", {"cv": [([0, 1], [999])]}),
        (ValueError, "cv: split 1 must hold row numbers", {"cv": [([0], [1]), (np.arange(3) > 0, [0])]}),
        (ValueError, "cv: split 0 must hold row numbers below n = 150", {"cv": [([0.5], [1])]}),
        (TypeError, "cv must be None, an integer, a splitter", {"cv": 2.5}),
        (ValueError, "n_splits must be at least 2", {"cv": 1}),
        (ValueError, "scoring must be None, a callable or one of", {"scoring": "accurcy"}),
        (ValueError, "scoring must return a finite number, got nan", {"scoring": lambda m, X, y: np.nan}),
        (ValueError, "scoring must return a finite number, got 'good'", {"scoring": lambda m, X, y: "good"}),
        (ValueError, "Input y contains NaN", {"y": np.r_[np.nan, IRIS.y[1:]]}),
        (ValueError, "scoring by ranking needs two classes, got 3", {"scoring": "roc_auc"}),
    ],
)
def test_bad_calls_of_cross_val_score(error, message, options):
    with pytest.raises(error, match=message):
        cross_val_score(KNeighborsClassifier(1), IRIS.X, **{"y": IRIS.y, **options})


def test_scoring_is_needed_without_a_score_method():
    with pytest.raises(TypeError, match="scoring must be given, because StandardScaler has no score method"):
        cross_val_score(StandardScaler(), IRIS.X)
    with pytest.raises(ValueError, match="inconsistent numbers"):
        cross_val_score(Ridge(), IRIS.X, IRIS.y[:5])


@pytest.mark.parametrize(
    ("error", "message", "grid"),
    [
        (ValueError, "param_grid names 'neighbours', which KNeighborsClassifier does not have", {"neighbours": [1]}),
        (TypeError, "param_grid.'weights'. must be a list of values, got 'uniform'", {"weights": "uniform"}),
        (TypeError, "param_grid.'n_neighbors'. must be a list of values, got 3", {"n_neighbors": 3}),
        (ValueError, "param_grid.'n_neighbors'. is empty", {"n_neighbors": []}),
        (TypeError, "param_grid must be a dict of lists", 7),
        (TypeError, "param_grid must be a dict of lists", []),
        (TypeError, "param_grid must hold dicts, got 3", [3]),
    ],
)
def test_bad_grids(error, message, grid):
    with pytest.raises(error, match=message):
        GridSearchCV(KNeighborsClassifier(), grid).fit(IRIS.X, IRIS.y)


@pytest.mark.parametrize(
    ("error", "message", "choice"),
    [
        (ValueError, "refit must return an index of one of 1, got 1", 1),
        (ValueError, "the result of refit must be at least 0", -1),
        (TypeError, "the result of refit must be an integer", 0.5),
    ],
)
def test_bad_refit(error, message, choice):
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1]}, refit=lambda results: choice)
    with pytest.raises(error, match=message):
        search.fit(IRIS.X, IRIS.y)


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (ValueError, "scores must be a vector of at least two finite", lambda: fold_summary([0.5])),
        (ValueError, "scores must be a vector of at least two finite", lambda: fold_summary([0.5, np.nan])),
        (ValueError, "vectors of one length", lambda: one_standard_error_index([1, 2], [1, 1], [1])),
        (ValueError, "vectors of one length", lambda: one_standard_error_index([], [], [])),
        (ValueError, "no standard error negative", lambda: one_standard_error_index([1, 2], [1, -1], [1, 2])),
        (ValueError, "must be finite", lambda: one_standard_error_index([1, np.nan], [1, 1], [1, 2])),
        (ValueError, "n_candidates must be at least 1", lambda: number_of_fits(0, 5)),
        (ValueError, "n_splits must be at least 2", lambda: number_of_fits(3, 1)),
        (TypeError, "outer_splits must be an integer", lambda: number_of_fits(3, 2, outer_splits=2.0)),
        (ValueError, "residuals and leverages must be finite", lambda: leave_one_out_residuals([1.0], [0.1, 0.2])),
        (ValueError, "residuals and leverages must be finite", lambda: leave_one_out_residuals([np.inf], [0.1])),
        (ValueError, "instance 1 alone decides", lambda: leave_one_out_residuals([1.0, 0.0], [0.1, 1.0])),
    ],
)
def test_bad_numbers(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_candidates_are_products():
    grid = {"b": [1, 2, 3], "a": "xy", "c": [None]}
    with pytest.raises(TypeError, match="must be a list of values, got 'xy'"):
        parameter_candidates(grid)
    grid["a"] = ["x", "y"]
    found = [tuple(c.values()) for c in parameter_candidates(grid)]
    assert found == list(itertools.product("xy", [1, 2, 3], [None]))


def test_the_models_of_the_folds_are_clones():
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    model = FisherDiscriminant()
    cross_val_score(model, X, y, cv=3)
    GridSearchCV(model, {"shrinkage": [0.1, 0.5]}, cv=3, refit=False).fit(X, y)
    assert vars(model) == vars(FisherDiscriminant())  # neither fitted nor changed


def test_a_leverage_just_below_one_is_accepted():
    assert_allclose(leave_one_out_residuals([1e-7], [1 - 1e-7]), 1.0, rtol=1e-8)


@pytest.mark.parametrize("sizes", [[0.1, 0.5, 1.0], [3, 70, 30, 30], np.linspace(0.2, 0.9, 4)])
@pytest.mark.parametrize("scoring", [None, "neg_mean_squared_error"])
def test_learning_curve_is_that_of_sklearn(sizes, scoring):
    X, y = make_moons(120, noise=0.3, random_state=0)
    order = np.random.default_rng(0).permutation(120)
    pipe = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    ours = learning_curve(pipe, X[order], y[order], train_sizes=sizes, cv=4, scoring=scoring)
    theirs = peer.learning_curve(pipe, X[order], y[order], train_sizes=np.unique(sizes), cv=4, scoring=scoring)
    for a, b in zip(ours, theirs, strict=True):
        assert_allclose(a, b)


def test_sizes_of_a_learning_curve_are_shares_of_the_smallest_training_part():
    X, y, mse = np.zeros((11, 1)), np.arange(11.0), "neg_mean_squared_error"
    curve = learning_curve(DummyRegressor(), X, y, train_sizes=[1.0, 0.01], cv=KFold(3), scoring=mse)
    assert curve.train_sizes.tolist() == [1, 7]  # of 7, 7 and 8
    assert_allclose(curve.train_scores[0], 0.0)
    four = learning_curve(DummyRegressor(), X, y, train_sizes=[4], cv=LeaveOneOut(), scoring=mse)
    assert four.test_scores[0, 10] == -((10 - 1.5) ** 2)  # the first four instances are 0, 1, 2, 3
    assert four.train_scores[0, 10] == -1.25


def test_validation_curve_is_that_of_sklearn_for_pipelines_and_kernel_matrices():
    X, y = IRIS.X, IRIS.y
    pipe = make_pipeline(StandardScaler(), KNeighborsClassifier())
    grid = {"param_name": "kneighborsclassifier__n_neighbors", "param_range": [1, 9, 60]}
    for a, b in zip(validation_curve(pipe, X, y, **grid), peer.validation_curve(pipe, X, y, **grid), strict=True):
        assert_allclose(a, b)
    K, grid = X @ X.T, {"param_name": "C", "param_range": [0.001, 1.0]}
    ours, theirs = (f(SVC(kernel="precomputed"), K, y, **grid) for f in (validation_curve, peer.validation_curve))
    for a, b in zip(ours, theirs, strict=True):
        assert_allclose(a, b)


def test_curves_leave_the_estimator_alone():
    model = KNeighborsClassifier(5)
    validation_curve(model, IRIS.X, IRIS.y, param_name="n_neighbors", param_range=[1])
    learning_curve(model, IRIS.X, IRIS.y, train_sizes=[60])
    assert model.n_neighbors == 5
    assert not hasattr(model, "classes_")


@pytest.mark.equation("cross-validation-curves")
def test_expected_errors_of_least_squares():
    """Training and test error of a linear model that lacks some inputs, over many data sets."""
    rng, n, D, runs = np.random.default_rng(0), 12, 3, 6000
    Z = rng.normal(size=(runs, n + 1, D + 2))
    y = Z @ [1.0, -2.0, 0.5, 0.6, 0.8] + 0.5 * rng.normal(size=(runs, n + 1))  # the last two inputs are not given
    plateau = 0.5**2 + 0.6**2 + 0.8**2
    X, X_new = Z[:, :n, :D], Z[:, n, :D]
    X_T = np.swapaxes(X, 1, 2)
    w = np.linalg.solve(X_T @ X, X_T @ y[:, :n, None])
    train = ((y[:, :n, None] - X @ w) ** 2).mean(axis=(1, 2))
    test = (y[:, n] - (X_new * w[..., 0]).sum(axis=1)) ** 2
    for seen, expected in [(train, plateau * (1 - D / n)), (test, plateau * (1 + D / (n - D - 1)))]:
        assert abs(seen.mean() - expected) < 3 * seen.std() / np.sqrt(runs)
        assert seen.std() / np.sqrt(runs) < 0.03 * expected


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ([0.0, 1.0], "above 0 and at most 1"),
        ([0.5, 1.2], "above 0 and at most 1"),
        ([0, 3], "between 1 and 96"),
        ([3, 200], "between 1 and 96"),
        ([], "must be a list of shares"),
        (["all"], "must be a list of shares"),
        (5, "must be a list of shares"),
    ],
)
def test_sizes_that_cannot_be(sizes, message):
    X, y = make_moons(120, noise=0.3, random_state=0)
    with pytest.raises(ValueError, match=message):
        learning_curve(KNeighborsClassifier(1), X, y, train_sizes=sizes)


def test_hyper_parameters_that_are_not_there():
    with pytest.raises(ValueError, match="neighbors"):
        validation_curve(KNeighborsClassifier(), IRIS.X, IRIS.y, param_name="neighbors", param_range=[1])
    with pytest.raises(ValueError, match="param_range must hold at least one value"):
        validation_curve(KNeighborsClassifier(), IRIS.X, IRIS.y, param_name="n_neighbors", param_range=[])


def test_shares_that_are_more_than_all_are_refused():
    """Of three instances 0.6 and 0.6 round to 1 and 2, which would pass."""
    with pytest.raises(ValueError, match=r"train_size=0.6 and test_size=0.6 are more than all: lower"):
        train_test_split(range(3), train_size=0.6, test_size=0.6)
    assert [len(part) for part in train_test_split(range(5), train_size=0.6, test_size=0.4)] == [3, 2]


def test_a_list_of_scores_is_refused_by_name():
    search = GridSearchCV(DummyClassifier(), {"strategy": ["prior"]}, scoring=["accuracy", "roc_auc"])
    with pytest.raises(ValueError, match=r"scoring must be None, a callable or one of .*, got \['accuracy'"):
        search.fit([[0.0]] * 6, [0, 1] * 3)


# ------------------------------------------------------------------- times, scores on the training parts, what fails


@pytest.mark.parametrize("train", [False, True])
def test_cross_validate_is_that_of_sklearn(train):
    X, y = IRIS.X[::2], IRIS.y[::2]
    for estimator, how in [(KNeighborsClassifier(1), {"cv": 4}), (Ridge(), {"scoring": "neg_mean_absolute_error"})]:
        ours = cross_validate(estimator, X, y, return_train_score=train, **how)
        theirs = peer.cross_validate(estimator, X, y, return_train_score=train, **how)
        assert set(ours) == set(theirs)
        for name in set(ours) - {"fit_time", "score_time"}:
            assert_allclose(ours[name], theirs[name], rtol=1e-12)
        assert_array_equal(ours["test_score"], cross_val_score(estimator, X, y, **how))
        assert ours["fit_time"].shape == ours["score_time"].shape == theirs["fit_time"].shape


class Slow(DummyRegressor):
    """Takes a given time by a clock of its own."""

    now = 0.0

    def __init__(self, strategy="mean", seconds=1.0):
        super().__init__(strategy=strategy)
        self.seconds = seconds

    def fit(self, X, y, sample_weight=None):
        Slow.now += self.seconds * len(X)
        return super().fit(X, y)

    def score(self, X, y, sample_weight=None):
        Slow.now += 0.5 * len(X)
        return -1.0


def test_times_are_those_of_the_fit_and_of_the_test_score(monkeypatch):
    monkeypatch.setattr(scoring_module, "perf_counter", lambda: Slow.now)
    X, y, cv = np.zeros((10, 1)), np.arange(10.0), [(range(6), range(6, 10)), (range(4), range(4, 10))]
    found = cross_validate(Slow(seconds=2.0), X, y, cv=cv, return_train_score=True)
    assert_allclose(found["fit_time"], [12, 8], rtol=1e-12)
    assert_allclose(found["score_time"], [2, 3], rtol=1e-12)  # 4 and 6 instances, none of the training part
    search = GridSearchCV(Slow(), {"seconds": [1.0, 3.0]}, cv=cv).fit(X, y)
    expected = {
        "mean_fit_time": [5, 15],
        "std_fit_time": [1, 3],
        "mean_score_time": [2.5] * 2,
        "std_score_time": [0.5] * 2,
    }
    for name, value in expected.items():
        assert_allclose(search.cv_results_[name], value, rtol=1e-12)


class Picky(DummyRegressor):
    """Cannot learn or score parts that hold a certain target, or anything if it is 'broken'."""

    def __init__(self, strategy="mean", bad_fit=None, bad_score=None):
        super().__init__(strategy=strategy)
        self.bad_fit, self.bad_score = bad_fit, bad_score

    def fit(self, X, y, sample_weight=None):
        if self.bad_fit in (*y, "broken") and self.bad_fit is not None:
            raise ArithmeticError("no fit")
        return super().fit(X, y)

    def score(self, X, y, sample_weight=None):
        if self.bad_score in y:
            raise ArithmeticError("no score")
        return -float(np.mean(y))


@pytest.mark.parametrize("error_score", [np.nan, -7.0])
def test_what_fails_has_the_error_score(error_score):
    X, y = np.zeros((6, 1)), np.arange(6.0)
    options = {"cv": 3, "return_train_score": True, "error_score": error_score}
    with pytest.warns(
        FitFailedWarning, match=r"fit failed, the score is set to error_score=.* ArithmeticError.'no fit'"
    ):
        ours = cross_validate(Picky(bad_fit=5.0), X, y, **options)  # only the last split trains without it
    with pytest.warns(FitFailedWarning):
        theirs = peer.cross_validate(Picky(bad_fit=5.0), X, y, **options)
    for name in ("test_score", "train_score"):
        assert_allclose(ours[name], theirs[name], rtol=1e-12)
    assert_allclose(ours["test_score"], [error_score, error_score, -4.5])
    assert (ours["score_time"][:2] == 0).all()
    with pytest.warns(FitFailedWarning, match="scoring failed, the score is set to error_score"):
        ours = cross_validate(Picky(bad_score=0.0), X, y, **options)
    with pytest.warns(UserWarning, match="Scoring failed"):
        theirs = peer.cross_validate(Picky(bad_score=0.0), X, y, **options)
    assert_allclose(ours["test_score"], theirs["test_score"])
    assert_allclose(ours["train_score"], theirs["train_score"])
    with pytest.warns(FitFailedWarning, match="scoring must return a finite number, got inf"):
        ours = cross_validate(Picky(), X, y, cv=2, scoring=lambda m, X, y: np.inf if 0 in y else 1.0, error_score=0)
    assert ours["test_score"].tolist() == [0, 1]


def test_what_fails_raises_unless_told_otherwise():
    X, y = np.zeros((6, 1)), np.arange(6.0)
    for search in (cross_validate, lambda model, X, y: GridSearchCV(model, {"strategy": ["mean"]}).fit(X, y)):
        with pytest.raises(ArithmeticError, match="no fit"):
            search(Picky(bad_fit=1.0), X, y)
        with pytest.raises(ArithmeticError, match="no score"):
            search(Picky(bad_score=1.0), X, y)
    for bad in ("ignore", None, np.inf, True):
        with pytest.raises(ValueError, match="error_score must be 'raise', a finite number or nan, got"):
            cross_validate(Picky(), X, y, error_score=bad)
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match="all 5 fits failed, so there is no score"):
        cross_validate(Picky(bad_fit="broken"), X, y, error_score=np.nan)


def test_a_candidate_that_fails_comes_last():
    X, y = np.zeros((6, 1)), np.arange(6.0)
    grid = {"bad_fit": [5.0, None, 0.0, "broken"]}
    with warnings.catch_warnings(action="ignore"):
        theirs = peer.GridSearchCV(Picky(), grid, cv=3, error_score=np.nan).fit(X, y)
    with pytest.warns(FitFailedWarning):
        ours = GridSearchCV(Picky(), grid, cv=3, error_score=np.nan).fit(X, y)
    for name in ("mean_test_score", "std_test_score", "rank_test_score"):
        assert_allclose(ours.cv_results_[name], theirs.cv_results_[name], rtol=1e-12)
    assert ours.best_index_ == theirs.best_index_ == 1
    with pytest.warns(FitFailedWarning, match="fit failed for {'bad_fit': 5.0}"):
        search = GridSearchCV(Picky(), {"bad_fit": [5.0, None]}, cv=3, error_score=-9.0).fit(X, y)
    assert_allclose(search.cv_results_["mean_test_score"], [(-9 - 9 - 4.5) / 3, -2.5], rtol=1e-12)
    with pytest.warns(FitFailedWarning), pytest.raises(ValueError, match="each candidate failed on some split"):
        GridSearchCV(Picky(), {"bad_fit": [5.0, 0.0]}, cv=3, error_score=np.nan).fit(X, y)


def test_a_scoring_of_ones_own_gets_no_targets_where_there_are_none():
    spread = GridSearchCV(KMeans(random_state=0), {"n_clusters": [2, 3]}, scoring=lambda model, X: model.score(X), cv=3)
    plain = GridSearchCV(KMeans(random_state=0), {"n_clusters": [2, 3]}, cv=3).fit(IRIS.X)
    assert_array_equal(spread.fit(IRIS.X).cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"])
    assert spread.score(IRIS.X) == plain.score(IRIS.X)


def test_a_search_has_the_logarithms_of_the_probabilities_of_its_winner():
    search = GridSearchCV(LogisticRegression(max_iter=999), {"C": [0.1, 1.0]}).fit(IRIS.X, IRIS.y)
    assert_array_equal(search.predict_log_proba(IRIS.X), search.best_estimator_.predict_log_proba(IRIS.X))
    assert not hasattr(GridSearchCV(KMeans(), {}), "predict_log_proba")


def test_shares_of_any_precision_are_more_than_all():
    for share in (float, np.float32, np.float64):
        with pytest.raises(ValueError, match="are more than all: lower one of them"):
            train_test_split(range(3), test_size=share(0.6), train_size=share(0.6))
        assert len(train_test_split(range(10), test_size=share(0.7), train_size=share(0.3))[0]) == 3


def test_a_score_may_be_an_array_of_one_number():
    for score in (np.array(2.5), np.float32(2.5)):
        found = cross_val_score(DummyRegressor(), IRIS.X, IRIS.X[:, 0], scoring=lambda *_, score=score: score)
        assert_array_equal(found, [2.5] * 5)

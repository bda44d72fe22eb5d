"""Tests of logistic regression: published fits, independent solvers, laws, extremes and bad input."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from sklearn import linear_model, multiclass
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.model_selection import cross_val_score as peer_cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_breast_cancer, load_iris
from notes_lib.foundations.cross_validation import cross_val_score
from notes_lib.foundations.exponential_family import GeneralizedLinearModel
from notes_lib.foundations.inference import likelihood_ratio_test
from notes_lib.linear import logistic_regression as book
from notes_lib.linear.logistic_regression import (
    LogisticRegression,
    OneVsOneClassifier,
    OneVsRestClassifier,
    coefficient_table,
    logistic_gradient,
    logistic_hessian,
    logistic_objective,
    newton_step,
    pairwise_votes,
    proximal_step,
    working_response,
)
from notes_lib.linear.logistic_regression.multinomial import weighted_objective
from notes_lib.linear.logistic_regression.newton import ENOUGH, SHARE, Problem, newton_fit
from notes_lib.linear.softmax_regression import SoftmaxRegression, softmax_loss
from notes_lib.numerics import central_difference

seeds = st.integers(0, 10_000)

HOURS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5]
PASSED = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1]
TEMPERATURE = [66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78, 67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58]
DAMAGE = [0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1]


def data(seed, n=60, d=3):
    """Rows with a column of ones first, 0/1 labels that no hyperplane separates, and some weights."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.ones(n), rng.normal(size=(n, d))])
    w = rng.normal(size=d + 1)
    y = (rng.random(n) < 1 / (1 + np.exp(-X @ w))).astype(int)
    y[:2] = 0, 1
    return X, y, w


def weights(model):
    return np.r_[model.intercept_, model.coef_.ravel()]


# ---- golden


@pytest.mark.equation("logistic-regression-model", "logistic-regression-wald")
def test_hours_of_study():
    """The example of the article *Logistic regression* of Wikipedia, reproduced there with several packages."""
    X = np.array(HOURS)[:, None]
    model = LogisticRegression(C=np.inf).fit(X, PASSED)
    found = coefficient_table(weights(model), np.column_stack([np.ones(20), X]))
    assert_allclose(found.coef, [-4.0777, 1.5046], atol=1e-4)
    assert_allclose(found.standard_error, [1.7610, 0.6287], atol=1e-4)
    assert_allclose(found.z, [-2.316, 2.393], atol=1e-3)
    assert_allclose(found.p_value, [0.0206, 0.0167], atol=1e-4)
    proba = model.predict_proba([[1.0], [2.0], [3.0], [4.0], [5.0]])[:, 1]
    assert_allclose(proba, [0.07, 0.26, 0.61, 0.87, 0.97], atol=0.0051)
    assert model.objective_[-1] == pytest.approx(8.02988, abs=1e-5)
    null = 20 * np.log(2)  # ten of twenty passed
    assert likelihood_ratio_test(-null, -model.objective_[-1]).statistic == pytest.approx(11.6661, abs=1e-4)


def test_o_rings():
    """Dalal, Fowlkes and Hoadley (1989): damage to the seals of a space shuttle by temperature at the start."""
    X = np.array(TEMPERATURE, dtype=float)[:, None]
    model = LogisticRegression(C=np.inf).fit(X, DAMAGE)
    found = coefficient_table(weights(model), np.column_stack([np.ones(23), X]))
    assert_allclose(found.coef, [15.0429, -0.2322], atol=6e-4)
    assert_allclose(found.standard_error, [7.3786, 0.1082], atol=6e-4)
    assert 2 * model.objective_[-1] == pytest.approx(20.315, abs=6e-4)
    assert model.predict_proba([[31.0]])[0, 1] == pytest.approx(0.9996, abs=1e-4)
    assert_allclose(found.low[1], np.exp(-0.232163 - 1.959964 * 0.108237), rtol=1e-5)
    assert_allclose(found.high[1], np.exp(-0.232163 + 1.959964 * 0.108237), rtol=1e-5)


def test_two_groups_have_their_odds():
    X = np.repeat([[0.0], [1.0]], [10, 20], axis=0)
    y = np.r_[np.repeat([1, 0], [4, 6]), np.repeat([1, 0], [15, 5])]
    model = LogisticRegression(C=np.inf).fit(X, y)
    assert_allclose(np.exp(weights(model)), [4 / 6, 3 / (4 / 6)], rtol=1e-6)
    found = coefficient_table(weights(model), np.column_stack([np.ones(30), X]))
    assert found.standard_error[1] == pytest.approx(
        np.sqrt(1 / 4 + 1 / 6 + 1 / 15 + 1 / 5), rel=1e-6
    )  # Woolf's formula


# ---- oracle


@pytest.mark.equation("logistic-regression-objective", "logistic-regression-gradient", "logistic-regression-hessian")
@pytest.mark.equation("logistic-regression-slope")
@pytest.mark.parametrize("seed", range(4))
def test_derivatives_by_finite_differences(seed):
    X, y, w = data(seed)
    penalty = np.array([0.0, 1.0, 0.5, 2.0])
    p = 1 / (1 + np.exp(-X @ w))
    product = np.prod(np.where(y == 1, p, 1 - p))  # the likelihood as it is defined
    assert logistic_objective(w, X, y) == pytest.approx(-np.log(product), rel=1e-12)
    assert logistic_objective(w, X, y, penalty) == pytest.approx(-np.log(product) + (penalty * w**2).sum() / 2)
    numeric = central_difference(lambda v: logistic_objective(v, X, y, penalty), w)
    assert_allclose(logistic_gradient(w, X, y, penalty), numeric, rtol=1e-6, atol=1e-6)
    rows = [central_difference(lambda v, j=j: logistic_gradient(v, X, y, penalty)[j], w) for j in range(4)]
    assert_allclose(logistic_hessian(w, X, penalty), rows, rtol=1e-6, atol=1e-6)


@pytest.mark.equation("logistic-regression-signs")
@given(seed=seeds)
@settings(max_examples=20, deadline=None)
def test_both_codings_are_one_objective(seed):
    X, y, w = data(seed, n=12)
    signs = 2 * y - 1
    assert logistic_objective(w, X, y) == pytest.approx(np.log(1 + np.exp(-signs * (X @ w))).sum(), rel=1e-10)
    by_signs = -(X.T * signs) @ (1 / (1 + np.exp(signs * (X @ w))))
    assert_allclose(logistic_gradient(w, X, y), by_signs, atol=1e-10)


@pytest.mark.equation("logistic-regression-newton", "logistic-regression-irls")
@pytest.mark.parametrize("seed", range(4))
def test_newton_step_is_weighted_least_squares(seed):
    X, y, w = data(seed)
    W, response = working_response(w, X, y)
    root = np.sqrt(W)
    expected = np.linalg.lstsq(root[:, None] * X, root * response, rcond=None)[0]
    assert_allclose(newton_step(w, X, y), expected, rtol=1e-8)
    H, g = logistic_hessian(w, X, 0.7), logistic_gradient(w, X, y, 0.7)
    assert_allclose(newton_step(w, X, y, 0.7), w - np.linalg.inv(H) @ g, rtol=1e-8)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0, np.inf])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_same_weights_as_independent_solvers(C, fit_intercept):
    X, y, _ = data(7, n=150)
    ours = LogisticRegression(C, fit_intercept=fit_intercept).fit(X[:, 1:], y)
    peer = linear_model.LogisticRegression(C=C, fit_intercept=fit_intercept, tol=1e-12, max_iter=5000)
    peer.fit(X[:, 1:], y)
    assert_allclose(ours.coef_, peer.coef_, rtol=1e-5, atol=1e-7)
    assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-5, atol=1e-7)
    free = np.r_[0.0, np.full(3, 0.0 if np.isinf(C) else 1 / C)]
    columns = X if fit_intercept else X * [0, 1, 1, 1]
    best = minimize(lambda v: logistic_objective(v, columns, y, free), np.zeros(4), method="BFGS")
    assert ours.objective_[-1] == pytest.approx(best.fun, rel=1e-8)


def test_bernoulli_model_of_the_exponential_family():
    X, y, _ = data(3)
    ours = LogisticRegression(C=np.inf).fit(X[:, 1:], y)
    glm = GeneralizedLinearModel("bernoulli").fit(X[:, 1:], y)
    assert_allclose(weights(ours), np.r_[glm.intercept_, glm.coef_], rtol=1e-5)


@pytest.mark.equation("logistic-regression-proximal")
def test_proximal_steps_reach_the_lasso_of_a_peer():
    X, y, _ = data(5, n=100, d=6)
    l1 = np.r_[0.0, np.full(6, 6.0)]
    step, w = 4 / np.linalg.eigvalsh(X.T @ X)[-1], np.zeros(7)
    objective = []
    for _ in range(1000):
        w = proximal_step(w, X, y, l1, step)
        objective.append(logistic_objective(w, X, y) + l1 @ np.abs(w))
    assert (np.diff(objective) <= 1e-10).all()
    peer = linear_model.LogisticRegression(l1_ratio=1, C=1 / 6, solver="saga", tol=1e-10, max_iter=100_000)
    peer.fit(X[:, 1:], y)
    assert_allclose(w, weights(peer), atol=1e-5)
    assert_array_equal(w[1:] == 0, peer.coef_[0] == 0)
    assert 0 < (w == 0).sum() < 6


# ---- the fast form


def test_warm_start_ends_where_plain_newton_does():
    n, d = SHARE * ENOUGH * 6 + 500, 5
    X, y, _ = data(11, n, d)
    plain = np.zeros(d + 1)
    penalty = np.r_[0.0, np.full(d, 0.5)]
    for _ in range(20):
        plain = newton_step(plain, X, y, penalty)
    problem = Problem(X[:, 1:], y.astype(float), 0.5, True, np.ones(len(y)))
    fits = [newton_fit(problem, 1e-4, 50, warm) for warm in (True, False)]
    part = problem.part()
    assert part.penalty == pytest.approx(0.5 * len(part.y) / n)  # so that its minimum estimates the same weights
    best = logistic_objective(plain, X, y, penalty)
    for fit in fits:
        assert fit.converged
        assert fit.objective[-1] == pytest.approx(best, rel=1e-8)
        assert_allclose(fit.w, plain, atol=1e-6)
    assert fits[0].objective[0] - best < SHARE * (d + 1)  # on average half of (SHARE - 1) (d + 1)
    assert fits[1].objective[0] == pytest.approx(n * np.log(2))


def test_an_objective_that_rounding_puts_below_zero_ends_the_halving(monkeypatch):
    """On some processors the loss of rows far on their own side is -7e-15: no shorter step is below that."""
    monkeypatch.setattr(Problem, "value", lambda self, w, z: -7e-15)
    X, y, _ = data(1)
    assert newton_fit(Problem(X[:, 1:], y.astype(float), 1.0, True, np.ones(len(y))), 1e-6, 50).converged


def test_a_step_that_never_goes_down_ends_the_search(monkeypatch):
    values = itertools.count()
    monkeypatch.setattr(Problem, "value", lambda self, w, z: float(next(values)))
    X, y, _ = data(1)
    fit = newton_fit(Problem(X[:, 1:], y.astype(float), 1.0, True, np.ones(len(y))), 1e-6, 50)
    assert (fit.converged, fit.n_iter) == (False, 0)


def test_part_of_the_rows_with_one_class_only():
    n = SHARE * ENOUGH * 2 + 80
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 1))
    y = (np.arange(n) % SHARE > 0).astype(int)  # the rows of the part are those of class 0
    y[1:200:8] = 0
    model = LogisticRegression(C=1e3).fit(X, y)
    peer = linear_model.LogisticRegression(C=1e3, tol=1e-12, max_iter=1000).fit(X, y)
    assert_allclose(weights(model), weights(peer), atol=1e-6)
    assert model.objective_[0] == pytest.approx(
        n * np.log(2)
    )  # the start of the part is dropped: it is worse than none


@given(seed=seeds, C=st.sampled_from([1e-3, 1.0, 1e4]))
@settings(max_examples=25, deadline=None)
def test_objective_never_rises_and_the_gradient_vanishes(seed, C):
    X, y, _ = data(seed, n=25)
    model = LogisticRegression(C).fit(X[:, 1:], y)
    assert (np.diff(model.objective_) <= 1e-9).all()
    assert len(model.objective_) == model.n_iter_[0] + 1
    gradient = logistic_gradient(weights(model), X, y, np.r_[0.0, np.full(3, 1 / C)])
    assert np.abs(gradient).max() < 1e-3


# ---- laws


@pytest.mark.equation("logistic-regression-convex")
@given(seed=seeds)
@settings(max_examples=20, deadline=None)
def test_hessian_is_never_indefinite_and_the_loss_convex(seed):
    X, y, w = data(seed, n=10)
    v = np.random.default_rng(seed).normal(size=4)
    assert np.linalg.eigvalsh(logistic_hessian(w, X)).min() >= -1e-12
    middle = logistic_objective((w + v) / 2, X, y)
    assert middle <= (logistic_objective(w, X, y) + logistic_objective(v, X, y)) / 2 + 1e-12


@pytest.mark.equation("logistic-regression-convex")
def test_a_minimum_with_a_repeated_column_has_a_singular_hessian_without_a_penalty():
    X, y, _ = data(3)
    twice = np.column_stack([X, X[:, 1]])
    w = np.r_[weights(LogisticRegression(C=np.inf, tol=1e-9).fit(X[:, 1:], y)), 0.0]
    assert np.abs(logistic_gradient(w, twice, y)).max() < 1e-6  # so w is a minimum: the objective is convex
    assert np.linalg.eigvalsh(logistic_hessian(w, twice))[0] == pytest.approx(0, abs=1e-10)
    assert np.linalg.eigvalsh(logistic_hessian(w, twice, [0.0, 1.0, 1.0, 1.0, 1.0]))[0] > 0.1


@pytest.mark.parametrize("C", [0.1, np.inf])
def test_where_a_feature_has_its_zero_does_not_matter_since_the_intercept_is_free(C):
    X, y, _ = data(5)
    here, there = (LogisticRegression(C).fit(X[:, 1:] + shift, y) for shift in (0.0, 7.0))
    assert_allclose(there.coef_, here.coef_, rtol=1e-5)
    assert_allclose(there.predict_proba(X[:, 1:] + 7.0), here.predict_proba(X[:, 1:]), rtol=1e-5)


@pytest.mark.equation("logistic-regression-balance")
def test_predicted_counts_are_the_observed_ones():
    X, y, _ = data(2, n=200)
    group = (X[:, 1] > 0).astype(float)
    columns = np.column_stack([X[:, 2:], group])
    p = LogisticRegression(C=np.inf).fit(columns, y).predict_proba(columns)[:, 1]
    assert p.sum() == pytest.approx(y.sum(), abs=1e-4)
    assert p[group == 1].sum() == pytest.approx(y[group == 1].sum(), abs=1e-4)


def test_equivariance():
    X, y, _ = data(4, n=80)
    model = LogisticRegression(C=np.inf).fit(X[:, 1:], y)
    scaled = LogisticRegression(C=np.inf).fit(X[:, 1:] * [1.0, 1e4, 1e-4] + [0.0, 1e6, 0.0], y)
    assert_allclose(scaled.coef_ * [1.0, 1e4, 1e-4], model.coef_, rtol=1e-5)
    swapped = LogisticRegression(C=np.inf).fit(X[:, 1:], 1 - y)
    assert_allclose(weights(swapped), -weights(model), rtol=1e-6)
    doubled = LogisticRegression(C=0.5).fit(np.vstack([X, X])[:, 1:], np.r_[y, y])
    assert_allclose(weights(doubled), weights(LogisticRegression(C=1.0).fit(X[:, 1:], y)), rtol=1e-5)


@pytest.mark.equation("logistic-regression-sigmoid")
def test_probabilities_and_ties():
    X, y, _ = data(6)
    model = LogisticRegression().fit(X[:, 1:], np.where(y == 1, "yes", "no"))
    P = model.predict_proba(X[:, 1:])
    assert_allclose(P.sum(axis=1), 1)
    assert_allclose(P[:, 1], 1 / (1 + np.exp(-(X @ weights(model)))))
    assert_allclose(np.exp(model.predict_log_proba(X[:, 1:])), P)
    assert_array_equal(model.predict(X[:, 1:]), model.classes_[P.argmax(axis=1)])
    model.coef_, model.intercept_ = np.zeros((1, 3)), np.zeros(1)
    assert set(model.predict(X[:, 1:])) == {"no"}
    model.intercept_ = np.array([-800.0])
    assert_allclose(model.predict_log_proba(X[:1, 1:]), [[0.0, -800.0]])


# ---- more than two classes


@pytest.mark.equation("logistic-regression-ovr", "logistic-regression-normalised")
def test_one_against_the_rest_of_a_peer():
    X, y = load_iris().X, np.array(["c", "a", "b"])[load_iris().y]
    ours = OneVsRestClassifier(LogisticRegression()).fit(X, y)
    peer = multiclass.OneVsRestClassifier(linear_model.LogisticRegression(tol=1e-10, max_iter=5000)).fit(X, y)
    assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-4)
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-5)
    assert_array_equal(ours.predict(X), peer.predict(X))


@pytest.mark.equation("logistic-regression-ovo")
def test_one_against_one_of_a_peer():
    X, y = load_iris().X, load_iris().y
    ours = OneVsOneClassifier(LogisticRegression()).fit(X, y)
    peer = multiclass.OneVsOneClassifier(linear_model.LogisticRegression(tol=1e-10, max_iter=5000)).fit(X, y)
    assert len(ours.estimators_) == 3
    assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-4)
    assert_array_equal(ours.predict(X), peer.predict(X))


@pytest.mark.equation("logistic-regression-ovo")
def test_ties_of_votes():
    scores = pairwise_votes([[-1.0, 2.0, -1.0], [3.0, -1.0, 1.0], [0.0, 0.0, 0.0]], 3)
    assert_array_equal(scores.argmax(axis=1), [2, 1, 0])  # sums -1, 0, 1; then -2, 2, 0; a zero is for the first
    assert_array_equal(scores[:2].round(), np.ones((2, 3)))
    assert_array_equal(scores[2], [2.0, 1.0, 0.0])
    clear = pairwise_votes([[1e9, -1e9, 1.0]], 3)  # no sum outweighs a vote
    assert_array_equal(clear.round(), [[1.0, 1.0, 1.0]])
    assert (np.abs(clear - 1) < 1 / 3).all()


@pytest.mark.parametrize("reduction", [OneVsRestClassifier, OneVsOneClassifier])
def test_two_classes_are_one_machine(reduction):
    X, y, _ = data(8)
    plain = LogisticRegression().fit(X[:, 1:], y)
    model = reduction(LogisticRegression()).fit(X[:, 1:], y)
    assert len(model.estimators_) == 1
    assert_allclose(model.decision_function(X[:, 1:]), plain.decision_function(X[:, 1:]))
    assert_array_equal(model.predict(X[:, 1:]), plain.predict(X[:, 1:]))
    if reduction is OneVsRestClassifier:
        assert_allclose(model.predict_proba(X[:, 1:]), plain.predict_proba(X[:, 1:]))


def test_reductions_take_any_classifier_of_two_classes():
    X, y = load_iris().X, load_iris().y
    ours = OneVsRestClassifier(LinearSVC(random_state=0)).fit(X, y)
    peer = multiclass.OneVsRestClassifier(LinearSVC(random_state=0)).fit(X, y)
    assert_array_equal(ours.predict(X), peer.predict(X))


@pytest.mark.parametrize("name", ["OneVsRestClassifier", "OneVsOneClassifier"])
@pytest.mark.parametrize("words", [False, True])
def test_reductions_of_a_kernel_matrix(name, words):
    """The tag of the estimator is theirs, too: splits take rows and columns, and so does a pair of classes."""
    X = load_iris().X[::2]
    y = np.array(["a", "b", "c"])[load_iris().y[::2]] if words else load_iris().y[::2]
    K = rbf_kernel(X, gamma=0.1)
    ours, rows, theirs = (
        getattr(module, name)(SVC(kernel=kernel, gamma=0.1, tol=1e-8))
        for module, kernel in ((book, "precomputed"), (book, "rbf"), (multiclass, "precomputed"))
    )
    assert get_tags(ours).input_tags.pairwise
    assert not get_tags(rows).input_tags.pairwise
    scores = ours.fit(K, y).decision_function(K[::7])
    assert_allclose(scores, rows.fit(X, y).decision_function(X[::7]), rtol=0, atol=1e-6)
    assert_allclose(scores, theirs.fit(K, y).decision_function(K[::7]), rtol=0, atol=1e-6)
    assert_allclose(cross_val_score(ours, K, y), cross_val_score(rows, X, y))
    assert_allclose(peer_cross_val_score(ours, K, y), cross_val_score(rows, X, y))


# ---- more than two classes, and weights


def several(seed, n=60, K=3, d=4):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    return 0.7 * rng.normal(size=(K, d))[y] + rng.normal(size=(n, d)) + 5, y, np.arange(n) % 7 % 4


def fine(C=1.0, **options):
    """Both kinds of search at their best."""
    return LogisticRegression(C, tol=1e-8, max_iter=2000, **options)


@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"C": 0.01}, {"class_weight": "balanced"}], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("K", [2, 3, 5])
def test_any_number_of_classes_is_that_of_scikit_learn(K, weighted, options):
    X, y, v = several(30, K=K)
    words, v = np.array(list("edcba"))[y], np.arange(60) / 7.0 if weighted else None
    model = fine(**options).fit(X, words, v)
    peer = linear_model.LogisticRegression(tol=1e-12, solver="newton-cholesky", **options).fit(X, words, v)
    for name in ("classes_", "coef_", "intercept_", "n_iter_"):
        assert getattr(model, name).shape == getattr(peer, name).shape, name
    assert_array_equal(model.classes_, peer.classes_)
    assert_allclose(model.coef_, peer.coef_, rtol=0, atol=1e-6)
    assert_allclose(model.intercept_, peer.intercept_, rtol=0, atol=2e-5)
    for method in ("decision_function", "predict_proba", "predict_log_proba"):
        assert_allclose(getattr(model, method)(X), getattr(peer, method)(X), rtol=0, atol=1e-6)
    assert_array_equal(model.predict(X), peer.predict(X))
    assert model.score(X, words, v) == pytest.approx(peer.score(X, words, v), rel=1e-12)
    assert model.n_iter_.dtype.kind == "i"


@pytest.mark.parametrize("K", [3, 4])
def test_softmax_regression_is_the_same_model(K):
    X, y, v = several(31, K=K)
    for weight in (None, v):
        model, same = fine(0.5).fit(X, y, weight), SoftmaxRegression(C=0.5, tol=1e-9).fit(X, y, weight)
        assert_allclose(model.coef_, same.coef_, rtol=0, atol=1e-6)
        assert_allclose(model.intercept_, same.intercept_, rtol=0, atol=1e-5)
        assert_allclose(model.coef_.sum(axis=0), 0.0, atol=1e-12)
        assert model.intercept_.sum() == pytest.approx(0.0, abs=1e-12)
        assert np.diff(model.objective_).max() <= 0
        A, w = np.column_stack([np.ones(60), X]), np.ones(60) if weight is None else weight
        W = np.column_stack([model.intercept_, model.coef_])
        rows = [softmax_loss(W, A[i : i + 1], np.eye(K)[y[i : i + 1]]) for i in range(60)]
        assert model.objective_[-1] == pytest.approx(w @ rows + (model.coef_**2).sum(), rel=1e-10)  # 1 / (2 C) is 1


@pytest.mark.parametrize("seed", range(3))
def test_gradient_of_the_weighted_loss(seed):
    X, y, v = several(seed)
    penalty, T = np.array([0.0, 1.0, 2.0, 0.5]), np.random.default_rng(seed).normal(size=(4, 4))
    fun = weighted_objective(X - 5, y, 3, v + 0.5, penalty, T)
    u = np.random.default_rng(seed).normal(size=12)
    assert_allclose(fun(u)[1], central_difference(lambda u: fun(u)[0], u), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("C", [1.0, np.inf])
@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 3.0, 1: 0.5, 2: 1.0}])
@pytest.mark.parametrize("K", [2, 3])
def test_weights_are_repeated_rows(K, class_weight, C):
    X, y, v = several(37, K=K)
    class_weight = {k: class_weight[k] for k in range(K)} if isinstance(class_weight, dict) else class_weight
    model = fine(C, class_weight=class_weight)
    fit, repeated = clone(model).fit(X, y, v), clone(model).fit(np.repeat(X, v, axis=0), np.repeat(y, v))
    assert_allclose(fit.coef_, repeated.coef_, rtol=0, atol=1e-5)
    assert_allclose(fit.predict_proba(X), repeated.predict_proba(X), rtol=0, atol=1e-6)
    assert fit.objective_[-1] == pytest.approx(repeated.objective_[-1], rel=1e-10)
    assert np.abs(fit.predict_proba(X) - clone(model).fit(X, y).predict_proba(X)).max() > 0.01


@pytest.mark.parametrize("K", [2, 3])
def test_weights_of_classes_are_weights_of_their_rows(K):
    X, y, _ = several(33, K=K)
    X, y = X[5:], np.where(np.arange(60) < 20, 0, y)[5:]  # class 0 has more rows
    factors = {0: 4.0, 1: 0.5, 2: 1.5}
    by_class = fine(class_weight={k: factors[k] for k in range(K)}).fit(X, y)
    assert_allclose(by_class.coef_, fine().fit(X, y, np.array([factors[k] for k in y])).coef_, rtol=0, atol=1e-6)
    balanced = fine(C=np.inf, class_weight="balanced").fit(X, y)
    shares = (balanced.predict_proba(X) * (55 / (K * np.bincount(y)))[y][:, None]).sum(axis=0)
    assert_allclose(shares, 55 / K, rtol=1e-5)  # the gradient by the intercepts: all classes count alike


def test_a_part_of_the_rows_counts_with_its_weights():
    """The part stands for all rows: its penalty is as much smaller as its weights are."""
    X, y, v = several(34, n=16, K=2)
    part = Problem(X, y.astype(float), 2.0, True, v + 0.0).part()
    assert_array_equal(part.v, v[::SHARE])
    assert part.penalty == pytest.approx(2.0 * v[[0, 8]].sum() / v.sum())


def test_a_factor_of_weights_and_penalty_changes_no_step():
    """Neither whether the part is a good start."""
    X, y, _ = data(11, n=SHARE * ENOUGH * 5)
    plain = Problem(X[:, 1:], y.astype(float), 1.0, True, np.ones(len(y)))
    once, tenfold = (newton_fit(p, 1e-6, 50) for p in (plain, plain._replace(penalty=10.0, v=10 * plain.v)))
    assert_allclose(tenfold.w, once.w, rtol=1e-10)
    assert_allclose(tenfold.objective, 10 * np.array(once.objective), rtol=1e-12)


@pytest.mark.parametrize("K", [2, 3])
def test_weight_0_leaves_a_row_and_perhaps_a_class_out(K):
    X, y, _ = several(35, K=K + 1)
    v = np.where(y == 1, 0.0, 1.0)
    fit, rest = fine().fit(X, y, v), fine().fit(X[y != 1], y[y != 1])
    assert_array_equal(fit.classes_, [0, 2, 3][:K])
    assert_allclose(fit.coef_, rest.coef_, rtol=1e-10)
    fit, rest = SoftmaxRegression().fit(X, y, v), SoftmaxRegression().fit(X[y != 1], y[y != 1], v[y != 1])
    assert_allclose(fit.coef_, rest.coef_, rtol=1e-10)


def test_separated_classes_of_any_number_without_a_penalty():
    X, y = np.arange(9.0)[:, None], np.repeat([0, 1, 2], 3)
    with pytest.warns(ConvergenceWarning, match="separated by a hyperplane, so the likelihood has no maximum"):
        model = LogisticRegression(C=np.inf).fit(X, y)
    assert_array_equal(model.predict(X), y)
    with pytest.warns(ConvergenceWarning, match="L-BFGS did not converge in 2 steps: increase max_iter or tol, or set"):
        LogisticRegression(max_iter=2).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LogisticRegression(C=np.inf).fit(*several(36)[:2])


# ---- contract and extremes


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks ask for one step
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        OneVsRestClassifier(LogisticRegression()),
        OneVsOneClassifier(LogisticRegression()),
    ],
)
def test_estimator_contract(model):
    check_estimator(model, on_skip=None)


def test_pipeline_search_clone_and_pickle():
    cancer = load_breast_cancer()
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    search = GridSearchCV(pipe, {"logisticregression__C": [0.1, 1.0]}, cv=3).fit(cancer.X, cancer.y)
    assert search.best_score_ > 0.95
    model = LogisticRegression(2.0, tol=1e-3, fit_intercept=False, max_iter=7)
    chosen = {"C": 2.0, "tol": 1e-3, "fit_intercept": False, "class_weight": None, "max_iter": 7}
    assert clone(model).get_params() == chosen
    X, y, _ = data(9)
    model.fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_layouts_and_precisions():
    X, y, _ = data(10)
    X = X[:, 1:]
    model = LogisticRegression().fit(X, y)
    for other in (np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2]):
        assert_allclose(weights(LogisticRegression().fit(other, y)), weights(model), rtol=1e-10)
    assert_allclose(weights(LogisticRegression().fit(X.astype(np.float32), y)), weights(model), rtol=1e-5)
    order = np.random.default_rng(0).permutation(len(y))
    assert_allclose(weights(LogisticRegression().fit(X[order], y[order])), weights(model), rtol=1e-6)


def test_more_columns_than_rows_and_huge_scales():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(8, 30)), np.array([0, 1] * 4)
    assert_array_equal(LogisticRegression().fit(X, y).predict(X), y)
    huge = LogisticRegression().fit(1e8 * X, y)
    assert np.isfinite(huge.predict_proba(1e8 * X)).all()
    assert np.isfinite(logistic_objective(np.full(30, 1e5), X, y))


def test_separated_classes_have_weights_with_a_penalty():
    X, y = np.array([[-2.0], [-1.0], [1.0], [2.0]]), [0, 0, 1, 1]
    sizes = [LogisticRegression(C).fit(X, y).coef_[0, 0] for C in (1.0, 100.0, 1e4)]
    assert sizes[0] < sizes[1] < sizes[2]
    peer = linear_model.LogisticRegression(C=100.0, tol=1e-12, max_iter=1000).fit(X, y)
    assert sizes[1] == pytest.approx(peer.coef_[0, 0], rel=1e-5)


@pytest.mark.parametrize("C", [1e15, 1e25])
@pytest.mark.parametrize("seed", range(5))
def test_a_tiny_penalty_on_separated_classes_ends(C, seed):
    """The objective is nearly 0 there; as a difference of large sums it rounded below 0, and no step was accepted."""
    X, y = np.random.default_rng(seed).normal(size=(20, 2)), np.repeat([0, 1], 10)
    X[y == 1] += 8
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression(C).fit(X, y)
    assert (model.objective_ >= 0).all()
    assert_array_equal(model.predict(X), y)


# ---- bad input


@pytest.mark.equation("logistic-regression-divergence")
@pytest.mark.parametrize("X", [[[-2.0], [-1.0], [1.0], [2.0]], [[-1.0], [0.0], [0.0], [2.0]]])
def test_separated_classes_without_a_penalty(X):
    """In the second case two rows lie on the boundary itself, with different labels: quasi-separation."""
    with pytest.warns(ConvergenceWarning, match="separated by a hyperplane, so the likelihood has no maximum"):
        model = LogisticRegression(C=np.inf).fit(X, [0, 0, 1, 1])
    assert model.coef_[0, 0] > 0


def test_quasi_separated_classes_without_a_penalty_are_named():
    """Two rows stay on the hyperplane, so the search sees no separation: the warning names what it may be."""
    with pytest.warns(ConvergenceWarning, match="set a finite C. If all rows .*quasi-separation.* has no maximum"):
        LogisticRegression(C=np.inf).fit([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1])


def test_too_few_steps():
    X, y, _ = data(1)
    with pytest.warns(
        ConvergenceWarning, match="did not converge in 1 steps: increase max_iter or tol, or set a smaller C.$"
    ):
        LogisticRegression(max_iter=1).fit(X[:, 1:], y)


def test_no_warning_where_a_maximum_exists():
    X, y, _ = data(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LogisticRegression(C=np.inf).fit(X[:, 1:], y)


X_GOOD, Y_GOOD, _ = data(0, n=20)


@pytest.mark.parametrize(
    ("model", "X", "y", "message"),
    [
        (LogisticRegression(), X_GOOD, np.ones(20), "y must hold at least two classes, got 1 class"),
        (LogisticRegression(class_weight={0: -1.0, 1: 1.0}), X_GOOD, Y_GOOD, r"class_weight\[0\] must be finite"),
        (LogisticRegression(C=np.inf), X_GOOD, np.arange(20) % 3, "column 0 of X is constant"),
        (LogisticRegression(C=0), X_GOOD, Y_GOOD, "C must be positive, got 0: a smaller C is a stronger penalty"),
        (LogisticRegression(C=-1.0), X_GOOD, Y_GOOD, "C must be finite and at least 0, got -1"),
        (LogisticRegression(C=np.nan), X_GOOD, Y_GOOD, "C must be finite and at least 0, got nan"),
        (LogisticRegression(tol=0), X_GOOD, Y_GOOD, "tol must be positive"),
        (LogisticRegression(max_iter=0), X_GOOD, Y_GOOD, "max_iter must be at least 1"),
        (LogisticRegression(), np.where(X_GOOD > 1.5, np.nan, X_GOOD), Y_GOOD, "contains NaN"),
        (LogisticRegression(C=np.inf), X_GOOD, Y_GOOD, "column 0 of X is constant"),
        (LogisticRegression(C=np.inf), X_GOOD[:, [1, 2, 1]], Y_GOOD, "column 2 of X is a linear combination"),
        (OneVsRestClassifier(LogisticRegression()), X_GOOD, np.ones(20), "at least two classes"),
        (OneVsOneClassifier(LogisticRegression()), X_GOOD, np.ones(20), "at least two classes"),
    ],
)
def test_bad_data_and_parameters(model, X, y, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, y)


def test_constant_column_with_a_penalty_gets_no_weight():
    assert LogisticRegression().fit(X_GOOD, Y_GOOD).coef_[0, 0] == 0


@pytest.mark.parametrize("model", [LogisticRegression(), SoftmaxRegression()])
@pytest.mark.parametrize(
    ("v", "message"),
    [
        (np.zeros(20), "sample_weight is zero for every row"),
        (-np.ones(20), "sample_weight must not be negative, got -1"),
        (np.ones(19), r"sample_weight must be a vector of shape \(20,\)"),
        (Y_GOOD, "y must hold at least two classes, got 1 class"),
    ],
)
def test_bad_weights(model, v, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X_GOOD, Y_GOOD, v)


@pytest.mark.parametrize("C", ["strong", True, None])
def test_strength_of_another_type(C):
    with pytest.raises(TypeError, match="C must be a number"):
        LogisticRegression(C=C).fit(X_GOOD, Y_GOOD)


@pytest.mark.parametrize("reduction", [OneVsRestClassifier, OneVsOneClassifier])
def test_reduction_of_no_classifier(reduction):
    with pytest.raises(TypeError, match="estimator must be a classifier with fit and decision_function"):
        reduction(StandardScaler()).fit(X_GOOD, Y_GOOD)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"w": np.zeros(3)}, r"w must be a vector of shape \(4,\)"),
        ({"w": [np.nan, 0, 0, 0]}, "w must be finite"),
        ({"X": X_GOOD[0]}, "X must be a matrix"),
        ({"y": Y_GOOD[:5]}, r"y must be a vector of shape \(20,\)"),
        ({"y": 2 * Y_GOOD - 1}, "y must hold only 0 and 1"),
        ({"penalty": -1.0}, "penalty must not be negative, got -1"),
        ({"penalty": [1.0, 2.0]}, r"penalty must have shape \(4,\)"),
    ],
)
def test_bad_arguments_of_the_steps(change, message):
    arguments = {"w": np.zeros(4), "X": X_GOOD, "y": Y_GOOD, "penalty": 0.0} | change
    for step in (logistic_objective, logistic_gradient, newton_step):
        with pytest.raises(ValueError, match=message):
            step(**arguments)


def test_other_bad_arguments():
    with pytest.raises(ValueError, match="step must be positive"):
        proximal_step(np.zeros(4), X_GOOD, Y_GOOD, 0.1, 0.0)
    with pytest.raises(ValueError, match="level must be between 0 and 1, got 1"):
        coefficient_table(np.zeros(4), X_GOOD, level=1.0)
    with pytest.raises(ValueError, match="singular"):
        newton_step(np.zeros(2), [[1.0, 2.0], [2.0, 4.0]], [0, 1])
    with pytest.raises(ValueError, match=r"scores must have K\(K-1\)/2 = 3 columns, got 2"):
        pairwise_votes([[1.0, 2.0]], 3)
    with pytest.raises(ValueError, match="n_classes must be at least 2"):
        pairwise_votes([[1.0]], 1)
    with pytest.raises(ValueError, match="X has 3 features, but LogisticRegression is expecting 4"):
        LogisticRegression().fit(X_GOOD, Y_GOOD).predict(X_GOOD[:, 1:])

"""Softmax regression against published numbers, finite differences, scikit-learn, linear programming, and its laws."""

import pickle
import warnings

import numpy as np
import pytest
import scipy.special
import sklearn.linear_model
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

from notes_lib.linear.softmax_regression import (
    SoftmaxRegression,
    log_sum_exp,
    one_hot,
    softmax,
    softmax_gradient,
    softmax_hessian,
    softmax_loss,
    softmax_step,
)
from notes_lib.linear.softmax_regression.fitting import coordinates
from notes_lib.numerics import central_difference

PEER = sklearn.linear_model.LogisticRegression


def problem(seed, n=40, d=3, K=4):
    """Weights, instances and labels that follow the model."""
    rng = np.random.default_rng(seed)
    W, X = rng.normal(size=(K, d)), rng.normal(size=(n, d))
    codes = (X @ W.T + rng.gumbel(size=(n, K))).argmax(axis=1)
    codes[:K] = range(K)
    return W, X, codes


def total_loss(model, X, codes, C):
    """Penalised loss of a fitted model, in SciPy's functions."""
    scores = X @ model.coef_.T + model.intercept_
    own = scores[np.arange(len(X)), codes]
    return (scipy.special.logsumexp(scores, axis=1) - own).sum() + (model.coef_**2).sum() / (2 * C)


# ---------------------------------------------------------------- published examples


@pytest.mark.equation("softmax-regression-softmax")
def test_softmax_of_seven_numbers():
    """The example of Wikipedia's article *Softmax function*."""
    expected = [0.02364054, 0.06426166, 0.1746813, 0.474833, 0.02364054, 0.06426166, 0.1746813]
    assert_allclose(softmax([1, 2, 3, 4, 1, 2, 3]), expected, atol=1e-8)
    assert_allclose(softmax([1001, 1002, 1003, 1004, 1001, 1002, 1003]), expected, atol=1e-8)


@pytest.mark.equation("softmax-regression-softmax", "softmax-regression-loss")
def test_three_classes_of_the_stanford_notes():
    """CS231n, *Linear classification*, its figure: scores -2.85, 0.86, 0.28 and, for the third class, loss 1.04."""
    W = [[0.01, -0.05, 0.1, 0.05, 0.0], [0.7, 0.2, 0.05, 0.16, 0.2], [0.0, -0.45, -0.2, 0.03, -0.3]]
    x = [[-15, 22, -44, 56, 1]]
    assert_allclose(np.asarray(x) @ np.transpose(W), [[-2.85, 0.86, 0.28]], atol=1e-9)
    assert_allclose(softmax(np.asarray(x) @ np.transpose(W)), [[0.016, 0.631, 0.353]], atol=6e-4)
    assert softmax_loss(W, x, [[0, 0, 1]]) == pytest.approx(1.04, abs=5e-3)


def test_versicolor_and_virginica_without_a_penalty():
    """The maximum-likelihood fit of R's ``glm`` to two species of Fisher's irises, as many textbooks print it."""
    X, y = load_iris(return_X_y=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the two species overlap
        model = SoftmaxRegression(C=np.inf, tol=1e-8).fit(X[50:], y[50:])
        SoftmaxRegression(C=np.inf).fit(X, y)
    assert_allclose(model.coef_[1] - model.coef_[0], [-2.465, -6.681, 9.429, 18.286], atol=5e-4)
    assert model.intercept_[1] - model.intercept_[0] == pytest.approx(-42.638, abs=5e-4)


# ---------------------------------------------------------------- other routes


@pytest.mark.equation("softmax-regression-log-sum-exp", "softmax-regression-softmax")
@pytest.mark.parametrize("size", [1.0, 700.0, 1e300])
def test_softmax_and_its_normaliser_as_scipy(size):
    A = size * np.random.default_rng(0).normal(size=(20, 5))
    assert_allclose(log_sum_exp(A), scipy.special.logsumexp(A, axis=1), rtol=1e-14)
    assert_allclose(softmax(A), scipy.special.softmax(A, axis=1), rtol=1e-12, atol=1e-300)
    assert_allclose(softmax(A[0]), softmax(A)[0], rtol=1e-15)
    assert_allclose(softmax(A.reshape(2, 10, 5)).reshape(20, 5), softmax(A), rtol=1e-15)


@pytest.mark.equation("softmax-regression-one-hot")
def test_one_hot_rows():
    codes = np.random.default_rng(1).integers(0, 4, 30)
    Y = one_hot(codes, 4)
    assert [[float(c == k) for k in range(4)] for c in codes] == Y.tolist()
    assert_array_equal(Y.argmax(axis=1), codes)


@pytest.mark.equation("softmax-regression-loss", "softmax-regression-gradient", "softmax-regression-penalised")
@pytest.mark.parametrize("seed", range(4))
def test_loss_and_gradient(seed):
    W, X, codes = problem(seed)
    penalty = np.array([0.5, 0.0, 2.0])
    Y = one_hot(codes, 4)
    product = 1.0
    for x, c in zip(X, codes, strict=True):
        e = [np.exp(sum(w * v for w, v in zip(row, x, strict=True))) for row in W]
        product *= e[c] / sum(e)
    extra = sum(0.5 * r * w**2 for row in W for r, w in zip(penalty, row, strict=True))
    assert softmax_loss(W, X, Y) == pytest.approx(-np.log(product), rel=1e-10)
    assert softmax_loss(W, X, Y, penalty) == pytest.approx(-np.log(product) + extra, rel=1e-10)
    assert softmax_loss(W, X, Y, 2.0) == pytest.approx(-np.log(product) + (W**2).sum(), rel=1e-10)
    numeric = central_difference(lambda V: softmax_loss(V, X, Y, penalty), W)
    assert_allclose(softmax_gradient(W, X, Y, penalty), numeric, atol=1e-6)


@pytest.mark.equation("softmax-regression-gradient")
def test_labels_that_are_distributions():
    """A mixture of labels has the mixture of their losses and gradients."""
    W, X, codes = problem(5)
    Y, other = one_hot(codes, 4), one_hot((codes + 1) % 4, 4)
    mixed = 0.7 * Y + 0.3 * other
    assert softmax_loss(W, X, mixed) == pytest.approx(
        0.7 * softmax_loss(W, X, Y) + 0.3 * softmax_loss(W, X, other), rel=1e-12
    )
    numeric = central_difference(lambda V: softmax_loss(V, X, mixed), W)
    assert_allclose(softmax_gradient(W, X, mixed), numeric, atol=1e-6)


@pytest.mark.equation("softmax-regression-hessian", "softmax-regression-jacobian")
@pytest.mark.parametrize("seed", range(3))
def test_hessian_is_the_derivative_of_the_gradient(seed):
    W, X, codes = problem(seed, n=15)
    Y, penalty = one_hot(codes, 4), np.array([0.3, 0.0, 1.0])
    H = softmax_hessian(W, X, penalty)
    for i in range(W.size):
        entry = lambda V, i=i: float(softmax_gradient(V, X, Y, penalty).ravel()[i])
        assert_allclose(H[i], central_difference(entry, W).ravel(), atol=1e-6)


@pytest.mark.equation("softmax-regression-step")
def test_steps_lead_to_the_weights_of_the_estimator():
    _, X, codes = problem(2, d=2, K=3)
    W, Y = np.zeros((3, 2)), one_hot(codes, 3)
    for _ in range(800):
        W = softmax_step(W, X, Y, 0.1, penalty=0.5)
    assert_allclose(W, SoftmaxRegression(C=2.0, fit_intercept=False, tol=1e-10).fit(X, codes).coef_, atol=1e-6)
    assert_allclose(softmax_step(W + 1, X, Y, 0.2), W + 1 - 0.2 * softmax_gradient(W + 1, X, Y), rtol=1e-14)


@pytest.mark.equation("softmax-regression-penalised")
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("intercept", [True, False])
def test_weights_of_scikit_learn(C, intercept):
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X) + 1
    peer = PEER(C=C, fit_intercept=intercept, tol=1e-10, solver="newton-cholesky").fit(X, y)
    ours = SoftmaxRegression(C=C, fit_intercept=intercept, tol=1e-9).fit(X, y)
    assert_allclose(ours.coef_, peer.coef_, atol=2e-5 * np.abs(peer.coef_).max())
    assert_allclose(ours.predict_proba(X), peer.predict_proba(X), atol=1e-5)
    assert_allclose(ours.predict_log_proba(X), np.log(ours.predict_proba(X)), rtol=1e-8, atol=1e-12)
    if not intercept:
        assert_array_equal(ours.intercept_, 0)


def test_objective_on_digits_to_eight_digits():
    X, y = load_digits(return_X_y=True)
    peer = PEER(solver="newton-cholesky", tol=1e-10).fit(X / 16, y)
    ours = SoftmaxRegression().fit(X / 16, y)
    best = total_loss(peer, X / 16, y, 1.0)
    assert total_loss(ours, X / 16, y, 1.0) <= best * (1 + 1e-8)
    assert ours.n_iter_ < 100


@pytest.mark.equation("softmax-regression-binary")
@pytest.mark.parametrize("seed", range(4))
def test_two_classes_are_logistic_regression_with_twice_the_C(seed):
    _, X, codes = problem(seed, K=2)
    ours = SoftmaxRegression(C=0.7, tol=1e-10).fit(X, codes)
    peer = PEER(C=1.4, tol=1e-10).fit(X, codes)
    assert_allclose(ours.coef_[1] - ours.coef_[0], peer.coef_[0], atol=1e-5)
    assert_allclose(ours.decision_function(X), peer.decision_function(X), atol=1e-5)
    assert_allclose(ours.predict_proba(X)[:, 1], scipy.special.expit(ours.decision_function(X)), rtol=1e-12)
    assert_array_equal(ours.predict(X), (ours.decision_function(X) > 0).astype(int))


@pytest.mark.equation("softmax-regression-start")
def test_the_hessian_at_zero_is_the_identity_in_the_new_coordinates():
    _, X, _ = problem(3)
    X = np.column_stack([X, 1000 * X[:, 1] ** 2, np.ones(len(X))])
    T = coordinates(X, np.zeros(5), 4)
    H = softmax_hessian(np.zeros((4, 5)), X @ T) / len(X)
    assert_allclose(H, np.kron(np.eye(4) - np.full((4, 4), 0.25), np.eye(5)), atol=1e-6)


# ---------------------------------------------------------------- laws


@pytest.mark.equation("softmax-regression-shift", "softmax-regression-hessian")
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 4), K=st.integers(2, 5))
def test_a_common_vector_changes_nothing_and_spans_the_null_space(seed, d, K):
    W, X, codes = problem(seed, n=30, d=d, K=K)
    Y, u = one_hot(codes, K), np.random.default_rng(seed).normal(size=d)
    assert_allclose(softmax(X @ (W + u).T), softmax(X @ W.T), rtol=1e-9)
    assert softmax_loss(W + u, X, Y) == pytest.approx(softmax_loss(W, X, Y), rel=1e-9)
    assert_allclose(softmax_gradient(W, X, Y).sum(axis=0), 0, atol=1e-12)
    H = softmax_hessian(W, X)
    values = np.linalg.eigvalsh(H)
    assert values[0] > -1e-9 * values[-1]
    assert_allclose(H @ np.tile(u, K), 0, atol=1e-10 * values[-1])
    assert (values > 1e-10 * values[-1]).sum() == d * (K - 1)


@pytest.mark.equation("softmax-regression-calibration", "softmax-regression-penalised")
@pytest.mark.parametrize("C", [0.1, 10.0, np.inf])
def test_at_the_optimum(C):
    """Mean probabilities are the shares of the classes, and the rows of weights have sum zero."""
    _, X, codes = problem(8, n=400)
    model = SoftmaxRegression(C=C, tol=1e-10).fit(X, codes)
    assert_allclose(model.predict_proba(X).mean(axis=0), np.bincount(codes) / 400, atol=1e-8)
    assert_allclose(model.coef_.sum(axis=0), 0, atol=1e-10)
    residual = (model.predict_proba(X) - one_hot(codes, 4)).T @ X
    assert_allclose(residual, -model.coef_ / C, atol=1e-6)


@pytest.mark.parametrize("C", [1.0, np.inf])
def test_units_order_and_layout(C):
    _, X, codes = problem(4, n=200)
    model = SoftmaxRegression(C=C, tol=1e-9).fit(X, codes)
    order = np.random.default_rng(0).permutation(200)
    for same, labels in [(np.asfortranarray(X), codes), (X[order], codes[order]), (X.tolist(), codes.tolist())]:
        assert_allclose(SoftmaxRegression(C=C, tol=1e-9).fit(same, labels).coef_, model.coef_, atol=1e-6)
    single = SoftmaxRegression(C=C, tol=1e-9).fit(X.astype(np.float32), codes)
    assert_allclose(single.coef_, model.coef_, atol=1e-4)
    if np.isinf(C):
        scaled = SoftmaxRegression(C=C, tol=1e-9).fit(X * [1e-5, 1.0, 1e5], codes)
        assert_allclose(scaled.coef_ * [1e-5, 1.0, 1e5], model.coef_, atol=1e-6)
        assert scaled.n_iter_ == pytest.approx(model.n_iter_, abs=3)


@pytest.mark.parametrize("C", [1.0, np.inf])
def test_copied_and_constant_columns(C):
    _, X, codes = problem(4, n=200)
    base = SoftmaxRegression(C=C).fit(X, codes).predict_proba(X)
    constant = np.column_stack([X, np.zeros(200)])
    assert_allclose(SoftmaxRegression(C=C).fit(constant, codes).predict_proba(constant), base, atol=1e-4)
    if np.isinf(C):
        twice = np.column_stack([X, X[:, 0], np.full(200, 7.0)])
        assert_allclose(SoftmaxRegression(C=C).fit(twice, codes).predict_proba(twice), base, atol=1e-4)


# ---------------------------------------------------------------- separable classes


def separating_direction_exists(X, codes):
    """By linear programming: weights that lower no instance's lead over any class, and raise one."""
    X, K = np.column_stack([X, np.ones(len(X))]), codes.max() + 1
    E = np.eye(K)
    leads = np.array(
        [np.outer(E[c] - E[k], x).ravel() for x, c in zip(X, codes, strict=True) for k in range(K) if k != c]
    )
    found = linprog(-leads.sum(axis=0), A_ub=-leads, b_ub=np.zeros(len(leads)), bounds=(-1, 1))
    return bool(-found.fun > 1e-6)


@pytest.mark.parametrize("kind", ["any", "part", "separable"])
@pytest.mark.parametrize("seed", range(6))
def test_the_warning_without_a_penalty_is_that_of_linear_programming(kind, seed):
    _, X, codes = problem(seed, n=60, K=3)
    if kind == "part":  # one feature that only some instances of one class have
        X[:, 0] = (codes == 0) & (np.random.default_rng(seed).random(60) < 0.3)
    if kind == "separable":
        X = X + 8 * np.eye(3)[codes]
    expected = separating_direction_exists(X, codes)
    assert expected == (kind != "any")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        SoftmaxRegression(C=np.inf).fit(X, codes)
    assert [w.category for w in seen] == [ConvergenceWarning] * expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SoftmaxRegression(C=1.0).fit(X, codes)


def test_the_warning_says_what_to_do():
    with pytest.warns(ConvergenceWarning, match=r"linearly separable.*grow for ever\. Set C to a finite number"):
        model = SoftmaxRegression(C=np.inf).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert_array_equal(model.predict([[0.5], [2.5]]), [0, 1])


def test_separable_classes_are_recognised_before_the_search_ends():
    X, y = load_wine(return_X_y=True)
    with pytest.warns(ConvergenceWarning) as seen:
        SoftmaxRegression(C=np.inf, max_iter=12).fit(X, y)
    assert [str(w.message).split()[:2] for w in seen] == [["the", "gradient"], ["the", "classes"]]


def test_too_few_iterations_warn():
    X, y = load_wine(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="max_iter=2 iterations: increase max_iter"):
        assert SoftmaxRegression(max_iter=2).fit(X, y).n_iter_ == 2


# ---------------------------------------------------------------- the estimator


def test_pipeline_grid_search_clone_pickle():
    X, y = load_wine(return_X_y=True)
    names = np.array(["barolo", "grignolino", "barbera"])[y]
    model = make_pipeline(StandardScaler(), SoftmaxRegression())
    search = GridSearchCV(model, {"softmaxregression__C": [0.01, 1.0]}, cv=3, scoring="neg_log_loss").fit(X, names)
    assert search.best_params_ == {"softmaxregression__C": 1.0}
    fitted = clone(model).fit(X, names)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(X), fitted.predict_proba(X))
    assert fitted.score(X, names) > 0.98
    assert fitted.predict_proba(X).shape == fitted.decision_function(X).shape == (178, 3)


@pytest.mark.parametrize(("estimator", "check"), list(estimator_checks_generator(SoftmaxRegression())))
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_probabilities_far_out():
    model = SoftmaxRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 2, 2])
    far = model.predict_log_proba([[1e6], [-1e6]])
    assert np.isfinite(far).all()
    assert far.min() < -1e4
    assert_allclose(model.predict_proba([[1e6], [-1e6]]).sum(axis=1), 1)


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize("C", [0.0, -1.0, np.nan, -np.inf])
def test_bad_C(C):
    with pytest.raises(ValueError, match=r"^C must be"):
        SoftmaxRegression(C=C).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"C": "1"}, TypeError, "C must be a number"),
        ({"C": 0}, ValueError, r"C must be positive, got 0: a smaller C is a stronger penalty, C=np\.inf"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"max_iter": 2.5}, TypeError, "max_iter must be an integer"),
        ({"tol": -1.0}, ValueError, "tol must be finite and at least 0"),
    ],
)
def test_bad_settings(settings, error, message):
    with pytest.raises(error, match=message):
        SoftmaxRegression(**settings).fit([[0.0], [1.0]], [0, 1])


def test_bad_data():
    X = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]
    with pytest.raises(ValueError, match="at least two classes, got 1 class"):
        SoftmaxRegression().fit(X, [1, 1, 1])
    with pytest.raises(ValueError, match="NaN"):
        SoftmaxRegression().fit([[0.0, np.nan], *X[1:]], [0, 1, 1])
    with pytest.raises(ValueError, match="could not convert string"):
        SoftmaxRegression().fit([["a", "b"]] * 3, [0, 1, 1])
    with pytest.raises(ValueError, match="Unknown label type"):
        SoftmaxRegression().fit(X, [0.5, 1.7, 2.2])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        SoftmaxRegression().fit(X, [0, 1])
    model = SoftmaxRegression().fit(X, [0, 1, 1])
    for method in (model.predict, model.predict_proba, model.predict_log_proba, model.decision_function):
        with pytest.raises(ValueError, match="has 3 features, but SoftmaxRegression is expecting 2 features"):
            method([[0.0, 1.0, 2.0]])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: softmax([]), ValueError, "A must hold at least one score"),
        (lambda: softmax(1.0), ValueError, "A must hold at least one score"),
        (lambda: softmax([0.0, np.inf]), ValueError, "A must be finite"),
        (lambda: log_sum_exp(["a"]), TypeError, "A must hold numbers"),
        (lambda: one_hot([0, 3], 3), ValueError, r"codes must lie in 0\.\.2"),
        (lambda: one_hot([0.5], 3), ValueError, "codes must be 1 integers"),
        (lambda: one_hot([0], 0), ValueError, "n_classes must be at least 1"),
        (lambda: softmax_loss([[1.0]], [[1.0, 2.0]], [[1.0]]), ValueError, "W and X must have the same number of col"),
        (lambda: softmax_loss([[1.0], [0.0]], [[1.0]], [[1.0]]), ValueError, r"Y must have shape \(1, 2\)"),
        (lambda: softmax_gradient([[1.0], [0.0]], [[1.0]], [[0.5, 0.6]]), ValueError, "row 0 of Y must be"),
        (lambda: softmax_hessian([[np.nan]], [[1.0]]), ValueError, "W must be finite"),
        (lambda: softmax_hessian([[1.0]], [[1.0]], -1.0), ValueError, "penalty must be a number >= 0"),
        (lambda: softmax_hessian([[1.0]], [[1.0]], [1.0, 2.0]), ValueError, "one for each column of X"),
        (lambda: softmax_step([[1.0]], [[1.0]], [[1.0]], 0.0), ValueError, "learning_rate must be positive"),
    ],
)
def test_bad_arguments_of_the_functions(call, error, message):
    with pytest.raises(error, match=message):
        call()

"""Support vector regression: worked numbers, independent routes, laws, extremes, errors."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import linprog, minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_diabetes
from notes_lib.kernels import svm
from notes_lib.kernels.kernel_methods import kernel_matrix
from notes_lib.kernels.svm import rows as kernel_rows
from notes_lib.kernels.svm import smo
from notes_lib.kernels.svr import (
    SVR,
    bias_interval,
    doubled_problem,
    dual_objective,
    epsilon_insensitive,
    kkt_case,
    primal_objective,
    tube_bias,
    tube_nu,
)
from notes_lib.kernels.svr.doubled import DoubledGram


def problem(seed, n=40, d=2, noise=0.3):
    """A curved function of two features with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, -1] + noise * rng.normal(size=n)


def coefficients(model, n):
    beta = np.zeros(n)
    beta[model.support_] = model.dual_coef_[0]
    return beta


def quadratic_program(K, y, C, epsilon):
    """The dual in alpha and alpha*, by a general solver."""
    n = len(y)
    value = lambda v: 0.5 * (v[:n] - v[n:]) @ K @ (v[:n] - v[n:]) + epsilon * v.sum() - y @ (v[:n] - v[n:])
    slope = lambda v: np.r_[K @ (v[:n] - v[n:]) - y + epsilon, -K @ (v[:n] - v[n:]) + y + epsilon]
    ones = np.repeat([1.0, -1.0], n)
    found = minimize(
        value,
        np.zeros(2 * n),
        jac=slope,
        bounds=list(zip(np.zeros(2 * n), np.tile(np.broadcast_to(C, n), 2), strict=True)),
        constraints={"type": "eq", "fun": lambda v: ones @ v, "jac": lambda v: ones},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 2000},
    )
    return found.x[:n] - found.x[n:], -found.fun


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("svr-stationary-w", "svr-bias-free", "svr-risk", "svr-dual", "svr-gap")
def test_two_points_by_hand():
    # (0, 0), (2, 3), epsilon 1/2: the flattest line in the tube rises by 3 - 1 over 2, so w = 1, b = 1/2, beta = w / 2
    X, y = np.array([[0.0], [2.0]]), np.array([0.0, 3.0])
    model = SVR(C=10.0, epsilon=0.5, kernel="linear", tol=1e-12).fit(X, y)
    assert_allclose(model.coef_, [[1.0]], rtol=1e-10)
    assert_allclose(model.intercept_, [0.5], rtol=1e-10)
    assert_allclose(coefficients(model, 2), [-0.5, 0.5], rtol=1e-10)
    assert_allclose(model.objective_[-1], 0.5, rtol=1e-10)  # |w|^2 / 2
    small = SVR(C=0.25, epsilon=0.5, kernel="linear", tol=1e-12).fit(X, y)  # both coefficients at the box
    assert_allclose(small.coef_, [[0.5]], rtol=1e-10)
    assert_allclose(small.intercept_, [1.0], rtol=1e-10)  # from 1/2 to 3/2: the middle
    assert_allclose(primal_objective([-0.25, 0.25], 1.0, X @ X.T, y, 0.25, 0.5), 0.125 + 0.25, rtol=1e-12)
    assert_allclose(dual_objective([-0.25, 0.25], X @ X.T, y, 0.5), 0.375, rtol=1e-12)
    assert_allclose(bias_interval([-0.25, 0.25], X @ X.T, y, 0.25, 0.5), [0.5, 1.5], rtol=1e-12)


@pytest.mark.equation("svr-loss")
def test_loss_is_two_hinges():
    r = np.linspace(-3, 3, 25)
    expected = np.maximum(0, r - 0.75) + np.maximum(0, -r - 0.75)
    assert_allclose(epsilon_insensitive(r, 0.75), expected, rtol=1e-12)
    assert_allclose(epsilon_insensitive(r, 0), np.abs(r), rtol=1e-12)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("svr-dual", "svr-dual-problem", "svr-candidates", "svr-doubled", "svr-gap")
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.4])
@pytest.mark.parametrize("C", [0.2, 3.0])
@pytest.mark.parametrize("seed", range(2))
def test_dual_by_a_general_solver(seed, C, epsilon):
    X, y = problem(seed, n=22)
    for kernel in ["linear", "rbf"]:
        K = kernel_matrix(X, None, kernel, gamma=0.5)
        _, best = quadratic_program(K, y, C, epsilon)
        model = SVR(C=C, epsilon=epsilon, kernel=kernel, gamma=0.5, tol=1e-9).fit(X, y)
        beta = coefficients(model, 22)
        assert_allclose(dual_objective(beta, K, y, epsilon), best, rtol=1e-6)
        assert_allclose(model.objective_[-1], dual_objective(beta, K, y, epsilon), rtol=1e-9)
        primal = primal_objective(beta, model.intercept_[0], K, y, C, epsilon)
        assert_allclose(model.duality_gap_, primal - dual_objective(beta, K, y, epsilon), rtol=0, atol=1e-9)
        assert abs(model.duality_gap_) < 1e-7 * primal


@pytest.mark.equation("svr-primal", "svr-slack")
def test_primal_with_both_kinds_of_slack_by_a_general_solver():
    X, y = problem(3, n=20)
    C, epsilon, n = 0.5, 0.2, 20
    A = np.column_stack([X, np.ones(n)])
    G = np.vstack([np.hstack([A, np.eye(n), np.zeros((n, n))]), np.hstack([-A, np.zeros((n, n)), np.eye(n)])])
    found = minimize(
        lambda v: 0.5 * v[:2] @ v[:2] + C * v[3:].sum(),
        np.r_[np.zeros(3), np.full(2 * n, 3.0)],
        jac=lambda v: np.r_[v[:2], 0, np.full(2 * n, C)],
        bounds=[(None, None)] * 3 + [(0, None)] * (2 * n),
        constraints={"type": "ineq", "fun": lambda v: G @ v - np.r_[y, -y] + epsilon, "jac": lambda v: G},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    model = SVR(C=C, epsilon=epsilon, kernel="linear", tol=1e-10).fit(X, y)
    assert_allclose(model.coef_[0], found.x[:2], rtol=0, atol=1e-5)
    assert_allclose(model.intercept_[0], found.x[2], rtol=0, atol=1e-5)
    slack = epsilon_insensitive(y - model.predict(X), epsilon)
    assert_allclose(slack, found.x[3 : 3 + n] + found.x[3 + n :], rtol=0, atol=1e-5)


@pytest.mark.equation("svr-kernel-score")
@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "linear"},
        {"kernel": "rbf", "gamma": 0.7, "epsilon": 0.0},
        {"kernel": "poly", "coef0": 1.0, "degree": 2, "gamma": "auto", "epsilon": 0.3},
        {"kernel": "rbf", "C": 30.0, "gamma": "scale"},
    ],
)
@pytest.mark.parametrize("weighted", [False, True])
def test_same_as_scikit_learn(options, weighted):
    X, y = problem(4, n=80)
    if weighted:
        options = options | {"gamma": 0.4}  # "scale" counts the weights here
    v = np.random.default_rng(0).uniform(0.2, 2, 80) if weighted else None
    ours, peer = SVR(tol=1e-9, **options).fit(X, y, v), sklearn.svm.SVR(tol=1e-9, **options).fit(X, y, v)
    if options.get("epsilon") != 0.0:  # in single precision a row may lie within rounding of the function
        assert_array_equal(ours.support_, peer.support_)
        assert_array_equal(ours.n_support_, peer.n_support_)
        assert_allclose(ours.support_vectors_, peer.support_vectors_, rtol=1e-12)
        assert_allclose(ours.dual_coef_, peer.dual_coef_, rtol=1e-3, atol=3e-3 * np.abs(peer.dual_coef_).max())
    assert_allclose(ours.predict(X + 0.2), peer.predict(X + 0.2), rtol=0, atol=1e-3)
    assert ours.dual_coef_.shape == peer.dual_coef_.shape
    assert ours.intercept_.shape == peer.intercept_.shape
    if options["kernel"] == "linear":
        assert_allclose(ours.coef_, peer.coef_, rtol=1e-4)


def test_real_data_as_scikit_learn():
    data = load_diabetes()
    X, y = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0), data.y
    for options in [{}, {"C": 50.0, "epsilon": 20.0}]:
        ours, peer = SVR(**options).fit(X, y), sklearn.svm.SVR(**options).fit(X, y)
        assert_allclose(ours.predict(X), peer.predict(X), rtol=0, atol=0.05)


@pytest.mark.equation("svr-doubled", "svr-candidates", "svr-bias-interval", "svr-bias-free")
@pytest.mark.parametrize("n", [40, 400])  # 800 copies: with an active set
def test_the_steps_of_the_support_vector_machine_solve_the_doubled_problem(n):
    X, y = problem(5, n=n)
    C, epsilon, K = 1.0, 0.15, kernel_matrix(X, gamma=0.5)
    twice, signs, F = np.tile(K, (2, 2)), np.repeat([1.0, -1.0], n), np.r_[y - epsilon, y + epsilon]
    alpha = np.zeros(2 * n)
    while True:
        i, j, violation = svm.working_set(F, alpha, signs, C, twice)
        if violation < 1e-6:
            break
        t, alpha[i], alpha[j] = svm.two_variable_step(F, alpha, signs, C, twice, i, j)
        F = F - t * (twice[i] - twice[j])
    beta = alpha[:n] - alpha[n:]
    state = doubled_problem(beta, K, y, C, epsilon)
    assert_array_equal(state.signs, signs)
    assert_allclose(state.alpha, alpha, rtol=0, atol=1e-12)
    assert_allclose(state.F, F, rtol=0, atol=1e-9)
    assert not (alpha[:n] * alpha[n:]).any()  # never both
    model = SVR(C=C, epsilon=epsilon, gamma=0.5, tol=1e-6).fit(X, y)
    assert_allclose(model.objective_[-1], dual_objective(beta, K, y, epsilon), rtol=1e-8)
    assert_allclose(model.intercept_[0], tube_bias(beta, K, y, C, epsilon), rtol=0, atol=1e-5)
    lower, upper = bias_interval(beta, K, y, C, epsilon)
    assert 0 <= lower - upper < 1e-6  # what is left of the violation: free rows pin the bias


@pytest.mark.parametrize("kernel", ["rbf", "linear", "precomputed"])
def test_rows_of_the_doubled_kernel(kernel):
    X, _ = problem(6, n=9)
    K = kernel_matrix(X, None, "rbf" if kernel == "precomputed" else kernel, gamma=0.4)
    twice = DoubledGram(kernel_rows.gram(K if kernel == "precomputed" else X, kernel, 0.4, 2, 0.0))
    full, some = np.tile(K, (2, 2)), np.array([2, 11, 17])
    assert_allclose([twice.rows(k) for k in range(18)], full, rtol=0, atol=1e-12)
    assert_allclose(twice.rows(some), full[some], rtol=0, atol=1e-12)
    assert_allclose(twice.rows(12, out=np.empty(18)), full[12], rtol=0, atol=1e-12)
    assert_allclose(twice.diagonal, np.diag(full), rtol=1e-12)
    assert_allclose(twice.restrict(some).rows(1), full[11, some], rtol=0, atol=1e-12)


def test_the_solver_of_the_classifier_without_a_start_is_the_one_with_the_labels():
    X, _ = problem(7, n=30)
    labels = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, 1.0, -1.0)
    gram = kernel_rows.gram(X, "rbf", 0.5, 2, 0.0)
    runs = [smo.solve(gram, labels, np.ones(30), 1e-8, 10**5, 1.0, "trust", start) for start in (None, labels)]
    assert_array_equal(runs[0].alpha, runs[1].alpha)


@pytest.mark.equation("svr-nu")
@pytest.mark.parametrize("seed", range(3))
def test_nu_machine_of_scikit_learn(seed):
    X, y = problem(seed, n=50)
    model = SVR(C=2.0, epsilon=0.3, gamma=0.5, tol=1e-9).fit(X, y)
    nu = tube_nu(coefficients(model, 50), 2.0)
    peer = sklearn.svm.NuSVR(nu=nu, C=2.0, gamma=0.5, tol=1e-9).fit(X, y)
    assert_allclose(model.predict(X), peer.predict(X), rtol=0, atol=1e-4)
    outside = np.mean(np.abs(y - model.predict(X)) > 0.3 + 1e-6)
    assert outside <= nu <= len(model.support_) / 50


@pytest.mark.equation("svr-loss")
def test_without_a_tube_and_penalty_it_is_least_absolute_deviations():
    X, y = problem(8, n=30)
    A = np.column_stack([X, np.ones(30)])
    cost = np.r_[np.zeros(3), np.ones(30)]
    G = np.block([[A, -np.eye(30)], [-A, -np.eye(30)]])
    best = linprog(cost, G, np.r_[y, -y], bounds=[(None, None)] * 3 + [(0, None)] * 30)
    model = SVR(C=100.0, epsilon=0.0, kernel="linear", tol=1e-6).fit(X, y)
    assert_allclose(np.abs(y - model.predict(X)).sum(), best.fun, rtol=1e-5)


@pytest.mark.equation("svr-classification")
@pytest.mark.parametrize("epsilon", [0.3, 0.6, 0.9])
def test_regression_on_labels_is_the_classifier_with_another_price(epsilon):
    X, y = problem(9, n=40)
    labels, C = np.where(y > 0, 1.0, -1.0), 0.2
    machine = svm.SVC(C=C / (1 - epsilon), kernel="linear", tol=1e-10).fit(X, labels)
    scores = machine.decision_function(X)
    regression = SVR(C=C, epsilon=epsilon, kernel="linear", tol=1e-10).fit(X, labels)
    inside = (labels * scores).max() <= (1 + epsilon) / (1 - epsilon)  # no row above the tube
    close = np.allclose(regression.predict(X), (1 - epsilon) * scores, rtol=0, atol=1e-5)
    assert close == inside
    assert inside or epsilon < 0.6


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("svr-complementary", "svr-cases", "svr-stationary-b", "svr-stationary-xi")
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    C=st.sampled_from([0.1, 1.0, 20.0]),
    epsilon=st.sampled_from([0.0, 0.1, 0.5, 5.0]),
    kernel=st.sampled_from(["linear", "rbf"]),
)
def test_karush_kuhn_tucker(seed, C, epsilon, kernel):
    X, y = problem(seed, n=25)
    model = SVR(C=C, epsilon=epsilon, kernel=kernel, gamma=0.5, tol=1e-7).fit(X, y)
    beta = coefficients(model, 25)
    r = y - model.predict(X)
    assert abs(beta.sum()) < 1e-10 * C * 25
    assert np.abs(beta).max() <= C
    case, slack = kkt_case(beta, C), 1e-6
    assert (r[case == 2] >= epsilon - slack).all()
    assert_allclose(r[case == 1], epsilon, rtol=0, atol=slack)
    assert (np.abs(r[case == 0]) <= epsilon + slack).all()
    assert_allclose(r[case == -1], -epsilon, rtol=0, atol=slack)
    assert (r[case == -2] <= -epsilon + slack).all()


@pytest.mark.equation("svr-gap")
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_weak_duality(seed):
    rng = np.random.default_rng(seed)
    X, y = problem(seed, n=12)
    K, C, epsilon = kernel_matrix(X, gamma=0.5), rng.uniform(0.1, 3, 12), float(rng.uniform(0, 0.5))
    beta = rng.uniform(-1, 1, 12)
    beta *= np.where(beta > 0, -beta[beta < 0].sum(), beta[beta > 0].sum())
    beta *= (C / np.abs(beta)).min()
    assert abs(beta.sum()) < 1e-12
    b = float(rng.normal())
    assert primal_objective(beta, b, K, y, C, epsilon) >= dual_objective(beta, K, y, epsilon)


@pytest.mark.equation("svr-dual")
@pytest.mark.parametrize("cap", [1, 7, 60])
def test_the_dual_never_falls_and_is_what_is_recorded(cap):
    X, y = problem(10, n=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = SVR(gamma=0.5, epsilon=0.05, max_iter=cap).fit(X, y)
    assert model.n_iter_ == len(model.objective_) == cap
    assert (np.diff(np.r_[0.0, model.objective_]) >= 0).all()
    K = kernel_matrix(X, gamma=0.5)
    assert_allclose(model.objective_[-1], dual_objective(coefficients(model, 30), K, y, 0.05), rtol=1e-9)


def test_shifted_and_scaled_targets():
    X, y = problem(11)
    plain = SVR(C=2.0, epsilon=0.1, gamma=0.5, tol=1e-9).fit(X, y)
    moved = SVR(C=2.0, epsilon=0.1, gamma=0.5, tol=1e-9).fit(X, y + 1e6)
    assert_allclose(moved.predict(X) - 1e6, plain.predict(X), rtol=0, atol=1e-6)
    mirrored = SVR(C=2.0, epsilon=0.1, gamma=0.5, tol=1e-9).fit(X, -y)
    assert_allclose(mirrored.predict(X), -plain.predict(X), rtol=0, atol=1e-6)
    scaled = SVR(C=2000.0, epsilon=100.0, gamma=0.5, tol=1e-6).fit(X, 1000 * y)
    assert_allclose(scaled.predict(X), 1000 * plain.predict(X), rtol=0, atol=1e-3)
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(2, 2)))[0]
    again = SVR(C=2.0, epsilon=0.1, gamma=0.5, tol=1e-9).fit((X + 3) @ turned, y)
    assert_allclose(again.predict((X + 3) @ turned), plain.predict(X), rtol=0, atol=1e-6)


@pytest.mark.parametrize("n", [40, 700])
def test_tiny_targets_are_fitted_as_their_multiple(n):  # the first violation is far below 1
    X, y = problem(12, n=n)
    plain = SVR(gamma=0.5, tol=1e-6).fit(X, y)
    tiny = SVR(C=1e-4, epsilon=1e-5, gamma=0.5, tol=1e-10).fit(X, 1e-4 * y)
    assert_allclose(1e4 * tiny.predict(X), plain.predict(X), rtol=0, atol=1e-4)


def test_rows_inside_the_tube_do_not_matter():
    X, y = problem(13)
    model = SVR(C=1.0, epsilon=0.3, gamma=0.5, tol=1e-9).fit(X, y)
    assert 0 < len(model.support_) < 40
    again = SVR(C=1.0, epsilon=0.3, gamma=0.5, tol=1e-9).fit(X[model.support_], y[model.support_])
    assert_allclose(again.predict(X), model.predict(X), rtol=0, atol=1e-6)
    inside = kkt_case(coefficients(model, 40), 1.0) == 0
    shaken = np.where(inside, model.predict(X), y)  # they may move anywhere inside it
    third = SVR(C=1.0, epsilon=0.3, gamma=0.5, tol=1e-9).fit(X, shaken)
    assert_allclose(third.predict(X), model.predict(X), rtol=0, atol=1e-6)
    above = kkt_case(coefficients(model, 40), 1.0) == 2
    fourth = SVR(C=1.0, epsilon=0.3, gamma=0.5, tol=1e-9).fit(X, y + 1000 * above)  # and those outside, outwards
    assert above.any()
    assert_allclose(fourth.predict(X), model.predict(X), rtol=0, atol=1e-5)


@pytest.mark.parametrize("options", [{}, {"kernel": "linear"}, {"kernel": "poly", "coef0": 1.0, "gamma": 0.2}])
def test_weights_are_copies(options):
    X, y = problem(14)
    counts = np.random.default_rng(1).integers(0, 4, 40)
    assert 0 in counts
    weighted = SVR(tol=1e-9, **options).fit(X, y, counts)
    copied = SVR(tol=1e-9, **options).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert_allclose(weighted.gamma_, copied.gamma_, rtol=1e-12)
    assert_allclose(weighted.predict(X), copied.predict(X), rtol=0, atol=1e-6)
    assert not set(weighted.support_) & set(np.flatnonzero(counts == 0))
    assert_allclose(weighted.support_vectors_, X[weighted.support_], rtol=0)
    twice = SVR(C=2.0, tol=1e-9, **options).fit(X, y, np.full(40, 0.5))
    assert_allclose(twice.predict(X), SVR(tol=1e-9, **options).fit(X, y).predict(X), rtol=0, atol=1e-6)


def test_callable_and_precomputed_are_the_named_kernel():
    X, y = problem(15)
    v = np.random.default_rng(2).integers(0, 3, 40)
    named = SVR(gamma=0.5, tol=1e-9).fit(X, y, v)
    own = SVR(kernel=lambda A, B: kernel_matrix(A, B, gamma=0.5), tol=1e-9).fit(X, y, v)
    given_ = SVR(kernel="precomputed", tol=1e-9).fit(kernel_matrix(X, gamma=0.5), y, v)
    Y = X[:9] + 0.3
    assert_allclose(own.predict(Y), named.predict(Y), rtol=0, atol=1e-6)
    assert_allclose(given_.predict(kernel_matrix(Y, X, gamma=0.5)), named.predict(Y), rtol=0, atol=1e-6)
    assert given_.support_vectors_.shape == (0, 0)


def test_rows_in_any_order_and_any_memory_layout():
    X, y = problem(16)
    plain, order = SVR(gamma=0.5, tol=1e-9).fit(X, y), np.random.default_rng(0).permutation(40)
    shuffled = SVR(gamma=0.5, tol=1e-9).fit(np.asfortranarray(X[order]), y[order].tolist())
    assert_allclose(shuffled.predict(X), plain.predict(X), rtol=0, atol=1e-6)
    single = SVR(gamma=0.5).fit(X.astype(np.float32), y.astype(np.float32))
    assert_allclose(single.predict(X), plain.predict(X), rtol=0, atol=3e-3)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks ask for one step
@pytest.mark.parametrize("model", [SVR(tol=1e-10), SVR(C=0.01, kernel="linear", tol=1e-10), SVR(kernel="precomputed")])
def test_estimator_contract(model):
    check_estimator(model, on_skip=None)


def test_pipeline_search_clone_and_pickle():
    X, y = problem(17, n=80)
    pipe = make_pipeline(StandardScaler(), SVR())
    search = GridSearchCV(pipe, {"svr__C": [0.1, 10.0], "svr__epsilon": [0.01, 0.2]}, cv=3).fit(X, y)
    assert search.best_params_["svr__C"] == 10.0
    fitted = clone(SVR(C=2.0, kernel="poly")).fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), fitted.predict(X))


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.equation("svr-bias-interval")
@pytest.mark.parametrize("kernel", ["linear", "rbf", "precomputed"])
def test_a_tube_that_holds_everything(kernel):
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 4.0, 2.0])
    K = X @ X.T if kernel == "precomputed" else X
    model = SVR(epsilon=2.0, kernel=kernel).fit(K, y)
    assert model.support_.shape == (0,)
    assert model.n_iter_ == 0
    assert model.duality_gap_ == 0
    assert_allclose(model.predict(K), 2.5, rtol=1e-12)  # b from 4 - 2 to 1 + 2: the middle
    assert_allclose(bias_interval(np.zeros(3), X @ X.T, y, 1.0, 2.0), [2, 3], rtol=1e-12)


def test_one_row_and_equal_rows():
    assert_allclose(SVR().fit([[1.0, 2.0]], [3.0]).predict([[0.0, 0.0], [9.0, 1.0]]), 3.0, rtol=1e-12)
    model = SVR(C=0.7, epsilon=0.1).fit(np.ones((5, 2)), [0.0, 0.0, 1.0, 7.0, 9.0])  # f is b: a median
    assert_allclose(model.predict([[1.0, 1.0]]), 1.0, rtol=0, atol=0.1 + 1e-9)


@pytest.mark.parametrize("megabytes", [1e-3, 0.05])
def test_any_cache_gives_the_same_result(megabytes):
    X, y = problem(18, n=400)
    wide, narrow = (SVR(gamma=0.5, tol=1e-6, cache_size=size).fit(X, y) for size in (200, megabytes))
    assert_allclose(narrow.predict(X), wide.predict(X), rtol=0, atol=1e-4)


def test_far_from_the_origin_keeps_its_digits():
    X, y = problem(19)
    near, far = (SVR(kernel="linear", tol=1e-9).fit(X + c, y) for c in (0.0, 1e6))
    assert_allclose(far.coef_, near.coef_, rtol=1e-6)
    assert_allclose(far.predict(X + 1e6), near.predict(X), rtol=0, atol=1e-6)


def test_more_features_than_rows():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(20, 200)), rng.normal(size=20)
    model = SVR(C=1e3, epsilon=0.01, kernel="linear", tol=1e-8).fit(X, y)
    assert np.abs(y - model.predict(X)).max() <= 0.01 + 1e-6
    assert np.linalg.norm(model.coef_) <= np.linalg.norm(np.linalg.pinv(X - X.mean(axis=0)) @ (y - y.mean())) + 1e-9


def test_active_set_is_checked_against_all_rows():
    X, y = problem(20, n=1200)
    model = SVR(gamma=0.5, tol=1e-6).fit(X, y)
    lower, upper = bias_interval(coefficients(model, 1200), kernel_matrix(X, gamma=0.5), y, 1.0, 0.1)
    assert lower - upper < 1.1e-6
    assert abs(model.duality_gap_) < 1e-3


def test_warnings_name_the_remedy():
    X, y = problem(21)
    with pytest.warns(ConvergenceWarning, match=r"KKT violation of .*increase max_iter, or rescale X and y\.") as seen:
        SVR(max_iter=3).fit(X, y)
    assert seen[0].filename == __file__
    with pytest.warns(ConvergenceWarning, match="increase tol"):
        SVR(tol=1e-300).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="not positive semi-definite on these rows.*not a flattest function"):
        SVR(kernel="sigmoid", gamma=2.0, coef0=1.0, C=10.0).fit(X, y)


# ------------------------------------------------------------------------------------------------------------- errors

GOOD, TARGETS = problem(22, n=12)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"epsilon": -0.1}, ValueError, "epsilon must be finite and at least 0, got -0.1"),
        ({"epsilon": np.nan}, ValueError, "epsilon must be finite"),
        ({"epsilon": "thin"}, TypeError, "epsilon must be a number"),
        ({"C": 0}, ValueError, "C must be positive, got 0"),
        ({"C": -1.0}, ValueError, "C must be finite and at least 0"),
        ({"C": np.inf}, ValueError, "C must be finite"),
        ({"tol": 0.0}, ValueError, "tol must be positive"),
        ({"cache_size": 0}, ValueError, "cache_size must be positive"),
        ({"max_iter": 0}, ValueError, "max_iter must be positive, or -1"),
        ({"max_iter": 2.5}, TypeError, "max_iter must be an integer"),
        ({"gamma": 0}, ValueError, "gamma must be positive, got 0"),
        ({"gamma": "big"}, ValueError, "gamma must be 'scale', 'auto' or a positive number"),
        ({"kernel": "cosine"}, ValueError, "kernel must be"),
        ({"kernel": "poly", "degree": 0}, ValueError, "degree must be at least 1"),
        ({"kernel": lambda A, B: -A @ B.T}, ValueError, "kernel is not positive semi-definite: a step met negative"),
    ],
)
def test_bad_parameters(options, error, message):
    with pytest.raises(error, match=message):
        SVR(**options).fit(GOOD, TARGETS)


@pytest.mark.parametrize(
    ("X", "y", "weights", "message"),
    [
        (np.where(GOOD[3, 1] == GOOD, np.nan, GOOD), TARGETS, None, "contains NaN"),
        (GOOD, np.where(TARGETS[2] == TARGETS, np.inf, TARGETS), None, "contains infinity"),
        (np.empty((0, 2)), np.empty(0), None, "0 sample"),
        (GOOD, TARGETS[:-1], None, "inconsistent numbers of samples"),
        (GOOD[:, 0], TARGETS, None, "Expected 2D array"),
        (GOOD, 1e200 * TARGETS, None, "y is too large: its range is .*, rescale it"),
        (GOOD, TARGETS, np.zeros(12), "sample_weight is zero for every row"),
        (GOOD, TARGETS, -np.ones(12), "sample_weight must not be negative"),
        (GOOD, TARGETS, np.ones(11), r"sample_weight must be a vector of shape \(12,\)"),
    ],
)
def test_bad_data(X, y, weights, message):
    with pytest.raises(ValueError, match=message):
        SVR().fit(X, y, weights)


@pytest.mark.parametrize(
    ("K", "message"),
    [
        (np.ones((4, 3)), r"must be a square matrix, got shape \(4, 3\)"),
        (np.triu(np.ones((4, 4))), "must be symmetric: average it with its transpose"),
        (np.ones((4, 4)) - 3 * np.eye(4), "kernel is not positive semi-definite: a step met negative curvature"),
    ],
)
def test_bad_precomputed_kernel(K, message):
    with pytest.raises(ValueError, match=message):
        SVR(kernel="precomputed").fit(K, [0.0, 1.0, 2.0, 3.0])


def test_weights_of_another_kernel_and_overflow():
    with pytest.raises(AttributeError, match="coef_ exists for kernel='linear' only"):
        _ = SVR().fit(GOOD, TARGETS).coef_
    with pytest.raises(ValueError, match=r"X is too large: .* overflow, rescale"):
        SVR(kernel="linear").fit(1e200 * GOOD, TARGETS)
    with pytest.raises(ValueError, match=r"X has 1 features, but SVR is expecting 2"):
        SVR().fit(GOOD, TARGETS).predict(GOOD[:, :1])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: epsilon_insensitive([1.0], -0.5), ValueError, "epsilon must be finite and at least 0, got -0.5"),
        (lambda: epsilon_insensitive([np.nan], 0.5), ValueError, "residual must be finite"),
        (lambda: epsilon_insensitive(["a"], 0.5), TypeError, "residual must hold numbers"),
        (lambda: dual_objective([0.0], np.eye(2), [1.0], 0.1), ValueError, "beta .n,., K .n, n. and y .n,. must fit"),
        (lambda: dual_objective([0.0], np.eye(1), [1.0], -0.1), ValueError, "epsilon must be finite and at least 0"),
        (lambda: dual_objective([0.0], np.eye(1), [1.0, 2.0], 0.1), ValueError, r"y must be a vector of shape \(1,\)"),
        (lambda: primal_objective([0.0], 0.0, np.eye(1), [1.0], [1.0, 1.0], 0.1), ValueError, "C must be one number"),
        (lambda: primal_objective([0.0], 0.0, np.ones((1, 2)), [1.0], 1.0, 0.1), ValueError, "K must be"),
        (lambda: doubled_problem([0.0], np.eye(1), [1.0], 1.0, -1.0), ValueError, "epsilon must be finite"),
        (lambda: kkt_case([2.0], 1.0), ValueError, "beta must lie between -C and C"),
        (lambda: kkt_case([0.5, -1.5], 1.0), ValueError, "beta must lie between -C and C"),
        (lambda: kkt_case([[1.0]], 1.0), ValueError, "beta must be a vector"),
        (lambda: tube_nu([[1.0]], 1.0), ValueError, "beta must be a vector"),
    ],
)
def test_bad_arguments_of_the_steps(call, error, message):
    with pytest.raises(error, match=message):
        call()

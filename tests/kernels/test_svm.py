"""Support vector machines: published numbers, independent routes, laws, extremes, errors."""

import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_iris, load_wine
from notes_lib.kernels.kernel_methods import kernel_matrix
from notes_lib.kernels.svm import (
    SVC,
    LinearSVC,
    bias_candidates,
    bias_from_candidates,
    dual_objective,
    geometric_margin,
    one_vs_one_scores,
    platt_probability,
    platt_scaling,
    primal_objective,
    smo,
    squared_hinge,
    two_variable_step,
    working_set,
)
from notes_lib.kernels.svm import rows as kernel_rows
from notes_lib.kernels.svm.newton import newton
from notes_lib.numerics import BLOCK, central_difference

LI_HANG = np.array([[3.0, 3], [4, 3], [1, 1]]), np.array([1, 1, -1])
VENTURA = np.array([[3.0, 1], [3, -1], [6, 1], [6, -1], [1, 0], [0, 1], [0, -1], [-1, 0]]), np.repeat([1, -1], 4)
XOR = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]]), np.array([-1, 1, 1, -1])


def problem(seed, n=40, d=2, shift=1.2):
    """Two overlapping classes of unequal size with labels -1 and 1."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.where(np.arange(n) < n // 3, -1.0, 1.0))
    return rng.normal(size=(n, d)) + shift * y[:, None] * rng.uniform(0.3, 1, d), y


def several(seed, n=90, K=3, d=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % K
    return rng.normal(size=(n, d)) + 1.5 * rng.normal(size=(K, d))[y], y


def multipliers(model, n):
    alpha = np.zeros(n)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return alpha


def plain_smo(K, y, C, tol):
    """The loop of the chapter, from the public steps."""
    alpha, F, objective = np.zeros(len(y)), y.astype(float), []
    while True:
        i, j, violation = working_set(F, alpha, y, C, K)
        if violation < tol:
            return alpha, F, objective
        t, alpha[i], alpha[j] = two_variable_step(F, alpha, y, C, K, i, j)
        F -= t * (K[i] - K[j])
        objective.append(dual_objective(alpha, K, y))


def quadratic_program(K, y, C):
    """The same dual by a general solver."""
    Q = y[:, None] * K * y
    found = minimize(
        lambda a: 0.5 * a @ Q @ a - a.sum(),
        np.zeros(len(y)),
        jac=lambda a: Q @ a - 1,
        bounds=[(0, None if np.isinf(C) else C)] * len(y),
        constraints={"type": "eq", "fun": lambda a: y @ a, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return found.x, -found.fun


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("svm-hard", "svm-dual", "svm-bias-free", "svm-geometric-margin", "svm-hinge-risk")
def test_li_hang_example():
    # Li Hang, Statistical Learning Methods, examples 7.1 and 7.2
    X, y = LI_HANG
    model = SVC(C=np.inf, kernel="linear", tol=1e-10).fit(X, y)
    alpha, K = multipliers(model, 3), X @ X.T
    assert_allclose(alpha, [0.25, 0, 0.25], rtol=0, atol=1e-9)
    assert_allclose(model.coef_, [[0.5, 0.5]], rtol=0, atol=1e-9)
    assert_allclose(model.intercept_, [-2], rtol=0, atol=1e-9)
    assert_array_equal(model.support_, [2, 0])  # class -1 first
    assert_array_equal(model.dual_coef_ > 0, [[False, True]])
    assert_allclose(dual_objective(alpha, K, y), 0.25, rtol=1e-9)
    assert_allclose(primal_objective(alpha, -2.0, K, y, 7.0), 0.25, rtol=1e-9)
    assert_allclose(model.objective_[-1], 0.25, rtol=1e-9)
    assert_allclose(2 * geometric_margin(model.coef_[0], model.intercept_[0], X, y), 2.8284271, rtol=1e-7)
    assert_allclose(bias_from_candidates(bias_candidates(alpha, K, y), alpha, y, np.inf), -2, rtol=1e-9)


@pytest.mark.equation("svm-hard", "svm-stationary-w")
def test_ventura_linear_example():
    # Dan Ventura, "A (Not So) Simple SVM Example", linear case
    X, y = VENTURA
    model = SVC(C=np.inf, kernel="linear", tol=1e-10).fit(X, y)
    assert_allclose(model.coef_, [[1, 0]], rtol=0, atol=1e-9)
    assert_allclose(model.intercept_, [-2], rtol=0, atol=1e-9)
    assert sorted(model.support_) == [0, 1, 4]
    # he finds the same plane from augmented support vectors s = (x, 1) and sum_j a_j s_j's_i = y_i
    S = np.column_stack([X[[4, 0, 1]], np.ones(3)])
    a = np.linalg.solve(S @ S.T, y[[4, 0, 1]])
    assert_allclose(a, [-3.5, 0.75, 0.75], rtol=1e-9)
    assert_allclose(a @ S, [*model.coef_[0], *model.intercept_], rtol=0, atol=1e-9)


@pytest.mark.equation("svm-dual", "svm-kernel-score")
def test_exclusive_or_with_a_quadratic_kernel():
    # Haykin, Neural Networks, section 6.4: every multiplier is 1/8, the dual 1/4, the score -x_1 x_2
    X, y = XOR
    model = SVC(C=np.inf, kernel="poly", degree=2, gamma=1.0, coef0=1.0, tol=1e-10).fit(X, y)
    assert_allclose(multipliers(model, 4), 1 / 8, rtol=1e-9)
    assert_allclose(model.objective_[-1], 1 / 4, rtol=1e-9)
    grid = np.random.default_rng(0).uniform(-2, 2, size=(50, 2))
    assert_allclose(model.decision_function(grid), -grid[:, 0] * grid[:, 1], rtol=0, atol=1e-8)


# ------------------------------------------------------------------------------------------------------------- oracle

KERNELS = [
    {"kernel": "linear"},
    {"kernel": "rbf", "gamma": 0.7},
    {"kernel": "poly", "coef0": 1.0, "degree": 2, "gamma": "auto"},
    {"kernel": "rbf", "C": 30.0, "class_weight": {0: 3.0, 1: 1.0, 2: 0.5}},
    {"kernel": "rbf", "class_weight": "balanced", "gamma": "scale"},
]


@pytest.mark.equation("svm-dual", "svm-candidates", "svm-up-low", "svm-stopping", "svm-soft")
@pytest.mark.parametrize("C", [0.3, 5.0])
@pytest.mark.parametrize("seed", range(3))
def test_dual_by_a_general_solver(seed, C):
    X, y = problem(seed, n=24)
    for kernel in ["linear", "rbf"]:
        K = kernel_matrix(X, None, kernel, gamma=0.5)
        _, best = quadratic_program(K, y, C)
        model = SVC(C=C, kernel=kernel, gamma=0.5, tol=1e-9).fit(X, y)
        alpha = multipliers(model, 24)
        assert_allclose(dual_objective(alpha, K, y), best, rtol=1e-6)
        assert_allclose(model.objective_[-1], dual_objective(alpha, K, y), rtol=1e-10)
        primal = primal_objective(alpha, model.intercept_[0], K, y, C)
        assert_allclose(model.duality_gap_, primal - dual_objective(alpha, K, y), rtol=0, atol=1e-9)
        assert abs(model.duality_gap_) < 1e-7 * primal


@pytest.mark.equation("svm-kernel-score", "svm-one-vs-one")
@pytest.mark.parametrize("options", KERNELS)
@pytest.mark.parametrize("K", [2, 3, 4])
def test_same_as_scikit_learn(options, K):
    X, y = several(K, K=K)
    options = options | {"class_weight": {k: v for k, v in options["class_weight"].items() if k < K}} if isinstance(
        options.get("class_weight"), dict
    ) else options  # fmt: skip
    ours, peer = SVC(tol=1e-9, **options).fit(X, y), sklearn.svm.SVC(tol=1e-9, break_ties=K > 2, **options).fit(X, y)
    for name in ["support_", "n_support_"]:
        assert_array_equal(getattr(ours, name), getattr(peer, name), err_msg=name)
    for name in ["support_vectors_", "dual_coef_", "intercept_"] + ["coef_"] * (options["kernel"] == "linear"):
        a, b = getattr(ours, name), getattr(peer, name)  # libsvm keeps its kernel in single precision
        assert_allclose(a, b, rtol=1e-3, atol=2e-3 * np.abs(b).max(), err_msg=name)
    Y = X + 0.2
    assert_allclose(ours.decision_function(Y), peer.decision_function(Y), rtol=0, atol=1e-3)
    assert_array_equal(ours.predict(Y), peer.predict(Y))
    assert ours.n_iter_.shape == peer.n_iter_.shape == (K * (K - 1) // 2,)


def test_data_sets_as_scikit_learn():
    for data in [load_iris(), load_wine()]:
        X = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
        ours, peer = SVC().fit(X, data.y), sklearn.svm.SVC(break_ties=True).fit(X, data.y)
        assert_array_equal(ours.predict(X), peer.predict(X))
        assert_allclose(ours.decision_function(X), peer.decision_function(X), rtol=0, atol=2e-3)


@pytest.mark.equation(
    "svm-first-index", "svm-second-index", "svm-curvature", "svm-step", "svm-clip", "svm-update", "svm-gain"
)
@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "precomputed"])
@pytest.mark.parametrize("seed", range(3))
def test_fast_loop_takes_the_steps_of_the_text(seed, kernel):
    X, y = problem(seed, n=30)
    K, C = kernel_matrix(X, None, "rbf" if kernel == "precomputed" else kernel, gamma=0.4, degree=2), 2.0
    gram = kernel_rows.gram(K if kernel == "precomputed" else X, kernel, 0.4, 2, 1.0)
    run = lambda steps: smo.solve(gram, y, np.full(30, C), 1e-3, steps, 1.0, "refuse")
    before = np.zeros(30)
    for steps in range(1, 25):
        after = run(steps).alpha
        if (after == before).all():  # the optimum is reached
            break
        moved = (after - before) * y
        i, j = int(moved.argmax()), int(moved.argmin())
        F = bias_candidates(before, K, y)
        first, second, _ = working_set(F, before, y, C, K)
        assert_allclose(F[i], F[first], rtol=0, atol=1e-9)  # equal candidates are told apart by rounding only
        if i == first:
            gain = [(F[i] - F[k]) ** 2 / (K[i, i] + K[k, k] - 2 * K[i, k]) for k in (j, second)]
            assert_allclose(gain[0], gain[1], rtol=1e-8)
        t, *pair = two_variable_step(F, before, y, C, K, i, j)
        assert_allclose([moved[i], -moved[j]], t, rtol=1e-8)
        assert_allclose(after[[i, j]], pair, rtol=1e-8, atol=1e-12)
        assert_array_equal(after[[i, j]] == C, np.array(pair) == C)
        assert_array_equal(np.delete(after, [i, j]), np.delete(before, [i, j]))
        before = after
    assert steps > 8
    F = run(24).F
    assert_allclose(F, bias_candidates(before, K, y), rtol=0, atol=1e-9)


@pytest.mark.parametrize("n", [60, 700])  # without and with an active set
def test_same_optimum_as_the_plain_loop(n):
    X, y = problem(5, n=n, d=3)
    K = kernel_matrix(X, gamma=0.5)
    alpha, F, objective = plain_smo(K, y, 1.0, 1e-7)
    model = SVC(gamma=0.5, tol=1e-7).fit(X, y)
    assert_allclose(model.objective_[-1], objective[-1], rtol=1e-8)
    assert_allclose(dual_objective(multipliers(model, n), K, y), objective[-1], rtol=1e-8)
    assert_allclose(model.intercept_[0], bias_from_candidates(F, alpha, y, 1.0), rtol=0, atol=1e-6)


@pytest.mark.parametrize("n", [200, 900])
def test_candidates_of_the_fast_loop_are_those_of_the_definition(n):
    X, y = problem(6, n=n, d=4)
    for kernel in ["rbf", "poly", "linear", "sigmoid"]:
        found = smo.solve(kernel_rows.gram(X, kernel, 0.1, 2, 0.5), y, np.ones(n), 1e-3, 3000, 1.0, "note")
        K = kernel_matrix(X, None, kernel, gamma=0.1, degree=2, coef0=0.5)
        assert_allclose(found.F, bias_candidates(found.alpha, K, y), rtol=0, atol=1e-9 * np.abs(K).max())
        assert_allclose(found.objective[-1], dual_objective(found.alpha, K, y), rtol=1e-8)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid", "precomputed"])
def test_rows_are_those_of_the_kernel_matrix(kernel):
    X, _ = problem(7, n=25, d=3)
    K = kernel_matrix(X, None, "rbf" if kernel == "precomputed" else kernel, gamma=0.3, degree=3, coef0=0.7)
    gram = kernel_rows.gram(K if kernel == "precomputed" else X, kernel, 0.3, 3, 0.7)
    some = np.array([3, 8, 20])
    assert_allclose(gram.rows(some), K[some], rtol=1e-12, atol=1e-13)
    assert_allclose(gram.diagonal, np.diag(K), rtol=1e-12)
    assert_allclose(gram.restrict(some).rows(1), K[8, some], rtol=1e-12, atol=1e-13)
    H = (np.diag(K)[:, None] + np.diag(K) - 2 * K) / 2
    rows = kernel_rows.DistanceRows(gram, 1.0)
    assert_allclose(np.array([rows(k).copy() for k in range(25)]), H, rtol=0, atol=1e-11 * np.abs(K).max())


@pytest.mark.equation("svm-candidates")
@pytest.mark.parametrize("seed", range(3))
def test_candidates_are_the_gradient_of_the_dual(seed):
    X, y = problem(seed, n=9)
    K = kernel_matrix(X, gamma=1.0)
    alpha = np.random.default_rng(seed).uniform(0, 2, 9)
    gradient = central_difference(lambda a: dual_objective(a, K, y), alpha)
    assert_allclose(y * bias_candidates(alpha, K, y), gradient, rtol=1e-6, atol=1e-7)


@pytest.mark.equation("svm-step", "svm-pair-dual")
@pytest.mark.parametrize("seed", range(4))
def test_step_is_the_best_on_its_segment(seed):
    X, y = problem(seed, n=12)
    K = kernel_matrix(X, gamma=1.0)
    alpha, C = plain_smo(K, y, 1.0, 0.5)[0], 1.0
    F = bias_candidates(alpha, K, y)
    i, j, _ = working_set(F, alpha, y, C, K)
    t, new_i, new_j = two_variable_step(F, alpha, y, C, K, i, j)
    direction = np.zeros(12)
    direction[[i, j]] = y[i], -y[j]
    inside = [s for s in np.linspace(0, 3, 3001) if (np.abs(alpha + s * direction - C / 2) <= C / 2 + 1e-12).all()]
    best = max(inside, key=lambda s: dual_objective(alpha + s * direction, K, y))
    assert abs(t - best) <= 1e-3
    assert_allclose([new_i, new_j], (alpha + t * direction)[[i, j]], rtol=0, atol=1e-12)
    gains = [(F[i] - F[k]) ** 2 / (K[i, i] + K[k, k] - 2 * K[i, k]) if F[k] < F[i] and (
        alpha[k] > 0 if y[k] > 0 else alpha[k] < C) else 0 for k in range(12) if k != i]  # fmt: skip
    assert_allclose((F[i] - F[j]) ** 2 / (K[i, i] + K[j, j] - 2 * K[i, j]), max(gains), rtol=1e-9)


@pytest.mark.equation("svm-squared-hinge", "svm-newton-gradient", "svm-newton-hessian")
@pytest.mark.parametrize("seed", range(3))
def test_squared_hinge_by_finite_differences(seed):
    X, y = problem(seed, d=3)
    C = np.random.default_rng(seed).uniform(0.5, 2, len(y))
    w = np.random.default_rng(seed).normal(size=3)
    found = squared_hinge(w, X, y, C)
    value = 0.5 * w @ w + sum(c * max(0.0, 1 - t * (x @ w)) ** 2 for c, t, x in zip(C, y, X, strict=True))
    assert_allclose(found.value, value, rtol=1e-12)
    assert_allclose(found.gradient, central_difference(lambda v: squared_hinge(v, X, y, C).value, w), rtol=1e-5)
    for k in range(3):
        row = central_difference(lambda v, k=k: squared_hinge(v, X, y, C).gradient[k], w)
        assert_allclose(found.hessian[k], row, rtol=1e-5, atol=1e-5)


@pytest.mark.equation("svm-newton-step", "svm-squared-hinge")
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_fast_newton_reaches_the_optimum_of_the_plain_one(C):
    X, y = problem(1, n=200, d=4)
    Z, w = np.column_stack([X, np.full(200, 2.0)]), np.zeros(5)
    for _ in range(50):
        value, gradient, hessian = squared_hinge(w, Z, y, C)
        step, t = np.linalg.solve(hessian, gradient), 1.0
        while squared_hinge(w - t * step, Z, y, C).value > value - 1e-4 * t * gradient @ step and t > 1e-12:
            t /= 2
        w = w - t * step
    model = LinearSVC(C=C, intercept_scaling=2.0, tol=1e-12).fit(X, y)
    assert_allclose(model.coef_[0], w[:4], rtol=1e-8, atol=1e-10)
    assert_allclose(model.intercept_, 2 * w[4], rtol=1e-8, atol=1e-10)
    assert_allclose(model.objective_[-1], squared_hinge(w, Z, y, C).value, rtol=1e-10)
    assert_allclose(model.objective_[0], 200 * C, rtol=1e-12)
    assert (np.diff(model.objective_) <= 0).all()
    assert model.n_iter_ == len(model.objective_) - 1 <= 15


@pytest.mark.equation("svm-squared-hinge", "svm-class-weights")
@pytest.mark.parametrize("options", [{}, {"C": 0.05}, {"fit_intercept": False}, {"intercept_scaling": 5.0},
                                     {"class_weight": "balanced"}, {"class_weight": {0: 0.2}}])  # fmt: skip
@pytest.mark.parametrize("K", [2, 3])
def test_linear_machine_as_scikit_learn(options, K):
    X, y = several(K + 7, K=K, n=150)
    y = np.where(np.arange(150) < 40, 0, y)
    ours, peer = LinearSVC(tol=1e-10, **options).fit(X, y), sklearn.svm.LinearSVC(dual=False, tol=1e-8, **options)
    peer.fit(X, y)
    assert ours.coef_.shape == peer.coef_.shape
    assert_allclose(ours.coef_, peer.coef_, rtol=1e-5, atol=1e-6)
    assert_allclose(ours.intercept_, np.broadcast_to(peer.intercept_, len(ours.coef_)), rtol=1e-5, atol=1e-6)
    assert_allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-5, atol=1e-5)
    assert_array_equal(ours.predict(X), peer.predict(X))


def test_large_intercept_scaling_frees_the_intercept():
    X, y = problem(2, n=80)
    free = minimize(
        lambda v: 0.5 * v[:2] @ v[:2] + (np.maximum(0, 1 - y * (X @ v[:2] + v[2])) ** 2).sum(), np.zeros(3), tol=1e-12
    ).x
    bound, loose = LinearSVC(tol=1e-10).fit(X + 3, y), LinearSVC(intercept_scaling=1e4, tol=1e-10).fit(X + 3, y)
    assert_allclose(loose.coef_[0], free[:2], rtol=1e-4)
    assert_allclose(loose.intercept_[0] + 3 * loose.coef_[0].sum(), free[2], rtol=1e-3)
    assert np.abs(bound.coef_[0] - free[:2]).max() > 0.01  # the penalty on the intercept matters


@pytest.mark.equation("svm-one-vs-one")
def test_votes_as_scikit_learn():
    from sklearn.utils.multiclass import _ovr_decision_function

    scores = np.random.default_rng(0).normal(size=(40, 6))
    expected = _ovr_decision_function(scores < 0, -scores, 4)
    assert_allclose(one_vs_one_scores(scores, 4), expected, rtol=1e-12)


def platt_loss(v, f, y):
    """Cross-entropy between Platt's targets and the sigmoid, term by term and without any care for overflow."""
    positive, negative = (y > 0).sum(), (y < 0).sum()
    total = 0.0
    for score, label in zip(f, y, strict=True):
        t = (positive + 1) / (positive + 2) if label > 0 else 1 / (negative + 2)
        p = 1 / (1 + np.exp(v[0] * score + v[1]))
        total -= t * np.log(p) + (1 - t) * np.log(1 - p)
    return total


@pytest.mark.equation("svm-platt", "svm-platt-targets", "svm-platt-loss")
@pytest.mark.parametrize("seed", range(4))
def test_platt_scaling_by_a_general_solver_and_as_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1.0, -1.0], [12 + 9 * seed, 30]))
    f = 3.0 + 0.8 * y + rng.normal(size=len(y))
    found = platt_scaling(f, y)
    best = minimize(platt_loss, [0.0, 0.0], (f, y), tol=1e-12)
    assert_allclose(found, best.x, rtol=1e-4, atol=1e-4)
    assert_allclose(central_difference(lambda v: platt_loss(v, f, y), np.array(found)), 0, rtol=0, atol=1e-6)
    from sklearn.calibration import _SigmoidCalibration

    peer = _SigmoidCalibration().fit(f, y)
    assert_allclose(platt_probability(f, found), peer.predict(f), rtol=0, atol=1e-3)
    assert_allclose(platt_probability(f, found), 1 / (1 + np.exp(found.A * f + found.B)), rtol=1e-12)


@pytest.mark.equation("svm-platt-targets")
def test_platt_targets_keep_separated_scores_apart_by_a_finite_slope():
    # 3 scores at -1 and 3 at 1: the sigmoid meets the targets 1/5 and 4/5 exactly, so A = -log 4 and B = 0
    assert_allclose(platt_scaling([-1, -1, -1, 1, 1, 1], [-1, -1, -1, 1, 1, 1]), [-np.log(4), 0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_platt_probabilities_do_not_depend_on_the_units_of_the_scores(scale):
    f, y = np.array([-2.0, -0.5, 0.1, 0.4, 1.5, 30.0]), np.array([-1, -1, 1, -1, 1, 1])
    expected = platt_probability(f, platt_scaling(f, y))
    moved = scale * (f + 7)
    assert_allclose(platt_probability(moved, platt_scaling(moved, y)), expected, rtol=0, atol=1e-7)


@pytest.mark.equation("svm-nu")
@pytest.mark.parametrize("seed", range(3))
def test_nu_machine_of_scikit_learn(seed):
    X, y = problem(seed, n=50)
    ours = SVC(C=2.0, gamma=0.4, tol=1e-9).fit(X, y)
    nu = multipliers(ours, 50).sum() / (50 * 2.0)
    peer = sklearn.svm.NuSVC(nu=nu, gamma=0.4, tol=1e-9).fit(X, y)
    assert_allclose(ours.decision_function(X), peer.decision_function(X), rtol=0, atol=1e-5)
    at_the_bound = (multipliers(ours, 50) == 2.0).mean()
    assert at_the_bound <= nu <= len(ours.support_) / 50


@pytest.mark.equation("svm-class-weights")
@pytest.mark.parametrize("model", [SVC(kernel="linear", tol=1e-9), LinearSVC(tol=1e-10)])
def test_balanced_weights_are_copies_of_the_rare_rows(model):
    X, y = problem(3, n=60)  # 20 and 40 rows: prices 60 / (2 * 20) = 2 * 0.75 and 60 / (2 * 40) = 0.75
    balanced = clone(model).set_params(class_weight="balanced").fit(X, y)
    rare = y < 0
    copied = clone(model).set_params(C=0.75).fit(np.vstack([X, X[rare]]), np.r_[y, y[rare]])
    assert_allclose(balanced.coef_, copied.coef_, rtol=1e-6)


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)
quick = settings(max_examples=20, deadline=None)


@pytest.mark.equation(
    "svm-stationary-w", "svm-stationary-b", "svm-stationary-xi", "svm-feasible", "svm-complementary", "svm-bias-free"
)
@quick
@given(seed=seeds, C=st.sampled_from([0.1, 1.0, 50.0]), kernel=st.sampled_from(["linear", "rbf"]))
def test_karush_kuhn_tucker(seed, C, kernel):
    X, y = problem(seed, n=30)
    model = SVC(C=C, kernel=kernel, gamma=0.5, tol=1e-8).fit(X, y)
    alpha = multipliers(model, 30)
    assert (alpha >= 0).all()
    assert (alpha <= C).all()
    assert_allclose(y @ alpha, 0, atol=1e-10 * C * 30)
    assert_array_equal(np.sign(model.dual_coef_[0]), y[model.support_])
    margin = y * model.decision_function(X)
    small = 1e-6
    assert (margin[alpha == 0] >= 1 - small).all()
    assert (margin[alpha == C] <= 1 + small).all()
    free = (alpha > 0) & (alpha < C)
    assert_allclose(margin[free], 1, rtol=0, atol=small)
    if kernel == "linear":
        assert_allclose(model.coef_[0], (alpha * y) @ X, rtol=1e-8, atol=1e-9)


@pytest.mark.equation("svm-gap", "svm-weak-duality")
@quick
@given(seed=seeds)
def test_weak_duality_and_the_closing_gap(seed):
    X, y = problem(seed, n=30)
    K, rng = kernel_matrix(X, gamma=0.5), np.random.default_rng(seed)
    alpha = rng.uniform(0, 1, 30)
    heavy = y == (1 if y @ alpha > 0 else -1)
    alpha[heavy] *= alpha[~heavy].sum() / alpha[heavy].sum()  # feasible: y'alpha = 0
    other = rng.uniform(0, 1, 30)
    assert dual_objective(alpha, K, y) <= primal_objective(other, rng.normal(), K, y, 1.0) + 1e-9
    gaps = [SVC(gamma=0.5, tol=tol).fit(X, y).duality_gap_ for tol in [0.3, 1e-2, 1e-8]]
    assert gaps[0] > gaps[2] - 1e-9
    assert -1e-9 < gaps[2] < 1e-6


@quick
@given(seed=seeds, C=st.sampled_from([0.2, 10.0]))
def test_the_dual_never_falls(seed, C):
    X, y = problem(seed, n=30)
    objective = SVC(C=C, tol=1e-6).fit(X, y).objective_
    assert (np.diff(objective) >= -1e-12 * objective[-1]).all()
    assert objective[0] > 0


@quick
@given(seed=seeds)
def test_moved_and_turned_data_and_swapped_labels(seed):
    X, y = problem(seed, n=30)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(2, 2)))[0]
    for kernel in ["linear", "rbf"]:
        plain = SVC(kernel=kernel, gamma=0.5, tol=1e-8).fit(X, y)
        moved = SVC(kernel=kernel, gamma=0.5, tol=1e-8).fit(X @ turn + [5, -7], y)
        assert_allclose(moved.decision_function(X @ turn + [5, -7]), plain.decision_function(X), rtol=0, atol=1e-5)
        swapped = SVC(kernel=kernel, gamma=0.5, tol=1e-8).fit(X, -y)
        assert_allclose(swapped.decision_function(X), -plain.decision_function(X), rtol=0, atol=1e-5)


@quick
@given(seed=seeds)
def test_only_support_vectors_matter(seed):
    X, y = problem(seed, n=30)
    model = SVC(tol=1e-8, gamma=0.5).fit(X, y)
    kept = np.sort(model.support_)
    again = SVC(tol=1e-8, gamma=0.5).fit(X[kept], y[kept])
    assert_allclose(again.decision_function(X), model.decision_function(X), rtol=0, atol=1e-5)


def test_twice_the_rows_is_twice_the_price():
    X, y = problem(3, n=40)
    twice = SVC(C=1.0, tol=1e-9).fit(np.r_[X, X], np.r_[y, y])
    price = SVC(C=2.0, tol=1e-9).fit(X, y)
    assert_allclose(twice.decision_function(X), price.decision_function(X), rtol=0, atol=1e-6)
    weight = SVC(C=1.0, tol=1e-9, class_weight={-1: 2.0, 1: 2.0}).fit(X, y)
    assert_allclose(weight.decision_function(X), price.decision_function(X), rtol=0, atol=1e-6)


def test_callable_and_precomputed_are_the_named_kernel():
    X, y = several(4)
    named = SVC(gamma=0.3, tol=1e-8).fit(X, y)
    own = SVC(kernel=lambda A, B: kernel_matrix(A, B, gamma=0.3), tol=1e-8).fit(X, y)
    K = kernel_matrix(X, gamma=0.3)
    given_matrix = SVC(kernel="precomputed", tol=1e-8).fit(K, y)
    assert_allclose(own.decision_function(X + 0.1), named.decision_function(X + 0.1), rtol=0, atol=1e-6)
    new = kernel_matrix(X + 0.1, X, gamma=0.3)
    assert_allclose(given_matrix.decision_function(new), named.decision_function(X + 0.1), rtol=0, atol=1e-6)
    assert_array_equal(given_matrix.support_, named.support_)
    assert given_matrix.support_vectors_.shape == (0, 0)
    assert cross_val_score(SVC(kernel="precomputed"), K, y, cv=3).mean() > 0.5


@pytest.mark.equation("svm-one-vs-one")
@quick
@given(seed=seeds)
def test_votes_decide_before_confidence(seed):
    scores = 10 * np.random.default_rng(seed).normal(size=(20, 3))
    found = one_vs_one_scores(scores, 3)
    votes = np.column_stack([
        (scores[:, 0] >= 0) * 1.0 + (scores[:, 1] >= 0),
        (scores[:, 0] < 0) * 1.0 + (scores[:, 2] >= 0),
        (scores[:, 1] < 0) * 1.0 + (scores[:, 2] < 0),
    ])  # fmt: skip
    assert_array_equal(np.rint(found), votes)
    circle = one_vs_one_scores([[2.0, -1.0, 5.0]], 3)  # every class beats one other: the largest sum wins
    assert_array_equal(np.rint(circle), [[1, 1, 1]])
    assert circle.argmax() == 1


def test_labels_of_any_type_rows_in_any_order_any_memory_layout():
    X, y = several(8)
    order = np.random.default_rng(0).permutation(len(y))
    plain = SVC(tol=1e-8).fit(X, y)
    named = SVC(tol=1e-8).fit(np.asfortranarray(X[order]), np.array(["ant", "bee", "cat"])[y][order])
    assert_allclose(named.decision_function(X), plain.decision_function(X), rtol=0, atol=1e-5)
    assert_array_equal(named.predict(X), np.array(["ant", "bee", "cat"])[plain.predict(X)])
    single = SVC(tol=1e-6).fit(X.astype(np.float32), y)
    assert_allclose(single.decision_function(X), plain.decision_function(X), rtol=0, atol=1e-3)
    assert_allclose(
        LinearSVC().fit(np.asfortranarray(X[order]), y[order]).coef_, LinearSVC().fit(X, y).coef_, rtol=1e-6
    )


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "precomputed"])
@pytest.mark.parametrize("K", [2, 3])
def test_weights_are_repeated_rows(K, kernel):
    """In the kernel's width ``gamma="scale"`` and in "balanced", too."""
    X, y = several(21, n=36, K=K)
    v = np.arange(36) % 5 % 3
    options = {"kernel": kernel, "gamma": "scale", "degree": 2, "coef0": 1.0, "class_weight": "balanced", "tol": 1e-9}
    many, labels, new = np.repeat(X, v, axis=0), np.repeat(y, v), several(22, n=10)[0]
    if kernel == "precomputed":
        fit, repeated = SVC(**options).fit(X @ X.T, y, v), SVC(**options).fit(many @ many.T, labels)
        scores, others = fit.decision_function(new @ X.T), repeated.decision_function(new @ many.T)
    else:
        fit, repeated = SVC(**options).fit(X, y, v), SVC(**options).fit(many, labels)
        scores, others = fit.decision_function(new), repeated.decision_function(new)
    assert_allclose(scores, others, rtol=0, atol=1e-6)
    assert (v[fit.support_] > 0).all()
    assert_array_equal(np.bincount(y[fit.support_]), fit.n_support_)
    if kernel != "precomputed":
        assert_array_equal(fit.support_vectors_, X[fit.support_])
        assert fit.score(X, y, v) == pytest.approx(repeated.score(many, labels))


@pytest.mark.parametrize("K", [2, 3])
def test_weights_are_those_of_scikit_learn(K):
    X, y = several(23, K=K)
    v = np.random.default_rng(23).exponential(size=90) + 0.05
    options = {"gamma": 0.3, "tol": 1e-10, "decision_function_shape": "ovr", "break_ties": True}
    theirs = sklearn.svm.SVC(**options).fit(X, y, v)
    fit = SVC(gamma=0.3, tol=1e-10).fit(X, y, v)
    assert_allclose(fit.decision_function(X), theirs.decision_function(X), rtol=0, atol=2e-6)  # its kernel is single
    assert_array_equal(fit.support_, theirs.support_)
    assert_allclose(fit.dual_coef_, theirs.dual_coef_, rtol=0, atol=1e-5)
    assert np.abs(fit.decision_function(X) - SVC(gamma=0.3).fit(X, y).decision_function(X)).max() > 0.01


def test_weight_0_leaves_a_row_and_perhaps_a_class_out():
    X, y = several(24)
    v = np.where(y == 1, 0.0, 1.0)
    fit, rest = SVC(gamma=0.3, tol=1e-9).fit(X, y, v), SVC(gamma=0.3, tol=1e-9).fit(X[y != 1], y[y != 1])
    assert_array_equal(fit.classes_, [0, 2])
    assert_allclose(fit.decision_function(X), rest.decision_function(X), rtol=0, atol=1e-7)
    hard = SVC(C=np.inf, kernel="linear").fit([[3, 3], [4, 3], [1, 1], [2, 2]], [1, 1, -1, 1], [1, 1, 2, 0])
    assert_allclose(hard.coef_, [[0.5, 0.5]], rtol=1e-9)  # of the first three rows


@pytest.mark.parametrize(
    ("v", "message"),
    [
        (np.zeros(40), "sample_weight is zero for every row"),
        (-np.ones(40), "sample_weight must not be negative, got -1"),
        (np.ones(39), r"sample_weight must be a vector of shape \(40,\)"),
        (np.arange(40) == 0, "y must hold at least two classes, got 1 class"),
    ],
)
def test_bad_weights(v, message):
    with pytest.raises(ValueError, match=message):
        SVC().fit(*problem(0), v)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # some checks ask for one step
@pytest.mark.parametrize(
    "model", [SVC(tol=1e-10), SVC(kernel="linear", tol=1e-10), SVC(kernel="precomputed"), LinearSVC()]
)
def test_estimator_contract(model):
    """One check asks that weights and repeated rows are the same to seven digits, hence the tolerance."""
    check_estimator(model, on_skip=None)


def test_pipeline_search_clone_and_pickle():
    X, y = several(9)
    pipe = make_pipeline(StandardScaler(), SVC())
    search = GridSearchCV(pipe, {"svc__C": [0.1, 1.0], "svc__gamma": ["scale", 0.1]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.5
    for model in [SVC(C=2.0, kernel="poly"), LinearSVC(C=0.5)]:
        fitted = clone(model).fit(X, y)
        assert_array_equal(pickle.loads(pickle.dumps(fitted)).decision_function(X), fitted.decision_function(X))


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.equation("svm-bias-interval")
def test_bias_without_a_free_vector():
    X, y = np.array([[0.0], [1.0]]), np.array([-1, 1])  # C = 0.1 < 2 / |x_1 - x_2|^2: both at the bound
    model = SVC(C=0.1, kernel="linear").fit(X, y)
    assert_array_equal(multipliers(model, 2), [0.1, 0.1])
    F = bias_candidates([0.1, 0.1], X @ X.T, y)
    assert_allclose(F, [-1, 0.9], rtol=1e-12)  # any b from -1 to 0.9 satisfies KKT; the middle is taken
    assert_allclose(bias_from_candidates(F, [0.1, 0.1], y, 0.1), -0.05, rtol=1e-12)
    assert_allclose(model.intercept_, [-0.05], rtol=1e-12)
    for b in [-0.99, 0.89]:
        assert_allclose(primal_objective([0.1, 0.1], b, X @ X.T, y, 0.1), model.objective_[-1], rtol=1e-9)
    assert primal_objective([0.1, 0.1], 0.95, X @ X.T, y, 0.1) > model.objective_[-1] + 1e-3


@pytest.mark.equation("svm-bias-interval")
def test_without_a_free_vector_a_row_of_multiplier_0_may_bound_the_bias():
    X, y = LI_HANG  # alpha = (0.1, 0, 0.1) and w = (0.2, 0.2): b <= 1 - 1.2, b >= 1 - 1.4, b >= -1 - 0.4
    model, without = SVC(C=0.1, kernel="linear").fit(X, y), SVC(C=0.1, kernel="linear").fit(X[[0, 2]], y[[0, 2]])
    assert_allclose(multipliers(model, 3), [0.1, 0, 0.1], rtol=1e-12)
    assert_allclose(model.coef_, [[0.2, 0.2]], rtol=1e-12)
    assert_allclose(without.coef_, [[0.2, 0.2]], rtol=1e-12)
    assert_allclose([model.intercept_[0], without.intercept_[0]], [(-0.4 - 0.2) / 2, (-1.4 - 0.2) / 2], rtol=1e-12)


def test_infinite_price():
    X, y = LI_HANG
    K = X @ X.T
    assert_allclose(primal_objective([0.25, 0, 0.25], -2.0, K, y, np.inf), 0.25, rtol=1e-12)
    assert primal_objective([0.25, 0, 0.25], -1.5, K, y, np.inf) == np.inf


@pytest.mark.parametrize("infinite", [np.inf, np.float32(np.inf)])
def test_infinite_price_of_any_type(infinite):
    X, y = LI_HANG
    assert_allclose(SVC(C=infinite, kernel="linear").fit(X, y).coef_, [[0.5, 0.5]], rtol=1e-9)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_margin_does_not_depend_on_the_length_of_the_weights(scale):
    w, X, y = np.array([0.5, 0.5]), *LI_HANG
    assert_allclose(geometric_margin(scale * w, scale * -2.0, X, y), np.sqrt(2), rtol=1e-12)


def test_same_place_other_label():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [3.0]])
    y = np.array([-1, 1, -1, 1, 1])
    for kernel in ["linear", "rbf"]:
        model = SVC(kernel=kernel, gamma=0.5, tol=1e-8).fit(X, y)
        assert abs(model.duality_gap_) < 1e-6
        alpha = multipliers(model, 5)
        _, best = quadratic_program(kernel_matrix(X, None, kernel, gamma=0.5), y, 1.0)
        assert_allclose(dual_objective(alpha, kernel_matrix(X, None, kernel, gamma=0.5), y), best, rtol=1e-6)


def test_all_rows_alike():
    model = SVC().fit(np.ones((4, 2)), [0, 1, 1, 1])
    assert_array_equal(model.predict(np.ones((2, 2))), [1, 1])
    assert model.gamma_ == 1.0


@pytest.mark.parametrize("scale", [1e-60, 1e-6, 1e6, 1e60])
def test_units_do_not_matter(scale):
    X, y = problem(4)
    plain, scaled = SVC(tol=1e-6).fit(X, y), SVC(tol=1e-6).fit(scale * X, y)  # gamma='scale' undoes the factor
    assert_allclose(scaled.decision_function(scale * X), plain.decision_function(X), rtol=0, atol=1e-6)
    assert_allclose(scaled.gamma_ * scale**2, plain.gamma_, rtol=1e-9)
    line = SVC(kernel="linear", tol=1e-6, C=1 / scale**2).fit(scale * X, y)
    assert_allclose(
        line.decision_function(scale * X), SVC(kernel="linear", tol=1e-6).fit(X, y).decision_function(X), atol=1e-4
    )


def test_far_from_the_origin_keeps_its_digits():
    X, y = problem(5)
    X = np.round(X, 6)
    for options in [{"kernel": "linear"}, {"kernel": "rbf", "gamma": 0.5}]:
        near, far = SVC(tol=1e-8, **options).fit(X, y), SVC(tol=1e-8, **options).fit(X + 1e6, y)
        assert_allclose(multipliers(far, 40), multipliers(near, 40), rtol=0, atol=1e-4)
        assert_allclose(far.decision_function(X + 1e6), near.decision_function(X), rtol=0, atol=1e-4)


def test_more_features_than_rows_and_a_constant_column():
    rng = np.random.default_rng(0)
    X, y = np.column_stack([rng.normal(size=(20, 200)), np.full(20, 3.0)]), np.repeat([0, 1], 10)
    model = SVC(C=np.inf, kernel="linear", tol=1e-6).fit(X, y)
    assert_allclose(np.abs(model.decision_function(X)).min(), 1, rtol=1e-5)
    assert_array_equal(model.predict(X), y)
    assert_array_equal(LinearSVC(C=100.0).fit(X, y).predict(X), y)


@pytest.mark.parametrize("megabytes", [1e-9, 0.02, 0.5, 200])
@pytest.mark.parametrize("n", [150, 800])
def test_any_cache_gives_the_same_result(n, megabytes):
    X, y = problem(6, n=n, d=3)
    reference = SVC(tol=1e-6).fit(X, y)
    model = SVC(tol=1e-6, cache_size=megabytes).fit(X, y)
    assert_allclose(model.objective_[-1], reference.objective_[-1], rtol=1e-9)
    assert_allclose(model.decision_function(X), reference.decision_function(X), rtol=0, atol=1e-4)


def test_kernel_memory_is_bounded():
    X, y = problem(7, n=3000, d=2, shift=0.3)  # 72 MB for all kernel values
    tracemalloc.start()
    SVC(cache_size=2, max_iter=300).fit(X[:50], y[:50])  # imports and the like
    tracemalloc.reset_peak()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = SVC(cache_size=2, max_iter=300).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * 2**20 + 60 * X.nbytes
    assert len(model.decision_function(np.repeat(X, 2, axis=0))) == 6000 > 2 * BLOCK


def test_rows_are_computed_once_and_the_longest_unused_makes_room():
    X, _ = problem(8, n=50)
    rows = kernel_rows.DistanceRows(kernel_rows.gram(X, "rbf", 0.5, 3, 0.0), 3 * 50 * 8 / 2**20)
    assert rows.capacity == 3
    for k in [0, 1, 2, 0, 3, 0]:  # 3 replaces 1, the longest unused
        rows(k)
    assert rows.computed == 4
    assert set(rows.kept) == {0, 2, 3}


@pytest.mark.equation("svm-stopping")
def test_active_set_is_checked_against_all_rows(monkeypatch):
    X, y = problem(9, n=1500, d=3)
    sizes, run = [], smo._Loop.run
    monkeypatch.setattr(smo._Loop, "run", lambda loop, *args: (sizes.append(len(loop.alpha)), run(loop, *args))[1])
    model = SVC(tol=1e-7, gamma=0.5).fit(X, y)
    assert sizes[0] == 1500 > 2 * sizes[1]  # all rows until most are settled, then the others
    alpha, K = multipliers(model, 1500), kernel_matrix(X, gamma=0.5)
    assert working_set(bias_candidates(alpha, K, y), alpha, y, 1.0, K).violation < 1.1e-7
    assert abs(model.duality_gap_) < 1e-4


def test_warnings_name_the_remedy():
    X, y = problem(10, n=60)
    with pytest.warns(ConvergenceWarning, match="KKT violation of .*increase max_iter"):
        model = SVC(max_iter=3).fit(X, y)
    assert_array_equal(model.n_iter_, [3])
    with pytest.warns(ConvergenceWarning, match="increase tol"):
        SVC(tol=1e-300).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="increase max_iter"):  # not yet optimal, but it separates already
        early = SVC(C=np.inf, kernel="linear", max_iter=3).fit(*VENTURA)
    assert_array_equal(early.predict(VENTURA[0]), VENTURA[1])
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 steps: increase max_iter or tol"):
        LinearSVC(max_iter=1, tol=1e-8).fit(X, y)


@pytest.mark.parametrize(
    "options", [{"kernel": "sigmoid", "gamma": 2.0, "coef0": 1.0}, {"kernel": "poly", "coef0": -5.0, "degree": 2}]
)
def test_indefinite_kernels_warn(options):
    X, y = problem(11, n=60)
    with pytest.warns(ConvergenceWarning, match="not positive semi-definite on these rows"):
        model = SVC(**options).fit(X, y)
    alpha, K = multipliers(model, 60), kernel_matrix(X, None, options["kernel"], gamma=model.gamma_,
                                                     degree=model.degree, coef0=model.coef0)  # fmt: skip
    F = bias_candidates(alpha, K, y)
    assert working_set(F, alpha, y, 1.0, K).violation < 1e-3 + 1e-9  # stationary all the same


def test_sigmoid_that_behaves_does_not_warn():
    X, y = problem(12, n=60)
    model = SVC(kernel="sigmoid", gamma=0.01).fit(X, y)
    assert model.n_iter_[0] > 0


def test_newton_halves_a_step_that_goes_too_far():
    X = np.array([[0.0, -0.2], [0.1, 0.1], [-2.1, 2.0], [2.3, -3.7], [-3.2, -7.5]])
    y, C = np.array([1.0, -1, 1, -1, 1]), np.array([81.84, 868.37, 853.48, 259.6, 366.48])
    value = lambda w: squared_hinge(w, X, y, C).value
    w = np.zeros(2)
    for _ in range(2):  # the second full step would climb
        start, (_, gradient, hessian) = value(w), squared_hinge(w, X, y, C)
        w = w - np.linalg.solve(hessian, gradient)
    assert value(w) > start
    fit = newton(X, y, C, 0.0, 1e-12, 100)
    assert fit.objective[2] < fit.objective[1]
    assert_allclose(fit.w, minimize(value, [0.1, 0.1], tol=1e-12).x, rtol=1e-5)


@pytest.mark.parametrize("C", [1e4, 1e6, 1e8])
def test_a_large_price_ends_at_the_hard_margin(C):
    X, y = problem(7, d=3, shift=4.0)
    Z = np.column_stack([X, np.ones(len(y))])  # the bias is penalised: the hard margin through 0 of the longer rows
    hard = minimize(
        lambda w: w @ w / 2,
        np.linalg.lstsq(Z, y, rcond=None)[0],
        jac=lambda w: w,
        constraints={"type": "ineq", "fun": lambda w: y * (Z @ w) - 1, "jac": lambda w: y[:, None] * Z},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    assert (y * (Z @ hard.x) > 1 - 1e-9).all()
    model = LinearSVC(C=C).fit(X, y)
    assert_allclose(model.objective_[-1], hard.fun, rtol=1e-3)
    assert_allclose(np.r_[model.coef_[0], model.intercept_], hard.x, rtol=0, atol=0.02)


@pytest.mark.parametrize("C", [1e20, 1e300])
def test_a_price_beyond_all_digits(C):
    X, y = problem(7, d=3, shift=4.0)
    with pytest.raises(ValueError, match=r"C is too large for X \(C up to 1e\+\d+\): .* take a smaller C"):
        LinearSVC(C=C).fit(X, y)


def test_newton_ends_when_rounding_allows_no_progress():
    X, y = problem(13, n=300, d=6, shift=0.1)
    fit = newton(1000 * X, y, np.full(300, 1e3), 1.0, 1e-300, 1000)
    assert fit.converged
    assert np.linalg.norm(squared_hinge(fit.w, np.c_[1000 * X, np.ones(300)], y, 1e3).gradient) < 1e-3


def test_most_multipliers_free():
    rng = np.random.default_rng(16)
    X, y = rng.normal(size=(600, 5)), np.where(rng.random(600) < 0.5, 1, -1)  # coins, fitted by narrow bumps
    model = SVC(C=100.0, gamma=5.0, tol=1e-6).fit(X, y)
    alpha = multipliers(model, 600)
    assert ((alpha > 0) & (alpha < 100)).sum() > 500
    assert abs(model.duality_gap_) < 1e-4 * model.objective_[-1]


# ------------------------------------------------------------------------------------------------------------- errors

GOOD, LABELS = several(14, n=30)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (np.where(GOOD[3, 1] == GOOD, np.nan, GOOD), LABELS, "contains NaN"),
        (np.where(GOOD[3, 1] == GOOD, np.inf, GOOD), LABELS, "contains infinity"),
        (np.empty((0, 3)), np.empty(0), "0 sample"),
        (GOOD, LABELS[:-1], "inconsistent numbers of samples"),
        (GOOD[:, 0], LABELS, "Expected 2D array"),
        (GOOD, np.zeros(30), "at least two classes, got 1 class"),
        (GOOD, GOOD[:, 0], "Unknown label type"),
    ],
)
def test_bad_data(X, y, message):
    for model in [SVC(), LinearSVC()]:
        with pytest.raises(ValueError, match=message):
            model.fit(X, y)


@pytest.mark.parametrize("model", [SVC(), SVC(kernel="linear"), SVC(kernel="poly", gamma=1.0), LinearSVC()])
def test_overflow(model):
    with pytest.raises(ValueError, match=r"X is too large: .* overflow, rescale"):
        model.fit(1e200 * GOOD, LABELS)
    with pytest.raises(ValueError, match=r"X is too large: .* overflow, rescale"):
        model.fit(np.r_[np.zeros((1, 3)), 1e200 * GOOD[1:]], LABELS)


@pytest.mark.parametrize("model", [SVC(), LinearSVC()])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"C": 0}, ValueError, "C must be positive, got 0"),
        ({"C": -1.0}, ValueError, "C must be finite and at least 0, got -1"),
        ({"C": "big"}, TypeError, "C must be a number"),
        ({"C": np.nan}, ValueError, "C must be finite"),
        ({"tol": 0.0}, ValueError, "tol must be positive"),
        ({"max_iter": 0}, ValueError, "max_iter must be"),
        ({"max_iter": 2.5}, TypeError, "max_iter must be an integer"),
        ({"class_weight": {0: -1.0}}, ValueError, r"class_weight\[0\] must be finite and at least 0"),
    ],
)
def test_bad_parameters_of_both(model, options, error, message):
    with pytest.raises(error, match=message):
        clone(model).set_params(**options).fit(GOOD, LABELS)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"gamma": 0}, ValueError, "gamma must be positive, got 0"),
        ({"gamma": -0.5}, ValueError, "gamma must be finite and at least 0"),
        ({"gamma": "big"}, ValueError, "gamma must be 'scale', 'auto' or a positive number, got 'big'"),
        ({"cache_size": 0}, ValueError, "cache_size must be positive"),
        ({"max_iter": -2}, ValueError, "max_iter must be at least -1"),
        ({"kernel": "cosine"}, ValueError, 'kernel must be "linear", "poly", .*got .cosine'),
        ({"kernel": 3}, TypeError, "kernel must be a name or a callable"),
        ({"kernel": "poly", "degree": 0}, ValueError, "degree must be at least 1"),
        ({"kernel": "poly", "degree": 1.5}, TypeError, "degree must be an integer"),
        ({"kernel": "sigmoid", "coef0": np.inf}, ValueError, "coef0 must be finite"),
        ({"kernel": lambda A, B: np.ones(3)}, ValueError, "a callable takes two matrices"),
        ({"kernel": lambda A, B: A @ B.T * np.arange(len(B))}, ValueError, "must be symmetric: average it"),
        ({"kernel": lambda A, B: -A @ B.T}, ValueError, "kernel is not positive semi-definite: a step met negative"),
        (
            {"C": np.inf, "kernel": "linear"},
            ValueError,
            "C=inf asks for a hard margin.*: they overlap, so choose a finite C",
        ),
        (
            {"C": np.inf, "kernel": "linear", "max_iter": 50},
            ValueError,
            "50 steps found no hyperplane.*: increase max_iter or, if they overlap, choose a finite C",
        ),
        ({"tol": 2.5}, ValueError, "tol must be at most 2, .*got 2.5"),
    ],
)
def test_bad_parameters_of_svc(options, error, message):
    X, y = problem(15, n=12, d=2, shift=0.1)
    with pytest.raises(error, match=message):
        SVC(**options).fit(X, y)


@pytest.mark.parametrize(
    ("K", "message"),
    [
        (np.ones((4, 3)), r"must be a square matrix, got shape \(4, 3\)"),
        (np.triu(np.ones((4, 4))), "must be symmetric: average it with its transpose"),
        (np.ones((4, 4)) - 3 * np.eye(4), "kernel is not positive semi-definite: a step met negative curvature"),
        (np.full((4, 4), np.nan), "contains NaN"),
    ],
)
def test_bad_precomputed_kernel(K, message):
    with pytest.raises(ValueError, match=message):
        SVC(kernel="precomputed").fit(K, [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": np.inf}, "C must be finite"),
        ({"intercept_scaling": 0.0}, "intercept_scaling must be positive"),
    ],
)
def test_bad_parameters_of_linear_svc(options, message):
    with pytest.raises(ValueError, match=message):
        LinearSVC(**options).fit(GOOD, LABELS)


def test_weights_of_another_kernel():
    with pytest.raises(AttributeError, match="coef_ exists for kernel='linear' only"):
        _ = SVC().fit(GOOD, LABELS).coef_


@pytest.mark.parametrize("method", ["predict", "decision_function"])
def test_wrong_number_of_features(method):
    for model in [SVC(), LinearSVC()]:
        with pytest.raises(ValueError, match=r"X has 2 features, but \w+ is expecting 3"):
            getattr(model.fit(GOOD, LABELS), method)(GOOD[:, :2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dual_objective([0.0], np.eye(1), [2]), "y must be a vector of -1 and 1"),
        (lambda: dual_objective([0.0, 0.0], np.eye(3), [1, -1]), "alpha .n,., K .n, n. and y .n,. must fit"),
        (lambda: primal_objective([0.0], 0.0, np.eye(2), [1, -1], 1.0), "must fit"),
        (lambda: bias_candidates([0.0], np.eye(1), [[1]]), "y must be a vector"),
        (lambda: working_set([1.0, 1.0], [0.0, 0.0], [1, 1], 1.0, np.eye(2)), "must hold both -1 and 1"),
        (lambda: bias_from_candidates([1.0], [0.0, 0.0], [1, -1], 1.0), "must have one shape"),
        (lambda: primal_objective([0.0, 0.0], 0.0, np.eye(2), [1, -1], np.ones((2, 1))), r"C must .* shape \(2, 1\)"),
        (lambda: working_set([1.0, -1.0], [0.0, 0.0], [1, -1], [1.0], np.eye(2)), "C must be one number, or one for"),
        (lambda: squared_hinge([0.0], [[1.0], [2.0]], [1, -1], [1.0, 1.0, 1.0]), "C must be one number, or one for"),
        (lambda: geometric_margin([0.0], 1.0, [[1.0]], [1]), "w must be a vector other than 0"),
        (lambda: squared_hinge([0.0], [[1.0, 2.0]], [1], 1.0), "w, Z and y must fit"),
        (lambda: one_vs_one_scores([[1.0, 2.0]], 3), r"K\(K-1\)/2 = 3 columns, got 2"),
        (lambda: dual_objective([np.nan, 0.0], np.eye(2), [1, -1]), "alpha and K must be finite"),
        (lambda: bias_candidates([0.0, 0.0], np.diag([1.0, np.inf]), [1, -1]), "alpha and K must be finite"),
        (lambda: primal_objective([0.0, 0.0], np.nan, np.eye(2), [1, -1], 1.0), "b must be finite"),
        (
            lambda: primal_objective([1.0, 1.0], 0.0, np.eye(2), [1, -1], np.nan),
            "C must hold positive numbers, got nan",
        ),
        (lambda: primal_objective([1.0, 1.0], 0.0, np.eye(2), [1, -1], -1.0), "C must hold positive numbers, got -1"),
        (lambda: squared_hinge([0.0], [[1.0], [2.0]], [1, -1], np.inf), "C must be finite for the squared hinge"),
        (lambda: squared_hinge([np.nan], [[1.0], [2.0]], [1, -1], 1.0), "w must be finite"),
        (lambda: geometric_margin([np.nan, 1.0], 0.0, [[1.0, 2.0]], [1]), "w and b must be finite"),
        (lambda: geometric_margin([1.0, 1.0], np.inf, [[1.0, 2.0]], [1]), "w and b must be finite"),
        (lambda: working_set([np.nan, -1.0], [0.0, 0.0], [1, -1], 1.0, np.eye(2)), "F and alpha must be finite"),
        (lambda: bias_from_candidates([1.0, -1.0], [0.0, np.nan], [1, -1], 1.0), "F and alpha must be finite"),
        (
            lambda: two_variable_step([-1.0, 1.0], [0.5, 0.5], [1, -1], 1.0, np.eye(2), 0, 1),
            r"i and j must not be taken the other way round: F\[0\] = -1 is below F\[1\] = 1",
        ),
        (
            lambda: two_variable_step([1.0, -1.0], [0.0, 0.0], [1, -1], 1.0, np.eye(2), 0, 5),
            "j must be at most 1, got 5",
        ),
        (
            lambda: two_variable_step([1.0, -1.0], [0.0, 0.0], [1, -1], 1.0, np.eye(2), -2, 1),
            "i must be at least 0, got -2",
        ),
        (lambda: platt_probability([0.0, np.nan], (-1.0, 0.0)), "scores must be finite"),
    ],
)
def test_bad_arguments_of_the_steps(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("scores", "y", "message"),
    [
        ([1.0, 2.0], [1, -1, 1], "scores must be finite and fit y"),
        ([1.0, np.nan], [1, -1], "scores must be finite and fit y"),
        ([1.0, 2.0], [1, 1], "y must hold both -1 and 1"),
        ([2.0, 2.0], [1, -1], "scores must not all be equal"),
        ([1e-300, 2e-300, 3e-300], [1, -1, 1], "scores are too close together or too large: rescale them"),
        ([1e300, -1e300, 1e308], [1, -1, 1], "scores are too close together or too large: rescale them"),
        ([1.0, 2.0], [0, 1], "-1"),
    ],
)
def test_bad_arguments_of_platt_scaling(scores, y, message):
    with pytest.raises(ValueError, match=message):
        platt_scaling(scores, y)


@pytest.mark.parametrize("short", [1e-7, 1e-9])
def test_a_step_that_ends_just_before_the_bound_stays_free(short):
    C = 0.5 + short  # of two points at distance 2 the optimum is alpha = 1/2 for both, inside the box
    K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0])
    step = two_variable_step(y, np.zeros(2), y, C, K, 0, 1)  # with alpha = 0 the candidates are y
    assert_allclose([step.alpha_i, step.alpha_j], 0.5, rtol=0, atol=1e-11)
    found = smo.solve(kernel_rows.gram(K, "precomputed", 1.0, 1, 0.0), y, np.full(2, C), 1e-12, 10, 1.0, "refuse")
    assert_allclose(found.alpha, 0.5, rtol=0, atol=1e-11)


def test_a_pair_with_score_zero_votes_for_its_first_class():
    votes = one_vs_one_scores([[0.0, 0.0, 0.0]], 3)
    assert_allclose(votes, [[2.0, 1.0, 0.0]], rtol=0, atol=1e-12)
    assert_allclose(one_vs_one_scores([[0.0, -1.0, -1.0]], 3).round(), [[1.0, 0.0, 2.0]])

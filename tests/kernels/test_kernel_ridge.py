"""Kernel ridge regression: hand calculation, independent routes, refits, laws, extremes, errors."""

import pickle

import numpy as np
import pytest
import sklearn.kernel_ridge as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_diabetes
from notes_lib.foundations.cross_validation import GridSearchCV, leave_one_out_residuals
from notes_lib.kernels.kernel_methods import (
    center_kernel,
    kernel_matrix,
    polynomial_kernel,
    random_fourier_features,
    rbf_kernel,
)
from notes_lib.kernels.kernel_ridge import (
    KernelRidge,
    dual_objective,
    kernel_ridge_solution,
    leave_one_out_path,
    loo_residuals,
)
from notes_lib.linear.regularization import Ridge, ridge_weights
from notes_lib.numerics import central_difference

seeds = st.integers(0, 10**6)
quick = settings(max_examples=20, deadline=None)
both = pytest.mark.parametrize("fit_intercept", [False, True])


def problem(seed, n=25, d=2, offset=5.0):
    """A smooth function with noise, far from 0, so that a bias matters."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, offset + np.sin(2.0 * X[:, 0]) + X[:, -1] ** 2 + 0.3 * rng.normal(size=n)


def bordered(K, y, alpha):
    """Coefficients and bias from the stationary point of all n + 1 unknowns, by LU."""
    n = len(y)
    system = np.block([[K + alpha * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    solution = np.linalg.solve(system, np.append(y, 0.0))
    return solution[:n], solution[n]


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("kernel-ridge-solution", "kernel-ridge-prediction", "kernel-ridge-loo")
def test_two_points_by_hand():
    # x = 0 and 1, kernel 1 + x z, strength 1: K + I = [[2, 1], [1, 3]] has determinant 5
    model = KernelRidge(1.0, kernel="poly", degree=1, gamma=1.0, coef0=1.0).fit([[0.0], [1.0]], [5.0, 10.0])
    assert_allclose(model.dual_coef_, [(3 * 5 - 10) / 5, (2 * 10 - 5) / 5], rtol=1e-14)
    assert_allclose(model.predict([[2.0]]), [1.0 + 3.0 * 3.0], rtol=1e-14)
    # without the first point: 1/3 of 10 at x = 0; without the second: half of 5 at x = 1
    assert_allclose(loo_residuals([[1.0, 1.0], [1.0, 2.0]], [5.0, 10.0], 1.0), [5 - 10 / 3, 10 - 5 / 2], rtol=1e-14)


@pytest.mark.equation("kernel-ridge-bias", "kernel-ridge-centred")
def test_three_points_with_a_bias_by_hand():
    # centred rows -1, 0, 1 with the linear kernel: w = 4 / (2 + 2) = 1, alpha = (residual) / 2
    K = kernel_matrix([[4.0], [5.0], [6.0]], kernel="linear")
    found = kernel_ridge_solution(K, [1.0, 6.0, 5.0], 2.0, fit_intercept=True)
    assert_allclose(found.dual_coef, [-1.0, 1.0, 0.0], atol=1e-12)
    assert_allclose(found.intercept, 4.0 - 1.0 * 5.0, rtol=1e-12)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("kernel-ridge-solution", "kernel-ridge-prediction")
@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "rbf", "gamma": 0.7},
        {"kernel": "rbf"},
        {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 2.0},
        {"kernel": "linear"},
    ],
)
def test_scikit_learn(options):
    X, y = problem(0)
    new = np.random.default_rng(1).normal(size=(7, 2))
    ours, peer = KernelRidge(0.3, **options).fit(X, y), peers.KernelRidge(alpha=0.3, **options).fit(X, y)
    assert_allclose(ours.dual_coef_, peer.dual_coef_, rtol=1e-9)
    assert_allclose(ours.predict(new), peer.predict(new), rtol=1e-9)
    assert ours.intercept_ == 0.0


@pytest.mark.equation("kernel-ridge-solution")
def test_scikit_learn_with_weights_and_several_targets():
    X, y = problem(18)
    weights = np.random.default_rng(19).integers(0, 4, 25) / 2.0
    Y = np.column_stack([y, np.cos(X[:, 1]), X[:, 0] ** 3])
    ours = KernelRidge(0.3, kernel="rbf").fit(X, Y, sample_weight=weights)
    peer = peers.KernelRidge(alpha=0.3, kernel="rbf").fit(X, Y, sample_weight=weights)
    assert_allclose(ours.dual_coef_, peer.dual_coef_, rtol=1e-9, atol=1e-12)
    assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-9)


@both
def test_weights_against_repeated_rows_and_the_stationary_point(fit_intercept):
    X, y = problem(20)
    counts = np.random.default_rng(21).integers(0, 4, 25)
    model = KernelRidge(0.3, kernel="rbf", fit_intercept=fit_intercept).fit(X, y, sample_weight=counts)
    repeated = KernelRidge(0.3, kernel="rbf", fit_intercept=fit_intercept).fit(X.repeat(counts, 0), y.repeat(counts))
    assert_allclose(model.predict(X), repeated.predict(X), rtol=1e-9)
    assert_allclose(0.3 * model.dual_coef_, counts * (y - model.predict(X)), atol=1e-9)  # weighted residuals
    given = KernelRidge(0.3, kernel="precomputed", fit_intercept=fit_intercept)
    assert_allclose(given.fit(rbf_kernel(X), y, counts).dual_coef_, model.dual_coef_, atol=1e-12)


@both
def test_several_targets_are_fitted_one_by_one(fit_intercept):
    X, y = problem(22)
    Y, weights = np.column_stack([y, X[:, 1] - 7.0]), np.linspace(0.5, 2.0, 25)
    model = KernelRidge(0.3, kernel="rbf", fit_intercept=fit_intercept).fit(X, Y, weights)
    single = [KernelRidge(0.3, kernel="rbf", fit_intercept=fit_intercept).fit(X, t, weights) for t in Y.T]
    assert_allclose(model.predict(X), np.transpose([m.predict(X) for m in single]), rtol=1e-10)
    assert_allclose(model.intercept_, [m.intercept_ for m in single], rtol=1e-10)
    assert model.dual_coef_.shape == (25, 2)
    assert KernelRidge().fit(X, Y[:, :1]).predict(X).shape == (25, 1)  # a column stays one


@pytest.mark.equation("kernel-ridge-loo")
@both
def test_leave_one_out_of_each_of_several_targets(fit_intercept):
    X, y = problem(23, n=12)
    Y, K = np.column_stack([y, np.sin(X[:, 1])]), rbf_kernel(X, gamma=0.8)
    refit = [KernelRidge(0.3, kernel="rbf", gamma=0.8, fit_intercept=fit_intercept).fit(X, Y, np.arange(12) != n) for n
             in range(12)]  # fmt: skip
    expected = Y - np.vstack([model.predict(X[n : n + 1]) for n, model in enumerate(refit)])
    found = np.transpose([loo_residuals(K, t, 0.3, fit_intercept=fit_intercept) for t in Y.T])
    assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.equation("kernel-ridge-both", "kernel-ridge-push", "kernel-ridge-weights")
def test_ridge_with_the_features_of_the_kernel():
    X, y = problem(2)
    a, b = X.T
    Phi = np.column_stack([np.ones(25), np.sqrt(2) * a, np.sqrt(2) * b, a * a, b * b, np.sqrt(2) * a * b])
    w = ridge_weights(Phi, y, 0.4)  # 6 x 6
    model = KernelRidge(0.4, kernel="poly", degree=2, gamma=1.0).fit(X, y)  # 25 x 25
    assert_allclose(Phi.T @ model.dual_coef_, w, rtol=1e-9)
    assert_allclose(model.predict(X), Phi @ w, rtol=1e-9)


@pytest.mark.equation("kernel-ridge-bias", "kernel-ridge-centred")
def test_ridge_with_a_bias():
    data = load_diabetes()
    X = 3.0 + (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)  # 442 x 10, one unit for all, not centred
    ridge, model = Ridge(0.2).fit(X, data.y), KernelRidge(0.2, fit_intercept=True).fit(X, data.y)
    assert_allclose(model.predict(X), ridge.predict(X), rtol=1e-8)
    assert_allclose(X.T @ model.dual_coef_, ridge.coef_, rtol=1e-8)
    assert_allclose(model.intercept_, ridge.intercept_, rtol=1e-8)


@pytest.mark.equation("kernel-ridge-bias", "kernel-ridge-centred", "kernel-ridge-system")
@given(seed=seeds)
@quick
def test_bias_by_two_other_routes(seed):
    X, y = problem(seed)
    K = rbf_kernel(X, gamma=0.5)
    found = kernel_ridge_solution(K, y, 0.2, fit_intercept=True)
    a, b = bordered(K, y, 0.2)
    assert_allclose(found.dual_coef, a, atol=1e-9)
    assert_allclose(found.intercept, b, rtol=1e-9)
    centred = center_kernel(K)
    assert_allclose(found.dual_coef, np.linalg.solve(centred + 0.2 * np.eye(25), y - y.mean()), atol=1e-9)
    assert_allclose(found.intercept, (y - K @ found.dual_coef).mean(), rtol=1e-9)
    assert abs(found.dual_coef.sum()) < 1e-9


@pytest.mark.equation("kernel-ridge-primal", "kernel-ridge-objective", "kernel-ridge-gradient")
@given(seed=seeds)
@quick
def test_objective_against_features_and_differences(seed):
    rng = np.random.default_rng(seed)
    Phi, y, a = rng.normal(size=(6, 4)), rng.normal(size=6), rng.normal(size=6)
    found = dual_objective(Phi @ Phi.T, y, a, 0.7)
    w = Phi.T @ a
    assert_allclose(found.value, np.sum((y - Phi @ w) ** 2) + 0.7 * np.sum(w**2), rtol=1e-12)
    value = lambda v: dual_objective(Phi @ Phi.T, y, v, 0.7).value
    assert_allclose(found.gradient, central_difference(value, a), rtol=1e-6, atol=1e-6)


@pytest.mark.equation("kernel-ridge-solution", "kernel-ridge-gradient")
@given(seed=seeds)
@quick
def test_solution_is_a_minimum(seed):
    X, y = problem(seed)
    K = rbf_kernel(X, gamma=0.5)
    a = kernel_ridge_solution(K, y, 0.2).dual_coef
    best = dual_objective(K, y, a, 0.2)
    assert_allclose(best.gradient, 0.0, atol=1e-9)
    for step in np.random.default_rng(seed).normal(size=(5, 25)):
        assert dual_objective(K, y, a + 0.1 * step, 0.2).value > best.value


@pytest.mark.equation("kernel-ridge-loo", "kernel-ridge-bias-map")
@both
@pytest.mark.parametrize("alpha", [1e-4, 0.3, 50.0])
def test_leave_one_out_by_refitting(alpha, fit_intercept):
    X, y = problem(3)
    K = rbf_kernel(X, gamma=0.8)
    refitted = np.empty(25)
    for n in range(25):
        kept = np.arange(25) != n
        part = K[np.ix_(kept, kept)]
        a, b = bordered(part, y[kept], alpha) if fit_intercept else (
            np.linalg.solve(part + alpha * np.eye(24), y[kept]), 0.0)  # fmt: skip
        refitted[n] = y[n] - K[n, kept] @ a - b
    assert_allclose(loo_residuals(K, y, alpha, fit_intercept=fit_intercept), refitted, rtol=1e-7, atol=1e-9)


@pytest.mark.equation("kernel-ridge-loo", "kernel-ridge-hat")
@both
def test_leave_one_out_by_leverages(fit_intercept):
    X, y = problem(4)
    K = rbf_kernel(X, gamma=0.8)
    fitted = lambda t: KernelRidge(0.1, kernel="precomputed", fit_intercept=fit_intercept).fit(K, t).predict(K)
    leverages = [fitted(e)[n] for n, e in enumerate(np.eye(25))]
    expected = leave_one_out_residuals(y - fitted(y), leverages)
    assert_allclose(loo_residuals(K, y, 0.1, fit_intercept=fit_intercept), expected, rtol=1e-9)


@pytest.mark.equation("kernel-ridge-loo-groups")
@both
def test_a_group_left_out_is_a_block_of_the_map_from_targets_to_coefficients(fit_intercept):
    X, y = problem(18)
    out = np.arange(25) % 4 == 1
    machine = KernelRidge(0.3, kernel="rbf", gamma=0.8, fit_intercept=fit_intercept)
    coefficients = lambda t: machine.fit(X, t).dual_coef_
    P = np.column_stack([coefficients(e) for e in np.eye(25)])
    together = np.linalg.solve(P[np.ix_(out, out)], coefficients(y)[out])
    refitted = y[out] - machine.fit(X[~out], y[~out]).predict(X[out])
    assert_allclose(together, refitted, rtol=1e-8)


@pytest.mark.equation("kernel-ridge-loo-primal")
def test_leverages_of_few_features_leave_one_out_of_their_kernel():
    X, y = problem(19)
    Phi = random_fourier_features(X, 8, 0.5, 0)
    inverse = np.linalg.inv(Phi.T @ Phi + 0.3 * np.eye(8))
    leverages = [row @ inverse @ row for row in Phi]
    residuals = leave_one_out_residuals(y - Phi @ ridge_weights(Phi, y, 0.3), leverages)
    assert_allclose(loo_residuals(Phi @ Phi.T, y, 0.3), residuals, rtol=1e-8)


@pytest.mark.equation("kernel-ridge-path", "kernel-ridge-freedom")
@both
def test_path_against_single_strengths(fit_intercept):
    X, y = problem(5, n=20)
    K = rbf_kernel(X, gamma=0.6)
    alphas = [1e-3, 0.1, 10.0]
    path = leave_one_out_path(K, y, alphas, fit_intercept=fit_intercept)
    for alpha, error, freedom in zip(alphas, *path, strict=True):
        assert_allclose(error, np.mean(loo_residuals(K, y, alpha, fit_intercept=fit_intercept) ** 2), rtol=1e-8)
        model = KernelRidge(alpha, kernel="precomputed", fit_intercept=fit_intercept)
        trace = sum(model.fit(K, e).predict(K)[n] for n, e in enumerate(np.eye(20)))
        assert_allclose(freedom, trace, rtol=1e-8)


@both
def test_path_of_a_singular_kernel(fit_intercept):
    # more rows than features, and rows twice: the vector of ones is one of many with eigenvalue 0
    rng = np.random.default_rng(6)
    X = np.repeat(rng.normal(size=(6, 2)), 2, axis=0)
    y, K = rng.normal(size=12), X @ X.T
    path = leave_one_out_path(K, y, [0.05], fit_intercept=fit_intercept)
    assert_allclose(path.errors[0], np.mean(loo_residuals(K, y, 0.05, fit_intercept=fit_intercept) ** 2), rtol=1e-9)


def test_path_in_another_unit():
    # the eigenvalues that rounding makes negative grow with the kernel, and are no reason to refuse it
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    large = leave_one_out_path(1e9 * X @ X.T, y, [1e9])
    assert_allclose(large.errors, leave_one_out_path(X @ X.T, y, [1.0]).errors, rtol=1e-8)


def test_two_rows_with_a_bias():
    # each is predicted by the other one's target
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), [1.0, 5.0]
    assert_allclose(loo_residuals(K, y, 0.5, fit_intercept=True), [-4.0, 4.0], rtol=1e-12)
    assert_allclose(leave_one_out_path(K, y, [0.5], fit_intercept=True).errors, [16.0], rtol=1e-12)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("kernel-ridge-residual")
@both
@given(seed=seeds)
@quick
def test_coefficients_are_scaled_residuals(seed, fit_intercept):
    X, y = problem(seed)
    model = KernelRidge(0.3, kernel="rbf", fit_intercept=fit_intercept).fit(X, y)
    assert_allclose(y - model.predict(X), 0.3 * model.dual_coef_, atol=1e-9)
    assert (np.abs(model.dual_coef_) > 1e-12).all()


@pytest.mark.equation("kernel-ridge-shrinkage", "kernel-ridge-hat")
def test_eigenvectors_are_shrunk():
    X, y = problem(16)
    K = rbf_kernel(X, gamma=0.5)
    values, U = np.linalg.eigh(K)
    fitted = KernelRidge(0.3, kernel="precomputed").fit(K, y).predict(K)
    assert_allclose(U.T @ fitted, values / (values + 0.3) * (U.T @ y), atol=1e-9)


@pytest.mark.equation("kernel-ridge-random")
def test_random_features_are_ridge_regression_with_their_own_kernel():
    X, y = problem(17, n=60)
    exact = KernelRidge(0.3, kernel="rbf", gamma=0.5).fit(X, y).predict(X)
    away = []
    for size in (40, 4000):
        Phi = random_fourier_features(X, size, 0.5, 0)
        model = KernelRidge(0.3, kernel="precomputed").fit(Phi @ Phi.T, y)
        fitted = Phi @ ridge_weights(Phi, y, 0.3)
        assert_allclose(model.predict(Phi @ Phi.T), fitted, rtol=1e-8)
        away.append(np.abs(fitted - exact).max())
    assert away[1] < away[0] / 4


@given(seed=seeds)
@quick
def test_scaling_the_kernel_is_dividing_the_strength(seed):
    X, y = problem(seed)
    K = rbf_kernel(X, gamma=0.5)
    one, other = kernel_ridge_solution(K, y, 0.3), kernel_ridge_solution(4.0 * K, y, 1.2)
    assert_allclose(4.0 * other.dual_coef, one.dual_coef, rtol=1e-9)


@both
@given(seed=seeds)
@quick
def test_rows_in_another_order(seed, fit_intercept):
    X, y = problem(seed)
    order = np.random.default_rng(seed).permutation(25)
    one, other = (KernelRidge(0.3, kernel="rbf", fit_intercept=fit_intercept).fit(X[i], y[i]) for i in
                  (np.arange(25), order))  # fmt: skip
    assert_allclose(other.dual_coef_, one.dual_coef_[order], atol=1e-9)


def test_a_bias_follows_a_shift_of_the_targets():
    X, y = problem(7)
    one, other = (KernelRidge(0.3, kernel="rbf", fit_intercept=True).fit(X, t) for t in (y, y + 100.0))
    assert_allclose(other.predict(X), one.predict(X) + 100.0, rtol=1e-10)
    plain = KernelRidge(0.3, kernel="rbf").fit(X, y + 100.0).predict(X)
    assert np.abs(plain - one.predict(X) - 100.0).max() > 1.0


def test_rows_twice_is_half_the_strength():
    X, y = problem(8)
    once, twice = KernelRidge(0.3, kernel="rbf").fit(X, y), KernelRidge(0.6, kernel="rbf").fit(
        np.r_[X, X], np.r_[y, y])  # fmt: skip
    assert_allclose(twice.predict(X), once.predict(X), rtol=1e-9)


def test_float32_and_memory_layout():
    X, y = problem(9)
    model = KernelRidge(0.5, kernel="rbf").fit(X, y)
    single = KernelRidge(0.5, kernel="rbf").fit(X.astype(np.float32), y.astype(np.float32))
    assert_allclose(single.predict(X), model.predict(X), rtol=1e-5)
    fortran = KernelRidge(0.5, kernel="rbf").fit(np.asfortranarray(X), np.repeat(y, 2)[::2])
    assert_allclose(fortran.predict(X), model.predict(X), rtol=1e-12)


@pytest.mark.parametrize("own", ["precomputed", "callable"])
def test_the_callers_matrix_is_left_alone(own):
    X, y = problem(10)
    K = rbf_kernel(X)
    before = K.copy()
    model = KernelRidge(0.5, kernel="precomputed") if own == "precomputed" else KernelRidge(0.5, kernel=lambda A, B: K)
    model.fit(K if own == "precomputed" else X, y)
    kernel_ridge_solution(K, y, 0.5)
    loo_residuals(K, y, 0.5)
    leave_one_out_path(K, y, [0.5], fit_intercept=True)
    assert_array_equal(K, before)
    assert_allclose(model.dual_coef_, KernelRidge(0.5, kernel="rbf").fit(X, y).dual_coef_, rtol=1e-12)


# ----------------------------------------------------------------------------------------------------------- extremes


@both
def test_no_strength_interpolates(fit_intercept):
    X, y = problem(11, n=10)
    model = KernelRidge(0.0, kernel="rbf", gamma=2.0, fit_intercept=fit_intercept).fit(X, y)
    assert_allclose(model.predict(X), y, rtol=1e-9)
    # the residuals without each row are defined all the same
    K = rbf_kernel(X, gamma=2.0)
    refit = KernelRidge(0.0, kernel="rbf", gamma=2.0, fit_intercept=fit_intercept).fit(X[1:], y[1:])
    found = loo_residuals(K, y, 0.0, fit_intercept=fit_intercept)[0]
    assert_allclose(found, y[0] - refit.predict(X[:1])[0], rtol=1e-9)


def test_an_endless_strength_leaves_the_mean_or_nothing():
    X, y = problem(12)
    assert_allclose(KernelRidge(1e12, kernel="rbf").fit(X, y).predict(X), 0.0, atol=1e-9)
    assert_allclose(KernelRidge(1e12, kernel="rbf", fit_intercept=True).fit(X, y).predict(X), y.mean(), rtol=1e-9)


def test_far_away_only_the_bias_is_left():
    X, y = problem(13)
    far = np.full((1, 2), 1e3)
    assert KernelRidge(0.1, kernel="rbf").fit(X, y).predict(far)[0] == 0.0
    model = KernelRidge(0.1, kernel="rbf", fit_intercept=True).fit(X, y)
    assert model.predict(far)[0] == model.intercept_ != 0.0


def test_one_row():
    assert_allclose(KernelRidge(1.0, kernel="rbf").fit([[0.0]], [4.0]).predict([[0.0]]), [2.0])
    assert_allclose(loo_residuals([[1.0]], [4.0], 1.0), [4.0])
    found = kernel_ridge_solution([[1.0]], [4.0], 1.0, fit_intercept=True)
    assert_allclose([*found.dual_coef, found.intercept], [0.0, 4.0], atol=1e-14)


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("alpha", [0.0, 1e-17])
@pytest.mark.parametrize("X", [[[1.0], [1.0], [2.0]], [[0.0], [1.0], [2.0]]])
def test_a_singular_kernel_names_the_remedy(X, alpha):
    K = polynomial_kernel(X, degree=1)  # two features: of rank 2, whether or not a row is repeated
    for solve in (kernel_ridge_solution, loo_residuals):
        with pytest.raises(ValueError, match=f"singular.*alpha={alpha:g} does not mend that: increase alpha"):
            solve(K, [1.0, 2.0, 3.0], alpha)
    with pytest.raises(ValueError, match="increase alpha"):
        KernelRidge(alpha, kernel="poly", degree=1).fit(X, [1.0, 2.0, 3.0])
    assert np.isfinite(kernel_ridge_solution(K, [1.0, 2.0, 3.0], 1e-6).dual_coef).all()


def test_a_strength_within_rounding_is_refused():
    X, y = problem(15, n=60)
    for K in (np.ones((60, 60)), 1e6 * np.ones((60, 60)), rbf_kernel(np.r_[X[:30], X[:30]])):
        with pytest.raises(ValueError, match="does not mend that: increase alpha"):
            kernel_ridge_solution(K, y, 2e-14 * K[0, 0])
        kernel_ridge_solution(K, y, 1e-11 * K[0, 0])


def test_an_indefinite_matrix():
    K = [[0.0, 1.0], [1.0, 0.0]]
    with pytest.raises(ValueError, match=r"indefinite, and alpha=0\.5 does not mend that"):
        kernel_ridge_solution(K, [1.0, 2.0], 0.5)
    with pytest.raises(ValueError, match="K is not positive semi-definite"):
        leave_one_out_path(K, [1.0, 2.0], [2.0])
    with pytest.raises(ValueError, match="K is not positive semi-definite"):
        leave_one_out_path(1e-6 * np.array(K), [1.0, 2.0], [2.0])
    with pytest.raises(ValueError, match="not positive semi-definite"):
        KernelRidge(2.0, kernel="precomputed").fit(K, [1.0, 2.0])


def test_a_sigmoid_that_is_no_kernel_is_reported():
    X = np.array([[0.0], [1.0], [2.0]])
    with pytest.warns(ConvergenceWarning, match="not positive semi-definite"):
        KernelRidge(5.0, kernel="sigmoid", coef0=-1.0).fit(X, [1.0, 2.0, 0.0])


@pytest.mark.parametrize("alpha", [-1.0, np.nan, np.inf])
def test_bad_strengths(alpha):
    for use in (
        lambda: KernelRidge(alpha).fit([[1.0], [2.0]], [1.0, 2.0]),
        lambda: kernel_ridge_solution(np.eye(2), [1.0, 2.0], alpha),
        lambda: loo_residuals(np.eye(2), [1.0, 2.0], alpha),
        lambda: dual_objective(np.eye(2), [1.0, 2.0], [0.0, 0.0], alpha),
    ):
        with pytest.raises(ValueError, match="alpha must be finite and at least 0"):
            use()
    with pytest.raises(TypeError, match="alpha must be a number"):
        KernelRidge("1").fit([[1.0], [2.0]], [1.0, 2.0])


def test_bad_weights():
    for weights, message in (([1.0, -1.0], "sample_weight must not be negative"), ([0.0, 0.0], "zero for every row")):
        with pytest.raises(ValueError, match=message):
            KernelRidge().fit([[1.0], [2.0]], [1.0, 2.0], sample_weight=weights)


def test_bad_paths():
    with pytest.raises(ValueError, match=r"alphas must be positive, got 0: use loo_residuals for 0\."):
        leave_one_out_path(np.eye(2), [1.0, 2.0], [1.0, 0.0])
    with pytest.raises(ValueError, match="alphas must be a vector"):
        leave_one_out_path(np.eye(2), [1.0, 2.0], 1.0)
    for use in (lambda: leave_one_out_path([[1.0]], [1.0], [1.0], fit_intercept=True),
                lambda: loo_residuals([[1.0]], [1.0], 1.0, fit_intercept=True)):  # fmt: skip
        with pytest.raises(ValueError, match="y must hold at least two targets"):
            use()


def test_bad_shapes():
    with pytest.raises(ValueError, match="K must be a square matrix"):
        kernel_ridge_solution(np.ones((2, 3)), [1.0, 2.0], 1.0)
    with pytest.raises(ValueError, match="K must be symmetric"):
        kernel_ridge_solution([[1.0, 0.5], [0.0, 1.0]], [1.0, 2.0], 1.0)
    with pytest.raises(ValueError, match=r"y must be a vector of shape \(2,\)"):
        kernel_ridge_solution(np.eye(2), [1.0, 2.0, 3.0], 1.0)
    with pytest.raises(ValueError, match=r"dual_coef must be a vector of shape \(2,\)"):
        dual_objective(np.eye(2), [1.0, 2.0], [1.0], 1.0)
    with pytest.raises(ValueError, match="X must be a square matrix"):
        KernelRidge(kernel="precomputed").fit(np.ones((2, 3)), [1.0, 2.0])


@pytest.mark.parametrize("model", [KernelRidge(), KernelRidge(kernel="rbf", fit_intercept=True)])
def test_estimator_contract(model):
    check_estimator(model, on_skip=None)


def test_pipelines_searches_copies():
    X, y = problem(14, n=40)
    pipe = make_pipeline(StandardScaler(), KernelRidge(kernel="rbf", fit_intercept=True))
    search = GridSearchCV(pipe, {"kernelridge__alpha": [1e-2, 1.0, 100.0]}, cv=4).fit(X, y)
    assert search.best_params_["kernelridge__alpha"] < 100.0
    model = KernelRidge(0.1, kernel="rbf")
    with pytest.raises(NotFittedError):
        model.predict(X)
    model.fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert clone(model).get_params() == model.get_params()

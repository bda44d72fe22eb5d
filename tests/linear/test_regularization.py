"""Ridge, lasso and elastic net: published numbers, independent routes, laws, extremes, errors."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn.linear_model as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq, minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_prostate, prostate_split
from notes_lib.foundations.cross_validation import GridSearchCV
from notes_lib.linear.regularization import (
    ElasticNet,
    Lasso,
    Ridge,
    coordinate_descent,
    coordinate_update,
    effective_degrees_of_freedom,
    elastic_net_gap,
    elastic_net_objective,
    enet_path,
    largest_alpha,
    lasso_knots,
    lasso_path,
    path,
    ridge_svd,
    ridge_weights,
    soft_threshold,
)
from notes_lib.numerics import BLOCK, central_difference

seeds = st.integers(0, 10**6)
quick = settings(max_examples=20, deadline=None)


def problem(seed, n=40, d=6, noise=1.0):
    """Correlated columns, half of which have weight 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1))
    X -= X.mean(axis=0)
    y = X @ np.where(np.arange(d) % 2, 0.0, rng.normal(size=d)) + noise * rng.normal(size=n)
    return X, y - y.mean()


def prostate():
    """Standardised as in Hastie et al.; training rows are centred."""
    data, (train, test) = load_prostate(), prostate_split()
    X = (data.X - data.X[train].mean(axis=0)) / data.X[train].std(axis=0, ddof=1)
    return X[train], data.y[train], X[test], data.y[test]


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("regularization-degrees-of-freedom", "regularization-ridge-solution", "regularization-bias")
def test_ridge_of_the_prostate_data_as_published():
    # Hastie, Tibshirani and Friedman (2009), section 3.4.1 and table 3.3: 5 effective degrees of freedom, test error
    # 0.492, intercept 2.452
    X, y, X_test, y_test = prostate()
    alpha = brentq(lambda a: effective_degrees_of_freedom(X, a) - 5.0, 1.0, 100.0)
    model = Ridge(alpha).fit(X, y)
    assert_allclose(model.intercept_, 2.452, rtol=0, atol=5e-4)
    assert_allclose(np.mean((model.predict(X_test) - y_test) ** 2), 0.492, rtol=0, atol=6e-4)


@pytest.mark.equation("regularization-lasso", "regularization-knots")
def test_lasso_of_the_prostate_data_keeps_the_four_published_columns():
    # table 3.3 there: lcavol, lweight, lbph and svi, the others are 0
    X, y, _, _ = prostate()
    found = lasso_knots(X, y - y.mean()).coefs != 0
    assert_array_equal(found[:, 4], [True, True, False, True, True, False, False, False])


def test_scikit_learn_docs_example():
    # the example of the documentation of Lasso
    model = Lasso(0.1).fit([[0, 0], [1, 1], [2, 2]], [0, 1, 2])
    assert_allclose([*model.coef_, model.intercept_], [0.85, 0.0, 0.15], atol=1e-9)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("regularization-ridge", "regularization-ridge-solution", "regularization-ridge-dual")
@pytest.mark.parametrize(("n", "d"), [(40, 6), (6, 40), (7, 7)])
@pytest.mark.parametrize("alpha", [0.01, 1.0, 300.0])
def test_ridge_by_augmented_rows_and_by_scikit_learn(n, d, alpha):
    X, y = problem(1, n, d)
    rows = np.vstack([X, np.sqrt(alpha) * np.eye(d)])
    expected = np.linalg.lstsq(rows, np.r_[y, np.zeros(d)], rcond=None)[0]
    assert_allclose(ridge_weights(X, y, alpha), expected, rtol=1e-9, atol=1e-11)
    model, peer = Ridge(alpha).fit(X + 5, y - 3), peers.Ridge(alpha).fit(X + 5, y - 3)
    assert_allclose(model.coef_, peer.coef_, rtol=1e-8, atol=1e-10)
    assert_allclose(model.intercept_, peer.intercept_, rtol=1e-9)
    plain = Ridge(alpha, fit_intercept=False).fit(X + 5, y)
    assert_allclose(plain.coef_, peers.Ridge(alpha, fit_intercept=False).fit(X + 5, y).coef_, rtol=1e-7, atol=1e-9)
    assert plain.intercept_ == 0


@pytest.mark.equation("regularization-ridge-solution", "regularization-bias")
@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize(("n", "d"), [(2 * BLOCK + 7, 3), (4000, 40), (70, 60), (40, 60)])
def test_ridge_over_blocks_of_rows_loses_no_digits_far_from_zero(n, d, offset):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d)) + rng.normal(size=(n, 1)) + offset * np.where(np.arange(d) % 2, 1.0, -2.0)
    y = X @ rng.normal(size=d) / d + rng.normal(size=n) + offset
    D, e = X - X.mean(axis=0), y - y.mean()
    expected = np.linalg.solve(D.T @ D + 3.0 * np.eye(d), D.T @ e)  # the derivation's form
    model = Ridge(3.0).fit(X, y)
    assert_allclose(model.coef_, expected, rtol=0, atol=1e-10)
    assert_allclose(model.predict(X).mean(), y.mean(), rtol=1e-14, atol=1e-12)
    raw = Ridge(3.0, fit_intercept=False).fit(X - X[0], e)
    A = X - X[0]
    assert_allclose(raw.coef_, np.linalg.solve(A.T @ A + 3.0 * np.eye(d), A.T @ e), rtol=0, atol=1e-9)


@pytest.mark.equation("regularization-ridge-svd", "regularization-degrees-of-freedom")
@pytest.mark.parametrize(("n", "d"), [(30, 5), (5, 30)])
def test_singular_values_and_hat_matrix(n, d):
    X, y = problem(2, n, d)
    alphas = [0.1, 2.0, 50.0]
    found = ridge_svd(X, y, alphas)
    for i, alpha in enumerate(alphas):
        assert_allclose(found.coefs[:, i], ridge_weights(X, y, alpha), rtol=1e-8, atol=1e-11)
        hat = X @ np.linalg.solve(X.T @ X + alpha * np.eye(d), X.T)
        assert_allclose(effective_degrees_of_freedom(X, alpha), np.trace(hat), rtol=1e-9)
        assert_allclose(found.factors[:, i].sum(), np.trace(hat), rtol=1e-9)
        assert_allclose(np.sort(np.linalg.eigvalsh(hat))[::-1][: min(n, d)], found.factors[:, i], atol=1e-9)
    assert_allclose(found.singular_values, np.linalg.svd(X)[1], rtol=1e-10, atol=1e-12)


@pytest.mark.equation("regularization-soft-threshold")
@pytest.mark.parametrize("z", [-2.0, -0.3, 0.0, 0.7, 3.0])
def test_soft_threshold_by_trying_all_values(z):
    w = np.linspace(-4, 4, 80_001)
    best = w[np.argmin((w - z) ** 2 / 2 + 0.7 * np.abs(w))]
    assert_allclose(soft_threshold(z, 0.7), best, atol=1e-4)
    assert_array_equal(np.signbit(soft_threshold([-0.1, 0.1], 0.7)), [False, False])
    assert_array_equal(soft_threshold([z, z], [0.0, 0.7]), [z, soft_threshold(z, 0.7)])  # a threshold for each


@pytest.mark.equation("regularization-elastic-net", "regularization-lasso", "regularization-active")
@pytest.mark.parametrize("l1_ratio", [0.2, 0.7, 1.0])
@pytest.mark.parametrize(("n", "d"), [(40, 8), (12, 30)])
def test_elastic_net_by_scikit_learn(n, d, l1_ratio):
    X, y = problem(3, n, d)
    alphas = largest_alpha(X, y, l1_ratio) * np.array([0.9, 0.5, 0.2, 0.05, 0.01])
    path = enet_path(X, y, l1_ratio=l1_ratio, alphas=alphas)
    for i, alpha in enumerate(alphas):
        peer = peers.ElasticNet(alpha, l1_ratio=l1_ratio, tol=1e-14, max_iter=10**6).fit(X + 2, y + 1)
        model = ElasticNet(alpha, l1_ratio=l1_ratio).fit(X + 2, y + 1)
        assert_allclose(model.coef_, peer.coef_, rtol=1e-5, atol=1e-7)
        assert_allclose(model.intercept_, peer.intercept_, rtol=1e-6)
        assert_allclose(path.coefs[:, i], model.coef_, rtol=1e-8, atol=1e-10)
        assert path.dual_gaps[i] < 1e-12


@pytest.mark.equation("regularization-elastic-net")
def test_objective_by_a_general_minimiser():
    # the positive and the negative parts of the weights are the unknowns, so that the 1-norm is smooth
    X, y = problem(4, 25, 4)
    alpha, ratio = 0.2, 0.6
    split = lambda v: (
        elastic_net_objective(X, y, v[:4] - v[4:], 0.0)
        + alpha * (ratio * v.sum() + (1 - ratio) / 2 * np.sum((v[:4] - v[4:]) ** 2))
    )
    best = minimize(split, np.full(8, 0.1), bounds=[(0, None)] * 8, options={"ftol": 1e-15, "gtol": 1e-10})
    model = ElasticNet(alpha, l1_ratio=ratio).fit(X, y)
    assert_allclose(model.coef_, best.x[:4] - best.x[4:], atol=2e-5)
    assert_allclose(elastic_net_objective(X, y, model.coef_, alpha, ratio), best.fun, rtol=1e-9)


@pytest.mark.equation("regularization-knots", "regularization-active", "regularization-largest")
@pytest.mark.parametrize(("n", "d"), [(40, 8), (10, 25)])
@pytest.mark.parametrize("seed", range(3))
def test_knots_by_least_angle_regression(seed, n, d):
    X, y = problem(seed, n, d)
    stop = 0.02 * largest_alpha(X, y)
    alphas, _, coefs = peers.lars_path(X, y, method="lasso", alpha_min=stop)
    knots = lasso_knots(X, y, stop)
    assert_allclose(knots.alphas, alphas, rtol=1e-8)
    assert_allclose(knots.coefs, coefs, rtol=1e-6, atol=1e-9)
    between = np.sqrt(alphas[1] * alphas[2])
    assert_allclose(knots.at(between), Lasso(between).fit(X, y).coef_, atol=1e-9)


def test_a_column_leaves_the_path():
    # the third column stands in for the other two until they enter; then its weight falls through 0
    rng = np.random.default_rng(0)
    A = rng.normal(size=(200, 2))
    X = np.column_stack([A, A.sum(axis=1) + 0.3 * rng.normal(size=200)])
    X = X - X.mean(axis=0)
    y = X @ [1.5, 1.5, -0.3]
    knots = lasso_knots(X, y)
    assert_array_equal(np.sign(knots.coefs[2]), [0, 1, 1, 0, 0, -1])
    assert_allclose(knots.coefs[:, -1], [1.5, 1.5, -0.3], atol=1e-9)
    for alpha in knots.alphas[:-1] * 0.999:
        assert_allclose(knots.at(alpha), Lasso(alpha).fit(X, y).coef_, atol=1e-8)
    path = lasso_path(X, y, alphas=60)
    assert_allclose(path.coefs.T, [knots.at(alpha) for alpha in path.alphas], atol=1e-9)


@pytest.mark.equation("regularization-coordinate-update")
@pytest.mark.parametrize("l1_ratio", [0.5, 1.0])
def test_coordinate_descent_goes_to_the_exact_minimum(l1_ratio):
    X, y = problem(5, 50, 6)
    alpha, n = 0.1, len(y)
    l2 = n * alpha * (1 - l1_ratio)
    w, sweeps = coordinate_descent(X.T @ X + l2 * np.eye(6), X.T @ y, n * alpha * l1_ratio, np.zeros(6), tol=1e-13)
    assert 3 < sweeps < 1000
    assert_allclose(w, ElasticNet(alpha, l1_ratio=l1_ratio).fit(X, y).coef_, atol=1e-10)
    once, _ = coordinate_descent(X.T @ X + l2 * np.eye(6), X.T @ y, n * alpha * l1_ratio, np.zeros(6), max_iter=1)
    by_hand = np.zeros(6)
    for j in range(6):
        by_hand[j] = coordinate_update(X, y, by_hand, j, alpha, l1_ratio)
        line = lambda v, j=j: elastic_net_objective(X, y, np.r_[by_hand[:j], v, by_hand[j + 1 :]], alpha, l1_ratio)
        assert all(line(by_hand[j]) <= line(by_hand[j] + h) for h in (-1e-3, 1e-3))
    assert_allclose(once, by_hand, atol=1e-12)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("regularization-subgradient", "regularization-elastic-net")
@quick
@given(seed=seeds, share=st.floats(0.05, 0.95), l1_ratio=st.sampled_from([0.3, 1.0]))
def test_subgradient_condition(seed, share, l1_ratio):
    X, y = problem(seed)
    alpha = share * largest_alpha(X, y, l1_ratio)
    w = ElasticNet(alpha, l1_ratio=l1_ratio).fit(X, y).coef_
    slope = X.T @ (y - X @ w) / len(y) - alpha * (1 - l1_ratio) * w
    assert_allclose(slope[w != 0], alpha * l1_ratio * np.sign(w[w != 0]), rtol=1e-8)
    assert (np.abs(slope[w == 0]) <= alpha * l1_ratio * (1 + 1e-8)).all()
    assert elastic_net_gap(X, y, w, alpha, l1_ratio) < 1e-12 * (y @ y)


@pytest.mark.equation("regularization-gap")
@quick
@given(seed=seeds, l1_ratio=st.sampled_from([0.3, 1.0]))
def test_gap_bounds_the_distance_from_the_minimum(seed, l1_ratio):
    X, y = problem(seed)
    alpha = 0.3 * largest_alpha(X, y, l1_ratio)
    best = elastic_net_objective(X, y, ElasticNet(alpha, l1_ratio=l1_ratio).fit(X, y).coef_, alpha, l1_ratio)
    v = np.random.default_rng(seed).normal(size=6)
    here = elastic_net_objective(X, y, v, alpha, l1_ratio)
    assert elastic_net_gap(X, y, v, alpha, l1_ratio) >= here - best > 0


@pytest.mark.equation("regularization-gap")
@pytest.mark.parametrize("l1_ratio", [0.3, 1.0])
@pytest.mark.parametrize("size", [0.0, 0.1, 3.0])
def test_gap_is_primal_less_dual(l1_ratio, size):
    X, y = problem(14)
    n, alpha, w = len(y), 0.2, size * np.arange(6)
    A = np.vstack([X, np.sqrt(n * alpha * (1 - l1_ratio)) * np.eye(6)])  # the elastic net as a lasso
    t = np.r_[y, np.zeros(6)]
    theta = t - A @ w
    theta *= min(1, n * alpha * l1_ratio / np.abs(A.T @ theta).max())
    dual = (t @ t - (t - theta) @ (t - theta)) / (2 * n)
    gap = elastic_net_objective(X, y, w, alpha, l1_ratio) - dual
    assert_allclose(elastic_net_gap(X, y, w, alpha, l1_ratio), gap, rtol=1e-10)


@pytest.mark.equation("regularization-largest")
@quick
@given(seed=seeds, l1_ratio=st.sampled_from([0.3, 1.0]))
def test_all_weights_are_zero_from_the_largest_strength_on(seed, l1_ratio):
    X, y = problem(seed)
    top = largest_alpha(X, y, l1_ratio)
    assert not ElasticNet(1.000001 * top, l1_ratio=l1_ratio).fit(X, y).coef_.any()
    assert (ElasticNet(0.999 * top, l1_ratio=l1_ratio).fit(X, y).coef_ != 0).sum() == 1


@pytest.mark.equation("regularization-ridge-gradient")
@quick
@given(seed=seeds, alpha=st.sampled_from([0.1, 10.0]))
def test_gradient_of_ridge_vanishes(seed, alpha):
    X, y = problem(seed)
    J = lambda w: np.sum((y - X @ w) ** 2) + alpha * w @ w
    w = ridge_weights(X, y, alpha)
    assert_allclose(central_difference(J, w), 0.0, atol=1e-5 * J(w))
    assert_allclose(central_difference(J, w + 1.0), 2 * (X.T @ (X @ (w + 1) - y) + alpha * (w + 1)), rtol=1e-5)


@quick
@given(seed=seeds)
def test_more_penalty_shrinks_the_norm_and_raises_the_residual(seed):
    X, y = problem(seed)
    alphas = [0.01, 0.1, 1.0, 10.0, 100.0]
    W = ridge_svd(X, y, alphas).coefs
    assert (np.diff(np.linalg.norm(W, axis=0)) < 0).all()
    assert (np.diff(np.linalg.norm(y[:, None] - X @ W, axis=0)) > 0).all()
    assert (np.diff([effective_degrees_of_freedom(X, a) for a in alphas]) < 0).all()
    path = lasso_path(X, y, alphas=20)
    assert (np.diff(path.alphas) < 0).all()
    assert (np.diff(np.abs(path.coefs).sum(axis=0)) >= -1e-12).all()


@pytest.mark.equation("regularization-conventions")
def test_strengths_of_the_three_estimators_on_one_scale():
    X, y = problem(6)
    n = len(y)
    assert_allclose(ElasticNet(0.3, l1_ratio=0.0).fit(X, y).coef_, Ridge(0.3 * n).fit(X, y).coef_, rtol=1e-10)
    assert_allclose(ElasticNet(0.3, l1_ratio=1.0).fit(X, y).coef_, Lasso(0.3).fit(X, y).coef_, rtol=1e-12)
    twice = np.vstack([X, X]), np.r_[y, y]
    assert_allclose(Lasso(0.3).fit(*twice).coef_, Lasso(0.3).fit(X, y).coef_, rtol=1e-9)
    assert_allclose(Ridge(6.0).fit(*twice).coef_, Ridge(3.0).fit(X, y).coef_, rtol=1e-9)


@pytest.mark.equation("regularization-grouping")
@quick
@given(seed=seeds, l1_ratio=st.sampled_from([0.0, 0.5, 0.9]))
def test_grouping_bound(seed, l1_ratio):
    # Zou and Hastie (2005), theorem 1, for columns of length sqrt(n) and weights of one sign
    X, y = problem(seed)
    X /= X.std(axis=0)
    alpha, n = 0.1, len(y)
    w = ElasticNet(alpha, l1_ratio=l1_ratio).fit(X, y).coef_
    for i in range(6):
        for j in range(i):
            if w[i] * w[j] > 0:
                rho = X[:, i] @ X[:, j] / n
                bound = np.linalg.norm(y) * np.sqrt(2 * (1 - rho) / n) / (alpha * (1 - l1_ratio))
                assert abs(w[i] - w[j]) <= bound + 1e-9


# ----------------------------------------------------------------------------------------------------------- extremes


def test_a_duplicated_column():
    X, y = problem(7)
    twice = np.column_stack([X, X[:, 0]])
    ridge, net = Ridge(5.0).fit(twice, y).coef_, ElasticNet(0.05, l1_ratio=0.5).fit(twice, y).coef_
    assert_allclose([ridge[0], net[0]], [ridge[-1], net[-1]], rtol=1e-8)  # shared
    one, both = Lasso(0.05).fit(X, y), Lasso(0.05).fit(twice, y)
    assert_allclose(both.coef_[0] + both.coef_[-1], one.coef_[0], atol=1e-7)  # any share is a minimiser
    assert_allclose(both.predict(twice), one.predict(X), atol=1e-7)
    assert both.dual_gap_ < 1e-8
    assert_allclose(Ridge(0.0).fit(twice, y).predict(twice), Ridge(0.0).fit(X, y).predict(X), atol=1e-9)


@pytest.mark.parametrize("model", [Ridge(1.0), Ridge(0.0), Lasso(0.1), ElasticNet(0.1)])
def test_constant_column_gets_no_weight(model):
    X, y = problem(8)
    fit = clone(model).fit(np.column_stack([X, np.full(len(X), 7.0)]), y)
    assert fit.coef_[-1] == pytest.approx(0, abs=1e-12)
    assert_allclose(fit.coef_[:-1], clone(model).fit(X, y).coef_, atol=1e-9)
    assert not clone(model).fit(np.full((4, 2), 3.0), [1.0, 2.0, 3.0, 6.0]).coef_.any()


@pytest.mark.parametrize("model", [Ridge(1e-6), Ridge(0.0), Lasso(0.01), Lasso(0.0), ElasticNet(0.01)])
def test_fewer_rows_than_columns(model):
    X, y = problem(9, 10, 40)
    fit = model.fit(X, y)
    assert np.isfinite(fit.coef_).all()
    assert np.mean((fit.predict(X) - y) ** 2) < 0.05 * y.var()
    assert (Lasso(0.01).fit(X, y).coef_ != 0).sum() <= 10
    if model.alpha == 0:
        assert_allclose(fit.coef_, np.linalg.pinv(X) @ y, atol=1e-8)  # the shortest of all interpolating weights


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units(unit):
    X, y = problem(10)
    assert_allclose(Ridge(2.0 * unit**2).fit(unit * X, y).coef_, Ridge(2.0).fit(X, y).coef_ / unit, rtol=1e-8)
    scaled = Lasso(0.1 * unit).fit(unit * X, y)
    assert_allclose(scaled.coef_, Lasso(0.1).fit(X, y).coef_ / unit, rtol=1e-8)
    both = lasso_path(unit * X, unit * y, alphas=30)
    assert_allclose(both.coefs, lasso_path(X, y, alphas=30).coefs, rtol=1e-7, atol=1e-10)


def test_targets_without_anything_to_explain():
    X, _ = problem(11)
    zero = np.zeros(len(X))
    assert not Lasso(0.1).fit(X, zero + 4).coef_.any()
    assert_array_equal(lasso_path(X, zero, alphas=3).coefs, np.zeros((6, 3)))
    assert_array_equal(lasso_knots(X, zero).alphas, [0.0])
    assert elastic_net_gap(X, zero, np.zeros(6), 0.1) == 0
    assert coordinate_descent([[0.25]], [1.0], 0.5, [0.0])[0] == pytest.approx(2.0)  # (1 - 0.5) / 0.25
    assert coordinate_update([[0.1]], [1.0], [0.0], 0, 0.05) == pytest.approx(5.0)  # (0.1 - 0.05) / 0.01
    assert coordinate_update(np.zeros((3, 1)), [1.0, 2.0, 3.0], [5.0], 0, 0.1) == 0
    assert effective_degrees_of_freedom(np.column_stack([X, X]), 0.0) == 6


def test_a_set_that_does_not_settle_is_left_to_coordinate_descent(monkeypatch):
    X, y = problem(12, 30, 3)
    exact = Lasso(0.05).fit(X, y)
    monkeypatch.setattr(path, "active_set", lambda problem, w: None)
    assert_allclose(Lasso(0.05).fit(X, y).coef_, exact.coef_, atol=1e-9)
    assert Lasso(0.05).fit(X, y).n_iter_ > exact.n_iter_ == 1
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        model = Lasso(0.05, max_iter=2, tol=1e-9).fit(X, y)
    assert (model.n_iter_, model.dual_gap_ > 0) == (2, True)


@pytest.mark.parametrize("seed", range(5))
def test_each_step_towards_fixed_signs_lowers_the_objective(seed, monkeypatch):
    X, y = problem(seed, 30, 6)
    G, c, l1 = X.T @ X, X.T @ y, 0.3 * np.abs(X.T @ y).max()
    w = np.random.default_rng(seed).normal(size=6)  # with signs of which some are wrong
    values, solve = [], path._solve_active

    def watched(*arguments):
        values.append(w @ G @ w / 2 - c @ w + l1 * np.abs(w).sum())
        return solve(*arguments)

    monkeypatch.setattr(path, "_solve_active", watched)
    path._settle(path.GramProblem(G, c, l1), w, np.arange(6), np.sign(w), 0)
    assert len(values) > 2
    assert (np.diff(values) < 0).all()


def test_warning_starts_where_the_gap_exceeds_its_share(monkeypatch):
    X, y = problem(12, 30, 3)
    y += 7.0  # the bias explains this part: it is none of the targets' spread
    monkeypatch.setattr(path, "active_set", lambda problem, w: None)
    with pytest.warns(ConvergenceWarning, match="raise max_iter") as caught:
        gap = Lasso(0.05, max_iter=2, tol=0.0).fit(X, y).dual_gap_
    assert caught[0].filename == __file__
    share = gap / (np.mean((y - y.mean()) ** 2) / 2)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        Lasso(0.05, max_iter=2, tol=0.99 * share).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Lasso(0.05, max_iter=2, tol=1.01 * share).fit(X, y)


@pytest.mark.parametrize("name", ["Ridge", "Lasso", "ElasticNet"])
def test_defaults_are_those_of_scikit_learn(name):
    ours, theirs = globals()[name]().get_params(), getattr(peers, name)().get_params()
    assert ours == {parameter: theirs[parameter] for parameter in ours}


def test_default_strengths_of_the_paths_are_those_of_scikit_learn():
    X, y = problem(3, 20, 4)
    assert_allclose(lasso_path(X, y).alphas, peers.lasso_path(X, y)[0], rtol=1e-12)
    assert_allclose(enet_path(X, y).alphas, peers.enet_path(X, y)[0], rtol=1e-12)


def test_rounds_of_the_active_set_are_limited(monkeypatch):
    X, y = problem(12, 30, 6)
    monkeypatch.setattr(path, "ROUNDS", -11)  # one round for six columns
    assert path.active_set(path.GramProblem(X.T @ X, X.T @ y, 0.1), np.zeros(6)) is None


def test_knots_with_ties():
    root = np.linalg.cholesky([[1.0, 0.5], [0.5, 1.0]]).T
    knots = lasso_knots(root, root @ [2.0, 2.0])  # both columns enter together
    assert_allclose(knots.coefs[0], knots.coefs[1], atol=1e-12)
    assert_allclose(knots.at(0.5), Lasso(0.5, fit_intercept=False).fit(root, root @ [2.0, 2.0]).coef_, atol=1e-12)
    X, y = problem(0)
    copied = lasso_knots(np.column_stack([X, X]), y)
    assert_allclose(copied.coefs[:6] + copied.coefs[6:], lasso_knots(X, y).coefs, atol=1e-9)


def test_columns_that_are_equal_up_to_rounding_are_no_basis():
    A, s = np.array([0, 1]), np.array([1.0, 1.0])
    nearly = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-12]])  # has a Cholesky factor all the same
    assert path._solve_active(nearly, np.array([2.0, 2.0]), A, s, 0.5) is None
    assert_allclose(path._solve_active(np.eye(2), np.array([2.0, 3.0]), A, s, 0.5), [1.5, 2.5])


def test_knots_give_up_with_a_reason(monkeypatch):
    X, y = problem(0)
    monkeypatch.setattr(path, "LONGEST", 3)
    with pytest.raises(ValueError, match="more than 3 knots"):
        lasso_knots(X, y)
    monkeypatch.setattr(path, "COLLINEAR", 2.0)
    with pytest.raises(ValueError, match="X has collinear columns"):
        lasso_knots(X, y)


@pytest.mark.parametrize("copies", [2, 3])
def test_equal_columns_that_enter_together(copies):
    X, y = problem(13, 30, 4)
    many = np.column_stack([X] * copies)
    for alpha in [0.5, 0.05, 1e-4]:
        w = Lasso(alpha).fit(many, y).coef_
        assert_allclose(w.reshape(copies, 4).sum(axis=0), Lasso(alpha).fit(X, y).coef_, atol=1e-8)


WEIGHTED = [
    Ridge(2.0), Ridge(0.0), Ridge(2.0, fit_intercept=False), Lasso(0.1), Lasso(0.1, fit_intercept=False),
    ElasticNet(0.1, l1_ratio=0.3), ElasticNet(0.1, l1_ratio=0.0),
]  # fmt: skip


@pytest.mark.parametrize("model", WEIGHTED, ids=str)
@pytest.mark.parametrize("d", [4, 30])
def test_weights_are_repeated_rows(model, d):
    rng = np.random.default_rng(14)
    X, y, v = rng.normal(size=(24, d)), 3 + rng.normal(size=24), np.arange(24) % 4
    fit, repeated = clone(model).fit(X, y, v), clone(model).fit(np.repeat(X, v, axis=0), np.repeat(y, v))
    assert_allclose(fit.coef_, repeated.coef_, rtol=1e-9, atol=1e-11)
    assert fit.intercept_ == pytest.approx(repeated.intercept_, rel=1e-9)
    assert fit.score(X, y, v) == pytest.approx(repeated.score(np.repeat(X, v, axis=0), np.repeat(y, v)), rel=1e-9)
    assert np.abs(fit.coef_ - clone(model).fit(X, y).coef_).max() > 1e-3
    left_out = clone(model).fit(X[v > 0], y[v > 0], v[v > 0])
    assert_allclose(left_out.coef_, fit.coef_, rtol=1e-9, atol=1e-11)
    assert_allclose(clone(model).fit(X, y, np.ones(24)).coef_, clone(model).fit(X, y).coef_, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("model", [*WEIGHTED[:1], *WEIGHTED[2:6]], ids=str)
def test_weights_are_those_of_scikit_learn(model):
    X, y = problem(15)
    v = np.random.default_rng(15).exponential(size=40)
    peer = getattr(peers, type(model).__name__)(**model.get_params() | {"tol": 1e-14, "max_iter": 100_000})
    fit, theirs = clone(model).fit(X + 2, y + 3, v), peer.fit(X + 2, y + 3, v)
    assert_allclose(fit.coef_, theirs.coef_, rtol=1e-8, atol=1e-10)
    assert fit.intercept_ == pytest.approx(theirs.intercept_, rel=1e-8)
    assert getattr(fit, "dual_gap_", 0.0) == pytest.approx(0.0, abs=1e-12)


def test_a_factor_of_all_weights_weakens_ridge_only():
    X, y = problem(16)
    v = np.random.default_rng(16).exponential(size=40)
    assert_allclose(ElasticNet(0.1).fit(X, y, 5 * v).coef_, ElasticNet(0.1).fit(X, y, v).coef_, rtol=1e-10)
    assert_allclose(Ridge(5.0).fit(X, y, 5 * v).coef_, Ridge(1.0).fit(X, y, v).coef_, rtol=1e-10)


def test_the_gap_is_a_number_where_the_squares_of_the_weights_overflow():
    X, y = problem(17)
    fit, near = Lasso(1e139).fit(1e-10 * X, 1e150 * y), Lasso(0.1).fit(X, y)
    assert fit.dual_gap_ < 1e-9 * 1e300 * (y @ y)
    assert_allclose(fit.coef_, 1e160 * near.coef_, rtol=1e-9)


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("model", [Ridge(), Ridge(0.0), Lasso(), ElasticNet(), ElasticNet(l1_ratio=0.0)], ids=str)
@pytest.mark.parametrize("size", [1e154, 1e200, 1e306])
def test_data_whose_squares_overflow_are_refused(model, size):
    """They gave weights or gaps of NaN, or an error that named no argument."""
    X, y = problem(0)
    for sign in (-1, 1):
        with pytest.raises(ValueError, match=r"X is too large: with an entry of .* its squares may .*, rescale X"):
            model.fit(sign * X / np.abs(X).max() * size, y)
        with pytest.raises(ValueError, match=r"y is too large: with an entry of .* its squares may .*, rescale y"):
            model.fit(X, sign * y / np.abs(y).max() * size)
    for fine in (1e150, 1e-150):
        scaled = clone(model).set_params(alpha=0.01 * fine).fit(X, y * fine)
        assert np.isfinite(scaled.coef_).all()
        assert scaled.coef_.any()


@pytest.mark.parametrize("Model", [Ridge, Lasso, ElasticNet])
def test_bad_weights(Model):
    X, y = problem(0)
    for v, message in [
        (-np.ones(40), "sample_weight must not be negative, got -1"),
        (np.zeros(40), "sample_weight is zero for every row"),
        (np.ones(39), r"sample_weight must be a vector of shape \(40,\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            Model().fit(X, y, v)


@pytest.mark.parametrize("model", [Ridge(), Lasso(), ElasticNet()])
def test_check_estimator(model):
    check_estimator(model, on_skip=None)


@pytest.mark.parametrize("Model", [Ridge, Lasso, ElasticNet])
def test_bad_alpha(Model):
    X, y = problem(0)
    with pytest.raises(ValueError, match="alpha must be finite and at least 0"):
        Model(-1.0).fit(X, y)
    with pytest.raises(ValueError, match="alpha must be finite"):
        Model(np.nan).fit(X, y)
    with pytest.raises(TypeError, match="alpha must be a number"):
        Model("1").fit(X, y)


@pytest.mark.parametrize("Model", [Ridge, Lasso, ElasticNet])
def test_bad_data(Model):
    X, y = problem(0)
    with pytest.raises(ValueError, match="NaN"):
        Model().fit(np.where(np.arange(6) == 2, np.nan, X), y)
    with pytest.raises(ValueError, match="NaN"):
        Model().fit(X, np.where(np.arange(40) == 2, np.nan, y))
    with pytest.raises(ValueError, match="inconsistent"):
        Model().fit(X, y[1:])


@pytest.mark.parametrize("ratio", [-0.1, 1.1, np.nan])
def test_share_outside_0_and_1(ratio):
    X, y = problem(0)
    for call in (
        ElasticNet(l1_ratio=ratio).fit,
        lambda X, y: enet_path(X, y, l1_ratio=ratio),
        lambda X, y: elastic_net_objective(X, y, np.zeros(6), 1.0, ratio),
    ):
        with pytest.raises(ValueError, match="l1_ratio must"):
            call(X, y)


def test_other_bad_input():
    X, y = problem(0)
    for call, message in [
        (lambda: ridge_weights(X, y, -1.0), "alpha must"),
        (lambda: ridge_weights(X[:, 0], y, 1.0), "X must be a matrix"),
        (lambda: ridge_weights(X, y[:3], 1.0), "y must be a vector of shape"),
        (lambda: ridge_svd(X, y, [0.0]), "alphas must be positive"),
        (lambda: soft_threshold([np.nan], 1.0), "z must be finite"),
        (lambda: soft_threshold([1.0], -1.0), "t must not be negative, got -1"),
        (lambda: soft_threshold([1.0, 2.0], [0.5, -0.1]), "t must not be negative, got -0.1"),
        (lambda: soft_threshold([1.0], np.nan), "t must be finite"),
        (lambda: effective_degrees_of_freedom(X, -1.0), "alpha must"),
        (lambda: coordinate_update(X, y, [1.0], 0, 1.0), "w must be a vector"),
        (lambda: elastic_net_gap(X, y, np.zeros(6), 0.0), "alpha \\* l1_ratio must be positive"),
        (lambda: largest_alpha(X, y, 0.0), "l1_ratio must be positive"),
        (lambda: lasso_path(X, y, alphas=[-1.0, 2.0]), "alphas must not be negative, got -1"),
        (lambda: ridge_svd(X, y, [2.0, -3.0]), "alphas must be positive, got -3"),
        (lambda: lasso_path(X, y, alphas=0), "alphas must be at least 1"),
        (lambda: lasso_path(X, y, eps=0.0), "eps must be positive"),
        (lambda: lasso_knots(X, y, -0.1), "alpha_min must"),
        (lambda: Lasso(0.1, max_iter=0).fit(X, y), "max_iter must be at least 1"),
        (lambda: Lasso(0.1, tol=-1.0).fit(X, y), "tol must"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="t must hold numbers"):
        soft_threshold([1.0], "1")
    with pytest.raises(ValueError, match="features"):
        Ridge().fit(X, y).predict(X[:, :2])


@pytest.mark.parametrize("model", [Ridge(2.0), Lasso(0.1), ElasticNet(0.1)])
def test_clones_pickles_and_is_searched(model):
    X, y = problem(0)
    X.setflags(write=False)
    fit = clone(model).fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(fit)).predict(X), fit.predict(X))
    assert_allclose(clone(model).fit(np.asfortranarray(X)[::-1], y[::-1]).coef_, fit.coef_, rtol=1e-9, atol=1e-12)
    search = GridSearchCV(model, {"alpha": [0.01, 1e4]}, cv=4).fit(X, y)
    assert search.best_params_ == {"alpha": 0.01}

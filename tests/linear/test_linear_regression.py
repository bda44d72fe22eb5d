"""Linear regression: certified and published numbers, independent routes, laws, extremes, errors."""

import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
import sklearn.linear_model
import sklearn.preprocessing
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_cars, load_longley
from notes_lib.foundations.cross_validation import leave_one_out_residuals
from notes_lib.linear.linear_regression import (
    LinearRegression,
    PolynomialFeatures,
    SGDRegressor,
    add_intercept,
    breusch_pagan_test,
    f_test,
    hat_matrix,
    influence,
    least_squares_summary,
    leverages,
    normal_equations,
    prediction_intervals,
    regression_log_likelihood,
    squared_error,
    squared_error_gradient,
    squared_error_hessian,
    variance_inflation_factors,
)
from notes_lib.numerics import BLOCK, central_difference

# NIST Statistical Reference Datasets, Norris: data and certified values
NORRIS_X = [0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0,
            447.5, 11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3,
            229.2, 669.1, 448.9, 0.5]  # fmt: skip
NORRIS_Y = [0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3,
            448.9, 10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6,
            228.9, 668.4, 449.2, 0.2]  # fmt: skip
# NIST Statistical Reference Datasets, Longley: certified estimates and their standard deviations
LONGLEY = [-3482258.63459582, 15.0618722713733, -0.0358191792925910, -2.02022980381683, -1.03322686717359,
           -0.0511041056535807, 1829.15146461355]  # fmt: skip
LONGLEY_SD = [890420.383607373, 84.9149257747669, 0.0334910077722432, 0.488399681651699, 0.214274163161675,
              0.226073200069370, 455.478499142212]  # fmt: skip


def problem(seed, n=40, d=3, noise=1.0):
    """A design with ones and correlated features, and noisy targets."""
    rng = np.random.default_rng(seed)
    X = add_intercept(rng.normal(size=(n, d)) @ (np.eye(d) + 0.5 * rng.normal(size=(d, d))) + 2)
    return X, X @ rng.normal(size=d + 1) + noise * rng.normal(size=n)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("linear-regression-normal", "linear-regression-covariance", "linear-regression-r2")
def test_norris_certified():
    X = add_intercept(np.array(NORRIS_X)[:, None])
    fit = least_squares_summary(X, NORRIS_Y)
    assert_allclose(fit.params, [-0.262323073774029, 1.00211681802045], rtol=1e-10)
    assert_allclose(fit.bse, [0.232818234301152, 0.000429796848199937], rtol=1e-10)
    assert_allclose(np.sqrt(fit.scale), 0.884796396144373, rtol=1e-10)
    assert_allclose([fit.rsquared, fit.ssr], [0.999993745883712, 26.6173985294224], rtol=1e-10)
    model = LinearRegression().fit(X[:, 1:], NORRIS_Y)
    assert_allclose([model.intercept_, *model.coef_], [-0.262323073774029, 1.00211681802045], rtol=1e-10)


@pytest.mark.equation("linear-regression-covariance", "linear-regression-sigma", "linear-regression-f")
def test_longley_certified():
    data = load_longley()
    fit = least_squares_summary(add_intercept(data.X), data.y)
    assert_allclose(fit.params, LONGLEY, rtol=1e-9)
    assert_allclose(fit.bse, LONGLEY_SD, rtol=1e-9)
    assert_allclose(np.sqrt(fit.scale), 304.854073561965, rtol=1e-10)
    assert_allclose(fit.rsquared, 0.995479004577296, rtol=1e-12)
    assert_allclose(fit.fvalue, 330.285339234588, rtol=1e-9)
    assert fit.df_resid == 9
    model = LinearRegression().fit(data.X, data.y)
    assert_allclose([model.intercept_, *model.coef_], LONGLEY, rtol=2e-12)  # centred columns: three digits more


def test_longley_with_the_deflator_as_target():
    # R's summary(lm(deflator ~ ., longley)), as the tests of the library Smile print it; R's data are in other units
    raw = load_longley()
    units = np.array([1000.0, 10.0, 10.0, 1000.0, 1.0])
    X = add_intercept(np.column_stack([raw.X[:, 1:] / units, raw.y / 1000]))
    fit = least_squares_summary(X, raw.X[:, 0])
    assert_allclose(fit.params, [2946.85636, 0.26353, 0.03648, 0.01116, -1.73703, -1.4188, 0.23129], rtol=5e-4)
    assert_allclose(fit.bse, [5647.97658, 0.10815, 0.03024, 0.01545, 0.67382, 2.9446, 1.30394], rtol=5e-4)
    assert_allclose([fit.ssr, np.sqrt(fit.scale)], [12.844, 1.1946], atol=5e-4)
    assert_allclose([fit.rsquared, fit.rsquared_adj], [0.9926, 0.9877], atol=5e-5)
    assert_allclose(fit.fvalue, 202.5094, atol=5e-5)


def test_cars_as_r_prints_them():
    data = load_cars()
    fit = least_squares_summary(add_intercept(data.X), data.y)
    assert_allclose(fit.params, [-17.5791, 3.9324], atol=5e-5)
    assert_allclose(fit.bse, [6.7584, 0.4155], atol=5e-5)
    assert_allclose([np.sqrt(fit.scale), fit.rsquared, fit.rsquared_adj], [15.38, 0.6511, 0.6438], atol=5e-3)
    assert_allclose(fit.fvalue, 89.57, atol=5e-3)
    assert_allclose(fit.pvalues, [0.0123, 1.49e-12], rtol=0.01)
    found = regression_log_likelihood(fit.params, fit.ssr / 50, add_intercept(data.X), data.y)
    assert_allclose(2 * 3 - 2 * found, 419.1569, atol=5e-5)  # R's AIC counts the variance too
    assert_allclose(np.log(50) * 3 - 2 * found, 424.8929, atol=5e-5)


@pytest.mark.equation("linear-regression-r2")
def test_adjusted_r_squared_compares_variances():
    # 1 - s^2 / (variance of y), about the mean with a constant and about 0 without one
    X, y = problem(3)
    for design, total in ((X, np.var(y, ddof=1)), (X[:, 1:], y @ y / len(y))):
        fit = least_squares_summary(design, y)
        assert_allclose(fit.rsquared_adj, 1 - fit.scale / total, rtol=1e-12)


def test_anscombe():
    # Anscombe (1973): four data sets, one line; R prints 3.0000909 and 0.5000909 for the first one
    x = np.array([10.0, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5])
    x4 = np.array([8.0] * 7 + [19.0] + [8.0] * 3)
    y1 = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    y2 = [9.14, 8.14, 8.74, 8.77, 9.26, 8.1, 6.13, 3.1, 9.13, 7.26, 4.74]
    y3 = [7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73]
    y4 = [6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.5, 5.56, 7.91, 6.89]
    printed = [(3.0000909, 0.5000909), (3.000909, 0.5), (3.0024545, 0.4997273), (3.0017273, 0.4999091)]
    for (a, b), features, y in zip(printed, [x, x, x, x4], [y1, y2, y3, y4], strict=True):
        fit = least_squares_summary(add_intercept(features[:, None]), y)
        assert_allclose(fit.params, [a, b], atol=1e-6)
        assert_allclose(fit.rsquared, 0.67, atol=0.005)
    assert_allclose(leverages(add_intercept(x4[:, None]))[7], 1.0, rtol=1e-12)  # 1/11 + (19 - 9)^2 / 110


# ------------------------------------------------------------------------------------------------------------- oracle


def exact(X, y):
    """Weights, residual sum of squares and diagonal of (X'X)^-1 in fractions."""
    X = [[Fraction(str(v)) for v in row] for row in X.tolist()]
    y = [Fraction(str(v)) for v in y.tolist()]
    d = len(X[0])
    rows = [
        [sum(r[i] * r[j] for r in X) for j in range(d)]
        + [sum(r[i] * t for r, t in zip(X, y, strict=True))]
        + [Fraction(int(i == j)) for j in range(d)]
        for i in range(d)
    ]
    for i in range(d):
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k in range(d):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    w = [row[d] for row in rows]
    rss = sum((t - sum(a * b for a, b in zip(r, w, strict=True))) ** 2 for r, t in zip(X, y, strict=True))
    return w, rss, [rows[i][d + 1 + i] for i in range(d)]


def test_exact_arithmetic_gives_all_certified_digits():
    data = load_longley()
    w, rss, inverse = exact(add_intercept(data.X), data.y)
    assert [f"{float(v):.14e}" for v in w] == [f"{v:.14e}" for v in LONGLEY]
    sd = [float(rss / 9 * v) ** 0.5 for v in inverse]
    assert_allclose(sd, LONGLEY_SD, rtol=2e-15)


@pytest.mark.equation("linear-regression-loss", "linear-regression-gradient", "linear-regression-hessian")
@pytest.mark.parametrize(("convention", "factor"), [("sum", 1.0), ("half", 0.5), ("mean", 1 / 40)])
def test_gradient_and_hessian_by_finite_differences(convention, factor):
    X, y = problem(0)
    w = np.array([0.3, -0.2, 0.5, 1.0])
    assert_allclose(squared_error(w, X, y, convention), factor * np.sum((y - X @ w) ** 2), rtol=1e-13)
    gradient = squared_error_gradient(w, X, y, convention)
    assert_allclose(central_difference(lambda v: squared_error(v, X, y, convention), w), gradient, rtol=1e-6)
    H = squared_error_hessian(X, convention)
    for i, e in enumerate(np.eye(4)):
        slope = central_difference(lambda v, e=e: float(e @ squared_error_gradient(v, X, y, convention)), w)
        assert_allclose(slope, H[i], rtol=1e-6, atol=1e-6)


@pytest.mark.equation("linear-regression-normal", "linear-regression-weighted")
@pytest.mark.equation("linear-regression-model", "linear-regression-intercept")
@pytest.mark.parametrize("seed", range(4))
def test_all_solvers_agree(seed):
    X, y = problem(seed, d=2 + seed)
    v = np.random.default_rng(seed).uniform(0.2, 3, len(y))
    for weights in (None, v):
        w = normal_equations(X, y, weights)
        root = np.sqrt(np.ones(len(y)) if weights is None else weights)
        assert_allclose(w, np.linalg.lstsq(root[:, None] * X, root * y, rcond=None)[0], rtol=1e-9)
        model = LinearRegression().fit(X[:, 1:], y, weights)
        assert_allclose([model.intercept_, *model.coef_], w, rtol=1e-9)
        peer = sklearn.linear_model.LinearRegression().fit(X[:, 1:], y, weights)
        assert_allclose(model.coef_, peer.coef_, rtol=1e-9)
        assert_allclose(model.predict(X[:, 1:]), peer.predict(X[:, 1:]), rtol=1e-9)
        assert_allclose(model.singular_, peer.singular_, rtol=1e-9)
        assert model.rank_ == peer.rank_
        without = LinearRegression(fit_intercept=False).fit(X[:, 1:], y, weights)
        peer = sklearn.linear_model.LinearRegression(fit_intercept=False).fit(X[:, 1:], y, weights)
        assert_allclose(without.coef_, peer.coef_, rtol=1e-9)
        assert without.intercept_ == 0.0


@pytest.mark.equation("linear-regression-shortest")
@pytest.mark.parametrize(("n", "d", "rank"), [(6, 9, None), (30, 6, 4), (5, 5, 3), (40, 3, 0)])
def test_shortest_weights_as_scikit_learn(n, d, rank):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d)) if rank is None else rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d))
    Y = rng.normal(size=(n, 2))
    ours, peer = LinearRegression().fit(X, Y), sklearn.linear_model.LinearRegression().fit(X, Y)
    assert_allclose(ours.coef_, peer.coef_, rtol=1e-8, atol=1e-10)
    assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-8, atol=1e-10)
    assert ours.rank_ == np.linalg.matrix_rank(X - X.mean(axis=0), tol=1e-9)
    one = LinearRegression().fit(X, Y[:, 0])
    assert_allclose(one.coef_, ours.coef_[0], rtol=1e-9, atol=1e-12)


def test_units_do_not_decide_the_rank():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 3))
    y = X @ [1.0, 2.0, 3.0] + 4
    scale = np.array([1e-12, 1.0, 1e12])
    model = LinearRegression().fit(X * scale, y)
    assert model.rank_ == 3
    assert_allclose(model.coef_ * scale, [1, 2, 3], rtol=1e-9)


@pytest.mark.equation("linear-regression-t", "linear-regression-f", "linear-regression-slope")
def test_one_feature_as_scipy():
    X, y = problem(2, d=1)
    fit, peer = least_squares_summary(X, y), scipy.stats.linregress(X[:, 1], y)
    assert_allclose(fit.params, [peer.intercept, peer.slope], rtol=1e-10)
    assert_allclose(fit.bse, [peer.intercept_stderr, peer.stderr], rtol=1e-10)
    assert_allclose(fit.pvalues[1], peer.pvalue, rtol=1e-8)
    assert_allclose(fit.rsquared, peer.rvalue**2, rtol=1e-10)
    assert_allclose(fit.fvalue, fit.tvalues[1] ** 2, rtol=1e-9)
    assert_allclose(fit.f_pvalue, fit.pvalues[1], rtol=1e-8)


@pytest.mark.equation("linear-regression-f")
def test_f_test_is_an_analysis_of_variance():
    rng = np.random.default_rng(3)
    groups = [rng.normal(loc=m, size=n) for m, n in [(0, 5), (0.5, 8), (1, 7)]]
    member = np.repeat(np.arange(3), [5, 8, 7])
    X = (member[:, None] == np.arange(3)).astype(float)
    found, peer = f_test(np.ones((20, 1)), X, np.concatenate(groups)), scipy.stats.f_oneway(*groups)
    assert_allclose(found, [peer.statistic, peer.pvalue], rtol=1e-9)
    X, y = problem(4)
    fit = least_squares_summary(X, y)
    assert_allclose(f_test(np.ones((40, 1)), X, y), [fit.fvalue, fit.f_pvalue], rtol=1e-9)
    assert_allclose(f_test(X[:, :3], X, y).statistic, fit.tvalues[3] ** 2, rtol=1e-9)


@pytest.mark.equation("linear-regression-covariance", "linear-regression-sigma")
def test_covariance_by_the_inverse():
    X, y = problem(5)
    v = np.random.default_rng(5).uniform(0.5, 2, len(y))
    fit = least_squares_summary(X, y, v)
    w = np.linalg.solve(X.T @ np.diag(v) @ X, X.T @ (v * y))
    scale = np.sum(v * (y - X @ w) ** 2) / (len(y) - 4)
    assert_allclose(fit.cov_params, scale * np.linalg.inv(X.T @ np.diag(v) @ X), rtol=1e-9, atol=1e-12)
    mean = np.average(y, weights=v)
    r2 = 1 - np.sum(v * (y - X @ w) ** 2) / np.sum(v * (y - mean) ** 2)
    assert_allclose(fit.rsquared, r2, rtol=1e-10)
    assert_allclose(1 - fit.rsquared_adj, (1 - r2) * 39 / 36, rtol=1e-10)
    uncentred = least_squares_summary(X[:, 1:], y)
    assert_allclose(uncentred.rsquared, 1 - uncentred.ssr / np.sum(y**2), rtol=1e-12)


@pytest.mark.equation("linear-regression-covariance")
def test_covariance_over_many_draws():
    X, _ = problem(6, n=12, d=2)
    w, sigma, draws = np.array([1.0, -2.0, 0.5]), 0.7, 20_000
    Y = (X @ w)[:, None] + sigma * np.random.default_rng(6).normal(size=(12, draws))
    found = np.cov(np.linalg.lstsq(X, Y, rcond=None)[0])
    expected = sigma**2 * np.linalg.inv(X.T @ X)
    spread = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / draws)
    assert (np.abs(found - expected) < 4 * spread).all()


@pytest.mark.equation("linear-regression-confidence", "linear-regression-prediction")
def test_intervals_by_the_textbook_formula():
    X, y = problem(7, n=15, d=1)
    x = X[:, 1]
    fit = least_squares_summary(X, y)
    s, sxx, t = np.sqrt(fit.scale), np.sum((x - x.mean()) ** 2), scipy.stats.t.ppf(0.95, 13)
    at = np.array([0.0, 2.5])
    found = prediction_intervals(X, y, add_intercept(at[:, None]), level=0.9)
    half = t * s * np.sqrt(1 / 15 + (at - x.mean()) ** 2 / sxx)
    assert_allclose(found.confidence, np.column_stack([found.mean - half, found.mean + half]), rtol=1e-9)
    half = t * s * np.sqrt(1 + 1 / 15 + (at - x.mean()) ** 2 / sxx)
    assert_allclose(found.prediction, np.column_stack([found.mean - half, found.mean + half]), rtol=1e-9)


def test_intervals_cover_as_often_as_they_say():
    rng = np.random.default_rng(8)
    X, new = add_intercept(rng.normal(size=(8, 1))), np.array([[1.0, 1.5]])
    hits = np.zeros(2)
    for _ in range(2000):
        y = X @ [1.0, 2.0] + rng.normal(size=8)
        found, target = prediction_intervals(X, y, new, level=0.8), 4.0 + rng.normal()
        hits += [abs(4.0 - found.mean[0]) < np.ptp(found.confidence) / 2,
                 abs(target - found.mean[0]) < np.ptp(found.prediction) / 2]  # fmt: skip
    assert (np.abs(hits / 2000 - 0.8) < 4 * np.sqrt(0.16 / 2000)).all()


@pytest.mark.equation("linear-regression-hat", "linear-regression-leverage")
def test_hat_matrix_and_leverages():
    X, y = problem(9)
    H = hat_matrix(X)
    assert_allclose(H, X @ np.linalg.inv(X.T @ X) @ X.T, atol=1e-10)
    assert_allclose(np.diag(H), leverages(X), rtol=1e-10)
    assert_allclose(H @ y, X @ normal_equations(X, y), rtol=1e-9)
    assert_array_equal(H, H.T)
    twice = hat_matrix(np.column_stack([X, X]))  # dependent columns span the same space
    assert_allclose(twice, H, atol=1e-10)


@pytest.mark.equation("linear-regression-standardized", "linear-regression-studentized", "linear-regression-cook")
def test_influence_by_leaving_each_row_out():
    X, y = problem(10, n=14, d=2)
    found = influence(X, y)
    fit = least_squares_summary(X, y)
    gone = leave_one_out_residuals(found.residuals, found.leverages)
    for i in range(14):
        keep = np.arange(14) != i
        w = np.linalg.lstsq(X[keep], y[keep], rcond=None)[0]
        shift = X @ (w - fit.params)
        scale = np.sum((y[keep] - X[keep] @ w) ** 2) / (13 - 3)
        assert_allclose(gone[i], y[i] - X[i] @ w, rtol=1e-8)
        assert_allclose(found.cooks_distance[i], shift @ shift / (3 * fit.scale), rtol=1e-8)
        h = X[i] @ np.linalg.inv(X.T @ X) @ X[i]
        assert_allclose(found.standardized[i], (y[i] - X[i] @ fit.params) / np.sqrt(fit.scale * (1 - h)), rtol=1e-8)
        assert_allclose(found.studentized[i], (y[i] - X[i] @ fit.params) / np.sqrt(scale * (1 - h)), rtol=1e-7)


@pytest.mark.equation("linear-regression-vif")
def test_inflation_by_regressing_each_feature_on_the_others():
    X = load_longley().X
    found = variance_inflation_factors(X)
    for j in range(6):
        others = add_intercept(np.delete(X, j, axis=1))
        assert_allclose(found[j], 1 / (1 - least_squares_summary(others, X[:, j]).rsquared), rtol=1e-6)


@pytest.mark.equation("linear-regression-breusch-pagan")
def test_uneven_noise_is_found_and_even_noise_passes():
    rng = np.random.default_rng(11)
    X = add_intercept(rng.uniform(1, 3, size=(200, 2)))
    y = X @ [1.0, 1, 1] + X[:, 1] * rng.normal(size=200)
    found = breusch_pagan_test(X, y)
    residual = y - X @ np.linalg.lstsq(X, y, rcond=None)[0]
    squares = residual**2
    r2 = sklearn.linear_model.LinearRegression().fit(X[:, 1:], squares).score(X[:, 1:], squares)
    assert_allclose(found, [200 * r2, scipy.stats.chi2.sf(200 * r2, 2)], rtol=1e-8)
    assert found.p_value < 0.01
    p = [breusch_pagan_test(X, rng.normal(size=200)).p_value for _ in range(400)]
    assert abs(np.mean(np.array(p) < 0.1) - 0.1) < 4 * np.sqrt(0.09 / 400)


@pytest.mark.equation("linear-regression-likelihood")
def test_likelihood_as_scipy_and_largest_at_least_squares():
    X, y = problem(12)
    fit = least_squares_summary(X, y)
    best = fit.ssr / len(y)
    found = regression_log_likelihood(fit.params, best, X, y)
    assert_allclose(found, scipy.stats.norm(X @ fit.params, np.sqrt(best)).logpdf(y).sum(), rtol=1e-12)

    def at(v):
        return regression_log_likelihood(v[:4], v[4], X, y)

    assert_allclose(central_difference(at, np.append(fit.params, best)), 0, atol=1e-5)
    assert at(np.append(fit.params, fit.scale)) < found  # the unbiased variance is not the likeliest


@pytest.mark.equation("linear-regression-sgd")
@pytest.mark.parametrize("rate", ["constant", "invscaling"])
@pytest.mark.parametrize("intercept", [True, False])
def test_sgd_step_by_step_as_scikit_learn(rate, intercept):
    X, y = problem(13, n=30)
    Z = (X[:, 1:] - X[:, 1:].mean(axis=0)) / X[:, 1:].std(axis=0)
    kw = {"learning_rate": rate, "max_iter": 3, "tol": None, "shuffle": False, "fit_intercept": intercept}
    peer = sklearn.linear_model.SGDRegressor(penalty=None, **kw).fit(Z, y)
    ours = SGDRegressor(**kw).fit(Z, y)
    assert_allclose(ours.coef_, peer.coef_, rtol=1e-10)
    assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-10)
    assert_allclose(ours.predict(Z), peer.predict(Z), rtol=1e-9)
    assert ours.t_ == peer.t_
    mean = sklearn.linear_model.SGDRegressor(penalty=None, average=True, **kw).fit(Z, y)
    assert_allclose(SGDRegressor(average=True, **kw).fit(Z, y).coef_, mean.coef_, rtol=1e-9)


@pytest.mark.equation("linear-regression-sgd")
def test_one_batch_of_all_rows_is_gradient_descent():
    X, y = problem(14, n=30)
    model = SGDRegressor(learning_rate="constant", eta0=0.02, batch_size=30, max_iter=5, tol=None, random_state=0)
    w = np.zeros(4)
    for _ in range(5):
        w -= 0.02 * squared_error_gradient(w, X, y, "mean") / 2
    model.fit(X[:, 1:], y)
    assert_allclose([*model.intercept_, *model.coef_], w, rtol=1e-10)
    assert_allclose(model.objective_[-1], squared_error(w, X, y, "mean") / 2, rtol=1e-10)
    assert model.n_iter_ == len(model.objective_) == 5
    long = SGDRegressor(eta0=0.1, batch_size=7, learning_rate="constant", tol=None, random_state=0, average=True)
    Z = (X[:, 1:] - X[:, 1:].mean(axis=0)) / X[:, 1:].std(axis=0)
    exact_fit = LinearRegression().fit(Z, y)
    assert_allclose(long.fit(Z, y).coef_, exact_fit.coef_, atol=0.05)


def test_partial_fit_goes_on_where_it_stopped():
    X, y = problem(15, n=20)
    kw = {"shuffle": False, "tol": None}
    steps = SGDRegressor(**kw)
    for _ in range(3):
        steps.partial_fit(X[:, 1:], y)
    whole = SGDRegressor(max_iter=3, **kw).fit(X[:, 1:], y)
    assert_allclose(steps.coef_, whole.coef_, rtol=1e-12)
    assert_allclose(steps.objective_, whole.objective_, rtol=1e-12)
    assert steps.n_iter_ == 3
    again = SGDRegressor(random_state=3).fit(X[:, 1:], y).partial_fit(X[:, 1:], y)
    assert again.t_ == 20 * again.n_iter_ + 1


@pytest.mark.equation("linear-regression-monomials")
@pytest.mark.parametrize("degree", [0, 1, 2, 4, (2, 3), (0, 2), (1, 1)])
@pytest.mark.parametrize("interaction", [True, False])
def test_polynomials_as_scikit_learn(degree, interaction):
    X = np.random.default_rng(16).normal(size=(7, 3))
    kw = {"degree": degree, "interaction_only": interaction}
    for bias in (True,) if degree == 0 else (True, False):
        ours = PolynomialFeatures(include_bias=bias, **kw).fit(X)
        peer = sklearn.preprocessing.PolynomialFeatures(include_bias=bias, **kw).fit(X)
        assert_array_equal(ours.powers_, peer.powers_)
        assert_allclose(ours.transform(X), peer.transform(X), rtol=1e-13)
        assert ours.get_feature_names_out().tolist() == peer.get_feature_names_out().tolist()
        assert ours.n_output_features_ == peer.n_output_features_


# --------------------------------------------------------------------------------------------------------------- laws


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_geometry(seed, d):
    X, y = problem(seed, n=20, d=d)
    model = LinearRegression().fit(X[:, 1:], y)
    fitted = model.predict(X[:, 1:])
    assert_allclose(X.T @ (y - fitted), 0, atol=1e-9 * np.abs(X).max() * np.abs(y).max() * 20)
    parts = np.sum((fitted - y.mean()) ** 2), np.sum((y - fitted) ** 2)
    assert_allclose(sum(parts), np.sum((y - y.mean()) ** 2), rtol=1e-9)
    assert_allclose(model.score(X[:, 1:], y), least_squares_summary(X, y).rsquared, rtol=1e-8, atol=1e-10)
    h = leverages(X)
    assert_allclose(h.sum(), d + 1, rtol=1e-9)
    assert (h >= 1 / 20 - 1e-12).all()
    assert (h <= 1 + 1e-12).all()
    assert (variance_inflation_factors(X[:, 1:]) >= 1 - 1e-12).all() if d > 1 else True


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_an_orthonormal_column_moves_no_other_weight(seed, d):
    X, y = problem(seed, n=20, d=d)
    z = np.random.default_rng([seed, 1]).normal(size=20)
    z -= X @ np.linalg.lstsq(X, z, rcond=None)[0]
    z /= np.linalg.norm(z)
    small, large = least_squares_summary(X, y), least_squares_summary(np.column_stack([X, z]), y)
    assert_allclose(large.params[:-1], small.params, rtol=1e-7, atol=1e-8)
    assert_allclose(large.params[-1], z @ y, rtol=1e-7, atol=1e-8)
    assert_allclose(small.ssr - large.ssr, (z @ y) ** 2, rtol=1e-6, atol=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_equivariance(seed):
    X, y = problem(seed)
    rng = np.random.default_rng(seed)
    A, order = rng.normal(size=(3, 3)) + 3 * np.eye(3), rng.permutation(40)
    plain = LinearRegression().fit(X[:, 1:], y)
    mapped = LinearRegression().fit(X[order, 1:] @ A + 5, y[order])
    assert_allclose(A @ mapped.coef_, plain.coef_, rtol=1e-7, atol=1e-8)
    shifted = LinearRegression().fit(X[:, 1:], 3 * y + X[:, 1] - 2)
    assert_allclose(shifted.coef_, 3 * plain.coef_ + [1, 0, 0], rtol=1e-8, atol=1e-9)
    counts = rng.integers(0, 4, 40)
    weighted = LinearRegression().fit(X[:, 1:], y, counts)
    repeated = LinearRegression().fit(np.repeat(X[:, 1:], counts, axis=0), np.repeat(y, counts))
    assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-7, atol=1e-8)


def test_estimator_contract():
    for model in [LinearRegression(), LinearRegression(fit_intercept=False), PolynomialFeatures()]:
        check_estimator(model, on_skip=None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # some of the checks do not standardise
        check_estimator(SGDRegressor(random_state=0), on_skip=None)
    X, y = problem(17)
    model = LinearRegression().fit(X, y)
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert clone(SGDRegressor(eta0=0.5)).get_params()["eta0"] == 0.5
    pipe = make_pipeline(PolynomialFeatures(include_bias=False), LinearRegression())
    search = GridSearchCV(pipe, {"polynomialfeatures__degree": [1, 2, 3]}, cv=4).fit(X[:, 1:2], X[:, 1] ** 2)
    assert search.best_params_ == {"polynomialfeatures__degree": 2}


# ----------------------------------------------------------------------------------------------------------- extremes


def test_far_from_the_origin_keeps_its_digits():
    X, y = problem(18, n=3 * BLOCK)
    near, far = LinearRegression().fit(X[:, 1:], y), LinearRegression().fit(X[:, 1:] + 1e6, y + 1e6)
    assert_allclose(far.coef_, near.coef_, rtol=1e-7)
    same = LinearRegression().fit(np.asfortranarray(X[:, 1:]), y)
    assert_allclose(same.coef_, near.coef_, rtol=1e-12)
    single = LinearRegression().fit(X[:, 1:].astype(np.float32), y.astype(np.float32))
    assert_allclose(single.coef_, near.coef_, rtol=1e-3)


def test_the_data_are_left_as_they_are():
    X, y = problem(19)
    X, before = X[:, 1:].copy(), X[:, 1:].copy()
    for intercept in (True, False):
        LinearRegression(fit_intercept=intercept).fit(X, y, np.arange(40.0))
        assert_array_equal(X, before)


def test_a_constant_column_gets_no_weight():
    X, y = problem(20)
    X[:, 1] = 0.1 + 1e6
    model = LinearRegression().fit(X[:, 1:], y)
    assert model.coef_[0] == 0
    assert model.rank_ == 2


def test_tiny_and_huge_columns():
    X, y = problem(21)
    for scale in (1e-200, 1e150):
        assert_allclose(LinearRegression().fit(scale * X[:, 1:], y).coef_ * scale,
                        LinearRegression().fit(X[:, 1:], y).coef_, rtol=1e-9)  # fmt: skip


def test_data_out_of_the_range_of_floats_are_refused():
    """The mean of such numbers is infinite: the weights were 0 or NaN without a word."""
    X, y = problem(21)
    X, y = 1 + np.abs(X[:, 1:]), 1 + np.abs(y)
    for intercept in (True, False):
        model = LinearRegression(fit_intercept=intercept)
        with pytest.raises(ValueError, match=r"X is too large: with an entry of 1.5e\+308 its sum .*, rescale X"):
            model.fit(X / X.max() * 1.5e308, y)
        with pytest.raises(ValueError, match=r"y is too large: with an entry of 1.5e\+308 its sum .*, rescale y"):
            model.fit(X, y / y.max() * 1.5e308)
        with pytest.raises(ValueError, match=r"X is too small beside y: .* rescale X or y"):
            model.fit(X * 1e-200, y * 1e200)
        assert_allclose(model.fit(X * 1e250, y).coef_ * 1e250, model.fit(X, y).coef_, rtol=1e-9)


def test_an_exact_fit_has_infinite_statistics():
    X = add_intercept(np.arange(5.0)[:, None])
    fit = least_squares_summary(X[:, :1] * 0 + X, np.zeros(5))
    assert np.isnan(fit.rsquared)
    assert np.isnan(f_test(X[:, :1], X, np.zeros(5)).statistic)
    assert np.isnan(least_squares_summary(np.ones((4, 1)), [1.0, 2, 3, 5]).fvalue)


# ------------------------------------------------------------------------------------------------------------- errors


def test_collinear_columns_are_named():
    X, y = problem(22)
    twice = np.column_stack([X, X[:, 1] - X[:, 2]])
    for f in (least_squares_summary, influence, breusch_pagan_test):
        with pytest.raises(ValueError, match="column 4 is 0 or a combination"):
            f(twice, y)
    with pytest.raises(ValueError, match="column 4 is 0 or a combination"):
        leverages(twice)
    with pytest.raises(ValueError, match="column 4 is 0 or a combination"):
        variance_inflation_factors(twice[:, 1:])
    with pytest.raises(ValueError, match="singular"):
        normal_equations(twice, y)
    assert LinearRegression().fit(twice[:, 1:], y).rank_ == 3  # the estimator takes the shortest weights


def test_fewer_rows_than_columns():
    X, y = problem(23, n=4, d=5)
    for f in (least_squares_summary, breusch_pagan_test):
        with pytest.raises(ValueError, match="more rows than columns"):
            f(X, y)
    for square in (np.column_stack([X[:, :3], X[:, 1] ** 2]), X[:, :4]):  # as many: nothing is left for the noise
        with pytest.raises(ValueError, match="more rows than columns to estimate the noise, got 4 x 4"):
            least_squares_summary(square, y)
    with pytest.raises(ValueError, match="more rows than columns"):
        variance_inflation_factors(X[:, 1:])
    with pytest.raises(ValueError, match="at least two more rows"):
        influence(X, y)
    with pytest.raises(ValueError, match="fewer rows than columns"):
        leverages(X)
    assert_allclose(LinearRegression().fit(X[:, 1:], y).predict(X[:, 1:]), y, atol=1e-10)  # interpolates


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan(bad):
    X, y = problem(24)
    holed, target = X.copy(), y.copy()
    holed[3, 1] = target[2] = bad
    for model in (LinearRegression(), SGDRegressor()):
        with pytest.raises(ValueError, match=r"NaN|inf"):
            model.fit(holed, y)
        with pytest.raises(ValueError, match=r"NaN|inf"):
            model.fit(X, target)
    for f in (least_squares_summary, normal_equations, influence):
        with pytest.raises(ValueError, match="X must be finite"):
            f(holed, y)
        with pytest.raises(ValueError, match="y must be finite"):
            f(X, target)
    with pytest.raises(ValueError, match="sample_weight must be finite"):
        LinearRegression().fit(X, y, target)


def test_bad_weights():
    X, y = problem(25)
    v = np.ones(40)
    v[7] = -0.5
    for f in (LinearRegression().fit, normal_equations, least_squares_summary):
        with pytest.raises(ValueError, match=r"sample_weight must not be negative, got -0.5: remove"):
            f(X, y, v)
        with pytest.raises(ValueError, match="sample_weight is zero for every row"):
            f(X, y, np.zeros(40))
        with pytest.raises(ValueError, match="sample_weight must be a vector"):
            f(X, y, np.ones(39))
    with pytest.raises(ValueError, match="sample_weight must be positive here"):
        least_squares_summary(X, y, np.maximum(v, 0))
    assert_allclose(LinearRegression().fit(X, y, 2.0).coef_, LinearRegression().fit(X, y).coef_, rtol=1e-12)


def test_bad_arguments():
    X, y = problem(26)
    with pytest.raises(ValueError, match="convention must be one of"):
        squared_error(np.zeros(4), X, y, "third")
    with pytest.raises(ValueError, match="w must have shape"):
        squared_error_gradient(np.zeros(3), X, y)
    with pytest.raises(ValueError, match="y must be a vector"):
        normal_equations(X, y[:-1])
    with pytest.raises(ValueError, match="sigma2 must be positive"):
        regression_log_likelihood(np.zeros(4), 0.0, X, y)
    with pytest.raises(ValueError, match="X_small must be nested"):
        f_test(X[:, [0]] + X[:, [1]] ** 2, X, y)
    with pytest.raises(ValueError, match="X_small must be nested"):
        f_test(X, X, y)
    with pytest.raises(ValueError, match="X_new must have shape"):
        prediction_intervals(X, y, X[:, :2])
    with pytest.raises(ValueError, match="level"):
        prediction_intervals(X, y, X, level=1.0)
    with pytest.raises(ValueError, match="at least two features"):
        variance_inflation_factors(X[:, :1])
    with pytest.raises(ValueError, match="row 39 has leverage 1"):
        influence(np.column_stack([X, np.eye(40)[39]]), y)
    with pytest.raises(ValueError, match="fitted exactly"):
        influence(X, X @ [1.0, 2, 3, 4])
    with pytest.raises(ValueError, match="column of ones"):
        breusch_pagan_test(X[:, 1:], y)
    with pytest.raises(ValueError, match="residuals of one size"):
        breusch_pagan_test(np.array([[1.0, -1], [1, 0], [1, 1]]), [0.0, 0, 0])
    with pytest.raises(ValueError, match="X must be a matrix"):
        add_intercept(y)


@pytest.mark.parametrize(
    ("kw", "message"),
    [
        ({"learning_rate": "adaptive"}, "learning_rate must be one of"),
        ({"eta0": 0.0}, "eta0 must be positive"),
        ({"power_t": -1.0}, "power_t must be finite and at least 0"),
        ({"batch_size": 0}, "batch_size must be at least 1"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
        ({"tol": -1.0}, "tol must be finite and at least 0"),
        ({"n_iter_no_change": 0}, "n_iter_no_change must be at least 1"),
    ],
)
def test_bad_settings_of_sgd(kw, message):
    with pytest.raises(ValueError, match=message):
        SGDRegressor(**kw).fit(*problem(27))


def test_sgd_warns():
    X, y = problem(28)
    with pytest.warns(ConvergenceWarning, match="eta0=10: standardise the columns or lower eta0"):
        model = SGDRegressor(eta0=10.0, random_state=0, max_iter=200, tol=None).fit(X, y)
    assert np.isfinite(model.coef_).all()
    assert model.objective_[-1] == np.inf
    assert model.n_iter_ == len(model.objective_)
    with pytest.warns(ConvergenceWarning, match="increase max_iter"):
        SGDRegressor(max_iter=2, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="features"):
        SGDRegressor().partial_fit(X, y).partial_fit(X[:, 1:], y)


def test_bad_degree():
    X = np.ones((3, 2))
    with pytest.raises(ValueError, match="degree must be at least 0"):
        PolynomialFeatures(-1).fit(X)
    with pytest.raises(TypeError, match="degree must be an integer"):
        PolynomialFeatures(2.5).fit(X)
    with pytest.raises(ValueError, match="leaves no feature"):
        PolynomialFeatures(0, include_bias=False).fit(X)
    with pytest.raises(ValueError, match=r"degree must be a pair .* got \(3, 2\): exchange"):
        PolynomialFeatures((3, 2)).fit(X)
    with pytest.raises(ValueError, match=r"degree must be a number or a pair .* got \(1, 2, 3\)"):
        PolynomialFeatures((1, 2, 3)).fit(X)


def test_average_is_a_choice_and_no_number_of_steps():
    """The peer begins to average after as many steps as a number says."""
    with pytest.raises(ValueError, match=r"average must be one of \(False, True\), got 600"):
        SGDRegressor(average=600).fit([[0.0], [1.0]], [0.0, 1.0])

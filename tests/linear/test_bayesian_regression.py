"""Bayesian linear regression against grids, dense Gaussians, scikit-learn, its own laws, and bad input."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import gamma, multivariate_normal, norm, t
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import BayesianRidge, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_diabetes, load_longley
from notes_lib.linear.bayesian_regression import (
    BayesianLinearRegression,
    NormalInverseGamma,
    choose_precisions,
    effective_parameters,
    log_evidence,
    normal_inverse_gamma_update,
    predictive,
    predictive_covariance,
    student_predictive,
    update_weights,
    weight_posterior,
    weight_prior,
)
from notes_lib.numerics import central_difference


def data(seed=0, n=30, d=3, noise=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 1.0
    return X, X @ rng.normal(size=d) + noise * rng.normal(size=n)


@pytest.mark.equation("bayesian-regression-prior", "bayesian-regression-posterior")
def test_posterior_is_prior_times_likelihood_on_a_grid():
    X, y = data(1, 6, 2)
    ticks = np.linspace(-6, 6, 401)
    W = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 2)
    log = norm.logpdf(W, 0, 1 / np.sqrt(0.5)).sum(axis=1)
    log += norm.logpdf(y, W @ X.T, 1 / np.sqrt(2.0)).sum(axis=1)
    p = np.exp(log - log.max())
    p /= p.sum()
    post = weight_posterior(X, y, 0.5, 2.0)
    assert_allclose(post.mean, p @ W, atol=1e-9)
    away = W - p @ W
    assert_allclose(post.covariance, (away * p[:, None]).T @ away, atol=1e-9)


@pytest.mark.equation("bayesian-regression-posterior")
def test_posterior_mean_is_ridge_and_tends_to_least_squares():
    X, y = data()
    assert_allclose(weight_posterior(X, y, 3.0, 2.0).mean, Ridge(alpha=1.5, fit_intercept=False).fit(X, y).coef_)
    least = np.linalg.lstsq(X, y, rcond=None)[0]
    assert_allclose(weight_posterior(X, y, 1e-9, 2.0).mean, least, rtol=1e-7)
    assert_allclose(weight_posterior(X, y, 1e-9, 2.0).covariance, np.linalg.inv(X.T @ X) / 2, rtol=1e-7)


@pytest.mark.equation("bayesian-regression-sequential")
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 11))
def test_two_parts_one_after_the_other_are_all_at_once(seed, cut):
    X, y = data(seed, 12)
    first = update_weights(weight_prior(3, 0.7), X[:cut], y[:cut], 1.3)
    both = update_weights(first, X[cut:], y[cut:], 1.3)
    whole = weight_posterior(X, y, 0.7, 1.3)
    assert_allclose(both.mean, whole.mean, atol=1e-9)
    assert_allclose(both.covariance, whole.covariance, atol=1e-10)


@pytest.mark.equation("bayesian-regression-predictive", "bayesian-regression-process")
def test_predictive_is_the_conditional_of_one_joint_gaussian():
    X, y = data(2, 8)
    new = np.random.default_rng(3).normal(size=(4, 3))
    every = np.vstack([X, new])
    joint = every @ every.T / 0.5 + np.eye(12) / 2.0  # of all targets, weights integrated out
    gain = joint[8:, :8] @ np.linalg.inv(joint[:8, :8])
    post = weight_posterior(X, y, 0.5, 2.0)
    told = predictive(new, post, 2.0)
    assert_allclose(told.mean, gain @ y, atol=1e-10)
    covariance = joint[8:, 8:] - gain @ joint[:8, 8:]
    assert_allclose(predictive_covariance(new, post, 2.0), covariance, atol=1e-10)
    assert told.noise == 0.5
    assert_allclose(told.std**2, np.diag(covariance), atol=1e-10)
    assert_allclose(told.noise + told.ignorance, told.std**2)


@pytest.mark.equation("bayesian-regression-predictive")
def test_ignorance_falls_with_every_row_and_does_not_see_the_targets():
    X, y = data(4)
    few, many = weight_posterior(X[:10], y[:10], 1.0, 2.0), weight_posterior(X, y, 1.0, 2.0)
    assert (predictive(X, many, 2.0).ignorance < predictive(X, few, 2.0).ignorance).all()
    assert_allclose(weight_posterior(X, -7 * y, 1.0, 2.0).covariance, many.covariance)


@pytest.mark.equation("bayesian-regression-evidence")
@pytest.mark.parametrize(("n", "d"), [(9, 3), (3, 9), (1, 1)])
def test_evidence_is_the_density_of_the_targets(n, d):
    X, y = data(5, n, d)
    dense = multivariate_normal(np.zeros(n), X @ X.T / 0.4 + np.eye(n) / 3.0).logpdf(y)
    assert log_evidence(X, y, 0.4, 3.0) == pytest.approx(dense, rel=1e-10)


@pytest.mark.equation("bayesian-regression-evidence")
def test_evidence_is_the_product_of_one_step_predictions():
    X, y = data(6, 7)
    total, weights = 0.0, weight_prior(3, 0.8)
    for x, value in zip(X, y, strict=True):
        told = predictive(x[None], weights, 1.5)
        total += norm.logpdf(value, told.mean[0], told.std[0])
        weights = update_weights(weights, x[None], [value], 1.5)
    assert log_evidence(X, y, 0.8, 1.5) == pytest.approx(total, rel=1e-10)


@pytest.mark.equation("bayesian-regression-gamma")
def test_effective_parameters_are_the_trace_of_the_smoother():
    X, _ = data(7)
    hat = X @ np.linalg.inv(X.T @ X + 2.0 / 0.5 * np.eye(3)) @ X.T
    assert effective_parameters(X, 2.0, 0.5) == pytest.approx(np.trace(hat), rel=1e-12)


@pytest.mark.equation("bayesian-regression-fixed-point", "bayesian-regression-gamma")
@pytest.mark.parametrize(("n", "d"), [(40, 3), (8, 20)])
def test_fixed_point_maximises_the_evidence(n, d):
    X, y = data(8, n, d)
    found = choose_precisions(X, y)
    assert found.converged
    negative = lambda v: -log_evidence(X, y, *np.exp(v))
    best = minimize(negative, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-13})
    assert_allclose(np.log([found.alpha, found.beta]), best.x, atol=1e-5)
    assert_allclose(central_difference(lambda v: negative(v), np.log([found.alpha, found.beta])), 0, atol=1e-5)
    assert found.history[-1] == pytest.approx(-best.fun, rel=1e-10)
    assert len(found.history) == found.n_iter + 1
    assert found.gamma == pytest.approx(effective_parameters(X, found.alpha, found.beta))


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_rounds_of_the_fixed_point_do_not_depend_on_the_unit_of_the_targets(unit):
    X, y = data(8, 40, 3)
    one, other = choose_precisions(X, y), choose_precisions(X, unit * y)
    assert (other.n_iter, other.converged) == (one.n_iter, True)
    assert_allclose([other.alpha, other.beta], np.divide([one.alpha, one.beta], unit**2), rtol=1e-8)


def test_a_precision_that_is_given_stays():
    X, y = data(9)
    one = choose_precisions(X, y, alpha=5.0)
    assert one.alpha == 5.0
    slope = central_difference(lambda v: log_evidence(X, y, 5.0, float(np.exp(v[0]))), np.log([one.beta]))
    assert_allclose(slope, 0, atol=1e-5)
    other = choose_precisions(X, y, beta=0.1)
    assert other.beta == 0.1
    slope = central_difference(lambda v: log_evidence(X, y, float(np.exp(v[0])), 0.1), np.log([other.alpha]))
    assert_allclose(slope, 0, atol=1e-5)
    both = choose_precisions(X, y, 5.0, 0.1)
    assert both[:2] == (5.0, 0.1)
    assert both.n_iter == 0
    assert both.converged


@pytest.mark.equation("bayesian-regression-nig", "bayesian-regression-student")
def test_student_prediction_integrates_the_noise_out():
    X, y = data(10, 6, 2)
    prior = NormalInverseGamma(np.array([0.5, -0.5]), np.array([[2.0, 0.3], [0.3, 1.0]]), 2.0, 1.5)
    told = student_predictive([[0.4, -1.0]], normal_inverse_gamma_update(prior, X, y))

    def joint(targets, rows):  # density of targets, integrated over the precision of the noise
        spread = np.eye(len(rows)) + rows @ np.linalg.inv(prior.precision) @ rows.T

        def at(precision):
            return gamma.pdf(precision, 2.0, scale=1 / 1.5) * multivariate_normal.pdf(
                targets, rows @ prior.mean, spread / precision
            )

        return quad(at, 0, 30, epsabs=0, epsrel=1e-11, limit=400)[0]

    every = np.vstack([X, [[0.4, -1.0]]])
    for new in (-2.0, 0.0, 1.3):
        density = joint(np.append(y, new), every) / joint(y, X)
        assert t.pdf(new, told.df, told.location[0], told.scale[0]) == pytest.approx(density, rel=1e-7)
    assert told.df == 4.0 + 6


@pytest.mark.equation("bayesian-regression-nig")
def test_unknown_noise_in_two_parts_and_its_limit_for_many_rows():
    X, y = data(11)
    prior = NormalInverseGamma(np.zeros(3), np.eye(3), 1.0, 1.0)
    whole = normal_inverse_gamma_update(prior, X, y)
    parts = normal_inverse_gamma_update(normal_inverse_gamma_update(prior, X[:7], y[:7]), X[7:], y[7:])
    for a, b in zip(parts, whole, strict=True):
        assert_allclose(a, b, rtol=1e-10)
    told = student_predictive(X, whole)
    known = predictive(X, weight_posterior(X, y, whole.a / whole.b, whole.a / whole.b), whole.a / whole.b)
    assert_allclose(told.location, known.mean)
    assert_allclose(told.scale, known.std)


def peer(X, y, **options):
    none = dict.fromkeys(["alpha_1", "alpha_2", "lambda_1", "lambda_2"], 0.0)
    return BayesianRidge(tol=1e-13, max_iter=5000, fit_intercept=False, **none, **options).fit(X, y)


def test_estimator_and_scikit_learn():
    X, y = data(12, 50, 4)
    ours, theirs = BayesianLinearRegression(fit_intercept=False).fit(X, y), peer(X, y)
    assert ours.alpha_ == pytest.approx(theirs.lambda_, rel=1e-7)
    assert ours.beta_ == pytest.approx(theirs.alpha_, rel=1e-7)
    assert_allclose(ours.coef_, theirs.coef_, rtol=1e-7)
    assert_allclose(ours.sigma_, theirs.sigma_, rtol=1e-6)
    for a, b in zip(ours.predict(X, return_std=True), theirs.predict(X, return_std=True), strict=True):
        assert_allclose(a, b, rtol=1e-7)
    wide_X, wide_y = data(13, 8, 20)
    assert_allclose(BayesianLinearRegression(fit_intercept=False, alpha=2.0, beta=3.0).fit(wide_X, wide_y).coef_,
                    weight_posterior(wide_X, wide_y, 2.0, 3.0).mean)  # fmt: skip


@pytest.mark.parametrize(("n", "d"), [(30, 3), (4, 9), (1, 2)])
@pytest.mark.parametrize("intercept", [True, False])
def test_estimator_is_the_posterior_with_a_nearly_flat_prior_of_the_constant(n, d, intercept):
    X, y = data(14, n, d)
    model = BayesianLinearRegression(alpha=0.6, beta=1.7, fit_intercept=intercept).fit(X, y)
    new = np.random.default_rng(1).normal(size=(5, d))
    rows, more = X, new
    precision = np.full(d, 0.6)
    if intercept:
        rows, more, precision = np.c_[np.ones(n), X], np.c_[np.ones(5), new], np.r_[1e-10, precision]
    A = np.diag(precision) + 1.7 * rows.T @ rows
    mean = np.linalg.solve(A, 1.7 * rows.T @ y)
    covariance = more @ np.linalg.inv(A) @ more.T + np.eye(5) / 1.7
    assert_allclose(np.r_[[model.intercept_] * intercept, model.coef_], mean, atol=1e-6)
    assert_allclose(model.predict(new), more @ mean, atol=1e-6)
    assert_allclose(model.predict(new, return_cov=True)[1], covariance, rtol=1e-5, atol=1e-7)
    assert_allclose(model.predict(new, return_std=True)[1] ** 2, np.diag(covariance), rtol=1e-5)
    assert_allclose(model.sigma_, np.linalg.inv(A)[intercept:, intercept:], rtol=1e-5, atol=1e-8)


def test_evidence_with_a_flat_constant():
    X, y = data(15, 10, 2)
    model = BayesianLinearRegression().fit(X, y)
    wide = 1e8  # variance of a constant that is nearly flat: its density is 1 / sqrt(2 pi wide)
    dense = multivariate_normal(np.zeros(10), X @ X.T / 0.5 + np.eye(10) / 2.0 + wide).logpdf(y)
    assert model.log_evidence(0.5, 2.0) == pytest.approx(dense + np.log(2 * np.pi * wide) / 2, abs=1e-5)
    assert model.log_evidence() >= max(model.log_evidence(1.01 * model.alpha_), model.log_evidence(0.99 * model.alpha_))
    assert model.log_evidence() >= max(
        model.log_evidence(beta=1.01 * model.beta_), model.log_evidence(beta=0.99 * model.beta_)
    )


@pytest.mark.parametrize("known", [{}, {"alpha": 0.5, "beta": 2.0}])
@pytest.mark.parametrize("intercept", [True, False])
def test_partial_fit_is_fit(known, intercept):
    X, y = data(16, 40, 5)
    whole = BayesianLinearRegression(fit_intercept=intercept, **known).fit(X, y)
    parts = BayesianLinearRegression(fit_intercept=intercept, **known)
    for rows in np.split(np.arange(40), [8, 9, 17]):
        parts.partial_fit(X[rows], y[rows])
    assert parts.n_samples_seen_ == 40
    for name in ("coef_", "intercept_", "sigma_", "alpha_", "beta_", "gamma_"):
        assert_allclose(getattr(parts, name), getattr(whole, name), rtol=1e-6, atol=1e-9, err_msg=name)
    new = X[:4] + 3
    assert_allclose(parts.predict(new, return_std=True)[1], whole.predict(new, return_std=True)[1], rtol=1e-7)
    again = parts.fit(X[:9], y[:9])
    assert again.n_samples_seen_ == 9


def test_single_rows_with_known_precisions():
    X, y = data(17, 5, 2)
    model = BayesianLinearRegression(alpha=1.0, beta=1.0)
    for x, value in zip(X, y, strict=True):
        model.partial_fit(x[None], [value])
    assert_allclose(model.coef_, BayesianLinearRegression(alpha=1.0, beta=1.0).fit(X, y).coef_, atol=1e-12)


def test_longley_needs_no_normal_equations():
    X, y = load_longley().X, load_longley().y
    certified = [15.0618722713733, -0.358191792925910e-01, -2.02022980381683, -1.03322686717359,
                 -0.511041056535807e-01, 1829.15146461355]  # fmt: skip
    model = BayesianLinearRegression(alpha=1e-14, beta=1e-5).fit(X, y)
    assert_allclose(model.coef_, certified, rtol=1e-5)
    assert model.intercept_ == pytest.approx(-3482258.63459582, rel=1e-5)


def test_a_precision_that_runs_away_stops_at_a_millionth():
    X, _ = data(18, 20, 2)
    y = X @ [1.0, 2.0]
    with pytest.warns(ConvergenceWarning, match="no signal, or no noise") as caught:
        found = choose_precisions(X, y)
    assert caught[0].filename == __file__
    assert np.sqrt(found.beta * np.mean(y**2)) == pytest.approx(1e6)  # target over noise, root mean squares
    e = data(19, 20, 2)[1]
    with pytest.warns(ConvergenceWarning, match="no signal, or no noise"):
        found = choose_precisions(X, e - X @ np.linalg.lstsq(X, e, rcond=None)[0])
    assert np.sqrt(np.sum(X**2) / found.alpha) == pytest.approx(1e-6 / np.sqrt(found.beta))  # signal and noise


def test_one_free_precision_may_need_more_rounds_too():
    X, y = data(9)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        assert not choose_precisions(X, y, alpha=5.0, max_iter=1).converged


def test_constant_column_of_any_size_gets_no_weight():
    X, y = data(20)
    for value in (1e-6, 1e6):
        model = BayesianLinearRegression(alpha=0.5, beta=2.0).fit(np.c_[X, np.full(30, value)], y)
        assert model.coef_[-1] == 0
        assert_allclose(model.coef_[:-1], BayesianLinearRegression(alpha=0.5, beta=2.0).fit(X, y).coef_, rtol=1e-10)


def test_two_rows_suffice_for_one_precision():
    X, y = data(21)
    model = BayesianLinearRegression(beta=1.0).fit(X[:2], y[:2])
    slope = central_difference(lambda v: model.log_evidence(float(np.exp(v[0]))), np.log([model.alpha_]))
    assert_allclose(slope, 0, atol=1e-5)


def test_no_signal_or_no_noise_is_said():
    X, y = data(18, 20, 2)
    for target in (X @ [1.0, 2.0], np.ones(20)):
        with pytest.warns(ConvergenceWarning, match="no signal, or no noise"):
            model = BayesianLinearRegression(fit_intercept=True).fit(X, target)
        assert_allclose(model.predict(X), target, atol=1e-4)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        BayesianLinearRegression(max_iter=2).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="no signal"):
        BayesianLinearRegression().fit(np.ones((20, 1)), y)


def test_contract_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # some of its targets have no noise
        check_estimator(BayesianLinearRegression(), on_skip=None)
        check_estimator(BayesianLinearRegression(alpha=1.0, beta=1.0, fit_intercept=False), on_skip=None)


def test_real_data_pickle_and_clone():
    X, y = load_diabetes().X, load_diabetes().y
    model = make_pipeline(StandardScaler(), BayesianLinearRegression()).fit(X, y)
    assert model.score(X, y) == pytest.approx(BayesianRidge().fit(StandardScaler().fit_transform(X), y).score(
        StandardScaler().fit_transform(X), y), abs=1e-4)  # fmt: skip
    assert_allclose(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert clone(BayesianLinearRegression(alpha=3.0)).alpha == 3.0


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_bad_precisions(bad):
    X, y = data()
    weights = weight_prior(3, 1.0)
    for name in ("alpha", "beta"):
        with pytest.raises(ValueError, match=name):
            BayesianLinearRegression(**{name: bad}).fit(X, y)
        for function in (weight_posterior, log_evidence):
            with pytest.raises(ValueError, match=name):
                function(X, y, **({"alpha": 1.0, "beta": 1.0} | {name: bad}))
        with pytest.raises(ValueError, match=name):
            choose_precisions(X, y, **{name: bad})
        with pytest.raises(ValueError, match=name):
            BayesianLinearRegression().fit(X, y).log_evidence(**{name: bad})
        with pytest.raises(ValueError, match=name):
            effective_parameters(X, **({"alpha": 1.0, "beta": 1.0} | {name: bad}))
    for function in (predictive, predictive_covariance):
        with pytest.raises(ValueError, match="beta"):
            function(X, weights, bad)
    with pytest.raises(ValueError, match="alpha"):
        weight_prior(2, bad)
    with pytest.raises(ValueError, match="tol"):
        choose_precisions(X, y, tol=bad)


def test_bad_rows():
    X, y = data()
    spoilt = X.copy()
    spoilt[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        BayesianLinearRegression().fit(spoilt, y)
    with pytest.raises(ValueError, match="NaN"):
        BayesianLinearRegression().fit(X, np.where(np.arange(30) == 3, np.nan, y))
    model = BayesianLinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :2], y)
    with pytest.raises(ValueError, match="features"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="exclude each other"):
        model.predict(X, return_std=True, return_cov=True)
    for known in ({}, {"alpha": 1.0}, {"beta": 1.0}):
        with pytest.raises(ValueError, match="n_samples=1"):
            BayesianLinearRegression(**known).fit(X[:1], y[:1])
    weights = weight_prior(3, 1.0)
    for call in (
        lambda: update_weights(weights, X[:, :2], y, 1.0),
        lambda: predictive(X[:, :2], weights, 1.0),
        lambda: predictive_covariance(X[:, :2], weights, 1.0),
        lambda: student_predictive(X[:, :2], NormalInverseGamma(np.zeros(3), np.eye(3), 1.0, 1.0)),
        lambda: normal_inverse_gamma_update(NormalInverseGamma(np.zeros(3), np.eye(3), 1.0, 1.0), X[:, :2], y),
    ):
        with pytest.raises(ValueError, match="X must have 3 columns"):
            call()
    for call in (weight_posterior, log_evidence):
        with pytest.raises(ValueError, match="X must be finite"):
            call(spoilt, y, 1.0, 1.0)
        with pytest.raises(ValueError, match="y must be a vector"):
            call(X, y[:4], 1.0, 1.0)
    with pytest.raises(ValueError, match="X must be finite"):
        effective_parameters(spoilt, 1.0, 1.0)
    with pytest.raises(ValueError, match="max_iter"):
        choose_precisions(X, y, max_iter=0)
    with pytest.raises(TypeError, match="d must be an integer"):
        weight_prior(2.5, 1.0)


@pytest.mark.parametrize(
    ("change", "text"),
    [({"a": 0.0}, "a must be positive"), ({"b": -1.0}, "b must be"), ({"mean": [np.nan] * 2}, "mean must be finite"),
     ({"precision": -np.eye(2)}, "precision"), ({"precision": np.eye(3)}, "one row for each weight")],
)  # fmt: skip
def test_bad_distribution_of_weights_and_noise(change, text):
    weights = NormalInverseGamma(np.zeros(2), np.eye(2), 1.0, 1.0)._replace(**change)
    with pytest.raises(ValueError, match=text):
        student_predictive(np.ones((1, 2)), weights)
    with pytest.raises(ValueError, match=text):
        normal_inverse_gamma_update(weights, np.ones((1, 2)), [1.0])

"""Exponential families and generalised linear models: published numbers, independent routes, laws, extremes, errors."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.metrics import d2_tweedie_score, mean_poisson_deviance
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_horse_kicks
from notes_lib.foundations.estimation import BetaBernoulli, DirichletCategorical, gaussian_mle
from notes_lib.foundations.exponential_family import (
    Bernoulli,
    Categorical,
    ConjugatePrior,
    Exponential,
    Family,
    Gaussian,
    GeneralizedLinearModel,
    Poisson,
    UnitGaussian,
    deviance,
    glm_gradient,
    glm_hessian,
    glm_log_likelihood,
    irls_step,
    maximum_entropy,
)
from notes_lib.numerics import central_difference

# family, natural parameter, the same distribution in SciPy
CASES = {
    "bernoulli": (Bernoulli(), 0.7, stats.bernoulli(1 / (1 + np.exp(-0.7)))),
    "poisson": (Poisson(), 0.4, stats.poisson(np.exp(0.4))),
    "exponential": (Exponential(), -1.7, stats.expon(scale=1 / 1.7)),
    "unit gaussian": (UnitGaussian(), -0.8, stats.norm(-0.8, 1)),
    "gaussian": (Gaussian(), [1.5, -0.25], stats.norm(3, 2**0.5)),
}
each_family = pytest.mark.parametrize("name", CASES)


def counts(seed, n=60, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, rng.poisson(np.exp(0.5 + X @ rng.uniform(-0.7, 0.7, size=d))).astype(float)


def labels(seed, n=80, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (rng.uniform(size=n) < 1 / (1 + np.exp(-X @ rng.normal(size=d)))).astype(float)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("exponential-family-maxent", "exponential-family-entropy-moments")
def test_jaynes_die():
    # Jaynes (1979), Where do we stand on maximum entropy?: six faces, mean 4.5
    die = maximum_entropy(np.arange(1, 7)[:, None], [4.5])
    assert_allclose(die.p, [0.05435, 0.07877, 0.11416, 0.16545, 0.23977, 0.34749], rtol=0, atol=6e-6)
    assert_allclose(die.entropy, 1.61358, rtol=0, atol=6e-6)


def test_bortkiewicz_expected_numbers():
    # the textbook table of ten corps: 200 corps-years with mean 0.61; 108.7, 66.3, 20.2, 4.1 and 0.6 are expected
    data = load_horse_kicks()
    y = data.y[data.X[:, 1] == 0]
    eta = Poisson().moment_match(y)
    assert_allclose(Poisson().mean_parameter(eta), 0.61, rtol=1e-12)
    expected = 200 * np.exp(Poisson().log_density(np.arange(5), eta))
    assert_allclose(expected, [108.7, 66.3, 20.2, 4.1, 0.6], rtol=0, atol=0.051)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("exponential-family-form")
@each_family
def test_log_density_as_scipy(name):
    family, eta, peer = CASES[name]
    x = peer.rvs(size=20, random_state=3)
    log_density = peer.logpdf if hasattr(peer.dist, "logpdf") else peer.logpmf
    assert_allclose(family.log_density(x, eta), log_density(x), rtol=1e-12)


@pytest.mark.equation("exponential-family-mean", "exponential-family-variance", "exponential-family-partition")
@each_family
def test_derivatives_of_the_log_partition_are_moments(name):
    family, eta, peer = CASES[name]
    eta = np.atleast_1d(np.asarray(eta, dtype=float))
    squeeze = (lambda e: e) if len(eta) == 2 else (lambda e: e[0])
    slope = central_difference(lambda e: float(family.log_partition(squeeze(e))), eta)
    assert_allclose(np.atleast_1d(family.mean_parameter(squeeze(eta))), slope, rtol=1e-8)
    jacobian = [
        central_difference(lambda e, k=k: float(np.atleast_1d(family.mean_parameter(squeeze(e)))[k]), eta)
        for k in range(len(eta))
    ]
    assert_allclose(np.atleast_2d(family.covariance(squeeze(eta))), jacobian, rtol=1e-7)
    if len(eta) == 1:
        assert_allclose([float(slope[0]), float(family.covariance(squeeze(eta)))], peer.stats("mv"), rtol=1e-7)
    else:
        m = [peer.moment(k) for k in (1, 2, 3, 4)]
        assert_allclose(family.mean_parameter(eta), m[:2], rtol=1e-12)
        expected = [[m[1] - m[0] ** 2, m[2] - m[0] * m[1]], [m[2] - m[0] * m[1], m[3] - m[1] ** 2]]
        assert_allclose(family.covariance(eta), expected, rtol=1e-10)


@pytest.mark.equation("exponential-family-mean", "exponential-family-variance")
@pytest.mark.parametrize("K", [2, 3, 5])
def test_categorical_against_enumeration(K):
    rng = np.random.default_rng(K)
    theta = rng.dirichlet(np.ones(K))
    family, x = Categorical(K), np.arange(K)
    eta = family.natural_parameter(theta)
    assert_allclose(np.exp(family.log_density(x, eta)), theta, rtol=1e-12)
    T = np.eye(K)[:, :-1]
    assert_array_equal(family.statistic(x), T)
    assert_allclose(family.mean_parameter(eta), theta @ T, rtol=1e-12)
    assert_allclose(family.covariance(eta), np.cov(T.T, aweights=theta, ddof=0).reshape(K - 1, K - 1), atol=1e-14)
    slope = central_difference(lambda e: float(family.log_partition(e)), eta)
    assert_allclose(family.mean_parameter(eta), slope, rtol=1e-7)
    x = np.repeat(np.arange(K), np.arange(1, K + 1))
    shares = np.bincount(x) / len(x)
    assert_allclose(family.moment_match(x), np.log(shares[:-1] / shares[-1]), rtol=1e-12)


@pytest.mark.equation("exponential-family-moments")
@each_family
def test_moment_match_is_the_maximum_of_the_likelihood(name):
    family, _, peer = CASES[name]
    x = peer.rvs(size=40, random_state=5)
    best = np.atleast_1d(family.moment_match(x))
    value = lambda e: family.log_density(x, e if len(best) == 2 else e[0]).sum()
    assert_allclose(central_difference(lambda e: float(value(e)), best), 0, atol=2e-6)
    rng = np.random.default_rng(0)
    for _ in range(30):
        other = best + rng.normal(scale=0.05, size=len(best)) * np.abs(best)
        assert value(other) < value(best)


def test_gaussian_fit_as_in_the_chapter_on_estimation():
    x = np.random.default_rng(2).normal(3, 2, size=30)
    fit = gaussian_mle(x)
    assert_allclose(Gaussian().moment_match(x), [fit.mu / fit.var, -0.5 / fit.var], rtol=1e-9)
    assert_allclose(Gaussian().natural_parameter(*fit), Gaussian().moment_match(x), rtol=1e-9)


def test_natural_parameters_of_the_usual_ones():
    assert_allclose(Bernoulli().natural_parameter(0.75), np.log(3), rtol=1e-12)
    assert_allclose(Poisson().natural_parameter(5), np.log(5), rtol=1e-12)
    assert_allclose(Exponential().natural_parameter(2), -2)
    assert_allclose(UnitGaussian().natural_parameter(-3), -3)
    assert_allclose(Categorical(3).natural_parameter([0.5, 0.25, 0.25]), [np.log(2), 0], atol=1e-15)


@pytest.mark.equation("exponential-family-glm-likelihood")
def test_glm_likelihood_is_the_density_of_the_data():
    X, y = counts(0)
    w = np.array([0.2, -0.3])
    constant = -Poisson().log_base_measure(y).sum()
    expected = stats.poisson(np.exp(X @ w)).logpmf(y).sum() + constant
    assert_allclose(glm_log_likelihood(w, X, y, Poisson()), expected, rtol=1e-12)
    X, y = labels(0)
    expected = stats.bernoulli(1 / (1 + np.exp(-X @ w))).logpmf(y).sum()
    assert_allclose(glm_log_likelihood(w, X, y, Bernoulli()), expected, rtol=1e-12)


@pytest.mark.equation("exponential-family-glm-gradient", "exponential-family-glm-hessian", "exponential-family-irls")
@pytest.mark.parametrize(("family", "data"), [(Poisson(), counts), (Bernoulli(), labels), (UnitGaussian(), counts)])
def test_gradient_hessian_and_step(family, data):
    X, y = data(1, d=3)
    w = np.array([0.3, -0.2, 0.1])
    gradient = central_difference(lambda v: glm_log_likelihood(v, X, y, family), w)
    assert_allclose(glm_gradient(w, X, y, family), gradient, rtol=1e-6, atol=1e-6)
    rows = [central_difference(lambda v, k=k: float(glm_gradient(v, X, y, family)[k]), w) for k in range(3)]
    H = glm_hessian(w, X, family)
    assert_allclose(H, rows, rtol=1e-6, atol=1e-6)
    assert np.linalg.eigvalsh(H).max() < 0
    assert_allclose(irls_step(w, X, y, family), w - np.linalg.solve(H, gradient), rtol=1e-7, atol=1e-7)
    penalty = np.array([0.0, 2.0, 5.0])
    penalised = w - np.linalg.solve(H - np.diag(penalty), gradient - penalty * w)
    assert_allclose(irls_step(w, X, y, family, penalty), penalised, rtol=1e-7, atol=1e-7)


@pytest.mark.equation("exponential-family-glm-gradient", "exponential-family-link")
@pytest.mark.parametrize("alpha", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_poisson_as_scikit_learn(seed, alpha):
    X, y = counts(seed, d=3)
    ours = GeneralizedLinearModel("poisson", alpha=alpha).fit(X, y)
    peer = PoissonRegressor(alpha=alpha, tol=1e-10, max_iter=2000).fit(X, y)
    assert_allclose(ours.coef_, peer.coef_, rtol=1e-5, atol=1e-7)
    assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-5, atol=1e-7)
    assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-5)
    assert_allclose(ours.score(X, y), peer.score(X, y), rtol=1e-8)
    assert_allclose(ours.score(X, y), d2_tweedie_score(y, ours.predict(X), power=1), rtol=1e-10)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_bernoulli_and_gaussian_as_scikit_learn(fit_intercept):
    X, y = labels(3, d=3)
    ours = GeneralizedLinearModel("bernoulli", alpha=1 / 80, fit_intercept=fit_intercept).fit(X, y)
    peer = LogisticRegression(C=1.0, tol=1e-10, max_iter=2000, fit_intercept=fit_intercept).fit(X, y)
    assert_allclose(ours.coef_, peer.coef_[0], rtol=1e-5)
    assert_allclose(ours.predict(X), peer.predict_proba(X)[:, 1], rtol=1e-5)
    ours = GeneralizedLinearModel(fit_intercept=fit_intercept).fit(X, y)
    peer = LinearRegression(fit_intercept=fit_intercept).fit(X, y)
    assert_allclose(ours.coef_, peer.coef_, rtol=1e-10)
    assert_allclose(ours.intercept_, peer.intercept_, rtol=1e-10, atol=1e-14)
    if fit_intercept:
        assert_allclose(ours.score(X, y), peer.score(X, y), rtol=1e-10)
        assert ours.n_iter_ <= 2  # the likelihood is quadratic: one step reaches the maximum


@pytest.mark.equation("exponential-family-deviance")
def test_deviance_as_scikit_learn_and_by_its_definition():
    X, y = counts(4)
    eta = X @ [0.3, 0.1]
    assert_allclose(deviance(y, eta, Poisson()) / len(y), mean_poisson_deviance(y, np.exp(eta)), rtol=1e-12)
    assert_allclose(deviance(y, eta, UnitGaussian()), ((y - eta) ** 2).sum(), rtol=1e-12)
    saturated = stats.poisson(np.maximum(y, 1e-300)).logpmf(y).sum()
    assert_allclose(
        deviance(y, eta, Poisson()), 2 * (saturated - stats.poisson(np.exp(eta)).logpmf(y).sum()), rtol=1e-9
    )
    b = (y > 1).astype(float)
    assert_allclose(deviance(b, eta, Bernoulli()), -2 * stats.bernoulli(1 / (1 + np.exp(-eta))).logpmf(b).sum())


@pytest.mark.equation("exponential-family-maxent")
def test_maximum_entropy_as_a_constrained_search():
    T = np.random.default_rng(1).normal(size=(6, 2))
    t = np.full(6, 1 / 6) @ T + [0.1, -0.2]
    found = maximum_entropy(T, t)
    assert_allclose(found.p @ T, t, atol=1e-9)
    peer = minimize(
        lambda p: (p * np.log(p)).sum(), np.full(6, 1 / 6), bounds=[(1e-9, 1)] * 6, method="SLSQP",
        constraints=[{"type": "eq", "fun": lambda p: p @ T - t}, {"type": "eq", "fun": lambda p: p.sum() - 1}],
        options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert_allclose(found.p, peer.x, atol=2e-6)
    assert_allclose(found.entropy, -peer.fun, rtol=1e-9)
    logs = np.log(found.p) - T @ found.eta  # an exponential family: log p is linear in the statistics
    assert_allclose(logs, logs[0], atol=1e-10)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("exponential-family-conjugate", "exponential-family-posterior")
def test_conjugate_prior_is_beta_dirichlet_and_gamma():
    x = [1, 0, 1, 1, 0, 1, 1]
    beta = BetaBernoulli(2, 3).update(x)
    post = ConjugatePrior(Bernoulli(), 5, 2 / 5).update(x)
    assert_allclose(post.mean, beta.mean, rtol=1e-12)
    eta = np.linspace(-2, 3, 7)
    theta = 1 / (1 + np.exp(-eta))
    density = beta.logpdf(theta) + np.log(theta * (1 - theta))  # as a density of eta
    assert_allclose(np.diff(post.log_kernel(eta)), np.diff(density), rtol=1e-10)
    assert_allclose(1 / (1 + np.exp(-post.mode)), beta.mean, rtol=1e-12)
    die = [0, 2, 2, 1, 2]
    post = ConjugatePrior(Categorical(3), 6, [1 / 6, 2 / 6]).update(die)
    assert_allclose(post.mean, DirichletCategorical([1, 2, 3]).update(die).mean[:2], rtol=1e-12)
    etas = np.array([[0.1, 0.2], [-1.0, 0.5], [0.0, 0.0]])
    by_hand = [post.log_kernel(e) for e in etas]
    assert_allclose(post.log_kernel(etas), by_hand, rtol=1e-12)
    gamma = stats.gamma(3 + 12, scale=1 / (2 + 6))
    post = ConjugatePrior(Poisson(), 2, 1.5).update([3, 0, 2, 4, 1, 2])
    assert_allclose(post.mean, gamma.mean(), rtol=1e-12)
    assert_allclose(np.diff(post.log_kernel(eta)), np.diff(gamma.logpdf(np.exp(eta)) + eta), rtol=1e-10)


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_updating_in_blocks_is_updating_at_once(seed):
    rng = np.random.default_rng(seed)
    x = rng.exponential(size=9)
    prior = ConjugatePrior(Exponential(), rng.uniform(0.1, 5), rng.uniform(0.1, 5))
    blocks = prior.update(x[:4]).update(x[4:])
    assert_allclose([blocks.strength, blocks.mean], [prior.update(x).strength, prior.update(x).mean], rtol=1e-12)


@pytest.mark.equation("exponential-family-convex")
@given(st.sampled_from(sorted(CASES)), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_log_partition_is_convex_and_its_domain_too(name, seed):
    family, eta, _ = CASES[name]
    rng = np.random.default_rng(seed)
    a, b = (np.asarray(eta) * rng.uniform(0.2, 4, size=np.shape(eta)) for _ in range(2))
    s = rng.uniform(0.05, 0.95)
    chord = s * family.log_partition(a) + (1 - s) * family.log_partition(b)
    gap = chord - family.log_partition(s * a + (1 - s) * b)
    assert gap > -1e-9
    if np.abs(a - b).max() > 0.1:
        assert gap > 0


@pytest.mark.equation("exponential-family-factorisation")
def test_samples_with_one_sum_are_spread_alike_under_every_rate():
    samples = np.array([s for s in itertools.product(range(5), repeat=3) if sum(s) == 4])
    spread = []
    for rate in (0.5, 3.0):
        p = np.exp([Poisson().log_density(s, np.log(rate)).sum() for s in samples])
        spread.append(p / p.sum())
    assert_allclose(spread[0], spread[1], rtol=1e-12)
    assert_allclose(spread[0], stats.multinomial(4, [1 / 3] * 3).pmf(samples), rtol=1e-10)


@pytest.mark.parametrize("name", ["bernoulli", "poisson", "exponential", "unit gaussian", "gaussian"])
def test_natural_and_mean_parameter_are_inverse(name):
    family, eta, _ = CASES[name]
    assert_allclose(family.natural_from_mean(family.mean_parameter(eta)), eta, rtol=1e-12)
    many = np.stack([np.asarray(eta), np.asarray(eta) * 2])
    assert_allclose(family.natural_from_mean(family.mean_parameter(many)), many, rtol=1e-12)
    assert family.covariance(many).shape == many.shape + (np.shape(eta) or ())
    assert family.log_partition(many).shape == (2,)


def test_objective_never_falls_and_halving_is_needed_sometimes():
    # one huge count far out: the full first Newton step overshoots
    X = np.array([[-3.0], [-2.0], [0.0], [1.0], [6.0]])
    y = np.array([0.0, 1.0, 0.0, 2.0, 900.0])
    model = GeneralizedLinearModel("poisson").fit(X, y)
    assert np.diff(model.objective_).min() >= 0
    rows = np.column_stack([np.ones(5), X])
    start = np.array([np.log(y.mean()), 0.0])
    full = irls_step(start, rows, y, Poisson())
    assert glm_log_likelihood(full, rows, y, Poisson()) < glm_log_likelihood(start, rows, y, Poisson())
    w = np.array([model.intercept_, *model.coef_])
    assert_allclose(glm_gradient(w, rows, y, Poisson()), 0, atol=1e-6)
    assert len(model.objective_) == model.n_iter_ + 1
    ridge = GeneralizedLinearModel("poisson", alpha=0.5).fit(X, y)
    w = np.array([ridge.intercept_, *ridge.coef_])
    mean = glm_log_likelihood(w, rows, y, Poisson()) / 5 - 0.25 * ridge.coef_ @ ridge.coef_
    assert_allclose(ridge.objective_[-1], mean, rtol=1e-12)


@pytest.mark.equation("exponential-family-glm-gradient")
@pytest.mark.parametrize(("family", "data"), [("poisson", counts), ("bernoulli", labels)])
def test_fitted_means_have_the_mean_of_the_data(family, data):
    X, y = data(7)
    mu = GeneralizedLinearModel(family).fit(X, y).predict(X)
    assert_allclose([mu.mean(), *(X.T @ mu)], [y.mean(), *(X.T @ y)], rtol=1e-8, atol=1e-8)


# ----------------------------------------------------------------------------------------------------------- extremes


def test_dependent_columns_and_huge_scales():
    X, y = counts(8)
    one = GeneralizedLinearModel("poisson").fit(X, y)
    twice = GeneralizedLinearModel("poisson").fit(np.column_stack([X, X[:, 0]]), y)
    assert_allclose(twice.predict(np.column_stack([X, X[:, 0]])), one.predict(X), rtol=1e-8)
    assert_allclose(twice.coef_[0], twice.coef_[2], rtol=1e-8)
    scaled = GeneralizedLinearModel("poisson").fit(X * [1e6, 1e-6], y)
    assert_allclose(scaled.coef_ * [1e6, 1e-6], one.coef_, rtol=1e-6)


def test_separated_classes_and_a_group_of_zeros_have_no_maximum():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]])
    with pytest.warns(ConvergenceWarning, match="may not exist.*alpha > 0"):
        model = GeneralizedLinearModel("bernoulli").fit(X, [0, 0, 1, 1])
    assert model.coef_[0] > 10
    with pytest.warns(ConvergenceWarning, match="not reached in 4 iterations"):
        short = GeneralizedLinearModel("bernoulli", max_iter=4).fit(X, [0, 0, 1, 1])
    assert short.n_iter_ == 4
    assert len(short.objective_) == 5
    with pytest.warns(ConvergenceWarning, match="may not exist"):  # both columns share what separates
        GeneralizedLinearModel("bernoulli", fit_intercept=False, max_iter=200).fit(X @ np.ones((1, 4)), [0, 0, 1, 1])
    group = np.array([[0.0], [0.0], [1.0], [1.0]])
    with pytest.warns(ConvergenceWarning, match="may not exist"):
        GeneralizedLinearModel("poisson").fit(group, [2, 3, 0, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GeneralizedLinearModel("bernoulli", alpha=0.1).fit(X, [0, 0, 1, 1])
        GeneralizedLinearModel("poisson", alpha=0.1).fit(group, [2, 3, 0, 0])


def test_rounding_ends_the_halving():
    # a model at its maximum: no half of a step gains, and the point stays
    model = GeneralizedLinearModel("gaussian")
    model.objective_ = [0.0]
    assert_array_equal(model._longest(lambda w: -1.0, np.array([1.0]), np.array([2.0])), [1.0])


def test_extreme_natural_parameters():
    assert_allclose(Bernoulli().log_partition(800.0), 800.0)
    assert Bernoulli().covariance(-800.0) >= 0
    assert_allclose(Categorical(3).mean_parameter([900.0, -900.0]), [1, 0])
    assert_allclose(Categorical(3).log_partition([900.0, 0.0]), 900)
    assert glm_log_likelihood([800.0], [[1.0]], [1.0], Poisson()) == -np.inf


def test_estimator_contract():
    # 'bernoulli' is left out: it refuses the continuous targets with which the checks fit a regressor
    for model in [
        GeneralizedLinearModel(),
        GeneralizedLinearModel("poisson"),
        GeneralizedLinearModel("poisson", alpha=0.1),
    ]:
        check_estimator(model, on_skip=None)
    X, y = counts(9)
    model = GeneralizedLinearModel("poisson", alpha=0.1).fit(X, y)
    assert clone(model).get_params()["family"] == "poisson"
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    pipe = make_pipeline(StandardScaler(), GeneralizedLinearModel("poisson"))
    search = GridSearchCV(pipe, {"generalizedlinearmodel__alpha": [0.0, 10.0]}, cv=3).fit(X, y)
    assert search.best_params_ == {"generalizedlinearmodel__alpha": 0.0}


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("family", "x", "message"),
    [
        (Bernoulli(), [1, 1, 1], "no natural parameter of the Bernoulli family has the mean 1.*ConjugatePrior"),
        (Poisson(), [0, 0], "no natural parameter of the Poisson family has the mean 0"),
        (Exponential(), [0.0, 0.0], "no natural parameter of the exponential family has the mean 0"),
        (Gaussian(), [2.0, 2.0], "no natural parameter of the Gaussian family has the variance 0"),
        (Categorical(3), [0, 0, 1], "no natural parameter of the categorical family has the mean 0"),
        (Categorical(3), [1, 1, 2], "no natural parameter of the categorical family has the mean 0"),
        (Bernoulli(), [0, 2], "x must hold only 0 and 1, got 2"),
        (Poisson(), [0.5], "x must hold counts 0, 1, 2, ..., got 0.5"),
        (Poisson(), [-1], "x must hold counts 0, 1, 2, ..., got -1"),
        (Exponential(), [-1.0, 2.0], "x must hold non-negative numbers, got -1"),
        (Categorical(3), [3], "x must hold category numbers from 0 to 2, got 3"),
        (Poisson(), [], "non-empty"),
        (Poisson(), [np.nan], "finite"),
    ],
)
def test_data_without_an_estimate(family, x, message):
    with pytest.raises(ValueError, match=message):
        family.moment_match(x)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Exponential().log_partition(0.5), "eta must be negative, got 0.5"),
        (lambda: Gaussian().mean_parameter([1.0, 0.0]), "the second natural parameter must be negative"),
        (lambda: Gaussian().log_partition(1.0), "last axis of length 2, got shape"),
        (lambda: Gaussian().log_partition([1.0, -1.0, 0.0]), "last axis of length 2"),
        (lambda: Categorical(3).log_partition([0.0]), "last axis of length 2"),
        (lambda: Categorical(1), "n_categories must be at least 2"),
        (lambda: Bernoulli().natural_parameter(1.0), "strictly between 0 and 1"),
        (lambda: Poisson().natural_parameter(0.0), "strictly between 0 and inf"),
        (lambda: Exponential().natural_parameter(0), "rate must be positive"),
        (lambda: Gaussian().natural_parameter(0, 0), "var must be positive"),
        (lambda: Categorical(2).natural_parameter([1.0, 0.0]), "theta"),
        (lambda: ConjugatePrior(Bernoulli(), 0, 0.5), "strength must be positive"),
        (lambda: ConjugatePrior(Bernoulli(), 1, 1.0), "strictly between 0 and 1"),
        (lambda: maximum_entropy([[1], [2]], [2.0]), "no distribution that is positive on all points"),
        (lambda: maximum_entropy([[1], [2]], [3.0]), "convex hull"),
        (lambda: maximum_entropy([[1, 0], [0, 1], [1, 1]], [1.0, 0.5]), "convex hull"),
        (lambda: maximum_entropy([[1], [2]], [1.0, 2.0]), "moments"),
        (lambda: GeneralizedLinearModel("binomial").fit([[0.0], [1.0]], [0, 1]), "family must be one of"),
        (lambda: GeneralizedLinearModel(tol=0).fit([[0.0], [1.0]], [0, 1]), "tol must be positive"),
        (lambda: GeneralizedLinearModel(alpha=-1).fit([[0.0], [1.0]], [0, 1]), "alpha must be finite and at least 0"),
        (lambda: GeneralizedLinearModel(max_iter=0).fit([[0.0], [1.0]], [0, 1]), "max_iter must be at least 1"),
        (lambda: GeneralizedLinearModel("bernoulli").fit([[0.0], [1.0]], [0, 2]), "y must hold only 0 and 1"),
        (lambda: GeneralizedLinearModel("bernoulli").fit([[0.0], [1.0]], [1, 1]), "y holds only 1.*no maximum"),
        (lambda: GeneralizedLinearModel("poisson").fit([[0.0], [1.0]], [0, 0]), "y holds only 0.*no maximum"),
        (lambda: GeneralizedLinearModel("poisson").fit([[0.0], [1.0]], [1, -1]), "y must hold non-negative counts"),
    ],
)
def test_arguments_that_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_family_says_what_it_lacks_and_a_model_that_it_is_not_fitted():
    for method in ("statistic", "log_partition", "mean_parameter", "covariance", "natural_from_mean"):
        with pytest.raises(NotImplementedError):
            getattr(Family(), method)([0.0])
    assert_array_equal(Family().log_base_measure([1.0, 2.0]), [0, 0])
    with pytest.raises(NotFittedError):
        GeneralizedLinearModel().predict([[0.0]])


def test_constant_targets_of_other_values_can_be_fitted():
    X = [[0.0], [1.0], [2.0]]
    assert_allclose(GeneralizedLinearModel("poisson").fit(X, [2, 2, 2]).predict(X), 2, rtol=1e-10)
    assert_allclose(GeneralizedLinearModel().fit(X, [0, 0, 0]).predict(X), 0, atol=1e-14)

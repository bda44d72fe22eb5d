"""Gaussian processes: a published number, independent routes, laws, extremes, errors."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.gaussian_process import GaussianProcessRegressor as Peer
from sklearn.gaussian_process import kernels as peers
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_diabetes
from notes_lib.foundations.multivariate_gaussian import MultivariateGaussian
from notes_lib.kernels.gaussian_process import (
    RBF,
    ConstantKernel,
    DotProduct,
    ExpSineSquared,
    GaussianProcessRegressor,
    WhiteKernel,
    gp_posterior,
    likelihood_gradient,
    log_marginal_likelihood,
    sample_functions,
)
from notes_lib.linear.bayesian_regression import log_evidence, predictive, weight_posterior
from notes_lib.numerics import NotPositiveDefiniteError, central_difference

SEVEN = (
    np.array([[-3.5], [-2.1], [0.4], [1.2], [2.3], [2.7], [3.8]]),
    np.array([1.1, 0.1, 0.6, 0.6, -0.4, -1.0, -0.6]),
)
LINE = 2.0 * RBF(0.7) + WhiteKernel(0.05)
PAIRS = [
    (ConstantKernel(1.7), peers.ConstantKernel(1.7)),
    (WhiteKernel(0.3), peers.WhiteKernel(0.3)),
    (RBF(0.6), peers.RBF(0.6)),
    (ExpSineSquared(0.8, 1.3), peers.ExpSineSquared(0.8, 1.3)),
    (DotProduct(0.4), peers.DotProduct(0.4)),
    (RBF(0.6) + 0.5, peers.RBF(0.6) + 0.5),
    (0.5 + RBF(0.6), 0.5 + peers.RBF(0.6)),
    (RBF(0.6) * 3.0, peers.RBF(0.6) * 3.0),
    (
        3.0 * RBF(2.0) * ExpSineSquared(0.8, 1.3) + DotProduct(0.4) * RBF(1.5) + WhiteKernel(0.1),
        3.0 * peers.RBF(2.0) * peers.ExpSineSquared(0.8, 1.3) + peers.DotProduct(0.4) * peers.RBF(1.5)
        + peers.WhiteKernel(0.1),
    ),
]  # fmt: skip
EACH_PAIR = pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=lambda kernel: type(kernel).__name__)


def data(seed, n=12, d=1):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, d))
    return X, np.sin(2 * X[:, 0]) + 0.2 * rng.normal(size=n)


# ------------------------------------------------------------------------------------------------- published number


@pytest.mark.equation("gaussian-process-target-variance", "gaussian-process-rbf")
def test_example_of_ebden():
    """Ebden (2008), Gaussian processes for regression: a quick introduction, section 2."""
    x = np.array([[-1.5], [-1.0], [-0.75], [-0.4], [-0.25], [0.0]])
    k = 1.27**2 * RBF(1.0) + WhiteKernel(0.3**2)
    K_star = k([[0.2]], x)[0]
    assert_allclose(K_star, [0.38, 0.79, 1.03, 1.35, 1.46, 1.58], atol=0.0055)
    model = GaussianProcessRegressor(k, alpha=0.0, optimizer=None).fit(x, np.zeros(6))
    assert model.predict([[0.2]], return_std=True)[1][0] ** 2 == pytest.approx(0.21, abs=0.0055)  # of a new target
    told = gp_posterior((1.27**2 * RBF(1.0))(x), K_star[None], [[1.27**2]], np.zeros(6), noise=0.09)
    assert told.covariance[0, 0] + 0.09 == pytest.approx(0.21, abs=0.0055)
    assert told.covariance[0, 0] == pytest.approx(0.116, abs=0.0005)  # by SciPy's solve, of the function


# ------------------------------------------------------------------------------------------------ independent routes


@pytest.mark.equation(
    "gaussian-process-prior", "gaussian-process-mean", "gaussian-process-covariance", "gaussian-process-joint",
    "gaussian-process-split", "gaussian-process-gain",
)  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_posterior_is_a_conditioned_gaussian(seed):
    X, y = data(seed)
    new = np.array([[-2.5], [0.1], [4.0]])
    k, noise = 2.0 * RBF(0.7), 0.05
    both = np.vstack([X, new])
    joint = k(both) + np.diag(np.r_[np.full(12, noise), np.zeros(3)])
    expected = MultivariateGaussian(np.zeros(15), joint).condition(np.arange(12), y)
    told = gp_posterior(k(X), k(new, X), k(new), y, noise)
    assert_allclose(told.mean, expected.mean, atol=1e-11)
    assert_allclose(told.covariance, expected.covariance, atol=1e-11)


@pytest.mark.parametrize("name", ["ConstantKernel", "WhiteKernel", "RBF", "ExpSineSquared", "DotProduct"])
def test_default_kernels_of_scikit_learn(name):
    x = np.array([[0.0], [0.3], [2.0]])
    assert_allclose(globals()[name]()(x), getattr(peers, name)()(x), rtol=1e-12)


@EACH_PAIR
def test_kernels_of_scikit_learn(ours, theirs):
    X, Y = data(1)[0], data(2, 5)[0]
    assert_allclose(ours(X), theirs(X), atol=1e-13)
    assert_allclose(ours(X, Y), theirs(X, Y), atol=1e-13)
    assert_allclose(ours.diagonal(X), theirs.diag(X), atol=1e-13)
    assert_allclose(np.sort(ours.theta), np.sort(theirs.theta), atol=1e-13)  # theirs sorts parameters by their names
    assert len(ours.names) == len(ours.theta)


@pytest.mark.equation(
    "gaussian-process-rbf-gradient", "gaussian-process-periodic-gradient", "gaussian-process-product-gradient",
)  # fmt: skip
@EACH_PAIR
def test_derivatives_of_kernels(ours, theirs):
    X = data(3)[0]
    K, derivatives = ours.gradients(X)
    assert_allclose(K, ours(X), atol=1e-14)
    numerical = central_difference(lambda t: ours.with_theta(t)(X), ours.theta)
    assert_allclose(derivatives, numerical, atol=1e-7)


def test_derivatives_where_the_kernel_underflows():
    K, (derivative,) = RBF(1e-3).gradients(np.array([[0.0], [1.0]]))
    assert_array_equal(K, np.eye(2))
    assert_array_equal(derivative, np.zeros((2, 2)))


@pytest.mark.equation("gaussian-process-likelihood")
@pytest.mark.parametrize("seed", range(4))
def test_likelihood_is_the_density_of_a_gaussian(seed):
    X, y = data(seed)
    K = LINE(X)
    found = log_marginal_likelihood(K, y)
    assert found.value == pytest.approx(MultivariateGaussian(np.zeros(12), K).logpdf(y), rel=1e-11)
    assert found.fit == pytest.approx(-0.5 * y @ np.linalg.inv(K) @ y, rel=1e-9)
    assert found.complexity == pytest.approx(-0.5 * np.linalg.slogdet(K)[1], rel=1e-9)


@pytest.mark.equation(
    "gaussian-process-likelihood-gradient", "gaussian-process-inverse-derivative",
    "gaussian-process-determinant-derivative",
)  # fmt: skip
@EACH_PAIR
def test_gradient_of_the_likelihood(ours, theirs):
    X, y = data(5)
    kernel = ours + 0.1 * WhiteKernel(1.0)
    model = GaussianProcessRegressor(kernel, alpha=0.01, optimizer=None).fit(X, y)
    value, slope = model.log_marginal_likelihood(eval_gradient=True)
    assert value == pytest.approx(model.log_marginal_likelihood(kernel.theta), rel=1e-13)
    assert_allclose(slope, central_difference(model.log_marginal_likelihood, kernel.theta), rtol=1e-6, atol=1e-6)
    K, derivatives = kernel.gradients(X)
    assert_allclose(slope, likelihood_gradient(K + 0.01 * np.eye(12), y, derivatives), rtol=1e-10, atol=1e-10)


@pytest.mark.equation("gaussian-process-cholesky")
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("normalize_y", [False, True])
def test_predictions_of_scikit_learn(d, normalize_y):
    X, y = data(6, 30, d)
    new = data(7, 9, d)[0]
    ours = GaussianProcessRegressor(LINE, alpha=0.03, optimizer=None, normalize_y=normalize_y).fit(X, y + 5)
    kernel = 2.0 * peers.RBF(0.7) + peers.WhiteKernel(0.05)
    theirs = Peer(kernel, alpha=0.03, optimizer=None, normalize_y=normalize_y).fit(X, y + 5)
    for option in ("return_std", "return_cov"):
        for a, b in zip(ours.predict(new, **{option: True}), theirs.predict(new, **{option: True}), strict=True):
            assert_allclose(a, b, atol=1e-11)
    assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-11)
    assert_allclose(ours.alpha_, theirs.alpha_, atol=1e-10)
    assert ours.log_marginal_likelihood() == pytest.approx(theirs.log_marginal_likelihood(), rel=1e-11)
    assert ours.log_marginal_likelihood_value_ == ours.log_marginal_likelihood()


@pytest.mark.parametrize("seed", range(3))
def test_fit_finds_the_optimum_of_scikit_learn(seed):
    X, y = data(seed, 40)
    ours = GaussianProcessRegressor(1.0 * RBF(1.0) + WhiteKernel(0.1)).fit(X, y)
    theirs = Peer(1.0 * peers.RBF(1.0) + peers.WhiteKernel(0.1)).fit(X, y)
    assert ours.log_marginal_likelihood_value_ == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-5)
    assert_allclose(ours.kernel_.theta, theirs.kernel_.theta, atol=5e-3)
    assert_allclose(ours.log_marginal_likelihood(eval_gradient=True)[1], 0, atol=1e-3)


@pytest.mark.equation("gaussian-process-kernel-ridge")
def test_mean_is_that_of_kernel_ridge():
    X, y = data(8, 25, 2)
    ridge = KernelRidge(alpha=0.3, kernel="rbf", gamma=0.5 / 0.9**2).fit(X, y)
    model = GaussianProcessRegressor(RBF(0.9), alpha=0.3, optimizer=None).fit(X, y)
    assert_allclose(model.predict(X + 0.1), ridge.predict(X + 0.1), atol=1e-11)
    assert_allclose(model.alpha_, ridge.dual_coef_, atol=1e-10)


@pytest.mark.equation("gaussian-process-weights", "gaussian-process-push-through", "gaussian-process-mean-weights")
@pytest.mark.parametrize("alpha", [0.5, 3.0])
def test_linear_kernel_is_bayesian_linear_regression(alpha):
    X, y = data(9, 15, 2)
    beta, new = 4.0, data(10, 4, 2)[0]
    rows = lambda A: np.column_stack([np.ones(len(A)), A])
    told = predictive(rows(new), weight_posterior(rows(X), y, alpha, beta), beta)
    model = GaussianProcessRegressor(1 / alpha * DotProduct(1.0) + WhiteKernel(1 / beta), alpha=0, optimizer=None)
    mean, std = model.fit(X, y).predict(new, return_std=True)
    assert_allclose(mean, told.mean, atol=1e-11)
    assert_allclose(std, told.std, atol=1e-11)
    assert model.log_marginal_likelihood() == pytest.approx(log_evidence(rows(X), y, alpha, beta), rel=1e-11)


@pytest.mark.equation("gaussian-process-loo")
def test_weights_are_errors_of_leaving_one_out():
    X, y = data(20, 10)
    model = GaussianProcessRegressor(LINE, alpha=0, optimizer=None).fit(X, y)
    precision = np.linalg.inv(LINE(X))
    for n in range(10):
        rest = np.arange(10) != n
        mean, std = clone(model).fit(X[rest], y[rest]).predict(X[[n]], return_std=True)
        assert mean[0] == pytest.approx(y[n] - model.alpha_[n] / precision[n, n], rel=1e-8)
        assert std[0] ** 2 == pytest.approx(1 / precision[n, n], rel=1e-8)


@pytest.mark.equation("gaussian-process-bumps")
def test_bumps_everywhere_are_the_gaussian_kernel():
    x, s, centres = np.array([-1.0, 0.2, 2.0]), 0.6, np.arange(-9, 9, 0.01)
    Phi = np.exp(-0.5 * ((x[:, None] - centres) / s) ** 2)
    assert_allclose(0.01 * Phi @ Phi.T, np.sqrt(np.pi) * s * RBF(np.sqrt(2) * s)(x[:, None]), rtol=1e-10)


# -------------------------------------------------------------------------------------------------------------- draws


@pytest.mark.equation("gaussian-process-sample")
def test_draws_have_the_moments():
    X, y = data(11, 4)
    new = np.array([[-1.0], [0.0], [2.0]])
    model = GaussianProcessRegressor(RBF(1.0), alpha=0.1, optimizer=None)
    prior = model.sample_y(new, 20_000, random_state=1)
    assert prior.shape == (3, 20_000)
    assert_allclose(prior.mean(axis=1), 0, atol=0.03)
    assert_allclose(np.cov(prior), RBF(1.0)(new), atol=0.05)
    mean, covariance = model.fit(X, y).predict(new, return_cov=True)
    after = model.sample_y(new, 20_000, random_state=2)
    assert_allclose(after.mean(axis=1), mean, atol=0.03)
    assert_allclose(np.cov(after), covariance, atol=0.03)
    assert_array_equal(after, model.sample_y(new, 20_000, random_state=2))
    assert_array_equal(model.sample_y(new), model.sample_y(new, 1, random_state=0))


def test_draws_of_a_singular_covariance_stay_on_its_plane():
    x = np.linspace(0, 1, 60)[:, None]
    draws = sample_functions(np.zeros(60), RBF(5.0)(x), 3, random_state=0)  # eigenvalues far below rounding
    assert np.isfinite(draws).all()
    assert np.abs(np.diff(draws, n=4, axis=0)).max() < 1e-5  # smooth: fourth differences vanish
    assert_array_equal(sample_functions([2.0], [[0.0]], 2), [[2.0, 2.0]])


# --------------------------------------------------------------------------------------------------------------- laws


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_more_data_never_raise_the_variance_of_the_function(seed):
    X, y = data(seed)
    fit = lambda n: GaussianProcessRegressor(RBF(1.0), alpha=0.1, optimizer=None).fit(X[:n], y[:n])
    new = np.linspace(-4, 4, 9)[:, None]
    few, more = (fit(n).predict(new, return_std=True)[1] for n in (8, 12))
    assert (more <= few + 1e-9).all()
    assert (few <= 1 + 1e-12).all()
    other = GaussianProcessRegressor(RBF(1.0), alpha=0.1, optimizer=None).fit(X[:8], y[::-1][:8])
    assert_array_equal(other.predict(new, return_std=True)[1], few)  # the targets do not enter


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_conditioning_in_two_rounds(seed):
    X, y = data(seed, 9)
    new, k, noise = np.array([[0.0], [5.0]]), RBF(1.2), 0.2
    at = np.vstack([X[5:], new])
    first = gp_posterior(k(X[:5]), k(at, X[:5]), k(at), y[:5], noise)
    m, C = first
    second = gp_posterior(C[:4, :4], C[4:, :4], C[4:, 4:], y[5:] - m[:4], noise)
    whole = gp_posterior(k(X), k(new, X), k(new), y, noise)
    assert_allclose(second.mean + m[4:], whole.mean, atol=1e-10)
    assert_allclose(second.covariance, whole.covariance, atol=1e-10)


def test_order_of_rows_does_not_count():
    X, y = data(12, 20, 2)
    order = np.random.default_rng(0).permutation(20)
    models = [GaussianProcessRegressor(LINE, optimizer=None).fit(A, t) for A, t in ((X, y), (X[order], y[order]))]
    assert_allclose(models[0].predict(X), models[1].predict(X), atol=1e-11)
    assert models[0].log_marginal_likelihood() == pytest.approx(models[1].log_marginal_likelihood(), rel=1e-12)


@pytest.mark.equation("gaussian-process-sum")
def test_parts_of_a_sum():
    """The mean of a sum is the sum of the means of its parts, each with its own cross-covariance."""
    X, y = data(13, 15)
    slow, fast = 2.0 * RBF(3.0), RBF(0.3)
    new = np.array([[0.2], [3.5]])
    whole = GaussianProcessRegressor(slow + fast, alpha=0.1, optimizer=None).fit(X, y)
    assert_allclose(whole.predict(new), (slow(new, X) + fast(new, X)) @ whole.alpha_, atol=1e-12)
    assert_allclose(whole.kernel_(X), slow(X) + fast(X), atol=1e-15)


@pytest.mark.equation("gaussian-process-product", "gaussian-process-periodic")
def test_product_with_a_periodic_kernel_forgets():
    k = RBF(10.0) * ExpSineSquared(0.5, 2.0)
    assert k([[0.0]], [[2.0]])[0, 0] == pytest.approx(np.exp(-4 / 200))  # a period later: only the slow factor
    assert k([[0.0]], [[1.0]])[0, 0] == pytest.approx(np.exp(-1 / 200 - 8))
    assert ExpSineSquared(0.5, 2.0)([[0.3]], [[6.3]])[0, 0] == pytest.approx(1.0)


@pytest.mark.equation("gaussian-process-noise")
def test_noise_as_alpha_or_as_a_white_kernel():
    X, y = data(14, 15)
    outside = GaussianProcessRegressor(RBF(0.8), alpha=0.2, optimizer=None).fit(X, y)
    inside = GaussianProcessRegressor(RBF(0.8) + WhiteKernel(0.2), alpha=0, optimizer=None).fit(X, y)
    (mean, std), (same, wider) = (m.predict(X, return_std=True) for m in (outside, inside))
    assert_allclose(same, mean, atol=1e-12)
    assert_allclose(wider**2, std**2 + 0.2, atol=1e-12)
    assert outside.log_marginal_likelihood() == pytest.approx(inside.log_marginal_likelihood(), rel=1e-12)


def test_without_noise_the_mean_passes_through_the_targets():
    x, y = np.array([[0.0], [1.0], [2.5]]), np.array([1.0, -2.0, 0.5])
    mean, std = GaussianProcessRegressor(RBF(1.0), alpha=0, optimizer=None).fit(x, y).predict(x, return_std=True)
    assert_allclose(mean, y, atol=1e-12)
    assert_allclose(std, 0, atol=1e-7)


def test_far_from_data_the_prior_comes_back():
    X, y = data(15)
    mean, std = (
        GaussianProcessRegressor(3.0 * RBF(1.0), alpha=0.1, optimizer=None)
        .fit(X, y)
        .predict([[100.0]], return_std=True)
    )
    assert mean[0] == 0
    assert std[0] == pytest.approx(np.sqrt(3), rel=1e-14)


def test_units_of_the_targets():
    X, y = data(16, 30)
    kernel = 1.0 * RBF(1.0) + WhiteKernel(0.1)
    small, large = (GaussianProcessRegressor(kernel, normalize_y=True).fit(X, c * y + 7) for c in (1e-6, 1e6))
    a, b = small.predict(X, return_std=True), large.predict(X, return_std=True)
    assert_allclose((a[0] - 7) / 1e-6, (b[0] - 7) / 1e6, rtol=1e-5, atol=1e-5)
    assert_allclose(a[1] / 1e-6, b[1] / 1e6, rtol=1e-5)


# ----------------------------------------------------------------------------------------------------------- extremes


def test_repeated_rows_with_noise_count_as_their_mean():
    x, y = np.array([[0.0], [0.0], [1.0]]), np.array([1.0, 3.0, 0.0])
    twice = GaussianProcessRegressor(RBF(1.0), alpha=0.4, optimizer=None).fit(x, y)
    K, cross = RBF(1.0)(x[1:]), RBF(1.0)([[0.3]], x[1:])
    expected = cross @ np.linalg.solve(K + np.diag([0.2, 0.4]), [2.0, 0.0])  # two measurements: half the noise
    assert_allclose(twice.predict([[0.3]]), expected, atol=1e-12)


def test_one_row_integers_single_precision_and_memory_order():
    one = GaussianProcessRegressor(RBF(1.0), alpha=1.0, optimizer=None).fit([[2]], [3])
    assert one.predict([[2]])[0] == pytest.approx(1.5, rel=1e-14)
    X, y = data(17, 20, 2)
    fit = lambda A, t: GaussianProcessRegressor(LINE, optimizer=None).fit(A, t).predict(X)
    assert_allclose(fit(X.astype(np.float32), y.astype(np.float32)), fit(X, y), atol=1e-4)
    assert_allclose(fit(np.asfortranarray(X), y), fit(X, y), atol=1e-12)
    assert_allclose(fit(np.repeat(X, 2, axis=0)[::2], np.repeat(y, 2)[::2]), fit(X, y), atol=1e-12)


def test_fit_does_not_change_its_input():
    X, y = data(18)
    kept = X.copy(), y.copy()
    model = GaussianProcessRegressor(1.0 * RBF(1.0) + WhiteKernel(0.1)).fit(X, y)
    assert_array_equal(X, kept[0])
    assert_array_equal(y, kept[1])
    X[0] = 99.0
    assert_array_equal(model.X_train_, kept[0])
    K = LINE(kept[0])
    log_marginal_likelihood(K, y)
    gp_posterior(K, K[:2], K[:2, :2], y, 0.1)
    likelihood_gradient(K, y, [K])
    assert_array_equal(K, LINE(kept[0]))


def test_two_optima_and_restarts():
    """Few points: explained by a fast function without noise, or by a slow one with noise."""
    x, y = SEVEN
    fast, slow = (
        GaussianProcessRegressor(RBF(length) + WhiteKernel(noise), alpha=0).fit(x, y)
        for length, noise in ((0.4, 0.003), (3.0, 0.5))
    )
    assert fast.log_marginal_likelihood_value_ > slow.log_marginal_likelihood_value_ + 1
    assert 3 * fast.kernel_.k1.length_scale < slow.kernel_.k1.length_scale
    assert 3 * fast.kernel_.k2.noise_level < slow.kernel_.k2.noise_level
    for model in (fast, slow):
        assert_allclose(model.log_marginal_likelihood(eval_gradient=True)[1], 0, atol=1e-3)
    restarted = GaussianProcessRegressor(
        RBF(3.0) + WhiteKernel(0.5), alpha=0, n_restarts_optimizer=10, random_state=0
    ).fit(x, y)  # fmt: skip
    assert restarted.log_marginal_likelihood_value_ == pytest.approx(fast.log_marginal_likelihood_value_, abs=1e-6)


def test_restarts_begin_where_a_parameter_may_be():
    """From a start near the limit, one in ten random steps would end beyond it."""
    x = np.linspace(0, 10, 12)[:, None]
    kernel = RBF(3e4) + WhiteKernel(0.01)
    model = GaussianProcessRegressor(kernel, alpha=0, n_restarts_optimizer=10, random_state=0).fit(x, np.sin(x[:, 0]))
    assert model.log_marginal_likelihood_value_ > model.log_marginal_likelihood(kernel.theta)


def test_restarts_that_rounding_cannot_use_are_left_out():
    x = np.linspace(0, 1, 30)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianProcessRegressor(RBF(0.05), alpha=0, n_restarts_optimizer=10, random_state=0)
        model.fit(x, np.sin(40 * x[:, 0]))
    assert model.predict(x) == pytest.approx(np.sin(40 * x[:, 0]), abs=1e-6)


def test_a_parameter_that_runs_away_is_named():
    x = np.linspace(0, 1, 8)[:, None]
    with pytest.warns(ConvergenceWarning, match="^no finite optimum of constant_value"):
        GaussianProcessRegressor(1.0 * RBF(0.1)).fit(x, np.zeros(8))


def test_parameters_stay_between_the_limits_of_scikit_learn():
    from notes_lib.kernels.gaussian_process.model import bounded

    assert_allclose(np.exp(bounded(np.array([-1e6, 1e6]))), np.exp(peers.RBF().bounds[0]), rtol=1e-9)


@pytest.mark.parametrize("power", [-4.9, 4.9])
def test_a_start_outside_the_range_is_refused(power):
    """Parameters stay between 10^-5 and 10^5."""
    X, y = data(21)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        GaussianProcessRegressor(RBF(10.0**power), alpha=0.1).fit(X, y)
    with pytest.raises(ValueError, match="kernel must start with parameters from 1e-5 to 1e5"):
        GaussianProcessRegressor(RBF(10.0 ** (power + 0.2 * np.sign(power))), alpha=0.1).fit(X, y)


def test_a_search_that_stops_early_is_said(monkeypatch):
    X, y = data(19)
    from notes_lib.kernels.gaussian_process import model

    search = model.lbfgs
    monkeypatch.setattr(model, "lbfgs", lambda *args, **options: search(*args, **(options | {"max_iter": 1})))
    with pytest.warns(ConvergenceWarning, match="stopped early"):
        GaussianProcessRegressor(RBF(1.0), alpha=0.1).fit(X, y)


def test_steps_into_singular_covariances_are_taken_back():
    X, y = np.linspace(0, 1, 30)[:, None], np.linspace(0, 1, 30) ** 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianProcessRegressor(1.0 * RBF(0.02), alpha=1e-13).fit(X, y)
    assert model.kernel_.k2.length_scale > 0.05
    assert_allclose(model.predict(X), y, atol=1e-4)


# ------------------------------------------------------------------------------------------------------------- errors


def test_equal_rows_without_noise():
    x = [[0.0], [1.0], [0.0]]
    with pytest.raises(ValueError, match=r"rows 0 and 2 of X are equal .* add noise"):
        GaussianProcessRegressor(RBF(1.0)).fit(x, [1.0, 2.0, 3.0])
    with pytest.raises(NotPositiveDefiniteError, match=r"row 2 repeats rows before it.* add noise") as caught:
        GaussianProcessRegressor(RBF(1.0), alpha=0).fit(x, [1.0, 2.0, 1.0])
    assert caught.value.index == 2
    near = [[0.0], [1.0], [1e-9]]
    with pytest.raises(NotPositiveDefiniteError, match=r"training row 2 .* to rounding"):
        GaussianProcessRegressor(RBF(1.0), alpha=0).fit(near, [1.0, 2.0, 1.0])
    for model in (GaussianProcessRegressor(alpha=0.1), GaussianProcessRegressor(WhiteKernel(0.1) + RBF(1.0))):
        model.set_params(optimizer=None).fit(x, [1.0, 2.0, 3.0])
    agree = GaussianProcessRegressor(RBF(1.0)).set_params(optimizer=None).fit(x, [1.0, 2.0, 1.0])  # the default alpha
    assert_allclose(agree.predict(x), [1.0, 2.0, 1.0], atol=1e-6)


def test_indefinite_matrices():
    with pytest.raises(NotPositiveDefiniteError, match="add noise"):
        log_marginal_likelihood([[1.0, 2.0], [2.0, 1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="covariance must have no negative eigenvalue"):
        sample_functions([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]])


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (lambda: RBF(0.0), "length_scale must be positive"),
        (lambda: RBF(-1.0), "length_scale must be finite and at least 0"),
        (lambda: WhiteKernel(0.0), "noise_level must be positive"),
        (lambda: ExpSineSquared(1.0, 0.0), "periodicity must be positive"),
        (lambda: 0.0 * RBF(), "constant_value must be positive"),
        (lambda: ExpSineSquared()(np.ones((2, 2))), "one column for a periodic kernel, got 2"),
        (lambda: RBF().with_theta([0.0, 1.0]), r"theta must be a vector of shape \(1,\)"),
        (lambda: (RBF() + 1.0).with_theta([0.0]), r"theta must be a vector of shape \(2,\)"),
        (lambda: RBF()([[1.0]], [[1.0, 2.0]]), "same number of columns"),
    ],
)
def test_bad_kernels(kernel, message):
    with pytest.raises(ValueError, match=message):
        kernel()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": -1.0}, "alpha must be finite and at least 0"),
        ({"optimizer": "newton"}, 'optimizer must be "lbfgs" or None'),
        ({"n_restarts_optimizer": -1}, "n_restarts_optimizer must be at least 0"),
        ({"kernel": RBF(1e-6)}, "kernel must start with parameters from 1e-5"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        GaussianProcessRegressor(**options).fit([[0.0], [1.0]], [0.0, 1.0])


def test_bad_calls():
    with pytest.raises(TypeError, match="kernel must be a Covariance"):
        GaussianProcessRegressor("rbf").fit([[0.0]], [0.0])
    model = GaussianProcessRegressor()
    with pytest.raises(NotFittedError):
        model.log_marginal_likelihood()
    model.fit([[0.0], [1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match="exclude each other"):
        model.predict([[0.0]], return_std=True, return_cov=True)
    with pytest.raises(ValueError, match=r"K must have shape \(3, 3\)"):
        log_marginal_likelihood(np.eye(2), [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match=r"K_cross must have shape \(1, 2\)"):
        gp_posterior(np.eye(2), np.ones((2, 2)), [[1.0]], [0.0, 1.0])
    with pytest.raises(ValueError, match=r"a derivative must have shape \(2, 2\)"):
        likelihood_gradient(np.eye(2), [0.0, 1.0], [np.eye(3)])
    with pytest.raises(ValueError, match="noise must be finite"):
        gp_posterior([[1.0]], [[1.0]], [[1.0]], [0.0], noise=-1.0)


def test_before_fit_it_predicts_the_prior():
    X = np.random.default_rng(3).normal(size=(6, 2))
    model = GaussianProcessRegressor(2.0 * RBF(0.7))
    peer = Peer(peers.ConstantKernel(2.0) * peers.RBF(0.7))
    assert_allclose(model.predict(X), peer.predict(X))
    for what in ("return_std", "return_cov"):
        for ours, theirs in zip(model.predict(X, **{what: True}), peer.predict(X, **{what: True}), strict=True):
            assert_allclose(ours, theirs, atol=1e-12)
    with pytest.raises(ValueError, match="exclude each other"):
        model.predict(X, return_std=True, return_cov=True)


# --------------------------------------------------------------------------------------------------------- contract


def test_contract_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # some of its targets do not determine the parameters
        check_estimator(GaussianProcessRegressor(), on_skip=None)
        check_estimator(GaussianProcessRegressor(1.0 * RBF(1.0) + WhiteKernel(0.1)), on_skip=None)


def test_real_data_pickle_clone_and_search():
    X, y = load_diabetes().X[:100], load_diabetes().y[:100]
    kernel = 1.0 * RBF(5.0) + WhiteKernel(0.5)
    model = make_pipeline(StandardScaler(), GaussianProcessRegressor(kernel, normalize_y=True)).fit(X, y)
    theirs = Peer(1.0 * peers.RBF(5.0) + peers.WhiteKernel(0.5), normalize_y=True)
    expected = make_pipeline(StandardScaler(), theirs).fit(X, y)
    assert_allclose(model.predict(X), expected.predict(X), rtol=1e-3)
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert clone(model)[-1].kernel == kernel
    search = GridSearchCV(GaussianProcessRegressor(alpha=0.5, optimizer=None), {"kernel": [RBF(1.0), RBF(50.0)]})
    assert search.fit(X, y).best_params_["kernel"] in (RBF(1.0), RBF(50.0))
    assert repr(RBF(2.0)) == "RBF(length_scale=2.0)"


@pytest.mark.parametrize("start", [1e-5, 1e5])
def test_a_start_at_the_end_of_the_range_is_an_ordinary_one(start):
    """The noise of the data is far from there, and found from there."""
    rng = np.random.default_rng(3)
    X = rng.uniform(0, 6, size=(40, 1))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = GaussianProcessRegressor(RBF(1.0) + WhiteKernel(start)).fit(X, y)
        usual = GaussianProcessRegressor(RBF(1.0) + WhiteKernel(0.1)).fit(X, y)
    assert model.kernel_.theta == pytest.approx(usual.kernel_.theta, abs=0.02)

"""Model selection: exact evidences, simulated optimism, refits, other libraries, laws, bad input."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import trapezoid
from scipy.special import betaln
from scipy.stats import norm
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LassoLarsIC, Ridge
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KNeighborsRegressor

from notes_lib.clustering.gmm import GaussianMixture as OurMixture
from notes_lib.linear.bayesian_regression import log_evidence
from notes_lib.theory.model_selection import (
    aic,
    bic,
    gaussian_log_likelihood,
    gcv_score,
    laplace_evidence,
    loo_score,
    mdl,
)


def line_data():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(12), np.linspace(-1, 1, 12), rng.normal(size=12)])
    return X, X @ [1.0, 2.0, 0.0] + rng.normal(size=12) / 2


def rss_of(X, y):
    return float(np.linalg.lstsq(X, y, rcond=None)[1][0])


@pytest.mark.equation("model-selection-gaussian")
def test_log_likelihood_is_the_sum_of_log_densities():
    X, y = line_data()
    residuals = y - X @ np.linalg.lstsq(X, y, rcond=None)[0]
    rss = rss_of(X, y)
    expected = norm.logpdf(residuals, scale=np.sqrt(rss / 12)).sum()
    assert_allclose(gaussian_log_likelihood(rss, 12), expected, rtol=1e-12)
    assert_allclose(gaussian_log_likelihood(rss, 12, 0.3), norm.logpdf(residuals, scale=0.3**0.5).sum(), rtol=1e-12)
    assert gaussian_log_likelihood(rss, 12) >= gaussian_log_likelihood(rss, 12, 0.3)


def test_perfect_fit_with_known_noise():
    assert_allclose(gaussian_log_likelihood(0.0, 3, 2.0), 3 * norm.logpdf(0, scale=2**0.5), rtol=1e-13)


@pytest.mark.equation("model-selection-aic", "model-selection-bic", "model-selection-regression")
def test_criteria_agree_with_other_implementations():
    points = np.random.default_rng(1).normal(size=(60, 2))
    theirs = GaussianMixture(2, random_state=0).fit(points)
    ell = theirs.score(points) * 60
    assert_allclose(aic(ell, 11), theirs.aic(points), rtol=1e-12)
    assert_allclose(bic(ell, 11, 60), theirs.bic(points), rtol=1e-12)
    ours = OurMixture(2, random_state=0).fit(points)
    assert_allclose(bic(ours.score_samples(points).sum(), 11, 60), ours.bic(points), rtol=1e-12)
    X, y = line_data()
    model = LassoLarsIC("bic", noise_variance=0.3).fit(X[:, 1:], y)
    ell = gaussian_log_likelihood(rss_of(X, y), 12, 0.3)
    assert_allclose(
        bic(ell, 2, 12), model.criterion_[-1], rtol=1e-10
    )  # scikit-learn counts neither intercept nor noise
    k, rss = np.array([3, 4]), np.array([rss_of(X[:, :2], y), rss_of(X, y)])
    printed = 12 * np.log(rss / 12) + k * np.log(12)  # differs by the same constant for every model
    assert_allclose(np.diff(bic(gaussian_log_likelihood(rss, 12), k, 12)), np.diff(printed), rtol=1e-12)


@pytest.mark.equation("model-selection-aicc", "model-selection-optimism")
def test_small_sample_form_is_the_exact_optimism_of_gaussian_regression():
    rng = np.random.default_rng(2)
    X, n, k = line_data()[0], 12, 4
    Q = np.linalg.qr(X)[0]
    train, fresh = rng.normal(size=(2, 40_000, n))
    fits = train @ Q @ Q.T
    variance = ((train - fits) ** 2).mean(axis=1)
    optimism = ((fresh - fits) ** 2).sum(axis=1) / variance - n  # -2 log-likelihood on new targets minus the maximum's
    error = optimism.std() / 200
    charge = aic(0.0, k, n)
    assert_allclose(charge, 2 * k + 2 * k * (k + 1) / (n - k - 1), rtol=1e-13)
    assert abs(optimism.mean() - charge) < 4 * error < 1 < abs(optimism.mean() - aic(0.0, k))


def test_bad_input_of_the_criteria():
    with pytest.raises(ValueError, match="n_samples must be above n_parameters"):
        aic(-1.0, 3, 4)
    assert np.isfinite(aic(-1.0, 3, 5))
    with pytest.raises(ValueError, match=r"n_parameters \+ 1 = 6 .* got 4"):
        aic([-1.0, -1.0], [2, 5], 4)
    for wrong in ({"log_likelihood": np.nan, "n_parameters": 1}, {"log_likelihood": -1.0, "n_parameters": -1},
                  {"log_likelihood": -1.0, "n_parameters": 1.5}):  # fmt: skip
        with pytest.raises(ValueError, match=r"log_likelihood|n_parameters"):
            aic(**wrong)
        with pytest.raises(ValueError, match=r"log_likelihood|n_parameters"):
            bic(**wrong, n_samples=5)
    with pytest.raises(ValueError, match="one entry for each model"):
        bic([-1.0, -2.0], [1], 5)
    with pytest.raises(ValueError, match="n_samples"):
        bic(-1.0, 1, 0)
    with pytest.raises(ValueError, match="n_models"):
        mdl(-1.0, 1, 5, n_models=0)
    for rss, noise in ((-1.0, None), (-1.0, 2.0), ([-1.0, 1.0], 2.0), (0.0, None), ([0.0, 1.0], None)):
        with pytest.raises(ValueError, match="rss must be positive"):
            gaussian_log_likelihood(rss, 5, noise)
    with pytest.raises(ValueError, match="noise"):
        gaussian_log_likelihood(1.0, 5, 0.0)
    with pytest.raises(ValueError, match="rss"):
        gaussian_log_likelihood(np.inf, 5)


def test_units_of_the_target_decide_nothing():
    X, y = line_data()
    rss = np.array([rss_of(X[:, :2], y), rss_of(X, y)])
    for criterion in (lambda ell: aic(ell, [3, 4]), lambda ell: aic(ell, [3, 4], 12), lambda ell: bic(ell, [3, 4], 12)):
        small, large = criterion(gaussian_log_likelihood(rss, 12)), criterion(gaussian_log_likelihood(100 * rss, 12))
        assert_allclose(np.diff(small), np.diff(large), rtol=1e-10)


def test_bic_charges_more_from_eight_instances_on():
    assert bic(0.0, 1, 7) < aic(0.0, 1) < bic(0.0, 1, 8)


@pytest.mark.equation("model-selection-mdl")
def test_code_is_half_of_bic_in_bits_plus_the_name_of_the_model():
    code = mdl([-30.0, -25.0], [1, 3], 50, n_models=8)
    assert_allclose(code.model, [3, 3])
    assert_allclose(code.total - 3, bic([-30.0, -25.0], [1, 3], 50) / (2 * np.log(2)), rtol=1e-13)
    assert mdl(-1.0, 2, 64).parameters == 6
    assert mdl(-1.0, 0, 64).model == 0
    assert mdl(-1.0, 0, 64).total == 1 / np.log(2)


@pytest.mark.equation("model-selection-laplace", "model-selection-evidence")
def test_laplace_is_exact_for_bayesian_regression():
    X, y = line_data()
    alpha, beta = 0.7, 4.0
    A = alpha * np.eye(3) + beta * X.T @ X
    w = beta * np.linalg.solve(A, X.T @ y)
    joint = norm.logpdf(y - X @ w, scale=beta**-0.5).sum() + norm.logpdf(w, scale=alpha**-0.5).sum()
    assert_allclose(laplace_evidence(joint, A), log_evidence(X, y, alpha, beta), rtol=1e-12)


@pytest.mark.equation("model-selection-laplace-bic")
def test_laplace_of_a_coin_comes_near_the_exact_evidence_like_one_over_n():
    gaps = []
    for n in (40, 400):
        heads = n // 4
        theta = heads / n
        joint = heads * np.log(theta) + (n - heads) * np.log(1 - theta)  # uniform prior
        gaps.append(laplace_evidence(joint, [[n / (theta * (1 - theta))]]) - betaln(heads + 1, n - heads + 1))
        assert abs(-bic(joint, 1, n) / 2 - betaln(heads + 1, n - heads + 1)) < 0.5 * np.log(2 * np.pi)
    assert abs(gaps[0]) < 0.05
    assert_allclose(gaps[0] / gaps[1], 10, rtol=0.1)


@pytest.mark.equation("model-selection-posterior")
def test_probabilities_of_models_from_bic_come_near_those_from_the_evidence():
    """A fair coin has no parameter; against it, a coin with a Gaussian prior of one instance around its maximum."""
    n, heads = 400, 225
    theta = heads / n
    ell = np.array([n * np.log(0.5), heads * np.log(theta) + (n - heads) * np.log(1 - theta)])
    grid = np.linspace(1e-6, 1 - 1e-6, 400_001)
    prior = norm.pdf(grid, theta, np.sqrt(theta * (1 - theta)))
    unit = trapezoid(np.exp(heads * np.log(grid) + (n - heads) * np.log(1 - grid) - ell[1]) * prior, grid)
    exact = 1 / (1 + np.exp(ell[0] - ell[1]) / unit)
    weights = np.exp(-bic(ell, [0, 1], n) / 2)
    assert_allclose(weights[1] / weights.sum(), exact, rtol=0.005)
    assert 0.2 < exact < 0.8


@pytest.mark.equation("model-selection-overfit")
def test_a_column_is_kept_where_its_squared_coefficient_is_above_the_charge():
    X, y = line_data()
    rss = np.array([rss_of(X[:, :2], y), rss_of(X, y)])
    for factor in (0.99, 1.01):
        for charge, criterion in ((2, aic), (np.log(12), lambda ell, k: bic(ell, k, 12))):
            noise = (rss[0] - rss[1]) / (charge * factor)  # the squared coefficient is charge * factor variances
            small, large = criterion(gaussian_log_likelihood(rss, 12, noise), [2, 3])
            assert (large < small) == (factor > 1)


@pytest.mark.equation("model-selection-expand-new", "model-selection-expand-data", "model-selection-kl")
def test_two_halves_of_the_optimism_for_a_gaussian_mean():
    rng = np.random.default_rng(4)
    z = rng.normal(size=(20_000, 8)) + 1
    means = z.mean(axis=1)
    on_data = (norm.logpdf(z, means[:, None]) - norm.logpdf(z, 1)).sum(axis=1)
    on_new = 8 * (means - 1) ** 2 / 2  # N times the divergence of N(1, 1) from N(mean, 1)
    assert_allclose(on_data, on_new, atol=1e-12)
    assert abs((on_data + on_new).mean() - aic(0.0, 1) / 2) < 4 * (2 * on_new).std() / np.sqrt(20_000) < 0.1


@pytest.mark.equation("model-selection-precision")
def test_best_precision_of_a_parameter():
    means = np.random.default_rng(5).uniform(-50, 50, 20_000)
    spacing = np.geomspace(0.05, 2, 200)
    n, variance = 50, 3.0
    loss = [n / (2 * variance) * np.mean((means - s * np.round(means / s)) ** 2) for s in spacing]
    assert_allclose(spacing[np.argmin(loss - np.log(spacing))], np.sqrt(12 * variance / n), rtol=0.05)


@pytest.mark.equation("model-selection-curse-bound", "model-selection-jensen")
@pytest.mark.parametrize("m", [2, 10, 1000])
def test_largest_of_many_scores_stays_below_the_bound(m):
    z = np.linspace(-10, 10, 20_001)
    largest = trapezoid(z * m * norm.pdf(z) * norm.cdf(z) ** (m - 1), z)
    assert 0.45 * np.sqrt(2 * np.log(m)) < largest < np.sqrt(2 * np.log(m))


def test_bad_input_of_laplace():
    with pytest.raises(ValueError, match="precision is not positive definite"):
        laplace_evidence(0.0, [[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match="precision must be symmetric"):
        laplace_evidence(0.0, [[1.0, 2.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="log_joint"):
        laplace_evidence(np.nan, [[1.0]])


def columns(fit, n):
    """The matrix of a smoother, one unit target at a time."""
    return np.column_stack([fit(e) for e in np.eye(n)])


@pytest.mark.equation("model-selection-loo", "model-selection-replace")
@pytest.mark.parametrize("model", [Ridge(0.5, fit_intercept=False), Ridge(2.0), KernelRidge(alpha=0.3, kernel="rbf")])
def test_shortcut_against_refits(model):
    X, y = line_data()
    X = X[:, 1:]
    refits = [
        y[n] - model.fit(np.delete(X, n, 0), np.delete(y, n)).predict(X[n : n + 1])[0] for n in range(12)
    ]  # fmt: skip
    L = columns(lambda e: model.fit(X, e).predict(X), 12)
    assert_allclose(loo_score(L, y), np.mean(np.square(refits)), rtol=1e-9)


def test_shortcut_of_neighbours_is_the_mean_of_the_others():
    X, y = line_data()
    X = X[:, 1:2] ** 3 + X[:, 2:]
    L = columns(lambda e: KNeighborsRegressor(4).fit(X, e).predict(X), 12)
    refits = [
        y[n] - KNeighborsRegressor(3).fit(np.delete(X, n, 0), np.delete(y, n)).predict(X[n : n + 1])[0]
        for n in range(12)
    ]
    assert_allclose(loo_score(L, y), np.mean(np.square(refits)), rtol=1e-12)


@pytest.mark.equation("model-selection-gcv")
def test_gcv_is_loo_with_equal_leverages_and_does_not_change_under_rotation():
    y = np.array([1.0, 4.0, 2.0, 9.0])
    mean = np.full((4, 4), 0.25)
    assert_allclose(gcv_score(mean, y), loo_score(mean, y), rtol=1e-13)
    X, y = line_data()
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(12, 12)))[0]
    hats = [A @ np.linalg.pinv(A) for A in (X, turn @ X)]
    assert_allclose(gcv_score(hats[0], y), 12 * rss_of(X, y) / (12 - 3) ** 2, rtol=1e-12)
    assert_allclose(gcv_score(hats[0], y), gcv_score(hats[1], turn @ y), rtol=1e-12)
    assert abs(loo_score(hats[0], y) - loo_score(hats[1], turn @ y)) > 1e-3


def test_bad_input_of_the_scores():
    for score in (loo_score, gcv_score):
        with pytest.raises(ValueError, match="leverages must be below 1"):
            score(np.eye(2), [1.0, 2.0])
        with pytest.raises(ValueError, match="L must be"):
            score(np.ones((2, 3)), [1.0, 2.0])
        with pytest.raises(ValueError, match="y must be"):
            score(np.full((2, 2), 0.5), [1.0, 2.0, 3.0])

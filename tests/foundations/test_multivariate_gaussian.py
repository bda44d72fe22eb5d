"""The multivariate Gaussian: published numbers, independent routes, laws, extremes, errors."""

import copy
import itertools
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn.covariance import ledoit_wolf as sklearn_ledoit_wolf

from notes_lib.datasets import load_iris
from notes_lib.foundations.linear_algebra import qr_solve, schur_complement
from notes_lib.foundations.multivariate_gaussian import (
    MultivariateGaussian,
    conditional_gain,
    correlation_interval,
    ellipsoid_probability,
    ellipsoid_radius,
    gaussian_mle_multivariate,
    kl_gaussian,
    ledoit_wolf,
    linear_gaussian,
    mahalanobis,
    mardia_test,
    partial_correlation,
)
from notes_lib.numerics import NotPositiveDefiniteError, central_difference

SEEDS = st.integers(0, 10_000)


def gaussian(seed, d):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d + 2, d)) * rng.uniform(0.3, 3, size=d)
    return MultivariateGaussian(rng.normal(size=d), A.T @ A)


def by_scipy(g):
    return stats.multivariate_normal(g.mean, g.covariance)


def grid_expectation(f, g, degree=20):
    """Expectation under a Gaussian by Gauss-Hermite quadrature on the eigenvectors; exact for polynomials."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(degree)
    d = len(g.mean)
    Z = np.array(np.meshgrid(*[nodes] * d)).reshape(d, -1).T
    W = np.prod(np.array(np.meshgrid(*[weights] * d)).reshape(d, -1), axis=0) / np.sqrt(2 * np.pi) ** d
    values, V = np.linalg.eigh(g.covariance)
    return W @ np.array([f(x) for x in g.mean + Z @ (V * np.sqrt(values)).T])


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("multivariate-gaussian-mahalanobis")
def test_scipy_documentation_of_mahalanobis():
    # SciPy reference, scipy.spatial.distance.mahalanobis: it takes the inverse covariance
    covariance = np.linalg.inv([[1, 0.5, 0.5], [0.5, 1, 0.5], [0.5, 0.5, 1]])
    found = mahalanobis([[1, 0, 0], [0, 2, 0], [2, 0, 0]], [0, 1, 0], covariance)
    assert_allclose(found, [1.0, 1.0, 1.7320508075688772], rtol=1e-12)


@pytest.mark.equation("multivariate-gaussian-gain", "multivariate-gaussian-conditional-mean")
@pytest.mark.equation("multivariate-gaussian-conditional-covariance")
def test_johnson_wichern_best_linear_predictor():
    # Johnson and Wichern, Applied Multivariate Statistical Analysis, example 7.11: 3 + z1 - 2 z2, mean square error 7
    Sigma = np.array([[10.0, 1, -1], [1, 7, 3], [-1, 3, 2]])
    g = MultivariateGaussian([5, 2, 0], Sigma)
    assert_allclose(conditional_gain(Sigma, [1, 2]), [[1, -2]], rtol=1e-12)
    for z in [[0.0, 0.0], [1.0, 4.0], [-2.0, 0.5]]:
        conditional = g.condition([1, 2], z)
        assert_allclose(conditional.mean, [3 + z[0] - 2 * z[1]], rtol=0, atol=1e-13)
        assert_allclose(conditional.covariance, [[7.0]], rtol=1e-12)


@pytest.mark.equation("multivariate-gaussian-marginal", "multivariate-gaussian-independence")
def test_johnson_wichern_independent_block():
    # same book, example 4.6: (X1, X2) and X3 are independent, X1 and X2 are not
    g = MultivariateGaussian([0, 0, 0], [[4, 1, 0], [1, 3, 0], [0, 0, 2]])
    pair, third = g.marginal([0, 1]), g.marginal(2)
    x = np.array([0.7, -1.2, 2.0])
    assert g.logpdf(x) == pytest.approx(pair.logpdf(x[:2]) + third.logpdf(x[2:]), rel=1e-14)
    assert_allclose(g.condition(2, 2.0).covariance, pair.covariance, rtol=1e-14)
    assert abs(pair.logpdf(x[:2]) - pair.marginal(0).logpdf(x[:1]) - pair.marginal(1).logpdf(x[1:2])) > 1e-3


@pytest.mark.equation("multivariate-gaussian-mle")
def test_johnson_wichern_maximum_likelihood():
    # same book, exercise 4.18
    mean, covariance = gaussian_mle_multivariate([[3, 6], [4, 4], [5, 7], [4, 7]])
    assert_allclose(mean, [4, 6], rtol=1e-15)
    assert_allclose(covariance, [[0.5, 0.25], [0.25, 1.5]], rtol=1e-15)


@pytest.mark.equation("multivariate-gaussian-mle", "multivariate-gaussian-bias")
def test_lindsay_smith_covariance():
    # L. I. Smith (2002), A tutorial on principal components analysis: printed with divisor n - 1 = 9
    X = np.array([[2.5, 2.4], [0.5, 0.7], [2.2, 2.9], [1.9, 2.2], [3.1, 3.0], [2.3, 2.7], [2.0, 1.6], [1.0, 1.1],
                  [1.5, 1.6], [1.1, 0.9]])  # fmt: skip
    mean, covariance = gaussian_mle_multivariate(X)
    assert_allclose(mean, [1.81, 1.91], rtol=1e-14)
    printed = [[0.616555556, 0.615444444], [0.615444444, 0.716555556]]
    assert_allclose(covariance * 10 / 9, printed, rtol=0, atol=6e-10)


@pytest.mark.equation("multivariate-gaussian-coverage")
def test_tables_of_chi_square():
    # 95 % points of chi-square with 1, 2, 3 and 10 degrees of freedom, as in every table: 3.841, 5.991, 7.815, 18.307
    radii = [ellipsoid_radius(0.95, d) for d in (1, 2, 3, 10)]
    assert_allclose(np.square(radii), [3.841, 5.991, 7.815, 18.307], rtol=0, atol=5e-4)
    assert_allclose(ellipsoid_probability([1, 2, 3], 1), [0.6827, 0.9545, 0.9973], rtol=0, atol=5e-5)


CORK = np.array([
    [72, 66, 76, 77], [60, 53, 66, 63], [56, 57, 64, 58], [41, 29, 36, 38], [32, 32, 35, 36], [30, 35, 34, 26],
    [39, 39, 31, 27], [42, 43, 31, 25], [37, 40, 31, 25], [33, 29, 27, 36], [32, 30, 34, 28], [63, 45, 74, 63],
    [54, 46, 60, 52], [47, 51, 52, 43], [91, 79, 100, 75], [56, 68, 47, 50], [79, 65, 70, 61], [81, 80, 68, 58],
    [78, 55, 67, 60], [46, 38, 37, 38], [39, 35, 34, 37], [32, 30, 30, 32], [60, 50, 67, 54], [35, 37, 48, 39],
    [39, 36, 39, 31], [50, 34, 37, 40], [43, 37, 39, 50], [48, 54, 57, 43],
])  # fmt: skip


@pytest.mark.equation("multivariate-gaussian-mardia")
def test_mardia_of_the_cork_borings():
    # Mardia, Kent and Bibby (1979), section 1.8: 28 trees, four directions (Rao 1948), b_1,4 = 4.476, b_2,4 = 22.957
    found = mardia_test(CORK)
    assert_allclose([found.skewness, found.kurtosis], [4.476, 22.957], rtol=0, atol=5e-4)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("multivariate-gaussian-density", "multivariate-gaussian-logpdf")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("d", [1, 2, 5])
def test_log_density_as_scipy(seed, d):
    g = gaussian(seed, d)
    X = np.random.default_rng(seed + 9).normal(size=(7, d)) * 4
    assert_allclose(g.logpdf(X), np.atleast_1d(by_scipy(g).logpdf(X)), rtol=1e-10)
    assert isinstance(g.logpdf(X[0]), float)
    assert g.logpdf(X[0]) == pytest.approx(g.logpdf(X)[0], rel=1e-14)


@pytest.mark.equation("multivariate-gaussian-density")
def test_density_integrates_to_one():
    g = MultivariateGaussian([0.5, -1], [[1.0, 0.6], [0.6, 0.8]])
    axis = np.arange(-9, 9, 0.05)
    grid = np.array(np.meshgrid(axis, axis)).reshape(2, -1).T
    assert np.exp(g.logpdf(grid)).sum() * 0.05**2 == pytest.approx(1, abs=1e-10)


@pytest.mark.equation("multivariate-gaussian-mahalanobis", "multivariate-gaussian-whitening")
@pytest.mark.parametrize("seed", range(3))
def test_mahalanobis_by_inverse_and_by_axes(seed):
    g = gaussian(seed, 4)
    X = np.random.default_rng(seed).normal(size=(6, 4))
    D = X - g.mean
    squares = np.einsum("ni,ij,nj->n", D, np.linalg.inv(g.covariance), D)
    assert_allclose(mahalanobis(X, g.mean, g.covariance) ** 2, squares, rtol=1e-9)
    values, V = np.linalg.eigh(g.covariance)
    assert_allclose(mahalanobis(X, g.mean, g.covariance), np.linalg.norm(D @ V / np.sqrt(values), axis=1), rtol=1e-9)
    assert isinstance(mahalanobis(X[0], g.mean, g.covariance), float)


@pytest.mark.equation("multivariate-gaussian-coverage")
@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_coverage_as_scipy(d):
    radii = np.array([0.0, 0.3, 1, 2, 5])
    assert_allclose(ellipsoid_probability(radii, d), stats.chi2(d).cdf(radii**2), rtol=1e-12)
    assert ellipsoid_radius(0.5, d) == pytest.approx(np.sqrt(stats.chi2(d).ppf(0.5)), rel=1e-12)
    assert isinstance(ellipsoid_probability(1.0, d), float)
    assert_allclose(ellipsoid_probability(radii, 2), 1 - np.exp(-(radii**2) / 2), rtol=1e-12)


@pytest.mark.equation("multivariate-gaussian-conditional", "multivariate-gaussian-marginal")
@pytest.mark.parametrize("seed", range(4))
def test_conditional_is_joint_over_marginal(seed):
    g = gaussian(seed, 5)
    x = np.random.default_rng(seed).normal(size=5)
    b = [3, 0]  # not in order
    a = [1, 2, 4]
    left = g.condition(b, x[b]).logpdf(x[a])
    assert left == pytest.approx(by_scipy(g).logpdf(x) - by_scipy(g.marginal(b)).logpdf(x[b]), rel=1e-9)


@pytest.mark.equation("multivariate-gaussian-conditional-mean", "multivariate-gaussian-conditional-covariance")
@pytest.mark.equation("multivariate-gaussian-conditional-precision")
def test_conditional_in_fractions_and_by_precision():
    Sigma = [[4, 2, 1], [2, 3, -1], [1, -1, 5]]
    F = [[Fraction(v) for v in row] for row in Sigma]
    det = F[1][1] * F[2][2] - F[1][2] ** 2
    gain = [(F[0][1] * F[2][2] - F[0][2] * F[1][2]) / det, (F[0][2] * F[1][1] - F[0][1] * F[1][2]) / det]
    variance = F[0][0] - gain[0] * F[0][1] - gain[1] * F[0][2]
    c = MultivariateGaussian([1, 2, 3], Sigma).condition([1, 2], [4, -1])
    assert_allclose(c.mean, [float(1 + gain[0] * 2 + gain[1] * -4)], rtol=1e-14)
    assert_allclose(c.covariance, [[float(variance)]], rtol=1e-14)
    g = gaussian(3, 5)
    Lambda = np.linalg.inv(g.covariance)
    a, b, x_b = [1, 2, 4], [3, 0], np.array([0.4, -2.0])
    found = g.condition(b, x_b)
    assert_allclose(found.covariance, np.linalg.inv(Lambda[np.ix_(a, a)]), rtol=1e-9)
    shift = np.linalg.solve(Lambda[np.ix_(a, a)], Lambda[np.ix_(a, b)] @ (x_b - g.mean[b]))
    assert_allclose(found.mean, g.mean[a] - shift, rtol=1e-9)


@pytest.mark.equation("multivariate-gaussian-marginal")
def test_marginal_by_integration():
    g = gaussian(1, 2)
    axis = np.linspace(g.mean[1] - 60, g.mean[1] + 60, 20_001)
    for x in [-1.0, 0.5, 2.0]:
        line = np.exp(g.logpdf(np.column_stack([np.full_like(axis, x), axis])))
        assert line.sum() * (axis[1] - axis[0]) == pytest.approx(np.exp(g.marginal(0).logpdf([x])), rel=1e-9)


@pytest.mark.equation("multivariate-gaussian-affine")
@pytest.mark.parametrize("seed", range(3))
def test_affine_by_change_of_variables(seed):
    g = gaussian(seed, 3)
    rng = np.random.default_rng(seed)
    A, b, x = rng.normal(size=(3, 3)), rng.normal(size=3), rng.normal(size=3)
    mapped = g.affine(A, b)
    assert mapped.logpdf(A @ x + b) == pytest.approx(g.logpdf(x) - np.log(abs(np.linalg.det(A))), rel=1e-9)
    wide = g.affine(A[:2], b[:2])
    assert_allclose(wide.mean, A[:2] @ g.mean + b[:2], rtol=1e-12)
    assert_allclose(wide.covariance, A[:2] @ g.covariance @ A[:2].T, rtol=1e-12)
    assert_array_equal(g.affine(A).mean, A @ g.mean)


@pytest.mark.equation("multivariate-gaussian-moments")
def test_mean_and_covariance_are_the_moments():
    g = gaussian(5, 2)
    assert_allclose(grid_expectation(lambda x: x, g), g.mean, rtol=1e-10)
    second = grid_expectation(lambda x: np.outer(x, x).ravel(), g).reshape(2, 2)
    assert_allclose(second, g.covariance + np.outer(g.mean, g.mean), rtol=1e-10)


@pytest.mark.equation("multivariate-gaussian-sampling")
def test_samples_have_the_moments():
    g = MultivariateGaussian([10.0, -3.0, 0.0], [[4.0, -1.5, 0.5], [-1.5, 1.0, 0.2], [0.5, 0.2, 2.0]])
    n = 40_000
    X = g.sample(n, random_state=0)
    assert X.shape == (n, 3)
    error = np.sqrt(np.diag(g.covariance) / n)
    assert (np.abs(X.mean(axis=0) - g.mean) < 4 * error).all()
    variances = np.diag(g.covariance)
    spread = np.sqrt((np.outer(variances, variances) + g.covariance**2) / n)  # standard error of a covariance
    assert (np.abs(np.cov(X.T) - g.covariance) < 4 * spread).all()
    squares = mahalanobis(X, g.mean, g.covariance) ** 2
    assert stats.kstest(squares, stats.chi2(3).cdf).pvalue > 1e-3


@pytest.mark.equation("multivariate-gaussian-sampling", "multivariate-gaussian-whitening")
def test_samples_are_the_generator_s_numbers_mapped():
    g = gaussian(2, 3)
    Z = np.random.default_rng(7).standard_normal((5, 3))
    for state in (7, np.random.default_rng(7)):
        assert_allclose(g.sample(5, state), g.mean + Z @ np.linalg.cholesky(g.covariance).T, rtol=1e-10)
    assert g.sample().shape == (1, 3)


@pytest.mark.equation("multivariate-gaussian-mle", "multivariate-gaussian-score")
def test_maximum_likelihood_is_stationary_and_highest():
    X = load_iris().X[:50, :3]
    mu, Sigma = gaussian_mle_multivariate(X)
    assert_allclose(Sigma, np.cov(X.T, bias=True), rtol=1e-10)

    def log_likelihood(mean, Lambda):
        D = X - mean
        return 0.5 * (50 * np.linalg.slogdet(Lambda)[1] - np.einsum("ni,ij,nj->", D, Lambda, D))

    best = np.linalg.inv(Sigma)
    assert np.abs(central_difference(lambda m: log_likelihood(m, best), mu)).max() < 1e-4
    assert np.abs(central_difference(lambda L: log_likelihood(mu, L), best)).max() < 1e-4
    peak = MultivariateGaussian(mu, Sigma).logpdf(X).sum()
    rng = np.random.default_rng(0)
    for scale in [1e-3, 0.1]:
        for _ in range(20):
            F = np.linalg.cholesky(Sigma) @ (np.eye(3) + scale * rng.normal(size=(3, 3)))
            other = MultivariateGaussian(mu + scale * rng.normal(size=3) / 10, F @ F.T)
            assert other.logpdf(X).sum() < peak


@pytest.mark.equation("multivariate-gaussian-kl", "multivariate-gaussian-kl-triangular")
@pytest.mark.parametrize("seed", range(4))
def test_kl_by_its_formula_and_by_quadrature(seed):
    p, q = gaussian(seed, 2), gaussian(seed + 50, 2)
    Qi, m = np.linalg.inv(q.covariance), p.mean - q.mean
    logdet = np.linalg.slogdet(q.covariance)[1] - np.linalg.slogdet(p.covariance)[1]
    formula = 0.5 * (np.trace(Qi @ p.covariance) + m @ Qi @ m - 2 + logdet)
    assert kl_gaussian(p, q) == pytest.approx(formula, rel=1e-9)
    integral = grid_expectation(lambda x: by_scipy(p).logpdf(x) - by_scipy(q).logpdf(x), p, degree=6)
    assert kl_gaussian(p, q) == pytest.approx(integral, rel=1e-9)


@pytest.mark.equation("multivariate-gaussian-partial")
@pytest.mark.parametrize("seed", range(3))
def test_partial_correlation_is_that_of_the_conditional(seed):
    g = gaussian(seed, 4)
    R = partial_correlation(g.covariance)
    for i, j in [(0, 1), (2, 0), (3, 1)]:
        rest = [k for k in range(4) if k not in (i, j)]
        C = schur_complement(g.covariance, rest)
        assert R[i, j] == pytest.approx(C[0, 1] / np.sqrt(C[0, 0] * C[1, 1]), rel=1e-9)
    assert_array_equal(np.diag(R), 1)
    assert_array_equal(R, R.T)


@pytest.mark.equation("multivariate-gaussian-precision", "multivariate-gaussian-partial")
def test_chain_has_a_zero_in_the_precision_only():
    # x1 = e1, x2 = x1 + e2, x3 = x2 + e3: x1 and x3 are correlated, and independent given x2
    walk = MultivariateGaussian(np.zeros(3), np.eye(3)).affine(np.tril(np.ones((3, 3))))
    assert_allclose(walk.covariance, [[1, 1, 1], [1, 2, 2], [1, 2, 3]], rtol=1e-15)
    assert_allclose(walk.precision, [[2, -1, 0], [-1, 2, -1], [0, -1, 1]], rtol=0, atol=1e-14)
    assert_allclose(partial_correlation(walk.covariance)[[0, 0, 1], [1, 2, 2]], [0.5, 0, 0.5**0.5], rtol=0, atol=1e-14)
    given_middle = walk.condition(1, 5.0)
    assert_allclose(given_middle.covariance, np.diag([0.5, 1]), rtol=0, atol=1e-14)
    assert_allclose(given_middle.mean, [2.5, 5], rtol=1e-14)


@pytest.mark.equation("multivariate-gaussian-mardia", "multivariate-gaussian-mardia-law")
@pytest.mark.parametrize("d", [1, 2, 4])
def test_mardia_by_all_pairs_of_points(d):
    X = np.random.default_rng(d).exponential(size=(30, d))
    D = X - X.mean(axis=0)
    P = D @ np.linalg.inv(np.cov(X.T, bias=True).reshape(d, d)) @ D.T
    found = mardia_test(X)
    assert found.skewness == pytest.approx((P**3).mean(), rel=1e-10)
    assert found.kurtosis == pytest.approx((np.diag(P) ** 2).mean(), rel=1e-10)
    degrees = len(list(itertools.combinations_with_replacement(range(d), 3)))  # third moments, each counted once
    assert found.p_skewness == pytest.approx(stats.chi2(degrees).sf(5 * found.skewness), rel=1e-9)
    score = (found.kurtosis - d * (d + 2)) / np.sqrt(8 * d * (d + 2) / 30)
    assert found.p_kurtosis == pytest.approx(2 * stats.norm.sf(abs(score)), rel=1e-9)
    if d == 1:
        assert found.skewness == pytest.approx(stats.skew(X[:, 0]) ** 2, rel=1e-10)
        assert found.kurtosis == pytest.approx(stats.kurtosis(X[:, 0], fisher=False), rel=1e-10)


@pytest.mark.equation("multivariate-gaussian-mardia-law")
def test_laws_of_mardia_for_gaussian_data():
    rng = np.random.default_rng(0)
    found = np.array([mardia_test(rng.normal(size=(1000, 2))) for _ in range(400)])
    for j in (2, 3):
        assert stats.kstest(found[:, j], "uniform").pvalue > 1e-3
        assert abs((found[:, j] < 0.1).mean() - 0.1) < 4 * np.sqrt(0.09 / 400)


@pytest.mark.equation("multivariate-gaussian-shrunk", "multivariate-gaussian-ledoit-wolf")
@pytest.mark.parametrize(("n", "d"), [(2, 3), (10, 20), (60, 3), (7, 7), (400, 2)])
def test_ledoit_wolf_as_scikit_learn_and_by_a_loop(n, d):
    X = np.random.default_rng(n).normal(size=(n, d)) @ np.diag(np.linspace(1, 2, d)) + 5
    covariance, shrinkage = ledoit_wolf(X)
    theirs, share = sklearn_ledoit_wolf(X)
    assert_allclose(covariance, theirs, rtol=1e-10, atol=1e-12)
    assert shrinkage == pytest.approx(share, rel=1e-10)
    S = np.cov(X.T, bias=True)
    spread = sum(np.linalg.norm(np.outer(v, v) - S) ** 2 for v in X - X.mean(axis=0)) / n**2
    apart = np.linalg.norm(S - np.trace(S) / d * np.eye(d)) ** 2
    assert shrinkage == pytest.approx(min(1, spread / apart), rel=1e-10)


def test_ledoit_wolf_at_the_ends():
    two = ledoit_wolf([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [4.0, 4.0]])  # here the noise exceeds the gap: 1
    assert two.shrinkage == 1
    assert_allclose(two.covariance, 2.75 * np.eye(2), rtol=1e-15)
    for value in (1.0, 0.1):  # the mean of seven times 0.1 is not 0.1
        same = ledoit_wolf(np.full((7, 2), value))
        assert same.shrinkage == 1
        assert_array_equal(same.covariance, np.zeros((2, 2)))
    for v in np.random.default_rng(0).normal(size=(8, 3)):  # no noise: the products of both points are equal
        assert 0 <= ledoit_wolf([v, -v]).shrinkage < 1e-14
    few = np.random.default_rng(0).normal(size=(3, 8))
    assert np.linalg.eigvalsh(ledoit_wolf(few).covariance).min() > 0


@pytest.mark.equation("multivariate-gaussian-fisher-z")
def test_interval_of_a_correlation_as_scipy():
    X = load_iris().X[:50, :2]
    peer = stats.pearsonr(*X.T)
    for level in (0.8, 0.95):
        found = correlation_interval(peer.statistic, 50, confidence_level=level)
        assert_allclose(found, peer.confidence_interval(level), rtol=1e-12)
    assert_allclose(correlation_interval(-0.3, 20), -np.array(correlation_interval(0.3, 20))[::-1], rtol=1e-14)
    assert_allclose(correlation_interval(0.3, 25, given=5), correlation_interval(0.3, 20), rtol=1e-14)


@pytest.mark.equation("multivariate-gaussian-fisher-z")
def test_interval_of_a_partial_correlation_covers():
    rng = np.random.default_rng(0)
    g = gaussian(1, 6)
    truth, n, hits = partial_correlation(g.covariance)[0, 1], 12, 0
    for X in g.sample(n * 2000, rng).reshape(2000, n, 6):
        low, high = correlation_interval(partial_correlation(np.cov(X.T))[0, 1], n, given=4)
        hits += low < truth < high
    assert abs(hits / 2000 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 2000)  # without the 4 given variables: 0.83


@pytest.mark.equation("multivariate-gaussian-linear-joint", "multivariate-gaussian-linear-posterior")
@pytest.mark.equation("multivariate-gaussian-linear-evidence")
@pytest.mark.parametrize("seed", range(3))
def test_linear_gaussian_is_prior_times_likelihood(seed):
    prior, noise = gaussian(seed, 3), gaussian(seed + 20, 2)
    rng = np.random.default_rng(seed)
    A, b, x, y = rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=3), rng.normal(size=2)
    joint = linear_gaussian(prior, A, b, noise.covariance)
    by_hand = by_scipy(prior).logpdf(x) + stats.multivariate_normal(A @ x + b, noise.covariance).logpdf(y)
    assert joint.logpdf(np.concatenate([x, y])) == pytest.approx(by_hand, rel=1e-9)
    posterior = joint.condition([3, 4], y)
    R = np.linalg.inv(noise.covariance)
    S = np.linalg.inv(np.linalg.inv(prior.covariance) + A.T @ R @ A)
    assert_allclose(posterior.covariance, S, rtol=1e-8)
    m = S @ (A.T @ R @ (y - b) + np.linalg.solve(prior.covariance, prior.mean))
    assert_allclose(posterior.mean, m, rtol=1e-8, atol=1e-10)
    evidence = joint.marginal([3, 4])
    assert_allclose(evidence.mean, A @ prior.mean + b, rtol=1e-12)
    assert_allclose(evidence.covariance, A @ prior.covariance @ A.T + noise.covariance, rtol=1e-12)


@pytest.mark.equation("multivariate-gaussian-product", "multivariate-gaussian-product-scale")
@pytest.mark.parametrize("seed", range(3))
def test_product_of_densities_by_the_linear_model(seed):
    p, q = gaussian(seed, 3), gaussian(seed + 7, 3)
    joint = linear_gaussian(p, np.eye(3), np.zeros(3), q.covariance)
    scale, product = joint.marginal([3, 4, 5]).logpdf(q.mean), joint.condition([3, 4, 5], q.mean)
    for x in np.random.default_rng(seed).normal(size=(5, 3)):
        assert scale + product.logpdf(x) == pytest.approx(p.logpdf(x) + q.logpdf(x), rel=1e-9)
    assert_allclose(product.precision, p.precision + q.precision, rtol=1e-8)


# --------------------------------------------------------------------------------------------------------------- laws


@pytest.mark.equation("multivariate-gaussian-conditional-mean", "multivariate-gaussian-gain")
def test_conditional_mean_is_least_squares():
    X = load_iris().X
    g = MultivariateGaussian(*gaussian_mle_multivariate(X))
    design = np.column_stack([np.ones(150), X[:, :2]])
    W = qr_solve(design, X[:, 2:])
    assert_allclose(conditional_gain(g.covariance, [0, 1]), W[1:].T, rtol=1e-9)
    assert_allclose(g.condition([0, 1], [6.0, 3.0]).mean, [1, 6, 3] @ W, rtol=1e-9)
    residuals = X[:, 2:] - design @ W
    assert_allclose(g.condition([0, 1], [6.0, 3.0]).covariance, residuals.T @ residuals / 150, rtol=1e-9)


@given(SEEDS, st.integers(2, 5))
@settings(max_examples=15, deadline=None)
def test_conditioning_never_adds_variance(seed, d):
    g = gaussian(seed, d)
    c = g.condition(0, 1.5)
    rest = list(range(1, d))
    assert np.linalg.eigvalsh(g.covariance[np.ix_(rest, rest)] - c.covariance).min() > -1e-9
    assert_array_equal(c.covariance, g.condition(0, -20.0).covariance)
    assert_allclose(g.condition(0, g.mean[0]).mean, g.mean[1:], rtol=1e-12, atol=1e-12)


@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_one_after_the_other_is_both_at_once(seed):
    g = gaussian(seed, 4)
    once = g.condition([1, 3], [0.5, -1])
    twice = g.condition(3, -1).condition(1, 0.5)
    assert_allclose(twice.mean, once.mean, rtol=1e-7, atol=1e-8)
    assert_allclose(twice.covariance, once.covariance, rtol=1e-7, atol=1e-8)
    swapped = g.condition([3, 1], [-1, 0.5])
    assert_allclose(swapped.mean, once.mean, rtol=1e-9, atol=1e-10)
    left = g.marginal([0, 1, 2]).condition(1, 0.5)
    right = g.marginal([1, 2, 0]).condition(0, 0.5).marginal([1, 0])
    assert_allclose(left.mean, right.mean, rtol=1e-9, atol=1e-10)
    assert_allclose(left.covariance, right.covariance, rtol=1e-9, atol=1e-10)


@pytest.mark.equation("multivariate-gaussian-affine", "multivariate-gaussian-mahalanobis")
@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_mahalanobis_and_kl_ignore_the_coordinates(seed):
    p, q = gaussian(seed, 3), gaussian(seed + 20_000, 3)
    rng = np.random.default_rng(seed)
    A, b, X = rng.normal(size=(3, 3)) + 3 * np.eye(3), rng.normal(size=3), rng.normal(size=(4, 3))
    there = p.affine(A, b)
    before = mahalanobis(X, p.mean, p.covariance)
    assert_allclose(mahalanobis(X @ A.T + b, there.mean, there.covariance), before, rtol=1e-6, atol=1e-9)
    assert kl_gaussian(there, q.affine(A, b)) == pytest.approx(kl_gaussian(p, q), rel=1e-6)
    assert kl_gaussian(p, q) > 0
    assert 0 <= kl_gaussian(p, p) < 1e-12


@pytest.mark.equation("multivariate-gaussian-likelihood-kl", "multivariate-gaussian-log-likelihood")
@given(SEEDS)
@settings(max_examples=15, deadline=None)
def test_lost_likelihood_is_n_times_kl(seed):
    X = np.random.default_rng(seed).normal(size=(12, 3)) @ np.diag([1, 2, 5]) + 3
    best, other = MultivariateGaussian(*gaussian_mle_multivariate(X)), gaussian(seed, 3)
    lost = best.logpdf(X).sum() - other.logpdf(X).sum()
    assert lost == pytest.approx(12 * kl_gaussian(best, other), rel=1e-8)
    squares = mahalanobis(X, best.mean, best.covariance) ** 2
    assert squares.sum() == pytest.approx(12 * 3, rel=1e-9)  # their mean is d, whatever the data


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_fit_follows_the_data(seed):
    X = np.random.default_rng(seed).normal(size=(10, 3))
    A, b = np.random.default_rng(seed + 1).normal(size=(3, 3)), np.array([1.0, -2, 3])
    mu, Sigma = gaussian_mle_multivariate(X)
    mapped = gaussian_mle_multivariate(X @ A.T + b)
    assert_allclose(mapped.mean, A @ mu + b, rtol=1e-8, atol=1e-10)
    assert_allclose(mapped.covariance, A @ Sigma @ A.T, rtol=1e-7, atol=1e-10)
    shuffled = gaussian_mle_multivariate(X[::-1])
    assert_allclose(shuffled.covariance, Sigma, rtol=1e-12, atol=1e-14)


def test_immutable_copied_and_pickled():
    mean, covariance = np.array([1.0, 2.0]), np.eye(2)
    g = MultivariateGaussian(mean, covariance)
    mean[0], covariance[0, 0] = 99, 99
    assert_array_equal(g.mean, [1, 2])
    assert_array_equal(g.covariance, np.eye(2))
    with pytest.raises(FrozenInstanceError):
        g.mean = np.zeros(2)
    for twin in (g, copy.deepcopy(g), pickle.loads(pickle.dumps(g))):
        for array in (twin.mean, twin.covariance):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 5
        assert twin.logpdf([0.0, 0.0]) == g.logpdf([0.0, 0.0])
    skew = MultivariateGaussian(g.mean, [[1.0, 0.5], [0.5 + 1e-10, 1.0]]).covariance
    assert_array_equal(skew, skew.T)
    assert repr(g).startswith("MultivariateGaussian(mean=array([1., 2.]), covariance=")


def test_single_precision_order_and_strides():
    g = gaussian(4, 3)
    X = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
    expected = g.logpdf(X.astype(float))
    for same in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        assert_allclose(g.logpdf(same), expected, rtol=1e-12)
        assert_allclose(gaussian_mle_multivariate(same).covariance, np.cov(X.T.astype(float), bias=True), rtol=1e-9)


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.equation("multivariate-gaussian-logpdf")
def test_determinants_that_under_and_overflow():
    for scale in (1e-3, 1e3):
        g = MultivariateGaussian(np.zeros(200), scale * np.eye(200))
        with np.errstate(over="ignore"):
            assert np.linalg.det(g.covariance) in (0.0, np.inf)
        assert g.logpdf(np.zeros(200)) == pytest.approx(-100 * np.log(2 * np.pi * scale), rel=1e-12)


@pytest.mark.equation("multivariate-gaussian-mahalanobis", "multivariate-gaussian-conditional")
def test_units_do_not_matter():
    g = gaussian(8, 4)
    units = np.array([1e-9, 1.0, 1e9, 1e4])
    scaled = MultivariateGaussian(g.mean * units, g.covariance * np.outer(units, units))
    X = np.random.default_rng(1).normal(size=(5, 4))
    assert_allclose(
        mahalanobis(X * units, scaled.mean, scaled.covariance), mahalanobis(X, g.mean, g.covariance), rtol=1e-9
    )
    one, other = g.condition([0, 2], X[0, [0, 2]]), scaled.condition([0, 2], (X[0] * units)[[0, 2]])
    assert_allclose(other.mean, one.mean * units[[1, 3]], rtol=1e-8)
    assert_allclose(other.covariance, one.covariance * np.outer(units[[1, 3]], units[[1, 3]]), rtol=1e-8)


@pytest.mark.equation("multivariate-gaussian-mahalanobis")
def test_cholesky_keeps_digits_that_the_inverse_loses():
    # x = Sigma w has the squared distance w' Sigma w: exact in integers; Sigma is a multiple of Hilbert's matrix
    Sigma = (232792560 / (np.arange(10)[:, None] + np.arange(10) + 1)).round()
    inverse = np.linalg.inv(Sigma)
    for w in [*np.eye(10), np.ones(10)]:
        x, exact = Sigma @ w, w @ Sigma @ w
        assert mahalanobis(x, np.zeros(10), Sigma) ** 2 == pytest.approx(exact, rel=1e-14)
        assert abs(x @ inverse @ x / exact - 1) > 1e-9


@pytest.mark.parametrize("unit", [1e-120, 1e-82, 1e100, 1e150])
def test_shrinkage_in_units_whose_fourth_powers_leave_the_range(unit):
    near, far = ledoit_wolf(RANDOM), ledoit_wolf(RANDOM * unit)
    assert far.shrinkage == pytest.approx(near.shrinkage, rel=1e-9)
    assert_allclose(far.covariance / unit / unit, near.covariance, rtol=1e-9)


@pytest.mark.equation("multivariate-gaussian-mahalanobis")
def test_distances_whose_squares_leave_the_range():
    for far in (1e200, 1e-200):
        assert mahalanobis([3 * far, 4 * far], [0, 0], np.eye(2)) == pytest.approx(5 * far, rel=1e-14)


@pytest.mark.equation("multivariate-gaussian-kl-triangular")
def test_divergence_of_scales_far_apart():
    narrow, wide = MultivariateGaussian([0.0], [[1e-300]]), MultivariateGaussian([0.0], [[1e300]])
    assert kl_gaussian(narrow, wide) == pytest.approx((600 * np.log(10) - 1) / 2, rel=1e-12)
    near = kl_gaussian(MultivariateGaussian([0.0], [[1 + 1e-9]]), MultivariateGaussian([0.0], [[1.0]]))
    assert near == pytest.approx(0.25e-18, rel=1e-4)  # a half of t - 1 - log t, which is (t - 1)^2 / 2


def test_largest_covariance():
    g = MultivariateGaussian([0.0, 0.0], [[1.7e308, 1e300], [1e300, 1.7e308]])
    assert g.logpdf([0.0, 0.0]) == pytest.approx(-np.log(2 * np.pi) - np.log(1.7e308), rel=1e-14)


def test_data_far_from_zero_and_long():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 3))
    near, far = gaussian_mle_multivariate(X), gaussian_mle_multivariate(X + 1e8)
    assert_allclose(far.covariance, near.covariance, rtol=0, atol=1e-7)
    assert_allclose(near.covariance, np.cov(X.T, bias=True), rtol=0, atol=1e-12)


def test_one_variable_and_far_points():
    g = MultivariateGaussian([2.0], [[9.0]])
    assert g.logpdf([5.0]) == pytest.approx(stats.norm(2, 3).logpdf(5), rel=1e-14)
    assert_allclose(g.logpdf([[5.0], [2000.0]]), stats.norm(2, 3).logpdf([5, 2000]), rtol=1e-14)
    with np.errstate(over="ignore"):  # finite, although sum and squares overflow
        assert_array_equal(g.logpdf([[1.7e308], [1.7e308], [1e200]]), -np.inf)
    assert ellipsoid_probability(np.inf, 3) == 1
    assert ellipsoid_radius(0.0, 3) == 0


# ------------------------------------------------------------------------------------------------------------- errors

G = MultivariateGaussian([0.0, 0.0, 0.0], np.diag([1.0, 2.0, 3.0]))


@pytest.mark.parametrize(
    ("mean", "covariance", "message"),
    [
        (0.0, [[1.0]], r"mean must be a vector of shape \(d,\), got shape \(\)"),
        ([], np.eye(1), "mean must be a vector of shape"),
        ([np.nan], [[1.0]], "mean must be finite"),
        ([0.0], np.eye(2), r"got shapes \(1,\) and \(2, 2\)"),
        ([0.0, 0.0], [1.0, 1.0], "covariance must be a square matrix"),
        ([0.0, 0.0], [[1.0, 0.5], [0.2, 1.0]], "covariance must be symmetric"),
        ([0.0, 0.0], [[1.0, np.inf], [np.inf, 1.0]], "covariance must be finite"),
    ],
)
def test_bad_parameters(mean, covariance, message):
    with pytest.raises(ValueError, match=message):
        MultivariateGaussian(mean, covariance)


@pytest.mark.parametrize("covariance", [[[1.0, 2.0], [2.0, 1.0]], [[1.0, 1.0], [1.0, 1.0 + 1e-15]], np.zeros((2, 2))])
def test_singular_or_indefinite_covariance(covariance):
    with pytest.raises(NotPositiveDefiniteError, match=r"covariance is (not positive definite|singular)") as info:
        MultivariateGaussian([0.0, 0.0], covariance)
    assert info.value.index == (0 if not np.any(covariance) else 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: G.logpdf([[0.0, 0.0]]), r"X must have shape \(n, 3\) or \(3,\)"),
        (lambda: G.logpdf(np.zeros((1, 1, 3))), "X must have shape"),
        (lambda: G.logpdf([0.0, np.nan, 0.0]), "X must be finite"),
        (lambda: G.logpdf(np.zeros((0, 3))), "X must be a matrix with entries"),
        (lambda: mahalanobis([0.0], [0.0, 0.0], np.eye(2)), "X must have shape"),
        (lambda: G.sample(0), "n_samples must be at least 1"),
        (lambda: G.sample(2, -1), "random_state must be a non-negative"),
        (lambda: G.affine([[1.0, 0.0]]), "A must have one column for each variable, 3"),
        (lambda: G.affine(np.eye(3), [1.0]), r"b must be a vector of shape \(3,\)"),
        (lambda: G.affine([[1.0, 0, 0], [0, 1, 0], [1, 1, 0]]), "row 2 of A is a combination"),
        (lambda: G.affine(np.ones((4, 3)) + np.eye(4, 3)), "row 3 of A is a combination"),
        (lambda: G.marginal([]), "indices must hold at least one integer"),
        (lambda: G.marginal(np.array([], dtype=int)), "indices must hold at least one integer"),
        (lambda: G.marginal([0.5]), "indices must hold at least one integer from 0 to 2"),
        (lambda: G.marginal([[0, 1]]), "indices must hold at least one integer"),
        (lambda: G.marginal([True, False, True]), "indices must hold at least one integer"),
        (lambda: G.marginal([1, 1]), "indices must hold different integers from 0 to 2"),
        (lambda: G.marginal([-1]), "indices must hold different integers"),
        (lambda: G.marginal([3]), "indices must hold different integers"),
        (lambda: G.condition([0, 1, 2], np.zeros(3)), "given must leave at least one of the 3 variables unknown"),
        (lambda: G.condition([0, 5], np.zeros(2)), "given must hold different integers"),
        (lambda: G.condition([0, 1], [1.0]), r"values must be a vector of shape \(2,\)"),
        (lambda: G.condition(0, np.nan), "values must be finite"),
        (lambda: conditional_gain([[1.0, 0.0], [0.5, 1.0]], 0), "covariance must be symmetric"),
        (lambda: conditional_gain(np.ones((3, 3)), [0, 1]), "positive definite|singular"),
        (lambda: conditional_gain(np.eye(2), [0, 1]), "given must leave"),
        (lambda: partial_correlation([[1.0, 2.0], [2.0, 1.0]]), "covariance is not positive definite"),
        (lambda: partial_correlation(np.empty((0, 0))), "covariance must be a square matrix with entries"),
        (lambda: conditional_gain(np.empty((0, 0)), 0), "covariance must be a square matrix with entries"),
        (lambda: kl_gaussian(G, G.marginal(0)), "p and q must have equally many variables, got 3 and 1"),
        (lambda: linear_gaussian(G, [[1.0]], [0.0], [[1.0]]), "A must have one column for each variable, 3"),
        (lambda: linear_gaussian(G, np.eye(3), [0.0], np.eye(3)), r"b must be a vector of shape \(3,\)"),
        (lambda: linear_gaussian(G, np.ones((1, 3)), [0.0], np.eye(2)), r"noise must have shape \(1, 1\)"),
        (lambda: linear_gaussian(G, np.ones((1, 3)), [0.0], [[0.0]]), "noise is not positive definite"),
        (lambda: linear_gaussian(G, np.ones((1, 3)), [0.0], [[1e-20]]), "noise is too small: to rounding, y.0. is a"),
        (lambda: ellipsoid_probability(-1.0, 2), "radius must not be negative"),
        (lambda: ellipsoid_probability([1.0, np.nan], 2), "radius must not be negative or NaN"),
        (lambda: ellipsoid_probability(1.0, 0), "d must be at least 1"),
        (lambda: correlation_interval(1.0, 20), "correlation must be strictly between -1 and 1"),
        (lambda: correlation_interval(0.5, 5, given=2), "n must be at least 6"),
        (lambda: correlation_interval(0.5, 5, given=-1), "given must be at least 0"),
        (lambda: correlation_interval(0.5, 9, confidence_level=95), "confidence_level must lie strictly between"),
        (lambda: ledoit_wolf([[1.0, 2.0]]), "X must have at least 2 rows"),
        (lambda: ledoit_wolf([1.0, 2.0]), "X must be a matrix"),
        (lambda: mardia_test(np.eye(3)), "the likelihood has no maximum: 3 rows for 3 columns"),
        (lambda: ellipsoid_radius(1.0, 2), "probability must be from 0 to below 1"),
        (lambda: ellipsoid_radius(-0.1, 2), "probability must be finite and at least 0"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_wrong_types():
    with pytest.raises(TypeError, match="n_samples must be an integer"):
        G.sample(2.0)
    with pytest.raises(TypeError, match="random_state must be"):
        G.sample(2, "seed")
    with pytest.raises(TypeError, match="d must be an integer"):
        ellipsoid_radius(0.5, 2.5)
    with pytest.raises(TypeError, match="probability must be a number"):
        ellipsoid_radius("0.5", 2)


RANDOM = np.random.default_rng(0).normal(size=(9, 3))


@pytest.mark.equation("multivariate-gaussian-mle-exists")
@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros(3), "X must be a matrix"),
        (np.full((5, 2), np.nan), "X must be finite"),
        (RANDOM[:3], "no maximum: 3 rows for 3 columns; take at least 4 rows"),
        (RANDOM * [1, 0, 1] + 0.1, "no maximum: column 1 is constant; remove it"),
        (np.column_stack([RANDOM, RANDOM @ [1, 2, 0] + 5]), "to rounding, column 3 is a linear function of those"),
        (RANDOM * [1, 1e-170, 1], "variance of column 1 of X is too small for double precision: measure it in other"),
        (RANDOM * [1, 1, 1e200], "variance of column 2 of X is too large for double precision: measure it in other"),
        (np.column_stack([RANDOM[:, 0], 1e6 - 3 * RANDOM[:, 0], RANDOM[:, 1]]) * 1e-4, "column 1 is a linear function"),
    ],
)
def test_no_maximum_of_the_likelihood(X, message):
    with pytest.raises(ValueError, match=message):
        gaussian_mle_multivariate(X)


def test_smallest_sample_that_works():
    assert np.linalg.matrix_rank(gaussian_mle_multivariate(RANDOM[:4]).covariance) == 3

"""Estimation: published numbers, independent routes, laws, extremes, errors."""

import itertools
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import minimize, minimize_scalar

from notes_lib.datasets import load_digits, load_iris
from notes_lib.foundations.estimation import (
    BetaBernoulli,
    DirichletCategorical,
    NormalNormal,
    bernoulli_log_likelihood,
    bernoulli_mle,
    categorical_log_likelihood,
    categorical_mle,
    category_counts,
    gaussian_log_likelihood,
    gaussian_mle,
    laplace_log_likelihood,
    laplace_mle,
)
from notes_lib.foundations.estimation.steps import LARGEST
from notes_lib.numerics import central_difference

MIDGE = np.array([1.64, 1.70, 1.72, 1.74, 1.82, 1.82, 1.82, 1.90, 2.08])


def sample(seed, n=30):
    rng = np.random.default_rng(seed)
    return rng.normal(rng.normal(scale=5), np.exp(rng.normal()), size=n)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("estimation-dirichlet-posterior", "estimation-dirichlet-moments", "estimation-counts")
def test_murphy_bag_of_words():
    # Murphy (2012), section 3.4.4.1, "Mary had a little lamb": 17 words of a vocabulary of 10, uniform prior
    counts = [2, 4, 4, 0, 1, 1, 0, 1, 0, 4]
    words = np.repeat(np.arange(10), counts)
    assert_array_equal(category_counts(words, 10), counts)
    posterior = DirichletCategorical(np.ones(10)).update(words)
    assert_allclose(posterior.mean, np.array([3, 5, 5, 1, 2, 2, 1, 2, 1, 5]) / 27, rtol=1e-14)
    assert_allclose(posterior.mode, np.array(counts) / 17, rtol=1e-14)


@pytest.mark.equation("estimation-normal-gain", "estimation-normal-precision", "estimation-gaussian-var")
def test_hoff_midge_wings():
    # Hoff (2009), section 5.3: prior mean 1.9 worth kappa_0 = 1 measurement, nu_0 = 1 degree of freedom, variance 0.01.
    # With kappa_0 measurements' worth of prior the prior variance of the mean is noise_var / kappa_0, and the
    # posterior mean does not depend on noise_var; kappa_n is noise_var over the posterior variance.
    fit = gaussian_mle(MIDGE)
    assert_allclose(fit.mu, 1.804, rtol=0, atol=6e-4)
    s2 = fit.var * 9 / 8
    assert_allclose(s2, 0.0169, rtol=0, atol=6e-4)
    for noise_var in (s2, 7.0):
        posterior = NormalNormal(1.9, noise_var / 1, noise_var).update(MIDGE)
        assert_allclose(posterior.mean, 1.814, rtol=0, atol=6e-4)
        assert_allclose(noise_var / posterior.var, 10, rtol=1e-12)
    nu_n = 1 + 9
    sigma2_n = (1 * 0.01 + 9 * fit.var + 1 * 9 / 10 * (fit.mu - 1.9) ** 2) / nu_n
    assert_allclose(sigma2_n, 0.015, rtol=0, atol=6e-4)


@pytest.mark.equation("estimation-beta-evidence")
@pytest.mark.parametrize(
    ("a", "b", "ratio", "tolerance"),
    [(5, 1, 222.2, 0.05), (3, 3, 2.67, 0.005), (2, 4, 0.71, 0.005), (10, 10, 96.5, 0.05)],
)
def test_mackay_bent_coin(a, b, ratio, tolerance):
    # MacKay (2003), section 3.3: evidence of a coin of unknown bias over a coin with probability 1/6
    x = np.repeat([1, 0], [a, b])
    unknown, fixed = BetaBernoulli(1, 1).log_evidence(x), bernoulli_log_likelihood(x, 1 / 6)
    assert_allclose(np.exp(unknown - fixed), ratio, rtol=0, atol=tolerance)


@pytest.mark.equation("estimation-beta-evidence")
def test_mackay_euro():
    # MacKay (2003), exercise 3.15: 140 heads of 250; the data favour the fair coin by about 2 to 1 (ratio 0.48)
    x = np.repeat([1, 0], [140, 110])
    ratio = np.exp(BetaBernoulli(1, 1).log_evidence(x) - bernoulli_log_likelihood(x, 0.5))
    assert_allclose(ratio, 0.48, rtol=0, atol=0.005)


@pytest.mark.equation("estimation-beta-posterior", "estimation-beta-moments")
def test_laplace_rule_of_succession():
    # after n successes in n trials and a uniform prior the next one succeeds with probability (n + 1) / (n + 2)
    for n in (1, 5, 1000):
        assert_allclose(BetaBernoulli(1, 1).update(np.ones(n)).mean, (n + 1) / (n + 2), rtol=1e-14)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation(
    "estimation-bernoulli-log-likelihood",
    "estimation-categorical-log-likelihood",
    "estimation-gaussian-log-likelihood",
    "estimation-laplace-log-likelihood",
)
@pytest.mark.parametrize("seed", range(4))
def test_log_likelihoods_as_scipy(seed):
    rng = np.random.default_rng(seed)
    x, coin, p = sample(seed), rng.integers(0, 2, 12), rng.uniform(0.1, 0.9)
    assert_allclose(bernoulli_log_likelihood(coin, p), stats.bernoulli(p).logpmf(coin).sum(), rtol=1e-12)
    theta, die = rng.dirichlet(np.ones(5)), rng.integers(0, 5, 20)
    assert_allclose(categorical_log_likelihood(die, theta), np.log(theta[die]).sum(), rtol=1e-12)
    mu, scale = rng.normal(), rng.uniform(0.5, 4)
    assert_allclose(gaussian_log_likelihood(x, mu, scale**2), stats.norm(mu, scale).logpdf(x).sum(), rtol=1e-12)
    assert_allclose(laplace_log_likelihood(x, mu, scale), stats.laplace(mu, scale).logpdf(x).sum(), rtol=1e-12)


@pytest.mark.equation(
    "estimation-gaussian-mu", "estimation-gaussian-var", "estimation-laplace-mu", "estimation-laplace-b"
)
@pytest.mark.parametrize("n", [2, 3, 10, 31])
def test_fits_as_scipy(n):
    x = sample(n, n)
    mu, sd = stats.norm.fit(x)
    assert_allclose(gaussian_mle(x), [mu, sd**2], rtol=1e-12)
    assert_allclose(laplace_mle(x), stats.laplace.fit(x), rtol=1e-12)


@pytest.mark.equation("estimation-gaussian-score")
@pytest.mark.parametrize("seed", range(3))
def test_gaussian_score(seed):
    # the derivative by sigma has sigma^3 below the squares; with 2 sigma^2 the root would be S / (2 n), not S / n
    x, mu, sigma = sample(seed), 0.7, 1.3
    ours = central_difference(lambda v: gaussian_log_likelihood(x, v[0], v[1] ** 2), [mu, sigma])
    d = x - mu
    assert_allclose(ours, [d.sum() / sigma**2, -len(x) / sigma + d @ d / sigma**3], rtol=1e-6)
    wrong_root = d @ d / (2 * len(x))
    assert abs(wrong_root**2 - gaussian_mle(x).var) > 1e-3


@pytest.mark.equation("estimation-bernoulli-mle", "estimation-categorical-mle", "estimation-gaussian-var")
@pytest.mark.parametrize("seed", range(3))
def test_fits_by_numerical_maximisation(seed):
    rng = np.random.default_rng(seed)
    coin = np.r_[0, 1, rng.integers(0, 2, 20)]
    best = minimize_scalar(lambda p: -bernoulli_log_likelihood(coin, p), bounds=(0, 1), method="bounded")
    assert_allclose(bernoulli_mle(coin), best.x, rtol=0, atol=1e-5)
    die = np.r_[0, 1, 2, 3, rng.integers(0, 4, 30)]
    softmax = lambda a: np.exp(np.r_[0, a]) / np.exp(np.r_[0, a]).sum()
    best = minimize(lambda a: -categorical_log_likelihood(die, softmax(a)), np.zeros(3), tol=1e-10)
    assert_allclose(categorical_mle(die, 4), softmax(best.x), rtol=0, atol=1e-5)
    x = sample(seed)
    best = minimize(lambda v: -gaussian_log_likelihood(x, v[0], np.exp(v[1])), [0, 0], tol=1e-10)
    assert_allclose(gaussian_mle(x), [best.x[0], np.exp(best.x[1])], rtol=1e-4)


@pytest.mark.equation("estimation-laplace-mu", "estimation-laplace-b")
def test_laplace_by_a_grid():
    x = np.array([0.0, 1.0, 2.5, 7.0, 20.0, 21.0])
    fit = laplace_mle(x)
    values = [laplace_log_likelihood(x, m, np.abs(x - m).mean()) for m in np.linspace(0, 21, 2101)]
    assert_allclose(laplace_log_likelihood(x, *fit), max(values), rtol=1e-12)
    assert fit.mu == 4.75  # half-way between the two middle numbers; both ends are as good
    for m in (2.5, 7.0):
        assert_allclose(laplace_log_likelihood(x, m, fit.b), laplace_log_likelihood(x, *fit), rtol=1e-12)


@pytest.mark.equation("estimation-variance-bias")
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_bias_of_the_variance_by_enumeration(n):
    # all samples of size n, with replacement, from a small population: means over them are exact expectations
    population = np.array([0.0, 1.0, 5.0, 6.0])
    samples = [np.array(s) for s in itertools.product(population, repeat=n)]
    estimates = [gaussian_mle(s).var if np.ptp(s) else 0.0 for s in samples]
    assert_allclose(np.mean(estimates), (n - 1) / n * population.var(), rtol=1e-12)
    assert_allclose(np.mean(estimates) * n / (n - 1), population.var(), rtol=1e-12)


@pytest.mark.equation("estimation-beta", "estimation-dirichlet", "estimation-normal-prior")
def test_densities_as_scipy():
    theta = np.linspace(0.05, 0.95, 7)
    assert_allclose(BetaBernoulli(0.5, 3.2).logpdf(theta), stats.beta(0.5, 3.2).logpdf(theta), rtol=1e-11)
    P = np.random.default_rng(0).dirichlet([1, 2, 3], size=6)
    model = DirichletCategorical([0.5, 2.5, 4.0])
    assert_allclose(model.logpdf(P), [stats.dirichlet(model.alpha).logpdf(p) for p in P], rtol=1e-10)
    assert_allclose(model.logpdf(P[2]), model.logpdf(P)[2], rtol=1e-14)
    mu = np.linspace(-3, 3, 5)
    assert_allclose(NormalNormal(0.5, 4.0, 1.0).logpdf(mu), stats.norm(0.5, 2.0).logpdf(mu), rtol=1e-12)
    assert BetaBernoulli(2, 2).logpdf(0.0) == -np.inf


@pytest.mark.equation("estimation-beta-moments", "estimation-dirichlet-moments")
def test_moments_as_scipy():
    peer = stats.beta(2.5, 4.0)
    assert_allclose([BetaBernoulli(2.5, 4).mean, BetaBernoulli(2.5, 4).var], [peer.mean(), peer.var()], rtol=1e-12)
    model, other = DirichletCategorical([0.5, 2, 3]), stats.dirichlet([0.5, 2, 3])
    assert_allclose(model.mean, other.mean(), rtol=1e-12)
    assert_allclose(model.var, other.var(), rtol=1e-12)


def integral(log_integrand, low, high, peak):
    """Integral of exp(log_integrand - its value at the peak), logarithm with that value put back."""
    top = log_integrand(peak)
    value = quad(lambda t: np.exp(log_integrand(t) - top), low, high, points=[peak], limit=200, epsabs=0)[0]
    return np.log(value) + top


@pytest.mark.equation(
    "estimation-beta-posterior", "estimation-beta-evidence", "estimation-bayes", "estimation-evidence"
)
@pytest.mark.parametrize(("a", "b"), [(1, 1), (2, 5), (3.5, 1.5)])
def test_beta_by_integration(a, b):
    x, prior = np.array([1, 0, 1, 1, 1, 0, 1]), BetaBernoulli(a, b)
    joint = lambda t: bernoulli_log_likelihood(x, t) + float(prior.logpdf(t))
    evidence = integral(joint, 0, 1, 0.6)
    assert_allclose(prior.log_evidence(x), evidence, rtol=1e-9)
    for t in (0.2, 0.7):  # Bayes' theorem, with the evidence as normaliser
        assert_allclose(prior.update(x).logpdf(t), joint(t) - evidence, rtol=1e-8, atol=1e-9)
    mean = np.exp(integral(lambda t: joint(t) + np.log(t), 1e-12, 1, 0.6) - evidence)
    assert_allclose(prior.update(x).mean, mean, rtol=1e-8)


@pytest.mark.equation("estimation-normal-precision", "estimation-normal-gain", "estimation-candidate")
@pytest.mark.parametrize(("mean", "var", "noise_var"), [(0.0, 1.0, 1.0), (-2.0, 9.0, 0.5), (5.0, 0.1, 4.0)])
def test_normal_by_integration_and_as_one_gaussian_vector(mean, var, noise_var):
    x, prior = np.array([1.0, 2.5, 0.3, 1.7]), NormalNormal(mean, var, noise_var)
    joint = lambda m: gaussian_log_likelihood(x, m, noise_var) + float(prior.logpdf(m))
    posterior = prior.update(x)
    evidence = integral(joint, posterior.mean - 12 * posterior.var**0.5, posterior.mean + 12 * posterior.var**0.5, 1.0)
    assert_allclose(prior.log_evidence(x), evidence, rtol=1e-9)
    # with the mean integrated out, the measurements are one Gaussian vector with a common covariance
    vector = stats.multivariate_normal(np.full(4, mean), noise_var * np.eye(4) + var)
    assert_allclose(prior.log_evidence(x), vector.logpdf(x), rtol=1e-10)
    for m in (0.4, 2.0):
        assert_allclose(posterior.logpdf(m), joint(m) - evidence, rtol=1e-8)


@pytest.mark.equation("estimation-dirichlet-evidence", "estimation-dirichlet-posterior")
def test_dirichlet_by_monte_carlo():
    # mean of the likelihood over draws from the prior, with its standard error
    x, prior = np.array([0, 0, 2, 1, 2, 2]), DirichletCategorical([0.5, 2.0, 1.5])
    P = np.random.default_rng(1).dirichlet(prior.alpha, size=200_000)
    likelihood = P[:, x].prod(axis=1)
    error = likelihood.std() / np.sqrt(len(P))
    assert abs(likelihood.mean() - np.exp(prior.log_evidence(x))) < 4 * error
    assert error < 0.02 * likelihood.mean()
    mean = (likelihood[:, None] * P).mean(axis=0) / likelihood.mean()  # importance sampling of the posterior mean
    assert_allclose(prior.update(x).mean, mean, rtol=0.02)


@pytest.mark.equation("estimation-beta-mode", "estimation-dirichlet-mode", "estimation-map")
@pytest.mark.parametrize("seed", range(3))
def test_modes_by_numerical_maximisation(seed):
    rng = np.random.default_rng(seed)
    model = BetaBernoulli(*rng.uniform(1.2, 6, 2))
    best = minimize_scalar(lambda t: -model.logpdf(t), bounds=(0, 1), method="bounded", options={"xatol": 1e-9})
    assert_allclose(model.mode, best.x, rtol=0, atol=1e-6)
    many = DirichletCategorical(rng.uniform(1.2, 6, 4))
    assert all(many.logpdf(p) < many.logpdf(many.mode) for p in rng.dirichlet(np.ones(4), size=500))


# --------------------------------------------------------------------------------------------------------------- laws

quick = settings(max_examples=30, deadline=None)
positive = st.floats(0.05, 50)
reals = st.lists(st.floats(-100, 100), min_size=1, max_size=12)
bits = st.lists(st.integers(0, 1), min_size=2, max_size=20)


def halves(x, cut):
    k = 1 + cut % (len(x) - 1)
    return x[:k], x[k:]


@pytest.mark.equation("estimation-sequential", "estimation-beta-posterior")
@quick
@given(a=positive, b=positive, x=bits, cut=st.integers(0, 100))
def test_beta_sequential_is_batch(a, b, x, cut):
    prior, (first, second) = BetaBernoulli(a, b), halves(x, cut)
    batch = prior.update(x)
    one_by_one = prior
    for value in x:
        one_by_one = one_by_one.update(value)
    for other in (prior.update(first).update(second), prior.update(second).update(first), one_by_one):
        assert_allclose([other.a, other.b], [batch.a, batch.b], rtol=1e-13)
    assert_allclose(
        prior.log_evidence(first) + prior.update(first).log_evidence(second), prior.log_evidence(x), atol=1e-10
    )


@pytest.mark.equation("estimation-sequential", "estimation-dirichlet-posterior")
@quick
@given(alpha=st.lists(positive, min_size=3, max_size=5), x=st.lists(st.integers(0, 2), min_size=2, max_size=20))
def test_dirichlet_sequential_is_batch(alpha, x):
    prior, (first, second) = DirichletCategorical(alpha), halves(x, 7)
    batch, steps = prior.update(x), prior.update(first).update(second)
    assert_allclose(steps.alpha, batch.alpha, rtol=1e-13)
    assert_allclose(
        prior.log_evidence(first) + prior.update(first).log_evidence(second), prior.log_evidence(x), atol=1e-10
    )
    assert_allclose(np.exp(batch.log_evidence(0)), batch.mean[0], rtol=1e-9)  # the predictive is the mean
    assert_allclose(batch.mean.sum(), 1.0, rtol=1e-12)


@pytest.mark.equation("estimation-sequential", "estimation-normal-precision", "estimation-normal-gain")
@quick
@given(mean=st.floats(-50, 50), var=positive, noise_var=positive, x=st.lists(st.floats(-100, 100), min_size=2))
def test_normal_sequential_is_batch(mean, var, noise_var, x):
    prior, (first, second) = NormalNormal(mean, var, noise_var), halves(x, 3)
    batch = prior.update(x)
    for other in (prior.update(first).update(second), prior.update(second).update(first)):
        assert_allclose(other.mean, batch.mean, rtol=1e-9, atol=1e-9)
        assert_allclose(other.var, batch.var, rtol=1e-12)
    both = prior.log_evidence(first) + prior.update(first).log_evidence(second)
    assert_allclose(both, prior.log_evidence(x), rtol=1e-8, atol=1e-8)


@pytest.mark.equation("estimation-normal-shrinkage")
@quick
@given(mean=st.floats(-50, 50), var=positive, noise_var=positive, x=reals)
def test_posterior_mean_lies_between_prior_and_data(mean, var, noise_var, x):
    posterior = NormalNormal(mean, var, noise_var).update(x)
    w = len(x) * var / (len(x) * var + noise_var)
    assert_allclose(posterior.mean, w * np.mean(x) + (1 - w) * mean, rtol=1e-9, atol=1e-9)
    assert posterior.var < min(var, noise_var / len(x)) * (1 + 1e-12)
    assert posterior.mode == posterior.mean


@pytest.mark.equation("estimation-map-penalised", "estimation-map-mean", "estimation-normal-gain")
@quick
@given(seed=st.integers(0, 10**6), n=st.integers(2, 40), var=st.floats(0.1, 10), noise_var=st.floats(0.1, 10))
def test_map_is_penalised_maximum_likelihood_with_the_n_in_its_place(seed, n, var, noise_var):
    x, m_0 = sample(seed, n), -1.0
    mode = NormalNormal(m_0, var, noise_var).update(x).mode
    lam = noise_var / (n * var)  # mean squared error + lam (mu - m_0)^2: the strength is divided by n
    gradient = lambda lam: 2 * np.mean(mode - x) + 2 * lam * (mode - m_0)
    assert_allclose(gradient(lam), 0.0, atol=1e-9 * max(1, np.abs(x).max()))
    assert abs(gradient(n * lam)) > 1e-3 * abs(2 * lam * (mode - m_0))  # without the division it is not a minimum


@pytest.mark.equation("estimation-map-mean", "estimation-beta-mode")
@quick
@given(x=bits, a=st.floats(1.1, 20), b=st.floats(1.1, 20))
def test_map_of_a_coin_minimises_the_penalised_mean_loss(x, a, b):
    mode, n, prior = BetaBernoulli(a, b).update(x).mode, len(x), BetaBernoulli(a, b)
    objective = lambda t: -(bernoulli_log_likelihood(x, float(t[0])) + float(prior.logpdf(t[0]))) / n
    assert_allclose(central_difference(objective, [mode]), 0.0, atol=1e-4)


@pytest.mark.equation("estimation-beta-mode", "estimation-dirichlet-mode")
@quick
@given(x=bits)
def test_flat_prior_gives_maximum_likelihood(x):
    assert_allclose(BetaBernoulli(1, 1).update(x).mode, bernoulli_mle(x), rtol=1e-14)
    assert_allclose(DirichletCategorical([1, 1, 1]).update(x).mode, categorical_mle(x, 3), rtol=1e-14)


@pytest.mark.equation("estimation-dirichlet", "estimation-beta")
@quick
@given(a=positive, b=positive, x=bits)
def test_dirichlet_of_two_categories_is_beta(a, b, x):
    beta, two = BetaBernoulli(a, b), DirichletCategorical([b, a])  # category 1 is the 1
    assert_allclose(two.update(x).mean[1], beta.update(x).mean, rtol=1e-12)
    assert_allclose(two.var[1], beta.var, rtol=1e-12)
    assert_allclose(two.log_evidence(x), beta.log_evidence(x), rtol=1e-9, atol=1e-10)
    assert_allclose(two.logpdf([0.3, 0.7]), beta.logpdf(0.7), rtol=1e-9, atol=1e-9)


@quick
@given(seed=st.integers(0, 10**6), n=st.integers(2, 20), scale=st.sampled_from([-3.0, 0.01, 1e4]))
def test_shift_and_scale(seed, n, scale):
    x = sample(seed, n)
    plain, moved, laplace = gaussian_mle(x), gaussian_mle(scale * x + 5), laplace_mle(scale * x + 5)
    assert_allclose(moved, [scale * plain.mu + 5, scale**2 * plain.var], rtol=1e-9, atol=1e-9)
    assert_allclose(laplace, [scale * laplace_mle(x).mu + 5, abs(scale) * laplace_mle(x).b], rtol=1e-9, atol=1e-9)
    assert laplace_mle(x).b <= plain.var**0.5 * (1 + 1e-12)  # mean absolute deviation from the median
    assert_allclose(gaussian_mle(np.random.default_rng(seed).permutation(x)), plain, rtol=1e-10)


def test_no_maximum_is_beaten():
    rng = np.random.default_rng(0)
    x = sample(5)
    g, b = gaussian_mle(x), laplace_mle(x)
    best_g, best_l = gaussian_log_likelihood(x, *g), laplace_log_likelihood(x, *b)
    for _ in range(300):
        assert gaussian_log_likelihood(x, g.mu + rng.normal(), g.var * np.exp(rng.normal())) < best_g
        assert laplace_log_likelihood(x, b.mu + rng.normal(), b.b * np.exp(rng.normal())) <= best_l
    # at the maximum the sum of squares is n variances: log-likelihood -n/2 (log 2 pi var + 1)
    assert_allclose(best_g, -15 * (np.log(2 * np.pi * g.var) + 1), rtol=1e-12)
    assert_allclose(best_l, -30 * (np.log(2 * b.b) + 1), rtol=1e-12)


# ----------------------------------------------------------------------------------------------------------- extremes


def test_update_leaves_the_prior_alone():
    prior = DirichletCategorical(np.array([1.0, 2.0]))
    prior.update([0, 1, 1])
    assert_array_equal(prior.alpha, [1, 2])
    with pytest.raises(ValueError, match="read-only"):
        prior.alpha[0] = 9
    given_alpha = np.array([1.0, 2.0])
    model = DirichletCategorical(given_alpha)
    given_alpha[0] = 50
    assert_array_equal(model.alpha, [1, 2])
    with pytest.raises(AttributeError):
        BetaBernoulli(1, 1).a = 3
    with pytest.raises(AttributeError):
        prior.alpha = given_alpha
    assert BetaBernoulli() == BetaBernoulli(1, 1)
    same, longer = DirichletCategorical([1, 2]), DirichletCategorical([1, 2, 1])
    assert prior == same
    assert len({prior, same, longer, DirichletCategorical([2, 1])}) == 3
    assert prior != longer
    assert prior != [1, 2]
    assert pickle.loads(pickle.dumps(NormalNormal(0, 1, 2))) == NormalNormal(0, 1, 2)


def test_types_and_orders_of_the_data():
    x = sample(0)
    assert gaussian_mle(x.astype(np.float32)) == pytest.approx(gaussian_mle(x), rel=1e-6)
    assert gaussian_mle(np.repeat(x, 2)[::2]) == gaussian_mle(x)
    assert bernoulli_mle([True, False, True, True]) == 0.75
    assert bernoulli_mle(1) == 1.0
    assert BetaBernoulli(1, 1).update(True) == BetaBernoulli(2, 1)
    assert_array_equal(category_counts([2.0, 0.0]), [1, 0, 1])


def test_never_seen_is_impossible_for_maximum_likelihood_only():
    x = np.array([0, 0, 1])
    assert categorical_log_likelihood([2], categorical_mle(x, 3)) == -np.inf
    assert bernoulli_log_likelihood([0, 1], bernoulli_mle([1, 1])) == -np.inf
    assert bernoulli_log_likelihood([1, 1], 1.0) == 0.0  # 0 log 0 counts as 0
    assert categorical_log_likelihood([0, 0], [1.0, 0.0]) == 0.0
    assert np.isfinite(DirichletCategorical([0.5] * 3).update(x).log_evidence([2]))


def test_far_from_zero_keeps_its_digits():
    x = sample(3, 1000)
    shifted = x + 2.0**27  # rounds x to 3e-8
    near = shifted - 2.0**27
    assert_allclose(gaussian_mle(shifted).var, gaussian_mle(near).var, rtol=1e-10)
    assert_allclose(
        NormalNormal(2.0**27, 4.0, 1.0).update(shifted).mean - 2.0**27,
        NormalNormal(0.0, 4.0, 1.0).update(near).mean,
        rtol=1e-6,
    )


def test_neighbouring_numbers_keep_their_variance():
    # the mean itself is rounded here, by as much as the numbers differ
    assert_allclose(gaussian_mle([1e16, 1e16 + 2, 1e16 + 2]).var, 8 / 9, rtol=1e-12)
    assert_allclose(gaussian_mle([1.0, 1.0 + 2.0**-52]).var, 2.0**-106, rtol=1e-12)


@pytest.mark.equation("estimation-beta-evidence", "estimation-dirichlet-evidence", "estimation-prequential")
@pytest.mark.parametrize("strength", [1e-308, 1e-3, 1.0, 1e8, 1e15])
def test_evidence_of_weak_and_strong_priors(strength):
    # in fractions: each outcome is predicted from those before it
    x = [1, 1, 0, 1]
    a, b = Fraction(strength), 2 * Fraction(strength)
    exact = a * (a + 1) * (a + 2) * b / ((a + b) * (a + b + 1) * (a + b + 2) * (a + b + 3))
    expected = math.log(exact.numerator) - math.log(exact.denominator)
    assert_allclose(BetaBernoulli(strength, 2 * strength).log_evidence(x), expected, rtol=1e-12)
    assert_allclose(DirichletCategorical([2 * strength, strength]).log_evidence(x), expected, rtol=1e-12)


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_huge_and_tiny_units(scale):
    x = sample(4)
    assert_allclose(gaussian_mle(scale * x).var / scale**2, gaussian_mle(x).var, rtol=1e-10)
    assert_allclose(laplace_mle(scale * x).b / scale, laplace_mle(x).b, rtol=1e-10)
    plain, other = NormalNormal(0, 2, 3).update(x), NormalNormal(0, 2 * scale**2, 3 * scale**2).update(scale * x)
    assert_allclose([other.mean / scale, other.var / scale**2], [plain.mean, plain.var], rtol=1e-10)


def test_prior_far_stronger_or_weaker_than_the_data():
    x = sample(6)
    assert_allclose(NormalNormal(3.0, 1e-200, 1.0).update(x).mean, 3.0, rtol=1e-12)
    weak = NormalNormal(3.0, 1e200, 2.0).update(x)
    assert_allclose([weak.mean, weak.var], [x.mean(), 2.0 / 30], rtol=1e-12)


def test_a_million_outcomes():
    x = np.random.default_rng(0).random(10**6) < 0.3
    posterior = BetaBernoulli(2, 2).update(x)
    assert_allclose(posterior.mode, bernoulli_mle(x), rtol=0, atol=1e-5)
    per_outcome = BetaBernoulli(2, 2).log_evidence(x) / 10**6
    assert_allclose(per_outcome, bernoulli_log_likelihood(x, bernoulli_mle(x)) / 10**6, rtol=0, atol=2e-5)


def test_real_data():
    widths = load_iris().X[:50, 1]
    assert_allclose(gaussian_mle(widths), [widths.mean(), widths.var()], rtol=1e-12)
    assert_array_equal(category_counts(load_digits().y, 10), np.bincount(load_digits().y))


# ------------------------------------------------------------------------------------------------------------- errors

FITS = [bernoulli_mle, categorical_mle, gaussian_mle, laplace_mle]
UPDATES = [BetaBernoulli(1, 1).update, DirichletCategorical([1, 1]).update, NormalNormal(0, 1, 1).update]


@pytest.mark.parametrize("function", [*FITS, *UPDATES])
@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        ([], ValueError, r"x must be a number or a non-empty \(n,\) array, got shape \(0,\)"),
        ([[0, 1], [1, 0]], ValueError, r"got shape \(2, 2\)"),
        ([0, 1, np.nan], ValueError, "x must be finite, it holds NaN or inf: remove or impute"),
        ([0, 1, np.inf], ValueError, "x must be finite"),
        (["a", "b"], TypeError, "x must hold numbers, got dtype"),
        ([0, None], TypeError, "x must hold numbers, got dtype object"),
        ([0, 1j], TypeError, "x must hold numbers, got dtype complex"),
    ],
)
def test_bad_samples(function, x, error, message):
    with pytest.raises(error, match=message):
        function(x)


@pytest.mark.parametrize("x", [[0, 2], [0.5, 1], [-1, 1]])
def test_outcomes_that_are_not_0_or_1(x):
    for function in [bernoulli_mle, BetaBernoulli(1, 1).update, BetaBernoulli(1, 1).log_evidence]:
        with pytest.raises(ValueError, match=r"x must hold only 0 and 1, got (2|0\.5|-1): code the two"):
            function(x)


@pytest.mark.parametrize(
    ("x", "n", "got"), [([0, 3], 3, "2, got 3"), ([-1, 0], None, "0, got -1"), ([0.5, 2], 3, "0.5")]
)
def test_unknown_categories(x, n, got):
    with pytest.raises(ValueError, match=rf"x must hold category numbers from 0 to .*{got}: number the categories"):
        category_counts(x, n)
    with pytest.raises(ValueError, match=r"category numbers from 0 to 1, got .*the length of theta or alpha"):
        DirichletCategorical([1, 1]).update(x)


def test_absurd_category_number():
    with pytest.raises(ValueError, match=rf"from 0 to {LARGEST - 1}, got 1e\+12.*raise n_categories"):
        categorical_mle([0, 1e12])
    assert len(category_counts([0, LARGEST - 1])) == LARGEST
    with pytest.raises(ValueError, match="n_categories must be at least 1, got 0"):
        categorical_mle([0], 0)
    with pytest.raises(TypeError, match="n_categories must be an integer"):
        categorical_mle([0], 2.5)


@pytest.mark.parametrize("x", [[3.0], [2.0, 2.0, 2.0], 5])
def test_constant_data_have_no_maximum(x):
    with pytest.raises(ValueError, match=r"x is constant \(\d\).*as var goes to 0 and has no maximum"):
        gaussian_mle(x)
    with pytest.raises(ValueError, match=r"x is constant \(\d\).*as b goes to 0"):
        laplace_mle(x)


@pytest.mark.parametrize("x", [[0.0, 1e200], [0.0, 1e-160], [1e308, -1e308, 1.7e308]])
def test_squares_out_of_range(x):
    with pytest.raises(ValueError, match=r"the squares of x overflow or vanish .* rescale x"):
        gaussian_mle(x)


@pytest.mark.parametrize("x", [[1.7e308, 1.6e308, -1.7e308, -1.5e308], [0.0, 1e-310]])
def test_deviations_out_of_range(x):
    with pytest.raises(ValueError, match=r"the deviations of x overflow or vanish .* rescale x"):
        laplace_mle(x)


def test_update_that_overflows():
    with pytest.raises(ValueError, match="mean must be finite"):
        NormalNormal(0, 1e300, 1e-5).update([1.7e308, 1.7e308])


def test_posterior_variance_that_vanishes():
    for prior in (NormalNormal(0, 1, 1e-310), NormalNormal(0, 5e-324, 1)):
        with pytest.raises(ValueError, match=r"the posterior variance must be positive, got 0.0: rescale x"):
            prior.update([1.0])


def test_pseudo_counts_whose_sum_overflows():
    with pytest.raises(ValueError, match=r"a \+ b must be finite"):
        BetaBernoulli(1e308, 1e308)
    with pytest.raises(ValueError, match="the sum of alpha must be finite"):
        DirichletCategorical([1e308, 1e308])


@pytest.mark.parametrize("bad", [0, -1, np.nan, np.inf])
def test_parameters_that_are_not_positive(bad):
    makers = {
        "a": lambda: BetaBernoulli(bad, 1),
        "b": lambda: BetaBernoulli(1, bad),
        "var": lambda: NormalNormal(0, bad, 1),
        "noise_var": lambda: NormalNormal(0, 1, bad),
    }
    for name, make in makers.items():
        with pytest.raises(ValueError, match=rf"^{name} must be (positive|finite and at least 0), got"):
            make()
    with pytest.raises(ValueError, match="var must be"):
        gaussian_log_likelihood([1.0], 0, bad)
    with pytest.raises(ValueError, match="b must be"):
        laplace_log_likelihood([1.0], 0, bad)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_locations_that_are_not_finite(bad):
    for make in (
        lambda: NormalNormal(bad, 1, 1),
        lambda: gaussian_log_likelihood([1.0], bad, 1),
        lambda: laplace_log_likelihood([1.0], bad, 1),
    ):
        with pytest.raises(ValueError, match=r"(mean|mu) must be finite"):
            make()
    with pytest.raises(TypeError, match="a must be a number"):
        BetaBernoulli("1", 1)
    assert NormalNormal(-3, 1, 1).mean == -3.0


@pytest.mark.parametrize("alpha", [[1.0], [1, 0], [1, -2], 3])
def test_bad_dirichlet_parameters(alpha):
    with pytest.raises(ValueError, match="alpha must hold at least two positive numbers, got"):
        DirichletCategorical(alpha)


def test_dirichlet_parameters_of_another_shape():
    with pytest.raises(ValueError, match=r"alpha must be a number or a non-empty \(n,\) array, got shape \(2, 2\)"):
        DirichletCategorical(np.eye(2))
    with pytest.raises(ValueError, match="alpha must be finite"):
        DirichletCategorical([1, np.inf])


@pytest.mark.equation("estimation-beta-mode", "estimation-dirichlet-mode")
@pytest.mark.parametrize(
    ("model", "message"),
    [
        (BetaBernoulli(1, 1), r"mode is undefined for a and b = \[1.0, 1.0\]: the density is constant; use the mean"),
        (BetaBernoulli(0.5, 3), "a and b = .*: the density is unbounded where a probability is 0; use the mean"),
        (BetaBernoulli(3, 0.5), "unbounded"),
        (DirichletCategorical([1, 1, 1]), "mode is undefined for alpha = .*: the density is constant"),
        (DirichletCategorical([2, 3, 0.9]), "unbounded where a probability is 0"),
    ],
)
def test_undefined_mode(model, message):
    with pytest.raises(ValueError, match=message):
        _ = model.mode
    assert np.isfinite(model.mean).all()
    assert BetaBernoulli(1, 3).mode == 0.0
    assert BetaBernoulli(3, 1).mode == 1.0


@pytest.mark.parametrize("theta", [-0.1, 1.1, np.nan])
def test_bad_probability(theta):
    with pytest.raises(ValueError, match="theta must be"):
        bernoulli_log_likelihood([0, 1], theta)


@pytest.mark.parametrize("theta", [[0.5, 0.6], [1.2, -0.2], [], [[0.5, 0.5]], [np.nan, 1]])
def test_bad_distribution(theta):
    with pytest.raises(ValueError, match="theta must"):
        categorical_log_likelihood([0], theta)
    if np.ndim(theta) == 1:
        with pytest.raises(ValueError, match="theta must"):
            DirichletCategorical([1, 1]).logpdf(theta)


@pytest.mark.equation("estimation-dirichlet")
@pytest.mark.parametrize("theta", [[1.0], [0.5, 0.5], [[1.0], [1.0]], [0.2, 0.3, 0.3, 0.2]])
def test_density_of_another_number_of_categories(theta):
    with pytest.raises(ValueError, match="theta must hold 3 probabilities on its last axis"):
        DirichletCategorical([2, 3, 1]).logpdf(theta)


@pytest.mark.equation("estimation-dirichlet")
def test_density_that_is_undefined_at_a_corner():
    model = DirichletCategorical([0.5, 2, 1])  # there one factor is infinite and another one is 0
    for theta in ([0, 0, 1], [[0.2, 0.3, 0.5], [0, 0, 1]]):
        with pytest.raises(ValueError, match=r"the density is undefined at theta = \[0.0, 0.0, 1.0\]"):
            model.logpdf(theta)
    assert_array_equal(model.logpdf([[0, 0.5, 0.5], [0.5, 0, 0.5]]), [np.inf, -np.inf])
    assert np.isfinite(model.logpdf([0.5, 0.5, 0]))


@pytest.mark.equation("estimation-normal-prior")
@pytest.mark.parametrize(
    ("mu", "error"), [(np.nan, ValueError), ([0, np.inf], ValueError), ("3", TypeError), ([1, None], TypeError)]
)
def test_density_at_what_is_no_number(mu, error):
    with pytest.raises(error, match=r"mu must (be finite|hold numbers)"):
        NormalNormal(0, 1, 1).logpdf(mu)


@pytest.mark.equation("estimation-beta")
@pytest.mark.parametrize("theta", [1.5, -0.1, [0.5, 2.0], np.nan])
def test_density_beside_the_unit_interval(theta):
    with pytest.raises(ValueError, match=r"theta must (hold probabilities, from 0 to 1|be finite)"):
        BetaBernoulli(2, 2).logpdf(theta)


@pytest.mark.parametrize("model", [BetaBernoulli(2, 2), DirichletCategorical([2, 2])])
def test_text_in_place_of_probabilities(model):
    with pytest.raises(TypeError, match="theta must hold numbers, got dtype"):
        model.logpdf(["a", "b"])
    with pytest.raises(TypeError, match="theta must hold numbers, got dtype"):
        categorical_log_likelihood([0], ["a", "b"])


def test_distribution_in_single_precision():
    sevenths = np.full(7, 1 / 7, dtype=np.float32)  # add up to 1 + 3e-8 only
    assert_allclose(categorical_log_likelihood([0, 6], sevenths), -2 * np.log(7), rtol=1e-6)


@pytest.mark.parametrize("model", [BetaBernoulli(1, 1), DirichletCategorical([1, 1]), NormalNormal(0, 1, 1)])
def test_evidence_refuses_what_update_refuses(model):
    with pytest.raises(ValueError, match="non-empty"):
        model.log_evidence([])

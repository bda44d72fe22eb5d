"""The quiz of the chapter *Estimation*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np
import scipy.stats
from scipy.integrate import quad

from notes_lib.foundations.estimation import (
    BetaBernoulli,
    DirichletCategorical,
    NormalNormal,
    bernoulli_log_likelihood,
    bernoulli_mle,
    gaussian_mle,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
TOSSES = [list(x) for n in range(1, 7) for x in product([0, 1], repeat=n)]


def quiz_three_heads(heads, tosses):
    """A coin shows <heads> heads in <tosses> tosses. Prior: uniform. Which is right?"""
    x = np.arange(tosses) < heads
    posterior = BetaBernoulli(1, 1).update(x.astype(int))
    found = [bernoulli_mle(x.astype(int)), posterior.mode, posterior.mean]
    return {
        "MLE <mle>, MAP <mode>, posterior mean <mean>": lambda mle, mode, mean: np.allclose([mle, mode, mean], found),
        "All three are <value>": lambda value: np.allclose(value, found),
    }


def quiz_n(times):
    r"""A program minimises mean loss $+\, s \lVert \mathbf{w} \rVert^2$. With <times> times as much data and the same
    prior, $s$ must be"""

    def strength(x):  # with which mean (x - w)^2 + s w^2, least at mean(x) / (1 + s), has its minimum at the mode
        return x.mean() / NormalNormal(mean=0.0, var=2.0, noise_var=3.0).update(x).mode - 1

    x = np.random.default_rng(0).normal(5.0, size=20)
    ratio = strength(np.tile(x, int(times))) / strength(x)
    return {
        "the same": np.isclose(ratio, 1),
        "ten times as large": np.isclose(ratio, 10),
        "a hundredth": np.isclose(ratio, 1 / 100),
        "a tenth": np.isclose(ratio, 1 / 10),
    }


def quiz_evidence():
    r"""Which statements about the evidence $p(\mathcal{D})$ are true?"""
    prior, x = BetaBernoulli(2, 3), [1, 1, 0, 1, 0, 1]
    evidence, grid = np.exp(prior.log_evidence(x)), np.linspace(0.001, 0.999, 999)
    joint = lambda theta: np.exp(bernoulli_log_likelihood(x, theta) + prior.logpdf(theta))  # likelihood times prior
    largest = np.exp(bernoulli_log_likelihood(x, bernoulli_mle(x)))
    best = grid[np.argmax([joint(theta) for theta in grid])]
    return {
        "It is the largest value of the likelihood": np.isclose(evidence, largest),
        "It makes the posterior integrate to 1": np.isclose(quad(lambda theta: joint(theta) / evidence, 0, 1)[0], 1),
        "It is not needed for the MAP estimate": abs(best - prior.update(x).mode) < 0.001,
        "It can never be computed": not np.isclose(evidence, quad(joint, 0, 1)[0]),
    }


def quiz_noise():
    """Which noise model has the mean absolute error as its loss?"""
    r = np.linspace(-0.9, 0.9, 19)
    size = np.abs(r)

    def is_absolute(log_density):  # minus the log-density is a multiple of |r| plus a constant
        loss = -np.maximum(log_density, -1e6)  # where a density is 0 its loss is infinite
        slope, constant = np.polyfit(size, loss, 1)
        return slope > SMALL and np.allclose(slope * size + constant, loss)

    return {
        "Laplace with one scale": is_absolute(scipy.stats.laplace.logpdf(r, scale=0.4)),
        "Gaussian": is_absolute(scipy.stats.norm.logpdf(r, scale=0.4)),
        # the label is 1 where r = y - p is positive
        "Bernoulli": is_absolute(scipy.stats.bernoulli.logpmf(r > 0, (r > 0) - r)),
        "Uniform on $[-c, c]$": any(is_absolute(scipy.stats.uniform.logpdf(r, -c, 2 * c)) for c in (0.5, 1)),
    }


def quiz_normal(mean, var, noise, n, average):
    r"""$\mathcal{N}(<mean>, <var>)$ is the prior of $\mu$, the noise has variance <noise>, <n> measurements have mean
    <average>. The posterior mean is"""
    prior = NormalNormal(mean, var, noise)
    after = lambda n: prior.update(np.full(int(n), average)).mean
    plain = (mean + n * average) / (1 + n)  # as if the prior were one more measurement
    return Numbers(after(n), [average, plain, after(1)])


def _variance_ratio(values, probabilities, n=3):
    """Expected estimate of a variance from n instances, over the variance: all samples counted."""
    mean = values @ probabilities
    samples = [list(s) for s in product(range(len(values)), repeat=n) if len(set(s)) > 1]  # others have variance 0
    expected = sum(np.prod(probabilities[s]) * gaussian_mle(values[s]).var for s in samples)
    return expected / ((values - mean) ** 2 @ probabilities)


def tf_bias():
    """The maximum-likelihood estimate of a variance is biased because the data may not be Gaussian."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(3)  # the moments of a Gaussian up to the fifth
    gaussian = _variance_ratio(nodes, weights / weights.sum())
    skewed = _variance_ratio(np.array([0.0, 1.0, 7.0]), np.array([0.5, 0.3, 0.2]))
    assert np.isclose(skewed, 2 / 3)
    return np.isclose(gaussian, 1)


def tf_likelihood():
    r"""Every likelihood, as a function of $\theta$, integrates to 1."""
    likelihood = lambda k, n, theta: scipy.stats.binom.pmf(k, n, theta)
    assert np.isclose(likelihood(np.arange(11), 10, 0.3).sum(), 1)
    integrals = [quad(lambda theta, k=k: likelihood(k, 10, theta), 0, 1)[0] for k in range(11)]
    return np.allclose(integrals, 1)


def tf_precision():
    """With known noise variance the precisions of a normal prior and normal data add, so the posterior is never wider
    than the prior."""
    assert BetaBernoulli(1, 9).update([1]).var > BetaBernoulli(1, 9).var  # which does not hold for every model
    rng = np.random.default_rng(0)
    told = []
    for mean, var, noise in rng.lognormal(sigma=2, size=(50, 3)):
        x = rng.normal(size=rng.integers(1, 9))
        after = NormalNormal(mean, var, noise).update(x)
        told.append(np.isclose(1 / after.var, 1 / var + len(x) / noise) and after.var <= var)
    return all(told)


def tf_uniform():
    """With a uniform prior on the probability of heads, the posterior mean is always the maximum-likelihood
    estimate."""
    same = lambda x: np.isclose(BetaBernoulli(1, 1).update(x).mean, bernoulli_mle(x))
    assert all(same(x) == (2 * sum(x) == len(x)) for x in TOSSES)
    assert all(np.isclose(BetaBernoulli(1, 1).update(x).mode, bernoulli_mle(x)) for x in TOSSES)
    return all(same(x) for x in TOSSES)


def tf_sequential():
    r"""If the data are independent given $\theta$, updating with one at a time gives the same posterior as using them
    all at once."""
    rng = np.random.default_rng(0)
    cases = [(BetaBernoulli(2, 3), x, "a b") for x in TOSSES]
    cases += [(DirichletCategorical([0.5, 1, 2]), rng.integers(3, size=9), "alpha")]
    cases += [(NormalNormal(1, 2, 3), rng.normal(size=9), "mean var")]

    def is_same(model, x, names):
        once = one_by_one = model
        once = once.update(x)
        for value in x:
            one_by_one = one_by_one.update([value])
        return all(np.allclose(getattr(once, name), getattr(one_by_one, name)) for name in names.split())

    return all(is_same(*case) for case in cases)


def tf_below_one(limit):
    """Dirichlet parameters below <limit> are allowed."""
    alpha = limit * np.array([0.3, 0.6])
    model = DirichletCategorical(alpha)
    density = lambda theta: np.exp(model.logpdf([theta, 1 - theta]))
    return np.isclose(quad(density, 0, 1)[0], 1, atol=1e-6) and np.allclose(model.mean, alpha / alpha.sum())


test_claim = decided("foundations/estimation", globals())

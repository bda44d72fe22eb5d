"""The quiz of the chapter *Inference*, decided: see ``tests/claims/deciding.py``."""

import numpy as np
import scipy.stats
from scipy.special import ndtri

from notes_lib.foundations.inference import (
    binomial_coverage,
    cramer_rao_bound,
    fisher_information,
    mcnemar_test,
    score,
    score_test,
    two_proportion_test,
    wald_interval,
    wilson_interval,
)
from tests.claims.deciding import Numbers, Words, decided

binom = scipy.stats.binom


def quiz_promise(level, low, high):
    """The <level> % confidence interval of an accuracy is [<low>, <high>]. Then"""
    middle, half = (low + high) / 2, (high - low) / 2
    n = round(middle * (1 - middle) * (ndtri(0.5 + level / 200) / half) ** 2)
    k, right = np.arange(n + 1), round(n * middle)

    def held(p):  # by the interval of the question, of an accuracy that has a prior with this many pseudo-counts
        posterior = scipy.stats.beta(right + p, n - right + p)
        return posterior.cdf(high) - posterior.cdf(low)

    lows, highs = wilson_interval(k, n, level / 100)
    fits = (lows[:, None] <= k / n) & (k / n <= highs[:, None])  # rows: the first test set; columns: the next one
    again = binom.pmf(k, n, middle) @ fits @ binom.pmf(k, n, middle)
    of_instances = np.mean([low <= one <= high for one in np.repeat([0, 1], [n - right, right])])
    near = lambda value, percent: abs(value - percent / 100) < 0.01
    return {
        "the accuracy lies in it with probability <q> %": lambda q: all(near(held(p), q) for p in (1, 30, 100)),
        "<q> % of intervals made by this recipe, over repeated test sets, hold the accuracy": lambda q: near(
            binomial_coverage(wilson_interval, np.linspace(low, high, 21), n, level / 100).mean(), q
        ),
        "<q> % of future accuracies on test sets of this size lie in it": lambda q: near(again, q),
        "<q> % of the instances have an accuracy in it": lambda q: near(of_instances, q),
    }


def quiz_poisson(n, theta):
    r"""The Fisher information of a Poisson mean, from <n> observations, at $\theta = <theta>$, is"""
    log_density = lambda theta, x: scipy.stats.poisson.logpmf(x, theta)
    one = fisher_information(log_density, theta, np.arange(100))
    return Numbers(n * one, [cramer_rao_bound(n * one), one, n * theta])


def quiz_uniform():
    r"""Where does the proof of the Cramér-Rao bound fail for the uniform distribution on $(0, \theta)$?"""
    theta, n, grid = 2.0, 5, np.linspace(0.0005, 0.9995, 1000)  # quantiles
    scores = score(lambda theta, x: np.full(len(x), -np.log(theta[0])), theta, theta * grid)
    largest = theta * grid ** (1 / n)  # of n observations
    x, y = np.random.default_rng(0).lognormal(size=(2, 1000))
    x, y = x - x.mean(), y - y.mean()
    return {
        "the observations are not independent": Words("they are drawn so"),
        "the mean of the score is not 0": abs(scores.mean()) > 0.1,
        "no unbiased estimator exists": not np.isclose((n + 1) / n * largest.mean(), theta, rtol=1e-3),
        "Cauchy-Schwarz needs a Gaussian": (x @ y) ** 2 > (x @ x) * (y @ y),
    }


def quiz_mcnemar(n):
    """Which of these change when <n> test instances are added that both classifiers get wrong?"""

    def measures(table):
        (both, b), (c, _) = table
        right, size = np.array([both + b, both + c]), table.sum()
        return mcnemar_test(table).p_value, right / size, two_proportion_test(right, [size] * 2).p_value, b - c

    table = np.array([[80, 8], [2, 10]])
    before, after = measures(table), measures(table + np.array([[0, 0], [0, int(n)]]))
    p, accuracies, unpaired, gap = [not np.allclose(old, new) for old, new in zip(before, after, strict=True)]
    return {
        "McNemar's exact p-value": p,
        "the two accuracies": accuracies,
        "the unpaired p-value": unpaired,
        "$b - c$": gap,
    }


def _score_test(k, n, theta):
    """Of n tosses with k heads: slope and information at the hypothesis."""
    return score_test(k / theta - (n - k) / (1 - theta), n / (theta * (1 - theta)))


def tf_score():
    """The score test needs no maximum-likelihood estimate."""
    n, theta = 1000, 0.3
    size = sum(binom.pmf(k, n, theta) for k in range(n + 1) if _score_test(k, n, theta).p_value <= 0.05)
    y = np.array([0, 0, 1, 1])  # a logistic regression on these and x = -2, -1, 1, 2 has no estimate
    slope, information = np.array([-2, -1, 1, 2]) @ (y - 0.5), 10 / 4
    return abs(size - 0.05) < 0.01 and 0 < score_test(slope, information).p_value < 1


def tf_bound():
    r"""No estimator can have a variance below $1 / (N I(\theta))$."""
    n, theta = 10, 0.3
    log_density = lambda theta, x: np.log(np.where(x == 1, theta, 1 - theta))
    bound = cramer_rao_bound(n * fisher_information(log_density, theta, [0, 1]))[0, 0]
    k = np.arange(n + 1)
    variance = lambda estimates: np.cov(estimates, aweights=binom.pmf(k, n, theta), ddof=0)
    assert np.isclose(variance(k / n), bound)  # unbiased
    return all(variance(estimates) >= 0.999 * bound for estimates in (k / n, (k + 1) / (n + 2), np.full(n + 1, 0.5)))


def tf_wald(level):
    r"""With enough data Wald's interval for a proportion covers <level> % for every $\theta$."""
    sizes = (100, 1000, 10_000)
    coverage = lambda theta, n: binomial_coverage(wald_interval, theta, n, level / 100)
    assert abs(coverage(0.3, sizes[-1]) - level / 100) < 0.002
    return any(coverage(np.linspace(0.01, 1, 100) / n, n).min() > level / 100 - 0.01 for n in sizes)


def tf_effect(p, q):
    """A result with $p = <p>$ shows a larger effect than one with $p = <q>$."""
    effect = lambda p, n: -ndtri(p / 2) / np.sqrt(n)  # mean over standard deviation, from a sample of n
    sizes = (10, 100, 1000)
    assert all(effect(p, n) > effect(q, n) for n in sizes)
    return all(effect(p, n) > effect(q, m) for n in sizes for m in sizes)


def tf_uniform():
    """Under a true null hypothesis and a continuous statistic the p-value is uniformly distributed."""
    samples = np.random.default_rng(0).normal(size=(10_000, 8))
    levels = np.linspace(0.05, 0.95, 19)
    share = lambda p_values: (p_values[:, None] <= levels).mean(axis=0)
    tosses = np.random.default_rng(1).binomial(8, 0.5, 10_000)
    exact = share(np.array([mcnemar_test([[0, b], [8 - b, 0]]).p_value for b in range(9)])[tosses])
    assert abs(exact - levels).max() > 0.05  # not a continuous statistic
    assert (exact < levels + 0.02).all()
    return abs(share(scipy.stats.ttest_1samp(samples, 0, axis=1).pvalue) - levels).max() < 0.02


test_claim = decided("foundations/inference", globals())

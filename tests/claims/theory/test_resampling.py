"""The quiz of the chapter *Resampling*, decided: see ``tests/claims/deciding.py``."""

from itertools import combinations, product

import numpy as np

from notes_lib.foundations.inference import mcnemar_test
from notes_lib.theory.resampling import (
    basic_interval,
    bootstrap,
    jackknife,
    percentile_interval,
    permutation_test,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def quiz_different(n):
    """<n> instances. How many different ones does a bootstrap sample hold on average?"""
    drawn = np.random.default_rng(0).integers(n, size=(5000, int(n)))
    found = np.mean([len(np.unique(sample)) for sample in drawn])
    is_it = lambda number: round(found) == number
    return {"about <number>": is_it, "<number>": is_it}


def quiz_basic(estimate, low, high):
    """Estimate <estimate>, quantiles of the replicates <low> and <high>. The basic interval is"""
    replicates = np.linspace(low, high, 1001)
    assert np.allclose(percentile_interval(replicates, 0.999), [low, high], atol=0.01)
    found = basic_interval(estimate, replicates, 0.999)
    return {"from <a> to <b>": lambda a, b: np.allclose(found, [a, b], atol=0.01)}


def quiz_p(extreme, exchanges):
    """<extreme> of <exchanges> random exchanges are at least as extreme. The p-value is"""
    x, draws = np.arange(20.0), int(exchanges)  # the statistic is 1 on the samples and on so many exchanges
    statistic = lambda a, b, axis: np.ones(1) if len(a) == 1 else 1.0 * (np.arange(len(a)) < extreme)
    found = permutation_test(x, x, statistic, alternative="greater", n_resamples=draws, vectorized=True, random_state=0)
    return Numbers(found.p_value, [extreme / (draws + 1), extreme / draws, (extreme + 1) / draws])


def _coverage(statistic, truth, draw, n=100):
    """How often the percentile interval of level 95 % holds the truth."""
    rng, held = np.random.default_rng(0), []
    for _ in range(200):
        found = bootstrap(draw(rng, n), statistic, n_resamples=200, vectorized=True, random_state=rng)
        low, high = percentile_interval(found.replicates)
        held.append(low <= truth <= high)
    return np.mean(held)


def _correlation(samples, axis):
    d = samples - samples.mean(axis=axis, keepdims=True)
    x, y = d[..., 0], d[..., 1]
    return (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))


def quiz_fails():
    """For which statistics is the plain bootstrap unreliable? (Mark all.)"""
    pairs = lambda rng, n: rng.multivariate_normal([0, 0], [[1, 0.6], [0.6, 1]], n)
    normal, uniform = (lambda rng, n: rng.normal(size=n)), (lambda rng, n: rng.random(n))
    heavy = lambda rng, n: 1 + rng.pareto(1.2, n)  # of mean 6, without a variance
    fails = lambda *case: _coverage(*case) < 0.85
    return {
        "a correlation": fails(_correlation, 0.6, pairs),
        "the maximum": fails(np.max, 1.0, uniform),
        "the mean of data without variance": fails(np.mean, 6.0, heavy),
        "the median": fails(np.median, 0.0, normal),
    }


def tf_gaussian():
    """A permutation test needs Gaussian data."""

    def keeps_its_level(pool):  # every split of the same numbers is equally likely under the null hypothesis
        splits = [(list(s), [i for i in range(7) if i not in s]) for s in combinations(range(7), 3)]
        p = np.array([permutation_test(pool[s], pool[t], alternative="greater").p_value for s, t in splits])
        return all(np.mean(p <= alpha) <= alpha + SMALL for alpha in np.linspace(0.01, 1, 100))

    rng = np.random.default_rng(0)
    assert keeps_its_level(rng.normal(size=7))
    return not (keeps_its_level(rng.standard_cauchy(size=7)) and keeps_its_level(rng.exponential(size=7)))


def tf_mean():
    r"""The jackknife gives exactly $s/\sqrt N$ for a mean."""
    samples = [np.random.default_rng(n).exponential(size=n) for n in (2, 5, 40)]
    return all(np.isclose(jackknife(x, np.mean).standard_error, x.std(ddof=1) / np.sqrt(len(x))) for x in samples)


def tf_infinity(level, share):
    r"""With $R\to\infty$ a bootstrap interval of level <level> % covers exactly <share> %."""
    every = np.array(list(product(range(4), repeat=4)))  # all samples of four from four, which R draws approach
    coverage = []
    for x in np.random.default_rng(0).normal(size=(2000, 4)):
        low, high = percentile_interval(x[every].mean(axis=1), level / 100)
        coverage.append(low <= 0 <= high)
    assert _coverage(np.mean, 0.0, lambda rng, n: rng.normal(size=n)) > np.mean(coverage) + 0.05  # 100 instances
    return abs(np.mean(coverage) - share / 100) < 0.02


def tf_mcnemar():
    """McNemar's test compares two fitted classifiers, not two learners."""
    rng = np.random.default_rng(0)

    def rejects(train):  # how often, of two classifiers on 200 instances with the mean (1, 1) or (-1, -1)
        p_values = []
        for _ in range(300):
            y = rng.choice([-1, 1], 200)
            X = 0.7 * y[:, None] + rng.normal(size=(200, 2))
            right = [np.sign(X @ train(n)) == y for n in range(2)]
            b, c = (right[0] & ~right[1]).sum(), (right[1] & ~right[0]).sum()
            p_values.append(mcnemar_test([[0, b], [c, 0]]).p_value)
        return np.mean(np.array(p_values) <= 0.05)

    same_learner = lambda _: 0.7 + rng.normal(size=(3, 2)).mean(axis=0)  # the mean of three instances, trained anew
    same_risk = lambda n: np.eye(2)[n]  # one feature each, not trained
    return rejects(same_risk) < 0.07 and rejects(same_learner) > 0.2


test_claim = decided("theory/resampling", globals())

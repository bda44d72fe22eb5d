"""The quiz of the chapter *Dirichlet process mixtures*, decided: see ``tests/claims/deciding.py``."""

from itertools import permutations

import numpy as np
from scipy.stats import beta

from notes_lib.clustering.dirichlet_process import (
    DirichletProcessMixture,
    NormalInverseWishart,
    co_clustering,
    expected_tables,
    log_partition,
    log_predictive,
    niw_posterior,
    seating_probabilities,
)
from tests.claims.deciding import Numbers, decided

ROWS = np.random.default_rng(0).normal(size=(12, 1)) + np.repeat([0.0, 5.0], 6)[:, None]


def _run():
    return DirichletProcessMixture(
        1.0, mean_precision_prior=0.1, degrees_of_freedom_prior=5, covariance_prior=[[3.0]], n_iter=60, random_state=0
    ).fit(ROWS)


def quiz_seat(counts, alpha):
    """Tables with <counts> guests, $\\alpha=<alpha>$. The next guest opens a new table with probability"""
    n = sum(counts)
    return Numbers(seating_probabilities(counts, alpha)[-1], [1 / (len(counts) + 1), alpha / n, 1 / (1 + alpha)])


def quiz_expected(alpha, n):
    """$\\alpha=<alpha>$. The expected number of tables of <n> guests is"""
    return Numbers(expected_tables(int(n), alpha), [expected_tables(int(n) - 1, alpha), n, alpha])


def quiz_stick(alpha):
    """$\\alpha=<alpha>$. The expected length of the first piece of the stick is"""
    first = beta(1, alpha).mean()
    return Numbers(first, [1 / alpha, 1 - first, first * (1 - first)])


def quiz_names():
    """Which of these do not change when each sweep names its tables anew? (Mark all.)"""
    trace = _run().labels_trace_
    rng = np.random.default_rng(1)
    anew = np.array([rng.permutation(20)[z] for z in trace])
    new = np.array([[0.3]])
    prior = NormalInverseWishart(np.zeros(1), 0.1, 5.0, np.array([[3.0]]))

    def density(labels):
        return sum((labels == k).sum() * np.exp(log_predictive(new, niw_posterior(prior, ROWS[labels == k]))[0])
                   for k in np.unique(labels))  # fmt: skip

    def mean_of_first(labels):
        return np.mean([ROWS[z == 0].mean() if (z == 0).any() else 0.0 for z in labels])

    tables = lambda labels: [len(np.unique(z)) for z in labels]
    return {
        "the co-clustering matrix": np.array_equal(co_clustering(trace), co_clustering(anew)),
        "the number of tables": tables(trace) == tables(anew),
        "the mean of cluster 0 over the sweeps": np.isclose(mean_of_first(trace), mean_of_first(anew)),
        "the predictive density": np.allclose([density(z) for z in trace], [density(z) for z in anew]),
    }


def tf_order():
    """The order in which guests arrive changes the probability of their groups."""
    told = {round(log_partition([(0, 0, 1, 2)[i] for i in order], 0.8), 12) for order in permutations(range(4))}
    assert not np.isclose(log_partition([0, 0, 1, 2], 0.8), log_partition([0, 0, 1, 1], 0.8))  # other groups do
    return len(told) > 1


def tf_two(alpha, guests):
    """With $\\alpha=<alpha>$ and <guests> guests, both partitions are equally probable."""
    assert guests == 2
    return np.isclose(log_partition([0, 0], alpha), log_partition([0, 1], alpha))


def tf_double():
    """Doubling the number of rows doubles the expected number of tables."""
    assert np.isclose(expected_tables(2, 1e9), 2 * expected_tables(1, 1e9))  # where nearly every guest is alone
    return np.isclose(expected_tables(200, 1.0), 2 * expected_tables(100, 1.0), rtol=0.1)


def tf_tails(few, many):
    """The predictive density of a row at its table has heavier tails with <few> other rows than with <many>."""
    prior = NormalInverseWishart(np.zeros(1), 1.0, 2.0, np.eye(1))

    def fall(n):  # of the log density over the last factor ten of a far distance
        p = niw_posterior(prior, np.resize([-1.0, 1.0], (int(n), 1)))
        near, far = log_predictive(np.array([[1e5], [1e6]]), p)
        return near - far

    return fall(few) < fall(many)


def tf_monotone():
    """A sweep of collapsed Gibbs sampling never lowers the joint probability."""
    return np.diff(_run().log_joint_).min() >= 0


test_claim = decided("clustering/dirichlet_process", globals())

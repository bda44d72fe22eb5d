"""Dirichlet process mixtures: known counts, all partitions of six rows, SciPy's t, laws, extremes, errors."""

import re
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import gammaln
from scipy.stats import betabinom, invwishart, multivariate_normal, multivariate_t
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.clustering.dirichlet_process import (
    DirichletProcessMixture,
    NormalInverseWishart,
    canonical_labels,
    chinese_restaurant,
    co_clustering,
    expected_tables,
    gibbs_sweep,
    log_evidence,
    log_partition,
    log_predictive,
    niw_posterior,
    seating_probabilities,
    stick_weights,
)
from notes_lib.datasets import load_faithful, make_blobs

SIX = np.array([[0.0, 0.2], [0.3, 0.0], [0.1, -0.4], [2.0, 2.2], [2.4, 1.9], [1.0, 1.3]])
PRIOR = NormalInverseWishart(np.array([1.0, 0.8]), 0.3, 3.0, np.array([[1.0, 0.2], [0.2, 0.8]]))


def partitions(n):
    """All partitions of n rows as canonical labels (n,), by restricted growth."""
    rows = [(0,)]
    for _ in range(n - 1):
        rows = [(*z, k) for z in rows for k in range(max(z) + 2)]
    return np.array(rows)


def random_prior(rng, d):
    A = rng.normal(size=(d, d + 2))
    return NormalInverseWishart(rng.normal(size=d), rng.uniform(0.1, 2), d - 1 + rng.uniform(0.5, 4), A @ A.T)


def plain_sweep(X, labels, alpha, prior, uniforms):
    """One row after the other: its table by the evidence with it over the evidence without it."""
    z = np.array(labels)
    for n, u in enumerate(uniforms):
        left, z[n] = z[n], -1
        weights = []
        for k in range(z.max() + 1):
            rows = X[z == k]
            gain = log_evidence(np.vstack([rows, X[n]]), prior) - log_evidence(rows, prior)
            weights.append(len(rows) * np.exp(gain))
        weights.append(alpha * np.exp(log_evidence(X[[n]], prior)))
        k = int(np.searchsorted(np.cumsum(weights), u * sum(weights), side="right"))
        if k == len(weights) - 1:  # who sat alone keeps the table
            k = left if left >= 0 and left not in z else min(set(range(len(X))) - set(z.tolist()))
        z[n] = k
    return z


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("dirichlet-process-partition")
def test_numbers_of_tables_follow_stirling_numbers():
    # Antoniak (1974): P(K = k) = |s(n, k)| alpha^k / (alpha ... (alpha + n - 1)), with 6, 11, 6, 1 for n = 4
    alpha = 0.7
    rising = alpha * (alpha + 1) * (alpha + 2) * (alpha + 3)
    found = np.zeros(5)
    for z in partitions(4):
        found[z.max() + 1] += np.exp(log_partition(z, alpha))
    assert_allclose(found[1:], np.array([6, 11, 6, 1]) * alpha ** np.arange(1, 5) / rising, rtol=1e-12)


@pytest.mark.equation("dirichlet-process-expected")
def test_expected_tables_at_concentration_one_are_harmonic_numbers():
    assert expected_tables(10, 1.0) == pytest.approx(7381 / 2520, rel=1e-14)
    assert expected_tables(1, 0.3) == 1


@pytest.mark.equation("dirichlet-process-update")
def test_posterior_of_three_numbers_by_hand():
    after = niw_posterior(NormalInverseWishart([0.0], 1.0, 3.0, [[2.0]]), [[1.0], [2.0], [3.0]])
    assert_allclose(after.mean, [1.5])  # (0 + 6) / 4
    assert (after.mean_precision, after.degrees_of_freedom) == (4, 6)
    assert_allclose(after.scale, [[2 + 2 + 3 / 4 * 4]])  # scatter 2, and 1 * 3 / 4 times (2 - 0)^2


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("dirichlet-process-partition", "dirichlet-process-seating")
@pytest.mark.parametrize("alpha", [0.2, 1.0, 3.5])
def test_partition_is_the_product_of_the_seats_in_every_order(alpha):
    for z in partitions(4):
        assert_allclose(
            [sum(np.log(p) for p in seats(z[list(order)], alpha)) for order in permutations(range(4))],
            log_partition(z, alpha), rtol=1e-12,
        )  # fmt: skip


def seats(z, alpha):
    """Probability of the seat of each guest, given those before."""
    for n in range(len(z)):
        before = canonical_labels(z[: n + 1])
        counts = np.bincount(before[:n], minlength=before[:n].max(initial=-1) + 1)
        yield seating_probabilities(counts, alpha)[before[n]]


@pytest.mark.equation("dirichlet-process-finite", "dirichlet-process-seating")
def test_restaurant_is_the_limit_of_many_components():
    alpha, K = 1.3, 10**7
    for z in partitions(4):
        sizes = np.bincount(z)
        ways = gammaln(K + 1) - gammaln(K - len(sizes) + 1)  # which components the groups are
        finite = gammaln(alpha) - gammaln(alpha + 4) + (gammaln(sizes + alpha / K) - gammaln(alpha / K)).sum()
        assert_allclose(finite + ways, log_partition(z, alpha), atol=1e-5)


@pytest.mark.equation("dirichlet-process-predictive", "dirichlet-process-evidence")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("d", [1, 2, 4])
def test_predictive_is_students_t_and_its_product_the_evidence(seed, d):
    rng = np.random.default_rng(seed)
    prior, X = random_prior(rng, d), rng.normal(size=(6, d))
    for n in range(len(X)):
        p = niw_posterior(prior, X[:n])
        df = p.degrees_of_freedom - d + 1
        shape = p.scale * (p.mean_precision + 1) / (p.mean_precision * df)
        assert_allclose(log_predictive(X, p), multivariate_t(p.mean, shape, df).logpdf(X), rtol=1e-10)
    chain = sum(log_predictive(X[[n]], niw_posterior(prior, X[:n]))[0] for n in range(len(X)))
    assert log_evidence(X, prior) == pytest.approx(chain, rel=1e-11)


@pytest.mark.equation("dirichlet-process-niw", "dirichlet-process-evidence", "dirichlet-process-update")
def test_evidence_is_likelihood_times_prior_over_posterior():
    def log_density(p, mu, Sigma):
        around = multivariate_normal(p.mean, Sigma / p.mean_precision).logpdf(mu)
        return around + invwishart(p.degrees_of_freedom, p.scale).logpdf(Sigma)

    rng = np.random.default_rng(3)
    for _ in range(5):
        A = rng.normal(size=(2, 3))
        mu, Sigma = rng.normal(size=2), A @ A.T
        likelihood = multivariate_normal(mu, Sigma).logpdf(SIX).sum()
        bayes = likelihood + log_density(PRIOR, mu, Sigma) - log_density(niw_posterior(PRIOR, SIX), mu, Sigma)
        assert bayes == pytest.approx(log_evidence(SIX, PRIOR), rel=1e-10)


def exact_posterior(X, alpha, prior):
    """Probabilities of all partitions of the rows."""
    all_of_them = partitions(len(X))
    log_joint = [
        log_partition(z, alpha) + sum(log_evidence(X[z == k], prior) for k in range(z.max() + 1)) for z in all_of_them
    ]
    p = np.exp(log_joint - np.max(log_joint))
    return all_of_them, p / p.sum()


@pytest.mark.equation("dirichlet-process-gibbs", "dirichlet-process-joint", "dirichlet-process-together")
@pytest.mark.parametrize("alpha", [0.3, 2.0])
def test_the_chain_visits_partitions_as_often_as_the_exact_posterior_says(alpha):
    states, p = exact_posterior(SIX, alpha, PRIOR)
    model = DirichletProcessMixture(
        alpha, mean_prior=PRIOR.mean, mean_precision_prior=0.3, degrees_of_freedom_prior=3.0,
        covariance_prior=PRIOR.scale, n_iter=1000, burn_in=20, random_state=0,
    ).fit(SIX)  # fmt: skip
    same = lambda z: (z[:, :, None] == z[:, None, :]).reshape(len(z), -1).astype(float)
    for exact, found in [
        (p @ (states.max(axis=1) + 1), model.n_clusters_trace_.astype(float)),
        (p @ same(states), same(model.labels_trace_)),
    ]:
        batches = found.reshape(20, 50, -1).mean(axis=1)
        error = batches.std(axis=0, ddof=1) / np.sqrt(20) + 1e-12
        assert (np.abs(batches.mean(axis=0) - exact) < 4.5 * error).all()
    assert_allclose(co_clustering(model.labels_trace_), same(model.labels_trace_).mean(axis=0).reshape(6, 6))
    joint = {tuple(z): value for z, value in zip(states, np.log(p), strict=True)}
    apart = model.log_joint_ - np.array([joint[tuple(z)] for z in model.labels_trace_])
    assert_allclose(apart, apart[0], atol=1e-9)  # the same but for the constant of the evidence of all partitions


@pytest.mark.equation("dirichlet-process-without", "dirichlet-process-gibbs")
@pytest.mark.parametrize("seed", range(6))
def test_blocks_of_rows_draw_the_seats_of_one_row_after_the_other(seed, monkeypatch):
    monkeypatch.setattr("notes_lib.clustering.dirichlet_process.gibbs.ROWS", 7)
    rng = np.random.default_rng(seed)
    d = 1 + seed % 3
    X = rng.normal(size=(25, d)) + 4 * rng.integers(0, 2, (25, 1))
    prior, alpha = random_prior(rng, d), rng.uniform(0.2, 3)
    z = np.full(25, -1)
    for _ in range(5):
        u = rng.random(25)
        z, slow = gibbs_sweep(X, z, alpha, prior, u), plain_sweep(X, z, alpha, prior, u)
        assert_array_equal(z, slow)


@pytest.mark.equation("dirichlet-process-density")
def test_density_of_a_new_row_is_the_exact_mean_over_all_partitions():
    states, p = exact_posterior(SIX, 1.0, PRIOR)
    new = np.array([[0.5, 0.5], [3.0, 1.0]])
    exact = np.zeros(2)
    for z, weight in zip(states, p, strict=True):
        share = seating_probabilities(np.bincount(z), 1.0)
        tables = [niw_posterior(PRIOR, SIX[z == k]) for k in range(z.max() + 1)] + [PRIOR]
        exact += weight * sum(s * np.exp(log_predictive(new, t)) for s, t in zip(share, tables, strict=True))
    assert_allclose(np.exp(six_model(1000).score_samples(new)), exact, rtol=0.05)


def six_model(n_iter):
    return DirichletProcessMixture(
        1.0, mean_prior=PRIOR.mean, mean_precision_prior=0.3, degrees_of_freedom_prior=3.0,
        covariance_prior=PRIOR.scale, n_iter=n_iter, burn_in=20, random_state=1,
    ).fit(SIX)  # fmt: skip


@pytest.mark.equation("dirichlet-process-density")
def test_the_density_integrates_to_one():
    grid = np.linspace(-400, 400, 400_001)[:, None]
    model = DirichletProcessMixture(degrees_of_freedom_prior=3.0, n_iter=5, random_state=0).fit(SIX[:, :1])
    assert np.exp(model.score_samples(grid)).sum() * 0.002 == pytest.approx(1, abs=2e-4)
    assert model.score(grid[:3]) == pytest.approx(model.score_samples(grid[:3]).mean())


@pytest.mark.equation("dirichlet-process-first-table")
def test_first_table_has_the_beta_binomial_law_of_an_urn():
    n, alpha = 6, 1.7
    found = np.zeros(n)
    for z in partitions(n):
        found[(z == 0).sum() - 1] += np.exp(log_partition(z, alpha))
    assert_allclose(found, betabinom(n - 1, 1, alpha).pmf(np.arange(n)), rtol=1e-10)


@pytest.mark.equation("dirichlet-process-stick")
def test_pieces_of_the_stick():
    assert_allclose(stick_weights([0.5, 0.25, 0.2]), [0.5, 0.125, 0.075])
    v = np.random.default_rng(0).beta(1, 3.0, 400)
    assert stick_weights(v).sum() == pytest.approx(1 - np.prod(1 - v), rel=1e-12)


def test_guests_are_seated_as_the_rule_says():
    alpha, n = 1.5, 4
    drawn = np.array([chinese_restaurant(n, alpha, random_state=seed) for seed in range(6000)])
    seen, count = np.unique(drawn, axis=0, return_counts=True)
    exact = np.exp([log_partition(z, alpha) for z in seen])
    assert len(seen) == 15
    assert (np.abs(count / 6000 - exact) < 4 * np.sqrt(exact * (1 - exact) / 6000)).all()
    assert_array_equal(drawn, [canonical_labels(z) for z in drawn])


# --------------------------------------------------------------------------------------------------------------- laws


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=9), st.floats(0.05, 20), st.randoms(use_true_random=False))
def test_a_partition_has_no_order_and_no_names(labels, alpha, random):
    z = np.array(labels)
    order = list(range(len(z)))
    random.shuffle(order)
    assert log_partition(z, alpha) == pytest.approx(log_partition(10 - z[order], alpha))
    assert_array_equal(canonical_labels(z), canonical_labels(10 - z))
    assert_array_equal(canonical_labels(z)[:, None] == canonical_labels(z), z[:, None] == z)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 60), st.floats(0.05, 20))
def test_expected_tables_are_those_of_the_partitions(n, alpha):
    bound = 1 + alpha * np.log1p((n - 1) / alpha)  # the integral above the sum
    assert 1 <= expected_tables(n, alpha) <= bound * (1 + 1e-12)
    if n <= 6:
        exact = sum((z.max() + 1) * np.exp(log_partition(z, alpha)) for z in partitions(n))
        assert expected_tables(n, alpha) == pytest.approx(exact, rel=1e-10)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_posterior_in_two_steps_is_that_in_one(seed):
    rng = np.random.default_rng(seed)
    prior, X = random_prior(rng, 3), rng.normal(size=(7, 3))
    twice = niw_posterior(niw_posterior(prior, X[:4]), X[4:])
    for a, b in zip(twice, niw_posterior(prior, X), strict=True):
        assert_allclose(a, b, rtol=1e-10, atol=1e-10)


def test_the_density_follows_a_shift_and_a_scale():
    A, shift = np.array([[2.0, 0.5], [-1.0, 3.0]]), np.array([5.0, -7.0])
    moved = NormalInverseWishart(A @ PRIOR.mean + shift, 0.3, 3.0, A @ PRIOR.scale @ A.T)
    jacobian = len(SIX) * np.log(np.abs(np.linalg.det(A)))
    assert log_evidence(SIX @ A.T + shift, moved) == pytest.approx(log_evidence(SIX, PRIOR) - jacobian)


def test_clusters_that_lie_apart_are_found():
    X, y = make_blobs(120, centers=np.array([[-8.0, 0], [8, 0], [0, 9]]), cluster_std=1.0, random_state=0)
    model = DirichletProcessMixture(
        0.1, mean_precision_prior=0.02, degrees_of_freedom_prior=4, covariance_prior=np.eye(2), random_state=0
    ).fit(X)
    assert model.n_clusters_ == 3
    assert_array_equal(canonical_labels(model.labels_), canonical_labels(y))
    assert_array_equal(model.predict(X), model.labels_)
    assert_array_equal(np.diag(model.co_clustering_), np.ones(120))
    assert model.labels_trace_.shape == (200, 120)
    assert model.labels_.tolist() in model.labels_trace_.tolist()


def test_one_partition_is_the_nearest_to_the_matrix():
    model = six_model(100)
    far = lambda z: ((np.equal.outer(z, z) - model.co_clustering_) ** 2).sum()
    assert far(model.labels_) == pytest.approx(min(far(z) for z in model.labels_trace_))


def test_settings_are_the_data_s_own_unless_given():
    X = load_faithful().X[:40]
    model = DirichletProcessMixture(n_iter=2, burn_in=0, random_state=0).fit(X)
    assert_allclose(model.prior_.mean, X.mean(axis=0))
    assert_allclose(model.prior_.scale, np.cov(X.T))
    assert model.prior_[1:3] == (1.0, 2.0)
    again = clone(model).fit(X.astype(np.float32))
    assert_array_equal(again.labels_trace_, model.labels_trace_)
    assert_array_equal(clone(model).fit(np.asfortranarray(X)).labels_trace_, model.labels_trace_)


def test_estimator_contract():
    check_estimator(DirichletProcessMixture(n_iter=5, burn_in=2), on_skip=None)


# ----------------------------------------------------------------------------------------------------------- extremes


def test_repeated_rows_and_a_far_one():
    X = np.vstack([np.zeros((20, 2)), [[1e6, -1e6]]])
    model = DirichletProcessMixture(
        1.0, mean_prior=[0.0, 0.0], covariance_prior=np.eye(2), mean_precision_prior=0.01, n_iter=20, random_state=0
    ).fit(X)
    assert model.labels_[-1] != model.labels_[0]
    assert np.isfinite(model.score_samples(X)).all()


@pytest.mark.parametrize(("alpha", "tables"), [(1e-300, 1), (1e12, 30)])
def test_extreme_concentrations(alpha, tables):
    X = np.random.default_rng(0).normal(size=(30, 2))
    model = DirichletProcessMixture(alpha, n_iter=3, burn_in=2, random_state=0).fit(X)
    assert set(model.n_clusters_trace_) == {tables}
    assert chinese_restaurant(30, alpha, random_state=0).max() + 1 == tables


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("alpha", [0, -1.0, np.nan, np.inf])
def test_concentration_must_be_positive(alpha):
    for call in (
        lambda: seating_probabilities([1], alpha),
        lambda: chinese_restaurant(3, alpha),
        lambda: log_partition([0, 1], alpha),
        lambda: expected_tables(3, alpha),
        lambda: gibbs_sweep(SIX, [0] * 6, alpha, PRIOR, [0.5] * 6),
        lambda: DirichletProcessMixture(alpha).fit(SIX),
    ):
        with pytest.raises(ValueError, match="alpha must be"):
            call()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: seating_probabilities([1.5], 1.0), ValueError, "counts must hold counts, whole numbers"),
        (lambda: seating_probabilities([[1]], 1.0), ValueError, "counts must be a vector"),
        (lambda: chinese_restaurant(0, 1.0), ValueError, "n must be at least 1"),
        (lambda: log_partition([], 1.0), ValueError, "labels must be a vector of at least one label"),
        (lambda: log_partition([0.5], 1.0), TypeError, "labels must be integers"),
        (lambda: expected_tables(2.5, 1.0), TypeError, "n must be an integer"),
        (lambda: stick_weights([0.5, 1.5]), ValueError, "fractions must lie between 0 and 1"),
        (lambda: co_clustering([0, 1]), ValueError, "trace must be (S, n)"),
        (lambda: niw_posterior(PRIOR, [[1.0]]), ValueError, "X must be (n, 2)"),
        (lambda: niw_posterior(PRIOR, [[1.0, np.nan]]), ValueError, "X must be finite"),
        (lambda: log_evidence(SIX, PRIOR._replace(degrees_of_freedom=1.0)), ValueError,
         "degrees_of_freedom_prior must be above d - 1 = 1"),
        (lambda: log_predictive(SIX, PRIOR._replace(mean_precision=0)), ValueError,
         "mean_precision_prior must be positive"),
        (lambda: log_predictive(SIX, PRIOR._replace(scale=-np.eye(2))), ValueError,
         "covariance_prior is not positive definite"),
        (lambda: log_predictive(SIX, PRIOR._replace(scale=np.eye(3))), ValueError, "covariance_prior must have shape"),
        (lambda: gibbs_sweep(SIX, [0] * 5, 1.0, PRIOR, [0.5] * 6), ValueError, "labels must be 6 tables"),
        (lambda: gibbs_sweep(SIX, [-2] * 6, 1.0, PRIOR, [0.5] * 6), ValueError, "labels must be 6 tables"),
        (lambda: gibbs_sweep(SIX, [0] * 6, 1.0, PRIOR, [1.0] * 6), ValueError, "uniforms must lie in [0, 1)"),
        (lambda: DirichletProcessMixture(mean_prior=[0.0], covariance_prior=[[1.0]]).fit(SIX), ValueError,
         "mean_prior must have shape (2,)"),
        (lambda: DirichletProcessMixture().fit(np.ones((5, 2))), ValueError, "covariance_prior is not positive"),
        (lambda: DirichletProcessMixture(n_iter=0).fit(SIX), ValueError, "n_iter must be at least 1"),
        (lambda: DirichletProcessMixture(burn_in=-1).fit(SIX), ValueError, "burn_in must be at least 0"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(call, error, words):
    with pytest.raises(error, match=re.escape(words)):
        call()

"""Gaussian mixtures and EM: published numbers, independent routes, laws, extremes, errors."""

import itertools
import pickle
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture as Peer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.clustering.gmm import (
    GaussianMixture,
    MStep,
    e_step,
    elbo,
    entropy,
    log_component_densities,
    m_step,
    n_parameters,
    precision_cholesky,
    q_function,
)
from notes_lib.datasets import load_faithful, make_blobs
from notes_lib.numerics import BLOCK, central_difference

TYPES = ["full", "tied", "diag", "spherical"]
ZAKI = np.array([[1.0], [1.3], [2.2], [2.6], [2.8], [5.0], [7.3], [7.4], [7.5], [7.7], [7.9]])
# fmt: off
ESL = np.array([
    -0.39, 0.12, 0.94, 1.67, 1.76, 2.44, 3.72, 4.28, 4.92, 5.53,
    0.06, 0.48, 1.01, 1.68, 1.80, 3.25, 4.12, 4.60, 5.28, 6.22,
])[:, None]
# fmt: on


def random_covariances(rng, covariance_type, K, d):
    """Well-conditioned covariances in the shape of the type."""
    A = rng.normal(size=(K, d, d))
    full = A @ np.swapaxes(A, 1, 2) + 0.5 * np.eye(d)
    return {"full": full, "tied": full[0], "diag": rng.uniform(0.3, 2, (K, d)), "spherical": rng.uniform(0.3, 2, K)}[
        covariance_type
    ]


def as_full(covariances, covariance_type, K, d):
    """The same covariances as K matrices, written independently of the library."""
    return np.array(
        [
            {
                "full": lambda k: covariances[k],
                "tied": lambda k: covariances,
                "diag": lambda k: np.diag(covariances[k]),
                "spherical": lambda k: covariances[k] * np.identity(d),
            }[covariance_type](k)
            for k in range(K)
        ]
    )


def problem(seed, covariance_type="full", n=60, K=3, d=2):
    """Data and the parameters of a mixture that does not fit them well."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + rng.integers(0, 3, n)[:, None] * rng.normal(size=d) * 2
    theta = MStep(
        rng.dirichlet(np.full(K, 5.0)), rng.normal(size=(K, d)), random_covariances(rng, covariance_type, K, d)
    )
    return X, theta


def run_em(X, theta, n_iter, covariance_type="full", reg_covar=0.0):
    """EM by the step functions: parameters and total log-likelihood before each iteration."""
    history = []
    for _ in range(n_iter):
        step = e_step(X, *theta, covariance_type)
        history.append(step.log_likelihood.sum())
        theta = m_step(X, step.responsibilities, covariance_type, reg_covar)
    return theta, np.array(history)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("gmm-responsibility", "gmm-mstep-mean", "gmm-mstep-covariance", "gmm-mstep-weights")
def test_old_faithful_waiting_times():
    # R's mixtools, normalmixEM(faithful$waiting), start 50 and 80, sd 5 (Benaglia et al., 2009, J. Stat. Softw. 32)
    model = GaussianMixture(
        2,
        weights_init=[0.5, 0.5],
        means_init=[[50.0], [80.0]],
        precisions_init=[[[1 / 25]], [[1 / 25]]],
        tol=1e-12,
        max_iter=1000,
        reg_covar=0.0,
    ).fit(load_faithful().X[:, 1:])
    assert_allclose(model.weights_, [0.3608868, 0.6391132], rtol=0, atol=2e-5)
    assert_allclose(model.means_.ravel(), [54.61489, 80.09109], rtol=0, atol=1e-4)
    assert_allclose(np.sqrt(model.covariances_.ravel()), [5.871241, 5.867718], rtol=0, atol=2e-4)
    assert_allclose(272 * model.score(load_faithful().X[:, 1:]), -1034.002, rtol=0, atol=6e-4)


def test_esl_table_8_1():
    # Hastie, Tibshirani and Friedman (2009), data of Table 8.1; start as in their Algorithm 8.1: two observations as
    # means, the variance of all observations, equal weights. Converged values (the book prints those of iteration 20).
    start = MStep(np.array([0.5, 0.5]), np.array([[4.12], [0.94]]), np.full(2, ESL.var()))
    theta, _ = run_em(ESL, start, 2000, "spherical")
    assert_allclose(theta.means.ravel(), [4.655912807977064, 1.0831618077374836], rtol=0, atol=2e-6)
    assert_allclose(theta.covariances, [0.8187935704405764, 0.8113706189149964], rtol=0, atol=2e-6)
    assert_allclose(theta.weights[0], 0.44540976747492483, rtol=0, atol=2e-6)


def test_zaki_meira_example_13_4():
    # Zaki and Meira (2014), Data Mining and Analysis, example 13.4: printed to two digits after 1 and 5 iterations
    start = MStep(np.array([0.5, 0.5]), np.array([[6.63], [7.57]]), np.ones((2, 1, 1)))
    one, _ = run_em(ZAKI, start, 1)
    assert_allclose(one.means.ravel(), [3.7, 7.4], rtol=0, atol=0.025)  # printed to one digit
    assert_allclose(one.covariances.ravel(), [6.13, 0.69], rtol=0, atol=0.005)
    five, _ = run_em(ZAKI, start, 5)
    assert_allclose(five.means.ravel(), [2.48, 7.56], rtol=0, atol=0.005)
    assert_allclose(five.covariances.ravel(), [1.69, 0.05], rtol=0, atol=0.005)
    assert_allclose(five.weights, [0.55, 0.45], rtol=0, atol=0.005)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("gmm-normal", "gmm-cholesky")
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("seed", range(3))
def test_densities_are_those_of_scipy(seed, covariance_type):
    X, theta = problem(seed, covariance_type, d=3)
    full = as_full(theta.covariances, covariance_type, 3, 3)
    expected = np.column_stack([multivariate_normal(m, S).logpdf(X) for m, S in zip(theta.means, full, strict=True)])
    assert_allclose(log_component_densities(X, theta.means, theta.covariances, covariance_type), expected, rtol=1e-11)
    step = e_step(X, *theta, covariance_type)
    joint = theta.weights * np.exp(expected)
    assert_allclose(step.responsibilities, joint / joint.sum(axis=1, keepdims=True), rtol=1e-9)
    assert_allclose(step.log_likelihood, np.log(joint.sum(axis=1)), rtol=1e-10, atol=1e-12)


@pytest.mark.equation("gmm-joint", "gmm-complete", "gmm-likelihood", "gmm-responsibility")
def test_likelihood_and_posterior_by_enumerating_all_assignments():
    X, theta = problem(4, n=5, K=3)
    total, hits = 0.0, np.zeros((5, 3))
    for z in itertools.product(range(3), repeat=5):  # all 3^5 values of the latent variables
        p = np.prod([theta.weights[k] * multivariate_normal(theta.means[k], theta.covariances[k]).pdf(x)
                     for x, k in zip(X, z, strict=True)])  # fmt: skip
        total += p
        hits[np.arange(5), z] += p
    step = e_step(X, *theta)
    assert_allclose(step.log_likelihood.sum(), np.log(total), rtol=1e-12)
    assert_allclose(step.responsibilities, hits / total, rtol=1e-10)


@pytest.mark.equation("gmm-mstep-mean", "gmm-mstep-covariance", "gmm-mstep-types", "gmm-mstep-weights", "gmm-count")
@pytest.mark.parametrize("covariance_type", TYPES)
def test_m_step_by_loops(covariance_type):
    X, theta = problem(5, covariance_type, n=40, d=3)
    gamma = e_step(X, *theta, covariance_type).responsibilities
    new = m_step(X, gamma, covariance_type, reg_covar=0.25)
    N, mu, S = [], [], []
    for k in range(3):
        N.append(sum(gamma[n, k] for n in range(40)))
        mu.append(sum(gamma[n, k] * X[n] for n in range(40)) / N[k])
        S.append(sum(gamma[n, k] * np.outer(X[n] - mu[k], X[n] - mu[k]) for n in range(40)) / N[k])
    if covariance_type == "tied":
        Sigma = sum(N[k] * S[k] for k in range(3)) / 40 + 0.25 * np.identity(3)
    elif covariance_type == "full":
        Sigma = [S[k] + 0.25 * np.identity(3) for k in range(3)]
    else:
        Sigma = [np.diag(S[k]) + 0.25 for k in range(3)]
        Sigma = [v.mean() for v in Sigma] if covariance_type == "spherical" else Sigma
    assert_allclose(new.weights, np.array(N) / 40, rtol=1e-12)
    assert_allclose(new.means, mu, rtol=1e-11, atol=1e-13)
    assert_allclose(new.covariances, Sigma, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_same_path_as_scikit_learn(covariance_type):
    X, theta = problem(6, covariance_type, n=300, d=3)
    P = 1 / theta.covariances if theta.covariances.shape[-2:] != (3, 3) or covariance_type == "diag" else None
    precisions = np.linalg.inv(theta.covariances) if P is None else P
    start = {"weights_init": theta.weights, "means_init": theta.means, "precisions_init": precisions}
    settings_ = {"covariance_type": covariance_type, "tol": 0.0, "max_iter": 15, **start}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours, peer = GaussianMixture(3, **settings_).fit(X), Peer(3, **settings_).fit(X)
    names = ["weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_", "lower_bounds_"]
    for name in [*names, "lower_bound_", "n_iter_", "converged_", "n_features_in_"]:
        assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-9, atol=1e-10, err_msg=name)
    Y = X[:50] + 0.1
    assert_array_equal(ours.predict(Y), peer.predict(Y))
    with pytest.warns(ConvergenceWarning):
        assert_array_equal(clone(ours).fit_predict(X), peer.predict(X))
    for name in ["predict_proba", "score_samples", "score", "aic", "bic"]:
        assert_allclose(getattr(ours, name)(Y), getattr(peer, name)(Y), rtol=1e-9, atol=1e-10, err_msg=name)


@pytest.mark.parametrize("init_params", ["kmeans", "k-means++", "random_from_data"])
def test_reaches_the_optimum_of_scikit_learn_from_any_start(init_params):
    X, _ = make_blobs(400, centers=[[-4, 0], [4, 0], [0, 5]], cluster_std=1.0, random_state=1)
    ours = GaussianMixture(3, init_params=init_params, tol=1e-10, max_iter=1000, n_init=3, random_state=0).fit(X)
    peer = Peer(3, tol=1e-10, max_iter=1000, n_init=3, random_state=0).fit(X)
    assert ours.converged_
    assert_allclose(ours.score(X), peer.score(X), rtol=1e-8)
    order, peers = np.argsort(ours.means_[:, 0]), np.argsort(peer.means_[:, 0])
    assert_allclose(ours.means_[order], peer.means_[peers], atol=1e-3)


def unconstrained(covariance_type, K, d):
    """Map a plain vector to a valid mixture: softmax for weights, L L^T or exp for covariances."""
    lower = np.tril_indices(d)

    def matrix(v):
        L = np.zeros((d, d))
        L[lower] = v
        return L @ L.T

    def build(v):
        pi, mu, rest = softmax(v[:K]), v[K : K + K * d].reshape(K, d), v[K + K * d :]
        if covariance_type == "full":
            return MStep(pi, mu, np.array([matrix(r) for r in rest.reshape(K, -1)]))
        if covariance_type == "tied":
            return MStep(pi, mu, matrix(rest))
        return MStep(pi, mu, np.exp(rest).reshape((K, d) if covariance_type == "diag" else (K,)))

    def flatten(theta):
        S = theta.covariances
        if covariance_type in ("full", "tied"):
            rest = [np.linalg.cholesky(s)[lower] for s in S.reshape(-1, d, d)]
        else:
            rest = [np.log(S).ravel()]
        return np.concatenate([np.log(theta.weights), theta.means.ravel(), *rest])

    return build, flatten


@pytest.mark.equation("gmm-mstep-mean", "gmm-mstep-covariance", "gmm-mstep-types", "gmm-mstep-weights", "gmm-q")
@pytest.mark.parametrize("covariance_type", TYPES)
def test_m_step_is_the_stationary_point_of_q(covariance_type):
    X, theta = problem(7, covariance_type)
    gamma = e_step(X, *theta, covariance_type).responsibilities
    build, flatten = unconstrained(covariance_type, 3, 2)
    Q = lambda v: q_function(X, gamma, build(v), covariance_type)
    best = flatten(m_step(X, gamma, covariance_type, reg_covar=0.0))
    assert np.abs(central_difference(Q, flatten(theta))).max() > 1  # not flat elsewhere
    assert_allclose(central_difference(Q, best), 0.0, atol=1e-5)
    rng = np.random.default_rng(0)
    assert all(Q(best + 0.05 * rng.normal(size=best.size)) < Q(best) for _ in range(20))


@pytest.mark.equation("gmm-gradient-mean", "gmm-gradient-precision", "gmm-lagrange", "gmm-likelihood")
@pytest.mark.parametrize("covariance_type", TYPES)
def test_fixed_point_of_em_is_a_stationary_point_of_the_likelihood(covariance_type):
    X, theta = problem(8, covariance_type)
    for _ in range(40):
        theta, history = run_em(X, theta, 100, covariance_type)
        if history[-1] - history[-2] < 1e-11:
            break
    build, flatten = unconstrained(covariance_type, 3, 2)
    likelihood = lambda v: e_step(X, *build(v), covariance_type).log_likelihood.sum()
    assert history[-1] - history[-2] < 1e-11
    assert_allclose(central_difference(likelihood, flatten(theta)), 0.0, atol=2e-4)


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)
kinds = st.sampled_from(TYPES)
quick = settings(max_examples=25, deadline=None)


@pytest.mark.equation("gmm-responsibility", "gmm-logsumexp")
@quick
@given(seed=seeds, kind=kinds, K=st.integers(1, 5), d=st.integers(1, 4), scale=st.sampled_from([1e-3, 1.0, 1e3]))
def test_responsibilities_are_distributions(seed, kind, K, d, scale):
    X, theta = problem(seed, kind, n=20, K=K, d=d)
    gamma = e_step(X * scale, *theta, kind).responsibilities
    assert gamma.shape == (20, K)
    assert gamma.min() >= 0
    assert_allclose(gamma.sum(axis=1), 1.0, rtol=1e-12)


@pytest.mark.equation("gmm-monotone")
@quick
@given(seed=seeds, kind=kinds, K=st.integers(1, 4))
def test_likelihood_never_falls(seed, kind, K):
    X, theta = problem(seed, kind, n=80, K=K)
    _, history = run_em(X, theta._replace(covariances=10 * theta.covariances), 15, kind)
    assert np.diff(history).min() >= -1e-9 * abs(history[0])


@pytest.mark.equation("gmm-elbo", "gmm-entropy", "gmm-decomposition")
@quick
@given(seed=seeds, kind=kinds)
def test_elbo_is_a_lower_bound_that_touches_at_the_posterior(seed, kind):
    X, theta = problem(seed, kind, n=30)
    step = e_step(X, *theta, kind)
    log_likelihood = step.log_likelihood.sum()
    assert_allclose(elbo(X, step.responsibilities, theta, kind), log_likelihood, rtol=1e-11)
    # Q = l - H, so Q lies below l at the posterior, and l + H above it
    H = -np.sum([g * np.log(g) for g in step.responsibilities.ravel() if g > 0])
    assert_allclose(q_function(X, step.responsibilities, theta, kind), log_likelihood - H, rtol=1e-11)
    # for any other distribution the gap is the Kullback-Leibler divergence from q to the posterior
    q = np.random.default_rng(seed).dirichlet(np.ones(3), size=30)
    kl = sum(
        a * (np.log(a) - np.log(b)) for a, b in zip(q.ravel(), step.responsibilities.ravel(), strict=True) if a > 0
    )
    if np.isfinite(kl):
        assert_allclose(elbo(X, q, theta, kind), log_likelihood - kl, rtol=1e-9)
    assert elbo(X, q, theta, kind) <= log_likelihood + 1e-9


@pytest.mark.equation("gmm-entropy")
def test_entropy_of_certain_and_of_uniform_rows():
    assert entropy([[1.0, 0.0], [0.0, 1.0]]) == 0.0
    assert_allclose(entropy(np.full((7, 4), 0.25)), 7 * np.log(4), rtol=1e-14)
    assert_allclose(entropy([[0.25, 0.75]]), -(0.25 * np.log(0.25) + 0.75 * np.log(0.75)), rtol=1e-14)


@quick
@given(seed=seeds, kind=kinds)
def test_relabelling_the_components_changes_nothing(seed, kind):
    X, theta = problem(seed, kind)
    order = [2, 0, 1]
    Sigma = theta.covariances if kind == "tied" else theta.covariances[order]
    relabelled, history = run_em(X, MStep(theta.weights[order], theta.means[order], Sigma), 5, kind, reg_covar=0.1)
    plain, plain_history = run_em(X, theta, 5, kind, reg_covar=0.1)
    assert_allclose(history, plain_history, rtol=1e-8)
    assert_allclose(relabelled.means, plain.means[order], rtol=1e-6, atol=1e-8)
    assert_allclose(relabelled.weights, plain.weights[order], rtol=1e-6)


@quick
@given(seed=seeds, kind=st.sampled_from(["full", "tied", "spherical"]))
def test_rotation_and_translation_move_the_solution_along(seed, kind):
    X, theta = problem(seed, kind)
    a = np.random.default_rng(seed).uniform(0, 2 * np.pi)
    R, shift = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]), np.array([3.0, -7.0])
    Sigma = theta.covariances if kind == "spherical" else R @ theta.covariances @ R.T
    moved, history = run_em(
        X @ R.T + shift, MStep(theta.weights, theta.means @ R.T + shift, Sigma), 5, kind, reg_covar=0.1
    )
    plain, plain_history = run_em(X, theta, 5, kind, reg_covar=0.1)
    assert_allclose(history, plain_history, rtol=1e-8)
    assert_allclose(moved.means, plain.means @ R.T + shift, rtol=1e-6, atol=1e-7)
    expected = plain.covariances if kind == "spherical" else R @ plain.covariances @ R.T
    assert_allclose(moved.covariances, expected, rtol=1e-5, atol=1e-7)


@quick
@given(seed=seeds, scales=st.tuples(*[st.sampled_from([1e-3, 0.5, 1e4])] * 2))
def test_scaling_columns_does_not_matter_for_full_and_diag(seed, scales):
    for kind in ["full", "diag"]:
        X, theta = problem(seed, kind)
        s = np.array(scales)
        Sigma = theta.covariances * (np.outer(s, s) if kind == "full" else s**2)
        gamma = e_step(X, *theta, kind).responsibilities
        assert_allclose(e_step(X * s, theta.weights, theta.means * s, Sigma, kind).responsibilities, gamma, atol=1e-9)


@pytest.mark.equation("gmm-kmeans-limit")
@pytest.mark.parametrize("seed", range(4))
def test_k_means_is_the_limit_of_vanishing_variance(seed):
    X, _ = make_blobs(120, centers=3, cluster_std=2.0, random_state=seed)
    soft = hard = X[[0, 50, 100]]
    for _ in range(6):
        gamma = e_step(X, np.full(3, 1 / 3), soft, np.full(3, 1e-4), "spherical").responsibilities
        soft = m_step(X, gamma).means
        nearest = np.argmin([[np.sum((x - c) ** 2) for c in hard] for x in X], axis=1)  # one step of k-means
        hard = np.array([X[nearest == k].mean(axis=0) for k in range(3)])
        assert_allclose(soft, hard, rtol=0, atol=1e-9)
    blurred = e_step(X, np.full(3, 1 / 3), soft, np.full(3, 100.0), "spherical").responsibilities
    assert blurred.max(axis=1).min() < 0.99  # with a positive variance the assignment is soft


@pytest.mark.equation("gmm-kmeans-q")
def test_q_of_a_hard_assignment_is_minus_the_objective_of_k_means():
    rng = np.random.default_rng(20)
    X, labels = rng.normal(size=(30, 2)), np.arange(30) % 3
    mu, var = rng.normal(size=(3, 2)), 0.7
    J = sum((x - mu[k]) @ (x - mu[k]) for x, k in zip(X, labels, strict=True))
    theta = MStep(np.full(3, 1 / 3), mu, np.full(3, var))
    expected = -30 * np.log(3) - 30 * np.log(2 * np.pi * var) - J / (2 * var)
    assert q_function(X, np.eye(3)[labels], theta, "spherical") == pytest.approx(expected)


@pytest.mark.equation("gmm-rate")
@pytest.mark.parametrize("m", [0.3, 1.0, 2.5])
def test_rate_of_em_is_the_slope_of_its_map(m):
    rng = np.random.default_rng(21)
    x = rng.normal(size=40) + rng.choice([-1.0, 1.0], size=40)

    def em_round(m):
        gamma = e_step(x[:, None], [0.5, 0.5], [[-m], [m]], [1.0, 1.0], "spherical").responsibilities
        return m_step(np.concatenate([-x, x])[:, None], gamma.T.reshape(-1, 1), "spherical", 0.0).means[0, 0]

    assert em_round(m) == pytest.approx(np.mean(x * np.tanh(m * x)))
    slope = (em_round(m + 1e-5) - em_round(m - 1e-5)) / 2e-5
    assert slope == pytest.approx(np.mean(x**2 / np.cosh(m * x) ** 2), rel=1e-6)


def test_one_component_is_the_gaussian_maximum_likelihood_estimate():
    X, _ = problem(9)
    model = GaussianMixture(1, reg_covar=0.0).fit(X)
    assert_allclose(model.means_[0], X.mean(axis=0), rtol=1e-12)
    assert_allclose(model.covariances_[0], np.cov(X.T, bias=True), rtol=1e-12)  # divisor n, not n - 1
    assert_allclose(model.weights_, [1.0])
    assert model.n_iter_ == 2


def test_identical_components_stay_identical():
    # a stationary point that is not a maximum: EM stays there although the likelihood can be raised nearby
    X = np.r_[np.linspace(-4, -2, 20), np.linspace(2, 4, 20)][:, None]
    start = MStep(np.array([0.5, 0.5]), np.full((2, 1), 0.3), np.ones(2))
    theta, _ = run_em(X, start, 50, "spherical")
    assert_allclose(theta.means[0], theta.means[1], rtol=1e-12)
    stuck = e_step(X, *theta, "spherical").log_likelihood.sum()
    split = MStep(theta.weights, np.array([[-0.5], [0.5]]), theta.covariances - 0.25)  # same mean and variance overall
    assert e_step(X, *split, "spherical").log_likelihood.sum() > stuck + 1e-4


@pytest.mark.equation("gmm-prior", "gmm-normal")
@pytest.mark.parametrize("covariance_type", TYPES)
def test_sample_has_the_moments_of_the_model(covariance_type):
    X, _ = problem(10, covariance_type, n=200, d=2)
    model = GaussianMixture(3, covariance_type=covariance_type, tol=1e-2, random_state=3).fit(X)
    n = 40_000
    Y, labels = model.sample(n)
    assert Y.shape == (n, 2)
    share = np.bincount(labels, minlength=3) / n
    assert_allclose(share, model.weights_, rtol=0, atol=5 * np.sqrt(0.25 / n))
    for k, Sigma in enumerate(as_full(model.covariances_, covariance_type, 3, 2)):
        Yk = Y[labels == k]
        error = np.sqrt(np.diag(Sigma) / len(Yk))
        assert (np.abs(Yk.mean(axis=0) - model.means_[k]) < 5 * error).all()
        # standard error of a sample covariance: sqrt((S_ii S_jj + S_ij^2) / n)
        spread = np.sqrt((np.outer(np.diag(Sigma), np.diag(Sigma)) + Sigma**2) / len(Yk))
        assert (np.abs(np.cov(Yk.T) - Sigma) < 5 * spread).all()
    again, _ = model.sample(n)
    assert_array_equal(Y, again)


@pytest.mark.equation("gmm-parameters", "gmm-bic", "gmm-aic")
@pytest.mark.parametrize(("covariance_type", "count"), [("full", 17), ("tied", 11), ("diag", 14), ("spherical", 11)])
def test_criteria_by_counting_parameters(covariance_type, count):
    # K = 3, d = 2: 2 weights + 6 means + covariances (3 x 3, 3, 3 x 2, 3 numbers)
    X, _ = problem(11, n=90)
    model = GaussianMixture(3, covariance_type=covariance_type, random_state=0).fit(X)
    assert n_parameters(3, 2, covariance_type) == count
    assert_allclose(model.bic(X), -2 * model.score_samples(X).sum() + count * np.log(90), rtol=1e-12)
    assert_allclose(model.aic(X), -2 * model.score_samples(X).sum() + 2 * count, rtol=1e-12)


@pytest.mark.equation("gmm-parameters")
@pytest.mark.parametrize("K", [1, 4])
@pytest.mark.parametrize("d", [1, 5])
def test_parameter_count_by_listing_free_entries(K, d):
    free = {(i, j) for i in range(d) for j in range(d) if i <= j}
    extra = {
        "full": K * len(free),
        "tied": len(free),
        "diag": sum(1 for _ in range(K) for _ in range(d)),
        "spherical": K,
    }
    for kind, covariance in extra.items():
        assert n_parameters(K, d, kind) == (K - 1) + len([(k, j) for k in range(K) for j in range(d)]) + covariance


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.equation("gmm-logsumexp")
def test_far_points_do_not_underflow():
    means, S = np.array([[0.0], [1.0]]), np.ones(2)
    step = e_step([[1e4], [-1e4]], [0.5, 0.5], means, S, "spherical")
    assert np.exp(-0.5e8) == 0.0  # the naive density
    assert_allclose(step.log_likelihood, -0.5 * np.array([9999.0, 1e4]) ** 2 - np.log(2) - 0.5 * np.log(2 * np.pi))
    assert_allclose(step.responsibilities, [[0, 1], [1, 0]], atol=1e-300)


def test_a_component_of_weight_zero_gets_no_responsibility():
    step = e_step([[0.0], [3.0]], [1.0, 0.0], [[0.0], [3.0]], [1.0, 1.0], "spherical")
    assert_array_equal(step.responsibilities, [[1, 0], [1, 0]])
    theta = MStep(np.array([1.0, 0.0]), np.array([[0.0], [3.0]]), np.ones(2))
    assert np.isfinite(q_function([[0.0]], [[1.0, 0.0]], theta, "spherical"))  # 0 log 0 = 0


def test_more_features_than_rows():
    X = np.random.default_rng(0).normal(size=(10, 40))
    with pytest.raises(ValueError, match=r"component \d.*reg_covar"):
        GaussianMixture(2, reg_covar=0.0, random_state=0).fit(X)
    model = GaussianMixture(2, reg_covar=1e-3, random_state=0).fit(X)
    assert np.isfinite(model.lower_bounds_).all()
    assert min(np.linalg.eigvalsh(S).min() for S in model.covariances_) >= 0.99e-3


def test_repeating_every_row_changes_neither_model_nor_mean_likelihood():
    X, theta = problem(12)
    once, h1 = run_em(X, theta, 5)
    twice, h2 = run_em(np.repeat(X, 2, axis=0), theta, 5)
    assert_allclose(h2, 2 * h1, rtol=1e-11)
    assert_allclose(twice.covariances, once.covariances, rtol=1e-9)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_constant_column(covariance_type):
    X = np.column_stack([np.r_[np.linspace(0, 1, 20), np.linspace(9, 10, 20)], np.full(40, 3.0)])
    model = GaussianMixture(2, covariance_type=covariance_type, random_state=0).fit(X)
    assert_allclose(model.means_[:, 1], 3.0)
    assert_allclose(np.sort(model.means_[:, 0]), [0.5, 9.5], atol=1e-3)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_tiny_and_huge_units(scale):
    X, _ = make_blobs(200, centers=[[0, 0], [8, 0]], cluster_std=1.0, random_state=2)
    plain = GaussianMixture(2, reg_covar=1e-6, random_state=0).fit(X)
    model = GaussianMixture(2, reg_covar=1e-6 * scale**2, random_state=0).fit(X * scale)
    assert_allclose(model.means_ / scale, plain.means_, rtol=1e-6)
    assert_allclose(model.covariances_ / scale**2, plain.covariances_, rtol=1e-6, atol=1e-9)


def test_components_far_apart_keep_their_digits():
    rng = np.random.default_rng(3)
    A, B = rng.normal(size=(50, 2)), rng.normal(size=(50, 2))
    X = np.r_[A, B + 1e7]
    theta = m_step(X, np.repeat(np.eye(2), 50, axis=0), reg_covar=0.0)
    assert_allclose(theta.covariances[1], np.cov(B.T, bias=True), rtol=1e-7)  # moments about the mean, not about 0
    step = e_step(X, *theta)
    logpdf = multivariate_normal(B.mean(axis=0), np.cov(B.T, bias=True)).logpdf(B)
    assert_allclose(step.log_likelihood[50:], np.log(0.5) + logpdf, rtol=1e-6)


def test_more_rows_than_one_block():
    X, theta = problem(13, n=2 * BLOCK + 7)
    parts = [e_step(P, *theta) for P in np.array_split(X, 5)]
    whole = e_step(X, *theta)
    assert_allclose(whole.responsibilities, np.vstack([p.responsibilities for p in parts]), rtol=1e-9, atol=1e-14)
    assert_allclose(whole.log_likelihood, np.concatenate([p.log_likelihood for p in parts]), rtol=1e-12)
    D = X - m_step(X, whole.responsibilities, reg_covar=0.0).means[1]
    g = whole.responsibilities[:, 1]
    assert_allclose(
        m_step(X, whole.responsibilities, reg_covar=0.0).covariances[1], (g[:, None] * D).T @ D / g.sum(), rtol=1e-10
    )


def test_layout_dtype_and_row_order_do_not_matter():
    X, theta = problem(14)
    base = m_step(X, e_step(X, *theta).responsibilities)
    wide = np.repeat(X, 2, axis=1)[:, ::2]  # not contiguous
    order = np.random.default_rng(0).permutation(len(X))
    for Y, rtol in [(np.asfortranarray(X), 1e-11), (wide, 1e-11), (X[order], 1e-9), (X.astype(np.float32), 1e-4)]:
        other = m_step(Y, e_step(Y, *theta).responsibilities)
        assert_allclose(other.covariances, base.covariances, rtol=rtol, atol=rtol)
        assert_allclose(other.means, base.means, rtol=rtol, atol=rtol)
    gamma = np.ascontiguousarray(e_step(X, *theta).responsibilities)
    assert_allclose(m_step(X, gamma).covariances, base.covariances, rtol=1e-12)
    assert m_step(X.tolist(), gamma.tolist()).means.dtype == float


@pytest.mark.parametrize("bad", [0.0, 1e-300])
def test_likelihood_is_unbounded_and_reg_covar_bounds_it(bad):
    # one component sits on the first point: its variance goes to 0 and the likelihood to infinity
    X = np.r_[0.0, np.linspace(1, 5, 20)][:, None]
    values = [
        e_step(X, [0.5, 0.5], [[0.0], [3.0]], [v, 2.0], "spherical").log_likelihood.sum() for v in [1e-4, 1e-40, 1e-80]
    ]
    assert values[0] < values[1] - 30 < values[2] - 60
    gamma = np.column_stack([np.r_[1.0, np.full(20, bad)], np.r_[0.0, np.full(20, 1 - bad)]])
    assert m_step(X, gamma, "spherical", reg_covar=0.0).covariances[0] < 1e-200
    assert m_step(X, gamma, "spherical", reg_covar=0.01).covariances[0] >= 0.01


# ---------------------------------------------------------------------------------------------------------- estimator


def test_scikit_learn_contract():
    check_estimator(GaussianMixture(), on_skip=None)


def test_works_in_pipeline_grid_search_clone_and_pickle():
    X, _ = make_blobs(120, centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), GaussianMixture(random_state=0)),
        {"gaussianmixture__n_components": [1, 2, 3]},
        cv=3,
    ).fit(np.random.default_rng(0).permutation(X))
    assert grid.best_params_ == {"gaussianmixture__n_components": 3}
    model = GaussianMixture(2, random_state=0).fit(X)
    assert_allclose(pickle.loads(pickle.dumps(model)).predict_proba(X), model.predict_proba(X))
    assert clone(model).get_params() == model.get_params()


def test_fitted_precisions_belong_to_the_covariances():
    X, _ = problem(15, d=3)
    for kind in TYPES:
        model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
        full = as_full(model.covariances_, kind, 2, 3)
        assert_allclose(as_full(model.precisions_, kind, 2, 3), np.linalg.inv(full), rtol=1e-8, atol=1e-10)
        W = as_full(model.precisions_cholesky_, kind, 2, 3)
        assert_allclose(W @ np.swapaxes(W, 1, 2), np.linalg.inv(full), rtol=1e-8, atol=1e-10)
        assert_allclose(np.tril(W, -1), 0.0)


def test_n_init_keeps_the_best_of_the_starts():
    X, _ = make_blobs(150, centers=[[-6, 0], [-2, 0], [6, 0]], cluster_std=0.7, random_state=4)
    rng, singles = np.random.default_rng(8), []
    for _ in range(6):  # the same stream of starts, one at a time
        singles.append(GaussianMixture(3, init_params="random_from_data", random_state=rng).fit(X).lower_bound_)
    assert max(singles) - min(singles) > 0.05
    best = GaussianMixture(3, init_params="random_from_data", random_state=np.random.default_rng(8), n_init=6).fit(X)
    assert_allclose(best.lower_bound_, max(singles), rtol=1e-12)


def test_the_first_of_equal_runs_is_kept(monkeypatch):
    # one maximum under two numberings; which run ends a rounding error higher differs by processor, here it is the last
    X, _ = make_blobs(80, centers=[[-6, 0], [6, 0]], cluster_std=0.7, random_state=4)
    plain_run, calls = GaussianMixture._run, []

    def run(self, X, theta):
        calls.append(theta.means)
        theta, bounds, converged = plain_run(self, X, theta)
        return theta, [*bounds[:-1], bounds[-1] + 1e-13 * len(calls)], converged

    fit = lambda n, seed: GaussianMixture(2, init_params="k-means++", n_init=n, tol=1e-12, random_state=seed).fit(X)
    firsts = [fit(1, seed) for seed in range(8)]
    assert {bool(model.means_[0, 0] < 0) for model in firsts} == {True, False}
    monkeypatch.setattr(GaussianMixture, "_run", run)
    for seed, first in enumerate(firsts):
        assert_array_equal(fit(9, seed).means_, first.means_)
    assert len(calls) == 8 * 9


def test_kmeans_start_gives_hard_clusters_as_first_responsibilities():
    X, y = make_blobs(90, centers=[[0, 0], [20, 0], [0, 20]], random_state=5)
    with pytest.warns(ConvergenceWarning):
        model = GaussianMixture(3, max_iter=1, random_state=0).fit(X)
    start = m_step(X, np.eye(3)[y])
    assert_allclose(model.lower_bounds_, [e_step(X, *start).log_likelihood.mean()], rtol=1e-9)


def test_lower_bounds_are_recorded_and_stop_the_iteration():
    X, _ = problem(16)
    model = GaussianMixture(2, tol=1e-4, random_state=0, reg_covar=0.0).fit(X)
    steps = np.diff(model.lower_bounds_)
    assert model.converged_
    assert len(model.lower_bounds_) == model.n_iter_
    assert model.lower_bound_ == model.lower_bounds_[-1]
    assert abs(steps[-1]) < 1e-4
    assert (np.abs(steps[:-1]) >= 1e-4).all()
    assert steps.min() >= -1e-10


@pytest.mark.parametrize("init_params", ["kmeans", "k-means++", "random", "random_from_data"])
def test_equal_seeds_give_equal_fits(init_params):
    X, _ = problem(17)
    fits = [GaussianMixture(2, init_params=init_params, random_state=5).fit(X).means_ for _ in range(2)]
    assert_array_equal(fits[0], fits[1])
    assert np.isfinite(fits[0]).all()


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_some_starting_values_replace_the_others_stay(order):
    X, y = make_blobs(60, centers=[[0, 0], [9, 9]], random_state=0)
    means = np.array([[0.0, 0.0], [9.0, 9.0]])[order]
    start = {"means_init": means, "weights_init": [0.3, 0.7], "covariance_type": "tied"}
    with pytest.warns(ConvergenceWarning):
        model = GaussianMixture(2, max_iter=1, random_state=0, **start).fit(X)
    assert_allclose(model.means_, means, atol=0.7)  # labels follow means_init
    pooled = m_step(X, np.eye(2)[y], "tied").covariances  # what is not given comes from k-means
    expected = e_step(X, [0.3, 0.7], means, pooled, "tied").log_likelihood.mean()
    assert_allclose(model.lower_bounds_, [expected], rtol=1e-9)


# -------------------------------------------------------------------------------------------------------------- errors

GOOD = np.array([[0.0, 0.0], [1.0, 0.5], [4.0, 4.0], [5.0, 4.5]])


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"n_components": 5}, ValueError, "n_components=5 must be at most n_samples=4"),
        ({"n_components": 0}, ValueError, "n_components must be at least 1, got 0"),
        ({"n_components": "2"}, TypeError, "n_components must be an integer, got '2'"),
        ({"n_components": 2.0}, TypeError, "n_components must be an integer"),
        ({"n_components": True}, TypeError, "n_components must be an integer"),
        ({"covariance_type": "round"}, ValueError, "covariance_type must be one of .*'spherical'.*got 'round'"),
        ({"init_params": "zeros"}, ValueError, "init_params must be one of .*'kmeans'.*got 'zeros'"),
        ({"tol": -1e-3}, ValueError, "tol must be finite and at least 0, got -0.001"),
        ({"tol": "1e-3"}, TypeError, "tol must be a number, got '1e-3'"),
        ({"reg_covar": -1.0}, ValueError, "reg_covar must be finite and at least 0"),
        ({"reg_covar": np.inf}, ValueError, "reg_covar must be finite"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"n_init": 0}, ValueError, "n_init must be at least 1"),
        ({"random_state": "0"}, TypeError, "random_state must be an int"),
        ({"n_components": 2, "weights_init": [0.5, 0.6]}, ValueError, "weights_init must be non-negative and sum to 1"),
        ({"n_components": 2, "weights_init": [1.5, -0.5]}, ValueError, "weights_init must be non-negative"),
        ({"n_components": 2, "weights_init": [1.0]}, ValueError, r"weights_init must have shape \(2,\), got \(1,\)"),
        ({"n_components": 2, "means_init": [[0.0, 0.0]]}, ValueError, r"means_init must have shape \(2, 2\)"),
        ({"n_components": 1, "means_init": [[0.0, np.nan]]}, ValueError, "means_init must be finite"),
        ({"precisions_init": np.eye(2)}, ValueError, r"precisions_init must have shape \(1, 2, 2\), got \(2, 2\)"),
        ({"precisions_init": [[[1.0, 2.0], [2.0, 1.0]]]}, ValueError, "precisions_init must be symmetric positive def"),
        ({"precisions_init": [[[1.0, 0.5], [0.0, 1.0]]]}, ValueError, "precisions_init .* must be symmetric"),
        ({"precisions_init": [[0.0, 1.0]], "covariance_type": "diag"}, ValueError, "precisions_init .*not positive"),
    ],
)
def test_bad_hyperparameters(parameters, error, message):
    with pytest.raises(error, match=message):
        GaussianMixture(**parameters).fit(GOOD)


def test_as_many_components_as_points_are_allowed():
    model = GaussianMixture(4, random_state=0).fit(GOOD)
    assert_allclose(np.sort(model.means_, axis=0), GOOD, atol=1e-6)
    assert_allclose(model.weights_, 0.25)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[np.nan, 0.0], [1.0, 1.0]], "NaN"),
        ([[np.inf, 0.0], [1.0, 1.0]], "infinity"),
        (np.empty((0, 2)), "minimum of 2 is required"),
        ([0.0, 1.0, 2.0], "[Rr]eshape"),
        ([["a", "b"], ["c", "d"]], "numeric|convert"),
        ([["1", "2"], ["3", "4"]], "numeric"),
    ],
)
def test_bad_data(X, message):
    with pytest.raises(ValueError, match=message):
        GaussianMixture().fit(X)


def test_collapse_names_the_component_and_the_remedy():
    X = np.r_[np.zeros((5, 1)), np.linspace(5, 9, 20)[:, None]]  # five equal points can be fitted exactly
    with pytest.raises(ValueError, match=r"component \d: the covariance.*increase reg_covar"):
        GaussianMixture(2, reg_covar=0.0, random_state=0).fit(X)
    with pytest.raises(ValueError, match=r"component \d: a variance is not positive.*increase reg_covar"):
        GaussianMixture(2, covariance_type="spherical", reg_covar=0.0, random_state=0).fit(X)
    with pytest.raises(ValueError, match=r"all components: the covariance.*increase reg_covar"):
        GaussianMixture(1, covariance_type="tied", reg_covar=0.0).fit(np.ones((4, 1)))


def test_model_refuses_other_features_and_warns_without_convergence():
    with pytest.warns(ConvergenceWarning, match="tol=0.0 in max_iter=3 iterations"):
        model = GaussianMixture(2, tol=0.0, max_iter=3, random_state=0).fit(GOOD)
    assert not model.converged_
    with pytest.raises(ValueError, match="3 features, but GaussianMixture is expecting 2"):
        model.predict(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="n_samples must be at least 1"):
        model.sample(0)
    with pytest.raises(TypeError, match="n_samples must be an integer"):
        model.sample("10")


@pytest.mark.equation("gmm-constraints")
def test_step_functions_name_the_bad_argument():
    theta = MStep(np.array([0.5, 0.5]), np.zeros((2, 2)), np.array([np.eye(2)] * 2))
    cases = [
        (lambda: e_step(GOOD, [1.5, -0.5], *theta[1:]), "weights must be non-negative and sum to 1, got [1.5, -0.5]"),
        (lambda: e_step(GOOD, [0.5, 0.4], *theta[1:]), "weights must be non-negative and sum to 1"),
        (lambda: e_step(GOOD, theta.weights, np.zeros((2, 3)), theta.covariances), "means must have shape (2, 2)"),
        (lambda: e_step(GOOD, theta.weights, 0.0, theta.covariances), "means must have shape (1, 2), got ()"),
        (lambda: e_step(GOOD, theta.weights, theta.means, np.eye(2)), "covariances must have shape (2, 2, 2)"),
        (lambda: e_step(GOOD[0], *theta), "X must be (n, d) with n, d >= 1, got shape (2,)"),
        (lambda: e_step(GOOD * 1e200, *theta), "X row 1 holds NaN or is too far"),
        (lambda: e_step(GOOD * np.nan, *theta), "X row 0 holds NaN"),
        (lambda: e_step(GOOD, *theta, "round"), "covariance_type must be one of"),
        (lambda: e_step([["a", "b"]], *theta), "X must hold numbers, n rows of d"),
        (lambda: m_step([[0.0, 1.0], [2.0]], np.ones((2, 1))), "X must hold numbers, n rows of d"),
        (lambda: m_step(GOOD, np.ones((3, 2))), "responsibilities must be (4, K)"),
        (lambda: m_step(GOOD, np.c_[np.ones(4), np.zeros(4)]), "component 1 has responsibility for no row"),
        (lambda: m_step(GOOD, np.ones((4, 1)), "round"), "covariance_type must be one of"),
        (lambda: m_step(GOOD, np.ones((4, 0))), "responsibilities must be (4, K)"),
        (lambda: m_step(GOOD, [[2.0, -1.0]] * 4), "responsibilities must be finite and non-negative"),
        (lambda: m_step(GOOD, [[np.nan, 1.0]] * 4), "responsibilities must be finite and non-negative"),
        (lambda: m_step(GOOD, [[np.inf, 1.0]] * 4), "responsibilities must be finite and non-negative"),
        (lambda: m_step(GOOD * np.nan, np.ones((4, 1))), "X must be finite"),
        (lambda: m_step(GOOD, np.ones((4, 1)), reg_covar=-5.0), "reg_covar must be finite and at least 0"),
        (lambda: q_function(GOOD, np.ones((4, 3)) / 3, theta), "responsibilities must have shape (4, 2)"),
        (lambda: q_function(GOOD, np.ones((4, 2)), theta), "row 0 of responsibilities must be non-negative and sum"),
        (lambda: elbo(GOOD, [[2.0, -1.0]] * 4, theta), "row 0 of responsibilities must be non-negative and sum"),
        (lambda: entropy([[0.5, 0.5], [1.5, -0.5]]), "row 1 of responsibilities must be non-negative and sum"),
        (lambda: n_parameters(0, 2), "n_components must be at least 1, got 0"),
        (lambda: n_parameters(2, 0), "n_features must be at least 1, got 0"),
        (lambda: precision_cholesky(1.0, "spherical"), "covariances must have shape (K,) for 'spherical', got ()"),
        (lambda: precision_cholesky(np.eye(2)), "covariances must have shape (K, d, d) for 'full', got (2, 2)"),
        (lambda: precision_cholesky([], "spherical"), "covariances must have shape (K,) for 'spherical', got (0,)"),
        (lambda: precision_cholesky([[[1.0, 1.0], [1.0, 1.0]]]), "component 0: the covariance"),  # semi-definite only
        (lambda: precision_cholesky(np.eye(2), "round"), "covariance_type must be one of"),
        (lambda: n_parameters(2, 2, "round"), "covariance_type must be one of"),
    ]
    for call, message in cases:
        with pytest.raises(ValueError, match=re.escape(message)), np.errstate(over="ignore", invalid="ignore"):
            call()

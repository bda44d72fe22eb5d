"""Principal component analysis: published numbers, independent routes, laws, extremes, errors."""

import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.decomposition import PCA as Peer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_digits, load_iris, load_wine
from notes_lib.numerics import BLOCK
from notes_lib.reduction.pca import (
    PCA,
    autocorrelation,
    bootstrap_components,
    components_for_share,
    gram_axes,
    held_out_errors,
    karhunen_loeve,
    loadings,
    mean_and_covariance,
    parallel_analysis,
    principal_axes,
    probabilistic_pca,
    reconstruct,
    reconstruction_error,
    svd_axes,
)

SOLVERS = ["full", "covariance_eigh", "gram", "auto"]
LINDSAY = np.array(
    [[2.5, 2.4], [0.5, 0.7], [2.2, 2.9], [1.9, 2.2], [3.1, 3.0], [2.3, 2.7], [2.0, 1.6], [1.0, 1.1], [1.5, 1.6],
     [1.1, 0.9]]
)  # fmt: skip


def problem(seed, n=60, d=5):
    """Correlated columns of different sizes, far from the origin."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) * np.linspace(1, 3, d) + rng.normal(size=d) * 10


def seeds():
    return st.integers(0, 10**6)


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("pca-mean", "pca-covariance", "pca-eigen", "pca-scores")
@pytest.mark.parametrize("solver", SOLVERS)
def test_lindsay_smith(solver):
    # L. I. Smith (2002), A tutorial on principal components analysis; divisor n - 1. Signs are free.
    mean, S = mean_and_covariance(LINDSAY)
    assert_allclose(mean, [1.81, 1.91], rtol=1e-14)
    assert_allclose(S, [[0.616555556, 0.615444444], [0.615444444, 0.716555556]], rtol=0, atol=1e-9)
    model = PCA(svd_solver=solver).fit(LINDSAY)
    assert_allclose(model.explained_variance_, [1.28402771, 0.0490833989], rtol=0, atol=2e-8)
    assert_allclose(model.components_[0], [0.677873399, 0.735178656], rtol=0, atol=2e-8)
    assert_allclose(model.components_[1], [0.735178656, -0.677873399], rtol=0, atol=2e-8)
    scores = [
        [-0.827970186, 0.175115307], [1.77758033, -0.142857227], [-0.992197494, -0.384374989],
        [-0.274210416, -0.130417207], [-1.67580142, 0.209498461], [-0.912949103, -0.175282444],
        [0.099109437, 0.349824698], [1.14457216, -0.046417258], [0.438046137, -0.017764629], [1.22382056, 0.162675287],
    ]  # fmt: skip
    assert_allclose(model.transform(LINDSAY) * [-1, 1], scores, rtol=0, atol=2e-8)


@pytest.mark.equation("pca-loadings")
def test_li_hang_four_subjects():
    # Li Hang, Statistical learning methods (2nd ed.), example 16.1; the printed vectors are off by up to 0.009.
    R = np.array([[1, 0.44, 0.29, 0.33], [0.44, 1, 0.35, 0.32], [0.29, 0.35, 1, 0.6], [0.33, 0.32, 0.6, 1]])
    values, V = principal_axes(R)
    assert_allclose(values, [2.17, 0.87, 0.57, 0.39], rtol=0, atol=0.0055)
    assert_allclose(values[:2] / 4, [0.543, 0.218], rtol=0, atol=0.0011)
    assert_allclose(V[:2], [[0.46, 0.476, 0.523, 0.537], [0.574, 0.486, -0.476, -0.456]], rtol=0, atol=0.0065)
    found = loadings(R, 2)
    assert_allclose(found[:, 0], [0.678, 0.701, 0.77, 0.791], rtol=0, atol=0.0095)
    assert_allclose(found[:, 1], [0.536, 0.453, -0.444, -0.425], rtol=0, atol=0.0065)


@pytest.mark.equation("pca-eigen", "pca-loadings")
def test_johnson_wichern_population_components():
    # Johnson and Wichern, Applied multivariate statistical analysis, example 8.1. Our largest entry is positive.
    S = np.array([[1.0, -2, 0], [-2, 5, 0], [0, 0, 2]])
    values, V = principal_axes(S)
    assert_allclose(values, [5.83, 2, 0.17], rtol=0, atol=0.006)
    assert_allclose(-V[0], [0.383, -0.924, 0], rtol=0, atol=0.0016)
    assert_allclose(V[1], [0, 0, 1], rtol=0, atol=1e-12)
    assert_allclose(V[2], [0.924, 0.383, 0], rtol=0, atol=0.0016)
    assert_allclose(values[:2].sum() / 8, 0.98, rtol=0, atol=0.006)
    assert_allclose(-loadings(S, 1)[:2, 0], [0.925, -0.998], rtol=0, atol=0.0016)


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("pca-eigen", "pca-svd", "pca-gram", "pca-share")
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("n", "d"), [(60, 5), (30, 12), (12, 12), (9, 40), (5, 80)])
@pytest.mark.parametrize("n_components", [1, 3, None, 0.6, 0.95])
def test_peer(solver, n, d, n_components):
    X = problem(n + d, n, d)
    ours = PCA(n_components, svd_solver=solver).fit(X)
    peer = Peer(n_components, svd_solver="full").fit(X)
    for name in ("explained_variance_", "explained_variance_ratio_", "noise_variance_", "mean_"):
        assert_allclose(getattr(ours, name), getattr(peer, name), rtol=1e-9, atol=1e-9, err_msg=name)
    assert_allclose(ours.singular_values_**2, peer.singular_values_**2, rtol=1e-9, atol=1e-7)
    assert (ours.n_components_, ours.n_samples_) == (peer.n_components_, peer.n_samples_)
    r = min(ours.n_components_, n - 1)  # centred rows have no more directions
    assert_allclose(ours.components_[:r], peer.components_[:r], rtol=0, atol=1e-8)
    assert_allclose(ours.components_ @ ours.components_.T, np.eye(ours.n_components_), rtol=0, atol=1e-10)
    Z = peer.transform(X)
    assert_allclose(ours.transform(X)[:, :r], Z[:, :r], rtol=0, atol=1e-7)
    assert_allclose(ours.inverse_transform(ours.transform(X)), peer.inverse_transform(Z), rtol=0, atol=1e-8)
    assert_array_equal(ours.get_feature_names_out(), peer.get_feature_names_out())


@pytest.mark.equation("pca-ppca-covariance")
@pytest.mark.parametrize("n_components", [1, 3, 5, None])
def test_likelihood_of_the_peer_and_of_scipy(n_components):
    X, new = problem(3), problem(4, 20)
    ours, peer = PCA(n_components).fit(X), Peer(n_components, svd_solver="full").fit(X)
    assert_allclose(ours.get_covariance(), peer.get_covariance(), rtol=1e-9, atol=1e-9)
    assert_allclose(ours.get_precision(), np.linalg.inv(ours.get_covariance()), rtol=1e-7, atol=1e-9)
    law = multivariate_normal(ours.mean_, ours.get_covariance())
    assert_allclose(ours.score_samples(new), law.logpdf(new), rtol=1e-9)
    assert_allclose(ours.score_samples(new), peer.score_samples(new), rtol=1e-9)
    assert_allclose(ours.score(X), peer.score(X), rtol=1e-10)
    white = PCA(n_components, whiten=True).fit(X)  # the same model of the rows, whatever the unit of the scores
    assert_allclose(white.score_samples(new), ours.score_samples(new), rtol=1e-12)


def test_likelihood_with_fewer_rows_than_features_is_the_peers():
    X = problem(5, 8, 20)
    assert_allclose(PCA(3).fit(X).score_samples(X), Peer(3, svd_solver="full").fit(X).score_samples(X), rtol=1e-9)


@pytest.mark.equation("pca-ppca-ml", "pca-ppca-likelihood")
@pytest.mark.parametrize("k", [1, 2])
def test_no_other_weights_are_more_likely(k):
    X = problem(8, 40, 3) / 5
    fit = probabilistic_pca(X, k)
    assert fit.W.shape == (3, k)

    def log_likelihood(theta):
        W, noise = theta[:-1].reshape(3, k), np.exp(theta[-1])
        return multivariate_normal(X.mean(axis=0), W @ W.T + noise * np.eye(3)).logpdf(X).sum()

    assert_allclose(log_likelihood(np.r_[fit.W.ravel(), np.log(fit.noise_variance)]), fit.log_likelihood, rtol=1e-10)
    rng = np.random.default_rng(0)
    found = [
        minimize(lambda t: -log_likelihood(t), rng.normal(size=3 * k + 1), method="BFGS", options={"gtol": 1e-6})
        for _ in range(4)
    ]
    best = min(found, key=lambda result: result.fun)
    assert_allclose(-best.fun, fit.log_likelihood, rtol=1e-8)
    W = best.x[:-1].reshape(3, k)
    assert_allclose(W @ W.T, fit.W @ fit.W.T, rtol=0, atol=1e-3)
    assert_allclose(np.exp(best.x[-1]), fit.noise_variance, rtol=1e-4)


@pytest.mark.equation("pca-ppca-ml")
def test_probabilistic_and_ordinary_differ_by_the_divisor():
    X = problem(9)
    n, fit, model = len(X), probabilistic_pca(X, 2), PCA(2).fit(X)
    assert_allclose(fit.noise_variance, model.noise_variance_ * (n - 1) / n, rtol=1e-12)
    assert_allclose(fit.mean, model.mean_, rtol=1e-13)
    assert fit.log_likelihood > model.score(X) * n  # divisor n - 1 is not the most likely one
    lengths = np.sqrt(model.explained_variance_ * (n - 1) / n - fit.noise_variance)
    assert_allclose(fit.W, model.components_.T * lengths, rtol=1e-9)


@pytest.mark.equation("pca-variance", "pca-lagrangian")
def test_no_direction_varies_more():
    X = problem(1, d=3)
    model = PCA().fit(X)
    rng = np.random.default_rng(0)
    U = rng.normal(size=(4000, 3))
    U /= np.linalg.norm(U, axis=1)[:, None]
    assert np.var(X @ U.T, axis=0, ddof=1).max() <= model.explained_variance_[0]
    beside = U - np.outer(U @ model.components_[0], model.components_[0])  # orthogonal to the first axis
    beside /= np.linalg.norm(beside, axis=1)[:, None]
    largest = np.var(X @ beside.T, axis=0, ddof=1).max()
    assert 0.999 * model.explained_variance_[1] < largest <= model.explained_variance_[1] * (1 + 1e-12)


@pytest.mark.equation("pca-reconstruction", "pca-error", "pca-split")
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_no_plane_lies_nearer(k):
    X = problem(2, d=4)
    n, model = len(X), PCA(k).fit(X)
    back = model.inverse_transform(model.transform(X))
    assert_allclose(reconstruct(X, model.mean_, model.components_), back, rtol=0, atol=1e-10)
    error = reconstruction_error(X, model.mean_, model.components_)
    assert_allclose(error, np.mean(np.linalg.norm(X - back, axis=1) ** 2), rtol=1e-10, atol=1e-20)
    left = PCA().fit(X).explained_variance_[k:].sum() * (n - 1) / n
    assert_allclose(error, left, rtol=1e-10, atol=1e-20)
    rng = np.random.default_rng(k)
    for _ in range(50):
        V = np.linalg.qr(rng.normal(size=(4, k)))[0].T
        assert reconstruction_error(X, model.mean_, V) >= error - 1e-10
        assert reconstruction_error(X, model.mean_ + rng.normal(size=4), model.components_) >= error - 1e-10


@pytest.mark.equation("pca-autocorrelation")
def test_autocorrelation_by_loops():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 3)) + 2, np.repeat(["b", "a", "c"], [3, 4, 5])
    priors = {"a": 0.5, "b": 0.2, "c": 0.3}
    R = np.zeros((3, 3))
    for label, prior in priors.items():
        members = X[y == label]
        R += prior * np.mean([np.outer(x, x) for x in members], axis=0)
    assert_allclose(autocorrelation(X, y, list(priors.values())), R, rtol=1e-12)
    assert_allclose(autocorrelation(X, y), X.T @ X / 12, rtol=1e-12)
    values, V = karhunen_loeve(X, 2, y, list(priors.values()))
    assert_allclose(values, np.linalg.eigvalsh(R)[::-1][:2], rtol=1e-12)
    assert_allclose(R @ V.T, V.T * values, rtol=0, atol=1e-12)


@pytest.mark.equation("pca-autocorrelation")
def test_karhunen_loeve_of_centred_rows_is_pca():
    X = problem(6)
    centred = X - X.mean(axis=0)
    model, found = PCA().fit(X), karhunen_loeve(centred)
    assert_allclose(found.components, model.components_, rtol=0, atol=1e-9)
    assert_allclose(found.eigenvalues, model.explained_variance_ * 59 / 60, rtol=1e-10)


def test_held_out_errors_row_by_row():
    X, new = problem(7, 40, 4), problem(8, 6, 4)
    errors = held_out_errors(X, new)
    assert errors.shape == (6, 5)
    for k in range(1, 5):
        model = PCA(k).fit(X)
        gap = new - model.inverse_transform(model.transform(new))
        assert_allclose(errors[:, k], (gap**2).sum(axis=1), rtol=1e-9, atol=1e-9)
    assert_allclose(errors[:, 0], ((new - X.mean(axis=0)) ** 2).sum(axis=1), rtol=1e-12)
    assert held_out_errors(X[:3], new).shape == (6, 4)


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_parallel_analysis_finds_the_hidden_causes(hidden):
    found = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        W = np.repeat(np.eye(hidden), 4, axis=1)
        X = rng.normal(size=(200, hidden)) @ W + 0.7 * rng.normal(size=(200, 4 * hidden))
        found.append(parallel_analysis(X, 20, random_state=seed).n_components)
    assert np.mean(np.equal(found, hidden)) >= 0.9


def test_parallel_analysis_of_noise_and_of_covariances():
    rng = np.random.default_rng(0)
    noise = [parallel_analysis(rng.normal(size=(80, 6)), 20, random_state=s).n_components for s in range(20)]
    assert np.mean(noise) <= 0.3
    X = rng.normal(size=(100, 3)) * [1, 1, 50]  # one large column, and no correlation
    result = parallel_analysis(X, 20, standardize=False, random_state=1)
    assert_allclose(result.eigenvalues, PCA().fit(X).explained_variance_, rtol=1e-10)
    assert result.n_components <= 1
    assert_allclose(
        parallel_analysis(X, 5, random_state=1).eigenvalues, np.linalg.eigvalsh(np.corrcoef(X.T))[::-1], rtol=1e-10
    )
    assert result.thresholds.shape == (3,)


def test_bootstrap_intervals_cover_the_true_axis():
    true = np.array([0.6, 0.8])
    inside = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = np.outer(3 * rng.normal(size=60), true) + rng.normal(size=(60, 2))
        drawn = bootstrap_components(X, 1, 150, random_state=seed)[:, 0]
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        inside.append(low[0] <= true[0] <= high[0])
    assert 0.85 <= np.mean(inside) <= 1  # 0.95 is meant; its standard error is 0.03


def test_bootstrap_of_three_rows_skips_a_row_drawn_again_and_again():
    X = np.array([[0.0, 1.0], [1.0, 2.0], [5.0, 6.5]])
    drawn = bootstrap_components(X, 1, 100, random_state=0)
    assert drawn.shape == (100, 1, 2)
    assert (drawn @ PCA(1).fit(X).components_[0] >= 0).all()
    assert_allclose(np.linalg.norm(drawn, axis=2), 1, rtol=1e-12)


# --------------------------------------------------------------------------------------------------------------- laws


@settings(max_examples=30, deadline=None)
@given(seed=seeds(), shift=st.floats(-1e3, 1e3), scale=st.floats(0.01, 100))
def test_a_shift_changes_nothing_and_a_common_unit_only_the_variances(seed, shift, scale):
    X = problem(seed, 25, 4)
    a, b = PCA().fit(X), PCA().fit(scale * X + shift)
    assert_allclose(b.components_, a.components_, rtol=0, atol=1e-6)
    assert_allclose(b.explained_variance_, scale**2 * a.explained_variance_, rtol=1e-7)


@settings(max_examples=30, deadline=None)
@given(seed=seeds())
def test_a_rotation_of_the_rows_rotates_the_axes(seed):
    X = problem(seed, 25, 4)
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(4, 4)))[0]
    a, b = PCA().fit(X), PCA().fit(X @ Q.T)
    assert_allclose(b.explained_variance_, a.explained_variance_, rtol=1e-8)
    assert_allclose(np.abs((b.components_ * (a.components_ @ Q.T)).sum(axis=1)), 1, rtol=0, atol=1e-6)


@pytest.mark.equation("pca-whitening", "pca-uncorrelated")
@settings(max_examples=30, deadline=None)
@given(seed=seeds(), k=st.integers(1, 4))
def test_scores_are_uncorrelated_and_whitened_ones_have_covariance_one(seed, k):
    X = problem(seed, 30, 4)
    model = PCA(k).fit(X)
    assert_allclose(np.atleast_2d(np.cov(model.transform(X).T)), np.diag(model.explained_variance_), rtol=1e-7,
                    atol=1e-7)  # fmt: skip
    white = PCA(k, whiten=True).fit(X)
    assert_allclose(np.atleast_2d(np.cov(white.transform(X).T)), np.eye(k), rtol=0, atol=1e-7)
    assert_allclose(white.inverse_transform(white.transform(X)), model.inverse_transform(model.transform(X)), rtol=0,
                    atol=1e-8)  # fmt: skip


@settings(max_examples=20, deadline=None)
@given(seed=seeds())
def test_the_three_routes_agree(seed):
    X = problem(seed, 9, 6)
    centred = X - X.mean(axis=0)
    by_eigen = principal_axes(np.cov(X.T))
    for route in (svd_axes(centred), gram_axes(centred)):
        assert_allclose(route.eigenvalues, by_eigen.eigenvalues, rtol=1e-7)
        assert_allclose(route.components, by_eigen.components, rtol=0, atol=1e-6)


@pytest.mark.equation("pca-trace")
@settings(max_examples=20, deadline=None)
@given(seed=seeds())
def test_variances_add_up_and_loadings_too(seed):
    X = problem(seed, 20, 5)
    S = np.cov(X.T)
    assert_allclose(PCA().fit(X).explained_variance_.sum(), np.trace(S), rtol=1e-10)
    assert_allclose((loadings(S) ** 2).sum(axis=1), 1, rtol=1e-9)
    Z = PCA().fit_transform(X)
    assert_allclose(loadings(S), np.corrcoef(X.T, Z.T)[:5, 5:], rtol=0, atol=1e-7)


@settings(max_examples=20, deadline=None)
@given(seed=seeds())
def test_errors_fall_with_every_component(seed):
    errors = held_out_errors(problem(seed, 15, 4), problem(seed + 1, 5, 4))
    assert (np.diff(errors, axis=1) <= 1e-9).all()


def test_two_features_of_one_variance_have_axes_at_45_degrees():
    X = problem(0, 40, 2)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    assert_allclose(np.abs(PCA().fit(Z).components_), np.sqrt(0.5), rtol=1e-12)
    assert PCA().fit(Z).components_[0, 0] > 0  # a tie: the first entry is the positive one
    assert PCA().fit(Z).components_[1, 0] > 0


def test_permuted_rows_memory_order_and_float32():
    X = problem(11, 50, 5)
    a = PCA(3).fit(X)
    for Y in (X[np.random.default_rng(0).permutation(50)], np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2]):
        assert_allclose(PCA(3).fit(Y).components_, a.components_, rtol=0, atol=1e-9)
    assert_allclose(PCA(3).fit(X.astype(np.float32)).components_, a.components_, rtol=0, atol=1e-4)


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.parametrize("solver", SOLVERS)
def test_far_from_the_origin(solver):
    X = problem(12, 80, 4)
    near, far = (PCA(svd_solver=solver).fit(Y) for Y in (X, X + 1e7))
    assert_allclose(far.explained_variance_, near.explained_variance_, rtol=1e-6)


def test_many_rows_in_blocks():
    X = problem(13, 2 * BLOCK + 17, 3)
    mean, S = mean_and_covariance(X, ddof=0)
    assert_allclose(mean, X.mean(axis=0), rtol=1e-12)
    assert_allclose(S, np.cov(X.T, ddof=0), rtol=1e-10)
    X[:BLOCK] += 1e5  # the first block is far from the others
    assert_allclose(mean_and_covariance(X)[1], np.cov(X.T), rtol=1e-9)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("scale", [1e-120, 1e120])
def test_tiny_and_huge_numbers(solver, scale):
    X = problem(14, 30, 4)
    assert_allclose(PCA(svd_solver=solver).fit(scale * X).explained_variance_ratio_,
                    PCA().fit(X).explained_variance_ratio_, rtol=1e-9)  # fmt: skip


@pytest.mark.parametrize("solver", SOLVERS)
def test_constant_and_repeated_columns(solver):
    X = problem(15, 30, 3)
    Y = np.column_stack([X, np.full(30, 7.0), X[:, 0]])
    model = PCA(svd_solver=solver).fit(Y)
    assert_allclose(model.components_[:3, 3], 0, atol=1e-9)
    assert_allclose(model.components_[:3, 0], model.components_[:3, 4], rtol=0, atol=1e-9)
    assert_allclose(model.explained_variance_[3:], 0, atol=1e-9)
    assert_allclose(model.inverse_transform(model.transform(Y)), Y, rtol=0, atol=1e-8)


def test_bundled_data():
    for data in (load_iris(), load_wine(), load_digits()):
        ours, peer = PCA(4).fit(data.X), Peer(4, svd_solver="full").fit(data.X)
        assert_allclose(ours.components_, peer.components_, rtol=0, atol=1e-9)
        assert_allclose(ours.explained_variance_ratio_, peer.explained_variance_ratio_, rtol=1e-10)


# ----------------------------------------------------------------------------------------------------------- contract


def test_check_estimator():
    for solver in SOLVERS:
        check_estimator(PCA(svd_solver=solver), on_skip=None)


def test_pipeline_grid_search_clone_and_pickle():
    data = load_wine()
    search = GridSearchCV(make_pipeline(StandardScaler(), PCA()), {"pca__n_components": [1, 2, 3]}, cv=3).fit(data.X)
    peer = GridSearchCV(make_pipeline(StandardScaler(), Peer()), {"pca__n_components": [1, 2, 3]}, cv=3).fit(data.X)
    assert_allclose(search.cv_results_["mean_test_score"], peer.cv_results_["mean_test_score"], rtol=1e-9)
    model = PCA(0.8, whiten=True, svd_solver="gram")
    assert clone(model).get_params() == model.get_params()
    model.fit(data.X)
    assert_array_equal(pickle.loads(pickle.dumps(model)).transform(data.X), model.transform(data.X))


def test_a_single_score_is_taken_for_one_row():
    model = PCA(2).fit(LINDSAY)
    assert_allclose(model.inverse_transform([0.0, 0.0]), [model.mean_])


# ------------------------------------------------------------------------------------------------------------- errors

GOOD = problem(20, 12, 4)
NAN = np.where(np.arange(12)[:, None] == 3, np.nan, GOOD)


@pytest.mark.parametrize(
    ("settings", "error", "match"),
    [
        ({"n_components": 5}, ValueError, r"n_components=5 must be from 1 to min\(n_samples, n_features\) = 4"),
        ({"n_components": 0}, ValueError, "n_components must be at least 1"),
        ({"n_components": 1.0}, ValueError, "n_components=1.0 must be an integer, or a share"),
        ({"n_components": -0.5}, ValueError, "share of the variance between 0 and 1"),
        ({"n_components": float("nan")}, ValueError, "n_components=nan must be"),
        ({"n_components": True}, TypeError, "n_components must be an integer"),
        ({"n_components": "mle"}, TypeError, "n_components must be an integer, a share between 0 and 1, or None"),
        ({"whiten": 1}, TypeError, "whiten must be True or False"),
        ({"svd_solver": "randomized"}, ValueError, "svd_solver must be one of"),
    ],
)
def test_bad_settings(settings, error, match):
    with pytest.raises(error, match=match):
        PCA(**settings).fit(GOOD)


@pytest.mark.parametrize("solver", SOLVERS)
def test_bad_data(solver):
    model = PCA(svd_solver=solver)
    with pytest.raises(ValueError, match="NaN"):
        model.fit(NAN)
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        model.fit(GOOD[:1])
    with pytest.raises(ValueError, match="0 feature"):
        model.fit(np.empty((3, 0)))
    with pytest.raises(ValueError, match="Expected 2D array"):
        model.fit(GOOD[0])
    with pytest.raises(ValueError, match="X has no variance: its 12 rows are all equal"):
        model.fit(np.tile(GOOD[:1] + 0.1, (12, 1)))
    with pytest.raises(ValueError, match="squares of X overflow"):
        model.fit(GOOD * 1e200)


def test_bad_calls_of_a_fitted_model():
    with pytest.raises(ValueError, match="not fitted"):
        PCA().transform(GOOD)
    with pytest.raises(ValueError, match="not fitted"):
        PCA().inverse_transform(GOOD)
    model = PCA(2).fit(GOOD)
    with pytest.raises(ValueError, match="3 features, but PCA is expecting 4"):
        model.transform(GOOD[:, :3])
    with pytest.raises(ValueError, match="NaN"):
        model.transform(NAN)
    for bad in (GOOD, np.zeros((1, 2, 2))):
        with pytest.raises(ValueError, match="X must have 2 columns, one for each component"):
            model.inverse_transform(bad)
    with pytest.raises(ValueError, match="X must be finite"):
        model.inverse_transform([[np.nan, 0]])


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_density_without_noise_and_no_whitening_without_variance(solver):
    few = problem(21, 4, 6)
    for n_components in (3, 4):
        model = PCA(n_components, svd_solver=solver).fit(few)
        for call in (model.score_samples, model.score):
            with pytest.raises(ValueError, match=rf"n_components={n_components} leaves no variance for the noise"):
                call(few)
        with pytest.raises(ValueError, match="vary along 3 directions only"):
            model.get_precision()
    with pytest.raises(ValueError, match="n_components=4 cannot be whitened: only 3 directions"):
        PCA(whiten=True, svd_solver=solver).fit(few)
    flat = np.column_stack([GOOD, np.ones(12)])
    with pytest.raises(ValueError, match="leaves no variance"):
        PCA(svd_solver=solver).fit(flat).score(flat)
    assert np.isfinite(PCA(3, svd_solver=solver).fit(flat).score(flat))


def test_bad_arguments_of_the_steps():
    S = np.cov(GOOD.T)
    cases = [
        (lambda: mean_and_covariance(GOOD[:1]), "X must have at least 2 rows"),
        (lambda: principal_axes(S[:2]), "S must be a square matrix"),
        (lambda: principal_axes(np.triu(S)), "S must be symmetric"),
        (lambda: principal_axes(S, 5), "n_components=5 must be from 1 to n_features = 4"),
        (lambda: principal_axes([[1.0, 2.0], [2.0, 1.0]]), "negative eigenvalue -1"),
        (lambda: principal_axes([[-1.0, 0.0], [0.0, 1.0]]), "its diagonal holds the negative -1"),
        (lambda: loadings([[1.0, 0.0], [0.0, 0.0]]), "feature 1 is constant"),
        (lambda: reconstruct(GOOD, np.zeros(4), np.eye(3)), "components must have 4 columns"),
        (lambda: reconstruct(GOOD, np.zeros(4), np.ones((1, 4))), "orthonormal rows"),
        (lambda: reconstruct(GOOD, np.zeros(3), np.eye(4)), r"mean must be a vector of shape \(4,\)"),
        (lambda: reconstruction_error(NAN, np.zeros(4), np.eye(4)), "X must be finite"),
        (lambda: autocorrelation(GOOD, priors=[1.0]), "give the classes y too"),
        (lambda: autocorrelation(GOOD, [0, 1]), "y must have 12 entries"),
        (lambda: autocorrelation(GOOD, np.arange(12) % 2, [0.5, 0.6]), "priors"),
        (lambda: karhunen_loeve(GOOD, 5), "n_components=5 must be from 1 to n_features = 4"),
        (lambda: probabilistic_pca(GOOD, 4), "n_components=4 must be below n_features = 4"),
        (lambda: probabilistic_pca(GOOD[:3], 2), "leaves no variance for the noise"),
        (lambda: probabilistic_pca(np.ones((3, 2)), 1), "no variance"),
        (lambda: components_for_share([0.5, 0.2], 0.9), "adds up to 0.7 only"),
        (lambda: components_for_share([0.5, 0.7], 0.9), "must hold shares"),
        (lambda: components_for_share([1.0], 1), "share must lie between 0 and 1"),
        (lambda: held_out_errors(GOOD, GOOD[:, :2]), "X_test must have 4 columns"),
        (lambda: parallel_analysis(GOOD, quantile=95), "quantile must lie between 0 and 1"),
        (lambda: parallel_analysis(GOOD, 0), "n_repeats must be at least 1"),
        (lambda: parallel_analysis(np.column_stack([GOOD, np.ones(12)])), "column 4 is constant"),
        (lambda: parallel_analysis(np.ones((4, 2))), "no variance"),
        (lambda: bootstrap_components(GOOD, 5), r"n_components=5 must be from 1 to min\(n_samples, n_features\) = 4"),
        (lambda: bootstrap_components(GOOD, 1, 0), "n_resamples must be at least 1"),
    ]
    for call, match in cases:
        with pytest.raises(ValueError, match=match):
            call()
    with pytest.raises(TypeError, match=re.escape("n_components must be an integer")):
        probabilistic_pca(GOOD, 1.5)

"""Independent component analysis: published numbers, independent routes, laws, extremes, errors."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import quad
from scipy.linalg import inv, sqrtm
from scipy.optimize import linear_sum_assignment
from scipy.stats import hypsecant, kurtosis, norm, ortho_group
from sklearn.base import clone
from sklearn.decomposition import PCA as PeerPCA
from sklearn.decomposition import FastICA as Peer
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.numerics import BLOCK, central_difference
from notes_lib.reduction.ica import (
    CONTRASTS,
    FastICA,
    amari_error,
    deflate,
    excess_kurtosis,
    fixed_point_step,
    log_likelihood,
    natural_gradient_step,
    negentropy_contrast,
    rotation,
    symmetric_decorrelation,
    whiten,
)

FUNS = tuple(CONTRASTS)


def problem(seed, n=1500, d=3):
    """Flat and heavy-tailed sources in turn, their mixing matrix, and the mixtures about a mean that is not 0."""
    rng = np.random.default_rng(seed)
    flat, heavy = rng.uniform(-np.sqrt(3), np.sqrt(3), size=(n, d)), rng.laplace(size=(n, d)) / np.sqrt(2)
    S = np.where(np.arange(d) % 2, heavy, flat)
    A = rng.normal(size=(d, d)) + 1.5 * np.eye(d)
    return S, A, S @ A.T + rng.normal(size=d)


def white(seed, n=400, d=3):
    """White data, not Gaussian."""
    return whiten(problem(seed, n, d)[2]).Z


def matched(A, B):
    """The columns of A in the order and with the signs that fit those of B best."""
    C = A.T @ B
    rows, columns = linear_sum_assignment(-np.abs(C))
    order = rows[np.argsort(columns)]
    return A[:, order] * np.sign(C[order, np.arange(B.shape[1])])


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("ica-model", "ica-components")
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
def test_two_uniform_sources_of_accord(algorithm):
    # Accord.NET, IndependentComponentAnalysisTest: 5000 rows of two uniform sources, X = S M. It compares up to order,
    # sign and length; with lengths of its own, columns of the mixing matrix are scaled to those of M. The case allows
    # 0.02 for another seed; one row in a thousand seeds would be off by chance, so that all entries are near on average
    M = np.array([[0.25, 0.25], [-0.25, 0.75]])
    errors = []
    for seed in range(6):
        S = np.random.default_rng(seed).uniform(size=(5000, 2))
        model = FastICA(algorithm=algorithm, random_state=seed).fit(S @ M)
        found = matched(model.mixing_ / np.linalg.norm(model.mixing_, axis=0), M.T / np.linalg.norm(M, axis=1))
        errors.append(found.T * np.linalg.norm(M, axis=1)[:, None] - M)
    assert np.abs(errors).max() < 0.02
    assert np.abs(np.mean(errors, axis=0)).max() < 0.01
    # a uniform source on (0, 1) has variance 1/12, and the model gives it variance 1
    assert_allclose(np.linalg.norm(model.mixing_, axis=0).prod(), np.linalg.norm(M, axis=1).prod() / 12, rtol=0.05)


def test_kurtosis_of_known_distributions():
    u = (np.arange(100_000) + 0.5) / 100_000
    assert_allclose(excess_kurtosis(u), -1.2, atol=1e-6)  # uniform
    assert_allclose(excess_kurtosis(norm.ppf(u)), 0, atol=5e-3)
    assert excess_kurtosis([0, 1]) == -2  # a coin
    assert_allclose(excess_kurtosis([0, 0, 0, 0, 1]), 0.25)  # p = 1/5: (1 - 6 p q) / p q


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation("ica-fixed-point", "ica-symmetric", "ica-deflation", "ica-whitening", "ica-components")
@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
@pytest.mark.parametrize("fun", FUNS)
@pytest.mark.parametrize("whitening", ["unit-variance", "arbitrary-variance"])
def test_same_as_scikit_learn(algorithm, fun, whitening):
    for seed, n_components in [(0, None), (1, 2), (2, None)]:
        X = problem(seed, n=BLOCK + 500, d=4)[2]
        start = np.random.default_rng(seed).normal(size=(n_components or 4,) * 2)
        settings = {"algorithm": algorithm, "fun": fun, "whiten": whitening, "w_init": start, "tol": 1e-8}
        ours, peer = FastICA(n_components, **settings).fit(X), Peer(n_components, **settings).fit(X)
        for name in ["components_", "mixing_", "mean_", "whitening_"]:
            theirs = getattr(peer, name)
            assert_allclose(getattr(ours, name), theirs, atol=1e-10 * np.abs(theirs).max(), rtol=0, err_msg=name)
        assert ours.n_iter_ == peer.n_iter_
        S = peer.transform(X)
        assert_allclose(ours.transform(X), S, atol=1e-9 * np.abs(S).max())
        assert_allclose(ours.inverse_transform(S), peer.inverse_transform(S), atol=1e-10)
        assert_array_equal(ours.get_feature_names_out(), peer.get_feature_names_out())


@pytest.mark.parametrize("algorithm", ["parallel", "deflation"])
def test_white_data_as_scikit_learn(algorithm):
    Z = white(0)
    start = np.random.default_rng(0).normal(size=(3, 3))
    settings = {"algorithm": algorithm, "w_init": start, "whiten": False}
    ours, peer = FastICA(**settings).fit(Z), Peer(**settings).fit(Z)
    assert_allclose(ours.components_, peer.components_, atol=1e-12)
    assert_allclose(ours.transform(Z), peer.transform(Z), atol=1e-12)
    assert_allclose(ours.inverse_transform(Z), peer.inverse_transform(Z), atol=1e-12)
    assert not hasattr(ours, "mean_")
    assert not hasattr(ours, "whitening_")


@pytest.mark.equation("ica-whitening")
def test_whitening_is_scaled_principal_components():
    X = problem(0, n=300, d=4)[2]
    Z, V, mean = whiten(X, 3)
    peer = PeerPCA(3, whiten=True).fit(X)
    assert_allclose(np.abs(Z), np.abs(peer.transform(X)) * np.sqrt(300 / 299), rtol=1e-9, atol=1e-10)
    assert_allclose(Z, (X - mean) @ V.T, atol=1e-12)
    assert (V[:, 0] > 0).all()


@pytest.mark.equation("ica-kurtosis")
@pytest.mark.parametrize("seed", range(3))
def test_kurtosis_as_scipy(seed):
    y = np.random.default_rng(seed).gamma(1 + seed, size=500) * 1e3 - 77
    assert_allclose(excess_kurtosis(y), kurtosis(y), rtol=1e-10)


@pytest.mark.equation("ica-contrast")
@pytest.mark.parametrize("fun", FUNS)
def test_contrasts_are_what_they_say(fun):
    G, g, slope, gaussian, push = CONTRASTS[fun]
    u = np.linspace(-4, 4, 33)
    assert_allclose(g(u), [central_difference(lambda t: G(t)[0], np.array([x]))[0] for x in u], rtol=1e-7, atol=1e-8)
    assert_allclose(slope(u), [central_difference(lambda t: g(t)[0], np.array([x]))[0] for x in u], atol=1e-7)
    assert_allclose(gaussian, quad(lambda t: G(np.array(t)) * norm.pdf(t), -np.inf, np.inf)[0], rtol=1e-9)
    Y = np.vstack([u, u**2 / 3])
    expected = g(Y), slope(Y).sum(axis=1)
    sums = push(Y)
    assert_allclose(Y, expected[0], rtol=1e-13, atol=1e-15)
    assert_allclose(sums, expected[1], rtol=1e-12, atol=1e-12)
    assert np.isfinite(CONTRASTS[fun].G(np.array([-800.0, 800.0]))).all()


@pytest.mark.equation("ica-fixed-point", "ica-newton", "ica-stationary")
@pytest.mark.parametrize("fun", FUNS)
def test_fixed_point_is_newtons_step_scaled(fun):
    # Newton's step for E z g(w'z) = beta w, with E zz' g'(w'z) replaced by E g'(w'z) I, has the same direction
    for seed in range(3):
        Z, rng = white(seed), np.random.default_rng(seed)
        w = ortho_group.rvs(3, random_state=rng)[0]
        y = Z @ w
        _, g, slope, *_ = CONTRASTS[fun]
        beta = np.mean(y * g(y))
        residual = np.mean(Z * g(y)[:, None], axis=0) - beta * w
        newton = w - residual / (slope(y).mean() - beta)
        step = fixed_point_step(w, Z, fun)
        assert_allclose(np.abs(step @ newton) / np.linalg.norm(newton), 1, rtol=1e-12)
        assert_allclose(np.linalg.norm(step), 1, rtol=1e-12)


@pytest.mark.equation("ica-contrast", "ica-stationary")
@pytest.mark.parametrize("fun", FUNS)
def test_found_direction_is_stationary_and_the_best(fun):
    X = problem(5, n=4000, d=2)[2]
    Z = whiten(X).Z
    model = FastICA(fun=fun, whiten=False, tol=1e-12, random_state=0).fit(Z)
    angles = np.linspace(0, np.pi, 1441)
    values = [negentropy_contrast(Z @ np.array([np.cos(a), np.sin(a)]), fun) for a in angles]
    one_by_one = FastICA(fun=fun, whiten=False, tol=1e-12, random_state=0, algorithm="deflation").fit(Z)
    w = one_by_one.components_[0]
    residual = np.mean(Z * CONTRASTS[fun].g(Z @ w)[:, None], axis=0)
    assert_allclose(residual - (residual @ w) * w, 0, atol=1e-7)
    found = [negentropy_contrast(Z @ w, fun) for w in model.components_]
    assert max(found) > 0.95 * max(values)


@pytest.mark.equation("ica-symmetric")
@pytest.mark.parametrize("seed", range(3))
def test_symmetric_decorrelation_as_inverse_root(seed):
    R = np.random.default_rng(seed).normal(size=(4, 4))
    expected = inv(sqrtm(R @ R.T)).real @ R
    found = symmetric_decorrelation(R)
    assert_allclose(found, expected, atol=1e-10)
    rivals = ortho_group.rvs(4, size=200, random_state=seed)
    assert (np.linalg.norm(rivals - R, axis=(1, 2)) > np.linalg.norm(found - R)).all()


@pytest.mark.equation("ica-likelihood", "ica-density")
def test_likelihood_of_the_mixture_density():
    rng = np.random.default_rng(0)
    W, X = rng.normal(size=(3, 3)), rng.normal(size=(50, 3))
    by_scipy = hypsecant.logpdf(X @ W.T).sum(axis=1) + np.log(abs(np.linalg.det(W)))
    assert_allclose(log_likelihood(W, X), by_scipy.mean(), rtol=1e-12)


@pytest.mark.equation("ica-score", "ica-natural")
def test_natural_gradient_is_the_gradient_times_gram():
    rng = np.random.default_rng(1)
    W, X = rng.normal(size=(2, 2)) + 2 * np.eye(2), rng.laplace(size=(60, 2))
    slope = central_difference(lambda v: log_likelihood(v.reshape(2, 2), X), W.ravel()).reshape(2, 2)
    eta = 1e-3
    assert_allclose((natural_gradient_step(W, X, eta) - W) / eta, slope @ W.T @ W, rtol=1e-6, atol=1e-6)


def test_likelihood_finds_the_same_sources_as_the_fixed_point():
    rng = np.random.default_rng(0)
    S, A = rng.laplace(size=(4000, 3)), rng.normal(size=(3, 3))
    X = S @ A.T - (S @ A.T).mean(axis=0)
    W, before = np.eye(3), -np.inf
    for _ in range(300):
        W = natural_gradient_step(W, X, 0.2)
    assert log_likelihood(W, X) > before
    model = FastICA(random_state=0, tol=1e-10).fit(X)
    assert amari_error(W, A) < 0.03
    assert amari_error(W, model.mixing_) < 0.03


@pytest.mark.equation("ica-amari")
def test_amari_error_as_it_is_printed():
    rng = np.random.default_rng(2)
    W, A = rng.normal(size=(3, 4)), rng.normal(size=(4, 3))
    P = np.abs(W @ A)
    total = sum(sum(P[i, j] / max(P[i]) for j in range(3)) - 1 for i in range(3))
    total += sum(sum(P[i, j] / max(P[:, j]) for i in range(3)) - 1 for j in range(3))
    assert_allclose(amari_error(W, A), total / (2 * 3 * 2), rtol=1e-12)


# --------------------------------------------------------------------------------------------------------------- laws


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5))
def test_whitening_laws(seed, d):
    X = problem(seed, n=60, d=d)[2]
    Z, V, _ = whiten(X)
    assert_allclose(Z.mean(axis=0), 0, atol=1e-9)
    assert_allclose(Z.T @ Z / 60, np.eye(d), atol=1e-8)
    assert_allclose(V @ np.cov(X.T, bias=True) @ V.T, np.eye(d), atol=1e-8)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(FUNS), st.sampled_from(["parallel", "deflation"]))
def test_laws_of_a_fit(seed, fun, algorithm):
    X = problem(seed, n=600, d=3)[2]
    start = np.random.default_rng(seed).normal(size=(3, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = FastICA(algorithm=algorithm, fun=fun, w_init=start, max_iter=50).fit(X)
        again = FastICA(algorithm=algorithm, fun=fun, w_init=start, max_iter=50).fit(3 * X - 5)
    Y = model.transform(X)
    assert_allclose(Y.mean(axis=0), 0, atol=1e-9)
    assert_allclose(Y.T @ Y / 600, np.eye(3), atol=1e-8)
    assert_allclose(model.inverse_transform(Y), X, atol=1e-8)
    assert_allclose(model.fit_transform(X), Y, atol=1e-10)
    assert_allclose(again.components_ * 3, model.components_, atol=1e-7 * np.abs(model.components_).max())
    assert len(model.changes_) >= model.n_iter_


@pytest.mark.equation("ica-ambiguity")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_order_sign_and_length_cannot_be_known(seed):
    rng = np.random.default_rng(seed)
    W, A = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    P = np.eye(3)[rng.permutation(3)] * rng.uniform(0.5, 2, 3) * rng.choice([-1, 1], 3)
    assert_allclose(amari_error(P @ inv(A), A), 0, atol=1e-9)
    error = amari_error(W, A)
    assert 0 <= error <= 1
    Q = np.eye(3)[rng.permutation(3)] * rng.choice([-1, 1], 3)
    assert_allclose(amari_error(Q @ W, A), error, rtol=1e-10)


@pytest.mark.equation("ica-kurtosis-sum", "ica-kurtosis-angle", "ica-turn")
@settings(max_examples=25, deadline=None)
@given(st.floats(-3, 3), st.integers(0, 10_000))
def test_kurtosis_of_a_sum_of_independent_numbers(angle, seed):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=5), rng.normal(size=7)
    a, b = (a - a.mean()) / a.std(), (b - b.mean()) / b.std()
    S = np.array([[x, y] for x in a for y in b])  # all pairs: independent
    turned = S @ rotation(angle).T
    expected = np.cos(angle) ** 4 * excess_kurtosis(a) + np.sin(angle) ** 4 * excess_kurtosis(b)
    assert_allclose(excess_kurtosis(turned[:, 0]), expected, atol=1e-9)
    assert_allclose(turned.T @ turned / 35, np.eye(2), atol=1e-9)


@pytest.mark.equation("ica-cubic")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_cube_step_cubes_the_coordinates(seed):
    rng = np.random.default_rng(seed)
    values = [rng.normal(size=4) ** 3 for _ in range(3)]
    columns = [(v - v.mean()) / v.std() for v in values]
    S = np.array(np.meshgrid(*columns)).reshape(3, -1).T  # all triples: independent
    q = ortho_group.rvs(3, random_state=rng)[0]
    expected = np.array([excess_kurtosis(c) for c in columns]) * q**3
    step = fixed_point_step(q, S, "cube")
    assert_allclose(step, expected / np.linalg.norm(expected), atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_deflation_laws(seed):
    R = ortho_group.rvs(4, random_state=seed)[:2]
    w = np.random.default_rng(seed).normal(size=4)
    left = deflate(w, R)
    assert_allclose(R @ left, 0, atol=1e-12)
    assert_allclose(deflate(left, R), left, atol=1e-12)
    assert_array_equal(deflate(w, np.empty((0, 4))), w)


# ----------------------------------------------------------------------------------------------------------- extremes


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_contract_of_scikit_learn():
    check_estimator(FastICA(random_state=0), on_skip=None)


def test_pipeline_pickle_clone():
    X = problem(0)[2]
    pipe = make_pipeline(StandardScaler(), FastICA(random_state=0)).fit(X)
    model = FastICA(2, random_state=0).fit(X)
    assert pipe.transform(X).shape == X.shape
    assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X), model.transform(X))
    assert_array_equal(clone(model).fit(X).components_, model.components_)
    assert list(model.get_feature_names_out()) == ["fastica0", "fastica1"]


@pytest.mark.parametrize("scale", [1e-150, 1e-9, 1e9, 1e150])
def test_scales(scale):
    X = problem(0, n=500)[2]
    start = np.random.default_rng(0).normal(size=(3, 3))
    model, plain = FastICA(w_init=start).fit(scale * X), FastICA(w_init=start).fit(X)
    assert_allclose(model.transform(scale * X), plain.transform(X), atol=1e-6)
    assert_allclose(excess_kurtosis(scale * X[:, 0]), excess_kurtosis(X[:, 0]), rtol=1e-9)


def test_columns_in_very_different_units():
    _, A, X = problem(0, n=4000, d=2)
    units = np.array([1e-5, 1e5])
    model = FastICA(random_state=0).fit(X * units)  # condition 1e10: eigenvalues of X'X would lose all digits
    assert amari_error(model.components_ * units, A) < 0.05
    Y = model.transform(X * units)
    assert_allclose(Y.T @ Y / 4000, np.eye(2), atol=1e-4)


def test_layouts_and_precision():
    X = problem(0, n=700)[2]
    start = np.random.default_rng(0).normal(size=(3, 3))
    expected = FastICA(w_init=start).fit(X).components_
    wide = np.zeros((1400, 6))
    wide[::2, ::2] = X
    for other in [np.asfortranarray(X), wide[::2, ::2], X.tolist()]:
        assert_allclose(FastICA(w_init=start).fit(other).components_, expected, atol=1e-10)
    assert_allclose(FastICA(w_init=start).fit(X.astype(np.float32)).components_, expected, rtol=1e-3, atol=1e-3)
    shuffled = X[np.random.default_rng(1).permutation(700)]
    assert_allclose(FastICA(w_init=start, tol=1e-10).fit(shuffled).components_,
                    FastICA(w_init=start, tol=1e-10).fit(X).components_, atol=1e-8)  # fmt: skip


def test_many_rows():
    rng = np.random.default_rng(0)
    S, A = rng.laplace(size=(200_001, 2)), rng.normal(size=(2, 2))
    assert amari_error(FastICA(random_state=0).fit(S @ A.T).components_, A) < 0.01


def test_more_features_than_rows():
    rng = np.random.default_rng(0)
    X = rng.laplace(size=(8, 2)) @ rng.normal(size=(2, 20))
    model = FastICA(2, random_state=0).fit(X)
    assert model.components_.shape == (2, 20)
    assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-9)


def test_a_single_feature_and_a_step_of_zero():
    X = [[-3.0], [0], [0], [0], [0], [3]]  # no excess kurtosis: the step of the cube is 0
    assert_allclose(np.abs(FastICA(fun="cube", algorithm="deflation", random_state=0).fit(X).components_), 3**-0.5)
    assert_array_equal(fixed_point_step([1.0], np.array(X) / np.sqrt(3), "exp") ** 2, [1.0])
    assert_array_equal(fixed_point_step([1.0], [[0.0], [0.0]], "cube"), [1.0])


def test_many_gaussian_sources_are_only_whitened():
    X = np.random.default_rng(0).normal(size=(300, 3))
    with pytest.warns(ConvergenceWarning, match=r"directions did not converge in max_iter=2.*increase max_iter"):
        model = FastICA(max_iter=2, random_state=0).fit(X)
    assert model.n_iter_ == 2 == len(model.changes_)
    Y = model.transform(X)
    assert_allclose(Y.T @ Y / 300, np.eye(3), atol=1e-9)
    with pytest.warns(ConvergenceWarning, match=r"component \d did not converge in max_iter=1") as warned:
        one_by_one = FastICA(max_iter=1, random_state=0, algorithm="deflation").fit(X)
    assert len(warned) > 1
    assert one_by_one.n_iter_ == 1
    assert len(one_by_one.changes_) == 3


# -------------------------------------------------------------------------------------------------------------- errors


def test_arguments_are_left_alone():
    X = problem(0, n=100)[2]
    start = np.eye(3)
    before = X.copy()
    model = FastICA(w_init=start).fit(X)
    model.transform(X)
    assert_array_equal(X, before)
    assert_array_equal(start, np.eye(3))


@pytest.mark.parametrize(
    ("settings", "error", "match"),
    [
        ({"n_components": 4}, ValueError, r"n_components must be at most min\(n_samples, n_features\) = 3, got 4"),
        ({"n_components": 4, "whiten": False}, ValueError, r"n_components must be at most .* = 3, got 4"),
        ({"n_components": 0}, ValueError, "n_components must be at least 1"),
        ({"n_components": True}, TypeError, "n_components must be an integer"),
        ({"n_components": 2.0}, TypeError, "n_components must be an integer"),
        ({"algorithm": "serial"}, ValueError, r"algorithm must be one of \('parallel', 'deflation'\)"),
        ({"whiten": True}, ValueError, "whiten must be one of .*'unit-variance'"),
        ({"fun": "tanh"}, ValueError, r"fun must be one of \('logcosh', 'exp', 'cube'\), got 'tanh'"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"max_iter": False}, TypeError, "max_iter must be an integer"),
        ({"tol": -1}, ValueError, "tol must be finite and at least 0"),
        ({"tol": np.nan}, ValueError, "tol must be finite"),
        ({"w_init": np.eye(2)}, ValueError, r"w_init must have shape \(3, 3\), got \(2, 2\)"),
        ({"w_init": np.ones((3, 3))}, ValueError, "w_init must have full rank.*independent rows"),
        ({"w_init": np.full((3, 3), np.nan)}, ValueError, "w_init must be finite"),
        ({"random_state": "seed"}, TypeError, "random_state must be an int"),
    ],
)
def test_bad_settings(settings, error, match):
    X = white(0, n=50)
    with pytest.raises(error, match=match):
        FastICA(**settings).fit(X)


@pytest.mark.parametrize(
    ("X", "match"),
    [
        ([[1.0, 2.0], [np.nan, 1.0], [0.0, 1.0]], "NaN"),
        ([[1.0, 2.0], [np.inf, 1.0], [0.0, 1.0]], "infinity"),
        (np.empty((0, 2)), "0 sample"),
        ([1.0, 2.0], "1D array"),
        ([[1.0, 2.0]], "1 sample"),
        (np.c_[np.arange(6.0) ** 2, np.full(6, 0.1), np.arange(6.0)],
         r"rank 2 after centring \(column 1 is constant\), fewer than n_components=3: set n_components to at most 2"),
        (np.c_[np.arange(6.0), 2 * np.arange(6.0)], "rank 1 after centring, fewer than n_components=2: set n_comp"),
        (np.arange(9.0).reshape(3, 3) ** 2, "rank 2 after centring, fewer than n_components=3"),
        (np.full((4, 2), 7.0), r"rank 0 after centring \(column 0 is constant\).*: drop columns"),
    ],
)  # fmt: skip
def test_bad_data(X, match):
    with pytest.raises(ValueError, match=match):
        FastICA(random_state=0).fit(X)


def test_bad_calls():
    X = problem(0, n=60)[2]
    with pytest.raises(NotFittedError):
        FastICA().transform(X)
    with pytest.raises(NotFittedError):
        FastICA().inverse_transform(X)
    model = FastICA(2, random_state=0).fit(X)
    with pytest.raises(ValueError, match="2 features"):
        model.transform(X[:, :2])
    with pytest.raises(ValueError, match=r"X must have shape \(d, 2\), got \(60, 3\)"):
        model.inverse_transform(X)
    with pytest.raises(ValueError, match="X must be finite"):
        model.inverse_transform([[np.nan, 1.0]])


def test_white_data_that_are_not_white():
    Z = white(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FastICA(whiten=False, random_state=0).fit(Z)
    with pytest.warns(UserWarning, match="X is far from white.*whiten it first"):
        FastICA(whiten=False, random_state=0).fit(2 * Z)
    with pytest.warns(UserWarning, match="n_components is ignored with whiten=False"):
        FastICA(2, whiten=False, random_state=0).fit(Z)


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: whiten([[1.0, 2.0]]), ValueError, "X must have at least two rows"),
        (lambda: whiten([1.0, 2.0]), ValueError, "X must be a matrix"),
        (lambda: whiten([[1.0], [2.0]], 2), ValueError, "n_components must be at most"),
        (lambda: whiten([[1.0, 1.0], [2.0, 1.0]]), ValueError, r"rank 1.*column 1 is constant"),
        (lambda: excess_kurtosis([2.0, 2.0]), ValueError, "y must hold different numbers"),
        (lambda: excess_kurtosis([0.0]), ValueError, "y must hold different numbers"),
        (lambda: excess_kurtosis([[1.0]]), ValueError, "y must be a vector"),
        (lambda: excess_kurtosis([np.nan, 1]), ValueError, "y must be finite"),
        (lambda: negentropy_contrast([1.0, -1.0], "log"), ValueError, "fun must be one of"),
        (lambda: negentropy_contrast(["a"]), TypeError, "y must hold real numbers"),
        (lambda: rotation(np.inf), ValueError, "angle must be finite"),
        (lambda: rotation("x"), TypeError, "angle must be a number"),
        (lambda: fixed_point_step([1.0], [[1.0, 2.0]]), ValueError, r"w must have shape \(2,\)"),
        (lambda: fixed_point_step([1.0], [[1.0]], "none"), ValueError, "fun must be one of"),
        (lambda: fixed_point_step([1.0], [1.0]), ValueError, "Z must be a matrix"),
        (lambda: deflate([1.0], [[1.0, 0.0]]), ValueError, r"w must have shape \(2,\)"),
        (lambda: deflate([1.0], [1.0]), ValueError, "R must have shape"),
        (lambda: symmetric_decorrelation([[1.0, 1.0], [1.0, 1.0]]), ValueError, "R must have full rank"),
        (lambda: symmetric_decorrelation([[1.0, 1.0]]), ValueError, "R must be a square matrix"),
        (lambda: log_likelihood([[0.0]], [[1.0]]), ValueError, "W must not be singular"),
        (lambda: log_likelihood([[1.0]], [[1.0, 2.0]]), ValueError, r"W must have shape \(2, 2\)"),
        (lambda: natural_gradient_step([[1.0]], [[1.0]], 0), ValueError, "learning_rate must be positive"),
        (lambda: natural_gradient_step([[1.0]], [[1.0, 2.0]], 1), ValueError, r"W must have shape \(2, 2\)"),
        (lambda: amari_error([[1.0]], [[1.0]]), ValueError, "number of sources must be at least 2"),
        (lambda: amari_error([[1.0, 1.0], [0.0, 0.0]], np.eye(2)), ValueError, "no row or column of zeros"),
        (lambda: amari_error([[1.0, 0.0], [1.0, 0.0]], np.eye(2)), ValueError, "no row or column of zeros"),
        (lambda: amari_error(np.eye(2), np.eye(3)), ValueError, r"A must have shape \(2, 2\)"),
    ],
)  # fmt: skip
def test_errors_of_the_steps(call, error, match):
    with pytest.raises(error, match=match):
        call()

"""Kernel PCA: a published example, independent routes, laws, extremes, errors."""

import pickle
import warnings

import numpy as np
import pytest
import sklearn.decomposition as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import circulant, eigh
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.clustering.density_clustering import spectral_embedding
from notes_lib.datasets import make_moons
from notes_lib.kernels.kernel_methods import center_kernel, kernel_matrix, rbf_kernel
from notes_lib.numerics import central_difference, squared_distances
from notes_lib.reduction.kernel_pca import (
    KernelPCA,
    kernel_scores,
    leading_eigenpairs,
    normalized_coefficients,
    preimage_step,
    preimage_weights,
    rbf_preimages,
    reconstruction_error,
)
from notes_lib.reduction.kernel_pca import eigen as solver

seeds = st.integers(0, 10**6)
quick = settings(max_examples=25, deadline=None)

# Lindsay Smith (2002), A tutorial on principal components analysis, and the scores of Accord.NET's test of kernel PCA
LINDSAY = [[2.5, 2.4], [0.5, 0.7], [2.2, 2.9], [1.9, 2.2], [3.1, 3.0], [2.3, 2.7], [2.0, 1.6], [1.0, 1.1], [1.5, 1.6],
           [1.1, 0.9]]  # fmt: skip
LINDSAY_SCORES = [
    [-0.827970186, 0.175115307], [1.77758033, -0.142857227], [-0.992197494, -0.384374989], [-0.274210416, -0.130417207],
    [-1.67580142, 0.209498461], [-0.912949103, -0.175282444], [0.099109437, 0.349824698], [1.14457216, -0.046417258],
    [0.438046137, -0.017764629], [1.22382056, 0.162675287],
]  # fmt: skip


def cloud(seed, n=30, d=3):
    """Points far from the origin, with one direction bent."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 2.0
    X[:, -1] += X[:, 0] ** 2
    return X


def quadratic_features(X):
    """Explicit features of the kernel (x'y + 1)^2 of the plane."""
    a, b = X.T
    r = np.sqrt(2.0)
    return np.column_stack([np.ones(len(X)), r * a, r * b, a**2, b**2, r * a * b])


def explicit(X, new, k):
    """Scores of both by the SVD of centred explicit features, signs free."""
    F = quadratic_features(X)
    mean = F.mean(axis=0)
    _, s, Vt = np.linalg.svd(F - mean, full_matrices=False)
    return s[:k] ** 2, (F - mean) @ Vt[:k].T, (quadratic_features(new) - mean) @ Vt[:k].T


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("kernel-pca-score", "kernel-pca-gram")
def test_linear_kernel_on_lindsay_smiths_data():
    model = KernelPCA(2, kernel="linear")
    scores = model.fit_transform(LINDSAY)
    signs = np.sign(scores[1]) * np.sign(LINDSAY_SCORES[1])
    assert_allclose(scores * signs, LINDSAY_SCORES, atol=2e-8)
    assert_allclose(model.eigenvalues_, [11.5562494096, 0.441750590445], rtol=1e-10)  # 9 times the variances


@pytest.mark.equation("kernel-pca-alpha")
def test_three_points_by_hand():
    # features 0, 0, 3 on a line: centred -1, -1, 2, eigenvalue 6, eigenvector (-1, -1, 2) / sqrt 6
    model = KernelPCA().fit([[0.0], [0.0], [3.0]])
    assert_allclose(model.eigenvalues_, [6.0])
    assert_allclose(model.eigenvectors_, np.array([[-1.0], [-1.0], [2.0]]) / np.sqrt(6.0))
    assert_allclose(normalized_coefficients(model.eigenvalues_, model.eigenvectors_).ravel(), np.array([-1, -1, 2]) / 6)
    assert_allclose(model.transform([[4.0]]), [[3.0]])


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.equation("kernel-pca-new-score", "kernel-pca-dual-problem")
def test_explicit_features(seed):
    rng = np.random.default_rng(seed)
    X, new = rng.normal(size=(20, 2)), rng.normal(size=(7, 2))
    values, scores, fresh = explicit(X, new, 4)
    model = KernelPCA(4, kernel="poly", degree=2, gamma=1.0, coef0=1.0)
    ours = model.fit_transform(X)
    signs = np.sign((ours * scores).sum(axis=0))
    assert_allclose(model.eigenvalues_, values, rtol=1e-10)
    assert_allclose(ours, scores * signs, atol=1e-10)
    assert_allclose(model.transform(new), fresh * signs, atol=1e-10)


@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("n_components", [1, 3, None])
@pytest.mark.parametrize(
    "kernel",
    [{"kernel": "linear"}, {"kernel": "rbf"}, {"kernel": "rbf", "gamma": 0.5}, {"kernel": "poly", "degree": 2}],
)
def test_scikit_learn(kernel, n_components, inverse):
    X, new = cloud(0), cloud(1, n=5)
    same = {"n_components": n_components, "fit_inverse_transform": inverse, "alpha": 0.1, **kernel}
    ours, peer = KernelPCA(**same), peers.KernelPCA(**same)
    scores, wanted = ours.fit_transform(X), peer.fit_transform(X)
    assert ours.eigenvalues_.shape == peer.eigenvalues_.shape
    assert_allclose(ours.eigenvalues_, peer.eigenvalues_, rtol=1e-8)
    first = slice(0, 3)  # beyond them the eigenvalues of the RBF kernel are rounding
    assert_allclose(scores[:, first], wanted[:, first], atol=1e-9 * np.abs(wanted).max())
    assert_allclose(ours.transform(new)[:, first], peer.transform(new)[:, first], atol=1e-9 * np.abs(wanted).max())
    assert_array_equal(ours.get_feature_names_out(), peer.get_feature_names_out())
    if inverse:
        assert_allclose(ours.inverse_transform(scores), peer.inverse_transform(wanted), atol=1e-8)
        assert ours.dual_coef_.shape == peer.dual_coef_.shape


def test_scikit_learn_other_kernels():
    X, new = cloud(2), cloud(3, n=4)
    K, K_new = kernel_matrix(X, gamma=0.3), kernel_matrix(new, X, gamma=0.3)
    peer = peers.KernelPCA(2, kernel="rbf", gamma=0.3)
    wanted = peer.fit_transform(X)
    for kernel, rows, fresh in [("precomputed", K, K_new), (lambda A, B: rbf_kernel(A, B, 0.3), X, new)]:
        model = KernelPCA(2, kernel=kernel)
        assert_allclose(model.fit_transform(rows), wanted, atol=1e-10)
        assert_allclose(model.transform(fresh), peer.transform(new), atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_all_solvers_agree(seed):
    X = cloud(seed, n=350)
    dense = KernelPCA(4, kernel="rbf", eigen_solver="dense").fit(X)
    for name in ("auto", "randomized"):
        other = KernelPCA(4, kernel="rbf", eigen_solver=name, random_state=seed).fit(X)
        assert_allclose(other.eigenvalues_, dense.eigenvalues_, rtol=1e-11)
        assert_allclose(other.eigenvectors_, dense.eigenvectors_, atol=1e-9)


@pytest.mark.parametrize("spectrum", ["flat", "pairs", "low rank", "indefinite"])
def test_eigenpairs_of_awkward_spectra(spectrum):
    rng = np.random.default_rng(5)
    n = 320
    values = {
        "flat": np.linspace(1.0, 0.9, n), "pairs": np.repeat(0.9 ** np.arange(n // 2), 2),
        "low rank": np.r_[5.0, 3.0, np.zeros(n - 2)], "indefinite": np.r_[3.0, 2.0, 1.0, -np.ones(n - 4), -9.0],
    }[spectrum]  # fmt: skip
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    A = Q * values @ Q.T
    A = (A + A.T) / 2
    found = leading_eigenpairs(A, 4, random_state=0)
    assert_allclose(found.eigenvalues, np.sort(values)[:-5:-1], atol=1e-12)
    V = found.eigenvectors
    assert_allclose(V.T @ V, np.eye(4), atol=1e-12)
    assert_allclose(A @ V, V * found.eigenvalues, atol=1e-11)


@pytest.mark.equation("kernel-pca-ritz")
def test_dense_way_finishes_the_work(monkeypatch):
    A = center_kernel(rbf_kernel(cloud(4, n=320)))
    wanted = eigh(A, eigvals_only=True)[:-4:-1]
    monkeypatch.setattr(solver, "ROUNDS", 2)
    assert solver._block_krylov(A, 3, np.random.default_rng(0)) is None
    assert_allclose(leading_eigenpairs(A, 3, "randomized", random_state=0).eigenvalues, wanted, rtol=1e-11)
    # too few rows for blocks
    assert_allclose(leading_eigenpairs(A[:12, :12], 2, "randomized").eigenvalues, eigh(A[:12, :12])[0][:-3:-1])


@pytest.mark.parametrize(
    ("n", "k", "name", "blocks"),
    [
        (320, 4, "auto", True), (300, 4, "auto", False), (320, 16, "auto", True), (320, 17, "auto", False),
        (320, 4, "dense", False), (12, 1, "randomized", True), (12, 2, "randomized", False),
    ],
)  # fmt: skip
def test_which_way_is_taken(monkeypatch, n, k, name, blocks):
    calls, plain = [], solver._block_krylov
    monkeypatch.setattr(solver, "_block_krylov", lambda *a: calls.append(a) or plain(*a))
    A = center_kernel(rbf_kernel(cloud(2, n=n)))
    found = leading_eigenpairs(A, k, name, random_state=0)
    assert bool(calls) is blocks
    assert_allclose(found.eigenvalues, eigh(A, eigvals_only=True)[: -k - 1 : -1], rtol=1e-10)


def test_all_eigenpairs_of_a_small_matrix():
    found = leading_eigenpairs([[2.0, 1.0], [1.0, 2.0]], 2)
    assert_allclose(found.eigenvalues, [3.0, 1.0])
    assert_allclose(np.abs(found.eigenvectors), np.sqrt(0.5))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.equation("kernel-pca-residual", "kernel-pca-own", "kernel-pca-lost")
def test_what_a_reconstruction_loses(seed):
    rng = np.random.default_rng(seed)
    X, new = rng.normal(size=(15, 2)), rng.normal(size=(6, 2))
    F, G = quadratic_features(X), quadratic_features(new)
    mean = F.mean(axis=0)
    U = np.linalg.svd(F - mean)[2][:2]
    off = G - mean
    wanted = ((off - off @ U.T @ U) ** 2).sum(axis=1)
    K_train, K = F @ F.T, G @ F.T
    values, V = np.linalg.eigh(center_kernel(K_train))
    alpha = normalized_coefficients(values[:-3:-1], V[:, :-3:-1])
    assert_allclose(reconstruction_error(K, K_train, (G**2).sum(axis=1), alpha), wanted, atol=1e-10)
    own = reconstruction_error(K_train, K_train, np.diag(K_train), alpha)
    assert_allclose(own.mean(), values[:-2].sum() / 15, rtol=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.equation("kernel-pca-weights", "kernel-pca-fixed-point")
def test_preimages_are_stationary(seed):
    X = cloud(seed, n=20, d=2)
    gamma = 0.2
    model = KernelPCA(3, kernel="rbf", gamma=gamma)
    scores = model.fit_transform(X)
    alpha = normalized_coefficients(model.eigenvalues_, model.eigenvectors_)
    weights = preimage_weights(scores, alpha)
    assert_allclose(weights.sum(axis=1), 1.0)
    found = rbf_preimages(X, weights, gamma, X, max_iter=5000, tol=1e-10)
    for w, z, x in zip(weights, found.points, X, strict=True):
        loss = lambda p, w=w: -2.0 * float(w @ rbf_kernel(p[None, :], X, gamma)[0])
        assert loss(z) <= loss(x) + 1e-12
        assert_allclose(central_difference(loss, z), 0.0, atol=1e-7)


def test_preimage_weights_give_the_projection():
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(15, 2)), rng.normal(size=(4, 2))
    F, G = quadratic_features(X), quadratic_features(new)
    mean = F.mean(axis=0)
    U = np.linalg.svd(F - mean)[2][:2]
    values, V = np.linalg.eigh(center_kernel(F @ F.T))
    alpha = normalized_coefficients(values[:-3:-1], V[:, :-3:-1])
    weights = preimage_weights(kernel_scores(G @ F.T, F @ F.T, alpha), alpha)
    assert_allclose(weights @ F, mean + (G - mean) @ U.T @ U, atol=1e-10)


# --------------------------------------------------------------------------------------------------------------- laws


@given(seeds)
@quick
def test_scores_are_uncorrelated(seed):
    X = cloud(seed)
    model = KernelPCA(3, kernel="rbf", gamma=0.3)
    scores = model.fit_transform(X)
    assert_allclose(scores.mean(axis=0), 0.0, atol=1e-12)
    assert_allclose(scores.T @ scores, np.diag(model.eigenvalues_), atol=1e-10)
    assert_allclose(model.transform(X), scores, atol=1e-10)


@given(seeds)
@quick
def test_directions_have_length_one(seed):
    X = cloud(seed)
    model = KernelPCA(3, kernel="rbf", gamma=0.3).fit(X)
    alpha = normalized_coefficients(model.eigenvalues_, model.eigenvectors_)
    K = rbf_kernel(X, gamma=0.3)
    assert_allclose(alpha.T @ center_kernel(K) @ alpha, np.eye(3), atol=1e-10)
    assert_allclose(alpha.sum(axis=0), 0.0, atol=1e-10)
    assert_allclose(kernel_scores(K, K, alpha), model.transform(X), atol=1e-10)


@given(seeds)
@quick
def test_order_of_the_rows_is_of_no_account(seed):
    X = cloud(seed)
    p = np.random.default_rng(seed).permutation(len(X))
    one, other = (KernelPCA(2, kernel="rbf", gamma=0.3).fit(A) for A in (X, X[p]))
    assert_allclose(one.eigenvalues_, other.eigenvalues_, rtol=1e-10)
    assert_allclose(np.abs(one.transform(X)), np.abs(other.transform(X)), atol=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_linear_kernel_is_pca(seed):
    X, new = cloud(seed), cloud(seed + 10, n=4)
    mean = X.mean(axis=0)
    _, s, Vt = np.linalg.svd(X - mean, full_matrices=False)
    model = KernelPCA(3)
    scores = model.fit_transform(X)
    signs = np.sign((scores * ((X - mean) @ Vt.T)).sum(axis=0))
    assert_allclose(model.eigenvalues_, s**2, rtol=1e-10)
    assert_allclose(scores, (X - mean) @ Vt.T * signs, atol=1e-9)
    assert_allclose(model.transform(new), (new - mean) @ Vt.T * signs, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.equation("kernel-pca-mds")
def test_minus_half_squared_distances(seed):
    X = cloud(seed)
    D = squared_distances(X, X)
    given = KernelPCA(3, kernel="precomputed")
    assert_allclose(given.fit_transform(-0.5 * D), KernelPCA(3).fit_transform(X), atol=1e-9)
    K = rbf_kernel(X, gamma=0.2)
    assert_allclose(given.fit_transform(K - 1.0), KernelPCA(3, kernel="rbf", gamma=0.2).fit_transform(X), atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.equation("kernel-pca-spectral")
def test_spectral_embedding_is_a_weighted_kernel_pca(seed):
    X, _ = make_moons(40, random_state=seed)
    W = rbf_kernel(X, gamma=8.0)
    np.fill_diagonal(W, 0.0)
    d = W.sum(axis=1)
    S = np.sqrt(d)[:, None] * (W / np.outer(d, d) - 1.0 / d.sum()) * np.sqrt(d)
    values = np.linalg.eigvalsh(S)[:-4:-1]
    assert_allclose(1.0 - spectral_embedding(W, 4).eigenvalues[1:], values, atol=1e-9)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.equation("kernel-pca-small-gamma")
def test_wide_kernel_becomes_pca(seed):
    X = cloud(seed, n=15)
    gamma = 1e-8
    wide, plain = KernelPCA(2, kernel="rbf", gamma=gamma), KernelPCA(2)
    assert_allclose(wide.fit(X).eigenvalues_ / (2 * gamma), plain.fit(X).eigenvalues_, rtol=1e-4)
    assert_allclose(wide.eigenvectors_, plain.eigenvectors_, atol=1e-4)


def test_narrow_kernel_knows_no_directions():
    model = KernelPCA(kernel="rbf", gamma=1e6).fit(cloud(0, n=12))
    assert_allclose(model.eigenvalues_, np.ones(11))


@pytest.mark.equation("kernel-pca-circulant")
def test_ring_gives_waves():
    turn = 2 * np.pi * np.arange(16) / 16
    X = np.column_stack([np.cos(turn), np.sin(turn)])
    K = rbf_kernel(X, gamma=1.0)
    assert_allclose(K, circulant(K[:, 0]), atol=1e-12)
    waves = np.sort(np.fft.fft(K[:, 0]).real[1:])[::-1]
    assert_allclose(KernelPCA(4, kernel="rbf", gamma=1.0).fit(X).eigenvalues_, waves[:4], rtol=1e-10)


# ----------------------------------------------------------------------------------------------------------- extremes


def test_far_rows_all_get_the_same_scores():
    model = KernelPCA(2, kernel="rbf", gamma=1.0).fit(cloud(0))
    far = model.transform([[1e3] * 3, [-1e3] * 3])
    assert_array_equal(far[0], far[1])


def test_more_components_than_there_are_directions():
    X = cloud(0, n=10, d=2)
    model = KernelPCA(4)
    scores = model.fit_transform(X)
    assert_array_equal(model.eigenvalues_[2:], 0.0)
    assert_array_equal(scores[:, 2:], 0.0)
    assert_array_equal(model.transform(X)[:, 2:], 0.0)
    assert KernelPCA(4, remove_zero_eig=True).fit_transform(X).shape == (10, 2)
    assert KernelPCA().fit_transform(X).shape == (10, 2)
    assert KernelPCA(10, kernel="rbf").fit(X).eigenvalues_[-1] == 0.0  # centring takes one away


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_scales_and_layouts(scale):
    X = cloud(0)
    wanted = KernelPCA(2).fit_transform(X)
    assert_allclose(KernelPCA(2).fit_transform(scale * X), scale * wanted, rtol=1e-6)
    assert_array_equal(KernelPCA(2).fit_transform(np.asfortranarray(X)), wanted)
    assert_allclose(KernelPCA(2).fit_transform(np.repeat(X, 2, axis=0)[::2]), wanted, atol=1e-12)
    assert_allclose(KernelPCA(2).fit_transform(X.astype(np.float32)), wanted, atol=1e-4)


def test_repeated_rows_and_constant_columns():
    X = np.repeat(cloud(0, n=5), 3, axis=0)
    X = np.column_stack([X, np.ones(15)])
    model = KernelPCA(kernel="rbf").fit(X)
    assert model.eigenvalues_.shape == (4,)  # five different rows
    assert_allclose(KernelPCA(2).fit_transform(X), KernelPCA(2).fit_transform(X[:, :3]), atol=1e-9)


def test_the_way_back_needs_no_mean_with_a_local_kernel():
    X, _ = make_moons(80, noise=0.02, random_state=0)
    model = KernelPCA(10, kernel="rbf", gamma=4.0, fit_inverse_transform=True, alpha=1e-3)
    back = model.inverse_transform(model.fit_transform(X))
    assert np.sqrt(((back - X) ** 2).mean()) < 0.1 * X.std()
    linear = KernelPCA(2, fit_inverse_transform=True, alpha=1e-7)
    back = linear.inverse_transform(linear.fit_transform(X))
    assert_allclose(back, X - X.mean(axis=0), atol=1e-5)  # without its mean


def test_preimage_step_keeps_points_that_have_no_mean():
    Z = np.array([[0.5], [1e3]])
    moved = preimage_step(Z, [[0.0], [1.0]], [[-0.7, -0.3], [0.5, 0.5]], gamma=1.0)
    assert_array_equal(moved, Z)


# ------------------------------------------------------------------------------------------------------------- errors


def test_bad_numbers_of_components():
    X = cloud(0, n=10)
    with pytest.raises(ValueError, match="n_components=11 must be at most 10, the number of rows"):
        KernelPCA(11).fit(X)
    with pytest.raises(ValueError, match="n_components must be at least 1"):
        KernelPCA(0).fit(X)
    for wrong in (2.0, True, "all"):
        with pytest.raises(TypeError, match="n_components must be an integer"):
            KernelPCA(wrong).fit(X)
    with pytest.raises(ValueError, match="n_components=3 must be at most 2"):
        leading_eigenpairs(np.eye(2), 3)


def test_bad_hyper_parameters():
    X = cloud(0, n=10)
    with pytest.raises(ValueError, match="eigen_solver must be one of"):
        KernelPCA(2, eigen_solver="arpack").fit(X)
    with pytest.raises(ValueError, match="eigen_solver must be one of"):
        leading_eigenpairs(np.eye(3), 1, "lanczos")
    with pytest.raises(ValueError, match="fit_inverse_transform must be one of"):
        KernelPCA(2, fit_inverse_transform="yes").fit(X)
    with pytest.raises(ValueError, match="remove_zero_eig must be one of"):
        KernelPCA(2, remove_zero_eig=None).fit(X)
    with pytest.raises(ValueError, match="gamma must be positive"):
        KernelPCA(2, kernel="rbf", gamma=0.0).fit(X)
    with pytest.raises(ValueError, match="alpha must be finite and at least 0"):
        KernelPCA(2, alpha=-1.0).fit(X)
    with pytest.raises(ValueError, match="kernel must be"):
        KernelPCA(2, kernel="gauss").fit(X)
    with pytest.raises(TypeError, match="kernel must be a name or a callable"):
        KernelPCA(2, kernel=3).fit(X)
    with pytest.raises(TypeError, match="random_state must be"):
        KernelPCA(2, random_state="0").fit(X)
    with pytest.raises(TypeError, match="random_state must be"):
        leading_eigenpairs(np.eye(3), 1, random_state="0")


def test_bad_data():
    with pytest.raises(ValueError, match="NaN"):
        KernelPCA().fit([[np.nan], [1.0]])
    with pytest.raises(ValueError, match="Expected 2D array"):
        KernelPCA().fit([1.0, 2.0])
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        KernelPCA().fit(np.empty((0, 2)))
    for kernel in ("linear", "rbf", "poly"):
        with pytest.raises(ValueError, match="X must hold rows that differ: nothing varies"):
            KernelPCA(kernel=kernel).fit(np.full((6, 2), 0.3))
    with pytest.raises(ValueError, match=r"X must hold rows that differ \(1 sample\)"):
        KernelPCA(kernel="rbf").fit([[1.0, 2.0]])
    with pytest.raises(ValueError, match="X must be a square matrix"):
        KernelPCA(kernel="precomputed").fit(np.ones((2, 3)))
    with pytest.raises(ValueError, match="X must be symmetric"):
        KernelPCA(kernel="precomputed").fit([[1.0, 0.5], [0.0, 1.0]])


def test_kernels_that_are_not_valid():
    X = cloud(0, n=12)
    with pytest.raises(ValueError, match="kernel='precomputed' is not positive semi-definite on these rows"):
        KernelPCA(2, kernel="precomputed").fit(squared_distances(X, X))
    with pytest.raises(ValueError, match="use a valid kernel"):
        KernelPCA(2, kernel=lambda A, B: -(A @ B.T)).fit(X)
    rng = np.random.default_rng(0)
    with pytest.warns(ConvergenceWarning, match="kernel='sigmoid' is not positive semi-definite") as caught:
        model = KernelPCA(12, kernel="sigmoid", gamma=1.0, coef0=-1.0).fit(rng.normal(size=(12, 2)))
    assert caught[0].filename == __file__
    assert (model.eigenvalues_ >= 0).all()
    assert (model.eigenvalues_ == 0).sum() > 1
    with pytest.warns(ConvergenceWarning, match="change coef0 or gamma"):
        KernelPCA(2, kernel="poly", degree=3, coef0=-5.0).fit(rng.normal(size=(12, 2)))
    with pytest.raises(ValueError, match="kernel='sigmoid' is not positive"):
        KernelPCA(kernel="sigmoid", gamma=1.0, coef0=0.0).fit([[1.0], [1.5]])  # no positive eigenvalue
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        KernelPCA(2, kernel="sigmoid", gamma=1e-4, coef0=0.0).fit(rng.normal(size=(12, 2)))


def test_bad_ways_back():
    X = cloud(0, n=10)
    with pytest.raises(ValueError, match='fit_inverse_transform must be False with kernel="precomputed"'):
        KernelPCA(kernel="precomputed", fit_inverse_transform=True).fit(np.eye(3))
    model = KernelPCA(2).fit(X)
    with pytest.raises(NotFittedError, match="set fit_inverse_transform=True"):
        model.inverse_transform(model.transform(X))
    model = KernelPCA(2, fit_inverse_transform=True).fit(X)
    with pytest.raises(ValueError, match=r"X must hold 2 scores a row, got shape \(1, 3\)"):
        model.inverse_transform([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="NaN"):
        model.inverse_transform([[np.nan, 1.0]])
    assert not hasattr(clone(model).set_params(fit_inverse_transform=False).fit(X), "dual_coef_")
    with pytest.raises(NotFittedError, match="set fit_inverse_transform=True"):  # whatever an earlier fit left
        model.set_params(fit_inverse_transform=False).fit(X).inverse_transform([[1.0, 2.0]])


def test_bad_new_rows():
    model = KernelPCA(2)
    with pytest.raises(NotFittedError):
        model.transform([[1.0]])
    model.fit(cloud(0))
    with pytest.raises(ValueError, match="X has 2 features, but KernelPCA is expecting 3"):
        model.transform([[1.0, 2.0]])


def test_bad_arguments_of_the_steps():
    K = np.eye(3)
    with pytest.raises(ValueError, match="eigenvalues must not be negative, got -1"):
        normalized_coefficients([-1.0], np.ones((3, 1)))
    with pytest.raises(ValueError, match="eigenvectors must have shape"):
        normalized_coefficients([1.0], np.ones((3, 2)))
    with pytest.raises(ValueError, match="K_train must be a square matrix"):
        kernel_scores(K, np.ones((2, 3)), np.ones((3, 1)))
    with pytest.raises(ValueError, match="alpha must have shape"):
        kernel_scores(K, K, np.ones((2, 1)))
    with pytest.raises(ValueError, match="K must have a column for each of the 3 rows"):
        kernel_scores(np.ones((1, 2)), K, np.ones((3, 1)))
    with pytest.raises(ValueError, match="diagonal must be a vector"):
        reconstruction_error(K, K, np.ones(2), np.ones((3, 1)))
    with pytest.raises(ValueError, match="scores must have shape"):
        preimage_weights(np.ones((2, 2)), np.ones((3, 1)))
    with pytest.raises(ValueError, match="weights must have shape"):
        preimage_step([[0.0]], [[0.0], [1.0]], [[1.0]], 1.0)
    with pytest.raises(ValueError, match="Z must have shape"):
        preimage_step([[0.0, 1.0]], [[0.0], [1.0]], [[0.5, 0.5]], 1.0)
    with pytest.raises(ValueError, match="gamma must be positive"):
        preimage_step([[0.0]], [[0.0], [1.0]], [[0.5, 0.5]], 0.0)
    with pytest.raises(ValueError, match="max_iter must be at least 1"):
        rbf_preimages([[0.0], [1.0]], [[0.5, 0.5]], 1.0, [[0.3]], max_iter=0)
    with pytest.raises(ValueError, match="tol must be finite"):
        rbf_preimages([[0.0], [1.0]], [[0.5, 0.5]], 1.0, [[0.3]], tol=-1.0)
    for steps in (1, 3):
        with pytest.warns(ConvergenceWarning, match=f"points still move after {steps} steps") as caught:
            found = rbf_preimages([[0.0], [1.0]], [[0.7, 0.3]], 1.0, [[0.9]], max_iter=steps)
        assert found.n_iter == steps
        assert caught[0].filename == __file__
        Z = [[0.9]]
        for _ in range(steps):
            Z = preimage_step(Z, [[0.0], [1.0]], [[0.7, 0.3]], 1.0)
        assert_array_equal(found.points, Z)


# ----------------------------------------------------------------------------------------------------------- contract


@pytest.mark.parametrize("model", [KernelPCA(), KernelPCA(2, kernel="rbf", fit_inverse_transform=True)])
def test_estimator_contract(model):
    check_estimator(model, on_skip=None)


def test_pipelines_copies_memory():
    X = cloud(0)
    pipe = make_pipeline(StandardScaler(), KernelPCA(2, kernel="rbf"))
    assert pipe.fit_transform(X).shape == (30, 2)
    model = KernelPCA(2, kernel="rbf", gamma=0.1).fit(X)
    assert_array_equal(pickle.loads(pickle.dumps(model)).transform(X), model.transform(X))
    assert clone(model).get_params() == model.get_params()
    before = model.transform(X[:3])
    fresh = X[:3].copy()
    X[:] = 0.0
    assert_array_equal(model.transform(fresh), before)
    K = rbf_kernel(fresh)
    kept = K.copy()
    KernelPCA(1, kernel="precomputed").fit(K)
    assert_array_equal(K, kept)

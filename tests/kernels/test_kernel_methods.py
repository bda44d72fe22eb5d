"""Kernel methods: published numbers, independent routes, laws, extremes, errors."""

import itertools
import pickle
import warnings
from collections import Counter
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import gamma, kv
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.gaussian_process.kernels import Matern
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.metrics import pairwise
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from notes_lib.datasets import load_digits, make_moons
from notes_lib.kernels.kernel_methods import (
    KernelGradientDescent,
    KernelPerceptron,
    center_kernel,
    gradient_step,
    is_positive_semidefinite,
    kernel_diagonal,
    kernel_distance,
    kernel_matrix,
    kernel_neighbors,
    linear_kernel,
    matern_kernel,
    nystroem_features,
    perceptron_pass,
    polynomial_kernel,
    random_fourier_features,
    rbf_kernel,
    sigmoid_kernel,
    spectrum_kernel,
    subsequence_kernel,
    subsequence_table,
)
from notes_lib.numerics import central_difference

OURS = {"linear": linear_kernel, "poly": polynomial_kernel, "rbf": rbf_kernel, "sigmoid": sigmoid_kernel}
SQUARED = lambda A, B: ((A[:, None] - B) ** 2).sum(axis=2)  # symmetric, but not a kernel
XOR = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]])


def points(seed, n=20, d=3):
    return np.random.default_rng(seed).normal(size=(n, d))


def quadratic_features(X):
    """The six features whose inner product is (x'z + 1)^2 for two attributes."""
    a, b = X.T
    return np.column_stack([np.ones(len(X)), np.sqrt(2) * a, np.sqrt(2) * b, a * a, b * b, np.sqrt(2) * a * b])


def perceptron_by_loops(K, y, passes):
    """The dual perceptron as the algorithm reads, every score computed anew."""
    alpha, order = np.zeros(len(y)), []
    for _ in range(passes):
        for n in range(len(y)):
            if y[n] * sum(alpha[m] * y[m] * K[m, n] for m in range(len(y))) <= 0:
                alpha[n] += 1
                order.append(n)
    return alpha, order


# ------------------------------------------------------------------------------------------------------------- golden


@pytest.mark.equation("kernel-methods-polynomial", "kernel-methods-quadratic")
def test_exclusive_or_of_cherkassky_and_mulier():
    # the exclusive or with (x'z + 1)^2: kernel matrix 9 on the diagonal and 1 elsewhere, as printed in Haykin, Neural
    # Networks, section on support vector machines (after Cherkassky and Mulier)
    K = polynomial_kernel(XOR, degree=2, gamma=1.0)
    assert_array_equal(K, np.ones((4, 4)) + 8 * np.eye(4))
    assert_allclose(quadratic_features(XOR) @ quadratic_features(XOR).T, K, rtol=1e-14)


@pytest.mark.equation("kernel-methods-perceptron-update", "kernel-methods-perceptron-score", "kernel-methods-linear")
def test_li_hang_dual_perceptron():
    # Li Hang, Statistical Learning Methods, examples 2.1 and 2.2: Gram matrix, alpha = (2, 0, 5), b = -3, w = (1, 1).
    # The book has a bias of its own, updated by y_i: that is the kernel x'z + 1.
    X, y = np.array([[3.0, 3], [4, 3], [1, 1]]), np.array([1.0, 1, -1])
    assert_array_equal(linear_kernel(X), [[18, 21, 6], [21, 25, 7], [6, 7, 2]])
    alpha, order = np.zeros(3), []
    while True:
        alpha, mistakes = perceptron_pass(linear_kernel(X) + 1, y, alpha)
        order += mistakes.tolist()
        if not mistakes.size:
            break
    assert_array_equal(alpha, [2, 0, 5])
    assert order == [0, 2, 2, 2, 0, 2, 2]
    model = KernelPerceptron("poly", degree=1, gamma=1.0, coef0=1.0).fit(X, y)
    assert_array_equal(model.mistakes_, [2, 0, 5])
    assert_array_equal(model.dual_coef_ @ X, [1, 1])
    assert model.dual_coef_.sum() == -3
    assert model.n_iter_ == 6
    assert_array_equal(model.support_, [0, 2])


@pytest.mark.equation("kernel-methods-rbf")
def test_ebden_covariances():
    # M. Ebden (2008), Gaussian Processes for Regression: sigma_f = 1.27, length 1, x* = 0.2; printed to two digits
    x = np.array([[-1.5], [-1], [-0.75], [-0.4], [-0.25], [0]])
    found = 1.27**2 * rbf_kernel([[0.2]], x, gamma=0.5)
    assert_allclose(found, [[0.38, 0.79, 1.03, 1.35, 1.46, 1.58]], rtol=0, atol=0.0055)


@pytest.mark.equation("kernel-methods-centring")
def test_lindsay_smith_data_through_the_centred_kernel():
    # principal component scores as stored in Accord.NET's KernelPrincipalComponentAnalysisTest (linear kernel)
    X = [[2.5, 2.4], [0.5, 0.7], [2.2, 2.9], [1.9, 2.2], [3.1, 3.0], [2.3, 2.7], [2.0, 1.6], [1.0, 1.1], [1.5, 1.6],
         [1.1, 0.9]]  # fmt: skip
    scores = [-0.827970186, 1.77758033, -0.992197494, -0.274210416, -1.67580142, -0.912949103, 0.099109437, 1.14457216,
              0.438046137, 1.22382056]  # fmt: skip
    values, U = np.linalg.eigh(center_kernel(linear_kernel(X)))
    first = U[:, -1] * np.sqrt(values[-1])
    assert_allclose(first * np.sign(first[1]), scores, rtol=0, atol=2e-8)


@pytest.mark.equation("kernel-methods-spectrum", "kernel-methods-subsequence")
def test_words_of_shawe_taylor_and_cristianini():
    # Shawe-Taylor and Cristianini (2004), Kernel Methods for Pattern Analysis, chapter 11: the 2-spectrum kernel of
    # bar, bat, car, cat, and the all-subsequences kernel of bar, baa, car, cat
    assert_array_equal(spectrum_kernel(["bar", "bat", "car", "cat"], length=2),
                       [[2, 1, 1, 0], [1, 2, 0, 1], [1, 0, 2, 1], [0, 1, 1, 2]])  # fmt: skip
    assert_array_equal(subsequence_kernel(["bar", "baa", "car", "cat"]),
                       [[8, 6, 4, 2], [6, 12, 3, 3], [4, 3, 8, 4], [2, 3, 4, 8]])  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- oracle


@pytest.mark.equation(
    "kernel-methods-linear", "kernel-methods-polynomial", "kernel-methods-rbf", "kernel-methods-sigmoid"
)
@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("seed", range(3))
def test_same_as_scikit_learn(name, seed):
    X, Y = points(seed), points(seed + 10, n=7)
    peer = {"poly": "polynomial"}.get(name, name)
    peer = getattr(pairwise, f"{peer}_kernel")
    settings_ = {"linear": {}, "rbf": {"gamma": 0.7}, "sigmoid": {"gamma": 0.3, "coef0": -0.4}}
    settings_["poly"] = {"degree": 4, "gamma": 0.3, "coef0": 0.5}
    for more in ({}, settings_[name]):
        assert_allclose(OURS[name](X, **more), peer(X, **more), rtol=1e-11, atol=1e-12)
        assert_allclose(OURS[name](X, Y, **more), peer(X, Y, **more), rtol=1e-11, atol=1e-12)
        assert_array_equal(kernel_matrix(X, Y, name, **more), OURS[name](X, Y, **more))
        assert_array_equal(kernel_matrix(X, kernel=name, **more), OURS[name](X, **more))
        assert_allclose(kernel_diagonal(X, name, **more), np.diag(OURS[name](X, **more)), rtol=1e-12)


@pytest.mark.equation("kernel-methods-gram")
def test_one_value_at_a_time():
    X, Y = points(0, n=4), points(1, n=3)
    one = {
        "linear": lambda x, z: sum(a * b for a, b in zip(x, z, strict=True)),
        "poly": lambda x, z: (0.5 * (x @ z) + 2.0) ** 3,
        "rbf": lambda x, z: np.exp(-0.5 * ((x - z) ** 2).sum()),
        "sigmoid": lambda x, z: np.tanh(0.5 * (x @ z) + 2.0),
    }
    for name, k in one.items():
        K = kernel_matrix(X, Y, name, gamma=0.5, degree=3, coef0=2.0)
        assert_allclose(K, [[k(x, z) for z in Y] for x in X], rtol=1e-12)
    assert_array_equal(kernel_matrix(X, Y, lambda A, B: np.minimum.outer(A[:, 0], B[:, 0])),
                       [[min(x[0], z[0]) for z in Y] for x in X])  # fmt: skip
    assert_array_equal(kernel_matrix(X, kernel="precomputed"), X)


@pytest.mark.equation("kernel-methods-matern")
@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
def test_matern_as_scikit_learn_and_as_a_bessel_function(nu):
    X, Y = points(0), points(1, n=7)
    for scale in (1.0, 0.3, 5.0):
        assert_allclose(matern_kernel(X, Y, scale, nu), Matern(scale, nu=nu)(X, Y), rtol=1e-11)
        u = np.sqrt(2 * nu) * np.linalg.norm(X[:, None] - Y, axis=2) / scale
        assert_allclose(matern_kernel(X, Y, scale, nu), 2 ** (1 - nu) / gamma(nu) * u**nu * kv(nu, u), rtol=1e-9)
    assert_allclose(matern_kernel(X, nu=nu), Matern(nu=nu)(X), rtol=1e-7, atol=1e-7)
    assert_array_equal(np.diag(matern_kernel(X, nu=nu)), np.ones(20))
    assert_allclose(matern_kernel(X), matern_kernel(X, nu=1.5), rtol=0)


def equal_pairs(s, t):
    """Pairs of equal subsequences, by writing all of them down."""
    words = lambda u: Counter("".join(c) for size in range(len(u) + 1) for c in itertools.combinations(u, size))
    first, second = words(s), words(t)
    return sum(first[word] * second[word] for word in first)


@pytest.mark.equation("kernel-methods-subsequence", "kernel-methods-subsequence-step", "kernel-methods-spectrum")
@pytest.mark.parametrize("seed", range(5))
def test_string_kernels_by_writing_all_words_down(seed):
    rng = np.random.default_rng(seed)
    texts = ["".join(rng.choice(list("abc"), size=size)) for size in (0, 1, 3, 5, 8)]
    other = ["".join(rng.choice(list("abd"), size=size)) for size in (2, 7)]
    assert_array_equal(subsequence_kernel(texts, other), [[equal_pairs(s, t) for t in other] for s in texts])
    s, t = texts[-1], other[-1]
    table = subsequence_table(s, t)
    assert_array_equal(table, [[equal_pairs(s[:i], t[:j]) for j in range(8)] for i in range(9)])
    for length in (1, 2, 3):
        found = spectrum_kernel(texts, other, length)
        pairs = lambda s, t, p=length: sum(
            s[i : i + p] == t[j : j + p] for i in range(len(s) - p + 1) for j in range(len(t) - p + 1)
        )
        assert_array_equal(found, [[pairs(s, t) for t in other] for s in texts])
    assert_array_equal(spectrum_kernel(texts), spectrum_kernel(texts, texts, 3))


@pytest.mark.equation("kernel-methods-nystroem", "kernel-methods-nystroem-features")
@pytest.mark.parametrize("options", [{"kernel": "rbf", "gamma": 0.4}, {"kernel": "poly", "degree": 2, "coef0": 0.5}])
def test_nystroem_as_scikit_learn_and_as_a_projection(options):
    X, new = points(0, 40, 2), points(1, 7, 2)
    peer = Nystroem(n_components=5, random_state=3, **{"gamma": 0.7, **options}).fit(X)
    options = {"gamma": 0.7, **options}
    features = lambda A: nystroem_features(A, X[peer.component_indices_], **options)
    assert_allclose(features(X) @ features(new).T, peer.transform(X) @ peer.transform(new).T, rtol=1e-6, atol=1e-8)
    if options["kernel"] == "poly":  # the features are known: project them
        Phi, span = (quadratic_features(np.sqrt(0.7 / 0.5) * A) for A in (X, X[peer.component_indices_]))
        projected = np.linalg.lstsq(span.T, Phi.T, rcond=None)[0].T @ span * 0.5
        assert_allclose(features(X) @ features(X).T, projected @ projected.T, rtol=1e-9, atol=1e-9)


@pytest.mark.equation("kernel-methods-random-features")
def test_random_cosines_are_the_gaussian_kernel_on_average():
    X = points(4, 5, 2)
    K = rbf_kernel(X, gamma=0.6)
    few = np.array([(lambda P: P @ P.T)(random_fourier_features(X, 50, 0.6, seed)) for seed in range(400)])
    error = few.std(axis=0, ddof=1) / 20
    assert (np.abs(few.mean(axis=0) - K) < 4.5 * error).all()
    spread = [np.abs((P := random_fourier_features(X, S, 0.6, 0)) @ P.T - K).max() for S in (100, 1_000_000)]
    assert spread[1] < 5e-3 < spread[0]
    assert random_fourier_features(X).shape == (len(X), RBFSampler().n_components)
    default = random_fourier_features(X, 7, random_state=np.random.default_rng(1))
    assert_array_equal(default, random_fourier_features(X, 7, 0.5, 1))
    assert_allclose(random_fourier_features(X[2:3], 7, 0.5, 1), default[2:3], rtol=1e-12)


@pytest.mark.equation("kernel-methods-centring")
@pytest.mark.parametrize("seed", range(3))
def test_centring_as_scikit_learn_and_on_the_features(seed):
    X, Y = points(seed, d=2), points(seed + 5, n=6, d=2)
    K, new = polynomial_kernel(X, degree=2, gamma=1.0), polynomial_kernel(Y, X, degree=2, gamma=1.0)
    peer = KernelCenterer().fit(K)
    assert_allclose(center_kernel(K), peer.transform(K), rtol=1e-10, atol=1e-10)
    assert_allclose(center_kernel(new, K), peer.transform(new), rtol=1e-10, atol=1e-10)
    Phi, Phi_new = quadratic_features(X), quadratic_features(Y)
    mean = Phi.mean(axis=0)
    assert_allclose(center_kernel(K), (Phi - mean) @ (Phi - mean).T, rtol=1e-10, atol=1e-10)
    assert_allclose(center_kernel(new, K), (Phi_new - mean) @ (Phi - mean).T, rtol=1e-10, atol=1e-10)


@pytest.mark.equation("kernel-methods-distance", "kernel-methods-nearest")
@pytest.mark.parametrize("seed", range(3))
def test_distance_and_neighbours_on_the_features(seed):
    X, Y = points(seed, n=8, d=2), points(seed + 5, d=2)
    Phi, Psi = quadratic_features(X), quadratic_features(Y)
    D = np.array([[np.linalg.norm(a - b) for b in Psi] for a in Phi])
    options = {"kernel": "poly", "degree": 2, "gamma": 1.0}
    assert_allclose(kernel_distance(X, Y, **options), D, rtol=1e-9, atol=1e-9)
    assert_allclose(kernel_distance(X, **options), kernel_distance(X, X, **options), rtol=1e-9, atol=1e-6)
    near = kernel_neighbors(X, Y, 4, **options)
    assert_array_equal(near.indices, [sorted(range(20), key=lambda j: row[j])[:4] for row in D])
    assert_allclose(near.distances, np.sort(D, axis=1)[:, :4], rtol=1e-9)
    K = polynomial_kernel(Y, degree=2, gamma=1.0)
    assert_allclose(kernel_distance(K, kernel="precomputed"), kernel_distance(Y, **options), rtol=1e-9, atol=1e-7)
    assert_allclose(kernel_distance(Y, kernel="sigmoid", gamma=1e-3, coef0=1e-3)[0, 1], np.sqrt(
        sigmoid_kernel(Y[:1], gamma=1e-3, coef0=1e-3) + sigmoid_kernel(Y[1:2], gamma=1e-3, coef0=1e-3)
        - 2 * sigmoid_kernel(Y[:1], Y[1:2], gamma=1e-3, coef0=1e-3))[0, 0], rtol=1e-9)  # fmt: skip


@pytest.mark.equation(
    "kernel-methods-gradient-step", "kernel-methods-primal-step", "kernel-methods-lms", "kernel-methods-representer",
    "kernel-methods-loss", "kernel-methods-residual", "kernel-methods-prediction",
)  # fmt: skip
@pytest.mark.parametrize("seed", range(3))
def test_same_as_gradient_descent_on_the_features(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(15, 2)), rng.normal(size=15)
    Phi, K = quadratic_features(X), polynomial_kernel(X, degree=2, gamma=1.0)
    loss = lambda w: 0.5 * ((y - Phi @ w) ** 2).sum()
    w, beta, eta = np.zeros(6), np.zeros(15), 0.003
    for _ in range(20):
        step = gradient_step(K, y, beta, eta)
        assert_allclose(step.loss, loss(w), rtol=1e-10)
        assert_allclose(step.residual, y - Phi @ w, rtol=1e-9, atol=1e-10)
        w, beta = w - eta * central_difference(loss, w), step.beta  # the gradient knows nothing of kernels
        assert_allclose(Phi.T @ beta, w, rtol=1e-6, atol=1e-7)
    model = KernelGradientDescent("poly", degree=2, gamma=1.0, learning_rate=eta, max_iter=20, tol=0)
    with pytest.warns(ConvergenceWarning, match="stopped after 20 steps: increase max_iter or tol"):
        model.fit(X, y)
    assert_allclose(model.dual_coef_, beta, rtol=1e-12)
    assert len(model.objective_) == model.n_iter_ + 1 == 21
    assert_allclose(model.objective_[[0, -1]], [loss(np.zeros(6)), loss(w)], rtol=1e-6)
    new = rng.normal(size=(5, 2))
    assert_allclose(model.predict(new), quadratic_features(new) @ w, rtol=1e-5, atol=1e-6)
    w, beta = np.zeros(6), np.zeros(15)
    for n in range(15):  # least mean squares: one row a step
        w = w + eta * (y[n] - Phi[n] @ w) * Phi[n]
        step = gradient_step(K, y, beta, eta, rows=[n])
        assert step.residual.shape == (1,)
        beta = step.beta
        assert_allclose(Phi.T @ beta, w, rtol=1e-10, atol=1e-12)


@pytest.mark.equation("kernel-methods-perceptron-update", "kernel-methods-perceptron-score")
@pytest.mark.parametrize("seed", range(6))
def test_perceptron_by_loops_and_with_explicit_weights(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(25, 2)).astype(float)
    y = np.where(rng.random(25) < 0.5, 1.0, -1.0)
    K = polynomial_kernel(X, degree=2, gamma=1.0)
    alpha, order, w, updates = np.zeros(25), [], np.zeros(6), []
    Phi = quadratic_features(X)
    for _ in range(4):
        alpha, mistakes = perceptron_pass(K, y, alpha)
        order += mistakes.tolist()
        for n in range(25):
            if y[n] * round(Phi[n] @ w, 9) <= 0:  # scores are whole numbers
                w += y[n] * Phi[n]
                updates.append(n)
    expected, expected_order = perceptron_by_loops(K, y, 4)
    assert_array_equal(alpha, expected)
    assert order == expected_order == updates
    assert_allclose(Phi.T @ (alpha * y), w, rtol=1e-9, atol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KernelPerceptron("poly", degree=2, gamma=1.0, max_iter=4).fit(X, y)
    assert_array_equal(model.mistakes_, expected)
    assert_array_equal(model.dual_coef_, expected * y)
    assert_allclose(model.decision_function(X), Phi @ w, rtol=1e-9, atol=1e-8)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_more_classes_are_one_against_the_rest(kernel):
    digits = load_digits()
    X, y = digits.X[:150] / 16, digits.y[:150]
    model = KernelPerceptron(kernel).fit(X, y)
    columns = [KernelPerceptron(kernel).fit(X, y == k) for k in range(10)]
    assert_array_equal(model.mistakes_, np.column_stack([c.mistakes_ for c in columns]))
    scores = np.column_stack([c.decision_function(digits.X[150:200] / 16) for c in columns])
    assert_allclose(model.decision_function(digits.X[150:200] / 16), scores, rtol=1e-10, atol=1e-10)
    assert_array_equal(model.predict(digits.X[150:200] / 16), scores.argmax(axis=1))
    assert model.n_iter_ == max(c.n_iter_ for c in columns)
    assert_array_equal(model.support_, np.flatnonzero(model.mistakes_.any(axis=1)))
    assert_array_equal(model.predict(X), y)


# --------------------------------------------------------------------------------------------------------------- laws

seeds = st.integers(0, 10**6)
quick = settings(max_examples=25, deadline=None)


@pytest.mark.equation("kernel-methods-psd", "kernel-methods-gram")
@quick
@given(seed=seeds, n=st.integers(1, 12), d=st.integers(1, 4), scale=st.sampled_from([1e-2, 1.0, 30.0]))
def test_valid_kernels_are_symmetric_and_positive_semidefinite(seed, n, d, scale):
    X = scale * points(seed, n, d)
    for K in [linear_kernel(X), polynomial_kernel(X, coef0=0.5), rbf_kernel(X, gamma=0.3)]:
        assert_allclose(K, K.T, rtol=1e-12)
        assert is_positive_semidefinite(K)
        c = np.random.default_rng(seed).normal(size=n)
        assert c @ K @ c >= -1e-9 * np.abs(K).max()


@pytest.mark.equation(
    "kernel-methods-sum", "kernel-methods-product", "kernel-methods-rescaled", "kernel-methods-series",
    "kernel-methods-exponential",
)  # fmt: skip
@quick
@given(seed=seeds, n=st.integers(2, 10))
def test_closure_rules(seed, n):
    rng = np.random.default_rng(seed)
    X, f = points(seed, n, 2), rng.normal(size=n)
    A, B = rbf_kernel(X), polynomial_kernel(X, degree=2)
    a, b, c = rng.random(3)
    for K in [a * A + b * B, A * B, np.outer(f, f) * A, a + b * B + c * B**3, np.exp(A), np.exp(linear_kernel(X))]:
        assert is_positive_semidefinite(K)


@quick
@given(seed=seeds, nu=st.sampled_from([0.5, 1.5, 2.5]), scale=st.sampled_from([1e-2, 1.0, 30.0]))
def test_kernels_of_points_and_of_texts_are_positive_semidefinite(seed, nu, scale):
    rng = np.random.default_rng(seed)
    assert is_positive_semidefinite(matern_kernel(points(seed), length_scale=scale, nu=nu))
    texts = ["".join(rng.choice(list("ab"), size=rng.integers(7))) for _ in range(6)] + ["abab"]
    assert is_positive_semidefinite(subsequence_kernel(texts))
    assert is_positive_semidefinite(spectrum_kernel(texts, length=2))


@quick
@given(seed=seeds, m=st.integers(1, 8))
def test_nystroem_never_overshoots_and_is_exact_on_its_landmarks(seed, m):
    X = points(seed, 12, 2)
    Phi = nystroem_features(X, X[:m], gamma=0.5)
    gap = rbf_kernel(X, gamma=0.5) - Phi @ Phi.T
    assert np.linalg.eigvalsh(gap)[0] > -1e-8  # inner products of what the projection leaves over
    assert_allclose(gap[:m], 0, atol=1e-6)


@pytest.mark.equation("kernel-methods-conditional-definite", "kernel-methods-double-centring")
@quick
@given(seed=seeds, p=st.floats(0.1, 2.0))
def test_minus_a_power_of_the_distance_is_a_kernel_after_centring(seed, p):
    # Schoenberg (1938): up to the square; and then exp(-distance^p) is a kernel
    powers = kernel_distance(points(seed, 10, 2), kernel="linear") ** p
    assert is_positive_semidefinite(center_kernel(-powers), tol=1e-9)
    assert is_positive_semidefinite(np.exp(-powers), tol=1e-9)
    assert not is_positive_semidefinite(-powers)
    assert not is_positive_semidefinite(center_kernel(-(kernel_distance([[0.0], [1], [2]], kernel="linear") ** 2.2)))


@pytest.mark.equation("kernel-methods-new-features", "kernel-methods-quadratic")
def test_features_of_a_sum_are_stacked_and_of_a_product_all_pairs():
    X, Y = points(6, 9, 2), points(7, 4, 2)
    both = lambda A: np.hstack([np.sqrt(2) * A, np.sqrt(3) * quadratic_features(A)])
    pairs = lambda A: (A[:, :, None] * quadratic_features(A)[:, None]).reshape(len(A), -1)
    quadratic = polynomial_kernel(X, Y, degree=2, gamma=1.0)
    assert_allclose(both(X) @ both(Y).T, 2 * linear_kernel(X, Y) + 3 * quadratic, rtol=1e-12)
    assert_allclose(pairs(X) @ pairs(Y).T, linear_kernel(X, Y) * quadratic, rtol=1e-11, atol=1e-12)
    assert (both(X).shape[1], pairs(X).shape[1]) == (2 + 6, 2 * 6)


@pytest.mark.equation("kernel-methods-psd")
def test_symmetric_is_not_enough():
    X = points(3, n=8)
    assert not is_positive_semidefinite(SQUARED(X, X))
    assert not is_positive_semidefinite(-linear_kernel(X))
    assert not is_positive_semidefinite(rbf_kernel(X, gamma=2.0) - rbf_kernel(X, gamma=0.1))
    assert not is_positive_semidefinite(sigmoid_kernel(points(0, n=30), gamma=1.0, coef0=-1.0))
    assert not is_positive_semidefinite([[0.0, 1.0], [1.0, 0.0]])
    assert not is_positive_semidefinite([[-1.0]])
    assert is_positive_semidefinite(np.zeros((2, 2)))
    assert is_positive_semidefinite([[0.25]])
    # one good set of rows proves nothing: tanh(2xz + 0.5) on {-1, 1} and on seven points
    f = {"gamma": 2.0, "coef0": 0.5}
    assert is_positive_semidefinite(sigmoid_kernel([[-1.0], [1.0]], **f))
    assert not is_positive_semidefinite(sigmoid_kernel(np.linspace(-2, 2, 7)[:, None], **f))


@pytest.mark.equation("kernel-methods-psd")
def test_tolerance_is_relative_to_the_largest_eigenvalue():
    for scale in (1e-6, 1.0, 1e6):
        K = scale * np.diag([1.0, -1e-6])
        assert not is_positive_semidefinite(K)
        assert is_positive_semidefinite(K, tol=1e-5)
        assert not is_positive_semidefinite(-K, tol=0.1)
        rounded = scale * np.array([[2.0, 1.0], [1.0 + 1e-9, 2.0]])  # symmetric up to rounding
        assert is_positive_semidefinite(rounded)
        with pytest.raises(ValueError, match="K must be symmetric"):
            is_positive_semidefinite(scale * np.array([[2.0, 1.0], [1.0 + 1e-6, 2.0]]))


@pytest.mark.equation("kernel-methods-rbf-product", "kernel-methods-rbf")
@quick
@given(seed=seeds, gamma=st.floats(0.01, 2.0))
def test_rbf_is_a_product_of_valid_kernels(seed, gamma):
    X, Y = points(seed, 5, 2), points(seed + 1, 4, 2)
    f = lambda A: np.exp(-gamma * (A**2).sum(axis=1))
    expected = f(X)[:, None] * np.exp(2 * gamma * linear_kernel(X, Y)) * f(Y)
    assert_allclose(rbf_kernel(X, Y, gamma=gamma), expected, rtol=1e-9)


@pytest.mark.equation("kernel-methods-polynomial", "kernel-methods-ordered")
@quick
@given(seed=seeds, d=st.integers(1, 3), degree=st.integers(1, 3))
def test_polynomial_kernel_counts_ordered_monomials(seed, d, degree):
    # (x'z + 1)^q is the inner product of all products of q entries of (1, x), order counted
    X, Y = points(seed, 3, d), points(seed + 1, 2, d)

    def phi(A):
        tilde = np.column_stack([np.ones(len(A)), A])
        return np.column_stack([tilde[:, list(j)].prod(axis=1) for j in itertools.product(range(d + 1), repeat=degree)])

    assert_allclose(polynomial_kernel(X, Y, degree=degree, gamma=1.0), phi(X) @ phi(Y).T, rtol=1e-9, atol=1e-10)


@pytest.mark.equation("kernel-methods-rbf")
@quick
@given(seed=seeds)
def test_rbf_sees_distances_only(seed):
    X = points(seed, 6, 3)
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    K = rbf_kernel(X, gamma=0.4)
    assert_allclose(rbf_kernel(X @ Q.T + [3, -5, 1e3], gamma=0.4), K, rtol=1e-8, atol=1e-12)
    assert_allclose(rbf_kernel(10 * X, gamma=0.004), K, rtol=1e-9)
    assert_array_equal(np.diag(K), np.ones(6))


@pytest.mark.equation("kernel-methods-distance", "kernel-methods-nearest")
@quick
@given(seed=seeds)
def test_distance_is_a_metric_and_rbf_keeps_the_neighbours(seed):
    X, Y = points(seed, 7, 2), points(seed + 1, 9, 2)
    assert_allclose(kernel_distance(X, Y, "linear"), np.sqrt(SQUARED(X, Y)), rtol=1e-8, atol=1e-9)
    D = kernel_distance(X, gamma=0.7)
    assert_allclose(D, D.T, rtol=1e-12)
    assert_allclose(np.diag(D), 0.0, atol=1e-12)
    assert (D[:, None, :] <= D[:, :, None] + D[None, :, :] + 1e-9).all()
    assert D.max() <= np.sqrt(2)
    near = kernel_neighbors(X, Y, 3, gamma=0.7)
    assert_array_equal(near.indices, SQUARED(X, Y).argsort(axis=1, kind="stable")[:, :3])
    assert_array_equal(near.indices[:, 0], rbf_kernel(X, Y, gamma=0.7).argmax(axis=1))  # the largest kernel value
    assert_allclose(near.distances**2, 2 - 2 * np.sort(rbf_kernel(X, Y, gamma=0.7), axis=1)[:, :-4:-1], rtol=1e-6)


def test_ties_go_to_the_lower_index():
    near = kernel_neighbors([[0.0]], [[1.0], [-1.0], [0.5], [1.0]], 4)
    assert_array_equal(near.indices, [[2, 0, 1, 3]])


@pytest.mark.equation("kernel-methods-step-size", "kernel-methods-loss", "kernel-methods-residual-recursion")
@quick
@given(seed=seeds, kernel=st.sampled_from(["rbf", "poly", "linear"]))
def test_default_step_never_raises_the_loss(seed, kernel):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(12, 2)), rng.normal(size=12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = KernelGradientDescent(kernel, max_iter=60, tol=0).fit(X, y)
    K = kernel_matrix(X, kernel=kernel)
    assert model.learning_rate_ * np.linalg.eigvalsh(K)[-1] <= 1 + 1e-12
    assert (np.diff(model.objective_) <= 1e-12).all()
    r, t = y, model.n_iter_  # residual after t steps: (I - eta K)^t y
    r = np.linalg.matrix_power(np.eye(12) - model.learning_rate_ * K, t) @ y
    assert_allclose(y - model.predict(X), r, rtol=1e-6, atol=1e-8)


@pytest.mark.equation("kernel-methods-step-size")
def test_steps_up_to_two_over_the_largest_eigenvalue():
    X, y = points(0, 10, 2), np.random.default_rng(1).normal(size=10)
    top = np.linalg.eigvalsh(rbf_kernel(X, gamma=1.0))[-1]
    model = KernelGradientDescent(gamma=1.0, learning_rate=1.99 / top, tol=1e-12, max_iter=50_000).fit(X, y)
    assert_allclose(model.predict(X), y, rtol=0, atol=1e-3)
    with pytest.warns(ConvergenceWarning, match="the loss grows, choose a learning_rate below"):
        long = KernelGradientDescent(gamma=1.0, learning_rate=2.05 / top, max_iter=50_000).fit(X, y)
    assert (np.diff(long.objective_) <= 0).all()  # what is kept is from before the loss grew
    assert_allclose(0.5 * ((y - long.predict(X)) ** 2).sum(), long.objective_[-1], rtol=1e-10)
    with pytest.warns(ConvergenceWarning, match="after 0 steps: the loss grows"):
        wild = KernelGradientDescent(gamma=1.0, learning_rate=1e300).fit(X, y)
    assert_array_equal(wild.dual_coef_, np.zeros(10))


@pytest.mark.equation("kernel-methods-residual-recursion")
def test_no_step_is_short_enough_for_a_negative_eigenvalue():
    X = points(0, 30)
    values, U = np.linalg.eigh(sigmoid_kernel(X, gamma=1.0, coef0=-1.0))
    assert values[0] < 0 < values[-1]
    for rate in (None, 1e-4):
        model = KernelGradientDescent("sigmoid", gamma=1.0, coef0=-1.0, learning_rate=rate)
        with pytest.warns(ConvergenceWarning) as caught:
            model.fit(X, U[:, 0])
        assert str(caught[-1].message) == "stopped after 0 steps: the loss grows, change the kernel."
        with pytest.warns(ConvergenceWarning) as caught:  # no part of y along a negative eigenvalue: the loss falls
            model.fit(X, U[:, -1])
        assert "loss grows" not in str(caught[-1].message)
        assert model.objective_[-1] < model.objective_[0]


def test_descent_ends_at_the_interpolant():
    X, y = points(2, 8, 2), np.random.default_rng(2).normal(size=8)
    model = KernelGradientDescent(gamma=5.0, max_iter=100_000, tol=1e-12).fit(X, y)
    assert_allclose(model.dual_coef_, np.linalg.solve(rbf_kernel(X, gamma=5.0), y), rtol=1e-4, atol=1e-4)
    assert model.n_iter_ < 100_000


def test_tol_stops_early():
    X, y = points(2, 8, 2), np.random.default_rng(2).normal(size=8)
    model = KernelGradientDescent(tol=0.05).fit(X, y)
    drops = -np.diff(model.objective_) / model.objective_[:-1]
    assert (drops[:-1] > 0.05).all()
    assert drops[-1] <= 0.05


@pytest.mark.equation("kernel-methods-mistake-bound")
@quick
@given(seed=seeds)
def test_mistakes_stay_below_the_bound_of_novikoff(seed):
    X = points(seed, 20, 2)
    y = np.where((X**2).sum(axis=1) > 1.4, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    K = rbf_kernel(X, gamma=2.0)
    beta = np.linalg.solve(K + 1e-8 * np.eye(20), y)  # any separating direction gives a bound
    margin = (y * (K @ beta)).min() / np.sqrt(beta @ K @ beta)
    model = KernelPerceptron(gamma=2.0, max_iter=100_000).fit(X, y)
    assert margin > 0
    assert model.mistakes_.sum() <= 1.0 / margin**2  # |phi(x)| = 1 for the RBF kernel
    assert_array_equal(model.predict(X), y)


def test_exclusive_or_needs_a_product():
    y = np.array([-1, 1, 1, -1])
    with pytest.warns(
        ConvergenceWarning, match="mistakes are left after 30 passes: increase max_iter, or change"
    ) as said:
        KernelPerceptron("poly", degree=1, max_iter=30).fit(XOR, y)
    assert said[0].filename == __file__  # the line that called fit
    assert_array_equal(KernelPerceptron("poly", degree=2).fit(XOR, y).predict(XOR), y)
    assert_array_equal(KernelPerceptron().fit(XOR, y).predict(XOR), y)


def test_precomputed_kernel_gives_the_same_models():
    X, t = make_moons(80, random_state=1)
    y, new = np.where(t == 1, 1.0, -1.0), points(0, 9, 2)
    K, K_new = rbf_kernel(X, gamma=3.0), rbf_kernel(new, X, gamma=3.0)
    a, b = KernelPerceptron(gamma=3.0).fit(X, t), KernelPerceptron("precomputed").fit(K, t)
    assert_array_equal(a.mistakes_, b.mistakes_)
    assert_allclose(a.decision_function(new), b.decision_function(K_new), rtol=1e-10, atol=1e-12)
    options = {"tol": 1e-3}
    a = KernelGradientDescent(gamma=3.0, **options).fit(X, y)
    b = KernelGradientDescent("precomputed", **options).fit(K, y)
    c = KernelGradientDescent(lambda A, B: rbf_kernel(A, B, gamma=3.0), **options).fit(X, y)
    assert_allclose(a.predict(new), b.predict(K_new), rtol=1e-10, atol=1e-12)
    assert_allclose(a.predict(new), c.predict(new), rtol=1e-10, atol=1e-12)
    scores = [cross_val_score(m, data, t, cv=4) for m, data in
              [(KernelPerceptron(gamma=3.0), X), (KernelPerceptron("precomputed"), K)]]  # fmt: skip
    assert_array_equal(*scores)  # columns are cut along with rows


@pytest.mark.parametrize(
    "model",
    [
        KernelPerceptron(),
        KernelPerceptron("linear"),
        KernelPerceptron("poly", degree=2),
        KernelGradientDescent(),
        KernelGradientDescent("poly", degree=2),
    ],
    ids=str,
)
def test_estimator_contract(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        check_estimator(model, on_skip=None)


def test_pipelines_searches_copies():
    X, y = make_moons(100, random_state=0)
    pipe = make_pipeline(StandardScaler(), KernelPerceptron())
    search = GridSearchCV(pipe, {"kernelperceptron__gamma": [0.5, 2.0]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.8
    for model in [KernelPerceptron(gamma=0.5), KernelGradientDescent(gamma=0.5, tol=1e-2)]:
        model.fit(X, y)
        assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
        assert clone(model).get_params() == model.get_params()
        with pytest.raises(NotFittedError):
            clone(model).predict(X)
    names = KernelPerceptron().fit(X, np.array(["ant", "bee"])[y]).predict(X)
    assert_array_equal(names, np.array(["ant", "bee"])[y])


def test_storage_of_the_data_does_not_matter():
    X = np.ascontiguousarray(points(0, 30, 3))
    wide = np.zeros((60, 6))
    wide[::2, ::2] = X
    for name in OURS:
        K = kernel_matrix(X, kernel=name)
        for other in (np.asfortranarray(X), wide[::2, ::2], X.tolist()):
            assert_allclose(kernel_matrix(other, kernel=name), K, rtol=1e-12, atol=1e-14)
        assert_allclose(kernel_matrix(X.astype(np.float32), kernel=name), K, rtol=1e-5, atol=1e-6)
    before = X.copy()
    KernelPerceptron().fit(X, np.arange(30) % 2)
    assert_array_equal(X, before)
    start, y = np.zeros(30), np.where(X[:, 0] > 0, 1.0, -1.0)
    perceptron_pass(rbf_kernel(X), y, start)
    gradient_step(rbf_kernel(X), y, start, 0.1)
    assert_array_equal(start, np.zeros(30))


# ----------------------------------------------------------------------------------------------------------- extremes


def test_matern_of_far_and_of_equal_points():
    far = matern_kernel([[0.0], [1e150]], length_scale=1e-150, nu=2.5)
    assert_array_equal(far, np.eye(2))
    assert_allclose(matern_kernel([[0.0], [1e-12]], nu=2.5), np.ones((2, 2)), rtol=1e-14)


def test_long_and_empty_texts():
    assert_array_equal(subsequence_kernel(["", "a"]), [[1, 1], [1, 2]])
    assert_array_equal(spectrum_kernel(["", "ab"], length=2), [[0, 0], [0, 1]])
    assert subsequence_kernel(["a" * 20])[0, 0] == comb(40, 20)  # choose equally many letters of both
    text = "ab" * 100
    assert_allclose(subsequence_kernel([text], [text[::-1]]), subsequence_kernel([text[::-1]], [text]), rtol=1e-12)


def test_repeated_landmarks_count_once():
    X = points(5, 6, 2)
    once, twice = nystroem_features(X, X[:2]), nystroem_features(X, X[[0, 1, 1, 0]])
    assert once.shape == twice.shape == (6, 2)
    assert_allclose(once @ once.T, twice @ twice.T, rtol=1e-9)


def test_a_tiny_length_divides_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_array_equal(matern_kernel([[0.0], [1.0]], length_scale=1e-320), np.eye(2))


def test_far_from_the_origin_and_far_apart():
    X = points(1, 10, 2)
    assert_allclose(rbf_kernel(X + 1e6), rbf_kernel(X), rtol=1e-8)
    assert_array_equal(rbf_kernel([[0.0], [1e6]]), np.eye(2))
    assert_array_equal(rbf_kernel([[0.0], [1e-200]], gamma=1e-300), np.ones((2, 2)))
    assert_array_equal(sigmoid_kernel([[1e5]], gamma=1.0), [[1.0]])


def test_duplicates_constant_columns_and_one_row():
    X = np.repeat(points(2, 4, 2), 3, axis=0)
    K = rbf_kernel(X)
    assert is_positive_semidefinite(K)
    assert np.linalg.matrix_rank(K) == 4
    assert_allclose(kernel_distance(X)[0, 1:3], 0.0, atol=3e-8)
    assert_allclose(rbf_kernel(np.column_stack([X, np.full(12, 7.0)]), gamma=0.5), rbf_kernel(X), rtol=1e-12)
    assert_array_equal(center_kernel([[3.0]]), [[0.0]])
    with pytest.warns(ConvergenceWarning, match="mistakes are left after 20 passes"):
        KernelPerceptron(max_iter=20).fit(X, np.arange(12) % 2)  # equal rows with different labels


def test_rows_in_several_blocks_of_the_diagonal():
    X = points(3, 150, 2)
    assert_allclose(kernel_diagonal(X, "linear"), (X**2).sum(axis=1), rtol=1e-12)
    assert_array_equal(kernel_diagonal(X), np.ones(150))
    assert_array_equal(kernel_diagonal(linear_kernel(X), "precomputed"), np.diag(linear_kernel(X)))


def test_nothing_to_learn():
    model = KernelGradientDescent().fit(points(0, 5, 2), np.zeros(5))
    assert model.n_iter_ == 1
    assert_array_equal(model.dual_coef_, np.zeros(5))
    flat = KernelGradientDescent("linear").fit(np.zeros((5, 2)), np.ones(5))  # no features, so no slope
    assert_array_equal(flat.predict(np.zeros((5, 2))), np.zeros(5))
    assert flat.learning_rate_ == 1.0


# ------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda X: linear_kernel([[np.nan]]), ValueError, "Input X contains NaN"),
        (lambda X: linear_kernel(X, [[np.inf, 0, 0]]), ValueError, "Input Y contains infinity"),
        (lambda X: linear_kernel([1.0, 2.0]), ValueError, "Expected 2D array"),
        (lambda X: linear_kernel(np.empty((0, 2))), ValueError, "Found array with 0 sample"),
        (lambda X: linear_kernel(X, X[:, :2]), ValueError, "X and Y must have the same number of columns, got 3 and 2"),
        (lambda X: linear_kernel(1e200 * X), ValueError, "X is too large: its kernel values overflow, rescale"),
        (lambda X: rbf_kernel(1e200 * X), ValueError, "X is too large"),
        (lambda X: polynomial_kernel(1e150 * X), ValueError, "X is too large"),
        (lambda X: sigmoid_kernel(1e200 * X), ValueError, "X is too large"),
        (lambda X: rbf_kernel(X, gamma=0), ValueError, "gamma must be positive, got 0: use None for 1 / number"),
        (lambda X: rbf_kernel(X, gamma=-1.0), ValueError, "gamma must be finite and at least 0, got -1"),
        (lambda X: polynomial_kernel(X, gamma=np.nan), ValueError, "gamma must be finite"),
        (lambda X: sigmoid_kernel(X, gamma="scale"), TypeError, "gamma must be a number, got 'scale'"),
        (lambda X: polynomial_kernel(X, degree=0), ValueError, "degree must be at least 1, got 0"),
        (lambda X: polynomial_kernel(X, degree=2.5), TypeError, "degree must be an integer, got 2.5"),
        (lambda X: polynomial_kernel(X, coef0=np.inf), ValueError, "coef0 must be finite"),
        (lambda X: sigmoid_kernel(X, coef0=None), TypeError, "coef0 must be a number, got None"),
        (lambda X: matern_kernel(X, nu=2.0), ValueError, "nu must be 0.5, 1.5 or 2.5, got 2.0: other orders"),
        (lambda X: matern_kernel(X, length_scale=0.0), ValueError, "length_scale must be positive, got 0"),
        (lambda X: matern_kernel(X, length_scale="a"), TypeError, "length_scale must be a number, got 'a'"),
        (lambda X: matern_kernel(1e200 * X), ValueError, "X is too large"),
        (lambda X: matern_kernel(X, X[:, :2]), ValueError, "the same number of columns, got 3 and 2"),
        (lambda X: spectrum_kernel("abc"), TypeError, 'S must be a sequence of texts, got \'abc\': write \\["abc"\\]'),
        (lambda X: spectrum_kernel(["abc"], [3]), TypeError, r"T must be a sequence of texts, got \[3\]"),
        (lambda X: spectrum_kernel([]), ValueError, "S must hold at least one text"),
        (lambda X: spectrum_kernel(["abc"], length=0), ValueError, "length must be at least 1, got 0"),
        (lambda X: spectrum_kernel(["abc"], length=1.5), TypeError, "length must be an integer, got 1.5"),
        (lambda X: subsequence_kernel(["abc"], []), ValueError, "T must hold at least one text"),
        (lambda X: subsequence_kernel("abc"), TypeError, "S must be a sequence of texts"),
        (lambda X: subsequence_kernel(["a" * 600]), ValueError, "S holds texts that are too long: the number of subs"),
        (lambda X: subsequence_table("abc", ["a"]), TypeError, r"t must be a text, got \['a'\]"),
        (lambda X: subsequence_table(None, "a"), TypeError, "s must be a text, got None"),
        (lambda X: nystroem_features(X, X[:4], SQUARED), ValueError, "not positive semi-definite, or 0, on the landm"),
        (lambda X: nystroem_features(X, 0 * X[:4], "linear"), ValueError, "or 0, on the landmarks: use another one"),
        (lambda X: nystroem_features(X, X[:4, :2]), ValueError, "the same number of columns, got 3 and 2"),
        (lambda X: nystroem_features(X, X[:4], gamma=-1.0), ValueError, "gamma must be finite and at least 0"),
        (lambda X: random_fourier_features(X, 0), ValueError, "n_components must be at least 1, got 0"),
        (lambda X: random_fourier_features(X, 9.5), TypeError, "n_components must be an integer, got 9.5"),
        (lambda X: random_fourier_features(X, 9, 0.0), ValueError, "gamma must be positive"),
        (lambda X: random_fourier_features([[np.nan]], 9), ValueError, "Input X contains NaN"),
        (lambda X: kernel_matrix(X, kernel="gauss"), ValueError, "kernel must be \"linear\", \"poly\".*got 'gauss'"),
        (lambda X: kernel_matrix(X, kernel=3), TypeError, "kernel must be a name or a callable, got 3"),
        (lambda X: kernel_matrix(X, X, "precomputed"), ValueError, "Y must be None with kernel=\"precomputed\""),
        (lambda X: kernel_matrix(X, kernel=lambda a, b: float(a[0] @ b[0])), ValueError,
         r"kernel must turn matrices of 20 and 20 rows.*got shape \(\): a callable takes two matrices, not two rows"),
        (lambda X: kernel_matrix(X, kernel=lambda a, b: a @ b[1:].T), ValueError, r"got shape \(20, 19\)"),
        (lambda X: kernel_matrix(X, kernel=lambda a, b: np.nan * a @ b.T), ValueError, "kernel returns NaN or inf"),
        (lambda X: kernel_diagonal(X, "precomputed"), ValueError, r"X must be a square matrix, got shape \(20, 3\)"),
        (lambda X: is_positive_semidefinite(X), ValueError, r"K must be a square matrix, got shape \(20, 3\)"),
        (lambda X: is_positive_semidefinite([[1, 2], [3, 4]]), ValueError, "K must be symmetric: average it with its"),
        (lambda X: is_positive_semidefinite([[np.nan]]), ValueError, "K must be finite, it holds NaN"),
        (lambda X: is_positive_semidefinite([[1.0]], tol=-1), ValueError, "tol must be finite and at least 0"),
        (lambda X: center_kernel(X), ValueError, "K must be a square matrix"),
        (lambda X: center_kernel(np.ones((2, 3)), np.ones((2, 2))), ValueError,
         r"K must have a column for each of the 2 rows of K_train, got shape \(2, 3\)"),
        (lambda X: center_kernel(np.ones((2, 2)), [[1, 2], [3, 4]]), ValueError, "K_train must be symmetric"),
        (lambda X: kernel_distance(X, kernel=SQUARED), ValueError,
         "kernel is not positive semi-definite: a squared distance is -"),
        (lambda X: kernel_distance(X, kernel="sigmoid", gamma=1.0, coef0=-1.0), ValueError, "not positive semi-def"),
        (lambda X: kernel_neighbors(X, X, 21), ValueError, "n_neighbors=21 must be at most 20, the number of rows"),
        (lambda X: kernel_neighbors(X, X, 0), ValueError, "n_neighbors must be at least 1"),
        (lambda X: kernel_neighbors(X, X, 1.5), TypeError, "n_neighbors must be an integer"),
        (lambda X: gradient_step(X, X[:, 0], X[:, 1], 0.1), ValueError,
         r"K must have a row and a column for each entry of y, got shapes \(20, 3\) and \(20,\)"),
        (lambda X: gradient_step(X @ X.T, X[:, :1], X[:, 1], 0.1), ValueError, r"got shapes \(20, 20\) and \(20, 1\)"),
        (lambda X: gradient_step(X @ X.T, X[:, 0], X[:5, 1], 0.1), ValueError, r"beta must have shape \(20,\).*\(5,\)"),
        (lambda X: perceptron_pass(X @ X.T, np.ones(20), 0.0), ValueError, r"alpha must have shape \(20,\).*got \(\)"),
        (lambda X: perceptron_pass(X @ X.T, np.arange(20) % 2, np.zeros(20)), ValueError,
         "y must hold the labels -1 and 1 only, got 0: code the classes so"),
        (lambda X: gradient_step(X @ X.T, X[:, 0], X[:, 1], 0.0), ValueError, "learning_rate must be positive, got 0"),
        (lambda X: gradient_step(X @ X.T, X[:, 0], X[:, 1], 0.1, [0, 0]), ValueError, "rows must hold each row"),
        (lambda X: gradient_step(X @ X.T, X[:, 0], X[:, 1], 0.1, [-1, 19]), ValueError, "rows must hold row numbers"),
        (lambda X: gradient_step(X @ X.T, X[:, 0], X[:, 1], 0.1, [20]), ValueError, "rows must hold row numbers"),
        (lambda X: gradient_step(X @ X.T, X[:, 0], X[:, 1], 0.1, 3), ValueError, "rows must be a list of row"),
        (lambda X: gradient_step(X @ X.T, X[:, 0], X[:, 1], 0.1, [1.0]), ValueError, "rows must be a list of row"),
        (lambda X: gradient_step(np.nan * X @ X.T, X[:, 0], X[:, 1], 0.1), ValueError, "K must be finite"),
        (lambda X: gradient_step(X @ X.T, np.nan * X[:, 0], X[:, 1], 0.1, [3]), ValueError, "y must be finite"),
        (lambda X: perceptron_pass(np.nan * X @ X.T, np.ones(20), np.zeros(20)), ValueError, "K must be finite"),
        (lambda X: perceptron_pass(X @ X.T, np.ones(20), np.full(20, np.nan)), ValueError, "alpha must be finite"),
        (lambda X: perceptron_pass(X @ X.T, np.ones(20), np.full(20, -1)), ValueError, "alpha must hold counts, whole"),
        (lambda X: perceptron_pass(X @ X.T, np.ones(20), np.full(20, 0.5)), ValueError, "alpha must hold counts.*0.5"),
        (lambda X: kernel_distance([[1e154]], [[1.3e154]], "linear"), ValueError, "X is too large: its kernel values"),
        (lambda X: random_fourier_features(1e300 * X, 9, 1e300), ValueError, "X is too large"),
        (lambda X: matern_kernel(X, nu=np.array([1.5])), TypeError, "nu must be a number"),
        (lambda X: spectrum_kernel(text for text in ["abc"]), TypeError, "S must be a sequence of texts"),
        (lambda X: subsequence_kernel(None), TypeError, "S must be a sequence of texts, got None"),
        (lambda X: nystroem_features(X, X[:4], lambda A, B: A @ B.T + B[:, 0]), ValueError, "kernel.*be symmetric"),
        (lambda X: is_positive_semidefinite(np.empty((0, 0))), ValueError, "K must have at least one row"),
        (lambda X: KernelGradientDescent().fit(X, 1e-200 * X[:, 0]), ValueError, "y is too small: its square"),
        (lambda X: KernelPerceptron().fit(X, np.ones(20)), ValueError, "y must hold at least two classes, got 1 class"),
        (lambda X: KernelPerceptron().fit(X, X[:, 0]), ValueError, "Unknown label type"),
        (lambda X: KernelPerceptron(max_iter=0).fit(X, np.arange(20) % 2), ValueError, "max_iter must be at least 1"),
        (lambda X: KernelPerceptron("precomputed").fit(X, np.arange(20) % 2), ValueError,
         r"X must be a square matrix, got shape \(20, 3\)"),
        (lambda X: KernelPerceptron("precomputed").fit(np.triu(X @ X.T), np.arange(20) % 2), ValueError,
         "X must be symmetric"),
        (lambda X: KernelPerceptron("precomputed").fit(SQUARED(X, X), np.arange(20) % 2), ValueError,
         "kernel='precomputed' is not positive semi-definite on these rows: use a valid kernel, or add a positive"),
        (lambda X: KernelGradientDescent(SQUARED).fit(X, X[:, 0]), ValueError, "is not positive semi-definite on"),
        (lambda X: KernelGradientDescent(gamma=0).fit(X, X[:, 0]), ValueError, "gamma must be positive"),
        (lambda X: KernelGradientDescent(max_iter=1.0).fit(X, X[:, 0]), TypeError, "max_iter must be an integer"),
        (lambda X: KernelGradientDescent(tol=-1).fit(X, X[:, 0]), ValueError, "tol must be finite and at least 0"),
        (lambda X: KernelGradientDescent(learning_rate=0).fit(X, X[:, 0]), ValueError, "learning_rate must be pos"),
        (lambda X: KernelGradientDescent().fit(X, 1e200 * X[:, 0]), ValueError, "y is too large: its square"),
        (lambda X: KernelGradientDescent(tol=0.1).fit(X, X[:, 0]).predict(X[:, :2]), ValueError, "X has 2 features"),
    ],
)  # fmt: skip
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call(points(0))


@pytest.mark.parametrize(
    "options", [{"kernel": "sigmoid", "gamma": 1.0, "coef0": -1.0}, {"kernel": "poly", "coef0": -1.0, "degree": 2}]
)
def test_a_named_kernel_that_is_not_positive_semidefinite_warns(options):
    X, y = points(0, 30), np.arange(30) % 2
    for model in [KernelPerceptron(max_iter=2, **options), KernelGradientDescent(**options)]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.fit(X, y)
        assert caught[0].category is ConvergenceWarning
        found = str(caught[0].message)
        assert found.startswith(
            f"kernel={options['kernel']!r} is not positive semi-definite on these rows: change coef0"
        )
        assert caught[0].filename == __file__


def test_of_many_equally_near_rows_the_first_are_chosen():
    Y = np.where(np.arange(300) % 3, 1.0, 2.0)[:, None]  # two distances, often repeated: an unstable sort mixes them
    near, far = np.flatnonzero(Y == 1), np.flatnonzero(Y == 2)
    assert_array_equal(kernel_neighbors([[0.0]], Y, 300, "linear").indices, [np.concatenate([near, far])])


def test_a_score_of_zero_is_the_negative_class():
    model = KernelPerceptron(kernel="linear").fit([[-1.0], [1.0]], ["no", "yes"])
    assert model.decision_function([[0.0]]) == 0
    assert model.predict([[0.0]]) == "no"


def test_a_negative_squared_distance_beyond_rounding_is_refused():
    slightly_wrong = lambda A, B: A @ B.T + 1e-5 * (A[:, :1] != B[:, 0])  # k(x, z) too large by more than rounding
    with pytest.raises(ValueError, match="not positive semi-definite"):
        kernel_distance([[1.0], [1.001]], None, slightly_wrong)

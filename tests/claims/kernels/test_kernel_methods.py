"""The quiz of the chapter *Kernel methods*, decided: see ``tests/claims/deciding.py``."""

from math import comb

import numpy as np

from notes_lib.kernels.kernel_methods import (
    center_kernel,
    is_positive_semidefinite,
    kernel_neighbors,
    linear_kernel,
    perceptron_pass,
    polynomial_kernel,
    rbf_kernel,
)
from tests.claims.deciding import Numbers, decided

CLOUDS = [np.random.default_rng(seed).normal(size=(7, 2)) * scale for seed in range(5) for scale in (0.3, 1, 2)]


def _is_kernel(function):
    """Whether a function has a positive semi-definite matrix on every cloud."""
    return all(is_positive_semidefinite(function(X)) for X in CLOUDS)


def _distances(X):
    """Squared distances of all pairs."""
    return ((X[:, None] - X) ** 2).sum(axis=2)


def quiz_valid():
    r"""Which of these is a kernel on $\mathbb{R}^D$?"""
    return {
        r"$\lVert\mathbf{x} - \mathbf{z}\rVert$": _is_kernel(lambda X: np.sqrt(_distances(X))),
        r"$(\mathbf{x}^\top\mathbf{z})^2 + <more>$": lambda more: _is_kernel(lambda X: (X @ X.T) ** 2 + more),
        r"$\tanh(\mathbf{x}^\top\mathbf{z} - <less>)$": lambda less: _is_kernel(lambda X: np.tanh(X @ X.T - less)),
        r"$(\mathbf{x}^\top\mathbf{z})^2 - <less>$": lambda less: _is_kernel(lambda X: (X @ X.T) ** 2 - less),
    }


def quiz_minor(first, second):
    r"""What shows that $\mathbf{K}$ with rows $<first>$ and $<second>$ is not a kernel matrix?"""
    K = np.array([first, second])
    proves = lambda said, value: bool(np.isclose(said, value) and value < 0)
    return {
        "its trace, <value>": lambda value: proves(value, np.trace(K)),
        "that it has no zero entry": not is_positive_semidefinite(np.ones((2, 2))),
        "its determinant, $<value>$": lambda value: proves(value, np.linalg.det(K)),
        "nothing, it is symmetric": is_positive_semidefinite(K),
    }


def quiz_cost(N, D, degree):
    """$N = <N>$ instances, $D = <D>$ attributes, degree <degree>. One batch step costs about"""
    Q = comb(int(D) + int(degree), int(degree))
    kernel, features = N**2, N * Q
    right = r"$N^2 = 250\,000$ operations with the kernel, $N \binom{53}{3}$, nearly <said> million, with features"
    return {
        "$D$ operations with the kernel": kernel == D,
        "the same for both": kernel == features,
        "$Q^2$ operations with features": features == Q**2,
        right: lambda said: kernel == 250_000 and comb(53, 3) == Q and said - 0.5 < features / 1e6 < said,
    }


def quiz_rbf():
    """Which statements about the RBF kernel are right?"""
    X = np.vstack(CLOUDS)
    K, D = rbf_kernel(X, gamma=0.5), _distances(X)
    new = X[:9] + 0.05
    nearest = np.argmin(((new[:, None] - X) ** 2).sum(axis=2), axis=1)
    found = kernel_neighbors(new, X, 1, "rbf", gamma=0.5).indices[:, 0]
    few = np.linspace(0, 1, 5)[:, None]  # the features of n different points are independent, for every n
    ranks = [np.linalg.matrix_rank(rbf_kernel(few[:n], gamma=5)) == n for n in range(1, 6)]
    half = lambda gamma: np.sqrt(D[rbf_kernel(X, gamma=gamma) > 0.5].max())
    return {
        "It is negative for distant points": bool((K[D > 4] < 0).any()),
        "1-NN in its feature space is Euclidean 1-NN": np.array_equal(found, nearest),
        "Its feature vectors have infinitely many entries and length 1": all(ranks) and np.allclose(np.diag(K), 1),
        r"A smaller $\gamma$ makes it narrower": half(0.1) < half(1.0),
    }


def quiz_features(a, b):
    r"""$\boldsymbol{\phi}$ has <a> features, $\boldsymbol{\psi}$ has <b>. How many have the sum and the product of
    their kernels?"""
    rng = np.random.default_rng(0)
    phi, psi = rng.normal(size=(40, int(a))), rng.normal(size=(40, int(b)))
    added, product = (np.linalg.matrix_rank(K) for K in (phi @ phi.T + psi @ psi.T, (phi @ phi.T) * (psi @ psi.T)))
    return Numbers([added, product], [[a, product], [added, added], [product, added]])


def _some(X):
    """Some kernel matrices of a cloud."""
    return [linear_kernel(X), polynomial_kernel(X, degree=3), rbf_kernel(X, gamma=0.7)]


def tf_difference():
    """If $k_1$ and $k_2$ are kernels, so is $k_1 - k_2$ whenever it is positive."""
    pairs = [(2 * np.ones((3, 3)), np.eye(3)), (3 * np.eye(2) + 2, np.ones((2, 2)))]
    assert all((a - b > 0).all() for a, b in pairs)
    assert is_positive_semidefinite(np.subtract(*pairs[1]))
    return all(is_positive_semidefinite(a - b) for a, b in pairs)


def tf_representer():
    """The representer theorem holds for non-convex losses too."""
    rng = np.random.default_rng(0)
    X, y, W = rng.normal(size=(3, 6)), np.array([1, -1, 1]), rng.normal(size=(200, 6))
    objective = lambda w: float(np.sum(1 - np.tanh(y * (X @ w))) + 0.1 * w @ w)
    into_span = np.linalg.pinv(X) @ X
    return all(objective(into_span @ w) <= objective(w) for w in W)


def tf_mistakes():
    """The number of mistakes of the kernel perceptron can be bounded although $Q$ is infinite."""
    X = np.vstack([CLOUDS[1], CLOUDS[1] + 4])
    y = np.repeat([1.0, -1.0], 7)
    K, alpha, wrong = rbf_kernel(X, gamma=0.5), np.zeros(14), np.ones(1)
    while len(wrong):
        alpha, wrong = perceptron_pass(K, y, alpha)
    coefficients = alpha * y
    margin = (y * (K @ coefficients)).min() / np.sqrt(coefficients @ K @ coefficients)
    return np.linalg.matrix_rank(K) == len(X) and alpha.sum() <= np.diag(K).max() / margin**2


def tf_one_set():
    """A positive semi-definite kernel matrix of your training set proves that the function is a kernel."""
    function = lambda X: np.tanh(X @ X.T - 1)
    training = np.array([[2.0, 0.0], [0.0, 2.0]])
    matrices = [function(training), *(function(X) for X in CLOUDS)]
    assert is_positive_semidefinite(matrices[0])
    return all(is_positive_semidefinite(K) for K in matrices)


def tf_conditional():
    r"""$-\lVert\mathbf{x} - \mathbf{z}\rVert^2$ becomes a kernel when it is centred."""
    before = [-_distances(X) for X in CLOUDS]
    assert not any(is_positive_semidefinite(K) for K in before)
    return all(is_positive_semidefinite(center_kernel(K)) for K in before)


def tf_unique():
    """A feature map determines its kernel, and a kernel its feature map."""
    phi = CLOUDS[1]
    turned = phi @ np.array([[0.6, -0.8], [0.8, 0.6]])
    assert np.allclose(linear_kernel(phi), linear_kernel(turned))
    return np.allclose(phi, turned)


test_claim = decided("kernels/kernel_methods", globals())

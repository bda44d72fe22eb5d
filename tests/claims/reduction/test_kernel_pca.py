"""The quiz of the chapter *Kernel PCA*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.kernels.kernel_methods import center_kernel, rbf_kernel
from notes_lib.reduction.kernel_pca import (
    KernelPCA,
    leading_eigenpairs,
    normalized_coefficients,
    preimage_weights,
    rbf_preimages,
)
from tests.claims.deciding import Numbers, decided


def _points(n, seed=0):
    """Points of the plane, far from its origin."""
    return np.random.default_rng(seed).normal(size=(n, 2)) + 3.0


def _alpha(model):
    """Coefficients of a fitted model."""
    return normalized_coefficients(model.eigenvalues_, model.eigenvectors_)


def quiz_length(eigenvalue):
    r"""An eigenvalue of $\tilde{\mathbf{K}}$ is <eigenvalue>. The squared length of the coefficients of its component
    is"""
    X = _points(8)
    scale = eigenvalue / KernelPCA(1, kernel="rbf").fit(X).eigenvalues_[0]
    model = KernelPCA(1, kernel=lambda A, B: scale * rbf_kernel(A, B)).fit(X)
    assert np.isclose(model.eigenvalues_[0], eigenvalue)
    square = (_alpha(model) ** 2).sum()
    return Numbers(square, [(model.eigenvectors_**2).sum(), np.sqrt(square), eigenvalue])


def quiz_count(n):
    """<n> different points in the plane and an RBF kernel. How many components are there at most?"""
    count = [len(KernelPCA(kernel=name, gamma=20.0).fit(_points(int(n))).eigenvalues_) for name in ("rbf", "linear")]
    return Numbers(count[0], [n, count[1], count[0] - 1])


def quiz_constant(constant):
    r"""Every entry of $\mathbf{K}$ grows by <constant>. What changes?"""
    X, new = _points(9), _points(4, seed=1)
    K, k_new = rbf_kernel(X), rbf_kernel(new, X)
    before, after = (KernelPCA(3, kernel="precomputed").fit(K + c) for c in (0.0, constant))
    moved = after.eigenvalues_ - before.eigenvalues_
    shift = after.transform(k_new + constant) - before.transform(k_new)
    return {
        "nothing in eigenvalues and scores": np.allclose(moved, 0) and np.allclose(shift, 0),
        "every eigenvalue grows by <constant>": lambda constant: np.allclose(moved, constant),
        "only the first eigenvalue grows": moved[0] > 1e-6,
        "the scores of new points shift": not np.allclose(shift, 0),
    }


def quiz_new():
    """Which are true of the score of a new point? (Mark all.)"""
    X, new = _points(9), _points(4, seed=1)
    model = KernelPCA(3, kernel="rbf").fit(X)
    K, k_new, alpha, scores = rbf_kernel(X), rbf_kernel(new, X), _alpha(model), model.transform(new)
    shift = k_new @ alpha - scores
    return {
        "the means of the training matrix centre it": np.allclose(center_kernel(k_new, K) @ alpha, scores)
        and not np.allclose((k_new - k_new.mean(axis=0)) @ alpha, scores),
        "without the means of the training columns all scores of a component shift by the same number": np.allclose(
            shift, shift[0]
        )
        and (np.abs(shift[0]) > 1e-3).all(),
        "it needs the eigenvectors of a larger matrix": not np.allclose((k_new - K.mean(axis=0)) @ alpha, scores),
        "far from all training points it is <value> for an RBF kernel": lambda value: np.allclose(
            model.transform([[1e3, 1e3]]), value
        ),
    }


def tf_linear():
    """With the linear kernel, kernel PCA gives the scores of PCA, up to signs."""
    X = _points(12)
    U, s, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    return np.allclose(np.abs(KernelPCA(2).fit_transform(X)), np.abs(U * s))


def tf_uncentred():
    """The first eigenvector of the kernel matrix before centring belongs to the direction of largest variance."""
    X = _points(30)
    X[:, 0] = 3.0 + 4.0 * (X[:, 0] - 3.0)  # varies along the first axis, and the mean lies elsewhere
    X[:, 1] += 20.0
    raw, centred = (X.T @ leading_eigenpairs(M, 1).eigenvectors[:, 0] for M in (X @ X.T, center_kernel(X @ X.T)))
    along = lambda u, v: abs(u @ v) / np.linalg.norm(u) / np.linalg.norm(v)
    widest = np.linalg.svd(X - X.mean(axis=0))[2][0]
    assert along((X - X.mean(axis=0)).T @ np.linalg.eigh(center_kernel(X @ X.T))[1][:, -1], widest) > 0.999
    assert along(raw, X.mean(axis=0)) > 0.99
    assert along(centred, widest) > 0.999
    return along(raw, widest) > 0.9


def tf_preimage():
    """Every projection on components has a pre-image."""
    X = _points(10)
    model = KernelPCA(2, kernel="rbf", gamma=0.5)
    weights = preimage_weights(model.fit_transform(X), _alpha(model))
    found = rbf_preimages(X, weights, 0.5, X, max_iter=5000, tol=1e-10).points
    K = rbf_kernel(X, gamma=0.5)
    far = 1.0 - 2.0 * (weights * rbf_kernel(found, X, 0.5)).sum(axis=1) + np.einsum("mi,ij,mj->m", weights, K, weights)
    full = KernelPCA(kernel="rbf", gamma=0.5)
    all_kept = preimage_weights(full.fit_transform(X), _alpha(full))
    assert np.allclose(all_kept, np.eye(10), atol=1e-6)  # nothing is projected away: the point itself
    return (far < 1e-3).all()


def tf_twice():
    """If every training row is there twice, the scores stay as they are, up to signs."""
    X = _points(9)
    one, two = (KernelPCA(3, kernel="rbf").fit(A) for A in (X, np.vstack([X, X])))
    return np.allclose(np.abs(one.transform(X)), np.abs(two.transform(X)))


def tf_uncorrelated():
    """On the training points the scores of two components are uncorrelated."""
    scores = KernelPCA(3, kernel="rbf").fit_transform(_points(15))
    return np.allclose(np.corrcoef(scores.T), np.eye(3))


test_claim = decided("reduction/kernel_pca", globals())

"""Kernel PCA: explicit features of a quadratic kernel by covariance and SVD, against kernel values and the library."""

import numpy as np
from scipy.sparse import csgraph
from scipy.spatial.distance import cdist

from notes_lib.kernels.kernel_methods import center_kernel, polynomial_kernel, rbf_kernel
from notes_lib.numerics import squared_distances
from notes_lib.reduction.kernel_pca import (
    KernelPCA,
    normalized_coefficients,
    preimage_weights,
    rbf_preimages,
    reconstruction_error,
)
from tests.formulas.values import At, Instance

N, Q = 7, 2
UNREAD = {"kernel-pca-small-gamma": "a limit at 0, of a matrix; the chapter compares both sides at a small gamma"}
LEAST = (96, 100)


def features(X):
    """Features of the kernel (x'z + 1)^2 of the plane, a row each."""
    a, b = np.atleast_2d(X).T
    r = np.sqrt(2.0)
    return np.column_stack([np.ones_like(a), r * a, r * b, a**2, b**2, r * a * b])


def cleaned(rng):
    """A point whose RBF features come closest to a sum with given weights."""
    X = rng.normal(size=(N, 2))
    w = rng.dirichlet(np.ones(N))
    z = rbf_preimages(X, w[None, :], 0.3, X[:1], max_iter=5000, tol=1e-13).points[0]
    return {
        r"\mathbf{z}": z, r"\mathbf{x}_#": X, "w_#": [At(lambda x, v=v: v) for v in w],
        "k": At(lambda a, b: float(np.exp(-0.3 * np.sum((a - b) ** 2)))),
    }  # fmt: skip


def circle(m=N):
    """Points on a circle: kernel values, and all eigenvalues by Fourier's transform."""
    turn = 2 * np.pi * np.arange(m) / m
    K = rbf_kernel(np.column_stack([np.cos(turn), np.sin(turn)]), gamma=0.8)
    return {"r": range(1, m), r"\lambda_#": np.fft.fft(K[0]).real[1:], "K_{##}": K}


def graph(rng):
    """A graph with its degrees, and the matrix of the normalised cut by SciPy's Laplacian."""
    W = np.triu(rng.uniform(0.2, 2, size=(N, N)), 1)
    W = W + W.T
    d = W.sum(axis=0)
    L = csgraph.laplacian(W, normed=True)
    trivial = np.outer(np.sqrt(d), np.sqrt(d)) / d.sum()
    both = np.eye(N) - L - trivial
    values = {
        r"\mathbf{W}": W, r"\mathbf{D}^{1/2}": np.diag(np.sqrt(d)), r"\mathbf{D}^{-1/2}": np.diag(1 / np.sqrt(d)),
        r"\mathbf{D}^{-1}": np.diag(1 / d), "V": W.sum(),
    }  # fmt: skip
    return values, both


def instance(seed):
    """N = 7 points of the plane, two of five components kept; directions by the SVD of explicit features."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, 2))
    F = features(X)
    mean = F.mean(axis=0)
    off = F - mean
    s, U = np.linalg.svd(off, full_matrices=False)[1:]
    model = KernelPCA(5, kernel="poly", degree=2, gamma=1.0).fit(X)
    U = U[:5] * np.sign(((off @ U[:5].T) * model.eigenvectors_).sum(axis=0))[:, None]
    V, values = model.eigenvectors_, s[:5] ** 2
    alpha = normalized_coefficients(model.eigenvalues_, V)
    K = polynomial_kernel(X, degree=2, gamma=1.0)
    kernel = lambda a, b: float(features(a)[0] @ features(b)[0])
    k_new = lambda x: polynomial_kernel(np.atleast_2d(x), X, degree=2, gamma=1.0)
    score = lambda x: model.transform(np.atleast_2d(x))[0]
    first = lambda x, A=alpha[:, :Q]: reconstruction_error(k_new(x), K, [kernel(x, x)], A)[0]
    weights = lambda x: preimage_weights(score(x)[None, :Q], alpha[:, :Q])[0]
    projection = lambda x: mean + (features(x)[0] - mean) @ U[:Q].T @ U[:Q]
    basis = np.linalg.qr(rng.normal(size=(N, 3)))[0]
    own = {
        r"\tilde{\mathbf{K}}": off @ off.T, r"\boldsymbol\alpha": alpha[:, 0], r"\alpha_#": alpha[:, 0],
        r"\lambda": values[0], r"\mathbf{u}": U[0],
    }  # fmt: skip
    x = rng.normal(size=2)
    numbers = {
        "n": range(1, N + 1), "m": range(1, N + 1), "j": range(1, 6), "N": N, "q": Q, r"\mathbf{x}": x,
        r"\mathbf{x}_#": X, "k": At(kernel), r"\boldsymbol\phi": At(lambda x: features(x)[0]),
        r"\bar{\boldsymbol\phi}": mean, r"\tilde{\boldsymbol\phi}_#": off, r"\mathbf{C}": np.cov(F.T, ddof=0), **own,
        r"\mathbf{u}_#": U, r"\mathbf{K}": K, "K_{##}": K, r"\tilde K_{##}": off @ off.T,
        r"\bar k_#": K.sum(axis=1) / N, r"\bar k": K.sum() / N**2, r"\lambda_#": values, r"\mathbf{v}_#": V.T,
        "v_{##}": V, r"\boldsymbol\alpha_#": alpha.T, r"\alpha_{##}": alpha, "t_{##}": off @ U.T,
        "t_#": [At(lambda x, j=j: score(x)[j]) for j in range(5)],
        r"\tilde k_#": [At(lambda x, n=n: center_kernel(k_new(x), K)[0, n]) for n in range(N)],
        r"\mathbf{I}": np.eye(N), r"\mathbf{1}": np.ones(N), r"\mathbf{H}": center_kernel(np.eye(N)),
        "s": At(lambda x: float(((features(x)[0] - mean) ** 2).sum())), "e": At(first), r"\mathbf{X}": X,
        r"\mathbf{p}": At(projection), "w_#": [At(lambda x, n=n: weights(x)[n]) for n in range(N)],
        r"\boldsymbol\Delta": cdist(F, F, "sqeuclidean"), r"\Delta_{##}": squared_distances(F, F),
        r"\mathbf{Q}": basis, r"\mathbf{T}": np.einsum("ni,nm,mj->ij", basis, off @ off.T, basis),
    }  # fmt: skip
    network, both = graph(rng)
    kept = {"j": range(1, Q + 1)}
    special = {
        "kernel-pca-fixed-point": cleaned(rng), "kernel-pca-circulant": circle(), "kernel-pca-spectral": network,
        "kernel-pca-projection": kept, "kernel-pca-weights": kept,
    }  # fmt: skip
    return Instance(
        numbers,
        special,
        worth={"kernel-pca-spectral": {0: both, 1: both}, "kernel-pca-must-know-problem:4": values[0] / N},
    )

"""Principal components: nine rows of four features, their axes by NumPy, the library's estimates, two small classes."""

import numpy as np
from scipy.stats import multivariate_normal

from notes_lib.reduction.pca import (
    PCA,
    autocorrelation,
    held_out_errors,
    karhunen_loeve,
    mean_and_covariance,
    principal_axes,
    probabilistic_pca,
)
from tests.formulas.values import At, Instance

N, D, K = 9, 4, 2
U, Z = r"\mathbf{u}", r"\tilde{\mathbf{X}}"
LEAST = 100, 100


def other_directions(rng):
    """Any orthonormal directions, and how much of each axis lies in their plane."""
    return np.linalg.qr(rng.normal(size=(D, K)))[0].T


def classes(rng):
    """Rows of two classes with other priors than their shares; expectations by class, and what an expansion loses."""
    X, y, P = rng.normal(size=(11, D)) + 1, np.repeat([0, 1], [4, 7]), rng.dirichlet([3, 3])
    axes = karhunen_loeve(X, None, y, P)
    parts = [X[y == c].T @ X[y == c] / np.sum(y == c) for c in (0, 1)]
    Q, _, _ = np.linalg.svd(sum(p * part for p, part in zip(P, parts, strict=True)))
    gone = X - X @ Q[:, :K] @ Q[:, :K].T
    lost = sum(p * np.mean(np.sum(gone[y == c] ** 2, axis=1)) for c, p in enumerate(P))
    return {
        "c": range(1, 3), "C": 2, "P_#": P, r"\mathbf{R}": autocorrelation(X, y, P), r"\rho_#": axes.eigenvalues,
        r"\operatorname{E}_#[\mathbf{x}\mathbf{x}^\top]": lambda c: parts[c - 1],
        r"\operatorname{E}\lVert\mathbf{x}-\hat{\mathbf{x}}\rVert^2": lost, "i": range(1, D + 1),
    }  # fmt: skip


def instance(seed):
    """Axes from singular values by NumPy where the library takes eigenvectors, and the other way round."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, D)) @ rng.normal(size=(D, D)) + rng.normal(size=D)
    mean, S = mean_and_covariance(X, ddof=0)
    A, _, V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    values = principal_axes(S).eigenvalues
    scores = (X - X.mean(axis=0)) @ V.T
    model = PCA(K).fit(X)
    sides = np.sign((PCA().fit(X).components_ * V).sum(axis=1))
    white = PCA(whiten=True).fit_transform(X) * sides * np.sqrt(N / (N - 1))
    fit = probabilistic_pca(X, K)
    signs = np.sign((fit.W.T * V[:K]).sum(axis=1))
    unit = rng.normal(size=D)
    unit /= np.linalg.norm(unit)
    C = model.get_covariance() * (N - 1) / N
    values_of = {
        "n": range(1, N + 1), "i": range(1, D + 1), "j": range(1, D + 1), "N": N, "D": D, "K": K, r"\mathbf{x}_#": X,
        r"\bar{\mathbf{x}}": mean, r"\mathbf{S}": S, U: unit, "z_#": (X - X.mean(axis=0)) @ unit,
        r"\mathbf{u}_#": V,
        r"\lambda_#": values, "z_{##}": scores, r"\hat{\mathbf{x}}_#": model.inverse_transform(model.transform(X)),
        "E_K": held_out_errors(X, X).mean(axis=0)[K], "r_K": PCA().fit(X).explained_variance_ratio_[:K].sum(),
        "s_#": PCA().fit(X).singular_values_, Z: X - X.mean(axis=0), r"\mathbf{a}_#": A.T, "a_{##}": A.T,
        r"\bar{\mathbf{x}}\bar{\mathbf{x}}^\top": np.outer(mean, mean), "w_{##}": white,
        r"\mathbf{C}": C, r"\mathbf{W}": fit.W, r"\sigma^2": fit.noise_variance, r"\mathbf{I}": np.eye(D),
        r"\ell": multivariate_normal(mean, C).logpdf(X).sum(), r"\mathbf{w}_#": (fit.W * signs).T, "S_{##}": S,
        "r_{##}": np.corrcoef(X.T, scores.T)[:D, D:], "u_{##}": V,
    }  # fmt: skip
    Q = other_directions(rng)
    second = {U: V[1], r"\lambda": float(values[1])}
    spread = lambda u: float(np.var(X @ u))
    lagrangian = {
        r"\mathcal{L}": At(lambda u, m: spread(np.ravel(u)) - m * (np.sum(np.square(u)) - 1)),
        r"\lambda": 0.7, U: 1.3 * unit,
    }  # fmt: skip
    both = lambda u, m, f: spread(np.ravel(u)) - m * (np.sum(np.square(u)) - 1) - f * (V[0] @ np.ravel(u))
    rivals = [{U: c * w / np.linalg.norm(w)} for w in rng.normal(size=(20, D)) for c in (1, 3)]
    first = {U: V[0]}
    own = {
        "pca-problem": first, "pca-must-know-lagrangian:1": first, "pca-stationary": second, "pca-value": second,
        "pca-must-know-lagrangian:2": second, "pca-must-know-lagrangian:3": second, "pca-lagrangian": lagrangian,
        "pca-lagrangian-next": {**lagrangian, r"\mathcal{L}": At(both), r"\varphi": -0.4},
        "pca-fan": {r"\mathbf{q}_#": Q, "c_#": np.linalg.norm(Q @ V.T, axis=0) ** 2},
        "pca-ppca-ml": {"i": range(1, K + 1)}, "pca-autocorrelation": classes(rng), "pca-kl-error": classes(rng),
    }  # fmt: skip
    wide = rng.normal(size=(N, 3 * N))
    return Instance(
        values_of,
        own,
        worth={"pca-must-know-gram:4": np.linalg.matrix_rank(wide - wide.mean(axis=0))},
        rivals={"pca-problem": rivals, "pca-must-know-lagrangian:1": rivals},
    )

"""Fisher's discriminant: classes drawn in the plane, scatter by NumPy, directions by SciPy and the library."""

import numpy as np
import scipy.linalg

from notes_lib.linear.fisher_lda import (
    FisherDiscriminant,
    discriminant_directions,
    fisher_criterion,
    fisher_direction,
    scatter_matrices,
    shrunk_scatter,
)
from notes_lib.numerics import central_difference
from tests.formulas.values import At, Instance

W, S_W, S_B = r"\mathbf{w}", r"\mathbf{S}_w", r"\mathbf{S}_b"


def unit(w):
    """The same direction at length 1."""
    return w / np.linalg.norm(w)


def sample(rng, K, D, sizes):
    """Points of K classes, their means and scatter matrices, and a direction at random."""
    y = np.repeat(np.arange(K), sizes)
    X = rng.normal(size=(len(y), D)) @ rng.normal(size=(D, D)) + 2 * rng.normal(size=(K, D))[y]
    S_w, S_b = scatter_matrices(X, y)
    w = rng.normal(size=D)
    z = X @ w
    rows = [X[y == k] for k in range(K)]
    values = {
        "K": K, "D": D, "N": len(y), "k": range(1, K + 1), "n": range(1, len(y) + 1), "j": range(1, K + 1),
        "N_#": np.array(sizes), "C_#": [frozenset(np.flatnonzero(y == k) + 1) for k in range(K)],
        r"\mathbf{x}_#": X, r"\mathbf{m}_#": [r.mean(axis=0) for r in rows], r"\mathbf{m}": X.mean(axis=0),
        S_W: S_w, S_B: S_b, r"\mathbf{S}_#": [len(r) * np.cov(r.T, bias=True) for r in rows],
        r"\mathbf{S}_t": len(y) * np.cov(X.T, bias=True), W: w, r"\mathbf{w}^\top": w[None], "z_#": z,
        r"\tilde m_#": [z[y == k].mean() for k in range(K)], r"\tilde m": z.mean(),
        r"\tilde s_#^2": [np.sum(y == k) * z[y == k].var() for k in range(K)],
        "J": At(lambda v: fisher_criterion(np.ravel(v), S_w, S_b), W), r"\mathbf{I}": np.eye(D),
    }  # fmt: skip
    return X, y, values


def two_classes(rng):
    """Two classes in three dimensions with Fisher's direction in all its lengths."""
    X, y, values = sample(rng, 2, 3, [9, 13])
    S_w, S_b = values[S_W], values[S_B]
    delta = X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    model = FisherDiscriminant(priors=[0.3, 0.7]).fit(X, y)
    top = float(scipy.linalg.eigh(S_b, S_w, eigvals_only=True)[-1])
    x = X[0] + rng.normal(size=3)
    posterior = model.predict_proba(x[None])[0]
    codes = np.sort(rng.normal(size=2))
    line = np.linalg.lstsq(np.column_stack([np.ones(len(y)), X]), codes[y])[0]
    values |= {
        r"\boldsymbol{\delta}": delta, r"\lambda_#": [top, 0.0], r"\pi_#": [0.3, 0.7], "c": -model.intercept_[0],
        r"\mathbf{x}": x, r"p(C_#\mid\mathbf{x})": posterior, r"\boldsymbol{\Sigma}": S_w / len(y),
        r"\alpha": 9 * 13 / 22, "a": codes[0], "b": codes[1], r"\mathbf{w}_{\mathrm{LS}}": line[1:],
    }  # fmt: skip
    return values, {W: fisher_direction(X, y), r"\mathbf{w}^\top": fisher_direction(X, y)[None]}, {
        W: model.coef_[0], r"\mathbf{w}^\top": model.coef_,
    }  # fmt: skip


def instance(seed):
    """Three classes of unequal size in the plane; two classes where the formulas are about two."""
    rng = np.random.default_rng(seed)
    X, y, values = sample(rng, 3, 2, [7, 10, 12])
    S_w, S_b, w = values[S_W], values[S_B], values[W]
    found = discriminant_directions(S_w, S_b)
    first = found.vectors[:, 0]
    L = np.linalg.cholesky(S_w)
    u = unit(L.T @ first)
    model = FisherDiscriminant(priors=[0.2, 0.5, 0.3]).fit(X, y)
    x = X[0] + rng.normal(size=2)
    posterior = model.predict_proba(x[None])[0]
    scaled = w / np.sqrt(w @ S_w @ w)
    two, direction, gaussian = two_classes(rng)
    gamma = 0.3

    def lagrangian(v, multiplier):
        v = np.ravel(v)
        return float(v @ S_b @ v - multiplier * (v @ S_w @ v - 1))

    def slope(v):
        return central_difference(lambda p: fisher_criterion(p, S_w, S_b), np.ravel(v))

    moment = {r"\lambda": found.eigenvalues[0], W: first, r"\mathbf{w}^\top": first[None]}
    values |= {
        r"\lambda": 0.7, r"\mathcal{L}": At(lagrangian, W, r"\lambda"),
        r"\nabla J": At(slope, W),
        r"\mathbf{L}": L, r"\mathbf{L}^{-\top}": np.linalg.inv(L).T, r"\mathbf{u}": u,
        r"\mathbf{A}": np.linalg.solve(L, np.linalg.solve(L, S_b).T),
        r"\mathbf{S}_w(\gamma)": shrunk_scatter(S_w, gamma), r"\gamma": gamma,
        r"\hat{\mathbf{w}}_#": model.scalings_.T, r"\mathbf{w}_#": found.vectors.T, r"\pi_#": [0.2, 0.5, 0.3],
        r"\mathbf{z}": model.transform(x[None])[0], r"\tilde{\mathbf{m}}_#": model.transform(model.means_),
        r"\mathbf{x}": x, r"p(C_#\mid\mathbf{x})": posterior,
        "s_#": [At(lambda p, k=k: float(model.decision_function(np.reshape(p, (1, -1)))[0, k]), r"\mathbf{x}")
                for k in range(3)],
        r"\tilde{\mathbf{x}}": np.r_[1, x], r"\mathbf{0}": np.zeros(2),
        r"\tilde{\mathbf{S}}_w": scatter_matrices(np.column_stack([np.ones(len(y)), X]), y).S_w,
    }  # fmt: skip
    own = {
        "fisher-lda-constraint": {W: scaled, r"\mathbf{w}^\top": scaled[None]}, "fisher-lda-eigenproblem": moment,
        "fisher-lda-value": moment, "fisher-lda-whitened": moment, "fisher-lda-between-two": two,
        "fisher-lda-parallel": two, "fisher-lda-direction": two | direction, "fisher-lda-two-value": two,
        "fisher-lda-threshold": two | gaussian, "fisher-lda-least-squares": two,
        "fisher-lda-must-know-direction": two | direction, "fisher-lda-must-know-threshold": two | gaussian,
        "fisher-lda-scalings": {"j": range(1, 3)}, "fisher-lda-must-know-criterion:2": two,
        "fisher-lda-must-know-criterion:3": two | {"J": two["J"](two[W]) / two[r"\alpha"]},
        "fisher-lda-must-know-lagrangian:2": moment, "fisher-lda-must-know-lagrangian:3": moment,
    }  # fmt: skip
    worth = {
        "fisher-lda-must-know-criterion:2": two[r"\alpha"],
        "fisher-lda-must-know-direction:3": two[r"\boldsymbol{\delta}"],
    }
    second = bool(two[r"p(C_#\mid\mathbf{x})"][1] > 0.5)
    return Instance(values, own, worth, truth={"fisher-lda-must-know-threshold:3": At(lambda x: second, r"\mathbf{x}")})

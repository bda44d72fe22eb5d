"""Two views with common causes: canonical pairs by iterations and angles, covariances by NumPy, roots by SciPy."""

import numpy as np
from scipy.linalg import inv, sqrtm, subspace_angles
from sklearn.cross_decomposition import CCA as PeerCCA
from sklearn.linear_model import LinearRegression

from notes_lib.linear.fisher_lda import FisherDiscriminant
from notes_lib.reduction.cca import (
    canonical_pairs,
    direction_correlation,
    first_correlation_test,
    pls_directions,
    whitened_covariance,
)
from tests.formulas.values import At, Instance

A, B = r"\mathbf{a}", r"\mathbf{b}"
CXX, CYY, CXY, CYX = (rf"\mathbf{{C}}_{{{name}}}" for name in ("xx", "yy", "xy", "yx"))
P, Q = r"\mathbf{p}", r"\mathbf{q}"


def views(rng, n=40, p=3, q=2):
    """Centred views with two common causes."""
    Z = rng.normal(size=(n, 2))
    X, Y = (Z @ rng.normal(size=(2, d)) + rng.normal(size=(n, d)) for d in (p, q))
    return X - X.mean(axis=0), Y - Y.mean(axis=0)


def covariances(X, Y):
    """The blocks of NumPy's covariance of all columns."""
    C, p = np.atleast_2d(np.cov(X.T, Y.T)), X.shape[1]
    return C[:p, :p], C[p:, p:], C[:p, p:]


def single(rng):
    """Two views of one column: every block is a number."""
    X, Y = views(rng, p=1, q=1)
    C_xx, C_yy, C_xy = (float(C[0, 0]) for C in covariances(X, Y))
    r = float(np.corrcoef(X[:, 0], Y[:, 0])[0, 1])
    a, b = 1 / X[:, 0].std(ddof=1), np.sign(r) / Y[:, 0].std(ddof=1)
    return {r"\mathbf{0}": 0.0, CXX: C_xx, CYY: C_yy, CXY: C_xy, CYX: C_xy, A: a, B: b, r"\rho": abs(r)}


def classes(rng):
    """Fisher's eigenvalues of three classes, and correlations with their indicators."""
    y = np.repeat([0, 1, 2], 10)
    X = rng.normal(size=(30, 3)) + rng.normal(size=(3, 3))[y]
    return {
        "i": range(1, 3), r"\rho_#": np.cos(np.sort(_angles(X, np.eye(3)[y][:, :2]))),
        r"\gamma_#": FisherDiscriminant().fit(X, y).eigenvalues_,
    }  # fmt: skip


def _angles(X, Y):
    return subspace_angles(X - X.mean(axis=0), Y - Y.mean(axis=0))


def target(rng):
    """A single column to predict."""
    X, Y = views(rng, q=1)
    return {r"\rho_1": float(np.cos(_angles(X, Y))[0]), "R": LinearRegression().fit(X, Y).score(X, Y) ** 0.5}


def few_rows(rng):
    """Correlations that are 1, counted in noise."""
    n, p, q = [(10, 6, 5), (12, 9, 8), (9, 12, 3), (14, 6, 5)][rng.integers(4)]
    values = canonical_pairs(rng.normal(size=(n, p)), rng.normal(size=(n, q))).values
    return {"M": int((values > 1 - 1e-9).sum()), "N": n, "r_x": min(p, n - 1), "r_y": min(q, n - 1)}


def shuffled(rng):
    """A test of the library, and its count."""
    X, Y = rng.normal(size=(12, 2)), rng.normal(size=(12, 2))
    found = first_correlation_test(X, Y, n_resamples=int(rng.integers(20, 40)), random_state=0)
    return {"B": len(found.null), "k": int((found.null >= found.observed).sum()), "P": found.p_value}


def instance(seed):
    """All symbols: first directions ``a``, ``b`` of variance 1, pairs numbered from 1."""
    rng = np.random.default_rng(seed)
    X, Y = views(rng)
    n, rho = len(X), np.sort(np.cos(_angles(X, Y)))[::-1]
    C_xx, C_yy, C_xy = covariances(X, Y)
    peer = PeerCCA(2, scale=False, tol=1e-28, max_iter=20_000).fit(X, Y)
    U, V = peer.transform(X, Y)
    all_a, all_b = peer.x_rotations_ / U.std(axis=0, ddof=1), peer.y_rotations_ / V.std(axis=0, ddof=1)
    a, b = all_a[:, 0], all_b[:, 0]
    half_x, half_y = (np.real(sqrtm(C)) for C in (C_xx, C_yy))
    p, q = half_x @ all_a, half_y @ all_b
    M = rng.normal(size=(3, 3)) + 3 * np.eye(3)
    penalty = rng.uniform(0.2, 2)
    bases = [np.linalg.qr(view)[0] for view in (X, Y)]
    correlation = At(lambda a, b: direction_correlation(a, b, C_xx, C_yy, C_xy), A, B)
    values = {
        "n": range(1, n + 1), "i": range(1, 3), "j": range(1, 3), "N": n, "s": rng.uniform(0.5, 2),
        "t": rng.uniform(0.5, 2), r"\mathbf{X}": X, r"\mathbf{Y}": Y, r"\mathbf{x}_#": X, r"\mathbf{y}_#": Y,
        A: a, B: b, r"\mathbf{a}_#": all_a.T, r"\mathbf{b}_#": all_b.T, "u_#": X @ a, "v_#": Y @ b,
        CXX: C_xx, CYY: C_yy, CXY: C_xy, CYX: C_xy.T, r"\mathbf{C}_{xx}^{-1/2}": inv(half_x),
        r"\mathbf{C}_{yy}^{-1/2}": inv(half_y), r"\rho": float(rho[0]), r"\rho_#": rho, r"\rho_1": float(rho[0]),
        r"\alpha": float(rho[0]), r"\beta": float(rho[0]), r"\mathbf{K}": whitened_covariance(C_xx, C_yy, C_xy),
        P: p[:, 0], Q: q[:, 0], r"\mathbf{p}_#": p.T, r"\mathbf{q}_#": q.T,
        r"\tilde{\mathbf{x}}_#": np.linalg.solve(half_x, X.T).T,
        r"\tilde{\mathbf{y}}_#": np.linalg.solve(half_y, Y.T).T,
        r"\mathbf{M}": M, r"\mathbf{M}^{-\top}": inv(M).T, r"\mathbf{U}_x": bases[0], r"\mathbf{U}_y": bases[1],
        r"\lambda": penalty,
        "s_#": np.linalg.svd(X)[1],
        "f_#": np.linalg.svd(X @ inv(np.real(sqrtm(X.T @ X + (n - 1) * penalty * np.eye(3)))))[1],
    }  # fmt: skip
    of_mapped = PeerCCA(1, scale=False, tol=1e-28, max_iter=20_000).fit(X @ M.T, Y)
    mapped = of_mapped.x_rotations_[:, 0] / of_mapped.transform(X @ M.T)[:, 0].std(ddof=1)
    mapped *= np.sign((X @ M.T @ mapped) @ (X @ a))
    s, t = rng.uniform(0.5, 2, 2)
    charged = {A: s * a, B: t * b, r"\alpha": rng.normal(), r"\beta": rng.normal()}
    charged[r"\mathcal{L}"] = (
        s * t * rho[0] - charged[r"\alpha"] * (s**2 - 1) / 2 - charged[r"\beta"] * (t**2 - 1) / 2
    )  # as a and b have variance 1
    pls = pls_directions(X, Y)
    unit = {A: pls.x_directions[:, 0], B: pls.y_directions[:, 0], r"\sigma_1": float(pls.values[0])}
    turned = []
    for _ in range(30):
        w, v = (d + rng.choice([0.05, 1]) * rng.normal(size=len(d)) for d in (unit[A], unit[B]))
        turned.append({A: w / np.linalg.norm(w), B: v / np.linalg.norm(v)})
    function = {r"\rho": correlation}
    other = {A: rng.normal(size=3), B: rng.normal(size=2)}
    return Instance(
        values,
        own={
            "cca-correlation": {
                **function, **other,
                r"\rho": At(lambda a, b: float(np.corrcoef(X @ a, Y @ b)[0, 1]), A, B),
            },
            "cca-length": function | other, "cca-lagrangian": charged, "cca-multipliers": function,
            "cca-block": single(rng), "cca-one-target": target(rng), "cca-lda": classes(rng),
            "cca-dimension": few_rows(rng), "cca-p-value": shuffled(rng), "cca-pls": unit, "cca-pls-svd": unit,
            "cca-must-know-problem": {
                **other, r"\rho": At(lambda a, b: float(np.corrcoef(X @ a, Y @ b)[0, 1]), A, B),
            },
            "cca-must-know-few": few_rows(rng),
            "cca-angles": {
                r"\mathbf{p}_#": (bases[0].T @ U / np.linalg.norm(U, axis=0)).T,
                r"\mathbf{q}_#": (bases[1].T @ V / np.linalg.norm(V, axis=0)).T,
            },
        },
        worth={"cca-must-know-invariance:1": mapped},
        rivals={"cca-pls": turned},
    )  # fmt: skip


LEAST = (96, 100)
UNREAD = {"cca-ridge": "an inverse root of a sum: checked against the singular values of the library in its section"}

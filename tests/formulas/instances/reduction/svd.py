"""The singular value decomposition: values from NumPy and from eigenvalues, samples from repeated draws."""

import numpy as np
from scipy.linalg import null_space
from scipy.stats import invwishart

from notes_lib.reduction.svd import TruncatedSVD, power_step
from notes_lib.reduction.svd.steps import threshold
from tests.formulas.values import Instance

N, D, R, K = 6, 4, 3, 2
UNREAD = {"svd-must-know-decomposition:2": "a chain with dots"}
LEAST = (100, 94)


def low_rank(rng, rank, n=N, d=D):
    return rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d))


def spectral(X):
    """Largest stretch, by the eigenvalues of the Gram matrix."""
    return np.sqrt(np.linalg.eigvalsh(X.T @ X)[-1])


def values_of(count):
    """Functions that give a singular value of a matrix, 0 beyond its smaller side."""
    one = lambda i: lambda X: float((np.linalg.svd(X, compute_uv=False).tolist() + [0.0] * count)[i])
    return [one(i) for i in range(count)]


def pairs(A, rank):
    """Singular triplets by eigenvectors, and what follows from them."""
    squares, V = np.linalg.eigh(A.T @ A)
    V, s = V[:, ::-1][:, :rank], np.sqrt(squares[::-1][:rank])
    U = A @ V / s
    return {
        r"\mathbf{A}": A, r"\sigma_#": s, r"\mathbf{u}_#": U.T, r"\mathbf{v}_#": V.T, r"\mathbf{U}": U,
        r"\mathbf{S}": np.diag(s), r"\mathbf{V}": V, "r": rank, r"\mathbf{U}_#": lambda k: U[:, :k],
        r"\mathbf{S}_#": lambda k: np.diag(s[:k]),
        r"\mathbf{V}_#": lambda k: np.linalg.svd(A)[2][:k].T * signs(A, V, k),
    }  # fmt: skip


def signs(A, V, k):
    """Signs that make the right vectors of NumPy those of another source."""
    return np.sign(np.sum(np.linalg.svd(A)[2][:k].T * V[:, :k], axis=0))


def norms(A, B, nearest):
    """The norms of the text, which the reader would take for lengths."""
    gap, best = A - B, A - nearest
    return {
        r"\lVert\mathbf{A}-\mathbf{B}\rVert_2": spectral(gap), r"\lVert\mathbf{A}-\mathbf{A}_k\rVert_2": spectral(best),
        r"\lVert\mathbf{A}\rVert_2": spectral(A), r"\lVert\mathbf{A}\rVert_F": np.sqrt(np.trace(A @ A.T)),
        r"\lVert\mathbf{A}-\mathbf{B}\rVert_F": np.sqrt(np.trace(gap @ gap.T)),
        r"\lVert\mathbf{A}-\mathbf{A}_k\rVert_F": np.sqrt(np.trace(best @ best.T)),
    }  # fmt: skip


def power(rng, A, v):
    """A track of power iteration, and its angles."""
    x = rng.normal(size=D)
    track = {0: x / np.linalg.norm(x)}
    for t in range(6):
        track[t + 1] = power_step(A, track[t])[2]
    angles = {t: float(np.arccos(min(1, abs(x @ v)))) for t, x in track.items()}
    tangents = {t: float(np.linalg.norm(x / (x @ v) - v)) for t, x in track.items()}
    return {
        r"\mathbf{x}_#": track, r"\theta_#": angles, r"\tan\theta_#": tangents,
        "t": range(5),
    }  # fmt: skip


def randomised(rng, A, k, p):
    """A sample, its basis, the small matrix, and the mean squared error of many samples."""
    Omega = rng.normal(size=(A.shape[1], k + p))
    Q, upper = np.linalg.qr(A @ Omega)
    W, s, Vt = np.linalg.svd(Q.T @ A, full_matrices=False)
    left = np.linalg.svd(Q @ Q.T @ A)[0][:, : k + p]
    left = left * np.sign(np.sum(left * (A @ Vt.T), axis=0))
    squares = []
    for _ in range(300):
        basis = np.linalg.qr(A @ rng.normal(size=Omega.shape))[0]
        squares.append(np.sum((A - basis @ basis.T @ A) ** 2))
    return {
        r"\boldsymbol{\Omega}": Omega, r"\mathbf{Y}": A @ Omega, r"\mathbf{Q}": Q, r"\mathbf{R}": upper,
        r"\mathbf{C}": (A.T @ Q).T, r"\mathbf{W}": W, r"\hat{\mathbf{S}}": np.diag(s), r"\hat{\mathbf{V}}": Vt.T,
        r"\hat{\mathbf{U}}": left, "p": p, "k": k,
        r"\operatorname{E}\lVert\mathbf{A}-\mathbf{Q}\mathbf{Q}^\top\mathbf{A}\rVert_F^2": np.mean(squares),
    }  # fmt: skip


def instance(seed):
    """A matrix of rank 3, another of rank 1 beside it, a target, a disturbance, a track, samples."""
    rng = np.random.default_rng(seed)
    A, B = low_rank(rng, R), low_rank(rng, K - 1)
    values = pairs(A, R)
    V, s = values[r"\mathbf{V}"], values[r"\sigma_#"]
    nearest = lambda k: A @ V[:, :k] @ V[:, :k].T
    v, w, y = rng.normal(size=D), rng.normal(size=D), rng.normal(size=N)
    apart = w - V[:, 0] * (V[:, 0] @ w)
    z = V @ null_space(B @ V[:, : K + 1])[:, 0]
    E, q = 0.3 * rng.normal(size=(N, D)), int(rng.integers(1, 3))
    counts = np.abs(rng.normal(size=D))
    model = TruncatedSVD(K, algorithm="exact").fit(A)
    turned = np.sign(np.sum(model.components_ * V[:, :K].T, axis=1))
    values |= norms(A, B, nearest(K)) | power(rng, A, V[:, 0]) | {
        "N": N, "D": D, "k": K, "q": q, "i": range(1, R + 1), "n": range(1, N + 1), "j": range(1, D + 1),
        "a_{##}": A, r"\mathbf{A}_#": nearest, r"\mathbf{B}": B, r"\mathbf{v}": v / np.linalg.norm(v),
        r"\mathbf{w}": w, r"\mathbf{y}": y, r"\mathbf{z}": z, r"\mathbf{E}": E,
        r"\lVert\mathbf{E}\rVert_2": spectral(E),
        r"\mathbf{A}^+": np.linalg.pinv(A, rcond=1e-10), r"\mathbf{w}^+": np.linalg.lstsq(A, y, rcond=1e-10)[0],
        r"(\mathbf{A}\mathbf{A}^\top)^q\mathbf{A}": np.linalg.matrix_power(A @ A.T, q) @ A,
        r"\mathbf{q}": counts, r"\hat{\mathbf{q}}": turned * model.transform(counts[None])[0],
    }  # fmt: skip
    full = rng.normal(size=(N, D))
    wide = {r"\sigma_#": values_of(2 * D), "i": range(1, D + 1), "j": range(1, D + 1)}
    X, Y = rng.normal(size=(2, N, D))
    x = rng.normal(size=D)
    round_ = pairs(full, D) | {r"\mathbf{x}": x / np.linalg.norm(x)}
    large = {r"\sigma_#": 1e15 * s, r"\tau": threshold(1e15 * s, None, (N, D)), r"\varepsilon": np.finfo(float).eps}
    tall = rng.normal(size=(12, 10)) * 0.6 ** np.arange(10)
    k, p = int(rng.integers(2, 4)), int(rng.integers(3, 5))
    drawn = pairs(tall, 10) | randomised(rng, tall, k, p)
    tail = float(np.sum(np.linalg.svd(tall)[1][k:] ** 2))
    bound = tail * (1 + np.trace(invwishart(k + p, np.eye(k)).mean()))
    both = {r"\mathbf{X}": X, r"\mathbf{Y}": Y}
    own = {
        "svd-orthogonal": {r"\mathbf{w}": apart}, "svd-ellipsoid": round_,
        "svd-weyl": wide | both, "svd-must-know-weyl": wide | both, "svd-shifted": wide, "svd-stability": wide,
        "svd-rank": large, "svd-range": drawn, "svd-projected": drawn,
        "svd-randomised-bound": drawn,
    }  # fmt: skip
    worth = {
        "svd-randomised-bound": {1: bound}, "svd-must-know-pseudo:2": float(np.linalg.norm(A @ w - y)),
        "svd-must-know-pseudo:3": np.linalg.lstsq(A, y, rcond=1e-10)[0],
    }  # fmt: skip
    return Instance(values, own, worth)

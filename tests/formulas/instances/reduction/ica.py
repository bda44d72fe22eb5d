r"""Independent components: three sources of four values each, so that all combinations are independent exactly."""

from itertools import product

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.linalg import inv, sqrtm

from notes_lib.reduction.ica import (
    CONTRASTS,
    amari_error,
    excess_kurtosis,
    fixed_point_step,
    log_likelihood,
    natural_gradient_step,
    negentropy_contrast,
    rotation,
)
from tests.formulas.values import At, Instance

D = 3
STEP = r"\operatorname{E}[\mathbf{z}\,g(\mathbf{w}^\top\mathbf{z})]"
SLOPE = r"\operatorname{E}[g'(\mathbf{w}^\top\mathbf{z})]"
BENT = r"\operatorname{E}[\boldsymbol{\varphi}(\mathbf{y})\,\mathbf{y}^\top]"
LOG_DENSITY = r"\operatorname{E}[\ln p_#(\mathbf{w}_#^\top\mathbf{x})]"

UNREAD = {
    "ica-jacobian": "a mean of a product is about the product of the means: the chapter says where it is exact",
}
LEAST = (96, 100)


def unit(rng, n=D):
    """A direction."""
    w = rng.normal(size=n)
    return w / np.linalg.norm(w)


def orthogonal(rng):
    """A rotation or reflection."""
    return np.linalg.qr(rng.normal(size=(D, D)))[0]


def sources(rng):
    """All combinations of four values for each source, one of them twice, of mean 0 and variance 1."""
    levels = [rng.normal(size=3)[[0, 0, 1, 2]] ** 3 for _ in range(D)]
    return np.array(list(product(*[(v - v.mean()) / v.std() for v in levels])))


def share(S, at):
    """How often a row, or a number, occurs."""
    return float(np.isclose(S, at).reshape(len(S), -1).all(axis=1).mean())


def divergence(density, low, high):
    """Kullback-Leibler divergence from the standard Gaussian."""
    relative = lambda u: density(u) * (np.log(density(u)) - stats.norm.logpdf(u))
    return quad(relative, low, high, epsabs=1e-13)[0]


def tipped_square():
    """Two uniform numbers, turned by 45 degrees: a triangular density, mutual information 1 - ln 2."""
    top = np.sqrt(6)
    h = 0.5 + np.log(top)
    J = 2 * divergence(lambda u: (top - u) / top**2, 0, top - 1e-13)
    gauss = float(stats.norm.entropy())
    h_z = 2 * np.log(2 * np.sqrt(3))
    return {
        "D": 2, "i": range(1, 3), r"I(\mathbf{y})": 1 - np.log(2), "h(y_#)": [h, h], r"h(\mathbf{y})": h_z,
        r"h(\mathbf{z})": h_z, r"h(\nu)": gauss, "J(y_#)": [J, J],
    }  # fmt: skip


def flat():
    """A uniform number of variance 1: its negentropy as a divergence, and its entropy."""
    edge = np.sqrt(3)
    density = lambda u: 1 / (2 * edge)
    return {
        "J(y)": divergence(density, -edge, edge), r"h(\nu)": float(stats.norm.entropy()),
        "h(y)": float(stats.uniform(-edge, 2 * edge).entropy()),
    }  # fmt: skip


def instance(seed):
    """A mixture of the three sources, whitened; a direction in it; and unmixing matrices."""
    rng = np.random.default_rng(seed)
    S, A = sources(rng), rng.normal(size=(D, D))
    X = S @ A.T
    Sigma = np.cov(X.T, bias=True)
    values, U = np.linalg.eigh(Sigma)
    V = (U / np.sqrt(values)).T
    Z, n = X @ V.T, int(rng.integers(len(S)))
    Q = np.linalg.lstsq(S, Z, rcond=None)[0].T
    w, turn, c = unit(rng), orthogonal(rng), rng.uniform(0.5, 2, D) * [1, -1, 1]
    q, y = np.linalg.solve(Q, w), Z @ w
    kappa = np.array([stats.kurtosis(column) for column in S.T])
    fun = str(rng.choice(["logcosh", "exp"]))
    _, g, slope, *_ = CONTRASTS[fun]
    beta, mean_slope = np.mean(y * g(y)), slope(y).mean()
    pull = (Z * g(y)[:, None]).mean(axis=0)
    R, W = rng.normal(size=(D, D)), rng.normal(size=(D, D))
    W *= np.sign(np.linalg.det(W))
    P, _, Ot = np.linalg.svd(R)
    angle, eta = float(rng.uniform(0.2, 1.3)), float(rng.uniform(0.05, 0.3))
    pair = S[:, :2] @ rotation(-angle).T
    bent = lambda T: np.tanh(X @ W.T).T @ T / len(X)
    G = CONTRASTS[fun].G
    numbers = {
        "D": D, "i": range(1, D + 1), "j": range(1, D + 1), "k": 2, r"\pi": np.pi, r"\mathbf{0}": np.zeros(D),
        r"\mathbf{I}": np.eye(D), r"\mathbf{s}": S[n], "s_#": S[n], r"\mathbf{x}": X[n], r"\mathbf{z}": Z[n],
        r"\mathbf{A}": A, r"\mathbf{a}_#": A.T, "c_#": c, r"\boldsymbol{\Sigma}": Sigma, r"\mathbf{U}": U,
        r"\boldsymbol{\Lambda}": np.diag(values), r"\boldsymbol{\Lambda}^{-1/2}": np.diag(values**-0.5),
        r"\mathbf{V}": V, r"\mathbf{Q}": Q, r"\mathbf{w}": w, r"\mathbf{q}": q, "q_#": q, "y": y[n],
        r"\operatorname{E}[\mathbf{x}\mathbf{x}^\top]": X.T @ X / len(X), r"\kappa_#": kappa,
        r"\kappa(y)": float(stats.kurtosis(y)), r"\kappa(\mathbf{q}^\top\mathbf{s})": excess_kurtosis(y),
        r"\operatorname{E}[y^4]": np.mean(y**4), r"\theta": angle, r"\kappa(\theta)": excess_kurtosis(pair[:, 0]),
        r"\mathbf{T}_\theta": rotation(angle), STEP: pull, SLOPE: mean_slope, r"\operatorname{E}[g'(y)]": mean_slope,
        r"\operatorname{E}[\mathbf{z}\,g(y)]": pull, r"\beta": beta, r"\mathbf{R}": R, r"\mathbf{W}": W,
        r"\mathbf{W}^{-\top}": inv(W).T, r"(\mathbf{R}\mathbf{R}^\top)^{-1/2}": inv(sqrtm(R @ R.T)).real,
        r"\mathbf{R}\leftarrow": P @ Ot,
        r"\eta": eta, r"\ell(\mathbf{W})": log_likelihood(W, X), BENT: bent(X @ W.T),
        r"\operatorname{E}[\boldsymbol{\varphi}(\mathbf{y})\,\mathbf{x}^\top]": bent(X),
        LOG_DENSITY: lambda i, j: stats.hypsecant.logpdf(X @ W[j - 1]).mean() if i == j else np.nan,
        r"\mathbf{W}\leftarrow": natural_gradient_step(W, X, eta),
        r"\nabla\ell(\mathbf{W})": (natural_gradient_step(W, X, eta) - W) / eta @ inv(W.T @ W),
        "J_G(y)": negentropy_contrast(y, fun), r"\operatorname{E}[G(y)]": G(y).mean(),
        r"\operatorname{E}[G(\nu)]": stats.norm.expect(G), **flat(),
    }  # fmt: skip
    cubed = (Z * (y**3)[:, None]).mean(axis=0) - 3 * w
    newton = np.linalg.solve((mean_slope - beta) * np.eye(D), -(pull - beta * w)) + w
    raw = pull - mean_slope * w
    source = Q[:, 0]  # stationary for every g
    toward = (Z * g(Z @ source)[:, None]).mean(axis=0)
    stationary = {
        r"\mathbf{w}": source, STEP: toward, r"\beta": np.mean(Z @ source * g(Z @ source)),
        r"\mathbf{F}(\mathbf{w})": toward - source * (source @ toward),
    }  # fmt: skip
    new = np.linalg.solve(Q, cubed)
    after = {r"q_#\leftarrow": new, r"\frac{q_2}{q_1}\leftarrow": new[1] / new[0]}
    basis, square = turn[:2], tipped_square()
    Y = rng.normal(size=D)
    M = np.abs(W @ A)
    here = [share(S[:, k], S[n, k]) for k in range(D)]
    B = inv(A)
    own = {
        "ica-independence": {r"p(\mathbf{s})": share(S, S[n]), "p_#": [At(lambda s, k=k: here[k]) for k in range(D)]},
        "ica-factor": {
            r"\operatorname{E}[f(s_1)\,f_2(s_2)]": np.mean(np.exp(S[:, 0]) * S[:, 1] ** 2),
            r"\operatorname{E}[f(s_1)]": np.exp(S[:, 0]).mean(), r"\operatorname{E}[f_2(s_2)]": np.mean(S[:, 1] ** 2),
        },
        "ica-gaussian": {r"p(\mathbf{s})": stats.multivariate_normal(np.zeros(D)).pdf(S[n])},
        "ica-mutual": square,
        "ica-stationary": stationary,
        "ica-newton": {r"\mathbf{w}^+": newton},
        "ica-fixed-point": {r"\mathbf{w}^+": raw, r"\mathbf{w}\leftarrow": fixed_point_step(w, Z, fun)},
        "ica-must-know-fixed-point:1": {r"\mathbf{w}\leftarrow": raw},
        "ica-must-know-fixed-point:2": stationary,
        "ica-cubic": after,
        "ica-cubic-ratio": after,
        "ica-deflation": {
            "j": range(1, 3), r"\mathbf{w}": Y, r"\mathbf{w}_#": basis,
            r"\mathbf{w}\leftarrow": Y - basis.T @ np.linalg.lstsq(basis.T, Y, rcond=None)[0],
        },
        "ica-components": {r"\mathbf{y}": Z[n] @ turn.T, r"\mathbf{W}": turn @ V, r"\mathbf{R}": turn},
        "ica-must-know-negentropy:2": square,
        "ica-density": {
            r"\mathbf{W}": B, r"\mathbf{w}_#": B, "p_#": [At(stats.norm.pdf)] * D,
            r"p(\mathbf{x})": stats.multivariate_normal(np.zeros(D), A @ A.T).pdf(X[n]),
        },
        "ica-amari": {
            "E": amari_error(W, A), "p_{##}": W @ A, "m_#": M.max(axis=1), "n_#": M.max(axis=0),
        },
    }  # fmt: skip
    biggest = float(np.abs(kappa).max())
    return Instance(
        numbers,
        own,
        worth={
            "ica-kurtosis-bound": {1: biggest},
            "ica-must-know-whitening:4": len(list(product(range(D), repeat=2))) - D * (D + 1) // 2,
            "ica-must-know-negentropy:2": 2 * square[r"h(\nu)"] - square[r"h(\mathbf{z})"] - 1 + np.log(2),
        },
    )

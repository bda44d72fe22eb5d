"""Gaussian mixtures: points in the plane and on a line, densities by SciPy, sums over all labels by enumeration."""

from itertools import product

import numpy as np
from scipy.special import rel_entr
from scipy.stats import entropy as entropy_of
from scipy.stats import multivariate_normal, norm

from notes_lib.clustering.gmm import (
    GaussianMixture,
    MStep,
    e_step,
    elbo,
    m_step,
    n_parameters,
    q_function,
)
from tests.formulas.values import At, Instance

N, K, D = 7, 2, 2
TYPES = ("full", "tied", "diag", "spherical")
THETA, MU, SIGMA = r"\boldsymbol{\theta}", r"\boldsymbol{\mu}_#", r"\boldsymbol{\Sigma}_#"
NORMAL = r"\mathcal{N}(\mathbf{x}_#\mid\boldsymbol{\mu}_#,\boldsymbol{\Sigma}_#)"
MEAN_OVER_Z = (
    r"\mathbb{E}_{\mathbf{Z}\mid\mathbf{X},\boldsymbol{\theta}^{(#)}}"
    r"[\log p(\mathbf{X},\mathbf{Z}\mid\boldsymbol{\theta})]"
)
UNREAD = {
    "gmm-stationary": "gradients at a place that stands behind a bar",
    "gmm-kmeans-limit": "a limit at 0",
}
CONDITIONS = {"gmm-must-know-elbo:4"}
LEAST = (95, 100)


def random_mixture(rng):
    """Two components in the plane."""
    factors = rng.normal(size=(K, D, D))
    return MStep(rng.dirichlet([3, 3]), rng.normal(size=(K, D)), factors @ factors.transpose(0, 2, 1) + 0.3 * np.eye(D))


def joint_of(X, theta):
    """Weights times densities, by SciPy."""
    densities = [multivariate_normal(m, S).pdf(X) for m, S in zip(theta.means, theta.covariances, strict=True)]
    return theta.weights * np.column_stack(densities)


def expected(X, gamma, theta):
    """The mean of the complete log-likelihood over all assignments, one by one."""
    log_joint, rows = np.log(joint_of(X, theta)), np.arange(len(X))
    return sum(np.prod(gamma[rows, z]) * log_joint[rows, z].sum() for z in map(list, product(range(K), repeat=len(X))))


def general(X, thetas):
    """Log-likelihoods, bounds and divergences, where a mixture is known by its number."""
    gammas = {t: e_step(X, *theta).responsibilities for t, theta in thetas.items()}
    return {
        r"\ell": At(lambda t: np.log(joint_of(X, thetas[round(t)]).sum(axis=1)).sum(), THETA),
        "Q": At(lambda new, old: q_function(X, gammas[round(old)], thetas[round(new)])),
        r"\mathcal{F}": At(lambda q, t: elbo(X, q, thetas[round(t)]), "q", THETA),
        "H": At(lambda q: entropy_of(q, axis=1).sum()), r"\mathrm{KL}": At(lambda p, q: rel_entr(p, q).sum()),
        r"\boldsymbol{\theta}^{(#)}": lambda t: t, r"\gamma^{(#)}": gammas,
        r"\gamma_#^{(#)}": lambda n, t: gammas[t][n - 1], r"\gamma_{##}^{(#)}": lambda n, k, t: gammas[t][n - 1, k - 1],
    }  # fmt: skip


def one_step(X, theta, rng):
    """Parameters after an M-step, with the responsibilities before it."""
    gamma = e_step(X, *theta).responsibilities
    new = m_step(X, gamma, reg_covar=0.0)
    restricted = {kind: m_step(X, gamma, kind, reg_covar=0.0).covariances for kind in TYPES[1:]}
    d = X[:, None] - new.means
    return {
        r"\gamma_{##}": gamma, "N_#": len(X) * new.weights, r"\pi_#": new.weights, MU: new.means,
        SIGMA: new.covariances, r"\mathbf{d}_{##}": lambda n, k: d[n - 1, k - 1],
        r"\boldsymbol{\Sigma}": restricted["tied"], r"\sigma_{##}": np.sqrt(restricted["diag"]),
        r"\sigma_#": np.sqrt(restricted["spherical"]), "x_{##}": X, r"\mu_{##}": new.means,
    }  # fmt: skip


def on_a_line(rng):
    """Two components on a line, and their log-likelihood as a function of means, of precisions, and of weights."""
    mu, sd, pi = rng.normal([-1.5, 1.5]), rng.uniform(0.7, 1.5, 2), rng.dirichlet([3, 3])
    x = mu[np.arange(9) % 2] + rng.normal(size=9)
    densities = norm(mu, sd).pdf(x[:, None])
    best = pi
    for _ in range(1000):  # weights at which the Lagrangian is stationary
        best = e_step(x[:, None], best, mu[:, None], sd**2, "spherical").responsibilities.mean(axis=0)
    total = lambda mu, sd, pi: np.log(norm(mu, sd).pdf(x[:, None]) @ pi).sum()
    gamma = e_step(x[:, None], pi, mu[:, None], sd**2, "spherical").responsibilities
    common = {
        "N": len(x), "n": range(1, len(x) + 1), r"\mathbf{x}_#": x, r"\pi_#": pi, r"\gamma_{##}": gamma, MU: mu,
        SIGMA: sd**2, r"p(\mathbf{x}_#)": densities @ pi,
    }  # fmt: skip
    phi = r"\boldsymbol{\phi}_#"
    return {
        "gmm-gradient": common | {
            phi: mu, r"\ell": At(lambda phi: total(np.ravel(phi), sd, pi), phi),
            r"\mathcal{N}(\mathbf{x}_#\mid\boldsymbol{\phi}_#)":
                At(lambda phi: lambda n, k: norm(np.ravel(phi)[k - 1], sd[k - 1]).pdf(x[n - 1]), phi)},
        "gmm-gradient-mean": common | {r"\ell": At(lambda mu: total(np.ravel(mu), sd, pi), MU)},
        "gmm-gradient-precision": common | {
            r"\boldsymbol{\Lambda}_#": sd**-2.0, r"\mathbf{d}_{##}": x[:, None] - mu,
            r"\ell": At(lambda P: total(mu, np.ravel(P) ** -0.5, pi), r"\boldsymbol{\Lambda}_#")},
        "gmm-lagrange": common | {
            r"\pi_#": best, r"p(\mathbf{x}_#)": densities @ best, NORMAL: lambda n, k, _: densities[n - 1, k - 1],
            r"\lambda": -len(x),
            r"\mathcal{L}": At(lambda pi: total(mu, sd, np.ravel(pi)) - len(x) * (np.sum(pi) - 1), r"\pi_#")},
        "gmm-rate": {
            "N": len(x), "n": range(1, len(x) + 1), "x_#": x, "m_t": 0.7,
            "m_{t+1}": At(lambda m: round_of_em(x, float(m)), "m_t")},
    }  # fmt: skip


def round_of_em(x, m):
    """The mean of component 2 after a round of EM from means -m and m, with weights and variances known."""
    g = e_step(x[:, None], [0.5, 0.5], [[-m], [m]], np.eye(1), "tied").responsibilities
    return float((g[:, 1] - g[:, 0]) @ x) / len(x)


def spheres(X, rng):
    """Equal spheres: soft responsibilities, and those of the nearest mean."""
    means, var = rng.normal(size=(K, D)), 0.6
    theta = MStep(np.full(K, 1 / K), means, np.full(K, var))
    distance = ((X[:, None] - means) ** 2).sum(axis=2)
    nearest = np.eye(K)[distance.argmin(axis=1)]
    common = {MU: means, r"\sigma": var**0.5}
    return {
        "gmm-kmeans-limit": common | {r"\gamma_{##}": e_step(X, *theta, "spherical").responsibilities},
        "gmm-kmeans-q": common | {
            r"\gamma_{##}": nearest, "J": distance.min(axis=1).sum(), "Q": q_function(X, nearest, theta, "spherical")},
    }  # fmt: skip


def fitted(seed, rng):
    """A mixture that the library has fitted, and how many of its entries are free."""
    kind, K, D = TYPES[seed % 4], 2 + seed % 3, 2
    X = rng.normal(size=(40, D)) + 4 * rng.integers(0, 2, (40, 1))
    fit = GaussianMixture(K, covariance_type=kind, random_state=0, max_iter=300).fit(X)
    entries = {
        "full": K * len(np.triu_indices(D)[0]), "tied": len(np.triu_indices(D)[0]), "diag": K * D, "spherical": K,
    }  # fmt: skip
    return {
        "K": K, "D": D, "N": len(X), "P": n_parameters(K, D, kind), r"P_{\boldsymbol{\Sigma}}": entries[kind],
        r"\mathrm{BIC}": fit.bic(X), r"\mathrm{AIC}": fit.aic(X), r"\hat{\boldsymbol{\theta}}": 0,
        r"\ell": At(lambda _: fit.score_samples(X).sum()),
        **{rf"\text{{{name}}}": float(name == kind) for name in TYPES},
    }, entries  # fmt: skip


def instance(seed):
    """Seven points in the plane, and three mixtures: 1 and 2 before and after a step, 3 any other."""
    rng = np.random.default_rng(seed)
    X, first, theta = rng.normal(size=(N, D)) * 2, random_mixture(rng), random_mixture(rng)
    stepped = one_step(X, first, rng)
    thetas = {1: first, 2: MStep(stepped[r"\pi_#"], stepped[MU], stepped[SIGMA]), 3: theta}
    joint, x, z = joint_of(X, theta), rng.normal(size=D), rng.integers(0, K, N)
    densities, by_bayes = joint / theta.weights, joint / joint.sum(axis=1, keepdims=True)
    gamma = e_step(X, *theta).responsibilities
    q, rows = rng.dirichlet([2, 2], size=N), np.arange(N)
    precision = np.linalg.inv(theta.covariances)
    factor = np.linalg.cholesky(theta.covariances)
    values = general(X, thetas) | {
        "N": N, "K": K, "D": D, "n": range(1, N + 1), "k": range(1, K + 1), "j": range(1, K + 1), "t": range(1, 2),
        r"\mathbf{x}": x, r"\mathbf{x}_#": X, r"\pi_#": theta.weights, MU: theta.means, SIGMA: theta.covariances,
        r"\boldsymbol{\Lambda}_#": precision, r"\mathbf{L}_#": factor,
        "L_{#,##}": lambda k, i, j: factor[k - 1][i - 1, j - 1],
        r"p(\mathbf{x}\mid\boldsymbol{\theta})": np.exp(e_step([x], *theta).log_likelihood[0]),
        r"p(\mathbf{x})": np.exp(e_step([x], *theta).log_likelihood[0]),
        r"\mathcal{N}(\mathbf{x}\mid\boldsymbol{\mu}_#,\boldsymbol{\Sigma}_#)":
            lambda k, _: multivariate_normal(theta.means[k - 1], theta.covariances[k - 1]).pdf(x),
        NORMAL: lambda n, k, _: densities[n - 1, k - 1],
        "z_{##}": np.eye(K)[z], "p(z_{##}=1)": lambda n, k: theta.weights[k - 1],
        r"p(\mathbf{z}_#)": theta.weights[z],
        r"p(\mathbf{x}_#\mid\mathbf{z}_#)": lambda n, _: densities[n - 1, z[n - 1]],
        r"p(\mathbf{x}_#,\mathbf{z}_#\mid\boldsymbol{\theta})": lambda n, _: joint[n - 1, z[n - 1]],
        r"p(\mathbf{x}_#,z_{##}=1\mid\boldsymbol{\theta})": lambda n, _, k: joint[n - 1, k - 1],
        r"p(z_{##}=1\mid\mathbf{x}_#,\boldsymbol{\theta})": lambda n, k, _: by_bayes[n - 1, k - 1],
        r"\gamma_{##}": gamma, r"\gamma": gamma, THETA: 3, r"\gamma(\boldsymbol{\theta})": gamma,
        r"\gamma_#(\boldsymbol{\theta})": gamma, "q": q, "q_#": q, "q_{##}": q, r"q\leftarrow": by_bayes,
        r"\ell_c": At(lambda _: np.log(joint[rows, z]).sum()),
        r"p(\mathbf{X},\mathbf{Z}\mid\boldsymbol{\theta})": np.prod(joint[rows, z]),
        r"p(\mathbf{X}\mid\boldsymbol{\theta})": np.prod(joint.sum(axis=1)),
        MEAN_OVER_Z: lambda t: expected(X, e_step(X, *thetas[t]).responsibilities, theta),
        r"p(\mathbf{x}_#)": joint.sum(axis=1), "a_{##}": np.log(joint), "m_#": np.log(joint).max(axis=1),
        "N_#": gamma.sum(axis=0),
    }  # fmt: skip
    scatter = [At(lambda m, k=k: (gamma[:, k] * (X - np.ravel(m)).T) @ (X - np.ravel(m))) for k in range(K)]
    model, entries = fitted(seed, rng)
    step = dict.fromkeys(
        ["gmm-mstep-mean", "gmm-count", "gmm-mstep-covariance", "gmm-mstep-weights", "gmm-mstep-types",
         "gmm-must-know-m-step"], stepped | {"j": range(1, D + 1)})  # fmt: skip
    own = step | on_a_line(rng) | spheres(X, rng) | {
        "gmm-cholesky": {"j": range(1, D + 1)},
        "gmm-q-trace": {"Q": q_function(X, gamma, theta), r"\mathbf{S}_#": scatter},
        "gmm-parameters": model, "gmm-bic": model, "gmm-aic": model, "gmm-must-know-parameters": model,
        "gmm-must-know-elbo:1": {"Q": elbo(X, q, theta) - entropy_of(q, axis=1).sum()},
        "gmm-must-know-elbo:5": {"Q": q_function(X, gamma, theta), "H": entropy_of(gamma, axis=1).sum()},
    }  # fmt: skip
    worth = {
        "gmm-must-know-parameters:1": model["K"] - 1,
        "gmm-must-know-parameters:2": entries["full"],
        "gmm-must-know-parameters:3": entries["tied"],
    }
    return Instance(values, own, worth)

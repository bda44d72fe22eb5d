"""Dirichlet process: seven guests, a stick, rows at tables, sampled groupings; SciPy's laws beside the library."""

import numpy as np
from scipy.special import beta, gamma, gammaln, multigammaln
from scipy.stats import beta as beta_law
from scipy.stats import betabinom, dirichlet_multinomial, invwishart, multivariate_normal, multivariate_t

from notes_lib.clustering.dirichlet_process import (
    DirichletProcessMixture,
    NormalInverseWishart,
    co_clustering,
    expected_tables,
    log_evidence,
    log_partition,
    niw_posterior,
    seating_probabilities,
    stick_weights,
)
from notes_lib.clustering.dirichlet_process.gibbs import table_weights
from tests.formulas.values import At, Instance

LEAST = 100, 100
ALPHA = r"\alpha"
PRIOR = NormalInverseWishart(np.array([0.4, -0.3]), 0.6, 3.5, np.array([[1.2, 0.3], [0.3, 0.8]]))


def student(p):
    """SciPy's law of the next row at a table."""
    df = p.degrees_of_freedom - len(p.mean) + 1
    return multivariate_t(p.mean, p.scale * (p.mean_precision + 1) / (p.mean_precision * df), df)


def one_table(rng):
    """Five rows of a table: the library's posterior, SciPy's densities of prior and next row."""
    X, x = rng.normal(size=(5, 2)), rng.normal(size=2)
    A, mu = rng.normal(size=(2, 3)), rng.normal(size=2)
    Sigma, mean, after = A @ A.T, X.mean(axis=0), niw_posterior(PRIOR, X)
    wide = invwishart(PRIOR.degrees_of_freedom, PRIOR.scale)
    density = wide.pdf(Sigma) * multivariate_normal(PRIOR.mean, Sigma / PRIOR.mean_precision).pdf(mu)
    at_identity = wide.pdf(np.eye(2)) * np.exp(np.trace(PRIOR.scale) / 2)
    grown, size = niw_posterior(PRIOR, np.vstack([X, x])).scale, np.linalg.det(after.scale)
    less = np.linalg.det(niw_posterior(PRIOR, X[1:]).scale)
    return {
        "n": 5, "d": 2, r"\bar{\mathbf{x}}": mean, r"\mathbf{S}": (X - mean).T @ (X - mean), r"\mathbf{x}": x,
        r"\mathbf{m}_0": PRIOR.mean, r"\kappa_0": PRIOR.mean_precision, r"\nu_0": PRIOR.degrees_of_freedom,
        r"\boldsymbol{\Psi}_0": PRIOR.scale, r"\mathbf{m}_n": after.mean, r"\kappa_n": after.mean_precision,
        r"\nu_n": after.degrees_of_freedom, r"\boldsymbol{\Psi}_n": after.scale, r"\boldsymbol{\mu}": mu,
        r"\boldsymbol{\Sigma}": Sigma, r"p(\boldsymbol{\mu},\boldsymbol{\Sigma})": density,
        "Z_0": 2 * np.pi / PRIOR.mean_precision / at_identity, r"\pi": np.pi, r"\Gamma": gamma,
        r"\Gamma_d": lambda a: np.exp(multigammaln(a, 2)), r"p(\mathbf{X})": np.exp(log_evidence(X, PRIOR)),
        r"p(\mathbf{x}\mid\mathbf{X})": student(after).pdf(x), "q": np.linalg.det(grown) / size - 1,
    }, {"r": 1 - less / size, r"\mathbf{x}": X[0]}  # fmt: skip


def seated(rng, alpha):
    """Rows at three tables and one to be seated: SciPy's densities, the library's weights, joint and density."""
    z, X, x = np.array([0, 0, 1, 1, 1, 2]), rng.normal(size=(6, 2)), rng.normal(size=2)
    all_rows, others = np.vstack([X, x]), np.append(z, -1)
    weights = [np.exp(table_weights(all_rows, others, k, PRIOR, np.array([6]))[0]) for k in range(3)]
    run = DirichletProcessMixture(
        alpha, mean_prior=PRIOR.mean, mean_precision_prior=PRIOR.mean_precision,
        degrees_of_freedom_prior=PRIOR.degrees_of_freedom, covariance_prior=PRIOR.scale, n_iter=1, random_state=0,
    ).fit(X)  # fmt: skip
    drawn = run.labels_trace_[0]
    tables = [X[drawn == k] for k in range(drawn.max() + 1)]
    chain = [sum(student(niw_posterior(PRIOR, rows[:i])).logpdf(rows[i]) for i in range(len(rows))) for rows in tables]
    common = {ALPHA: alpha, "n": 6, r"p(\mathbf{x})": student(PRIOR).pdf(x)}
    return (
        common | {
            "k": range(1, 4), "K": 3, "n_#": np.bincount(z), "w_#": dict(enumerate([*weights, alpha * np.exp(
                log_evidence(x[None], PRIOR))], 1)),
            r"p(\mathbf{x}_i\mid\mathbf{X}_#)": [student(niw_posterior(PRIOR, X[z == k])).pdf(x) for k in range(3)],
            r"p(\mathbf{x}_i)": student(PRIOR).pdf(x),
        },
        common | {
            "k": range(1, len(tables) + 1), "K": len(tables), "n_#": [len(t) for t in tables],
            r"P(\mathcal{C})": np.exp(log_partition(drawn, alpha)),
            r"P(\mathcal{C},\mathbf{X})": np.exp(run.log_joint_[0]), r"p(\mathbf{X}_#)": np.exp(chain),
            r"p(\mathbf{x}\mid\mathbf{X}_#)": [student(niw_posterior(PRIOR, rows)).pdf(x) for rows in tables],
            r"p(\mathbf{x}\mid\mathcal{C},\mathbf{X})": np.exp(run.score_samples(x[None])[0]),
        },
    )  # fmt: skip


def assignments(counts, alpha, K):
    """Probability of assignments with these counts: SciPy's law of the counts, over the ways to have them."""
    full = np.append(counts, np.zeros(K - len(counts), dtype=int))
    n = int(full.sum())
    ways = np.exp(gammaln(n + 1) - gammaln(full + 1).sum())
    return full, dirichlet_multinomial(np.full(K, alpha / K), n).pmf(full) / ways


def instance(seed):
    """Seven guests, a stick of ten pieces, four sampled groupings of five rows."""
    rng = np.random.default_rng(seed)
    z, alpha = np.array([0, 0, 1, 0, 2, 1, 0]), rng.uniform(0.5, 3)
    counts, n = np.bincount(z), len(z)
    fractions, trace = rng.uniform(0.1, 0.9, 10), rng.integers(0, 3, size=(4, 5))
    seats = dict(enumerate(seating_probabilities(counts, alpha), 1))
    full, finite = assignments(counts, alpha, 5)
    more = [assignments(full + e, alpha, 5)[1] / finite for e in np.eye(5, dtype=int)]
    mean, kept = beta_law(1, alpha).mean(), beta_law(alpha, 1).mean()
    gaussian, without = one_table(rng)
    weights, grouping = seated(rng, alpha)
    values = {
        "k": range(1, 4), "i": range(n), "K": 3, "n": n, "n_#": counts, ALPHA: alpha, r"\Gamma": gamma,
        "t": range(1, 11), "s": range(1, 11), "v_#": fractions, r"\pi_#": stick_weights(fractions),
        r"P(\mathcal{C})": np.exp(log_partition(z, alpha)),
        r"\operatorname{E}K": At(lambda n: expected_tables(int(n), alpha), "n"),
        r"\operatorname{E}\pi_#": lambda t: mean * kept ** (t - 1),
        "m": 3, "B": beta, "P(n_1=m)": betabinom(n - 1, 1, alpha).pmf(2),
        r"P(z_{n+1}=#\mid\mathbf{z})": seats,
    }  # fmt: skip
    components = {"K": 5, "k": range(1, 6), "n_#": full, r"P(\mathbf{z})": finite}
    own = {
        "dirichlet-process-finite": components,
        "dirichlet-process-finite-seat": components | {r"P(z_{n+1}=#\mid\mathbf{z})": more},
        "dirichlet-process-niw": gaussian, "dirichlet-process-update": gaussian,
        "dirichlet-process-evidence": gaussian, "dirichlet-process-predictive": gaussian,
        "dirichlet-process-without": gaussian | without, "dirichlet-process-gibbs": weights,
        "dirichlet-process-joint": grouping, "dirichlet-process-density": grouping,
        "dirichlet-process-together": {
            "i": range(1, 6), "j": range(1, 6), "t": range(1, 5), "T": 4,
            "z_#^{(#)}": lambda i, t: trace[t - 1, i - 1], "A_{##}": lambda i, j: co_clustering(trace)[i - 1, j - 1],
        },
    }  # fmt: skip
    return Instance(
        values, own,
        worth={
            "dirichlet-process-must-know-restaurant:2": seats[4],
        },
    )  # fmt: skip

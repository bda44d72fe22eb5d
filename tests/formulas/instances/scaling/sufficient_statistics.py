"""Chunks of rows, their summaries and what merges from them, for the formulas of the chapter."""

import numpy as np
from scipy.special import expit

from notes_lib.clustering.gmm import e_step, m_step
from notes_lib.clustering.kmeans import assign
from notes_lib.scaling.sufficient_statistics import merge_moments, mini_batch_step, moments
from tests.formulas.values import Instance


def instance(seed):
    """Nine rows in two chunks, three clusters, a mixture, a batch, and a cluster of computers."""
    rng = np.random.default_rng(seed)
    N, D, n_a = 9, 2, int(rng.integers(3, 7))
    X, y = rng.normal(size=(N, D)) + np.array([1, 3]), rng.normal(size=N)
    chunks = {1: range(1, n_a + 1), 2: range(n_a + 1, N + 1)}
    rows = lambda c: X[[n - 1 for n in chunks[int(c)]]]
    A = {c: X[[n - 1 for n in r]].T @ X[[n - 1 for n in r]] for c, r in chunks.items()}
    b = {c: X[[n - 1 for n in r]].T @ y[[n - 1 for n in r]] for c, r in chunks.items()}
    a_part, b_part, whole = moments(X[:n_a]), moments(X[n_a:]), moments(X)
    v = rng.normal(size=D)
    set_a, set_b = frozenset(chunks[1]), frozenset(chunks[2])
    sums = lambda s: np.array([len(s), *X[[int(n) - 1 for n in s]].sum(axis=0)])
    # classes, clusters, components
    code = np.arange(N) % 3
    parts = [moments(X[code == k]) for k in range(3)]
    centers = X[:3]
    z = np.eye(3)[assign(X, centers)]
    theta = m_step(X, rng.dirichlet(np.ones(3), size=N), reg_covar=0.5)
    gamma = e_step(X, *theta).responsibilities
    new = m_step(X, gamma, reg_covar=0.0)
    moved, _ = mini_batch_step(centers, [4, 2, 1], X[3:])
    got = np.eye(3)[assign(X[3:], centers)]
    labels, w, eta = rng.integers(0, 2, size=N), rng.normal(size=D), rng.uniform(0.1, 1)
    p = expit(X @ w)
    batch = frozenset({1, 4, 6})
    W, C = int(rng.integers(2, 9)), int(rng.integers(3, 30))
    t_0, a, tau = rng.uniform(1, 5), rng.uniform(0.1, 0.2), rng.uniform(0.3, 1)
    Q, R = np.linalg.qr(X - X.mean(axis=0))
    c = Q.T @ (y - y.mean())
    R_a, R_b = (np.linalg.qr(part - part.mean(axis=0))[1] for part in (X[:n_a], X[n_a:]))
    x = X[:, 0]

    values = {
        "N": N, "D": D, "n": range(1, N + 1), "c": range(1, 3), "C": 2, "n_a": n_a, "n_b": N - n_a, "K": 3,
        r"\mathbf{x}_#": lambda n: X[int(n) - 1], "y_#": lambda n: y[int(n) - 1],
        r"\mathcal{C}_#": lambda k: frozenset(chunks[int(k)]), r"\mathbf{A}_#": lambda k: A[int(k)],
        r"\mathbf{b}_#": lambda k: b[int(k)], r"\mathbf{A}": X.T @ X, r"\mathbf{b}": X.T @ y,
        r"\mathbf{w}": np.linalg.lstsq(X, y)[0],
        r"\boldsymbol{\delta}": b_part.mean - a_part.mean, r"\bar{\mathbf{x}}_a": a_part.mean,
        r"\bar{\mathbf{x}}_b": b_part.mean, r"\bar{\mathbf{x}}": whole.mean, r"\mathbf{S}": whole.scatter,
        r"\mathbf{S}_a": a_part.scatter, r"\mathbf{S}_b": b_part.scatter, r"\mathbf{v}": v,
        r"\mathcal{C}_a": set_a, r"\mathcal{C}_b": set_b, "T": sums, "M": lambda p, q: np.add(p, q),
    }  # fmt: skip
    assert np.allclose(merge_moments(a_part, b_part).scatter, whole.scatter)
    total = values | {"n": N}  # the number of rows where it is no index
    chunk = {
        "n_#": lambda k: len(chunks[int(k)]), r"\bar{\mathbf{x}}_#": lambda k: rows(k).mean(axis=0),
        r"\mathbf{S}_#": lambda k: moments(rows(k)).scatter,
    }  # fmt: skip
    shortcut = {"S": ((x - x.mean()) ** 2).sum(), "x_#": lambda n: x[int(n) - 1], r"\bar{x}": x.mean()}
    triangle = {
        r"\mathbf{R}": R, r"\mathbf{c}": c, r"\mathbf{X}_c": X - X.mean(axis=0), r"\mathbf{y}_c": y - y.mean(),
        r"\mathbf{R}_a": R_a, r"\mathbf{R}_b": R_b, "n": N,
    }  # fmt: skip
    at = lambda values: lambda k: values[int(k) - 1]
    classes = {
        "k": range(1, 4), "j": range(1, 3), r"\pi_#": at([part.count / N for part in parts]),
        "n_#": at([part.count for part in parts]), r"\boldsymbol{\mu}_#": at([X[code == k].mean(0) for k in range(3)]),
        r"\bar{\mathbf{x}}_#": at([part.mean for part in parts]),
        r"\sigma_{##}^2": lambda k, j: X[code == int(k) - 1].var(axis=0)[int(j) - 1],
        r"(\mathbf{S}_#)_{##}": lambda k, i, j: parts[int(k) - 1].scatter[int(i) - 1, int(j) - 1],
        r"\mathbf{S}_#": at([part.scatter for part in parts]),
        r"\boldsymbol{\Sigma}": sum(np.cov(X[code == k].T, bias=True) * (code == k).sum() for k in range(3)) / N,
    }  # fmt: skip
    clusters = {
        "k": range(1, 4), "n_#": at(z.sum(axis=0)), "z_{##}": lambda n, k: z[int(n) - 1, int(k) - 1],
        r"\boldsymbol{\mu}_#": at([X[z[:, k] > 0].mean(axis=0) for k in range(3)]),
    }  # fmt: skip
    means = gamma.T @ X / gamma.sum(axis=0)[:, None]
    scatters = [np.cov(X.T, bias=True, aweights=gamma[:, k]) * gamma[:, k].sum() for k in range(3)]
    mixture = {
        "k": range(1, 4), "N_#": at(gamma.sum(axis=0)), r"\gamma_{##}": lambda n, k: gamma[int(n) - 1, int(k) - 1],
        r"\bar{\mathbf{x}}_#": at(means), r"\mathbf{S}_#": at(scatters), r"\pi_#": at(new.weights),
        r"\boldsymbol{\mu}_#": at(new.means), r"\boldsymbol{\Sigma}_#": at(new.covariances),
    }  # fmt: skip
    logistic = {
        r"\mathbf{w}": w, "p_#": lambda n: p[int(n) - 1], "y_#": lambda n: labels[int(n) - 1], r"\eta": eta,
        r"\mathbf{g}_#": lambda k: sum((p[n - 1] - labels[n - 1]) * X[n - 1] for n in chunks[int(k)]),
        r"\mathcal{B}": batch,
        r"\mathbf{w}'": w - eta * np.mean([(p[n - 1] - labels[n - 1]) * X[n - 1] for n in sorted(batch)], axis=0),
    }  # fmt: skip
    mini = {
        "k": range(1, 4), r"\boldsymbol{\mu}_#": at(centers), r"\boldsymbol{\mu}_#'": at(moved),
        "m_#": at(got.sum(axis=0)), "v_#": at([4, 2, 1]),
        r"\bar{\mathbf{x}}_#": at([X[3:][got[:, k] > 0].mean(axis=0) if got[:, k].any() else X[0] for k in range(3)]),
    }  # fmt: skip
    times = {"C": C, "W": W, "t_0": t_0, "a": a, r"\tau": tau, "t": lambda C: t_0 + C * (a + tau) / W}
    slow = t_0 / (tau - (a + tau) / W)
    times["C_*"] = slow
    message = {"D": D, "B": moments(X).mean.nbytes + 8 + 8 * len(np.unique(moments(X).scatter.round(12)))}
    name = "sufficient-statistics-"
    own = {
        f"{name}moments": chunk, f"{name}shortcut": shortcut, f"{name}triangle": triangle, f"{name}stack": triangle,
        f"{name}classes": classes, f"{name}pooled": classes, f"{name}clusters": clusters, f"{name}mixture": mixture,
        f"{name}mixture-step": mixture, f"{name}gradient": logistic, f"{name}sgd": logistic,
        f"{name}mini-batch": mini, f"{name}time": times, f"{name}break-even": times, f"{name}message": message,
        f"{name}merge-mean": {"n": N}, f"{name}merge-scatter": {"n": N},
        f"{name}must-know-mean": {"n": N}, f"{name}must-know-scatter": {"n": N}, f"{name}must-know-pass": clusters | {
            "N_#": at(gamma.sum(axis=0)), r"\gamma_{##}": lambda n, k: gamma[int(n) - 1, int(k) - 1]},
        f"{name}must-know-message": message,
    }  # fmt: skip
    assert total["n"] == N
    return Instance(values, own)


UNREAD: dict[str, str] = {}

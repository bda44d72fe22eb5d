"""Anomaly detection: a log with equal rows, neighbours from a table, cuts by recursion, a dual by another solver."""

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.spatial.distance import cdist
from scipy.stats import chi2
from sklearn.covariance import EmpiricalCovariance
from sklearn.decomposition import PCA
from sklearn.neighbors import LocalOutlierFactor as Peer
from sklearn.svm import OneClassSVM as PeerMachine

from notes_lib.mining.anomaly_detection import (
    OneClassSVM,
    average_path_length,
    chi_square_threshold,
    concentration_step,
    conformal_p_values,
    isolation_score,
    masking_limit,
    nearest_others,
    reconstruction_errors,
    squared_mahalanobis,
)
from tests.formulas.values import Instance

D, K = 3, 2


def cloud(rng):
    """Rows of which three are equal, their distances by scikit-learn, the hat matrix by least squares."""
    N, M = 14, 3
    X = rng.normal(size=(N, D)) @ rng.normal(size=(D, D))
    X[:M] = X[0] + 2
    fit = EmpiricalCovariance().fit(X)
    mean, S = fit.location_, fit.covariance_
    squares = fit.mahalanobis(X)
    x = rng.normal(size=D)
    u = solve_triangular(cholesky(S, lower=True), x - mean, lower=True)
    A = np.column_stack([np.ones(N), X])
    H = A @ np.linalg.lstsq(A, np.eye(N), rcond=None)[0]
    half = rng.permutation(N)[:10]
    next_half = concentration_step(X, half, 10)
    t = chi_square_threshold(0.025, D)
    axes = PCA().fit(X)
    z = axes.transform(x[None])[0]
    values = {
        r"\mathbf{x}": x, r"\boldsymbol{\mu}": mean, r"\boldsymbol{\Sigma}": S,
        r"\Delta^2(\mathbf{x})": squared_mahalanobis([x], mean, S)[0], "u_#": u, "j": range(1, D + 1), "D": D,
        r"\alpha": 0.025, "t_\\alpha": t, "N": N, "M": M, "n": 1, "i": range(1, N + 1), r"\Delta_#^2": squares,
        "h_#": np.diag(H), "H_{##}": H,
        r"\Pr(\Delta^2(\mathbf{x})>t_\alpha)": chi2(D).sf(t),
        r"\det\boldsymbol{\Sigma}(\mathcal{H}')": np.linalg.det(np.cov(X[next_half].T)),
        r"\det\boldsymbol{\Sigma}(\mathcal{H})": np.linalg.det(np.cov(X[half].T)),
        r"\mathbf{U}": axes.components_[:1].T, "q": 1, "z_#": z, r"\lambda_#": axes.explained_variance_ * (N - 1) / N,
        r"E(\mathbf{x})": reconstruction_errors([x], mean, axes.components_[:1])[0],
    }  # fmt: skip
    return values, {"n": range(1, N + 1)}, masking_limit(N, M)


def neighbours(rng):
    """A row among others, its neighbours, and what scikit-learn's factors make of them."""
    X = rng.normal(size=(12, 2))
    table = cdist(X, X)
    near = np.argsort(table[0])[1 : K + 1]
    r = nearest_others(X, K).distances[:, -1]
    peer = Peer(n_neighbors=K).fit(X)
    x, o = X[0], X[near]
    reach = [max(r[j], table[0, j]) for j in near]
    return {
        r"\mathbf{x}": x, r"\mathbf{o}": o[0], r"\mathbf{o}_#": o, r"r_k(\mathbf{x})": r[0],
        r"r_k(\mathbf{o})": r[near[0]],
        "k": K, "i": range(1, K + 1), r"\operatorname{reach}(\mathbf{x},\mathbf{o})": reach[0],
        r"\operatorname{reach}(\mathbf{x},\mathbf{o}_#)": lambda i: reach[int(i) - 1],
        r"\varrho(\mathbf{x})": peer._lrd[0], r"\varrho(\mathbf{o}_#)": lambda i: peer._lrd[near[int(i) - 1]],
        r"\operatorname{LOF}(\mathbf{x})": -peer.negative_outlier_factor_[0],
    }  # fmt: skip


def cuts(rng):
    """Total depths over all sequences of divisions, a gap, a leaf, a score."""
    mean = {1: 0.0}
    for n in range(2, 12):
        mean[n] = 1 + sum(i * mean[i] + (n - i) * mean[n - i] for i in range(1, n)) / n / (n - 1)
    n, e, m, psi = int(rng.integers(4, 11)), int(rng.integers(1, 6)), int(rng.integers(2, 9)), 64
    depth = rng.uniform(2, 9)
    return {
        "n": n, "i": range(1, n), "L": lambda k: round(k) * mean[round(k)],
        "c": lambda k: float(average_path_length(k)),
        "H_n": sum(1 / k for k in range(1, n + 1)), "e": e, "m": m, r"h(\mathbf{x})": e + mean[m], r"\psi": psi,
        r"\bar h(\mathbf{x})": depth, r"s(\mathbf{x})": float(isolation_score(depth, psi)),
    }  # fmt: skip


def one_class(rng):
    """Multipliers whose set of free rows is the library's, solved to rounding; the start of that set by libsvm."""
    N, nu = 12, 0.3
    while True:
        X = rng.normal(size=(N, 2)) + 3
        ours = OneClassSVM(nu=nu, kernel="linear", tol=1e-10).fit(X)
        a = np.zeros(N)
        a[ours.support_] = ours.dual_coef_[0]
        free_rows = np.flatnonzero((a > 1e-6) & (a < 1 - 1e-6))
        if len(free_rows):
            break
    assert PeerMachine(nu=nu, kernel="linear", tol=1e-8).fit(X).offset_[0] / ours.offset_ < 1 + 1e-6
    a = np.where(a >= 1 - 1e-6, 1.0, 0.0) / (nu * N)
    G, F = X @ X.T, len(free_rows)
    border = np.block([[G[np.ix_(free_rows, free_rows)], -np.ones((F, 1))], [np.ones((1, F)), np.zeros((1, 1))]])
    found = np.linalg.lstsq(border, np.r_[-G[free_rows] @ a, 1 - a.sum()], rcond=None)[0]
    a[free_rows], rho = found[:-1], found[-1]
    b = 1 / (nu * N) - a
    w = X.T @ a
    scores = X @ w - rho
    slack = np.maximum(-scores, 0)
    x = rng.normal(size=2) + 3
    kernel = lambda u, v: float(np.ravel(u) @ np.ravel(v))
    price = lambda w, s, r: float(np.ravel(w) @ np.ravel(w)) / 2 + float(np.sum(s)) / (nu * N) - float(r)
    return {
        r"\mathbf{w}": w, r"\rho": rho, "n": range(1, N + 1), "N": N, r"\nu": nu, r"\boldsymbol{\phi}_#": X,
        r"\boldsymbol{\xi}": slack, r"\xi_#": slack, "a_#": a, "b_#": b, "J": price(w, slack, rho),
        r"J(\mathbf{w},\boldsymbol{\xi},\rho)": price(w, slack, rho), r"\mathcal{L}": price(w, slack, rho),
        r"Q(\mathbf{a})": price(w, slack, rho), "k": kernel, r"\mathbf{x}_#": X, r"\mathbf{x}": x,
        r"f(\mathbf{x})": float(w @ x - rho), "m": int(free_rows[0]) + 1,
        r"N_{\text{out}}": float((scores < -1e-9).sum()), r"N_{\text{sv}}": float((a > 0).sum()),
    }  # fmt: skip


def wild(rng, machine):
    """Any weights, slack and prices, far from the optimum: the two functions are defined everywhere."""
    X, nu, N = machine[r"\boldsymbol{\phi}_#"], machine[r"\nu"], machine["N"]
    w, rho, xi, a, b = rng.normal(size=2), rng.normal(), *rng.uniform(0.1, 2, size=(3, N))
    price = w @ w / 2 + xi.mean() / nu - rho
    value = price - a @ (X @ w - rho + xi) - b @ xi
    return machine | {
        r"\mathbf{w}": w, r"\rho": rho, r"\xi_#": xi, "a_#": a, "b_#": b, "J": price,
        r"J(\mathbf{w},\boldsymbol{\xi},\rho)": price, r"\mathcal{L}": value,
    }  # fmt: skip


def alarms(rng):
    """Shares of a table of counts, and the rank of a score."""
    faults, sound, hits, false = 40, 960, int(rng.integers(5, 40)), int(rng.integers(5, 200))
    usual = rng.normal(size=9)
    score = usual[int(rng.integers(9))]  # a tie
    share = [(1 + np.sum(np.delete(usual, i) >= usual[i])) / 9 <= 0.3 for i in range(9)]
    return {
        r"\pi": faults / 1000, "T": hits / faults, "F": false / sound, r"\operatorname{prec}": hits / (hits + false),
        "m": 9, "i": range(1, 10), "s_#": usual, r"s(\mathbf{x})": score,
        r"p(\mathbf{x})": conformal_p_values(-usual, [-score])[0], r"\alpha": 0.3,
        r"\Pr(p(\mathbf{x})\le\alpha)": float(np.mean(share)),
    }  # fmt: skip


def instance(seed):
    """One log, one row among neighbours, one tree, one machine, one table of alarms."""
    rng = np.random.default_rng(seed)
    of_cloud, all_rows, limit = cloud(rng)
    of_neighbours, of_cuts, of_machine, of_alarms = neighbours(rng), cuts(rng), one_class(rng), alarms(rng)
    R = rng.uniform(5, 9)
    card = "anomaly-detection-must-know-"
    own = {"anomaly-detection-trace": all_rows, "anomaly-detection-gap": {"g": 2.0, "R": R, "p_1": 1 - (R - 2.0) / R}}
    groups = {
        "k-distance reachability lrd lof": of_neighbours,
        "total recursion step cn depth score": of_cuts,
        "one-class-primal one-class-lagrangian one-class-stationary one-class-dual one-class-score rho nu": of_machine,
        "precision p-value validity": of_alarms,
    }
    for names, values in groups.items():
        own |= {f"anomaly-detection-{name}": values for name in names.split()}
    own |= {
        f"{card}lof": of_neighbours, f"{card}forest": of_cuts, f"{card}one-class": of_machine,
        f"{card}precision": of_alarms,
    }  # fmt: skip
    N, M, nu = of_cloud["N"], of_cloud["M"], of_machine[r"\nu"]
    near = (N - M) / M * (1 + (1e-4 if seed % 2 else -1e-4))  # a threshold beside the bound
    own["anomaly-detection-hidden"] = {"t_\\alpha": near}
    shares = {0: of_machine[r"N_{\text{out}}"] / 12, 2: of_machine[r"N_{\text{sv}}"] / 12}
    own["anomaly-detection-one-class-primal"] = own["anomaly-detection-one-class-lagrangian"] = wild(rng, of_machine)
    worth = {
        "anomaly-detection-masking": {1: limit}, f"{card}masking:1": {1: limit},
        "anomaly-detection-idempotent": {2: M * of_cloud["h_#"][0] ** 2}, "anomaly-detection-nu": shares,
        f"{card}one-class:2": {2: 1 / (nu * 12)}, f"{card}one-class:4": shares,
    }  # fmt: skip
    return Instance(of_cloud, own, worth=worth)


UNREAD: dict[str, str] = {}

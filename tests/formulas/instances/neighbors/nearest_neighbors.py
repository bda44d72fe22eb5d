"""Nearest neighbours: a sample, a query, what the library finds for them, and a population of posteriors."""

import numpy as np
from scipy.spatial.distance import cdist, mahalanobis
from scipy.stats import binom
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from notes_lib.neighbors.nearest_neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    asymptotic_risk,
    ball_bound,
    box_bound,
    cover_hart_bound,
    k_nearest,
    neighbor_weights,
)
from tests.formulas.values import At, Instance

X_, A_, B_, C_ = r"\mathbf{x}", r"\mathbf{a}", r"\mathbf{b}", r"\mathbf{c}"
UNREAD = {"nearest-neighbors-set": "the nearest instance outside of a set"}
LEAST = (97, 100)
SYMMETRIC = ("d",)


def distance(order):
    """A Minkowski distance, by SciPy."""
    names = {1: "cityblock", 2: "euclidean", np.inf: "chebyshev"}
    return lambda a, b: cdist([a], [b], names[order])[0, 0]


def set_of(rows):
    """Instances, counted from 1."""
    return frozenset(int(n) + 1 for n in rows)


def instance(seed):
    """Twelve instances of three classes and a query, which is one of them in every other instance."""
    rng = np.random.default_rng(seed)
    N, D, k, p = 12, 3, 4, (1, 2, 2, 1)[seed]
    X, labels = rng.normal(size=(N, D)), np.append([1, 2, 3], rng.integers(1, 4, N - 3))
    x = X[5] if seed % 2 else rng.normal(size=D)
    a, b, c = rng.normal(size=(3, D))
    b = a if seed % 2 else b
    d, order = distance(2), distance(p)
    model = KNeighborsClassifier(k, weights="distance").fit(X, labels)
    shares = lambda q: model.predict_proba([q])[0]
    numbers = rng.normal(size=N)
    weights = neighbor_weights(cdist([x], X), "distance")[0]
    rows = np.arange(N)
    others = lambda q, n: np.delete(rows, n)[k_nearest(np.delete(X, n, axis=0), [q], k).indices[0]]
    between = neighbor_weights(cdist(X, X) + np.eye(N), "distance")
    S = np.cov(X.T, bias=True)
    # posteriors of M classes at eight places that are equally probable
    M = 2 + seed % 2
    eta = rng.dirichlet(np.ones(M), size=8)
    smaller, here, near = 1 - eta.max(axis=1), eta[0], eta[1]
    posterior = lambda q: here if np.allclose(q, x) else near
    limit = asymptotic_risk(eta).mean()
    two = rng.dirichlet([1, 1], size=8)
    few = np.minimum(*two.T)
    share = two[0, 1]
    centre, far = X.mean(axis=0), x + 9.0
    radius = cdist(X, [centre]).max()
    reach = box_bound([far], X.min(axis=0), X.max(axis=0), p)[0]
    values = {
        "n": range(1, N + 1), "l": range(1, N + 1), "j": range(1, D + 1), "c": range(1, 4), "m": range(1, M + 1),
        "N": N, "D": D, "k": k, "p": p, "M": M, A_: a, B_: b, C_: c, X_: x, r"\mathbf{x}_#": X, "d": d, "d_p": order,
        r"d_\infty": distance(np.inf), "a_#": a, "b_#": b, "x_{##}": X, r"\bar x_#": X.mean(axis=0),
        "s_#": X.std(axis=0), "z_{##}": StandardScaler().fit_transform(X), "v_{##}": MinMaxScaler().fit_transform(X),
        "d_S": lambda u, v: mahalanobis(u, v, np.linalg.inv(S)), r"\mathbf{S}": S,
        r"\mathbf{A}": np.linalg.cholesky(S), r"\mathcal{N}_k": lambda q: set_of(k_nearest(X, [q], k).indices[0]),
        r"\mathcal{N}_k^{-#}": {n + 1: lambda q, n=n: set_of(others(q, n)) for n in range(N)},
        "w_#": weights, "y_#": labels, r"\hat\eta_#": [lambda q, c=c: shares(q)[c] for c in range(3)],
        r"\hat y": model.predict([x])[0], r"\hat y_{-#}": model.predict(None),
        r"\text{accuracy}": model.score(None, labels), r"\mathbf{x}_\nu": a, r"\eta": lambda q: posterior(q)[1],
        r"P(\hat y\ne y\mid\mathbf{x},\mathbf{x}_\nu)": 1 - here @ near, "r": lambda q: asymptotic_risk(posterior(q)),
        r"\eta_#": [lambda q, m=m: posterior(q)[m] for m in range(M)],
        r"r^\star": smaller[0], r"R^\star": smaller.mean(), "R": limit, "s": share * (1 - share),
        "r_1": asymptotic_risk(two[0]),
        "r_3": share * binom.cdf(1, 3, share) + (1 - share) * binom.sf(1, 3, share),
        r"\beta": reach, r"\delta_k": 0.9 * reach, r"\rho": radius,
    }  # fmt: skip
    pair = {
        "M": 2, "m": range(1, 3), r"\eta": lambda q: two[0 if np.allclose(q, x) else 1, 1],
        r"P(\hat y\ne y\mid\mathbf{x},\mathbf{x}_\nu)": 1 - two[0] @ two[1], "R": asymptotic_risk(two).mean(),
        r"R^\star": few.mean(), r"\mathbb{E}[r^\star]": few.mean(), r"\mathbb{E}[r^{\star2}]": np.mean(few**2),
        r"\operatorname{Var}r^\star(\mathbf{x})": few.var(), r"r^\star": few[0],
        "r": lambda q: asymptotic_risk(two[0 if np.allclose(q, x) else 1]),
    }  # fmt: skip
    of_each = {"w_#": At(lambda n: between[n - 1], "n")}
    mean = {"y_#": numbers, r"\hat y": KNeighborsRegressor(k, weights="distance").fit(X, numbers).predict([x])[0]}
    outside = {X_: far, "x_#": far, "l_#": X.min(axis=0), "u_#": X.max(axis=0)}
    ball = {X_: far, C_: centre, r"\beta": ball_bound([far], centre, radius)[0]}
    card = "nearest-neighbors-must-know-"
    own = {
        "nearest-neighbors-loo": of_each, "nearest-neighbors-mean": mean, "nearest-neighbors-joint": pair,
        "nearest-neighbors-variance": pair, "nearest-neighbors-three": {r"\eta": share},
        "nearest-neighbors-prune": {X_: far, "d": order}, "nearest-neighbors-box": outside,
        "nearest-neighbors-ball": ball, f"{card}limit:1": pair, f"{card}cover-hart:2": pair,
        f"{card}cover-hart:3": pair, f"{card}prune:2": ball,
    }  # fmt: skip
    worth = {
        "nearest-neighbors-cover-hart": {2: cover_hart_bound(smaller.mean(), M)},
        f"{card}cover-hart:1": {2: cover_hart_bound(smaller.mean(), M)},
        f"{card}scaling:4": np.linalg.solve(np.linalg.cholesky(S), x),
        f"{card}cover-hart:2": {1: cover_hart_bound(few.mean())},
        "nearest-neighbors-box": {1: reach}, "nearest-neighbors-ball": {1: ball_bound([far], centre, radius)[0]},
    }  # fmt: skip
    return Instance(values, own, worth)

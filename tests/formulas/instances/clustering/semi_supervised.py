"""Semi-supervised learning: a random graph, a classifier that labels itself, a mixture, a threshold."""

import warnings

import numpy as np
from scipy.integrate import quad
from scipy.stats import entropy, multivariate_normal
from sklearn.linear_model import LogisticRegression

from notes_lib.clustering.semi_supervised import (
    LabelPropagation,
    SelfTrainingClassifier,
    SemiSupervisedMixture,
    clamped_e_step,
    energy,
    harmonic,
    normalized_weights,
    one_hot,
    queries_needed,
    select_confident,
    spread,
    transition_matrix,
    uncertainty,
    weighted_m_step,
)
from tests.formulas.values import At, Instance

UNREAD = {
    "semi-supervised-series": "the first of its three sides is a sum without end",
}
LEAST = (96, 100)


def graph(rng):
    """Two labelled and five unlabelled nodes, all joined: 0 and 1 at the first two, the harmonic function elsewhere."""
    W = rng.uniform(0.1, 1, (7, 7))
    W = np.triu(W, 1) + np.triu(W, 1).T
    y = np.array([0, 1, *[-1] * 5])
    f, P = harmonic(W, y)[:, 1], transition_matrix(W)
    u, known = slice(2, 7), slice(0, 2)
    moved = np.append(f[known], f[u] + 0.3)  # no fixed point
    after = [np.average(moved, weights=row) for row in W[u]]
    d = W.sum(axis=1)
    values = {
        "n": range(1, 8), "m": range(1, 8), "k": range(1, 3), r"w_{##}": W, "d_#": d, "f_#": rng.normal(size=7),
        "E": At(lambda g: energy(W, g), "f_#"), r"\mathbf{W}": W, r"\mathbf{D}": np.diag(d),
        r"\mathbf{L}": np.diag(d) - W, r"\mathbf{D}^{-1/2}": np.diag(d**-0.5), r"\mathbf{f}_u": f[u],
        r"\mathbf{f}_\ell": f[known], r"\mathbf{L}_{uu}": (np.diag(d) - W)[u, u], r"\mathbf{W}_{u\ell}": W[u, known],
        r"\mathbf{P}_{uu}": P[u, u], r"\mathbf{P}_{u\ell}": P[u, known], r"\mathbf{I}": np.eye(5), r"p_{##}": P,
        r"\mathcal{L}": frozenset({1, 2}), r"\mathcal{U}": frozenset(range(3, 8)), r"\mathbf{v}": f[u] - 0.4,
        "v_#": np.append([np.nan, np.nan], f[u] - 0.4),
    }  # fmt: skip
    values[r"\mathbf{f}"] = values["f_#"]
    step = {r"\mathbf{f}_u": moved[u], r"\mathbf{f}_u\leftarrow": after}
    own = {
        "semi-supervised-mean-value": {"f_#": f, "n": range(3, 8)}, "semi-supervised-iteration": step,
    }  # fmt: skip
    return W, y, values, own


def spreading_of(rng, W, y):
    """Label spreading on the graph: two rounds, the limit, and the cost of any scores."""
    alpha, Y, S = 0.7, one_hot(y), normalized_weights(W)
    three, four, limit = (spread(W, Y, alpha, rounds, 0.0).F for rounds in (3, 4, 3000))
    d = W.sum(axis=1)
    F, mu = rng.normal(size=Y.shape), (1 - alpha) / alpha
    pairs = [W[i, j] * sum((F[i] / d[i] ** 0.5 - F[j] / d[j] ** 0.5) ** 2) for i in range(7) for j in range(i)]
    base = {r"\mathbf{S}": S, r"\alpha": alpha, r"\mathbf{Y}": Y, r"\mathbf{I}": np.eye(7)}
    return base, {
        "semi-supervised-spread-step": {r"\mathbf{F}": three, r"\mathbf{F}\leftarrow": four},
        "semi-supervised-must-know-spreading:1": {r"\mathbf{F}": three, r"\mathbf{F}\leftarrow": four},
        "semi-supervised-spreading": {r"\mathbf{F}": limit},
        "semi-supervised-spread-cost": {
            r"Q(\mathbf{F})": sum(pairs) + mu * ((F - Y) ** 2).sum(), r"\mathbf{F}_#": F, r"\mathbf{Y}_#": Y,
            r"\mu": mu,
        },
        "semi-supervised-indicator": {r"Y_{##}": Y, "y_#": y + 1},
    }  # fmt: skip


def mixture(rng):
    """EM with some labels: responsibilities, the step that follows from them, and densities by SciPy."""
    true = rng.integers(0, 2, 12)
    X, y = rng.normal(size=(12, 2)) + 2.0 * true[:, None], np.where(np.arange(12) < 6, true, -1)
    y[:2] = 0, 1
    lam = rng.uniform(0.2, 0.8)
    v = np.where(y < 0, lam, 1.0)
    theta = ([0.4, 0.6], X[:2], np.tile(np.eye(2), (2, 1, 1)))
    step = clamped_e_step(X, y, theta)
    new = weighted_m_step(X, step.responsibilities, v, reg_covar=0.0)
    joint = np.column_stack([p * multivariate_normal(m, S).pdf(X) for p, m, S in zip(*theta, strict=True)])
    value = v @ step.log_likelihood
    model = SemiSupervisedMixture(unlabeled_weight=lam, reg_covar=0.0, tol=0.0, max_iter=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bounds = model.fit(X, y).lower_bounds_
    count = (v[:, None] * step.responsibilities).T
    ones = lambda where: frozenset(int(n) + 1 for n in np.flatnonzero(where))
    values = {
        "n": range(1, 13), "k": range(1, 3), r"\mathbf{x}_#": X, "y_#": y + 1, "v_#": v, r"\lambda": lam,
        r"\ell(\boldsymbol{\theta})": value, r"\gamma_{##}": step.responsibilities,
        r"\mathcal{L}": ones(y >= 0), r"\mathcal{U}": ones(y < 0),
        r"p(\mathbf{x}_#,y_#)": lambda n, m: joint[n - 1, y[m - 1]], r"p(\mathbf{x}_#,#)": joint,
        r"p(\mathbf{x}_#)": joint.sum(axis=1), "N_#": [sum(row) for row in count], r"\pi_#": new.weights,
        r"\boldsymbol{\mu}_#": new.means, r"\boldsymbol{\Sigma}_#": new.covariances,
        r"\ell(\boldsymbol{\theta}^{\text{new}})": bounds[1], r"\ell(\boldsymbol{\theta}^{\text{old}})": bounds[0],
    }  # fmt: skip
    names = ("likelihood", "e-step", "count", "mean", "covariance", "share", "monotone", "must-know-em")
    own = {f"semi-supervised-{name}": values for name in names}
    own["semi-supervised-must-know-em:1"] = {"n": range(1, 7)}  # those with a label
    return own


def self_labelled(rng):
    """A classifier on a line: rows above the threshold, and the labels that self-training gives them."""
    X = np.append([-1.0, 1.0], rng.normal(size=10) * 2)[:, None]
    y = np.array([0, 1, *[-1] * 10])
    P = LogisticRegression().fit(X[:2], y[:2]).predict_proba(X)
    model = SelfTrainingClassifier(LogisticRegression(), threshold=0.6, max_iter=1).fit(X, y)
    rows = select_confident(P[2:], 0.6) + 2
    values = {
        "n": range(1, len(rows) + 1), "k": range(1, 3), r"\tau": 0.6,
        r"P(#\mid\mathbf{x}_#)": lambda k, n: P[rows][n - 1, k - 1],
        r"\hat y_#": model.transduction_[rows] + 1,
    }  # fmt: skip
    return {f"semi-supervised-{name}": values for name in ("select", "pseudo-label", "must-know-self:1")}


def divergences(rng):
    """A true distribution of three values and two classes, that of a model, and the mean log-likelihood of a row."""
    p, q = (rng.dirichlet(np.ones(6)).reshape(3, 2) for _ in range(2))
    a = rng.uniform(0.2, 0.8)
    rows, model = p.sum(axis=1), q.sum(axis=1)
    mean = a * sum(p[i, j] * np.log(q[i, j]) for i in range(3) for j in range(2))
    mean += (1 - a) * sum(rows[i] * np.log(model[i]) for i in range(3))
    return {
        r"\bar\ell(\boldsymbol{\theta})": mean, "a": a, "c": -a * entropy(p.ravel()) - (1 - a) * entropy(rows),
        r"D_{\mathbf{x}y}(\boldsymbol{\theta})": entropy(p.ravel(), q.ravel()),
        r"D_{\mathbf{x}}(\boldsymbol{\theta})": entropy(rows, model),
    }  # fmt: skip


def new_row(rng):
    """A fitted graph and a row that is not on it."""
    X = rng.normal(size=(9, 2))
    y = np.array([0, 1, *[-1] * 7])
    model = LabelPropagation(gamma=0.5, max_iter=50_000).fit(X, y)
    return {
        "n": range(1, 10), r"\mathbf{x}": rng.normal(size=2), r"\mathbf{x}_#": X,
        "f": At(lambda x: float(model.predict_proba(x[None])[0, 1])), "f_#": model.label_distributions_[:, 1],
        "w": At(lambda x, z: float(np.exp(-0.5 * ((x - z) ** 2).sum()))),
    }  # fmt: skip


def instance(seed):
    """All of these."""
    rng = np.random.default_rng(seed)
    W, y, values, own = graph(rng)
    base, by_spreading = spreading_of(rng, W, y)
    P, theta = rng.dirichlet(np.ones(4)), rng.uniform(0.1, 0.9)
    gap = lambda m, top: quad(lambda t: (1 - t) ** m, 0, top)[0]  # mean distance to the next of m labels, or to the end
    own |= {key: {**base, **table} for key, table in by_spreading.items()}
    own |= mixture(rng) | self_labelled(rng)
    own["semi-supervised-divergence"] = divergences(rng)
    own["semi-supervised-new"] = new_row(rng)
    own["semi-supervised-uncertainty"] = {
        "k": range(1, 5), r"P(#\mid\mathbf{x})": P, r"u(\mathbf{x})": uncertainty(P[None])[0],
    }  # fmt: skip
    rows = {"n": 5 + 40 * seed, "q": At(lambda n: queries_needed(int(n)))}
    own["semi-supervised-queries"] = own["semi-supervised-must-know-queries:1"] = rows
    own["semi-supervised-passive"] = {
        "m": 3 + seed, r"\theta": theta, "r": At(lambda m: gap(int(m), 1 - theta) + gap(int(m), theta)),
    }  # fmt: skip
    own["semi-supervised-must-know-queries:2"] = {"m": 3}
    worth = {
        "semi-supervised-must-know-harmonic:1": energy(W, values["f_#"]),
        "semi-supervised-must-know-queries:2": 1 / 8,
        "semi-supervised-must-know-spreading:3": {0: 0, 2: 1},
    }
    return Instance({**values, r"\alpha": 0.7, r"\mathbf{S}": base[r"\mathbf{S}"]}, own, worth)

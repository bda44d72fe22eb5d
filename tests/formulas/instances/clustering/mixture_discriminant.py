"""Mixture discriminant analysis: two classes in five groups far apart, fitted by the library; clusters and segments."""

import numpy as np
from scipy.stats import multivariate_normal

from notes_lib.bayes.density_estimation import KernelDensity
from notes_lib.clustering.gmm import MStep, e_step, m_step
from notes_lib.clustering.mixture_discriminant import (
    ClusterFeatures,
    MixtureDiscriminantAnalysis,
    choose_components,
    mda_parameters,
    segment_profile,
)
from notes_lib.linear.gaussian_discriminant import QuadraticDiscriminantAnalysis
from tests.formulas.values import At, Instance

J, GROUPS = [3, 2], np.array([0, 1, 0, 1, 0])  # components of each class, and the class of each group
UNREAD = {"mixture-discriminant-jaccard": "an intersection of sets"}
LEAST = (96, 100)


def normals(mixture):
    """The densities of the components, by SciPy."""
    return [
        At(lambda x, m=m, S=S: float(multivariate_normal(m, S).pdf(np.ravel(x))))
        for m, S in zip(mixture.means_, mixture.covariances_, strict=True)
    ]


def classes(X, y, model, x):
    """Densities, log-likelihoods, posteriors and shares of a fitted model."""
    q = At(lambda x: model.predict_proba(np.reshape(x, (1, -1)))[0])
    each = [normals(m) for m in model.mixtures_]
    rows = [X[y == k] for k in (0, 1)]
    whole = [np.log(P) * len(r) for P, r in zip(model.priors_, rows, strict=True)]
    own = [m.score_samples(r).sum() for m, r in zip(model.mixtures_, rows, strict=True)]
    parts = At(lambda x: model.component_proba(np.reshape(x, (1, -1))))
    density = [At(lambda x, m=m: float(np.exp(m.score_samples(np.reshape(x, (1, -1)))[0]))) for m in model.mixtures_]
    return {
        "K": 2, "D": X.shape[1], "N": len(X), "k": range(1, 3), "m": range(1, 3), r"\mathbf{x}": x,
        r"\mathbf{x}_#": X, "n": range(1, len(X) + 1), "N_#": [len(r) for r in rows], "P_#": model.priors_,
        "C_#": [frozenset(np.flatnonzero(y == k) + 1) for k in (0, 1)],
        "J_#": [len(m.weights_) for m in model.mixtures_],
        r"\pi_{##}": lambda k, j: model.mixtures_[k - 1].weights_[j - 1],
        r"\mathcal{N}_{##}": {(k + 1, j + 1): N for k in (0, 1) for j, N in enumerate(each[k])}, "p_#": density,
        "p": At(lambda x: float(np.exp(model.score_samples(np.reshape(x, (1, -1)))[0]))),
        "q_#": [At(lambda x, k=k: q(x)[k]) for k in (0, 1)], "j": range(1, 3),
        "r_{##}": {
            (k + 1, j + 1): At(lambda x, k=k, j=j: parts(x)[k][0, j]) for k in (0, 1) for j in range(len(each[k]))},
        r"\hat y": At(lambda x: 1 + int(model.predict(np.reshape(x, (1, -1)))[0])),
        r"\ell": sum(whole) + sum(own), r"\ell_#": own,
    }  # fmt: skip


def step_of_em(X, y, model, rng):
    """One step of the library in each class, from moved means."""
    thetas = [MStep(m.weights_, m.means_ + rng.normal(size=m.means_.shape), m.covariances_) for m in model.mixtures_]
    rows = [X[y == k] for k in (0, 1)]
    gammas = [e_step(r, *t) for r, t in zip(rows, thetas, strict=True)]
    after = [m_step(r, g.responsibilities, reg_covar=0.0) for r, g in zip(rows, gammas, strict=True)]
    place = {n: (int(k), int((y[:n] == k).sum())) for n, k in enumerate(y)}
    gamma = lambda n, j: gammas[place[n - 1][0]].responsibilities[place[n - 1][1], j - 1]
    deviation = lambda n, j: X[n - 1] - after[place[n - 1][0]].means[j - 1]
    height = [
        {1: float(g.log_likelihood.sum()), 2: float(e_step(r, *t).log_likelihood.sum())}
        for r, g, t in zip(rows, gammas, after, strict=True)
    ]
    return {
        r"\gamma_{##}": gamma, r"\mathbf{d}_{##}": deviation,
        "N_{##}": lambda k, j: gammas[k - 1].responsibilities[:, j - 1].sum(),
        r"\pi_{##}\leftarrow": lambda k, j: after[k - 1].weights[j - 1],
        r"\boldsymbol{\mu}_{##}\leftarrow": lambda k, j: after[k - 1].means[j - 1],
        r"\boldsymbol{\Sigma}_{##}\leftarrow": lambda k, j: after[k - 1].covariances[j - 1],
        r"\boldsymbol{\theta}_#^{(#)}": lambda k, t: t, "t": range(1, 2),
        r"\ell_#": [At(lambda t, h=h: h[round(t)]) for h in height],
    }  # fmt: skip


def responsibilities(X, y, model):
    """Of the fitted model: those of each instance for the components of its class."""
    place = {n: (int(k), X[n : n + 1]) for n, k in enumerate(y)}
    return {
        r"\gamma_{##}": lambda n, j: model.mixtures_[place[n - 1][0]].predict_proba(place[n - 1][1])[0, j - 1],
    }


def features(X, rng):
    """Labels by the library, and linear models on them by least squares."""
    soft = ClusterFeatures(3, random_state=0).fit(X)
    hard = ClusterFeatures(3, "hard", random_state=0).fit(X)
    x, target = X[0] + rng.normal(size=2), rng.normal(size=len(X))
    mixture = soft.mixture_
    row = lambda model, x: model.transform(np.reshape(x, (1, -1)))[0]
    common = {
        "J": 3, "j": range(1, 4), "m": range(1, 4), r"\mathbf{x}": x, r"\pi_#": mixture.weights_,
        r"\mathcal{N}_#": normals(mixture), "h_#": [At(lambda x, j=j: row(soft, x)[j]) for j in range(3)],
        "b_#": [At(lambda x, j=j: row(hard, x)[j]) for j in range(3)],
    }  # fmt: skip
    a = np.linalg.lstsq(soft.transform(X), target)[0]
    local = ClusterFeatures(3, local=True, random_state=0).fit(X)
    w = np.linalg.lstsq(local.transform(X), target)[0]
    constant = common | {"a_#": a, "f": At(lambda x: row(soft, x) @ a)}
    lines = common | {"a_#": w[:3], r"\mathbf{w}_#": w[3:].reshape(3, 2), "f": At(lambda x: row(local, x) @ w)}
    return constant, lines


def segments(X, rng):
    """The library's profile of four segments."""
    labels = np.r_[0, 1, 2, 3, rng.integers(0, 4, len(X) - 4)]
    profile = segment_profile(X, labels)
    within = sum(((X[labels == j] - X[labels == j].mean(axis=0)) ** 2).sum(axis=0) for j in range(4))
    return {
        "J": 4, "j": range(1, 5), "d": range(1, 3), "z_{##}": profile.standouts, "m_{##}": profile.means,
        r"\bar x_#": X.mean(axis=0), "s_#": X.std(axis=0), r"\omega_#": profile.shares,
        "R_#^2": 1 - within / (len(X) * X.var(axis=0)),
    }  # fmt: skip


def instance(seed):
    """Groups of eight to twelve instances, some standard deviations apart."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(8, 13, 5)
    centers = np.array([[0, 0], [9, 1], [18, 0], [27, 1], [36, 0]])
    X = np.vstack([c + rng.normal(size=(n, 2)) for c, n in zip(centers, sizes, strict=True)])
    y = np.repeat(GROUPS, sizes)
    model = MixtureDiscriminantAnalysis(J, reg_covar=1e-6, random_state=0).fit(X, y)
    x = np.array([4.5, 0.5]) + rng.normal(size=2)
    values = classes(X, y, model, x)
    stepped = step_of_em(X, y, model, rng)
    choice = choose_components(X, y, sorted(J), random_state=0).bic  # two components, then three
    values |= {
        r"\mathrm{BIC}": model.bic(X, y), r"\mathrm{BIC}_#": [choice[0, 1], choice[1, 0]],
        "M": mda_parameters(J, 2), "M_#": [mda_parameters([n], 2) for n in J],
    }  # fmt: skip
    single = MixtureDiscriminantAnalysis(1).fit(X, y)
    qda = QuadraticDiscriminantAnalysis().fit(X, y)
    h = 1.3
    windows = [KernelDensity(bandwidth=h).fit(X[y == k]) for k in (0, 1)]
    constant, lines = features(X, rng)
    profile, card = segments(X, rng), "mixture-discriminant-must-know-"
    own = {
        "mixture-discriminant-responsibility": responsibilities(X, y, model), "mixture-discriminant-mstep": stepped,
        "mixture-discriminant-monotone": stepped,
        "mixture-discriminant-one-component": classes(X, y, single, x) | {
            r"\delta_#": [At(lambda x, k=k: qda._scores(np.reshape(x, (1, -1)))[0, k]) for k in (0, 1)]},
        "mixture-discriminant-parzen": {
            "p_#": [At(lambda x, w=w: float(np.exp(w.score_samples(np.reshape(x, (1, -1)))[0]))) for w in windows],
            r"\mathcal{N}(\mathbf{x}\mid\mathbf{x}_#,h^2\mathbf{I})":
                lambda n: multivariate_normal(X[n - 1], h * h * np.eye(2)).pdf(x)},
        "mixture-discriminant-soft": constant, "mixture-discriminant-hard": constant,
        "mixture-discriminant-constant": constant, "mixture-discriminant-local": lines,
        "mixture-discriminant-standout": profile, "mixture-discriminant-explained": profile,
        f"{card}features:1": constant, f"{card}features:2": lines,
    }  # fmt: skip
    return Instance(values, own)

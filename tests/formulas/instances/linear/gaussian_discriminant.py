"""Gaussian discriminant analysis: two classes fitted by the library, densities by SciPy, counts of Poisson classes."""

import numpy as np
from scipy.stats import multivariate_normal, norm, poisson

from notes_lib.linear.gaussian_discriminant import (
    LinearDiscriminantAnalysis,
    class_gaussians,
    lda_coefficients,
    lda_error,
    logistic_parameters,
    qda_scores,
    regularized_covariances,
)
from tests.formulas.values import At, Instance

X_, MU, S = r"\mathbf{x}", r"\boldsymbol{\mu}_#", r"\boldsymbol{\Sigma}"
POSTERIOR = r"p(y=#\mid\mathbf{x})"


def density(mean, covariance):
    """A Gaussian density by SciPy."""
    return At(lambda x: float(multivariate_normal(mean, covariance).pdf(np.ravel(x))), X_)


def quadratic(means, covariances, priors):
    """The library's quadratic scores, a function for each class."""
    return [
        At(lambda x, k=k: float(qda_scores(np.reshape(x, (1, -1)), means, covariances, priors)[0, k]), X_)
        for k in range(len(priors))
    ]


def linear(means, covariance, priors):
    """The library's linear scores and their coefficients."""
    w, w_0 = lda_coefficients(means, covariance, priors)
    return {
        r"\mathbf{w}_#": w, "w_{#,0}": w_0,
        r"\delta_#": [At(lambda x, k=k: float(w[k] @ np.ravel(x) + w_0[k]), X_) for k in range(len(priors))],
    }  # fmt: skip


def line(rng):
    """Two classes on a line, and the coefficients of the difference of their scores, from three of its values."""
    mu, sigma, pi = rng.normal(size=2), rng.uniform(0.5, 2, 2), rng.dirichlet([2, 2])
    places = np.array([-1.0, 0.0, 1.0])
    scores = qda_scores(places[:, None], mu[:, None], sigma[:, None, None] ** 2, pi)
    a, b, c = np.polyfit(places, scores[:, 1] - scores[:, 0], 2)
    return {"a": a, "b": b, "c": c, r"\mu_#": mu, r"\sigma_#": sigma, r"\pi_#": pi}


def counts(rng):
    """Independent counts in two classes: the posterior by Bayes' theorem from SciPy's probabilities."""
    rates, pi, x = rng.uniform(0.5, 5, (2, 3)), rng.dirichlet([2, 2]), rng.integers(0, 6, 3)
    joint = pi * poisson(rates).pmf(x).prod(axis=1)
    return {
        "j": range(1, 4), "D": 3, r"\lambda_{##}": rates, r"\pi_#": pi, "x_#": x,
        r"p(#\mid\mathbf{x})": joint / joint.sum(),
    }  # fmt: skip


def instance(seed):
    """Two clouds of different shape in the plane, 14 and 11 points."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [14, 11])
    X = rng.normal(size=(25, 2)) @ rng.normal(size=(2, 2)) + np.outer(y, [1.5, 0.5])
    X[y == 1] *= 1.4
    fit = class_gaussians(X, y)
    pi, mu, each, pooled = fit.priors, fit.means, fit.covariances, fit.pooled
    x = X[0] + rng.normal(size=2)
    own_density = [density(m, V) for m, V in zip(mu, each, strict=True)]
    joint = lambda x: np.array([p * f(x) for p, f in zip(pi, own_density, strict=True)])
    w, b = logistic_parameters(mu, pooled, pi)
    lda = LinearDiscriminantAnalysis().fit(X, y)
    posterior = lda.predict_proba(x[None])[0]
    scores = quadratic(mu, each, pi)
    constant = scores[0](x) - np.log(joint(x)[0])
    gap = mu[1] - mu[0]
    delta = float(np.sqrt(gap @ np.linalg.solve(pooled, gap)))
    rda = 0.3, 0.2
    members = [frozenset(np.flatnonzero(y == k) + 1) for k in (0, 1)]
    total = sum(np.log(pi[k]) + multivariate_normal(mu[k], each[k]).logpdf(row) for k, row in zip(y, X, strict=True))
    normal = lambda k, x: float(np.exp(qda_scores(np.reshape(x, (1, -1)), mu, each, [0.5, 0.5])[0, k - 1]) / np.pi)
    other = 1.3 * pooled + 0.2 * np.eye(2)
    common = sum(multivariate_normal(mu[k], other).logpdf(row) for k, row in zip(y, X, strict=True))
    values = {
        "K": 2, "D": 2, "N": len(X), "k": range(1, 3), "j": range(1, 3), "n": range(1, len(X) + 1),
        "N_#": np.bincount(y), "C_#": members, X_: x, r"\mathbf{x}_#": X, "y_#": y + 1, r"\pi_#": pi,
        r"\hat\pi_#": pi, MU: mu, r"\hat{\boldsymbol{\mu}}_#": mu, r"\boldsymbol{\Sigma}_#": each,
        r"\hat{\boldsymbol{\Sigma}}_#": each, r"\hat{\boldsymbol{\Sigma}}": pooled, S: pooled,
        "p(y=#)": [np.mean(y == k) for k in (0, 1)],
        r"p(\mathbf{x}\mid y=#)": lambda k: normal(k, x),
        r"\mathcal{N}(\mathbf{x}\mid\boldsymbol{\mu}_#,\boldsymbol{\Sigma}_#)": lambda k, _: own_density[k - 1](x),
        r"\mathcal{N}(\boldsymbol{\mu}_#,\boldsymbol{\Sigma}_#)": lambda k, _: own_density[k - 1](x),
        r"\mathcal{N}(\mathbf{x}_#\mid\boldsymbol{\mu}_#,\boldsymbol{\Sigma}_#)": lambda n, k, _: normal(k, X[n - 1]),
        r"p(\mathbf{x}_#,y_#)": lambda n, _: float(joint(X[n - 1])[y[n - 1]]),
        r"\ell": total, r"\delta_#": scores, r"\text{const}": constant, r"\mathbf{w}": w, "b": b,
        r"\hat y": At(lambda x: 1 + int(joint(x).argmax()), X_), r"\mathbf{I}": np.eye(2),
        POSTERIOR: posterior, r"p(#\mid\mathbf{x})": posterior, r"\Phi": lambda t: float(norm.cdf(t)),
        r"\sigma": lambda t: 1 / (1 + np.exp(-t)), r"\Delta": delta, r"\text{error}": lda_error(mu, pooled, pi),
        r"\alpha": rda[0], r"\gamma": rda[1],
        r"\mathbf{A}_#": regularized_covariances(each, pooled, rda[0], 0.0),
        r"\boldsymbol{\Sigma}_#(\alpha,\gamma)": regularized_covariances(each, pooled, *rda),
    }  # fmt: skip
    shared = linear(mu, pooled, pi)
    own = {
        "gaussian-discriminant-pooled": {S: other, r"\text{const}": -len(X) * np.log(2 * np.pi)},
        "gaussian-discriminant-line": line(rng), "gaussian-discriminant-poisson": counts(rng),
        "gaussian-discriminant-lda-score": shared, "gaussian-discriminant-posterior": shared,
        "gaussian-discriminant-softmax": shared, "gaussian-discriminant-must-know-lda": shared,
        "gaussian-discriminant-must-know-error": {r"\pi_#": [0.5, 0.5]},
    }  # fmt: skip
    worth = {
        "gaussian-discriminant-pooled": common,
        "gaussian-discriminant-must-know-lda:2": x @ np.linalg.solve(pooled, x),
        "gaussian-discriminant-must-know-error:1": lda_error(mu, pooled, [0.5, 0.5]),
    }
    return Instance(values, own, worth)

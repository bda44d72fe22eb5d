"""Bayesian linear regression: six rows of three features, the library's posteriors, SciPy's densities, conditionals."""

import numpy as np
from scipy.stats import gamma, multivariate_normal, norm, t

from notes_lib.linear.bayesian_regression import (
    NormalInverseGamma,
    choose_precisions,
    effective_parameters,
    log_evidence,
    normal_inverse_gamma_update,
    predictive,
    predictive_covariance,
    student_predictive,
    update_weights,
    weight_posterior,
)
from tests.formulas.values import At, Instance

N, D, PLACES = 6, 3, 2
W, PHI, M, S = r"\mathbf{w}", r"\boldsymbol\Phi", r"\mathbf{m}", r"\mathbf{S}"
NEW = r"\boldsymbol\phi_*"
CONDITIONS = {"bayesian-regression-must-know-posterior:1"}  # the prior


def conditional(X, y, new, alpha, beta):
    """Mean and covariance of new targets given the old ones, from one big Gaussian without weights."""
    every = np.vstack([X, new])
    joint = every @ every.T / alpha + np.eye(len(every)) / beta
    gain = joint[N:, :N] @ np.linalg.inv(joint[:N, :N])
    return gain @ y, joint[N:, N:] - gain @ joint[:N, N:]


def of_unknown_noise(rng, X, y, x):
    """A normal-inverse-gamma prior and the library's update; the scale from the quartiles of the mixture."""
    root = rng.normal(size=(D, D))
    prior = NormalInverseGamma(rng.normal(size=D), root @ root.T + np.eye(D), rng.uniform(1, 3), rng.uniform(0.5, 2))
    after = normal_inverse_gamma_update(prior, X, y)
    told = student_predictive(x[None], after)
    u = gamma(after.a, scale=1 / after.b).ppf((np.arange(200_000) + 0.5) / 200_000)
    wide = 1 + x @ np.linalg.solve(after.precision, x)
    mixed = norm.cdf(told.scale[0], 0, np.sqrt(wide / u)).mean()  # of the mixture, one scale above its centre
    assert np.isclose(mixed, t(told.df).cdf(1), atol=1e-4)
    return {
        r"\mathbf{P}_0": prior.precision, r"\mathbf{m}_0": prior.mean, "a_0": prior.a, "b_0": prior.b,
        r"\mathbf{P}": after.precision, M: after.mean, "a": told.df / 2, "b": after.b, r"\sigma_*": told.scale[0],
    }  # fmt: skip


def instance(seed):
    """Any weights w, precisions, a prior for a second part of the rows, and the precisions of the largest evidence."""
    rng = np.random.default_rng(seed)
    X, y, alpha, beta = rng.normal(size=(N, D)), rng.normal(size=N), rng.uniform(0.5, 2), rng.uniform(1, 3)
    w, x, new = rng.normal(size=D), rng.normal(size=D), rng.normal(size=(PLACES, D))
    post = weight_posterior(X, y, alpha, beta)
    mean, spread = conditional(X, y, x[None], alpha, beta)
    _, many = conditional(X, y, new, alpha, beta)
    likelihood = multivariate_normal(X @ w, 1 / beta).pdf(y)
    prior = multivariate_normal(np.zeros(D), 1 / alpha).pdf(w)
    evidence = multivariate_normal(np.zeros(N), X @ X.T / alpha + np.eye(N) / beta).pdf(y)
    belief = multivariate_normal(post.mean, post.covariance)
    left = np.log(likelihood * prior / evidence)
    const = left + beta / 2 * np.sum((y - X @ w) ** 2) + alpha / 2 * w @ w
    first = weight_posterior(X[:3], y[:3], alpha, beta)
    second, one = update_weights(first, X[3:], y[3:], beta), update_weights(first, X[3:4], y[3:4], beta)
    best = choose_precisions(X, X @ w + 0.3 * y, tol=1e-13, max_iter=5000)
    at_best = weight_posterior(X, X @ w + 0.3 * y, best.alpha, best.beta)
    told = predictive(x[None], post, beta)
    functions = predictive_covariance(new, post, beta) - np.eye(PLACES) / beta
    s = np.linalg.svd(X, compute_uv=False)
    height = norm(told.mean[0], np.sqrt(told.ignorance[0]))
    point = rng.normal()
    values = {
        "n": range(1, N + 1), "i": range(1, D + 1), "N": N, "D": D, PHI: X, r"\boldsymbol\phi_#": X, NEW: x, W: w,
        r"\mathbf{y}": y, "y_#": y, r"\alpha": alpha, r"\beta": beta, M: post.mean, S: post.covariance,
        r"\mathbf{A}": np.linalg.inv(post.covariance), r"\mathbf{I}": np.eye(D), r"\mathbf{0}": np.zeros(D), "s_#": s,
        r"p(\mathbf{w}\mid\mathbf{y})": np.exp(left), r"\text{const}": const, r"\pi": np.pi,
        r"\text{const}'": const - beta / 2 * y @ y, r"p(\mathbf{y}\mid\alpha,\beta)": evidence,
        "L": At(lambda a, b: log_evidence(X, y, a, b), r"\alpha", r"\beta"), "y_*": point,
        r"\gamma": effective_parameters(X, alpha, beta),
        r"\lambda": post.mean @ X.T @ (y - X @ post.mean) / (post.mean @ post.mean),
    }  # fmt: skip
    card = "bayesian-regression-must-know-"
    parts = {r"\mathbf{S}_1": second.covariance, r"\mathbf{S}_0": first.covariance, r"\mathbf{m}_1": second.mean,
             r"\mathbf{m}_0": first.mean, PHI: X[3:], r"\mathbf{y}": y[3:]}  # fmt: skip
    top = {r"\alpha": best.alpha, r"\beta": best.beta, r"\gamma": best.gamma, M: at_best.mean,
           r"\mathbf{y}": X @ w + 0.3 * y}  # fmt: skip
    forecast = {r"\operatorname{E}[y_*\mid\mathbf{y}]": mean[0], r"\operatorname{Var}[y_*\mid\mathbf{y}]": spread[0, 0]}
    noise = of_unknown_noise(rng, X, y, x)
    own = {
        "bayesian-regression-likelihood": {
            r"p(\mathbf{y}\mid\mathbf{w})": likelihood,
            r"\mathcal{N}(y_#\mid\mathbf{w}^\top\boldsymbol\phi_#,\beta^{-1})": lambda n, _: norm(
                X[n - 1] @ w, beta**-0.5).pdf(y[n - 1]),
        },
        "bayesian-regression-prior": {r"p(\mathbf{w})": np.prod(norm(0, alpha**-0.5).pdf(w)),
                                      r"\mathcal{N}(\mathbf{w}\mid\mathbf{0},\alpha^{-1}\mathbf{I})": prior},
        "bayesian-regression-posterior": {r"\mathcal{N}(\mathbf{w}\mid\mathbf{m},\mathbf{S})": belief.pdf(w)},
        "bayesian-regression-sequential": parts, f"{card}sequential": parts,
        "bayesian-regression-rank-one": {r"\mathbf{S}_1": one.covariance, r"\mathbf{S}_0": first.covariance,
                                         r"\boldsymbol\phi": X[3]},
        "bayesian-regression-average": {
            r"p(y_*\mid\mathbf{y})": norm(mean[0], np.sqrt(spread[0, 0])).pdf(point),
            r"\mathcal{N}(y_*\mid f,\beta^{-1})": At(lambda f: float(norm(f, beta**-0.5).pdf(point)), "f"),
            r"p(f\mid\mathbf{y})": At(lambda f: float(height.pdf(f)), "f"), "f": 0.0,
        },
        "bayesian-regression-predictive": forecast, f"{card}predictive": forecast,
        "bayesian-regression-process": {
            r"\operatorname{Cov}[f(\mathbf{x}_a),f(\mathbf{x}_b)\mid\mathbf{y}]": functions[0, 1],
            r"\boldsymbol\phi_a": new[0], r"\boldsymbol\phi_b": new[1], r"\mathbf{I}": np.eye(PLACES),
            r"\boldsymbol\Phi_*": new, r"\operatorname{Cov}[\mathbf{y}_*\mid\mathbf{y}]": many,
        },
        "bayesian-regression-fixed-point": top, f"{card}evidence": top, "bayesian-regression-nig": noise,
        "bayesian-regression-student": noise, f"{card}student:1": noise,
    }  # fmt: skip
    return Instance(values, own)

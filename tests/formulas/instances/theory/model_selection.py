"""Model selection: a Gaussian mean, where both expansions are exact, regressions, smoothers, and the best of scores."""

import numpy as np
from scipy import stats
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import ndtr

from notes_lib.linear.bayesian_regression import log_evidence
from notes_lib.linear.regularization import Ridge
from notes_lib.theory.model_selection import (
    aic,
    bic,
    gaussian_log_likelihood,
    gcv_score,
    loo_score,
    mdl,
)
from tests.formulas.values import At, Instance

HAT, STAR, THETA = r"\hat{\boldsymbol{\theta}}", r"\boldsymbol{\theta}_\star", r"\boldsymbol{\theta}"
ELL = rf"\ell({HAT})"
DELTA, TRACE = r"\boldsymbol{\Delta}", r"\operatorname{Cov}" + HAT
DATA = r"\mathcal{D}"
EVIDENCE = rf"p({DATA}\mid\mathcal{{M}})"
FALLS = r"O(\tfrac1N)"
UNREAD = {"model-selection-overfit": "a limit of the chance of an inequality; the section simulates it"}
LEAST = (97, 100)


def of_a_mean(rng):
    """A model with a known covariance S that is wrong: the gradient is S^-1 (z - mean), and all terms are exact."""
    N, d = 9, 2
    mix, own = rng.normal(size=(2, d, d))
    C, S = mix @ mix.T + np.eye(d), own @ own.T + np.eye(d)  # covariance of the truth and of the model
    star = rng.normal(size=d)
    z = rng.multivariate_normal(star, C, size=N)
    hat = z.mean(axis=0)
    model = lambda mean: stats.multivariate_normal(mean, S)
    draws, chance = np.polynomial.hermite_e.hermegauss(4)  # an exact rule for squares
    nodes = np.array([[a, b] for a in draws for b in draws]) @ np.linalg.cholesky(C).T + star
    weights = np.outer(chance, chance).ravel() / chance.sum() ** 2
    expected = lambda mean: float(weights @ model(mean).logpdf(nodes))
    scores = (nodes - star) @ np.linalg.inv(S)  # gradients of the log density at the truth
    within = (np.eye(N) - 1 / N).trace()  # how many covariances the squares around the mean are worth
    quadratic = lambda M: float(np.trace(np.linalg.solve(S, M)))  # of a vector with second moments M
    flattery = -within / 2 * quadratic(C) + N / 2 * (quadratic(C) + quadratic(C / N))
    return {
        "N": N, DELTA: hat - star, DELTA + r"^\top": (hat - star)[None], r"\mathbf{J}": np.linalg.inv(S),
        r"\mathbf{K}": scores.T @ (weights[:, None] * scores), r"\mathbf{J}^{-1}": S, "o(1)": 0,
        rf"\Lambda({HAT})": expected(hat), rf"\Lambda({STAR})": expected(star),
        ELL: model(hat).logpdf(z).sum(), rf"\ell({STAR})": model(star).logpdf(z).sum(), TRACE: C / N,
        rf"\mathbb{{E}}\big[{ELL}-N\Lambda({HAT})\big]": flattery,
        rf"\mathbb{{E}}\,{DELTA}^\top\mathbf{{J}}{DELTA}": quadratic(C / N),
    }  # fmt: skip


def a_divergence(rng):
    """Two normal distributions: the divergence in closed form, the expectations by quadrature."""
    a, b, s, t = *rng.normal(size=2), *rng.uniform(0.5, 2, size=2)
    truth, model = stats.norm(a, s), stats.norm(b, t)
    return {
        rf"D\big(p_\star\,\Vert\,p(\cdot\mid{THETA})\big)": np.log(t / s) + (s**2 + (a - b) ** 2) / (2 * t**2) - 0.5,
        r"\mathbb{E}\ln p_\star(z)": -truth.entropy(),
        rf"\mathbb{{E}}\ln p(z\mid{THETA})": quad(
            lambda z: truth.pdf(z) * model.logpdf(z), a - 12 * s, a + 12 * s, epsabs=1e-12
        )[0],
    }  # fmt: skip


def of_lines(rng):
    """Nested regressions: residuals, their log-likelihood summed, and the criteria of the library."""
    N, p = 25, 3
    X = np.column_stack([np.ones(N), rng.normal(size=(N, p - 1))])
    y = X @ rng.normal(size=p) + rng.normal(size=N)
    rss = [float(np.linalg.lstsq(X[:, :q], y)[1][0]) for q in range(1, p + 1)]
    residuals, variance = y - X @ np.linalg.lstsq(X, y)[0], 1.7
    ell = float(stats.norm(0, residuals.std()).logpdf(residuals).sum())
    k = p + 1
    values = bic(gaussian_log_likelihood(rss, N), np.arange(2, p + 2), N)
    m = 8
    symbols = {
        "N": N, "p": p, "k": k, "m": m, r"\mathrm{RSS}": rss[-1], ELL: ell, r"\ell": ell, "e": np.e,
        r"\mathrm{AIC}": aic(ell, k), r"\mathrm{AICc}": aic(ell, k, N), r"\mathrm{BIC}": bic(ell, k, N),
        r"\mathrm{BIC}_#": values, "i": range(1, p + 1), "j": range(1, p + 1),
        r"\text{bits}": 1,
        "w_#": stats.norm.pdf(0) * np.exp(-(values - values.min()) / 2), r"\text{const}": 2 * stats.norm.entropy() * N,
        r"\sigma^2": variance,
    }  # fmt: skip
    symbols["w_#"] = symbols["w_#"] / np.sum(symbols["w_#"])
    free = -2 * ell - symbols[r"\text{const}"]  # up to the constant that all models share
    without = {r"\mathrm{AIC}": free + 2 * k, r"\mathrm{BIC}": free + k * np.log(N)}
    code = mdl(ell, k, N, m)
    known = -2 * gaussian_log_likelihood([rss[-1], 0.0], N, variance) @ [1, -1]
    card = "model-selection-must-know-"
    worth = {
        "model-selection-mdl": float(code.total), f"{card}aic:1": float(aic(ell, k)), f"{card}aic:2": 2 * N,
        f"{card}aic:3": float(aic(0.0, k, N) - aic(0.0, k)), f"{card}bic:1": float(bic(ell, k, N)),
        f"{card}regression:3": float(known), f"{card}mdl:1": float(code.total),
        f"{card}mdl:2": float(np.sqrt(np.linalg.inv(N * np.eye(1))[0, 0])),
        f"{card}mdl:3": float(code.total - code.model),
    }  # fmt: skip
    return symbols, without, worth


def of_evidence(rng):
    """Regressions on one column and on two with a normal prior: the evidence by the library, all else by SciPy."""
    N, spread = 12, rng.uniform(1, 2)
    X = rng.normal(size=(N, 2))
    z = X @ rng.normal(size=2) + rng.normal(size=N)
    like = lambda theta: float(np.exp(stats.norm(X[:, : len(theta)] @ theta).logpdf(z).sum()))
    prior, inverse = stats.multivariate_normal(np.zeros(2), spread**2 * np.eye(2)), np.linalg.inv(X.T @ X)
    evidence = log_evidence(X, z, spread**-2, 1.0)
    hat, A = inverse @ X.T @ z, X.T @ X + np.eye(2) / spread**2
    mode = np.linalg.solve(A, X.T @ z)
    wider = stats.multivariate_normal(np.zeros(2), spread**2 * np.eye(2) + inverse)
    laplace = {
        r"\ell(\boldsymbol{\theta}_0)": np.log(like(mode)), r"p(\boldsymbol{\theta}_0\mid\mathcal{M})": prior.pdf(mode),
        r"\mathbf{A}": A, FALLS: 0, EVIDENCE: np.exp(evidence), "k": 2, r"\pi": np.pi,
    }  # fmt: skip
    by_size = {
        EVIDENCE: np.exp(evidence), ELL: np.log(like(hat)), "k": 2, "N": N, r"\pi": np.pi,
        rf"p({HAT}\mid\mathcal{{M}})": prior.pdf(hat), r"\mathbf{J}": X.T @ X / N,
        FALLS: wider.logpdf(hat) - prior.logpdf(hat),
    }  # fmt: skip
    alone, one = log_evidence(X[:, :1], z, spread**-2, 1.0), stats.norm(0, spread)
    integral = {
        EVIDENCE: np.exp(alone), rf"p({DATA}\mid{THETA})": At(lambda theta: like(np.ravel(theta)), THETA),
        rf"p({THETA}\mid\mathcal{{M}})": At(lambda theta: float(one.pdf(theta)), THETA), THETA: 0.3,
    }  # fmt: skip
    area = quad(lambda theta: like([theta]) * one.pdf(theta), -12, 12, epsabs=1e-16, points=[0, X[:, 0] @ z / N])[0]
    return laplace, by_size, integral, {EVIDENCE: area}, -2 * alone


def of_a_smoother(rng):
    """Ridge regression: its matrix column by column, and refits without each instance."""
    N = 8
    X, y = rng.normal(size=(N, 2)), rng.normal(size=N)
    model = Ridge(0.8, fit_intercept=False)
    L = np.column_stack([model.fit(X, e).predict(X) for e in np.eye(N)])
    without = [model.fit(np.delete(X, n, 0), np.delete(y, n)).predict(X[n : n + 1])[0] for n in range(N)]
    fit = model.fit(X, y).predict(X)
    return {
        "N": N, "n": range(1, N + 1), "j": range(1, N + 1), "L_{##}": L, "h_#": np.diag(L), "y_#": y, r"\hat y_#": fit,
        r"\hat y_#^{(-#)}": At(lambda n, _: without[round(float(n)) - 1]), r"\mathbf{L}": L, r"\mathbf{y}": y,
        r"\hat{\mathbf{y}}": fit, r"\mathrm{LOO}": float(np.mean((y - without) ** 2)), r"\mathrm{GCV}": gcv_score(L, y),
        r"\mathrm{RSS}": float(np.sum((y - fit) ** 2)),
    }, L, y  # fmt: skip


def of_scores(rng):
    """The largest of m independent normal errors, by integration."""
    m, tau, t = int(rng.integers(2, 40)), rng.uniform(0.3, 2), rng.uniform(0.2, 1.5)
    largest = quad(lambda v: v * m * stats.norm.pdf(v) * ndtr(v) ** (m - 1), -12, 12)[0] * tau
    moment = quad(lambda v: np.exp(t * tau * v) * stats.norm.pdf(v), -12, 16)[0]
    return {
        "m": m, r"\tau": tau, "t": t, "e": np.e, "j": range(1, m + 1),
        r"\mathbb{E}\max_j(s_j-\mathbb{E}s_j)": largest,
        r"\mathbb{E}\,e^{t(s_#-\mathbb{E}s_#)}": np.full((m, m), moment),
    }  # fmt: skip


def instance(seed):
    """All of them."""
    rng = np.random.default_rng(seed)
    mean, (lines, without, worth) = of_a_mean(rng), of_lines(rng)
    (laplace, by_size, integral, area, doubled), (smoother, L, y) = of_evidence(rng), of_a_smoother(rng)
    scores = of_scores(rng)
    assert np.isclose(loo_score(L, y), smoother[r"\mathrm{LOO}"])
    J = rng.uniform(0.5, 3)
    length = lambda spacing: 20 * J * spacing**2 / 24 - np.log(spacing)
    slope = lambda spacing: length(spacing + 1e-30j).imag
    precision = {"N": 20, "J": J, r"\delta": brentq(slope, 0.1, 9, xtol=1e-14)}
    chances = {r"P(\chi^2_1>2)": stats.chi2(1).sf(2)}
    name, card = "model-selection-", "model-selection-must-know-"
    own = {
        **{name + key: mean for key in ("expand-new", "expand-data", "optimism")},
        f"{name}kl": a_divergence(rng), f"{name}regression": without, f"{name}evidence": integral,
        f"{name}laplace": laplace, f"{name}laplace-bic": by_size, f"{name}precision": precision,
        **{name + key: smoother for key in ("replace", "loo", "gcv")}, f"{card}loo": smoother,
        f"{name}overfit": chances, **{name + key: scores for key in ("curse-bound", "jensen")},
        f"{card}bic:2": area, f"{card}regression:4": {"k": np.linalg.matrix_rank(L), "p": 2},
    }  # fmt: skip
    worth[f"{card}bic:2"] = doubled
    worth[f"{card}loo:3"] = float(np.mean(np.diag(L)))
    return Instance(lines, own, worth)

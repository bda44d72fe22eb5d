"""Exercises on exponential families: SciPy's densities and moments, roots, ranks and differences."""

import numpy as np
from scipy import special, stats
from scipy.optimize import brentq
from sklearn.linear_model import PoissonRegressor

from notes_lib.foundations.exponential_family import (
    Bernoulli,
    Categorical,
    ConjugatePrior,
    Exponential,
    Gaussian,
    GeneralizedLinearModel,
    Poisson,
    UnitGaussian,
    deviance,
    maximum_entropy,
)
from tests.formulas.values import At
from tests.solutions.ledger import Worked

ETA, W, HESSIAN = r"\boldsymbol{\eta}", r"\mathbf{w}", r"\nabla^2\ell"


def _regression():
    """A Poisson regression at weights that are not the best ones: the symbols, and the gradient and the Hessian."""
    X = np.column_stack([np.ones(5), [-1.0, 0.3, 0.7, 1.2, 2.0]])
    w, v, y = np.array([0.2, 0.4]), np.array([0.6, -1.1]), np.array([1.0, 0, 3, 2, 4])
    law = stats.poisson(np.exp(X @ w))
    gradient, hessian = X.T @ (y - law.mean()), -np.einsum("n,ni,nj->ij", law.var(), X, X)
    values = {
        "n": range(1, 6), r"\mathbf{x}_#": X, r"\mathbf{X}": X, W: w, r"\mathbf{v}": v, "y_#": y, r"\mathbf{y}": y,
        r"\mu_#": law.mean(), r"\boldsymbol{\mu}": law.mean(), r"\mathbf{W}": np.diag(law.var()),
        r"\nabla\ell": gradient, HESSIAN: hessian,
    }  # fmt: skip
    return values, gradient, hessian


def ex_gamma():
    alpha, beta, x = 2.5, 1.6, 0.7
    law, times = stats.gamma(alpha, scale=1 / beta), np.array([0.9, 2.2, 0.4, 1.7])
    h = lambda x: float(stats.gamma(alpha).pdf(x) * np.exp(x))
    return Worked(
        {r"\alpha": alpha, r"\beta": beta, "x": x, r"p(x\mid\beta)": law.pdf(x), r"\Gamma": At(special.gamma),
         "h": At(h), "T": At(lambda x: x), r"\eta": -beta, "a": np.log(h(x)) - beta * x - law.logpdf(x),
         "a'": law.mean(), "a''": law.var()},
        own={
            r"a'(\hat\eta)=\bar x": {"a'": At(lambda _: times.mean()), r"\bar x": times.mean(), r"\hat\eta": 0.0},
            r"\hat\beta=\alpha/\bar x": {
                r"\hat\beta": alpha / stats.gamma(alpha, scale=times.mean() / alpha).mean(), r"\alpha": alpha,
                r"\bar x": times.mean()},
        },
        numbers=[0, 0, law.logpdf(x), 0],
    )  # fmt: skip


def ex_moments():
    mu, c = 0.7, 1.3
    law, h = stats.norm(mu), stats.norm(0)
    return Worked(
        {"T": At(lambda x: x, "x"), "x": 0.2, "h": At(h.pdf, "x"), "p": At(law.pdf, "x"), ETA: mu,
         r"\nabla^2a": law.var(), r"\operatorname{Cov}T": law.var(), r"\operatorname{Cov}(T)": law.var(),
         r"\mathbb{E}T": law.mean(), r"\mathbf{c}": c, r"\mathbb{E}TT^\top": law.moment(2),
         r"\operatorname{Var}(\mathbf{c}^\top T)": stats.norm(c * mu, c).var()},
        own={r"\nabla^2a=\int T(T-\mathbb{E}T)^\top p\,\mathrm{d}x": {
            r"\nabla^2a": law.var(), r"T(T-\mathbb{E}T)^\top": At(lambda x: x * (x - mu), "x"),
            "p": At(law.pdf, "x"), "x": 0.2}},
        numbers=[0],
    )  # fmt: skip


def ex_poisson():
    values, *_ = _regression()
    y = values["y_#"]
    alone = brentq(lambda w: float(np.sum(y - np.exp(w))), -5, 5)
    fit = GeneralizedLinearModel("poisson").fit(values[r"\mathbf{X}"][:, 1:], y)
    return Worked(
        {**values, r"\hat w_0": alone, r"\bar y": y.mean(), r"\hat\mu_#": fit.predict(values[r"\mathbf{X}"][:, 1:])},
        own={r"\hat\mu=\bar y": {r"\hat\mu": np.exp(alone), r"\bar y": y.mean()}},
        numbers=[0, 0, 0, 0],
    )


def ex_exists():
    coin, counts, equal = np.array([1, 0, 1, 1]), np.zeros(3), np.full(3, 2.0)
    points = np.array([[-1, 0], [0, 1], [1, 0], [2, 1]])
    eta = 0.3
    best = brentq(lambda e: special.expit(e) - coin.mean(), -9, 9)
    x = equal[0]
    left = np.delete(points, 1, axis=0)
    return Worked(
        {r"\hat\eta": best, r"\eta": eta, r"\ell": stats.poisson(np.exp(eta)).logpmf(counts).sum(), "x": x, "v": 1e-9},
        own={
            r"\bar T=3/4": {r"\bar T": coin.mean()}, r"\bar T=0": {r"\bar T": counts.mean()},
            r"\bar T=(2,4)": {r"\bar T": np.array([equal.mean(), np.mean(equal**2)])},
        },
        numbers=[
            coin, counts, equal, points, 0, 1, 0, Gaussian().statistic([x]), x, points[:, 1], points[1],
            left[left[:, 1] == 0, 0].max(), left[left[:, 1] == 1, 0].min(),
        ],
    )  # fmt: skip


def ex_posterior():
    rates, prior, x = np.array([2.0, 5.0]), np.array([0.3, 0.7]), 4
    joint = prior * stats.poisson(rates).pmf(x)
    pair = lambda v: dict(enumerate(v))
    difference = lambda k: float(np.diff(stats.poisson(rates).logpmf(k))[0])
    constant = difference(0)
    root = brentq(lambda k: k * (difference(1) - constant) + constant, 0, 9)
    first = next(k for k in range(20) if difference(k) > 0)
    return Worked(
        {r"P(#\mid x)": pair(joint / joint.sum()), r"P(c=1\mid x)": joint[1] / joint.sum(), r"\pi_#": pair(prior),
         r"p(x\mid#)": pair(stats.poisson(rates).pmf(x)), rf"{ETA}_#": pair(np.log(rates)), "x": x, "c": 1,
         "T": At(lambda x: x), "a": At(lambda e: float(Poisson().log_partition(e)))},
        numbers=[
            0, 1, joint[1] / joint.sum(), rates, 1, np.log(joint[1] / joint[0]), difference(1) - constant,
            constant + np.log(prior[1] / prior[0]), difference(x), 0, root, first,
        ],
    )  # fmt: skip


def ex_entropy():
    values, mean = np.arange(1, 4), 5 / 2
    p, xi, zeta = np.array([0.2, 0.1, 0.5]), 0.4, -0.3
    found = maximum_entropy(values[:, None], [mean])
    q, log = float(np.exp(found.eta[0])), np.log(found.p)
    slope = float(np.diff(log)[0])
    lagrangian = -p @ np.log(p) + xi * (p @ values - mean) + zeta * (p.sum() - 1)
    return Worked(
        {"x": range(1, 4), "p": At(lambda x: p[round(float(x)) - 1], "x"), r"\xi": xi, r"\zeta": zeta, "q": q},
        own={
            r"-\log p-1+\xi x+\zeta=0": {
                "x": range(1, 4), "p": At(lambda x: found.p[round(float(x)) - 1], "x"), r"\xi": slope,
                r"\zeta": 1 + log[0] - slope},
            r"q=e^\xi": {"q": found.p[1] / found.p[0], r"\xi": found.eta[0]},
        },
        numbers=[values, mean, lagrangian, found.p],
        known=[q],
    )  # fmt: skip


def ex_which():
    theta, b, x, N, k = 0.6, 1.7, 0.8, 5, 2
    laplace, binomial = stats.laplace(0, b), stats.binom(N, theta)
    odds = float(np.diff(stats.bernoulli(theta).logpmf([0, 1]))[0])
    rate = float(np.diff(laplace.logpdf([1, 2]))[0])
    largest = -(laplace.logpdf(0) - np.log(0.5))
    return Worked(
        {r"\theta": theta, r"\mathcal{N}": At(lambda m, v: (m, v**0.5)), "x": x, "N": N},
        own={
            r"\eta=-\frac1b": {r"\eta": rate, "b": b}, r"T=\lvert x\rvert": {"T": abs(x), "x": x},
            r"h=\frac12": {"h": stats.laplace(0, 1).pdf(0)}, r"a=-\log(-\eta)": {"a": largest, r"\eta": rate},
            r"h=\binom N x": {"h": binomial.pmf(k) / np.exp(k * odds + binomial.logpmf(0)), "N": N, "x": k},
            r"a=N\log(1+e^\eta)": {"a": -binomial.logpmf(0), r"\eta": odds, "N": N},
            r"T=(x,x^2)": {"T": Gaussian().statistic([x])[0], "x": x},
            rf"{ETA}=(\frac1\theta,-\frac1{{2\theta^2}})": {
                ETA: Gaussian().natural_parameter(theta, theta**2), r"\theta": theta},
        },
        numbers=[0, theta, 0, 1, theta, theta, 0],
    )  # fmt: skip


def ex_code():
    y, start = np.array([0.0, 0, 1, 1]), stats.bernoulli(special.expit(0))
    return Worked(
        {"n": range(1, 5), W: np.zeros(1), r"\mathbf{0}": np.zeros(1), "y_#": y, r"\mu_#": np.full(4, start.mean()),
         "W_#": np.full(4, start.var())},
        numbers=[(y - start.mean()) / start.var(), 0],
    )  # fmt: skip


def _lost_marks():
    s, x, D, N, d, p = 3.0, 1.2, 40.0, 103, 3, 0.3
    rayleigh = stats.rayleigh(scale=s**0.5)
    values, gradient, hessian = _regression()
    step = np.linalg.solve(hessian, gradient)
    residual = values["y_#"] - values[r"\mu_#"]
    square = rayleigh.moment(2)
    return {
        "lost-marks-mean": Worked(
            {"s": s, "x": x, r"\eta": -1 / square, "a": np.log(square / 2), "T": At(lambda x: x * x),
             r"\mathbb{E}x^2": square},
            own={r"\mathbb{E}x=a'(\eta)=2s": {
                r"\mathbb{E}x": square, "a'": At(lambda _: square), "s": s, r"\eta": 0.0}},
            numbers=[rayleigh.pdf(x), rayleigh.mean()],
        ),
        "lost-marks-exists": Worked(numbers=[0, 1]),
        "lost-marks-chain": Worked(values, numbers=[0.5, np.sum(residual**2) / 2]),
        "lost-marks-sign": Worked(
            values, numbers=[values[W] + step, values[W] - step, 2, values[W] - step]),
        "lost-marks-uniform": Worked({r"\theta": s}, numbers=[stats.uniform(0, s).support()]),
        "lost-marks-deviance": Worked(
            {"D": D, "N": N, "d": d, r"\chi": x, "p": p},
            numbers=[0, 1, 1, x * x, 0, 1, deviance([1.0], special.logit([p]), Bernoulli())],
        ),
    }  # fmt: skip


def _quiz():
    theta, rate, N, mean, nu, m = 0.3, 1.7, 8, 3, 2, 1
    coin, waiting = stats.bernoulli(theta), stats.expon(scale=1 / rate)
    after = float(ConjugatePrior(Poisson(), nu, m).update(np.full(N, mean)).mean)
    return {
        "quiz-variance": Worked(
            own={
                r"a''=a'(1-a')": {"a''": coin.var(), "a'": coin.mean()}, "v=1": {"v": stats.norm().var()},
                "a''=(a')^2": {"a''": waiting.var(), "a'": waiting.mean()},
                "a''=1": {"a''": UnitGaussian().covariance(0.4)},
            },
        ),
        "quiz-ones": Worked(numbers=[1, 0, special.expit(0), special.logit(10 / 11), 10, 1]),
        "quiz-canonical": Worked(numbers=[0]),
        "quiz-pseudo": Worked(
            {"N": N, r"\nu": nu},
            numbers=[mean, m, (mean + m) / 2, after, after, mean, (m + N * mean) / (nu + N), (m + N * mean) / (nu + N)],
        ),
        "tf-open": Worked(
            {"h": At(lambda x: x**-2.0), "x": 2.0, r"\eta": -0.5}, numbers=[1, 0]
        ),
        "tf-minimal": Worked(numbers=[1]),
        "tf-posterior": Worked(
            {rf"{ETA}_#": dict(enumerate(np.log([2.0, 5.0]))), "T": At(lambda x: x), "x": 3},
            numbers=[3 * np.log(5 / 2)],
        ),
        "tf-entropy": Worked(
            {"x": 0.5, "m": 1 / rate, r"\xi": float(np.diff(waiting.logpdf([1, 2]))[0])}, numbers=[0]
        ),
    }  # fmt: skip


def _second_derivative(f, x, h=1e-2):
    """By Richardson's extrapolation."""
    table = [[(f(x + s) - 2 * f(x) + f(x - s)) / s**2 for s in (h, h / 2, h / 4)]]
    for k in (4, 16):
        table.append([(k * b - a) / (k - 1) for a, b in zip(table[-1], table[-1][1:], strict=False)])
    return table[-1][0]


def cards():
    mu, v, rate, y, w = 0.3, 1.7, 1.6, 3.0, 0.2
    normal, waiting = stats.norm(mu, v**0.5), stats.expon(scale=1 / rate)
    values, _, hessian = _regression()
    twice = np.linalg.inv(-2 * hessian)
    curve = lambda w: -0.5 * (y - np.exp(w)) ** 2
    K, D = 4, 2
    points = np.random.default_rng(0).normal(size=(50, D))
    T = np.column_stack([points, points[:, :1] * points, points[:, 1:] * points])
    penalised = values[W]
    return {
        **_lost_marks(),
        **_quiz(),
        "do-not-confuse-parameters": Worked(
            {r"\mu": mu, "v": v, r"\lambda": rate,
             r"(\nabla a)^{-1}(\bar T)": Exponential().natural_from_mean(waiting.mean())},
            numbers=[Gaussian().natural_parameter(mu, v), normal.moment(1), normal.moment(2), waiting.mean(),
                     waiting.mean(), -rate],
        ),
        "do-not-confuse-log": Worked(numbers=[0]),
        "what-if-twice": Worked(numbers=[2, np.sqrt(np.linalg.inv(-hessian)[0, 0] / twice[0, 0])]),
        "what-if-scale": Worked(numbers=[10, 10]),
        "what-if-intercept": Worked(
            {r"\mathbf{x}": np.zeros(2), r"\mathbf{0}": np.zeros(2)},
            numbers=[Poisson().mean_parameter(0), Bernoulli().mean_parameter(0)],
        ),
        "what-if-penalty": Worked({r"\alpha": 1e-9}, numbers=[0, 0]),
        "counterexample-link": Worked(
            {"y": y, "w": w, r"\ell": At(lambda w: curve(float(w))), r"\ell''": _second_derivative(curve, w)},
            numbers=[y / 2],
        ),
        "counting-statistics": Worked(
            {"K": K, "D": D},
            numbers=[1, np.linalg.matrix_rank(Categorical(K).statistic(range(K))),
                     np.linalg.matrix_rank(T - T.mean(axis=0)), K - 1],
        ),
        "convention-programs": Worked(
            {r"\alpha": 0.1, W: penalised, "N": 4, "C": 2.5},
            own={r"\alpha=0": {r"\alpha": GeneralizedLinearModel().alpha}},
            numbers=[0.5, 0.1 / 2 * penalised @ penalised, PoissonRegressor().alpha, 2],
        ),
    }  # fmt: skip

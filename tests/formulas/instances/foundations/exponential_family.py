"""Exponential families: a Gaussian with SciPy's density, counts with their enumeration, and a Poisson regression."""

from itertools import product

import numpy as np
from scipy import stats
from scipy.special import logsumexp

from notes_lib.foundations.exponential_family import (
    Categorical,
    ConjugatePrior,
    Gaussian,
    Poisson,
    UnitGaussian,
    deviance,
    irls_step,
    maximum_entropy,
)
from tests.formulas.values import At, Instance

ETA, W, X = r"\boldsymbol{\eta}", r"\mathbf{w}", "x"
HAT = r"\hat{\boldsymbol{\eta}}"
LEAST = (96, 94)
UNREAD = {
    "exponential-family-entropy-moments": "a problem with constraints in words; its solution is executed",
    "exponential-family-must-know-form:2": "a set of vectors",
}


def gaussian(rng):
    """A Gaussian of unknown mean and variance, a sample of it, and a prior of its natural parameter."""
    mu, v, n = rng.normal(), rng.uniform(0.1, 0.2), 5
    eta, other = Gaussian().natural_parameter(mu, v), Gaussian().natural_parameter(rng.normal(), rng.uniform(0.5, 2))
    law, x = stats.norm(mu, v**0.5), rng.normal()
    data = rng.normal(mu, 1, n)
    usual = lambda e: stats.norm(-e[0] / (2 * e[1]), (-0.5 / e[1]) ** 0.5)
    moments = [law.moment(k) for k in range(5)]
    covariance = [[moments[i + j] - moments[i] * moments[j] for j in (1, 2)] for i in (1, 2)]
    h = lambda x: (2 * np.pi) ** -0.5
    T = lambda x: np.array([x, x**2])
    fit = stats.norm(*stats.norm.fit(data))
    values = {
        ETA: eta, rf"{ETA}'": other, X: x, "s": rng.uniform(0.2, 0.8), r"\mu": mu, "v": v, "k": range(1, 3),
        rf"p(x\mid{ETA})": At(law.pdf, X), "h": At(h, X), "T": At(T, X), "p": At(law.pdf, X),
        "a": At(lambda e: float(Gaussian().log_partition(np.ravel(e))), ETA),
        r"\mathcal{N}(x\mid\mu,v)": At(law.pdf, X), r"\mathbb{E}T(x)": np.array(moments[1:3]),
        r"\mathbb{E}T": np.array(moments[1:3]), r"\operatorname{Cov}T(x)": np.array(covariance),
        r"\mathbb{E}[T(T-\mathbb{E}T)^\top]": np.array(covariance),
        rf"p(\mathcal{{D}}\mid{ETA})": float(np.prod(law.pdf(data))), "x_#": data, "n": range(1, n + 1), "N": n,
        r"\ell": At(lambda e: float(usual(np.ravel(e)).logpdf(data).sum() - n * np.log(h(0))), ETA),
        r"\bar T": np.array([np.mean(data), np.mean(data**2)]), HAT: Gaussian().moment_match(data),
        rf"\mathbb{{E}}_{{{HAT}}}T(x)": np.array([fit.moment(1), fit.moment(2)]),
    }  # fmt: skip
    return values


def prior(rng):
    """Counts, and a conjugate prior of their rate on a grid of natural parameters."""
    n, grid = 4, np.linspace(-1, 2, 31)
    data, nu, m = rng.integers(0, 6, n), rng.uniform(1, 3), rng.uniform(0.5, 2)
    after = ConjugatePrior(Poisson(), nu, m).update(data)
    gamma = stats.gamma(nu * m, scale=1 / nu)
    density = gamma.pdf(np.exp(grid)) * np.exp(grid)  # of the natural parameter
    return {
        "i": range(1, len(grid) + 1), ETA: At(lambda i: grid[i - 1], "i"),
        rf"p({ETA}\mid\nu,\mathbf{{m}})": At(lambda i: density[i - 1], "i"),
        r"\nu": nu, r"\mathbf{m}": m, "N": n, "n": range(1, n + 1), "x_#": data, "T": At(lambda x: x),
        r"\nu'": after.strength, r"\mathbf{m}'": float(after.mean),
        "a": At(lambda e: float(Poisson().log_partition(e))),
    }  # fmt: skip


def counts(rng):
    """All triples of counts with one sum, and their probabilities given the sum."""
    theta, data = rng.uniform(0.5, 2), rng.integers(0, 4, 3)
    tau, size = int(data.sum()), int(data.sum()) + 1
    same = [d for d in product(range(size), repeat=3) if sum(d) == tau]
    chance = lambda d: float(np.prod(stats.poisson(theta).pmf(d)))
    weight = lambda d: 1 / float(np.prod([float(np.prod(np.arange(1, k + 1))) for k in d]))
    return {
        r"\mathcal{D}": 0.0, r"\theta": theta, r"p(\mathcal{D}\mid\theta)": chance(data),
        "u": At(lambda _: weight(data)),
        r"t(\mathcal{D})": tau, r"\tau": tau, "f": At(lambda t, r: float(r) ** float(t) * np.exp(-3 * float(r))),
        r"P(\mathcal{D}\mid t=\tau,\theta)": chance(data) / sum(map(chance, same)),
        r"\sum_{\mathcal{D}'}u(\mathcal{D}')": sum(map(weight, same)),
    }  # fmt: skip


def entropy(rng):
    """The distribution of largest entropy on four points, and another one for the Lagrangian."""
    points, k = rng.normal(size=(4, 2)), 2
    t = rng.dirichlet(np.full(4, 3.0)) @ points
    found = maximum_entropy(points, t)
    other, xi, zeta = rng.uniform(0.1, 0.5, 4), rng.normal(size=k), rng.normal()
    solved = {
        X: range(1, 5), "p": At(lambda x: found.p[round(float(x)) - 1], X),
        "T": At(lambda x: points[round(float(x)) - 1], X),
        r"\mathbf{t}": t, r"\boldsymbol{\xi}": found.eta,
        "a": At(lambda e: float(logsumexp(points @ np.ravel(e))), r"\boldsymbol{\xi}"),
    }  # fmt: skip
    terms = float(stats.entropy(other) * other.sum() - other.sum() * np.log(other.sum()))  # minus the sum of p log p
    worth = terms + xi @ (other @ points - t) + zeta * (other.sum() - 1)
    loose = {
        **solved, "p": At(lambda x: other[round(float(x)) - 1], X), r"\boldsymbol{\xi}": xi, r"\zeta": zeta,
        r"\mathcal{L}": float(worth),
    }  # fmt: skip
    return solved, loose


def regression(rng):
    """A Poisson regression at any weights."""
    n = 6
    design = np.column_stack([np.ones(n), rng.normal(size=(n, 2))])
    w, y = rng.normal(size=3) * 0.5, rng.integers(1, 5, n).astype(float)
    eta = design @ w
    law = stats.poisson(np.exp(eta))
    slope = y - law.mean()
    best = 2 * float(stats.poisson(y).logpmf(y).sum() - law.logpmf(y).sum())
    ell = lambda v: float(stats.poisson(np.exp(design @ np.ravel(v))).logpmf(y).sum())
    assert np.isclose(best, deviance(y, eta, Poisson()))
    return {
        "n": range(1, n + 1), "N": n, r"\mathbf{x}_#": design, r"\mathbf{X}": design, "y_#": y, r"\mathbf{y}": y, W: w,
        r"\eta_#": At(lambda v: design @ np.ravel(v), W), r"\mu_#": law.mean(), r"\boldsymbol{\mu}": law.mean(),
        "g": At(np.log), r"\mathbb{E}y_#": law.mean(), "a": At(lambda e: float(np.exp(e))), "W_#": law.var(),
        "a''": At(lambda e: float(stats.poisson(np.exp(float(e))).var())),
        "h": At(lambda v: float(stats.poisson(1).pmf(float(v)) * np.e)), r"\ell": At(ell, W),
        r"\mathbf{W}": np.diag(law.var()),
        r"\operatorname{diag}(a''(\eta_#))": lambda _: np.diag(law.var()),
        r"\mathbf{w}'": irls_step(w, design, y, Poisson()), r"\mathbf{z}": eta + slope / law.mean(), "D": best,
        "a^*": At(lambda v: float(v) * np.log(float(v)) - float(v)),
    }  # fmt: skip


def one_number(rng):
    """Families of one parameter, by the number of their formula on the card: SciPy's means and densities."""
    theta, rate, shares, mu, v = rng.uniform(0.2, 0.8), rng.uniform(0.5, 3), rng.dirichlet(np.ones(3)), 0.3, 1.7
    coin, count = stats.bernoulli(theta), stats.poisson(rate)
    odds = coin.logpmf(1) - coin.logpmf(0)
    x = rng.uniform(0.5, 2)
    eta = Categorical(3).natural_parameter(shares)
    return {
        1: {r"\theta": theta, r"\eta": odds}, 2: {r"\eta": odds, "a": -coin.logpmf(0)},
        3: {r"\lambda": rate, r"\eta": count.logpmf(1) - count.logpmf(0)},
        4: {r"\eta": count.logpmf(1) - count.logpmf(0), "a": -count.logpmf(0)},
        5: {r"\lambda": rate, r"\eta": np.diff(stats.expon(scale=1 / rate).logpdf([1, 2]))[0]},
        6: {r"\eta": -rate, "a": -stats.expon(scale=1 / rate).logpdf(0)},
        7: {"T": Gaussian().statistic([x])[0], "x": x},
        8: {ETA: Gaussian().natural_parameter(mu, v), r"\mu": mu, "v": v},
        9: {r"\eta_#": eta, r"\theta_#": shares, "K": 3, "k": range(1, 3)},
        10: {r"\eta_#": eta, "a": -np.log(shares[2]), "k": range(1, 3)},
    }  # fmt: skip


def instance(seed):
    """A Gaussian, counts, four points, and a regression."""
    rng = np.random.default_rng(seed)
    normal, conjugate, triple, (solved, loose), glm = (f(rng) for f in (gaussian, prior, counts, entropy, regression))
    mu, points, centres = rng.normal(), rng.normal(size=4), rng.normal(size=3)
    unit = stats.norm(mu)
    alone = {
        ETA: mu, "T": At(lambda x: x), "a": At(lambda e: float(UnitGaussian().log_partition(float(e)))),
        rf"p(x\mid{ETA})": At(unit.pdf, X), r"\mathbb{E}T(x)": unit.mean(),
    }  # fmt: skip
    density = lambda j, i: stats.laplace(centres[round(float(i))]).pdf(points[round(float(j)) - 1])
    members = {
        "i": range(1, 3), "j": range(1, 5), r"p(x_#\mid\theta_#)": density,
        "L_{##}": stats.laplace(centres[1:, None]).logpdf(points) - stats.laplace(centres[0]).logpdf(points),
    }  # fmt: skip
    own = {
        **{f"exponential-family-{name}": conjugate for name in ("conjugate", "posterior")},
        **{f"exponential-family-{name}": triple for name in ("factorisation", "conditional")},
        "exponential-family-entropy-lagrangian": loose, "exponential-family-maxent": solved,
        "exponential-family-mean": alone, "exponential-family-rank": members,
        **{f"exponential-family-must-know-table:{k}": v for k, v in one_number(rng).items()},
        **{f"exponential-family-{name}": glm for name in (
            "link", "glm-likelihood", "glm-gradient", "glm-hessian", "newton", "irls", "deviance", "must-know-glm",
            "must-know-irls")},
    }  # fmt: skip
    chance = rng.uniform(0.2, 0.8, 6)
    own["exponential-family-must-know-glm:2"] = {r"\mu_#": chance}
    return Instance(
        normal,
        own,
        worth={"exponential-family-must-know-glm:2": At(lambda n: stats.bernoulli(chance[n - 1]).var(), "n")},
    )

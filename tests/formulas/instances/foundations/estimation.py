"""Estimation: coins, dice, measurements and labels; the library, SciPy, enumeration and grids."""

from itertools import product

import numpy as np
from scipy import special, stats
from scipy.integrate import quad

from notes_lib.foundations.estimation import (
    BetaBernoulli,
    DirichletCategorical,
    NormalNormal,
    bernoulli_log_likelihood,
    bernoulli_mle,
    categorical_log_likelihood,
    categorical_mle,
    gaussian_log_likelihood,
    gaussian_mle,
    laplace_log_likelihood,
    laplace_mle,
)
from notes_lib.numerics import central_difference
from tests.formulas.values import At, Instance, Law

UNREAD = {
    "estimation-unknown-variance": "an integral over a square, and two proportionalities",
    "estimation-three-losses": "a limit as a width goes to 0",
}
LEAST = (97, 100)
THETA, DATA = r"\theta", r"\mathcal{D}"
HAT, MAP = r"\hat\theta_{\mathrm{ML}}", r"\hat\theta_{\mathrm{MAP}}"


def coin(rng):
    """Tosses with a Beta prior: numbers of theta, and the same on a grid where theta is an index."""
    ones, zeros = map(int, rng.integers(2, 7, 2))
    a, b = map(int, rng.integers(3, 6, 2))
    n = ones + zeros
    x = rng.permutation(np.repeat([1, 0], [ones, zeros]))
    prior, theta = BetaBernoulli(a, b), rng.uniform(0.2, 0.8)
    after = prior.update(x)
    likelihood = lambda t: float(np.prod(stats.bernoulli.pmf(x, t))) if 0 < t < 1 else 0.0
    density = lambda t: float(stats.beta.pdf(t, a, b))
    evidence = float(np.exp(prior.log_evidence(x)))
    values = {
        THETA: theta, "N": n, "N_1": ones, "N_0": zeros, "a": a, "b": b, "n": range(1, n + 1),
        r"p(\theta)": At(density, THETA), r"p(\mathcal{D}\mid\theta)": At(likelihood, THETA),
        r"p(\mathcal{D})": evidence, r"p(\theta\mid\mathcal{D})": At(lambda t: float(np.exp(after.logpdf(t))), THETA),
        r"\mathrm{Beta}": At(lambda t, a, b: float(stats.beta.pdf(t, a, b))), "B": At(special.beta),
        r"\ell": At(lambda t: bernoulli_log_likelihood(x, float(t)), THETA),
        r"p(x_#\mid\theta)": At(lambda t: stats.bernoulli.pmf(x, t), THETA), HAT: bernoulli_mle(x),
        r"\hat\theta": bernoulli_mle(x),
        r"\mathbb{E}\theta": prior.mean, r"\operatorname{Var}\theta": float(stats.beta(a, b).var()),
        r"\operatorname{mode}": prior.mode,
    }  # fmt: skip

    cells = n * (n + a + b - 2)  # so that both estimates lie on the grid
    grid = np.arange(1, cells) / cells
    at = lambda i: grid[round(float(i)) - 1]
    each = np.array([stats.bernoulli.pmf(x, t) for t in grid])
    likelihoods = each.prod(axis=1)
    densities, posterior = stats.beta.pdf(grid, a, b), np.exp(after.logpdf(grid))
    half = n // 2
    first, second = np.exp(prior.update(x[:half]).logpdf(grid)), each[:, half:].prod(axis=1)
    predictions, seen = [], prior
    for v in x:
        predictions.append(seen.mean if v else 1 - seen.mean)
        seen = seen.update(v)
    indices = {
        THETA: range(1, cells), "N": n, "n": range(1, n + 1), HAT: bernoulli_mle(x) * cells, MAP: after.mode * cells,
        r"\ell": At(lambda i: bernoulli_log_likelihood(x, float(at(i)))),
        r"p(x_#\mid\theta)": At(lambda i: each[i - 1], THETA), r"p(\theta)": At(lambda i: densities[i - 1], THETA),
        r"p(\mathcal{D}\mid\theta)": At(lambda i: likelihoods[i - 1], THETA),
        r"p(\theta\mid\mathcal{D})": At(lambda i: posterior[i - 1], THETA),
        r"p(\theta\mid\mathcal{D}_1,\mathcal{D}_2)": At(lambda i: posterior[i - 1], THETA),
        r"p(\mathcal{D}_2\mid\theta)": At(lambda i: second[i - 1], THETA),
        r"p(\theta\mid\mathcal{D}_1)": At(lambda i: first[i - 1], THETA),
        r"p(\mathcal{D})": evidence,
        r"p(x_#\mid x_1,\ldots,x_#)": At(lambda n, m: float(predictions[n - 1]) if m == n - 1 else np.nan),
    }  # fmt: skip
    rivals = [{THETA: t} for t in np.linspace(0.05, 0.95, 19)]
    return values, indices, {**values, THETA: float(after.mode)}, rivals


def die(rng):
    """Throws of a die with a Dirichlet prior, and another die."""
    K = 3
    counts = rng.integers(1, 6, K)
    x = rng.permutation(np.repeat(np.arange(K), counts))
    n, theta, alpha = len(x), rng.dirichlet(np.ones(K)), rng.uniform(1.2, 4, K)
    prior = DirichletCategorical(alpha)
    after = prior.update(x)
    log_likelihood = lambda t: float(np.log(t)[x].sum())
    zeta = float(central_difference(lambda t: log_likelihood(t), categorical_mle(x, K))[0])
    price = rng.uniform(0.5, 2)
    loose = rng.uniform(0.1, 0.9, K)  # adds up to something else
    law, total = stats.dirichlet(alpha), float(alpha.sum())
    values = {
        "K": K, "k": range(1, K + 1), "n": range(1, n + 1), "N": n, "x_#": x + 1, "N_#": counts, r"\theta_#": theta,
        r"\boldsymbol{\theta}": theta, r"\ell": At(lambda t: categorical_log_likelihood(x, np.ravel(t))),
        r"p(\mathcal{D}\mid\boldsymbol{\theta})": float(np.prod(theta[x])),
        r"\hat\theta_#": categorical_mle(x, K), r"\alpha_#": alpha, r"\boldsymbol{\alpha}": alpha,
        r"\alpha_\bullet": total, r"\mathbf{N}": np.bincount(x, minlength=K), r"(N_1,\ldots,N_K)": counts,
        "B": At(lambda v: float(np.prod(special.gamma(np.ravel(v))) / special.gamma(np.sum(v)))),
        r"\Gamma": At(special.gamma), r"p(\boldsymbol{\theta})": float(law.pdf(theta)),
        r"p(\boldsymbol{\theta}\mid\mathcal{D})": float(np.exp(after.logpdf(theta))),
        r"\mathrm{Dirichlet}(\boldsymbol{\theta}\mid\alpha_1+N_1,\ldots,\alpha_K+N_K)":
            float(stats.dirichlet(alpha + counts).pdf(theta)),
        r"\mathbb{E}\theta_#": prior.mean, r"\operatorname{Var}\theta_#": law.var(),
        r"\operatorname{mode}_#": prior.mode, r"p(\mathcal{D})": float(np.exp(prior.log_evidence(x))),
    }  # fmt: skip
    lagrangian = {
        r"\theta_#": loose, r"\boldsymbol{\theta}": loose, r"\zeta": price,
        r"\mathcal{L}": At(lambda t, z: log_likelihood(np.ravel(t)) - float(z) * (float(np.sum(t)) - 1)),
    }  # fmt: skip
    worth = log_likelihood(loose) - price * (loose.sum() - 1)
    return values, lagrangian, worth, round(zeta, 6)


def measurements(rng):
    """Gaussian and Laplace fits of numbers, and the posterior of their mean."""
    n = int(rng.integers(4, 8))
    x = rng.normal(3, 2, n)
    mu, sigma, b = rng.normal(), rng.uniform(0.5, 2), rng.uniform(0.5, 2)
    fit, scale = gaussian_mle(x), laplace_mle(x)
    mu_0, sigma_0 = rng.normal(), rng.uniform(0.5, 2)
    after = NormalNormal(mu_0, sigma_0**2, sigma**2).update(x)
    gauss = {
        "n": range(1, n + 1), "N": n, "x_#": x, r"\mu": mu, r"\sigma": sigma,
        r"\ell": At(lambda m, s: gaussian_log_likelihood(x, float(m), float(s) ** 2), r"\mu", r"\sigma"),
        r"\hat\mu": fit.mu, r"\hat\sigma": fit.var**0.5, r"\mu_0": mu_0, r"\sigma_0": sigma_0,
        r"\mu_N": after.mean, r"\sigma_N": after.var**0.5, r"\bar x": float(np.mean(x)),
        "w": (after.mean - mu_0) / (np.mean(x) - mu_0), r"\lambda": sigma**2 / sigma_0**2,
    }  # fmt: skip
    laplace = {
        r"\hat\mu": scale.mu, r"\hat b": scale.b, "b": b,
        r"\ell": At(lambda m, s: laplace_log_likelihood(x, float(m), float(s))),
        r"\operatorname{median}(x_1,\ldots,x_N)": float(np.median(x)),
    }  # fmt: skip
    true = rng.normal(mu_0, sigma_0, 2000)
    noisy = rng.normal(mu, sigma, 2000)
    law = lambda m, v: Law(stats.norm(float(m), float(v) ** 0.5), true if float(m) == mu_0 else noisy)
    prior = {r"x_#\mid\mu": np.zeros(n), r"\mathcal{N}": At(law)}
    ratio = float(-2 * (stats.norm.logpdf(mu_0 + 1, mu_0, sigma_0) - stats.norm.logpdf(mu_0, mu_0, sigma_0)) * sigma**2)

    # whole numbers, so that the mean of the posterior is one of those tried
    k, mean_0 = 2, int(rng.integers(2, 6))
    data = rng.integers(3, 9, 4)
    data[0] += -(int(data.sum()) + k * mean_0) % (4 + k)
    whole = NormalNormal(mean_0, 1.0, float(k)).update(data.astype(float))
    penalty = {
        "n": range(1, 5), "N": 4, "x_#": data, r"\mu": range(1, 12), r"\mu_0": mean_0, r"\sigma": k**0.5,
        r"\sigma_0": 1.0, r"\hat\mu_{\mathrm{MAP}}": whole.mean, "s": (np.mean(data) - whole.mean)
        / (whole.mean - mean_0) if whole.mean != mean_0 else k / 4,
    }  # fmt: skip
    return gauss, laplace, prior, penalty, ratio


def samples(rng):
    """All samples of a small distribution, for bias and variance."""
    n, support = 3, np.array([0.0, 1.0, 4.0])
    p = rng.dirichlet(np.ones(3))
    mean = float(p @ support)
    var = float(p @ (support - mean) ** 2)
    everything = np.array(list(product(range(3), repeat=n)))
    weight = np.prod(p[everything], axis=1)
    means = support[everything].mean(axis=1)
    variances = ((support[everything] - means[:, None]) ** 2).mean(axis=1)
    return {
        "N": n, "n": range(1, n + 1), r"\mu": mean, r"\sigma": var**0.5, r"\mathbb{E}\hat\mu": float(weight @ means),
        r"\operatorname{Var}\hat\mu": float(weight @ (means - weight @ means) ** 2),
        r"\operatorname{Var}x_#": np.full(n, var), r"\mathbb{E}\hat\sigma^2": float(weight @ variances),
    }  # fmt: skip


def vectors(rng):
    """A Gaussian in two dimensions; the derivative by its precision matrix with a complex step."""
    n, D = 6, 2
    X = rng.normal(size=(n, D)) @ rng.normal(size=(D, D))
    mu, root = rng.normal(size=D), rng.normal(size=(D, D))
    Sigma = root @ root.T + np.eye(D)
    Lambda = np.linalg.inv(Sigma)
    ell = lambda L: n / 2 * np.log(np.linalg.det(L)) - np.einsum("ni,ij,nj->", X - mu, L, X - mu) / 2
    step = lambda i, j: 1e-30j * np.outer(np.arange(D) == i, np.arange(D) == j)
    slopes = [[ell(Lambda + step(i, j)).imag / 1e-30 for j in range(D)] for i in range(D)]
    values = {
        "n": range(1, n + 1), "N": n, "D": D, r"\boldsymbol{\mu}": mu, r"\boldsymbol{\Sigma}": Sigma,
        r"|\boldsymbol{\Sigma}|": float(np.prod(np.linalg.eigvalsh(Sigma))), r"\mathbf{d}_#": X - mu,
        r"\ell": At(lambda m, S: float(stats.multivariate_normal(np.ravel(m), S).logpdf(X).sum())),
        r"\frac{\partial\ell}{\partial\boldsymbol{\Lambda}}": np.array(slopes), r"\mathbf{x}_#": X,
        r"\hat{\boldsymbol{\mu}}": np.median(X[None].mean(axis=1), axis=0),
        r"\hat{\boldsymbol{\Sigma}}": np.cov(X.T, ddof=0),
    }  # fmt: skip
    return values


def labels(rng):
    """Losses as negative log-densities of labels, with their least values taken away."""
    n = 4
    y, f = rng.normal(size=n), rng.normal(size=n)
    sigma, b = rng.uniform(0.5, 2, 2)
    score, bits = rng.normal(size=n), rng.integers(0, 2, n)
    loss = lambda law: law.logpdf(0) - law.logpdf(y - f)
    noise = {
        "n": range(1, n + 1), r"\sigma": sigma, "b": b, "r_#": y - f, "y_#": bits, r"\pi_#": special.expit(score),
        r"\text{Gaussian:}L_#": loss(stats.norm(0, sigma)), r"\text{Laplace:}L_#": loss(stats.laplace(0, b)),
        r"\text{Bernoulli:}L_#": np.log1p(np.exp(-(2 * bits - 1) * score)),
    }  # fmt: skip
    constants = np.append(np.linspace(-2, 2, 9), y.mean())
    density = stats.norm.pdf(y[:, None], constants[None], sigma)
    losses = (y[:, None] - constants) ** 2 / (2 * sigma**2) + np.log(2 * np.pi * sigma**2) / 2
    fitted = {
        "n": range(1, n + 1), "N": n, "f": range(1, len(constants) + 1), r"\hat f": len(constants),
        "L_#(f)": At(lambda f: losses[:, f - 1], "f"),
        r"p(y_#\mid\mathbf{x}_#,f)": At(lambda f: np.where(np.eye(n), density[:, f - 1], np.nan), "f"),
    }  # fmt: skip
    return noise, fitted


def costs(rng):
    """Mean costs of the numbers to report, over the quantiles of a skewed posterior."""
    theta = np.sort(stats.beta(2, rng.integers(5, 8)).ppf((np.arange(501) + 0.5) / 501))
    numbers = np.sort([*np.linspace(0.02, 0.6, 40), theta.mean(), np.median(theta)])
    place = lambda value: float(np.argmin(np.abs(numbers - value)) + 1)
    return {
        "c": range(1, len(numbers) + 1), r"\text{mean}": place(theta.mean()), r"\text{median}": place(np.median(theta)),
        r"\mathbb{E}(\theta-c)^2": At(lambda i: float(np.mean((theta - numbers[i - 1]) ** 2)), "c"),
        r"\mathbb{E}|\theta-c|": At(lambda i: float(np.mean(np.abs(theta - numbers[i - 1]))), "c"),
    }  # fmt: skip


def instance(seed):
    """A coin, a die, measurements, labels, and all samples of a small distribution."""
    rng = np.random.default_rng(seed)
    tosses, grid, penalised, rivals = coin(rng)
    throws, lagrangian, worth, zeta = die(rng)
    gauss, laplace, prior, penalty, ratio = measurements(rng)
    sampled, vector, (noise, fitted) = samples(rng), vectors(rng), labels(rng)
    counts = throws | {"N_1": throws["N_#"][0], r"\hat\theta": bernoulli_mle(throws["x_#"] == 1)}
    own = {
        **{f"estimation-{name}": grid for name in (
            "log-likelihood", "mle", "map", "map-penalised", "map-mean", "sequential", "prequential", "must-know-mle")},
        **{f"estimation-{name}": throws for name in (
            "categorical-log-likelihood", "categorical-mle", "counts", "dirichlet", "dirichlet-posterior",
            "dirichlet-moments", "dirichlet-mode", "dirichlet-evidence")},
        **{f"estimation-{name}": gauss for name in (
            "gaussian-log-likelihood", "gaussian-score", "gaussian-mu", "gaussian-var", "steiner", "normal-precision",
            "normal-shrinkage", "normal-mean", "normal-gain")},
        **{f"estimation-laplace-{name}": gauss | laplace for name in ("log-likelihood", "mu", "b")},
        **{f"estimation-multivariate-{name}": vector for name in ("log-likelihood", "score", "mle")},
        "estimation-log-likelihood": tosses, "estimation-categorical-lagrangian": throws | lagrangian,
        "estimation-variance-of-mean": sampled, "estimation-variance-bias": sampled,
        "estimation-noise-losses": noise, "estimation-loss": fitted, "estimation-hinge": {"c": rng.uniform(0.2, 3)},
        "estimation-map-strength": penalty, "estimation-normal-prior": gauss | prior,
        "estimation-three-losses": costs(rng), "estimation-must-know-counts:1": counts,
        "estimation-must-know-counts:2": throws | lagrangian,
        "estimation-must-know-counts:3": {"N": throws["N"], r"\zeta": zeta},
        "estimation-must-know-gaussian": gauss | {
            r"\ell": gauss[r"\ell"](gauss[r"\mu"], gauss[r"\sigma"])},
        "estimation-must-know-map": penalised, "estimation-must-know-map:3": gauss | {r"\lambda": ratio},
        "estimation-must-know-map:4": {r"\lambda": penalty["s"] * 4, "N": 4},
    }  # fmt: skip
    a, b = tosses["a"], tosses["b"]
    mean = quad(lambda t: t * stats.beta.pdf(t, a, b), 0, 1)[0]
    return Instance(
        tosses, own,
        worth={
            "estimation-beta-mode/2": 1.0, "estimation-must-know-counts:2": worth,
            "estimation-must-know-map:4": penalty["s"], "estimation-must-know-beta:3": mean,
            "estimation-must-know-beta:4": float(stats.beta(a, b).var()),
            "estimation-must-know-beta:5": BetaBernoulli(a, b).mode,
        },
        rivals={f"estimation-must-know-map:{k}": rivals for k in (1, 2)},
    )  # fmt: skip

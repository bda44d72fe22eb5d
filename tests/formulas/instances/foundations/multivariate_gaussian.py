"""The multivariate Gaussian: densities by SciPy, conditionals by the library, expectations by quadrature."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import stats

from notes_lib.foundations.multivariate_gaussian import (
    MultivariateGaussian,
    conditional_gain,
    correlation_interval,
    ellipsoid_probability,
    gaussian_mle_multivariate,
    kl_gaussian,
    ledoit_wolf,
    linear_gaussian,
    mahalanobis,
    mardia_test,
    partial_correlation,
)
from tests.formulas.values import At, Instance, Law

LEAST = 96, 100
UNREAD = {
    "multivariate-gaussian-coverage": "integrals with limits; the tests compare the function with SciPy",
    "multivariate-gaussian-correlation-error": "an approximation for large N",
}
CONDITIONS = {
    "multivariate-gaussian-must-know-contours:1",  # the contour that is meant
    "multivariate-gaussian-must-know-mle:6",  # where the estimate is singular
}
X, MU, SIGMA, LAMBDA = r"\mathbf{x}", r"\boldsymbol{\mu}", r"\boldsymbol{\Sigma}", r"\boldsymbol{\Lambda}"


@dataclass(frozen=True)
class Same(Law):
    """A Gaussian by its mean and covariance, and those that it should have."""

    def fits(self) -> bool:
        return all(np.allclose(np.squeeze(a), b) for a, b in zip(self.distribution, self.draws, strict=True))


def is_law(mean, covariance):
    r"""A meaning of ``\mathcal{N}``: what it is given should be this mean and this covariance."""
    return {r"\mathcal{N}": lambda m, S: Same((m, S), (mean, covariance))}


def of(g):
    """The same for a Gaussian of the library."""
    return is_law(g.mean, g.covariance)


def density(x, mean, covariance):
    """By SciPy."""
    return float(stats.multivariate_normal(np.ravel(mean), covariance).pdf(np.ravel(x)))


def expectation(f, g):
    """Gauss-Hermite quadrature, on a square root of the covariance that is not the Cholesky factor."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(24)
    values, V = np.linalg.eigh(g.covariance)
    Z = np.array(list(product(nodes, repeat=len(g.mean))))
    W = np.prod(list(product(weights, repeat=len(g.mean))), axis=1) / (2 * np.pi) ** (len(g.mean) / 2)
    return np.tensordot(W, np.array([f(x) for x in g.mean + (Z * np.sqrt(values)) @ V.T]), 1)


def gaussian(rng, D):
    F = rng.normal(size=(D, D))
    return MultivariateGaussian(rng.normal(size=D), F @ F.T + 0.5 * np.eye(D))


def blocks(g, a, b, x):
    """The groups of variables, and what the library says of one given the other."""
    S, L, c = g.covariance, np.linalg.inv(g.covariance), g.condition(b, x[b])
    found = {"a": a, "b": b}
    cut = {
        f"{name}_{{{p}{q}}}": M[np.ix_(found[p], found[q])]
        for name, M in ((SIGMA, S), (LAMBDA, L)) for p in "ab" for q in "ab"
    }  # fmt: skip
    m_b = g.marginal(b)
    return cut | {
        rf"{X}_a": x[a], rf"{X}_b": x[b], rf"{MU}_a": g.mean[a], rf"{MU}_b": g.mean[b],
        r"\mathbf{G}": conditional_gain(S, b), r"\boldsymbol{\mu}_{a\mid b}": c.mean,
        r"\boldsymbol{\Sigma}_{a\mid b}": c.covariance,
        r"\operatorname{Cov}(\mathbf{x}_a\mid\mathbf{x}_b)": c.covariance,
        r"\mathbb{E}(\mathbf{x}_a\mid\mathbf{x}_b)": c.mean, r"\mathbf{e}": x[a] - c.mean,
        rf"{X}_a\mid{X}_b": x[a], r"\Delta(\mathbf{x}_b)": mahalanobis(x[b], m_b.mean, m_b.covariance),
        r"\Delta(\mathbf{x}_a\mid\mathbf{x}_b)": mahalanobis(x[a], c.mean, c.covariance),
        "p(\\mathbf{x}_a)": np.exp(g.marginal(a).logpdf(x[a])), "p(\\mathbf{x}_b)": np.exp(m_b.logpdf(x[b])),
    }  # fmt: skip


def independent(rng, seed):
    """Two groups, independent in every second instance, and a precision with a zero there."""
    F = rng.normal(size=(3, 3))
    S = F @ F.T + 0.5 * np.eye(3)
    if seed % 2:
        S[:2, 2] = S[2, :2] = 0
    g, x = MultivariateGaussian(rng.normal(size=3), S), rng.normal(size=3)
    two = {r"\boldsymbol{\Sigma}_{ab}": S[:2, 2:], r"\mathbf{0}": np.zeros((2, 1))}
    two |= {"p(\\mathbf{x})": density(x, g.mean, S), "p(\\mathbf{x}_a)": density(x[:2], g.mean[:2], S[:2, :2]),
            "p(\\mathbf{x}_b)": density(x[2:], g.mean[2:], S[2:, 2:])}  # fmt: skip
    P = S.copy()  # as a precision
    h = MultivariateGaussian(g.mean, np.linalg.inv(P))
    known, alone = h.condition([1, 2], x[1:]), h.condition([1], x[1:2]).marginal(0)
    return two, {
        "i": 1.0, "j": 3.0, r"\Lambda_{##}": P,
        r"p(x_#\mid x_#,\text{rest})": lambda *_: float(np.exp(known.logpdf(x[:1]))),
        r"p(x_#\mid\text{rest})": lambda *_: float(np.exp(alone.logpdf(x[:1]))),
    }  # fmt: skip


def of_a_reading(rng):
    """A noisy linear reading: the library's joint Gaussian, and a product of two densities."""
    g, A, b = gaussian(rng, 3), rng.normal(size=(2, 3)), rng.normal(size=2)
    R = gaussian(rng, 2).covariance
    both, y = linear_gaussian(g, A, b, R), rng.normal(size=2)
    after = both.condition([3, 4], y)
    P = np.linalg.inv(after.covariance)
    reading = {
        r"\mathbf{A}": A, r"\mathbf{b}": b, r"\mathbf{R}": R, MU: g.mean, SIGMA: g.covariance, LAMBDA: g.precision,
        r"\mathbf{y}": y, X: after.mean, r"\mathbf{x}\mid\mathbf{y}": after.mean, r"\mathbf{P}": P,
        r"\mathbf{q}": P @ after.mean,
        r"\operatorname{Cov}\begin{pmatrix}\mathbf{x}\\ \mathbf{y}\end{pmatrix}": both.covariance,
    }  # fmt: skip
    two, x = [gaussian(rng, 2), gaussian(rng, 2)], rng.normal(size=2)
    pair = linear_gaussian(two[0], np.eye(2), np.zeros(2), two[1].covariance)
    m2 = two[1].mean
    merged = pair.condition([2, 3], m2)
    multiplied = {
        "p_#": [At(lambda v, h=h: density(v, h.mean, h.covariance), X) for h in two], X: x,
        "c": float(np.exp(pair.marginal([2, 3]).logpdf(m2))), r"\mathcal{N}": density, r"\mathbf{m}": merged.mean,
        r"\mathbf{P}": np.linalg.inv(merged.covariance), r"\boldsymbol{\Lambda}_#": [h.precision for h in two],
        r"\boldsymbol{\mu}_#": [h.mean for h in two], r"\boldsymbol{\Sigma}_#": [h.covariance for h in two],
    }  # fmt: skip
    return reading, both.marginal([3, 4]), after, multiplied


def of_a_divergence(rng):
    """Two Gaussians, their divergence by the library, and the factors in its other form."""
    p, q = gaussian(rng, 3), gaussian(rng, 3)
    L_p, L_q = np.linalg.cholesky(p.covariance), np.linalg.cholesky(q.covariance)
    delta = p.mean - q.mean
    return {
        r"\operatorname{KL}(p\,\|\,q)": kl_gaussian(p, q), r"\boldsymbol{\Sigma}_p": p.covariance,
        r"\boldsymbol{\Sigma}_q": q.covariance, r"\boldsymbol{\mu}_p": p.mean, r"\boldsymbol{\mu}_q": q.mean,
        r"\boldsymbol{\delta}": delta, "m_{##}": np.linalg.solve(L_q, L_p), r"\mathbf{u}": np.linalg.solve(L_q, delta),
    }  # fmt: skip


def listed(rng):
    """Mean and covariance of three points drawn from three with unequal probabilities, over all 27 samples."""
    points, p = rng.normal(size=(3, 2)), rng.dirichlet(np.ones(3))
    mean = p @ points
    covariance = (p[:, None] * (points - mean)).T @ (points - mean)
    means, covariances = np.zeros(2), np.zeros((2, 2))
    for drawn in product(range(3), repeat=3):
        weight, rows = p[list(drawn)].prod(), points[list(drawn)]
        means, covariances = means + weight * rows.mean(axis=0), covariances + weight * np.cov(rows.T, bias=True)
    return {
        MU: mean, SIGMA: covariance, "N": 3, r"\mathbb{E}\hat{\boldsymbol{\mu}}": means,
        r"\mathbb{E}\hat{\boldsymbol{\Sigma}}": covariances,
    }  # fmt: skip


def by_precision(precision, deviations, h=1e-30):
    """Derivative of the log-likelihood by the entries of the precision, by a step along the imaginary axis."""
    slopes = np.empty(precision.shape)
    for at in np.ndindex(*precision.shape):
        M = precision.astype(complex)
        M[at] += 1j * h
        likelihood = len(deviations) / 2 * np.log(np.linalg.det(M)) - np.sum((deviations @ M) * deviations) / 2
        slopes[at] = likelihood.imag / h
    return slopes


def of_a_sample(rng):
    """Fourteen points in the plane: the likelihood by SciPy, the estimates by the library, a rotation of the rows."""
    N, D = 14, 2
    truth = gaussian(rng, D)
    data = truth.sample(N, rng)
    fit = MultivariateGaussian(*gaussian_mle_multivariate(data))
    score = by_precision(truth.precision, data - truth.mean)
    turn = np.linalg.qr(np.column_stack([np.ones(N), rng.normal(size=(N, N - 1))])).Q.T
    z = np.linalg.solve(np.linalg.cholesky(fit.covariance), (data - fit.mean).T).T
    shrunk, share = ledoit_wolf(data)
    deviations = data - fit.mean
    scatter = [np.linalg.norm(np.outer(d, d) - fit.covariance) ** 2 for d in deviations]
    spread = np.trace(fit.covariance) / D
    likelihood = At(lambda m, S: float(stats.multivariate_normal(np.ravel(m), S).logpdf(data).sum()), MU, SIGMA)
    test = mardia_test(data)
    r = float(np.corrcoef(data.T)[0, 1])
    law = stats.wishart(N - 1, truth.covariance)
    values = {
        "N": N, "D": D, "n": range(1, N + 1), "i": range(1, 3), "j": range(1, 3), "k": range(1, 3),
        MU: truth.mean, SIGMA: truth.covariance, LAMBDA: truth.precision, r"\ell": likelihood,
        rf"{X}_#": data, r"\mathbf{d}_#": data - truth.mean, r"\bar{\mathbf{x}}": data.mean(axis=0),
        r"\hat{\boldsymbol{\mu}}": fit.mean, r"\hat{\boldsymbol{\Sigma}}": fit.covariance,
        r"\frac{\partial\ell}{\partial\boldsymbol{\Lambda}}": score,
        r"\frac{\partial\ell}{\partial\boldsymbol{\Sigma}^{-1}}": score,
        r"\operatorname{KL}(\hat p\,\|\,p)": kl_gaussian(fit, truth), r"\mathbf{y}_#": turn @ data,
        r"\operatorname{Var}\hat\sigma_{##}": law.var() / N**2, r"\sigma_{##}": truth.covariance,
        "z_{##}": z, r"\beta_1": test.skewness, r"\beta_2": test.kurtosis,
        r"\Delta": At(lambda x: float(mahalanobis(np.ravel(x), *gaussian_mle_multivariate(data))), X),
        r"\hat{\boldsymbol{\Sigma}}_\gamma": shrunk, r"\gamma": share, r"\hat\gamma": share, "m": spread,
        r"\mathbf{I}": np.eye(D),
        r"\lVert\mathbf{d}_#\mathbf{d}_#^\top-\hat{\boldsymbol{\Sigma}}\rVert_F^2": lambda n, _: scatter[n - 1],
        r"\lVert\hat{\boldsymbol{\Sigma}}-m\,\mathbf{I}\rVert_F^2":
            np.linalg.norm(fit.covariance - spread * np.eye(D)) ** 2,
        r"\operatorname{artanh}\hat\rho": np.arctanh(r), r"z_{1-\alpha/2}": stats.norm.ppf(0.975), "|b|": 1,
    }  # fmt: skip
    return values, correlation_interval(r, N, given=1)


def many_statistics(rng):
    """Mardia's statistics of 200 data sets of 1000 points."""
    N, D = 1000, 2
    found = np.array([mardia_test(rng.normal(size=(N, D)))[:2] for _ in range(200)])
    return {
        "N": N, "D": D, "f": 4, r"\beta_1": found[0, 0], r"\beta_2": found[0, 1],
        r"\chi^2_f": Law(stats.chi2(4), N / 6 * found[:, 0]),
        r"\mathcal{N}": lambda mean, variance: Law(stats.norm(mean, np.sqrt(variance)), found[:, 1]),
    }  # fmt: skip


def masked(rng):
    """Copies of a point among others: not far away, and so far that the bound is reached."""
    k, N = int(rng.integers(1, 6)), 20
    others, way = rng.normal(size=(N - k, 2)), rng.normal(size=2)

    def distance(far):
        data = np.vstack([others, np.tile(far * way, (k, 1))])
        return float(mahalanobis(data[-1], *gaussian_mle_multivariate(data)))

    return {r"\Delta": distance(5.0), "N": N, "k": k}, distance(1e6)


def few(rng):
    """Three points in five dimensions, and the rank of their covariance."""
    covariance = np.cov(rng.normal(size=(3, 5)).T, bias=True)
    return {"N": 3, "D": 5, r"\hat{\boldsymbol{\Sigma}}": covariance}, int((np.linalg.svd(covariance)[1] > 1e-9).sum())


def instance(seed):
    """Three variables, of which the first and the third are unknown."""
    rng = np.random.default_rng(seed)
    g, D = gaussian(rng, 3), 3
    x, S = rng.normal(size=D), g.covariance
    L = np.linalg.cholesky(S)
    eigenvalues, V = np.linalg.eigh(S)
    z = np.linalg.solve(L, x - g.mean)
    A, t, r = rng.normal(size=(D, D)), 0.3 * rng.normal(size=D), rng.uniform(0.5, 3)
    fourth = expectation(lambda v: np.einsum("i,j,k,l->ijkl", *[v - g.mean] * 4), g)
    two, markov = independent(rng, seed)
    reading, evidence, after, multiplied = of_a_reading(rng)
    sample, interval = of_a_sample(rng)
    (copies, reached), (three, rank) = masked(rng), few(rng)
    P = gaussian(rng, D).covariance
    q = rng.normal(size=D)
    by_square = MultivariateGaussian(np.linalg.solve(P, q), np.linalg.inv(P))
    constant = by_square.logpdf(np.zeros(D))
    flat = gaussian(rng, 2)
    sd = np.sqrt(np.diag(flat.covariance))
    given = flat.condition(1, x[1])
    J, shift = rng.normal(size=(2, D)), rng.normal(size=2)
    mapped = g.affine(J, shift)
    draws = g.sample(500, rng)
    values = {
        "D": D, "i": range(1, D + 1), "j": range(1, D + 1), "k": range(1, D + 1), "l": range(1, D + 1),
        X: x, MU: g.mean,
        SIGMA: S, LAMBDA: np.linalg.inv(S), r"\mathbf{L}": L, r"\ell_{##}": L, r"\mathbf{z}": z,
        "p": At(lambda v: density(v, g.mean, S), X), r"\Delta": At(lambda v: mahalanobis(np.ravel(v), g.mean, S), X),
        r"\mathbf{v}_#": V.T, r"\lambda_#": eigenvalues, "r": r, r"\mathbf{A}": A, r"\mathbf{t}": t,
        r"\mathbb{E}\mathbf{x}": expectation(lambda v: v, g),
        r"\operatorname{Cov}\mathbf{x}": expectation(lambda v: np.outer(v - g.mean, v - g.mean), g),
        r"\mathbb{E}\mathbf{x}\mathbf{x}^\top": expectation(lambda v: np.outer(v, v), g),
        r"\mathbb{E}\mathbf{x}^\top\mathbf{A}\mathbf{x}": float(expectation(lambda v: v @ A @ v, g)),
        r"\mathbb{E}e^{\mathbf{t}^\top\mathbf{x}}": float(expectation(lambda v: np.exp(t @ v), g)),
        r"\mathbb{E}d_#d_#d_#d_#": lambda *at: fourth[tuple(i - 1 for i in at)], r"\sigma_{##}": S,
        **blocks(g, [0, 2], [1], x), r"\chi^2_D": Law(stats.chi2(D), mahalanobis(draws, g.mean, S) ** 2),
        r"\rho_{##\mid\text{rest}}": partial_correlation(S), r"\Lambda_{##}": np.linalg.inv(S),
    }  # fmt: skip
    new = {"N": 12, "D": 4, r"\mathbb{E}\Delta(\mathbf{x}_{\text{new}})^2": 13 * 4 / 8 * stats.f(4, 8).mean()}
    white = {"p": At(lambda v: float(stats.norm.pdf(np.ravel(v)).prod()), r"\mathbf{z}")}
    plane = {"D": 2, r"P(\Delta\leq r)": ellipsoid_probability(r, 2)}
    pair = {
        r"\mathbb{E}(x_1\mid x_2)": given.mean[0], r"\operatorname{Var}(x_1\mid x_2)": given.covariance[0, 0],
        r"\mu_#": flat.mean, r"\sigma_#": sd, r"\rho": flat.covariance[0, 1] / sd.prod(), "x_#": x,
        r"\sigma_#^2": sd**2,
    }  # fmt: skip
    square = {
        r"\mathbf{P}": P,
        r"\mathbf{q}": q,
        r"\text{const}": constant,
        "p": At(lambda v: np.exp(by_square.logpdf(np.ravel(v))), X),
    }
    affine = {r"\mathbf{A}": J, r"\mathbf{b}": shift, **of(mapped)}
    name = "multivariate-gaussian-"
    card = f"{name}must-know-"
    by_problem = [
        (white, f"{name}white"), (blocks(g, [0], [1, 2], x), f"{name}partition"),
        (plane, f"{name}coverage-plane {card}contours:3"),
        (affine, f"{name}affine {card}affine:1"), (of(g.marginal([0, 2])), f"{name}marginal {card}affine:2"),
        (two, f"{name}independence"), (markov, f"{name}markov"), (square | of(by_square), f"{name}complete-square"),
        (of(g.condition([1], x[1:2])), f"{name}conditional"), (pair, f"{name}bivariate {card}two"),
        ({"i": 1.0, "j": 3.0}, f"{name}partial"), (reading | of(evidence), f"{name}linear-evidence"),
        (reading | of(after), f"{name}linear-posterior"), (reading, f"{name}linear-joint"),
        (multiplied, f"{name}product {name}product-scale"),
        (of_a_divergence(rng), f"{name}kl {name}kl-triangular"),
        (sample, f"{name}log-likelihood {name}score {name}mle {name}likelihood-kl {name}fisher-z"),
        (sample, f"{name}wishart {name}covariance-error {name}mardia {name}shrunk"),
        (sample | {r"\mathbf{d}_#": sample[rf"{X}_#"] - sample[r"\hat{\boldsymbol{\mu}}"]}, f"{name}ledoit-wolf"),
        (sample, " ".join(f"{card}mle:{k}" for k in range(1, 5))), (listed(rng), f"{name}bias {card}mle:5"),
        (many_statistics(rng), f"{name}mardia-law"), (copies, f"{name}masking"), (three, f"{name}mle-exists"),
        (new, f"{name}new-distance"),
    ]  # fmt: skip
    own = {key: problem for problem, keys in by_problem for key in keys.split()}
    worth = {f"{name}fisher-z": interval, f"{name}masking": {1: reached}, f"{name}mle-exists": {1: rank}}
    return Instance(values, own, worth)

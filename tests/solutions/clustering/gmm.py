"""Exercises on Gaussian mixtures and EM: densities of SciPy, steps of the library, roots and complex steps."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln
from scipy.stats import binom, invgamma, multivariate_normal, norm, poisson

from notes_lib.clustering.gmm import m_step, n_parameters
from notes_lib.theory.model_selection import bic
from tests.formulas.values import At
from tests.solutions.ledger import Worked

X_, MU, SIGMA = r"\mathbf{x}", r"\boldsymbol{\mu}", r"\boldsymbol{\Sigma}"
ROWS = np.array([[0.2, 1.0], [1.1, -0.4], [0.7, 2.2], [-1.3, 0.5], [2.0, 1.4]])
SHARES = np.array([[0.9, 0.1], [0.3, 0.7], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]])  # some responsibilities


def _derivative(f, at):
    """The derivative of a function by a complex step, which does not round."""
    return np.imag(f(at + 1e-30j)) / 1e-30


def _posterior(joint):
    """Rows divided by their sums."""
    return joint / joint.sum(axis=1, keepdims=True)


def ex_poisson():
    counts, start, prior = np.array([0, 1, 1, 2, 2, 3, 8, 9, 11, 13]), np.array([1, 5]), np.array([1 / 2, 1 / 2])
    gamma = _posterior(prior * poisson(start).pmf(counts[:, None]))
    rates, weights = [np.average(counts, weights=g) for g in gamma.T], gamma.mean(axis=0)
    Q = [lambda v, g=g: np.sum(g * (-v + counts * np.log(v))) for g in gamma.T]
    size, every = gamma.sum(axis=0), frozenset(map(float, range(20)))
    return Worked(
        {"n": range(1, 11), "k": range(1, 3), "K": 2, "N": 10, "x_#": counts, r"\{0,1,2,\ldots\}": every, "x": 3,
         "p": At(lambda x: float(poisson(rates).pmf(x) @ weights)), r"\pi_#": weights, r"\lambda_#": rates,
         r"\lambda": start, r"\pi": prior, r"\gamma_{##}": gamma, "N_#": size,
         r"\partial Q/\partial\lambda_#": [_derivative(q, v) for q, v in zip(Q, rates, strict=True)]},
        numbers=[counts[0], sorted(every), counts, -size / rates],
    )  # fmt: skip


def ex_linkage():
    counts, start = np.array([125, 18, 20, 34]), 0.5
    cells = lambda p: np.array([1 / 2 + p / 4, (1 - p) / 4, (1 - p) / 4, p / 4])
    slope = lambda p: _derivative(lambda v: np.sum(counts * np.log(cells(v))), p)
    hidden = lambda p: float(binom(counts[0], p / 4 / cells(p)[0]).mean())
    best, second = brentq(slope, 0.1, 0.9, xtol=1e-15, rtol=1e-14), hidden(start)
    complete = np.dot([second + counts[3], counts[1] + counts[2]], np.log([start, 1 - start]))
    return Worked(
        {"p": start, "y_#": [counts[0] - second, second], r"\mathbb{E}[y_2]": second},
        worlds=[{"p": best, r"\mathbb{E}[y_2]": hidden(best)}],
        numbers=[counts.sum(), counts, cells(start), 1 / 2, start / 4, complete, second, second],
    )


def ex_coins():
    heads, start = np.array([5, 9, 8, 4, 7]), np.array([0.6, 0.5])
    gamma = _posterior(binom(10, start).pmf(heads[:, None]))[:, 0]
    rate = np.average(heads, weights=gamma) / 10
    texts = (
        r"\gamma_{nA}=\frac{\theta_A^h(1-\theta_A)^{10-h}}"
        r"{\theta_A^h(1-\theta_A)^{10-h}+\theta_B^h(1-\theta_B)^{10-h}}",
        r"\theta_A=\frac{\sum_n\gamma_{nA}h_n}{10\sum_n\gamma_{nA}}",
    )
    coins = {r"\theta_A": start[0], r"\theta_B": start[1]}
    new = {r"\theta_A": rate, r"\gamma_{#A}": gamma, "h_#": heads, "n": range(1, 6)}
    return Worked(
        coins,
        own={texts[0]: {**coins, r"\gamma_{nA}": gamma[1], "h": heads[1]}, texts[1]: new},
        numbers=[1 / 2, heads, 1 / 2],
    )


def ex_moments():
    found = m_step(ROWS, SHARES, reg_covar=0.0)
    return Worked(
        {"n": range(1, 6), "k": range(1, 3), "N": 5, "N_#": SHARES.sum(axis=0), r"\gamma_{##}": SHARES,
         r"\pi_#": found.weights, rf"{MU}_#": found.means, rf"{SIGMA}_#": found.covariances, rf"{X_}_#": ROWS,
         r"\bar{\mathbf{x}}": ROWS.mean(axis=0)},
        numbers=[0, SHARES.sum(axis=1)[0]],
    )  # fmt: skip


def ex_border():
    prior, mean, spread = [1 / 2, 1 / 2], [0, 2], [1, 3]
    odds = lambda x: float(np.diff(norm(mean, spread).logpdf(x))[0])
    middle = np.mean(mean)
    ends = [brentq(odds, a, b, xtol=1e-14) for a, b in ((-9, 0), (0, 9))]
    posterior = [lambda x, k=k: _posterior(norm(mean, spread).pdf([[x]]))[0, k] for k in (0, 1)]
    owner, nearest = 1 + (odds(-5) > 0), 1 + int(np.argmin(np.abs(np.array(mean) + 5)))
    return Worked(
        {r"\pi_#": prior, r"\mu_#": mean, r"\sigma_#": spread, r"\gamma_#": posterior, "x": ends[0]},
        worlds=[{"x": ends[1]}, {"x": -5}, {"x": middle}],
        numbers=[2 * spread[1] ** 2, 1 / 2, owner, owner, nearest],
    )


def ex_map():
    x, gamma, mean, a, b = np.array([0.1, 0.6, 1.4, -0.5]), np.array([0.9, 0.6, 0.4, 0.8]), 0.3, 1.2, 0.7
    S, size = float(gamma @ (x - mean) ** 2), gamma.sum()
    fitted = lambda v: np.sum(gamma * (-np.log(v) / 2 - (x - mean) ** 2 / (2 * v))) - (a + 1) * np.log(v) - b / v
    v = brentq(lambda v: _derivative(fitted, v), 0.01, 5, xtol=1e-15, rtol=1e-14)
    law = invgamma(a, scale=b)
    terms = gamma @ norm(mean, np.sqrt(v)).logpdf(x) + size * np.log(2 * np.pi) / 2 + law.logpdf(v)
    some = {"k": range(1, 4), r"\sigma_#": [0.5, 1.0, 2.0], "a": a, "b": b, "p": At(lambda v: float(law.pdf(v)))}
    return Worked(
        {"n": range(1, 5), "k": range(1, 2), r"\sigma_#": [np.sqrt(v)], "v": v, "a": a, "b": b, "x_#": x,
         r"\gamma_{##}": gamma[:, None], r"\mu_#": [mean], "S_#": [S], "N_#": [size], "N": 4},
        own={r"p(\sigma_k^2)\propto(\sigma_k^2)^{-a-1}e^{-b/\sigma_k^2}": some},
        numbers=[0, terms - a * np.log(b) + gammaln(a), 0, v, b / (4 / 2 + a + 1), 0],
    )  # fmt: skip


def cards():
    gamma, old = SHARES[:, 0], np.array([0.1, -0.3])
    new = np.average(ROWS, axis=0, weights=gamma)
    scatter = lambda around: (ROWS - around).T @ np.diag(gamma) @ (ROWS - around)
    K, D, N, P, ell = 3, 4, 60, 7, -12.5
    grows = lambda kind: n_parameters(K + 1, D, kind) - n_parameters(K, D, kind) - 1 - D
    m, h = 0.8, 1e-2
    two = lambda x: (norm.pdf(x, -m) + norm.pdf(x, m)) / 2
    bend = np.dot([-1, 16, -30, 16, -1], [two(j * h) for j in range(-2, 3)]) / (12 * h * h) / norm.pdf(m)
    curved = round(bend, 6)
    full, tied, sizes = n_parameters(3, 4), n_parameters(3, 4, "tied"), [3, 3 * 4, 3 * np.ones((4, 4)).size]
    joint = np.column_stack([multivariate_normal(mean).pdf(ROWS) / 2 for mean in ([0, 0], [1, 1])])
    gammas, marginal = _posterior(joint), joint.sum(axis=1)
    single = At(lambda m: float(norm.logpdf(ROWS[:, 0], m).sum()), "m")
    multiplier = -N
    return {
        "lost-marks-old-mean": Worked(
            {"n": range(1, 6), rf"{SIGMA}_k": scatter(old) / gamma.sum(), "N_k": gamma.sum(), r"\gamma_{#k}": gamma,
             rf"{X_}_#": ROWS, rf"{MU}_k^{{(t)}}": old, rf"{MU}_k^{{(t+1)}}": new, r"(\ldots)^\top": (new - old)[None]},
            numbers=[scatter(old) - scatter(new)],
        ),
        "lost-marks-unbounded": Worked({"K": 2}, numbers=[2]),
        "lost-marks-intractable": Worked({r"\ell": single, "m": ROWS[:, 0].mean()}),
        "do-not-confuse-kmeans": Worked(
            {"O": At(lambda size: size), "N": 5, "K": K, "D": D}, numbers=[np.ones((5, K, D, D)).size, 0]
        ),
        "what-if-duplicate": Worked(
            {"P": P}, numbers=[2, bic(ell, P, 2 * N) - bic(ell, P, N)]
        ),
        "what-if-scale": Worked(numbers=[0]),
        "what-if-outlier": Worked(numbers=[gammas.sum(axis=1)[0]]),
        "counterexample-modes": Worked(
            {r"\mathcal{N}": At(lambda mean, v: float(norm.pdf(0.4, mean, v**0.5))), "m": m},
            numbers=[two(0.4), 1, 0, curved],
        ),
        "counting-parameters": Worked(
            {"K": K, "D": D, "N": N},
            numbers=[K + 1, grows("full"), grows("tied"), grows("spherical"), (bic(ell, 1, N) - bic(ell, 0, N)) / 2],
        ),
        "convention-divisor": Worked({"N_k": 7, "x": 1.3}, numbers=[6, 1.69]),
        "convention-bic": Worked({r"\ell": ell, "P": P, "N": N}, numbers=[-bic(ell, P, N)]),
        "quiz-e-step": Worked(
            {"n": range(1, 6), "k": range(1, 3), r"\gamma_{##}": gammas,
             r"p(z_{##}=1\mid\mathbf{x}_#,\boldsymbol{\theta}^{(t)})":
                 lambda n, k, row: joint[n - 1, k - 1] / marginal[row - 1]},
        ),
        "quiz-entropy": Worked({"H": 0.4}, own={"H=0": {"H": 0}}, numbers=[0, 1, 0]),
        "quiz-count": Worked(
            {"K": 3, "D": 4},
            numbers=[sum(sizes), sum(sizes), np.ones((4, 4)).size, 1, full, full + 1, full + 1, tied, tied],
        ),
        "quiz-guarantee": Worked(numbers=[0, SHARES.sum(axis=1)[0]]),
        "tf-near": Worked({r"\gamma_{nk}": 0.99}, numbers=[1]),
        "tf-lagrange": Worked(
            {r"\mathcal{L}": ell + multiplier * (0.5 + 0.7 - 1), r"\ell": ell, r"\lambda": multiplier, "k": range(1, 3),
             r"\pi_#": [0.5, 0.7], "N": N},
        ),
        "tf-more-components": Worked(numbers=[0]),
    }  # fmt: skip

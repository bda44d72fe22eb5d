"""Exercises on model selection: Gaussian integrals by SciPy, criteria by the library, limits by solving for them."""

from itertools import combinations

import numpy as np
from scipy import stats
from scipy.optimize import brentq, minimize_scalar

from notes_lib.datasets import load_prostate, prostate_split
from notes_lib.theory.model_selection import aic, bic, gaussian_log_likelihood, gcv_score, loo_score, mdl
from tests.formulas.chapters import Chapter
from tests.solutions.ledger import Worked

ELL = r"\ell(\hat{\boldsymbol{\theta}})"
RSS = r"\mathrm{RSS}"


def _charges(k, n):
    """What AIC, BIC and AICc add to minus twice the log-likelihood."""
    return float(aic(0.0, k)), float(bic(0.0, k, n)), float(aic(0.0, k, n))


def _limit(criterion, n, rss):
    """The residual sum of squares at which one more column is as good as none."""
    cost = lambda r, k: criterion(gaussian_log_likelihood(r, n), k)
    return brentq(lambda r: float(cost(r, 4) - cost(rss, 3)), rss / 5, rss, xtol=1e-13)


def ex_bic():
    rng, N = np.random.default_rng(0), 40
    root = rng.normal(size=(3, 3))
    J = root @ root.T + np.eye(3)
    A = N * J
    peak = lambda precision: -stats.multivariate_normal(np.zeros(3), np.linalg.inv(precision)).logpdf(np.zeros(3))
    return Worked(
        {r"\mathbf{A}": A, r"\mathbf{J}": J, "N": N, "k": 3, r"\pi": np.pi},
        own={r"\mathbf{A}\approx N\mathbf{J}": {r"\mathbf{A}": A, r"\mathbf{J}": J, "N": N}},
        numbers=[
            peak(A), peak(np.eye(3)), np.log(np.linalg.eigvalsh(J)).sum() / 2,
            aic([1.0, 0.0], [0, 0]) @ [1, -1],
        ],
    )  # fmt: skip


def ex_loo():
    smoother = Chapter.of("model_selection").instances[0].own["model-selection-loo"]
    return Worked(smoother, numbers=[0])


def ex_which():
    return Worked({"N": 30}, worlds=[{"N": 5000}, {"N": 12}], numbers=[400, 400])


def ex_drop():
    N, rss = 100, 50
    limits = [_limit(aic, N, rss), _limit(lambda ell, k: bic(ell, k, N), N, rss)]
    better = [{"N": N, RSS: limit - 0.1, "e": np.e} for limit in limits]
    charges = [-np.log(limit / rss) for limit in limits]
    fall = [100 * (1 - limit / rss) for limit in limits]
    return Worked(
        {"N": N, RSS: rss, "e": np.e},
        own={
            r"100\ln(50/\mathrm{RSS})>2": better[0], r"\mathrm{RSS}<50e^{-0.02}=49.01": better[0],
            r"100\ln(50/\mathrm{RSS})>\ln100=4.605": better[1], r"\mathrm{RSS}<50e^{-0.04605}=47.75": better[1],
        },
        numbers=[N * np.log(rss / better[0][RSS]), 2, N * np.log(rss / better[1][RSS]), fall, 0, charges[0]],
        known=[*limits, *charges, bic(0.0, 1, N), 100 * charges[1]],
    )  # fmt: skip


def ex_knn():
    rng = np.random.default_rng(0)
    L, y = np.kron(np.eye(4), np.full((3, 3), 1 / 3)), rng.normal(size=12)  # groups of three neighbours
    y *= 2 / np.sqrt(np.mean((y - L @ y) ** 2))
    same = [loo_score(L, y), gcv_score(L, y)]
    assert np.isclose(*same)
    return Worked(
        {"n": range(1, 13), "h_#": np.diag(L)},
        own={"h_n=1": {"n": range(1, 4), "h_#": np.diag(np.eye(3))}},
        numbers=[np.mean((y - L @ y) ** 2), 1 / 3, 0, 0],
        known=same,
    )


def ex_precision():
    N, J, length = 300, 1 / 4, 16
    message = lambda spacing: np.log(length / spacing) + N * J * spacing**2 / 24
    best = minimize_scalar(message, bounds=(0.01, 5), method="bounded", options={"xatol": 1e-9}).x
    return Worked(
        {"N": N, "J": J, r"\delta": round(best, 6)},
        numbers=[1 / J, length, message(round(best, 6)), 0],
        known=[np.log2(length / best)],
    )


def ex_forward():
    N = 20
    rss = {"": 100, "A": 60, "B": 70, "C": 72, "AB": 55, "AC": 56, "BC": 22, "ABC": 21.5}
    costs = {
        names: float(bic(gaussian_log_likelihood(r, N), len(names) + 2, N) - N * (1 + np.log(2 * np.pi)))
        for names, r in rss.items()
    }
    now, fits = "", 1
    while True:
        tried = ["".join(sorted(now + f)) for f in "ABC" if f not in now]
        fits += len(tried)
        if min(costs[names] for names in tried) >= costs[now]:
            break
        now = min(tried, key=costs.get)
    assert (now, min(costs, key=costs.get)) == ("A", "BC")
    assert rss["AC"] > rss["AB"]
    return Worked(
        {"N": N}, numbers=list(rss.values()), known=[*costs.values(), np.log(N), *(r / N for r in rss.values()), fits]
    )


def ex_posterior():
    values = np.array([210, 212, 220])
    weights = np.exp(-(values - values.min()) / 2)
    apart = brentq(lambda gap: 1 / (1 + np.exp(-gap / 2)) - 0.95, 0, 30)
    return Worked(
        {"e": np.e},
        numbers=[values, 0.95, weights[0], weights.sum(), weights / weights.sum()],
        known=[weights, apart],
    )


def ex_fifty():
    tau = stats.binom(400, 0.8).std() / 400
    least = 0.16 / brentq(lambda t: t * np.sqrt(2 * np.log(50)) - 0.01, 1e-6, 1) ** 2
    return Worked(
        {r"\tau": tau, "N": 400},
        own={r"\sqrt N=0.4\cdot2.797/0.01=111.9": {"N": least}, r"N\geq12519": {"N": np.ceil(least)}},
        numbers=[0.8, 400, 0.01, np.ceil(least)],
        known=[np.sqrt(least), np.sqrt(2 * np.log(50)), 0.8 + tau * np.sqrt(2 * np.log(50))],
    )


def ex_code():
    prostate, (train, _) = load_prostate(), prostate_split()
    X, t = prostate.X[train], prostate.y[train]

    def cost(chosen):
        A = np.column_stack([np.ones(len(X)), X[:, list(chosen)]])
        return float(bic(gaussian_log_likelihood(np.linalg.lstsq(A, t)[1], len(t)), [len(chosen) + 2], len(t))[0])

    subsets = [c for q in range(9) for c in combinations(range(8), q)]
    best = min(subsets, key=cost)
    now, fits = (), 1
    while True:
        tried = [(*now, j) for j in range(8) if j not in now]
        fits += len(tried)
        if min(map(cost, tried)) >= cost(now):
            break
        now = min(tried, key=cost)
    assert set(now) == set(best)
    assert len(best) == 2
    return Worked(numbers=[len(t), fits, len(subsets)])


def cards():
    lines = Chapter.of("model_selection").instances[0].values
    N, k, ell = lines["N"], lines["k"], lines[ELL]
    schwarz = float(ell - bic(0.0, k, N) / 2)
    free = lines[r"\text{const}"] / 2  # what all models share
    flat = gaussian_log_likelihood(0.0, N, 1.0)
    known = float(gaussian_log_likelihood(lines[RSS], N, 1.0) - flat)
    grown, more, fewer = _charges(k, 4 * N), _charges(k, N), _charges(1, 7)
    assert fewer[1] < fewer[0] < bic(0.0, 1, 8)
    tau, m = 0.3, 100
    wrong = lambda candidates: tau * np.sqrt(2 * np.log(candidates))
    residual, leverage = 3, 0.4
    code = mdl([ell], [k], N)
    return {
        "lost-marks-log": Worked(lines, numbers=[known - (more[1] / 2), 1, schwarz + free]),
        "lost-marks-sign": Worked(lines, numbers=[schwarz, -2, -2 * schwarz]),
        "lost-marks-best": Worked(numbers=[100, 0.78, 0.78]),
        "lost-marks-count": Worked(lines),
        "lost-marks-consistent": Worked(numbers=[stats.chi2(1).sf(aic(0.0, 1))]),
        "lost-marks-target": Worked({"n": range(1, 3), "y_#": [2.0, 5.0]}, numbers=[np.exp(-np.log([2, 5]))]),
        "do-not-confuse-scores": Worked(
            {"N": N, r"\mathbb{E}\Lambda(\hat{\boldsymbol{\theta}})": -1.3, r"\sigma^2": 1.7,
             r"p(\mathcal{D}\mid\mathcal{M})": np.exp(-4.0)},
            numbers=[aic(-1.3 * N, 0), aic(-4.0, 0), 1.7],
        ),
        "what-if-n": Worked(lines, numbers=[4, grown[1] - more[1], 1]),
        "what-if-five": Worked({"N": 7, "k": 3}, numbers=[5, fewer[0], 7]),
        "what-if-candidates": Worked(
            {"N": 9, r"\tau": tau, "m": m},
            numbers=[wrong(m), 1000, 100, 0.5, 1 / 3], known=[wrong(1000) / wrong(100)],
        ),
        "what-if-prior": Worked({"k": 3}, numbers=[3 * np.log(10)]),
        "counterexample-larger": Worked(numbers=[200]),
        "convention-sign": Worked(numbers=[-2]),
        "convention-variance": Worked(lines, numbers=[aic(0.0, 1)]),
        "quiz-count": Worked(numbers=[3, 5, 4, 6]),
        "quiz-laplace": Worked(
            {"k": 3, r"\pi": np.pi}, numbers=[-stats.multivariate_normal(np.zeros(3)).logpdf(np.zeros(3))]
        ),
        "quiz-loo": Worked(
            numbers=[residual, leverage, *[residual * (1 - leverage)] * 2, *[residual * (1 + leverage)] * 2,
                     *[residual / leverage] * 2, *[residual / (1 - leverage)] * 2],
        ),
        "quiz-stepwise": Worked(
            numbers=[10, 11, 55, 1 + sum(range(11)), 1 + sum(range(11)), 2**10],
        ),
        "tf-mdl": Worked(numbers=[code.parameters[0] / k / np.log2(N), float(bic(ell, k, N) / code.total[0])]),
    }  # fmt: skip

"""Exercises on inference: moments by sums and quadrature, tests and intervals by SciPy, counts by enumeration."""

from itertools import combinations, combinations_with_replacement

import numpy as np
from scipy import special, stats
from scipy.integrate import quad
from scipy.optimize import brentq

from notes_lib.foundations.inference import mcnemar_test
from tests.formulas.values import At
from tests.solutions.derivatives import slopes
from tests.solutions.ledger import Worked

THETA, NULL = r"\theta", "H_0"
Z = stats.norm.ppf(0.975)


def _wilson(hits, trials):
    return stats.binomtest(hits, trials).proportion_ci(method="wilson")


def ex_geometric():
    theta, x, N, total = 0.3, 4, 10, 40
    law, values = stats.geom(theta), np.arange(1, 400)
    score = lambda t, x=x: 1 / t - (x - 1) / (1 - t)
    by_log = slopes(lambda t: np.log(t * (1 - t) ** (x - 1)), theta)
    mean = lambda f: float(sum(law.pmf(v) * f(v) for v in values))
    hat = N / total
    se = 1 / np.sqrt(N * stats.geom(hat).pmf(values) @ score(hat, values) ** 2)
    failures = np.arange(3000)
    ratio = N / (N + failures)
    expected = lambda t: np.sum(ratio * np.exp(_log_counts(failures, N)) * t**N * (1 - t) ** failures)
    slope = slopes(expected, theta)
    return Worked(
        {THETA: theta, "x": x, "s": by_log, "s'": slopes(score, theta), r"p(x\mid\theta)": law.pmf(x),
         r"\mathbb{E}(x-1)": mean(lambda v: v - 1), r"\mathbb{E}s": mean(lambda v: score(theta, v)),
         r"\hat\theta": hat, r"\mathrm{se}": se, r"\mathrm{bias}'": slope - 1},
        own={"x = 1": {"x": 1}},
        numbers=[2, law.mean(), total, 0, 95, stats.norm(hat, se).interval(0.95), slope * slope],
        known=[se, Z * se],
    )  # fmt: skip


def _log_counts(failures, successes):
    """How many orders end with the last success, as logarithms."""
    return special.gammaln(failures + successes) - special.gammaln(failures + 1) - special.gammaln(successes)


def ex_prove():
    """The mean of N values with a Gaussian error, which attains the bound."""
    N, theta, sd = 4, 0.6, 0.8
    law = stats.norm(theta, sd / np.sqrt(N))
    mean = lambda f: quad(lambda t: f(t) * law.pdf(t), -9, 9, epsabs=1e-12)[0]
    slope = lambda t: N * (t - theta) / sd**2
    change = lambda t: (
        slopes(lambda m: np.exp(-0.5 * ((t - m) / law.std()) ** 2), theta) / law.std() / np.sqrt(2 * np.pi)
    )
    integral = quad(lambda t: t * change(t), -9, 9, epsabs=1e-12)[0]
    return Worked(
        {r"\int T\, \partial p / \partial\theta\, d\mathbf{x}": integral, r"\int p": mean(lambda t: 1),
         r"\mathbb{E} T \ell'": mean(lambda t: t * slope(t)), r"\mathbb{E} \ell'": round(mean(slope), 12),
         r"\operatorname{Cov}(T, \ell')": mean(lambda t: (t - theta) * slope(t)),
         r"\operatorname{Var} T": law.var(), r"\operatorname{Var} \ell'": mean(lambda t: slope(t) ** 2), "N": N,
         "I": 1 / sd**2},
        numbers=[integral],
    )  # fmt: skip


def ex_zero():
    N, level = 30, 0.05
    wilson = _wilson(0, N)
    wald = 0 + np.array([-1, 1]) * Z * np.std(np.zeros(N))
    assert wald[0] == wald[1]
    return Worked(
        {"N": N, "z": Z, THETA: 0.1},
        own={r"\ln(1 - \theta) \approx -\theta": {THETA: 1e-5}},
        numbers=[
            N, 95, N, 100 * level, 0.1, 2, 1, wald[0], wilson.low, stats.binom(N, 0.1).pmf(0), level, 100 * level,
            100 * level / 2,
        ],
        known=[N + Z**2, wilson.high, Z * Z],
    )  # fmt: skip


def ex_filters():
    N, a, b, both = 200, 48, 38, 36
    only = np.array([a - both, b - both])
    p = stats.binomtest(only[1], only.sum()).pvalue
    right = np.array([N - a, N - b])
    pooled = right.sum() / (2 * N)
    z = -np.sqrt(stats.chi2_contingency([right, N - right], correction=False)[0])
    each = np.repeat([-1, 1, 0], [only[1], only[0], N - only.sum()])
    se = stats.sem(each, ddof=0)
    return Worked(
        {"z": z, "p": 2 * stats.norm.cdf(z), r"\mathrm{se}": se},
        numbers=[N, a, b, both, 95, both, stats.norm(each.mean(), se).interval(0.95)],
        known=[N, N - both - only.sum(), p, mcnemar_test([[both, only[0]], [only[1], 0]], exact=False).statistic,
               right, np.diff(only) ** 2, 2 * N, pooled,
               1 - pooled, each.mean() / -z],
    )  # fmt: skip


def ex_three():
    hours, faults, null, theta = 5, 20, 2, 1.7
    law = lambda t: stats.poisson(hours * t)
    hat = faults / hours
    likelihood = law(theta).logpmf(faults) - law(1).logpmf(faults) - hours
    counts = np.arange(200)
    information = lambda t: law(t).pmf(counts) @ (counts / t - hours) ** 2
    score = slopes(lambda t: faults * np.log(t) - hours * t, null)
    R, W = score**2 / information(null), (hat - null) ** 2 * information(hat)
    ratio = 2 * (law(hat).logpmf(faults) - law(null).logpmf(faults))
    return Worked(
        {THETA: theta, r"H_0:\theta": null, NULL: null, r"\ell": likelihood, r"\hat\theta": hat,
         r"\ell'": slopes(lambda t: faults * np.log(t) - hours * t, theta), "I_N": information(theta), "R": R, "W": W,
         r"\Lambda": ratio},
        numbers=[faults, faults, null, law(null).sf(faults - 1), 0.5, *(stats.chi2(1).sf([R, ratio, W]) / 2)],
        known=[information(hat), ratio],
    )  # fmt: skip


def ex_size():
    rate, length, level = 0.9, 0.02, 0.05
    z = round(Z, 2)
    least = z**2 * rate * (1 - rate) / length**2
    whole = int(np.ceil(least))
    p = lambda m: stats.binomtest(0, m).pvalue
    first = next(m for m in range(1, 20) if p(m) <= level)
    any_rate = round(z**2 / 4 / length**2)
    return Worked(
        {"z": z, THETA: rate, "N": whole, "m": first},
        worlds=[{"N": any_rate}],
        numbers=[
            95, rate, -length, length, 10, 100 * level, stats.norm(0, z * stats.bernoulli(rate).std()).var() / whole,
            length**2, whole,
            rate * (1 - rate), max(t / 100 * (1 - t / 100) for t in range(101)), p(first), level, first / 0.1,
        ],
        known=[z, least, any_rate],
    )  # fmt: skip


def ex_uniform():
    theta, alpha, x = 2.0, 0.3, np.array([0.4, 1.9, 1.1])
    N = len(x)
    u = stats.beta(N, 1).ppf(alpha)
    return Worked(
        {"x_#": x, "N": N, THETA: theta, r"\alpha": alpha, "u": u, r"x_{\max}": x.max(), "U": x.max() / u},
        numbers=[x[0], [0, theta], 0.7, 0, 1, 0.7, u, x.max() / u],
    )


def ex_profile():
    hits, N, cells = 16, 20, 40
    grid = np.arange(1, cells) / cells
    statistic = lambda t: 2 * (stats.binom(N, hits / N).logpmf(hits) - stats.binom(N, t).logpmf(hits))
    side = [brentq(lambda t: statistic(t) - Z**2, *ends) for ends in ((0.01, hits / N), (hits / N, 0.999))]
    inside = np.flatnonzero((grid >= side[0]) & (grid <= side[1])) + 1
    return Worked(
        {THETA: range(1, cells), r"\Lambda(\theta)": At(lambda k: statistic(k / cells), THETA), "z": Z, "N": N},
        numbers=[inside, 0, 1],
    )


def cards():
    sixty = stats.binomtest(60, 100)
    M, d, N = 5, 3, 4
    se = np.array([0.04, 0.03])
    shape, size = 3.0, 100
    information = np.array([[special.polygamma(1, shape), -1], [-1, shape]])  # of a Gamma with rate 1
    simulated = np.sqrt(np.linalg.inv(size * information)[0, 0])
    draws = np.random.default_rng(0).uniform(-0.5, 0.5, (100_000, 2))
    holds = round(np.mean(draws.prod(axis=1) < 0), 2)
    only = np.array([12, 2])
    both_wrong, both_right = 36, 150
    right = both_right + only
    z = np.sqrt(stats.chi2_contingency(np.c_[right, 200 - right], correction=False)[0])
    eta, theta = special.logit(0.3), 0.3
    sigmoid = lambda v: 1 / (1 + np.exp(-v))
    info = stats.bernoulli(theta)
    by_odds = sum(p * slopes(lambda v, x=x: np.log(sigmoid(v) if x else 1 - sigmoid(v)), eta) ** 2
                  for x, p in ((0, info.pmf(0)), (1, info.pmf(1))))  # fmt: skip
    by_rate = sum(p * slopes(lambda t, x=x: np.log(t if x else 1 - t), theta) ** 2
                  for x, p in ((0, info.pmf(0)), (1, info.pmf(1))))  # fmt: skip
    sd, mu = 0.7, np.array([0.3, -0.8, 1.1])
    pairs = np.c_[mu - sd, mu + sd]
    can_reject = lambda level: next(m for m in range(1, 20) if stats.binomtest(0, m).pvalue <= level)
    at = can_reject(0.05)
    poisson = lambda t, n: n / stats.poisson(t).var()
    return {
        "lost-marks-p-value": Worked(
            {NULL: 0.5}, numbers=[sixty.pvalue, 0.5, round(100 * sixty.pvalue, 1), 0.5, 0.5, 60, 100, 0.5,
                                  round(100 * sixty.pvalue, 1)]
        ),
        "lost-marks-coverage": Worked(
            {THETA: 0.7}, numbers=[95, 50, 2.1, 2.9, 50, [0.2, 1.2], holds, 1 / 2, holds]
        ),
        "lost-marks-power": Worked(numbers=[0.2, 0.9, 0.8, 50, 5]),
        "lost-marks-unpaired": Worked(
            {"z": z}, numbers=[right[0], both_right + only.sum() + both_wrong, right[1], both_right, both_wrong,
                               only.sum(), only], known=[z]
        ),
        "lost-marks-overlap": Worked(
            {"z": Z, r"\mathrm{se}_#": se}, numbers=[60, 100, 74, 100, 95, sum(Z * se), Z * np.hypot(*se)]
        ),
        "lost-marks-diagonal": Worked(
            {r"\mathrm{se}(\hat\theta_1)": np.sqrt(np.linalg.inv(np.diag([2.0, 3.0]))[0, 0]), "I_{##}": information,
             r"\mathbf{I}": information, "j": 1, "N": size},
            own={r"\mathrm{se}(\hat\theta_1) = 1 / \sqrt{I_{11}}": {
                r"\mathrm{se}(\hat\theta_1)": np.sqrt(np.linalg.inv(np.diag([2.0, 3.0]))[0, 0]),
                "I_{##}": np.diag([2.0, 3.0])}},
            numbers=[size * simulated**2, 1 / special.polygamma(1, shape), simulated],
        ),
        "do-not-confuse-tests": Worked({NULL: 2, r"\theta_0": 2}, numbers=[2, 2]),
        "do-not-confuse-errors": Worked({"N": N}, numbers=[stats.sem([-1, 1] * 2, ddof=0), 1 / 2, stats.sem([-1,
                                                                                                             1] * 2,
                                                                                                             ddof=0)]),
        "what-if-log-odds": Worked(
            {r"I(\eta)": by_odds, r"I(\theta)": by_rate, r"d\theta/d\eta": slopes(sigmoid, eta)},
            own={r"H_0: \theta = \frac12": {r"H_0:\theta": 0.5}},
            numbers=[16, 20],
        ),
        "what-if-twice": Worked(
            {"z": 1.5}, worlds=[{"z": 1.5 * stats.sem([-1, 1], ddof=0) / stats.sem([-1, 1] * 2, ddof=0)}],
            numbers=[2, stats.sem([-1, 1] * 4, ddof=0) / stats.sem([-1, 1], ddof=0), 2,
                     stats.sem([-1, 1], ddof=0) / stats.sem([-1, 1] * 2, ddof=0)],
        ),
        "counterexample-neyman-scott": Worked(
            {"n": range(1, 4), "N": 3, "x_{#1}": pairs[:, 0], "x_{#2}": pairs[:, 1], r"\mu_#": mu, r"\sigma": sd,
             r"\mathcal{N}": At(lambda mean, variance: mean + np.sqrt(variance))},  # one deviation above the mean
            numbers=[2, pairs[:, 0], pairs[:, 1], mu + sd, sd**2, pairs.var(axis=1).mean(),
                     stats.chi2(1).mean() * sd**2 / 2],
        ),
        "counting": Worked(
            {"N": N, "M": M, "d": d, "b": at - 1, "c": 1, "m": at, r"\alpha": 0.05},
            numbers=[len({tuple(_wilson(k, N)) for k in range(N + 1)}), 5, 1, can_reject(0.01),
                     stats.binomtest(0, at).pvalue, len([*combinations(range(M), 2)]),
                     len([*combinations_with_replacement(range(d), 2)])],
        ),
        "convention-information": Worked({"I": 4}, numbers=[0.25]),
        "convention-sides": Worked({"z": Z}, numbers=[stats.norm.sf(Z) / (2 * stats.norm.sf(Z)), Z, round(Z)]),
        "quiz-promise": Worked(numbers=[95, 0.81, 0.89, 95, 95, 95, 95]),
        "quiz-poisson": Worked(
            {THETA: 2},
            numbers=[50, 1 / poisson(2, 50), poisson(2, 1), poisson(2, 50), poisson(2, 50),
                     stats.poisson(2 * 50).var()],
        ),
        "quiz-uniform": Worked(
            {THETA: 2.0, "N": N, r"x_{\max}": 1.7}, numbers=[0, 2.0, 0, 1.7 / stats.beta(N, 1).mean()]
        ),
        "tf-score": Worked({r"\theta_0": 2}, numbers=[2]),
        "tf-bound": Worked({"N": N, "I": At(lambda t: 1 / t), THETA: 2}, numbers=[2 / N, np.var([3, 3])]),
        "tf-wald": Worked({"N": N}, numbers=[95, 0, 1, 0, stats.binom(N, 1e-12).sf(0)]),
        "tf-effect": Worked({"p": 0.001}, worlds=[{"p": 0.04}]),
    }  # fmt: skip

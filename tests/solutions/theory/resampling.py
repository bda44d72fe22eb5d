"""Exercises on resampling: all samples and all labelings enumerated, levels and quantiles by SciPy."""

from itertools import combinations_with_replacement, product

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from tests.formulas.values import At
from tests.solutions.ledger import Worked

THETA, PHI = r"\hat\theta", r"\hat\phi"
LEFT_OUT = np.exp(-1.0)  # the limit of the share of instances that a bootstrap sample misses


def ex_jackknife():
    x, N = np.array([1, 2, 4, 9, 16.0]), 5
    without = np.array([np.delete(x, i).mean() for i in range(N)])
    theta, b = 3.0, np.array([0.7, -1.3])
    expected = lambda size: theta + b @ [1 / size, 1 / size**2]
    every = np.array([*product((-1.0, 3.0), repeat=N)])  # samples of a fair coin with mean 1 and variance 4
    spread = np.var([-1.0, 3.0])
    return Worked(
        {"N": N, r"\bar x": x.mean(), THETA: x.mean() ** 2, r"\theta": theta, "b_#": b, "i": range(1, N + 1), "x_#": x,
         r"\mathbb{E}\hat\theta_N": expected(N), r"\mathbb{E}[\hat\theta_{(\cdot)}-\hat\theta]":
         expected(N - 1) - expected(N), r"\dots": b[1] * (1 / (N - 1) ** 2 - 1 / N**2), r"\bar x_{(#)}": without,
         "s^2": np.var(x, ddof=1), r"\sigma^2": spread, r"\mathbb{E}s^2": np.var(every, axis=1, ddof=1).mean()},
        numbers=[
            np.full(N, 1 / N) @ np.full(N, 1 / N), np.linalg.matrix_rank(np.eye(N) - 1 / N), np.mean(without**2),
            (N - 1) * (np.mean(without**2) - x.mean() ** 2), np.mean(every.mean(axis=1) ** 2) - 1,
        ],
    )  # fmt: skip


def ex_bca():
    replicates, below, level = 1000, 579, 90
    phi, a, Z, alpha = 0.7, 0.1, -2.0, (100 - level) / 200
    z_0, z_alpha = stats.norm.ppf(below / replicates), stats.norm.ppf(alpha)
    estimate = lambda phi, Z: phi + (1 + a * phi) * (Z - z_0)
    found = estimate(phi, Z)
    low = brentq(lambda phi: estimate(phi, -z_alpha) - found, -20, 20, xtol=1e-13)
    place = brentq(lambda Z: estimate(found, Z) - low, -20, 20, xtol=1e-13)
    shown = 2 * round(z_0, 1) + z_alpha
    return Worked(
        {r"\phi": phi, "a": a, "Z": Z, "z_0": z_0, r"z_\alpha": z_alpha, PHI: found, r"\phi_\alpha": low,
         r"\alpha": alpha, r"\Phi": At(stats.norm.cdf)},
        own={"a=0": {"a": 0}, "z_0=0.2": {"z_0": round(z_0, 1)}},  # as the page rounds it
        numbers=[(1 + a * phi) * (1 + a * (Z - z_0)), 0.5 + level / 200, replicates, below, level, place],
        known=[below / replicates, shown, stats.norm.cdf(shown), z_alpha],
    )  # fmt: skip


def ex_tests():
    split = [90, 10]
    return Worked({"N_#": split}, numbers=[10_000, 30, split, 12, 15, 25, 20, 20])


def ex_corrected():
    J, sizes, mean, S, level = 10, [900, 100], 0.012, 0.02, 0.05
    differences = np.tile([-1, 1], J // 2)
    differences = mean + S * differences / np.std(differences, ddof=1)
    naive = stats.ttest_1samp(differences, 0)
    shares = sizes[1] / sizes[0]
    corrected = naive.statistic / np.sqrt(1 + J * shares)
    limit = stats.t(naive.df).ppf(1 - level / 2)
    assert corrected < naive.statistic < limit
    return Worked(
        {"J": J, r"\bar d": differences.mean(), "S": np.std(differences, ddof=1)},
        numbers=[sizes, level, naive.df, limit],
        known=[naive.statistic, corrected, shares],
    )


def ex_proportion():
    N, k = 7, 3
    return Worked(
        {"N": N, "k": k, THETA: k / N}, own={"k=0": {"k": 0}},
        numbers=[1, stats.binom(N, k / N).std() / N, np.max(stats.binom(N, 0).rvs(9))],
    )  # fmt: skip


def ex_632():
    inside, seen, new = 0.632, 0, 0.4
    chance = np.mean([label != said for label, said in product((0, 1), repeat=2)])  # labels and predictions apart
    overfit = (new - seen) / (chance - seen)
    weight = inside / (1 - (1 - inside) * overfit)
    assert round(1 - LEFT_OUT, 3) == inside
    return Worked(
        {"e_#": {0: seen, 1: new}, r"\gamma": chance, r"\eta": overfit, "w": weight},
        numbers=[0.5, (1 - weight) * seen + weight * new],
        known=[inside, inside * new, (1 - inside) * overfit],
    )


def ex_level():
    R, level, M = 19, 0.01, 6
    ranks = [order + 1 for order in range(M)]
    chance = stats.randint(0, R + 1).pmf(0)  # that no exchange is larger
    return Worked(
        {"R": R, "b": 0, "M": M}, own={"k=1": {"k": min(ranks)}},
        numbers=[level, ranks.count(1) / len(ranks), level, round(1 / chance), chance],
    )  # fmt: skip


def ex_code():
    x, draws = [1, 2, 4, 9, 16], 4000
    every = sum(1 for _ in product(x, repeat=len(x)))
    deviations = np.linalg.matrix_rank(np.eye(40) - 1 / 40) - 40
    return Worked({"R": draws}, numbers=[x, draws + deviations, draws], known=[every])


def cards():
    rng = np.random.default_rng(0)
    theta, replicates = 3.0, rng.normal(3.3, 1, 400)
    low, high = np.quantile(replicates, [0.1, 0.9], method="inverted_cdf")
    mirrored = [2 * theta - low, 2 * theta - high]
    replicate = {THETA: theta, r"\bar\theta^*": replicates.mean(), r"q_\alpha": low, r"q_{1-\alpha}": high}
    every = [*product(range(3), repeat=3)]
    unordered = [*combinations_with_replacement(range(3), 3)]
    missed = stats.binom(100, 0.01).pmf(0)
    J, sizes = 10, [90, 10]
    estimate, quantiles = 10, np.array([8, 15])
    ends = sorted(estimate + (estimate - quantiles))
    as_extreme, exchanges = 4, 199
    share = lambda b, R: np.mean(np.arange(R) < b)
    columns = np.vstack([np.full(J, 1 / J), np.zeros(J)])
    return {
        "lost-marks-zero": Worked({"p": share(0, 99)}, numbers=[0, 99], known=[share(1, 100)]),
        "lost-marks-more": Worked(numbers=[stats.binom(400, 0.5).std() / 400 / (stats.binom(100, 0.5).std() / 100)]),
        "lost-marks-mean": Worked(replicate),
        "lost-marks-naive": Worked(
            {"J": J, "N_#": sizes}, numbers=[np.sum(columns**2) + sizes[1] / sizes[0]]
        ),
        "lost-marks-mirror": Worked(replicate, numbers=[mirrored, sorted(mirrored)]),
        "what-if-copied": Worked(
            numbers=[2, stats.sem(replicates, ddof=0) / stats.sem(np.tile(replicates, 2), ddof=0)]
        ),
        "convention-count": Worked({"N": 3}, numbers=[len(unordered), len(every), len(unordered)]),
        "convention-names": Worked({"z_0": 0.3}, numbers=[0.5, 0.3, 2]),
        "quiz-different": Worked(
            numbers=[100, round(100 * missed), 50, 0.5, round(100 - 100 * missed), 100],
            known=[missed, 100 * stats.binom(100, 0.01).sf(0)],
        ),
        "quiz-basic": Worked(
            numbers=[estimate, quantiles, quantiles, ends, ends, ends[::-1], estimate - np.ptp(quantiles) / 2,
                     estimate + np.ptp(quantiles) / 2]
        ),
        "quiz-p": Worked(
            numbers=[as_extreme, exchanges, share(4, 200), share(4, 200), share(4, 199), share(4, 199), share(5, 200),
                     share(5, 200), share(5, 199), share(5, 199)], known=[exchanges, exchanges + 1],
        ),
        "quiz-fails": Worked(numbers=[round(100 - 100 * LEFT_OUT)]),
        "tf-infinity": Worked(numbers=[95, 95]),
    }  # fmt: skip

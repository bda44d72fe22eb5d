"""Exercises on random forests: variances and votes by enumeration, shares of bootstrap samples by SciPy."""

from itertools import product

import numpy as np
from scipy import stats

from tests.solutions.ledger import Worked


def _majority(voters, p):
    """The chance that most of the voters are right."""
    return float(stats.binom(voters, p).sf(voters // 2))


def ex_variance():
    B, variance, rho = 5, 1.7, 0.2
    covariance = variance * ((1 - rho) * np.eye(B) + rho)
    mean = np.full(B, 1 / B)
    excess = lambda size: np.full(size, 1 / size) @ ((1 - rho) * np.eye(size) + rho) @ np.full(size, 1 / size) / rho - 1
    least = next(size for size in range(1, 99) if excess(size) <= 0.1 + 1e-12)
    lowest = -1 / np.linalg.eigvalsh(np.ones((B, B)) - np.eye(B)).max()  # the matrix of correlations is singular there
    at_least = {"B": least}
    return Worked(
        {"B": B, r"\rho": rho, r"\sigma^2": variance, "b": range(1, B + 1), "c": range(1, B + 1), "f_1": 0.3,
         "f_#": mean,
         r"\operatorname{Cov}(f_#, f_#)": lambda b, c: covariance[b - 1, c - 1]},
        own={r"0.8/B\le0.1\cdot0.2": at_least, r"B\ge40": at_least},
        numbers=[
            0.3, variance, 10, mean @ covariance @ mean, variance, np.sum(covariance != variance), covariance[0, 1],
            mean @ covariance @ mean, 0, np.ones(B) @ covariance @ np.ones(B) / variance / B, 0, lowest, 1,
            (1 - rho) / least, 0.1 * rho, least,
        ],
    )  # fmt: skip


def ex_limit():
    N, c = 10**6, 1.7
    none = stats.binom(N, 1 / N).pmf(0)
    neither = stats.binom(N, 2 / N).pmf(0)
    return Worked(
        {"N": N, "c": c},
        own={r"(1-1/N)^N": {"N": 7}, r"N\ln(1-1/N)\to-1": {"N": N}},
        numbers=[500, stats.binom(7, 1 / 7).pmf(0), stats.poisson(c).sf(0), round(500 * neither)],
        known=[1 - none],
    )


def ex_three():
    trees, target = np.array([4, 7, 10]), 6
    mean, errors = np.mean(trees), (trees - target) ** 2
    forest = (mean - target) ** 2
    return Worked(
        numbers=[trees, target, mean, forest, errors, errors.mean(), trees[0], (mean - trees[0]) ** 2, 0],
    )


def ex_importance():
    first, new = [0.30, 0.25, 0.25, 0.20], [0.00, 0.01, 0.01, 0.15]
    assert np.isclose(sum(first), 1)
    return Worked(numbers=[first, new, first[0], new[0], new[1]])


def ex_jury():
    p, m = 0.8, 2
    B, q = 2 * m + 1 - 2, 0.63  # two voters more than B

    def changes(right_before, right_after):
        """The chance that two more voters turn the decision, voter by voter."""
        found = 0
        for votes in product((0, 1), repeat=B + 2):
            before, after = 2 * sum(votes[:B]) > B, 2 * sum(votes) > B + 2
            found += (before, after) == (right_before, right_after) and np.prod([q if v else 1 - q for v in votes])
        return float(found)

    better, worse = changes(False, True), changes(True, False)
    generic = {"p": q, "B": B, "m": m}
    texts = (r"\binom B{m-1}p^{m+1}(1-p)^m", r"\binom Bmp^m(1-p)^{m+1}", r"\binom Bmp^m(1-p)^m\,[\,p-(1-p)\,]")
    shares = [_majority(voters, p) for voters in (1, 3, 5)]
    return Worked(
        {"P_#": dict(zip((1, 3, 5), shares, strict=True)), "p": p},
        own=dict.fromkeys(texts, generic),
        numbers=[shares, better, worse, better - worse, shares],
        known=[np.diff(shares)],
    )


def ex_code():
    return Worked(unread={"0/0": "undefined, as the solution says"})


def cards():
    B, variance, rho = 7, 10, 0.3
    covariance = variance * ((1 - rho) * np.eye(B) + rho)
    mean = np.full(B, 1 / B)
    shared = rho * variance
    inside = stats.binom(10**6, 1e-6).sf(0)
    symbols = {"B": B, r"\sigma^2": variance, r"\rho": rho}
    alone = np.diag(np.full(B, variance))
    return {
        "lost-marks-independent": Worked(symbols, numbers=[mean @ alone @ mean, mean @ covariance @ mean]),
        "lost-marks-training": Worked(numbers=[round(100 * inside)]),
        "lost-marks-importance": Worked(numbers=[0.3]),
        "lost-marks-vote": Worked(
            {"p": 0.4}, numbers=[next(p for p in (0.4, 0.5, 0.6) if _majority(3, p) >= p), 0.5, _majority(3, 1)]
        ),
        "counterexample-weak": Worked(numbers=[101, 0.6, _majority(101, 0.6)]),
        "quiz-variance": Worked(
            numbers=[variance, rho, B, mean @ alone @ mean, variance / B, shared, mean @ covariance @ mean,
                     mean @ covariance @ mean, shared / B, shared / B],
        ),
        "quiz-oob": Worked(
            numbers=[300, round(300 * inside), 300, int(300**0.5), 300**0.5, round(300 * (1 - inside)),
                     300 * stats.poisson(1).pmf(0)],
                     known=[300]
        ),
        "quiz-limit": Worked(
            {r"\sigma^2": variance, r"\rho": np.corrcoef([1, 2, 4], [1, 2, 4])[0, 1]}, numbers=[variance]
        ),
        "tf-rows": Worked({"N": 100}, numbers=[round(inside, 2) * 100, round(inside, 2) * 100]),
        "tf-correlation": Worked(numbers=[1000, 10]),
        "what-if-copies": Worked({r"\rho": np.corrcoef([1, 2, 4], [1, 2, 4])[0, 1]}),
        "what-if-single": Worked({"M": 1}),
        "convention-features": Worked(numbers=[1 / 3]),
    }  # fmt: skip

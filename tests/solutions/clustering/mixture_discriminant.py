"""Exercises on mixtures in classes: borders as roots of densities, parameters counted one by one, segments as data."""

import numpy as np
from scipy import stats
from scipy.optimize import brentq, minimize_scalar
from scipy.special import softmax

from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _mixture(means, variance=1.0):
    """The density of clouds of equal weight."""
    return lambda x: float(np.mean(stats.norm(means, np.sqrt(variance)).pdf(x)))


def _borders(first, second):
    """How often the larger of two densities changes on the line."""
    larger = [first(x) > second(x) for x in np.linspace(-7, 7, 281) + 0.003]
    return int(np.sum(np.diff(larger)))


def _entries(D, symmetric=True):
    """The places of a covariance matrix that hold numbers of their own, and the mean."""
    return D + sum(1 for i in range(D) for j in range(D) if j >= i or not symmetric)


def _of_class(J, D, **how):
    """Free numbers of the mixture of a class: means, covariances, and weights but one."""
    return sum(_entries(D, **how) for _ in range(J)) + len(range(1, J))


def ex_split():
    counts = np.array([3, 5, 12])
    best = counts / counts.sum()
    of_first = lambda p: -(counts[0] * np.log(p) + counts[1:].sum() * np.log(1 - p))
    assert np.isclose(minimize_scalar(of_first, bounds=(0.01, 0.99), options={"xatol": 1e-9}).x, best[0], atol=1e-5)
    N = int(counts.sum())
    return Worked(
        {"k": range(1, 4), "N_#": counts, "P_#": best, r"\lambda": N, "N": N,
         r"\mathcal{L}": -N * stats.entropy(best)},
    )  # fmt: skip


def ex_sides():
    A, B = _mixture([-2, 2]), _mixture([0])
    border = brentq(lambda x: A(x) - B(x), 0, 5)
    variance = 1 + np.var([-2, 2])
    wide = _mixture([0], variance)
    of_qda = brentq(lambda x: wide(x) - B(x), 0.5, 5)
    at = {"x": of_qda}
    t = np.arccosh(np.exp(2))
    assert (_borders(A, B), _borders(wide, B)) == (2, 2)
    far = _mixture([-4, 0, 4])
    assert _borders(A, far) > 2
    somewhere = 0.7
    return Worked(
        {"t": t, "x": border, r"\cosh t": np.cosh(t), r"\cosh 2x": np.cosh(2 * border),
         r"\mathcal{N}": At(lambda m, v: stats.norm(m, np.sqrt(v)).pdf(somewhere))},
        own={r"\tfrac12x^2=\tfrac1{10}x^2+\tfrac12\ln5": at, r"x^2=\ln5/0.8": at, r"x\approx\pm1.42": at},
        numbers=[A(somewhere), B(somewhere), np.cosh(t), A(border) / B(border), np.cosh(2 * border), np.cosh(t),
                 np.mean([-2, 2]), [-4, 4], 0],
        known=[np.log(variance), border, of_qda],
    )  # fmt: skip


def ex_count():
    D, penalty = 2, 5
    sizes = [_of_class(J, D) for J in (1, 2, 3)]
    likelihoods = np.array([[-240, -200, -190], [-150, -140, -135]])
    bic = -2 * likelihoods + penalty * np.array(sizes)
    assert bic.argmin(axis=1).tolist() == [1, 0]
    pairs = [(a + b, (i, j)) for i, a in enumerate(bic[0]) for j, b in enumerate(bic[1])]
    assert min(pairs)[1] == (1, 0)
    J = 3
    return Worked(
        {"D": D, "N": np.exp(penalty), "J_#": {1: J}, "k": range(1, 2), r"\mathrm{BIC}_#": bic.min(axis=1)},
        numbers=[int(np.exp(penalty)), 1, likelihoods[0], 2, likelihoods[1], len(range(1, J)), sizes, 1, 2],
        known=[bic, -2 * likelihoods],
    )


def ex_local():
    return Worked(numbers=[softmax([0.3, 2.0, -1]).sum()])


def ex_segments():
    size, mean, sd, first, of_first = 100, 40, 10, 20, 55
    shares = np.array([first, size - first]) / size
    means = np.array([of_first, (size * mean - first * of_first) / (size - first)])
    standouts = (means - mean) / sd
    between = shares @ (means - mean) ** 2 / sd**2
    assert np.isclose(shares @ standouts, 0)
    segment, matched, overlap = set(range(first)), 25, 15
    again = set(range(first - overlap, first - overlap + matched))
    recovery = len(segment & again) / len(segment | again)
    return Worked(
        numbers=[
            mean, sd, size, 1, first, of_first, 2, size - first, len(segment & again), len(segment), len(again), 1, 1,
            (shares @ standouts).round(9), 2,
        ],
        known=[standouts, between, recovery],
    )  # fmt: skip


def ex_code():
    none = 0
    with np.errstate(divide="ignore"):
        logarithm = np.log(none)
    return Worked(numbers=[none, none, np.exp(logarithm)])


def cards():
    K, J, D = 2, 3, 10
    total = lambda K, J, D, **how: K * _of_class(J, D, **how) + len(range(1, K))
    r = {"r_{A1}": 0.3, "r_{A2}": 0.3, "r_{B1}": 0.4}
    class_a, class_b = r["r_{A1}"] + r["r_{A2}"], r["r_{B1}"]
    one, other = _mixture([-1]), _mixture([1])
    x = np.array([0.2, -1.0, 2.5])
    double = stats.norm.logpdf(np.repeat(x, 2)).sum() / stats.norm.logpdf(x).sum()
    weights = softmax([[0.3, 1, 2], [1, 1, 4]], axis=1)
    standouts = np.array([-1, -1, 1, 1])  # all variance lies between two segments
    most = np.mean(standouts**2) / np.var(standouts)
    features = 3
    return {
        "lost-marks-weights": Worked(numbers=[2, weights[0].sum()]),
        "lost-marks-nonzero": Worked(numbers=[round(stats.norm.pdf(99.0))]),
        "what-if-doubled": Worked(numbers=[2, double]),
        "counting": Worked({"K": K, "J": J, "D": D, "m": 4}, numbers=[total(K, J, D), total(K, J, D)]),
        "quiz-sum": Worked(r, numbers=[class_a, class_b, class_a, class_b]),
        "quiz-borders": Worked(
            numbers=[_borders(one, other), _borders(_mixture([0], 4), _mixture([0])),
                     _borders(_mixture([-2, 2], 0.2), _mixture([-4, 0, 4], 0.2)), 3],
        ),
        "quiz-parameters": Worked(
            numbers=[2, 2, features, 2 * 2 * _entries(features), total(2, 2, features),
                     total(2, 2, features), 2 * _of_class(2, features),
                     total(2, 2, features, symmetric=False), _entries(features) - features, features**2],
        ),
        "quiz-features": Worked(numbers=[weights[0].sum()]),
        "tf-weights": Worked(numbers=[weights.sum() / len(weights), weights[0].sum()]),
        "tf-standout": Worked(numbers=[most]),
    }  # fmt: skip

"""Exercises on Bayesian decisions: tables by enumeration, borders by root finding, errors by quadrature."""

from fractions import Fraction

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, linprog, minimize_scalar
from scipy.special import expit
from scipy.stats import expon, norm

from notes_lib.bayes.bayes_decision import REJECT, chow_reject, error_bounds, likelihood_threshold, minimum_risk_action
from tests.formulas.values import At
from tests.solutions.ledger import Worked

NORMAL = {r"\mathcal{N}": At(lambda mean, variance: [mean, variance]), r"\Phi": At(lambda z: float(norm.cdf(z)))}


def _error(prior, likelihood, decisions):
    """How often decisions, one for each value, are wrong."""
    wrong = np.arange(len(prior))[:, None] != np.array(decisions)
    return float((np.array(prior)[:, None] * likelihood * wrong).sum())


def _minimax(p, q):
    """The probabilities of deciding 1 with the smallest largest error rate, and that rate, by a linear program."""
    size = len(p)
    rows = [[*p, -1], [*(-np.array(q)), -1]]
    found = linprog([*np.zeros(size), 1], A_ub=rows, b_ub=[0, -1], bounds=[(0, 1)] * size + [(None, None)])
    return found.x[:size], found.fun


def ex_dice():
    sides = [4, 6, 12]
    joint = np.array([[Fraction(face <= side, 3 * side) for face in range(1, 13)] for side in sides])
    best = np.argmax(joint, axis=0)
    right = float(joint.max(axis=0).sum())
    three = joint[:, 2]
    faces = [np.flatnonzero(best == k) + 1 for k in range(3)]
    win, lose = 12, 6
    return Worked(
        numbers=[
            sides, 3, win, lose, three, three / three.min(), three / three.sum(), sides[0], faces[0][0], faces[0][-1],
            sides[1], faces[1], sides[2], 1 - right,
        ],
        known=[right, win * right - lose * (1 - right)],
    )  # fmt: skip


def ex_threshold():
    prior, p = np.array([0.7, 0.3]), np.array([0.2, 0.9])
    cost = np.array([[0.5, 2], [6, 1]])
    P = prior * p / (prior @ p)
    risk = P @ cost
    assert minimum_risk_action(P, cost).chosen == 1
    return Worked(
        {"k": range(2), "p_#": dict(enumerate(p)), "p_#(x)": dict(enumerate(p)), r"\pi_#": dict(enumerate(prior)),
         "P_#": dict(enumerate(P)), "c_{##}": {(i, j): cost[i, j] for i, j in np.ndindex(2, 2)},
         r"R(#\mid x)": dict(enumerate(risk)), r"\theta": likelihood_threshold(prior, cost)},
        numbers=[1, risk, risk, P[1] * (cost[1, 0] - cost[1, 1]), P[0] * (cost[0, 1] - cost[0, 0]), p[1] / p[0]],
    )  # fmt: skip


def ex_border():
    m, variance, theta = [0.3, 1.7], 0.8, 2.5
    ratio = lambda x: norm(m[1], variance**0.5).logpdf(x) - norm(m[0], variance**0.5).logpdf(x)
    border = brentq(lambda x: ratio(x) - np.log(theta), -20, 20, xtol=1e-13)
    return Worked(
        {"k": range(2), "m_#": dict(enumerate(m)), r"\sigma^2": variance, r"\theta": theta, "x": border + 0.2, **NORMAL,
         r"\ell": At(lambda x: float(np.exp(ratio(x))))},
        numbers=[m[0], variance, m[1], variance, m, border],
    )  # fmt: skip


def ex_chow():
    right, mistake, price, K, doubt = 1.0, 6.0, 1.5, 5, 0.3
    act = np.full((K, K + 1), mistake)
    act[:, K] = price
    np.fill_diagonal(act, right)
    rejects = lambda e: minimum_risk_action([1 - e, e, *np.zeros(K - 2)], act).chosen == K
    low, high = 0.0, 0.5
    for _ in range(60):
        low, high = (low, (low + high) / 2) if rejects((low + high) / 2) else ((low + high) / 2, high)
    worst = 1 - max(np.full(K, 1 / K))
    never = right * (1 - worst) + mistake * worst  # what the best guess costs in the worst case
    border = brentq(lambda x: expit(2 * x) - 0.9, 0, 5)
    assert [chow_reject([[1 - expit(2 * x), expit(2 * x)]], 0.1)[0] == REJECT for x in (border - 0.01, border + 0.01)]
    x = 0.6
    return Worked(
        {"c_m": mistake, "c_c": right, "c_r": price, "K": K, "e": doubt, "t": low, "x": x,
         r"P(#\mid x)": {0: 1 - expit(2 * x), 1: expit(2 * x)}},
        own={r"c_r=c_c+(1-\frac1K)(c_m-c_c)": {"c_r": never, "c_c": right, "c_m": mistake, "K": K}},
        numbers=[np.dot([doubt, 1 - doubt], [mistake, right]), worst, expit(2 * border), 2 * x,
                 np.log(0.9) - np.log(0.1), border],
    )  # fmt: skip


def ex_uniform():
    cells, width = np.array([0, 3, 4, 5]), np.array([3, 1, 1])
    p = np.array([[1, 1, 0], [0, 1, 1]]) * width / [[4], [2]]
    decide = lambda prior: np.argmax(np.array(prior)[:, None] * p, axis=0)
    regions = [[cells[:-1][at].min(), cells[1:][at].max()] for at in (decide([0.6, 0.4]) == k for k in (0, 1))]
    tie = brentq(lambda v: (1 - v) * p[0, 1] - v * p[1, 1], 0, 1)
    coins, risk = _minimax(*p)
    F, D = p @ coins
    assert np.isclose(_error([1 - tie, tie], p, decide([1 - tie, tie])), risk)
    middle = cells[1:3]
    return Worked(
        {r"\pi_0": 0.6, r"\pi_1": 0.4, r"\mathcal{R}_#": dict(enumerate(regions)), r"\gamma": coins[1], "F": F, "D": D,
         "P_e": _error([0.6, 0.4], p, decide([0.6, 0.4]))},
        worlds=[{r"\pi_1": tie}],
        numbers=[0, [0, 4], 1, [3, 5], 0.4, middle, middle, decide([0.6, 0.4])[1], 0, middle, middle, 1, risk],
        known=[0.6 * p[0, 1]],
    )  # fmt: skip


def ex_disc():
    area = quad(lambda x: 2 * np.sqrt(1 - x * x), -1, 1)[0]
    square = 4
    border = brentq(lambda v: v / area - (1 - v) / square, 0, 1)
    x, low = [0.3, -0.6], 0.25
    return Worked(
        {"x_#": x, r"\pi_#": {1: low}, r"P_e^\star": area / square / 2},
        numbers=[0, -1, x[0], x[1], 1, 1, 1, low, 1, 1 / square, 1 / area, 1 / area, 1 / square, 1, 0, 0, low / area,
                 (1 - low) / square, low, 1, low],
        known=[border],
    )  # fmt: skip


def ex_lemma():
    p, q = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.2, 0.2, 0.5])
    best, other, theta = np.array([0, 0, 0.5, 1]), np.array([0.1, 0.2, 0.3, 0.1]), 1.0
    at = 3
    return Worked(
        {"D": other @ q, "F": other @ p, r"\int\varphi p_#": {0: other @ p, 1: other @ q}, r"\alpha": best @ p,
         r"F^\star": best @ p, r"D^\star": best @ q, r"\theta": theta, r"\varphi": other[at],
         r"\varphi^\star": best[at], "p_#": {0: p[at], 1: q[at]}},
        numbers=[0, best[at], best[0], (best[at] - other[at]) * (q[at] - p[at]), 0, 0, 0],
    )  # fmt: skip


def ex_scales():
    narrow, wide = norm(0, 1), norm(0, 2)
    border = brentq(lambda x: wide.logpdf(x) - narrow.logpdf(x), 0.1, 9)
    single = minimize_scalar(
        lambda b: (narrow.sf(b) + wide.cdf(b)) / 2, bracket=(1, border + 0.1, 2), options={"xtol": 1e-12}
    )
    alarms, misses = narrow.sf(border), wide.cdf(border) - 0.5
    x = 1.7
    return Worked(
        {**NORMAL, r"\ell": wide.pdf(x) / narrow.pdf(x), "x": x, "P_e": alarms + misses, "b": border},
        numbers=[0, [0, 1], 1, [0, 4], 1, single.fun, (narrow.sf(0) + wide.cdf(0)) / 2, 0, single.fun],
        known=[border, border / 2, alarms, misses, alarms + misses],
    )  # fmt: skip


def ex_exponential():
    rates = dict(enumerate([1, 4]))
    classes = {k: expon(scale=1 / rate) for k, rate in rates.items()}
    density = lambda k, x: classes[k].pdf(x)
    coefficient = lambda s: quad(lambda x: density(0, x) ** (1 - s) * density(1, x) ** s, 0, 40)[0]
    overlap, bounds = coefficient(0.5), error_bounds(coefficient, [0.5, 0.5])
    border = brentq(lambda x: density(0, x) - density(1, x), 0.1, 9, xtol=1e-14)
    lost = quad(lambda x: min(density(0, x), density(1, x)) / 2, 0, 40, points=[border], epsabs=1e-12)[0]
    return Worked(
        {"k": range(2), "p_#": {k: At(lambda x, k=k: density(k, x)) for k in (0, 1)}, r"\lambda_#": rates, "x": border,
         r"\rho": At(coefficient), r"\int_0^\infty e^{-(\lambda_0+\lambda_1)x/2}dx": overlap / 2,
         r"P_e^\star": lost},
        numbers=[0, 1],
        known=[overlap, bounds.bhattacharyya, bounds.lower],
    )  # fmt: skip


def cards():
    prior, p, cost = [0.8, 0.2], [0.3, 0.9], np.array([[0, 1], [1, 0]])
    joint = np.multiply(prior, p)
    decided = int(minimum_risk_action(joint / joint.sum()).chosen)
    theta = likelihood_threshold(prior)
    narrow, wide = norm(0, 1), norm(0, 2)
    border = brentq(lambda x: wide.logpdf(x) - narrow.logpdf(x), 0.1, 9)
    tails = narrow.sf(border) + wide.cdf(border) - 0.5
    miss = np.array([[0, 1], [10, 0]])  # of the card on the cost matrix
    warns = [int(minimum_risk_action([0.8, 0.2], table).chosen) for table in (miss, miss.T)]
    assert warns == [1, 0]
    shares = {r"\pi_#": {0: 0.7, 1: 0.3}, r"\int_{\mathcal{R}_#}p_#dx": lambda i, j: [0.8, 0.6][i]}
    twice = np.array([0.7, 0.3, 0.3])
    wrong = {"p_#": {0: 0.2, 1: 0.9}, r"\pi_#": {0: 0.7, 1: 0.3}, "c_{##}": {(1, 0): 5.0, (0, 1): 2.0}}
    K, free = 4, 8 * (1 - max(np.full(4, 1 / 4)))
    assert likelihood_threshold([0.7, 0.3], [[0, 1], [2, 0]]) == likelihood_threshold([0.7, 0.3]) / 2
    halved = likelihood_threshold(prior, [[0, 1], [2, 0]]) / theta
    return {
        "lost-marks-region": Worked({**shares, "P_e": 1 - np.dot([0.7, 0.3], [1 - 0.8, 1 - 0.6])}, numbers=[0, 1]),
        "lost-marks-prior": Worked({r"\pi_1": 0.1}, numbers=[int(_times_worse())]),
        "lost-marks-transpose": Worked(
            {r"P(#\mid x)": [0.2]}, numbers=[warns[1], warns[1], miss[1, 0], miss[0, 1]],
        ),
        "lost-marks-theta": Worked(wrong, numbers=[0.9 / 0.2, 0.3 * 5 / (0.7 * 2), 1, 1, 0.3, 5]),
        "lost-marks-sort": Worked({"p_#": {0: 0.2, 1: 0.9}}, numbers=[0.9, 1, 1, 0.9 / 0.2]),
        "lost-marks-minimax": Worked({r"\pi_#": {0: 0.5, 1: 0.5}, "R_#": {0: 0.3, 1: 0.3}}),
        "do-not-confuse-rules": Worked({r"\pi_#": {0: 0.7, 1: 0.3}, "R_#": {0: 0.3, 1: 0.3}}, numbers=[0.7 / 0.3]),
        "what-if-twice": Worked(
            {r"\pi_#": {1: 0.3}, r"\pi_1'": twice[1:].sum() / twice.sum()},
            numbers=[2, likelihood_threshold([0.7 / 1.3, 0.6 / 1.3]) / likelihood_threshold([0.7, 0.3])],
        ),
        "what-if-price": Worked({"K": K}, numbers=[0, 0, free / 8]),
        "counterexample-means": Worked(NORMAL, numbers=[[0, 1], [0, 4], tails, 1 / 2]),
        "counting": Worked(
            {"K": 4, "m": 3, "A": 2},
            numbers=[np.sum(~np.eye(4, dtype=bool)), len(set(_by_ratio([0.5, 0.3, 0.2], [0.1, 0.3, 0.6]))),
                     [_borders(*pair) for pair in ((0.3, 1, 0.5), (1, 1, 0), (1, 2, 0))]],
        ),
        "convention-ratio": Worked({"p_#": {0: 0.2, 1: 0.9}, r"\ell": 4.5, r"\omega_#": [1, 2],
                                    r"p(x\mid\omega_#)": [0.9, 0.2]},
                                   numbers=[1, 1, 2, 4.5]),
        "quiz-decide": Worked(
            {"x": 0.4, r"\pi_1": prior[1], "p_#": {k: At(lambda x, k=k: p[k]) for k in (0, 1)}},
            numbers=[decided, 1, decided, 1, p[1], p[0], p[1] / p[0], theta],
            known=joint,
        ),
        "quiz-double": Worked({"c_{##}": {(1, 0): cost[1, 0]}}, numbers=[2, halved, 1, 2, 0, 0, 1]),
        "quiz-minimax": Worked({"R_#": {0: 0.3, 1: 0.3}}),
        "quiz-reject": Worked(numbers=[8, 2, 2 / 8, 8 / 2, free, free, 8, free]),
        "tf-np": Worked(numbers=[0]),
        "tf-density": Worked(numbers=[quad(norm(0, 0.1).pdf, -2, 2, points=[0])[0], 1, 1]),
    }  # fmt: skip


def _times_worse():
    """How many times more errors the rule for equal priors makes on the machine of the page."""
    error = lambda b: 0.9 * norm(0, 1).sf(b) + 0.1 * norm(2, 1).cdf(b)
    return error(1) / minimize_scalar(error, bounds=(0, 5), method="bounded").fun


def _by_ratio(p, q):
    """The tests of some values by a threshold on their ratio, without a coin."""
    ratio = np.divide(q, p)
    return [tuple(ratio > theta) for theta in (0, *ratio)]


def _borders(odds, scale, mean):
    """How often the joint densities of two Gaussians on a line cross."""
    x = np.linspace(-30, 30, 100_001)
    gap = np.log(odds) + norm(mean, scale).logpdf(x) - norm(0.5, 1).logpdf(x)
    return int(np.count_nonzero(np.diff(np.sign(gap))))

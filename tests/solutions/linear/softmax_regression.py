"""Exercises on softmax regression: losses differentiated numerically, probabilities by SciPy, classifiers counted."""

from itertools import combinations, permutations

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logsumexp, softmax
from sklearn.linear_model import LogisticRegression

from notes_lib.numerics import central_difference
from tests.formulas.values import At
from tests.solutions.ledger import Worked

SCORES, CLASS = np.array([0.4, -0.7, 1.1]), 2
W = r"\mathbf{w}"


def _slope(function, at, step=1e-5):
    """Central differences, which carry about nine digits."""
    return np.round(central_difference(function, at, step), 9)


def ex_gradient():
    p, label = softmax(SCORES), np.eye(3)[CLASS - 1]
    both = softmax([SCORES, SCORES[::-1]], axis=1)
    return Worked(
        {"k": range(1, 4), "j": range(1, 4), "n": range(1, 3), "a_#": SCORES, "y": CLASS, "p_#": p, "y_#": label,
         "p_{##}": both, "y_{##}": np.eye(3)[[2, 0]],
         r"\partial\ell/\partial a_#": _slope(lambda a: -log_softmax(a)[CLASS - 1], SCORES)},
    )  # fmt: skip


def ex_convex():
    K, D, u, s = 3, 2, np.array([0.4, 1.3]), np.array([0.3, -1.2, 0.8])
    jacobian = _slope(softmax, SCORES)
    X = np.array([[1, 0.5], [1, -1.2], [1, 2.0], [1, 0.3]])
    hessian = sum(np.kron(jacobian, np.outer(x, x)) for x in X)
    null = K * D - np.linalg.matrix_rank(hessian, tol=1e-6)
    assert np.allclose(hessian @ np.tile(u, K), 0, atol=1e-6)
    return Worked(
        {"K": K, "D": D, r"\mathbf{s}": s, r"(\cdot)": jacobian, "k": range(1, 4), "p_#": softmax(SCORES), "s_#": s,
         r"\mathbf{u}": u, r"\mathbb{R}^#": {D: u}},
        numbers=[0, u, null],
        known=[K * D],
    )  # fmt: skip


def ex_two():
    C, x, w = 0.7, np.array([0.5, -0.3]), np.array([0.8, 1.9])
    both = np.array([w, -w]) / 2
    penalty = np.sum(both**2) / (2 * C)
    a = both @ x
    single = w @ w / (2 * penalty)  # the C that makes the same penalty of one vector
    return Worked(
        {"K": 2, "C": C, "C'": single, r"\mathbf{w}_#": both, W: w, r"\mathbf{x}": x, "a_#": a, "p_#": softmax(a),
         r"\sigma": At(expit), r"\mathbf{0}": np.zeros(2)},
        numbers=[penalty, penalty, penalty],
    )  # fmt: skip


def ex_lse():
    scores, right = np.array([100, 99, 97]), 97
    top = scores.max()
    terms = np.exp(scores - top)
    total = logsumexp(scores)
    low, high = top, logsumexp([top] * 3)  # the others far below, or as large
    return Worked(
        {"m": top},
        numbers=[np.exp(88.0), scores, top, np.exp(100.0), low],
        known=[low, high, terms, terms.sum(), total - top, total, -log_softmax(scores)[scores == right]],
    )


def ex_line():
    centres, x = np.array([-2, 0, 2]), 0.2
    scores = lambda x: -((x - centres) ** 2) / 4 + x**2 / 4  # the nearest centre
    rows = np.add.outer(centres, [-0.5, 0, 0.5]).ravel()
    rest = LogisticRegression(C=1e9, tol=1e-10).fit(rows[:, None], np.repeat([0, 1, 0], 3))
    winner = lambda *pair: max(pair, key=lambda k: scores(x)[k - 1])
    votes = [winner(1, 2), winner(2, 3), winner(1, 3)]
    inside = {"x": 0.2}
    return Worked(
        {"x": x, "a_#": scores(x)},
        own={"x<-1": {"x": -1.5}, "x>1": {"x": 1.5}, "|x|<1": inside, "x=-1": {"x": np.mean(centres[:2])},
             "x=1": {"x": np.mean(centres[1:])}},
        numbers=[
            centres, 1 + np.argmax(scores(-1.5)), np.mean(centres[:2]), 1 + np.argmax(scores(x)), 1,
            1 + np.argmax(scores(1.5)), np.mean(centres[1:]), 2, 0, round(rest.coef_[0, 0], 6),
            round(3 * expit(rest.intercept_[0]), 4) / 3,
            1, 2, votes[0], x, np.mean(centres[:2]), 2, 3, votes[1], x, np.mean(centres[1:]), 1, 3, votes[2],
            max(votes, key=votes.count),
        ],
    )  # fmt: skip


def ex_smooth():
    share, K, right = 0.3, 3, 2
    label = np.full(K, share / K)
    label[right - 1] = 1 - np.delete(label, right - 1).sum()
    best = minimize(lambda a: -label @ log_softmax(a), np.zeros(K), tol=1e-12).x
    p = np.round(softmax(best), 5)
    return Worked(
        {r"\varepsilon": share, "K": K, "y": right, r"\mathbf{e}_#": np.eye(K), r"\mathbf{1}": np.ones(K)},
        numbers=[label, p[right - 1], np.log(p[right - 1] / p[0])],
    )


def ex_read():
    slopes = np.array([0.5, 2, -1])
    gaps = slopes[1] - slopes[0], slopes[0] - slopes[2]
    odds = softmax(slopes) / softmax(0 * slopes)  # of one unit more
    assert np.isclose(odds[1] / odds[0], odds[0] / odds[2])
    reference = slopes - slopes[2]
    return Worked(
        numbers=[
            100, slopes, [1, 2, 3], [2, 1], 100, [1, 3], 1, 3, gaps[0], [2, 1], [1, 3],
            1 + np.argmax(softmax(9 * slopes)), 1, -slopes[2], reference, slopes.mean(), slopes - slopes.mean(),
        ],
        known=[odds[1] / odds[0]],
    )  # fmt: skip


def ex_code():
    return Worked({"N": 2}, numbers=[1, softmax(SCORES).sum(), int(np.log(np.finfo(float).max))])


def cards():
    p, label = softmax(SCORES), np.eye(3)[CLASS - 1]
    jacobian = _slope(softmax, SCORES)
    by_p = -label / p
    classes = {0: 0.5, 1: 0.2, 2: 0.3}
    vectors = {0: np.array([0.3, 1.2]), 1: np.array([0.4, -0.7]), 3: np.zeros(2)}
    K, D, C, N = 10, 64, 0.7, 5
    weights = np.random.default_rng(0).normal(size=(K, D + 1))
    pairs = len([*combinations(range(K), 2)])
    raised = p * [1, 1, 10]
    scores = np.array([2, 0, 0])
    gradient = _slope(lambda a: -log_softmax(a)[1], scores)
    total = np.exp(scores).sum()
    six = len([*combinations(range(6), 2)])
    strength = np.sum(weights**2) / (2 * C) / N * 2 / np.sum(weights**2)
    bias = np.log(raised[2] / raised[0]) - np.log(p[2] / p[0])
    return {
        "lost-marks-unique": Worked({r"\mathbf{w}_#": vectors, "K": 3, r"\mathbf{0}": np.zeros(2)}),
        "lost-marks-range": Worked(
            {"n": range(1, 3), "K": 2, r"\mathbf{w}_#": vectors, "k": range(1, 3),
             "p_{##}": lambda n, k: classes[k], "y_{##}": lambda n, k: float(k in (0, n))},
            own={"k=1": {"k": 1}},
            numbers=[0, classes[0] ** 2 * classes[1] * classes[2], vectors[1], 1, vectors[0], len(classes), 1, 0,
                     len(classes) - 2],
        ),
        "lost-marks-jacobian": Worked(
            {"k": range(1, 4), "p_#": p, "y_#": label, r"\partial p_#/\partial a_#": jacobian},
            own={r"\partial p_k/\partial a_j=p_k(1-p_k)": {"k": range(3, 4), "j": range(3, 4)}},
            numbers=[0, np.round(np.diag(jacobian) * by_p, 9)],
        ),
        "lost-marks-weights": Worked(numbers=[1, 1]),
        "do-not-confuse-four": Worked(numbers=[p.sum(), expit(-np.inf), expit(np.inf)]),
        "what-if-twice": Worked(numbers=[2, len(np.tile(label, 2)) / len(label), 2]),
        "what-if-prior": Worked(numbers=[10, bias]),
        "counting": Worked(
            {"K": K, "D": D},
            numbers=[weights.size, (weights - weights[-1])[:-1].size, 1, pairs, 1, K, pairs, weights.size**2],
            known=[weights.size, weights.size**2],
        ),
        "convention-mean": Worked(
            {r"\lambda": strength, r"\mathbf{W}": weights, "C": C, "N": N}, numbers=[np.sum(weights**2) / (2 * C * N)]
        ),
        "convention-reference": Worked({r"\mathbf{w}_#": vectors, "K": 3, r"\mathbf{0}": np.zeros(2)}),
        "quiz-gradient": Worked(
            {r"\mathbf{p}": softmax(scores)},
            numbers=[scores, -gradient, gradient, total, 1, softmax(scores), gradient * [0, 1, 0]],
            known=[np.exp(2)],
        ),
        "quiz-scale": Worked(numbers=[3, 1 / 3, 0]),
        "quiz-true": Worked(numbers=[2]),
        "quiz-count": Worked(
            {"K": 6}, numbers=[5, six, len(range(5)), 6, len([*permutations(range(6), 2)]), 1, 6, 6, six, six]
        ),
        "tf-line": Worked({"x": 0.2}, numbers=[-1.2, 0, -0.8]),
        "tf-accuracy": Worked({"C": 10}),
    }  # fmt: skip

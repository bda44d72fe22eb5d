"""Exercises on logistic regression: losses differentiated numerically, maxima by SciPy, votes counted."""

from itertools import combinations

import numpy as np
from scipy import stats
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from notes_lib.numerics import central_difference
from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, SIGMA = r"\mathbf{w}", r"\sigma"
X = np.array([[1, 0.5], [1, -1.2], [1, 2.0], [1, 0.3]])
HOURS = np.array([0.5, 0.75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5])
PASSED = np.array([0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1])
LABELS = np.array([1, 0, 0, 1])


def _loss(w):
    """Minus the logarithm of the likelihood, row by row."""
    return float(-sum(np.log(expit(x @ w) if label else expit(-x @ w)) for x, label in zip(X, LABELS, strict=True)))


def ex_signs():
    w, signs, m = np.array([0.4, -0.7]), 2 * LABELS - 1, 0.6
    derivative = (np.log1p(np.exp(-m - 1e-6)) - np.log1p(np.exp(-m + 1e-6))) / 2e-6
    names = {"n": range(1, 5), W: w, r"\mathbf{x}_#": X, r"\tilde y_#": signs, "y_#": LABELS, "m": m, SIGMA: At(expit),
             "J": At(_loss, W), "z_#": X @ w, "p_#": expit(X @ w), "m_#": signs * (X @ w),
             r"\frac{d}{dm}\log(1+e^{-m})": round(derivative, 9)}  # fmt: skip
    one = lambda label: {"n": range(1, 2), r"\tilde y_#": signs[label == LABELS], "p_#": expit(X @ w)[label == LABELS]}
    return Worked(
        names,
        own={r"\tilde y_n=1": one(1), r"\tilde y_n=-1": one(0), r"\sigma(-m_n)\approx0": {"m_#": np.full(4, 50.0)}},
        numbers=[sorted(set(signs))],
    )  # fmt: skip


def ex_convex():
    w, v, z = np.array([0.4, -0.7]), np.array([1.1, 0.3]), 0.6
    p = lambda w: expit(X @ w)
    twice, penalty = 2, 0.5  # a column entered twice, and a penalty
    same = minimize(lambda u: _loss([u[0], u[1] + u[2]]) + penalty * u[1:] @ u[1:], np.array([0, 1, -1.0]), tol=1e-12).x
    assert np.isclose(same[1], same[2], atol=1e-5)
    names = {"n": range(1, 5), r"\mathbf{x}_#": X, "p_#": p(w), r"\lambda": penalty, "z": z, SIGMA: expit(z),
             r"\sigma'": round((expit(z + 1e-6) - expit(z - 1e-6)) / 2e-6, 9), r"\mathbf{v}": v,
             r"\nabla p_#": np.round(central_difference(p, w, 1e-5).T, 9),
             r"\mathbf{H}": np.round(_hessian(w), 9)}  # fmt: skip
    return Worked(
        names,
        numbers=[twice, 0, 0, 0],
    )


def _hessian(w):
    """Second derivatives of the loss by differences of its gradient, which is exact."""
    gradient = lambda w: sum((expit(x @ w) - label) * x for x, label in zip(X, LABELS, strict=True))
    return central_difference(gradient, w, 1e-5)


def ex_table():
    groups, hits = np.array([50, 40]), np.array([20, 30])
    design = np.repeat([[1.0, 0], [1, 1]], groups, axis=0)
    labels = np.concatenate([np.arange(size) < hit for size, hit in zip(groups, hits, strict=True)])
    loss = lambda w: np.logaddexp(0, np.where(labels, -1, 1) * (design @ w)).sum()
    share = hits / groups
    odds = share / (1 - share)
    w = np.array([np.log(odds[0]), np.log(odds[1] / odds[0])])
    assert np.allclose(w, minimize(loss, [0.0, 0], tol=1e-12).x, atol=1e-5)
    p = expit(design @ w)
    information = (design.T * (p * (1 - p))) @ design
    se, b = np.sqrt(np.linalg.inv(information)[1, 1]), information[1, 1]
    half = stats.norm.ppf(0.975) * se
    ends = np.exp([w[1] - half, w[1] + half])
    return Worked(
        {"w_#": {0: w[0], 1: w[1]}, "x": 1, "p": share[1], r"\mathrm{se}": se, r"\mathrm{se}(w_1)": se, "b": b,
         "a": information[0, 0] - b},
        numbers=[groups[1], hits[1], groups[0], hits[0], w, 95, odds, odds[1] / odds[0], ends, ends],
        known=[se**2, half, (w[1] / se) ** 2, share],
    )  # fmt: skip


def ex_separated():
    points, labels = np.array([-2, -1, 1, 2]), np.array([0, 0, 1, 1])
    loss = lambda w: -np.log(expit(np.where(labels, 1, -1) * points * w)).sum()
    slope = (loss(1e-5) - loss(-1e-5)) / 2e-5
    best = minimize(lambda w: loss(w[0]) + 0.35 * w[0] ** 2, [0.0], tol=1e-12).x[0]
    return Worked(
        {"J": At(lambda w: float(loss(w)), "w"), "w": best, r"\lambda": 0.7, "x": 0, r"\tau": expit(0)},
        own={r"\frac{\lambda}{2}w^2": {"w": 1.3}},
        numbers=[
            points[:2], labels[0], points[2:], labels[2], 0.35 * 1.3**2, 0, sorted({*(np.abs(points))}), 0, 0, 0, 0, 0,
            0,
            expit(0),
        ],
        known=[slope],
    )  # fmt: skip


def ex_votes():
    scores = dict(zip(combinations(range(4), 2), (-2, 1, -1, -1, -3, 2), strict=True))
    winner = {pair: pair[score > 0] for pair, score in scores.items()}
    votes = [sum(w == k for w in winner.values()) for k in range(4)]
    sums = [sum(s if k == pair[1] else -s for pair, s in scores.items() if k in pair) for k in range(4)]
    best = [k for k in range(4) if votes[k] == max(votes)]
    rest = [k for k in range(4) if k not in best]
    assert sums[best[0]] == sums[best[1]]
    K, m = 7, 3
    return Worked(
        {**{f"f_{{{i}{j}}}": s for (i, j), s in scores.items()}, **{f"{i}{j}": w for (i, j), w in winner.items()},
         "K": K, "m": m},
        numbers=[range(4), best, rest, best[0], best[1], best[0], len([*combinations(range(K), 2)]), 2 * m],
        known=[sums],
    )  # fmt: skip


def ex_code():
    return Worked(
        {"z": 1000.0},
        own={r"\log(1+e^z)=\max(z,0)+\log(1+e^{-|z|})": {"z": -0.7}},
        numbers=[sorted({*LABELS.tolist()})],
        unread={r"0\cdot\log0": "not a number, as the solution says"},
    )


def ex_stochastic():
    rows, labels, w = np.array([[1, 2], [1, -1.0]]), np.array([1, 0]), np.zeros(2)
    moved, chance = [w], []
    for x, label in zip(rows, labels, strict=True):
        chance.append(1 / (1 + np.exp(-moved[-1] @ x)))
        moved.append(moved[-1] + (label - chance[-1]) * x)
    model = LogisticRegression(C=np.inf, tol=1e-10).fit(HOURS[:, None], PASSED)
    with_hours = -2 * np.log(model.predict_proba(HOURS[:, None])[range(20), PASSED]).sum()
    alone = -2 * np.log(np.full(20, PASSED.mean())).sum()
    return Worked(
        {r"\mathbf{x}_#": rows, "y_#": labels, "z_#": [a @ x for a, x in zip(moved, rows, strict=False)],
         "p_#": np.array(chance), W: moved[2], r"\mathbf{0}": w, r"\eta": 1, "J": alone / 2, SIGMA: At(expit)},
        worlds=[{W: w}, {W: moved[1]}],
        numbers=[alone, with_hours, PASSED.mean(), stats.chi2(1).ppf(0.95), 95],
        known=[alone - with_hours],
    )  # fmt: skip


def cards():
    w = np.array([0.4, -0.7])
    z, p = X @ w, expit(X @ w)
    rows = {"n": range(1, 5), "N": 4, "y_#": LABELS, "z_#": z, "p_#": p, r"\mathbf{x}_#": X, SIGMA: At(expit)}
    wrong = -np.mean([np.log(q) if y else -np.log(1 - q) for q, y in zip(p, LABELS, strict=True)])
    D, K = 3, 4
    odds = 4.5
    start = expit(X @ np.zeros(2))
    working = (LABELS - start) / (start * (1 - start))
    down, up = sorted(set(working))
    half = sorted(set(LABELS - start))
    score = -1 + 2 * 1
    hours = lambda C, solver="lbfgs": float(
        LogisticRegression(C=C, solver=solver, tol=1e-8).fit(HOURS[:, None], PASSED).coef_[0, 0]
    )
    return {
        "lost-marks-sign": Worked({**rows, "J": wrong}, numbers=[0]),
        "lost-marks-gradient": Worked(
            {**rows, "z": 0.7, r"\nabla J": -np.abs(p - LABELS) @ X},
            own={r"\log(1-\sigma(z))": {"z": 0.7}},
            numbers=[np.log(expit(-0.7))],
        ),
        "lost-marks-square": Worked(
            {SIGMA: At(expit), "w": 0.6, "x": 1, "y": 1}, numbers=[expit(-0.6) ** 2, 0]
        ),
        "lost-marks-ends": Worked(
            numbers=[0, 1, 1, 0, 0, 1, 0], unread={r"0\cdot\log0": "not a number, as the card says"}
        ),
        "lost-marks-ratio": Worked(numbers=[odds, odds, 1 / odds, odds]),
        "counterexample-accuracy": Worked({"C": 100}, worlds=[{"C": 0.1}], numbers=[30], known=[100]),
        "counting-weights": Worked(
            {"D": D, "K": K},
            numbers=[len([1, *range(D)]), K * len([1, *range(D)]), len([*combinations(range(K), 2)]) * (D + 1),
                     D + D + len([*combinations(range(D + 1), 2)]) + 1],
        ),
        "quiz-1": Worked(
            {"x": 1, "z": score, SIGMA: At(expit)},
            own={"z=-1+2x": {"x": 0.3, "z": -1 + 0.3 + 0.3}},
            numbers=[score, np.exp(2)],
        ),
        "quiz-2": Worked(
            {r"\mathbf{w}": np.array([1.0]), r"\mathbf{x}": np.array([logit(0.9)])}, numbers=[0.5, 0.9, 1, 0, 0, 1]
        ),
        "quiz-3": Worked(
            {r"\mathbf{w}": np.zeros(2), r"\mathbf{0}": np.zeros(2), "W": start[0] * (1 - start[0]), "y": 1, "t": up},
            numbers=[0, 1, half, down, up, [-4, 4], 4, 4, 0.5],
        ),
        "quiz-4": Worked(
            {r"\mathbf{X}": X, r"\mathbf{v}": w, r"\mathbf{0}": np.zeros(4), "n": range(1, 5), "W_#": p * (1 - p)},
            numbers=[np.zeros(4), 0],
        ),
        "tf-1": Worked({**rows, "W_#": np.round((expit(z + 1e-6) - expit(z - 1e-6)) / 2e-6, 8)}),
        "tf-5": Worked(numbers=[expit(0), expit(0)]),
        "tf-2": Worked({**rows, "p_#": np.full(4, LABELS.mean())}),
        "do-not-confuse-linear": Worked(
            {"y": 0.3, "z": 0.7, r"\tilde y": -1}, numbers=[0.4**2, np.logaddexp(0, 0.7), 1 + 0.7],
        ),
        "what-if-duplicate": Worked(numbers=[2, np.sqrt(2)]),
        "what-if-strength": Worked({"C": 0}, numbers=[0, 1]),
        "what-if-intercept": Worked({r"\tau": expit(0)}),
        "what-if-one-weight": Worked(
            {"w_#": {0: 0, 1: 0, 2: 0}, r"\tau": expit(0), "x_#": [0.3, 0.4]}, numbers=[0, 0.3, 0.4]
        ),
        "convention-sum": Worked(
            {"C": 0.7, "N": 4, r"\alpha": 1 / 0.7 / 4, r"\sum w_j^2": 3, r"\sum": 3, r"\lambda": 0.3, r"\mathbf{w}": w},
            worlds=[{"C": 10}, {"C": 0.1}],
            numbers=[3 / 0.7 / 2, 3 / 4, 3 / 0.7 / 8, 0.5, 0.3 * np.linalg.norm(w) ** 2, 2, hours(10), hours(0.1)],
        ),
        "convention-sign": Worked(
            {r"\mathbf{w}": np.zeros(2), r"\mathbf{0}": np.zeros(2), "N": 4}, numbers=[_loss(np.zeros(2))],
        ),
        "convention-ties": Worked({"z": 0, "C": 1}, numbers=[0, hours(1, "liblinear"), hours(1)]),
    }  # fmt: skip

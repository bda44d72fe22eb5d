"""Exercises on gradient boosting: residuals as differences of losses, leaf values and constants by root finding."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit
from sklearn.metrics import mean_pinball_loss

from notes_lib.trees.cart import DecisionTreeRegressor
from notes_lib.trees.gradient_boosting import leaf_value, pseudo_residuals, second_order_gain, second_order_value
from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _log_loss(y, u):
    return float(np.logaddexp(0, u) - y * u)


def _slope(function, u, step=1e-4):
    """A derivative by a central difference of fourth order."""
    near, far = (function(u + h) - function(u - h) for h in (step, 2 * step))
    return (8 * near - far) / (12 * step)


def _of_leaf(G, H, lam):
    """What the best value of a leaf takes off the objective."""
    b = float(second_order_value(G, H, lam))
    return -(G * b + (H + lam) * b * b / 2)


def ex_gain():
    y, u, leaf = np.array([1, 0, 1, 1, 0.0]), np.array([0.3, -0.4, 1.2, 0.1, 0.8]), np.array([0, 0, 1, 1, 1])
    lam, gamma, h = 0.7, 0.2, 0.01
    g, c = expit(u) - y, expit(u) * expit(-u)
    G, H = (np.bincount(leaf, values) for values in (g, c))
    b = second_order_value(G, H, lam)
    cost = lambda b: g @ b[leaf] + c @ b[leaf] ** 2 / 2 + lam / 2 * b @ b + gamma * len(b)
    alone = [cost(np.where(np.arange(2) == m, b, 0)) - gamma for m in (0, 1)]
    return Worked(
        {"m": range(1, 3), "n": range(1, 6), r"\gamma": gamma, r"\lambda": lam, "b_#": b, "G_#": G, "H_#": H, "h": h,
         r"\ell": At(_log_loss), "y_#": y, "u_#": u, "g_#": g, "c_#": c, "G_L": G[0], "G_R": G[1], "H_L": H[0],
         "H_R": H[1]},
        numbers=[gamma + lam * b**2 / 2, cost(b), alone, second_order_gain(G[0], H[0], G[1], H[1], lam)],
    )  # fmt: skip


def ex_residuals():
    y, u = np.array([1, 0, 1, 1.0]), 0.3
    of = {"squared": lambda y, u: (y - u) ** 2 / 2, "poisson": lambda y, u: np.exp(u) - y * u}
    chance = brentq(lambda v: _slope(lambda w: sum(_log_loss(one, w) for one in y), v), -3, 3, xtol=1e-13)
    given = {"y": 1, "u": u}
    return Worked(
        {**given, r"\bar y": y.mean(), "f_0": y.mean()},
        own={r"\ell=\frac12(y-u)^2": {**given, r"\ell": of["squared"](1, u)},
             r"\ell=\ln(1+e^{u})-yu": {**given, r"\ell": _log_loss(1, u)},
             r"\ell=e^{u}-yu": {**given, r"\ell": of["poisson"](1, u)}},
        numbers=[y.mean(), 0, 1, 0, -_slope(lambda v: _log_loss(1, v), u), chance],
    )  # fmt: skip


def ex_decrease():
    r, half = np.array([2, 4, -3.0]), 0.5
    b = leaf_value("squared_error", r, 0 * r)
    after = lambda nu: np.sum((r - nu * b) ** 2)
    still = brentq(lambda nu: after(nu) - after(0), 1, 9, xtol=1e-13)
    return Worked(
        {"b": b, r"\nu": still},
        own={r"\nu=\frac12": {r"\nu": half}, r"\nu=0": {r"\nu": 0}},
        numbers=[r, half, r - half * b],
        known=[after(0), after(1), after(half)],
    )


def ex_depth():
    first, second = {0: 0.4, 1: -1.3}, {0: 2.1, 1: 0.6}
    return Worked({"f": At(lambda a, b: first[round(a)] + second[round(b)])}, numbers=[2, 2])


def ex_quantile():
    y, u, tau, b = 0.4, 1.1, 0.3, 0.25
    loss = lambda y, u: mean_pinball_loss([y], [u], alpha=tau)
    rest = np.array([-0.7, 0.1, 0.9, 1.6, 2.2])  # residuals in a leaf
    start = np.quantile([3.0, 1, 2, 5, 4], tau, method="inverted_cdf")
    slope = _slope(lambda v: sum(loss(one, v) for one in rest), b)
    share = np.mean(rest > b)
    least = next(q for q in np.arange(0, 1.05, 0.1) if abs(1 - tau - q) < 1e-9)
    ends = 0.1, 0.9
    return Worked(
        {r"\tau": tau, "y": y, "u": u, "f_0": start, "N_m": len(rest), "q": share},
        worlds=[{r"\tau": end} for end in ends],
        own={r"q=1-\tau": {"q": least, r"\tau": tau}},
        numbers=[loss(y, u), start, 100 * (ends[1] - ends[0]), -_slope(lambda v: loss(y, v), u), slope, start],
    )


def cards():
    labels, u = np.array([1, 1, 0.0]), np.array([0.4, -0.2, 0.1])
    p, r = expit(u), pseudo_residuals("logistic", labels, u)
    x, wanted = np.arange(6.0)[:, None], np.array([0.2, 0.5, 0.1, 2.2, 1.9, 2.6])
    tree = DecisionTreeRegressor(max_depth=1).fit(x, wanted)
    missed = 6 * tree.tree_.impurity[tree.tree_.is_leaf] @ [0.5, 0.5]  # both leaves hold three
    sums = {"G_L": -1.2, "H_L": 0.8, "G_R": 2.3, "H_R": 1.1, r"\lambda": 0.4, r"\gamma": 0.3}
    without = second_order_gain(-1.2, 0.8, 2.3, 1.1, 0.4, 0.3)
    parent = _of_leaf(1.1, 1.9, 0.4)
    three = 3
    tripled = DecisionTreeRegressor(max_depth=1).fit(x, three * wanted)
    square = lambda v: (0.4 - v) ** 2
    even = np.zeros(3)
    newton = leaf_value("logistic", labels, even)
    G = second_order_gain
    return {
        "lost-marks-score": Worked(
            {"n": range(1, 4), "r_#": r, "p_#": p, "b": leaf_value("logistic", labels, u)}
        ),
        "lost-marks-equal": Worked(
            {r"\nu": 1, "n": range(1, 7), "r_#": wanted, r"\mathbf{x}_#": x,
             "h_t": At(lambda v: float(tree.predict([[float(np.ravel(v)[0])]])[0]))}, numbers=[missed],
        ),
        "lost-marks-parent": Worked(
            {**sums, "G": 1.1, "H": 1.9, r"\Delta": without + parent}, numbers=[parent]
        ),
        "lost-marks-flat": Worked(numbers=[0.5]),
        "what-if-scale": Worked(numbers=[three, tripled.predict(x)[0] / np.mean(wanted[:3])]),
        "what-if-penalty": Worked({"f_0": 0.7, r"\nu": 1e-9}, numbers=[second_order_value(-4.0, 3.0, 1e30), 0.7]),
        "what-if-exponential": Worked({"y": -1}),
        "convention-half": Worked(
            {"y": 0.4, "u": 1.1, r"\ell": square(1.1), "p": 0.3},
            numbers=[0.5, 0.5, -_slope(square, 1.1), -1, 1, 0.5, 0.5, 1 - 0.3**2 - 0.7**2],
        ),
        "quiz-newton": Worked(
            {"p": expit(even[0])},
            numbers=[labels, np.mean(labels - 0.5), newton, newton, np.sum(labels - 0.5), logit(np.mean(labels))],
        ),
        "quiz-median": Worked(numbers=[np.unique(np.sign([-3, 0, 7]))]),
        "quiz-gain": Worked(
            {"G_L": -3, "H_L": 2, "G_R": 3, "H_R": 2, r"\lambda": 1, r"\gamma": 1},
            numbers=[2 * G(-3, 2, 3, 2, 1) - 1, 0.5, G(-3, 2, 3, 2, 1), G(-3, 2, 3, 2, 0, 1), G(-3, 2, 3, 2, 1, 1),
                     G(-3, 2, 3, 2, 1, 1)],
        ),
        "tf-rate": Worked({r"\nu": 1.5}, numbers=[0]),
    }  # fmt: skip

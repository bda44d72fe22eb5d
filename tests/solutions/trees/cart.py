"""Exercises on CART: leaf values by optimisation, gains of the library, splits and nodes counted one by one."""

from itertools import combinations

import numpy as np
from scipy.optimize import linprog
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from notes_lib.trees.cart import DecisionTreeRegressor as Tree
from notes_lib.trees.cart import category_split, gini, gini_gain
from tests.solutions.ledger import Worked


def _worst(y):
    """The constant with the smallest worst error, by a linear program, and that error."""
    above, below = np.c_[-np.ones(len(y)), -np.ones(len(y))], np.c_[np.ones(len(y)), -np.ones(len(y))]
    found = linprog([0, 1], A_ub=np.vstack([above, below]), b_ub=np.r_[-y, y], bounds=[(None, None), (0, None)])
    return found.x


def _halves(Q):
    """How often categories can be divided into two sides that are not empty."""
    every = frozenset(range(Q))
    sides = [frozenset(left) for size in range(1, Q) for left in combinations(every, size)]
    return len({frozenset([left, every - left]) for left in sides})


def _squares(y):
    return float(np.var(y) * len(y))


def ex_leaf():
    y, v = np.array([0.4, -1.2, 2.3, 0.9]), np.array([1.5, 0.3, 0.8, 2.1])
    best = np.average(y, weights=v)
    loss = lambda c: float(v @ (y - c) ** 2)
    spread = float(np.cov(y, aweights=v, ddof=0)) * v.sum()
    return Worked(
        {"n": range(1, 5), "y_#": y, "v_#": v, "c": best, r"y_{\min}": y.min(), r"y_{\max}": y.max()},
        numbers=[y[0], v[0], spread, loss(1) + loss(-1) - 2 * loss(0), 0, _worst(y)[0]],
    )


def ex_gain():
    y, left = np.array([0, 1, 1, 0, 1, 1, 1, 0, 0]), np.arange(9) < 5
    counts = lambda rows: np.bincount(y[rows], minlength=2)
    return Worked(
        {"N": len(y), "N_L": left.sum(), "N_R": (~left).sum(), "S": _squares(y), "S_L": _squares(y[left]),
         "S_R": _squares(y[~left]), r"\bar y": y.mean(), r"\bar y_L": y[left].mean(), r"\bar y_R": y[~left].mean(),
         "p_L": y[left].mean(), "p_R": y[~left].mean(), "G": gini([1 - y.mean(), y.mean()]),
         r"\Delta G": gini_gain(counts(left), counts(~left))},
        numbers=[np.unique(y)],
    )  # fmt: skip


def ex_categories():
    colour, y = np.repeat(["a", "b", "c"], 3), np.array([0.2, 0.9, 0.1, 2.2, 3.1, 2.5, 0.8, 1.2, 0.7])
    left = np.isin(colour, category_split(colour, y).left)
    low, high, own = y[left].mean(), y[~left].mean(), y[colour == "a"]
    costs = lambda value: np.sum((own - value) ** 2) - _squares(own)  # without the rest, which is the same for both
    return Worked(
        {"N_a": len(own), r"\bar y_a": own.mean(), r"\bar y_L": low, r"\bar y_R": high},
        numbers=[costs(low), costs(high), np.mean([low, high])],
    )


def ex_worst():
    y = np.array([1, 2, 2, 3, 12.0])
    errors = np.abs(y - y.mean())
    middle, worst = _worst(y)
    return Worked(
        numbers=[y, y[-1], y.mean(), errors.max(), middle, worst, np.median(y)],
        known=[np.var(y), np.mean((y - middle) ** 2)],
    )


def ex_count():
    N, D, Q = 9, 3, 12
    X = np.random.default_rng(0).normal(size=(N, D))
    cuts = sum(len(np.unique(column)) - 1 for column in X.T)
    full = DecisionTreeClassifier().fit(X, np.arange(N)).tree_
    chain = DecisionTreeRegressor(criterion="squared_error").fit(np.arange(N)[:, None], 9.0 ** np.arange(N)).tree_
    least = next(depth for depth in range(N) if 2**depth >= N)
    return Worked(
        {"N": N, "D": D},
        numbers=[Q, cuts, full.node_count, least, chain.max_depth, Q - 1],
        known=[_halves(Q)],
    )


def cards():
    left, right = np.array([4, 2]), np.array([0, 2])
    both, sides = left + right, [gini(left / 6), gini(right / 2)]
    before = gini(both / 8)
    node = {"G": before, "G_L": sides[0], "G_R": sides[1]}
    p, shares = 0.3, np.array([0.5, 0.3, 0.2])
    labels, scores = np.array([0, 0, 1, 1, 0]), np.array([0.1, 0.6, 0.5, 0.9, 0.2])
    pairs = [np.sign(a - b) for a in scores[labels == 1] for b in scores[labels == 0]]
    column = np.arange(8.0)
    twins = Tree().fit(np.c_[column, column], column).feature_importances_
    y, three = np.array([0.0, 1, 5, 6]), 3
    gains = lambda y: _squares(y) - _squares(y[:2]) - _squares(y[2:])
    weight, x = np.array([0.4, -0.7]), np.array([1.2, 0.5])
    leaf, Q = np.array([2, 4, 9.0]), 6
    return {
        "lost-marks-weights": Worked(node, numbers=[before - np.mean(sides)]),
        "lost-marks-worst": Worked({"b_{mj}": 1}, numbers=[0]),
        "lost-marks-three": Worked({"Q": 5}, numbers=[_halves(5)]),
        "lost-marks-importance": Worked(numbers=[twins.min()]),
        "do-not-confuse-gini": Worked(
            {"k": range(1, 4), "p_#": shares, r"\mathrm{AUC}": roc_auc_score(labels, scores)},
            numbers=[gini(shares), np.mean(pairs)],
        ),
        "what-if-scale": Worked(numbers=[three, gains(three * y) / gains(y), np.mean(three * y) / np.mean(y)]),
        "what-if-weights": Worked(numbers=[2, 2]),
        "convention-gini": Worked({"p": p}, numbers=[2, gini([p, 1 - p]), np.var([1] * 3 + [0] * 7)]),
        "convention-threshold": Worked(
            {r"\mathbf{w}_m": weight, r"\mathbf{x}": x, "w_{m0}": 0.3}, numbers=[np.r_[weight, 0.3] @ np.r_[x, 1]]
        ),
        "quiz-gain": Worked(
            numbers=[both, left, right[1], before, before - np.mean(sides), before - np.mean(sides),
                     before - gini_gain(left, right), gini_gain(left, right)],
        ),
        "quiz-leaf": Worked(numbers=[leaf, leaf.mean(), np.median(leaf), _worst(leaf)[0], leaf.max()]),
        "quiz-categories": Worked(numbers=[Q, _halves(Q), Q - 1, Q, 2**Q]),
        "tf-greedy": Worked(numbers=[2, 2]),
        "tf-regression": Worked(numbers=[0, 1, gini([p, 1 - p]) / np.var([1] * 3 + [0] * 7)]),
    }  # fmt: skip

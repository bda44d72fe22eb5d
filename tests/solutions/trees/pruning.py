"""Exercises on pruning: pruned trees listed, bounds by the distribution of Clopper and Pearson, tests by SciPy."""

from itertools import product

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta, chi2, chi2_contingency
from sklearn.tree import DecisionTreeClassifier

from tests.formulas.values import At
from tests.solutions.ledger import Worked


def _bound(errors, n, q=0.25):
    """The rate at which so few errors have the probability q."""
    return float(beta.isf(q, round(errors) + 1, round(n) - round(errors)))


def _chosen(leaves, means, errors):
    """The least number of leaves within one standard error of the best mean, and the limit."""
    best = np.argmin(means)
    limit = means[best] + errors[best]
    return min(size for size, mean in zip(leaves, means, strict=True) if mean <= limit + 1e-12), limit


def ex_nested():
    cost, left, right, alpha = 5.0, 1.2, 1.6, 2.9
    branch = lambda price: left + right + 2 * price
    tie = brentq(lambda price: branch(price) - cost - price, 0, 9, xtol=1e-13)
    D = (branch(alpha) - alpha) - cost  # of the branch, whose leaves have each their price, above the leaf
    given = {"R(t)": cost, "R(T_t)": left + right, "T_t": frozenset([1, 2])}
    return Worked(
        {**given, r"C_\ell": left + alpha, "C_r": right + alpha, r"\alpha": alpha, "D_t": D},
        own={r"R(t)+\alpha=R(T_t)+\alpha\lvert T_t\rvert": {**given, r"\alpha": tie},
             r"\alpha=\frac{R(t)-R(T_t)}{\lvert T_t\rvert-1}": {**given, r"\alpha": tie}},
        numbers=[1, 1, 0],
    )  # fmt: skip


def ex_bound():
    q, limit, part = 0.25, 0.05, 11
    n = next(n for n in range(1, 99) if _bound(0, n) <= limit)
    U = _bound(0, n)
    one = {"U": U, "n": n, "q": q, "u": -np.log(q) / n, "s": 0.3 / n}
    rest = n - part
    apart = part * _bound(0, part) + rest * _bound(0, rest)
    return Worked(
        {**one, "U": At(_bound), "n_1": part, "n_2": rest},
        own={"(1-U)^n": one, "U=1-q^{1/n}": one, r"nU=-\ln q\cdot\frac{1-e^{-u}}{u}": one},
        numbers=[U, U, limit, n * U, q, 1 - U, 1 - limit, n, 0, 0, 1, U, n * U, apart],
        known=[np.log(q) / np.log(1 - limit), q, -np.log(q)],
    )  # fmt: skip


def ex_choice():
    leaves, means = [12, 8, 5, 3, 1], [0.24, 0.21, 0.20, 0.22, 0.31]
    errors = [0.02, 0.02, 0.025, 0.03, 0.03]
    size, limit = _chosen(leaves, means, errors)
    best, last, near = np.argmin(means), leaves.index(1), leaves.index(size)
    return Worked(
        numbers=[leaves, means, errors, means[last], errors[last], means[best], errors[best], means[near], errors[near],
                 min(means), size],
        known=[limit, errors],
    )  # fmt: skip


def ex_reduced():
    root, left, inner, below = 9, 2, 5, [1, 4]
    every = [[root], [left, inner], [left, *below]]
    errors = [sum(tree) for tree in every]
    price = next(a for a in np.arange(0, 9, 0.5) if errors[0] + a <= errors[1] + 2 * a)
    return Worked(
        {r"\alpha": price},
        numbers=[root, left, inner, below, inner, root, errors[::-1]],
        known=[sum(below)],
    )


def ex_rules():
    x = {"x_0": 6, "x_1": 3.5}
    ends = {(a, b) for a, b in product(np.arange(0, 9, 0.25), repeat=2) if a <= 7 and not b <= 3 and not a <= 4}
    low = max(a for a in np.arange(0, 9, 0.25) if a < min(a for a, _ in ends))
    other = max(b for b in np.arange(0, 9, 0.25) if b < min(b for _, b in ends))
    high = max(a for a, _ in ends)
    whole, shorter = _bound(0, 9), _bound(1, 20)
    assert whole > shorter
    return Worked(
        {**x, "U": At(_bound)},
        own={r"x_1\le3": {"x_1": 2}, r"x_0\le4": {"x_0": 3}},
        numbers=[x["x_0"], high, 2, other, 3, low, 9, x["x_1"], 20, x["x_0"], low, x["x_0"], high, x["x_1"], other,
                 shorter],
        known=[whole, shorter],
    )  # fmt: skip


def ex_chi():
    observed = np.array([[25, 15], [5, 15]])
    found = chi2_contingency(observed, correction=False)
    expected, left = found.expected_freq, observed.sum(axis=1)
    point = chi2(found.dof).isf(0.05)
    return Worked(
        {r"\chi^2": found.statistic, "i": range(1, 5), "o_#": observed.ravel(), "e_#": expected.ravel()},
        numbers=[observed.sum(), observed.sum(axis=0)[0], left[0], observed[0], left[1], observed[1], 5,
                 round(point, 2), 5, expected[0, 0] / left[0], expected, found.statistic, point],
    )  # fmt: skip


def cards():
    X = np.array([*product((0, 1), repeat=2)] * 3)
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, X.sum(axis=1) % 2)
    weakest = next(price for price in path.ccp_alphas if price > 1e-9)
    half = X[:, 0] == 0
    below = half.mean() * (1 - np.sum((np.bincount(X[half].sum(axis=1) % 2) / half.sum()) ** 2))
    y = np.array([100.0, 107, 0, 10, 0])
    cost = lambda cuts: sum(np.var(part) * len(part) for part in np.split(y, [int(cut) for cut in cuts]))
    three = min([(1.5, 2.5), (2.5, 3.5)], key=cost)  # the root asks at 2.5
    node, branch, leaves = 12, 3, 4
    strength = brentq(
        lambda price: branch + price * leaves - node - price, 0, 9, xtol=1e-13
    )  # where both cost the same
    rates, sizes, error = [0.18, 0.17, 0.19], [9, 6, 2], 0.02
    size, limit = _chosen(sizes, rates, [error] * 3)
    return {
        "lost-marks-minus": Worked({"T_t": frozenset(range(leaves))}, numbers=[leaves - 1]),
        "lost-marks-training": Worked({r"\alpha": path.ccp_alphas[0]}),
        "lost-marks-size": Worked(numbers=[0.5, three[0]]),
        "lost-marks-confidence": Worked({"q": 0.25}),
        "do-not-confuse-alpha": Worked({r"\alpha": 1.3}, numbers=[0, 1, 0, 1]),
        "counterexample-xor": Worked(numbers=[below, path.impurities[0], weakest], known=[weakest]),
        "convention-names": Worked({"z": 0.69}),
        "quiz-link": Worked(
            numbers=[node, leaves, branch, (node - branch) / leaves, leaves, strength, strength, node - branch,
                     branch / leaves, branch, leaves],
        ),
        "quiz-bound": Worked(
            {"q": 0.25}, numbers=[0, _bound(0, 1), _bound(0, 2), _bound(0, 2), 0.25]
        ),
        "quiz-rule": Worked(
            numbers=[rates, sizes, error, sizes[np.argmin(rates)], max(sizes), size, rates[sizes.index(size)], limit],
        ),
    }  # fmt: skip

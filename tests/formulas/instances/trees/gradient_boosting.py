"""Gradient boosting: rounds on one feature, whose leaves are intervals; losses in one leaf; splits by searching."""

from itertools import pairwise

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from notes_lib.foundations.risk import residual_huber_gradient
from notes_lib.trees.cart import DecisionTreeRegressor
from notes_lib.trees.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    dependence_curves,
    leaf_value,
    pseudo_residuals,
    second_order_gain,
)
from notes_lib.trees.gradient_boosting.losses import HuberLoss, loss_of
from tests.formulas.values import At, Instance, Interval

DEPTH, ROUNDS, N = 2, 4, 15
MEDIAN = r"\operatorname*{median}_{n:\,\mathbf{x}_n\in\mathcal{R}_m}(y_n-u_n)"
LOG_LOSS = At(lambda y, u: float(np.logaddexp(0, u) - y * u))


def leaves(tree):
    """The intervals of the leaves of a tree of one feature."""
    cuts = np.sort(tree.threshold[~tree.is_leaf])
    return [Interval(low, high, (False, True)) for low, high in pairwise([-np.inf, *cuts, np.inf])]


def inside(boxes, x):
    """Which instances each leaf holds."""
    return [np.array([v in box for v in x]) for box in boxes]


def boosted(rng):
    """Rounds for squared errors: scores by the library, trees by fitting residuals; and the round of one instance."""
    x, y, nu = rng.uniform(size=N), rng.normal(size=N), rng.uniform(0.1, 1.8)
    limits = {"max_depth": DEPTH, "learning_rate": nu}
    made = [GradientBoostingRegressor(n_estimators=t, **limits).fit(x[:, None], y) for t in range(1, ROUNDS + 1)]
    u, trees = [np.full(N, y.mean())], []
    for one in made:
        trees.append(DecisionTreeRegressor(max_depth=DEPTH).fit(x[:, None], y - u[-1]))
        u.append(one.predict(x[:, None]))
    t = int(rng.integers(1, ROUNDS + 1))
    r, boxes = y - u[t - 1], leaves(trees[t - 1].tree_)
    rows = inside(boxes, x)
    at = lambda fitted: At(lambda v: float(fitted.predict([[float(v)]])[0]))
    return {
        "n": range(1, N + 1), "m": range(1, len(boxes) + 1), "M": len(boxes), "t": t, "T": ROUNDS, r"\nu": nu,
        r"\mathbf{x}_#": x, r"\mathbf{x}": rng.uniform(), "y_#": y, "f_0": y.mean(),
        "h_#": [at(tree) for tree in trees],
        "f_#": {k + 1: at(one) for k, one in enumerate(made)} | {0: At(lambda v: float(y.mean()))},
        r"\mathbf{u}_#": dict(enumerate(u)), r"\mathcal{L}": At(lambda v: float(np.sum((y - v) ** 2) / 2)), "r_#": r,
        "N_#": [row.sum() for row in rows], r"\bar r_#": [r[row].mean() for row in rows],
        r"\mathcal{R}_#": lambda m: boxes[m - 1], "u_#": u[t - 1],
        "b_#": [leaf_value("squared_error", r[row], 0 * r[row]) for row in rows],
    }, {"f_#": {t: u[t][0], t - 1: u[t - 1][0]}, "m": 1 + next(m for m, row in enumerate(rows) if row[0])}  # fmt: skip


def of_search(rng):
    """Absolute errors with whole numbers, so that each median is one of the steps that are compared."""
    x, y, u = np.arange(N) + 0.5, rng.integers(4, 14, N).astype(float), rng.integers(-3, 4, N).astype(float)
    boxes = [Interval(5 * k, 5 * k + 5, (False, True)) for k in range(3)]  # five instances each
    rows = inside(boxes, x)
    value = [leaf_value("absolute_error", y[row], u[row]) for row in rows]
    values = {
        "n": range(1, N + 1), "m": range(1, 4), "t": 1, "b": range(20), "y_#": y, "u_#": u, r"\mathbf{x}_#": x,
        r"\mathcal{R}_#": lambda m: boxes[m - 1], "b_#": value, "r_#": pseudo_residuals("absolute_error", y, u),
        "f_#": {0: At(lambda v: float(u[int(v)]))}, r"\ell": At(lambda a, b: float(abs(a - b))),
        MEDIAN: At(lambda m: float(np.sort((y - u)[rows[int(m) - 1]])[2]), "m"),
    }  # fmt: skip
    leaf = {"n": range(1, 6), "m": 1, "y_#": y[:5], "u_#": u[:5], "b": range(20), "b_#": value,
            r"\ell": values[r"\ell"]}  # fmt: skip
    return values, leaf


def of_stumps(rng):
    """All stumps with their means, and others with leaf values beside them; the tree of the library is among them."""
    x, r = rng.uniform(size=8), rng.normal(size=8)
    tree = DecisionTreeRegressor(max_depth=1).fit(x[:, None], r)
    said = []
    for cut in np.sort(x)[:-1]:
        low = x <= cut
        means = np.where(low, r[low].mean(), r[~low].mean())
        said += [means, means + 0.1, 0.9 * means, np.where(low, 1.0, -1.0)]
    place = next(k for k, v in enumerate(said) if np.allclose(v, tree.predict(x[:, None])))
    return {
        "n": range(1, 9), "N": 8, "r_#": r, "t": 1, "h": range(1, len(said) + 1), "h_#": [place + 1],
        r"h(\mathbf{x}_#)": At(lambda k: said[int(k) - 1], "h"),
    }  # fmt: skip


def of_huber(rng):
    """The residuals of three leaves, with the border of all of them."""
    x, gap, u = np.arange(N) + 0.5, rng.standard_t(2, size=N), rng.normal(size=N)
    boxes = [Interval(5 * k, 5 * k + 5, (False, True)) for k in range(3)]
    loss, one = HuberLoss(0.8), np.ones(N)
    zero, which = np.zeros((N, 1)), np.repeat([0, 1, 2], 5)
    delta = loss.border(gap, zero, one)
    return {
        "n": range(1, N + 1), "m": range(1, 4), "y_#": gap + u, "u_#": u, r"\mathbf{x}_#": x, "N_#": [5, 5, 5],
        r"\mathcal{R}_#": lambda m: boxes[m - 1], "r_#": pseudo_residuals("huber", gap + u, u, 0.8),
        "b_#": loss.leaf_values(gap, zero, loss.residual(gap, zero, one), one, 0, which, 3), r"\delta": delta,
        r"\tilde r_#": np.median(gap.reshape(3, 5), axis=1),
        r"\operatorname{clip}_\delta": At(lambda v: float(residual_huber_gradient(float(v), delta))),
    }  # fmt: skip


def of_classes(rng):
    """One leaf with labels 0 and 1, and one with three classes, whose values are those of the library."""
    y, u = rng.integers(0, 2, N), rng.normal(size=N)
    p = expit(u)
    two = {
        "n": range(1, N + 1), "N": N, "m": 1, "y_#": y, "u_#": u, "p_#": p, "r_#": pseudo_residuals("logistic", y, u),
        "c_#": p * (1 - p), "b_#": [leaf_value("logistic", y, u)], r"\ell": LOG_LOSS,
        r"\mathcal{L}": At(lambda v: float(np.sum(np.logaddexp(0, np.ravel(v)) - y * np.ravel(v))), "u_#"),
        r"\mathbf{u}": u,
    }  # fmt: skip
    loss, labels, scores = loss_of("softmax"), rng.integers(0, 3, N), rng.normal(size=(N, 3))
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    one, leaf = np.ones(N), np.zeros(N, dtype=np.intp)
    found = loss.residual(labels.astype(float), scores, one)
    values = [loss.leaf_values(labels.astype(float), scores, found, one, k, leaf, 1)[0] for k in range(3)]
    many = {
        "n": range(1, N + 1), "m": 1, "k": range(1, 4), "K": 3, "r_{##}": found, "p_{##}": shares,
        "y_{##}": np.eye(3)[labels], "b_{##}": np.array([values]),
    }  # fmt: skip
    return two, many


def of_second_order(rng):
    """Log loss in three leaves, each with its cheapest value by a search; and the split of one leaf."""
    x, boxes = np.arange(N) + 0.5, [Interval(5 * k, 5 * k + 5, (False, True)) for k in range(3)]
    y, u, lam, gamma = rng.integers(0, 2, N), rng.normal(size=N), rng.uniform(0.1, 2), rng.uniform(0, 0.2)
    g, c = expit(u) - y, expit(u) * (1 - expit(u))
    cost = lambda rows, b: float(np.sum(g[rows] * b + c[rows] * b * b / 2) + lam * b * b / 2 + gamma)
    best = lambda rows: minimize_scalar(lambda b: cost(rows, b), bracket=(-1, 1), options={"xtol": 1e-14})
    places = [slice(5 * k, 5 * k + 5) for k in range(3)]
    G, H, b = ([v[k].sum() for k in places] for v in (g, c, rng.normal(size=N)))
    shared = {
        "n": range(1, N + 1), "m": range(1, 4), "M": 3, r"\mathbf{x}_#": x, r"\mathcal{R}_#": lambda m: boxes[m - 1],
        "g_#": g, "c_#": c, r"\lambda": lam, r"\gamma": gamma, "G_#": G, "H_#": H,
    }  # fmt: skip
    left, right, parent = places[0], places[1], slice(10)
    gain = best(parent).fun - best(left).fun - best(right).fun
    assert np.isclose(gain, second_order_gain(G[0], H[0], G[1], H[1], lam, gamma))
    sides = {
        r"\lambda": lam, r"\gamma": gamma, "G_L": G[0], "G_R": G[1], "H_L": H[0], "H_R": H[1], r"\Delta": gain,
        "G": G[0] + G[1], "H": H[0] + H[1],
    }  # fmt: skip
    parabola = np.polynomial.Polynomial.fit([-1, 0, 1], [cost(parent, v) for v in (-1, 0, 1)], 2).deriv()
    roots = [np.polynomial.Polynomial.fit([-1, 0, 1], [cost(k, v) for v in (-1, 0, 1)], 2).deriv().roots()[0]
             for k in places]  # fmt: skip
    return (
        shared | {"b_#": b, r"\mathcal{Q}": sum(cost(k, v) for k, v in zip(places, b, strict=True))},
        shared | {"b_#": roots}, shared | {r"\mathcal{Q}_#": [best(k).fun for k in places]},
        sides | {"b": parabola.roots()[0]},
    )  # fmt: skip


def of_importance(rng):
    """Gains of the splits of all rounds, from the sums of squares of the residuals in their nodes."""
    X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
    model = GradientBoostingRegressor(n_estimators=3, max_depth=2, learning_rate=0.5).fit(X, y)
    u, gains, features = np.full(30, y.mean()), np.zeros((3, 3)), np.zeros((3, 3), dtype=int)
    for t in range(3):
        fitted = DecisionTreeRegressor(max_depth=2).fit(X, y - u)
        path, tree = fitted.decision_path(X).toarray().astype(bool), fitted.tree_
        spread = [np.var((y - u)[path[:, k]]) * path[:, k].sum() for k in range(tree.node_count)]
        for m, k in enumerate(np.flatnonzero(~tree.is_leaf)):
            gains[t, m] = spread[k] - spread[tree.children_left[k]] - spread[tree.children_right[k]]
            features[t, m] = tree.feature[k] + 1
        u = u + 0.5 * fitted.predict(X)
    of = lambda table: At(lambda t: table[int(t) - 1], "t")
    return {
        "t": range(1, 4), "m": range(1, 4), "j": range(1, 4), "I_#": model.feature_importances_,
        r"\Delta_#": of(gains), "j_#": of(features),
    }  # fmt: skip


def of_dependence(rng, j):
    """The curve of one feature of a boosted classifier's probability."""
    X, y = rng.normal(size=(20, 3)), np.arange(20) % 2
    model = GradientBoostingClassifier(n_estimators=3).fit(X, y)
    share = lambda A: model.predict_proba(A)[:, 1]
    curve = At(lambda v: float(dependence_curves(share, X, j - 1, [float(v)]).average[0]))
    return {
        "n": range(1, 21), "j": range(j, j + 1), "N": 20, "x_#": rng.normal(size=3), r"\bar f_#": {j: curve},
        r"\mathbf{x}_{#,-#}": lambda n, k: np.delete(X[n - 1], k - 1),
        "f": At(lambda v, rest: float(share([np.insert(np.ravel(rest), j - 1, v)])[0])),
    }  # fmt: skip


def instance(seed):
    """All of them; the rounds for squared errors are the values that most formulas share."""
    rng = np.random.default_rng(seed)
    (rounds, first), (search, leaf), (two, many) = boosted(rng), of_search(rng), of_classes(rng)
    objective, value, score, gain = of_second_order(rng)
    dependence, card, stem = of_dependence(rng, 1 + seed % 3), "gradient-boosting-must-know-", "gradient-boosting-"
    own = {
        f"{stem}objective": two, f"{stem}residual": two, f"{stem}projection": of_stumps(rng), f"{stem}leaf": search,
        f"{stem}absolute": search, f"{stem}huber": of_huber(rng), f"{stem}newton": two, f"{stem}logistic": two,
        f"{stem}softmax": many, f"{stem}second-order": objective, f"{stem}value": value, f"{stem}score": score,
        f"{stem}gain": gain, f"{stem}importance": of_importance(rng), f"{stem}dependence": dependence,
        f"{card}gain": gain, f"{card}dependence": dependence, f"{card}round:1": two, f"{card}round:2": leaf,
        f"{card}round:3": first, f"{card}leaves:2": two, f"{card}leaves:3": two,
    }  # fmt: skip
    return Instance(rounds, own)

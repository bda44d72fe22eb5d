"""CART: a small tree of one feature, splits into two sides, categories by listing all sets, leaves with lines."""

from itertools import combinations, pairwise

import numpy as np
from scipy.optimize import minimize_scalar

from notes_lib.trees.cart import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    category_split,
    fit_leaf_lines,
    gini,
    gini_gain,
    oblique_split,
    predict_leaf_lines,
)
from tests.formulas.values import At, Instance, Interval

MEAN = r"\bar y_#"


def squares(y):
    """Sum of squared distances from the mean."""
    return float(np.var(y) * len(y))


def of_tree(rng):
    """A regression tree of one feature: its boxes are intervals."""
    x, y = rng.uniform(size=12), rng.normal(size=12)
    model = DecisionTreeRegressor(max_leaf_nodes=4).fit(x[:, None], y)
    tree = model.tree_
    ends = np.r_[-np.inf, np.sort(tree.threshold[~tree.is_leaf]), np.inf]
    boxes = [Interval(low, high, (False, True)) for low, high in pairwise(ends)]
    inside = [np.array([value in box for value in x]) for box in boxes]
    g = [float(model.predict(x[rows][:1, None])[0]) for rows in inside]
    return {
        "m": range(1, 5), "M": 4, "n": range(1, 13), r"\mathbf{x}_#": x, r"\mathbf{x}": rng.uniform(), "y_#": y,
        r"\mathcal{R}_#": lambda m: boxes[m - 1], "g_#": g, "N_#": [rows.sum() for rows in inside],
        MEAN: [y[rows].mean() for rows in inside], "f": At(lambda v: float(model.predict([[v]])[0])),
        "S": sum(squares(y[rows]) for rows in inside),
        "E_#": [np.abs(y[rows] - v).max() for rows, v in zip(inside, g, strict=True)],
    }  # fmt: skip


def of_split(rng):
    """Labels of three classes and numbers, with the rows that go left."""
    y, labels, left = rng.normal(size=15), rng.integers(0, 3, 15), rng.random(15) < rng.uniform(0.2, 0.8)
    left[:2] = True, False
    hot = np.eye(3)[labels]
    sides = {"": hot, "_L": hot[left], "_R": hot[~left]}
    shares = {rf"\mathbf{{p}}{name}": rows.mean(axis=0) for name, rows in sides.items()}
    two = rng.integers(0, 2, 10)
    return {
        "N": 15, "N_L": left.sum(), "N_R": (~left).sum(), "S": squares(y), "S_L": squares(y[left]),
        "S_R": squares(y[~left]), r"\bar y_L": y[left].mean(), r"\bar y_R": y[~left].mean(), "k": range(1, 4), "K": 3,
        "G": At(lambda *p: float(gini(np.ravel(p)))), "p_#": shares[r"\mathbf{p}"], **shares,
        r"\Delta G": gini_gain(hot[left].sum(axis=0), hot[~left].sum(axis=0)), "G_L": gini(shares[r"\mathbf{p}_L"]),
        "G_R": gini(shares[r"\mathbf{p}_R"]), r"\operatorname{Var}(y^{(#)})": hot.var(axis=0), "p": two.mean(),
        r"\operatorname{Var}(y)": two.var(),
    }  # fmt: skip


def of_categories(rng):
    """The set of the library's split, categories numbered by their means; q is its last one."""
    colour = np.r_[np.arange(5), rng.integers(0, 5, 25)]
    y = rng.normal(size=30) + rng.normal(size=5)[colour]
    means = np.array([y[colour == a].mean() for a in range(5)])
    order = np.argsort(means)
    rank = np.argsort(order)  # the place of each category
    every = [set(rest) for size in range(1, 5) for rest in combinations(range(5), size)]
    loss = lambda left: squares(y[np.isin(colour, list(left))]) + squares(y[~np.isin(colour, list(left))])
    best = min(every, key=loss)
    best = best if means[list(best)].mean() < means.mean() else set(range(5)) - best
    assert np.isclose(category_split(colour, y).loss, loss(best))
    low = frozenset(float(rank[a]) + 1 for a in best)
    splits = len({frozenset([frozenset(left), frozenset(set(range(5)) - left)]) for left in every})
    return {"a": range(1, 6), "q": len(low), "Q": 5, MEAN: means[order], r"\mathcal{A}": low}, splits


def of_importance(rng):
    """A classification tree: what each of its splits gains, and the importances of the library."""
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    model = DecisionTreeClassifier(max_leaf_nodes=7).fit(X, y)
    tree = model.tree_
    path = model.decision_path(X).toarray().astype(bool)
    inner = np.flatnonzero(~tree.is_leaf)
    counts = lambda t: np.bincount(y[path[:, t]], minlength=3)
    gains = [gini_gain(counts(tree.children_left[t]), counts(tree.children_right[t])) for t in inner]
    return {
        "m": range(1, len(inner) + 1), "j": range(1, 4), "j_#": tree.feature[inner] + 1, "N_#": path.sum(axis=0)[inner],
        r"\Delta G_#": gains, "I_#": model.feature_importances_,
    }  # fmt: skip


def instance(seed):
    """All of them, and a leaf of numbers with any constant."""
    rng = np.random.default_rng(seed)
    y, c = rng.normal(size=7), rng.normal()
    leaf = {"n": range(1, 8), "y_#": y, r"\bar y": y.mean(), "N_m": 7, "c": c, r"\bar y_m": y.mean()}
    worst = minimize_scalar(lambda v: np.abs(y - v).max(), bounds=(y.min(), y.max()), options={"xatol": 1e-12})
    X, side = rng.normal(size=(20, 2)), rng.integers(0, 2, 20)
    lines = fit_leaf_lines(np.zeros(20, dtype=int), X, X @ [1.0, -2.0] + rng.normal(size=20))
    on_line = lambda v: float(predict_leaf_lines(lines, [0], [np.ravel(v)])[0])
    x, cut = rng.normal(size=2), oblique_split(X, side)
    tree, split, (categories, splits) = of_tree(rng), of_split(rng), of_categories(rng)
    card = "cart-must-know-"
    own = {
        "cart-shift": leaf, "cart-gain": split, "cart-gini": split, "cart-gini-gain": split, "cart-two-class": split,
        "cart-one-hot": split, "cart-categories": categories, "cart-importance": of_importance(rng),
        "cart-midrange": {"c": worst.x, "E_m": worst.fun, r"y_{\min}": y.min(), r"y_{\max}": y.max()},
        "cart-leaf-line": {"m": range(1, 2), "g_#": [At(on_line)],
                           r"\mathbf{w}_#": lines.coef, "w_{#0}": lines.intercept, r"\mathbf{x}": x},
        "cart-oblique": {r"\mathbf{w}": cut.direction, "w_0": -cut.threshold, r"\mathbf{x}": x},
        f"{card}leaf:2": leaf, f"{card}gain": split, f"{card}gini": {**split, "G": gini(split[r"\mathbf{p}"])},
        f"{card}categories": categories,
        f"{card}worst": {**leaf, "g_m": c, "E_m": float(np.abs(y - c).max())},
    }  # fmt: skip
    two = split["p"]
    worth = {
        f"{card}leaf:2": np.sum((y - c) ** 2) - squares(y), f"{card}gini:2": gini([two, 1 - two]),
        f"{card}categories:1": splits, f"{card}categories:2": len(np.unique(categories[MEAN])) - 1,
    }  # fmt: skip
    return Instance(tree, own, worth, truth={"cart-oblique": float(x @ cut.direction > cut.threshold)})

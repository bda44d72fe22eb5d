"""Exercises on support vector machines: optima by the library and SciPy, steps counted with fractions."""

from itertools import combinations

import numpy as np
from scipy.optimize import brentq, minimize

from notes_lib.kernels.svm import (
    SVC,
    bias_candidates,
    dual_objective,
    geometric_margin,
    two_variable_step,
    working_set,
)
from notes_lib.kernels.svm.steps import up_low
from tests.formulas.chapters import values_of
from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, X, ALPHA = r"\mathbf{w}", r"\mathbf{x}", r"\boldsymbol{\alpha}"


def _machine(points, y, C=np.inf):
    """Weights, bias and multipliers of the library, and its scores as a function."""
    points, y = np.asarray(points, dtype=float), np.asarray(y)
    machine = SVC(C=C, kernel="linear", tol=1e-13).fit(points, y)
    alpha = np.zeros(len(y))
    alpha[machine.support_] = np.abs(np.ravel(machine.dual_coef_))
    w, b = machine.coef_[0], float(machine.intercept_[0])
    return {W: w, "b": b, r"\alpha_#": alpha, "f": At(lambda x: float(np.ravel(x) @ w + b))}


def ex_dual():
    v = values_of("svm")
    slack = 1 - v["y_#"] * (v[r"\mathbf{x}_#"] @ v[W] + v["b"])
    value = dual_objective(v[ALPHA], v["K_{##}"], v["y_#"])
    return Worked(v, numbers=[slack - v[r"\xi_#"], 0, 0, 0, 4, 5, value, 3, 0, 0, 0])


def ex_inspection():
    positive, negative = np.array([[1, 3], [3, 1], [4, 4]]), np.array([[1, 1], [0, -1]])
    found = _machine(np.vstack([positive, negative]), [1, 1, 1, -1, -1])
    w, b, alpha = found[W], found["b"], found[r"\alpha_#"]
    foot = positive[:2].mean(axis=0)  # of the perpendicular from the nearest point: both ends of the edge are as far
    margin = geometric_margin(w, b, np.vstack([positive, negative]), np.array([1, 1, 1, -1, -1]))
    return Worked(
        {W: w, "b": b, "c": w[0], "a": alpha[0]},
        worlds=[{"f": s, "x_#": np.array([s - b, 0.0])} for s in (-1, 1)],  # a point on each kerb, as w is (1, 1)
        numbers=[
            positive, negative, negative[0], positive[:2], foot, np.linalg.norm(foot - negative[0]), -1, 1, margin,
            positive[2], negative[1], alpha[2], positive[:2], negative[0], alpha[3], alpha[[0, 1, 3]],
        ],
    )  # fmt: skip


def ex_three():
    points, y = np.array([[3, 3], [4, 3], [1, 1.0]]), np.array([1, 1, -1])
    hard, soft = _machine(points, y), _machine(points, y, C=0.1)
    K = points @ points.T
    u, v = points[0] - points[2], points[1] - points[2]
    Q = np.array([[u @ u, u @ v], [u @ v, v @ v]])
    free = np.linalg.solve(Q, [2, 2])
    without_first = _machine(points[1:], y[1:])
    F = bias_candidates(soft[r"\alpha_#"], K, y)
    alpha, low, high = hard[r"\alpha_#"], max(F[1:]), F[0]
    wild = np.array([0.3, 0.7, 1.0])  # satisfies the constraint
    given = {r"\mathbf{x}_#": points, "y_#": y, r"\mathbf{u}": u, r"\mathbf{v}": v, "F": F}
    margin = geometric_margin(hard[W], hard["b"], points, y)
    return Worked(
        {**given, **hard, "y": 1},
        worlds=[
            {**soft, "C": 0.1, "y": -1, "b": (low + high) / 2}, {r"\alpha_#": np.r_[free, free.sum()]},
            {r"\alpha_#": wild},
            {**without_first, r"\alpha_#": np.r_[0, without_first[r"\alpha_#"]]},
        ],
        own={text: {r"\alpha_#": np.r_[free, free.sum()]} for text in (
            r"\alpha_3 = \alpha_1 + \alpha_2", r"8\alpha_1 + 10\alpha_2 = 2", r"10\alpha_1 + 13\alpha_2 = 2")},
        numbers=[7.2, dual_objective(wild, K, y), alpha[1], 1, 1, margin, alpha[0], 2, 3, F[1], F[2], 1, F[0], low,
                 high],
    )  # fmt: skip


def ex_map():
    line = np.array([-2, 2, -1, 0, 1])
    points, y = np.column_stack([line, line**2]), np.array([1, 1, -1, -1, -1])
    found = _machine(points, y)
    score = At(lambda x: float(found[W] @ [x, x * x] + found["b"]))
    border, z = brentq(score, 0, 2, xtol=1e-14), 0.7
    edges = [[-2, 4, 2, 4], [-1, 1, 1, 1]]  # minus first
    margin = geometric_margin(found[W], found["b"], points, y)
    return Worked(
        {**found, "f": score, "w_#": found[W], "x": 1.5, "z": z, r"\boldsymbol{\phi}": At(lambda x: [x, x * x]),
         "k": At(lambda x, z: float(np.array([x, x * x]) @ [z, z * z]))},
        worlds=[{"x": border}, {"x": -border}],
        numbers=[line, edges, 0, 0, 1, 4, edges[1], edges[0], margin, 1.5],
    )  # fmt: skip


def ex_sgd():
    rows, labels = np.array([[2, 1], [0, -2], [-1, 1.0]]), np.array([1, -1, -1.0])
    rate, steps, w, found = 0.5, [], np.zeros(2), []
    loss = lambda w, x, y: 0.25 * w @ w + max(0, 1 - y * (w @ x))
    for x, y in zip(rows, labels, strict=True):
        score = y * (w @ x)
        # at the kerb the one-sided slope away from it, elsewhere the difference quotient
        gradient = [(loss(w + e, x, y) - loss(w - e, x, y)) / 2e-6 for e in 1e-6 * np.eye(2)]
        after = w - rate * (0.5 * w if score == 1 else np.round(gradient, 6))
        found.append({W: after, X: x, "y": y})
        steps.append((score, after))
        w = after
    shrunk = steps[1][1] / steps[0][1]
    first = {W: np.zeros(2), X: rows[0], "y": labels[0], r"\mathbf{0}": np.zeros(2)}
    third = {W: np.array([0.3, -0.8]), X: rows[2], "y": labels[2]}
    return Worked(
        {**first, r"\lambda'": 0.5, r"\mathbf{w}\leftarrow": shrunk * first[W]},
        worlds=[{**found[1], W: steps[0][1]}, *found],
        own={
            r"\tfrac{\lambda'}{2}\lVert\mathbf{w}\rVert^2 + \max(0, 1 - y\, \mathbf{w}^\top\mathbf{x})": third,
            r"\mathbf{w} \leftarrow (1 - \tfrac14)\,\mathbf{w}": {
                W: np.array([3, 5]), r"\mathbf{w}\leftarrow": shrunk * np.array([3, 5])},
            r"\tfrac12 y\,\mathbf{x}": third, r"y\, \mathbf{w}^\top\mathbf{x} < 1": first,
        },
        numbers=[
            loss(*third.values()), rate, [[*x, y] for x, y in zip(rows, labels, strict=True)], 1, 2, 3,
            rate * third[X] * third["y"], 1, 1, steps[0][0], 1, 2, steps[1][1], 3, steps[2][0], 1,
        ],
    )  # fmt: skip


def ex_augmented():
    rows = np.array([[1, 0], [3, 1], [3, -1]])
    longer, y = np.column_stack([rows, np.ones(3)]), np.array([-1, 1, 1])
    a = np.linalg.solve(longer @ longer.T, y)
    w = a @ longer
    others = [[3, -1, 3, 1], [6, -1, 6, 1], [1, 0], [0, -1, 0, 1], [-1, 0]]  # of each pair the lower one first
    dual = _machine(rows, y)[r"\alpha_#"]
    return Worked(
        {r"\mathbf{s}_#": rows, "a_#": a, "y_#": y, r"\tilde{\mathbf{w}}": w, "j": range(1, 4), r"\alpha_#": dual,
         "x_#": np.array([-w[2] / w[0], 0]), "i": range(1, 4), r"\tilde{\mathbf{s}}_#": longer},
        numbers=[others, 1, [-1, 1]],
    )  # fmt: skip


def ex_squared():
    v = values_of("svm")
    x, y, C = v[r"\mathbf{x}_#"], v["y_#"], v["C"]
    size = len(y)
    hard = SVC(C=np.inf, kernel="precomputed", tol=1e-12).fit(x @ x.T + np.eye(size) / (2 * C), y)
    alpha = np.zeros(size)
    alpha[hard.support_] = np.abs(hard.dual_coef_[0])
    w = x.T @ (alpha * y)
    slack = lambda w, b: np.maximum(0, 1 - y * (x @ w + b))
    objective = lambda p: p[:-1] @ p[:-1] / 2 + C * np.sum(slack(p[:-1], p[-1]) ** 2)
    best = minimize(objective, np.r_[w, hard.intercept_], tol=1e-14)
    w, b = best.x[:-1], best.x[-1]
    xi = slack(w, b)
    return Worked(
        {**v, W: w, "b": b, r"\alpha_#": alpha, r"\xi_#": xi, r"\theta": best.fun, r"\mathbf{K}": v["K_{##}"],
         r"\mathbf{I}": np.eye(size), "f": At(lambda p: float(np.ravel(p) @ w + b))},
        numbers=[best.fun, 1 - xi, 0, 0, xi**2, 0, v["K_{##}"] + np.diag(np.full(size, 1 / (2 * C)))],
    )  # fmt: skip


def ex_step():
    K, y, C = np.array([[1, 0, 2], [0, 4, 0], [2, 0, 5.0]]), np.array([1, -1, 1.0]), np.ones(3)
    before = np.zeros(3)
    F = bias_candidates(before, K, y)
    up, low = up_low(y, before, C)
    pair = working_set(F, before, y, C, K)
    step = two_variable_step(F, before, y, C, K, pair.i, pair.j)
    after = before.copy()
    after[[pair.i, pair.j]] = step.alpha_i, step.alpha_j
    line = lambda t: dual_objective(np.array([t, t, 0]), K, y)
    curvature = 2 * line(0) - line(1) - line(-1)
    members = lambda mask: frozenset(np.flatnonzero(mask) + 1.0)
    return Worked(
        {"K": K, r"\mathbf{y}": y, "C": 1, ALPHA: before, r"\mathbf{0}": before, "F": F,
         r"I_{\mathrm{up}}": members(up),
         r"I_{\mathrm{low}}": members(low), "i": pair.i + 1, "j": pair.j + 1, r"\eta_{12}": curvature, "t": step.t,
         r"t^\star": (line(1) - line(-1)) / 2 / curvature, r"\alpha_#": after,
         r"F\leftarrow": bias_candidates(after, K, y), r"\theta": dual_objective(after, K, y)},
        numbers=[C[0] - before[0], C[1] - before[1]],
    )  # fmt: skip


def ex_subgradient():
    v = values_of("svm")
    w, x, y = np.array([0.1, -0.2, 0.3]), v[r"\mathbf{x}_#"], v["y_#"]
    loss = lambda w: 0.35 * w @ w + np.maximum(0, 1 - y * (x @ w))
    slope = np.column_stack([(loss(w + e) - loss(w - e)) / 2e-5 for e in 1e-5 * np.eye(3)])
    return Worked(
        {**v, W: w, r"\lambda'": 0.7, "s": 4},
        numbers=[1 / (0.7 * 4), 1e6, loss(w), slope, 1e6],
    )


def cards():
    v = values_of("svm")
    x, y = v[r"\mathbf{x}_#"], v["y_#"]
    free = _machine([[1, 3], [3, 1], [4, 4], [1, 1], [0, -1]], [1, 1, 1, -1, -1])
    margins = np.array([1.0, 1.4])  # of a kerb's point, and of one beyond
    hinge = np.maximum(0, 1 - margins)
    K = 5
    center = {"f": 0, "y": 1}
    price = free[r"\alpha_#"]
    sup = {"n": range(1, 2), r"\alpha_#": price[:1], "y_#": [1], "b": free["b"], W: free[W], r"\mathbf{x}_#": [[1, 3]],
           "f": free["f"], r"\xi_#": hinge[:1], r"\mu_#": [0.3], "C": price[0] + 0.3}  # fmt: skip
    objective = np.linalg.norm(np.ravel(v[W])) ** 2 / 2 + v["C"] * v[r"\xi_#"].sum()
    gap = objective - dual_objective(v[ALPHA], v["K_{##}"], y)
    scores = y * (x @ v[W] + v["b"])
    kerb = margins[0]
    three = np.array([[1, 1], [2, 2], [3, 1]])
    on_kerb = _machine(three, [-1, 1, 1])
    foot = np.array([2, 2]) - [1, 1]
    nearest = np.array([[1, 3], [1, 1]]), np.array([1, -1])
    return {
        "lost-marks-support": Worked(sup, numbers=[hinge[0], 0, 0, margins[0]]),
        "lost-marks-canonical": Worked(
            sup, numbers=[1, margins[0], 0, 1, margins[0], margins[0]],
            own={r"\min_n y_n f(\mathbf{x}_n) = 1": {**sup, "n": range(1, 2)}},
        ),
        "lost-marks-bias": Worked({**sup, r"\xi_#": hinge[:1]}, numbers=[0, 0]),
        "lost-marks-slack": Worked(
            {**v, r"\xi_#": 1 - scores, r"\mathbf{0}": np.zeros(3)},
            own={r"\mathbf{w} = \mathbf{0}": {W: np.zeros(3)}, r"\xi_n \geq 0": {r"\xi_#": np.maximum(0, 1 - scores)}},
            numbers=[0, v[W] @ v[W] / 2 + v["C"] * np.sum(1 - scores), scores, 0, 0],
        ),
        "lost-marks-gap": Worked(numbers=[round(gap, 6)]),
        "counting-loo": Worked({"K": K}, numbers=[len([*combinations(range(K), 2)])]),
        "quiz-free": Worked(
            {**sup, **center},
            own={r"\xi_n > 0": {r"\xi_#": [0.4]}, r"\alpha_n = 0": {r"\alpha_#": hinge[1:]},
                 r"\xi_n = 1 > 0": {r"\xi_#": [max(0, 1 - center["f"])]}},
            numbers=[0, 0, 0, 0, 0],
        ),
        "quiz-remove": Worked({**sup, r"\alpha_#": hinge[1:]}),
        "quiz-two": Worked({"n": range(1, 6), r"\alpha_#": price, "y_#": [1, 1, 1, -1, -1]}),
        "tf-misclassified": Worked({"n": range(1, 2), r"\xi_#": [max(0, 1 + 0.3)]}, numbers=[max(0, 1 - 0), 0]),
        "tf-inside": Worked(numbers=[hinge[0]]),
        "tf-scale": Worked(numbers=[2]),
        "tf-slack": Worked({"n": range(1, 3), r"\xi_#": hinge}, numbers=[0]),
        "tf-shatter": Worked({"R": 1, r"\rho": 0.1}, numbers=[1000, 0.1, 1000], known=[(1 / 0.1) ** 2]),
        "tf-feature": Worked(numbers=[10]),
        "in-practice": Worked(
            {"C": 1, r"\gamma": 0.5 / 1.3**2, r"\sigma": 1.3}, numbers=[1e5, 0.01, 1000, 0.01, 100, 0],
        ),
        "do-not-confuse-dual": Worked(
            {"D": 2, "N": 5}, numbers=[len([*range(2), "b", *range(5)]), len([*range(5)] * 2)]
        ),
        "do-not-confuse-losses": Worked(
            {"u": 0.3},
            own={"u = 1": {"u": kerb}, r"\max(0, -u)": {"u": -0.3}, "u = 0": {"u": 0}},
            numbers=[1 - 0.3, (1 - 0.3) ** 2, np.logaddexp(0, -0.3), 0.3],
        ),
        "do-not-confuse-logistic": Worked(
            {"y": -1, "f": 0.3, W: v[W]},
            own={"y f = 1": {"f": -kerb}},
            numbers=[0, np.logaddexp(0, 0.3), 0, v[W] @ v[W]],
        ),
        "do-not-confuse-margins": Worked(
            {**sup, r"\mathbf{K}": np.eye(2), r"\mathbf{I}": np.eye(2), "C": 0.7},
            numbers=[0, 0, 0, np.eye(2) * (1 + 1 / 1.4)],
            own={r"0 \leq \alpha_n \leq C": {**sup}},
        ),
        "what-if-remove": Worked({**sup, r"\alpha_#": hinge[1:]}),
        "what-if-duplicate": Worked({"C": 0.7}, numbers=[2, 2, 2, 2, 0.7 + 0.7]),
        "what-if-bias": Worked({"n": range(1, 6), r"\alpha_#": price, "y_#": [1, 1, 1, -1, -1]}),
        "what-if-gamma": Worked(
            {"C": 3, r"\gamma": 1e-9, "n": range(1, 6), r"\alpha_#": price, "y_#": [1, 1, 1, -1, -1],
             "k": float(np.exp(-0.7 * 1e-9)), r"\mathbf{x}": [0.3], r"\mathbf{z}": [0.3 + 0.7**0.5]},
            own={r"1/\gamma": {r"\gamma": 0.7}, r"2 \gamma C": {r"\gamma": 0.7, "C": 0.3},
                 r"2 \gamma\, \mathbf{x}^\top \mathbf{z}": {r"\gamma": 0.7, r"\mathbf{x}": [0.3], r"\mathbf{z}": [0.5]},
                 r"k \approx 1 - \gamma \lVert \mathbf{x} - \mathbf{z} \rVert^2": {
                     r"\gamma": 1e-4, "k": np.exp(-1e-4 * 0.49), r"\mathbf{x}": [0.3], r"\mathbf{z}": [1.0]}},
            numbers=[0, 1, 0, 1 / 0.7, 0.42, 2 * 0.7 * 0.15],
        ),
        "convention-support": Worked(
            {"n": range(1, 2), "x_#": np.array([3, -1])},
            own={r"\alpha_n > 0": {r"\alpha_#": on_kerb[r"\alpha_#"][:1]},
                 r"\alpha_n = 0": {r"\alpha_#": np.round(on_kerb[r"\alpha_#"][2:], 9)},
                 "x_1 + x_2 = 2": {"x_#": (-1 - on_kerb["b"]) / on_kerb[W][0] * np.array([0.3, 0.7])}},
            numbers=[0, three, (1 - on_kerb["b"]) / on_kerb[W][0], np.round(on_kerb[r"\alpha_#"], 9), three[2]],
        ),
        "convention-c": Worked(
            {**v, r"\lambda": 1 / v["C"]},
            numbers=[objective, 0.5, v["C"] * np.mean(v[r"\xi_#"] ** 2) * len(y) / 2],
        ),
        "convention-margin": Worked(
            free, numbers=[geometric_margin(free[W], free["b"], *nearest), np.linalg.norm(foot)]
        ),
        "convention-ties": Worked(
            {W: free[W], r"\mathbf{x}": [1.5, 1.5], "b": -free["b"], r"\operatorname{sign}": At(np.sign)}, numbers=[0]
        ),
    }  # fmt: skip

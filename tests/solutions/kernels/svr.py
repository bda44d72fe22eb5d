"""Exercises on support vector regression: optima of the library, slacks from residuals, duality for the values."""

import numpy as np
from sklearn.svm import SVR

from notes_lib.kernels.kernel_ridge import kernel_ridge_solution
from notes_lib.kernels.svr import SVR as Machine
from notes_lib.kernels.svr import bias_interval, dual_objective, epsilon_insensitive
from tests.formulas.chapters import Chapter, values_of
from tests.formulas.instances.kernels.svr import coefficients, solved
from tests.solutions.ledger import Worked

W, BETA, ZERO, EPS, BETAS = r"\mathbf{w}", r"\boldsymbol{\beta}", r"\mathbf{0}", r"\varepsilon", r"\beta_#"


def _rows(v, kept):
    """The values of some rows only."""
    rows = np.flatnonzero(kept(v[BETAS]))
    assert len(rows)
    short = {name: v[name][rows] for name in (BETAS, "r_#", r"\xi_#", r"\xi^*_#")}
    return {**v, **short, "n": range(1, len(rows) + 1)}


def ex_dual():
    v, wild = values_of("svr"), Chapter.of("svr").instances[0].own["svr-lagrangian"]
    text = (r"\mathcal{L} = \tfrac12 \lVert \mathbf{w} \rVert^2 + C \sum_n (\xi_n + \xi^*_n)"
            r" - \sum_n \alpha_n (\varepsilon + \xi_n - r_n) - \sum_n \alpha^*_n (\varepsilon + \xi^*_n + r_n)"
            r" - \sum_n (\mu_n \xi_n + \mu^*_n \xi^*_n)")  # fmt: skip
    theta = dual_objective(v[BETAS], v["K_{##}"], v["y_#"], v[EPS])
    return Worked(v, own={text: wild}, numbers=[0, theta, 0, 0, 0])


def ex_two():
    points, eps, t = np.array([[0, 0], [2, 3.0]]), 0.5, 0.7
    X, y = points[:, :1], points[:, 1]
    K = X @ X.T

    def machine(C):
        w, b, beta = solved(X, y, C, eps)
        return {"C": C, "w": w[0], "b": b, "t": beta[1], BETAS: beta, EPS: eps}

    wide, tight = machine(10), machine(0.25)
    low, _ = bias_interval(tight[BETAS], K, y, 0.25, eps)
    theta = dual_objective(np.array([-t, t]), K, y, eps)
    curve = {"t": t, EPS: eps, r"\theta": theta, "n": range(1, 3)}
    text = r"\theta = 3t - \varepsilon \cdot 2t - \tfrac12 \cdot 4 t^2 = 2t - 2t^2"
    return Worked(
        wide,
        worlds=[tight],
        own={text: curve, r"b \geq \tfrac12": tight, r"b \leq 3 - 1 - \tfrac12 = \tfrac32": tight},
        numbers=[points, 0, K[1, 1], K[0, 1], wide["t"], low, tight["b"]],
    )


def ex_squared():
    v = values_of("svr")
    K, y, C, eps = v["K_{##}"], v["y_#"], v["C"], 0.15
    size = len(y)
    shifted = K + np.eye(size) / (2 * C)

    def fitted(eps):
        machine = Machine(C=1e4, epsilon=eps, kernel="precomputed", tol=1e-12, max_iter=200_000).fit(shifted, y)
        return coefficients(machine, size), float(np.ravel(machine.intercept_)[0])

    beta, b = fitted(eps)
    r = y - K @ beta - b
    above, below = np.maximum(0, r - eps), np.maximum(0, -r - eps)
    value = beta @ K @ beta / 2 + C * (above @ above + below @ below)
    ridge = next(lam for lam in (2 / C, 1 / C, 1 / (2 * C)) if np.allclose(
        kernel_ridge_solution(K, y, lam, fit_intercept=True).dual_coef, fitted(0.0)[0], atol=1e-6))  # fmt: skip
    return Worked(
        {**v, EPS: eps, BETAS: beta, r"\alpha_#": np.maximum(0, beta), r"\alpha^*_#": np.maximum(0, -beta),
         r"\xi_#": above, r"\xi^*_#": below, r"\theta": value, r"\lambda": ridge},
        own={r"\varepsilon = 0": {EPS: 0}},
        numbers=[value - beta @ K @ beta / 2, 0, -C * above**2, 4 * C**2 * (above + below) ** 2],
    )  # fmt: skip


def ex_soft():
    y, eps, C = -0.8, 0.2, 0.9
    theta = lambda beta: dual_objective(np.array([beta]), np.eye(1), np.array([y]), eps)
    corners = [beta for beta in (-C, C, 0, y - eps, y + eps) if abs(beta) <= C]  # ends, the kink, zero slopes
    best = max(corners, key=theta)
    return Worked(
        {"y": y, EPS: eps, "C": C, r"\beta": best},
        own={r"\beta > 0": {r"\beta": 0.3}, r"y\beta - \varepsilon|\beta| - \tfrac12 \beta^2": {
            "y": y, EPS: eps, r"\beta": 0.3}},
        numbers=[theta(0.3), 0, 0],
    )  # fmt: skip


def ex_move():
    return Worked(_rows(values_of("svr"), lambda beta: beta == 0))


def ex_nu():
    return Worked(values_of("svr"), numbers=[0, 0])


def ex_referee():
    v = values_of("svr")
    C = v["C"]
    return Worked(
        v,
        own={
            r"0 \leq \beta_n < C": _rows(v, lambda beta: (beta >= 0) & (beta < C)),
            r"\beta_n < 0": _rows(v, lambda beta: beta < 0),
            r"\beta_n > 0": _rows(v, lambda beta: beta > 0),
            r"-C < \beta_n \leq 0": _rows(v, lambda beta: (beta > -C) & (beta <= 0)),
        },
        numbers=[0, 0, 0, 0, 0],
    )


def cards():
    v = values_of("svr")
    C, eps, y = v["C"], v[EPS], v["y_#"]
    zero = _rows(v, lambda beta: beta == 0)
    free = _rows(v, lambda beta: (np.abs(beta) > 0) & (np.abs(beta) < C))
    edge = _rows(v, lambda beta: (beta > 0) & (beta < C))
    residual, tolerance = 0.5, 0.2
    slack = float(epsilon_insensitive(residual, tolerance))
    one = {"n": range(1, 2), "r_#": [residual], EPS: tolerance, r"\xi_#": [slack], r"\xi^*_#": [0 * slack]}
    wide = (np.max(y) - np.min(y)) / 2 + 0.1
    points = np.array([[0, 0], [2, 3], [1, 1.0]])
    X, t, bound = points[:, :1], points[:, 1], 0.25
    w, b, beta = solved(X, t, bound, 0.5)
    apart = bias_interval(beta[:2], X[:2] @ X[:2].T, t[:2], bound, 0.5)
    third = t[2] - X[2] @ w + 0.5 * np.array([-1, 1])
    two = {BETA: beta, "w": w[0], "b": b, EPS: 0.5, "C": bound}
    both = lambda lower: -eps * np.sum([0.7 - lower, 0.3 - lower])  # the term of both multipliers of a row
    f, label = 0.3, 1
    twice = solved(np.tile(v[r"\mathbf{x}_#"], (2, 1)), np.tile(y, 2), C, eps)[0]
    price = next(c for c in (C / 2, 2 * C, 4 * C) if np.allclose(solved(v[r"\mathbf{x}_#"], y, c, eps)[0], twice))
    return {
        "in-practice": Worked({EPS: SVR().epsilon, "C": SVR().C}),
        "lost-marks-inside": Worked(zero),
        "lost-marks-slack": Worked(one, worlds=[{r"\xi_#": [residual]}]),
        "lost-marks-bias": Worked(free, numbers=[0]),
        "lost-marks-units": Worked({EPS: 0.1}),
        "do-not-confuse-svm": Worked(
            {"y": label, "f": f, EPS: tolerance, "n": range(1, 2)},
            own={"y_n f = 1": {"n": range(1, 2), "y_#": [-1], "f": -1}},
            numbers=[1 - f, epsilon_insensitive(label - f, tolerance)],
        ),
        "what-if-epsilon": Worked(
            {**v, EPS: wide, BETA: solved(v[r"\mathbf{x}_#"], y, C, wide)[2], ZERO: 0 * y},
            own={r"\varepsilon \to 0": {EPS: 1e-9}, r"\varepsilon = 0": {EPS: 0}},
            numbers=[(np.max(y) - np.min(y)) / 2],
        ),
        "what-if-c": Worked({"C": 1e-9, W: solved(v[r"\mathbf{x}_#"], y, 1e-9, eps)[0], ZERO: np.zeros(2)}),
        "what-if-repeat": Worked(v, numbers=[2, 2, v[W] @ v[W] / 2, price]),
        "counterexample-inside": Worked(
            {**two, "n": range(1, 2), BETAS: beta[2:]},
            numbers=[points, apart, third, b, np.mean(apart)],
        ),
        "convention-width": Worked(numbers=[1 / np.ptp([-1, 1])]),
        "quiz-free": Worked(
            edge, own={r"\beta_n = 0": zero, "r_n = 0": {"n": range(1, 2), "r_#": [0]}}, numbers=[0, 0, 0],
        ),
        "quiz-both": Worked(v, numbers=[0, both(1) - both(0)]),
        "quiz-move": Worked(numbers=[zero[BETAS][0]]),
        "quiz-robust": Worked(numbers=[0, 1, np.diff(epsilon_insensitive([5.0, 6.0], eps))]),
        "tf-huber": Worked(numbers=[0, 0]),
        "tf-nu": Worked({r"\nu": 0.2}, numbers=[0.2]),
    }  # fmt: skip

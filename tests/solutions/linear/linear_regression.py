"""Exercises on linear regression: designs of a few rows, the cars, and least squares by NumPy and SciPy."""

import numpy as np
from scipy import stats

from notes_lib.datasets import load_cars
from notes_lib.numerics import central_difference
from tests.formulas.values import At
from tests.solutions.ledger import Worked

W, BEST = r"\mathbf{w}", r"\hat{\mathbf{w}}"


def ex_derive():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(6, 3)), rng.normal(size=6), np.array([0.4, -0.7, 1.1])
    best = np.linalg.lstsq(X, y)[0]
    squares = lambda w: float(np.sum((y - X @ w) ** 2))
    return Worked(
        {r"\mathbf{X}": X, r"\mathbf{y}": y, W: w, BEST: best, r"\mathbf{r}": y - X @ best, r"\mathbf{0}": np.zeros(3),
         "Q": At(squares, W), r"\nabla Q": central_difference(squares, w, 1e-3)},
    )  # fmt: skip


def ex_factors():
    X, y, w = np.array([[1, 0], [1, 1], [1, 2.0]]), np.array([1, 2, 6.0]), np.array([0, 1.0])
    loss = lambda w: float(np.sum((X @ w - y) ** 2))
    gradient = np.round(central_difference(loss, w), 6)  # for c = 1
    hessian = np.round(
        [central_difference(lambda w, k=k: central_difference(loss, w, 1e-3)[k], w, 1e-3) for k in range(2)], 6
    )
    limit = 2 / np.linalg.eigvalsh(hessian).max()
    return Worked(
        {r"\mathbf{X}": X, r"\mathbf{y}": y, W: w, "N": 3, "c": 0.5, r"\eta": limit / 2,
         r"\lambda_{\max}": At(lambda M: float(np.linalg.eigvalsh(M).max()))},
        worlds=[{"c": 1}, {"c": 1 / 3}],
        numbers=[
            X, y, 1 / 2, 1 / 3, 2 * limit, 1, gradient, gradient / 2, gradient / 3, 2 * limit, 1 / 2, 2 * limit,
            limit * 3 / (2 * limit), limit, 3 * limit,
        ],
    )  # fmt: skip


def ex_table():
    cars = load_cars()
    x, y = cars.X[:, 0], cars.y
    line = stats.linregress(x, y)
    size, t = len(y), stats.t(len(y) - 2).ppf(0.975)
    s = np.sqrt(np.sum((y - line.intercept - line.slope * x) ** 2) / (size - 2))
    spread = size * np.var(x)
    design = np.column_stack([np.ones(size), x])
    h = np.array([1, 20]) @ np.linalg.inv(design.T @ design) @ [1, 20]
    ends = [line.slope - t * line.stderr, line.slope + t * line.stderr]
    given = [line.intercept, line.intercept_stderr, line.slope, line.stderr]
    return Worked(
        {"s": s, r"\bar x": x.mean(), "S_{xx}": spread, "t": line.slope / line.stderr, "h": h,
         r"\hat y": line.intercept + 20 * line.slope},
        numbers=[*given, 97.5, t, 0, 95, 95, 20, 20, t, x.min()],
        known=[ends, h, 1 + h, t * s * np.sqrt(1 + h)],
        unread={"t_{48}": "a distribution"},
    )  # fmt: skip


def ex_rank():
    x = np.array([1, 2, 4.0])
    columns = {"line": x + 1, "square": x**2}
    assert np.linalg.matrix_rank(np.column_stack([np.ones(3), x, columns["line"]])) == 2
    assert np.linalg.matrix_rank(np.column_stack([x, columns["square"]])) == 2
    independent = np.column_stack([np.ones(3), x, columns["square"]])
    assert np.linalg.matrix_rank(independent) == 3
    rank = np.linalg.matrix_rank(np.random.default_rng(0).normal(size=(5, 8)))
    line = {"x_#": {1: 3.0, 2: 4.0, 3: 7.0}}
    return Worked(
        {**line, "N": 5, "x": 3.0},
        worlds=[{"x_#": {1: 3.0, 2: 9.0}}],
        numbers=[8, 3, 0, 3, rank, 1, 9],
    )


def ex_column():
    rng = np.random.default_rng(1)
    X, y = np.column_stack([np.ones(9), rng.normal(size=(9, 2))]), rng.normal(size=9)
    y += 2 * X[:, 2]
    rest = lambda A: float(np.linalg.lstsq(A, y)[1][0])
    (Q, Q_0), P = (rest(X), rest(X[:, :2])), 3
    squares = 9 * np.var(y)
    weights = np.linalg.lstsq(X, y)[0]
    t = weights[2] / np.sqrt(Q / 6 * np.linalg.inv(X.T @ X)[2, 2])
    adjusted = 1 - (np.sum((y - X @ weights) ** 2) / (9 - P)) / np.var(y, ddof=1)
    return Worked(
        {"Q": Q, "Q_0": Q_0, "P": P, "P_0": 2, "N": 9, "S_{yy}": squares, "t": t, "F": (t * t), "R^2": adjusted},
        numbers=[adjusted, 1, 0, Q_0, adjusted, Q_0 / 7, Q * 7, Q_0 * 6, (Q_0 - Q) * 6, 1],
    )


def ex_means():
    rng = np.random.default_rng(2)
    X, y, w = rng.normal(size=(3, 2)), rng.normal(size=(3, 4)), np.array([0.4, -0.7])
    fixed = 3.5
    return Worked(
        {"g": range(1, 4), "i": range(1, 5), r"\mathbf{x}_#": X, "y_{##}": y, r"\bar y_#": y.mean(axis=1),
         "n_#": [4, 4, 4], W: w, "s^2": fixed, r"\sigma^2": fixed},
        numbers=[fixed, fixed, fixed],
    )  # fmt: skip


def ex_chunks():
    return Worked({"O": At(lambda size: size), "P": 3}, numbers=[9])


def _error(X, y):
    """Standard error of the first weight."""
    rest = np.linalg.lstsq(X, y)[1][0] / (len(y) - X.shape[1])
    return np.sqrt(rest * np.linalg.inv(X.T @ X)[0, 0])


def cards():
    rng = np.random.default_rng(0)
    X, y, w = rng.normal(size=(6, 3)), rng.normal(size=6), np.array([0.4, -0.7, 1.1])
    slope = central_difference(lambda w: float(np.sum((y - X @ w) ** 2)), w, 1e-3)
    best = np.linalg.lstsq(X, y)[0]
    root = np.linalg.solve(X.T @ X, 2 * X.T @ y)
    x = np.arange(1, 6)
    line = stats.linregress(x, x**2)
    squared = line.rvalue**2
    h, t, s = 0.3, 2.1, 1.7
    spread = np.sqrt(s**2 + s**2 * h)  # of the mean and of a new target's noise
    doubled = np.sqrt(stats.norm(0, 1).var() * 2)
    residuals = y - X @ best
    N, P = 12, 3
    half = float(np.sum(residuals**2)) / np.sum(residuals**2) / 2
    design = {r"\mathbf{X}": X, r"\mathbf{y}": y, W: w, BEST: best}
    hat = X @ np.linalg.pinv(X)
    leverage = hat[0, 0]
    scale = np.sqrt(residuals @ residuals / 3)
    studentised = residuals[0] / scale / np.sqrt(1 - leverage)
    without = np.linalg.lstsq(X[1:], y[1:])[0]
    cook = np.sum((X @ (without - best)) ** 2) / 3 / scale**2
    errors = [_error(np.vstack([X] * times), np.tile(y, times)) for times in (1, 2)]
    z = np.linalg.svd(X)[0][:, -1]  # of length 1 and at right angles to the columns
    fall = residuals @ residuals - np.linalg.lstsq(np.column_stack([X, z]), y)[1][0]
    cars = load_cars()
    speed = stats.linregress(cars.X[:, 0], cars.y).slope
    with_square = np.polyfit(cars.X[:, 0], cars.y, 2)[1]
    return {
        "lost-marks-factor": Worked(
            {**design, "c": 0.7},
            own={r"\mathbf{X}^\top\mathbf{X}\mathbf{w} - 2\mathbf{X}^\top\mathbf{y}": {W: root + w}},
            numbers=[2, X.T @ X @ w, root, root[0] / best[0], 0.7 * slope, 2],
        ),
        "lost-marks-independent": Worked(
            {**design, r"\sigma^2": 1.3,
             r"\operatorname{Cov}\hat{\mathbf{w}}": 1.3 * np.linalg.pinv(X) @ np.linalg.pinv(X).T},
        ),
        "lost-marks-singular": Worked(numbers=[-1, 1, 1, 1]),
        "lost-marks-interval": Worked(
            {"t": t, "s": s, "h": h}, numbers=[95, 95, [-t * spread, t * spread]]
        ),
        "lost-marks-mean": Worked(
            {"n": range(1, 7), "y_#": y, r"\hat y_#": X @ best, "N": 6},
            own={r"= \tfrac12\sum_n (y_n - \hat y_n)^2": {}, r"= \tfrac1N\sum": {r"\sum": 6}},
            numbers=[1, 2, half * np.sum(residuals**2), half, 1, 6 / 2],
        ),
        "lost-marks-constant": Worked(numbers=[2, 2, 1]),
        "counterexample-r2": Worked(
            {"R^2": round(squared, 2), "x": 1, "y": 1}, numbers=[x[-1]], own={"y = x^2": {"x": 3, "y": x[2] ** 2}},
        ),
        "counting": Worked(
            {"N": N, "P": P},
            numbers=[1, N * P * P / 2 + P**3 / 6, N * P**2, N * P + N * P, P + P],
        ),
        "quiz-width": Worked({"N": 4}, numbers=[2, 95, doubled, 0.5, 1 / 4]),
        "quiz-leverage": Worked(numbers=[1, 0, 0, 0]),
        "quiz-scale": Worked(numbers=[10, 10, 10]),
        "quiz-collinear": Worked(numbers=[1]),
        "tf-sum": Worked(numbers=[0]),
        "tf-random": Worked({"R^2": squared}, numbers=[squared]),
        "do-not-confuse-residuals": Worked(
            {r"\sigma^2": 1.3, "h_n": 0.3, "r_n": 0.7, r"\sum r_n^2": 0.9, "s^2": 0.4},
            numbers=[1.3 * 0.7, 0.9, 1, 0.4, 1.3, 0.7 / 0.7],
        ),
        "do-not-confuse-influence": Worked(
            {"t_n": studentised, "P": 3, "h_n": leverage}, numbers=[cook],
        ),
        "what-if-units": Worked({"R^2": 0.3}, numbers=[0.3]),
        "what-if-repeat": Worked(
            {"N": 6, "P": 3}, numbers=[errors[1] / errors[0], np.sqrt(0.5)],
        ),
        "what-if-intercept": Worked(
            {r"\sum x_n y_n": 3, r"\sum x_n^2": 7, "R^2": 0.3}, numbers=[3 / 7, 0, 0.3, 0],
        ),
        "what-if-orthonormal": Worked(
            {r"\mathbf{z}": z, r"\mathbf{y}": y, "s^2": 0.3},
            numbers=[np.linalg.norm(z), fall, 0.3, speed, with_square],
        ),
        "convention-factor": Worked({"N": 5, "D": 2, "s^2": 0.3}, numbers=[1, 0.5, 1 / 5, 0.1, 0.3, 2]),
    }  # fmt: skip

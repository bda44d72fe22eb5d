"""Exercises on descent: paths of the library, slopes of compositions, roots by SciPy, evaluations that are counted."""

from itertools import combinations_with_replacement

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

from notes_lib.foundations.descent import (
    adam_step,
    conjugate_gradients,
    gradient_step,
    newton_direction,
    numerical_gradient,
    numerical_hessian,
)
from tests.formulas.values import At
from tests.solutions.derivatives import slopes
from tests.solutions.ledger import Worked

X, ETA, MU, LAM, KAPPA, BETA = r"\mathbf{x}", r"\eta", r"\mu", r"\lambda", r"\kappa", r"\beta"
P, BATCH = r"\mathbf{P}", {r"\mathcal{B}": frozenset(range(4))}
SMOOTH, STRONG = 10, 0.1
START = np.array([0.7, -1.2])
BEND = np.diag([STRONG, SMOOTH])


def _value(x):
    """A quadratic with the eigenvalues of ``BEND``."""
    return np.sum(np.diag(BEND) * np.ravel(x) ** 2) / 2


QUADRATIC = {
    "f": At(_value, X), X: START, "L": SMOOTH, MU: STRONG, r"f^\star": _value([0, 0]), "R": np.linalg.norm(START),
    ETA: 1 / SMOOTH,
}  # fmt: skip


def _widest(eta, eigenvalues):
    """The worst factor of a step of gradient descent on a quadratic."""
    return np.linalg.norm(np.eye(len(eigenvalues)) - eta * np.diag(eigenvalues), 2)


def _best(eigenvalues):
    """The step with the least worst factor, where the two outer factors are opposite."""
    low, high = min(eigenvalues), max(eigenvalues)
    return brentq(lambda eta: (1 - eta * low) + (1 - eta * high), 0, 9)


def _steps(factor, goal):
    """How many powers of a factor are needed."""
    t = 0
    while factor**t > goal:
        t += 1
    return t


def ex_steps():
    x, height = np.array([9.0, 1]), lambda x: (x[0] ** 2 + 9 * x[1] ** 2) / 2
    bend = np.round(numerical_hessian(height, x), 4)
    lam = np.diag(bend)
    eta = _best(lam)
    limit = brentq(lambda e: _widest(e, lam) - 1, eta, 9)
    factor = _widest(eta, lam)
    count = _steps(factor, 1e-3)
    path = [x]
    for _ in range(count):
        path.append(gradient_step(path[-1], lam * path[-1], eta))
    return Worked(
        {"f": At(height), X: x, "x_#": x, ETA: eta, "t": count, r"\mathbf{x}^{(t)}": path[-1]},
        numbers=[
            x, lam, 0, limit, np.linalg.norm(path[-1]) / np.linalg.norm(x), 1e-3, np.log(1e-3) / np.log(factor), count,
        ],
        known=[1 / factor],
    )  # fmt: skip


def ex_rate():
    gradient = np.array([slopes(lambda t, e=e: _value(START + t * e), 0) for e in np.eye(2)])
    other, after = np.array([-0.4, 0.9]), gradient_step(START, gradient, 1 / SMOOTH)
    gap = _value(START)
    away = other - START
    below = _value(other) - away @ (BEND - STRONG * np.eye(2)) @ away / 2
    lowest_at = np.linalg.solve(STRONG * np.eye(2), -gradient)
    lowest = gap + gradient @ lowest_at + STRONG * lowest_at @ lowest_at / 2
    factor = _widest(1 / SMOOTH, [STRONG, SMOOTH])
    count = _steps(factor, 1e-6)
    whole = SMOOTH * np.sum(START**2) / 2
    return Worked(
        {**QUADRATIC, r"\mathbf{z}": other, r"\mathbf{x}^+": after, "t": count},
        own={"LR^2/(2t)": {"L": SMOOTH, "R": np.linalg.norm(START), "t": 10**6}},
        numbers=[
            gradient @ gradient, 2 * STRONG * gap, whole, below, lowest, gap - gradient @ gradient / SMOOTH / 2, 1,
            factor, factor**count, 1e-6, np.log(1e-6) / np.log(factor), count, whole / 1e6, whole, 10**6,
        ],
    )  # fmt: skip


def ex_wolfe():
    f, x, d, c1, c2, eta = (lambda x: x**2), -1, 1, 0.1, 0.9, 0.5
    phi = lambda e: f(x + e * d)
    slope = lambda e: slopes(phi, e)
    falls = lambda e: phi(e) - phi(0) - c1 * e * slope(0)
    longest = brentq(falls, 0.5, 4)
    shortest = brentq(lambda e: slope(e) - c2 * slope(0), 0, 4)
    tried = [4.0]
    while falls(tried[-1]) > 0:
        tried.append(tried[-1] / 2)
    assert shortest <= tried[-1]
    y = slope(tried[-1]) - slope(0)
    return Worked(
        {"f": At(f), "x": x, "d": d, "c_1": c1, "c_2": c2, ETA: eta, r"\varphi": At(phi), "s": d, "y": y},
        worlds=[{ETA: 4}, {ETA: 1}],
        numbers=[phi(eta), phi(0) + c1 * eta * slope(0), eta**2, longest * eta, 0, longest, c2 * slope(0), shortest,
                 tried, tried, 1],
    )  # fmt: skip


def ex_adam():
    gradients, b1, b2, eta = np.array([4.0, -2]), 0.9, 0.99, 0.1
    x, m, v = np.zeros(1), np.zeros(1), np.zeros(1)
    means, squares, places = [0.0], [0.0], [0.0]
    for t, g in enumerate(gradients, 1):
        x, m, v = adam_step(x, m, v, np.array([g]), t, eta, b1, b2)
        means, squares, places = [*means, m[0]], [*squares, v[0]], [*places, x[0]]
    constant, mean = 3.0, 0.0
    for _ in gradients:
        mean += (1 - b1) * (constant - mean)
    shares = [1 - b1**2, 1 - b2**2]
    return Worked(
        {r"\beta_1": b1, r"\beta_2": b2, ETA: eta, "g_#": gradients, "t": 2, "m^{(#)}": dict(enumerate(means)),
         r"\mathbb{E}g": constant, "m": means[1], "v": squares[1]},
        worlds=[{"m": means[2], "v": squares[2]}],
        numbers=[mean, mean / constant / (1 - b1), mean / constant, 1, means[1] / (1 - b1), squares[1] / (1 - b2),
                 places[1], 2],
        known=[b2 * squares[1], squares[2], shares, means[2] / shares[0], squares[2] / shares[1],
               np.sqrt(squares[2] / shares[1]), places[2] - places[1]],
    )  # fmt: skip


def ex_which():
    many = {"N": 1e5, "D": 1e5}
    entries = many["D"] * many["D"]
    return Worked(
        {"N": 1e4, "D": 20}, worlds=[{"N": 1e9, "D": 1e3}, many, {KAPPA: 1e8}],
        numbers=[50, 1e7, np.prod([20, 20, 20]), entries],
    )  # fmt: skip


def ex_two():
    a, b, lam = 2.0, 0.5, 1.3
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    M = turned @ np.diag([a, b, b]) @ turned.T
    c = np.polyfit([0, a, b], [1, 0, 0], 2)
    p = lambda z: np.round(c[0] * z @ z + c[1] * z + c[2] * np.eye(3), 12) if np.ndim(z) else np.polyval(c, z)
    assert conjugate_gradients(M, np.ones(3)).n_iter == 2
    return Worked(
        {"a": a, "b": b, "p": At(p), LAM: lam, P: M, r"\mathbf{e}": [0.3, -1, 0.7], r"\mathbf{0}": np.zeros(3)},
        numbers=[0.5, 2, len(c) - 1, p(a), 1 / lam],
    )


def ex_momentum():
    start = np.array([1, 1])
    return Worked(
        {X: start * 1e-7, "x_#": START, KAPPA: 10, "f": _value(np.sqrt([10, 1]) * START)},
        numbers=[1e-6, start, 100, 1000],
    )


def _settings(low, high):
    """The best step size and momentum of the heavy ball on a quadratic."""
    roots = np.sqrt([low, high])
    return (2 / roots.sum()) ** 2, (np.ptp(roots) / roots.sum()) ** 2


def _heavy(kappa):
    """The factor of the heavy ball on a quadratic with its best settings, from the matrix of two steps."""
    eta, beta = _settings(1, kappa)
    step = lambda lam: np.array([[1 + beta - eta * lam, -beta], [1, 0]])
    return max(abs(np.linalg.eigvals(step(lam))).max() for lam in np.linspace(1, kappa, 9)[1:-1])


def cards():
    lam = np.array([0.5, 2])
    eta, D, M, N = 0.3, 3, 4, 5
    limit = brentq(lambda e: _widest(e, lam) - 1, _best(lam), 9)
    steps = {r"\lambda_#": lam, "i": range(1, 3), ETA: eta, r"\lambda_{\min}": lam[0], r"\lambda_{\max}": lam[1]}
    valley, point = (lambda x: (x[0] ** 2 + 12 * x[1] ** 2) / 2), np.array([6, 1])
    downhill = np.array([-slopes(lambda t, e=e: valley(point + t * e), 0) for e in np.eye(2)])
    angle = np.arccos(-point @ downhill / np.linalg.norm(point) / np.linalg.norm(downhill))
    gradient = BEND @ START
    eps, f = np.finfo(float).eps, 1.7
    cube, root = np.log10(np.cbrt(eps)), np.log10(np.sqrt(eps))
    kappa = 9
    widest = _widest(_best([1, kappa]), [1, kappa])
    calls = []
    counted = lambda x: calls.append(1) or float(np.sum(x**2))
    numerical_gradient(counted, np.ones(D))
    by_gradient = len(calls)
    numerical_hessian(counted, np.ones(D))
    by_hessian = len(calls) - by_gradient
    curvature = lambda x: 1.0 if 1 <= x < 2 else 25.0
    slope = lambda x: quad(curvature, 0, x, points=[1, 2])[0]
    low, high = (f(curvature(x) for x in (0, 1.5, 3)) for f in (min, max))
    best = dict(zip((ETA, BETA), _settings(low, high), strict=True))
    worlds = [{**best, "x": x, "f'": slope(x)} for x in (0.4, 1.7, 3.3)]
    four = np.repeat([1.0, 3, 4, 7], 250)
    iterations = conjugate_gradients(lambda v: four * v, np.ones(1000)).n_iter
    whole = SMOOTH * np.sum(START**2) / 2
    rate = {**QUADRATIC, "t": 8}
    batch = lambda size: 1 / size
    two_loops = [D for _ in range(2) for _ in ("a product of two vectors", "a multiple of one")]
    bend = np.round(numerical_hessian(lambda x: 2 * _value(x), np.zeros(2)), 5)
    return {
        "lost-marks-larger": Worked(steps, numbers=[_best(lam), limit, _widest(eta, lam), 0, limit]),
        "lost-marks-points": Worked(
            {"f": valley(START), "x_#": START, r"\circ": 1}, numbers=[point, -point, downhill, round(np.degrees(angle))]
        ),
        "lost-marks-newton": Worked(
            {**QUADRATIC, r"\mathbf{H}": BEND}, numbers=[gradient @ newton_direction(gradient, BEND)]
        ),
        "lost-marks-small-h": Worked(
            {"h": 1e-15, "f": f},
            numbers=[round(eps / 1e-15, 1) * f, 10 ** np.floor(cube), 10 ** np.ceil(cube), 10 ** np.round(root)],
        ),
        "lost-marks-batch": Worked(BATCH, numbers=[batch(4), np.sqrt(batch(4))]),
        "do-not-confuse-methods": Worked(
            {**steps, "O": At(lambda n: n), "N": N, "D": D, "M": M, **BATCH, KAPPA: kappa},
            numbers=[N * D * D + D * D * D, len([*np.ndindex(D, D)]), limit, 1, 1, widest, _heavy(kappa),
                     _heavy(kappa)],
        ),
        "do-not-confuse-search": Worked({r"\mathbf{s}": [1, 2], r"\mathbf{y}": [0.3, 0.1]}, numbers=[1, 0]),
        "what-if-units": Worked(numbers=[100, np.var([100, 300]) / np.var([1, 3])]),
        "what-if-repeat": Worked(
            numbers=[brentq(lambda e: _widest(e, 2 * lam) - 1, _best(2 * lam), 9) / limit, 2 * N / N]
        ),
        "what-if-memory": Worked(
            {"D": D, BETA: 0.8}, numbers=[0, 1, sum(two_loops), len(np.ravel([np.ones(D)] * 2)), 0, 1]
        ),
        "counterexample-short-steps": Worked(
            {"f": 0.3 * 0.3, "x": 0.3, ETA: 1, "t": 3, "x^{(t)}": np.cumsum([2, -0.5, -0.25, -0.125])[-1]}, numbers=[1]
        ),
        "counterexample-cycle": Worked(
            {"L": high, MU: low}, worlds=worlds, numbers=[1, slope(1.7), 1, 2, slope(3.3), 0]
        ),
        "counting": Worked(
            {"D": D, "M": M, "N": N, **BATCH},
            numbers=[len([*combinations_with_replacement(range(D), 2)]), len(np.ravel([np.ones((2, D))] * M)),
                     by_gradient, by_hessian],
        ),
        "convention-sum": Worked(
            {"N": N, r"\frac1N \sum_n": np.mean([1] + [0] * (N - 1)), X: START, P: BEND},
            numbers=[0.5, 1 / N, 0.5, _value(START), bend, brentq(lambda e: _widest(e, 2 * lam) - 1, _best(2 * lam),
                                                                 9) / limit],
        ),
        "convention-letters": Worked(
            {**QUADRATIC, BETA: 0.75, r"\boldsymbol{\delta}": [0.2, 0.1]},
            numbers=[np.average([[0.2, 0.1], -gradient / SMOOTH], axis=0, weights=[3, 1]),
                     np.sum(0.75 ** np.arange(200))],
        ),
        "quiz-oscillation": Worked({"L": lam[1]}, numbers=[limit]),
        "quiz-newton": Worked({"f": _value(START), X: START, P: BEND, KAPPA: 1e6}, numbers=[np.linalg.cond(np.diag([1,
                                                                                                                   1e6]))]),
        "quiz-batch": Worked(
            {**BATCH, r"\sigma": 1.2},
            numbers=[64, 16, np.sqrt(batch(16) / batch(64)), batch(16) / batch(64), 1.44 * batch(4),
                     (batch(16) / batch(64)) ** 2, 1],
        ),
        "quiz-certain": Worked(rate, numbers=[whole / 8, (SMOOTH - STRONG) / SMOOTH, 0]),
        "quiz-cg": Worked(numbers=[len(four), len(set(four)), iterations, iterations, len(four), len(four) / 4]),
        "tf-wolfe": Worked({r"\mathbf{s}": [1, 2], r"\mathbf{y}": [0.3, 0.1]}, numbers=[0]),
        "tf-adam": Worked({"g": -1.5}, numbers=[1.5 * 1.5]),
        "tf-rate": Worked(rate, numbers=[whole / 8]),
    }  # fmt: skip

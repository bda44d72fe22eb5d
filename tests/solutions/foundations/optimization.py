"""Exercises on optimisation: minima by SciPy, roots of slopes, duals as smallest values, second differences."""

from itertools import product

import numpy as np
from scipy.optimize import brentq, fsolve, minimize_scalar

from notes_lib.foundations.optimization import solve_qp
from tests.formulas.values import At
from tests.solutions.derivatives import slopes
from tests.solutions.ledger import Worked

X, W, MU, LAM = r"\mathbf{x}", r"\mathbf{w}", r"\mu", r"\lambda"
L, ZERO, P = r"\mathcal{L}", r"\mathbf{0}", r"p^\star"
FLAT = {r"\nabla f": np.zeros(2), ZERO: np.zeros(2)}


def _hessian(f, at, h=1e-5):
    """Differences of exact slopes."""
    return np.array([(slopes(f, at + h * e) - slopes(f, at - h * e)) / (2 * h) for e in np.eye(len(at))])


def _dual(objective, constraint, mu):
    """The smallest value of a Lagrangian of one variable."""
    return minimize_scalar(lambda x: objective(x) + mu * constraint(x), options={"xtol": 1e-12}).fun


def ex_hyperplane():
    w, b, a = np.array([3, 4.0]), -5, np.array([3, 4.0])
    x = a + np.linalg.lstsq(w[None], [-b - w @ a])[0]
    distance = np.linalg.norm(x - a)
    return Worked(
        {W: w, "b": b, r"\mathbf{a}": a, X: x, LAM: (a - x)[0] / w[0], L: distance * distance / 2, ZERO: np.zeros(2),
         r"\{\mathbf{x} : \mathbf{w}^\top\mathbf{x} + b = 0\}": x},
        numbers=[x, np.zeros(2), slopes(lambda v: (v @ v) / 2, x - a)[0] / (2 * (x - a)[0])],
    )  # fmt: skip


def ex_dual():
    f, g = (lambda x: x**2 + 4), (lambda x: (x - 1) * (x - 3))
    ends = np.sort(np.roots(np.poly([1, 3])))
    best = min(np.linspace(*ends, 201), key=f)
    at, mu = 1.4, 0.7
    flat = lambda m: brentq(lambda x: slopes(lambda v: f(v[0]) + m * g(v[0]), np.array([x]))[0], 0, 3)
    highest = brentq(lambda m: g(flat(m)), 0.1, 3)  # the slope of the dual is the violation
    there = {MU: highest, "x": flat(highest)}
    inner = {MU: mu, "x": flat(mu)}
    return Worked(
        {"x": at, MU: mu, L: f(at) + mu * g(at), r"\theta": At(lambda m: _dual(f, g, m)), r"\theta'": g(flat(highest)),
         r"x^\star": best, P: f(best), "g": g(2)},
        worlds=[there],
        own={r"2x + \mu(2x - 4) = 0": inner, r"x = 2\mu/(1 + \mu)": inner, "x = 2": {"x": 2},
             "1 \\leq x \\leq 3": {"x": 1.4}},
        numbers=[f(at), g(at), 0, 0.1, ends, 0, 0],
    )  # fmt: skip


def ex_convex():
    x, v, w = np.array([0.7, 1.3]), np.array([0.4, -1.1]), np.array([0.6, -0.2])
    data, y = np.array([[1, 2], [0.5, -1], [0.3, 0.8]]), np.array([0.2, 1.1, -0.4])
    quotient = lambda u: u[0] ** 2 / u[1]
    bend = np.round(_hessian(lambda u: u[0] * u[1], x), 8)
    assert np.linalg.eigvalsh(_hessian(lambda u: 1 / u[0], x)).min() > -1e-8
    return Worked(
        {"x_#": x, "v_#": v, r"\mathbf{v}": v, r"\mathbb{R}^2": len(x), r"\mathbf{X}": data, r"\mathbf{y}": y, W: w,
         "w_#": w, "i": range(1, 3), r"\mathbf{H}": _hessian(quotient, x), "f": At(lambda t: abs(t) ** 0.5),
         r"\{\mathbf{x} : x_1 x_2 \geq 1,\, x_1 > 0\}": [1, 1], r"\{1/x_1 - x_2 \leq 0\}": [1, 1]},
        numbers=[
            max(x[0], x[1] ** 2), len(x), x.prod(), x[0], x[1], 0, quotient(x), x[1], 0,
            sum((data @ w - y) ** 2) + 3 * np.linalg.norm(w, 1), [1, 1], 0, 1, np.mean([0, 1]), bend,
            np.linalg.eigvalsh(bend), 0, [1, 1], x[0] ** -1.0, x[0], 0,
        ],
        known=[0.5**0.5],
    )  # fmt: skip


def ex_box():
    volume = lambda e: e[0] * e[1] * e[2]
    half = lambda e: e[0] * e[1] + e[1] * e[2] + e[2] * e[0]
    lagrangian = lambda e, m: m * (half(e) - 3) - volume(e)
    x, y, z, lam = fsolve(
        lambda u: [*slopes(lambda e: lagrangian(e, u[3]), u[:3]), half(u[:3]) - 3], [0.8, 1.1, 1.2, 0.4], xtol=1e-13
    )
    edges = np.array([x, y, z])
    bend = _hessian(lambda e: lagrangian(e, lam), edges)
    v = np.array([0.4, -1.1, 0.7])
    row = slopes(half, edges)
    more = half(edges) * 0.01
    return Worked(
        {"x": x, "y": y, "z": z, LAM: lam, L: lagrangian(edges, lam), r"\mathbf{A}": row, "v_#": v, r"\mathbf{v}": v,
         r"\mathbf{W}": bend, "i": range(1, 4), "k": range(1, 4),
         r"(1, 1, 1)\, \mathbf{W}": np.ones((1, 3)) @ bend},
        numbers=[0, 1, 0, 0, volume(edges), np.cbrt(volume(edges) ** 2), np.mean([x * y, y * z, z * x]), 0, more,
                 -lam * more, lam * more],
    )  # fmt: skip


def _die(mean):
    """The distribution of largest entropy with this mean: its multiplier and probabilities."""
    k = np.arange(1, 7)
    p = lambda m: np.exp(-m * k) / np.exp(-m * k).sum()
    m = brentq(lambda m: p(m) @ k - mean, -3, 3, xtol=1e-14)
    return m, p(m)


def ex_die():
    mean, k = 4.5, np.arange(1, 7)
    first, p = _die(mean)
    free = -np.log(p[0]) - 1 - first
    fair = np.full(6, 1 / 6)
    variance = fair @ k**2 - (fair @ k) ** 2
    step = -(mean - fair @ k) / variance
    entropy = -p @ np.log(p)
    return Worked(
        {"p_#": p, "k": range(1, 7), "i": range(1, 7), r"\lambda_0": free, r"\lambda_1": first, L: -entropy,
         r"\theta": At(lambda m: -entropy)},
        own={r"\lambda_1 = 0": {r"\lambda_1": _die(fair @ k)[0]}},
        numbers=[mean, p[0], p[5], p, 0, 0, variance, first, 1],
        known=[step],
    )  # fmt: skip


def ex_concave():
    x = np.linspace(-2, 2, 401)
    value = lambda x, nu: np.sin(3 * x) + nu[0] * (x - 1) + nu[1] * (x**2 - 2)
    theta = lambda nu: min(value(v, nu) for v in x)
    one, other, share = np.array([0.4, 1.1]), np.array([2.0, -0.3]), 0.3
    bound = np.average([theta(one), theta(other)], weights=[share, 1 - share])
    return Worked(
        {X: 0.8, L: At(value), r"\theta": At(theta), r"\boldsymbol{\nu}": one, r"\boldsymbol{\nu}'": other,
         r"\alpha": share},
        numbers=[0, 1, bound],
    )  # fmt: skip


def ex_water():
    a, power = np.array([1, 2, 4]), 2
    level = brentq(lambda t: np.maximum(0, t - a).sum() - power, 1, 9)
    x = np.maximum(0, level - a)
    gain = lambda p: np.log(a + np.maximum(0, brentq(lambda t: np.maximum(0, t - a).sum() - p, 1, 9) - a)).sum()
    price = round((gain(power + 1e-4) - gain(power - 1e-4)) / 2e-4, 7)
    prices = np.round(price - slopes(lambda v: np.log(a + v).sum(), x), 7)
    known = {"x_#": x, "a_#": a, r"\mu_#": prices, LAM: price, "t": level, ": t": level, "i": range(1, 4)}
    wet, dry = {**known, "i": range(1, 3)}, {**known, "i": range(3, 4)}
    return Worked(
        {**known, "a": a, X: x},
        own={r"x_i > 0": wet, r"\mu_i = 0": wet, r"a_i + x_i = 1/\lambda =: t": wet, "x_i = 0": dry,
             r"\mu_i = \lambda - 1/a_i \geq 0": dry},
        numbers=[power, 0, 0, 0, 0, 0, 4, level, price],
    )  # fmt: skip


def ex_gap():
    bend, q, G, h = np.diag([2, 4]), np.array([-8, -8]), np.array([[1, 1], [1, -1]]), np.array([3, 0.5])
    K = G @ np.linalg.inv(bend) @ G.T
    lam = np.linalg.eigvalsh(K)
    mu = np.array([0.3, 0.1])
    at = lambda m: -np.linalg.solve(bend, q + G.T @ np.ravel(m))
    steps = np.linspace(0, 2, 60001)
    eta = steps[np.abs(1 - np.outer(steps, lam)).max(axis=1).argmin()]  # the least of the larger factor
    moved = mu + eta * (G @ at(mu) - h)
    return Worked(
        {r"\boldsymbol{\mu}": mu, r"\boldsymbol{\mu}\leftarrow": np.where(moved > 0, moved, 0), r"\eta": eta,
         r"\mathbf{G}": G, r"\mathbf{h}": h, X: At(at), ZERO: np.zeros(2), r"\lambda_{\min}": lam[0],
         r"\lambda_{\max}": lam[1], r"\mathbf{g}": G @ at(mu) - h},
        numbers=[lam, 0, np.zeros(2)],
    )  # fmt: skip


def _bordered(bend, constraint):
    M = len(constraint)
    return np.block([[np.zeros((M, M)), constraint], [constraint.T, bend]])


def cards():
    f, g = (lambda x: x**2 + 4), (lambda x: (x - 1) * (x - 3))
    best = min(np.linspace(1, 3, 201), key=f)
    highest = max(_dual(f, g, m) for m in np.linspace(0, 3, 301))
    point = np.array([-1.0, 0])
    height = lambda x: (x[0] - 1) ** 2 + x[1] ** 2
    circle = lambda x: x[0] ** 2 + x[1] ** 2 - 1
    multiplier = np.linalg.lstsq(slopes(circle, point)[:, None], -slopes(height, point))[0][0]
    bend = np.round(_hessian(height, point), 8)
    W_there = np.round(_hessian(lambda x: height(x) + multiplier * circle(x), point), 8)
    tangent = np.array([0, 1.0])
    D, M, J = 3, 1, 4
    row = np.array([[0.4, -1.2, 0.7]])
    at_minimum, at_maximum = (np.sign(np.linalg.det(_bordered(s * np.eye(D), row))) for s in (1, -1))
    scaled = [solve_qp([[2.0]], [-8.0], G=[[s]], h=[s * 1.0]).mu[0] for s in (1.0, 10.0)]
    cosine = {"x_1": point[0], "x_2": point[1], X: point}
    never = {"x": 0, "y": 1}
    price = 4
    return {
        "lost-marks-stationary": Worked(FLAT),
        "lost-marks-necessary": Worked(
            {"x": 0, MU: 0.7, "f'": slopes(lambda v: v[0], np.zeros(1)), "g'": slopes(lambda v: v[0] ** 2,
                                                                                        np.zeros(1))},
            numbers=[0, 0, 0, 1],
        ),
        "lost-marks-hessian": Worked(
            {**cosine, "f": height(point), r"\mathbf{I}": np.eye(2), r"\mathbf{W}": W_there},
            numbers=[point, bend, point, multiplier, max(height([np.cos(t), np.sin(t)]) for t in (0, np.pi / 2,
                                                                                                  np.pi))],
        ),
        "lost-marks-primal-variable": Worked(
            {r"\nabla h": [0.3, -1], ZERO: np.zeros(2), "x": 1, r"\nabla\mathcal{L}": np.zeros(2)},
            numbers=[np.zeros(2), -1],
        ),
        "lost-marks-min-max": Worked(
            {MU: 0.7, "g": At(lambda x: -0.5), X: [0.3], r"\inf_{\mathbf{x}} \sup_{\mu \geq 0} \mathcal{L}": f(best),
             P: f(best)},
            numbers=[0, 0, 0, 0],
        ),
        "lost-marks-feasible": Worked(
            {r"\max_{\mu \geq 0} \theta(\mu)": highest,
             r"\min \{ f(\mathbf{x}) : \mathbf{x} \text{ feasible} \}": f(best)},
            numbers=[f(best)],
        ),
        "do-not-confuse-necessary": Worked(
            {**FLAT, r"\mathbf{v}": tangent, r"\mathbf{W}": bend}, numbers=[0]
        ),
        "do-not-confuse-convex": Worked({"x": 1.3, "c": 0.5}, numbers=[2, (1.3 * 1.3) ** 2, 0]),
        "do-not-confuse-dual": Worked(
            {r"\boldsymbol{\mu}": [0.3, 0], ZERO: np.zeros(2),
             r"\inf_{\mathbf{x}} \sup_{\boldsymbol{\mu} \geq \mathbf{0}} \mathcal{L}": f(best),
             r"\sup_{\boldsymbol{\mu} \geq \mathbf{0}} \inf_{\mathbf{x}} \mathcal{L}": highest},
            numbers=[np.zeros(2), highest, f(best)],
        ),
        "what-if-inactive": Worked({r"\mu_j": 0.7}, own={r"\mu_j = 0": {r"\mu_j": 0}}, numbers=[0]),
        "what-if-price": Worked(numbers=[solve_qp([[2.0]], [-8.0], G=[[1.0]], h=[4.5]).mu]),
        "what-if-penalty": Worked({MU: 0.7}, numbers=[0, 0, 0]),
        "what-if-scaled": Worked(
            {"g_j": -0.2, r"\mu_j": scaled[0]}, numbers=[10, 2, -2, 0, scaled[1]]
        ),
        "what-if-maximise": Worked({"g_j": -0.2}, numbers=[-1, 0]),
        "counterexample-necessary": Worked({"x": 0}, numbers=[0, 0, 0, 0, 0]),
        "counterexample-sufficient": Worked(
            {"x": 0}, worlds=[{"x": -2}], numbers=[0, -2, 1, 0, 0, min(-(x**2) for x in np.linspace(-2, 1, 31))]
        ),
        "counterexample-gap": Worked(
            {**never, P: np.exp(-never["x"]), r"d^\star": np.exp(-40.0)}, numbers=[0, 0, 0, 5.21]
        ),
        "counting": Worked({"J": J}, numbers=[len([*product((0, 1), repeat=J)])]),
        "convention-signs": Worked({"g_j": -0.2, r"\mu_j": 0.7, "c_i": 0.2}, numbers=[0, 0, 0]),
        "convention-border": Worked({"M": M, "D": D}, numbers=[at_minimum, at_maximum]),
        "quiz-sufficient": Worked({"x": 0.3}, numbers=[-0.09, -2, 1, -0.09, -2, 1]),
        "quiz-price": Worked(
            {"x_#": [1.2, 1.8], MU: price, "g": 3 - (1.2 + 1.8)},
            numbers=[3, 3, price, 3.01, price * (3.01 - 3), price, 2, price * (3 - 2), 0],
        ),
        "quiz-curvature": Worked(
            {**cosine, r"\mathbf{v}": tangent, r"\mathbf{W}": -W_there}, numbers=[height(point), point, 0]
        ),
        "quiz-slater": Worked(
            {**never, "g_j": At(lambda x: -0.2), X: [0.3]},
            numbers=[0, 0, np.exp(-never["x"]) - np.exp(-40.0), 0, 0, 0,
                     np.exp(-never["x"]) + np.exp(-never["y"]) - (np.exp(-40.0) + np.exp(-never["y"]))],
        ),
        "tf-dual-convex": Worked({r"\boldsymbol{\mu}": [0.3, 0], ZERO: np.zeros(2)}, numbers=[np.zeros(2)]),
        "tf-weak": Worked({r"\boldsymbol{\mu}": [0.3, 0], ZERO: np.zeros(2)}, numbers=[np.zeros(2)]),
        "tf-loosen": Worked(
            {P: At(lambda u: solve_qp([[2.0]], [-8.0], G=[[1.0]], h=[1 + float(u)]).primal), "u": 0.5, MU: scaled[0]},
            numbers=[solve_qp([[2.0]], [-8.0], G=[[1.0]], h=[1.0]).primal - 0.5 * scaled[0]],
        ),
    }  # fmt: skip

"""Drills on optimisation: Lagrange multipliers, a quadratic program and its dual, steps of two descent methods."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, matrix, polynomial, vector
from notes_lib.foundations.optimization import (
    equality_qp,
    gradient_step,
    kkt_residuals,
    newton_direction,
    qp_dual,
    solve_qp,
)


@drill("lagrange-multiplier", marks=8, minutes=12, title="Lagrange multipliers")
def lagrange(rng: np.random.Generator) -> Parts:
    """A quadratic with one or two equality constraints, its multipliers, and what they say about a change."""
    m = int(rng.integers(1, 3))
    d = m + 1
    while True:
        A = rng.integers(-2, 4, size=(m, d)).astype(float)
        x, lam = rng.integers(-3, 5, size=d).astype(float), rng.choice([-4.0, -2.0, 2.0, 4.0], size=m)
        q = -(2 * x + A.T @ lam)  # so that x and lam are the answer for f = |x|^2 + q'x
        if np.abs(A).min() > 0 and np.linalg.matrix_rank(A) == m and np.abs(q).max() <= 16:
            break
    b = A @ x
    found = equality_qp(2 * np.eye(d), q, A, b)
    value = found.x @ found.x + q @ found.x
    change = float(rng.choice([0.1, 0.2, -0.1]))
    s = "s" if m == 2 else ""
    statement = "\n".join(
        [
            f"Minimise $f(\\mathbf{{x}}) = {_polynomial([(1.0, f'x_{j + 1}^2') for j in range(d)] + _linear(q))}$ "
            f"subject to {_constraints(A, b, '=')}.",
            "",
            "1. Write the Lagrangian and set its derivatives to zero (3 marks).",
            f"2. Solve for the multiplier{s} (2 marks).",
            "3. Give the minimiser and the minimum (2 marks).",
            f"4. The right-hand side of the first constraint changes by ${_number(change)}$. About how much does the "
            "minimum change? (1 mark)",
        ]
    )
    terms = [" ".join(f"{_signed(A[i, j])}\\lambda_{i + 1}" for i in range(m)) for j in range(d)]
    L = " ".join(f"+ \\lambda_{i + 1} ({_polynomial(_linear(A[i]))}{_constant(-b[i])})" for i in range(m))
    multipliers = " and ".join(f"$\\lambda_{i + 1} = {_number(v)}$" for i, v in enumerate(found.lam))
    K, r = A @ A.T / 2, b + A @ q / 2
    lines = [
        f"**Lagrangian** (1 mark): $\\mathcal{{L}} = f(\\mathbf{{x}}) {L}$.",
        "",
        "**Derivatives** (2 marks): the constraints again, and for each variable",
        "",
        *(f"- $2 x_{j + 1}{_constant(q[j])} {terms[j]} = 0$, so $x_{j + 1} = -\\tfrac12 ({_number(q[j])} {terms[j]})$"
          for j in range(d)),
        "",
        f"**Multiplier{s}** (1 mark for inserting, 1 for the value{s}): in the constraint{s},",
        "",
        *(f"- ${_polynomial([(-K[i, k], f'{chr(92)}lambda_{k + 1}') for k in range(m)])} = {_number(r[i])}$"
          for i in range(m)),
        "",
        f"so {multipliers}.",
        "",
        f"**Minimum** (1 mark each): $\\mathbf{{x}} = {_vector(found.x)}$, $f = {_number(value)}$. "
        "$f$ is convex and the constraints are linear, so this is the global minimum.",
        "",
        f"**Change** (1 mark): $-\\lambda_1 \\cdot {_bracket(change)} = {_number(-found.lam[0] * change)}$.",
    ]  # fmt: skip
    given = {"q": q.tolist(), "A": A.tolist(), "b": b.tolist(), "change": change}
    answer = {
        "x": found.x.round(9).tolist(),
        "lam": found.lam.round(9).tolist(),
        "minimum": round(float(value), 9),
        "change": round(float(-found.lam[0] * change), 9),
    }
    convention = "in $\\mathcal{L} = f + \\sum_i \\lambda_i \\cdot (\\text{left} - \\text{right side})$"
    fields = [
        ask.own("lagrangian", "the Lagrangian and its derivatives", 1, 3),
        ask.vector("lam", f"the multiplier{s}, {convention}", 2, 2),
        ask.vector("x", "the minimiser", 3),
        ask.number("minimum", "the minimum", 3),
        ask.number("change", "change of the minimum", 4),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("kkt-qp", marks=14, minutes=20, title="KKT conditions and duality")
def program(rng: np.random.Generator) -> Parts:
    """A quadratic program in the plane with two inequalities: cases, conditions, dual, and a gap."""
    while True:
        P = np.diag(rng.choice([2.0, 4.0], size=2))
        G = rng.integers(-2, 3, size=(2, 2)).astype(float)
        x = rng.integers(-2, 4, size=2).astype(float)
        mu = np.array([rng.choice([2.0, 4.0, 6.0]), rng.choice([0.0, 0.0, 2.0, 4.0])])
        h = G @ x + np.where(mu > 0, 0.0, rng.integers(1, 4, size=2))
        q = -(P @ x + G.T @ mu)
        guess = rng.integers(-3, 4, size=2).astype(float)
        if (
            abs(np.linalg.det(G)) > 0.5
            and (G != 0).any(axis=0).all()
            and np.abs(q).max() <= 20
            and (G @ guess <= h).all()
            and np.abs(guess - x).max() > 0
            and (np.abs(G).sum(axis=1) > 1).all()
        ):
            break
    order = rng.permutation(2)
    G, h = G[order], h[order]
    found, dual = solve_qp(P, q, G, h), qp_dual(P, q, G, h)
    trial = np.maximum(found.mu - rng.choice([1.0, 2.0]), 0.0)
    f = lambda x: float(x @ P @ x / 2 + q @ x)
    gap = f(guess) - dual.value(trial)
    rows = [_case(P, q, G, h, active) for active in ([], [0], [1], [0, 1])]
    slopes = G @ found.x - h
    residuals = kkt_residuals(P @ found.x + q, slopes, G, found.mu)
    objective = _polynomial([(P[j, j] / 2, f"x_{j + 1}^2") for j in range(2)] + _linear(q))
    statement = "\n".join(
        [
            f"Minimise $f(\\mathbf{{x}}) = {objective}$ subject to {_constraints(G, h, _LEQ)}.",
            "",
            "1. Write the four KKT conditions (2 marks).",
            "2. Find the minimiser and the multipliers by going through the active sets (6 marks).",
            "3. Derive the dual function $\\theta(\\mu_1, \\mu_2)$ and show that the duality gap is 0 (4 marks).",
            f"4. Somebody offers $\\mathbf{{x}} = {_vector(guess)}$ and $\\boldsymbol{{\\mu}} = {_vector(trial)}$. "
            "How far can this $f$ be above the minimum, at most? (2 marks)",
            "",
            "Fill in:",
            "",
            table([[name, "", "", "", ""] for name, *_ in rows], _CASES).markdown,
        ]
    )
    quadratic = [(-dual.K[0, 0] / 2, "\\mu_1^2"), (-dual.K[0, 1], "\\mu_1 \\mu_2"), (-dual.K[1, 1] / 2, "\\mu_2^2")]
    theta = _polynomial([*quadratic, (-dual.r[0], "\\mu_1"), (-dual.r[1], "\\mu_2")]) + _constant(-dual.c)
    stationary = [_polynomial([(P[j, j], f"x_{j + 1}")]) + _constant(q[j]) + _tail(G[:, j]) + " = 0" for j in range(2)]
    inner = " and ".join(f"$x_{j + 1} = {_inner(P[j, j], q[j], G[:, j])}$" for j in range(2))
    lines = [
        "**Conditions** (2 marks; 1 if one is missing):",
        "",
        f"- stationarity: ${stationary[0]}$ and ${stationary[1]}$",
        f"- primal feasibility: {_constraints(G, h, _LEQ)}",
        "- dual feasibility: $\\mu_1 \\geq 0$ and $\\mu_2 \\geq 0$",
        "- complementary slackness: $\\mu_1 g_1 = 0$ and $\\mu_2 g_2 = 0$ ($\\mathbf{g}$: left side less right)",
        "",
        "**Cases** (1 mark for each of the four, 2 for the answer). Stationarity, with equality in the active "
        "constraints and multiplier 0 for the others, gives",
        "",
        table(rows, _CASES).markdown,
        "",
        f"So $\\mathbf{{x}} = {_vector(found.x)}$ with $\\boldsymbol{{\\mu}} = {_vector(found.mu)}$ and "
        f"$f = {_number(found.primal)}$; there $\\mathbf{{g}} = {_vector(slopes)}$. All conditions hold "
        f"(largest violation {_number(max(residuals))}), $f$ is convex and the constraints are linear: the "
        "global minimum.",
        "",
        "**Dual** (1 mark for the minimiser of the Lagrangian, 2 for the function, 1 for the gap): by stationarity "
        f"{inner}; inserted in $\\mathcal{{L}}$,",
        "",
        f"$\\theta = {theta}$.",
        "",
        f"At the multipliers above $\\theta = {_number(found.dual)} = f$: the gap is 0.",
        "",
        f"**Bound** (1 mark for the two values, 1 for the conclusion): the point is feasible and no multiplier is "
        f"negative, so weak duality holds: $f = {_number(f(guess))}$, $\\theta = {_number(dual.value(trial))}$, and "
        f"$f$ is at most ${_number(gap)}$ above the minimum (in truth ${_number(f(guess) - found.primal)}$).",
    ]
    given = {
        "P": P.tolist(),
        "q": q.tolist(),
        "G": G.tolist(),
        "h": h.tolist(),
        "guess": guess.tolist(),
        "trial": trial.tolist(),
    }
    answer = {
        "x": found.x.round(9).tolist(),
        "mu": found.mu.round(9).tolist(),
        "minimum": round(found.primal, 9),
        "dual": round(found.dual, 9),
        "K": dual.K.round(9).tolist(),
        "r": dual.r.round(9).tolist(),
        "c": round(dual.c, 9),
        "bound": round(gap, 9),
        "theta": [round(-float(v), 9) + 0.0 for v in (*(dual.K[[0, 0, 1], [0, 1, 1]] / [2, 1, 2]), *dual.r, dual.c)],
    }
    powers = ["$\\mu_1^2$", "$\\mu_1 \\mu_2$", "$\\mu_2^2$", "$\\mu_1$", "$\\mu_2$", "1"]
    fields = [
        ask.own("conditions", "the four conditions", 1, 2),
        ask.vector("x", "the minimiser", 2, 3),
        ask.vector("mu", "the multipliers", 2, 3),
        ask.vector("theta", "coefficients of the dual function, 0 where a term is missing", 3, 3, titles=powers),
        ask.number("dual", "its value at the multipliers", 3),
        ask.number("bound", "at most so far above the minimum", 4, 2),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("gradient-step", marks=10, minutes=12, title="Two steps of gradient descent")
def gradient(rng: np.random.Generator) -> Parts:
    """Two steps of gradient descent on a quadratic, and for which step sizes it converges."""
    a = int(rng.choice([4, 6]))
    b = int(rng.integers(1, a)) * int(rng.choice([-1, 1]))
    P = np.array([[a, b], [b, a]], dtype=float)
    goal = rng.integers(-2, 3, size=2).astype(float)
    q = -P @ goal
    while True:
        error = rng.integers(-3, 4, size=2).astype(float)  # along an eigenvector one eigenvalue alone would decide
        if np.abs(P @ error).min() > 0 and abs(error[0]) != abs(error[1]):
            break
    x0 = goal + error
    low, high = a - abs(b), a + abs(b)
    fair = [rate for rate in (0.1, 0.2, 0.3, 0.4, 0.5) if abs(rate * high - 2) > 0.1 and rate * high < 2.6]
    rate = float(rng.choice(fair))
    f = lambda x: float(x @ P @ x / 2 + q @ x)
    xs = [x0]
    for _ in range(2):
        xs.append(gradient_step(xs[-1], P @ xs[-1] + q, rate))
    stable = rate < 2 / high
    best = 2 / (low + high)
    objective = _polynomial([(a / 2, "x_1^2"), (float(b), "x_1 x_2"), (a / 2, "x_2^2"), *_linear(q)])
    statement = "\n".join(
        [
            f"Gradient descent minimises $f(\\mathbf{{x}}) = {objective}$ from $\\mathbf{{x}}^{{(0)}} = {_vector(x0)}$ "
            f"with step size $\\eta = {_number(rate)}$.",
            "",
            "1. Compute two steps and the value of $f$ after each (5 marks).",
            "2. For which $\\eta$ does it converge? Does it here? (3 marks)",
            "3. Which fixed $\\eta$ is best, and by which factor does the error shrink in each step? (2 marks)",
            "",
            "Fill in:",
            "",
            table([[t, "", "", ""] for t in range(3)], _STEPS).markdown,
        ]
    )
    verdict = "it converges" if stable else "it does not converge"
    rows = [[t, f"${_vector(x)}$", f"${_vector(P @ x + q)}$", f"${_number(f(x))}$"] for t, x in enumerate(xs)]
    lines = [
        "**Gradient** (1 mark): $\\nabla f = "
        f"({_polynomial([(float(a), 'x_1'), (float(b), 'x_2')])}{_constant(q[0])},\\; "
        f"{_polynomial([(float(b), 'x_1'), (float(a), 'x_2')])}{_constant(q[1])})^\\top$.",
        "",
        "**Steps** (1 mark for each point, 1 for each value): "
        "$\\mathbf{x}^{(t+1)} = \\mathbf{x}^{(t)} - \\eta \\nabla f$.",
        "",
        table(rows, _STEPS).markdown,
        "",
        "**Convergence** (1 mark for the eigenvalues, 1 for the bound, 1 for the answer): the Hessian "
        f"${_matrix(P)}$ has the eigenvalues ${a} \\pm {abs(b)}$, that is ${low}$ and ${high}$. Gradient descent "
        f"converges for $0 < \\eta < 2/\\lambda_{{\\max}} = {_number(2 / high)}$; "
        f"with $\\eta = {_number(rate)}$ {verdict}.",
        "",
        "**Best step** (1 mark each): $\\eta = 2/(\\lambda_{\\min} + \\lambda_{\\max}) = "
        f"{_number(best)}$; the factor is "
        "$(\\lambda_{\\max} - \\lambda_{\\min})/(\\lambda_{\\max} + \\lambda_{\\min}) = "
        f"{_number(abs(b) / a)}$.",
    ]
    given = {"P": P.tolist(), "q": q.tolist(), "x0": x0.tolist(), "learning_rate": rate}
    answer = {
        "points": [x.round(9).tolist() for x in xs[1:]],
        "values": [round(f(x), 9) for x in xs[1:]],
        "largest": round(2 / high, 9),
        "converges": bool(stable),
        "best": round(best, 9),
        "factor": round(abs(b) / a, 9),
    }
    axes, steps = ["$x_1$", "$x_2$"], ["$t = 1$", "$t = 2$"]
    fields = [
        ask.matrix("points", "points after one and two steps", 1, 3, rows=steps, columns=axes),
        ask.vector("values", "values of $f$ there", 1, 2, titles=steps),
        ask.number("largest", "it converges for positive $\\eta$ below", 2, 2),
        ask.choice("converges", "does it here?", 2, options=["yes", "no"], keys=[True, False]),
        ask.number("best", "the best fixed $\\eta$", 3),
        ask.number("factor", "the factor of the error", 3),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("newton-step", marks=10, minutes=14, title="A Newton step")
def newton_step(rng: np.random.Generator) -> Parts:
    """One Newton step on a quartic in two variables, and why its direction leads downhill."""
    while True:
        p, s, t, u, v = (int(k) for k in (rng.integers(1, 3), *rng.integers(-4, 5, size=4)))
        x = np.array([rng.choice([-2.0, -1.0, 1.0, 2.0]), float(rng.integers(-2, 3))])
        s = abs(s) + 1
        g = np.array([4 * p * x[0] ** 3 + t * x[1] + u, 2 * s * x[1] + t * x[0] + v])
        H = np.array([[12 * p * x[0] ** 2, t], [t, 2 * s]], dtype=float)
        det = H[0, 0] * H[1, 1] - H[0, 1] ** 2
        n = np.array([H[1, 1] * g[0] - H[0, 1] * g[1], H[0, 0] * g[1] - H[0, 1] * g[0]])  # det H^-1 g
        if t and 0 < det <= 120 and np.abs(g).min() > 0 and np.abs(g).max() <= 40 and _is_short(n / det):
            break
    f = lambda x: float(p * x[0] ** 4 + s * x[1] ** 2 + t * x[0] * x[1] + u * x[0] + v * x[1])
    d = newton_direction(g, H)
    new = x + d
    slope = float(g @ d)
    fourth = _polynomial([(float(p), "x_1^4"), (float(s), "x_2^2"), (float(t), "x_1 x_2"), *_linear([u, v])])
    statement = "\n".join(
        [
            f"$f(\\mathbf{{x}}) = {fourth}$ at $\\mathbf{{x}} = {_vector(x)}$.",
            "",
            "1. Compute the gradient (2 marks) and the Hessian (2 marks).",
            "2. Is the Hessian positive definite? Invert it (2 marks).",
            "3. Give Newton's direction and the point after a full step (2 marks).",
            "4. What is the slope of $f$ along the direction, and does $f$ fall? (2 marks)",
        ]
    )
    fall = f(new) < f(x)
    lines = [
        "**Gradient** (2 marks): $\\nabla f = "
        f"({_polynomial([(4.0 * p, 'x_1^3'), (float(t), 'x_2')])}{_constant(u)},\\; "
        f"{_polynomial([(2.0 * s, 'x_2'), (float(t), 'x_1')])}{_constant(v)})^\\top = {_vector(g)}$.",
        "",
        f"**Hessian** (2 marks): $\\begin{{pmatrix}} {12 * p} x_1^2 & {t} \\\\ {t} & {2 * s} \\end{{pmatrix}} = $ "
        f"${_matrix(H)}$.",
        "",
        f"**Positive definite** (1 mark): yes, $H_{{11}} = {_number(H[0, 0])} > 0$ and the determinant is "
        f"${_number(H[0, 0])} \\cdot {_number(H[1, 1])} - {_bracket(t)}^2 = {_number(det)} > 0$.",
        "",
        f"**Inverse** (1 mark): $\\mathbf{{H}}^{{-1}} = \\frac{{1}}{{{_number(det)}}}$ "
        f"${_matrix(np.array([[H[1, 1], -t], [-t, H[0, 0]]]))}$.",
        "",
        f"**Step** (1 mark each): $\\mathbf{{d}} = -\\mathbf{{H}}^{{-1}} \\nabla f = -\\frac{{1}}{{{_number(det)}}} "
        f"{_vector(n)} = {_vector(d)}$, so $\\mathbf{{x}} + \\mathbf{{d}} = {_vector(new)}$.",
        "",
        f"**Slope** (1 mark): $\\nabla f^\\top \\mathbf{{d}} = {_number(slope)} < 0$, as it must be for a positive "
        f"definite Hessian. **Value** (1 mark): $f$ goes from ${_number(f(x))}$ to ${_number(f(new))}$: "
        + ("it falls." if fall else "it rises, the full step is too long. Halve it."),
    ]
    given = {"coefficients": [p, s, t, u, v], "x": x.tolist()}
    answer = {
        "gradient": g.tolist(),
        "hessian": H.tolist(),
        "determinant": float(det),
        "direction": d.round(9).tolist(),
        "point": new.round(9).tolist(),
        "slope": round(slope, 9),
        "values": [round(f(x), 9), round(f(new), 9)],
        "falls": bool(fall),
        "inverse": (np.array([[H[1, 1], -t], [-t, H[0, 0]]]) / det).tolist(),
    }
    axes = ["1", "2"]
    fields = [
        ask.vector("gradient", "the gradient", 1, 2, whole=True),
        ask.matrix("hessian", "the Hessian", 1, 2, rows=axes, columns=axes, whole=True),
        ask.matrix("inverse", "its inverse; it is positive definite", 2, 2, rows=axes, columns=axes),
        ask.vector("direction", "Newton's direction", 3),
        ask.vector("point", "the point after a full step", 3),
        ask.number("slope", "slope along the direction", 4),
        ask.choice("falls", "does $f$ fall?", 4, options=["yes", "no"], keys=[True, False]),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_CASES = ["active", "$\\mathbf{x}$", "$\\boldsymbol{\\mu}$", "$\\mathbf{g}(\\mathbf{x})$", "verdict"]
_LEQ = "\\leq"
_STEPS = ["$t$", "$\\mathbf{x}^{(t)}$", "$\\nabla f$", "$f$"]


def _case(P: np.ndarray, q: np.ndarray, G: np.ndarray, h: np.ndarray, active: list[int]) -> list[str]:
    """One row of the table of active sets."""
    x, lam = equality_qp(P, q, G[active], h[active])
    mu = np.zeros(2)
    mu[active] = lam
    g = G @ x - h
    if (g > 1e-9).any():
        verdict = f"$g_{int(np.argmax(g)) + 1} > 0$: not feasible"
    elif (mu < -1e-9).any():
        verdict = f"$\\mu_{int(np.argmin(mu)) + 1} < 0$: no"
    else:
        verdict = "all hold"
    name = " and ".join(f"$g_{j + 1}$" for j in active) or "none"
    return [name, f"${_vector(x)}$", f"${_vector(mu)}$", f"${_vector(g)}$", verdict]


def _fraction(value: float) -> Fraction:
    return Fraction(float(value)).limit_denominator(10_000)


def _is_short(values: np.ndarray) -> bool:
    """Whether all are decimals of at most one place."""
    return all(10 % _fraction(v).denominator == 0 for v in values)


def _number(value: float) -> str:
    """A whole number, a decimal of at most four places, or a fraction."""
    exact = _fraction(value)
    if 10_000 % exact.denominator == 0:
        return f"{float(exact) + 0.0:.10g}"
    return fraction(exact)


def _signed(value: float) -> str:
    """With a sign in front; a factor 1 is left out."""
    size = "" if _fraction(abs(value)) == 1 else _number(abs(value))
    return f"{'-' if value < 0 else '+'} {size}"


def _constant(value: float) -> str:
    return "" if value == 0 else f" {'-' if value < 0 else '+'} {_number(abs(value))}"


def _constraints(A: np.ndarray, b: np.ndarray, relation: str) -> str:
    return " and ".join(f"${_polynomial(_linear(a))} {relation} {_number(v)}$" for a, v in zip(A, b, strict=True))


def _linear(a: np.ndarray | list[int]) -> list[tuple[float, str]]:
    return [(float(v), f"x_{j + 1}") for j, v in enumerate(a)]


def _tail(column: np.ndarray) -> str:
    return "".join(f" {_signed(c)}\\mu_{j + 1}" for j, c in enumerate(column) if c)


def _inner(p: float, q: float, column: np.ndarray) -> str:
    """Minimiser of the Lagrangian in one variable."""
    return _polynomial([(-c / p, f"\\mu_{j + 1}") for j, c in enumerate(column)]) + _constant(-q / p)


_bracket, _vector = partial(bracket, show=_number), partial(vector, show=_number)
_matrix, _polynomial = partial(matrix, show=_number), partial(polynomial, show=_number)

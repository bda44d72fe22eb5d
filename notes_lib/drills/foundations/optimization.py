"""Drills on optimisation: Lagrange multipliers, a quadratic program and its dual, extremes on a circle."""

from __future__ import annotations

from functools import partial

import numpy as np

from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, constant, linear, matrix, polynomial, rational, short, vector
from notes_lib.foundations.optimization import (
    bordered_hessian,
    equality_qp,
    kkt_residuals,
    qp_dual,
    solve_qp,
    tangent_curvature,
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
            f"Minimise $f(\\mathbf{{x}}) = {_polynomial([(1.0, f'x_{j + 1}^2') for j in range(d)] + linear(q))}$ "
            f"subject to {_constraints(A, b, '=')}.",
            "",
            "1. Write the Lagrangian and set its derivatives to zero (3 marks).",
            f"2. Solve for the multiplier{s} (2 marks).",
            "3. Give the minimiser and the minimum (2 marks).",
            f"4. The right-hand side of the {'first ' if m == 2 else ''}constraint changes by ${short(change)}$. "
            "How much does the minimum change, to first order? (1 mark)",
        ]
    )
    terms = [" ".join(f"{_signed(A[i, j])}\\lambda_{i + 1}" for i in range(m)) for j in range(d)]
    L = " ".join(f"+ \\lambda_{i + 1} ({_polynomial(linear(A[i]))}{constant(-b[i])})" for i in range(m))
    multipliers = " and ".join(f"$\\lambda_{i + 1} = {short(v)}$" for i, v in enumerate(found.lam))
    K, r = A @ A.T / 2, b + A @ q / 2
    lines = [
        f"**Lagrangian** (1 mark): $\\mathcal{{L}} = f(\\mathbf{{x}}) {L}$.",
        "",
        "**Derivatives** (2 marks): the constraints again, and for each variable",
        "",
        *(f"- $2 x_{j + 1}{constant(q[j])} {terms[j]} = 0$, so $x_{j + 1} = -\\tfrac12 ({short(q[j])} {terms[j]})$"
          for j in range(d)),
        "",
        f"**Multiplier{s}** (1 mark for inserting, 1 for the value{s}): in the constraint{s},",
        "",
        *(f"- ${_polynomial([(-K[i, k], f'{chr(92)}lambda_{k + 1}') for k in range(m)])} = {short(r[i])}$"
          for i in range(m)),
        "",
        f"so {multipliers}.",
        "",
        f"**Minimum** (1 mark each): $\\mathbf{{x}} = {_vector(found.x)}$, $f = {short(value)}$. "
        "$f$ is convex and the constraints are linear, so this is the global minimum.",
        "",
        f"**Change** (1 mark): $-\\lambda_1 \\cdot {_bracket(change)} = {short(-found.lam[0] * change)}$.",
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
    objective = _polynomial([(P[j, j] / 2, f"x_{j + 1}^2") for j in range(2)] + linear(q))
    statement = "\n".join(
        [
            f"Minimise $f(\\mathbf{{x}}) = {objective}$ subject to {_constraints(G, h, _LEQ)}.",
            "",
            "1. Write the four KKT conditions (2 marks).",
            "2. Find the minimiser and the multipliers by going through all four active sets (6 marks).",
            "3. Derive the dual function $\\theta(\\mu_1, \\mu_2)$ and show that the duality gap is 0 (4 marks).",
            f"4. Somebody offers $\\mathbf{{x}} = {_vector(guess)}$ and $\\boldsymbol{{\\mu}} = {_vector(trial)}$. "
            "Judged by these two alone, how far can this $f$ be above the minimum, at most? (2 marks)",
            "",
            "Fill in:",
            "",
            table([[name, "", "", "", ""] for name, *_ in rows], _CASES).markdown,
        ]
    )
    quadratic = [(-dual.K[0, 0] / 2, "\\mu_1^2"), (-dual.K[0, 1], "\\mu_1 \\mu_2"), (-dual.K[1, 1] / 2, "\\mu_2^2")]
    theta = _polynomial([*quadratic, (-dual.r[0], "\\mu_1"), (-dual.r[1], "\\mu_2")]) + constant(-dual.c)
    stationary = [_polynomial([(P[j, j], f"x_{j + 1}")]) + constant(q[j]) + _tail(G[:, j]) + " = 0" for j in range(2)]
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
        f"$f = {short(found.primal)}$; there $\\mathbf{{g}} = {_vector(slopes)}$. All conditions hold "
        f"(largest violation {short(max(residuals))}), $f$ is convex and the constraints are linear: the "
        "global minimum.",
        "",
        "**Dual** (1 mark for the minimiser of the Lagrangian, 2 for the function, 1 for the gap): by stationarity "
        f"{inner}; inserted in $\\mathcal{{L}}$,",
        "",
        f"$\\theta = {theta}$.",
        "",
        f"At the multipliers above $\\theta = {short(found.dual)} = f$: the gap is 0.",
        "",
        f"**Bound** (1 mark for the two values, 1 for the conclusion): the point is feasible and no multiplier is "
        f"negative, so weak duality holds: $f = {short(f(guess))}$, $\\theta = {short(dual.value(trial))}$, and "
        f"$f$ is at most ${short(gap)}$ above the minimum (in truth ${short(f(guess) - found.primal)}$).",
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


@drill("second-order", marks=12, minutes=14, title="Stationary points on a circle")
def on_circle(rng: np.random.Generator) -> Parts:
    """Extremes of a quadratic form on a circle: multipliers, points, second-order conditions, and a price."""
    c, s = (int(k) for k in [(1, 1), (2, 1), (1, 2), (-1, 2), (2, -1)][rng.integers(5)])
    n, k = c * c + s * s, int(rng.integers(1, 3))
    while True:
        low, high = sorted(int(v) for v in rng.integers(-4, 8, size=2))
        if 0 < high - low <= 120 // (n * k * k) and low and high and (high - low) % n == 0:
            break
    V = np.array([[c, -s], [s, c]], dtype=float)  # its columns are the directions of the answer
    P = V @ np.diag([low, high]) @ V.T / n
    level, lam, X = float(n * k * k), [-float(low), -float(high)], k * V.T
    change = float(rng.choice([0.1, 0.2, -0.1]))
    borders = [bordered_hessian(2 * (P + t * np.eye(2)), [2 * x]) for t, x in zip(lam, X, strict=True)]
    dets = [float(round(np.linalg.det(B))) for B in borders]
    values = [float(x @ P @ x) for x in X]
    kinds = [tangent_curvature(B[1:, 1:], B[:1, 1:]).kind for B in borders]
    objective = _polynomial([(P[0, 0], "x_1^2"), (2 * P[0, 1], "x_1 x_2"), (P[1, 1], "x_2^2")])
    circle = f"x_1^2 + x_2^2 = {short(level)}"
    statement = "\n".join(
        [
            f"Find the stationary points of $f(\\mathbf{{x}}) = {objective}$ on the circle ${circle}$, with "
            "$\\mathcal{L} = f + \\lambda h$, $h$: left side less right.",
            "",
            "1. Set the derivatives of $\\mathcal{L}$ to zero. For which $\\lambda$ is there a solution? (3 marks)",
            "2. Give the points and the values of $f$ there (3 marks).",
            "3. Compute the determinant of the bordered Hessian at each. Which are minima, which maxima? (4 marks)",
            f"4. The right-hand side changes by ${short(change)}$. By how much does the minimum change? (2 marks)",
            "",
            "Fill in:",
            "",
            table([["", "", "", "", ""] for _ in lam], _KINDS).markdown,
        ]
    )
    rows = [
        [f"${short(t)}$", f"$\\pm {_vector(x)}$", f"${short(v)}$", f"${short(d)}$", kind]
        for t, x, v, d, kind in zip(lam, X, values, dets, kinds, strict=True)
    ]
    lines = [
        f"**Derivatives** (1 mark): half of them are ${_sum(P[0, 0])} x_1{_term(P[0, 1], 'x_2')} = 0$ and "
        f"${_sum(P[1, 1])} x_2{_term(P[0, 1], 'x_1')} = 0$, and the third gives the circle back.",
        "",
        "**Multipliers** (1 mark for the equation, 1 for its roots): $\\mathbf{x} = \\mathbf{0}$ is not on the circle, "
        f"so the determinant is 0: ${_sum(P[0, 0])} {_sum(P[1, 1])} - {_bracket(P[0, 1])}^2 = "
        f"\\lambda^2{_term(np.trace(P), chr(92) + 'lambda')}{constant(low * high)} = 0$, "
        f"$\\lambda = {short(lam[0])}$ or $\\lambda = {short(lam[1])}$.",
        "",
        "**Points** (1 mark each, 1 for the values): insert each $\\lambda$, and scale to the circle. Multiplied by "
        "$\\mathbf{x}$, the first two equations say $f = -\\lambda \\cdot$ right-hand side.",
        "",
        *(
            f"- $\\lambda = {short(t)}$: ${_polynomial(linear(P[0] + [t, 0]))} = 0$, so "
            f"$\\mathbf{{x}} = \\pm {_vector(x)}$ and $f = {_bracket(-t)} \\cdot {short(level)} = {short(v)}$"
            for t, x, v in zip(lam, X, values, strict=True)
        ),
        "",
        "**Second order** (1 mark for each determinant, 1 for each conclusion): "
        "with $f = \\mathbf{x}^\\top \\mathbf{P} \\mathbf{x}$, "
        "$\\mathbf{W} = 2 (\\mathbf{P} + \\lambda \\mathbf{I})$ is the Hessian of $\\mathcal{L}$ by $\\mathbf{x}$ and "
        "$\\nabla h = 2\\mathbf{x}$; the sign of $\\mathbf{x}$ does not matter.",
        "",
        *(_border(B, d, kind) for B, d, kind in zip(borders, dets, kinds, strict=True)),
        "",
        table(rows, _KINDS).markdown,
        "",
        f"**Change** (1 mark for the multiplier, 1 for the value): $-\\lambda \\cdot {_bracket(change)} = "
        f"{_bracket(-lam[0])} \\cdot {_bracket(change)} = {short(-lam[0] * change)}$ with the multiplier of the "
        "minimum. Here it is exact, since $f = -\\lambda \\cdot$ right-hand side.",
    ]
    given = {"P": P.round(9).tolist(), "level": level, "change": change}
    answer = {
        "lam": lam,
        "lowest": X[0].tolist(),
        "highest": X[1].tolist(),
        "values": values,
        "determinants": dets,
        "change": round(-lam[0] * change, 9),
    }
    order = ["larger $\\lambda$", "smaller $\\lambda$"]
    fields = [
        ask.own("derivatives", "the derivatives of the Lagrangian", 1),
        ask.vector("lam", "the two multipliers, the larger first", 1, 2, whole=True, titles=order),
        ask.vector("lowest", "a point of the larger $\\lambda$", 2, whole=True, up_to="sign"),
        ask.vector("highest", "a point of the smaller $\\lambda$", 2, whole=True, up_to="sign"),
        ask.vector("values", "values of $f$", 2, whole=True, titles=order),
        ask.vector("determinants", "determinants of the bordered Hessian", 3, 2, whole=True, titles=order),
        ask.own("kinds", "which are minima, which maxima, and why", 3, 2),
        ask.number("change", "change of the minimum", 4, 2),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_KINDS = ["$\\lambda$", "$\\mathbf{x}$", "$f$", "determinant", "kind"]
_CASES = ["active", "$\\mathbf{x}$", "$\\boldsymbol{\\mu}$", "$\\mathbf{g}(\\mathbf{x})$", "verdict"]
_LEQ = "\\leq"


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


def _signed(value: float) -> str:
    """With a sign in front; a factor 1 is left out."""
    size = "" if rational(abs(value)) == 1 else short(abs(value))
    return f"{'-' if value < 0 else '+'} {size}"


def _constraints(A: np.ndarray, b: np.ndarray, relation: str) -> str:
    return " and ".join(f"${_polynomial(linear(a))} {relation} {short(v)}$" for a, v in zip(A, b, strict=True))


def _tail(column: np.ndarray) -> str:
    return "".join(f" {_signed(c)}\\mu_{j + 1}" for j, c in enumerate(column) if c)


def _inner(p: float, q: float, column: np.ndarray) -> str:
    """Minimiser of the Lagrangian in one variable."""
    return _polynomial([(-c / p, f"\\mu_{j + 1}") for j, c in enumerate(column)]) + constant(-q / p)


def _sum(value: float) -> str:
    """A number plus the multiplier, as a factor."""
    return f"({short(value)} + \\lambda)" if value else "\\lambda"


def _term(value: float, symbol: str) -> str:
    """One more term of a sum; nothing for a factor 0."""
    return f" {_signed(value)}{symbol}" if value else ""


def _border(B: np.ndarray, det: float, kind: str) -> str:
    """The determinant of a bordered Hessian of size 3, expanded along its border."""
    (a, b), W = B[0, 1:], B[1:, 1:]
    whole = (
        f"{_bracket(b)}^2 \\cdot {_bracket(W[0, 0])} - 2 \\cdot {_bracket(a)} \\cdot {_bracket(b)} \\cdot "
        f"{_bracket(W[0, 1])} + {_bracket(a)}^2 \\cdot {_bracket(W[1, 1])}"
    )
    verdict = "negative, a minimum" if kind == "minimum" else "positive, a maximum"
    return f"- $\\mathbf{{W}} = {_matrix(W)}$, $\\nabla h = {_vector([a, b])}$: $-({whole}) = {short(det)}$, {verdict}"


_bracket, _vector = partial(bracket, show=short), partial(vector, show=short)
_matrix, _polynomial = partial(matrix, show=short), partial(polynomial, show=short)

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
    sign_card, dual_card = "optimization-convention-signs", "optimization-lost-marks-primal-variable"
    lam_slips = [
        ask.slip(
            -found.lam,
            "The sign is that of $f - \\sum_i \\lambda_i h_i$; here the constraints are added in $\\mathcal{L}$.",
            card=sign_card,
        ),
        ask.slip(
            np.linalg.solve(A @ A.T, -(b + A @ q)),
            "That takes $x_j$ for the derivative of $x_j^2$; it is $2 x_j$, so halve what stands on the other side.",
            card=dual_card,
        ),
    ]
    x_slip = ask.slip(
        -q / 2,
        "That is the minimiser without the constraint: the multipliers belong in the derivatives, too.",
        card="optimization-lost-marks-stationary",
    )
    minimum_slip = ask.slip(
        float(-q @ q / 4),
        "That is the minimum without the constraint; the point must satisfy it.",
        card="optimization-lost-marks-feasible",
    )
    change_slips = [
        ask.slip(
            found.lam[0] * change,
            "The sign is lost: with $\\lambda \\cdot (\\text{left} - \\text{right})$ added, the minimum changes by "
            "$-\\lambda_1$ times the change.",
            card=sign_card,
        ),
        ask.slip(
            -found.lam[0],
            "That is the change for one unit; multiply by the change of the right-hand side.",
            card=sign_card,
        ),
    ]
    pulls = ["".join(f" + {A[i, j]}*lam[{i}]" for i in range(m)) for j in range(d)]
    fields = [
        ask.own("lagrangian", "the Lagrangian and its derivatives", 1, 3),
        ask.vector("lam", f"the multiplier{s}, {convention}", 2, 2, slips=lam_slips),
        ask.vector("x", "the minimiser", 3, follows=[f"-({q[j]}{pulls[j]})/2" for j in range(d)], slips=[x_slip]),
        ask.number(
            "minimum",
            "the minimum",
            3,
            follows=" + ".join(f"x[{j}]^2 + {q[j]}*x[{j}]" for j in range(d)),
            slips=[minimum_slip],
        ),
        ask.number("change", "change of the minimum", 4, follows=f"-lam[0]*{change}", slips=change_slips),
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
    weak = "optimization-do-not-confuse-dual"
    free_point = -q / np.diag(P)
    x_slip = ask.slip(
        free_point,
        "That is the minimiser without constraints; at least one of them is violated there.",
        card="optimization-lost-marks-stationary",
    )
    mu_slip = ask.slip(
        0.0 - found.mu,
        "The signs are wrong: in $\\mathcal{L} = f + \\sum_j \\mu_j g_j$ with $g_j \\leq 0$ none is negative.",
        card="optimization-convention-signs",
    )
    theta = np.array(answer["theta"])
    theta_slips = [
        ask.slip(
            0.0 - theta,
            "All signs are reversed: the dual function is concave, and it is maximised.",
            card=weak,
        ),
        ask.slip(
            theta * [2, 2, 2, 1, 1, 1],
            "The terms of degree two are twice too large: after inserting, the half of $\\tfrac12 \\mathbf{x}^\\top"
            "\\mathbf{P}\\mathbf{x}$ stays.",
            card=weak,
        ),
        ask.slip(
            theta * [1, 1, 1, 1, 1, 0] + 0.0,
            "The constant is forgotten: without it the value is not that of the primal problem.",
            card=weak,
        ),
    ]
    dual_slip = ask.slip(
        f(free_point),
        "That is $f$ at its minimum without constraints; the dual value is that of $\\theta$ at your multipliers.",
        card="optimization-lost-marks-feasible",
    )
    bound_slips = [
        ask.slip(
            -gap,
            "The sign is lost: $f$ is above $\\theta$, so subtract the dual value from the primal one.",
            card=weak,
        ),
        ask.slip(
            f(guess) - found.primal,
            "That uses the true minimum; the two alone give the bound $f(\\mathbf{x}) - \\theta(\\boldsymbol{\\mu})$.",
            card="optimization-lost-marks-feasible",
        ),
    ]
    fields = [
        ask.own("conditions", "the four conditions", 1, 2),
        ask.vector("x", "the minimiser", 2, 3, slips=[x_slip]),
        ask.vector("mu", "the multipliers", 2, 3, slips=[mu_slip]),
        ask.vector(
            "theta",
            "coefficients of the dual function, 0 where a term is missing",
            3,
            3,
            titles=powers,
            slips=theta_slips,
        ),
        ask.number("dual", "its value at the multipliers", 3, follows=_theta_at("mu[0]", "mu[1]"), slips=[dual_slip]),
        ask.number(
            "bound",
            "at most so far above the minimum",
            4,
            2,
            follows=f"{f(guess)} - ({_theta_at(*map(str, trial))})",
            slips=bound_slips,
        ),
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
    signs, curved = "optimization-convention-signs", "optimization-lost-marks-hessian"
    lam_slips = [
        ask.slip(
            [high, low],
            "These are the eigenvalues; in $\\mathcal{L} = f + \\lambda h$ the multipliers are minus the eigenvalues.",
            card=signs,
        ),
        ask.slip(
            lam[::-1],
            "The two have changed places: the larger $\\lambda$ comes first.",
            card=signs,
        ),
    ]
    value_slips = [
        ask.slip(
            [low, high],
            "That is $-\\lambda$; $f$ is $-\\lambda$ times the right-hand side of the circle.",
            card=signs,
        ),
    ]
    inner = [float(np.linalg.det(B[1:, 1:])) for B in borders]
    determinant_slips = [
        ask.slip(
            [-v for v in dets],
            "The signs are reversed: expanded along its border the determinant has a minus in front.",
            card="optimization-convention-border",
        ),
        ask.slip(
            inner,
            "That is the determinant of the Hessian of $\\mathcal{L}$ without its border, which is 0 here.",
            card=curved,
        ),
        ask.slip(
            [float(np.linalg.det(np.block([[np.zeros((1, 1)), B[:1, 1:]], [B[1:, :1], 2 * P]]))) for B in borders],
            "That borders the Hessian of $f$; the constraint bends too, so take the Hessian of $\\mathcal{L}$.",
            card=curved,
        ),
    ]
    change_slips = [
        ask.slip(
            lam[0] * change,
            "The sign is lost: the minimum changes by $-\\lambda$ times the change.",
            card=signs,
        ),
        ask.slip(
            -lam[1] * change,
            "That is the multiplier of the maximum; take the one of the minimum, which is the larger one.",
            card=signs,
        ),
    ]
    first, second = P[0, 0], P[1, 1]
    fields = [
        ask.own("derivatives", "the derivatives of the Lagrangian", 1),
        ask.vector("lam", "the two multipliers, the larger first", 1, 2, whole=True, titles=order, slips=lam_slips),
        ask.vector(
            "lowest",
            "a point of the larger $\\lambda$",
            2,
            whole=True,
            up_to="sign",
            after=["lam"],
            slips=[
                ask.slip(X[1], "That is a point of the smaller $\\lambda$: the two have changed places.", card=curved)
            ],
        ),
        ask.vector(
            "highest",
            "a point of the smaller $\\lambda$",
            2,
            whole=True,
            up_to="sign",
            follows=["-lowest[1]", "lowest[0]"],
            slips=[
                ask.slip(X[0], "That is a point of the larger $\\lambda$: the two have changed places.", card=curved)
            ],
        ),
        ask.vector(
            "values",
            "values of $f$",
            2,
            whole=True,
            titles=order,
            follows=[
                f"{first}*{v}[0]^2 + {2 * P[0, 1]}*{v}[0]*{v}[1] + {second}*{v}[1]^2" for v in ("lowest", "highest")
            ],
            slips=value_slips,
        ),
        ask.vector(
            "determinants",
            "determinants of the bordered Hessian",
            3,
            2,
            whole=True,
            titles=order,
            follows=[
                f"-8*({v}[1]^2*({first} + lam[{j}]) - 2*{v}[0]*{v}[1]*{P[0, 1]} + {v}[0]^2*({second} + lam[{j}]))"
                for j, v in enumerate(("lowest", "highest"))
            ],
            slips=determinant_slips,
        ),
        ask.own("kinds", "which are minima, which maxima, and why", 3, 2),
        ask.number("change", "change of the minimum", 4, 2, follows=f"-lam[0]*{change}", slips=change_slips),
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


def _theta_at(first: str, second: str) -> str:
    """The dual function at two multipliers, from its coefficients."""
    return (
        f"theta[0]*{first}^2 + theta[1]*{first}*{second} + theta[2]*{second}^2 + theta[3]*{first} "
        f"+ theta[4]*{second} + theta[5]"
    )


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

"""Drills on descent methods: two steps of gradient descent, and a Newton step."""

from __future__ import annotations

from functools import partial

import numpy as np

from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, constant, linear, matrix, polynomial, rational, short, vector
from notes_lib.foundations.descent import gradient_step, newton_direction


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
    objective = _polynomial([(a / 2, "x_1^2"), (float(b), "x_1 x_2"), (a / 2, "x_2^2"), *linear(q)])
    statement = "\n".join(
        [
            f"Gradient descent minimises $f(\\mathbf{{x}}) = {objective}$ from $\\mathbf{{x}}^{{(0)}} = {_vector(x0)}$ "
            f"with step size $\\eta = {short(rate)}$.",
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
    rows = [[t, f"${_vector(x)}$", f"${_vector(P @ x + q)}$", f"${short(f(x))}$"] for t, x in enumerate(xs)]
    lines = [
        "**Gradient** (1 mark): $\\nabla f = "
        f"({_polynomial([(float(a), 'x_1'), (float(b), 'x_2')])}{constant(q[0])},\\; "
        f"{_polynomial([(float(b), 'x_1'), (float(a), 'x_2')])}{constant(q[1])})^\\top$.",
        "",
        "**Steps** (1 mark for each point, 1 for each value): "
        "$\\mathbf{x}^{(t+1)} = \\mathbf{x}^{(t)} - \\eta \\nabla f$.",
        "",
        table(rows, _STEPS).markdown,
        "",
        "**Convergence** (1 mark for the eigenvalues, 1 for the bound, 1 for the answer): the Hessian "
        f"${_matrix(P)}$ has the eigenvalues ${a} \\pm {abs(b)}$, that is ${low}$ and ${high}$. Gradient descent "
        f"converges for $0 < \\eta < 2/\\lambda_{{\\max}} = {short(2 / high)}$; "
        f"with $\\eta = {short(rate)}$ {verdict}.",
        "",
        "**Best step** (1 mark each): $\\eta = 2/(\\lambda_{\\min} + \\lambda_{\\max}) = "
        f"{short(best)}$; the factor is "
        "$(\\lambda_{\\max} - \\lambda_{\\min})/(\\lambda_{\\max} + \\lambda_{\\min}) = "
        f"{short(abs(b) / a)}$.",
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
    fourth = _polynomial([(float(p), "x_1^4"), (float(s), "x_2^2"), (float(t), "x_1 x_2"), *linear([u, v])])
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
        f"({_polynomial([(4.0 * p, 'x_1^3'), (float(t), 'x_2')])}{constant(u)},\\; "
        f"{_polynomial([(2.0 * s, 'x_2'), (float(t), 'x_1')])}{constant(v)})^\\top = {_vector(g)}$.",
        "",
        f"**Hessian** (2 marks): $\\begin{{pmatrix}} {12 * p} x_1^2 & {t} \\\\ {t} & {2 * s} \\end{{pmatrix}} = $ "
        f"${_matrix(H)}$.",
        "",
        f"**Positive definite** (1 mark): yes, $H_{{11}} = {short(H[0, 0])} > 0$ and the determinant is "
        f"${short(H[0, 0])} \\cdot {short(H[1, 1])} - {_bracket(t)}^2 = {short(det)} > 0$.",
        "",
        f"**Inverse** (1 mark): $\\mathbf{{H}}^{{-1}} = \\frac{{1}}{{{short(det)}}}$ "
        f"${_matrix(np.array([[H[1, 1], -t], [-t, H[0, 0]]]))}$.",
        "",
        f"**Step** (1 mark each): $\\mathbf{{d}} = -\\mathbf{{H}}^{{-1}} \\nabla f = -\\frac{{1}}{{{short(det)}}} "
        f"{_vector(n)} = {_vector(d)}$, so $\\mathbf{{x}} + \\mathbf{{d}} = {_vector(new)}$.",
        "",
        f"**Slope** (1 mark): $\\nabla f^\\top \\mathbf{{d}} = {short(slope)} < 0$, as it must be for a positive "
        f"definite Hessian. **Value** (1 mark): $f$ goes from ${short(f(x))}$ to ${short(f(new))}$: "
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


_STEPS = ["$t$", "$\\mathbf{x}^{(t)}$", "$\\nabla f$", "$f$"]


def _is_short(values: np.ndarray) -> bool:
    """Whether all are decimals of at most one place."""
    return all(10 % rational(v).denominator == 0 for v in values)


_bracket, _vector = partial(bracket, show=short), partial(vector, show=short)
_matrix, _polynomial = partial(matrix, show=short), partial(polynomial, show=short)

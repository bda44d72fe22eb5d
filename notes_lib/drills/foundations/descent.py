"""Drills on descent methods: steps of gradient descent, of Newton, of conjugate gradients, with momentum."""

from __future__ import annotations

from functools import partial

import numpy as np

from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, constant, linear, matrix, polynomial, products, rational, short, vector
from notes_lib.foundations.descent import conjugate_gradients, gradient_step, momentum_step, newton_direction


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
    g0 = P @ x0 + q
    up = x0 + rate * g0
    parts = [[f"points[{t},{j}]" for j in range(2)] for t in range(2)]
    at = [f"{a / 2}*({u}^2 + {v}^2) + {b}*{u}*{v} + {q[0]}*{u} + {q[1]}*{v}" for u, v in parts]
    point_slips = [
        ask.slip(
            [up, up + rate * (P @ up + q)],
            "That adds the gradient, which leads uphill; a descent step subtracts $\\eta \\nabla f$.",
            card="descent-do-not-confuse-methods",
        ),
        ask.slip(
            [xs[1], xs[1] - rate * g0],
            "The second step takes the gradient of the starting point again; it needs the one at the new point.",
            card="descent-lost-marks-points",
        ),
        ask.slip(
            [x0 - g0, x0 - g0 - (P @ (x0 - g0) + q)],
            "That subtracts the whole gradient; the step is $\\eta$ times the gradient.",
            card="descent-do-not-confuse-methods",
        ),
    ]
    largest_slips = [
        ask.slip(
            2 / low,
            "That takes the smallest eigenvalue; the largest one limits the step, $2/\\lambda_{\\max}$.",
            card="descent-lost-marks-larger",
        ),
        ask.slip(
            1 / high,
            "That is $1/\\lambda_{\\max}$; gradient descent converges up to $2/\\lambda_{\\max}$.",
            card="descent-lost-marks-larger",
        ),
        ask.slip(
            2 / (high / 2),
            "That takes the eigenvalues of $\\mathbf{A}$ in $\\mathbf{x}^\\top\\mathbf{A}\\mathbf{x}$; the Hessian is "
            "$2\\mathbf{A}$, so the bound is half of it.",
            card="descent-convention-sum",
        ),
    ]
    best_slips = [
        ask.slip(
            1 / high,
            "$1/\\lambda_{\\max}$ is safe but not the fastest; that is $2/(\\lambda_{\\min} + \\lambda_{\\max})$.",
            card="descent-lost-marks-larger",
        ),
        ask.slip(
            2 / high,
            "At this step size the error along one eigenvector no longer shrinks; it is the bound, not the best step.",
            card="descent-lost-marks-larger",
        ),
    ]
    factor_slip = ask.slip(
        (high**0.5 - low**0.5) / (high**0.5 + low**0.5),
        "That is the factor of the best momentum, with roots; gradient descent has the eigenvalues themselves.",
        card="descent-do-not-confuse-methods",
    )
    fields = [
        ask.matrix("points", "points after one and two steps", 1, 3, rows=steps, columns=axes, slips=point_slips),
        ask.vector("values", "values of $f$ there", 1, 2, titles=steps, follows=at),
        ask.number("largest", "it converges for positive $\\eta$ below", 2, 2, slips=largest_slips),
        ask.choice(
            "converges", "does it here?", 2, options=["yes", "no"], keys=[True, False], follows=f"{rate} >= largest"
        ),
        ask.number("best", "the best fixed $\\eta$", 3, slips=best_slips),
        ask.number(
            "factor",
            "the factor of the error",
            3,
            follows=f"max(abs(1 - best*{low}), abs(1 - best*{high}))",
            slips=[factor_slip],
        ),
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
    determinant = "(hessian[0,0]*hessian[1,1] - hessian[0,1]*hessian[1,0])"
    inverse = [
        [f"hessian[1,1]/{determinant}", f"-hessian[0,1]/{determinant}"],
        [f"-hessian[1,0]/{determinant}", f"hessian[0,0]/{determinant}"],
    ]
    quartic = f"{p}*point[0]^4 + {s}*point[1]^2 + {t}*point[0]*point[1] + {u}*point[0] + {v}*point[1] >= {float(f(x))}"
    linear_slip = ask.slip(
        g - [u, v],
        "That leaves out the linear terms of $f$: they put their coefficients into the gradient.",
        card="descent-do-not-confuse-methods",
    )
    hessian_slip = ask.slip(
        H - np.array([[0, t], [t, 0]]),
        "That leaves out the mixed derivative: the product of both variables stands off the diagonal.",
        card="descent-lost-marks-newton",
    )
    inverse_slips = [
        ask.slip(
            [[H[1, 1], -t], [-t, H[0, 0]]],
            "That is not yet divided by the determinant.",
            card="descent-lost-marks-newton",
        ),
        ask.slip(
            np.array([[H[1, 1], t], [t, H[0, 0]]]) / det,
            "The entries off the diagonal change their sign in the inverse of a $2 \\times 2$ matrix.",
            card="descent-lost-marks-newton",
        ),
    ]
    direction_slips = [
        ask.slip(
            n / det,
            "That is $\\mathbf{H}^{-1} \\nabla f$, which leads uphill here; Newton's direction has a minus in front.",
            card="descent-lost-marks-newton",
        ),
        ask.slip(
            -g,
            "That is the direction of gradient descent; Newton's is multiplied by the inverse of the Hessian.",
            card="descent-do-not-confuse-methods",
        ),
    ]
    slope_slip = ask.slip(
        -slope,
        "The sign is lost: for a positive definite Hessian the slope $\\nabla f^\\top \\mathbf{d}$ is negative.",
        card="descent-lost-marks-newton",
    )
    fields = [
        ask.vector("gradient", "the gradient", 1, 2, whole=True, slips=[linear_slip]),
        ask.matrix("hessian", "the Hessian", 1, 2, rows=axes, columns=axes, whole=True, slips=[hessian_slip]),
        ask.matrix(
            "inverse",
            "its inverse; it is positive definite",
            2,
            2,
            rows=axes,
            columns=axes,
            follows=inverse,
            slips=inverse_slips,
        ),
        ask.vector(
            "direction",
            "Newton's direction",
            3,
            follows=[f"-(inverse[{j},0]*gradient[0] + inverse[{j},1]*gradient[1])" for j in range(2)],
            slips=direction_slips,
        ),
        ask.vector("point", "the point after a full step", 3, follows=[f"{x[j]} + direction[{j}]" for j in range(2)]),
        ask.number(
            "slope",
            "slope along the direction",
            4,
            follows="gradient[0]*direction[0] + gradient[1]*direction[1]",
            slips=[slope_slip],
        ),
        ask.choice("falls", "does $f$ fall?", 4, options=["yes", "no"], keys=[True, False], follows=quartic),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("conjugate-gradient", marks=12, minutes=14, title="Two steps of conjugate gradients")
def conjugate(rng: np.random.Generator) -> Parts:
    """Conjugate gradients on a system of two equations: two steps, conjugate directions, the exact solution."""
    while True:
        a, c, b = (int(k) for k in (rng.integers(1, 6), rng.integers(-3, 4), rng.integers(1, 6)))
        P = np.array([[a, c], [c, b]], dtype=float)
        goal, x0 = (rng.integers(-3, 4, size=2).astype(float) for _ in range(2))
        r0 = P @ (goal - x0)
        if c == 0 or a * b <= c * c or not goal.any() or not r0.all() or abs(r0[0]) == abs(r0[1]):
            continue
        eta0 = r0 @ r0 / (r0 @ P @ r0)
        x1, r1 = x0 + eta0 * r0, r0 - eta0 * P @ r0
        gamma = r1 @ r1 / (r0 @ r0)
        if max(rational(v).denominator for v in (*x1, *r1, gamma, *(r1 + gamma * r0))) <= 25 and gamma > 0.001:
            break
    path: list[np.ndarray] = []
    conjugate_gradients(P, P @ goal, x0, callback=path.append)
    end = path[-1].round(9) + 0.0
    d1 = r1 + gamma * r0
    curvature, curvature1 = r0 @ P @ r0, d1 @ P @ d1
    eta1 = r1 @ r1 / curvature1
    system = " and ".join(f"${_polynomial(linear(P[i]))} = {short((P @ goal)[i])}$" for i in range(2))
    statement = "\n".join(
        [
            f"Solve {system} by conjugate gradients from $\\mathbf{{x}}^{{(0)}} = {_vector(x0)}$. Write the system as "
            "$\\mathbf{P}\\mathbf{x} = \\mathbf{b}$.",
            "",
            "1. Compute the residual $\\mathbf{r}^{(0)}$, the first step length and the first step (4 marks).",
            "2. Compute the new residual and the second direction. Show that the directions are conjugate (5 marks).",
            "3. Make the second step and check that it solves the system (3 marks).",
        ]
    )
    zero, one = "^{(0)}", "^{(1)}"
    lines = [
        f"**Residual** (1 mark): $\\mathbf{{r}}{zero} = \\mathbf{{b}} - \\mathbf{{P}}\\mathbf{{x}}{zero} = "
        f"{_vector(r0)}$; the first direction is the same.",
        "",
        f"**First step** (1 mark for the product, 1 for the length, 1 for the point): "
        f"$\\mathbf{{P}}\\mathbf{{d}}{zero} = {_vector(P @ r0)}$, so "
        f"$\\eta_0 = {short(r0 @ r0)} / {short(curvature)} = {short(eta0)}$ and "
        f"$\\mathbf{{x}}{one} = {_vector(x1)}$.",
        "",
        f"**New residual** (1 mark): $\\mathbf{{r}}{one} = {_vector(r0)} - {short(eta0)} \\cdot {_vector(P @ r0)} = "
        f"{_vector(r1)}$, orthogonal to the old one.",
        "",
        f"**Second direction** (1 mark for the factor, 1 for the direction): $\\gamma_0 = {short(r1 @ r1)} / "
        f"{short(r0 @ r0)} = {short(gamma)}$ and "
        f"$\\mathbf{{d}}{one} = {_vector(r1)} + {short(gamma)} \\cdot {_vector(r0)} = {_vector(d1)}$.",
        "",
        f"**Conjugate** (2 marks): ${products(P @ r0, d1, short)} = 0$, the inner product of "
        f"$\\mathbf{{P}}\\mathbf{{d}}{zero}$ and $\\mathbf{{d}}{one}$.",
        "",
        f"**Second step** (1 mark for the length, 1 for the point): "
        f"$\\eta_1 = {short(r1 @ r1)} / {_divisor(curvature1)} = {short(eta1)}$ and "
        f"$\\mathbf{{x}}^{{(2)}} = {_vector(end)}$.",
        "",
        f"**Check** (1 mark): ${products(P[0], end, short)} = {short((P @ goal)[0])}$ and "
        f"${products(P[1], end, short)} = {short((P @ goal)[1])}$: solved in as many steps as there are unknowns.",
    ]
    given = {"P": P.tolist(), "b": (P @ goal).tolist(), "x0": x0.tolist()}
    answer = {
        "residual": r0.tolist(),
        "step": round(float(eta0), 9),
        "first": x1.round(9).tolist(),
        "next_residual": r1.round(9).tolist(),
        "factor": round(float(gamma), 9),
        "direction": d1.round(9).tolist(),
        "next_step": round(float(eta1), 9),
        "x": end.tolist(),
    }
    r, new = "(residual[0]^2 + residual[1]^2)", "(next_residual[0]^2 + next_residual[1]^2)"
    bend = [f"({a}*{v}[0]^2 + {2 * c}*{v}[0]*{v}[1] + {b}*{v}[1]^2)" for v in ("residual", "direction")]
    image = [f"({P[j, 0]}*residual[0] + {P[j, 1]}*residual[1])" for j in range(2)]
    card = "descent-do-not-confuse-methods"
    residual_slip = ask.slip(
        -r0,
        "That is the gradient $\\mathbf{P}\\mathbf{x} - \\mathbf{b}$; the residual is $\\mathbf{b} - "
        "\\mathbf{P}\\mathbf{x}$.",
        card=card,
    )
    step_slips = [
        ask.slip(
            curvature / (r0 @ r0),
            "That is the quotient upside down: the squared length of the residual stands above.",
            card="descent-do-not-confuse-search",
        ),
        ask.slip(
            r0 @ r0 / (P @ r0 @ P @ r0),
            "That divides by the square of $\\mathbf{P}\\mathbf{d}$; the exact step divides by $\\mathbf{d}^\\top"
            "\\mathbf{P}\\mathbf{d}$.",
            card="descent-do-not-confuse-search",
        ),
    ]
    first_slip = ask.slip(
        x0 - eta0 * r0, "That goes against the residual; it points downhill, so the step is added.", card=card
    )
    next_slip = ask.slip(
        r0 + eta0 * P @ r0, "The step is added to $\\mathbf{x}$, so it is subtracted in the residual.", card=card
    )
    direction_slips = [
        ask.slip(
            r1,
            "That is the residual, the direction of gradient descent; add $\\gamma_0$ times the last direction.",
            card=card,
        ),
        ask.slip(
            r1 + r0 / gamma,
            "$\\gamma_0$ is upside down: the new residual stands above, the old one below.",
            card="descent-convention-letters",
        ),
        ask.slip(
            r1 - gamma * r0,
            "That subtracts the last direction; conjugate directions need it added with a positive factor.",
            card=card,
        ),
    ]
    second_slip = ask.slip(
        r1 @ r1 / (r1 @ P @ r1),
        "That divides by $\\mathbf{r}^\\top\\mathbf{P}\\mathbf{r}$; the step goes along the direction $\\mathbf{d}$, "
        "so take $\\mathbf{d}^\\top\\mathbf{P}\\mathbf{d}$.",
        card=card,
    )
    x_slip = ask.slip(
        x1 + eta1 * r1, "That goes along the residual; the second step goes along the conjugate direction.", card=card
    )
    fields = [
        ask.vector("residual", "the residual $\\mathbf{r}^{(0)}$", 1, 1, whole=True, slips=[residual_slip]),
        ask.number("step", "the first step length", 1, 2, follows=f"{r}/{bend[0]}", slips=step_slips),
        ask.vector(
            "first",
            "the point after one step",
            1,
            1,
            follows=[f"{x0[j]} + step*residual[{j}]" for j in range(2)],
            slips=[first_slip],
        ),
        ask.vector(
            "next_residual",
            "the new residual",
            2,
            1,
            follows=[f"residual[{j}] - step*{image[j]}" for j in range(2)],
            slips=[next_slip],
        ),
        ask.vector(
            "direction",
            "the second direction, conjugate to the first",
            2,
            4,
            follows=[f"next_residual[{j}] + {new}/{r}*residual[{j}]" for j in range(2)],
            slips=direction_slips,
        ),
        ask.number("next_step", "the second step length", 3, 1, follows=f"{new}/{bend[1]}", slips=[second_slip]),
        ask.vector(
            "x",
            "the point after two steps; it solves the system",
            3,
            2,
            follows=[f"first[{j}] + next_step*direction[{j}]" for j in range(2)],
            slips=[x_slip],
        ),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("momentum-step", marks=9, minutes=10, title="Two steps with momentum")
def heavy_ball(rng: np.random.Generator) -> Parts:
    """Two steps of the heavy ball on a quadratic in two variables, and its best settings."""
    low, high = sorted(int(k) for k in rng.choice([1, 2, 3, 4, 5], size=2, replace=False))
    curvatures = np.array([low**2, high**2], dtype=float)
    x0 = rng.choice([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0], size=2)
    rate = float(rng.choice([r for r in (0.02, 0.05, 0.1, 0.2) if r * high**2 < 2]))
    momentum = float(rng.choice([0.5, 0.6, 0.8]))
    points, velocity = [x0], np.zeros(2)
    for _ in range(2):
        x, velocity = momentum_step(points[-1], velocity, curvatures * points[-1], rate, momentum)
        points.append(x)
    plain = gradient_step(points[1], curvatures * points[1], rate)
    best_rate, root = 4 / (low + high) ** 2, (high - low) / (high + low)
    factor = (curvatures[1] - curvatures[0]) / curvatures.sum()
    bowl = _polynomial([(c / 2, f"x_{j + 1}^2") for j, c in enumerate(curvatures)])
    settings = f"$\\eta = {short(rate)}$ and $\\beta = {short(momentum)}$"
    statement = "\n".join(
        [
            f"The heavy ball minimises $f(\\mathbf{{x}}) = {bowl}$ from rest "
            f"at $\\mathbf{{x}}^{{(0)}} = {_vector(x0)}$ "
            f"with {settings}.",
            "",
            "1. Compute two steps (4 marks).",
            "2. Where would the second step have led without momentum? (1 mark)",
            "3. Which $\\eta$ and $\\beta$ are best for this $f$, and by which factor does the error then shrink in a "
            "step, in the long run? Compare with the best factor of gradient descent (4 marks).",
        ]
    )
    g = [curvatures * x for x in points]
    lines = [
        f"**First step** (1 mark for the gradient, 1 for the point): $\\nabla f = {_vector(g[0])}$; from rest there is "
        f"nothing to repeat, $\\mathbf{{x}}^{{(1)}} = {_vector(points[1])}$.",
        "",
        f"**Second step** (1 mark for the gradient, "
        f"1 for the point): now $\\nabla f = {_vector(g[1])}$, and the last step "
        f"was ${_vector(points[1] - x0)}$. "
        f"$\\mathbf{{x}}^{{(2)}} = {_vector(points[1])} - {short(rate)} \\cdot {_vector(g[1])} "
        f"+ {short(momentum)} \\cdot {_vector(points[1] - x0)} = {_vector(points[2])}$.",
        "",
        f"**Without momentum** (1 mark): "
        f"${_vector(points[1])} - {short(rate)} \\cdot {_vector(g[1])} = {_vector(plain)}$.",
        "",
        f"**Best settings** (1 mark for the step size, 1 for the momentum, 1 for the factor): "
        f"the eigenvalues of the Hessian are ${low**2}$ and ${high**2}$, their roots "
        f"${low}$ and ${high}$. $\\eta = 4 / ({low} + {high})^2 = {short(best_rate)}$ and "
        f"$\\beta = (({high} - {low}) / ({high} + {low}))^2 = {short(root**2)}$; the factor is the root of $\\beta$, "
        f"${short(root)}$.",
        "",
        f"**Gradient descent** (1 mark): $({high**2} - {low**2}) / ({high**2} + {low**2}) = {short(factor)}$, "
        f"which is larger: "
        "slower.",
    ]
    given = {"curvatures": curvatures.tolist(), "x0": x0.tolist(), "learning_rate": rate, "momentum": momentum}
    answer = {
        "points": [x.round(9).tolist() for x in points[1:]],
        "plain": plain.round(9).tolist(),
        "rate": round(best_rate, 9),
        "beta": round(root**2, 9),
        "factor": round(root, 9),
        "descent": round(float(factor), 9),
    }
    axes, steps = ["$x_1$", "$x_2$"], ["$t = 1$", "$t = 2$"]
    card, letters = "descent-do-not-confuse-methods", "descent-convention-letters"
    small = x0 - (1 - momentum) * rate * g[0]
    point_slips = [
        ask.slip(
            [points[1], plain],
            "The second step lacks the momentum: add $\\beta$ times the last step.",
            card=card,
        ),
        ask.slip(
            np.round([points[1], points[1] - rate * g[0] + momentum * (points[1] - x0)], 9) + 0.0,
            "The second step takes the gradient of the starting point again; it needs the one at the new point.",
            card=card,
        ),
        ask.slip(
            [small, small - (1 - momentum) * rate * curvatures * small + momentum * (small - x0)],
            "That multiplies the gradient by $1 - \\beta$ as well, as some texts do; the heavy ball here does not.",
            card=letters,
        ),
    ]
    plain_slip = ask.slip(
        points[2], "That is the second point with momentum; without it only the gradient moves the point.", card=card
    )
    rate_slips = [
        ask.slip(
            2 / curvatures.sum(),
            "That is the best step of gradient descent; with momentum it is $4/(\\sqrt{\\lambda_{\\min}} + "
            "\\sqrt{\\lambda_{\\max}})^2$.",
            card=card,
        ),
        ask.slip(
            4 / curvatures.sum() ** 2,
            "That adds the eigenvalues; the formula adds their roots.",
            card=card,
        ),
    ]
    beta_slips = [
        ask.slip(root, "That is the factor of the error; $\\beta$ is its square.", card=card),
        ask.slip(factor**2, "That takes the eigenvalues; the formula takes their roots.", card=card),
    ]
    factor_slip = ask.slip(root**2, "That is $\\beta$; the error shrinks by its root in each step.", card=card)
    descent_slip = ask.slip(
        root,
        "That takes the roots of the eigenvalues, as momentum does; gradient descent has the eigenvalues themselves.",
        card=card,
    )
    fields = [
        ask.matrix("points", "points after one and two steps", 1, 4, rows=steps, columns=axes, slips=point_slips),
        ask.vector(
            "plain",
            "the second point without momentum",
            2,
            1,
            follows=[f"points[0,{j}]*(1 - {rate}*{c})" for j, c in enumerate(curvatures)],
            slips=[plain_slip],
        ),
        ask.number("rate", "the best $\\eta$", 3, slips=rate_slips),
        ask.number("beta", "the best $\\beta$", 3, slips=beta_slips),
        ask.number("factor", "the factor of the error with them", 3, follows="sqrt(beta)", slips=[factor_slip]),
        ask.number("descent", "the best factor of gradient descent", 3, slips=[descent_slip]),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_STEPS = ["$t$", "$\\mathbf{x}^{(t)}$", "$\\nabla f$", "$f$"]


def _divisor(value: float) -> str:
    """A number behind a stroke: a fraction in brackets."""
    text = short(value)
    return f"({text})" if "frac" in text else text


def _is_short(values: np.ndarray) -> bool:
    """Whether all are decimals of at most one place."""
    return all(10 % rational(v).denominator == 0 for v in values)


_bracket, _vector = partial(bracket, show=short), partial(vector, show=short)
_matrix, _polynomial = partial(matrix, show=short), partial(polynomial, show=short)

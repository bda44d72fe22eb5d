"""Drills on linear algebra: projection, 2 x 2 eigenvectors and log-determinant, Cholesky factor, Schur complement."""

from __future__ import annotations

from math import gcd, isqrt

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, column, matrix, polynomial, products, vector
from notes_lib.foundations.linear_algebra import (
    block_inverse,
    cholesky_solve,
    generalized_eigh,
    project,
    qr_solve,
    schur_complement,
)
from notes_lib.numerics import cholesky_factor


@drill("projection", marks=8, minutes=10, title="Projection on a line and a plane")
def projection(rng: np.random.Generator) -> Parts:
    """Project a vector on a line and on a plane in space, by the normal equations; check the residual."""
    while True:
        X = rng.integers(-2, 4, size=(3, 2)).astype(float)
        G = X.T @ X
        det = round(G[0, 0] * G[1, 1] - G[0, 1] ** 2)
        if det == 0 or G[0, 1] == 0 or np.abs(X).max() > 3:  # parallel, or orthogonal: nothing to solve
            continue
        w, normal = rng.integers(-3, 4, size=2).astype(float), np.cross(X[:, 0], X[:, 1])
        residual = rng.choice([-1.0, 1.0]) * normal / gcd(*(round(abs(a)) for a in normal))
        y = X @ w + residual  # so that the weights and the residual are whole numbers
        if np.abs(y).max() <= 9 and w.all() and np.abs(residual).max() <= 5:
            break
    a = X[:, 0]
    numerator, denominator = round(a @ y), round(a @ a)
    line, plane, w = project(a, y), project(X, y).round(9), qr_solve(X, y).round(9)
    e = y - plane
    right = X.T @ y
    statement = "\n".join(
        [
            f"$\\mathbf{{y}} = {vector(y)}$, $\\mathbf{{a}} = {vector(a)}$, $\\mathbf{{b}} = {vector(X[:, 1])}$.",
            "",
            "1. Project $\\mathbf{y}$ on the line through $\\mathbf{a}$. (2 marks)",
            "2. Set up the normal equations for the plane spanned by $\\mathbf{a}$ and $\\mathbf{b}$. (2 marks)",
            "3. Solve them and give the projection $\\mathbf{p}$. (2 marks)",
            "4. Give the residual $\\mathbf{e}$ and show that it is right. (2 marks)",
        ]
    )
    combination = polynomial([(w[0], "\\mathbf{a}"), (w[1], "\\mathbf{b}")])
    lines = [
        f"**Line** (1 mark for the formula, 1 for the vector): $\\mathbf{{a}}^\\top\\mathbf{{y}} = {numerator}$, "
        f"$\\mathbf{{a}}^\\top\\mathbf{{a}} = {denominator}$, so the projection is "
        f"$\\frac{{{numerator}}}{{{denominator}}}\\,\\mathbf{{a}} = {vector(line)}$.",
        "",
        "**Normal equations** (1 mark for the matrix, 1 for the right-hand side): with "
        "$\\mathbf{X} = (\\mathbf{a}, \\mathbf{b})$,",
        "",
        f"$$\n\\mathbf{{X}}^\\top\\mathbf{{X}} = {matrix(G)}, \\qquad "
        f"\\mathbf{{X}}^\\top\\mathbf{{y}} = {column(right)} .\n$$",
        "",
        f"**Solution** (1 mark for the weights, 1 for the projection): the determinant is "
        f"${sig(G[0, 0])} \\cdot {sig(G[1, 1])} - {bracket(G[0, 1])}^2 = {det}$, so",
        "",
        f"$$\n\\mathbf{{w}} = \\frac{{1}}{{{det}}} {matrix([[G[1, 1], -G[0, 1]], [-G[0, 1], G[0, 0]]])} "
        f"{column(right)} = {column(w)}, \\qquad "
        f"\\mathbf{{p}} = {combination} = {vector(plane)} .\n$$",
        "",
        f"**Residual** (1 mark for the vector, 1 for both products): $\\mathbf{{e}} = \\mathbf{{y}} - \\mathbf{{p}} = "
        f"{vector(e)}$, with $\\mathbf{{a}}^\\top\\mathbf{{e}} = {products(a, e)} = {sig(a @ e)}$ and "
        f"$\\mathbf{{b}}^\\top\\mathbf{{e}} = {products(X[:, 1], e)} = {sig(X[:, 1] @ e)}$.",
    ]
    given = {"y": y.tolist(), "a": a.tolist(), "b": X[:, 1].tolist()}
    answer = {
        "line": line.round(9).tolist(),
        "gram": G.tolist(),
        "right": right.tolist(),
        "w": w.tolist(),
        "plane": plane.tolist(),
        "residual": e.tolist(),
    }
    b = X[:, 1]
    card = "linear-algebra-do-not-confuse-orthogonal"
    line_slips = [
        ask.slip(
            a @ y / (a @ a) ** 0.5 * a + 0.0,
            "That divides by the length of $\\mathbf{a}$; the projection divides by its square, $\\mathbf{a}^\\top"
            "\\mathbf{a}$.",
            card="linear-algebra-lost-marks-projector",
        ),
        ask.slip(
            (a @ y) * a + 0.0,
            "That is $\\mathbf{a}\\mathbf{a}^\\top\\mathbf{y}$, which projects only if $\\mathbf{a}$ has length 1; "
            "divide by $\\mathbf{a}^\\top\\mathbf{a}$.",
            card="linear-algebra-lost-marks-projector",
        ),
    ]
    alone = np.array([a @ y / (a @ a), b @ y / (b @ b)])
    w_slip = ask.slip(
        alone,
        "That projects on $\\mathbf{a}$ and on $\\mathbf{b}$ alone; they are not orthogonal, so solve both equations.",
        card="linear-algebra-lost-marks-projector",
    )
    plane_slips = [
        ask.slip(
            X @ alone,
            "That adds the projections on both lines; this is right only if $\\mathbf{a}$ and $\\mathbf{b}$ are "
            "orthogonal.",
            card="linear-algebra-lost-marks-projector",
        ),
        ask.slip(
            X @ right,
            "That is $\\mathbf{X}\\mathbf{X}^\\top\\mathbf{y}$, which needs orthonormal columns; the inverse of "
            "$\\mathbf{X}^\\top\\mathbf{X}$ belongs in between.",
            card="linear-algebra-lost-marks-projector",
        ),
    ]
    residual_slip = ask.slip(
        (plane - y).round(9) + 0.0,
        "That is $\\mathbf{p} - \\mathbf{y}$; the residual is $\\mathbf{y} - \\mathbf{p}$.",
        card=card,
    )
    det_of = "(gram[0,0]*gram[1,1] - gram[0,1]*gram[1,0])"
    fields = [
        ask.vector("line", "projection on the line", 1, 2, slips=line_slips),
        ask.matrix("gram", "matrix of the normal equations", 2, rows=["1", "2"], columns=["1", "2"], whole=True),
        ask.vector("right", "their right-hand side", 2, whole=True),
        ask.vector(
            "w",
            "weights of $\\mathbf{a}$ and $\\mathbf{b}$",
            3,
            follows=[
                f"(gram[1,1]*right[0] - gram[0,1]*right[1])/{det_of}",
                f"(gram[0,0]*right[1] - gram[1,0]*right[0])/{det_of}",
            ],
            slips=[w_slip],
        ),
        ask.vector(
            "plane",
            "projection $\\mathbf{p}$",
            3,
            follows=[f"w[0]*{u} + w[1]*{v}" for u, v in X],
            slips=plane_slips,
        ),
        ask.vector(
            "residual",
            "residual $\\mathbf{e}$",
            4,
            follows=[f"{v} - plane[{j}]" for j, v in enumerate(y)],
            slips=[residual_slip],
        ),
        ask.own("orthogonal", "that it is right", 4),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("eigen-2x2", marks=8, minutes=9, title="Eigenvalues of a symmetric 2 × 2 matrix")
def eigen(rng: np.random.Generator) -> Parts:
    """Eigenvalues and eigenvectors of a symmetric 2 x 2 matrix of integers, its definiteness and Rayleigh quotients."""
    while True:
        a, b, c = (int(v) for v in rng.integers(-4, 10, size=3))
        root = isqrt((a - c) ** 2 + 4 * b * b)
        values = [(a + c + root) / 2, (a + c - root) / 2]
        if root**2 == (a - c) ** 2 + 4 * b * b and b != 0 and values[0] == round(values[0]):
            break
    A = np.array([[a, b], [b, c]], dtype=float)
    found = generalized_eigh(A)
    lam = found.eigenvalues.round(9) + 0.0  # no negative zero
    V = np.array([_smallest(v) for v in found.vectors.T])
    w = rng.permutation([1.0, 2.0]) * rng.choice([-1.0, 1.0], size=2)
    form, square = float(w @ A @ w), float(w @ w)
    word = _definiteness(lam)
    statement = "\n".join(
        [
            f"$\\mathbf{{A}} = {matrix(A)}$, $\\mathbf{{w}} = {vector(w)}$.",
            "",
            "1. Find the eigenvalues. (2 marks)",
            "2. Find an eigenvector of each, in the smallest integers, and check that they are orthogonal. (3 marks)",
            "3. Is the matrix positive definite, positive semi-definite, indefinite or something else? (1 mark)",
            "4. Compute the Rayleigh quotient of $\\mathbf{w}$ and say between which bounds it must lie. (2 marks)",
            "",
            "Fill in:",
            "",
            table([["1", "", "", ""], ["2", "", "", ""]], _EIGEN_HEADER).markdown,
        ]
    )
    det = a * c - b * b
    characteristic = polynomial([(1, "\\lambda^2"), (-(a + c), "\\lambda"), (det, "")])
    rows = [
        [i + 1, lam[i], f"${matrix(A - lam[i] * np.eye(2))}$", f"${vector(V[i])}$"] for i in range(2)
    ]  # fmt: skip
    lines = [
        f"**Eigenvalues** (1 mark for the equation, 1 for the roots): the trace is {a + c} and the determinant "
        f"${a} \\cdot {bracket(c)} - {bracket(b)}^2 = {det}$, so "
        f"${characteristic} = 0$, and "
        f"$\\lambda = \\tfrac12 \\big({a + c} \\pm \\sqrt{{{root**2}}}\\big)$: "
        f"$\\lambda_1 = {sig(lam[0])}$, $\\lambda_2 = {sig(lam[1])}$.",
        "",
        "**Eigenvectors** (1 mark each, 1 for the product): each row of $\\mathbf{A} - \\lambda\\mathbf{I}$ is "
        "orthogonal to the eigenvector.",
        "",
        table(rows, _EIGEN_HEADER).markdown,
        "",
        f"$\\mathbf{{v}}_1^\\top\\mathbf{{v}}_2 = {products(V[0], V[1])} = {sig(V[0] @ V[1])}$.",
        "",
        f"**Definiteness** (1 mark): the signs of the eigenvalues are {word[1]}: {word[0]}.",
        "",
        "**Rayleigh quotient** (1 mark for the value, 1 for the bounds): "
        f"$\\mathbf{{A}}\\mathbf{{w}} = {vector(A @ w)}$, "
        f"$\\mathbf{{w}}^\\top\\mathbf{{A}}\\mathbf{{w}} = {products(w, A @ w)} = {sig(form)}$ and "
        f"$\\mathbf{{w}}^\\top\\mathbf{{w}} = {sig(square)}$, so the quotient is ${sig(form / square)}$, "
        f"between $\\lambda_2 = {sig(lam[1])}$ and "
        f"$\\lambda_1 = {sig(lam[0])}$.",
    ]
    answer = {
        "eigenvalues": lam.tolist(),
        "vectors": V.tolist(),
        "definiteness": word[0],
        "form": form,
        "quotient": form / square,
        "bounds": sorted(lam.tolist()),
    }
    free = "in the smallest integers; any multiple of it counts"
    order = "linear-algebra-convention-sign"
    value_slips = [
        ask.slip(lam[::-1], "These are in ascending order; the largest comes first here.", card=order),
        ask.slip(
            0.0 - lam[::-1],
            "The signs are wrong: the equation is $\\lambda^2 - \\lambda \\operatorname{tr}\\mathbf{A} + "
            "|\\mathbf{A}| = 0$, with a minus at the trace.",
            card="linear-algebra-do-not-confuse-svd",
        ),
        ask.slip(
            2 * lam,
            "That is not divided by 2: trace plus or minus root is halved as a whole.",
            card="linear-algebra-do-not-confuse-svd",
        ),
    ]
    other = "That is the eigenvector of the other eigenvalue: the two have changed places."
    definite_slip = ask.slip(
        _KINDS[0],
        "Positive definite needs all eigenvalues above 0, and here one is not.",
        card="linear-algebra-do-not-confuse-definite",
    )
    quotient_slips = [
        ask.slip(
            form,
            "That is $\\mathbf{w}^\\top\\mathbf{A}\\mathbf{w}$; the Rayleigh quotient divides it by "
            "$\\mathbf{w}^\\top\\mathbf{w}$.",
            card=order,
        ),
        ask.slip(
            form / square**0.5,
            "That divides by the length of $\\mathbf{w}$; the Rayleigh quotient divides by its square.",
            card=order,
        ),
    ]
    least, most = "min(eigenvalues)", "max(eigenvalues)"
    kind = f"({least} == 0) + 2*({least} < 0)*({most} > 0) + 3*({least} < 0)*({most} == 0) + 4*({most} < 0)"
    fields = [
        ask.vector("eigenvalues", "eigenvalues, the largest first", 1, 2, whole=True, slips=value_slips),
        ask.vector(
            "vectors.0",
            f"eigenvector of the largest, {free}",
            2,
            1.5,
            up_to="scale",
            after=["eigenvalues"],
            slips=[ask.slip(V[1], other, card=order)],
        ),
        ask.vector(
            "vectors.1",
            f"eigenvector of the other, {free}",
            2,
            1.5,
            up_to="scale",
            follows=["-vectors.0[1]", "vectors.0[0]"],
            slips=[ask.slip(V[0], other, card=order)],
        ),
        ask.choice("definiteness", "the matrix is", 3, options=_KINDS, follows=kind, slips=[definite_slip]),
        ask.number("quotient", "Rayleigh quotient", 4, slips=quotient_slips),
        ask.vector(
            "bounds",
            "its bounds, lower and upper",
            4,
            titles=["lower", "upper"],
            whole=True,
            follows=[least, most],
        ),
    ]
    return Parts(statement, {"A": A.tolist(), "w": w.tolist()}, "\n".join(lines), answer, fields)


@drill("cholesky", marks=8, minutes=10, title="Cholesky factor and a linear system")
def cholesky(rng: np.random.Generator) -> Parts:
    """Cholesky factor of a 3 x 3 matrix of integers, its determinant, and one system solved with it."""
    while True:
        L = np.tril(rng.integers(-2, 4, size=(3, 3)), -1) + np.diag(rng.integers(1, 4, size=3)).astype(float)
        x = rng.integers(-2, 4, size=3).astype(float)
        if np.tril(L, -1).any() and x.any():  # else nothing to factorise, or nothing to solve
            break
    A = L @ L.T
    b = A @ x
    L = cholesky_factor(A).round(9) + 0.0
    z, solved = L.T @ x, cholesky_solve(A, b).round(9) + 0.0
    statement = "\n".join(
        [
            f"$\\mathbf{{A}} = {matrix(A)}$, $\\mathbf{{b}} = {vector(b)}$.",
            "",
            "1. Find the lower triangular $\\mathbf{L}$ with positive diagonal and $\\mathbf{A} = "
            "\\mathbf{L}\\mathbf{L}^\\top$. (4 marks)",
            "2. Give the determinant of $\\mathbf{A}$. (1 mark)",
            "3. Solve $\\mathbf{A}\\mathbf{x} = \\mathbf{b}$ with two triangular systems. (3 marks)",
        ]
    )
    product = " \\cdot ".join(sig(v) for v in np.diag(L))
    lines = [
        "**Factor** (1 mark for the first column, 2 for the second, 1 for the last entry):",
        "",
        f"- $\\ell_{{11}} = \\sqrt{{{sig(A[0, 0])}}} = {sig(L[0, 0])}$, "
        + ", ".join(f"$\\ell_{{{i + 1}1}} = {sig(A[i, 0])} / {sig(L[0, 0])} = {sig(L[i, 0])}$" for i in (1, 2)),
        f"- $\\ell_{{22}} = \\sqrt{{{sig(A[1, 1])} - {bracket(L[1, 0])}^2}} = {sig(L[1, 1])}$, "
        f"$\\ell_{{32}} = ({sig(A[2, 1])} - {bracket(L[2, 0])} \\cdot {bracket(L[1, 0])}) / {sig(L[1, 1])} = "
        f"{sig(L[2, 1])}$",
        f"- $\\ell_{{33}} = \\sqrt{{{sig(A[2, 2])} - {bracket(L[2, 0])}^2 - {bracket(L[2, 1])}^2}} = {sig(L[2, 2])}$",
        "",
        f"$$\n\\mathbf{{L}} = {matrix(L)} .\n$$",
        "",
        f"**Determinant** (1 mark): $({product})^2 = {sig(np.prod(np.diag(L)) ** 2)}$.",
        "",
        "**Down** (1.5 marks), $\\mathbf{L}\\mathbf{z} = \\mathbf{b}$ from the first row:",
        "",
        f"- $z_1 = {sig(b[0])} / {sig(L[0, 0])} = {sig(z[0])}$",
        f"- $z_2 = ({sig(b[1])} - {bracket(L[1, 0])} \\cdot {bracket(z[0])}) / {sig(L[1, 1])} = {sig(z[1])}$",
        f"- $z_3 = ({sig(b[2])} - {bracket(L[2, 0])} \\cdot {bracket(z[0])} - {bracket(L[2, 1])} \\cdot "
        f"{bracket(z[1])}) / {sig(L[2, 2])} = {sig(z[2])}$",
        "",
        "**Up** (1.5 marks), $\\mathbf{L}^\\top\\mathbf{x} = \\mathbf{z}$ from the last row:",
        "",
        f"- $x_3 = {sig(z[2])} / {sig(L[2, 2])} = {sig(solved[2])}$",
        f"- $x_2 = ({sig(z[1])} - {bracket(L[2, 1])} \\cdot {bracket(solved[2])}) / {sig(L[1, 1])} = {sig(solved[1])}$",
        f"- $x_1 = ({sig(z[0])} - {bracket(L[1, 0])} \\cdot {bracket(solved[1])} - {bracket(L[2, 0])} \\cdot "
        f"{bracket(solved[2])}) / {sig(L[0, 0])} = {sig(solved[0])}$",
        "",
        f"So $\\mathbf{{x}} = {vector(solved)}$.",
    ]
    answer = {
        "L": L.tolist(),
        "determinant": round(float(np.prod(np.diag(L)) ** 2), 6),
        "z": z.tolist(),
        "x": solved.tolist(),
    }
    numbers = ["1", "2", "3"]
    card = "linear-algebra-convention-factors"
    factor_slip = ask.slip(
        L.T, "That is $\\mathbf{L}^\\top$, the upper factor; the lower triangular one is asked for.", card=card
    )
    determinant_slip = ask.slip(
        np.prod(np.diag(L)),
        "That is the determinant of $\\mathbf{L}$; $|\\mathbf{A}| = |\\mathbf{L}||\\mathbf{L}^\\top|$ is its square.",
        card=card,
    )
    z_slip = ask.slip(
        np.linalg.solve(L.T, b).round(9) + 0.0,
        "That solves with $\\mathbf{L}^\\top$ first; $\\mathbf{L}\\mathbf{z} = \\mathbf{b}$ comes first.",
        card=card,
    )
    x_slips = [
        ask.slip(
            np.linalg.solve(L, z).round(9) + 0.0,
            "That solves with $\\mathbf{L}$ a second time; the second system has $\\mathbf{L}^\\top$.",
            card=card,
        ),
        ask.slip(L.T @ z, "That multiplies by $\\mathbf{L}^\\top$ instead of solving with it.", card=card),
    ]
    down, up = [f"({b[0]}/L[0,0])"], ["(z[2]/L[2,2])"]
    down.append(f"(({b[1]} - L[1,0]*{down[0]})/L[1,1])")
    down.append(f"(({b[2]} - L[2,0]*{down[0]} - L[2,1]*{down[1]})/L[2,2])")
    up.insert(0, f"((z[1] - L[2,1]*{up[0]})/L[1,1])")
    up.insert(0, f"((z[0] - L[1,0]*{up[0]} - L[2,0]*{up[1]})/L[0,0])")
    fields = [
        ask.matrix("L", "$\\mathbf{L}$", 1, 4, rows=numbers, columns=numbers, slips=[factor_slip]),
        ask.number("determinant", "determinant", 2, follows="(L[0,0]*L[1,1]*L[2,2])^2", slips=[determinant_slip]),
        ask.vector(
            "z", "$\\mathbf{z}$ of $\\mathbf{L}\\mathbf{z} = \\mathbf{b}$", 3, 1.5, follows=down, slips=[z_slip]
        ),
        ask.vector("x", "$\\mathbf{x}$", 3, 1.5, follows=up, slips=x_slips),
    ]
    return Parts(statement, {"A": A.tolist(), "b": b.tolist()}, "\n".join(lines), answer, fields)


@drill("log-determinant", marks=8, minutes=8, title="Inverse and log-determinant of a 2 × 2 matrix")
def log_determinant(rng: np.random.Generator) -> Parts:
    """Inverse of a 2 x 2 matrix of integers, gradient of its log-determinant, first-order and exact change."""
    while True:
        X = rng.integers(-4, 6, size=(2, 2)).astype(float)
        step = rng.integers(-2, 3, size=(2, 2)).astype(float)
        det = round(X[0, 0] * X[1, 1] - X[0, 1] * X[1, 0])
        if det in (2, 4, 5, 8, 10) and X.all() and X[0, 1] != X[1, 0] and step.any(axis=1).all():
            inverse = block_inverse(X, [0]).round(9)
            change = float((inverse.T * step).sum())  # linear-algebra-d-logdet
            if 0.5 <= abs(change) <= 3:
                break
    moved = X + 0.1 * step
    after = float(moved[0, 0] * moved[1, 1] - moved[0, 1] * moved[1, 0])
    (a, b), (c, d) = X
    statement = "\n".join(
        [
            f"$\\mathbf{{X}} = {matrix(X)}$, $\\mathbf{{C}} = {matrix(step)}$.",
            "",
            "1. Find the determinant and the inverse of $\\mathbf{X}$. (2 marks)",
            "2. Give the gradient of $\\log |\\mathbf{X}|$ with respect to $\\mathbf{X}$. (2 marks)",
            "3. By how much does $\\log |\\mathbf{X}|$ change to first order when $0.1\\,\\mathbf{C}$ is added to "
            "$\\mathbf{X}$? (2 marks)",
            "4. Compare with the exact change. (2 marks)",
        ]
    )
    lines = [
        f"**Determinant and inverse** (1 mark for the determinant, 1 for the inverse): "
        f"${sig(a)} \\cdot {bracket(d)} - {bracket(b)} \\cdot {bracket(c)} = {det}$. "
        "Exchange the diagonal entries, change the sign of the others, divide:",
        "",
        f"$$\n\\mathbf{{X}}^{{-1}} = \\frac{{1}}{{{det}}} {matrix([[d, -b], [-c, a]])} = {matrix(inverse)} .\n$$",
        "",
        "**Gradient** (1 mark for the inverse, 1 for the transpose): "
        f"$\\mathbf{{X}}^{{-\\top}} = {matrix(inverse.T)}$.",
        "",
        "**First order** (1 mark for the rule, 1 for the value): the change is the sum of the products of the entries "
        "of gradient and step, "
        f"$0.1 \\cdot ({products(inverse.T.ravel(), step.ravel())}) = {sig(0.1 * change)}$.",
        "",
        f"**Exactly** (1 mark for the determinant, 1 for the logarithm): the new matrix is ${matrix(moved)}$ with the "
        f"determinant ${sig(moved[0, 0])} \\cdot {bracket(moved[1, 1])} - {bracket(moved[0, 1])} \\cdot "
        f"{bracket(moved[1, 0])} = {sig(after)}$, and $\\ln({sig(after)} / {det}) = {sig(np.log(after / det))}$. The "
        "two differ by a term of second order.",
    ]
    answer = {
        "determinant": float(det),
        "inverse": inverse.tolist(),
        "gradient": inverse.T.tolist(),
        "change": round(0.1 * change, 9),
        "exact": float(np.log(round(after, 9) / det)),
    }
    both = ["1", "2"]
    card, name = "linear-algebra-lost-marks-logdet", "determinant"
    determinant_slip = ask.slip(
        a * d + b * c, "The product of the entries off the diagonal is subtracted, not added.", card=card
    )
    inverse_slips = [
        ask.slip([[d, -b], [-c, a]], "That is not yet divided by the determinant.", card=card),
        ask.slip(
            [[a / det, -b / det], [-c / det, d / det]],
            "The two diagonal entries change places in the inverse of a $2 \\times 2$ matrix.",
            card=card,
        ),
    ]
    gradient_slips = [
        ask.slip(inverse, "That is the inverse; the gradient of the log-determinant is its transpose.", card=card),
        ask.slip(
            det * inverse.T,
            "That is the gradient of the determinant itself; the logarithm divides it by the determinant.",
            card=card,
        ),
    ]
    change_slips = [
        ask.slip(
            0.1 * float((inverse * step).sum()),
            "That takes the gradient without its transpose; multiply $\\mathbf{X}^{-\\top}$ and $\\mathbf{C}$ entry by "
            "entry.",
            card=card,
        ),
        ask.slip(change, "The factor 0.1 of the step is forgotten.", card=card),
    ]
    exact_slips = [
        ask.slip(after - det, "That is the change of the determinant; its logarithm is asked for.", card=card),
        ask.slip(
            float(np.log10(after / det)), "That is the logarithm to base 10; $\\log$ is the natural one.", card=card
        ),
    ]
    fields = [
        ask.number("determinant", "determinant", 1, whole=True, slips=[determinant_slip]),
        ask.matrix(
            "inverse",
            "inverse",
            1,
            rows=both,
            columns=both,
            follows=[[f"{d}/{name}", f"{-b}/{name}"], [f"{-c}/{name}", f"{a}/{name}"]],
            slips=inverse_slips,
        ),
        ask.matrix(
            "gradient",
            "gradient of $\\log \\lvert \\mathbf{X} \\rvert$",
            2,
            2,
            rows=both,
            columns=both,
            follows=[[f"inverse[{j},{i}]" for j in range(2)] for i in range(2)],
            slips=gradient_slips,
        ),
        ask.number(
            "change",
            "change to first order",
            3,
            2,
            follows="0.1*(" + " + ".join(f"gradient[{i},{j}]*{step[i, j]}" for i in range(2) for j in range(2)) + ")",
            slips=change_slips,
        ),
        ask.number(
            "exact",
            "exact change",
            4,
            2,
            digits=3,
            carried=1,
            follows=f"ln({after}/determinant)",
            slips=exact_slips,
        ),
    ]
    return Parts(statement, {"X": X.tolist(), "C": step.tolist()}, "\n".join(lines), answer, fields)


@drill("schur-complement", marks=8, minutes=9, title="Schur complement and block inverse")
def schur(rng: np.random.Generator) -> Parts:
    """Schur complement of an entry of a symmetric 3 x 3 matrix, determinant, definiteness, a block of the inverse."""
    word = str(rng.choice([_KINDS[0], _KINDS[4], _KINDS[2]]))
    while True:
        m = float(rng.choice([-2, -1, 1, 2, 4]))
        u = rng.integers(-3, 4, size=2) * m / (1 if abs(m) < 4 else 2)
        S = rng.integers(-4, 7, size=(2, 2)).astype(float)
        S[0, 1] = S[1, 0]
        det = round(S[0, 0] * S[1, 1] - S[0, 1] ** 2)
        if not (u.all() and np.abs(u).max() <= 6 and abs(det) in (2, 4, 5, 8, 10) and S[0].all()):
            continue
        M = np.block([[np.array([[m]]), u[None]], [u[:, None], S + np.outer(u, u) / m]])
        if _definiteness(generalized_eigh(M).eigenvalues[[0, -1]])[0] == word:
            break
    S = schur_complement(M, [0]).round(9) + 0.0
    block = block_inverse(M, [0])[1:, 1:].round(9) + 0.0
    statement = "\n".join(
        [
            f"$\\mathbf{{M}} = {matrix(M)}$.",
            "",
            "1. Find the Schur complement of the first entry, $m_{11}$. (3 marks)",
            "2. Use it for the determinant of $\\mathbf{M}$. (1 mark)",
            "3. Is $\\mathbf{M}$ positive definite, negative definite or indefinite? (2 marks)",
            "4. Give the lower right $2 \\times 2$ block of the inverse. (2 marks)",
        ]
    )
    lines = [
        "**Schur complement** (1 mark for the formula, 1 for the product, 1 for the difference):",
        "",
        f"$$\n\\mathbf{{M}}_{{22}} - \\frac{{\\mathbf{{M}}_{{21}}\\mathbf{{M}}_{{12}}}}{{m_{{11}}}} "
        f"= {matrix(M[1:, 1:])} - \\frac{{1}}{{{sig(m)}}} {matrix(np.outer(u, u))} = {matrix(S)} .\n$$",
        "",
        f"**Determinant** (1 mark): that of the complement is ${sig(S[0, 0])} \\cdot {bracket(S[1, 1])} - "
        f"{bracket(S[0, 1])}^2 = {det}$, so $|\\mathbf{{M}}| = {sig(m)} \\cdot {bracket(det)} = {sig(m * det)}$.",
        "",
        "**Definiteness** (1 mark for the rule, 1 for the answer): the eigenvalues of $\\mathbf{M}$ have the signs of "
        f"$m_{{11}}$ and of those of the complement. Its two eigenvalues have {_signs(S[0, 0], det)}, and $m_{{11}}$ "
        f"is {'positive' if m > 0 else 'negative'}: {word}.",
        "",
        f"**Block of the inverse** (1 mark for the rule, 1 for the numbers): the inverse of the complement, "
        f"$\\frac{{1}}{{{det}}} {matrix([[S[1, 1], -S[0, 1]], [-S[0, 1], S[0, 0]]])} = {matrix(block)}$.",
    ]
    answer = {"schur": S.tolist(), "determinant": m * det, "definiteness": word, "block": block.tolist()}
    both = ["1", "2"]
    card = "linear-algebra-do-not-confuse-definite"
    schur_slips = [
        ask.slip(
            S + 2 * np.outer(u, u) / m,
            "That adds the product; the Schur complement subtracts it.",
            card="linear-algebra-lost-marks-inverse-sum",
        ),
        ask.slip(
            M[1:, 1:] - np.outer(u, u),
            "That is not divided by $m_{11}$: between $\\mathbf{M}_{21}$ and $\\mathbf{M}_{12}$ stands its inverse.",
            card="linear-algebra-lost-marks-inverse-sum",
        ),
    ]
    determinant_slips = [
        ask.slip(
            det,
            "That is the determinant of the Schur complement; that of $\\mathbf{M}$ is $m_{11}$ times it.",
            card=card,
        ),
    ]
    block_slips = [
        ask.slip(
            [[S[1, 1], -S[0, 1]], [-S[0, 1], S[0, 0]]],
            "That is not yet divided by the determinant of the Schur complement.",
            card="linear-algebra-lost-marks-inverse-sum",
        ),
    ]
    corner = M[1, 1] * M[2, 2] - M[1, 2] ** 2
    if abs(corner) > 0:  # else it has no inverse
        block_slips.append(
            ask.slip(
                np.array([[M[2, 2], -M[1, 2]], [-M[1, 2], M[1, 1]]]) / corner + 0.0,
                "That inverts the block of $\\mathbf{M}$; the block of the inverse is the inverse of the Schur "
                "complement.",
                card="linear-algebra-lost-marks-inverse-sum",
            )
        )
    size = "(schur[0,0]*schur[1,1] - schur[0,1]*schur[1,0])"
    kind = f"2 - 2*(schur[0,0] > 0)*({size} > 0)" if m > 0 else f"2 - (schur[0,0] < 0)*({size} > 0)"
    fields = [
        ask.matrix("schur", "Schur complement", 1, 3, rows=both, columns=both, whole=True, slips=schur_slips),
        ask.number(
            "determinant",
            "determinant of $\\mathbf{M}$",
            2,
            whole=True,
            follows=f"{m}*{size}",
            slips=determinant_slips,
        ),
        ask.choice("definiteness", "the matrix is", 3, 2, options=[_KINDS[0], _KINDS[4], _KINDS[2]], follows=kind),
        ask.matrix(
            "block",
            "block of the inverse",
            4,
            2,
            rows=both,
            columns=both,
            follows=[
                [f"schur[1,1]/{size}", f"-schur[0,1]/{size}"],
                [f"-schur[1,0]/{size}", f"schur[0,0]/{size}"],
            ],
            slips=block_slips,
        ),
    ]
    return Parts(statement, {"M": M.tolist()}, "\n".join(lines), answer, fields)


_KINDS = [
    "positive definite",
    "positive semi-definite, not definite",
    "indefinite",
    "negative semi-definite, not definite",
    "negative definite",
]
_EIGEN_HEADER = ["$i$", "$\\lambda_i$", "$\\mathbf{A} - \\lambda_i\\mathbf{I}$", "$\\mathbf{v}_i$"]


def _smallest(v: FloatArray) -> FloatArray:
    """The smallest integers with the direction of ``v``, whose entries have a rational quotient."""
    for k in range(1, 200):  # pragma: no branch
        u = v / np.abs(v).max() * k
        if np.abs(u - u.round()).max() < 1e-6:
            break
    return np.asarray(u.round() + 0.0)


def _definiteness(lam: FloatArray) -> tuple[str, str]:
    signs = " and ".join("+" if v > 0 else "-" if v < 0 else "0" for v in lam)
    if lam[1] >= 0:
        return ("positive definite" if lam[1] > 0 else "positive semi-definite, not definite"), signs
    if lam[0] <= 0:
        return ("negative definite" if lam[0] < 0 else "negative semi-definite, not definite"), signs
    return "indefinite", signs


def _signs(corner: float, det: float) -> str:
    """Signs of the eigenvalues of a symmetric 2 x 2 matrix, in words."""
    if det < 0:
        return "different signs, because its determinant is negative"
    return f"the sign of its first entry, because its determinant is positive: both are {'+' if corner > 0 else '-'}"

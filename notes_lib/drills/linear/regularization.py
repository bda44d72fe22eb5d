"""Drills on penalised least squares: ridge in the plane, the soft threshold, a sweep of coordinate descent."""

from __future__ import annotations

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, matrix, products, row, vector
from notes_lib.linear.regularization import coordinate_update, elastic_net_objective, ridge_weights, soft_threshold

_AXES = ["1", "2"]
_THREE, _STRENGTH = "regularization-do-not-confuse-three", "regularization-convention-strength"


@drill("ridge-2d", marks=10, minutes=13, title="Ridge regression with two features")
def ridge_2d(rng: np.random.Generator) -> Parts:
    """Normal equations with a penalty for three or four integer points, a prediction, the penalty beside a mean."""
    while True:
        n = int(rng.integers(3, 5))
        X, y = rng.integers(-2, 4, size=(n, 2)), rng.integers(-4, 7, size=n)
        strength, x = int(rng.integers(1, 6)), rng.integers(1, 4, size=2)
        G, c = X.T @ X, X.T @ y
        A = G + strength * np.eye(2, dtype=int)
        det = int(A[0, 0] * A[1, 1] - A[0, 1] ** 2)
        w = ridge_weights(X, y, strength)
        if det in (10, 16, 20, 25, 32, 40, 50, 64, 80, 100) and G[0, 1] and w.all() and np.abs(w).max() < 9:
            break
    (a, b), (_, e) = A.tolist()
    top = [e * int(c[0]) - b * int(c[1]), a * int(c[1]) - b * int(c[0])]
    predicted = float(w @ x)
    statement = "\n".join(
        [
            f"Minimise $\\sum_n (y_n - \\mathbf{{w}}^\\top \\mathbf{{x}}_n)^2 + \\lambda \\lVert \\mathbf{{w}} "
            f"\\rVert^2$ with $\\lambda = {strength}$, without a bias, for these data:",
            "",
            table([[f"${row(p)}$", int(t)] for p, t in zip(X, y, strict=True)], ["$\\mathbf{x}_n$", "$y_n$"]).markdown,
            "",
            "1. $\\mathbf{X}^\\top \\mathbf{X}$ and $\\mathbf{X}^\\top \\mathbf{y}$ (3 marks),",
            "2. $\\mathbf{A} = \\mathbf{X}^\\top \\mathbf{X} + \\lambda \\mathbf{I}$ and its determinant (2 marks),",
            "3. the weights (3 marks),",
            f"4. the prediction for $\\mathbf{{x}} = {vector(x)}$ (1 mark),",
            "5. the strength that gives the same weights if a book puts $\\tfrac1N$ before the sum (1 mark).",
        ]
    )
    lines = [
        f"**Products** (2 marks for the matrix, 1 for the vector): $\\mathbf{{X}}^\\top \\mathbf{{X}} = {matrix(G)}$ "
        f"and $\\mathbf{{X}}^\\top \\mathbf{{y}} = {vector(c)}$.",
        "",
        f"**Penalty** (1 mark for the matrix, 1 for the determinant): it is added to the diagonal, "
        f"$\\mathbf{{A}} = {matrix(A)}$, and $|\\mathbf{{A}}| = {a} \\cdot {e} - {bracket(b)}^2 = {det}$.",
        "",
        f"**Weights** (1 mark for the inverse, 2 for the values): $\\mathbf{{A}}^{{-1}} = \\frac{{1}}{{{det}}} "
        f"{matrix([[e, -b], [-b, a]])}$, so $\\mathbf{{w}} = \\mathbf{{A}}^{{-1}} \\mathbf{{X}}^\\top \\mathbf{{y}} = "
        f"\\frac{{1}}{{{det}}} {vector(top)} = {vector(w)}$.",
        "",
        f"**Prediction** (1 mark): $\\mathbf{{w}}^\\top \\mathbf{{x}} = \\frac{{{products(top, x)}}}{{{det}}} = "
        f"{sig(predicted)}$.",
        "",
        f"**Mean** (1 mark): dividing the objective by $N = {n}$ moves no minimum, so the strength is "
        f"$\\lambda / N = {strength} / {n} = {sig(strength / n)}$.",
    ]
    answer = {
        "gram": G.tolist(),
        "moments": c.tolist(),
        "A": A.tolist(),
        "determinant": det,
        "w": w.round(12).tolist(),
        "prediction": round(predicted, 12),
        "with_mean": strength / n,
    }
    fields = [
        ask.matrix("gram", "$\\mathbf{X}^\\top \\mathbf{X}$", 1, 2, rows=_AXES, columns=_AXES, whole=True),
        ask.vector("moments", "$\\mathbf{X}^\\top \\mathbf{y}$", 1, titles=_AXES, whole=True),
        ask.matrix(
            "A",
            "$\\mathbf{A}$",
            2,
            rows=_AXES,
            columns=_AXES,
            whole=True,
            follows=[[f"gram[{i},{j}] + {strength * (i == j)}" for j in range(2)] for i in range(2)],
            slips=[
                ask.slip(
                    G + strength,
                    "That adds the penalty to every entry; it belongs on the diagonal only.",
                    card="regularization-lost-marks-normal",
                )
            ],
        ),
        ask.number(
            "determinant",
            "$\\lvert\\mathbf{A}\\rvert$",
            2,
            whole=True,
            follows="A[0,0]*A[1,1] - A[0,1]*A[1,0]",
            slips=[
                ask.slip(
                    int(A[0, 0] * A[1, 1] + A[0, 1] ** 2),
                    "That adds the product of the other diagonal; it is subtracted.",
                    card="regularization-lost-marks-normal",
                )
            ],
        ),
        ask.vector(
            "w",
            "the weights",
            3,
            3,
            titles=_AXES,
            **ask.DERIVED,
            follows=[
                "(A[1,1]*moments[0] - A[0,1]*moments[1]) / determinant",
                "(A[0,0]*moments[1] - A[1,0]*moments[0]) / determinant",
            ],
            slips=[
                ask.slip(
                    ridge_weights(X, y, n * strength),
                    "That has the strength $N\\lambda$, which belongs to a mean of squares; here it is a sum.",
                    card="regularization-lost-marks-mean",
                )
            ],
        ),
        ask.number(
            "prediction",
            "the prediction",
            4,
            **ask.DERIVED,
            follows=f"w[0]*{bracket(int(x[0]))} + w[1]*{bracket(int(x[1]))}",
        ),
        ask.number(
            "with_mean",
            "the strength beside a mean",
            5,
            slips=[
                ask.slip(
                    n * strength,
                    "That multiplies by $N$; dividing the whole objective by $N$ divides the strength, too.",
                    card="regularization-lost-marks-mean",
                )
            ],
        ),
    ]
    given = {"X": X.tolist(), "y": y.tolist(), "strength": strength, "x": x.tolist()}
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("soft-threshold", marks=10, minutes=10, title="Soft threshold: lasso, ridge and subset")
def soft_thresholds(rng: np.random.Generator) -> Parts:
    """Orthonormal columns: weights of lasso, ridge and best subset, the strength that ends it, the missing half."""
    while True:
        z = rng.integers(-12, 13, size=4) / 2
        strength = int(rng.integers(1, 5))
        lasso, halved = soft_threshold(z, strength), soft_threshold(z, strength / 2)
        kept = int((lasso != 0).sum())
        sizes = np.sort(np.abs(z))
        if 0 < kept < 4 and np.diff(sizes).min() > 0 and sizes[0] > 0 and (z < 0).any() and (lasso < 0).any():
            break
    ridge = ridge_weights(np.eye(4), z, strength)
    subset = np.where(lasso != 0, z, 0.0)
    names = [f"$w_{j}$" for j in range(1, 5)]
    statement = "\n".join(
        [
            "The columns of $\\mathbf{X}$ are orthonormal, $\\mathbf{X}^\\top \\mathbf{X} = \\mathbf{I}$, and "
            f"$\\mathbf{{z}} = \\mathbf{{X}}^\\top \\mathbf{{y}} = {vector(z)}$. Take $\\lambda = {strength}$.",
            "",
            "1. Minimise $\\tfrac12 \\lVert \\mathbf{y} - \\mathbf{X}\\mathbf{w} \\rVert^2 + \\lambda \\lVert "
            "\\mathbf{w} \\rVert_1$ (3 marks).",
            "2. From which $\\lambda$ on are all its weights 0? (1 mark)",
            "3. Minimise $\\tfrac12 \\lVert \\mathbf{y} - \\mathbf{X}\\mathbf{w} \\rVert^2 + \\tfrac{\\lambda}{2} "
            "\\lVert \\mathbf{w} \\rVert^2$ (2 marks).",
            "4. Give the least squares weights of the best subset with as many columns as the lasso keeps (2 marks).",
            "5. Minimise $\\lVert \\mathbf{y} - \\mathbf{X}\\mathbf{w} \\rVert^2 + \\lambda \\lVert \\mathbf{w} "
            "\\rVert_1$, with the same $\\lambda$ (2 marks).",
        ]
    )
    lines = [
        "**Lasso** (1 mark for the rule, 2 for the values): each weight is pulled towards 0 by the strength, and to 0 "
        f"if it is nearer, so $\\mathbf{{w}} = {vector(lasso)}$.",
        "",
        f"**All are 0** (1 mark) from the largest modulus on, ${sig(sizes[-1])}$.",
        "",
        f"**Ridge** (1 mark for the rule, 1 for the values): each weight is divided by "
        f"$1 + \\lambda = 1 + {strength} = {1 + strength}$: ${vector(ridge)}$. None is 0.",
        "",
        f"**Subset** (1 mark for the columns, 1 for the values): the residual is smallest with the {kept} largest "
        f"moduli, and these weights are not pulled: ${vector(subset)}$.",
        "",
        f"**Without the half** (1 mark for the threshold, 1 for the values): half the objective has the penalty "
        f"$\\lambda / 2 = {sig(strength / 2)}$, so ${vector(halved)}$.",
    ]
    answer = {
        "lasso": lasso.tolist(),
        "largest": float(sizes[-1]),
        "ridge": ridge.tolist(),
        "subset": subset.tolist(),
        "halved": halved.tolist(),
    }
    fields = [
        ask.vector(
            "lasso",
            "weights of the lasso",
            1,
            3,
            titles=names,
            slips=[
                ask.slip(
                    subset,
                    "These are set to 0 or left as they are, as in the best subset; the lasso pulls all towards 0.",
                    card=_THREE,
                ),
                ask.slip(z - strength, "That subtracts $\\lambda$ from every number, whatever its sign.", card=_THREE),
            ],
        ),
        ask.number("largest", "the smallest strength at which all are 0", 2),
        ask.vector(
            "ridge",
            "weights of ridge",
            3,
            2,
            titles=names,
            slips=[
                ask.slip(
                    lasso, "These are the weights of the lasso; ridge divides each by $1 + \\lambda$.", card=_THREE
                ),
                ask.slip(
                    z / (1 + 2 * strength),
                    "That has $1 + 2\\lambda$; both terms have a half here, so divide by $1 + \\lambda$.",
                    card="regularization-convention-strength",
                ),
            ],
        ),
        ask.vector(
            "subset",
            "weights of the subset",
            4,
            2,
            titles=names,
            follows=[f"{v}*(lasso[{j}] != 0)" for j, v in enumerate(z)],
            slips=[
                ask.slip(lasso, "These are pulled towards 0; the best subset leaves its weights unpulled.", card=_THREE)
            ],
        ),
        ask.vector(
            "halved",
            "weights without the half",
            5,
            2,
            titles=names,
            slips=[
                ask.slip(
                    lasso,
                    "The threshold is still $\\lambda$; without the half before the squares it is $\\lambda/2$.",
                    card="regularization-lost-marks-threshold",
                )
            ],
        ),
    ]
    return Parts(statement, {"z": z.tolist(), "strength": strength}, "\n".join(lines), answer, fields)


@drill("lasso-step", marks=11, minutes=14, title="One sweep of coordinate descent for the lasso")
def lasso_step(rng: np.random.Generator) -> Parts:
    """Two columns of four numbers: both weights in turn from 0, residuals, and the objective before and after."""
    while True:
        X, y = rng.integers(-2, 3, size=(4, 2)), rng.integers(-4, 6, size=4)
        strength = int(rng.integers(1, 4))
        lengths = (X**2).sum(axis=0)
        if not set(lengths.tolist()) <= {2, 4, 5, 8, 10} or not X[:, 0] @ X[:, 1]:
            continue
        first = coordinate_update(X, y, [0.0, 0.0], 0, strength / 4)
        second = coordinate_update(X, y, [first, 0.0], 1, strength / 4)
        r = y - X[:, 0] * first
        z = [float(X[:, 0] @ y), float(X[:, 1] @ r)]
        if first and (second or rng.random() < 0.3) and abs(abs(z[1]) - strength) > 0.05 and min(map(abs, z)) > 0:
            break
    w = [first, second]
    before, after = (4 * elastic_net_objective(X, y, v, strength / 4) for v in ([0.0, 0.0], w))
    rest, product = y - X @ w, _inner(X[:, 1])
    statement = "\n".join(
        [
            "Minimise $\\tfrac12 \\lVert \\mathbf{y} - \\mathbf{X}\\mathbf{w} \\rVert^2 + \\lambda \\lVert \\mathbf{w} "
            f"\\rVert_1$ with $\\lambda = {strength}$ by coordinate descent. The columns are $\\mathbf{{a}} = "
            f"{vector(X[:, 0])}$ and $\\mathbf{{b}} = {vector(X[:, 1])}$, the targets $\\mathbf{{y}} = {vector(y)}$. "
            "Start from zero weights and do one sweep.",
            "",
            "1. The squared lengths of both columns (1 mark),",
            "2. $w_1$ (3 marks),",
            "3. the residuals $\\mathbf{r}$ after it (1 mark),",
            "4. $w_2$ (3 marks),",
            "5. the objective before and after the sweep (3 marks).",
        ]
    )
    lines = [
        f"**Lengths** (1 mark): $\\mathbf{{a}}^\\top\\mathbf{{a}} = {lengths[0]}$ and "
        f"$\\mathbf{{b}}^\\top\\mathbf{{b}} = {lengths[1]}$.",
        "",
        f"**First weight** (1 mark for the product, 1 for the threshold, 1 for the division): "
        f"$\\mathbf{{a}}^\\top \\mathbf{{y}} = {products(X[:, 0], y)} = {sig(z[0])}$, pulled towards 0 by the strength "
        f"to ${sig(first * lengths[0])}$, so $w_1 = {sig(first * lengths[0])} / {lengths[0]} = {sig(first)}$.",
        "",
        f"**Residuals** (1 mark): $\\mathbf{{r}} = \\mathbf{{y}} - w_1 \\mathbf{{a}} = {vector(r)}$.",
        "",
        f"**Second weight** (1 mark for the product with the *new* residuals, 1 for the threshold, 1 for the "
        f"division): $\\mathbf{{b}}^\\top \\mathbf{{r}} = {products(X[:, 1], r)} = {sig(z[1])}$, "
        f"pulled to ${sig(second * lengths[1])}$, so $w_2 = {sig(second * lengths[1])} / {lengths[1]} = "
        f"{sig(second)}$.",
        "",
        f"**Objective** (1 mark before, 2 after): before, $\\tfrac12 \\mathbf{{y}}^\\top\\mathbf{{y}} = {sig(before)}$."
        f" The residuals are now ${vector(rest)}$, half their squared length is ${sig(rest @ rest / 2)}$ and the "
        f"penalty ${strength} \\cdot {sig(np.abs(w).sum())} = {sig(strength * np.abs(w).sum())}$, "
        f"together ${sig(after)}$.",
    ]
    answer = {
        "lengths": lengths.tolist(),
        "first": first,
        "residuals": r.tolist(),
        "second": second,
        "before": before,
        "after": after,
    }
    fields = [
        ask.vector("lengths", "squared lengths", 1, titles=["$\\mathbf{a}$", "$\\mathbf{b}$"], whole=True),
        ask.number(
            "first",
            "$w_1$",
            2,
            3,
            follows=f"{first * lengths[0]} / lengths[0]",
            slips=[
                ask.slip(
                    z[0] / lengths[0],
                    "That is the least-squares weight; pull the product towards 0 by $\\lambda$ before you divide.",
                    card=_THREE,
                ),
                ask.slip(
                    first * lengths[0],
                    "That is not divided by the squared length of the column, which is not 1 here.",
                    card=_THREE,
                ),
            ],
        ),
        ask.vector(
            "residuals",
            "residuals after it",
            3,
            follows=[f"{t} - {bracket(int(u))}*first" for u, t in zip(X[:, 0], y, strict=True)],
        ),
        ask.number(
            "second",
            "$w_2$",
            4,
            3,
            **ask.DERIVED,
            follows=f"(max({product} - {strength}, 0) - max(-({product}) - {strength}, 0)) / lengths[1]",
            slips=[
                ask.slip(
                    coordinate_update(X, y, [0.0, 0.0], 1, strength / 4),
                    "That uses the targets; the second weight sees the residuals that the first one has left.",
                    card="regularization-lost-marks-normal",
                )
            ],
        ),
        ask.number(
            "before",
            "objective before",
            5,
            slips=[ask.slip(2 * before, "The half before the squares is missing.", card=_STRENGTH)],
        ),
        ask.number(
            "after",
            "objective after",
            5,
            2,
            **ask.DERIVED,
            follows=f"({_squares(X[:, 1])}) / 2 + {strength}*(abs(first) + abs(second))",
            slips=[
                ask.slip(float(rest @ rest) / 2, "The penalty is missing.", card=_STRENGTH),
                ask.slip(
                    float(rest @ rest) + strength * float(np.abs(w).sum()),
                    "The half before the squares is missing.",
                    card=_STRENGTH,
                ),
            ],
        ),
    ]
    given = {"X": X.tolist(), "y": y.tolist(), "strength": strength}
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _inner(column: np.ndarray) -> str:
    """The product of a column with the residuals, as an expression."""
    return " + ".join(f"{bracket(int(v))}*residuals[{i}]" for i, v in enumerate(column))


def _squares(column: np.ndarray) -> str:
    """The sum of squares that is left after the second weight, as an expression."""
    return " + ".join(f"(residuals[{i}] - {bracket(int(v))}*second)^2" for i, v in enumerate(column))

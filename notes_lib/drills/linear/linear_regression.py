"""Drills on linear regression: one feature by hand, the normal equations as matrices, leverage and influence."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, matrix, products, vector
from notes_lib.linear.linear_regression import add_intercept, hat_matrix, influence, least_squares_summary


class _Line(NamedTuple):
    """Points with a least-squares line whose coefficients are short decimals."""

    x: FloatArray
    y: FloatArray
    slope: float
    intercept: float
    rss: float


@drill("linear-regression-1d", marks=10, minutes=14, title="Linear regression with one feature")
def one_feature(rng: np.random.Generator) -> Parts:
    """Means, sums of squares, slope, intercept, R^2, standard error of the slope, a prediction."""
    x, y, b, a, rss = _line(rng, 5)
    fit = least_squares_summary(add_intercept(x[:, None]), y)
    dx, dy = x - x.mean(), y - y.mean()
    sxx, sxy, syy = (float(v) for v in (dx @ dx, dx @ dy, dy @ dy))
    new = float(x.max() + rng.integers(1, 4))
    s2, se, r2 = round(fit.scale, 9), round(float(fit.bse[1]), 9), round(fit.rsquared, 9)
    predicted = a + b * new
    statement = "\n".join(
        [
            "Fit $\\hat y = w_0 + w_1 x$ by least squares to the five points of the table. Find",
            "",
            "1. the means $\\bar x$ and $\\bar y$ (1 mark),",
            "2. the sums $S_{xx}$, $S_{xy}$ and $S_{yy}$ of squares and products of the deviations (2 marks),",
            "3. the slope $w_1$ and the intercept $w_0$ (2 marks),",
            "4. the residual sum of squares $Q$ and $R^2$ (2 marks),",
            "5. the estimate $s^2$ of the noise variance and the standard error $e$ of the slope (2 marks),",
            f"6. the prediction at $x = {sig(new)}$ (1 mark).",
            "",
            "Fill in:",
            "",
            table([[u, v, "", "", "", "", ""] for u, v in zip(x, y, strict=True)], _HEADER).markdown,
        ]
    )
    rows = [[u, v, p, q, p * p, p * q, q * q] for u, v, p, q in zip(x, y, dx, dy, strict=True)]
    lines = [
        f"**Means** (1 mark): $\\bar x = {sig(x.sum())} / 5 = {sig(x.mean())}$ and $\\bar y = {sig(y.sum())} / 5 = "
        f"{sig(y.mean())}$.",
        "",
        "**Sums** (1 mark for the deviations, 1 for the sums):",
        "",
        table(rows, _HEADER).markdown,
        "",
        f"The sums of the last three columns are $S_{{xx}} = {sig(sxx)}$, $S_{{xy}} = {sig(sxy)}$ and $S_{{yy}} = "
        f"{sig(syy)}$.",
        "",
        f"**Line** (1 mark for the slope, 1 for the intercept): "
        f"$w_1 = S_{{xy}} / S_{{xx}} = {sig(sxy)} / {sig(sxx)} = {sig(b)}$ and $w_0 = \\bar y "
        f"- w_1 \\bar x = {sig(y.mean())} - {bracket(b)} \\cdot {bracket(x.mean())} = {sig(a)}$.",
        "",
        f"**Fit** (1 mark for the sum, 1 for its share): "
        f"$Q = S_{{yy}} - w_1 S_{{xy}} = {sig(syy)} - {bracket(b)} \\cdot {bracket(sxy)} = "
        f"{sig(rss)}$ and $R^2 = 1 - Q / S_{{yy}} = 1 - {sig(rss)} / {sig(syy)} = {sig(r2)}$.",
        "",
        f"**Standard error** (1 mark for the variance, 1 for the root): "
        f"two weights are fitted, so $s^2 = Q / (5 - 2) = {sig(rss)} / 3 = "
        f"{sig(s2)}$ and $e = \\sqrt{{Q / (3\\, S_{{xx}})}} = \\sqrt{{{sig(rss)} / (3 \\cdot {sig(sxx)})}} = "
        f"{sig(se)}$.",
        "",
        f"**Prediction** (1 mark): ${sig(a)} + {bracket(b)} \\cdot {sig(new)} = {sig(predicted)}$. The point lies "
        "outside the data: the line is extended on trust.",
    ]
    answer = {
        "means": [float(x.mean()), float(y.mean())],
        "sums": [sxx, sxy, syy],
        "slope": b,
        "intercept": a,
        "rss": rss,
        "r2": r2,
        "s2": s2,
        "se": se,
        "prediction": predicted,
    }
    fields = [
        ask.vector("means", "the means", 1, titles=["$\\bar x$", "$\\bar y$"]),
        ask.vector(
            "sums",
            "the sums",
            2,
            2,
            titles=["$S_{xx}$", "$S_{xy}$", "$S_{yy}$"],
            follows=[_deviations(x, x, 0, 0), _deviations(x, y, 0, 1), _deviations(y, y, 1, 1)],
            slips=[
                ask.slip(
                    [x @ x, x @ y, y @ y],
                    "These are sums of plain squares and products; subtract the means first.",
                    card=_RESIDUALS,
                )
            ],
        ),
        ask.number(
            "slope",
            "the slope $w_1$",
            3,
            follows="sums[1] / sums[0]",
            slips=[
                ask.slip(
                    sxy / syy,
                    "That divides by $S_{yy}$, which is the line for $x$ given $y$; divide by $S_{xx}$.",
                    card="linear-regression-convention-names",
                )
            ],
        ),
        ask.number(
            "intercept",
            "the intercept $w_0$",
            3,
            follows="means[1] - slope*means[0]",
            slips=[
                ask.slip(
                    y.mean() + b * x.mean(),
                    "The sign is turned round: $w_0 = \\bar y - w_1 \\bar x$.",
                    card="linear-regression-lost-marks-constant",
                )
            ],
        ),
        ask.number("rss", "the residual sum of squares $Q$", 4, follows="sums[2] - slope*sums[1]"),
        ask.number(
            "r2",
            "$R^2$",
            4,
            percent=True,
            **ask.DERIVED,
            follows="1 - rss / sums[2]",
            slips=[
                ask.slip(
                    1 - r2, "That is the share that is left; $R^2$ is the share that is explained.", card=_RESIDUALS
                )
            ],
        ),
        ask.number(
            "s2",
            "the noise variance $s^2$",
            5,
            **ask.DERIVED,
            follows=f"rss / {len(x) - 2}",
            slips=[
                ask.slip(
                    rss / len(x), "That divides by $N$; two weights are fitted, so divide by $N - 2$.", card=_FACTOR
                ),
                ask.slip(
                    rss / (len(x) - 1),
                    "That divides by $N - 1$; two weights are fitted, so divide by $N - 2$.",
                    card=_FACTOR,
                ),
            ],
        ),
        ask.number(
            "se",
            "the standard error $e$ of the slope",
            5,
            **ask.DERIVED,
            follows="sqrt(s2 / sums[0])",
            slips=[
                ask.slip(s2 / sxx, "That is the variance of the slope; its root is the standard error.", card=_FACTOR)
            ],
        ),
        ask.number("prediction", "the prediction", 6, follows=f"intercept + slope*{new}"),
    ]
    return Parts(statement, {"x": x.tolist(), "y": y.tolist(), "new": new}, "\n".join(lines), answer, fields)


def _deviations(u: FloatArray, v: FloatArray, i: int, j: int) -> str:
    """A sum of products of deviations from the means, as an expression."""
    return " + ".join(f"({a} - means[{i}])*({b} - means[{j}])" for a, b in zip(u, v, strict=True))


_RESIDUALS = "linear-regression-do-not-confuse-residuals"
_FACTOR = "linear-regression-convention-factor"
_INFLUENCE = "linear-regression-do-not-confuse-influence"
_HEADER = ["$x$", "$y$", "$x - \\bar x$", "$y - \\bar y$", "$(x - \\bar x)^2$", "$(x - \\bar x)(y - \\bar y)$",
           "$(y - \\bar y)^2$"]  # fmt: skip


@drill("normal-equations", marks=10, minutes=14, title="Normal equations")
def matrices(rng: np.random.Generator) -> Parts:
    """Gram matrix, its inverse, weights, residuals and their orthogonality for a design with two columns."""
    X, y, w = _design(rng)
    G, c = X.T @ X, X.T @ y
    (p, q), (_, r) = G
    det = float(p * r - q * q)
    fitted = X @ w
    e = y - fitted
    rss = float(e @ e)
    statement = "\n".join(
        [
            "Least squares with the design matrix $\\mathbf{X}$ and the targets $\\mathbf{y}$,",
            "",
            f"$$\n\\mathbf{{X}} = {matrix(X)}, \\qquad \\mathbf{{y}} = {matrix(y[:, None])} .\n$$",
            "",
            "1. Compute $\\mathbf{G} = \\mathbf{X}^\\top \\mathbf{X}$ and $\\mathbf{c} = \\mathbf{X}^\\top "
            "\\mathbf{y}$. (3 marks)",
            "2. Compute $|\\mathbf{G}|$ and $\\mathbf{G}^{-1}$. (2 marks)",
            "3. Solve the normal equations for $\\mathbf{w}$. (2 marks)",
            "4. Find the residuals $\\mathbf{r}$, show that they are orthogonal to both columns, and add their "
            "squares. (3 marks)",
        ]
    )
    adjugate = [[r, -q], [-q, p]]
    lines = [
        f"**Products** (2 marks for the matrix, 1 for the vector): $\\mathbf{{G}} = {matrix(G)}$ and $\\mathbf{{c}} = "
        f"{vector(c)}$.",
        "",
        f"**Inverse** (1 mark for the determinant, 1 for the matrix): "
        f"$|\\mathbf{{G}}| = {sig(p)} \\cdot {sig(r)} - {bracket(q)}^2 = {sig(det)}$, so "
        f"$\\mathbf{{G}}^{{-1}} = \\frac{{1}}{{{sig(det)}}} {matrix(adjugate)}$.",
        "",
        f"**Weights** (1 mark for the product, 1 for the value): $\\mathbf{{w}} = \\mathbf{{G}}^{{-1}} \\mathbf{{c}} = "
        f"\\frac{{1}}{{{sig(det)}}} {vector(np.array(adjugate) @ c)} = {vector(w)}$.",
        "",
        f"**Residuals** (1 mark): $\\mathbf{{X}} \\mathbf{{w}} = {vector(fitted)}$, so $\\mathbf{{r}} = \\mathbf{{y}} "
        f"- \\mathbf{{X}} \\mathbf{{w}} = {vector(e)}$.",
        "",
        f"Orthogonal (1 mark): ${products(X[:, 0], e)} = 0$ and ${products(X[:, 1], e)} = 0$.",
        "",
        f"Sum of squares (1 mark): $\\mathbf{{r}}^\\top \\mathbf{{r}} = {products(e, e)} = {sig(rss)}$.",
    ]
    answer = {
        "gram": G.tolist(),
        "c": c.tolist(),
        "determinant": det,
        "inverse": (np.array(adjugate) / det).tolist(),
        "w": w.tolist(),
        "residuals": e.tolist(),
        "rss": rss,
    }
    fields = [
        ask.matrix("gram", "$\\mathbf{G}$", 1, 2, rows=_TWO, columns=_TWO),
        ask.vector("c", "$\\mathbf{c}$", 1, titles=_TWO),
        ask.number(
            "determinant",
            "$\\lvert\\mathbf{G}\\rvert$",
            2,
            follows="gram[0,0]*gram[1,1] - gram[0,1]*gram[1,0]",
            slips=[
                ask.slip(
                    p * r + q * q,
                    "That adds the product of the other diagonal; it is subtracted.",
                    card="linear-regression-lost-marks-singular",
                )
            ],
        ),
        ask.matrix(
            "inverse",
            "$\\mathbf{G}^{-1}$",
            2,
            rows=_TWO,
            columns=_TWO,
            follows=[
                ["gram[1,1] / determinant", "-gram[0,1] / determinant"],
                ["-gram[1,0] / determinant", "gram[0,0] / determinant"],
            ],
            slips=[
                ask.slip(
                    adjugate,
                    "That is not divided by the determinant.",
                    card="linear-regression-lost-marks-singular",
                ),
                ask.slip(
                    [[p / det, -q / det], [-q / det, r / det]],
                    "The entries of the diagonal have to change their places.",
                    card="linear-regression-lost-marks-singular",
                ),
            ],
        ),
        ask.vector(
            "w",
            "the weights $\\mathbf{w}$",
            3,
            2,
            titles=_TWO,
            follows=[f"inverse[{i},0]*c[0] + inverse[{i},1]*c[1]" for i in range(2)],
            slips=[
                ask.slip(
                    2 * w,
                    "That is the root of a gradient with a 2 before one term only.",
                    card="linear-regression-lost-marks-factor",
                )
            ],
        ),
        ask.vector(
            "residuals",
            "the residuals $\\mathbf{r}$",
            4,
            2,
            titles=range(1, len(y) + 1),
            follows=[f"{v} - (({s})*w[0] + ({t})*w[1])" for (s, t), v in zip(X, y, strict=True)],
            slips=[
                ask.slip(
                    -e, "The sign is turned round: a residual is the target minus the prediction.", card=_RESIDUALS
                )
            ],
        ),
        ask.number(
            "rss",
            "the sum of their squares",
            4,
            **ask.DERIVED,
            follows=" + ".join(f"residuals[{i}]^2" for i in range(len(y))),
            slips=[ask.slip(rss / len(y), "That is the mean; the question asks for the sum.", card=_RESIDUALS)],
        ),
    ]
    return Parts(statement, {"X": X.tolist(), "y": y.tolist()}, "\n".join(lines), answer, fields)


_TWO = ["1", "2"]


@drill("hat-matrix", marks=9, minutes=12, title="Hat matrix, leverage and Cook's distance")
def hat(rng: np.random.Generator) -> Parts:
    """Leverages of a line, one entry of the hat matrix, a residual of leaving one out, Cook's distance."""
    while True:
        x, y, b, a, rss = _line(rng, int(rng.integers(4, 6)))
        n, sxx = len(x), float(np.sum((x - x.mean()) ** 2))
        h = 1 / n + (x - x.mean()) ** 2 / sxx
        k, other = int(h.argmax()), int(h.argmin())
        if all(_short(v) for v in h) and 0.4 < h[k] < 0.9 and abs(y[k] - a - b * x[k]) > 0.2:
            break
    X = add_intercept(x[:, None])
    found, H = influence(X, y), hat_matrix(X)
    e, cook = round(float(y[k] - a - b * x[k]), 9), round(float(found.cooks_distance[k]), 9)
    left_out, entry = round(float(e / (1 - h[k])), 9), round(float(H[k, other]), 9)
    trace = round(float(np.trace(H)), 9)
    u, v = x[k] - x.mean(), x[other] - x.mean()
    statement = "\n".join(
        [
            f"Least squares fits a line with the intercept $w_0 = {sig(a)}$ and the slope $w_1 = {sig(b)}$ to the {n} "
            f"points of the table; the residual sum of squares is $Q = {sig(rss)}$. Find",
            "",
            "1. the leverages $h_n$ of all points and their sum (3 marks),",
            f"2. the entry of the hat matrix in row {k + 1} and column {other + 1} (1 mark),",
            f"3. the residual $r$ of point {k + 1}, and the residual $r'$ that it has for the line through the other "
            "points (2 marks),",
            f"4. Cook's distance $D$ of point {k + 1}, and whether it exceeds 1 (3 marks).",
            "",
            "Fill in:",
            "",
            table([[i, p, q, "", "", ""] for i, (p, q) in enumerate(zip(x, y, strict=True), 1)], _HAT).markdown,
        ]
    )
    rows = [[i, p, q, p - x.mean(), (p - x.mean()) ** 2, g] for i, (p, q, g) in enumerate(zip(x, y, h, strict=True), 1)]
    large = cook > 1
    lines = [
        f"**Leverages** (2 marks): $\\bar x = {sig(x.mean())}$ and $S_{{xx}} = {sig(sxx)}$, the sum of the fifth "
        f"column; each leverage is $1/{n}$ plus the entry of that column over ${sig(sxx)}$:",
        "",
        table(rows, _HAT).markdown,
        "",
        f"Their sum (1 mark) is {sig(trace)}, the number of weights.",
        "",
        f"**Entry** (1 mark): $1/{n} + {bracket(u)} \\cdot {bracket(v)} / {sig(sxx)} = {sig(entry)}$.",
        "",
        f"**Residuals** (1 mark with the point, 1 without it): "
        f"$r = {sig(y[k])} - ({sig(a)} + {bracket(b)} \\cdot {bracket(x[k])}) = "
        f"{sig(e)}$, and without the point, over one minus the leverage, "
        f"$r' = {sig(e)} / (1 - {sig(h[k])}) = {sig(left_out)}$.",
        "",
        f"**Cook's distance**: $s^2 = {sig(rss)} / ({n} - 2) = {sig(rss / (n - 2))}$ (1 mark), so with two weights "
        f"$D = \\frac{{{bracket(e)}^2}}{{2 \\cdot {sig(rss)} / {n - 2}}} \\cdot \\frac{{{sig(h[k])}}}"
        f"{{(1 - {sig(h[k])})^2}} = {sig(cook)}$ (1 mark), which is {'above' if large else 'not above'} 1 (1 mark): "
        f"{'this point alone moves the line far' if large else 'the line does not hang on this point'}.",
    ]
    answer = {
        "leverages": h.round(9).tolist(),
        "trace": trace,
        "entry": entry,
        "residual": e,
        "left_out": left_out,
        "cook": cook,
        "large": "yes" if large else "no",
    }
    fields = [
        ask.vector(
            "leverages",
            "the leverages",
            1,
            2,
            titles=range(1, n + 1),
            slips=[ask.slip(h - 1 / n, "The $1/N$ of the intercept is missing in each leverage.", card=_INFLUENCE)],
        ),
        ask.number("trace", "their sum", 1, follows="sum(leverages)"),
        ask.number(
            "entry",
            "the entry of the hat matrix",
            2,
            slips=[ask.slip(entry - 1 / n, "The $1/N$ of the intercept is missing.", card=_INFLUENCE)],
        ),
        ask.number(
            "residual",
            "the residual $r$",
            3,
            slips=[
                ask.slip(
                    -e, "The sign is turned round: a residual is the target minus the prediction.", card=_RESIDUALS
                )
            ],
        ),
        ask.number(
            "left_out",
            "the residual $r'$ without the point",
            3,
            **ask.DERIVED,
            follows=f"residual / (1 - leverages[{k}])",
            slips=[
                ask.slip(
                    e * (1 - h[k]),
                    "That multiplies by one minus the leverage; without the point the residual is larger, so divide.",
                    card=_INFLUENCE,
                )
            ],
        ),
        ask.number(
            "cook",
            "Cook's distance $D$",
            4,
            2,
            **ask.DERIVED,
            follows=f"residual^2 / {2 * rss / (n - 2)} * leverages[{k}] / (1 - leverages[{k}])^2",
            slips=[
                ask.slip(2 * cook, "That is not divided by the number of weights, which is 2.", card=_INFLUENCE),
                ask.slip(
                    cook * (1 - h[k]),
                    "The last factor has $(1 - h)^2$ below it; one power is missing.",
                    card=_INFLUENCE,
                ),
            ],
        ),
        ask.choice("large", "$D > 1$", 4, options=["yes", "no"], follows="cook <= 1"),
    ]
    given = {"x": x.tolist(), "y": y.tolist(), "line": [a, b], "rss": rss, "row": k, "column": other}
    return Parts(statement, given, "\n".join(lines), answer, fields)


_HAT = ["$n$", "$x$", "$y$", "$x - \\bar x$", "$(x - \\bar x)^2$", "$h_n$"]


def _short(value: float) -> bool:
    """Whether four significant digits show the number exactly."""
    return abs(float(sig(value)) - value) < 1e-12


def _line(rng: np.random.Generator, n: int) -> _Line:
    """Whole points with whole means and a line whose slope, intercept and residual sum of squares are short."""
    while True:
        x, noise = rng.choice(12, size=n, replace=False), rng.integers(-3, 4, size=n)
        y = int(rng.integers(0, 6)) + int(rng.choice([-2, -1, 1, 2])) * x + noise
        if x.sum() % n or y.sum() % n or y.min() < -12:
            continue
        dx, dy = x - x.mean(), y - y.mean()
        slope = float(dx @ dy / (dx @ dx))
        slope, intercept = round(slope, 9), round(float(y.mean() - slope * x.mean()), 9)
        rss = round(float(dy @ dy - slope * (dx @ dy)), 9)
        if abs(slope) > 0.1 and 0.5 < rss < 0.6 * (dy @ dy) and all(map(_short, (slope, intercept, rss))):
            return _Line(x.astype(float), y.astype(float), float(slope), intercept, float(rss))


def _design(rng: np.random.Generator) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A design with two columns, the first one of ones in half of the cases, and targets with short weights."""
    while True:
        X = rng.integers(-2, 4, size=(4, 2)).astype(float)
        if rng.integers(2):
            X[:, 0] = 1.0
        y = rng.integers(-3, 9, size=4).astype(float)
        G, c = X.T @ X, X.T @ y
        det = round(G[0, 0] * G[1, 1] - G[0, 1] ** 2)
        if det not in (4, 5, 8, 10, 20, 25, 40, 50, 80, 100) or not np.ptp(X[:, 1]):
            continue
        w = (np.array([G[1, 1] * c[0] - G[0, 1] * c[1], G[0, 0] * c[1] - G[0, 1] * c[0]]) / det).round(9)
        e = (y - X @ w).round(9)
        if w.all() and e @ e > 0.4 and all(_short(v) for v in [*w, *e, *(X @ w).round(9), round(float(e @ e), 9)]):
            return X, y, w

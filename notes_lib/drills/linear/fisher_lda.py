"""Drill on Fisher's linear discriminant: from six to eight integer points to a classified query, by hand."""

from __future__ import annotations

from math import gcd

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, matrix, row, vector
from notes_lib.linear.fisher_lda import fisher_direction, scatter_matrices


@drill("fisher-lda", marks=12, minutes=18, title="Fisher's linear discriminant")
def direction(rng: np.random.Generator) -> Parts:
    """Scatter matrices, direction, midpoint threshold and one decision for two small classes in the plane."""
    while True:
        A, B = _triangle(rng), _triangle(rng) + rng.integers(-4, 5, size=2)
        X, y = np.vstack([A, B]).astype(float), np.repeat([0, 1], [len(A), len(B)])
        m = np.array([A.mean(axis=0), B.mean(axis=0)])
        S_w = scatter_matrices(X, y).S_w.round()  # whole numbers, because points and means are
        det = round(S_w[0, 0] * S_w[1, 1] - S_w[0, 1] ** 2)
        delta = m[1] - m[0]
        if det < 3 or np.abs(delta).sum() < 3:  # close to singular, or means (nearly) in one place
            continue
        w = np.array([S_w[1, 1] * delta[0] - S_w[0, 1] * delta[1], S_w[0, 0] * delta[1] - S_w[0, 1] * delta[0]])
        v = (w / gcd(*(round(abs(a)) for a in w))).round()  # the same direction in the smallest integers
        c = v @ m.sum(axis=0) / 2
        x = rng.integers(X.min(), X.max() + 1, size=2).astype(float)
        if np.abs(v).max() <= 20 and np.abs(v).min() > 0 and abs(v @ x - c) > 0.6:  # no tie, both coordinates count
            break
    unit = fisher_direction(X, y)
    S = [(X[y == k] - m[k]).T @ (X[y == k] - m[k]) for k in range(2)]
    label = 1 + int(v @ x > c)
    statement = "\n".join(
        [
            f"Class 1 holds {_points(A)}, class 2 holds {_points(B)}. Find Fisher's linear discriminant:",
            "",
            "1. the class means (1 mark),",
            "2. the scatter matrices $\\mathbf{S}_1$, $\\mathbf{S}_2$ and $\\mathbf{S}_w$ (4 marks),",
            "3. $\\mathbf{S}_w^{-1}$ (2 marks),",
            "4. the direction $\\mathbf{w}$, in the smallest integers, pointing from class 1 to class 2 (2 marks),",
            "5. the threshold half-way between the projected means (1 mark),",
            f"6. the class of $\\mathbf{{x}} = {vector(x)}$ (2 marks).",
            "",
            "Fill in:",
            "",
            table([[k + 1, f"${row(p)}$", "", "", "", ""] for k in range(2) for p in (A, B)[k]], _HEADER).markdown,
        ]
    )
    deviations = X - m[y]
    rows = [[y[i] + 1, f"${row(X[i])}$", f"${row(d)}$", d[0] ** 2, d[0] * d[1], d[1] ** 2]
            for i, d in enumerate(deviations)]  # fmt: skip
    (a, b), (_, e) = S_w
    side = ">" if label == 2 else "<"
    lines = [
        f"**Means** (1 mark): $\\mathbf{{m}}_1 = {vector(m[0])}$ and $\\mathbf{{m}}_2 = {vector(m[1])}$.",
        "",
        "**Scatter** (1 mark for the deviations, 1 for each of the three matrices). Deviations are from the mean of "
        "the point's own class:",
        "",
        table(rows, _HEADER).markdown,
        "",
        f"The sums of the last three columns, class by class, are the entries: $\\mathbf{{S}}_1 = {matrix(S[0])}$, "
        f"$\\mathbf{{S}}_2 = {matrix(S[1])}$, $\\mathbf{{S}}_w = \\mathbf{{S}}_1 + \\mathbf{{S}}_2 = {matrix(S_w)}$.",
        "",
        f"**Inverse** (1 mark for the determinant, 1 for the matrix): $|\\mathbf{{S}}_w| = {sig(a)} \\cdot {sig(e)} - "
        f"{bracket(b)}^2 = {det}$, so $\\mathbf{{S}}_w^{{-1}} = \\frac{{1}}{{{det}}} {matrix([[e, -b], [-b, a]])}$.",
        "",
        f"**Direction** (1 mark for the formula, 1 for the value): $\\mathbf{{m}}_2 - \\mathbf{{m}}_1 = "
        f"{vector(delta)}$, so "
        f"$\\mathbf{{S}}_w^{{-1}}(\\mathbf{{m}}_2 - \\mathbf{{m}}_1) = \\frac{{1}}{{{det}}} {vector(w)} \\propto "
        f"{vector(v)} = \\mathbf{{w}}$. A positive factor does not matter. At unit length: ${vector(unit)}$.",
        "",
        f"**Threshold** (1 mark): $\\mathbf{{w}}^\\top \\mathbf{{m}}_1 = {sig(v @ m[0])}$ and "
        f"$\\mathbf{{w}}^\\top \\mathbf{{m}}_2 = {sig(v @ m[1])}$, half-way $c = {sig(c)}$.",
        "",
        f"**Decision** (1 mark for the projection, 1 for the class): $\\mathbf{{w}}^\\top \\mathbf{{x}} = "
        f"{sig(v @ x)} {side} {sig(c)}$, so $\\mathbf{{x}}$ belongs to class {label}.",
    ]
    given = {"class_1": A.tolist(), "class_2": B.tolist(), "query": x.tolist()}
    answer = {
        "means": m.tolist(),
        "scatter": [s.tolist() for s in S],
        "S_w": S_w.tolist(),
        "determinant": det,
        "w": v.tolist(),
        "unit": unit.round(9).tolist(),  # the last digits depend on the processor
        "threshold": float(c),
        "score": float(v @ x),
        "label": label,
        "inverse": (np.array([[e, -b], [-b, a]]) / det).tolist(),
    }
    fields = [
        ask.matrix("means", "the class means", 1, rows=["$\\mathbf{m}_1$", "$\\mathbf{m}_2$"], columns=_AXES),
        *(
            ask.matrix(
                f"scatter.{k}",
                f"$\\mathbf{{S}}_{k + 1}$",
                2,
                rows=_AXES,
                columns=_AXES,
                follows=_scatter((A, B)[k], k),
                slips=[ask.slip(S[k] / len((A, B)[k]), _DIVIDED, card="fisher-lda-convention-divisor")],
            )
            for k in range(2)
        ),
        ask.matrix(
            "S_w",
            "$\\mathbf{S}_w$",
            2,
            2,
            rows=_AXES,
            columns=_AXES,
            follows=[[f"scatter.0[{i},{j}] + scatter.1[{i},{j}]" for j in range(2)] for i in range(2)],
            slips=[
                ask.slip(
                    S[0] / len(A) + S[1] / len(B),
                    "That adds the covariances; the scatter matrices are added undivided.",
                    card="fisher-lda-lost-marks-pooling",
                )
            ],
        ),
        ask.matrix(
            "inverse",
            "$\\mathbf{S}_w^{-1}$",
            3,
            2,
            rows=_AXES,
            columns=_AXES,
            follows=[
                [f"S_w[1,1] / ({_DETERMINANT})", f"-S_w[0,1] / ({_DETERMINANT})"],
                [f"-S_w[1,0] / ({_DETERMINANT})", f"S_w[0,0] / ({_DETERMINANT})"],
            ],
            slips=[
                ask.slip(
                    [[e, -b], [-b, a]], "That is not divided by the determinant.", card="fisher-lda-convention-length"
                )
            ],
        ),
        ask.vector(
            "w",
            "the direction, in the smallest integers, from class 1 to class 2",
            4,
            2,
            whole=True,
            after=["means", "inverse"],
            slips=[
                ask.slip(-v, "That points from class 2 to class 1.", card="fisher-lda-convention-length"),
                ask.slip(
                    delta,
                    "That is the difference of the means; multiply it by $\\mathbf{S}_w^{-1}$.",
                    card="fisher-lda-do-not-confuse-linear",
                ),
            ],
        ),
        ask.number(
            "threshold",
            "the threshold",
            5,
            follows="(w[0]*(means[0,0] + means[1,0]) + w[1]*(means[0,1] + means[1,1])) / 2",
            slips=[
                ask.slip(
                    float(2 * c),
                    "That is the sum of the projected means; half-way is half of it.",
                    card="fisher-lda-do-not-confuse-linear",
                )
            ],
        ),
        ask.number(
            "score",
            "the projection $\\mathbf{w}^\\top\\mathbf{x}$",
            6,
            follows=f"w[0]*{bracket(x[0])} + w[1]*{bracket(x[1])}",
        ),
        ask.choice("label", "the class", 6, options=[1, 2], follows="score > threshold"),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


_AXES = ["1", "2"]
_DIVIDED = "That is the covariance, divided by the number of points; a scatter matrix is the plain sum."
_DETERMINANT = "S_w[0,0]*S_w[1,1] - S_w[0,1]*S_w[1,0]"


def _scatter(P: np.ndarray, k: int) -> list[list[str]]:
    """The scatter matrix of a class by its mean, as expressions."""
    return [
        [" + ".join(f"({p[i]} - means[{k},{i}])*({p[j]} - means[{k},{j}])" for p in P) for j in range(2)]
        for i in range(2)
    ]


_HEADER = ["class", "$\\mathbf{x}$", "$\\mathbf{x} - \\mathbf{m}$", "$d_1^2$", "$d_1 d_2$", "$d_2^2$"]


def _triangle(rng: np.random.Generator) -> np.ndarray:
    """Three or four different integer points whose mean is an integer point."""
    while True:
        n = int(rng.integers(3, 5))
        P = rng.integers(-2, 3, size=(n, 2))
        if not (P.sum(axis=0) % n).any() and len(np.unique(P, axis=0)) == n:
            return np.asarray(P + rng.integers(2, 7, size=2))


def _points(P: np.ndarray) -> str:
    return ", ".join(f"${row(p)}$" for p in P)

"""Drill on canonical correlations: two views of two columns each, from their covariances to the first directions."""

from __future__ import annotations

from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import matrix, products, short, vector
from notes_lib.reduction.cca import direction_correlation, whitened_covariance

# pairs of correlations for which every number on the way is a decimal of at most four places
PAIRS = [
    (0.75, 0.25),
    (0.75, 0.5),
    (0.5, 0.25),
    (0.8, 0.3),
    (0.8, 0.2),
    (0.7, 0.2),
    (0.9, 0.4),
    (0.6, 0.1),
    (0.6, 0.35),
]


_CARD, _LENGTHS = "cca-do-not-confuse-methods", "cca-convention-lengths"
_SIZE = "(K[0,0]^2 + K[0,1]^2 + K[1,0]^2 + K[1,1]^2)"
_AREA = "abs(K[0,0]*K[1,1] - K[0,1]*K[1,0])"


def _direction(entry: str, spread: np.ndarray) -> list[str]:
    """The first direction of a view, with scores of variance 1, by K and the first correlation, as expressions."""
    k = [[entry.format(i, j) for j in range(2)] for i in range(2)]
    along = [f"({k[0][0]}*{k[1][0]} + {k[0][1]}*{k[1][1]})", f"(correlations[0]^2 - {k[0][0]}^2 - {k[0][1]}^2)"]
    return [f"{v} / sqrt({along[0]}^2 + {along[1]}^2) / {u}" for v, u in zip(along, spread, strict=True)]


@drill("cca-correlation", marks=12, minutes=16, title="Canonical correlations")
def cca_correlation(rng: np.random.Generator) -> Parts:
    """Correlation of two sums, whitened cross-covariance, both correlations, first directions, and certain ones."""
    rho, p = np.array(PAIRS[rng.integers(len(PAIRS))]), np.array([[0.6, 0.8], [0.8, 0.6]][rng.integers(2)])
    s, t = (rng.choice([1, 2, 4, 5], 2, replace=False) for _ in range(2))
    P, Q = (np.column_stack([v, [-v[1], v[0]]]) for v in (p, p[::-1]))
    C_xx, C_yy, C_xy = np.diag(s**2), np.diag(t**2), (np.outer(s, t) * (P * rho @ Q.T)).round(6)
    while True:
        n_x, n_y, n = (int(rng.integers(low, high)) for low, high in ((3, 9), (3, 9), (8, 15)))
        if n_x != n_y and max(n_x, n_y) < n - 1 and n_x + n_y != n - 1:
            break
    K = whitened_covariance(C_xx, C_yy, C_xy)
    left, values, right = np.linalg.svd(K)
    sign = np.sign(left[0, 0])
    a, b = sign * left[:, 0] / s, sign * right[0] / t
    size, det = float((K**2).sum()), float(np.linalg.det(K))
    plus, minus = np.sqrt(size + 2 * det), np.sqrt(size - 2 * det)
    together = direction_correlation([1, 1], [1, 1], C_xx, C_yy, C_xy)
    certain = max(0, n_x + n_y - (n - 1))
    statement = "\n\n".join(
        [
            "Two views of two columns each have the covariances $\\mathbf{C}_{xx}="
            f"{matrix(C_xx, short)}$, $\\mathbf{{C}}_{{yy}}={matrix(C_yy, short)}$ and "
            f"$\\mathbf{{C}}_{{xy}}={matrix(C_xy, short)}$.",
            "1. Give the correlation of $x_1 + x_2$ and $y_1 + y_2$ (2 marks).",
            "2. Give the whitened cross-covariance $\\mathbf{K}=\\mathbf{C}_{xx}^{-1/2}\\mathbf{C}_{xy}"
            "\\mathbf{C}_{yy}^{-1/2}$ (2 marks).",
            "3. Give both canonical correlations, the larger one first (3 marks).",
            "4. Give the first directions $\\mathbf{a}$ and $\\mathbf{b}$ with scores of variance 1 (4 marks).",
            f"5. Two other views have {n_x} and {n_y} columns without linear dependences, and {n} rows. How many of "
            "their canonical correlations are 1 whatever the data are? (1 mark)",
        ]
    )
    given = {
        "C_xx": C_xx.tolist(), "C_yy": C_yy.tolist(), "C_xy": C_xy.tolist(), "columns": [n_x, n_y], "rows": n,
    }  # fmt: skip
    answer: dict[str, Any] = {
        "sums": round(together, 9), "K": K.round(9).tolist(), "correlations": values.round(9).tolist(),
        "a": a.round(9).tolist(), "b": b.round(9).tolist(), "certain": certain,
    }  # fmt: skip
    axes = ["1", "2"]
    fields = [
        ask.number(
            "sums",
            "correlation of the sums",
            1,
            2,
            slips=[
                ask.slip(float(C_xy.sum()), "That is the covariance; divide by both standard deviations.", card=_CARD)
            ],
        ),
        ask.matrix(
            "K",
            "$\\mathbf{K}$",
            2,
            2,
            rows=axes,
            columns=axes,
            slips=[
                ask.slip(
                    C_xy / np.outer(s**2, t**2),
                    "That divides by the variances; divide by the standard deviations.",
                    card=_CARD,
                )
            ],
        ),
        ask.vector(
            "correlations",
            "canonical correlations",
            3,
            3,
            titles=["first", "second"],
            follows=[f"(sqrt({_SIZE} + 2*{_AREA}) {sign} sqrt({_SIZE} - 2*{_AREA})) / 2" for sign in "+-"],
            slips=[
                ask.slip(values**2, "These are the squared correlations; take the roots.", card="cca-lost-marks-square")
            ],
        ),
        ask.vector(
            "a",
            "$\\mathbf{a}$",
            4,
            2,
            titles=axes,
            up_to="sign",
            follows=_direction("K[{0},{1}]", s),
            slips=[
                ask.slip(
                    a * s, "That is a direction of whitened columns; divide by the standard deviations.", card=_LENGTHS
                )
            ],
        ),
        ask.vector(
            "b",
            "$\\mathbf{b}$",
            4,
            2,
            titles=axes,
            up_to="sign",
            follows=_direction("K[{1},{0}]", t),
            slips=[
                ask.slip(
                    b * t, "That is a direction of whitened columns; divide by the standard deviations.", card=_LENGTHS
                )
            ],
        ),
        ask.number(
            "certain",
            "correlations that are 1",
            5,
            whole=True,
            slips=[ask.slip(max(0, n_x + n_y - n), "Centring takes one row away: $N - 1$ counts.", card=_LENGTHS)],
        ),
    ]
    quotient = [
        [f"{short(C_xy[i, j])} / ({s[i]} \\cdot {t[j]})" for j in range(2)] for i in range(2)
    ]  # each entry by both standard deviations
    KK = (K @ K.T).round(9)
    unit_a, unit_b = (left[:, 0] * sign).round(9), (right[0] * sign).round(9)
    first_row = products([KK[0, 0] - values[0] ** 2, KK[0, 1]], unit_a, short)
    in_x, in_y = int((s**2).sum()), int((t**2).sum())
    entries = " + ".join(short(v) for v in C_xy.ravel()).replace("+ -", "- ")
    relation = f"{n_x} + {n_y} - ({n} - 1)={n_x + n_y - n + 1}"
    lines = [
        f"**Sums:** the covariance is the sum of the entries, ${entries}={short(C_xy.sum())}$. The variances are "
        f"${s[0] ** 2} + {s[1] ** 2}={in_x}$ and ${t[0] ** 2} + {t[1] ** 2}={in_y}$. The correlation is "
        f"$\\tfrac{{{short(C_xy.sum())}}}{{\\sqrt{{{in_x} \\cdot {in_y}}}}}\\approx{sig(together)}$.",
        f"**Whitening:** divide each entry by both standard deviations, $\\mathbf{{K}}={matrix(quotient, str)}"
        f"={matrix(K.round(9), short)}$.",
        f"**Correlations:** the singular values of $\\mathbf{{K}}$. Their squares add up to the sum of the squared "
        f"entries, ${short(size)}$, and their product is the determinant, ${short(det)}$. So their sum is "
        f"$\\sqrt{{{short(size)} + 2 \\cdot {short(det)}}}={short(plus)}$ and their difference is "
        f"$\\sqrt{{{short(size)} - 2 \\cdot {short(det)}}}={short(minus)}$. The correlations are "
        f"$({short(plus)} + {short(minus)}) / 2={short(values[0])}$ and "
        f"$({short(plus)} - {short(minus)}) / 2={short(values[1])}$.",
        f"**Directions:** $\\mathbf{{K}}\\mathbf{{K}}^\\top={matrix(KK, short)}$ has the eigenvalue "
        f"${short(values[0])}^2={short(values[0] ** 2)}$ with the unit vector $\\mathbf{{p}}={vector(unit_a, short)}$: "
        f"in the first row ${first_row}=0$. Its partner is "
        f"$\\mathbf{{q}}=\\mathbf{{K}}^\\top\\mathbf{{p}} / {short(values[0])}={vector(unit_b, short)}$. Divide by "
        f"the standard deviations: $\\mathbf{{a}}={vector(a, short)}$, $\\mathbf{{b}}={vector(b, short)}$. Both signs "
        "may change together.",
        f"**Certain:** centred columns live in {n - 1} dimensions, and subspaces of {n_x} and {n_y} dimensions share "
        + (
            f"at least ${relation}$ of them." if certain else f"none of necessity, since ${relation}$ is negative: $0$."
        ),
        "Marks: 1 for the covariance of the sums, 1 for their correlation, 2 for whitening, 1 for sum of squares and "
        "determinant, 2 for the correlations, 2 for $\\mathbf{a}$, 2 for $\\mathbf{b}$, 1 for the certain ones.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

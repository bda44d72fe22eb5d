"""Drill on non-negative matrix factorisation: one multiplicative update by hand, for both losses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, matrix, short
from notes_lib.reduction.nmf import divergence, gradient, multiplicative_update

SHORT = (1, 2, 4, 5, 8, 10)  # denominators of decimals with at most three places
MOVES = ("it rises", "it falls")
PLACES = ((0, 0), (0, 1), (1, 0), (1, 1))


@drill("nmf-update", marks=13, minutes=16, title="A multiplicative update")
def nmf_update(rng: np.random.Generator) -> Parts:
    """The sums and their error, both products, the new H and its error, and one entry by the other loss."""
    while True:
        X, W, H = rng.integers(1, 10, (2, 2)), rng.integers(0, 4, (2, 2)), rng.integers(1, 4, (2, 2))
        Y, top = W @ H, W.T @ X
        bottom = W.T @ Y
        if (W == 0).sum() > 1 or not Y.all() or top[0, 0] == bottom[0, 0]:
            continue
        new = [[Fraction(int(H[k, d] * top[k, d]), int(bottom[k, d])) for d in (0, 1)] for k in (0, 1)]
        ratios = [Fraction(int(X[n, 0]), int(Y[n, 0])) for n in (0, 1)]
        weight = int(W[:, 0].sum())
        kl = int(H[0, 0]) * (int(W[0, 0]) * ratios[0] + int(W[1, 0]) * ratios[1]) / weight
        sums = [[sum(int(W[n, k]) * new[k][d] for k in (0, 1)) for d in (0, 1)] for n in (0, 1)]
        left = [int(X[n, d]) - sums[n][d] for n in (0, 1) for d in (0, 1)]
        if all(v.denominator in SHORT for row in new for v in row) and any(left) and kl.denominator < 20:
            break
    moves = MOVES[int(top[0, 0] < bottom[0, 0])]
    statement = "\n\n".join(
        [
            f"The data $\\mathbf{{X}}={matrix(X)}$ are to be approximated by $\\mathbf{{W}}\\mathbf{{H}}$. At the "
            f"moment $\\mathbf{{W}}={matrix(W)}$ and $\\mathbf{{H}}={matrix(H)}$.",
            "1. Compute $\\mathbf{W}\\mathbf{H}$ and half the sum of squared errors (2 marks).",
            "2. Compute $\\mathbf{W}^\\top\\mathbf{X}$ and $\\mathbf{W}^\\top\\mathbf{W}\\mathbf{H}$ (4 marks).",
            "3. What is the slope of that sum in $h_{11}$, and does the update let the entry rise or fall? (2 marks)",
            "4. Make the multiplicative update of $\\mathbf{H}$ for squared errors, and give half the sum of squared "
            "errors after it (3 marks).",
            "5. Which value would the update for the Kullback-Leibler divergence give to $h_{11}$, from the "
            "old $\\mathbf{H}$? (2 marks)",
        ]
    )
    given = {"X": X.tolist(), "W": W.tolist(), "H": H.tolist()}
    answer: dict[str, Any] = {
        "product": Y.tolist(), "before": divergence(X, W, H), "numerator": top.tolist(), "denominator": bottom.tolist(),
        "slope": float(gradient(X, W, H)[0, 0]), "moves": moves,
        "updated": [[round(float(v), 9) for v in row] for row in multiplicative_update(X, W, H)],
        "after": round(divergence(X, W, multiplicative_update(X, W, H)), 9),
        "kl": round(float(multiplicative_update(X, W, H, "kullback-leibler")[0, 0]), 9),
    }  # fmt: skip
    titles: dict[str, Any] = {"rows": ["row 1", "row 2"], "columns": ["column 1", "column 2"]}
    fields = [
        ask.matrix("product", "$\\mathbf{W}\\mathbf{H}$", 1, whole=True, **titles),
        ask.number(
            "before",
            "half the sum of squares",
            1,
            follows="(" + " + ".join(f"({X[i, j]} - product[{i},{j}])^2" for i, j in PLACES) + ") / 2",
            slips=[ask.slip(2 * answer["before"], "The half is missing.", card="nmf-convention-error")],
        ),
        ask.matrix(
            "numerator",
            "$\\mathbf{W}^\\top\\mathbf{X}$",
            2,
            2,
            whole=True,
            **titles,
            slips=[ask.slip(W @ X, "$\\mathbf{W}$ has to be transposed.", card="nmf-convention-factors")],
        ),
        ask.matrix(
            "denominator",
            "$\\mathbf{W}^\\top\\mathbf{W}\\mathbf{H}$",
            2,
            2,
            whole=True,
            **titles,
            follows=[[f"{W[0, k]}*product[0,{d}] + {W[1, k]}*product[1,{d}]" for d in (0, 1)] for k in (0, 1)],
        ),
        ask.number(
            "slope",
            "slope",
            3,
            follows="denominator[0,0] - numerator[0,0]",
            slips=[
                ask.slip(
                    -answer["slope"], "The sign is turned round: model minus data.", card="nmf-lost-marks-fraction"
                )
            ],
        ),
        ask.choice(
            "moves",
            "the entry $h_{11}$",
            3,
            options=MOVES,
            follows="slope > 0",
            slips=[
                ask.slip(
                    MOVES[1 - MOVES.index(moves)], "The update goes against the slope.", card="nmf-lost-marks-fraction"
                )
            ],
        ),
        ask.matrix(
            "updated",
            "new $\\mathbf{H}$",
            4,
            2,
            **titles,
            follows=[[f"{H[k, d]}*numerator[{k},{d}] / denominator[{k},{d}]" for d in (0, 1)] for k in (0, 1)],
            slips=[
                ask.slip(
                    H * bottom / np.maximum(top, 1),
                    "The fraction is upside down: data over model.",
                    card="nmf-lost-marks-fraction",
                )
            ],
        ),
        ask.number(
            "after",
            "half the sum of squares",
            4,
            **ask.DERIVED,
            follows="("
            + " + ".join(f"({X[n, d]} - {W[n, 0]}*updated[0,{d}] - {W[n, 1]}*updated[1,{d}])^2" for n, d in PLACES)
            + ") / 2",
            slips=[ask.slip(2 * answer["after"], "The half is missing.", card="nmf-convention-error")],
        ),
        ask.number(
            "kl",
            "$h_{11}$",
            5,
            2,
            follows=f"{H[0, 0]}*("
            + " + ".join(f"{W[n, 0] * X[n, 0]}/product[{n},0]" for n in (0, 1))
            + f") / {weight}",
            slips=[
                ask.slip(float(new[0][0]), "That is the update for squared errors.", card="nmf-do-not-confuse-losses")
            ],
        ),
    ]
    entries = [
        f"$h_{{{k + 1}{d + 1}}}={H[k, d]} \\cdot \\tfrac{{{top[k, d]}}}{{{bottom[k, d]}}}={short(float(new[k][d]))}$"
        for k in (0, 1)
        for d in (0, 1)
    ]
    errors = " + ".join(f"{bracket(int(v), short)}^2" for v in (X - Y).ravel())
    after = " + ".join(f"{bracket(float(v), short)}^2" for v in left)
    terms = [f"{W[n, 0]} \\cdot \\tfrac{{{X[n, 0]}}}{{{Y[n, 0]}}}" for n in (0, 1)]
    lines = [
        f"**Sums:** ${matrix(W)}{matrix(H)}={matrix(Y)}$. The errors give $({errors}) / 2={short(answer['before'])}$.",
        f"**Products:** ${matrix(W.T)}{matrix(X)}={matrix(top)}$ and ${matrix(W.T)}{matrix(Y)}={matrix(bottom)}$.",
        f"**Slope:** the second product minus the first, ${bottom[0, 0]} - {top[0, 0]}={short(answer['slope'])}$. The "
        f"update multiplies by the first over the second, so {moves}.",
        f"**Update:** {', '.join(entries[:-1])} and {entries[-1]}.",
        f"**Error after it:** the sums are now ${matrix(sums, lambda v: short(float(v)))}$, and $({after}) / 2"
        f"\\approx{sig(answer['after'])}$, which is less than before.",
        f"**Other loss:** each ratio of $\\mathbf{{X}}$ to $\\mathbf{{W}}\\mathbf{{H}}$ in column 1 counts with its "
        f"entry in column 1 of $\\mathbf{{W}}$: ${H[0, 0]} \\cdot ({' + '.join(terms)}) / ({W[0, 0]} + {W[1, 0]})"
        f"={short(float(kl))}$.",
        "Marks: 1 for the sums, 1 for their error, 2 for the first product, 2 for the second, 1 for the slope, 1 for "
        "its meaning, 2 for the update, 1 for the error after it, 2 for the other loss.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

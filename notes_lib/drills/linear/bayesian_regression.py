"""Drill on Bayesian linear regression: posterior and predictive distribution of a line through three points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, column, fraction, matrix, products, row, vector

_WEIGHTS = ["$w_0$", "$w_1$"]
_DETERMINANT = "A[0,0]*A[1,1] - A[0,1]*A[1,0]"


@drill("bayesian-line", marks=12, minutes=16, title="Posterior and prediction of a line")
def bayesian_line(rng: np.random.Generator) -> Parts:
    """Three points, known precisions: posterior precision, mean and covariance, and a prediction with its variance."""
    while True:
        x = np.sort(rng.choice(np.arange(-2, 4), size=3, replace=False))
        y = rng.integers(-3, 6, size=3)
        alpha, beta = int(rng.integers(1, 5)), int(rng.integers(1, 3))
        new = int(rng.choice([-5, -4, 5, 6]))
        Phi = np.column_stack([np.ones(3, dtype=int), x])
        A = alpha * np.eye(2, dtype=int) + beta * Phi.T @ Phi
        c = beta * Phi.T @ y
        det = int(A[0, 0] * A[1, 1] - A[0, 1] ** 2)
        if A[0, 1] and c.all() and det <= 200 and len(set(y)) == 3 and alpha != beta:
            break
    adjugate = np.array([[A[1, 1], -A[0, 1]], [-A[0, 1], A[0, 0]]])
    top = adjugate @ c
    phi = np.array([1, new])
    inside = adjugate @ phi
    ignorance, noise = Fraction(int(phi @ inside), det), Fraction(1, beta)
    mean = Fraction(int(phi @ top), det)
    points = ", ".join(f"${row(p)}$" for p in zip(x, y, strict=True))
    statement = "\n\n".join(
        [
            f"Three points $(x, y)$ are given: {points}. The model is $y=w_0+w_1x+\\varepsilon$ with "
            f"the features 1 and $x$, noise of precision $\\beta={beta}$, and the prior "
            f"$\\mathbf{{w}}\\sim\\mathcal{{N}}(\\mathbf{{0}},\\alpha^{{-1}}\\mathbf{{I}})$ with $\\alpha={alpha}$.",
            "1. Compute the posterior precision $\\mathbf{A}=\\alpha\\mathbf{I}+"
            "\\beta\\boldsymbol{\\Phi}^\\top\\boldsymbol{\\Phi}$ (3 marks).",
            "2. Compute the posterior mean $\\mathbf{m}$ and covariance $\\mathbf{S}$ of the weights (4 marks).",
            f"3. Give mean and variance of the predictive distribution of $y$ at $x={new}$ (4 marks).",
            "4. Which share of this variance is ignorance of the weights, which more data would remove? (1 mark)",
        ]
    )
    share = ignorance / (ignorance + noise)
    answer: dict[str, Any] = {
        "A": A.tolist(), "m": (top / det).tolist(), "S": (adjugate / det).tolist(), "mean": float(mean),
        "variance": float(noise + ignorance), "share": float(share),
    }  # fmt: skip
    fields = [
        ask.matrix(
            "A",
            "posterior precision $\\mathbf{A}$",
            1,
            3,
            rows=_WEIGHTS,
            columns=_WEIGHTS,
            whole=True,
            slips=[
                ask.slip(
                    beta * np.eye(2, dtype=int) + alpha * Phi.T @ Phi,
                    "$\\alpha$ and $\\beta$ are exchanged: $\\alpha$ belongs to the prior, $\\beta$ to the data.",
                    card="bayesian-regression-convention-letters",
                )
            ],
        ),
        ask.vector(
            "m",
            "posterior mean $\\mathbf{m}$",
            2,
            2,
            titles=_WEIGHTS,
            **ask.DERIVED,
            follows=[
                f"({bracket(int(c[0]))}*A[1,1] - {bracket(int(c[1]))}*A[0,1]) / ({_DETERMINANT})",
                f"({bracket(int(c[1]))}*A[0,0] - {bracket(int(c[0]))}*A[1,0]) / ({_DETERMINANT})",
            ],
            slips=[
                ask.slip(
                    np.linalg.solve(Phi.T @ Phi, Phi.T @ y),
                    "That is least squares; the posterior mean has the precision of the prior in it, too.",
                    card="bayesian-regression-lost-marks-map",
                )
            ],
        ),
        ask.matrix(
            "S",
            "posterior covariance $\\mathbf{S}$",
            2,
            2,
            rows=_WEIGHTS,
            columns=_WEIGHTS,
            follows=[
                [f"A[1,1] / ({_DETERMINANT})", f"-A[0,1] / ({_DETERMINANT})"],
                [f"-A[1,0] / ({_DETERMINANT})", f"A[0,0] / ({_DETERMINANT})"],
            ],
            slips=[
                ask.slip(
                    adjugate,
                    "That is not divided by the determinant.",
                    card="bayesian-regression-lost-marks-precision",
                )
            ],
        ),
        ask.number("mean", "predictive mean", 3, 1, **ask.DERIVED, follows=f"m[0] + m[1]*{bracket(new)}"),
        ask.number(
            "variance",
            "predictive variance",
            3,
            3,
            **ask.DERIVED,
            follows=f"{float(noise)} + S[0,0] + (S[0,1] + S[1,0])*{bracket(new)} + S[1,1]*{new**2}",
            slips=[
                ask.slip(
                    float(ignorance),
                    "That is the variance of the line; a new target has the noise $\\beta^{-1}$ on top.",
                    card="bayesian-regression-lost-marks-noise",
                )
            ],
        ),
        ask.number(
            "share",
            "share of ignorance",
            4,
            1,
            **ask.DERIVED,
            follows=f"1 - {float(noise)} / variance",
            slips=[
                ask.slip(
                    float(1 - share),
                    "That is the share of the noise, which more data would not remove.",
                    card="bayesian-regression-do-not-confuse-intervals",
                )
            ],
        ),
    ]
    given = {"x": x.tolist(), "y": y.tolist(), "alpha": alpha, "beta": beta, "new": new}
    sums = Phi.T @ Phi
    lines = [
        f"**Precision:** the sums are $N=3$, $\\sum x_n={sums[0, 1]}$ and $\\sum x_n^2={sums[1, 1]}$, so "
        f"$\\mathbf{{A}}={alpha}\\,{matrix(np.eye(2, dtype=int))}+{beta}\\,{matrix(sums)}={matrix(A)}$.",
        f"**Covariance:** $\\det\\mathbf{{A}}={A[0, 0]}\\cdot{A[1, 1]}-{bracket(A[0, 1])}^2={det}$, hence "
        f"$\\mathbf{{S}}=\\mathbf{{A}}^{{-1}}=\\tfrac{{1}}{{{det}}}\\,{matrix(adjugate)}$.",
        f"**Mean:** $\\sum y_n={y.sum()}$ and $\\sum x_ny_n={products(x, y)}={x @ y}$, so "
        f"$\\mathbf{{m}}=\\beta\\,\\mathbf{{S}}\\boldsymbol{{\\Phi}}^\\top\\mathbf{{y}}"
        f"=\\tfrac{{1}}{{{det}}}\\,{matrix(adjugate)}\\,{column(c)}"
        f"=\\tfrac{{1}}{{{det}}}\\,{column(top)}\\approx{vector(top / det)}$.",
        f"**Prediction:** with $\\boldsymbol{{\\phi}}={vector(phi)}$ the mean is "
        f"$\\mathbf{{m}}^\\top\\boldsymbol{{\\phi}}=\\frac{{{products(top, phi)}}}{{{det}}}={fraction(mean)}"
        f"\\approx{sig(float(mean))}$.",
        f"**Its variance:** $\\boldsymbol{{\\phi}}^\\top\\mathbf{{S}}\\boldsymbol{{\\phi}}"
        f"=\\frac{{{products(phi, inside)}}}{{{det}}}={fraction(ignorance)}$ from ignorance, "
        f"$\\beta^{{-1}}={fraction(noise)}$ from noise, together "
        f"${fraction(noise)}+{fraction(ignorance)}={fraction(noise + ignorance)}"
        f"\\approx{sig(float(noise + ignorance))}$.",
        f"**Share:** $({fraction(ignorance)})/({fraction(noise + ignorance)})={fraction(share)}"
        f"\\approx{sig(float(share))}$ of the variance is ignorance.",
        "Marks: 3 for the precision, 2 for the covariance, 2 for the mean, 1 for the predictive mean, 2 for the "
        "ignorance, 1 for adding the noise, 1 for the share.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

"""Drill on kernel ridge regression: two points, their coefficients, a prediction, and each point left out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, column, fraction, matrix, products, rational, row, vector
from notes_lib.kernels.kernel_methods import polynomial_kernel
from notes_lib.kernels.kernel_ridge import kernel_ridge_solution, loo_residuals


def _kernel(x: np.ndarray, z: np.ndarray, degree: int) -> np.ndarray:
    return polynomial_kernel(x[:, None], z[:, None], degree=degree, gamma=1.0, coef0=1.0).round().astype(int)


def _value(value: Fraction) -> str:
    return fraction(value) if value.denominator == 1 else f"{fraction(value)}\\approx{sig(float(value))}"


@drill("kernel-ridge", marks=10, minutes=14, title="Kernel ridge regression on two points")
def kernel_ridge(rng: np.random.Generator) -> Parts:
    """Kernel matrix, coefficients, a prediction, and the leave-one-out residuals of two points."""
    while True:
        x = np.sort(rng.choice(np.arange(-2, 4), size=2, replace=False))
        y = rng.integers(-4, 7, size=2)
        degree, strength, new = int(rng.integers(1, 3)), int(rng.integers(1, 5)), int(rng.integers(-3, 5))
        K = _kernel(x, x, degree)
        A = K + strength * np.eye(2, dtype=int)
        det = int(A[0, 0] * A[1, 1] - A[0, 1] ** 2)
        adjugate = np.array([[A[1, 1], -A[0, 1]], [-A[0, 1], A[0, 0]]])
        top = adjugate @ y
        if new not in x and K.max() <= 30 and K[0, 1] and det <= 400 and y.all() and top.all() and y[0] != y[1]:
            break
    dual_coef = kernel_ridge_solution(K, y, strength).dual_coef
    left_out = loo_residuals(K, y, strength)
    k_x = _kernel(np.array([new]), x, degree)[0]
    prediction = float(k_x @ dual_coef)
    formula = "x z+1" if degree == 1 else f"(x z+1)^{degree}"
    points = " and ".join(f"${row(p)}$" for p in zip(x, y, strict=True))
    statement = "\n\n".join(
        [
            f"Two points $(x, y)$ are given: {points}. Fit them by kernel ridge regression with "
            f"$k(x, z)={formula}$ and $\\lambda={strength}$, without an intercept.",
            "1. Write down $\\mathbf{K}$ and the determinant of $\\mathbf{K}+\\lambda\\mathbf{I}$ (3 marks).",
            "2. Compute the coefficients $\\boldsymbol{\\alpha}$ (3 marks).",
            f"3. Predict $y$ at $x={new}$ (2 marks).",
            "4. Give both leave-one-out residuals, without fitting again (2 marks).",
        ]
    )
    answer = {
        "K": K.tolist(), "determinant": det, "dual_coef": dual_coef.tolist(), "prediction": prediction,
        "left_out": left_out.tolist(),
    }  # fmt: skip
    names = ["1", "2"]
    fields = [
        ask.matrix("K", "the kernel matrix $\\mathbf{K}$", 1, 2, rows=names, columns=names, whole=True),
        ask.number(
            "determinant",
            "the determinant",
            1,
            1,
            whole=True,
            follows=f"(K[0,0] + {strength})*(K[1,1] + {strength}) - K[0,1]*K[1,0]",
            slips=[
                ask.slip(
                    int(K[0, 0] * K[1, 1] - K[0, 1] ** 2),
                    "That is the determinant of $\\mathbf{K}$ alone; add $\\lambda$ on the diagonal first.",
                    card="kernel-ridge-lost-marks-unique",
                )
            ],
        ),
        ask.vector(
            "dual_coef",
            "the coefficients $\\boldsymbol{\\alpha}$",
            2,
            3,
            titles=names,
            follows=[
                f"((K[1,1] + {strength})*{bracket(int(y[0]))} - K[0,1]*{bracket(int(y[1]))}) / determinant",
                f"((K[0,0] + {strength})*{bracket(int(y[1]))} - K[1,0]*{bracket(int(y[0]))}) / determinant",
            ],
            slips=[
                ask.slip(
                    np.linalg.solve(K, y),
                    "That interpolates: the penalty is missing on the diagonal.",
                    card="kernel-ridge-lost-marks-unique",
                )
            ],
        ),
        ask.number(
            "prediction",
            "the prediction",
            3,
            2,
            **ask.DERIVED,
            follows=" + ".join(f"{bracket(int(k))}*dual_coef[{n}]" for n, k in enumerate(k_x)),
        ),
        ask.vector(
            "left_out",
            "the leave-one-out residuals",
            4,
            2,
            titles=names,
            **ask.DERIVED,
            follows=[f"dual_coef[{n}]*determinant / (K[{1 - n},{1 - n}] + {strength})" for n in range(2)],
            slips=[
                ask.slip(
                    strength * dual_coef,
                    "These are the residuals of the fit with both points.",
                    card="kernel-ridge-lost-marks-drop",
                ),
                ask.slip(
                    [y[n] - K[n, 1 - n] * dual_coef[1 - n] for n in range(2)],
                    "That drops a term and keeps the old coefficient of the other point, which changes too.",
                    card="kernel-ridge-lost-marks-drop",
                ),
            ],
        ),
    ]
    given = {"x": x.tolist(), "y": y.tolist(), "degree": degree, "strength": strength, "new": new}
    shown = [rational(v) for v in (prediction, *left_out)]
    quotients = [
        f"$e_{n + 1}=(\\tfrac{{{top[n]}}}{{{det}}})/(\\tfrac{{{adjugate[n, n]}}}{{{det}}})={_value(e)}$"
        for n, e in enumerate(shown[1:])
    ]
    lines = [
        f"**Matrix:** $\\mathbf{{K}}={matrix(K)}$ and $\\mathbf{{K}}+\\lambda\\mathbf{{I}}={matrix(A)}$, with "
        f"determinant ${A[0, 0]}\\cdot{A[1, 1]}-{bracket(A[0, 1])}^2={det}$.",
        "**Coefficients:** $\\boldsymbol{\\alpha}=(\\mathbf{K}+\\lambda\\mathbf{I})^{-1}\\mathbf{y}"
        f"=\\tfrac{{1}}{{{det}}}\\,{matrix(adjugate)}\\,{column(y)}=\\tfrac{{1}}{{{det}}}\\,{column(top)}"
        f"\\approx{vector(top / det)}$.",
        f"**Prediction:** the kernel values are $\\mathbf{{k}}_x={vector(k_x)}$, so "
        f"$f({new})=\\mathbf{{k}}_x^\\top\\boldsymbol{{\\alpha}}=\\frac{{{products(k_x, top)}}}{{{det}}}"
        f"={_value(shown[0])}$.",
        "**Left out:** $e_n$ is $\\alpha_n$ divided by the $n$-th diagonal entry of the inverse: "
        f"{' and '.join(quotients)}.",
        "Marks: 2 for the kernel matrix, 1 for the determinant, 1 for the inverse, 2 for the coefficients, 1 for the "
        "kernel values, 1 for the prediction, 1 for the rule, 1 for both residuals.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

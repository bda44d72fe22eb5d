"""Drills on Gaussian processes: the posterior at a new point, and the marginal likelihood of two explanations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, column, fraction, matrix, products, row, vector
from notes_lib.kernels.gaussian_process import likelihood_gradient, log_marginal_likelihood

_K = "\\mathbf{K}"
_A = "\\boldsymbol{\\alpha}"
_TARGET, _OVERFIT = "gaussian-process-lost-marks-target", "gaussian-process-lost-marks-overfit"


@drill("gp-posterior", marks=12, minutes=16, title="Gaussian process: posterior at a new point")
def process_posterior(rng: np.random.Generator) -> Parts:
    """Two training points and a covariance that falls linearly: weights, mean, variance, a new target, far away."""
    while True:
        v, noise = int(rng.integers(3, 8)), int(rng.integers(1, 3))
        x = np.sort(rng.choice(np.arange(-3, 6), size=2, replace=False))
        y, new = rng.integers(-4, 7, size=2), int(rng.integers(-3, 6))
        K, k = np.maximum(0, v - np.abs(x[:, None] - x)), np.maximum(0, v - np.abs(new - x))
        Ky = K + noise * np.eye(2, dtype=int)
        det = int(Ky[0, 0] ** 2 - Ky[0, 1] ** 2)
        adjugate = np.array([[Ky[0, 0], -Ky[0, 1]], [-Ky[0, 1], Ky[0, 0]]])
        varied = K[0, 1] > 0 and k.all() and new not in x and y.all() and y[0] != y[1] and k[0] != k[1]
        if varied and (k @ adjugate @ y) % det and (k @ adjugate @ k) % det:
            break
    top, inside, far = adjugate @ y, adjugate @ k, int(x[1]) + v + int(rng.integers(1, 5))
    mean, gain = Fraction(int(k @ top), det), Fraction(int(k @ inside), det)
    variance = v - gain
    determinant = f"(K[0,0] + {noise})*(K[1,1] + {noise}) - K[0,1]*K[1,0]"
    answer: dict[str, Any] = {
        "K": K.tolist(), "k": k.tolist(), "alpha": (top / det).tolist(), "mean": float(mean),
        "variance": float(variance), "target": float(variance + noise), "far": [0, v + noise],
    }  # fmt: skip
    given = {"x": x.tolist(), "y": y.tolist(), "v": v, "noise": noise, "new": new, "far": far}
    statement = "\n\n".join(
        [
            "A function has the prior of a Gaussian process with mean 0 and the covariance "
            f"$k(x,x')=\\max(0,\\,{v}-|x-x'|)$. Two targets are observed with independent noise of variance "
            f"$\\sigma^2={noise}$, as $(x, y)$: {', '.join(f'${row(p)}$' for p in zip(x, y, strict=True))}.",
            f"1. Write the covariance matrix ${_K}$ of the function at the two points (2 marks), and its covariances "
            f"$\\mathbf{{k}}$ with the function at $z={new}$ (1 mark).",
            f"2. Compute the weights ${_A}=({_K}+\\sigma^2\\mathbf{{I}})^{{-1}}\\mathbf{{y}}$ (3 marks).",
            "3. Give posterior mean (1 mark) and variance (3 marks) of the function at $z$.",
            "4. Give the variance of a new target, with its noise, at $z$ (1 mark).",
            f"5. Give mean and variance of a new target at $x={far}$ (1 mark).",
        ]
    )
    fields = [
        ask.matrix("K", f"covariance matrix ${_K}$", 1, 2, rows=[1, 2], columns=[1, 2], whole=True),
        ask.vector("k", "$\\mathbf{k}$", 1, 1, titles=[1, 2], whole=True),
        ask.vector(
            "alpha",
            f"weights ${_A}$",
            2,
            3,
            titles=[1, 2],
            follows=[
                f"((K[1,1] + {noise})*{bracket(int(y[0]))} - K[0,1]*{bracket(int(y[1]))}) / ({determinant})",
                f"((K[0,0] + {noise})*{bracket(int(y[1]))} - K[1,0]*{bracket(int(y[0]))}) / ({determinant})",
            ],
            slips=[
                ask.slip(
                    np.linalg.solve(K, y),
                    "The noise is missing on the diagonal.",
                    card="gaussian-process-lost-marks-noise",
                )
            ],
        ),
        ask.number("mean", "posterior mean", 3, 1, **ask.DERIVED, follows="k[0]*alpha[0] + k[1]*alpha[1]"),
        ask.number(
            "variance",
            "posterior variance of the function",
            3,
            3,
            **ask.DERIVED,
            follows=f"{v} - ((K[1,1] + {noise})*k[0]^2 - 2*K[0,1]*k[0]*k[1] "
            f"+ (K[0,0] + {noise})*k[1]^2) / ({determinant})",
            slips=[
                ask.slip(
                    float(gain),
                    "That is what the observations take away; subtract it from the prior variance.",
                    card="gaussian-process-lost-marks-targets",
                ),
                ask.slip(
                    float(v - k @ np.linalg.solve(K, k)),
                    "The noise is missing in the inverse.",
                    card="gaussian-process-lost-marks-noise",
                ),
            ],
        ),
        ask.number(
            "target",
            "variance of a new target",
            4,
            1,
            **ask.DERIVED,
            follows=f"variance + {noise}",
            slips=[
                ask.slip(
                    float(variance),
                    "That is the variance of the function; a target has its noise on top.",
                    card=_TARGET,
                )
            ],
        ),
        ask.vector(
            "far",
            f"mean and variance at $x={far}$",
            5,
            1,
            titles=["mean", "variance"],
            whole=True,
            slips=[
                ask.slip(
                    [0 * v, v], "That is the variance of the function; a target has its noise on top.", card=_TARGET
                )
            ],
        ),
    ]
    lines = [
        f"**Covariances:** the distance of the two points is ${x[1] - x[0]}$, so ${_K}={matrix(K)}$; the new point has "
        f"the distances ${abs(new - x[0])}$ and ${abs(new - x[1])}$, so $\\mathbf{{k}}={vector(k)}$.",
        f"**Weights:** ${_K}+\\sigma^2\\mathbf{{I}}={matrix(Ky)}$ has the determinant "
        f"${Ky[0, 0]}^2-{Ky[0, 1]}^2={det}$, so ${_A}=\\tfrac{{1}}{{{det}}}\\,{matrix(adjugate)}\\,{column(y)}"
        f"=\\tfrac{{1}}{{{det}}}\\,{column(top)}\\approx{vector(top / det)}$.",
        f"**Mean:** $\\mathbf{{k}}^\\top{_A}=\\frac{{{products(k, top)}}}{{{det}}}={fraction(mean)}"
        f"\\approx{sig(float(mean))}$.",
        f"**Variance:** the observations explain $\\mathbf{{k}}^\\top({_K}+\\sigma^2\\mathbf{{I}})^{{-1}}"
        f"\\mathbf{{k}}=\\frac{{{products(k, inside)}}}{{{det}}}={fraction(gain)}$ of the prior variance ${v}$, so "
        f"${v}-{fraction(gain)}={fraction(variance)}\\approx{sig(float(variance))}$ is left.",
        f"**New target:** its own noise is added, ${fraction(variance)}+{noise}={fraction(variance + noise)}"
        f"\\approx{sig(float(variance + noise))}$.",
        f"**Far away:** $x={far}$ is at least ${v}$ away from both points, all covariances are 0, and the prior comes "
        f"back: mean 0, variance ${v}+{noise}={v + noise}$.",
        "Marks: 2 for the matrix, 1 for the covariances with the new point, 1 for adding the noise, 1 for the "
        "determinant, 1 for the weights, 1 for the mean, 1 for the formula of the variance, 1 for the quadratic form, "
        "1 for the difference, 1 for the target, 1 for the prior.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("gp-likelihood", marks=12, minutes=16, title="Gaussian process: two explanations")
def process_likelihood(rng: np.random.Generator) -> Parts:
    """Two targets under two covariances: data fit, complexity, log marginal likelihood, derivative by the noise."""
    while True:
        d, y = int(rng.integers(3, 9)), rng.integers(-4, 6, size=2)
        c = np.sort(rng.choice(np.arange(d), size=2, replace=False))
        if y.all() and abs(y[0]) != abs(y[1]):
            K = [np.array([[d, q], [q, d]]) for q in c]
            found = [log_marginal_likelihood(matrix_, y) for matrix_ in K]
            slope = float(likelihood_gradient(K[1], y, [np.eye(2)])[0])
            if abs(found[0].value - found[1].value) > 0.05 and abs(slope) > 0.01:
                break
    det, top = [d * d - int(q) ** 2 for q in c], [d * y - q * y[::-1] for q in c]
    forms = [Fraction(int(y @ t), n) for t, n in zip(top, det, strict=True)]
    alpha = [Fraction(int(t), det[1]) for t in top[1]]
    square, trace = alpha[0] ** 2 + alpha[1] ** 2, Fraction(2 * d, det[1])
    better, up = "AB"[found[1].value > found[0].value], "larger" if slope > 0 else "smaller"
    answer: dict[str, Any] = {
        "fit": [f.fit for f in found], "complexity": [f.complexity for f in found],
        "value": [f.value for f in found], "better": better,
        "slope": slope, "noise": up,
    }  # fmt: skip
    given = {"d": d, "c": c.tolist(), "y": y.tolist()}
    one = lambda i: f"{_K}_{'AB'[i]}={matrix([[d, c[i]], [c[i], d]])}"
    statement = "\n\n".join(
        [
            f"Two targets $\\mathbf{{y}}={vector(y)}$ were observed. Two length-scales give them, with the noise, the "
            f"covariance matrices A: ${one(0)}$ (short) and B: ${one(1)}$ (long). All means are 0.",
            f"1. Compute the data fit $-\\tfrac12\\mathbf{{y}}^\\top{_K}^{{-1}}\\mathbf{{y}}$ under A and under B "
            "(4 marks).",
            f"2. Compute the complexity $-\\tfrac12\\ln\\det{_K}$ of both (2 marks).",
            "3. Give both log marginal likelihoods (2 marks). Which explanation is likelier? (1 mark)",
            "4. The noise is a part of the diagonal. Give the derivative of the log marginal likelihood "
            "by its variance, under B (2 marks). Does the likelihood ask for a larger or a smaller noise? (1 mark)",
        ]
    )
    both = ["A", "B"]
    fields = [
        ask.vector(
            "fit",
            "data fit",
            1,
            4,
            titles=both,
            slips=[
                ask.slip(
                    [2 * f.fit for f in found],
                    "The half is missing: the fit is $-\\tfrac12$ of the form.",
                    card=_OVERFIT,
                ),
                ask.slip(
                    [-f.fit for f in found], "The sign is turned round: the fit is never positive.", card=_OVERFIT
                ),
            ],
        ),
        ask.vector(
            "complexity",
            "complexity",
            2,
            2,
            titles=both,
            slips=[
                ask.slip([2 * f.complexity for f in found], "The half before the logarithm is missing.", card=_OVERFIT)
            ],
        ),
        ask.vector(
            "value",
            "log marginal likelihood",
            3,
            2,
            titles=both,
            **ask.DERIVED,
            follows=[f"fit[{i}] + complexity[{i}] - {np.log(2 * np.pi)}" for i in range(2)],
            slips=[
                ask.slip(
                    [f.fit + f.complexity for f in found],
                    "The constant $-\\tfrac N2\\ln 2\\pi$ is missing.",
                    card=_OVERFIT,
                )
            ],
        ),
        ask.choice("better", "the likelier explanation", 3, 1, options=both, follows="argmax(value)"),
        ask.number(
            "slope",
            "derivative by the noise under B",
            4,
            2,
            **ask.DERIVED,
            slips=[
                ask.slip(2 * slope, "The half before the bracket is missing.", card=_OVERFIT),
                ask.slip(float(square) / 2, "The trace of the inverse is missing: it is subtracted.", card=_OVERFIT),
            ],
        ),
        ask.choice("noise", "the noise should be", 4, 1, options=["larger", "smaller"], follows="slope <= 0"),
    ]
    lines = [_explained(name, d, int(q), y, n, t, form)
             for name, q, n, t, form in zip(both, c, det, top, forms, strict=True)]  # fmt: skip
    lines += [
        f"**Complexity:** {_logs(both, det)}.",
        f"**Together:** both add $-\\ln(2\\pi)\\approx{sig(-np.log(2 * np.pi))}$. {_totals(both, found)}. "
        f"{better} is likelier.",
        f"**Derivative under B:** it is $\\tfrac12({_A}^\\top{_A}-\\operatorname{{tr}}{_K}_B^{{-1}})$ with "
        f"${_A}={_K}_B^{{-1}}\\mathbf{{y}}=\\tfrac{{1}}{{{det[1]}}}\\,{column(top[1])}$. So ${_A}^\\top{_A}="
        f"{fraction(square)}$ and $\\operatorname{{tr}}{_K}_B^{{-1}}={fraction(trace)}$, and the derivative is "
        f"$\\tfrac12\\,({fraction(square)}-{fraction(trace)})={fraction((square - trace) / 2)}\\approx{sig(slope)}$: "
        f"it is {'positive' if slope > 0 else 'negative'}, so a {up} noise would be likelier.",
        "Marks: 2 for the fit of A, 2 for that of B, 2 for the complexities, 2 for the sums, 1 for the comparison, 1 "
        "for the weights, 1 for the derivative, 1 for its sign.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _explained(name: str, d: int, q: int, y: np.ndarray, det: int, top: np.ndarray, form: Fraction) -> str:
    """The data fit under one covariance."""
    adjugate = matrix([[d, -q], [-q, d]])
    return (
        f"**Fit of {name}:** $\\det{_K}_{name}={d}^2-{q}^2={det}$ and ${_K}_{name}^{{-1}}\\mathbf{{y}}="
        f"\\tfrac{{1}}{{{det}}}\\,{adjugate}\\,{column(y)}=\\tfrac{{1}}{{{det}}}\\,{column(top)}$, so "
        f"$\\mathbf{{y}}^\\top{_K}_{name}^{{-1}}"
        f"\\mathbf{{y}}=\\frac{{{products(y, top)}}}{{{det}}}={fraction(form)}$, and the fit is "
        f"${fraction(-form / 2)}\\approx{sig(float(-form / 2))}$."
    )


def _logs(names: list[str], det: list[int]) -> str:
    parts = [f"{name} has $-0.5\\cdot\\ln{n}\\approx{sig(-0.5 * np.log(n))}$"
             for name, n in zip(names, det, strict=True)]  # fmt: skip
    return ", ".join(parts)


def _totals(names: list[str], found: list[Any]) -> str:
    constant = -np.log(2 * np.pi)
    parts = [f"{name}: ${sig(f.fit)}{sig(f.complexity)}{sig(constant)}\\approx{sig(f.value)}$"
             for name, f in zip(names, found, strict=True)]  # fmt: skip
    return "; ".join(parts)

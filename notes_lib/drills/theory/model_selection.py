"""Drills on model selection: AIC and BIC of polynomials, two-part codes of a message, leave-one-out of a line."""

from __future__ import annotations

from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, row
from notes_lib.foundations.cross_validation import leave_one_out_residuals
from notes_lib.theory.model_selection import gcv_score, loo_score, mdl

DEGREES = ["0", "1", "2", "3"]
_SIGN, _SCORES = "model-selection-convention-sign", "model-selection-do-not-confuse-scores"
_LARGEST = "That has the largest value; here the smallest one wins."
MODELS = ["fair coin", "biased coin", "Markov chain"]
SPREADS = [(-3, -1, 1, 3), (-2, -1, 1, 2), (-2, -1, 0, 1, 2), (-4, -2, 2, 4), (-3, -1, 0, 1, 3)]


@drill("aic-bic", marks=11, minutes=14, title="AIC and BIC of polynomials")
def aic_bic(rng: np.random.Generator) -> Parts:
    """Parameters with the variance, both criteria from residual sums of squares, the choices, other units."""
    k = np.arange(2, 6)
    while True:
        N, factor = int(rng.choice([20, 25, 40, 50, 80, 100])), int(rng.choice([2, 10, 100]))
        falls = np.concatenate([[0.0], rng.uniform(0.2, 12, size=3)])
        rss = np.round(rng.uniform(20, 90) * np.exp(-np.cumsum(falls) / N), 1)
        fit = N * np.log(rss / N)
        aic, bic = fit + 2 * k, fit + k * np.log(N)
        clear = all(np.diff(np.sort(v))[0] > 0.5 for v in (aic, bic))
        if clear and np.diff(rss).max() < 0 and bic.argmin() < 3 and min(abs(aic).min(), abs(bic).min()) > 1:
            break
    shift = float(2 * N * np.log(factor))
    statement = "\n\n".join(
        [
            f"Polynomials of degree 0 to 3 were fitted by least squares to $N={N}$ instances. The noise is Gaussian, "
            "its variance unknown:",
            table([["residual sum of squares", *map(sig, rss)]], ["degree", *DEGREES]).markdown,
            "Leave out the constant that all models share, as in $N\\ln(\\mathrm{RSS}/N)$ for $-2\\ell$.",
            "1. Count the parameters of each model (2 marks).",
            "2. Compute AIC of each (3 marks).",
            "3. Compute BIC of each (3 marks).",
            "4. Which degree does each criterion choose? (2 marks)",
            f"5. All targets are multiplied by {factor}. By how much does every AIC rise? (1 mark)",
        ]
    )
    by_aic, by_bic = DEGREES[int(aic.argmin())], DEGREES[int(bic.argmin())]
    answer: dict[str, Any] = {
        "parameters": k.tolist(), "aic": aic.tolist(), "bic": bic.tolist(), "by_aic": by_aic, "by_bic": by_bic,
        "shift": shift,
    }  # fmt: skip
    fields = [
        ask.vector(
            "parameters",
            "number of parameters",
            1,
            2,
            titles=DEGREES,
            whole=True,
            slips=[
                ask.slip(
                    k - 1, "The variance is not counted; it is estimated, too.", card="model-selection-lost-marks-count"
                ),
            ],
        ),
        ask.vector(
            "aic",
            "AIC",
            2,
            3,
            titles=DEGREES,
            places=1,
            carried=1,
            follows=[f"{v} + 2*parameters[{j}]" for j, v in enumerate(fit)],
            slips=[
                ask.slip(rss + 2 * k, "The logarithm is missing.", card="model-selection-lost-marks-log"),
                ask.slip(fit + k, "That adds $k$; AIC adds $2k$.", card=_SIGN),
            ],
        ),
        ask.vector(
            "bic",
            "BIC",
            3,
            3,
            titles=DEGREES,
            places=1,
            carried=1,
            follows=[f"{v} + {np.log(N)}*parameters[{j}]" for j, v in enumerate(fit)],
            slips=[
                ask.slip(fit + k * np.log2(N), "That takes logarithms to base 2; BIC has natural ones.", card=_SIGN)
            ],
        ),
        ask.choice(
            "by_aic",
            "degree chosen by AIC",
            4,
            options=DEGREES,
            follows="argmin(aic)",
            slips=[ask.slip(DEGREES[int(aic.argmax())], _LARGEST, card="model-selection-lost-marks-sign")],
        ),
        ask.choice(
            "by_bic",
            "degree chosen by BIC",
            4,
            options=DEGREES,
            follows="argmin(bic)",
            slips=[ask.slip(DEGREES[int(bic.argmax())], _LARGEST, card="model-selection-lost-marks-sign")],
        ),
        ask.number(
            "shift",
            "rise of every AIC",
            5,
            slips=[
                ask.slip(
                    shift / 2, "The residuals are squared: RSS is multiplied by the square of the factor.", card=_SIGN
                )
            ],
        ),
    ]
    lines = [
        f"**Parameters:** the coefficients and the variance, ${row(k.tolist())}$.",
        *(
            f"**Degree {d}.** $N\\ln(\\mathrm{{RSS}}/N)={N}\\ln({sig(r)}/{N})={f:.2f}$. "
            f"$\\mathrm{{AIC}}={f:.2f}+2\\cdot {p}={a:.2f}$, "
            f"$\\mathrm{{BIC}}={f:.2f}+{p}\\ln {N}={b:.2f}$."
            for d, r, f, p, a, b in zip(DEGREES, rss, fit, k, aic, bic, strict=True)
        ),
        f"**Choice:** the smallest value wins, degree {by_aic} by AIC and degree {by_bic} by BIC.",
        f"**Other units:** every RSS is multiplied by ${factor}^2$, so every AIC rises by "
        f"${N}\\ln {factor**2}={shift:.2f}$, and no choice changes.",
        "Marks: 2 for the parameters, 3 for AIC, 3 for BIC, 2 for the choices, 1 for the rise.",
    ]
    given = {"n": N, "rss": rss.tolist(), "factor": factor}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("mdl", marks=11, minutes=14, title="Two-part codes of a binary message")
def two_part_code(rng: np.random.Generator) -> Parts:
    """Bits for parameters and data under a fair coin, a biased coin and a Markov chain; the shortest; its BIC."""
    while True:
        N = int(rng.choice([16, 64, 256]))
        zeros = int(N * rng.uniform(0.2, 0.8))
        leave = 1 + int((min(zeros, N - zeros) - 1) * rng.uniform(0.25, 0.9))  # so some 0 and some 1 is not left
        back = int(np.clip(leave + rng.integers(-1, 2), 1, N - zeros - 1))  # from 0 to 1 and back in turn
        counts = np.array([[zeros - leave, leave], [back, N - zeros - back]])
        column, total = counts.sum(axis=0), counts.sum(axis=1, keepdims=True)
        ell = [-N * np.log(2), (column * np.log(column / N)).sum(), (counts * np.log(counts / total)).sum()]
        code = mdl(ell, [0, 1, 2], N)
        if np.diff(np.sort(code.total))[0] > 0.3:
            break
    best = int(code.total.argmin())
    final = float(2 * np.log(2) * code.total[best])
    statement = "\n\n".join(
        [
            f"The receiver knows one binary symbol and is to be sent the next $N={N}$ of them. Of these, so many "
            "follow a 0 and a 1:",
            table([["after 0", *counts[0].tolist()], ["after 1", *counts[1].tolist()]], ["", "0", "1"]).markdown,
            "Three models are compared: a fair coin; a coin with an unknown probability; a Markov chain with an "
            "unknown probability after each symbol. A parameter is sent with $\\tfrac12\\log_2 N$ bits, then the "
            "message with ideal code lengths at the maximum likelihood. Naming the model costs the same for all.",
            "1. How many bits does each model spend on its parameters? (2 marks)",
            "2. How many bits does it spend on the data? (4 marks)",
            "3. Give the total lengths. Which model is chosen? (3 marks)",
            "4. Give BIC of the chosen model, $-2\\ell+k\\ln N$ (2 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "parameters": code.parameters.tolist(), "data": code.data.tolist(), "total": code.total.tolist(),
        "best": MODELS[best], "bic": final,
    }  # fmt: skip
    fields = [
        ask.vector(
            "parameters",
            "bits for the parameters",
            1,
            2,
            titles=MODELS,
            whole=True,
            slips=[
                ask.slip(
                    2 * code.parameters, "The half is missing: a parameter costs $\\tfrac12\\log_2 N$ bits.", card=_SIGN
                )
            ],
        ),
        ask.vector(
            "data",
            "bits for the data",
            2,
            4,
            titles=MODELS,
            slips=[ask.slip(-np.array(ell), "These are nats; divide by $\\ln 2$ for bits.", card=_SIGN)],
        ),
        ask.vector(
            "total",
            "total length in bits",
            3,
            2,
            titles=MODELS,
            **ask.DERIVED,
            follows=[f"parameters[{j}] + data[{j}]" for j in range(3)],
        ),
        ask.choice(
            "best",
            "model chosen",
            3,
            options=MODELS,
            follows="argmin(total)",
            slips=[
                ask.slip(
                    MODELS[int(code.total.argmax())],
                    "That has the longest message; the shortest one is chosen.",
                    card="model-selection-lost-marks-sign",
                )
            ],
        ),
        ask.number(
            "bic",
            "BIC of the chosen model",
            4,
            2,
            **ask.DERIVED,
            follows=f"{2 * np.log(2)}*min(total)",
            slips=[ask.slip(float(2 * code.total[best]), "That is in bits; BIC has natural logarithms.", card=_SIGN)],
        ),
    ]
    bits = [f"{N}\\log_2 2", _bits(column.tolist()), " ".join(_bits(c) for c in counts.tolist())]
    lines = [
        f"**Parameters:** $\\tfrac12\\cdot\\log_2 {N}={sig(np.log2(N) / 2)}$ bits each, so "
        f"${row(code.parameters.tolist())}$ bits.",
        *(
            f"**Data, {name}:** ${formula}={value:.2f}$ bits; total ${p:g}+{value:.2f}={t:.2f}$."
            for name, formula, value, p, t in zip(MODELS, bits, code.data, code.parameters, code.total, strict=True)
        ),
        f"The shortest message is that of the {MODELS[best]}.",
        f"**BIC** is the length in nats, twice: $2\\ln 2\\cdot {code.total[best]:.2f}={final:.2f}$.",
        "Marks: 2 for the parameters, 4 for the data, 2 for the totals, 1 for the choice, 2 for BIC.",
    ]
    return Parts(statement, {"n": N, "counts": counts.tolist()}, "\n\n".join(lines), answer, fields)


def _bits(counts: list[int]) -> str:
    """Ideal code length of a message with these counts, to be summed."""
    return " ".join(f"-{c}\\log_2\\tfrac{{{c}}}{{{sum(counts)}}}" for c in counts)


@drill("loo-shortcut", marks=12, minutes=16, title="Leave-one-out of a line from one fit")
def loo_shortcut(rng: np.random.Generator) -> Parts:
    """A least squares line: residuals, leverages, leave-one-out errors, and generalised cross-validation."""
    while True:
        spread, centre = np.array(SPREADS[int(rng.integers(len(SPREADS)))]), int(rng.integers(-2, 4))
        y = rng.integers(-4, 10, size=len(spread))
        N, total, square = len(y), int(spread @ y), int(spread @ spread)
        slope, mean = total / square, float(y.mean())
        rest = y - mean - slope * spread
        if abs(rest).min() > 0.05 and total and (abs(rest) > 0.3).sum() > 2:
            break
    x, leverage = spread + centre, 1 / N + spread**2 / square
    L = 1 / N + np.outer(spread, spread) / square
    left = leave_one_out_residuals(rest, leverage)
    answer: dict[str, Any] = {
        "slope": slope, "intercept": mean - slope * centre, "residuals": rest.tolist(), "leverages": leverage.tolist(),
        "left_out": left.tolist(), "loo": loo_score(L, y), "gcv": gcv_score(L, y),
    }  # fmt: skip
    names = [str(n + 1) for n in range(N)]
    statement = "\n\n".join(
        [
            "A line is fitted by least squares to",
            table([["$x_n$", *x.tolist()], ["$y_n$", *y.tolist()]], ["$n$", *names]).markdown,
            "1. Give slope and intercept (3 marks).",
            "2. Give the residuals (2 marks).",
            "3. Give the leverages $h_n$ (2 marks).",
            "4. Give the error at each instance of the line fitted without it, and their mean square (4 marks).",
            "5. Give the score of generalised cross-validation (1 mark).",
        ]
    )
    fields = [
        ask.number("slope", "slope", 1, 2),
        ask.number("intercept", "intercept", 1, follows=f"{mean} - slope*{bracket(centre)}"),
        ask.vector(
            "residuals",
            "residuals",
            2,
            2,
            titles=names,
            **ask.DERIVED,
            follows=[f"{v} - (intercept + slope*{bracket(int(u))})" for u, v in zip(x, y, strict=True)],
            slips=[ask.slip(-rest, "The sign is turned round: a residual is $y_n-\\hat y_n$.", card=_SCORES)],
        ),
        ask.vector(
            "leverages",
            "leverages",
            3,
            2,
            titles=names,
            slips=[ask.slip(leverage - 1 / N, "The $1/N$ of the intercept is missing in each leverage.", card=_SCORES)],
        ),
        ask.vector(
            "left_out",
            "leave-one-out errors",
            4,
            3,
            titles=names,
            **ask.DERIVED,
            follows=[f"residuals[{j}] / (1 - leverages[{j}])" for j in range(N)],
            slips=[
                ask.slip(
                    rest * (1 - leverage),
                    "That multiplies; without the instance the error is larger, so divide.",
                    card=_SCORES,
                )
            ],
        ),
        ask.number(
            "loo",
            "mean squared leave-one-out error",
            4,
            **ask.DERIVED,
            follows="(" + " + ".join(f"left_out[{j}]^2" for j in range(N)) + f") / {N}",
            slips=[
                ask.slip(
                    float((rest**2).mean()),
                    "That is the training error; the leave-one-out errors are larger.",
                    card=_SCORES,
                )
            ],
        ),
        ask.number(
            "gcv",
            "generalised cross-validation",
            5,
            **ask.DERIVED,
            follows="(" + " + ".join(f"residuals[{j}]^2" for j in range(N)) + f") / {N} / {(1 - 2 / N) ** 2}",
            slips=[
                ask.slip(float((rest**2).mean() / (1 - 2 / N)), "The factor $1 - 2/N$ enters squared.", card=_SCORES)
            ],
        ),
    ]
    squares = " + ".join(f"{bracket(v)}^2" for v in left)
    lines = [
        f"**Line:** $\\bar x={centre}$, $\\bar y={sig(mean)}$, $\\sum_n(x_n-\\bar x)^2={square}$ and "
        f"$\\sum_n(x_n-\\bar x)\\,y_n={total}$. Slope ${total}/{square}={sig(slope)}$, intercept "
        f"${sig(mean)}-{bracket(slope)}\\cdot {bracket(centre)}={sig(answer['intercept'])}$.",
        f"**Residuals** $y_n-\\hat y_n$: ${row(rest)}$. Their sum is 0.",
        f"**Leverages** $h_n=1/N+(x_n-\\bar x)^2/{square}$: ${row(leverage)}$. Their sum is 2, the number of weights.",
        "**Leave one out**, $(y_n-\\hat y_n)/(1-h_n)$: "
        + ", ".join(f"${sig(r)}/(1-{sig(h)})={sig(e)}$" for r, h, e in zip(rest, leverage, left, strict=True))
        + f". Mean square $({squares})/{N}={sig(answer['loo'])}$.",
        f"**Generalised:** every leverage is replaced by the mean $2/{N}$: the mean squared residual "
        f"${sig((rest**2).mean())}$ is divided by $(1-2/{N})^2={sig((1 - 2 / N) ** 2)}$, which gives "
        f"${sig(answer['gcv'])}$.",
        "Marks: 2 for the slope, 1 for the intercept, 2 for the residuals, 2 for the leverages, 3 for the errors, 1 "
        "for their mean square, 1 for generalised cross-validation.",
    ]
    return Parts(statement, {"x": x.tolist(), "y": y.tolist()}, "\n\n".join(lines), answer, fields)

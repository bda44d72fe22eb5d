"""Drills on exponential families: the natural form of a density, and one Newton step of a generalised linear model."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import log
from typing import NamedTuple

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction, matrix, vector
from notes_lib.foundations.exponential_family import (
    Bernoulli,
    Family,
    Poisson,
    glm_gradient,
    glm_hessian,
    irls_step,
)

LOGARITHMS = "$\\ln 2 = 0.6931$, $\\ln 3 = 1.0986$, $\\ln 5 = 1.6094$"


class Density(NamedTuple):
    """A density of a drill: its texts, and functions of the usual parameter in fractions."""

    name: str
    text: str  # the density
    support: str
    symbol: str  # of the usual parameter
    h: str
    T: str
    eta: str  # as a function of the usual parameter
    a: str  # as a function of it
    a_eta: str  # as a function of eta
    slope: str  # a' as a function of eta
    curve: str  # a'' as a function of eta
    choices: list[Fraction]
    natural: Callable[[Fraction], tuple[str, float]]  # eta in numbers: as printed, and its value
    partition: Callable[[Fraction], tuple[str, float]]  # a in numbers
    mean: Callable[[Fraction], Fraction]
    variance: Callable[[Fraction], Fraction]
    usual: Callable[[Fraction], Fraction]  # the parameter under which the statistic has this mean
    solved: str  # the same as a formula of the mean of the statistic
    largest: int  # datum
    squared: bool = False


def _log(value: Fraction, factor: int = 1) -> tuple[str, float]:
    """A factor times the logarithm of a fraction."""
    size = "" if abs(factor) == 1 else f"{abs(factor)} "
    return f"{'-' if factor < 0 else ''}{size}\\ln {_show(value)}", factor * log(value)


def _plain(value: Fraction) -> tuple[str, float]:
    return _show(value), float(value)


def _show(value: Fraction) -> str:
    return fraction(value)


_SHARES = [Fraction(*pair) for pair in [(1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (1, 6), (5, 6)]]
_RATES = [Fraction(k) for k in (2, 3, 4, 5, 6, 8)]
_ODDS = "\\ln \\frac{\\theta}{1 - \\theta}"
_TOSSES = 4

DENSITIES = [
    Density(
        "Bernoulli", "\\theta^x (1 - \\theta)^{1 - x}", "x \\in \\{0, 1\\}", "\\theta", "1", "x", _ODDS,
        "-\\ln(1 - \\theta)", "\\ln(1 + e^\\eta)", "\\frac{e^\\eta}{1 + e^\\eta}",
        "\\frac{e^\\eta}{(1 + e^\\eta)^2}", _SHARES, lambda t: _log(t / (1 - t)), lambda t: _log(1 - t, -1),
        lambda t: t, lambda t: t * (1 - t), lambda m: m, "\\bar T", 1,
    ),
    Density(
        "binomial", f"\\binom{{{_TOSSES}}}{{x}} \\theta^x (1 - \\theta)^{{{_TOSSES} - x}}",
        f"x \\in \\{{0, \\ldots, {_TOSSES}\\}}", "\\theta", f"\\binom{{{_TOSSES}}}{{x}}", "x", _ODDS,
        f"-{_TOSSES} \\ln(1 - \\theta)", f"{_TOSSES} \\ln(1 + e^\\eta)", f"\\frac{{{_TOSSES} e^\\eta}}{{1 + e^\\eta}}",
        f"\\frac{{{_TOSSES} e^\\eta}}{{(1 + e^\\eta)^2}}", _SHARES, lambda t: _log(t / (1 - t)),
        lambda t: _log(1 - t, -_TOSSES), lambda t: _TOSSES * t, lambda t: _TOSSES * t * (1 - t),
        lambda m: m / _TOSSES, "\\tfrac14 \\bar T", _TOSSES,
    ),
    Density(
        "Poisson", "\\frac{\\lambda^x e^{-\\lambda}}{x!}", "x \\in \\{0, 1, 2, \\ldots\\}", "\\lambda",
        "\\frac{1}{x!}", "x", "\\ln \\lambda", "\\lambda", "e^\\eta", "e^\\eta", "e^\\eta", _RATES, _log, _plain,
        lambda t: t, lambda t: t, lambda m: m, "\\bar T", 9,
    ),
    Density(
        "geometric", "\\theta (1 - \\theta)^x", "x \\in \\{0, 1, 2, \\ldots\\}", "\\theta", "1", "x",
        "\\ln(1 - \\theta)", "-\\ln \\theta", "-\\ln(1 - e^\\eta)", "\\frac{e^\\eta}{1 - e^\\eta}",
        "\\frac{e^\\eta}{(1 - e^\\eta)^2}", _SHARES, lambda t: _log(1 - t), lambda t: _log(t, -1),
        lambda t: (1 - t) / t, lambda t: (1 - t) / t**2, lambda m: 1 / (1 + m), "\\frac{1}{1 + \\bar T}", 6,
    ),
    Density(
        "exponential", "\\lambda e^{-\\lambda x}", "x > 0", "\\lambda", "1", "x", "-\\lambda", "-\\ln \\lambda",
        "-\\ln(-\\eta)", "-\\frac{1}{\\eta}", "\\frac{1}{\\eta^2}", [*_RATES, Fraction(1, 2), Fraction(1, 3)],
        lambda t: _plain(-t), lambda t: _log(t, -1), lambda t: 1 / t, lambda t: 1 / t**2, lambda m: 1 / m,
        "\\frac{1}{\\bar T}", 9,
    ),
    Density(
        "Rayleigh", "\\frac{x}{s} e^{-x^2/(2s)}", "x > 0", "s", "x", "x^2", "-\\frac{1}{2s}", "\\ln s",
        "-\\ln(-2 \\eta)", "-\\frac{1}{\\eta}", "\\frac{1}{\\eta^2}", _RATES, lambda t: _plain(-1 / (2 * t)), _log,
        lambda t: 2 * t, lambda t: 4 * t**2, lambda m: m / 2, "\\tfrac12 \\bar T", 5, squared=True,
    ),
]  # fmt: skip

# partition function, mean, variance as functions of eta, and the estimate, for errors carried forward
_CARRIED = {
    "Bernoulli": ("ln(1 + exp(eta))", "exp(eta)/(1 + exp(eta))", "exp(eta)/(1 + exp(eta))^2", "statistic"),
    "binomial": (
        f"{_TOSSES}*ln(1 + exp(eta))",
        f"{_TOSSES}*exp(eta)/(1 + exp(eta))",
        f"{_TOSSES}*exp(eta)/(1 + exp(eta))^2",
        f"statistic/{_TOSSES}",
    ),
    "Poisson": ("exp(eta)", "exp(eta)", "exp(eta)", "statistic"),
    "geometric": ("-ln(1 - exp(eta))", "exp(eta)/(1 - exp(eta))", "exp(eta)/(1 - exp(eta))^2", "1/(1 + statistic)"),
    "exponential": ("-ln(-eta)", "-1/eta", "1/eta^2", "1/statistic"),
    "Rayleigh": ("-ln(-2*eta)", "-1/eta", "1/eta^2", "statistic/2"),
}


@drill("exponential-family", marks=10, minutes=14, title="Natural form of a density")
def natural_form(rng: np.random.Generator) -> Parts:
    """Bring a density into natural form; its numbers, two moments by differentiating, and the estimate from data."""
    d = DENSITIES[int(rng.integers(len(DENSITIES)))]
    usual = d.choices[int(rng.integers(len(d.choices)))]
    x = _data(rng, d)
    T = [v * v if d.squared else v for v in x]
    mean = Fraction(sum(T), len(T))
    (eta, eta_value), (a, a_value) = d.natural(usual), d.partition(usual)
    statement = "\n".join(
        [
            f"$p(x) = {d.text}$ for ${d.support}$, with ${d.symbol} = {_show(usual)}$. Given: {LOGARITHMS}.",
            "",
            "1. Bring the density into the form $h(x)\\, e^{\\eta\\, T(x) - a(\\eta)}$ with $T(x) = " + d.T + "$: "
            "give $h(x)$ (1 mark), $\\eta$ (1 mark) and $a$ as a function of $\\eta$ (1 mark).",
            "2. Compute $\\eta$ and $a(\\eta)$ (2 marks).",
            "3. Differentiate $a$: compute mean and variance of $T(x)$ (3 marks).",
            f"4. Now ${d.symbol}$ is unknown, and the data are ${', '.join(map(str, x))}$. Give the mean $\\bar T$ of "
            f"the statistic and the maximum-likelihood estimate of ${d.symbol}$ (2 marks).",
        ]
    )
    lines = [
        f"**Form** (1 mark for $h$, 1 for $\\eta$, 1 for $a$): take the logarithm and sort. What holds $x$ "
        f"alone: $h(x) = {d.h}$. What multiplies $T(x)$: $\\eta = {d.eta}$. What holds the parameter alone is $-a$: "
        f"$a = {d.a}$, and in $\\eta$: $a = {d.a_eta}$.",
        "",
        f"**Numbers** (1 mark for $\\eta$, 1 for $a$): $\\eta = {_chain(eta, eta_value)}$ and "
        f"$a = {_chain(a, a_value)}$.",
        "",
        f"**Moments** (1 mark for the mean, 2 for the variance): $a'(\\eta) = {d.slope} = {_show(d.mean(usual))}$, and "
        f"$a''(\\eta) = {d.curve} = {_show(d.variance(usual))}$.",
        "",
        f"**Estimate** (1 mark for the mean, 1 for the estimate): $\\bar T = "
        f"\\frac{{{' + '.join(map(str, T))}}}{{{len(T)}}} = {_show(mean)}$. The maximum matches the mean, "
        f"$a'(\\hat\\eta) = \\bar T$, so $\\hat {d.symbol} = {d.solved} = {_show(d.usual(mean))}$.",
    ]
    given = {"density": d.name, "parameter": str(usual), "x": x}
    answer = {
        "eta": eta_value,
        "partition": a_value,
        "mean": float(d.mean(usual)),
        "variance": float(d.variance(usual)),
        "statistic": float(mean),
        "estimate": float(d.usual(mean)),
    }
    letters, unique = "exponential-family-do-not-confuse-parameters", "exponential-family-convention-unique"
    names_card = "exponential-family-convention-names"
    eta_slips = [
        ask.slip(
            float(usual),
            f"That is ${d.symbol}$ itself; $\\eta$ is the function of it that multiplies $T(x)$.",
            card=letters,
        ),
        ask.slip(-eta_value, "The sign is wrong: $\\eta$ multiplies the $T(x)$ that is given.", card=unique),
    ]
    partition_slip = ask.slip(
        -a_value, "The sign is wrong: $a$ is subtracted in the exponent $\\eta\\,T(x) - a(\\eta)$.", card=names_card
    )
    first, second = float(d.mean(usual)), float(d.variance(usual))
    variance_slips = [
        ask.slip(second**0.5, "That is the standard deviation; $a''(\\eta)$ is the variance.", card=names_card),
        ask.slip(
            second + first**2,
            "That is the mean of the square; $a''(\\eta)$ has the square of the mean subtracted already.",
            card=names_card,
        ),
    ]
    statistic_slip = ask.slip(sum(T), "That is the sum; divide by the number of data.", card=letters)
    mean_slips = []
    if d.squared:
        mean_slips.append(
            ask.slip(
                float(np.sqrt(np.pi * usual / 2)),
                "That is the mean of $x$; $a'$ is the mean of the statistic $T(x) = x^2$.",
                card="exponential-family-lost-marks-mean",
            )
        )
    estimate_slip = ask.slip(
        float(d.usual(Fraction(sum(T), len(T) - 1))),
        "That divides the sum of the statistic by $N - 1$; maximum likelihood matches the mean, with $N$.",
        card=letters,
    )
    carried = _CARRIED[d.name]
    fields = [
        ask.own("h", "$h(x)$", 1),
        ask.own("eta_form", f"$\\eta$ as a function of ${d.symbol}$", 1),
        ask.own("a_form", "$a$ as a function of $\\eta$", 1),
        ask.number("eta", "$\\eta$", 2, **ask.DERIVED, slips=eta_slips),
        ask.number("partition", "$a(\\eta)$", 2, **ask.DERIVED, follows=carried[0], slips=[partition_slip]),
        ask.number("mean", "mean of $T(x)$", 3, follows=carried[1], slips=mean_slips),
        ask.number("variance", "variance of $T(x)$", 3, 2, follows=carried[2], slips=variance_slips),
        ask.number("statistic", "$\\bar T$", 4, slips=[statistic_slip]),
        ask.number("estimate", f"estimate of ${d.symbol}$", 4, follows=carried[3], slips=[estimate_slip]),
    ]
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _data(rng: np.random.Generator, d: Density) -> list[int]:
    """Four or five data that are not all alike."""
    smallest = 0 if d.support.startswith("x \\in") else 1
    while True:
        x = [int(v) for v in rng.integers(smallest, d.largest + 1, size=int(rng.integers(4, 6)))]
        if len(set(x)) > 1:
            return x


def _chain(text: str, value: float) -> str:
    """A number as a formula and as a decimal, once if they look alike."""
    return text if text == sig(value) else f"{text} = {sig(value)}"


_GLM = ["$n$", "$x_n$", "$y_n$", "$\\eta_n$", "$\\mu_n$", "$W_n$", "$y_n - \\mu_n$"]
_MODELS = {
    "poisson": "A Poisson regression with $\\mu = e^\\eta$",
    "logistic": "A logistic regression with $\\mu = \\frac{1}{1 + e^{-\\eta}}$",
}
_SLOPES = {-1: "-\\ln 2", 0: "0", 1: "\\ln 2"}
_ETA = {-1: "$-\\ln 2$", 0: "0", 1: "$\\ln 2$", 2: "$2 \\ln 2$"}


class Step(NamedTuple):
    """Data of a drill, and in fractions what one Newton step computes from them."""

    x: list[int]
    y: list[int]
    mu: list[Fraction]
    W: list[Fraction]
    gradient: list[Fraction]
    sums: list[Fraction]  # of W, x W and x^2 W

    @property
    def residuals(self) -> list[Fraction]:
        """What the means leave of the targets."""
        return [Fraction(b) - m for b, m in zip(self.y, self.mu, strict=True)]

    @property
    def det(self) -> Fraction:
        """Determinant of X' W X."""
        return self.sums[0] * self.sums[2] - self.sums[1] ** 2

    @property
    def scaled(self) -> list[Fraction]:
        """The step times the determinant."""
        (a, b, c), (g, h) = self.sums, self.gradient
        return [c * g - b * h, a * h - b * g]

    @property
    def is_short(self) -> bool:
        """Whether nothing is 0 and all fractions are small enough for paper."""
        if self.det == 0:
            return False
        step = [v / self.det for v in self.scaled]
        sizes = [v.denominator for v in [*self.gradient, *self.sums, self.det, *step]]
        return 0 not in [*self.gradient, *step] and max(sizes) <= 300 and max(abs(v) for v in step) < 6


@drill("glm-newton-step", marks=10, minutes=14, title="Newton step of a generalised linear model")
def glm_newton_step(rng: np.random.Generator) -> Parts:
    """One Newton step of a Poisson or a logistic regression with intercept on three or four points."""
    kind, slope = ["poisson", "logistic"][int(rng.integers(2))], int(rng.integers(-1, 2))  # slope: in units of ln 2
    one = _one_step(rng, kind, slope)
    start = f"(0, {_SLOPES[slope]})^\\top"
    family: Family = Poisson() if kind == "poisson" else Bernoulli()
    X, w = np.column_stack([np.ones(len(one.x)), one.x]), np.array([0.0, slope * log(2)])
    new = irls_step(w, X, np.array(one.y), family)
    etas = [_ETA[slope * v] for v in one.x]
    asked = [[n, a, b, "", "", "", ""] for n, (a, b) in enumerate(zip(one.x, one.y, strict=True), 1)]
    statement = "\n".join(
        [
            f"{_MODELS[kind]} and $\\eta_n = w_0 + w_1 x_n$ is fitted by Newton's method from "
            f"$\\mathbf{{w}} = {start}$, with $\\ln 2 = 0.6931$.",
            "",
            "1. Fill in the table (3 marks).",
            "2. Compute the gradient of the log-likelihood (2 marks).",
            "3. Compute its Hessian (2 marks).",
            "4. Compute the Newton step $\\mathbf{d}$ and the new $\\mathbf{w}$ (3 marks).",
            "",
            table(asked, _GLM).markdown,
        ]
    )
    rows = [
        [n, a, b, eta, f"${_show(m)}$", f"${_show(v)}$", f"${_show(r)}$"]
        for n, (a, b, eta, m, v, r) in enumerate(zip(one.x, one.y, etas, one.mu, one.W, one.residuals, strict=True), 1)
    ]
    lines = [
        "**Table** (2 marks for the means, 1 for the weights): "
        + ("$W_n = \\mu_n$." if kind == "poisson" else "$W_n = \\mu_n (1 - \\mu_n)$."),
        "",
        table(rows, _GLM).markdown,
        "",
        *_worked(one, slope, new),
    ]
    answer = {
        "mu": [float(v) for v in one.mu],
        "weights": [float(v) for v in one.W],
        "gradient": glm_gradient(w, X, one.y, family).round(12).tolist(),
        "hessian": glm_hessian(w, X, family).round(12).tolist(),
        "step": (new - w).round(9).tolist(),
        "new": new.round(9).tolist(),
    }
    titles, axes = range(1, len(one.x) + 1), ["0", "1"]
    signs, chain = "exponential-family-lost-marks-sign", "exponential-family-lost-marks-chain"
    letters = "exponential-family-do-not-confuse-parameters"
    weights, residuals = np.array(answer["weights"]), np.array([float(v) for v in one.residuals])
    slopes, H = np.array(answer["gradient"]), np.array(answer["hessian"])
    mu_slip = ask.slip(X @ w, "That is $\\eta_n$; the mean is the inverse of the link at it.", card=letters)
    weight_slips = [
        ask.slip(
            1 / weights, "That is one over the weight; $W_n$ is the variance of $y_n$, not its inverse.", card=chain
        ),
        ask.slip(weights**0.5, "That is the standard deviation; $W_n$ is the variance of $y_n$.", card=chain),
    ]
    gradient_slips = [
        ask.slip(-slopes, "The sign is wrong: the residuals in the gradient are $y_n - \\mu_n$.", card=signs),
        ask.slip(
            X.T @ (weights * residuals),
            "That has $\\mu_n' = W_n$ as a factor; for the canonical link the variance cancels it.",
            card=chain,
        ),
    ]
    hessian_slips = [
        ask.slip(
            0.0 - H,
            "That is $\\mathbf{X}^\\top\\mathbf{W}\\mathbf{X}$; the Hessian of the log-likelihood is minus that.",
            card=signs,
        ),
        ask.slip(
            -X.T @ X,
            "The weights are forgotten: the Hessian is $-\\mathbf{X}^\\top\\mathbf{W}\\mathbf{X}$.",
            card=chain,
        ),
    ]
    step_slips = [
        ask.slip(
            w - new,
            "The sign is wrong: the Hessian is negative definite and supplies the minus of Newton's step itself.",
            card=signs,
        ),
        ask.slip(
            slopes,
            "That is the gradient; Newton's step is $(\\mathbf{X}^\\top\\mathbf{W}\\mathbf{X})^{-1}$ times it.",
            card=signs,
        ),
    ]
    new_slip = ask.slip(
        2 * w - new, "That subtracts the step $\\mathbf{d}$; it leads uphill, so it is added.", card=signs
    )
    size = len(one.x)
    means = [f"mu[{j}]" for j in range(size)]
    left = [f"({b} - mu[{j}])" for j, b in enumerate(one.y)]
    sums = [" + ".join(f"{v**k}*weights[{j}]" for j, v in enumerate(one.x)) for k in range(3)]
    det = "(hessian[0,0]*hessian[1,1] - hessian[0,1]*hessian[1,0])"
    fields = [
        ask.vector("mu", "$\\mu_n$", 1, 2, titles=titles, slips=[mu_slip]),
        ask.vector(
            "weights",
            "$W_n$",
            1,
            titles=titles,
            follows=means if kind == "poisson" else [f"{v}*(1 - {v})" for v in means],
            slips=weight_slips,
        ),
        ask.vector(
            "gradient",
            "the gradient",
            2,
            2,
            titles=axes,
            follows=[" + ".join(left), " + ".join(f"{v}*{r}" for v, r in zip(one.x, left, strict=True))],
            slips=gradient_slips,
        ),
        ask.matrix(
            "hessian",
            "the Hessian",
            3,
            2,
            rows=axes,
            columns=axes,
            follows=[[f"-({sums[i + j]})" for j in range(2)] for i in range(2)],
            slips=hessian_slips,
        ),
        ask.vector(
            "step",
            "the Newton step $\\mathbf{d}$",
            4,
            2,
            titles=axes,
            follows=[
                f"-(hessian[1,1]*gradient[0] - hessian[0,1]*gradient[1])/{det}",
                f"-(hessian[0,0]*gradient[1] - hessian[1,0]*gradient[0])/{det}",
            ],
            slips=step_slips,
        ),
        ask.vector(
            "new",
            "the new $\\mathbf{w}$",
            4,
            titles=axes,
            **ask.DERIVED,
            follows=["step[0]", f"{w[1]} + step[1]"],
            slips=[new_slip],
        ),
    ]
    return Parts(statement, {"model": kind, "slope": slope, "x": one.x, "y": one.y}, "\n".join(lines), answer, fields)


def _one_step(rng: np.random.Generator, kind: str, slope: int) -> Step:
    """Data whose Newton step can be computed on paper."""
    while True:
        x = [int(v) for v in (slope or 1) * rng.integers(-1, 3, size=int(rng.integers(3, 5)))]
        y = [int(v) for v in rng.integers(0, 6 if kind == "poisson" else 2, size=len(x))]
        odds = [Fraction(2) ** (slope * v) for v in x]
        mu = odds if kind == "poisson" else [o / (1 + o) for o in odds]
        W = mu if kind == "poisson" else [m * (1 - m) for m in mu]
        residuals = [b - m for b, m in zip(y, mu, strict=True)]
        gradient = [sum((v**k * r for v, r in zip(x, residuals, strict=True)), Fraction(0)) for k in (0, 1)]
        sums = [sum((v**k * u for v, u in zip(x, W, strict=True)), Fraction(0)) for k in (0, 1, 2)]
        found = Step(x, y, mu, W, gradient, sums)
        if found.is_short:
            return found


def _worked(one: Step, slope: int, new: np.ndarray) -> list[str]:
    """Gradient, Hessian and step of the solution."""
    first = " + ".join(bracket(r, _show) for r in one.residuals)
    second = " + ".join(
        f"{bracket(v, str)} \\cdot {bracket(r, _show)}" for v, r in zip(one.x, one.residuals, strict=True)
    )
    step = [v / one.det for v in one.scaled]
    (a, b, c), (g, h) = one.sums, one.gradient
    squared = f"{_show(b)}^2" if b >= 0 and b.denominator == 1 else f"\\big({_show(b)}\\big)^2"
    inverse = f"\\frac{{1}}{{\\det}} {matrix([[c, -b], [-b, a]], _show)} {matrix([[g], [h]], _show)}"
    start = f"(0, {_SLOPES[slope]})^\\top + " if slope else ""
    moved = f"{start}\\mathbf{{d}} = {vector(new)}"
    return [
        f"**Gradient** (1 mark for the first sum, 1 for the second): $\\sum_n (y_n - \\mu_n) = {first} = {_show(g)}$ "
        f"and $\\sum_n x_n (y_n - \\mu_n) = {second} = {_show(h)}$.",
        "",
        f"**Hessian** (1 mark for the sums, 1 for the sign): $\\sum_n W_n = {_show(a)}$, "
        f"$\\sum_n x_n W_n = {_show(b)}$, $\\sum_n x_n^2 W_n = {_show(c)}$, so "
        f"$\\mathbf{{X}}^\\top \\mathbf{{W}} \\mathbf{{X}} = {matrix([[a, b], [b, c]], _show)}$, and the Hessian is "
        "$-\\mathbf{X}^\\top \\mathbf{W} \\mathbf{X}$.",
        "",
        "**Step** (2 marks, 1 for the new weights): $\\mathbf{d} = (\\mathbf{X}^\\top \\mathbf{W} \\mathbf{X})^{-1} "
        "\\mathbf{X}^\\top (\\mathbf{y} - \\boldsymbol{\\mu})$ with the determinant "
        f"$\\det = {_show(a)} \\cdot {_show(c)} - {squared} = {_show(one.det)}$: "
        f"$\\mathbf{{d}} = {inverse} = {vector(step, _show)}$. New: $\\mathbf{{w}} = {moved}$.",
    ]

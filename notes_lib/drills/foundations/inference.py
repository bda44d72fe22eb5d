"""Drills on inference: information and three tests, two intervals of a proportion, two classifiers compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, log, sqrt

import numpy as np
from scipy.special import ndtr

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction
from notes_lib.foundations.inference import (
    likelihood_ratio_test,
    mcnemar_test,
    score_test,
    wald_interval,
    wald_test,
    wilson_interval,
)

CRITICAL = 3.841  # what chi-square with one degree of freedom exceeds with probability 5 %
Z = 2  # easier on paper than 1.96
LEVEL = float(1 - 2 * ndtr(-Z))


@dataclass(frozen=True)
class _Model:
    """One-parameter model of n values with sum S; formulas of n, S and theta, and the same with numbers put in."""

    text: str
    thetas: tuple[Fraction, ...]
    score: Callable[[int, int, Fraction], Fraction]
    information: Callable[[int, Fraction], Fraction]
    mle: Callable[[int, int], Fraction]
    log_likelihood: Callable[[int, int, float], float]
    score_tex: str
    information_tex: str
    shown_score: Callable[[int, int, str, str], str]
    shown_information: Callable[[int, str, str], str]
    shown_ratio: Callable[[int, int, Fraction], str]


def _poisson_ratio(n: int, S: int, theta: Fraction) -> str:
    return f"{S} \\ln \\tfrac{{{S}}}{{{n * theta}}} - {S} + {n * theta}"


def _exponential_ratio(n: int, S: int, theta: Fraction) -> str:
    return f"{n} \\ln \\tfrac{{{n}}}{{{S * theta}}} - {n} + {S * theta}"


def _bernoulli_ratio(n: int, S: int, theta: Fraction) -> str:
    one, zero = Fraction(S, n) / theta, Fraction(n - S, n) / (1 - theta)
    return f"{S} \\ln {fraction(one)} + {n - S} \\ln {fraction(zero)}"


_MODELS = {
    "poisson": _Model(
        "$N = {n}$ independent counts, each Poisson with mean $\\theta$, so $p(x \\mid \\theta) = "
        "e^{{-\\theta}} \\theta^x / x!$, add up to $S = {S}$.",
        (Fraction(1), Fraction(2), Fraction(3)),
        lambda n, S, t: S / t - n,
        lambda n, t: n / t,
        lambda n, S: Fraction(S, n),
        lambda n, S, t: S * log(t) - n * t,
        "\\frac{S}{\\theta} - N",
        "\\frac{N}{\\theta}",
        lambda n, S, t, u: f"\\frac{{{S}}}{{{t}}} - {n}",
        lambda n, t, u: f"{n} / {t}",
        _poisson_ratio,
    ),
    "exponential": _Model(
        "$N = {n}$ independent times, each exponential with rate $\\theta$, so $p(x \\mid \\theta) = "
        "\\theta e^{{-\\theta x}}$, add up to $S = {S}$.",
        (Fraction(1), Fraction(2)),
        lambda n, S, t: n / t - S,
        lambda n, t: n / t**2,
        lambda n, S: Fraction(n, S),
        lambda n, S, t: n * log(t) - t * S,
        "\\frac{N}{\\theta} - S",
        "\\frac{N}{\\theta^2}",
        lambda n, S, t, u: f"\\frac{{{n}}}{{{t}}} - {S}",
        lambda n, t, u: f"{n} / {t}^2",
        _exponential_ratio,
    ),
    "bernoulli": _Model(
        "Of $N = {n}$ independent throws, each a one with probability $\\theta$, $S = {S}$ are ones.",
        (Fraction(1, 2), Fraction(1, 4), Fraction(1, 5)),
        lambda n, S, t: S / t - (n - S) / (1 - t),
        lambda n, t: n / (t * (1 - t)),
        lambda n, S: Fraction(S, n),
        lambda n, S, t: S * log(t) + (n - S) * log(1 - t),
        "\\frac{S}{\\theta} - \\frac{N - S}{1 - \\theta}",
        "\\frac{N}{\\theta (1 - \\theta)}",
        lambda n, S, t, u: f"{S} / \\big({t}\\big) - {n - S} / \\big({u}\\big)",
        lambda n, t, u: f"{n} / \\big({t} \\cdot {u}\\big)",
        _bernoulli_ratio,
    ),
}


@drill("fisher-information", marks=10, minutes=14, title="Fisher information and three tests")
def information(rng: np.random.Generator) -> Parts:
    """Score, information, bound and standard error of a one-parameter model, and the three tests of a value."""
    kind = str(rng.choice(sorted(_MODELS)))
    model = _MODELS[kind]
    while True:
        n, S = int(rng.choice([4, 5, 6, 8, 9, 10, 12, 16, 20])), int(rng.integers(2, 21))
        theta = model.thetas[int(rng.integers(len(model.thetas)))]
        if (kind != "bernoulli" or n > S) and model.mle(n, S) != theta:
            break
    best = model.mle(n, S)
    slope, null, there = model.score(n, S, theta), model.information(n, theta), model.information(n, best)
    by_score = score_test(float(slope), float(null)).statistic
    by_wald = wald_test(float(best), float(theta), float(there)).statistic
    fit_0, fit_1 = (model.log_likelihood(n, S, float(t)) for t in (theta, best))
    by_ratio = likelihood_ratio_test(fit_0, fit_1).statistic
    inside = fraction(theta), fraction(1 - theta)
    decimals = f" = {sig(float(best))}" if best.denominator > 1 else ""
    statement = "\n".join(
        [
            model.text.format(n=n, S=S),
            "",
            f"1. Derive the score $s(\\theta)$ of all data, and give its value at $\\theta_0 = {fraction(theta)}$ "
            "(2 marks).",
            "2. Give the Fisher information of all data at $\\theta_0$ and the bound of Cramer and Rao for the "
            "variance of an unbiased estimate there (3 marks).",
            "3. Give the maximum-likelihood estimate $\\hat\\theta$ and its standard error, from the information at "
            "the estimate (2 marks).",
            "4. Give the score, the Wald and the likelihood-ratio statistic for $\\theta = \\theta_0$ (3 marks).",
        ]
    )
    lines = [
        f"**Score** (1 mark for the formula, 1 for the value): $s(\\theta) = {model.score_tex}$, at $\\theta_0$: "
        f"${model.shown_score(n, S, *inside)} = {fraction(slope)}$.",
        "",
        "**Information** (1 mark for the formula, 1 for the value), the variance of the score: "
        f"$I_N(\\theta) = {model.information_tex}$, at $\\theta_0$: "
        f"${model.shown_information(n, *inside)} = {fraction(null)}$. "
        f"**Bound** (1 mark) of Cramer and Rao: $1 / {_factor(null)} = {sig(float(1 / null))}$.",
        "",
        f"**Estimate** (1 mark): the score is 0 at $\\hat\\theta = {fraction(best)}{decimals}$. "
        f"**Standard error** (1 mark): $1 / \\sqrt{{{fraction(there)}}} = {sig(1 / sqrt(there))}$.",
        "",
        "**Tests** (1 mark for the score, 1 for Wald, 1 for the ratio). "
        f"Score: ${_factor(slope)}^2 / {_factor(null)} = {sig(by_score)}$. "
        f"Wald: $\\big({fraction(best)} - {fraction(theta)}\\big)^2 \\cdot {_factor(there)} = "
        f"{sig(by_wald)}$. "
        f"Likelihood ratio: $2 \\big({model.shown_ratio(n, S, theta)}\\big) = {sig(by_ratio)}$. The first needs no "
        "estimate, the second only the estimate, the third the likelihood at the estimate and at the null value.",
    ]
    answer = {
        "score": float(slope),
        "information": float(null),
        "bound": float(1 / null),
        "mle": float(best),
        "error": 1 / sqrt(there),
        "by_score": by_score,
        "by_wald": by_wald,
        "by_ratio": by_ratio,
    }
    fields = [
        ask.number("score", "the score at $\\theta_0$", 1, 2),
        ask.number("information", "the information at $\\theta_0$", 2, 2),
        ask.number("bound", "the bound for the variance", 2),
        ask.number("mle", "$\\hat\\theta$", 3),
        ask.number("error", "its standard error", 3, **ask.DERIVED),
        ask.number("by_score", "score statistic", 4, **ask.DERIVED),
        ask.number("by_wald", "Wald statistic", 4, **ask.DERIVED),
        ask.number("by_ratio", "likelihood-ratio statistic", 4, **ask.DERIVED),
    ]
    given = {"kind": kind, "n": n, "sum": S, "theta_0": [theta.numerator, theta.denominator]}
    return Parts(statement, given, "\n".join(lines), answer, fields)


@drill("confidence-interval", marks=9, minutes=12, title="Wald and Wilson interval")
def interval(rng: np.random.Generator) -> Parts:
    """Wald and Wilson interval of a small proportion with z = 2, and what they say about a claim."""
    while True:
        n, tenths = int(rng.choice([8, 10, 12, 16, 20, 25])), int(rng.integers(1, 11))
        k, claim = int(rng.integers(0, n // 2)), tenths / 20
        wald, wilson = wald_interval(k, n, LEVEL), wilson_interval(k, n, LEVEL)
        if min(abs(claim - end) for end in (*wald, *wilson)) > 0.005:
            break
    share, error = k / n, sqrt(k * (n - k) / n**3)
    root, middle = f"\\sqrt{{\\frac{{{k} \\cdot {n - k}}}{{{n}}} + 1}}", f"\\frac{{{k} + 2}}{{{n} + 4}}"
    width = f"2 \\sqrt{{\\frac{{{k} \\cdot {n - k}}}{{{n}^3}}}}"
    verdicts = [_VERDICTS[int(low <= claim <= high)] for low, high in (wald, wilson)]
    statement = "\n".join(
        [
            f"A classifier errs on {k} of {n} new instances. Let $\\theta$ be its error rate. Take $z = {Z}$, which is "
            "the level 95.45 %.",
            "",
            "1. Give the estimate $\\hat\\theta$ and its estimated standard error (2 marks).",
            "2. Give both ends of the Wald interval (2 marks).",
            "3. Give the centre and both ends of the Wilson interval (3 marks).",
            f"4. Somebody claims that $\\theta = {sig(claim)}$. At this level, is that rejected by the Wald test, and "
            "by the score test? (2 marks)",
        ]
    )
    point, negative = " It is a single point, as if nothing were uncertain.", " Its lower end is negative."
    note = point if k == 0 else negative if wald.low < 0 else ""
    lines = [
        f"**Estimate** (1 mark): $\\hat\\theta = \\frac{{{k}}}{{{n}}} = {sig(share)}$. **Standard error** (1 mark): "
        f"$\\sqrt{{\\frac{{{k} \\cdot {n - k}}}{{{n}^3}}}} = {sig(error)}$.",
        "",
        "**Wald** (1 mark for the lower end, 1 for the upper end): from "
        f"$\\frac{{{k}}}{{{n}}} - {width} = {sig(float(wald.low))}$ to "
        f"$\\frac{{{k}}}{{{n}}} + {width} = {sig(float(wald.high))}$.{note}",
        "",
        "**Wilson** (1 mark for the centre, 1 for the lower end, 1 for the upper end): with $z^2 = 4$ two successes "
        f"and two failures are added, so the centre is ${middle} = {sig((k + 2) / (n + 4))}$; from "
        f"${middle} - \\frac{{2}}{{{n} + 4}} \\cdot {root} = {sig(float(wilson.low))}$ to "
        f"${middle} + \\frac{{2}}{{{n} + 4}} \\cdot {root} = {sig(float(wilson.high))}$.",
        "",
        "**Claim** (1 mark for Wald, 1 for the score test): an interval holds the values that its test does not "
        f"reject. Wald: {verdicts[0]}. Score test, whose interval is Wilson's: {verdicts[1]}.",
    ]
    answer = {
        "share": share,
        "error": error,
        "wald": [float(end) for end in wald],
        "centre": (k + 2) / (n + 4),
        "wilson": [float(end) for end in wilson],
        "by_wald": verdicts[0],
        "by_score": verdicts[1],
    }
    fields = [
        ask.number("share", "$\\hat\\theta$", 1, percent=True),
        ask.number("error", "its standard error", 1),
        ask.vector("wald", "Wald interval", 2, 2, titles=_ENDS, percent=True, **ask.DERIVED),
        ask.number("centre", "centre of the Wilson interval", 3, percent=True),
        ask.vector("wilson", "Wilson interval", 3, 2, titles=_ENDS, percent=True, **ask.DERIVED),
        ask.choice("by_wald", "the claim, by the Wald test", 4, options=_VERDICTS),
        ask.choice("by_score", "the claim, by the score test", 4, options=_VERDICTS),
    ]
    return Parts(statement, {"k": k, "n": n, "claim": claim}, "\n".join(lines), answer, fields)


@drill("mcnemar", marks=9, minutes=12, title="McNemar's test")
def mcnemar(rng: np.random.Generator) -> Parts:
    """Two classifiers on the same instances: accuracies, exact p-value, corrected chi-square, verdict."""
    while True:
        b, c = (int(v) for v in rng.integers(0, 11, size=2))
        if 6 <= b + c <= 12 and abs(b - c) >= 2:
            break
    m = b + c
    n = int(rng.choice([40, 50, 80, 100]))
    d = int(rng.integers(2, n // 5))
    a = n - m - d
    counts = [[a, b], [c, d]]
    exact, corrected = mcnemar_test(counts), mcnemar_test(counts, exact=False)
    verdict = _DIFFERENT[exact.p_value < 0.05]
    statement = "\n".join(
        [
            f"Two classifiers are tried on the same {n} instances:",
            "",
            table([["A right", a, b], ["A wrong", c, d]], ["", "B right", "B wrong"]).markdown,
            "",
            "1. Give the accuracy of A and of B (2 marks).",
            "2. Which instances say which one is better, and how many of them does A win on average, if both err "
            "equally often? (2 marks)",
            "3. Give the exact two-sided p-value of McNemar's test (3 marks).",
            "4. Give McNemar's statistic with continuity correction (1 mark), and say by the exact test whether a "
            "difference is shown at level 5 % (1 mark).",
        ]
    )
    terms = " + ".join(str(comb(m, i)) for i in range(min(b, c) + 1))
    lines = [
        f"**Accuracy** (1 mark for A, 1 for B): A $\\frac{{{a} + {b}}}{{{n}}} = {sig((a + b) / n)}$, B "
        f"$\\frac{{{a} + {c}}}{{{n}}} = {sig((a + c) / n)}$.",
        "",
        f"**What decides** (1 mark for the number, 1 for its mean): the ${b} + {c} = {m}$ instances on which one is "
        "right and the other is not. If both err equally often, each of them is won by A with probability "
        f"$\\tfrac{{1}}{{2}}$: the mean is $\\frac{{{m}}}{{2}} = {sig(m / 2)}$.",
        "",
        f"**Exact** (1 mark for the binomial distribution, 1 for the tail, 1 for doubling it): at most {min(b, c)} "
        f"of {m} fall to the weaker one, on either side: "
        f"$2 \\cdot \\frac{{{terms}}}{{2^{{{m}}}}} = {sig(exact.p_value)}$.",
        "",
        f"**Corrected** (1 mark): $\\frac{{({max(b, c)} - {min(b, c)} - 1)^2}}{{{m}}} = {sig(corrected.statistic)}$; "
        f"the limit for 5 % is {CRITICAL}.",
        "",
        f"**Verdict** (1 mark): {verdict}.",
    ]
    answer = {
        "accuracy": [(a + b) / n, (a + c) / n],
        "apart": m,
        "mean": m / 2,
        "p_value": exact.p_value,
        "statistic": corrected.statistic,
        "verdict": verdict,
    }
    fields = [
        ask.vector("accuracy", "accuracy", 1, 2, titles=["A", "B"]),
        ask.number("apart", "how many instances decide", 2, whole=True),
        ask.number("mean", "of them A wins on average", 2),
        ask.number("p_value", "exact p-value", 3, 3),
        ask.number("statistic", "corrected statistic", 4),
        ask.choice("verdict", "at level 5 %", 4, options=_DIFFERENT),
    ]
    return Parts(statement, {"table": counts}, "\n".join(lines), answer, fields)


_ENDS = ["from", "to"]
_VERDICTS = ["rejected", "not rejected"]
_DIFFERENT = ["no difference is shown", "a difference is shown"]


def _factor(value: Fraction) -> str:
    """A number to be multiplied, divided by or squared: in brackets unless it is whole and positive."""
    whole = value.denominator == 1 and value > 0
    return fraction(value) if whole else f"\\big({fraction(value)}\\big)"

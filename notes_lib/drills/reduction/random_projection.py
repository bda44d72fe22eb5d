"""Drill on random projections: one pair, all pairs, the dimension of Johnson and Lindenstrauss, what it hangs on."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, log, sqrt

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, short
from notes_lib.reduction.random_projection import confident_min_dim, failure_bound, inner_product_variance

POINTS = [10, 20, 30, 40, 50, 80, 100, 200, 500]
CHANGES = [Fraction(1, 5), Fraction(3, 10), Fraction(2, 5), Fraction(1, 2)]
_UNION = "random-projection-do-not-confuse-union"
CHOICES = ["stays", "doubles", "is squared"]


@drill("jl-dimension", marks=12, minutes=15, title="The dimension of Johnson and Lindenstrauss")
def jl_dimension(rng: np.random.Generator) -> Parts:
    """Bound for one pair and for all pairs, two dimensions that follow, what they hang on, the spread of a ratio."""
    while True:
        n, eps = int(rng.choice(POINTS)), CHANGES[int(rng.integers(len(CHANGES)))]
        delta = Fraction(1, int(rng.choice([10, 20, 100])))
        rate = eps**2 / 2 - eps**3 / 3
        exact = 4 * log(n) / float(rate)
        sure = 2 * log(n * (n - 1) / float(delta)) / float(rate)
        k = 10 * int(rng.integers(2, 80))
        one = float(failure_bound(2, k, float(eps)))
        clear = all(0.02 < v % 1 < 0.98 for v in (exact, sure))
        if clear and 1e-4 < one < 0.05 and 10_000 % (k * rate / 2).denominator == 0:
            break
    more = "points" if rng.random() < 0.5 else "features"
    grows = "doubles" if more == "points" else "stays"
    union = float(failure_bound(n, k, float(eps)))
    spread = sqrt(inner_product_variance([1.0], [1.0], k))
    pairs = n * (n - 1) // 2
    question = (
        "The points become as many as $n^2$: what happens to the dimension of part 3?"
        if more == "points"
        else "The points get twice as many features: what happens to the dimension of part 3?"
    )
    statement = "\n\n".join(
        [
            f"A cloud of $n={n}$ points is projected by a Gaussian matrix to $k={k}$ components. A pair fails if its "
            f"squared distance changes by a share of $\\varepsilon={short(float(eps))}$ or more.",
            "1. Bound the probability that a given pair fails, by the bound with "
            "$\\tfrac{\\varepsilon^2}{2}-\\tfrac{\\varepsilon^3}{3}$ (3 marks).",
            "2. How many pairs are there, and what does the union bound give for the probability that some pair "
            "fails? (3 marks)",
            "3. Give the number of components that the lemma asks for, "
            "$4\\ln n/(\\tfrac{\\varepsilon^2}{2}-\\tfrac{\\varepsilon^3}{3})$ rounded up, and the one from which on "
            f"the union bound is at most $\\delta={short(float(delta))}$ (3 marks).",
            f"4. {question} (1 mark)",
            f"5. Give the standard deviation of the ratio of a squared distance after to before with the $k={k}$ "
            "components (2 marks).",
        ]
    )
    given = {"n": n, "eps": float(eps), "delta": float(delta), "components": k, "more": more}
    answer = {
        "one": one, "pairs": pairs, "union": union, "exists": ceil(exact),
        "sure": int(confident_min_dim(n, eps=float(eps), delta=float(delta))), "grows": grows, "spread": spread,
    }  # fmt: skip
    fields = [
        ask.number(
            "one",
            "bound for one pair",
            1,
            3,
            slips=[
                ask.slip(one / 2, "That bounds one tail; the distance may grow or shrink.", card=_UNION),
                ask.slip(
                    2 * exp(-k * float(rate)),
                    "The exponent has $k/2$ in it, and not $k$.",
                    card="random-projection-convention-eps",
                ),
            ],
        ),
        ask.number(
            "pairs", "pairs", 2, whole=True, slips=[ask.slip(n * (n - 1), "That counts each pair twice.", card=_UNION)]
        ),
        ask.number("union", "bound for all pairs", 2, 2, **ask.DERIVED, follows="pairs*one"),
        ask.number(
            "exists",
            "components",
            3,
            whole=True,
            slips=[
                ask.slip(
                    int(exact),
                    "That rounds down; an exam wants the next whole number up.",
                    card="random-projection-convention-floor",
                )
            ],
        ),
        ask.number(
            "sure",
            "components for $\\delta$",
            3,
            2,
            whole=True,
            slips=[
                ask.slip(
                    ceil(exact),
                    "With that many a good matrix exists; for one draw put $\\delta$ into the logarithm.",
                    card="random-projection-lost-marks-safe",
                )
            ],
        ),
        ask.choice(
            "grows",
            "the dimension",
            4,
            options=CHOICES,
            slips=[
                ask.slip(
                    "doubles" if grows == "stays" else "is squared",
                    "The dimension depends on the logarithm of the number of points, and on no number of features.",
                    card="random-projection-lost-marks-features",
                )
            ],
        ),
        ask.number(
            "spread",
            "standard deviation",
            5,
            2,
            slips=[ask.slip(2 / k, "That is the variance; take the root.", card="random-projection-lost-marks-scale")],
        ),
    ]
    at, level, c = short(float(eps)), short(float(delta)), fraction(rate)
    power = short(float(k * rate / 2))
    why = "$\\ln(n^2)$ is twice $\\ln n$" if more == "points" else "the number of features does not occur"
    lines = [
        f"**One pair:** $\\tfrac{{{at}^2}}{{2}} - \\tfrac{{{at}^3}}{{3}}={c}$, so the exponent is "
        f"$\\tfrac{{{k}}}{{2}} \\cdot {c}={power}$. Both tails together: $2 \\cdot e^{{-{power}}}\\approx{sig(one)}$.",
        f"**All pairs:** $\\tfrac{{{n} \\cdot {n - 1}}}{{2}}={pairs}$ pairs. The probabilities add up to at most "
        f"${pairs} \\cdot 2 \\cdot e^{{-{power}}}\\approx{sig(union)}$"
        + (", which says nothing." if union >= 1 else "."),
        f"**Components:** $4 \\cdot \\ln({n}) / {_inline(rate)}\\approx{sig(exact, 6)}$, so {ceil(exact)}. Taking "
        f"logarithms, the union bound falls to ${level}$ at "
        f"$2 \\cdot \\ln({n} \\cdot {n - 1} / {level}) / {_inline(rate)}\\approx{sig(sure, 6)}$, so {answer['sure']}.",
        f"**What it hangs on:** {why}: the dimension {grows}.",
        f"**Spread:** the ratio is a chi-square variable with ${k}$ degrees of freedom, divided by ${k}$: its variance "
        f"is $2 \\cdot {k} / {k}^2={fraction(Fraction(2, k))}$, its standard deviation "
        f"$\\sqrt{{{fraction(Fraction(2, k))}}}\\approx{sig(spread)}$.",
        "Marks: 1 for the constant, 1 for the exponent, 1 for both tails, 1 for the pairs, 2 for the union bound, 1 "
        "for the dimension, 2 for the other one, 1 for what it hangs on, 2 for the spread.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _inline(value: Fraction) -> str:
    """A divisor on one line."""
    return f"({value.numerator} / {value.denominator})"

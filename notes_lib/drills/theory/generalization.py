"""Drills on generalisation: Hoeffding, sample sizes of finite classes, labelings of points, growth functions."""

from __future__ import annotations

from fractions import Fraction
from math import comb, e, log

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import row, short
from notes_lib.theory.generalization import (
    hoeffding_bound,
    is_shattered,
    labelings,
    pac_sample_size,
    sauer_bound,
    uniform_deviation,
    vc_bound,
)
from notes_lib.theory.generalization.shattering import LINE, Hypotheses

_CONSTANTS, _GROWTH = "generalization-convention-constants", "generalization-convention-growth"
_PARAMETERS = "generalization-lost-marks-parameters"
POINTS = {"rays": 2, "intervals": 3}  # so many points of the line are one too many
SHAPES = {
    "rays": ("the rays $[x>t]$", 1),
    "intervals": ("the intervals $[a\\le x\\le b]$", 2),
}


@drill("hoeffding", marks=8, minutes=10, title="Hoeffding: a test set, many hypotheses")
def hoeffding(rng: np.random.Generator) -> Parts:
    """Bound for one hypothesis, size of a test set, deviation for the best of many."""
    while True:
        n, width = int(rng.choice([100, 200, 400, 500, 1000])), int(rng.choice([2, 4, 5, 10]))
        epsilon = Fraction(int(rng.choice([4, 5, 6, 8, 10])), 100)
        delta = Fraction(int(rng.choice([1, 2, 5, 10])), 100)
        many = int(rng.choice([10, 20, 50, 100, 200]))
        power = 2 * n * epsilon**2
        exact = -log(delta / 2) / float(2 * epsilon**2)
        if 1 < power < 7 and abs(exact - round(exact)) > 0.02:
            break
    bound = float(hoeffding_bound(float(epsilon), n))
    needed = pac_sample_size(1, float(epsilon), float(delta))
    deviation = uniform_deviation(many, n, float(delta))
    statement = "\n\n".join(
        [
            f"A classifier has been trained; a test set of $n={n}$ fresh instances estimates its risk, 0-1 loss.",
            f"1. Bound the probability that the estimate is off by ${short(float(epsilon))}$ or more, to either side "
            "(2 marks).",
            f"2. How many test instances make that probability at most ${short(float(delta))}$, by the same bound? "
            "(2 marks)",
            f"3. You keep the best of ${many}$ classifiers on the test set with $n={n}$. Which deviation do all "
            f"${many}$ estimates keep with probability $1-\\delta$, $\\delta={short(float(delta))}$? (2 marks)",
            f"4. Another loss lies between 0 and ${width}$. By which factor does the deviation of part 3 grow, and by "
            "which the number of instances for the same deviation? (2 marks)",
        ]
    )
    answer = {
        "bound": bound, "needed": needed, "deviation": deviation, "wider": width, "more": width**2,
    }  # fmt: skip
    fields = [
        ask.number(
            "bound",
            "bound of the probability",
            1,
            2,
            slips=[
                ask.slip(bound / 2, "That bounds one side; the estimate may be off to either side.", card=_CONSTANTS),
            ],
        ),
        ask.number(
            "needed",
            "test instances",
            2,
            2,
            whole=True,
            slips=[ask.slip(int(exact), "That rounds down, and the bound is not yet kept; round up.", card=_CONSTANTS)],
        ),
        ask.number(
            "deviation",
            "deviation",
            3,
            2,
            slips=[
                ask.slip(
                    uniform_deviation(1, n, float(delta)),
                    "That holds for one classifier alone; for the best of many, divide $\\delta$ by their number.",
                    card="generalization-lost-marks-winner",
                )
            ],
        ),
        ask.number("wider", "factor of the deviation", 4, whole=True),
        ask.number(
            "more",
            "factor of the number",
            4,
            whole=True,
            follows="wider^2",
            slips=[ask.slip(width, "The number of instances grows with the square of the width.", card=_CONSTANTS)],
        ),
    ]
    at, level = short(float(epsilon)), short(float(delta))
    lines = [
        f"**Bound** (1 mark for the exponent, 1 for the value): $2e^{{-2 n\\varepsilon^2}}$ with "
        f"$2\\cdot{n}\\cdot{at}^2={short(float(power))}$, that is "
        f"$2e^{{-{short(float(power))}}}\\approx{sig(bound)}$.",
        f"**Test set** (1 mark for the equation, 1 for rounding up): $2e^{{-2 m\\varepsilon^2}}\\le\\delta$ means "
        f"that $m$ is at least $\\frac{{\\ln(2/{level})}}{{2\\cdot{at}^2}}\\approx{sig(exact, 6)}$, "
        f"so {needed} instances.",
        f"**Best of ${many}$** (1 mark for the union bound, 1 for the value): each may fail with $\\delta/{many}$, so "
        f"$\\varepsilon=\\sqrt{{\\frac{{\\ln(2\\cdot{many}/{level})}}{{2\\cdot{n}}}}}\\approx{sig(deviation)}$. The "
        "bound of part 1 does not hold for the best one: it was chosen by the same instances.",
        f"**Wider loss** (1 mark each): $\\varepsilon$ is measured in units of the width, so the deviation is "
        f"${width}$ times as large, and ${width}^2={width**2}$ times as many instances bring it back.",
    ]
    given = {"n": n, "epsilon": str(epsilon), "delta": str(delta), "many": many, "width": width}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("pac-sample-size", marks=9, minutes=11, title="How many instances a finite class needs")
def pac(rng: np.random.Generator) -> Parts:
    """Size of a class, sample sizes with and without a perfect hypothesis, and what one more feature costs."""
    base, name = [(3, "conjunctions"), (2, "conjunctions without negation")][int(rng.integers(2))]
    while True:
        k = int(rng.integers(5, 31))
        epsilon = Fraction(int(rng.choice([5, 10, 20])), 100)
        delta = Fraction(int(rng.choice([1, 5, 10])), 100)
        ln_size = k * log(base)
        exact = (ln_size - log(delta)) / float(epsilon)
        agnostic = (ln_size + log(2) - log(delta)) / float(2 * epsilon**2)
        if min(abs(exact - round(exact)), abs(agnostic - round(agnostic))) > 0.05:
            break
    realizable = pac_sample_size(float(base) ** k, float(epsilon), float(delta), realizable=True)
    needed = pac_sample_size(float(base) ** k, float(epsilon), float(delta))
    why = (
        "each feature is required, required to be absent, or not mentioned"
        if base == 3
        else "each feature is required or not mentioned"
    )
    statement = "\n\n".join(
        [
            f"The class holds all {name} over ${k}$ boolean features, where {why}.",
            "1. How many hypotheses are written down like this? Give the natural logarithm of the number (2 marks).",
            f"2. One of them is always right. How many instances suffice, so that with probability "
            f"${short(float(1 - delta))}$ every hypothesis that fits them has a risk of at most "
            f"${short(float(epsilon))}$? (3 marks)",
            f"3. None may be right. How many suffice for all risks and empirical risks to differ by at most "
            f"${short(float(epsilon))}$, with the same probability? (3 marks)",
            "4. How many instances does one feature more cost in part 2, before rounding? (1 mark)",
        ]
    )
    answer = {
        "ln_size": ln_size, "realizable": realizable, "agnostic": needed, "feature": log(base) / float(epsilon),
    }  # fmt: skip
    fields = [
        ask.number(
            "ln_size",
            "natural logarithm of the number",
            1,
            2,
            slips=[
                ask.slip(
                    k * log(5 - base),
                    f"That counts {5 - base} possibilities for each feature; here there are {base}.",
                    card=_PARAMETERS,
                )
            ],
        ),
        ask.number(
            "realizable",
            "instances if one is right",
            2,
            3,
            whole=True,
            after=["ln_size"],
            slips=[ask.slip(int(exact), "That rounds down; so many are not yet enough.", card=_CONSTANTS)],
        ),
        ask.number(
            "agnostic",
            "instances if none is",
            3,
            3,
            whole=True,
            after=["ln_size"],
            slips=[
                ask.slip(
                    realizable,
                    "That holds if one of them is always right; without that, $2\\varepsilon^2$ stands below.",
                    card=_CONSTANTS,
                )
            ],
        ),
        ask.number(
            "feature",
            "instances for one feature more",
            4,
            follows=f"ln_size / {k * float(epsilon)}",
            slips=[
                ask.slip(
                    log(base), "That is the growth of the logarithm; divide it by $\\varepsilon$.", card=_PARAMETERS
                )
            ],
        ),
    ]
    at, level = short(float(epsilon)), short(float(delta))
    lines = [
        f"**Size** (1 mark for the number, 1 for its logarithm): ${base}^{{{k}}}$, and "
        f"${k}\\ln {base}\\approx{sig(ln_size, 6)}$.",
        "**One is right** (1 mark for the probability of one bad hypothesis, 1 for the union, 1 for the number): a "
        f"hypothesis with a larger risk fits $n$ instances with probability below "
        f"$(1-\\varepsilon)^n\\le e^{{-\\varepsilon n}}$; over "
        f"all hypotheses this is at most ${level}$ if $n$ is at least $\\frac{{{k}\\ln {base}+\\ln(1/{level})}}{{{at}}}"
        f"\\approx{sig(exact, 6)}$, so {realizable}.",
        "**None may be right** (1 mark for Hoeffding, 1 for the union, 1 for the number): "
        f"at least $\\frac{{{k}\\ln {base}+\\ln(2/{level})}}{{2\\cdot{at}^2}}\\approx{sig(agnostic, 7)}$, so {needed}.",
        f"**One more** (1 mark): $\\frac{{\\ln {base}}}{{{at}}}\\approx{sig(log(base) / float(epsilon))}$. The "
        "number of features counts linearly, although the class grows exponentially.",
    ]
    given = {"k": k, "base": base, "epsilon": str(epsilon), "delta": str(delta)}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("vc-dimension", marks=8, minutes=12, title="Labelings, shattering and the VC dimension")
def vc_dimension(rng: np.random.Generator) -> Parts:
    """Labelings that two classes on the line give some points, shattering in the plane by half-planes."""
    line = np.sort(rng.choice(np.arange(-4, 9), size=int(rng.integers(3, 5)), replace=False))
    kind: Hypotheses = LINE[int(rng.integers(2))]
    what, d = SHAPES[kind]
    n = len(line)
    count = len(labelings(line[:, None], kind))
    plane = _plane_points(rng)
    split = is_shattered(plane, "half-spaces")
    few = len(plane)
    statement = "\n\n".join(
        [
            f"The first class are {what} on the line, label 1 inside. Points: ${row(line)}$.",
            "1. How many different labelings of these points does the class contain? How many are there in all? "
            "(2 marks)",
            "2. Give the VC dimension of the class, and show both halves (3 marks).",
            f"The second class are the half-planes. Points: {', '.join(f'${row(p)}$' for p in plane)}.",
            "3. Does it shatter these points? (2 marks)",
            "4. Give its VC dimension (1 mark).",
        ]
    )
    answer = {"count": count, "all": 2**n, "dimension": d, "halves": None, "shattered": split, "plane": 3}
    fields = [
        ask.number(
            "count",
            "labelings in the class",
            1,
            whole=True,
            slips=[
                ask.slip(count - 1, "The labeling without any 1 is missing.", card=_GROWTH),
            ],
        ),
        ask.number(
            "all",
            "labelings in all",
            1,
            whole=True,
            slips=[ask.slip(n**2, "Each point has two labels, so it is $2^n$ and not $n^2$.", card=_GROWTH)],
        ),
        ask.number(
            "dimension",
            "VC dimension on the line",
            2,
            whole=True,
            slips=[ask.slip(d + 1, "That many points are never shattered; the dimension is one less.", card=_GROWTH)],
        ),
        ask.own("halves", "both halves", 2, 2),
        ask.choice(
            "shattered",
            "half-planes shatter the points",
            3,
            2,
            options=["yes", "no"],
            keys=[True, False],
            slips=[
                ask.slip(
                    not split,
                    "Go through the labelings: every one needs a line that cuts off the points with label 1.",
                    card="generalization-lost-marks-quantifiers",
                )
            ],
        ),
        ask.number(
            "plane",
            "VC dimension of half-planes",
            4,
            whole=True,
            slips=[
                ask.slip(
                    plane.shape[1],
                    "That is the dimension of the plane; three points of a triangle are shattered.",
                    card="generalization-lost-marks-some",
                )
            ],
        ),
    ]
    formula = f"{n}+1={count}" if kind == "rays" else f"\\tfrac{{{n}\\cdot{n + 1}}}{{2}}+1={count}"
    reason = (
        "the points with label 1 are the last ones, and they may be none"
        if kind == "rays"
        else "the points with label 1 are neighbours: choose the first and the last, or none"
    )
    missing = "the left one 1 and the right one 0" if kind == "rays" else "1, 0, 1 from left to right"
    lines = [
        f"**Labelings** (1 mark each): {reason}, so ${formula}$ of $2^{n}={2**n}$.",
        f"**VC dimension** (1 mark for the number, 1 for each half): {d}. *At least:* "
        f"{'one point gets' if d == 1 else 'two points get'} all ${2**d}$ labelings. *At most:* of any {POINTS[kind]} "
        f"points the labeling *{missing}* is missing.",
        f"**Half-planes** (1 mark for the answer, 1 for the reason): {_reason(few, split)}",
        "**VC dimension** (1 mark): 3. Three points that are not on a line are shattered; by Radon's theorem any four "
        "can be divided into two sets whose convex hulls meet, and no line separates those.",
    ]
    given = {"line": line.tolist(), "kind": kind, "plane": plane.tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _plane_points(rng: np.random.Generator) -> np.ndarray:
    """Three points of a triangle, three on a line, or four."""
    case = int(rng.integers(3))
    while True:
        points = rng.integers(-4, 5, size=(3 if case < 2 else 4, 2))
        if case == 1:
            step = rng.integers(-2, 3, size=2)
            points = points[0] + np.arange(3)[:, None] * step
        a, b = points[1] - points[0], points[2] - points[0]
        flat = a[0] * b[1] == a[1] * b[0]
        if len(np.unique(points, axis=0)) == len(points) and flat == (case == 1):
            return points[rng.permutation(len(points))]


def _reason(few: int, split: bool) -> str:
    if few == 4:
        return "no. Four points are never shattered: see part 4."
    if split:
        return "yes. They are the corners of a triangle, and a line cuts off any corner, or none."
    return "no. They lie on a line, and the middle one cannot be cut off from the two others."


@drill("growth-function", marks=9, minutes=12, title="Sauer's bound and the VC bound")
def growth(rng: np.random.Generator) -> Parts:
    """Sum of binomials, its power form, the break point, and the VC bound with its constants."""
    d, n = int(rng.integers(2, 5)), int(rng.integers(6, 13))
    size, delta = int(rng.choice([1000, 2000, 5000, 10_000, 50_000])), Fraction(int(rng.choice([1, 5, 10])), 100)
    terms = [comb(n, i) for i in range(d + 1)]
    total = sauer_bound(n, d)
    power = (e * n / d) ** d
    log_growth = d * log(2 * e * size / d)
    bound = vc_bound(size, d, float(delta), "exponential")
    statement = "\n\n".join(
        [
            f"A class has the VC dimension $d={d}$.",
            f"1. Bound the number of labelings that it gives $n={n}$ points by Sauer's lemma (3 marks).",
            "2. Compare with all labelings, and with $(en/d)^d$ (2 marks).",
            "3. For which smallest number of points are some labelings missing, whatever the points? (1 mark)",
            f"4. With $N={size}$ instances and $\\delta={short(float(delta))}$, compute "
            "$\\sqrt{\\tfrac8N\\big(d\\ln\\tfrac{2eN}{d}+\\ln\\tfrac4\\delta\\big)}$, which the difference of "
            "risk and empirical risk exceeds for no hypothesis, with probability $1-\\delta$ (3 marks).",
        ]
    )
    answer = {
        "sauer": total, "all": 2**n, "power": power, "break": d + 1, "log_growth": log_growth, "bound": bound,
    }  # fmt: skip
    fields = [
        ask.number(
            "sauer",
            "Sauer's bound",
            1,
            3,
            whole=True,
            slips=[
                ask.slip(total - 1, "The sum begins with $i = 0$: choosing no point counts.", card=_GROWTH),
                ask.slip(terms[-1], "That is the last binomial alone; all from 0 to $d$ are added.", card=_GROWTH),
            ],
        ),
        ask.number("all", "all labelings", 2, whole=True),
        ask.number("power", "$(en/d)^d$", 2),
        ask.number(
            "break",
            "number of points",
            3,
            whole=True,
            slips=[ask.slip(d, "That many points can still be shattered; one more cannot.", card=_GROWTH)],
        ),
        ask.number(
            "log_growth",
            "$d\\ln(2eN/d)$",
            4,
            slips=[ask.slip(d * log(e * size / d), "The 2 is missing: the proof doubles the sample.", card=_CONSTANTS)],
        ),
        ask.number(
            "bound",
            "the bound",
            4,
            2,
            **ask.DERIVED,
            follows=f"sqrt(8/{size}*(log_growth + {log(4 / float(delta))}))",
            slips=[ask.slip(bound**2, "The root is missing.", card=_CONSTANTS)],
        ),
    ]
    level = short(float(delta))
    lines = [
        f"**Sauer** (1 mark for the sum, 1 for the binomials, 1 for the value): "
        f"of the ${n}$ points at most ${d}$ are chosen, in ${'+'.join(map(str, terms))}={total}$ ways.",
        f"**Compare** (1 mark each): $2^{{{n}}}={2**n}$, and $\\big(\\tfrac{{{n} e}}{{{d}}}\\big)^{d}"
        f"\\approx{sig(power)}$: larger than the sum, but a power of $n$ all the same.",
        f"**Break point** (1 mark): ${d}+1={d + 1}$ points are never shattered.",
        f"**VC bound** (1 mark for the growth, 1 for the confidence, 1 for the value): "
        f"${d}\\ln\\frac{{2e\\cdot{size}}}{{{d}}}\\approx{sig(log_growth)}$ and $\\ln\\frac{{4}}{{{level}}}"
        f"\\approx{sig(log(4 / float(delta)))}$, so the bound is $\\sqrt{{\\frac{{8}}{{{size}}}\\cdot"
        f"({sig(log_growth)}+{sig(log(4 / float(delta)))})}}\\approx{sig(bound)}$.",
    ]
    given = {"d": d, "n": n, "size": size, "delta": str(delta)}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

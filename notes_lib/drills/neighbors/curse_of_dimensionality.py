"""Drills on the curse of dimensionality: a ball and its shell, cells and samples, the spread of distances."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, pi, sqrt

import numpy as np

from notes_lib.display import sig
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction
from notes_lib.neighbors.curse_of_dimensionality import (
    ball_volume,
    edge_length,
    relative_spread,
    shell_fraction,
)

LN2 = 0.6931


@drill("shell-volume", marks=9, minutes=12, title="The volume of a ball and of its shell")
def shell_volume(rng: np.random.Generator) -> Parts:
    """Volume by the recursion, share of the outer shell, share of the cube, thickness of the shell that holds half."""
    d = int(rng.integers(4, 8))
    inner = Fraction(str(rng.choice(["1/2", "2/3", "3/4", "4/5", "9/10"])))
    far = int(rng.choice([50, 100, 200, 250, 400, 500, 800, 1000]))
    thickness, volume = 1 - inner, ball_volume(d)
    start, factor = (1, Fraction(2)) if d % 2 else (2, Fraction(1))
    chain = [f"V_{start}={_multiple(factor, start // 2)}"]
    for j in range(start + 2, d + 1, 2):
        chain += [f"V_{j}=\\tfrac{{2\\pi}}{{{j}}}\\cdot{_multiple(factor, (j - 2) // 2)}"]
        factor *= Fraction(2, j)
        chain[-1] += f"={_multiple(factor, j // 2)}"
    share = shell_fraction(d, float(thickness))
    half = LN2 / far
    statement = "\n\n".join(
        [
            "The volume $V_d$ of the unit ball in $d$ dimensions satisfies $V_d=\\tfrac{2\\pi}{d}V_{d-2}$; you know "
            "the length of the interval from $-1$ to 1 and the area of the unit disc.",
            f"1. Give $V_{d}$ as a multiple of $\\pi^{d // 2}$, and as a number (3 marks).",
            f"2. Which share of this ball lies within ${fraction(thickness)}$ of a radius of its surface? (2 marks)",
            "3. Which share of the smallest cube around the ball does the ball fill? (2 marks)",
            f"4. In ${far}$ dimensions, how thick is the outer shell that holds half of the unit ball? Use "
            f"$\\ln(1-\\varepsilon)\\approx-\\varepsilon$ and $\\ln 2={LN2}$ (2 marks).",
        ]
    )
    answer = {
        "factor": float(factor), "volume": volume, "shell": share, "cube": volume / 2**d, "thickness": half,
    }  # fmt: skip
    fields = [
        ask.number(
            "factor",
            f"factor of $\\pi^{d // 2}$",
            1,
            2,
            slips=[
                ask.slip(
                    factor * d / 2,
                    f"That stops one step early: it is the factor of $V_{{{d - 2}}}$.",
                    card="curse-of-dimensionality-convention-sphere",
                ),
                ask.slip(
                    factor * d,
                    "That is the factor in the area of the sphere, $d\\,V_d$; the ball has the volume $V_d$.",
                    card="curse-of-dimensionality-convention-sphere",
                ),
            ],
        ),
        ask.number(
            "volume",
            f"$V_{d}$ as a number",
            1,
            follows=f"factor*{pi ** (d // 2)}",
            slips=[
                ask.slip(
                    d * volume,
                    "That is the area of the sphere, $d\\,V_d$; the ball has the volume $V_d$.",
                    card="curse-of-dimensionality-convention-sphere",
                )
            ],
        ),
        ask.number(
            "shell",
            "share of the shell",
            2,
            2,
            percent=True,
            slips=[
                ask.slip(
                    d * thickness,
                    "That is $d\\,\\varepsilon$, the first term of a series; the share is $1-(1-\\varepsilon)^d$.",
                    card="curse-of-dimensionality-lost-marks-shell",
                ),
                ask.slip(
                    inner**d,
                    "That is the share of the inner ball; the shell has the rest.",
                    card="curse-of-dimensionality-lost-marks-shell",
                ),
            ],
        ),
        ask.number(
            "cube",
            "share of the cube",
            3,
            2,
            percent=True,
            carried=1.0,
            follows=f"volume/{2**d}",
            slips=[
                ask.slip(
                    volume / 2,
                    "That divides by the edge; the cube has the volume $2^d$.",
                    card="curse-of-dimensionality-lost-marks-five",
                ),
                ask.slip(
                    volume,
                    "That is the volume of the ball; divide it by that of the cube around it, whose edge is 2.",
                    card="curse-of-dimensionality-lost-marks-five",
                ),
            ],
        ),
        ask.number(
            "thickness",
            "thickness of the shell",
            4,
            2,
            digits=3,
            slips=[
                ask.slip(
                    0.5 / far,
                    "That solves $d\\,\\varepsilon=\\tfrac12$, where the first term is not enough; solve "
                    "$(1-\\varepsilon)^d=\\tfrac12$.",
                    card="curse-of-dimensionality-lost-marks-shell",
                )
            ],
        ),
    ]
    rest = inner**d
    lines = [
        "**Volume** (2 marks for the steps, 1 for the number):",
        *(f"- ${step}$" for step in chain),
        f"As a number, $V_{d}={sig(volume)}$.",
        f"**Shell** (1 mark for the inner ball, 1 for the rest): the ball of radius ${fraction(inner)}$ has the share "
        f"$\\big({fraction(inner)}\\big)^{d}={fraction(rest)}$, whatever $V_{d}$ is. The shell has "
        f"$1-{fraction(rest)}={sig(share)}$.",
        f"**Cube** (1 mark for its volume, 1 for the share): its edge is 2, its volume $2^{d}={2**d}$, so the ball "
        f"fills $\\frac{{{sig(volume)}}}{{{2**d}}}={sig(volume / 2**d)}$ of it.",
        f"**Half of the ball** (1 mark for the equation, 1 for its solution): $(1-\\varepsilon)^{{{far}}}=\\tfrac12$, "
        f"so ${far}\\ln(1-\\varepsilon)=-\\ln 2$ and $\\varepsilon\\approx\\frac{{{LN2}}}{{{far}}}={sig(half)}$.",
    ]
    given = {"d": d, "thickness": str(thickness), "far": far}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _multiple(factor: Fraction, power: int) -> str:
    """A fraction times a power of pi."""
    symbol = {0: "", 1: "\\pi"}.get(power, f"\\pi^{power}")
    return symbol if factor == 1 and symbol else f"{fraction(factor)}{symbol}"


@drill("cell-count", marks=8, minutes=9, title="Cells, samples and neighbourhoods")
def cell_count(rng: np.random.Generator) -> Parts:
    """How many cells a grid has, how many samples fill them, and how wide a neighbourhood of a given share is."""
    while True:
        m, d = int(rng.choice([3, 4, 5, 10])), int(rng.integers(3, 8))
        n, line = int(rng.choice([1000, 2000, 5000, 10_000])), int(rng.choice([5, 8, 10, 12, 20]))
        if m**d <= 10**6 and 0.002 <= n / m**d <= 100:
            break
    k, edge = int(rng.integers(3, 7)), Fraction(str(rng.choice(["1/2", "2/3", "3/4", "3/5", "4/5"])))
    dense = int(rng.integers(2, 6))
    share, times, cells = edge**k, int(rng.choice([2, 3])), m**d
    statement = "\n\n".join(
        [
            "All data are uniform in the unit cube.",
            f"1. A histogram cuts each of ${d}$ axes into ${m}$ intervals. How many cells are there, and how many of "
            f"${n}$ samples fall into a cell on average? (2 marks)",
            f"2. On one axis ${line}$ samples are dense enough. How many are as dense in ${dense}$ dimensions? "
            "(2 marks)",
            f"3. A cube in ${k}$ dimensions is to catch the share ${fraction(share)}$ of the samples. How long is its "
            "edge? (2 marks)",
            f"4. In ${d}$ dimensions the nearest sample is to be ${times}$ times as near. By which factor must the "
            "number of samples grow? (2 marks)",
        ]
    )
    answer = {
        "cells": cells, "mean": n / cells, "dense": line**dense, "edge": edge_length(k, float(share)),
        "factor": times**d,
    }  # fmt: skip
    fields = [
        ask.number(
            "cells",
            "number of cells",
            1,
            whole=True,
            slips=[
                ask.slip(
                    m * d,
                    "That adds the intervals of all axes; there is a cell for each combination, so multiply.",
                    card="curse-of-dimensionality-lost-marks-linear",
                )
            ],
        ),
        ask.number(
            "mean",
            "samples in a cell",
            1,
            follows=f"{n}/cells",
            slips=[
                ask.slip(
                    n / (m * d),
                    "That divides by the number of all intervals; there is a cell for each combination.",
                    card="curse-of-dimensionality-lost-marks-linear",
                )
            ],
        ),
        ask.number(
            "dense",
            "samples",
            2,
            2,
            whole=True,
            slips=[
                ask.slip(
                    line * dense,
                    "That grows in proportion to the dimension; each axis has to keep its values.",
                    card="curse-of-dimensionality-lost-marks-linear",
                )
            ],
        ),
        ask.number(
            "edge",
            "edge",
            3,
            2,
            slips=[
                ask.slip(
                    share,
                    "That is the share itself, as on a line; the volume is the edge to the power of the dimension.",
                    card="curse-of-dimensionality-lost-marks-linear",
                ),
                ask.slip(
                    sqrt(share),
                    f"That is the square root, as in a plane; here it is the root of order {k}.",
                    card="curse-of-dimensionality-lost-marks-linear",
                ),
            ],
        ),
        ask.number(
            "factor",
            "factor",
            4,
            2,
            whole=True,
            slips=[
                ask.slip(
                    times * d,
                    "That grows in proportion to the dimension; the volume of the ball shrinks with the power.",
                    card="curse-of-dimensionality-lost-marks-linear",
                ),
                ask.slip(
                    times,
                    "That is the factor on a line; here the volume of the ball shrinks with the power $d$.",
                    card="curse-of-dimensionality-lost-marks-linear",
                ),
            ],
        ),
    ]
    lines = [
        f"**Cells** (1 mark) **and samples** (1 mark): ${m}^{d}={cells}$ cells, and on average "
        f"$\\frac{{{n}}}{{{cells}}}={sig(n / cells)}$ samples in each.",
        f"**As dense** (2 marks): the same spacing along each axis asks for ${line}^{dense}={line**dense}$ samples.",
        f"**Edge** (1 mark for the equation, 1 for the root): $L^{k}={fraction(share)}$, so $L={fraction(edge)}$, "
        f"since $\\big({fraction(edge)}\\big)^{k}={fraction(share)}$. A neighbourhood that is small in volume is wide.",
        f"**Nearer** (1 mark for the volume, 1 for the factor): a ball with a radius ${times}$ times as small has a "
        f"volume ${times}^{d}={times**d}$ times as small. As many samples as before must fall into it, so ${times**d}$ "
        "times as many are needed.",
    ]
    given = {
        "m": m, "d": d, "n": n, "line": line, "dense": dense, "k": k, "share": str(share), "times": times,
    }  # fmt: skip
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("distance-spread", marks=9, minutes=12, title="How far distances spread")
def distance_spread(rng: np.random.Generator) -> Parts:
    """Mean and variance of the squared distance of two points with independent two-valued coordinates."""
    p = Fraction(str(rng.choice(["1/2", "1/3", "1/4", "1/5", "1/10"])))
    a, d = int(rng.integers(1, 4)), int(rng.choice([20, 50, 100, 200, 400, 500, 1000]))
    limit = Fraction(str(rng.choice(["1/10", "1/20", "1/50"])))
    s = 2 * p * (1 - p)
    mu, variance = a * a * s, a**4 * s * (1 - s)
    spread = 2 * relative_spread(d, float(mu), float(variance))
    smallest = ceil(variance / (mu * limit) ** 2)
    statement = "\n\n".join(
        [
            f"Each coordinate of a point is ${a}$ with probability ${fraction(p)}$ and 0 otherwise; all coordinates of "
            "all points are independent.",
            "1. Give the probability $s$ that two points differ in one coordinate, and the mean $\\mu$ and the "
            "variance $\\sigma^2$ of their squared difference in it (3 marks).",
            f"2. Give the mean and the standard deviation of the squared distance in ${d}$ dimensions (2 marks).",
            "3. Divide the deviation by the mean. What is, to first order, the same quotient for the distance itself? "
            "(2 marks)",
            "4. From which $d$ on is the deviation of the squared distance at most "
            f"${sig(float(limit))}$ of its mean? (2 marks)",
        ]
    )
    answer = {
        "s": float(s), "mu": float(mu), "variance": float(variance), "mean": float(d * mu),
        "deviation": sqrt(d * variance), "squared": spread, "distance": spread / 2, "smallest": smallest,
    }  # fmt: skip
    fields = [
        ask.number("s", "$s$", 1),
        ask.number("mu", "$\\mu$", 1, follows=f"{a**2}*s"),
        ask.number(
            "variance",
            "$\\sigma^2$",
            1,
            follows=f"{a**4}*s*(1 - s)",
            slips=[
                ask.slip(
                    a**4 * s,
                    "That is the mean of the square; subtract $\\mu^2$.",
                    card="curse-of-dimensionality-convention-contrast",
                )
            ],
        ),
        ask.number("mean", "mean of the squared distance", 2, follows=f"{d}*mu"),
        ask.number(
            "deviation",
            "its standard deviation",
            2,
            follows=f"sqrt({d}*variance)",
            slips=[
                ask.slip(
                    d * sqrt(variance),
                    "That adds up the deviations; variances add up, so the deviation grows like $\\sqrt d$.",
                    card="curse-of-dimensionality-lost-marks-norm",
                ),
                ask.slip(
                    d * variance,
                    "That is the variance; the deviation is its root.",
                    card="curse-of-dimensionality-lost-marks-norm",
                ),
            ],
        ),
        ask.number(
            "squared",
            "deviation over mean",
            3,
            **ask.DERIVED,
            follows="deviation/mean",
            slips=[
                ask.slip(
                    spread**2,
                    "That is the variance over the squared mean; asked is the root of it.",
                    card="curse-of-dimensionality-convention-contrast",
                ),
                ask.slip(
                    sqrt(variance) / mu,
                    "That is the quotient of one coordinate; of the sum over $d$ it is $\\sqrt d$ times as small.",
                    card="curse-of-dimensionality-lost-marks-norm",
                ),
            ],
        ),
        ask.number(
            "distance",
            "the same for the distance",
            3,
            **ask.DERIVED,
            follows="squared/2",
            slips=[
                ask.slip(
                    sqrt(spread),
                    "That is the root of the quotient; a small relative change is halved by the root.",
                    card="curse-of-dimensionality-convention-contrast",
                ),
                ask.slip(
                    2 * spread,
                    "That doubles it; the square has twice the relative deviation of its root, so halve it.",
                    card="curse-of-dimensionality-convention-contrast",
                ),
            ],
        ),
        ask.number(
            "smallest",
            "smallest $d$",
            4,
            2,
            whole=True,
            after=["mu", "variance"],
            slips=[
                ask.slip(
                    ceil(variance / (mu**2 * limit)),
                    "That leaves the limit without its square; the quotient falls like $1/\\sqrt d$ only.",
                    card="curse-of-dimensionality-lost-marks-norm",
                ),
                ask.slip(
                    ceil(variance / (2 * mu * limit) ** 2),
                    "That is for the distance itself, whose quotient is half as large; asked is its square.",
                    card="curse-of-dimensionality-convention-contrast",
                ),
            ],
        ),
    ]
    bound = variance / (mu * limit) ** 2
    lines = [
        f"**One coordinate** (3 marks): $s=2\\cdot{fraction(p)}\\cdot{fraction(1 - p)}={fraction(s)}$. The squared "
        f"difference is ${a * a}$ with this probability and 0 otherwise, so $\\mu={a * a}\\cdot{fraction(s)}="
        f"{fraction(mu)}$ and $\\sigma^2={a**4}\\cdot{fraction(s)}\\cdot{fraction(1 - s)}={fraction(variance)}$.",
        f"**All coordinates** (2 marks): the mean is ${d}\\cdot{fraction(mu)}={sig(float(d * mu))}$, and, since "
        f"variances add up, the deviation $\\sqrt{{{d}\\cdot{fraction(variance)}}}={sig(sqrt(d * variance))}$.",
        f"**Relative** (2 marks): $\\frac{{{sig(sqrt(d * variance))}}}{{{sig(float(d * mu))}}}={sig(spread)}$. A "
        "small relative change of a square is twice the one of its root, so the distance has about "
        f"$\\tfrac12\\cdot{sig(spread)}={sig(spread / 2)}$.",
        "**Smallest dimension** (1 mark for the inequality, 1 for its solution): the quotient is "
        f"$\\frac{{\\sigma}}{{\\mu\\sqrt{{d}}}}$, so $d\\ge\\frac{{\\sigma^2}}{{\\mu^2\\cdot{sig(float(limit))}^2}}="
        f"{sig(float(bound), 6)}$: from {smallest} on.",
    ]
    given = {"a": a, "p": str(p), "d": d, "limit": str(limit)}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

"""Drills on Dirichlet processes: seats in the Chinese restaurant, and pieces of the broken stick."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.clustering.dirichlet_process import (
    canonical_labels,
    expected_tables,
    log_partition,
    seating_probabilities,
    stick_weights,
)
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, short

ALPHAS = [Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)]
GUESTS = "ABCDE"
_GUEST, _PROCESS = "dirichlet-process-convention-guest", "dirichlet-process-do-not-confuse-process"
RESTS = [Fraction(1, 10), Fraction(1, 20), Fraction(1, 100)]


def _decimal(value: Fraction) -> str:
    """The decimal that follows a fraction, with its sign of relation."""
    return f"={short(float(value))}" if 10_000 % value.denominator == 0 else f"\\approx{sig(float(value))}"


def _groups(labels: Any) -> str:
    """The groups of guests as sets."""
    sets = (", ".join(g for g, k in zip(GUESTS, labels, strict=True) if k == table) for table in range(max(labels) + 1))
    return ", ".join(f"$\\{{{names}\\}}$" for names in sets)


@drill("restaurant-seating", marks=11, minutes=15, title="Seats in the Chinese restaurant")
def restaurant_seating(rng: np.random.Generator) -> Parts:
    """The next seat, the probability of a partition, the expected tables, and a seat that a row is drawn for."""
    alpha = ALPHAS[rng.integers(len(ALPHAS))]
    counts = [int(c) for c in sorted(rng.integers(1, 6, size=3), reverse=True)]
    while True:
        labels = canonical_labels(rng.integers(0, 3, size=5))
        if labels.max() in (1, 2) and list(np.bincount(labels)) != [4, 1]:
            break
    n = int(rng.integers(4, 7))
    while True:
        densities = [int(v) for v in rng.choice(np.arange(1, 10), size=4)]
        weights = [s * v for s, v in zip([*map(Fraction, counts), alpha], densities, strict=True)]
        if len(set(densities[:3])) > 1 and max(weights) < Fraction(4, 5) * sum(weights, Fraction()):
            break
    total, a, shares = sum(counts) + alpha, fraction(alpha), [w / sum(weights) for w in weights]
    names = ["table 1", "table 2", "table 3", "new table"]
    statement = "\n\n".join(
        [
            f"A Chinese restaurant has the concentration $\\alpha={a}$.",
            f"1. At three tables sit {counts[0]}, {counts[1]} and {counts[2]} guests. With which probability does the "
            "next guest take each table, and a new one? (2 marks)",
            f"2. In another evening {', '.join(GUESTS[:-1])} and {GUESTS[-1]} come in this order. With which "
            f"probability are their groups {_groups(labels)}? (3 marks)",
            f"3. How many tables do {n} guests need on average? (2 marks)",
            "4. The tables of the first evening are clusters, and a row is taken out and seated again. Its predictive "
            "density at the three tables and at a new one is, up to a common factor, as in the table below. Give the "
            "four probabilities (4 marks).",
            table([["density", *map(str, densities)]], ["", *names]).markdown,
        ]
    )
    given = {
        "alpha": float(alpha), "counts": counts, "labels": labels.tolist(), "guests": n, "densities": densities,
    }  # fmt: skip
    answer: dict[str, Any] = {
        "seats": seating_probabilities(counts, float(alpha)).tolist(),
        "partition": math.exp(log_partition(labels, float(alpha))),
        "tables": expected_tables(n, float(alpha)),
        "posterior": [float(share) for share in shares],
    }
    fields = [
        ask.vector(
            "seats",
            "probabilities",
            1,
            2,
            titles=names,
            digits=3,
            slips=[
                ask.slip(
                    [*(c / sum(counts) for c in counts), 0.0 * sum(counts)],
                    "That leaves no chance for a new table: $\\alpha$ counts like so many guests.",
                    card=_GUEST,
                ),
                ask.slip(
                    [*(c / float(total - 1) for c in counts), float(alpha / (total - 1))],
                    "The denominator is that of the guest before: all who sit there count.",
                    card=_GUEST,
                ),
            ],
        ),
        ask.number(
            "partition",
            "probability of these groups",
            2,
            3,
            digits=3,
            slips=[
                ask.slip(
                    float(_seats(labels, alpha)[1] * math.prod(int(size) for size in np.bincount(labels))),
                    "That has $n_k!$ for each table; the first guest joins nobody, so it is $(n_k - 1)!$.",
                    card=_GUEST,
                )
            ],
        ),
        ask.number(
            "tables",
            "expected tables",
            3,
            2,
            digits=3,
            slips=[
                ask.slip(
                    float(alpha) * math.log(1 + n / float(alpha)),
                    "That is the approximation for many guests; add up the probabilities of a new table.",
                    card="dirichlet-process-do-not-confuse-process",
                )
            ],
        ),
        ask.vector(
            "posterior",
            "probabilities",
            4,
            4,
            titles=names,
            digits=3,
            follows=[
                f"seats[{k}]*{d} / ({' + '.join(f'seats[{j}]*{e}' for j, e in enumerate(densities))})"
                for k, d in enumerate(densities)
            ],
            slips=[
                ask.slip(
                    [d / sum(densities) for d in densities],
                    "These are the densities alone; multiply each by the guests, or by $\\alpha$.",
                    card="dirichlet-process-lost-marks-counted",
                )
            ],
        ),
    ]
    factors, product = _seats(labels, alpha)
    sizes = " \\cdot ".join(str(math.factorial(size - 1)) for size in np.bincount(labels))
    rising = " \\cdot ".join(fraction(alpha + i) for i in range(5))
    power = f"^{{{labels.max() + 1}}}"
    base = a if alpha.denominator == 1 else f"\\big({a}\\big)"
    terms = [alpha / (alpha + i) for i in range(n)]
    means, mean = " + ".join(map(fraction, terms)), sum(terms, Fraction())
    products = _products(counts, densities, alpha)
    rows = [[name, f"${w}$", f"${sig(float(s))}$"] for name, w, s in zip(names, products, shares, strict=True)]
    lines = [
        f"**Next seat:** the guests and $\\alpha$ together are ${sum(counts)} + {a}={fraction(total)}$, so the "
        f"probabilities are {', '.join(f'${fraction(c / total)}$' for c in counts)} and ${fraction(alpha / total)}$, "
        f"or {', '.join(f'${sig(float(c / total))}$' for c in counts)} and ${sig(float(alpha / total))}$.",
        f"**Groups:** one seat after the other, ${factors}={fraction(product)}{_decimal(product)}$. The "
        f"formula says the same: $\\dfrac{{{base}{power} \\cdot {sizes}}}{{{rising}}}={fraction(product)}$.",
        f"**Tables:** guest $i+1$ opens one with probability $\\alpha/(\\alpha+i)$: "
        f"${means}{_decimal(mean)}$.",
        "**Seat of the row:** guests (or $\\alpha$) times density, divided by the sum "
        f"${fraction(sum(weights, Fraction()))}$:",
        table(rows, ["", "weight", "probability"]).markdown,
        "Marks: 1 for the sum, 1 for the four shares, 2 for the factors, 1 for the product, 1 for the terms, 1 for "
        "their sum, 2 for the weights, 2 for the probabilities.",
    ]  # fmt: skip
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _seats(labels: Any, alpha: Fraction) -> tuple[str, Fraction]:
    """The seats one after the other as they are written, and their product."""
    told, product = [], Fraction(1)
    for i, k in enumerate(labels):
        before = int((labels[:i] == k).sum())
        seat = (before or alpha) / (alpha + i)
        told.append(fraction(seat))
        product *= seat
    return " \\cdot ".join(told), product


def _products(counts: list[int], densities: list[int], alpha: Fraction) -> list[str]:
    """Guests times density as they are written."""
    sizes = [*map(Fraction, counts), alpha]
    return [f"{fraction(s)} \\cdot {v}={fraction(s * v)}" for s, v in zip(sizes, densities, strict=True)]


@drill("stick-breaking", marks=10, minutes=13, title="A broken stick")
def stick_breaking(rng: np.random.Generator) -> Parts:
    """Pieces of a stick, their expectations, how many are needed, and what two rows have in common."""
    alpha = ALPHAS[rng.integers(len(ALPHAS))]
    v = [Fraction(int(k), 10) for k in rng.integers(1, 9, size=3)]
    t, delta = int(rng.integers(3, 6)), RESTS[rng.integers(len(RESTS))]
    keep = alpha / (1 + alpha)
    exact = math.log(delta) / math.log(keep)
    needed = math.ceil(exact - 1e-9)
    a, rest = fraction(alpha), (1 - v[0]) * (1 - v[1]) * (1 - v[2])
    told = [short(float(f)) for f in v]
    statement = "\n\n".join(
        [
            f"The weights of a Dirichlet process are broken off a stick of unit length, with $\\alpha={a}$.",
            f"1. The fractions $v_1={told[0]}$, $v_2={told[1]}$ and $v_3={told[2]}$ have been drawn. Give "
            "$\\pi_1$, $\\pi_2$, $\\pi_3$ and the length of the rest (4 marks).",
            f"2. Give the expectations of $\\pi_1$ and of $\\pi_{t}$ (2 marks).",
            f"3. After how many pieces is the expected rest at most {short(float(delta))}? (2 marks)",
            "4. With which probability do two rows draw the same piece? With which is $\\pi_1$ larger than one half? "
            "(2 marks)",
        ]
    )
    given = {"alpha": float(alpha), "fractions": [float(f) for f in v], "piece": t, "rest": float(delta)}
    answer: dict[str, Any] = {
        "weights": [*stick_weights([float(f) for f in v]).tolist(), float(rest)],
        "first": float(1 / (1 + alpha)), "piece": float(keep ** (t - 1) / (1 + alpha)), "needed": needed,
        "same": float(1 / (1 + alpha)), "half": 0.5 ** float(alpha),
    }  # fmt: skip
    fields = [
        ask.vector(
            "weights",
            "pieces",
            1,
            4,
            titles=[*(f"$\\pi_{k}$" for k in (1, 2, 3)), "rest"],
            slips=[
                ask.slip(
                    [*map(float, v), float(rest)],
                    "These are the fractions; each is a share of what the pieces before have left.",
                    card=_PROCESS,
                )
            ],
        ),
        ask.number(
            "first",
            "expectation of $\\pi_1$",
            2,
            digits=3,
            slips=[
                ask.slip(float(keep), "That is what is left on average; the piece is $1/(1+\\alpha)$.", card=_PROCESS)
            ],
        ),
        ask.number(
            "piece",
            f"expectation of $\\pi_{t}$",
            2,
            digits=3,
            follows=f"first*(1 - first)^{t - 1}",
            slips=[ask.slip(float(keep**t / (1 + alpha)), "That is the next piece: one power less.", card=_PROCESS)],
        ),
        ask.number(
            "needed",
            "pieces",
            3,
            2,
            whole=True,
            after=["first"],
            slips=[ask.slip(needed - 1, "That many leave a little too much; round up.", card=_PROCESS)],
        ),
        ask.number("same", "same piece", 4, percent=True, digits=3),
        ask.number("half", "larger than one half", 4, percent=True, digits=3),
    ]
    left = [short(float(1 - f)) for f in v]
    pieces = [short(float(w)) for w in (v[0], v[1] * (1 - v[0]), v[2] * (1 - v[0]) * (1 - v[1]), rest)]
    k, first = fraction(keep), fraction(1 / (1 + alpha))
    lines = [
        f"**Pieces:** $\\pi_1={pieces[0]}$, $\\pi_2={told[1]} \\cdot {left[0]}={pieces[1]}$, "
        f"$\\pi_3={told[2]} \\cdot {left[0]} \\cdot {left[1]}={pieces[2]}$, and the rest is "
        f"${left[0]} \\cdot {left[1]} \\cdot {left[2]}={pieces[3]}$.",
        f"**Expectations:** $v_t$ has the mean $1/(1+\\alpha)={first}$ and leaves ${k}$ on average; the fractions are "
        f"independent. So the means are ${first}{_decimal(1 / (1 + alpha))}$ and "
        f"${first} \\cdot \\big({k}\\big)^{{{t - 1}}}{_decimal(keep ** (t - 1) / (1 + alpha))}$.",
        f"**Rest:** $\\big({k}\\big)^T \\le {short(float(delta))}$ from "
        f"$T=\\ln({short(float(delta))}) / \\ln\\big({k}\\big)\\approx{sig(exact)}$ on: ${needed}$ pieces.",
        f"**Two rows:** the second guest joins the first with probability $1/(1+\\alpha)={first}$. **Half:** "
        f"$P(v_1>\\tfrac12)=(1-\\tfrac12)^\\alpha\\approx{sig(answer['half'])}$.",
        "Marks: 4 for the lengths, 2 for the expectations, 1 for the inequality, 1 for the number, 1 for the same "
        "piece, 1 for the half.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

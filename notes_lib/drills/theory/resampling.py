"""Drills on resampling: what a bootstrap sample holds, intervals from replicates, an exact permutation test."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import bracket, fraction
from notes_lib.theory.resampling import bca_constants, out_of_bag_probability, permutation_test

_WITHOUT, _COUNT = "resampling-lost-marks-without", "resampling-convention-count"
_NAMES, _FOUR = "resampling-convention-names", "resampling-do-not-confuse-four"
REPLICATES = 19  # (R + 1) times a tail of 0.1 is a whole number


def _worth(value: Fraction) -> str:
    """A fraction, and its decimals."""
    decimals = sig(float(value))
    if value.denominator == 1:
        return str(value)
    relation = "=" if Fraction(decimals) == value else "\\approx"
    return f"{fraction(value)}{relation}{decimals}"


def _powers(values: Any, power: int) -> str:
    return " + ".join(f"{bracket(int(v))}^{power}" for v in values)


@drill("bootstrap-probability", marks=10, minutes=13, title="What a bootstrap sample holds")
def bootstrap_probability(rng: np.random.Generator) -> Parts:
    """The maximum of a bootstrap sample, one value drawn twice, a sample that repeats nothing, number of samples."""
    n, R = int(rng.integers(4, 9)), 20 * int(rng.integers(10, 100))
    top = 1 - Fraction(n - 1, n) ** n
    second = Fraction((n - 1) ** n - (n - 2) ** n, n**n)
    twice = Fraction(math.comb(n, 2) * (n - 1) ** (n - 2), n**n)
    whole = Fraction(math.factorial(n), n**n)
    statement = "\n\n".join(
        [
            f"A sample holds {n} numbers, all of them different. A bootstrap sample of {n} draws is taken from it.",
            "1. Give the probability that its maximum is the maximum of the sample (2 marks).",
            "2. Give the probability that its maximum is the second largest number of the sample (2 marks).",
            "3. Give the probability that the largest number is drawn exactly twice (2 marks).",
            "4. Give the probability that no number is drawn twice (1 mark).",
            "5. How many different bootstrap samples are there, if the order of the draws does not count? (2 marks)",
            f"6. Another sample is very large. Of {R} replicates of its maximum, how many equal the observed maximum, "
            "on average? (1 mark)",
        ]
    )
    answer: dict[str, Any] = {
        "maximum": 1 - out_of_bag_probability(n), "second": float(second), "twice": float(twice),
        "whole": float(whole), "samples": math.comb(2 * n - 1, n), "equal": R * (1 - math.exp(-1)),
    }  # fmt: skip
    fields = [
        ask.number(
            "maximum",
            "probability",
            1,
            2,
            slips=[
                ask.slip(float(1 - top), "That is the probability that the largest number is missing.", card=_WITHOUT)
            ],
        ),
        ask.number(
            "second",
            "probability",
            2,
            2,
            **ask.DERIVED,
            slips=[
                ask.slip(
                    float(1 - top),
                    "That lets the maximum be any smaller number; take off the case that the second is missing, too.",
                    card=_WITHOUT,
                )
            ],
        ),
        ask.number(
            "twice",
            "probability",
            3,
            2,
            **ask.DERIVED,
            slips=[
                ask.slip(
                    float(Fraction((n - 1) ** (n - 2), n**n)), "The choice of the two draws is missing.", card=_WITHOUT
                )
            ],
        ),
        ask.number(
            "whole",
            "probability",
            4,
            **ask.DERIVED,
            slips=[
                ask.slip(float(Fraction(1, n**n)), "That counts one order; all orders repeat nothing.", card=_COUNT)
            ],
        ),
        ask.number(
            "samples",
            "bootstrap samples",
            5,
            2,
            whole=True,
            slips=[ask.slip(n**n, "That counts the order of the draws, which does not count here.", card=_COUNT)],
        ),
        ask.number(
            "equal",
            "replicates",
            6,
            digits=3,
            slips=[ask.slip(R * math.exp(-1), "These are the replicates that miss the maximum.", card=_WITHOUT)],
        ),
    ]
    lines = [
        f"**Maximum:** it is missing if all {n} draws take another number: "
        f"$1-\\big(1-\\tfrac{{1}}{{{n}}}\\big)^{{{n}}}={_worth(top)}$.",
        f"**Second largest:** no draw takes the largest, less the case that none takes the two largest: "
        f"$\\big(\\tfrac{{{n - 1}}}{{{n}}}\\big)^{{{n}}}-\\big(\\tfrac{{{n - 2}}}{{{n}}}\\big)^{{{n}}}="
        f"{_worth(second)}$.",
        f"**Twice:** there are ${math.comb(n, 2)}$ pairs of draws: ${math.comb(n, 2)} \\cdot "
        f"\\big(\\tfrac{{1}}{{{n}}}\\big)^{{2}} \\cdot \\big(\\tfrac{{{n - 1}}}{{{n}}}\\big)^{{{n - 2}}}="
        f"{_worth(twice)}$.",
        f"**Nothing twice:** ${math.factorial(n)}$ orders of ${n**n}$ sequences of draws: "
        f"$\\tfrac{{{math.factorial(n)}}}{{{n**n}}}\\approx{sig(answer['whole'])}$.",
        f"**Samples:** {n} draws are shared out among {n} numbers, which {n - 1} bars between {n} stars describe: "
        f"${answer['samples']}$ ways to choose the {n} places of the stars out of {2 * n - 1}.",
        f"**Very large:** ${R} \\cdot (1-e^{{-1}})\\approx{sig(answer['equal'])}$. The replicates of a maximum pile up "
        "on one value, which the maximum itself does not do: here the bootstrap fails.",
        "Marks: 2 for the maximum, 2 for the second largest, 2 for exactly twice, 1 for nothing twice, 2 for the "
        "number of samples, 1 for the large sample.",
    ]
    return Parts(statement, {"n": n, "replicates": R}, "\n\n".join(lines), answer, fields)


@drill("bootstrap-interval", marks=11, minutes=14, title="Bootstrap intervals from a list")
def bootstrap_interval(rng: np.random.Generator) -> Parts:
    """Percentile and basic interval, bias, direction of the bias correction, and the acceleration."""
    while True:
        values = np.sort(np.rint(20 + 8 * rng.gamma(2.0, 1.0, REPLICATES) / 2).astype(int))
        estimate = int(rng.integers(20, 34))
        gap = values.sum() - REPLICATES * estimate
        below = int((values < estimate).sum())
        fair = gap and gap % REPLICATES == 0 and estimate not in values and 5 <= below <= 14
        if fair and values[17] - estimate != estimate - values[1]:
            break
    while True:
        left_out = estimate + rng.integers(-4, 5, 4)
        away = int(left_out.sum()) // 4 - left_out
        if left_out.sum() % 4 == 0 and (away**3).sum():
            break
    low, high, bias = int(values[1]), int(values[17]), int(gap) // REPLICATES
    mirrored = [2 * estimate - high, 2 * estimate - low]
    acceleration = bca_constants(estimate, values, left_out).acceleration
    direction = "up" if 2 * below > REPLICATES else "down"
    squares, cubes = int((away**2).sum()), int((away**3).sum())
    statement = "\n\n".join(
        [
            f"A statistic is {estimate} on the sample. These are its {REPLICATES} bootstrap replicates, sorted:",
            ", ".join(map(str, values.tolist())) + ".",
            f"Their sum is {values.sum()}. For the level 80 % take the second smallest and the second largest as the "
            "quantiles.",
            "1. Give the percentile interval (2 marks).",
            "2. Give the basic interval (2 marks).",
            "3. Give the bootstrap estimate of the bias (2 marks).",
            "4. How many replicates are smaller than the estimate? Which way does the bias correction of BCa move both "
            "ends, for an acceleration of 0? (2 marks)",
            f"5. Another sample has four instances. Without one of them each, the statistic is "
            f"{', '.join(map(str, left_out.tolist()))}. Give the acceleration (3 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "percentile": [low, high], "basic": mirrored, "bias": bias, "below": below, "direction": direction,
        "acceleration": acceleration,
    }  # fmt: skip
    ends = ["lower end", "upper end"]
    fields = [
        ask.vector("percentile", "percentile interval", 1, 2, titles=ends, whole=True),
        ask.vector(
            "basic",
            "basic interval",
            2,
            2,
            titles=ends,
            whole=True,
            follows=[f"{2 * estimate} - percentile[1]", f"{2 * estimate} - percentile[0]"],
            slips=[
                ask.slip(mirrored[::-1], "The ends have to change sides.", card="resampling-lost-marks-mirror"),
                ask.slip([low, high], "That is the percentile interval again; mirror it at the estimate.", card=_NAMES),
            ],
        ),
        ask.number(
            "bias",
            "bias",
            3,
            2,
            whole=True,
            slips=[
                ask.slip(
                    -bias,
                    "The sign is turned round: the bias is the mean of the replicates minus the estimate.",
                    card="resampling-lost-marks-mean",
                )
            ],
        ),
        ask.number(
            "below",
            "smaller replicates",
            4,
            whole=True,
            slips=[ask.slip(REPLICATES - below, "These are the larger ones.", card=_NAMES)],
        ),
        ask.choice("direction", "both ends move", 4, options=["up", "down"], follows=f"2*below < {REPLICATES}"),
        ask.number(
            "acceleration",
            "acceleration",
            5,
            3,
            **ask.DERIVED,
            slips=[
                ask.slip(
                    -acceleration, "The differences are the mean less each value, not the other way round.", card=_NAMES
                ),
                ask.slip(6 * acceleration, "The 6 below the line is missing.", card=_NAMES),
            ],
        ),
    ]
    lines = [
        f"**Percentile:** from ${low}$ to ${high}$.",
        f"**Basic:** the quantiles change sides: from $2 \\cdot {estimate}-{high}={mirrored[0]}$ to "
        f"$2 \\cdot {estimate}-{low}={mirrored[1]}$.",
        f"**Bias:** $\\tfrac{{{values.sum()}}}{{{REPLICATES}}}-{estimate}={bias}$.",
        f"**Bias correction:** {below} of {REPLICATES} are smaller, {'more' if direction == 'up' else 'fewer'} than "
        f"half, so $z_0$ is {'positive' if direction == 'up' else 'negative'} and both ends move {direction}.",
        f"**Acceleration:** the mean is ${int(left_out.sum()) // 4}$, and the mean less each value is "
        f"{', '.join(f'${a}$' for a in away.tolist())}. Sum of the cubes ${_powers(away, 3)}={cubes}$, of the squares "
        f"${_powers(away, 2)}={squares}$, so "
        f"$\\frac{{{cubes}}}{{6 \\cdot {squares}^{{1.5}}}}\\approx{sig(acceleration)}$.",
        "Marks: 2 for the percentile interval, 2 for the basic interval, 2 for the bias, 1 for the count, 1 for the "
        "direction, 1 for the differences from the mean, 2 for the acceleration.",
    ]
    given = {"estimate": estimate, "values": values.tolist(), "left_out": left_out.tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("permutation-test", marks=9, minutes=12, title="An exact permutation test")
def permutation(rng: np.random.Generator) -> Parts:
    """All splits of two small groups, the exact p-value, the smallest possible one, and one from random exchanges."""
    sizes = [(3, 3), (2, 4), (4, 2), (2, 3), (3, 2), (2, 5)]
    while True:
        n, m = sizes[int(rng.integers(len(sizes)))]
        pool = rng.choice(np.arange(1, 20), n + m, replace=False)
        x, y = np.sort(pool[:n])[::-1], np.sort(pool[n:])[::-1]
        reach = [pick for pick in combinations(sorted(pool.tolist(), reverse=True), n) if sum(pick) >= x.sum()]
        total = math.comb(n + m, n)
        gap = Fraction(int(x.sum()), n) - Fraction(int(y.sum()), m)
        if 1 <= len(reach) <= 5 and gap.denominator <= 12:
            break
    R, b = int(rng.choice([99, 199, 499, 999])), int(rng.integers(0, 12))
    found = permutation_test(x, y, alternative="greater")
    drawn = Fraction(1 + b, 1 + R)
    statement = "\n\n".join(
        [
            "Two groups have been formed by chance, and only the first has been treated. Their results:",
            table([["treated", ", ".join(map(str, x.tolist()))], ["not treated", ", ".join(map(str, y.tolist()))]],
                  ["group", "results"]).markdown,
            "The statistic is the mean of the treated less the mean of the others. Large values speak against the null "
            "hypothesis that the treatment has no effect.",
            "1. Give the observed value of the statistic (1 mark).",
            "2. In how many ways can the results be split into groups of these sizes? (1 mark)",
            "3. For how many of them is the statistic at least as large as the observed one? (2 marks)",
            "4. Give the exact p-value, and the smallest one that groups of these sizes allow (2 marks).",
            f"5. For two larger groups {R} random exchanges were made, and in {b} of them the statistic was at least "
            "as large as the observed one. Give the p-value. Is it at most 0.01? (3 marks)",
        ]
    )  # fmt: skip
    answer: dict[str, Any] = {
        "statistic": found.statistic, "splits": total, "count": len(reach), "exact": found.p_value,
        "smallest": 1 / total, "random": float(drawn), "significant": "yes" if drawn <= Fraction(1, 100) else "no",
    }  # fmt: skip
    fields = [
        ask.number(
            "statistic",
            "statistic",
            1,
            slips=[ask.slip(int(x.sum() - y.sum()), "That is the difference of the sums; take the means.", card=_FOUR)],
        ),
        ask.number(
            "splits",
            "splits",
            2,
            whole=True,
            slips=[ask.slip(math.factorial(n + m), "That counts orders; only the groups matter.", card=_FOUR)],
        ),
        ask.number(
            "count",
            "splits with so large a value",
            3,
            2,
            whole=True,
            slips=[ask.slip(len(reach) - 1, "The observed split counts, too.", card="resampling-lost-marks-zero")],
        ),
        ask.number("exact", "exact p-value", 4, follows="count / splits"),
        ask.number("smallest", "smallest p-value", 4, follows="1 / splits"),
        ask.number(
            "random",
            "p-value",
            5,
            2,
            slips=[
                ask.slip(
                    b / R, "The observed labelling is one more, above and below.", card="resampling-lost-marks-zero"
                )
            ],
        ),
        ask.choice("significant", "at most 0.01", 5, options=["yes", "no"], follows="random > 0.01"),
    ]
    lines = [
        f"**Statistic:** $\\tfrac{{{x.sum()}}}{{{n}}}-\\tfrac{{{y.sum()}}}{{{m}}}={_worth(gap)}$.",
        f"**Splits:** choose {n} of {n + m} results: ${total}$ ways.",
        f"**As large:** the total is fixed, so the statistic grows with the sum of the treated, which is ${x.sum()}$. "
        "At least this sum have:",
        table([[", ".join(map(str, pick)), str(sum(pick))] for pick in reach], ["treated", "sum"]).markdown,
        f"These are {len(reach)}, the observed split among them.",
        f"**Exact:** {len(reach)} of {total}, so ${_worth(Fraction(len(reach), total))}$; the smallest is "
        f"${_worth(Fraction(1, total))}$.",
        f"**Random exchanges:** the observed arrangement is one more: $\\frac{{1 + {b}}}{{1 + {R}}}={_worth(drawn)}$, "
        f"so the answer is {answer['significant']}.",
        "Marks: 1 for the statistic, 1 for the splits, 2 for the count, 1 for the p-value, 1 for the smallest, 2 for "
        "the random exchanges, 1 for the comparison.",
    ]
    given = {"x": x.tolist(), "y": y.tolist(), "exchanges": R, "as_large": b}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

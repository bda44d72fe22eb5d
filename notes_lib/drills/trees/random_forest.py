"""Drills on forests: what a bootstrap sample leaves out, the variance of an average, the vote of a majority."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, short
from notes_lib.trees.random_forest import (
    average_variance,
    hoeffding_vote_bound,
    majority_vote_probability,
    out_of_bag_probability,
)

_SEEN = "random-forest-lost-marks-training"
TREES, ROWS = 5, 4  # of the small forest
SHARES = {"half as many": 0.5, "twice as many": 2.0, "a fifth as many": 0.2, "three times as many": 3.0}


def _small_forest(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Classes, who was in which sample, and what each tree says: right about all that it has seen."""
    while True:
        classes, seen = rng.integers(0, 2, ROWS), rng.random((ROWS, TREES)) < 0.6
        says = np.where(seen | (rng.random((ROWS, TREES)) < 0.5), classes[:, None], 1 - classes[:, None])
        out, wrong = (~seen).sum(axis=1), (_votes(says, ~seen) != classes).sum()
        if set(out) <= {1, 3} and len(set(out)) == 2 and 0 < wrong < ROWS and 0 < classes.sum() < ROWS:
            return classes, seen, says


def _votes(says: Any, counted: Any) -> Any:
    """The majority of the votes that count, for each row."""
    return (2 * (says * counted).sum(axis=1) > counted.sum(axis=1)).astype(int)


@drill("oob-probability", marks=11, minutes=14, title="Out of the bag")
def oob_probability(rng: np.random.Generator) -> Parts:
    """Probability of staying out of a sample and what follows, and the out-of-bag error of a small forest."""
    n, B = int(rng.integers(3, 7)), int(rng.integers(4, 21))
    share = list(SHARES)[int(rng.integers(0, len(SHARES)))]
    classes, seen, says = _small_forest(rng)
    q = Fraction(n - 1, n) ** n
    by_rest, by_all = _votes(says, ~seen), _votes(says, np.ones_like(seen))
    wrong, wrong_all = int((by_rest != classes).sum()), int((by_all != classes).sum())
    cells = [
        [f"{'in' if s else 'out'}, says {v}" for s, v in zip(*pair, strict=True)]
        for pair in zip(seen, says, strict=True)
    ]
    statement = "\n\n".join(
        [
            f"A forest of {B} trees is grown on {n} instances. Each tree gets a bootstrap sample of {n} draws.",
            "1. Give the probability that an instance is missing from a sample (2 marks).",
            "2. How many different instances does a sample hold on average? (2 marks)",
            f"3. How many of the {B} trees have not seen a given instance, on average? With which probability have all "
            "of them seen it? (2 marks)",
            f"4. There are very many instances, and the samples hold {share} draws. Give the probability that an "
            "instance is missing from a sample (1 mark).",
            "The table is about another forest: whether an instance was in the sample of a tree or out of it, and the "
            "class that the tree says.",
            table(
                [[str(i + 1), *row, str(c)] for i, (row, c) in enumerate(zip(cells, classes, strict=True))],
                ["instance", *(f"tree {b + 1}" for b in range(TREES)), "class"],
            ).markdown,
            "5. Which class do the out-of-bag votes give to each instance? Give the out-of-bag error, and the error "
            "if all trees vote (4 marks).",
        ]
    )
    given = {
        "n": n, "trees": B, "draws": SHARES[share], "classes": classes.tolist(), "seen": seen.tolist(),
        "says": says.tolist(),
    }  # fmt: skip
    answer: dict[str, Any] = {
        "missing": out_of_bag_probability(n), "different": float(n * (1 - q)), "unseen": float(B * q),
        "all": float((1 - q) ** B), "limit": math.exp(-SHARES[share]), "votes": by_rest.tolist(),
        "oob": wrong / ROWS, "training": wrong_all / ROWS,
    }  # fmt: skip
    fields = [
        ask.number(
            "missing", "probability", 1, 2,
            slips=[
                ask.slip(float(1 - Fraction(1, n)), "That is for one draw; all draws have to miss it.", card=_SEEN),
                ask.slip(float(1 - q), "That is the probability of being in the sample.", card=_SEEN),
            ],
        ),
        ask.number(
            "different", "different instances", 2, 2, digits=3, carried=1, follows=f"{n}*(1 - missing)",
            slips=[ask.slip(float(n * q), "These are the instances that are missing, on average.", card=_SEEN)],
        ),
        ask.number(
            "unseen", "trees that have not seen it", 3, digits=3, carried=1, follows=f"{B}*missing",
            slips=[ask.slip(float(B * (1 - q)), "These are the trees that have seen it.", card=_SEEN)],
        ),
        ask.number(
            "all", "probability that all have", 3, digits=2, carried=1, follows=f"(1 - missing)^{B}",
            slips=[ask.slip(float(q**B), "That is the probability that no tree has seen it.", card=_SEEN)],
        ),
        ask.number(
            "limit", "probability", 4,
            slips=[
                ask.slip(
                    1 - math.exp(-SHARES[share]),
                    "That is the probability of being in the sample; missing from it has $e^{-c}$.",
                    card=_SEEN,
                )
            ],
        ),
        ask.vector(
            "votes", "class", 5, 2, titles=[f"instance {i + 1}" for i in range(ROWS)], whole=True,
            slips=[
                ask.slip(
                    by_all,
                    "That is the vote of all trees; out of bag only those count that have not seen the instance.",
                    card=_SEEN,
                )
            ],
        ),
        ask.number(
            "oob", "out-of-bag error", 5,
            follows=f"({' + '.join(f'(votes[{i}] != {c})' for i, c in enumerate(classes))}) / {ROWS}",
            slips=[
                ask.slip(
                    wrong_all / ROWS,
                    "That is the error if all trees vote; out of bag only trees that have not seen the instance count.",
                    card=_SEEN,
                )
            ],
        ),
        ask.number("training", "error if all trees vote", 5),
    ]  # fmt: skip
    rows = []
    for i in range(ROWS):
        out = np.flatnonzero(~seen[i])
        told = ", ".join(str(b + 1) for b in out), ", ".join(str(says[i, b]) for b in out)
        rows.append([str(i + 1), *told, str(by_rest[i]), str(by_all[i]), str(classes[i])])
    rest = fraction(1 - q)
    lines = [
        f"**Missing:** each of the {n} draws takes another instance with probability $1 - \\tfrac{{1}}{{{n}}}$: "
        f"$q=\\big(\\tfrac{{{n - 1}}}{{{n}}}\\big)^{{{n}}}={fraction(q)}\\approx{sig(float(q))}$.",
        f"**Different:** each of the {n} instances is there with probability $1 - {fraction(q)}={rest}$: "
        f"${n} \\cdot {rest}\\approx{sig(answer['different'])}$.",
        f"**Trees:** ${B} \\cdot {fraction(q)}\\approx{sig(answer['unseen'])}$ have not seen it on average; all have "
        f"with probability $\\big({rest}\\big)^{{{B}}}\\approx{sig(answer['all'])}$.",
        f"**Many instances:** $e^{{-{short(SHARES[share])}}}\\approx{sig(answer['limit'])}$.",
        "**Votes:**",
        table(rows, ["instance", "trees out of bag", "their votes", "majority", "majority of all", "class"]).markdown,
        f"Out-of-bag error $\\tfrac{{{wrong}}}{{{ROWS}}}={short(wrong / ROWS)}$; with all trees "
        f"$\\tfrac{{{wrong_all}}}{{{ROWS}}}={short(wrong_all / ROWS)}$. A tree repeats the labels it was trained "
        "on, so its vote on them tests nothing.",
        "Marks: 2 for the probability, 2 for the different instances, 1 for the trees, 1 for the power, 1 for the "
        "limit, 2 for the votes, 1 for the out-of-bag error, 1 for the other.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


@drill("ensemble-variance", marks=10, minutes=12, title="The variance of an average")
def ensemble_variance(rng: np.random.Generator) -> Parts:
    """Correlated learners: variance of their average, its limit, the number that is needed, two forests compared."""
    while True:
        variance, rho = int(rng.integers(4, 21)), Fraction(int(rng.integers(5, 13)), 20)
        B = int(rng.choice([4, 5, 8, 10, 20, 25]))
        other, rho_2 = variance + int(rng.integers(1, 7)), rho - Fraction(int(rng.integers(2, 5)), 20)
        limit = rho * variance
        goal = limit + Fraction(int(rng.integers(2, 12)), 20)
        need = (1 - rho) * variance / (goal - limit)
        mean, mean_2 = _mean_variance(variance, rho, B), _mean_variance(other, rho_2, B)
        if need.denominator > 1 and need > 2 and abs(mean - mean_2) > Fraction(1, 10):
            break
    better = "first" if mean < mean_2 else "second"
    trees, naive = math.ceil(need), Fraction(variance, B)
    statement = "\n\n".join(
        [
            f"At a point, the prediction of a tree has the variance {variance} over training sets, and two trees of "
            f"one forest have the correlation {short(float(rho))}.",
            f"1. Give the variance of the average of {B} trees, and its limit for very many trees (3 marks).",
            "2. Which variance would the average have if the trees were independent, and how many times as large is "
            "the true one? (2 marks)",
            f"3. How many trees are needed for a variance of at most {short(float(goal))}? (2 marks)",
            f"4. With fewer features at each node the variance of a tree is {other} and the correlation "
            f"{short(float(rho_2))}. Give the variance of the average of {B} such trees. Which forest has the smaller "
            "one? (3 marks)",
        ]
    )
    given = {
        "variance": variance, "correlation": float(rho), "trees": B, "goal": float(goal), "variance_2": other,
        "correlation_2": float(rho_2),
    }  # fmt: skip
    answer: dict[str, Any] = {
        "average": average_variance(variance, float(rho), B), "limit": float(limit), "independent": float(naive),
        "factor": float(mean / naive), "needed": trees, "second": average_variance(other, float(rho_2), B),
        "better": better,
    }  # fmt: skip
    fields = [
        ask.number("average", "variance of the average", 1, 2, slips=[_as_if_independent(variance, B)]),
        ask.number(
            "limit", "limit", 1,
            slips=[
                ask.slip(
                    float((1 - rho) * variance),
                    "That is the part that vanishes with many trees; $\\rho\\sigma^2$ is left.",
                    card=_INDEPENDENT,
                )
            ],
        ),
        ask.number(
            "independent", "variance if independent", 2,
            slips=[
                ask.slip(
                    float(rho * variance),
                    "That is the limit of correlated trees; independent ones have $\\sigma^2/B$.",
                    card=_INDEPENDENT,
                )
            ],
        ),
        ask.number(
            "factor", "factor", 2, **ask.DERIVED, follows="average / independent",
            slips=[
                ask.slip(
                    float(naive / mean),
                    "That is upside down; divide the true variance by that of independent trees.",
                    card=_INDEPENDENT,
                )
            ],
        ),
        ask.number(
            "needed", "trees", 3, 2, whole=True, after=["limit"],
            slips=[
                ask.slip(
                    int(need),
                    "That rounds down, and the variance is still a little too large; round up.",
                    card=_INDEPENDENT,
                )
            ],
        ),
        ask.number("second", "variance of the average", 4, 2, slips=[_as_if_independent(other, B)]),
        ask.choice("better", "smaller variance", 4, options=["first", "second"], follows="second < average"),
    ]  # fmt: skip
    at_goal = short(float(goal - limit))
    lines = [
        f"**Average:** $\\rho\\sigma^2 + \\tfrac{{(1-\\rho)\\sigma^2}}{{B}}$ is ${_average(variance, rho, B)}$. "
        f"The second term vanishes for many trees: ${short(float(rho))} \\cdot {variance}={short(float(limit))}$.",
        f"**Independent:** $\\tfrac{{{variance}}}{{{B}}}={short(float(naive))}$. The true variance is "
        f"$1 + {B - 1} \\cdot {short(float(rho))}={short(float(mean / naive))}$ times as large.",
        f"**Needed:** the second term may be at most ${short(float(goal))} - {short(float(limit))}={at_goal}$, so "
        f"$B\\ge{short(float((1 - rho) * variance))} / {at_goal}\\approx{sig(float(need))}$, and ${trees}$ trees are "
        "enough.",
        f"**Other forest:** ${_average(other, rho_2, B)}$. The {better} forest has the smaller variance.",
        "Marks: 2 for the average, 1 for the limit, 1 for independence, 1 for the factor, 2 for the number of trees, 2 "
        "for the other average, 1 for the comparison.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_INDEPENDENT = "random-forest-lost-marks-independent"


def _as_if_independent(variance: int, B: int) -> ask.Slip:
    sentence = "That is $\\sigma^2/B$, as if the trees were independent; they are correlated."
    return ask.slip(variance / B, sentence, card=_INDEPENDENT)


def _mean_variance(variance: int, rho: Fraction, B: int) -> Fraction:
    return rho * variance + (1 - rho) * variance / B


def _average(variance: int, rho: Fraction, B: int) -> str:
    """The variance of an average as it is worked out."""
    r, value = short(float(rho)), _mean_variance(variance, rho, B)
    equal = "=" if 10_000 % value.denominator == 0 else "\\approx"
    return f"{r} \\cdot {variance} + \\tfrac{{(1 - {r}) \\cdot {variance}}}{{{B}}}{equal}{sig(float(value))}"


@drill("majority-vote", marks=10, minutes=13, title="The vote of a majority")
def majority_vote(rng: np.random.Generator) -> Parts:
    """Independent voters: three and five alike, three different ones, Hoeffding's bound and the number it asks for."""
    p = Fraction(int(rng.integers(11, 17)), 20)
    while True:
        others = sorted(Fraction(int(k), 20) for k in rng.choice(np.arange(11, 20), 3, replace=False))
        mixed, B = _mixed(others), 2 * int(rng.integers(5, 30)) + 1
        if abs(mixed - others[2]) > Fraction(1, 200) and hoeffding_vote_bound(float(p), B) > 0.001:
            break
    delta = Fraction(1, int(rng.choice([20, 50, 100, 1000])))
    edge = p - Fraction(1, 2)
    exact = math.log(1 / delta) / float(2 * edge**2)
    needed = math.ceil(exact)
    helps = "yes" if mixed > others[2] else "no"
    P, Q = short(float(p)), short(float(1 - p))
    a, b, c = (short(float(v)) for v in others)
    statement = "\n\n".join(
        [
            f"Voters decide independently between two answers; each is right with probability {P}.",
            "1. With which probability is the majority of three right, and that of five? (3 marks)",
            f"2. Three other independent voters are right with the probabilities {a}, {b} and {c}. With which "
            "probability is their majority right? Is it better than the best of the three alone? (3 marks)",
            f"3. Bound by Hoeffding's inequality the probability that the majority of {B} voters of the first kind "
            f"errs, and give the number of voters for which the bound is at most {short(float(delta))} (4 marks).",
        ]
    )
    given = {
        "p": float(p), "others": [float(v) for v in others], "voters": B, "delta": float(delta),
    }  # fmt: skip
    answer: dict[str, Any] = {
        "three": float(majority_vote_probability(float(p), 3)), "five": float(majority_vote_probability(float(p), 5)),
        "mixed": float(mixed), "helps": helps, "bound": float(hoeffding_vote_bound(float(p), B)), "needed": needed,
    }  # fmt: skip
    fields = [
        ask.number(
            "three", "three voters", 1, percent=True,
            slips=[
                ask.slip(
                    float(3 * p**2 * (1 - p)),
                    "That is for exactly two right voters; three right ones are a majority, too.",
                    card=_VOTE,
                )
            ],
        ),
        ask.number(
            "five", "five voters", 1, 2, percent=True,
            slips=[
                ask.slip(
                    float(10 * p**3 * (1 - p) ** 2),
                    "That is for exactly three right voters; four and five are majorities, too.",
                    card=_VOTE,
                )
            ],
        ),
        ask.number(
            "mixed", "their majority", 2, 2, percent=True,
            slips=[
                ask.slip(
                    float(others[0] * others[1] * others[2]),
                    "That is the probability that all three are right; two are enough.",
                    card=_VOTE,
                )
            ],
        ),
        ask.choice(
            "helps", "better than the best one", 2, options=["yes", "no"], follows=f"mixed <= {float(others[2])}"
        ),
        ask.number(
            "bound", "bound", 3, 2, digits=3,
            slips=[
                ask.slip(
                    math.exp(-B * float(edge**2)),
                    "That lacks the 2 in the exponent of Hoeffding's inequality.",
                    card=_VOTE,
                )
            ],
        ),
        ask.number(
            "needed", "number of voters", 3, 2, whole=True,
            slips=[
                ask.slip(
                    math.ceil(exact + math.log(2) / float(2 * edge**2)),
                    "That bounds both sides; the majority errs on one side only, so there is no factor 2 before $e$.",
                    card=_VOTE,
                )
            ],
        ),
    ]  # fmt: skip
    e, f, g = (short(float(1 - v)) for v in others)
    more = "more" if helps == "yes" else "less"
    lines = [
        f"**Three:** three or two right: ${P}^3 + 3 \\cdot {P}^2 \\cdot {Q}\\approx{sig(answer['three'])}$.",
        f"**Five:** five, four or three right: ${P}^5 + 5 \\cdot {P}^4 \\cdot {Q} + 10 \\cdot {P}^3 \\cdot {Q}^2"
        f"\\approx{sig(answer['five'])}$.",
        f"**Different voters:** all right, or one of them wrong: ${a} \\cdot {b} \\cdot {c} "
        f"+ {e} \\cdot {b} \\cdot {c} + {a} \\cdot {f} \\cdot {c} "
        f"+ {a} \\cdot {b} \\cdot {g}\\approx{sig(float(mixed))}$, which is {more} than ${c}$: {helps}.",
        f"**Bound:** $e^{{-2 \\cdot {B} \\cdot ({P} - 0.5)^2}}\\approx{sig(answer['bound'])}$. It is at most "
        f"${short(float(delta))}$ from "
        f"$B=\\ln({delta.denominator}) / (2 \\cdot {short(float(edge))}^2)\\approx{sig(exact)}$ on: ${needed}$ voters.",
        "Marks: 1 for three, 2 for five, 2 for the different voters, 1 for the comparison, 2 for the bound, 2 for the "
        "number.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_VOTE = "random-forest-lost-marks-vote"


def _mixed(p: list[Fraction]) -> Fraction:
    """Probability that two or three of three different voters are right."""
    a, b, c = p
    return a * b + a * c + b * c - 2 * a * b * c

"""Drills on classification and regression trees: a Gini split of two tests, and all cuts of a regression split."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, rational, row, short
from notes_lib.trees.cart import threshold_losses

FEATURES = ["owns a house", "has a job"]


def _gini(counts: np.ndarray) -> Fraction:
    return 1 - sum((Fraction(int(c), int(counts.sum())) ** 2 for c in counts), Fraction(0))


def _weighted(pair: tuple[np.ndarray, np.ndarray]) -> Fraction:
    """Weighted Gini index of both sides of a split."""
    return sum((int(side.sum()) * _gini(side) for side in pair), Fraction(0)) / int(pair[0].sum() + pair[1].sum())


def _index(counts: np.ndarray, value: Fraction) -> str:
    """The Gini index of counts as it is worked out."""
    n = counts.sum()
    terms = "".join(f" - \\big(\\tfrac{{{c}}}{{{n}}}\\big)^2" for c in counts)
    return f"1{terms}={fraction(value)}"


@drill("gini-split", marks=11, minutes=14, title="Choose a split by the Gini index")
def gini_split(rng: np.random.Generator) -> Parts:
    """Two yes-no questions and a feature of three categories: the Gini gains, the order by shares, the best split."""
    while True:
        totals = rng.permutation([int(rng.integers(5, 8)), int(rng.integers(4, 7))])
        yes = [np.array([rng.integers(0, t + 1) for t in totals]) for _ in FEATURES]
        sides = [(v, totals - v) for v in yes]
        if min(side.sum() for pair in sides for side in pair) < 2:
            continue
        index = [[_gini(side) for side in pair] for pair in sides]
        after = [_weighted(pair) for pair in sides]
        gains = [_gini(totals) - value for value in after]
        cells = rng.integers(0, 4, size=(3, 2))
        shares = [Fraction(int(c[0]), int(c.sum())) if c.sum() else Fraction(-1) for c in cells]
        if min(gains) <= 0 or abs(gains[0] - gains[1]) < Fraction(1, 200):
            continue
        if cells.sum(axis=1).min() >= 2 and len(set(shares)) == 3:
            break
    n, names = int(totals.sum()), "PQR"
    parent, best = _gini(totals), int(gains[1] > gains[0])
    order = [names[k] for k in np.argsort([float(s) for s in shares])]
    cuts = [("".join(order[:k]), "".join(order[k:])) for k in (1, 2)]
    losses = [_two_sided(cells, names, cut) for cut in cuts]
    low = 0 if losses[0] <= losses[1] else 1
    given = {"totals": totals.tolist(), "yes": [v.tolist() for v in yes], "cells": cells.tolist()}
    rows = [[name, *(f"{v[0]} / {v[1]}" for v in pair)] for name, pair in zip(FEATURES, sides, strict=True)]
    statement = "\n\n".join(
        [
            f"Of {n} applicants {totals[0]} were accepted and {totals[1]} refused. The table shows accepted / refused "
            "for both answers to two questions.",
            table(rows, ["question", "yes", "no"]).markdown,
            "1. Give the Gini index of all applicants (1 mark).",
            "2. Give for both questions the weighted Gini index after the split and the gain. Which question does a "
            "classification tree ask? (6 marks)",
            "A third feature of other data has the categories "
            + ", ".join(f"{name} with {c[0]} / {c[1]}" for name, c in zip(names, cells, strict=True))
            + " (accepted / refused).",
            "3. Sort the categories by the share of accepted ones. How many splits into two sets are there, how many "
            "of them have to be compared, and which one is best? Of equally good ones take the smaller left set "
            "(4 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "parent": float(parent), "after": [float(v) for v in after], "gains": [float(v) for v in gains],
        "question": FEATURES[best], "order": order, "splits": 3, "compared": 2, "left": [*cuts[low][0]],
    }  # fmt: skip
    fields = [
        ask.number(
            "parent", "Gini index of all", 1,
            slips=[
                ask.slip(
                    float(parent / 2),
                    "That is $p(1-p)$; the Gini index of two classes is $2p(1-p)$.",
                    card="cart-convention-gini",
                )
            ],
        ),
        ask.vector(
            "after", "weighted Gini index after the split", 2, 3, titles=FEATURES,
            slips=[
                ask.slip(
                    [float(sum(both) / 2) for both in index],
                    "That is the plain mean of both sides; each side counts by its share of the instances.",
                    card="cart-lost-marks-weights",
                )
            ],
        ),
        ask.vector(
            "gains", "gain", 2, 2, titles=FEATURES, places=3, carried=0.001,
            follows=[f"parent - after[{j}]" for j in range(2)],
            slips=[
                ask.slip(
                    [float(parent - sum(both)) for both in index],
                    "That subtracts both sides in full; each side counts by its share of the instances.",
                    card="cart-lost-marks-weights",
                )
            ],
        ),
        ask.choice(
            "question", "question", 2, options=FEATURES, follows="argmax(gains)",
            slips=[
                ask.slip(
                    FEATURES[1 - best],
                    "That question leaves the larger index; the tree asks the one with the larger gain.",
                    card="cart-lost-marks-weights",
                )
            ],
        ),
        ask.sequence("order", "categories, smallest share first", 3, options=names),
        ask.number(
            "splits", "splits into two sets", 3, whole=True,
            slips=[
                ask.slip(
                    2 ** len(names) - 2,
                    "That counts each split twice: which set is called the left one makes no difference.",
                    card="cart-lost-marks-three",
                )
            ],
        ),
        ask.number(
            "compared", "splits to compare", 3, whole=True,
            slips=[
                ask.slip(
                    2 ** (len(names) - 1) - 1,
                    "That compares all splits; with two classes the cuts of the sorted list are enough.",
                    card="cart-lost-marks-three",
                )
            ],
        ),
        ask.sequence(
            "left", "categories on the side of the smaller shares", 3, options=names, kind="set", after=["order"]
        ),
    ]  # fmt: skip
    lines = [f"**All:** ${_index(totals, parent)}\\approx{sig(float(parent))}$."]
    for name, pair, both, total, gain in zip(FEATURES, sides, index, after, gains, strict=True):
        a, b = (int(side.sum()) for side in pair)
        lines += [
            f"**Question: {name}.** Yes: ${_index(pair[0], both[0])}$. No: ${_index(pair[1], both[1])}$.",
            f"Weighted: $\\tfrac{{{a}}}{{{n}}}\\cdot{fraction(both[0])} + \\tfrac{{{b}}}{{{n}}}\\cdot"
            f"{fraction(both[1])}={_value(total)}$. Gain: "
            f"${fraction(parent)} - {fraction(total)}={_value(gain)}$.",
        ]
    told = ", ".join(f"{name} ${fraction(shares[names.index(name)])}$" for name in order)
    compared = "; ".join(
        f"{_set(a)} against {_set(b)}: ${_sides(cells, names, (a, b))}={_value(loss)}$"
        for (a, b), loss in zip(cuts, losses, strict=True)
    )
    lines += [
        f"The larger gain has the question: {FEATURES[best]}.",
        f"**Categories:** the shares are {told}. Three categories have $2^2-1=3$ splits; only the $3-1=2$ cuts "
        "of the sorted list have to be compared.",
        f"Sums of $n_Lp_L(1-p_L)+n_Rp_R(1-p_R)$: {compared}. The best left set is {_set(cuts[low][0])}.",
        "Marks: 1 for the index of all, 3 for the indices after the splits, 2 for the gains, 1 for the question, 1 for "
        "the order, 1 for the number of splits, 1 for those to compare, 1 for the best.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _set(names: str) -> str:
    return "{" + ", ".join(names) + "}"


def _members(cells: np.ndarray, names: str, cut: tuple[str, str]) -> list[np.ndarray]:
    return [sum((cells[names.index(k)] for k in side), np.zeros(2, dtype=int)) for side in cut]


def _two_sided(cells: np.ndarray, names: str, cut: tuple[str, str]) -> Fraction:
    """Half the weighted Gini index of both sides, times n."""
    return sum((Fraction(int(c[0] * c[1]), int(c.sum())) for c in _members(cells, names, cut)), Fraction(0))


def _sides(cells: np.ndarray, names: str, cut: tuple[str, str]) -> str:
    return " + ".join(f"\\tfrac{{{c[0]}\\cdot{c[1]}}}{{{c.sum()}}}" for c in _members(cells, names, cut))


@drill("regression-split", marks=10, minutes=13, title="The first split of a regression tree")
def regression_split(rng: np.random.Generator) -> Parts:
    """Five points: mean and error of a leaf, the decrease of all cuts, the best one, a prediction, a worst error."""
    while True:
        x = np.cumsum(rng.integers(1, 4, size=5)) * 2
        y = rng.integers(0, 13, size=5)
        cuts = threshold_losses(x, y)
        losses = [rational(v) for v in cuts.loss]
        order = sorted(losses)
        if order[1] - order[0] > 2 and len(set(y.tolist())) >= 4 and order[0] > 0 and y.sum() % 5 == 0:
            break
    k, mean = cuts.best, int(y.mean())
    total = int(((y - mean) ** 2).sum())
    gains = [total - loss for loss in losses]
    query = int(x[k] if rng.random() < 0.5 else x[k + 1])
    means = [(rational(a), rational(b)) for a, b in zip(cuts.left, cuts.right, strict=True)]
    leaf = means[k][0] if query <= cuts.threshold[k] else means[k][1]
    worst = max(abs(int(v) - means[k][int(u > cuts.threshold[k])]) for u, v in zip(x, y, strict=True))
    points, thresholds = ", ".join(f"${row(p)}$" for p in zip(x, y, strict=True)), cuts.threshold.tolist()
    statement = "\n\n".join(
        [
            f"A regression tree is to be grown on the points $(x, y)$: {points}.",
            "1. Give the prediction of a tree without a split, and its sum of squared errors (2 marks).",
            "2. By how much does each of the four cuts lower this sum? (4 marks)",
            f"3. Which cut is made, and what are the two leaf values? Predict at $x={query}$ (3 marks).",
            "4. Give the largest absolute error of a training point after this cut (1 mark).",
        ]
    )
    answer: dict[str, Any] = {
        "mean": mean, "total": total, "gains": [float(v) for v in gains], "threshold": float(cuts.threshold[k]),
        "leaves": [float(v) for v in means[k]], "prediction": float(leaf), "worst": float(worst),
    }  # fmt: skip
    fields = [
        ask.number("mean", "prediction", 1, whole=True),
        ask.number(
            "total", "sum of squared errors", 1, whole=True, follows=" + ".join(f"({v} - mean)^2" for v in y),
            slips=[
                ask.slip(
                    int((y**2).sum()),
                    "That is the sum of the squares of $y$; subtract the mean first, which is the prediction.",
                    card="cart-do-not-confuse-trees",
                )
            ],
        ),
        ask.vector(
            "gains", "decrease", 2, 4, titles=[short(t) for t in cuts.threshold], digits=3,
            follows=[f"total - {float(loss)}" for loss in losses],
            slips=[
                ask.slip(
                    [float(loss) for loss in losses],
                    "These are the sums that are left after the cut; the decrease is the sum before minus that.",
                    card="cart-lost-marks-weights",
                )
            ],
        ),
        ask.number(
            "threshold", "cut", 3, follows=" + ".join(f"{t}*(argmax(gains) == {j})" for j, t in enumerate(thresholds))
        ),
        ask.vector(
            "leaves", "leaf values", 3, titles=["left", "right"], digits=3,
            follows=[
                " + ".join(f"{float(pair[side])}*(threshold == {t})" for pair, t in zip(means, thresholds, strict=True))
                for side in range(2)
            ],
        ),
        ask.number(
            "prediction", "prediction at the query", 3, digits=3, follows=_leaf_at(query),
            slips=[
                ask.slip(
                    float(sum(means[k]) - leaf),
                    "That is the value of the other leaf; $x$ at most the cut goes left.",
                    card="cart-convention-threshold",
                )
            ],
        ),
        ask.number(
            "worst", "largest error", 4, **ask.DERIVED,
            follows=f"max({', '.join(f'abs({v} - ({_leaf_at(u)}))' for u, v in zip(x, y, strict=True))})",
            slips=[
                ask.slip(
                    float(worst**2),
                    "That is the squared error; the question asks for the absolute one.",
                    card="cart-lost-marks-worst",
                )
            ],
        ),
    ]  # fmt: skip
    rows = []
    for j, ((a, b), gain) in enumerate(zip(means, gains, strict=True)):
        left, right = j + 1, 4 - j
        rows.append(
            [
                f"${short(cuts.threshold[j])}$", f"${_mean(y[: j + 1])}={fraction(a)}$",
                f"${_mean(y[j + 1 :])}={fraction(b)}$",
                f"$\\tfrac{{{left * right}}}{{5}}\\,\\big({fraction(a)} - {fraction(b)}\\big)^2={_value(gain)}$",
            ]
        )  # fmt: skip
    squares = " + ".join(f"({v} - {mean})^2" for v in y)
    side = "at most" if query <= cuts.threshold[k] else "above"
    lines = [
        f"**No split:** the mean ${_mean(y)}={mean}$, with ${squares}={total}$.",
        "**Cuts:** a cut lowers the sum by $\\tfrac{n_Ln_R}{n}(\\bar y_L-\\bar y_R)^2$:",
        table(rows, ["cut", "mean on the left", "mean on the right", "decrease"]).markdown,
        f"The largest decrease is that of the cut ${short(cuts.threshold[k])}$; the leaves hold "
        f"${fraction(means[k][0])}$ and ${fraction(means[k][1])}$. The query $x={query}$ is {side} the cut: the "
        f"prediction is ${_value(leaf)}$.",
        "**Errors:** the distances from the leaf values are "
        + ", ".join(
            f"$|{v} - {fraction(m)}|={fraction(abs(int(v) - m))}$"
            for v, m in zip(y, [means[k][int(u > cuts.threshold[k])] for u in x], strict=True)
        )
        + f". The largest is ${_value(worst)}$.",
        "Marks: 1 for the mean, 1 for its error, 4 for the decreases, 1 for the cut, 1 for the leaves, 1 for the "
        "prediction, 1 for the largest error.",
    ]
    return Parts(statement, {"x": x.tolist(), "y": y.tolist(), "query": query}, "\n\n".join(lines), answer, fields)


def _leaf_at(x: int) -> str:
    """The leaf value at a point, as an expression."""
    return f"leaves[0]*({x} <= threshold) + leaves[1]*({x} > threshold)"


def _mean(values: np.ndarray) -> str:
    """The mean as a sum over a number."""
    return f"\\tfrac{{{' + '.join(map(str, values))}}}{{{len(values)}}}"


def _value(value: Fraction) -> str:
    """A fraction and its decimals; a whole number alone."""
    return fraction(value) + ("" if value.denominator == 1 else f"\\approx{sig(float(value))}")

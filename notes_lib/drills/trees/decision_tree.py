"""Drills on decision trees: a threshold by entropy, a whole tree by ID3, gain ratio with C4.5's rule, by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.foundations.information import LOGARITHMS, ROUNDED
from notes_lib.foundations.information import entropy
from notes_lib.trees.decision_tree import (
    ID3Classifier,
    Split,
    best_threshold,
    boundary_thresholds,
    gain_ratio,
    impurity_after,
    impurity_decrease,
    intrinsic_value,
    select_split,
)

WORK = f"Work in bits, to three decimals. {LOGARITHMS} The entropy of counts is written $h$, as in $h(a, b)$."


@drill("entropy-split", marks=9, minutes=12, title="Best threshold by entropy")
def threshold(rng: np.random.Generator) -> Parts:
    """Thresholds of a number at which the class changes, the entropy that each leaves, and the best one."""
    while True:
        n = int(rng.integers(7, 10))
        x = np.sort(rng.choice(np.arange(10, 40), n, replace=False))
        y = np.repeat(np.arange(4) % 2, rng.multinomial(n - 4, [0.25] * 4) + 1)
        y = y if rng.random() < 0.5 else 1 - y
        cuts = boundary_thresholds(x, y)
        pairs = [_counts((x > t).astype(int), y) for t in cuts]
        left = [impurity_after(pair) for pair in pairs]
        if np.diff(np.sort(left))[0] > 0.02:
            break
    total = [int((y == k).sum()) for k in (1, 0)]
    H = _h(total)
    best, gain = best_threshold(x, y)
    rows = list(zip(x.tolist(), np.where(y == 1, "yes", "no").tolist(), strict=True))
    statement = "\n".join(
        [
            f"{n} instances with one numeric feature $x$:",
            "",
            table(rows, ["$x$", "label"]).markdown,
            "",
            WORK,
            "",
            "1. Which thresholds, midpoints between neighbours, have to be looked at? (2 marks)",
            "2. Compute the entropy of the labels (1 mark).",
            "3. Compute the entropy that is left after a split at each of them (4 marks).",
            "4. State the best threshold and its gain (2 marks).",
        ]
    )
    lines = [
        "**Thresholds** (2 marks): only where the label changes between neighbours: "
        f"{', '.join(f'${t:g}$' for t in cuts)}.",
        "",
        f"**Labels** (1 mark): $H = {_named(total)} = {H:.3f}$ bits.",
        "",
        "**What is left** (1 mark each, 1 for the weights):",
    ]
    for t, pair, value in zip(cuts, pairs, left, strict=True):
        lines += ["", f"- $x \\leq {t:g}$: {_left(pair, n, value)}"]
    lines += ["", f"**Best** (2 marks): $x \\leq {best:g}$, with the gain ${H:.3f} - {min(left):.3f} = {gain:.3f}$ "
              f"bits. {ROUNDED}"]  # fmt: skip
    answer = {
        "thresholds": cuts.tolist(), "entropy": round(H, 9), "left": [round(v, 9) for v in left],
        "best": f"{best:g}", "gain": round(gain, 9),
    }  # fmt: skip
    numbers = range(1, 4)
    fields = [
        ask.vector(
            "thresholds",
            "the thresholds, smallest first",
            1,
            2,
            titles=numbers,
            places=3,
            slips=[
                ask.slip(
                    x[np.flatnonzero(y[1:] != y[:-1])],
                    "These are values of $x$; here a threshold is the midpoint to the next value.",
                    card="decision-tree-convention-threshold",
                )
            ],
        ),
        ask.number("entropy", "entropy of the labels", 2, places=3, carried=1, slips=[_in_nats(H)]),
        ask.vector(
            "left",
            "entropy left, in the same order",
            3,
            4,
            titles=numbers,
            places=3,
            carried=1,
            after=["thresholds"],
            slips=[
                ask.slip(
                    [float(np.mean([_h(row) for row in pair])) for pair in pairs],
                    "That is the plain mean of both branches; each branch counts by its share of the instances.",
                    card="decision-tree-lost-marks-two",
                )
            ],
        ),
        ask.choice(
            "best",
            "the best threshold",
            4,
            options=[f"{t:g}" for t in cuts],
            follows="argmin(left)",
            slips=[
                ask.slip(
                    f"{cuts[int(np.argmax(left))]:g}",
                    "That threshold leaves the most entropy; the best one leaves the least.",
                    card="decision-tree-lost-marks-criterion",
                )
            ],
        ),
        ask.number(
            "gain",
            "its gain",
            4,
            places=3,
            carried=1,
            follows="entropy - min(left)",
            slips=[ask.slip(min(left), _IS_LEFT, card="decision-tree-lost-marks-two")],
        ),
    ]
    return Parts(statement, {"x": x.tolist(), "y": y.tolist()}, "\n".join(lines), answer, fields)


@drill("id3-tree", marks=12, minutes=16, title="A tree by ID3")
def tree(rng: np.random.Generator) -> Parts:
    """Gains of three attributes at the root, the second question, the whole tree and one prediction."""
    while True:
        n = int(rng.integers(8, 11))
        X, y = rng.integers(0, 2, (n, 3)), rng.integers(0, 2, n)
        found = _two_questions(X, y)
        if found is not None:
            break
    root, answer_of_root, second, gains, below = found
    tables, total = [_counts(X[:, j], y) for j in range(3)], [int((y == k).sum()) for k in (1, 0)]
    H, left = _h(total), [impurity_after(t) for t in tables]
    inside = X[:, root] == answer_of_root
    m = int(inside.sum())
    mixed = [int((y[inside] == k).sum()) for k in (1, 0)]
    others = [j for j in range(3) if j != root]
    query = rng.integers(0, 2, 3)
    query[root] = answer_of_root
    model = ID3Classifier().fit(X, y)
    label = ["no", "yes"][int(model.predict([query])[0])]
    rows = [[*map(int, row), ["no", "yes"][k]] for row, k in zip(X, y, strict=True)]
    statement = "\n".join(
        [
            f"{n} instances, described by three attributes with the values 0 and 1:",
            "",
            table(rows, ["A", "B", "C", "label"]).markdown,
            "",
            WORK,
            "",
            "1. Compute the entropy of the labels (1 mark).",
            "2. Compute the information gain of each attribute, and name the root (6 marks).",
            "3. In the branch that is not pure, compute the gains of the other two and name the question (3 marks).",
            f"4. How many leaves does the tree have (1 mark), and which label does it give to {_row(query)}? (1 mark)",
        ]
    )
    lines = [f"**Labels** (1 mark): $H = {_named(total)} = {H:.3f}$ bits."]
    for name, t, rest, gain in zip("ABC", tables, left, gains, strict=True):
        lines += ["", f"**Attribute {name}** (2 marks): {_left(t, n, rest)} Gain: ${H:.3f} - {rest:.3f} = {gain:.3f}$."]
    lines += [
        "",
        f"**Root:** {'ABC'[root]}, the largest gain. The branch {'ABC'[root]} = {1 - answer_of_root} is pure.",
        "",
        f"**Branch {'ABC'[root]} = {answer_of_root}** (1 mark for each gain, 1 for the question): "
        f"${_named(mixed)} = {_h(mixed):.3f}$ bits.",
    ]
    for j, gain in zip(others, below, strict=True):
        t = _counts(X[inside, j], y[inside])
        rest = impurity_after(t)
        lines += ["", f"- {'ABC'[j]}: {_left(t, m, rest)} Gain: ${_h(mixed):.3f} - {rest:.3f} = {gain:.3f}$."]
    lines += [
        "",
        f"Ask {'ABC'[second]}: both of its branches are pure.",
        "",
        f"**Tree** (1 mark): {model.get_n_leaves()} leaves, one below the root and two below {'ABC'[second]}. "
        f"**Prediction** (1 mark): {_row(query)} goes to {'ABC'[root]} = {answer_of_root}, then to "
        f"{'ABC'[second]} = {int(query[second])}: *{label}*. {ROUNDED}",
    ]
    answer = {
        "entropy": round(H, 9), "gains": [round(g, 9) for g in gains], "root": "ABC"[root],
        "below": [round(g, 9) for g in below], "second": "ABC"[second], "leaves": model.get_n_leaves(),
        "label": label,
    }  # fmt: skip
    fields = [
        ask.number("entropy", "entropy of the labels", 1, places=3, carried=1, slips=[_in_nats(H)]),
        ask.vector(
            "gains", "the gains", 2, 5, titles="ABC", places=3, carried=1,
            follows=[f"entropy - {rest}" for rest in left], slips=[_left_over(left)],
        ),
        ask.choice("root", "the root", 2, options="ABC", follows="argmax(gains)", slips=[_least(gains)]),
        ask.vector(
            "below", "gains of the other two, in alphabetical order", 3, 2, places=3, carried=1,
            titles=["first", "second"], after=["root"],
            slips=[
                ask.slip(
                    [m / n * gain for gain in below],
                    "That multiplies by the share of the branch; inside the branch only its own instances count.",
                    card="decision-tree-lost-marks-two",
                ),
                _left_over([_h(mixed) - gain for gain in below]),
            ],
        ),
        ask.choice(
            "second", "the question in the branch", 3, options="ABC",
            follows="(below[1] <= below[0])*(root == 0) + (below[1] > below[0])*(2 - (root == 2))",
        ),
        ask.number(
            "leaves", "number of leaves", 4, whole=True,
            slips=[
                ask.slip(
                    2 * model.get_n_leaves() - 1,
                    "That counts the questions, too; a leaf asks nothing.",
                    card="decision-tree-lost-marks-stop",
                )
            ],
        ),
        ask.choice("label", "the label", 4, options=["yes", "no"], after=["root", "second"]),
    ]  # fmt: skip
    given = {"X": X.tolist(), "y": y.tolist(), "query": query.tolist()}
    return Parts(statement, given, "\n".join(lines), answer, fields)


def _two_questions(X: np.ndarray, y: np.ndarray) -> tuple[int, int, int, list[float], list[float]] | None:
    """Root, its answer that needs a second question, this question, gains of both; None for any other tree."""
    branches = [set(y[X[:, j] == v].tolist()) for j in range(3) for v in (0, 1)]
    if len(np.unique(y)) < 2 or not all(branches) or min(map(len, branches)) == 2:  # the root makes one branch pure
        return None
    gains = [impurity_decrease(_counts(X[:, j], y)) for j in range(3)]
    root = int(np.argmax(gains))
    impure = [v for v in (0, 1) if len(np.unique(y[X[:, root] == v])) == 2]
    others = [j for j in range(3) if j != root]
    if len(impure) != 1 or np.diff(np.sort(gains)).min() < 0.02:
        return None
    inside = X[:, root] == impure[0]
    pairs = [_counts(X[inside, j], y[inside]) for j in others]
    below = [impurity_decrease(pair) for pair in pairs]
    best = int(np.argmax(below))
    pure = bool((pairs[best].min(axis=1) == 0).all())
    split_both = all(pair.sum(axis=1).min() > 0 for pair in pairs)
    return (root, impure[0], others[best], gains, below) if pure and split_both and below[1 - best] < 0.9 else None


@drill("gain-ratio", marks=11, minutes=14, title="Gain ratio")
def ratio(rng: np.random.Generator) -> Parts:
    """Gain, intrinsic value and gain ratio of three attributes; what ID3 and C4.5 choose."""
    while True:
        n = int(rng.choice([8, 9, 10]))
        y = (rng.random(n) < 0.5).astype(int)
        two, three, four = (rng.integers(0, r, n) for r in (2, 3, 4))
        values = [np.where(rng.random(n) < 0.5, y, two), three, np.where(rng.random(n) < 0.3, 2 * y, four)]
        tables = [_counts(v, y, r) for v, r in zip(values, (2, 3, 4), strict=True)]
        if min(t.sum(axis=1).min() for t in tables) < 1 or len(np.unique(y)) < 2:
            continue
        gains = [impurity_decrease(t) for t in tables]
        sizes = [intrinsic_value(t.sum(axis=1)) for t in tables]
        ratios = [gain_ratio(t) for t in tables]
        mean = float(np.mean(gains))
        gaps = [np.diff(np.sort(v)).min() for v in (gains, ratios)]
        differ = np.argmax(gains) != np.argmax(ratios)
        if differ and min(gaps) > 0.02 and min(abs(g - mean) for g in gains) > 0.02:
            break
    total = [int((y == k).sum()) for k in (1, 0)]
    H, left = _h(total), [impurity_after(t) for t in tables]
    id3 = "ABC"[int(np.argmax(gains))]
    splits = [Split(j, np.nan, g, s) for j, (g, s) in enumerate(zip(gains, sizes, strict=True))]
    c45 = "ABC"[cast(Split, select_split(splits, use_ratio=True)).feature]
    rows = [[f"{name} = {i}", int(t[i - 1, 0]), int(t[i - 1, 1])] for name, t in zip("ABC", tables, strict=True)
            for i in range(1, len(t) + 1)]  # fmt: skip
    statement = "\n".join(
        [
            f"{n} instances, {total[0]} labelled *yes* and {total[1]} labelled *no*, have three attributes:",
            "",
            table(rows, ["value", "yes", "no"]).markdown,
            "",
            WORK,
            "",
            "1. Compute the information gain of each attribute (4 marks).",
            "2. Compute the intrinsic values and the gain ratios (4 marks).",
            "3. Which attribute does ID3 ask (1 mark), and which one C4.5, which takes the largest gain ratio among "
            "the attributes whose gain is at least the mean gain? (2 marks)",
        ]
    )
    lines = [f"**Labels** (1 mark): $H = {_named(total)} = {H:.3f}$ bits."]
    for name, t, rest, gain in zip("ABC", tables, left, gains, strict=True):
        lines += ["", f"**Gain of {name}** (1 mark): {_left(t, n, rest)} Gain: ${H:.3f} - {rest:.3f} = {gain:.3f}$."]
    lines += ["", "**Ratios** (1 mark for the formula, 1 mark each):"]
    for name, t, gain, size, value in zip("ABC", tables, gains, sizes, ratios, strict=True):
        lines += ["", f"- {name}: $\\mathrm{{IV}} = {_named(t.sum(axis=1))} = {size:.3f}$, ratio "
                  f"$\\frac{{{gain:.3f}}}{{{size:.3f}}} = {value:.3f}$."]  # fmt: skip
    allowed = [name for name, gain in zip("ABC", gains, strict=True) if gain >= mean]
    lines += [
        "",
        f"**Choice** (1 mark for ID3, 2 for C4.5): ID3 asks {id3}. The mean gain is "
        f"$\\tfrac13 ({' + '.join(f'{g:.3f}' for g in gains)}) = {mean:.3f}$; at least as much gain: "
        f"{' and '.join(allowed)}. C4.5 asks {c45}. {ROUNDED}",
    ]
    answer = {
        "gains": [round(v, 9) for v in gains], "intrinsic": [round(v, 9) for v in sizes],
        "ratios": [round(v, 9) for v in ratios], "id3": id3, "c45": c45,
    }  # fmt: skip
    fields = [
        ask.vector("gains", "the gains", 1, 4, titles="ABC", places=3, carried=1, slips=[_left_over(left)]),
        ask.vector(
            "intrinsic", "the intrinsic values", 2, 2, titles="ABC", places=3, carried=1,
            slips=[
                ask.slip(
                    [float(np.log2(len(t))) for t in tables],
                    "That takes all values as equally frequent; $\\mathrm{IV}$ is the entropy of their shares.",
                    card="decision-tree-lost-marks-ratio",
                )
            ],
        ),
        ask.vector(
            "ratios", "the gain ratios", 2, 2, titles="ABC", places=3, carried=2,
            follows=[f"gains[{j}] / intrinsic[{j}]" for j in range(3)],
            slips=[
                ask.slip(
                    [g * size for g, size in zip(gains, sizes, strict=True)],
                    "That multiplies by the intrinsic value; the ratio divides by it.",
                    card="decision-tree-lost-marks-ratio",
                )
            ],
        ),
        ask.choice(
            "id3", "ID3 asks", 3, options="ABC", follows="argmax(gains)",
            slips=[
                ask.slip(
                    "ABC"[int(np.argmax(ratios))],
                    "That has the largest gain ratio; ID3 takes the largest gain.",
                    card="decision-tree-do-not-confuse-three",
                )
            ],
        ),
        ask.choice(
            "c45", "C4.5 asks", 3, 2, options="ABC",
            follows=f"argmax({', '.join(f'ratios[{j}]*(3*gains[{j}] >= sum(gains))' for j in range(3))})",
        ),
    ]  # fmt: skip
    return Parts(statement, {name: t.tolist() for name, t in zip("ABC", tables, strict=True)}, "\n".join(lines),
                 answer, fields)  # fmt: skip


_IS_LEFT = "That is the entropy that is left; the gain is the entropy of the labels minus that."


def _in_nats(H: float) -> ask.Slip:
    return ask.slip(
        H * float(np.log(2)), "That is in nats; bits need logarithms to base 2.", card="decision-tree-convention-base"
    )


def _left_over(left: Sequence[float]) -> ask.Slip:
    """What is left, where the gains are asked for."""
    sentence = "These are the entropies that are left; a gain is the entropy before the split minus that."
    return ask.slip(list(left), sentence, card="decision-tree-lost-marks-two")


def _least(gains: Sequence[float]) -> ask.Slip:
    worst = "ABC"[int(np.argmin(gains))]
    return ask.slip(
        worst, "That attribute has the smallest gain; ask the largest.", card="decision-tree-lost-marks-criterion"
    )


def _counts(v: np.ndarray, y: np.ndarray, r: int = 2) -> np.ndarray:
    """Rows for the values 0, ..., r - 1; columns for yes and no."""
    return np.array([[int(((v == i) & (y == k)).sum()) for k in (1, 0)] for i in range(r)])


def _h(counts: Any) -> float:
    n = np.asarray(counts)
    return float(entropy(n / n.sum(), base=2))


def _named(counts: Any) -> str:
    return f"h({', '.join(str(int(c)) for c in counts)})"


def _left(counts: np.ndarray, n: int, value: float) -> str:
    """Entropy of each branch and their mean."""
    used = counts[counts.sum(axis=1) > 0]
    each = ", ".join(f"${_named(row)} = {_h(row):.3f}$" for row in used)
    mean = " + ".join(f"\\tfrac{{{row.sum()}}}{{{n}}} \\cdot {_h(row):.3f}" for row in used)
    return f"{each}. Left: ${mean} = {value:.3f}$."


def _row(query: np.ndarray) -> str:
    return ", ".join(f"{name} = {int(v)}" for name, v in zip("ABC", query, strict=True))

"""Drills on semi-supervised learning: rounds of self-training, the harmonic function of a graph, queries."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import expit

from notes_lib.clustering.semi_supervised import (
    energy,
    harmonic,
    queries_needed,
    query_threshold,
    random_interval,
    select_best,
    transition_matrix,
)
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, matrix, rational, vector

NAMES = "ABCDEF"
_LOG = "semi-supervised-lost-marks-log"
HEADER = ["round", "$m_1$", "$m_2$", "middle", "surest point", "class"]
FREE = "CDE"  # the unlabelled nodes of the graph


def _rounds(x: np.ndarray, labelled: list[int]) -> list[tuple[list[Fraction], int, int]]:
    """Means before each round, the point that gets a label, its class, 1 or 2."""
    classes = {labelled[0]: 1, labelled[1]: 2}
    rounds = []
    while len(classes) < len(x):
        means = _means(x, classes)
        rest = [i for i in range(len(x)) if i not in classes]
        lead = np.array([float((x[i] - means[0]) ** 2 - (x[i] - means[1]) ** 2) for i in rest])
        P = expit(
            np.column_stack([-lead, lead]) / 100
        )  # the larger the lead, the surer; so small that none is exactly 1
        i = rest[int(select_best(P, 1)[0])]
        classes[i] = 1 + int(P[rest.index(i)].argmax())
        rounds.append((means, i, classes[i]))
    return rounds


def _means(x: np.ndarray, classes: dict[int, int]) -> list[Fraction]:
    members = [[int(x[i]) for i, c in classes.items() if c == k] for k in (1, 2)]
    return [Fraction(sum(m), len(m)) for m in members]


def _is_fair(x: np.ndarray, labelled: list[int], border: int) -> bool:
    """No tie for the surest point, and a border that moves past at least one point, one that is not a point."""
    rounds, known = _rounds(x, labelled), set(labelled)
    for means, i, _ in rounds:
        away = {j: abs(x[j] - sum(means) / 2) for j in range(len(x)) if j not in known}
        if list(away.values()).count(away[i]) > 1 or min(away.values()) == 0:
            return False
        known.add(i)
    first, last = sum(rounds[0][0]) / 2, _last_border(x, labelled, rounds)
    between = [j for j in range(len(x)) if j not in labelled and (x[j] > first) != (x[j] > last)]
    moved = [i for _, i, c in rounds if (x[i] > first) != (c == 2)]
    return len(between) > 0 and len(moved) == 1 and last not in x and border not in x


def _last_border(x: np.ndarray, labelled: list[int], rounds: list[Any]) -> Fraction:
    classes = {labelled[0]: 1, labelled[1]: 2} | {i: c for _, i, c in rounds}
    return sum(_means(x, classes), Fraction(0)) / 2


@drill("self-training", marks=10, minutes=14, title="Rounds of self-training")
def self_training(rng: np.random.Generator) -> Parts:
    """Six points on a line, two of them labelled, a classifier of nearest means that labels its surest point."""
    while True:
        x = np.sort(rng.choice(np.arange(25), size=6, replace=False))
        labelled = sorted(rng.choice(6, size=2, replace=False).tolist())
        border = int(rng.integers(x[labelled[0]] + 1, x[labelled[1]] + 1))
        if _is_fair(x, labelled, border):
            break
    rounds = _rounds(x, labelled)
    order, classes = [i for _, i, _ in rounds], [c for *_, c in rounds]
    free = [i for i in range(6) if i not in labelled]
    start, end = sum(rounds[0][0], Fraction(0)) / 2, _last_border(x, labelled, rounds)
    given_class = dict(zip(order, classes, strict=True))
    truth = {i: 1 + int(x[i] > border) for i in free}
    other = next(i for i in free if given_class[i] != 1 + int(x[i] > start))
    wrong = sum(given_class[i] != truth[i] for i in free)
    wrong_at_once = sum(1 + int(x[i] > start) != truth[i] for i in free)
    points = ", ".join(f"${a}={v}$" for a, v in zip(NAMES, x, strict=True))
    one, two = (NAMES[i] for i in labelled)
    blank = table([[str(r + 1), "", "", "", "", ""] for r in range(4)], HEADER).markdown
    statement = "\n\n".join(
        [
            f"The points {points} lie on a line. {one} is of class 1, {two} of class 2; the others have no label. A "
            "classifier gives a point to the class whose mean, of all points that have this label, is nearer, and it "
            "is the surer the farther the point is from the middle of the two means. In each round of self-training "
            "only the surest point gets its class as a label.",
            "1. Do the four rounds: the means before each, the point, its class (6 marks).",
            "2. Where is the border when all points have a label? (1 mark)",
            "3. Which point has another class than the first classifier would have given it at once? (1 mark)",
            f"4. In truth class 2 begins above {border}. How many of the four labels are wrong after self-training, "
            "and how many would be if the first classifier labelled all four at once? (2 marks)",
            blank,
        ]
    )
    given = {"points": x.tolist(), "labelled": labelled, "border": border}
    answer: dict[str, Any] = {
        "means": [[float(m) for m in means] for means, *_ in rounds], "order": [NAMES[i] for i in order],
        "classes": classes, "border": float(end), "other": NAMES[other], "wrong": wrong, "at_once": wrong_at_once,
    }  # fmt: skip
    open_names = [NAMES[i] for i in free]
    fields = [
        ask.matrix("means", "means before each round", 1, 2, rows=range(1, 5), columns=["$m_1$", "$m_2$"]),
        ask.sequence(
            "order", "points in the order in which they get a label", 1, 2, options=open_names, after=["means"]
        ),
        ask.vector(
            "classes",
            "their classes",
            1,
            2,
            titles=[f"round {r}" for r in range(1, 5)],
            whole=True,
            follows=[f"1 + ({_place(x[free], r)} > (means[{r},0] + means[{r},1])/2)" for r in range(4)],
        ),
        ask.number(
            "border",
            "border at the end",
            2,
            digits=3,
            carried=1,
            follows=f"({_mean_of(1, x, labelled, free)} + {_mean_of(2, x, labelled, free)}) / 2",
            slips=[
                ask.slip(
                    float(start),
                    "That is the border of the first classifier; the means have moved since.",
                    card=_SETTINGS,
                )
            ],
        ),
        ask.choice("other", "point with another class", 3, options=open_names, after=["order", "classes"]),
        ask.number(
            "wrong",
            "wrong labels",
            4,
            whole=True,
            follows=" + ".join(f"(({_class_of(j)}) != {truth[i]})" for j, i in enumerate(free)),
            slips=[
                ask.slip(
                    wrong_at_once,
                    "That is for labels given at once; in self-training the border moves.",
                    card=_SETTINGS,
                )
            ],
        ),
        ask.number(
            "at_once",
            "wrong labels if at once",
            4,
            whole=True,
            slips=[ask.slip(wrong, "That is after self-training; here the first border decides.", card=_SETTINGS)],
        ),
    ]
    rows = [
        [str(r), _fraction(a), _fraction(b), _fraction((a + b) / 2), NAMES[i], str(c)]
        for r, ((a, b), i, c) in enumerate(rounds, start=1)
    ]
    last = {labelled[0]: 1, labelled[1]: 2} | given_class
    at_end = _means(x, last)
    lines = [
        "**Rounds:** the surest point is the unlabelled one farthest from the middle; its class is that of its side.",
        table(rows, HEADER).markdown,
        f"**Border:** the means of all points are {_fraction(at_end[0])} and {_fraction(at_end[1])}, and their middle "
        f"is {_fraction(end)}.",
        f"**Another class:** the first border is {_fraction(start)}, so the first classifier gives {NAMES[other]} to "
        f"class {1 + int(x[other] > start)}; by its round the middle has moved, and it gets class "
        f"{given_class[other]}.",
        f"**Wrong:** {wrong} after self-training, {wrong_at_once} at once. A label that was given stays, so the means "
        f"follow it, right or wrong.",
        "Marks: 2 for the means, 2 for the order, 2 for the classes, 1 for the border, 1 for the point, 2 for the "
        "mistakes.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_SETTINGS = "semi-supervised-do-not-confuse-settings"


def _place(x: np.ndarray, turn: int) -> str:
    """The number of the point that gets a label in a round, as an expression."""
    return "(" + " + ".join(f"(order[{turn}] == {j})*{v}" for j, v in enumerate(x)) + ")"


def _class_of(point: int) -> str:
    """The class that a point got, as an expression."""
    return " + ".join(f"(order[{turn}] == {point})*classes[{turn}]" for turn in range(4))


def _mean_of(k: int, x: np.ndarray, labelled: list[int], free: list[int]) -> str:
    """The mean of a class when all points have a label, as an expression."""
    inside = [f"(({_class_of(j)}) == {k})" for j in range(4)]
    total = " + ".join(f"{x[i]}*{is_in}" for i, is_in in zip(free, inside, strict=True))
    return f"({x[labelled[k - 1]]} + {total}) / (1 + {' + '.join(inside)})"


def _fraction(value: Fraction) -> str:
    """A fraction between dollar signs, with its decimals where it has some."""
    if value.denominator == 1:
        return f"${value.numerator}$"
    return f"${fraction(value)}{_decimals(value)}$"


def _power(m: int) -> str:
    """Half to the power m."""
    return f"$2^{{-{m}}}{_decimals(Fraction(1, 2**m))}$"


def _decimals(value: Fraction) -> str:
    """Four digits of a fraction, and whether these are all."""
    digits = sig(float(value))
    equal = "=" if Fraction(digits) == value else "\\approx"
    return f"{equal}{digits}"


def _graph(rng: np.random.Generator) -> np.ndarray:
    """Weights of A and B, which have labels, of C and D, each joined to A or B, and of E, which hangs on C or D."""
    W = np.zeros((5, 5), dtype=int)
    for i, j in [(2, 0), (3, 1), (2, 3), (int(rng.integers(2, 4)), 4)]:
        W[i, j] = rng.integers(1, 4)
    if rng.random() < 0.5:  # one of them knows both labels
        i, j = [(2, 1), (3, 0)][int(rng.integers(2))]
        W[i, j] = rng.integers(1, 4)
    return W + W.T


@drill("label-propagation", marks=12, minutes=17, title="Labels on a graph")
def label_propagation(rng: np.random.Generator) -> Parts:
    """Two labelled and three unlabelled nodes: the equations, their solution, two rounds, the energy, the walk."""
    while True:
        W = _graph(rng)
        f = harmonic(W, [1, 0, -1, -1, -1])[:, 1]
        if np.abs(f[2:] - 0.5).min() > 0.02 and len(set((f[2:] > 0.5).tolist())) == 2:
            break
    L = np.diag(W.sum(axis=1)) - W
    right = W[2:, 0]
    P = transition_matrix(W)
    trail = [np.array([1.0, 0, 0, 0, 0])]
    for _ in range(2):
        new = P @ trail[-1]
        new[:2] = [1, 0]
        trail.append(new)
    edges = [(i, j) for i in range(5) for j in range(i + 1, 5) if W[i, j]]
    text = ", ".join(f"{NAMES[i]}-{NAMES[j]}: {W[i, j]}" for i, j in edges)
    walker = "CD"[int(rng.integers(2))]
    end = f[2 + FREE.index(walker)]
    E = energy(W, f)
    statement = "\n\n".join(
        [
            f"A graph has the nodes A to E and edges with the weights {text}. A has the label 1, B the label 0; the "
            "others have none.",
            "1. Give $\\mathbf{L}_{uu}$, the rows and columns of the Laplacian $\\mathbf{D}-\\mathbf{W}$ that belong "
            "to C, D and E, and the right side $\\mathbf{W}_{u\\ell}\\mathbf{f}_\\ell$ (3 marks).",
            "2. Compute the harmonic function at C, D and E, as fractions (3 marks). Which class has each, with the "
            "threshold one half? (1 mark)",
            "3. Start with 0 at C, D and E and replace all three at once by the weighted means of their neighbours, "
            "twice. Give the values after each round (3 marks).",
            "4. Compute the energy $\\tfrac12\\sum_{n,m}w_{nm}(f_n-f_m)^2$ of the harmonic function (1 mark).",
            f"5. With which probability does a random walk from {walker} come to B before it comes to A? (1 mark)",
        ]
    )
    given = {"W": W.tolist(), "walker": walker}
    answer: dict[str, Any] = {
        "laplacian": L[2:, 2:].tolist(), "right": right.tolist(), "harmonic": f[2:].tolist(),
        "classes": [int(v > 0.5) for v in f[2:]], "rounds": [t[2:].tolist() for t in trail[1:]], "energy": E,
        "walk": float(1 - end),
    }  # fmt: skip
    fields = [
        ask.matrix(
            "laplacian",
            "$\\mathbf{L}_{uu}$",
            1,
            2,
            rows=FREE,
            columns=FREE,
            whole=True,
            slips=[ask.slip(np.abs(L[2:, 2:]), "The weights beside the diagonal have a minus.", card=_VOTE)],
        ),
        ask.vector("right", "right side", 1, titles=FREE, whole=True),
        ask.vector(
            "harmonic",
            "harmonic function",
            2,
            3,
            titles=FREE,
            follows=_solved(),
            slips=[
                ask.slip(
                    trail[2][2:],
                    "These are the values after two rounds; the harmonic function solves the equations.",
                    card="semi-supervised-lost-marks-vote",
                )
            ],
        ),
        ask.vector(
            "classes", "classes", 2, titles=FREE, whole=True, follows=[f"harmonic[{k}] > 0.5" for k in range(3)]
        ),
        ask.matrix("rounds", "values after each round", 3, 3, rows=["round 1", "round 2"], columns=FREE),
        ask.number(
            "energy",
            "energy",
            4,
            **ask.DERIVED,
            follows=" + ".join(f"{W[i, j]}*({_value_at(i)} - {_value_at(j)})^2" for i, j in edges),
            slips=[ask.slip(2 * float(E), "That counts each edge twice; the half takes care of it.", card=_VOTE)],
        ),
        ask.number(
            "walk",
            "probability",
            5,
            **ask.DERIVED,
            follows=f"1 - harmonic[{FREE.index(walker)}]",
            slips=[
                ask.slip(
                    float(end),
                    "That is the probability to come to A first.",
                    card="semi-supervised-do-not-confuse-soft",
                )
            ],
        ),
    ]
    values = [rational(float(v)) for v in f]
    terms = [f"{W[i, j]} \\cdot ({fraction(values[i])} - {fraction(values[j])})^2" for i, j in edges]
    rows = [[str(r), *(_fraction(rational(float(v))) for v in t[2:])] for r, t in enumerate(trail[1:], start=1)]
    hung = "CD"[0 if W[2, 4] else 1]
    lines = [
        "**Equations:** the diagonal of $\\mathbf{L}$ holds the degrees, and each edge its weight with a minus: "
        f"$\\mathbf{{L}}_{{uu}}={matrix(L[2:, 2:])}$, and "
        f"$\\mathbf{{W}}_{{u\\ell}}\\mathbf{{f}}_\\ell={vector(right)}$, since only A counts, with its label 1.",
        f"**Solution:** E has one neighbour, so $f_E=f_{hung}$. What is left are two equations with the solution "
        f"$f_C={fraction(values[2])}\\approx{sig(float(f[2]))}$ and "
        f"$f_D={fraction(values[3])}\\approx{sig(float(f[3]))}$; $f_E={fraction(values[4])}$. "
        f"Classes: C {answer['classes'][0]}, D {answer['classes'][1]}, E "
        f"{answer['classes'][2]}.",
        "**Rounds:**",
        table(rows, ["round", *(f"$f_{a}$" for a in FREE)]).markdown,
        f"**Energy:** each edge once, ${' + '.join(terms)}\\approx{sig(E)}$.",
        f"**Walk:** $f_{walker}$ is the probability to come to A first, so it is $1 - {fraction(rational(float(end)))}"
        f"\\approx{sig(float(1 - end))}$.",
        "Marks: 2 for the matrix, 1 for the right side, 3 for the solution, 1 for the classes, 3 for the rounds, 1 for "
        "the energy, 1 for the walk.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


_VOTE = "semi-supervised-lost-marks-vote"


def _value_at(node: int) -> str:
    """The value at a node: the label of A or B, or the harmonic function."""
    return str(1 - node) if node < 2 else f"harmonic[{node - 2}]"


def _solved() -> list[str]:
    """Three equations in three unknowns by Cramer's rule, as expressions."""
    L = [[f"laplacian[{i},{j}]" for j in range(3)] for i in range(3)]
    swapped = [[[f"right[{i}]" if j == k else L[i][j] for j in range(3)] for i in range(3)] for k in range(3)]
    return [f"({_determinant(S)}) / ({_determinant(L)})" for S in swapped]


def _determinant(A: list[list[str]]) -> str:
    (a, b, c), (d, e, f), (g, h, i) = A
    return f"{a}*({e}*{i} - {f}*{h}) - {b}*({d}*{i} - {f}*{g}) + {c}*({d}*{h} - {e}*{g})"


@drill("query-threshold", marks=9, minutes=11, title="Queries for a threshold")
def threshold(rng: np.random.Generator) -> Parts:
    """How many questions suffice, a trace of the bisection, random labels, answers that may be wrong."""
    n = int(rng.integers(20, 200))
    position = int(rng.integers(2, n + 1))  # the first row of class 1, counted from 1
    m = int(rng.integers(3, 7))
    wrong = Fraction(int(rng.integers(1, 11)), 100)
    found = query_threshold(n, lambda i: int(i + 1 >= position))
    asked, needed = [q + 1 for q in found.queries], queries_needed(n)
    sure = float(1 - wrong) ** len(asked)
    statement = "\n\n".join(
        [
            f"{n} rows are sorted by a feature. All rows before a change are of class 0, the others of class 1; the "
            "change may stand before the first row or behind the last one. A label costs one question.",
            "1. How many places are possible for the change, and how many questions are always enough? (2 marks)",
            f"2. The first row of class 1 is row {position}. Bisection asks about row "
            "$\\lfloor (a+b)/2\\rfloor$ while the first row of class 1 is known to lie from $a$ to $b$, at first from "
            f"1 to {n + 1}. Which rows does it ask about? (3 marks)",
            "3. How many questions does it take to ask the rows in their order up to the first answer 1? (1 mark)",
            f"4. Now the rows may be any numbers in $[0,1]$, and the change is at one half. How long is the interval "
            f"that {m} questions of a bisection leave open, and how long on average that of {m} labels of random rows, "
            "drawn uniformly? (2 marks)",
            f"5. Each answer of part 2 is wrong with probability {float(wrong):g}, independently. With which "
            "probability are all of them right? (1 mark)",
        ]
    )
    given = {"n": n, "position": position, "m": m, "wrong": float(wrong)}
    answer: dict[str, Any] = {
        "places": n + 1, "needed": needed, "asked": asked, "in_order": position,
        "bisection": 2.0**-m, "random": random_interval(m), "right": sure,
    }  # fmt: skip
    fields = [
        ask.number(
            "places",
            "places",
            1,
            whole=True,
            slips=[ask.slip(n, "The change may also stand behind the last row.", card=_LOG)],
        ),
        ask.number(
            "needed",
            "questions that are always enough",
            1,
            whole=True,
            after=["places"],
            slips=[ask.slip(needed - 1, "That rounds the logarithm down; so many are not always enough.", card=_LOG)],
        ),
        ask.vector("asked", "rows asked about, in their order", 2, 3, whole=True),
        ask.number(
            "in_order",
            "questions in the order of the rows",
            3,
            whole=True,
            slips=[ask.slip(position - 1, "The question with the first answer 1 counts, too.", card=_LOG)],
        ),
        ask.number(
            "bisection",
            "length after bisection",
            4,
            slips=[ask.slip(1 / m, "Each question halves the interval: the length is a power of one half.", card=_LOG)],
        ),
        ask.number(
            "random",
            "mean length after random labels",
            4,
            slips=[
                ask.slip(
                    1 / (m + 1),
                    "That is one mean gap; the open interval has a gap on either side of the change.",
                    card=_LOG,
                )
            ],
        ),
        ask.number(
            "right",
            "probability",
            5,
            digits=3,
            carried=1,
            slips=[ask.slip(1 - sure, "That is the probability that at least one is wrong.", card=_LOG)],
        ),
    ]
    rows, low, high = [], 1, n + 1
    for q in asked:
        says = int(q >= position)
        rows.append([str(low), str(high), str(q), str(says)])
        low, high = (low, q) if says else (q + 1, high)
    lines = [
        f"**Enough:** before each of the {n} rows or behind the last, ${n} + 1={n + 1}$ places. Each answer leaves at "
        f"least half of them in the worst case, so $\\lceil\\log_2 {n + 1}\\rceil$ are needed, and bisection keeps "
        f"to it: {needed}, since $2^{{{needed}}}={2**needed}$ is the first power of 2 that is no smaller.",
        "**Bisection:**",
        table(rows, ["$a$", "$b$", "asks about", "answer"]).markdown,
        f"Then $a=b={position}$, after {len(asked)} questions.",
        f"**In order:** the answer is 1 for the first time at row {position}, so {position} questions.",
        f"**Lengths:** halved {m} times, {_power(m)}. Random labels leave on average "
        f"$\\tfrac{{2 - 2 \\cdot 0.5^{{{m + 1}}}}}{{{m + 1}}}\\approx{sig(answer['random'])}$.",
        f"**Right:** ${float(1 - wrong):g}^{{{len(asked)}}}\\approx{sig(sure)}$. One wrong answer sends the bisection "
        "to the wrong half for good.",
        "Marks: 1 for the places, 1 for the number that is enough, 3 for the rows, 1 for the order, 2 for the lengths, "
        "1 for the probability.",
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)

"""Drills on semi-supervised learning: worked again in fractions, without the library."""

import json
import math
from fractions import Fraction

import pytest

from tests.drills.exact import load, near, solve
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

NAMES = "ABCDEF"


def work_rounds(given):
    """For each round: both means, the point that gets a label, its class; then the means of all."""
    x, labels = given["points"], dict(zip(given["labelled"], (1, 2), strict=True))
    rows = []
    while True:
        means = [Fraction(sum(v := [x[i] for i in labels if labels[i] == k]), len(v)) for k in (1, 2)]
        free = [i for i in range(6) if i not in labels]
        if not free:
            return rows, means
        middle = sum(means) / 2
        far = max(abs(x[i] - middle) for i in free)
        (point,) = (i for i in free if abs(x[i] - middle) == far)  # fails for a tie
        label = min((1, 2), key=lambda k: abs(x[point] - means[k - 1]))
        rows.append((means, point, label))
        labels[point] = label


@pytest.mark.equation("semi-supervised-pseudo-label")
@each_seed()
def test_self_training_answer(seed):
    _, g, answer = load("self-training", seed)
    rows, means = work_rounds(g)
    assert answer["order"] == [NAMES[i] for _, i, _ in rows]
    assert answer["classes"] == [k for *_, k in rows]
    assert all(
        near(a, b) for row, (m, *_) in zip(answer["means"], rows, strict=True) for a, b in zip(row, m, strict=True)
    )
    assert near(answer["border"], sum(means) / 2)
    first = sum(rows[0][0]) / 2
    at_once = {i: 1 + (g["points"][i] > first) for _, i, _ in rows}
    assert [NAMES[i] for _, i, k in rows if k != at_once[i]] == [answer["other"]]
    truth = {i: 1 + (g["points"][i] > g["border"]) for i in at_once}
    assert answer["wrong"] == sum(k != truth[i] for _, i, k in rows)
    assert answer["at_once"] == sum(at_once[i] != truth[i] for i in at_once)
    assert abs(answer["wrong"] - answer["at_once"]) == 1
    assert [1 + (g["points"][i] > g["border"]) for i in g["labelled"]] == [1, 2]


def work_graph(given):
    """Harmonic function, two rounds, energy."""
    W = given["W"]
    L = [[(sum(W[i]) if i == j else 0) - W[i][j] for j in range(5)] for i in range(5)]
    free = solve([row[2:] for row in L[2:]], [W[i][0] for i in (2, 3, 4)])
    f = [Fraction(1), Fraction(0), *free]
    now, rounds = [Fraction(1)] + [Fraction(0)] * 4, []
    for _ in range(2):
        now = now[:2] + [
            sum((Fraction(W[i][j]) * now[j] for j in range(5)), Fraction(0)) / sum(W[i]) for i in (2, 3, 4)
        ]
        rounds.append(now[2:])
    energy = sum(W[i][j] * (f[i] - f[j]) ** 2 for i in range(5) for j in range(i))
    return L, f, rounds, energy


@pytest.mark.equation("semi-supervised-harmonic", "semi-supervised-iteration", "semi-supervised-energy")
@each_seed()
def test_label_propagation_answer(seed):
    _, g, answer = load("label-propagation", seed)
    L, f, rounds, energy = work_graph(g)
    assert answer["laplacian"] == [row[2:] for row in L[2:]]
    assert answer["right"] == [g["W"][i][0] for i in (2, 3, 4)]
    assert all(near(a, b) for a, b in zip(answer["harmonic"], f[2:], strict=True))
    assert answer["classes"] == [int(v > Fraction(1, 2)) for v in f[2:]]
    assert all(near(a, b) for x, y in zip(answer["rounds"], rounds, strict=True) for a, b in zip(x, y, strict=True))
    assert near(answer["energy"], energy)
    assert near(answer["walk"], 1 - f["ABCDE".index(g["walker"])])
    assert set(answer["classes"]) == {0, 1}


@pytest.mark.equation("semi-supervised-queries", "semi-supervised-passive")
@each_seed()
def test_threshold_answer(seed):
    _, g, answer = load("query-threshold", seed)
    n, position, m = g["n"], g["position"], g["m"]
    open_places, asked = list(range(1, n + 2)), []
    while len(open_places) > 1:
        row = (open_places[0] + open_places[-1]) // 2
        asked.append(row)
        open_places = [p for p in open_places if (p <= row) == (position <= row)]
    assert open_places == [position]
    assert answer["asked"] == asked
    assert answer["places"] == n + 1
    assert 2 ** answer["needed"] >= n + 1 > 2 ** (answer["needed"] - 1)
    assert answer["in_order"] == position
    assert near(answer["bisection"], Fraction(1, 2**m))
    # the gap above one half is longer than t with probability (1 - t)^m; in exact integrals, and the same below
    half = Fraction(1, m + 1) * (1 - Fraction(1, 2) ** (m + 1))
    assert near(answer["random"], 2 * half)
    assert answer["right"] == pytest.approx((1 - g["wrong"]) ** len(asked), rel=1e-9)


def test_both_kinds_occur():
    assert {drawn("label-propagation", s).given["walker"] for s in range(30)} == {"C", "D"}
    better = {a["wrong"] < a["at_once"] for a in (drawn("self-training", s).answer for s in range(30))}
    assert better == {True, False}  # it may help and it may harm


@each_seed()
def test_every_number_of_the_self_training_drill(seed):
    drill = drawn("self-training", seed)
    g, answer = drill.given, drill.answer
    rows, means = work_rounds(g)
    one, two = (NAMES[i] for i in g["labelled"])
    ask, tell = pages(drill)
    ask.says("The points $A=#$, $B=#$, $C=#$, $D=#$, $E=#$, $F=#$ lie on a line. # is of class 1, # of class 2; the",
             *map(float, g["points"]), one, two)  # fmt: skip
    ask.says("class 2 begins above #. How", str(g["border"]))
    ask.table(*([str(r), *[None] * 5] for r in range(1, 5)))
    ask.done()
    tell.table(
        *(
            [str(r), float(a), float(b), float((a + b) / 2), NAMES[i], str(k)]
            for r, ((a, b), i, k) in enumerate(rows, start=1)
        )
    )
    tell.says(
        "the means of all points are $#$ and $#$, and their middle is $#$.", *map(float, means), float(sum(means) / 2)
    )
    first, other = sum(rows[0][0]) / 2, NAMES.index(answer["other"])
    tell.says("the first border is $#$, so the first classifier gives # to class #; by its round the middle has moved, "
              "and it gets class #.", float(first), answer["other"], str(1 + (g["points"][other] > first)),
              str(next(k for _, i, k in rows if i == other)))  # fmt: skip
    tell.says("**Wrong:** # after self-training, # at once.", str(answer["wrong"]), str(answer["at_once"]))
    tell.done()


@each_seed()
def test_every_number_of_the_propagation_drill(seed):
    drill = drawn("label-propagation", seed)
    g = drill.given
    L, f, rounds, energy = work_graph(g)
    W, walker = g["W"], g["walker"]
    edges = [f"{NAMES[i]}-{NAMES[j]}: {W[i][j]}" for i in range(5) for j in range(i + 1, 5) if W[i][j]]
    ask, tell = pages(drill)
    ask.says("edges with the weights #. A has the label 1, B the label 0;", ", ".join(edges))
    ask.says("Start with 0 at C, D and E")
    ask.says(r"energy $\tfrac12\sum_{n,m}w_{nm}(f_n-f_m)^2$ of the harmonic")
    ask.says("does a random walk from # come to B", walker)
    ask.done()
    tell.says(r"$\mathbf{L}_{uu}=#$, and", [[float(v) for v in row[2:]] for row in L[2:]])
    tell.says(r"$\mathbf{W}_{u\ell}\mathbf{f}_\ell=#$, since only A counts, with its label 1.",
              [float(W[i][0]) for i in (2, 3, 4)])  # fmt: skip
    tell.says("so $f_E=f_#$. What", "C" if W[2][4] else "D")
    tell.says(r"$f_C=#$ and $f_D=#$; $f_E=#$. Classes: C #, D #, E #.", *map(float, f[2:]),
              *(str(int(2 * v > 1)) for v in f[2:]))  # fmt: skip
    tell.table(*([str(r), *map(float, row)] for r, row in enumerate(rounds, start=1)))
    tell.says("each edge once, $#$.", float(energy))
    tell.says(r"$f_#$ is the probability to come to A first, so it is $#$.", walker,
              float(1 - f["ABCDE".index(walker)]))  # fmt: skip
    tell.done()


@each_seed()
def test_every_number_of_the_threshold_drill(seed):
    drill = drawn("query-threshold", seed)
    g, answer = drill.given, drill.answer
    n, position, m, asked = g["n"], g["position"], g["m"], answer["asked"]
    ask, tell = pages(drill)
    ask.says("# rows are sorted by a feature. All rows before a change are of class 0, the others of class 1;", str(n))
    ask.says("The first row of class 1 is row #. Bisection asks about row $\\lfloor (a+b)/2\\rfloor$ while the first "
             "row of class 1 is known to lie from $a$ to $b$, at first from 1 to #. Which", str(position),
             str(n + 1))  # fmt: skip
    ask.says("in their order up to the first answer 1?")
    ask.says(
        "any numbers in $[0,1]$, and the change is at one half. How long is the interval that # questions of "
        "a bisection leave open, and how long on average that of # labels",
        str(m),
        str(m),
    )
    ask.says("Each answer of part 2 is wrong with probability #, independently.", f"{g['wrong']:g}")
    ask.done()
    k = answer["needed"]
    tell.says("before each of the # rows or behind the last, $#$ places.", str(n), float(n + 1))
    tell.says(r"so $\lceil\log_2 #\rceil$ are needed, and bisection keeps to it: #, since $#$ is the first power of 2 "
              "that is no smaller.", str(n + 1), str(k), float(2**k))  # fmt: skip
    rows, low, high = [], 1, n + 1
    for row in asked:
        rows.append([str(low), str(high), str(row), str(int(position <= row))])
        low, high = (low, row) if position <= row else (row + 1, high)
    tell.table(*rows)
    tell.says("Then $a=b=#$, after # questions.", float(position), str(len(asked)))
    tell.says("the answer is 1 for the first time at row #, so # questions.", str(position), str(position))
    tell.says("halved # times, $#$. Random labels leave on average $#$.", str(m), 2.0**-m,
              (2 - 0.5**m) / (m + 1))  # fmt: skip
    tell.says("**Right:** $#$. One wrong", math.prod([1 - g["wrong"]] * len(asked)))
    tell.done()


def test_given_and_answers_are_plain_data():
    for topic in ("self-training", "label-propagation", "query-threshold"):
        for seed in SEEDS[:5]:
            json.dumps([drawn(topic, seed).given, drawn(topic, seed).answer])

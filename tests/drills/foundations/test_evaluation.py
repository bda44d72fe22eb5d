"""Drills on evaluation: answers recomputed in fractions from what is given, without the library."""

import json
import math
import re
from fractions import Fraction
from itertools import pairwise, product

import pytest

from notes_lib.display import sig
from tests.drills.arithmetic import CARRIED
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def parts(topic, seed):
    drill = drawn(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


@pytest.mark.equation("evaluation-type-i", "evaluation-type-ii", "evaluation-precision", "evaluation-recall")
@each_seed()
def test_confusion_metrics(seed):
    drill, g, answer = parts("confusion-metrics", seed)
    tp = g["ill_with_alarm"]
    fn, fp = g["ill"] - tp, g["alarms"] - tp
    tn = g["n"] - tp - fn - fp
    assert answer["matrix"] == [[tp, fn], [fp, tn]]
    assert min(tp, fn, fp, tn) > 0  # every rate is defined and none is trivial
    expected = {
        "accuracy": Fraction(tp + tn, g["n"]),
        "precision": Fraction(tp, g["alarms"]),
        "recall": Fraction(tp, g["ill"]),
        "specificity": Fraction(tn, g["n"] - g["ill"]),
        "type_i": Fraction(fp, g["n"] - g["ill"]),
        "type_ii": Fraction(fn, g["ill"]),
    }
    expected["f1"] = 2 / (1 / expected["precision"] + 1 / expected["recall"])
    for name, value in expected.items():
        assert answer[name] == pytest.approx(float(value), rel=1e-12), name
        assert f"= {sig(float(value))}$" in drill.solution, name
    assert answer["cost"] == g["cost_miss"] * fn + g["cost_alarm"] * fp
    assert answer["cost_never"] == g["cost_miss"] * g["ill"]
    cheaper = {-1: "the test", 0: "neither", 1: "never raising an alarm"}
    sign = (answer["cost"] > answer["cost_never"]) - (answer["cost"] < answer["cost_never"])
    assert answer["cheaper"] == cheaper[sign]
    assert f"= {answer['cost']}$" in drill.solution
    assert f"Cheaper: {answer['cheaper']}." in drill.solution
    assert g["n"] <= 250


@pytest.mark.equation("evaluation-roc", "evaluation-auc-pairs", "evaluation-auc-area")
@each_seed()
def test_roc_auc(seed):
    drill, g, answer = parts("roc-auc", seed)
    pairs = list(zip(g["labels"], g["scores"], strict=True))
    positive, negative = ([s for label, s in pairs if label == k] for k in (1, 0))
    steps = [10**6, *sorted(set(g["scores"]), reverse=True)]
    points = [
        (Fraction(sum(s >= t for s in negative), len(negative)), Fraction(sum(s >= t for s in positive), len(positive)))
        for t in steps
    ]
    assert answer["points"] == [[float(x), float(y)] for x, y in points]
    area = sum((x1 - x0) * (y0 + y1) / 2 for (x0, y0), (x1, y1) in pairwise(points))
    wins = sum(Fraction((p > q) * 2 + (p == q), 2) for p, q in product(positive, negative))
    assert area == wins / (len(positive) * len(negative))
    assert answer["auc"] == pytest.approx(float(area), rel=1e-12)
    assert (answer["wins"], answer["pairs"]) == (float(wins), len(positive) * len(negative))
    assert sum(p == q for p, q in product(positive, negative)) == 1  # the tie that the exercise is about
    right = [sum((s >= t) == bool(label) for label, s in pairs) for t in steps]
    assert answer["right"] == max(right)
    best = steps[right.index(max(right))]
    assert answer["threshold"] == (None if best == 10**6 else best)
    assert f"= {sig(float(area))}$" in drill.solution
    doubled = re.search(r"\\frac\{(.*?)\}\{2 \\cdot", drill.solution).group(1)
    assert sum(int(w) * int(h) for w, h in re.findall(r"(\d+) \\cdot (\d+)", doubled)) == area * 2 * answer["pairs"]
    assert f"= {answer['right']} of {len(pairs)} right." in drill.solution
    assert len(pairs) <= 8
    assert max(g["scores"]) <= 10


@pytest.mark.equation("evaluation-kappa")
@each_seed()
def test_kappa(seed):
    drill, g, answer = parts("kappa", seed)
    C = g["table"]
    n = sum(map(sum, C))
    p_o = Fraction(sum(C[k][k] for k in range(len(C))), n)
    p_e = sum(Fraction(sum(C[k]), n) * Fraction(sum(row[k] for row in C), n) for k in range(len(C)))
    expected = (p_o - p_e) / (1 - p_e)
    for name, value in {"p_o": p_o, "p_e": p_e, "kappa": expected}.items():
        assert answer[name] == pytest.approx(float(value), rel=1e-11), name
        assert sig(float(value)) in drill.solution, name
    assert n <= 50
    assert len(C) in (2, 3)


def test_cases_vary():
    assert {sum(drawn("log-loss", seed).given["y"]) for seed in range(20)} == {1, 2, 3, 4}
    assert {sig(drawn("log-loss", seed).answer["constant"]) for seed in range(20)} == {"0.16", "0.24"}
    assert {drawn("log-loss", seed).answer["alarms"] for seed in range(60)} == {2, 3, 4, 5}
    assert {len(drawn("kappa", seed).given["table"]) for seed in range(20)} == {2, 3}
    assert {drawn("roc-auc", seed).answer["pairs"] for seed in range(60)} == {9, 12, 16}


@each_seed()
def test_every_number_of_a_confusion_matrix(seed):
    drill = drawn("confusion-metrics", seed)
    n, ill, called, tp, miss, alarm = (
        drill.given[key] for key in ("n", "ill", "alarms", "ill_with_alarm", "cost_miss", "cost_alarm")
    )
    well, fn, fp = n - ill, ill - tp, called - tp
    tn = well - fp
    ask, tell = pages(drill)
    ask.says("A test is tried on # people, # of them ill. It raises an alarm for #, of whom # are", n, ill, called, tp)
    ask.says("A miss costs #, a false alarm #. What", miss, alarm)
    ask.table(["ill", None, None, ill], ["healthy", None, None, well], ["sum", called, None, n])
    ask.done()
    tell.table(
        ["ill", ("TP = #", tp), ("FN = #", fn), ill],
        ["healthy", ("FP = #", fp), ("TN = #", tn), well],
        ["sum", called, fn + tn, n],
    )
    tell.says("**Accuracy** (1 mark): $#$.", (tp + tn) / n)
    tell.says("**Precision** (1 mark), of the alarms: $#$.", tp / called)
    tell.says("**Recall** (1 mark), of the ill: $#$.", tp / ill)
    tell.says("**Specificity** (1 mark), of the healthy: $#$.", tn / well)
    tell.says("alarms among the healthy: $#$, one", fp / well)
    tell.says("misses among the ill: $#$, one", fn / ill)
    tell.says("- **$F_1$** (1 mark): $#$.", tp / (tp + (fn + fp) / 2))
    tell.says("the test costs $#$; without alarms all # ill are missed, $#$. Cheaper: #.", miss * fn + alarm * fp, ill,
              miss * ill, drill.answer["cheaper"])  # fmt: skip
    tell.done()


@each_seed()
def test_every_number_of_a_roc_curve(seed):
    drill = drawn("roc-auc", seed)
    labels, scores = drill.given["labels"], drill.given["scores"]
    positive = [s for s, y in zip(scores, labels, strict=True) if y]
    negative = [s for s, y in zip(scores, labels, strict=True) if not y]
    P, N = len(positive), len(negative)
    count = lambda t: (sum(s >= t for s in positive), sum(s >= t for s in negative))
    thresholds = sorted(set(scores), reverse=True)
    sweep = [(math.inf, 0, 0), *((t, *count(t)) for t in thresholds)]
    wins = [sum(p > q for q in negative) + sum(p == q for q in negative) / 2 for p in sorted(positive, reverse=True)]
    auc = sum(wins) / (P * N)
    ask, tell = pages(drill, {r"\mathrm{AUC}": auc})
    ask.says("label 1 is positive")
    assert f"| instance | {' | '.join(map(str, range(1, len(labels) + 1)))} |" in drill.statement
    ask.table(["label", *labels], ["score", *scores])
    ask.says("starting at $(0, 0)$ (4")
    ask.table([r"$\infty$", 0, 0, 0, 0], *([None] * 5 for _ in thresholds))
    ask.says(r"positive if score $\geq t$")
    ask.done()
    tied = next(s for s in positive if s in negative)
    tell.says("at # the curve goes up and to the right in one step", tied)
    tell.table(*([t if t < math.inf else r"$\infty$", a, b, (f"$#/{P}$", a), (f"$#/{N}$", b)] for t, a, b in sweep))
    tell.says(
        rf"a step of width $a/{N}$ between the heights $h/{P}$ and $h'/{P}$ adds $a (h + h') / (2 \cdot {P * N})$:"
    )
    steps = [(b2 - b, a + a2) for (_, a, b), (_, a2, b2) in pairwise(sweep) if b2 > b]
    terms = " + ".join(r"# \cdot #" for _ in steps)
    tell.says(rf"$\mathrm{{AUC}} = \frac{{{terms}}}{{2 \cdot #}} = #$.", *(v for s in steps for v in s), P * N, auc)
    tell.says(r"There are $# \cdot # = #$ pairs; a positive instance wins 1 against", P, N, P * N)
    tell.says(r"and $\tfrac12$ against an equal one")
    tell.says(f"down: ${' + '.join('#' for _ in wins)} = #$, so", *wins, sum(wins))
    t, a, b = max(sweep, key=lambda row: (row[1] + N - row[2], row[0]))
    rule = "no instance is positive" if t == math.inf else f"$t = {t}$"
    tell.says("the answer): #, with # + # = # of # right.", rule, a, N - b, a + N - b, P + N)
    tell.done()


@each_seed()
def test_every_number_of_a_kappa(seed):
    drill = drawn("kappa", seed)
    C = drill.given["table"]
    rows, columns = [sum(row) for row in C], [sum(column) for column in zip(*C, strict=True)]
    n, names = sum(rows), "ABC"[: len(C)]
    p_o = sum(C[k][k] for k in range(len(C))) / n
    p_e = sum(r * c for r, c in zip(rows, columns, strict=True)) / n**2
    ask, tell = pages(drill, {"p_o": p_o, "p_e": p_e, r"\kappa": (p_o - p_e) / (1 - p_e)}, CARRIED)
    ask.says(f"Two raters sort # texts into the classes {', '.join(names)}:", n)
    ask.table(*([name, *row, None] for name, row in zip(names, C, strict=True)))
    ask.done()
    tell.table(*([name, *row, s] for name, row, s in zip(names, C, rows, strict=True)), ["sum", *columns, n])
    diagonal = " + ".join("#" for _ in C)
    tell.says(f"$p_o = ({diagonal}) / # = #$.", *(C[k][k] for k in range(len(C))), n, p_o)
    products = " + ".join(r"# \cdot #" for _ in C)
    factors = [v for pair in zip(rows, columns, strict=True) for v in pair]
    tell.says(f"$p_e = ({products}) / #^2 = #$.", *factors, n, p_e)
    tell.says(r"{1 - p_e} = \frac{# - #}{1 - #}$. Both parts times $#^2 = #$:", p_o, p_e, p_e, n, n**2)
    sums = sum(r * c for r, c in zip(rows, columns, strict=True))
    tell.says(r"$\kappa = \frac{# \cdot # - #}{# - #} = #$.", n, n * p_o, sums, n**2, sums, (p_o - p_e) / (1 - p_e))
    tell.done()


@pytest.mark.equation("evaluation-log-loss", "evaluation-brier", "evaluation-cost-threshold")
@each_seed()
def test_log_loss(seed):
    _, g, answer = parts("log-loss", seed)
    y, p = g["y"], [Fraction(round(10 * v), 10) for v in g["p"]]
    product = math.prod(q if label else 1 - q for label, q in zip(y, p, strict=True))
    assert answer["log_loss"] == pytest.approx(-math.log(product) / 5, rel=1e-12)
    assert answer["brier"] == pytest.approx(float(sum((q - label) ** 2 for label, q in zip(y, p, strict=True)) / 5))
    share = Fraction(sum(y), 5)
    assert answer["constant"] == pytest.approx(float(share - share**2), rel=1e-12)
    threshold = Fraction(g["cost_alarm"], g["cost_alarm"] + g["cost_miss"])
    assert answer["threshold"] == pytest.approx(float(threshold), rel=1e-12)
    assert threshold not in p
    gaps = [a - b for a, k in zip(p, y, strict=True) for b, m in zip(p, y, strict=True) if (k, m) == (1, 0)]
    assert 2 * sum(gap > 0 for gap in gaps) > len(gaps)  # more pairs in the right order than not
    pays = [q * g["cost_miss"] > (1 - q) * g["cost_alarm"] for q in p]
    assert answer["alarms"] == sum(pays)
    assert len(set(p)) == len(y) == 5


@each_seed()
def test_every_number_of_a_log_loss(seed):
    drill = drawn("log-loss", seed)
    y, p, miss, alarm = (drill.given[key] for key in ("y", "p", "cost_miss", "cost_alarm"))
    right = [q if label else 1 - q for label, q in zip(y, p, strict=True)]
    mean = sum(y) / 5
    ask, tell = pages(drill, {r"\bar y": mean})
    ask.table(["$y$", *y], ["$p$", *p])
    assert "| instance | 1 | 2 | 3 | 4 | 5 |" in drill.statement
    ask.says("A miss costs #, a false alarm #, a", miss, alarm)
    ask.done()
    tell.says("2 for the value): $p$ where $y = 1$, $1 - p$ where $y = 0$")
    tell.says(f", that is ${', '.join('#' for _ in p)}$, so", *right)
    logs = -sum(math.log(q) for q in right) / 5
    tell.says(r"so $# = -\frac{1}{5} \ln # = #$.", logs, math.prod(right), logs)
    brier = sum((1 - q) ** 2 for q in right) / 5
    tell.says(r"for the value): $# = \frac{#}{5} = #$.", brier, 5 * brier, brier)
    tell.says(r"the share is $\bar y = #$, and", mean)
    tell.says(r"variance of the labels, $\bar y (1 - \bar y) = #$.", mean * (1 - mean))
    threshold = alarm / (alarm + miss)
    tell.says(r"count): $t^\star = #$; # of the five reach it", threshold, sum(q > threshold for q in p))
    tell.done()

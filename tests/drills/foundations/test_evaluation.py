"""Drills on evaluation: answers recomputed in fractions from what is given, without the library."""

import json
import re
from fractions import Fraction
from itertools import pairwise, product

import pytest

from notes_lib.display import sig
from notes_lib.drills import draw

SEEDS = range(200)


def parts(topic, seed):
    drill = draw(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


@pytest.mark.equation("evaluation-type-i", "evaluation-type-ii", "evaluation-precision", "evaluation-recall")
@pytest.mark.parametrize("seed", SEEDS)
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
@pytest.mark.parametrize("seed", SEEDS)
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
@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.parametrize("topic", ["confusion-metrics", "roc-auc", "kappa"])
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 45


def test_cases_vary():
    assert {len(draw("kappa", seed).given["table"]) for seed in range(20)} == {2, 3}
    assert {draw("roc-auc", seed).answer["pairs"] for seed in range(60)} == {9, 12, 16}

"""Drills on loss and risk: answers recomputed in fractions from what is given, without the library."""

import itertools
import json
from fractions import Fraction

import pytest

from notes_lib.display import sig
from notes_lib.drills import draw

SEEDS = range(200)


def parts(topic, seed):
    drill = draw(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


@pytest.mark.equation("risk-huber", "risk-huber-gradient")
@pytest.mark.parametrize("seed", SEEDS)
def test_huber_loss(seed):
    drill, g, answer = parts("huber-loss", seed)
    delta = g["delta"]
    r = [y - g["mu"] for y in g["y"]]
    huber = [Fraction(v * v, 2) if abs(v) <= delta else delta * (abs(v) - Fraction(delta, 2)) for v in r]
    slopes = [v if abs(v) <= delta else (delta if v > 0 else -delta) for v in r]
    assert answer["residuals"] == r
    assert answer["huber"] == [float(h) for h in huber]
    assert answer["gradient"] == slopes
    assert answer["mean"] == pytest.approx(float(sum(huber) / len(r)), rel=1e-12)
    total = lambda mu: sum(  # along a straight piece of the sum of the losses
        Fraction((y - mu) ** 2) / 2 if abs(y - mu) <= delta else delta * (abs(y - mu) - Fraction(delta, 2))
        for y in g["y"]
    )
    step = Fraction(1, 10**6)
    slope = (total(g["mu"] + step) - total(g["mu"] - step)) / (2 * step)
    assert answer["derivative"] == pytest.approx(float(slope), abs=1e-5)
    assert answer["way"] == ("up" if total(g["mu"] + step) < total(g["mu"]) else "down")
    a, c = answer["a"], answer["c"]
    assert delta**2 == a * delta + c  # one value
    assert 2 * delta == a  # one slope
    assert answer["value_at_delta"] == delta**2 / 2
    assert any(abs(v) > delta for v in r)
    assert any(abs(v) <= delta for v in r)
    exact = drill.solution.split("**Mean**")[1].split("$")[1].split(" = ")[1]
    assert Fraction(exact) == sum(huber) / len(r)  # all digits
    assert f"= {sig(answer['derivative'])}$" in drill.solution
    assert f"**{answer['way']}**" in drill.solution


@pytest.mark.equation("risk-posterior", "risk-conditional", "risk-bayes-classifier", "risk-bayes", "risk-threshold")
@pytest.mark.parametrize("seed", SEEDS)
def test_bayes_risk(seed):
    drill, g, answer = parts("bayes-risk", seed)
    prior = [Fraction(round(10 * p), 10) for p in g["prior"]]
    rows = [[Fraction(round(10 * p), 10) for p in row] for row in g["likelihood"]]
    joint = [[prior[k] * rows[k][x] for k in (0, 1)] for x in range(3)]
    assert answer["evidence"] == pytest.approx([float(sum(j)) for j in joint], rel=1e-12)
    assert answer["ill"] == pytest.approx([float(j[1] / sum(j)) for j in joint], rel=1e-12)
    for cost, rule, risk in (([[0, 1], [1, 0]], "rule", "risk"), (g["cost"], "rule_cost", "risk_cost")):
        risks = {
            guess: sum(joint[x][k] * cost[k][guess[x]] for x in range(3) for k in (0, 1))
            for guess in itertools.product((0, 1), repeat=3)
        }
        best = min(risks.values())
        assert [list(guess) for guess, value in risks.items() if value == best] == [answer[rule]]  # no tie
        assert answer[risk] == pytest.approx(float(best), rel=1e-12)
        assert f"= {sig(float(best))}$" in drill.solution
    assert answer["rule"] != answer["rule_cost"]
    miss = g["cost"][1][0]
    assert answer["threshold"] == pytest.approx(1 / (1 + miss), rel=1e-15)
    assert [int(p > answer["threshold"]) for p in answer["ill"]] == answer["rule_cost"]


@pytest.mark.parametrize("topic", ["huber-loss", "bayes-risk"])
def test_seeds_repeat_and_differ(topic):
    assert all(draw(topic, seed) == draw(topic, seed) for seed in range(20))
    assert len({draw(topic, seed).statement for seed in range(50)}) > 45

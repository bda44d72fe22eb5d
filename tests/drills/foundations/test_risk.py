"""Drills on loss and risk: answers recomputed in fractions from what is given, without the library."""

import itertools
import json
from fractions import Fraction

import pytest

from notes_lib.display import sig
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def parts(topic, seed):
    drill = drawn(topic, seed)
    return drill, json.loads(json.dumps(drill.given)), json.loads(json.dumps(drill.answer))


@pytest.mark.equation("risk-huber", "risk-huber-gradient")
@each_seed()
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
    assert answer["slope_at_delta"] == delta
    assert any(abs(v) > delta for v in r)
    assert any(abs(v) <= delta for v in r)
    exact = drill.solution.split("**Mean**")[1].split("$")[1].split(" = ")[1]
    assert Fraction(exact) == sum(huber) / len(r)  # all digits
    assert f"= {sig(answer['derivative'])}$" in drill.solution
    assert f"**{answer['way']}**" in drill.solution


@pytest.mark.equation("risk-hinge", "risk-margin-squared", "risk-geometric-margin", "risk-standard-error")
@each_seed()
def test_margin_losses(seed):
    _, g, answer = parts("margin-losses", seed)
    (u, v), b = g["w"], g["b"]
    f = [u * p + v * q + b for p, q in g["X"]]
    m = [c * s for c, s in zip(g["y"], f, strict=True)]
    hinge = [max(0, 1 - v) for v in m]
    assert u * u + v * v == 25
    assert answer["score"] == f
    assert answer["margin"] == m
    assert answer["geometric"] == pytest.approx([v / 5 for v in m], rel=1e-15)
    assert answer["hinge"] == hinge
    assert answer["squared"] == [(c - s) ** 2 for c, s in zip(g["y"], f, strict=True)]  # the residual of the label
    assert answer["errors"] == sum(s == 0 or (s > 0) != (c > 0) for c, s in zip(g["y"], f, strict=True)) / 4
    assert answer["mean"] == sum(hinge) / 4
    pairs = sum((p - q) ** 2 for p, q in itertools.combinations(hinge, 2))  # N times the sum of squared deviations
    assert answer["error"] ** 2 == pytest.approx(pairs / 4 / 12, rel=1e-12)
    assert answer["doubled"] == sum(max(0, 1 - 2 * v) for v in m) / 4
    assert answer["become"] == "stay"
    assert 0 < answer["errors"] < 0.75
    assert max(m) > 1
    assert set(g["y"]) == {-1, 1}


@pytest.mark.equation("risk-posterior", "risk-conditional", "risk-bayes-classifier", "risk-bayes", "risk-threshold")
@each_seed()
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
    shares = [[sum(j[k] * g["cost"][k][guess] for k in (0, 1)) / sum(j) for guess in (0, 1)] for j in joint]
    assert answer["conditional_risk"] == [pytest.approx([float(v) for v in row], rel=1e-12) for row in shares]
    assert answer["rule"] != answer["rule_cost"]
    miss = g["cost"][1][0]
    assert answer["threshold"] == pytest.approx(1 / (1 + miss), rel=1e-15)
    assert [int(p > answer["threshold"]) for p in answer["ill"]] == answer["rule_cost"]


@each_seed()
def test_every_number_of_a_huber_loss(seed):
    drill = drawn("huber-loss", seed)
    y, mu, delta = (drill.given[key] for key in ("y", "mu", "delta"))
    r = [v - mu for v in y]
    huber = [v * v / 2 if abs(v) <= delta else delta * (abs(v) - delta / 2) for v in r]
    slope = [max(-delta, min(delta, v)) for v in r]
    symbols = {r"\mu": mu, r"\delta": delta, "a": 2 * delta, "c": -(delta**2)}
    ask, tell = pages(drill, symbols)
    ask.says(f"Targets ${', '.join('#' for _ in y)}$ are", *y)
    ask.says(r"A book writes $r^2$ for $|r| \leq \delta$, without the $\tfrac12$, and $a |r| + c$ beyond.")
    ask.table(*([v, *[None] * 5] for v in y))
    ask.says(r"residual $r_n = y_n - \mu$, both")
    ask.says(r"both branches at $r = \delta$?")
    ask.done()
    tell.says(r"$\tfrac12 r^2$ where $|r| \leq #$, else $#\,(|r| - #)$;", delta, delta, delta / 2)
    tell.says(r"is $r$ cut off at $\pm #$.", delta)
    tell.table(*([v, e, e * e / 2, abs(e), H, s] for v, e, H, s in zip(y, r, huber, slope, strict=True)))
    tell.says("**Mean** (1 mark): $# / # = #$.", sum(huber), len(y), sum(huber) / len(y))
    terms = " + ".join("#" for _ in y)
    tell.says(rf"$\partial r_n / \partial \mu = -1$, so $-\big( {terms} \big) = #$.", *slope, -sum(slope))
    tell.says("$\\mu$ goes **#** (1", drill.answer["way"])
    half = delta * delta / 2
    tell.says(r"$\tfrac12 \cdot #^2 = #$ and $#$; slopes $r = #$ and", delta, half, half, delta)
    tell.done()


@each_seed()
def test_every_number_of_margin_losses(seed):
    drill = drawn("margin-losses", seed)
    w, b, X, y = (drill.given[key] for key in ("w", "b", "X", "y"))
    f = [w[0] * p + w[1] * q + b for p, q in X]
    m = [c * s for c, s in zip(y, f, strict=True)]
    hinge, twice = [max(0, 1 - v) for v in m], [max(0, 1 - 2 * v) for v in m]
    errors, mean = sum(v <= 0 for v in m), sum(hinge) / 4
    squares = sum((v - mean) ** 2 for v in hinge)
    ask, tell = pages(drill)
    ask.says(
        r"$f(\mathbf{x}) = \mathbf{w}^\top \mathbf{x} + b$ has $\mathbf{w} = (#, #)$ and $b = #$. A margin of 0 counts",
        *w,
        b,
    )
    ask.table(*([*x, c, *[None] * 5] for x, c in zip(X, y, strict=True)))
    ask.done()
    tell.says(r"$\lVert \mathbf{w} \rVert = \sqrt{(#)^2 + (#)^2} = 5$. In the first", *w)
    row = r"row $(#) \cdot (#) + (#) \cdot (#) + (#) = #$, then $(#) \cdot (#) = #$ and $# / 5 = #$."
    tell.says(row, w[0], X[0][0], w[1], X[0][1], b, f[0], y[0], f[0], m[0], m[0], m[0] / 5)
    tell.says(r"$\max(0, 1 - m)$ and $(1 - m)^2$.")
    tell.table(
        *(
            [*x, c, s, v, v / 5, h, (1 - v) ** 2]
            for x, c, s, v, h in zip(X, y, f, m, hinge, strict=True)
        )
    )  # fmt: skip
    tell.says("$# / 4 = #$ errors and a mean hinge loss of $# / 4 = #$.", errors, errors / 4, sum(hinge), mean)
    off = " + ".join("(# - #)^2" for _ in hinge)
    places = [value for v in hinge for value in (v, mean)]
    tell.says(rf"deviations: ${off} = #$; over $4 \cdot 3$, and the root:", *places, squares)
    tell.says(r"$\sqrt{# / 12} = #$.", squares, (squares / 12) ** 0.5)
    tell.says("become $#, #, #, #$, in the mean $# / 4 = #$.", *twice, sum(twice), sum(twice) / 4)
    tell.says("the decisions **#**;", drill.answer["become"])
    tell.done()


@each_seed()
def test_every_number_of_a_bayes_risk(seed):
    drill = drawn("bayes-risk", seed)
    prior, likelihood, cost = (drill.given[key] for key in ("prior", "likelihood", "cost"))
    miss, values = cost[1][0], ["none", "weak", "strong"]
    joint = [[w * v for v in row] for w, row in zip(prior, likelihood, strict=True)]
    evidence = [a + b for a, b in zip(*joint, strict=True)]
    ill = [b / e for b, e in zip(joint[1], evidence, strict=True)]
    name = lambda risks: "healthy" if risks[0] < risks[1] else "ill"
    risks = [(miss * p, 1 - p) for p in ill]
    least, priced = ([min(pair) for pair in zip(joint[0], scaled, strict=True)]
                     for scaled in (joint[1], [miss * v for v in joint[1]]))  # fmt: skip
    ask, tell = pages(drill)
    ask.says("A share $#$ of the patients is ill", prior[1])
    ask.table(["healthy", *likelihood[0]], ["ill", *likelihood[1]])
    ask.says("Missing an ill patient costs #, a false alarm #. State", miss, cost[0][1])
    ask.table(*([v, *[None] * 5] for v in values))
    ask.done()
    hundredths = [[100 * v for v in row] for row in joint]
    tell.says("healthy $#, #, #$ and ill $#, #, #$.", *hundredths[0], *hundredths[1])
    tell.table(
        *(
            [v, e, p, name((p, 1 - p)), ("$#$ / $#$", *pair), name(pair)]
            for v, e, p, pair in zip(values, evidence, ill, risks, strict=True)
        )
    )
    tell.says("is lost, $(# + # + #) / 100 = #$.", *(100 * v for v in least), sum(least))
    tell.says(r"*healthy* costs $#\, p(\text{ill} \mid x)$, *ill*", miss)
    tell.says("summed: $(# + # + #) / 100 = #$.", *(100 * v for v in priced), sum(priced))
    tell.says("**Threshold** (1 mark): $#$.", 1 / (1 + miss))
    tell.done()

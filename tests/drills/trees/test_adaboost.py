"""Drills on AdaBoost: worked again in fractions, by trying every stump, and by counting rounds one by one."""

import math
from fractions import Fraction

import pytest

from tests.drills.arithmetic import CARRIED
from tests.drills.exact import load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def work_rounds(given):
    """Weights, errors of all stumps, the best one, its error and answers, three times."""
    x, y = given["x"], given["y"]
    w, rounds = [Fraction(1, len(x))] * len(x), []
    for _ in range(3):
        table = {}
        for a, b, before, after in zip(x, x[1:], y, y[1:], strict=False):
            if before != after:
                for side in (1, -1):
                    h = [side if v < Fraction(a + b, 2) else -side for v in x]
                    table[Fraction(a + b, 2), side] = (sum(v for v, p, t in zip(w, h, y, strict=True) if p != t), h)
        errors = sorted(e for e, _ in table.values())
        assert errors[0] < errors[1]
        (cut, side), (e, h) = min(table.items(), key=lambda item: item[1][0])
        rounds.append((w, {key: value for key, (value, _) in table.items()}, cut, side, e, h))
        odds = (1 - e) / e  # raise the mistakes only, then divide by the sum
        raised = [v * odds if p != t else v for v, p, t in zip(w, h, y, strict=True)]
        w = [v / sum(raised) for v in raised]
        assert sum(v for v, p, t in zip(w, h, y, strict=True) if p != t) == Fraction(1, 2)
    return rounds


def vote(e):
    return math.log((1 - e) / e) / 2


@pytest.mark.equation("adaboost-error", "adaboost-alpha", "adaboost-mistakes", "adaboost-half")
@each_seed()
def test_rounds(seed):
    _, g, answer = load("adaboost-rounds", seed)
    rounds = work_rounds(g)
    for k, (w, _, cut, side, e, _) in enumerate(rounds):
        assert answer["cuts"][k] == float(cut)
        assert answer["sides"][k] == f"{side:+d}"
        assert near(answer["errors"][k], e)
        assert answer["alphas"][k] == pytest.approx(vote(e), abs=1e-8)
        if k:
            assert all(near(a, b) for a, b in zip(answer["weights"][k - 1], w, strict=True))
    score = [sum(vote(e) * h[i] for *_, e, h in rounds) for i in range(len(g["x"]))]
    assert answer["score"] == pytest.approx(score[g["x"].index(g["query"])], abs=1e-8)
    assert answer["mistakes"] == sum(s * t < 0 for s, t in zip(score, g["y"], strict=True))


def work_bound(given):
    """Factors, their product, the factor of one weight, and the first round with a bound below one mistake."""
    rates = [Fraction(e).limit_denominator(100) for e in given["errors"]]
    factors = [2 * math.sqrt(e * (1 - e)) for e in rates]
    weight = Fraction(1)
    for t, e in enumerate(rates, 1):
        weight *= Fraction(1, 2) / (e if t in given["wrong"] else 1 - e)
    z, bound, rounds = 2 * math.sqrt(given["worst"] * (1 - given["worst"])), 1.0, 0
    while bound * given["n"] >= 1:
        bound, rounds = bound * z, rounds + 1
    return rates, factors, math.prod(factors), weight, z, rounds


@pytest.mark.equation("adaboost-bound", "adaboost-half")
@each_seed()
def test_bound(seed):
    _, g, answer = load("adaboost-bound", seed)
    _, factors, bound, weight, _, rounds = work_bound(g)
    assert answer["factors"] == pytest.approx(factors, abs=1e-8)
    assert answer["bound"] == pytest.approx(bound, abs=1e-8)
    assert answer["mistakes"] == math.floor(g["n"] * bound)
    assert near(answer["weight"], weight)
    assert answer["rounds"] == rounds


def test_several_counts_of_mistakes_and_of_wrong_rounds_occur():
    assert {drawn("adaboost-rounds", s).answer["mistakes"] for s in SEEDS} >= {0, 1, 2}
    assert {len(drawn("adaboost-bound", s).given["wrong"]) for s in SEEDS} == {1, 2, 3}


@each_seed()
def test_every_number_of_the_rounds(seed):
    drill = drawn("adaboost-rounds", seed)
    g = drill.given
    rounds = work_rounds(g)
    symbols = {f"\\varepsilon_{k}": float(r[4]) for k, r in enumerate(rounds, 1)}
    ask, tell = pages(drill, symbols, CARRIED)
    points = [v for pair in zip(g["x"], g["y"], strict=True) for v in pair]
    ask.says(f"labels $y$ in brackets: {', '.join(['$#$ ($#$)'] * len(g['x']))}.", *points)
    for k in (1, 2, 3):
        ask.says(f"{k}. Round {k}: ")
    ask.says("the weighted error $\\varepsilon_1$ and the vote $\\alpha_1=#$", vote(rounds[0][4]))
    ask.says("then the same as in round 1")
    ask.says("the weighted vote $F(#)$", g["query"])
    ask.done()
    for k, (w, errors, cut, side, e, _) in enumerate(rounds, 1):
        if k == 1:
            tell.says("**Round 1.** Each weight is $#$.", float(w[0]))
        else:
            old = rounds[k - 2][4]
            tell.says(f"**Round {k}.** Right points: weight divided by $#=#$; mistakes: by $#=#$:",
                      *[float(2 * (1 - old))] * 2, *[float(2 * old)] * 2)  # fmt: skip
            tell.table([float(v) for v in w])
        cuts = sorted({c for c, _ in errors})
        tell.table(*([float(c), float(errors[c, 1]), float(errors[c, -1])] for c in cuts))
        tell.says(f"Best: $#$ on the left of $#$, $\\varepsilon_{k}=#$, $\\alpha_{k}=#\\approx#$.",
                  side, float(cut), float(e), vote(e), vote(e))  # fmt: skip
    score = [sum(vote(e) * h[i] for *_, e, h in rounds) for i in range(len(g["x"]))]
    tell.says(r"**Vote:** $F(#)=#\approx#$.", g["query"], *[score[g["x"].index(g["query"])]] * 2)
    tell.says(
        f"order, $F$ is {', '.join(['$#$'] * len(score))}. Wrong signs: #.", *score, str(drill.answer["mistakes"])
    )
    heads = [" | ".join(f"$x={v}$" for v in g["x"])]
    assert drill.solution.count(heads[0]) == 2
    tell.done()


@each_seed()
def test_every_number_of_the_bound(seed):
    drill = drawn("adaboost-bound", seed)
    g = drill.given
    rates, factors, bound, weight, z, rounds = work_bound(g)
    ask, tell = pages(drill, {}, CARRIED)
    errors = [float(e) for e in rates]
    listed = ", ".join(f"$\\varepsilon_{k}=#$" for k in range(1, 5))
    ask.says(f"on $N=#$ points had the weighted errors {listed}, and", g["n"], *errors)
    wrong = [str(k) for k in g["wrong"]]
    told = " and ".join([", ".join(wrong[:-1]), wrong[-1]]) if len(wrong) > 1 else wrong[0]
    ask.says("wrong in exactly these rounds: #. By", told)
    ask.says("when it was $1/N$?")
    ask.says("weighted error of at most $#$.", g["worst"])
    ask.done()
    pairs = [f for f in factors for _ in range(2)]
    tell.says(r"**Factors** $2\sqrt{\varepsilon_t(1-\varepsilon_t)}$: " + "; ".join([r"$#\approx#$"] * 4) + ".", *pairs)
    tell.says(r"Bound: $#\approx#$.", bound, bound)
    tell.says(r"at most $#\approx#$, so at most #.", g["n"] * bound, g["n"] * bound, str(drill.answer["mistakes"]))
    tell.says(r"divides it by $2\varepsilon_t$, a right answer by $2(1-\varepsilon_t)$: the factor is $#=#\approx#$.",
              *[float(weight)] * 3)  # fmt: skip
    needed = -math.log(g["n"]) / math.log(z)
    tell.says(r"at most $z^T$ with $z=#\approx#$, and a single mistake is a training error of $1/#$.", z, z, g["n"])
    tell.says(r"exceed $#\approx#$: # rounds.", needed, needed, str(rounds))
    tell.done()

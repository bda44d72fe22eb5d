"""The drill on random projections: worked again with the exact constant, by counting pairs, and by searching."""

import math
from fractions import Fraction
from itertools import combinations

import pytest

from tests.drills.exact import exact, load
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def constant(eps):
    """(3 eps^2 - 2 eps^3) / 6."""
    e = exact(eps)
    return e * e * (3 - 2 * e) / 6


@pytest.mark.equation("random-projection-tail", "random-projection-union", "random-projection-dimension")
@pytest.mark.equation("random-projection-confident", "random-projection-spread")
@each_seed()
def test_answer(seed):
    _, g, answer = load("jl-dimension", seed)
    n, k, c = g["n"], g["components"], float(constant(g["eps"]))
    assert math.log(answer["one"] / 2) == pytest.approx(-c * k / 2, rel=1e-6)
    assert answer["pairs"] == sum(1 for _ in combinations(range(n), 2))
    assert answer["union"] == pytest.approx(answer["pairs"] * answer["one"], rel=1e-6)
    assert c * answer["exists"] >= 4 * math.log(n) > c * (answer["exists"] - 1)
    for components, enough in [(answer["sure"], True), (answer["sure"] - 1, False)]:
        assert (n * (n - 1) * math.exp(-components * c / 2) <= g["delta"]) is enough
    assert answer["grows"] == {"points": "doubles", "features": "stays"}[g["more"]]
    assert answer["spread"] ** 2 * k == pytest.approx(2, rel=1e-6)


def test_both_answers_of_each_question_occur():
    drills = [drawn("jl-dimension", s) for s in range(30)]
    assert {d.answer["grows"] for d in drills} == {"doubles", "stays"}
    assert {d.answer["union"] < 1 for d in drills} == {True, False}
    assert len({d.given["n"] for d in drills}) > 4


@each_seed()
def test_every_number(seed):
    drill = drawn("jl-dimension", seed)
    g, answer = drill.given, drill.answer
    n, k, eps, c = g["n"], g["components"], f"{g['eps']:g}", constant(g["eps"])
    ask, tell = pages(drill)
    ask.says(r"A cloud of $n=#$ points is projected by a Gaussian matrix to $k=#$ components.", str(n), str(k))
    ask.says(r"changes by a share of $\varepsilon=#$ or more", eps)
    ask.says(r"with $\tfrac{\varepsilon^2}{2}-\tfrac{\varepsilon^3}{3}$ (3")
    ask.says(r"$4\ln n/(\tfrac{\varepsilon^2}{2}-\tfrac{\varepsilon^3}{3})$")
    ask.says(r"is at most $\delta=#$ (3", f"{g['delta']:g}")
    if g["more"] == "points":
        ask.says("as many as $n^2$: what")
    ask.says("to the dimension of part 3? (1")
    ask.says("with the $k=#$ components (2", str(k))
    ask.done()
    power = float(c * k / 2)
    tell.says(r"**One pair:** $#=#$, so the exponent is $#=#$.", *[float(c)] * 2, *[power] * 2)
    tell.says(r"Both tails together: $#\approx#$.", *[2 * math.exp(-power)] * 2)
    tell.says(r"**All pairs:** $#=#$ pairs.", *[answer["pairs"]] * 2)
    tell.says(r"add up to at most $#\approx#$", *[answer["pairs"] * 2 * math.exp(-power)] * 2)
    tell.says(r"**Components:** $#\approx#$, so #.", *[4 * math.log(n) / float(c)] * 2, answer["exists"])
    tell.says("the union bound falls to $#$ at", g["delta"])
    sure = 2 * (math.log(n) + math.log(n - 1) - math.log(g["delta"])) / float(c)
    tell.says(r"at $#\approx#$, so #.", *[sure] * 2, answer["sure"])
    if g["more"] == "points":
        tell.says(r"$\ln(n^2)$ is twice $\ln n$")
    tell.says(r"with $#$ degrees of freedom, divided by $#$: its variance is $#=#$, its standard deviation $#\approx#$",
              k, k, *[2 / k] * 2, *[math.sqrt(2 / k)] * 2)  # fmt: skip
    tell.done()


def test_the_constant_of_the_bound():
    assert constant(0.5) == Fraction(1, 12)
    assert constant(0.3) == Fraction(9, 250)
    assert len(SEEDS) > 0

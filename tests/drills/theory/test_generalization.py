"""Drills on generalisation: worked again by enumeration, trial and logarithms, not by the library."""

import math
import re
from fractions import Fraction
from itertools import combinations, product

import pytest

from tests.drills.seeds import drawn, each_seed


def smallest(holds):
    """The first whole number from 1 on for which a statement holds that stays true."""
    n = 1
    while not holds(n):
        n += 1
    return n


@pytest.mark.equation("generalization-hoeffding", "generalization-deviation")
@each_seed()
def test_hoeffding(seed):
    g, answer = drawn("hoeffding", seed).given, drawn("hoeffding", seed).answer
    epsilon, delta = Fraction(g["epsilon"]), float(Fraction(g["delta"]))

    def tail(n, deviation):
        return 2 * math.exp(-2 * n * deviation**2)

    assert answer["bound"] == pytest.approx(tail(g["n"], float(epsilon)), rel=1e-12)
    assert answer["needed"] == smallest(lambda n: tail(n, float(epsilon)) <= delta)
    assert g["many"] * tail(g["n"], answer["deviation"]) == pytest.approx(delta, rel=1e-9)
    wide = answer["wider"] * answer["deviation"] / g["width"]  # in units of the width it is the old one
    assert wide == pytest.approx(answer["deviation"], rel=1e-12)
    assert tail(g["n"] * answer["more"], answer["deviation"] / g["width"]) == pytest.approx(
        tail(g["n"], answer["deviation"]), rel=1e-9
    )


@pytest.mark.equation("generalization-realizable", "generalization-agnostic")
@each_seed()
def test_pac_sample_size(seed):
    g, answer = drawn("pac-sample-size", seed).given, drawn("pac-sample-size", seed).answer
    size, epsilon, delta = g["base"] ** g["k"], float(Fraction(g["epsilon"])), float(Fraction(g["delta"]))
    assert math.exp(answer["ln_size"]) == pytest.approx(size, rel=1e-9)
    assert answer["realizable"] == smallest(lambda n: size * math.exp(-epsilon * n) <= delta)
    assert answer["agnostic"] == smallest(lambda n: 2 * size * math.exp(-2 * n * epsilon**2) <= delta)
    assert math.exp(epsilon * answer["feature"]) == pytest.approx(g["base"], rel=1e-9)


@pytest.mark.equation("generalization-shatter", "generalization-growth")
@each_seed()
def test_vc_dimension(seed):
    g, answer = drawn("vc-dimension", seed).given, drawn("vc-dimension", seed).answer
    line, n = g["line"], len(g["line"])
    cuts = [min(line) - 1, *(x + 0.5 for x in line)]  # between the points, or beyond them
    if g["kind"] == "rays":
        found = {tuple(x > t for x in line) for t in cuts}
    else:
        found = {tuple(a < x < b for x in line) for a, b in product(cuts, cuts)}
    assert (answer["count"], answer["all"]) == (len(found), 2**n)
    most = {1: 1, 2: 2}[answer["dimension"]]
    assert answer["dimension"] == (1 if g["kind"] == "rays" else 2) == most
    points = g["plane"]
    corners = len(points) == 3 and not any(
        (q[0] - p[0]) * (r[1] - p[1]) == (q[1] - p[1]) * (r[0] - p[0]) for p, q, r in combinations(points, 3)
    )
    assert answer["shattered"] is corners
    assert answer["plane"] == 3


@pytest.mark.equation("generalization-sauer", "generalization-vc")
@each_seed()
def test_growth_function(seed):
    g, answer = drawn("growth-function", seed).given, drawn("growth-function", seed).answer
    n, d, size, delta = g["n"], g["d"], g["size"], float(Fraction(g["delta"]))
    assert answer["sauer"] == sum(1 for r in range(d + 1) for _ in combinations(range(n), r))
    assert answer["all"] == len(list(product((0, 1), repeat=n)))
    assert math.log(answer["power"]) == pytest.approx(d * (1 + math.log(n) - math.log(d)), rel=1e-12)
    assert answer["break"] == d + 1
    assert math.exp(answer["log_growth"] / d) == pytest.approx(2 * math.e * size / d, rel=1e-9)
    chance = 4 * math.exp(answer["log_growth"]) * math.exp(-size * answer["bound"] ** 2 / 8)
    assert chance == pytest.approx(delta, rel=1e-6)


# Where statements and solutions print epsilon and delta, as #; "1 - delta" is a probability of success.
PRINTED = {
    "hoeffding": {
        "epsilon": ["off by $#$ or more", r"\cdot#^2=", r"{2\cdot#^2}"],
        "delta": ["at most $#$, by the same", r"$\delta=#$", r"\ln(2/#)"],
    },
    "pac-sample-size": {
        "epsilon": [
            "a risk of at most $#$",
            "differ by at most $#$",
            r"\ln(1/DELTA)}{#}",
            r"{2\cdot#^2}",
            r"\ln BASE}{#}\approx",
        ],
        "delta": [r"at most $#$ if $n$", r"\ln(1/#)", r"\ln(2/#)"],
        "1 - delta": ["with probability $#$"],
    },
    "growth-function": {"delta": [r"$\delta=#$", r"\frac{4}{#}"]},
}


@pytest.mark.parametrize("topic", PRINTED)
@each_seed()
def test_statement_and_solution_speak_of_the_same_epsilon_and_delta(topic, seed):
    exercise = drawn(topic, seed)
    text = exercise.statement + exercise.solution
    for what, places in PRINTED[topic].items():
        value = Fraction(exercise.given[what.rpartition(" ")[2]])
        for place in places:
            pattern = re.escape(place).replace(r"\#", r"(0\.\d+)").replace("DELTA", r"0\.\d+").replace("BASE", r"\d")
            printed = [Fraction(number) for number in re.findall(pattern, text)]
            assert printed, f"{place!r} is nowhere in {text}"
            assert set(printed) == {1 - value if what.startswith("1") else value}, place

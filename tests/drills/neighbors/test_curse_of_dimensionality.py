"""Drills on the curse of dimensionality: worked again by slices, logarithms and enumeration, without the library."""

import math
from fractions import Fraction
from itertools import product

import pytest

from tests.drills.arithmetic import CARRIED
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

ALL = ["shell-volume", "cell-count", "distance-spread"]


def ball(d):
    """Factor and power of pi of the volume of the unit ball: k! in even dimensions, double factorials in odd ones."""
    k = d // 2
    if d % 2:
        return Fraction(2 ** (k + 1), math.prod(range(1, d + 1, 2))), k
    return Fraction(1, math.factorial(k)), k


@pytest.mark.equation("curse-of-dimensionality-volume", "curse-of-dimensionality-shell")
@each_seed()
def test_shell_volume(seed):
    g, answer = drawn("shell-volume", seed).given, drawn("shell-volume", seed).answer
    factor, power = ball(g["d"])
    assert answer["factor"] == pytest.approx(float(factor), rel=1e-12)
    volume = float(factor) * math.pi**power
    assert answer["volume"] == pytest.approx(volume, rel=1e-12)
    assert answer["cube"] == pytest.approx(volume / 2 ** g["d"], rel=1e-12)
    assert answer["shell"] == pytest.approx(float(1 - (1 - Fraction(g["thickness"])) ** g["d"]), rel=1e-12)
    assert answer["thickness"] == pytest.approx(1 - 0.5 ** (1 / g["far"]), rel=1 / g["far"])
    assert answer["thickness"] * g["far"] == pytest.approx(0.6931, rel=1e-12)


@pytest.mark.equation("curse-of-dimensionality-edge")
@each_seed()
def test_cell_count(seed):
    g, answer = drawn("cell-count", seed).given, drawn("cell-count", seed).answer
    assert answer["cells"] == sum(1 for _ in product(range(g["m"]), repeat=g["d"]))
    assert answer["mean"] == pytest.approx(g["n"] / answer["cells"], rel=1e-12)
    assert math.log(answer["dense"]) == pytest.approx(g["dense"] * math.log(g["line"]), rel=1e-12)
    assert math.log(answer["edge"]) == pytest.approx(math.log(Fraction(g["share"])) / g["k"], rel=1e-9)
    assert answer["factor"] ** (1 / g["d"]) == pytest.approx(g["times"], rel=1e-12)


@pytest.mark.equation("curse-of-dimensionality-spread")
@each_seed()
def test_distance_spread(seed):
    g, answer = drawn("distance-spread", seed).given, drawn("distance-spread", seed).answer
    p, values = Fraction(g["p"]), (0, g["a"])
    weights = dict(zip(values, (1 - p, p), strict=True))
    outcomes = [((u - v) ** 2, weights[u] * weights[v]) for u, v in product(values, values)]  # one coordinate
    mean = sum(x * w for x, w in outcomes)
    variance = sum((x - mean) ** 2 * w for x, w in outcomes)
    assert answer["s"] == pytest.approx(float(sum(w for x, w in outcomes if x)), rel=1e-12)
    assert answer["mu"] == pytest.approx(float(mean), rel=1e-12)
    assert answer["variance"] == pytest.approx(float(variance), rel=1e-12)
    assert answer["mean"] == pytest.approx(float(g["d"] * mean), rel=1e-12)
    assert answer["deviation"] == pytest.approx(math.sqrt(g["d"] * variance), rel=1e-12)
    assert answer["squared"] == pytest.approx(answer["deviation"] / answer["mean"], rel=1e-9)
    assert answer["distance"] == pytest.approx(answer["squared"] / 2, rel=1e-12)
    d, limit = answer["smallest"], Fraction(g["limit"])
    assert variance * d <= (limit * mean * d) ** 2
    assert variance * (d - 1) > (limit * mean * (d - 1)) ** 2


@each_seed()
def test_every_number_of_the_ball(seed):
    drill = drawn("shell-volume", seed)
    g = drill.given
    d, far, thickness = g["d"], g["far"], float(Fraction(g["thickness"]))
    volume, inner = float(ball(d)[0]) * math.pi ** (d // 2), (1 - thickness) ** d
    ask, tell = pages(drill, {r"\pi": math.pi}, rounding=CARRIED)
    ask.says("satisfies $V_d=\\tfrac{2\\pi}{d}V_{d-2}$; you know the length of the interval from $#$ to 1 and", -1)
    ask.says("Give $V_#$ as a multiple of $\\pi^#$, and", d, d // 2)
    ask.says("within $#$ of a radius", thickness)
    ask.says("In $#$ dimensions", far)
    ask.says("Use $\\ln(1-\\varepsilon)\\approx-\\varepsilon$ and $\\ln 2=#$", math.log(2))
    ask.done()
    for j in range(2 - d % 2, d + 1, 2):
        value = float(ball(j)[0]) * math.pi ** (j // 2)
        if j < 3:
            tell.says("- $V_#=#$", j, value)
        else:
            tell.says("- $V_#=#=#$", j, value, value)
    tell.says("As a number, $V_#=#$.", d, volume)
    tell.says("of radius $#$ has the share $#=#$, whatever $V_#$ is", 1 - thickness, inner, inner, d)
    tell.says("The shell has $#=#$", 1 - inner, 1 - inner)
    tell.says("its edge is 2, its volume $#=#$", 2**d, 2**d)
    tell.says("fills $#=#$ of it", volume / 2**d, volume / 2**d)
    tell.says("$(1-\\varepsilon)^{#}=\\tfrac12$, so $#\\ln(1-\\varepsilon)=-\\ln 2$", far, far)
    tell.says("$\\varepsilon\\approx#=#$.", 0.6931 / far, 0.6931 / far)
    tell.done()


@each_seed()
def test_every_number_of_the_cells(seed):
    drill = drawn("cell-count", seed)
    g = drill.given
    m, d, n, line, dense, k, times = (g[name] for name in ("m", "d", "n", "line", "dense", "k", "times"))
    share = float(Fraction(g["share"]))
    edge = math.exp(math.log(share) / k)
    ask, tell = pages(drill)
    ask.says("each of $#$ axes into $#$ intervals", d, m)
    ask.says("many of $#$ samples", n)
    ask.says("On one axis $#$ samples are dense enough. How many are as dense in $#$ dimensions", line, dense)
    ask.says("A cube in $#$ dimensions is to catch the share $#$", k, share)
    ask.says("In $#$ dimensions the nearest sample is to be $#$ times as near", d, times)
    ask.done()
    tell.says("$#=#$ cells, and on average $#=#$ samples", m**d, m**d, n / m**d, n / m**d)
    tell.says("asks for $#=#$ samples", line**dense, line**dense)
    tell.says("$L^#=#$, so $L=#$, since $#=#$.", k, share, edge, share, share)
    tell.says("with a radius $#$ times as small has a volume $#=#$ times", times, times**d, times**d)
    tell.says("so $#$ times as many", times**d)
    tell.done()


@each_seed()
def test_every_number_of_the_spread(seed):
    drill = drawn("distance-spread", seed)
    g = drill.given
    a, d, p, limit = g["a"], g["d"], float(Fraction(g["p"])), float(Fraction(g["limit"]))
    s = 1 - p**2 - (1 - p) ** 2
    mu, variance = a**2 * s, a**4 * (s - s**2)
    deviation, spread = math.sqrt(d * variance), math.sqrt(variance / d) / mu
    ask, tell = pages(drill, rounding=CARRIED)
    ask.says("is $#$ with probability $#$ and 0 otherwise", a, p)
    ask.says("in $#$ dimensions", d)
    ask.says("at most $#$ of its mean", limit)
    ask.done()
    tell.says("$s=#=#$. The squared difference is $#$ with this probability and 0 otherwise", s, s, a**2)
    tell.says("$\\mu=#=#$ and $\\sigma^2=#=#$", mu, mu, variance, variance)
    tell.says("the mean is $#=#$, and", d * mu, d * mu)
    tell.says("the deviation $#=#$", deviation, deviation)
    tell.says("**Relative** (2 marks): $#=#$.", spread, spread)
    tell.says("has about $#=#$.", spread / 2, spread / 2)
    least = variance / (mu * limit) ** 2
    tell.symbols |= {r"\sigma": math.sqrt(variance), r"\mu": mu}
    tell.says(
        "$\\frac{\\sigma}{\\mu\\sqrt{d}}$, so $d\\ge\\frac{\\sigma^2}{\\mu^2\\cdot#^2}=#$: from # on.",
        limit,
        least,
        math.ceil(least - 1e-9),
    )
    tell.done()

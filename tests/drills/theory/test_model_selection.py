"""The drills on model selection, worked again without the library: counts, code lengths, refits in fractions."""

from fractions import Fraction
from math import log, log2

import pytest

from tests.drills.arithmetic import CARRIED, CARRIED_PLACES
from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

DEGREES = ["0", "1", "2", "3"]
MODELS = ["fair coin", "biased coin", "Markov chain"]


def least(names, values):
    return min(zip(values, names, strict=True))[1]


@pytest.mark.equation("model-selection-regression")
@each_seed()
def test_criteria_of_the_polynomials(seed):
    drill, g, answer = load("aic-bic", seed)
    N, factor = g["n"], g["factor"]
    assert answer["parameters"] == [d + 2 for d in range(4)]
    aic = [N * log(r / N) + 2 * (d + 2) for d, r in enumerate(g["rss"])]
    bic = [N * log(r / N) + log(N) * (d + 2) for d, r in enumerate(g["rss"])]
    assert answer["aic"] == pytest.approx(aic, abs=1e-7)
    assert answer["bic"] == pytest.approx(bic, abs=1e-7)
    assert (answer["by_aic"], answer["by_bic"]) == (least(DEGREES, aic), least(DEGREES, bic))
    rise = N * log(factor**2 * g["rss"][0] / N) - N * log(g["rss"][0] / N)
    assert answer["shift"] == pytest.approx(rise, abs=1e-6)
    ask, tell = pages(drill, {"N": N}, CARRIED_PLACES)
    ask.says("$N=#$ instances", N)
    ask.says("Polynomials of degree 0 to 3 were")
    ask.says("as in $N\\ln(\\mathrm{RSS}/N)$ for $-2\\ell$.")
    ask.table(["residual sum of squares", *g["rss"]])
    ask.says("multiplied by #. By", str(factor))
    ask.done()
    tell.says("the coefficients and the variance, $#$.", [2, 3, 4, 5])
    for d, r, a, b in zip(DEGREES, g["rss"], aic, bic, strict=True):
        tell.says(f"**Degree {d}.** $N\\ln(\\mathrm{{RSS}}/N)=#=#$.", *[N * log(r / N)] * 2)
        tell.says("$\\mathrm{AIC}=#=#$, $\\mathrm{BIC}=#=#$.", a, a, b, b)
    tell.says("degree # by AIC and degree # by BIC.", answer["by_aic"], answer["by_bic"])
    tell.says("multiplied by $#$, so every AIC rises by $#=#$", factor**2, rise, rise)
    tell.done()


def test_criteria_agree_and_disagree():
    drills = [drawn("aic-bic", seed).answer for seed in SEEDS]
    assert {d["by_aic"] == d["by_bic"] for d in drills} == {True, False}


def bits(*counts):
    return -sum(c * log2(c / sum(counts)) for c in counts)


@pytest.mark.equation("model-selection-mdl")
@each_seed()
def test_code_lengths(seed):
    drill, g, answer = load("mdl", seed)
    N, (zero, one) = g["n"], g["counts"]
    assert sum(zero) + sum(one) == N
    assert min(*zero, *one) > 0
    assert abs(zero[1] - one[0]) <= 1, "in a sequence the changes from 0 to 1 and from 1 to 0 take turns"
    each = log2(N) / 2
    data = [N, bits(*map(sum, zip(zero, one, strict=True))), bits(*zero) + bits(*one)]
    total = [d + k * each for k, d in enumerate(data)]
    assert answer["parameters"] == [0, each, 2 * each]
    assert answer["data"] == pytest.approx(data, abs=1e-6)
    assert answer["total"] == pytest.approx(total, abs=1e-6)
    best = answer["best"]
    assert best == least(MODELS, total)
    assert answer["bic"] == pytest.approx(min(total) * 2 * log(2), abs=1e-6)
    ask, tell = pages(drill, {"N": N}, CARRIED_PLACES)
    ask.says("the next $N=#$ of them. Of these, so many follow a 0 and a 1:", N)
    ask.table(["after 0", *zero], ["after 1", *one])
    ask.says(r"$\tfrac12\log_2 N$")
    ask.says(r"$-2\ell+k\ln N$")
    ask.done()
    tell.says("**Parameters:** $#=#$ bits each", each, each)
    tell.says("so $#$ bits.", [0, each, 2 * each])
    for name, d, t in zip(MODELS, data, total, strict=True):
        tell.says(f"**Data, {name}:** $#=#$ bits; total $#=#$.", d, d, t, t)
    tell.says("that of the #.", best)
    tell.says("twice: $#=#$.", answer["bic"], answer["bic"])
    tell.done()


def test_every_model_is_chosen():
    assert {drawn("mdl", seed).answer["best"] for seed in SEEDS} == set(MODELS)


def line(points):
    """Slope and intercept of the least squares line."""
    n = len(points)
    mx, my = (Fraction(sum(c), n) for c in zip(*points, strict=True))
    slope = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)
    return slope, my - slope * mx


@pytest.mark.equation("model-selection-loo", "model-selection-gcv")
@each_seed()
def test_shortcut_by_refitting(seed):
    drill, g, answer = load("loo-shortcut", seed)
    points = [*zip(g["x"], g["y"], strict=True)]
    N = len(points)
    slope, intercept = line(points)
    rest = [y - slope * x - intercept for x, y in points]
    left = []
    for n, (x, y) in enumerate(points):
        a, b = line(points[:n] + points[n + 1 :])
        left.append(y - a * x - b)
    leverage = [1 - r / e for r, e in zip(rest, left, strict=True)]
    loo = sum(e**2 for e in left) / N
    gcv = sum(r**2 for r in rest) / N / (1 - Fraction(2, N)) ** 2
    expected = {"slope": slope, "intercept": intercept, "loo": loo, "gcv": gcv}
    assert all(near(answer[name], value) for name, value in expected.items())
    for name, values in {"residuals": rest, "leverages": leverage, "left_out": left}.items():
        assert all(near(a, v) for a, v in zip(answer[name], values, strict=True))
    assert sum(leverage) == 2
    mean = Fraction(sum(g["x"]), N)
    square = sum((x - mean) ** 2 for x in g["x"])
    total = sum((x - mean) * y for x, y in points)
    ask, tell = pages(drill, {"N": N}, CARRIED)
    ask.table(["$x_n$", *g["x"]], ["$y_n$", *g["y"]])
    ask.done()
    tell.says(r"$\bar x=#$, $\bar y=#$", mean, float(Fraction(sum(g["y"]), N)))
    tell.says(r"$\sum_n(x_n-\bar x)^2=#$ and $\sum_n(x_n-\bar x)\,y_n=#$.", float(square), float(total))
    tell.says("Slope $#=#$, intercept $#=#$.", *[float(slope)] * 2, *[float(intercept)] * 2)
    tell.says("$y_n-\\hat y_n$: $#$. Their sum is 0.", [*map(float, rest)])
    tell.says(f"$h_n=1/N+(x_n-\\bar x)^2/{square}$: $#$. Their sum is 2, the number", [*map(float, leverage)])
    tell.says("$(y_n-\\hat y_n)/(1-h_n)$: " + ", ".join("$#=#$" for _ in left),
              *(float(e) for e in left for _ in range(2)))  # fmt: skip
    tell.says("Mean square $#=#$.", float(loo), float(loo))
    tell.says("by the mean $#$: the mean squared residual $#$ is divided by $#=#$, which gives $#$.", 2 / N,
              float(sum(r**2 for r in rest) / N), *[(1 - 2 / N) ** 2] * 2, float(gcv))  # fmt: skip
    tell.done()
    assert exact(answer["slope"]) == slope

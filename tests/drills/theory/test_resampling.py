"""Drills on resampling: every sample of draws, every split and every power gone through in fractions."""

import math
import re
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

import pytest

from tests.drills.exact import load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def multinomial(counts):
    """Sequences of draws with these counts."""
    ways = math.factorial(sum(counts))
    for c in counts:
        ways //= math.factorial(c)
    return ways


def shares(n):
    """Over every bootstrap sample of n numbers: the probability of each event, and how many samples there are."""
    found, samples = dict.fromkeys(["maximum", "second", "twice", "whole"], 0), 0
    for sample in combinations_with_replacement(range(n), n):
        counts = [sample.count(i) for i in range(n)]
        ways, samples = multinomial(counts), samples + 1
        found["maximum"] += ways * (max(sample) == n - 1)
        found["second"] += ways * (max(sample) == n - 2)
        found["twice"] += ways * (counts[-1] == 2)
        found["whole"] += ways * (max(counts) == 1)
    return {key: Fraction(ways, n**n) for key, ways in found.items()} | {"samples": samples}


ALL = {n: shares(n) for n in range(4, 9)}


@pytest.mark.equation("resampling-missing", "resampling-maximum")
@each_seed()
def test_probabilities_over_all_samples(seed):
    _, g, answer = load("bootstrap-probability", seed)
    for key, value in ALL[g["n"]].items():
        assert near(answer[key], value)
    assert answer["equal"] == pytest.approx(g["replicates"] * (1 - (1 - 1e-7) ** 10**7), rel=1e-6)


def work_interval(g):
    """Percentile and basic interval, bias, smaller replicates, differences of the values that leave one out."""
    values, estimate = sorted(g["values"]), g["estimate"]
    low, high = values[1], values[-2]
    mean = Fraction(sum(g["left_out"]), 4)
    away = [mean - v for v in g["left_out"]]
    bias = Fraction(sum(values), 19) - estimate
    return [low, high], [2 * estimate - high, 2 * estimate - low], bias, sum(v < estimate for v in values), away


@pytest.mark.equation("resampling-percentile", "resampling-basic", "resampling-bias", "resampling-acceleration")
@each_seed()
def test_intervals_from_the_list(seed):
    _, g, answer = load("bootstrap-interval", seed)
    percentile, basic, bias, below, away = work_interval(g)
    assert len(g["values"]) == 19
    assert g["estimate"] not in g["values"]
    assert answer["percentile"] == percentile
    assert answer["basic"] == basic != percentile
    assert answer["bias"] == bias != 0
    assert answer["below"] == below
    assert answer["direction"] == ("up" if below >= 10 else "down")
    cubes, squares = sum(a**3 for a in away), sum(a**2 for a in away)
    assert answer["acceleration"] == pytest.approx(float(cubes) / (6 * float(squares) ** 1.5), rel=1e-8)
    assert cubes != 0


def work_permutation(g):
    """The statistic, the splits that reach it by their own means, and the number of all splits."""
    x, y = g["x"], g["y"]
    pool = sorted(x + y, reverse=True)

    def gap(pick):
        rest = [v for v in pool if v not in pick]
        return Fraction(sum(pick), len(pick)) - Fraction(sum(rest), len(rest))

    splits = list(combinations(pool, len(x)))
    return gap(x), [pick for pick in splits if gap(pick) >= gap(x)], len(splits)


@pytest.mark.equation("resampling-p-value")
@each_seed()
def test_permutation_answer(seed):
    _, g, answer = load("permutation-test", seed)
    gap, reach, total = work_permutation(g)
    assert len({*g["x"], *g["y"]}) == len(g["x"]) + len(g["y"])
    assert near(answer["statistic"], gap)
    assert answer["splits"] == total
    assert answer["count"] == len(reach)
    assert near(answer["exact"], Fraction(len(reach), total))
    assert near(answer["smallest"], Fraction(1, total))
    p = Fraction(1 + g["as_large"], 1 + g["exchanges"])
    assert near(answer["random"], p)
    assert answer["significant"] == ("yes" if p <= Fraction(1, 100) else "no")


def test_the_cases_vary():
    assert {drawn("bootstrap-interval", seed).answer["direction"] for seed in SEEDS} == {"up", "down"}
    assert {drawn("permutation-test", seed).answer["significant"] for seed in SEEDS} == {"yes", "no"}
    assert len({len(drawn("permutation-test", seed).given["x"]) for seed in SEEDS}) == 3
    assert len({drawn("bootstrap-probability", seed).given["n"] for seed in SEEDS}) == 5


def test_what_is_counted_is_asked_as_a_whole_number():
    whole = {
        "bootstrap-probability": {"samples"},
        "bootstrap-interval": {"percentile", "basic", "bias", "below"},
        "permutation-test": {"splits", "count"},
    }
    for topic, names in whole.items():
        fields = drawn(topic, 0).fields
        assert {f.name for f in fields if f.kind != "choice" and not f.asks} == names
    assert {drawn("permutation-test", seed).given["exchanges"] for seed in SEEDS} == {99, 199, 499, 999}


# ---------------------------------------------------------------- every number of the page


@each_seed()
def test_page_of_the_probabilities(seed):
    drill, g, answer = load("bootstrap-probability", seed)
    n, R = g["n"], g["replicates"]
    ask, tell = pages(drill)
    ask.says("A sample holds # numbers", str(n))
    ask.says("sample of # draws", str(n))
    ask.says("Of # replicates of its maximum", str(R))
    ask.done()
    exact = {key: float(value) for key, value in ALL[n].items()}
    tell.says("if all # draws take another number: $#$.", str(n), exact["maximum"])
    tell.says("none takes the two largest: $#$.", exact["second"])
    pairs = len(list(combinations(range(n), 2)))
    tell.says("there are $#$ pairs of draws: $#$.", pairs, exact["twice"])
    sequences = math.prod([n] * n)
    tell.says(
        "$#$ orders of $#$ sequences of draws: $#$.", round(exact["whole"] * sequences), sequences, exact["whole"]
    )
    tell.says(
        "**Samples:** # draws are shared out among # numbers, which # bars between # stars", *map(str, (n, n, n - 1, n))
    )
    tell.says("$#$ ways to choose the # places of the stars out of #.", exact["samples"], str(n), str(2 * n - 1))
    tell.says("**Very large:** $#$.", answer["equal"])
    tell.done()


@each_seed()
def test_page_of_the_intervals(seed):
    drill, g, answer = load("bootstrap-interval", seed)
    percentile, basic, bias, below, away = work_interval(g)
    ask, tell = pages(drill)
    ask.says("A statistic is # on the sample. These are its # bootstrap replicates", str(g["estimate"]), "19")
    ask.says("sorted:\n\n#.\n", ", ".join(map(str, sorted(g["values"]))))
    ask.says("Their sum is #.", str(sum(g["values"])))
    ask.says("For the level # % take", "80")
    ask.says("for an acceleration of #?", "0")
    ask.says("the statistic is #. Give", ", ".join(map(str, g["left_out"])))
    ask.done()
    tell.says("from $#$ to $#$.", *percentile)
    tell.says("from $#$ to $#$.", *basic)
    tell.says("**Bias:** $#$.", float(bias))
    tell.says("**Bias correction:** # of # are smaller, # than", str(below), "19", "more" if below >= 10 else "fewer")
    tell.says("$z_0$ is # and both ends move #.", *(("positive", "up") if below >= 10 else ("negative", "down")))
    tell.says("the mean is $#$,", sum(g["left_out"]) / 4)
    tell.says("less each value is " + ", ".join(["$#$"] * 4) + ".", *map(float, away))
    cubes, squares = (float(sum(a**k for a in away)) for k in (3, 2))
    tell.says("Sum of the cubes $#$, of the squares $#$, so $#$.", cubes, squares, answer["acceleration"])
    tell.done()
    bases = [int(b) for b in re.findall(r"(-?\d+)\)?\^[23]", drill.solution)]
    assert bases == [*away, *away]


@each_seed()
def test_page_of_the_permutation_test(seed):
    drill, g, answer = load("permutation-test", seed)
    gap, reach, total = work_permutation(g)
    ask, tell = pages(drill)
    x, y = (", ".join(map(str, sorted(g[key], reverse=True))) for key in "xy")
    ask.table(["treated", x], ["not treated", y])
    ask.says(
        "For two larger groups # random exchanges were made, and in # of them", str(g["exchanges"]), str(g["as_large"])
    )
    ask.says("Is it at most #?", "0.01")
    ask.done()
    tell.says("**Statistic:** $#$.", float(gap))
    n = len(g["x"])
    tell.says("choose # of # results: $#$ ways.", str(n), str(n + len(g["y"])), total)
    tell.says("sum of the treated, which is $#$.", sum(g["x"]))
    tell.table(*([", ".join(map(str, pick)), sum(pick)] for pick in reach))
    tell.says("These are #, the observed", str(len(reach)))
    tell.says("**Exact:** # of #, so $#$;", str(len(reach)), str(total), len(reach) / total)
    tell.says(" the smallest is $#$.", 1 / total)
    tell.says("one more: $#$, so the answer is #.", answer["random"], answer["significant"])
    tell.done()


def test_all_is_what_all_sequences_give():
    for n in (4, 5):
        draws = list(product(range(n), repeat=n))
        assert ALL[n]["second"] == Fraction(sum(max(d) == n - 2 for d in draws), len(draws))

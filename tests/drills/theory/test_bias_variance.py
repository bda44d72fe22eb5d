"""The drill on bias and variance: every training set and every target gone through in fractions."""

from fractions import Fraction
from itertools import product

import pytest

from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def mean(values):
    values = [*values]
    return sum(values, Fraction(0)) / len(values)


def work(given):
    """For both learners: averaged prediction, bias, variance, averaged risk."""
    h, noise = Fraction(given["h"]), exact(given["noise"])
    found = []
    for row in given["predictions"]:
        average = mean(map(Fraction, row))
        found.append(
            (average, average - h, mean((f - average) ** 2 for f in row), noise + mean((f - h) ** 2 for f in row))
        )
    return found


@pytest.mark.equation("bias-variance-decomposition", "bias-variance-averaging")
@each_seed()
def test_answer_over_all_training_sets(seed):
    _, g, answer = load("bias-variance", seed)
    found = work(g)
    assert answer["average"] == [a for a, *_ in found]
    assert answer["squared_bias"] == [b**2 for _, b, *_ in found]
    assert all(near(value, v) for value, (_, _, v, _) in zip(answer["variance"], found, strict=True))
    assert all(near(value, r) for value, (*_, r) in zip(answer["risk"], found, strict=True))
    assert answer["better"] == "AB"[int(found[1][3] < found[0][3])]
    # every choice of the fits whose predictions are averaged
    fits, h = g["fits"], g["h"]
    risk = mean((mean(map(Fraction, pick)) - h) ** 2 for pick in product(g["predictions"][1], repeat=fits))
    assert near(answer["ensemble"], exact(g["noise"]) + risk)


def test_both_learners_win_and_both_numbers_of_fits_occur():
    drills = [drawn("bias-variance", seed) for seed in SEEDS]
    assert {d.answer["better"] for d in drills} == {"A", "B"}
    assert {d.given["fits"] for d in drills} == {2, 5}


@each_seed()
def test_every_number_of_the_page(seed):
    drill, g, answer = load("bias-variance", seed)
    found, h, noise, m = work(g), g["h"], g["noise"], g["fits"]
    ask, tell = pages(drill, {"h": h, r"\sigma": noise**0.5})
    ask.table(*([name, *map(str, row)] for name, row in zip("AB", g["predictions"], strict=True)))
    ask.says("the averaged target is $h=#$", h)
    ask.says(r"the variance $\sigma^2=#$", noise)
    ask.says("the predictions of # fits of B", str(m))
    ask.done()
    for name, (average, bias, variance, risk) in zip("AB", found, strict=True):
        tell.says(f"**Learner {name}.** Averaged prediction $#=#$; bias $#=#$, squared $#$.", *[float(average)] * 2,
                  *[float(bias)] * 2, float(bias**2))  # fmt: skip
        tell.says("and not around $h$: $#=#$.", *[float(variance)] * 2)
        tell.says(r"risk $\sigma^2+\text{bias}^2+\text{variance}=#$", float(risk))
    tell.says("Learner # has the smaller risk.", answer["better"])
    tell.says("**Mean of # fits:**", str(m))
    tell.says("by their number: $#=#$.", *[answer["ensemble"]] * 2)
    tell.done()

"""Drill on classes that are mixtures: answers recomputed from the given data by plain Python, without the library."""

import json
import math

import pytest

from tests.drills.arithmetic import CARRIED, Rounding
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def worked(g):
    """Terms, sums, posteriors and the turning prior, from the given numbers."""
    prior = g["prior"][0] / g["prior"][1]
    weights = [a / b for a, b in g["weights"]]
    u = [(g["x"] - m) / g["sd"] for m in g["means"]]
    terms = [w * math.exp(-v * v / 2) for w, v in zip(weights, u, strict=True)]
    sums = [sum(t for t, name in zip(terms, g["components"], strict=True) if name[0] == c) for c in "AB"]
    whole = prior * sums[0] + (1 - prior) * sums[1]
    share = {"A": prior, "B": 1 - prior}
    parts = [share[name[0]] * t / whole for t, name in zip(terms, g["components"], strict=True)]
    return prior, weights, u, terms, sums, whole, parts


@pytest.mark.equation("mixture-discriminant-posterior", "mixture-discriminant-component-posterior")
@each_seed()
def test_mixture_posterior(seed):
    drill = drawn("mixture-posterior", seed)
    g, answer = json.loads(json.dumps(drill.given)), drill.answer
    prior, _, _, terms, sums, whole, parts = worked(g)
    assert answer["terms"] == pytest.approx(terms)
    assert answer["sums"] == pytest.approx(sums)
    assert answer["posterior"] == pytest.approx(prior * sums[0] / whole)
    assert answer["winner"] == ("A" if prior * sums[0] > (1 - prior) * sums[1] else "B")
    assert answer["parts"] == pytest.approx(parts)
    assert sum(answer["parts"]) == pytest.approx(1)
    assert answer["strongest"] == g["components"][parts.index(max(parts))]
    P = answer["turning"]
    assert P * sums[0] == pytest.approx((1 - P) * sums[1])
    assert sum(g["means"].count(m) for m in g["means"]) == len(g["means"])
    assert sum(a / b for a, b in g["weights"]) == pytest.approx(2)


def test_in_about_half_of_the_exercises_the_most_probable_component_misleads():
    trapped = [drawn("mixture-posterior", s).answer for s in SEEDS]
    share = sum(a["strongest"][0] != a["winner"] for a in trapped) / len(trapped)
    assert 0.25 < share < 0.75


@each_seed()
def test_every_number_of_a_mixture_posterior(seed):
    drill = drawn("mixture-posterior", seed)
    g = drill.given
    prior, weights, u, terms, sums, whole, parts = worked(g)
    symbols = {r"\sigma": g["sd"], "P(A)": prior, "P(B)": 1 - prior, "x": g["x"], "p": whole}
    symbols |= {"S_A": sums[0], "S_B": sums[1], r"P(A \mid x)": prior * sums[0] / whole, "P": sums[1] / sum(sums)}
    ask, tell = pages(drill, symbols, CARRIED)
    ask.table(*([name, w, m] for name, w, m in zip(g["components"], weights, g["means"], strict=True)))
    sizes = sorted({abs(v) for v in u if v})
    kept, ask.rounding = ask.rounding, Rounding(significant=None)
    values = [v for s in sizes for v in (s * s / 2, math.exp(-s * s / 2))]
    ask.says(f"You may use {', '.join('$e^{-#} = #$' for _ in sizes)}.", *values)
    ask.rounding = kept
    ask.says(r"The factor $1/(\sigma\sqrt{2\pi})$ is")
    ask.says(r"1. compute $\pi\, e^{-u^2/2}$ of each")
    ask.says(r"With $u = (x - \mu)/\sigma$,")
    ask.done()
    rows = zip(g["components"], u, weights, terms, strict=True)
    tell.table(*([name, v, math.exp(-v * v / 2), w, t] for name, v, w, t in rows))
    for name, q in zip(g["components"], parts, strict=True):
        tell.says(f"- {name}: $#$", q)
    strongest = g["components"][parts.index(max(parts))]
    tell.says(f"The most probable component is {strongest}.")
    tell.says(r"**Components again:** prior times $\pi\, e^{-u^2/2}$, divided")
    tell.says(r"equal where $P\, S_A = (1 - P)\, S_B$, so")
    tell.done()

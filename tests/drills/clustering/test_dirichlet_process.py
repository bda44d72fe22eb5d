"""Drills on Dirichlet processes: worked again in fractions, over all partitions, and by simulated integrals."""

import json
import math
from fractions import Fraction
from itertools import product

import pytest
from scipy.stats import beta

from tests.drills.exact import exact, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def probability(labels, alpha):
    """Of a partition, one guest after the other."""
    p = Fraction(1)
    for i, k in enumerate(labels):
        p *= (list(labels[:i]).count(k) or alpha) / (alpha + i)
    return p


def partitions(n):
    return [z for z in product(range(n), repeat=n) if all(k <= max(z[:i], default=-1) + 1 for i, k in enumerate(z))]


@each_seed()
def test_restaurant_from_given(seed):
    g, answer = drawn("restaurant-seating", seed).given, drawn("restaurant-seating", seed).answer
    alpha, counts = exact(g["alpha"]), g["counts"]
    total = sum(counts) + alpha
    assert all(map(near, answer["seats"], [*(c / total for c in counts), alpha / total]))
    assert near(answer["partition"], probability(g["labels"], alpha))
    assert near(answer["tables"], sum((max(z) + 1) * probability(z, alpha) for z in partitions(g["guests"])))
    weights = [w * d for w, d in zip([*counts, alpha], g["densities"], strict=True)]
    assert all(map(near, answer["posterior"], [w / sum(weights) for w in weights]))
    assert counts == sorted(counts, reverse=True)


@each_seed()
def test_stick_from_given(seed):
    g, answer = drawn("stick-breaking", seed).given, drawn("stick-breaking", seed).answer
    alpha, rest, pieces = exact(g["alpha"]), Fraction(1), []
    for v in exact(g["fractions"]):
        pieces.append(v * rest)
        rest -= pieces[-1]
    assert all(map(near, answer["weights"], [*pieces, rest]))
    share = 1 / (1 + alpha)
    assert near(answer["first"], share)
    assert near(answer["piece"], share * (1 - share) ** (g["piece"] - 1))
    left = [(1 - share) ** k for k in (answer["needed"] - 1, answer["needed"])]
    assert left[1] <= exact(g["rest"]) < left[0]
    assert near(answer["same"], share)
    assert answer["half"] == pytest.approx(beta(1, g["alpha"]).sf(0.5))


def test_the_expectations_are_those_of_beta_fractions():
    for seed in range(5):
        g, answer = drawn("stick-breaking", seed).given, drawn("stick-breaking", seed).answer
        mean = beta(1, g["alpha"]).mean()
        assert answer["piece"] == pytest.approx(mean * (1 - mean) ** (g["piece"] - 1))


@each_seed()
def test_every_number_of_the_restaurant(seed):
    drill = drawn("restaurant-seating", seed)
    g, answer = drill.given, drill.answer
    alpha, counts, labels = exact(g["alpha"]), g["counts"], g["labels"]
    groups = ", ".join(
        "$\\{" + ", ".join("ABCDE"[i] for i in range(5) if labels[i] == k) + "\\}$" for k in range(max(labels) + 1)
    )
    ask, tell = pages(drill)
    ask.says(r"concentration $\alpha=#$", float(alpha))
    ask.says("sit #, # and # guests.", *map(str, counts))
    ask.says("are their groups #? (3", groups)
    ask.says("How many tables do # guests", str(g["guests"]))
    ask.table(["density", *map(str, g["densities"])])
    ask.done()
    total, p = sum(counts) + alpha, float(probability(labels, alpha))
    tell.says("together are $#=#$, so", *[float(total)] * 2)
    shares = [float(c / total) for c in [*counts, alpha]]
    tell.says("the probabilities are $#$, $#$, $#$ and $#$, or $#$, $#$, $#$ and $#$.", *shares, *shares)
    tell.says(r"one seat after the other, $#$. The formula says the same: $#$.", p, p)
    tell.says(r"guest $i+1$ opens one with probability $\alpha/(\alpha+i)$: $#$.", answer["tables"])
    weights = [float(w * d) for w, d in zip([*counts, alpha], g["densities"], strict=True)]
    tell.says("divided by the sum $#$:", sum(weights))
    names = ["table 1", "table 2", "table 3", "new table"]
    tell.table(*([name, w, w / sum(weights)] for name, w in zip(names, weights, strict=True)))
    tell.done()


@each_seed()
def test_every_number_of_the_stick(seed):
    drill = drawn("stick-breaking", seed)
    g, answer = drill.given, drill.answer
    v, t, share = [float(f) for f in g["fractions"]], g["piece"], 1 / (1 + g["alpha"])
    ask, tell = pages(drill)
    ask.says(r"with $\alpha=#$", g["alpha"])
    ask.says("$v_1=#$, $v_2=#$ and $v_3=#$ have been drawn", *v)
    ask.says(r"Give $\pi_1$, $\pi_2$, $\pi_3$ and")
    ask.says(r"the expectations of $\pi_1$ and of $\pi_#$", str(t))
    ask.says("the expected rest at most #?", f"{g['rest']:g}")
    ask.says(r"With which is $\pi_1$ larger")
    ask.done()
    one, two, three, rest = answer["weights"]
    tell.says(r"$\pi_1=#$, $\pi_2=#=#$, $\pi_3=#=#$, and the rest is $#=#$.", one, two, two, three, three, rest, rest)
    tell.says(r"$v_t$ has the mean $1/(1+\alpha)=#$ and leaves $#$ on average", share, 1 - share)
    tell.says(r"So the means are $#$ and $#$.", share, answer["piece"])
    exactly = math.log(g["rest"]) / math.log(1 - share)
    tell.says(r"$\big(#\big)^T \le #$ from $T=#\approx#$ on: $#$ pieces.", 1 - share, g["rest"], exactly, exactly,
              answer["needed"])  # fmt: skip
    tell.says(r"joins the first with probability $1/(1+\alpha)=#$.", share)
    tell.says(r"$P(v_1>\tfrac12)=(1-\tfrac12)^\alpha\approx#$.", answer["half"])
    tell.done()


def test_given_and_answers_are_plain_data():
    for topic in ("restaurant-seating", "stick-breaking"):
        for seed in SEEDS[:5]:
            json.dumps([drawn(topic, seed).given, drawn(topic, seed).answer])

"""Drills on forests: worked again in fractions, by counting all cases, and by the library."""

import json
import math
import re
from fractions import Fraction
from itertools import product

import pytest

from notes_lib.trees.random_forest import majority_vote_probability
from tests.drills.exact import exact, load, near
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

MANY = {0.5: "half as many", 2.0: "twice as many", 0.2: "a fifth as many", 3.0: "three times as many"}


def majority(votes):
    return int(2 * sum(votes) > len(votes))


def work_votes(given):
    """For each instance: the trees out of bag, their votes, both majorities, the class."""
    rows = []
    for seen, says, label in zip(given["seen"], given["says"], given["classes"], strict=True):
        out = [b for b in range(5) if not seen[b]]
        rows.append((out, [says[b] for b in out], majority([says[b] for b in out]), majority(says), label))
    return rows


@pytest.mark.equation("random-forest-out", "random-forest-oob")
@each_seed()
def test_oob_answer(seed):
    _, g, answer = load("oob-probability", seed)
    n, B = g["n"], g["trees"]
    samples = list(product(range(n), repeat=n)) if n < 6 else None
    q = Fraction(sum(0 not in s for s in samples), len(samples)) if samples else Fraction(5**6, 6**6)
    assert near(answer["missing"], q)
    different = Fraction(sum(len(set(s)) for s in samples), len(samples)) if samples else 6 * (1 - q)
    assert near(answer["different"], different)
    assert near(answer["unseen"], B * q)
    assert answer["all"] == pytest.approx(float(1 - q) ** B, rel=1e-9)
    assert answer["limit"] == pytest.approx((1 - 1 / 10**7) ** (g["draws"] * 10**7), rel=1e-6)
    rows = work_votes(g)
    assert answer["votes"] == [row[2] for row in rows]
    assert answer["oob"] == sum(row[2] != row[4] for row in rows) / 4 > 0
    assert answer["training"] == sum(row[3] != row[4] for row in rows) / 4
    assert all(len(row[0]) % 2 for row in rows)
    for seen, says, label in zip(g["seen"], g["says"], g["classes"], strict=True):
        assert all(v == label for s, v in zip(seen, says, strict=True) if s)


@pytest.mark.equation("random-forest-variance")
@each_seed()
def test_variance_answer(seed):
    _, g, answer = load("ensemble-variance", seed)
    B = g["trees"]

    def average(variance, rho, B):
        """Sum over the covariance matrix, divided by B squared."""
        return sum(variance * (1 if i == j else rho) for i in range(B) for j in range(B)) / B**2

    first, second = ((exact(g["variance" + k]), exact(g["correlation" + k])) for k in ("", "_2"))
    assert near(answer["average"], average(*first, B))
    assert near(answer["second"], average(*second, B))
    assert near(answer["limit"], first[0] * first[1])
    assert near(answer["independent"], Fraction(g["variance"], B))
    assert near(answer["factor"], average(*first, B) / Fraction(g["variance"], B))
    goal, needed = exact(g["goal"]), answer["needed"]
    assert average(*first, needed) <= goal < average(*first, needed - 1)
    assert answer["better"] == ("first" if average(*first, B) < average(*second, B) else "second")
    assert 0 < second[1] < first[1]
    assert second[0] > first[0]


def enumerated(p):
    """Probability that more than half of independent voters are right, outcome by outcome."""
    total = Fraction(0)
    for outcome in product((0, 1), repeat=len(p)):
        if 2 * sum(outcome) > len(p):
            total += math.prod(v if right else 1 - v for v, right in zip(p, outcome, strict=True))
    return total


@pytest.mark.equation("random-forest-vote", "random-forest-hoeffding")
@each_seed()
def test_vote_answer(seed):
    _, g, answer = load("majority-vote", seed)
    p, others = exact(g["p"]), exact(g["others"])
    assert near(answer["three"], enumerated([p] * 3))
    assert near(answer["five"], enumerated([p] * 5))
    assert near(answer["mixed"], enumerated(others))
    assert answer["helps"] == ("yes" if enumerated(others) > max(others) else "no")
    assert others == sorted(others)
    edge = g["p"] - 0.5
    assert math.log(answer["bound"]) == pytest.approx(-2 * g["voters"] * edge**2)
    assert answer["bound"] >= majority_vote_probability(1 - g["p"], g["voters"])
    assert math.exp(-2 * answer["needed"] * edge**2) <= g["delta"] * (1 + 1e-12)
    assert math.exp(-2 * (answer["needed"] - 1) * edge**2) > g["delta"]


def test_both_answers_of_each_question_occur():
    votes = [drawn("majority-vote", s).answer["helps"] for s in range(30)]
    forests = [drawn("ensemble-variance", s).answer["better"] for s in range(30)]
    assert set(votes) == {"yes", "no"}
    assert set(forests) == {"first", "second"}
    training = {drawn("oob-probability", s).answer["training"] for s in range(30)}
    assert len(training) > 1
    assert {drawn("oob-probability", s).given["draws"] for s in range(30)} == set(MANY)


@each_seed()
def test_every_number_of_the_out_of_bag_drill(seed):
    drill = drawn("oob-probability", seed)
    g = drill.given
    n, B, q = g["n"], g["trees"], Fraction(g["n"] - 1, g["n"]) ** g["n"]
    rows = work_votes(g)
    ask, tell = pages(drill)
    ask.says("A forest of # trees is grown on # instances. Each tree gets a bootstrap sample of # draws.",
             str(B), str(n), str(n))  # fmt: skip
    ask.says("How many of the # trees", str(B))
    ask.says("the samples hold # draws", MANY[g["draws"]])
    ask.table(
        *(
            [str(i + 1), *(f"{'in' if s else 'out'}, says {v}" for s, v in zip(seen, says, strict=True)), str(label)]
            for i, (seen, says, label) in enumerate(zip(g["seen"], g["says"], g["classes"], strict=True))
        )
    )
    ask.done()
    tell.says("each of the # draws takes another instance with probability $#$: $q=#=#\\approx#$.", str(n),
              1 - Fraction(1, n), *[float(q)] * 3)  # fmt: skip
    tell.says(r"each of the # instances is there with probability $#=#$: $#\approx#$.", str(n),
              *[float(1 - q)] * 2, *[float(n * (1 - q))] * 2)  # fmt: skip
    tell.says(r"**Trees:** $#\approx#$ have not seen it on average; all have with probability $#\approx#$.",
              *[float(B * q)] * 2, *[float((1 - q) ** B)] * 2)  # fmt: skip
    tell.says(r"**Many instances:** $#\approx#$.", *[math.exp(-g["draws"])] * 2)
    tell.table(
        *(
            [str(i + 1), ", ".join(str(b + 1) for b in out), ", ".join(map(str, votes)), str(rest), str(every),
             str(label)]
            for i, (out, votes, rest, every, label) in enumerate(rows)
        )
    )  # fmt: skip
    wrong, wrong_all = (sum(row[k] != row[4] for row in rows) / 4 for k in (2, 3))
    tell.says("Out-of-bag error $#=#$; with all trees $#=#$.", wrong, wrong, wrong_all, wrong_all)
    tell.done()


@each_seed()
def test_every_number_of_the_variance_drill(seed):
    drill = drawn("ensemble-variance", seed)
    g, answer = drill.given, drill.answer
    B, variance, rho, goal = g["trees"], g["variance"], g["correlation"], g["goal"]
    ask, tell = pages(drill)
    ask.says("has the variance # over training sets, and two trees of one forest have the correlation #.\n",
             str(variance), f"{rho:g}")  # fmt: skip
    ask.says("average of # trees, and", str(B))
    ask.says("a variance of at most #?", f"{goal:g}")
    ask.says("the variance of a tree is # and the correlation #. Give the variance of the average of # such trees.",
             str(g["variance_2"]), f"{g['correlation_2']:g}", str(B))  # fmt: skip
    ask.done()
    first, second = (
        [g["correlation" + k] * g["variance" + k] + (1 - g["correlation" + k]) * g["variance" + k] / B] * 2
        for k in ("", "_2")
    )
    assert re.search(
        r"\*\*Average:\*\* \$\\rho\\sigma\^2 \+ \\tfrac\{\(1-\\rho\)\\sigma\^2\}\{B\}\$ is", drill.solution
    )
    tell.says(r"**Average:** $\rho\sigma^2 + \tfrac{(1-\rho)\sigma^2}{B}$ is $" + relation(drill, 0) + "$.", *first)
    tell.says("for many trees: $#=#$.", *[rho * variance] * 2)
    tell.says("**Independent:** $#=#$. The true variance is $#=#$ times", *[variance / B] * 2, *[1 + (B - 1) * rho] * 2)
    rest = goal - rho * variance
    tell.says(r"may be at most $#=#$, so $B\ge#\approx#$, and $#$ trees are enough.", rest, rest,
              *[(1 - rho) * variance / rest] * 2, answer["needed"])  # fmt: skip
    tell.says("**Other forest:** $" + relation(drill, 1) + "$. The # forest", *second, answer["better"])
    tell.done()


def relation(drill, k):
    """How the k-th average is printed: exactly, or rounded."""
    lines = re.findall(r"\{\d+\}(=|\\approx)[\d.]+\$\. The (?:second term|first forest|second forest)", drill.solution)
    return f"#{lines[k]}#"


@each_seed()
def test_every_number_of_the_vote_drill(seed):
    drill = drawn("majority-vote", seed)
    g, answer = drill.given, drill.answer
    p, others, B = exact(g["p"]), exact(g["others"]), g["voters"]
    ask, tell = pages(drill)
    ask.says("each is right with probability #.\n", f"{g['p']:g}")
    ask.says("with the probabilities #, # and #. With", *(f"{v:g}" for v in g["others"]))
    ask.says("majority of # voters of the first kind errs, and give the number of voters for which the bound is at "
             "most # (4", str(B), f"{g['delta']:g}")  # fmt: skip
    ask.done()
    tell.says(r"three or two right: $#\approx#$.", *[float(enumerated([p] * 3))] * 2)
    tell.says(r"five, four or three right: $#\approx#$.", *[float(enumerated([p] * 5))] * 2)
    tell.says(r"one of them wrong: $#\approx#$, which is # than $#$: #.", *[float(enumerated(others))] * 2,
              "more" if answer["helps"] == "yes" else "less", float(others[2]), answer["helps"])  # fmt: skip
    edge, delta = float(p) - 0.5, g["delta"]
    tell.says(r"**Bound:** $#\approx#$. It is at most $#$ from $B=#\approx#$ on: $#$ voters.",
              *[math.exp(-2 * B * edge**2)] * 2, delta, *[math.log(1 / delta) / (2 * edge**2)] * 2,
              answer["needed"])  # fmt: skip
    tell.done()


def test_given_and_answers_are_plain_data():
    for topic in ("oob-probability", "ensemble-variance", "majority-vote"):
        for seed in SEEDS[:5]:
            json.dumps([drawn(topic, seed).given, drawn(topic, seed).answer])

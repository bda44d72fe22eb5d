"""Drills on pruning: worked again in fractions, by binomial sums, and by all pruned trees."""

import math
from fractions import Fraction

import pytest

from tests.drills.arithmetic import CARRIED
from tests.drills.exact import exact, load
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

KEEP, CUT = "keep the split", "make it a leaf"
NAMES = ["root", "left child", "right child"]


def tail(e, n, p):
    """Probability of at most e errors."""
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(e + 1))


@pytest.mark.equation("pruning-exact-bound", "pruning-predicted", "pruning-reduced")
@each_seed()
def test_pessimistic_answer(seed):
    _, g, answer = load("pessimistic-pruning", seed)
    n = g["n"]
    for k, u in zip(n, answer["rates"], strict=True):
        assert tail(0, k, u) == pytest.approx(0.25, abs=1e-8)
    assert abs(tail(n[2], sum(n), g["bound"]) - 0.25) < 0.004  # a table with three decimals
    below = sum(k * (1 - 0.25 ** (1 / k)) for k in n)
    assert answer["below"] == pytest.approx(below, abs=1e-8)
    assert answer["leaf"] == pytest.approx(sum(n) * g["bound"], abs=1e-8)
    assert answer["pessimistic"] == (CUT if sum(n) * g["bound"] <= below else KEEP)
    assert answer["errors"] == sum(g["holdout"])
    assert answer["reduced"] == (CUT if g["alone"] <= sum(g["holdout"]) else KEEP)
    assert n[2] < n[0] + n[1]
    assert g["alone"] >= g["holdout"][0] + g["holdout"][1]  # where all predict the same class


def test_both_decisions_are_asked_for():
    found = [drawn("pessimistic-pruning", s).answer for s in SEEDS]
    assert {(a["pessimistic"], a["reduced"]) for a in found} == {(p, r) for p in (KEEP, CUT) for r in (KEEP, CUT)}


@each_seed()
def test_every_number_of_pessimistic_pruning(seed):
    drill, g, answer = load("pessimistic-pruning", seed)
    n, hold, alone = g["n"], g["holdout"], g["alone"]
    ask, tell = pages(drill, rounding=CARRIED)
    ask.says("a node with # training", sum(n))
    ask.says("To the first go # of class a, to the second # of class a, to the third # of class b", *n)
    ask.says("have probability $#$; for the node as a leaf a table gives $U=#$", 0.25, g["bound"])
    ask.says("leaves make #, # and # errors, and the node as a leaf #.", *hold, alone)
    ask.done()
    rates = [1 - 0.25 ** (1 / k) for k in n]
    tell.says("so $(1-U)^n=#$:", 0.25)
    tell.says(", ".join([r"$#\approx#$"] * 3), *(u for u in rates for _ in range(2)))
    below, leaf = sum(u * k for u, k in zip(rates, n, strict=True)), sum(n) * g["bound"]
    tell.says(r"$#\approx#$ predicted errors", below, below)
    sign = r"\le" if answer["pessimistic"] == CUT else ">"
    tell.says(rf"$#\approx#$. Since $#{sign}#$: #.", leaf, leaf, leaf, below, answer["pessimistic"])
    sign = r"\le" if answer["reduced"] == CUT else ">"
    end = " (a tie: the smaller tree)." if alone == sum(hold) else "."
    tell.says(
        f"$#=#$ errors below the split, $#{sign}#$: #{end}", *[sum(hold)] * 2, alone, sum(hold), answer["reduced"]
    )
    tell.done()


def trees(g):
    """Errors and leaves of the five pruned trees: what is a leaf, of the root and its children."""
    (root, a, b), leaf = g["node"], g["leaf"]
    left, right = sum(leaf[:2]), sum(leaf[2:])
    return [(left + right, 4), (a + right, 3), (left + b, 3), (a + b, 2), (root, 1)]


def best(g, alpha):
    return min((e + alpha * k, k, e) for e, k in trees(g))


@pytest.mark.equation("pruning-link", "pruning-weakest", "pruning-cost")
@each_seed()
def test_cost_complexity_answer(seed):
    _, g, answer = load("cost-complexity", seed)
    (root, a, b), leaf = g["node"], g["leaf"]
    expected = [Fraction(root - sum(leaf), 3), a - sum(leaf[:2]), b - sum(leaf[2:])]
    assert exact(answer["strengths"]) == expected
    alphas = exact(answer["alphas"])
    assert alphas == sorted(set(alphas))
    assert alphas[0] > 0
    small = Fraction(1, 1000)
    for k, alpha in enumerate(alphas):  # all five trees are compared just below, at and just above each price
        assert best(g, alpha - small)[1] == 4 - k
        assert best(g, alpha)[1:] == best(g, alpha + small)[1:] == (3 - k, answer["costs"][k])
    price = Fraction(*g["price"])
    assert answer["leaves"] == best(g, price)[1]
    assert exact(answer["cost"]) == best(g, price)[0]
    good = [j for j, v in enumerate(g["errors"]) if v <= min(g["errors"]) + g["se"]]
    assert answer["chosen"] == 4 - max(good)
    assert len(set(g["errors"])) == 4


def test_all_prices_and_sizes_occur():
    found = [drawn("cost-complexity", s).answer for s in SEEDS]
    assert {a["leaves"] for a in found} == {2, 3, 4}
    assert len({a["chosen"] for a in found}) >= 3


@each_seed()
def test_every_number_of_cost_complexity(seed):
    drill, g, answer = load("cost-complexity", seed)
    (root, *side), leaf, errors = g["node"], g["leaf"], g["errors"]
    price = Fraction(*g["price"])
    ask, tell = pages(drill)
    ask.table(
        [NAMES[0], root, ""], [NAMES[1], side[0], f"{leaf[0]} and {leaf[1]}"],
        [NAMES[2], side[1], f"{leaf[2]} and {leaf[3]}"],
    )  # fmt: skip
    ask.says(r"best tree at $\alpha=#$, and", float(price))
    ask.says("the largest first, #, #, # and # errors, each with a standard error of #.", *errors, g["se"])
    ask.done()
    for name, v in zip(NAMES, answer["strengths"], strict=True):
        tell.says(f"{name}: $#=#$", v, v)
    strengths, alphas = answer["strengths"], [0.0, *answer["alphas"]]
    weak = 1 if strengths[1] < strengths[2] else 2
    costs = [sum(leaf), *answer["costs"]]
    tell.says(
        r"weakest link is the #, so the second tree begins at $\alpha=#$ and makes # errors", NAMES[weak], alphas[1],
        costs[1],
    )  # fmt: skip
    now = (root - costs[1]) / 2
    tell.says("Now the root has $#=#$, the # still $#$", now, now, NAMES[3 - weak], alphas[2])
    tell.says(r"third tree begins at $\alpha=#$, with # errors", alphas[2], costs[2])
    tell.says("Then the root has $#=#$: the fourth tree is the root, with # errors", *[alphas[3]] * 2, root)
    k = 4 - answer["leaves"]
    tell.says(r"$\alpha=#$ lies between $#$ and $#$, so the best tree has # leaves and costs $#=#$", float(price),
              alphas[k], alphas[k + 1], answer["leaves"], answer["cost"], answer["cost"])  # fmt: skip
    low = min(errors)
    tell.says("number of errors is $#$; up to $#=#$ count as equally good. The smallest such tree has # lea", low,
              *[low + g["se"]] * 2, answer["chosen"])  # fmt: skip
    tell.done()

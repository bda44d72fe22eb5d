"""Drills on decision processes: worked again in fractions, path by path and policy by policy."""

import itertools
from fractions import Fraction
from math import ceil, log2

import pytest

from tests.drills.exact import exact, load, near, solve
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

NAMES = "ab"


# ---------------------------------------------------------------- returns


@pytest.mark.equation("mdp-return", "mdp-return-recursion")
@each_seed()
def test_returns(seed):
    _, g, answer = load("discounted-return", seed)
    gamma = exact(g["gamma"])
    G = [sum(gamma**k * r for k, r in enumerate(g["rewards"][t:])) for t in range(4)]
    assert [exact(v) for v in answer["returns"]] == G[::-1]
    series = sum(g["gamma"] ** k * g["forever"] for k in range(4, 600))
    assert answer["forever"] == pytest.approx(series, rel=1e-9)
    root = exact(answer["threshold"])
    assert root ** g["wait"] * g["large"] == g["small"]
    assert 0 < root < 1
    assert answer["better"] == ("later" if gamma ** g["wait"] * g["large"] > g["small"] else "now")
    assert gamma != root


@each_seed()
def test_every_number_of_the_returns(seed):
    drill = drawn("discounted-return", seed)
    g, answer = drill.given, drill.answer
    R, gamma, c, m, small, large = (g[k] for k in ("rewards", "gamma", "forever", "wait", "small", "large"))
    G = answer["returns"][::-1]
    meaning = {r"\gamma": gamma} | {f"R_{t + 1}": R[t] for t in range(4)} | {f"G_{t}": G[t] for t in range(4)}
    ask, tell = pages(drill, meaning)
    ask.says("another path pays $#$ in every step", c)
    words = ["two", "three"][m - 2]
    ask.says("a reward of $#$ at the next step, or $#$ exactly # steps later", small, large, words)
    ask.done()
    tell.says("the rewards $#$ from step 5 on", c)
    tell.says("with $\\gamma^4$: $#=#=#$.", *[answer["forever"]] * 3)
    tell.says(r"**Waiting:** $#$ now against $#$. They", small, large * gamma**m)
    tell.says(r"$\gamma=#=#$, and a larger", *[answer["threshold"]] * 2)
    tell.says(r"Here $#=#$, so the choice is *#*.", *[gamma**m * large] * 2, answer["better"])
    tell.done()


# ---------------------------------------------------------------- Bellman's equation


def bellman(g):
    """The chain of the policy in fractions, its value by elimination, the action values in state 1."""
    gamma, to_1, r = exact(g["gamma"]), exact(g["to_1"]), exact(g["rewards"])
    half = Fraction(1, 2)
    P = [[half * (to_1[0] + to_1[1]), 1 - half * (to_1[0] + to_1[1])], [to_1[2], 1 - to_1[2]]]
    paid = [half * (r[0] + r[1]), r[2]]
    V = solve([[(i == j) - gamma * P[i][j] for j in (0, 1)] for i in (0, 1)], paid)
    Q = [r[a] + gamma * (to_1[a] * V[0] + (1 - to_1[a]) * V[1]) for a in (0, 1)]
    return gamma, P, paid, V, Q


@pytest.mark.equation("mdp-policy-chain", "mdp-bellman", "mdp-action-value")
@each_seed()
def test_bellman(seed):
    _, g, answer = load("bellman-equation", seed)
    _, P, paid, V, Q = bellman(g)
    assert exact(answer["chain"]) == P[0]
    assert exact(answer["reward"]) == paid[0]
    assert exact(answer["values"]) == V
    assert exact(answer["actions"]) == Q
    assert sum(Q) / 2 == V[0]
    assert answer["better"] == NAMES[Q[1] > Q[0]]
    assert Q[0] != Q[1]
    assert all(abs(r) < 60 for r in g["rewards"])


@each_seed()
def test_every_number_of_bellmans_equation(seed):
    drill = drawn("bellman-equation", seed)
    g = drill.given
    gamma, P, paid, V, Q = bellman(g)
    to_1, r = exact(g["to_1"]), g["rewards"]
    determinant = (1 - gamma * P[0][0]) * (1 - gamma * P[1][1]) - gamma**2 * P[0][1] * P[1][0]
    meaning = {"V_1": float(V[0]), "V_2": float(V[1]), "Q_a": float(Q[0]), "Q_b": float(Q[1])}
    ask, tell = pages(drill, meaning | {r"\gamma": g["gamma"]})
    names = ["a", "b", "c"]
    ask.table(*([["1", "1", "2"][k], names[k], float(to_1[k]), float(1 - to_1[k]), r[k]] for k in range(3)))
    for text in ("A process has two states and", "In state 2 there is one action", "a or b in state 1 with probability "
                 "0.5 each", "from state 1 and the expected", "of a and b in state 1 ("):  # fmt: skip
        ask.says(text)
    ask.done()
    tell.says("to state 1 with $#=#$, to state 2 with $#=#$; reward $#=#$.", *[float(P[0][0])] * 2,
              *[float(P[0][1])] * 2, *[float(paid[0])] * 2)  # fmt: skip
    tell.says("The determinant is $#=#$", *[float(determinant)] * 2)
    tell.says(f"**Better:** {NAMES[Q[1] > Q[0]]}, since")
    tell.says("must be $V_1$: $#=#$.", *[float(V[0])] * 2)
    tell.done()


# ---------------------------------------------------------------- value iteration and policy iteration


def process(g):
    P = [[[exact(p) for p in row] for row in state] for state in g["transitions"]]
    assert all(sum(row) == 1 for state in P for row in state)
    return exact(g["gamma"]), P, exact(g["rewards"])


def worth(gamma, P, r, V):
    """What each action is worth in states 1 and 2; the end is worth nothing."""
    return [[r[s][a] + gamma * sum(P[s][a][t] * V[t] for t in (0, 1)) for a in (0, 1)] for s in (0, 1)]


def value_of(gamma, P, r, policy):
    rows = [[(s == t) - gamma * P[s][policy[s]][t] for t in (0, 1)] for s in (0, 1)]
    return solve(rows, [r[s][policy[s]] for s in (0, 1)])


def best_value(gamma, P, r):
    """The best of all four policies, in each state."""
    values = [value_of(gamma, P, r, policy) for policy in itertools.product((0, 1), repeat=2)]
    return [max(V[s] for V in values) for s in (0, 1)]


@pytest.mark.equation("mdp-optimality-backup", "mdp-stopping", "mdp-sweeps")
@each_seed()
def test_value_iteration(seed):
    _, g, answer = load("value-iteration", seed)
    model = process(g)
    sweeps = [[Fraction(0)] * 2]
    for _ in range(3):
        sweeps.append([max(q) for q in worth(*model, sweeps[-1])])
    assert [[Fraction(v) for v in row] for row in answer["sweeps"]] == sweeps[1:]
    last = worth(*model, sweeps[3])
    assert all(q[0] != q[1] for q in last)
    assert answer["greedy"] == [NAMES[q[1] > q[0]] for q in last]
    best = best_value(*model)
    error = max(abs(a - b) for a, b in zip(best, sweeps[3], strict=True))
    change = max(abs(a - b) for a, b in zip(sweeps[3], sweeps[2], strict=True))
    assert near(answer["bound"], change)  # gamma / (1 - gamma) = 1
    assert error <= change
    first = max(abs(v) for v in sweeps[1])
    assert 2 * first / 2 ** answer["needed"] <= exact(g["goal"]) < 2 * first / 2 ** (answer["needed"] - 1)
    V = [Fraction(0)] * 2
    for _ in range(answer["needed"]):
        V = [max(q) for q in worth(*model, V)]
    assert max(abs(a - b) for a, b in zip(best, V, strict=True)) <= exact(g["goal"])


def table_of(g):
    return [[str(s + 1), NAMES[a], *g["transitions"][s][a], g["rewards"][s][a]] for s in (0, 1) for a in (0, 1)]


def backup(tell, start, Q, end):
    """A line that works two actions out: what it begins with, both values, what it ends with."""
    tell.says(start + "a $#$, b $#$" + end, float(Q[0]), float(Q[1]))


@each_seed()
def test_every_number_of_value_iteration(seed):
    drill = drawn("value-iteration", seed)
    g, answer = drill.given, drill.answer
    model = process(g)
    ask, tell = pages(drill, {r"\gamma": 0.5})
    ask.table(*table_of(g))
    ask.says("has the states 1 and 2 and an end")
    ask.says("the distance at most # for sure, by $\\lVert V_k-V_*\\rVert\\le\\tfrac{\\gamma^k}{1-\\gamma}\\lVert "
             "V_1-V_0\\rVert$?", f"{g['goal']:g}")  # fmt: skip
    ask.says("Start from $V=0$ and")
    ask.done()
    V = [0, 0]
    rows = [["0", 0, 0]]
    for k in (1, 2, 3):
        Q = worth(*model, V)
        old, V = V, [max(q) for q in Q]
        tell.says(f"$k={k}$: state 1: a $#$, b $#$, so $#$; state 2: a $#$, b $#$, so $#$.", *map(float, Q[0]),
                  float(V[0]), *map(float, Q[1]), float(V[1]))  # fmt: skip
        rows.append([str(k), *map(float, V)])
    tell.table(*rows)
    Q = worth(*model, V)
    backup(tell, "in state 1 ", Q[0], f": {answer['greedy'][0]};")
    backup(tell, "in state 2 ", Q[1], f": {answer['greedy'][1]}.")
    change = max(abs(a - b) for a, b in zip(V, old, strict=True))
    first = max(abs(v) for v in rows[1][1:])
    tell.says("by at most $#$: $#=#=#$.", *[float(change)] * 4)
    enough = 2 * float(first) / g["goal"]
    tell.says("changed a value by at most $#$: $2 \\cdot 0.5^n \\cdot #\\le#$ for $n\\ge\\log_2(#)$, so $#$ sweeps.",
              float(first), float(first), g["goal"], enough, ceil(log2(enough)))  # fmt: skip
    tell.done()


@pytest.mark.equation("mdp-linear-system", "mdp-greedy", "mdp-improvement")
@each_seed()
def test_policy_iteration(seed):
    _, g, answer = load("policy-iteration", seed)
    model = process(g)
    old = [NAMES.index(a) for a in g["policy"]]
    V = value_of(*model, old)
    Q = worth(*model, V)
    assert all(near(a, b) for a, b in zip(answer["values"], V, strict=True))
    assert all(near(a, b) for row, other in zip(answer["actions"], Q, strict=True)
               for a, b in zip(row, other, strict=True))  # fmt: skip
    new = [int(q[1] > q[0]) for q in Q]
    assert [NAMES[a] for a in new] == answer["improved"] != g["policy"]
    W = value_of(*model, new)
    assert all(near(a, b) for a, b in zip(answer["new_values"], W, strict=True))
    assert all(b >= a for a, b in zip(V, W, strict=True))
    assert V != W
    assert answer["best"] == ("yes" if best_value(*model) == W else "no")


@each_seed()
def test_every_number_of_policy_iteration(seed):
    drill = drawn("policy-iteration", seed)
    g, answer = drill.given, drill.answer
    model = process(g)
    old, new = ([NAMES.index(a) for a in names] for names in (g["policy"], answer["improved"]))
    ask, tell = pages(drill)
    ask.table(*table_of(g))
    ask.says("has the states 1 and 2 and an end")
    ask.says("takes # in state 1 and # in state 2.", *g["policy"])
    ask.says(r"$\gamma=0.5$.")
    ask.done()
    for title, policy in (("**Values:** ", old), ("**New values:** ", new)):
        V = value_of(*model, policy)
        equations = " and ".join(f"$V_{s + 1}=#$" for s in (0, 1))
        tell.symbols |= {"V_1": float(V[0]), "V_2": float(V[1])}
        tell.says(f"{title}{equations}; solved by $V_1=#$ and $V_2=#$.", *map(float, V), *map(float, V))
    Q, U = (worth(*model, value_of(*model, policy)) for policy in (old, new))
    backup(tell, "**Action values:** in state 1 ", Q[0], f", so {answer['improved'][0]};")
    backup(tell, "in state 2 ", Q[1], f", so {answer['improved'][1]}.")
    backup(tell, "The action values are now in state 1 ", U[0], ";")
    backup(tell, "in state 2 ", U[1], ".")
    better = [max(q) > q[a] for q, a in zip(U, new, strict=True)]
    tell.says(("An" if any(better) else "No") + " action is better")
    tell.says(f": {'no' if any(better) else 'yes'}.")
    tell.done()


def test_every_answer_of_a_choice_occurs():
    assert {drawn("discounted-return", s).answer["better"] for s in SEEDS} == {"now", "later"}
    assert {drawn("bellman-equation", s).answer["better"] for s in SEEDS} == {"a", "b"}
    assert {drawn("policy-iteration", s).answer["best"] for s in SEEDS} == {"yes", "no"}
    assert {a for s in SEEDS for a in drawn("value-iteration", s).answer["greedy"]} == {"a", "b"}

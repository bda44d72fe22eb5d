"""Drills on Bayesian networks: worked again with fractions and by the definition of an open path."""

import re
from fractions import Fraction
from itertools import pairwise, product

import pytest

from notes_lib.bayes.bayesian_network import BayesianNetwork, eliminate, enumerate_all
from notes_lib.bayes.bayesian_network.factors import Factor
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

WORDS = {1: "yes", 0: "no"}
CASES = [(1, 1), (1, 0), (0, 1), (0, 0)]


def tenth(value):
    return Fraction(round(10 * value), 10)


def work_query(given):
    """Joint probabilities of the cases with the effect, in fractions."""
    p = [tenth(v) for v in given["prior"]]
    share = [{1: v, 0: 1 - v} for v in p]
    return {(a, b): share[0][a] * share[1][b] * tenth(given["effect"][a][b]) for a, b in CASES}


@pytest.mark.equation("bayesian-network-query")
@each_seed()
def test_query_answer(seed):
    drill = drawn("bayes-net-query", seed)
    joint, answer = work_query(drill.given), drill.answer
    effect = sum(joint.values())
    one, both = (joint[1, 1] + joint[1, 0]) / effect, joint[1, 1] / (joint[1, 1] + joint[0, 1])
    assert answer["joint"] == pytest.approx([float(joint[c]) for c in CASES], rel=1e-12)
    assert answer["effect"] == pytest.approx(float(effect), rel=1e-12)
    assert (answer["one"], answer["both"]) == pytest.approx((float(one), float(both)), rel=1e-10)
    assert answer["direction"] == ("against" if both < one else "for")


def test_both_directions_occur():
    assert {drawn("bayes-net-query", seed).answer["direction"] for seed in SEEDS} == {"against", "for"}


@each_seed()
def test_query_page(seed):
    drill = drawn("bayes-net-query", seed)
    g, joint = drill.given, work_query(drill.given)
    ask, tell = pages(drill)
    ask.says("$A$ with probability $#$ and $B$ with probability $#$,", *g["prior"])
    ask.table(*([WORDS[a], WORDS[b], g["effect"][a][b]] for a, b in CASES))
    ask.table(*([WORDS[a], WORDS[b], None] for a, b in CASES))
    ask.done()
    tell.table(*([WORDS[a], WORDS[b], float(joint[a, b])] for a, b in CASES))
    effect = sum(joint.values())
    one, both = (joint[1, 1] + joint[1, 0]) / effect, joint[1, 1] / (joint[1, 1] + joint[0, 1])
    tell.says("**Effect:** $#$.", float(effect))
    tell.says("keep the cases with $A$, $#$.", float(one))
    tell.says("only cases with $B$ are left, $#$.", float(both))
    tell.says("It was $#$ before: $B$ speaks # $A$", float(one), "against" if both < one else "for")
    tell.done()


def ups(graph, node):
    return {node}.union(*(ups(graph, p) for p in graph[node]))


def open_at(graph, a, b, c, given):
    if a in graph[b] and c in graph[b]:
        return any(b in ups(graph, z) for z in given)
    return b not in given


def walks(graph, path, end):
    """All paths to the end, by going to every neighbour."""
    if path[-1] == end:
        return [path]
    near = [n for n in graph if n in graph[path[-1]] or path[-1] in graph[n]]
    return [w for n in near if n not in path for w in walks(graph, [*path, n], end)]


@each_seed()
def test_d_separation_answer_and_reasons(seed):
    drill = drawn("d-separation", seed)
    graph, answer = drill.given["parents"], drill.answer
    told = re.split(r"\*\*Question \d:\*\* ", drill.solution)[1:]
    for (x, y, z), said, text in zip(drill.given["questions"], answer["separated"], told, strict=True):
        lines = [line[2:] for line in text.splitlines() if line.startswith("- ")]
        found = {tuple(re.findall(r"\b[A-F]\b", line.partition(":")[0])): line for line in lines}
        paths = walks(graph, [x], y)
        assert set(found) == {tuple(p) for p in paths}
        assert len(lines) == len(paths)
        states = []
        for p in paths:
            line, first = found[tuple(p)], None
            drawing = "".join(f" {'→' if a in graph[b] else '←'} {b}" for a, b in pairwise(p))
            assert line.startswith(f"{p[0]}{drawing}: ")
            for a, b, c in zip(p, p[1:], p[2:], strict=False):
                if first is None and not open_at(graph, a, b, c, z):
                    first = (b, "which is observed" if b in z else "where two arrows meet")
            states.append(first is None)
            reason = line.rpartition(": ")[2]
            assert reason == "open." if first is None else reason.startswith(f"blocked at {first[0]}, {first[1]}")
        assert said == ("no" if any(states) else "yes")
        assert text.startswith(f"{said}.")


@each_seed()
def test_blanket(seed):
    drill = drawn("d-separation", seed)
    graph, node = drill.given["parents"], drill.given["node"]
    below = {n for n in graph if node in graph[n]}
    others = {p for n in below for p in graph[n]} - {node}
    expected = sorted({*graph[node], *below, *others})
    assert drill.answer["blanket"] == expected
    parts = re.search(
        r"parents (.*), children (.*), other parents of the children (.*); together (.*)\.", drill.solution
    )
    for text, names in zip(parts.groups(), [graph[node], below, others, expected], strict=True):
        assert re.findall(r"\b[A-F]\b", text) == sorted(names)


@each_seed()
def test_d_separation_page(seed):
    drill = drawn("d-separation", seed)
    ask, tell = pages(drill)
    arrows = re.findall(r"([A-F]) → ([A-F])", drill.statement)
    assert arrows == [(p, n) for n, above in drill.given["parents"].items() for p in above]
    for x, y, z in drill.given["questions"]:
        text = " and ".join(z) or "nothing"
        assert f"Are {x} and {y} independent given {text} in every" in drill.statement
    assert f"blanket of {drill.given['node']} " in drill.statement
    for i in (1, 2, 3):
        tell.says("**Question #:**", i)
    ask.done()
    tell.done()


def work_elimination(given):
    a, b, c, d = ([[tenth(v) for v in row] for row in given[k]] if k in "bc" else [tenth(v) for v in given[k]]
                  for k in "abcd")  # fmt: skip
    by_c = [sum(p * q for p, q in zip(row, d, strict=True)) for row in c]
    by_b = [sum(p * q for p, q in zip(row, by_c, strict=True)) for row in b]
    weight = [0, 0]
    for i, j, k in product(range(2), range(len(c)), range(len(d))):  # the whole table, which the drill avoids
        weight[i] += a[i] * b[i][j] * c[j][k] * d[k]
    return by_c, by_b, weight


@pytest.mark.equation("bayesian-network-message")
@each_seed()
def test_elimination_answer(seed):
    drill = drawn("variable-elimination", seed)
    by_c, by_b, weight = work_elimination(drill.given)
    answer = drill.answer
    assert answer["by_c"] == pytest.approx([float(v) for v in by_c], rel=1e-12)
    assert answer["by_b"] == pytest.approx([float(v) for v in by_b], rel=1e-12)
    assert answer["evidence"] == pytest.approx(float(sum(weight)), rel=1e-12)
    assert answer["posterior"] == pytest.approx([float(w / sum(weight)) for w in weight], rel=1e-10)


@pytest.mark.equation("bayesian-network-message")
@each_seed()
def test_elimination_counts_are_those_of_the_library(seed):
    g, answer = drawn("variable-elimination", seed).given, drawn("variable-elimination", seed).answer
    tables = {"A": g["a"], "B": g["b"], "C": g["c"], "D": [[1 - p, p] for p in g["d"]]}
    network = BayesianNetwork({"A": [], "B": ["A"], "C": ["B"], "D": ["C"]}).set_tables(tables)
    factors = [Factor(("A",), network.cpts_["A"]), Factor(("A", "B"), network.cpts_["B"])]
    factors += [Factor(("B", "C"), network.cpts_["C"]), Factor(("C",), network.cpts_["D"][:, 1])]
    assert eliminate(factors, ["C", "B"]).multiplications == answer["few"]
    assert enumerate_all(factors, ["A"]).multiplications == answer["many"]


@each_seed()
def test_elimination_page(seed):
    drill = drawn("variable-elimination", seed)
    g, answer = drill.given, drill.answer
    by_c, by_b, weight = work_elimination(g)
    ask, tell = pages(drill)
    ask.table(list(g["a"]))
    ask.table(*([f"A = {i}", *row] for i, row in enumerate(g["b"])))
    ask.table(*([f"B = {j}", *row] for j, row in enumerate(g["c"])))
    ask.table(*([f"C = {k}", p] for k, p in enumerate(g["d"])))
    ask.says("You observe D = #.", 1)
    ask.done()
    tell.table(*([f"B = {j}", float(v)] for j, v in enumerate(by_c)))
    tell.table(*([f"A = {i}", float(v)] for i, v in enumerate(by_b)))
    tell.says("prior of A, $#$.", float(sum(weight)))
    tell.says("**Posterior:** $#$ and $#$.", *(float(w / sum(weight)) for w in weight))
    n = 2 * len(g["c"]) * len(g["d"])
    tell.says("**Cost:** $#$ multiplications. The whole table has $#$ entries", answer["few"], n)
    tell.says("so $#$.", answer["many"])
    tell.done()


@pytest.mark.equation("bayesian-network-parameters")
@each_seed()
def test_parameters_counted_row_by_row(seed):
    drill = drawn("parameter-count", seed)
    graph, k, (start, end), answer = *(drill.given[x] for x in ("parents", "states", "arrow")), drill.answer

    def free(graph):
        return [sum(k[n] - 1 for _ in product(*(range(k[p]) for p in graph[n]))) for n in graph]

    assert answer["each"] == free(graph)
    assert answer["total"] == sum(free(graph))
    assert answer["full"] == len(list(product(*(range(v) for v in k.values())))) - 1
    assert start < end
    assert start not in graph[end]
    assert answer["more"] == sum(free({**graph, end: [*graph[end], start]})) - sum(free(graph))


@each_seed()
def test_parameters_page(seed):
    drill = drawn("parameter-count", seed)
    g, answer = drill.given, drill.answer
    ask, tell = pages(drill)
    arrows = [(p, n) for n, above in g["parents"].items() for p in above]
    assert re.findall(r"([A-E]) → ([A-E])", drill.statement) == [*arrows, tuple(g["arrow"])]
    ask.table(*([n, k] for n, k in g["states"].items()))
    ask.done()
    tell.table(*([n, " and ".join(above) or "none", m]
                 for (n, above), m in zip(g["parents"].items(), answer["each"], strict=True)))  # fmt: skip
    tell.says("**Network:** $#$.", answer["total"])
    tell.says("**Joint table:** $#$.", answer["full"])
    start, end = g["arrow"]
    tell.says("table of # has $#$ times as many rows, $#$ parameters more.", end, g["states"][start], answer["more"])
    tell.done()

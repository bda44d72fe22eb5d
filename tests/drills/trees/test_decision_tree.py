"""Drills on decision trees: answers recomputed from the given rows with fractions and math.log alone."""

import itertools
import json
import math

import pytest

from tests.drills.arithmetic import CARRIED_PLACES
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed


def bits(*counts):
    """Entropy of counts in bits, as log of the total less the mean log of the counts."""
    n = sum(counts)
    return math.log2(n) - sum(c * math.log2(c) for c in counts if c) / n


def left(table):
    n = sum(map(sum, table))
    return sum(sum(row) * bits(*row) for row in table if any(row)) / n


def table_of(values, labels):
    """A row for each value that occurs: yes, no."""
    pairs = list(zip(values, labels, strict=True))
    return [[pairs.count((v, 1)), pairs.count((v, 0))] for v in sorted(set(values))]


def close(a, b):
    return a == pytest.approx(b, abs=2e-9)


def label(k):
    return "yes" if k else "no"


def work_split(given):
    x, y = given["x"], given["y"]
    cuts = [(a + b) / 2 for (a, s), (b, t) in itertools.pairwise(zip(x, y, strict=True)) if s != t]
    tables = [table_of([v > t for v in x], y) for t in cuts]
    return cuts, tables, [sum(y), len(y) - sum(y)]


@pytest.mark.equation("decision-tree-boundary", "decision-tree-after")
@each_seed()
def test_entropy_split(seed):
    drill = drawn("entropy-split", seed)
    given, answer = json.loads(json.dumps(drill.given)), drill.answer
    x, y = given["x"], given["y"]
    cuts, tables, total = work_split(given)
    assert sorted(set(x)) == x
    assert answer["thresholds"] == cuts
    assert len(cuts) == 3
    rests = [left(table) for table in tables]
    assert close(answer["left"], rests)
    assert close(answer["entropy"], bits(*total))
    every = {(a + b) / 2: left(table_of([v > (a + b) / 2 for v in x], y)) for a, b in itertools.pairwise(x)}
    best = min(every, key=every.get)
    assert answer["best"] == f"{best:g}"
    assert close(answer["gain"], bits(*total) - every[best])


def work_tree(given):
    X, y = given["X"], given["y"]
    n = len(y)
    tables = [table_of([row[j] for row in X], y) for j in range(3)]
    H = bits(sum(y), n - sum(y))
    gains = [H - left(table) for table in tables]
    root = gains.index(max(gains))
    (branch,) = [v for v in (0, 1) if len({k for row, k in zip(X, y, strict=True) if row[root] == v}) == 2]
    inside = [(row, k) for row, k in zip(X, y, strict=True) if row[root] == branch]
    labels = [k for _, k in inside]
    others = [j for j in range(3) if j != root]
    pairs = [table_of([row[j] for row, _ in inside], labels) for j in others]
    mixed = [sum(labels), len(labels) - sum(labels)]
    below = [bits(*mixed) - left(pair) for pair in pairs]
    second = others[below.index(max(below))]
    return tables, H, gains, root, branch, others, pairs, mixed, below, second


@pytest.mark.equation("decision-tree-gain")
@each_seed()
def test_id3_tree(seed):
    drill = drawn("id3-tree", seed)
    given, answer = json.loads(json.dumps(drill.given)), drill.answer
    X, y = given["X"], given["y"]
    _, H, gains, root, branch, _, pairs, _, below, second = work_tree(given)
    assert close(answer["entropy"], H)
    assert close(answer["gains"], gains)
    assert close(answer["below"], below)
    assert answer["root"] == "ABC"[root]
    assert answer["second"] == "ABC"[second]
    assert abs(below[0] - below[1]) > 0.02
    assert all(0 in row for row in pairs[below.index(max(below))])
    assert answer["leaves"] == 3
    query = given["query"]
    assert query[root] == branch
    same = {k for row, k in zip(X, y, strict=True) if all(row[j] == query[j] for j in (root, second))}
    assert {answer["label"]} == {label(k) for k in same}


@pytest.mark.equation("decision-tree-intrinsic", "decision-tree-ratio", "decision-tree-average-rule")
@each_seed()
def test_gain_ratio(seed):
    drill = drawn("gain-ratio", seed)
    given, answer = json.loads(json.dumps(drill.given)), drill.answer
    totals = {tuple(map(sum, zip(*given[name], strict=True))) for name in "ABC"}
    (total,) = totals
    gains = [bits(*total) - left(given[name]) for name in "ABC"]
    sizes = [bits(*map(sum, given[name])) for name in "ABC"]
    ratios = [g / s for g, s in zip(gains, sizes, strict=True)]
    assert [len(given[name]) for name in "ABC"] == [2, 3, 4]
    assert close(answer["gains"], gains)
    assert close(answer["intrinsic"], sizes)
    assert close(answer["ratios"], ratios)
    assert answer["id3"] == "ABC"[gains.index(max(gains))]
    allowed = [j for j in range(3) if gains[j] >= sum(gains) / 3]
    assert answer["c45"] == "ABC"[max(allowed, key=lambda j: ratios[j])]


def names(*tables):
    return {f"h({', '.join(map(str, row))})": bits(*row) for table in tables for row in table}


def check_work(page):
    page.says(r"Use $\log_2 3 = #$, $\log_2 5 = #$, $\log_2 7 = #$ and $\ln 2 = #$; $0 \log 0 = 0$.",
              math.log2(3), math.log2(5), math.log2(7), math.log(2))  # fmt: skip


def check_left(page, before, table, after="", *values):
    """Entropies of the branches and their mean."""
    n, rest = sum(map(sum, table)), left(table)
    each = ", ".join(f"${name} = #$" for name in (f"h({', '.join(map(str, row))})" for row in table))
    terms = " + ".join(rf"\tfrac{{{sum(row)}}}{{{n}}} \cdot #" for row in table)
    page.says(f"{before}{each}. Left: ${terms} = #$.{after}", *(bits(*row) for row in table),
              *(bits(*row) for row in table), rest, *values)  # fmt: skip


@each_seed()
def test_every_number_of_a_split(seed):
    drill = drawn("entropy-split", seed)
    given = drill.given
    cuts, tables, total = work_split(given)
    H, rests = bits(*total), [left(table) for table in tables]
    ask, tell = pages(drill, {"H": H} | names(*tables, [total]), CARRIED_PLACES)
    ask.says("# instances with one", len(given["x"]))
    ask.table(*([v, label(k)] for v, k in zip(given["x"], given["y"], strict=True)))
    check_work(ask)
    ask.done()
    tell.says("between neighbours: $#$, $#$, $#$.", *cuts)
    tell.says(f"$H = h({total[0]}, {total[1]}) = #$ bits.", H)
    for cut, table in zip(cuts, tables, strict=True):
        check_left(tell, f"- $x \\leq {cut:g}$: ", table)
    best = min(range(3), key=rests.__getitem__)
    tell.says("$x \\leq #$, with the gain $# - # = #$ bits.", cuts[best], H, rests[best], H - rests[best])
    tell.says("may differ by 1 from yours")
    tell.done()


@each_seed()
def test_every_number_of_a_tree(seed):
    drill = drawn("id3-tree", seed)
    given, n = drill.given, len(drill.given["y"])
    tables, H, gains, root, branch, others, pairs, mixed, below, second = work_tree(given)
    total = [sum(given["y"]), n - sum(given["y"])]
    query = ", ".join(f"{name} = {v}" for name, v in zip("ABC", given["query"], strict=True))
    ask, tell = pages(drill, {"H": H} | names(*tables, *pairs, [total, mixed]), CARRIED_PLACES)
    ask.says("# instances, described by three attributes with the values 0 and 1:", n)
    ask.table(*([*row, label(k)] for row, k in zip(given["X"], given["y"], strict=True)))
    check_work(ask)
    ask.says(f"which label does it give to {query}? (1 mark)")
    ask.done()
    tell.says(f"$H = h({total[0]}, {total[1]}) = #$ bits.", H)
    for name, table, gain in zip("ABC", tables, gains, strict=True):
        check_left(tell, f"**Attribute {name}** (2 marks): ", table, " Gain: $# - # = #$.", H, left(table), gain)
    tell.says(f"**Root:** {'ABC'[root]}, the largest gain. The branch {'ABC'[root]} = {1 - branch} is pure.")
    tell.says(f"**Branch {'ABC'[root]} = {branch}** (1 mark for each gain, 1 for the question): "
              f"$h({mixed[0]}, {mixed[1]}) = #$ bits.", bits(*mixed))  # fmt: skip
    for j, pair, gain in zip(others, pairs, below, strict=True):
        check_left(tell, f"- {'ABC'[j]}: ", pair, " Gain: $# - # = #$.", bits(*mixed), left(pair), gain)
    tell.says(f"Ask {'ABC'[second]}: both")
    tell.says(f"(1 mark): 3 leaves, one below the root and two below {'ABC'[second]}. **Prediction** (1 mark): {query} "
              f"goes to {'ABC'[root]} = {branch}, then to {'ABC'[second]} = {given['query'][second]}: "
              f"*{drill.answer['label']}*.")  # fmt: skip
    tell.says("may differ by 1 from yours")
    tell.done()


@each_seed()
def test_every_number_of_a_ratio(seed):
    drill = drawn("gain-ratio", seed)
    tables = [drill.given[name] for name in "ABC"]
    total = [sum(column) for column in zip(*tables[0], strict=True)]
    H, n = bits(*total), sum(total)
    gains, sizes = [H - left(table) for table in tables], [[sum(row) for row in table] for table in tables]
    known = {"H": H} | names(*tables, [total], sizes)
    ask, tell = pages(drill, known, CARRIED_PLACES)
    ask.says("# instances, # labelled *yes* and # labelled *no*, have", n, *total)
    ask.table(*([f"{name} = {i}", *row] for name, table in zip("ABC", tables, strict=True)
                for i, row in enumerate(table, 1)))  # fmt: skip
    check_work(ask)
    ask.says("ID3 ask (1 mark), and which one C4.5, which")
    ask.done()
    tell.says(f"$H = h({total[0]}, {total[1]}) = #$ bits.", H)
    for name, table, gain in zip("ABC", tables, gains, strict=True):
        check_left(tell, f"**Gain of {name}** (1 mark): ", table, " Gain: $# - # = #$.", H, left(table), gain)
    for name, size, gain in zip("ABC", sizes, gains, strict=True):
        shown = ", ".join(map(str, size))
        tell.says(f"- {name}: $\\mathrm{{IV}} = h({shown}) = #$, ratio $# = #$.", bits(*size), gain / bits(*size),
                  gain / bits(*size))  # fmt: skip
    mean = sum(gains) / 3
    allowed = " and ".join(name for name, gain in zip("ABC", gains, strict=True) if gain >= mean)
    tell.says("ID3 asks #. The mean gain is $\\tfrac13 (# + # + #) = #$; at least as much gain: #. C4.5 asks #.",
              drill.answer["id3"], *gains, mean, allowed, drill.answer["c45"])  # fmt: skip
    tell.says("may differ by 1 from yours")
    tell.done()

"""The drills on hierarchical clustering, worked again from the definitions, without the library."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from tests.drills.arithmetic import PLACES
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed

EXTREME = {"single": min, "complete": max}


def work_merges(D, method):
    """Clusters with their distances before each merge, and each union with its height, from all pairs of members."""
    between = lambda p, q: EXTREME[method](D["ABCDE".index(a)]["ABCDE".index(b)] for a in p for b in q)
    clusters, trace = list("ABCDE"[: len(D)]), []
    while len(clusters) > 1:
        distances = {pair: between(*pair) for pair in combinations(clusters, 2)}
        height = min(distances.values())
        nearest = [pair for pair, d in distances.items() if d == height]
        assert len(nearest) == 1, "a tie"
        union = "".join(sorted("".join(nearest[0])))
        trace.append((clusters, distances, union, height))
        clusters = sorted([c for c in clusters if c not in nearest[0]] + [union])
    return trace


@pytest.mark.equation("hierarchical-clustering-lw-single", "hierarchical-clustering-lw-complete")
@each_seed()
def test_linkage_merges_answer(seed):
    drill = drawn("linkage-merges", seed)
    D = drill.given["distances"]
    assert all(D[i][j] <= D[i][k] + D[k][j] for i in range(5) for j in range(5) for k in range(5))
    traces = {method: work_merges(D, method) for method in EXTREME}
    for method, trace in traces.items():
        assert drill.answer[method]["unions"] == [list(union) for *_, union, _ in trace]
        assert drill.answer[method]["heights"] == [height for *_, height in trace]
        assert drill.answer[f"two_{method}"] == [list(cluster) for cluster in trace[-1][0]]
    assert [step[2] for step in traces["single"]] != [step[2] for step in traces["complete"]]


def triangle(names, value):
    """The rows of a table of distances above the diagonal."""
    return [[a, *(value(a, b) if b > a else None for b in names[1:])] for a in names[:-1]]


@each_seed()
def test_every_number_of_linkage_merges(seed):
    drill = drawn("linkage-merges", seed)
    D = drill.given["distances"]
    ask, tell = pages(drill)
    ask.table(*triangle("ABCDE", lambda a, b: D["ABCDE".index(a)]["ABCDE".index(b)]))
    ask.table(*([t, None, None] for t in range(1, 5)))
    ask.done()
    two = {}
    for method in EXTREME:
        trace = work_merges(D, method)
        two[method] = trace[-1][0]
        word = {"single": "smaller", "complete": "larger"}[method]
        tell.says(f"**{method.capitalize()} linkage.** After a merge, the distance to the new cluster is the {word} of "
                  "the two distances.")  # fmt: skip
        for t, (clusters, distances, union, height) in enumerate(trace, 1):
            if t > 1:
                tell.table(*triangle(clusters, lambda a, b, distances=distances: distances[a, b]))
            tell.says("Merge #: the smallest distance is $#$, so # is made.", t, height, union)
    leaves = [f"{two[method][0]} and {two[method][1]}" for method in EXTREME]
    tell.says("single linkage leaves #, complete linkage leaves #.", *leaves)
    tell.done()


def work_update(given):
    """Increases by all three merges, the pair, the squared distance of its mean to the third, and the last increase.

    The means are put into the plane from their distances; everything is then computed with points.
    """
    n = given["sizes"]
    pairs = list(combinations(range(3), 2))
    square = {frozenset(p): Fraction(v) for p, v in zip(pairs, given["squares"], strict=True)}
    growth = [Fraction(n[p] * n[q], n[p] + n[q]) * square[frozenset((p, q))] for p, q in pairs]
    i, j = pairs[growth.index(min(growth))]
    k = 3 - i - j
    base = math.sqrt(square[frozenset((i, j))])
    x = float(square[frozenset((i, k))] - square[frozenset((j, k))] + square[frozenset((i, j))]) / (2 * base)
    height_squared = max(float(square[frozenset((i, k))]) - x * x, 0.0)
    m_i, m_j, m_k = np.array([0.0, 0.0]), np.array([base, 0.0]), np.array([x, math.sqrt(height_squared)])
    union = (n[i] * m_i + n[j] * m_j) / (n[i] + n[j])
    central = float(((union - m_k) ** 2).sum())
    whole = (n[i] * m_i + n[j] * m_j + n[k] * m_k) / sum(n)
    scatter = lambda about, *of: sum(n[c] * float(((m - about) ** 2).sum()) for c, m in of)
    last = scatter(whole, (i, m_i), (j, m_j), (k, m_k)) - scatter(union, (i, m_i), (j, m_j))
    return growth, (i, j, k), square, central, last


@pytest.mark.equation(
    "hierarchical-clustering-lw-centroid", "hierarchical-clustering-lw-ward", "hierarchical-clustering-ward-increase"
)
@each_seed()
def test_lance_williams_answer(seed):
    drill = drawn("lance-williams", seed)
    growth, (i, j, _), square, central, last = work_update(drill.given)
    answer = drill.answer
    assert answer["increases"] == pytest.approx([float(v) for v in growth], rel=1e-12)
    assert answer["pair"] == "IJK"[i] + "IJK"[j]
    assert answer["height"] == pytest.approx(math.sqrt(2 * min(growth)), rel=1e-12)
    assert answer["centre"] == pytest.approx(central, rel=1e-9)
    assert answer["last"] == pytest.approx(last, rel=1e-9)
    assert answer["inversion"] == ("yes" if central < square[frozenset((i, j))] else "no")


def test_some_centroids_come_nearer():
    found = [drawn("lance-williams", seed).answer["inversion"] for seed in SEEDS]
    assert set(found) == {"yes", "no"}


@each_seed()
def test_every_number_of_lance_williams(seed):
    drill = drawn("lance-williams", seed)
    growth, (i, j, _), square, central, last = work_update(drill.given)
    n, letters = drill.given["sizes"], "IJK"
    names = ["IJ", "IK", "JK"]
    a, b = letters[i], letters[j]
    ask, tell = pages(drill, {f"n_{c}": v for c, v in zip(letters, n, strict=True)}, PLACES)
    ask.says("have $#$, $#$ and $#$ members", *n)
    ask.table(*([name, v] for name, v in zip(names, drill.given["squares"], strict=True)))
    ask.done()
    tell.table(*([name, float(v)] for name, v in zip(names, growth, strict=True)))
    tell.says("$\\Delta=\\tfrac{n_in_j}{n_i+n_j}\\,\\lVert m_i-m_j\\rVert^2$ for each pair")
    tell.says("the smallest increase, #, at the height $#$.", a + b, math.sqrt(2 * min(growth)))
    tell.says(f"with $n_{a}=#$, $n_{b}=#$ and together $#$, the", n[i], n[j], n[i] + n[j])
    tell.says("$$#$$", central)
    tell.says("**Last increase:** $#$. Ward's own formula gives the same: $#$.", last, last)
    first = float(square[frozenset((i, j))])
    relation, word = ("<", "yes") if central < first else (">", "no")
    tell.says(f"**Inversion:** #, since $#{relation}#$. Ward's heights never fall.", word, central, first)
    tell.done()


def work_cophenetic(given):
    """Distances and cophenetic distances of all pairs, and the trace of the merges."""
    D = given["distances"]
    trace = work_merges(D, given["method"])
    pairs = list(combinations("ABCD", 2))
    y = [D["ABCD".index(a)]["ABCD".index(b)] for a, b in pairs]
    C = [next(height for *_, union, height in trace if a in union and b in union) for a, b in pairs]
    return ["".join(p) for p in pairs], y, C, trace


@pytest.mark.equation("hierarchical-clustering-cophenetic", "hierarchical-clustering-correlation")
@each_seed()
def test_cophenetic_answer(seed):
    drill = drawn("cophenetic", seed)
    labels, y, C, trace = work_cophenetic(drill.given)
    assert drill.answer["cophenetic"] == C
    assert drill.answer["correlation"] == pytest.approx(np.corrcoef(y, C)[0, 1], rel=1e-12)
    off = [abs(a - b) for a, b in zip(y, C, strict=True)]
    assert off.count(max(off)) == 1
    assert drill.answer["worst"] == labels[off.index(max(off))]
    assert drill.answer["clusters"] == 4 - sum(height <= drill.given["level"] for *_, height in trace)


@each_seed()
def test_every_number_of_cophenetic(seed):
    drill = drawn("cophenetic", seed)
    labels, y, C, trace = work_cophenetic(drill.given)
    level = drill.given["level"]
    d, c = (Fraction(sum(v), 6) for v in (y, C))
    assert d.denominator == c.denominator == 1
    ask, tell = pages(drill, {"\\bar d": float(d), "\\bar c": float(c)}, PLACES)
    told = "; ".join("# at height $#$" for _ in trace)
    ask.says(f"the tree of {drill.given['method']} linkage: {told}.", *(v for *_, u, h in trace for v in (u, h)))
    ask.table(*triangle("ABCD", lambda a, b: drill.given["distances"]["ABCD".index(a)]["ABCD".index(b)]))
    ask.says("a cut at height $#$ leave", level)
    ask.table(*([label, *5 * [None]] for label in labels))
    ask.done()
    u, v = [a - int(d) for a in y], [b - int(c) for b in C]
    products = [p * q for p, q in zip(u, v, strict=True)]
    tell.says("With the means $\\bar d=#$ and $\\bar c=#$:", int(d), int(c))
    tell.table(*(list(row) for row in zip(labels, y, C, u, v, products, strict=True)))
    S_dd, S_cc = sum(p * p for p in u), sum(q * q for q in v)
    tell.says(
        "$\\sum(d-\\bar d)(c-\\bar c)=#$, $\\sum(d-\\bar d)^2=#$, $\\sum(c-\\bar c)^2=#$, so", sum(products), S_dd, S_cc
    )
    tell.says("so the correlation is $#$.", float(np.corrcoef(y, C)[0, 1]))
    worst = max(range(6), key=lambda t: abs(y[t] - C[t]))
    below = sum(height <= level for *_, height in trace)
    tell.says("The largest difference is that of #, $#$.", labels[worst], abs(y[worst] - C[worst]))
    tell.says("Of the merges $#$ lie below $#$, so $#$ clusters are left.", below, level, 4 - below)
    tell.done()

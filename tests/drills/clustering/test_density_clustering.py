"""Drills on density-based and spectral clustering: worked again in whole numbers and fractions."""

from fractions import Fraction
from itertools import combinations

import pytest

from tests.drills.exact import load, near
from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

NAMES, NODES = "ABCDEFGHI", "ABCDE"


def squared(x, y):
    return sum((a - b) ** 2 for a, b in zip(x, y, strict=True))


def work_dbscan(given):
    """Neighbours, kinds and clusters, by expanding one cluster after the other."""
    X, least = given["points"], given["least"]
    near_to = [[j for j in range(9) if squared(X[i], X[j]) <= 4] for i in range(9)]
    core = [len(near_to[i]) >= least for i in range(9)]
    labels, cluster = [-1] * 9, 0
    for i in range(9):
        if core[i] and labels[i] < 0:
            queue = [i]
            while queue:
                p = queue.pop()
                if labels[p] < 0:
                    labels[p] = cluster
                    queue += near_to[p] if core[p] else []
            cluster += 1
    kinds = ["core" if core[i] else "border" if labels[i] >= 0 else "noise" for i in range(9)]
    order = sorted(squared(X[given["asked"]], x) for x in X)
    return near_to, kinds, labels, order


@pytest.mark.equation("density-clustering-neighborhood", "density-clustering-core", "density-clustering-cluster",
                      "density-clustering-k-distance")  # fmt: skip
@each_seed()
def test_dbscan_answer(seed):
    _, g, answer = load("dbscan-labels", seed)
    near_to, kinds, labels, order = work_dbscan(g)
    assert answer["counts"] == [len(row) for row in near_to]
    assert answer["types"] == kinds
    assert answer["labels"] == labels
    assert answer["radius"] == order[g["least"] - 1] > 4
    assert {0, 1, -1} == set(labels)
    assert "border" in kinds


def test_dbscan_varies():
    drills = [drawn("dbscan-labels", s) for s in range(30)]
    assert {d.given["least"] for d in drills} == {3, 4}
    assert any("Both clusters reach" in d.solution for d in drills)
    assert any("Both clusters reach" not in d.solution for d in drills)


@each_seed()
def test_every_number_of_dbscan(seed):
    drill = drawn("dbscan-labels", seed)
    X, least, asked = (drill.given[k] for k in ("points", "least", "asked"))
    near_to, kinds, labels, order = work_dbscan(drill.given)
    told = {NAMES[i]: [X[i]] for i in range(9)} | {r"\varepsilon": 2, r"\varepsilon^2": 4}
    ask, tell = pages(drill, told)
    ask.says("at least # neighbours for a core point", str(least))
    ask.says("a point at distance 2")
    ask.says("the first cluster is 0, and noise is $-1$")
    ask.says(r"For which $\varepsilon^2$ does # become", NAMES[asked])
    ask.table(*([name, None, None, None, None] for name in NAMES))
    ask.done()
    tell.says("at most $2^2=4$")
    tell.table(
        *(
            [("$#=#$", NAMES[i], [X[i]]), " ".join(NAMES[j] for j in near_to[i]), len(near_to[i]), kinds[i], labels[i]]
            for i in range(9)
        )
    )
    for c in (0, 1):
        members = [i for i in range(9) if labels[i] == c]
        cores = [NAMES[i] for i in members if kinds[i] == "core"]
        tell.says("**Cluster #** starts at the core point # and grows through the core points #. ", str(c), cores[0],
                  ", ".join(cores))  # fmt: skip
        added = [NAMES[i] for i in members if kinds[i] == "border"]
        tell.says(f"Their neighbours {', '.join(added)} join" if added else "No border point joins")
    tell.says("among their neighbours: #.", ", ".join(NAMES[i] for i in range(9) if labels[i] < 0))
    tell.says("squared distances from # are # and so on", NAMES[asked], ", ".join(map(str, order[: least + 1])))
    tell.says(r"in place # is $\varepsilon^2=#$", str(least), order[least - 1])
    tell.done()


def work_graph(given):
    """Weights, degrees, and for both splits the crossing edges, sizes and volumes."""
    W = [[0] * 5 for _ in range(5)]
    for a, b, w in given["edges"]:
        W[a][b] = W[b][a] = w
    d = [sum(row) for row in W]
    splits = []
    for key in ("first", "second"):
        s = given[key]
        cut = [w for a, b, w in given["edges"] if s[a] != s[b]]
        sizes = [s.count(g) for g in (0, 1)]
        volumes = [sum(d[i] for i in range(5) if s[i] == g) for g in (0, 1)]
        splits.append((cut, sizes, volumes))
    return W, d, splits


def components(W, s):
    """Pieces of the graph without the edges between the groups, by repeated merging."""
    part = list(range(5))
    for a, b in list(combinations(range(5), 2)) * 5:
        if W[a][b] and s[a] == s[b]:
            part = [min(part[a], part[b]) if p in (part[a], part[b]) else p for p in part]
    return len(set(part))


@pytest.mark.equation("density-clustering-degree", "density-clustering-laplacian", "density-clustering-quadratic",
                      "density-clustering-ratio-cut", "density-clustering-normalized-cut",
                      "density-clustering-components")  # fmt: skip
@each_seed()
def test_graph_answer(seed):
    _, g, answer = load("graph-laplacian", seed)
    W, d, ((cut, sizes, volumes), (cut_2, _, volumes_2)) = work_graph(g)
    f = g["f"]
    assert answer["degrees"] == d
    assert answer["laplacian"] == [[d[i] if i == j else -W[i][j] for j in range(5)] for i in range(5)]
    L = answer["laplacian"]
    assert answer["form"] == sum(f[i] * L[i][j] * f[j] for i in range(5) for j in range(5))
    assert answer["cut"] == sum(cut)
    assert near(answer["ratio"], sum(Fraction(sum(cut), n) for n in sizes))
    first, second = sum(Fraction(sum(cut), v) for v in volumes), sum(Fraction(sum(cut_2), v) for v in volumes_2)
    assert near(answer["normalized"], first)
    assert near(answer["second"], second)
    assert answer["better"] == ("first" if first < second else "second")
    assert answer["zeros"] == components(W, g["first"]) >= 2
    assert components(W, [0] * 5) == 1


def test_both_splits_win_and_graphs_fall_into_more_than_two_pieces():
    answers = [drawn("graph-laplacian", s).answer for s in range(40)]
    assert {a["better"] for a in answers} == {"first", "second"}
    assert {2, 3} <= {a["zeros"] for a in answers}


@each_seed()
def test_every_number_of_the_graph(seed):
    drill = drawn("graph-laplacian", seed)
    g = drill.given
    W, d, ((cut, sizes, volumes), (cut_2, _, volumes_2)) = work_graph(g)
    f = g["f"]
    ask, tell = pages(drill)
    ask.table(*([f"{NODES[a]} and {NODES[b]}", w] for a, b, w in g["edges"]))
    ask.says("$f=#$. (2 marks)", f)
    ask.says("eigenvalues of the new Laplacian are 0?")
    ask.says(r"$f^\top L f$")
    ask.done()
    tell.says("**Degrees** are the sums of the weights at a node: " + ", ".join(f"{n} has $#$" for n in NODES) + ".",
              *d)  # fmt: skip
    tell.says("minus the weights elsewhere, $#$. Each row sums to 0.",
              [[d[i] if i == j else -W[i][j] for j in range(5)] for i in range(5)])  # fmt: skip
    form = sum(w * (f[a] - f[b]) ** 2 for a, b, w in g["edges"])
    tell.says("one term for each edge, $#$.", form)
    crossing = ", ".join(f"{NODES[a]}{NODES[b]}" for a, b, _ in g["edges"] if g["first"][a] != g["first"][b])
    tell.says("the edges # are cut, $#$. The ratio cut is $#$.", crossing, sum(cut),
              float(sum(Fraction(sum(cut), n) for n in sizes)))  # fmt: skip
    tell.says("have the volumes # and #, so the normalised cut is $#$.", *map(str, volumes),
              float(sum(Fraction(sum(cut), v) for v in volumes)))  # fmt: skip
    tell.says("**Second split:** the cut is $#$.", sum(cut_2))
    tell.says("have the volumes # and #, so the normalised cut is $#$.", *map(str, volumes_2),
              float(sum(Fraction(sum(cut_2), v) for v in volumes_2)))  # fmt: skip
    tell.says("the graph has # connected components, and as many eigenvalues are 0.",
              str(components(W, g["first"])))  # fmt: skip
    tell.done()

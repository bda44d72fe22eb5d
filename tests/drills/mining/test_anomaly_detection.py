"""The drills on anomaly detection, worked again from the definitions in fractions, without the library."""

import math
from fractions import Fraction

import pytest

from tests.drills.page import At, pages
from tests.drills.seeds import drawn, each_seed

NAMES = "abcd"


def work_factors(given):
    """Distances, neighbours, 2-distances, reachability distances, densities and factors, one point after the other."""
    X = given["X"]
    D = [[sum(abs(u - v) for u, v in zip(x, y, strict=True)) for y in X] for x in X]
    near = [sorted(sorted((j for j in range(4) if j != i), key=lambda j: D[i][j])[:2]) for i in range(4)]
    own = [max(D[i][j] for j in near[i]) for i in range(4)]
    reach = [[max(D[i][j], own[j]) for j in near[i]] for i in range(4)]
    density = [1 / Fraction(sum(r), 2) for r in reach]
    factor = [sum(density[j] for j in near[i]) / 2 / density[i] for i in range(4)]
    return D, near, own, reach, density, factor


@pytest.mark.equation("anomaly-detection-lrd", "anomaly-detection-lof")
@each_seed()
def test_lof_score_answer(seed):
    answer = drawn("lof-score", seed).answer
    D, _, own, _, density, factor = work_factors(drawn("lof-score", seed).given)
    assert answer["k_distances"] == own
    assert answer["densities"] == pytest.approx([float(v) for v in density])
    assert answer["factors"] == pytest.approx([float(v) for v in factor])
    assert answer["oddest"] == NAMES[factor.index(max(factor))]
    assert answer["below"] == [n for n, f in zip(NAMES, factor, strict=True) if f < 1]
    assert all(sorted(row)[2] != sorted(row)[3] for row in D)  # the neighbours are beyond dispute


@each_seed()
def test_every_number_of_lof_score(seed):
    drill = drawn("lof-score", seed)
    D, near, own, reach, density, factor = work_factors(drill.given)
    ask, tell = pages(drill)
    ask.says("Four points are $a=#$, $b=#$, $c=#$, $d=#$.", *([x] for x in drill.given["X"]))
    ask.says("Distances are city-block distances, and $k=2$.")
    ask.says("Give the 2-distance of each point")
    ask.says("from its two neighbours")
    ask.says("have a factor below 1?")
    ask.table(*([n, None, None, None, None] for n in NAMES))
    ask.done()
    tell.table(*([n, *row] for n, row in zip(NAMES, D, strict=True)))
    tell.says("**2-distances and densities:**")
    tell.says("the distance and the neighbour's 2-distance.")
    tell.table(
        *(
            [NAMES[i], ", ".join(NAMES[j] for j in near[i]), own[i], ", ".join(map(str, reach[i])), float(density[i])]
            for i in range(4)
        )
    )
    tell.table(*([n, float(f)] for n, f in zip(NAMES, factor, strict=True)))
    tell.says("**Verdict:** # is the oddest. Below 1: #.", drill.answer["oddest"], ", ".join(drill.answer["below"]))
    tell.done()


def c(n):
    """Mean depth of a leaf of a tree of n rows, from the recursion over the size of one side."""
    total = [Fraction(0), Fraction(0)]
    for m in range(2, n + 1):
        total.append(m + Fraction(2, m - 1) * sum(total[1:m]))
    return total[n] / n


def work_paths(given):
    """Cuts, rows in the leaf and path length of the row in each tree."""
    result = []
    for tree in given["trees"]:
        above = given["n"] - tree["alone"] - tree["low"]
        if given["x"][tree["first"]] < tree["cut"]:
            cuts, leaf = 1, tree["alone"]
        else:
            cuts, leaf = 2, tree["low"] if given["x"][tree["second"]] < tree["next"] else above
        result.append((cuts, leaf, cuts + c(leaf)))
    return result


@pytest.mark.equation("anomaly-detection-cn", "anomaly-detection-depth", "anomaly-detection-score")
@each_seed()
def test_isolation_depth_answer(seed):
    given, answer = drawn("isolation-depth", seed).given, drawn("isolation-depth", seed).answer
    paths = [h for _, _, h in work_paths(given)]
    assert answer["c"] == pytest.approx(float(c(given["n"])))
    assert answer["paths"] == pytest.approx([float(h) for h in paths])
    assert answer["mean"] == pytest.approx(float(sum(paths) / 2))
    assert math.log2(answer["score"]) == pytest.approx(-float(sum(paths) / 2 / c(given["n"])))
    assert answer["odd"] == ("yes" if sum(paths) / 2 < c(given["n"]) else "no")


@each_seed()
def test_every_number_of_isolation_depth(seed):
    drill = drawn("isolation-depth", seed)
    g, n = drill.given, drill.given["n"]
    ask, tell = pages(drill)
    ask.says("each grown from $#$ rows and stopped after two cuts. The row $x=#$ is to be judged.", n, [g["x"]])
    for number, tree in enumerate(g["trees"], 1):
        above = n - tree["alone"] - tree["low"]
        rows = lambda m: "row" if m == 1 else "rows"
        ask.says(
            f"Tree {number} cuts $x_{tree['first'] + 1}<#$; the side where this holds is a leaf with $#$ "
            f"{rows(tree['alone'])}. The other side is cut by $x_{tree['second'] + 1}<#$, with $#$ {rows(tree['low'])} "
            f"where this holds and $#$ {rows(above)} where it does not.",
            tree["cut"], tree["alone"], tree["next"], tree["low"], above,
        )  # fmt: skip
    ask.says("Compute $c(#)$, which is $2(H_{#}-1)$ with the harmonic number", n, n)
    ask.done()
    tell.says("**Normaliser:** $#$.", float(c(n)))
    paths = work_paths(g)
    for number, (cuts, leaf, h) in enumerate(paths, 1):
        tell.says(
            f"**Tree {number}:** # cut{'s' * (cuts > 1)}, then a leaf with # row{'s' * (leaf > 1)}, so $#$.",
            cuts, leaf, float(h),
        )  # fmt: skip
    mean = sum(h for _, _, h in paths) / 2
    tell.says("**Mean:** $#$.", float(mean))
    side, verdict = ("above", "sooner") if mean < c(n) else ("below", "later")
    tell.says(f"$#$, {side} 0.5: the row is cut off {verdict} than an average row.", 2 ** -float(mean / c(n)))
    tell.done()


def work_distances(given):
    """Inverse by cofactors, squared distances, threshold by the survival function of two columns, and twins."""
    (a, b), (_, d) = given["covariance"]
    inverse = [
        [Fraction(d, a * d - b * b), Fraction(-b, a * d - b * b)],
        [Fraction(-b, a * d - b * b), Fraction(a, a * d - b * b)],
    ]
    distances = []
    for x in given["X"]:
        u = [p - m for p, m in zip(x, given["mean"], strict=True)]
        distances.append(sum(u[i] * inverse[i][j] * u[j] for i in (0, 1) for j in (0, 1)))
    threshold = 2 * math.log(1 / given["alpha"])
    twins = next(m for m in range(1, given["n"]) if (given["n"] - m) / m < threshold)
    return inverse, distances, threshold, twins


@pytest.mark.equation("anomaly-detection-mahalanobis", "anomaly-detection-alarm", "anomaly-detection-masking")
@each_seed()
def test_mahalanobis_threshold_answer(seed):
    given, answer = drawn("mahalanobis-threshold", seed).given, drawn("mahalanobis-threshold", seed).answer
    inverse, distances, threshold, twins = work_distances(given)
    assert answer["inverse"] == [[float(v) for v in row] for row in inverse]
    assert answer["distances"] == pytest.approx([float(v) for v in distances])
    assert answer["threshold"] == pytest.approx(threshold)
    assert answer["alarms"] == [name for name, v in zip("xyz", distances, strict=True) if v > threshold]
    assert answer["twins"] == twins


@each_seed()
def test_every_number_of_mahalanobis_threshold(seed):
    drill = drawn("mahalanobis-threshold", seed)
    g, n = drill.given, drill.given["n"]
    inverse, distances, threshold, twins = work_distances(g)
    ask, tell = pages(drill)
    ask.says("with the mean $\\mu=#$ and the covariance $\\Sigma=#$.", [g["mean"]], g["covariance"])
    ask.says("At most a share of $#$ of them", g["alpha"])
    ask.says("For two columns the threshold $t$ of the squared distance is $-2\\ln\\alpha$.")
    ask.says("distances of $x=#$, $y=#$, $z=#$", *([x] for x in g["X"]))
    ask.says("are estimated from $#$ rows, with the divisor $#$.", n, n)
    ask.done()
    (a, b), (_, d) = g["covariance"]
    tell.says("the determinant is $#$, so $\\Sigma^{-1}=#$.", a * d - b * b, [[float(v) for v in r] for r in inverse])
    tell.table(
        *(
            [f"${name}$", [[p - m for p, m in zip(x, g["mean"], strict=True)]], float(v)]
            for name, x, v in zip("xyz", g["X"], distances, strict=True)
        )
    )
    tell.says("**Threshold:** $#$. Alarms: #.", threshold, ", ".join(drill.answer["alarms"]))
    limit = n / (1 + threshold)
    tell.says("$m$ of them have at most $#$, which is below", At({"m": 4}, (n - 4) / 4))
    tell.says("if $m$ exceeds $#$, which is about $#$: from $#$ rows on.", At({"t": threshold}, limit), limit, twins)
    tell.done()

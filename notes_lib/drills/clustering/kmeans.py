"""Drills on k-means: Lloyd's algorithm until nothing changes, the sampling of k-means++, and k-medoids."""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple

import numpy as np

from notes_lib.clustering.kmeans import (
    assign,
    assign_to_medoids,
    dsquared_probabilities,
    inertia,
    k_medoids,
    sample_index,
    update_centers,
    update_medoids,
)
from notes_lib.display import table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import fraction, row
from notes_lib.numerics import squared_distances

NAMES = "ABCDEFGH"
_TIES, _SCALE = "kmeans-convention-ties", "kmeans-convention-scale"
_PLUSPLUS, _FOUR = "kmeans-convention-plusplus", "kmeans-do-not-confuse-four"


class Round(NamedTuple):
    """One iteration: squared distances to the old centres, labels, the new centres, and J after both steps."""

    centers: np.ndarray  # (2, d) before
    D2: np.ndarray  # (n, 2)
    labels: np.ndarray  # (n,)
    new_centers: np.ndarray  # (2, d)
    J_assign: float
    J_update: float


@drill("k-means", marks=10, minutes=15, title="Iterations of k-means")
def k_means(rng: np.random.Generator) -> Parts:
    """Five or six points on a line or in the plane, two clusters, until the assignments stay."""
    d = int(rng.integers(1, 3))
    while True:
        drawn, start = _draw_points(rng, n=int(rng.integers(5, 7)), d=d, high=13 if d == 1 else 7)
        if _is_fair(drawn, start, largest_denominator=3 if d == 1 else 2):
            break
    X = np.array(drawn, dtype=float)
    rounds = _rounds(X, X[start])
    names = NAMES[: len(X)]
    points = ", ".join(f"${a}={_point(x)}$" for a, x in zip(names, X, strict=True))
    blank = table([[a, "", "", ""] for a in names], _header(d)).markdown
    first, second = (names[i] for i in start)
    statement = "\n\n".join(
        [
            f"Cluster the points {points} into two clusters by k-means. Start from the centres "
            f"$\\mu_1={_point(X[start[0]])}$ (the point {first}) "
            f"and $\\mu_2={_point(X[start[1]])}$ (the point {second}).",
            "1. Do every iteration until the assignments stay as they are: all squared distances, the assignment, "
            "the new means (6 marks).",
            "2. Give the objective $J$, the sum of squared distances, after each assignment and after each update "
            "(3 marks).",
            "3. Why is the last iteration the last, and what does that say about $J$? (1 mark)",
            "For each iteration fill in:",
            blank,
        ]
    )
    answer = {
        "labels": [(r.labels + 1).tolist() for r in rounds],
        "centers": [r.new_centers.tolist() for r in rounds],
        "objective": [[r.J_assign, r.J_update] for r in rounds],
        "iterations": len(rounds),
        "J": rounds[-1].J_update,
    }
    given = {"points": X.astype(int).tolist(), "start": start}
    axes = ["$x$", "$y$"][:d]
    fields = [
        ask.matrix("labels", "clusters of all points: one row for each iteration", 1, 3, columns=names, whole=True),
        ask.matrix(
            "centers.0",
            "means after the first iteration",
            1,
            1,
            rows=_CENTERS,
            columns=axes,
            follows=_means_of(X, 0),
            slips=[ask.slip(rounds[0].new_centers[::-1], "The two clusters are exchanged.", card=_TIES)],
        ),
        ask.matrix(
            "centers.-1",
            "means at the end",
            1,
            2,
            rows=_CENTERS,
            columns=axes,
            follows=_means_of(X, len(rounds) - 1),
            slips=[
                ask.slip(rounds[-1].new_centers[::-1], "The two clusters are exchanged.", card=_TIES),
            ],
        ),
        ask.matrix(
            "objective",
            "$J$: one row for each iteration",
            2,
            3,
            columns=["after assignment", "after update"],
            after=["labels"],
            slips=[
                ask.slip(
                    np.array(answer["objective"]) / len(X),
                    "That is divided by the number of points; here $J$ is a sum.",
                    card=_SCALE,
                ),
                ask.slip(np.array(answer["objective"]) / 2, "There is no half in front of $J$ here.", card=_SCALE),
            ],
        ),
        ask.own("stop", "why the last iteration is the last, and what that says about $J$", 3),
    ]
    return Parts(statement, given, _solution(X, names, rounds), answer, fields)


def _draw_points(rng: np.random.Generator, n: int, d: int, high: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """Distinct points on the integers below ``high``, and the indices of two of them to start from."""
    cells = sorted(rng.choice(high**d, size=n, replace=False).tolist())
    points = [(c,) for c in cells] if d == 1 else [divmod(c, high) for c in cells]
    return points, sorted(rng.choice(n, size=2, replace=False).tolist())


def _is_fair(points: list[tuple[int, ...]], start: list[int], largest_denominator: int) -> bool:
    """Whether the problem is fit for paper: three or four iterations, no tie, no empty cluster, round means.

    Hundreds of problems are refused for each one kept, so this counts in whole numbers, without arrays: ``m`` is the
    common denominator of both centres, which are stored ``m`` times as large.
    """
    m, centers = 1, [points[i] for i in start]
    before, iterations = None, 0
    while True:
        slope = [2 * m * (b - a) for a, b in zip(*centers, strict=True)]
        offset = sum(a * a - b * b for a, b in zip(*centers, strict=True))
        excess = [offset + sum(map(mul, slope, x)) for x in points]  # of the distance to the first centre, squared
        labels = [int(value > 0) for value in excess]
        if 0 in excess or len(set(labels)) < 2:
            return False
        iterations += 1
        if labels == before:
            return iterations in (3, 4)
        members = [[x for x, z in zip(points, labels, strict=True) if z == k] for k in range(2)]
        totals = [[sum(axis) for axis in zip(*group, strict=True)] for group in members]
        sums = [(total, len(group)) for row, group in zip(totals, members, strict=True) for total in row]
        m = next((m for m in range(1, largest_denominator + 1) if all(m * t % n == 0 for t, n in sums)), 0)
        if m == 0:
            return False
        centers = [tuple(m * t // len(group) for t in row) for row, group in zip(totals, members, strict=True)]
        before = labels


def _rounds(X: np.ndarray, centers: np.ndarray) -> list[Round]:
    """Every iteration, by the steps of the library, up to the one that changes nothing."""
    rounds: list[Round] = []
    while len(rounds) < 2 or not np.array_equal(rounds[-1].labels, rounds[-2].labels):
        labels = assign(X, centers)
        new = update_centers(X, labels, len(centers))
        J = inertia(X, labels, centers), inertia(X, labels, new)
        rounds.append(Round(centers, squared_distances(X, centers), labels, new, *J))
        centers = new
    return rounds


def _solution(X: np.ndarray, names: str, rounds: list[Round]) -> str:
    d = X.shape[1]
    lines = [
        "Each point goes to the centre with the smaller squared distance $\\lVert x-\\mu_k\\rVert^2$; each centre "
        "moves to the mean of its points; $J$ adds the squared distances of all points to their own centres.",
    ]
    for t, r in enumerate(rounds, start=1):
        centers = ", ".join(f"$\\mu_{k}={_point(c)}$" for k, c in enumerate(r.centers, start=1))
        rows: list[list[str]] = []
        for a, x, z, D2 in zip(names, X, r.labels, r.D2, strict=True):
            cells = [_distance(x, c, v) for c, v in zip(r.centers, D2, strict=True)]
            rows.append([f"${a}={_point(x)}$", *cells, str(z + 1)])
        J = " + ".join(_number(v) for v in r.D2.min(axis=1))
        lines += [
            f"**Iteration {t}** with {centers}:",
            table(rows, _header(d)).markdown,
            f"$J = {J} = {_number(r.J_assign)}$ after the assignment.",
        ]
        if t > 1 and np.array_equal(r.labels, rounds[t - 2].labels):
            lines += [
                "The assignment is the one of the iteration before, so the means stay and every further iteration "
                f"would repeat this one: stop. The clusters are {_clusters(names, r.labels)}. "
                f"$J={_number(r.J_update)}$ is the minimum over the assignments at these centres and over the centres "
                "at this assignment; other assignments with other centres may still have a smaller $J$.",
            ]
            continue
        means = []
        for k in range(2):
            members = X[r.labels == k]
            total = "+".join(_point(x) for x in members)
            means.append(f"$\\mu_{k + 1}=\\frac{{1}}{{{len(members)}}}\\,[{total}]={_point(r.new_centers[k])}$")
        lines += [f"New means: {means[0]}; {means[1]}. $J={_number(r.J_update)}$ after the update."]
    trail = " \\ge ".join(_number(J) for r in rounds for J in (r.J_assign, r.J_update))
    lines += [
        f"Check: $J$ never rises, ${trail}$.",
        "Marks: 6 for the tables and means, 3 for $J$, 1 for the stop.",
    ]
    return "\n\n".join(lines)


@drill("k-means-plus-plus", marks=8, minutes=10, title="Seeding with k-means++")
def k_means_plus_plus(rng: np.random.Generator) -> Parts:
    """Second and third centre of k-means++ from given uniform numbers, with the probabilities as fractions."""
    while True:
        d = int(rng.integers(1, 3))
        X = np.array(_draw_points(rng, n=5, d=d, high=10 if d == 1 else 5)[0], dtype=float)
        chosen, u = [int(rng.integers(len(X)))], [int(v) / 100 for v in rng.integers(1, 100, size=2)]
        D2, p = [], []
        for value in u:
            D2.append(squared_distances(X, X[chosen]).min(axis=1).round().astype(int))
            p.append(dsquared_probabilities(X, X[chosen]))
            chosen.append(sample_index(p[-1], value))
        border = min(float(np.abs(np.cumsum(q) - v).min()) for q, v in zip(p, u, strict=True))
        single = all((D.max() == D).sum() == 1 for D in D2)  # one farthest point each time
        if border > 0.01 and single:
            break
    names = NAMES[: len(X)]
    points = ", ".join(f"${a}={_point(x)}$" for a, x in zip(names, X, strict=True))
    blank = table([[a, "", "", ""] for a in names], ["point", "$D^2$", "$p$", "cumulative"]).markdown
    statement = "\n\n".join(
        [
            f"k-means++ is to choose three centres among the points {points}. The first centre, drawn uniformly, is "
            f"{names[chosen[0]]}. The random numbers for the second and the third centre are $u_2={u[0]:.2f}$ and "
            f"$u_3={u[1]:.2f}$; a number $u$ picks the first point, in alphabetical order, whose cumulative "
            "probability exceeds $u$.",
            "1. Give for each point the probability of becoming the second centre, as a fraction; which point is "
            "chosen? (3 marks)",
            "2. The same for the third centre. (3 marks)",
            "3. Given the first centre, how probable was this pair in this order? Which point would the farthest-first "
            "rule have taken as second centre? (2 marks)",
            "Fill in, once for each draw:",
            blank,
        ]
    )
    answer: dict[str, Any] = {
        "probabilities": [q.tolist() for q in p],
        "chosen": [names[i] for i in chosen[1:]],
        "pair": float(p[0][chosen[1]] * p[1][chosen[2]]),
        "farthest": names[int(D2[0].argmax())],
    }
    lines = ["With $D(x)$ the distance to the nearest centre so far, $p(x)=D(x)^2/\\sum_{x'}D(x')^2$."]
    for t in range(2):
        total = int(D2[t].sum())
        cumulative = np.cumsum(D2[t])
        rows = [
            [f"${a}={_point(x)}$", str(D), f"{D}/{total}", f"{C}/{total} = {C / total:.3f}"]
            for a, x, D, C in zip(names, X, D2[t], cumulative, strict=True)
        ]
        so_far = ", ".join(names[i] for i in chosen[: t + 1])
        lines += [
            f"**Centre {t + 2}** (so far: {so_far}); $\\sum D^2={total}$:",
            table(rows, ["point", "$D^2$", "$p$", "cumulative"]).markdown,
            f"$u_{t + 2}={u[t]:.2f}$ is first exceeded at {names[chosen[t + 1]]}: it becomes centre {t + 2}.",
        ]
    fractions = [Fraction(int(D2[t][chosen[t + 1]]), int(D2[t].sum())) for t in range(2)]
    product = fractions[0] * fractions[1]
    lines += [
        f"**The pair**: ${fraction(fractions[0])}\\cdot{fraction(fractions[1])}={fraction(product)}\\approx "
        f"{answer['pair']:.4f}$. Farthest-first takes the point with the largest $D^2$, here {answer['farthest']}, and "
        f"leaves nothing to chance; k-means++ takes it with probability {int(D2[0].max())}/{int(D2[0].sum())} only. A "
        "point that is a centre has $D^2=0$ and cannot be drawn again.",
        "Marks: 1 for each column of $D^2$, 1 for each column of fractions, 1 for each choice, 1 for the pair, 1 for "
        "farthest-first.",
    ]
    given: dict[str, Any] = {"points": X.astype(int).tolist(), "first": chosen[0], "u": u}
    fields = []
    for t, which in enumerate(["second", "third"]):
        plain = np.sqrt(D2[t]) / np.sqrt(D2[t]).sum()
        fields += [
            ask.vector(
                f"probabilities.{t}",
                f"probabilities of becoming the {which} centre",
                t + 1,
                2,
                titles=names,
                after=["chosen.0"] if t else [],
                slips=[ask.slip(plain, "These are proportional to the distance; square it.", card=_PLUSPLUS)],
            ),
            ask.choice(
                f"chosen.{t}",
                f"the {which} centre",
                t + 1,
                options=names,
                follows=" + ".join(f"({_cumulative(t, j)} <= {u[t]})" for j in range(len(names))),
            ),
        ]
    picked = [
        "(" + " + ".join(f"(chosen.{t} == {j})*probabilities.{t}[{j}]" for j in range(len(names))) + ")"
        for t in range(2)
    ]
    fields += [
        ask.number(
            "pair",
            "probability of this pair in this order",
            3,
            **ask.DERIVED,
            follows="*".join(picked),
            slips=[
                ask.slip(
                    float(p[0][chosen[1]] + p[1][chosen[2]]),
                    "That adds both probabilities; multiply them.",
                    card=_PLUSPLUS,
                )
            ],
        ),
        ask.choice(
            "farthest", "second centre by the farthest-first rule", 3, options=names, follows="argmax(probabilities.0)"
        ),
    ]
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


class Exchange(NamedTuple):
    """One iteration of k-medoids: medoids before, labels, sum of each point, cost, medoids after."""

    medoids: list[int]
    labels: np.ndarray  # (n,)
    sums: np.ndarray  # (n,) distances from each point to all members of its cluster
    cost: int
    new: list[int]


@drill("k-medoids", marks=10, minutes=14, title="Iterations of k-medoids")
def medoids(rng: np.random.Generator) -> Parts:
    """Six points in the plane, city-block distances, two medoids, until no medoid moves."""
    n = 6
    while True:
        drawn, start = _draw_points(rng, n=n, d=2, high=8)
        X = np.array(drawn)
        D = np.abs(X[:, None] - X).sum(axis=2)
        trace = _exchanges(D, start)
        if 2 <= len(trace) <= 3 and all(_has_no_tie(D, step) for step in trace):
            break
    names = NAMES[:n]
    first, second = (names[i] for i in start)
    points = ", ".join(f"${a}={_pair(x)}$" for a, x in zip(names, X, strict=True))
    statement = "\n\n".join(
        [
            f"Cluster the points {points} into two clusters by k-medoids with the city-block distance "
            f"$d(x,x')=|x_1-x_1'|+|x_2-x_2'|$. Start from the medoids {first} and {second}; a medoid moves only if "
            "another member of its cluster is strictly better.",
            "1. Do every iteration until no medoid moves: the distances to both medoids, the assignment, and its cost, "
            "the sum of the distances to the own medoid (5 marks).",
            "2. In each iteration give for each point the sum of its distances to the members of its cluster, and the "
            "new medoids (4 marks).",
            "3. What does k-medoids need that k-means does not, and what does it do without? (1 mark)",
            "For each iteration fill in:",
            table([[a, "", "", "", ""] for a in names], _MEDOID_HEADER).markdown,
        ]
    )
    answer: dict[str, Any] = {
        "labels": [(step.labels + 1).tolist() for step in trace],
        "costs": [step.cost for step in trace],
        "sums": [step.sums.tolist() for step in trace],
        "medoids": [names[i] for i in trace[-1].new],
        "iterations": len(trace),
    }
    fields = [
        ask.matrix("labels", "clusters of all points: one row for each iteration", 1, 3, columns=names, whole=True),
        ask.vector(
            "costs",
            "cost after the assignment of each iteration",
            1,
            2,
            whole=True,
            follows=[
                " + ".join(f"{D[i, step.medoids[z]]}*(labels[{t},{i}] == {z + 1})" for i in range(n) for z in range(2))
                for t, step in enumerate(trace)
            ],
            slips=[
                ask.slip(
                    [int((D[np.arange(n), np.array(step.medoids)[step.labels]] ** 2).sum()) for step in trace],
                    "That adds squared distances, as k-means does; k-medoids adds the distances.",
                    card=_FOUR,
                )
            ],
        ),
        ask.vector(
            "sums.0",
            "sums of distances in the first iteration",
            2,
            2,
            titles=names,
            whole=True,
            follows=[
                " + ".join(f"{D[i, j]}*(labels[0,{i}] == labels[0,{j}])" for j in range(n) if j != i) for i in range(n)
            ],
            slips=[
                ask.slip(
                    D.sum(axis=1), "These are sums over all points; only members of the own cluster count.", card=_FOUR
                )
            ],
        ),
        *(
            ask.choice(
                f"medoids.{z}",
                f"medoid of cluster {z + 1} at the end",
                2,
                options=names,
                follows=f"argmin({', '.join(_sum_in(D, i, z, len(trace) - 1) for i in range(n))})",
                slips=[ask.slip(names[trace[-1].new[1 - z]], "That is the medoid of the other cluster.", card=_TIES)],
            )
            for z in range(2)
        ),
        ask.own("needs", "what k-medoids needs, and what it does without", 3),
    ]
    given = {"points": X.tolist(), "start": start}
    return Parts(statement, given, _medoid_solution(X, D, trace), answer, fields)


def _exchanges(D: np.ndarray, start: list[int]) -> list[Exchange]:
    """Every iteration by the steps of the library, up to the one in which no medoid moves."""
    trace, before = [], np.array(start)
    for _ in range(k_medoids(D, start).n_iter):
        labels = assign_to_medoids(D, before)
        after = update_medoids(D, labels, before)
        sums = np.array([D[i, labels == labels[i]].sum() for i in range(len(D))])
        cost = int(D[np.arange(len(D)), before[labels]].sum())
        trace.append(Exchange(before.tolist(), labels, sums, cost, after.tolist()))
        before = after
    return trace


def _has_no_tie(D: np.ndarray, step: Exchange) -> bool:
    """Whether no point is as near to both medoids, and each cluster has one best member and more than one member."""
    to_first, to_second = D[:, step.medoids].T
    best = [np.sort(step.sums[step.labels == j]) for j in range(2)]
    return bool((to_first != to_second).all() and all(len(s) > 1 and s[0] < s[1] for s in best))


def _medoid_solution(X: np.ndarray, D: np.ndarray, trace: list[Exchange]) -> str:
    names = NAMES[: len(X)]
    lines = ["Each point goes to the nearer medoid; then the member with the smallest sum becomes the medoid."]
    for t, step in enumerate(trace, start=1):
        rows = []
        for i, a in enumerate(names):
            to = [f"${_city_block(X[i], X[m])}={D[i, m]}$" for m in step.medoids]
            members = np.flatnonzero(step.labels == step.labels[i])
            terms = "+".join(str(D[i, j]) for j in members if j != i)
            rows.append([f"${a}={_pair(X[i])}$", *to, str(step.labels[i] + 1), f"${terms}={step.sums[i]}$"])
        to_own = D[np.arange(len(X)), np.array(step.medoids)[step.labels]]
        lines += [
            f"**Iteration {t}** with the medoids {' and '.join(names[m] for m in step.medoids)}:",
            table(rows, _MEDOID_HEADER).markdown,
            f"The cost is ${'+'.join(map(str, to_own))}={step.cost}$.",
            _best(names, step),
        ]
    costs = " > ".join(str(step.cost) for step in trace)
    lines += [
        f"No medoid moved in the last iteration: stop. The cost fell in each iteration, ${costs}$. It need not be the "
        "smallest cost of all pairs of medoids. k-medoids needs the distances between all pairs of points, where "
        "k-means needs those to its centres only; it does without means, so any table of dissimilarities will do.",
        "Marks: 3 for the assignments, 2 for the costs, 2 for the sums, 2 for the medoids, 1 for the comparison.",
    ]
    return "\n\n".join(lines)


def _best(names: str, step: Exchange) -> str:
    """Which member of each cluster has the smallest sum, and whether it is a new one."""
    said = []
    for j, (old, new) in enumerate(zip(step.medoids, step.new, strict=True), start=1):
        verb = "stays" if old == new else "becomes"
        said.append(f"in cluster {j} the smallest sum is ${step.sums[new]}$: {names[new]} {verb} the medoid")
    return f"{said[0][0].upper()}{said[0][1:]}; {said[1]}."


def _city_block(a: np.ndarray, b: np.ndarray) -> str:
    """The two terms of a city-block distance."""
    return "+".join(str(abs(int(v))) for v in a - b)


def _means_of(X: np.ndarray, iteration: int) -> list[list[str]]:
    """Both means by the labels of an iteration, as expressions."""
    own = [[f"(labels[{iteration},{i}] == {z})" for i in range(len(X))] for z in (1, 2)]
    return [
        [
            "(" + " + ".join(f"{v}*{is_in}" for v, is_in in zip(x, inside, strict=True)) + f") / ({' + '.join(inside)})"
            for x in X.T
        ]
        for inside in own
    ]


def _sum_in(D: np.ndarray, i: int, z: int, iteration: int) -> str:
    """Distances of a point to the members of a cluster; out of reach for no member, as an expression."""
    terms = [f"{D[i, j]}*(labels[{iteration},{j}] == {z + 1})" for j in range(len(D)) if j != i]
    return " + ".join([*terms, f"{int(D.sum())}*(labels[{iteration},{i}] != {z + 1})"])


def _cumulative(draw: int, place: int) -> str:
    """The probabilities up to a place, as an expression."""
    return " + ".join(f"probabilities.{draw}[{j}]" for j in range(place + 1))


def _pair(x: np.ndarray) -> str:
    return row(x, str, ",\\,")


_MEDOID_HEADER = ["point", "$d$ to medoid 1", "$d$ to medoid 2", "cluster", "sum of $d$ in the cluster"]


_CENTERS = ["$\\mu_1$", "$\\mu_2$"]


def _header(d: int) -> list[str]:
    norm = "$(x-\\mu_{})^2$" if d == 1 else "$\\lVert x-\\mu_{}\\rVert^2$"
    return ["point", norm.format(1), norm.format(2), "cluster"]


def _fraction(value: float) -> Fraction:
    return Fraction(float(value)).limit_denominator(1000)


def _number(value: float) -> str:
    """A rational number of the drill in TeX."""
    return fraction(_fraction(value))


def _point(x: np.ndarray) -> str:
    """A point in TeX: a number on the line, a pair in the plane."""
    return _number(x[0]) if len(x) == 1 else row(x, _number, ",\\,")


def _distance(x: np.ndarray, c: np.ndarray, D2: float) -> str:
    """One squared distance in TeX; in the plane with its two squares."""
    if len(x) == 1:
        return f"${_number(D2)}$"
    return f"${'+'.join(_number(v) for v in (x - c) ** 2)}={_number(D2)}$"


def _clusters(names: str, labels: np.ndarray) -> str:
    groups = ["".join(a for a, z in zip(names, labels, strict=True) if z == k) for k in range(2)]
    return " and ".join("$\\{" + ",".join(g) + "\\}$" for g in groups)

"""The drills on k-means and k-medoids, worked again in exact fractions without the library."""

import re
from fractions import Fraction

import pytest

from tests.drills.arithmetic import PLACES
from tests.drills.page import pages
from tests.drills.seeds import SEEDS, drawn, each_seed


def squared(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def mean(points):
    return [sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)]


def work_k_means(given):
    """Labels, centres and J of every iteration, until the labels repeat."""
    X = [[Fraction(v) for v in x] for x in given["points"]]
    centers = [X[i] for i in given["start"]]
    trace, labels = [], None
    while True:
        D2 = [[squared(x, c) for c in centers] for x in X]
        assert all(row[0] != row[1] for row in D2), "a tie"
        new = [1 if row[0] < row[1] else 2 for row in D2]
        assert set(new) == {1, 2}, "an empty cluster"
        J = sum(min(row) for row in D2)
        centers = [mean([x for x, z in zip(X, new, strict=True) if z == k]) for k in (1, 2)]
        J_new = sum(squared(x, centers[z - 1]) for x, z in zip(X, new, strict=True))
        trace.append((new, centers, [J, J_new]))
        if new == labels:
            return trace
        labels = new


@pytest.mark.equation("kmeans-assign", "kmeans-update", "kmeans-objective")
@each_seed()
def test_k_means_answer(seed):
    drill = drawn("k-means", seed)
    trace = work_k_means(drill.given)
    answer = drill.answer
    assert answer["iterations"] == len(trace) in (3, 4)
    assert answer["labels"] == [labels for labels, _, _ in trace]
    for found, (_, centers, J) in zip(zip(answer["centers"], answer["objective"], strict=True), trace, strict=True):
        assert found[0] == [pytest.approx([float(v) for v in c], rel=1e-12) for c in centers]
        assert found[1] == pytest.approx([float(v) for v in J], rel=1e-12)
    J_all = [v for _, _, J in trace for v in J]
    assert J_all == sorted(J_all, reverse=True)
    assert answer["J"] == pytest.approx(float(J_all[-1]), rel=1e-12)
    assert max(c.denominator for _, centers, _ in trace for point in centers for c in point) <= 3


def work_k_means_plus_plus(given):
    X, chosen = given["points"], [given["first"]]
    probabilities = []
    for u in given["u"]:
        D2 = [min(squared(x, X[c]) for c in chosen) for x in X]
        p = [Fraction(v, sum(D2)) for v in D2]
        probabilities.append(p)
        reached, pick = Fraction(0), None
        for i, q in enumerate(p):
            reached += q
            if reached > Fraction(round(100 * u), 100):
                pick = i
                break
        chosen.append(pick)
    return chosen, probabilities


@pytest.mark.equation("kmeans-dsquared")
@each_seed()
def test_k_means_plus_plus_answer(seed):
    drill = drawn("k-means-plus-plus", seed)
    chosen, p = work_k_means_plus_plus(drill.given)
    assert len(set(chosen)) == 3
    assert drill.answer["chosen"] == ["ABCDE"[i] for i in chosen[1:]]
    for found, exact in zip(drill.answer["probabilities"], p, strict=True):
        assert found == pytest.approx([float(q) for q in exact], rel=1e-12)
    assert drill.answer["pair"] == pytest.approx(float(p[0][chosen[1]] * p[1][chosen[2]]), rel=1e-12)
    assert p[0].count(max(p[0])) == 1
    assert drill.answer["farthest"] == "ABCDE"[p[0].index(max(p[0]))]


@pytest.mark.parametrize("topic", ["k-means", "k-means-plus-plus"])
def test_points_lie_on_a_line_or_in_the_plane(topic):
    assert {len(drawn(topic, seed).given["points"][0]) for seed in SEEDS} == {1, 2}


@each_seed()
def test_solution_shows_the_trace(seed):
    drill = drawn("k-means", seed)
    trace = work_k_means(drill.given)
    tex = lambda v: str(v) if v.denominator == 1 else rf"\tfrac{{{v.numerator}}}{{{v.denominator}}}"
    for _, centers, J in trace:
        assert f"= {tex(J[0])}$ after the assignment" in drill.solution
        for c in centers:
            assert (tex(c[0]) if len(c) == 1 else "(" + ",\\,".join(map(tex, c)) + ")") in drill.solution
    drill = drawn("k-means-plus-plus", seed)
    for p in work_k_means_plus_plus(drill.given)[1]:
        total = max(q.denominator for q in p)
        for q in p:
            shown = [Fraction(int(a), int(b)) for a, b in re.findall(r"\| (\d+)/(\d+) \|", drill.solution)]
            assert q in shown, (q, total)


def told_points(given):
    return {"ABCDEFGH"[i]: [x] for i, x in enumerate(given["points"])}


@each_seed()
def test_every_number_of_k_means(seed):
    drill = drawn("k-means", seed)
    X, start = drill.given["points"], drill.given["start"]
    names = "ABCDEFGH"[: len(X)]
    ask, tell = pages(drill, told_points(drill.given))
    ask.says(r"from the centres $\mu_1=#$ (the point #) and $\mu_2=#$ (the point #).", X[start[0]], names[start[0]],
             X[start[1]], names[start[1]])  # fmt: skip
    ask.table(*([name, None, None, None] for name in names))
    ask.done()
    centers, trail, trace = [X[i] for i in start], [], work_k_means(drill.given)
    for t, (labels, new, J) in enumerate(trace, 1):
        tell.says(r"**Iteration #** with $\mu_1=#$, $\mu_2=#$:", t, *([float(v) for v in c] for c in centers))
        D2 = [[float(squared(x, c)) for c in centers] for x in X]
        tell.table(*([("$#=#$", name, x), *row, z] for name, x, row, z in zip(names, X, D2, labels, strict=True)))
        terms = " + ".join("#" for _ in X)
        tell.says(f"$J = {terms} = #$ after the assignment.", *(min(row) for row in D2), float(J[0]))
        members = [[x for x, z in zip(X, labels, strict=True) if z == k] for k in (1, 2)]
        if t == len(trace):
            groups = (",".join(a for a, z in zip(names, labels, strict=True) if z == k) for k in (1, 2))
            groups = [g.replace(",", "") for g in groups]
            tell.says(r"The clusters are $\{#\}$ and $\{#\}$. $J=#$ is", *(",".join(g) for g in groups), float(J[1]))
        else:
            means = "; ".join(
                rf"$\mu_{k}=\frac{{1}}{{#}}\,[{'+'.join('#' for _ in group)}]=#$" for k, group in enumerate(members, 1)
            )
            values = [
                v for group, c in zip(members, new, strict=True) for v in (len(group), *group, [float(a) for a in c])
            ]
            tell.says(f"New means: {means}. $J=#$ after the update.", *values, float(J[1]))
        trail += map(float, J)
        centers = new
    tell.says(rf"$J$ never rises, ${(' ' + chr(92) + 'ge ').join('#' for _ in trail)}$.", *trail)
    tell.says(r"with the smaller squared distance $\lVert x-\mu_k\rVert^2$; each")
    tell.done()


@each_seed()
def test_every_number_of_k_means_plus_plus(seed):
    drill = drawn("k-means-plus-plus", seed)
    X, u = drill.given["points"], drill.given["u"]
    chosen, p = work_k_means_plus_plus(drill.given)
    letters = ["ABCDE"[i] for i in chosen]
    ask, tell = pages(drill, told_points(drill.given) | {"u_2": u[0], "u_3": u[1]}, PLACES)
    ask.says("drawn uniformly, is #. The", letters[0])
    ask.table(*([name, None, None, None] for name in "ABCDE"))
    ask.done()
    for t in (0, 1):
        D2 = [min(squared(x, X[c]) for c in chosen[: t + 1]) for x in X]
        tell.says(r"**Centre #** (so far: #); $\sum D^2=#$:", t + 2, ", ".join(letters[: t + 1]), sum(D2))
        reached = [float(sum(p[t][: i + 1])) for i in range(5)]
        cells = zip("ABCDE", X, D2, p[t], reached, strict=True)
        tell.table(*([("$#=#$", a, x), D, (f"#/{sum(D2)}", D), r] for a, x, D, _, r in cells))
        tell.says("$u_#=#$ is first exceeded at #: it becomes centre #.", t + 2, u[t], letters[t + 1], t + 2)
    pair = [float(p[t][chosen[t + 1]]) for t in (0, 1)]
    tell.says(r"$#\cdot#=#\approx #$.", *pair, pair[0] * pair[1], pair[0] * pair[1])
    farthest = max(range(5), key=p[0].__getitem__)
    tell.says("here #, and leaves", "ABCDE"[farthest])
    tell.says("takes it with probability # only", float(p[0][farthest]))
    tell.says("has $D^2=0$ and")
    tell.says(r"$p(x)=D(x)^2/\sum_{x'}D(x')^2$")
    tell.says("the point with the largest $D^2$, here")
    tell.done()


def work_k_medoids(given):
    """Each iteration: medoids, clusters, distances to the medoids, sums within the clusters, cost, new medoids."""
    X, medoids, trace = given["points"], list(given["start"]), []
    between = lambda i, j: abs(X[i][0] - X[j][0]) + abs(X[i][1] - X[j][1])
    while True:
        to = [[between(i, m) for m in medoids] for i in range(len(X))]
        assert all(a != b for a, b in to), "a tie"
        labels = [1 if a < b else 2 for a, b in to]
        sums = [sum(between(i, j) for j in range(len(X)) if labels[j] == labels[i]) for i in range(len(X))]
        new = []
        for k in (1, 2):
            members = [i for i in range(len(X)) if labels[i] == k]
            best = [i for i in members if sums[i] == min(sums[j] for j in members)]
            assert len(best) == 1, "a tie"
            new += best
        trace.append((medoids, labels, to, sums, sum(map(min, to)), new))
        if new == medoids:
            return trace
        medoids = new


@pytest.mark.equation("kmeans-medoid-objective", "kmeans-medoid-update")
@each_seed()
def test_k_medoids_answer(seed):
    drill = drawn("k-medoids", seed)
    trace = work_k_medoids(drill.given)
    answer = drill.answer
    assert answer["iterations"] == len(trace) in (2, 3)
    assert answer["labels"] == [step[1] for step in trace]
    assert answer["sums"] == [step[3] for step in trace]
    assert answer["costs"] == [step[4] for step in trace]
    assert answer["costs"] == sorted(set(answer["costs"]), reverse=True), "the cost falls"
    assert answer["medoids"] == ["ABCDEF"[i] for i in trace[-1][5]]


@each_seed()
def test_every_number_of_k_medoids(seed):
    drill = drawn("k-medoids", seed)
    X, start, names = drill.given["points"], drill.given["start"], "ABCDEF"
    ask, tell = pages(drill, told_points(drill.given))
    ask.says("Start from the medoids # and #; a medoid", names[start[0]], names[start[1]])
    ask.says("$d(x,x')=|x_1-x_1'|+|x_2-x_2'|$")
    ask.table(*([name, None, None, None, None] for name in names))
    ask.done()
    trace = work_k_medoids(drill.given)
    for t, (medoids, labels, to, sums, cost, new) in enumerate(trace, 1):
        tell.says("**Iteration #** with the medoids # and #:", t, names[medoids[0]], names[medoids[1]])
        tell.table(
            *(
                [("$#=#$", names[i], X[i]), to[i][0], to[i][1], labels[i], sums[i]]
                for i in range(6)
            )
        )  # fmt: skip
        tell.says("The cost is $#=#$.", cost, cost)
        verb = ["stays" if a == b else "becomes" for a, b in zip(medoids, new, strict=True)]
        tell.says("In cluster # the smallest sum is $#$: # " + verb[0] + " the medoid;", 1, sums[new[0]], names[new[0]])
        tell.says("in cluster # the smallest sum is $#$: # " + verb[1] + " the medoid.", 2, sums[new[1]], names[new[1]])
    costs = [step[4] for step in trace]
    tell.says(f"The cost fell in each iteration, ${' > '.join('#' for _ in costs)}$.", *costs)
    tell.done()

"""Drills on nearest neighbours: worked again in whole numbers and fractions, without the library."""

from collections import Counter
from fractions import Fraction

import pytest

from tests.drills.page import pages
from tests.drills.seeds import drawn, each_seed

NAMES = "ABCDEFGH"
TOPICS = ["knn-classify", "knn-loocv", "kd-tree", "cover-hart"]


def squares_of(points, query, factor=1):
    return [(x - query[0]) ** 2 + factor**2 * (y - query[1]) ** 2 for x, y in points]


def majority(labels):
    return Counter(labels).most_common(1)[0][0]


def work_classify(g):
    """Squared distances, order, votes of 1, 3 and 5, and the squared distances in the new unit."""
    squares = squares_of(g["X"], g["query"])
    order = sorted(range(6), key=lambda j: squares[j])
    votes = [majority([g["labels"][j] for j in order[:k]]) for k in (1, 3, 5)]
    return squares, order, votes, squares_of(g["X"], g["query"], g["factor"])


def work_loo(g, k):
    """The k nearest others of each instance, and the label they give."""
    x, y = g["x"], g["y"]
    others = [sorted((j for j in range(6) if j != i), key=lambda j: abs(x[j] - x[i]))[:k] for i in range(6)]
    return others, [majority([y[j] for j in near]) for near in others]


def named(tree):
    return f"${''.join(tree.names)}$"


class Tree:
    """The tree of the exercise: names, corners of the box, children."""

    def __init__(self, points, names):
        self.names, self.children = sorted(names), []
        columns = [[points[NAMES.index(a)][j] for a in names] for j in (0, 1)]
        self.low, self.high = [min(c) for c in columns], [max(c) for c in columns]
        self.ranges = [b - a for a, b in zip(self.low, self.high, strict=True)]
        if len(names) > 2:
            j = self.ranges.index(max(self.ranges))
            ranked = sorted(names, key=lambda a: points[NAMES.index(a)][j])
            half = len(names) // 2
            self.children = [Tree(points, ranked[:half]), Tree(points, ranked[half:])]

    def inner(self):
        return [self, *(t for c in self.children for t in c.inner())] if self.children else []

    def leaves(self):
        return [leaf for c in self.children for leaf in c.leaves()] if self.children else [self]

    def bound(self, query):
        return sum(max(a - q, 0, q - b) ** 2 for q, a, b in zip(query, self.low, self.high, strict=True))


def work_tree(g):
    """Tree, squared distances, home, and for each other leaf whether it is searched and what is best afterwards."""
    tree, squares = Tree(g["X"], NAMES), dict(zip(NAMES, squares_of(g["X"], g["query"]), strict=True))
    home = tree
    while home.children:
        home = min(home.children, key=lambda t: t.bound(g["query"]))
    best, steps = min(squares[a] for a in home.names), []
    for leaf in tree.leaves():
        if leaf is not home:
            searched = leaf.bound(g["query"]) <= best
            best = min(best, *(squares[a] for a in leaf.names)) if searched else best
            steps.append((leaf, searched, best))
    return tree, squares, home, steps


def work_cover_hart(g):
    """All numbers as fractions: weights, posteriors, Bayes risks, limits of 1-NN, and the three means."""
    w, eta = ([Fraction(v).limit_denominator(1000) for v in g[name]] for name in ("weights", "eta"))
    risk, limit = [min(e, 1 - e) for e in eta], [2 * e * (1 - e) for e in eta]
    mean, R = (sum(a * b for a, b in zip(w, values, strict=True)) for values in (risk, limit))
    return w, eta, risk, limit, mean, R, sum(a * (r - mean) ** 2 for a, r in zip(w, risk, strict=True))


@pytest.mark.equation("nearest-neighbors-set", "nearest-neighbors-vote")
@each_seed()
def test_classify_answer(seed):
    drill = drawn("knn-classify", seed)
    squares, order, votes, larger = work_classify(drill.given)
    nearest = min(range(6), key=lambda j: larger[j])
    label = drill.given["labels"][nearest]
    assert len(set(squares)) == len(set(larger)) == 6
    assert drill.answer == {
        "squares": squares, "votes": votes, "larger": larger, "nearest": NAMES[nearest], "label": label,
    }  # fmt: skip
    assert label != votes[0] == drill.given["labels"][order[0]]


@pytest.mark.equation("nearest-neighbors-loo")
@each_seed()
def test_loo_answer(seed):
    g, answer = drawn("knn-loocv", seed).given, drawn("knn-loocv", seed).answer
    errors = {}
    for k, name in [(1, "one"), (3, "three")]:
        _, labels = work_loo(g, k)
        errors[k] = sum(a != b for a, b in zip(labels, g["y"], strict=True))
        assert (answer[name], answer[f"errors_{k}"]) == (labels, errors[k])
    assert errors[1] != errors[3]
    assert answer["better"] == min(errors, key=errors.get)
    assert (answer["own"], answer["twice"]) == (0, 0)


@pytest.mark.equation("nearest-neighbors-box", "nearest-neighbors-prune")
@each_seed()
def test_tree_answer(seed):
    g, answer = drawn("kd-tree", seed).given, drawn("kd-tree", seed).answer
    tree, squares, home, steps = work_tree(g)
    assert all(a != b for a, b in (node.ranges for node in tree.inner()))
    assert answer["leaves"] == [leaf.names for leaf in tree.leaves()]
    assert (answer["home"], answer["first"]) == (home.names, min(squares[a] for a in home.names))
    assert answer["bounds"] == [leaf.bound(g["query"]) for leaf, *_ in steps]
    assert answer["nearest"] == min(squares, key=squares.get) not in home.names
    assert squares[answer["nearest"]] == steps[-1][2]  # what was left out holds nothing nearer
    assert answer["computed"] == 2 * (1 + sum(searched for _, searched, _ in steps)) < 8


@pytest.mark.equation("nearest-neighbors-conditional-risk", "nearest-neighbors-cover-hart")
@each_seed()
def test_cover_hart_answer(seed):
    drill = drawn("cover-hart", seed)
    _, _, risk, limit, mean, R, variance = work_cover_hart(drill.given)
    answer = drill.answer
    assert answer["conditional"] == pytest.approx([float(r) for r in risk], abs=1e-12)
    assert answer["limits"] == pytest.approx([float(r) for r in limit], abs=1e-12)
    assert (answer["bayes"], answer["limit"]) == (pytest.approx(float(mean)), pytest.approx(float(R)))
    assert answer["bound"] == pytest.approx(float(2 * mean * (1 - mean)))
    assert answer["variance"] == pytest.approx(float(variance))
    assert mean <= R == 2 * mean * (1 - mean) - 2 * variance


@each_seed()
def test_every_number_of_classify(seed):
    drill = drawn("knn-classify", seed)
    g = drill.given
    squares, order, votes, larger = work_classify(g)
    ask, tell = pages(drill, {**dict(zip(NAMES, g["X"], strict=False)), "Q": g["query"]})
    groups = [
        ", ".join(f"${a}$" for a, s in zip(NAMES, g["labels"], strict=False) if s == sign) for sign in ("red", "blue")
    ]
    ask.says(f"Class red: {groups[0]}. Class blue: {groups[1]}.")
    ask.says("with 1, with 3 and with 5 neighbours?")
    ask.says("all its values are multiplied by #, those of $Q$ too.", str(g["factor"]))
    ask.says("the class by 1 neighbour")
    ask.done()
    tell.table(
        *(
            [f"${a}$", c, s, t]
            for a, c, s, t in zip(NAMES, g["labels"], squares, larger, strict=False)
        )
    )  # fmt: skip
    names, classes = ", ".join(f"${NAMES[j]}$" for j in order), ", ".join(g["labels"][j] for j in order)
    tell.says(f"in order of distance the instances are {names}, of the classes {classes}.")
    tell.says(f"with 1: {votes[0]}, with 3: {votes[1]}, with 5: {votes[2]}.")
    nearest = larger.index(min(larger))
    tell.says(f"now ${NAMES[nearest]}$ is nearest, and $Q$ gets the class {g['labels'][nearest]} instead of "
              f"{votes[0]}.")  # fmt: skip
    tell.done()


@each_seed()
def test_every_number_of_loo(seed):
    drill = drawn("knn-loocv", seed)
    x, y = drill.given["x"], drill.given["y"]
    ask, tell = pages(drill)
    ask.table(["feature", *x], ["label", *y])
    ask.says("with 3 neighbours")
    ask.says("How many errors does 1 neighbour make")
    ask.says("count for 1 neighbour if")
    ask.done()
    others, three = work_loo(drill.given, 3)
    _, one = work_loo(drill.given, 1)
    tell.table(*([x[i], y[i], ", ".join(str(x[j]) for j in others[i]), one[i], three[i]] for i in range(6)))
    wrong = [sum(a != b for a, b in zip(labels, y, strict=True)) for labels in (one, three)]
    tell.says("with 1 neighbour # of 6, with 3 neighbours # of 6.", *map(str, wrong))
    tell.says("The accuracies are $#$ and $#$.", *((6 - e) / 6 for e in wrong))
    tell.says("**Choice:** #, which has fewer errors.", str(1 if wrong[0] < wrong[1] else 3))
    tell.says("at distance 0, so there are 0 errors whatever")
    tell.says("at distance 0, with the right label: 0 errors again.")
    tell.done()


@each_seed()
def test_every_number_of_the_tree(seed):
    drill = drawn("kd-tree", seed)
    g = drill.given
    tree, squares, home, steps = work_tree(g)
    ask, tell = pages(drill, {**dict(zip(NAMES, g["X"], strict=True)), "Q": g["query"]})
    ask.done()
    tell.table(*([named(t), *t.ranges, *(named(c) for c in t.children)] for t in tree.inner()))
    tell.says(f"**Leaves:** {', '.join(named(t) for t in tree.leaves())}.")
    at_home = ", ".join(f"${a}$: {squares[a]}" for a in home.names)
    best = min(squares[a] for a in home.names)
    tell.says(f"**Home:** {named(home)}. The squared distances there are {at_home}, so the best so far is {best}.")
    boxes = [
        " and ".join(f"${a} \\le x_{j} \\le {b}$" for j, a, b in zip((1, 2), t.low, t.high, strict=True))
        for t, *_ in steps
    ]
    tell.table(
        *(
            [named(t), box, t.bound(g["query"]), "yes" if searched else "no", best]
            for box, (t, searched, best) in zip(boxes, steps, strict=True)
        )
    )  # fmt: skip
    count = 1 + sum(searched for _, searched, _ in steps)
    nearest = min(squares, key=squares.get)
    tell.says(f"**Result:** ${nearest}$ is nearest, at the squared distance {squares[nearest]}. {count} leaves were "
              f"searched and {4 - count} left out: $#$ distances instead of 8.", 2 * count)  # fmt: skip
    tell.done()


@each_seed()
def test_every_number_of_cover_hart(seed):
    drill = drawn("cover-hart", seed)
    w, eta, risk, limit, mean, R, variance = work_cover_hart(drill.given)
    ask, tell = pages(drill)
    regions = list(zip((1, 2, 3), w, eta, risk, limit, strict=True))
    ask.table(*([n, float(a), float(e)] for n, a, e, *_ in regions))
    ask.says("probability of class 1 is constant")
    ask.says("the risk of 1-NN in each")
    ask.says(r"$2R^\star(1-R^\star)$")
    ask.done()
    tell.table(
        *(
            [n, ("smaller of # and #: #", float(e), float(1 - e), float(r)), float(v)]
            for n, _, e, r, v in regions
        )
    )  # fmt: skip
    tell.says(r"$R^\star = #$", float(mean))
    tell.says("$R = #$", float(R))
    bound = 2 * mean * (1 - mean)
    tell.says("**Bound:** $#$.", float(bound))
    tell.says("**Variance:** $#$. The bound less twice the variance is $#$, which is $R$.", float(variance), float(R))
    tell.done()

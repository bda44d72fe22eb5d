"""Drills on nearest neighbours: votes and units, leave one out, a k-d tree, and the bound of Cover and Hart."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.display import sig, table
from notes_lib.drills import Parts, drill
from notes_lib.drills import fields as ask
from notes_lib.drills.tex import row
from notes_lib.neighbors.nearest_neighbors import (
    KDTree,
    KNeighborsClassifier,
    asymptotic_risk,
    box_bound,
    cover_hart_bound,
    k_nearest,
)
from notes_lib.neighbors.nearest_neighbors.trees import Node

NAMES = "ABCDEFGH"
CLASSES = ["red", "blue"]
FAR = 10_000  # more than any squared distance


def _points(X: np.ndarray) -> str:
    return ", ".join(f"${a}={row(x)}$" for a, x in zip(NAMES, X, strict=False))


def _listed(names: list[str]) -> str:
    return ", ".join(f"${a}$" for a in names)


@drill("knn-classify", marks=10, minutes=12, title="Classify by nearest neighbours")
def classify(rng: np.random.Generator) -> Parts:
    """Six points of two classes and a query: votes for k = 1, 3 and 5, and the nearest after a change of unit."""
    while True:
        X = rng.integers(0, 10, size=(6, 2)).astype(float)
        query, factor = rng.integers(2, 8, size=2).astype(float), int(rng.integers(2, 5))
        labels = rng.permutation(CLASSES * 3).tolist()
        stretched = X * [1, factor], query * [1, factor]
        squares, larger = (((x - q) ** 2).sum(axis=1) for x, q in [(X, query), stretched])
        changed = int(larger.argmin())
        distinct = len(set(squares)) == len(set(larger)) == 6 and squares.min() > 0
        if not distinct or labels[changed] == labels[int(squares.argmin())]:
            continue
        votes = {k: str(KNeighborsClassifier(k).fit(X, labels).predict([query])[0]) for k in (1, 3, 5)}
        if len(set(votes.values())) == 2:
            break
    order = k_nearest(X, [query], 6).indices[0]
    red, blue = (_listed([a for a, s in zip(NAMES, labels, strict=False) if s == name]) for name in CLASSES)
    statement = "\n\n".join(
        [
            f"Stored instances: {_points(X)}. Class red: {red}. Class blue: {blue}. A new instance is "
            f"$Q={row(query)}$. Use the Euclidean distance.",
            "1. Give the squared distances of $Q$ from all six (3 marks).",
            "2. Which class does $Q$ get with 1, with 3 and with 5 neighbours? (3 marks)",
            f"3. The second feature is now measured in a smaller unit: all its values are multiplied by {factor}, "
            "those of $Q$ too. Give the squared distances, the nearest instance, and the class by 1 neighbour "
            "(4 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "squares": squares.astype(int).tolist(), "votes": [votes[k] for k in (1, 3, 5)],
        "larger": larger.astype(int).tolist(), "nearest": NAMES[changed], "label": labels[changed],
    }  # fmt: skip
    fields = [
        ask.vector(
            "squares",
            "squared distances",
            1,
            3,
            titles=NAMES[:6],
            whole=True,
            slips=[
                ask.slip(
                    np.abs(X - query).sum(axis=1),
                    "That adds the differences themselves; the squared distance adds their squares.",
                    card="nearest-neighbors-lost-marks-squared",
                )
            ],
        ),
        *(
            ask.choice(
                f"votes.{i}",
                f"class with {k}",
                2,
                options=CLASSES,
                follows=_voted(labels, k),
                slips=[
                    ask.slip(
                        votes[1],
                        f"That is the class of the nearest one alone; all {k} vote.",
                        card="nearest-neighbors-do-not-confuse-names",
                    )
                ],
            )
            for i, k in enumerate((1, 3, 5))
        ),
        ask.vector(
            "larger",
            "squared distances in the new unit",
            3,
            2,
            titles=NAMES[:6],
            whole=True,
            slips=[
                ask.slip(
                    (X - query) ** 2 @ [1, factor],
                    f"That multiplies the square of the second difference by {factor}; the difference grows by this "
                    "factor, so its square by the factor squared.",
                    card="nearest-neighbors-do-not-confuse-trees",
                ),
                ask.slip(
                    factor**2 * squares,
                    "That stretches both features; only the unit of the second one has changed.",
                    card="nearest-neighbors-do-not-confuse-trees",
                ),
                ask.slip(
                    ((X * [1, factor] - query) ** 2).sum(axis=1),
                    "That leaves $Q$ in the old unit; its second value is multiplied, too.",
                    card="nearest-neighbors-lost-marks-own-scale",
                ),
            ],
        ),
        ask.choice(
            "nearest",
            "nearest instance",
            3,
            options=NAMES[:6],
            follows="argmin(larger)",
            slips=[
                ask.slip(
                    NAMES[int(squares.argmin())],
                    "That one is nearest in the old unit; take the new distances.",
                    card="nearest-neighbors-do-not-confuse-trees",
                )
            ],
        ),
        ask.choice(
            "label",
            "its class",
            3,
            options=CLASSES,
            follows=" + ".join(f"(nearest == {i})" for i, c in enumerate(labels) if c == CLASSES[1]),
            slips=[
                ask.slip(
                    votes[1],
                    "That is the class by 1 neighbour in the old unit; another instance is nearest now.",
                    card="nearest-neighbors-do-not-confuse-trees",
                )
            ],
        ),
    ]
    rows = []
    for a, x, s, t, c in zip(NAMES, X, squares, larger, labels, strict=False):
        gap = (x - query).astype(int)
        rows.append(
            [
                f"${a}$", c, f"${abs(gap[0])}^2 + {abs(gap[1])}^2 = {sig(s)}$",
                f"${abs(gap[0])}^2 + {factor}^2 \\cdot {abs(gap[1])}^2 = {sig(t)}$",
            ]
        )  # fmt: skip
    nearest = [NAMES[j] for j in order]
    tallies = [f"{k}: {votes[k]}" for k in (1, 3, 5)]
    lines = [
        table(rows, ["instance", "class", "squared distance", "in the new unit"]).markdown,
        f"**Votes:** in order of distance the instances are {_listed(nearest)}, of the classes "
        f"{', '.join(labels[j] for j in order)}. The first ones vote, with {', with '.join(tallies)}.",
        f"**New unit:** now ${NAMES[changed]}$ is nearest, and $Q$ gets the class {labels[changed]} instead of "
        f"{votes[1]}. Nothing but a unit has changed.",
        "Marks: 3 for the distances, 3 for the votes, 2 for the new distances, 1 for the nearest, 1 for its class.",
    ]
    given = {
        "X": X.astype(int).tolist(), "labels": labels, "query": query.astype(int).tolist(), "factor": factor,
    }  # fmt: skip
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _voted(labels: list[str], k: int) -> str:
    """The class that most of the k nearest have, as an expression of the squared distances."""
    ranks = [" + ".join(f"(squares[{j}] < squares[{i}])" for j in range(6) if j != i) for i in range(6)]
    blue = " + ".join(f"(({rank}) < {k})" for rank, c in zip(ranks, labels, strict=True) if c == CLASSES[1])
    return f"({blue}) > {k / 2}"


@drill("knn-loocv", marks=9, minutes=11, title="Leave one out with nearest neighbours")
def leave_one_out(rng: np.random.Generator) -> Parts:
    """Six points on a line: the leave-one-out errors of 1 and 3 neighbours, and what copies do to them."""
    while True:
        x = np.sort(rng.choice(np.arange(1, 31), size=6, replace=False))
        y = rng.permutation([0, 0, 0, 1, 1, 1])
        X = x[:, None].astype(float)
        if any(len(set(gaps)) < 6 for gaps in np.abs(X - X.T)):
            continue
        predicted = {k: KNeighborsClassifier(k).fit(X, y).predict(None) for k in (1, 3)}
        errors = {k: int((p != y).sum()) for k, p in predicted.items()}
        if 0 < errors[1] != errors[3] > 0 and min(errors.values()) <= 2:
            break
    neighbors = k_nearest(X, None, 3).indices
    rows = [
        [x[i], y[i], ", ".join(str(x[j]) for j in neighbors[i]), predicted[1][i], predicted[3][i]] for i in range(6)
    ]
    header = ["instance", "label", "its nearest others", "with 1", "with 3"]
    seen = {k: KNeighborsClassifier(k).fit(X, y).predict(X) for k in (1, 3)}  # each among its own neighbours
    better = min(errors, key=lambda k: errors[k])
    statement = "\n\n".join(
        [
            "Six instances with one feature and their labels:",
            table([["feature", *x], ["label", *y]], ["instance", *"123456"]).markdown,
            "1. Leave one out: which label does each instance get from its nearest other instance, and how many are "
            "wrong? (3 marks)",
            "2. The same with 3 neighbours (3 marks).",
            "3. Which number of neighbours do you take? How many errors does 1 neighbour make if an instance may be "
            "its own neighbour? And how many does leave one out count for 1 neighbour if by mistake every row stands "
            "twice in the table? (3 marks)",
        ]
    )
    answer: dict[str, Any] = {
        "one": predicted[1].tolist(), "errors_1": errors[1], "three": predicted[3].tolist(), "errors_3": errors[3],
        "better": better, "own": 0, "twice": 0,
    }  # fmt: skip
    fields = [
        ask.vector(
            "one",
            "labels by 1 neighbour",
            1,
            2,
            titles=x,
            whole=True,
            slips=[
                ask.slip(
                    seen[1],
                    "There each instance is its own nearest neighbour; leave it out.",
                    card="nearest-neighbors-lost-marks-duplicates",
                )
            ],
        ),
        ask.number(
            "errors_1",
            "errors",
            1,
            whole=True,
            follows=_errors("one", y),
            slips=[
                ask.slip(
                    int((seen[1] != y).sum()),
                    "That is the training error; leave each instance out when it is judged.",
                    card="nearest-neighbors-lost-marks-duplicates",
                )
            ],
        ),
        ask.vector(
            "three",
            "labels by 3 neighbours",
            2,
            2,
            titles=x,
            whole=True,
            slips=[
                ask.slip(
                    seen[3],
                    "There each instance is one of its own three voters; take the three nearest others.",
                    card="nearest-neighbors-lost-marks-duplicates",
                )
            ],
        ),
        ask.number("errors_3", "errors", 2, whole=True, follows=_errors("three", y)),
        ask.choice(
            "better",
            "number of neighbours",
            3,
            options=[1, 3],
            keys=[1, 3],
            follows="errors_3 < errors_1",
            slips=[
                ask.slip(
                    4 - better,
                    "That number makes more errors when each instance is left out; take the one with fewer.",
                    card="nearest-neighbors-lost-marks-rules",
                )
            ],
        ),
        ask.number(
            "own",
            "errors if an instance may be its own neighbour",
            3,
            whole=True,
            slips=[
                ask.slip(
                    errors[1],
                    "That is the number with each instance left out; now it finds itself at distance 0.",
                    card="nearest-neighbors-lost-marks-duplicates",
                )
            ],
        ),
        ask.number(
            "twice",
            "leave-one-out errors of the doubled table",
            3,
            whole=True,
            slips=[
                ask.slip(
                    2 * errors[1],
                    "That doubles the errors; but the copy of each row answers for it, at distance 0.",
                    card="nearest-neighbors-lost-marks-duplicates",
                ),
                ask.slip(
                    errors[1],
                    "That is as without the copies; the copy of each row answers for it, at distance 0.",
                    card="nearest-neighbors-lost-marks-duplicates",
                ),
            ],
        ),
    ]
    lines = [
        table(rows, header).markdown,
        f"**Errors:** with 1 neighbour {errors[1]} of 6, with 3 neighbours {errors[3]} of 6. The accuracies are "
        + " and ".join(f"$(6 - {e}) / 6 = {sig((6 - e) / 6)}$" for e in errors.values())
        + ".",
        f"**Choice:** {better}, which has fewer errors.",
        "**Its own neighbour:** every instance finds itself at distance 0, so there are 0 errors whatever the labels. "
        "That is the training error, and it says nothing.",
        "**Each row twice:** the copy of the row that was left out is still there, at distance 0, with the right "
        "label: 0 errors again. Copies must be left out together.",
        "Marks: 2 for the labels by 1, 1 for the errors, 2 for the labels by 3, 1 for the errors, 1 for the choice, 1 "
        "for the own neighbour, 1 for the doubled table.",
    ]
    return Parts(statement, {"x": x.tolist(), "y": y.tolist()}, "\n\n".join(lines), answer, fields)


def _errors(field: str, y: IntArray) -> str:
    """How many labels of a field are wrong, as an expression."""
    return " + ".join(f"({field}[{i}] != {label})" for i, label in enumerate(y))


@drill("kd-tree", marks=11, minutes=14, title="Search in a k-d tree")
def kd_tree(rng: np.random.Generator) -> Parts:
    """Eight points, leaves of two: the leaves, the home of a query, the boxes that are left out, the distances."""
    while True:
        X = np.column_stack([rng.permutation(13)[:8], rng.permutation(13)[:8]]).astype(float)
        query = rng.integers(0, 13, size=2).astype(float)
        squares = ((X - query) ** 2).sum(axis=1).astype(int)
        if len(set(squares)) < 8 or squares.min() == 0:  # most draws end here, before a tree is built
            continue
        tree = KDTree(X, leaf_size=2)
        nodes = _nodes(tree.root)
        ranges = [np.ptp(X[node.rows], axis=0) for node in nodes if node.children]
        home, forks = _home(tree.root, query)
        first = int(squares[home.rows].min())
        if any(a == b for a, b in [*ranges, *forks]) or first == squares.min():
            continue
        leaves = [node for node in nodes if not node.children]
        tree.query([query])
        searched = tree.get_tree_stats().n_leaves
        bounds = [_square_bound(leaf, query) for leaf in leaves]
        if searched in (2, 3) and not set(bounds) & set(squares.tolist()):
            break
    titles = [_names(leaf.rows) for leaf in leaves]
    where = titles.index(_names(home.rows))
    steps, best = [], first
    for leaf, name, bound in zip(leaves, titles, bounds, strict=True):
        if name == titles[where]:
            continue
        found = bound <= best
        if found:
            best = min(best, int(squares[leaf.rows].min()))
        steps.append([f"${name}$", _box(leaf), bound, "yes" if found else "no", best])
    nearest = NAMES[int(squares.argmin())]
    statement = "\n\n".join(
        [
            f"Build a k-d tree of the points {_points(X)}. A node divides the feature with the larger range at the "
            "median: the half with the smaller values goes to the left. Leaves hold two points. Then find the nearest "
            f"neighbour of $Q={row(query)}$.",
            "1. Give the four leaves from left to right (3 marks).",
            "2. $Q$ goes down, at each node to the child whose box of points is nearer to $Q$. Which leaf is its home, "
            "and what is the smallest squared distance there? (3 marks)",
            "3. Take the other leaves from left to right. Give the squared distance of $Q$ from the box of each, and "
            "search only those whose box is not farther than the best point so far (3 marks).",
            "4. Which point is nearest, and how many distances to points have you computed? (2 marks)",
        ]
    )
    others = [b for i, b in enumerate(bounds) if i != where]
    away = [leaf for i, leaf in enumerate(leaves) if i != where]
    answer: dict[str, Any] = {
        "leaves": [list(t) for t in titles], "home": list(titles[where]), "first": first, "bounds": others,
        "nearest": nearest, "computed": 2 * searched,
    }  # fmt: skip
    fields = [
        ask.sequence("leaves", "leaves from left to right", 1, 3, options=NAMES, kind="groups"),
        ask.sequence(
            "home",
            "home of $Q$",
            2,
            2,
            options=NAMES,
            kind="set",
            after=["leaves"],
            slips=[
                ask.slip(
                    list(next(t for t in titles if nearest in t)),
                    "That leaf holds the nearest point, which the search finds later; go down to the nearer box at "
                    "each node.",
                    card="nearest-neighbors-do-not-confuse-names",
                )
            ],
        ),
        ask.number(
            "first",
            "smallest squared distance at home",
            2,
            whole=True,
            follows=f"min({', '.join(f'{s} + {FAR}*(1 - home[{i}])' for i, s in enumerate(squares))})",
            slips=[
                ask.slip(
                    squares.min(),
                    "That is the smallest of all points; at home there are only two, and neither of them is nearest.",
                    card="nearest-neighbors-do-not-confuse-names",
                ),
                ask.slip(
                    squares[home.rows].max(),
                    "That is the larger one of the two at home; the smaller one counts.",
                    card="nearest-neighbors-do-not-confuse-names",
                ),
            ],
        ),
        ask.vector(
            "bounds",
            "squared distances from the other boxes",
            3,
            3,
            whole=True,
            after=["leaves", "home"],
            slips=[
                ask.slip(
                    [int(squares[leaf.rows].min()) for leaf in away],
                    "Those are the distances from the nearest points; the boxes come nearer than these.",
                    card="nearest-neighbors-do-not-confuse-names",
                )
            ],
        ),
        ask.choice(
            "nearest",
            "nearest point",
            4,
            options=NAMES,
            follows=_found(squares, away),
            slips=[
                ask.slip(
                    NAMES[int(home.rows[squares[home.rows].argmin()])],
                    "That one is the best at home; a box that is not farther holds a nearer point.",
                    card="nearest-neighbors-do-not-confuse-names",
                )
            ],
        ),
        ask.number(
            "computed",
            "distances computed",
            4,
            whole=True,
            follows=f"2 + {' + '.join(f'2*({s})' for s in _searched(squares, away))}",
            slips=[
                ask.slip(
                    len(X),
                    "Those are all points; the boxes that are farther than the best so far are left out.",
                    card="nearest-neighbors-do-not-confuse-names",
                ),
                ask.slip(
                    searched,
                    "That counts the leaves searched; each holds two points.",
                    card="nearest-neighbors-do-not-confuse-names",
                ),
            ],
        ),
    ]
    splits = [
        [
            f"${_names(np.sort(node.rows))}$",
            f"${sig(a)}$",
            f"${sig(b)}$",
            *(f"${_names(c.rows)}$" for c in node.children),
        ]
        for node, (a, b) in zip([n for n in nodes if n.children], ranges, strict=True)
    ]
    at_home = ", ".join(f"${NAMES[j]}$: {squares[j]}" for j in home.rows)
    skipped = 4 - searched
    lines = [
        table(splits, ["node", "range of $x_1$", "range of $x_2$", "left", "right"]).markdown,
        f"**Leaves:** {_listed(titles)}.",
        f"**Home:** ${titles[where]}$. The squared distances there are {at_home}, so the best so far is {first}.",
        table(steps, ["leaf", "its box", "squared distance of the box", "searched", "best afterwards"]).markdown,
        f"**Result:** ${nearest}$ is nearest, at the squared distance {squares.min()}. {searched} leaves were searched "
        f"and {skipped} left out: $2 \\cdot {searched} = {2 * searched}$ distances instead of 8.",
        "Marks: 3 for the leaves, 2 for the home, 1 for its best, 3 for the boxes, 1 for the nearest, 1 for the count.",
    ]
    given = {"X": X.astype(int).tolist(), "query": query.astype(int).tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _searched(squares: IntArray, away: list[Node]) -> list[str]:
    """Whether each leaf is searched, one after the other, as expressions of the first distance and the bounds."""
    best, said = "first", []
    for j, leaf in enumerate(away):
        said.append(f"bounds[{j}] <= {best}")
        best = f"min({best}, {squares[leaf.rows].min()} + {FAR}*(bounds[{j}] > {best}))"
    return said


def _found(squares: IntArray, away: list[Node]) -> str:
    """The nearest point of those that were searched, as an expression."""
    distances = [str(s) for s in squares]
    for leaf, said in zip(away, _searched(squares, away), strict=True):
        for i in leaf.rows:
            distances[i] += f" + {FAR}*(1 - ({said}))"
    return f"argmin({', '.join(distances)})"


def _nodes(node: Node) -> list[Node]:
    """A node and all below it, from left to right."""
    return [node, *(below for child in node.children for below in _nodes(child))]


def _square_bound(node: Node, query: FloatArray) -> int:
    return round(float(box_bound([query], *node.shape)[0]) ** 2)


def _home(node: Node, query: FloatArray) -> tuple[Node, list[list[int]]]:
    """The leaf that a query reaches, and the bounds of the two children at each node on the way."""
    forks = []
    while node.children:
        forks.append([_square_bound(child, query) for child in node.children])
        node = node.children[int(forks[-1][1] < forks[-1][0])]
    return node, forks


def _names(rows: IntArray) -> str:
    return "".join(NAMES[j] for j in np.sort(rows))


def _box(node: Node) -> str:
    low, high = node.shape
    return " and ".join(f"${a:.0f} \\le x_{j} \\le {b:.0f}$" for j, (a, b) in enumerate(zip(low, high, strict=True), 1))


@drill("cover-hart", marks=9, minutes=11, title="Limit of the risk of one nearest neighbour")
def cover_hart(rng: np.random.Generator) -> Parts:
    """Three regions with constant posteriors: Bayes risk, limit of 1-NN, the bound, and the variance between them."""
    while True:
        weights = (
            rng.permutation([[2, 3, 5], [1, 4, 5], [2, 2, 6], [3, 3, 4], [1, 3, 6], [1, 2, 7]][int(rng.integers(6))])
            / 10
        )
        eta = rng.choice([0, 5, 10, 20, 30, 40, 60, 70, 80, 90, 95, 100], size=3, replace=False) / 100
        smaller = np.minimum(eta, 1 - eta)
        if len(set(smaller.round(2))) == 3 and weights @ smaller > 0.05:
            break
    posterior = np.column_stack([eta, 1 - eta])
    limits = asymptotic_risk(posterior)
    bayes, limit = float(weights @ smaller), float(weights @ limits)
    bound = float(cover_hart_bound(bayes))
    variance = float(weights @ smaller**2 - bayes**2)
    exact = [[_decimal(v) for v in values] for values in (weights, eta, smaller, limits)]
    header = ["region", "probability", "posterior of class 1"]
    regions = list(zip(range(1, 4), *exact, strict=True))
    statement = "\n\n".join(
        [
            "A feature falls into one of three regions. In each the posterior probability of class 1 is constant:",
            table([[n, w, e] for n, w, e, _, _ in regions], header).markdown,
            "1. Give the Bayes risk in each region, and the Bayes risk $R^\\star$ (3 marks).",
            "2. Give the limit of the risk of 1-NN in each region, and its mean $R$ (3 marks).",
            "3. Compute the upper bound $2R^\\star(1-R^\\star)$ of Cover and Hart (1 mark).",
            "4. Compute the variance of the Bayes risk over the regions, and check that it explains the distance of "
            "$R$ from the bound (2 marks).",
        ]
    )
    answer: dict[str, Any] = {
        "conditional": smaller.tolist(), "bayes": bayes, "limits": limits.tolist(), "limit": limit, "bound": bound,
        "variance": variance,
    }  # fmt: skip
    titles = ["1", "2", "3"]
    fields = [
        ask.vector(
            "conditional",
            "Bayes risk in each region",
            1,
            2,
            titles=titles,
            slips=[
                ask.slip(
                    1 - smaller,
                    "Those are the probabilities of being right; the risk is the smaller posterior.",
                    card="nearest-neighbors-lost-marks-bound",
                )
            ],
        ),
        ask.number(
            "bayes",
            "$R^\\star$",
            1,
            percent=True,
            follows=_mean(weights, "conditional[{}]"),
            slips=[
                ask.slip(
                    smaller.mean(),
                    "That is the plain mean; each region counts by its probability.",
                    card="nearest-neighbors-lost-marks-bound",
                )
            ],
        ),
        ask.vector(
            "limits",
            "limit of 1-NN in each region",
            2,
            2,
            titles=titles,
            follows=[f"2*conditional[{i}]*(1 - conditional[{i}])" for i in range(3)],
            slips=[
                ask.slip(
                    eta * (1 - eta),
                    "That is the probability of one of the two mistakes; query and neighbour may differ in two ways, "
                    "so twice that.",
                    card="nearest-neighbors-lost-marks-proof",
                ),
                ask.slip(
                    2 * smaller,
                    "That is twice the Bayes risk; it lacks the factor of one minus that risk.",
                    card="nearest-neighbors-lost-marks-bound",
                ),
            ],
        ),
        ask.number(
            "limit",
            "$R$",
            2,
            percent=True,
            follows=_mean(weights, "limits[{}]"),
            slips=[
                ask.slip(
                    limits.mean(),
                    "That is the plain mean; each region counts by its probability.",
                    card="nearest-neighbors-lost-marks-bound",
                ),
                ask.slip(
                    bound,
                    "That is $2R^\\star(1 - R^\\star)$, the bound; $R$ is the mean of the limits of the regions.",
                    card="nearest-neighbors-lost-marks-bound",
                ),
            ],
        ),
        ask.number(
            "bound",
            "upper bound",
            3,
            follows="2*bayes*(1 - bayes)",
            slips=[
                ask.slip(
                    2 * bayes,
                    "That is twice the Bayes risk; the factor $1 - R^\\star$ is missing.",
                    card="nearest-neighbors-lost-marks-bound",
                )
            ],
        ),
        ask.number(
            "variance",
            "variance",
            4,
            follows=f"{_mean(weights, 'conditional[{}]^2')} - bayes^2",
            slips=[
                ask.slip(
                    bound - limit,
                    "That is the distance of $R$ from the bound, which is twice the variance.",
                    card="nearest-neighbors-lost-marks-proof",
                ),
                ask.slip(
                    weights @ smaller**2,
                    "That is the mean of the squares; subtract the square of the mean.",
                    card="nearest-neighbors-lost-marks-proof",
                ),
            ],
        ),
        ask.own("why", "that it explains the distance", 4),
    ]
    rows = [
        [
            n,
            f"smaller of {e} and {_decimal(1 - float(e))}: {r}",
            f"$2 \\cdot {e} \\cdot {_decimal(1 - float(e))} = {v}$",
        ]
        for n, _, e, r, v in regions
    ]
    mean, mean_limit, mean_square = (
        " + ".join(f"{w} \\cdot {v}{power}" for w, v in zip(exact[0], values, strict=True))
        for values, power in [(exact[2], ""), (exact[3], ""), (exact[2], "^2")]
    )
    a, b, c, v = (_decimal(number) for number in (bayes, limit, bound, variance))
    lines = [
        table(rows, ["region", "Bayes risk", "limit of 1-NN"]).markdown,
        f"**Bayes risk:** $R^\\star = {mean} = {a}$.",
        f"**Limit:** $R = {mean_limit} = {b}$.",
        f"**Bound:** $2 \\cdot {a} \\cdot (1 - {a}) = {c}$.",
        f"**Variance:** ${mean_square} - {a}^2 = {v}$. The bound less twice the variance is "
        f"${c} - 2 \\cdot {v} = {_decimal(bound - 2 * variance)}$, which is $R$.",
        "Marks: 2 for the regions, 1 for the mean, 2 for the regions, 1 for the mean, 1 for the bound, 1 for the "
        "variance, 1 for the check.",
    ]
    given = {"weights": weights.tolist(), "eta": eta.tolist()}
    return Parts(statement, given, "\n\n".join(lines), answer, fields)


def _mean(weights: FloatArray, entry: str) -> str:
    """A mean over the regions, as an expression."""
    return " + ".join(f"{w}*{entry.format(i)}" for i, w in enumerate(weights))


def _decimal(value: float) -> str:
    """A number of at most six decimals without rounding, as all sums and products here are."""
    return f"{float(Fraction(float(value)).limit_denominator(10**6)):.10g}"

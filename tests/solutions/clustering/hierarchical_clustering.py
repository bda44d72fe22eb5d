"""Exercises on hierarchical clustering: merges by SciPy, sums of squares point by point, splits by enumeration."""

from itertools import combinations, product

import numpy as np
from scipy.cluster.hierarchy import centroid, fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from scipy.special import logsumexp

from tests.solutions.ledger import Worked


def _squares(points):
    """The sum of squared distances from the mean."""
    return float(np.sum((points - points.mean(axis=0)) ** 2))


def _growth(a, b, distance):
    """By how much a merge of clouds with so many points, with means so far apart, raises the sum of squares."""
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(a, 1)), rng.normal(size=(b, 1))
    first, second = first - first.mean(), second - second.mean() + distance
    return _squares(np.vstack([first, second])) - _squares(first) - _squares(second)


def _merges(distances, method):
    """The clusters that arise, as the numbers of their objects from 1, with their heights."""
    members = [[n + 1] for n in range(len(squareform(distances)))]
    found = []
    for left, right, height, _ in linkage(distances, method):
        members.append(sorted(members[int(left)] + members[int(right)]))
        found.append((members[-1], height))
    return found


def _splits(n):
    """The ways to part objects into two groups, none empty: the first object is in the first group."""
    return [rest for rest in product((0, 1), repeat=n - 1) if any(rest)]


def ex_ward():
    large, near, far = 50, 1, 5
    costs = _growth(large, large, near), _growth(large, 1, far)
    assert costs[1] < costs[0]
    a, b = np.array([[0.0, 1], [2, 3], [4, 1]]), np.array([[7.0, 2], [9, 9]])
    distance = float(np.linalg.norm(a.mean(axis=0) - b.mean(axis=0)))
    mean = np.vstack([a, b]).mean(axis=0)[:, None]
    growth = _squares(np.vstack([a, b])) - _squares(a) - _squares(b)
    return Worked(
        {"n_A": len(a), "n_B": len(b), r"\delta": distance, r"\mathbf{m}_A": a.mean(axis=0)[:, None],
         r"\mathbf{m}_B": b.mean(axis=0)[:, None], r"\mathbf{m}_{AB}": mean},
        numbers=[large, near, large, far, growth, growth],
        known=[costs],
    )  # fmt: skip


def ex_five():
    listed = {(1, 2): 9, (1, 3): 3, (1, 4): 6, (1, 5): 11, (2, 3): 7, (2, 4): 5, (2, 5): 10, (3, 4): 9, (3, 5): 2,
              (4, 5): 8}  # fmt: skip
    distances = np.array([listed[pair] for pair in combinations(range(1, 6), 2)])
    single, complete = _merges(distances, "single"), _merges(distances, "complete")
    left = lambda merges: [c for c, _ in merges[-2::-1] if not any(set(c) < set(d) for d, _ in merges[:-1])]
    return Worked(
        {"d_{##}": listed},
        numbers=[
            single[:-1], single[-1][1],
            complete[:2], complete[2][0], single[1][0], complete[-1][1], left(single)[::-1], left(complete),
        ],
        known=[complete[2][1]],
    )  # fmt: skip


def ex_monotone():
    side = 2
    triangle = np.array([[0, 0], [side, 0], [side / 2, side * np.sqrt(3) / 2]])
    assert np.allclose(pdist(triangle), side)
    first, second = centroid(pdist(triangle))[:, 2]
    return Worked(numbers=[side, 1, first, (second / side) ** 2, 1], known=[second])


def ex_steps():
    distances = {"d_{ij}": 1.7, "h": 2.5}
    return Worked(distances, numbers=[logsumexp([0, np.log(v)]) for v in distances.values()])


def ex_code():
    return Worked(numbers=[np.unique(fcluster(linkage([[0.0], [1], [5]]), 2, "maxclust") - 1).min()])


def cards():
    a, b, c = np.array([[0.0], [1]]), np.array([[4.0]]), np.array([[9.0], [12]])
    mean = lambda left, right: float(np.abs(left - right.T).mean())
    weighted = linkage(np.vstack([a[:1], a[:1] + 1, [[4.0]]]), "weighted")  # 0 and 1, then 4
    halves = {"d(A,C)": 4.0, "d(B,C)": 3.0, r"d(A\cup B,C)": weighted[-1, 2]}
    pair = {"n_A": len(a), "n_B": len(b)}
    assert np.isclose(mean(np.vstack([a, b]), c), (len(a) * mean(a, c) + len(b) * mean(b, c)) / (len(a) + len(b)))
    N = 5
    flips = len([*product((0, 1), repeat=N - 1)])  # each merge may be turned round
    pairs = sum(len([*combinations(range(m), 2)]) for m in range(2, N + 1))
    line = np.array([0, 3, 5, 7, 8])
    early = sorted(line[np.array(_merges(pdist(line[:, None]), "ward")[1][0]) - 1])
    cost = lambda rest: sum(_squares(line[np.array([0, *rest]) == k]) for k in (0, 1))
    best = np.array([0, *min(_splits(len(line)), key=cost)])
    assert best[line == early[0]] != best[line == early[1]]
    copies = linkage(np.array([[0.0], [0.0], [3.0]]))
    growth = _growth(2, 6, 4)
    quiz = np.array([4, 10, 10])  # the distances of one object of A and two of B
    objects = 8
    ward = lambda i, j, k: ((i + k) / (i + j + k), (j + k) / (i + j + k), -k / (i + j + k))
    average = quiz.mean()
    return {
        "lost-marks-weights": Worked({**pair, **halves}, numbers=[(weighted[-1, 2] - 3) / (4 - 3)]),
        "lost-marks-leaves": Worked({"N": N}, numbers=[flips]),
        "lost-marks-divisions": Worked({"n": N}, numbers=[len(_splits(N)), 2]),
        "what-if-twice": Worked(numbers=[2, copies[0, 2], 2]),
        "counterexample-greedy": Worked(numbers=[line, early]),
        "counting-trees": Worked(
            {"N": N, "m": 4, "n": 6, "s_#": {6: len(_splits(6))}},
            numbers=[len(linkage(np.arange(N)[:, None])), flips, len([*combinations(range(4), 2)]), pairs],
        ),
        "convention-ward": Worked(
            {r"\Delta": growth},
            numbers=[linkage(np.repeat([0.0, 4.0], [2, 6])[:, None], "ward")[-1, 2]],
        ),
        "quiz-average": Worked(
            {"d(A,C)": quiz[0], "d(B,C)": quiz[1], "n_A": 1, "n_B": 2},
            numbers=[np.mean([4, 10]), average, average, np.average([4, 10], weights=[2, 1]), quiz.min()],
        ),
        "quiz-ward": Worked(
            numbers=[2, 6, 4, 4**2, growth / 4, growth, growth, (2 + 6) * 4**2], known=[(2 + 6) * 4**2]
        ),
        "quiz-splits": Worked(
            numbers=[objects, len(_splits(objects)), len(_splits(objects)), len(_splits(objects)) * 2 + 1, 2,
                     len([*combinations(range(objects), 2)]), len(_splits(objects)) + 1],
        ),
        "quiz-heights": Worked(numbers=[sum(ward(3, 2, 4))]),
    }  # fmt: skip

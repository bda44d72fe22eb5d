"""The quiz of the chapter *Classification and regression trees*, decided: see ``tests/claims/deciding.py``."""

from itertools import product

import numpy as np

from notes_lib.trees.cart import DecisionTreeClassifier, DecisionTreeRegressor, gini, gini_gain
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9


def _squares(y):
    """Sum of squared distances from the mean."""
    return float(np.var(y) * len(y))


def quiz_gain(a, b, left_a, left_b, right_b):
    """A node has <a> instances of class a and <b> of b. Left go <left_a> a and <left_b> b, right <right_b> b. The gain
    of the Gini index is"""
    left, right = [left_a, left_b], [a - left_a, right_b]
    assert left_b + right_b == b
    before, sides = gini([a / (a + b), b / (a + b)]), [gini(np.array(c) / sum(c)) for c in (left, right)]
    gain = gini_gain(left, right)
    return Numbers(gain, [before, before - np.mean(sides), before - gain])


def quiz_leaf(y):
    """A leaf holds the targets <y>. With squared errors it predicts"""
    tree = DecisionTreeRegressor().fit(np.ones((len(y), 1)), y)
    return Numbers(tree.predict([[1.0]])[0], [np.median(y), (min(y) + max(y)) / 2, max(y)])


def quiz_categories(categories, classes):
    """A feature has <categories> categories, the target <classes> classes. How many splits must be compared?"""
    Q = int(categories)
    assert classes == 2
    sides = {frozenset([side, tuple(1 - v for v in side)]) for side in product((0, 1), repeat=Q) if 0 < sum(side) < Q}
    return Numbers(len(np.diff(np.arange(Q))), [len(sides), Q, 2**Q])


def quiz_invariant():
    """Which of these changes leave all splits of a regression tree as they are, seen as partitions of the training
    instances? (Mark all.)"""
    rng = np.random.default_rng(0)
    X, y = rng.uniform(1, 9, size=(80, 3)), rng.exponential(size=80) + 0.1
    groups = lambda A, t: DecisionTreeRegressor(max_depth=4).fit(A, t).apply(A)
    same = lambda A, t: np.array_equal(groups(A, t), groups(X, y))
    logs = X.copy()
    logs[:, 1] = np.log(logs[:, 1])
    wild = y.copy()
    wild[5] += 50
    return {
        "one more outlier in the target": same(X, wild),
        "the logarithm of a positive feature": same(logs, y),
        "the logarithm of the target": same(X, np.log(y)),
        "another unit of the target": same(X, 1000 * y),
    }


def tf_never():
    """A split never raises the weighted Gini index."""
    rng = np.random.default_rng(1)
    gains = [gini_gain(rng.integers(1, 9, 3), rng.integers(1, 9, 3)) for _ in range(300)]
    return min(gains) > -SMALL


def tf_full():
    """A full tree is right on all training instances, whatever they are."""
    rng = np.random.default_rng(2)
    apart = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    assert DecisionTreeClassifier().fit(*apart).score(*apart) == 1
    equal = np.repeat(apart[0][:20], 2, axis=0), np.tile([0, 1], 20)
    return all(DecisionTreeClassifier().fit(*rows).score(*rows) == 1 for rows in (apart, equal))


def tf_greedy(depth, same_depth):
    """The greedy tree of depth <depth> has the smallest loss among all trees of depth <same_depth>."""
    assert depth == same_depth == 2
    corners = np.repeat(np.array(list(product((0, 1), repeat=2))), 5, axis=0)
    y = np.abs(corners[:, 0] - corners[:, 1]).astype(float)
    third = np.where(np.arange(20) % 5 == 0, 1 - y, y)  # it gains something alone
    greedy = DecisionTreeRegressor(max_depth=2).fit(np.column_stack([corners, third]), y)
    best = min(_squares(y), *(
        sum(_squares(y[(corners == cell).all(axis=1)]) for cell in product((0, 1), repeat=2)),
    ))  # fmt: skip
    found = np.sum((greedy.predict(np.column_stack([corners, third])) - y) ** 2)
    assert greedy.tree_.feature[0] == 2
    return found <= best + SMALL


def tf_regression():
    """For two classes a regression tree on the labels 0 and 1 makes the splits of the Gini index."""
    rng = np.random.default_rng(3)
    pairs = []
    for _ in range(10):
        X, y = rng.normal(size=(50, 3)), rng.integers(0, 2, 50)
        trees = [Tree(max_depth=4).fit(X, y).tree_ for Tree in (DecisionTreeClassifier, DecisionTreeRegressor)]
        pairs.append([(tree.feature.tolist(), tree.threshold.tolist()) for tree in trees])
    return all(one == other for one, other in pairs)


test_claim = decided("trees/cart", globals())

"""The quiz of the chapter *Decision trees*, decided: see ``tests/claims/deciding.py``."""

import numpy as np

from notes_lib.trees.decision_tree import (
    C45Classifier,
    ID3Classifier,
    best_threshold,
    boundary_thresholds,
    gain_ratio,
    impurity_after,
    impurity_decrease,
    intrinsic_value,
    rules,
)
from tests.claims.deciding import Numbers, decided

SMALL = 1e-9
CRITERIA = ("entropy", "gini", "misclassification")
SIGNS = {"<=": np.less_equal, ">": np.greater}


def _sample(seed, n=30, d=2):
    """Two numeric attributes with ties, and classes that they explain in part."""
    rng = np.random.default_rng(seed)
    X = rng.integers(8, size=(n, d)).astype(float)
    return X, (X.sum(axis=1) + rng.normal(scale=2, size=n) > 7).astype(int)


SAMPLES = [_sample(seed) for seed in range(6)]


def _root(X, y, **parameters):
    return C45Classifier(**parameters).fit(X, y).nodes_[0]


def quiz_pure(a, b, left, right):
    """A node with <a> and <b> instances is split into $<left>$ and $<right>$. The information gain is"""
    counts = np.array([left, right])
    assert counts.sum(axis=0).tolist() == [a, b]
    gain = impurity_decrease(counts)
    return Numbers(gain, [impurity_decrease(counts, "gini"), gain * (a + b), impurity_after(counts)], unit=" bits?")


def quiz_intrinsic():
    """What does the intrinsic value depend on?"""
    of = lambda counts: impurity_decrease(counts) / gain_ratio(counts)
    same_sizes = [of([[6, 2], [1, 3]]), of([[1, 7], [4, 0]]), of([[8, 0], [0, 4]])]
    (X, y), wide = SAMPLES[0], np.column_stack([SAMPLES[0][0], np.zeros((30, 3))])
    one, more, scaled = (_root(data, y).split.intrinsic for data in (X, wide, 1000 * X))
    other_labels = not np.allclose(same_sizes, same_sizes[0])
    return {
        "the labels in the branches": other_labels,
        "the number of attributes": not np.isclose(one, more),
        "the sizes of the branches only": not other_labels
        and not np.isclose(intrinsic_value([8, 4]), of([[6, 0], [0, 6]])),
        "the threshold's unit": not np.isclose(one, scaled),
    }


def _gains(x, y, criterion="entropy"):
    """The decrease of the impurity at every threshold between two values."""
    values = np.unique(x)
    thresholds = (values[1:] + values[:-1]) / 2
    tables = [[[((x <= t) == low)[y == k].sum() for k in (0, 1)] for low in (True, False)] for t in thresholds]
    return thresholds, np.array([impurity_decrease(table, criterion) for table in tables])


def quiz_threshold():
    """Which are true of a best threshold? (Mark all.)"""
    at_change, unique = [], []
    alternating = np.arange(4.0)[:, None], np.array([0, 1, 0, 1])  # as good to cut off the first as the last
    for X, y in [*SAMPLES, alternating]:
        for criterion in CRITERIA:
            thresholds, gains = _gains(X[:, 0], y, criterion)
            best = thresholds[gains > gains.max() - SMALL]
            assert np.isclose(best_threshold(X[:, 0], y, criterion)[1], gains.max())
            at_change.append(np.isin(best, boundary_thresholds(X[:, 0], y)).any())
            unique.append(len(best) == 1)
    units = np.array([1.0, 1000.0])
    roots = [(_root(X, y).split, _root(X * units, y).split) for X, y in SAMPLES]
    firsts = [(before, after) for before, after in roots if before.feature == 0]
    assert firsts
    return {
        "One lies where the class changes": all(at_change),
        "It is the mean of the attribute": all(
            np.isclose(best_threshold(X[:, 0], y)[0], X[:, 0].mean()) for X, y in SAMPLES
        ),
        "It does not depend on the scale of other attributes": all(before == after for before, after in firsts),
        "It is unique": all(unique),
    }


def quiz_missing():
    """A row lacks the attribute that is asked. C4.5"""
    x, y = np.array([0, 0, 0, 1, 1, 2, np.nan]), np.array([0, 0, 0, 1, 1, 0, 1])
    model = C45Classifier(categorical_features=[0]).fit(x[:, None], y)
    here = np.array([model.nodes_[child].counts.sum() for child in model.nodes_[0].children.values()])
    extra = here - [3, 2, 1]
    return {
        "drops the row": np.allclose(extra, 0),
        "takes the most frequent value": np.allclose(extra, np.arange(3) == np.argmax([3, 2, 1])),
        "always goes left": np.allclose(extra, [1, 0, 0]),
        "sends it down every branch with a part of its weight": (extra > 0).all() and np.isclose(extra.sum(), 1),
    }


def tf_rise():
    """A split of training rows can raise the mean entropy of the branches above that of the node."""
    tables = np.random.default_rng(0).integers(1, 12, size=(200, 3, 4))
    return any(impurity_after(table) > impurity_after([table.sum(axis=0)]) + SMALL for table in tables)


def tf_xor():
    """If every attribute has gain 0, no tree is better than the majority class."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1, 0])
    gain = lambda X: [impurity_decrease([np.bincount(y[x == v], minlength=2) for v in np.unique(x)]) for x in X.T]
    assert np.allclose(gain(X), 0)
    is_best = lambda X: ID3Classifier().fit(X, y).score(X, y) <= np.bincount(y).max() / len(y)
    assert is_best(np.zeros((4, 2)))
    return is_best(X)


def tf_rules():
    """The rules of the leaves of a tree exclude each other."""
    grid = np.stack(np.meshgrid(np.arange(-1, 9, 0.37), np.arange(-1, 9, 0.37)), axis=-1).reshape(-1, 2)

    def fulfilled(rule):
        parts = [condition.split(" ") for condition in rule.conditions]  # x_0 <= 3.5
        return np.all([SIGNS[sign](grid[:, int(name[2:])], float(t)) for name, sign, t in parts], axis=0)

    return all(
        (np.sum([fulfilled(rule) for rule in rules(C45Classifier().fit(X, y))], axis=0) == 1).all() for X, y in SAMPLES
    )


def tf_scale():
    """Standardising the features changes the questions of a C4.5 tree."""
    changed = []
    for X, y in SAMPLES:
        mean, scale = X.mean(axis=0), X.std(axis=0)
        before, after = (C45Classifier().fit(data, y).nodes_ for data in (X, (X - mean) / scale))
        asked = [node.split for node in before if node.split]
        again = [node.split for node in after if node.split]
        place = [((q.threshold - mean[q.feature]) / scale[q.feature], q.feature) for q in asked]
        changed.append(len(asked) != len(again) or not np.allclose(place, [(q.threshold, q.feature) for q in again]))
    return any(changed)


test_claim = decided("trees/decision_tree", globals())

"""The quiz of the chapter *Bagging and random forests*, decided: see ``tests/claims/deciding.py``."""

import warnings
from functools import cache

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from notes_lib.theory.resampling import bootstrap_counts, out_of_bag_probability
from notes_lib.trees.random_forest import (
    BaggingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    average_variance,
    mean_correlation,
    permutation_importance,
)
from tests.claims.deciding import Numbers, Words, decided

SMALL = 1e-9


def _sample(seed, n, d=4, noise=0.3):
    """Rows in a cube, and targets that grow along its diagonal."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, d))
    return X, X.sum(axis=1) + noise * rng.normal(size=n)


@cache
def _predictions(max_features):
    """What each tree of a forest says at ten places, for 40 training sets: (sets, trees, places)."""
    places, told = _sample(99, 10)[0], []
    for seed in range(40):
        forest = RandomForestRegressor(3, max_features=max_features, random_state=seed).fit(*_sample(seed, 30))
        told.append([tree.predict(places) for tree in forest.estimators_])
    return np.array(told)


def quiz_variance(variance, correlation, trees):
    """Trees with variance <variance> and correlation <correlation>. The variance of the average of <trees> of them
    is"""
    B, shared = int(trees), correlation * variance
    covariance = np.full((B, B), shared) + (variance - shared) * np.eye(B)
    return Numbers(covariance.mean(), [variance / B, shared, shared / B])


def quiz_oob(trees):
    """<trees> trees, many instances. About how many trees vote on an instance out of the bag?"""
    outside = trees * out_of_bag_probability(10_000)
    return Numbers(round(outside, -1), [round(trees - outside, -1), trees, round(np.sqrt(trees))])


def quiz_limit():
    """What can lower the limit of the variance for very many trees?"""
    all_features, few = (mean_correlation(_predictions(d)) for d in (4, 1))
    limit = all_features.variance * all_features.correlation
    of_many = lambda correlation, B: average_variance(all_features.variance, correlation, B)
    return {
        "fewer drawn features at each node": few.variance * few.correlation < 0.8 * limit,
        "more trees": of_many(all_features.correlation, 10**9) < limit - SMALL,
        "copies of the best tree": of_many(1.0, 10**9) < limit - SMALL,
        "sorting the features only once": Words("it grows the same trees"),
    }


class _Counted(DecisionTreeClassifier):
    """A tree that counts how often one is fitted."""

    fits = 0

    def fit(self, X, y):
        _Counted.fits += 1
        return super().fit(X, y)


def quiz_properties():
    """Which are true of the out-of-bag error? (Mark all.)"""
    rng = np.random.default_rng(0)
    people, labels = rng.normal(size=(30, 2)), np.tile([0, 1], 15)  # nothing to learn, and four rows of each
    forest = RandomForestClassifier(20, oob_score=True, random_state=0).fit(people.repeat(4, axis=0), labels.repeat(4))
    _Counted.fits = 0
    BaggingClassifier(_Counted(), 20, oob_score=True, random_state=0).fit(people, labels)
    errors = np.array([_errors_of_ten_trees(seed) for seed in range(15)])
    excess = errors[:, 0] - errors[:, 1]
    return {
        "it is honest for several rows of one patient": abs(forest.oob_score_ - 0.5) < 0.1,
        "it needs no further fit": _Counted.fits == 20,
        "it is a bit pessimistic for few trees": excess.mean() > 3 * excess.std() / np.sqrt(len(excess)),
        "it equals the training error": np.allclose(errors[:, 0], errors[:, 2]),
    }


def _errors_of_ten_trees(seed):
    """Mean squared error out of the bag, on new rows, and on the training set."""
    X, y = _sample(seed, 400, d=2, noise=0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some row is in every sample
        forest = RandomForestRegressor(10, oob_score=True, random_state=seed).fit(X[:100], y[:100])
    missed = (forest.predict(X) - y) ** 2
    return np.nanmean((forest.oob_prediction_ - y[:100]) ** 2), missed[100:].mean(), missed[:100].mean()


def tf_bias():
    """Averaging learners that are made alike leaves the bias as it is."""
    told = _predictions(4)
    moved = told.mean(axis=1) - told[:, 0]  # of the average against one tree
    error = moved.std(axis=0) / np.sqrt(len(moved))
    return (np.abs(moved.mean(axis=0)) < 4 * error).all() and (error < 0.2).all()


def tf_rows(share):
    """A bootstrap sample of $N$ draws has about $<share>N$ rows."""
    n = 10_000
    counts = bootstrap_counts(n, random_state=0)
    assert np.isclose((counts > 0).sum() / n, share, atol=0.02)
    return np.isclose(counts.sum() / n, share, atol=0.02)


def tf_twins():
    """Two features that are copies of each other have small permutation importances, even if they are the cause."""
    X = np.random.default_rng(1).normal(size=(120, 2))
    y, twins = X[:, 0], np.column_stack([X, X[:, 0]])
    alone, both = (
        permutation_importance(
            RandomForestRegressor(30, max_features=1, random_state=0).fit(D[:60], y[:60]), D[60:], y[60:],
            random_state=0,
        ).importances_mean
        for D in (X, twins)
    )  # fmt: skip
    return max(both[0], both[2]) < 0.6 * alone[0]


def tf_correlation(many, few):
    """With <many> trees the correlation of two trees is smaller than with <few>."""
    targets = np.random.default_rng(2).normal(size=(300, 10))  # of 300 training sets
    drawn = np.random.default_rng(3).integers(10, size=(300, int(many), 10))
    leaves = np.take_along_axis(targets[:, None], drawn, axis=2).mean(axis=2)  # trees of one leaf each
    return mean_correlation(leaves).correlation < mean_correlation(leaves[:, : int(few)]).correlation - 0.05


test_claim = decided("trees/random_forest", globals())

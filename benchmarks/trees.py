"""Workloads of the chapters of the part *Trees and ensembles*."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray, IntArray
from notes_lib.trees.cart import DecisionTreeClassifier, DecisionTreeRegressor
from notes_lib.trees.gradient_boosting import GradientBoostingRegressor


def _classes(n: int) -> tuple[FloatArray, IntArray]:
    """Two classes in 20 dimensions, in single precision, which is what the peer sees."""
    from sklearn.datasets import make_classification

    X, y = make_classification(
        n, 20, n_informative=10, n_redundant=4, n_clusters_per_class=4, flip_y=0.05, random_state=0
    )
    return X.astype(np.float32).astype(float), y


def cart_fit() -> Workload:
    """A full classification tree."""
    import sklearn.tree

    X, y = _classes(20_000)
    return Workload(
        name="classification tree, fit",
        size="20,000 x 20, full depth",
        peer_name="scikit-learn",
        ours=lambda: DecisionTreeClassifier().fit(X, y),
        peer=lambda: sklearn.tree.DecisionTreeClassifier(random_state=0).fit(X, y),
        difference=lambda a, b: abs(a.score(X, y) - b.score(X, y)) + abs(a.get_n_leaves() / b.get_n_leaves() - 1),
        tolerance=0.02,  # of equal gains the peer takes a random one
        goal=1.7,
        floor=1.0,
        technique="all nodes of a level at once: keys of node, rank and row are sorted as integers, sums of targets "
        "relative to the mean of their node return to 0 at its end",
    )


def cart_regression() -> Workload:
    """A regression tree of depth 10."""
    import sklearn.tree

    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 20)).astype(np.float32).astype(float)
    y = X[:, :10] @ rng.normal(size=10) + rng.normal(size=20_000)
    limits: dict[str, Any] = {"max_depth": 10, "min_samples_leaf": 5}
    return Workload(
        name="regression tree, fit",
        size="20,000 x 20, depth 10",
        peer_name="scikit-learn",
        ours=lambda: DecisionTreeRegressor(**limits).fit(X, y).predict(X),
        peer=lambda: sklearn.tree.DecisionTreeRegressor(**limits, random_state=0).fit(X, y).predict(X),
        difference=lambda a, b: float(np.abs(a - b).max()),
        tolerance=1e-9,
        goal=1.7,
        floor=1.0,
        technique="as the classification tree; both share one gain",
    )


def cart_predict() -> Workload:
    """Classes of many rows by a full tree."""
    import sklearn.tree

    X, y = _classes(20_000)
    limits: dict[str, Any] = {"min_samples_leaf": 30}
    model = DecisionTreeClassifier(**limits).fit(X, y)
    peer = sklearn.tree.DecisionTreeClassifier(**limits, random_state=0).fit(X, y)
    many = np.tile(X, (5, 1))
    return Workload(
        name="classification tree, predict",
        size="100,000 x 20",
        peer_name="scikit-learn",
        ours=lambda: model.predict(many),
        peer=lambda: peer.predict(many),
        difference=lambda a, b: float((a != b).mean()),
        tolerance=0.05,  # of equal gains the peer takes a random one
        goal=0.5,
        floor=0.3,
        technique="all rows go one level down together",
    )


def _curved() -> tuple[FloatArray, FloatArray]:
    """Numbers with a linear and a curved part, in single precision, which is what the peers see."""
    from sklearn.datasets import make_regression

    X, y = make_regression(10_000, 20, n_informative=10, noise=20, random_state=0)
    X = X.astype(np.float32).astype(float)
    return X, y + 50 * np.sin(3 * X[:, 0]) * X[:, 1]


def boosting_exact() -> Workload:
    """A hundred boosted trees over all thresholds."""
    import sklearn.ensemble

    X, y = _curved()
    return Workload(
        name="gradient boosting, exact",
        size="10,000 x 20, 100 trees of depth 3",
        peer_name="scikit-learn",
        ours=lambda: GradientBoostingRegressor().fit(X, y).predict(X),
        peer=lambda: sklearn.ensemble.GradientBoostingRegressor(random_state=0).fit(X, y).predict(X),
        difference=lambda a, b: float(np.abs(a - b).max() / np.abs(b).max()),
        tolerance=1e-9,
        goal=3.0,
        floor=1.5,
        technique="columns are sorted once for all rounds; a level is searched a few features at a time",
    )


def boosting_histogram() -> Workload:
    """A hundred boosted trees over the borders of 255 bins."""
    import sklearn.ensemble

    X, y = _curved()
    limits: dict[str, Any] = {"max_depth": 3, "min_samples_leaf": 1}
    return Workload(
        name="gradient boosting, histograms",
        size="10,000 x 20, 100 trees of depth 3",
        peer_name="scikit-learn",
        ours=lambda: GradientBoostingRegressor(tree_method="hist", **limits).fit(X, y),
        peer=lambda: sklearn.ensemble.HistGradientBoostingRegressor(
            max_leaf_nodes=None, early_stopping=False, **limits
        ).fit(X, y),
        difference=lambda a, b: abs(a.score(X, y) - b.score(X, y)),
        tolerance=0.01,  # the peer chooses other borders
        goal=0.38,
        floor=0.2,
        technique="derivatives are added up by node, feature and bin; of two children only the smaller one is counted",
    )


WORKLOADS: list[Callable[[], Workload]] = [cart_fit, cart_regression, cart_predict, boosting_exact, boosting_histogram]

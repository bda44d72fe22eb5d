"""Workloads of the chapters of the part *Trees and ensembles*."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import Workload
from notes_lib.checks import FloatArray, IntArray
from notes_lib.trees.adaboost import AdaBoostClassifier
from notes_lib.trees.cart import DecisionTreeClassifier, DecisionTreeRegressor, Tree
from notes_lib.trees.gradient_boosting import GradientBoostingRegressor
from notes_lib.trees.pruning import cost_complexity_pruning_path
from notes_lib.trees.random_forest import RandomForestClassifier


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
        technique="all nodes of a level at once: columns sorted once are divided by nodes of 16 bits, later keys of "
        "node, rank and row are sorted as integers; sums of targets relative to the mean of their node return to 0 at "
        "its end",
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


def adaboost_fit() -> Workload:
    """A hundred rounds of stumps."""
    import sklearn.ensemble

    X, y = _classes(10_000)
    return Workload(
        name="AdaBoost, 100 stumps",
        size="10,000 x 20",
        peer_name="scikit-learn",
        ours=lambda: AdaBoostClassifier(n_estimators=100).fit(X, y),
        peer=lambda: sklearn.ensemble.AdaBoostClassifier(n_estimators=100, random_state=0).fit(X, y),
        difference=lambda a, b: float(np.abs(2 * a.decision_function(X) - b.decision_function(X)).max()),
        tolerance=1e-9,
        goal=10.0,
        floor=5.0,
        technique="columns are sorted once; sums over blocks of 32 rows bound the gain of each cut in "
        "them, and cuts are scored only in the blocks that can hold the best one",
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


def pruning_path() -> Workload:
    """Growth and the whole sequence of weakest links."""
    import sklearn.tree

    X, y = _classes(5_000)
    peer = sklearn.tree.DecisionTreeClassifier(random_state=0)
    t = peer.fit(X, y).tree_
    fields = (t.children_left, t.children_right, t.feature, t.threshold, t.value[:, 0, :], t.impurity)
    same = cost_complexity_pruning_path(Tree(*fields, t.n_node_samples, t.weighted_n_node_samples)).ccp_alphas
    return Workload(
        name="cost-complexity path",
        size="5,000 x 20, full depth",
        peer_name="scikit-learn",
        ours=lambda: DecisionTreeClassifier().cost_complexity_pruning_path(X, y).ccp_alphas,
        peer=lambda: peer.cost_complexity_pruning_path(X, y).ccp_alphas,
        # the trees differ where gains are equal, so the sequence is compared on the tree of the peer
        difference=lambda a, b: float(np.abs(same - b).max()) + abs(float(a[-1] - b[-1])),
        tolerance=1e-9,
        goal=1.0,
        floor=0.6,
        technique="a heap of strengths, of which a cut changes those above it only",
    )


def forest_fit() -> Workload:
    """Fifty full trees on bootstrap samples, four drawn features at each node."""
    import sklearn.ensemble

    X, y = _classes(22_000)
    train, new = slice(0, 20_000), slice(20_000, None)
    limits: dict[str, Any] = {"n_estimators": 50, "max_features": 4, "random_state": 0}
    return Workload(
        name="random forest, fit",
        size="20,000 x 20, 50 full trees",
        peer_name="scikit-learn",
        ours=lambda: RandomForestClassifier(**limits).fit(X[train], y[train]),
        peer=lambda: sklearn.ensemble.RandomForestClassifier(**limits, n_jobs=1).fit(X[train], y[train]),
        difference=lambda a, b: abs(a.score(X[new], y[new]) - b.score(X[new], y[new])),
        tolerance=0.02,  # other random numbers; three standard errors of 2,000 instances
        goal=1.0,
        floor=0.7,
        technique="as the classification tree, on columns that are sorted once for all trees; a bootstrap sample is a "
        "column of weights, and only the drawn features are sorted inside the nodes",
    )


WORKLOADS = [
    cart_fit,
    cart_regression,
    cart_predict,
    adaboost_fit,
    boosting_exact,
    boosting_histogram,
    pruning_path,
    forest_fit,
]

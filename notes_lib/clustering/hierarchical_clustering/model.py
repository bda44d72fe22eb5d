"""The estimators of the chapter *Hierarchical clustering*."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_real
from notes_lib.clustering.hierarchical_clustering.checks import (
    METHODS,
    METRICS,
    check_clusters,
    check_method,
    check_observations,
    check_table,
)
from notes_lib.clustering.hierarchical_clustering.distances import square_table
from notes_lib.clustering.hierarchical_clustering.divisive import bisect
from notes_lib.clustering.hierarchical_clustering.merging import merge_table

STRATEGIES = ("biggest_inertia", "largest_cluster")


class AgglomerativeClustering(ClusterMixin, BaseEstimator):
    """Flat clusters from a tree of merges, cut by their number or by a height.

    Names are those of ``sklearn.cluster.AgglomerativeClustering`` without a connectivity; so are the labels, but for
    single linkage, where clusters may have other numbers.

    Parameters
    ----------
    n_clusters : int or None
        How many clusters to leave; None if ``distance_threshold`` decides.
    metric : 'euclidean', 'cityblock', 'manhattan' or 'precomputed'
        With 'precomputed', ``X`` is a square table of distances; ward, centroid and median need 'euclidean'.
    linkage : 'ward', 'complete', 'average', 'single', 'weighted', 'centroid' or 'median'
        See :func:`linkage`. Single linkage merges what touches, complete and Ward linkage make compact clusters.
    distance_threshold : float or None
        Merges at this height or above it are not made.

    Attributes
    ----------
    labels_ : (n,) array of int
    n_clusters_ : int
    children_ : (n - 1, 2) array of int
        The clusters that each merge unites; the union of merge t is cluster n + t.
    distances_ : (n - 1,) array, the heights of the merges
    n_leaves_ : int, the number of observations
    n_connected_components_ : int, always 1
    n_features_in_ : int

    Raises
    ------
    ValueError
        By ``fit``: if X has NaN, infinite or no values, is not a matrix or has fewer than two rows; if ``n_clusters``
        is below 1 or above the number of rows; if not exactly one of ``n_clusters`` and ``distance_threshold`` is
        given, or the threshold is negative; if ``linkage`` or ``metric`` is unknown, or the two do not go together; if
        a precomputed table is not square and symmetric with a zero diagonal and no negative entry.
    TypeError
        If ``n_clusters`` is not an integer, the threshold not a number, or X holds text.

    Notes
    -----
    O(n^2 d) time, O(n^2) memory; see :func:`linkage`.

    Examples
    --------
    >>> AgglomerativeClustering(2, linkage="single").fit_predict([[0.0], [1.0], [5.0]])
    array([0, 0, 1])
    """

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: str = "euclidean",
        linkage: str = "ward",
        distance_threshold: float | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.linkage = linkage
        self.distance_threshold = distance_threshold

    def fit(self, X: ArrayLike, y: Any = None) -> AgglomerativeClustering:
        """Cluster the rows of ``X``: (n, d) observations or, precomputed, (n, n) distances; ``y`` is ignored."""
        self._check_parameters()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        if self.n_clusters is not None:
            check_clusters(self.n_clusters, len(X))
        if self.metric == "precomputed":
            D = np.array(check_table(X, "X"))
        else:
            D = square_table(check_observations(X, "X", table=False), self.metric)
        Z = merge_table(D, self.linkage)
        self.children_, self.distances_ = Z[:, :2].astype(int), Z[:, 2]
        self.n_leaves_, self.n_connected_components_ = len(X), 1
        threshold = np.inf if self.distance_threshold is None else self.distance_threshold
        self.n_clusters_ = self.n_clusters or 1 + int((self.distances_ >= threshold).sum())
        self.labels_ = _cut(self.children_, self.n_clusters_)
        return self

    def __sklearn_tags__(self) -> Any:
        """Whether X holds distances instead of features, for scikit-learn's tools."""
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def _check_parameters(self) -> None:
        check_choice(self.linkage, "linkage", METHODS)
        check_choice(self.metric, "metric", (*METRICS, "precomputed"))
        if self.metric != "precomputed":
            check_method(self.linkage, self.metric)
        elif self.linkage in ("ward", "centroid", "median"):
            raise ValueError(
                f"linkage={self.linkage!r} needs observations, got metric='precomputed': take metric='euclidean', or "
                "linkage='average', 'complete', 'single' or 'weighted'."
            )
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise ValueError("exactly one of n_clusters and distance_threshold must be given: set the other to None.")
        if self.n_clusters is not None:
            check_integer(self.n_clusters, "n_clusters")
        else:
            check_real(self.distance_threshold, "distance_threshold")


class DivisiveClustering(ClusterMixin, BaseEstimator):
    """Bisecting k-means: one cluster with all observations, of which one after the other is split in two.

    The cluster to split is the one with the largest sum of squares; its two parts come from :func:`bisect`, a run of
    2-means that starts from the two sides of the principal direction. Nothing is drawn at random, and the clusters for
    one number are those for one less with one of them split, so the labels for all numbers are nested.

    Parameters
    ----------
    n_clusters : int
        At most the number of different rows.
    bisecting_strategy : 'biggest_inertia' or 'largest_cluster'
        Which cluster is split next: the one with the largest sum of squares, or the one with most members among those
        that can be split. Of equal ones the one with the smallest label.
    max_iter : int
        Largest number of iterations of 2-means in a split.

    Attributes
    ----------
    labels_ : (n,) array of int
        The part that holds the first row of a split cluster keeps its label; the other one gets the next free label.
    levels_ : (n_clusters, n) array of int
        Row k - 1 has the labels for k clusters; the last one is ``labels_``.
    cluster_centers_ : (n_clusters, d) array, the means
    inertia_ : float
        Sum of the squared distances to the own mean, :eq:`hierarchical-clustering-bisect`.
    objective_ : (n_clusters,) array, that sum for 1, 2, ... clusters
    n_features_in_ : int

    Raises
    ------
    ValueError
        By ``fit``: if X has NaN, infinite or no values, is not a matrix or has fewer than ``n_clusters`` different
        rows; if ``n_clusters`` or ``max_iter`` is below 1, or the strategy unknown.
    TypeError
        If ``n_clusters`` or ``max_iter`` is not an integer, or X holds text.

    Warns
    -----
    ConvergenceWarning
        If a run of 2-means used up ``max_iter`` iterations.

    Notes
    -----
    O(n d min(n, d)) time for each split at most, O(n d) memory.

    Examples
    --------
    >>> model = DivisiveClustering(3).fit([[0.0], [1.0], [5.0], [9.0]])
    >>> model.levels_
    array([[0, 0, 0, 0],
           [0, 0, 1, 1],
           [0, 0, 1, 2]])
    """

    def __init__(
        self, n_clusters: int = 2, *, bisecting_strategy: str = "biggest_inertia", max_iter: int = 300
    ) -> None:
        self.n_clusters = n_clusters
        self.bisecting_strategy = bisecting_strategy
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: Any = None) -> DivisiveClustering:
        """Split the rows of ``X`` (n, d) again and again; ``y`` is ignored. Returns the estimator."""
        check_integer(self.n_clusters, "n_clusters")
        check_integer(self.max_iter, "max_iter")
        check_choice(self.bisecting_strategy, "bisecting_strategy", STRATEGIES)
        X = validate_data(self, X, dtype=np.float64)
        check_clusters(self.n_clusters, len(X))
        labels = np.zeros(len(X), dtype=np.intp)
        levels, spread = [labels], [_inertia(X)]
        objective = [spread[0]]
        for k in range(1, self.n_clusters):
            members = np.flatnonzero(labels == self._next_to_split(X, labels, spread))
            split = bisect(X[members], self.max_iter)
            labels = labels.copy()
            old = labels[members[0]]
            labels[members[split.labels == 1]] = k
            spread[old] = _inertia(X[labels == old])
            spread.append(_inertia(X[labels == k]))
            levels.append(labels)
            objective.append(sum(spread))
        self.labels_, self.levels_ = labels, np.array(levels)
        self.objective_, self.inertia_ = np.array(objective), float(objective[-1])
        self.cluster_centers_ = np.array([X[labels == k].mean(axis=0) for k in range(self.n_clusters)])
        return self

    def _next_to_split(self, X: FloatArray, labels: IntArray, spread: list[float]) -> int:
        """Label of the cluster to split; it has rows that differ."""
        splittable = np.array([bool(np.ptp(X[labels == k], axis=0).any()) for k in range(len(spread))])
        if not splittable.any():
            raise ValueError(
                f"X has only {len(spread)} distinct rows, fewer than n_clusters={self.n_clusters}: ask for fewer "
                "clusters."
            )
        worth = np.array(spread) if self.bisecting_strategy == "biggest_inertia" else np.bincount(labels)
        return int(np.where(splittable, worth, -1.0).argmax())


def _inertia(X: FloatArray) -> float:
    return float(((X - X.mean(axis=0)) ** 2).sum())


def _cut(children: IntArray, k: int) -> IntArray:
    """Labels of k clusters, numbered as scikit-learn numbers them: by the heap of the clusters not yet split."""
    n = len(children) + 1
    nodes = [-(2 * n - 2)]  # the newest cluster on top
    for _ in range(k - 1):
        first, second = (-int(c) for c in children[-nodes[0] - n])
        heapq.heappush(nodes, first)
        heapq.heappushpop(nodes, second)
    label = np.full(2 * n - 1, -1)
    for name, node in enumerate(nodes):
        label[-node] = name
    for t in reversed(range(n - 1)):
        if label[n + t] >= 0:
            label[children[t]] = label[n + t]
    return label[:n]

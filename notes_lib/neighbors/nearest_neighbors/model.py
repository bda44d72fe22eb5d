"""Nearest-neighbour classification and regression as estimators with the contract of scikit-learn."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer
from notes_lib.neighbors.nearest_neighbors.search import Neighbors, check_neighbors, k_nearest
from notes_lib.neighbors.nearest_neighbors.steps import (
    Metric,
    Weights,
    check_metric,
    local_mean,
    neighbor_weights,
    vote_shares,
)
from notes_lib.neighbors.nearest_neighbors.trees import BallTree, KDTree

Algorithm = Literal["auto", "brute", "kd_tree", "ball_tree"]
TREES = {"kd_tree": KDTree, "ball_tree": BallTree}


class _StoredInstances(BaseEstimator):
    """What both estimators share: they keep the instances, and look up the nearest ones."""

    def __init__(
        self, n_neighbors: int = 5, *, weights: Weights = "uniform", algorithm: Algorithm = "auto",
        leaf_size: int = 40, p: float = 2, metric: Metric = "minkowski",
    ) -> None:  # fmt: skip
        self.n_neighbors, self.weights, self.algorithm = n_neighbors, weights, algorithm
        self.leaf_size, self.p, self.metric = leaf_size, p, metric

    def kneighbors(
        self, X: ArrayLike | None = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Neighbors | IntArray:
        """The nearest stored instances, nearest first; of equally near ones the first.

        Parameters
        ----------
        X : (m, d) array or None
            None: the stored instances, each without itself.
        n_neighbors : int, optional
            The number given to the estimator by default.
        return_distance : bool

        Returns
        -------
        Neighbors, or the indices (m, k) alone

        Raises
        ------
        TypeError, ValueError
            Bad data, another number of columns, fewer than 1 or more neighbours than there are.
        """
        found = self._nearest(X, n_neighbors)
        return found if return_distance else found.indices

    def _nearest(self, X: ArrayLike | None, n_neighbors: int | None = None) -> Neighbors:
        check_is_fitted(self, "n_samples_fit_")
        Q = None if X is None else validate_data(self, X, dtype=float, reset=False)
        k = check_neighbors(self.n_neighbors if n_neighbors is None else n_neighbors, self.n_samples_fit_, X is None)
        if self._tree is None:
            return k_nearest(self._fit_X, Q, k, self.metric, self.p)
        return _without_itself(self._tree.nearest(self._fit_X, k + 1)) if Q is None else self._tree.nearest(Q, k)

    def _store(self, X: FloatArray) -> None:
        check_integer(self.n_neighbors, "n_neighbors")
        check_choice(self.weights, "weights", ("uniform", "distance"))
        check_choice(self.algorithm, "algorithm", ("auto", "brute", *TREES))
        check_metric(self.metric, self.p, axioms=self.algorithm in TREES)
        tree = TREES.get(self.algorithm)
        self._tree = tree and tree(X, self.leaf_size, self.metric, self.p)
        self._fit_X, self.n_samples_fit_ = X.copy(), len(X)  # the caller may change theirs

    def _votes(self, X: ArrayLike | None) -> tuple[IntArray, FloatArray]:
        found = self._nearest(X)
        return found.indices, neighbor_weights(found.distances, self.weights)


class KNeighborsClassifier(ClassifierMixin, _StoredInstances):
    """Classification by the votes of the k nearest stored instances, :eq:`nearest-neighbors-vote`.

    Parameters
    ----------
    n_neighbors : int
    weights : {"uniform", "distance"}
        Whether each vote counts 1 or 1 / distance; neighbours at distance 0 outvote all others.
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}
        How neighbours are searched; all find the same ones. "auto" is "brute".
    leaf_size : int
        Most instances of a tree's leaf.
    p : float
        Order of the metric "minkowski", at least 1.
    metric : {"minkowski", "euclidean", "manhattan", "chebyshev", "sqeuclidean"}
        The last one not with trees: it is no metric.

    Attributes
    ----------
    classes_ : (K,) array
    n_samples_fit_, n_features_in_ : int

    Notes
    -----
    O(n d) memory; O(n d) time for each prediction by brute force. Equal votes go to the first class of ``classes_``,
    as in scikit-learn; of equally near instances the first stored ones are neighbours. Source: Cover and Hart (1967).

    Examples
    --------
    >>> model = KNeighborsClassifier(3).fit([[7, 7], [7, 4], [3, 4], [1, 4]], ["bad", "bad", "good", "good"])
    >>> model.predict([[3, 7]]), model.predict_proba([[3, 7]]).round(3)
    (array(['good'], dtype='<U4'), array([[0.333, 0.667]]))
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> KNeighborsClassifier:
        """Store the instances (n, d) and their labels (n,).

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter. Whether there are enough instances is seen when neighbours are asked for.
        """
        X, y = validate_data(self, X, y, dtype=float)
        check_classification_targets(y)
        self._store(X)
        self.classes_, self._codes = np.unique(y, return_inverse=True)
        return self

    def predict_proba(self, X: ArrayLike | None) -> FloatArray:
        """Shares of the classes in the votes (m, K); with None those of the stored instances, each left out."""
        indices, weights = self._votes(X)
        return vote_shares(self._codes[indices], weights, len(self.classes_))

    def predict(self, X: ArrayLike | None) -> np.ndarray:
        """Class with the largest share (m,); with None those of the stored instances, each left out."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def score(self, X: ArrayLike | None, y: ArrayLike, sample_weight: Any = None) -> float:
        """Share of right predictions; with None and the stored labels the leave-one-out estimate of the accuracy."""
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))


class KNeighborsRegressor(RegressorMixin, _StoredInstances):
    """Regression by the mean target of the k nearest stored instances, :eq:`nearest-neighbors-mean`.

    Parameters, the rule for ties and costs are those of :class:`KNeighborsClassifier`.

    Attributes
    ----------
    n_samples_fit_, n_features_in_ : int

    Examples
    --------
    >>> KNeighborsRegressor(2).fit([[0], [1], [5]], [0.0, 2.0, 9.0]).predict([[0.2]])
    array([1.])
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> KNeighborsRegressor:
        """Store the instances (n, d) and their targets (n,).

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter. Whether there are enough instances is seen when neighbours are asked for.
        """
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        self._store(X)
        self._targets = np.array(y, dtype=float)
        return self

    def predict(self, X: ArrayLike | None) -> FloatArray:
        """Mean targets (m,); with None those of the stored instances, each left out."""
        indices, weights = self._votes(X)
        return local_mean(self._targets[indices], weights)


def _without_itself(found: Neighbors) -> Neighbors:
    """Take each stored instance out of its own neighbours, or the last one where its twins have driven it out."""
    own: Any = found.indices == np.arange(len(found.indices))[:, None]
    own[~own.any(axis=1), -1] = True
    shape = (len(own), -1)
    return Neighbors(found.distances[~own].reshape(shape), found.indices[~own].reshape(shape))

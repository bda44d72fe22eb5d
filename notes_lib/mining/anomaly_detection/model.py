"""The estimators of neighbours and of random cuts: the local outlier factor and the isolation forest."""

from __future__ import annotations

import math
import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_integer, check_real
from notes_lib.mining.anomaly_detection.detector import Detector, signs
from notes_lib.mining.anomaly_detection.forest import grow_forest, mean_depths
from notes_lib.mining.anomaly_detection.steps import (
    FLOOR,
    isolation_score,
    local_outlier_factors,
    local_reachability_density,
    nearest_others,
)
from notes_lib.neighbors.nearest_neighbors import Neighbors
from notes_lib.neighbors.nearest_neighbors.search import check_neighbors
from notes_lib.neighbors.nearest_neighbors.steps import Metric, check_metric
from notes_lib.numerics import RandomState, check_rng

USUAL = 1.5  # local outlier factor above which "auto" calls a row odd, as in scikit-learn
SAMPLE = 256  # rows of a tree


def _for_new_rows(self: Any) -> bool:
    if not self.novelty:
        raise AttributeError("novelty=False scores the fitted rows only: use fit_predict, or novelty=True.")
    return True


def _for_fitted_rows(self: Any) -> bool:
    if self.novelty:
        raise AttributeError("novelty=True judges new rows only: use predict, or novelty=False.")
    return True


class LocalOutlierFactor(Detector):
    """Odd is what is lonelier than its neighbours are; :eq:`anomaly-detection-lof`.

    Parameters
    ----------
    n_neighbors : int
        Fewer rows than that beside a row: all of them, with a warning.
    metric : {"minkowski", "euclidean", "manhattan", "chebyshev"}
    p : float
        Order of the metric "minkowski", at least 1.
    contamination : float or "auto"
        Share of alarms among the fitted rows, above 0 and at most 0.5; with "auto" the threshold is a factor of 1.5.
    novelty : bool
        False: the fitted rows are judged, each by the others (``fit_predict``). True: new rows are judged by the
        fitted ones (``predict``, ``decision_function``, ``score_samples``).

    Attributes
    ----------
    negative_outlier_factor_ : (n,) array
        Of the fitted rows: minus the local outlier factor.
    n_neighbors_ : int
    offset_ : float
        Rows with a lower score are odd.
    n_samples_fit_, n_features_in_ : int

    Notes
    -----
    The search of neighbours is most of the work: O(n log n) in few dimensions, O(n^2 d) in many. A mean reachability
    distance counts at least 1e-10 of the largest one, so that rows with many twins have a density. Source: Breunig et
    al. (2000), definitions 3 to 7.

    Examples
    --------
    >>> model = LocalOutlierFactor(n_neighbors=2, metric="manhattan")
    >>> model.fit_predict([[0, 0], [0, 1], [1, 1], [3, 0]])
    array([ 1,  1,  1, -1])
    >>> -model.negative_outlier_factor_.round(3)
    array([0.875, 1.333, 0.875, 2.   ])
    """

    def __init__(
        self,
        n_neighbors: int = 20,
        *,
        metric: Metric = "minkowski",
        p: float = 2,
        contamination: float | str = "auto",
        novelty: bool = False,
    ) -> None:
        self.n_neighbors, self.metric, self.p = n_neighbors, metric, p
        self.contamination, self.novelty = contamination, novelty

    def fit(self, X: ArrayLike, y: None = None) -> LocalOutlierFactor:
        """Compute the factors of the fitted rows.

        Parameters
        ----------
        X : (n, d) array, n > 1

        Raises
        ------
        TypeError, ValueError
            Bad data, metric or ``n_neighbors``; ``contamination`` outside (0, 0.5].

        Warns
        -----
        UserWarning
            If ``n_neighbors`` is not below the number of rows, or twins make factors meaningless.
        """
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        self._contamination()
        check_metric(self.metric, self.p, axioms=True)
        n, k = len(X), check_integer(self.n_neighbors, "n_neighbors")
        if k >= n:
            warnings.warn(f"n_neighbors is {k}, but a row has {n - 1} others: they are all taken.", stacklevel=2)
        self.n_neighbors_ = min(k, n - 1)
        self._fit_X, self.n_samples_fit_ = X.copy(), n
        found = nearest_others(X, self.n_neighbors_, None, self.metric, self.p)
        self._k_distances = found.distances[:, -1].copy()
        reach = np.maximum(found.distances, self._k_distances[found.indices])
        self._floor = FLOOR * float(reach.max()) or 1.0
        self._density = self._densities(found)
        self.negative_outlier_factor_ = -local_outlier_factors(self._density, self._density[found.indices])
        if (self.negative_outlier_factor_ < -1e7).any():
            warnings.warn(
                "rows have more twins than n_neighbors: factors beside them say nothing, raise n_neighbors.",
                stacklevel=2,
            )
        self._place_threshold(self.negative_outlier_factor_, -USUAL)
        return self

    @available_if(_for_fitted_rows)
    def fit_predict(self, X: ArrayLike, y: None = None) -> IntArray:
        """1 for usual rows among the fitted ones, -1 for odd ones, (n,)."""
        return signs(self.fit(X).negative_outlier_factor_ - self.offset_)

    @available_if(_for_new_rows)
    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Minus the factors of new rows (m,) among the fitted ones."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        found = nearest_others(self._fit_X, self.n_neighbors_, X, self.metric, self.p)
        return -local_outlier_factors(self._densities(found), self._density[found.indices])

    @available_if(_for_new_rows)
    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores less the threshold (m,): negative is odd."""
        return self.score_samples(X) - self.offset_

    @available_if(_for_new_rows)
    def predict(self, X: ArrayLike) -> IntArray:
        """1 for usual rows, -1 for odd ones, (m,)."""
        return signs(self.decision_function(X))

    def kneighbors(self, X: ArrayLike | None = None, n_neighbors: int | None = None) -> Neighbors:
        """The nearest fitted rows (m, k); with None those of the fitted rows, each without itself."""
        check_is_fitted(self)
        Q = None if X is None else validate_data(self, X, dtype=float, reset=False)
        k = self.n_neighbors_ if n_neighbors is None else check_neighbors(n_neighbors, self.n_samples_fit_, X is None)
        return nearest_others(self._fit_X, k, Q, self.metric, self.p)

    def _densities(self, found: Neighbors) -> FloatArray:
        return local_reachability_density(found.distances, found.indices, self._k_distances, self._floor)


class IsolationForest(Detector):
    """Odd is what a few random cuts isolate; :eq:`anomaly-detection-score`.

    Parameters
    ----------
    n_estimators : int
        Trees.
    max_samples : int, float or "auto"
        Rows of a tree, drawn without replacement; a share of the rows if it is a float; "auto" is 256, or all rows if
        there are fewer.
    contamination : float or "auto"
        Share of alarms among the fitted rows, above 0 and at most 0.5; with "auto" the threshold is a score of 0.5.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    forest_ : Forest
    samples_ : (n_estimators, m) array
        The rows that each tree is grown from.
    max_samples_ : int
    offset_ : float
        Rows with a lower score are odd.
    n_features_in_ : int

    Notes
    -----
    With m rows a tree, O(T m d log m) time to grow and O(n T log m) to score, O(T m) memory. A tree ends after
    ``ceil(log2 m)`` cuts: below that depth nothing is odd. Source: Liu, Ting and Zhou (2008).

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> model = IsolationForest(random_state=0).fit(X)
    >>> model.predict([[0.0, 0.0], [6.0, 6.0]])
    array([ 1, -1])
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        max_samples: int | float | str = "auto",
        contamination: float | str = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.n_estimators, self.max_samples = n_estimators, max_samples
        self.contamination, self.random_state = contamination, random_state

    def fit(self, X: ArrayLike, y: None = None) -> IsolationForest:
        """Draw the samples and grow the trees.

        Parameters
        ----------
        X : (n, d) array, n > 1

        Raises
        ------
        TypeError, ValueError
            Bad data, ``n_estimators`` < 1, a sample of fewer than two rows, ``contamination`` outside (0, 0.5].

        Warns
        -----
        UserWarning
            If ``max_samples`` is above the number of rows: all of them are taken.
        """
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        self._contamination()
        trees, rng = check_integer(self.n_estimators, "n_estimators"), check_rng(self.random_state)
        n, m = len(X), self._sample_size(len(X))
        if m < n:
            self.samples_ = np.array([rng.choice(n, m, replace=False, shuffle=False) for _ in range(trees)])
        else:
            self.samples_ = np.tile(np.arange(n), (trees, 1))
        self.max_samples_ = m
        self.forest_ = grow_forest(X, self.samples_, math.ceil(math.log2(m)), rng)
        share = self._contamination()
        self._place_threshold(np.empty(0) if share is None else self._scores(X), -0.5)
        return self

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Minus the scores of :func:`isolation_score` (n,): low is odd."""
        check_is_fitted(self)
        return self._scores(validate_data(self, X, dtype=float, reset=False))

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores less the threshold (n,): negative is odd."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: ArrayLike) -> IntArray:
        """1 for usual rows, -1 for odd ones, (n,)."""
        return signs(self.decision_function(X))

    def _scores(self, X: FloatArray) -> FloatArray:
        return -isolation_score(mean_depths(self.forest_, X), self.max_samples_)

    def _sample_size(self, n: int) -> int:
        """Rows of a tree."""
        asked = self.max_samples
        if isinstance(asked, str):
            if asked != "auto":
                raise ValueError(f"max_samples must be 'auto', an integer or a share, got {asked!r}.")
            return min(SAMPLE, n)
        if isinstance(asked, Integral):
            m = check_integer(asked, "max_samples", 2)
            if m > n:
                warnings.warn(f"max_samples is {m}, but there are {n} rows: all of them are taken.", stacklevel=3)
            return min(m, n)
        share = check_real(asked, "max_samples")
        if not 2 <= share * n <= n:
            raise ValueError(f"max_samples must be a share that makes at least 2 rows of {n}, at most 1, got {asked}.")
        return int(share * n)

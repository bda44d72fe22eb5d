"""The estimator of the chapter *k-means*."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_integer, check_real
from notes_lib.clustering.kmeans.blocks import squared_to
from notes_lib.clustering.kmeans.checks import check_count, check_distinct, check_point_weights, refuse_text
from notes_lib.clustering.kmeans.seeding import Init, initial_centers
from notes_lib.clustering.kmeans.steps import LloydRun, assign, inertia, lloyd
from notes_lib.numerics import RandomState, check_rng


class KMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """k-means clustering by Lloyd's algorithm, from the best of several starts.

    Looks for centres and assignments with a small :eq:`kmeans-objective`. A run that stops with ``tol=0`` has found a
    fixed point of the two steps of :func:`lloyd`, in general not the smallest objective. Parameters and attributes are
    those of ``sklearn.cluster.KMeans``.

    Parameters
    ----------
    n_clusters : int
        Number of clusters k, at most the number of distinct points.
    init : 'k-means++', 'random', 'random_partition', 'uniform', array (k, d) or callable
        See :func:`initial_centers`; ``'random'`` is Forgy's rule.
    n_init : int or 'auto'
        Number of starts; the run with the smallest inertia is kept (of equal ones, to 1e-10, the first). ``'auto'``: 1
        for ``'k-means++'`` and an array, 10 otherwise. An array is used once, whatever ``n_init`` says.
    max_iter : int
        Largest number of iterations of one run.
    tol : float
        Stop when the squared movement of all centres together is at most ``tol`` times the mean variance of the
        columns; 0 means: until the assignments stop changing.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    cluster_centers_ : (n_clusters, d) array
    labels_ : (n,) array of int, the nearest centre of each training point
    inertia_ : float, the objective: sum of squared distances to the nearest centre
    n_iter_ : int, iterations of the best run
    objective_ : array of ``n_iter_`` numbers, the objective after each iteration of the best run
    n_reseeded_ : int, empty clusters that the best run filled with the point farthest from its own centre
    n_features_in_ : int

    Warns
    -----
    ConvergenceWarning
        If the best run used up ``max_iter`` iterations.
    RuntimeWarning
        If ``init`` is an array and ``n_init`` > 1.

    Raises
    ------
    ValueError
        By ``fit``: if X has NaN, infinite or no values, is not a matrix, or has fewer than ``n_clusters`` distinct
        rows of positive weight; if ``n_clusters``, ``n_init`` or ``max_iter`` is below 1 or ``tol`` negative; if
        ``init`` is unknown or of the wrong shape; if a weight is negative. By ``predict``, ``transform`` and ``score``:
        if X has another number of columns.
    TypeError
        If a parameter is of the wrong type, or X holds text.

    Notes
    -----
    O(n_init n k d) time an iteration, O(n d) memory. Features on different scales must be scaled first.

    Examples
    --------
    >>> model = KMeans(2, random_state=0).fit([[0.0], [1.0], [5.0], [6.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist()), model.inertia_
    ([0.5, 5.5], 1.0)
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Init = "k-means++",
        n_init: int | str = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> KMeans:
        """Cluster the rows of ``X`` (n, d).

        Parameters
        ----------
        X : (n, d) array
        y : ignored
        sample_weight : (n,) array or None
            How often each row counts, not negative. A row of weight 0 gets a label and nothing else.

        Returns
        -------
        KMeans
            The estimator.
        """
        n_runs = self._check_parameters()
        everything = self._validate(X, reset=True)
        weights = check_point_weights(sample_weight, len(everything))
        used = slice(None) if weights is None else weights > 0
        X, v = everything[used], None if weights is None else weights[used]
        check_count(self.n_clusters, len(X))
        check_distinct(X, self.n_clusters)
        rng = check_rng(self.random_state)
        best: LloydRun | None = None
        for _ in range(n_runs):
            start = initial_centers(X, self.n_clusters, self.init, sample_weight=v, random_state=rng)
            run = lloyd(X, start, sample_weight=v, max_iter=self.max_iter, tol=self.tol)
            if best is None or run.inertia < best.inertia * (1 - 1e-10):  # the same minimum found again is not better
                best = run
        assert best is not None  # n_runs >= 1
        self.cluster_centers_, self.labels_, self.inertia_ = best.centers, best.labels, best.inertia
        self.objective_, self.n_iter_, self.n_reseeded_ = best.objective, best.n_iter, best.n_reseeded
        if len(X) < len(everything):
            self.labels_ = assign(everything, self.cluster_centers_)
        self._n_features_out = self.n_clusters
        if not best.converged:
            message = f"the centres still moved after max_iter={self.max_iter} iterations; raise max_iter or tol."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def predict(self, X: ArrayLike) -> IntArray:
        """Index of the nearest centre for each row of ``X`` (n, d); an (n,) array of int."""
        check_is_fitted(self)
        return assign(self._validate(X), self.cluster_centers_)

    def transform(self, X: ArrayLike) -> FloatArray:
        """Euclidean distance (not squared) from each row of ``X`` (n, d) to each centre; an (n, n_clusters) array."""
        check_is_fitted(self)
        return np.sqrt(squared_to(self._validate(X), self.cluster_centers_))

    def score(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> float:
        """Minus the objective of ``X`` (n, d) at the fitted centres: larger is better; ``y`` is ignored."""
        check_is_fitted(self)
        X = self._validate(X)
        return -inertia(X, assign(X, self.cluster_centers_), self.cluster_centers_, sample_weight)

    def _validate(self, X: ArrayLike, reset: bool = False) -> FloatArray:
        refuse_text(X, "X")
        return validate_data(self, X, reset=reset, dtype=np.float64)

    def _check_parameters(self) -> int:
        """Number of runs, after a look at every parameter."""
        check_integer(self.n_clusters, "n_clusters")
        check_integer(self.max_iter, "max_iter")
        check_real(self.tol, "tol")
        given = not (isinstance(self.init, str) or callable(self.init))
        if isinstance(self.n_init, str):
            if self.n_init != "auto":
                raise ValueError(f"n_init must be 'auto' or an integer of at least 1, got {self.n_init!r}.")
            return 1 if given or self.init == "k-means++" else 10
        check_integer(self.n_init, "n_init")
        if given and self.n_init > 1:
            message = f"init is an array, so all of n_init={self.n_init} runs would be the same: one is made."
            warnings.warn(message, RuntimeWarning, stacklevel=3)
            return 1
        return self.n_init

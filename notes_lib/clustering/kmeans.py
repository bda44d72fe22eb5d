"""k-means: Lloyd's algorithm, its initialisations, and the silhouette.

The step functions stand in the order of the derivation in the chapter *k-means*; :class:`KMeans` repeats them from one
or several starts.

Sources: S. P. Lloyd (1982), *Least squares quantization in PCM*; D. Arthur and S. Vassilvitskii (2007), *k-means++: the
advantages of careful seeding*; P. J. Rousseeuw (1987), *Silhouettes*.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.clustering._kmeans_pass import (
    assign_and_sum,
    check_count,
    check_distinct,
    check_labels,
    check_matrix,
    check_pair,
    own_distances,
    prepare,
    refuse_text,
    squared_to,
)
from notes_lib.clustering._kmeans_seeding import (
    Init,
    dsquared_probabilities,
    initial_centers,
    kmeans_plusplus,
    sample_index,
)
from notes_lib.clustering._kmeans_silhouette import silhouette_samples, silhouette_score
from notes_lib.numerics import FloatArray, IntArray, RandomState, check_integer, check_real, check_rng

__all__ = [
    "KMeans",
    "LloydRun",
    "assign",
    "dsquared_probabilities",
    "inertia",
    "initial_centers",
    "kmeans_plusplus",
    "lloyd",
    "reseed_empty",
    "sample_index",
    "silhouette_samples",
    "silhouette_score",
    "update_centers",
]


class LloydRun(NamedTuple):
    """What one run of :func:`lloyd` found.

    ``centers`` (k, d); ``labels`` (n,); ``inertia`` their objective; ``objective`` (n_iter,) the objective after each
    iteration; ``converged`` whether it stopped by itself; ``n_reseeded`` how many empty clusters it filled again.
    """

    centers: FloatArray
    labels: IntArray
    inertia: float
    objective: FloatArray
    n_iter: int
    converged: bool
    n_reseeded: int


def inertia(X: ArrayLike, labels: ArrayLike, centers: ArrayLike) -> float:
    """Within-cluster sum of squares J, the objective of k-means.

    Implements :eq:`kmeans-objective`: a sum, not a mean, over the points.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int, which row of ``centers`` each point belongs to.
    centers : (k, d) array

    Returns
    -------
    float
        In squared units of ``X``, never negative.

    Raises
    ------
    ValueError
        If a shape is wrong, a value is NaN or infinite, or a label is not in 0..k-1.

    Notes
    -----
    O(n d) time and memory.

    Examples
    --------
    >>> inertia([[0.0], [2.0], [9.0]], [0, 0, 1], [[1.0], [9.0]])
    2.0
    """
    X, centers = check_pair(X, centers)
    diff = X - centers[check_labels(labels, len(X), len(centers))]  # (n, d)
    return float((diff * diff).sum())


def assign(X: ArrayLike, centers: ArrayLike) -> IntArray:
    """Index of the nearest centre of each point; of several equally near the lowest index.

    Implements :eq:`kmeans-assign`.

    Parameters
    ----------
    X : (n, d) array
    centers : (k, d) array

    Returns
    -------
    (n,) array of int in 0..k-1

    Raises
    ------
    ValueError
        If a shape is wrong, a value is NaN or infinite, or squared distances overflow or underflow.

    Notes
    -----
    O(n k d) time, O(n d) memory.

    Examples
    --------
    >>> assign([[0.0], [2.0], [9.0]], [[1.0], [3.0]])
    array([0, 0, 1])
    """
    X, centers = check_pair(X, centers)
    return assign_and_sum(*prepare(X, centers))[0]


def update_centers(X: ArrayLike, labels: ArrayLike, n_clusters: int) -> FloatArray:
    """Mean of the points of each cluster.

    Implements :eq:`kmeans-update`.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int in 0..n_clusters-1
    n_clusters : int

    Returns
    -------
    (n_clusters, d) array

    Raises
    ------
    ValueError
        If a cluster is empty (its mean is 0/0; :func:`reseed_empty` is the remedy), ``n_clusters`` < 1, a label is not
        in 0..n_clusters-1, a shape is wrong or a value is NaN or infinite.
    TypeError
        If ``n_clusters`` is not an integer.

    Notes
    -----
    O(n d) time, O(n + k d) memory.

    Examples
    --------
    >>> update_centers([[0.0], [2.0], [9.0]], [0, 0, 1], 2)
    array([[1.],
           [9.]])
    """
    X, n_clusters = check_matrix(X, "X"), check_integer(n_clusters, "n_clusters")
    labels = check_labels(labels, len(X), n_clusters)
    counts = np.bincount(labels, minlength=n_clusters)  # (k,)
    if not counts.all():
        empty = np.flatnonzero(counts == 0).tolist()
        raise ValueError(f"labels leave the clusters {empty} empty, and their mean is 0/0; use reseed_empty first.")
    sums = np.column_stack([np.bincount(labels, weights=x, minlength=n_clusters) for x in X.T])  # (k, d)
    return sums / counts[:, None]


def reseed_empty(X: ArrayLike, labels: ArrayLike, centers: ArrayLike) -> IntArray:
    """Give every empty cluster the point that lies farthest from its own centre.

    Implements :eq:`kmeans-reseed`. Only a point whose cluster keeps another member may move, the farthest first, at
    equal distance the lowest index; empty clusters are served in the order of their index. The moved point becomes the
    whole of its new cluster, so its share of the objective falls to 0: J never rises.

    Parameters
    ----------
    X : (n, d) array
    labels : (n,) array of int, the assignment to ``centers``
    centers : (k, d) array, k <= n

    Returns
    -------
    (n,) array of int
        New labels; no cluster in 0..k-1 is empty.

    Raises
    ------
    ValueError
        If k > n, a label is not in 0..k-1, a shape is wrong or a value is NaN or infinite.

    Notes
    -----
    O(n d + n e) time for e empty clusters.

    Examples
    --------
    >>> reseed_empty([[0.0], [1.0], [5.0]], [0, 0, 0], [[0.0], [99.0]])
    array([0, 0, 1])
    """
    X, centers = check_pair(X, centers)
    check_count(len(centers), len(X))
    labels = check_labels(labels, len(X), len(centers)).copy()
    counts = np.bincount(labels, minlength=len(centers))
    far = ((X - centers[labels]) ** 2).sum(axis=1)  # (n,) squared distance to the own centre
    for empty in np.flatnonzero(counts == 0):
        donor = np.where(counts[labels] > 1, far, -1.0).argmax()
        counts[labels[donor]] -= 1
        counts[empty] += 1
        labels[donor] = empty
    return labels


def lloyd(X: ArrayLike, centers: ArrayLike, *, max_iter: int = 300, tol: float = 0.0) -> LloydRun:
    """Lloyd's algorithm from given centres: assign, update, until nothing changes.

    Alternates :eq:`kmeans-assign` and :eq:`kmeans-update`; an empty cluster is filled by :eq:`kmeans-reseed` between
    the two. Stops when an iteration leaves every assignment as it was, or when the squared movement of all centres
    together is at most ``tol`` times the mean variance of the columns. After a stop of the second kind, and after
    ``max_iter`` iterations, the points are assigned once more, so that the labels belong to the centres returned (a
    cluster may then be empty).

    Parameters
    ----------
    X : (n, d) array
    centers : (k, d) array, k <= n
    max_iter : int
        Largest number of iterations, at least 1.
    tol : float
        0 means: until the assignments stop changing.

    Returns
    -------
    LloydRun

    Raises
    ------
    ValueError
        If k > n, X has fewer than k distinct rows, ``max_iter`` < 1, ``tol`` is negative, a shape is wrong, a value is
        NaN or infinite, or squared distances overflow or underflow.
    TypeError
        If ``max_iter`` is not an integer or ``tol`` not a number.

    Notes
    -----
    O(n k d) time an iteration, O(n d) memory. The assignments cannot recur, so there are at most k^n + 1 iterations
    (:eq:`kmeans-monotone`); in practice a few dozen.

    Examples
    --------
    >>> run = lloyd([[0.0], [1.0], [5.0], [6.0]], [[0.0], [1.0]])
    >>> run.labels, run.centers.ravel(), run.inertia
    (array([0, 0, 1, 1]), array([0.5, 5.5]), 1.0)
    """
    X, centers = check_pair(X, centers)
    k, max_iter = len(centers), check_integer(max_iter, "max_iter")
    check_distinct(X, k)
    points, mu = prepare(X, centers)
    X, limit, total = points.columns[:-1].T, check_real(tol, "tol") * points.variance, points.r2.sum()
    labels: IntArray = np.full(len(X), -1)
    objective: list[float] = []
    n_reseeded, unchanged, settled = 0, False, False
    while not settled and len(objective) < max_iter:
        new_labels, sums = assign_and_sum(points, mu)  # assign; sums (k, d + 1), the last column counts
        sizes = sums[:, -1]
        if sizes.all():
            new_mu = sums[:, :-1] / sizes[:, None]  # update
        else:
            n_reseeded += int((sizes == 0).sum())
            new_labels = reseed_empty(X, new_labels, mu)
            new_mu, sizes = update_centers(X, new_labels, k), np.bincount(new_labels, minlength=k)
        objective.append(max(0.0, total - sizes @ (new_mu * new_mu).sum(axis=1)))  # kmeans-decomposition
        unchanged = np.array_equal(new_labels, labels)
        settled = unchanged or bool(((new_mu - mu) ** 2).sum() <= limit)
        labels, mu = new_labels, new_mu
    if not unchanged:
        labels = assign_and_sum(points, mu)[0]
    J, n_iter = own_distances(points, mu, labels), len(objective)
    return LloydRun(mu + points.shift, labels, J, np.array(objective), n_iter, settled, n_reseeded)


class KMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """k-means clustering by Lloyd's algorithm, from the best of several starts.

    Looks for centres and assignments with a small :eq:`kmeans-objective`; each run ends in a local minimum, see
    :func:`lloyd`. Parameters and attributes are those of ``sklearn.cluster.KMeans``.

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
        rows; if ``n_clusters``, ``n_init`` or ``max_iter`` is below 1 or ``tol`` negative; if ``init`` is unknown or of
        the wrong shape. By ``predict``, ``transform`` and ``score``: if X has another number of columns.
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

    def fit(self, X: ArrayLike, y: Any = None) -> KMeans:
        """Cluster the rows of ``X`` (n, d); ``y`` is ignored. Returns the estimator."""
        n_runs = self._check_parameters()
        X = self._validate(X, reset=True)
        check_count(self.n_clusters, len(X))
        check_distinct(X, self.n_clusters)
        rng = check_rng(self.random_state)
        best: LloydRun | None = None
        for _ in range(n_runs):
            start = initial_centers(X, self.n_clusters, self.init, random_state=rng)
            run = lloyd(X, start, max_iter=self.max_iter, tol=self.tol)
            if best is None or run.inertia < best.inertia * (1 - 1e-10):  # the same minimum found again is not better
                best = run
        assert best is not None  # n_runs >= 1
        self.cluster_centers_, self.labels_, self.inertia_ = best.centers, best.labels, best.inertia
        self.objective_, self.n_iter_, self.n_reseeded_ = best.objective, best.n_iter, best.n_reseeded
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

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Minus the objective of ``X`` (n, d) at the fitted centres: larger is better; ``y`` is ignored."""
        check_is_fitted(self)
        X = self._validate(X)
        return -inertia(X, assign(X, self.cluster_centers_), self.cluster_centers_)

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

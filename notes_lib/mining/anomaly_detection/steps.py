"""Steps of anomaly detection in the order of the chapter: one cloud, neighbours, random cuts, alarms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import psi

from notes_lib.checks import (
    FloatArray,
    IntArray,
    check_indices,
    check_integer,
    check_matrix,
    check_real,
    check_shape,
    check_vector,
)
from notes_lib.foundations.multivariate_gaussian import ellipsoid_radius, mahalanobis
from notes_lib.foundations.multivariate_gaussian.steps import gaussian_mle_multivariate
from notes_lib.neighbors.nearest_neighbors import KDTree, Neighbors, k_nearest
from notes_lib.neighbors.nearest_neighbors.search import check_neighbors
from notes_lib.neighbors.nearest_neighbors.steps import Metric

FEW, SOME, MANY, LEAF = 3, 6, 8000, 80  # a tree pays in few columns, and in some more among many rows
FLOOR = 1e-10  # of the largest reachability distance: what a mean of them is at least, so that twins have a density


def squared_mahalanobis(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> FloatArray:
    """Squared Mahalanobis distances (n,) of the rows; :eq:`anomaly-detection-mahalanobis`.

    Parameters
    ----------
    X : (n, d) array
    mean : (d,) array
    covariance : (d, d) array
        Symmetric positive definite.

    Raises
    ------
    ValueError
        As :func:`notes_lib.foundations.multivariate_gaussian.mahalanobis`.

    Notes
    -----
    O(d^3 / 3 + n d^2).

    Examples
    --------
    >>> squared_mahalanobis([[2.0, 0.0], [0.0, 2.0]], [0.0, 0.0], [[4.0, 0.0], [0.0, 1.0]])
    array([1., 4.])
    """
    return np.asarray(mahalanobis(check_matrix(X, "X"), mean, covariance)) ** 2


def chi_square_threshold(alpha: float, d: int) -> float:
    """What the squared distance of a usual row exceeds with probability ``alpha``; :eq:`anomaly-detection-alarm`.

    Parameters
    ----------
    alpha : float
        Share of usual rows that raise an alarm, above 0 and at most 1.
    d : int
        Number of columns.

    Raises
    ------
    TypeError, ValueError
        If ``alpha`` is outside (0, 1] or ``d`` < 1.

    Examples
    --------
    >>> round(chi_square_threshold(0.025, 2), 4), round(float(-2 * np.log(0.025)), 4)
    (7.3778, 7.3778)
    """
    return ellipsoid_radius(1.0 - _share(alpha, "alpha"), d) ** 2  # anomaly-detection-alarm


def masking_limit(n: int, m: int) -> float:
    """The largest squared distance that ``m`` equal rows among ``n`` can have; :eq:`anomaly-detection-masking`.

    The distance is measured with the mean and the covariance (divisor n) of all n rows.

    Raises
    ------
    TypeError, ValueError
        If the numbers are no integers with 1 <= m <= n.

    Examples
    --------
    >>> masking_limit(100, 1), masking_limit(100, 20)
    (99.0, 4.0)
    """
    n, m = check_integer(n, "n"), check_integer(m, "m")
    if m > n:
        raise ValueError(f"m must be at most n = {n}, got {m}.")
    return (n - m) / m  # anomaly-detection-masking


def concentration_step(X: ArrayLike, rows: ArrayLike, h: int) -> IntArray:
    """Fit a Gaussian to some rows, return the ``h`` rows nearest to it, in order; :eq:`anomaly-detection-concentrate`.

    Repeated until the rows stay, this is the step of the minimum covariance determinant: the determinant of the
    covariance of the chosen rows never grows.

    Parameters
    ----------
    X : (n, d) array
    rows : (m,) array of integers
        The rows to fit to, m > d.
    h : int
        How many to return, from 1 to n.

    Raises
    ------
    TypeError, ValueError
        Bad data or indices, ``h`` outside its range, chosen rows with a singular covariance.

    Notes
    -----
    O(n d^2 + d^3). Source: Rousseeuw and Van Driessen (1999), theorem 1.

    Examples
    --------
    >>> concentration_step([[0.0], [1.0], [2.0], [9.0]], [0, 1, 2, 3], 3)
    array([0, 1, 2])
    """
    X = check_matrix(X, "X")
    chosen = check_indices(rows, "rows", len(X))
    if check_integer(h, "h") > len(X):
        raise ValueError(f"h must be at most the number of rows, {len(X)}, got {h}.")
    fit = gaussian_mle_multivariate(X[chosen])
    order = np.argsort(squared_mahalanobis(X, *fit), kind="stable")
    return np.sort(order[:h])  # anomaly-detection-concentrate


def nearest_others(
    X: ArrayLike, k: int, queries: ArrayLike | None = None, metric: Metric = "minkowski", p: float = 2
) -> Neighbors:
    """Distances and numbers of the ``k`` nearest rows; the last distance is :eq:`anomaly-detection-k-distance`.

    Parameters
    ----------
    X : (n, d) array
    k : int
    queries : (m, d) array or None
        None: the rows of ``X``, each without itself.
    metric, p
        As in :func:`notes_lib.neighbors.nearest_neighbors.pairwise_distances`.

    Raises
    ------
    TypeError, ValueError
        Bad data, other columns, ``k`` < 1 or above the number of rows there are, a bad metric.

    Notes
    -----
    A tree of the chapter on neighbours in few dimensions, else all distances in blocks: both find the same.

    Examples
    --------
    >>> nearest_others([[0.0], [1.0], [3.0]], 2).distances[:, -1]
    array([3., 2., 3.])
    """
    X = check_matrix(X, "X")
    if X.shape[1] > (SOME if len(X) >= MANY else FEW) or metric == "sqeuclidean":
        return k_nearest(X, queries, k, metric, p)
    k = check_neighbors(k, len(X), queries is None)
    tree = KDTree(X, LEAF, metric, p)
    return (
        without_itself(tree.nearest(X, k + 1)) if queries is None else tree.nearest(check_matrix(queries, "queries"), k)
    )


def without_itself(found: Neighbors) -> Neighbors:
    """Take each row out of its own neighbours, or the last one where its twins have driven it out."""
    own = found.indices == np.arange(len(found.indices))[:, None]
    own[~own.any(axis=1), -1] = True
    shape = (len(own), -1)
    return Neighbors(found.distances[~own].reshape(shape), found.indices[~own].reshape(shape))


def local_reachability_density(
    distances: ArrayLike, indices: ArrayLike, k_distances: ArrayLike, floor: float = 0.0
) -> FloatArray:
    """One over the mean reachability distance from the neighbours; :eq:`anomaly-detection-lrd`.

    Parameters
    ----------
    distances : (m, k) array
        Of each row from its k nearest others.
    indices : (m, k) array of integers
        Which rows of the data set these are.
    k_distances : (n,) array
        Distance of each row of the data set from its k-th nearest other row.
    floor : float
        What a mean is at least.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a distance is negative.

    Notes
    -----
    O(m k). A row all of whose neighbours are its twins has the density infinity, unless there is a floor.

    Examples
    --------
    >>> found = nearest_others([[0.0], [1.0], [3.0]], 1)
    >>> local_reachability_density(found.distances, found.indices, found.distances[:, -1])
    array([1. , 1. , 0.5])
    """
    own = check_vector(k_distances, "k_distances")
    D = check_matrix(distances, "distances")
    which = np.asarray(indices)
    if which.shape != D.shape:
        raise ValueError(f"indices must have the shape {D.shape} of distances, got {which.shape}.")
    if which.dtype.kind not in "iu" or which.min() < 0 or which.max() >= len(own):
        raise ValueError(f"indices must be integers from 0 to {len(own) - 1}, the rows of k_distances.")
    if (D < 0).any() or (own < 0).any():
        raise ValueError("distances must not be negative.")
    reach = np.maximum(D, own[which])  # anomaly-detection-reachability
    mean = np.maximum(reach.mean(axis=1), check_real(floor, "floor"))
    with np.errstate(divide="ignore"):
        return 1.0 / mean  # anomaly-detection-lrd


def local_outlier_factors(density: ArrayLike, of_neighbors: ArrayLike) -> FloatArray:
    """Mean density of the neighbours over one's own; :eq:`anomaly-detection-lof`.

    Parameters
    ----------
    density : (m,) array
        Local reachability densities, positive; may be infinite.
    of_neighbors : (m, k) array
        The densities of the neighbours of each row.

    Returns
    -------
    (m,) array
        About 1 inside a cluster; large for a row that is lonelier than its neighbours. Infinity over infinity, among
        twins, counts as 1.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a density is not positive.

    Examples
    --------
    >>> local_outlier_factors([2.0, 0.5], [[2.0, 4.0], [2.0, 2.0]])
    array([1.5, 4. ])
    """
    own, near = np.asarray(density, dtype=float), np.asarray(of_neighbors, dtype=float)
    if own.ndim != 1 or near.ndim != 2 or len(own) != len(near) or not near.size:
        raise ValueError(f"density and of_neighbors must be (m,) and (m, k), got {own.shape} and {near.shape}.")
    if not ((own > 0).all() and (near > 0).all()):
        raise ValueError("densities must be positive.")
    with np.errstate(invalid="ignore"):
        ratio = near / own[:, None]
    ratio[np.isinf(near) & np.isinf(own)[:, None]] = 1.0
    return ratio.mean(axis=1)  # anomaly-detection-lof


def average_path_length(n: ArrayLike) -> FloatArray:
    """Mean depth of a leaf when ``n`` values are cut apart at random ranks, ``c(n)``; :eq:`anomaly-detection-cn`.

    Parameters
    ----------
    n : array of integers
        At least 0; none or one value needs no cut.

    Raises
    ------
    ValueError
        If a number is negative or not finite.

    Notes
    -----
    ``2 (H_n - 1)`` with the harmonic number from the digamma function, exact to rounding. The usual approximation,
    ``2 (ln(n - 1) + 0.5772) - 2 (n - 1) / n``, is smaller by about ``1 / n``.

    Examples
    --------
    >>> average_path_length([1, 2, 3, 256]).round(4)
    array([ 0.    ,  1.    ,  1.6667, 10.2487])
    """
    n = check_shape(n, "n", (None,) * np.ndim(n))
    if (n < 0).any():
        raise ValueError("n must not be negative.")
    return np.where(n > 1, 2.0 * (psi(np.maximum(n, 1.0) + 1) + np.euler_gamma - 1.0), 0.0)  # anomaly-detection-cn


def isolation_score(depth: ArrayLike, n: int) -> FloatArray:
    """Score of a mean depth in trees of ``n`` rows, ``2 ** (-depth / c(n))``; :eq:`anomaly-detection-score`.

    Parameters
    ----------
    depth : array
        Not negative.
    n : int
        At least 2.

    Returns
    -------
    array
        From 0 to 1; 0.5 at the mean depth, near 1 for what is cut off at once.

    Raises
    ------
    TypeError, ValueError
        If a depth is negative or not finite, or ``n`` < 2.

    Examples
    --------
    >>> isolation_score([0.0, 1.0, 2.0], 2)
    array([1.  , 0.5 , 0.25])
    """
    n = check_integer(n, "n", 2)
    depth = check_shape(depth, "depth", (None,) * np.ndim(depth))
    if (depth < 0).any():
        raise ValueError("depth must not be negative.")
    return 2.0 ** (-depth / average_path_length(n))  # anomaly-detection-score


def reconstruction_errors(X: ArrayLike, mean: ArrayLike, components: ArrayLike) -> FloatArray:
    """Squared distances (n,) of the rows from the plane of the components; :eq:`anomaly-detection-reconstruction`.

    Parameters
    ----------
    X : (n, d) array
    mean : (d,) array
    components : (q, d) array
        Orthonormal rows.

    Raises
    ------
    ValueError
        If the columns do not fit or a value is not finite.

    Notes
    -----
    O(n d q).

    Examples
    --------
    >>> reconstruction_errors([[3.0, 4.0]], [0.0, 0.0], [[1.0, 0.0]])
    array([16.])
    """
    X = check_matrix(X, "X")
    centred = X - check_vector(mean, "mean", X.shape[1])
    W = check_shape(components, "components", (None, X.shape[1]))
    return np.square(centred - centred @ W.T @ W).sum(axis=1)  # anomaly-detection-reconstruction


def alarm_precision(prevalence: ArrayLike, recall: ArrayLike, false_alarms: ArrayLike) -> FloatArray:
    """Share of the alarms that are right; :eq:`anomaly-detection-precision`.

    Parameters
    ----------
    prevalence, recall, false_alarms : arrays
        Share of odd rows, share of them that raise an alarm, share of usual rows that do; each from 0 to 1.

    Returns
    -------
    array
        NaN where there is no alarm at all.

    Raises
    ------
    ValueError
        If a share is outside 0 to 1.

    Examples
    --------
    >>> alarm_precision(0.001, 0.9, 0.01).round(4)
    np.float64(0.0826)
    """
    named = {"prevalence": prevalence, "recall": recall, "false_alarms": false_alarms}
    shares = [check_shape(value, name, (None,) * np.ndim(value)) for name, value in named.items()]
    for name, value in zip(named, shares, strict=True):
        if ((value < 0) | (value > 1)).any():
            raise ValueError(f"{name} must lie between 0 and 1.")
    pi, tpr, fpr = shares
    hits, rest = pi * tpr, (1 - pi) * fpr
    with np.errstate(invalid="ignore"):
        return hits / (hits + rest)  # anomaly-detection-precision


def conformal_p_values(calibration: ArrayLike, scores: ArrayLike) -> FloatArray:
    """Share of usual rows that are at least as odd, the new row counted; :eq:`anomaly-detection-p-value`.

    Parameters
    ----------
    calibration : (n,) array
        Scores of usual rows that the detector has not been fitted to; low is odd.
    scores : (m,) array
        Scores of the rows to judge.

    Returns
    -------
    (m,) array
        From 1 / (n + 1) to 1. For a usual row it is at most alpha with a probability of at most alpha.

    Raises
    ------
    ValueError
        If an array is no vector, empty or not finite.

    Notes
    -----
    O((n + m) log n).

    Examples
    --------
    >>> conformal_p_values([-1.0, -2.0, -3.0], [-2.5, 0.0, -9.0])
    array([0.5 , 1.  , 0.25])
    """
    usual = np.sort(check_vector(calibration, "calibration"))
    rank = np.searchsorted(usual, check_vector(scores, "scores"), side="right")
    return (1.0 + rank) / (1.0 + len(usual))  # anomaly-detection-p-value


def _share(value: float, name: str) -> float:
    share = check_real(value, name)
    if not 0 < share <= 1:
        raise ValueError(f"{name} must be above 0 and at most 1, got {value}.")
    return share

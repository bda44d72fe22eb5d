"""Initial centres for k-means."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_integer
from notes_lib.clustering.kmeans.blocks import squared_to
from notes_lib.clustering.kmeans.checks import check_count, check_matrix, check_pair, check_point_weights
from notes_lib.numerics import RandomState, check_rng

Init = str | ArrayLike | Callable[..., ArrayLike]

NAMED_INITS = ("k-means++", "random", "random_partition", "uniform")


def dsquared_probabilities(X: ArrayLike, centers: ArrayLike, sample_weight: ArrayLike | None = None) -> FloatArray:
    """Probability of each point to become the next centre of k-means++.

    Implements :eq:`kmeans-dsquared`: the squared distance to the nearest centre so far, divided by its sum over the
    points.

    Parameters
    ----------
    X : (n, d) array
    centers : (m, d) array, the centres chosen so far, m >= 1
    sample_weight : (n,) array or None
        How often each point counts.

    Returns
    -------
    (n,) array
        Sums to 1; 0 for a point that is a centre already.

    Raises
    ------
    ValueError
        If every point coincides with a centre, a shape is wrong, a value is NaN or infinite, or a weight is negative.

    Notes
    -----
    O(n m d) time, O(n d) memory.

    Examples
    --------
    >>> dsquared_probabilities([[0.0], [1.0], [3.0]], [[0.0]])
    array([0. , 0.1, 0.9])
    """
    X, centers = check_pair(X, centers)
    return _normalise(squared_to(X, centers).min(axis=1), _weights(sample_weight, len(X)))


def sample_index(p: ArrayLike, u: float) -> int:
    """Index drawn from the probabilities ``p`` by one uniform number: the first whose cumulative sum exceeds ``u``.

    Parameters
    ----------
    p : (n,) array
        Not negative, with a positive sum; normalised here.
    u : float
        0 <= u < 1.

    Returns
    -------
    int
        Never the index of an entry 0.

    Raises
    ------
    ValueError
        If ``u`` is not in [0, 1), or ``p`` is not a vector of non-negative numbers with a positive, finite sum.

    Notes
    -----
    O(n) time and memory.

    Examples
    --------
    >>> [sample_index([0.5, 0.0, 0.5], u) for u in (0.0, 0.49, 0.5, 0.99)]
    [0, 0, 2, 2]
    """
    p = np.asarray(p, dtype=float)
    if not 0.0 <= u < 1.0:
        raise ValueError(f"u must lie in [0, 1), got {u}.")
    if p.ndim != 1 or not (p >= 0).all() or not 0 < p.sum() < np.inf:
        raise ValueError("p must be a vector of non-negative numbers with a positive, finite sum.")
    cumulative = np.cumsum(p)
    index = np.searchsorted(cumulative, u * cumulative[-1], side="right")
    return int(min(index, np.flatnonzero(p)[-1]))  # a tiny sum times u may round up to the sum


def kmeans_plusplus(
    X: ArrayLike, n_clusters: int, *, sample_weight: ArrayLike | None = None, random_state: RandomState = None
) -> tuple[FloatArray, IntArray]:
    """Initial centres by k-means++: each new centre is *sampled* with probability proportional to D^2.

    The first centre is a point drawn uniformly, the following ones are drawn by :eq:`kmeans-dsquared`; both
    probabilities are multiplied by the weights if there are some. This is plain sampling with one candidate a step, as
    published; scikit-learn's function of the same name tries several candidates.

    Parameters
    ----------
    X : (n, d) array
    n_clusters : int
        At most the number of distinct rows of ``X``.
    sample_weight : (n,) array or None
        How often each point counts.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    centers : (n_clusters, d) array
    indices : (n_clusters,) array of int
        ``centers`` is ``X[indices]``; no two centres coincide.

    Raises
    ------
    ValueError
        If ``n_clusters`` is not in 1..n or exceeds the number of distinct rows, a shape is wrong, a value is NaN or
        infinite, or a weight is negative.
    TypeError
        If ``n_clusters`` is not an integer, or ``random_state`` is of another type.

    Notes
    -----
    O(n k d) time, O(n d) memory. The expected objective of the centres is at most 8 (ln k + 2) times the optimum
    (Arthur and Vassilvitskii 2007, theorem 3.1).

    Examples
    --------
    >>> centers, indices = kmeans_plusplus([[0.0], [0.0], [7.0]], 2, random_state=0)
    >>> sorted(centers.ravel().tolist())
    [0.0, 7.0]
    """
    X = check_matrix(X, "X")
    check_integer(n_clusters, "n_clusters")
    check_count(n_clusters, len(X))
    w, rng = _weights(sample_weight, len(X)), check_rng(random_state)
    indices = [int(rng.integers(len(X))) if w is None else sample_index(w, rng.random())]
    D2 = squared_to(X, X[indices])[:, 0]  # (n,) squared distance to the nearest centre so far
    while len(indices) < n_clusters:
        indices.append(sample_index(_normalise(D2, w), rng.random()))
        D2 = np.minimum(D2, squared_to(X, X[indices[-1:]])[:, 0])
    return X[indices], np.array(indices, dtype=np.intp)


def initial_centers(
    X: ArrayLike,
    n_clusters: int,
    init: Init = "k-means++",
    *,
    sample_weight: ArrayLike | None = None,
    random_state: RandomState = None,
) -> FloatArray:
    """Initial centres by one of the rules that the literature names.

    Parameters
    ----------
    X : (n, d) array
    n_clusters : int
    init : str, array or callable
        ``'k-means++'``: :func:`kmeans_plusplus`. ``'random'`` (Forgy): distinct rows of ``X``, uniformly.
        ``'random_partition'``: means of a uniformly random assignment (k randomly chosen points get one label each, so
        that no cluster is empty). ``'uniform'``: uniform in the bounding box of ``X``. An array (k, d): these centres.
        A callable ``init(X, n_clusters, random_state)``: what it returns; it is handed a ``numpy.random.Generator``.
    sample_weight : (n,) array or None
        How often each point counts in ``'k-means++'``, ``'random'`` (a probability of the next row) and the means of
        ``'random_partition'``.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (n_clusters, d) array

    Raises
    ------
    ValueError
        If the name is unknown, or the centres do not have shape (n_clusters, d) or are not finite; for ``n_clusters``
        and ``X`` as in :func:`kmeans_plusplus`.
    TypeError
        As in :func:`kmeans_plusplus`.

    Notes
    -----
    O(n d) time; k-means++ O(n k d).

    Examples
    --------
    >>> initial_centers([[0.0], [4.0]], 2, "random_partition", random_state=0).shape
    (2, 1)
    """
    X = check_matrix(X, "X")
    n, d = X.shape
    check_integer(n_clusters, "n_clusters")
    check_count(n_clusters, n)
    w, rng = _weights(sample_weight, n), check_rng(random_state)
    if isinstance(init, str):
        if init == "k-means++":
            return kmeans_plusplus(X, n_clusters, sample_weight=w, random_state=rng)[0]
        if init == "random":
            drawn = rng.permutation(n) if w is None else rng.choice(n, n_clusters, replace=False, p=w / w.sum())
            return X[drawn[:n_clusters]]
        if init == "random_partition":
            labels = np.asarray(rng.integers(n_clusters, size=n))
            labels[rng.permutation(n)[:n_clusters]] = np.arange(n_clusters)
            Z = np.equal.outer(np.arange(n_clusters), labels) * (1.0 if w is None else w)  # (k, n) weights of members
            return Z @ X / Z.sum(axis=1, keepdims=True)
        if init == "uniform":
            return rng.uniform(X.min(axis=0), X.max(axis=0), size=(n_clusters, d))
        raise ValueError(f"init must be one of {', '.join(NAMED_INITS)}, an array or a callable, got {init!r}.")
    centers = check_matrix(init(X, n_clusters, rng) if callable(init) else init, "init")
    if centers.shape != (n_clusters, d):
        raise ValueError(f"init must give centres of shape (n_clusters, d) = {n_clusters, d}, got {centers.shape}.")
    return centers


def _weights(sample_weight: ArrayLike | None, n: int) -> FloatArray | None:
    """Weights (n,), or None where all points count alike."""
    w = check_point_weights(sample_weight, n)
    return w if w is not None and np.ptp(w) > 0 else None


def _normalise(D2: FloatArray, weights: FloatArray | None) -> FloatArray:
    share = D2 if weights is None else weights * D2
    total = share.sum()
    if not total > 0:
        raise ValueError(
            "X has no point away from the centres chosen so far: there are fewer distinct points than n_clusters, or "
            "squares of differences underflow and the columns need rescaling."
        )
    return share / total

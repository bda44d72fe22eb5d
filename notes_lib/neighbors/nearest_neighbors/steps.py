"""Steps of the nearest-neighbour rules in the order of the chapter: distances, weights, votes, limits of the risk."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import (
    FloatArray,
    check_choice,
    check_codes,
    check_distribution,
    check_finite,
    check_integer,
    check_matrix,
    check_numbers,
    check_real,
)

Metric = Literal["minkowski", "euclidean", "manhattan", "chebyshev", "sqeuclidean"]
Weights = Literal["uniform", "distance"]
ORDERS = {"manhattan": 1.0, "euclidean": 2.0, "sqeuclidean": 2.0, "chebyshev": np.inf}


class AxiomViolations(NamedTuple):
    """By how much a table of distances breaks each axiom at the worst place; 0 where the axiom holds.

    ``negative``: the most negative distance; ``identity``: the largest distance of an instance from itself, or infinity
    if two different instances have distance 0; ``symmetry``: the largest difference of d(a, b) and d(b, a);
    ``triangle``: the largest excess of d(a, c) over d(a, b) + d(b, c).
    """

    negative: float
    identity: float
    symmetry: float
    triangle: float


def check_metric(metric: Any, p: Any = 2, axioms: bool = False) -> float:
    """Return the order of a Minkowski distance by its name; ``axioms``: whether the triangle inequality is needed.

    Raises
    ------
    TypeError, ValueError
        If the name is unknown, ``p`` is no number of at least 1, or the distance is squared where axioms are needed.

    Examples
    --------
    >>> check_metric("manhattan"), check_metric("minkowski", p=3)
    (1.0, 3.0)
    """
    check_choice(metric, "metric", ("minkowski", *ORDERS))
    if axioms and metric == "sqeuclidean":
        raise ValueError("metric='sqeuclidean' breaks the triangle inequality, which pruning needs: use 'euclidean'.")
    if metric != "minkowski":
        return ORDERS[metric]
    return np.inf if p == np.inf else check_real(p, "p", 1.0)


def pairwise_distances(
    X: ArrayLike, Y: ArrayLike | None = None, metric: Metric = "euclidean", *, p: float | None = None
) -> FloatArray:
    """Distances between the rows of two matrices, :eq:`nearest-neighbors-minkowski`, from differences.

    Parameters
    ----------
    X : (n, d) array
    Y : (m, d) array or None
        ``X`` if None.
    metric : {"minkowski", "euclidean", "manhattan", "chebyshev", "sqeuclidean"}
        The last one is the squared Euclidean distance, which is no metric.
    p : float or None
        Order of ``"minkowski"``, at least 1; infinity gives the largest difference, None is 2.

    Returns
    -------
    (n, m) array

    Raises
    ------
    TypeError, ValueError
        Matrices that do not fit, unknown ``metric``, ``p`` < 1, or given for another metric.

    Notes
    -----
    O(n m d) time, O(n m) memory. Nothing cancels, in contrast to :func:`notes_lib.numerics.squared_distances`, which
    is faster.

    Examples
    --------
    >>> pairwise_distances([[1, 1]], [[5, 1], [4, 4]], "manhattan")
    array([[4., 6.]])
    """
    if p is not None and metric != "minkowski":
        raise ValueError(f"p is the order of metric='minkowski' only: leave it out for {metric!r}.")
    X = check_matrix(X, "X")
    Y = X if Y is None else check_matrix(Y, "Y")
    if X.shape[1] != Y.shape[1]:
        raise ValueError(f"X and Y must have the same number of columns, got {X.shape[1]} and {Y.shape[1]}.")
    order = check_metric(metric, 2 if p is None else p)
    return _powers(X, Y, 2.0) if metric == "sqeuclidean" else minkowski(X, Y, order)


def minkowski(X: FloatArray, Y: FloatArray, p: float) -> FloatArray:
    """Distances of order ``p`` between the rows of two matrices, a feature at a time.

    Examples
    --------
    >>> minkowski(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]), 1.0)
    array([[7.]])
    """
    D = _powers(X, Y, p)
    return D if p in (1, np.inf) else np.sqrt(D) if p == 2 else D ** (1 / p)


def _powers(X: FloatArray, Y: FloatArray, p: float) -> FloatArray:
    """Sums of the p-th powers of the differences; for infinity the largest difference."""
    D = np.zeros((len(X), len(Y)))
    for x, y in zip(X.T, Y.T, strict=True):
        gap = np.abs(x[:, None] - y)  # (n, m)
        if p == np.inf:
            np.maximum(D, gap, out=D)
        else:
            D += gap if p == 1 else gap * gap if p == 2 else gap**p
    return D


def axiom_violations(D: ArrayLike) -> AxiomViolations:
    """By how much a table of distances breaks the axioms :eq:`nearest-neighbors-axioms`.

    Parameters
    ----------
    D : (n, n) array
        ``D[a, b]`` is the distance from a to b; of n different instances.

    Returns
    -------
    AxiomViolations

    Raises
    ------
    ValueError
        If ``D`` is not square or not finite.

    Notes
    -----
    O(n^3) time, O(n^2) memory.

    Examples
    --------
    >>> axiom_violations(pairwise_distances([[0], [1], [2]], [[0], [1], [2]], "sqeuclidean"))
    AxiomViolations(negative=0.0, identity=0.0, symmetry=0.0, triangle=2.0)
    """
    D = check_matrix(D, "D", square=True)
    apart = ~np.eye(len(D), dtype=bool)
    detour = D.copy()
    for b in range(len(D)):  # over every stop on the way
        np.minimum(detour, D[:, b, None] + D[b], out=detour)
    return AxiomViolations(
        negative=float(max(0.0, -D.min())),
        identity=float("inf") if (D[apart] == 0).any() else float(np.abs(np.diag(D)).max()),
        symmetry=float(np.abs(D - D.T).max()),
        triangle=float((D - detour).max()),
    )


def neighbor_weights(distances: ArrayLike, weights: Weights = "uniform") -> FloatArray:
    """What the vote of each neighbour counts, :eq:`nearest-neighbors-weights`.

    Parameters
    ----------
    distances : (n, k) array
        Non-negative.
    weights : {"uniform", "distance"}
        1 each, or 1 / distance. In a row with neighbours at distance 0 these count 1 and all others 0.

    Returns
    -------
    (n, k) array

    Raises
    ------
    ValueError
        If a distance is negative or not finite, or ``weights`` is neither of the two.

    Examples
    --------
    >>> neighbor_weights([[0.5, 2.0], [0.0, 2.0]], "distance")
    array([[2. , 0.5],
           [1. , 0. ]])
    """
    check_choice(weights, "weights", ("uniform", "distance"))
    D = check_matrix(distances, "distances")
    if (D < 0).any():
        raise ValueError(f"distances must not be negative, got {D.min()}.")
    if weights == "uniform":
        return np.ones_like(D)
    with np.errstate(divide="ignore"):
        inverse = 1.0 / D
    endless = np.isinf(inverse)
    return np.where(endless.any(axis=1, keepdims=True), endless.astype(float), inverse)


def vote_shares(codes: ArrayLike, weights: ArrayLike, n_classes: int) -> FloatArray:
    """Share of each class in the weighted votes of the neighbours, :eq:`nearest-neighbors-vote`.

    Parameters
    ----------
    codes : (n, k) array of int
        Classes of the neighbours, numbered from 0.
    weights : (n, k) array
        Not negative, with a positive sum in each row.
    n_classes : int

    Returns
    -------
    (n, n_classes) array, rows sum to 1

    Raises
    ------
    TypeError, ValueError
        If the shapes differ, a code is none of the classes, or a row of weights is not as said.

    Notes
    -----
    O(n k) time.

    Examples
    --------
    >>> vote_shares([[0, 1, 1]], [[2.0, 0.5, 0.5]], 2)
    array([[0.66666667, 0.33333333]])
    """
    w = check_matrix(weights, "weights")
    codes, K = np.asarray(codes), check_integer(n_classes, "n_classes")
    if codes.shape != w.shape:
        raise ValueError(f"codes and weights must have one shape, got {codes.shape} and {w.shape}.")
    if (w < 0).any() or (w.sum(axis=1) <= 0).any():
        raise ValueError("weights must not be negative, with a positive sum in each row.")
    flat = check_codes(codes.ravel(), "codes", codes.size, K)
    cells = (np.arange(len(w))[:, None] * K + flat.reshape(w.shape)).ravel()
    votes = np.bincount(cells, w.ravel(), minlength=len(w) * K).reshape(-1, K)
    return votes / votes.sum(axis=1, keepdims=True)


def asymptotic_risk(posterior: ArrayLike) -> FloatArray:
    """Limit of the risk of one nearest neighbour at each place, :eq:`nearest-neighbors-conditional-risk`.

    Parameters
    ----------
    posterior : (..., M) array
        Probabilities of the M classes at each place; the last axis sums to 1.

    Returns
    -------
    (...) array
        ``1 - sum_m eta_m^2``: the probability that two independent draws from the posterior differ.

    Raises
    ------
    ValueError
        If it holds no distributions.

    Examples
    --------
    >>> asymptotic_risk([0.9, 0.1]).round(4)
    np.float64(0.18)
    """
    eta = check_distribution(posterior, "posterior")
    return 1.0 - (eta**2).sum(axis=-1)


def cover_hart_bound(bayes_risk: ArrayLike, n_classes: int = 2) -> FloatArray:
    """Largest limit of the risk of one nearest neighbour at a given Bayes risk, :eq:`nearest-neighbors-cover-hart`.

    Parameters
    ----------
    bayes_risk : array
        R*, from 0 to 1 - 1 / M: no problem with M classes has a larger one.
    n_classes : int
        M, at least 2.

    Returns
    -------
    array
        ``R* (2 - M R* / (M - 1))``.

    Raises
    ------
    TypeError, ValueError
        If ``n_classes`` < 2, or a Bayes risk does not lie in its range.

    Notes
    -----
    A bound of the limit: with finitely many instances the risk can be larger. Source: Cover and Hart (1967), theorem.

    Examples
    --------
    >>> cover_hart_bound(0.25)
    np.float64(0.375)
    """
    M = check_integer(n_classes, "n_classes", 2)
    R = check_finite(check_numbers(bayes_risk, "bayes_risk"), "bayes_risk")
    if (R < 0).any() or (R > 1 - 1 / M + 1e-12).any():
        raise ValueError(f"bayes_risk must lie between 0 and 1 - 1/{M}, the risk of a guess, got {R.tolist()}.")
    return np.float64(1.0) * R * (2.0 - M / (M - 1) * R)


def local_mean(targets: NDArray[Any], weights: FloatArray) -> FloatArray:
    """Weighted mean of the neighbours' targets (n, k), :eq:`nearest-neighbors-mean`.

    Examples
    --------
    >>> local_mean(np.array([[1.0, 4.0]]), np.array([[2.0, 1.0]]))
    array([2.])
    """
    return (weights * targets).sum(axis=1) / weights.sum(axis=1)

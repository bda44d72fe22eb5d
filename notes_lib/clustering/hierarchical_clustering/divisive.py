"""From the top down: all ways to split a cluster in two, and a rule that does without trying them."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray, check_integer
from notes_lib.clustering.hierarchical_clustering.checks import check_observations
from notes_lib.clustering.kmeans import lloyd

MOST = 16  # observations whose 2^15 - 1 splits are tried


class Split(NamedTuple):
    """A cluster in two parts: ``labels`` (n,), 0 for the first observation; ``inertia`` the sum of squares within."""

    labels: IntArray
    inertia: float


def bipartitions(n: int) -> int:
    """In how many ways n things fall into two groups, :eq:`hierarchical-clustering-bipartitions`.

    Parameters
    ----------
    n : int
        At least 1.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If ``n`` < 1.
    TypeError
        If ``n`` is not an integer.

    Notes
    -----
    O(1) time.

    Examples
    --------
    >>> bipartitions(3), bipartitions(30)
    (3, 536870911)
    """
    return int(2 ** (check_integer(n, "n") - 1) - 1)


def best_bipartition(X: ArrayLike) -> Split:
    """The split into two parts with the smallest sum of squares, by trying all of them.

    Parameters
    ----------
    X : (n, d) array
        From 2 to 16 observations.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        If ``X`` is no such matrix; beyond 16 rows take :func:`bisect`.
    TypeError
        If ``X`` holds text or complex numbers.

    Notes
    -----
    O(2^n n d) time: the total sum of squares minus n_1 n_2 / n times the squared distance of the means is what stays
    within, :eq:`hierarchical-clustering-ward-increase`.

    Examples
    --------
    >>> best_bipartition([[0.0], [1.0], [5.0]])
    Split(labels=array([0, 0, 1]), inertia=0.5)
    """
    X = check_observations(X, "X")
    n = len(X)
    if n > MOST:
        raise ValueError(f"X has {n} rows and {bipartitions(n)} splits, too many to try: take bisect.")
    second = (np.arange(1, 2 ** (n - 1))[:, None] >> np.arange(n - 1)) & 1  # (splits, n - 1): the first row stays
    members = np.column_stack([np.zeros(len(second), dtype=int), second])
    Xc = X - X.mean(axis=0)
    n2 = members.sum(axis=1)
    between = ((members @ Xc) ** 2).sum(axis=1) * n / (n2 * (n - n2))
    best = int(between.argmax())
    return Split(members[best], float((Xc**2).sum() - between[best]))


def bisect(X: ArrayLike, max_iter: int = 300) -> Split:
    """Split a cluster by 2-means, from the two sides of its mean along the direction of largest variance.

    Lowers :eq:`hierarchical-clustering-bisect`; nothing is drawn at random.

    Parameters
    ----------
    X : (n, d) array
        Rows that are not all equal.
    max_iter : int
        Largest number of iterations of :func:`notes_lib.clustering.kmeans.lloyd`, at least 1.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        If ``X`` is no matrix of at least two different rows, or ``max_iter`` < 1.
    TypeError
        If ``X`` holds text or complex numbers, or ``max_iter`` is not an integer.

    Warns
    -----
    ConvergenceWarning
        If the assignments still changed in iteration ``max_iter``.

    Notes
    -----
    O(n d min(n, d)) time for the direction and O(n d) an iteration. Sources: M. Steinbach, G. Karypis and V. Kumar
    (2000), *A comparison of document clustering techniques* (bisecting k-means); D. Boley (1998), *Principal direction
    divisive partitioning* (the start).

    Examples
    --------
    >>> bisect([[0.0], [1.0], [5.0]])
    Split(labels=array([0, 0, 1]), inertia=0.5)
    """
    X = check_observations(X, "X")
    check_integer(max_iter, "max_iter")
    side = _principal_side(X)
    run = lloyd(X, [X[side].mean(axis=0), X[~side].mean(axis=0)], max_iter=max_iter)
    if not run.converged:
        message = f"the assignments still changed after max_iter={max_iter} iterations; raise max_iter."
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return Split(run.labels ^ run.labels[0], run.inertia)


def _principal_side(X: FloatArray) -> np.ndarray:
    """Which rows lie on the positive side of the mean, along the first right singular vector of the centred rows."""
    Xc = X - X.mean(axis=0)
    if not np.ptp(X, axis=0).any():
        raise ValueError(f"X holds {len(X)} equal rows, which no rule can split: ask for fewer clusters.")
    _, _, directions = np.linalg.svd(Xc / np.abs(Xc).max(), full_matrices=False)
    return Xc @ directions[0] > 0

"""Partial least squares in brief: directions of largest covariance, and a regression on their scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import svd

from notes_lib.checks import FloatArray, check_integer
from notes_lib.numerics import leading_signs
from notes_lib.reduction.cca.checks import centred, views
from notes_lib.reduction.cca.steps import CanonicalPairs, view_covariances


class LinearFit(NamedTuple):
    """Result of :func:`pls_regression`: ``coef`` (p, q) and ``intercept`` (q,), so that Y is ``intercept + X coef``."""

    coef: FloatArray
    intercept: FloatArray


def pls_directions(X: ArrayLike, Y: ArrayLike) -> CanonicalPairs:
    """Pairs of unit directions with the largest covariance: the singular vectors of ``C_xy``; :eq:`cca-pls-svd`.

    Parameters
    ----------
    X : (n, p) array
    Y : (n, q) array, or (n,)

    Returns
    -------
    CanonicalPairs
        ``values`` (k,), covariances (divisor n - 1) in descending order, k = min(p, q); directions of length 1. The
        entry of largest modulus of each x-direction is positive.

    Raises
    ------
    TypeError, ValueError
        As in :func:`view_covariances`.

    Notes
    -----
    O(n p q + p q min(p, q)) time.

    Examples
    --------
    >>> pls_directions([[0, 0], [1, 3], [2, 6]], [1, 2, 3]).x_directions.round(3)
    array([[0.316],
           [0.949]])
    """
    U, covariances, Vt = svd(view_covariances(X, Y).C_xy, full_matrices=False)
    signs = leading_signs(U.T)
    return CanonicalPairs(covariances, U * signs, Vt.T * signs)


def pls_regression(X: ArrayLike, Y: ArrayLike, n_components: int) -> LinearFit:
    """Regression of Y on the first scores of partial least squares, one after the other, each removed from X.

    Parameters
    ----------
    X : (n, p) array
        Columns are centred, not scaled.
    Y : (n, q) array, or (n,)
    n_components : int
        At most the rank of the centred X; with that many it is ordinary least squares.

    Returns
    -------
    LinearFit
        ``coef`` (p, q) and ``intercept`` (q,), in the units of the columns.

    Raises
    ------
    TypeError, ValueError
        As in :func:`view_covariances`; if ``n_components`` is no integer from 1 to the rank of the centred X.

    Notes
    -----
    O(n p q) time a component. Source: Hastie, Tibshirani and Friedman (2009), algorithm 3.3, for one target.

    Examples
    --------
    >>> pls_regression([[0, 0], [1, 1], [2, 0]], [0, 1, 2], 1).coef.ravel()
    array([1., 0.])
    """
    k = check_integer(n_components, "n_components")
    means = [V.mean(axis=0) for V in views(X, Y)]
    X, Y = centred(X, Y)
    rank = int(np.linalg.matrix_rank(X))
    if k > rank:
        raise ValueError(f"n_components={k} must be at most {rank}, the rank of the centred X.")
    W, P, Q, rest = [], [], [], X
    for _ in range(k):
        w = svd(rest.T @ Y, full_matrices=False)[0][:, 0]  # cca-pls-svd
        t = rest @ w
        p = rest.T @ t / (t @ t)
        W.append(w)
        P.append(p)
        Q.append(Y.T @ t / (t @ t))
        rest = rest - np.outer(t, p)
    coef = np.transpose(W) @ np.linalg.solve(np.array(P) @ np.transpose(W), np.array(Q))
    return LinearFit(coef, means[1] - means[0] @ coef)

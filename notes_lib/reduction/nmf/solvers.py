"""The two loops: row by row (HALS, scikit-learn's 'cd') and multiplicative ('mu').

Both take products of the data first and work on rows of H and of the transpose of W then, which lie in one piece. An
update of W is an update of the transposed problem, so that each loop has one function for both factors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.reduction.nmf.steps import kl_rows, kullback_leibler, ratio, squares

ROUNDING = 10 * np.finfo(float).eps  # slopes are differences of entries of A and as many of the same size


class Factors(NamedTuple):
    """What a loop returns: factors (n, k) and (k, d), its iterations, the objective after each, whether it stopped."""

    W: FloatArray
    H: FloatArray
    n_iter: int
    objective: FloatArray
    converged: bool


def coordinate_descent(
    X: FloatArray, W: FloatArray, H: FloatArray, *, max_iter: int = 200, tol: float = 1e-4, update_H: bool = True
) -> Factors:
    """Each row of the factors in turn to its best values, :eq:`nmf-hals`, until the slopes are small.

    Parameters
    ----------
    X : (n, d) array, W : (n, k) array, H : (k, d) array, of numbers of at least 0
    max_iter : int
    tol : float
        Stop when the sum of the absolute slopes that are met in an iteration, without those that would lead below 0,
        is at most ``tol`` times that of the first iteration, or nothing but rounding errors.
    update_H : bool
        Whether H is moved too.

    Returns
    -------
    Factors
        The objective, half the sum of squared errors, is computed from products and exact to rounding errors of the
        sum of squares of X; where these would make it negative it is 0.

    Notes
    -----
    O(n d k + (n + d) k^2) time for each iteration.

    Examples
    --------
    >>> X = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> coordinate_descent(X, np.eye(2), np.ones((2, 2))).objective[-1]
    np.float64(0.0)
    """
    Wt, H = W.T.copy(), H.copy()
    half, objective, first, converged = 0.5 * np.vdot(X, X), [], 0.0, False
    A, B = H @ X.T, H @ H.T
    for n_iter in range(1, max_iter + 1):
        if update_H and n_iter > 1:
            A, B = H @ X.T, H @ H.T
        slopes, rows = hals_rows(A, B, Wt), Wt
        if update_H:
            A, B = Wt @ X, Wt @ Wt.T
            slopes, rows = slopes + hals_rows(A, B, H), H
        objective.append(max(0.0, half - np.vdot(A, rows) + 0.5 * np.vdot(B, rows @ rows.T)))
        first = first if n_iter > 1 else slopes
        if converged := bool(slopes <= max(tol * first, ROUNDING * A.sum())):
            break
    return Factors(Wt.T.copy(), H, n_iter, np.array(objective), converged)


def hals_rows(A: FloatArray, B: FloatArray, H: FloatArray) -> float:
    """Update the rows of H in place, :eq:`nmf-hals`, and return the sum of the absolute slopes that were met.

    Parameters
    ----------
    A : (k, d) array
        ``W.T @ X``.
    B : (k, k) array
        ``W.T @ W``.
    H : (k, d) array

    Notes
    -----
    Divided by the diagonal of B, the update of a row is the row of A minus the other rows of H, each times its entry of
    B: one product of a vector and a matrix for each row. O(d k^2) time.

    Examples
    --------
    >>> H = np.ones((1, 2))
    >>> hals_rows(np.array([[3.0, -1.0]]), np.array([[1.0]]), H), H
    (4.0, array([[3., 0.]]))
    """
    b = np.diag(B).copy()
    used = b > 0  # a part that is nowhere in use stays as it is
    scale = np.where(used, b, 1.0)[:, None]
    C, Y, old = -B / scale, A / scale, H.copy()
    np.fill_diagonal(C, ~used)
    for c, y, h in zip(C, Y, H, strict=True):
        y += c @ H
        np.maximum(y, 0.0, out=h)
    moves = np.where(old > 0, old - Y, np.maximum(Y, 0.0))
    return float(b @ np.abs(moves).sum(axis=1))


def multiplicative(
    X: FloatArray,
    W: FloatArray,
    H: FloatArray,
    beta_loss: str = "frobenius",
    *,
    max_iter: int = 200,
    tol: float = 1e-4,
    update_H: bool = True,
) -> Factors:
    """Multiplicative updates of W and H in turn, :eq:`nmf-update` or :eq:`nmf-kl-update`, until the error stands.

    Parameters
    ----------
    X : (n, d) array, W : (n, k) array, H : (k, d) array, of numbers of at least 0
    beta_loss : 'frobenius' or 'kullback-leibler'
    max_iter : int
    tol : float
        Looked at in every tenth iteration, as in scikit-learn: stop when the root of the objective has fallen by less
        than ``tol`` times its value at the start since the last look. 0: never.
    update_H : bool
        Whether H is moved too.

    Returns
    -------
    Factors

    Notes
    -----
    O(n d k) time for each iteration.

    Examples
    --------
    >>> X = np.array([[2.0, 4.0]])
    >>> multiplicative(X, np.ones((1, 1)), np.ones((1, 2))).objective[-1]
    np.float64(0.0)
    """
    Wt, H = W.T.copy(), H.copy()
    if beta_loss == "frobenius":
        update, error = _least_squares_rows, squares
    else:
        update, error = kl_rows, kullback_leibler
    objective = [error(X, Wt.T @ H)]
    start = last = np.sqrt(objective[0])
    converged = False
    for n_iter in range(1, max_iter + 1):
        Wt = update(X.T, H.T, Wt)
        if update_H:
            H = update(X, Wt.T, H)
        objective.append(error(X, Wt.T @ H))
        if tol > 0 and n_iter % 10 == 0:
            now = np.sqrt(objective[-1])
            if converged := bool(last - now <= tol * start):
                break
            last = now
    return Factors(Wt.T.copy(), H, n_iter, np.array(objective[1:]), converged)


def _least_squares_rows(X: FloatArray, W: FloatArray, H: FloatArray) -> FloatArray:
    return H * ratio(W.T @ X, W.T @ W @ H, of_none=1.0)

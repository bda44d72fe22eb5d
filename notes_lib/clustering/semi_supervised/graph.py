"""Labels on a graph: the energy, its minimiser with fixed labels, the same with soft labels, and both by iteration."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import LinAlgWarning, solve

from notes_lib.checks import FloatArray, check_choice, check_positive
from notes_lib.clustering.semi_supervised.checks import check_partial_codes, check_reached, check_weights

ROWS = 64  # of a dense matrix, multiplied at a time


class Settled(NamedTuple):
    """Where an iteration has come to: ``F`` (n, K), the number of iterations, and whether it has converged."""

    F: FloatArray
    n_iter: int
    converged: bool


def energy(W: ArrayLike, F: ArrayLike) -> float:
    """How much the values of neighbours differ: ``1/2 sum_nm w_nm |f_n - f_m|^2``, :eq:`semi-supervised-energy`.

    Parameters
    ----------
    W : (n, n) array
        Symmetric weights, not negative.
    F : (n,) or (n, K) array
        A value, or K of them, at each node.

    Returns
    -------
    float
        0 if all nodes that are joined have the same value; equal to ``f' (D - W) f`` for one value a node.

    Raises
    ------
    ValueError
        If W is no matrix of weights, or F has another number of rows.

    Notes
    -----
    O(n^2 K) time, O(n^2) memory.

    Examples
    --------
    >>> energy([[0, 2], [2, 0]], [1, 4])
    18.0
    """
    A = check_weights(W)
    values = np.asarray(F, dtype=float).reshape(A.shape[0], -1) if np.shape(F)[:1] == A.shape[:1] else None
    if values is None:
        raise ValueError(f"F must have one row for each of the {A.shape[0]} nodes, got shape {np.shape(F)}.")
    return float(sum((A * (f[:, None] - f) ** 2).sum() for f in values.T) / 2)


def transition_matrix(W: Any) -> Any:
    """Probabilities of the steps of a random walk, ``p_nm = w_nm / d_n``; :eq:`semi-supervised-walk`.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Weights, not negative. The row of a node without neighbours stays 0.

    Returns
    -------
    (n, n) array or sparse matrix
        Rows that sum to 1.

    Raises
    ------
    ValueError
        If W is no matrix of weights.

    Examples
    --------
    >>> transition_matrix([[0, 1, 3], [1, 0, 0], [3, 0, 0]])
    array([[0.  , 0.25, 0.75],
           [1.  , 0.  , 0.  ],
           [1.  , 0.  , 0.  ]])
    """
    A = check_weights(W)
    d = np.asarray(A.sum(axis=1)).ravel()  # degrees
    d[d == 0] = 1.0
    return sparse.diags_array(1 / d) @ A if sparse.issparse(A) else A / d[:, None]


def normalized_weights(W: Any) -> Any:
    """``S = D^-1/2 W D^-1/2`` without the diagonal of W, :eq:`semi-supervised-normalised`.

    The degrees leave the diagonal out, as in scikit-learn; where W is not symmetric they are its column sums.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Weights, not negative. The row of a node without neighbours stays 0.

    Returns
    -------
    (n, n) array or sparse matrix
        With eigenvalues from -1 to 1 if W is symmetric.

    Raises
    ------
    ValueError
        If W is no matrix of weights.

    Examples
    --------
    >>> normalized_weights([[5, 4], [4, 0]])
    array([[0., 1.],
           [1., 0.]])
    """
    A = check_weights(W)
    d = np.asarray(A.sum(axis=0)).ravel() - A.diagonal()
    d[d <= 0] = 1.0
    scale = 1 / np.sqrt(d)
    if sparse.issparse(A):
        return sparse.diags_array(scale) @ (A - sparse.diags_array(A.diagonal())) @ sparse.diags_array(scale)
    S = A * scale
    S *= scale[:, None]
    np.fill_diagonal(S, 0.0)
    return S


def one_hot(y: ArrayLike, n_classes: int | None = None) -> FloatArray:
    """The labels as rows of zeros and ones, all zeros where there is none; :eq:`semi-supervised-indicator`.

    Examples
    --------
    >>> one_hot([1, -1, 0])
    array([[0., 1.],
           [0., 0.],
           [1., 0.]])
    """
    codes = check_partial_codes(y, len(np.atleast_1d(y)))
    Y = np.zeros((len(codes), n_classes or int(codes.max()) + 1))
    known = codes >= 0
    Y[known, codes[known]] = 1.0
    return Y


def harmonic(W: Any, y: ArrayLike) -> FloatArray:
    """Label distributions of all nodes: labels stay, each other node is the mean of its neighbours, in closed form.

    Solves :eq:`semi-supervised-harmonic`. Entry k of a row is the probability that a random walk from this node ends at
    a label of class k, :eq:`semi-supervised-series`.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Weights, not negative; loops, on the diagonal, change nothing.
    y : (n,) array of int
        Codes 0, 1, ... of the classes, -1 for unlabelled.

    Returns
    -------
    (n, K) array
        Rows sum to 1.

    Raises
    ------
    ValueError
        If W is no matrix of weights, y holds no label, from some node no path leads to a label (names the node), or
        one does whose weights are too small beside the others for floating point numbers.

    Notes
    -----
    O(u^3 + n^2 K) time for u unlabelled nodes, O(n^2) memory. Source: Zhu, Ghahramani and Lafferty (2003).

    Examples
    --------
    >>> chain = [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    >>> harmonic(chain, [0, -1, -1, 1])[:, 1].round(3)
    array([0.   , 0.333, 0.667, 1.   ])
    """
    A = check_weights(W)
    A = A.toarray() if sparse.issparse(A) else A.copy()
    np.fill_diagonal(A, 0.0)  # loops change nothing but the digits that are left
    codes = check_partial_codes(y, len(A))
    u, known = codes < 0, codes >= 0
    check_reached(_reached(A, known))
    F = one_hot(codes)
    if u.any():
        P = transition_matrix(A)[u]  # the rows of the Laplacian, divided by the degrees: weights of any size
        F[u] = _solved(np.eye(len(P)) - P[:, u], P[:, known] @ F[known])  # semi-supervised-harmonic
    return F


def spreading(W: Any, y: ArrayLike, alpha: float = 0.2) -> FloatArray:
    """Where label spreading ends: ``(1 - alpha) (I - alpha S)^-1 Y``, :eq:`semi-supervised-spreading`.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Symmetric weights, not negative.
    y : (n,) array of int
        Codes 0, 1, ... of the classes, -1 for unlabelled.
    alpha : float
        Above 0 and below 1: how much a node listens to its neighbours rather than to its own label.

    Returns
    -------
    (n, K) array
        Scores, not negative; the largest one of a row is its class.

    Raises
    ------
    ValueError
        If W is no matrix of weights, y holds no label, or alpha is not between 0 and 1.

    Notes
    -----
    O(n^3) time, O(n^2) memory. Source: Zhou et al. (2004).

    Examples
    --------
    >>> spreading([[0, 1], [1, 0]], [0, -1], alpha=0.5).round(3)
    array([[0.667],
           [0.333]])
    """
    alpha = check_alpha(alpha)
    S = normalized_weights(W)
    S = S.toarray() if sparse.issparse(S) else S
    Y = one_hot(check_partial_codes(y, len(S)))
    return np.asarray((1 - alpha) * solve(np.eye(len(S)) - alpha * S, Y))


def propagate(W_uu: Any, B: FloatArray, max_iter: int = 1000, tol: float = 1e-3) -> Settled:
    """Repeat ``F_u <- W_uu F_u + B`` from 0, each row divided by its sum, :eq:`semi-supervised-iteration`.

    Parameters
    ----------
    W_uu : (u, u) array or sparse matrix
        Weights among the unlabelled rows.
    B : (u, K) array
        ``W_ul Y_l``, what the labelled rows contribute.
    max_iter : int
    tol : float
        Stop when the entries of F change by less, all changes added.

    Returns
    -------
    Settled
        ``F`` (u, K); a row that no label has reached yet is 0.

    Notes
    -----
    O(u^2 K) time for an iteration. The limit does not depend on the start; the iterates are those of scikit-learn.

    Examples
    --------
    >>> F = propagate([[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], tol=1e-9).F
    >>> F.round(3)
    array([[0.667, 0.333],
           [0.333, 0.667]])
    """
    A = W_uu if sparse.issparse(W_uu) else np.asarray(W_uu, dtype=float)
    sent = np.ascontiguousarray(np.asarray(B, dtype=float).T)  # (K, u): see _times

    def step(F: FloatArray) -> FloatArray:
        F = _times(A, F)
        F += sent
        total = F.sum(axis=0)
        F /= np.where(total == 0, 1.0, total)
        return F

    return _repeat(step, np.zeros_like(sent), max_iter, tol)


def spread(W: Any, Y: FloatArray, alpha: float = 0.2, max_iter: int = 30, tol: float = 1e-3) -> Settled:
    """Repeat ``F <- alpha S F + (1 - alpha) Y`` from Y, :eq:`semi-supervised-spread-step`.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Weights, not negative; S is :func:`normalized_weights` of it.
    Y : (n, K) array
        As :func:`one_hot` gives it.
    alpha, max_iter, tol
        As in :func:`spreading` and :func:`propagate`. It goes on while it reaches further nodes.

    Returns
    -------
    Settled
        ``F`` (n, K); a row that no label has reached yet is 0.

    Notes
    -----
    O(n^2 K) time for an iteration.

    Examples
    --------
    >>> spread([[0, 1], [1, 0]], [[1.0, 0.0], [0.0, 0.0]], alpha=0.5).F[:, 0].round(3)
    array([0.667, 0.333])
    """
    S, start = normalized_weights(W), np.ascontiguousarray(np.asarray(Y, dtype=float).T)

    def step(F: FloatArray) -> FloatArray:
        F = _times(S, F)
        F *= alpha
        F += (1 - alpha) * start
        return F

    return _repeat(step, start, max_iter, tol)


def _repeat(step: Callable[[FloatArray], FloatArray], F: FloatArray, max_iter: int, tol: float) -> Settled:
    """Iterate until the changes add up to less than ``tol`` and no further column of F (K, n) was reached."""
    reached = np.count_nonzero(F.any(axis=0))
    for n_iter in range(1, max_iter + 1):
        new, before = step(F), reached
        change, reached = np.abs(new - F).sum(), np.count_nonzero(new.any(axis=0))
        F = new
        if change < tol and reached == before:
            return Settled(F.T, n_iter, True)
    return Settled(F.T, max_iter, False)


def _times(A: Any, F: FloatArray) -> FloatArray:
    """``(A F')'`` for F (K, n), a block of rows of A at a time: a few long rows are multiplied faster than columns."""
    if sparse.issparse(A):
        return np.ascontiguousarray((A @ F.T).T)
    out = np.empty((len(F), len(A)))
    for start in range(0, len(A), ROWS):
        out[:, start : start + ROWS] = F @ A[start : start + ROWS].T
    return out


def check_alpha(alpha: Any) -> float:
    """Return a number above 0 and below 1."""
    if not check_positive(alpha, "alpha") < 1:
        raise ValueError(f"alpha must be below 1, got {alpha}: at 1 a node would not listen to its own label at all.")
    return float(alpha)


def check_kernel(kernel: Any) -> None:
    """Raise for a kernel that is neither known nor a function."""
    if not callable(kernel):
        check_choice(kernel, "kernel", ("rbf", "knn"))


def _solved(A: FloatArray, B: FloatArray) -> FloatArray:
    """Solution of A F = B, or an error if rounding leaves nothing of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", LinAlgWarning)
        try:
            return np.asarray(solve(A, B))
        except (LinAlgWarning, np.linalg.LinAlgError) as error:
            raise ValueError(
                "W joins some nodes to the labels by weights that vanish beside the others: take a smaller gamma, more "
                "neighbours, or a label there."
            ) from error


def _reached(W: FloatArray, known: np.ndarray) -> np.ndarray:
    """Nodes from which a path of positive weights leads to a known one."""
    reached, edge = known.copy(), W > 0
    newest = known
    while newest.any():
        newest = edge[:, newest].any(axis=1) & ~reached
        reached |= newest
    return reached

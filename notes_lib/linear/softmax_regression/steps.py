"""Steps of softmax regression in the order of the chapter; ``W`` has one row of weights for each class.

A bias is the weight of a column of ones in ``X``. ``Y`` has one row for each instance: one-hot, or any distribution
over the classes. ``penalty`` is a number, or one for each column of ``X``: half of it times the squared weights is
added.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (
    FloatArray,
    check_codes,
    check_distribution,
    check_integer,
    check_matrix,
    check_numbers,
    check_positive,
)


def log_sum_exp(A: ArrayLike) -> FloatArray:
    """Logarithm of the sum of exponentials along the last axis, :eq:`softmax-regression-log-sum-exp`.

    Parameters
    ----------
    A : (..., K) array
        Finite scores of any size: the largest one is taken out, so nothing overflows.

    Returns
    -------
    (...) array

    Raises
    ------
    TypeError, ValueError
        If an entry is no number, NaN or infinite, or there is no score.

    Notes
    -----
    O(size) time. ``scipy.special.logsumexp`` is the same for any axis, with weights.

    Examples
    --------
    >>> log_sum_exp([1000.0, 1000.0]).round(4)
    np.float64(1000.6931)
    """
    A = _scores(A)
    largest = A.max(axis=-1, keepdims=True)
    return largest[..., 0] + np.log(np.exp(A - largest).sum(axis=-1))


def softmax(A: ArrayLike) -> FloatArray:
    """Probabilities from scores along the last axis, :eq:`softmax-regression-softmax`.

    Parameters
    ----------
    A : (..., K) array
        Finite scores of any size.

    Returns
    -------
    (..., K) array
        Not negative, with sum 1 along the last axis. A constant added to the scores of a row changes nothing.

    Raises
    ------
    TypeError, ValueError
        If an entry is no number, NaN or infinite, or there is no score.

    Notes
    -----
    O(size) time.

    Examples
    --------
    >>> softmax([[0.0, np.log(3.0)], [1000.0, 0.0]])
    array([[0.25, 0.75],
           [1.  , 0.  ]])
    """
    A = _scores(A)
    P = np.exp(A - A.max(axis=-1, keepdims=True))
    P /= P.sum(axis=-1, keepdims=True)
    return P


def one_hot(codes: ArrayLike, n_classes: int) -> FloatArray:
    """Labels 0 to K - 1 as rows of the unit matrix, :eq:`softmax-regression-one-hot`. O(n K) time and memory.

    Raises
    ------
    TypeError, ValueError
        If a label is no integer from 0 to ``n_classes - 1``, or ``n_classes`` is less than 1.

    Examples
    --------
    >>> one_hot([2, 0], 3)
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    K = check_integer(n_classes, "n_classes")
    return np.eye(K)[check_codes(codes, "codes", np.size(codes), K)]


def softmax_loss(W: ArrayLike, X: ArrayLike, Y: ArrayLike, penalty: ArrayLike = 0.0) -> float:
    """Cross-entropy of labels and predicted probabilities, summed over the instances, and the penalty.

    Implements :eq:`softmax-regression-loss` and :eq:`softmax-regression-penalised`.

    Parameters
    ----------
    W : (K, d) array
    X : (n, d) array
    Y : (n, K) array
        One-hot labels, or a distribution in each row.
    penalty : float or (d,) array
        Added: half of it times the squares of the weights; 0 for the column of a bias.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, a row of ``Y`` is no distribution, or a penalty is negative.

    Notes
    -----
    O(n d K) time.

    Examples
    --------
    >>> softmax_loss([[0.0], [np.log(3.0)]], [[1.0]], [[0, 1]])  # minus the logarithm of 3/4
    0.2876820724517808
    """
    W, X, Y, R = _checked(W, X, Y, penalty)
    A = X @ W.T
    return float((log_sum_exp(A) - (A * Y).sum(axis=1)).sum() + 0.5 * (R * W**2).sum())


def softmax_gradient(W: ArrayLike, X: ArrayLike, Y: ArrayLike, penalty: ArrayLike = 0.0) -> FloatArray:
    """Gradient (K, d): prediction less label, times instance; :eq:`softmax-regression-gradient`.

    Parameters and errors are those of :func:`softmax_loss`. O(n d K) time.

    Examples
    --------
    >>> softmax_gradient([[0.0], [np.log(3.0)]], [[1.0]], [[0, 1]])
    array([[ 0.25],
           [-0.25]])
    """
    W, X, Y, R = _checked(W, X, Y, penalty)
    return (softmax(X @ W.T) - Y).T @ X + R * W


def softmax_hessian(W: ArrayLike, X: ArrayLike, penalty: ArrayLike = 0.0) -> FloatArray:
    """Hessian (K d, K d) of :func:`softmax_loss`, in the order of ``W.ravel()``; :eq:`softmax-regression-hessian`.

    Without a penalty every vector that adds the same to all classes is in its null space.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or a penalty is negative.

    Notes
    -----
    O(n d^2 K^2) time, O(n K^2 + d^2 K^2) memory.

    Examples
    --------
    >>> softmax_hessian([[0.0], [np.log(3.0)]], [[1.0]])
    array([[ 0.1875, -0.1875],
           [-0.1875,  0.1875]])
    """
    W, X, R = _weights(W, X, penalty)
    P = softmax(X @ W.T)
    D = -P[:, :, None] * P[:, None, :]
    D[:, range(len(W)), range(len(W))] += P  # softmax-regression-jacobian
    H = np.einsum("nkj,nd,ne->kdje", D, X, X, optimize=True).reshape(W.size, W.size)
    H[np.diag_indices(W.size)] += np.tile(R, len(W))
    return H


def softmax_step(
    W: ArrayLike, X: ArrayLike, Y: ArrayLike, learning_rate: float, penalty: ArrayLike = 0.0
) -> FloatArray:
    """Weights (K, d) after one step of gradient descent on the *sum* of the losses; :eq:`softmax-regression-step`.

    Parameters and errors are those of :func:`softmax_loss`; ``learning_rate`` is positive. O(n d K) time.

    Examples
    --------
    >>> softmax_step([[0.0], [np.log(3.0)]], [[1.0]], [[1, 0]], learning_rate=0.5).round(4)
    array([[0.375 ],
           [0.7236]])
    """
    rate = check_positive(learning_rate, "learning_rate")
    return np.asarray(W, dtype=float) - rate * softmax_gradient(W, X, Y, penalty)


def _scores(A: ArrayLike) -> FloatArray:
    scores = check_numbers(A, "A").astype(float, copy=False)
    if scores.ndim == 0 or scores.size == 0:
        raise ValueError(f"A must hold at least one score for each row, got shape {scores.shape}.")
    return scores


def _weights(W: ArrayLike, X: ArrayLike, penalty: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weights, instances, and the penalty of each column."""
    W, X = check_matrix(W, "W"), check_matrix(X, "X")
    if W.shape[1] != X.shape[1]:
        raise ValueError(f"W and X must have the same number of columns, got {W.shape} and {X.shape}.")
    R = check_numbers(penalty, "penalty")
    if R.ndim > 1 or R.size not in (1, X.shape[1]) or (R < 0).any():
        raise ValueError(f"penalty must be a number >= 0, or one for each column of X, got {penalty!r}.")
    return W, X, np.broadcast_to(R, X.shape[1])


def _checked(
    W: ArrayLike, X: ArrayLike, Y: ArrayLike, penalty: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    W, X, R = _weights(W, X, penalty)
    return W, X, check_distribution(Y, "Y", (len(X), len(W))), R

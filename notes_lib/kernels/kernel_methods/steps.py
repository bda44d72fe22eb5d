"""Steps of the chapter *Kernel methods*: distance and neighbours in feature space, gradient descent, perceptron."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, all_finite, check_finite, check_integer, check_positive
from notes_lib.kernels.kernel_methods.checks import row_numbers, training_set
from notes_lib.kernels.kernel_methods.functions import TOO_LARGE, Kernel, kernel_diagonal, kernel_matrix


class GradientStep(NamedTuple):
    """Result of :func:`gradient_step`: the new ``beta`` (n,), and ``residual`` and ``loss`` at the old one."""

    beta: FloatArray
    residual: FloatArray
    loss: float


class PerceptronPass(NamedTuple):
    """Result of :func:`perceptron_pass`: ``alpha`` (n,) after the pass, and the row numbers of its ``mistakes``."""

    alpha: FloatArray
    mistakes: IntArray


class Neighbors(NamedTuple):
    """Result of :func:`kernel_neighbors`: ``distances`` and ``indices``, both (n, n_neighbors), nearest first."""

    distances: FloatArray
    indices: IntArray


def kernel_distance(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    kernel: Kernel = "rbf",
    *,
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
) -> FloatArray:
    """Euclidean distance of the features, ``|phi(x) - phi(y)|``; :eq:`kernel-methods-distance`.

    Parameters
    ----------
    X, Y, kernel, gamma, degree, coef0
        As in :func:`kernel_matrix`. With ``kernel="precomputed"`` X is the square matrix of kernel values.

    Returns
    -------
    (n, m) array
        Not squared; at most sqrt(2) for the RBF kernel.

    Raises
    ------
    TypeError, ValueError
        As in :func:`kernel_matrix`; also if a squared distance is negative, which no valid kernel allows, or overflows.

    Notes
    -----
    O(n m d) time, O(n m) memory. Two nearly equal numbers are subtracted: a distance below 1e-8 times the length of the
    features is rounding noise. Squares that rounding makes slightly negative are set to 0.

    Examples
    --------
    >>> kernel_distance([[0.0, 0.0]], [[3.0, 4.0]], "linear")
    array([[5.]])
    """
    options: dict[str, Any] = {"gamma": gamma, "degree": degree, "coef0": coef0}
    K = kernel_matrix(X, Y, kernel, **options)
    own = kernel_diagonal(X, kernel, **options)  # (n,)
    other = own if Y is None else kernel_diagonal(Y, kernel, **options)  # (m,)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = own[:, None] + other - 2.0 * K  # kernel-methods-distance
    if not all_finite(squares):
        raise ValueError(TOO_LARGE)
    if squares.min() < -1e-8 * np.abs(np.concatenate([own, other])).max():
        raise ValueError(
            f"kernel is not positive semi-definite: a squared distance is {squares.min():.3g}. Use another kernel."
        )
    return np.sqrt(np.maximum(squares, 0.0))


def kernel_neighbors(
    X: ArrayLike,
    Y: ArrayLike,
    n_neighbors: int = 5,
    kernel: Kernel = "rbf",
    *,
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
) -> Neighbors:
    """For each row of X the nearest rows of Y in feature space; :eq:`kernel-methods-nearest`.

    Parameters
    ----------
    X : (n, d) array
    Y : (m, d) array
    n_neighbors : int
        From 1 to m.
    kernel, gamma, degree, coef0
        As in :func:`kernel_matrix`; not ``"precomputed"``.

    Returns
    -------
    Neighbors
        ``distances`` (n, n_neighbors) in ascending order and the ``indices`` of the rows of Y; a tie goes to the lower
        index.

    Raises
    ------
    TypeError, ValueError
        As in :func:`kernel_distance`; also if ``n_neighbors`` is not an integer from 1 to m.

    Notes
    -----
    O(n m (d + log m)) time, O(n m) memory. Where an RBF kernel is so small that it underflows to 0, all
    rows are equally far, sqrt(2): use "linear" for Euclidean neighbours.

    Examples
    --------
    >>> kernel_neighbors([[0.0]], [[5.0], [1.0], [-2.0]], 2, "linear").indices
    array([[1, 2]])
    """
    D = kernel_distance(X, Y, kernel, gamma=gamma, degree=degree, coef0=coef0)
    if check_integer(n_neighbors, "n_neighbors") > D.shape[1]:
        raise ValueError(f"n_neighbors={n_neighbors} must be at most {D.shape[1]}, the number of rows of Y.")
    indices = D.argsort(axis=1, kind="stable")[:, :n_neighbors]  # kernel-methods-nearest
    return Neighbors(np.take_along_axis(D, indices, axis=1), indices)


def gradient_step(
    K: ArrayLike, y: ArrayLike, beta: ArrayLike, learning_rate: float, rows: ArrayLike | None = None
) -> GradientStep:
    """One step of gradient descent on the squared loss; :eq:`kernel-methods-gradient-step`.

    Parameters
    ----------
    K : (n, n) array
    y, beta : (n,) arrays
        Targets and coefficients; the predictions are ``K beta``.
    learning_rate : float
        Positive.
    rows : array of int, optional
        The rows that this step uses, each once; all if None. One row is the kernel LMS rule :eq:`kernel-methods-lms`.

    Returns
    -------
    GradientStep
        New ``beta``; ``residual`` ``y - K beta`` of the rows used and ``loss``, half its square, at the old ``beta``.

    Raises
    ------
    ValueError
        If ``learning_rate`` is not positive, a shape does not fit, an entry of K or y that is used is not finite, or
        ``rows`` holds a row twice or one that does not exist.

    Notes
    -----
    O(n) time for each row used, whatever the number of features.

    Examples
    --------
    >>> gradient_step([[2.0, 1.0], [1.0, 2.0]], [1.0, 3.0], [0.0, 1.0], 0.5).beta
    array([0. , 1.5])
    """
    K, y, beta = training_set(K, y, beta, "beta")
    check_positive(learning_rate, "learning_rate")
    used = slice(None) if rows is None else row_numbers(rows, len(y))
    with np.errstate(over="ignore", invalid="ignore"):  # a step that is too long; the loss shows it
        residual = y[used] - K[used] @ beta  # kernel-methods-residual
        new = beta.copy()
        new[used] += learning_rate * residual  # kernel-methods-gradient-step, kernel-methods-lms
        loss = float(0.5 * residual @ residual)  # kernel-methods-loss
    if not np.isfinite(loss):
        check_finite(K[used], "K"), check_finite(y[used], "y")
    return GradientStep(new, residual, loss)


def perceptron_pass(K: ArrayLike, y: ArrayLike, alpha: ArrayLike) -> PerceptronPass:
    """One pass of the dual perceptron over the rows, in their order; :eq:`kernel-methods-perceptron-update`.

    Parameters
    ----------
    K : (n, n) array
    y : (n,) array
        Labels -1 and 1.
    alpha : (n,) array
        How often each row has been a mistake so far.

    Returns
    -------
    PerceptronPass
        New counts, and the rows that were mistakes, in order. A score of 0 is a mistake.

    Raises
    ------
    ValueError
        If a shape does not fit, ``y`` holds another number than -1 and 1, ``alpha`` one that is no count, or K is not
        finite.

    Notes
    -----
    O(n^2) time for the scores at the start and O(n) for each mistake.

    Examples
    --------
    >>> perceptron_pass([[1.0, -2.0], [-2.0, 4.0]], [1.0, -1.0], [0.0, 0.0])
    PerceptronPass(alpha=array([1., 0.]), mistakes=array([0]))
    """
    K, y, alpha = training_set(K, y, alpha, "alpha", labels=True)
    alpha, mistakes, start = alpha.copy(), [], 0
    margins = y * (K @ (alpha * y))  # kernel-methods-perceptron-score
    if not np.isfinite(margins).all():
        check_finite(K, "K")
    while (wrong := margins[start:] <= 0).any():
        n = start + int(wrong.argmax())
        alpha[n] += 1.0  # kernel-methods-perceptron-update
        margins += y * (y[n] * K[n])
        mistakes.append(n)
        start = n + 1
    return PerceptronPass(alpha, np.array(mistakes, dtype=int))

"""Steps of the perceptron in the order of the chapter; ``Z`` holds normalised samples, one row ``y (x, 1)`` each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_matrix, check_positive, check_signs, check_vector


class Pass(NamedTuple):
    """One pass over the samples: the weights after it ``w`` (d + 1,), and the rows that were ``mistakes``, in order."""

    w: FloatArray
    mistakes: IntArray


def normalised_samples(X: ArrayLike, y: ArrayLike, fit_intercept: bool = True) -> FloatArray:
    """Augment each instance by a 1 and multiply it by its label; :eq:`perceptron-normalised`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Labels -1 and 1.
    fit_intercept : bool
        Whether to append the 1; without it the boundary goes through the origin.

    Returns
    -------
    (n, d + 1) array
        Rows ``y (x, 1)``: the weights ``w`` are right on row z where ``w @ z > 0``.

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is not finite, or a label is neither -1 nor 1.

    Notes
    -----
    O(n d) time and memory.

    Examples
    --------
    >>> normalised_samples([[3.0, 3.0], [1.0, 1.0]], [1, -1])
    array([[ 3.,  3.,  1.],
           [-1., -1., -1.]])
    """
    X, signs = check_matrix(X, "X"), check_signs(y)
    if len(signs) != len(X):
        raise ValueError(f"X and y must have the same number of rows, got {X.shape} and {signs.shape}.")
    return signed_rows(X, signs, fit_intercept)


def signed_rows(X: FloatArray, signs: FloatArray, fit_intercept: bool) -> FloatArray:
    """What :func:`normalised_samples` returns, of data that are checked already; written once, in place."""
    n, d = X.shape
    Z = np.empty((n, d + bool(fit_intercept)))
    np.multiply(X, signs[:, None], out=Z[:, :d])
    Z[:, d:] = signs[:, None]
    return Z


def perceptron_criterion(Z: ArrayLike, w: ArrayLike) -> float:
    """Sum of ``-w @ z`` over the misclassified samples; :eq:`perceptron-criterion`. Never negative. O(n d).

    Raises
    ------
    ValueError
        If the shapes do not fit or a value is not finite.

    Examples
    --------
    >>> perceptron_criterion([[3.0, 3.0, 1.0], [-1.0, -1.0, -1.0]], [1.0, 0.0, 0.0])
    1.0
    """
    Z, w = _pair(Z, w)
    return float(np.maximum(0.0, -(Z @ w)).sum())


def perceptron_gradient(Z: ArrayLike, w: ArrayLike) -> FloatArray:
    """Minus the sum of the misclassified samples, a subgradient of the criterion; :eq:`perceptron-gradient`. O(n d).

    A sample with ``w @ z = 0`` counts as misclassified.

    Raises
    ------
    ValueError
        If the shapes do not fit or a value is not finite.

    Examples
    --------
    >>> perceptron_gradient([[3.0, 3.0, 1.0], [-1.0, -1.0, -1.0]], [1.0, 0.0, 0.0])
    array([1., 1., 1.])
    """
    Z, w = _pair(Z, w)
    return -Z[Z @ w <= 0].sum(axis=0)


def perceptron_step(Z: ArrayLike, w: ArrayLike, learning_rate: float = 1.0) -> FloatArray:
    """One batch step: add the sum of all misclassified samples; :eq:`perceptron-batch`. O(n d).

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or ``learning_rate`` is not positive.

    Examples
    --------
    >>> perceptron_step([[3.0, 3.0, 1.0], [-1.0, -1.0, -1.0]], [0.0, 0.0, 0.0])
    array([2., 2., 0.])
    """
    Z, w = _pair(Z, w)
    return w - check_positive(learning_rate, "learning_rate") * perceptron_gradient(Z, w)


def online_pass(Z: ArrayLike, w: ArrayLike, learning_rate: float = 1.0) -> Pass:
    """Go through the samples once, and add each one that the weights of that moment misclassify.

    Implements :eq:`perceptron-update`, row after row; :func:`learn` makes the same updates with fewer operations.

    Parameters
    ----------
    Z : (n, d + 1) array
        Normalised samples.
    w : (d + 1,) array
        Weights before the pass.
    learning_rate : float
        Positive factor of each update.

    Returns
    -------
    Pass

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or ``learning_rate`` is not positive.

    Notes
    -----
    O(n d) time.

    Examples
    --------
    >>> online_pass([[3.0, 3.0, 1.0], [4.0, 3.0, 1.0], [-1.0, -1.0, -1.0]], [0.0, 0.0, 0.0])
    Pass(w=array([2., 2., 0.]), mistakes=array([0, 2]))
    """
    Z, w = _pair(Z, w)
    rate, w, mistakes = check_positive(learning_rate, "learning_rate"), w.copy(), []
    for n, z in enumerate(Z):
        if w @ z <= 0:
            w += rate * z  # perceptron-update
            mistakes.append(n)
    return Pass(w, np.array(mistakes, dtype=np.intp))


def margin(Z: ArrayLike, w: ArrayLike) -> float:
    """Smallest ``w @ z / |w|`` over the samples, positive only if ``w`` separates; :eq:`perceptron-margin`.

    The bias is a component of ``w`` like the others, so this is the distance of the *augmented* samples from the plane
    through the origin, never more than the distance in the space of the instances.

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is not finite, or ``w`` is zero.

    Examples
    --------
    >>> margin([[3.0, 4.0]], [0.0, 2.0])
    4.0
    """
    Z, w = _pair(Z, w)
    length = np.linalg.norm(w)
    if length == 0:
        raise ValueError("w must not be zero: it has no direction.")
    return float((Z @ w).min() / length)


def novikoff_bound(Z: ArrayLike, w: ArrayLike) -> float:
    """Largest number of mistakes that the perceptron can make, from any separating ``w``; :eq:`perceptron-novikoff`.

    Parameters
    ----------
    Z : (n, d + 1) array
        Normalised samples.
    w : (d + 1,) array
        Weights that classify every sample right; the larger their :func:`margin`, the smaller the bound.

    Returns
    -------
    float
        The squared quotient of the length of the longest sample and the margin of ``w``. It holds for every order of
        the rows and any number of passes, from zero weights.

    Raises
    ------
    ValueError
        If ``w`` does not separate the samples, the shapes do not fit, or a value is not finite.

    Notes
    -----
    O(n d) time. Source: Novikoff (1962).

    Examples
    --------
    >>> novikoff_bound([[3.0, 3.0, 1.0], [4.0, 3.0, 1.0], [-1.0, -1.0, -1.0]], [1.0, 1.0, -3.0])
    286.0
    """
    gamma = margin(Z, w)
    if gamma <= 0:
        raise ValueError(f"w must classify every sample right, its margin is {gamma:.3g}: give separating weights.")
    return float(np.einsum("nd,nd->n", *(np.asarray(Z, dtype=float),) * 2).max() / gamma**2)


def least_squares_weights(Z: ArrayLike, b: ArrayLike | None = None) -> FloatArray:
    """Weights of smallest ``|Z w - b|``, the pseudo-inverse classifier; :eq:`perceptron-pseudo-inverse`.

    Parameters
    ----------
    Z : (n, d + 1) array
        Normalised samples.
    b : (n,) array, optional
        Positive targets of ``Z w``; all 1 by default, which is least squares on the labels -1 and 1.

    Returns
    -------
    (d + 1,) array
        The shortest one if several are best.

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is not finite, or a target is not positive.

    Notes
    -----
    O(n d^2) time, by the singular value decomposition.

    Examples
    --------
    >>> least_squares_weights([[1.0, 1.0], [2.0, -1.0]]).round(4)
    array([0.6667, 0.3333])
    """
    Z = check_matrix(Z, "Z")
    return np.linalg.lstsq(Z, _targets(b, len(Z)), rcond=None)[0]


def lms_step(w: ArrayLike, z: ArrayLike, b: float = 1.0, learning_rate: float = 0.1) -> FloatArray:
    """Move the weights against the error of one sample, right or wrong; the rule of Widrow and Hoff.

    Implements :eq:`perceptron-lms`. O(d) time.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, or ``b`` or ``learning_rate`` is not positive.

    Examples
    --------
    >>> lms_step([0.0, 0.0], [2.0, 1.0], learning_rate=0.5)
    array([1. , 0.5])
    """
    w = check_vector(w, "w")
    z = check_vector(z, "z", w.size)
    error = check_positive(b, "b") - w @ z
    return w + check_positive(learning_rate, "learning_rate") * error * z


def lms_pass(Z: ArrayLike, w: ArrayLike, b: ArrayLike | None = None, learning_rate: float = 0.1) -> FloatArray:
    """One :func:`lms_step` for each sample, in their order; :eq:`perceptron-lms`. O(n d) time.

    Raises
    ------
    TypeError, ValueError
        As :func:`lms_step`.

    Examples
    --------
    >>> lms_pass([[2.0, 1.0], [2.0, -1.0]], [0.0, 0.0], learning_rate=0.5)
    array([0.5 , 0.75])
    """
    Z, w = _pair(Z, w)
    for z, target in zip(Z, _targets(b, len(Z)), strict=True):
        w = lms_step(w, z, target, learning_rate)
    return w


def _pair(Z: ArrayLike, w: ArrayLike) -> tuple[FloatArray, FloatArray]:
    Z = check_matrix(Z, "Z")
    return Z, check_vector(w, "w", Z.shape[1])


def _targets(b: ArrayLike | None, n: int) -> FloatArray:
    targets = np.ones(n) if b is None else check_vector(b, "b", n)
    if not (targets > 0).all():
        raise ValueError("b must be positive: a sample is right where Z w is positive.")
    return targets

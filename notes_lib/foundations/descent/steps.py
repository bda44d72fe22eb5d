"""Steps of the chapter *Descent methods*: numerical derivatives, and the directions of the descent methods."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve

from notes_lib.checks import FloatArray, check_vector
from notes_lib.foundations.descent.objective import Function, Objective, checked_gradient
from notes_lib.numerics import NotPositiveDefiniteError, central_difference, cholesky_factor

# -------------------------------------------------------------------------------------------------------- derivatives


def numerical_gradient(fun: Function, x: ArrayLike, h: float = 1e-6) -> FloatArray:
    """Gradient by central differences, :eq:`descent-central-difference`; checks what ``fun`` returns.

    Parameters
    ----------
    fun : callable
        (d,) array to a number.
    x : (d,) array
    h : float
        Relative step, see :func:`notes_lib.numerics.central_difference`. Near 1e-5 truncation and rounding balance.

    Returns
    -------
    (d,) array

    Raises
    ------
    ValueError
        If ``x`` is not a finite vector, ``fun`` does not return one number, or the differences are not finite.

    Notes
    -----
    2 d evaluations of ``fun``.

    Examples
    --------
    >>> numerical_gradient(lambda x: x[0] ** 2 * x[1], [3.0, 1.0]).round(6)
    array([6., 9.])
    """
    gradient = central_difference(Objective(fun, None).value, check_vector(x, "x"), h)
    if not np.isfinite(gradient).all():
        raise ValueError("fun is not finite next to x: move x away from the border of its domain, or decrease h.")
    return gradient


def numerical_hessian(fun: Function, x: ArrayLike, h: float = 1e-4) -> FloatArray:
    """Hessian by central differences of central differences, :eq:`descent-numerical-hessian`.

    Parameters and errors are those of :func:`numerical_gradient`; the balance of truncation and rounding is near 1e-4.

    Returns
    -------
    (d, d) array
        Symmetric.

    Notes
    -----
    4 d^2 evaluations of ``fun``.

    Examples
    --------
    >>> numerical_hessian(lambda x: x[0] ** 2 * x[1], [3.0, 1.0]).round(4) + 0.0
    array([[2., 6.],
           [6., 0.]])
    """
    x = check_vector(x, "x")
    value = Objective(fun, None).value

    def partial(x: FloatArray, j: int) -> float:
        along = lambda t: value(np.r_[x[:j], t, x[j + 1 :]])
        return float(central_difference(along, x[j], h))

    def row(j: int) -> FloatArray:
        return central_difference(lambda v: partial(v, j), x, h)

    H = np.array([row(j) for j in range(x.size)])
    if not np.isfinite(H).all():
        raise ValueError("fun is not finite next to x: move x away from the border of its domain, or decrease h.")
    return (H + H.T) / 2


def gradient_error(fun: Function, jac: Function, x: ArrayLike, h: float = 1e-6) -> float:
    """Largest gap between ``jac(x)`` and the numerical gradient, relative to ``max(1, largest entry)``.

    Below about 1e-7 the gradient is right; above 1e-3 it is wrong, or ``fun`` has a kink near ``x``. Parameters and
    errors are those of :func:`numerical_gradient`.

    Examples
    --------
    >>> gradient_error(lambda x: x @ x, lambda x: 2 * x, [1.0, 2.0]) < 1e-8
    True
    >>> round(gradient_error(lambda x: x @ x, lambda x: x, [1.0, 2.0]), 3)  # the factor 2 is lost
    0.5
    """
    numerical = numerical_gradient(fun, x, h)
    gap = np.abs(checked_gradient(jac(check_vector(x, "x")), numerical) - numerical).max()
    return float(gap / max(1.0, np.abs(numerical).max()))


# ------------------------------------------------------------------------------------------------------ step functions


def gradient_step(x: ArrayLike, gradient: ArrayLike, learning_rate: float) -> FloatArray:
    """One step against the gradient, ``x - learning_rate * gradient``; :eq:`descent-gradient-step`.

    Examples
    --------
    >>> gradient_step([4.0, 1.0], [4.0, 10.0], 0.5)
    array([ 2., -4.])
    """
    return np.asarray(x, dtype=float) - learning_rate * np.asarray(gradient, dtype=float)


def momentum_step(
    x: ArrayLike,
    velocity: ArrayLike,
    gradient: ArrayLike,
    learning_rate: float,
    momentum: float = 0.9,
    nesterov: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """One step of the heavy ball, :eq:`descent-heavy-ball`, or of Nesterov, :eq:`descent-nesterov`: ``x``, velocity.

    With ``nesterov`` the points ``x`` are the look-ahead points, where the gradient is taken.

    Examples
    --------
    >>> x, velocity = momentum_step([4.0], [-2.0], [8.0], 0.1, 0.5)
    >>> x, velocity
    (array([2.2]), array([-1.8]))
    """
    g = learning_rate * np.asarray(gradient, dtype=float)
    velocity = momentum * np.asarray(velocity, dtype=float) - g
    return np.asarray(x, dtype=float) + (momentum * velocity - g if nesterov else velocity), velocity


def adam_step(
    x: ArrayLike,
    m: ArrayLike,
    v: ArrayLike,
    gradient: ArrayLike,
    t: int,
    learning_rate: float = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """One step of Adam, number ``t`` = 1, 2, ...: ``x`` and the two running means, :eq:`descent-adam-means`.

    Implements :eq:`descent-adam-step`.

    Examples
    --------
    >>> x, m, v = adam_step([1.0], [0.0], [0.0], [-5.0], 1, 0.1)  # the first step has the length learning_rate
    >>> x.round(6), m.round(6), v.round(6)
    (array([1.1]), array([-0.5]), array([0.025]))
    """
    g = np.asarray(gradient, dtype=float)
    m = beta1 * np.asarray(m, dtype=float) + (1 - beta1) * g
    v = beta2 * np.asarray(v, dtype=float) + (1 - beta2) * g**2
    unbiased_m, unbiased_v = m / (1 - beta1**t), v / (1 - beta2**t)  # descent-adam-bias
    return np.asarray(x, dtype=float) - learning_rate * unbiased_m / (np.sqrt(unbiased_v) + eps), m, v


def newton_direction(gradient: ArrayLike, hessian: ArrayLike) -> FloatArray:
    """Newton's direction ``-H^-1 g`` by a Cholesky factor; always one of descent.

    Implements :eq:`descent-newton-direction`; where the Hessian is not positive definite,
    :eq:`descent-newton-absolute`: its eigenvalues are replaced by their moduli, those near 0 by a floor of 1e-8 of
    the largest one. O(d^3 / 3) time, O(d^3) with eigenvalues.

    Parameters
    ----------
    gradient : (d,) array
    hessian : (d, d) array

    Raises
    ------
    ValueError
        If the Hessian is not square, finite and symmetric.

    Examples
    --------
    >>> newton_direction([4.0, 10.0], [[1.0, 0.0], [0.0, 10.0]])
    array([-4., -1.])
    """
    g = np.asarray(gradient, dtype=float)
    try:
        return -cho_solve((cholesky_factor(hessian, "the Hessian"), True), g)
    except NotPositiveDefiniteError:
        values, V = np.linalg.eigh(np.asarray(hessian, dtype=float))
        size = np.abs(values)
        return -V @ ((V.T @ g) / np.maximum(size, 1e-8 * size.max() or 1.0))  # descent-newton-absolute


def lbfgs_direction(gradient: ArrayLike, S: Sequence[FloatArray], Y: Sequence[FloatArray]) -> FloatArray:
    """Two-loop recursion: ``-B g`` with the BFGS matrix ``B`` of the last steps, never formed; O(m d) time.

    Implements :eq:`descent-two-loop-back`, :eq:`descent-two-loop-scale` and
    :eq:`descent-two-loop-forth`.

    Parameters
    ----------
    gradient : (d,) array
    S, Y : sequences of m (d,) arrays
        Steps and changes of the gradient, the oldest first, each with ``s'y > 0``. Without any, the direction is
        ``-g / |g|``.

    Examples
    --------
    >>> lbfgs_direction([0.0, 4.0], [np.array([0.0, 1.0])], [np.array([0.0, 2.0])])  # secant: B y = s
    array([-0., -2.])
    """
    q = np.array(gradient, dtype=float)
    rho = [1.0 / (s @ y) for s, y in zip(S, Y, strict=True)]
    a = [0.0] * len(S)
    for i in reversed(range(len(S))):
        a[i] = rho[i] * (S[i] @ q)
        q -= a[i] * Y[i]  # descent-two-loop-back
    q *= 1.0 / (rho[-1] * (Y[-1] @ Y[-1])) if rho else 1.0 / np.linalg.norm(q)  # descent-two-loop-scale
    for i in range(len(S)):
        q += (a[i] - rho[i] * (Y[i] @ q)) * S[i]  # descent-two-loop-forth
    return -q

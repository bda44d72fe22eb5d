"""Conjugate gradients of the chapter *Descent methods*: a positive definite system, without a factor of the matrix."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, check_integer, check_real, check_symmetric, check_vector
from notes_lib.foundations.descent.model import Minimum


def conjugate_gradients(
    A: ArrayLike | Callable[[FloatArray], FloatArray],
    b: ArrayLike,
    x0: ArrayLike | None = None,
    *,
    rtol: float = 1e-8,
    max_iter: int | None = None,
    callback: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Solve ``A x = b`` for a positive definite ``A``, that is minimise ``x'Ax / 2 - b'x``.

    Implements :eq:`descent-cg-step` and :eq:`descent-cg-direction`.

    Parameters
    ----------
    A : (d, d) array or callable
        Symmetric and positive definite, or the function that maps v to A v: the matrix need not be stored.
    b : (d,) array
    x0 : (d,) array, optional
        Start; zeros if None.
    rtol : float
        Stop when the residual ``b - A x`` is at most ``rtol`` times as long as ``b``.
    max_iter : int, optional
        10 d if None; ``ConvergenceWarning`` if they do not suffice.
    callback : callable, optional
        Called with x after each iteration.

    Returns
    -------
    Minimum
        ``objective`` is the quadratic after each step.

    Raises
    ------
    ValueError
        If the shapes do not fit, numbers are not finite, ``A`` is not symmetric, or a direction shows that it is not
        positive definite.

    Notes
    -----
    One product with ``A`` and O(d) more an iteration; in exact arithmetic at most d iterations.

    Examples
    --------
    >>> found = conjugate_gradients([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0])
    >>> found.x.round(4), found.n_iter
    (array([0.0909, 0.6364]), 2)
    """
    b = check_vector(b, "b")
    product = _product(A, b.size)
    x = np.zeros(b.size) if x0 is None else check_vector(x0, "x0", b.size).copy()
    check_real(rtol, "rtol")
    most = 10 * b.size if max_iter is None else check_integer(max_iter, "max_iter")
    r = b - product(x)
    d, square = r, float(r @ r)
    history, goal = [-float(x @ (r + b)) / 2], rtol * float(np.linalg.norm(b))
    while np.sqrt(square) > goal and len(history) <= most:
        A_d = product(d)
        curvature = float(d @ A_d)
        if not curvature > 0:
            raise ValueError(f"A is not positive definite: d'Ad = {curvature:.3g} along a direction d.")
        eta = square / curvature  # descent-cg-step
        x, r = x + eta * d, r - eta * A_d
        square, previous = float(r @ r), square
        d = r + square / previous * d  # descent-cg-direction
        history.append(-float(x @ (r + b)) / 2)
        if callback is not None:
            callback(x)
    converged = bool(np.sqrt(square) <= goal)
    if not converged:
        message = f"the residual is still above rtol={rtol:g} after max_iter={most} iterations: increase one of them."
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return Minimum(x, np.array(history), len(history) - 1, converged)


def _product(A: ArrayLike | Callable[[FloatArray], FloatArray], size: int) -> Callable[[FloatArray], FloatArray]:
    """The map v to A v, with a check of what it returns."""
    if callable(A):
        return lambda v: check_vector(A(v), "A(v)", size)
    matrix = check_symmetric(A, "A")
    if len(matrix) != size:
        raise ValueError(f"A must have the shape ({size}, {size}), as b asks for, got {matrix.shape}.")
    return lambda v: matrix @ v

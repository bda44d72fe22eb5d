"""Optimisation: numerical derivatives, descent methods, conditions for an optimum, quadratic programs and their duals.

The pure functions follow the derivation of the chapter *Optimisation*. Gradient descent, Newton and L-BFGS are one
loop, :func:`descend`, with three directions. Names are those of ``scipy.optimize.minimize``: ``fun``, ``x0``, ``jac``,
``hess``, ``callback``; what the methods have in common is written here once:

- ``fun`` maps a (d,) array to a number. ``jac`` is a function that returns the gradient (d,), or True if ``fun``
  returns the pair (value, gradient), or None for central differences.
- ``callback`` is called with x after each iteration; ``path.append`` keeps the way.
- They stop when no entry of the gradient is larger than ``tol``. They raise ``ValueError`` or ``TypeError`` for an
  ``x0`` that is not a finite vector, for a ``fun`` or ``jac`` that returns something else, and for bad settings.

Source: Nocedal and Wright (2006), Numerical Optimization; Boyd and Vandenberghe (2004), Convex Optimization.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve
from sklearn.exceptions import ConvergenceWarning

from notes_lib.foundations._constrained import (
    KKT,
    EqualityQP,
    QPDual,
    QPSolution,
    equality_qp,
    kkt_residuals,
    qp_dual,
    solve_qp,
)
from notes_lib.foundations._line_search import LineSearch, backtrack, golden_section, line_search
from notes_lib.foundations._optimization import (
    Function,
    Jac,
    Objective,
    checked_gradient,
    shaped_gradient,
    start,
    vector,
)
from notes_lib.numerics import (
    FloatArray,
    IntArray,
    NotPositiveDefiniteError,
    RandomState,
    central_difference,
    check_integer,
    check_positive,
    check_real,
    check_rng,
    cholesky_factor,
)

__all__ = ["KKT", "EqualityQP", "LineSearch", "Minimum", "QPDual", "QPSolution", "descend", "equality_qp"]
__all__ += ["golden_section", "gradient_descent", "gradient_error", "gradient_step", "kkt_residuals", "lbfgs"]
__all__ += ["lbfgs_direction", "line_search", "newton", "newton_direction", "numerical_gradient", "numerical_hessian"]
__all__ += ["qp_dual", "solve_qp", "stochastic_gradient_descent"]


class Minimum(NamedTuple):
    """Where a method stopped: ``x`` (d,); ``objective`` (n_iter + 1,), from ``x0`` on; ``n_iter``; ``converged``."""

    x: FloatArray
    objective: FloatArray
    n_iter: int
    converged: bool


# -------------------------------------------------------------------------------------------------------- derivatives


def numerical_gradient(fun: Function, x: ArrayLike, h: float = 1e-6) -> FloatArray:
    """Gradient by central differences, :eq:`optimization-central-difference`; checks what ``fun`` returns.

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
    gradient = central_difference(Objective(fun, None).value, vector(x, "x"), h)
    if not np.isfinite(gradient).all():
        raise ValueError("fun is not finite next to x: move x away from the border of its domain, or decrease h.")
    return gradient


def numerical_hessian(fun: Function, x: ArrayLike, h: float = 1e-4) -> FloatArray:
    """Hessian by central differences of central differences, :eq:`optimization-numerical-hessian`.

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
    x = vector(x, "x")
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
    gap = np.abs(checked_gradient(jac(vector(x, "x")), numerical) - numerical).max()
    return float(gap / max(1.0, np.abs(numerical).max()))


# ------------------------------------------------------------------------------------------------------ step functions


def gradient_step(x: ArrayLike, gradient: ArrayLike, learning_rate: float) -> FloatArray:
    """One step against the gradient, ``x - learning_rate * gradient``; :eq:`optimization-gradient-step`.

    Examples
    --------
    >>> gradient_step([4.0, 1.0], [4.0, 10.0], 0.5)
    array([ 2., -4.])
    """
    return np.asarray(x, dtype=float) - learning_rate * np.asarray(gradient, dtype=float)


def newton_direction(gradient: ArrayLike, hessian: ArrayLike) -> FloatArray:
    """Newton's direction ``-H^-1 g`` by a Cholesky factor; always one of descent.

    Implements :eq:`optimization-newton-direction`; where the Hessian is not positive definite,
    :eq:`optimization-newton-absolute`: its eigenvalues are replaced by their moduli, those near 0 by a floor of 1e-8 of
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
        return -V @ ((V.T @ g) / np.maximum(size, 1e-8 * size.max() or 1.0))  # optimization-newton-absolute


def lbfgs_direction(gradient: ArrayLike, S: Sequence[FloatArray], Y: Sequence[FloatArray]) -> FloatArray:
    """Two-loop recursion: ``-B g`` with the BFGS matrix ``B`` of the last steps, never formed; O(m d) time.

    Implements :eq:`optimization-two-loop-back`, :eq:`optimization-two-loop-scale` and
    :eq:`optimization-two-loop-forth`.

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
        q -= a[i] * Y[i]  # optimization-two-loop-back
    q *= 1.0 / (rho[-1] * (Y[-1] @ Y[-1])) if rho else 1.0 / np.linalg.norm(q)  # optimization-two-loop-scale
    for i in range(len(S)):
        q += (a[i] - rho[i] * (Y[i] @ q)) * S[i]  # optimization-two-loop-forth
    return -q


# ------------------------------------------------------------------------------------------------------------- methods


def descend(
    objective: Objective,
    x0: ArrayLike,
    direction: Callable[[FloatArray, FloatArray], FloatArray],
    learning_rate: float | None,
    max_iter: int,
    tol: float,
    callback: Callable[[FloatArray], object] | None,
) -> Minimum:
    """The loop of all methods: ``direction(x, gradient)``, then a fixed step or, with None, a line search."""
    check_integer(max_iter, "max_iter")
    check_real(tol, "tol")
    x, f = start(x0, objective)
    g = objective.gradient(x)
    history, trouble = [f], ""
    while np.abs(g).max() > tol and not trouble:
        if len(history) > max_iter:
            trouble = f"the gradient is still above tol={tol:g} after max_iter={max_iter} iterations: increase max_iter"
            trouble += " or decrease learning_rate: the objective rose" if f > history[0] else ""
            break
        d = direction(x, g)
        if learning_rate is None:
            new = backtrack(objective.value, x, d, f, float(g @ d))
            x_new, f_new, stalled = new.x, new.fun, not new.step
        else:
            x_new, stalled = x + learning_rate * d, False
            with np.errstate(over="ignore", invalid="ignore"):
                f_new = objective.value(x_new)
            if not np.isfinite(f_new):
                trouble = f"the objective is {f_new} after {len(history)} iterations: decrease learning_rate"
                break
        g_new = objective.gradient(x_new)
        if stalled or (learning_rate is None and f_new >= f and np.abs(g_new).max() >= np.abs(g).max()):
            trouble = f"no step lowers the objective: increase tol={tol:g}, or jac is wrong (see gradient_error)"
            break
        x, f, g = x_new, f_new, g_new
        history.append(f)
        if callback is not None:
            callback(x)
    if trouble:
        warnings.warn(trouble + ".", ConvergenceWarning, stacklevel=3)
    return Minimum(x, np.array(history), len(history) - 1, not trouble)


def gradient_descent(
    fun: Function,
    x0: ArrayLike,
    jac: Jac = None,
    *,
    learning_rate: float | None = 0.1,
    max_iter: int = 1000,
    tol: float = 1e-6,
    callback: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Gradient descent with a fixed step size, :eq:`optimization-gradient-step`, or with backtracking.

    Parameters
    ----------
    fun, x0, jac, callback
        See the head of this module.
    learning_rate : float or None
        Step size; None searches from step 1 in each iteration, :eq:`optimization-armijo`.
    max_iter : int
        ``ConvergenceWarning`` if they do not suffice, or the objective overflows.
    tol : float
        Largest entry of the gradient at which to stop.

    Notes
    -----
    One gradient an iteration; a fixed step converges only below 2 / (largest eigenvalue of the Hessian).

    Examples
    --------
    >>> found = gradient_descent(lambda x: x @ x, [3.0, 4.0], lambda x: 2 * x)
    >>> found.x.round(4) + 0.0, found.converged
    (array([0., 0.]), True)
    """
    if learning_rate is not None:
        check_positive(learning_rate, "learning_rate")
    return descend(Objective(fun, jac), x0, lambda x, g: -g, learning_rate, max_iter, tol, callback)


def newton(
    fun: Function,
    x0: ArrayLike,
    jac: Jac = None,
    hess: Function | None = None,
    *,
    max_iter: int = 100,
    tol: float = 1e-6,
    callback: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Newton's method with backtracking, :eq:`optimization-newton-direction`.

    Parameters are those of :func:`gradient_descent`; ``hess`` returns the Hessian (d, d), None for central differences.

    Notes
    -----
    One Hessian and O(d^3) an iteration; near a minimum the number of right digits doubles each time.

    Examples
    --------
    >>> newton(lambda x: x @ x, [3.0, 4.0], lambda x: 2 * x, lambda x: 2 * np.eye(2)).n_iter
    1
    """
    objective = Objective(fun, jac)
    H = hess if hess is not None else lambda x: numerical_hessian(objective.value, x)
    return descend(objective, x0, lambda x, g: newton_direction(g, H(x)), None, max_iter, tol, callback)


def lbfgs(
    fun: Function,
    x0: ArrayLike,
    jac: Jac = None,
    *,
    maxcor: int = 10,
    max_iter: int = 1000,
    tol: float = 1e-6,
    callback: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Limited-memory BFGS with backtracking: second-order steps from gradients alone, :func:`lbfgs_direction`.

    Parameters are those of :func:`gradient_descent`; ``maxcor`` is the number of steps that are remembered. A step with
    ``s'y`` not clearly positive is not remembered, so that every direction leads downhill.

    Notes
    -----
    One gradient and O(maxcor d) an iteration, O(maxcor d) memory.

    Examples
    --------
    >>> rosenbrock = lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    >>> lbfgs(rosenbrock, [-1.2, 1.0], tol=1e-4).x.round(4)
    array([1., 1.])
    """
    S: deque[FloatArray] = deque(maxlen=check_integer(maxcor, "maxcor"))
    Y: deque[FloatArray] = deque(maxlen=maxcor)
    last: list[FloatArray] = []

    def direction(x: FloatArray, g: FloatArray) -> FloatArray:
        if last:
            s, y = x - last[0], g - last[1]
            if s @ y > 1e-10 * np.linalg.norm(s) * np.linalg.norm(y):
                S.append(s)
                Y.append(y)
        last[:] = x, g
        return lbfgs_direction(g, S, Y)

    return descend(Objective(fun, jac), x0, direction, None, max_iter, tol, callback)


def stochastic_gradient_descent(
    fun: Function,
    x0: ArrayLike,
    jac: Callable[[FloatArray, IntArray], ArrayLike],
    n_samples: int,
    *,
    batch_size: int = 1,
    learning_rate: float | Callable[[int], float] = 0.01,
    average: bool = False,
    max_iter: int = 100,
    tol: float | None = 1e-4,
    n_iter_no_change: int = 5,
    random_state: RandomState = None,
    callback: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Stochastic (batch size 1) and mini-batch gradient descent, :eq:`optimization-sgd-step`.

    Parameters
    ----------
    fun, x0, callback
        See the head of this module; here an iteration is an epoch, one pass over the samples in random order.
    jac : callable
        ``jac(x, rows)``: gradient (d,) of the *mean* loss of the samples ``rows``, an array of int.
    n_samples, batch_size : int
        Batch size n_samples is batch gradient descent; the last batch of an epoch may be smaller.
    learning_rate : float or callable
        Step size, or its schedule: the function of the number of steps made so far.
    average : bool
        Report the mean of the steps of each epoch instead of the last one, :eq:`optimization-sgd-average`.
    max_iter : int
        Epochs at most.
    tol, n_iter_no_change : float or None, int
        Stop when so many epochs in a row do not improve the best objective by ``tol``: a plateau, which with a constant
        step size lies above the minimum. None makes ``max_iter`` epochs.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Minimum
        ``objective`` after each epoch; ``converged`` says that the plateau was reached.

    Notes
    -----
    ``ConvergenceWarning`` if ``max_iter`` does not suffice, or the objective overflows.

    Examples
    --------
    >>> data = np.array([1.0, 2.0, 3.0, 6.0])
    >>> found = stochastic_gradient_descent(
    ...     lambda x: 0.5 * np.mean((x - data) ** 2), [0.0], lambda x, rows: x - data[rows].mean(), 4, batch_size=4,
    ...     learning_rate=0.5)
    >>> found.x.round(1)
    array([3.])
    """
    n, size = check_integer(n_samples, "n_samples"), check_integer(batch_size, "batch_size")
    if size > n:
        raise ValueError(f"batch_size={size} must be at most n_samples={n}.")
    check_integer(max_iter, "max_iter")
    check_integer(n_iter_no_change, "n_iter_no_change")
    if tol is not None:
        check_real(tol, "tol")
    if not callable(learning_rate):
        check_positive(learning_rate, "learning_rate")
    rate = learning_rate if callable(learning_rate) else lambda steps: learning_rate
    objective, rng = Objective(fun, None), check_rng(random_state)
    x, f = start(x0, objective)
    point, history, best, idle, steps, trouble = x, [f], f, 0, 0, ""
    while len(history) <= max_iter and idle < n_iter_no_change:
        order, total, batches = rng.permutation(n), np.zeros_like(x), range(0, n, size)
        with np.errstate(over="ignore", invalid="ignore"):
            for first in batches:
                checked = shaped_gradient if steps else checked_gradient  # later ones may overflow with the objective
                g = checked(jac(x, order[first : first + size]), x)
                x = gradient_step(x, g, rate(steps))  # optimization-sgd-step
                total += x
                steps += 1
            reported = total / len(batches) if average else x  # optimization-sgd-average
            f = objective.value(reported)
        if not np.isfinite(f):
            trouble = f"the objective is {f} after epoch {len(history)}: decrease learning_rate"
            break
        point = reported
        history.append(f)
        idle = idle + 1 if tol is not None and f > best - tol else 0
        best = min(best, f)
        if callback is not None:
            callback(point)
    plateau = idle == n_iter_no_change
    if not plateau and tol is not None and not trouble:
        trouble = f"the objective still falls by tol={tol:g} in {n_iter_no_change} epochs after max_iter={max_iter}: "
        trouble += "increase max_iter"
    if trouble:
        warnings.warn(trouble + ".", ConvergenceWarning, stacklevel=2)
    return Minimum(point, np.array(history), len(history) - 1, plateau)

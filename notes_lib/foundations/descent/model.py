"""Descent methods of the chapter *Descent methods*: one loop with three directions, and stochastic gradients."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray, check_integer, check_positive, check_real
from notes_lib.foundations.descent.objective import (
    Function,
    Jac,
    Objective,
    checked_gradient,
    shaped_gradient,
    start,
)
from notes_lib.foundations.descent.search import backtrack
from notes_lib.foundations.descent.steps import gradient_step, lbfgs_direction, newton_direction, numerical_hessian
from notes_lib.numerics import RandomState, check_rng


class Minimum(NamedTuple):
    """Where a method stopped: ``x`` (d,); ``objective`` (n_iter + 1,), from ``x0`` on; ``n_iter``; ``converged``."""

    x: FloatArray
    objective: FloatArray
    n_iter: int
    converged: bool


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
    """Gradient descent with a fixed step size, :eq:`descent-gradient-step`, or with backtracking.

    Parameters
    ----------
    fun, x0, jac, callback
        See the head of this module.
    learning_rate : float or None
        Step size; None searches from step 1 in each iteration, :eq:`descent-armijo`.
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
    """Newton's method with backtracking, :eq:`descent-newton-direction`.

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
    """Stochastic (batch size 1) and mini-batch gradient descent, :eq:`descent-sgd-step`.

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
        Report the mean of the steps of each epoch instead of the last one, :eq:`descent-sgd-average`.
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
                x = gradient_step(x, g, rate(steps))  # descent-sgd-step
                total += x
                steps += 1
            reported = total / len(batches) if average else x  # descent-sgd-average
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

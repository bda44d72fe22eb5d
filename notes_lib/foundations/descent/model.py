"""Descent methods with whole gradients, of the chapter *Descent methods*: one loop with three directions."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, check_integer, check_positive, check_real
from notes_lib.foundations.descent.objective import Function, Jac, Objective, start
from notes_lib.foundations.descent.rules import Rule, stepper_of
from notes_lib.foundations.descent.search import LineSearch, backtrack, bisect
from notes_lib.foundations.descent.steps import lbfgs_direction, newton_direction, numerical_hessian


class Minimum(NamedTuple):
    """Where a method stopped: ``x`` (d,); ``objective`` (n_iter + 1,), from ``x0`` on; ``n_iter``; ``converged``."""

    x: FloatArray
    objective: FloatArray
    n_iter: int
    converged: bool


# ------------------------------------------------------------------------------------------------------------- methods


Search = Callable[[Objective, FloatArray, FloatArray, float, float], LineSearch]


def armijo(objective: Objective, x: FloatArray, d: FloatArray, f: float, slope: float) -> LineSearch:
    """The search of :func:`line_search`, for :func:`descend`."""
    return backtrack(objective.value, x, d, f, slope)


def descend(
    objective: Objective,
    x0: ArrayLike,
    direction: Callable[[FloatArray, FloatArray], FloatArray],
    search: Search | None,
    max_iter: int,
    tol: float,
    callback: Callable[[FloatArray], object] | None,
) -> Minimum:
    """The loop of all methods: ``direction(x, gradient)``, then a line search or, with None, the whole step."""
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
        if search is not None:
            new = search(objective, x, d, f, float(g @ d))
            x_new, f_new, stalled = new.x, new.fun, not new.step
        else:
            x_new, stalled = x + d, False
            with np.errstate(over="ignore", invalid="ignore"):
                f_new = objective.value(x_new)
            if not np.isfinite(f_new):
                trouble = f"the objective is {f_new} after {len(history)} iterations: decrease learning_rate"
                break
        g_new = objective.gradient(x_new)
        if stalled or (search is not None and f_new >= f and np.abs(g_new).max() >= np.abs(g).max()):
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
    rule: Rule | None = None,
    max_iter: int = 1000,
    tol: float = 1e-6,
    callback: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Gradient descent with a fixed step size, :eq:`descent-gradient-step`, with momentum, Adam, or with backtracking.

    Parameters
    ----------
    fun, x0, jac, callback
        See the head of :mod:`notes_lib.foundations.descent`.
    learning_rate : float or None
        Step size; None searches from step 1 in each iteration, :eq:`descent-armijo`.
    rule : Momentum, Adam or None
        What makes a step of the gradient; None is the gradient itself. A rule needs a ``learning_rate``.
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
    objective, step = Objective(fun, jac), stepper_of(rule)
    if learning_rate is None:
        if rule is not None:
            raise ValueError("learning_rate must be a number if there is a rule: its steps follow no line search.")
        return descend(objective, x0, lambda x, g: -g, armijo, max_iter, tol, callback)
    rate = check_positive(learning_rate, "learning_rate")
    return descend(objective, x0, lambda x, g: step(x, g, rate) - x, None, max_iter, tol, callback)


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
    return descend(objective, x0, lambda x, g: newton_direction(g, H(x)), armijo, max_iter, tol, callback)


def lbfgs(
    fun: Function,
    x0: ArrayLike,
    jac: Jac = None,
    *,
    maxcor: int = 10,
    c2: float | None = 0.9,
    max_iter: int = 1000,
    tol: float = 1e-6,
    callback: Callable[[FloatArray], object] | None = None,
) -> Minimum:
    """Limited-memory BFGS: second-order steps from gradients alone, :func:`lbfgs_direction`.

    Parameters are those of :func:`gradient_descent`, and

    Parameters
    ----------
    maxcor : int
        Number of steps that are remembered.
    c2 : float or None
        The line search asks for the Wolfe conditions with this share, :eq:`descent-wolfe`, so that ``s'y > 0``. None
        asks for :eq:`descent-armijo` alone: cheaper trials, but where the function is not convex ``s'y`` may be
        negative. A pair with ``s'y`` not clearly positive is dropped, with either search: every direction leads
        downhill.

    Notes
    -----
    One gradient and O(maxcor d) an iteration, O(maxcor d) memory.

    Examples
    --------
    >>> rosenbrock = lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
    >>> lbfgs(rosenbrock, [-1.2, 1.0], tol=1e-4).x.round(4)
    array([1., 1.])
    """
    if c2 is not None and not 1e-4 < check_positive(c2, "c2") < 1:
        raise ValueError(f"c2 must lie between 1e-4 and 1, or be None, got {c2}.")
    S: deque[FloatArray] = deque(maxlen=check_integer(maxcor, "maxcor"))
    Y: deque[FloatArray] = deque(maxlen=maxcor)
    last: list[FloatArray] = []

    def direction(x: FloatArray, g: FloatArray) -> FloatArray:
        if last:
            s, y = x - last[0], g - last[1]
            if s @ y > 1e-10 * np.linalg.norm(s) * np.linalg.norm(y):  # a smaller one is rounding, or concave
                S.append(s)
                Y.append(y)
        last[:] = x, g
        return lbfgs_direction(g, S, Y)

    search = armijo if c2 is None else partial(bisect, c2=c2)
    return descend(Objective(fun, jac), x0, direction, search, max_iter, tol, callback)

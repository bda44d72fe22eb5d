"""One-dimensional search of the chapter *Descent methods*: backtracking, Wolfe's conditions, the golden section."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, check_integer, check_positive, check_vector
from notes_lib.foundations.descent.objective import Function, Jac, Objective, start

ROUNDING = 4 * float(np.finfo(float).eps)  # relative: a rise of the objective by less is rounding, not a rise


class LineSearch(NamedTuple):
    """Result of a line search: ``step`` (0 if none was found), ``x`` (d,) and ``fun`` there, ``n_evals`` of ``fun``."""

    step: float
    x: FloatArray
    fun: float
    n_evals: int


def line_search(
    fun: Function,
    x: ArrayLike,
    direction: ArrayLike,
    slope: float,
    *,
    step: float = 1.0,
    c1: float = 1e-4,
    shrink: float = 0.5,
    max_iter: int = 60,
) -> LineSearch:
    """Backtracking: shorten the step until the objective falls by enough, :eq:`descent-armijo`.

    Parameters
    ----------
    fun : callable
    x, direction : (d,) arrays
    slope : float
        Derivative along the direction, gradient times direction; negative.
    step : float
        The first one tried; then it is multiplied by ``shrink`` again and again.
    c1, shrink : float
        Between 0 and 1.
    max_iter : int
        Steps tried at most; ``ConvergenceWarning`` if none will do.

    Raises
    ------
    ValueError
        If ``x`` and ``direction`` are not finite vectors of one size, the slope is not negative, a setting is out of
        range, or ``fun(x)`` is not finite.

    Examples
    --------
    >>> line_search(lambda x: x[0] ** 2, [1.0], [-4.0], slope=-8.0).step
    0.25
    """
    x = check_vector(x, "x")
    d = check_vector(direction, "direction", x.size)
    if not slope < 0:
        raise ValueError(f"slope must be negative, got {slope}: the direction does not lead downhill.")
    for value, name in [(c1, "c1"), (shrink, "shrink")]:
        if not check_positive(value, name) < 1:
            raise ValueError(f"{name} must be less than 1, got {value}.")
    check_positive(step, "step")
    check_integer(max_iter, "max_iter")
    objective = Objective(fun, None)
    x, f = start(x, objective)
    found = backtrack(objective.value, x, d, f, slope, step, c1, shrink, max_iter)
    if not found.step:
        message = f"no step fulfils the condition after max_iter={max_iter} trials: increase max_iter or check slope."
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return found


def backtrack(
    value: Callable[[FloatArray], float],
    x: FloatArray,
    d: FloatArray,
    f: float,
    slope: float,
    step: float = 1.0,
    c1: float = 1e-4,
    shrink: float = 0.5,
    max_iter: int = 60,
) -> LineSearch:
    """Search of :func:`line_search`, without checks and without a warning."""
    for n_evals in range(1, max_iter + 1):
        trial = x + step * d
        f_trial = value(trial)
        if f_trial <= f + c1 * step * slope + ROUNDING * abs(f):  # descent-armijo
            return LineSearch(step, trial, f_trial, n_evals)
        step *= shrink
    return LineSearch(0.0, x, f, max_iter)


def wolfe_search(
    fun: Function,
    x: ArrayLike,
    direction: ArrayLike,
    jac: Jac = None,
    *,
    step: float = 1.0,
    c1: float = 1e-4,
    c2: float = 0.9,
    max_iter: int = 60,
) -> LineSearch:
    """Bisection for a step that fulfils the (weak) Wolfe conditions, :eq:`descent-armijo` and :eq:`descent-wolfe`.

    Parameters
    ----------
    fun, jac
        See the head of :mod:`notes_lib.foundations.descent`.
    x, direction : (d,) arrays
    step : float
        The first one tried; it is doubled while it is too short, then the interval is halved.
    c1, c2 : float
        ``0 < c1 < c2 < 1``.
    max_iter : int
        Steps tried at most; ``ConvergenceWarning`` if none will do: rounding, or ``fun`` falls without end.

    Raises
    ------
    ValueError
        If ``x`` and ``direction`` are not finite vectors of one size, the direction does not lead downhill, a setting
        is out of range, or ``fun(x)`` is not finite.

    Examples
    --------
    >>> wolfe_search(lambda x: (x[0] - 3.0) ** 2, [0.0], [0.1], lambda x: 2 * (x - 3.0)).step  # too short: doubled
    4.0
    """
    x = check_vector(x, "x")
    d = check_vector(direction, "direction", x.size)
    check_positive(c1, "c1")
    if not c1 < check_positive(c2, "c2") < 1:
        raise ValueError(f"c1 must be less than c2, and c2 less than 1, got c1={c1} and c2={c2}.")
    check_positive(step, "step")
    check_integer(max_iter, "max_iter")
    objective = Objective(fun, jac)
    x, f = start(x, objective)
    slope = float(objective.gradient(x) @ d)
    if not slope < 0:
        raise ValueError(f"the slope along direction is {slope}: choose a direction that leads downhill.")
    found = bisect(objective, x, d, f, slope, step, c1, c2, max_iter)
    if not found.step:
        message = f"no step fulfils Wolfe's conditions after max_iter={max_iter} trials: increase it, or check jac."
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return found


def bisect(
    objective: Objective,
    x: FloatArray,
    d: FloatArray,
    f: float,
    slope: float,
    step: float = 1.0,
    c1: float = 1e-4,
    c2: float = 0.9,
    max_iter: int = 60,
) -> LineSearch:
    """Search of :func:`wolfe_search`, without checks and without a warning."""
    low, high = 0.0, np.inf  # too short, too long
    for n_evals in range(1, max_iter + 1):
        trial = x + step * d
        with np.errstate(over="ignore", invalid="ignore"):
            f_trial = objective.value(trial)
        if not f_trial <= f + c1 * step * slope + ROUNDING * abs(f):  # descent-armijo
            high = step
        elif objective.gradient(trial) @ d < c2 * slope:  # descent-wolfe
            low = step
        else:
            return LineSearch(step, trial, f_trial, n_evals)
        step = 2 * low if high == np.inf else (low + high) / 2
    return LineSearch(0.0, x, f, max_iter)


def golden_section(fun: Callable[[float], float], low: float, high: float, tol: float = 1e-8) -> float:
    """Minimiser of a unimodal function of one number, by :eq:`descent-golden`; one evaluation an iteration.

    Parameters
    ----------
    fun : callable
        Falls, then rises, between ``low`` and ``high``.
    low, high : float
    tol : float
        Length of the last interval; below about 1e-8 of the interval rounding of ``fun`` decides.

    Raises
    ------
    ValueError
        If ``low`` is not less than ``high``, one of them is not finite, or ``tol`` is not positive.

    Examples
    --------
    >>> round(golden_section(lambda t: (t - 2.0) ** 2, 0.0, 5.0), 6)
    2.0
    """
    if not -np.inf < low < high < np.inf:
        raise ValueError(f"low must be less than high, both finite, got {low} and {high}: change the interval.")
    ratio = (5.0**0.5 - 1.0) / 2.0  # descent-golden
    tol = check_positive(tol, "tol")
    a, b = float(low), float(high)
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    f_c, f_d = fun(c), fun(d)
    while b - a > tol and a < c < d < b:
        if f_c < f_d:
            b, d, f_d = d, c, f_c
            c = b - ratio * (b - a)
            f_c = fun(c)
        else:
            a, c, f_c = c, d, f_d
            d = a + ratio * (b - a)
            f_d = fun(d)
    return float(a + b) / 2

"""Stochastic and mini-batch gradients of the chapter *Descent methods*."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray, check_integer, check_positive, check_real
from notes_lib.foundations.descent.model import Minimum
from notes_lib.foundations.descent.objective import Function, Objective, checked_gradient, shaped_gradient, start
from notes_lib.foundations.descent.rules import Rule, stepper_of
from notes_lib.numerics import RandomState, check_rng


def stochastic_gradient_descent(
    fun: Function,
    x0: ArrayLike,
    jac: Callable[[FloatArray, IntArray], ArrayLike],
    n_samples: int,
    *,
    batch_size: int = 1,
    learning_rate: float | Callable[[int], float] = 0.01,
    rule: Rule | None = None,
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
        See the head of :mod:`notes_lib.foundations.descent`; here an iteration is an epoch, one pass over the samples
        in random order.
    jac : callable
        ``jac(x, rows)``: gradient (d,) of the *mean* loss of the samples ``rows``, an array of int.
    n_samples, batch_size : int
        Batch size n_samples is batch gradient descent; the last batch of an epoch may be smaller.
    learning_rate : float or callable
        Step size, or its schedule: the function of the number of steps made so far.
    rule : Momentum, Adam or None
        What makes a step of a gradient; None is the gradient itself.
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
    objective, rng, step = Objective(fun, None), check_rng(random_state), stepper_of(rule)
    x, f = start(x0, objective)
    point, history, best, idle, steps, trouble = x, [f], f, 0, 0, ""
    while len(history) <= max_iter and idle < n_iter_no_change:
        order, total, batches = rng.permutation(n), np.zeros_like(x), range(0, n, size)
        with np.errstate(over="ignore", invalid="ignore"):
            for first in batches:
                checked = shaped_gradient if steps else checked_gradient  # later ones may overflow with the objective
                g = checked(jac(x, order[first : first + size]), x)
                x = step(x, g, rate(steps))  # descent-sgd-step
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

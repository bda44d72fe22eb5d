"""Rules of the chapter *Descent methods* that turn gradients into steps and remember: momentum and Adam.

A rule holds settings only; ``stepper()`` starts a run with an empty memory, so one rule serves many runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from notes_lib.checks import FloatArray, check_positive
from notes_lib.foundations.descent.steps import adam_step, gradient_step, momentum_step

Stepper = Callable[[FloatArray, FloatArray, float], FloatArray]  # point, gradient, learning rate: the next point


class Rule(Protocol):
    """What ``gradient_descent`` and ``stochastic_gradient_descent`` take as ``rule``."""

    def stepper(self) -> Stepper:
        """Function of (point, gradient, learning rate) that returns the next point."""


@dataclass(frozen=True)
class Momentum:
    """Heavy ball, :eq:`descent-heavy-ball`, or with ``nesterov`` the look-ahead form, :eq:`descent-nesterov`.

    Parameters
    ----------
    momentum : float
        Share of the last step that is repeated, from 0 (plain gradient descent) to below 1.
    nesterov : bool
        Take the gradient where the momentum leads; the points of the run are these look-ahead points.

    Examples
    --------
    >>> from notes_lib.foundations.descent import gradient_descent
    >>> valley = np.array([1.0, 100.0])
    >>> f, g = lambda x: valley @ x**2 / 2, lambda x: valley * x
    >>> run = lambda rule: gradient_descent(f, [1.0, 1.0], g, learning_rate=0.01, max_iter=2000, rule=rule).n_iter
    >>> run(None) > 5 * run(Momentum(0.8))
    True
    """

    momentum: float = 0.9
    nesterov: bool = False

    def __post_init__(self) -> None:
        _check_share(self.momentum, "momentum")

    def stepper(self) -> Stepper:
        """A run from rest."""
        velocity = np.zeros(())

        def step(x: FloatArray, g: FloatArray, learning_rate: float) -> FloatArray:
            nonlocal velocity
            x, velocity = momentum_step(x, velocity, g, learning_rate, self.momentum, self.nesterov)
            return x

        return step


@dataclass(frozen=True)
class Adam:
    """Steps of about the same length in each coordinate, :eq:`descent-adam-step`.

    Parameters
    ----------
    beta1, beta2 : float
        How much of the running means of the gradient and of its square is kept in a step, from 0 to below 1.
    eps : float
        Added to the root of the second mean.

    Examples
    --------
    >>> from notes_lib.foundations.descent import gradient_descent
    >>> f, g = lambda x: x[0] ** 2 + 1e6 * x[1] ** 2, lambda x: np.array([2 * x[0], 2e6 * x[1]])
    >>> gradient_descent(f, [1.0, 1.0], g, learning_rate=0.05, max_iter=300, tol=0.1, rule=Adam()).converged
    True
    """

    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8

    def __post_init__(self) -> None:
        _check_share(self.beta1, "beta1")
        _check_share(self.beta2, "beta2")
        check_positive(self.eps, "eps")

    def stepper(self) -> Stepper:
        """A run with empty means."""
        m, v, t = np.zeros(()), np.zeros(()), 0

        def step(x: FloatArray, g: FloatArray, learning_rate: float) -> FloatArray:
            nonlocal m, v, t
            t += 1
            x, m, v = adam_step(x, m, v, g, t, learning_rate, self.beta1, self.beta2, self.eps)
            return x

        return step


def stepper_of(rule: Rule | None) -> Stepper:
    """A fresh run of a rule; None is plain gradient descent."""
    if rule is None:
        return gradient_step
    if not isinstance(rule, (Momentum, Adam)) and not callable(getattr(rule, "stepper", None)):
        raise TypeError(f"rule must be Momentum(), Adam() or None, got {rule!r}.")
    return rule.stepper()


def _check_share(value: float, name: str) -> None:
    if not 0 <= value < 1:
        raise ValueError(f"{name} must be at least 0 and less than 1, got {value}.")

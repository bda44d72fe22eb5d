"""Momentum and Adam, in place, for parameters that stand in several arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from notes_lib.checks import FloatArray, check_positive, check_real
from notes_lib.networks.backpropagation.checks import check_share

Arrays = FloatArray | Sequence[FloatArray]


class SGD:
    """Gradient steps with momentum, :eq:`backpropagation-momentum`.

    Parameters
    ----------
    learning_rate : float
    momentum : float
        Share of the last step that is repeated, from 0 to 1.
    nesterov : bool
        Look ahead: add the share of the new step once more.

    Notes
    -----
    O(parameters) time and memory a step. The rule for one vector is
    :func:`notes_lib.foundations.descent.momentum_step`.

    Raises
    ------
    TypeError, ValueError
        If ``learning_rate`` is not positive or ``momentum`` not from 0 to 1.

    Examples
    --------
    >>> w = np.array([1.0])
    >>> rule = SGD(0.1, momentum=0.5, nesterov=False)
    >>> rule.step(w, np.array([2.0]))
    >>> rule.step(w, np.array([2.0]))
    >>> w
    array([0.5])
    """

    def __init__(self, learning_rate: float = 0.001, momentum: float = 0.9, nesterov: bool = True) -> None:
        self.learning_rate = check_positive(learning_rate, "learning_rate")
        self.momentum, self.nesterov = check_real(momentum, "momentum"), nesterov
        if self.momentum > 1:
            raise ValueError(f"momentum must lie between 0 and 1, got {momentum}.")
        self._state: list[FloatArray] = []

    def step(self, params: Arrays, grads: Arrays) -> None:
        """Change the parameters in place by one step; the arrays are the same ones in every call.

        Raises
        ------
        ValueError
            If a gradient has another shape than its parameter.
        """
        params, grads = _lists(params, grads)
        if not self._state:
            self._state = [np.zeros_like(p) for p in params]
        for p, g, velocity in zip(params, grads, self._state, strict=True):
            velocity *= self.momentum
            step = self.learning_rate * g
            velocity -= step  # backpropagation-momentum
            p += velocity * self.momentum - step if self.nesterov else velocity


class Adam:
    """Steps by the ratio of two running means of the gradient, :eq:`backpropagation-adam-step`.

    Parameters
    ----------
    learning_rate : float
    beta_1, beta_2 : float
        Shares of the running means of the gradient and of its square that are kept in a step.
    epsilon : float
        Added to the root of the second mean.

    Notes
    -----
    O(parameters) time and memory a step. Both corrections of the bias are taken into the learning rate, as scikit-learn
    does; so ``epsilon`` is added to the root *before* its correction, which the rule for one vector,
    :func:`notes_lib.foundations.descent.adam_step`, does after it. Source: Kingma and Ba (2015), section 2.

    Raises
    ------
    TypeError, ValueError
        If ``learning_rate`` or ``epsilon`` is not positive, or a share not from 0 to below 1.

    Examples
    --------
    >>> w = np.array([1.0, 1.0])
    >>> Adam(0.1).step(w, np.array([5.0, -0.01]))
    >>> w.round(4)  # the first step has the length of the learning rate, whatever the gradient
    array([0.9, 1.1])
    """

    def __init__(
        self, learning_rate: float = 0.001, beta_1: float = 0.9, beta_2: float = 0.999, epsilon: float = 1e-8
    ) -> None:
        self.learning_rate = check_positive(learning_rate, "learning_rate")
        self.beta_1, self.beta_2 = check_share(beta_1, "beta_1"), check_share(beta_2, "beta_2")
        self.epsilon = check_positive(epsilon, "epsilon")
        self._t = 0
        self._state: list[FloatArray] = []

    def step(self, params: Arrays, grads: Arrays) -> None:
        """Change the parameters in place by one step; the arrays are the same ones in every call.

        Raises
        ------
        ValueError
            If a gradient has another shape than its parameter.
        """
        params, grads = _lists(params, grads)
        if not self._state:
            self._state = [np.zeros((3, *p.shape)) for p in params]  # two means, and scratch paper
        self._t += 1
        corrected = self.learning_rate * np.sqrt(1 - self.beta_2**self._t) / (1 - self.beta_1**self._t)
        for p, g, (m, v, scratch) in zip(params, grads, self._state, strict=True):
            m *= self.beta_1
            m += np.multiply(g, 1 - self.beta_1, out=scratch)  # backpropagation-adam-means
            v *= self.beta_2
            np.multiply(g, g, out=scratch)
            scratch *= 1 - self.beta_2
            v += scratch
            np.sqrt(v, out=scratch)
            scratch += self.epsilon
            np.divide(m, scratch, out=scratch)
            scratch *= corrected
            p -= scratch  # backpropagation-adam-step


def _lists(params: Arrays, grads: Arrays) -> tuple[Sequence[FloatArray], Sequence[FloatArray]]:
    if isinstance(params, np.ndarray):
        params = [params]
    if isinstance(grads, np.ndarray):
        grads = [grads]
    shapes, others = [p.shape for p in params], [np.shape(g) for g in grads]
    if shapes != others:
        raise ValueError(f"grads must have the shapes of params, {shapes}, got {others}.")
    return params, grads

"""One signature for objectives, however a function and its gradient are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_vector
from notes_lib.numerics import central_difference

Function = Callable[[FloatArray], Any]
Jac = Function | Literal[True] | None


class Objective:
    """A function and its gradient with one signature, however they were given; checks what they return.

    ``jac`` is a function, True if ``fun`` returns the pair (value, gradient), or None for central differences.
    """

    def __init__(self, fun: Function, jac: Jac) -> None:
        if not callable(fun):
            raise TypeError(f"fun must be a function of x, got {type(fun).__name__}.")
        if not (callable(jac) or jac is True or jac is None):
            raise TypeError(f"jac must be a function of x, True or None, got {jac!r}.")
        self._fun, self._jac = fun, jac
        self._last: tuple[FloatArray, Any] | None = None  # the last x whose gradient is known, and the gradient

    def value(self, x: FloatArray) -> float:
        """``fun(x)``; may be infinite or NaN."""
        f = self._fun(x)
        if self._jac is True:
            if not (isinstance(f, tuple) and len(f) == 2):
                raise ValueError("fun must return the pair (value, gradient) if jac=True.")
            f, self._last = f[0], (x, f[1])
        if np.size(f) != 1:
            raise ValueError(f"fun must return one number, got an array of shape {np.shape(f)}.")
        return float(np.asarray(f).item())

    def gradient(self, x: FloatArray) -> FloatArray:
        """Gradient at ``x``; one that is known for this very array is not computed again."""
        if self._last is None or self._last[0] is not x:
            if self._jac is True:
                self.value(x)
            else:
                self._last = x, self._jac(x) if self._jac else central_difference(self.value, x)
        return checked_gradient(self._last[1] if self._last else None, x)


def shaped_gradient(g: Any, x: FloatArray) -> FloatArray:
    """Return a gradient as floats, if it has the shape of ``x``."""
    g = np.asarray(g, dtype=float)
    if g.shape != x.shape:
        raise ValueError(f"jac must return a gradient with the shape of x, {x.shape}, got {g.shape}.")
    return g


def checked_gradient(g: Any, x: FloatArray) -> FloatArray:
    """Return a gradient as floats, if it has the shape of ``x`` and is finite."""
    g = shaped_gradient(g, x)
    if not np.isfinite(g).all():
        raise ValueError("jac returned NaN or inf: compare it with numerical_gradient at this x.")
    return g


def start(x0: ArrayLike, objective: Objective) -> tuple[FloatArray, float]:
    """Starting point (d,) as a copy, and its finite objective."""
    x = check_vector(x0, "x0").copy()
    f = objective.value(x)
    if not np.isfinite(f):
        raise ValueError(f"fun is {f} at x0: start where it is finite.")
    return x, f

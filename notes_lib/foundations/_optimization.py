"""What the chapter *Optimisation* does not explain: one signature for objectives, and the checks of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.numerics import FloatArray, central_difference

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
        self._pair: tuple[FloatArray, Any] | None = None  # the last x, and the gradient that came with its value

    def value(self, x: FloatArray) -> float:
        """``fun(x)``; may be infinite or NaN."""
        f = self._fun(x)
        if self._jac is True:
            if not (isinstance(f, tuple) and len(f) == 2):
                raise ValueError("fun must return the pair (value, gradient) if jac=True.")
            f, self._pair = f[0], (x, f[1])
        if np.size(f) != 1:
            raise ValueError(f"fun must return one number, got an array of shape {np.shape(f)}.")
        return float(np.asarray(f).item())

    def gradient(self, x: FloatArray) -> FloatArray:
        """Gradient at ``x``; one that came along with the value at this very ``x`` is not computed again."""
        if self._jac is True:
            if self._pair is None or self._pair[0] is not x:
                self.value(x)
            g = self._pair[1] if self._pair else None
        else:
            g = self._jac(x) if self._jac else central_difference(self.value, x)
        return checked_gradient(g, x)


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
    x = vector(x0, "x0").copy()
    f = objective.value(x)
    if not np.isfinite(f):
        raise ValueError(f"fun is {f} at x0: start where it is finite.")
    return x, f


def vector(x: ArrayLike, name: str, size: int | None = None) -> FloatArray:
    """Return a finite vector of floats, of the given size if there is one."""
    v = np.asarray(x, dtype=float)
    if v.ndim != 1 or (v.size == 0 if size is None else v.size != size):
        length = "d" if size is None else size
        raise ValueError(f"{name} must be a vector of shape ({length},), got shape {v.shape}: ravel a matrix.")
    if not np.isfinite(v).all():
        raise ValueError(f"{name} must be finite, it holds NaN or inf.")
    return v


def constraints(A: ArrayLike, b: ArrayLike, d: int, names: tuple[str, str]) -> tuple[FloatArray, FloatArray]:
    """Rows (m, d) and right-hand sides (m,) of linear constraints."""
    A, b = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    A = A.reshape(0, d) if A.size == 0 else A
    if A.ndim != 2 or A.shape[1] != d or b.shape != (len(A),):
        raise ValueError(
            f"{names[0]} must be (m, {d}) and {names[1]} (m,), a row for each constraint, got {A.shape} and {b.shape}."
        )
    if not (np.isfinite(A).all() and np.isfinite(b).all()):
        raise ValueError(f"{names[0]} and {names[1]} must be finite, they hold NaN or inf.")
    return A, b

"""Newton's method for the squared hinge, the fast form: the Hessian follows the rows that change sides.

On the set A of rows inside the margin the objective is quadratic, with Hessian ``H = I + 2 sum_A C_n z_n z_n'`` and
minimiser ``H^-1 r``, ``r = 2 sum_A C_n y_n z_n``. Between two steps few rows enter or leave A, so H and r are corrected
by these rows alone, and a step costs one pass over the data (the scores) instead of three.

Source: Keerthi and DeCoste (2005), J. Mach. Learn. Res. 6, 341-361; Mangasarian (2002), Optim. Methods Softw. 17.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from notes_lib.checks import FloatArray
from notes_lib.numerics import row_blocks

SUFFICIENT = 1e-4  # share of the decrease promised by the slope that a step must bring
MAX_HALVINGS = 40
TOO_LARGE = "C is too large for X (C up to {:g}): the Hessian has no digits left for |w|^2, take a smaller C."


class Fit(NamedTuple):
    """Result of :func:`newton`: weights (p,), the last one of the constant column if there is one; the objective at the
    start and after each step; the number of steps; whether the gradient became small enough.
    """

    w: FloatArray
    objective: list[float]
    n_iter: int
    converged: bool


def newton(X: FloatArray, y: FloatArray, C: FloatArray, constant: float, tol: float, max_iter: int) -> Fit:
    """Minimise ``|w|^2 / 2 + sum_n C_n max(0, 1 - y_n w'z_n)^2``; ``z_n`` is ``x_n``, then ``constant`` if not 0.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array of -1 and 1
    C : (n,) array, positive
    constant : float
    tol : float
        Stop when the norm of the gradient has fallen to this share of its start, and half its square, which bounds
        the distance of the objective from its minimum (all curvatures are at least 1), to this share of the objective.
    max_iter : int
    """
    p = X.shape[1] + (constant != 0)
    w, scores, active = np.zeros(p), np.zeros(len(X)), np.ones(len(X), dtype=bool)
    H, r = np.eye(p), np.zeros(p)
    _correct(H, r, X, y, C, constant, np.arange(len(X)), 1.0)
    if not np.isfinite(H).all():
        raise ValueError("X is too large: its squares overflow, rescale its columns.")
    with np.errstate(over="ignore"):
        start = float(np.linalg.norm(r))
    if not np.isfinite(start):
        raise ValueError(TOO_LARGE.format(C.max()))
    objective = [float(C.sum())]
    for iteration in range(max_iter):
        try:
            step = cho_solve(cho_factor(H), r) - w  # svm-newton-step
        except LinAlgError as error:
            raise ValueError(TOO_LARGE.format(C.max())) from error
        along = X @ step[: X.shape[1]] + (step[-1] * constant if constant else 0.0)
        slope = float(step @ (H @ w - r))
        t = 1.0
        for _ in range(MAX_HALVINGS):
            trial = w + t * step
            slack = np.maximum(1.0 - y * (scores + t * along), 0.0)
            value = 0.5 * float(trial @ trial) + float(C @ (slack * slack))  # svm-squared-hinge
            if value <= objective[-1] + SUFFICIENT * t * slope:
                break
            t /= 2
        if value >= objective[-1]:  # no progress beyond rounding
            return Fit(w, objective, max(iteration, 1), True)
        w, scores = trial, scores + t * along
        objective.append(value)
        inside = slack > 0
        for moved, sign in ((inside & ~active, 1.0), (active & ~inside, -1.0)):
            _correct(H, r, X, y, C, constant, np.flatnonzero(moved), sign)
        active = inside
        left = float(np.linalg.norm(H @ w - r))  # svm-newton-gradient
        if left <= tol * start and 0.5 * left * left <= tol * value:
            return Fit(w, objective, iteration + 1, True)
    return Fit(w, objective, max_iter, False)


def _correct(
    H: FloatArray,
    r: FloatArray,
    X: FloatArray,
    y: FloatArray,
    C: FloatArray,
    constant: float,
    rows: np.ndarray,
    sign: float,
) -> None:
    """Add the rows to Hessian and right-hand side, or take them away, in place."""
    d = X.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        for part in row_blocks(len(rows)):
            some = rows[part]
            root = np.sqrt(2 * C[some])
            Z = np.empty((len(some), len(r)))  # rows of sqrt(2 C_n) z_n
            np.multiply(X[some], root[:, None], out=Z[:, :d])
            Z[:, d:] = (constant * root)[:, None]
            H += sign * (Z.T @ Z)  # svm-newton-hessian
            r += sign * (Z.T @ (root * y[some]))

"""The fit of :class:`LogisticRegression`: Newton's method, with a start from a part of the rows.

Only the Hessian is dear, O(n d^2); scores, gradient and objective are O(n d). So Hessians with all rows are saved in
two ways. An estimate from an eighth of the rows is off by a few standard errors only: it makes most of the way for an
eighth of the price. And when a step has hardly moved the scores, the next one takes the Hessian of the last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from notes_lib.checks import FloatArray
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.numerics import NotPositiveDefiniteError, row_blocks

SHARE = 8  # every so many-th row is in the part
ENOUGH = 40  # rows of a part for each weight; with fewer its estimate is no good start
ROUGH = 0.2  # a part need not be solved better than this: its own maximum is not the one that is wanted
HALVINGS = 1100  # from the longest step to none: a search that goes on is lost
SHORT = 0.02  # a step that moves no score by more changes no weight p (1 - p) by more than two per cent


class Fit(NamedTuple):
    """Weights, the intercept first; how the search ended; objective before each step and at the end."""

    w: FloatArray
    converged: bool
    n_iter: int
    objective: list[float]


class Problem(NamedTuple):
    """Rows, labels 0 and 1, factor of the penalty, whether the intercept ``w[0]`` is free or 0, weights of the rows."""

    X: FloatArray
    y: FloatArray
    penalty: float
    free: bool
    v: FloatArray

    def scores(self, w: FloatArray) -> FloatArray:
        """Log-odds of the rows."""
        return self.X @ w[1:] + w[0]

    def value(self, w: FloatArray, z: FloatArray) -> float:
        """Objective at weights w with scores z; :eq:`logistic-regression-objective`.

        Row by row ``log(1 + e^z) - y z`` is the loss of the score towards the other class, a sum without differences:
        so it never rounds below 0, and a step that is halved until nothing moves leaves it as it was.
        """
        against = np.where(self.y > 0, -z, z)
        return float(self.v @ np.logaddexp(0.0, against) + 0.5 * self.penalty * w[1:] @ w[1:])

    def gradient(self, w: FloatArray, z: FloatArray) -> FloatArray:
        """Gradient at weights w with scores z; :eq:`logistic-regression-gradient`."""
        r = self.v * (expit(z) - self.y)
        return np.r_[r.sum() if self.free else 0.0, r @ self.X + self.penalty * w[1:]]

    def hessian(self, z: FloatArray) -> FloatArray:
        """Hessian at scores z, block by block, so that a block is weighted and used while it is in the cache."""
        H = np.diag(np.r_[0.0 if self.free else 1.0, np.full(self.X.shape[1], self.penalty)])
        root = np.sqrt(self.v * expit(z) * expit(-z))
        for rows in row_blocks(len(z)):
            A = root[rows, None] * self.X[rows]
            H[1:, 1:] += A.T @ A
            if self.free:
                H[0, 1:] += root[rows] @ A
        H[0, 0] += root @ root if self.free else 0.0
        H[1:, 0] = H[0, 1:]
        return H

    def part(self) -> Problem:
        """Every eighth row; the penalty is as much smaller as the likelihood."""
        X, y, v = np.ascontiguousarray(self.X[::SHARE]), self.y[::SHARE], np.ascontiguousarray(self.v[::SHARE])
        return self._replace(X=X, y=y, v=v, penalty=self.penalty * float(v.sum() / self.v.sum()))


def newton_fit(problem: Problem, tol: float, max_iter: int, warm: bool = True) -> Fit:
    """Minimise the objective over (1 + d,) weights, from 0 or from the solution for a part of the rows."""
    n, d = problem.X.shape
    w = np.zeros(1 + d)
    if warm and n >= SHARE * ENOUGH * (1 + d):
        w = newton_fit(problem.part(), ROUGH, 8).w
        if problem.value(w, problem.scores(w)) > problem.v.sum() * np.log(2):  # worse than no weights at all
            w = np.zeros(1 + d)
    return _descend(problem, w, tol, max_iter)


def _descend(problem: Problem, w: FloatArray, tol: float, max_iter: int) -> Fit:
    """Newton steps from ``w``, each halved until the objective does not rise."""
    z, size = problem.scores(w), np.inf
    objective = [problem.value(w, z)]
    for n_iter in range(1, max_iter + 1):
        if problem.penalty == 0 and ((2 * problem.y - 1) * z).min() > 0:
            return Fit(w, False, n_iter - 1, objective)  # all rows on their side: a proof that no maximum exists
        if size > SHORT:
            H = problem.hessian(z)
        try:
            step = -cholesky_solve(H, problem.gradient(w, z))  # logistic-regression-newton
        except NotPositiveDefiniteError:
            if problem.penalty == 0:
                return Fit(w, False, n_iter - 1, objective)
            step = -np.linalg.lstsq(H, problem.gradient(w, z), rcond=None)[0]  # the penalty is lost in rounding
        change = problem.scores(step)
        for _ in range(HALVINGS):
            if problem.value(w + step, z + change) <= objective[-1] + 1e-12 * abs(objective[-1]):
                break
            step, change = step / 2, change / 2
        else:
            return Fit(w, False, n_iter - 1, objective)  # no step downhill can be told from rounding
        w, z = w + step, z + change
        objective.append(problem.value(w, z))
        size = float(np.abs(change).max())
        if size <= tol:
            return Fit(w, True, n_iter, objective)
    return Fit(w, False, max_iter, objective)

"""Sequential minimal optimisation, the fast form: second-order working sets, distance rows on demand, an active set.

The chapter *Support vector machines* derives the step; the plain form stands there and in the step functions of
``notes_lib.kernels.svm``. Four things make this form fast and change no result:

- A step needs the kernel only through ``H[i, t] = |phi(x_i) - phi(x_t)|^2 / 2``: the curvature is ``2 H[i, j]``, and
  ``K[i] - K[j]`` is ``H[j] - H[i]`` plus a number, and numbers drop out of every comparison. A row of H is computed at
  its first use.
- The candidates for i and for j stand in two arrays, with -inf and inf where an index is not a candidate: choosing is a
  plain arg-max.
- Every row starts on a cache line (:mod:`notes_lib.numerics`).
- Once the largest violation is small, most multipliers stay at their bounds: the loop goes on with the others alone,
  and all instances are checked again at the end.

Source: Fan, Chen and Lin (2005), J. Mach. Learn. Res. 6, 1889-1918; Joachims (1998), *Making large-scale SVM learning
practical*, for the rows on demand and the active set.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.kernels.svm.rows import INDEFINITE, DistanceRows, Gram
from notes_lib.kernels.svm.steps import REACHED, up_low
from notes_lib.numerics import aligned, aligned_empty

SMALL = 500  # up to so many instances no active set is worth its overhead
ALL_SHARE = 1 / 2  # of the memory is for rows of all instances, the rest for the active set
FIRST = 0.1  # share of the first violation at which the active set is chosen for the first time


class Solution(NamedTuple):
    """Result of :func:`solve`.

    ``alpha`` (n,); ``F`` (n,), ``start - K (alpha y)``; ``objective``, the dual objective after each iteration;
    ``violation``, the largest KKT violation at the end; ``indefinite``, whether a negative curvature was met.
    """

    alpha: FloatArray
    F: FloatArray
    objective: list[float]
    violation: float
    indefinite: bool


def solve(
    gram: Gram,
    y: FloatArray,
    C: FloatArray,
    tol: float,
    max_iter: int,
    megabytes: float,
    curvature: str,
    start: FloatArray | None = None,
) -> Solution:
    """Maximise ``sum_n alpha_n y_n start_n - sum_nm alpha_n alpha_m y_n y_m K_nm / 2`` over the box, ``y'alpha = 0``.

    Parameters
    ----------
    gram : Gram
    y : (n,) array of -1 and 1, both present
    C : (n,) array, positive, may be infinite
    tol : float
        Stop when the largest KKT violation is below it.
    max_iter : int
    megabytes : float
        Most memory that rows of H may take.
    curvature : {"trust", "refuse", "note"}
        What to do about a negative H, which a positive semi-definite kernel cannot have: do not look for it, raise
        ValueError, or go on and say so in the result.
    start : (n,) array, optional
        The candidates F at ``alpha = 0``; y if missing, which makes it the dual of the soft-margin machine.

    Returns
    -------
    Solution
    """
    n = len(y)
    alpha, F, objective = np.zeros(n), (y if start is None else start).astype(float), list[float]()
    rows, indefinite, everyone = DistanceRows(gram, ALL_SHARE * megabytes), False, np.arange(n)
    first = FIRST * float(F[y > 0].max() - F[y < 0].min())  # the violation at alpha = 0
    active, target = everyone, tol if n <= SMALL else max(tol, first)
    while True:
        before = len(objective)
        if len(active) == n:
            loop = _Loop(rows, y, C, alpha, F, curvature)
            loop.run(target, max_iter, objective)
            alpha, F = loop.alpha_and_F()
        else:
            inner = DistanceRows(gram.restrict(active), (1 - ALL_SHARE) * megabytes)
            loop = _Loop(inner, y[active], C[active], alpha[active], F[active], curvature)
            loop.run(tol, max_iter, objective)
            new, _ = loop.alpha_and_F()
            step = (new - alpha[active]) * y[active]
            alpha[active] = new
            moved = active[step != 0]
            F -= _combination(rows, moved, step[step != 0])
        indefinite |= loop.indefinite
        up, low = up_low(y, alpha, C)
        m, M = F[up].max(), F[low].min()
        stalled = loop.stalled or len(objective) == before
        if m - M < tol or len(objective) >= max_iter or (stalled and len(active) == n):
            return Solution(alpha, F, objective, float(m - M), indefinite)
        active = np.flatnonzero((up & low) | (up & (M <= F)) | (low & (m >= F)))
        if len(active) > n // 2 or stalled:
            active, target = everyone, max(tol, 0.1 * float(m - M))


class _Loop:
    """The iterations on one set of instances; the arrays of candidates are its state."""

    def __init__(
        self, rows: DistanceRows, y: FloatArray, C: FloatArray, alpha: FloatArray, F: FloatArray, curvature: str
    ) -> None:
        self.rows, self.curvature, self.indefinite, self.stalled = rows, curvature, False, False
        self.positive, self.C, self.alpha = (y > 0).tolist(), C.tolist(), alpha.tolist()
        up, low = up_low(y, alpha, C)
        self.up, self.low = aligned(np.where(up, F, -np.inf)), aligned(np.where(low, F, np.inf))
        self.shift = 0.0  # what F has in excess, the same number for all

    def alpha_and_F(self) -> tuple[FloatArray, FloatArray]:
        return np.array(self.alpha), np.where(self.up == -np.inf, self.low, self.up) - self.shift

    def run(self, tol: float, max_iter: int, objective: list[float]) -> None:
        """Iterate until the violation is below tol, appending the dual objective of every iteration."""
        up, low, alpha, C, positive = self.up, self.low, self.alpha, self.C, self.positive
        floor, half = self.rows.gram.floor, self.rows.half
        row = self.rows if self.curvature == "trust" else self._searched_row
        kept = self.rows.kept if self.rows.keeps_all else {}
        subtract, multiply, divide, absolute = np.subtract, np.multiply, np.divide, np.absolute
        gain, size = aligned_empty(2, len(up))
        D, minus_infinity = objective[-1] if objective else 0.0, -np.inf
        while len(objective) < max_iter:
            i = int(up.argmax())  # svm-first-index
            m = up.item(i)
            H_i = kept[i] if i in kept else row(i)
            subtract(m, low, gain)
            absolute(gain, size)
            multiply(gain, size, gain)  # the square with its sign: who is no partner cannot gain
            divide(gain, np.maximum(H_i, floor) if self.indefinite else H_i, gain)
            j = int(gain.argmax())  # svm-second-index
            violation = m - low.item(j)
            if violation < tol and m - low.min() < tol:  # svm-stopping
                break
            H_j, H_ij = kept[j] if j in kept else row(j), H_i.item(j)
            room_i = C[i] - alpha[i] if positive[i] else alpha[i]
            room_j = alpha[j] if positive[j] else C[j] - alpha[j]
            t = min(violation / (2 * max(H_ij, floor)), room_i, room_j)  # svm-clip
            old_i, old_j = alpha[i], alpha[j]
            alpha[i] = old_i + t if positive[i] else old_i - t
            alpha[j] = old_j - t if positive[j] else old_j + t
            if alpha[i] == old_i and alpha[j] == old_j:
                self.stalled = True  # the step is lost in rounding
                break
            reach = t * REACHED
            if reach >= room_i:  # a bound is met exactly
                alpha[i] = C[i] if positive[i] else 0.0
            if reach >= room_j:
                alpha[j] = 0.0 if positive[j] else C[j]
            subtract(H_j, H_i, gain)
            multiply(gain, t, gain)
            subtract(up, gain, up)  # svm-update
            subtract(low, gain, low)
            for k, old in ((i, old_i), (j, old_j)):  # who is a candidate for what
                if 0 < old < C[k] and 0 < alpha[k] < C[k]:
                    continue  # for both, as before
                F = up.item(k)
                if minus_infinity == F:
                    F = low.item(k)
                below, above = alpha[k] < C[k], alpha[k] > 0
                up[k] = F if (below if positive[k] else above) else minus_infinity
                low[k] = F if (above if positive[k] else below) else np.inf
            self.shift += t * (half.item(i) - half.item(j))
            D += t * (violation - t * (H_ij - floor))  # svm-gain
            objective.append(D)

    def _searched_row(self, k: int) -> FloatArray:
        """Row k; the first time, look for a negative distance in it."""
        known = k in self.rows.kept
        row = self.rows(k)
        if not known and row.min() < self.rows.gram.lowest:
            if self.curvature == "refuse":
                raise ValueError(INDEFINITE)
            self.indefinite = True
        return row


def _combination(rows: DistanceRows, moved: IntArray, weights: FloatArray) -> FloatArray:
    """``sum_k weights[k] K[moved[k]]``, from stored rows of H where there are any."""
    stored = np.array([k in rows.kept for k in moved.tolist()], dtype=bool)
    w = weights[stored]
    total = w @ rows.half[moved[stored]] + w.sum() * (rows.half + rows.gram.floor)  # K = half_k + half - H + floor
    for k, weight in zip(moved[stored].tolist(), w.tolist(), strict=True):  # few of the stored rows: no copy of them
        total -= weight * rows.kept[k]
    fresh, w = moved[~stored], weights[~stored]
    for start in range(0, len(fresh), 64):
        part = slice(start, start + 64)
        total = total + w[part] @ rows.gram.rows(fresh[part])
    return total


def duality_gap(found: Solution, b: float, signs: FloatArray, C: FloatArray) -> float:
    """Primal less dual objective, from the candidates: the scores without bias are ``signs - F``."""
    scores = signs - found.F
    slack = np.maximum(0.0, 1.0 - signs * (scores + b))
    price = np.where(np.isinf(C), 0.0, C) @ slack
    return float((found.alpha * signs) @ scores - found.alpha.sum() + price)  # svm-gap

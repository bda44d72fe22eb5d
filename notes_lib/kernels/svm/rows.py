"""Rows of half squared distances in feature space: of a precomputed kernel, or computed at their first use."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.kernels.svm.steps import FLOOR
from notes_lib.numerics import aligned, aligned_empty

NEGATIVE = 1e-7  # a half squared distance below minus this share of the largest k(x, x) is not rounding
INDEFINITE = (
    "kernel is not positive semi-definite: a step met negative curvature, k(x, x) + k(z, z) - 2 k(x, z) < 0, so the "
    "dual is not concave. Use a valid kernel, or add a multiple of the identity to the matrix."
)


class Gram:
    """Kernel values among n instances, some rows at a time, from products of coordinates or from a stored matrix."""

    def __init__(
        self,
        left: FloatArray,
        right: FloatArray | None,
        finish: Callable[..., FloatArray] | None,
        diagonal: FloatArray,
        rounding: float = 0.0,
    ) -> None:
        self.left, self.right = left, None if right is None else aligned(right)  # None: left is the matrix itself
        self.finish = finish
        self.diagonal, self.rounding = diagonal, rounding
        scale = float(np.abs(diagonal).max())
        if not np.isfinite(scale):
            raise ValueError("X is too large: its kernel values overflow, rescale its columns.")
        self.floor = FLOOR * scale + rounding or FLOOR  # added to every half squared distance: no curvature is 0
        self.lowest = -NEGATIVE * (scale or 1.0)

    def rows(self, k: int | IntArray, out: FloatArray | None = None) -> FloatArray:
        """Kernel values of instance k with all, (n,), or of several instances, (m, n)."""
        if self.right is None:
            if out is None:
                return self.left[k]
            out[...] = self.left[k]
            return out
        out = np.dot(self.left[k], self.right, out=out)
        return out if self.finish is None else self.finish(out, out=out)

    def restrict(self, active: IntArray) -> Gram:
        """The same kernel among some of the instances."""
        if self.right is None:
            return Gram(self.left[np.ix_(active, active)], None, None, self.diagonal[active])
        return Gram(self.left[active], self.right[:, active], self.finish, self.diagonal[active], self.rounding)


def gram(X: FloatArray, kernel: str, gamma: float, degree: int, coef0: float) -> Gram:
    """The values of :func:`notes_lib.kernels.kernel_methods.kernel_matrix`, row by row and without its checks.

    ``kernel="precomputed"`` takes the matrix itself as X.
    """
    if kernel == "precomputed":
        return Gram(X, None, None, np.diag(X).copy())
    if kernel == "rbf":  # exp(2 gamma x'z - gamma |x|^2 - gamma |z|^2) as one product of augmented vectors
        X = X - X.mean(axis=0)
        sq = gamma * np.einsum("ij,ij->i", X, X)
        one = np.ones(len(X))
        rounding = 16 * np.finfo(float).eps * float(sq.max())
        left, right = np.column_stack([2 * gamma * X, one, -sq]), np.vstack([X.T, -sq, one])
        return Gram(left, right, np.exp, one, rounding)
    with np.errstate(over="ignore", invalid="ignore"):
        square = np.einsum("ij,ij->i", X, X)
        if kernel == "linear":
            return Gram(X, X.T, None, square)
        left, right = np.column_stack([gamma * X, np.full(len(X), coef0)]), np.vstack([X.T, np.ones(len(X))])
        if kernel == "sigmoid":
            return Gram(left, right, np.tanh, np.tanh(gamma * square + coef0))
        power = lambda A, out: np.power(A, degree, out=out)
        return Gram(left, right, power, (gamma * square + coef0) ** degree)


class DistanceRows:
    """Rows of ``H``, half the squared distances in feature space, computed at first use.

    At most ``megabytes`` of them are kept (at least two); the row that was used longest ago makes room.
    """

    def __init__(self, gram: Gram, megabytes: float) -> None:
        n = len(gram.diagonal)
        self.capacity = int(min(n, max(2, megabytes * 2**20 // (8 * n))))
        self.keeps_all = self.capacity == n
        self.gram, self.half = gram, 0.5 * gram.diagonal
        self.level = float(gram.diagonal[0]) + gram.floor if np.ptp(gram.diagonal) == 0 else None
        self.store = aligned_empty(self.capacity, n)  # pages of memory are taken when they are written
        self.kept: dict[int, FloatArray] = {}  # instance -> its row in the store, the longest unused first
        self.computed = 0

    def __call__(self, k: int) -> FloatArray:
        """Row k; valid until two other rows have been asked for."""
        row = self.kept.get(k)
        if row is not None:
            if not self.keeps_all:
                self.kept[k] = self.kept.pop(k)
            return row
        full = len(self.kept) == self.capacity
        row = self.kept.pop(next(iter(self.kept))) if full else self.store[len(self.kept)]
        self.kept[k] = row
        self.computed += 1
        self.gram.rows(k, out=row)
        if self.level is not None:
            return np.subtract(self.level, row, out=row)
        np.subtract(self.half, row, out=row)
        row += self.half[k] + self.gram.floor
        return row

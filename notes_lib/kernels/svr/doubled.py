"""The kernel among two copies of each row, for the solver of :mod:`notes_lib.kernels.svm`."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.kernels.svm.rows import Gram


class DoubledGram(Gram):
    """Kernel values among ``2 n`` copies, of which k and ``n + k`` are the same row; each is computed once.

    Implements :eq:`svr-doubled`.
    """

    def __init__(self, single: Gram) -> None:
        self.single, self.n = single, len(single.diagonal)
        self.diagonal = np.tile(single.diagonal, 2)
        self.floor, self.lowest = single.floor, single.lowest

    def rows(self, k: int | IntArray, out: FloatArray | None = None) -> FloatArray:
        """Kernel values of copy k with all, (2 n,), or of several copies, (m, 2 n)."""
        if out is None:
            return np.tile(self.single.rows(k % self.n), 2)
        self.single.rows(k % self.n, out=out[: self.n])
        out[self.n :] = out[: self.n]
        return out

    def restrict(self, active: IntArray) -> Gram:
        """The same kernel among some of the copies."""
        return self.single.restrict(active % self.n)

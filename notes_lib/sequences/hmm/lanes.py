"""The recursions of a hidden Markov model over many pieces of sequences at a time: what all of them share.

The recursions of a hidden Markov model take T steps one after another, each a product with a K x K matrix, far too
little work for one call of NumPy. Here the sequences are cut into *lanes* of at most L steps, and all lanes take a step
together: arrays are (K, n) with one column for each of the n lanes. A lane that continues another one starts from a
guess, made by a short run over the end of its neighbour. When all lanes are done, a lane whose neighbour ended in
another way than assumed is run again, until no boundary changes.

Why the result is that of the plain recursion: a lane that starts from a vector that is right up to a relative error
``RELATIVE`` in every entry stays so, because products and sums of non-negative numbers never enlarge the largest
relative error of the entries. A chain that does not forget its start is left to the plain recursion, one lane for each
sequence.

Probabilities are scaled to sum 1 at each step. Where scaling could lose a state that matters later (transitions of
probability zero, or nearly so, together with very small numbers) the same recursions run on logarithms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray

RELATIVE = 1e-12  # a lane's start counts as known when every entry is known to this relative precision
PASSES = 6  # how often lanes are run again before the plain recursion takes over
SHORTEST, WARM_UP = 64, 96  # steps of a lane at least, steps over a neighbour to guess a start
PRODUCTS = 200_000  # up to T K^3 = so many, a product of matrices is a faster guess than a run step by step
SMALL = 1e-100  # when all transition probabilities are larger, no state can matter again after it has underflowed


class Lanes(NamedTuple):
    """Where each step of each lane comes from: ``position`` and ``valid`` (L, n); ``before`` and ``after`` (n,).

    ``before`` and ``after`` are the neighbouring lanes of the same sequence, -1 where there is none. Steps that are not
    valid fill up the last lane of a sequence.
    """

    position: IntArray
    valid: np.ndarray
    before: IntArray
    after: IntArray

    def restore(self, Z: np.ndarray) -> np.ndarray:
        """Values (L, K, n) or (L, n) in the order of the data: (T, K) or (T,)."""
        T = int(self.valid.sum())
        flat = np.moveaxis(Z, 0, -1).reshape(*Z.shape[1:-1], -1)  # (K, n L)
        keep = self.valid.T.ravel()
        return (flat[..., :T] if keep[:T].all() else flat[..., keep]).T


class Chain(NamedTuple):
    """A model and its data: ``pi`` (K,), ``A`` (K, K), ``table`` (K, S), nats, and the column of each step (T,)."""

    pi: FloatArray
    A: FloatArray
    table: FloatArray
    column: IntArray
    lengths: IntArray


def cut(lengths: IntArray, longest: int | None = None) -> Lanes:
    """Cut sequences into lanes of at most ``longest`` steps; by default as many lanes as steps, roughly."""
    L = max(SHORTEST, int(0.6 * np.sqrt(lengths.sum()))) if longest is None else longest
    L = min(L, int(lengths.max()))
    pieces = -(-lengths // L)
    sequence = np.repeat(np.arange(len(lengths)), pieces)
    lane = np.arange(len(sequence))
    within = lane - (np.cumsum(pieces) - pieces)[sequence]
    end = np.cumsum(lengths)[sequence]
    position = (end - lengths[sequence] + within * L) + np.arange(L)[:, None]
    before = np.where(within > 0, lane - 1, -1)
    after = np.where(within < pieces[sequence] - 1, lane + 1, -1)
    return Lanes(position, position < end, before, after)


def settle(
    run: Callable[[IntArray, np.ndarray], np.ndarray],
    guess: np.ndarray,
    neighbour: IntArray,
    same: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> bool:
    """Run all lanes from guessed boundaries, then again those that were guessed wrong; False if they do not settle.

    ``run(which, boundary)`` runs some lanes and returns what they hand on, one column each.
    """
    linked = np.flatnonzero(neighbour >= 0)
    used = guess
    handed = run(np.arange(len(neighbour)), used)
    for _ in range(PASSES):
        wrong = linked[~same(handed[:, neighbour[linked]], used[:, linked])]
        if not wrong.size:
            return True
        used[:, wrong] = handed[:, neighbour[wrong]]
        handed[:, wrong] = run(wrong, used[:, wrong])
    return False


def short(F: FloatArray) -> bool:
    """Whether ``product`` is the faster way to guess where lanes start."""
    K, L, n = F.shape
    return L == SHORTEST and n * L * K**3 <= PRODUCTS


def product(A: FloatArray, F: FloatArray) -> FloatArray:
    """``A diag(F_1) A diag(F_2) ...`` (n, K, K) of each lane of F (K, L, n) up to a factor; L must be a power of 2."""
    M = A * F.T[:, :, None, :]
    with np.errstate(invalid="ignore"):  # 0/0 where all is impossible: a guess that will be refused
        while M.shape[1] > 1:
            M = M[:, ::2] @ M[:, 1::2]
            M /= M.max(axis=(2, 3), keepdims=True)
    return M[:, 0]


def gather(table: FloatArray, column: IntArray, lanes: Lanes, filler: float) -> FloatArray:
    """Emission values (K, L, n); ``filler`` where a lane is filled up."""
    wide = np.column_stack([table, np.full(len(table), filler)])
    if lanes.valid.all():
        return np.take(wide, column[lanes.position], axis=1)
    position = np.where(lanes.valid, lanes.position, 0)
    return np.take(wide, np.where(lanes.valid, column[position], table.shape[1]), axis=1)


def shifted(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """``exp(table - shift)`` with 1 as the largest entry of a column, and the shift (S,)."""
    shift = table.max(axis=0)
    shift = np.where(np.isneginf(shift), 0.0, shift)
    return np.exp(table - shift), shift


def add_logs(values: FloatArray, axis: int = 0) -> FloatArray:
    """Logarithm of a sum of exponentials, as SciPy's ``logsumexp``, without its checks: called once a step."""
    largest = values.max(axis=axis, keepdims=True)
    safe = np.where(np.isneginf(largest), 0.0, largest)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(values - safe).sum(axis=axis)) + safe.squeeze(axis)


def same_ratio(a: FloatArray, b: FloatArray) -> np.ndarray:
    """Whether columns agree up to a factor, every entry to a relative ``RELATIVE``."""
    with np.errstate(invalid="ignore", divide="ignore"):
        a, b = a / a.sum(axis=0), b / b.sum(axis=0)
        return (np.abs(a - b) <= RELATIVE * b + 1e-280).all(axis=0)


def relative(delta: FloatArray) -> FloatArray:
    """Columns less their maximum; columns without a finite entry as they are."""
    largest = delta.max(axis=0)
    return delta - np.where(np.isneginf(largest), 0.0, largest)


def same_difference(a: FloatArray, b: FloatArray) -> np.ndarray:
    """Whether columns of logarithms agree to 1e-9."""
    with np.errstate(invalid="ignore"):
        return ((a == b) | (np.abs(a - b) <= 1e-9)).all(axis=0)

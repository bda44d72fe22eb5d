"""Passes of the perceptron by blocks: the same mistakes as row after row, found by fewer and larger operations."""

from __future__ import annotations

import warnings
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import (
    FloatArray,
    IntArray,
    check_choice,
    check_integer,
    check_matrix,
    check_positive,
    check_vector,
)
from notes_lib.numerics import RandomState, check_rng

Keep = Literal["last", "average", "pocket"]
SMALLEST, LARGEST = 64, 4096  # rows looked at together


class Learned(NamedTuple):
    """What :func:`learn` found.

    ``w`` (d + 1,) the weights that are kept; ``alpha`` (n,) how often each sample was a mistake; ``errors`` (n_iter,)
    the mistakes of each pass; ``converged`` whether the last pass made none.
    """

    w: FloatArray
    alpha: IntArray
    errors: IntArray
    n_iter: int
    converged: bool


def learn(
    Z: ArrayLike, w: ArrayLike | None = None, *, learning_rate: float = 1.0, max_iter: int = 1000, keep: Keep = "last",
    shuffle: bool = False, random_state: RandomState = None,
) -> Learned:  # fmt: skip
    """Pass over the normalised samples until a pass makes no mistake.

    Repeats :eq:`perceptron-update`, in the order of the rows or in a new random order for each pass.

    Parameters
    ----------
    Z : (n, d + 1) array
        Normalised samples, :func:`normalised_samples`.
    w : (d + 1,) array, optional
        Weights to start from; zero by default.
    learning_rate : float
        Positive factor of each update. From zero weights it changes their length and nothing else.
    max_iter : int
        Most passes.
    keep : {"last", "average", "pocket"}
        Which weights are the result: those after the last pass; their mean over all samples that came,
        :eq:`perceptron-average`; or, of those that stood long, the ones with the fewest mistakes on all samples
        (Gallant's pocket with ratchet).
    shuffle : bool
        Whether each pass has its own random order. The pocket's theorem asks for it.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Learned

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a value is not finite, ``learning_rate`` is not positive, ``max_iter`` < 1, or
        ``keep`` is none of the three.

    Warns
    -----
    ConvergenceWarning
        If the last pass still made mistakes: the samples are not separable, or ``max_iter`` is too small.

    Notes
    -----
    O(n d) time a pass; the pocket adds O(n d) for each candidate, and a candidate has stood longer than the last one.

    Examples
    --------
    >>> run = learn([[3.0, 3.0, 1.0], [4.0, 3.0, 1.0], [-1.0, -1.0, -1.0]])
    >>> run.w, run.alpha, run.errors
    (array([ 1.,  1., -3.]), array([2, 0, 5]), array([2, 1, 1, 2, 1, 0]))
    """
    return repeat_passes(check_matrix(Z, "Z"), w, learning_rate, max_iter, keep, shuffle, random_state)


def repeat_passes(
    Z: FloatArray, w: ArrayLike | None, learning_rate: float, max_iter: int, keep: Keep, shuffle: bool,
    random_state: RandomState,
) -> Learned:  # fmt: skip
    """What :func:`learn` does, on samples whose entries are checked already."""
    w = np.zeros(Z.shape[1]) if w is None else check_vector(w, "w", Z.shape[1]).copy()
    rate, max_iter = check_positive(learning_rate, "learning_rate"), check_integer(max_iter, "max_iter")
    check_choice(keep, "keep", get_args(Keep))
    rng, n = check_rng(random_state), len(Z)
    alpha, kept = np.zeros(n, dtype=np.intp), None if keep == "last" else KEPT[keep](Z, rate)
    errors: list[int] = []
    while not (errors and errors[-1] == 0) and len(errors) < max_iter:
        order = rng.permutation(n) if shuffle else np.arange(n)
        before = w.copy()
        places = look_ahead(Z[order] if shuffle else Z, w, rate)
        rows = order[places]
        np.add.at(alpha, rows, 1)
        if kept:
            kept.follow(before, rows, places)
        errors.append(len(rows))
    if errors[-1]:
        warnings.warn(
            f"the last of {len(errors)} passes made {errors[-1]} mistakes: raise max_iter, or, if no line separates "
            "the classes, keep the average or the pocket's weights.", ConvergenceWarning, stacklevel=3,
        )  # fmt: skip
    return Learned(kept.best if kept else w, alpha, np.array(errors), len(errors), errors[-1] == 0)


def look_ahead(Z: FloatArray, w: FloatArray, rate: float) -> IntArray:
    """One pass that changes ``w`` in place, and its mistakes: a block's scores at once, then on to the first mistake.

    Blocks double while nothing is wrong and are small again after a mistake. Most calls look at few rows, so that what
    a call costs before it begins decides: an array as zero need not be made from a number each time, and ``find`` is
    faster than ``argmax``.
    """
    mistakes: list[int] = []
    i, size, zero = 0, SMALLEST, np.zeros(())
    while i < len(Z):
        wrong = Z[i : i + size].dot(w) <= zero
        first = wrong.tobytes().find(1)
        if first >= 0:
            i += first
            mistakes.append(i)
            w += Z[i] if rate == 1 else rate * Z[i]  # perceptron-update
            i, size = i + 1, SMALLEST
        else:
            i, size = i + size, min(2 * size, LARGEST)
    return np.array(mistakes, dtype=np.intp)


class Average:
    """The mean of the weights over all samples that came, :eq:`perceptron-average`."""

    def __init__(self, Z: FloatArray, rate: float) -> None:
        self.Z, self.rate = Z, rate
        self.total, self.seen = np.zeros(Z.shape[1]), 0

    def follow(self, w: FloatArray, rows: IntArray, places: IntArray) -> None:
        """Add the weights of a pass that started from ``w``: an update counts from its own sample on."""
        n = len(self.Z)
        self.total += n * w + self.rate * ((n - places) @ self.Z[rows])
        self.seen += n

    @property
    def best(self) -> FloatArray:
        """The mean so far."""
        return self.total / self.seen


class Pocket:
    """The weights with the fewest mistakes on all samples, among those that stood longer than any before them."""

    def __init__(self, Z: FloatArray, rate: float) -> None:
        self.Z, self.rate = Z, rate
        self.best: FloatArray = np.zeros(Z.shape[1])
        self.fewest, self.longest, self.run = len(Z) + 1, -1, 0

    def follow(self, w: FloatArray, rows: IntArray, places: IntArray) -> None:
        """Go again through a pass that started from ``w``, and look at the weights wherever a mistake ended a run."""
        w, last = w.copy(), -1
        for row, place in zip(rows, places, strict=True):
            self.run += place - last - 1
            self.offer(w)
            w += self.rate * self.Z[row]
            self.run, last = 0, place
        self.run += len(self.Z) - 1 - last
        self.offer(w)

    def offer(self, w: FloatArray) -> None:
        """Take the weights if they stood longer than any so far and are wrong less often."""
        if self.run > self.longest:
            self.longest = self.run
            wrong = int((self.Z @ w <= 0).sum())
            if wrong < self.fewest:
                self.best, self.fewest = w.copy(), wrong


KEPT: dict[str, type[Average | Pocket]] = {"average": Average, "pocket": Pocket}

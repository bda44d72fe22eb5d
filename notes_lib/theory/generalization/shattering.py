"""What a class of hypotheses can do with some points: labelings, shattering, growth functions, Radon's partition."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import null_space

from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_matrix

Hypotheses = Literal["rays", "intervals", "rectangles", "half-spaces"]
LINE: tuple[Hypotheses, ...] = ("rays", "intervals")
MOST = 16  # points whose 2^n labelings are still tried one by one


class RadonPartition(NamedTuple):
    """Result of :func:`radon_partition`: ``signs`` (n,) of -1, 0 and 1, and the common ``point`` (d,)."""

    signs: IntArray
    point: FloatArray


def growth_function(hypotheses: Hypotheses, n: int, d: int = 1) -> int:
    """Most labelings that a class gives ``n`` points; :eq:`generalization-growth`.

    Parameters
    ----------
    hypotheses : {"rays", "intervals", "half-spaces"}
        ``[x > t]`` on the line, ``[a <= x <= b]`` on the line, ``[w'x + b > 0]`` in d dimensions.
    n : int
        At least 0.
    d : int
        Dimension, for half-spaces.

    Returns
    -------
    int
        Exact, for points in general position.

    Raises
    ------
    TypeError, ValueError
        Unknown class, or a number outside its range; for rectangles there is no short formula.

    Examples
    --------
    >>> growth_function("rays", 5), growth_function("intervals", 5), growth_function("half-spaces", 4, d=2)
    (6, 16, 14)
    """
    check_choice(hypotheses, "hypotheses", ("rays", "intervals", "half-spaces"))
    n, d = check_integer(n, "n", 0), check_integer(d, "d")
    if hypotheses == "rays":
        return n + 1
    if hypotheses == "intervals":
        return comb(n + 1, 2) + 1
    return 2 * sum(comb(n - 1, i) for i in range(d + 1)) if n else 1  # generalization-cover


def labelings(points: ArrayLike, hypotheses: Hypotheses) -> IntArray:
    """All labelings of some points that a class contains.

    Parameters
    ----------
    points : (n, d) array
        One column for rays and intervals; at most 16 rows.
    hypotheses : {"rays", "intervals", "rectangles", "half-spaces"}
        Rays point to the right, rectangles have sides along the axes, and inside is 1.

    Returns
    -------
    (m, n) array of 0 and 1
        In the order of binary numbers.

    Raises
    ------
    TypeError, ValueError
        Bad points, more than one column for a class on the line, too many points, unknown class.

    Notes
    -----
    Tries all 2^n labelings: O(2^n n d). For half-spaces, those are left out that contain a Radon partition of at most
    d + 2 of the points, which is enough by Kirchberger's theorem: O(2^n n^(d + 2)). Points count as equal, on one
    line or in one plane there if they are so up to 1e-10 of the extent of all points. The other classes are exact.

    Examples
    --------
    >>> labelings([[1.0], [2.0], [4.0]], "rays").tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]
    """
    X = check_matrix(points, "points")
    check_choice(hypotheses, "hypotheses", get_args(Hypotheses))
    if hypotheses in LINE and X.shape[1] != 1:
        raise ValueError(f"points must have one column for {hypotheses}, got {X.shape[1]}.")
    if len(X) > MOST:
        raise ValueError(f"points must be at most {MOST}, since all labelings are tried, got {len(X)}.")
    tried = np.array(list(product((0, 1), repeat=len(X))), dtype=int)
    if hypotheses == "half-spaces":
        return tried[_separable(X, tried)]
    return tried[[_contains(X, row == 1, hypotheses) for row in tried]]


def is_shattered(points: ArrayLike, hypotheses: Hypotheses) -> bool:
    """Whether a class gives some points every labeling; :eq:`generalization-shatter`.

    Parameters
    ----------
    points, hypotheses
        As in :func:`labelings`.

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ValueError
        As in :func:`labelings`.

    Notes
    -----
    The cost is that of :func:`labelings`.

    Examples
    --------
    >>> triangle, square = [[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 0], [0, 1], [1, 1]]
    >>> is_shattered(triangle, "half-spaces"), is_shattered(square, "half-spaces")
    (True, False)
    """
    return len(labelings(points, hypotheses)) == 2 ** len(np.asarray(points))


def radon_partition(points: ArrayLike) -> RadonPartition:
    """Divide d + 2 points into two sets whose convex hulls meet; :eq:`generalization-radon`.

    Parameters
    ----------
    points : (d + 2, d) array

    Returns
    -------
    RadonPartition
        No half-space holds the points with sign 1 and not those with sign -1. Points with sign 0 are not needed.

    Raises
    ------
    TypeError, ValueError
        If the number of rows is not two more than that of columns.

    Notes
    -----
    One singular value decomposition, O(d^3).

    Examples
    --------
    >>> signs, point = radon_partition([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> (signs * signs[0]).tolist(), point.round(12).tolist()
    ([1, -1, -1, 1], [1.0, 1.0])
    """
    X = check_matrix(points, "points")
    n, d = X.shape
    if n != d + 2:
        raise ValueError(f"points must have d + 2 = {d + 2} rows for d = {d} columns, got {n}.")
    weights = null_space(np.vstack([X.T, np.ones(n)]))[:, 0]  # sum_i a_i x_i = 0 and sum_i a_i = 0
    weights[np.abs(weights) < 1e-12 * np.abs(weights).max()] = 0.0
    positive = np.maximum(weights, 0.0)
    return RadonPartition(np.sign(weights).astype(int), positive @ X / positive.sum())  # generalization-radon


def _contains(X: FloatArray, inside: np.ndarray, hypotheses: Hypotheses) -> bool:
    if not inside.any():
        return True
    low, high = X[inside].min(axis=0), X[inside].max(axis=0)
    if hypotheses == "rays":
        high = np.full_like(high, np.inf)
    return not ((X[~inside] >= low) & (X[~inside] <= high)).all(axis=1).any()  # the smallest one suffices


def _separable(X: FloatArray, tried: IntArray) -> np.ndarray:
    """Whether no hulls of points with unequal labels meet, for each labeling."""
    holds = np.ones(len(tried), dtype=bool)
    for subset, positive in _radon_partitions(X):
        labels = tried[:, subset]
        holds &= (labels != positive).any(axis=1) & (labels == positive).any(axis=1)
    return holds


def _radon_partitions(X: FloatArray) -> Iterator[tuple[list[int], np.ndarray]]:
    """Subsets with one affine dependence, up to a factor, and which of its weights are positive."""
    centred = X - X.mean(axis=0)
    lifted = np.vstack([centred.T / max(np.abs(centred).max(), 1e-300), np.ones(len(X))])
    for size in range(2, X.shape[1] + 3):
        for subset in map(list, combinations(range(len(X)), size)):
            weights = null_space(lifted[:, subset], rcond=1e-10)
            if weights.shape[1] == 1:
                yield subset, weights[:, 0] > 0

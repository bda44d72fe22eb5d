"""Decision regions and their errors, exactly, for densities on a line that are made of straight pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_distribution, check_shape, check_vector

Polyline = tuple[ArrayLike, ArrayLike]


class Regions(NamedTuple):
    """Result of :func:`bayes_regions`.

    ``borders`` (r + 1,) are the ends of the r regions, ``actions`` (r,) what is done there, ``masses`` (K, r) the
    probability of each class *and* that region, and ``risk`` the sum of their costs.
    """

    borders: FloatArray
    actions: IntArray
    masses: FloatArray
    risk: float


def bayes_regions(densities: Sequence[Polyline], priors: ArrayLike, cost: ArrayLike | None = None) -> Regions:
    """Regions of least risk and their error integrals, exactly; :eq:`bayes-decision-risk-regions`.

    Parameters
    ----------
    densities : sequence of K pairs (x, p)
        Each density as a line through the points ``(x[i], p[i])``, with ``x`` not falling, and 0 outside. A place that
        stands twice is a jump: ``([0, 2], [0.5, 0.5])`` is uniform, ``([0, 1, 2], [0, 1, 0])`` a triangle.
    priors : (K,) array
        Class probabilities, sum 1.
    cost : (K, A) array or None
        ``cost[k, a]``: cost of action a when class k is true. None: the 0-1 loss, and ``risk`` is the Bayes error.

    Returns
    -------
    Regions
        From the first to the last place where a density may be positive. Where several actions are equally good, the
        lowest number is taken.

    Raises
    ------
    ValueError
        If a density is negative, does not integrate to 1, or its places fall; if ``priors`` is no distribution with
        one entry a density, or ``cost`` does not have one row for each.

    Notes
    -----
    At most O(A^3 K m) time for m points in all. On a piece every action's cost is a straight line, so it is enough to
    cut where two of these lines cross; the trapezoid rule is then exact.

    Examples
    --------
    >>> found = bayes_regions([([0, 1, 2], [0, 1, 0]), ([1, 2, 3], [0, 1, 0])], [0.5, 0.5])
    >>> found.borders.tolist(), found.actions.tolist(), round(found.risk, 4)
    ([0.0, 1.5, 3.0], [0, 1], 0.125)
    """
    lines = [_polyline(x, p, k) for k, (x, p) in enumerate(densities)]
    K = len(lines)
    pi = check_distribution(priors, "priors", (K,))
    C = 1.0 - np.eye(K) if cost is None else check_shape(cost, "cost", (K, None))
    knots = np.unique(np.concatenate([x for x, _ in lines]))
    cuts = _cut(knots, lines, pi, C)
    left, right = _ends(lines, cuts)  # (K, m) each
    width = np.diff(cuts)
    masses = pi[:, None] * (left + right) / 2 * width  # trapezoids, exact for straight pieces
    actions = (C.T @ masses).argmin(axis=0)
    new = np.r_[True, np.diff(actions) != 0]
    merged = np.add.reduceat(masses, np.flatnonzero(new), axis=1)
    risk = (C[:, actions] * masses).sum()  # bayes-decision-risk-regions
    return Regions(cuts[np.r_[new, True]], actions[new], merged, float(risk))


def _polyline(x: ArrayLike, p: ArrayLike, k: int) -> tuple[FloatArray, FloatArray]:
    x = check_vector(x, f"x of density {k}")
    p = check_vector(p, f"p of density {k}", len(x))
    if (np.diff(x) < 0).any():
        raise ValueError(f"x of density {k} must not fall: sort the points from left to right.")
    if (p < 0).any():
        raise ValueError(f"p of density {k} must not be negative, got {p.min()}.")
    area = float(np.sum((p[1:] + p[:-1]) / 2 * np.diff(x)))
    if abs(area - 1) > 1e-9:
        raise ValueError(f"density {k} must integrate to 1, it gives {area:.6g}: divide p by this number.")
    return x, p


def _ends(lines: list[tuple[FloatArray, FloatArray]], cuts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Values of each density at the left and right end of each piece, seen from inside."""
    middle = (cuts[1:] + cuts[:-1]) / 2
    left, right = np.zeros((2, len(lines), len(middle)))
    for k, (x, p) in enumerate(lines):
        i = np.searchsorted(x, middle) - 1  # the piece of the polyline that holds the middle
        inside = (i >= 0) & (i < len(x) - 1)
        j = i[inside]
        slope = (p[j + 1] - p[j]) / (x[j + 1] - x[j])
        left[k, inside] = p[j] + slope * (cuts[:-1][inside] - x[j])
        right[k, inside] = p[j] + slope * (cuts[1:][inside] - x[j])
    return left, right


def _cut(knots: FloatArray, lines: list[tuple[FloatArray, FloatArray]], pi: FloatArray, C: FloatArray) -> FloatArray:
    """Knots, and the places between them where two actions cost the same."""
    left, right = (C.T @ (pi[:, None] * end) for end in _ends(lines, knots))  # (A, m): cost of each action
    found = [knots]
    for a, b in combinations(range(C.shape[1]), 2):
        start, end = left[a] - left[b], right[a] - right[b]
        crosses = start * end < 0
        t = start[crosses] / (start - end)[crosses]
        found.append(knots[:-1][crosses] + t * np.diff(knots)[crosses])
    return np.unique(np.concatenate(found))

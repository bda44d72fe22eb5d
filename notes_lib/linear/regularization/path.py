"""The lasso and the elastic net: one coordinate at a time, by active sets on a grid, and the exact path.

All three work on the Gram matrix ``G = X'X`` and ``c = X'y``. For a fixed set of active columns with fixed signs the
solution is one linear system, :eq:`regularization-active`; the methods differ in how they find the set.

Source: Friedman, Hastie and Tibshirani (2010), J. Stat. Softw. 33(1); Osborne, Presnell and Turlach (2000), IMA J.
Numer. Anal. 20, 389-403; Efron, Hastie, Johnstone and Tibshirani (2004), Ann. Stat. 32, 407-499.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from notes_lib.checks import FloatArray, IntArray, check_data, check_integer, check_positive, check_real
from notes_lib.linear.regularization.checks import share, strengths
from notes_lib.linear.regularization.steps import gap, largest_alpha, penalties, solve_ridge

__all__ = ["LassoKnots", "LassoPath", "coordinate_descent", "enet_path", "lasso_knots", "lasso_path"]

COLLINEAR = 1e-10  # share of a column that the active ones must leave unexplained, or the set is no basis
ROUNDS = 200  # entries into the active set, with 2 more for each column, before coordinate descent takes over
LONGEST = 100_000  # knots: some paths have 3^d / 2 of them
TIE = 1e-9  # relative difference below which two strengths count as one


class LassoPath(NamedTuple):
    """Result of :func:`lasso_path`: ``alphas`` (m,) descending, ``coefs`` (d, m), ``dual_gaps`` (m,)."""

    alphas: FloatArray
    coefs: FloatArray
    dual_gaps: FloatArray


class LassoKnots(NamedTuple):
    """Result of :func:`lasso_knots`: ``alphas`` (m,) descending, ``coefs`` (d, m); between knots the path is linear."""

    alphas: FloatArray
    coefs: FloatArray

    def at(self, alpha: float) -> FloatArray:
        """Weights (d,) at one strength: linear between two knots, 0 above the first, the last ones below the last."""
        return np.array([np.interp(alpha, self.alphas[::-1], row[::-1]) for row in self.coefs])


class GramProblem(NamedTuple):
    """``w'G w / 2 - c'w + l1 |w|``, in which G holds the squared penalty already."""

    G: FloatArray
    c: FloatArray
    l1: float


def coordinate_descent(
    G: ArrayLike, c: ArrayLike, l1: float, w: ArrayLike, max_iter: int = 1000, tol: float = 1e-8
) -> tuple[FloatArray, int]:
    """Cycle through the coordinates of ``w'G w / 2 - c'w + l1 |w|``; :eq:`regularization-coordinate-update`.

    Parameters
    ----------
    G : (d, d) array
        Symmetric, positive semi-definite: ``X'X``, with the squared penalty added to its diagonal.
    c : (d,) array
        ``X'y``.
    l1 : float
        Strength of the 1-norm; at least 0.
    w : (d,) array
        Where to start; left alone.
    max_iter : int
        Sweeps at most.
    tol : float
        A sweep in which no weight moves by more than this share of the largest weight is the last.

    Returns
    -------
    w : (d,) array
    n_iter : int
        Sweeps made; ``max_iter`` may mean that it has not converged.

    Notes
    -----
    O(1) for a weight that does not move and O(d) for one that does: O(d^2) at most for a sweep.

    Examples
    --------
    >>> coordinate_descent([[2.0]], [4.0], 1.0, [0.0])
    (array([1.5]), 2)
    """
    G, c, w = np.asarray(G, dtype=float), np.asarray(c, dtype=float), np.array(w, dtype=float)
    r, diagonal = c - G @ w, G.diagonal()  # r = X'(y - X w)
    columns = np.flatnonzero(diagonal > 0)
    for sweep in range(1, max_iter + 1):
        largest = 0.0
        for j in columns:
            z = r[j] + diagonal[j] * w[j]
            new = np.sign(z) * max(abs(z) - l1, 0.0) / diagonal[j]  # regularization-coordinate-update
            if new != w[j]:
                r -= G[j] * (new - w[j])
                largest = max(largest, abs(new - w[j]))
                w[j] = new
        if largest <= tol * np.abs(w).max(initial=0.0):
            return w, sweep
    return w, max_iter


def active_set(problem: GramProblem, w: FloatArray) -> FloatArray | None:
    """Exact minimiser from the start w, or None if the set of active columns does not settle.

    The active weights are settled, then the columns whose gradient exceeds the strength enter, the worse half of them
    at a time. Each step lowers the objective, so no set comes back.
    """
    G, c, l1 = problem
    w, A = w.copy(), np.flatnonzero(w)
    A, s = _settle(problem, w, A, np.sign(w[A]), 0)
    for _ in range(ROUNDS + 2 * len(c)):
        r = c - G[:, A] @ w[A]
        excess = np.abs(r) - l1
        excess[A] = -1.0
        new = np.flatnonzero(excess > TIE * l1)
        if not len(new):
            return w
        new = new[np.argsort(-excess[new])[: max(1, len(new) // 2)]]
        A, s = np.concatenate([A, new]), np.concatenate([s, np.sign(r[new])])
        A, s = _settle(problem, w, A, s, len(new))
    return None


def _settle(
    problem: GramProblem, w: FloatArray, A: IntArray, s: FloatArray, entered: int
) -> tuple[IntArray, FloatArray]:
    """Minimise over the active weights, in place; a column whose weight would change its sign leaves.

    With the signs fixed the minimiser solves one linear system. If the columns that entered are collinear with the
    others, only the worst of them stays, and if that one still is, it takes the place of another.
    """
    while len(A):
        target = _solve_active(problem.G, problem.c, A, s, problem.l1)
        if target is None and entered > 1:
            keep, entered = len(A) - entered + 1, 1
            A, s = A[:keep], s[:keep]
            continue
        step = _exchange(problem.G, A, s) if target is None else target - w[A]
        against = step * s < 0  # these weights move towards 0
        room = np.where(against, w[A] / np.where(against, -step, 1.0), np.inf)
        k = int(room.argmin())
        if target is not None and room[k] >= 1:
            w[A] = target
            break
        w[A] += room[k] * step
        w[A[k]] = 0.0
        A, s = np.delete(A, k), np.delete(s, k)
    return A, s


def _exchange(G: FloatArray, A: IntArray, s: FloatArray) -> FloatArray:
    """Move the last active weight, and the others so that no prediction changes: only the 1-norm falls."""
    others, j = A[:-1], A[-1]
    rest = np.linalg.solve(G[np.ix_(others, others)], G[others, j])
    return np.append(-rest, 1.0) * s[-1]


def _solve_active(G: FloatArray, c: FloatArray, A: IntArray, s: FloatArray, l1: float) -> FloatArray | None:
    """Solve :eq:`regularization-active`, or return None where the columns of A are collinear."""
    block = G[np.ix_(A, A)]
    try:
        factor, lower = cho_factor(block, lower=True, check_finite=False)
    except LinAlgError:
        return None
    if (factor.diagonal() ** 2 <= COLLINEAR * block.diagonal()).any():
        return None
    return np.asarray(cho_solve((factor, lower), c[A] - l1 * s, check_finite=False))  # regularization-active


def solve(problem: GramProblem, w: FloatArray, max_iter: int, tol: float) -> tuple[FloatArray, int]:
    """Minimiser by active sets, or by coordinate descent if they do not settle; sweeps that this took, or 1."""
    exact = active_set(problem, w)
    return (exact, 1) if exact is not None else coordinate_descent(*problem, w, max_iter, tol)


def lasso_path(X: ArrayLike, y: ArrayLike, *, eps: float = 1e-3, alphas: int | ArrayLike = 100) -> LassoPath:
    """Lasso for a decreasing sequence of strengths, each started from the one before.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        No bias, as in scikit-learn: centre both first.
    eps : float
        Smallest strength over largest, if ``alphas`` is a number.
    alphas : int or (m,) array
        How many, spaced evenly on a logarithmic scale from :func:`largest_alpha` down, or the strengths themselves.

    Returns
    -------
    LassoPath
        ``alphas`` (m,) in descending order, ``coefs`` (d, m), and ``dual_gaps`` (m,): the objective is at most that
        much above its minimum.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is NaN or infinite, a strength is negative, or ``eps`` is not positive.

    Notes
    -----
    O(n d^2) for the Gram matrix, then O(a^3) for each change of the a active columns. Exact; scikit-learn stops at
    a tolerance. Should the active set not settle, coordinate descent takes over.

    Examples
    --------
    >>> lasso_path([[1.0, 0.0], [0.0, 1.0]], [4.0, 2.0], alphas=[1.5, 0.5]).coefs
    array([[1., 3.],
           [0., 1.]])
    """
    return enet_path(X, y, l1_ratio=1.0, eps=eps, alphas=alphas)


def enet_path(
    X: ArrayLike, y: ArrayLike, *, l1_ratio: float = 0.5, eps: float = 1e-3, alphas: int | ArrayLike = 100
) -> LassoPath:
    """Elastic net for a decreasing sequence of strengths; see :func:`lasso_path`.

    Parameters
    ----------
    X, y, eps, alphas
        As in :func:`lasso_path`.
    l1_ratio : float
        Share of the 1-norm, from 0 to 1; positive if ``alphas`` is a number.

    Returns
    -------
    LassoPath

    Raises
    ------
    TypeError, ValueError
        As in :func:`lasso_path`; if ``l1_ratio`` is outside [0, 1].

    Notes
    -----
    As :func:`lasso_path`.

    Examples
    --------
    >>> enet_path([[1.0, 0.0], [0.0, 1.0]], [4.0, 2.0], l1_ratio=0.5, alphas=[1.0]).coefs.ravel()
    array([1.5, 0.5])
    """
    X, y = check_data(X, y)
    ratio = share(l1_ratio)
    grid = _grid(X, y, ratio, eps, alphas)
    n, d = X.shape
    gram, c, w = X.T @ X, X.T @ y, np.zeros(d)
    coefs, gaps = np.empty((d, len(grid))), np.zeros(len(grid))
    for i, alpha in enumerate(grid):
        l1, l2 = penalties(alpha, ratio, n)
        if l1 == 0:
            w = solve_ridge(X, y, l2)
        else:
            w = solve(GramProblem(with_diagonal(gram, l2), c, l1), w, 10_000, 1e-12)[0]
            gaps[i] = gap(X, y, w, l1, l2)
        coefs[:, i] = w
    return LassoPath(grid, coefs, gaps)


def with_diagonal(G: FloatArray, l2: float) -> FloatArray:
    """G itself, or a copy with ``l2`` added to the diagonal."""
    if l2 == 0:
        return G
    G = G.copy()
    G.flat[:: len(G) + 1] += l2
    return G


def _grid(X: FloatArray, y: FloatArray, l1_ratio: float, eps: float, alphas: int | ArrayLike) -> FloatArray:
    if not np.isscalar(alphas):
        return strengths(alphas)
    count, low = check_integer(alphas, "alphas"), check_positive(eps, "eps")
    top = largest_alpha(X, y, l1_ratio)
    return np.geomspace(top, low * top, count) if top > 0 else np.zeros(count)


def lasso_knots(X: ArrayLike, y: ArrayLike, alpha_min: float = 0.0) -> LassoKnots:
    """Exact lasso path: the strengths at which a column enters or leaves, and the weights there.

    Implements :eq:`regularization-active` between knots and :eq:`regularization-knots` for the next one (the homotopy,
    or least angle regression with the lasso's modification).

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        No bias: centre both first.
    alpha_min : float
        Where to stop; the path ends there, or where the active columns explain y completely.

    Returns
    -------
    LassoKnots
        ``alphas`` (m,) from :func:`largest_alpha` down, ``coefs`` (d, m); ``at(alpha)`` interpolates.

    Raises
    ------
    TypeError, ValueError
        If ``alpha_min`` is negative, a shape does not fit, an entry is NaN or infinite, the columns that become active
        are collinear up to rounding, or there are more than 100,000 knots.

    Notes
    -----
    O(a^3 + d a) for each knot with a active columns. Of equal columns the first one gets all the weight.

    Examples
    --------
    >>> lasso_knots([[1.0, 0.0], [0.0, 1.0]], [4.0, 2.0]).alphas
    array([2., 1., 0.])
    """
    X, y = check_data(X, y)
    n, stop = len(X), len(X) * check_real(alpha_min, "alpha_min")
    G, c = X.T @ X, X.T @ y
    A = np.array([np.abs(c).argmax()])
    s, w, l1 = np.sign(c[A]), np.zeros(X.shape[1]), float(np.abs(c).max())
    levels, coefs, floor = [l1], [w], max(stop, TIE * l1)
    while l1 > floor:
        if len(levels) > LONGEST:
            raise ValueError(f"X has a path of more than {LONGEST} knots: raise alpha_min, or use lasso_path.")
        base, slope = _segment(G, c, A, s)
        l1, j = _next_knot(G, c, A, s, base, slope, l1)
        at, w = max(l1, stop), np.zeros(X.shape[1])
        w[A] = base - at * slope
        if l1 >= stop:  # exactly, not up to rounding
            w[A[j == A]] = 0.0
        levels.append(at)
        coefs.append(w)
        if j in A:
            A, s = A[j != A], s[j != A]
        elif j >= 0:
            A, s = np.append(A, j), np.append(s, np.sign(c[j] - G[j] @ w))
    return LassoKnots(np.array(levels) / n, np.array(coefs).T)


def _segment(G: FloatArray, c: FloatArray, A: IntArray, s: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Weights of the active columns are ``base - l1 * slope``; :eq:`regularization-active`."""
    base, end = _solve_active(G, c, A, s, 0.0), _solve_active(G, c, A, s, 1.0)
    if base is None or end is None:
        raise ValueError(f"X has collinear columns, among them {A[-1]}: drop one, or use lasso_path.")
    return base, base - end


def _next_knot(
    G: FloatArray, c: FloatArray, A: IntArray, s: FloatArray, base: FloatArray, slope: FloatArray, l1: float
) -> tuple[float, int]:
    """Next strength, at most ``l1``, at which a column enters or leaves, and which; 0 and -1 if none does.

    The gradient is u + l1 v. On the way down it can meet the strength only if it changes less, and a weight can meet 0
    only if it moves against its sign: so no column comes back at the knot at which it left.
    """
    u, v = c - G[:, A] @ base, G[:, A] @ slope
    slack = np.array([1 - v, 1 + v])
    slack[:, A] = 0.0
    levels = np.zeros(2 * len(c) + len(A))
    np.divide(np.array([u, -u]).ravel(), slack.ravel(), out=levels[: 2 * len(c)], where=slack.ravel() > TIE)
    np.divide(base, slope, out=levels[2 * len(c) :], where=s * slope < 0)  # regularization-knots
    levels[(levels < TIE * l1) | (levels > (1 + TIE) * l1)] = 0.0  # rounding at the end, and roots above
    best = int(levels.argmax())
    column = int(np.concatenate([np.arange(len(c)), np.arange(len(c)), A])[best])
    return (min(float(levels[best]), l1), column) if levels[best] > 0 else (0.0, -1)

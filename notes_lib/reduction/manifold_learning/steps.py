"""From a table of distances to points: double centring, its eigenvectors, and stress; with the data of the chapter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.sparse.linalg import eigsh

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_real, check_shape
from notes_lib.numerics import RandomState, check_rng, leading_signs, squared_distances
from notes_lib.reduction.manifold_learning.checks import check_components, check_table

SMALL = 300  # points up to which all eigenvectors together are the quickest way
TURNS = (1.5 * np.pi, 4.5 * np.pi)  # of the roll: one and a half


class Scaling(NamedTuple):
    """What classical scaling finds.

    ``points`` (n, k), centred; ``eigenvalues`` (k,), the largest first; ``vectors`` (n, k), orthonormal; ``means`` (n,)
    of the squared distances in each row, which new points need.
    """

    points: FloatArray
    eigenvalues: FloatArray
    vectors: FloatArray
    means: FloatArray


class Roll(NamedTuple):
    """Points ``X`` (n, 3) on a rolled-up sheet, and where they lie on the sheet: ``sheet`` (n, 2)."""

    X: FloatArray
    sheet: FloatArray


def swiss_roll(n_samples: int = 500, noise: float = 0.0, random_state: RandomState = 0) -> Roll:
    """Points spread evenly over a sheet of paper that is rolled up in three dimensions.

    Parameters
    ----------
    n_samples : int
    noise : float
        Standard deviation of what is added to each coordinate.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Roll
        The first column of ``sheet`` is the length of the curve ``(t cos t, t sin t)`` up to the point, so that
        distances on the sheet are distances along the roll.

    Raises
    ------
    TypeError, ValueError
        If ``n_samples`` is no positive integer, or ``noise`` is negative.

    Examples
    --------
    >>> roll = swiss_roll(4)
    >>> roll.X.shape, roll.sheet.shape
    ((4, 3), (4, 2))
    """
    n, noise, rng = check_integer(n_samples, "n_samples"), check_real(noise, "noise"), check_rng(random_state)
    grid = np.linspace(*TURNS, 2001)
    length = 0.5 * (grid * np.hypot(1, grid) + np.arcsinh(grid))  # of the spiral r = t from its middle
    length -= length[0]
    along, height = rng.uniform(0, length[-1], n), rng.uniform(0, 21, n)
    t = np.interp(along, length, grid)
    X = np.column_stack([t * np.cos(t), height, t * np.sin(t)])
    return Roll(X + noise * rng.standard_normal((n, 3)), np.column_stack([along, height]))


def double_centring(D: ArrayLike) -> FloatArray:
    """Inner products of centred points from their distances; :eq:`manifold-learning-double-centring`.

    Parameters
    ----------
    D : (n, n) array
        Distances, not squared: symmetric, none negative, zeros on the diagonal.

    Returns
    -------
    (n, n) array ``B``
        ``-1/2`` of the squared distances, minus the means of rows and columns, plus the mean of all. Each row and
        column has the sum 0.

    Raises
    ------
    TypeError, ValueError
        If ``D`` is no such table.

    Notes
    -----
    O(n^2). Sources: Torgerson (1952), Gower (1966).

    Examples
    --------
    >>> double_centring([[0.0, 2.0], [2.0, 0.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    return _centred(check_table(D))[0]


def _centred(D: FloatArray) -> tuple[FloatArray, FloatArray]:
    B = D * D
    means = B.mean(axis=0)
    B -= means
    B -= (means - means.mean())[:, None]
    B *= -0.5  # manifold-learning-double-centring
    return B, means


def classical_scaling(D: ArrayLike, n_components: int = 2) -> Scaling:
    """Points whose inner products are nearest to those that the distances imply; :eq:`manifold-learning-scaling`.

    Parameters
    ----------
    D : (n, n) array
        Distances as in :func:`double_centring`.
    n_components : int
        From 1 to n - 1.

    Returns
    -------
    Scaling
        Of each vector the largest entry is positive. A negative eigenvalue, which no Euclidean distances have, counts
        as 0 in the points.

    Raises
    ------
    TypeError, ValueError
        Bad distances, or ``n_components`` out of range.

    Notes
    -----
    O(n^2 k) for few components of many rows, else O(n^3); O(n^2) memory.

    Examples
    --------
    >>> found = classical_scaling([[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]], 1)
    >>> found.points.round(4).ravel()
    array([-1.3333, -0.3333,  1.6667])
    """
    D = check_table(D)
    return scaling_of(D, check_components(n_components, max(len(D) - 1, 1), "one less than the number of points"))


def scaling_of(D: FloatArray, k: int) -> Scaling:
    """The same for arguments that have been checked."""
    B, means = _centred(D)
    values, vectors = _leading(B, k)
    return Scaling(vectors * np.sqrt(np.maximum(values, 0.0)), values, vectors, means)  # manifold-learning-scaling


def _leading(B: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """The largest eigenvalues with their vectors: Lanczos' method where few of many are wanted."""
    n = len(B)
    if n <= max(SMALL, 20 * k) or not B.any():
        values, V = eigh(B, subset_by_index=[n - k, n - 1])
    else:
        values, V = eigsh(B, k, which="LA", v0=np.random.default_rng(0).standard_normal(n))
    V = V[:, ::-1]
    return values[::-1], V * leading_signs(V.T)


def place_new_points(scaling: Scaling, D: ArrayLike) -> FloatArray:
    """Where points lie of which only the distances to the old ones are known; :eq:`manifold-learning-new-point`.

    Parameters
    ----------
    scaling : Scaling
        Of the n old points.
    D : (m, n) array
        Distances, not squared, of each new point to each old one.

    Returns
    -------
    (m, k) array
        A coordinate whose eigenvalue is not positive is 0.

    Raises
    ------
    TypeError, ValueError
        If ``D`` has another number of columns, or holds something that is no distance.

    Notes
    -----
    O(m n k). Source: Gower (1968).

    Examples
    --------
    >>> old = classical_scaling([[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]], 1)
    >>> place_new_points(old, [[2.0, 1.0, 1.0]]).round(4)
    array([[0.6667]])
    """
    D = check_shape(D, "D", (None, len(scaling.means)))
    if (D < 0).any():
        raise ValueError("D must hold distances, none of them negative.")
    positive = scaling.eigenvalues > 0
    roots = np.sqrt(scaling.eigenvalues, where=positive, out=np.full(len(positive), np.inf))
    placed: FloatArray = 0.5 * (scaling.means - D * D) @ scaling.vectors / roots
    return placed


def stress(D: ArrayLike, Y: ArrayLike) -> float:
    """Sum over all pairs of the squared errors of their distances; :eq:`manifold-learning-stress`.

    Parameters
    ----------
    D : (n, n) array
        Wanted distances.
    Y : (n, k) array
        Points.

    Raises
    ------
    TypeError, ValueError
        If ``D`` is no table of distances, or ``Y`` has another number of rows.

    Notes
    -----
    O(n^2 k). This is the *raw* stress, as in scikit-learn.

    Examples
    --------
    >>> stress([[0.0, 2.0], [2.0, 0.0]], [[0.0], [3.0]])
    1.0
    """
    D = check_table(D)
    return stress_of(D, np.sqrt(squared_distances(*2 * (_rows(Y, len(D)),))))


def stress_of(D: FloatArray, of_points: FloatArray) -> float:
    """The same from two tables of distances."""
    gap = D - of_points
    return 0.5 * float(np.vdot(gap, gap))


def guttman_transform(D: ArrayLike, Z: ArrayLike) -> FloatArray:
    """Each point goes to the mean of the places where the others want it; :eq:`manifold-learning-guttman`.

    Parameters
    ----------
    D : (n, n) array
        Wanted distances.
    Z : (n, k) array
        Points.

    Returns
    -------
    (n, k) array
        Centred points of at most the stress of ``Z``. Two points in one place ask each other for nothing.

    Raises
    ------
    TypeError, ValueError
        If ``D`` is no table of distances, or ``Z`` has another number of rows.

    Notes
    -----
    O(n^2 k). Sources: Guttman (1968), de Leeuw (1977).

    Examples
    --------
    >>> guttman_transform([[0.0, 2.0], [2.0, 0.0]], [[0.0], [3.0]])
    array([[-1.],
           [ 1.]])
    """
    D = check_table(D)
    Z = _rows(Z, len(D))
    return guttman_of(D, Z, np.sqrt(squared_distances(Z, Z)))


def guttman_of(D: FloatArray, Z: FloatArray, of_points: FloatArray) -> FloatArray:
    """The same with the distances of the points, for arguments that have been checked."""
    ratio = np.divide(D, of_points, out=np.zeros_like(D), where=of_points > 0)
    moved: FloatArray = (ratio.sum(axis=1)[:, None] * Z - ratio @ Z) / len(Z)
    return moved


def _rows(Y: ArrayLike, n: int) -> FloatArray:
    Y = check_matrix(Y, "Y")
    if len(Y) != n:
        raise ValueError(f"Y must have {n} rows, one for each row of D, got {len(Y)}.")
    return Y

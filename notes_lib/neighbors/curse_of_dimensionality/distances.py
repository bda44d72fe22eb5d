"""How distances concentrate, and the two dimensions that say whether it matters for the data at hand."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_positive, check_real, check_vector
from notes_lib.neighbors.nearest_neighbors import k_nearest
from notes_lib.numerics import squared_distances

BLOCK = 128  # rows
CANCELLED = 1e-5  # a squared distance below this share of the largest has lost too many digits


class Contrast(NamedTuple):
    """Result of :func:`distance_contrast`: for each query its nearest and farthest distance, mean, deviation; (m,)."""

    nearest: FloatArray
    farthest: FloatArray
    mean: FloatArray
    std: FloatArray

    @property
    def relative(self) -> FloatArray:
        """``(farthest - nearest) / nearest``, infinite for a query that coincides with a sample."""
        with np.errstate(divide="ignore"):
            return (self.farthest - self.nearest) / self.nearest  # curse-of-dimensionality-contrast

    @property
    def spread(self) -> FloatArray:
        """Standard deviation of the distances from a query, over their mean."""
        return self.std / self.mean


class IntrinsicDimension(NamedTuple):
    """Result of :func:`intrinsic_dimension`: the ``estimate`` and its ``error``, as if all ratios were independent."""

    estimate: float
    error: float


def relative_spread(d: int, mean: float, variance: float) -> float:
    """Deviation of a distance over its mean, to first order, for independent and identically distributed coordinates.

    Implements :eq:`curse-of-dimensionality-spread`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    mean, variance : float
        Of the squared difference of two points in *one* coordinate; the mean positive, the variance not negative.

    Returns
    -------
    float
        ``sqrt(variance) / (2 mean sqrt(d))``: good for large ``d`` only.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, ``mean`` is not positive or ``variance`` is negative.

    Examples
    --------
    >>> round(relative_spread(1000, 1 / 6, 7 / 180), 4)  # uniform coordinates
    0.0187
    """
    d, mean, variance = check_integer(d, "d"), check_positive(mean, "mean"), check_real(variance, "variance")
    return float(np.sqrt(variance / d) / (2 * mean))


def distance_contrast(X: ArrayLike, queries: ArrayLike | None = None) -> Contrast:
    """How different the Euclidean distances from a query to the samples are.

    Implements :eq:`curse-of-dimensionality-contrast`.

    Parameters
    ----------
    X : (n, d) array
        Samples.
    queries : (m, d) array, optional
        Without it every row of X is a query, and its distance to itself does not count.

    Returns
    -------
    Contrast
        ``nearest``, ``farthest``, ``mean`` and ``std`` (divisor: the number of distances), all (m,); ``relative`` is
        the relative contrast of a query, ``spread`` is ``std / mean``.

    Raises
    ------
    ValueError
        If an array is no matrix of finite numbers, the numbers of columns differ, there are fewer than two distances
        to compare, or a query coincides with all samples.

    Notes
    -----
    O(n m d) time; O(n) memory for each row of a block beside the data. Distances that are tiny beside the others are
    computed from differences, since the matrix product of :func:`~notes_lib.numerics.squared_distances` cancels digits.

    Examples
    --------
    >>> contrast = distance_contrast([[0.0], [1.0], [3.0]], queries=[[-1.0]])
    >>> contrast.nearest, contrast.farthest, contrast.relative
    (array([1.]), array([4.]), array([3.]))
    """
    X = check_matrix(X, "X")
    Q = X if queries is None else check_matrix(queries, "queries")
    if Q.shape[1] != X.shape[1]:
        raise ValueError(f"queries must have {X.shape[1]} columns as X has, got {Q.shape[1]}.")
    alone = queries is None
    if len(X) - alone < 2:
        raise ValueError(f"X must leave each query two samples or more, got {len(X)} rows: give more samples.")
    columns = [_block_contrast(X, Q, rows, alone) for rows in _blocks(len(Q))]
    contrast = Contrast(*(np.concatenate(parts) for parts in zip(*columns, strict=True)))
    if not contrast.farthest.all():
        raise ValueError("queries must not coincide with all samples in X: their distances are all 0.")
    return contrast


def _block_contrast(X: FloatArray, Q: FloatArray, rows: slice, alone: bool) -> Contrast:
    """The contrast of some queries; ``alone`` says that query i is sample i, which does not count."""
    D = np.sqrt(_squares(X, Q, rows, alone))  # (b, n)
    n, nearest = len(X) - alone, D.min(axis=1)
    own = np.arange(len(D)), np.arange(rows.start, rows.stop)
    if alone:
        D[own] = 0.0
    mean, farthest = D.sum(axis=1) / n, D.max(axis=1)
    if alone:
        D[own] = mean  # no deviation
    return Contrast(nearest, farthest, mean, np.sqrt(((D - mean[:, None]) ** 2).sum(axis=1) / n))


def _blocks(n: int) -> Iterator[slice]:
    """Slices of rows so short that their distances to some thousand samples stay in the processor's cache."""
    return (slice(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))


def _squares(X: FloatArray, Q: FloatArray, rows: slice, alone: bool) -> FloatArray:
    """Squared distances from some queries to all samples, infinite from a sample to itself.

    The matrix product cancels digits of those that are small beside the others: they are computed from differences.
    """
    D = squared_distances(Q[rows], X)  # (b, n)
    farthest = D.max(axis=1)
    if alone:
        D[np.arange(len(D)), np.arange(rows.start, rows.stop)] = inf
    for i in np.flatnonzero(D.min(axis=1) < CANCELLED * farthest):
        small = D[i] < CANCELLED * farthest[i]
        D[i, small] = ((X[small] - Q[rows.start + i]) ** 2).sum(axis=1)
    return D


def effective_dimension(eigenvalues: ArrayLike) -> float:
    """Dimension that counts for distances of Gaussian data; :eq:`curse-of-dimensionality-effective`.

    Parameters
    ----------
    eigenvalues : (d,) array
        Variances along the principal axes: the eigenvalues of the covariance, in any order and unit.

    Returns
    -------
    float
        ``(sum of eigenvalues)^2 / (sum of their squares)``, from 1 to d; also called the participation ratio.

    Raises
    ------
    ValueError
        If an eigenvalue is negative or not finite, or all are 0.

    Examples
    --------
    >>> effective_dimension([1.0, 1.0, 0.0, 0.0])
    2.0
    """
    values = check_vector(eigenvalues, "eigenvalues")
    if (values < 0).any() or not values.any():
        raise ValueError("eigenvalues must be non-negative and not all 0: set tiny negative ones to 0.")
    values = values / values.max()  # so that no square overflows
    return float(values.sum() ** 2 / (values**2).sum())


def intrinsic_dimension(X: ArrayLike) -> IntrinsicDimension:
    """Dimension of the set near which samples lie, from their two nearest neighbours.

    Implements :eq:`curse-of-dimensionality-two-nearest`, the estimator of maximum likelihood.

    Parameters
    ----------
    X : (n, d) array
        At least three samples, no two of them equal.

    Returns
    -------
    IntrinsicDimension
        ``estimate``, and ``error``: the estimate over the root of n. Neighbouring samples share distances, so that
        the true standard error is somewhat larger.

    Raises
    ------
    ValueError
        If X is no matrix of finite numbers with three rows, two rows are equal (names one), or all samples are
        equally far from their two nearest neighbours, as on a grid: then the likelihood has no maximum.

    Notes
    -----
    O(n^2 d) time, O(n) memory for each row of a block; tiny distances are computed from differences.

    Examples
    --------
    >>> t = np.random.default_rng(0).uniform(size=(2000, 1))
    >>> line = intrinsic_dimension(t @ [[1.0, -2.0, 3.0]])
    >>> bool(abs(line.estimate - 1) < 3 * line.error)
    True
    """
    X = check_matrix(X, "X")
    if len(X) < 3:
        raise ValueError(f"X must have at least three rows, got {len(X)}: each sample needs two neighbours.")
    r = k_nearest(X, None, 2).distances  # (n, 2)
    if not r.all():
        raise ValueError(f"X holds row {int(np.argmin(r[:, 0]))} twice: remove the duplicates.")
    total = float(np.log(r[:, 1] / r[:, 0]).sum())
    if total <= 0:
        raise ValueError("X has two equally near neighbours for each sample, as a grid has: use irregular samples.")
    return IntrinsicDimension(len(X) / total, float(np.sqrt(len(X)) / total))

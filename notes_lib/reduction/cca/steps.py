"""The steps of the derivation: covariances, correlation along two directions, whitening, pairs, shuffled rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import svd

from notes_lib.checks import FloatArray, check_integer, check_real, check_vector
from notes_lib.foundations.linear_algebra.reduction import lengths
from notes_lib.numerics import RandomState, check_rng, leading_signs
from notes_lib.reduction.cca.checks import EPS, blocks, centred, varying


class ViewCovariances(NamedTuple):
    """Result of :func:`view_covariances`: ``C_xx`` (p, p), ``C_yy`` (q, q), ``C_xy`` (p, q), all divided by n - 1."""

    C_xx: FloatArray
    C_yy: FloatArray
    C_xy: FloatArray


class CanonicalPairs(NamedTuple):
    """Pairs of directions, the best first: ``values`` (k,), ``x_directions`` (p, k), ``y_directions`` (q, k)."""

    values: FloatArray
    x_directions: FloatArray
    y_directions: FloatArray


class PermutationTest(NamedTuple):
    """Result of :func:`first_correlation_test`: ``observed`` value, ``null`` (B,) of shuffled rows, ``p_value``."""

    observed: float
    null: FloatArray
    p_value: float


class Basis(NamedTuple):
    """A centred view, taken apart: orthonormal ``U`` (n, r), shrinking ``factors`` (r,), and ``M`` (p, r).

    ``X M = U factors`` and ``M' (X'X + penalty I) M = I``; r is the rank.
    """

    U: FloatArray
    factors: FloatArray
    M: FloatArray


def view_covariances(X: ArrayLike, Y: ArrayLike) -> ViewCovariances:
    """Covariances within two views and between them; :eq:`cca-covariances`.

    Parameters
    ----------
    X : (n, p) array
        First view, one instance a row.
    Y : (n, q) array
        Second view of the same instances, in the same order. A vector counts as one column.

    Returns
    -------
    ViewCovariances
        ``C_xx`` (p, p), ``C_yy`` (q, q), ``C_xy`` (p, q), in products of the units of the columns, divisor n - 1.

    Raises
    ------
    TypeError, ValueError
        If a view is no matrix of finite numbers, the numbers of rows differ, or there is only one row.

    Notes
    -----
    O(n (p + q)^2) time.

    Examples
    --------
    >>> view_covariances([[1.0], [3.0]], [[0.0], [4.0]]).C_xy
    array([[4.]])
    """
    X, Y = centred(X, Y)
    n = len(X)
    return ViewCovariances(X.T @ X / (n - 1), Y.T @ Y / (n - 1), X.T @ Y / (n - 1))


def direction_correlation(a: ArrayLike, b: ArrayLike, C_xx: ArrayLike, C_yy: ArrayLike, C_xy: ArrayLike) -> float:
    """Correlation of the scores ``a'x`` and ``b'y``; :eq:`cca-correlation`.

    Parameters
    ----------
    a, b : (p,) and (q,) arrays
        Directions; their lengths do not matter.
    C_xx, C_yy, C_xy : (p, p), (q, q) and (p, q) arrays
        As in :func:`view_covariances`.

    Returns
    -------
    float
        From -1 to 1.

    Raises
    ------
    ValueError
        If shapes do not fit, or one of the scores does not vary.

    Notes
    -----
    O(p^2 + q^2 + p q) time.

    Examples
    --------
    >>> direction_correlation([1, 1], [1], [[2, 0], [0, 2]], [[1]], [[0.6], [0.6]])
    0.6
    """
    C_xx, C_yy, C_xy = blocks(C_xx, C_yy, C_xy)
    a, b = check_vector(a, "a", len(C_xx)), check_vector(b, "b", len(C_yy))
    in_x, in_y = float(a @ C_xx @ a), float(b @ C_yy @ b)
    if in_x <= 0 or in_y <= 0:
        raise ValueError("a and b must be directions along which the views vary, got a score with variance 0.")
    return float(a @ C_xy @ b) / float(np.sqrt(in_x) * np.sqrt(in_y))


def whitened_covariance(C_xx: ArrayLike, C_yy: ArrayLike, C_xy: ArrayLike, ridge: float = 0.0) -> FloatArray:
    """Cross-covariance of the whitened views, ``C_xx^-1/2 C_xy C_yy^-1/2``; :eq:`cca-whitened`.

    Parameters
    ----------
    C_xx, C_yy, C_xy : (p, p), (q, q) and (p, q) arrays
        As in :func:`view_covariances`.
    ridge : float
        Added to the diagonals of ``C_xx`` and ``C_yy`` first, :eq:`cca-ridge`.

    Returns
    -------
    (p, q) array
        Its singular values are the canonical correlations (for ``ridge=0``).

    Raises
    ------
    TypeError, ValueError
        If shapes do not fit, ``ridge`` is no number >= 0, or a covariance is singular (names it and the remedy).

    Notes
    -----
    O(p^3 + q^3) time. The symmetric root of the covariances is used; another root turns both views, and only that.

    Examples
    --------
    >>> whitened_covariance([[4, 0], [0, 9]], [[1]], [[1], [1.5]])
    array([[0.5],
           [0.5]])
    """
    C_xx, C_yy, C_xy = blocks(C_xx, C_yy, C_xy)
    ridge = check_real(ridge, "ridge")
    return inverse_root(C_xx, "C_xx", ridge) @ C_xy @ inverse_root(C_yy, "C_yy", ridge)


def canonical_pairs(X: ArrayLike, Y: ArrayLike, ridge: float = 0.0) -> CanonicalPairs:
    """All canonical pairs of two views, by the singular value decompositions of the centred views.

    With ``X = U_x S_x V_x'`` and ``Y = U_y S_y V_y'`` the whitened cross-covariance is ``U_x'U_y`` up to rotations,
    :eq:`cca-angles`, so that no covariance is formed or inverted; ``ridge`` shrinks its rows and columns,
    :eq:`cca-ridge-factor`. The singular vectors give the directions, :eq:`cca-svd`.

    Parameters
    ----------
    X : (n, p) array
    Y : (n, q) array, or (n,)
    ridge : float
        Added to the diagonals of both covariances (divisor n - 1), in squared units of the columns.

    Returns
    -------
    CanonicalPairs
        ``values`` (k,), descending, k the smaller rank: the correlations for ``ridge=0``, at most 1. Columns of
        ``x_directions`` (p, k) have ``a' (C_xx + ridge I) a = 1``, and ``y_directions`` (q, k) likewise. The entry of
        largest modulus of each x-direction is positive.

    Raises
    ------
    TypeError, ValueError
        As in :func:`view_covariances`; also if a column is constant (names the view and the column), or ``ridge`` is
        no number >= 0.

    Notes
    -----
    O(n (p^2 + q^2 + p q)) time for n above p and q, O(n (p + q)) memory. Columns that others explain, also all of n
    below p, get directions that are as short as possible in standard deviations of the columns.

    Examples
    --------
    >>> canonical_pairs([[0, 1], [1, 0], [2, 2], [3, 1]], [0, 2, 4, 6]).values
    array([1.])
    """
    X, Y = varying(X, Y)
    return pairs_of_centred(X, Y, check_real(ridge, "ridge"))


def score_correlations(U: ArrayLike, V: ArrayLike) -> FloatArray:
    """Correlation of each column of scores with the matching column of the other view; also on held-out rows.

    Parameters
    ----------
    U, V : (n, k) arrays
        As :meth:`CCA.transform` returns them.

    Returns
    -------
    (k,) array

    Raises
    ------
    TypeError, ValueError
        If they are no matrices of one shape with at least two rows, or a column is constant.

    Notes
    -----
    O(n k) time.

    Examples
    --------
    >>> score_correlations([[0.0], [1.0], [2.0]], [[5.0], [3.0], [1.0]])
    array([-1.])
    """
    U, V = varying(U, V, ("U", "V"))
    if U.shape != V.shape:
        raise ValueError(f"U and V must have the same number of columns, got {U.shape[1]} and {V.shape[1]}.")
    return np.einsum("ij,ij->j", U / lengths(U), V / lengths(V))


def first_correlation_test(
    X: ArrayLike, Y: ArrayLike, ridge: float = 0.0, *, n_resamples: int = 999, random_state: RandomState = None
) -> PermutationTest:
    """Could the first canonical value be chance? Shuffle the rows of one view and fit again; :eq:`cca-p-value`.

    Parameters
    ----------
    X, Y, ridge
        As in :func:`canonical_pairs`.
    n_resamples : int
        Number B of shuffles.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    PermutationTest
        ``observed`` value, the B values of ``null``, and ``p_value``, (1 + count of values as large) / (1 + B).

    Raises
    ------
    TypeError, ValueError
        As in :func:`canonical_pairs`, or if ``n_resamples`` is no positive integer.

    Notes
    -----
    The views are decomposed once; a shuffle costs O(n p q). Rows must be exchangeable: no time series, no siblings.

    Examples
    --------
    >>> first_correlation_test([[0.0], [1.0], [2.0]], [0.0, 1.0, 5.0], n_resamples=9, random_state=0).null.shape
    (9,)
    """
    X, Y = varying(X, Y)
    B, rng = check_integer(n_resamples, "n_resamples"), check_rng(random_state)
    penalty = check_real(ridge, "ridge") * (len(X) - 1)
    A, C = (basis.U * basis.factors for basis in (view_basis(X, penalty), view_basis(Y, penalty)))
    first = lambda order: float(svd(A.T @ C[order], compute_uv=False)[0])
    observed = first(np.arange(len(X)))
    null = np.array([first(rng.permutation(len(X))) for _ in range(B)])
    count = int((null >= observed - 1e-12).sum())  # what differs by rounding only is as large
    return PermutationTest(min(observed, 1.0), np.minimum(null, 1.0), (1 + count) / (1 + B))


def inverse_root(C: FloatArray, name: str, ridge: float) -> FloatArray:
    """The symmetric inverse root of ``C + ridge I``."""
    values, V = np.linalg.eigh(C + ridge * np.eye(len(C)))
    if values[0] <= len(C) * EPS * values[-1]:
        raise ValueError(f"{name} is singular: remove columns that others explain, or give a positive ridge.")
    return (V / np.sqrt(values)) @ V.T


def view_basis(X: FloatArray, penalty: float) -> Basis:
    """Take a centred view apart by its singular values; without a penalty the units of its columns do not matter."""
    units = np.ones(X.shape[1]) if penalty else lengths(X)
    U, s, Vt = svd(X / units, full_matrices=False)
    r = int((s > max(X.shape) * EPS * s[0]).sum())
    root = np.hypot(s[:r], np.sqrt(penalty))
    return Basis(U[:, :r], s[:r] / root, Vt[:r].T / root / units[:, None])  # cca-ridge-factor


def pairs_of_centred(X: FloatArray, Y: FloatArray, ridge: float) -> CanonicalPairs:
    """Canonical pairs of centred views."""
    n = len(X)
    in_x, in_y = (view_basis(V, (n - 1) * ridge) for V in (X, Y))
    K = in_x.factors[:, None] * (in_x.U.T @ in_y.U) * in_y.factors  # cca-angles
    P, values, Qt = svd(K, full_matrices=False)
    A, B = (np.sqrt(n - 1) * M @ vectors for M, vectors in ((in_x.M, P), (in_y.M, Qt.T)))  # cca-svd
    signs = leading_signs(A.T)
    return CanonicalPairs(np.minimum(values, 1.0), A * signs, B * signs)

"""The randomised decomposition: a few random combinations of the columns span nearly all of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack, qr, svd
from scipy.sparse import csr_array, issparse

from notes_lib.checks import FloatArray, check_finite, check_integer, check_matrix
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.svd.steps import SVD, check_rank, with_signs

NEAR = 1e-6  # ratio of pivots of a Cholesky factor below which a Gram matrix has lost too many digits
LARGE = 1e100  # beyond it, or below its inverse, sums of squares are not safe
Matrix = Any  # a dense array or a sparse matrix


def range_finder(A: Matrix, size: int, n_iter: int = 0, random_state: RandomState = None) -> FloatArray:
    """Orthonormal basis of a space that holds nearly all of ``A``; :eq:`svd-range`.

    Multiplies ``A`` with ``size`` random Gaussian vectors. Each of the ``n_iter`` further rounds multiplies the result
    with ``A'`` and with ``A``, which raises the singular values of what is sampled to a higher power
    (:eq:`svd-randomised-power`).

    Parameters
    ----------
    A : (n, d) array or sparse matrix
    size : int
        Columns of the basis, from 1 to min(n, d).
    n_iter : int
        Rounds of power iteration.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (n, size) array
        Its columns are orthonormal.

    Raises
    ------
    ValueError, TypeError
        If ``A`` is not a matrix, is empty or not finite, ``size`` is not an integer from 1 to min(n, d), or ``n_iter``
        is not an integer >= 0.

    Notes
    -----
    O((n_iter + 1) n d size) time. Between two products the columns are replaced by orthonormal ones with the same span,
    so that the small singular values are not lost beside the large ones.

    Examples
    --------
    >>> range_finder(np.diag([2.0, 1.0, 0.0]), 2, random_state=0).shape
    (3, 2)
    """
    A = any_matrix(A, "A")
    size, n_iter = check_rank(size, "size", A.shape), check_integer(n_iter, "n_iter", 0)
    Y = A @ check_rng(random_state).standard_normal((A.shape[1], size))  # svd-range
    for _ in range(n_iter):
        Z = (orthonormal(Y, 1).T @ A).T  # A'Y, in the order of the memory of A
        Y = A @ orthonormal(Z, 1)
    return orthonormal(Y, 2)


def svd_from_range(A: Matrix, Q: ArrayLike) -> SVD:
    """Decomposition of ``Q Q' A``, the part of ``A`` in the space of ``Q``, from a small matrix; :eq:`svd-projected`.

    Parameters
    ----------
    A : (n, d) array or sparse matrix
    Q : (n, m) array
        Orthonormal columns, m <= d.

    Returns
    -------
    SVD
        ``U`` (n, m), ``s`` (m,), ``Vt`` (m, d), with the signs of :func:`exact_svd`.

    Raises
    ------
    ValueError
        If a matrix is empty or not finite, the numbers of rows differ, ``Q`` has too many columns, or they are not
        orthonormal.

    Notes
    -----
    O(n d m) time.

    Examples
    --------
    >>> svd_from_range([[2.0, 0.0], [0.0, 1.0]], [[1.0], [0.0]]).s
    array([2.])
    """
    A, Q = any_matrix(A, "A"), check_matrix(Q, "Q")
    if len(Q) != A.shape[0] or Q.shape[1] > A.shape[1]:
        raise ValueError(f"Q must have {A.shape[0]} rows and at most {A.shape[1]} columns, got shape {Q.shape}.")
    if not np.allclose(Q.T @ Q, np.eye(Q.shape[1]), rtol=0, atol=1e-8):
        raise ValueError("The columns of Q must be orthonormal: use range_finder or numpy.linalg.qr.")
    return small_svd(A, Q)


def randomized_svd(
    M: Matrix,
    n_components: int,
    *,
    n_oversamples: int = 10,
    n_iter: int | str = "auto",
    random_state: RandomState = None,
) -> SVD:
    """Nearly the ``n_components`` largest singular values with their vectors, from random samples of the columns.

    Parameters
    ----------
    M : (n, d) array or sparse matrix
    n_components : int
        From 1 to min(n, d).
    n_oversamples : int
        Random vectors beyond ``n_components``.
    n_iter : int or 'auto'
        Rounds of power iteration; 'auto' is 7 for fewer components than a tenth of min(n, d) and 4 otherwise, as in
        scikit-learn.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    SVD
        ``U`` (n, n_components), ``s``, ``Vt`` (n_components, d), with the signs of :func:`exact_svd`. The values are
        never above the true ones.

    Raises
    ------
    ValueError, TypeError
        If ``M`` is not a matrix, is empty or not finite, ``n_components`` is not an integer from 1 to min(n, d), or
        ``n_oversamples`` or ``n_iter`` is not an integer >= 0.

    Notes
    -----
    O((n_iter + 1) n d (n_components + n_oversamples)) time. How good the result is depends on how fast the singular
    values fall (:eq:`svd-randomised-bound`, :eq:`svd-randomised-power`).

    Examples
    --------
    >>> randomized_svd(np.diag([5.0, 4.0, 3.0, 2.0, 1.0]), 2, random_state=0).s.round(12)
    array([5., 4.])
    """
    A = any_matrix(M, "M")
    k = check_rank(n_components, "n_components", A.shape)
    size = min(k + check_integer(n_oversamples, "n_oversamples", 0), *A.shape)
    if isinstance(n_iter, str):
        if n_iter != "auto":
            raise ValueError(f"n_iter must be an integer or 'auto', got {n_iter!r}.")
        n_iter = 7 if k < 0.1 * min(A.shape) else 4
    U, s, Vt = small_svd(A, range_finder(A, size, n_iter, random_state))
    return SVD(U[:, :k], s[:k], Vt[:k])


# --- small helpers
def any_matrix(A: Matrix, name: str) -> Matrix:
    """A finite matrix with at least one entry, dense or in compressed sparse rows."""
    if not issparse(A):
        return check_matrix(A, name)
    rows = csr_array(A, dtype=float)
    if 0 in rows.shape:
        raise ValueError(f"{name} must have at least one row and one column, got shape {rows.shape}.")
    check_finite(rows.data, name)
    return rows


def orthonormal(Y: FloatArray, passes: int) -> FloatArray:
    """Orthonormal columns with the span of ``Y``, by the Cholesky factor of ``Y'Y``, or by QR near a lower rank.

    One pass leaves the columns orthonormal to the square of the condition of ``Y`` times the machine epsilon, which is
    enough between two products; the second one makes them orthonormal to rounding.
    """
    top = max(Y.max(), -Y.min())
    if not 1 / LARGE < top < LARGE:
        Y = Y / (top or 1.0)  # so that no square overflows or vanishes
    for _ in range(passes):
        R, failed = lapack.dpotrf(Y.T @ Y)
        if failed or np.diag(R).min() <= NEAR * np.diag(R).max():
            return qr(Y, mode="economic", check_finite=False)[0]
        Y = Y @ lapack.dtrtri(R)[0]  # Y R^-1
    return Y


def small_svd(A: Matrix, Q: FloatArray) -> SVD:
    """:func:`svd_from_range` without checks."""
    V, s, Wt = svd((Q.T @ A).T, full_matrices=False, check_finite=False)  # long columns are cheaper than long rows
    return with_signs(Q @ Wt.T, s, V.T)  # svd-projected

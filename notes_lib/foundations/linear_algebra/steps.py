"""Step functions of the chapter *Linear algebra*, in the order of its derivation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve, eigh, lapack, solve_triangular, svd

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_real
from notes_lib.foundations.linear_algebra.checks import forms, right_hand_side, split, symmetric, system
from notes_lib.foundations.linear_algebra.reduction import (
    EPS,
    definite_factor,
    in_range,
    lengths,
    solve_block,
    triangle,
)

TINY = float(np.finfo(float).tiny)  # in place of the length 0 of a column of zeros
TIE = 1e-8  # entries of an eigenvector whose moduli differ relatively by less than this count as equally large


class QR(NamedTuple):
    """Result of :func:`householder_qr`: ``Q`` (n, d) with orthonormal columns, ``R`` (d, d) upper triangular."""

    Q: FloatArray
    R: FloatArray


class LeastSquares(NamedTuple):
    """Result of :func:`svd_solve`: ``w`` (d,) or (d, m), the numerical ``rank``, ``singular_values`` (min(n, d),)."""

    w: FloatArray
    rank: int
    singular_values: FloatArray


class Eigen(NamedTuple):
    """Result of :func:`generalized_eigh`: ``eigenvalues`` (r,) in descending order, ``vectors`` (d, r)."""

    eigenvalues: FloatArray
    vectors: FloatArray


def project(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Orthogonal projection of ``y`` on the space that the columns of ``X`` span.

    Implements :eq:`linear-algebra-projector` as :eq:`linear-algebra-projector-q`, with an orthonormal basis in place of
    ``X (X'X)^-1 X'``. The residual ``y - project(X, y)`` is orthogonal to every column of ``X``.

    Parameters
    ----------
    X : (n, d) or (n,) array
        A vector stands for the line through it. Columns may be linearly dependent, repeated or 0.
    y : (n,) or (n, m) array
        One vector, or one in each column.

    Returns
    -------
    array shaped like ``y``

    Raises
    ------
    ValueError
        If an array is empty, not finite, or the numbers of rows differ.

    Notes
    -----
    O(n d min(n, d)) time, O(n d) memory. Columns are brought to length 1 first, so that units decide nothing.

    Examples
    --------
    >>> project([1.0, 1.0], [3.0, 1.0])
    array([2., 2.])
    """
    X = np.asarray(X, dtype=float)
    X, y = system(X[:, None] if X.ndim == 1 else X, y)
    U, s, _ = svd(X / np.maximum(lengths(X), TINY), full_matrices=False)
    Q = U[:, s > max(X.shape) * EPS * s[0]]  # (n, rank)
    return Q @ (Q.T @ y)  # linear-algebra-projector-q


def householder_qr(X: ArrayLike) -> QR:
    """Thin QR factorisation by one Householder reflection a column; :eq:`linear-algebra-householder`.

    Parameters
    ----------
    X : (n, d) array, n >= d

    Returns
    -------
    QR
        ``Q`` (n, d) with ``Q'Q = I`` and ``R`` (d, d) upper triangular, ``X = Q R`` (:eq:`linear-algebra-qr`). The
        diagonal of ``R`` is not negative, so for full rank the factors are unique and ``R'`` is the Cholesky factor
        of ``X'X`` (:eq:`linear-algebra-gram-cholesky`).

    Raises
    ------
    ValueError
        If ``X`` is empty, not finite, or has fewer rows than columns.

    Notes
    -----
    O(n d^2) time, O(n d) memory.

    Examples
    --------
    >>> householder_qr([[3.0, 1.0], [4.0, 3.0]]).R
    array([[5., 3.],
           [0., 1.]])
    """
    X = check_matrix(X, "X")
    n, d = X.shape
    if n < d:
        raise ValueError(f"X must have at least as many rows as columns, got shape {X.shape}: pass its transpose.")
    R, V = X.copy(), np.zeros((n, d))
    for j in range(d):
        x = R[j:, j]
        scale = np.abs(x).max()
        if scale == 0:
            continue  # nothing to reflect: the diagonal entry stays 0
        v = x / scale
        v[0] += np.copysign(np.linalg.norm(v), v[0])  # same sign, so that nothing cancels
        V[j:, j] = v / np.linalg.norm(v)
        R[j:, j:] -= 2.0 * np.outer(V[j:, j], V[j:, j] @ R[j:, j:])  # linear-algebra-householder
    Q = np.eye(n, d)
    for j in reversed(range(d)):
        Q[j:, j:] -= 2.0 * np.outer(V[j:, j], V[j:, j] @ Q[j:, j:])
    signs = np.where(np.diag(R) < 0, -1.0, 1.0)
    return QR(Q * signs, np.triu(R[:d] * signs[:, None]))


def qr_solve(X: ArrayLike, y: ArrayLike, *, tol: float | None = None) -> FloatArray:
    """Least squares by QR: minimise ``|X w - y|^2`` by solving ``R w = Q'y``; :eq:`linear-algebra-qr-solve`.

    Parameters
    ----------
    X : (n, d) array, n >= d
        Full column rank.
    y : (n,) or (n, m) array
        One right-hand side, or one in each column.
    tol : float or None
        A column counts as dependent if the sine of its angle to the space of the columns before it
        (:eq:`linear-algebra-sine`) is at most this; ``10 n`` times the machine epsilon if None.

    Returns
    -------
    (d,) or (d, m) array

    Raises
    ------
    ValueError, TypeError
        If a shape does not fit, a number is not finite, ``X`` has fewer rows than columns, a column is a linear
        combination of the columns before it (names the column and the remedy), ``tol`` is not a number >= 0, or ``w``
        is too large for a float.

    Notes
    -----
    O(n d^2 + n d m) time, O(n d) memory. Long matrices are reduced in blocks of rows that stay in the processor's
    cache, then the triangles of the blocks together (:eq:`linear-algebra-qr-blocks`); ``Q`` is never formed. With the
    condition number of columns at length 1, it loses up to log10(cond X) digits if the residual is small, up to twice
    as many if it is large (:eq:`linear-algebra-ls-perturbation`); the normal equations lose up to twice as many always.

    Examples
    --------
    >>> qr_solve([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [6.0, 0.0, 0.0]).round(12)
    array([ 5., -3.])
    """
    X, y = system(X, y)
    n, d = X.shape
    if n < d:
        raise ValueError(f"X has fewer rows than columns, shape {X.shape}: many w fit exactly, use svd_solve.")
    tol = 10 * n * EPS if tol is None else check_real(tol, "tol")
    R, c = triangle(X, y)
    sines = np.abs(np.diag(R)) / np.maximum(lengths(R), TINY)  # linear-algebra-sine
    dependent = np.flatnonzero(sines <= tol)
    if dependent.size:
        raise ValueError(
            f"X has linearly dependent columns: column {dependent[0]} is 0 or a combination of the columns before it "
            "(to rounding). Remove it, or use svd_solve for the shortest w."
        )
    return in_range(solve_triangular(R, c, check_finite=False), "w", R)  # linear-algebra-qr-solve


def svd_solve(X: ArrayLike, y: ArrayLike, rcond: float | None = None) -> LeastSquares:
    """Least squares of minimum norm by singular values, ``w = X^+ y``; :eq:`linear-algebra-pseudo-inverse`.

    Parameters
    ----------
    X : (n, d) array
        Any shape and any rank.
    y : (n,) or (n, m) array
        One right-hand side, or one in each column.
    rcond : float or None
        Singular values of at most ``rcond`` times the largest count as 0; ``max(n, d)`` times the machine epsilon if
        None. The decision and the precision depend on the units of the columns: bring them to one scale if they
        differ widely.

    Returns
    -------
    LeastSquares
        ``w`` (d,) or (d, m), of all minimisers the shortest one; ``rank``; ``singular_values`` (min(n, d),),
        descending.

    Raises
    ------
    ValueError, TypeError
        If a shape does not fit, a number is not finite, ``rcond`` is not a number from 0 to 1, or ``w`` is too large
        for a float.

    Notes
    -----
    O(n d min(n, d) + n d m) time, O(n d) memory. A long matrix is first reduced to its triangle ``R``, which has the
    same singular values.

    Examples
    --------
    >>> w, rank, s = svd_solve([[1.0, 1.0], [2.0, 2.0]], [2.0, 4.0])
    >>> w.round(12), rank, s.round(4)
    (array([1., 1.]), 1, array([3.1623, 0.    ]))
    """
    X, y = system(X, y)
    n, d = X.shape
    rcond = max(n, d) * EPS if rcond is None else check_real(rcond, "rcond")
    if rcond > 1:
        raise ValueError(f"rcond must be from 0 to 1, got {rcond}: it is relative to the largest singular value.")
    R, c = triangle(X, y) if n > 2 * d else (X, y)
    U, s, Vt = svd(R, full_matrices=False)
    keep = s > rcond * s[0]
    w = Vt[keep].T @ ((U[:, keep].T @ c).T / s[keep]).T  # linear-algebra-pseudo-inverse
    return LeastSquares(in_range(w, "w", s), int(keep.sum()), s)


def cholesky_solve(A: ArrayLike, b: ArrayLike, *, tol: float | None = None) -> FloatArray:
    """Solve ``A x = b`` for a symmetric positive definite ``A = L L'``: ``L z = b``, then ``L' x = z``.

    Implements :eq:`linear-algebra-cholesky-solve`.

    Parameters
    ----------
    A : (d, d) array
        Symmetric positive definite.
    b : (d,) or (d, m) array
    tol : float or None
        ``A`` counts as singular if a pivot ``L_jj^2``, as a share of ``A_jj``, is at most this;
        ``10 d`` times the machine epsilon if None. For a covariance that is the share of the variance of variable j
        that the variables before it leave unexplained (:eq:`linear-algebra-pivot`), whatever the units.

    Returns
    -------
    array shaped like ``b``

    Raises
    ------
    ValueError, TypeError
        If a shape does not fit, a number is not finite, ``A`` is not symmetric, ``tol`` is not a number >= 0, or ``x``
        is too large for a float.
    NotPositiveDefiniteError
        If ``A`` is singular or indefinite; ``index`` is the row and column where the factorisation stops.

    Notes
    -----
    d^3 / 3 + 2 d^2 m multiplications and additions: half of Gaussian elimination.

    Examples
    --------
    >>> cholesky_solve([[4.0, 2.0], [2.0, 5.0]], [8.0, 12.0])
    array([1., 2.])
    """
    L = definite_factor(A, "A", tol)
    b = right_hand_side(b, "b", len(L), "A")
    return in_range(cho_solve((L, True), b), "x")  # linear-algebra-cholesky-solve


def schur_complement(M: ArrayLike, eliminate: ArrayLike) -> FloatArray:
    """Schur complement of a block of ``M``: what is left of ``M`` when some variables are eliminated.

    Implements :eq:`linear-algebra-schur`: with ``e`` the eliminated and ``r`` the other rows and columns, in their
    order, ``M_rr - M_re M_ee^-1 M_er``. For a covariance matrix it is the covariance of the variables ``r`` given the
    variables ``e``.

    Parameters
    ----------
    M : (p, p) array
        Need not be symmetric.
    eliminate : (q,) array of int
        Different indices from 0 to p - 1, some but not all; ``M[eliminate][:, eliminate]`` must be invertible.

    Returns
    -------
    (p - q, p - q) array
        Exactly symmetric if ``M`` is.

    Raises
    ------
    ValueError
        If ``M`` is not a finite square matrix, ``eliminate`` is not as above, or the block is singular.

    Notes
    -----
    O(q^3 + q (p - q) p) time.

    Examples
    --------
    >>> schur_complement([[2.0, 1.0], [1.0, 4.0]], [0])
    array([[3.5]])
    """
    M = check_matrix(M, "M", square=True)
    e, r = split(eliminate, len(M))
    S = M[np.ix_(r, r)] - M[np.ix_(r, e)] @ solve_block(M[np.ix_(e, e)], M[np.ix_(e, r)])  # linear-algebra-schur
    return (S + S.T) / 2 if np.array_equal(M, M.T) else S


def block_inverse(M: ArrayLike, eliminate: ArrayLike) -> FloatArray:
    """Inverse of ``M`` by blocks, from the inverse of one block and of its Schur complement.

    Implements :eq:`linear-algebra-block-inverse`.

    Parameters
    ----------
    M : (p, p) array
    eliminate : (q,) array of int
        As in :func:`schur_complement`; any choice gives the same result.

    Returns
    -------
    (p, p) array

    Raises
    ------
    ValueError
        As in :func:`schur_complement`; also if the Schur complement is singular, because then ``M`` is.

    Notes
    -----
    O(p^3) time.

    Examples
    --------
    >>> block_inverse([[2.0, 1.0], [1.0, 1.0]], [0])
    array([[ 1., -1.],
           [-1.,  2.]])
    """
    M = check_matrix(M, "M", square=True)
    e, r = split(eliminate, len(M))
    A = M[np.ix_(e, e)]
    AiB = solve_block(A, M[np.ix_(e, r)])  # A^-1 B
    CAi = solve_block(A.T, M[np.ix_(r, e)].T).T  # C A^-1
    S = schur_complement(M, e)
    Si = solve_block(S, np.eye(len(r)), "the Schur complement, so M itself,")
    inverse = np.empty_like(M)
    inverse[np.ix_(e, e)] = solve_block(A, np.eye(len(e))) + AiB @ Si @ CAi  # linear-algebra-block-inverse
    inverse[np.ix_(e, r)] = -AiB @ Si
    inverse[np.ix_(r, e)] = -Si @ CAi
    inverse[np.ix_(r, r)] = Si
    return inverse


def rayleigh_quotient(w: ArrayLike, A: ArrayLike, B: ArrayLike | None = None) -> float:
    """Generalised Rayleigh quotient ``w'A w / w'B w``; :eq:`linear-algebra-rayleigh`.

    Parameters
    ----------
    w : (d,) array
        Its length and sign do not matter.
    A : (d, d) array, symmetric
    B : (d, d) array or None
        Symmetric positive definite; the identity if None.

    Returns
    -------
    float
        Between the smallest and the largest eigenvalue of :func:`generalized_eigh`.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, a matrix is not symmetric, or ``w'B w`` is not positive.

    Examples
    --------
    >>> rayleigh_quotient([1.0, 1.0], [[2.0, 1.0], [1.0, 2.0]])
    3.0
    """
    w, _, A, B = forms(w, A, B)
    return float(w @ A @ w / (w @ B @ w))  # linear-algebra-rayleigh


def rayleigh_gradient(w: ArrayLike, A: ArrayLike, B: ArrayLike | None = None) -> FloatArray:
    """Gradient of :func:`rayleigh_quotient` by ``w``; :eq:`linear-algebra-rayleigh-gradient`.

    Parameters and errors are those of :func:`rayleigh_quotient`.

    Returns
    -------
    (d,) array
        Orthogonal to ``w``, because the length of ``w`` does not matter; 0 exactly at the eigenvectors.

    Examples
    --------
    >>> rayleigh_gradient([1.0, 0.0], [[2.0, 1.0], [1.0, 2.0]])
    array([0., 2.])
    """
    w, size, A, B = forms(w, A, B)
    length = w @ B @ w
    return 2.0 / length * (A @ w - (w @ A @ w / length) * (B @ w)) / size  # linear-algebra-rayleigh-gradient


def generalized_eigh(
    A: ArrayLike, B: ArrayLike | None = None, n_components: int | None = None, *, tol: float | None = None
) -> Eigen:
    """Solve ``A w = lambda B w`` for symmetric ``A`` and positive definite ``B``; the largest eigenvalues first.

    Implements :eq:`linear-algebra-generalized` by whitening, :eq:`linear-algebra-whitened`: with ``B = L L'`` and
    ``u = L' w`` it is the ordinary symmetric problem of ``L^-1 A L^-T``.

    Parameters
    ----------
    A : (d, d) array
        Symmetric.
    B : (d, d) array or None
        Symmetric positive definite; the identity (an ordinary eigenproblem) if None.
    n_components : int or None
        How many pairs to return, the largest eigenvalues; all d if None.
    tol : float or None
        When ``B`` counts as singular, as in :func:`cholesky_solve`; without ``B`` it decides nothing.

    Returns
    -------
    Eigen
        ``eigenvalues`` (r,), descending; ``vectors`` (d, r), columns with ``w_i' B w_j = 1`` for i = j and 0 otherwise
        (:eq:`linear-algebra-b-orthonormal`). The sign of a column makes its entry of largest modulus positive (the
        first such entry in a tie).

    Raises
    ------
    ValueError, TypeError
        If a matrix is not square, finite and symmetric, the shapes differ, ``n_components`` is not an integer from 1
        to d, or ``tol`` is not a number >= 0.
    NotPositiveDefiniteError
        If ``B`` is singular or indefinite; ``index`` is the row and column where the factorisation stops.

    Notes
    -----
    O(d^3) time, O(d^2) memory.

    Examples
    --------
    >>> generalized_eigh(np.diag([4.0, 9.0]), np.diag([4.0, 1.0])).eigenvalues
    array([9., 1.])
    """
    A = symmetric(A, "A")
    d = len(A)
    r = d if n_components is None else check_integer(n_components, "n_components")
    if r > d:
        raise ValueError(f"n_components={r} must be at most d = {d}.")
    if tol is not None:
        check_real(tol, "tol")
    L = None
    if B is not None:
        if np.shape(B) != A.shape:
            raise ValueError(f"A and B must have one shape, got {A.shape} and {np.shape(B)}.")
        L = definite_factor(B, "B", tol)
        A, _ = lapack.dsygst(A, L, lower=1)  # linear-algebra-whitened: the lower half of L^-1 A L^-T
    few = None if r == d else [d - r, d - 1]
    values, W = eigh(A, lower=True, driver="evr" if few else "evd", subset_by_index=few)
    if L is not None:
        W = solve_triangular(L, W, lower=True, trans="T")  # w = L^-T u
    values, W = values[::-1], W[:, ::-1]
    size = np.abs(W)
    first = (size >= (1 - TIE) * size.max(axis=0)).argmax(axis=0)
    return Eigen(values, W * np.where(W[first, np.arange(r)] < 0, -1.0, 1.0))

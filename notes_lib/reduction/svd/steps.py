"""Step functions of the chapter *Singular value decomposition*, in the order of its derivation."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import svd
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_real, check_vector
from notes_lib.numerics import RandomState, check_rng, leading_signs

EPS = float(np.finfo(float).eps)
TIE = 1e-8  # entries of a singular vector whose moduli differ relatively by less than this count as equally large


class SVD(NamedTuple):
    """Singular triplets: ``U`` (n, k), ``s`` (k,) in descending order, ``Vt`` (k, d); columns and rows orthonormal."""

    U: FloatArray
    s: FloatArray
    Vt: FloatArray


class TruncationError(NamedTuple):
    """Result of :func:`truncation_error`: distances in both norms, and the share of the squares that is kept."""

    spectral: float
    frobenius: float
    energy: float


def exact_svd(A: ArrayLike) -> SVD:
    """Thin singular value decomposition ``A = U diag(s) Vt`` by LAPACK; :eq:`svd-decomposition`.

    Parameters
    ----------
    A : (n, d) array
        Any shape and any rank.

    Returns
    -------
    SVD
        ``U`` (n, m), ``s`` (m,) and ``Vt`` (m, d) with m = min(n, d). As in scikit-learn's ``TruncatedSVD``, the sign
        of a pair makes the entry of largest modulus in its row of ``Vt`` positive (the first such entry in a tie).

    Raises
    ------
    ValueError
        If ``A`` is not a matrix, is empty or not finite.

    Notes
    -----
    O(n d min(n, d)) time, O(n d) memory.

    Examples
    --------
    >>> U, s, Vt = exact_svd([[3.0, 0.0], [4.0, 5.0]])
    >>> s**2
    array([45.,  5.])
    """
    U, s, Vt = svd(check_matrix(A, "A"), full_matrices=False, check_finite=False)
    return with_signs(U, s, Vt)


def low_rank_approximation(A: ArrayLike, k: int) -> FloatArray:
    """Of all matrices of rank at most ``k`` the nearest one to ``A``, in both norms; :eq:`svd-truncation`.

    By the theorem of Eckart and Young its distance from ``A`` is the next singular value in the spectral norm
    (:eq:`svd-eckart-young-spectral`) and the root of the sum of the squares of all further ones in the Frobenius norm
    (:eq:`svd-eckart-young-frobenius`). It is unique if singular values k and k + 1 differ (in the spectral norm even
    then other matrices may be as near).

    Parameters
    ----------
    A : (n, d) array
    k : int
        From 1 to min(n, d).

    Returns
    -------
    (n, d) array

    Raises
    ------
    ValueError, TypeError
        If ``A`` is not a matrix, is empty or not finite, or ``k`` is not an integer from 1 to min(n, d).

    Notes
    -----
    O(n d min(n, d)) time.

    Examples
    --------
    >>> low_rank_approximation([[2.0, 0.0], [0.0, 1.0]], 1)
    array([[2., 0.],
           [0., 0.]])
    """
    A = check_matrix(A, "A")
    k = check_rank(k, "k", A.shape)
    U, s, Vt = exact_svd(A)
    return (U[:, :k] * s[:k]) @ Vt[:k]  # svd-truncation


def truncation_error(s: ArrayLike, k: int) -> TruncationError:
    """How far the best approximation of rank ``k`` is from a matrix with the singular values ``s``.

    Parameters
    ----------
    s : (m,) array
        All singular values, in any order, not negative.
    k : int
        From 0 to m; 0 stands for the matrix of zeros.

    Returns
    -------
    TruncationError
        ``spectral`` (:eq:`svd-eckart-young-spectral`), ``frobenius`` (:eq:`svd-eckart-young-frobenius`) and
        ``energy`` (:eq:`svd-energy`), which is 1 if all values are 0.

    Raises
    ------
    ValueError, TypeError
        If ``s`` is not a finite vector, holds a negative number, or ``k`` is not an integer from 0 to m.

    Examples
    --------
    >>> truncation_error([4.0, 3.0, 2.0, 2.0], 2)
    TruncationError(spectral=2.0, frobenius=2.8284271247461903, energy=0.7575757575757576)
    """
    s = np.sort(check_vector(s, "s"))[::-1]
    if s[-1] < 0:
        raise ValueError(f"s must not be negative, got {s[-1]:g}: singular values are lengths.")
    if check_integer(k, "k", 0) > len(s):
        raise ValueError(f"k={k} must be at most the number of singular values, {len(s)}.")
    if s[0] == 0:
        return TruncationError(0.0, 0.0, 1.0)
    squares = (s / s[0]) ** 2  # so that nothing overflows
    rest = squares[k:].sum()
    return TruncationError(
        float(s[k]) if k < len(s) else 0.0, float(s[0] * np.sqrt(rest)), float(squares[:k].sum() / squares.sum())
    )


def numerical_rank(A: ArrayLike, rtol: float | None = None) -> int:
    """Number of singular values above a threshold; :eq:`svd-rank`.

    Parameters
    ----------
    A : (n, d) array
    rtol : float or None
        The threshold, relative to the largest singular value; ``max(n, d)`` times the machine epsilon if None, as in
        NumPy. If the entries of ``A`` carry d digits, ``10**-d`` is honest.

    Returns
    -------
    int
        0 for a matrix of zeros.

    Raises
    ------
    ValueError, TypeError
        If ``A`` is not a matrix, is empty or not finite, or ``rtol`` is not a number from 0 to 1.

    Examples
    --------
    >>> numerical_rank([[1.0, 2.0], [2.0, 4.0]])
    1
    """
    A = check_matrix(A, "A")
    s = svd(A, compute_uv=False, check_finite=False)
    return int((s > threshold(s, rtol, A.shape)).sum())


def pseudo_inverse(A: ArrayLike, rtol: float | None = None) -> FloatArray:
    """Pseudo-inverse of Moore and Penrose; its product with ``y`` is the shortest solution; :eq:`svd-pseudo-inverse`.

    Parameters
    ----------
    A : (n, d) array
        Any shape and any rank.
    rtol : float or None
        As in :func:`numerical_rank`; smaller singular values count as 0.

    Returns
    -------
    (d, n) array

    Raises
    ------
    ValueError, TypeError
        As in :func:`numerical_rank`.

    Notes
    -----
    O(n d min(n, d)) time. To solve one system, ``notes_lib.foundations.linear_algebra.svd_solve`` is cheaper.

    Examples
    --------
    >>> pseudo_inverse([[1.0], [1.0]])
    array([[0.5, 0.5]])
    """
    A = check_matrix(A, "A")
    U, s, Vt = exact_svd(A)
    keep = s > threshold(s, rtol, A.shape)
    return (Vt[keep].T / s[keep]) @ U[:, keep].T  # svd-pseudo-inverse


def power_step(A: ArrayLike, v: ArrayLike) -> tuple[FloatArray, float, FloatArray]:
    """One step of power iteration, there by ``A`` and back by its transpose; :eq:`svd-power-step`.

    Parameters
    ----------
    A : (n, d) array
    v : (d,) array
        Not 0; its length does not matter.

    Returns
    -------
    u : (n,) array
        Direction of ``A v``, of length 1.
    sigma : float
        How much ``A`` stretches ``v``: at most the largest singular value (:eq:`svd-stretch`).
    v : (d,) array
        Direction of ``A' u``, of length 1.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, ``v`` is 0, or ``A v`` is 0.

    Examples
    --------
    >>> u, sigma, v = power_step([[2.0, 0.0], [0.0, 1.0]], [1.0, 1.0])
    >>> v * np.sqrt(17)
    array([4., 1.])
    """
    A = check_matrix(A, "A")
    v = check_vector(v, "v", A.shape[1])
    if not v.any():
        raise ValueError("v must not be 0: start from a random vector.")
    v = unit(v)
    u = A @ v
    if not u.any():
        raise ValueError("A v is 0, so v shows no direction: start from another vector.")
    return unit(u), float(length(u)), unit(A.T @ unit(u))


def svd_power(
    A: ArrayLike, k: int, *, tol: float = 1e-12, max_iter: int = 100_000, random_state: RandomState = 0
) -> SVD:
    """The ``k`` largest singular values with their vectors, one after another by power iteration and deflation.

    Each pair is found by repeating :eq:`svd-power-step` from a random start; then its part of ``A`` is taken away
    (:eq:`svd-deflation`) by keeping all further vectors orthogonal to those found.

    Parameters
    ----------
    A : (n, d) array
    k : int
        From 1 to min(n, d).
    tol : float
        A pair is found when a step moves ``v`` by no more than this (or by no more than rounding does).
    max_iter : int
        Steps for each pair at most.
    random_state : int, Generator, RandomState or None
        Of the starts.

    Returns
    -------
    SVD
        ``U`` (n, k), ``s`` (k,), ``Vt`` (k, d), with the signs of :func:`exact_svd`.

    Raises
    ------
    ValueError, TypeError
        If ``A`` is not a matrix, is empty or not finite; ``k`` is not an integer from 1 to min(n, d); ``tol`` is not a
        number >= 0; ``max_iter`` is not an integer >= 1.

    Warns
    -----
    ConvergenceWarning
        If a pair needs more than ``max_iter`` steps. A step divides the tangent of the angle to ``v`` by the square of
        the quotient of two neighbouring singular values (:eq:`svd-power-rate`), so nearly equal ones are slow. Equal
        ones are not: then any direction between them is right.

    Notes
    -----
    O(n d) time a step.

    Examples
    --------
    >>> svd_power([[2.0, 0.0, 0.0], [0.0, 3.0, 0.0]], 2).s.round(12)
    array([3., 2.])
    """
    A = check_matrix(A, "A")
    k = check_rank(k, "k", A.shape)
    tol, max_iter, rng = check_real(tol, "tol"), check_integer(max_iter, "max_iter"), check_rng(random_state)
    scale = float(np.abs(A).max()) or 1.0
    A = A / scale  # its largest singular value is at least 1, or A is 0
    U, s, V = np.zeros((len(A), 0)), np.zeros(0), np.zeros((A.shape[1], 0))
    for _ in range(k):
        rounding = max(A.shape) * EPS * s.max(initial=1.0)
        v, left = orthogonal(rng.normal(size=len(V)), V), np.inf
        for _ in range(max_iter):
            u = outside(A @ v, U)
            sigma = length(u)
            if sigma <= rounding:  # nothing is left of A: any directions will do
                u, sigma, left = rng.normal(size=len(U)), 0.0, 0.0
                break
            u = unit(u)
            before, v = v, orthogonal(A.T @ u, V)  # svd-power-step of what svd-deflation leaves
            left = length(v - before) - max(tol, 8 * rounding / sigma)
            if left <= 0:
                break
        if left > 0:
            warnings.warn(
                f"Pair {len(s) + 1} was not found in max_iter={max_iter} steps: two neighbouring singular values are "
                "nearly equal. Raise max_iter or tol, or use exact_svd.",
                ConvergenceWarning,
                stacklevel=2,
            )
        U, s, V = np.column_stack([U, orthogonal(u, U)]), np.append(s, sigma), np.column_stack([V, v])
    order = np.argsort(-s, kind="stable")
    return with_signs(U[:, order], scale * s[order], V.T[order])


# --- small helpers
def check_rank(k: int, name: str, shape: tuple[int, ...]) -> int:
    """An integer from 1 to the smaller side of a matrix."""
    k, most = check_integer(k, name), min(shape)
    if k > most:
        raise ValueError(
            f"{name}={k} must be at most min(n_samples, n_features) = {most}, got n_samples={shape[0]} and "
            f"n_features={shape[1]}: a matrix has no more singular values."
        )
    return k


def threshold(s: FloatArray, rtol: float | None, shape: tuple[int, ...]) -> float:
    """Singular values up to this count as 0; :eq:`svd-rank`."""
    rtol = max(shape) * EPS if rtol is None else check_real(rtol, "rtol")
    if rtol > 1:
        raise ValueError(f"rtol must be from 0 to 1, got {rtol}: it is relative to the largest singular value.")
    return rtol * float(s[0])


def with_signs(U: FloatArray, s: FloatArray, Vt: FloatArray) -> SVD:
    """The same pairs, each with the sign that makes the largest entry of its row of ``Vt`` positive."""
    signs = leading_signs(Vt, TIE)
    return SVD(U * signs, s, Vt * signs[:, None])


def length(x: FloatArray) -> float:
    """Euclidean length, also of vectors whose squares would overflow or vanish."""
    top = float(np.abs(x).max())
    return top * float(np.linalg.norm(x / top)) if top > 0 else 0.0


def unit(x: FloatArray) -> FloatArray:
    """A vector of length 1 in the direction of ``x``."""
    x = x / np.abs(x).max()
    return x / np.linalg.norm(x)


def outside(x: FloatArray, Q: FloatArray) -> FloatArray:
    """The part of ``x`` that is orthogonal to the orthonormal columns of ``Q``; twice, for its last digits."""
    x = x - Q @ (Q.T @ x)
    return x - Q @ (Q.T @ x)


def orthogonal(x: FloatArray, Q: FloatArray) -> FloatArray:
    """:func:`outside`, brought to length 1."""
    return unit(outside(x, Q))

"""Numerical building blocks that NumPy and SciPy lack, shared by all chapters.

Nothing here is an algorithm of the book; each function is a line or two of linear algebra, or of care for memory,
written once so that every chapter writes it in the same, numerically sound way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import blas, lapack

from notes_lib.checks import FloatArray, all_finite, check_symmetric

RandomState = int | np.random.Generator | np.random.RandomState | None


def check_rng(random_state: RandomState) -> np.random.Generator:
    """Turn any accepted ``random_state`` into a ``numpy.random.Generator``.

    Parameters
    ----------
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        An int gives the same stream on every call; a Generator is returned as it is, so that consecutive calls continue
        its stream; a RandomState shares its bit generator; None draws fresh entropy.

    Returns
    -------
    numpy.random.Generator

    Raises
    ------
    TypeError
        If ``random_state`` is of another type.
    ValueError
        If an int is negative.

    Examples
    --------
    >>> check_rng(0).integers(10) == check_rng(0).integers(10)
    np.True_
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.Generator(random_state._bit_generator)
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise ValueError(f"random_state must be a non-negative integer, got {random_state}.")
        return np.random.default_rng(int(random_state))
    raise TypeError(
        "random_state must be an int, a numpy.random.Generator, a numpy.random.RandomState or None, "
        f"got {type(random_state).__name__}."
    )


BLOCK = 2048  # rows handled at a time: a block of a few dozen columns stays in the processor's cache
IN_CACHE = 2**16  # numbers, half a megabyte


def row_blocks(n: int, width: int = 1) -> Iterator[slice]:
    """Slices that cover ``range(n)`` in blocks of ``BLOCK`` rows, the last one shorter.

    For more than 32 columns, the ``width``, there are fewer rows in a block, so that it stays in the cache, but never
    fewer than columns: a sum of products over the blocks would cost more than the products.

    Examples
    --------
    >>> list(row_blocks(3000))
    [slice(0, 2048, None), slice(2048, 3000, None)]
    >>> list(row_blocks(1000, width=100))
    [slice(0, 655, None), slice(655, 1000, None)]
    >>> list(row_blocks(1000, width=600))
    [slice(0, 600, None), slice(600, 1000, None)]
    """
    rows = max(min(BLOCK, IN_CACHE // width), width)
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))


def squared_distances(X: ArrayLike, C: ArrayLike) -> FloatArray:
    """Squared Euclidean distances between the rows of two matrices.

    Uses ``|x|^2 - 2 x'c + |c|^2``, one matrix product instead of an ``(n, k, d)`` array of differences. Both matrices
    are first shifted by the mean of ``C``: distances do not change, but fewer digits cancel when the data lie far from
    the origin. Rounding can still make a distance slightly negative; such values are set to 0.

    Parameters
    ----------
    X : (n, d) array
    C : (k, d) array

    Returns
    -------
    (n, k) array
        Entry ``[i, j]`` is ``|X[i] - C[j]|^2``, never negative.

    Raises
    ------
    ValueError
        If ``X`` or ``C`` is not a matrix, or their numbers of columns differ.

    Notes
    -----
    O(n k d) time, O(n k) memory.

    Examples
    --------
    >>> squared_distances([[0.0, 0.0], [3.0, 4.0]], [[0.0, 0.0]])
    array([[ 0.],
           [25.]])
    """
    X = np.asarray(X, dtype=float)
    C = np.asarray(C, dtype=float)
    if X.ndim != 2 or C.ndim != 2 or X.shape[1] != C.shape[1]:
        raise ValueError(
            f"X and C must be matrices with the same number of columns, got shapes {X.shape} and {C.shape}."
        )
    shift = C.mean(axis=0)
    X = X - shift  # (n, d)
    C = C - shift  # (k, d)
    D = X @ (-2.0 * C.T)  # (n, k)
    D += np.einsum("ij,ij->i", X, X)[:, None]
    D += np.einsum("ij,ij->i", C, C)
    return np.maximum(D, 0.0, out=D)


def central_difference(f: Callable[[FloatArray], ArrayLike], x: ArrayLike, h: float = 1e-6) -> FloatArray:
    """Numerical gradient of a function by central differences.

    Parameters
    ----------
    f : callable
        Takes an array shaped like ``x``, returns a number, or an array that has the same shape at every ``x``.
    x : array
        Where the gradient is wanted; any shape.
    h : float
        Relative step: coordinate ``x_i`` moves by ``h * max(1, |x_i|)``.

    Returns
    -------
    array shaped like ``x``, and then like what ``f`` returns
        ``(f(x + h e_i) - f(x - h e_i)) / (2 h)`` for each coordinate; the truncation error is O(h^2).

    Raises
    ------
    ValueError
        If ``h`` is not positive.

    Notes
    -----
    Two evaluations of ``f`` for each entry of ``x``.

    Examples
    --------
    >>> central_difference(lambda v: float(v @ v), [1.0, -2.0]).round(6)
    array([ 2., -4.])
    """
    if not h > 0:
        raise ValueError(f"h must be positive, got {h}.")
    x = np.asarray(x, dtype=float)
    rates = []
    for i in np.ndindex(x.shape):
        step = h * max(1.0, abs(float(x[i])))
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        rates.append(np.subtract(f(up), f(down)) / (up[i] - down[i]))
    return np.reshape(rates, x.shape + np.shape(rates[0]) if rates else x.shape)


class NotPositiveDefiniteError(np.linalg.LinAlgError):
    """A matrix has no Cholesky factor; ``index`` is the number of the first row and column that does not fit."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


def cholesky_factor(Sigma: ArrayLike, name: str = "Sigma") -> FloatArray:
    """Lower Cholesky factor ``L`` of a covariance matrix, ``Sigma = L L'``.

    Parameters
    ----------
    Sigma : (d, d) array
        Symmetric and positive definite.
    name : str
        What to call the matrix in an error message.

    Returns
    -------
    (d, d) array
        Lower triangular with a positive diagonal.

    Raises
    ------
    ValueError
        If ``Sigma`` is not square, not finite, or not symmetric to a relative 1e-8; the message names the remedy.
    NotPositiveDefiniteError
        If ``Sigma`` is singular or indefinite: a ``ValueError`` that carries the ``index`` of the row and column where
        the factorisation stops.

    Notes
    -----
    O(d^3 / 3) time.

    Examples
    --------
    >>> cholesky_factor([[4.0, 2.0], [2.0, 5.0]])
    array([[2., 0.],
           [1., 2.]])
    """
    L, info = lapack.dpotrf(check_symmetric(Sigma, name), lower=1, clean=1)
    if info:
        raise NotPositiveDefiniteError(
            f"{name} is not positive definite (singular or indefinite): remove constant or repeated columns, or add a "
            "small positive number to its diagonal.",
            index=info - 1,
        )
    return np.asarray(L)


def log_gaussian(X: ArrayLike, mu: ArrayLike, L: ArrayLike) -> FloatArray:
    """Log-density of a multivariate Gaussian, from the Cholesky factor of its covariance.

    With ``Sigma = L L'`` and ``y = L^-1 (x - mu)`` the Mahalanobis term is ``|y|^2`` and
    ``log|Sigma| = 2 sum log L_ii``: no inverse and no determinant is formed.

    Parameters
    ----------
    X : (n, d) array
    mu : (d,) array
    L : (d, d) array
        Lower Cholesky factor of the covariance.

    Returns
    -------
    (n,) array
        ``log N(x_i | mu, L L')`` in nats.

    Raises
    ------
    ValueError
        If the shapes do not fit together, a number is not finite, or ``L`` has no positive diagonal.

    Notes
    -----
    O(n d^2) time, O(n) memory: the rows are handled in blocks that stay in the cache.

    Examples
    --------
    >>> log_gaussian([[0.0]], [0.0], [[1.0]]).round(4)  # -0.5 log(2 pi)
    array([-0.9189])
    """
    X, mu, L = (np.asarray(a, dtype=float) for a in (X, mu, L))
    if X.ndim != 2 or mu.shape != (X.shape[1],) or L.shape != (X.shape[1], X.shape[1]):
        raise ValueError(
            f"X must be (n, d), mu (d,) and L (d, d) with one d, got shapes {X.shape}, {mu.shape} and {L.shape}."
        )
    if (np.diag(L) <= 0).any():
        raise ValueError("L must have a positive diagonal: pass the lower Cholesky factor of the covariance.")
    squares = np.empty(len(X))
    for rows in row_blocks(len(X)):
        D = np.subtract(X[rows].T, mu[:, None], order="C")  # (d, rows): each variable in one piece
        Y = blas.dtrsm(1.0, L, D.T, side=1, lower=1, trans_a=1, overwrite_b=1)  # Y L' = D', so Y = (L^-1 D)'
        np.einsum("ij,ij->i", Y, Y, out=squares[rows])
    if not all_finite(squares) and not all(all_finite(a) for a in (X, mu, L)):  # far points overflow too
        raise ValueError("X, mu and L must be finite, one holds NaN or inf: remove or impute these entries.")
    half_log_det = np.log(np.diag(L)).sum()
    return -0.5 * (squares + mu.size * np.log(2.0 * np.pi)) - half_log_det


def leading_signs(V: FloatArray, tie: float = 0.0) -> FloatArray:
    """Sign (k,) of the entry of largest modulus in each row of ``V`` (k, n): what fixes the sign of an eigenvector.

    Of entries whose moduli differ relatively by less than ``tie`` the first decides, so that rounding does not.

    Examples
    --------
    >>> leading_signs(np.array([[1.0, -2.0], [-2.0, 2.0]]))
    array([-1., -1.])
    """
    size = np.abs(V)
    first = (size >= (1 - tie) * size.max(axis=1, keepdims=True)).argmax(axis=1)
    return np.where(V[np.arange(len(V)), first] < 0, -1.0, 1.0)


def aligned(A: ArrayLike) -> FloatArray:
    """Copy of a vector or matrix of floats in which every row starts on a cache line; see :func:`aligned_empty`.

    Examples
    --------
    >>> aligned([[1, 2, 3]])
    array([[1., 2., 3.]])
    """
    A = np.asarray(A, dtype=float)
    B = aligned_empty(*A.shape)
    B[...] = A
    return B


def aligned_empty(*shape: int) -> FloatArray:
    """Floats without values in which every row, along the last axis, starts on a cache line of 64 bytes.

    NumPy aligns to 16 bytes. The widest registers then load from two lines where one would do, and a loop over many
    short operations on rows takes up to a fifth longer.

    Examples
    --------
    >>> A = aligned_empty(3, 5)
    >>> A.shape, [row.ctypes.data % 64 for row in A]
    ((3, 5), [0, 0, 0])
    """
    width = -(-shape[-1] // 8) * 8  # in floats of 8 bytes: each row is filled up to whole lines
    size = math.prod(shape[:-1]) * width
    buffer = np.empty(size + 8)
    start = -buffer.ctypes.data % 64 // 8
    return buffer[start : start + size].reshape(*shape[:-1], width)[..., : shape[-1]]

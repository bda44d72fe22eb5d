"""Numerical building blocks that NumPy and SciPy lack, shared by all chapters.

Nothing here is an algorithm of the book; each function is a line or two of linear algebra written once so that every
chapter writes it in the same, numerically sound way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import blas, lapack
from sklearn.utils.multiclass import check_classification_targets

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.integer[Any]]
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


def check_integer(value: Any, name: str, minimum: int = 1) -> int:
    """Return an integer that is at least ``minimum``; ``name`` is what to call it in an error message.

    Raises
    ------
    TypeError
        If ``value`` is not an integer (a bool or a float such as 2.0 is not).
    ValueError
        If it is less than ``minimum``.

    Examples
    --------
    >>> check_integer(np.int64(3), "max_iter")
    3
    """
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, got {value!r} of type {type(value).__name__}.")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}.")
    return int(value)


def check_real(value: Any, name: str, minimum: float = 0.0) -> float:
    """Return a finite number that is at least ``minimum``; ``name`` is what to call it in an error message.

    Raises
    ------
    TypeError
        If ``value`` is not a real number (a bool or text is not).
    ValueError
        If it is NaN, infinite or less than ``minimum``.

    Examples
    --------
    >>> check_real(1, "tol")
    1.0
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {value!r} of type {type(value).__name__}.")
    if not minimum <= float(value) < np.inf:
        raise ValueError(f"{name} must be finite and at least {minimum:g}, got {value}.")
    return float(value)


def check_positive(value: Any, name: str, remedy: str = "") -> float:
    """Return a finite number above 0; ``name`` is what to call it in an error message, which ends with ``remedy``.

    Raises
    ------
    TypeError
        If ``value`` is not a real number (a bool or text is not).
    ValueError
        If it is NaN, infinite, negative or 0.

    Examples
    --------
    >>> check_positive(2, "gamma")
    2.0
    """
    if check_real(value, name) == 0:
        raise ValueError(f"{name} must be positive, got {value}{': ' if remedy else ''}{remedy}.")
    return float(value)


def check_choice(value: Any, name: str, choices: tuple[str, ...]) -> None:
    """Raise ``ValueError`` for a value that is not among ``choices``; ``name`` is what to call it there."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {choices}, got {value!r}.")


def all_finite(values: FloatArray) -> bool:
    """Whether no entry is NaN or infinite: one pass over the sum, a second one only where this sum overflows.

    Examples
    --------
    >>> all_finite(np.array([1e308, 1e308])), all_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum()) or np.isfinite(values).all())


def check_finite(values: FloatArray, name: str) -> FloatArray:
    """Return ``values`` as they are, or raise ``ValueError`` if an entry is NaN or infinite."""
    if not all_finite(values):
        raise ValueError(f"{name} must be finite, it holds NaN or inf: remove or impute these entries.")
    return values


def check_numbers(values: ArrayLike, name: str) -> FloatArray:
    """Return finite floats of the same shape, perhaps ``values`` itself; text and objects are a ``TypeError``."""
    V = np.asarray(values)
    if V.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers, got dtype {V.dtype}.")
    return check_finite(V.astype(float, copy=False), name)


def check_shape(values: ArrayLike, name: str, shape: tuple[int | None, ...]) -> FloatArray:
    """Return finite floats of a given shape, in which None stands for any length.

    Raises
    ------
    ValueError
        If the shape is another, or an entry is NaN or infinite.

    Examples
    --------
    >>> check_shape([[1, 2]], "means", (1, None))
    array([[1., 2.]])
    """
    V = np.asarray(values, dtype=float)
    if V.ndim != len(shape) or any(n is not None and n != m for n, m in zip(shape, V.shape, strict=True)):
        raise ValueError(f"{name} must have shape {str(shape).replace('None', 'd')}, got {V.shape}.")
    if not all_finite(V):
        raise ValueError(f"{name} must be finite, got NaN or infinity.")
    return V


def check_distribution(
    values: ArrayLike, name: str, shape: tuple[int, ...] | None = None, positive: bool = False
) -> FloatArray:
    """Return ``values`` as floats whose last axis holds probabilities: finite, non-negative, with sum 1.

    Parameters
    ----------
    values : array_like
        One distribution, or one in each row.
    name : str
        What to call it in an error message.
    shape : tuple of int, optional
        The shape that it must have.
    positive : bool
        Whether a probability of 0 is refused too.

    Raises
    ------
    TypeError
        If it holds text.
    ValueError
        If the shape is another, or a row is not a distribution. Names the row. Sums may be off by 1e-8, and in single
        or half precision by the K roundings that K probabilities of that precision bring with them.

    Examples
    --------
    >>> check_distribution([[0.5, 0.5], [0, 1]], "transmat")
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    given = np.asarray(values)
    if given.dtype.kind not in "biufO":
        raise TypeError(f"{name} must hold numbers, got dtype {given.dtype}.")
    P = np.asarray(given, dtype=float)
    if P.ndim == 0 or P.size == 0 or (shape is not None and P.shape != shape):
        raise ValueError(f"{name} must have shape {shape or '(K,) or (n, K)'}, got {P.shape}.")
    rounding = P.shape[-1] * float(np.finfo(given.dtype).eps) if given.dtype.kind == "f" else 0.0
    off = np.abs(P.sum(axis=-1) - 1)
    wrong = ~(np.isfinite(P) & (P > 0 if positive else P >= 0)).all(axis=-1) | ~(off <= 1e-8 + rounding)
    for index in np.argwhere(wrong)[:1]:
        row = tuple(int(i) for i in index)
        where = f"row {', '.join(map(str, row))} of {name}" if row else name
        raise ValueError(
            f"{where} must be {'positive' if positive else 'non-negative'} and sum to 1, got {P[row].tolist()}: "
            "divide counts by their sum."
        )
    return P


def class_codes(y: ArrayLike) -> tuple[NDArray[Any], IntArray]:
    """Sorted classes, and the position of each label among them.

    Parameters
    ----------
    y : (n,) array
        Labels of any type.

    Returns
    -------
    classes : (K,) array
    codes : (n,) array of int
        ``classes[codes]`` is ``y``.

    Raises
    ------
    ValueError
        If the labels are not those of a classification, or there are fewer than two classes.

    Examples
    --------
    >>> class_codes(["b", "a", "b"])[1]
    array([1, 0, 1])
    """
    plain = isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "biuUS"
    if not plain:
        check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if plain and 2 * len(classes) > len(codes):
        check_classification_targets(y)  # warns: so many classes may be the targets of a regression
    if len(classes) < 2:
        raise ValueError(f"y must hold at least two classes, got {len(classes)} class.")
    return classes, codes


BLOCK = 2048  # rows handled at a time: a block of a few dozen columns stays in the processor's cache


def row_blocks(n: int) -> Iterator[slice]:
    """Slices that cover ``range(n)`` in blocks of ``BLOCK`` rows, the last one shorter.

    Examples
    --------
    >>> list(row_blocks(3000))
    [slice(0, 2048, None), slice(2048, 3000, None)]
    """
    return (slice(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))


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


def central_difference(f: Callable[[FloatArray], float], x: ArrayLike, h: float = 1e-6) -> FloatArray:
    """Numerical gradient of a scalar function by central differences.

    Parameters
    ----------
    f : callable
        Takes an array shaped like ``x``, returns a number.
    x : array
        Where the gradient is wanted; any shape.
    h : float
        Relative step: coordinate ``x_i`` moves by ``h * max(1, |x_i|)``.

    Returns
    -------
    array shaped like ``x``
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
    gradient = np.empty_like(x)
    for i in np.ndindex(x.shape):
        step = h * max(1.0, abs(float(x[i])))
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        gradient[i] = (f(up) - f(down)) / (up[i] - down[i])
    return gradient


def check_symmetric(A: ArrayLike, name: str, rtol: float = 1e-8) -> FloatArray:
    """Return a symmetric matrix as floats; ``name`` is what to call it in an error message.

    Raises
    ------
    ValueError
        If ``A`` is not square, not finite, or not symmetric to ``rtol`` of its largest entry; names the remedy.

    Examples
    --------
    >>> check_symmetric([[2, 1], [1, 3]], "A")
    array([[2., 1.],
           [1., 3.]])
    """
    A = np.asarray(A, dtype=float)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"{name} must be a square matrix, got shape {A.shape}.")
    check_finite(A, name)
    exact = np.array_equal(A, A.T)  # the usual case, and quick
    if not exact and not np.allclose(A, A.T, rtol=0, atol=rtol * float(np.abs(A).max())):
        raise ValueError(f"{name} must be symmetric: average it with its transpose if rounding is the cause.")
    return A


class NotPositiveDefiniteError(ValueError):
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

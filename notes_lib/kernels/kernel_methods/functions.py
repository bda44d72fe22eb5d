"""The catalogue of kernels, their matrices, the test for a valid one, and centring."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from notes_lib.checks import FloatArray, check_integer, check_number, check_positive, check_real, check_symmetric
from notes_lib.kernels.kernel_methods.checks import pair
from notes_lib.numerics import squared_distances

TOO_LARGE = "X is too large: its kernel values overflow, rescale its columns."

Kernel = str | Callable[[FloatArray, FloatArray], ArrayLike]


def linear_kernel(X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
    """Inner products of the rows themselves, ``k(x, y) = x'y``; :eq:`kernel-methods-linear`.

    Parameters
    ----------
    X : (n, d) array
    Y : (m, d) array, optional
        X itself if None.

    Returns
    -------
    (n, m) array
        Entry ``[i, j]`` is the kernel of ``X[i]`` and ``Y[j]``, in units of X squared.

    Raises
    ------
    ValueError
        If X or Y is empty, not a matrix, holds NaN or infinity, their columns differ, or the result overflows.

    Notes
    -----
    O(n m d) time, O(n m) memory.

    Examples
    --------
    >>> linear_kernel([[1.0, 2.0]], [[3.0, 1.0], [0.0, 1.0]])
    array([[5., 2.]])
    """
    X, Y = pair(X, Y)
    return _finite(_products(X, Y))  # kernel-methods-linear


def polynomial_kernel(
    X: ArrayLike, Y: ArrayLike | None = None, degree: int = 3, gamma: float | None = None, coef0: float = 1
) -> FloatArray:
    """``k(x, y) = (gamma x'y + coef0)^degree``; :eq:`kernel-methods-polynomial`.

    Parameters
    ----------
    X, Y : (n, d) and (m, d) arrays
        As in :func:`linear_kernel`.
    degree : int
        At least 1.
    gamma : float or None
        Positive; 1 / d if None.
    coef0 : float
        Positive semi-definite for every X if it is not negative; it weighs the lower degrees. A negative one is
        computed too, but is not a kernel.

    Returns
    -------
    (n, m) array

    Raises
    ------
    TypeError
        If ``degree`` is not an integer, or ``gamma`` or ``coef0`` not a number.
    ValueError
        As in :func:`linear_kernel`; also for a degree below 1, gamma that is not positive, coef0 that is not finite.

    Notes
    -----
    O(n m d) time, O(n m) memory, whatever the degree.

    Examples
    --------
    >>> polynomial_kernel([[1.0, 2.0]], [[3.0, 1.0]], degree=2, gamma=1.0)
    array([[36.]])
    """
    X, Y = pair(X, Y)
    degree, gamma, coef0 = check_integer(degree, "degree"), width(gamma, X), check_number(coef0, "coef0")
    with np.errstate(over="ignore"):
        return _finite((gamma * _products(X, Y) + coef0) ** degree)  # kernel-methods-polynomial


def rbf_kernel(X: ArrayLike, Y: ArrayLike | None = None, gamma: float | None = None) -> FloatArray:
    """``k(x, y) = exp(-gamma |x - y|^2)``, the Gaussian kernel; :eq:`kernel-methods-rbf`.

    Parameters
    ----------
    X, Y : (n, d) and (m, d) arrays
        As in :func:`linear_kernel`.
    gamma : float or None
        Positive; 1 / d if None. In units of X to the power -2: ``gamma = 1 / (2 sigma^2)`` for a width ``sigma``.

    Returns
    -------
    (n, m) array
        From 0 to 1; the diagonal is exactly 1 if Y is None.

    Raises
    ------
    TypeError
        If ``gamma`` is not a number.
    ValueError
        As in :func:`linear_kernel`; also if gamma is not positive.

    Notes
    -----
    O(n m d) time, O(n m) memory.

    Examples
    --------
    >>> rbf_kernel([[0.0], [1.0]], gamma=1.0).round(3)
    array([[1.   , 0.368],
           [0.368, 1.   ]])
    """
    same = Y is None
    X, Y = pair(X, Y)
    gamma = width(gamma, X)
    with np.errstate(over="ignore", invalid="ignore"):
        K = squared_distances(X, Y)
        K *= -gamma
    if same:
        np.fill_diagonal(K, 0.0)  # rounding leaves a small distance from a row to itself
    return _finite(np.exp(K, out=K))  # kernel-methods-rbf


def matern_kernel(X: ArrayLike, Y: ArrayLike | None = None, length_scale: float = 1.0, nu: float = 1.5) -> FloatArray:
    """Matern kernel, rougher than the Gaussian one; :eq:`kernel-methods-matern`.

    Parameters
    ----------
    X, Y : (n, d) and (m, d) arrays
        As in :func:`linear_kernel`.
    length_scale : float
        Positive, in units of X.
    nu : {0.5, 1.5, 2.5}
        Functions with this kernel have 0, 1 or 2 derivatives; 0.5 is the Laplace kernel
        ``exp(-|x - y| / length_scale)``.

    Returns
    -------
    (n, m) array
        From 0 to 1; the diagonal is exactly 1 if Y is None.

    Raises
    ------
    TypeError
        If ``length_scale`` or ``nu`` is not a number.
    ValueError
        As in :func:`linear_kernel`; also if ``length_scale`` is not positive or ``nu`` another number.

    Notes
    -----
    O(n m d) time, O(n m) memory. ``Matern`` of scikit-learn's Gaussian processes.

    Examples
    --------
    >>> matern_kernel([[0.0], [1.0]], nu=0.5).round(3)
    array([[1.   , 0.368],
           [0.368, 1.   ]])
    """
    if check_number(nu, "nu") not in (0.5, 1.5, 2.5):
        raise ValueError(f"nu must be 0.5, 1.5 or 2.5, got {nu!r}: other orders have no short formula.")
    same = Y is None
    X, Y = pair(X, Y)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = squared_distances(X, Y)
    if same:
        np.fill_diagonal(squares, 0.0)  # rounding leaves a small distance from a row to itself
    with np.errstate(over="ignore"):
        u = np.sqrt(2.0 * nu * _finite(squares)) / check_positive(length_scale, "length_scale")
    u = np.minimum(u, 1000.0)  # exp(-1000) is 0 in floating point, and infinity times 0 would be NaN
    polynomial = {0.5: 1.0, 1.5: 1.0 + u, 2.5: 1.0 + u + u * u / 3.0}[nu]
    return polynomial * np.exp(-u)  # kernel-methods-matern


def sigmoid_kernel(
    X: ArrayLike, Y: ArrayLike | None = None, gamma: float | None = None, coef0: float = 1
) -> FloatArray:
    """``tanh(gamma x'y + coef0)``; :eq:`kernel-methods-sigmoid`. Not positive semi-definite in general.

    Parameters
    ----------
    X, Y : (n, d) and (m, d) arrays
        As in :func:`linear_kernel`.
    gamma : float or None
        Positive; 1 / d if None.
    coef0 : float

    Returns
    -------
    (n, m) array
        From -1 to 1.

    Raises
    ------
    TypeError
        If ``gamma`` or ``coef0`` is not a number.
    ValueError
        As in :func:`linear_kernel`; also if gamma is not positive or coef0 not finite.

    Notes
    -----
    O(n m d) time, O(n m) memory.

    Examples
    --------
    >>> sigmoid_kernel([[1.0]], [[0.0], [1.0]], gamma=1.0, coef0=0.0).round(3)
    array([[0.   , 0.762]])
    """
    X, Y = pair(X, Y)
    gamma, coef0 = width(gamma, X), check_number(coef0, "coef0")
    return np.tanh(_finite(gamma * _products(X, Y) + coef0))  # kernel-methods-sigmoid


def kernel_matrix(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    kernel: Kernel = "rbf",
    *,
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
) -> FloatArray:
    """Matrix of all kernel values between the rows of X and those of Y; :eq:`kernel-methods-gram`.

    Parameters
    ----------
    X : (n, d) array
        With ``kernel="precomputed"`` the (n, m) matrix of kernel values itself.
    Y : (m, d) array, optional
        X itself if None; must be None with ``kernel="precomputed"``.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"} or callable
        A callable takes *two matrices*, (n, d) and (m, d), and returns the (n, m) matrix, as in ``SVC`` of
        scikit-learn; it does not take two rows. It gets neither gamma nor degree nor coef0.
    gamma, degree, coef0
        As in the function of that kernel; those that it does not have are ignored.

    Returns
    -------
    (n, m) array

    Raises
    ------
    TypeError
        If ``kernel`` is neither text nor callable; bad types as in the function of that kernel.
    ValueError
        If the name is unknown, a callable returns another shape or NaN; bad values as in the function of that kernel.

    Notes
    -----
    O(n m d) time, O(n m) memory.

    Examples
    --------
    >>> kernel_matrix([[1.0], [2.0]], kernel="linear")
    array([[1., 2.],
           [2., 4.]])
    >>> kernel_matrix([[1.0], [2.0]], kernel=lambda A, B: (A @ B.T) ** 2)
    array([[ 1.,  4.],
           [ 4., 16.]])
    """
    if callable(kernel):
        X, Y = pair(X, Y)
        K = np.asarray(kernel(X, Y), dtype=float)
        if K.shape != (len(X), len(Y)):
            raise ValueError(
                f"kernel must turn matrices of {len(X)} and {len(Y)} rows into a matrix {(len(X), len(Y))}, got "
                f"shape {K.shape}: a callable takes two matrices, not two rows."
            )
        return _finite(K, "kernel returns NaN or infinity: check the callable on these rows.")
    if not isinstance(kernel, str):
        raise TypeError(f"kernel must be a name or a callable, got {kernel!r}.")
    if kernel == "precomputed":
        if Y is not None:
            raise ValueError('Y must be None with kernel="precomputed": X holds the kernel values already.')
        return check_array(X, dtype=float, input_name="X")
    if kernel == "linear":
        return linear_kernel(X, Y)
    if kernel == "poly":
        return polynomial_kernel(X, Y, degree, gamma, coef0)
    if kernel == "rbf":
        return rbf_kernel(X, Y, gamma)
    if kernel == "sigmoid":
        return sigmoid_kernel(X, Y, gamma, coef0)
    raise ValueError(f'kernel must be "linear", "poly", "rbf", "sigmoid", "precomputed" or a callable, got {kernel!r}.')


def kernel_diagonal(
    X: ArrayLike,
    kernel: Kernel = "rbf",
    *,
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
) -> FloatArray:
    """Kernel of each row with itself, ``k(x_n, x_n)``: the squared length of its features.

    Parameters
    ----------
    X : (n, d) array
        With ``kernel="precomputed"`` the square matrix of kernel values.
    kernel, gamma, degree, coef0
        As in :func:`kernel_matrix`.

    Returns
    -------
    (n,) array

    Raises
    ------
    TypeError, ValueError
        As in :func:`kernel_matrix`; also if a precomputed matrix is not square and symmetric.

    Notes
    -----
    O(n d) time and O(n) memory: the diagonals of small square blocks, so a callable sees a few rows at a time.

    Examples
    --------
    >>> kernel_diagonal([[1.0, 2.0], [0.0, 3.0]], "linear")
    array([5., 9.])
    """
    if isinstance(kernel, str) and kernel == "precomputed":
        return np.diag(check_symmetric(X, "X")).copy()
    X = check_array(X, dtype=float, input_name="X")
    block = lambda rows: kernel_matrix(rows, None, kernel, gamma=gamma, degree=degree, coef0=coef0)
    return np.concatenate([np.diag(block(X[i : i + 64])) for i in range(0, len(X), 64)])


def is_positive_semidefinite(K: ArrayLike, tol: float = 1e-10) -> bool:
    """Whether no vector gives ``c'Kc`` below 0, up to rounding; :eq:`kernel-methods-psd`.

    Parameters
    ----------
    K : (n, n) array
        Symmetric.
    tol : float
        The smallest eigenvalue may be as low as ``-tol`` times the largest.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If K is empty, not square, not finite, or not symmetric to a relative 1e-8; if ``tol`` is negative.

    Notes
    -----
    O(n^3) time, O(n^2) memory: all eigenvalues. The answer holds for *these* rows: a kernel is valid if the matrix of
    every set of rows is positive semi-definite.

    Examples
    --------
    >>> is_positive_semidefinite([[1.0, 1.0], [1.0, 1.0]]), is_positive_semidefinite([[0.0, 1.0], [1.0, 0.0]])
    (True, False)
    """
    tol = check_real(tol, "tol")
    K = check_symmetric(K, "K")
    if not len(K):
        raise ValueError("K must have at least one row, got an empty matrix.")
    eigenvalues = np.linalg.eigvalsh(K)
    return bool(eigenvalues[0] >= -tol * eigenvalues[-1])  # kernel-methods-psd


def center_kernel(K: ArrayLike, K_train: ArrayLike | None = None) -> FloatArray:
    """Kernel of the features less their mean over the training rows; :eq:`kernel-methods-centring`.

    Parameters
    ----------
    K : (m, n) array
        Kernel of m rows with the n training rows.
    K_train : (n, n) array, optional
        Kernel of the training rows; K itself if None.

    Returns
    -------
    (m, n) array
        For the training rows, every row and every column sums to 0.

    Raises
    ------
    ValueError
        If ``K_train`` is not square and symmetric, a matrix is not finite, or the columns differ in number.

    Notes
    -----
    O(m n + n^2) time, O(m n) memory.

    Examples
    --------
    >>> center_kernel([[4.0, 2.0], [2.0, 4.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    T = check_symmetric(K, "K") if K_train is None else check_symmetric(K_train, "K_train")
    K = check_array(K, dtype=float, input_name="K")
    if K.shape[1] != len(T):
        raise ValueError(f"K must have a column for each of the {len(T)} rows of K_train, got shape {K.shape}.")
    means = T.mean(axis=0)  # (n,)
    return K - K.mean(axis=1, keepdims=True) - means + means.mean()  # kernel-methods-centring


def _products(X: FloatArray, Y: FloatArray) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        return X @ Y.T


def width(gamma: float | None, X: FloatArray) -> float:
    """Gamma, or 1 / number of columns if None."""
    if gamma is None:
        return 1.0 / X.shape[1]
    return check_positive(gamma, "gamma", "use None for 1 / number of columns")


def _finite(K: FloatArray, message: str = TOO_LARGE) -> FloatArray:
    with np.errstate(over="ignore", invalid="ignore"):
        total = K.sum()  # one number instead of a matrix of answers
    if not np.isfinite(total):
        raise ValueError(message)
    return K

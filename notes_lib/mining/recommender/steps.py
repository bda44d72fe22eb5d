"""The steps of the chapter's derivation: similarities, a neighbour's vote, and how factors move."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from notes_lib.checks import (
    FloatArray,
    check_choice,
    check_finite,
    check_matrix,
    check_number,
    check_positive,
    check_real,
    check_vector,
)
from notes_lib.numerics import row_blocks

SIMILARITIES = ("pearson", "cosine", "centered_cosine", "adjusted_cosine")


def shrunken_mean(values: ArrayLike, reg: float) -> float:
    """Sum over number plus ``reg``: the mean, pulled towards 0 by few values; :eq:`recommender-shrunken`. O(n).

    Raises
    ------
    TypeError, ValueError
        If ``values`` is no vector of finite numbers, or ``reg`` is negative.

    Examples
    --------
    >>> shrunken_mean([1.0, 0.5], 1.0)
    0.5
    """
    values = check_vector(values, "values")
    return float(values.sum() / (len(values) + check_real(reg, "reg")))


def similarities(R: ArrayLike, similarity: str = "pearson", shrinkage: float = 0.0) -> FloatArray:
    """Similarity of each two rows of a matrix of ratings, from the columns that both have rated.

    Parameters
    ----------
    R : (n, m) array
        Ratings, NaN for a gap.
    similarity : str
        'pearson': correlation over the common columns, :eq:`recommender-pearson`. 'cosine': a gap counts as 0, and the
        lengths are of all ratings of a row. 'centered_cosine': the same after the mean of each row is taken off.
        'adjusted_cosine': the same after the mean of each column is taken off.
    shrinkage : float
        Each similarity from n common columns is multiplied by ``n / (n + shrinkage)``, :eq:`recommender-shrinkage`.

    Returns
    -------
    (n, n) array
        Symmetric; 0 where it is not defined, as for a correlation from one common column.

    Raises
    ------
    TypeError, ValueError
        If ``R`` is no matrix, holds infinity or no rating, or another argument is not as described.

    Notes
    -----
    O(n^2 m) time, O(n^2 + n m) memory. Source: Resnick et al. (1994) for the correlation; Koren (2008) for the factor.

    Examples
    --------
    >>> similarities([[1.0, 2.0, np.nan], [3.0, 5.0, 1.0]])
    array([[1., 1.],
           [1., 1.]])
    """
    R = np.asarray(R, dtype=float)
    if R.ndim != 2:
        raise ValueError(f"R must be a matrix with a row for each user, got shape {R.shape}.")
    check_choice(similarity, "similarity", SIMILARITIES)
    shrinkage = check_real(shrinkage, "shrinkage")
    seen = ~np.isnan(R)
    if not seen.any():
        raise ValueError("R holds no rating.")
    check_finite(R[seen], "R")
    M = seen.astype(float)
    common = M @ M.T
    centre = {"cosine": 0.0, "adjusted_cosine": _means(R, seen, 0)}.get(similarity, _means(R, seen, 1)[:, None])
    X = np.where(seen, R - centre, 0.0)
    if similarity == "pearson":
        both = np.maximum(common, 1)
        sums, squares = X @ M.T, (X**2) @ M.T
        numerator = X @ X.T - sums * sums.T / both
        spread = squares - sums**2 / both
        spread[spread <= 1e-12 * squares] = 0.0  # all common ratings of a row are equal: rounding leaves less
    else:
        numerator = X @ X.T
        spread = np.broadcast_to((X**2).sum(axis=1)[:, None], numerator.shape)
    length = np.sqrt(spread * spread.T)
    s = np.divide(numerator, length, out=np.zeros_like(numerator), where=length > 0)
    return np.clip(s, -1, 1) * common / np.maximum(common + shrinkage, 1)


def _means(R: FloatArray, seen: np.ndarray, axis: int) -> FloatArray:
    return np.where(seen, R, 0.0).sum(axis=axis) / np.maximum(seen.sum(axis=axis), 1)


def neighborhood_rating(mean: float, deviations: ArrayLike, weights: ArrayLike) -> float:
    """A mean plus the weighted mean of the neighbours' deviations; :eq:`recommender-neighborhood`. O(n).

    Parameters
    ----------
    mean : float
        Of the user (or item) that the rating is predicted for.
    deviations : (n,) array
        How far each neighbour's rating lies above its own mean.
    weights : (n,) array
        Similarities; if all are 0, the mean is returned.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, or a number is not finite.

    Examples
    --------
    >>> neighborhood_rating(3.0, [1.0, -1.0], [0.5, -0.5])
    4.0
    """
    weights = check_vector(weights, "weights")
    deviations = check_vector(deviations, "deviations", len(weights))
    total = float(np.abs(weights).sum())
    return check_number(mean, "mean") + (float(weights @ deviations) / total if total else 0.0)


def squared_loss(error: ArrayLike, parameters: ArrayLike, reg: float) -> float:
    """Sum of squared errors plus ``reg`` times the sum of squared parameters; :eq:`recommender-objective`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not finite, or ``reg`` is negative.

    Examples
    --------
    >>> squared_loss([1.0, -2.0], [3.0], 0.5)
    9.5
    """
    error, parameters = check_vector(error, "error"), check_vector(parameters, "parameters")
    return float(error @ error + check_real(reg, "reg") * (parameters @ parameters))


def als_step(Q: ArrayLike, r: ArrayLike, reg: float) -> FloatArray:
    """The best factors of one user while those of the items stay, a ridge regression; :eq:`recommender-als-step`.

    Parameters
    ----------
    Q : (n, k) array
        Factors of the items that the user has rated.
    r : (n,) array
        Ratings, without mean and biases.
    reg : float
        Positive, or 0: then the shortest of the best vectors is returned.

    Returns
    -------
    (k,) array

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a number is not finite, or ``reg`` is negative.

    Notes
    -----
    O(n k^2 + k^3).

    Examples
    --------
    >>> als_step([[1.0], [2.0]], [1.0, 2.0], 5.0)
    array([0.5])
    """
    Q = check_matrix(Q, "Q")
    r, reg = check_vector(r, "r", len(Q)), check_real(reg, "reg")
    return _solved(Q.T @ Q + reg * np.eye(Q.shape[1]), Q.T @ r, reg)


def _solved(A: FloatArray, b: FloatArray, reg: float) -> FloatArray:
    """One solution, or one for each matrix of a stack; without a penalty the shortest one."""
    if reg > 0:
        return np.linalg.solve(A, b[..., None])[..., 0]
    return (np.linalg.pinv(A, hermitian=True) @ b[..., None])[..., 0]


def als_steps(rated: csr_array, values: csr_array, Q: FloatArray, reg: float) -> FloatArray:
    """:func:`als_step` of all users at once.

    Parameters
    ----------
    rated, values : (n_users, n_items) sparse arrays of the same pattern
        1 for each rating, and the rating without mean and biases.
    Q : (n_items, k) array
        Factors of all items.
    reg : float
        Not negative.

    Returns
    -------
    (n_users, k) array
        0 in the row of a user without ratings.

    Notes
    -----
    O(n k^2 + n_users k^3) for n ratings: the left-hand sides of all users are one sparse product, of ``rated`` with the
    products of each two columns of ``Q``. Memory O(n_items k^2), and 2048 left-hand sides at a time.

    Examples
    --------
    >>> R = csr_array([[1.0, 2.0], [0.0, 3.0]])
    >>> als_steps(csr_array(R != 0), R, np.array([[1.0], [2.0]]), 5.0)
    array([[0.5       ],
           [0.66666667]])
    """
    return _batched(rated, values @ Q, Q, np.zeros((Q.shape[1],) * 2), reg)


def implicit_steps(extra: csr_array, Q: FloatArray, reg: float) -> FloatArray:
    """The best factors of all users for counts, while those of the items stay; :eq:`recommender-implicit-step`.

    Parameters
    ----------
    extra : (n_users, n_items) sparse array
        Confidence above 1 of each item that a user has taken, ``alpha`` times its count; all others have confidence 1.
    Q : (n_items, k) array
    reg : float
        Not negative.

    Returns
    -------
    (n_users, k) array

    Notes
    -----
    O(n k^2 + n_users k^3) for n counts that are not 0, although all pairs count: the part that all users share, ``Q.T @
    Q``, is computed once. Source: Hu, Koren and Volinsky (2008).

    Examples
    --------
    >>> implicit_steps(csr_array([[2.0, 0.0]]), np.array([[1.0], [1.0]]), 0.5)
    array([[0.66666667]])
    """
    weighted = extra.copy()
    weighted.data = 1 + extra.data
    return _batched(extra, weighted @ Q, Q, Q.T @ Q, reg)


def _batched(weights: csr_array, b: FloatArray, Q: FloatArray, shared: FloatArray, reg: float) -> FloatArray:
    """Solve ``(shared + reg I + sum of w q q') p = b`` for each row, with its weights w."""
    n, k = b.shape
    i, j = np.triu_indices(k)
    outer = Q[:, i] * Q[:, j]  # (n_items, k (k + 1) / 2)
    place = np.empty((k, k), dtype=np.intp)  # of each entry of a symmetric matrix among those
    place[i, j] = place[j, i] = np.arange(len(i))
    base = shared + reg * np.eye(k)
    P = np.empty((n, k))
    for rows in row_blocks(n):
        A = (weights[rows] @ outer).take(place.ravel(), axis=1).reshape(-1, k, k)
        P[rows] = _solved(A + base, b[rows], reg)
    return P


def sgd_step(
    p: ArrayLike, q: ArrayLike, r: float, rate: float, reg: float | tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Move both factors after one rating, each from where the other one was; :eq:`recommender-sgd-step`.

    Parameters
    ----------
    p, q : (k,) arrays
        Factors of the user and of the item.
    r : float
        The rating, without mean and biases.
    rate : float
        Positive.
    reg : float, or two floats
        The penalty's share of one rating; two numbers are those of ``p`` and of ``q``.

    Returns
    -------
    p, q : (k,) arrays
        New ones; the arguments stay.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, a number is not finite, ``rate`` is not positive or ``reg`` is negative.

    Notes
    -----
    O(k). Source: Funk (2006); Koren, Bell and Volinsky (2009).

    Examples
    --------
    >>> sgd_step([1.0, 0.0], [0.5, 1.0], 1.5, 0.1, 0.0)
    (array([1.05, 0.1 ]), array([0.6, 1. ]))
    """
    p = check_vector(p, "p")
    q = check_vector(q, "q", len(p))
    r, rate = check_number(r, "r"), check_positive(rate, "rate")
    reg_p, reg_q = (check_real(share, "reg") for share in (reg if isinstance(reg, tuple) else (reg, reg)))
    return moved(p, q, float(r - p @ q), rate, reg_p, reg_q)


def moved(
    p: FloatArray, q: FloatArray, error: float, rate: float, reg_p: float, reg_q: float
) -> tuple[FloatArray, FloatArray]:
    """:func:`sgd_step` without checks, for the loop over many ratings."""
    return p + rate * (error * q - reg_p * p), q + rate * (error * p - reg_q * q)

"""Where the updates start: at random, or at what the singular value decomposition leaves of positive parts."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from notes_lib.checks import FloatArray, check_choice
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.nmf.checks import check_count, check_target

SMALL = 1e-6  # what is smaller in a start from the decomposition counts as 0, as in scikit-learn
FILLS = ("zeros", "mean", "random")


def random_start(X: ArrayLike, n_components: int, random_state: RandomState = None) -> tuple[FloatArray, FloatArray]:
    """Factors of absolute normal numbers whose product has about the size of the data.

    Parameters
    ----------
    X : (n, d) array of numbers of at least 0
    n_components : int
        Number of parts k, at most min(n, d).
    random_state : int, Generator, RandomState or None

    Returns
    -------
    W : (n, k) array, H : (k, d) array
        Standard normal numbers without their signs, times the square root of the mean of X divided by k.

    Raises
    ------
    ValueError
        If X is no matrix of finite numbers of at least 0, is 0 everywhere, or k is too large.

    Examples
    --------
    >>> [A.shape for A in random_start([[1.0, 2.0], [3.0, 4.0]], 1, random_state=0)]
    [(2, 1), (1, 2)]
    """
    X = check_target(X)
    k = check_count(n_components, X.shape)
    rng = check_rng(random_state)
    size = np.sqrt(X.mean() / k)
    H = size * np.abs(rng.standard_normal((k, X.shape[1])))
    return size * np.abs(rng.standard_normal((len(X), k))), H


def nndsvd(
    X: ArrayLike, n_components: int, fill: str = "zeros", random_state: RandomState = None
) -> tuple[FloatArray, FloatArray]:
    """Non-negative double singular value decomposition, :eq:`nmf-nndsvd`.

    Parameters
    ----------
    X : (n, d) array of numbers of at least 0
    n_components : int
        Number of parts k, at most min(n, d).
    fill : 'zeros', 'mean' or 'random'
        What stands in the place of zeros: zeros ('nndsvd' of :class:`NMF`), the mean of X ('nndsvda'), or absolute
        normal numbers times a hundredth of that mean ('nndsvdar').
    random_state : int, Generator, RandomState or None
        For 'random'.

    Returns
    -------
    W : (n, k) array, H : (k, d) array

    Raises
    ------
    ValueError
        If X is no matrix of finite numbers of at least 0, is 0 everywhere, k is too large or ``fill`` unknown.

    Notes
    -----
    O(n d m + m^3) time, m = min(n, d): the singular vectors come from the smaller of X'X and XX', so that singular
    values below 1e-8 of the largest count as 0. A part beyond the rank of X starts at 0.

    Examples
    --------
    >>> W, H = nndsvd([[2.0, 0.0], [0.0, 1.0]], 2)
    >>> (W @ H).round(8)
    array([[2., 0.],
           [0., 1.]])
    """
    X = check_target(X)
    k = check_count(n_components, X.shape)
    check_choice(fill, "fill", FILLS)
    U, s, V = leading_triplets(X, k)
    pairs = [larger_part(u, v) if j else (np.abs(u), np.abs(v)) for j, (u, v) in enumerate(zip(U.T, V, strict=True))]
    W, H = (np.sqrt(s)[:, None] * np.array(part) for part in zip(*pairs, strict=True))
    W = W.T.copy()
    mean, rng = X.mean(), check_rng(random_state)
    for A in (W, H):
        A[A < SMALL] = 0.0
        if fill == "mean":
            A[A == 0] = mean
        elif fill == "random":
            A[A == 0] = mean / 100 * np.abs(rng.standard_normal(int((A == 0).sum())))
    return W, H


def leading_triplets(X: FloatArray, k: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The k largest singular values with their vectors, (n, k), (k,) and (k, d); zeros beyond the rank."""
    tall = X.shape[0] >= X.shape[1]
    A = X / X.max() if tall else X.T / X.max()
    m = A.shape[1]
    values, E = eigh(A.T @ A, subset_by_index=[m - k, m - 1])
    s, E = np.sqrt(np.maximum(values[::-1], 0.0)), E[:, ::-1]
    found = s > 1e-8 * s[0]
    other = A @ E / np.where(found, s, 1.0)
    s, E, other = np.where(found, s, 0.0) * X.max(), E * found, other * found
    return (other, s, E.T) if tall else (E, s, other.T)


def larger_part(u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The positive or the negative part of a pair of singular vectors, whichever has the larger product."""
    plus, minus = (np.maximum(u, 0), np.maximum(v, 0)), (np.maximum(-u, 0), np.maximum(-v, 0))
    sizes = [np.linalg.norm(a) * np.linalg.norm(b) for a, b in (plus, minus)]
    a, b = (plus, minus)[int(sizes[0] <= sizes[1])]
    size = max(sizes)
    if size == 0:
        return np.zeros_like(u), np.zeros_like(v)
    return np.sqrt(size) * a / np.linalg.norm(a), np.sqrt(size) * b / np.linalg.norm(b)

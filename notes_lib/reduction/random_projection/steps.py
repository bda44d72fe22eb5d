"""The steps of the derivation: tails, union bound, dimension, random matrices, and the variance of an inner product."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix

from notes_lib.checks import FloatArray, IntArray, check_integer, check_matrix, check_real, check_vector
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.random_projection.checks import check_components, check_density, check_open, check_sizes


# --- the bound
def upper_tail_bound(eps: ArrayLike, n_components: int) -> FloatArray:
    """Chernoff's bound on the probability of a squared length 1 + eps times as long, :eq:`random-projection-upper`.

    Parameters
    ----------
    eps : float or array
        Between 0 and 1.
    n_components : int
        k, the degrees of freedom of the chi-square variable ``k |z|^2 / |x|^2``.

    Returns
    -------
    float or array of the shape of ``eps``
        exp(-k (eps - ln(1 + eps)) / 2).

    Raises
    ------
    TypeError, ValueError
        ``eps`` outside (0, 1), ``n_components`` below 1.

    Notes
    -----
    Holds for Gaussian entries. Source: after Dasgupta and Gupta (2003).

    Examples
    --------
    >>> round(float(upper_tail_bound(0.5, 100)), 4)
    0.0089
    """
    eps, k = check_open(eps, "eps"), check_integer(n_components, "n_components")
    return np.exp(-k / 2 * (eps - np.log1p(eps)))[()]


def lower_tail_bound(eps: ArrayLike, n_components: int) -> FloatArray:
    """Chernoff's bound on the probability of a squared length 1 - eps times as long, :eq:`random-projection-lower`.

    Parameters
    ----------
    eps : float or array
        Between 0 and 1.
    n_components : int
        k, the degrees of freedom.

    Returns
    -------
    float or array of the shape of ``eps``
        exp(k (eps + ln(1 - eps)) / 2).

    Raises
    ------
    TypeError, ValueError
        ``eps`` outside (0, 1), ``n_components`` below 1.

    Examples
    --------
    >>> bool(lower_tail_bound(0.5, 100) < upper_tail_bound(0.5, 100))
    True
    """
    eps, k = check_open(eps, "eps"), check_integer(n_components, "n_components")
    return np.exp(k / 2 * (eps + np.log1p(-eps)))[()]


def rate(eps: FloatArray) -> FloatArray:
    """The simpler exponent that both tails keep below, eps^2/2 - eps^3/3, :eq:`random-projection-tail`."""
    return np.asarray(eps**2 / 2 - eps**3 / 3)


def failure_bound(n_samples: ArrayLike, n_components: int, eps: ArrayLike) -> FloatArray:
    """Bound on the probability that some pair of n points leaves 1 +- eps, :eq:`random-projection-union`.

    Parameters
    ----------
    n_samples : int or array
        n, at least 2.
    n_components : int
        k.
    eps : float or array
        Between 0 and 1.

    Returns
    -------
    float or array
        n (n - 1) exp(-k (eps^2/2 - eps^3/3) / 2); above 1 it says nothing.

    Raises
    ------
    TypeError, ValueError
        ``eps`` outside (0, 1), ``n_samples`` below 2, ``n_components`` below 1.

    Examples
    --------
    >>> round(float(failure_bound(100, 400, 0.5)), 5)
    0.00057
    """
    n, eps = check_sizes(n_samples, "n_samples", 2), check_open(eps, "eps")
    k = check_integer(n_components, "n_components")
    return np.asarray(n * (n - 1) * np.exp(-k / 2 * rate(eps)))[()]


def johnson_lindenstrauss_min_dim(n_samples: ArrayLike, *, eps: ArrayLike = 0.1) -> IntArray:
    """Number of components for which some projection keeps all squared distances, :eq:`random-projection-dimension`.

    Parameters
    ----------
    n_samples : number or array
        n, at least 1.
    eps : float or array
        Largest relative change of a squared distance, between 0 and 1.

    Returns
    -------
    int or array of int
        4 ln(n) / (eps^2/2 - eps^3/3), rounded down, as in scikit-learn. The number of features does not enter.

    Raises
    ------
    TypeError, ValueError
        ``eps`` outside (0, 1), ``n_samples`` below 1.

    Notes
    -----
    By the proof a single draw with so many components (before rounding) succeeds with probability at least 1/n, in fact
    with a far larger one; :func:`confident_min_dim` asks for more. Source: Dasgupta and Gupta (2003), theorem 2.1.

    Examples
    --------
    >>> int(johnson_lindenstrauss_min_dim(10_000, eps=0.1))
    7894
    >>> johnson_lindenstrauss_min_dim(1e6, eps=[0.5, 0.1, 0.01]).tolist()
    [663, 11841, 1112658]
    """
    n, eps = check_sizes(n_samples, "n_samples"), check_open(eps, "eps")
    return np.asarray(4 * np.log(n) / rate(eps)).astype(np.int64)[()]


def confident_min_dim(n_samples: ArrayLike, *, eps: ArrayLike = 0.1, delta: ArrayLike = 0.05) -> IntArray:
    """Components for which one draw keeps all pairs with probability 1 - delta, :eq:`random-projection-confident`.

    Parameters
    ----------
    n_samples : number or array
        n, at least 2.
    eps, delta : float or array
        Largest relative change of a squared distance, and largest probability of failure; both between 0 and 1.

    Returns
    -------
    int or array of int
        2 ln(n (n - 1) / delta) / (eps^2/2 - eps^3/3), rounded up.

    Raises
    ------
    TypeError, ValueError
        ``eps`` or ``delta`` outside (0, 1), ``n_samples`` below 2.

    Examples
    --------
    >>> k = confident_min_dim(100, eps=0.5, delta=0.01)
    >>> bool(failure_bound(100, k, 0.5) <= 0.01 < failure_bound(100, k - 1, 0.5))
    True
    """
    n, eps = check_sizes(n_samples, "n_samples", 2), check_open(eps, "eps")
    delta = check_open(delta, "delta")
    return np.ceil(2 * np.log(n * (n - 1) / delta) / rate(eps)).astype(np.int64)[()]


# --- random matrices
def gaussian_components(n_components: int, n_features: int, random_state: RandomState = None) -> FloatArray:
    """Matrix of independent normal entries with variance 1/k, :eq:`random-projection-map`.

    Parameters
    ----------
    n_components, n_features : int
        k and D; k is at most D.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (k, D) array

    Raises
    ------
    TypeError, ValueError
        Sizes below 1; ``n_components`` above ``n_features``.

    Examples
    --------
    >>> gaussian_components(2, 5, 0).shape
    (2, 5)
    """
    D = check_integer(n_features, "n_features")
    k = check_components(n_components, D)
    R = check_rng(random_state).standard_normal((k, D))
    R /= np.sqrt(k)
    return R


def sparse_components(
    n_components: int, n_features: int, density: float | str = "auto", random_state: RandomState = None
) -> FloatArray | csr_matrix:
    """Matrix of independent entries +-sqrt(s/k), each with probability 1/(2s), else 0, :eq:`random-projection-sparse`.

    Parameters
    ----------
    n_components, n_features : int
        k and D; k is at most D.
    density : float or 'auto'
        1/s, above 0 and at most 1; 'auto' is 1/sqrt(D), and 1/3 is Achlioptas's choice.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    (k, D) sparse matrix (CSR), or an array for density 1

    Raises
    ------
    TypeError, ValueError
        Sizes below 1; ``n_components`` above ``n_features``; ``density`` outside (0, 1].

    Notes
    -----
    O(kD/s) time and memory. The gaps between entries that are not 0, counted along all rows, are geometric, so only
    these entries are drawn. Source: Li, Hastie and Church (2006).

    Examples
    --------
    >>> R = sparse_components(4, 100, 0.25, 0)
    >>> sorted(set(abs(R.data).tolist()))
    [1.0]
    """
    D = check_integer(n_features, "n_features")
    k, p = check_components(n_components, D), check_density(density, D)
    rng, size = check_rng(random_state), n_components * n_features
    if p == 1:
        return _signs(size, rng).reshape(k, D) / np.sqrt(k)
    places = np.empty(0, dtype=np.int64)
    while not len(places) or places[-1] < size:
        start = places[-1] if len(places) else -1
        draws = int(size * p + 5 * np.sqrt(size * p)) + 5
        places = np.append(places, start + np.cumsum(np.minimum(rng.geometric(p, draws), size + 1)))
    places = places[: np.searchsorted(places, size)]
    data = _signs(len(places), rng) * np.sqrt(1 / (p * k))
    return csr_matrix((data, places % D, np.searchsorted(places, D * np.arange(k + 1))), shape=(k, D))


def _signs(size: int, rng: np.random.Generator) -> FloatArray:
    """Fair signs, +1 or -1."""
    return 2.0 * rng.integers(0, 2, size) - 1.0


# --- what becomes of lengths, distances and inner products
def distance_ratios(X: ArrayLike, Z: ArrayLike) -> FloatArray:
    """Squared distance after by squared distance before, for each pair of different points.

    Parameters
    ----------
    X : (n, D) array
        Before.
    Z : (n, k) array
        After.

    Returns
    -------
    (m,) array
        In the order (0, 1), (0, 2), ..., (1, 2), ...; pairs of equal rows of X are left out.

    Raises
    ------
    ValueError
        Bad data, or different numbers of rows.

    Notes
    -----
    O(n^2 (D + k)).

    Examples
    --------
    >>> distance_ratios([[0.0, 0.0], [3.0, 4.0], [0.0, 1.0]], [[0.0], [4.0], [1.0]]).tolist()
    [0.64, 1.0, 0.5]
    """
    A, B = check_matrix(X, "X"), check_matrix(Z, "Z")
    if len(A) != len(B):
        raise ValueError(f"X and Z need the same number of rows, got {len(A)} and {len(B)}.")
    before, after = (
        np.concatenate([((V[i + 1 :] - V[i]) ** 2).sum(axis=1) for i in range(len(V))]) for V in (A, B)
    )  # exactly 0 for equal rows
    return np.asarray(after[before > 0] / before[before > 0])


def inner_product_variance(x: ArrayLike, y: ArrayLike, n_components: int, fourth_moment: float = 3.0) -> float:
    """Variance of the inner product after projection, :eq:`random-projection-inner-variance`.

    Parameters
    ----------
    x, y : (D,) arrays
        With y = x it is the variance of a squared length, :eq:`random-projection-length-variance`.
    n_components : int
        k.
    fourth_moment : float
        s = E r^4 of an entry r with mean 0 and variance 1: 3 for Gaussian entries, one over the density for sparse
        ones; at least 1.

    Returns
    -------
    float
        ``(|x|^2 |y|^2 + (x'y)^2 + (s - 3) sum_j x_j^2 y_j^2) / k``.

    Raises
    ------
    TypeError, ValueError
        Vectors of different lengths, ``n_components`` below 1, ``fourth_moment`` below 1.

    Notes
    -----
    Source: Li, Hastie and Church (2006).

    Examples
    --------
    >>> inner_product_variance([1.0, 0.0], [1.0, 0.0], 4), inner_product_variance([1.0, 0.0], [1.0, 0.0], 4, 100.0)
    (0.5, 24.75)
    """
    a = check_vector(x, "x")
    b = check_vector(y, "y", len(a))
    k, s = check_integer(n_components, "n_components"), check_real(fourth_moment, "fourth_moment", 1.0)
    return float(((a @ a) * (b @ b) + (a @ b) ** 2 + (s - 3) * (a**2 @ b**2)) / k)

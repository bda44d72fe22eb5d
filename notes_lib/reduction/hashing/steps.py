"""Steps of locality-sensitive hashing in the order of the chapter: bits of angles, minima of sets, bands of a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray, IntArray, check_binary, check_integer, check_matrix, check_shape, check_vector

Bits = NDArray[np.uint8]


def angle(x: ArrayLike, y: ArrayLike) -> float:
    """Angle between two vectors in radians, from 0 to pi; :eq:`hashing-angle`.

    Raises
    ------
    ValueError
        If the lengths differ, a value is not finite, or a vector is zero: it has no direction.

    Notes
    -----
    O(d). From the sum and the difference of the unit vectors (Kahan), since an arc cosine loses half of the digits of a
    small angle.

    Examples
    --------
    >>> float(angle([1.0, 0.0], [1.0, 1.0]) / np.pi)
    0.25
    """
    x = check_vector(x, "x")
    y = check_vector(y, "y", x.size)
    a, b = _directions(x[None], "x")[0], _directions(y[None], "y")[0]
    return float(2 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b)))


def hyperplane_bits(X: ArrayLike, W: ArrayLike) -> Bits:
    """On which side of each hyperplane each vector lies: 1 where ``w @ x >= 0``; :eq:`hashing-bit`.

    Parameters
    ----------
    X : (n, d) array
        Vectors, none of them zero.
    W : (m, d) array
        Normals of the hyperplanes, which go through the origin.

    Returns
    -------
    (n, m) array of 0 and 1

    Raises
    ------
    ValueError
        If the columns do not fit, a value is not finite, or a row of ``X`` is zero.

    Notes
    -----
    O(n m d).

    Examples
    --------
    >>> hyperplane_bits([[2.0, 1.0], [-1.0, 3.0]], [[1.0, 0.0], [1.0, 1.0]])
    array([[1, 1],
           [0, 1]], dtype=uint8)
    """
    W = check_matrix(W, "W")
    X = check_shape(X, "X", (None, W.shape[1]))
    return (_directions(X, "X") @ W.T >= 0).astype(np.uint8)


def collision_probability(theta: ArrayLike) -> FloatArray:
    """Probability that a random hyperplane has two vectors on one side; :eq:`hashing-collision`.

    Parameters
    ----------
    theta : array
        Angles in radians, from 0 to pi.

    Raises
    ------
    ValueError
        If an angle is below 0 or above pi.

    Examples
    --------
    >>> collision_probability([0.0, np.pi / 4, np.pi])
    array([1.  , 0.75, 0.  ])
    """
    theta = check_shape(theta, "theta", (None,) * np.ndim(theta))
    if ((theta < 0) | (theta > np.pi)).any():
        raise ValueError("theta must lie between 0 and pi: give angles in radians.")
    return 1.0 - theta / np.pi


def hamming_distances(A: ArrayLike, B: ArrayLike) -> IntArray:
    """In how many bits each code of ``A`` differs from each code of ``B``.

    Parameters
    ----------
    A, B : (n, m) and (q, m) arrays of 0 and 1

    Returns
    -------
    (n, q) array of integers

    Raises
    ------
    ValueError
        If the codes have different lengths, or an entry is neither 0 nor 1.

    Notes
    -----
    O(n q m), by one matrix product: ``a + b - 2 a b`` is 1 where two bits differ.

    Examples
    --------
    >>> hamming_distances([[1, 0, 1]], [[1, 0, 1], [0, 1, 1]])
    array([[0, 2]])
    """
    A, B = check_binary(A, "A"), check_binary(B, "B")
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"B must have codes of {A.shape[1]} bits as A has, got {B.shape[1]}.")
    return np.rint(A.sum(axis=1)[:, None] + B.sum(axis=1) - 2.0 * (A @ B.T)).astype(np.intp)


def jaccard(A: ArrayLike, B: ArrayLike) -> FloatArray:
    """Jaccard similarity of each set of ``A`` to each set of ``B``; :eq:`hashing-jaccard`.

    Parameters
    ----------
    A, B : (n, d) and (q, d) arrays of 0 and 1
        Indicator rows: which of ``d`` items a set has.

    Returns
    -------
    (n, q) array

    Raises
    ------
    ValueError
        If the numbers of items differ, an entry is neither 0 nor 1, or a set is empty: 0/0 has no value.

    Notes
    -----
    O(n q d).

    Examples
    --------
    >>> jaccard([[1, 1, 0, 0]], [[0, 1, 1, 0], [1, 1, 0, 0]]).round(4)
    array([[0.3333, 1.    ]])
    """
    A, B = indicator(A, "A"), indicator(B, "B")
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"B must have {A.shape[1]} items as A has, got {B.shape[1]}.")
    both = A @ B.T
    return both / (A.sum(axis=1)[:, None] + B.sum(axis=1) - both)


def minhash_signature(A: ArrayLike, values: ArrayLike) -> FloatArray:
    """For each set and each numbering of the items the smallest number that the set has; :eq:`hashing-minhash`.

    Parameters
    ----------
    A : (n, d) array of 0 and 1
        Indicator rows.
    values : (m, d) array
        Row i numbers the items: by a permutation, or by a hash function.

    Returns
    -------
    (n, m) array

    Raises
    ------
    ValueError
        If the shapes do not fit, an entry of ``A`` is neither 0 nor 1, or a set is empty: it has no smallest number.

    Notes
    -----
    O(n m d).

    Examples
    --------
    >>> minhash_signature([[1, 0, 0, 1], [0, 1, 1, 0]], [[3, 1, 4, 2], [1, 2, 3, 4]])
    array([[2., 1.],
           [1., 2.]])
    """
    A = indicator(A, "A")
    values = check_shape(values, "values", (None, A.shape[1]))
    return np.column_stack([np.where(A == 1, numbers, np.inf).min(axis=1) for numbers in values])  # hashing-minhash


def candidate_probability(s: ArrayLike, n_bands: int, n_rows: int) -> FloatArray:
    """The S-curve: probability that two items agree in all rows of a band at least once; :eq:`hashing-s-curve`.

    Parameters
    ----------
    s : array
        Probabilities that two items agree in one row, from 0 to 1.
    n_bands, n_rows : int
        Bands, and rows in each.

    Raises
    ------
    TypeError, ValueError
        If ``s`` leaves the interval from 0 to 1, or a number of bands or rows is no positive integer.

    Notes
    -----
    Computed as ``-expm1(b log1p(-s**r))``, which keeps its digits where the probability is tiny.

    Examples
    --------
    >>> candidate_probability([0.2, 0.8], 20, 5).round(4)
    array([0.0064, 0.9996])
    """
    s = check_shape(s, "s", (None,) * np.ndim(s))
    b, r = _check_bands(n_bands, n_rows)
    if ((s < 0) | (s > 1)).any():
        raise ValueError("s must lie between 0 and 1: it is a probability.")
    with np.errstate(divide="ignore"):  # s = 1 gives a logarithm of 0 and the probability 1
        return -np.expm1(b * np.log1p(-(s**r)))


def threshold(n_bands: int, n_rows: int) -> float:
    """Similarity near which the S-curve rises, ``(1 / b)**(1 / r)``; :eq:`hashing-threshold`.

    Raises
    ------
    TypeError, ValueError
        If a number of bands or rows is no positive integer.

    Examples
    --------
    >>> round(threshold(20, 5), 4)
    0.5493
    """
    b, r = _check_bands(n_bands, n_rows)
    return float(b ** (-1 / r))


def steepest_similarity(n_bands: int, n_rows: int) -> float:
    """Similarity at which the S-curve is steepest, 0 if it never turns; :eq:`hashing-steepest`.

    Raises
    ------
    TypeError, ValueError
        If a number of bands or rows is no positive integer.

    Examples
    --------
    >>> round(steepest_similarity(20, 5), 4)
    0.5264
    """
    b, r = _check_bands(n_bands, n_rows)
    return float(((r - 1) / (b * r - 1)) ** (1 / r)) if b * r > 1 else 0.0


def indicator(A: ArrayLike, name: str) -> FloatArray:
    """Rows of 0 and 1 with at least one 1 in each, as floats.

    Raises
    ------
    ValueError
        If the array is no matrix, an entry is neither 0 nor 1, or a row has no 1.
    """
    A = check_binary(A, name)
    empty = np.flatnonzero(A.sum(axis=1) == 0)
    if len(empty):
        raise ValueError(f"{name} has no item in row {empty[0]}: leave empty sets out, they are similar to nothing.")
    return A


def _check_bands(n_bands: int, n_rows: int) -> tuple[int, int]:
    return check_integer(n_bands, "n_bands"), check_integer(n_rows, "n_rows")


def _directions(X: FloatArray, name: str) -> FloatArray:
    """Rows of length 1; scaled first, so that no square overflows."""
    largest = np.abs(X).max(axis=1, initial=0.0, keepdims=True)
    zero = np.flatnonzero(largest == 0)
    if len(zero):
        raise ValueError(f"{name} is zero in row {zero[0]}: it has no direction, leave it out.")
    X = X / largest
    return X / np.linalg.norm(X, axis=1, keepdims=True)

"""Codes that are learned from the data: signs of principal directions, of their rotation, and of waves along them."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_shape
from notes_lib.numerics import RandomState, check_rng, leading_signs
from notes_lib.reduction.hashing.steps import Bits


class Mode(NamedTuple):
    """A wave along a principal direction: its number ``direction`` and how often it changes its sign, ``waves``."""

    direction: int
    waves: int


def principal_directions(X: ArrayLike, n_bits: int) -> FloatArray:
    """Unit vectors along which the centred data vary most, as the columns of a (d, n_bits) matrix.

    Parameters
    ----------
    X : (n, d) array
    n_bits : int
        At most ``min(n, d)``.

    Returns
    -------
    (d, n_bits) array
        Orthonormal columns; of the largest entry in size of each, the sign is positive.

    Raises
    ------
    TypeError, ValueError
        If ``n_bits`` is no integer from 1 to ``min(n, d)``, or a value is not finite.

    Notes
    -----
    O(n d min(n, d)), by the singular value decomposition.

    Examples
    --------
    >>> principal_directions([[0.0, 0.0], [2.0, 2.0]], 1).round(4)
    array([[0.7071],
           [0.7071]])
    """
    X = check_matrix(X, "X")
    n_bits = check_bits(n_bits, X)
    U = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:n_bits]
    return (U * leading_signs(U)[:, None]).T


def quantization_error(V: ArrayLike, R: ArrayLike, B: ArrayLike) -> float:
    """Squared distance of the rotated data from their codes of -1 and 1; :eq:`hashing-quantization`.

    Parameters
    ----------
    V : (n, m) array
        Projected data.
    R : (m, m) array
        A rotation.
    B : (n, m) array
        Codes.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a value is not finite.

    Examples
    --------
    >>> quantization_error([[2.0, 0.5]], [[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0]])
    1.25
    """
    V = check_matrix(V, "V")
    R = check_shape(R, "R", (V.shape[1],) * 2)
    return float(((check_shape(B, "B", V.shape) - V @ R) ** 2).sum())


def code_step(V: ArrayLike, R: ArrayLike) -> FloatArray:
    """The best codes for a rotation: signs of ``V @ R``, 1 for a zero; :eq:`hashing-code-step`. O(n m^2).

    Raises
    ------
    ValueError
        If the shapes do not fit, or a value is not finite.

    Examples
    --------
    >>> code_step([[2.0, -0.5]], [[0.0, 1.0], [1.0, 0.0]])
    array([[-1.,  1.]])
    """
    V = check_matrix(V, "V")
    return np.where(V @ check_shape(R, "R", (V.shape[1],) * 2) >= 0, 1.0, -1.0)


def procrustes_rotation(V: ArrayLike, B: ArrayLike) -> FloatArray:
    """The orthogonal matrix that brings ``V`` nearest to ``B``, by the SVD of ``V.T @ B``; :eq:`hashing-procrustes`.

    Parameters
    ----------
    V, B : (n, m) arrays

    Returns
    -------
    (m, m) array ``R``
        Of smallest ``|B - V R|`` among all orthogonal matrices. It may reflect as well as rotate.

    Raises
    ------
    ValueError
        If the shapes differ, or a value is not finite.

    Notes
    -----
    O(n m^2 + m^3). Source: Schoenemann (1966).

    Examples
    --------
    >>> procrustes_rotation([[1.0, 0.0], [0.0, 2.0]], [[0.0, 1.0], [-2.0, 0.0]])
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    V = check_matrix(V, "V")
    S, _, Tt = np.linalg.svd(V.T @ check_shape(B, "B", V.shape))
    return S @ Tt


def spectral_modes(V: ArrayLike, n_bits: int) -> list[Mode]:
    """The slowest waves along the columns of ``V``, the longest column first to be cut; :eq:`hashing-spectral-modes`.

    A wave with j changes of sign along a column of range L has the eigenvalue ``(pi j / L)**2`` of the Laplacian of an
    interval; the ``n_bits`` smallest over all columns and all j from 1 on are taken, at a tie the earlier column.

    Parameters
    ----------
    V : (n, m) array
        Projected data.
    n_bits : int

    Returns
    -------
    list of Mode

    Raises
    ------
    TypeError, ValueError
        If ``n_bits`` is no positive integer, a value is not finite, or a column is constant: it has no length.

    Notes
    -----
    Source: Weiss, Torralba and Fergus (2008).

    Examples
    --------
    >>> spectral_modes([[0.0, 0.0], [5.0, 2.0]], 3)
    [Mode(direction=0, waves=1), Mode(direction=0, waves=2), Mode(direction=1, waves=1)]
    """
    V, n_bits = check_matrix(V, "V"), check_integer(n_bits, "n_bits")
    length = _lengths(V)
    modes = [Mode(k, j) for k in range(V.shape[1]) for j in range(1, n_bits + 1)]
    return sorted(modes, key=lambda mode: mode.waves / length[mode.direction])[:n_bits]


def spectral_bits(V: ArrayLike, modes: list[Mode], low: ArrayLike, high: ArrayLike) -> Bits:
    """Signs of waves, 1 where ``sin(pi / 2 + pi j (v - low) / (high - low)) >= 0``; :eq:`hashing-spectral-bit`.

    Parameters
    ----------
    V : (n, m) array
        Projected data.
    modes : list of Mode
    low, high : (m,) arrays
        Smallest and largest value of each column of the data from which the modes come.

    Returns
    -------
    (n, n_bits) array of 0 and 1

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is not finite, or a range is empty.

    Examples
    --------
    >>> spectral_bits([[0.0], [2.0], [4.0]], [Mode(0, 1), Mode(0, 2)], [0.0], [4.0])
    array([[1, 1],
           [1, 0],
           [0, 1]], dtype=uint8)
    """
    V = check_matrix(V, "V")
    low, high = (check_shape(v, name, (V.shape[1],)) for v, name in ((low, "low"), (high, "high")))
    place = (V - low) / _lengths(np.vstack([low, high]))
    k, j = (np.array(part) for part in zip(*modes, strict=True))
    return (np.cos(np.pi * j * place[:, k]) >= 0).astype(np.uint8)  # sin(pi/2 + u) is cos(u)


class IterativeQuantization(TransformerMixin, BaseEstimator):
    """Binary codes by the rotation of the principal directions that loses least when only signs are kept.

    The data are centred and projected on the principal directions (not whitened); then :eq:`hashing-code-step` and
    :eq:`hashing-procrustes` alternate from a random rotation until no bit changes. The error never rises,
    :eq:`hashing-descent`, and ends in a local minimum, which depends on the start.

    Parameters
    ----------
    n_bits : int
        Length of the codes, at most ``min(n, d)``.
    max_iter : int
        Most alternations.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    mean_ : (d,) array
    components_ : (n_bits, d) array
        Principal directions.
    rotation_ : (n_bits, n_bits) array
        Orthogonal.
    quantization_errors_ : array
        :eq:`hashing-quantization` after each of the ``n_iter_`` alternations.
    n_iter_ : int
    n_features_in_ : int

    Notes
    -----
    O(n d min(n, d)) for the directions, O(n n_bits^2) an alternation. Source: Gong and Lazebnik (2011).

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.1, 0.0], [3.0, 3.0], [3.1, 3.0]]
    >>> IterativeQuantization(1, random_state=0).fit_transform(X).ravel()
    array([0, 0, 1, 1], dtype=uint8)
    """

    def __init__(self, n_bits: int = 1, max_iter: int = 300, random_state: RandomState = None) -> None:
        self.n_bits, self.max_iter, self.random_state = n_bits, max_iter, random_state

    def fit(self, X: ArrayLike, y: None = None) -> IterativeQuantization:
        """Learn the directions and their rotation.

        Raises
        ------
        TypeError, ValueError
            Bad data, ``n_bits`` above ``min(n, d)``, ``max_iter`` < 1.

        Warns
        -----
        ConvergenceWarning
            If bits still changed in the last alternation.
        """
        X = validate_data(self, X, dtype=float)
        max_iter, rng = check_integer(self.max_iter, "max_iter"), check_rng(self.random_state)
        P = principal_directions(X, self.n_bits)
        self.mean_, self.components_ = X.mean(axis=0), P.T
        V = (X - self.mean_) @ P
        R = np.linalg.qr(rng.normal(size=(P.shape[1],) * 2))[0]
        B, errors = code_step(V, R), []
        for _ in range(max_iter):
            R, before = procrustes_rotation(V, B), B
            B = code_step(V, R)
            errors.append(quantization_error(V, R, B))
            if np.array_equal(B, before):
                break
        else:
            warnings.warn(
                f"bits still changed in alternation {max_iter}: raise max_iter, if the error has not settled.",
                ConvergenceWarning, stacklevel=2,
            )  # fmt: skip
        self.rotation_, self.quantization_errors_, self.n_iter_ = R, np.array(errors), len(errors)
        return self

    def transform(self, X: ArrayLike) -> Bits:
        """Codes (n, n_bits) of 0 and 1.

        Raises
        ------
        ValueError
            Another number of columns than in ``fit``, a value that is not finite.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return (code_step((X - self.mean_) @ self.components_.T, self.rotation_) > 0).astype(np.uint8)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []  # bits are integers
        return tags


def check_bits(n_bits: int, X: FloatArray) -> int:
    """Return a number of bits that the data have directions for."""
    n_bits = check_integer(n_bits, "n_bits")
    if n_bits > min(X.shape):
        raise ValueError(
            f"n_bits must be at most min(n, d) = {min(X.shape)}, got {n_bits}: there are no more principal directions."
        )
    return n_bits


def _lengths(V: FloatArray) -> FloatArray:
    length = np.ptp(V, axis=0)
    if not (length > 0).all():
        raise ValueError(f"V must vary in each column, column {int(length.argmin())} is constant: leave it out.")
    return length

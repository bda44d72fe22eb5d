"""Covariance functions with parameters: their matrices, their derivatives, sums and products."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist
from scipy.special import entr

from notes_lib.checks import FloatArray, check_positive, check_vector
from notes_lib.kernels.kernel_methods import linear_kernel, rbf_kernel
from notes_lib.kernels.kernel_methods.checks import pair


class Covariance(ABC):
    """A kernel with positive parameters, as a value: ``+`` and ``*`` and :meth:`with_theta` return new ones.

    The names of the kernels and of their parameters are those of ``sklearn.gaussian_process.kernels``.

    Attributes
    ----------
    theta : (p,) array
        Logarithms of all parameters, those of a sum or product from left to right.
    names : tuple of str
        What ``theta`` holds.
    """

    theta: FloatArray
    names: tuple[str, ...]

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> FloatArray:
        """Matrix (n, m) of the covariances between the rows of X and those of Y; Y is X if None."""
        return self._matrix(*pair(X, Y), Y is None)

    def diagonal(self, X: ArrayLike) -> FloatArray:
        """Variance (n,) at each row; O(n d) time."""
        return self._diagonal(pair(X, None)[0])

    def gradients(self, X: ArrayLike) -> tuple[FloatArray, list[FloatArray]]:
        """Matrix (n, n), and its derivatives by the entries of ``theta``, (n, n) each; O(n^2 (d + p)) time."""
        return self._gradients(pair(X, None)[0])

    def with_theta(self, theta: ArrayLike) -> Covariance:
        """The same kernel with other parameters, whose logarithms are given."""
        return self._with(check_vector(theta, "theta", len(self.names)))

    @abstractmethod
    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray: ...

    @abstractmethod
    def _diagonal(self, X: FloatArray) -> FloatArray: ...

    @abstractmethod
    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]: ...

    @abstractmethod
    def _with(self, theta: FloatArray) -> Covariance: ...

    def __add__(self, other: Covariance | float) -> Covariance:
        return Sum(self, as_covariance(other))

    def __radd__(self, other: float) -> Covariance:
        return Sum(as_covariance(other), self)

    def __mul__(self, other: Covariance | float) -> Covariance:
        return Product(self, as_covariance(other))

    def __rmul__(self, other: float) -> Covariance:
        return Product(as_covariance(other), self)


def as_covariance(value: Covariance | float) -> Covariance:
    """A covariance as it is, a number as a constant one."""
    return value if isinstance(value, Covariance) else ConstantKernel(value)


class _Leaf(Covariance):
    """A kernel whose fields are its parameters."""

    def __post_init__(self) -> None:
        for name in self.names:
            check_positive(getattr(self, name), name)

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(f.name for f in fields(self))  # type: ignore[arg-type]

    @property
    def theta(self) -> FloatArray:  # type: ignore[override]
        return np.log([getattr(self, name) for name in self.names])

    def _with(self, theta: FloatArray) -> Covariance:
        return type(self)(*np.exp(theta).tolist())


@dataclass(frozen=True)
class ConstantKernel(_Leaf):
    """The same covariance for all pairs: a random level, or as a factor the variance of another kernel.

    Parameters
    ----------
    constant_value : float
        A variance, in units of the target squared.

    Examples
    --------
    >>> ConstantKernel(4.0)([[0.0], [9.0]])
    array([[4., 4.],
           [4., 4.]])
    """

    constant_value: float = 1.0

    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray:
        return np.full((len(X), len(Y)), float(self.constant_value))

    def _diagonal(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), float(self.constant_value))

    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        K = self(X)
        return K, [K]  # proportional to its parameter


@dataclass(frozen=True)
class WhiteKernel(_Leaf):
    """Independent noise: a variance for each row with itself, 0 between rows; :eq:`gaussian-process-noise`.

    Parameters
    ----------
    noise_level : float
        A variance.

    Notes
    -----
    With two matrices all values are 0, even between equal rows: a second measurement has noise of its own.

    Examples
    --------
    >>> WhiteKernel(0.5)([[0.0], [0.0]])
    array([[0.5, 0. ],
           [0. , 0.5]])
    """

    noise_level: float = 1.0

    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray:
        K = np.zeros((len(X), len(Y)))
        if same:
            np.fill_diagonal(K, self.noise_level)
        return K

    def _diagonal(self, X: FloatArray) -> FloatArray:
        return np.full(len(X), float(self.noise_level))

    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        K = self(X)
        return K, [K]


@dataclass(frozen=True)
class RBF(_Leaf):
    """Gaussian kernel ``exp(-|x - y|^2 / (2 l^2))``; :eq:`gaussian-process-rbf`.

    Parameters
    ----------
    length_scale : float
        ``l``, in units of X: how far one must walk until the function is a different one.

    Examples
    --------
    >>> RBF(2.0)([[0.0]], [[2.0]]).round(4)  # exp(-1/2)
    array([[0.6065]])
    """

    length_scale: float = 1.0

    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray:
        return rbf_kernel(X, None if same else Y, 0.5 / self.length_scale**2)

    def _diagonal(self, X: FloatArray) -> FloatArray:
        return np.ones(len(X))

    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        K = self(X)
        return K, [2.0 * entr(K)]  # gaussian-process-rbf-gradient: K r^2 / l^2 = -2 K log K, and 0 where K is


@dataclass(frozen=True)
class ExpSineSquared(_Leaf):
    """Periodic kernel ``exp(-2 sin^2(pi |x - y| / p) / l^2)``; :eq:`gaussian-process-periodic`.

    Parameters
    ----------
    length_scale : float
        ``l``, without unit: small ones allow many humps in a period.
    periodicity : float
        ``p``, in units of X.

    Notes
    -----
    Positive semi-definite in one dimension, where it is the Gaussian kernel of points on a circle.

    Examples
    --------
    >>> ExpSineSquared(1.0, 3.0)([[0.0]], [[3.0], [1.5]]).round(4)
    array([[1.    , 0.1353]])
    """

    length_scale: float = 1.0
    periodicity: float = 1.0

    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray:
        if X.shape[1] != 1:
            raise ValueError(f"X must have one column for a periodic kernel, got {X.shape[1]}: multiply one for each.")
        half_turn = np.pi * cdist(X, Y) / self.periodicity
        return np.exp(-2.0 * (np.sin(half_turn) / self.length_scale) ** 2)  # gaussian-process-periodic

    def _diagonal(self, X: FloatArray) -> FloatArray:
        return np.ones(len(X))

    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        K = self(X)
        turn = 2.0 * np.pi * cdist(X, X) / self.periodicity
        return K, [2.0 * entr(K), K * turn * np.sin(turn) / self.length_scale**2]  # gaussian-process-periodic-gradient


@dataclass(frozen=True)
class DotProduct(_Leaf):
    """Linear functions with a level, ``sigma_0^2 + x'y``: prior variance 1 for each slope.

    Parameters
    ----------
    sigma_0 : float
        Standard deviation of the level at x = 0.

    Examples
    --------
    >>> DotProduct(1.0)([[1.0], [2.0]])
    array([[2., 3.],
           [3., 5.]])
    """

    sigma_0: float = 1.0

    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray:
        return linear_kernel(X, Y) + self.sigma_0**2

    def _diagonal(self, X: FloatArray) -> FloatArray:
        return np.einsum("nd,nd->n", X, X) + self.sigma_0**2

    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        K = self(X)
        return K, [np.full_like(K, 2.0 * self.sigma_0**2)]


@dataclass(frozen=True)
class _Pair(Covariance):
    """Two kernels side by side."""

    k1: Covariance
    k2: Covariance

    @property
    def names(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.k1.names + self.k2.names

    @property
    def theta(self) -> FloatArray:  # type: ignore[override]
        return np.concatenate([self.k1.theta, self.k2.theta])

    def _with(self, theta: FloatArray) -> Covariance:
        p = len(self.k1.names)
        return type(self)(self.k1.with_theta(theta[:p]), self.k2.with_theta(theta[p:]))


@dataclass(frozen=True)
class Sum(_Pair):
    """Sum of two kernels: of two independent functions; :eq:`gaussian-process-sum`.

    Examples
    --------
    >>> (RBF() + WhiteKernel(0.5))([[0.0], [0.0]])
    array([[1.5, 1. ],
           [1. , 1.5]])
    """

    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray:
        Z = None if same else Y
        return self.k1(X, Z) + self.k2(X, Z)  # gaussian-process-sum

    def _diagonal(self, X: FloatArray) -> FloatArray:
        return self.k1.diagonal(X) + self.k2.diagonal(X)

    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        (K1, first), (K2, second) = self.k1.gradients(X), self.k2.gradients(X)
        return K1 + K2, first + second


@dataclass(frozen=True)
class Product(_Pair):
    """Product of two kernels: rows are alike if both find them so; :eq:`gaussian-process-product`.

    Examples
    --------
    >>> (4.0 * RBF())([[0.0]])
    array([[4.]])
    """

    def _matrix(self, X: FloatArray, Y: FloatArray, same: bool) -> FloatArray:
        Z = None if same else Y
        return self.k1(X, Z) * self.k2(X, Z)  # gaussian-process-product

    def _diagonal(self, X: FloatArray) -> FloatArray:
        return self.k1.diagonal(X) * self.k2.diagonal(X)

    def _gradients(self, X: FloatArray) -> tuple[FloatArray, list[FloatArray]]:
        (K1, first), (K2, second) = self.k1.gradients(X), self.k2.gradients(X)
        return K1 * K2, _times(first, K2) + _times(second, K1)  # gaussian-process-product-gradient


def _times(derivatives: Sequence[FloatArray], K: FloatArray) -> list[FloatArray]:
    return [D * K for D in derivatives]

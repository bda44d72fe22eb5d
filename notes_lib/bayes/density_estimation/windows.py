"""Smoothing kernels: non-negative functions of the distance with integral 1, in any dimension.

They need not be Mercer kernels: nothing here asks whether a Gram matrix is positive semi-definite.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from notes_lib.checks import FloatArray, check_choice, check_matrix


class Window(NamedTuple):
    """A kernel by its profile, a function of the squared distance ``t`` in units of the bandwidth."""

    log_profile: Callable[[FloatArray], FloatArray]  # log of the kernel without its constant
    log_mass: Callable[[int], float]  # log of d times the integral of profile(r^2) r^(d-1): times the ball's volume
    squared_radius: Callable[[np.random.Generator, int, int], FloatArray]  # how the kernel's own distance is drawn
    roughness: float  # integral of kappa(u)^2, d = 1
    variance: float  # integral of u^2 kappa(u), d = 1


class KernelConstants(NamedTuple):
    """Result of :func:`kernel_constants`: ``roughness`` R(kappa) and ``variance`` mu_2."""

    roughness: float
    variance: float


def _log(values: FloatArray) -> FloatArray:
    """Logarithm with -inf, and no warning, at 0."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def log_ball(d: int) -> float:
    """Logarithm of the volume of the unit ball in d dimensions."""
    return float(0.5 * d * np.log(np.pi) - gammaln(0.5 * d + 1))


WINDOWS = {
    "gaussian": Window(
        lambda t: -0.5 * t,
        lambda d: 0.5 * d * np.log(2 * np.pi) - log_ball(d),
        lambda rng, d, n: rng.chisquare(d, n),
        1 / np.sqrt(4 * np.pi),
        1.0,
    ),
    "tophat": Window(
        lambda t: np.where(t < 1, 0.0, -np.inf),
        lambda d: 0.0,
        lambda rng, d, n: rng.beta(d / 2, 1, n),
        1 / 2,
        1 / 3,
    ),
    "epanechnikov": Window(
        lambda t: _log(np.maximum(1 - t, 0)),
        lambda d: np.log(2 / (d + 2)),
        lambda rng, d, n: rng.beta(d / 2, 2, n),
        3 / 5,
        1 / 5,
    ),
    "linear": Window(
        lambda t: _log(np.maximum(1 - np.sqrt(t), 0)),
        lambda d: -np.log(d + 1),
        lambda rng, d, n: rng.beta(d, 2, n) ** 2,
        2 / 3,
        1 / 6,
    ),
    "exponential": Window(
        lambda t: -np.sqrt(t),
        lambda d: float(gammaln(d + 1)),
        lambda rng, d, n: rng.gamma(d, 1, n) ** 2,
        1 / 4,
        2.0,
    ),
}


def window(kernel: str) -> Window:
    """The kernel of a name, or a ``ValueError`` that lists the names."""
    check_choice(kernel, "kernel", tuple(WINDOWS))
    return WINDOWS[kernel]


def log_constant(kernel: str, d: int) -> float:
    """Logarithm of the factor that gives the profile the integral 1 in d dimensions."""
    return -(log_ball(d) + window(kernel).log_mass(d))


def smoothing_kernel(u: ArrayLike, kernel: str = "gaussian") -> FloatArray:
    """Values kappa(u) of a smoothing kernel; :eq:`density-estimation-window`.

    Parameters
    ----------
    u : (n, d) array
        Differences in units of the bandwidth.
    kernel : {'gaussian', 'tophat', 'epanechnikov', 'linear', 'exponential'}
        All are functions of the distance, as in scikit-learn; the second to the fourth vanish from distance 1 on.

    Returns
    -------
    (n,) array
        Not negative, with integral 1 over d dimensions.

    Raises
    ------
    ValueError
        If ``u`` is no matrix of finite numbers, or the kernel is unknown.

    Examples
    --------
    >>> smoothing_kernel([[0.0], [0.5], [2.0]], "epanechnikov")
    array([0.75  , 0.5625, 0.    ])
    """
    U = check_matrix(u, "u")
    log_profile = window(kernel).log_profile(np.einsum("nd,nd->n", U, U))
    return np.exp(log_profile + log_constant(kernel, U.shape[1]))


def kernel_constants(kernel: str = "gaussian") -> KernelConstants:
    """Roughness and variance of a kernel on the line; :eq:`density-estimation-constants`.

    Parameters
    ----------
    kernel : str
        As in :func:`smoothing_kernel`.

    Returns
    -------
    KernelConstants
        ``roughness``, the integral of ``kappa(u)^2``, and ``variance``, that of ``u^2 kappa(u)``.

    Raises
    ------
    ValueError
        If the kernel is unknown.

    Examples
    --------
    >>> kernel_constants("epanechnikov")
    KernelConstants(roughness=0.6, variance=0.2)
    """
    return KernelConstants(window(kernel).roughness, window(kernel).variance)

"""How far from Gaussian: kurtosis, and the contrasts that stand in for negentropy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_choice, check_vector

Function = Callable[[FloatArray], FloatArray]


class Contrast(NamedTuple):
    """An even function ``G``, its derivative ``g``, the derivative ``slope`` of that, and the mean of G under N(0, 1).

    ``push(Y)`` is the form for many numbers: it overwrites Y (C, n) with ``g(Y)`` and returns the sums (C,) of
    ``g'(Y)``, with one evaluation of the costly function.
    """

    G: Function
    g: Function
    slope: Function
    gaussian: float
    push: Function


def _log_cosh(u: FloatArray) -> FloatArray:
    """``log cosh u`` without overflow."""
    size = np.abs(u)
    return size + np.log1p(np.exp(-2 * size)) - np.log(2)


def _push_tanh(Y: FloatArray) -> FloatArray:
    np.tanh(Y, out=Y)
    return Y.shape[1] - np.einsum("cn,cn->c", Y, Y)  # 1 - tanh^2


def _push_exp(Y: FloatArray) -> FloatArray:
    square = Y * Y
    bell = np.exp(-0.5 * square)
    Y *= bell
    return bell.sum(axis=1) - np.einsum("cn,cn->c", square, bell)


def _push_cube(Y: FloatArray) -> FloatArray:
    square = Y * Y
    Y *= square
    return 3 * square.sum(axis=1)


def _gaussian_mean(G: Function) -> float:
    """The mean of an even function under N(0, 1), by the trapezoidal rule, which is exact to rounding for it."""
    u = np.linspace(-12, 12, 2401)
    return float(G(u) @ np.exp(-0.5 * u * u) * 0.01 / np.sqrt(2 * np.pi))


def _contrast(G: Function, g: Function, slope: Function, push: Function) -> Contrast:
    return Contrast(G, g, slope, _gaussian_mean(G), push)


CONTRASTS: dict[str, Contrast] = {
    "logcosh": _contrast(_log_cosh, np.tanh, lambda u: 1 - np.tanh(u) ** 2, _push_tanh),
    "exp": _contrast(
        lambda u: -np.exp(-0.5 * u * u),
        lambda u: u * np.exp(-0.5 * u * u),
        lambda u: (1 - u * u) * np.exp(-0.5 * u * u),
        _push_exp,
    ),
    "cube": _contrast(lambda u: u**4 / 4, lambda u: u**3, lambda u: 3 * u * u, _push_cube),
}


def contrast_of(fun: Any) -> Contrast:
    """The contrast of a name; refuses any other."""
    check_choice(fun, "fun", tuple(CONTRASTS))
    return CONTRASTS[fun]


def excess_kurtosis(y: ArrayLike) -> float:
    """Fourth moment of the standardised numbers minus 3, which a Gaussian has; :eq:`ica-kurtosis`.

    Parameters
    ----------
    y : (n,) array
        At least two different numbers, in any unit.

    Returns
    -------
    float
        At least -2; 0 for a Gaussian, negative for flat and positive for heavy-tailed distributions. Divisor n.

    Raises
    ------
    TypeError, ValueError
        If ``y`` is no vector of finite numbers, or all of them are equal.

    Notes
    -----
    O(n) time. Hyvärinen's ``kurt`` is this number times the squared variance; both are the same for unit variance.

    Examples
    --------
    >>> excess_kurtosis([-1, 1]), excess_kurtosis([-3, 0, 0, 0, 0, 3])
    (-2.0, 0.0)
    """
    y = check_vector(y, "y")
    centred = y - y.mean()
    size = np.abs(centred).max()
    if size <= 1e-14 * np.abs(y).max():
        raise ValueError("y must hold different numbers: the kurtosis of a constant is not defined.")
    square = (centred / size) ** 2
    return float((square @ square) * len(y) / square.sum() ** 2 - 3)


def negentropy_contrast(y: ArrayLike, fun: str = "logcosh") -> float:
    """Squared difference of the mean of G from its mean under N(0, 1), of numbers of unit variance; :eq:`ica-contrast`.

    Parameters
    ----------
    y : (n,) array
        Numbers of mean 0 and variance 1, as whitened data have along a unit vector.
    fun : {'logcosh', 'exp', 'cube'}
        Which G: ``log cosh u``, ``-exp(-u^2 / 2)`` or ``u^4 / 4``.

    Returns
    -------
    float
        At least 0, and 0 for a Gaussian up to the error of a sample. Up to a factor and to higher terms the negentropy.

    Raises
    ------
    TypeError, ValueError
        If ``y`` is no vector of finite numbers, or ``fun`` is unknown.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> negentropy_contrast([-1, 1], "cube")  # (1/4 - 3/4)^2
    0.25
    """
    G, *_, gaussian, _ = contrast_of(fun)
    return float((G(check_vector(y, "y")).mean() - gaussian) ** 2)  # ica-contrast

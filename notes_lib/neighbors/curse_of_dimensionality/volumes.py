"""Where the volume of a ball lies, and how many samples fill a space of many dimensions.

Volumes are handled as logarithms, because no float holds the volume of the unit ball in 1000 dimensions.
"""

from __future__ import annotations

from math import exp, expm1, log, log1p, pi

import numpy as np
from scipy.special import betainc, gammaln

from notes_lib.checks import check_integer, check_positive, check_real


def log_ball_volume(d: int, radius: float = 1.0) -> float:
    """Natural logarithm of the volume of a ball in ``d`` dimensions; :eq:`curse-of-dimensionality-log-volume`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    radius : float
        Positive.

    Returns
    -------
    float
        Finite for every dimension and radius that a float can hold.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, or ``radius`` is not positive and finite.

    Examples
    --------
    >>> round(log_ball_volume(1000), 1)  # the volume itself has 885 zeros behind the point
    -2039.0
    """
    d, radius = check_integer(d, "d"), check_positive(radius, "radius")
    return float(d / 2 * log(pi) - gammaln(d / 2 + 1)) + d * log(radius)


def ball_volume(d: int, radius: float = 1.0) -> float:
    """Volume of a ball in ``d`` dimensions; :eq:`curse-of-dimensionality-volume`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    radius : float
        Positive.

    Returns
    -------
    float
        In units of the radius to the power ``d``.

    Raises
    ------
    TypeError, ValueError
        As in :func:`log_ball_volume`; also if the volume is too small or too large for a float: the logarithm is not.

    Examples
    --------
    >>> [round(ball_volume(d), 4) for d in (1, 2, 3)]
    [2.0, 3.1416, 4.1888]
    """
    logarithm = log_ball_volume(d, radius)
    if not log(np.finfo(float).tiny) <= logarithm <= log(np.finfo(float).max):
        raise ValueError(f"d={d} gives a volume of exp({logarithm:.1f}), which no float holds: use log_ball_volume.")
    return exp(logarithm)


def shell_fraction(d: int, thickness: float) -> float:
    """Share of a ball that lies within ``thickness`` radii of its surface; :eq:`curse-of-dimensionality-shell`.

    The same number is the share of a cube that is lost when the cube shrinks by the factor ``1 - thickness``.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    thickness : float
        Of the shell, as a share of the radius; from 0 to 1.

    Returns
    -------
    float
        ``1 - (1 - thickness)^d``, also where this is tiny.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, or ``thickness`` is not between 0 and 1.

    Examples
    --------
    >>> round(shell_fraction(100, 0.01), 3)
    0.634
    """
    d, thickness = check_integer(d, "d"), _check_share(thickness, "thickness")
    return -expm1(d * log1p(-thickness)) if thickness < 1 else 1.0


def shell_thickness(d: int, share: float) -> float:
    """Thickness of the outer shell that holds a share of the ball; :eq:`curse-of-dimensionality-thickness`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    share : float
        Of the volume, from 0 to 1.

    Returns
    -------
    float
        As a share of the radius: the inverse function of :func:`shell_fraction`.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, or ``share`` is not between 0 and 1.

    Examples
    --------
    >>> round(shell_thickness(100, 0.5), 4)  # half of the ball
    0.0069
    """
    d, share = check_integer(d, "d"), _check_share(share, "share")
    return -expm1(log1p(-share) / d) if share < 1 else 1.0


def cap_fraction(d: int, height: float) -> float:
    """Share of the unit ball with ``x_1 >= height``; :eq:`curse-of-dimensionality-cap`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    height : float
        Distance of the cutting plane from the centre, from 0 to 1.

    Returns
    -------
    float
        At most one half; 0 where it is smaller than every float.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, or ``height`` is not between 0 and 1.

    Notes
    -----
    With ``u = 1 - s^2`` the integral over the slices becomes a regularised incomplete beta function.

    Examples
    --------
    >>> cap_fraction(1, 0.5), round(cap_fraction(100, 0.2), 4)
    (0.25, 0.0214)
    """
    d, height = check_integer(d, "d"), _check_share(height, "height")
    return float(betainc((d + 1) / 2, 0.5, (1 - height) * (1 + height))) / 2


def cap_bound(d: int, height: float) -> float:
    """Upper bound of :func:`cap_fraction`, ``(1 - height^2)^(d/2) / 2``; :eq:`curse-of-dimensionality-cap-bound`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    height : float
        Distance of the cutting plane from the centre, from 0 to 1.

    Returns
    -------
    float
        Reached at the heights 0 and 1 only.

    Raises
    ------
    TypeError, ValueError
        As in :func:`cap_fraction`.

    Examples
    --------
    >>> round(cap_bound(2, 0.6), 4)
    0.32
    """
    d, height = check_integer(d, "d"), _check_share(height, "height")
    return ((1 - height) * (1 + height)) ** (d / 2) / 2


def edge_length(d: int, share: float) -> float:
    """Edge of the cube that holds a share of the unit cube, ``share^(1/d)``; :eq:`curse-of-dimensionality-edge`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    share : float
        Of the volume, and so of uniform samples, from 0 to 1.

    Returns
    -------
    float
        From 0 to 1.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, or ``share`` is not between 0 and 1.

    Examples
    --------
    >>> round(edge_length(10, 0.01), 2)
    0.63
    """
    return float(_check_share(share, "share") ** (1 / check_integer(d, "d")))


def median_nearest_distance(d: int, n: int) -> float:
    """Median distance from the centre of the unit ball to the nearest of ``n`` uniform samples in it.

    Implements :eq:`curse-of-dimensionality-nearest`.

    Parameters
    ----------
    d, n : int
        Dimension and number of samples, at least 1 each.

    Returns
    -------
    float
        In radii: ``(1 - 2^(-1/n))^(1/d)``.

    Raises
    ------
    TypeError, ValueError
        If ``d`` or ``n`` is not an integer of at least 1.

    Examples
    --------
    >>> round(median_nearest_distance(10, 500), 2)
    0.52
    """
    d, n = check_integer(d, "d"), check_integer(n, "n")
    return float((-expm1(-log(2) / n)) ** (1 / d))


def log_samples_needed(d: int, radius: float, k: float = 1.0) -> float:
    """Logarithm of how many uniform samples of the unit cube put ``k`` of them, on average, into a ball inside it.

    Implements :eq:`curse-of-dimensionality-samples`.

    Parameters
    ----------
    d : int
        Dimension, at least 1.
    radius : float
        Of the ball, positive and at most 1/2.
    k : float
        Samples in the ball, positive.

    Returns
    -------
    float
        Natural logarithm, finite in every dimension.

    Raises
    ------
    TypeError, ValueError
        If ``d`` is not an integer of at least 1, ``radius`` is not in (0, 1/2], or ``k`` is not positive.

    Examples
    --------
    >>> round(log_samples_needed(10, 0.1), 2)  # four thousand million samples
    22.09
    """
    if check_positive(radius, "radius") > 0.5:
        raise ValueError(f"radius must be at most 1/2, got {radius}: a larger ball does not fit into the unit cube.")
    return log(check_positive(k, "k")) - log_ball_volume(d, radius)


def _check_share(value: float, name: str) -> float:
    if check_real(value, name) > 1:
        raise ValueError(f"{name} must be between 0 and 1, got {value}: it is a share of the whole.")
    return float(value)

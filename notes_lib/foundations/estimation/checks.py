"""What the functions of the chapter *Estimation* accept as data and as parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_distribution, check_numbers


def probabilities(theta: ArrayLike) -> FloatArray:
    """Numbers from 0 to 1, of any shape."""
    values = check_numbers(theta, "theta")
    outside = (values < 0) | (values > 1)
    if outside.any():
        raise ValueError(f"theta must hold probabilities, from 0 to 1, got {values[outside][0]:g}.")
    return values


def distributions(theta: ArrayLike, K: int | None = None, ndim: int | None = None) -> FloatArray:
    """Probabilities (..., K) that sum to 1 over the last axis; any number of categories, or axes, if that is None."""
    values = check_distribution(np.atleast_1d(theta), "theta")
    if K is not None and values.shape[-1] != K:
        raise ValueError(f"theta must hold {K} probabilities on its last axis, as alpha has, got shape {values.shape}.")
    if ndim is not None and values.ndim != ndim:
        raise ValueError(f"theta must be one distribution of shape (K,), got shape {values.shape}.")
    return values


def sample(x: ArrayLike, name: str = "x") -> FloatArray:
    """Array (n,) of finite floats, n >= 1, perhaps ``x`` itself; a single number becomes an array."""
    values = np.atleast_1d(np.asarray(x))
    if values.size == 0 or values.ndim != 1:
        raise ValueError(f"{name} must be a number or a non-empty (n,) array, got shape {values.shape}.")
    return check_numbers(values, name)


def varied(x: ArrayLike, scale: str) -> FloatArray:
    """A sample that is not constant."""
    x = sample(x)
    if x[0] == x[-1] and (x == x[0]).all():
        raise ValueError(
            f"x is constant ({x[0]:g}), so the likelihood grows without bound as {scale} goes to 0 and has no maximum: "
            "add different data or fix the scale."
        )
    return x


def representable(scale: Any, what: str) -> float:
    """Return an estimated scale, unless it lies outside the range of floating-point numbers."""
    if not np.finfo(float).tiny <= scale < np.inf:
        raise ValueError(f"the {what} of x overflow or vanish (their mean is {scale:.3g}): rescale x.")
    return float(scale)


def check_corner(theta: FloatArray, alpha: FloatArray) -> None:
    """Say where a Dirichlet density is undefined: where one factor is infinite and another one is 0."""
    zero = theta == 0
    undefined = (zero & (alpha < 1)).any(axis=-1) & (zero & (alpha > 1)).any(axis=-1)
    if undefined.any():
        raise ValueError(
            f"the density is undefined at theta = {theta[undefined][0].tolist()}, which has a 0 for alpha below 1 and "
            f"one for alpha above 1, alpha = {alpha.tolist()}: take a point beside it."
        )


def check_mode(alpha: FloatArray, name: str) -> None:
    """Say why a Beta or Dirichlet density with these parameters has no mode, if it has none."""
    if (alpha < 1).any():
        why = "the density is unbounded where a probability is 0"
    elif (alpha == 1).all():
        why = "the density is constant"
    else:
        return
    remedy = "use the mean, or pseudo-counts of at least 1 that are not all 1."
    raise ValueError(f"the mode is undefined for {name} = {alpha.tolist()}: {why}; {remedy}")


def binary_counts(x: ArrayLike) -> tuple[int, int]:
    """Number of zeros and of ones."""
    x = sample(x)
    strange = (x != 0) & (x != 1)
    if strange.any():
        raise ValueError(f"x must hold only 0 and 1, got {x[strange][0]:g}: code the two outcomes as 0 and 1.")
    N_1 = int(x.sum())
    return x.size - N_1, N_1

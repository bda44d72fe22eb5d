"""What the functions of the chapter *Exponential families* accept as data and as parameters."""

from __future__ import annotations

from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_numbers


def negative(eta: FloatArray, name: str, family: str) -> FloatArray:
    """Natural parameters that must be below 0, or an error that says why."""
    if not (eta < 0).all():
        raise ValueError(
            f"{name} must be negative, got {eta.max():g}: there the {family} density has no finite integral."
        )
    return eta


def nonnegative(x: FloatArray) -> FloatArray:
    """Numbers from 0 up."""
    if (x < 0).any():
        raise ValueError(f"x must hold non-negative numbers, got {x.min():g}.")
    return x


def inside(mean: ArrayLike, low: float, high: float, family: str, what: str = "mean") -> FloatArray:
    """Means (or variances) strictly between two borders, or an error that says that no natural parameter has them."""
    mu = check_numbers(mean, "the mean of the statistic")
    outside = ~((mu > low) & (mu < high))
    if outside.any():
        raise ValueError(
            f"no natural parameter of the {family} family has the {what} {mu[outside].flat[0]:g}, which must lie "
            f"strictly between {low:g} and {high:g}. For data at the border the likelihood has no maximum: it grows "
            "without end as the natural parameter goes to infinity; use more data or a ConjugatePrior."
        )
    return mu


def targets(y: FloatArray, family: str) -> FloatArray:
    """Targets of a generalised linear model: what the family can produce, and not all at one border."""
    if family == "bernoulli" and ((y != 0) & (y != 1)).any():
        raise ValueError("y must hold only 0 and 1 for family='bernoulli': code the two classes so.")
    if family == "poisson" and (y < 0).any():
        raise ValueError(f"y must hold non-negative counts for family='poisson', got {y.min():g}.")
    if family != "gaussian" and (y == y[0]).all() and y[0] in ((0,) if family == "poisson" else (0, 1)):
        raise ValueError(
            f"y holds only {y[0]:g}, so the likelihood grows without end as the intercept goes to infinity and has no "
            "maximum: add different data."
        )
    return y

"""What random projections accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_numbers, check_real


def check_open(values: ArrayLike, name: str) -> FloatArray:
    """Numbers strictly between 0 and 1.

    Examples
    --------
    >>> check_open([0.1, 0.5], "eps").tolist()
    [0.1, 0.5]
    """
    if isinstance(values, bool):
        raise TypeError(f"{name} must be a number between 0 and 1, got {values!r} of type bool.")
    numbers = check_numbers(values, name)
    if not ((numbers > 0) & (numbers < 1)).all():
        raise ValueError(f"{name} must lie between 0 and 1, both excluded, got {values!r}.")
    return numbers


def check_sizes(values: ArrayLike, name: str, minimum: int = 1) -> FloatArray:
    """Finite numbers of points; as in scikit-learn a float such as 1e6 is one too.

    Examples
    --------
    >>> float(check_sizes(1e6, "n_samples"))
    1000000.0
    """
    if isinstance(values, bool):
        raise TypeError(f"{name} must be a number of points, got {values!r} of type bool.")
    numbers = check_numbers(values, name)
    if not (numbers >= minimum).all():
        raise ValueError(f"{name} must be at least {minimum}, got {values!r}.")
    return numbers


def check_density(density: Any, n_features: int) -> float:
    """The share of entries that are not 0; 'auto' is one over the root of the number of features.

    Examples
    --------
    >>> check_density("auto", 100)
    0.1
    """
    if isinstance(density, str) and density == "auto":
        return float(1 / np.sqrt(n_features))
    if isinstance(density, str):
        raise ValueError(f"density must be 'auto' or a number above 0 and at most 1, got {density!r}.")
    if not 0 < check_real(density, "density") <= 1:
        raise ValueError(f"density must be above 0 and at most 1, got {density}.")
    return float(density)


def check_components(n_components: Any, n_features: int) -> int:
    """A number of components that is at most the number of features.

    Examples
    --------
    >>> check_components(3, 10)
    3
    """
    if isinstance(n_components, str):
        raise ValueError(f"n_components must be 'auto' or an integer, got {n_components!r}.")
    k = check_integer(n_components, "n_components")
    if k > n_features:
        raise ValueError(
            f"n_components={k} is more than n_features={n_features}, so nothing would be reduced: lower n_components."
        )
    return k

"""What the functions of the chapter *Hierarchical clustering* accept."""

from __future__ import annotations

import math
import warnings

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (
    FloatArray,
    check_choice,
    check_finite,
    check_integer,
    check_matrix,
    check_numbers,
    check_symmetric,
)

METHODS = ("single", "complete", "average", "weighted", "ward", "centroid", "median")
EUCLIDEAN = ("ward", "centroid", "median")  # their formulas speak of squared Euclidean distances
METRICS = ("euclidean", "cityblock", "manhattan")
LARGEST = 1e150  # its square is near the end of the range of floats


def check_method(method: str, metric: str = "euclidean") -> None:
    """Raise if there is no such linkage, or not with this metric."""
    check_choice(method, "method", METHODS)
    check_choice(metric, "metric", METRICS)
    if method in EUCLIDEAN and metric != "euclidean":
        raise ValueError(
            f"method={method!r} is defined by Euclidean distances, got metric={metric!r}: take metric='euclidean', or "
            "method='average', 'complete', 'single' or 'weighted'."
        )


def check_observations(X: ArrayLike, name: str, table: bool = True) -> FloatArray:
    """Return at least two observations as the rows of a finite matrix; warn if they look like a ``table``."""
    X = check_matrix(X, name)
    if len(X) < 2:
        raise ValueError(f"{name} must hold at least two observations to merge, got {len(X)}: give more rows.")
    if not np.abs(X).max() < LARGEST:
        raise ValueError(f"{name} has entries so large that squared distances overflow; rescale its columns.")
    if table and _is_hollow(X):
        warnings.warn(
            f"{name} looks like a square table of distances and is read as observations: pass the distances above the "
            "diagonal, row by row, as a vector.",
            UserWarning,
            stacklevel=5,
        )
    return X


def _is_hollow(X: FloatArray) -> bool:
    """Whether a matrix is square and symmetric with zeros on its diagonal only, as a table of distances is."""
    n = len(X)
    return X.shape == (n, n) and np.array_equal(X > 0, ~np.eye(n, dtype=bool)) and np.array_equal(X, X.T)


def check_condensed(y: ArrayLike, name: str) -> tuple[FloatArray, int]:
    """Return condensed distances as floats, and the number of observations."""
    y = check_numbers(y, name)
    n = (1 + math.isqrt(1 + 8 * y.size)) // 2
    if y.ndim != 1 or y.size == 0 or n * (n - 1) // 2 != y.size:
        raise ValueError(
            f"{name} must be observations (n, d) or n (n - 1) / 2 condensed distances, got shape {y.shape}: pass the "
            "distances above the diagonal, row by row."
        )
    if (y < 0).any():
        raise ValueError(f"{name} must hold distances, and {y.min()} is negative: turn similarities into distances.")
    if not y.max() < LARGEST:
        raise ValueError(f"{name} has entries so large that their squares overflow; rescale the distances.")
    return y, n


def check_table(D: ArrayLike, name: str = "D") -> FloatArray:
    """Return a square table of distances: symmetric, not negative, 0 on the diagonal, at least two rows."""
    D = check_symmetric(D, name)
    if len(D) < 2 or D.diagonal().any() or (D < 0).any():
        raise ValueError(
            f"{name} must hold distances between at least two observations: none negative, and 0 on the diagonal; "
            "pass distances, not similarities."
        )
    return D


def check_tree(Z: ArrayLike) -> FloatArray:
    """Return a linkage matrix whose rows merge clusters that exist, each once."""
    Z = check_finite(check_numbers(Z, "Z"), "Z")
    if Z.ndim != 2 or Z.shape[1] != 4 or len(Z) == 0:
        raise ValueError(f"Z must be a linkage matrix of shape (n - 1, 4), got {Z.shape}: make it with linkage.")
    n = len(Z) + 1
    pairs = Z[:, :2]
    born = n + np.arange(n - 1)[:, None]
    once = np.array_equal(np.sort(pairs, axis=None), np.arange(2 * n - 2))
    if not once or (pairs >= born).any() or (Z[:, 2] < 0).any():
        raise ValueError(
            f"Z must merge each of the clusters 0 to {2 * n - 3} once, after it was made, at heights >= 0: "
            "make it with linkage."
        )
    return Z


def check_clusters(k: int, n: int, name: str = "n_clusters") -> int:
    """Return a number of clusters that n observations can have."""
    k = check_integer(k, name)
    if k > n:
        raise ValueError(f"n_samples={n} should be >= {name}={k}: ask for fewer clusters or give more rows.")
    return k

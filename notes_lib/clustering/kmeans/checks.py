"""What the functions of the chapter *k-means* accept."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from notes_lib.checks import FloatArray, all_finite
from notes_lib.clustering.kmeans.blocks import sum_of_squares
from notes_lib.linear.linear_regression.checks import check_weights

LARGEST = 1e300  # sums of squares beyond this come near the end of the range of floats


def refuse_text(X: Any, name: str) -> None:
    """Raise where numbers come as text, which NumPy would quietly convert."""
    values = np.asarray(X) if isinstance(X, (list, tuple, np.ndarray)) else np.empty(0)
    if values.dtype.kind in "US" or (values.dtype == object and any(isinstance(v, str) for v in values.ravel())):
        raise TypeError(f"{name} holds text, and k-means needs numbers; convert or encode it first.")


def check_matrix(X: ArrayLike, name: str) -> FloatArray:
    """Return ``X`` as a finite, non-empty float matrix."""
    X = X if _is_finite_matrix(X) else _convert(X, name)
    if not sum_of_squares(X, axis=0).max() < LARGEST:
        raise ValueError(f"{name} has entries so large that squared distances overflow; rescale its columns.")
    return X


def _is_finite_matrix(X: Any) -> TypeGuard[FloatArray]:
    """Whether ``X`` needs no conversion: for few rows, scikit-learn's check costs more than the step itself."""
    return type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.size > 0 and all_finite(X)


def _convert(X: ArrayLike, name: str) -> FloatArray:
    refuse_text(X, name)
    try:
        return check_array(X, dtype=np.float64, input_name=name)
    except ValueError as error:
        if name in str(error):
            raise
        raise ValueError(f"{name}: {error}") from error


def check_pair(X: ArrayLike, centers: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return points and centres as matrices with the same number of columns."""
    X, centers = check_matrix(X, "X"), check_matrix(centers, "centers")
    if X.shape[1] != centers.shape[1]:
        raise ValueError(f"X and centers must have the same number of columns, got {X.shape} and {centers.shape}.")
    return X, centers


def check_point_weights(sample_weight: ArrayLike | None, n: int) -> FloatArray | None:
    """Return weights (n,) as floats, or None where all points count alike."""
    return None if sample_weight is None else check_weights(sample_weight, n)


def check_count(k: int, n: int) -> None:
    """Raise if there are fewer points than clusters."""
    if k > n:
        raise ValueError(f"n_samples={n} should be >= n_clusters={k}: ask for fewer clusters or give more rows.")


def check_distinct(X: FloatArray, k: int) -> None:
    """Raise if ``X`` has fewer than k distinct rows; the first few rows mostly settle it."""
    check_count(k, len(X))
    rows = min(2 * k, len(X))
    while (found := len(np.unique(X[:rows], axis=0))) < k:
        if rows == len(X):
            raise ValueError(f"X has only {found} distinct points, fewer than n_clusters={k}: ask for fewer clusters.")
        rows = min(4 * rows, len(X))

"""What is accepted: enough rows, rows that differ, and no more components than there are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer, check_matrix, check_symmetric


def rows(X: ArrayLike, name: str = "X", least: int = 2) -> FloatArray:
    """A matrix of finite floats with at least ``least`` rows."""
    X = check_matrix(X, name)
    if len(X) < least:
        raise ValueError(f"{name} must have at least {least} rows, got {len(X)}: one row has no variance.")
    return X


def at_most(n_components: Any, most: int, why: str) -> int:
    """A number of components from 1 to ``most``, which is what None means."""
    if n_components is None:
        return most
    if check_integer(n_components, "n_components") > most:
        raise ValueError(f"n_components={n_components} must be from 1 to {why} = {most}: ask for fewer.")
    return int(n_components)


def semidefinite(S: ArrayLike, name: str = "S") -> FloatArray:
    """A symmetric matrix without negative numbers on its diagonal."""
    S = check_symmetric(S, name)
    if (np.diag(S) < 0).any():
        raise ValueError(f"{name} must be a covariance matrix, its diagonal holds the negative {np.diag(S).min():g}.")
    return S


def unit_rows(components: ArrayLike, d: int) -> FloatArray:
    """Orthonormal rows of length ``d``."""
    V = check_matrix(components, "components")
    if V.shape[1] != d:
        raise ValueError(f"components must have {d} columns, one for each feature of X, got shape {V.shape}.")
    if not np.allclose(V @ V.T, np.eye(len(V)), rtol=0, atol=1e-8):
        raise ValueError("components must have orthonormal rows: use those of a fitted PCA, or a QR decomposition.")
    return V


def varied(total: float, mean: FloatArray, n: int) -> None:
    """Refuse rows that are all the same, up to the rounding of their mean."""
    if not np.isfinite(total):
        raise ValueError("X is too large: the squares of X overflow, rescale its columns.")
    rounding = (4 * np.finfo(float).eps * np.abs(mean).max()) ** 2 * mean.size
    if total <= rounding:
        raise ValueError(f"X has no variance: its {n} rows are all equal, add rows that differ.")

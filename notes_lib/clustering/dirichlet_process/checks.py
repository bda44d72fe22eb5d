"""What the functions of the chapter *Dirichlet process mixtures* accept: a concentration, groups, a prior, rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_matrix, check_positive, check_real, check_shape, check_vector
from notes_lib.numerics import cholesky_factor


def check_concentration(alpha: Any) -> float:
    """``alpha`` as a positive number."""
    return check_positive(alpha, "alpha", "it weighs a new table against the guests that are there")


def check_groups(labels: ArrayLike) -> IntArray:
    """``labels`` as a vector of at least one integer."""
    z = np.asarray(labels)
    if z.ndim != 1 or z.size == 0:
        raise ValueError(f"labels must be a vector of at least one label, got shape {z.shape}.")
    if z.dtype.kind not in "iu":
        raise TypeError(f"labels must be integers, one for each row, got {z.dtype}.")
    return z


def check_prior(mean: ArrayLike, mean_precision: Any, degrees_of_freedom: Any, covariance: ArrayLike) -> tuple:
    """The four parameters of a normal-inverse-Wishart distribution, under the names of the estimator."""
    m = check_vector(mean, "mean_prior").copy()
    d = len(m)
    Psi = check_shape(covariance, "covariance_prior", (d, d)).copy()
    cholesky_factor(Psi, "covariance_prior")
    nu = check_real(degrees_of_freedom, "degrees_of_freedom_prior")
    if not nu > d - 1:
        raise ValueError(f"degrees_of_freedom_prior must be above d - 1 = {d - 1}, got {nu:g}: take d, or more.")
    kappa = check_positive(mean_precision, "mean_precision_prior", "it counts as so many rows at the prior mean")
    return m, kappa, nu, Psi


def check_rows(X: ArrayLike, d: int) -> FloatArray:
    """``X`` as finite rows of d columns, possibly none."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or X.shape[1] != d:
        raise ValueError(f"X must be (n, {d}), as wide as the prior's mean, got shape {X.shape}.")
    return check_matrix(X, "X") if len(X) else X

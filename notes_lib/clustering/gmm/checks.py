"""What the functions of the chapter *Gaussian mixtures and EM* accept: shapes, rows, hyper-parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_choice, check_finite, check_integer, check_real, check_shape
from notes_lib.clustering.gmm.precision import COVARIANCE_TYPES, covariance_shape, per_component, precision_cholesky

INIT_PARAMS = ("kmeans", "k-means++", "random", "random_from_data")


def check_model(
    X: ArrayLike, means: ArrayLike, covariances: ArrayLike, covariance_type: str
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Rows (n, d), means (K, d) and one precision factor for each component."""
    X, mu = check_rows(X), np.asarray(means, dtype=float)
    mu = check_shape(mu, "means", (max(len(mu), 1) if mu.ndim else 1, X.shape[1]))
    Sigma = check_shape(covariances, "covariances", covariance_shape(covariance_type, *mu.shape))
    return X, mu, per_component(precision_cholesky(Sigma, covariance_type), covariance_type, *mu.shape)


def check_rows(X: Any) -> FloatArray:
    """``X`` as an (n, d) array of floats."""
    try:
        X = np.asarray(X, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"X must hold numbers, n rows of d: {error}.") from error
    if X.ndim != 2 or X.size == 0:
        raise ValueError(f"X must be (n, d) with n, d >= 1, got shape {X.shape}: X.reshape(-1, 1) makes one column.")
    return X


def check_m_step(
    X: Any, responsibilities: Any, covariance_type: str, reg_covar: float
) -> tuple[FloatArray, FloatArray]:
    """Rows (n, d), and responsibilities as (K, n): one row for each component, none of them empty."""
    X, gamma = check_finite(check_rows(X), "X"), np.asarray(responsibilities, dtype=float)
    check_choice(covariance_type, "covariance_type", COVARIANCE_TYPES)
    check_real(reg_covar, "reg_covar")
    if gamma.ndim != 2 or len(gamma) != len(X) or gamma.size == 0:
        raise ValueError(f"responsibilities must be ({len(X)}, K), one row for each row of X, got {gamma.shape}.")
    if not 0 <= gamma.min() <= gamma.max() < np.inf:
        raise ValueError("responsibilities must be finite and non-negative: take the posterior of e_step.")
    for k in np.flatnonzero(~(gamma.sum(axis=0) > 0)):
        raise ValueError(
            f"component {k} has responsibility for no row, so its mean is undefined: use fewer components "
            "or another start."
        )
    return X, gamma.T


def check_hyperparameters(mixture: Any) -> None:
    """Refuse hyper-parameters of a ``GaussianMixture`` that are of the wrong type or out of range."""
    for name in ("n_components", "max_iter", "n_init"):
        check_integer(getattr(mixture, name), name)
    for name in ("tol", "reg_covar"):
        check_real(getattr(mixture, name), name)
    check_choice(mixture.covariance_type, "covariance_type", COVARIANCE_TYPES)
    check_choice(mixture.init_params, "init_params", INIT_PARAMS)

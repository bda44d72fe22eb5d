"""Plumbing of :mod:`notes_lib.clustering.gmm`: the loops over blocks of rows, shapes, checks of arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular

from notes_lib.numerics import (
    FloatArray,
    check_choice,
    check_finite,
    check_integer,
    check_real,
    check_shape,
    cholesky_factor,
    row_blocks,
)

COVARIANCE_TYPES = ("full", "tied", "diag", "spherical")
INIT_PARAMS = ("kmeans", "k-means++", "random", "random_from_data")
COLLAPSED = "If EM made it so, increase reg_covar, use fewer components or a simpler covariance_type."


def log_densities(X: FloatArray, mu: FloatArray, W: FloatArray, out: FloatArray) -> None:
    """Fill ``out`` (K, rows) with log N(x_n | mu_k, (W_k W_k^T)^-1); W is (K, d, d) or (K, d)."""
    XT = np.ascontiguousarray(X.T)  # (d, rows)
    diagonal = np.diagonal(W, axis1=1, axis2=2) if W.ndim == 3 else W  # (K, d)
    constant = np.log(diagonal).sum(axis=1) - 0.5 * len(XT) * np.log(2 * np.pi)  # -log|Sigma| / 2 - d log(2 pi) / 2
    for k in range(len(mu)):
        D = XT - mu[k][:, None]
        Z = W[k].T @ D if W.ndim == 3 else W[k][:, None] * D  # squared column length = Mahalanobis distance squared
        out[k] = constant[k] - 0.5 * np.einsum("ij,ij->j", Z, Z)  # gmm-cholesky


def scatter(X: FloatArray, gamma: FloatArray, mu: FloatArray, full: bool) -> FloatArray:
    """Sums over n of gamma_nk (x_n - mu_k)(x_n - mu_k)^T: (K, d, d), or only their diagonals, (K, d)."""
    S = np.zeros((*mu.shape, mu.shape[1]) if full else mu.shape)
    for rows in row_blocks(len(X)):
        XT = np.ascontiguousarray(X[rows].T)  # (d, rows)
        for k, weight in enumerate(gamma[:, rows]):
            D = XT - mu[k][:, None]
            S[k] += (weight * D) @ D.T if full else (D * D) @ weight
    return S


def precision_cholesky(covariances: ArrayLike, covariance_type: str = "full") -> FloatArray:
    """Factor ``W_k`` of every precision matrix, upper triangular with ``inv(Sigma_k) = W_k W_k^T``.

    With ``Sigma = L L^T`` it is ``W = L^-T``, found by a triangular solve: the factor of :eq:`gmm-cholesky`.

    Parameters
    ----------
    covariances : array
        (K, d, d) for 'full', (d, d) for 'tied', (K, d) for 'diag', (K,) for 'spherical'.
    covariance_type : str

    Returns
    -------
    array shaped like ``covariances``
        For 'diag' and 'spherical' it holds ``1 / sqrt(variance)``.

    Raises
    ------
    ValueError
        If the shape does not fit, or a covariance is not symmetric positive definite (names the component and the
        remedy).

    Notes
    -----
    O(K d^3) time for full matrices.

    Examples
    --------
    >>> precision_cholesky([4.0, 0.25], "spherical")
    array([0.5, 2. ])
    """
    check_choice(covariance_type, "covariance_type", COVARIANCE_TYPES)
    Sigma = np.asarray(covariances, dtype=float)
    if Sigma.ndim != len(covariance_shape(covariance_type, 1, 1)) or Sigma.size == 0:
        shape = {"full": "(K, d, d)", "tied": "(d, d)", "diag": "(K, d)", "spherical": "(K,)"}[covariance_type]
        raise ValueError(f"covariances must have shape {shape} for {covariance_type!r}, got {Sigma.shape}.")
    if covariance_type == "tied":
        return _inverse_factor(Sigma, "all components")
    if covariance_type == "full":
        return np.stack([_inverse_factor(S, f"component {k}") for k, S in enumerate(Sigma)])
    for k in np.flatnonzero(~(Sigma.reshape(len(Sigma), -1) > 0).all(axis=1)):
        raise ValueError(f"component {k}: a variance is not positive. {COLLAPSED}")
    return 1.0 / np.sqrt(Sigma)


def _inverse_factor(Sigma: FloatArray, name: str) -> FloatArray:
    """``W = L^-T`` for ``Sigma = L L^T``."""
    try:
        L = cholesky_factor(Sigma, name=f"{name}: the covariance")
    except ValueError as error:
        raise ValueError(f"{error} {COLLAPSED}") from error
    return solve_triangular(L, np.eye(len(L)), lower=True).T


def covariance_shape(covariance_type: str, K: int, d: int) -> tuple[int, ...]:
    """Shape of ``covariances_`` (scikit-learn's) for K components and d features."""
    check_choice(covariance_type, "covariance_type", COVARIANCE_TYPES)
    return {"full": (K, d, d), "tied": (d, d), "diag": (K, d), "spherical": (K,)}[covariance_type]


def per_component(W: FloatArray, covariance_type: str, K: int, d: int) -> FloatArray:
    """One factor for each component: (K, d, d), or (K, d) when all are diagonal."""
    if covariance_type == "spherical":
        return np.broadcast_to(W[:, None], (K, d))
    return np.broadcast_to(W, (K, d, d)) if covariance_type == "tied" else W


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

"""Covariances of the four types: their shapes, one for each component, and the factors of their inverses."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import lapack

from notes_lib.checks import FloatArray, check_choice
from notes_lib.numerics import cholesky_factor

COVARIANCE_TYPES = ("full", "tied", "diag", "spherical")

COLLAPSED = "If EM made it so, increase reg_covar, use fewer components or a simpler covariance_type."


def covariance_shape(covariance_type: str, K: int, d: int) -> tuple[int, ...]:
    """Shape of ``covariances_`` (scikit-learn's) for K components and d features."""
    check_choice(covariance_type, "covariance_type", COVARIANCE_TYPES)
    return {"full": (K, d, d), "tied": (d, d), "diag": (K, d), "spherical": (K,)}[covariance_type]


def per_component(W: FloatArray, covariance_type: str, K: int, d: int) -> FloatArray:
    """One factor for each component: (K, d, d), or (K, d) when all are diagonal."""
    if covariance_type == "spherical":
        return np.broadcast_to(W[:, None], (K, d))
    return np.broadcast_to(W, (K, d, d)) if covariance_type == "tied" else W


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
    inverse, _ = lapack.dtrtrs(L, np.eye(len(L)), lower=1)  # its checks would cost EM more than the solve itself
    return np.asarray(inverse).T

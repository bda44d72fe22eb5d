"""Densities and scatter over blocks of rows."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.numerics import row_blocks


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

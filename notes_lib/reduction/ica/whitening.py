"""Principal axes of centred data, scaled so that the sums of squares along them are 1."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, svd

from notes_lib.checks import FloatArray, check_integer

EPS = float(np.finfo(float).eps)


def white_axes(centred: FloatArray, n_components: int | None) -> FloatArray:
    """Rows ``u_i' / s_i`` (C, d) of the decomposition of the centred data, with the first entry of each positive.

    Eigenvalues of ``X'X`` hold only half of the digits of a small singular value, so an ill-conditioned matrix is
    decomposed itself.
    """
    n, d = centred.shape
    C = number_of_components(n_components, min(n, d))
    size = float(np.abs(centred).max())
    scaled = centred / (size or 1.0)
    s, U = _axes(scaled)
    rank = int((s > max(n, d) * EPS * s[0]).sum())
    if rank < C:
        flat = np.flatnonzero(np.ptp(centred, axis=0) <= 2 * max(n, d) * EPS * size)
        why = f" (column {flat[0]} is constant)" if flat.size else ""
        raise ValueError(
            f"X has only rank {rank} after centring{why}, fewer than n_components={C}: "
            f"{f'set n_components to at most {rank}, or drop' if rank else 'drop'} columns that others determine."
        )
    U = U[:, :C] * np.where(U[0, :C] < 0, -1.0, 1.0)
    return np.ascontiguousarray(U.T / s[:C, None]) / size


def _axes(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Singular values, the largest first, and right singular vectors in columns."""
    n, d = X.shape
    if n > d:
        values, U = eigh(X.T @ X)
        if values[0] > 1e-8 * values[-1]:
            return np.sqrt(values[::-1]), U[:, ::-1]
    _, s, Vt = svd(X, full_matrices=False)
    return s, Vt.T


def number_of_components(n_components: int | None, most: int) -> int:
    """How many components: ``most`` if None."""
    if n_components is None:
        return most
    C = check_integer(n_components, "n_components")
    if most < C:
        raise ValueError(f"n_components must be at most min(n_samples, n_features) = {most}, got {C}.")
    return C

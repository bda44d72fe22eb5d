"""Probabilistic PCA: a Gaussian that is free along k directions and round in all others, and its likelihood."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer
from notes_lib.reduction.pca.checks import rows, varied
from notes_lib.reduction.pca.steps import moments, principal_axes


class ProbabilisticPCA(NamedTuple):
    """Maximum-likelihood estimates of the model ``x = W z + mean + noise``."""

    mean: FloatArray  # (d,)
    W: FloatArray  # (d, k)
    noise_variance: float
    log_likelihood: float  # of all rows, in nats


def probabilistic_pca(X: ArrayLike, n_components: int) -> ProbabilisticPCA:
    """Fit the model with ``n_components`` hidden coordinates; :eq:`pca-ppca-ml` and :eq:`pca-ppca-likelihood`.

    Parameters
    ----------
    X : (n, d) array
    n_components : int
        From 1 to d - 1.

    Returns
    -------
    ProbabilisticPCA
        ``W`` is unique up to a rotation of its columns; these are the orthogonal ones, with the longest first.

    Raises
    ------
    ValueError, TypeError
        If ``X`` is no finite matrix of rows that differ, ``n_components`` is no integer from 1 to d - 1, or nothing is
        left for the noise: the likelihood has then no maximum.

    Notes
    -----
    Divisor n, as maximum likelihood has it; :class:`~notes_lib.reduction.pca.PCA` divides by n - 1, as scikit-learn
    does. O(n d^2 + d^3) time.

    Examples
    --------
    >>> probabilistic_pca([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]], 1).noise_variance
    0.5
    """
    X = rows(X)
    (n, d), k = X.shape, check_integer(n_components, "n_components")
    if k >= d:
        raise ValueError(f"n_components={k} must be below n_features = {d}: the noise needs a direction of its own.")
    mean, S = moments(X, ddof=0)
    varied(float(np.trace(S)), mean, n)
    values, V = principal_axes(S)
    noise = float(values[k:].mean())
    if noise <= d * np.finfo(float).eps * values[0]:
        raise ValueError(f"n_components={k} leaves no variance for the noise: ask for fewer components.")
    W = V[:k].T * np.sqrt(values[:k] - noise)
    log_det = np.log(values[:k]).sum() + (d - k) * np.log(noise)
    return ProbabilisticPCA(mean, W, noise, float(-n / 2 * (d * np.log(2 * np.pi) + log_det + d)))

"""A few features whose inner products come close to a kernel: Nystroem's, and random cosines."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from notes_lib.checks import FloatArray, all_finite, check_integer, check_symmetric
from notes_lib.kernels.kernel_methods.functions import TOO_LARGE, Kernel, kernel_matrix, width
from notes_lib.numerics import RandomState, check_rng

FLAT = 1e-12  # directions of the landmarks' features that are shorter, relative to the longest, are rounding


def nystroem_features(
    X: ArrayLike,
    landmarks: ArrayLike,
    kernel: Kernel = "rbf",
    *,
    gamma: float | None = None,
    degree: int = 3,
    coef0: float = 1.0,
) -> FloatArray:
    """Features of X projected on the span of the landmarks' features; :eq:`kernel-methods-nystroem-features`.

    Parameters
    ----------
    X : (n, d) array
    landmarks : (m, d) array
        For instance a random part of the training rows; the *same* ones for training and for new rows.
    kernel, gamma, degree, coef0
        As in :func:`kernel_matrix`; not ``"precomputed"``.

    Returns
    -------
    (n, r) array
        r is the rank of the landmarks' kernel matrix, at most m. The inner products of its rows are
        ``K_nm K_mm^-1 K_mn``, :eq:`kernel-methods-nystroem`.

    Raises
    ------
    TypeError, ValueError
        As in :func:`kernel_matrix`; also if the kernel is not symmetric and positive semi-definite on the
        landmarks, or 0 there.

    Notes
    -----
    O(n m d + n m^2 + m^3) time, O(n m) memory. ``Nystroem`` of scikit-learn, which draws the
    landmarks itself.

    Examples
    --------
    >>> Phi = nystroem_features([[0.0], [1.0], [3.0]], [[0.0], [3.0]], "poly", degree=1)
    >>> (Phi @ Phi.T).round(9)
    array([[ 1.,  1.,  1.],
           [ 1.,  2.,  4.],
           [ 1.,  4., 10.]])
    """
    options: dict[str, Any] = {"gamma": gamma, "degree": degree, "coef0": coef0}
    K_mm = check_symmetric(kernel_matrix(landmarks, None, kernel, **options), "kernel matrix of the landmarks")
    values, U = np.linalg.eigh(K_mm)
    if values[0] < -1e-8 * values[-1] or values[-1] <= 0:
        raise ValueError(f"kernel={kernel!r} is not positive semi-definite, or 0, on the landmarks: use another one.")
    kept = values > FLAT * values[-1]
    K_nm = kernel_matrix(X, landmarks, kernel, **options)
    return K_nm @ (U[:, kept] / np.sqrt(values[kept]))  # kernel-methods-nystroem-features


def random_fourier_features(
    X: ArrayLike, n_components: int = 100, gamma: float | None = None, random_state: RandomState = None
) -> FloatArray:
    """Random cosines whose inner products are the RBF kernel on average; :eq:`kernel-methods-random-features`.

    Parameters
    ----------
    X : (n, d) array
    n_components : int
        Number of cosines.
    gamma : float or None
        Of the RBF kernel; 1 / d if None.
    random_state : int, Generator, RandomState or None
        Fixes the frequencies and the phases. New rows need the same ones: the same *integer*.

    Returns
    -------
    (n, n_components) array

    Raises
    ------
    TypeError, ValueError
        As in :func:`rbf_kernel`; also if ``n_components`` is not an integer from 1 on.

    Notes
    -----
    O(n d n_components) time. The error of one kernel value falls like ``1 / sqrt(n_components)``. ``RBFSampler`` of
    scikit-learn.

    Examples
    --------
    >>> Phi = random_fourier_features([[0.0], [1.0]], 20_000, gamma=1.0, random_state=0)
    >>> (Phi @ Phi.T).round(1)
    array([[1. , 0.4],
           [0.4, 1. ]])
    """
    X = check_array(X, dtype=float, input_name="X")
    n_components, rng = check_integer(n_components, "n_components"), check_rng(random_state)
    omega = np.sqrt(2.0 * width(gamma, X)) * rng.normal(size=(X.shape[1], n_components))
    phase = rng.uniform(0.0, 2.0 * np.pi, n_components)
    with np.errstate(over="ignore", invalid="ignore"):
        angles = X @ omega + phase
    if not all_finite(angles):
        raise ValueError(TOO_LARGE)
    return np.sqrt(2.0 / n_components) * np.cos(angles)  # kernel-methods-random-features

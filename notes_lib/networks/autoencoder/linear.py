"""The linear autoencoder in closed form: its error, what it finds, and PCA's axes from any of its solutions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (
    FloatArray,
    check_integer,
    check_matrix,
    check_positive,
    check_shape,
    check_symmetric,
    check_vector,
)
from notes_lib.numerics import leading_signs
from notes_lib.reduction.pca import Axes, mean_and_covariance, principal_axes


class LinearAutoencoder(NamedTuple):
    """Codes ``z = A (x - mean)`` and reconstructions ``mean + B z``."""

    mean: FloatArray  # (d,)
    A: FloatArray  # (k, d)
    B: FloatArray  # (d, k)


def linear_error(S: ArrayLike, A: ArrayLike, B: ArrayLike) -> float:
    """Mean squared reconstruction error of centred data; :eq:`autoencoder-linear-error`.

    Parameters
    ----------
    S : (d, d) array
        Covariance matrix with the divisor n; the mean error per row refers to the same n rows.
    A : (k, d) array
        Encoder.
    B : (d, k) array
        Decoder.

    Raises
    ------
    ValueError
        If ``S`` is not symmetric, the shapes do not fit, or a value is not finite.

    Notes
    -----
    O(d^2 k + d^3) time.

    Examples
    --------
    >>> linear_error([[4.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]], [[1.0], [0.0]])
    1.0
    """
    S, A, B = _fitting(S, A, B)
    rest = np.eye(len(S)) - B @ A  # (d, d)
    return float(np.trace(rest @ S @ rest.T))


class LinearGradients(NamedTuple):
    """Derivatives by the encoder (k, d) and by the decoder (d, k)."""

    A: FloatArray
    B: FloatArray


def linear_gradients(S: ArrayLike, A: ArrayLike, B: ArrayLike) -> LinearGradients:
    """Derivatives of :func:`linear_error`; :eq:`autoencoder-linear-gradient`.

    With tied weights, ``B = A.T``, the derivative by ``A`` is the first plus the transpose of the second;
    :eq:`autoencoder-tied-gradient`.

    Parameters, errors and cost are those of :func:`linear_error`.

    Examples
    --------
    >>> linear_gradients([[4.0, 0.0], [0.0, 1.0]], [[1.0, 0.0]], [[2.0], [0.0]]).A
    array([[16.,  0.]])
    """
    S, A, B = _fitting(S, A, B)
    rest = (np.eye(len(S)) - B @ A) @ S
    return LinearGradients(-2 * B.T @ rest, -2 * rest @ A.T)


def best_decoder(S: ArrayLike, A: ArrayLike) -> FloatArray:
    """The decoder (d, k) of least error for an encoder (k, d); :eq:`autoencoder-best-decoder`.

    Raises
    ------
    ValueError
        If the shapes do not fit, or the codes have a singular covariance matrix.

    Examples
    --------
    >>> best_decoder([[4.0, 0.0], [0.0, 1.0]], [[1.0, 1.0]])
    array([[0.8],
           [0.2]])
    """
    S = check_symmetric(S, "S")
    A = check_shape(A, "A", (None, len(S)))
    codes = A @ S @ A.T  # (k, k)
    if np.linalg.matrix_rank(codes, hermitian=True) < len(A):
        raise ValueError("A must give codes with a regular covariance matrix, got a singular one: remove rows of A.")
    return np.linalg.solve(codes, A @ S).T


def linear_autoencoder(X: ArrayLike, n_components: int, mixing: ArrayLike | None = None) -> LinearAutoencoder:
    """A pair of least error, from the principal axes; :eq:`autoencoder-linear-solutions`.

    Parameters
    ----------
    X : (n, d) array
    n_components : int
        Size k of the code, at most ``min(n, d)``.
    mixing : (k, k) array, optional
        An invertible matrix G: the decoder is ``U G``, the encoder its inverse on the axes. Default the identity, so
        that the codes are PCA's scores. Every choice has the same error.

    Returns
    -------
    LinearAutoencoder

    Raises
    ------
    ValueError, TypeError
        If ``n_components`` is no integer from 1 to ``min(n, d)``, ``mixing`` is singular or of another shape, or a
        value is not finite.

    Notes
    -----
    O(n d^2 + d^3) time. Source: Baldi and Hornik (1989).

    Examples
    --------
    >>> model = linear_autoencoder([[3.0, 4.0], [-3.0, -4.0]], 1, [[2.0]])
    >>> model.A, model.B
    (array([[0.3, 0.4]]), array([[1.2],
           [1.6]]))
    """
    X = check_matrix(X, "X")
    k = check_integer(n_components, "n_components")
    if k > min(X.shape):
        raise ValueError(f"n_components={k} must be at most min(n, d) = {min(X.shape)}: there are no more axes.")
    mean, S = mean_and_covariance(X, ddof=0)
    U = principal_axes(S, k).components.T  # (d, k)
    G = np.eye(k) if mixing is None else check_shape(mixing, "mixing", (k, k))
    if np.linalg.matrix_rank(G) < k:
        raise ValueError("mixing must be invertible, got a singular matrix: a code that is mixed so cannot be undone.")
    return LinearAutoencoder(mean, np.linalg.solve(G, U.T), U @ G)


def axes_of_decoder(B: ArrayLike, C: ArrayLike) -> Axes:
    """PCA's axes and variances from a decoder and the covariance of its codes; :eq:`autoencoder-recover`.

    Parameters
    ----------
    B : (d, k) array
        Decoder of independent columns.
    C : (k, k) array
        Covariance matrix of the codes.

    Returns
    -------
    Axes
        Variances of the reconstructions ``B z``, the largest first, and their directions as rows (k, d).

    Raises
    ------
    ValueError
        If the shapes do not fit, ``C`` is not symmetric, or ``B`` has dependent columns.

    Notes
    -----
    O(d k^2) time: the eigenproblem is that of a k x k matrix in an orthonormal basis of the decoder's columns.

    Examples
    --------
    >>> axes_of_decoder([[1.2], [1.6]], [[6.25]])
    Axes(eigenvalues=array([25.]), components=array([[0.6, 0.8]]))
    """
    C = check_symmetric(C, "C")
    B = check_shape(B, "B", (None, len(C)))
    if np.linalg.matrix_rank(B) < B.shape[1]:
        raise ValueError("B must have independent columns: leave out the codes that repeat others.")
    Q, R = np.linalg.qr(B)
    inside = R @ C @ R.T
    variances, V = principal_axes((inside + inside.T) / 2)
    axes = V @ Q.T
    return Axes(variances, axes * leading_signs(axes)[:, None])  # autoencoder-recover


def denoising_factors(variances: ArrayLike, noise_variance: float) -> FloatArray:
    """By what a linear denoiser multiplies each principal score, ``v / (v + noise)``; :eq:`autoencoder-shrinkage`.

    Parameters
    ----------
    variances : array
        Variances of the clean scores, not negative.
    noise_variance : float
        Of the noise in every direction, above 0.

    Raises
    ------
    ValueError
        If a variance is negative or not finite, or the noise is not positive.

    Examples
    --------
    >>> denoising_factors([4.0, 1.0, 0.0], 1.0)
    array([0.8, 0.5, 0. ])
    """
    values = check_vector(variances, "variances")
    if (values < 0).any():
        raise ValueError(f"variances must not be negative, got {values.min():g}.")
    return values / (values + check_positive(noise_variance, "noise_variance"))


def _fitting(S: ArrayLike, A: ArrayLike, B: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    S = check_symmetric(S, "S")
    A = check_shape(A, "A", (None, len(S)))
    return S, A, check_shape(B, "B", (len(S), len(A)))

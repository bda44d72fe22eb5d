"""What autoencoders add to a network: noise at the input, a price of activity, the bound of the variational one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_matrix, check_positive, check_real, check_shape, check_vector

LOG_2PI = float(np.log(2 * np.pi))


def corrupt(X: ArrayLike, noise: float, rng: np.random.Generator | np.random.RandomState) -> FloatArray:
    """The rows plus independent Gaussian noise; :eq:`autoencoder-corruption`.

    Parameters
    ----------
    X : (n, d) array
    noise : float
        Standard deviation of the noise, 0 for none.
    rng : Generator or RandomState

    Raises
    ------
    ValueError
        If ``noise`` is negative, or a value is not finite.

    Examples
    --------
    >>> corrupt([[1.0, 2.0]], 0.0, np.random.default_rng(0))
    array([[1., 2.]])
    """
    X = check_matrix(X, "X")
    return X + check_real(noise, "noise") * rng.normal(size=X.shape)


def sparsity_penalty(activity: ArrayLike, target: float) -> float:
    """Sum of the divergences of wanted from mean activities; :eq:`autoencoder-sparse-penalty`.

    Parameters
    ----------
    activity : (k,) array
        Mean activity of each code unit, between 0 and 1.
    target : float
        Wanted mean activity, between 0 and 1.

    Raises
    ------
    ValueError
        If a value does not lie strictly between 0 and 1.

    Examples
    --------
    >>> round(sparsity_penalty([0.1, 0.5], 0.1), 4)
    0.3681
    """
    p, rho = _shares(activity, target)
    return float((rho * np.log(rho / p) + (1 - rho) * np.log((1 - rho) / (1 - p))).sum())


def sparsity_gradient(activity: ArrayLike, target: float) -> FloatArray:
    """Derivative (k,) of :func:`sparsity_penalty` by the mean activities; :eq:`autoencoder-sparse-gradient`.

    Raises
    ------
    ValueError
        If a value does not lie strictly between 0 and 1.

    Examples
    --------
    >>> sparsity_gradient([0.1, 0.5], 0.1)
    array([0. , 1.6])
    """
    p, rho = _shares(activity, target)
    return (p - rho) / (p * (1 - p))


def reparametrise(mu: ArrayLike, log_var: ArrayLike, eps: ArrayLike) -> FloatArray:
    """Codes from standard normal numbers, ``mu + s * eps`` with ``s**2 = exp(log_var)``; :eq:`autoencoder-sample`.

    Parameters
    ----------
    mu, log_var, eps : (n, k) arrays

    Raises
    ------
    ValueError
        If the shapes differ, or a value is not finite.

    Examples
    --------
    >>> reparametrise([[1.0]], [[0.0]], [[2.0]])
    array([[3.]])
    """
    mu = check_matrix(mu, "mu")
    log_var, eps = check_shape(log_var, "log_var", mu.shape), check_shape(eps, "eps", mu.shape)
    return mu + np.exp(log_var / 2) * eps


def kl_to_prior(mu: ArrayLike, log_var: ArrayLike) -> FloatArray:
    """Divergence (n,) of a Gaussian with independent codes from the standard normal one; :eq:`autoencoder-kl`.

    Parameters
    ----------
    mu, log_var : (n, k) arrays
        Means, and logarithms of the variances.

    Raises
    ------
    ValueError
        If the shapes differ, or a value is not finite.

    Notes
    -----
    In nats. O(n k) time. Source: Kingma and Welling (2014), appendix B.

    Examples
    --------
    >>> kl_to_prior([[0.0, 0.0], [2.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]])
    array([0., 2.])
    """
    mu = check_matrix(mu, "mu")
    log_var = check_shape(log_var, "log_var", mu.shape)
    return 0.5 * (mu**2 + np.expm1(log_var) - log_var).sum(axis=1)


def log_noise_density(X: ArrayLike, mean: ArrayLike, noise_variance: float) -> FloatArray:
    """Log density (n,) of rows around their own means with one variance in all directions.

    Raises
    ------
    ValueError
        If the shapes differ, a value is not finite, or the variance is not positive.

    Examples
    --------
    >>> log_noise_density([[1.0]], [[1.0]], 1.0).round(4)
    array([-0.9189])
    """
    X = check_matrix(X, "X")
    mean, v = check_shape(mean, "mean", X.shape), check_positive(noise_variance, "noise_variance")
    return -0.5 * (X.shape[1] * (LOG_2PI + np.log(v)) + ((X - mean) ** 2).sum(axis=1) / v)


def evidence_bound(
    X: ArrayLike, mean: ArrayLike, noise_variance: float, mu: ArrayLike, log_var: ArrayLike
) -> FloatArray:
    """One-sample estimate (n,) of the bound: log density less the divergence; :eq:`autoencoder-elbo`.

    Parameters
    ----------
    X, mean : (n, d) arrays
        Rows, and what the decoder makes of one code drawn for each.
    noise_variance : float
    mu, log_var : (n, k) arrays
        What the encoder says of the codes.

    Raises
    ------
    ValueError
        If shapes do not fit, a value is not finite, or the variance is not positive.

    Examples
    --------
    >>> evidence_bound([[1.0]], [[1.0]], 1.0, [[2.0]], [[0.0]]).round(4)
    array([-2.9189])
    """
    density = log_noise_density(X, mean, noise_variance)
    divergence = kl_to_prior(mu, log_var)
    return density - check_shape(divergence, "divergence", density.shape)


def _shares(activity: ArrayLike, target: float) -> tuple[FloatArray, float]:
    p, rho = check_vector(activity, "activity"), check_positive(target, "target")
    if not ((p > 0) & (p < 1)).all() or rho >= 1:
        raise ValueError(f"activity and target must lie strictly between 0 and 1, got {p} and {rho:g}.")
    return p, rho

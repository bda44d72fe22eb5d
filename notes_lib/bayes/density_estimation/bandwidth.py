"""How wide? The asymptotic error and its minimum, the rule of thumb, and cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.bayes.density_estimation.steps import WIDER, kernel_log_density, log_mean_window
from notes_lib.bayes.density_estimation.windows import kernel_constants, log_constant
from notes_lib.checks import FloatArray, check_integer, check_matrix, check_numbers, check_positive


def amise(bandwidth: ArrayLike, n: int, curvature: float, kernel: str = "gaussian") -> FloatArray:
    """Asymptotic mean integrated squared error on the line; :eq:`density-estimation-amise`.

    Parameters
    ----------
    bandwidth : number or array
        Positive.
    n : int
        Number of instances.
    curvature : float
        Integral of the squared second derivative of the true density.
    kernel : str
        As in :func:`~notes_lib.bayes.density_estimation.smoothing_kernel`.

    Returns
    -------
    array shaped like ``bandwidth``
        Squared bias plus variance, each integrated.

    Raises
    ------
    TypeError, ValueError
        If a number is not positive, or the kernel is unknown.

    Examples
    --------
    >>> round(float(amise(0.5, 100, gaussian_curvature(1.0))), 5)
    0.00895
    """
    h = check_bandwidths(bandwidth)
    roughness, variance = kernel_constants(kernel)
    bend = check_positive(curvature, "curvature")
    return h**4 / 4 * variance**2 * bend + roughness / (check_integer(n, "n") * h)


def check_bandwidths(values: ArrayLike) -> FloatArray:
    """Positive numbers, of any shape."""
    h = check_numbers(values, "bandwidth")
    if not (h > 0).all():
        raise ValueError(f"bandwidth must be positive, got {h[~(h > 0)][0]:g}: {WIDER}.")
    return h


def amise_bandwidth(n: int, curvature: float, kernel: str = "gaussian") -> float:
    """The bandwidth that minimises :func:`amise`; :eq:`density-estimation-optimal`.

    Parameters
    ----------
    n, curvature, kernel
        As in :func:`amise`.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If a number is not positive, or the kernel is unknown.

    Examples
    --------
    >>> round(amise_bandwidth(100, gaussian_curvature(1.0)), 4)  # (4 / 300)^(1/5)
    0.4217
    """
    roughness, variance = kernel_constants(kernel)
    bend = check_positive(curvature, "curvature")
    return float((roughness / (variance**2 * bend * check_integer(n, "n"))) ** 0.2)


def gaussian_curvature(sigma: float) -> float:
    """Integral of the squared second derivative of a Gaussian density; :eq:`density-estimation-reference`.

    Parameters
    ----------
    sigma : float
        Its standard deviation.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If ``sigma`` is not positive.

    Examples
    --------
    >>> round(gaussian_curvature(1.0), 4)
    0.2116
    """
    return float(3 / (8 * np.sqrt(np.pi) * check_positive(sigma, "sigma") ** 5))


def silverman_bandwidth(x: ArrayLike) -> float:
    """Silverman's rule of thumb for one feature; :eq:`density-estimation-silverman`.

    Parameters
    ----------
    x : (n,) or (n, 1) array
        At least two different values.

    Returns
    -------
    float
        ``0.9 min(s, IQR / 1.34) n^(-1/5)`` with the divisor n - 1 in s and linearly interpolated quartiles, as R's
        ``bw.nrd0``; s alone where half of the values are equal.

    Raises
    ------
    ValueError
        If ``x`` has more than one column, a number is not finite, or all values are equal.

    Examples
    --------
    >>> round(silverman_bandwidth([1.0, 2.0, 3.0, 4.0, 5.0]), 4)
    0.9736
    """
    values = check_numbers(x, "x")
    if values.ndim not in (1, 2) or values.size != len(values):
        raise ValueError(f"x must be one feature, of shape (n,) or (n, 1), got {values.shape}: standardise, and scale.")
    v = values.ravel()
    if len(v) < 2 or np.ptp(v) == 0:
        raise ValueError("x must hold at least two different values: without spread no width follows from the data.")
    s = float(v.std(ddof=1))
    quartiles = np.quantile(v, [0.25, 0.75])
    robust = float(quartiles[1] - quartiles[0]) / 1.34
    return 0.9 * (min(s, robust) or s) * len(v) ** -0.2


def likelihood_cv(X: ArrayLike, bandwidths: ArrayLike, kernel: str = "gaussian") -> FloatArray:
    """Mean leave-one-out log-density for each bandwidth, to be maximised; :eq:`density-estimation-likelihood-cv`.

    Parameters
    ----------
    X : (n, d) array
        At least two instances.
    bandwidths : (m,) array
        Positive.
    kernel : str
        As in :func:`~notes_lib.bayes.density_estimation.smoothing_kernel`.

    Returns
    -------
    (m,) array
        In nats; -inf where an instance lies in the window of no other one.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a number is not finite, a bandwidth is not positive, or the kernel is unknown.

    Notes
    -----
    O(m n^2 d) time. An instance's own term is taken out of the full sum, so one estimate serves all n; where it is
    nearly the whole sum, the others are summed anew.

    Examples
    --------
    >>> likelihood_cv([[0.0], [1.0]], [1.0]).round(4)  # log N(1; 0, 1)
    array([-1.4189])
    """
    X = check_matrix(X, "X")
    if len(X) < 2:
        raise ValueError(f"X must hold at least two instances to leave one out, got {len(X)}: add data.")
    h = check_bandwidths(np.atleast_1d(bandwidths))
    return np.array([_left_out(X, value, kernel).mean() for value in h])


def _left_out(X: FloatArray, h: float, kernel: str) -> FloatArray:
    """Log-density at each instance from all others; :eq:`density-estimation-loo`."""
    n, d = X.shape
    logs = log_mean_window(X, X, h, kernel) + np.log(n)  # of the sum of profiles; the own one is 1
    with np.errstate(divide="ignore"):
        others = logs + np.log(-np.expm1(-np.maximum(logs, 0)))
    for i in np.flatnonzero(logs < 0.1):  # what is left of the sum has lost its digits
        others[i] = log_mean_window(X[i : i + 1], np.delete(X, i, axis=0), h, kernel)[0] + np.log(n - 1)
    return others - np.log(n - 1) + log_constant(kernel, d) - d * np.log(h)


def least_squares_cv(X: ArrayLike, bandwidths: ArrayLike) -> FloatArray:
    """Cross-validated integrated squared error of the Gaussian kernel, to be minimised; :eq:`density-estimation-lscv`.

    Parameters
    ----------
    X : (n, d) array
        At least two instances.
    bandwidths : (m,) array
        Positive.

    Returns
    -------
    (m,) array
        Unbiased for the mean integrated squared error less the integral of the squared true density.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, a number is not finite, or a bandwidth is not positive.

    Notes
    -----
    O(m n^2 d) time. Two Gaussian kernels convolve to one of twice the variance, so the integral of the squared
    estimate is a mean of kernels with bandwidth sqrt(2) h.

    Examples
    --------
    >>> least_squares_cv([[0.0], [1.0]], [1.0]).round(4)
    array([-0.233])
    """
    X = check_matrix(X, "X")
    if len(X) < 2:
        raise ValueError(f"X must hold at least two instances to leave one out, got {len(X)}: add data.")
    scores = []
    for h in check_bandwidths(np.atleast_1d(bandwidths)):
        squared = np.exp(kernel_log_density(X, X, float(np.sqrt(2) * h))).mean()
        scores.append(squared - 2 * np.exp(_left_out(X, h, "gaussian")).mean())
    return np.array(scores)

"""Log-likelihoods of four distributions and their maximisers, in the order of the chapter *Estimation*."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlog1py, xlogy

from notes_lib.checks import FloatArray, IntArray, check_integer, check_number, check_positive, check_real
from notes_lib.foundations.estimation.checks import binary_counts, distributions, representable, sample, varied

LARGEST = 10**7  # categories that are counted without being told how many there are


class GaussianFit(NamedTuple):
    """Result of :func:`gaussian_mle`: ``mu`` in units of x, ``var`` in units of x squared (divisor n)."""

    mu: float
    var: float


class LaplaceFit(NamedTuple):
    """Result of :func:`laplace_mle`: location ``mu`` and scale ``b``, both in units of x."""

    mu: float
    b: float


def category_counts(x: ArrayLike, n_categories: int | None = None) -> IntArray:
    """How often each category occurs; :eq:`estimation-counts`.

    Parameters
    ----------
    x : number or (n,) array
        Category numbers from 0 to K - 1.
    n_categories : int or None
        K; one more than the largest number in ``x`` if None.

    Returns
    -------
    (K,) array of int
        The sum is n.

    Raises
    ------
    TypeError, ValueError
        If ``x`` is not a sample of numbers or holds one that is no category, or ``n_categories`` is not an integer.

    Examples
    --------
    >>> category_counts([0, 2, 2], n_categories=4)
    array([1, 0, 2, 0])
    """
    x = sample(x)
    K = int(min(x.max() + 1, LARGEST)) if n_categories is None else check_integer(n_categories, "n_categories")
    inside = x.min() >= 0 and x.max() < K
    codes = x.astype(np.intp) if inside else np.empty(0, dtype=np.intp)
    if not inside or (codes != x).any():
        strange = x[(x != np.floor(x)) | (x < 0) | (x >= K)][0]
        raise ValueError(
            f"x must hold category numbers from 0 to {max(K - 1, 0)}, got {strange:g}: number the categories "
            "(numpy.unique(..., return_inverse=True)), or raise n_categories (elsewhere: the length of theta or alpha)."
        )
    return np.bincount(codes, minlength=K)  # estimation-counts


def bernoulli_log_likelihood(x: ArrayLike, theta: float) -> float:
    """Log-probability of 0/1 outcomes, nats, minus infinity if impossible; :eq:`estimation-bernoulli-log-likelihood`.

    Parameters
    ----------
    x : number or (n,) array of 0 and 1
    theta : float in [0, 1]
        Probability of a 1.

    Raises
    ------
    TypeError, ValueError
        If ``x`` holds anything but 0 and 1, or ``theta`` is not a probability.

    Examples
    --------
    >>> round(bernoulli_log_likelihood([1, 1, 0], 0.5), 4)  # 3 log(1/2)
    -2.0794
    """
    N_0, N_1 = binary_counts(x)
    if check_real(theta, "theta") > 1:
        raise ValueError(f"theta must be a probability, from 0 to 1, got {theta}.")
    return float(xlogy(N_1, theta) + xlog1py(N_0, -theta))  # estimation-bernoulli-log-likelihood


def bernoulli_mle(x: ArrayLike) -> float:
    """Share of ones, the maximum-likelihood estimate of a probability; :eq:`estimation-bernoulli-mle`.

    Parameters
    ----------
    x : number or (n,) array of 0 and 1 (or bool)

    Returns
    -------
    float
        From 0 to 1, both included: a side that was never seen gets probability 0.

    Raises
    ------
    TypeError, ValueError
        If ``x`` is empty or holds anything but 0 and 1 (names the value).

    Examples
    --------
    >>> bernoulli_mle([1, 0, 1, 1])
    0.75
    """
    N_0, N_1 = binary_counts(x)
    return N_1 / (N_0 + N_1)  # estimation-bernoulli-mle


def categorical_log_likelihood(x: ArrayLike, theta: ArrayLike) -> float:
    """Log-probability of categories, nats, minus infinity if impossible; :eq:`estimation-categorical-log-likelihood`.

    Parameters
    ----------
    x : number or (n,) array
        Category numbers from 0 to K - 1.
    theta : (K,) array
        Probabilities, sum to 1.

    Raises
    ------
    TypeError, ValueError
        If ``x`` holds an unknown category or ``theta`` is not a distribution.

    Examples
    --------
    >>> round(categorical_log_likelihood([0, 2], [0.5, 0.25, 0.25]), 4)  # log(1/2) + log(1/4)
    -2.0794
    """
    theta = distributions(theta, ndim=1)
    return float(xlogy(category_counts(x, len(theta)), theta).sum())  # estimation-categorical-log-likelihood


def categorical_mle(x: ArrayLike, n_categories: int | None = None) -> FloatArray:
    """Share of each category, the maximum-likelihood estimate; :eq:`estimation-categorical-mle`.

    Parameters and errors are those of :func:`category_counts`.

    Returns
    -------
    (K,) array
        Sums to 1; 0 for a category that does not occur.

    Examples
    --------
    >>> categorical_mle([0, 2, 2, 2], n_categories=3)
    array([0.25, 0.  , 0.75])
    """
    counts = category_counts(x, n_categories)
    return counts / counts.sum()  # estimation-categorical-mle


def gaussian_log_likelihood(x: ArrayLike, mu: float, var: float) -> float:
    """Log-density of independent Gaussian numbers, nats; :eq:`estimation-gaussian-log-likelihood`.

    Parameters
    ----------
    x : number or (n,) array
    mu, var : float
        Mean and variance; ``var`` is positive.

    Raises
    ------
    TypeError, ValueError
        If ``x`` is not a sample of numbers, ``mu`` is not finite or ``var`` is not positive.

    Examples
    --------
    >>> round(gaussian_log_likelihood([0.0], 0.0, 1.0), 4)  # -0.5 log(2 pi)
    -0.9189
    """
    x, mu, var = sample(x), check_number(mu, "mu"), check_positive(var, "var")
    z = (x - mu) / np.sqrt(var)
    return float(-0.5 * (x.size * (np.log(2 * np.pi) + np.log(var)) + z @ z))  # estimation-gaussian-log-likelihood


def gaussian_mle(x: ArrayLike) -> GaussianFit:
    """Mean and variance with divisor n; :eq:`estimation-gaussian-mu` and :eq:`estimation-gaussian-var`.

    Parameters
    ----------
    x : (n,) array
        At least two different numbers.

    Returns
    -------
    GaussianFit
        ``mu`` and ``var``. The unbiased variance is ``var * n / (n - 1)``; :eq:`estimation-variance-bias`.

    Raises
    ------
    TypeError, ValueError
        If ``x`` is not a sample of numbers, or is constant (the likelihood then has no maximum: it grows without bound
        as the variance goes to 0), or its squares overflow or vanish.

    Notes
    -----
    Squares are taken of deviations, whose own mean is taken away once more, so that data far from 0 keep their digits.

    Examples
    --------
    >>> gaussian_mle([1.0, 3.0, 5.0, 7.0])
    GaussianFit(mu=4.0, var=5.0)
    """
    x = varied(x, "var")
    with np.errstate(over="ignore", invalid="ignore"):
        mu = x.mean()  # estimation-gaussian-mu
        d = x - mu
        d -= d.mean()  # what the rounding of mu has left over
        var = representable(d @ d / x.size, "squares")  # estimation-gaussian-var
    return GaussianFit(float(mu), var)


def laplace_log_likelihood(x: ArrayLike, mu: float, b: float) -> float:
    """Log-density of independent Laplace numbers, nats; :eq:`estimation-laplace-log-likelihood`.

    Parameters and errors as in :func:`gaussian_log_likelihood`, with the scale ``b`` (mean absolute deviation, in units
    of x) in place of the variance.

    Examples
    --------
    >>> round(laplace_log_likelihood([0.0], 0.0, 1.0), 4)  # -log 2
    -0.6931
    """
    x, mu, b = sample(x), check_number(mu, "mu"), check_positive(b, "b")
    return float(-x.size * (np.log(2) + np.log(b)) - np.abs((x - mu) / b).sum())  # estimation-laplace-log-likelihood


def laplace_mle(x: ArrayLike) -> LaplaceFit:
    """Median and mean absolute deviation from it; :eq:`estimation-laplace-mu` and :eq:`estimation-laplace-b`.

    Parameters
    ----------
    x : (n,) array
        At least two different numbers.

    Returns
    -------
    LaplaceFit
        ``mu`` and ``b``. For even n every point between the two middle numbers is a maximum; ``mu`` is half-way.
        The median is found by selection, without sorting.

    Raises
    ------
    TypeError, ValueError
        As in :func:`gaussian_mle`, with ``b`` in place of the variance.

    Examples
    --------
    >>> laplace_mle([0.0, 1.0, 11.0])
    LaplaceFit(mu=1.0, b=3.6666666666666665)
    """
    x = varied(x, "b")
    with np.errstate(over="ignore", invalid="ignore"):
        mu = np.median(x)  # estimation-laplace-mu
        b = representable(np.abs(x - mu).mean(), "deviations")  # estimation-laplace-b
    return LaplaceFit(float(mu), b)

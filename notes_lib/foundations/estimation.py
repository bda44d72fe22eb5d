"""Estimation: maximum likelihood, the maximum of the posterior, and conjugate priors that need no integral.

The functions follow the derivation of the chapter *Estimation*: log-likelihoods and their maximisers for four
distributions, then three conjugate pairs. A conjugate model is a value: its ``update`` returns a new one, so that the
posterior of today is the prior of tomorrow. Time and memory are O(n) throughout, O(n + K) with K categories.

Source: Bishop (2006), sections 1.2 and 2.1 to 2.3; Gelman et al. (2013), chapter 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln, xlog1py, xlogy

from notes_lib.foundations._estimation_input import (
    binary_counts,
    check_mode,
    distributions,
    finite,
    probabilities,
    representable,
    sample,
    varied,
)
from notes_lib.numerics import FloatArray, IntArray, check_integer, check_positive, check_real

__all__ = [
    "BetaBernoulli",
    "DirichletCategorical",
    "GaussianFit",
    "LaplaceFit",
    "NormalNormal",
    "bernoulli_log_likelihood",
    "bernoulli_mle",
    "categorical_log_likelihood",
    "categorical_mle",
    "category_counts",
    "gaussian_log_likelihood",
    "gaussian_mle",
    "laplace_log_likelihood",
    "laplace_mle",
]

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
    x, mu, var = sample(x), finite(mu, "mu"), check_positive(var, "var")
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
    Squares are taken of deviations, in a second pass, so that data far from 0 keep their digits.

    Examples
    --------
    >>> gaussian_mle([1.0, 3.0, 5.0, 7.0])
    GaussianFit(mu=4.0, var=5.0)
    """
    x = varied(x, "var")
    with np.errstate(over="ignore", invalid="ignore"):
        mu = x.mean()  # estimation-gaussian-mu
        d = x - mu
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
    x, mu, b = sample(x), finite(mu, "mu"), check_positive(b, "b")
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


@dataclass(frozen=True)
class BetaBernoulli:
    """Beta distribution of the probability ``theta`` of a 1, conjugate to 0/1 outcomes; :eq:`estimation-beta`.

    Parameters
    ----------
    a, b : float
        Positive reals: pseudo-counts of ones and zeros. ``a = b = 1`` is uniform.

    Raises
    ------
    TypeError, ValueError
        If a parameter is not a positive number.

    Examples
    --------
    >>> BetaBernoulli(2, 2).update([1, 1, 1])
    BetaBernoulli(a=5.0, b=2.0)
    >>> BetaBernoulli(5, 2).mode
    0.8
    """

    a: float = 1.0
    b: float = 1.0

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            object.__setattr__(self, name, check_positive(getattr(self, name), name))

    def update(self, x: ArrayLike) -> BetaBernoulli:
        """Posterior after an outcome or an array of them, as a new model; :eq:`estimation-beta-posterior`.

        Raises ValueError or TypeError if ``x`` is empty or holds anything but 0 and 1.
        """
        N_0, N_1 = binary_counts(x)
        return BetaBernoulli(self.a + N_1, self.b + N_0)  # estimation-beta-posterior

    @property
    def mean(self) -> float:
        """Mean of ``theta``, and the probability that the next outcome is 1; :eq:`estimation-beta-moments`."""
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> float:
        """Maximum of the density; :eq:`estimation-beta-mode`. ValueError unless a, b >= 1 and a + b > 2."""
        return float(_mode(np.array([self.a, self.b]), "a and b")[0])

    @property
    def var(self) -> float:
        """Variance of ``theta``; :eq:`estimation-beta-moments`."""
        return self.mean * (1 - self.mean) / (self.a + self.b + 1)

    def logpdf(self, theta: ArrayLike) -> FloatArray:
        """Log-density at numbers from 0 to 1 (others: ValueError), of the same shape, nats; :eq:`estimation-beta`."""
        theta = probabilities(theta)
        return xlogy(self.a - 1, theta) + xlog1py(self.b - 1, -theta) - betaln(self.a, self.b)  # estimation-beta

    def log_evidence(self, x: ArrayLike) -> float:
        """Log-probability of this sequence, ``theta`` integrated out, nats; :eq:`estimation-beta-evidence`."""
        new = self.update(x)
        return float(betaln(new.a, new.b) - betaln(self.a, self.b))  # estimation-beta-evidence


@dataclass(frozen=True, eq=False)
class DirichletCategorical:
    """Dirichlet distribution of K probabilities, conjugate to categories 0 to K - 1; :eq:`estimation-dirichlet`.

    Parameters
    ----------
    alpha : (K,) array
        Positive reals, K >= 2: pseudo-counts. All 1 is uniform over the distributions, all 1/2 Jeffreys' prior.

    Raises
    ------
    TypeError, ValueError
        If ``alpha`` is not an array of at least two positive numbers.

    Examples
    --------
    >>> DirichletCategorical([1, 1, 1]).update([0, 2, 2]).alpha
    array([2., 1., 3.])
    >>> DirichletCategorical([2, 1, 3]).mode
    array([0.33333333, 0.        , 0.66666667])
    """

    alpha: Any

    def __post_init__(self) -> None:
        alpha = sample(self.alpha, "alpha").copy()
        if len(alpha) < 2 or not (alpha > 0).all():
            raise ValueError(f"alpha must hold at least two positive numbers, got {alpha.tolist()}.")
        alpha.flags.writeable = False
        object.__setattr__(self, "alpha", alpha)

    def update(self, x: ArrayLike) -> DirichletCategorical:
        """Posterior after a category or an array of them, as a new model; :eq:`estimation-dirichlet-posterior`.

        Raises ValueError or TypeError if ``x`` is empty or holds an unknown category.
        """
        return DirichletCategorical(self.alpha + category_counts(x, len(self.alpha)))  # estimation-dirichlet-posterior

    @property
    def mean(self) -> FloatArray:
        """Mean (K,), the probabilities of the next category; :eq:`estimation-dirichlet-moments`."""
        return self.alpha / self.alpha.sum()

    @property
    def mode(self) -> FloatArray:
        """Maximum (K,) of the density; :eq:`estimation-dirichlet-mode`. ValueError unless all >= 1 and one > 1."""
        return _mode(self.alpha, "alpha")

    @property
    def var(self) -> FloatArray:
        """Variance (K,) of each probability; :eq:`estimation-dirichlet-moments`."""
        return self.mean * (1 - self.mean) / (self.alpha.sum() + 1)

    def logpdf(self, theta: ArrayLike) -> FloatArray:
        """Log-density at distributions (..., K), nats; :eq:`estimation-dirichlet`. ValueError if they are none."""
        theta = distributions(theta, len(self.alpha))
        return xlogy(self.alpha - 1, theta).sum(axis=-1) - _log_beta(self.alpha)  # estimation-dirichlet

    def log_evidence(self, x: ArrayLike) -> float:
        """Log-probability of this sequence, probabilities integrated out, nats; :eq:`estimation-dirichlet-evidence`."""
        return float(_log_beta(self.update(x).alpha) - _log_beta(self.alpha))  # estimation-dirichlet-evidence


@dataclass(frozen=True)
class NormalNormal:
    """Normal distribution of a mean, conjugate to normal data of known variance; :eq:`estimation-normal-prior`.

    Parameters
    ----------
    mean : float
        In units of x.
    var : float
        How uncertain the mean is, positive, in units of x squared.
    noise_var : float
        Known variance of one measurement about the mean, positive.

    Raises
    ------
    TypeError, ValueError
        If ``mean`` is not finite or a variance is not positive.

    Examples
    --------
    >>> NormalNormal(mean=0.0, var=1.0, noise_var=1.0).update([4.0])
    NormalNormal(mean=2.0, var=0.5, noise_var=1.0)
    """

    mean: float
    var: float
    noise_var: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", finite(self.mean, "mean"))
        for name in ("var", "noise_var"):
            object.__setattr__(self, name, check_positive(getattr(self, name), name))

    def update(self, x: ArrayLike) -> NormalNormal:
        """Posterior after one measurement or an array of them, as a new model.

        Implements :eq:`estimation-normal-precision` and :eq:`estimation-normal-gain`. Raises ValueError or TypeError if
        ``x`` is not a sample of numbers (it may be constant), or the new mean overflows.
        """
        x = sample(x)
        var = 1 / (1 / self.var + x.size / self.noise_var)  # estimation-normal-precision
        with np.errstate(over="ignore", invalid="ignore"):  # the new model refuses a mean that is not finite
            mean = self.mean + var / self.noise_var * float((x - self.mean).sum())  # estimation-normal-gain
        return NormalNormal(mean, var, self.noise_var)

    @property
    def mode(self) -> float:
        """Maximum of the density, which is the mean."""
        return self.mean

    def logpdf(self, mu: ArrayLike) -> FloatArray:
        """Log-density of the unknown mean at ``mu``, of the same shape, nats; :eq:`estimation-normal-prior`."""
        z = (np.asarray(mu, dtype=float) - self.mean) / np.sqrt(self.var)
        return -0.5 * (z**2 + np.log(2 * np.pi) + np.log(self.var))  # estimation-normal-prior

    def log_evidence(self, x: ArrayLike) -> float:
        """Log-density of the data with the mean integrated out, nats; :eq:`estimation-candidate` at the new mean."""
        new = self.update(x)
        at = new.mean
        return float(gaussian_log_likelihood(x, at, self.noise_var) + self.logpdf(at) - new.logpdf(at))


def _mode(alpha: FloatArray, name: str) -> FloatArray:
    """Maximum of a Beta or Dirichlet density, or an error that says why there is none."""
    check_mode(alpha, name)
    return (alpha - 1) / (alpha - 1).sum()  # estimation-beta-mode, estimation-dirichlet-mode


def _log_beta(alpha: FloatArray) -> float:
    """Logarithm of the multivariate beta function."""
    return float(gammaln(alpha).sum() - gammaln(alpha.sum()))

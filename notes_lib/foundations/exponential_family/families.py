"""Six exponential families in their natural parameter; each is a value with pure methods.

For a family with one parameter, natural parameters, statistics and means are numbers, or arrays taken entry by entry;
with k parameters they are arrays whose last axis has length k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, gammaln, logit, softmax, xlog1py, xlogy

from notes_lib.checks import (
    FloatArray,
    check_counts,
    check_distribution,
    check_integer,
    check_number,
    check_numbers,
    check_positive,
)
from notes_lib.foundations.estimation.checks import sample
from notes_lib.foundations.exponential_family.checks import inside, negative, nonnegative


class Family:
    """What all exponential families share; :eq:`exponential-family-form`.

    A subclass gives ``statistic`` T, ``log_base_measure`` log h, ``log_partition`` a, its first two derivatives
    ``mean_parameter`` and ``covariance``, and ``natural_from_mean``, the inverse of the first derivative.
    """

    def natural(self, eta: ArrayLike) -> FloatArray:
        """Return ``eta`` as floats, or raise ValueError outside the natural parameter space."""
        return check_numbers(eta, "eta")

    def statistic(self, x: ArrayLike) -> FloatArray:
        """Sufficient statistic T(x): (n,), or (n, k) with k parameters."""
        raise NotImplementedError

    def log_base_measure(self, x: ArrayLike) -> FloatArray:
        """Logarithm (n,) of h(x)."""
        return np.zeros(sample(x).shape)

    def log_partition(self, eta: ArrayLike) -> FloatArray:
        """Log-partition function a(eta)."""
        raise NotImplementedError

    def mean_parameter(self, eta: ArrayLike) -> FloatArray:
        """Mean of the statistic, a'(eta); :eq:`exponential-family-mean`."""
        raise NotImplementedError

    def covariance(self, eta: ArrayLike) -> FloatArray:
        """Covariance (..., k, k) of the statistic, a''(eta); a variance with one parameter."""
        raise NotImplementedError

    def natural_from_mean(self, mean: ArrayLike) -> FloatArray:
        """Natural parameter under which the statistic has this mean; ValueError if there is none."""
        raise NotImplementedError

    def log_density(self, x: ArrayLike, eta: ArrayLike) -> FloatArray:
        """Log-density or log-probability (n,) of data under one natural parameter; :eq:`exponential-family-form`."""
        T, eta = self.statistic(x), self.natural(eta)
        inner = T @ eta if T.ndim == 2 else T * eta
        return self.log_base_measure(x) + inner - self.log_partition(eta)  # exponential-family-form

    def moment_match(self, x: ArrayLike) -> FloatArray:
        """Maximum-likelihood estimate of the natural parameter; :eq:`exponential-family-moments`.

        Raises ValueError where the maximum does not exist, as for a coin that only showed heads.
        """
        return self.natural_from_mean(self.statistic(x).mean(axis=0))  # exponential-family-moments


class Bernoulli(Family):
    """One 0/1 outcome: T = x, eta = log-odds, a = log(1 + e^eta).

    Examples
    --------
    >>> Bernoulli().mean_parameter(0.0), Bernoulli().covariance(0.0)
    (np.float64(0.5), np.float64(0.25))
    """

    def natural_parameter(self, theta: float) -> FloatArray:
        """Log-odds of the probability ``theta`` of a 1."""
        return self.natural_from_mean(theta)

    def statistic(self, x: ArrayLike) -> FloatArray:
        """Return x itself."""
        return check_counts(sample(x), "x", 1, "only 0 and 1")

    def log_partition(self, eta: ArrayLike) -> FloatArray:
        """log(1 + e^eta)."""
        return np.logaddexp(0.0, eta)

    def mean_parameter(self, eta: ArrayLike) -> FloatArray:
        """Logistic function of eta."""
        return expit(eta)

    def covariance(self, eta: ArrayLike) -> FloatArray:
        """Mean times one minus the mean."""
        return expit(eta) * expit(np.negative(eta))

    def natural_from_mean(self, mean: ArrayLike) -> FloatArray:
        """Log-odds."""
        return logit(inside(mean, 0, 1, "Bernoulli"))

    def dual(self, mean: ArrayLike) -> FloatArray:
        """Convex conjugate of a, finite at the border too: minus the entropy; :eq:`exponential-family-deviance`."""
        return xlogy(mean, mean) + xlog1py(np.subtract(1, mean), np.negative(mean))


class Poisson(Family):
    """A count: T = x, eta = log of the rate, a = e^eta, h = 1/x!.

    Examples
    --------
    >>> x = [3, 0, 2, 4, 1, 2]
    >>> float(Poisson().mean_parameter(Poisson().moment_match(x)).round(6))
    2.0
    """

    def natural_parameter(self, rate: float) -> FloatArray:
        """Logarithm of the mean count."""
        return self.natural_from_mean(rate)

    def statistic(self, x: ArrayLike) -> FloatArray:
        """Return x itself."""
        return check_counts(sample(x), "x", what="counts 0, 1, 2, ...")

    def log_base_measure(self, x: ArrayLike) -> FloatArray:
        """-log x!."""
        return -gammaln(sample(x) + 1)

    def log_partition(self, eta: ArrayLike) -> FloatArray:
        """e^eta."""
        return np.exp(eta)

    def mean_parameter(self, eta: ArrayLike) -> FloatArray:
        """e^eta."""
        return np.exp(eta)

    def covariance(self, eta: ArrayLike) -> FloatArray:
        """e^eta, as the mean."""
        return np.exp(eta)

    def natural_from_mean(self, mean: ArrayLike) -> FloatArray:
        """Logarithm of the mean."""
        return np.log(inside(mean, 0, np.inf, "Poisson"))

    def dual(self, mean: ArrayLike) -> FloatArray:
        """Convex conjugate of a, 0 for a mean of 0; :eq:`exponential-family-deviance`."""
        return xlogy(mean, mean) - mean


class Exponential(Family):
    """A waiting time: T = x, eta = minus the rate (negative), a = -log(-eta).

    Examples
    --------
    >>> Exponential().moment_match([1.0, 3.0])
    np.float64(-0.5)
    """

    def natural(self, eta: ArrayLike) -> FloatArray:
        """Negative numbers."""
        return negative(check_numbers(eta, "eta"), "eta", "exponential")

    def natural_parameter(self, rate: float) -> FloatArray:
        """Minus the rate."""
        return np.asarray(-check_positive(rate, "rate"))

    def statistic(self, x: ArrayLike) -> FloatArray:
        """Return x itself."""
        return nonnegative(sample(x))

    def log_partition(self, eta: ArrayLike) -> FloatArray:
        """-log(-eta)."""
        return -np.log(-self.natural(eta))

    def mean_parameter(self, eta: ArrayLike) -> FloatArray:
        """-1/eta."""
        return -1 / self.natural(eta)

    def covariance(self, eta: ArrayLike) -> FloatArray:
        """1/eta^2."""
        return 1 / self.natural(eta) ** 2

    def natural_from_mean(self, mean: ArrayLike) -> FloatArray:
        """Minus one over the mean."""
        return -1 / inside(mean, 0, np.inf, "exponential")


class UnitGaussian(Family):
    """A Gaussian of variance 1: T = x, eta = its mean, a = eta^2/2.

    Examples
    --------
    >>> UnitGaussian().log_partition(3.0)
    np.float64(4.5)
    """

    def natural_parameter(self, mu: float) -> FloatArray:
        """The mean itself."""
        return np.asarray(check_number(mu, "mu"))

    def statistic(self, x: ArrayLike) -> FloatArray:
        """Return x itself."""
        return sample(x)

    def log_base_measure(self, x: ArrayLike) -> FloatArray:
        """Log-density of the standard normal distribution."""
        return -0.5 * (sample(x) ** 2 + np.log(2 * np.pi))

    def log_partition(self, eta: ArrayLike) -> FloatArray:
        """eta^2/2."""
        return np.square(eta) / 2

    def mean_parameter(self, eta: ArrayLike) -> FloatArray:
        """Return eta itself."""
        return check_numbers(eta, "eta")

    def covariance(self, eta: ArrayLike) -> FloatArray:
        """1 everywhere."""
        return np.ones_like(check_numbers(eta, "eta"))

    def natural_from_mean(self, mean: ArrayLike) -> FloatArray:
        """The mean itself."""
        return check_numbers(mean, "the mean of the statistic")

    def dual(self, mean: ArrayLike) -> FloatArray:
        """Convex conjugate of a, which is its own; :eq:`exponential-family-deviance`."""
        return np.square(mean) / 2


class Gaussian(Family):
    """Mean and variance unknown: T = (x, x^2), eta = (mu/var, -1/(2 var)), the second one negative.

    Examples
    --------
    >>> Gaussian().natural_parameter(mu=3.0, var=2.0)
    array([ 1.5 , -0.25])
    >>> Gaussian().mean_parameter([1.5, -0.25])  # mean and mean square
    array([ 3., 11.])
    """

    def natural(self, eta: ArrayLike) -> FloatArray:
        """Pairs of which the second number is negative."""
        pair = check_numbers(eta, "eta")
        if pair.ndim == 0 or pair.shape[-1] != 2:
            raise ValueError(f"eta must have a last axis of length 2, got shape {pair.shape}.")
        negative(pair[..., 1], "the second natural parameter", "Gaussian")
        return pair

    def natural_parameter(self, mu: float, var: float) -> FloatArray:
        """(mu/var, -1/(2 var)); ``var`` is positive."""
        mu, var = check_number(mu, "mu"), check_positive(var, "var")
        return np.array([mu / var, -0.5 / var])

    def statistic(self, x: ArrayLike) -> FloatArray:
        """(x, x^2)."""
        x = sample(x)
        return np.stack([x, x**2], axis=-1)

    def log_base_measure(self, x: ArrayLike) -> FloatArray:
        """-log(2 pi)/2."""
        return np.full(sample(x).shape, -0.5 * np.log(2 * np.pi))

    def log_partition(self, eta: ArrayLike) -> FloatArray:
        """-eta_1^2/(4 eta_2) - log(-2 eta_2)/2."""
        first, second = np.moveaxis(self.natural(eta), -1, 0)
        return -(first**2) / (4 * second) - 0.5 * np.log(-2 * second)

    def mean_parameter(self, eta: ArrayLike) -> FloatArray:
        """(mu, mu^2 + var)."""
        mu, var = self._usual(eta)
        return np.stack([mu, mu**2 + var], axis=-1)

    def covariance(self, eta: ArrayLike) -> FloatArray:
        """Covariance of x and x^2: [[var, 2 mu var], [2 mu var, 2 var^2 + 4 mu^2 var]]."""
        mu, var = self._usual(eta)
        mixed = 2 * mu * var
        return np.stack(
            [np.stack([var, mixed], axis=-1), np.stack([mixed, 2 * var**2 + 4 * mu**2 * var], axis=-1)], axis=-2
        )

    def natural_from_mean(self, mean: ArrayLike) -> FloatArray:
        """Natural parameter of mean and mean square; ValueError unless the second exceeds the square of the first."""
        first, second = np.moveaxis(check_numbers(mean, "the mean of the statistic"), -1, 0)
        var = inside(second - first**2, 0, np.inf, "Gaussian", "variance")
        return np.stack([first / var, -0.5 / var], axis=-1)

    def _usual(self, eta: ArrayLike) -> tuple[Any, Any]:
        first, second = np.moveaxis(self.natural(eta), -1, 0)
        var = -0.5 / second
        return first * var, var


@dataclass(frozen=True)
class Categorical(Family):
    """One of K categories, minimal: T = indicators of the first K - 1, eta_k = log(theta_k/theta_K).

    Parameters
    ----------
    n_categories : int
        K >= 2.

    Examples
    --------
    >>> Categorical(3).mean_parameter([0.0, 0.0]).round(4)
    array([0.3333, 0.3333])
    """

    n_categories: int

    def __post_init__(self) -> None:
        check_integer(self.n_categories, "n_categories", 2)

    def natural(self, eta: ArrayLike) -> FloatArray:
        """Arrays with K - 1 numbers on the last axis."""
        eta = check_numbers(eta, "eta")
        if eta.ndim == 0 or eta.shape[-1] != self.n_categories - 1:
            raise ValueError(f"eta must have a last axis of length {self.n_categories - 1}, got shape {eta.shape}.")
        return eta

    def natural_parameter(self, theta: ArrayLike) -> FloatArray:
        """Log-odds (K - 1,) of positive probabilities (K,) against the last category."""
        theta = check_distribution(theta, "theta", (self.n_categories,), positive=True)
        return np.log(theta[:-1] / theta[-1])

    def statistic(self, x: ArrayLike) -> FloatArray:
        """Indicators (n, K - 1) of the first K - 1 categories."""
        K = self.n_categories
        x = check_counts(sample(x), "x", K - 1, f"category numbers from 0 to {K - 1}")
        return (x[:, None] == np.arange(K - 1)).astype(float)

    def log_partition(self, eta: ArrayLike) -> FloatArray:
        """log(1 + sum of e^eta_k)."""
        return np.logaddexp.reduce(self._with_last(eta), axis=-1)

    def mean_parameter(self, eta: ArrayLike) -> FloatArray:
        """Probabilities of the first K - 1 categories."""
        return softmax(self._with_last(eta), axis=-1)[..., :-1]

    def covariance(self, eta: ArrayLike) -> FloatArray:
        """diag(theta) - theta theta'."""
        theta = self.mean_parameter(eta)
        return theta[..., None] * np.eye(self.n_categories - 1) - theta[..., None] * theta[..., None, :]

    def natural_from_mean(self, mean: ArrayLike) -> FloatArray:
        """Log-odds against the last category; every category must have a positive probability."""
        theta = inside(mean, 0, 1, "categorical")
        return np.log(theta / inside(1 - theta.sum(axis=-1, keepdims=True), 0, 1, "categorical"))

    def _with_last(self, eta: ArrayLike) -> FloatArray:
        eta = self.natural(eta)
        return np.concatenate([eta, np.zeros((*eta.shape[:-1], 1))], axis=-1)

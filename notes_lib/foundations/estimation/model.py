"""Conjugate models of the chapter *Estimation*: a prior whose ``update`` returns the posterior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammaln, xlog1py, xlogy

from notes_lib.checks import FloatArray, IntArray, check_number, check_numbers, check_positive
from notes_lib.foundations.estimation.checks import (
    binary_counts,
    check_corner,
    check_mode,
    distributions,
    probabilities,
    sample,
)
from notes_lib.foundations.estimation.steps import category_counts, gaussian_log_likelihood


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
        If a parameter is not a positive number, or their sum overflows.

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
        check_positive(self.a + self.b, "a + b")

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
        """Log-probability of this sequence, ``theta`` integrated out, nats; :eq:`estimation-beta-evidence`.

        Computed as the product of predictions :eq:`estimation-prequential`, which a strong prior costs no digits.
        """
        return _log_evidence(np.array([self.b, self.a]), np.array(binary_counts(x)))  # estimation-beta-evidence


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
        If ``alpha`` is not an array of at least two positive numbers, or their sum overflows.

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
        with np.errstate(over="ignore"):
            check_positive(alpha.sum(), "the sum of alpha")
        alpha.flags.writeable = False
        object.__setattr__(self, "alpha", alpha)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DirichletCategorical) and np.array_equal(self.alpha, other.alpha)

    def __hash__(self) -> int:
        return hash(tuple(self.alpha.tolist()))

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
        """Log-density at distributions (..., K), nats; :eq:`estimation-dirichlet`.

        Raises ValueError or TypeError if they are none, or at a corner where one factor is infinite and another one 0.
        """
        theta = distributions(theta, len(self.alpha))
        check_corner(theta, self.alpha)
        return xlogy(self.alpha - 1, theta).sum(axis=-1) - _log_beta(self.alpha)  # estimation-dirichlet

    def log_evidence(self, x: ArrayLike) -> float:
        """Log-probability of this sequence, probabilities integrated out, nats; :eq:`estimation-dirichlet-evidence`.

        Computed as the product of predictions :eq:`estimation-prequential`, which a strong prior costs no digits.
        """
        return _log_evidence(self.alpha, category_counts(x, len(self.alpha)))  # estimation-dirichlet-evidence


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
        object.__setattr__(self, "mean", check_number(self.mean, "mean"))
        for name in ("var", "noise_var"):
            object.__setattr__(self, name, check_positive(getattr(self, name), name))

    def update(self, x: ArrayLike) -> NormalNormal:
        """Posterior after one measurement or an array of them, as a new model.

        Implements :eq:`estimation-normal-precision` and :eq:`estimation-normal-gain`. Raises ValueError or TypeError if
        ``x`` is not a sample of numbers (it may be constant), or the new mean overflows or the new variance vanishes.
        """
        x = sample(x)
        var = 1 / (1 / self.var + x.size / self.noise_var)  # estimation-normal-precision
        check_positive(var, "the posterior variance", "rescale x and the variances")
        with np.errstate(over="ignore", invalid="ignore"):  # the new model refuses a mean that is not finite
            mean = self.mean + var / self.noise_var * float((x - self.mean).sum())  # estimation-normal-gain
        return NormalNormal(mean, var, self.noise_var)

    @property
    def mode(self) -> float:
        """Maximum of the density, which is the mean."""
        return self.mean

    def logpdf(self, mu: ArrayLike) -> FloatArray:
        """Log-density of the unknown mean at ``mu``, of the same shape, nats; :eq:`estimation-normal-prior`.

        Raises ValueError or TypeError if ``mu`` holds anything but finite numbers.
        """
        z = (check_numbers(mu, "mu") - self.mean) / np.sqrt(self.var)
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


def _log_evidence(alpha: FloatArray, counts: IntArray) -> float:
    """Logarithm of B(alpha + counts) / B(alpha), as a sum over the data, one category after the other."""
    n = np.arange(counts.sum())  # data before this one
    alike = n - np.repeat(np.cumsum(counts) - counts, counts)  # those among them of the same category
    return float(np.log((np.repeat(alpha, counts) + alike) / (alpha.sum() + n)).sum())  # estimation-prequential


def _log_beta(alpha: FloatArray) -> float:
    """Logarithm of the multivariate beta function."""
    return float(gammaln(alpha).sum() - gammaln(alpha.sum()))

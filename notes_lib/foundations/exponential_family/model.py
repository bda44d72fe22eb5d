"""Estimators of the chapter *Exponential families*: a conjugate prior, and a generalised linear model by Newton."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_positive, check_real
from notes_lib.foundations.exponential_family.checks import targets
from notes_lib.foundations.exponential_family.families import Bernoulli, Family, Poisson, UnitGaussian
from notes_lib.foundations.exponential_family.steps import (
    FLOOR,
    deviance,
    glm_gradient,
    glm_log_likelihood,
    irls_step,
)

FAMILIES: dict[str, Any] = {"bernoulli": Bernoulli(), "poisson": Poisson(), "gaussian": UnitGaussian()}


@dataclass(frozen=True, eq=False)
class ConjugatePrior:
    """Conjugate prior of the natural parameter, :eq:`exponential-family-conjugate`.

    Parameters
    ----------
    family : Family
    strength : float
        Positive: how many data the prior counts as.
    mean : float or (k,) array
        Mean of the statistic in these pseudo-data, inside the range of a'.

    Raises
    ------
    TypeError, ValueError
        If ``strength`` is not a positive number, or no natural parameter has this mean.

    Examples
    --------
    >>> ConjugatePrior(Poisson(), strength=2.0, mean=1.5).update([3, 0, 2, 4, 1, 2]).mean
    np.float64(1.875)
    """

    family: Family
    strength: float
    mean: Any

    def __post_init__(self) -> None:
        check_positive(self.strength, "strength")
        self.family.natural_from_mean(self.mean)

    def update(self, x: ArrayLike) -> ConjugatePrior:
        """Posterior after data, as a new prior; :eq:`exponential-family-posterior`."""
        T = self.family.statistic(x)
        strength = self.strength + len(T)
        total = self.strength * np.asarray(self.mean) + T.sum(axis=0)
        return ConjugatePrior(self.family, strength, total / strength)  # exponential-family-posterior

    @property
    def mode(self) -> FloatArray:
        """Natural parameter of the highest density, at which the statistic has the mean ``mean``."""
        return self.family.natural_from_mean(self.mean)

    def log_kernel(self, eta: ArrayLike) -> FloatArray:
        """Log-density of natural parameters up to a constant; :eq:`exponential-family-conjugate`."""
        eta, m = self.family.natural(eta), np.asarray(self.mean)
        inner = eta @ m if m.ndim else eta * m
        return self.strength * (inner - self.family.log_partition(eta))  # exponential-family-conjugate


class GeneralizedLinearModel(RegressorMixin, BaseEstimator):
    """Regression with an exponential family and its canonical link, fitted by Newton's method.

    Maximises :eq:`exponential-family-glm-likelihood` by the steps :eq:`exponential-family-irls`, halved while the
    likelihood falls. Names and meanings are those of scikit-learn's ``PoissonRegressor``, but the default penalty is 0.

    Parameters
    ----------
    family : {'gaussian', 'poisson', 'bernoulli'}
        Of the target: real numbers, counts, or 0 and 1.
    alpha : float
        The mean log-likelihood is penalised by ``alpha/2`` times the squared length of ``coef_``.
    fit_intercept : bool
    max_iter : int
    tol : float
        Stop when the mean log-likelihood is within about this of its maximum, and no natural parameter moves by more
        than 1e-3 any more.

    Attributes
    ----------
    coef_ : (d,) array
    intercept_ : float
    n_iter_ : int
    objective_ : list of float
        Mean penalised log-likelihood, without the terms log h(y), before each step and at the end; it never falls.
    n_features_in_ : int

    Notes
    -----
    O(n d^2) an iteration; four to eight iterations are usual. A maximum exists in general only for ``alpha`` > 0:
    see the chapter for data that have none.

    Examples
    --------
    >>> model = GeneralizedLinearModel("poisson").fit([[0.0], [0.0], [1.0], [1.0]], [1, 3, 2, 6])
    >>> model.predict([[0.0], [1.0]]).round(6)  # two groups: their means
    array([2., 4.])
    """

    def __init__(
        self,
        family: str = "gaussian",
        *,
        alpha: float = 0.0,
        fit_intercept: bool = True,
        max_iter: int = 100,
        tol: float = 1e-10,
    ) -> None:
        self.family = family
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: ArrayLike, y: ArrayLike) -> GeneralizedLinearModel:
        """Fit by Newton's method and return the model.

        Raises ValueError or TypeError if data or parameters are not as documented; warns with ConvergenceWarning if the
        maximum was not reached, as it is not where it does not exist.
        """
        check_choice(self.family, "family", tuple(FAMILIES))
        check_integer(self.max_iter, "max_iter")
        check_positive(self.tol, "tol")
        alpha = check_real(self.alpha, "alpha")
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        y = targets(np.asarray(y, dtype=float), self.family)
        rows = np.column_stack([np.ones(len(X)), X]) if self.fit_intercept else X
        penalty = np.full(rows.shape[1], alpha * len(X))
        w = np.zeros(rows.shape[1])
        if self.fit_intercept:
            penalty[0] = 0.0  # the intercept is free
            w[0] = FAMILIES[self.family].natural_from_mean(y.mean())
        w = self._climb(w, rows, y, penalty)
        self.intercept_ = float(w[0]) if self.fit_intercept else 0.0
        self.coef_ = w[1:] if self.fit_intercept else w
        return self

    def _climb(self, w: FloatArray, X: FloatArray, y: FloatArray, penalty: FloatArray) -> FloatArray:
        """Newton steps from ``w`` until the maximum is reached or ``max_iter`` of them are made."""
        family, n = FAMILIES[self.family], len(y)
        value = lambda v: (glm_log_likelihood(v, X, y, family) - 0.5 * penalty @ v**2) / n
        self.objective_ = [value(w)]
        for n_iter in range(1, self.max_iter + 1):
            self.n_iter_ = n_iter
            gradient = glm_gradient(w, X, y, family) - penalty * w
            step = irls_step(w, X, y, family, penalty) - w
            left = gradient @ step / (2 * n)  # what a quadratic would still gain
            w = self._longest(value, w, step)
            self.objective_.append(value(w))
            still = np.abs(X @ step).max() <= 1e-3
            if left <= self.tol and still and family.covariance(X @ w).min() > FLOOR:
                return w
        warnings.warn(
            f"the maximum was not reached in {self.max_iter} iterations. It may not exist, as when a hyperplane "
            "separates the classes or all counts of a group are 0: set alpha > 0, or raise max_iter.",
            ConvergenceWarning,
            stacklevel=3,
        )
        return w

    def _longest(self, value: Any, w: FloatArray, step: FloatArray) -> FloatArray:
        """Point after the full step, or after the first of its halves that does not lose."""
        for _ in range(60):
            if value(w + step) >= self.objective_[-1]:
                return w + step
            step = step / 2
        return w  # only rounding is left to gain

    def predict(self, X: ArrayLike) -> FloatArray:
        """Mean (n,) of the target: the probability of a 1 for 'bernoulli'; :eq:`exponential-family-link`."""
        return FAMILIES[self.family].mean_parameter(self._eta(X))  # exponential-family-link

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Share of the deviance explained, D^2, against the mean of ``y``; R^2 for 'gaussian'."""
        y = np.asarray(y, dtype=float)
        family = FAMILIES[self.family]
        null = deviance(y, np.full(len(y), family.natural_from_mean(y.mean())), family)
        return 1 - deviance(y, self._eta(X), family) / null

    def _eta(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return validate_data(self, X, dtype=float, reset=False) @ self.coef_ + self.intercept_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = self.family == "poisson"
        return tags

"""The estimators: a density for each class, and the decision that they and the costs lead to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, DensityMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.bayes.bayes_decision.steps import log_posterior, minimum_risk_action
from notes_lib.checks import FloatArray, check_distribution, check_shape, class_codes
from notes_lib.foundations.multivariate_gaussian import gaussian_mle_multivariate
from notes_lib.numerics import cholesky_factor, log_gaussian


class GaussianDensity(DensityMixin, BaseEstimator):
    """A Gaussian density by maximum likelihood, with the methods of scikit-learn's density estimators.

    Attributes
    ----------
    mean_ : (d,) array
    covariance_ : (d, d) array
        Divisor n.
    n_features_in_ : int

    Examples
    --------
    >>> GaussianDensity().fit([[-1.0], [1.0]]).score_samples([[0.0]]).round(4)
    array([-0.9189])
    """

    def fit(self, X: ArrayLike, y: Any = None) -> GaussianDensity:
        """Estimate mean and covariance; the errors are those of ``gaussian_mle_multivariate``."""
        X = np.asarray(validate_data(self, X, dtype="numeric", ensure_min_samples=2), dtype=float)
        self.mean_, self.covariance_ = gaussian_mle_multivariate(X)
        self._factor = cholesky_factor(self.covariance_)
        return self

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Log-density (n,) of each row, nats."""
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)
        return log_gaussian(X, self.mean_, self._factor)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Log-likelihood of all rows, nats."""
        return float(self.score_samples(X).sum())


class BayesClassifier(ClassifierMixin, BaseEstimator):
    """A density for each class, priors and costs: the decision of least risk; :eq:`bayes-decision-minimum-risk`.

    Parameters
    ----------
    density : estimator or None
        Has ``fit(X)`` and ``score_samples(X)``, the log-density in nats; a fresh copy is fitted to each class. None is
        :class:`GaussianDensity`, which makes quadratic discriminant analysis.
    priors : (K,) array or None
        Class probabilities, positive, with sum 1; the shares of the classes in ``y`` if None.
    cost : (K, K) array or None
        ``cost[k, j]``: cost of predicting class j where class k is true, classes in sorted order; None is the 0-1 loss.

    Attributes
    ----------
    classes_ : (K,) array
    priors_ : (K,) array
    densities_ : list of K fitted estimators
    n_features_in_ : int

    Notes
    -----
    Time and memory are those of the densities. For a decision among other actions than the classes, give
    ``predict_proba`` to :func:`minimum_risk_action` or :func:`chow_reject`.

    Examples
    --------
    >>> X, y = [[0.0], [2.0], [5.0], [9.0]], ["a", "a", "b", "b"]
    >>> BayesClassifier().fit(X, y).predict([[3.0], [7.0]])
    array(['a', 'b'], dtype='<U1')
    >>> BayesClassifier(cost=[[0, 100], [1, 0]]).fit(X, y).predict([[3.5]])
    array(['a'], dtype='<U1')
    """

    _default_density: Callable[[], Any] = GaussianDensity

    def __init__(self, density: Any = None, *, priors: ArrayLike | None = None, cost: ArrayLike | None = None) -> None:
        self.density = density
        self.priors = priors
        self.cost = cost

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit a density to the rows of each class.

        Raises
        ------
        ValueError
            Bad data; fewer than two classes; ``priors`` or ``cost`` that do not fit; a class to which the density
            cannot be fitted (names the class).
        """
        X, y = validate_data(self, X, y, dtype="numeric")
        self.classes_, codes = class_codes(y)
        counts = np.bincount(codes)
        K = len(counts)
        self.priors_ = (
            counts / counts.sum()  # bayes-decision-shares
            if self.priors is None
            else check_distribution(self.priors, "priors", (K,), positive=True)
        )
        self._cost = None if self.cost is None else check_shape(self.cost, "cost", (K, K))
        self.densities_ = [self._fitted(X[codes == k], label) for k, label in enumerate(self.classes_)]
        return self

    def _fitted(self, X: FloatArray, label: Any) -> Any:
        density = self._default_density() if self.density is None else clone(self.density)
        try:
            return density.fit(X)
        except ValueError as error:
            raise ValueError(f"class {label!s}: {error}") from error

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Logarithms (n, K) of the posterior probabilities; :eq:`bayes-decision-log-posterior`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype="numeric", reset=False)
        return log_posterior(self._log_densities(X), self.priors_)

    def _log_densities(self, X: FloatArray) -> FloatArray:
        return np.column_stack([density.score_samples(X) for density in self.densities_])

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probabilities (n, K)."""
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of least conditional risk; the first in a tie."""
        P = self.predict_proba(X)
        return self.classes_[minimum_risk_action(P, self._cost).chosen]

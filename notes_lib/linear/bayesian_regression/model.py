"""Bayesian linear regression as an estimator with the contract of scikit-learn."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_positive
from notes_lib.linear.bayesian_regression.evidence import Spectrum, fixed_point, spectrum


class BayesianLinearRegression(RegressorMixin, BaseEstimator):
    """Linear regression with a Gaussian prior on the weights; its precisions are given, or chosen by the evidence.

    Parameters
    ----------
    alpha : float, optional
        Precision of each weight in the prior, positive; None maximises :eq:`bayesian-regression-evidence`.
    beta : float, optional
        Precision of the noise, positive; None likewise.
    fit_intercept : bool
        Fit a constant term, with a flat prior: any value of it is as likely as any other.
    max_iter, tol : int, float
        Most rounds of :eq:`bayesian-regression-fixed-point`, and the relative change at which they end.

    Attributes
    ----------
    coef_ : (d,) array
        Posterior mean of the weights.
    intercept_ : float
    sigma_ : (d, d) array
        Posterior covariance of the weights.
    alpha_, beta_ : float
        The precisions used.
    gamma_ : float
        Effective number of weights, without the intercept.
    n_iter_ : int
        Rounds of the fixed point; 1 if both precisions are given.
    n_samples_seen_ : int
    n_features_in_ : int

    Notes
    -----
    O(n d^2) time, and memory O(d^2) between calls of ``partial_fit``: all that is kept of the rows is the triangular
    factor of their QR decomposition. scikit-learn's ``BayesianRidge`` calls the noise's precision ``alpha_`` and the
    weights' ``lambda_``.

    Examples
    --------
    >>> model = BayesianLinearRegression(alpha=1.0, beta=4.0).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> mean, std = model.predict([[1.0], [9.0]], return_std=True)
    >>> mean.round(3), std.round(3)
    (array([1.   , 8.111]), array([0.577, 2.728]))
    """

    def __init__(
        self, *, alpha: float | None = None, beta: float | None = None, fit_intercept: bool = True,
        max_iter: int = 1000, tol: float = 1e-9,
    ) -> None:  # fmt: skip
        self.alpha, self.beta, self.fit_intercept = alpha, beta, fit_intercept
        self.max_iter, self.tol = max_iter, tol

    def fit(self, X: ArrayLike, y: ArrayLike) -> BayesianLinearRegression:
        """Posterior from the prior and these rows, whatever was seen before.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; a precision to be estimated from too few rows.

        Warns
        -----
        ConvergenceWarning
            If the evidence has no finite maximum, or ``max_iter`` is too small.
        """
        return self._see(X, y, first=True)

    def partial_fit(self, X: ArrayLike, y: ArrayLike) -> BayesianLinearRegression:
        """Posterior from the posterior so far and more rows: the same as from all rows at once.

        Precisions that the evidence chooses are chosen anew, for all rows seen.

        Raises
        ------
        TypeError, ValueError
            As :meth:`fit`; another number of columns than before.
        """
        return self._see(X, y, first=not hasattr(self, "coef_"))

    def predict(
        self, X: ArrayLike, return_std: bool = False, return_cov: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Predictive means (m,); with ``return_std`` also deviations (m,), with ``return_cov`` the covariance (m, m).

        Both are those of new targets, noise included; :eq:`bayesian-regression-predictive`.

        Raises
        ------
        ValueError
            Bad data, or both ``return_std`` and ``return_cov``.
        """
        check_is_fitted(self)
        if return_std and return_cov:
            raise ValueError("return_std and return_cov exclude each other: the covariance has the variances in it.")
        X = validate_data(self, X, dtype=float, reset=False)
        mean = X @ self.coef_ + self.intercept_
        if not (return_std or return_cov):
            return mean
        away = X - self._x_mean
        flat = 1 / (self.beta_ * self.n_samples_seen_) if self.fit_intercept else 0.0
        half = away @ self.sigma_
        if return_std:
            return mean, np.sqrt(1 / self.beta_ + flat + np.einsum("nd,nd->n", half, away))
        return mean, half @ away.T + flat + np.eye(len(X)) / self.beta_

    def log_evidence(self, alpha: float | None = None, beta: float | None = None) -> float:
        """Log evidence of all rows seen, at the precisions used or at others.

        With an intercept its flat prior has the density 1, so that evidences can be compared with each other only.

        Raises
        ------
        TypeError, ValueError
            If a precision is not positive.
        """
        check_is_fitted(self)
        a = self.alpha_ if alpha is None else check_positive(alpha, "alpha")
        b = self.beta_ if beta is None else check_positive(beta, "beta")
        return self._spectrum().log_evidence(a, b)

    def _see(self, X: ArrayLike, y: ArrayLike, first: bool) -> BayesianLinearRegression:
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, reset=first)
        max_iter, tol = check_integer(self.max_iter, "max_iter"), check_positive(self.tol, "tol")
        known = [None if v is None else check_positive(v, k) for k, v in [("alpha", self.alpha), ("beta", self.beta)]]
        columns = [np.ones(len(X))] * bool(self.fit_intercept) + [X, np.asarray(y, dtype=float)]
        rows = np.column_stack(columns)
        seen = len(X) + (0 if first else self.n_samples_seen_)
        if None in known and seen < 2:
            raise ValueError("n_samples=1 is too few to choose a precision: give alpha and beta, or more rows.")
        self._R: FloatArray = scipy.linalg.qr(
            rows if first else np.vstack([self._R, rows]), mode="r", check_finite=False, overwrite_a=True
        )[0][: rows.shape[1]]
        self.n_samples_seen_: int = seen
        data = self._spectrum()
        found = fixed_point(data, known[0], known[1], max_iter, tol)
        self.alpha_, self.beta_, self.gamma_, self.n_iter_ = found.alpha, found.beta, found.gamma, max(1, found.n_iter)
        self.coef_, self.sigma_ = data.mean(found.alpha, found.beta), data.covariance(found.alpha, found.beta)
        means = self._R[0, 1:] / self._R[0, 0] if self.fit_intercept else np.zeros(X.shape[1] + 1)
        self._x_mean = means[:-1]
        self.intercept_ = float(means[-1] - self._x_mean @ self.coef_)
        return self

    def _spectrum(self) -> Spectrum:
        """Of the rows without their mean, if there is an intercept: its row and column of the factor drop out."""
        n = self.n_samples_seen_
        if not self.fit_intercept:
            return spectrum(self._R[:, :-1], self._R[:, -1], n)
        rounding = 1e-13 * np.linalg.norm(self._R, axis=0)  # all that is left of a constant column
        centred = np.where(np.abs(self._R) > rounding, self._R, 0.0)[1:, 1:]
        return spectrum(centred[:, :-1], centred[:, -1], n - 1, -np.log(n) / 2)

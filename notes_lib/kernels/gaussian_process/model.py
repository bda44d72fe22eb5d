"""Regression with a Gaussian process as an estimator with the contract of scikit-learn."""

from __future__ import annotations

import warnings
from contextlib import suppress

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_real, check_vector
from notes_lib.foundations.descent import Minimum, lbfgs
from notes_lib.kernels.gaussian_process.covariances import RBF, Covariance
from notes_lib.kernels.gaussian_process.steps import (
    factor,
    gradient_terms,
    likelihood_terms,
    sample_functions,
    solve,
)
from notes_lib.numerics import NotPositiveDefiniteError, RandomState, check_rng

LIMIT = float(np.log(1e5))  # parameters stay between 1e-5 and 1e5
AT_LIMIT = 0.9 * LIMIT  # from here on the likelihood has no optimum of practical size
SAME = 1e-8  # noise below this share of the variance does not tell equal rows apart


class GaussianProcessRegressor(RegressorMixin, BaseEstimator):
    """Gaussian process of mean 0, conditioned on the training rows; its parameters by the marginal likelihood.

    Parameters
    ----------
    kernel : Covariance, optional
        Prior covariance of the function; None is ``RBF(1.0)``, which is then not optimised.
    alpha : float
        Variance added to the diagonal at the training rows: known noise, or a small number for the arithmetic. Unlike
        the level of a :class:`WhiteKernel` it is neither optimised nor part of the predicted deviation.
    optimizer : {"lbfgs", None}
        None keeps the parameters of ``kernel``.
    n_restarts_optimizer : int
        Further starts, with each parameter of ``kernel`` times a log-normal factor: there can be several optima.
    normalize_y : bool
        Subtract the mean of the targets and divide by their deviation; predictions are in the old units.
    random_state : int, Generator, RandomState or None
        For the restarts.

    Attributes
    ----------
    kernel_ : Covariance
        With the parameters found, in units of the normalised targets.
    X_train_, y_train_ : (n, d) and (n,) arrays
        The targets normalised.
    L_ : (n, n) array
        Cholesky factor of the covariance of the targets.
    alpha_ : (n,) array
        Weights of the training rows in the predicted mean, :eq:`gaussian-process-cholesky`.
    log_marginal_likelihood_value_ : float
        Of the normalised targets.
    n_features_in_ : int

    Notes
    -----
    O(n^3) time for a fit, once for each evaluation of the likelihood; O(n) for a predicted mean and O(n^2) for a
    predicted deviation. O(n^2) memory. Source: Rasmussen and Williams (2006), algorithm 2.1.

    Examples
    --------
    >>> model = GaussianProcessRegressor(RBF(1.0), alpha=0.25, optimizer=None).fit([[0.0], [1.0]], [0.0, 1.0])
    >>> mean, std = model.predict([[0.5], [9.0]], return_std=True)
    >>> mean.round(3), std.round(3)
    (array([0.475, 0.   ]), array([0.401, 1.   ]))
    """

    def __init__(
        self, kernel: Covariance | None = None, *, alpha: float = 1e-10, optimizer: str | None = "lbfgs",
        n_restarts_optimizer: int = 0, normalize_y: bool = False, random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.kernel, self.alpha, self.optimizer = kernel, alpha, optimizer
        self.n_restarts_optimizer, self.normalize_y, self.random_state = n_restarts_optimizer, normalize_y, random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> GaussianProcessRegressor:
        """Choose the parameters, and condition the process on these rows.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; rows that repeat each other without noise.

        Warns
        -----
        ConvergenceWarning
            If a parameter runs to the end of its range, from 1e-5 to 1e5, or the search stops early.
        """
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        alpha, kernel, restarts = self._checked()
        check_repeated(X, y, kernel, alpha)
        self._mean: float = y.mean() if self.normalize_y else 0.0
        self._scale: float = (y.std() or 1.0) if self.normalize_y else 1.0
        self.X_train_, self.y_train_ = X.copy(), (y - self._mean) / self._scale
        self.kernel_ = kernel
        if self.optimizer is not None and self.kernel is not None:
            self._choose(kernel.theta, restarts)
        self.L_ = factor(self.kernel_(X), alpha, overwrite=True)
        self.alpha_ = solve(self.L_, self.y_train_)
        self.log_marginal_likelihood_value_ = likelihood_terms(self.L_, self.y_train_, self.alpha_).value
        return self

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False  # there is a prior
        return tags

    def predict(
        self, X: ArrayLike, return_std: bool = False, return_cov: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Posterior means (m,), with ``return_std`` also deviations (m,), with ``return_cov`` the covariance (m, m).

        Those of the function if the noise is in ``alpha``; of new targets if it is a :class:`WhiteKernel`.
        :eq:`gaussian-process-mean`, :eq:`gaussian-process-covariance`. Before ``fit`` those of the prior, with mean 0.

        Raises
        ------
        ValueError
            Bad data, or both ``return_std`` and ``return_cov``.
        """
        if return_std and return_cov:
            raise ValueError("return_std and return_cov exclude each other: the covariance has the variances in it.")
        if not hasattr(self, "L_"):
            X, kernel = check_array(X, dtype=float, input_name="X"), self._checked()[1]
            spread = kernel(X) if return_cov else np.sqrt(kernel.diagonal(X))
            return (np.zeros(len(X)), spread) if return_std or return_cov else np.zeros(len(X))
        X = validate_data(self, X, dtype=float, reset=False)
        K_cross = self.kernel_(X, self.X_train_)  # (m, n)
        mean = self._mean + self._scale * (K_cross @ self.alpha_)  # gaussian-process-cholesky
        if not (return_std or return_cov):
            return mean
        V = solve_triangular(self.L_, K_cross.T, lower=True, check_finite=False)  # (n, m)
        if return_cov:
            return mean, self._scale**2 * (self.kernel_(X) - V.T @ V)
        variance = self.kernel_.diagonal(X) - np.einsum("nm,nm->m", V, V)
        return mean, self._scale * np.sqrt(np.maximum(variance, 0.0))  # rounding leaves less than 0 at training rows

    def sample_y(self, X: ArrayLike, n_samples: int = 1, random_state: RandomState = 0) -> FloatArray:
        """Random functions at the rows of X, (m, n_samples): of the posterior, before ``fit`` of the prior.

        Raises
        ------
        TypeError, ValueError
            Bad data, or ``n_samples`` not an integer of at least 1.
        """
        mean, covariance = self.predict(X, return_cov=True)
        return sample_functions(mean, (covariance + covariance.T) / 2, n_samples, random_state)

    def log_marginal_likelihood(
        self, theta: ArrayLike | None = None, eval_gradient: bool = False
    ) -> float | tuple[float, FloatArray]:
        """Log marginal likelihood of the training targets, at ``theta`` or at the parameters found.

        Parameters
        ----------
        theta : (p,) array, optional
            Logarithms of the parameters, in the order of ``kernel_.names``.
        eval_gradient : bool
            Return the gradient by ``theta`` (p,) too, :eq:`gaussian-process-likelihood-gradient`.

        Raises
        ------
        ValueError
            If ``theta`` has another length, or rows repeat each other without noise.
        """
        check_is_fitted(self, "L_")
        kernel = self.kernel_ if theta is None else self.kernel_.with_theta(theta)
        return self._likelihood(kernel) if eval_gradient else self._likelihood(kernel, False)[0]

    def _likelihood(self, kernel: Covariance, gradient: bool = True) -> tuple[float, FloatArray]:
        K, derivatives = kernel.gradients(self.X_train_) if gradient else (kernel(self.X_train_), [])
        L = factor(K, float(self.alpha))
        weights = solve(L, self.y_train_)
        value = likelihood_terms(L, self.y_train_, weights).value
        return value, gradient_terms(L, weights, derivatives) if gradient else np.empty(0)

    def _checked(self) -> tuple[float, Covariance, int]:
        """Hyper-parameters that mean something: alpha, the kernel to start from, the number of restarts."""
        alpha, kernel = check_real(self.alpha, "alpha"), RBF() if self.kernel is None else self.kernel
        if not isinstance(kernel, Covariance):
            raise TypeError(f"kernel must be a Covariance such as RBF(1.0), or None, got {kernel!r}.")
        if self.optimizer not in ("lbfgs", None):
            raise ValueError(f'optimizer must be "lbfgs" or None, got {self.optimizer!r}.')
        return alpha, kernel, check_integer(self.n_restarts_optimizer, "n_restarts_optimizer", 0)

    def _choose(self, theta: FloatArray, restarts: int) -> None:
        """Set ``kernel_`` to the best optimum of the likelihood from all starts."""
        if np.abs(theta).max() > LIMIT * (1 + 1e-12):
            raise ValueError("kernel must start with parameters from 1e-5 to 1e5: rescale X or y.")
        theta = np.clip(theta, -AT_LIMIT, AT_LIMIT)  # at the limit itself the search would stand still
        rng = check_rng(self.random_state)
        minima = [self._climb(theta)]
        for _ in range(restarts):
            with suppress(NotPositiveDefiniteError):  # a start that rounding cannot tell from a singular covariance
                minima.append(self._climb(np.clip(theta + rng.normal(size=theta.size), -8, 8)))
        found = min(minima, key=lambda minimum: minimum.objective[-1])
        best = bounded(found.x)
        self.kernel_ = self.kernel_.with_theta(best)
        stuck = [name for name, t in zip(self.kernel_.names, best, strict=True) if abs(t) > AT_LIMIT]
        if stuck or not found.converged:
            why = f"no finite optimum of {', '.join(stuck)}" if stuck else "the search stopped early"
            advice = "choose another kernel, a known value, or another start"
            warnings.warn(f"{why}: {advice}.", ConvergenceWarning, stacklevel=3)

    def _climb(self, theta: FloatArray) -> Minimum:
        """One search; it walks over unbounded numbers u with :func:`bounded` (u) the logarithms of the parameters."""
        start = LIMIT * np.arctanh(theta / LIMIT)

        def objective(u: FloatArray) -> tuple[float, FloatArray]:
            t = bounded(u)
            try:
                value, slope = self._likelihood(self.kernel_.with_theta(t))
            except NotPositiveDefiniteError:
                if np.array_equal(u, start):
                    raise
                return np.inf, np.zeros_like(u)  # the step was too long
            return -value, -slope * (1 - (t / LIMIT) ** 2)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # said by the caller, in the words of this model
            return lbfgs(objective, start, True, max_iter=200, tol=1e-5 * len(self.y_train_))


def bounded(u: FloatArray) -> FloatArray:
    """A smooth map of all numbers into the range of the logarithms, near 0 the identity."""
    return LIMIT * np.tanh(u / LIMIT)


def check_repeated(X: FloatArray, y: ArrayLike, kernel: Covariance, alpha: float) -> None:
    """Refuse equal rows with different targets if no noise explains the difference."""
    y = check_vector(y, "y", len(X))
    order = np.lexsort(X.T)
    same = (np.diff(X[order], axis=0) == 0).all(axis=1) & (np.diff(y[order]) != 0)
    if not same.any():
        return
    i, j = (int(r) for r in np.sort(order[np.argmax(same) :][:2]))
    K = kernel(X[[i, j]])
    if K[0, 0] - K[0, 1] + alpha <= SAME * K[0, 0]:
        raise ValueError(
            f"rows {i} and {j} of X are equal and their targets differ, and no function passes through both: "
            "add noise (a larger alpha, or a WhiteKernel)."
        )

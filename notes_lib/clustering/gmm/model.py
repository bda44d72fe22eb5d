"""The estimator of the chapter *Gaussian mixtures and EM*."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_distribution, check_integer, check_shape
from notes_lib.clustering.gmm import checks
from notes_lib.clustering.gmm.precision import covariance_shape, per_component, precision_cholesky
from notes_lib.clustering.gmm.steps import EStep, MStep, e_step, m_step, n_parameters
from notes_lib.clustering.kmeans import KMeans, kmeans_plusplus
from notes_lib.numerics import RandomState, check_rng


class GaussianMixture(DensityMixin, BaseEstimator):
    """Mixture of Gaussians fitted by EM: :func:`e_step` and :func:`m_step` in turn.

    With ``reg_covar=0`` the log-likelihood never falls (:eq:`gmm-monotone`); ``reg_covar > 0`` keeps every covariance
    away from singular, and the statement then holds only up to that correction.

    Parameters
    ----------
    n_components : int
    covariance_type : {'full', 'tied', 'diag', 'spherical'}
    tol : float
        Stop when the mean log-likelihood (nats per sample) changes by less; 0 runs all iterations.
    reg_covar : float
        Added to the diagonal of every covariance, in units of X squared.
    max_iter : int
    n_init : int
        Number of starts; the one that reaches the largest log-likelihood is kept (of equal ones, to 1e-10, the first).
    init_params : {'kmeans', 'k-means++', 'random', 'random_from_data'}
        'kmeans' takes the clusters of one k-means run as responsibilities, 'random' draws responsibilities.
        'k-means++' and 'random_from_data' take rows of X as means, with equal weights and the covariance of all rows.
    weights_init, means_init, precisions_init : array or None
        Each replaces the starting value that ``init_params`` would give.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    weights_ : (K,) array
    means_ : (K, d) array
    covariances_, precisions_, precisions_cholesky_ : arrays
        (K, d, d), (d, d), (K, d) or (K,) by ``covariance_type``; see :func:`precision_cholesky`.
    converged_ : bool
    n_iter_ : int
    lower_bounds_ : list of float
        Mean log-likelihood (nats per sample) at the start of each iteration; ``lower_bound_`` is the last one.
    n_features_in_ : int

    Notes
    -----
    O(n K d^2 + K d^3) time for an iteration, O(n K) memory.

    Examples
    --------
    >>> X = np.array([[1.0], [1.2], [0.8], [5.0], [5.2], [4.8]])
    >>> GaussianMixture(2, random_state=0).fit(X).means_.ravel().round(3).tolist() in ([1.0, 5.0], [5.0, 1.0])
    True
    """

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        init_params: str = "kmeans",
        weights_init: ArrayLike | None = None,
        means_init: ArrayLike | None = None,
        precisions_init: ArrayLike | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> GaussianMixture:
        """Run EM from ``n_init`` starts and keep the best; ``y`` is ignored.

        Raises
        ------
        ValueError, TypeError
            Bad data, hyper-parameter or starting value; a covariance that became singular (names the component).
        """
        checks.check_hyperparameters(self)
        X = np.asarray(validate_data(self, X, dtype="numeric", ensure_min_samples=2), dtype=float)
        if len(X) < self.n_components:
            raise ValueError(f"n_components={self.n_components} must be at most n_samples={len(X)}: use fewer.")
        rng = check_rng(self.random_state)
        runs = [self._run(X, self._start(X, rng)) for _ in range(self.n_init)]
        least = max(bounds[-1] for _, bounds, _ in runs) - 1e-10  # the same maximum found again is not better
        self._keep(*next(run for run in runs if run[1][-1] >= least))
        if not self.converged_:
            message = f"EM did not reach tol={self.tol} in max_iter={self.max_iter} iterations: raise one of them."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def _keep(self, theta: MStep, bounds: list[float], converged: bool) -> None:
        """Set what a run has learned."""
        self.lower_bounds_, self.converged_ = bounds, converged
        self.weights_, self.means_, self.covariances_ = theta
        self.lower_bound_, self.n_iter_ = self.lower_bounds_[-1], len(self.lower_bounds_)
        W = self.precisions_cholesky_ = precision_cholesky(self.covariances_, self.covariance_type)
        self.precisions_ = W @ np.swapaxes(W, -1, -2) if self.covariance_type in ("full", "tied") else W**2

    def fit_predict(self, X: ArrayLike, y: object = None) -> np.ndarray:
        """Fit, then return the most probable component (n,) of every row."""
        return self.fit(X).predict(X)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Most probable component (n,) of every row; the first one in a tie."""
        return self.predict_proba(X).argmax(axis=1)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Responsibilities (n, K) of every row."""
        return self._posterior(X).responsibilities

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Log-density (n,) of every row, nats."""
        return self._posterior(X).log_likelihood

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Mean log-density of a row, nats; ``y`` is ignored."""
        return float(self.score_samples(X).mean())

    def bic(self, X: ArrayLike) -> float:
        """Bayesian information criterion on X, lower is better; :eq:`gmm-bic`."""
        log_p = self.score_samples(X)
        return float(-2 * log_p.sum() + np.log(len(log_p)) * self._n_parameters())

    def aic(self, X: ArrayLike) -> float:
        """Akaike information criterion on X, lower is better; :eq:`gmm-aic`."""
        return float(-2 * self.score_samples(X).sum() + 2 * self._n_parameters())

    def sample(self, n_samples: int = 1) -> tuple[FloatArray, np.ndarray]:
        """Draw from the fitted density: first the component :eq:`gmm-prior`, then the point :eq:`gmm-normal`.

        Returns rows (n_samples, d), sorted by component, and their components (n_samples,). An int as
        ``random_state`` gives the same sample at every call.
        """
        check_is_fitted(self)
        check_integer(n_samples, "n_samples")
        rng = check_rng(self.random_state)
        labels = np.repeat(np.arange(len(self.weights_)), rng.multinomial(n_samples, self.weights_))
        X = rng.standard_normal((n_samples, self.n_features_in_))
        W = per_component(self.precisions_cholesky_, self.covariance_type, *self.means_.shape)
        for k in range(len(W)):  # W^-T z has covariance (W W^T)^-1 = Sigma
            Z = X[labels == k]
            X[labels == k] = Z / W[k] if W.ndim == 2 else solve_triangular(W[k], Z.T, trans="T").T
        return X + self.means_[labels], labels

    def _n_parameters(self) -> int:
        K, d = self.means_.shape
        return n_parameters(K, d, self.covariance_type)

    def _posterior(self, X: ArrayLike) -> EStep:
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)
        return e_step(X, self.weights_, self.means_, self.covariances_, self.covariance_type)

    def _run(self, X: FloatArray, theta: MStep) -> tuple[MStep, list[float], bool]:
        """EM from one start: last parameters, mean log-likelihood of each iteration, whether it converged."""
        bounds: list[float] = []
        for _ in range(self.max_iter):
            step = e_step(X, *theta, self.covariance_type)
            theta = m_step(X, step.responsibilities, self.covariance_type, self.reg_covar)
            bounds.append(float(step.log_likelihood.mean()))
            if len(bounds) > 1 and abs(bounds[-1] - bounds[-2]) < self.tol:
                return theta, bounds, True
        return theta, bounds, False

    def _start(self, X: FloatArray, rng: np.random.Generator) -> MStep:
        """Parameters before the first E-step: the given ones, the others by ``init_params``."""
        K, d, kind = self.n_components, X.shape[1], self.covariance_type
        given: dict[str, Any] = {}
        if self.weights_init is not None:
            given["weights"] = check_distribution(self.weights_init, "weights_init", (K,))
        if self.means_init is not None:
            given["means"] = check_shape(self.means_init, "means_init", (K, d))
        if self.precisions_init is not None:
            P = check_shape(self.precisions_init, "precisions_init", covariance_shape(kind, K, d))
            try:
                W = precision_cholesky(P, kind)  # the factor of P^-1, because P stands where a covariance belongs
            except ValueError as error:
                raise ValueError(f"precisions_init must be symmetric positive definite: {error}") from error
            given["covariances"] = W @ np.swapaxes(W, -1, -2) if kind in ("full", "tied") else W**2
        return MStep(**given) if len(given) == 3 else self._guess(X, rng)._replace(**given)

    def _guess(self, X: FloatArray, rng: np.random.Generator) -> MStep:
        """Starting values by ``init_params``."""
        n, K = len(X), self.n_components
        if self.init_params == "kmeans":
            gamma = np.eye(K)[KMeans(n_clusters=K, n_init=1, random_state=rng).fit(X).labels_]
        elif self.init_params == "random":
            gamma = rng.dirichlet(np.ones(K), size=n)
        else:
            by_distance = self.init_params == "k-means++"
            rows = kmeans_plusplus(X, K, random_state=rng)[1] if by_distance else rng.choice(n, K, replace=False)
            whole = m_step(X, np.full((n, K), 1 / K), self.covariance_type, self.reg_covar)
            return whole._replace(means=X[rows])
        return m_step(X, gamma, self.covariance_type, self.reg_covar)

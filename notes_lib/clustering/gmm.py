"""Gaussian mixtures fitted by expectation-maximisation (EM).

The pure functions follow the derivation of the chapter *Gaussian mixtures and EM*: component densities, E-step, M-step,
and the lower bound that explains why the likelihood never falls. :class:`GaussianMixture` loops over them and keeps the
contract of scikit-learn.

Rows are handled in blocks that stay in the cache, and inside a block the data points are columns, so that each step is
one matrix product for each component.

Source: Dempster, Laird and Rubin (1977), J. R. Stat. Soc. B 39, 1-38; Bishop (2006), sections 9.2 to 9.4.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular
from scipy.special import xlogy
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.clustering import _gmm as plumbing
from notes_lib.clustering._gmm import precision_cholesky
from notes_lib.clustering.kmeans import KMeans, kmeans_plusplus
from notes_lib.numerics import (
    FloatArray,
    RandomState,
    check_distribution,
    check_integer,
    check_rng,
    check_shape,
    row_blocks,
)

__all__ = ["EStep", "GaussianMixture", "MStep", "e_step", "elbo", "entropy", "log_component_densities", "m_step"]
__all__ += ["n_parameters", "precision_cholesky", "q_function"]


class EStep(NamedTuple):
    """Result of :func:`e_step`: ``responsibilities`` (n, K), rows sum to 1; ``log_likelihood`` (n,), nats."""

    responsibilities: FloatArray
    log_likelihood: FloatArray


class MStep(NamedTuple):
    """Parameters of a mixture: ``weights`` (K,), ``means`` (K, d), ``covariances`` in scikit-learn's shapes."""

    weights: FloatArray
    means: FloatArray
    covariances: FloatArray


def log_component_densities(
    X: ArrayLike, means: ArrayLike, covariances: ArrayLike, covariance_type: str = "full"
) -> FloatArray:
    """Log-density ``log N(x_n | mu_k, Sigma_k)`` of every row under every component.

    Implements :eq:`gmm-normal` in the form :eq:`gmm-cholesky`.

    Parameters
    ----------
    X : (n, d) array
    means : (K, d) array
    covariances : array
        Shape by ``covariance_type``, as in :func:`precision_cholesky`.
    covariance_type : str

    Returns
    -------
    (n, K) array, nats

    Raises
    ------
    ValueError
        If the shapes do not fit or a covariance is not symmetric positive definite.

    Notes
    -----
    O(n K d^2 + K d^3) time, O(n K) memory.

    Examples
    --------
    >>> log_component_densities([[0.0]], [[0.0]], [[[1.0]]]).round(4)
    array([[-0.9189]])
    """
    X, mu, W = plumbing.check_model(X, means, covariances, covariance_type)
    out = np.empty((len(mu), len(X)))  # (K, n): the values of a component stand together
    for rows in row_blocks(len(X)):
        plumbing.log_densities(X[rows], mu, W, out[:, rows])
    return out.T


def e_step(
    X: ArrayLike, weights: ArrayLike, means: ArrayLike, covariances: ArrayLike, covariance_type: str = "full"
) -> EStep:
    """Posterior probability of every component for every row, and the log-density of every row.

    Implements :eq:`gmm-responsibility` and :eq:`gmm-likelihood` by the log-sum-exp :eq:`gmm-logsumexp`, so that nothing
    underflows.

    Parameters
    ----------
    X : (n, d) array
    weights : (K,) array
        Non-negative, sums to 1.
    means : (K, d) array
    covariances : array
        Shape by ``covariance_type``, as in :func:`precision_cholesky`.
    covariance_type : str

    Returns
    -------
    EStep
        ``responsibilities`` (n, K), rows sum to 1; ``log_likelihood`` (n,), nats: log p(x_n).

    Raises
    ------
    ValueError
        If the shapes do not fit, ``weights`` is not a distribution, a covariance is not symmetric positive definite, or
        the squared distance of a row overflows.

    Notes
    -----
    O(n K d^2 + K d^3) time, O(n K) memory. Source: Bishop (2006), equation 9.13.

    Examples
    --------
    >>> step = e_step([[0.0], [2.0]], [0.5, 0.5], [[0.0], [2.0]], [1.0, 1.0], "spherical")
    >>> step.responsibilities.round(3)
    array([[0.881, 0.119],
           [0.119, 0.881]])
    """
    X, mu, W = plumbing.check_model(X, means, covariances, covariance_type)
    with np.errstate(divide="ignore"):  # a weight of 0 gives log pi = -inf and responsibility 0
        log_pi = np.log(check_distribution(weights, "weights", (len(mu),)))[:, None]  # (K, 1)
    gamma, log_p = np.empty((len(mu), len(X))), np.empty(len(X))  # (K, n), (n,)
    for rows in row_blocks(len(X)):
        joint = gamma[:, rows]  # a view: log-joint first, responsibilities at the end
        plumbing.log_densities(X[rows], mu, W, joint)
        joint += log_pi  # log pi_k + log N(x_n | mu_k, Sigma_k)
        largest = joint.max(axis=0)  # (rows,)
        if not np.isfinite(largest).all():
            bad = rows.start + int(np.argmin(np.isfinite(largest)))
            raise ValueError(f"X row {bad} holds NaN or is too far from every component: remove or rescale it.")
        joint -= largest
        np.exp(joint, out=joint)
        total = joint.sum(axis=0)
        joint /= total  # gmm-responsibility
        log_p[rows] = largest + np.log(total)  # gmm-logsumexp
    return EStep(gamma.T, log_p)


def m_step(X: ArrayLike, responsibilities: ArrayLike, covariance_type: str = "full", reg_covar: float = 1e-6) -> MStep:
    """Parameters that maximise the expected complete log-likelihood for given responsibilities.

    Implements :eq:`gmm-mstep-weights`, :eq:`gmm-mstep-mean`, :eq:`gmm-mstep-covariance` and, for the other covariance
    types, :eq:`gmm-mstep-types`. The divisor is N_k, not N_k - 1; ``reg_covar`` is then added to the diagonal, as in
    scikit-learn, so the result is the exact maximiser only with ``reg_covar=0``.

    Parameters
    ----------
    X : (n, d) array
    responsibilities : (n, K) array
        Non-negative; the weights sum to 1 if the rows do.
    covariance_type : str
    reg_covar : float
        At least 0, in units of X squared.

    Returns
    -------
    MStep
        ``weights`` (K,), ``means`` (K, d), ``covariances`` (shape by ``covariance_type``).

    Raises
    ------
    ValueError
        If the shapes do not fit, an entry is NaN or infinite, a responsibility or ``reg_covar`` is negative, or a
        component has no responsibility left (names it).

    Notes
    -----
    O(n K d^2) time, O(K d^2) memory. Source: Bishop (2006), equations 9.17, 9.19 and 9.22.

    Examples
    --------
    >>> m_step([[0.0], [2.0], [5.0]], [[1, 0], [1, 0], [0, 1]], "spherical", reg_covar=0.0).means
    array([[1.],
           [5.]])
    """
    X, gamma = plumbing.check_m_step(X, responsibilities, covariance_type, reg_covar)  # (n, d), (K, n)
    N = gamma.sum(axis=1)  # (K,) gmm-count
    mu = gamma @ X / N[:, None]  # (K, d) gmm-mstep-mean
    S = plumbing.scatter(X, gamma, mu, full=covariance_type in ("full", "tied"))  # (K, d, d) or (K, d)
    Sigma = S.sum(axis=0) / len(X) if covariance_type == "tied" else (S.T / N).T  # gmm-mstep-covariance
    if covariance_type == "spherical":
        Sigma = Sigma.mean(axis=1)
    ridge = reg_covar * (np.eye(X.shape[1]) if S.ndim == 3 else 1.0)
    return MStep(N / len(X), mu, Sigma + ridge)  # gmm-mstep-weights


def entropy(responsibilities: ArrayLike) -> float:
    """Entropies of the rows of responsibilities, added up; :eq:`gmm-entropy`, in nats, with 0 log 0 = 0. O(n K) time.

    Parameters
    ----------
    responsibilities : (n, K) array, rows sum to 1 (else a ValueError names the row)

    Returns
    -------
    float
        From 0 (every row certain) to n log K (nothing known).

    Examples
    --------
    >>> round(entropy([[0.5, 0.5], [1.0, 0.0]]), 4)
    0.6931
    """
    gamma = check_distribution(responsibilities, "responsibilities")
    return float(-xlogy(gamma, gamma).sum())


def q_function(X: ArrayLike, responsibilities: ArrayLike, theta: MStep, covariance_type: str = "full") -> float:
    """Expected complete log-likelihood of ``theta`` under given responsibilities, in nats; :eq:`gmm-q`.

    O(n K d^2 + K d^3) time, O(n K) memory.

    Parameters
    ----------
    X : (n, d) array
    responsibilities : (n, K) array
        Computed from the *old* parameters, held fixed; rows sum to 1.
    theta : MStep or (weights, means, covariances)
        The parameters at which Q is evaluated.
    covariance_type : str

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the shapes do not fit, weights or responsibilities are no distributions or a covariance is not positive
        definite.

    Examples
    --------
    >>> round(q_function([[0.0]], [[1.0]], ([1.0], [[0.0]], [1.0]), "spherical"), 4)
    -0.9189
    """
    weights, means, covariances = theta
    log_density = log_component_densities(X, means, covariances, covariance_type)
    gamma = check_distribution(responsibilities, "responsibilities", log_density.shape)
    pi = check_distribution(weights, "weights", (gamma.shape[1],))
    return float((xlogy(gamma, pi) + gamma * log_density).sum())


def elbo(X: ArrayLike, responsibilities: ArrayLike, theta: MStep, covariance_type: str = "full") -> float:
    """Evidence lower bound ``Q + H``; :eq:`gmm-elbo`.

    At most the log-likelihood of ``theta``, and equal to it at the posterior under ``theta``.

    Parameters
    ----------
    X, responsibilities, theta, covariance_type
        As in :func:`q_function`, with its errors and cost; the rows of ``responsibilities`` may be any distributions.

    Returns
    -------
    float, nats

    Examples
    --------
    >>> theta = ([0.5, 0.5], [[0.0], [2.0]], [1.0, 1.0])
    >>> step = e_step([[0.3]], *theta, "spherical")
    >>> bool(np.isclose(elbo([[0.3]], step.responsibilities, theta, "spherical"), step.log_likelihood.sum()))
    True
    """
    return q_function(X, responsibilities, theta, covariance_type) + entropy(responsibilities)


def n_parameters(n_components: int, n_features: int, covariance_type: str = "full") -> int:
    """Number of free parameters: K - 1 weights, K d means and the covariances; :eq:`gmm-parameters`, O(1).

    Raises ValueError or TypeError if a number is not an integer of at least 1 or the type is unknown.

    Examples
    --------
    >>> [n_parameters(3, 2, kind) for kind in ("full", "tied", "diag", "spherical")]
    [17, 11, 14, 11]
    """
    K, d = check_integer(n_components, "n_components"), check_integer(n_features, "n_features")
    plumbing.covariance_shape(covariance_type, K, d)  # refuses an unknown type
    symmetric = d * (d + 1) // 2  # entries on and above the diagonal
    return K - 1 + K * d + {"full": K * symmetric, "tied": symmetric, "diag": K * d, "spherical": K}[covariance_type]


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
        plumbing.check_hyperparameters(self)
        X = np.asarray(validate_data(self, X, dtype="numeric", ensure_min_samples=2), dtype=float)
        if len(X) < self.n_components:
            raise ValueError(f"n_components={self.n_components} must be at most n_samples={len(X)}: use fewer.")
        rng = check_rng(self.random_state)
        runs = [self._run(X, self._start(X, rng)) for _ in range(self.n_init)]
        least = max(bounds[-1] for _, bounds, _ in runs) - 1e-10  # the same maximum found again is not better
        theta, self.lower_bounds_, self.converged_ = next(run for run in runs if run[1][-1] >= least)
        self.weights_, self.means_, self.covariances_ = theta
        self.lower_bound_, self.n_iter_ = self.lower_bounds_[-1], len(self.lower_bounds_)
        W = self.precisions_cholesky_ = precision_cholesky(self.covariances_, self.covariance_type)
        self.precisions_ = W @ np.swapaxes(W, -1, -2) if self.covariance_type in ("full", "tied") else W**2
        if not self.converged_:
            message = f"EM did not reach tol={self.tol} in max_iter={self.max_iter} iterations: raise one of them."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

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
        W = plumbing.per_component(self.precisions_cholesky_, self.covariance_type, *self.means_.shape)
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
            P = check_shape(self.precisions_init, "precisions_init", plumbing.covariance_shape(kind, K, d))
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

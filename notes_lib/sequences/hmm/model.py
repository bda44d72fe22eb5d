"""Hidden Markov models with categorical and with Gaussian emissions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import (
    FloatArray,
    IntArray,
    check_distribution,
    check_integer,
    check_real,
    check_shape,
)
from notes_lib.clustering.gmm import log_component_densities, n_parameters
from notes_lib.clustering.gmm.precision import covariance_shape, per_component
from notes_lib.clustering.kmeans import KMeans
from notes_lib.numerics import RandomState, cholesky_factor
from notes_lib.sequences.hmm import checks
from notes_lib.sequences.hmm.base import BaseHMM, draw_categories
from notes_lib.sequences.hmm.updates import gaussian_m_step, normalize_counts, symbol_counts


class CategoricalHMM(BaseHMM):
    """Hidden Markov model whose states emit symbols 0, 1, ..., M - 1.

    Parameters
    ----------
    n_components : int
        Number of states K.
    n_features : int or None
        Number of symbols M; if None, ``fit`` takes one more than the largest symbol it sees.
    random_state : int, Generator, RandomState or None
        For the starting values of ``fit`` (flat Dirichlet draws) and for ``sample``.
    n_iter : int
        Updates at most.
    tol : float
        Stop when the log-likelihood (nats, all sequences) changes by less; 0 runs all iterations.
    params, init_params : str
        Groups that ``fit`` updates, and groups that it first sets to random values: 's' for ``startprob_``, 't' for
        ``transmat_``, 'e' for ``emissionprob_``. To start from values of your own, set them and leave out the letter.

    Attributes
    ----------
    startprob_, transmat_, emissionprob_ : (K,), (K, K) and (K, M) arrays
        Rows sum to 1. They may be set by hand instead of calling ``fit``.
    monitor_ : Monitor
    n_iter_ : int

    Notes
    -----
    An update costs O(T K^2). ``fit`` is plain maximum likelihood; hmmlearn's priors at their default are the same.

    Examples
    --------
    >>> model = CategoricalHMM(2)
    >>> model.startprob_, model.transmat_ = [0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]]
    >>> model.emissionprob_ = [[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]
    >>> model.predict([[0], [1], [2]])
    array([0, 0, 1])
    """

    emissionprob_: Any
    _letters = "ste"

    def __init__(
        self,
        n_components: int = 1,
        *,
        n_features: int | None = None,
        random_state: RandomState = None,
        n_iter: int = 100,
        tol: float = 1e-2,
        params: str = "ste",
        init_params: str = "ste",
    ) -> None:
        self.n_components, self.n_features, self.random_state = n_components, n_features, random_state
        self.n_iter, self.tol, self.params, self.init_params = n_iter, tol, params, init_params

    def _check_X(self, X: ArrayLike) -> IntArray:
        return checks.check_symbols(X)

    def _emission(self, x: IntArray) -> tuple[FloatArray, IntArray]:
        checks.check_known(x, self.emissionprob_.shape[1])
        with np.errstate(divide="ignore"):
            return np.log(self.emissionprob_), x

    def _start_emission(self, x: IntArray, rng: np.random.Generator) -> None:
        if "e" in self.init_params:
            M = int(x.max()) + 1 if self.n_features is None else check_integer(self.n_features, "n_features")
            self.emissionprob_ = rng.dirichlet(np.ones(M), size=self.n_components)

    def _update(self, x: IntArray, posterior: FloatArray) -> None:
        if "e" in self.params:
            counts = symbol_counts(x, posterior, self.emissionprob_.shape[1])
            self.emissionprob_ = normalize_counts(counts, self.emissionprob_)  # hmm-update-emission

    def _draw(self, states: IntArray, rng: np.random.Generator) -> IntArray:
        return draw_categories(self.emissionprob_[states], rng.random(len(states)))[:, None]

    def _check_emission(self) -> None:
        B = self._get("emissionprob_")
        M = np.shape(B)[-1] if np.ndim(B) and self.n_features is None else self.n_features
        self.emissionprob_ = check_distribution(B, "emissionprob_", (self.n_components, int(M or 0)))

    def _n_emission_parameters(self) -> int:
        return self.n_components * (self.emissionprob_.shape[1] - 1)


class GaussianHMM(BaseHMM):
    """Hidden Markov model whose states emit Gaussian vectors.

    Parameters
    ----------
    n_components : int
        Number of states K.
    covariance_type : {'diag', 'full', 'spherical', 'tied'}
        Diagonal covariances, any covariances, one variance for each state, one covariance for all states.
    min_covar : float
        Floor of the variances ('diag' and 'spherical') or of the eigenvalues of the covariances ('full' and 'tied'), in
        units of X squared.
    random_state, n_iter, tol
        As in :class:`CategoricalHMM`.
    params, init_params : str
        As in :class:`CategoricalHMM`, with 'm' for ``means_`` and 'c' for ``covars_``. ``fit`` starts from the centres
        of :class:`~notes_lib.clustering.kmeans.KMeans` and the covariance of all rows.

    Attributes
    ----------
    startprob_, transmat_ : (K,) and (K, K) arrays
    means_ : (K, d) array
    covars_ : array, (K, d) for 'diag', (K, d, d) for 'full', (K,) for 'spherical', (d, d) for 'tied'
        Read and written in this shape (hmmlearn reads (K, d, d) in all cases). All four may be set by hand.
    monitor_ : Monitor
    n_iter_ : int

    Notes
    -----
    An update costs O(T K (K + d)) for 'diag' and 'spherical', O(T K (K + d^2)) for 'full' and 'tied'. ``fit`` is plain
    maximum likelihood with a floor; hmmlearn's GaussianHMM has a prior on the covariances by default: set its
    ``covars_prior=0`` to compare.

    Examples
    --------
    >>> model = GaussianHMM(2, random_state=0).fit([[1.1], [0.9], [1.0], [5.1], [4.9], [5.0]])
    >>> sorted(model.means_.ravel().round(2).tolist())
    [1.0, 5.0]
    """

    means_: Any
    covars_: Any
    _letters = "stmc"

    def __init__(
        self,
        n_components: int = 1,
        covariance_type: str = "diag",
        *,
        min_covar: float = 1e-3,
        random_state: RandomState = None,
        n_iter: int = 100,
        tol: float = 1e-2,
        params: str = "stmc",
        init_params: str = "stmc",
    ) -> None:
        self.n_components, self.covariance_type, self.min_covar = n_components, covariance_type, min_covar
        self.random_state, self.n_iter, self.tol = random_state, n_iter, tol
        self.params, self.init_params = params, init_params

    def _check_X(self, X: ArrayLike) -> FloatArray:
        return checks.check_vectors(X)

    def _emission(self, x: FloatArray) -> tuple[FloatArray, IntArray]:
        if x.shape[1] != self.means_.shape[1]:
            raise ValueError(f"X has {x.shape[1]} columns and means_ has {self.means_.shape[1]}: they must agree.")
        density = log_component_densities(x, self.means_, self.covars_, self.covariance_type)
        return density.T, np.arange(len(x))

    def _start_emission(self, x: FloatArray, rng: np.random.Generator) -> None:
        check_real(self.min_covar, "min_covar")
        K, d = int(self.n_components), x.shape[1]
        shape = covariance_shape(self.covariance_type, K, d)
        if "m" in self.init_params:
            checks.check_enough(x, K)
            self.means_ = KMeans(K, n_init=1, random_state=rng).fit(x).cluster_centers_
        if "c" in self.init_params:
            S = np.cov(x.T, bias=True).reshape(d, d) + self.min_covar * np.eye(d)
            start = {"diag": np.diag(S), "spherical": np.diag(S).mean()}.get(self.covariance_type, S)
            self.covars_ = np.broadcast_to(start, shape).copy()

    def _update(self, x: FloatArray, posterior: FloatArray) -> None:
        old, keep = (self.means_, self.covars_), "m" not in self.params
        means, covars = gaussian_m_step(x, posterior, *old, self.covariance_type, self.min_covar, keep)
        self.means_ = means  # hmm-update-mean
        self.covars_ = covars if "c" in self.params else self.covars_  # hmm-update-covariance

    def _draw(self, states: IntArray, rng: np.random.Generator) -> FloatArray:
        Z = rng.standard_normal((len(states), self.means_.shape[1]))
        Sigma = per_component(self.covars_, self.covariance_type, *self.means_.shape)
        if Sigma.ndim == 2:
            return self.means_[states] + np.sqrt(Sigma)[states] * Z
        L = np.array([cholesky_factor(S, "covars_") for S in Sigma])
        return self.means_[states] + np.einsum("nij,nj->ni", L[states], Z)

    def _check_emission(self) -> None:
        self.means_ = check_shape(self._get("means_"), "means_", (self.n_components, None))
        shape = covariance_shape(self.covariance_type, *self.means_.shape)
        self.covars_ = check_shape(self._get("covars_"), "covars_", shape)
        if self.covariance_type == "tied":
            return checks.check_covariance(self.covars_, "all states")
        for k, S in enumerate(self.covars_):
            checks.check_covariance(S, f"state {k}")
        return None

    def _n_emission_parameters(self) -> int:
        K, d = self.means_.shape
        return n_parameters(K, d, self.covariance_type) - (K - 1)  # a mixture's, without its weights

"""The estimators of :mod:`notes_lib.sequences.hmm`, which exports them.

One class for what all hidden Markov models share, and two thin ones for how their states emit.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from notes_lib.clustering.gmm import log_component_densities
from notes_lib.clustering.kmeans import KMeans
from notes_lib.numerics import (
    FloatArray,
    IntArray,
    RandomState,
    check_choice,
    check_distribution,
    check_integer,
    check_real,
    check_rng,
    check_shape,
    cholesky_factor,
)
from notes_lib.sequences import _hmm_checks as checks
from notes_lib.sequences import _hmm_lanes as fast
from notes_lib.sequences._hmm_updates import COVARIANCE_TYPES, gaussian_m_step, normalize_counts, symbol_counts


class ViterbiPath(NamedTuple):
    """``path`` (T,), states; ``log_probability``, nats: of path and observations together."""

    path: IntArray
    log_probability: float


class EStep(NamedTuple):
    """``posterior`` (T, K); expected counts ``start`` (K,), ``transitions`` (K, K); ``log_likelihood`` (N,), nats."""

    posterior: FloatArray
    start: FloatArray
    transitions: FloatArray
    log_likelihood: FloatArray


class Monitor(NamedTuple):
    """``history``: log-likelihood in nats before each update; ``iter``: number of updates; ``converged``."""

    history: list[float]
    iter: int
    converged: bool


def expect(chain: fast.Chain) -> EStep:
    """E-step of a chain."""
    gamma, start, xi, log_scale = fast.e_step(chain)
    first = np.cumsum(chain.lengths) - chain.lengths
    return EStep(gamma, start, xi, np.add.reduceat(log_scale, first))


def path_log_probability(chain: fast.Chain, z: IntArray) -> FloatArray:
    """Log-probability (N,) of paths and observations together; -inf for what the model excludes."""
    with np.errstate(divide="ignore"):
        log_pi, log_A = np.log(chain.pi), np.log(chain.A)
    first = np.cumsum(chain.lengths) - chain.lengths
    steps = chain.table[z, chain.column]
    steps[1:] += np.where(np.isin(np.arange(1, len(z)), first), 0.0, log_A[z[:-1], z[1:]])
    steps[first] += log_pi[z[first]]
    return np.add.reduceat(steps, first)  # hmm-joint


def decode(chain: fast.Chain) -> tuple[IntArray, FloatArray]:
    """Most likely path (T,) and its log-probability (N,), sequence by sequence; refuses impossible sequences."""
    z = fast.best_paths(chain)
    log_probability = path_log_probability(chain, z)
    if np.isneginf(log_probability).any():
        fast.forward_in_logs(chain)  # raises, and says at which step
    return z, log_probability


class BaseHMM(checks.Parameters, ABC):
    """A hidden Markov model without its emissions: subclasses say how states emit and how that is learned."""

    n_components: int
    random_state: RandomState
    n_iter: int
    tol: float
    params: str
    init_params: str
    startprob_: Any  # arrays once checked; what the user set before
    transmat_: Any
    _letters: str  # of the groups of parameters, as in hmmlearn: s, t and those of the emissions

    def fit(self, X: ArrayLike, lengths: ArrayLike | None = None) -> Any:
        """Estimate the parameters by Baum-Welch from one sequence, or several that stand one after another.

        Parameters
        ----------
        X : (T, 1) array of int, or (T, d) array
        lengths : (N,) array of int or None
            Length of each sequence; they add up to T.

        Returns
        -------
        the model itself

        Raises
        ------
        ValueError, TypeError
            Bad data, hyper-parameter or starting value; a sequence of probability zero under the starting values (says
            at which step).
        """
        check_integer(self.n_components, "n_components")
        check_integer(self.n_iter, "n_iter")
        check_real(self.tol, "tol")
        for name in ("params", "init_params"):
            checks.check_letters(name, getattr(self, name), self._letters)
        x = self._check_X(X)
        n = checks.check_lengths(lengths, len(x))
        self._start(x, check_rng(self.random_state))
        history: list[float] = []
        converged = False
        while len(history) < self.n_iter and not converged:
            step = expect(self._chain(x, n))
            history.append(float(step.log_likelihood.sum()))
            converged = len(history) > 1 and abs(history[-1] - history[-2]) < self.tol
            if "s" in self.params:
                self.startprob_ = normalize_counts(step.start, self.startprob_)  # hmm-update-startprob
            if "t" in self.params:
                self.transmat_ = normalize_counts(step.transitions, self.transmat_)  # hmm-update-transmat
            self._update(x, step.posterior)
        self.n_iter_ = len(history)
        self.monitor_ = Monitor(history, len(history), converged)
        if not converged:
            message = f"Baum-Welch did not reach tol={self.tol} in n_iter={self.n_iter} iterations: raise one of them."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def score(self, X: ArrayLike, lengths: ArrayLike | None = None) -> float:
        """Log-likelihood of the sequences, nats; ValueError if it is -inf (says at which step)."""
        lanes, _, filtered = fast.forward(self._ready(X, lengths))
        return float(filtered.log_scale[lanes.valid].sum())

    def score_samples(self, X: ArrayLike, lengths: ArrayLike | None = None) -> tuple[float, FloatArray]:
        """Log-likelihood, and smoothed probabilities of the states (T, K)."""
        step = expect(self._ready(X, lengths))
        return float(step.log_likelihood.sum()), step.posterior

    def predict_proba(self, X: ArrayLike, lengths: ArrayLike | None = None) -> FloatArray:
        """Smoothed probabilities of the states (T, K), given the whole sequence."""
        return self.score_samples(X, lengths)[1]

    def decode(self, X: ArrayLike, lengths: ArrayLike | None = None) -> tuple[float, IntArray]:
        """Log-probability of the most likely path with the observations, and that path (T,)."""
        z, log_probability = decode(self._ready(X, lengths))
        return float(log_probability.sum()), z

    def predict(self, X: ArrayLike, lengths: ArrayLike | None = None) -> IntArray:
        """States (T,) of the most likely path; not the most likely state of each step."""
        return self.decode(X, lengths)[1]

    def sample(
        self, n_samples: int = 1, random_state: RandomState = None, currstate: int | None = None
    ) -> tuple[np.ndarray, IntArray]:
        """Draw one sequence and its states.

        Parameters
        ----------
        n_samples : int
            Length of the sequence.
        random_state : int, Generator, RandomState or None
            None takes the model's own.
        currstate : int or None
            State of the first step; drawn from ``startprob_`` if None.

        Returns
        -------
        X : (n_samples, 1) array of int or (n_samples, d) array
        states : (n_samples,) array of int
        """
        check_integer(n_samples, "n_samples")
        self._check_model()
        K = self.n_components
        if currstate is not None and check_integer(currstate, "currstate", 0) >= K:
            raise ValueError(f"currstate must be a state from 0 to {K - 1}, got {currstate}.")
        rng = check_rng(self.random_state if random_state is None else random_state)
        u = rng.random(n_samples)
        # where each state would go at each step: drawn for all states, followed along the path
        leads = np.stack([draw_categories(np.tile(row, (n_samples, 1)), u) for row in self.transmat_])
        states = np.empty(n_samples, dtype=np.intp)
        states[0] = draw_categories(self.startprob_[None], u[:1])[0] if currstate is None else currstate
        for t in range(1, n_samples):
            states[t] = leads[states[t - 1], t]
        return self._draw(states, rng), states

    def aic(self, X: ArrayLike, lengths: ArrayLike | None = None) -> float:
        """Akaike's criterion ``2 p - 2 log-likelihood``, p free parameters :eq:`hmm-parameters`; smaller is better."""
        return 2.0 * self._n_parameters() - 2.0 * self.score(X, lengths)

    def bic(self, X: ArrayLike, lengths: ArrayLike | None = None) -> float:
        """Bayes criterion ``p log T - 2 log-likelihood``, p as in :meth:`aic`, T steps in all; smaller is better."""
        return self._n_parameters() * float(np.log(len(self._check_X(X)))) - 2.0 * self.score(X, lengths)

    def _n_parameters(self) -> int:
        self._check_model()
        return self.n_components**2 - 1 + self._n_emission_parameters()  # hmm-parameters

    def _start(self, x: np.ndarray, rng: np.random.Generator) -> None:
        """Random starting values for the groups in ``init_params``."""
        K = int(self.n_components)
        if "s" in self.init_params:
            self.startprob_ = rng.dirichlet(np.ones(K))
        if "t" in self.init_params:
            self.transmat_ = rng.dirichlet(np.ones(K), size=K)
        self._start_emission(x, rng)

    def _ready(self, X: ArrayLike, lengths: ArrayLike | None) -> fast.Chain:
        x = self._check_X(X)
        return self._chain(x, checks.check_lengths(lengths, len(x)))

    def _chain(self, x: np.ndarray, lengths: IntArray) -> fast.Chain:
        self._check_model()
        table, column = self._emission(x)
        return fast.Chain(np.asarray(self.startprob_, float), np.asarray(self.transmat_, float), table, column, lengths)

    def _check_model(self) -> None:
        K = check_integer(self.n_components, "n_components")
        self.startprob_ = check_distribution(self._get("startprob_"), "startprob_", (K,))
        self.transmat_ = check_distribution(self._get("transmat_"), "transmat_", (K, K))
        self._check_emission()

    def _get(self, name: str) -> Any:
        if not hasattr(self, name):
            raise NotFittedError(f"{type(self).__name__} has no {name}: call fit or set it.")
        return getattr(self, name)

    @abstractmethod
    def _check_X(self, X: ArrayLike) -> np.ndarray:
        """Checked observations, one a row."""

    @abstractmethod
    def _emission(self, x: np.ndarray) -> tuple[FloatArray, IntArray]:
        """Log-emissions as a table (K, S), and the column (T,) of each observation."""

    @abstractmethod
    def _start_emission(self, x: np.ndarray, rng: np.random.Generator) -> None:
        """Starting values of the emissions."""

    @abstractmethod
    def _update(self, x: np.ndarray, posterior: FloatArray) -> None:
        """M-step of the emissions."""

    @abstractmethod
    def _draw(self, states: IntArray, rng: np.random.Generator) -> np.ndarray:
        """An observation from each state."""

    @abstractmethod
    def _check_emission(self) -> None:
        """Check the parameters of the emissions."""

    @abstractmethod
    def _n_emission_parameters(self) -> int:
        """Number of free parameters of the emissions."""


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
    covariance_type : {'diag', 'full'}
    min_covar : float
        Floor of the variances ('diag') or of the eigenvalues of the covariances ('full'), in units of X squared.
    random_state, n_iter, tol
        As in :class:`CategoricalHMM`.
    params, init_params : str
        As in :class:`CategoricalHMM`, with 'm' for ``means_`` and 'c' for ``covars_``. ``fit`` starts from the centres
        of :class:`~notes_lib.clustering.kmeans.KMeans` and the covariance of all rows.

    Attributes
    ----------
    startprob_, transmat_ : (K,) and (K, K) arrays
    means_ : (K, d) array
    covars_ : (K, d) array for 'diag', (K, d, d) array for 'full'
        Read and written in this shape (hmmlearn reads (K, d, d) in both cases). All four may be set by hand.
    monitor_ : Monitor
    n_iter_ : int

    Notes
    -----
    An update costs O(T K (K + d)) for 'diag', O(T K (K + d^2)) for 'full'. ``fit`` is plain maximum likelihood with a
    floor; hmmlearn's GaussianHMM has a prior on the covariances by default: set its ``covars_prior=0`` to compare.

    Examples
    --------
    >>> model = GaussianHMM(2, random_state=0).fit([[0.1], [-0.1], [0.0], [5.1], [4.9], [5.0]])
    >>> sorted(model.means_.ravel().round(2).tolist())
    [0.0, 5.0]
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
        check_choice(self.covariance_type, "covariance_type", COVARIANCE_TYPES)
        if "m" in self.init_params:
            checks.check_enough(x, K)
            self.means_ = KMeans(K, n_init=1, random_state=rng).fit(x).cluster_centers_
        if "c" in self.init_params:
            S = np.cov(x.T, bias=True).reshape(d, d) + self.min_covar * np.eye(d)
            self.covars_ = np.repeat((S if self.covariance_type == "full" else np.diag(S))[None], K, axis=0)

    def _update(self, x: FloatArray, posterior: FloatArray) -> None:
        means, covars = gaussian_m_step(x, posterior, self.means_, self.covars_, self.covariance_type, self.min_covar)
        self.means_ = means if "m" in self.params else self.means_  # hmm-update-mean
        self.covars_ = covars if "c" in self.params else self.covars_  # hmm-update-covariance

    def _draw(self, states: IntArray, rng: np.random.Generator) -> FloatArray:
        Z = rng.standard_normal((len(states), self.means_.shape[1]))
        if self.covariance_type == "diag":
            return self.means_[states] + np.sqrt(self.covars_)[states] * Z
        L = np.array([cholesky_factor(S, "covars_") for S in self.covars_])
        return self.means_[states] + np.einsum("nij,nj->ni", L[states], Z)

    def _check_emission(self) -> None:
        check_choice(self.covariance_type, "covariance_type", COVARIANCE_TYPES)
        self.means_ = check_shape(self._get("means_"), "means_", (self.n_components, None))
        d = self.means_.shape[1]
        shape = (self.n_components, d) if self.covariance_type == "diag" else (self.n_components, d, d)
        self.covars_ = check_shape(self._get("covars_"), "covars_", shape)

    def _n_emission_parameters(self) -> int:
        K, d = self.means_.shape
        return K * d + (K * d if self.covariance_type == "diag" else K * d * (d + 1) // 2)


def draw_categories(P: FloatArray, u: FloatArray) -> IntArray:
    """Category (n,) of each row of ``P`` (n, M) for uniform numbers ``u`` (n,); never one of probability 0."""
    bounds = np.cumsum(P, axis=1)
    return (u[:, None] * bounds[:, -1:] >= bounds).sum(axis=1)

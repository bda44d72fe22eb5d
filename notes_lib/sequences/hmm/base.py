"""What all hidden Markov models share, however their states emit."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from notes_lib.bayes.bayesian_network.parameters import Parameters
from notes_lib.checks import FloatArray, IntArray, check_distribution, check_integer, check_real
from notes_lib.numerics import RandomState, check_rng
from notes_lib.sequences.hmm import checks
from notes_lib.sequences.hmm.filtering import forward
from notes_lib.sequences.hmm.lanes import Chain
from notes_lib.sequences.hmm.steps import decode, expect
from notes_lib.sequences.hmm.updates import normalize_counts


class Monitor(NamedTuple):
    """``history``: log-likelihood in nats before each update; ``iter``: number of updates; ``converged``."""

    history: list[float]
    iter: int
    converged: bool


class BaseHMM(Parameters, ABC):
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
        lanes, _, filtered = forward(self._ready(X, lengths))
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

    def _ready(self, X: ArrayLike, lengths: ArrayLike | None) -> Chain:
        x = self._check_X(X)
        return self._chain(x, checks.check_lengths(lengths, len(x)))

    def _chain(self, x: np.ndarray, lengths: IntArray) -> Chain:
        self._check_model()
        table, column = self._emission(x)
        return Chain(np.asarray(self.startprob_, float), np.asarray(self.transmat_, float), table, column, lengths)

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


def draw_categories(P: FloatArray, u: FloatArray) -> IntArray:
    """Category (n,) of each row of ``P`` (n, M) for uniform numbers ``u`` (n,); never one of probability 0."""
    bounds = np.cumsum(P, axis=1)
    return (u[:, None] * bounds[:, -1:] >= bounds).sum(axis=1)

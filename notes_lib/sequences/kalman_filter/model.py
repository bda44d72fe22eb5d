"""The estimator: filter, smoother, likelihood, draws, and parameters by EM."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.bayes.bayesian_network.parameters import Parameters
from notes_lib.checks import FloatArray, check_choice, check_integer
from notes_lib.numerics import RandomState, check_rng
from notes_lib.sequences.kalman_filter import checks
from notes_lib.sequences.kalman_filter.em import em_update
from notes_lib.sequences.kalman_filter.passes import (
    Estimates,
    by_series,
    covariances_by_series,
    filter_pass,
    smoother_pass,
)

EM_VARS = ("transition_covariance", "observation_covariance", "initial_state_mean", "initial_state_covariance")


class KalmanFilter(Parameters):
    """State that moves by a linear rule with Gaussian noise, and noisy linear observations of it.

    Parameters
    ----------
    transition_matrices : (d, d) or (T - 1, d, d) array
        A, or one for each move of a series of T steps.
    observation_matrices : (m, d) or (T, m, d) array
        C, or one for each step.
    transition_covariance, observation_covariance : (d, d) and (m, m) arrays
        Q and R, symmetric positive semidefinite.
    initial_state_mean, initial_state_covariance : (d,) and (d, d) arrays
        Of the state of the first step *before* its observation. A large covariance says that little is known.

    Attributes
    ----------
    objective_ : list of float
        After :meth:`em`: log-likelihood in nats before each update, and after the last.
    n_iter_ : int
        Number of updates.

    Notes
    -----
    Names and conventions are those of pykalman. A series is an array (T, m), also (T,) for m = 1; several of one length
    are an array (N, T, m), and the results then have a first axis more. What is missing is masked, single numbers too.

    A step costs O(d^3 + d^2 m + m^3) until the covariances repeat to rounding, at the steady state, and O(d^2) from
    then on; N series with the same gaps share the covariances.

    Source: Kalman (1960); Rauch, Tung and Striebel (1965); Durbin and Koopman (2012), chapter 4.

    Examples
    --------
    >>> model = KalmanFilter([[1.0]], [[1.0]], [[1.0]], [[2.0]], [0.0], [[2.0]])
    >>> means, covariances = model.filter([3.0, 6.0])
    >>> means.ravel()
    array([1.5 , 3.75])
    >>> model.smooth([3.0, 6.0]).means.ravel()
    array([2.625, 3.75 ])
    """

    def __init__(
        self,
        transition_matrices: ArrayLike,
        observation_matrices: ArrayLike,
        transition_covariance: ArrayLike,
        observation_covariance: ArrayLike,
        initial_state_mean: ArrayLike,
        initial_state_covariance: ArrayLike,
    ) -> None:
        self.transition_matrices: Any = transition_matrices
        self.observation_matrices: Any = observation_matrices
        self.transition_covariance: Any = transition_covariance
        self.observation_covariance: Any = observation_covariance
        self.initial_state_mean: Any = initial_state_mean
        self.initial_state_covariance: Any = initial_state_covariance

    def filter(self, X: ArrayLike) -> Estimates:
        """Mean and covariance of each state, given the observations up to its step; :eq:`kalman-filter-update-mean`.

        Parameters
        ----------
        X : (T, m) array, (T,) if m = 1, or (N, T, m); masked where an observation is missing
            Rows that are masked at the end are forecast: C times the mean is the forecast of what will be seen.

        Returns
        -------
        Estimates
            A pair: ``means`` (T, d) and ``covariances`` (T, d, d), or (N, T, d) and (N, T, d, d).

        Raises
        ------
        ValueError
            If shapes do not fit, a covariance is not symmetric positive semidefinite, ``X`` holds NaN or infinity
            outside a mask or is masked as a whole, or an observation has a singular covariance.
        TypeError
            If something holds no real numbers.
        """
        model, series = self._checked(X)
        found = filter_pass(model, series)
        return self._estimates(found.means, found.gains.P, series)

    def smooth(self, X: ArrayLike) -> Estimates:
        """Mean and covariance of each state, given the whole series; :eq:`kalman-filter-smooth-mean`.

        Parameters, results and errors are those of :meth:`filter`.
        """
        model, series = self._checked(X)
        found = smoother_pass(model, filter_pass(model, series))
        return self._estimates(found.means, found.covariances, series)

    def score(self, X: ArrayLike) -> float | FloatArray:
        """Log-likelihood of the observations in nats, :eq:`kalman-filter-likelihood`; of N series, an array (N,).

        Numbers that are missing count for nothing. Errors are those of :meth:`filter`.
        """
        model, series = self._checked(X)
        values = filter_pass(model, series).log_likelihood.ravel()
        return float(values[0]) if series.single else values

    def em(self, X: ArrayLike, n_iter: int = 10, em_vars: tuple[str, ...] | list[str] = EM_VARS) -> KalmanFilter:
        """Improve parameters by EM: :eq:`kalman-filter-em-q`, :eq:`kalman-filter-em-r`. They replace the present ones.

        Parameters
        ----------
        X : array as in :meth:`filter`
            A row is observed or masked as a whole.
        n_iter : int
            Number of updates.
        em_vars : names of the parameters that are learned
            By default, as in pykalman: both covariances of the noise, the initial mean and the initial covariance.

        Returns
        -------
        the model itself
            Every update raises the log-likelihood, or leaves it where it is.

        Raises
        ------
        ValueError, TypeError
            As :meth:`filter`; if there are fewer than two steps, matrices change with the step, a row is masked in
            part, ``n_iter`` is not a positive integer, or a name is unknown.

        Notes
        -----
        A filter and a smoother for each update. Source: Shumway and Stoffer (1982).
        """
        check_integer(n_iter, "n_iter")
        for name in em_vars:
            check_choice(name, "em_vars", checks.PARAMETERS)
        model, series = self._checked(X)
        checks.check_constant(model, "em")
        checks.check_rows(series)
        self.objective_: list[float] = []
        for _ in range(n_iter):
            filtered = filter_pass(model, series)
            self.objective_.append(float(filtered.log_likelihood.sum()))
            model = em_update(model, series, smoother_pass(model, filtered), em_vars)
        self.objective_.append(float(filter_pass(model, series).log_likelihood.sum()))
        self.n_iter_ = n_iter
        for name, value in zip(checks.PARAMETERS, model, strict=True):
            if name in em_vars:
                setattr(self, name, value)
        return self

    def sample(self, n_timesteps: int, random_state: RandomState = None) -> tuple[FloatArray, FloatArray]:
        """Draw a series by :eq:`kalman-filter-dynamics` and :eq:`kalman-filter-observation`.

        Parameters
        ----------
        n_timesteps : int
            T, at least 1.
        random_state : int, Generator, RandomState or None

        Returns
        -------
        states : (T, d) array
        observations : (T, m) array

        Raises
        ------
        ValueError, TypeError
            If a parameter does not fit, or ``n_timesteps`` is not a positive integer.
        """
        T, model = check_integer(n_timesteps, "n_timesteps"), checks.check_model(self.get_params())
        checks.check_steps(model, T)
        rng, d = check_rng(random_state), len(model.mu)
        w, v = rng.standard_normal((T, d)), rng.standard_normal((T, len(model.R)))
        w[0] = model.mu + root(model.P) @ w[0]
        w[1:] = w[1:] @ root(model.Q).T
        for t in range(1, T):
            w[t] += (model.A if model.A.ndim == 2 else model.A[t - 1]) @ w[t - 1]
        return w, (model.C @ w[:, :, None])[:, :, 0] + v @ root(model.R).T

    def _checked(self, X: ArrayLike) -> tuple[checks.Model, checks.Series]:
        model = checks.check_model(self.get_params())
        return model, checks.check_series(X, model)

    def _estimates(self, means: FloatArray, covariances: FloatArray, series: checks.Series) -> Estimates:
        N = series.Y.shape[2]
        m, P = by_series(means, N), covariances_by_series(covariances, N)
        return Estimates(m[0], P[0]) if series.single else Estimates(m, P)


def root(S: FloatArray) -> FloatArray:
    """A square root (d, d) of a covariance: root times its transpose is S."""
    values, vectors = np.linalg.eigh(S)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))

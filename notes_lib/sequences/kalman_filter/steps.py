"""The steps of the derivation: prediction, gain, update, smoother, steady state, and the updates of EM."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve

from notes_lib.checks import FloatArray, check_matrix, check_shape, check_vector
from notes_lib.numerics import cholesky_factor, log_gaussian
from notes_lib.sequences.kalman_filter import checks

MOST_DOUBLINGS, MOST_STEPS = 60, 3000


class Prediction(NamedTuple):
    """``mean`` (d,) and ``covariance`` (d, d) of the state before the next observation."""

    mean: FloatArray
    covariance: FloatArray


class Update(NamedTuple):
    """What an observation changes, and how likely it was.

    Filtered ``mean`` (d,) and ``covariance`` (d, d); ``gain`` (d, m); ``innovation`` (m,), its covariance (m, m) and
    its log-density in nats.
    """

    mean: FloatArray
    covariance: FloatArray
    gain: FloatArray
    innovation: FloatArray
    innovation_covariance: FloatArray
    log_density: float


class SteadyState(NamedTuple):
    """Where the covariances settle: ``predicted`` and ``filtered`` (d, d), and the ``gain`` (d, m)."""

    predicted: FloatArray
    filtered: FloatArray
    gain: FloatArray


def predict_step(mean: ArrayLike, covariance: ArrayLike, A: ArrayLike, Q: ArrayLike) -> Prediction:
    """Move the state one step: :eq:`kalman-filter-predict-mean` and :eq:`kalman-filter-predict-covariance`.

    Parameters
    ----------
    mean, covariance : (d,) and (d, d) arrays
        Of the state, given the observations so far.
    A, Q : (d, d) arrays
        Transition matrix and covariance of the noise of a move.

    Returns
    -------
    Prediction

    Raises
    ------
    ValueError
        If shapes do not fit, or a covariance is not symmetric positive semidefinite.

    Notes
    -----
    O(d^3) time. Source: Kalman (1960).

    Examples
    --------
    >>> predict_step([1.0], [[2.0]], [[0.5]], [[1.0]])
    Prediction(mean=array([0.5]), covariance=array([[1.5]]))
    """
    m, P = checks.check_state(mean, covariance)
    A = check_shape(A, "A", P.shape)
    Q = checks.check_covariance(Q, "Q", len(m))
    return Prediction(A @ m, A @ P @ A.T + Q)  # kalman-filter-predict-mean, kalman-filter-predict-covariance


def kalman_gain(covariance: ArrayLike, C: ArrayLike, R: ArrayLike) -> FloatArray:
    """How far the state follows an innovation, :eq:`kalman-filter-gain`.

    Parameters
    ----------
    covariance : (d, d) array
        Of the state before the observation.
    C, R : (m, d) and (m, m) arrays
        Observation matrix and covariance of its noise.

    Returns
    -------
    (d, m) array

    Raises
    ------
    ValueError
        If shapes do not fit, a covariance is not symmetric positive semidefinite, or the innovation has a singular
        covariance: a number observed without noise that is known before.

    Notes
    -----
    O(d^2 m + m^3) time.

    Examples
    --------
    >>> kalman_gain([[3.0]], [[1.0]], [[1.0]])
    array([[0.75]])
    """
    P = checks.check_covariance(covariance, "covariance", len(np.atleast_1d(covariance)))
    C, R = checks.check_observation(C, R, len(P))
    L = cholesky_factor(C @ P @ C.T + R, "the innovation covariance C P C' + R")
    return np.asarray(cho_solve((L, True), C @ P).T)  # kalman-filter-gain


def joseph(covariance: ArrayLike, gain: ArrayLike, C: ArrayLike, R: ArrayLike) -> FloatArray:
    """Covariance after an update with *any* gain, :eq:`kalman-filter-joseph`; never indefinite.

    Parameters
    ----------
    covariance : (d, d) array
        Of the state before the observation.
    gain : (d, m) array
    C, R : (m, d) and (m, m) arrays

    Returns
    -------
    (d, d) array

    Raises
    ------
    ValueError
        If shapes do not fit, or a covariance is not symmetric positive semidefinite.

    Notes
    -----
    O(d^3 + d^2 m) time. Source: Bucy and Joseph (1968).

    Examples
    --------
    >>> joseph([[3.0]], [[0.5]], [[1.0]], [[1.0]])
    array([[1.]])
    """
    P = checks.check_covariance(covariance, "covariance", len(np.atleast_1d(covariance)))
    C, R = checks.check_observation(C, R, len(P))
    K = check_shape(gain, "gain", C.T.shape)
    J = np.eye(len(P)) - K @ C
    return J @ P @ J.T + K @ R @ K.T  # kalman-filter-joseph


def update_step(mean: ArrayLike, covariance: ArrayLike, y: ArrayLike, C: ArrayLike, R: ArrayLike) -> Update:
    """Take in an observation: :eq:`kalman-filter-innovation`, :eq:`kalman-filter-update-mean` and
    :eq:`kalman-filter-joseph`.

    Parameters
    ----------
    mean, covariance : (d,) and (d, d) arrays
        Of the state before the observation.
    y : (m,) array
    C, R : (m, d) and (m, m) arrays
        Observation matrix and covariance of its noise.

    Returns
    -------
    Update

    Raises
    ------
    ValueError
        As :func:`kalman_gain`, and if ``y`` does not fit or is not finite.

    Notes
    -----
    O(d^3 + d^2 m + m^3) time. Source: Kalman (1960).

    Examples
    --------
    >>> found = update_step([0.0], [[3.0]], [4.0], [[1.0]], [[1.0]])
    >>> found.mean, found.covariance, found.gain
    (array([3.]), array([[0.75]]), array([[0.75]]))
    """
    m, P = checks.check_state(mean, covariance)
    C, R = checks.check_observation(C, R, len(m))
    y = check_vector(y, "y", len(C))
    e, S = y - C @ m, C @ P @ C.T + R  # kalman-filter-innovation
    K = kalman_gain(P, C, R)
    log_density = float(log_gaussian(e[None], np.zeros(len(e)), cholesky_factor(S))[0])  # kalman-filter-likelihood
    return Update(m + K @ e, joseph(P, K, C, R), K, e, S, log_density)  # kalman-filter-update-mean


def smoother_gain(covariance: ArrayLike, A: ArrayLike, predicted: ArrayLike) -> FloatArray:
    """How far a state follows what is learned about the next one, :eq:`kalman-filter-smoother-gain`.

    Parameters
    ----------
    covariance : (d, d) array
        Filtered, of the state.
    A : (d, d) array
        Transition matrix.
    predicted : (d, d) array
        Covariance of the next state before its observation; if singular, its pseudo-inverse is taken.

    Returns
    -------
    (d, d) array

    Raises
    ------
    ValueError
        If shapes do not fit, or a covariance is not symmetric positive semidefinite.

    Notes
    -----
    O(d^3) time.

    Examples
    --------
    >>> smoother_gain([[3.0]], [[1.0]], [[4.0]])
    array([[0.75]])
    """
    P = checks.check_covariance(covariance, "covariance", len(np.atleast_1d(covariance)))
    A = check_shape(A, "A", P.shape)
    ahead = checks.check_covariance(predicted, "predicted", len(P))
    try:
        return np.asarray(cho_solve((cholesky_factor(ahead), True), A @ P).T)  # kalman-filter-smoother-gain
    except np.linalg.LinAlgError:
        return np.asarray((np.linalg.pinv(ahead, hermitian=True) @ A @ P).T)


def smooth_step(
    mean: ArrayLike,
    covariance: ArrayLike,
    predicted: tuple[ArrayLike, ArrayLike],
    smoothed: tuple[ArrayLike, ArrayLike],
    A: ArrayLike,
) -> Prediction:
    """Carry what is known of the next state back: :eq:`kalman-filter-smooth-mean`,
    :eq:`kalman-filter-smooth-covariance`.

    Parameters
    ----------
    mean, covariance : (d,) and (d, d) arrays
        Filtered, of the state.
    predicted, smoothed : pairs (mean, covariance)
        Of the *next* state: before its observation, and given the whole series.
    A : (d, d) array
        Transition matrix from this state to the next.

    Returns
    -------
    Prediction
        Mean and covariance of the state, given the whole series.

    Raises
    ------
    ValueError
        If shapes do not fit, or a covariance is not symmetric positive semidefinite.

    Notes
    -----
    O(d^3) time. Source: Rauch, Tung and Striebel (1965).

    Examples
    --------
    >>> smooth_step([0.0], [[3.0]], ([0.0], [[4.0]]), ([2.0], [[1.0]]), [[1.0]])
    Prediction(mean=array([1.5]), covariance=array([[1.3125]]))
    """
    m, P = checks.check_state(mean, covariance)
    m_ahead, P_ahead = checks.check_state(*predicted)
    m_next, P_next = checks.check_state(*smoothed)
    if not len(m) == len(m_ahead) == len(m_next):
        raise ValueError(
            f"mean, predicted and smoothed must have one length, got {len(m)}, {len(m_ahead)}, {len(m_next)}."
        )
    G = smoother_gain(P, A, P_ahead)
    return Prediction(m + G @ (m_next - m_ahead), P + G @ (P_next - P_ahead) @ G.T)  # kalman-filter-smooth-mean


def steady_state(A: ArrayLike, C: ArrayLike, Q: ArrayLike, R: ArrayLike) -> SteadyState:
    """Where the covariances of a filter settle: the solution of Riccati's equation :eq:`kalman-filter-riccati`.

    Parameters
    ----------
    A, C, Q, R : (d, d), (m, d), (d, d) and (m, m) arrays
        Transition and observation matrix, and the covariances of their noise; R positive definite.

    Returns
    -------
    SteadyState

    Raises
    ------
    ValueError
        If shapes do not fit, Q or R is no covariance, R is singular, or no steady state with a stable filter exists:
        a part of the state that does not die out is not observed, or one that stays as it is is not disturbed.

    Notes
    -----
    Doubling: the k-th of its steps, O(d^3) each, is where 2^k steps of the filter lead from a known start. Source:
    Anderson and Moore (1979), sections 4.4 and 6.7.

    Examples
    --------
    >>> steady_state([[1.0]], [[1.0]], [[2.0]], [[1.0]]).gain
    array([[0.73205081]])
    """
    A = check_matrix(A, "A", square=True)
    Q = checks.check_covariance(Q, "Q", len(A))
    C, R = checks.check_observation(C, R, len(A))
    L = cholesky_factor(R, "R")
    F, G, P = A.T, C.T @ cho_solve((L, True), C), Q
    for _ in range(MOST_DOUBLINGS):
        with np.errstate(over="ignore", invalid="ignore"):
            before, (F, G, P) = P, double(F, G, P)
        if not np.isfinite(F).all() or np.abs(P - before).max() <= 1e-14 * np.abs(P).max():
            break
    found = settled(P, A, C, Q, R)
    if found is None:  # what grows and is not pushed is forgotten only from a vague start
        P = Q + np.eye(len(A)) * (1 + np.trace(Q))
        for _ in range(MOST_STEPS):
            before, P = P, riccati_step(P, A, C, Q, R)
            if not np.abs(P).max() < 1e100 or np.abs(P - before).max() <= 1e-14 * np.abs(P).max():
                break
        found = settled(P, A, C, Q, R)
    if found is None:
        raise ValueError(
            "no steady state with a stable filter: a part of the state that does not die out by itself (an eigenvalue "
            "of A of size 1 or more) is not observed through C, or one that stays as it is is not disturbed by Q."
        )
    return found


def riccati_step(P: FloatArray, A: FloatArray, C: FloatArray, Q: FloatArray, R: FloatArray) -> FloatArray:
    """The predicted covariance of the next step; :eq:`kalman-filter-riccati` says where it stays."""
    P = A @ (P - P @ C.T @ np.linalg.solve(C @ P @ C.T + R, C @ P)) @ A.T + Q  # kalman-filter-riccati
    return (P + P.T) / 2


def settled(P: FloatArray, A: FloatArray, C: FloatArray, Q: FloatArray, R: FloatArray) -> SteadyState | None:
    """The steady state that a predicted covariance belongs to; None if it moves on, or the filter is not stable."""
    if not np.abs(P).max() < 1e100:
        return None
    ahead = riccati_step(P, A, C, Q, R)
    K = kalman_gain(ahead, C, R)
    stable = np.abs(np.linalg.eigvals(A - A @ K @ C)).max() < 1 - 1e-8  # kalman-filter-closed-loop
    stays = np.abs(ahead - P).max() <= 1e-9 * np.abs(P).max()
    return SteadyState(ahead, joseph(ahead, K, C, R), K) if stable and stays else None


def double(F: FloatArray, G: FloatArray, H: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """From a map that leads k steps ahead, ``P -> H + F' P (I + G P)^-1 F``, to the one that leads 2 k."""
    W = np.linalg.solve(np.eye(F.shape[-1]) + G @ H, np.concatenate([F, G], axis=-1))
    d = F.shape[-1]
    WF, WG = W[..., :d], W[..., d:]
    turned = F.swapaxes(-1, -2)
    H, G = H + turned @ H @ WF, G + F @ WG @ turned
    return F @ WF, (G + G.swapaxes(-1, -2)) / 2, (H + H.swapaxes(-1, -2)) / 2

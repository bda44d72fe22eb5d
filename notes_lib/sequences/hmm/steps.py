"""Steps of the chapter *Hidden Markov models*, in the order of its derivation.

Emissions enter the functions as ``log_emission`` (T, K), the log-probability or log-density of each observation under
each state, so that every function serves any kind of emission.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_codes, check_distribution
from notes_lib.sequences.hmm import best_path, checks, filtering, smoothing
from notes_lib.sequences.hmm.lanes import Chain


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


class ForwardPass(NamedTuple):
    """``filtered`` (T, K), p(z_t = k | x_1..t), rows sum to 1; ``log_scale`` (T,), nats; ``log_likelihood`` its sum."""

    filtered: FloatArray
    log_scale: FloatArray
    log_likelihood: float


class BackwardPass(NamedTuple):
    """``messages`` (T, K), rows sum to 1; ``log_scale`` (T,), nats: log beta_t = log(messages) + log_scale."""

    messages: FloatArray
    log_scale: FloatArray


def joint_log_probability(
    startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike, states: ArrayLike
) -> float:
    """Log-probability of a path and the observations together; :eq:`hmm-joint`.

    Parameters
    ----------
    startprob, transmat, log_emission
        As in :func:`forward`.
    states : (T,) array of int

    Returns
    -------
    float, nats; -inf if the model excludes it

    Raises
    ------
    ValueError
        If a shape or a distribution is wrong, or a state is not from 0 to K - 1.

    Notes
    -----
    O(T K + K^2) time and memory: the path takes 2 T terms, checks and logarithms the rest.

    Examples
    --------
    >>> A, E = [[0.9, 0.1], [0.2, 0.8]], np.log([[0.5, 0.1], [0.5, 0.9]])
    >>> float(np.exp(joint_log_probability([0.5, 0.5], A, E, [0, 1])).round(4))  # 0.5 * 0.5 * 0.1 * 0.9
    0.0225
    """
    pi, A, E = _model(startprob, transmat, log_emission)
    z = check_codes(states, "states", *E.shape)
    with np.errstate(divide="ignore"):
        steps = np.log(A)[z[:-1], z[1:]].sum() + np.log(pi[z[0]])
    return float(steps + E[np.arange(len(z)), z].sum())  # hmm-joint


def forward_step(alpha: ArrayLike, transmat: ArrayLike, emission: ArrayLike) -> FloatArray:
    """One step of the plain forward recursion, ``(alpha A) * e``; :eq:`hmm-forward`.

    From ``alpha`` (K,) = p(x_1..t-1, z_t-1 = k) and ``emission`` (K,) = p(x_t | z_t = k) to p(x_1..t, z_t = k).
    O(K^2) time; nothing is checked, as it is one step of a loop.

    Examples
    --------
    >>> forward_step([0.5, 0.25], [[0.8, 0.2], [0.4, 0.6]], [0.5, 0.2])
    array([0.25, 0.05])
    """
    return (np.asarray(alpha) @ np.asarray(transmat)) * np.asarray(emission)  # hmm-forward


def forward(startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike) -> ForwardPass:
    """Scaled forward pass: p(z_t = k | x_1..t) and the log-likelihood.

    Implements :eq:`hmm-forward` in the scaled form :eq:`hmm-predict`, :eq:`hmm-scale` and :eq:`hmm-filter`; on
    logarithms, :eq:`hmm-log-forward`, where scaling could lose a state.

    Parameters
    ----------
    startprob : (K,) array
        p(z_1 = k), sums to 1.
    transmat : (K, K) array
        ``transmat[i, j]`` = p(z_t+1 = j | z_t = i), rows sum to 1.
    log_emission : (T, K) array
        log p(x_t | z_t = k) in nats; -inf marks an impossible state.

    Returns
    -------
    ForwardPass
        ``filtered`` (T, K), ``log_scale`` (T,) = log p(x_t | x_1..t-1), ``log_likelihood`` its sum.

    Raises
    ------
    ValueError
        If a shape or a distribution is wrong, or the sequence has probability zero (says at which step).

    Notes
    -----
    O(T K^2) time, O(T K) memory. Source: Rabiner (1989), sections III-A and V-A.

    Examples
    --------
    >>> A, E = [[0.7, 0.3], [0.3, 0.7]], np.log([[0.9, 0.2], [0.9, 0.2]])  # umbrella on both days
    >>> forward([0.5, 0.5], A, E).filtered.round(3)
    array([[0.818, 0.182],
           [0.883, 0.117]])
    """
    pi, A, E = _model(startprob, transmat, log_emission)
    lanes, _, filtered = filtering.forward(Chain(pi, A, E.T, np.arange(len(E)), np.array([len(E)])))
    alpha = filtered.alpha if filtered.c is not None else np.exp(filtered.alpha)
    log_scale = lanes.restore(filtered.log_scale)
    return ForwardPass(lanes.restore(alpha), log_scale, float(log_scale.sum()))  # hmm-scaled-likelihood


def backward_step(beta: ArrayLike, transmat: ArrayLike, emission: ArrayLike) -> FloatArray:
    """One step of the plain backward recursion, ``A (e * beta)``; :eq:`hmm-backward`.

    From ``beta`` (K,) = p(x_t+2..T | z_t+1 = k) and ``emission`` (K,) = p(x_t+1 | z_t+1 = k) to p(x_t+1..T | z_t = k).
    O(K^2) time; nothing is checked, as it is one step of a loop.

    Examples
    --------
    >>> backward_step([1.0, 1.0], [[0.8, 0.2], [0.4, 0.6]], [0.5, 0.2])
    array([0.44, 0.32])
    """
    return np.asarray(transmat) @ (np.asarray(emission) * np.asarray(beta))  # hmm-backward


def backward(transmat: ArrayLike, log_emission: ArrayLike) -> BackwardPass:
    """Scaled backward pass: p(x_t+1..T | z_t = k) for all t and k; :eq:`hmm-backward`.

    Parameters
    ----------
    transmat, log_emission
        As in :func:`forward`.

    Returns
    -------
    BackwardPass
        ``messages`` (T, K), rows sum to 1, the last one 1/K; ``log_scale`` (T,): add it to log messages for log beta.

    Raises
    ------
    ValueError
        If a shape or a distribution is wrong, or the rest of the sequence has probability zero from every state.

    Notes
    -----
    O(T K^2) time, O(T K) memory, one step after another. Source: Rabiner (1989), section III-A.

    Examples
    --------
    >>> A, E = [[0.7, 0.3], [0.3, 0.7]], np.log([[0.9, 0.2], [0.9, 0.2]])
    >>> backward(A, E).messages.round(3)
    array([[0.627, 0.373],
           [0.5  , 0.5  ]])
    """
    A = checks.check_transmat(transmat)
    return BackwardPass(*smoothing.messages(A, checks.check_log_emission(log_emission, len(A)).T))


def posterior(filtered: ArrayLike, messages: ArrayLike) -> FloatArray:
    """Smoothed probabilities p(z_t = k | x_1..T) from both passes; :eq:`hmm-posterior`.

    Parameters
    ----------
    filtered, messages : (T, K) arrays
        From :func:`forward` and :func:`backward`.

    Returns
    -------
    (T, K) array, rows sum to 1

    Raises
    ------
    ValueError
        If the shapes differ or are not (T, K), a number is negative, or the product of a step is 0 in every state.

    Notes
    -----
    O(T K) time and memory.

    Examples
    --------
    >>> posterior([[0.8, 0.2]], [[0.5, 0.5]])
    array([[0.8, 0.2]])
    """
    alpha = checks.check_table("filtered", filtered)
    gamma = alpha * checks.check_messages("messages", messages, alpha.shape)  # hmm-posterior
    total = gamma.sum(axis=-1, keepdims=True)
    for t in np.flatnonzero(total == 0):
        raise ValueError(
            f"step {t}: filtered times messages is 0 in every state: use e_step, which does not underflow."
        )
    return gamma / total


def expected_transitions(
    transmat: ArrayLike, log_emission: ArrayLike, filtered: ArrayLike, messages: ArrayLike
) -> FloatArray:
    """Posterior of two successive states, p(z_t = i, z_t+1 = j | x_1..T); :eq:`hmm-xi`.

    Parameters
    ----------
    transmat, log_emission
        As in :func:`forward`.
    filtered, messages : (T, K) arrays
        From :func:`forward` and :func:`backward`.

    Returns
    -------
    (T - 1, K, K) array
        Each of the T - 1 tables sums to 1. Their sum is the expected number of transitions.

    Raises
    ------
    ValueError
        If a shape or a distribution is wrong, or the product of two steps is 0 for every pair of states.

    Notes
    -----
    O(T K^2) time and memory; :func:`e_step` returns the sum without storing the tables.

    Examples
    --------
    >>> A, E = [[0.7, 0.3], [0.3, 0.7]], np.log([[0.9, 0.2], [0.9, 0.2]])
    >>> xi = expected_transitions(A, E, forward([0.5, 0.5], A, E).filtered, backward(A, E).messages)
    >>> xi.round(3)
    array([[[0.807, 0.077],
            [0.077, 0.04 ]]])
    """
    A = checks.check_transmat(transmat)
    E = checks.check_log_emission(log_emission, len(A))
    alpha = checks.check_messages("filtered", filtered, E.shape)
    e = np.exp(E - np.maximum(E.max(axis=1, keepdims=True), np.finfo(float).min))  # the largest entry of a row is 1
    arrives = e * checks.check_messages("messages", messages, E.shape)
    xi = alpha[:-1, :, None] * A * arrives[1:, None, :]  # hmm-xi
    total = xi.sum(axis=(1, 2), keepdims=True)
    for t in np.flatnonzero(total == 0):
        raise ValueError(f"steps {t} and {t + 1}: the product is 0 for every pair of states: use e_step.")
    return xi / total


def viterbi_step(delta: ArrayLike, transmat: ArrayLike, emission: ArrayLike) -> tuple[FloatArray, IntArray]:
    """One step of the plain Viterbi recursion; :eq:`hmm-viterbi` and :eq:`hmm-pointer`.

    From ``delta`` (K,), the probability of the best path into each state, to the next ``delta`` (K,) and the pointers
    (K,): the state before, on the best path into each state, the first one in a tie. O(K^2) time and memory; nothing
    is checked, as it is one step of a loop.

    Examples
    --------
    >>> viterbi_step([0.5, 0.25], [[0.8, 0.2], [0.4, 0.6]], [0.5, 0.2])
    (array([0.2 , 0.03]), array([0, 1]))
    """
    reach = np.asarray(delta)[:, None] * np.asarray(transmat)  # (from, to)
    return reach.max(axis=0) * np.asarray(emission), reach.argmax(axis=0)  # hmm-viterbi, hmm-pointer


def viterbi(startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike) -> ViterbiPath:
    """Most likely path of states, by :eq:`hmm-log-viterbi` and the way back :eq:`hmm-backtrack`.

    Parameters
    ----------
    startprob, transmat, log_emission
        As in :func:`forward`.

    Returns
    -------
    ViterbiPath
        ``path`` (T,) and the ``log_probability`` of path and observations together, :eq:`hmm-joint`.

    Raises
    ------
    ValueError
        If a shape or a distribution is wrong, or the sequence has probability zero (says at which step).

    Notes
    -----
    O(T K^2) time, O(T K) memory. Paths whose log-probabilities differ by less than about 1e-9 count as equal. Source:
    Viterbi (1967), IEEE Transactions on Information Theory 13, 260-269; Rabiner (1989), section III-B.

    Examples
    --------
    >>> A, E = [[0.7, 0.3], [0.4, 0.6]], np.log([[0.5, 0.1], [0.4, 0.3], [0.1, 0.6]])
    >>> best = viterbi([0.6, 0.4], A, E)
    >>> best.path, round(float(np.exp(best.log_probability)), 5)
    (array([0, 0, 1]), 0.01512)
    """
    pi, A, E = _model(startprob, transmat, log_emission)
    path, log_probability = decode(Chain(pi, A, E.T, np.arange(len(E)), np.array([len(E)])))
    return ViterbiPath(path, float(log_probability[0]))


def e_step(
    startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike, lengths: ArrayLike | None = None
) -> EStep:
    """Everything that an update of Baum-Welch needs, for one sequence or several.

    Implements :eq:`hmm-posterior` and the sums over time and sequences in :eq:`hmm-update-startprob` and
    :eq:`hmm-update-transmat`.

    Parameters
    ----------
    startprob, transmat, log_emission
        As in :func:`forward`; the sequences stand one after another in the rows of ``log_emission``.
    lengths : (N,) array of int or None
        Length of each sequence; one sequence if None.

    Returns
    -------
    EStep
        ``start`` sums to N, ``transitions`` to T - N.

    Raises
    ------
    ValueError
        As in :func:`forward`; also if ``lengths`` do not add up to T.

    Notes
    -----
    O(T K^2) time, O(T K + K^2) memory: the sums of the transitions are kept, not the T - 1 tables.

    Examples
    --------
    >>> A, E = [[0.7, 0.3], [0.3, 0.7]], np.log([[0.9, 0.2], [0.9, 0.2]])
    >>> e_step([0.5, 0.5], A, E).posterior.round(3)
    array([[0.883, 0.117],
           [0.883, 0.117]])
    """
    pi, A, E = _model(startprob, transmat, log_emission)
    return expect(Chain(pi, A, E.T, np.arange(len(E)), checks.check_lengths(lengths, len(E))))


def expect(chain: Chain) -> EStep:
    """E-step of a chain."""
    gamma, start, xi, log_scale = smoothing.e_step(chain)
    first = np.cumsum(chain.lengths) - chain.lengths
    return EStep(gamma, start, xi, np.add.reduceat(log_scale, first))


def path_log_probability(chain: Chain, z: IntArray) -> FloatArray:
    """Log-probability (N,) of paths and observations together; -inf for what the model excludes."""
    with np.errstate(divide="ignore"):
        log_pi, log_A = np.log(chain.pi), np.log(chain.A)
    first = np.cumsum(chain.lengths) - chain.lengths
    steps = chain.table[z, chain.column]
    steps[1:] += np.where(np.isin(np.arange(1, len(z)), first), 0.0, log_A[z[:-1], z[1:]])
    steps[first] += log_pi[z[first]]
    return np.add.reduceat(steps, first)  # hmm-joint


def decode(chain: Chain) -> tuple[IntArray, FloatArray]:
    """Most likely path (T,) and its log-probability (N,), sequence by sequence; refuses impossible sequences."""
    z = best_path.best_paths(chain)
    log_probability = path_log_probability(chain, z)
    if np.isneginf(log_probability).any():
        filtering.forward_in_logs(chain)  # raises, and says at which step
    return z, log_probability


def _model(
    startprob: ArrayLike, transmat: ArrayLike, log_emission: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    A = checks.check_transmat(transmat)
    pi = check_distribution(startprob, "startprob", (len(A),))
    return pi, A, checks.check_log_emission(log_emission, len(A))

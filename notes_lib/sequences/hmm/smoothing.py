"""The backward recursion in lanes: posteriors, expected transitions, and the messages of one sequence."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.sequences.hmm.filtering import Filtered, forward
from notes_lib.sequences.hmm.lanes import (
    SMALL,
    WARM_UP,
    Chain,
    Lanes,
    add_logs,
    product,
    same_ratio,
    settle,
    shifted,
    short,
)


def e_step(chain: Chain, whole: bool = False) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Smoothed probabilities (T, K), their sum over first steps (K,), expected transitions (K, K), log c (T,)."""
    lanes, F, filtered = forward(chain, whole)
    if filtered.c is None:
        gamma, xi = posterior_in_logs(chain, lanes, F, filtered)
    else:
        gamma, xi, settled = posterior_scaled(chain, lanes, F, filtered.alpha, filtered.c)
        if not settled and not whole:
            return e_step(chain, whole=True)
    first = np.cumsum(chain.lengths) - chain.lengths
    posterior = lanes.restore(gamma)
    return posterior, posterior[first].sum(axis=0), xi, lanes.restore(filtered.log_scale)


def posterior_scaled(
    chain: Chain, lanes: Lanes, F: FloatArray, alpha: FloatArray, c: FloatArray
) -> tuple[FloatArray, FloatArray, bool]:
    """``gamma`` (L, K, n), the summed ``xi`` (K, K), and whether the lanes have settled."""
    A = chain.A
    K, L, n = F.shape
    W = np.empty((L, K, n))  # F beta / c: what the step before needs
    gamma = np.empty((L, K, n))

    def run(which: IntArray, boundary: FloatArray) -> FloatArray:
        if len(which) == n:
            return smooth_lanes(boundary, A, F, alpha, c, gamma, W)
        some, arrives = np.empty((L, K, len(which))), np.empty((L, K, len(which)))
        handed = smooth_lanes(
            boundary, A, F.take(which, axis=2), alpha.take(which, axis=2), c.take(which, axis=1), some, arrives
        )
        gamma[:, :, which], W[:, :, which] = some, arrives
        return handed

    guess = np.ones((K, n))
    linked = np.flatnonzero(lanes.after >= 0)
    if linked.size:
        guess[:, linked] = guess_messages(A, F[:, :WARM_UP].take(lanes.after[linked], axis=2))
    settled = settle(run, guess, lanes.after, same_ratio)
    return gamma, A * count_transitions(lanes, alpha, W), settled  # hmm-xi


def smooth_lanes(
    boundary: FloatArray,
    A: FloatArray,
    F: FloatArray,
    alpha: FloatArray,
    c: FloatArray,
    gamma: FloatArray,
    W: FloatArray,
) -> FloatArray:
    """Fill ``gamma`` and ``W`` (L, K, n) from the last step back; returns what the lane before starts from (K, n)."""
    np.divide(np.moveaxis(F, 1, 0), c[:, None], out=W)
    np.divide(boundary, (alpha[-1] * boundary).sum(axis=0), out=gamma[-1])  # sum_k alpha_k beta_k = 1
    first = np.empty_like(boundary)
    zeros = A.min() <= SMALL
    for t in range(len(gamma) - 1, -1, -1):
        Q = gamma[t]
        if zeros:  # where a state cannot be reached beta is not needed, and could overflow
            Q[alpha[t] == 0] = 0.0
        W[t] *= Q
        np.matmul(A, W[t], out=gamma[t - 1] if t else first)  # hmm-backward
    gamma *= alpha  # hmm-posterior
    return first


def count_transitions(lanes: Lanes, alpha: FloatArray, W: FloatArray) -> FloatArray:
    """Sum over all transitions of alpha_t(i) W_{t+1}(j), within lanes and from lane to lane."""
    arrives = W[1:] if lanes.valid.all() else W[1:] * lanes.valid[1:, None]
    within = sum(a @ w.T for a, w in zip(alpha[:-1], arrives, strict=True))
    linked = np.flatnonzero(lanes.after >= 0)
    return within + alpha[-1][:, linked] @ W[0][:, lanes.after[linked]].T


def guess_messages(A: FloatArray, F: FloatArray) -> FloatArray:
    """Backward messages (K, n) at the beginning of the lanes of F (K, L, n), from a flat end; columns sum to 1."""
    Q = np.ones((F.shape[0], F.shape[2]))
    with np.errstate(invalid="ignore", divide="ignore"):
        if short(F):
            Q = product(A, F).sum(axis=2).T
            Q = Q / Q.sum(axis=0)
        else:
            for t in range(F.shape[1] - 1, -1, -1):
                Q = A @ (Q * F[:, t])
                Q /= Q.sum(axis=0)
    return np.where(np.isfinite(Q), Q, 1.0)


def posterior_in_logs(chain: Chain, lanes: Lanes, F: FloatArray, filtered: Filtered) -> tuple[FloatArray, FloatArray]:
    """As :func:`posterior_scaled`, on logarithms and with one lane for each sequence."""
    alpha, log_scale, _ = filtered
    with np.errstate(divide="ignore"):
        log_A = np.log(chain.A)[:, :, None]
    K, L, n = F.shape
    gamma, xi, Q = np.empty((L, K, n)), np.zeros((K, K)), np.zeros((K, n))
    for t in range(L - 1, -1, -1):
        gamma[t] = np.exp(alpha[t] + Q)
        W = Q + F[:, t] - log_scale[t]
        if t:
            joint = np.exp(alpha[t - 1][:, None] + log_A + W) * lanes.valid[t]
            xi += joint.sum(axis=2)
        Q = add_logs(log_A + W, axis=1)
    return gamma, xi


def messages(A: FloatArray, table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Backward messages (T, K) of one sequence, scaled to sum 1, and the logarithms (T,) of what was divided by."""
    with np.errstate(divide="ignore"):
        log_A = np.log(A)
    E, shift = shifted(table)
    K, T = table.shape
    Q, log_scale = np.full((T, K), 1.0 / K), np.full(T, np.log(K))
    small = A.min() <= SMALL
    log_Q = np.log(Q[-1])
    for t in range(T - 2, -1, -1):
        if small:  # on logarithms: a state that cannot be reached may have all the weight, and others matter later
            log_Q = add_logs(log_A + (table[:, t + 1] + log_Q), axis=1)
            s = add_logs(log_Q)
            log_Q = log_Q - s if s > -np.inf else log_Q
            Q[t] = np.exp(log_Q)
        else:
            P = A @ (E[:, t + 1] * Q[t + 1])  # hmm-backward
            total = P.sum()
            s = np.log(total) + shift[t + 1] if total > 0 else -np.inf
            Q[t] = P / total if total > 0 else P
        if s == -np.inf:
            raise ValueError(
                f"step {t + 1} (counted from 0) and what follows have probability zero from every state: check "
                "transmat and log_emission for zeros."
            )
        log_scale[t] = log_scale[t + 1] + s
    return Q, log_scale

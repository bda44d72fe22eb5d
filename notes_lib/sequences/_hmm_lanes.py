"""Plumbing of :mod:`notes_lib.sequences.hmm`: its recursions over many pieces of sequences at a time.

The recursions of a hidden Markov model take T steps one after another, each a product with a K x K matrix, far too
little work for one call of NumPy. Here the sequences are cut into *lanes* of at most L steps, and all lanes take a step
together: arrays are (K, n) with one column for each of the n lanes. A lane that continues another one starts from a
guess, made by a short run over the end of its neighbour. When all lanes are done, a lane whose neighbour ended in
another way than assumed is run again, until no boundary changes.

Why the result is that of the plain recursion: a lane that starts from a vector that is right up to a relative error
``RELATIVE`` in every entry stays so, because products and sums of non-negative numbers never enlarge the largest
relative error of the entries. A chain that does not forget its start is left to the plain recursion, one lane for each
sequence.

Probabilities are scaled to sum 1 at each step. Where scaling could lose a state that matters later (transitions of
probability zero, or nearly so, together with very small numbers) the same recursions run on logarithms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from notes_lib.numerics import FloatArray, IntArray

RELATIVE = 1e-12  # a lane's start counts as known when every entry is known to this relative precision
PASSES = 6  # how often lanes are run again before the plain recursion takes over
SHORTEST, WARM_UP = 64, 96  # steps of a lane at least, steps over a neighbour to guess a start
TINY = 1e-250  # filtered probabilities below are too near to underflow
SMALL = 1e-100  # when all transition probabilities are larger, no state can matter again after it has underflowed


class Lanes(NamedTuple):
    """Where each step of each lane comes from: ``position`` and ``valid`` (L, n); ``before`` and ``after`` (n,).

    ``before`` and ``after`` are the neighbouring lanes of the same sequence, -1 where there is none. Steps that are not
    valid fill up the last lane of a sequence.
    """

    position: IntArray
    valid: np.ndarray
    before: IntArray
    after: IntArray

    def restore(self, Z: np.ndarray) -> np.ndarray:
        """Values (L, K, n) or (L, n) in the order of the data: (T, K) or (T,)."""
        T = int(self.valid.sum())
        flat = np.moveaxis(Z, 0, -1).reshape(*Z.shape[1:-1], -1)  # (K, n L)
        keep = self.valid.T.ravel()
        return (flat[..., :T] if keep[:T].all() else flat[..., keep]).T


class Chain(NamedTuple):
    """A model and its data: ``pi`` (K,), ``A`` (K, K), ``table`` (K, S), nats, and the column of each step (T,)."""

    pi: FloatArray
    A: FloatArray
    table: FloatArray
    column: IntArray
    lengths: IntArray


class Filtered(NamedTuple):
    """Filtered probabilities ``alpha`` (L, K, n), or their logarithms if ``c`` is None; scales (L, n)."""

    alpha: FloatArray
    log_scale: FloatArray
    c: FloatArray | None


def cut(lengths: IntArray, longest: int | None = None) -> Lanes:
    """Cut sequences into lanes of at most ``longest`` steps; by default as many lanes as steps, roughly."""
    L = max(SHORTEST, int(0.6 * np.sqrt(lengths.sum()))) if longest is None else longest
    L = min(L, int(lengths.max()))
    pieces = -(-lengths // L)
    sequence = np.repeat(np.arange(len(lengths)), pieces)
    lane = np.arange(len(sequence))
    within = lane - (np.cumsum(pieces) - pieces)[sequence]
    end = np.cumsum(lengths)[sequence]
    position = (end - lengths[sequence] + within * L) + np.arange(L)[:, None]
    before = np.where(within > 0, lane - 1, -1)
    after = np.where(within < pieces[sequence] - 1, lane + 1, -1)
    return Lanes(position, position < end, before, after)


def settle(
    run: Callable[[IntArray, np.ndarray], np.ndarray],
    guess: np.ndarray,
    neighbour: IntArray,
    same: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> bool:
    """Run all lanes from guessed boundaries, then again those that were guessed wrong; False if they do not settle.

    ``run(which, boundary)`` runs some lanes and returns what they hand on, one column each.
    """
    linked = np.flatnonzero(neighbour >= 0)
    used = guess
    handed = run(np.arange(len(neighbour)), used)
    for _ in range(PASSES):
        wrong = linked[~same(handed[:, neighbour[linked]], used[:, linked])]
        if not wrong.size:
            return True
        used[:, wrong] = handed[:, neighbour[wrong]]
        handed[:, wrong] = run(wrong, used[:, wrong])
    return False


def same_ratio(a: FloatArray, b: FloatArray) -> np.ndarray:
    """Whether columns agree up to a factor, every entry to a relative ``RELATIVE``."""
    with np.errstate(invalid="ignore", divide="ignore"):
        a, b = a / a.sum(axis=0), b / b.sum(axis=0)
        return (np.abs(a - b) <= RELATIVE * b + 1e-280).all(axis=0)


def gather(table: FloatArray, column: IntArray, lanes: Lanes, filler: float) -> FloatArray:
    """Emission values (K, L, n); ``filler`` where a lane is filled up."""
    wide = np.column_stack([table, np.full(len(table), filler)])
    if lanes.valid.all():
        return np.take(wide, column[lanes.position], axis=1)
    position = np.where(lanes.valid, lanes.position, 0)
    return np.take(wide, np.where(lanes.valid, column[position], table.shape[1]), axis=1)


def shifted(table: FloatArray) -> tuple[FloatArray, FloatArray]:
    """``exp(table - shift)`` with 1 as the largest entry of a column, and the shift (S,)."""
    shift = table.max(axis=0)
    shift = np.where(np.isneginf(shift), 0.0, shift)
    return np.exp(table - shift), shift


def add_logs(values: FloatArray, axis: int = 0) -> FloatArray:
    """Logarithm of a sum of exponentials, as SciPy's ``logsumexp``, without its checks: called once a step."""
    largest = values.max(axis=axis, keepdims=True)
    safe = np.where(np.isneginf(largest), 0.0, largest)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(values - safe).sum(axis=axis)) + safe.squeeze(axis)


# ------------------------------------------------------------------------------------------------ forward, filtering


def forward(chain: Chain, whole: bool = False) -> tuple[Lanes, FloatArray, Filtered]:
    """Filter all lanes: the lanes, the emissions (K, L, n) as the recursion used them, and the result."""
    pi, A, table, column, lengths = chain
    lanes = cut(lengths, int(lengths.max()) if whole else None)
    E, shift = shifted(table)
    F = gather(E, column, lanes, 1.0)
    K, L, n = F.shape
    alpha, c = np.empty((L, K, n)), np.empty((L, n))
    head = lanes.before < 0

    def run(which: IntArray, boundary: FloatArray) -> FloatArray:
        prior = np.where(head[which], pi[:, None], A.T @ boundary)
        if len(which) == n:
            filter_lanes(prior, A, F, alpha, c)
        else:
            some, scale = np.empty((L, K, len(which))), np.empty((L, len(which)))
            filter_lanes(prior, A, F.take(which, axis=2), some, scale)
            alpha[:, :, which], c[:, which] = some, scale
        return alpha[-1][:, which]

    guess = np.full((K, n), 1.0 / K)
    linked = np.flatnonzero(~head)
    if linked.size:
        w = min(WARM_UP, L)
        some = np.empty((w, K, len(linked)))
        filter_lanes(
            guess[:, linked], A, np.take(F[:, L - w :], lanes.before[linked], axis=2), some, np.empty((w, len(linked)))
        )
        guess[:, linked] = some[-1]
    if not settle(run, guess, lanes.before, same_ratio) and not whole:
        return forward(chain, whole=True)
    if not (c > 0).all() or may_lose_states(chain, alpha):
        return forward_in_logs(chain)
    log_scale = np.log(c) + gather(shift[None], column, lanes, 0.0)[0]
    return lanes, F, Filtered(alpha, log_scale, c)


def filter_lanes(prior: FloatArray, A: FloatArray, F: FloatArray, alpha: FloatArray, c: FloatArray) -> None:
    """Fill ``alpha`` (L, K, n) and ``c`` (L, n) from the distribution of the first states, ``prior`` (K, n)."""
    AT = np.ascontiguousarray(A.T)
    with np.errstate(invalid="ignore", divide="ignore"):  # 0/0 after a step of probability 0: seen by the caller in c
        for t in range(len(alpha)):
            P = alpha[t]
            if t:
                np.matmul(AT, alpha[t - 1], out=P)  # hmm-predict
                P *= F[:, t]
            else:
                np.multiply(prior, F[:, 0], out=P)
            np.add.reduce(P, axis=0, out=c[t])  # hmm-scale
            P /= c[t]  # hmm-filter


def may_lose_states(chain: Chain, alpha: FloatArray) -> bool:
    """Whether a state of vanishing filtered probability may matter again later, so that scaling is not enough.

    With every transition probability well above zero it cannot: the other states reach every state at the next step
    with far more weight. Otherwise look for probabilities on the way to underflow; one step can shrink them at most by
    the smallest positive factor of the model.
    """
    pi, A, table = chain.pi, chain.A, chain.table
    if A.min() > SMALL:
        return False
    finite = np.where(np.isneginf(table), np.inf, table - shifted(table)[1])
    factor = np.log(min(A[A > 0].min(), pi[pi > 0].min())) + finite.min()
    return bool(factor < np.log(1e-50) or ((alpha > 0) & (alpha < TINY)).any())


def forward_in_logs(chain: Chain) -> tuple[Lanes, FloatArray, Filtered]:
    """The plain recursion on logarithms, one lane for each sequence; nothing underflows."""
    with np.errstate(divide="ignore"):
        log_pi, log_A = np.log(chain.pi)[:, None], np.log(chain.A)
    lanes = cut(chain.lengths, int(chain.lengths.max()))
    F = gather(chain.table, chain.column, lanes, 0.0)
    K, L, n = F.shape
    alpha, log_scale = np.empty((L, K, n)), np.empty((L, n))
    for t in range(L):
        P = add_logs(alpha[t - 1][:, None] + log_A[:, :, None], axis=0) if t else log_pi
        P = P + F[:, t]
        log_scale[t] = add_logs(P, axis=0)
        refuse_impossible(lanes, log_scale[t], t)
        alpha[t] = P - log_scale[t]
    return lanes, F, Filtered(alpha, log_scale, None)


def refuse_impossible(lanes: Lanes, log_scale: FloatArray, t: int) -> None:
    """Raise if a sequence has probability zero up to step ``t``; lanes must be whole sequences here."""
    for sequence in np.flatnonzero(np.isneginf(log_scale)):
        where = f"sequence {sequence}, " if len(log_scale) > 1 else ""
        raise ValueError(
            f"{where}step {t} (counted from 0) has probability zero: no state that can be reached there emits what was "
            "observed. Check startprob, transmat and the emissions for zeros."
        )


# --------------------------------------------------------------------------------------- backward, expected counts


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
        guess[:, linked] = warm_up_backward(A, np.take(F[:, :WARM_UP], lanes.after[linked], axis=2))
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
    Q = boundary / (alpha[-1] * boundary).sum(axis=0)  # sum_k alpha_k beta_k = 1
    zeros = A.min() <= SMALL
    for t in range(len(gamma) - 1, -1, -1):
        if zeros:  # where a state cannot be reached beta is not needed, and could overflow
            Q[alpha[t] == 0] = 0.0
        np.multiply(alpha[t], Q, out=gamma[t])  # hmm-posterior
        np.multiply(Q, F[:, t], out=W[t])
        W[t] /= c[t]
        np.matmul(A, W[t], out=Q)  # hmm-backward
    return Q


def count_transitions(lanes: Lanes, alpha: FloatArray, W: FloatArray) -> FloatArray:
    """Sum over all transitions of alpha_t(i) W_{t+1}(j), within lanes and from lane to lane."""
    total = np.zeros((W.shape[1], W.shape[1]))
    for t in range(len(W) - 1):
        arrives = W[t + 1] if lanes.valid[t + 1].all() else W[t + 1] * lanes.valid[t + 1]
        total += alpha[t] @ arrives.T
    linked = np.flatnonzero(lanes.after >= 0)
    return total + alpha[-1][:, linked] @ W[0][:, lanes.after[linked]].T


def warm_up_backward(A: FloatArray, F: FloatArray) -> FloatArray:
    """Backward message (K, n) after the steps of F (K, w, n), from a flat start; columns sum to 1."""
    Q = np.ones((F.shape[0], F.shape[2]))
    with np.errstate(invalid="ignore", divide="ignore"):
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


# ----------------------------------------------------------------------------------------------- the most likely path


def best_paths(chain: Chain, whole: bool = False) -> IntArray:
    """States (T,) of the most likely path of every sequence."""
    with np.errstate(divide="ignore"):
        log_pi, log_A = np.log(chain.pi)[:, None], np.log(chain.A)
    lanes = cut(chain.lengths, int(chain.lengths.max()) if whole else None)
    F = gather(chain.table, chain.column, lanes, 0.0)
    K, L, n = F.shape
    delta, path = np.empty((L, K, n)), np.empty((L, n), dtype=np.intp)
    head, tail = lanes.before < 0, lanes.after < 0
    w = min(WARM_UP, L)

    def climb(which: IntArray, boundary: FloatArray) -> FloatArray:
        first = np.where(head[which], log_pi, best_step(boundary, log_A))
        if len(which) == n:
            climb_lanes(first, log_A, F, lanes.valid, delta)
        else:
            some = np.empty((L, K, len(which)))
            climb_lanes(first, log_A, F.take(which, axis=2), lanes.valid[:, which], some)
            delta[:, :, which] = some
        return relative(delta[-1][:, which])

    def descend(which: IntArray, boundary: IntArray) -> IntArray:
        part = delta if len(which) == n else delta.take(which, axis=2)
        last = np.where(tail[which], part[-1].argmax(axis=0), (part[-1] + log_A[:, boundary[0]]).argmax(axis=0))
        path[:, which] = follow(part, log_A, lanes.valid[:, which], last)
        return path[:1, which]

    guess, enter = np.zeros((K, n)), np.zeros((1, n), dtype=np.intp)
    linked, leaving = np.flatnonzero(~head), np.flatnonzero(~tail)
    if linked.size:
        some = np.empty((w, K, len(linked)))
        before = lanes.before[linked]
        climb_lanes(guess[:, linked], log_A, np.take(F[:, L - w :], before, axis=2), lanes.valid[L - w :, before], some)
        guess[:, linked] = relative(some[-1])
    settled = settle(climb, guess, lanes.before, same_difference)
    if settled and leaving.size:
        after = lanes.after[leaving]
        near = delta[:w].take(after, axis=2)
        enter[0, leaving] = follow(near, log_A, lanes.valid[:w, after], near[-1].argmax(axis=0))[0]
    if not (settled and settle(descend, enter, lanes.after, lambda a, b: (a == b)[0])) and not whole:
        return best_paths(chain, whole=True)
    return lanes.restore(path)


def best_step(delta: FloatArray, log_A: FloatArray, room: FloatArray | None = None) -> FloatArray:
    """Entry [j] is max_i delta[i] + log_A[i, j]: (K, n)."""
    return np.add(delta[:, None], log_A[:, :, None], out=room).max(axis=0)


def climb_lanes(first: FloatArray, log_A: FloatArray, F: FloatArray, valid: np.ndarray, delta: FloatArray) -> None:
    """Fill ``delta`` (L, K, n): logarithm of the best path into every state; it rests where lanes are filled up."""
    room = np.empty((*log_A.shape, F.shape[2]))
    wide = log_A[:, :, None]
    np.add(first, F[:, 0], out=delta[0])
    for t in range(1, len(delta)):
        np.add(delta[t - 1][:, None], wide, out=room)
        np.maximum.reduce(room, axis=0, out=delta[t])  # hmm-viterbi
        delta[t] += F[:, t]
        if not valid[t].all():
            delta[t] = np.where(valid[t], delta[t], delta[t - 1])


def follow(delta: FloatArray, log_A: FloatArray, valid: np.ndarray, last: IntArray) -> IntArray:
    """Path (L, n) into the states ``last`` (n,): each step looks for the best state before, no pointers are stored."""
    path = np.empty((len(delta), delta.shape[2]), dtype=np.intp)
    path[-1] = last
    for t in range(len(delta) - 1, 0, -1):
        state = (delta[t - 1] + log_A[:, path[t]]).argmax(axis=0)  # hmm-backtrack
        path[t - 1] = state if valid[t].all() else np.where(valid[t], state, path[t])
    return path


def relative(delta: FloatArray) -> FloatArray:
    """Columns less their maximum; columns without a finite entry as they are."""
    largest = delta.max(axis=0)
    return delta - np.where(np.isneginf(largest), 0.0, largest)


def same_difference(a: FloatArray, b: FloatArray) -> np.ndarray:
    """Whether columns of logarithms agree to 1e-9."""
    with np.errstate(invalid="ignore"):
        return ((a == b) | (np.abs(a - b) <= 1e-9)).all(axis=0)

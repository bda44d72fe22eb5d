"""The recursion of Viterbi in lanes."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.sequences.hmm.lanes import WARM_UP, Chain, cut, gather, relative, same_difference, settle


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
    wide, whole = log_A[:, :, None], np.all(valid, axis=1).tolist()
    np.add(first, F[:, 0], out=delta[0])
    for t in range(1, len(delta)):
        np.add(delta[t - 1][:, None], wide, out=room)
        np.maximum.reduce(room, axis=0, out=delta[t])  # hmm-viterbi
        delta[t] += F[:, t]
        if not whole[t]:
            delta[t] = np.where(valid[t], delta[t], delta[t - 1])


def follow(delta: FloatArray, log_A: FloatArray, valid: np.ndarray, last: IntArray) -> IntArray:
    """Path (L, n) into the states ``last`` (n,): each step looks for the best state before, no pointers are stored."""
    path = np.empty((len(delta), delta.shape[2]), dtype=np.intp)
    path[-1] = last
    into, reach, whole = log_A.T.copy(), np.empty(delta.shape[:0:-1]), np.all(valid, axis=1).tolist()
    for t in range(len(delta) - 1, 0, -1):
        np.add(delta[t - 1].T, into.take(path[t], axis=0), out=reach)  # (n, K): argmax is fast along rows
        state = reach.argmax(axis=1)  # hmm-backtrack
        path[t - 1] = state if whole[t] else np.where(valid[t], state, path[t])
    return path

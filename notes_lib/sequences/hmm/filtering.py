"""The forward recursion in lanes: filtered probabilities and scales, or their logarithms where scaling loses states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.sequences.hmm.lanes import (
    SMALL,
    WARM_UP,
    Chain,
    Lanes,
    add_logs,
    cut,
    gather,
    product,
    same_ratio,
    settle,
    shifted,
    short,
)

TINY = 1e-250  # filtered probabilities below are too near to underflow


class Filtered(NamedTuple):
    """Filtered probabilities ``alpha`` (L, K, n), or their logarithms if ``c`` is None; scales (L, n)."""

    alpha: FloatArray
    log_scale: FloatArray
    c: FloatArray | None


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
        guess[:, linked] = guess_filtered(A, F[:, -WARM_UP:].take(lanes.before[linked], axis=2))
    if not settle(run, guess, lanes.before, same_ratio) and not whole:
        return forward(chain, whole=True)
    if not (c > 0).all() or may_lose_states(chain, alpha):
        return forward_in_logs(chain)
    log_scale = np.log(c) + gather(shift[None], column, lanes, 0.0)[0]
    return lanes, F, Filtered(alpha, log_scale, c)


def guess_filtered(A: FloatArray, F: FloatArray) -> FloatArray:
    """Filtered probabilities (K, n) after the lanes of F (K, L, n), from a flat start."""
    if short(F):
        end = product(A, F).sum(axis=1).T
        return end / end.sum(axis=0)
    K, L, n = F.shape
    alpha = np.empty((L, K, n))
    filter_lanes(np.full((K, n), 1.0 / K), A, F, alpha, np.empty((L, n)))
    return alpha[-1]


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

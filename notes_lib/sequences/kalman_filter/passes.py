"""Whole series at once: the covariances first, which no observation changes, then the means of all series together.

The gains and the covariances depend on *what* was seen and not on the numbers. So they are computed once for all series
with the same gaps, and no longer once they repeat: at the steady state. What is left of a filter, and of a smoother, is
a linear recursion for the means with known matrices.

Arrays run over time first. B counts the different patterns of gaps, 1 or N; (B, d, n) holds n = N / B series for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.numerics import NotPositiveDefiniteError
from notes_lib.sequences.kalman_filter.checks import Model, Series

ROUNDING = 4 * np.finfo(float).eps
LOG_2_PI = np.log(2 * np.pi)


class Estimates(NamedTuple):
    """``means`` (T, d) and ``covariances`` (T, d, d) of the states; with N series (N, T, d) and (N, T, d, d)."""

    means: FloatArray
    covariances: FloatArray


class Gains(NamedTuple):
    """What no observation changes: filtered ``P`` and ``predicted`` (T, B, d, d), ``K`` (T, B, d, m), the inverse of
    the factor of S ``L_inv`` (T, B, m, m), ``C`` (T, B, m, d) without its missing rows; ``new``: where a step does not
    repeat the one before."""

    P: FloatArray
    predicted: FloatArray
    K: FloatArray
    L_inv: FloatArray
    C: FloatArray
    new: FloatArray


class FilterPass(NamedTuple):
    """Filtered ``means`` (T, B, d, n), ``predicted_means``, the ``gains``, and the log-likelihoods (B, n), nats."""

    means: FloatArray
    predicted_means: FloatArray
    gains: Gains
    log_likelihood: FloatArray


class SmootherPass(NamedTuple):
    """Smoothed ``means`` (T, B, d, n), ``covariances`` (T, B, d, d), and the gains ``G`` (T - 1, B, d, d)."""

    means: FloatArray
    covariances: FloatArray
    G: FloatArray


def without_missing(C: FloatArray, R: FloatArray, seen: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rows of C and noise R (B, m, m) of an observation; :eq:`kalman-filter-missing`.

    A number that is missing, 0 in ``seen`` (B, m), becomes one that says nothing: its row of C is 0, its noise a
    standard normal of its own.
    """
    both = seen[:, :, None] * seen[:, None, :]
    return C * seen[:, :, None], R * both + np.eye(len(R)) * (1 - seen[:, None, :])


def covariance_pass(model: Model, seen: FloatArray) -> Gains:
    """All covariances and gains; ``seen`` (T, B, m) is 1 where something was observed and 0 elsewhere."""
    T, B, m = seen.shape
    d, eye = len(model.mu), np.eye(len(model.mu))
    found = Gains(*(np.empty((T, B, *s)) for s in [(d, d), (d, d), (d, m), (m, m), (m, d)]), np.ones(T, dtype=bool))
    pattern = np.append((seen[1:] != seen[:-1]).any(axis=(1, 2)), True)  # whether the next step is seen otherwise
    change = np.flatnonzero(pattern) + 1  # first steps after a change
    constant = model.A.ndim == model.C.ndim == 2
    ahead, t = np.broadcast_to(model.P, (B, d, d)), 0
    C, R = without_missing(model.C if model.C.ndim == 2 else model.C[0], model.R, seen[0])
    while t < T:
        if t and (pattern[t - 1] or model.C.ndim == 3):
            C, R = without_missing(model.C if model.C.ndim == 2 else model.C[t], model.R, seen[t])
        CP = C @ ahead
        L_inv = inverse_factor(CP @ C.transpose(0, 2, 1) + R, t)
        K = (L_inv @ CP).transpose(0, 2, 1) @ L_inv  # kalman-filter-gain
        J = eye - K @ C
        P = J @ ahead @ J.transpose(0, 2, 1) + K @ R @ K.transpose(0, 2, 1)  # kalman-filter-joseph
        for stack, value in zip(found, (P, ahead, K, L_inv, C), strict=False):
            stack[t] = value
        t += 1
        if t == T:
            break
        A = model.A if model.A.ndim == 2 else model.A[t - 1]
        before, ahead = ahead, A @ P @ A.T + model.Q  # kalman-filter-predict-covariance
        ahead = (ahead + ahead.transpose(0, 2, 1)) / 2
        if constant and t % 4 == 0 and repeats(before, ahead):  # the steady state: nothing new before the next change
            stop = int(change[np.searchsorted(change, t)])
            if stop > t:
                for stack in found[:5]:
                    stack[t:stop] = stack[t - 1]
                found.new[t:stop] = False
                t = stop
    return found


def repeats(before: FloatArray, after: FloatArray) -> bool:
    """Whether covariances (B, d, d) are to rounding what they were."""
    root = np.sqrt(np.einsum("bii->bi", after))
    return bool((np.abs(after - before) <= ROUNDING * root[:, :, None] * root[:, None, :]).all())


def inverse_factor(S: FloatArray, t: int) -> FloatArray:
    """Inverse of the lower Cholesky factor of each covariance (B, m, m) of an innovation at step t."""
    if S.shape[1] == 1 and S.min() > 0:
        return 1 / np.sqrt(S)
    try:
        return np.linalg.inv(np.linalg.cholesky(S))
    except np.linalg.LinAlgError:
        raise NotPositiveDefiniteError(
            f"the observation of step {t} has a singular covariance, so that it has no density: it is known beforehand. "
            "Make observation_covariance positive definite.",
            index=t,
        ) from None


def recursion(F: FloatArray, g: FloatArray, out: FloatArray) -> FloatArray:
    """Fill ``out`` (T, B, d, n) by ``out[t] = F[t] out[t - 1] + g[t]`` from the ``out[0]`` that stands there."""
    if F.shape[1] == 1:  # one pattern: plain matrices
        F, g, out_ = F[:, 0], g[:, 0], out[:, 0]
        for t in range(1, len(out)):
            np.dot(F[t], out_[t - 1], out=out_[t])
            out_[t] += g[t]
    else:
        for t in range(1, len(out)):
            np.matmul(F[t], out[t - 1], out=out[t])
            out[t] += g[t]
    return out


def filter_pass(model: Model, series: Series) -> FilterPass:
    """Filter all series: :eq:`kalman-filter-update-mean` for all, once the gains are known."""
    T, m, N = series.Y.shape
    shared = series.seen.ndim == 2
    seen = (series.seen[:, None] if shared else np.moveaxis(series.seen, 2, 1)).astype(float)
    gains = covariance_pass(model, seen)
    B = seen.shape[1]
    Y = series.Y[:, None] if shared else np.moveaxis(series.Y, 2, 1)[..., None]  # (T, B, m, n)
    K, C = gains.K, gains.C
    means, d = np.empty((T, B, len(model.mu), N // B)), len(model.mu)
    A = model.A if model.A.ndim == 2 else np.concatenate([np.eye(d)[None], model.A])[:, None]
    F = A - K @ (C @ A)
    means[0] = model.mu[:, None] + K[0] @ (Y[0] - C[0] @ model.mu[:, None])
    recursion(F, K @ Y, means)
    ahead = np.empty_like(means)
    ahead[0] = model.mu[:, None]
    ahead[1:] = (model.A if model.A.ndim == 2 else model.A[:, None]) @ means[:-1]  # kalman-filter-predict-mean
    white = gains.L_inv @ (Y - C @ ahead)  # innovations with covariance 1
    half_log_det = -np.log(np.einsum("tbii->tbi", gains.L_inv)).sum(axis=(0, 2))
    constant = seen.sum(axis=(0, 2)) * LOG_2_PI / 2
    score = -0.5 * np.einsum("tbmn,tbmn->bn", white, white) - (half_log_det + constant)[:, None]
    return FilterPass(means, ahead, gains, score)  # kalman-filter-likelihood


def smoother_gains(model: Model, gains: Gains) -> FloatArray:
    """Gains (T - 1, B, d, d) of all steps, :eq:`kalman-filter-smoother-gain`."""
    T, B, d = gains.P.shape[:3]
    G = np.empty((T - 1, B, d, d))
    new = np.flatnonzero(gains.new[:-1] | gains.new[1:])  # the others repeat the one before
    A = model.A if model.A.ndim == 2 else model.A[new][:, None]
    ahead, AP = gains.predicted[1:][new], A @ gains.P[:-1][new]
    try:
        np.linalg.cholesky(ahead)
        found = np.linalg.solve(ahead, AP)
    except np.linalg.LinAlgError:
        found = np.linalg.pinv(ahead, hermitian=True) @ AP
    which = np.cumsum(gains.new[:-1] | gains.new[1:]) - 1
    G[:] = found.swapaxes(-1, -2)[which]
    return G


def smoother_pass(model: Model, filtered: FilterPass) -> SmootherPass:
    """Smooth all series: :eq:`kalman-filter-smooth-mean` and :eq:`kalman-filter-smooth-covariance`."""
    gains = filtered.gains
    T = len(gains.P)
    G = smoother_gains(model, gains)
    covariances = gains.P.copy()
    ahead = gains.predicted
    old = ~(gains.new[:-1] | gains.new[1:])  # whether G repeats the one of the step before
    t = T - 2
    while t >= 0:
        P = gains.P[t] + G[t] @ (covariances[t + 1] - ahead[t + 1]) @ G[t].transpose(0, 2, 1)
        covariances[t] = (P + P.transpose(0, 2, 1)) / 2  # kalman-filter-smooth-covariance
        if t % 4 == 0 and old[t] and repeats(covariances[t + 1], covariances[t]):
            first = t - int(np.argmin(old[t::-1])) if not old[: t + 1].all() else 0
            covariances[first:t] = covariances[t]
            t = first
        t -= 1
    means = np.empty_like(filtered.means)
    means[-1] = filtered.means[-1]
    h = filtered.means[:-1] - G @ filtered.predicted_means[1:]
    pad = np.zeros((1, *G.shape[1:])), np.zeros((1, *h.shape[1:]))  # the last step starts the recursion
    recursion(np.concatenate([pad[0], G[::-1]]), np.concatenate([pad[1], h[::-1]]), means[::-1])
    return SmootherPass(means, covariances, G)  # kalman-filter-smooth-mean


def by_series(stack: FloatArray, N: int) -> FloatArray:
    """Means (T, B, d, n) as (N, T, d)."""
    T, _, d, _ = stack.shape
    return np.ascontiguousarray(np.moveaxis(stack, 2, 1).reshape(T, d, N).transpose(2, 0, 1))


def covariances_by_series(stack: FloatArray, N: int) -> FloatArray:
    """Covariances (T, B, d, d) as (N, T, d, d)."""
    T, B, d, _ = stack.shape
    return np.broadcast_to(stack.transpose(1, 0, 2, 3), (N, T, d, d)).copy() if B == 1 else stack.swapaxes(0, 1).copy()

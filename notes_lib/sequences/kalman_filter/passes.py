"""Whole series at once: first the covariances, then the means of all series together.

With the gains known, what is left of a filter, and of a smoother, is a linear recursion for the means.

Arrays run over time first. B counts the different patterns of gaps, 1 or N; (B, d, n) holds n = N / B series for each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.sequences.kalman_filter.checks import BoolArray, Model, Series
from notes_lib.sequences.kalman_filter.covariances import ROUNDING, Gains, covariance_pass, near
from notes_lib.sequences.kalman_filter.lanes import recursion

LOG_2_PI = np.log(2 * np.pi)


class Estimates(NamedTuple):
    """``means`` (T, d) and ``covariances`` (T, d, d) of the states; with N series (N, T, d) and (N, T, d, d)."""

    means: FloatArray
    covariances: FloatArray


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


def filter_pass(model: Model, series: Series) -> FilterPass:
    """Filter all series: :eq:`kalman-filter-update-mean` for all, once the gains are known."""
    T, _, N = series.Y.shape
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
    recursion(F, K @ Y, means, gains.new)
    ahead = np.empty_like(means)
    ahead[0] = model.mu[:, None]
    ahead[1:] = (model.A if model.A.ndim == 2 else model.A[:, None]) @ means[:-1]  # kalman-filter-predict-mean
    white = gains.L_inv @ (Y - C @ ahead)  # innovations with covariance 1
    half_log_det = -np.log(np.einsum("tbii->tbi", gains.L_inv)).sum(axis=(0, 2))
    constant = seen.sum(axis=(0, 2)) * LOG_2_PI / 2
    score = -0.5 * np.einsum("tbmn,tbmn->bn", white, white) - (half_log_det + constant)[:, None]
    return FilterPass(means, ahead, gains, score)  # kalman-filter-likelihood


def smoother_gains(A: FloatArray, P: FloatArray, ahead: FloatArray) -> FloatArray:
    """Gains (k, B, d, d) from filtered covariances and those predicted for the next step."""
    AP = A @ P
    try:
        np.linalg.cholesky(ahead)
        return np.linalg.solve(ahead, AP).swapaxes(-1, -2)  # kalman-filter-smoother-gain
    except np.linalg.LinAlgError:
        return (np.linalg.pinv(ahead, hermitian=True) @ AP).swapaxes(-1, -2)


def smoother_pass(model: Model, filtered: FilterPass) -> SmootherPass:
    """Smooth all series: :eq:`kalman-filter-smooth-mean` and :eq:`kalman-filter-smooth-covariance`."""
    gains = filtered.gains
    P, ahead = gains.P[:-1], gains.predicted[1:]
    new = gains.new[:-1] | gains.new[1:]  # the other steps repeat the one before
    A = model.A if model.A.ndim == 2 else model.A[:, None][new]
    some = smoother_gains(A, P[new], ahead[new])
    which = np.cumsum(new) - 1
    G = some[which]
    V = (P[new] - some @ ahead[new] @ some.swapaxes(-1, -2))[which]  # of a state if the next one were known
    covariances = smoothed_covariances(G, V, gains.P[-1], new)
    means = np.empty_like(filtered.means)
    means[-1] = filtered.means[-1]
    h = filtered.means[:-1] - G @ filtered.predicted_means[1:]
    turned = np.concatenate([[True, True], new[:0:-1]])[: len(means)]  # backwards, the last step does not repeat any
    recursion(backwards(G), backwards(h), means[::-1], turned)
    return SmootherPass(means, covariances, G)  # kalman-filter-smooth-mean


def backwards(stack: FloatArray) -> FloatArray:
    """The steps from the last one on, behind one that is not used."""
    return np.concatenate([stack[:1], stack[::-1]])


def smoothed_covariances(G: FloatArray, V: FloatArray, last: FloatArray, new: BoolArray) -> FloatArray:
    """Covariances (T, B, d, d) from the last one back, by ``P[t] = V[t] + G[t] P[t + 1] G[t]'``."""
    found = np.empty((len(G) + 1, *last.shape))
    found[-1] = last
    t = len(G) - 1
    while t >= 0:
        np.matmul(G[t] @ found[t + 1], G[t].swapaxes(-1, -2), out=found[t])
        found[t] += V[t]
        if t % 4 == 0 and not new[t] and near(found[t + 1], found[t], ROUNDING):
            first = int(np.flatnonzero(new[:t])[-1])  # from here on back to it, all is alike
            found[first:t] = found[t]
            t = first
        t -= 1
    return (found + found.swapaxes(-1, -2)) / 2  # kalman-filter-smooth-covariance


def by_series(stack: FloatArray, N: int) -> FloatArray:
    """Means (T, B, d, n) as (N, T, d)."""
    T, _, d, _ = stack.shape
    return np.ascontiguousarray(np.moveaxis(stack, 2, 1).reshape(T, d, N).transpose(2, 0, 1))


def covariances_by_series(stack: FloatArray, N: int) -> FloatArray:
    """Covariances (T, B, d, d) as (N, T, d, d)."""
    T, B, d, _ = stack.shape
    return np.broadcast_to(stack.transpose(1, 0, 2, 3), (N, T, d, d)).copy() if B == 1 else stack.swapaxes(0, 1).copy()

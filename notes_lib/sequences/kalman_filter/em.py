"""An update of EM: expected squares of what the model calls noise, under the smoothed distribution of the states."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.sequences.kalman_filter.checks import PARAMETERS, Model, Series
from notes_lib.sequences.kalman_filter.passes import SmootherPass


def em_update(model: Model, series: Series, smoothed: SmootherPass, learned: Collection[str]) -> Model:
    """Parameters after an update: :eq:`kalman-filter-em-q` and :eq:`kalman-filter-em-r` for the noise.

    Rows are seen or missing as a whole, and matrices do not change with the step. What is not ``learned`` stays.
    """
    m, P, G = smoothed
    T, B, _, n = m.shape
    Y = series.Y[:, None] if B == 1 else np.moveaxis(series.Y, 2, 1)[..., None]
    rows = series.seen[:, 0].reshape(T, B).astype(float)
    every = np.ones((T - 1, B))
    lag = P[1:] @ G.swapaxes(-1, -2)  # kalman-filter-lag-one
    mu = m[0].mean(axis=(0, 2))
    A, C = model.A, model.C
    if "transition_matrices" in learned:
        A = ratio(total(m[1:], m[:-1], lag, every), total(m[:-1], m[:-1], P[:-1], every))
    if "observation_matrices" in learned:
        C = ratio(total(Y, m, 0 * (C @ P), rows), total(m, m, P, rows))
    moves, errors, start = m[1:] - A @ m[:-1], Y - C @ m, m[:1] - mu[:, None]
    AL = A @ lag.swapaxes(-1, -2)
    V = P[1:] - AL - AL.swapaxes(-1, -2) + A @ P[:-1] @ A.T
    if "initial_state_mean" not in learned:
        start, mu = m[:1] - model.mu[:, None], model.mu
    new = Model(
        A,
        C,
        total(moves, moves, V, every) / (every.sum() * n),  # kalman-filter-em-q
        total(errors, errors, C @ P @ C.T, rows) / (rows.sum() * n),  # kalman-filter-em-r
        mu,
        total(start, start, P[:1], np.ones((1, B))) / (B * n),
    )
    return Model(*(b if k in learned else a for k, a, b in zip(PARAMETERS, model, new, strict=True)))


def total(a: FloatArray, b: FloatArray, covariance: FloatArray, weight: FloatArray) -> FloatArray:
    """Expected products of two numbers, summed over steps and series: of their means, and their covariance."""
    n = a.shape[3]
    return np.einsum("tb,tbin,tbjn->ij", weight, a, b) + n * np.einsum("tb,tbij->ij", weight, covariance)


def ratio(cross: FloatArray, square: FloatArray) -> FloatArray:
    """Matrix of the regression with these sums of products."""
    return np.asarray(np.linalg.solve(square, cross.T).T)

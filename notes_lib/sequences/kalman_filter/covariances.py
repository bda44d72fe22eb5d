"""Covariances and gains of whole series, which depend on what was seen and not on the numbers.

They are computed once for all series with the same gaps, for many steps at a time, and no longer once they repeat: at
the steady state.

Arrays run over time first; B counts the different patterns of gaps, 1 or the number of series.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.numerics import NotPositiveDefiniteError
from notes_lib.sequences.kalman_filter.checks import BoolArray, Model
from notes_lib.sequences.kalman_filter.steps import double

ROUNDING, CLOSE = 4 * np.finfo(float).eps, 1e-11


class Gains(NamedTuple):
    """What no observation changes.

    Filtered ``P`` and ``predicted`` (T, B, d, d), gains ``K`` (T, B, d, m), inverse factors of S ``L_inv``
    (T, B, m, m), ``C`` (T, B, m, d) without its missing rows; ``new`` (T,): where a step does not just repeat the one
    before.
    """

    P: FloatArray
    predicted: FloatArray
    K: FloatArray
    L_inv: FloatArray
    C: FloatArray
    new: BoolArray


def without_missing(C: FloatArray, R: FloatArray, seen: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rows of C (T, B, m, d) and noise R (T, B, m, m) of all observations; :eq:`kalman-filter-missing`.

    A number that is missing, 0 in ``seen`` (T, B, m), becomes one that says nothing: its row of C is 0, its noise a
    standard normal of its own.
    """
    own = seen[..., None]
    return C * own, R * own * own.swapaxes(-1, -2) + np.eye(len(R)) * (1 - own)


def covariance_pass(model: Model, seen: FloatArray) -> Gains:
    """All covariances and gains; ``seen`` (T, B, m) is 1 where something was observed and 0 elsewhere."""
    with np.errstate(over="ignore", invalid="ignore"):  # reported with its step
        return _covariance_pass(model, seen)


def _covariance_pass(model: Model, seen: FloatArray) -> Gains:
    C, R = without_missing(model.C if model.C.ndim == 2 else model.C[:, None], model.R, seen)
    predicted, new = predicted_covariances(model, C, R)
    P, K, L_inv = condition(predicted[new], C[new], R[new], np.flatnonzero(new))
    which = np.cumsum(new) - 1
    return Gains(P[which], predicted, K[which], L_inv[which], C, new)


def condition(
    P: FloatArray, C: FloatArray, R: FloatArray, steps: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Filtered covariances (k, B, d, d), gains, and inverse factors of S, from the predicted covariances of k steps."""
    CP = C @ P
    L_inv = inverse_factor(CP @ C.swapaxes(-1, -2) + R, steps)
    K = (L_inv @ CP).swapaxes(-1, -2) @ L_inv  # kalman-filter-gain
    J = np.eye(P.shape[-1]) - K @ C
    return J @ P @ J.swapaxes(-1, -2) + K @ R @ K.swapaxes(-1, -2), K, L_inv  # kalman-filter-joseph


def inverse_factor(S: FloatArray, steps: IntArray) -> FloatArray:
    """Inverse of the lower Cholesky factor of each covariance (k, B, m, m) of an innovation, at these steps."""
    infinite = ~np.isfinite(S).all(axis=(1, 2, 3))
    if infinite.any():
        raise ValueError(
            f"the covariance of the state grows beyond what a float can hold at step {steps[infinite.argmax()]}: "
            "transition_matrices have an eigenvalue far above 1."
        )
    try:
        return np.linalg.inv(np.linalg.cholesky(S))
    except np.linalg.LinAlgError:
        pass
    t = int(steps[(np.linalg.eigvalsh(S)[..., 0].min(axis=1) <= 0).argmax()])
    raise NotPositiveDefiniteError(
        f"the observation of step {t} has a singular covariance, and so no density: a part of it is known beforehand. "
        "Make observation_covariance positive definite.",
        index=t,
    )


def predicted_covariances(model: Model, C: FloatArray, R: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Covariances (T, B, d, d) of the states before their observations, and where they are new."""
    T, B = C.shape[:2]
    d = len(model.mu)
    found, new = np.empty((T, B, d, d)), np.ones(T, dtype=bool)
    found[0] = model.P
    varies = (C[1:] != C[:-1]).any(axis=(1, 2, 3)) | (R[1:] != R[:-1]).any(axis=(1, 2, 3)) | (model.A.ndim == 3)
    starts = np.concatenate([[0], np.flatnonzero(varies) + 1, [T]])
    for start, stop in pairwise(starts):
        last = min(stop, T - 1)  # the stretch says what is predicted up to here
        A = model.A if model.A.ndim == 2 else model.A[min(start, T - 2)]
        some = stretch(found[start], A, C[start], R[start], model.Q, start, last - start)
        k = len(some)
        found[start : start + k] = some
        if start + k <= last:  # it has settled
            found[start + k : last + 1] = some[-1]
            new[start + k : stop] = False
    return found, new


def stretch(
    P: FloatArray, A: FloatArray, C: FloatArray, R: FloatArray, Q: FloatArray, start: int, n: int
) -> FloatArray:
    """Predicted covariances (k, B, d, d) from step ``start`` on and of n further steps; k <= n where they settle."""

    def ahead(P: FloatArray, t: int) -> FloatArray:
        steps = np.arange(t, t + len(P))
        found = A @ condition(P, C, R, steps)[0] @ A.T + Q  # kalman-filter-predict-covariance
        return (found + found.swapaxes(-1, -2)) / 2

    some = [P[None]]
    while len(some) <= min(n, len(A) + 1):  # a vague start is soon over
        some.append(ahead(some[-1], start + len(some) - 1))
    k = len(some)
    if k <= n:
        try:
            guess = doubled(some[-1], A, C, R, Q, n + 1 - k)
            exact = ahead(guess[:-1], start + k - 1)
        except ValueError:  # R has no inverse, or the guess is none: without it
            guess = exact = some[-1][:0]
        if len(exact) and near(exact, guess[1:], CLOSE):
            some.append(exact)
            k += len(exact)
            if near(guess[-2], guess[-1], ROUNDING):
                return np.concatenate(some)
    P = some[-1][-1:]
    while k <= n:
        some.append(ahead(P, start + k - 1))
        k += 1
        if k % 4 == 0 and near(P, some[-1], ROUNDING):
            break
        P = some[-1]
    return np.concatenate(some)


def doubled(P: FloatArray, A: FloatArray, C: FloatArray, R: FloatArray, Q: FloatArray, n: int) -> FloatArray:
    """Predicted covariances (k, B, d, d) of n steps from P (1, B, d, d) on, P first; fewer where they settle.

    A map leads 1, 2, 4, ... steps ahead, all the steps that are known at once; see :func:`steady_state`.
    """
    F = np.broadcast_to(A.T, P.shape[1:])
    G, H = C.swapaxes(-1, -2) @ np.linalg.inv(R) @ C, np.broadcast_to(Q, P.shape[1:])
    while len(P) <= n and np.isfinite(P[-1]).all():
        P = np.concatenate([P, H + F.swapaxes(-1, -2) @ P @ np.linalg.solve(np.eye(len(A)) + G @ P, F)])
        if near(P[-2], P[-1], ROUNDING):
            break
        F, G, H = double(F, G, H)
    return P[: n + 1]


def near(a: FloatArray, b: FloatArray, share: float) -> bool:
    """Whether covariances agree to a share of the root of both variances."""
    root = np.sqrt(np.abs(np.einsum("...ii->...i", b)))
    return bool((np.abs(a - b) <= share * root[..., :, None] * root[..., None, :]).all())

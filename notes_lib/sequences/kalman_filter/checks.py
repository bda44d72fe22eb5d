"""What the functions of the chapter *The Kalman filter* accept."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray, check_matrix, check_shape, check_symmetric, check_vector

BoolArray = NDArray[np.bool_]
PARAMETERS = (
    "transition_matrices",
    "observation_matrices",
    "transition_covariance",
    "observation_covariance",
    "initial_state_mean",
    "initial_state_covariance",
)


class Model(NamedTuple):
    """The six parameters: ``A`` (d, d) or (T - 1, d, d), ``C`` (m, d) or (T, m, d), ``Q``, ``R``, ``mu``, ``P``."""

    A: FloatArray
    C: FloatArray
    Q: FloatArray
    R: FloatArray
    mu: FloatArray
    P: FloatArray


class Series(NamedTuple):
    """Observations ``Y`` (T, m, N), 0 where none is; ``seen`` (T, m) or (T, m, N); ``single``: X held one series."""

    Y: FloatArray
    seen: BoolArray
    single: bool


def check_covariance(values: ArrayLike, name: str, size: int) -> FloatArray:
    """Return a symmetric positive semidefinite (size, size) matrix; rounding errors of the largest eigenvalue pass."""
    S = check_symmetric(values, name)
    if S.shape != (size, size):
        raise ValueError(f"{name} must have shape ({size}, {size}), got {S.shape}.")
    S = (S + S.T) / 2
    eigenvalues = np.linalg.eigvalsh(S)
    if eigenvalues[0] < -1e-10 * max(eigenvalues[-1], 0.0):
        raise ValueError(
            f"{name} must be positive semidefinite, its smallest eigenvalue is {eigenvalues[0]:.3g}: give a covariance "
            "matrix, with variances (squares of standard deviations) on its diagonal."
        )
    return S


def check_matrices(values: ArrayLike, name: str, shape: tuple[int | None, ...]) -> FloatArray:
    """Return one matrix, or one for each step, of the given shape; None stands for any length."""
    return check_shape(values, name, shape if np.ndim(values) != 3 else (None, *shape))


def check_model(given: dict[str, Any]) -> Model:
    """Return the six parameters as arrays that fit together; ``given`` holds them by pykalman's names."""
    A, C, Q, R, mu, P = (given[name] for name in PARAMETERS)
    mu = check_vector(mu, "initial_state_mean").copy()
    d = len(mu)
    A = check_matrices(A, "transition_matrices", (d, d))
    C = check_matrices(C, "observation_matrices", (None, d))
    if not C.size:
        raise ValueError("observation_matrices must have at least one row: a row for each number that is observed.")
    return Model(
        A,
        C,
        check_covariance(Q, "transition_covariance", d),
        check_covariance(R, "observation_covariance", C.shape[-2]),
        mu,
        check_covariance(P, "initial_state_covariance", d),
    )


def check_series(X: Any, model: Model) -> Series:
    """Return the observations of one series (T,) or (T, m), or of several (N, T, m), and what was seen of them."""
    m = model.C.shape[-2]
    Y = np.ma.asarray(X)
    if Y.dtype.kind not in "biufO":
        raise TypeError(f"X must hold real numbers, got dtype {Y.dtype}.")
    if Y.ndim == 1 and m == 1:
        Y = Y[:, None]
    single = Y.ndim == 2
    if Y.ndim not in (2, 3) or Y.shape[-1] != m or not Y.size:
        raise ValueError(
            f"X must be (T, {m}), a row for each step, or (N, T, {m}) for N series, got shape {Y.shape}: "
            "observation_matrices has one row for each column of X."
        )
    Y = Y[None] if single else Y
    seen = ~np.ma.getmaskarray(Y)
    values = np.where(seen, np.ma.getdata(Y), 0.0).astype(float)
    check_seen(values, seen, single)
    check_steps(model, values.shape[1])
    shared = (seen == seen[:1]).all()
    return Series(np.moveaxis(values, 0, -1), seen[0] if shared else np.moveaxis(seen, 0, -1), single)


def check_seen(values: FloatArray, seen: BoolArray, single: bool) -> None:
    """Refuse numbers that are not finite where something was seen, and series of which nothing was."""
    for i, t, _ in np.argwhere(~np.isfinite(values))[:1]:
        where = f"step {t}" if single else f"series {i}, step {t}"
        raise ValueError(
            f"X holds NaN or infinity at {where} outside a mask: mask what is missing, for instance by "
            "numpy.ma.masked_invalid(X)."
        )
    empty = ~seen.any(axis=(1, 2))
    if empty.any():
        which = "X" if single else f"series {int(empty.argmax())} of X"
        raise ValueError(f"{which} is masked as a whole: there must be at least one observation.")


def check_steps(model: Model, T: int) -> None:
    """Refuse matrices for each step of which there are not as many as steps."""
    for name, stack, n in [("transition_matrices", model.A, T - 1), ("observation_matrices", model.C, T)]:
        if stack.ndim == 3 and len(stack) != n:
            raise ValueError(
                f"{name} must be one matrix or {n}, one for each {'move' if n < T else 'step'}: X has {T} steps. "
                f"Got {len(stack)}."
            )


def check_rows(series: Series) -> None:
    """Refuse a series of one step, and rows of which a part is missing."""
    if len(series.Y) < 2:
        raise ValueError("X must have at least two steps for em: with one there is no move.")
    if (series.seen != series.seen[:, :1]).any():
        raise ValueError("em takes a row of X as it is or misses it: mask whole rows.")


def check_constant(model: Model, what: str) -> None:
    """Refuse matrices that change with the step."""
    for name, stack in [("transition_matrices", model.A), ("observation_matrices", model.C)]:
        if stack.ndim == 3:
            raise ValueError(f"{what} needs {name} that do not change with the step: give one matrix.")


def check_state(mean: ArrayLike, covariance: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the mean (d,) and the covariance (d, d) of a state."""
    m = check_vector(mean, "mean")
    return m, check_covariance(covariance, "covariance", len(m))


def check_observation(C: ArrayLike, R: ArrayLike, d: int) -> tuple[FloatArray, FloatArray]:
    """Return the matrix (m, d) and the noise covariance (m, m) of an observation."""
    C = check_matrix(C, "C")
    if C.shape[1] != d:
        raise ValueError(f"C must have one column for each number of the state, {d}, got shape {C.shape}.")
    return C, check_covariance(R, "R", len(C))

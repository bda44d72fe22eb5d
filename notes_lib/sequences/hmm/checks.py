"""What the functions of the chapter *Hidden Markov models* accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_distribution
from notes_lib.numerics import cholesky_factor


def check_transmat(transmat: ArrayLike) -> FloatArray:
    """Transition matrix as a (K, K) array whose rows are distributions."""
    A = np.asarray(transmat, dtype=float)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"transmat must be a square (K, K) matrix, got shape {A.shape}.")
    return check_distribution(A, "transmat")


def check_log_emission(log_emission: ArrayLike, K: int) -> FloatArray:
    """Log-emissions as a (T, K) array without NaN or +inf, T >= 1."""
    E = np.asarray(log_emission, dtype=float)
    if E.ndim != 2 or E.shape[1] != K or not len(E):
        raise ValueError(f"log_emission must be (T, {K}), a row for each step and T >= 1, got shape {E.shape}.")
    if np.isnan(E).any() or np.isposinf(E).any():
        step = int(np.argwhere(np.isnan(E) | np.isposinf(E))[0, 0])
        raise ValueError(f"log_emission holds NaN or +inf at step {step}: give logarithms, -inf for probability zero.")
    return E


def check_messages(name: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    """Non-negative finite numbers of a given shape."""
    V = np.asarray(values, dtype=float)
    if V.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {V.shape}.")
    if not (np.isfinite(V) & (V >= 0)).all():
        raise ValueError(f"{name} must be finite and non-negative: probabilities or expected counts, no logarithms.")
    return V


def check_total(name: str, counts: FloatArray) -> FloatArray:
    """Sums of the rows of non-negative finite numbers, (..., 1), if a float can hold them."""
    with np.errstate(over="ignore"):
        total = counts.sum(axis=-1, keepdims=True)
    if not np.isfinite(total).all():
        raise ValueError(f"{name} add up to more than a float can hold: divide them by a number first.")
    return total


def check_table(name: str, values: ArrayLike, T: int | None = None) -> FloatArray:
    """Non-negative finite numbers (T, K), one row for each step, T and K >= 1."""
    V = np.asarray(values, dtype=float)
    if V.ndim != 2 or T not in (None, len(V)) or not V.size:
        rows = "T" if T is None else T
        raise ValueError(f"{name} must be ({rows}, K), T, K >= 1, a row for each step, got shape {V.shape}.")
    return check_messages(name, V, V.shape)


def check_lengths(lengths: ArrayLike | None, T: int) -> IntArray:
    """Lengths of the sequences that stand one after another in T rows; one sequence if None."""
    if lengths is None:
        return np.array([T])
    n = np.atleast_1d(np.asarray(lengths))
    if n.ndim != 1 or n.dtype.kind not in "iu" or not n.size or n.min() < 1:
        raise ValueError(f"lengths must be positive integers, one for each sequence, got {lengths!r}.")
    if n.sum() != T:
        raise ValueError(f"lengths must add up to the number of rows of X, {T}, and add up to {n.sum()}.")
    return n.astype(np.intp)


def check_symbols(X: Any) -> IntArray:
    """Symbols (T,) from an integer array (T, 1) or (T,)."""
    x = np.asarray(X)
    if x.ndim not in (1, 2) or (x.ndim == 2 and x.shape[1] != 1) or not x.size:
        raise ValueError(f"X must be (T, 1), one symbol a row and T >= 1, got shape {x.shape}.")
    if x.dtype.kind not in "iu":
        raise ValueError(
            f"X must hold integers, the numbers of the symbols, got dtype {x.dtype}: encode them as 0, 1, ..."
        )
    x = x.ravel()
    if x.min() < 0:
        raise ValueError(f"X must hold symbols from 0, got {x.min()} at step {int(x.argmin())}.")
    return x


def check_vectors(X: Any) -> FloatArray:
    """Observations (T, d) as finite floats."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or not X.size:
        raise ValueError(f"X must be (T, d) with T, d >= 1, got shape {X.shape}: X.reshape(-1, 1) makes one column.")
    if not np.isfinite(X).all():
        raise ValueError(
            f"X holds NaN or infinity at step {int(np.argwhere(~np.isfinite(X))[0, 0])}: remove or impute it."
        )
    return X


def check_known(x: IntArray, M: int) -> None:
    """Refuse symbols that the model does not know."""
    if x.max() >= M:
        raise ValueError(
            f"X holds the symbol {x.max()} at step {int(x.argmax())}, unseen so far: the model has the symbols 0 to "
            f"{M - 1}. Set n_features before fit."
        )


def check_covariance(S: FloatArray, whose: str) -> None:
    """Variances (d,), one of them or covariance (d, d) of which there is a density; ``whose`` is for the error."""
    try:
        if S.ndim == 2:
            cholesky_factor(S, "the covariance")
        elif not (S > 0).all():
            raise ValueError("a variance is not positive.")
    except ValueError as error:
        remedy = "If fit made it so, raise min_covar or use fewer states."
        raise ValueError(f"covars_, {whose}: {error} {remedy}") from None


def check_enough(X: FloatArray, K: int) -> None:
    """Refuse more states than different rows, from which k-means could not start."""
    if len(np.unique(X[:, 0])) < K:  # rows that differ in the first column are different: no need to sort whole rows
        different = len(np.unique(X, axis=0))
        if different < K:
            raise ValueError(
                f"n_components={K} must be at most the number of different rows of X, {different}: use fewer states."
            )


def check_letters(name: str, value: Any, known: str) -> str:
    """A string of letters that each stand for one group of parameters."""
    if not isinstance(value, str) or not set(value) <= set(known):
        raise ValueError(f"{name} must be a string of letters out of {known!r}, got {value!r}.")
    return value

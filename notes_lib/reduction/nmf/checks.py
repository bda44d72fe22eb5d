"""What the functions of the chapter *Non-negative matrix factorisation* accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_choice, check_integer, check_matrix

LOSSES = ("frobenius", "kullback-leibler")
SOLVERS = ("cd", "mu")
INITS = (None, "random", "nndsvd", "nndsvda", "nndsvdar", "custom")
LARGEST = 1e150  # squares of larger entries come near the end of the range of floats


def check_non_negative(values: ArrayLike, name: str) -> FloatArray:
    """Return a matrix of finite numbers of at least 0; the error says where a negative one stands."""
    A = check_matrix(values, name)
    if (low := A.min()) < 0:
        i, j = (int(v) for v in np.unravel_index(A.argmin(), A.shape))
        raise ValueError(
            f"Negative values in data passed as {name}: {name}[{i}, {j}] is {low:g}. NMF adds parts and never "
            f"subtracts: do not centre {name}, subtract the minimum of each column, or use PCA."
        )
    if A.max() > LARGEST:
        raise ValueError(f"{name} has entries so large that their squares overflow: divide {name} by its maximum.")
    return A


def refuse_text(values: Any) -> None:
    """Raise for data that hold text, which would be converted in silence or under another name."""
    if isinstance(values, list | tuple | np.ndarray) and np.asarray(values).dtype.kind in "US":
        raise TypeError("X must hold numbers, got text: count the words of each document first.")


def check_target(values: ArrayLike, name: str = "X") -> FloatArray:
    """Return a matrix of numbers of at least 0, not all of them 0."""
    A = check_non_negative(values, name)
    if not A.any():
        raise ValueError(f"{name} must have a positive entry: it is 0 everywhere, so there are no parts to find.")
    return A


def check_factors(X: ArrayLike, W: ArrayLike, H: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return data (n, d) and factors (n, k) and (k, d), all non-negative."""
    X, W, H = check_non_negative(X, "X"), check_non_negative(W, "W"), check_non_negative(H, "H")
    if W.shape != (len(X), len(H)) or H.shape[1] != X.shape[1]:
        raise ValueError(f"X must be (n, d), W (n, k) and H (k, d), got shapes {X.shape}, {W.shape} and {H.shape}.")
    return X, W, H


def check_count(n_components: Any, shape: tuple[int, int]) -> int:
    """Return the number of parts: an integer from 1 to the smaller side of the data."""
    k = check_integer(n_components, "n_components")
    n, d = shape
    if k > min(n, d):
        raise ValueError(
            f"n_components={k} must be at most min(n_samples, n_features) = {min(n, d)}, got n_samples = {n} and "
            f"n_features = {d}: lower n_components."
        )
    return k


def check_start(given: ArrayLike | None, name: str, shape: tuple[int, int]) -> FloatArray:
    """Return a copy of a start that the user gives: of the right shape, non-negative, not all 0."""
    if given is None:
        raise ValueError(f"init='custom' needs {name}: pass W and H to fit_transform, or choose another init.")
    A = check_target(given, name)
    if A.shape != shape:
        raise ValueError(f"{name} must have shape {shape} to fit X and n_components, got {A.shape}.")
    return A.copy()


def check_solver(solver: Any, beta_loss: Any) -> None:
    """Raise for an unknown solver or loss, and for one that does not go with the other."""
    check_choice(solver, "solver", SOLVERS)
    check_choice(beta_loss, "beta_loss", LOSSES)
    if solver == "cd" and beta_loss != "frobenius":
        raise ValueError(f"solver='cd' minimises squared errors only, got beta_loss={beta_loss!r}: choose solver='mu'.")

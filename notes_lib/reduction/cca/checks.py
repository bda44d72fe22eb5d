"""What two views may be: matrices with the same rows, and columns that vary; covariances that fit together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_matrix, check_shape, check_symmetric

EPS = float(np.finfo(float).eps)


def views(X: ArrayLike, Y: ArrayLike, names: tuple[str, str] = ("X", "Y")) -> list[FloatArray]:
    """Two views as matrices with the same rows, at least two."""
    given = [np.asarray(V) for V in (X, Y)]
    views = [check_matrix(V[:, None] if V.ndim == 1 else V, name) for V, name in zip(given, names, strict=True)]
    rows = [len(V) for V in views]
    if rows[0] != rows[1]:
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same number of rows, got {rows[0]} and {rows[1]}: a row is one "
            "instance, seen in both views."
        )
    if rows[0] < 2:
        raise ValueError(f"{names[0]} must have at least two rows, got 1 sample: a single instance does not vary.")
    return views


def centred(X: ArrayLike, Y: ArrayLike) -> list[FloatArray]:
    """Two views less their column means."""
    return [V - V.mean(axis=0) for V in views(X, Y)]


def varying(X: ArrayLike, Y: ArrayLike, names: tuple[str, str] = ("X", "Y")) -> list[FloatArray]:
    """Two views less their column means; no column is constant up to rounding errors."""
    return [varying_columns(V, name) for V, name in zip(views(X, Y, names), names, strict=True)]


def varying_columns(V: FloatArray, name: str) -> FloatArray:
    """A view less its column means; refuses columns that are constant up to rounding errors."""
    centred = V - V.mean(axis=0)
    still = np.flatnonzero(np.abs(centred).max(axis=0) <= 10 * EPS * np.abs(V).max(axis=0))
    if still.size:
        raise ValueError(
            f"{name} has constant columns, {still.tolist()} counted from 0: they correlate with nothing, remove them."
        )
    return centred


def blocks(C_xx: ArrayLike, C_yy: ArrayLike, C_xy: ArrayLike) -> list[FloatArray]:
    """Covariances that fit together."""
    within = [check_symmetric(C, name) for C, name in ((C_xx, "C_xx"), (C_yy, "C_yy"))]
    return [*within, check_shape(C_xy, "C_xy", (len(within[0]), len(within[1])))]

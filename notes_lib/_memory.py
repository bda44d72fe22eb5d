"""Where arrays stand in memory: rows that start on a cache line."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.numerics import FloatArray


def aligned(A: ArrayLike) -> FloatArray:
    """Copy of a vector or matrix of floats in which every row starts on a cache line; see :func:`aligned_empty`.

    Examples
    --------
    >>> aligned([[1, 2, 3]])
    array([[1., 2., 3.]])
    """
    A = np.asarray(A, dtype=float)
    B = aligned_empty(*A.shape)
    B[...] = A
    return B


def aligned_empty(*shape: int) -> FloatArray:
    """Floats without values in which every row, along the last axis, starts on a cache line of 64 bytes.

    NumPy aligns to 16 bytes. The widest registers then load from two lines where one would do, and a loop over many
    short operations on rows takes up to a fifth longer.

    Examples
    --------
    >>> A = aligned_empty(3, 5)
    >>> A.shape, [row.ctypes.data % 64 for row in A]
    ((3, 5), [0, 0, 0])
    """
    width = -(-shape[-1] // 8) * 8  # in floats of 8 bytes: each row is filled up to whole lines
    size = math.prod(shape[:-1]) * width
    buffer = np.empty(size + 8)
    start = -buffer.ctypes.data % 64 // 8
    return buffer[start : start + size].reshape(*shape[:-1], width)[..., : shape[-1]]

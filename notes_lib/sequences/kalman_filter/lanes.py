"""The recursion of the means, ``x = F x + g``, for all series together, and in lanes where F stays the same."""

from __future__ import annotations

import numpy as np

from notes_lib.checks import FloatArray
from notes_lib.sequences.kalman_filter.checks import BoolArray

LONG = 100  # steps, times series, from which lanes are worth their trouble


def recursion(F: FloatArray, g: FloatArray, out: FloatArray, new: BoolArray) -> None:
    """Fill ``out`` (T, B, d, n) by ``out[t] = F[t] out[t - 1] + g[t]`` from the ``out[0]`` that stands there on."""
    if F.shape[1] > 1:
        for t in range(1, len(out)):
            np.matmul(F[t], out[t - 1], out=out[t])
            out[t] += g[t]
        return
    F, g, out = F[:, 0], g[:, 0], out[:, 0]
    starts = np.concatenate([[1], np.flatnonzero(new[1:]) + 1, [len(out)]])
    t = 1
    for long in np.flatnonzero(np.diff(starts) > LONG / out.shape[2]):
        plain(F, g, out, t, starts[long])
        a, b = starts[long], t = starts[long], starts[long + 1]
        out[a:b] = in_lanes(F[a], g[a:b], out[a - 1])
    plain(F, g, out, t, len(out))


def plain(F: FloatArray, g: FloatArray, out: FloatArray, start: int, stop: int) -> None:
    """The recursion from step ``start`` to ``stop``."""
    for t in range(start, stop):
        np.dot(F[t], out[t - 1], out=out[t])
        out[t] += g[t]


def in_lanes(F: FloatArray, g: FloatArray, start: FloatArray) -> FloatArray:
    """States (n, d, N) of ``x = F x + g`` from ``start`` (d, N): cut into lanes that take each step together.

    Each lane runs from 0; what its start adds, a power of F times it, is added afterwards.
    """
    n, d, N = g.shape
    length = int(np.ceil(np.sqrt(n)))
    width = -(-n // length)
    lanes = np.zeros((width * length, d, N))
    lanes[:n] = g
    lanes = np.ascontiguousarray(lanes.reshape(width, length, d, N).transpose(1, 2, 0, 3)).reshape(length, d, -1)
    powers = np.empty((length, d, d))
    powers[0] = F
    for t in range(1, length):
        lanes[t] += F @ lanes[t - 1]
        np.dot(F, powers[t - 1], out=powers[t])
    ends = lanes[-1].reshape(d, width, N)
    starts = np.empty((d, width, N))
    starts[:, 0] = start
    for j in range(1, width):
        starts[:, j] = powers[-1] @ starts[:, j - 1] + ends[:, j - 1]
    lanes += (powers.reshape(-1, d) @ starts.reshape(d, -1)).reshape(lanes.shape)
    return lanes.reshape(length, d, width, N).transpose(2, 0, 1, 3).reshape(-1, d, N)[:n]

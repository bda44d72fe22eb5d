"""The Lance-Williams formula for a whole row of distances at a time, in the arithmetic that breaks ties as SciPy does.

Single linkage needs none, since it follows a spanning tree. Each function takes the rows of distances of two clusters x
and y to all clusters, their distance ``d``, and sizes; it overwrites the second row by the distances of the union, as
:func:`lance_williams` has them one by one. Squares are taken where SciPy takes them, so that each rounding is the same.
No root is of a negative number: x and y are the nearest pair, or each other's nearest neighbours, so no entry of the
two rows is below ``d``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from notes_lib.checks import FloatArray

Update = Callable[[FloatArray, FloatArray, float, float, float, FloatArray, FloatArray], None]


def complete(x: FloatArray, y: FloatArray, d: float, nx: float, ny: float, sizes: FloatArray, room: FloatArray) -> None:
    """The farther of the two, :eq:`hierarchical-clustering-lw-complete`."""
    np.maximum(x, y, out=y)


def average(x: FloatArray, y: FloatArray, d: float, nx: float, ny: float, sizes: FloatArray, room: FloatArray) -> None:
    """Their mean by sizes, :eq:`hierarchical-clustering-lw-average`."""
    np.multiply(x, nx, out=room)
    y *= ny
    y += room
    y /= nx + ny


def weighted(x: FloatArray, y: FloatArray, d: float, nx: float, ny: float, sizes: FloatArray, room: FloatArray) -> None:
    """Their plain mean: both clusters count as much, whatever their sizes."""
    y += x
    y *= 0.5


def ward(x: FloatArray, y: FloatArray, d: float, nx: float, ny: float, sizes: FloatArray, room: FloatArray) -> None:
    """Ward's height, :eq:`hierarchical-clustering-lw-ward`."""
    t = 1.0 / (nx + ny + sizes)
    np.add(sizes, nx, out=room)
    for factor in (t, x, x):
        room *= factor
    own = sizes + ny
    own *= t
    own *= y
    y *= own
    y += room
    np.multiply(sizes, t, out=room)
    room *= d
    room *= d
    y -= room
    np.sqrt(y, out=y)


def centroid(x: FloatArray, y: FloatArray, d: float, nx: float, ny: float, sizes: FloatArray, room: FloatArray) -> None:
    """Distance of the means, :eq:`hierarchical-clustering-lw-centroid`."""
    np.multiply(x, nx, out=room)
    room *= x
    room += ny * y * y
    room -= nx * ny * d * d / (nx + ny)
    room /= nx + ny
    np.sqrt(room, out=y)


def median(x: FloatArray, y: FloatArray, d: float, nx: float, ny: float, sizes: FloatArray, room: FloatArray) -> None:
    """Distance to the middle between both centres, whatever the sizes."""
    np.multiply(x, x, out=room)
    room += y * y
    room *= 0.5
    room -= 0.25 * d * d
    np.sqrt(room, out=y)


UPDATES: dict[str, Update] = {
    "complete": complete, "average": average, "weighted": weighted, "ward": ward,
    "centroid": centroid, "median": median,
}  # fmt: skip

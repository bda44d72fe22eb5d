"""What the functions of the chapter *Manifold learning* accept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer
from notes_lib.clustering.density_clustering.checks import check_distances


def check_table(D: ArrayLike, name: str = "D") -> FloatArray:
    """Return a symmetric table of distances, none negative, with zeros on the diagonal."""
    D = check_distances(D, name)
    if D.diagonal().any():
        i = int(np.flatnonzero(D.diagonal())[0])
        raise ValueError(
            f"{name} must have zeros on its diagonal, got {D[i, i]:g} in row {i}: each thing is at distance 0 from "
            "itself; turn similarities into distances first."
        )
    return D


def check_components(value: Any, most: int, what: str) -> int:
    """Return a number of components that is at most ``most``; ``what`` says of what that is the number."""
    k = check_integer(value, "n_components")
    if k > most:
        raise ValueError(f"n_components={k} must be at most {most}, {what}: ask for fewer.")
    return k

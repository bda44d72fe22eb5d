"""What the functions of the chapter *Density-based and spectral clustering* accept."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, issparse

from notes_lib.checks import FloatArray, IntArray, check_finite, check_positive, check_symmetric
from notes_lib.neighbors.nearest_neighbors.steps import check_metric

Weights: TypeAlias = FloatArray | Any  # an array or a csr_array

METRICS = ("euclidean", "minkowski", "manhattan", "chebyshev", "precomputed")
RADIUS = "points within this distance are neighbours; read it off the distances to the min_samples-th neighbour"


def check_radius(eps: Any) -> float:
    """Return the radius of the neighbourhoods."""
    return check_positive(eps, "eps", RADIUS)


def check_order(metric: Any, p: Any) -> float:
    """Return the order of the distance; the euclidean one if ``p`` is None."""
    if metric not in METRICS:
        raise ValueError(f"metric must be one of {METRICS}, got {metric!r}: compute other distances yourself and pass "
                         "them as 'precomputed'.")  # fmt: skip
    return 2.0 if metric == "precomputed" else check_metric(metric, 2 if p is None else p)


def check_distances(D: ArrayLike, name: str = "X") -> FloatArray:
    """Return a symmetric table of distances that are not negative."""
    D = check_symmetric(D, name)
    if len(D) == 0 or (D < 0).any():
        raise ValueError(f"{name} must hold distances, none of them negative: pass distances, not similarities.")
    return D


def check_weights(W: Any, name: str = "W") -> Weights:
    """Return the symmetric weights of a graph, none negative, as floats; sparse ones stay sparse.

    The diagonal plays no part in a cut, and is left as it is.
    """
    if not issparse(W):
        W = check_symmetric(W, name)
        least = W.min(initial=0.0)
    else:
        W = csr_array(W, dtype=float)
        if W.ndim != 2 or W.shape[0] != W.shape[1]:
            raise ValueError(f"{name} must be a square matrix, got shape {W.shape}.")
        check_finite(W.data, name)
        if abs(W - W.T).max() > 1e-8 * abs(W).max():
            raise ValueError(f"{name} must be symmetric: average it with its transpose.")
        least = W.data.min(initial=0.0)
    if W.shape[0] == 0 or least < 0:
        raise ValueError(f"{name} must hold the weights of at least one node, none of them negative: pass similarities "
                         "such as exp(-gamma d^2), not distances or correlations.")  # fmt: skip
    return W


def check_degrees(d: FloatArray, name: str = "W") -> FloatArray:
    """Return the degrees of all nodes, or raise if one of them has no neighbour."""
    lonely = np.flatnonzero(~(d > 0))
    if len(lonely):
        few = ", ".join(map(str, lonely[:5])) + (", ..." if len(lonely) > 5 else "")
        raise ValueError(f"{name} leaves {len(lonely)} of {len(d)} nodes isolated ({few}): a node without neighbours "
                         "has degree 0, by which nothing can be divided; drop these rows, raise n_neighbors, or lower "
                         "gamma.")  # fmt: skip
    return d


def check_partition(labels: ArrayLike, n: int) -> tuple[IntArray, int]:
    """Return codes 0, ..., k - 1 of the groups of n nodes, in the order of their labels, and k."""
    labels = np.asarray(labels)
    if labels.shape != (n,):
        raise ValueError(f"labels must have shape ({n},), one for each node of W, got {labels.shape}.")
    names, codes = np.unique(labels, return_inverse=True)
    return codes, len(names)

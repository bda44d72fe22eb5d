"""All pairs of points within a radius: blocks of the points of a leaf against the leaves that may hold neighbours.

The tree is one of the chapter *Nearest neighbours*. The points of a leaf lie close together, so they are asked for
together: the box about them, widened by the radius, is compared with all nodes, and the distances to the leaves that
it meets are one matrix product. Only distances that rounding could carry across the radius are computed again, from
the differences of the coordinates in their order, so that ties are decided as in scikit-learn's trees.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from notes_lib.checks import FloatArray, IntArray
from notes_lib.neighbors.nearest_neighbors import BallTree, KDTree
from notes_lib.neighbors.nearest_neighbors.blocks import EPSILON, Blocks, leaves_of, starts
from notes_lib.neighbors.nearest_neighbors.search import ByProduct, distance_tables

Graph: TypeAlias = Any  # a csr_array, of which mypy knows nothing

FEW = 15  # columns up to which a tree is worth its while, as in scikit-learn


def radius_graph(X: FloatArray, eps: float, p: float, algorithm: str, leaf_size: int) -> Graph:
    """Boolean (n, n) matrix with an entry for each pair of rows of ``X`` whose distance of order ``p`` is at most eps.

    The indices of a row come in the order of the tree.
    """
    n, d = X.shape
    brute = algorithm == "brute" or (algorithm == "auto" and d > FEW)
    Tree = BallTree if algorithm == "ball_tree" else KDTree
    tree = Tree(X, n if brute else leaf_size, p=p)._flat
    Z, home = tree.X, np.empty(n, dtype=np.intp)  # the points of a leaf stand together from here on
    for leaf in np.flatnonzero(tree.child[:, 0] < 0):
        home[tree.places[leaf]] = leaf
    first = starts(home)
    stop = np.append(first[1:], n)
    reach = eps + EPSILON * (eps + np.abs(Z).max())
    blocks = Blocks(first, stop, np.minimum.reduceat(Z, first) - reach, np.maximum.reduceat(Z, first) + reach)
    tables, columns = distance_tables(Z, Z, "minkowski", p), np.ascontiguousarray(Z.T)
    edges: list[IntArray] = []
    counts = np.empty(n, dtype=np.intp)
    for a, b, leaves in zip(first, stop, leaves_of(tree, blocks, np.zeros(4, dtype=np.intp)), strict=True):
        rows, near = slice(a, b), np.concatenate([tree.places[leaf] for leaf in leaves])
        D, slack = tables.table(rows, near)  # (m, c) distances; squared, less |x|^2 of the row, for p = 2
        limit = eps**2 - tables.own[rows] if isinstance(tables, ByProduct) else np.full(b - a, eps)
        slack = slack + EPSILON * (np.abs(limit) + eps)
        hits = np.flatnonzero((limit + slack)[:, None] >= D)
        i, j = np.divmod(hits, len(near))
        doubtful = np.flatnonzero(D.ravel()[hits] > (limit - slack)[i])
        out = doubtful[~within(columns, i[doubtful] + a, near[j[doubtful]], eps, p)]
        counts[rows] = np.bincount(np.delete(i, out), minlength=b - a)
        edges.append(near[np.delete(j, out)])
    indices = tree.rows[np.concatenate(edges)]
    ends = np.concatenate([[0], np.cumsum(counts)])
    G = csr_array((np.ones(len(indices), dtype=bool), indices, ends), shape=(n, n))
    return G[np.argsort(tree.rows)]


def within(columns: FloatArray, i: IntArray, j: IntArray, eps: float, p: float) -> np.ndarray:
    """Whether points i and j, columns of a matrix, lie within the radius: by powers of distances, without a root."""
    total = np.zeros(len(i))
    for x in columns:
        gap = np.abs(x[i] - x[j])
        if p == np.inf:
            np.maximum(total, gap, out=total)
        else:
            total += gap if p == 1 else gap * gap if p == 2 else gap**p
    return np.asarray(total <= (eps if p in (1, np.inf) else eps * eps if p == 2 else eps**p))

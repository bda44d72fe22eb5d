"""Branch and bound: trees of boxes and of balls, searched for all queries together, and for many in blocks.

A node holds a part of the instances and a set that encloses them. If a query lies farther from this set than from the
k neighbours found so far, no instance of the node can be one of them, :eq:`nearest-neighbors-prune`. Each query first
goes down to a leaf, at each node to the child that is nearer: by its box, or by the centre of its ball.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_integer, check_matrix
from notes_lib.neighbors.nearest_neighbors.blocks import (
    EPSILON,
    Flat,
    Node,
    Shape,
    distances_of_pairs,
    flatten,
    nearest_in_blocks,
)
from notes_lib.neighbors.nearest_neighbors.search import Neighbors, check_neighbors
from notes_lib.neighbors.nearest_neighbors.steps import Metric, check_metric, minkowski

MANY = 128  # queries from which on blocks of them are searched


class TreeStats(NamedTuple):
    """Since the last reset: nodes left out, leaves searched, and inner nodes entered, added up over queries."""

    n_trims: int
    n_leaves: int
    n_splits: int


def box_bound(queries: ArrayLike, low: ArrayLike, high: ArrayLike, p: float = 2) -> FloatArray:
    """Distance of each query (m, d) from a box with the corners ``low`` and ``high``, :eq:`nearest-neighbors-box`.

    Examples
    --------
    >>> box_bound([[4.0, 5.0], [0.5, 0.5]], [0.0, 0.0], [1.0, 1.0])
    array([5., 0.])
    """
    Q = np.asarray(queries, dtype=float)
    return distances_of_pairs(Q, np.clip(Q, low, high), p)


def ball_bound(queries: ArrayLike, center: ArrayLike, radius: float | FloatArray, p: float = 2) -> FloatArray:
    """What no instance of a ball can be nearer to a query (m, d) than, :eq:`nearest-neighbors-ball`.

    Examples
    --------
    >>> ball_bound([[3.0, 4.0], [0.0, 0.0]], [0.0, 0.0], 1.0)
    array([4., 0.])
    """
    Q = np.asarray(queries, dtype=float)
    return np.maximum(distances_of_pairs(Q, np.asarray(center, dtype=float), p) - radius, 0.0)


class _Tree(ABC):
    """What both trees share: division at the median of the widest feature, and the search."""

    def __init__(self, X: ArrayLike, leaf_size: int = 40, metric: Metric = "minkowski", p: float = 2) -> None:
        self.data = check_matrix(X, "X")
        self.leaf_size, self.metric, self.p = check_integer(leaf_size, "leaf_size"), metric, p
        self.order = check_metric(metric, p, axioms=True)
        self.root = self._node(np.arange(len(self.data)))
        self.reset_n_calls()

    def query(self, X: ArrayLike, k: int = 1, return_distance: bool = True) -> Neighbors | IntArray:
        """The ``k`` nearest instances of each query, nearest first; of equally near ones the first.

        Parameters
        ----------
        X : (m, d) array
        k : int
        return_distance : bool

        Returns
        -------
        Neighbors, or the indices (m, k) alone

        Raises
        ------
        TypeError, ValueError
            Another number of columns, ``k`` < 1 or above the number of instances.

        Notes
        -----
        O(log n) visits of nodes for each query in few dimensions, all nodes in many.
        """
        best = self.nearest(X, k)
        return best if return_distance else best.indices

    def nearest(self, X: ArrayLike, k: int) -> Neighbors:
        """What :meth:`query` returns with distances; many queries go in blocks, which find the same."""
        Q, k = check_matrix(X, "X"), check_neighbors(k, len(self.data))
        if Q.shape[1] != self.data.shape[1]:
            raise ValueError(f"X must have {self.data.shape[1]} columns as the tree has, got {Q.shape[1]}.")
        return self._in_blocks(Q, k) if len(Q) >= MANY else self._by_nodes(Q, k)

    def _by_nodes(self, Q: FloatArray, k: int) -> Neighbors:
        """Branch and bound as the chapter derives it."""
        best = Neighbors(np.full((len(Q), k), np.inf), np.full((len(Q), k), len(self.data)))
        home = np.empty(len(Q), dtype=np.intp)
        self._descend(self.root, Q, np.arange(len(Q)), home, best)
        self._search(self.root, Q, np.arange(len(Q)), home, best)
        return best

    def _in_blocks(self, Q: FloatArray, k: int) -> Neighbors:
        """The same neighbours from fewer and larger operations."""
        found, visits = nearest_in_blocks(self._flat, Q, k, self.order)
        self._count(*visits.tolist())
        return found

    @cached_property
    def _flat(self) -> Flat:
        return flatten(self.root, self.data, self._meets)

    def get_n_calls(self) -> int:
        """Distances between a query and an instance that were computed since the last reset."""
        return self._n_calls

    def get_tree_stats(self) -> TreeStats:
        """What the queries visited since the last reset."""
        return self._stats

    def reset_n_calls(self) -> None:
        """Start to count anew."""
        self._n_calls, self._stats = 0, TreeStats(0, 0, 0)

    def _node(self, rows: IntArray) -> Node:
        shape = self._enclose(self.data[rows])
        if len(rows) <= self.leaf_size:
            return Node(np.sort(rows), shape, (), (0, 0.0))
        part = self.data[rows]
        widest = np.ptp(part, axis=0).argmax()
        half = len(rows) // 2
        order = np.argpartition(part[:, widest], half)
        children = self._node(rows[order[:half]]), self._node(rows[order[half:]])
        return Node(rows, shape, children, (int(widest), float(part[order[half], widest])))

    def _descend(self, node: Node, Q: FloatArray, who: IntArray, home: IntArray, best: Neighbors) -> None:
        """Branch: each query goes to the nearer child, down to its home, a leaf that gives first neighbours."""
        if len(who) == 0:
            return
        if not node.children:
            home[who] = node.rows[0]
            self._measure(node, Q, who, best)
            return
        left, right = node.children
        goes_left = self._away(Q[who], left) <= self._away(Q[who], right)
        self._descend(left, Q, who[goes_left], home, best)
        self._descend(right, Q, who[~goes_left], home, best)

    def _search(self, node: Node, Q: FloatArray, who: IntArray, home: IntArray, best: Neighbors) -> None:
        """Bound: look into a node for those queries that have no k neighbours nearer than all of the node."""
        near = self._bound(Q[who], node) <= best.distances[who, -1]  # equally near: an earlier instance may be there
        who = who[near]
        self._count(n_trims=int((~near).sum()), n_splits=len(who) * bool(node.children))
        if len(who) == 0:
            return
        if not node.children:
            self._measure(node, Q, who[home[who] != node.rows[0]], best)
        for child in node.children:
            self._search(child, Q, who, home, best)

    def _measure(self, leaf: Node, Q: FloatArray, who: IntArray, best: Neighbors) -> None:
        """Put the instances of a leaf among the best so far, by distance and then by number."""
        self._count(n_leaves=len(who), n_calls=len(who) * len(leaf.rows))
        D = minkowski(Q[who], self.data[leaf.rows], self.order)
        D = np.hstack([best.distances[who], D])
        J = np.hstack([best.indices[who], np.broadcast_to(leaf.rows, (len(who), len(leaf.rows)))])
        nearest = np.lexsort((J, D))[:, : best.indices.shape[1]]
        best.distances[who] = np.take_along_axis(D, nearest, axis=1)
        best.indices[who] = np.take_along_axis(J, nearest, axis=1)

    def _count(self, n_trims: int = 0, n_leaves: int = 0, n_splits: int = 0, n_calls: int = 0) -> None:
        more = (n_trims, n_leaves, n_splits)
        self._stats = TreeStats(*(a + b for a, b in zip(self._stats, more, strict=True)))
        self._n_calls += n_calls

    @abstractmethod
    def _enclose(self, part: FloatArray) -> tuple[FloatArray, FloatArray]:
        """What encloses these instances."""

    @abstractmethod
    def _meets(self, low: FloatArray, high: FloatArray, shape: Shape) -> np.ndarray:
        """Whether each box, a row of both corners, meets the node with the shape in the same row."""

    @abstractmethod
    def _bound(self, Q: FloatArray, node: Node) -> FloatArray:
        """What no instance of the node can be nearer to each query than."""

    def _away(self, Q: FloatArray, node: Node) -> FloatArray:
        """By what the nearer child is chosen: the bound."""
        return self._bound(Q, node)


class KDTree(_Tree):
    """Tree of boxes: each node is the smallest box about its instances, divided at the median of its widest feature.

    Parameters
    ----------
    X : (n, d) array
    leaf_size : int
        Most instances of a leaf.
    metric : {"minkowski", "euclidean", "manhattan", "chebyshev"}
    p : float

    Attributes
    ----------
    data : (n, d) array
    root : Node

    Raises
    ------
    TypeError, ValueError
        Bad data, ``leaf_size`` < 1, a metric that is unknown or no metric (``"sqeuclidean"``).

    Notes
    -----
    O(d n log n) time to build, O(n log n) memory. From 128 queries on, blocks of them go down together: the same
    neighbours in a quarter of the time, and often more distances computed. Names are those of scikit-learn's tree.
    Source: Friedman, Bentley and Finkel (1977).

    Examples
    --------
    >>> tree = KDTree([[2, 3], [5, 4], [9, 6], [4, 7], [8, 1], [7, 2]], leaf_size=1)
    >>> tree.query([[2, 4.5]])
    Neighbors(distances=array([[1.5]]), indices=array([[0]]))
    >>> tree.get_tree_stats()
    TreeStats(n_trims=2, n_leaves=1, n_splits=2)
    """

    def _enclose(self, part: FloatArray) -> tuple[FloatArray, FloatArray]:
        return part.min(axis=0), part.max(axis=0)

    def _meets(self, low: FloatArray, high: FloatArray, shape: Shape) -> np.ndarray:
        return np.asarray(((shape[0] <= high) & (shape[1] >= low)).all(axis=1))

    def _bound(self, Q: FloatArray, node: Node) -> FloatArray:
        return box_bound(Q, *node.shape, self.order)


class BallTree(_Tree):
    """Tree of balls: each node is a ball about the mean of its instances, divided at the median of the widest feature.

    Parameters, attributes, errors and costs are those of :class:`KDTree`. Source: Omohundro (1989).

    Examples
    --------
    >>> tree = BallTree([[2, 3], [5, 4], [9, 6], [4, 7], [8, 1], [7, 2]], leaf_size=2)
    >>> tree.query([[2, 4.5]], k=2, return_distance=False)
    array([[0, 1]])
    """

    def _enclose(self, part: FloatArray) -> tuple[FloatArray, FloatArray]:
        center = part.mean(axis=0, keepdims=True)
        return center, minkowski(part, center, self.order).max(axis=0)

    def _meets(self, low: FloatArray, high: FloatArray, shape: Shape) -> np.ndarray:
        center, radius = shape
        nearest = np.clip(center, low, high)
        bound = ball_bound(nearest, center, self._rounded(radius[:, 0], center, nearest), self.order)
        return np.asarray(bound == 0)

    def _bound(self, Q: FloatArray, node: Node) -> FloatArray:
        center, radius = node.shape
        return ball_bound(Q, center, self._rounded(radius, center, Q), self.order)

    @staticmethod
    def _rounded(radius: FloatArray, center: FloatArray, Q: FloatArray) -> FloatArray:
        """The radius, larger by what rounding may do to the difference from the centre."""
        return radius + EPSILON * (radius + np.abs(center).max() + np.abs(Q).max(initial=0.0))

    def _away(self, Q: FloatArray, node: Node) -> FloatArray:
        """The distance from the centre: balls overlap, and within two of them both bounds are 0."""
        return distances_of_pairs(Q, node.shape[0], self.order)

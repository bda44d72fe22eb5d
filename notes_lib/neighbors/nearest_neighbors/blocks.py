"""The trees' search for many queries: blocks of queries against the leaves that one of them may need.

NumPy looks at a node for one query at almost the cost of fifty. Queries that fall into one leaf need nearly the same
other leaves, so they are taken together, in three steps:

1. All queries go down the tree together, a level at a time, each to its home: a leaf, or the last node on the way with
   k instances. The k-th smallest distance at home bounds the distance of the k-th neighbour.
2. The queries of one home are a block. Their bounds are radii of balls about them, and all blocks go down the tree
   together: a node that does not meet the box about these balls holds no neighbour, :eq:`nearest-neighbors-prune`.
3. The distances of a block from the instances of its leaves that lie in its box are one table, by one matrix product if
   the metric is Euclidean. What lies within the bound of its query is measured again by differences and sorted by
   distance and then by number: the result is that of the search node by node, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.neighbors.nearest_neighbors.search import Neighbors, Tables, distance_tables
from notes_lib.neighbors.nearest_neighbors.steps import minkowski

Shape = tuple[FloatArray, FloatArray]  # two corners of a box, or a centre and a radius
Meets = Callable[[FloatArray, FloatArray, Shape], np.ndarray]

QUERIES = 64  # of a block at most, so that its table stays in the cache
CANDIDATES = 4096  # are measured and sorted together, and the rest of their block
PAIRS = 2**20  # numbers at most in an array over pairs of a block and a node
EPSILON = 1e-12  # what rounding may change in a distance, as a share of the numbers in it


class Node(NamedTuple):
    """Instances ``rows``, what encloses them, and children or none, divided where ``split`` = (feature, value) says."""

    rows: IntArray
    shape: Shape
    children: tuple[Node, ...]
    split: tuple[int, float]


class Flat(NamedTuple):
    """A tree as arrays with one entry a node, parents before children and leaves from left to right.

    ``rows`` (n,) has the instances leaf after leaf, ``X`` (n, d) their values in this order, each column in one piece,
    and ``places`` has those of each node, neighbours in it. ``child`` (N, 2) has numbers of nodes, -1 below a leaf.
    ``meets(low, high, shape)`` says whether boxes meet nodes; a row is one of each.
    """

    rows: IntArray
    X: FloatArray
    places: list[IntArray]
    size: IntArray
    child: IntArray
    feature: IntArray
    value: FloatArray
    shape: Shape
    meets: Meets


class Blocks(NamedTuple):
    """Block b: queries ``start[b]`` to ``stop[b] - 1``, and the corners of the box about all places near enough."""

    start: IntArray
    stop: IntArray
    low: FloatArray
    high: FloatArray


def flatten(root: Node, X: FloatArray, meets: Meets) -> Flat:
    """The arrays of a tree."""
    nodes: list[Node] = []
    places: list[IntArray] = []
    child: list[list[int]] = []
    every = np.arange(len(X))

    def visit(node: Node, first: int) -> int:
        here = len(nodes)
        nodes.append(node)
        places.append(every[first : first + len(node.rows)])
        child.append([-1, -1])
        for side, below in enumerate(node.children):
            child[here][side] = visit(below, first)
            first += len(below.rows)
        return here

    visit(root, 0)
    rows = np.concatenate([node.rows for node in nodes if not node.children])
    size = np.array([len(part) for part in places])
    feature, value = (np.array(part) for part in zip(*(node.split for node in nodes), strict=True))
    shape = [np.array([np.ravel(node.shape[part]) for node in nodes]) for part in (0, 1)]
    X = np.asfortranarray(X[rows])
    return Flat(rows, X, places, size, np.array(child), feature, value, (shape[0], shape[1]), meets)


def nearest_in_blocks(flat: Flat, Q: FloatArray, k: int, p: float) -> tuple[Neighbors, IntArray]:
    """The ``k`` nearest instances for each query by the distance of order ``p``; of equally near ones the first.

    Returns
    -------
    Neighbors, and how often, over all queries, a node was left out, a leaf searched, an inner node entered and a
    distance computed

    Raises
    ------
    ValueError
        If ``p`` is 2 and the square of a distance overflows.
    """
    home = homes(flat, Q, k)
    order = np.argsort(home, kind="stable")
    Q, home = np.asfortranarray(Q[order]), home[order]
    tables = distance_tables(flat.X, Q, "minkowski", p)
    start = starts(home)
    stop = np.append(start[1:], len(Q))
    bound = np.empty(len(Q))  # of the entries of the tables
    for a, b, node in zip(start, stop, home[start], strict=True):
        D, slack = tables.table(slice(a, b), flat.places[node])
        bound[a:b] = np.partition(D, k - 1, axis=1)[:, k - 1] + slack
    radius = tables.distance(bound)[:, None]
    radius = radius + EPSILON * (radius + np.abs(Q))
    blocks = Blocks(start, stop, np.minimum.reduceat(Q - radius, start), np.maximum.reduceat(Q + radius, start))
    found = Neighbors(np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.intp))
    visits = np.array([0, 0, 0, flat.size[home].sum()])
    for i, j in candidates(flat, tables, blocks, bound, visits):
        rows = order[i[0] : i[-1] + 1]
        D = distances_of_pairs(Q.T.take(i, axis=1).T, flat.X.T.take(j, axis=1).T, p)
        found.distances[rows], found.indices[rows] = nearest_of_each(i - i[0], flat.rows[j], D, k)
    return found, visits


def homes(flat: Flat, Q: FloatArray, k: int) -> IntArray:
    """The leaf of each query, or the last node on the way there with ``k`` instances."""
    home, who = np.zeros(len(Q), dtype=np.intp), np.arange(len(Q))
    while len(who):
        node = home[who]
        second = Q[who, flat.feature[node]] >= flat.value[node]
        child = flat.child[node, second.astype(np.intp)]
        deeper = (child >= 0) & (flat.size[child] >= k)
        who = who[deeper]
        home[who] = child[deeper]
    return home


def starts(home: IntArray) -> IntArray:
    """Where the blocks begin: runs of equal entries, cut into ``QUERIES`` at most."""
    first = np.flatnonzero(np.diff(home, prepend=-1))
    ends = np.append(first[1:], len(home))
    return np.concatenate([np.arange(a, b, QUERIES) for a, b in zip(first, ends, strict=True)])


def candidates(
    flat: Flat, tables: Tables, blocks: Blocks, bound: FloatArray, visits: IntArray
) -> Iterator[tuple[IntArray, IntArray]]:
    """Pairs of a query and an instance within its bound, by query; all pairs of a block together."""
    pairs: list[tuple[IntArray, IntArray]] = []
    number = 0
    for b, leaves in enumerate(leaves_of(flat, blocks, visits)):
        rows = slice(blocks.start[b], blocks.stop[b])
        columns = places_in_box(flat, leaves, blocks.low[b], blocks.high[b])
        visits[3] += (rows.stop - rows.start) * len(columns)
        i, c = tables.within(rows, columns, bound[rows])
        pairs.append((i + rows.start, columns[c]))
        number += len(i)
        if number >= CANDIDATES or rows.stop == len(bound):
            i, j = (np.concatenate(part) for part in zip(*pairs, strict=True))
            yield i, j
            pairs, number = [], 0


def leaves_of(flat: Flat, blocks: Blocks, visits: IntArray) -> Iterator[list[int]]:
    """The leaves that each block needs; adds to ``visits`` what is looked at."""
    step = max(1, PAIRS // (len(flat.child) * blocks.low.shape[1]))  # blocks that go down together
    for first in range(0, len(blocks.start), step):
        block = np.arange(first, min(first + step, len(blocks.start)))
        node, last = np.zeros_like(block), block[-1] + 1
        kept: list[tuple[IntArray, IntArray]] = []
        while len(block):
            shape = flat.shape[0][node], flat.shape[1][node]
            near = flat.meets(blocks.low[block], blocks.high[block], shape)
            leaf = flat.child[node, 0] < 0
            queries = (blocks.stop - blocks.start)[block]
            visits[:3] += [queries[~near].sum(), queries[near & leaf].sum(), queries[near & ~leaf].sum()]
            kept.append((block[near & leaf], node[near & leaf]))
            block, node = np.repeat(block[near & ~leaf], 2), flat.child[node[near & ~leaf]].ravel()
        block, node = (np.concatenate(part) for part in zip(*kept, strict=True))
        node = node[np.argsort(block, kind="stable")]
        ends = np.cumsum(np.bincount(block, minlength=last)[first:])
        yield from (part.tolist() for part in np.split(node, ends[:-1]))


def places_in_box(flat: Flat, leaves: list[int], low: FloatArray, high: FloatArray) -> IntArray:
    """Those instances of some leaves that lie in a box."""
    places = np.concatenate([flat.places[leaf] for leaf in leaves])
    values = flat.X.T.take(places, axis=1)
    return places[((values >= low[:, None]) & (values <= high[:, None])).all(axis=0)]


def distances_of_pairs(A: FloatArray, B: FloatArray, p: float) -> FloatArray:
    """Distance of order ``p`` of each row of one matrix from the same row of the other."""
    return minkowski(A - B, np.zeros((1, A.shape[1])), p)[:, 0]


def nearest_of_each(i: IntArray, j: IntArray, distances: FloatArray, k: int) -> tuple[FloatArray, IntArray]:
    """Distances and numbers (m, k) of the nearest candidates; i says whose each is, and comes in order."""
    first = np.searchsorted(i, np.arange(i[-1] + 1))  # here the candidates of each begin
    whose = i.astype(np.uint16)  # below CANDIDATES + QUERIES; a stable sort counts numbers of 16 bits
    order = np.argsort(distances)
    order = order[np.argsort(whose[order], kind="stable")]
    D = distances[order]
    if ((D[1:] == D[:-1]) & (i[1:] == i[:-1])).any():
        order = np.lexsort((j, distances, whose))  # of equally near ones the first
    best = order[first[:, None] + np.arange(k)]
    return distances[best], j[best]

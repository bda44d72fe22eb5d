"""The trees of the isolation forest: all of them grow together, a level at a time.

A tree of 256 rows is so small that NumPy would spend its time between the operations. The nodes of one level of all
trees are therefore cut at once: their rows stand side by side, smallest and largest values come from one reduction,
and one stable sort moves each row into its new node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from notes_lib.checks import FloatArray, IntArray
from notes_lib.mining.anomaly_detection.steps import average_path_length

QUERIES = 4096  # rows that go down together, so that what is known of them stays in the cache


class Forest(NamedTuple):
    """Trees as arrays with one entry a node; tree t has the root t.

    ``feature`` and ``threshold`` say where a node is cut: rows with a value above the threshold go to ``child + 1``,
    the others to ``child``. A leaf is its own child and has the threshold infinity. ``path`` is the number of cuts
    above a leaf and c of the rows in it, :eq:`anomaly-detection-depth`; ``height`` is the largest number of cuts.
    """

    n_trees: int
    height: int
    feature: IntArray
    threshold: FloatArray
    child: IntArray
    path: FloatArray


def grow_forest(X: FloatArray, samples: IntArray, height: int, rng: np.random.Generator) -> Forest:
    """One tree for each row of ``samples``, cut at random until rows are alone, equal, or ``height`` cuts deep.

    Parameters
    ----------
    X : (n, d) array
    samples : (T, m) array of integers
        The rows that each tree is grown from.
    height : int
        Most cuts above a leaf.
    rng : Generator

    Notes
    -----
    O(T m d) time for each level.
    """
    T, m = samples.shape
    rows, size = samples.ravel(), np.full(T, m)
    node, n_nodes, depth = np.arange(T), T, 0
    features, thresholds, children, paths = [], [], [], []
    while True:
        start = np.cumsum(size) - size
        V = X[rows]
        low, high = np.minimum.reduceat(V, start, axis=0), np.maximum.reduceat(V, start, axis=0)
        varies = high > low
        cut = np.asarray(varies.any(axis=1)) & (depth < height)
        place = np.flatnonzero(cut)
        feature, threshold = np.zeros(len(node), dtype=np.intp), np.full(len(node), np.inf)
        chance, where = rng.random((2, len(place)))
        among = np.cumsum(varies[place], axis=1)
        feature[place] = (among > np.floor(chance * among[:, -1])[:, None]).argmax(axis=1)
        a, b = low[place, feature[place]], high[place, feature[place]]
        threshold[place] = np.clip(a * (1 - where) + b * where, a, np.nextafter(b, a))  # neither side is empty
        child = node.copy()
        child[place] = n_nodes + 2 * np.arange(len(place))
        features.append(feature)
        thresholds.append(threshold)
        children.append(child)
        paths.append(depth + average_path_length(size))  # anomaly-detection-depth
        if not len(place):
            break
        of = np.repeat(np.arange(len(node)), size)
        kept = cut[of]
        of, rows, V = of[kept], rows[kept], V[kept]
        new = child[of] - n_nodes + (V[np.arange(len(of)), feature[of]] > threshold[of])
        rows = rows[np.argsort(new, kind="stable")]
        size = np.bincount(new, minlength=2 * len(place))
        node, n_nodes, depth = n_nodes + np.arange(2 * len(place)), n_nodes + 2 * len(place), depth + 1
    arrays = (np.concatenate(part) for part in (features, thresholds, children, paths))
    return Forest(T, depth, *arrays)


def mean_depths(forest: Forest, X: FloatArray) -> FloatArray:
    """Mean over the trees of the path of each row, (n,); :eq:`anomaly-detection-depth`.

    Notes
    -----
    O(n T height).
    """
    total, d = np.zeros(len(X)), X.shape[1]
    for first in range(0, len(X), QUERIES):
        block = np.ascontiguousarray(X[first : first + QUERIES])
        values, base = block.ravel(), d * np.arange(len(block))
        at, value, limit = np.empty(len(block), dtype=np.intp), np.empty(len(block)), np.empty(len(block))
        node = np.empty(len(block), dtype=np.intp)
        for root in range(forest.n_trees):
            node[:] = root
            for _ in range(forest.height):
                forest.feature.take(node, out=at, mode="clip")
                at += base
                values.take(at, out=value, mode="clip")
                forest.threshold.take(node, out=limit, mode="clip")
                forest.child.take(node, out=at, mode="clip")
                np.add(at, value > limit, out=node)
            total[first : first + len(block)] += forest.path.take(node)
    return total / forest.n_trees

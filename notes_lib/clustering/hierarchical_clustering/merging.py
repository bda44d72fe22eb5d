"""From distances to the tree: the three algorithms that find the merges in about n^2 steps."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from notes_lib.checks import FloatArray
from notes_lib.clustering.hierarchical_clustering.checks import EUCLIDEAN, check_method
from notes_lib.clustering.hierarchical_clustering.distances import table_of
from notes_lib.clustering.hierarchical_clustering.heap import Heap
from notes_lib.clustering.hierarchical_clustering.updates import UPDATES

Merges = list[tuple[int, int, float]]  # two representatives, and the height
SMALL = 64  # clusters: below, moving them together costs more than it saves


def linkage(y: ArrayLike, method: str = "single", metric: str = "euclidean") -> FloatArray:
    """Merge the two nearest clusters again and again until one is left; SciPy's matrix, row for row.

    The distances after a merge follow from those before by :eq:`hierarchical-clustering-lance-williams`. Single
    linkage walks along a minimum spanning tree (:eq:`hierarchical-clustering-mst`); complete, average, weighted and
    Ward linkage follow chains of nearest neighbours, which :eq:`hierarchical-clustering-reducible` allows; centroid and
    median linkage keep the nearest neighbour of each cluster in a heap.

    Parameters
    ----------
    y : (n, d) array of observations, or (n (n - 1) / 2,) array of distances
        Distances are those above the diagonal of their table, row by row. For ward, centroid and median they must be
        Euclidean and not squared.
    method : 'single', 'complete', 'average', 'weighted', 'ward', 'centroid' or 'median'
    metric : 'euclidean', or 'cityblock', also called 'manhattan'
        Between observations; ward, centroid and median need 'euclidean'. Distances have theirs already.

    Returns
    -------
    (n - 1, 4) array
        Row t merges the clusters in its first two columns, the smaller number first, at the height in the third, and
        the fourth counts the observations of the union, which is cluster n + t. Clusters 0 to n - 1 are the
        observations. Heights never fall, but with centroid and median they may. Ward's height is the square root of
        twice the increase of the sum of squares, :eq:`hierarchical-clustering-ward-height`.

    Raises
    ------
    ValueError
        If there is no such method or metric, or not together; if ``y`` is neither of the two shapes, holds fewer than
        two observations, NaN, infinite or negative distances, or entries whose squares overflow.
    TypeError
        If ``y`` holds text or complex numbers.

    Warns
    -----
    UserWarning
        If ``y`` is a square table of distances: it is read as observations.

    Notes
    -----
    O(n^2 d) time for the distances, O(n^2) for the merges (centroid and median O(n^3) at worst, mostly near n^2), and
    O(n^2) memory. Ties are broken as SciPy breaks them. Source: D. Müllner (2011), *Modern hierarchical, agglomerative
    clustering algorithms*.

    Examples
    --------
    >>> linkage([[0.0], [1.0], [4.0], [6.0]], "single")
    array([[0., 1., 1., 2.],
           [2., 3., 2., 2.],
           [4., 5., 3., 4.]])
    >>> linkage([1.0, 4.0, 6.0, 3.0, 5.0, 2.0], "complete")[:, 2]
    array([1., 2., 6.])
    """
    check_method(method, metric)
    return merge_table(table_of(y, metric), method)


def merge_table(D: FloatArray, method: str) -> FloatArray:
    """The linkage matrix of a square table of distances, which is overwritten."""
    if method == "single":
        return _numbered(spanning_walk(D))
    if method in EUCLIDEAN[1:]:
        return nearest_pairs(D, method)
    return _numbered(neighbor_chain(D, method))


def spanning_walk(D: FloatArray) -> Merges:
    """Prim's algorithm: the observation nearest to those already reached, again and again.

    A merge names the observation reached before instead of the one that is nearest to the new one: both are in the
    same cluster at this height.
    """
    n, x, merges = len(D), 0, []
    nearest, reached, room = np.full(n, np.inf), np.zeros(n), np.empty(n)
    for _ in range(n - 1):
        reached[x] = np.inf
        np.minimum(nearest, D[x], out=nearest)
        y = int(np.add(nearest, reached, out=room).argmin())
        merges.append((x, y, float(nearest[y])))
        x = y
    return merges


def neighbor_chain(D: FloatArray, method: str) -> Merges:
    """Go from a cluster to its nearest neighbour until two are each other's, and merge them.

    The rest of the chain stays good for a reducible linkage. When half of the clusters are gone, the others move
    together in the table.
    """
    update, n = UPDATES[method], len(D)
    np.fill_diagonal(D, np.inf)
    sizes, gone, names = np.ones(n), np.zeros(n), np.arange(n)
    here, room = np.empty((2, n))
    chain: list[int] = []
    merges: Merges = []
    left = n
    while left > 1:
        if not chain:
            chain = [int(gone.argmin())]
        while True:
            y = int(np.add(D[chain[-1]], gone, out=here).argmin())
            if len(chain) > 1 and here[chain[-2]] <= here[y]:
                break
            chain.append(y)
        x, y = sorted((chain.pop(), chain.pop()))
        height = float(min(here[x], here[y]))  # the other one is the top of the chain itself
        merges.append((int(names[x]), int(names[y]), height))
        D[x] += gone
        update(D[x], D[y], height, sizes[x], sizes[y], sizes, room)
        D[y, y] = np.inf
        D[:, y] = D[y]
        gone[x] = np.inf
        sizes[y] += sizes[x]
        left -= 1
        if SMALL < left < len(D) / 2:
            keep = np.flatnonzero(gone == 0)
            place = np.cumsum(gone == 0) - 1
            chain = place[chain].tolist()
            D = _moved_together(D, keep)
            sizes, gone, names = sizes[keep], np.zeros(left), names[keep]
            here, room = here[:left], room[:left]
    return merges


def nearest_pairs(D: FloatArray, method: str) -> FloatArray:
    """Merge the nearest pair each time, for linkages whose heights may fall.

    Each cluster keeps a candidate for its nearest neighbour among those behind it, and a lower bound of the distance; a
    candidate is looked up again only when it comes to the top of the heap and its distance has changed.
    """
    update, n = UPDATES[method], len(D)
    np.fill_diagonal(D, np.inf)
    sizes, gone, numbers = np.ones(n), np.zeros(n), np.arange(n)
    room = np.empty(n)
    neighbor = np.array([x + 1 + D[x, x + 1 :].argmin() for x in range(n - 1)])
    bound = D[np.arange(n - 1), neighbor]
    heap = Heap(bound)
    Z = np.empty((n - 1, 4))

    def look_up(x: int) -> None:
        row = D[x, x + 1 :] + gone[x + 1 :]
        neighbor[x] = x + 1 + row.argmin()
        bound[x] = row.min()
        heap.change(x, float(bound[x]))

    for t in range(n - 1):
        while bound[x := heap.top()] != D[x, neighbor[x]] + gone[neighbor[x]]:
            look_up(x)
        heap.pop()
        y, height = int(neighbor[x]), float(bound[x])
        first, second = sorted((numbers[x], numbers[y]))
        Z[t] = first, second, height, sizes[x] + sizes[y]
        D[x] += gone
        update(D[x], D[y], height, sizes[x], sizes[y], sizes, room)
        D[y, y] = np.inf
        D[:, y] = D[y]
        gone[x] = np.inf
        sizes[y] += sizes[x]
        numbers[y] = n + t
        neighbor[:x][neighbor[:x] == x] = y
        nearer = np.flatnonzero(D[y, :y] + gone[:y] < bound[:y])
        neighbor[nearer], bound[nearer] = y, D[y, nearer]
        for z in nearer.tolist():
            heap.change(z, float(bound[z]))
        if y < n - 1:
            look_up(y)
    return Z


def _moved_together(D: FloatArray, keep: NDArray[np.intp]) -> FloatArray:
    """The table of some clusters, in the same memory: row i moves up from a row at or behind i."""
    m = len(keep)
    for i, k in enumerate(keep.tolist()):
        D[i, :m] = D[k].take(keep)
    return D[:m, :m]


def _numbered(merges: Merges) -> FloatArray:
    """The linkage matrix of merges in any order: sorted by height, with numbers for the unions."""
    n = len(merges) + 1
    heights = np.array([height for _, _, height in merges])
    order = np.argsort(heights, kind="stable")
    above = list(range(2 * n - 1))  # a union above each cluster, or itself
    size = [1.0] * n
    rows = []
    for t, k in enumerate(order.tolist()):
        a, b = sorted(_topmost(above, i) for i in merges[k][:2])
        above[a] = above[b] = n + t
        size.append(size[a] + size[b])
        rows.append((a, b, merges[k][2], size[-1]))
    return np.array(rows)


def _topmost(above: list[int], i: int) -> int:
    top = i
    while above[top] != top:
        top = above[top]
    while above[i] != top:  # next time the way is short
        above[i], i = top, above[i]
    return top

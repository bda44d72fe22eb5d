"""What near neighbours know: a graph with its shortest paths, weights of the neighbours, and how many are kept."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import connected_components, shortest_path

from notes_lib.checks import FloatArray, IntArray, check_integer, check_matrix, check_real, check_shape, check_vector
from notes_lib.clustering.density_clustering import neighbor_affinity, spectral_embedding
from notes_lib.neighbors.nearest_neighbors.search import check_neighbors, k_nearest
from notes_lib.numerics import squared_distances
from notes_lib.reduction.manifold_learning.checks import check_components

Graph = Any  # a csr_array


def neighbor_graph(X: ArrayLike, n_neighbors: int = 5) -> Graph:
    """Graph with an edge from each point to its nearest neighbours, as long as their distance.

    Parameters
    ----------
    X : (n, d) array
    n_neighbors : int
        From 1 to n - 1; a point is not its own neighbour.

    Returns
    -------
    (n, n) csr_array
        Row i has the distances to the neighbours of i. An edge can be walked both ways.

    Raises
    ------
    TypeError, ValueError
        If ``X`` is no matrix of finite numbers, or ``n_neighbors`` out of range.

    Notes
    -----
    O(n^2 d).

    Examples
    --------
    >>> neighbor_graph([[0.0], [1.0], [3.0]], 1).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 2., 0.]])
    """
    X = check_matrix(X, "X")
    k = check_neighbors(n_neighbors, len(X), itself=True)
    found = k_nearest(X, None, k)
    return rows_of(found.distances, found.indices, len(X))


def rows_of(values: FloatArray, indices: IntArray, n: int) -> Graph:
    """Sparse matrix (m, n) from the values and columns of each row."""
    m, k = indices.shape
    return csr_array((values.ravel(), indices.ravel(), np.arange(0, m * k + 1, k)), shape=(m, n))


def connect_parts(X: ArrayLike, G: Graph) -> tuple[Graph, int]:
    """Join the parts of a graph of neighbours, each two of them by the shortest edge between them.

    Parameters
    ----------
    X : (n, d) array
    G : (n, n) sparse matrix

    Returns
    -------
    graph : (n, n) csr_array
        ``G`` itself if it is connected.
    n_parts : int
        How many parts ``G`` has.

    Raises
    ------
    TypeError, ValueError
        If ``X`` is no matrix of finite numbers, or the sizes do not fit.

    Examples
    --------
    >>> X = [[0.0], [1.0], [5.0], [6.0]]
    >>> graph, n_parts = connect_parts(X, neighbor_graph(X, 1))
    >>> n_parts, float(graph.toarray()[1, 2])
    (2, 4.0)
    """
    X = check_matrix(X, "X")
    G = csr_array(G)
    if G.shape != (len(X),) * 2:
        raise ValueError(f"G must have shape {(len(X),) * 2}, one row for each row of X, got {G.shape}.")
    n_parts, part = connected_components(G, directed=False)
    if n_parts == 1:
        return G, 1
    new = []
    for b in range(1, n_parts):
        rows_b = np.flatnonzero(part == b)
        for a in range(b):
            rows_a = np.flatnonzero(part == a)
            D = squared_distances(X[rows_a], X[rows_b])
            i, j = np.unravel_index(int(D.argmin()), D.shape)
            new.append((rows_a[i], rows_b[j]))
    i, j = np.array(new).T
    old = G.tocoo()
    weights = np.append(old.data, np.linalg.norm(X[i] - X[j], axis=1))
    places = np.append(old.row, i), np.append(old.col, j)
    return csr_array((weights, places), shape=G.shape), int(n_parts)


def warn_of_parts(n_parts: int, what: str) -> None:
    """Warn that a graph of neighbours is not connected."""
    if n_parts > 1:
        warnings.warn(
            f"the graph of neighbours is not connected, it has {n_parts} parts: {what}; raise n_neighbors, or embed "
            "each part alone.",
            UserWarning, stacklevel=3,
        )  # fmt: skip


def geodesic_distances(G: Graph) -> FloatArray:
    """Lengths of the shortest paths between all nodes of a graph; :eq:`manifold-learning-path`.

    Parameters
    ----------
    G : (n, n) sparse matrix or array
        Lengths of the edges, which can be walked both ways; of two lengths the smaller counts. In an array 0 is no
        edge.

    Returns
    -------
    (n, n) array
        Infinite between different parts.

    Raises
    ------
    TypeError, ValueError
        If ``G`` is not square, or a length is negative or not finite.

    Notes
    -----
    O(n (m + n log n)) for m edges, by Dijkstra's algorithm from each node.

    Examples
    --------
    >>> geodesic_distances([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    array([[0., 1., 3.],
           [1., 0., 2.],
           [3., 2., 0.]])
    """
    if not hasattr(G, "tocsr"):
        G = check_matrix(G, "G", square=True)
    G = csr_array(G, dtype=float)
    if G.shape[0] != G.shape[1]:
        raise ValueError(f"G must be square, got shape {G.shape}.")
    if not np.isfinite(G.data).all() or (G.data < 0).any():
        raise ValueError("G must hold lengths of edges: finite, none of them negative.")
    lengths: FloatArray = shortest_path(G, method="D", directed=False)
    return lengths


def local_weights(x: ArrayLike, neighbors: ArrayLike, reg: float = 1e-3) -> FloatArray:
    """Weights of sum 1 with which the neighbours of one point make up this point best; :eq:`manifold-learning-weights`.

    Parameters
    ----------
    x : (d,) array
    neighbors : (k, d) array
    reg : float
        At least 0. Added to the diagonal of the local Gram matrix is this share of its trace,
        :eq:`manifold-learning-regularised`.

    Returns
    -------
    (k,) array

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, or ``reg`` is negative.
    numpy.linalg.LinAlgError
        If the local Gram matrix is singular, as with more neighbours than dimensions, and ``reg`` is 0.

    Notes
    -----
    O(k^2 (d + k)).

    Examples
    --------
    >>> local_weights([1.0, 1.0], [[0.0, 0.0], [3.0, 0.0]], reg=0.0).round(4)
    array([0.6667, 0.3333])
    """
    x = check_vector(x, "x")
    neighbors = check_shape(neighbors, "neighbors", (None, x.size))
    return barycenter_weights(x[None], neighbors, np.arange(len(neighbors))[None], reg)[0]


def barycenter_weights(X: ArrayLike, stored: ArrayLike, indices: IntArray, reg: float = 1e-3) -> FloatArray:
    """The weights of :func:`local_weights` for many points at once.

    Parameters
    ----------
    X : (m, d) array
    stored : (n, d) array
    indices : (m, k) array of int
        The neighbours of each row of ``X`` among the rows of ``stored``.
    reg : float

    Returns
    -------
    (m, k) array
        Rows of sum 1.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, or ``reg`` is negative.
    numpy.linalg.LinAlgError
        If a local Gram matrix is singular and ``reg`` is 0.

    Notes
    -----
    O(m k^2 (d + k)). Neighbours that all lie on the point itself get equal weights. Source: Roweis and Saul (2000).

    Examples
    --------
    >>> barycenter_weights([[1.0]], [[0.0], [3.0]], np.array([[0, 1]]), reg=1e-12).round(4)
    array([[0.6667, 0.3333]])
    """
    stored, reg = check_matrix(stored, "stored"), check_real(reg, "reg")
    X = check_shape(X, "X", (None, stored.shape[1]))
    Z = stored[indices] - X[:, None]  # (m, k, d)
    C = Z @ Z.swapaxes(1, 2)  # manifold-learning-local-gram
    trace = np.einsum("ijj->i", C)
    k = C.shape[1]
    C[:, np.arange(k), np.arange(k)] += (reg * np.where(trace > 0, trace, 1.0))[:, None]
    w = np.linalg.solve(C, np.ones((len(C), k, 1)))[..., 0]
    w /= w.sum(axis=1, keepdims=True)  # manifold-learning-weights
    return w


def alignment_matrix(W: Any) -> Graph:
    """``(I - W)'(I - W)``, whose lowest eigenvectors keep the weights; :eq:`manifold-learning-alignment`.

    Parameters
    ----------
    W : (n, n) array or sparse matrix
        Row i has the weights of the neighbours of i.

    Returns
    -------
    (n, n) csr_array

    Raises
    ------
    ValueError
        If ``W`` is not square.

    Examples
    --------
    >>> alignment_matrix([[0.0, 1.0], [1.0, 0.0]]).toarray()
    array([[ 2., -2.],
           [-2.,  2.]])
    """
    W = csr_array(W, dtype=float)
    if W.shape[0] != W.shape[1]:
        raise ValueError(f"W must be square, got shape {W.shape}.")
    R = csr_array(eye_array(W.shape[0]) - W)
    return csr_array(R.T @ R)


def laplacian_eigenmap(X: ArrayLike, n_components: int = 2, n_neighbors: int = 10) -> FloatArray:
    """Coordinates that change as little as they can along the edges of a graph; :eq:`manifold-learning-eigenmap`.

    Parameters
    ----------
    X : (n, d) array
    n_components : int
        From 1 to n - 1.
    n_neighbors : int
        From 1 to n - 1. An edge has the weight 1 if both points are neighbours of each other, else 1/2.

    Returns
    -------
    (n, n_components) array
        The eigenvectors behind the constant one.

    Raises
    ------
    TypeError, ValueError
        If an argument is out of range.

    Warns
    -----
    UserWarning
        If the graph is not connected; the first columns then only say in which part a point lies.

    Notes
    -----
    The graph and its eigenvectors are those of :func:`notes_lib.clustering.density_clustering.spectral_embedding`.
    Source: Belkin and Niyogi (2003).

    Examples
    --------
    >>> y = laplacian_eigenmap([[0.0], [1.0], [2.1], [3.3]], 1, 1)
    >>> bool((np.diff(y[:, 0]) < 0).all() or (np.diff(y[:, 0]) > 0).all())
    True
    """
    X = check_matrix(X, "X")
    k = check_components(n_components, max(len(X) - 1, 1), "one less than the number of points")
    W = neighbor_affinity(X, check_neighbors(n_neighbors, len(X), itself=True) + 1)
    warn_of_parts(connected_components(W, directed=False)[0], "the first coordinates only tell the parts apart")
    return spectral_embedding(W, k + 1, random_state=0).vectors[:, 1:]


def trustworthiness(X: ArrayLike, X_embedded: ArrayLike, *, n_neighbors: int = 5) -> float:
    """How far the neighbours in the map are neighbours in truth; :eq:`manifold-learning-trustworthiness`.

    Parameters
    ----------
    X : (n, d) array
    X_embedded : (n, k) array
    n_neighbors : int
        Less than n / 2.

    Returns
    -------
    float
        1 if all neighbours in the map are neighbours in ``X``; 0 is the worst that can happen. With ``X`` and
        ``X_embedded`` exchanged it is the *continuity*: whether neighbours in truth are still neighbours in the map.

    Raises
    ------
    TypeError, ValueError
        If the numbers of rows differ, or ``n_neighbors`` is no integer from 1 to less than n / 2.

    Notes
    -----
    O(n^2 (d + log n)). Source: Venna and Kaski (2001).

    Examples
    --------
    >>> trustworthiness([[0.0], [1.0], [2.0], [5.0]], [[0.0], [1.0], [2.0], [3.0]], n_neighbors=1)
    1.0
    """
    X = check_matrix(X, "X")
    Y = check_shape(X_embedded, "X_embedded", (len(X), None))
    n, k = len(X), check_integer(n_neighbors, "n_neighbors")
    if 2 * k >= n:
        raise ValueError(f"n_neighbors={k} must be less than half of the {n} points, n_samples / 2: ask for fewer.")
    D = squared_distances(X, X)
    np.fill_diagonal(D, -1.0)  # each point is the first of its own row, whatever lies on it
    rank = np.empty((n, n), dtype=np.intp)
    np.put_along_axis(rank, D.argsort(axis=1, kind="stable"), np.arange(n)[None], axis=1)
    near = k_nearest(Y, None, k).indices
    excess = np.maximum(np.take_along_axis(rank, near, axis=1) - k, 0).sum()
    return float(1 - 2 * excess / (n * k * (2 * n - 3 * k - 1)))

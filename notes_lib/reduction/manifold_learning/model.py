"""The estimators of the chapter *Manifold learning* that start from distances or from neighbours."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_real, check_shape
from notes_lib.neighbors.nearest_neighbors.search import check_neighbors, k_nearest
from notes_lib.numerics import RandomState, check_rng, leading_signs, squared_distances
from notes_lib.reduction.manifold_learning.checks import check_components, check_table
from notes_lib.reduction.manifold_learning.neighbourhoods import (
    alignment_matrix,
    barycenter_weights,
    connect_parts,
    geodesic_distances,
    neighbor_graph,
    rows_of,
    warn_of_parts,
)
from notes_lib.reduction.manifold_learning.steps import (
    SMALL,
    Scaling,
    double_centring,
    guttman_of,
    place_new_points,
    scaling_of,
    stress_of,
)

ONE_LESS = "one less than the number of points (n_samples)"
SHIFT = 1e-10  # below 0, in units of the mean diagonal: where the inverse is taken


class MDS(BaseEstimator):
    """Points whose distances are as wanted: multidimensional scaling.

    Parameters
    ----------
    n_components : int
        Dimensions of the map, at most n - 1.
    dissimilarity : {"euclidean", "precomputed"}
        ``"precomputed"``: X is the (n, n) table of distances.
    method : {"classical", "smacof"}
        ``"classical"``: eigenvectors of the centred inner products, :eq:`manifold-learning-scaling`. ``"smacof"``:
        smallest :eq:`manifold-learning-stress`, by repeating :eq:`manifold-learning-guttman`.
    init : {"classical_mds", "random"} or (n, n_components) array
        Where ``"smacof"`` starts.
    max_iter : int
        Most steps of ``"smacof"``.
    eps : float
        It ends when a step takes off less than this share of the stress of all points in one place,
        half the sum of D**2.
    random_state : int, Generator, RandomState or None
        For a random start.

    Attributes
    ----------
    embedding_ : (n, n_components) array
        Centred.
    stress_ : float
        Of the embedding, :eq:`manifold-learning-stress`.
    dissimilarity_matrix_ : (n, n) array
    eigenvalues_ : (n_components,) array
        With ``method="classical"``, the largest first.
    objective_ : array
        With ``method="smacof"``: the stress at the start and after each step; it never rises.
    n_iter_ : int
        Steps of ``"smacof"``, else 1.
    n_features_in_ : int

    Notes
    -----
    O(n^2) memory; classical O(n^2 n_components) time for few components, else O(n^3); O(n^2) a step of ``"smacof"``.
    scikit-learn's class of this name minimises the stress; its ``ClassicalMDS`` is the default here. Sources: Torgerson
    (1952), de Leeuw (1977).

    Examples
    --------
    >>> D = [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    >>> MDS(1, dissimilarity="precomputed").fit_transform(D).round(4).ravel()
    array([-1.3333, -0.3333,  1.6667])
    """

    def __init__(
        self, n_components: int = 2, *, dissimilarity: str = "euclidean", method: str = "classical",
        init: str | ArrayLike = "classical_mds", max_iter: int = 300, eps: float = 1e-6,
        random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.n_components, self.dissimilarity, self.method, self.init = n_components, dissimilarity, method, init
        self.max_iter, self.eps, self.random_state = max_iter, eps, random_state

    def fit(self, X: ArrayLike, y: Any = None, init: ArrayLike | None = None) -> MDS:
        """Find the points.

        Parameters
        ----------
        X : (n, d) array
            Or the (n, n) table of distances.
        y : ignored
        init : (n, n_components) array, optional
            Where ``"smacof"`` starts, in place of the parameter.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; a table that is not symmetric, or has a negative entry or a diagonal that is
            not 0; more components than n - 1.

        Warns
        -----
        ConvergenceWarning
            If ``"smacof"`` is still moving after ``max_iter`` steps.
        """
        check_choice(self.dissimilarity, "dissimilarity", ("euclidean", "precomputed"))
        check_choice(self.method, "method", ("classical", "smacof"))
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        known = self.dissimilarity == "precomputed"
        D = check_table(X, "X").copy() if known else np.sqrt(squared_distances(X, X))
        if not known:
            np.fill_diagonal(D, 0.0)
            D = 0.5 * (D + D.T)
        k = check_components(self.n_components, len(D) - 1, ONE_LESS)
        self.dissimilarity_matrix_ = D
        if self.method == "classical":
            found = scaling_of(D, k)
            self.embedding_, self.eigenvalues_, self.n_iter_ = found.points, found.eigenvalues, 1
            self.stress_ = stress_of(D, np.sqrt(squared_distances(found.points, found.points)))
        else:
            self._smacof(D, k, self.init if init is None else init)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None, init: ArrayLike | None = None) -> FloatArray:
        """The points (n, n_components); raises and warns as :meth:`fit`."""
        return self.fit(X, init=init).embedding_.copy()

    def _smacof(self, D: FloatArray, k: int, init: str | ArrayLike) -> None:
        max_iter, eps = check_integer(self.max_iter, "max_iter"), check_real(self.eps, "eps")
        rng = check_rng(self.random_state)
        if not isinstance(init, str):
            Z = check_shape(init, "init", (len(D), k))
        else:
            check_choice(init, "init", ("classical_mds", "random"))
            Z = scaling_of(D, k).points if init == "classical_mds" else rng.uniform(size=(len(D), k))
        Z = Z - Z.mean(axis=0)
        apart = np.sqrt(squared_distances(Z, Z))
        history, enough = [stress_of(D, apart)], eps * 0.5 * float(np.vdot(D, D))
        for _ in range(max_iter):
            Z = guttman_of(D, Z, apart)
            apart = np.sqrt(squared_distances(Z, Z))
            history.append(stress_of(D, apart))
            if history[-2] - history[-1] <= enough:
                break
        else:
            warnings.warn(
                f"the stress still falls after {max_iter} steps: raise max_iter or eps.", ConvergenceWarning,
                stacklevel=3,
            )  # fmt: skip
        self.embedding_, self.stress_, self.objective_ = Z, history[-1], np.array(history)
        self.n_iter_ = len(history) - 1

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.dissimilarity == "precomputed"
        return tags


class Isomap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Classical scaling of the lengths of shortest paths through neighbours; :eq:`manifold-learning-path`.

    Parameters
    ----------
    n_neighbors : int
        From 1 to n - 1.
    n_components : int
        Dimensions of the map, at most n - 1.

    Attributes
    ----------
    embedding_ : (n, n_components) array
    dist_matrix_ : (n, n) array
        Geodesic distances.
    eigenvalues_ : (n_components,) array
        Of the centred inner products, the largest first.
    n_features_in_ : int

    Notes
    -----
    O(n^2 d) for the neighbours, O(n^2 (n_neighbors + log n)) for the paths, O(n^2) memory. Source: Tenenbaum, de Silva
    and Langford (2000).

    Examples
    --------
    >>> X = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    >>> Isomap(n_neighbors=2, n_components=1).fit(X).dist_matrix_[0]
    array([0., 1., 2., 1.])
    """

    def __init__(self, *, n_neighbors: int = 5, n_components: int = 2) -> None:
        self.n_neighbors, self.n_components = n_neighbors, n_components

    def fit(self, X: ArrayLike, y: Any = None) -> Isomap:
        """Build the graph, walk it, and scale the lengths.

        Raises
        ------
        TypeError, ValueError
            Bad data; ``n_neighbors`` not below n; more components than n - 1.

        Warns
        -----
        UserWarning
            If the graph is not connected. Its parts are then joined, each two by the shortest edge between them.
        """
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        k = check_components(self.n_components, len(X) - 1, ONE_LESS)
        G, n_parts = connect_parts(X, neighbor_graph(X, self.n_neighbors))
        warn_of_parts(n_parts, "each two were joined by the shortest edge between them")
        self.dist_matrix_ = geodesic_distances(G)
        self._scaling: Scaling = scaling_of(self.dist_matrix_, k)
        self.embedding_, self.eigenvalues_ = self._scaling.points.copy(), self._scaling.eigenvalues
        self._fit_X = X.copy()
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> FloatArray:
        """The map (n, n_components); raises and warns as :meth:`fit`."""
        return self.fit(X).embedding_.copy()

    def transform(self, X: ArrayLike) -> FloatArray:
        """Places (m, n_components) of new rows, :eq:`manifold-learning-new-point`.

        The path of a new row leads through the best of its ``n_neighbors`` neighbours among the fitted rows.

        Raises
        ------
        ValueError
            Another number of columns than in ``fit``, a value that is not finite.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        near = k_nearest(self._fit_X, X, self.n_neighbors)
        paths = np.full((len(X), len(self._fit_X)), np.inf)
        for step, through in zip(near.distances.T, near.indices.T, strict=True):
            np.minimum(paths, step[:, None] + self.dist_matrix_[through], out=paths)
        return place_new_points(self._scaling, paths)

    def reconstruction_error(self) -> float:
        """What the map leaves of the centred inner products, as scikit-learn defines it: Frobenius norm over n."""
        check_is_fitted(self)
        B = double_centring(0.5 * (self.dist_matrix_ + self.dist_matrix_.T))
        left = float(np.vdot(B, B) - (self.eigenvalues_**2).sum())
        return float(np.sqrt(max(left, 0.0)) / len(B))

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]


class LocallyLinearEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A map in which each point is made up of its neighbours with the weights that make it up in the data.

    Parameters
    ----------
    n_neighbors : int
        From 1 to n - 1.
    n_components : int
        Dimensions of the map, at most d and at most n - 1.
    reg : float
        At least 0: this share of the trace is added to the diagonal of each local Gram matrix.

    Attributes
    ----------
    embedding_ : (n, n_components) array
        Eigenvectors, :eq:`manifold-learning-lle-eigen`: columns of sum 0 and length 1, orthogonal to each other.
    reconstruction_error_ : float
        :eq:`manifold-learning-lle-cost` of the map, the sum of its eigenvalues.
    n_features_in_ : int

    Notes
    -----
    O(n^2 d) for the neighbours, O(n k^2 (d + k)) for the weights of k neighbours; the sparse eigenproblem is
    factorised once. Source: Roweis and Saul (2000).

    Examples
    --------
    >>> X = [[t, t * t] for t in np.linspace(0, 1, 9)]
    >>> y = LocallyLinearEmbedding(n_neighbors=2, n_components=1).fit_transform(X)[:, 0]
    >>> bool((np.diff(y) > 0).all() or (np.diff(y) < 0).all())
    True
    """

    def __init__(self, *, n_neighbors: int = 5, n_components: int = 2, reg: float = 1e-3) -> None:
        self.n_neighbors, self.n_components, self.reg = n_neighbors, n_components, reg

    def fit(self, X: ArrayLike, y: Any = None) -> LocallyLinearEmbedding:
        """Find the weights, then the points that they fit.

        Raises
        ------
        TypeError, ValueError
            Bad data; ``n_neighbors`` not below n; more components than columns, or than n - 1; a negative ``reg``.
        numpy.linalg.LinAlgError
            If ``reg`` is 0 and a local Gram matrix singular.

        Warns
        -----
        UserWarning
            If the graph of neighbours is not connected: the first coordinates then only tell the parts apart.
        """
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        n, d = X.shape
        k = check_components(self.n_components, d, f"the number of columns (n_features = {d})")
        check_components(k, n - 1, ONE_LESS)
        near = k_nearest(X, None, check_neighbors(self.n_neighbors, n, itself=True)).indices
        W = rows_of(barycenter_weights(X, X, near, self.reg), near, n)
        warn_of_parts(connected_components(W, directed=False)[0], "the first coordinates only tell the parts apart")
        M = alignment_matrix(W)
        if n <= max(SMALL, 20 * k):
            values, V = eigh(M.toarray(), subset_by_index=[0, k])
        else:
            below = -SHIFT * float(M.diagonal().mean())
            values, V = eigsh(M.tocsc(), k + 1, sigma=below, v0=np.random.default_rng(0).standard_normal(n))
        V, self.reconstruction_error_ = V[:, 1:], float(np.maximum(values[1:], 0.0).sum())
        self.embedding_ = V * leading_signs(V.T)
        self._fit_X = X.copy()
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> FloatArray:
        """The map (n, n_components); raises and warns as :meth:`fit`."""
        return self.fit(X).embedding_.copy()

    def transform(self, X: ArrayLike) -> FloatArray:
        """Places (m, n_components) of new rows: their neighbours' places with the weights of the neighbours.

        Raises
        ------
        ValueError
            Another number of columns than in ``fit``, a value that is not finite.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        near = k_nearest(self._fit_X, X, self.n_neighbors).indices
        w = barycenter_weights(X, self._fit_X, near, self.reg)
        return np.asarray(np.einsum("ij,ijk->ik", w, self.embedding_[near]))

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

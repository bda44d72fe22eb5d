"""Label propagation and label spreading as estimators with the contract of scikit-learn."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_finite, check_integer, check_positive, check_real
from notes_lib.clustering.semi_supervised.checks import check_partial_labels, check_reached, check_weights
from notes_lib.clustering.semi_supervised.graph import (
    Settled,
    check_alpha,
    check_kernel,
    one_hot,
    propagate,
    spread,
)
from notes_lib.kernels.kernel_methods import rbf_kernel
from notes_lib.neighbors.nearest_neighbors.search import check_neighbors, k_nearest
from notes_lib.numerics import squared_distances

Kernel = str | Callable[[FloatArray, FloatArray], ArrayLike]


class _OnGraph(ClassifierMixin, BaseEstimator):
    """What propagation and spreading share: the graph, the labels, and new rows."""

    kernel: Kernel
    gamma: float
    n_neighbors: int
    max_iter: int
    tol: float

    def fit(self, X: ArrayLike, y: ArrayLike) -> Any:
        """Spread the labels over the graph of all rows.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type; -1 means unlabelled (in an array of objects if the labels are text).

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; no label at all; labels of one class only; an unlabelled row that no path
            joins to a label (names the row).
        """
        check_kernel(self.kernel)
        check_positive(self.gamma, "gamma")
        check_integer(self.n_neighbors, "n_neighbors")
        check_integer(self.max_iter, "max_iter")
        check_real(self.tol, "tol")
        A, y = validate_data(self, X, y, dtype="numeric")
        self.X_ = np.array(A, dtype=float)  # a copy: the model does not change with what it was given
        self.classes_, codes = check_partial_labels(y)
        F, self.n_iter_, converged = self._solve(self.X_, codes)
        total = F.sum(axis=1, keepdims=True)
        check_reached(total[:, 0] > 0)
        self.label_distributions_ = F / total
        self.transduction_ = self.classes_[F.argmax(axis=1)]
        if not converged:
            message = f"labels did not settle to tol={self.tol} in max_iter={self.max_iter} rounds: raise one of them."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Mean label distribution (m, K) of the training rows, weighted by their closeness to a row of X.

        :eq:`semi-supervised-new`. Where all weights of the RBF kernel underflow, the nearest rows decide, as in the
        limit.
        """
        check_is_fitted(self)
        Q = np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)
        if self.kernel == "knn":
            near = k_nearest(self.X_, Q, self.n_neighbors).indices
            return np.asarray(self.label_distributions_[near].mean(axis=1))
        if self.kernel == "rbf":
            D = squared_distances(Q, self.X_)
            D -= D.min(axis=1, keepdims=True)  # cancels in the quotient
            D *= -self.gamma
            W = np.exp(D, out=D)
        else:
            W = check_finite(np.asarray(self.kernel(self.X_, Q), dtype=float).T, "kernel(X, Q)")  # type: ignore[operator]
        total = W.sum(axis=1)
        for row in np.flatnonzero(~(total > 0)):
            raise ValueError(f"kernel joins row {row} of X to no training row: take one that reaches further.")
        return np.asarray(W @ self.label_distributions_ / total[:, None])

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Most probable class (m,) of every row; the first one in a tie."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def _graph(self, X: FloatArray) -> Any:
        """Weights between all rows."""
        n = len(X)
        if self.kernel == "rbf":
            return rbf_kernel(X, gamma=self.gamma)
        if self.kernel == "knn":
            near = k_nearest(X, X, check_neighbors(self.n_neighbors, n)).indices  # a row is its own neighbour too
            ends = np.arange(0, near.size + 1, near.shape[1])
            return sparse.csr_array((np.ones(near.size), near.ravel(), ends), shape=(n, n))
        return check_weights(self.kernel(X, X), n, "kernel(X, X)")  # type: ignore[operator]

    @abstractmethod
    def _solve(self, X: FloatArray, codes: IntArray) -> Settled:
        """Scores (n, K) of all rows."""


class LabelPropagation(_OnGraph):
    """Labels stay, every other row takes the mean of its neighbours, until nothing changes.

    The limit is the harmonic function :eq:`semi-supervised-harmonic`, which :func:`harmonic` computes in closed form.

    Parameters
    ----------
    kernel : {'rbf', 'knn'} or callable
        Weights of the graph: ``exp(-gamma |x - x'|^2)``; 1 for the nearest rows, of which a row itself is the first; or
        ``kernel(X, X)``.
    gamma : float
        Positive, in units of X to the power -2.
    n_neighbors : int
    max_iter : int
    tol : float
        Stop when the label distributions change by less, all changes added.

    Attributes
    ----------
    X_ : (n, d) array
    classes_ : (K,) array
    label_distributions_ : (n, K) array
        Rows sum to 1.
    transduction_ : (n,) array
        Most probable class of every training row.
    n_iter_ : int
    n_features_in_ : int

    Notes
    -----
    O(n^2 d + T u^2 K) time for T iterations and u unlabelled rows, O(n^2) memory; with 'knn' O(T n k K) for the
    iterations, and O(n k) memory. Iterates and stopping rule are those of scikit-learn; only rows that can change are
    computed. Source: Zhu and Ghahramani (2002); Zhu, Ghahramani and Lafferty (2003).

    Examples
    --------
    >>> X, y = [[0.0], [0.2], [0.4], [2.0], [2.2], [2.4]], [0, -1, -1, -1, -1, 1]
    >>> LabelPropagation().fit(X, y).transduction_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        kernel: Kernel = "rbf",
        *,
        gamma: float = 20,
        n_neighbors: int = 7,
        max_iter: int = 1000,
        tol: float = 1e-3,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, X: FloatArray, codes: IntArray) -> Settled:
        order, u = np.argsort(codes >= 0, kind="stable"), int((codes < 0).sum())  # rows without a label come first
        W, Y = self._graph(X[order]), one_hot(codes[order], len(self.classes_))
        free = propagate(W[:u, :u], W[:u, u:] @ Y[u:], self.max_iter, self.tol)
        F = np.empty_like(Y)
        F[order] = np.vstack([free.F, Y[u:]])
        return free._replace(F=F)


class LabelSpreading(_OnGraph):
    """As label propagation with soft labels: a row also keeps the share ``1 - alpha`` of its own label.

    The limit is :eq:`semi-supervised-spreading`, which :func:`spreading` computes in closed form.

    Parameters
    ----------
    kernel, gamma, n_neighbors, tol
        As in :class:`LabelPropagation`.
    alpha : float
        Above 0 and below 1: how much a row listens to its neighbours rather than to its own label.
    max_iter : int

    Attributes
    ----------
    X_, classes_, label_distributions_, transduction_, n_iter_, n_features_in_
        As in :class:`LabelPropagation`; ``transduction_`` may differ from a given label.

    Notes
    -----
    O(n^2 d + T n^2 K) time, O(n^2) memory. Source: Zhou et al. (2004).

    Examples
    --------
    >>> X, y = [[0.0], [0.2], [0.4], [2.0], [2.2], [2.4]], [0, -1, -1, -1, -1, 1]
    >>> LabelSpreading().fit(X, y).transduction_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(
        self,
        kernel: Kernel = "rbf",
        *,
        gamma: float = 20,
        n_neighbors: int = 7,
        alpha: float = 0.2,
        max_iter: int = 30,
        tol: float = 1e-3,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol

    def _solve(self, X: FloatArray, codes: IntArray) -> Settled:
        Y = one_hot(codes, len(self.classes_))
        return spread(self._graph(X), Y, check_alpha(self.alpha), self.max_iter, self.tol)

"""Cluster labels as features, soft or hard, and local models on top of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_distribution, check_integer, check_matrix
from notes_lib.clustering.gmm import GaussianMixture
from notes_lib.numerics import RandomState

MODES = ("soft", "hard")


def local_features(H: ArrayLike, X: ArrayLike) -> FloatArray:
    """Cluster labels, and each label times every feature: a linear model of these is a line in each cluster.

    Implements :eq:`mixture-discriminant-local`.

    Parameters
    ----------
    H : (n, J) array
        Labels, rows sum to 1.
    X : (n, d) array

    Returns
    -------
    (n, J + J d) array
        The J labels first, then the d products of the first cluster, and so on.

    Raises
    ------
    TypeError, ValueError
        If a row of ``H`` is no distribution, or there is not one for each row of ``X``.

    Examples
    --------
    >>> local_features([[1, 0], [0, 1]], [[2.0, 3.0], [4.0, 5.0]]).tolist()
    [[1.0, 0.0, 2.0, 3.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0, 4.0, 5.0]]
    """
    X, H = check_matrix(X, "X"), check_distribution(H, "H")
    if H.ndim != 2 or len(H) != len(X):
        raise ValueError(f"H must have a row of labels for each of the {len(X)} rows of X, got shape {H.shape}.")
    return np.column_stack([H, (H[:, :, None] * X[:, None, :]).reshape(len(X), -1)])


class ClusterFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Replace the features of an instance by its membership in clusters that were found without labels.

    Both modes read the same Gaussian mixture, whose EM starts from k-means: 'soft' gives the responsibilities,
    :eq:`mixture-discriminant-soft`, 'hard' a 1 for the most probable cluster and 0 elsewhere,
    :eq:`mixture-discriminant-hard`.

    Parameters
    ----------
    n_clusters : int
    mode : {'soft', 'hard'}
    local : bool
        Whether the products of labels and features follow the labels, see :func:`local_features`.
    covariance_type, tol, reg_covar, max_iter, n_init
        See :class:`~notes_lib.clustering.gmm.GaussianMixture`.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    mixture_ : GaussianMixture
    n_iter_ : int
        Iterations of EM.
    n_features_in_ : int

    Notes
    -----
    O(n J d^2 + J d^3) time for an iteration of EM, O(n J d) memory with ``local``. The labels of a row sum to 1, so a
    linear model on top needs no intercept, or has one too many.

    Examples
    --------
    >>> X = [[0.0], [0.2], [0.4], [4.0], [4.2], [4.4]]
    >>> B = ClusterFeatures(2, mode="hard", random_state=0).fit_transform(X)
    >>> B.sum(axis=1).tolist(), sorted(B.sum(axis=0).tolist())
    ([1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [3.0, 3.0])
    """

    def __init__(
        self,
        n_clusters: int = 8,
        mode: str = "soft",
        *,
        local: bool = False,
        covariance_type: str = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        random_state: RandomState = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.mode = mode
        self.local = local
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> ClusterFeatures:
        """Find the clusters; ``y`` is ignored.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; more clusters than rows.
        """
        check_choice(self.mode, "mode", MODES)
        check_choice(self.local, "local", (True, False))
        check_integer(self.n_clusters, "n_clusters")
        X = np.asarray(validate_data(self, X, dtype="numeric", ensure_min_samples=2), dtype=float)
        if len(X) < self.n_clusters:
            raise ValueError(f"n_clusters={self.n_clusters} must be at most n_samples={len(X)}: use fewer clusters.")
        self.mixture_ = GaussianMixture(
            self.n_clusters,
            covariance_type=self.covariance_type,
            tol=self.tol,
            reg_covar=self.reg_covar,
            max_iter=self.max_iter,
            n_init=self.n_init,
            random_state=self.random_state,
        ).fit(X)
        self.n_iter_ = self.mixture_.n_iter_
        self._n_features_out = self.n_clusters * (1 + X.shape[1] * bool(self.local))
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Labels (n, n_clusters) of every row, followed by their products with the features if ``local``."""
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)
        H = self.mixture_.predict_proba(X)  # mixture-discriminant-soft
        if self.mode == "hard":
            H = np.eye(self.n_clusters)[H.argmax(axis=1)]  # mixture-discriminant-hard
        return local_features(H, X) if self.local else H

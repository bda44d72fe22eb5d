"""The estimator of the chapter *Singular value decomposition*."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csc_array, issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer
from notes_lib.numerics import RandomState
from notes_lib.reduction.svd.sketch import randomized_svd
from notes_lib.reduction.svd.steps import SVD, check_rank, exact_svd


class TruncatedSVD(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Coordinates of rows along the first right singular vectors; on word counts *latent semantic analysis*.

    The data are not centred (with centred columns it is principal component analysis), so sparse matrices stay sparse.

    Parameters
    ----------
    n_components : int
        From 1 to min(n, d).
    algorithm : {'randomized', 'exact', 'arpack'}
        'randomized' is :func:`randomized_svd`; 'exact' is LAPACK's decomposition, for which a sparse matrix is made
        dense. 'arpack', scikit-learn's name of its exact algorithm, is another name of 'exact'.
    n_iter : int
        Rounds of power iteration of the randomised algorithm.
    n_oversamples : int
        Random vectors beyond ``n_components`` of the randomised algorithm.
    random_state : int, Generator, RandomState or None
        Of the randomised algorithm.

    Attributes
    ----------
    components_ : (n_components, d) array
        Right singular vectors; in each the entry of largest modulus is positive.
    singular_values_ : (n_components,) array
    explained_variance_ : (n_components,) array
        Variance, with divisor n, of each column of the transformed training data.
    explained_variance_ratio_ : (n_components,) array
        The same as a share of the variance of all columns of the data; 0 if no column varies. As the data are not
        centred, it need not descend, and is not the share of squares of :eq:`svd-energy`.
    n_features_in_ : int

    Notes
    -----
    Randomised: O(n_iter n d (n_components + n_oversamples)) time, with the number of stored entries in place of n d for
    a sparse matrix. Exact: O(n d min(n, d)).

    Examples
    --------
    >>> model = TruncatedSVD(1, algorithm="exact").fit([[3.0, 0.0], [4.0, 5.0]])
    >>> model.transform([[1.0, 1.0]]).round(4)
    array([[1.4142]])
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        algorithm: str = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        random_state: RandomState = None,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: Any = None) -> TruncatedSVD:
        """Decompose the data.

        Raises
        ------
        ValueError, TypeError
            Bad data or hyper-parameter; more components than min(n, d); squares that overflow.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> FloatArray:
        """Decompose the data and return their coordinates (n, n_components)."""
        X = validate_data(self, X, dtype=np.float64, accept_sparse=("csr", "csc"))
        check_choice(self.algorithm, "algorithm", ("randomized", "exact", "arpack"))
        k = check_rank(self.n_components, "n_components", X.shape)
        n_iter = check_integer(self.n_iter, "n_iter", 0)
        n_oversamples = check_integer(self.n_oversamples, "n_oversamples", 1)
        if self.algorithm == "randomized":
            found = randomized_svd(X, k, n_oversamples=n_oversamples, n_iter=n_iter, random_state=self.random_state)
        else:
            U, s, Vt = exact_svd(X.toarray() if issparse(X) else X)
            found = SVD(U[:, :k], s[:k], Vt[:k].copy())
        self.components_, self.singular_values_ = found.Vt, found.s
        scores = X @ self.components_.T  # svd-coordinates
        with np.errstate(over="ignore", invalid="ignore"):
            total, own = column_variances(X).sum(), scores.var(axis=0)
        if not np.isfinite(total):
            raise ValueError("X is too large: the squares of X overflow, rescale its columns.")
        self.explained_variance_ = own
        self.explained_variance_ratio_ = own / total if total > 0 else np.zeros(k)
        return scores

    def transform(self, X: ArrayLike) -> FloatArray:
        """Coordinates (n, n_components) of rows along the components; :eq:`svd-coordinates`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, accept_sparse=("csr", "csc"), reset=False)
        return X @ self.components_.T

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Rows (n, d) with the coordinates ``X`` (n, n_components) in the space of the components.

        Raises
        ------
        ValueError
            If ``X`` has not ``n_components`` columns.
        """
        check_is_fitted(self)
        scores = check_array(X, dtype=np.float64, input_name="X")
        if scores.shape[1] != len(self.components_):
            raise ValueError(
                f"X must have n_components={len(self.components_)} columns, got {scores.shape[1]}: "
                "pass what transform returns."
            )
        return scores @ self.components_

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def column_variances(X: Any) -> FloatArray:
    """Variance of each column with divisor n; of a sparse matrix from its stored entries alone."""
    if not issparse(X):
        return X.var(axis=0)
    columns, n = csc_array(X), X.shape[0]
    stored = np.diff(columns.indptr)  # entries in each column
    mean = columns.sum(axis=0) / n
    squares = (columns.data - np.repeat(mean, stored)) ** 2
    inside = np.bincount(np.repeat(np.arange(len(mean)), stored), squares, len(mean))
    return (inside + (n - stored) * mean**2) / n

"""Random projections as transformers with the contract of scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import pinv
from scipy.sparse import csr_matrix, issparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_number
from notes_lib.numerics import RandomState, check_rng
from notes_lib.reduction.random_projection.checks import check_components, check_density, check_open
from notes_lib.reduction.random_projection.steps import (
    gaussian_components,
    johnson_lindenstrauss_min_dim,
    sparse_components,
)

BLOCK = 64  # dense rows that a sparse matrix takes at a time: they stay in the cache
ACCEPTED: dict[str, Any] = {"accept_sparse": ("csr", "csc"), "dtype": (np.float64, np.float32)}


class _Projection(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """What both projections share; only the shape of the data enters."""

    n_components_: int
    components_: FloatArray | csr_matrix

    def _draw(self, k: int, D: int, rng: np.random.Generator) -> FloatArray | csr_matrix:
        raise NotImplementedError  # pragma: no cover

    def fit(self, X: Any, y: Any = None) -> Any:
        """Choose the number of components and draw the matrix.

        Parameters
        ----------
        X : (n, D) array or sparse matrix
            Only its shape and its precision are used.
        y : ignored

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; more components than features, be they asked for or found by 'auto'.
        """
        A = validate_data(self, X, **ACCEPTED)
        check_choice(self.compute_inverse_components, "compute_inverse_components", (True, False))
        eps = float(check_open(check_number(self.eps, "eps"), "eps"))
        n, D = A.shape
        auto = isinstance(self.n_components, str) and self.n_components == "auto"
        self.n_components_ = _automatic(n, D, eps) if auto else check_components(self.n_components, D)
        self.components_ = self._draw(self.n_components_, D, check_rng(self.random_state)).astype(A.dtype, copy=False)
        if self.compute_inverse_components:
            self.inverse_components_ = self._inverse()
        return self

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    def _inverse(self) -> FloatArray:
        """Pseudo-inverse of the matrix, (D, k) array."""
        R: Any = self.components_
        return np.asarray(pinv(R.toarray() if issparse(R) else R))

    def transform(self, X: Any) -> Any:
        """Project the rows, :eq:`random-projection-map`.

        Parameters
        ----------
        X : (n, D) array or sparse matrix

        Returns
        -------
        (n, k) array, or a sparse matrix if X and the components are sparse and no dense output is asked for

        Raises
        ------
        NotFittedError, TypeError, ValueError
            Before ``fit``; bad data or another number of features.
        """
        check_is_fitted(self)
        A, R = validate_data(self, X, reset=False, **ACCEPTED), self.components_
        if not issparse(R) or issparse(A):
            return A @ R.T
        Z = np.empty((len(A), self.n_components_), dtype=np.result_type(A, R))
        for start in range(0, len(A), BLOCK):
            Z[start : start + BLOCK] = A[start : start + BLOCK] @ R.T
        return Z

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """The shortest rows whose projections are the given ones, :eq:`random-projection-inverse`.

        Parameters
        ----------
        X : (n, k) array or sparse matrix

        Returns
        -------
        (n, D) array

        Raises
        ------
        NotFittedError, TypeError, ValueError
            Before ``fit``; bad data or another number of components.
        """
        check_is_fitted(self)
        Z = check_array(X, **ACCEPTED)
        if Z.shape[1] != self.n_components_:
            raise ValueError(f"X must have n_components_={self.n_components_} columns, got {Z.shape[1]}.")
        return np.asarray(Z @ (self.inverse_components_ if self.compute_inverse_components else self._inverse()).T)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.sparse = True
        return tags


def _automatic(n: int, D: int, eps: float) -> int:
    """The dimension of the lemma, if it is one."""
    k = int(johnson_lindenstrauss_min_dim(n, eps=eps))
    if k < 1:
        raise ValueError("n_components='auto' needs two samples or more, got n_samples=1: set n_components.")
    if k > D:
        raise ValueError(
            f"n_components='auto' asks for {k} components (n_samples={n}, eps={eps:g}), more than n_features={D}: "
            "raise eps, or set n_components."
        )
    return k


class GaussianRandomProjection(_Projection):
    """Projection by independent normal numbers, :eq:`random-projection-map`.

    Parameters
    ----------
    n_components : int or 'auto'
        k; 'auto' is :func:`johnson_lindenstrauss_min_dim` of the number of rows and ``eps``.
    eps : float
        Largest relative change of a squared distance, between 0 and 1; only 'auto' uses it.
    compute_inverse_components : bool
        Compute the pseudo-inverse in ``fit`` and not at each ``inverse_transform``.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    n_components_ : int
    components_ : (k, D) array
        Entries of variance 1/k.
    inverse_components_ : (D, k) array
        Only with ``compute_inverse_components``.
    n_features_in_ : int

    Notes
    -----
    O(kD) time to draw, O(nkD) to project. Single precision stays single. Unlike in scikit-learn, more components than
    features are an error. Source: Dasgupta and Gupta (2003).

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(25, 3000))
    >>> GaussianRandomProjection(random_state=0).fit_transform(X).shape
    (25, 2759)
    """

    def __init__(
        self, n_components: int | str = "auto", *, eps: float = 0.1, compute_inverse_components: bool = False,
        random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.n_components, self.eps = n_components, eps
        self.compute_inverse_components, self.random_state = compute_inverse_components, random_state

    def _draw(self, k: int, D: int, rng: np.random.Generator) -> FloatArray:
        return gaussian_components(k, D, rng)


class SparseRandomProjection(_Projection):
    """Projection by signs, most of which are replaced by 0, :eq:`random-projection-sparse`.

    Parameters
    ----------
    n_components : int or 'auto'
        k; 'auto' is :func:`johnson_lindenstrauss_min_dim` of the number of rows and ``eps``.
    density : float or 'auto'
        Probability 1/s that an entry is not 0, above 0 and at most 1; 'auto' is 1/sqrt(D), 1/3 Achlioptas's choice.
    eps : float
        Largest relative change of a squared distance, between 0 and 1; only 'auto' uses it.
    dense_output : bool
        Return an array also for sparse X.
    compute_inverse_components : bool
        Compute the pseudo-inverse in ``fit`` and not at each ``inverse_transform``.
    random_state : int, Generator, RandomState or None

    Attributes
    ----------
    n_components_ : int
    components_ : (k, D) sparse matrix (CSR), or an array for density 1
        Entries 0 and +-sqrt(s/k).
    inverse_components_ : (D, k) array
        Only with ``compute_inverse_components``.
    density_ : float
    n_features_in_ : int

    Notes
    -----
    O(kD/s) time to draw, O(nkD/s) to project. Unlike in scikit-learn, more components than features are an error. With
    a small density a feature that carries a whole row may be missed, :eq:`random-projection-length-variance`. Source:
    Achlioptas (2003); Li, Hastie and Church (2006).

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(25, 3000))
    >>> model = SparseRandomProjection(random_state=0).fit(X)
    >>> model.transform(X).shape, round(model.density_, 4)
    ((25, 2759), 0.0183)
    """

    def __init__(
        self, n_components: int | str = "auto", *, density: float | str = "auto", eps: float = 0.1,
        dense_output: bool = False, compute_inverse_components: bool = False, random_state: RandomState = None,
    ) -> None:  # fmt: skip
        self.n_components, self.density, self.eps, self.dense_output = n_components, density, eps, dense_output
        self.compute_inverse_components, self.random_state = compute_inverse_components, random_state

    def _draw(self, k: int, D: int, rng: np.random.Generator) -> FloatArray | csr_matrix:
        check_choice(self.dense_output, "dense_output", (True, False))
        self.density_ = check_density(self.density, D)
        return sparse_components(k, D, self.density_, rng)

    def transform(self, X: Any) -> Any:
        """Project the rows as :meth:`GaussianRandomProjection.transform` does, into an array for ``dense_output``."""
        Z = super().transform(X)
        return Z.toarray() if self.dense_output and issparse(Z) else Z

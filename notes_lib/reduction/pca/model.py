"""Principal component analysis with the contract of scikit-learn."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice
from notes_lib.reduction.pca.checks import at_most
from notes_lib.reduction.pca.choice import axes_of, components_for_share

SOLVERS = ("auto", "full", "covariance_eigh", "gram")


class PCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Project on the directions of largest variance.

    Parameters
    ----------
    n_components : int, float or None
        Number of components, from 1 to min(n, d), which is the default. A float between 0 and 1 is a share of the
        variance: the smallest number of components that explain more than it.
    whiten : bool
        Divide each score by its standard deviation, so that the scores have the covariance matrix I.
    svd_solver : {'auto', 'full', 'covariance_eigh', 'gram'}
        Singular values of the centred rows, eigenvectors of their covariance matrix (d x d), or of their Gram matrix
        (n x n). 'auto' takes the covariance matrix for n >= 10 d, the Gram matrix for d >= 10 n, 'full' between.
        Singular values keep more digits of variances that are tiny beside the largest one.

    Attributes
    ----------
    components_ : (k, d) array
        Orthonormal rows, the largest variance first. The entry of largest modulus of a row is positive (the first in a
        tie).
    explained_variance_ : (k,) array
        Variances of the scores, divisor n - 1.
    explained_variance_ratio_ : (k,) array
        Their shares in the total variance of the data.
    singular_values_ : (k,) array
        Of the centred data: ``sqrt((n - 1) explained_variance_)``.
    mean_ : (d,) array
    n_components_, n_samples_, n_features_in_ : int
    noise_variance_ : float
        Mean of the variances that are left out, ``min(n, d) - k`` of them as in scikit-learn; 0 if none is. For n > d
        it is the noise of probabilistic PCA, up to the divisor n - 1.

    Notes
    -----
    The likelihood does not depend on ``whiten`` (in scikit-learn it does, because the components are scaled twice).

    Implements :eq:`pca-scores`, :eq:`pca-reconstruction` and :eq:`pca-eigen`. Time O(n d^2 + d^3) by the covariance
    matrix, O(n d min(n, d)) by singular values, O(n^2 d + n^3) by the Gram matrix. Sources: Pearson (1901), Hotelling
    (1933); for the likelihood Tipping and Bishop (1999).

    Examples
    --------
    >>> model = PCA(1).fit([[0.0, 0.0], [3.0, 4.0], [-3.0, -4.0]])
    >>> model.components_, model.explained_variance_
    (array([[0.6, 0.8]]), array([25.]))
    >>> model.inverse_transform([[5.0]])
    array([[3., 4.]])
    """

    def __init__(
        self, n_components: int | float | None = None, *, whiten: bool = False, svd_solver: str = "auto"
    ) -> None:
        self.n_components = n_components
        self.whiten = whiten
        self.svd_solver = svd_solver

    def fit(self, X: ArrayLike, y: object = None) -> PCA:
        """Compute mean, axes and variances.

        Raises
        ------
        ValueError, TypeError
            Bad data or parameter; fewer than two rows; rows that are all equal; ``n_components`` above min(n, d);
            whitening of a component without variance.
        """
        X = np.asarray(validate_data(self, X, dtype="numeric", ensure_min_samples=2), dtype=float)
        if not isinstance(self.whiten, bool | np.bool_):
            raise TypeError(f"whiten must be True or False, got {self.whiten!r}.")
        check_choice(self.svd_solver, "svd_solver", SOLVERS)
        most = min(X.shape)
        share = self._share()
        k = most if share is not None else at_most(self.n_components, most, "min(n_samples, n_features)")
        self.mean_, variances, (values, V) = axes_of(X, self.svd_solver)
        total = float(variances.sum())
        ratio = values / total
        if share is not None:
            k = components_for_share(ratio / ratio.sum(), share)
        self.n_samples_ = len(X)
        self.n_components_ = k
        self.components_ = V[:k].copy()
        self.explained_variance_ = values[:k].copy()
        self.explained_variance_ratio_ = ratio[:k].copy()
        self.singular_values_ = np.sqrt((len(X) - 1) * values[:k])
        self.noise_variance_ = float(values[k:].mean()) if k < most else 0.0
        self._rank = int((values > self._negligible(values[0])).sum())
        if self.whiten and self._rank < k:
            raise ValueError(
                f"n_components={k} cannot be whitened: only {self._rank} directions have a variance above 0, ask for "
                "no more of them."
            )
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Scores (n, k) of the rows; :eq:`pca-scores`, divided by their standard deviations if ``whiten``."""
        scores = self._centred(X) @ self.components_.T
        return scores / np.sqrt(self.explained_variance_) if self.whiten else scores

    def inverse_transform(self, X: ArrayLike) -> FloatArray:
        """Rows (n, d) rebuilt from scores (n, k); :eq:`pca-reconstruction`.

        Raises
        ------
        ValueError
            If ``X`` does not have as many columns as there are components.
        """
        check_is_fitted(self)
        Z = np.atleast_2d(np.asarray(X, dtype=float))
        if Z.ndim != 2 or Z.shape[1] != self.n_components_:
            raise ValueError(f"X must have {self.n_components_} columns, one for each component, got shape {Z.shape}.")
        if not np.isfinite(Z).all():
            raise ValueError("X must be finite, it holds NaN or inf: remove or impute these entries.")
        if self.whiten:
            Z = Z * np.sqrt(self.explained_variance_)
        return Z @ self.components_ + self.mean_

    def get_covariance(self) -> FloatArray:
        """Covariance (d, d) of the probabilistic model; :eq:`pca-ppca-covariance`."""
        check_is_fitted(self)
        V = self.components_
        C = (V.T * (self.explained_variance_ - self.noise_variance_)) @ V
        C.flat[:: len(C) + 1] += self.noise_variance_
        return C

    def get_precision(self) -> FloatArray:
        """Inverse (d, d) of :meth:`get_covariance`, from the variances.

        Raises
        ------
        ValueError
            If the covariance is singular: no variance is left for the noise.
        """
        variances, noise = self._spread()
        V = self.components_
        P = (V.T * (1.0 / variances - 1.0 / noise)) @ V
        P.flat[:: len(P) + 1] += 1.0 / noise
        return P

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Log-density (n,) of the rows under the probabilistic model, in nats; :eq:`pca-ppca-covariance`.

        Raises
        ------
        ValueError
            If the covariance is singular: no variance is left for the noise.
        """
        R = self._centred(X)
        variances, noise = self._spread()
        d = R.shape[1]
        squares = (R @ self.components_.T) ** 2
        rest = np.maximum((R**2).sum(axis=1) - squares.sum(axis=1), 0.0) / noise if self.n_components_ < d else 0.0
        log_det = np.log(variances).sum() + (d - self.n_components_) * np.log(noise)
        return -0.5 * (d * np.log(2 * np.pi) + log_det + (squares / variances).sum(axis=1) + rest)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Mean of :meth:`score_samples`."""
        return float(self.score_samples(X).mean())

    @property
    def _n_features_out(self) -> int:
        return int(self.n_components_)

    def _share(self) -> float | None:
        """The share of the variance that is asked for, or None."""
        n = self.n_components
        if n is None or isinstance(n, Integral):
            return None
        if isinstance(n, Real):
            if not 0 < n < 1:
                raise ValueError(f"n_components={n!r} must be an integer, or a share of the variance between 0 and 1.")
            return float(n)
        raise TypeError(f"n_components must be an integer, a share between 0 and 1, or None, got {n!r}.")

    def _negligible(self, largest: float) -> float:
        """Variances that may be rounding errors."""
        scale = largest + float(np.square(self.mean_).max()) * np.finfo(float).eps
        return float(self.n_samples_ + self.mean_.size) * np.finfo(float).eps * scale

    def _spread(self) -> tuple[FloatArray, float]:
        """Variances along the components, and that in every other direction (1 if there is none), all positive."""
        check_is_fitted(self)
        d = self.n_features_in_
        if self._rank < min(self.n_components_ + 1, d):
            raise ValueError(
                f"n_components={self.n_components_} leaves no variance for the noise, so there is no density: the data "
                f"vary along {self._rank} directions only, ask for fewer components."
            )
        return self.explained_variance_, self.noise_variance_ if self.n_components_ < d else 1.0

    def _centred(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float) - self.mean_

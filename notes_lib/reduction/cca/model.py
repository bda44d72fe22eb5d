"""The estimator, with the names and the scaling of scikit-learn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_real
from notes_lib.foundations.linear_algebra.reduction import lengths
from notes_lib.numerics import leading_signs
from notes_lib.reduction.cca.checks import varying
from notes_lib.reduction.cca.steps import pairs_of_centred, score_correlations


class CCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Canonical correlation analysis with the names and the scaling of scikit-learn, and a ridge.

    Parameters
    ----------
    n_components : int
        Pairs of directions, at most the smaller rank of the centred views, so at most min(n - 1, p, q).
    scale : bool
        Whether columns are divided by their standard deviations (divisor n - 1). Without a ridge it changes
        ``x_weights_`` and the scale of the scores, but no correlation.
    ridge : float
        Added to the diagonals of both covariance matrices, :eq:`cca-ridge`; with ``scale=True`` these diagonals are 1.

    Attributes
    ----------
    correlations_ : (n_components,) array
        Correlations of the training scores of each pair. Without a ridge, the canonical correlations. They flatter:
        judge a model on rows that it has not seen, with :func:`score_correlations`.
    x_weights_, y_weights_ : (p, n_components) and (q, n_components) arrays
        Orthonormal columns: each direction, less its part along those before it. The entry of largest modulus in a
        column of ``x_weights_`` is positive.
    x_rotations_, y_rotations_ : (p, n_components) and (q, n_components) arrays
        Directions, in units of the scaled columns; the scores are the centred, scaled views times these. The lengths
        are scikit-learn's: ``x_weights_' x_rotations_`` has a unit diagonal. Divide the scores by their standard
        deviations for the textbooks' scores of unit variance.
    x_loadings_, y_loadings_ : (p, n_components) and (q, n_components) arrays
        Slopes of the scaled columns on their own scores.
    n_features_in_ : int

    Notes
    -----
    O(n (p^2 + q^2 + p q)) time, O(n (p + q)) memory. If the ranks of the views sum up to more than n - 1, some
    correlations are 1 whatever the data, :eq:`cca-dimension`: use a ridge. There is no ``predict``: to predict one view
    from the other, use a regression.

    Examples
    --------
    >>> X = [[0., 0., 1.], [1., 0., 0.], [2., 2., 2.], [3., 5., 4.], [4., 1., 3.], [6., 2., 0.]]
    >>> Y = [[0.1, -0.2], [0.9, 1.1], [6.2, 5.9], [11.9, 12.3], [5.0, 4.0], [4.0, 7.0]]
    >>> model = CCA(n_components=1).fit(X, Y)
    >>> u, v = model.transform(X, Y)
    >>> bool(np.isclose(np.corrcoef(u.T, v.T)[0, 1], model.correlations_[0]))
    True
    """

    def __init__(self, n_components: int = 2, *, scale: bool = True, ridge: float = 0.0) -> None:
        self.n_components = n_components
        self.scale = scale
        self.ridge = ridge

    def fit(self, X: ArrayLike, y: ArrayLike) -> CCA:
        """Find the directions of two views: X (n, p), and y (n, q) or (n,), the chapter's Y.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; different numbers of rows; a constant column (names the view and the column);
            more components than the views have dimensions.
        """
        k, ridge = check_integer(self.n_components, "n_components"), check_real(self.ridge, "ridge")
        if not isinstance(self.scale, (bool, np.bool_)):
            raise TypeError(f"scale must be True or False, got {self.scale!r}.")
        X = validate_data(self, X, dtype=float, ensure_min_samples=2)
        y = self._second(y)
        self._x_mean, self._y_mean = X.mean(axis=0), y.mean(axis=0)
        X, y = varying(X, y, ("X", "y"))
        units = [lengths(view) / np.sqrt(len(X) - 1) if self.scale else np.ones(view.shape[1]) for view in (X, y)]
        self._x_std, self._y_std = units
        X, y = X / self._x_std, y / self._y_std
        pairs = pairs_of_centred(X, y, ridge)
        most = len(pairs.values)
        if k > most:
            raise ValueError(
                f"n_components={k} must be at most {most}, the smaller rank of the two centred views: ask for fewer."
            )
        self.x_weights_, self.x_rotations_ = orthonormal_weights(pairs.x_directions[:, :k])
        self.y_weights_, self.y_rotations_ = orthonormal_weights(pairs.y_directions[:, :k])
        signs = leading_signs(self.x_weights_.T)
        for columns in (self.x_weights_, self.x_rotations_, self.y_weights_, self.y_rotations_):
            columns *= signs
        U, V = X @ self.x_rotations_, y @ self.y_rotations_
        self.x_loadings_, self.y_loadings_ = X.T @ (U / lengths(U) ** 2), y.T @ (V / lengths(V) ** 2)
        self.correlations_ = np.clip(score_correlations(U, V), -1.0, 1.0)
        return self

    def transform(self, X: ArrayLike, y: ArrayLike | None = None) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Scores of the rows: (n, n_components) of X, and, if y is given, a second array for y.

        Raises
        ------
        NotFittedError, TypeError, ValueError
            Not fitted; bad data; another number of columns than in :meth:`fit`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        scores = (X - self._x_mean) / self._x_std @ self.x_rotations_
        if y is None:
            return scores
        y, q = self._second(y), len(self._y_mean)
        if y.shape[1] != q:
            raise ValueError(f"y must have the {q} columns that it had in fit, got {y.shape[1]}.")
        return scores, (y - self._y_mean) / self._y_std @ self.y_rotations_

    def fit_transform(self, X: ArrayLike, y: ArrayLike) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Both arrays of scores of the training rows."""
        return self.fit(X, y).transform(X, y)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    @property
    def _n_features_out(self) -> int:
        return self.x_rotations_.shape[1]

    def _second(self, y: ArrayLike) -> FloatArray:
        """The second view as a matrix."""
        if y is None:
            raise ValueError("This CCA estimator requires y to be passed, but the target y is None: it is a view too.")
        y = check_array(y, dtype=float, ensure_2d=False, input_name="y", estimator=self)
        return y[:, None] if y.ndim == 1 else y


def orthonormal_weights(A: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Directions made orthonormal one after the other, W, and scaled so that ``W'A`` has a unit diagonal."""
    W, R = np.linalg.qr(A)
    diagonal = np.diag(R)
    return W * np.sign(diagonal), A / np.abs(diagonal)

"""The estimators of a single pass: one-machine estimators whose data come in chunks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import NotFittedError

from notes_lib.bayes.bayesian_network.parameters import Parameters
from notes_lib.bayes.naive_bayes import GaussianNB, gaussian
from notes_lib.checks import FloatArray, all_finite, check_choice
from notes_lib.foundations.linear_algebra.reduction import lengths
from notes_lib.linear import fisher_lda
from notes_lib.linear.gaussian_discriminant import LinearDiscriminantAnalysis
from notes_lib.linear.linear_regression import LinearRegression, shortest_weights
from notes_lib.linear.linear_regression.checks import check_sums
from notes_lib.scaling.sufficient_statistics import steps
from notes_lib.scaling.sufficient_statistics.engine import BACKENDS, Source

EPS = float(np.finfo(float).eps)


class Chunked(Parameters):
    """What all share: the fitted one-machine estimator in ``model_``, and its attributes as their own."""

    backend: str
    model_: Any

    def _source(self, chunks: Iterable[Any], target: str | None = None, several: bool = False) -> Source:
        check_choice(self.backend, "backend", BACKENDS)
        return Source(chunks, self.backend, target, several)

    def _adopt(self, model: Any, n_features: int) -> None:
        model.n_features_in_ = n_features
        self.model_ = model
        vars(self).update({name: value for name, value in vars(model).items() if name.endswith("_")})

    def _fitted(self) -> Any:
        if not hasattr(self, "model_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted: call fit with chunks first.")
        return self.model_

    def predict(self, X: ArrayLike) -> np.ndarray:
        """What the one-machine estimator predicts for the rows of ``X`` (n, d), an (n,) array."""
        return self._fitted().predict(X)


class ChunkedClassifier(Chunked):
    """What both classifiers share."""

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probabilities (n, K) of the rows of ``X`` (n, d)."""
        return self._fitted().predict_proba(X)

    def _classes(self, chunks: Iterable[Any], summary: Any) -> steps.ClassMoments:
        found = self._source(chunks, "labels").reduce(summary, steps.merge_classes)
        if len(found.classes) < 2:
            raise ValueError(f"y must hold at least two classes, got {len(found.classes)} class in all chunks.")
        if not all_finite(found.scatter):
            raise ValueError("X is too large: the squares of X overflow, rescale its columns.")
        return found


class ChunkedLinearRegression(Chunked):
    """Least squares from chunks of rows, by merging triangles; :eq:`sufficient-statistics-stack`.

    Finds what :class:`~notes_lib.linear.linear_regression.LinearRegression` finds on all rows at once.

    Parameters
    ----------
    fit_intercept : bool
    backend : {'numpy', 'dask'}
        'numpy' goes through the chunks in this process, 'dask' sends them to the workers of the connected cluster.

    Attributes
    ----------
    coef_, intercept_, rank_, singular_, n_features_in_
        As of the one-machine estimator: for dependent or constant columns the shortest of all minimisers.
    n_rows_ : int
    model_ : LinearRegression
        The same numbers in an estimator of one machine.

    Notes
    -----
    One pass, O(n d^2) time, O(d^2) memory beside a chunk.

    Examples
    --------
    >>> chunks = [([[0.0], [1.0]], [6.0, 0.0]), ([[2.0]], [0.0])]
    >>> model = ChunkedLinearRegression().fit(chunks)
    >>> model.coef_.round(12), round(model.intercept_, 12)
    (array([-3.]), 5.0)
    """

    def __init__(self, *, fit_intercept: bool = True, backend: str = "numpy") -> None:
        self.fit_intercept, self.backend = fit_intercept, backend

    def fit(self, chunks: Iterable[Any]) -> ChunkedLinearRegression:
        """Go through ``chunks`` of (X, y) once.

        Parameters
        ----------
        chunks : iterable
            Of pairs (X, y), X (n, d) and y (n,) or (n, m), or of functions without arguments that return one.

        Raises
        ------
        TypeError, ValueError, ImportError
            No chunk, an iterator that is spent, a bad chunk (names it), chunks of different width, numbers so large
            that sums overflow; no cluster or no Dask.
        """
        source = self._source(chunks, "numbers")
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            found = source.reduce(partial(_triangle, bool(self.fit_intercept)), _merge_targets)
        numbers, one = found
        R, c = numbers.R, numbers.c
        n = numbers.count
        # a constant column leaves rounding errors of its means, which would look like data
        R[:, lengths(R) / np.sqrt(n) <= 8 * EPS * np.abs(numbers.x_mean)] = 0.0
        d = R.shape[1]
        short = np.zeros((max(0, d + 1 - len(R)) if n > d else 0, d))  # rows of 0 change no product
        w, rank, singular = shortest_weights(
            np.vstack([R, short]), np.vstack([c, np.zeros((len(short), c.shape[1]))]), n_rows=n
        )
        b = numbers.y_mean - numbers.x_mean @ w
        model = LinearRegression(fit_intercept=self.fit_intercept)
        model.rank_, model.singular_ = rank, singular
        model.coef_, model.intercept_ = (w[:, 0], float(b[0])) if one else (w.T, b)
        self.n_rows_ = n
        self._adopt(model, d)
        return self


def _triangle(intercept: bool, X: FloatArray, y: FloatArray) -> tuple[steps.Triangle, bool]:
    check_sums(X, "X")
    check_sums(y, "y")
    return steps.triangle_of(X, y, intercept), y.shape[1] == 1


def _merge_targets(a: tuple[steps.Triangle, bool], b: tuple[steps.Triangle, bool]) -> tuple[steps.Triangle, bool]:
    if len(a[0].y_mean) != len(b[0].y_mean):
        raise ValueError(f"y has {len(a[0].y_mean)} targets in some chunks and {len(b[0].y_mean)} in others.")
    return steps.merge_triangles(a[0], b[0]), a[1]


class ChunkedGaussianNB(ChunkedClassifier):
    """Gaussian naive Bayes from chunks of rows; :eq:`sufficient-statistics-classes`.

    Finds what :class:`~notes_lib.bayes.naive_bayes.GaussianNB` finds on all rows at once. The classes need not be known
    before, and a chunk need not hold all of them.

    Parameters
    ----------
    priors, var_smoothing
        As of the one-machine estimator.
    backend : {'numpy', 'dask'}

    Attributes
    ----------
    classes_, class_count_, class_prior_, theta_, var_, epsilon_, n_features_in_
        As of the one-machine estimator.
    model_ : GaussianNB

    Notes
    -----
    One pass, O(n d K) time, O(K d) memory beside a chunk.

    Examples
    --------
    >>> model = ChunkedGaussianNB().fit([([[0.0], [2.0]], ["a", "a"]), ([[5.0], [9.0]], ["b", "b"])])
    >>> model.theta_.ravel(), model.predict([[3.0]])
    (array([1., 7.]), array(['a'], dtype='<U1'))
    """

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9, backend: str = "numpy") -> None:
        self.priors, self.var_smoothing, self.backend = priors, var_smoothing, backend

    def fit(self, chunks: Iterable[Any]) -> ChunkedGaussianNB:
        """Go through ``chunks`` of (X, y) once; errors as of :class:`ChunkedLinearRegression`, and of one class only.

        Raises
        ------
        TypeError, ValueError, ImportError
            Also: fewer than two classes, labels that are text in some chunks only, a variance of 0.
        """
        found = self._classes(chunks, steps.class_moments)
        model = GaussianNB(priors=self.priors, var_smoothing=self.var_smoothing)
        model.classes_ = found.classes
        flat = found.scatter <= found.counts[:, None] * (8 * EPS * np.abs(found.means)) ** 2
        model._keep(gaussian.Moments(found.counts, found.means, np.where(flat, 0.0, found.scatter)))
        model._check_estimates()
        self._adopt(model, found.means.shape[1])
        return self


class ChunkedLinearDiscriminantAnalysis(ChunkedClassifier):
    """Linear discriminant analysis from chunks of rows; :eq:`sufficient-statistics-pooled`.

    Finds what :class:`~notes_lib.linear.gaussian_discriminant.LinearDiscriminantAnalysis` finds on all rows at once.

    Parameters
    ----------
    shrinkage, priors, n_components
        As of the one-machine estimator.
    backend : {'numpy', 'dask'}

    Attributes
    ----------
    classes_, priors_, means_, xbar_, covariance_, scalings_, explained_variance_ratio_, coef_, intercept_
        As of the one-machine estimator.
    n_features_in_ : int
    model_ : LinearDiscriminantAnalysis

    Notes
    -----
    One pass, O(n d (d + K)) time, O(d^2 + K d) memory beside a chunk.

    Examples
    --------
    >>> chunks = [([[-1, -1], [1, 1]], [1, 2]), ([[-2, -1], [2, 1]], [1, 2]), ([[-3, -2], [3, 2]], [1, 2])]
    >>> ChunkedLinearDiscriminantAnalysis().fit(chunks).predict([[-0.8, -1]])
    array([1])
    """

    def __init__(
        self,
        *,
        shrinkage: float | None = None,
        priors: ArrayLike | None = None,
        n_components: int | None = None,
        backend: str = "numpy",
    ) -> None:
        self.shrinkage, self.priors, self.n_components = shrinkage, priors, n_components
        self.backend = backend

    def fit(self, chunks: Iterable[Any]) -> ChunkedLinearDiscriminantAnalysis:
        """Go through ``chunks`` of (X, y) once.

        Raises
        ------
        TypeError, ValueError, ImportError
            As :class:`ChunkedGaussianNB`; not more rows than classes, or a singular covariance without shrinkage.
        """
        found = self._classes(chunks, steps.pooled_moments)
        n, K = found.counts.sum(), len(found.classes)
        if n <= K:
            raise ValueError(f"X must have more rows than classes, got {n:.0f} rows and {K} classes: add data.")
        xbar = found.counts @ (found.means - found.means[0]) / n + found.means[0]  # a large offset costs no digits
        S_w = found.scatter.copy()
        flat = np.sqrt(np.diag(S_w) / n) <= 8 * EPS * np.abs(found.means).max(axis=0)
        S_w[flat], S_w[:, flat] = 0.0, 0.0
        model = LinearDiscriminantAnalysis(shrinkage=self.shrinkage, priors=self.priors, n_components=self.n_components)
        model.classes_ = found.classes
        model._keep(fisher_lda.ClassMoments(found.counts, xbar, found.means - xbar, S_w))
        self._adopt(model, len(xbar))
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Coordinates of the rows of ``X`` (n, d) along the directions."""
        return self._fitted().transform(X)

"""Fisher's linear discriminant: the directions that separate class means best, measured in within-class spread.

The pure functions follow the derivation of the chapter *Fisher's linear discriminant*: scatter matrices, the criterion,
the closed form for two classes, and the generalised eigenproblem for more. :class:`FisherDiscriminant` puts them
together and keeps the contract of scikit-learn.

Source: Fisher (1936), Annals of Eugenics 7, 179-188; Rao (1948), J. R. Stat. Soc. B 10, 159-203; Hastie, Tibshirani and
Friedman (2009), section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, check_X_y, validate_data

from notes_lib.checks import FloatArray, check_distribution, check_integer, check_shape, check_symmetric, class_codes
from notes_lib.foundations.linear_algebra import cholesky_solve, generalized_eigh
from notes_lib.numerics import BLOCK, NotPositiveDefiniteError, row_blocks

__all__ = [
    "Directions",
    "FisherDiscriminant",
    "Scatter",
    "discriminant_directions",
    "fisher_criterion",
    "fisher_direction",
    "scatter_matrices",
    "shrunk_scatter",
]

SINGULAR = 1e-12  # a column of which the others explain all within-class variance but this share counts as collinear


class Scatter(NamedTuple):
    """Result of :func:`scatter_matrices`: ``S_w`` and ``S_b``, both (d, d) and sums of squares, not means."""

    S_w: FloatArray
    S_b: FloatArray


class Directions(NamedTuple):
    """Result of :func:`discriminant_directions`: ``eigenvalues`` (r,) in descending order, ``vectors`` (d, r)."""

    eigenvalues: FloatArray
    vectors: FloatArray


class ClassMoments(NamedTuple):
    """Counts (K,), mean of all rows (d,), class means less that mean (K, d), within-class scatter (d, d)."""

    counts: FloatArray
    xbar: FloatArray
    offsets: FloatArray
    S_w: FloatArray

    @property
    def S_b(self) -> FloatArray:
        return (self.counts * self.offsets.T) @ self.offsets  # fisher-lda-between


def scatter_matrices(X: ArrayLike, y: ArrayLike) -> Scatter:
    """Scatter within the classes and between them.

    Implements :eq:`fisher-lda-within` and :eq:`fisher-lda-between`. Both are *sums*: dividing ``S_w`` by n gives the
    pooled covariance of maximum likelihood, dividing by n - K the unbiased one. For two classes ``S_b`` is
    ``(n_0 n_1 / n) (m_1 - m_0)(m_1 - m_0)'``; books that leave the factor out have the same directions.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Labels of any type; at least two classes.

    Returns
    -------
    Scatter
        ``S_w`` (d, d) and ``S_b`` (d, d), in units of X squared. Their sum is the total scatter.

    Raises
    ------
    ValueError
        If X holds NaN or infinity, is empty, does not fit y, or y holds fewer than two classes.

    Notes
    -----
    O(n d (d + K)) time, O(d^2 + K d) memory beside the data.

    Examples
    --------
    >>> S_w, S_b = scatter_matrices([[0.0], [2.0], [5.0], [7.0]], [0, 0, 1, 1])
    >>> float(S_w[0, 0]), float(S_b[0, 0])
    (4.0, 25.0)
    """
    X, y = check_X_y(X, y, dtype="numeric")
    classes, codes = class_codes(y)
    moments = class_moments(np.asarray(X, dtype=float), codes, len(classes))
    return Scatter(moments.S_w, moments.S_b)


def fisher_criterion(w: ArrayLike, S_w: ArrayLike, S_b: ArrayLike) -> float:
    """Scatter between the projected classes over the scatter within them; :eq:`fisher-lda-criterion`.

    Parameters
    ----------
    w : (d,) array
        Direction; its length and sign do not matter.
    S_w, S_b : (d, d) arrays
        As in :func:`scatter_matrices`.

    Returns
    -------
    float
        Not negative; infinite if nothing is scattered within the projected classes although their means differ.

    Raises
    ------
    ValueError
        If ``S_w`` and ``S_b`` are not symmetric matrices of one shape, or ``w`` does not fit them; if both scatters of
        the projection are 0, as for ``w = 0``: the quotient is then not defined.

    Notes
    -----
    O(d^2) time.

    Examples
    --------
    >>> fisher_criterion([1.0, 0.0], np.eye(2), [[4.0, 0.0], [0.0, 1.0]])
    4.0
    """
    S_w, S_b = _scatters(S_w, S_b)
    w = check_shape(w, "w", (len(S_w),))
    between, within = float(w @ S_b @ w), float(w @ S_w @ w)
    if within <= 0 and between <= 0:
        raise ValueError("w' S_w w and w' S_b w are both 0: w must be a direction along which the data are scattered.")
    return between / within if within > 0 else float("inf")


def fisher_direction(X: ArrayLike, y: ArrayLike) -> FloatArray:
    """Fisher's direction for two classes, ``S_w^-1 (m_1 - m_0)`` at length 1; :eq:`fisher-lda-direction`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Two classes; class 1 is the one that sorts last.

    Returns
    -------
    (d,) array
        Unit norm. It points from class 0 to class 1: the projected mean of class 1 is the larger one.

    Raises
    ------
    ValueError
        As in :func:`scatter_matrices`; also if there are more than two classes, the two means are equal, or ``S_w`` is
        singular (names a column, the cause and the remedy).

    Notes
    -----
    O(n d^2 + d^3) time: one Cholesky factor and two triangular solves, no inverse.

    Examples
    --------
    >>> X = [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [4.0, 2.0], [6.0, 2.0], [5.0, 3.0]]
    >>> fisher_direction(X, [0, 0, 0, 1, 1, 1]).round(3)
    array([0.555, 0.832])
    """
    X, y = check_X_y(X, y, dtype="numeric")
    classes, codes = class_codes(y)
    if len(classes) != 2:
        raise ValueError(f"y must hold two classes, got {len(classes)} classes: use discriminant_directions for more.")
    moments = class_moments(np.asarray(X, dtype=float), codes, 2)
    difference = moments.offsets[1] - moments.offsets[0]
    if not difference.any():
        raise ValueError("X has equal class means, so no direction separates them: use a quadratic discriminant.")
    with named_column(moments.S_w):
        w = cholesky_solve(moments.S_w, difference, tol=SINGULAR)
    w /= np.abs(w).max()  # so that the norm can neither overflow nor vanish
    return w / np.linalg.norm(w)


def discriminant_directions(S_w: ArrayLike, S_b: ArrayLike, n_directions: int | None = None) -> Directions:
    """Solve ``S_b w = lambda S_w w`` by Cholesky whitening; the largest eigenvalues first.

    Implements :eq:`fisher-lda-eigenproblem`. :func:`~notes_lib.foundations.linear_algebra.generalized_eigh` does it in
    the form :eq:`fisher-lda-whitened`, the ordinary symmetric problem of ``L^-1 S_b L^-T`` with ``S_w = L L'``.

    Parameters
    ----------
    S_w, S_b : (d, d) arrays
        ``S_w`` symmetric positive definite, ``S_b`` symmetric positive semi-definite.
    n_directions : int or None
        How many to return; all d if None.

    Returns
    -------
    Directions
        ``eigenvalues`` (r,), each the criterion of its direction; ``vectors`` (d, r), columns with ``w' S_w w = 1`` and
        ``w_i' S_w w_j = 0``. The sign of a column makes its entry of largest modulus positive (the first in a tie).

    Raises
    ------
    TypeError
        If ``n_directions`` is neither an integer nor None.
    ValueError
        If ``S_w`` is singular (names a column, the cause and the remedy) or not finite, a matrix is not symmetric, the
        shapes differ, or ``n_directions`` is not from 1 to d.

    Notes
    -----
    O(d^3) time, O(d^2) memory.

    Examples
    --------
    >>> discriminant_directions(np.diag([4.0, 1.0]), np.diag([4.0, 9.0])).eigenvalues
    array([9., 1.])
    """
    S_w, S_b = _scatters(S_w, S_b)
    r = len(S_w) if n_directions is None else check_integer(n_directions, "n_directions")
    if r > len(S_w):
        raise ValueError(f"n_directions={r} must be at most d = {len(S_w)}.")
    with named_column(S_w):
        eigenvalues, W = generalized_eigh(S_b, S_w, r, tol=SINGULAR)  # fisher-lda-eigenproblem
    return Directions(np.maximum(eigenvalues, 0.0), W)


def shrunk_scatter(S_w: ArrayLike, shrinkage: float) -> FloatArray:
    """Within-class scatter pulled towards a multiple of the identity; :eq:`fisher-lda-shrinkage`.

    Parameters
    ----------
    S_w : (d, d) array
    shrinkage : float
        From 0 (``S_w`` itself) to 1 (every direction the mean scatter ``trace(S_w) / d``).

    Returns
    -------
    (d, d) array
        The trace is that of ``S_w``; positive definite for a positive ``shrinkage``, unless ``S_w`` is 0.

    Raises
    ------
    ValueError
        If ``shrinkage`` is not in [0, 1], or ``S_w`` is not symmetric and finite.

    Notes
    -----
    O(d^2) time.

    Examples
    --------
    >>> shrunk_scatter([[4.0, 2.0], [2.0, 2.0]], 0.5)
    array([[3.5, 1. ],
           [1. , 2.5]])
    """
    if isinstance(shrinkage, (bool, str)) or not isinstance(shrinkage, Real) or not 0 <= shrinkage <= 1:
        raise ValueError(f"shrinkage must be None or a number from 0 to 1, got {shrinkage!r}.")
    S_w = check_symmetric(S_w, "S_w")
    return (1.0 - shrinkage) * S_w + shrinkage * np.trace(S_w) / len(S_w) * np.eye(len(S_w))


class FisherDiscriminant(
    ClassNamePrefixFeaturesOutMixin,
    ClassifierMixin,
    TransformerMixin,
    BaseEstimator,
):
    """Discriminant directions, and the classifier by the nearest class mean along them.

    Parameters
    ----------
    n_components : int or None
        Columns of :meth:`transform`, at most min(K - 1, d), which is the default. As in scikit-learn, it does not
        change :meth:`predict`, which uses all directions.
    shrinkage : float in [0, 1] or None
        See :func:`shrunk_scatter`; needed when ``S_w`` is singular.
    priors : (K,) array or None
        Class probabilities, positive; the shares of the classes in ``y`` if None. They move the threshold only: the
        scatter matrices weigh every row alike.

    Attributes
    ----------
    classes_ : (K,) array
    means_ : (K, d) array
    priors_ : (K,) array
    xbar_ : (d,) array
        Mean of all rows.
    covariance_ : (d, d) array
        Pooled within-class covariance ``S_w / n``, after shrinkage. Divisor n, not n - K.
    scalings_ : (d, min(K - 1, d)) array
        Directions with ``w' covariance_ w = 1``: unit pooled within-class variance with divisor n, as in scikit-learn
        (R divides by n - K). Signs as in :func:`discriminant_directions`.
    eigenvalues_ : (min(K - 1, d),) array
        Criterion of each direction, in descending order.
    explained_variance_ratio_ : (n_components,) array
        Share of each eigenvalue in their sum; 0 if all class means are equal.
    coef_, intercept_ : (K, d) and (K,) arrays, or (1, d) and (1,) for two classes
        Of the linear scores in :meth:`decision_function`.
    n_features_in_ : int

    Notes
    -----
    O(n d (d + K) + d^3) time, O(d^2 + K d) memory beside the data. ``predict`` is the Bayes rule if the classes are
    Gaussian with one common covariance; :eq:`fisher-lda-scores`.

    Examples
    --------
    >>> X = [[-1, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    >>> FisherDiscriminant().fit(X, [1, 1, 1, 2, 2, 2]).predict([[-0.8, -1]])
    array([1])
    """

    def __init__(
        self, n_components: int | None = None, *, shrinkage: float | None = None, priors: ArrayLike | None = None
    ) -> None:
        self.n_components = n_components
        self.shrinkage = shrinkage
        self.priors = priors

    def fit(self, X: ArrayLike, y: ArrayLike) -> FisherDiscriminant:
        """Compute class means, scatter matrices, directions and scores.

        Raises
        ------
        ValueError
            Bad data or hyper-parameter; fewer than two classes; not more rows than classes; singular ``S_w`` without
            shrinkage (names a column, the cause and the remedy).
        """
        X, y = validate_data(self, X, y, dtype="numeric")
        X = np.asarray(X, dtype=float)
        self.classes_, codes = class_codes(y)
        (n, d), K = X.shape, len(self.classes_)
        if n <= K:
            raise ValueError(f"X must have more rows than classes, got {n} rows and {K} classes: add data.")
        n_columns = components(self.n_components, min(K - 1, d))
        moments = class_moments(X, codes, K)
        given = self.priors
        self.priors_ = moments.counts / n if given is None else check_distribution(given, "priors", (K,), positive=True)
        self.xbar_, self.means_ = moments.xbar, moments.xbar + moments.offsets
        S_w = moments.S_w if self.shrinkage is None else shrunk_scatter(moments.S_w, self.shrinkage)
        self.covariance_ = S_w / n
        self.eigenvalues_, W = discriminant_directions(S_w, moments.S_b, min(K - 1, d))
        self.scalings_ = np.sqrt(n) * W  # fisher-lda-scalings
        total = self.eigenvalues_.sum()
        self.explained_variance_ratio_ = self.eigenvalues_[:n_columns] / (total if total > 0 else 1.0)
        M = moments.offsets @ self.scalings_  # (K, r) projected class means
        self._slopes = self.scalings_ @ M.T  # (d, K) fisher-lda-scores
        self._constants = np.log(self.priors_) - 0.5 * np.einsum("kr,kr->k", M, M)
        slopes = contrast(self._slopes)
        self.coef_ = np.atleast_2d(slopes.T)
        self.intercept_ = np.atleast_1d(contrast(self._constants) - self.xbar_ @ slopes)
        return self

    def transform(self, X: ArrayLike) -> FloatArray:
        """Coordinates (n, n_components) along the directions, with the mean of the training rows at the origin."""
        centred = self._centred(X)
        return centred @ self.scalings_[:, : self._n_features_out]

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n, K) of :eq:`fisher-lda-scores`; for two classes (n,), positive for ``classes_[1]``.

        Only differences within a row have a meaning: they are log-ratios of posterior probabilities, in nats.
        """
        return contrast(self._scores(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest score; the first one in a tie."""
        best = self._scores(X).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probabilities (n, K) if the classes are Gaussian with the common covariance."""
        return softmax(self._scores(X), axis=1)

    @property
    def _n_features_out(self) -> int:
        return len(self.explained_variance_ratio_)

    def _scores(self, X: ArrayLike) -> FloatArray:
        return self._centred(X) @ self._slopes + self._constants

    def _centred(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float) - self.xbar_


def components(n_components: int | None, most: int) -> int:
    """Number of columns of a projection: ``most`` if None."""
    if n_components is None:
        return most
    if isinstance(n_components, bool) or not isinstance(n_components, Integral):
        raise TypeError(f"n_components must be an integer or None, got {n_components!r}.")
    if not 1 <= n_components <= most:
        raise ValueError(f"n_components={n_components} must be from 1 to min(n_classes - 1, n_features) = {most}.")
    return int(n_components)


def contrast(scores: FloatArray) -> FloatArray:
    """Scores of two classes, last axis, as one difference; more classes as they are."""
    return scores[..., 1] - scores[..., 0] if scores.shape[-1] == 2 else scores


def class_moments(X: FloatArray, codes: np.ndarray, K: int) -> ClassMoments:
    """Two passes in blocks of rows: class means by a 0/1 matrix, then the scatter of the centred rows."""
    counts = np.bincount(codes, minlength=K).astype(float)
    near = X[:BLOCK].mean(axis=0)  # somewhere among the rows, so that a large offset costs no digits
    sums, S_w = np.zeros((K, X.shape[1])), np.zeros((X.shape[1], X.shape[1]))
    for rows in row_blocks(*X.shape):
        member = (codes[rows] == np.arange(K)[:, None]).astype(float)  # (K, rows)
        sums += member @ (X[rows] - near)
    shift = sums.sum(axis=0) / len(X)
    offsets = sums / counts[:, None] - shift  # fisher-lda-means
    xbar = near + shift
    mu = xbar + offsets
    with np.errstate(over="ignore", invalid="ignore"):
        for rows in row_blocks(*X.shape):
            R = mu.take(codes[rows], axis=0, mode="clip")  # all codes are in range: none needs a check
            np.subtract(X[rows], R, out=R)
            S_w += R.T @ R  # fisher-lda-within
    if not np.isfinite(S_w).all():
        raise ValueError("X is too large: the squares of X overflow, rescale its columns.")
    # a column that is constant within the classes leaves rounding errors of its means, which would look like data
    flat = np.sqrt(np.diag(S_w) / len(X)) <= 8 * np.finfo(float).eps * np.abs(mu).max(axis=0)
    S_w[flat], S_w[:, flat] = 0.0, 0.0
    return ClassMoments(counts, xbar, offsets, S_w)


def _scatters(S_w: ArrayLike, S_b: ArrayLike) -> Scatter:
    """Both matrices as floats, symmetric and of one shape."""
    found = Scatter(check_symmetric(S_w, "S_w"), check_symmetric(S_b, "S_b"))
    if found.S_b.shape != found.S_w.shape:
        raise ValueError(f"S_w and S_b must have one shape, got {found.S_w.shape} and {found.S_b.shape}.")
    return found


@contextmanager
def named_column(S_w: FloatArray) -> Iterator[None]:
    """Say of a singular ``S_w`` which column of the data is to blame, and why."""
    try:
        yield
    except NotPositiveDefiniteError as error:
        constant = S_w[error.index, error.index] <= 0
        linear = "is, within the classes, a linear combination of the columns before it"
        raise ValueError(_singular(error.index, "is constant within every class" if constant else linear)) from None


def _singular(column: int, cause: str) -> str:
    return f"S_w is singular: column {column} of X {cause}. Remove the column, or set shrinkage to a positive number."

"""The estimator for numbers: one mean and one variance for each feature in each class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from notes_lib.bayes.naive_bayes.rule import NaiveBayes
from notes_lib.checks import FloatArray, check_real
from notes_lib.numerics import row_blocks


class Moments(NamedTuple):
    """Weights (K,), means (K, d) and sums of squared deviations (K, d) of the rows seen so far."""

    counts: FloatArray
    means: FloatArray
    squares: FloatArray


def class_moments(X: FloatArray, member: FloatArray) -> Moments:
    """Two passes in blocks of rows; ``member`` (K, n) holds weights. :eq:`naive-bayes-gaussian-mle`."""
    counts = member.sum(axis=1)
    origin, codes = X[0], member.argmax(axis=0)
    sums, squares = np.zeros((2, len(counts), X.shape[1]))
    for rows in row_blocks(len(X)):
        sums += member[:, rows] @ (X[rows] - origin)  # about a row, so that a large offset costs no digits
    means = origin + _per(sums, counts)
    for rows in row_blocks(len(X)):
        D = X[rows] - means[codes[rows]]
        D *= D
        squares += member[:, rows] @ D
    # a constant column leaves the rounding error of its mean, which would look like a spread
    flat = squares <= counts[:, None] * (8 * np.finfo(float).eps * np.abs(means)) ** 2
    return Moments(counts, means, np.where(flat, 0.0, squares))


def _per(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Sums over counts, 0 in a class without instances."""
    n = counts[:, None]
    return np.divide(sums, n, out=np.zeros_like(sums), where=n > 0)


def merge(a: Moments, b: Moments) -> Moments:
    """Moments of both portions together; :eq:`naive-bayes-merge`."""
    n = a.counts + b.counts
    share = _per(b.counts[:, None], n)
    delta = b.means - a.means
    squares = a.squares + b.squares + delta**2 * a.counts[:, None] * share  # naive-bayes-merge
    return Moments(n, a.means + share * delta, squares)


class GaussianNB(NaiveBayes):
    """Naive Bayes for numbers: independent Gaussian features in each class; :eq:`naive-bayes-gaussian`.

    Parameters
    ----------
    priors : (K,) array or None
        Class probabilities with sum 1; the shares of the classes if None.
    var_smoothing : float
        Not negative. This share of the largest variance of a column, over all rows, is added to every variance.

    Attributes
    ----------
    classes_ : (K,) array
    class_count_ : (K,) array
        Sum of weights, the number of rows without weights.
    class_prior_ : (K,) array
    theta_ : (K, d) array
        Means.
    var_ : (K, d) array
        Variances with divisor N_k, after ``epsilon_`` is added.
    epsilon_ : float
    n_features_in_ : int

    Notes
    -----
    O(n d K) time to fit and to predict. ``epsilon_`` is that of all rows seen and of their weights, so that
    ``partial_fit`` in portions gives what ``fit`` gives; scikit-learn's is that of the last portion, without weights.

    Examples
    --------
    >>> model = GaussianNB().fit([[0.0], [2.0], [5.0], [9.0]], ["a", "a", "b", "b"])
    >>> model.theta_.ravel(), model.predict([[3.0]])
    (array([1., 7.]), array(['a'], dtype='<U1'))
    """

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: float = 1e-9) -> None:
        self.priors, self.var_smoothing = priors, var_smoothing

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> GaussianNB:
        """Estimate priors, means and variances.

        Raises
        ------
        TypeError, ValueError
            As the other classifiers of the chapter; a variance of 0. (After ``partial_fit``, whose first portions may
            hold one row of a class, or none, ``predict`` says so.)
        """
        super().fit(X, y, sample_weight)
        self._check_estimates()
        return self

    def _pair(self, X: Any, y: Any, reset: bool) -> tuple[FloatArray, np.ndarray]:
        X, y = validate_data(self, X, y, dtype="numeric", reset=reset)
        return np.asarray(X, dtype=float), y

    def _rows(self, X: Any, reset: bool) -> FloatArray:
        return np.asarray(validate_data(self, X, dtype="numeric", reset=reset), dtype=float)

    def _forget(self) -> None:
        K, d = len(self.classes_), self.n_features_in_
        self._moments = Moments(np.zeros(K), np.zeros((K, d)), np.zeros((K, d)))

    def _learn(self, X: FloatArray, member: FloatArray) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            self._keep(merge(self._moments, class_moments(X, member)))

    def _keep(self, moments: Moments) -> None:
        """Set what is learned from the moments of all rows."""
        share = check_real(self.var_smoothing, "var_smoothing")
        counts, means, squares = moments
        with np.errstate(over="ignore", invalid="ignore"):
            spread = _overall_variance(counts, means, squares).max()
        if not np.isfinite(spread):
            raise ValueError("X is too large: the squares of X overflow, rescale its columns.")
        self._moments = Moments(counts, means, squares)
        self.class_count_ = counts
        self.class_prior_ = self._priors(self.priors, "priors")
        self.epsilon_ = float(share * spread)
        self.theta_ = means
        self.var_ = _per(squares, counts) + self.epsilon_  # naive-bayes-gaussian-mle

    def _check_estimates(self) -> None:
        missing = (self.class_count_ == 0) & (self.class_prior_ > 0)
        if missing.any():
            raise ValueError(
                f"class {self.classes_[missing.argmax()]!s} has no samples, hence no mean and no variance: give rows "
                "of each class that has a positive prior."
            )
        flat = np.argwhere((self.var_ <= 0) & (self.class_count_ > 0)[:, None])
        if len(flat):
            k, j = flat[0]
            raise ValueError(
                f"column {j} is constant in class {self.classes_[k]!s}: remove it, or set var_smoothing > 0 and have a "
                "column that varies."
            )

    def _scores(self, X: FloatArray) -> FloatArray:
        self._check_estimates()
        seen = self.class_count_ > 0  # the others have prior 0
        scores = np.full((len(X), len(seen)), -np.inf)
        scores[:, seen] = _blockwise(X, self.theta_[seen], self.var_[seen])
        with np.errstate(divide="ignore"):
            return scores + np.log(self.class_prior_)  # naive-bayes-gaussian


def _overall_variance(counts: FloatArray, means: FloatArray, squares: FloatArray) -> FloatArray:
    """Variance of each column over all classes, from what is known of each."""
    total = counts.sum()
    xbar = counts @ means / total
    return (squares.sum(axis=0) + counts @ (means - xbar) ** 2) / total


def _blockwise(X: FloatArray, means: FloatArray, variances: FloatArray) -> FloatArray:
    """Log-densities (n, K), one block of rows for all classes while it is in the cache."""
    scale = np.sqrt(0.5 / variances)
    squares = np.empty((len(X), len(means)))
    for rows in row_blocks(len(X)):
        for k in range(len(means)):
            Z = X[rows] - means[k]
            Z *= scale[k]
            squares[rows, k] = np.einsum("nd,nd->n", Z, Z)
    return -0.5 * np.log(2 * np.pi * variances).sum(axis=1) - squares

"""The estimators for features that are counted: categories, words drawn one by one, words present or absent."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import validate_data

from notes_lib.bayes.naive_bayes.rule import NaiveBayes
from notes_lib.bayes.naive_bayes.steps import bernoulli_scores, check_alpha, log_product, smoothed
from notes_lib.checks import FloatArray, IntArray, check_counts, check_number


def _log(probabilities: FloatArray) -> FloatArray:
    """Logarithms, minus infinity for 0."""
    with np.errstate(divide="ignore"):
        return np.log(probabilities)


class _Counting(NaiveBayes):
    """Class counts and priors of the three."""

    def __init__(self, *, alpha: ArrayLike = 1.0, fit_prior: bool = True, class_prior: ArrayLike | None = None) -> None:
        self.alpha, self.fit_prior, self.class_prior = alpha, fit_prior, class_prior

    def _set_priors(self) -> None:
        K = len(self.classes_)
        uniform = self.class_prior is None and not self.fit_prior
        priors = self._priors(np.full(K, 1 / K) if uniform else self.class_prior, "class_prior")
        self.class_log_prior_ = _log(priors)

    def _check_empty(self, totals: FloatArray, smooth: bool) -> None:
        """Refuse a class without counts unless pseudo-counts stand in for them."""
        if not smooth and totals.min() == 0:
            raise ValueError(
                f"class {self.classes_[totals.argmin()]!s} has no samples with a count above 0: with alpha = 0 it has "
                "no estimate, set alpha > 0."
            )


class _Words(_Counting):
    """Rows may be sparse: most words are in most texts not."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # on the clouds of points that scikit-learn tries: they are no counts
        return tags

    def _pair(self, X: Any, y: Any, reset: bool) -> tuple[Any, np.ndarray]:
        X, y = validate_data(self, X, y, dtype=float, accept_sparse="csr", reset=reset)
        return self._counts(X), y

    def _rows(self, X: Any, reset: bool) -> Any:
        return self._counts(validate_data(self, X, dtype=float, accept_sparse="csr", reset=reset))

    @abstractmethod
    def _counts(self, X: Any) -> Any:
        """What is counted, from checked rows."""

    def _forget(self) -> None:
        K = len(self.classes_)
        self.class_count_, self.feature_count_ = np.zeros(K), np.zeros((K, self.n_features_in_))

    def _add(self, X: Any, member: FloatArray) -> None:
        self.class_count_ = self.class_count_ + member.sum(axis=1)
        self.feature_count_ = self.feature_count_ + (X.T @ member.T).T
        self._set_priors()


class MultinomialNB(_Words):
    """Naive Bayes for counts, of words above all; :eq:`naive-bayes-multinomial`.

    Parameters
    ----------
    alpha : float or (d,) array
        Pseudo-counts of the words, not negative: 1 is Laplace's rule, 0 maximum likelihood (used as it is, however
        small: scikit-learn's ``force_alpha=True``).
    fit_prior : bool
        Whether the priors are the shares of the classes, else uniform.
    class_prior : (K,) array or None
        Priors with sum 1, in place of both.

    Attributes
    ----------
    classes_ : (K,) array
    class_count_ : (K,) array
        Sum of weights, the number of rows without weights.
    feature_count_ : (K, d) array
        Occurrences of each word in each class.
    class_log_prior_ : (K,) array
    feature_log_prob_ : (K, d) array
    n_features_in_ : int

    Notes
    -----
    O(n d K) time to fit and to predict, or the number of stored entries times K for a sparse matrix.

    Examples
    --------
    >>> counts = [[2, 1, 0], [1, 0, 0], [0, 1, 3]]
    >>> MultinomialNB().fit(counts, ["a", "a", "b"]).predict([[1, 0, 1]])
    array(['a'], dtype='<U1')
    """

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _counts(self, X: Any) -> Any:
        if X.min() < 0:
            raise ValueError(f"Negative values in data passed to {type(self).__name__}: X must hold counts, from 0 up.")
        return X

    def _learn(self, X: Any, member: FloatArray) -> None:
        self._add(X, member)
        alpha = check_alpha(self.alpha, self.n_features_in_)
        self._check_empty(self.feature_count_.sum(axis=1), bool(alpha.any()))
        self.feature_log_prob_ = _log(smoothed(self.feature_count_, alpha))  # naive-bayes-multinomial-mle

    def _scores(self, X: Any) -> FloatArray:
        return log_product(X, self.feature_log_prob_) + self.class_log_prior_


class BernoulliNB(_Words):
    """Naive Bayes for features that are present or absent; :eq:`naive-bayes-bernoulli`.

    An absent feature is evidence too, which :class:`MultinomialNB` does not know.

    Parameters
    ----------
    alpha : float or (d,) array
        Pseudo-counts of presence, and of absence as well.
    binarize : float or None
        A feature is present if it is above this number; None for features that are 0 and 1 already.
    fit_prior, class_prior
        As in :class:`MultinomialNB`.

    Attributes
    ----------
    classes_ : (K,) array
    class_count_ : (K,) array
    feature_count_ : (K, d) array
        In how many rows of the class the feature is present.
    class_log_prior_ : (K,) array
    feature_log_prob_ : (K, d) array
        Log-probability of presence.
    n_features_in_ : int

    Examples
    --------
    >>> BernoulliNB().fit([[1, 0], [1, 1], [0, 0]], [0, 0, 1]).predict([[0, 1]])
    array([0])
    """

    def __init__(
        self, *, alpha: ArrayLike = 1.0, binarize: float | None = 0.0, fit_prior: bool = True,
        class_prior: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        super().__init__(alpha=alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.binarize = binarize

    def _counts(self, X: Any) -> Any:
        if self.binarize is not None:
            threshold = check_number(self.binarize, "binarize")
            dense = X if isinstance(X, np.ndarray) or threshold >= 0 else X.toarray()  # below 0 the zeros count too
            return (dense > threshold).astype(float)
        values = X if isinstance(X, np.ndarray) else X.data
        if not np.isin(values, (0, 1)).all():
            raise ValueError("X must hold 0 and 1 only with binarize=None: set binarize to a threshold.")
        return X

    def _learn(self, X: Any, member: FloatArray) -> None:
        self._add(X, member)
        alpha = np.broadcast_to(check_alpha(self.alpha, self.n_features_in_), self.n_features_in_)
        self._check_empty(self.class_count_, bool(alpha.all()))
        absent = np.maximum(self.class_count_[:, None] - self.feature_count_, 0.0)  # weights may round to just below
        pairs = np.stack([self.feature_count_, absent], axis=-1) + alpha[:, None]  # (K, d, 2)
        self._prob = smoothed(pairs, 0.0)[..., 0]  # naive-bayes-bernoulli-mle
        self.feature_log_prob_ = _log(self._prob)

    def _scores(self, X: Any) -> FloatArray:
        return bernoulli_scores(X, np.exp(self.class_log_prior_), self._prob)


class CategoricalNB(_Counting):
    """Naive Bayes for features with unordered values, coded 0, 1, 2, ...; :eq:`naive-bayes-rule`.

    Parameters
    ----------
    alpha : float
        Pseudo-count of each category of each feature, not negative.
    fit_prior, class_prior
        As in :class:`MultinomialNB`.
    min_categories : int or (d,) array of int or None
        How many categories a feature has at least. Without it those up to the largest one seen.

    Attributes
    ----------
    classes_ : (K,) array
    class_count_ : (K,) array
    category_count_ : list of d arrays (K, n_categories)
    class_log_prior_ : (K,) array
    feature_log_prob_ : list of d arrays (K, n_categories)
    n_categories_ : (d,) array of int
    n_features_in_ : int

    Notes
    -----
    O(n d) time to fit, O(n d K) to predict. Where ``predict`` meets a category beyond ``n_categories_``, scikit-learn
    fails with an ``IndexError``; here the ``ValueError`` names feature, category and remedy.

    Examples
    --------
    >>> model = CategoricalNB().fit([[0, 1], [1, 0], [1, 2]], ["a", "b", "b"])
    >>> model.predict_proba([[1, 1]]).round(3)  # 1/3 * 1/3 * 2/4 against 2/3 * 3/4 * 1/5
    array([[0.357, 0.643]])
    """

    def __init__(
        self, *, alpha: float = 1.0, fit_prior: bool = True, class_prior: ArrayLike | None = None,
        min_categories: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        super().__init__(alpha=alpha, fit_prior=fit_prior, class_prior=class_prior)
        self.min_categories = min_categories

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags

    def _pair(self, X: Any, y: Any, reset: bool) -> tuple[IntArray, np.ndarray]:
        X, y = validate_data(self, X, y, dtype="numeric", reset=reset)
        return _categories(X), y

    def _rows(self, X: Any, reset: bool) -> IntArray:
        return _categories(validate_data(self, X, dtype="numeric", reset=reset))

    def _forget(self) -> None:
        self.class_count_ = np.zeros(len(self.classes_))
        least = np.zeros(self.n_features_in_, dtype=np.intp)
        if self.min_categories is not None:
            given = check_counts(self.min_categories, "min_categories")
            if given.shape not in ((), least.shape):
                raise ValueError(f"min_categories must be a number or hold {len(least)}, got shape {given.shape}.")
            least = least + given.astype(np.intp)
        self.category_count_ = [np.zeros((len(self.classes_), size)) for size in least]

    def _learn(self, X: IntArray, member: FloatArray) -> None:
        alpha = check_number(self.alpha, "alpha")
        self.class_count_ = self.class_count_ + member.sum(axis=1)
        self._set_priors()
        self._check_empty(self.class_count_, bool(check_alpha(alpha, 1)))
        self.category_count_ = [_added(N, x, member) for N, x in zip(self.category_count_, X.T, strict=True)]
        self.n_categories_ = np.array([N.shape[1] for N in self.category_count_])
        self.feature_log_prob_ = [_log(smoothed(N, alpha)) for N in self.category_count_]  # naive-bayes-laplace

    def _scores(self, X: IntArray) -> FloatArray:
        unseen = np.argwhere(self.n_categories_ <= X)
        if len(unseen):
            i, j = unseen[0]
            raise ValueError(
                f"X[{i}, {j}] is the unseen category {X[i, j]}: feature {j} had {self.n_categories_[j]} categories "
                "(from 0) in fit. Fit with min_categories to make room for it."
            )
        scores = np.tile(self.class_log_prior_, (len(X), 1))
        for log_prob, x in zip(self.feature_log_prob_, X.T, strict=True):
            scores += log_prob[:, x].T  # naive-bayes-rule
        return scores


def _categories(X: np.ndarray) -> IntArray:
    if X.dtype.kind in "iu" and X.min() >= 0:
        return X.astype(np.intp)
    if X.min() < 0:
        raise ValueError("Negative values in data passed to CategoricalNB: X must hold category numbers, from 0 up.")
    return check_counts(X, "X", what="category numbers, whole numbers from 0 upwards").astype(np.intp)


def _added(counts: FloatArray, x: IntArray, member: FloatArray) -> FloatArray:
    """Counts (K, S) of a feature with those of new rows; there may be more categories than before."""
    new = np.array([np.bincount(x, weights=row, minlength=counts.shape[1]) for row in member])
    new[:, : counts.shape[1]] += counts
    return new

"""More than two classes from a classifier of two: one against the rest, and one against one."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, class_codes


class _Reduction(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """What both reductions share: they fit copies of one classifier of two classes, and the largest score wins."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def _data(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, np.ndarray]:
        if not hasattr(self.estimator, "fit") or not hasattr(self.estimator, "decision_function"):
            raise TypeError("estimator must be a classifier with fit and decision_function, as LogisticRegression().")
        X, y = validate_data(self, X, y, dtype=float)
        self.classes_, codes = class_codes(y)
        return X, codes

    def _columns(self, X: ArrayLike) -> FloatArray:
        """Scores (n, m) of the m fitted classifiers."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return np.column_stack([f.decision_function(A) for f, A in zip(self.estimators_, self._parts(X), strict=True)])

    def _parts(self, X: FloatArray) -> list[FloatArray]:
        """What each of the fitted classifiers takes of X."""
        return [X] * len(self.estimators_)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest score; the first one in a tie."""
        scores = self.decision_function(X)
        best = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[best]

    @property
    def _pairwise(self) -> bool:
        """Whether X is a kernel matrix, which loses columns with its rows."""
        return bool(get_tags(self.estimator).input_tags.pairwise)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._pairwise
        return tags


class OneVsRestClassifier(_Reduction):
    """K classifiers, one for each class against all others; the largest score wins; :eq:`logistic-regression-ovr`.

    Parameters
    ----------
    estimator : estimator
        Classifier of two classes with ``decision_function``. If it takes a precomputed kernel, so does this one.

    Attributes
    ----------
    classes_ : (K,) array
    estimators_ : list of K estimators, or of one for two classes
        Each fitted to labels 0 and 1, where 1 is its class.
    n_features_in_ : int

    Notes
    -----
    K fits with all n rows.

    Examples
    --------
    >>> from notes_lib.linear.logistic_regression import LogisticRegression
    >>> X = [[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0], [0.0, 9.0], [1.0, 9.0]]
    >>> OneVsRestClassifier(LogisticRegression()).fit(X, list("aabbcc")).predict([[4.0, 1.0], [1.0, 7.0]])
    array(['b', 'c'], dtype='<U1')
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> OneVsRestClassifier:
        """Fit one copy of the estimator for each class.

        Raises
        ------
        TypeError, ValueError
            Bad data; fewer than two classes; an estimator without ``fit`` or ``decision_function``.
        """
        X, codes = self._data(X, y)
        K = len(self.classes_)
        targets = [1] if K == 2 else range(K)
        self.estimators_ = [clone(self.estimator).fit(X, (codes == k).astype(int)) for k in targets]
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n, K) of the classes; for two classes (n,), positive for ``classes_[1]``."""
        scores = self._columns(X)
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Each class's probability against the rest, divided by their sum: (n, K), no likelihood stands behind it."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        P = np.column_stack([fitted.predict_proba(X)[:, 1] for fitted in self.estimators_])
        if len(self.classes_) == 2:
            return np.column_stack([1 - P, P])
        return P / P.sum(axis=1, keepdims=True)  # logistic-regression-normalised


class OneVsOneClassifier(_Reduction):
    """K (K - 1) / 2 classifiers, one for each pair of classes, which vote; :eq:`logistic-regression-ovo`.

    Parameters
    ----------
    estimator : estimator
        Classifier of two classes with ``decision_function``. If it takes a precomputed kernel, so does this one.

    Attributes
    ----------
    classes_ : (K,) array
    estimators_ : list of estimators
        For the pairs (0, 1), (0, 2), ..., (1, 2), ...; each fitted to labels 0 and 1, where 1 is the second class.
    pairwise_indices_ : list of arrays, or None
        The rows that each of them has seen, if X is a kernel matrix.
    n_features_in_ : int

    Notes
    -----
    K (K - 1) / 2 fits with the rows of two classes each.

    Examples
    --------
    >>> from notes_lib.linear.logistic_regression import LogisticRegression
    >>> X = [[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0], [0.0, 9.0], [1.0, 9.0]]
    >>> OneVsOneClassifier(LogisticRegression()).fit(X, list("aabbcc")).predict([[4.0, 1.0], [1.0, 7.0]])
    array(['b', 'c'], dtype='<U1')
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> OneVsOneClassifier:
        """Fit one copy of the estimator for each pair of classes.

        Raises
        ------
        TypeError, ValueError
            Bad data; fewer than two classes; an estimator without ``fit`` or ``decision_function``.
        """
        X, codes = self._data(X, y)
        pairs = list(combinations(range(len(self.classes_)), 2))
        rows = [np.flatnonzero((codes == i) | (codes == j)) for i, j in pairs]
        self.pairwise_indices_ = rows if self._pairwise else None
        self.estimators_ = []
        for inside, (_, j) in zip(rows, pairs, strict=True):
            part = X[np.ix_(inside, inside)] if self._pairwise else X[inside]
            self.estimators_.append(clone(self.estimator).fit(part, (codes[inside] == j).astype(int)))
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n, K) of :func:`pairwise_votes`; for two classes (n,), positive for ``classes_[1]``."""
        scores, K = self._columns(X), len(self.classes_)
        return scores.ravel() if K == 2 else pairwise_votes(scores, K)

    def _parts(self, X: FloatArray) -> list[FloatArray]:
        rows = self.pairwise_indices_
        return super()._parts(X) if rows is None else [X[:, seen] for seen in rows]


def pairwise_votes(scores: ArrayLike, n_classes: int) -> FloatArray:
    """Votes of all pairs of classes; ties are broken by the sum of the pairs' scores; :eq:`logistic-regression-ovo`.

    Parameters
    ----------
    scores : (n, K (K - 1) / 2) array
        Column by column the pairs (0, 1), (0, 2), ..., (1, 2), ...; positive is a vote for the *second* class.
    n_classes : int
        K.

    Returns
    -------
    (n, K) array
        Number of votes, plus the sum of the scores squeezed into (-1/3, 1/3): it can only decide between equals.

    Raises
    ------
    TypeError, ValueError
        If there are not K (K - 1) / 2 columns, or ``n_classes`` is no integer from 2.

    Examples
    --------
    >>> pairwise_votes([[-1.0, 2.0, -1.0]], 3).round(2)  # each class has won once
    array([[0.83, 1.  , 1.17]])
    """
    scores = check_array(scores, dtype=float)
    pairs = list(combinations(range(check_integer(n_classes, "n_classes", 2)), 2))
    if scores.shape[1] != len(pairs):
        raise ValueError(f"scores must have K(K-1)/2 = {len(pairs)} columns, got {scores.shape[1]}.")
    votes, sums = np.zeros((2, len(scores), n_classes))
    for column, (i, j) in zip(scores.T, pairs, strict=True):
        votes[:, i] += column <= 0
        votes[:, j] += column > 0
        sums[:, i] -= column
        sums[:, j] += column
    return votes + sums / (3.0 * (np.abs(sums) + 1.0))  # logistic-regression-ovo

"""Self-training: a classifier labels the rows of which it is sure, and learns from them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.bayes.naive_bayes import GaussianNB
from notes_lib.checks import FloatArray, IntArray, check_choice, check_integer, check_real
from notes_lib.clustering.semi_supervised.checks import check_partial_labels, check_probabilities
from notes_lib.foundations.evaluation import accuracy_score


def select_confident(P: ArrayLike, threshold: float = 0.75) -> IntArray:
    """Rows whose largest probability exceeds a threshold, :eq:`semi-supervised-select`.

    Parameters
    ----------
    P : (n, K) array
        Probabilities of the classes.
    threshold : float

    Returns
    -------
    (m,) array of int
        In ascending order.

    Raises
    ------
    ValueError
        If P does not hold probabilities.

    Examples
    --------
    >>> select_confident([[0.9, 0.1], [0.4, 0.6]], 0.75)
    array([0])
    """
    return np.flatnonzero(check_probabilities(P).max(axis=1) > threshold)


def select_best(P: ArrayLike, k: int) -> IntArray:
    """The k rows with the largest probability of a class, or all if there are fewer; of equal ones the first.

    Parameters
    ----------
    P : (n, K) array
        Probabilities of the classes.
    k : int

    Returns
    -------
    (m,) array of int
        In ascending order.

    Raises
    ------
    TypeError, ValueError
        If P does not hold probabilities or k is no positive integer.

    Examples
    --------
    >>> select_best([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]], 2)
    array([0, 2])
    """
    largest = check_probabilities(P).max(axis=1)
    return np.sort(np.argsort(-largest, kind="stable")[: check_integer(k, "k_best")])


class SelfTrainingClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that labels the rows of which it is sure and is fitted again, until it is sure of no other.

    A label that it has given stays, right or wrong.

    Parameters
    ----------
    estimator : classifier with ``predict_proba``, optional
        ``GaussianNB()`` by default.
    threshold : float
        At least 0 and below 1; a row gets a label if the probability of a class is larger.
    criterion : {'threshold', 'k_best'}
        Take all rows above the threshold, or the ``k_best`` surest ones of each round.
    k_best : int
    max_iter : int or None
        Number of rounds; None goes on until nothing changes.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to all rows that have a label in the end.
    classes_ : (K,) array
    transduction_ : (n,) array
        Labels used for the last fit; -1 where there is none.
    labeled_iter_ : (n,) array of int
        Round in which a row got its label; 0: it had one; -1: it has none.
    n_iter_ : int
    termination_condition_ : {'all_labeled', 'max_iter', 'no_change'}
    n_features_in_ : int

    Notes
    -----
    As many fits as rounds, and one. Source: Scudder (1965); Yarowsky (1995).

    Examples
    --------
    >>> X, y = [[0.0], [0.4], [0.8], [3.0], [3.4], [3.8]], [0, 0, -1, -1, 1, 1]
    >>> model = SelfTrainingClassifier().fit(X, y)
    >>> model.transduction_, model.labeled_iter_
    (array([0, 0, 0, 1, 1, 1]), array([0, 0, 1, 1, 0, 0]))
    """

    def __init__(
        self,
        estimator: Any = None,
        threshold: float = 0.75,
        criterion: str = "threshold",
        k_best: int = 10,
        max_iter: int | None = 10,
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.criterion = criterion
        self.k_best = k_best
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> SelfTrainingClassifier:
        """Fit, label, and fit again.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type; -1 means unlabelled (in an array of objects if the labels are text).

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; an estimator without ``predict_proba``; no label at all; labels of one class
            only.
        """
        self._check()
        A, y = validate_data(self, X, y, dtype="numeric")
        classes, codes = check_partial_labels(y)
        self.transduction_ = np.array(y)
        self.labeled_iter_ = np.where(codes < 0, -1, 0)
        if (codes >= 0).all():
            warnings.warn("y holds no row without a label (-1): this is one ordinary fit.", UserWarning, stacklevel=2)
        self.estimator_ = GaussianNB() if self.estimator is None else clone(self.estimator)
        self.n_iter_, self.termination_condition_ = 0, "all_labeled"
        while (codes < 0).any():
            if self.n_iter_ == self.max_iter:
                self.termination_condition_ = "max_iter"
                break
            self.n_iter_ += 1
            self.estimator_.fit(A[codes >= 0], classes[codes[codes >= 0]])
            rest = np.flatnonzero(codes < 0)
            P = self.estimator_.predict_proba(A[rest])
            by_threshold = self.criterion == "threshold"
            new = select_confident(P, self.threshold) if by_threshold else select_best(P, self.k_best)
            if new.size == 0:
                self.termination_condition_ = "no_change"
                break
            codes[rest[new]] = P[new].argmax(axis=1)  # semi-supervised-pseudo-label
            self.labeled_iter_[rest[new]] = self.n_iter_
        self.transduction_[codes >= 0] = classes[codes[codes >= 0]]
        self.estimator_.fit(A[codes >= 0], classes[codes[codes >= 0]])
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (m,) of every row, as the last fit says."""
        Q = self._checked(X)
        return np.asarray(self.estimator_.predict(Q))

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Probabilities (m, K) of the classes, as the last fit says."""
        Q = self._checked(X)
        return np.asarray(self.estimator_.predict_proba(Q))

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Share of the rows whose class is predicted."""
        return accuracy_score(y, self.predict(X))

    def _checked(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype="numeric", reset=False))

    def _check(self) -> None:
        if not check_real(self.threshold, "threshold") < 1:
            raise ValueError(f"threshold must be below 1, got {self.threshold}: no probability is larger.")
        check_choice(self.criterion, "criterion", ("threshold", "k_best"))
        check_integer(self.k_best, "k_best")
        if self.max_iter is not None:
            check_integer(self.max_iter, "max_iter", minimum=0)
        if self.estimator is not None and not hasattr(self.estimator, "predict_proba"):
            raise TypeError(
                f"estimator must have fit and predict_proba, got {self.estimator!r}: self-training asks how sure it is."
            )

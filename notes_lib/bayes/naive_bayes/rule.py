"""What all naive Bayes classifiers share: classes and weights of the rows, priors, and Bayes' rule in log space."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import (
    _check_sample_weight,  # underlined, but what scikit-learn's guide for developers tells estimators to use
    check_is_fitted,
)

from notes_lib.checks import FloatArray, IntArray, check_distribution, class_codes


class NaiveBayes(ClassifierMixin, BaseEstimator):
    """A classifier that learns by counting, in one call or in parts, and predicts by Bayes' rule."""

    @abstractmethod
    def _rows(self, X: Any, reset: bool) -> Any:
        """Checked features; ``reset`` says whether these rows are the first."""

    @abstractmethod
    def _forget(self) -> None:
        """Start from no data: ``classes_`` and ``n_features_in_`` are known."""

    @abstractmethod
    def _learn(self, X: Any, member: FloatArray) -> None:
        """Add rows whose classes and weights are ``member`` (K, n), and estimate."""

    @abstractmethod
    def _scores(self, X: Any) -> FloatArray:
        """Log of prior times likelihood (n, K) of checked rows."""

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate priors and the distribution of each feature in each class.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type, of at least two classes.
        sample_weight : (n,) array, optional
            Not negative; a weight of 2 counts as the row twice.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; fewer than two classes; a class without samples, all of whose weights are 0.
        """
        X, y = self._pair(X, y, reset=True)
        self.classes_, codes = class_codes(y)
        member = self._membership(X, codes, sample_weight)
        self._check_classes(member.sum(axis=1))
        self._forget()
        self._learn(X, member)
        return self

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Add rows to those seen so far; in any portions the result is that of one call of ``fit``.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
        classes : (K,) array
            All classes, needed at the first call: later rows may hold others than the first ones.
        sample_weight : (n,) array, optional

        Raises
        ------
        TypeError, ValueError
            As ``fit``, but a class may still be without samples; no ``classes`` at the first call, or other ones
            later; a label that is none of them.
        """
        first = not hasattr(self, "classes_")
        X, y = self._pair(X, y, reset=first)
        codes = self._known_codes(y, classes, first)
        member = self._membership(X, codes, sample_weight)
        if first:
            self._forget()
        self._learn(X, member)
        return self

    def predict_joint_log_proba(self, X: ArrayLike) -> FloatArray:
        """Log of prior times likelihood (n, K), nats; :eq:`naive-bayes-rule`.

        Raises
        ------
        ValueError
            If a row has probability 0 in every class, so that no posterior is defined (says which row).
        """
        check_is_fitted(self)
        scores = self._scores(self._rows(X, reset=False))
        impossible = np.isneginf(scores).all(axis=1)
        if impossible.any():
            raise ValueError(
                f"row {int(impossible.argmax())} of X has probability 0 in every class: fit with alpha > 0, which "
                "gives values that were not seen a positive probability."
            )
        return scores

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest posterior probability; the first in a tie."""
        best = self.predict_joint_log_proba(X).argmax(axis=1)
        return self.classes_[best]

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Log of the posterior probabilities (n, K), by log-sum-exp; :eq:`naive-bayes-posterior`."""
        return log_softmax(self.predict_joint_log_proba(X), axis=1)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probabilities (n, K); :eq:`naive-bayes-posterior`."""
        return np.exp(self.predict_log_proba(X))

    @abstractmethod
    def _pair(self, X: Any, y: Any, reset: bool) -> tuple[Any, np.ndarray]:
        """Checked features and labels of equal length."""

    def _membership(self, X: Any, codes: IntArray, sample_weight: ArrayLike | None) -> FloatArray:
        """Weight of row i in class k, (K, n)."""
        member = (codes == np.arange(len(self.classes_))[:, None]).astype(float)
        if sample_weight is None:
            return member
        return member * _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)

    def _check_classes(self, counts: FloatArray) -> None:
        if counts.min() == 0:
            raise ValueError(
                f"class {self.classes_[counts.argmin()]!s} has no samples: its sample_weight is 0 throughout, remove "
                "the class or give it weight."
            )

    def _known_codes(self, y: np.ndarray, classes: ArrayLike | None, first: bool) -> IntArray:
        if first:
            if classes is None:
                raise ValueError("classes must be passed on the first call to partial_fit: all labels that may come.")
            self.classes_ = class_codes(np.asarray(classes))[0]
        elif classes is not None and not np.array_equal(self.classes_, np.unique(np.asarray(classes))):
            raise ValueError(f"classes={classes!r} is not the same as on last call to partial_fit, {self.classes_!r}.")
        codes = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        if not np.array_equal(self.classes_[codes], y):
            raise ValueError(
                f"y has labels that are not in classes={self.classes_.tolist()}: name all at the first call."
            )
        return codes

    def _priors(self, given: ArrayLike | None, name: str) -> FloatArray:
        """Priors as given, or the shares of the classes so far."""
        if given is not None:
            return check_distribution(given, name, (len(self.classes_),))
        return self.class_count_ / self.class_count_.sum()  # naive-bayes-priors

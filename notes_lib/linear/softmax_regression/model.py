"""Softmax regression as an estimator with the contract of scikit-learn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_real, class_codes
from notes_lib.linear.logistic_regression.checks import inverse_strength, used_rows
from notes_lib.linear.softmax_regression.fitting import fit_weights
from notes_lib.linear.softmax_regression.steps import log_sum_exp, softmax


class SoftmaxRegression(ClassifierMixin, BaseEstimator):
    """Multinomial logistic regression with a squared penalty, also for two classes.

    Minimises :eq:`softmax-regression-penalised` by L-BFGS, from zero weights. The bias is not penalised.

    Parameters
    ----------
    C : float
        Weight of the loss against half the squared weights; ``np.inf`` for no penalty.
    fit_intercept : bool
    max_iter : int
        Most iterations.
    tol : float
        Largest entry of the gradient of the mean loss at which to stop, in coordinates in which the Hessian at zero is
        the identity: the unit of a feature changes nothing.

    Attributes
    ----------
    classes_ : (K,) array
    coef_ : (K, d) array
        The rows have sum zero: of all weights with the same probabilities these are the shortest.
    intercept_ : (K,) array
        With sum zero; 0 without an intercept.
    n_iter_ : int
    n_features_in_ : int

    Notes
    -----
    O(n d K) time for each iteration, after O(n d^2 + d^3) for the coordinates; O(n (d + K)) memory. Names are those of
    scikit-learn's ``LogisticRegression``, which for *two* classes penalises one vector of weights,
    :eq:`softmax-regression-binary`: twice this ``C`` there is the same as ``C`` here.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = SoftmaxRegression(C=10.0).fit(X, ["a", "a", "b", "b", "c", "c"])
    >>> model.predict([[0.2], [2.6], [9.0]])
    array(['a', 'b', 'c'], dtype='<U1')
    >>> model.predict_proba([[2.5]]).round(3)
    array([[0.064, 0.871, 0.064]])
    """

    def __init__(self, *, C: float = 1.0, fit_intercept: bool = True, max_iter: int = 1000, tol: float = 1e-6) -> None:
        self.C, self.fit_intercept, self.max_iter, self.tol = C, fit_intercept, max_iter, tol

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> SoftmaxRegression:
        """Find the weights of largest penalised likelihood.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type, of at least two classes.
        sample_weight : (n,) array, optional
            Factor of the loss for each row, not negative; weight 2 is the same as the row twice, 0 leaves it out.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, one class, a weight that is negative, or all of them 0.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` does not suffice, or there is no penalty and the classes are separable.
        """
        X, y = validate_data(self, X, y, dtype=float)
        X, y, v = used_rows(X, y, sample_weight)
        self.classes_, codes = class_codes(y)
        penalty = np.full(X.shape[1], inverse_strength(self.C))
        if self.fit_intercept:
            X, penalty = np.column_stack([X, np.ones(len(X))]), np.append(penalty, 0.0)
        max_iter, tol = check_integer(self.max_iter, "max_iter"), check_real(self.tol, "tol")
        v = None if sample_weight is None else v
        found = fit_weights(X, codes, len(self.classes_), penalty, max_iter, tol, v)
        self.coef_ = found.W[:, : self.n_features_in_]
        self.intercept_ = found.W[:, -1] if self.fit_intercept else np.zeros(len(self.classes_))
        self.n_iter_ = len(found.objective) - 1
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n, K); for two classes the log-odds (n,) of ``classes_[1]``, the difference of the two scores."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest score, the first of equal ones."""
        best = self._scores(X).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Probabilities (n, K) of the classes, :eq:`softmax-regression-softmax`."""
        return softmax(self._scores(X))

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Logarithms (n, K) of the probabilities, finite where a probability rounds to 0."""
        scores = self._scores(X)
        return scores - log_sum_exp(scores)[:, None]

    def _scores(self, X: ArrayLike) -> FloatArray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return X @ self.coef_.T + self.intercept_

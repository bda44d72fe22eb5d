"""The perceptron as an estimator with the contract of scikit-learn."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_positive, class_codes
from notes_lib.linear.perceptron.passes import Keep, Learned, look_ahead, repeat_passes
from notes_lib.linear.perceptron.steps import signed_rows
from notes_lib.numerics import RandomState


class Perceptron(ClassifierMixin, BaseEstimator):
    """The perceptron; one class against the rest for more than two classes.

    Repeats :eq:`perceptron-update` from zero weights. If a hyperplane separates the classes, it stops after at most
    :eq:`perceptron-novikoff` mistakes; if none does, the last weights never settle, and ``keep`` has better ones.

    Parameters
    ----------
    fit_intercept : bool
        Whether a bias is learned, as the weight of a constant feature 1.
    max_iter : int
        Most passes over the rows.
    shuffle : bool
        Whether each pass has its own random order.
    random_state : int, Generator, RandomState or None
    eta0 : float
        Positive factor of each update. It changes the length of the weights and no prediction.
    keep : {"last", "average", "pocket"}
        Which weights predict: those after the last pass, their mean, or the ones with the fewest mistakes.

    Attributes
    ----------
    classes_ : (K,) array
    coef_ : (1, d) array, or (K, d) for more than two classes
    intercept_ : (1,) or (K,) array
        0 without an intercept.
    n_iter_ : int
        Passes; the most of any class for more than two.
    errors_ : list of arrays
        For each row of ``coef_`` the number of mistakes in each pass.
    n_features_in_ : int

    Notes
    -----
    O(n d) time for each pass and row of ``coef_``. Names are those of scikit-learn's estimator, which stops where the
    loss no longer falls (``tol``); here a pass without a mistake ends it. Source: Rosenblatt (1958).

    Examples
    --------
    >>> model = Perceptron(shuffle=False).fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1])
    >>> model.coef_, model.intercept_, model.n_iter_
    (array([[1., 1.]]), array([-3.]), 6)
    """

    def __init__(
        self, *, fit_intercept: bool = True, max_iter: int = 1000, shuffle: bool = True,
        random_state: RandomState = None, eta0: float = 1.0, keep: Keep = "last",
    ) -> None:  # fmt: skip
        self.fit_intercept, self.max_iter, self.shuffle = fit_intercept, max_iter, shuffle
        self.random_state, self.eta0, self.keep = random_state, eta0, keep

    def fit(self, X: ArrayLike, y: ArrayLike) -> Perceptron:
        """Learn from zero weights.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type, of at least two classes.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, one class.

        Warns
        -----
        ConvergenceWarning
            If the last pass still made mistakes.
        """
        X, y = validate_data(self, X, y, dtype=float)
        self.classes_, codes = class_codes(y)
        check_positive(self.eta0, "eta0")
        runs = [self._learn(X, signs) for signs in self._signs(codes)]
        self._store(np.array([run.w for run in runs]))
        self.errors_ = [run.errors for run in runs]
        self.n_iter_ = max(run.n_iter for run in runs)
        return self

    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Perceptron:
        """One pass over these rows, in their order, from the weights so far; the last weights are kept.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
        classes : (K,) array
            All classes, needed at the first call: later rows may hold others than the first ones.

        Raises
        ------
        ValueError
            Bad data; another number of columns than before; no ``classes`` at the first call, or other ones later; a
            label that is none of them; a ``keep`` other than "last", whose history single calls do not have.
        """
        if self.keep != "last":
            raise ValueError(f"keep={self.keep!r} needs all passes: call fit, or use keep='last' with partial_fit.")
        first = not hasattr(self, "coef_")
        X, y = validate_data(self, X, y, dtype=float, reset=first)
        codes = self._known_codes(y, classes, first)
        rate = check_positive(self.eta0, "eta0")
        w = self._weights() if not first else np.zeros((self._rows(), X.shape[1] + bool(self.fit_intercept)))
        wrong = []
        for row, signs in zip(w, self._signs(codes), strict=True):
            wrong.append(look_ahead(signed_rows(X, signs, self.fit_intercept), row, rate))
        self._store(w)
        self.errors_ = [np.array([len(places)]) for places in wrong]
        self.n_iter_ = 1
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n,), positive for ``classes_[1]``; (n, K) for more than two classes."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        scores = X @ self.coef_.T + self.intercept_
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,): the sign of the score, 0 counting as negative, or the class of the largest one."""
        scores = self.decision_function(X)
        best = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
        return self.classes_[best]

    def _learn(self, X: FloatArray, signs: FloatArray) -> Learned:
        Z = signed_rows(X, signs, self.fit_intercept)  # X is checked: its entries need no second look
        return repeat_passes(Z, None, self.eta0, self.max_iter, self.keep, self.shuffle, self.random_state)

    def _rows(self) -> int:
        return 1 if len(self.classes_) == 2 else len(self.classes_)

    def _signs(self, codes: np.ndarray) -> list[FloatArray]:
        """Labels -1 and 1, one array for each row of ``coef_``."""
        positive = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        return [np.where(codes == k, 1.0, -1.0) for k in positive]

    def _known_codes(self, y: np.ndarray, classes: ArrayLike | None, first: bool) -> np.ndarray:
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

    def _weights(self) -> FloatArray:
        return np.column_stack([self.coef_, self.intercept_]) if self.fit_intercept else self.coef_.copy()

    def _store(self, w: FloatArray) -> None:
        self.coef_ = w[:, :-1] if self.fit_intercept else w
        self.intercept_ = w[:, -1] if self.fit_intercept else np.zeros(len(w))

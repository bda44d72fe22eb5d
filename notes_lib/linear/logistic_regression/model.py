"""The estimator: logistic regression of two classes with a squared penalty."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_positive, class_codes
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.linear.logistic_regression.checks import inverse_strength
from notes_lib.linear.logistic_regression.newton import Problem, newton_fit
from notes_lib.numerics import NotPositiveDefiniteError

SINGULAR = 1e-12  # a column of which the others explain all variance but this share counts as collinear


class LogisticRegression(ClassifierMixin, BaseEstimator):
    """Two classes: the log-odds of ``classes_[1]`` as a linear function of the features.

    Minimises :eq:`logistic-regression-objective` with penalty ``1 / C`` on ``coef_``; the intercept is not penalised.

    Parameters
    ----------
    C : float
        Positive: inverse strength of the penalty. ``np.inf`` means none: maximum likelihood, which exists only if no
        hyperplane separates the classes.
    tol : float
        Stop when a step has moved no score by more than this. What is left then is a few hundredths of it.
    fit_intercept : bool
    max_iter : int

    Attributes
    ----------
    classes_ : (2,) array
    coef_ : (1, d) array
    intercept_ : (1,) array
    n_iter_ : int
        Steps with all rows.
    objective_ : (n_steps + 1,) array
        Objective before each of them and at the end; it never rises.
    n_features_in_ : int

    Notes
    -----
    O(n d^2 + d^3) time a step; three to eight steps are usual.

    Examples
    --------
    >>> model = LogisticRegression(C=np.inf).fit([[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1, 1])
    >>> np.exp(model.coef_).round(4)  # the odds are 1 and 2
    array([[2.]])
    """

    def __init__(self, C: float = 1.0, *, tol: float = 1e-4, fit_intercept: bool = True, max_iter: int = 100) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> LogisticRegression:
        """Minimise the objective by Newton's method.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; not two classes; with ``C=np.inf`` a column that is constant or a combination
            of others (names the column).

        Warns
        -----
        ConvergenceWarning
            If no maximum exists because the classes are separated and there is no penalty, or if ``max_iter`` ends the
            search early.
        """
        penalty, tol = inverse_strength(self.C), check_positive(self.tol, "tol")
        max_iter = check_integer(self.max_iter, "max_iter")
        X, y = validate_data(self, X, y, dtype=float)
        self.classes_, codes = class_codes(y)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. y holds {len(self.classes_)} classes: use "
                "SoftmaxRegression, or OneVsRestClassifier(LogisticRegression())."
            )
        centre = X.mean(axis=0) if self.fit_intercept else np.zeros(X.shape[1])
        X = X - centre  # the same model with another intercept, and no digits are lost where columns are far from 0
        if penalty == 0:
            _independent(X)
        fit = newton_fit(Problem(X, codes.astype(float), penalty, self.fit_intercept), tol, max_iter)
        self.coef_ = fit.w[None, 1:]
        self.intercept_ = fit.w[:1] - self.coef_ @ centre
        self.n_iter_, self.objective_ = fit.n_iter, np.array(fit.objective)
        if not fit.converged:
            warnings.warn(_why_not(fit.n_iter, max_iter, penalty), ConvergenceWarning, stacklevel=2)
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Log-odds (n,) of ``classes_[1]``; :eq:`logistic-regression-model`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        return (X @ self.coef_.T + self.intercept_).ravel()  # logistic-regression-model

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Probabilities (n, 2) of the two classes."""
        z = self.decision_function(X)
        return np.column_stack([expit(-z), expit(z)])

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Logarithms (n, 2) of the probabilities, finite where these round to 0."""
        z = self.decision_function(X)
        return np.column_stack([log_expit(-z), log_expit(z)])

    def predict(self, X: ArrayLike) -> np.ndarray:
        """``classes_[1]`` where its log-odds are positive, else ``classes_[0]``: so also in a tie."""
        codes = (self.decision_function(X) > 0).astype(int)
        return self.classes_[codes]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def _independent(X: FloatArray) -> None:
    """Raise ``ValueError`` for a column that the others determine: without a penalty its weight could be anything."""
    S = X.T @ X
    try:
        cholesky_solve(S, np.zeros(len(S)), tol=SINGULAR)
    except NotPositiveDefiniteError as error:
        cause = (
            "is constant" if S[error.index, error.index] <= 0 else "is a linear combination of the columns before it"
        )
        raise ValueError(
            f"column {error.index} of X {cause}, so its weight is not determined without a penalty: remove the column, "
            "or set a finite C."
        ) from None


def _why_not(n_iter: int, max_iter: int, penalty: float) -> str:
    if penalty == 0 and n_iter < max_iter:
        return (
            "the classes are separated by a hyperplane, so the likelihood has no maximum and the weights grow without "
            "end: set a finite C. The weights are those where the search was given up."
        )
    failure = f"Newton's method did not converge in {max_iter} steps: increase max_iter or tol, or set a "
    if penalty == 0:
        return (
            f"{failure}finite C. If all rows lie on their side of a hyperplane or on it (quasi-separation), the "
            "likelihood has no maximum, and more steps do not help."
        )
    return f"{failure}smaller C."

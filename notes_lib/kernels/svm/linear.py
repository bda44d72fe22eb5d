"""The estimator of the primal: a linear support vector machine with the squared hinge, fitted by Newton's method."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_positive, class_codes
from notes_lib.kernels.svm.newton import newton
from notes_lib.kernels.svm.steps import decide
from notes_lib.linear.logistic_regression.checks import class_weights


class LinearSVC(ClassifierMixin, BaseEstimator):
    """Linear support vector classifier with the squared hinge, by Newton's method on the primal.

    It solves what scikit-learn's class of that name solves with ``loss="squared_hinge"`` and ``dual=False``, the
    penalised intercept included: a column of ``intercept_scaling`` is appended to X and its weight is part of
    ``|w|^2``. A large ``intercept_scaling`` makes that penalty vanish. One-vs-rest for more than two classes.

    Parameters
    ----------
    C : float
        Positive and finite: price of a unit of squared slack.
    tol : float
        Stop when the norm of the gradient has fallen to this share of its start, and the objective is above its minimum
        by at most this share of itself.
    fit_intercept : bool
    intercept_scaling : float
        Positive; see above.
    class_weight : dict, "balanced" or None
        Factor of C for each class.
    max_iter : int
        Most Newton steps for a class.

    Attributes
    ----------
    classes_ : (K,) array
    coef_ : (K, d) array, or (1, d) for two classes
    intercept_ : (K,) array, or (1,)
    n_iter_ : int
        Newton steps, the most of any class.
    objective_ : (n_steps + 1,) array, or a list of them
        Primal objective at 0 and after each step; for more than two classes one array for each class.
    n_features_in_ : int

    Notes
    -----
    O(n d^2) time for the first Hessian, then O(n d + d^3) for a step and O(d^2) for each row that crosses the margin;
    usually five to ten steps. Equations :eq:`svm-squared-hinge`, :eq:`svm-newton-step`.

    Examples
    --------
    >>> LinearSVC().fit([[-2.0], [-1.0], [1.0], [2.0]], [0, 0, 1, 1]).predict([[-0.1], [0.1]])
    array([0, 1])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        tol: float = 1e-4,
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        class_weight: dict[Any, float] | str | None = None,
        max_iter: int = 1000,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> LinearSVC:
        """Minimise the squared-hinge objective of each class against the rest.

        Raises
        ------
        ValueError
            Bad data or hyper-parameter; one class; a C so large that rounding hides the penalty.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` ends the steps early.
        """
        C, tol = check_positive(self.C, "C"), check_positive(self.tol, "tol")
        constant = check_positive(self.intercept_scaling, "intercept_scaling") if self.fit_intercept else 0.0
        max_iter = check_integer(self.max_iter, "max_iter")
        X, y = validate_data(self, X, y, dtype=float)
        self.classes_, codes = class_codes(y)
        weights = class_weights(self.class_weight, self.classes_, codes)
        K, d = len(self.classes_), X.shape[1]
        fits = []
        for k in [1] if K == 2 else range(K):
            inside = codes == k
            rest = weights[0] if K == 2 else 1.0
            fit = newton(
                X, np.where(inside, 1.0, -1.0), C * np.where(inside, weights[k], rest), constant, tol, max_iter
            )
            if not fit.converged:
                message = f"Newton's method did not converge in {max_iter} steps: increase max_iter or tol."
                warnings.warn(message, ConvergenceWarning, stacklevel=2)
            fits.append(fit)
        W = np.array([fit.w for fit in fits])
        self.coef_ = W[:, :d]
        self.intercept_ = constant * W[:, d] if constant else np.zeros(len(W))
        self.n_iter_ = max(fit.n_iter for fit in fits)
        objectives = [np.array(fit.objective) for fit in fits]
        self.objective_ = objectives[0] if K == 2 else objectives
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n,), positive for ``classes_[1]``, or (n, K)."""
        check_is_fitted(self)
        scores = validate_data(self, X, dtype=float, reset=False) @ self.coef_.T + self.intercept_
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest score; the first one in a tie."""
        return decide(self.decision_function(X), self.classes_)

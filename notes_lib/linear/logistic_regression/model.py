"""The estimator: logistic regression of two classes, or of more by the softmax, with a squared penalty."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit, log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_integer, check_positive, class_codes
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.linear.logistic_regression.checks import class_weights, inverse_strength, used_rows
from notes_lib.linear.logistic_regression.multinomial import fit_classes
from notes_lib.linear.logistic_regression.newton import Problem, newton_fit
from notes_lib.numerics import NotPositiveDefiniteError

SEPARATED = (
    "the classes are separated by a hyperplane, so the likelihood has no maximum and the weights grow without end: set "
    "a finite C. The weights are those where the search was given up."
)
SINGULAR = 1e-12  # a column of which the others explain all variance but this share counts as collinear


class LogisticRegression(ClassifierMixin, BaseEstimator):
    """Two classes: the log-odds of ``classes_[1]`` as a linear function of the features.

    Minimises :eq:`logistic-regression-objective` with penalty ``1 / C`` on ``coef_``; the intercept is not penalised.
    More than two classes have one score each and one loss for all of them, :eq:`softmax-regression-penalised`, as in
    :class:`~notes_lib.linear.softmax_regression.SoftmaxRegression`.

    Parameters
    ----------
    C : float
        Positive: inverse strength of the penalty. ``np.inf`` means none: maximum likelihood, which exists only if no
        hyperplane separates the classes.
    tol : float
        Stop when a step has moved no score by more than this. What is left then is a few hundredths of it. With more
        than two classes: when no entry of the gradient of the mean loss is larger, in coordinates in which the Hessian
        at zero weights is the identity.
    fit_intercept : bool
    class_weight : dict, "balanced" or None
        Factor of the loss for each class; "balanced" is ``n / (K n_k)``, rows counted with their weights.
    max_iter : int

    Attributes
    ----------
    classes_ : (K,) array
    coef_ : (K, d) array, or (1, d) for two classes
        The K rows have sum zero.
    intercept_ : (K,) array, or (1,)
    n_iter_ : (1,) array
        Steps with all rows, as an array as in scikit-learn.
    objective_ : (n_steps + 1,) array
        Objective before each of them and at the end; it never rises.
    n_features_in_ : int

    Notes
    -----
    Two classes by Newton's method: O(n d^2 + d^3) time a step; three to eight steps are usual. More by L-BFGS: O(n d K)
    time a step after O(n d^2 + d^3), and tens or hundreds of steps.

    Examples
    --------
    >>> model = LogisticRegression(C=np.inf).fit([[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1, 1])
    >>> np.exp(model.coef_).round(4)  # the odds are 1 and 2
    array([[2.]])
    """

    def __init__(
        self, C: float = 1.0, *, tol: float = 1e-4, fit_intercept: bool = True,
        class_weight: dict[Any, float] | str | None = None, max_iter: int = 100,
    ) -> None:  # fmt: skip
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> LogisticRegression:
        """Minimise the objective.

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
            Bad data or hyper-parameter; one class; a weight that is negative, or all of them 0; with ``C=np.inf`` a
            column that is constant or a combination of others (names the column).

        Warns
        -----
        ConvergenceWarning
            If no maximum exists because the classes are separated and there is no penalty, or if ``max_iter`` ends the
            search early.
        """
        penalty, tol = inverse_strength(self.C), check_positive(self.tol, "tol")
        max_iter = check_integer(self.max_iter, "max_iter")
        X, y = validate_data(self, X, y, dtype=float)
        X, y, v = used_rows(X, y, sample_weight)
        self.classes_, codes = class_codes(y)
        v = v * class_weights(self.class_weight, self.classes_, codes, v)[codes]
        centre = X.mean(axis=0) if self.fit_intercept else np.zeros(X.shape[1])
        X = X - centre  # the same model with another intercept, and no digits are lost where columns are far from 0
        if penalty == 0:
            _independent(X)
        fit = self._fit_two if len(self.classes_) == 2 else self._fit_all
        W, failure = fit(X, codes, v, penalty, tol, max_iter)
        self.coef_ = W[:, 1:]
        self.intercept_ = W[:, 0] - self.coef_ @ centre
        if failure:
            warnings.warn(failure, ConvergenceWarning, stacklevel=2)
        return self

    def _fit_two(
        self, X: FloatArray, codes: IntArray, v: FloatArray, penalty: float, tol: float, max_iter: int
    ) -> tuple[FloatArray, str]:
        """Weights (1, 1 + d), the intercept first, and what went wrong, if anything did."""
        found = newton_fit(Problem(X, codes.astype(float), penalty, self.fit_intercept, v), tol, max_iter)
        self.n_iter_, self.objective_ = np.array([found.n_iter]), np.array(found.objective)
        return found.w[None], "" if found.converged else _why_not(found.n_iter, max_iter, penalty)

    def _fit_all(
        self, X: FloatArray, codes: IntArray, v: FloatArray, penalty: float, tol: float, max_iter: int
    ) -> tuple[FloatArray, str]:
        """Weights (K, 1 + d) of more than two classes, and what went wrong, if anything did."""
        A = np.column_stack([np.full(len(X), float(self.fit_intercept)), X])  # a column of zeros gets no weight
        strengths = np.append(0.0, np.full(X.shape[1], penalty))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # said in the words of this model
            found = fit_classes(A, codes, len(self.classes_), v, strengths, max_iter, tol)
        self.n_iter_, self.objective_ = np.array([len(found.objective) - 1]), v.sum() * found.objective
        if found.separable:
            return found.W, SEPARATED
        failure = f"L-BFGS did not converge in {self.n_iter_[0]} steps: increase max_iter or tol, or set a smaller C."
        return found.W, "" if found.converged else failure

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Log-odds (n,) of ``classes_[1]``, :eq:`logistic-regression-model`; scores (n, K) of more than two classes."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        scores = X @ self.coef_.T + self.intercept_  # logistic-regression-model
        return scores.ravel() if len(self.classes_) == 2 else scores

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Probabilities (n, K) of the classes."""
        z = self.decision_function(X)
        return np.column_stack([expit(-z), expit(z)]) if z.ndim == 1 else softmax(z, axis=1)

    def predict_log_proba(self, X: ArrayLike) -> FloatArray:
        """Logarithms (n, K) of the probabilities, finite where these round to 0."""
        z = self.decision_function(X)
        return np.column_stack([log_expit(-z), log_expit(z)]) if z.ndim == 1 else log_softmax(z, axis=1)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,) of the largest score; of two ``classes_[1]`` where its log-odds are positive, so not in a tie."""
        z = self.decision_function(X)
        codes = (z > 0).astype(int) if z.ndim == 1 else z.argmax(axis=1)
        return self.classes_[codes]


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
        return SEPARATED
    failure = f"Newton's method did not converge in {max_iter} steps: increase max_iter or tol, or set a "
    if penalty == 0:
        return (
            f"{failure}finite C. If all rows lie on their side of a hyperplane or on it (quasi-separation), the "
            "likelihood has no maximum, and more steps do not help."
        )
    return f"{failure}smaller C."

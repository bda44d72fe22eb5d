"""Estimators that repeat the steps of the chapter *Kernel methods*."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, IntArray, check_integer, check_real, check_symmetric, class_codes
from notes_lib.kernels.kernel_methods.functions import Kernel, is_positive_semidefinite, kernel_matrix
from notes_lib.kernels.kernel_methods.steps import gradient_step, perceptron_pass


class KernelModel(BaseEstimator):
    """What both estimators share: the parameters of the kernel, its matrix in ``fit`` and in ``predict``."""

    def _gram(self, X: FloatArray) -> FloatArray:
        K = self._kernel(X)
        if self.kernel == "precomputed":
            check_symmetric(K, "X")
        sure = self.kernel in ("linear", "rbf") or (self.kernel == "poly" and self.coef0 >= 0)
        if not sure and not is_positive_semidefinite(K, tol=1e-8):
            message = f"kernel={self.kernel!r} is not positive semi-definite on these rows"
            if self.kernel not in ("sigmoid", "poly"):
                raise ValueError(f"{message}: use a valid kernel, or add a positive number to the diagonal.")
            warnings.warn(f"{message}: change coef0 or gamma, or the kernel.", ConvergenceWarning, stacklevel=3)
        self.X_fit_ = X.copy()  # the caller may change theirs
        return K

    def _kernel(self, X: FloatArray, Y: FloatArray | None = None) -> FloatArray:
        return kernel_matrix(X, Y, self.kernel, gamma=self.gamma, degree=self.degree, coef0=self.coef0)

    def _scores(self, X: ArrayLike, rows: IntArray | slice) -> FloatArray:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        K = X[:, rows] if self.kernel == "precomputed" else self._kernel(X, self.X_fit_[rows])
        return K @ self.dual_coef_[rows]  # kernel-methods-prediction

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


class KernelGradientDescent(RegressorMixin, KernelModel):
    """Least squares in feature space by gradient descent from 0, on one coefficient for each row.

    No intercept and no penalty: centre ``y``, and stop early (``max_iter``) where an exact fit would follow the noise.

    Parameters
    ----------
    kernel, gamma, degree, coef0
        As in :func:`kernel_matrix`.
    learning_rate : float or None
        If None, 1 over the largest row sum of ``|K|``, which is never too long: the loss of a valid kernel cannot grow.
    max_iter : int
        Most steps.
    tol : float
        Stop when a step lowers the loss by less than ``tol`` times the loss.

    Attributes
    ----------
    dual_coef_ : (n,) array
        ``beta`` of :eq:`kernel-methods-representer`.
    objective_ : (T + 1,) array
        Loss :eq:`kernel-methods-loss` before the first of the T = ``n_iter_`` steps and after each.
    learning_rate_ : float
    X_fit_ : (n, d) array
    n_iter_, n_features_in_ : int

    Notes
    -----
    O(n^2 d) time for the matrix, O(n^2) for each step, O(n) kernel values for each prediction; O(n^2) memory.

    Examples
    --------
    >>> KernelGradientDescent("poly", degree=2).fit([[-1], [0], [1], [2]], [1, 0, 1, 4]).predict([[1.5]]).round(1)
    array([2.3])
    """

    def __init__(
        self, kernel: Kernel = "rbf", *, gamma: float | None = None, degree: int = 3, coef0: float = 1.0,
        learning_rate: float | None = None, max_iter: int = 1000, tol: float = 1e-6,
    ) -> None:  # fmt: skip
        self.kernel, self.gamma, self.degree, self.coef0 = kernel, gamma, degree, coef0
        self.learning_rate, self.max_iter, self.tol = learning_rate, max_iter, tol

    def fit(self, X: ArrayLike, y: ArrayLike) -> KernelGradientDescent:
        """Compute the kernel matrix and descend.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; a precomputed or callable kernel that is not positive semi-definite on X.
        """
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        max_iter, tol = check_integer(self.max_iter, "max_iter"), check_real(self.tol, "tol")
        K = self._gram(X)
        longest = np.abs(K).sum(axis=1).max()  # no eigenvalue is larger: kernel-methods-step-size
        safe = 1.0 / longest if longest > 0 else 1.0
        self.learning_rate_ = safe if self.learning_rate is None else self.learning_rate
        beta, advice = np.zeros(len(X)), "increase max_iter or tol"
        step = gradient_step(K, y, beta, self.learning_rate_)
        losses = [step.loss]
        if not np.isfinite(step.loss):
            raise ValueError("y is too large: its square overflows, rescale it.")
        if step.loss < np.finfo(float).tiny and y.any():
            raise ValueError("y is too small: its square underflows, rescale it.")
        for _ in range(max_iter):
            following = gradient_step(K, y, step.beta, self.learning_rate_)
            if not following.loss <= losses[-1] + 1e-12 * losses[0]:
                short = self.learning_rate_ <= safe  # then no step is short enough
                advice = "the loss grows, " + (
                    "change the kernel" if short else f"choose a learning_rate below {safe:.3g}"
                )
                break
            beta, step = step.beta, following
            losses.append(step.loss)
            if losses[-2] - losses[-1] <= tol * losses[-2]:
                advice = ""
                break
        self.dual_coef_, self.objective_, self.n_iter_ = beta, np.array(losses), len(losses) - 1
        if advice:
            warnings.warn(f"stopped after {self.n_iter_} steps: {advice}.", ConvergenceWarning, stacklevel=2)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Predictions (n,), ``sum_j beta_j k(x_j, x)``; X holds kernel values if the kernel is precomputed."""
        return self._scores(X, slice(None))


class KernelPerceptron(ClassifierMixin, KernelModel):
    """The perceptron in feature space; one against the rest for more than two classes.

    It has no bias: the RBF kernel does not need one, and a constant added to any kernel gives one.

    Parameters
    ----------
    kernel, gamma, degree, coef0
        As in :func:`kernel_matrix`.
    max_iter : int
        Most passes over the rows.

    Attributes
    ----------
    classes_ : (K,) array
    mistakes_ : (n,) array, or (n, K) for more than two classes
        How often each row was a mistake, ``alpha``.
    dual_coef_ : as ``mistakes_``
        ``alpha`` times the label -1 or 1.
    support_ : (n_support,) array
        Rows with a mistake; predictions need only these.
    X_fit_ : (n, d) array
    n_iter_, n_features_in_ : int
        ``n_iter_`` is the number of passes, the last one without a mistake if it converged.

    Notes
    -----
    O(n^2 d) time for the matrix, O(n^2) for each pass and class; O(n^2) memory. Depends on the order of the rows.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["same", "other", "other", "same"]
    >>> KernelPerceptron("poly", degree=2).fit(X, y).predict(X)
    array(['same', 'other', 'other', 'same'], dtype='<U5')
    """

    def __init__(
        self, kernel: Kernel = "rbf", *, gamma: float | None = None, degree: int = 3, coef0: float = 1.0,
        max_iter: int = 100,
    ) -> None:  # fmt: skip
        self.kernel, self.gamma, self.degree, self.coef0 = kernel, gamma, degree, coef0
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> KernelPerceptron:
        """Compute the kernel matrix and pass over the rows until a pass makes no mistake.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; one class; a precomputed or callable kernel that is not positive semi-definite
            on X.
        """
        X, y = validate_data(self, X, y, dtype=float)
        max_iter = check_integer(self.max_iter, "max_iter")
        self.classes_, codes = class_codes(y)
        K = self._gram(X)
        positive = [1] if len(self.classes_) == 2 else range(len(self.classes_))
        signs = np.where(codes[:, None] == positive, 1.0, -1.0)  # (n, 1) or (n, K)
        alpha, self.n_iter_, stopped = np.zeros_like(signs), 0, []
        for column in range(signs.shape[1]):
            for n_passes in range(1, max_iter + 1):
                alpha[:, column], mistakes = perceptron_pass(K, signs[:, column], alpha[:, column])
                self.n_iter_ = max(self.n_iter_, n_passes)
                if not mistakes.size:
                    break
            else:
                stopped.append(column)
        self.mistakes_, self.dual_coef_ = (np.squeeze(a, 1) if a.shape[1] == 1 else a for a in (alpha, alpha * signs))
        self.support_ = np.flatnonzero(alpha.any(axis=1))
        if stopped:
            advice = "increase max_iter, or change the kernel if the classes are not separable in feature space"
            warnings.warn(f"mistakes are left after {max_iter} passes: {advice}.", ConvergenceWarning, stacklevel=2)
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores (n,), positive for ``classes_[1]``; (n, K) for more than two classes."""
        check_is_fitted(self)
        return self._scores(X, self.support_)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class (n,): the sign of the score, 0 counting as negative, or the class of the largest one."""
        scores = self.decision_function(X)
        best = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(int)
        return self.classes_[best]

"""Ridge, lasso and elastic net as estimators with scikit-learn's parameters."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_integer, check_real
from notes_lib.linear.linear_regression.checks import check_sums, check_weights
from notes_lib.linear.regularization.checks import share
from notes_lib.linear.regularization.path import GramProblem, solve, with_diagonal
from notes_lib.linear.regularization.steps import gap, penalties, solve_ridge

__all__ = ["ElasticNet", "Lasso", "Ridge"]

SETTLED = 1e-12  # share of the largest weight below which a sweep counts as no move
TINY = float(np.finfo(float).tiny)  # for a target that is constant


class _Linear(RegressorMixin, BaseEstimator):
    """Means, the bias that is not penalised, and prediction."""

    fit_intercept: bool

    def _checked(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Rows, targets and weights, the weights None if there are none; sets the means."""
        X, y = validate_data(self, X, y, dtype="numeric", y_numeric=True)
        X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
        v = None if sample_weight is None else check_weights(sample_weight, len(y))
        for values, name in ((X, "X"), (y, "y")):
            check_sums(values, name, power=2)
        self._means = (np.zeros(X.shape[1]), 0.0)
        if self.fit_intercept:
            self._means = np.average(X, axis=0, weights=v), np.average(y, weights=v)
        return X, y, v

    def _centred(self, X: FloatArray, y: FloatArray, v: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """Less the means, times the root of the weights: what is left is a problem without either."""
        X, y = X - self._means[0], y - self._means[1]
        return (X, y) if v is None else (np.sqrt(v)[:, None] * X, np.sqrt(v) * y)

    def _set_weights(self, w: FloatArray) -> None:
        self.coef_ = w
        self.intercept_ = float(self._means[1] - self._means[0] @ w)  # regularization-bias

    def predict(self, X: ArrayLike) -> FloatArray:
        """Predictions (n,), in units of y."""
        check_is_fitted(self)
        X = np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)
        return X @ self.coef_ + self.intercept_


class Ridge(_Linear):
    """Least squares with a penalty on the squared norm of the weights, :eq:`regularization-ridge`.

    Minimises ``||y - X w - b||^2 + alpha ||w||^2``: a sum of squares, not a mean, as in scikit-learn. The bias is free.

    Parameters
    ----------
    alpha : float
        Strength, at least 0. With 0 and collinear columns the answer is the one of smallest norm.
    fit_intercept : bool
        Whether there is a bias.

    Attributes
    ----------
    coef_ : (d,) array
    intercept_ : float
    n_features_in_ : int

    Notes
    -----
    O(n d min(n, d)) time; O(d^2) memory beside the data if there are at least as many rows as columns and no weights of
    rows. One target; scikit-learn also takes several.

    Examples
    --------
    >>> model = Ridge(alpha=2.0).fit([[0.0], [1.0], [2.0]], [0.0, 2.0, 4.0])
    >>> model.coef_, model.intercept_
    (array([1.]), 1.0)
    """

    def __init__(self, alpha: float = 1.0, *, fit_intercept: bool = True) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Ridge:
        """Centre and solve.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
        sample_weight : (n,) array, optional
            Factor of each squared residual, not negative; weight 2 is the same as the row twice, 0 leaves it out.

        Raises
        ------
        TypeError, ValueError
            If ``alpha`` is negative or no number, the shapes do not fit, an entry is NaN or infinite or so large that
            squares overflow, or a weight is negative, or all of them are 0.
        """
        alpha = check_real(self.alpha, "alpha")
        X, y, v = self._checked(X, y, sample_weight)
        if v is not None:
            self._set_weights(solve_ridge(*self._centred(X, y, v), alpha))
        else:  # without a centred copy of all rows
            self._set_weights(solve_ridge(X, y, alpha, *self._means))
        return self


class ElasticNet(_Linear):
    """Least squares with the 1-norm and the squared norm as penalties, :eq:`regularization-elastic-net`.

    Minimises ``||y - X w - b||^2 / (2 n) + alpha (l1_ratio |w|_1 + (1 - l1_ratio) ||w||^2 / 2)``, as in scikit-learn:
    a *mean* of squares, unlike :class:`Ridge`.

    Parameters
    ----------
    alpha : float
        Strength, at least 0.
    l1_ratio : float
        Share of the 1-norm, from 0 (ridge with strength ``n * alpha``) to 1 (lasso).
    fit_intercept : bool
        Whether there is a bias, which is not penalised.
    max_iter : int
        Sweeps of coordinate descent at most. It is needed only if the active set, which gives the exact minimiser, does
        not settle.
    tol : float
        Warn if the duality gap is above this share of the mean of ``y ** 2`` (centred) over 2.

    Attributes
    ----------
    coef_ : (d,) array
        Exact zeros for columns that are left out.
    intercept_ : float
    dual_gap_ : float
        The objective is at most that much above its minimum.
    n_iter_ : int
        Sweeps of coordinate descent; 1 if none was needed.
    n_features_in_ : int

    Notes
    -----
    O(n d^2) for the Gram matrix, then O(a^3) for each change of the a active columns. One target, no ``warm_start``.

    Examples
    --------
    >>> ElasticNet(0.5, l1_ratio=0.5).fit([[-1.0], [1.0]], [-3.0, 3.0]).coef_
    array([2.2])
    """

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        l1_ratio: float = 0.5,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float = 1e-4,
    ) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> ElasticNet:
        """Centre and minimise.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
        sample_weight : (n,) array, optional
            Weights of the rows in the *mean* of squares, not negative; weight 2 is the same as the row twice, 0 leaves
            it out, and a factor of all weights changes nothing.

        Raises
        ------
        TypeError, ValueError
            If a hyper-parameter is out of range, the shapes do not fit, an entry is NaN or infinite or so large that
            squares overflow, or a weight is negative, or all of them are 0.

        Warns
        -----
        ConvergenceWarning
            If coordinate descent was needed and stopped too far from the minimum; the text names the remedy.
        """
        return self._fit(X, y, sample_weight, share(self.l1_ratio))

    def _fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, ratio: float) -> ElasticNet:
        alpha, tol = check_real(self.alpha, "alpha"), check_real(self.tol, "tol")
        max_iter = check_integer(self.max_iter, "max_iter")
        X, y, v = self._checked(X, y, sample_weight)
        X, y = self._centred(X, y, v if v is None else v / v.mean())  # a mean of squares: of weights with mean 1
        l1, l2 = penalties(alpha, ratio, len(X))
        self.n_iter_, self.dual_gap_ = 1, 0.0
        if l1 == 0:  # ridge, in closed form
            self._set_weights(solve_ridge(X, y, l2))
            return self
        gram = GramProblem(with_diagonal(X.T @ X, l2), X.T @ y, l1)
        w, self.n_iter_ = solve(gram, np.zeros(X.shape[1]), max_iter, SETTLED)
        self.dual_gap_ = gap(X, y, w, l1, l2)
        self._set_weights(w)
        if self.dual_gap_ > tol * float(y @ y) / (2 * len(y)) + TINY:
            warnings.warn(
                f"coordinate descent stopped after {self.n_iter_} sweeps with a duality gap of {self.dual_gap_:.1e}: "
                "raise max_iter, or drop collinear columns.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self


class Lasso(ElasticNet):
    """Least squares with the 1-norm as penalty, :eq:`regularization-lasso`: :class:`ElasticNet` with ``l1_ratio=1``.

    Minimises ``||y - X w - b||^2 / (2 n) + alpha |w|_1``, as in scikit-learn.

    Parameters
    ----------
    alpha : float
        Strength, at least 0; all weights are 0 from :func:`largest_alpha` of the centred data on.
    fit_intercept, max_iter, tol
        As in :class:`ElasticNet`.

    Attributes
    ----------
    coef_, intercept_, dual_gap_, n_iter_, n_features_in_
        As in :class:`ElasticNet`.

    Notes
    -----
    As :class:`ElasticNet`.

    Examples
    --------
    >>> Lasso(1.0).fit([[-1.0, 1.0], [1.0, 1.0]], [-3.0, 3.0]).coef_
    array([2., 0.])
    """

    def __init__(
        self, alpha: float = 1.0, *, fit_intercept: bool = True, max_iter: int = 1000, tol: float = 1e-4
    ) -> None:
        super().__init__(alpha, l1_ratio=1.0, fit_intercept=fit_intercept, max_iter=max_iter, tol=tol)

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Lasso:
        """Centre and minimise; arguments, errors and warnings are those of :meth:`ElasticNet.fit`."""
        self._fit(X, y, sample_weight, 1.0)
        return self

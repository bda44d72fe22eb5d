"""Linear regression as an estimator."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, all_finite
from notes_lib.linear.linear_regression.checks import check_sums, check_weights
from notes_lib.linear.linear_regression.steps import centre, shortest_weights


class LinearRegression(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Ordinary, or weighted, least squares by orthogonal factors.

    Parameters
    ----------
    fit_intercept : bool
        Fit a constant term, which is never part of ``coef_``.

    Attributes
    ----------
    coef_ : (d,) array, or (m, d) for m targets
        If the columns are linearly dependent, the shortest of all minimisers, as in scikit-learn.
    intercept_ : float or (m,) array
    rank_ : int
        Rank of the centred columns; units of a column do not matter.
    singular_ : (min(n, d),) array
        Singular values of the centred, weighted columns.
    n_features_in_ : int

    Notes
    -----
    O(n d min(n, d)) time, O(n d) memory. :func:`least_squares_summary` has standard errors and tests.

    Examples
    --------
    >>> model = LinearRegression().fit([[0.0], [1.0], [2.0]], [6.0, 0.0, 0.0])
    >>> model.coef_.round(12), round(model.intercept_, 12)
    (array([-3.]), 5.0)
    """

    def __init__(self, *, fit_intercept: bool = True) -> None:
        self.fit_intercept = fit_intercept

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> LinearRegression:
        """Centre the columns, weigh the rows, solve :eq:`linear-regression-normal` without forming it.

        Raises
        ------
        ValueError
            Bad data, also entries so large or so small that the weights cannot be computed; a weight that is negative,
            or all of them 0.
        """
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, multi_output=True)
        v = None if sample_weight is None else check_weights(sample_weight, len(X))
        y = np.asarray(y, dtype=float)
        for values, name in ((X, "X"), (y, "y")):
            check_sums(values, name)
        one = y.ndim == 1
        problem = centre(X, y[:, None] if one else y, v, self.fit_intercept)
        with np.errstate(over="ignore", invalid="ignore"):  # refused below
            w, self.rank_, self.singular_ = shortest_weights(problem.X, problem.y)
            b = problem.y_mean - problem.x_mean @ w  # linear-regression-intercept
        if not all_finite(w) or not all_finite(b):
            raise ValueError("X is too small beside y: the weights are beyond the range of floats, rescale X or y.")
        self.coef_: FloatArray = w[:, 0] if one else w.T
        self.intercept_: float | FloatArray = float(b[0]) if one else b
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Fitted hyperplane at the rows of ``X``: (n,), or (n, m) for m targets."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=float, reset=False) @ self.coef_.T + self.intercept_

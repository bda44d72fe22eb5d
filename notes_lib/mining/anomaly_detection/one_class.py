"""The one-class support vector machine, solved by the working sets of the chapter on support vector machines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import OutlierMixin
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, IntArray, check_positive
from notes_lib.kernels.svm.machine import KernelMachine
from notes_lib.kernels.svm.rows import Gram
from notes_lib.kernels.svm.smo import solve
from notes_lib.mining.anomaly_detection.detector import signs
from notes_lib.numerics import row_blocks


class OneClassSVM(OutlierMixin, KernelMachine):
    """A hyperplane in feature space that parts most rows from the origin; :eq:`anomaly-detection-one-class-dual`.

    Parameters
    ----------
    kernel : {"rbf", "linear", "poly", "sigmoid", "precomputed"} or callable
        As in :func:`notes_lib.kernels.kernel_methods.kernel_matrix`. With "precomputed", X is the kernel matrix.
    degree, coef0
        Of the polynomial and the sigmoid kernel.
    gamma : {"scale", "auto"} or float
        "scale" is ``1 / (d X.var())``; "auto" is ``1 / d``.
    tol : float
        Largest KKT violation accepted, for multipliers that sum to ``nu n``.
    nu : float
        Above 0 and at most 1: at most this share of the fitted rows lies outside, and at least this share supports.
    cache_size : float
        Megabytes for rows of the kernel matrix; the time, not the result, depends on it.
    max_iter : int
        Most steps; -1 for practically no limit.

    Attributes
    ----------
    support_ : (n_SV,) array
        Rows with a positive multiplier: on the border or outside.
    support_vectors_ : (n_SV, d) array
        Empty for a precomputed kernel.
    n_support_ : (1,) array
    dual_coef_ : (1, n_SV) array
        Multipliers times ``nu n``, so that none is above 1, as in scikit-learn.
    intercept_ : (1,) array
        Minus rho.
    offset_ : float
        rho: rows with a lower score are odd.
    coef_ : (1, d) array
        Weights; only for the linear kernel.
    gamma_ : float
    n_iter_ : int
    objective_ : (n_iter,) array
        Minus half the squared length of the weights after each step; it never falls.
    n_features_in_ : int

    Notes
    -----
    O(n) time for a step and O(n d) for a new row of the kernel matrix. The solver of the two-class machine is used as
    it is: from a feasible start, what a multiplier may still rise by is a row of one class, and what it may fall by a
    row of the other. Source: Schoelkopf et al. (2001).

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.1, 0.0], [0.0, 0.1], [3.0, 3.0]]
    >>> OneClassSVM(nu=0.3, gamma=1.0).fit(X).predict([[0.05, 0.05], [9.0, 9.0]])
    array([ 1, -1])
    """

    _goal = "the farthest hyperplane"

    def __init__(
        self,
        *,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        nu: float = 0.5,
        cache_size: float = 200,
        max_iter: int = -1,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.nu = nu
        self.cache_size = cache_size
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: None = None) -> OneClassSVM:
        """Solve the dual.

        Parameters
        ----------
        X : (n, d) array
            The (n, n) kernel matrix if it is precomputed.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter, ``nu`` outside (0, 1]; a precomputed or callable kernel whose matrix is not
            square, not symmetric or, where a step meets it, not positive semi-definite.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` or rounding ends the steps early, or the sigmoid (or a polynomial with negative ``coef0``)
            shows a negative curvature.
        """
        nu = check_positive(self.nu, "nu", "it is a share of the rows")
        if nu > 1:
            raise ValueError(f"nu must be at most 1, got {self.nu}: it is a share of the rows.")
        tol, megabytes = check_positive(self.tol, "tol"), check_positive(self.cache_size, "cache_size")
        limit = self._limit()
        X = validate_data(self, X, dtype=float)
        coordinates, centre = self._coordinates(X)
        if self.kernel == "linear":  # where the origin is matters here
            coordinates, centre = X, np.zeros(X.shape[1])
        n = len(X)
        alpha = np.clip(nu * n - np.arange(n), 0.0, 1.0)  # feasible: the first rows at their bound
        F = _candidates(self._gram(coordinates), alpha)
        objective = 0.5 * float(alpha @ F)
        up, low = np.flatnonzero(alpha < 1), np.flatnonzero(alpha > 0)
        self.objective_, self.n_iter_ = np.empty(0), 0
        if len(up):
            rows = np.concatenate([up, low])
            part = coordinates[np.ix_(rows, rows)] if self._given else coordinates[rows]
            direction = np.repeat([1.0, -1.0], [len(up), len(low)])
            room = np.concatenate([1.0 - alpha[up], alpha[low]])
            found = solve(self._gram(part), direction, room, tol, limit, megabytes, self._curvature(), F[rows])
            self._warn(found, tol, limit)
            np.add.at(alpha, rows, direction * found.alpha)
            full = rows[(found.alpha == room) & (direction > 0)]
            alpha = np.clip(alpha, 0.0, 1.0)
            alpha[full] = 1.0
            F[rows] = found.F
            self.objective_ = objective + np.array(found.objective)
            self.n_iter_ = len(found.objective)
        self.offset_ = _border(-F, alpha)
        self.intercept_ = np.array([-self.offset_])
        self.support_ = np.flatnonzero(alpha)
        self.n_support_ = np.array([len(self.support_)])
        self.dual_coef_ = alpha[None, self.support_]
        self._keep(X, self.dual_coef_, coordinates, centre)
        return self

    @property
    def coef_(self) -> FloatArray:
        """Weights, for the linear kernel."""
        return self._linear_weights()

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Scores less rho, (n,): negative is odd; :eq:`anomaly-detection-one-class-score`."""
        return self._scores(X)[:, 0]  # anomaly-detection-one-class-score

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Scores (n,): low is odd."""
        return self.decision_function(X) + self.offset_

    def predict(self, X: ArrayLike) -> IntArray:
        """1 for usual rows, -1 for odd ones, (n,)."""
        return signs(self.decision_function(X))


def _candidates(gram: Gram, alpha: FloatArray) -> FloatArray:
    """``-K alpha``, from the rows of K with a positive multiplier."""
    F, chosen = np.zeros(len(alpha)), np.flatnonzero(alpha)
    for part in row_blocks(len(chosen), len(alpha)):
        F -= alpha[chosen[part]] @ gram.rows(chosen[part])
    return F


def _border(scores: FloatArray, alpha: FloatArray) -> float:
    """rho: the score of the free rows; without any, the middle of what KKT allows; :eq:`anomaly-detection-rho`."""
    free = (alpha > 0) & (alpha < 1)
    if free.any():
        return float(scores[free].mean())  # anomaly-detection-rho
    outside, inside = scores[alpha == 1].max(), scores[alpha == 0].min(initial=np.inf)
    return float(outside if np.isinf(inside) else 0.5 * (outside + inside))

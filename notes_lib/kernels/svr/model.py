"""The estimator: support vector regression with a kernel, fitted by SMO on two copies of each row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, check_positive, check_real
from notes_lib.kernels.svm.machine import KernelMachine
from notes_lib.kernels.svm.smo import Solution, solve
from notes_lib.kernels.svm.steps import bias_from_candidates
from notes_lib.kernels.svr.doubled import DoubledGram
from notes_lib.kernels.svr.steps import epsilon_insensitive
from notes_lib.linear.linear_regression.checks import check_weights

LARGEST = 1e150  # a larger range of y has squares that overflow


class SVR(RegressorMixin, KernelMachine):
    """Support vector regression with the epsilon-insensitive loss and a kernel, fitted by SMO.

    Parameters
    ----------
    C : float
        Positive and finite: price of a unit of slack.
    epsilon : float
        At least 0: half the width of the tube, in units of y.
    kernel : {"rbf", "linear", "poly", "sigmoid", "precomputed"} or callable
        As in :func:`notes_lib.kernels.kernel_methods.kernel_matrix`. With "precomputed", X is the kernel matrix.
    degree, coef0
        Of the polynomial and the sigmoid kernel.
    gamma : {"scale", "auto"} or float
        "scale" is ``1 / (d X.var())``, each row counted with its weight; "auto" is ``1 / d``.
    tol : float
        Largest KKT violation accepted, in units of y.
    cache_size : float
        Megabytes for rows of the kernel matrix; the time, not the result, depends on it. A precomputed or callable
        kernel takes its n x n matrix besides.
    max_iter : int
        Most steps; -1 for practically no limit.

    Attributes
    ----------
    support_ : (n_SV,) array
        Rows with a coefficient other than 0: on the tube or outside it.
    support_vectors_ : (n_SV, d) array
        Empty for a precomputed kernel.
    n_support_ : (1,) array
    dual_coef_ : (1, n_SV) array
        ``beta_n = alpha_n - alpha_n^*``, positive for a row above the tube.
    intercept_ : (1,) array
    coef_ : (1, d) array
        Weights; only for the linear kernel.
    gamma_ : float
    n_iter_ : int
    objective_ : (n_iter,) array
        Dual objective after each step.
    duality_gap_ : float
        Primal less dual objective at the end.
    n_features_in_ : int

    Notes
    -----
    O(n) time for a step and O(n d) for a new row of the kernel matrix; the number of steps grows with n, with C and
    with the range of y. Equations :eq:`svr-doubled`, :eq:`svr-kernel-score`, :eq:`svr-gap`.

    Examples
    --------
    >>> model = SVR(C=10.0, epsilon=0.5, kernel="linear").fit([[0.0], [1.0], [2.0]], [0.0, 1.5, 2.0])
    >>> model.coef_.round(3), model.intercept_.round(3)
    (array([[0.5]]), array([0.5]))
    """

    _rescale = "X and y"
    _goal = "a flattest function"

    def __init__(
        self,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        kernel: str | Callable[..., Any] = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        cache_size: float = 200,
        max_iter: int = -1,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.cache_size = cache_size
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> SVR:
        """Solve the dual.

        Parameters
        ----------
        X : (n, d) array
            The (n, n) kernel matrix if it is precomputed.
        y : (n,) array
        sample_weight : (n,) array, optional
            Factor of C for each row, not negative; weight 2 is the same as the row twice, 0 leaves it out.

        Returns
        -------
        SVR

        Raises
        ------
        ValueError
            Bad data or hyper-parameter, a negative epsilon among them; a weight below 0, or none above; a precomputed
            or callable kernel whose matrix is not square, not symmetric or, where a step meets it, not positive
            semi-definite.

        Warns
        -----
        ConvergenceWarning
            If ``max_iter`` or rounding ends the steps early, or the sigmoid (or a polynomial with negative ``coef0``)
            shows a negative curvature.
        """
        C, epsilon = check_positive(self.C, "C"), check_real(self.epsilon, "epsilon")
        tol, megabytes = check_positive(self.tol, "tol"), check_positive(self.cache_size, "cache_size")
        limit = self._limit()
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True)
        y = np.asarray(y, dtype=float)
        weights = check_weights(sample_weight, len(y))
        used = np.flatnonzero(weights)
        coordinates, centre = self._coordinates(X, weights)
        part = coordinates[np.ix_(used, used)] if self._given else coordinates[used]
        C_n, level = C * weights[used], float(y[used].mean())
        found = self._solve(part, y[used] - level, C_n, epsilon, tol, megabytes, limit)
        n = len(used)
        beta, signs = found.alpha[:n] - found.alpha[n:], np.repeat([1.0, -1.0], n)
        b = bias_from_candidates(found.F, found.alpha, signs, np.tile(C_n, 2))  # svr-bias-free
        self.duality_gap_ = _gap(beta, found.F[:n] + epsilon, b, C_n, epsilon)
        chosen = np.flatnonzero(beta)
        self.support_ = used[chosen]
        self.n_support_ = np.array([len(chosen)])
        self.dual_coef_ = beta[None, chosen]
        self.intercept_ = np.array([b + level])
        self._keep(X, self.dual_coef_, coordinates, centre)
        self.objective_ = np.array(found.objective)
        self.n_iter_ = len(found.objective)
        return self

    @property
    def coef_(self) -> FloatArray:
        """Weights, for the linear kernel."""
        return self._linear_weights()

    def predict(self, X: ArrayLike) -> FloatArray:
        """Values of the function, (n,); :eq:`svr-kernel-score`."""
        return self._scores(X)[:, 0]  # svr-kernel-score

    def _solve(
        self, part: FloatArray, y: FloatArray, C: FloatArray, epsilon: float, tol: float, megabytes: float, limit: int
    ) -> Solution:
        """The doubled problem, with a warning if it is not solved."""
        if not np.ptp(y) < LARGEST:
            raise ValueError(f"y is too large: its range is {np.ptp(y):.3g}, rescale it.")
        signs = np.repeat([1.0, -1.0], len(y))
        start = np.concatenate([y - epsilon, y + epsilon])  # svr-candidates
        twice = DoubledGram(self._gram(part))
        found = solve(twice, signs, np.tile(C, 2), tol, limit, megabytes, self._curvature(), start)
        self._warn(found, tol, limit)
        return found


def _gap(beta: FloatArray, residual: FloatArray, b: float, C: FloatArray, epsilon: float) -> float:
    """Primal less dual objective, from ``residual = y - K beta``."""
    price = C @ epsilon_insensitive(residual - b, epsilon)
    return float(price + epsilon * np.abs(beta).sum() - beta @ residual)  # svr-gap

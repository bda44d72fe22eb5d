"""Kernel ridge regression: least squares in feature space with a penalty, solved for one coefficient per instance.

The pure functions follow the chapter *Kernel ridge regression*: the objective of the coefficients, its minimiser with
and without an intercept, the leave-one-out residuals of one fit, and those of many strengths from one decomposition.
:class:`KernelRidge` has the parameters of scikit-learn, and an intercept besides. It takes several targets and weights
of instances; the pure functions are for one target without weights.

Source: Saunders, Gammerman and Vovk (1998), ICML, 515-521; Schoelkopf and Smola (2002), *Learning with Kernels*;
Hastie, Tibshirani and Friedman (2009), sections 5.8 and 12.3.7.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve
from sklearn.base import MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import validate_data

from notes_lib.checks import FloatArray, check_real, check_symmetric, check_vector
from notes_lib.kernels.kernel_methods import center_kernel
from notes_lib.kernels.kernel_methods.functions import Kernel
from notes_lib.kernels.kernel_methods.model import KernelModel
from notes_lib.linear.linear_regression.checks import check_weights

__all__ = [
    "DualObjective",
    "KernelRidge",
    "KernelSolution",
    "LeaveOneOutPath",
    "dual_objective",
    "kernel_ridge_solution",
    "leave_one_out_path",
    "loo_residuals",
]

EPS = float(np.finfo(float).eps)


class DualObjective(NamedTuple):
    """Result of :func:`dual_objective`: the ``value``, and its ``gradient`` (n,) by the coefficients."""

    value: float
    gradient: FloatArray


class KernelSolution(NamedTuple):
    """Result of :func:`kernel_ridge_solution`: ``dual_coef`` (n,), and the ``intercept``, 0 if there is none."""

    dual_coef: FloatArray
    intercept: Any


class LeaveOneOutPath(NamedTuple):
    """Result of :func:`leave_one_out_path`.

    Attributes
    ----------
    errors : (m,) array
        Mean squared leave-one-out residual for each strength, in units of y squared.
    degrees_of_freedom : (m,) array
        Trace of the matrix that takes the targets to the fitted values.
    """

    errors: FloatArray
    degrees_of_freedom: FloatArray


def dual_objective(K: ArrayLike, y: ArrayLike, dual_coef: ArrayLike, alpha: float) -> DualObjective:
    """``|y - K a|^2 + alpha a'K a`` for the coefficients a; :eq:`kernel-ridge-objective`.

    Parameters
    ----------
    K : (n, n) array
        Symmetric kernel matrix.
    y, dual_coef : (n,) arrays
    alpha : float
        Strength of the penalty, at least 0.

    Returns
    -------
    DualObjective
        Value, and gradient :eq:`kernel-ridge-gradient`.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, K is not symmetric, or ``alpha`` negative or no number.

    Notes
    -----
    O(n^2) time.

    Examples
    --------
    >>> dual_objective([[2.0, 1.0], [1.0, 2.0]], [1.0, 3.0], [0.0, 1.0], 1.0)
    DualObjective(value=3.0, gradient=array([0., 0.]))
    """
    K, y, alpha = _problem(K, y, alpha)
    a = check_vector(dual_coef, "dual_coef", len(y))
    residual, lift = y - K @ a, K @ a
    value = residual @ residual + alpha * (a @ lift)  # kernel-ridge-objective
    return DualObjective(float(value), 2.0 * K @ (alpha * a - residual))  # kernel-ridge-gradient


def kernel_ridge_solution(K: ArrayLike, y: ArrayLike, alpha: float, *, fit_intercept: bool = False) -> KernelSolution:
    """Coefficients of kernel ridge regression; :eq:`kernel-ridge-solution`, with intercept :eq:`kernel-ridge-bias`.

    Parameters
    ----------
    K : (n, n) array
        Symmetric, positive semi-definite kernel matrix.
    y : (n,) array
    alpha : float
        Strength, at least 0; positive if K is singular.
    fit_intercept : bool
        Whether there is an intercept, which is not penalised. The coefficients then add up to 0.

    Returns
    -------
    KernelSolution
        A new row with the kernel values ``k_x`` is predicted as ``k_x @ dual_coef + intercept``.

    Raises
    ------
    TypeError, ValueError
        If a shape does not fit, an entry is not finite, K is not symmetric, ``alpha`` is negative or no number, or
        ``K + alpha I`` is singular to rounding or indefinite.

    Notes
    -----
    One Cholesky factor, n^3 / 3 operations; O(n^2) memory.

    Examples
    --------
    >>> kernel_ridge_solution([[2.0, 1.0], [1.0, 2.0]], [4.0, 0.0], 1.0)
    KernelSolution(dual_coef=array([ 1.5, -0.5]), intercept=0.0)
    """
    K, y, alpha = _problem(K, y, alpha)
    return _solve(_factor(K.copy(), alpha), y, fit_intercept)


def loo_residuals(K: ArrayLike, y: ArrayLike, alpha: float, *, fit_intercept: bool = False) -> FloatArray:
    """Residual of each instance under the fit to all others, from one fit; :eq:`kernel-ridge-loo`.

    Parameters
    ----------
    K, y, alpha, fit_intercept
        As in :func:`kernel_ridge_solution`; at least two rows if there is an intercept.

    Returns
    -------
    (n,) array
        ``y[n]`` less the prediction of the fit without instance n, in units of y.

    Raises
    ------
    TypeError, ValueError
        As in :func:`kernel_ridge_solution`; also for a single row with an intercept.

    Notes
    -----
    O(n^3) time, as much as a few fits, against n fits. Kernel and strength are the same in every fit.

    Examples
    --------
    >>> loo_residuals([[2.0, 1.0], [1.0, 2.0]], [1.0, 3.0], 1.0).round(6)  # 1 - 1 * 3/3, 3 - 1 * 1/3
    array([0.      , 2.666667])
    """
    K, y, alpha = _problem(K, y, alpha)
    _two_rows(y, fit_intercept)
    factor = _factor(K.copy(), alpha)
    P = cho_solve(factor, np.eye(len(y)))  # y -> coefficients
    if fit_intercept:
        u = P.sum(axis=1)
        P -= np.outer(u, u / u.sum())  # kernel-ridge-bias-map
    return P @ y / P.diagonal()  # kernel-ridge-loo


def leave_one_out_path(
    K: ArrayLike, y: ArrayLike, alphas: ArrayLike, *, fit_intercept: bool = False
) -> LeaveOneOutPath:
    """Leave-one-out error of many strengths from one eigendecomposition; :eq:`kernel-ridge-path`.

    Parameters
    ----------
    K, y, fit_intercept
        As in :func:`loo_residuals`.
    alphas : (m,) array
        Positive strengths.

    Returns
    -------
    LeaveOneOutPath
        Mean squared ``errors`` (m,) and ``degrees_of_freedom`` (m,), which count 1 for the intercept.

    Raises
    ------
    TypeError, ValueError
        As in :func:`loo_residuals`; also if a strength is not positive, or K is not positive semi-definite.

    Notes
    -----
    O(n^3) time for the decomposition, O(n^2) for each strength.

    Examples
    --------
    >>> path = leave_one_out_path([[2.0, 1.0], [1.0, 2.0]], [1.0, 3.0], [1.0, 3.0])
    >>> path.errors.round(4), path.degrees_of_freedom.round(4)
    (array([3.5556, 4.    ]), array([1.25, 0.75]))
    """
    K, y, _ = _problem(K, y, 0.0)
    _two_rows(y, fit_intercept)
    strengths = check_vector(alphas, "alphas")
    if strengths.min() <= 0:
        raise ValueError(f"alphas must be positive, got {strengths.min():g}: use loo_residuals for 0.")
    values, U = _spectrum(K, fit_intercept)
    if values.min() < -1e-8 * values.max():
        raise ValueError(
            "K is not positive semi-definite: use a valid kernel, or add a positive number to its diagonal."
        )
    shares = 1.0 / (np.maximum(values, 0.0)[:, None] + strengths)  # (n, m)
    residuals = (U @ (shares * (U.T @ y)[:, None])) / (U**2 @ shares)  # kernel-ridge-path
    freedom = len(values) - strengths * shares.sum(axis=0) + float(fit_intercept)  # kernel-ridge-freedom
    return LeaveOneOutPath((residuals**2).mean(axis=0), freedom)


class KernelRidge(MultiOutputMixin, RegressorMixin, KernelModel):
    """Ridge regression in the feature space of a kernel; :eq:`kernel-ridge-solution`.

    Minimises ``sum_n w_n (y_n - f(x_n) - b)^2 + alpha |f|^2`` for weights ``w_n``: a sum of squares, not a mean, as in
    scikit-learn.

    Parameters
    ----------
    alpha : float
        Strength, at least 0; positive if the kernel matrix is singular.
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"} or callable
        As in :func:`notes_lib.kernels.kernel_methods.kernel_matrix`; "precomputed": X is the kernel matrix.
    gamma, degree, coef0
        Of the kernel; ``gamma`` is 1 / d if None.
    fit_intercept : bool
        Whether there is a bias b, which is not penalised. False as in scikit-learn, which has no such parameter.

    Attributes
    ----------
    dual_coef_ : (n,) or (n, q) array
        One coefficient for each training row; none is 0 in general, but that of a row without weight is.
    intercept_ : float or (q,) array
        0.0 without ``fit_intercept``.
    X_fit_ : (n, d) array
        The training rows, which every prediction needs.
    n_features_in_ : int

    Notes
    -----
    O(n^2 d + n^3 / 3) time and O(n^2) memory; O(n d) for each prediction. Several targets share the factor of the
    matrix, and ``alpha`` (in scikit-learn it may differ). :func:`loo_residuals` and :func:`leave_one_out_path` hold for
    each target of a fit without weights.

    Examples
    --------
    >>> model = KernelRidge(1e-6, kernel="poly", degree=2).fit([[-1], [0], [1], [2]], [1, 0, 1, 4])
    >>> model.predict([[1.5]]).round(3)
    array([2.25])
    """

    def __init__(
        self, alpha: float = 1.0, *, kernel: Kernel = "linear", gamma: float | None = None, degree: int = 3,
        coef0: float = 1.0, fit_intercept: bool = False,
    ) -> None:  # fmt: skip
        self.alpha, self.kernel, self.gamma, self.degree, self.coef0 = alpha, kernel, gamma, degree, coef0
        self.fit_intercept = fit_intercept

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> KernelRidge:
        """Compute the kernel matrix and solve.

        Parameters
        ----------
        X : (n, d) array
            The (n, n) kernel matrix if it is precomputed.
        y : (n,) or (n, q) array
            One target, or q of them.
        sample_weight : (n,) array, optional
            Not negative; with the same ``alpha``, weight 2 is the same as the row twice, and 0 leaves it out.

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; a weight below 0, or none above; a precomputed or callable kernel that is not
            positive semi-definite on X; a kernel matrix that is singular to rounding with an ``alpha`` too small to
            mend that.
        """
        alpha = check_real(self.alpha, "alpha")
        X, y = validate_data(self, X, y, dtype=float, y_numeric=True, multi_output=True)
        root = np.sqrt(check_weights(sample_weight, len(X)))
        K = self._gram(X)
        if self.kernel == "precomputed" or callable(self.kernel):
            K = K.copy()  # it belongs to the caller
        if sample_weight is not None:
            K *= root
            K *= root[:, None]
        factor = _factor(K, alpha)
        self.dual_coef_, self.intercept_ = _solve(factor, np.asarray(y, dtype=float), self.fit_intercept, root)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Predictions (n,) or (n, q), in units of y; X holds kernel values if the kernel is precomputed."""
        scores = self._scores(X, slice(None))
        return scores + self.intercept_  # kernel-ridge-prediction, kernel-ridge-bias


def _problem(K: ArrayLike, y: ArrayLike, alpha: float) -> tuple[FloatArray, FloatArray, float]:
    K = check_symmetric(K, "K")
    return K, check_vector(y, "y", len(K)), check_real(alpha, "alpha")


def _two_rows(y: FloatArray, fit_intercept: bool) -> None:
    if fit_intercept and len(y) < 2:
        raise ValueError("y must hold at least two targets: without its only one there is no intercept to fit.")


def _factor(A: FloatArray, alpha: float) -> tuple[FloatArray, bool]:
    """Cholesky factor of ``A + alpha I``, in place; refuses pivots that are rounding errors."""
    A.flat[:: len(A) + 1] += alpha
    own = A.diagonal().copy()
    try:
        factor = cho_factor(A.T, lower=True, overwrite_a=True, check_finite=False)  # the transpose is not copied
        sound = bool((factor[0].diagonal() ** 2 > 10 * len(A) * EPS * own).all())
    except np.linalg.LinAlgError:
        sound = False
    if not sound:
        raise ValueError(
            "the kernel matrix is singular (repeated rows, or fewer features than rows) or indefinite, and "
            f"alpha={alpha:g} does not mend that: increase alpha."
        )
    return factor


def _solve(
    factor: tuple[FloatArray, bool], y: FloatArray, fit_intercept: bool, root: FloatArray | None = None
) -> KernelSolution:
    """The solution for one target (n,) or several (n, q); arrays of several.

    Rows and targets times the ``root`` (n,) of their weights make a problem without weights; ``root`` is then in the
    place of the ones.
    """
    root = np.ones(len(y)) if root is None else root
    scaled = (root * y.T).T
    if not fit_intercept:
        a = root * cho_solve(factor, scaled, check_finite=False).T
        return KernelSolution(a.T, 0.0)  # kernel-ridge-solution
    solved = cho_solve(factor, np.column_stack([scaled, root]), check_finite=False).T
    v, u = solved[:-1].reshape(y.T.shape), solved[-1]
    b = (root * v).sum(axis=-1) / (root * u).sum()
    a = root * (v - np.multiply.outer(b, u))
    return KernelSolution(a.T, b if y.ndim > 1 else float(b))  # kernel-ridge-bias


def _spectrum(K: FloatArray, fit_intercept: bool) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues and vectors of K, or of the centred K without its eigenvector of ones."""
    if not fit_intercept:
        values, U = np.linalg.eigh(K)
        return values, U
    K = center_kernel(K)
    above = 1.0 + 2.0 * K.trace()  # lifts the ones above all other eigenvalues, so that they come last
    values, U = np.linalg.eigh(K + above / len(K))
    return values[:-1], U[:, :-1]

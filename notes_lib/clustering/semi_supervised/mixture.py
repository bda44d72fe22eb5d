"""One Gaussian a class, fitted by EM to rows of which some have a label."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from notes_lib.checks import FloatArray, check_choice, check_integer, check_real
from notes_lib.clustering.gmm import EStep, MStep, e_step, log_component_densities, m_step
from notes_lib.clustering.semi_supervised.checks import check_partial_codes, check_partial_labels

TYPES = ("full", "tied", "diag", "spherical")


def clamped_e_step(X: ArrayLike, y: ArrayLike, theta: MStep, covariance_type: str = "full") -> EStep:
    """Responsibilities: the label where there is one, else the posterior; :eq:`semi-supervised-e-step`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array of int
        Codes 0, ..., K - 1 of the classes, -1 for unlabelled.
    theta : MStep or (weights, means, covariances)
        One Gaussian a class.
    covariance_type : str

    Returns
    -------
    EStep
        ``responsibilities`` (n, K); ``log_likelihood`` (n,), nats: log p(x_n, y_n) of a row with a label, log p(x_n) of
        one without.

    Raises
    ------
    ValueError
        As :func:`notes_lib.clustering.gmm.e_step`; if y does not fit.

    Notes
    -----
    O(n K d^2 + K d^3) time, O(n K) memory.

    Examples
    --------
    >>> theta = ([0.5, 0.5], [[0.0], [2.0]], [1.0, 1.0])
    >>> clamped_e_step([[0.0], [0.0]], [1, -1], theta, "spherical").responsibilities.round(3)
    array([[0.   , 1.   ],
           [0.881, 0.119]])
    """
    weights, means, covariances = theta
    step = e_step(X, weights, means, covariances, covariance_type)
    codes = check_partial_codes(y, len(step.log_likelihood))
    known = np.flatnonzero(codes >= 0)
    K = step.responsibilities.shape[1]
    if codes.max() >= K:
        raise ValueError(f"y holds the code {codes.max()}, but theta has {K} classes: codes are 0 to {K - 1}, or -1.")
    gamma, log_p = step.responsibilities.copy(), step.log_likelihood.copy()
    if known.size:
        k = codes[known]
        rows = np.asarray(X, dtype=float)[known]
        density = log_component_densities(rows, means, covariances, covariance_type)
        with np.errstate(divide="ignore"):
            log_p[known] = np.log(np.asarray(weights, dtype=float))[k] + density[np.arange(len(k)), k]
        gamma[known] = np.eye(K)[k]
    return EStep(gamma, log_p)


def weighted_m_step(
    X: ArrayLike, responsibilities: ArrayLike, row_weights: ArrayLike, covariance_type: str = "full",
    reg_covar: float = 1e-6,
) -> MStep:  # fmt: skip
    """Shares, means and covariances in which row n counts ``row_weights[n]`` times.

    Implements :eq:`semi-supervised-count`, :eq:`semi-supervised-mean`, :eq:`semi-supervised-covariance` and
    :eq:`semi-supervised-share`, by the M-step of the mixture of Gaussians.

    Parameters
    ----------
    X : (n, d) array
    responsibilities : (n, K) array
        Rows sum to 1.
    row_weights : (n,) array
        Not negative: 1 for a labelled row, lambda for the others.
    covariance_type : str
    reg_covar : float

    Returns
    -------
    MStep

    Raises
    ------
    ValueError
        As :func:`notes_lib.clustering.gmm.m_step`.

    Examples
    --------
    >>> weighted_m_step([[0.0], [3.0], [5.0]], [[1, 0], [1, 0], [0, 1]], [1, 0.5, 1.5], "spherical").means
    array([[1.],
           [5.]])
    """
    v = np.asarray(row_weights, dtype=float)
    gamma = np.asarray(responsibilities, dtype=float) * (v * (len(v) / v.sum()))[:, None]  # adds up to n again
    return m_step(X, gamma, covariance_type, reg_covar)


class SemiSupervisedMixture(ClassifierMixin, BaseEstimator):
    """One Gaussian a class, started from the labelled rows, improved by EM on all rows.

    EM raises :eq:`semi-supervised-likelihood`, in which a row without a label counts ``unlabeled_weight`` times: 0 is
    the fit to the labelled rows alone. With ``reg_covar=0`` the objective never falls, :eq:`semi-supervised-monotone`.

    Parameters
    ----------
    covariance_type : {'full', 'tied', 'diag', 'spherical'}
    unlabeled_weight : float
        At least 0; lambda in the chapter. 1 counts all rows alike.
    tol : float
        Stop when the mean log-likelihood (nats for a unit of weight) changes by less; 0 runs all iterations.
    reg_covar : float
        Added to the diagonal of every covariance, in units of X squared.
    max_iter : int

    Attributes
    ----------
    classes_ : (K,) array
    weights_ : (K,) array
    means_ : (K, d) array
    covariances_ : array
        (K, d, d), (d, d), (K, d) or (K,) by ``covariance_type``.
    label_distributions_ : (n, K) array
        Responsibilities of the training rows, labels included.
    transduction_ : (n,) array
        Class of every training row: its label, or the most probable class.
    converged_ : bool
    n_iter_ : int
    lower_bounds_ : list of float
        Objective at the start of each iteration, divided by the sum of the weights of all rows, nats.
    lower_bound_ : float
        The last one.
    n_features_in_ : int

    Notes
    -----
    O(n K d^2 + K d^3) time for an iteration, O(n K) memory. Shares, means and covariances start at those of the
    labelled rows; the covariance of a class with at most d of them, where it would be singular, at that of all rows.
    Source: Nigam, McCallum, Thrun and Mitchell (2000).

    Examples
    --------
    >>> X, y = [[0.0], [0.4], [0.8], [3.0], [3.4], [3.8]], [0, -1, -1, -1, -1, 1]
    >>> SemiSupervisedMixture().fit(X, y).predict([[1.0], [2.9]])
    array([0, 1])
    """

    def __init__(
        self,
        covariance_type: str = "full",
        *,
        unlabeled_weight: float = 1.0,
        tol: float = 1e-6,
        reg_covar: float = 1e-6,
        max_iter: int = 500,
    ) -> None:
        self.covariance_type = covariance_type
        self.unlabeled_weight = unlabeled_weight
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter

    def fit(self, X: ArrayLike, y: ArrayLike) -> SemiSupervisedMixture:
        """Run EM from the labelled rows.

        Parameters
        ----------
        X : (n, d) array
        y : (n,) array
            Labels of any type; -1 means unlabelled (in an array of objects if the labels are text).

        Raises
        ------
        TypeError, ValueError
            Bad data or hyper-parameter; no label at all; labels of one class only; a covariance that became singular.
        """
        check_choice(self.covariance_type, "covariance_type", TYPES)
        for name in ("unlabeled_weight", "tol", "reg_covar"):
            check_real(getattr(self, name), name)
        check_integer(self.max_iter, "max_iter")
        A, y = validate_data(self, X, y, dtype="numeric")
        A = np.asarray(A, dtype=float)
        self.classes_, codes = check_partial_labels(y)
        v = np.where(codes < 0, float(self.unlabeled_weight), 1.0)
        theta, self.lower_bounds_, self.converged_ = self._start(A, codes), [], False
        for _ in range(self.max_iter):
            step = clamped_e_step(A, codes, theta, self.covariance_type)
            theta = weighted_m_step(A, step.responsibilities, v, self.covariance_type, self.reg_covar)
            self.lower_bounds_.append(float(v @ step.log_likelihood / v.sum()))
            if len(self.lower_bounds_) > 1 and abs(self.lower_bounds_[-1] - self.lower_bounds_[-2]) < self.tol:
                self.converged_ = True
                break
        self.weights_, self.means_, self.covariances_ = theta
        self.n_iter_, self.lower_bound_ = len(self.lower_bounds_), self.lower_bounds_[-1]
        self.label_distributions_ = clamped_e_step(A, codes, theta, self.covariance_type).responsibilities
        self.transduction_ = self.classes_[self.label_distributions_.argmax(axis=1)]
        if not self.converged_:
            message = f"EM did not reach tol={self.tol} in max_iter={self.max_iter} iterations: raise one of them."
            warnings.warn(message, ConvergenceWarning, stacklevel=2)
        return self

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """Posterior probability (m, K) of each class for every row."""
        check_is_fitted(self)
        Q = np.asarray(validate_data(self, X, dtype="numeric", reset=False), dtype=float)
        return e_step(Q, self.weights_, self.means_, self.covariances_, self.covariance_type).responsibilities

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Most probable class (m,) of every row; the first one in a tie."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])

    def _start(self, X: FloatArray, codes: np.ndarray) -> MStep:
        """Parameters of the labelled rows alone."""
        known, kind = codes >= 0, self.covariance_type
        theta = m_step(X[known], np.eye(len(self.classes_))[codes[known]], kind, self.reg_covar)
        whole: Any = m_step(X, np.ones((len(X), 1)), kind, self.reg_covar).covariances
        if kind == "tied":
            few: Any = known.sum() < X.shape[1] + len(self.classes_)
            return theta._replace(covariances=whole) if few else theta
        few = np.bincount(codes[known]) <= (X.shape[1] if kind == "full" else 1)
        theta.covariances[few] = whole[0]
        return theta

"""Step functions of the chapter *Gaussian discriminant analysis*, in the order of its derivation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import solve_triangular
from scipy.special import ndtr
from sklearn.utils.validation import check_X_y

from notes_lib.checks import FloatArray, check_distribution, check_matrix, check_real, check_shape, class_codes
from notes_lib.foundations.linear_algebra import cholesky_solve
from notes_lib.foundations.multivariate_gaussian import gaussian_mle_multivariate
from notes_lib.linear.fisher_lda import SINGULAR, shrunk_scatter
from notes_lib.numerics import cholesky_factor, row_blocks


class ClassGaussians(NamedTuple):
    """Result of :func:`class_gaussians`: ``priors`` (K,), ``means`` (K, d), ``covariances`` (K, d, d), ``pooled``."""

    priors: FloatArray
    means: FloatArray
    covariances: FloatArray
    pooled: FloatArray


class LinearScores(NamedTuple):
    """Linear functions of x: ``coef`` holds the weights, ``intercept`` the constants."""

    coef: FloatArray
    intercept: Any


def class_gaussians(X: ArrayLike, y: ArrayLike) -> ClassGaussians:
    """Priors, means and covariances that maximise the joint likelihood of instances and labels.

    Implements :eq:`gaussian-discriminant-priors`, :eq:`gaussian-discriminant-mle` and
    :eq:`gaussian-discriminant-pooled`; the class shares, and for each class the Gaussian of
    :func:`~notes_lib.foundations.multivariate_gaussian.gaussian_mle_multivariate`.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array
        Labels of any type; at least two classes, each with more than d rows.

    Returns
    -------
    ClassGaussians
        Classes in sorted order. Divisors are N_k in ``covariances`` and n in ``pooled``, not N_k - 1 and n - K.

    Raises
    ------
    ValueError
        If X holds NaN or infinity or does not fit y, there is one class only, or a class has a singular covariance
        (names the class, the cause and the remedy).

    Notes
    -----
    O(n d^2) time.

    Examples
    --------
    >>> fit = class_gaussians([[0.0], [2.0], [5.0], [9.0]], ["a", "a", "b", "b"])
    >>> fit.means.tolist(), fit.covariances.ravel().tolist(), fit.pooled.tolist()
    ([[1.0], [7.0]], [1.0, 4.0], [[2.5]])
    """
    X, y = check_X_y(X, y, dtype="numeric")
    classes, codes = class_codes(y)
    return fitted_classes(np.asarray(X, dtype=float), codes, classes)


def fitted_classes(X: FloatArray, codes: np.ndarray, classes: np.ndarray, regular: bool = False) -> ClassGaussians:
    """The same for labels 0..K-1; with ``regular`` a singular covariance is let through, to be regularised."""
    counts = np.bincount(codes, minlength=len(classes))
    fits = []
    for k, label in enumerate(classes):
        rows = X[codes == k]
        try:
            fits.append(_moments(rows) if regular else gaussian_mle_multivariate(rows))  # gaussian-discriminant-mle
        except ValueError as error:
            raise ValueError(
                f"class {label!s}: {error} Or regularise: set pooling or shrinkage to a positive number."
            ) from error
    priors = counts / counts.sum()  # gaussian-discriminant-priors
    means, covariances = (np.array(part) for part in zip(*fits, strict=True))
    pooled = np.tensordot(priors, covariances, axes=1)  # gaussian-discriminant-pooled
    return ClassGaussians(priors, means, covariances, pooled)


def _moments(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and covariance (divisor n), whatever its rank."""
    mu = X.mean(axis=0)
    D = X - mu
    return mu, D.T @ D / len(X)


def lda_coefficients(means: ArrayLike, covariance: ArrayLike, priors: ArrayLike) -> LinearScores:
    """Weights and constant of each class's linear score; :eq:`gaussian-discriminant-lda-score`.

    Parameters
    ----------
    means : (K, d) array
    covariance : (d, d) array
        Common to all classes; symmetric positive definite.
    priors : (K,) array
        Positive, with sum 1.

    Returns
    -------
    LinearScores
        ``coef`` (K, d), ``intercept`` (K,): the score of class k is ``x @ coef[k] + intercept[k]``. Only differences
        between classes have a meaning: the log-odds.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, or ``priors`` is not a distribution.
    NotPositiveDefiniteError
        If ``covariance`` is singular; a ``ValueError`` with the ``index`` of the column.

    Notes
    -----
    O(d^3 / 3 + K d^2) time: one Cholesky factor, no inverse.

    Examples
    --------
    >>> coef, intercept = lda_coefficients([[0.0], [2.0]], [[1.0]], [0.5, 0.5])
    >>> coef.tolist(), intercept.round(3).tolist()
    ([[0.0], [2.0]], [-0.693, -2.693])
    """
    M = check_matrix(means, "means")
    pi = check_distribution(priors, "priors", (len(M),), positive=True)
    W = cholesky_solve(check_shape(covariance, "covariance", (M.shape[1],) * 2), M.T, tol=SINGULAR).T  # Sigma^-1 mu_k
    return LinearScores(W, np.log(pi) - 0.5 * np.einsum("kd,kd->k", M, W))  # gaussian-discriminant-lda-score


def logistic_parameters(means: ArrayLike, covariance: ArrayLike, priors: ArrayLike) -> LinearScores:
    """Weights and bias of the logistic posterior of the second of two classes; :eq:`gaussian-discriminant-bias`.

    Parameters
    ----------
    means : (2, d) array
    covariance : (d, d) array
    priors : (2,) array

    Returns
    -------
    LinearScores
        ``coef`` (d,) and ``intercept``, a float: ``p(2 | x) = 1 / (1 + exp(-(coef @ x + intercept)))``, and the border
        is where the exponent is 0.

    Raises
    ------
    ValueError
        As :func:`lda_coefficients`, and if there are not two classes.

    Examples
    --------
    >>> w, b = logistic_parameters([[0.0, 0.0], [2.0, 0.0]], np.eye(2), [0.2, 0.8])
    >>> w.tolist(), round(b, 4)  # -2 + log 4
    ([2.0, 0.0], -0.6137)
    """
    M = check_shape(means, "means", (2, None))
    pi = check_distribution(priors, "priors", (2,), positive=True)
    Sigma = check_shape(covariance, "covariance", (M.shape[1],) * 2)
    w = cholesky_solve(Sigma, M[1] - M[0], tol=SINGULAR)  # gaussian-discriminant-weights
    b = -0.5 * w @ (M[0] + M[1]) + np.log(pi[1] / pi[0])  # gaussian-discriminant-bias
    return LinearScores(w, float(b))


def lda_error(means: ArrayLike, covariance: ArrayLike, priors: ArrayLike) -> float:
    """Smallest possible error for two Gaussian classes with one covariance; :eq:`gaussian-discriminant-bayes-error`.

    Parameters
    ----------
    means : (2, d) array
        Two different means.
    covariance : (d, d) array
    priors : (2,) array

    Returns
    -------
    float
        Probability that the rule with the true parameters is wrong.

    Raises
    ------
    ValueError
        As :func:`logistic_parameters`, and if the means are equal.

    Examples
    --------
    >>> round(lda_error([[0.0], [2.0]], [[1.0]], [0.5, 0.5]), 4)
    0.1587
    """
    w, _ = logistic_parameters(means, covariance, priors)
    M, pi = np.asarray(means, dtype=float), np.asarray(priors, dtype=float)
    Delta = np.sqrt(w @ (M[1] - M[0]))  # Mahalanobis distance of the means
    if Delta == 0:
        raise ValueError("means must differ: with equal means the rule always says the more frequent class.")
    shift = np.log(pi[1] / pi[0]) / Delta
    return float(pi[0] * ndtr(-Delta / 2 + shift) + pi[1] * ndtr(-Delta / 2 - shift))


def qda_scores(X: ArrayLike, means: ArrayLike, covariances: ArrayLike, priors: ArrayLike) -> FloatArray:
    """Log of prior times Gaussian density of each class; :eq:`gaussian-discriminant-qda-score`.

    Parameters
    ----------
    X : (n, d) array
    means : (K, d) array
    covariances : (K, d, d) array
        Each symmetric positive definite.
    priors : (K,) array

    Returns
    -------
    (n, K) array
        In nats, without the constant ``-d/2 log(2 pi)`` that all classes share.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is not finite, a covariance is singular, or ``priors`` is no distribution.

    Notes
    -----
    O(K d^3 / 3 + n K d^2) time: a Cholesky factor for each class, no inverse and no determinant.

    Examples
    --------
    >>> qda_scores([[0.0]], [[0.0], [0.0]], [[[1.0]], [[4.0]]], [0.5, 0.5]).round(3)
    array([[-0.693, -1.386]])
    """
    M = check_matrix(means, "means")
    K, d = M.shape
    X = check_shape(X, "X", (None, d))
    pi = check_distribution(priors, "priors", (K,), positive=True)
    S = check_shape(covariances, "covariances", (K, d, d))
    return factored_scores(X, M, [cholesky_factor(S[k], f"covariances[{k}]") for k in range(K)], pi)


def factored_scores(X: FloatArray, means: FloatArray, factors: list[FloatArray], priors: FloatArray) -> FloatArray:
    """The same from the Cholesky factors, for all classes block by block, while the rows are in the cache."""
    whiten = [solve_triangular(L, np.eye(len(L)), lower=True) for L in factors]  # L^-1
    origins = [W @ mu for W, mu in zip(whiten, means, strict=True)]
    scores = np.empty((len(X), len(means)))
    for rows in row_blocks(len(X)):
        D = X[rows].T
        for k, (W, origin) in enumerate(zip(whiten, origins, strict=True)):
            Z = W @ D  # (d, rows)
            Z -= origin[:, None]
            Z *= Z
            scores[rows, k] = Z.sum(axis=0)  # squared Mahalanobis distances
    half_log_dets = [np.log(np.diag(L)).sum() for L in factors]
    return np.log(priors) - half_log_dets - 0.5 * scores  # gaussian-discriminant-qda-score


def regularized_covariances(
    covariances: ArrayLike, pooled: ArrayLike, pooling: float = 0.0, shrinkage: float = 0.0
) -> FloatArray:
    """Class covariances drawn to the pooled one, then to a multiple of the identity; :eq:`gaussian-discriminant-rda`.

    Parameters
    ----------
    covariances : (K, d, d) array
    pooled : (d, d) array
    pooling : float
        From 0 (each class its own, QDA) to 1 (the pooled one for all, LDA).
    shrinkage : float
        From 0 to 1 (every class a multiple of the identity, with the trace that it had).

    Returns
    -------
    (K, d, d) array

    Raises
    ------
    TypeError, ValueError
        If a share is not a number from 0 to 1, or a shape does not fit.

    Examples
    --------
    >>> regularized_covariances([[[1.0]], [[3.0]]], [[2.0]], pooling=0.5).ravel()
    array([1.5, 2.5])
    """
    alpha = check_share(pooling, "pooling")
    Sigma = check_matrix(pooled, "pooled", square=True)
    S = check_shape(covariances, "covariances", (None, *Sigma.shape))
    mixed = (1 - alpha) * S + alpha * Sigma
    return np.array([shrunk_scatter(A, shrinkage) for A in mixed])  # gaussian-discriminant-rda


def check_share(value: Any, name: str) -> float:
    """A number from 0 to 1."""
    share = check_real(value, name)
    if share > 1:
        raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}.")
    return share

"""The search: L-BFGS in coordinates in which the Hessian at zero weights is the identity, with or without weights."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray
from notes_lib.linear.logistic_regression.multinomial import Fitted, coordinates, fit_classes, minimise
from notes_lib.linear.softmax_regression.steps import one_hot

__all__ = ["coordinates", "fit_weights", "objective"]


def fit_weights(
    X: FloatArray,
    codes: IntArray,
    K: int,
    penalty: FloatArray,
    max_iter: int,
    tol: float,
    v: FloatArray | None = None,
) -> Fitted:
    """Minimise the mean of :eq:`softmax-regression-penalised`, from zero weights.

    Parameters
    ----------
    X : (n, d) array
        With a column of ones if there is a bias.
    codes : (n,) array of int
    penalty : (d,) array
        For the *sum* of the losses, 0 for the bias.
    max_iter : int
    tol : float
        Largest entry of the gradient, of the mean loss by the new coordinates, at which to stop.
    v : (n,) array, positive, or None
        Weights of the rows.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` does not suffice, or nothing is penalised and the weights have no limit.
    """
    if v is None:
        T = coordinates(X, penalty, K)
        found = minimise(objective(X, one_hot(codes, K), penalty, T), X, codes, K, penalty, T, max_iter, tol)
    else:
        found = fit_classes(X, codes, K, v, penalty, max_iter, tol)
    if found.separable:
        warnings.warn(
            "the classes are linearly separable, or some of them nearly: without a penalty the likelihood has no "
            "maximum and the weights grow for ever. Set C to a finite number, such as 1.",
            ConvergenceWarning, stacklevel=3,
        )  # fmt: skip
    return found


def objective(
    X: FloatArray, Y: FloatArray, penalty: FloatArray, T: FloatArray
) -> Callable[[FloatArray], tuple[float, FloatArray]]:
    """Mean loss and its gradient, :eq:`softmax-regression-gradient`, as functions of ``V.ravel()``."""
    n, K = Y.shape
    A = X @ T
    At = np.ascontiguousarray(A.T) / n

    def value_and_gradient(v: FloatArray) -> tuple[float, FloatArray]:
        V = v.reshape(K, -1)
        W = V @ T.T
        P = A @ V.T
        P -= P.max(axis=1, keepdims=True)
        loss = -np.vdot(P, Y)
        np.exp(P, out=P)
        total = P.sum(axis=1, keepdims=True)
        loss += np.log(total).sum()  # softmax-regression-log-sum-exp
        P /= total
        P -= Y
        pull = penalty * W / n
        return float(loss / n + 0.5 * np.vdot(pull, W)), ((At @ P).T + pull @ T).ravel()

    return value_and_gradient

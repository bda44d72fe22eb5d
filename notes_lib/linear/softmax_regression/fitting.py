"""L-BFGS in coordinates in which the Hessian at zero weights is the identity: about a third of the iterations."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray
from notes_lib.foundations.descent import lbfgs
from notes_lib.linear.softmax_regression.steps import one_hot
from notes_lib.numerics import cholesky_factor

MEMORY = 20  # steps that L-BFGS remembers
SLACK = 0.01  # how much a direction may lower a score, by how much it raises others, and count as separating


class Fitted(NamedTuple):
    """Weights ``W`` (K, d) where the search stopped, and its iterations ``n_iter``."""

    W: FloatArray
    n_iter: int


def fit_weights(X: FloatArray, codes: IntArray, K: int, penalty: FloatArray, max_iter: int, tol: float) -> Fitted:
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

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` does not suffice, or nothing is penalised and the weights have no limit.
    """
    T = coordinates(X, penalty, K)
    fun = objective(X, one_hot(codes, K), penalty, T)
    start = np.zeros(K * len(T))
    found = lbfgs(fun, start, jac=True, maxcor=MEMORY, max_iter=max_iter, tol=tol)
    W = found.x.reshape(K, -1) @ T.T
    if penalty.any():
        return Fitted(W, found.n_iter)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the run above has said it
        rough = lbfgs(fun, start, jac=True, maxcor=MEMORY, max_iter=max_iter, tol=100 * tol)
    last_way = W - rough.x.reshape(K, -1) @ T.T  # where the weights were still going: on for ever, if it separates
    if _separates(W, X, codes) or _separates(last_way, X, codes, SLACK):
        warnings.warn(
            "the classes are linearly separable, or some of them nearly: without a penalty the likelihood has no "
            "maximum and the weights grow for ever. Set C to a finite number, such as 1.",
            ConvergenceWarning, stacklevel=3,
        )  # fmt: skip
    return Fitted(W, found.n_iter)


def coordinates(X: FloatArray, penalty: FloatArray, K: int) -> FloatArray:
    """Matrix ``T`` (d, d): with ``W = V T'`` the Hessian by ``V`` at zero is the identity, up to the classes' own part.

    Implements :eq:`softmax-regression-start`. Columns that are copies of others get a weight all the same, because a
    tiny part of the diagonal is added.
    """
    M = (X.T @ X / K + np.diag(penalty)) / len(X)
    scale = np.sqrt(np.where(M.diagonal() > 0, M.diagonal(), 1.0))
    M /= np.outer(scale, scale)
    L = cholesky_factor(M + 1e-10 * np.eye(len(M)))
    return np.linalg.solve(L, np.diag(1.0 / scale)).T


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


def _separates(W: FloatArray, X: FloatArray, codes: IntArray, slack: float = 0.0) -> bool:
    """Whether each instance's own class has the only largest score: then multiples of ``W`` have less and less loss.

    With slack a class may also have equal scores, up to that part of the largest lead: it is no longer a proof.
    """
    scores = X @ W.T
    leads = scores[np.arange(len(X)), codes][:, None] - scores
    leads[np.arange(len(X)), codes] = np.inf
    worst = leads.min()
    return bool(worst > 0 or (slack and -worst < slack * leads[np.isfinite(leads)].max()))

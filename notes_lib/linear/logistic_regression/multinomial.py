"""More than two classes at once: a linear score for each, their softmax, and the fit of all scores together.

The chapter *Softmax regression* derives the loss and the coordinates. Here rows have weights, and the search is L-BFGS:
in coordinates in which the Hessian at zero weights is the identity it takes about a third of the iterations.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import log_softmax
from sklearn.exceptions import ConvergenceWarning

from notes_lib.checks import FloatArray, IntArray
from notes_lib.foundations.descent import lbfgs
from notes_lib.numerics import cholesky_factor

MEMORY = 20  # steps that L-BFGS remembers
SLACK = 0.01  # how much a direction may lower a score, by how much it raises others, and count as separating

Loss = Callable[[FloatArray], tuple[float, FloatArray]]  # value and gradient


class Fitted(NamedTuple):
    """Weights ``W`` (K, d) where the search stopped, the mean loss before each iteration and at the end.

    ``separable`` says that nothing is penalised and the weights were on their way to infinity.
    """

    W: FloatArray
    objective: FloatArray
    converged: bool
    separable: bool


def fit_classes(
    X: FloatArray, codes: IntArray, K: int, v: FloatArray, penalty: FloatArray, max_iter: int, tol: float
) -> Fitted:
    """Minimise the mean of :eq:`softmax-regression-penalised` over rows with weights, from zero weights.

    Parameters
    ----------
    X : (n, d) array
        With a column of ones if there is a bias.
    codes : (n,) array of int
    K : int
        Number of classes.
    v : (n,) array, positive
        Weights of the rows.
    penalty : (d,) array
        For the *sum* of the losses, 0 for the bias.
    max_iter : int
    tol : float
        Largest entry of the gradient, of the mean loss by the new coordinates, at which to stop.
    """
    T = coordinates(X, penalty, K, v)
    return minimise(weighted_objective(X, codes, K, v, penalty, T), X, codes, K, penalty, T, max_iter, tol)


def minimise(
    fun: Loss, X: FloatArray, codes: IntArray, K: int, penalty: FloatArray, T: FloatArray, max_iter: int, tol: float
) -> Fitted:
    """Minimise a mean loss over the coordinates ``V`` with ``W = V T'``, and look where unpenalised weights were going.

    Warns
    -----
    ConvergenceWarning
        If ``max_iter`` does not suffice.
    """
    start = np.zeros(K * len(T))
    found = lbfgs(fun, start, jac=True, maxcor=MEMORY, max_iter=max_iter, tol=tol)
    W = found.x.reshape(K, -1) @ T.T
    if penalty.any():
        return Fitted(W, found.objective, found.converged, False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the run above has said it
        rough = lbfgs(fun, start, jac=True, maxcor=MEMORY, max_iter=max_iter, tol=100 * tol)
    last_way = W - rough.x.reshape(K, -1) @ T.T  # where the weights were still going: on for ever, if it separates
    separable = separates(W, X, codes) or separates(last_way, X, codes, SLACK)
    return Fitted(W, found.objective, found.converged, separable)


def coordinates(X: FloatArray, penalty: FloatArray, K: int, v: FloatArray | None = None) -> FloatArray:
    """Matrix ``T`` (d, d): with ``W = V T'`` the Hessian by ``V`` at zero is the identity, up to the classes' own part.

    Implements :eq:`softmax-regression-start`, for rows with weights ``v`` if they have some. Columns that are copies of
    others get a weight all the same, because a tiny part of the diagonal is added.
    """
    S, total = (X.T @ X, len(X)) if v is None else ((v * X.T) @ X, v.sum())
    M = (S / K + np.diag(penalty)) / total
    scale = np.sqrt(np.where(M.diagonal() > 0, M.diagonal(), 1.0))
    M /= np.outer(scale, scale)
    L = cholesky_factor(M + 1e-10 * np.eye(len(M)))
    return np.linalg.solve(L, np.diag(1.0 / scale)).T


def weighted_objective(
    X: FloatArray, codes: IntArray, K: int, v: FloatArray, penalty: FloatArray, T: FloatArray
) -> Loss:
    """Mean loss of rows with weights ``v``, and its gradient, as functions of ``V.ravel()``."""
    own, share = (np.arange(len(X)), codes), v / v.sum()
    A, pull = X @ T, penalty / v.sum()
    At = np.ascontiguousarray((share[:, None] * A).T)

    def value_and_gradient(u: FloatArray) -> tuple[float, FloatArray]:
        V = u.reshape(K, -1)
        W = V @ T.T
        L = log_softmax(A @ V.T, axis=1)
        P = np.exp(L)
        P[own] -= 1.0
        value = 0.5 * np.vdot(pull * W, W) - share @ L[own]
        return float(value), ((At @ P).T + (pull * W) @ T).ravel()  # softmax-regression-gradient

    return value_and_gradient


def separates(W: FloatArray, X: FloatArray, codes: IntArray, slack: float = 0.0) -> bool:
    """Whether each instance's own class has the only largest score: then multiples of ``W`` have less and less loss.

    With slack a class may also have equal scores, up to that part of the largest lead: it is no longer a proof.
    """
    scores = X @ W.T
    leads = scores[np.arange(len(X)), codes][:, None] - scores
    leads[np.arange(len(X)), codes] = np.inf
    worst = leads.min()
    return bool(worst > 0 or (slack and -worst < slack * leads[np.isfinite(leads)].max()))

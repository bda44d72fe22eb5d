"""Step functions of the support vector machine, one for each named equation of the chapter *Support vector machines*.

The fast forms in :mod:`notes_lib.kernels.svm.smo` and :mod:`notes_lib.kernels.svm.newton` take the same steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from notes_lib.checks import FloatArray, all_finite, check_signs
from notes_lib.kernels.svm.checks import check_pair, dual_arguments, prices
from notes_lib.linear.logistic_regression import pairwise_votes

FLOOR = 1e-12  # smallest curvature, relative to the largest k(x, x)
TIE = 1e-11  # candidates this close count as equal, so that rounding does not choose between them
REACHED = 1 + 1e-12  # a step that comes so close to a bound ends at it: what rounding leaves would count as free


class WorkingSet(NamedTuple):
    """Result of :func:`working_set`: two rows, and the largest KKT violation (negative or small: optimal)."""

    i: int
    j: int
    violation: float


class Step(NamedTuple):
    """Result of :func:`two_variable_step`: its length ``t``, and both multipliers after it."""

    t: float
    alpha_i: float
    alpha_j: float


class SquaredHinge(NamedTuple):
    """Result of :func:`squared_hinge`: ``value``, ``gradient`` (p,), ``hessian`` (p, p)."""

    value: float
    gradient: FloatArray
    hessian: FloatArray


def geometric_margin(w: ArrayLike, b: float, X: ArrayLike, y: ArrayLike) -> float:
    """Smallest signed distance of a row from the hyperplane ``w'x + b = 0``; :eq:`svm-geometric-margin`.

    Parameters
    ----------
    w : (d,) array
        Not 0; its length does not matter if b is scaled with it.
    b : float
    X : (n, d) array
    y : (n,) array
        -1 and 1.

    Returns
    -------
    float
        In units of X; negative if a row is on the wrong side.

    Raises
    ------
    ValueError
        If w is 0, w or b is not finite, a shape does not fit, or y holds anything but -1 and 1.

    Notes
    -----
    O(n d) time.

    Examples
    --------
    >>> round(geometric_margin([0.5, 0.5], -2.0, [[3, 3], [4, 3], [1, 1]], [1, 1, -1]), 4)
    1.4142
    """
    w, X, y = np.asarray(w, dtype=float), check_array(X, dtype=float), check_signs(y)
    if w.shape != X.shape[1:] or len(X) != len(y) or not w.any():
        raise ValueError(f"w must be a vector other than 0 that fits X, got w {w.shape}, X {X.shape}, y {y.shape}.")
    if not all_finite(w) or not np.isfinite(b):
        raise ValueError("w and b must be finite, got NaN or infinity.")
    largest = float(np.abs(w).max())  # its square may overflow, or underflow
    w = w / largest
    return float((y * (X @ w + b / largest)).min() / np.linalg.norm(w))  # svm-geometric-margin


def primal_objective(alpha: ArrayLike, b: float, K: ArrayLike, y: ArrayLike, C: ArrayLike) -> float:
    """``|w|^2 / 2 + sum_n C_n max(0, 1 - y_n f(x_n))`` for ``w = sum_n alpha_n y_n phi(x_n)``; :eq:`svm-hinge-risk`.

    Parameters
    ----------
    alpha : (n,) array
    b : float
    K : (n, n) array
        Kernel matrix of the rows; ``X @ X.T`` for the linear machine.
    y : (n,) array
        -1 and 1.
    C : float or (n,) array
        May be infinite; the value then is infinite too, unless no row has slack.

    Returns
    -------
    float
        Never below :func:`dual_objective` of a feasible alpha.

    Raises
    ------
    ValueError
        If a shape does not fit, a number is NaN, alpha, b or K is infinite, C is not positive, or y holds anything but
        -1 and 1.

    Notes
    -----
    O(n^2) time, O(n) memory.

    Examples
    --------
    >>> K = np.array([[18.0, 21.0, 6.0], [21.0, 25.0, 7.0], [6.0, 7.0, 2.0]])
    >>> primal_objective([0.25, 0.0, 0.25], -2.0, K, [1, 1, -1], C=10.0)
    0.25
    """
    alpha, K, y = dual_arguments(alpha, K, y)
    C_n = prices(C, y)
    if not np.isfinite(b):
        raise ValueError(f"b must be finite, got {b}.")
    beta = alpha * y
    scores = K @ beta  # svm-kernel-score, without b
    slack = np.maximum(0.0, 1.0 - y * (scores + b))  # svm-slack
    paid = slack > 0
    return float(0.5 * beta @ scores + C_n[paid] @ slack[paid])  # svm-hinge-risk


def dual_objective(alpha: ArrayLike, K: ArrayLike, y: ArrayLike) -> float:
    """``sum_n alpha_n - sum_nm alpha_n alpha_m y_n y_m K_nm / 2``; :eq:`svm-dual`.

    Parameters
    ----------
    alpha : (n,) array
        Meaningful for ``0 <= alpha <= C`` and ``y'alpha = 0``; neither is checked.
    K, y
        As in :func:`primal_objective`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        As in :func:`primal_objective`.

    Notes
    -----
    O(n^2) time, O(n) memory.

    Examples
    --------
    >>> dual_objective([1.0, 1.0], np.eye(2), [1, -1])
    1.0
    """
    alpha, K, y = dual_arguments(alpha, K, y)
    beta = alpha * y
    return float(alpha.sum() - 0.5 * beta @ K @ beta)  # svm-dual


def bias_candidates(alpha: ArrayLike, K: ArrayLike, y: ArrayLike) -> FloatArray:
    """For each row the bias that would put it exactly on its margin, ``F_n = y_n - sum_m alpha_m y_m K_nm``.

    Implements :eq:`svm-candidates`. ``y_n F_n`` is also the derivative of the dual objective by ``alpha_n``.

    Parameters
    ----------
    alpha, K, y
        As in :func:`primal_objective`.

    Returns
    -------
    (n,) array

    Raises
    ------
    ValueError
        As in :func:`primal_objective`.

    Notes
    -----
    O(n^2) time.

    Examples
    --------
    >>> bias_candidates([0.0, 0.0], np.eye(2), [1, -1])
    array([ 1., -1.])
    """
    alpha, K, y = dual_arguments(alpha, K, y)
    return y - K @ (alpha * y)  # svm-candidates


def bias_from_candidates(F: ArrayLike, alpha: ArrayLike, y: ArrayLike, C: ArrayLike) -> float:
    """Mean candidate of the free rows, ``0 < alpha_n < C_n``; without any, the middle of what KKT allows.

    Implements :eq:`svm-bias-free` and :eq:`svm-bias-interval`.

    Parameters
    ----------
    F : (n,) array
        From :func:`bias_candidates`.
    alpha, y, C
        As in :func:`primal_objective`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If a shape does not fit, F or alpha is not finite, C is not positive, or y does not hold both -1 and 1.

    Notes
    -----
    O(n) time.

    Examples
    --------
    >>> bias_from_candidates([-2.0, -3.0, -2.0], [0.25, 0.0, 0.25], [1, 1, -1], 10.0)
    -2.0
    """
    F, alpha, y, C, up, low = _sets(F, alpha, y, C)
    free = up & low
    if free.any():
        return float(F[free].mean())  # svm-bias-free
    return 0.5 * float(F[up].max() + F[low].min())  # svm-bias-interval


def working_set(F: ArrayLike, alpha: ArrayLike, y: ArrayLike, C: ArrayLike, K: ArrayLike) -> WorkingSet:
    """Pair of rows for the next step: the largest violator, and the partner that gains most with it.

    Implements :eq:`svm-up-low`, :eq:`svm-first-index` and :eq:`svm-second-index`.

    Parameters
    ----------
    F : (n,) array
        From :func:`bias_candidates`.
    alpha, y, C, K
        As in :func:`primal_objective`.

    Returns
    -------
    WorkingSet
        ``alpha[i]`` is to move along ``+y[i]`` and ``alpha[j]`` along ``-y[j]``, the first ones in a tie;
        :eq:`svm-stopping` is ``violation < tol``.

    Raises
    ------
    ValueError
        If a shape does not fit, F, alpha or K is not finite, C is not positive, or y does not hold both -1 and 1.

    Notes
    -----
    O(n) time besides the check that K is finite: one row of it is read.

    Examples
    --------
    >>> working_set([1.0, -1.0], [0.0, 0.0], [1, -1], 1.0, np.eye(2))
    WorkingSet(i=0, j=1, violation=2.0)
    """
    F, alpha, y, C, up, low = _sets(F, alpha, y, C)
    _, K, _ = dual_arguments(alpha, K, y)
    candidates = np.where(up, F, -np.inf)
    i = int((candidates >= candidates.max() - TIE * np.abs(F).max()).argmax())  # svm-first-index
    gain = np.where(low & (F[i] > F), (F[i] - F) ** 2, 0.0) / _curvature(K, i)
    j = int((gain >= (1.0 - TIE) * gain.max()).argmax())  # svm-second-index
    return WorkingSet(i, j, float(F[up].max() - F[low].min()))


def two_variable_step(F: ArrayLike, alpha: ArrayLike, y: ArrayLike, C: ArrayLike, K: ArrayLike, i: int, j: int) -> Step:
    """How far ``alpha_i += t y_i``, ``alpha_j -= t y_j`` climbs, clipped to the box; :eq:`svm-step`, :eq:`svm-clip`.

    Parameters
    ----------
    F, alpha, y, C, K
        As in :func:`working_set`.
    i, j : int
        The pair, with ``F[i] >= F[j]``.

    Returns
    -------
    Step
        ``t`` is positive for a violating pair, else 0; ``F - t (K[i] - K[j])`` are the new candidates
        (:eq:`svm-update`). A multiplier that reaches a bound has exactly its value, 0 or C: a rounding error short of
        it would count as free.

    Raises
    ------
    TypeError, ValueError
        As in :func:`working_set`; if i or j is no row, or ``F[i] < F[j]``, where a step would fall.

    Notes
    -----
    O(n) time besides the check that K is finite. The curvature of two rows with equal features is 0; a tiny number
    stands for it: the box ends the step.

    Examples
    --------
    >>> two_variable_step([1.0, -1.0], [0.0, 0.0], [1, -1], 10.0, np.eye(2), 0, 1)
    Step(t=1.0, alpha_i=1.0, alpha_j=1.0)
    """
    F, alpha, y, C, _, _ = _sets(F, alpha, y, C)
    _, K, _ = dual_arguments(alpha, K, y)
    check_pair(F, i, j)
    t = (F[i] - F[j]) / _curvature(K, i)[j]  # svm-step
    bound_i = C[i] if y[i] > 0 else 0.0
    bound_j = 0.0 if y[j] > 0 else C[j]
    room_i, room_j = abs(bound_i - alpha[i]), abs(bound_j - alpha[j])
    t = min(t, room_i, room_j)  # svm-clip
    new_i = bound_i if REACHED * t >= room_i else alpha[i] + t * y[i]
    new_j = bound_j if REACHED * t >= room_j else alpha[j] - t * y[j]
    return Step(float(t), float(new_i), float(new_j))


def one_vs_one_scores(scores: ArrayLike, n_classes: int) -> FloatArray:
    """Votes of all pairs of classes; ties are broken by the sum of the pairs' scores; :eq:`svm-one-vs-one`.

    Parameters
    ----------
    scores : (n, K (K - 1) / 2) array
        Column by column the pairs (0, 1), (0, 2), ..., (1, 2), ...; positive is a vote for the first class of a pair.
    n_classes : int
        K.

    Returns
    -------
    (n, K) array
        Number of votes, plus the sum of the scores squeezed into (-1/3, 1/3): it can only decide between equals.

    Raises
    ------
    TypeError, ValueError
        If there are not K (K - 1) / 2 columns, or ``n_classes`` is no integer from 2.

    Notes
    -----
    O(n K^2) time. The votes of :func:`~notes_lib.linear.logistic_regression.pairwise_votes`, whose scores are positive
    for the second class of a pair.

    Examples
    --------
    >>> one_vs_one_scores([[1.0, 2.0, -1.0]], 3).round(2)
    array([[ 2.25, -0.22,  0.83]])
    """
    return pairwise_votes(-check_array(scores, dtype=float), n_classes)  # svm-one-vs-one


def squared_hinge(w: ArrayLike, Z: ArrayLike, y: ArrayLike, C: ArrayLike) -> SquaredHinge:
    """``|w|^2 / 2 + sum_n C_n max(0, 1 - y_n w'z_n)^2`` with gradient and (generalised) Hessian.

    Implements :eq:`svm-squared-hinge`, :eq:`svm-newton-gradient` and :eq:`svm-newton-hessian`.

    Parameters
    ----------
    w : (p,) array
    Z : (n, p) array
        Rows with a constant column if there is a bias; its weight is then penalised like the others.
    y : (n,) array
        -1 and 1.
    C : float or (n,) array

    Returns
    -------
    SquaredHinge

    Raises
    ------
    ValueError
        If a shape does not fit, w or Z is not finite, C is not positive and finite, or y holds anything but -1 and 1.

    Notes
    -----
    O(n p^2) time, O(n p) memory.

    Examples
    --------
    >>> squared_hinge([0.0], [[2.0], [-1.0]], [1, -1], 1.0)
    SquaredHinge(value=2.0, gradient=array([-6.]), hessian=array([[11.]]))
    """
    w, Z, y = np.asarray(w, dtype=float), check_array(Z, dtype=float), check_signs(y)
    if w.shape != Z.shape[1:] or len(Z) != len(y):
        raise ValueError(f"w, Z and y must fit, got shapes {w.shape}, {Z.shape} and {y.shape}.")
    C = prices(C, y)
    if not all_finite(w) or not np.isfinite(C).all():
        raise ValueError(f"{'C' if all_finite(w) else 'w'} must be finite for the squared hinge.")
    slack = np.maximum(0.0, 1.0 - y * (Z @ w))
    inside = slack > 0
    value = 0.5 * w @ w + C @ slack**2  # svm-squared-hinge
    gradient = w - 2.0 * Z.T @ (C * y * slack)  # svm-newton-gradient
    hessian = np.eye(len(w)) + 2.0 * (Z[inside].T * C[inside]) @ Z[inside]  # svm-newton-hessian
    return SquaredHinge(float(value), gradient, hessian)


def _curvature(K: FloatArray, i: int) -> FloatArray:
    """``K_ii + K_tt - 2 K_it`` for all t, at least a small positive number."""
    diagonal = np.diag(K)
    floor = FLOOR * float(np.abs(diagonal).max()) or FLOOR
    return np.maximum(diagonal[i] + diagonal - 2.0 * K[i], floor)  # svm-curvature


def up_low(y: FloatArray, alpha: FloatArray, C: FloatArray) -> tuple[np.ndarray, np.ndarray]:
    """Masks of the two sets of :eq:`svm-up-low`: alpha may move along +y, and along -y."""
    may_grow, may_shrink = alpha < C, alpha > 0
    return np.where(y > 0, may_grow, may_shrink), np.where(y > 0, may_shrink, may_grow)  # svm-up-low


def _sets(
    F: ArrayLike, alpha: ArrayLike, y: ArrayLike, C: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, np.ndarray, np.ndarray]:
    """All arguments as arrays, and the masks of the two sets of :eq:`svm-up-low`."""
    F, alpha, y = np.asarray(F, dtype=float), np.asarray(alpha, dtype=float), check_signs(y)
    if F.shape != y.shape or alpha.shape != y.shape:
        raise ValueError(f"F, alpha and y must have one shape, got {F.shape}, {alpha.shape} and {y.shape}.")
    if not all_finite(F) or not all_finite(alpha):
        raise ValueError("F and alpha must be finite, got NaN or infinity.")
    C = prices(C, y)
    up, low = up_low(y, alpha, C)
    if not up.any() or not low.any():
        raise ValueError("y must hold both -1 and 1, and alpha must satisfy y'alpha = 0 with 0 <= alpha <= C.")
    return F, alpha, y, C, up, low


def decide(scores: FloatArray, classes: np.ndarray) -> np.ndarray:
    """Class (n,) by the sign of its score (n,), or by the largest of K scores (n, K); the first one in a tie."""
    return classes[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

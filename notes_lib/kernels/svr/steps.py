"""Step functions of support vector regression, one for each named equation of the chapter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_matrix, check_numbers, check_real, check_vector
from notes_lib.kernels.svm.checks import prices
from notes_lib.kernels.svm.steps import bias_from_candidates, up_low


class Doubled(NamedTuple):
    """Result of :func:`doubled_problem`; every array is (2 n,), upper copies first.

    ``alpha``, multipliers; ``signs``, 1 for an upper copy and -1 for a lower one; ``F``, the bias that would put a copy
    exactly on its side of the tube; ``C``, prices.
    """

    alpha: FloatArray
    signs: FloatArray
    F: FloatArray
    C: FloatArray


def epsilon_insensitive(residual: ArrayLike, epsilon: float) -> FloatArray:
    """``max(0, |r| - epsilon)``: what sticks out of the tube; :eq:`svr-loss`.

    Parameters
    ----------
    residual : array of any shape
        Target minus prediction, in units of the target.
    epsilon : float
        Half the width of the tube, at least 0, in the same units.

    Returns
    -------
    array of the same shape

    Raises
    ------
    TypeError, ValueError
        If ``residual`` does not hold finite numbers, or ``epsilon`` is no number, negative or infinite.

    Examples
    --------
    >>> epsilon_insensitive([-3.0, 0.5, 1.25], epsilon=1.0)
    array([2.  , 0.  , 0.25])
    """
    epsilon = check_real(epsilon, "epsilon")
    return np.maximum(0.0, np.abs(check_numbers(residual, "residual")) - epsilon)  # svr-loss


def primal_objective(beta: ArrayLike, b: float, K: ArrayLike, y: ArrayLike, C: ArrayLike, epsilon: float) -> float:
    """``|w|^2 / 2 + sum_n C_n max(0, |y_n - f(x_n)| - epsilon)`` for ``w = sum_n beta_n phi(x_n)``; :eq:`svr-risk`.

    Parameters
    ----------
    beta : (n,) array
        Coefficients, ``alpha_n - alpha_n^*``.
    b : float
        Bias.
    K : (n, n) array
        Kernel matrix of the rows; ``X @ X.T`` for the linear machine.
    y : (n,) array
        Targets.
    C : float or (n,) array
        Price of a unit of slack.
    epsilon : float
        At least 0.

    Returns
    -------
    float
        Never below :func:`dual_objective` of a feasible beta.

    Raises
    ------
    ValueError
        If a shape does not fit, an entry is not finite, or epsilon is negative.

    Notes
    -----
    O(n^2) time, O(n) memory.

    Examples
    --------
    >>> primal_objective([0.5, -0.5], 1.0, np.eye(2), [2.0, 0.0], C=1.0, epsilon=0.25)
    0.75
    """
    beta, K, y = _arguments(beta, K, y)
    scores = K @ beta  # svr-kernel-score, without b
    return float(0.5 * beta @ scores + prices(C, y) @ epsilon_insensitive(y - scores - b, epsilon))  # svr-risk


def dual_objective(beta: ArrayLike, K: ArrayLike, y: ArrayLike, epsilon: float) -> float:
    """``sum_n y_n beta_n - epsilon sum_n |beta_n| - sum_nm beta_n beta_m K_nm / 2``; :eq:`svr-dual`.

    Parameters
    ----------
    beta : (n,) array
        Meaningful for ``|beta| <= C`` and ``sum(beta) = 0``; neither is checked.
    K, y, epsilon
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
    >>> dual_objective([0.5, -0.5], np.eye(2), [2.0, 0.0], epsilon=0.25)
    0.5
    """
    beta, K, y = _arguments(beta, K, y)
    return float(y @ beta - check_real(epsilon, "epsilon") * np.abs(beta).sum() - 0.5 * beta @ K @ beta)  # svr-dual


def kkt_case(beta: ArrayLike, C: ArrayLike) -> IntArray:
    """Which of the five KKT cases each coefficient belongs to; :eq:`svr-cases`.

    Parameters
    ----------
    beta : (n,) array
        Between -C and C.
    C : float or (n,) array

    Returns
    -------
    (n,) array
        -2: ``beta = -C``, on or below the tube; -1: between, on its lower side; 0: inside or on it; 1: between, on its
        upper side; 2: ``beta = C``, on or above it.

    Raises
    ------
    ValueError
        If a shape does not fit, or a coefficient lies outside its box.

    Examples
    --------
    >>> kkt_case([-1.0, -0.5, 0.0, 0.5, 1.0], C=1.0)
    array([-2, -1,  0,  1,  2])
    """
    beta = check_vector(beta, "beta")
    C = prices(C, beta)
    if (np.abs(beta) > C).any():
        raise ValueError("beta must lie between -C and C: it is no solution of the dual for this C.")
    return (np.sign(beta) * (1 + (np.abs(beta) == C))).astype(int)  # svr-cases


def doubled_problem(beta: ArrayLike, K: ArrayLike, y: ArrayLike, C: ArrayLike, epsilon: float) -> Doubled:
    """The state of the support vector machine with two copies of each row; :eq:`svr-doubled`, :eq:`svr-candidates`.

    Parameters
    ----------
    beta, K, y, C, epsilon
        As in :func:`primal_objective`.

    Returns
    -------
    Doubled
        What :func:`notes_lib.kernels.svm.working_set` and its neighbours take, with the kernel matrix
        ``np.tile(K, (2, 2))``.

    Raises
    ------
    ValueError
        As in :func:`primal_objective`.

    Notes
    -----
    O(n^2) time.

    Examples
    --------
    >>> doubled_problem([0.0, 0.0], np.eye(2), [2.0, 0.0], 1.0, 0.25).F
    array([ 1.75, -0.25,  2.25,  0.25])
    """
    beta, K, y = _arguments(beta, K, y)
    epsilon, residual = check_real(epsilon, "epsilon"), y - K @ beta
    return Doubled(
        np.concatenate([np.maximum(beta, 0.0), np.maximum(-beta, 0.0)]),
        np.repeat([1.0, -1.0], len(y)),
        np.concatenate([residual - epsilon, residual + epsilon]),  # svr-candidates
        np.tile(prices(C, y), 2),
    )


def bias_interval(beta: ArrayLike, K: ArrayLike, y: ArrayLike, C: ArrayLike, epsilon: float) -> tuple[float, float]:
    """Largest lower and smallest upper bound of b by the KKT conditions; :eq:`svr-bias-interval`.

    Parameters
    ----------
    beta, K, y, C, epsilon
        As in :func:`primal_objective`.

    Returns
    -------
    lower, upper : float
        At the optimum ``lower <= upper`` up to rounding; lower less upper is the KKT violation otherwise.

    Raises
    ------
    ValueError
        As in :func:`primal_objective`.

    Notes
    -----
    O(n^2) time.

    Examples
    --------
    >>> bias_interval([0.0, 0.0], np.eye(2), [2.0, 0.0], 1.0, 1.5)
    (0.5, 1.5)
    """
    alpha, signs, F, C = doubled_problem(beta, K, y, C, epsilon)
    up, low = up_low(signs, alpha, C)
    return float(F[up].max()), float(F[low].min())  # svr-bias-interval


def tube_bias(beta: ArrayLike, K: ArrayLike, y: ArrayLike, C: ArrayLike, epsilon: float) -> float:
    """Mean of what the free rows say, ``0 < |beta_n| < C_n``; without any, the middle of :func:`bias_interval`.

    Implements :eq:`svr-bias-free`.

    Parameters
    ----------
    beta, K, y, C, epsilon
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
    O(n^2) time.

    Examples
    --------
    >>> tube_bias([0.5, -0.5], np.eye(2), [2.0, 0.0], 1.0, 0.25)
    1.0
    """
    alpha, signs, F, C = doubled_problem(beta, K, y, C, epsilon)
    return bias_from_candidates(F, alpha, signs, C)  # svr-bias-free


def tube_nu(beta: ArrayLike, C: ArrayLike) -> float:
    """The nu whose machine finds this tube by itself, ``sum_n |beta_n| / sum_n C_n``; :eq:`svr-nu`.

    Parameters
    ----------
    beta : (n,) array
        Optimal for some ``epsilon > 0``.
    C : float or (n,) array

    Returns
    -------
    float
        With one price for all rows at least the share outside the tube, and at most the share of support vectors.

    Raises
    ------
    ValueError
        If a shape does not fit.

    Examples
    --------
    >>> tube_nu([1.0, 0.0, -0.5, -0.5], C=1.0)
    0.5
    """
    beta = check_vector(beta, "beta")
    return float(np.abs(beta).sum() / prices(C, beta).sum())  # svr-nu


def _arguments(beta: ArrayLike, K: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Coefficients (n,), kernel matrix (n, n) and targets (n,), as finite floats."""
    beta = check_vector(beta, "beta")
    K, y = check_matrix(K, "K", square=True), check_vector(y, "y", len(beta))
    if len(K) != len(beta):
        raise ValueError(f"beta (n,), K (n, n) and y (n,) must fit, got {beta.shape}, {K.shape} and {y.shape}.")
    return beta, K, y

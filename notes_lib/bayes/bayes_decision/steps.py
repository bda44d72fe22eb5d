"""Step functions of the chapter *Bayesian decision theory*: posterior, smallest risk, threshold, rejection."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax

from notes_lib.checks import FloatArray, IntArray, check_codes, check_distribution, check_real, check_shape
from notes_lib.foundations.risk import conditional_risk

REJECT = -1


class Action(NamedTuple):
    """Result of :func:`minimum_risk_action`: ``chosen`` (n,), the column of the cost, and ``risk`` (n,), its cost."""

    chosen: Any
    risk: Any


class ErrorReject(NamedTuple):
    """Result of :func:`error_reject_curve`: rising ``thresholds`` (m,), shares ``reject`` (m,) and ``error`` (m,)."""

    thresholds: FloatArray
    reject: FloatArray
    error: FloatArray


def log_posterior(log_density: ArrayLike, priors: ArrayLike) -> FloatArray:
    """Logarithm of the posterior probability of each class; :eq:`bayes-decision-log-posterior`.

    Parameters
    ----------
    log_density : (n, K) array
        Log of the class-conditional density of each class at each instance, nats; -inf where it is 0.
    priors : (K,) array
        Class probabilities, sum 1.

    Returns
    -------
    (n, K) array
        Nats; ``exp`` of a row sums to 1, however small the densities are.

    Raises
    ------
    ValueError
        If ``priors`` is no distribution, the shapes do not fit, ``log_density`` holds NaN or +inf, or an instance has
        density 0 in every class with a prior.

    Notes
    -----
    O(n K) time.

    Examples
    --------
    >>> np.exp(log_posterior([[-1000.0, -1000.0]], [0.2, 0.8])).round(3)
    array([[0.2, 0.8]])
    """
    pi = check_distribution(priors, "priors")
    L = np.asarray(log_density, dtype=float)
    if pi.ndim != 1 or L.ndim != 2 or L.shape[1] != len(pi):
        raise ValueError(f"log_density must be (n, K) and priors (K,), got shapes {L.shape} and {pi.shape}.")
    if np.isnan(L).any() or np.isposinf(L).any():
        raise ValueError("log_density must be below infinity and not NaN: pass logarithms of finite densities.")
    with np.errstate(divide="ignore"):
        joint = L + np.log(pi)  # (n, K)
    best = joint.max(axis=1, initial=-np.inf)
    if np.isneginf(best).any():
        raise ValueError(
            f"row {int(best.argmin())} of log_density has density 0 in every class with a prior, so it has no "
            "posterior: use densities with a wider support."
        )
    return log_softmax(joint, axis=1)  # bayes-decision-log-posterior


def minimum_risk_action(posterior: ArrayLike, cost: ArrayLike | None = None) -> Action:
    """The action of least conditional risk, and that risk; :eq:`bayes-decision-minimum-risk`.

    Parameters
    ----------
    posterior : (n, K) array, or (K,) for one instance
        Rows sum to 1.
    cost : (K, A) array or None
        ``cost[k, a]``: cost of action a when class k is true; A may differ from K. None: the 0-1 loss, for which the
        action is the most probable class (:eq:`bayes-decision-minimum-error`) and the risk its probability of error.

    Returns
    -------
    Action
        The lowest number wins a tie.

    Raises
    ------
    ValueError
        As :func:`~notes_lib.foundations.risk.conditional_risk`, which adds up the risks.

    Examples
    --------
    >>> minimum_risk_action([[0.9, 0.1], [0.4, 0.6]], cost=[[0, 1], [5, 0]]).chosen
    array([0, 1])
    """
    R = conditional_risk(posterior, cost)
    return Action(R.argmin(axis=-1), R.min(axis=-1))  # bayes-decision-minimum-risk


def likelihood_threshold(priors: ArrayLike, cost: ArrayLike | None = None) -> float:
    """What the likelihood ratio of class 1 must exceed to decide for it; :eq:`bayes-decision-threshold`.

    Parameters
    ----------
    priors : (2,) array
        Both positive.
    cost : (2, 2) array or None
        A wrong decision must cost more than the right one, in each row. None: the 0-1 loss.

    Returns
    -------
    float
        Decide 1 where p(x | 1) / p(x | 0) is larger.

    Raises
    ------
    ValueError
        If ``priors`` is not positive with sum 1, or a wrong decision is not dearer than the right one.

    Examples
    --------
    >>> likelihood_threshold([0.9, 0.1], cost=[[0, 1], [20, 0]]).__round__(3)
    0.45
    """
    pi = check_distribution(priors, "priors", (2,), positive=True)
    C = binary_cost(cost)
    return float(pi[0] * (C[0, 1] - C[0, 0]) / (pi[1] * (C[1, 0] - C[1, 1])))  # bayes-decision-threshold


def binary_cost(cost: ArrayLike | None) -> FloatArray:
    """Costs of two classes, in which a mistake is dearer than the right decision."""
    C = check_shape([[0, 1], [1, 0]] if cost is None else cost, "cost", (2, 2))
    if not (C[0, 1] > C[0, 0] and C[1, 0] > C[1, 1]):
        raise ValueError(
            f"cost must charge a wrong decision more than the right one in each row (truth), got {C.tolist()}."
        )
    return C


def chow_reject(posterior: ArrayLike, reject_cost: float) -> IntArray:
    """The most probable class, or no decision where it is too doubtful; :eq:`bayes-decision-chow`.

    Parameters
    ----------
    posterior : (n, K) array
        Rows sum to 1.
    reject_cost : float
        From 0 to 1: the cost of no decision where a mistake costs 1 and a right decision 0. From ``1 - 1/K`` on
        nothing is rejected.

    Returns
    -------
    (n,) array of int
        Number of the class, or ``REJECT`` (-1) where the probability of error exceeds ``reject_cost``.

    Raises
    ------
    TypeError, ValueError
        If ``posterior`` is no matrix of distributions, or ``reject_cost`` no number from 0 to 1.

    Examples
    --------
    >>> chow_reject([[0.95, 0.05], [0.6, 0.4]], reject_cost=0.1)
    array([ 0, -1])
    """
    t = check_real(reject_cost, "reject_cost")
    if t > 1:
        raise ValueError(f"reject_cost must be from 0 to 1, the cost of a mistake, got {reject_cost!r}.")
    chosen, doubt = minimum_risk_action(_rows(posterior))
    return np.where(doubt > t, REJECT, chosen)  # bayes-decision-chow


def error_reject_curve(
    posterior: ArrayLike, y_true: ArrayLike | None = None, weights: ArrayLike | None = None
) -> ErrorReject:
    """Shares of rejected and of wrongly accepted instances for every threshold; :eq:`bayes-decision-rates`.

    Parameters
    ----------
    posterior : (n, K) array
        Rows sum to 1.
    y_true : (n,) array of int or None
        Number of the true class of each instance. None: each is wrong with the probability that ``posterior`` gives,
        which is right if the posterior is.
    weights : (n,) array or None
        Probability of each instance, sum 1; equal if None.

    Returns
    -------
    ErrorReject
        One point for each distinct probability of error, as ``reject_cost`` of :func:`chow_reject`. Both shares are of
        *all* instances; the share of errors among the accepted is ``error / (1 - reject)``.

    Raises
    ------
    ValueError
        If ``posterior`` or ``weights`` is no distribution, or ``y_true`` has another length or an unknown class.

    Notes
    -----
    O(n log n) time.

    Examples
    --------
    >>> error_reject_curve([[0.9, 0.1], [0.4, 0.6]], y_true=[0, 0])
    ErrorReject(thresholds=array([0.1, 0.4]), reject=array([0.5, 0. ]), error=array([0. , 0.5]))
    """
    P = _rows(posterior)
    n, K = P.shape
    chosen, doubt = minimum_risk_action(P)
    wrong = doubt if y_true is None else (chosen != check_codes(y_true, "y_true", n, K)).astype(float)
    w = np.full(n, 1 / n) if weights is None else check_distribution(weights, "weights", (n,))
    order = np.argsort(doubt, kind="stable")
    last = np.r_[np.diff(doubt[order]) > 0, True]  # instances of one doubt are accepted together
    accepted, error = (np.cumsum(v[order])[last] for v in (w, w * wrong))
    reject = np.maximum(0.0, 1 - accepted / accepted[-1])
    return ErrorReject(doubt[order][last], reject, error)  # bayes-decision-rates


def _rows(posterior: ArrayLike) -> FloatArray:
    P = check_distribution(posterior, "posterior")
    if P.ndim != 2:
        raise ValueError(f"posterior must be an (n, K) array, got shape {P.shape}.")
    return P

"""Loss and risk: how bad one prediction is, how bad a rule is on average, and how good any rule can be.

Losses of a classifier are functions of one margin ``m = y f(x)`` with labels -1 and +1, losses of a regression are
functions of one residual ``r = y - f(x)``. Risks are tabulated: ``P[i, k]`` is the posterior of class k at the i-th
place, ``cost[k, a]`` the cost of action a when the truth is class k (row truth, column decision, as in a confusion
matrix). A loss takes time and memory in proportion to its input; a risk at n places with K classes and A actions takes
O(n K A) time and O(n (K + A)) memory.

Source: Hastie, Tibshirani and Friedman (2009), sections 2.4 and 10.6; Shalev-Shwartz and Ben-David (2014), chapters 2,
3 and 12; Huber (1964), Annals of Mathematical Statistics 35, 73-101.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, IntArray, check_distribution, check_numbers, check_positive, check_real

__all__ = [
    "EmpiricalRisk",
    "Posterior",
    "bayes_classifier",
    "bayes_risk",
    "conditional_risk",
    "empirical_risk",
    "expected_risk",
    "margin_exponential",
    "margin_hinge",
    "margin_logistic",
    "margin_squared",
    "margin_zero_one",
    "residual_absolute",
    "residual_huber",
    "residual_huber_gradient",
    "residual_norm",
    "residual_pinball",
    "residual_squared",
    "tabulate_posterior",
]


class EmpiricalRisk(NamedTuple):
    """Result of :func:`empirical_risk`: ``value``, the mean loss, and its ``standard_error``; in units of the loss."""

    value: float
    standard_error: float


class Posterior(NamedTuple):
    """Result of :func:`tabulate_posterior`: ``posterior`` (m, K), rows sum to 1, and ``evidence`` (m,), sum 1."""

    posterior: FloatArray
    evidence: FloatArray


def margin_zero_one(margin: ArrayLike) -> FloatArray:
    """1 for a wrong decision, 0 for a right one; :eq:`risk-zero-one`.

    Parameters
    ----------
    margin : array of any shape
        Label (-1 or +1) times score. **A margin of 0 counts as an error**: the score has not decided.

    Returns
    -------
    array of the same shape

    Raises
    ------
    TypeError, ValueError
        If ``margin`` does not hold numbers, or holds NaN or inf.

    Examples
    --------
    >>> margin_zero_one([-0.5, 0.0, 0.5])
    array([1., 1., 0.])
    """
    return (_numbers(margin, "margin") <= 0).astype(float)  # risk-zero-one


def margin_hinge(margin: ArrayLike) -> FloatArray:
    """Shortfall of the margin below 1, the loss of the support vector machine; :eq:`risk-hinge`.

    Parameters, shape of the result and errors are those of :func:`margin_zero_one`.

    Examples
    --------
    >>> margin_hinge([-0.5, 0.0, 0.5, 1.5])
    array([1.5, 1. , 0.5, 0. ])
    """
    return np.maximum(0.0, 1.0 - _numbers(margin, "margin"))  # risk-hinge


def margin_logistic(margin: ArrayLike) -> FloatArray:
    """Negative log-probability of the label under the logistic model, in **nats**; :eq:`risk-logistic`.

    Divide by ``log(2)`` for bits; only then is it an upper bound of the 0-1 loss (at margin 0 it is log 2 = 0.69).

    Parameters, shape of the result and errors are those of :func:`margin_zero_one`.

    Notes
    -----
    ``exp`` is taken of ``-|margin|`` only, so nothing overflows and no digit is lost on either side.

    Examples
    --------
    >>> margin_logistic([0.0, 2.0, -2.0]).round(4)
    array([0.6931, 0.1269, 2.1269])
    """
    m = _numbers(margin, "margin")
    return np.maximum(0.0, -m) + np.log1p(np.exp(-np.abs(m)))  # risk-logistic


def margin_exponential(margin: ArrayLike) -> FloatArray:
    """``exp(-margin)``, the loss of AdaBoost; :eq:`risk-exponential`.

    Parameters, shape of the result and errors are those of :func:`margin_zero_one`. Margins below -709 give inf.

    Examples
    --------
    >>> margin_exponential([0.0, 1.0]).round(4)
    array([1.    , 0.3679])
    """
    with np.errstate(over="ignore"):
        return np.exp(-_numbers(margin, "margin"))  # risk-exponential


def margin_squared(margin: ArrayLike) -> FloatArray:
    """``(1 - margin)**2``, which is the squared residual of a label -1 or +1; :eq:`risk-margin-squared`.

    Parameters, shape of the result and errors are those of :func:`margin_zero_one`. It may overflow to inf.

    Examples
    --------
    >>> margin_squared([-1.0, 1.0, 3.0])  # too right is as bad as wrong
    array([4., 0., 4.])
    """
    with np.errstate(over="ignore"):
        return np.square(1.0 - _numbers(margin, "margin"))  # risk-margin-squared


def residual_squared(residual: ArrayLike) -> FloatArray:
    """Square of the residual, without a factor 1/2; :eq:`risk-squared`.

    Parameters
    ----------
    residual : array of any shape
        Target minus prediction, in units of the target.

    Returns
    -------
    array of the same shape
        In squared units of the target; may overflow to inf.

    Raises
    ------
    TypeError, ValueError
        If ``residual`` does not hold numbers, or holds NaN or inf.

    Examples
    --------
    >>> residual_squared([-3.0, 0.5])
    array([9.  , 0.25])
    """
    with np.errstate(over="ignore"):
        return np.square(_numbers(residual, "residual"))  # risk-squared


def residual_absolute(residual: ArrayLike) -> FloatArray:
    """Size of the residual, in units of the target; :eq:`risk-absolute`.

    Parameters, shape of the result and errors are those of :func:`residual_squared`.

    Examples
    --------
    >>> residual_absolute([-3.0, 0.5])
    array([3. , 0.5])
    """
    return np.abs(_numbers(residual, "residual"))  # risk-absolute


def residual_huber(residual: ArrayLike, delta: float = 1.0) -> FloatArray:
    """Half the square up to ``delta``, linear beyond, with one value and one slope at ``delta``; :eq:`risk-huber`.

    Parameters
    ----------
    residual : array of any shape
    delta : float
        Where the parabola ends, positive, in units of the residual.

    Returns
    -------
    array of the same shape
        ``r**2 / 2`` for ``|r| <= delta``, else ``delta * (|r| - delta / 2)``; may overflow to inf.

    Raises
    ------
    TypeError, ValueError
        If ``residual`` does not hold finite numbers, or ``delta`` is not a positive number.

    Notes
    -----
    With ``c = min(|r|, delta)`` both branches are ``c * (|r| - c / 2)``.

    Examples
    --------
    >>> residual_huber([1.0, 2.0, 3.0], delta=2.0)
    array([0.5, 2. , 4. ])
    """
    a = np.abs(_numbers(residual, "residual"))
    c = np.minimum(a, check_positive(delta, "delta"))
    with np.errstate(over="ignore"):
        return c * (a - 0.5 * c)  # risk-huber


def residual_huber_gradient(residual: ArrayLike, delta: float = 1.0) -> FloatArray:
    """Slope of :func:`residual_huber`, the residual cut off at ``-delta`` and ``delta``; :eq:`risk-huber-gradient`.

    Parameters, shape of the result and errors are those of :func:`residual_huber`.

    Examples
    --------
    >>> residual_huber_gradient([-3.0, 1.0, 2.0], delta=2.0)
    array([-2.,  1.,  2.])
    """
    d = check_positive(delta, "delta")
    return np.clip(_numbers(residual, "residual"), -d, d)  # risk-huber-gradient


def residual_pinball(residual: ArrayLike, tau: float = 0.5) -> FloatArray:
    """``tau`` a unit for what is missing, ``1 - tau`` for what is too much: loss of a quantile; :eq:`risk-pinball`.

    Parameters
    ----------
    residual : array of any shape
    tau : float
        Level of the quantile that the loss estimates, between 0 and 1. At 0.5 the loss is half the absolute one.

    Returns
    -------
    array of the same shape

    Raises
    ------
    TypeError, ValueError
        If ``residual`` does not hold finite numbers, or ``tau`` is no number strictly between 0 and 1.

    Notes
    -----
    Koenker and Bassett (1978), Econometrica 46, 33-50.

    Examples
    --------
    >>> residual_pinball([-2.0, 0.0, 2.0], tau=0.75)
    array([0.5, 0. , 1.5])
    """
    r, t = _numbers(residual, "residual"), check_positive(tau, "tau")
    if t >= 1:
        raise ValueError(f"tau must be less than 1, got {tau}: it is the level of a quantile.")
    return np.where(r >= 0, t * r, (t - 1) * r)  # risk-pinball


def residual_norm(residual: ArrayLike, p: float = 2.0) -> FloatArray:
    """p-norm of vector residuals; :eq:`risk-p-norm`.

    Parameters
    ----------
    residual : (n, m) or (m,) array
        One residual vector a row.
    p : float
        At least 1; ``inf`` for the largest component.

    Returns
    -------
    (n,) array or number

    Raises
    ------
    TypeError, ValueError
        If ``residual`` is a single number, holds anything but finite numbers or no component, or ``p`` is below 1.

    Notes
    -----
    Each row is divided by its largest component first, so that no power overflows.

    Examples
    --------
    >>> residual_norm([[3.0, -4.0]], p=1), residual_norm([[3.0, -4.0]]), residual_norm([[3.0, -4.0]], p=np.inf)
    (array([7.]), array([5.]), array([4.]))
    """
    R = np.abs(_numbers(residual, "residual"))  # (n, m)
    if R.ndim == 0:
        raise ValueError("residual must have a last axis of components: for one number every p-norm is |r|.")
    if not (isinstance(p, float) and p == np.inf):
        check_real(p, "p", 1.0)
    scale = R.max(axis=-1)  # (n,)
    if p == np.inf:
        return scale
    safe = np.where(scale > 0, scale, 1.0)
    return scale * np.power(np.power(R / safe[..., None], p).sum(axis=-1), 1 / p)  # risk-p-norm


def empirical_risk(losses: ArrayLike) -> EmpiricalRisk:
    """Mean loss on a sample, with its standard error; :eq:`risk-empirical` and :eq:`risk-standard-error`.

    Parameters
    ----------
    losses : (n,) array
        Loss of each instance, such as ``margin_hinge(y * score)``.

    Returns
    -------
    EmpiricalRisk
        ``standard_error`` is the sample standard deviation (divisor n - 1) over sqrt(n), NaN for one instance. It
        says how far the value may be from the expected risk of a rule **fixed before these instances were seen**. Both
        may overflow to inf.

    Raises
    ------
    TypeError, ValueError
        If ``losses`` is empty, no vector, or holds anything but finite numbers.

    Examples
    --------
    >>> empirical_risk([0.0, 1.0, 1.0, 0.0]).value
    0.5
    """
    values = _numbers(losses, "losses")
    if values.ndim != 1:
        raise ValueError(f"losses must be an (n,) array, one loss an instance, got shape {values.shape}.")
    with np.errstate(over="ignore"):
        n, mean = values.size, values.mean()  # risk-empirical
        error = np.sqrt(np.square(values - mean).sum() / (n - 1) / n) if n > 1 else np.nan  # risk-standard-error
    return EmpiricalRisk(float(mean), float(error))


def tabulate_posterior(prior: ArrayLike, likelihood: ArrayLike) -> Posterior:
    """Posterior of each class at each value of a discrete x, by Bayes' theorem; :eq:`risk-posterior`.

    Parameters
    ----------
    prior : (K,) array
        Probability of each class.
    likelihood : (K, m) array
        Row k is the distribution of x in class k, over m values.

    Returns
    -------
    Posterior
        ``posterior`` (m, K) and ``evidence`` (m,), the probability of each value of x.

    Raises
    ------
    ValueError
        If ``prior`` or a row of ``likelihood`` is no distribution, the numbers of classes differ, or a value of x has
        probability 0, so that no posterior is defined there.

    Examples
    --------
    >>> tabulate_posterior([0.5, 0.5], [[0.8, 0.2], [0.2, 0.8]]).posterior
    array([[0.8, 0.2],
           [0.2, 0.8]])
    """
    pi = check_distribution(prior, "prior")
    L = check_distribution(likelihood, "likelihood")
    if pi.ndim != 1 or L.ndim != 2 or len(L) != len(pi):
        raise ValueError(
            f"prior must be (K,) and likelihood (K, m) with one row a class, got shapes {pi.shape} and {L.shape}."
        )
    joint = pi[:, None] * L  # (K, m)
    evidence = joint.sum(axis=0)  # (m,)
    if (evidence == 0).any():
        column = int(np.argmin(evidence))
        raise ValueError(f"column {column} of likelihood has probability 0 in every class with a prior: leave it out.")
    return Posterior((joint / evidence).T, evidence)  # risk-posterior


def conditional_risk(posterior: ArrayLike, cost: ArrayLike | None = None) -> FloatArray:
    """Expected cost of each action at each place; :eq:`risk-conditional`.

    Parameters
    ----------
    posterior : (n, K) array, or (K,) for one place
        Probability of each class; rows sum to 1.
    cost : (K, A) array or None
        ``cost[k, a]``: cost of action a when the truth is class k. None: the actions are the classes, a wrong one
        costs 1 (0-1 loss).

    Returns
    -------
    (n, A) array, or (A,)

    Raises
    ------
    ValueError
        If a row of ``posterior`` is no distribution, or ``cost`` does not have one finite row for each class.

    Examples
    --------
    >>> conditional_risk([0.9, 0.1], cost=[[0, 1], [50, 0]])
    array([5. , 0.9])
    """
    P = check_distribution(posterior, "posterior")
    if P.ndim > 2:
        raise ValueError(f"posterior must have shape (K,) or (n, K), got {P.shape}.")
    if cost is None:
        return 1.0 - P
    C = _numbers(cost, "cost")
    if C.ndim != 2 or len(C) != P.shape[-1]:
        raise ValueError(f"cost must have shape (K, A) with K = {P.shape[-1]} classes as rows, got {C.shape}.")
    return P @ C  # risk-conditional


def bayes_classifier(posterior: ArrayLike, cost: ArrayLike | None = None) -> IntArray:
    """Action of least conditional risk at each place; :eq:`risk-bayes-classifier`.

    Parameters and errors are those of :func:`conditional_risk`.

    Returns
    -------
    (n,) array of int, or one int
        Number of the action (of the most probable class if ``cost`` is None); the lowest number wins a tie.

    Examples
    --------
    >>> bayes_classifier([[0.9, 0.1], [0.3, 0.7]])
    array([0, 1])
    >>> bayes_classifier([[0.9, 0.1], [0.3, 0.7]], cost=[[0, 1], [50, 0]])
    array([1, 1])
    """
    return conditional_risk(posterior, cost).argmin(axis=-1)  # risk-bayes-classifier


def expected_risk(
    posterior: ArrayLike, actions: ArrayLike, weights: ArrayLike | None = None, cost: ArrayLike | None = None
) -> float:
    """Risk of any rule on a tabulated distribution; :eq:`risk-tower`.

    Parameters
    ----------
    posterior, cost
        As in :func:`conditional_risk`, with ``posterior`` (n, K).
    actions : (n,) array of int
        What the rule does at each place.
    weights : (n,) array or None
        Probability of each place, sum 1; equal if None, which is a mean over a sample of places.

    Returns
    -------
    float
        In units of the cost; a probability of error if ``cost`` is None.

    Raises
    ------
    TypeError, ValueError
        As :func:`conditional_risk`; also if ``actions`` is not one number of an action for each place, or ``weights``
        is no distribution over the places.

    Examples
    --------
    >>> round(expected_risk([[0.9, 0.1], [0.3, 0.7]], [0, 0], weights=[0.5, 0.5]), 4)
    0.4
    """
    R = np.atleast_2d(conditional_risk(posterior, cost))  # (n, A)
    n, A = R.shape
    a = np.atleast_1d(np.asarray(actions))
    if a.dtype.kind not in "iu":
        raise TypeError(f"actions must hold integers, got dtype {a.dtype}.")
    if a.shape != (n,) or (a < 0).any() or (a >= A).any():
        raise ValueError(f"actions must hold {n} numbers from 0 to {A - 1}, one a row of posterior, got {a.tolist()}.")
    w = np.full(n, 1 / n) if weights is None else check_distribution(weights, "weights", shape=(n,))
    return float(w @ R[np.arange(n), a])  # risk-tower


def bayes_risk(posterior: ArrayLike, weights: ArrayLike | None = None, cost: ArrayLike | None = None) -> float:
    """Least expected risk that any rule can have; :eq:`risk-bayes`.

    Parameters, result and errors are those of :func:`expected_risk`, without ``actions``.

    Examples
    --------
    >>> round(bayes_risk([[0.9, 0.1], [0.3, 0.7]], weights=[0.5, 0.5]), 4)
    0.2
    """
    actions = np.atleast_1d(bayes_classifier(posterior, cost))
    return expected_risk(posterior, actions, weights, cost)  # risk-bayes


def _numbers(x: ArrayLike, name: str) -> FloatArray:
    """Array of finite floats of any shape that is not empty."""
    values = check_numbers(x, name)
    if values.size == 0:
        raise ValueError(f"{name} is empty: at least one number is needed.")
    return values

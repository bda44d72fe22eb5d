"""Measures of information, in the order of the chapter *Information theory*."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr, xlogy

from notes_lib.checks import FloatArray, check_distribution, check_real
from notes_lib.foundations.information import checks


def information_content(p: ArrayLike, base: float | None = None) -> float | FloatArray:
    """Information of the message that an event of probability ``p`` happened; :eq:`information-content`.

    Parameters
    ----------
    p : float or array
        Probabilities from 0 to 1; they need not sum to 1.
    base : float or None
        2 gives bits, 10 hartleys; None gives nats.

    Returns
    -------
    float or array shaped like ``p``
        ``-log p``: 0 for a certain event, infinite for an impossible one.

    Raises
    ------
    ValueError
        If an entry of ``p`` is not in [0, 1], or ``base`` is not greater than 1.

    Examples
    --------
    >>> information_content([1, 0.5, 0.125], base=2)
    array([0., 1., 3.])
    """
    p = np.asarray(p, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("p must hold probabilities from 0 to 1: divide counts by their sum.")
    return _measure(-xlogy(1.0, p), base)  # information-content


def entropy(p: ArrayLike, base: float | None = None) -> float | FloatArray:
    """Expected information of a distribution, or of each row; :eq:`information-entropy`.

    Parameters
    ----------
    p : (K,) or (n, K) array
        Probabilities along the last axis. Unlike ``scipy.stats.entropy`` it must sum to 1: counts are refused.
    base : float or None
        2 gives bits; None gives nats.

    Returns
    -------
    float, or (n,) array
        ``-sum p log p`` with 0 log 0 = 0, from 0 to ``log K``.

    Raises
    ------
    ValueError
        If ``p`` is not a distribution (names the row), or ``base`` is not greater than 1.

    Examples
    --------
    >>> entropy([0.5, 0.25, 0.25], base=2)
    1.5
    >>> entropy([[1, 0], [0.5, 0.5]]).round(4)
    array([0.    , 0.6931])
    """
    return _measure(_entropy(check_distribution(p, "p")), base)


def cross_entropy(p: ArrayLike, q: ArrayLike, base: float | None = None) -> float | FloatArray:
    """Expected information of draws from ``p``, as ``q`` reckons it; :eq:`information-cross-entropy`.

    With one-hot rows ``p`` and predicted rows ``q`` this is the log loss of each instance,
    :eq:`information-log-loss`; its mean is the loss of logistic and softmax regression.

    Parameters
    ----------
    p : (K,) or (n, K) array
        The distribution that the draws come from.
    q : (K,) or (n, K) array
        The distribution believed in; one of the two may be a single distribution for all rows of the other.
    base : float or None
        2 gives bits; None gives nats.

    Returns
    -------
    float, or (n,) array
        ``-sum p log q``, at least the entropy of ``p``; infinite where ``q`` is 0 and ``p`` is not.

    Raises
    ------
    ValueError
        If ``p`` or ``q`` is not a distribution, their shapes do not fit, or ``base`` is not greater than 1.

    Examples
    --------
    >>> round(cross_entropy([0.5, 0.5], [0.25, 0.75], base=2), 4)
    1.2075
    """
    p, q = checks.pair(p, q)
    return _measure(-xlogy(p, q).sum(axis=-1), base)  # information-cross-entropy


def kl_divergence(p: ArrayLike, q: ArrayLike, base: float | None = None) -> float | FloatArray:
    """Kullback-Leibler divergence of ``q`` from ``p``, ``sum p log(p / q)``; :eq:`information-kl`.

    Parameters
    ----------
    p, q : (K,) or (n, K) arrays
        As in :func:`cross_entropy`. The order matters.
    base : float or None
        2 gives bits; None gives nats.

    Returns
    -------
    float, or (n,) array
        0 for equal distributions, infinite where ``q`` is 0 and ``p`` is not. Never negative: what rounding
        puts below 0 is set to 0.

    Raises
    ------
    ValueError
        If ``p`` or ``q`` is not a distribution, their shapes do not fit, or ``base`` is not greater than 1.

    Examples
    --------
    >>> round(kl_divergence([0.5, 0.5], [0.25, 0.75], base=2), 4)
    0.2075
    >>> kl_divergence([0.5, 0.5], [1, 0])
    inf
    """
    p, q = checks.pair(p, q)
    return _measure(np.maximum(rel_entr(p, q).sum(axis=-1), 0.0), base)  # information-kl


def conditional_entropy(joint: ArrayLike, base: float | None = None) -> float:
    """Entropy of Y that is left once X is known, ``H(Y | X)``; :eq:`information-conditional`.

    Parameters
    ----------
    joint : (r, c) array
        ``joint[x, y]`` is the probability of the pair; sums to 1.
    base : float or None
        2 gives bits; None gives nats.

    Returns
    -------
    float
        Mean over x of the entropy of row x, from 0 to ``H(Y)``. For ``H(X | Y)`` pass the transpose.

    Raises
    ------
    ValueError
        If ``joint`` is not a matrix or not a distribution, or ``base`` is not greater than 1.

    Examples
    --------
    >>> conditional_entropy([[0.5, 0.0], [0.25, 0.25]], base=2)
    0.5
    """
    return float(_measure(_conditional_entropy(checks.table(joint)), base))


def mutual_information(joint: ArrayLike, base: float | None = None) -> float:
    """Information that X and Y hold about each other, ``H(Y) - H(Y | X)``; :eq:`information-mutual`.

    Parameters
    ----------
    joint : (r, c) array
        ``joint[x, y]`` is the probability of the pair; sums to 1.
    base : float or None
        2 gives bits; None gives nats.

    Returns
    -------
    float
        0 for independent variables, at most the smaller of their entropies. Never negative: what rounding puts below
        0 is set to 0.

    Raises
    ------
    ValueError
        If ``joint`` is not a matrix or not a distribution, or ``base`` is not greater than 1.

    Notes
    -----
    Equal to the divergence of the product of the marginals from ``joint``; that product can underflow.

    Examples
    --------
    >>> mutual_information([[0.5, 0.0], [0.0, 0.5]], base=2)
    1.0
    """
    P = checks.table(joint)
    gain = _entropy(P.sum(axis=0)) - _conditional_entropy(P)  # information-mutual
    return float(_measure(np.maximum(gain, 0.0), base))


def joint_distribution(x: ArrayLike, y: ArrayLike) -> FloatArray:
    """Relative frequencies of the pairs of two columns; :eq:`information-joint-frequencies`.

    Parameters
    ----------
    x, y : (n,) arrays
        Categories of any type that can be sorted.

    Returns
    -------
    (r, c) array
        Entry ``[i, j]`` is the share of rows with the i-th value of x and the j-th value of y, in sorted order.

    Raises
    ------
    ValueError
        If x and y are not columns of one length, are empty or hold NaN.
    TypeError
        If a column mixes types that cannot be sorted.

    Notes
    -----
    O(n log n) time, O(r c) memory.

    Examples
    --------
    >>> joint_distribution(["a", "a", "b", "b"], [0, 0, 0, 1])
    array([[0.5 , 0.  ],
           [0.25, 0.25]])
    """
    rows, columns = (np.unique(v, return_inverse=True)[1] for v in checks.columns(x, y))  # numbers without gaps
    shape = int(rows.max()) + 1, int(columns.max()) + 1
    counts = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1])
    return counts.reshape(shape) / len(rows)  # information-joint-frequencies


def information_gain(x: ArrayLike, y: ArrayLike, base: float | None = None) -> float:
    """Drop in the entropy of the labels ``y`` when the attribute ``x`` is known; :eq:`information-gain`.

    The mutual information of the relative frequencies, computed as :eq:`information-mutual-entropies`.

    Parameters
    ----------
    x : (n,) array
        The attribute: categories of any type that can be sorted. Cut a numeric one first, as in ``x > 3``.
    y : (n,) array
        The labels.
    base : float or None
        2 gives bits, as in most books on decision trees; None gives nats.

    Returns
    -------
    float
        From 0 to the entropy of the labels; x and y may change places. What rounding puts below 0 is set to 0.

    Raises
    ------
    ValueError
        If x and y are not columns of one length, are empty or hold NaN, or ``base`` is not greater than 1.
    TypeError
        If a column mixes types that cannot be sorted.

    Notes
    -----
    O(n) time for integers in a range of at most a few n, otherwise O(n log n); O(n) memory.

    Examples
    --------
    >>> information_gain(["sun", "sun", "rain", "rain"], [1, 1, 0, 0], base=2)
    1.0
    """
    a, b = checks.columns(x, y)
    pairs = checks.codes(a * (b.max() + 1) + b, "pairs")
    h_x, h_y, h_xy = (_entropy(np.bincount(codes) / len(a)) for codes in (a, b, pairs))
    return float(_measure(np.maximum(h_x + h_y - h_xy, 0.0), base))  # information-mutual-entropies


def _entropy(p: FloatArray) -> Any:
    """Entropy in nats along the last axis, unchecked."""
    return -xlogy(p, p).sum(axis=-1)  # information-entropy


def _conditional_entropy(joint: FloatArray) -> Any:
    """H(Y | X) in nats, unchecked."""
    p_x = joint.sum(axis=1, keepdims=True)
    return -rel_entr(joint, p_x).sum()  # information-conditional: p(x, y) log p(y | x)


def _measure(nats: Any, base: float | None) -> Any:
    """A number of nats in the unit that ``base`` names; a float if it is one number; never -0."""
    if base is not None:
        if check_real(base, "base", minimum=1.0) == 1:
            raise ValueError("base must be greater than 1, got 1: 2 gives bits, None nats.")
        nats = nats / log(base)  # information-units
    result = np.asarray(nats) + 0.0
    return result if result.ndim else float(result)

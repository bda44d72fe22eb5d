"""Bias and variance: how a learner errs on average over its training sets.

The decomposition of the squared error from simulated training sets with standard errors, in closed form for linear
smoothers, what the training error hides, and what remains of it for the 0-1 loss. The functions follow the derivation
of the chapter *Bias and variance*. scikit-learn has no counterpart; mlxtend's ``bias_variance_decomp`` draws bootstrap
samples of one data set and counts the noise as bias.

Source: Geman, Bienenstock and Doursat (1992), Neural Computation 4, 1-58; Hastie, Tibshirani and Friedman (2009),
sections 7.2 to 7.6; Domingos (2000), ICML, for the 0-1 loss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from notes_lib.checks import FloatArray, check_finite, check_integer, check_matrix, check_real, check_vector
from notes_lib.numerics import RandomState, check_rng

Sample = Callable[[np.random.Generator], tuple[ArrayLike, ArrayLike]]


class Parts(NamedTuple):
    """Average prediction, squared bias, variance and noise, (n,) each: one entry for each query point."""

    average_prediction: FloatArray
    squared_bias: FloatArray
    variance: FloatArray
    noise: FloatArray

    @property
    def risk(self) -> FloatArray:
        """The averaged risk (n,): the sum of the three parts; :eq:`bias-variance-decomposition`."""
        return self.noise + self.squared_bias + self.variance


class StandardErrors(NamedTuple):
    """Standard errors over the training sets of squared bias, variance and risk, each a mean over the query points."""

    squared_bias: float
    variance: float
    risk: float


class Simulation(NamedTuple):
    """The parts at each query point, the standard errors of their means, the predictions (S, n) of all fits."""

    parts: Parts
    errors: StandardErrors
    predictions: FloatArray


class ZeroOneParts(NamedTuple):
    """Main prediction (n,), its 0-1 loss (n,), the share of fits that differ from it (n,), the averaged risk (n,)."""

    main_prediction: NDArray[Any]
    bias: FloatArray
    variance: FloatArray
    risk: FloatArray


def decompose(predictions: ArrayLike, target: ArrayLike, noise: ArrayLike = 0.0) -> Parts:
    """Squared bias and variance at each query point, without the excess of the plug-in; :eq:`bias-variance-pairs`.

    Parameters
    ----------
    predictions : (S, n) array
        A row for each of S >= 2 independent training sets, a column for each query point.
    target : (n,) array
        The averaged target. If it is a new observed target instead, ``squared_bias`` estimates noise plus squared bias.
    noise : float or (n,) array
        Variance of the targets around the averaged target.

    Returns
    -------
    Parts
        Unbiased estimates. ``squared_bias`` may be below 0 where the truth is close to 0. Its sum with the variance is
        exactly the mean squared distance of the predictions from the target.

    Raises
    ------
    ValueError, TypeError
        If an argument has not these shapes, is not finite, or a variance is negative.

    Notes
    -----
    O(S n) time and memory.

    Examples
    --------
    >>> parts = decompose([[1.0], [2.0], [6.0]], [1.0], noise=0.5)
    >>> parts.average_prediction, parts.variance, parts.risk
    (array([3.]), array([7.]), array([9.16666667]))
    """
    F, target = _checked(predictions, target, 2)
    average = F.mean(axis=0)  # bias-variance-average
    variance = F.var(axis=0, ddof=1)
    squared_bias = (average - target) ** 2 - variance / len(F)  # bias-variance-pairs
    return Parts(average, squared_bias, variance, _variances(noise, len(target)))


def standard_errors(predictions: ArrayLike, target: ArrayLike) -> StandardErrors:
    """Standard errors of the means over the query points, by leaving out one training set at a time (jackknife).

    Parameters
    ----------
    predictions : (S, n) array
        As in :func:`decompose`, with S >= 3.
    target : (n,) array

    Returns
    -------
    StandardErrors
        They measure the choice of the training sets only; query points and targets are taken as fixed.

    Raises
    ------
    ValueError, TypeError
        As :func:`decompose`.

    Notes
    -----
    O(S n) time. What is left without one set follows from sums over all of them.

    Source: Efron and Stein (1981), Annals of Statistics 9, 586-596.

    Examples
    --------
    >>> errors = standard_errors([[1.0], [2.0], [6.0]], [1.0])
    >>> round(errors.variance, 3), round(errors.risk, 3)
    (7.0, 8.172)
    """
    F, target = _checked(predictions, target, 3)
    S, bias, rest = len(F), F.mean(axis=0) - target, F - F.mean(axis=0)
    v, u = (rest**2).mean(axis=1), rest @ bias / len(bias)  # (S,)
    variance = (v.sum() - S * v / (S - 1)) / (S - 2)  # without each set
    square = v / (S - 1) ** 2 - 2 * u / (S - 1) - variance / (S - 1)  # plus (bias**2).mean(), the same for each
    risk = ((F - target) ** 2).mean(axis=1).std(ddof=1) / np.sqrt(S)
    return StandardErrors(jackknife_error(square), jackknife_error(variance), float(risk))


def jackknife_error(left_out: ArrayLike) -> float:
    """Standard error of a statistic from its values without one part of the data each.

    Implements :eq:`resampling-jackknife-error`; the parts are training sets here, instances in
    :func:`notes_lib.theory.resampling.jackknife`.

    Parameters
    ----------
    left_out : (n,) array
        The statistic without part i.

    Returns
    -------
    float

    Raises
    ------
    ValueError, TypeError
        If there is no vector of finite numbers.

    Source: Efron and Stein (1981), Annals of Statistics 9, 586-596.

    Examples
    --------
    A mean of 1, 2 and 6, whose standard error is the square root of 7/3:

    >>> round(jackknife_error([4.0, 3.5, 1.5]) ** 2, 12), round(7 / 3, 12)
    (2.333333333333, 2.333333333333)
    """
    values = check_vector(left_out, "left_out")
    return float(np.sqrt((len(values) - 1) * values.var()))  # resampling-jackknife-error


def bias_variance_decomposition(
    estimator: Any,
    sample: Sample,
    X: ArrayLike,
    target: ArrayLike,
    *,
    noise: ArrayLike = 0.0,
    n_datasets: int = 100,
    random_state: RandomState = None,
) -> Simulation:
    """Fit a learner on many training sets and split its squared error; :eq:`bias-variance-decomposition`.

    Parameters
    ----------
    estimator : estimator
        Cloned for each training set; ``fit`` and ``predict`` of a regressor with one output.
    sample : callable
        ``sample(rng)`` draws a training set ``(X, y)``, independent of all others.
    X : (n, d) array
        Query points, drawn independently of the training sets or chosen.
    target : (n,) array
        Averaged target at the query points.
    noise : float or (n,) array
        Variance of a new target around it.
    n_datasets : int
        S, at least 3.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Simulation

    Raises
    ------
    ValueError, TypeError
        If there are fewer than 3 training sets, ``sample`` is no callable, ``target`` has not one entry for each row of
        ``X``, or as :func:`decompose`.

    Notes
    -----
    S fits.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> def four(rng):
    ...     return np.zeros((4, 1)), 5 + rng.normal(size=4)
    >>> found = bias_variance_decomposition(DummyRegressor(), four, [[0.0]], [5.0], noise=1, random_state=0)
    >>> bool(abs(found.parts.variance[0] - 1 / 4) < 3 * found.errors.variance)
    True
    """
    if not callable(sample):
        raise TypeError(f"sample must be a function of a random generator, got {type(sample).__name__}.")
    n_datasets, X = check_integer(n_datasets, "n_datasets", 3), check_matrix(X, "X")
    target, rng = check_vector(target, "target", len(X)), check_rng(random_state)
    predictions = np.empty((n_datasets, len(X)))
    for s in range(n_datasets):
        predictions[s] = np.reshape(clone(estimator).fit(*sample(rng)).predict(X), -1)
    return Simulation(decompose(predictions, target, noise), standard_errors(predictions, target), predictions)


def smoother_decomposition(L: ArrayLike, truth: ArrayLike, target: ArrayLike, noise: float) -> Parts:
    """Exact parts of a prediction that is linear in the training targets; :eq:`bias-variance-linear`.

    Parameters
    ----------
    L : (n, N) array
        The prediction at query point i is ``L[i] @ y``; the training inputs are fixed.
    truth : (N,) array
        Averaged targets at the training inputs.
    target : (n,) array
        Averaged targets at the query points.
    noise : float
        Variance of every target, in training and later; the noise of different targets is uncorrelated.

    Returns
    -------
    Parts

    Raises
    ------
    ValueError, TypeError
        If an argument has not these shapes, is not finite, or ``noise`` is negative.

    Examples
    --------
    The mean of four targets, asked at a point where the averaged target is 1 larger:

    >>> smoother_decomposition(np.full((1, 4), 0.25), [2, 2, 2, 2], [3], noise=2.0).risk
    array([3.5])
    """
    L, noise = check_matrix(L, "L"), check_real(noise, "noise")
    truth, target = check_vector(truth, "truth", L.shape[1]), check_vector(target, "target", len(L))
    average = L @ truth
    return Parts(average, (average - target) ** 2, noise * (L**2).sum(axis=1), _variances(noise, len(L)))


def optimism(L: ArrayLike, noise: float) -> float:
    """Error of new targets minus training error of a linear smoother, on average; :eq:`bias-variance-optimism`.

    Parameters
    ----------
    L : (N, N) array
        The hat matrix: predictions at the training inputs are ``L @ y``.
    noise : float
        Variance of every target; the noise of different targets is uncorrelated.

    Returns
    -------
    float
        For new targets at the training inputs, in squared units of the target.

    Raises
    ------
    ValueError, TypeError
        If ``L`` is not square, not finite, or ``noise`` is negative.

    Source: Efron (1986), JASA 81, 461-470.

    Examples
    --------
    >>> optimism(np.full((4, 4), 0.25), noise=2.0)
    1.0
    """
    L, noise = check_matrix(L, "L", square=True), check_real(noise, "noise")
    return float(2 * noise * np.trace(L) / len(L))


def zero_one_parts(predictions: ArrayLike, y: ArrayLike) -> ZeroOneParts:
    """Main prediction and what fits do relative to it, for labels without noise; :eq:`bias-variance-zero-one`.

    Parameters
    ----------
    predictions : (S, n) array of labels
        A row for each training set, a column for each query point.
    y : (n,) array of labels
        The true class at each query point.

    Returns
    -------
    ZeroOneParts
        The main prediction is the most frequent one; of equally frequent ones the smallest. For two classes ``risk`` is
        ``bias + variance`` where the main prediction is right and ``bias - variance`` where it is wrong.

    Raises
    ------
    ValueError
        If the shapes do not agree or there is nothing.

    Examples
    --------
    >>> zero_one_parts([[0, 1], [0, 0], [1, 1]], [0, 0]).main_prediction
    array([0, 1])
    """
    F, y = np.asarray(predictions), np.asarray(y)
    if F.ndim != 2 or not F.size or y.shape != F.shape[1:]:
        raise ValueError(
            f"predictions must be (S, n) labels and y (n,) labels, at least one each, got shapes {F.shape} and "
            f"{y.shape}."
        )
    classes, codes = np.unique(F, return_inverse=True)
    counts = np.array([np.bincount(column, minlength=len(classes)) for column in codes.reshape(F.shape).T])
    main = classes[counts.argmax(axis=1)]
    return ZeroOneParts(main, (main != y).astype(float), (main != F).mean(axis=0), (y != F).mean(axis=0))


def _checked(predictions: ArrayLike, target: ArrayLike, least: int) -> tuple[FloatArray, FloatArray]:
    F = check_matrix(predictions, "predictions")
    if len(F) < least:
        raise ValueError(f"predictions must have a row for each of at least {least} training sets, got {len(F)}.")
    return F, check_vector(target, "target", F.shape[1])


def _variances(noise: ArrayLike, n: int) -> FloatArray:
    values = check_finite(np.asarray(noise, dtype=float), "noise")
    if values.shape not in {(), (n,)} or (values < 0).any():
        raise ValueError(f"noise must be one variance or one for each of the {n} query points, none below 0.")
    return np.broadcast_to(values, (n,)).copy()

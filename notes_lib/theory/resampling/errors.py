"""The error of a classifier from bootstrap samples: the leave-one-out bootstrap, .632 and .632+."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from notes_lib.checks import check_data, check_integer, check_real, class_codes
from notes_lib.numerics import RandomState, check_rng
from notes_lib.theory.resampling.draws import bootstrap_counts

SHARE = 0.632  # of the instances that a large bootstrap sample holds


class Error632(NamedTuple):
    """The combined ``error``, and what it is made of.

    ``apparent``: error on the training data; ``out_of_bag``: on instances missing from the bootstrap sample;
    ``no_information``: if labels and instances were independent; ``weight``: of the second.
    """

    error: float
    apparent: float
    out_of_bag: float
    no_information: float
    weight: float


def combine_632(apparent: float, out_of_bag: float, no_information: float | None = None) -> Error632:
    """The .632 rule :eq:`resampling-632`, or with a no-information rate .632+, :eq:`resampling-632-plus`.

    Parameters
    ----------
    apparent : float
        Error on the training data, from 0 to 1.
    out_of_bag : float
        Error on instances that a bootstrap sample lacks.
    no_information : float, optional
        Error if labels and instances were independent.

    Returns
    -------
    Error632
        ``no_information`` is NaN if it was not given.

    Raises
    ------
    TypeError, ValueError
        If a rate does not lie in [0, 1].

    Notes
    -----
    .632+ caps the second error at the no-information rate, and equals .632 where there is no overfitting.

    Examples
    --------
    >>> round(combine_632(0.0, 0.5).error, 3), round(combine_632(0.0, 0.5, 0.5).error, 3)
    (0.316, 0.5)
    """
    err, out = _rate(apparent, "apparent"), _rate(out_of_bag, "out_of_bag")
    if no_information is None:
        return Error632((1 - SHARE) * err + SHARE * out, err, out, float("nan"), SHARE)
    gamma = _rate(no_information, "no_information")
    capped = min(out, gamma)
    overfitting = (capped - err) / (gamma - err) if capped > err else 0.0
    weight = SHARE / (1 - (1 - SHARE) * overfitting)
    return Error632((1 - weight) * err + weight * capped, err, out, gamma, weight)  # resampling-632-plus


def bootstrap_632(
    estimator: Any, X: ArrayLike, y: ArrayLike, *, plus: bool = True, n_resamples: int = 50,
    random_state: RandomState = None,
) -> Error632:  # fmt: skip
    """Error of a classifier by .632+, or by .632; :eq:`resampling-out-of-bag`.

    Parameters
    ----------
    estimator : classifier
        Cloned for every fit.
    X : (n, d) array
    y : (n,) array
        Labels.
    plus : bool
        .632+, which stays honest for a learner that fits its training data perfectly.
    n_resamples : int
        At least 2.
    random_state : int, Generator, RandomState or None

    Returns
    -------
    Error632

    Raises
    ------
    TypeError, ValueError
        Bad data, fewer than two resamples, one class only, or an instance that is in every bootstrap sample.

    Notes
    -----
    R + 1 fits. A bootstrap sample with a single class is drawn again.

    Source: Efron (1983); Efron and Tibshirani (1997), J. Am. Stat. Assoc. 92, 548-560.

    Examples
    --------
    >>> from notes_lib.neighbors.nearest_neighbors import KNeighborsClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]], [0, 0, 0, 1, 1, 1]
    >>> bootstrap_632(KNeighborsClassifier(1), X, y, random_state=0).apparent
    0.0
    """
    classes, codes = class_codes(y)
    A, _ = check_data(X, codes)
    draws, rng = check_integer(n_resamples, "n_resamples", 2), check_rng(random_state)
    fitted = clone(estimator).fit(A, codes).predict(A)
    wrong, missing = np.zeros(len(A)), np.zeros(len(A))
    for _ in range(draws):
        rows = _rows(codes, rng)
        out = np.setdiff1d(np.arange(len(A)), rows)
        missing[out] += 1
        if len(out):
            wrong[out] += clone(estimator).fit(A[rows], codes[rows]).predict(A[out]) != codes[out]
    if not missing.all():
        raise ValueError(f"{(missing == 0).sum()} instances are in every bootstrap sample: raise n_resamples.")
    shares = [np.bincount(labels, minlength=len(classes)) / len(A) for labels in (codes, fitted)]
    gamma = float(1 - shares[0] @ shares[1])  # resampling-no-information
    return combine_632(float((fitted != codes).mean()), float((wrong / missing).mean()), gamma if plus else None)


def _rows(codes: Any, rng: np.random.Generator) -> Any:
    """Rows of a bootstrap sample with at least two classes."""
    while True:
        rows = np.repeat(np.arange(len(codes)), bootstrap_counts(len(codes), random_state=rng))
        if np.ptp(codes[rows]):
            return rows


def _rate(value: float, name: str) -> float:
    if check_real(value, name) > 1:
        raise ValueError(f"{name} must be a share between 0 and 1, got {value}.")
    return float(value)

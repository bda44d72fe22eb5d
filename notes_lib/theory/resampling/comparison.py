"""Tests that compare two learners by their differences over repeated splits of one data set."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import fdtrc, stdtr

from notes_lib.checks import check_integer, check_shape, check_vector
from notes_lib.foundations.inference import SignificanceResult


def corrected_resampled_ttest(differences: ArrayLike, n_train: int, n_test: int) -> SignificanceResult:
    """Whether two learners differ, from repeated random splits or folds; :eq:`resampling-corrected`.

    Parameters
    ----------
    differences : (J,) array
        Score of the first less that of the second learner on the test part of each split, J >= 2.
    n_train, n_test : int
        Sizes of the two parts of a split.

    Returns
    -------
    SignificanceResult
        Student's t with J - 1 degrees of freedom and its two-sided p-value.

    Raises
    ------
    TypeError, ValueError
        Fewer than two differences, all of them equal, or sizes below 1.

    Notes
    -----
    Source: Nadeau and Bengio (2003), Machine Learning 52, 239-281.

    Examples
    --------
    >>> [round(v, 4) for v in corrected_resampled_ttest([0.02, 0.04, 0.00, 0.06], 90, 10)]
    [1.9335, 0.1487]
    """
    d = check_vector(differences, "differences")
    ratio = check_integer(n_test, "n_test") / check_integer(n_train, "n_train")
    if len(d) < 2 or np.ptp(d) == 0:
        raise ValueError("differences must hold at least two different numbers: without spread there is no test.")
    t = d.mean() / np.sqrt((1 / len(d) + ratio) * d.var(ddof=1))  # resampling-corrected
    return SignificanceResult(float(t), float(2 * stdtr(len(d) - 1, -abs(t))))


def five_by_two_test(differences: ArrayLike, combined: bool = False) -> SignificanceResult:
    """Whether two learners differ, from five halvings of the data; :eq:`resampling-five-two`.

    Parameters
    ----------
    differences : (5, 2) array
        A row for each halving: score of the first less that of the second learner, trained on one half and judged on
        the other, and the other way round.
    combined : bool
        The F test that uses all ten differences, :eq:`resampling-five-two-f`, in place of the t test, which has only
        the first in its numerator.

    Returns
    -------
    SignificanceResult
        t with 5 degrees of freedom and its two-sided p-value, or F with 10 and 5.

    Raises
    ------
    ValueError
        If ``differences`` is not (5, 2) and finite, or both halves agree in every row.

    Notes
    -----
    Source: Dietterich (1998), Neural Computation 10, 1895-1923; Alpaydin (1999), Neural Computation 11, 1885-1892.

    Examples
    --------
    >>> d = [[0.04, 0.02], [0.01, 0.03], [0.05, 0.03], [0.00, 0.02], [0.03, 0.03]]
    >>> [round(v, 4) for v in five_by_two_test(d)]
    [3.1623, 0.025]
    """
    d = check_shape(differences, "differences", (5, 2))
    variances = (d[:, 0] - d[:, 1]) ** 2 / 2
    if not variances.any():
        raise ValueError("differences of the two halves agree in every row: without spread there is no test.")
    if combined:
        F = (d**2).sum() / (2 * variances.sum())
        return SignificanceResult(float(F), float(fdtrc(10, 5, F)))
    t = d[0, 0] / np.sqrt(variances.mean())  # resampling-five-two
    return SignificanceResult(float(t), float(2 * stdtr(5, -abs(t))))

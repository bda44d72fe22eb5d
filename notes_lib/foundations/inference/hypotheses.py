"""Tests: likelihood ratio, Wald and score; two proportions; two classifiers on the same instances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr, chdtrc, ndtr

from notes_lib.checks import (
    IntArray,
    check_counts,
    check_integer,
    check_labels,
    check_number,
    check_shape,
    check_vector,
)
from notes_lib.foundations.inference.checks import check_information


class SignificanceResult(NamedTuple):
    """Value of a test statistic, and how probable one as extreme is under the null hypothesis."""

    statistic: float
    p_value: float


def likelihood_ratio_test(log_likelihood_0: float, log_likelihood_1: float, df: int = 1) -> SignificanceResult:
    """Twice the gap between two maximised log-likelihoods, against chi-square; :eq:`inference-likelihood-ratio`.

    Parameters
    ----------
    log_likelihood_0, log_likelihood_1 : float
        Maximum under the null hypothesis, and without it; natural logarithms.
    df : int
        How many parameters the null hypothesis fixes.

    Returns
    -------
    SignificanceResult

    Raises
    ------
    TypeError, ValueError
        If a number is not finite, ``df`` is no positive integer, or the null hypothesis fits better than the model
        that contains it.

    Examples
    --------
    >>> [round(v, 4) for v in likelihood_ratio_test(-12.0, -10.0)]
    [4.0, 0.0455]
    """
    l_0, l_1 = check_number(log_likelihood_0, "log_likelihood_0"), check_number(log_likelihood_1, "log_likelihood_1")
    if l_0 > l_1 + 1e-9 * max(1.0, abs(l_1)):
        raise ValueError(
            f"log_likelihood_1 must be at least log_likelihood_0, got {l_1:g} < {l_0:g}: the models are not nested, or "
            "the larger one was not maximised."
        )
    return _chi_square(max(2 * (l_1 - l_0), 0.0), check_integer(df, "df"))


def wald_test(theta_hat: ArrayLike, theta_0: ArrayLike, information: ArrayLike) -> SignificanceResult:
    """Distance of an estimate from the null hypothesis in standard errors, squared; :eq:`inference-wald-test`.

    Parameters
    ----------
    theta_hat, theta_0 : number or (d,) array
        Maximum-likelihood estimate, and what the null hypothesis says.
    information : number or (d, d) array
        Fisher information of all data **at the estimate**.

    Returns
    -------
    SignificanceResult
        Against chi-square with d degrees of freedom.

    Raises
    ------
    TypeError, ValueError
        If ``information`` is not symmetric and positive definite, or the shapes do not fit.

    Examples
    --------
    >>> [round(v, 4) for v in wald_test(0.6, 0.5, 100 / (0.6 * 0.4))]
    [4.1667, 0.0412]
    """
    information = check_information(information)
    d = check_vector(np.atleast_1d(theta_hat), "theta_hat", len(information))
    d = d - check_vector(np.atleast_1d(theta_0), "theta_0", len(information))
    return _chi_square(float(d @ information @ d), len(information))  # inference-wald-test


def score_test(score: ArrayLike, information: ArrayLike) -> SignificanceResult:
    """Slope of the log-likelihood at the null hypothesis, in units of its deviation; :eq:`inference-score-test`.

    Parameters
    ----------
    score : number or (d,) array
        Derivative of the log-likelihood of all data at the null hypothesis.
    information : number or (d, d) array
        Fisher information of all data **at the null hypothesis**: no estimate is needed.

    Returns
    -------
    SignificanceResult
        Against chi-square with d degrees of freedom.

    Raises
    ------
    TypeError, ValueError
        If ``information`` is not symmetric and positive definite, or the shapes do not fit.

    Examples
    --------
    >>> [round(v, 4) for v in score_test(60 / 0.5 - 40 / 0.5, 100 / 0.25)]
    [4.0, 0.0455]
    """
    information = check_information(information)
    s = check_vector(np.atleast_1d(score), "score", len(information))
    return _chi_square(float(s @ np.linalg.solve(information, s)), len(information))  # inference-score-test


def two_proportion_test(count: ArrayLike, nobs: ArrayLike) -> SignificanceResult:
    """Difference of two independent proportions in pooled standard errors, two-sided; :eq:`inference-two-proportions`.

    Parameters
    ----------
    count, nobs : (2,) arrays
        Successes and trials of the two samples.

    Returns
    -------
    SignificanceResult
        ``statistic`` is z, positive if the first proportion is larger; 0 if all trials of both end alike.

    Raises
    ------
    TypeError, ValueError
        If they are not two counts each, or a sample is empty or has more successes than trials.

    Examples
    --------
    >>> [round(v, 4) for v in two_proportion_test([30, 18], [100, 100])]
    [1.9868, 0.0469]
    """
    k, n = (
        check_counts(check_shape(count, "count", (2,)), "count"),
        check_counts(check_shape(nobs, "nobs", (2,)), "nobs"),
    )
    if (n == 0).any() or (k > n).any():
        raise ValueError(f"nobs must be positive and at least count, got {n.tolist()} for {k.tolist()}.")
    pooled = k.sum() / n.sum()
    error = np.sqrt(pooled * (1 - pooled) * (1 / n).sum())
    z = float((k[0] / n[0] - k[1] / n[1]) / error) if error else 0.0  # inference-two-proportions
    return SignificanceResult(z, float(2 * ndtr(-abs(z))))


def mcnemar_table(y_target: ArrayLike, y_model1: ArrayLike, y_model2: ArrayLike) -> IntArray:
    """Count instances by whether two classifiers are right; :eq:`inference-paired-table`.

    Parameters
    ----------
    y_target, y_model1, y_model2 : (n,) arrays
        Numbers or text: true labels, and those that the two models predict for the same instances.

    Returns
    -------
    (2, 2) array
        Rows: model 1 right, wrong; columns: model 2 right, wrong.

    Raises
    ------
    ValueError
        If they are not three vectors of one length, at least 1, or mix text with numbers, or hold NaN or fractions.

    Examples
    --------
    >>> mcnemar_table([0, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1])
    array([[2, 1],
           [0, 1]])
    """
    y, first, second = check_labels(y_target=y_target, y_model1=y_model1, y_model2=y_model2)
    wrong_1, wrong_2 = first != y, second != y
    return np.bincount(2 * wrong_1 + wrong_2, minlength=4).reshape(2, 2)


def mcnemar_test(table: ArrayLike, exact: bool = True, correction: bool = True) -> SignificanceResult:
    """Whether two classifiers err equally often on the same instances.

    Parameters
    ----------
    table : (2, 2) array
        Counts as :func:`mcnemar_table` gives them; only those off the diagonal, b and c, enter.
    exact : bool
        Two-sided binomial test, :eq:`inference-mcnemar-exact`; else chi-square with one degree of freedom,
        :eq:`inference-mcnemar`.
    correction : bool
        With ``exact=False``: take 1 off the difference, :eq:`inference-mcnemar-corrected`.

    Returns
    -------
    SignificanceResult
        ``statistic`` is min(b, c) if ``exact``, else chi-square. Without any disagreement ``p_value`` is 1.

    Raises
    ------
    TypeError, ValueError
        If ``table`` does not hold 2 x 2 counts.

    Notes
    -----
    Source: McNemar (1947), Psychometrika 12, 153-157; the correction: Edwards (1948), Psychometrika 13, 185-187.

    Examples
    --------
    >>> [round(v, 4) for v in mcnemar_test([[80, 8], [2, 10]])]
    [2.0, 0.1094]
    >>> [round(v, 4) for v in mcnemar_test([[80, 8], [2, 10]], exact=False)]
    [2.5, 0.1138]
    """
    counts = check_counts(check_shape(table, "table", (2, 2)), "table")
    b, c = counts[0, 1], counts[1, 0]
    if exact:
        tail = bdtr(min(b, c), int(b + c), 0.5)  # at most so many heads in b + c throws of a fair coin
        return SignificanceResult(float(min(b, c)), float(min(1.0, 2 * tail)))  # inference-mcnemar-exact
    excess = max(abs(b - c) - (1 if correction else 0), 0.0)  # inference-mcnemar, inference-mcnemar-corrected
    return _chi_square(float(excess**2 / (b + c)) if b + c else 0.0, 1)


def _chi_square(statistic: float, df: int) -> SignificanceResult:
    return SignificanceResult(statistic, float(chdtrc(df, statistic)))

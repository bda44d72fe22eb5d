"""What to do with the scores of folds: summarise, choose, count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray, check_integer


class FoldSummary(NamedTuple):
    """Result of :func:`fold_summary`: mean of the fold scores, their standard deviation, standard error of the mean."""

    mean: float
    std: float
    standard_error: float


def fold_summary(scores: ArrayLike) -> FoldSummary:
    """Mean of K fold scores and its standard error; :eq:`cross-validation-standard-error`.

    Parameters
    ----------
    scores : (K,) array
        At least two scores.

    Returns
    -------
    FoldSummary
        ``std`` has the divisor K - 1 and ``standard_error`` is ``std / sqrt(K)``, the ``std_test_score`` of a grid
        search (divisor K) over ``sqrt(K - 1)``. It takes the folds as independent, which they are not: a rule of
        thumb.

    Raises
    ------
    ValueError
        If there are fewer than two scores, or one is not finite.

    Examples
    --------
    >>> fold_summary([0.5, 0.75, 1.0, 0.75])
    FoldSummary(mean=0.75, std=0.2041241452319315, standard_error=0.10206207261596575)
    """
    values = np.asarray(scores, dtype=float)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(f"scores must be a vector of at least two finite numbers, got {scores!r}.")
    std = float(values.std(ddof=1))
    return FoldSummary(float(values.mean()), std, std / len(values) ** 0.5)  # cross-validation-standard-error


def one_standard_error_index(mean: ArrayLike, standard_error: ArrayLike, complexity: ArrayLike) -> int:
    """Simplest candidate within one standard error of the best; :eq:`cross-validation-one-standard-error`.

    Parameters
    ----------
    mean, standard_error : (m,) arrays
        Mean score of each candidate (larger is better) and its standard error.
    complexity : (m,) array
        Grows with the flexibility of the model: minus the penalty, minus the neighbours of k-NN, the depth of a tree.

    Returns
    -------
    int
        Index of the candidate; of equally simple ones the one with the higher mean, then the first.

    Raises
    ------
    ValueError
        If the three are not vectors of one length of at least 1, not finite, or a standard error is negative.

    Notes
    -----
    The standard error is that of the best candidate. Source: Breiman et al. (1984), section 3.4.3.

    Examples
    --------
    >>> one_standard_error_index([0.70, 0.78, 0.80, 0.79], [0.02, 0.02, 0.03, 0.01], complexity=[1, 2, 3, 4])
    1
    """
    m, e, c = (np.asarray(v, dtype=float) for v in (mean, standard_error, complexity))
    if m.ndim != 1 or not m.shape == e.shape == c.shape or m.size == 0:
        raise ValueError(
            f"mean, standard_error and complexity must be vectors of one length, got {m.shape}, {e.shape}, {c.shape}."
        )
    if not np.isfinite([m, e, c]).all() or (e < 0).any():
        raise ValueError("mean, standard_error and complexity must be finite, and no standard error negative.")
    best = m.argmax()
    good = np.flatnonzero(m >= m[best] - e[best])  # cross-validation-one-standard-error
    return int(good[np.lexsort((-m[good], c[good]))[0]])


def number_of_fits(n_candidates: int, n_splits: int, *, refit: bool = True, outer_splits: int | None = None) -> int:
    """Count the models that a grid search fits, alone or inside an outer cross-validation; :eq:`cross-validation-fits`.

    Parameters
    ----------
    n_candidates, n_splits : int
        Size m of the grid and folds K of the search.
    refit : bool
        Whether the winner is fitted once more on everything that the search was given.
    outer_splits : int or None
        Outer folds of a nested cross-validation, :eq:`cross-validation-nested-fits`.

    Returns
    -------
    int

    Raises
    ------
    ValueError, TypeError
        If a number is no integer, or too small (``n_candidates`` 1, the others 2).

    Examples
    --------
    >>> number_of_fits(6, 5), number_of_fits(6, 5, outer_splits=10)
    (31, 310)
    """
    m, K = check_integer(n_candidates, "n_candidates"), check_integer(n_splits, "n_splits", 2)
    fits = m * K + bool(refit)  # cross-validation-fits
    return fits if outer_splits is None else check_integer(outer_splits, "outer_splits", 2) * fits


def leave_one_out_residuals(residuals: ArrayLike, leverages: ArrayLike) -> FloatArray:
    """Residuals of the N models that each leave one instance out, from a single fit; :eq:`cross-validation-press`.

    Parameters
    ----------
    residuals : (n,) array
        ``y - H y`` of the fit to all instances.
    leverages : (n,) array
        Diagonal of H, the matrix that takes the targets to the fitted values of (ridge) least squares.

    Returns
    -------
    (n,) array

    Raises
    ------
    ValueError
        If the two are not finite vectors of one length, or a leverage is 1 or more: without that instance the model is
        not determined.

    Notes
    -----
    O(n) time after the fit, against n fits. Holds for least squares with or without a quadratic penalty, with the
    same columns in every fit (no columns standardised anew in each fold).

    Examples
    --------
    >>> leave_one_out_residuals([-1.0, 0.0, 1.0], [1 / 3, 1 / 3, 1 / 3])  # the mean of 1, 2, 3
    array([-1.5,  0. ,  1.5])
    """
    r, h = np.asarray(residuals, dtype=float), np.asarray(leverages, dtype=float)
    if r.ndim != 1 or r.shape != h.shape or not np.isfinite([r, h]).all():
        raise ValueError(f"residuals and leverages must be finite vectors of one length, got {r.shape} and {h.shape}.")
    if (h >= 1 - 1e-12).any():
        raise ValueError(
            f"leverages must be below 1, instance {h.argmax()} alone decides a coefficient: drop a column."
        )
    return r / (1 - h)  # cross-validation-press

"""Scores against the number of instances and against a hyper-parameter: what a diagnosis starts from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from notes_lib.checks import FloatArray
from notes_lib.foundations.cross_validation.checks import Split, check_names
from notes_lib.foundations.cross_validation.scoring import Scorer, as_scorer, as_splits, checked, scores_of_both_parts

Steps = Sequence[tuple[dict[str, Any], list[Split]]]  # hyper-parameters, and the splits on which to fit with them


class LearningCurve(NamedTuple):
    """Sizes (m,) of the training parts; scores (m, K) on what was fitted and on the folds."""

    train_sizes: np.ndarray
    train_scores: FloatArray
    test_scores: FloatArray


class ValidationCurve(NamedTuple):
    """Scores (m, K) on what was fitted and on the folds, a row for each value of the hyper-parameter."""

    train_scores: FloatArray
    test_scores: FloatArray


def learning_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    train_sizes: ArrayLike = (0.1, 0.325, 0.55, 0.775, 1.0),
    cv: Any = None,
    scoring: str | Scorer | None = None,
) -> LearningCurve:
    """Score models of growing training sets; :eq:`cross-validation-curves` is what to expect of least squares.

    Parameters
    ----------
    estimator : estimator
        Cloned for each fit.
    X : array or table of n rows
    y : (n,) array or None
    train_sizes : (m,) array
        Shares of the smallest training part, above 0 and at most 1, or numbers of instances. Each training part is cut
        off after so many of its instances: shuffle the rows first if they are sorted.
    cv, scoring
        As in :func:`cross_val_score`.

    Returns
    -------
    LearningCurve
        Sizes in increasing order, each once.

    Raises
    ------
    ValueError, TypeError
        As :func:`cross_val_score`; if a size is not as above.

    Notes
    -----
    m K fits.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> y = [1, 3, 1, 3, 1, 3]
    >>> mse = "neg_mean_squared_error"
    >>> learning_curve(DummyRegressor(), np.zeros((6, 1)), y, train_sizes=[2, 4], cv=3, scoring=mse).test_scores
    array([[-1., -1., -1.],
           [-1., -1., -1.]])
    """
    X, y = checked(X, y)
    scorer, splits = as_scorer(estimator, scoring), as_splits(cv, estimator, X, y)
    sizes = _sizes(train_sizes, min(len(split.train) for split in splits))
    steps: Steps = [({}, [Split(split.train[:n], split.test) for split in splits]) for n in sizes]
    return LearningCurve(sizes, *_both(estimator, X, y, steps, scorer))


def validation_curve(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    param_name: str,
    param_range: Iterable[Any],
    cv: Any = None,
    scoring: str | Scorer | None = None,
) -> ValidationCurve:
    """Score models for each value of one hyper-parameter, on the same folds.

    Parameters
    ----------
    estimator : estimator
        Cloned for each fit.
    X : array or table of n rows
    y : (n,) array or None
    param_name : str
        ``step__name`` reaches into a pipeline.
    param_range : iterable of m values
    cv, scoring
        As in :func:`cross_val_score`.

    Returns
    -------
    ValidationCurve

    Raises
    ------
    ValueError, TypeError
        As :func:`cross_val_score`; if the estimator has no such parameter, or there is no value.

    Notes
    -----
    m K fits.

    Examples
    --------
    >>> from sklearn.dummy import DummyRegressor
    >>> grid = {"param_name": "strategy", "param_range": ["mean", "median"]}
    >>> mae = "neg_mean_absolute_error"
    >>> validation_curve(DummyRegressor(), [[0]] * 6, [0, 0, 9, 0, 0, 9], **grid, cv=2, scoring=mae).train_scores
    array([[-4., -4.],
           [-3., -3.]])
    """
    X, y = checked(X, y)
    candidates = [{param_name: value} for value in param_range]
    if not candidates:
        raise ValueError("param_range must hold at least one value.")
    check_names(estimator, candidates)
    scorer, splits = as_scorer(estimator, scoring), as_splits(cv, estimator, X, y)
    return ValidationCurve(*_both(estimator, X, y, [(params, splits) for params in candidates], scorer))


def _both(estimator: Any, X: Any, y: Any, steps: Steps, scorer: Scorer) -> tuple[FloatArray, FloatArray]:
    """Scores (m, K) on training and on test parts."""
    found = [[scores_of_both_parts(estimator, params, X, y, s, scorer) for s in splits] for params, splits in steps]
    train, test = np.moveaxis(np.array(found), 2, 0)
    return train, test


def _sizes(train_sizes: ArrayLike, largest: int) -> np.ndarray:
    """Numbers of instances, increasing; shares are rounded down, as in scikit-learn."""
    sizes = np.asarray(train_sizes)
    if sizes.ndim != 1 or not sizes.size or not np.issubdtype(sizes.dtype, np.number):
        raise ValueError(f"train_sizes must be a list of shares or numbers of instances, got {train_sizes!r}.")
    if np.issubdtype(sizes.dtype, np.floating):
        if not (sizes.min() > 0 and sizes.max() <= 1):
            raise ValueError(f"train_sizes as shares must be above 0 and at most 1, got {sizes.tolist()}.")
        sizes = np.maximum((sizes * largest).astype(int), 1)
    if not 1 <= sizes.min() <= sizes.max() <= largest:
        raise ValueError(
            f"train_sizes must be between 1 and {largest}, the smallest training part, got {sizes.tolist()}."
        )
    return np.unique(sizes)
